"""Shipped cases talked by candidates of different strength: who knows more earns more, in every phase.

What they say stands in `candidates/CASE.yaml`: turn by turn, in words that were written before the rubric saw them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from quizgen import bank as banks
from quizgen.cases import talk as talking
from quizgen.cases.case import Case
from quizgen.cases.judge import Judgement, judge
from quizgen.cases.talk import Conversation
from quizgen.model import Outcome

BANK = Path(__file__).parents[2] / "banks" / "distributed-training"
CANDIDATES = Path(__file__).parent / "candidates"
CASES = ("serving-70b-under-a-goal", "long-context", "moe-on-nvl72")


@cache
def shipped(name: str) -> Case:
    loaded = banks.load(f"{BANK}/{name}")
    assert not loaded.errors
    assert loaded.case is not None
    return loaded.case


def spoken(now: Conversation, text: str) -> str:
    """A response; to a choice `key` is the letter of the key, `not the key` of another option."""
    if now.at.kind != "choice":
        return text
    right = [letter for letter in "ABCD" if now.variant.score(letter).outcome is Outcome.CORRECT]
    assert len(right) == 1
    return right[0] if text == "key" else next(letter for letter in "ABCD" if letter not in right)


@cache
def talked(name: str, who: str) -> Conversation:
    """The case to its end: each turn answered once, no probe answered; a turn that the candidate never
    expected to be led to is left."""
    says = yaml.safe_load((CANDIDATES / f"{name}.yaml").read_text(encoding="utf-8"))[who]
    now = talking.begin(shipped(name), "s")
    done: set[str] = set()
    while not now.over:
        fresh = now.turn in says and now.turn not in done
        done.add(now.turn)
        exchange = talking.answer(now, spoken(now, says[now.at.id])) if fresh else talking.left(now, "you went on")
        assert exchange.took != "unreadable"
        now = talking.after(now, exchange)
    return now


def shares(made: Judgement) -> dict[str, float]:
    return {p.name: float(p.earned / p.possible) for p in made.phases}


@pytest.mark.parametrize("name", CASES)
def test_strong_middling_and_wrong_are_told_apart_in_every_phase(name: str) -> None:
    """Strong earns over four fifths of each phase, middling between; wrong a sixth at most, for what it says
    rightly in passing."""
    strong, middling, wrong = (shares(judge(talked(name, w), {})) for w in ("strong", "middling", "wrong"))
    for phase in strong:
        assert strong[phase] > middling[phase] > wrong[phase], phase
        assert strong[phase] >= 0.8, phase
        assert wrong[phase] <= 1 / 6, phase


@pytest.mark.parametrize("name", CASES)
def test_other_words_earn_the_same(name: str) -> None:
    """Candidates who came after the rubric (it was mended once by them): three quarters at least, a sixth at most."""
    strong = judge(talked(name, "strong, other words"), {})
    wrong = judge(talked(name, "wrong, another"), {})
    assert strong.earned / strong.possible >= 0.75
    assert wrong.earned / wrong.possible <= 1 / 6


@pytest.mark.parametrize(
    ("name", "who", "turn"),
    [
        ("serving-70b-under-a-goal", "strong", "step"),
        ("serving-70b-under-a-goal", "wrong", "wide"),
        ("serving-70b-under-a-goal", "wrong, another", "small"),
        ("long-context", "strong", "ring"),
        ("long-context", "wrong", "heads"),
        ("long-context", "wrong, another", "idle"),
        ("moe-on-nvl72", "strong", "dispatch"),
        ("moe-on-nvl72", "wrong", "beyond"),
        ("moe-on-nvl72", "wrong, another", "narrow"),
    ],
)
def test_the_talk_follows_what_was_said(name: str, who: str, turn: str) -> None:
    """A layout leads to its own consequence, and to none of the others'."""
    branched = {t.id for t in shipped(name).turns if t.branched}
    assert branched & {line.turn for line in talked(name, who).lines} == {turn}


@pytest.mark.parametrize("name", CASES)
def test_a_contradiction_is_asked_about_first(name: str) -> None:
    """A confident wrong answer draws the probe of what it contradicts, not praise."""
    whys = [line.why for line in talked(name, "wrong").lines if line.speaker == "interviewer"]
    assert sum("contradicts" in why for why in whys) >= 3
