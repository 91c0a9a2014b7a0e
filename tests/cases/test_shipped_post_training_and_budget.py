"""Shipped cases about a loop of rollouts, a colleague's sum and a cheaper offer, each talked by three candidates: one who
knows, one who half knows, one who is sure and wrong. Their words were written before they were scored."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
import yaml

from quizgen import bank as banks
from quizgen.cases import talk as talking
from quizgen.cases.case import Case
from quizgen.cases.check import checked
from quizgen.cases.judge import Judgement, judge
from quizgen.cases.talk import Conversation

CANDIDATES = Path(__file__).parent / "candidates"
NAMES = ("rl-post-training", "a-colleagues-memory-estimate", "cheaper-network")
WHO = ("strong", "middling", "wrong")


@cache
def case_of(name: str) -> Case:
    case = banks.load(name).case
    assert case is not None
    return case


@cache
def everybody(name: str) -> dict[str, dict[str, str | list[str]]]:
    """What each candidate says, by turn."""
    texts: dict[str, dict[str, str | list[str]]] = yaml.safe_load(
        (CANDIDATES / f"{name}.yaml").read_text(encoding="utf-8")
    )
    return texts


@cache
def talked(name: str, who: str) -> Conversation:
    """The conversation of one candidate, who says nothing more where the interviewer asks on."""
    texts = everybody(name)[who]
    now = talking.begin(case_of(name), "demo")
    while not now.over:
        turn = now.at
        said = texts.get(turn.id, [])
        for text in [said] if isinstance(said, str) else said:
            if turn.kind == "choice":
                text = _label(now, text)
            if now.turn == turn.id:
                now = talking.after(now, talking.answer(now, text))
        if now.turn == turn.id:
            now = talking.after(now, talking.left(now, "nothing more to say"))
    return now


@cache
def judged(name: str, who: str) -> Judgement:
    return judge(talked(name, who), {})


def _label(now: Conversation, which: str) -> str:
    """The letter of the key as it is shown now, or of a distractor."""
    return next(x for x in "ABCD" if (now.variant.score(x).outcome == "correct") == (which == "right"))


@pytest.mark.parametrize("name", NAMES)
def test_a_case_has_no_findings(name: str) -> None:
    """Every turn is reached, leads on, and its model answer meets every criterion."""
    assert [str(p) for p in checked(case_of(name))] == []


@pytest.mark.parametrize("name", NAMES)
def test_each_phase_tells_the_three_apart(name: str) -> None:
    """In every phase the strong candidate earns a larger share than the middling one, and that one than the wrong one."""
    three = [{p.name: p.earned / p.possible for p in judged(name, who).phases} for who in WHO]
    for phase in three[0]:
        strong, middling, wrong = (shares[phase] for shares in three)
        assert strong > middling > wrong, (phase, float(strong), float(middling), float(wrong))


@pytest.mark.parametrize("name", NAMES)
def test_what_is_known_counts_and_what_is_wrong_does_not(name: str) -> None:
    """A strong talk earns four fifths at least, by whichever branch it goes; a sure and wrong one a tenth at most."""
    for who in everybody(name):
        one = judged(name, who)
        if who.startswith("strong"):
            assert one.earned >= one.possible * 4 / 5, who
        if who.startswith("wrong"):
            assert one.earned <= one.possible / 10, who


@pytest.mark.parametrize("name", NAMES)
def test_each_branch_is_taken_by_somebody(name: str) -> None:
    """Together the candidates meet every turn that only a branch leads to."""
    met = {line.turn for who in everybody(name) for line in talked(name, who).lines}
    assert {turn.id for turn in case_of(name).turns} <= met
