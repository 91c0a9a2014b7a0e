"""The shipped cases, each talked by candidates who know, who half know, and who are sure and wrong: what is tested is
the order of their scores, phase by phase, and that the talk follows what was said."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import shipped

from quizgen.cases import talk as talking
from quizgen.cases.conversation import Conversation, begin_conversation
from quizgen.cases.judge import judge_conversation
from quizgen.cases.read import case_problems
from quizgen.cases.talk import LEFT_OPEN_REPLY
from quizgen.draw import SeededRng
from tests.cases.talkers import NAMES, WHO, case_of, judged, people, shares, talked, words

THREE = [name for name in NAMES if set(WHO) <= set(words(name))]
OTHERS = [name for name in NAMES if "said" in words(name)]


def test_every_case_that_ships_is_talked_here() -> None:
    assert set(NAMES) == set(shipped.bank().case_by_id)


@pytest.mark.parametrize("name", NAMES)
def test_a_case_has_no_findings(name: str) -> None:
    """Every turn is reached, leads on, and its model answer meets every criterion."""
    assert [str(p) for p in case_problems(case_of(name))] == []


@pytest.mark.parametrize("name", THREE)
def test_each_phase_tells_the_three_apart(name: str) -> None:
    """In every phase the strong candidate earns a larger share than the middling one, and that one than the wrong one."""
    strong, middling, wrong = (shares(name, who) for who in WHO)
    for phase in strong:
        assert strong[phase] > middling[phase] > wrong[phase], phase


@pytest.mark.parametrize("name", NAMES)
def test_what_is_known_counts_and_what_is_wrong_does_not(name: str) -> None:
    """A strong talk earns four fifths at least, by whichever branch it goes and in whichever words; a middling one about
    half; a sure and wrong one a tenth at most."""
    for who in people(name):
        one = judged(name, who)
        if who.startswith("strong"):
            assert one.earned_points >= one.possible_points * 4 / 5, who
        if who.startswith("middling"):
            assert one.possible_points * 35 / 100 <= one.earned_points <= one.possible_points * 62 / 100, who
        if who.startswith("wrong"):
            assert one.earned_points <= one.possible_points / 10, who


@pytest.mark.parametrize("name", NAMES)
def test_who_came_later_is_told_apart_in_every_phase(name: str) -> None:
    strong, wrong = shares(name, "strong, later"), shares(name, "wrong, later")
    assert all(strong[phase] > wrong[phase] for phase in strong)


@pytest.mark.parametrize("name", NAMES)
def test_each_branch_is_taken_by_somebody(name: str) -> None:
    """Together the candidates meet every turn that only a branch leads to."""
    met = {line.turn_id for who in people(name) for line in talked(name, who).lines}
    assert {turn.id for turn in case_of(name).turns} <= met


@pytest.mark.parametrize("name", NAMES)
def test_questions_draw_their_facts(name: str) -> None:
    """Each question of a strong candidate is answered from the case."""
    first = case_of(name).turns[0].id
    for who in (w for w in people(name) if w in ("strong", "strong, later")):
        lines = talked(name, who).lines
        answers = [b.text for a, b in itertools.pairwise(lines) if a.turn_id == first and a.speaker_role == "candidate"]
        assert answers
        assert LEFT_OPEN_REPLY not in answers


@pytest.mark.parametrize("name", OTHERS)
def test_a_question_draws_the_fact_it_asks_for(name: str) -> None:
    """One fact, or that and one more; what the case has no figure for draws none."""
    now = begin_conversation(case_of(name), "demo")
    for fact, questions in words(name)["asked"].items():
        for question in questions:
            drawn = talking.exchange_for_text(now, question).given_fact_ids
            assert (fact in drawn and len(drawn) <= 2) if fact != "nothing" else not drawn, (question, drawn)


@pytest.mark.parametrize("name", OTHERS)
def test_other_words_earn_by_what_they_say(name: str) -> None:
    """Answers of others: right ones earn nine tenths on average, and half at least; wrong ones a tenth, and half at most."""
    for kind, fits, of_one in (("right", 0.9, 0.5), ("wrong", 0.1, 0.5)):
        earned = []
        for turn, said in words(name)["said"].items():
            item = case_of(name).turn_by_id(turn).item
            for text in said[kind]:
                score = item.draw(SeededRng(item.id, "demo")).score(text)
                earned.append(float(score.earned / score.possible))
                assert earned[-1] >= of_one if kind == "right" else earned[-1] <= of_one, (turn, text, earned[-1])
        mean = sum(earned) / len(earned)
        assert mean >= fits if kind == "right" else mean <= fits, (kind, mean)


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
        ("seventy-b-on-1024", "strong, later", "bubble"),
        ("seventy-b-on-1024", "wrong, later", "tp-wide"),
    ],
)
def test_the_talk_follows_what_was_said(name: str, who: str, turn: str) -> None:
    """A layout leads to its own consequence, and to none of the others'."""
    branched = {t.id for t in case_of(name).turns if t.is_branch_only}
    assert branched & {line.turn_id for line in talked(name, who).lines} == {turn}


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_answer_is_asked_about_and_never_praised(name: str) -> None:
    """A sure and wrong candidate draws probes; the interviewer calls nothing that was said good or right."""
    said = [line for line in talked(name, "wrong, later").lines if line.speaker_role == "interviewer"]
    asked = ("contradicts", "was not heard", "only half there")
    assert sum(any(why in line.reason for why in asked) for line in said) >= 3, [x.reason for x in said]
    for line in said:
        told = line.text.casefold().split()
        assert not told or told[0].strip(",.!") not in ("good", "right", "exactly", "yes", "correct", "fine"), line.text


def amounts_asked_for(now: Conversation) -> list[tuple[str, Fraction, str]]:
    """The numbers that the current turn asks for: the criterion (empty for a numeric turn), the number, its unit."""
    if now.turn.kind == "numeric":
        read, samples = now.current_turn_variant.response_in_answer_unit, now.current_turn_variant.samples()
        return [("", next(filter(None, (read(s.response) for s in samples if s.outcome == "correct"))), "")]
    amounts = now.turn.required_amount_by_criterion_id.items()
    return [(name, Fraction(q.base_value) / Fraction(q.unit.factor), str(q.unit)) for name, q in amounts]


@pytest.mark.parametrize("name", NAMES)
def test_a_number_twice_or_ten_times_off_is_doubted_once_and_corrected_counts_seven_tenths(name: str) -> None:
    """Also in the second response to a turn, after a probe; one asked about before it was wrong counts half. Each amount
    in one of the ways. Two are none to doubt: 35 GB is right for another criterion there, and the author doubts 2.96
    minutes."""
    case, ways = case_of(name), ((Fraction(2), False), (Fraction(10), True), (Fraction(1, 10), False))
    number = itertools.count()
    for turn in (turn for turn in case.turns if turn.kind != "choice"):
        begun = begin_conversation(case, "demo").with_turn_begun(turn, "") if turn.kind != "open" else None
        for criterion, key, unit in amounts_asked_for(begun) if begun else ():
            for factor, second in shipped.part_of(ways, next(number)):
                first = "I would measure that on the system." if turn.kind == "text" else "Let me think."
                now = after(begun, first, "that is my answer") if second else begun
                given = (f"It is {float(value):.6g} {unit}." for value in (key * factor, key))
                wrong, right = (text.replace(" .", ".") for text in given)
                doubted = after(now, wrong)
                if (turn.id, criterion, factor) in (
                    ("traffic", "one-way", 2),
                    ("interval", "half-hour", Fraction(1, 10)),
                ):
                    continue
                assert "Are you sure" in doubted.lines[-1].text, (turn.id, criterion, wrong)
                assert after(doubted, wrong).lines[-1].text != doubted.lines[-1].text, (turn.id, criterion, wrong)
                points = judge_conversation(after(doubted, right), {}).criterion_points
                (point,) = (p for p in points if p.turn_id == turn.id and criterion in ("", p.mark.criterion_id))
                share = Fraction(5 if criterion in doubted.probe_and_doubt_ids_by_turn_id[turn.id][:-1] else 7, 10)
                assert point.earned_points == point.mark.possible * share, (turn.id, criterion, wrong)


def after(now: Conversation, *texts: str) -> Conversation:
    for text in texts:
        now = now.with_exchange_applied(talking.exchange_for_text(now, text))
    return now
