"""Shipped cases about a run that goes wrong, each talked by three candidates: one who knows, one who half knows, one who
is sure and wrong. Their words were written before they were scored; what is tested is the order, phase by phase."""

from __future__ import annotations

import itertools
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from quizgen import bank as banks
from quizgen.bank import Bank
from quizgen.cases import talk as talking
from quizgen.cases.case import Case
from quizgen.cases.check import checked
from quizgen.cases.judge import Judgement, judge
from quizgen.cases.talk import Conversation
from quizgen.draw import Stream

CANDIDATES = Path(__file__).parent / "candidates"
NAMES = ("checkpoint-at-16k", "step-time-doubled", "loss-spike-at-night")
WHO = ("strong", "middling", "wrong")


@cache
def bank() -> Bank:
    """The shipped bank, read once for all cases."""
    loaded = banks.load("distributed-training").bank
    assert loaded is not None
    return loaded


def case_of(name: str) -> Case:
    case = bank().cases.get(name)
    assert case is not None
    return case


@cache
def words(name: str) -> dict[str, dict[str, Any]]:
    """What candidates of a case say: three of them by turn, and what others asked and said."""
    made: dict[str, dict[str, Any]] = yaml.safe_load((CANDIDATES / f"{name}.yaml").read_text(encoding="utf-8"))
    return made


@cache
def talked(name: str, who: str) -> Conversation:
    """The conversation of one candidate, who says nothing more where the interviewer asks on."""
    texts = words(name)[who]
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
    """A strong talk earns four fifths at least, a sure and wrong one a tenth at most."""
    strong, _, wrong = (judged(name, who) for who in WHO)
    assert strong.earned >= strong.possible * 4 / 5
    assert wrong.earned <= wrong.possible / 10


@pytest.mark.parametrize("name", NAMES)
def test_questions_draw_their_facts(name: str) -> None:
    """Each question of the strong candidate is answered from the case; none of the wrong one's is."""
    for who, known in (("strong", True), ("wrong", False)):
        first = talked(name, who).case.turns[0].id
        lines = talked(name, who).lines
        after_questions = [b for a, b in itertools.pairwise(lines) if a.turn == first and a.speaker == "candidate"]
        assert after_questions
        assert all((line.text != talking.UNKNOWN) == known for line in after_questions)


@pytest.mark.parametrize("name", NAMES)
def test_a_question_draws_the_fact_it_asks_for(name: str) -> None:
    """One fact, or that and one more; what the case has no figure for draws none."""
    now = talking.begin(case_of(name), "demo")
    for fact, questions in words(name)["asked"].items():
        for question in questions:
            drawn = talking.answer(now, question).asked
            assert (fact in drawn and len(drawn) <= 2) if fact != "nothing" else not drawn, (question, drawn)


@pytest.mark.parametrize("name", NAMES)
def test_other_words_earn_by_what_they_say(name: str) -> None:
    """Answers of others: right ones earn nine tenths on average, and half at least; wrong ones a tenth, and half at most."""
    for kind, fits, of_one in (("right", 0.9, 0.5), ("wrong", 0.1, 0.5)):
        shares = []
        for turn, said in words(name)["said"].items():
            item = case_of(name).turn(turn).item
            for text in said[kind]:
                score = item.draw(Stream(item.id, "demo")).score(text)
                shares.append(float(score.earned / score.possible))
                assert shares[-1] >= of_one if kind == "right" else shares[-1] <= of_one, (turn, text, shares[-1])
        mean = sum(shares) / len(shares)
        assert mean >= fits if kind == "right" else mean <= fits, (kind, mean)
