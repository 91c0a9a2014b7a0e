"""Steps in a response: each earns its share, a slip is carried on once, and gaming earns nothing.

The formula: replicated = 26 GB, sharded = 5.6875 GB, state = 31.6875 GB; three steps, a third each.
"""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizgen.kinds.numeric.step_credit import MAX_RESPONSE_PARTS, StepScore, score_steps

from .diagnosed import Case, case
from .effort import calls

STATE = case("state")
ONE, THIRD = Fraction(1), Fraction(1, 3)


def followed(text: str, of: Case = STATE) -> StepScore:
    found = score_steps(text, of.evaluation, of.asked, of.target, ONE)
    assert isinstance(found, StepScore), found
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
    assert followed(text, case(of)).earned == earned


def test_marks_are_told_step_by_step() -> None:
    marks = followed("sharded = 6.5 GB; total = 32.5 GB").marks
    assert [(m.status, m.earned) for m in marks] == [("found", THIRD), ("missing", 0), ("found", THIRD)]
    assert [m.criterion for m in marks] == ["replicated", "sharded", "state"]
    wrong = "6.5 GB is not right; steps that follow from it count"
    assert [m.because for m in marks] == ["part of a later step", wrong, "follows from the earlier step"]
    assert sum(m.possible for m in marks) == 1


def test_a_wrong_answer_is_still_diagnosed_and_its_credit_counts() -> None:
    found = followed("sharded = 5.7 GB; total = 57 GB")
    assert found.answer_diagnosis.mistake_id == "gradients-replicated"
    assert found.earned == Fraction(1, 2)  # the misconception's credit is more than the step's third


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
    assert score_steps(text, made.evaluation, made.asked, made.target, ONE) is None


@given(st.text(alphabet="sharded=:;,\n 0123456789.GBtotal-", max_size=80))
def test_never_raises(text: str) -> None:
    found = score_steps(text, STATE.evaluation, STATE.asked, STATE.target, ONE)
    if isinstance(found, StepScore):
        assert 0 <= found.earned <= 1


@pytest.mark.parametrize("piece", ["a=1;", ";", "sharded = 1 GB\n"])
def test_time_is_linear(piece: str) -> None:
    """Twice the text takes at most about twice the calls."""
    texts = [(piece * length)[:length] for length in (4500, 9000)]
    given = (STATE.evaluation, STATE.asked, STATE.target, ONE)
    short, long = (calls(lambda text=text: score_steps(text, *given)) for text in texts)
    assert long <= 2.5 * short + 500
    assert long <= 40 * 9000
