"""Verdicts: the table of diagnoses, the edge of the tolerance, and the catalogue's misconceptions. Steps in a response:
each earns its share, a slip is carried on once, and gaming earns nothing.

The formula of the steps: replicated = 26 GB, sharded = 5.6875 GB, state = 31.6875 GB; three steps, a third each.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest
from every import every
from hypothesis import given
from hypothesis import strategies as st

from quizgen.formula import mistakes as module
from quizgen.formula.mistakes import AnswerTarget, Diagnosis, MistakenAnswer, diagnose_reading, possible_factor_slips
from quizgen.formula.quantity import Reading, Tolerance, is_within_share
from quizgen.formula.units import KNOWN_UNITS, UNIT_ONE, parse_unit
from quizgen.kinds.numeric.step_credit import MAX_RESPONSE_PARTS, diagnose_steps
from quizgen.model import Mark
from quizgen.numbers.answer import AnswerFormat
from quizgen.numbers.read import read_response

from .diagnosed import CASES, Case, Row, case, rows
from .effort import calls
from .spellings import must_read

GB = KNOWN_UNITS["GB"]


@every(rows)
def test_a_response_has_the_diagnosis_of_its_row(row: Row) -> None:
    verdict = case(row.case).verdict(row.response)
    assert verdict.is_correct == (row.diagnosis == "right")
    assert (verdict.mistake_id or "unexplained") == row.diagnosis or verdict.is_correct
    if verdict.mistake_id:
        assert verdict.message.endswith(".")


def test_every_id_is_shown_by_a_row() -> None:
    shown = {row.diagnosis for row in rows()}
    unshown = {"not-unbounded", "is-unbounded"}  # answers of inverse problems: see below
    assert set(module.BUILT_IN_MISTAKE_IDS) - shown == unshown
    page = Path(__file__).with_name("diagnosis_page.txt").read_text(encoding="utf-8")
    assert [one for one in module.BUILT_IN_MISTAKE_IDS if f"| `{one}` |" not in page] == []


def test_every_slip_is_documented_and_kept_in_style() -> None:
    run = case("state").evaluation
    made = {s.id for unit in KNOWN_UNITS.values() for s in possible_factor_slips(unit, run)}
    assert made <= set(module.BUILT_IN_MISTAKE_IDS)
    assert all(set(name) <= set("abcdefghijklmnopqrstuvwxyz0123456789-") for name in made)


# -- comparison -----------------------------------------------------------------------------


@given(st.fractions(min_value="1/1000", max_value=10**12), st.sampled_from(["1/100", "1/1000", "1/20"]))
def test_the_edge_of_the_tolerance_is_inside(key: Fraction, share: str) -> None:
    tolerance = Fraction(share)
    just = Fraction(1, 10**30)
    for sign in (1, -1):
        edge = key * (1 + sign * tolerance)
        assert is_within_share(edge, key, tolerance)
        assert is_within_share(-edge, -key, tolerance)
        assert not is_within_share(edge + sign * just, key, tolerance)


# -- misconceptions -------------------------------------------------------------------------


BASE = 8 * 10**9


def _given(text: str, known: tuple[MistakenAnswer, ...], **more: object) -> Diagnosis:
    target = AnswerTarget(100 * BASE, GB, Tolerance(Fraction(1, 100)), mistaken_answers=known, **more)
    return diagnose_reading(must_read(text, AnswerFormat(GB)), target)


TWO = (MistakenAnswer("a", 50 * BASE, "A."), MistakenAnswer("b", Fraction("50.4") * BASE, "B."))
KEY_TOO = (MistakenAnswer("mine", 50 * BASE, "Mine."), MistakenAnswer("same", 100 * BASE, "The key itself."))
NOTHING = (MistakenAnswer("nothing", 0, "Nothing."),)


@pytest.mark.parametrize(
    ("known", "text", "found"),
    [
        (TWO, "50.1", "a"),  # the nearest
        (TWO, "50.3", "b"),
        (KEY_TOO, "50", "mine"),  # before a slip, and the key before both
        (KEY_TOO, "200", "twice"),
        (KEY_TOO, "100", "right"),
        (NOTHING, "0", "nothing"),  # zero is met by zero alone
        (NOTHING, "0.00013", None),
        (TWO[:1], "50.000 GB", None),  # a point before three noughts: no mistake of one reading
        (TWO[:1], "50.00 GB", "a"),
        (TWO[:1], "100.000 GB", "right"),
    ],
)
def test_a_misconception_is_named(known: tuple[MistakenAnswer, ...], text: str, found: str | None) -> None:
    verdict = _given(text, known)
    assert ("right" if verdict.is_correct else verdict.mistake_id) == found
    assert text != "50.000 GB" or verdict.reading.read_as == "50 GB or 50,000 GB"


def test_a_unit_of_another_dimension_is_told_with_what_is_asked() -> None:
    """And with its unit, where it has one: "a bare number, in 1" says nothing."""
    assert _given("3 s", ()).message == "3 s is a time (s); the item asks for an amount of data (B), in GB."
    say = diagnose_reading(Reading(3, KNOWN_UNITS["s"], "3 s"), AnswerTarget(3, UNIT_ONE, Tolerance())).message
    assert say == "3 s is a time (s); the item asks for a bare number."
    say = diagnose_reading(
        Reading(3, KNOWN_UNITS["s"], "3 s"), AnswerTarget(3, parse_unit("GPU-h"), Tolerance())
    ).message
    assert say == "3 s is a time (s); the item asks for a product (s*GPU), in GPU-h."


def test_credit_only_where_the_item_says_so() -> None:
    known = (MistakenAnswer("half-right", 57 * BASE, "So.", Fraction(1, 2)),)
    assert _given("57", known).credit_share == Fraction(1, 2)
    assert _given("200", known).credit_share == 0
    assert _given("200", known, credit_share_by_mistake={"twice": Fraction(1, 4)}).credit_share == Fraction(1, 4)
    assert _given("100 s", known, credit_share_by_mistake={"wrong-dimension": Fraction(1)}).credit_share == 0
    assert _given("100", known).credit_share == 1
    assert case("state").verdict("57 GB").credit_share == Fraction(1, 2)


def test_right_under_another_convention_is_said() -> None:
    verdict = case("bubble").verdict("87.5%")
    said = "Right by another convention: idle time over useful time. Here: idle time over total time. "
    assert verdict.mistake_id == "ratio"
    assert verdict.message == f"{said}Add the idle slots to the useful ones below the line."


@pytest.mark.parametrize(("text", "found"), [("1.678e7", "all"), ("1.7e7", None), ("1.31e5", "rounded-too-far")])
def test_a_misconception_about_a_large_count_may_be_copied_to_four_figures(text: str, found: str | None) -> None:
    """1.678e7 for 16,777,216 is its 4 figures; 1.7e7 is too far off to name anything."""
    known = (MistakenAnswer("all", 2**24, "That counts every GPU."),)
    reading = must_read(text, AnswerFormat(parse_unit("sequence")))
    wanted = AnswerTarget(2**17, parse_unit("sequence"), Tolerance(Fraction(0)), True, mistaken_answers=known)
    assert diagnose_reading(reading, wanted).mistake_id == found


def test_unbounded_is_right_only_where_it_is_the_key() -> None:
    for key, text, told in (
        ("unbounded", "unbounded", (True, None)),
        ("unbounded", "80", (False, "is-unbounded")),
        (8, "infinite", (False, "not-unbounded")),
    ):
        reading = must_read(text, AnswerFormat(GB, may_be_unbounded=True))
        verdict = diagnose_reading(reading, AnswerTarget(key, GB, Tolerance(Fraction(0))))
        assert (verdict.is_correct, verdict.mistake_id) == told


# -- whatever the reading -------------------------------------------------------------------


@given(st.sampled_from(sorted(CASES)), st.text(alphabet="0123456789.e-/ GBsxK%(),yesnoimpl", max_size=12))
def test_never_raises(name: str, text: str) -> None:
    made = case(name)
    found = read_response(text, made.asked)
    if isinstance(found, Reading):
        verdict = diagnose_reading(found, made.target)
        assert 0 <= verdict.credit_share <= 1
        assert verdict.is_correct or verdict.credit_share < 1


def test_a_multiple_is_told_in_words_of_training_only_where_a_formula_counts_what_training_does() -> None:
    """A third of the odds of a probability has nothing to do with a backward pass."""
    said = {
        name: next(s.message for s in possible_factor_slips(made.unit, made.evaluation) if s.id == "one-third")
        for name, made in ((name, case(name).target) for name in ("bubble", "state", "flops"))
    }
    assert said["bubble"] == said["state"] == "That is a third of the answer."
    assert "backward" in said["flops"]


STATE = case("state")
ONE, THIRD = Fraction(1), Fraction(1, 3)


def followed(text: str, of: Case = STATE) -> tuple[Diagnosis, tuple[Mark, ...]]:
    found = diagnose_steps(text, of.evaluation, of.asked, of.target, ONE)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("of", "text", "earned"),
    [
        ("state", "sharded = 5.7 GB; total = 31.7 GB", 1),
        ("state", "replicated = 26 GB; sharded = 5.7 GB; state = 31.7 GB", 1),
        ("state", "sharded = 5.7 GB, total = 31.7 GB", 1),
        ("state", "the sharded part = 5.7 GB; total = 31.7 GB", 1),
        ("state", "sharded = 14*13e9/32 B = 5.7 GB; total = 31.7 GB", 1),
        ("state", "- sharded: 5.7 GB\n- total: 31.7 GB", 1),
        ("state", "2*13e9 = 26 GB; total = 31.7 GB", 1),
        # a wrong answer keeps the steps that are right
        ("state", "sharded = 5.7 GB; total = 40 GB", THIRD),
        ("state", "replicated = 26 GB; sharded = 9 GB; total = 40 GB", THIRD),
        # a wrong step costs its own share and no more
        ("state", "sharded = 6.5 GB; total = 31.7 GB", 2 * THIRD),
        ("state", "sharded = 6.5 GB; total = 32.5 GB", 2 * THIRD),
        ("state", "replicated = 26 GB; sharded = 45.5 GB; total = 71.5 GB", 2 * THIRD),
        ("state", "replicated = 52 GB; sharded = 6.5 GB; total = 58.5 GB", THIRD),
        ("state", "sharded = 5.7 s; total = 31.7 GB", 2 * THIRD),
        # what is trivial or wild earns nothing early; beyond the window: 100 times 5.6875 is 568.75
        ("state", "sharded = 0; total = 26 GB", 0),
        ("state", "replicated = 0; sharded = 1; total = 1", 0),
        ("state", "replicated = 1 GB; total = 6.7 GB", 0),
        ("state", "sharded = 1e-9 GB; total = 26 GB", 0),
        ("state", "sharded = 570 GB; total = 596 GB", 0),
        # names of steps in another unit
        ("recipe", "weights = 2 B/param; total = 31.7 GB", 1),
        # an amount under the name of a step that is bytes per parameter is no wrong step
        ("recipe", "weights = 26 GB; rest = 5.7 GB; total = 31.7 GB", 1),
        ("recipe", "weights 26 GB, gradients and optimizer 5.69 GB, total 31.69 GB", 1),
        ("recipe", "weights = 1; total = 18.7 GB", 0),
        ("recipe", "weights = 26 GB; total = 40 GB", 0),
    ],
)
def test_parts_that_follow_earn_their_share(of: str, text: str, earned: Fraction | int) -> None:
    _, marks = followed(text, case(of))
    assert sum(m.earned for m in marks) == earned


def test_marks_are_told_step_by_step() -> None:
    _, marks = followed("sharded = 6.5 GB; total = 32.5 GB")
    assert [(m.status, m.earned) for m in marks] == [("found", THIRD), ("missing", 0), ("found", THIRD)]
    assert [m.criterion_id for m in marks] == ["replicated", "sharded", "state"]
    wrong = "6.5 GB is not right; steps that follow from it count"
    assert [m.because for m in marks] == ["part of a later step", wrong, "follows from the earlier step"]
    assert sum(m.possible for m in marks) == 1


def test_a_wrong_answer_is_still_diagnosed() -> None:
    diagnosis, marks = followed("sharded = 5.7 GB; total = 57 GB")
    assert diagnosis.mistake_id == "gradients-replicated"
    assert (diagnosis.credit_share, sum(m.earned for m in marks)) == (Fraction(1, 2), THIRD)


@pytest.mark.parametrize(
    ("of", "text"),
    [
        ("state", ""),
        ("state", "31 GB; 32 GB"),
        ("state", "total = 31.7 GB"),
        ("state", "about 31; or 32"),
        ("state", "for N = 13e9, K = 32: 31.7 GB"),
        ("state", "sharded = 5.7 GB; total = 31 or 32"),
        ("state", "a = 1; " * MAX_RESPONSE_PARTS + "31.7 GB"),
        *((of, "a = 1; b = 2") for of in ("rank", "legal", "no gpus")),
    ],
)
def test_an_answer_alone_is_left_to_read_and_one_that_is_no_number_has_no_steps(of: str, text: str) -> None:
    made = case(of)
    assert diagnose_steps(text, made.evaluation, made.asked, made.target, ONE) is None


@given(st.text(alphabet="sharded=:;,\n 0123456789.GBtotal-", max_size=80))
def test_steps_never_raise(text: str) -> None:
    found = diagnose_steps(text, STATE.evaluation, STATE.asked, STATE.target, ONE)
    assert found is None or 0 <= sum(m.earned for m in found[1]) <= 1


@pytest.mark.parametrize("piece", ["a=1;", ";", "sharded = 1 GB\n"])
def test_time_is_linear(piece: str) -> None:
    """Twice the text takes at most about twice the calls."""
    texts = [(piece * length)[:length] for length in (4500, 9000)]
    given = (STATE.evaluation, STATE.asked, STATE.target, ONE)
    short, long = (calls(lambda text=text: diagnose_steps(text, *given)) for text in texts)
    assert long <= 2.5 * short + 500
    assert long <= 40 * 9000
