"""The table of scopes: each row decides its own example, and leaves the other one alone. And whose statement it is, and
which verb a negator belongs to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizgen.rubric.scopes import CUE_ROWS, DENIES_NOTHING_CUE, CueRow
from quizgen.rubric.score import score_text

from .rubrics import one, rubric_of, status

CACHE = one("cache fast")


@pytest.mark.parametrize("row", CUE_ROWS, ids=[row.cue_words[:40] for row in CUE_ROWS])
def test_a_row_decides_its_example_and_leaves_the_other_alone(row: CueRow) -> None:
    assert status(CACHE, row.example) == row.example_status
    assert status(CACHE, row.counterexample) == ("negated" if row.effect == DENIES_NOTHING_CUE else "found")


def test_a_word_stands_in_one_row() -> None:
    single = [word for row in CUE_ROWS if "^" not in row.cue_words for word in row.cue_words.split()]
    assert len(single) == len(set(single))


PUT = {
    "cache fast": [
        ("Two must hold the cache fast, which they can't, so it goes.", "found"),  # the so is no "not so"
        ("They find nothing and see the cache, which is fast.", "found"),
        ("The cache is fast, maybe add a disk.", "found"),
        ("The cache is fast, maybe.", "hedged"),
        ("The fast cache cannot grow beyond 8 MB.", "found"),
        ("The fast cache does not use more than 8 MB.", "found"),
        ("You accept a guess of the fast cache.", "found"),
        ("They do not cache everything, only the fast rows.", "found"),
        ("They do not cache the fast rows, only the new ones.", "negated"),
        ("If a disk doesn't help I make the cache fast.", "found"),
        ("Had the cache been slow, a disk would help; the cache is fast.", "found"),
        ("If the cache is slow, the disk is too; the cache is fast.", "contradicted"),
        ("The cache is fast. Disks have no use, no wait, they have.", "found"),
        ("The cache, indep. of its size, is fast.", "found"),
    ],
    "{than two}": [("so three passes rather than two", "negated")],  # begins inside what denies
    "{per layer}": [("4 sums/layer", "found"), ("4 sums, layer", "missing")],
    "p95 after|wait*|once": [("again after p95", "found")],
    "{cache between}": [("a cache, between disks", "found"), ("a cache, between disks there's a net", "missing")],
    "{repeatable read}": [("It allows non-repeatable reads.", "missing"), ("It uses repeatable read.", "found")],
    "{non-repeatable read}": [("It allows non-repeatable reads.", "found")],
    "transaction same": [("in the same tx", "found"), ("in the same txn", "found")],
}


@pytest.mark.parametrize(("phrase", "text", "wanted"), [(p, *row) for p, rows in PUT.items() for row in rows])
def test_how_a_claim_is_put_and_in_short(phrase: str, text: str, wanted: str) -> None:
    assert status(one(phrase, reject='["cache slow"]'), text) == wanted


def test_a_bracket_says_something_of_a_name() -> None:
    assert status(one("mla", explain="true"), "int8, MQA, MLA") == "partial"
    assert status(one("mla", explain="true"), "int8 (accuracy), MLA (retraining)") == "found"


LOCKS = rubric_of("""
    stem: What does each do when two transactions meet?
    rubric:
      subjects: {optimistic: "optimis*|occ", locking: "lock*|pessimis*"}
      criteria:
        - {id: retries, of: optimistic, accept: ["abort*|retr* conflict*"]}
""")


def test_the_reason_names_the_rival() -> None:
    mark = score_text(LOCKS, "Locking aborts one of them at a conflict.").marks[0]
    assert mark.because == '"aborts one of them at a conflict" is said of "Locking", which was not asked'


@pytest.mark.parametrize(
    "answer",
    [
        "so the receiver is not overwhelmed",
        "The receiver must not be overrun",
        "It sees to it that no receiver overflows",
    ],
)
def test_what_a_criterion_says_is_averted_may_be_denied(answer: str) -> None:
    phrase, say = "receiver overwhelm*|overrun|overflow*", "Flow control keeps the receiver from being overrun."
    assert status(one(phrase, say=say), answer) == "found"
    assert status(one(phrase), answer) == "negated"


def test_what_the_model_answer_denies_is_matched_both_ways() -> None:
    text = "stem: What of it?\nrubric:\n  criteria:\n    - id: c\n      accept: [original chang*]\n"
    plain, denying = rubric_of(text), rubric_of(text + "model_answer: The original is not changed.\n")
    assert status(plain, "The original is not changed.") == "negated"
    assert status(denying, "The original is not changed.") == "found"


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("Wait, it is emptied.", "Wait, it is"),
        ("No wait, somebody empties it.", "No wait"),
        ("Sorry, I meant the stack.", "Sorry, I meant"),
        ("Oops, no, it is emptied.", "Oops, no"),
        ("Correction: that is emptied.", "Correction: that is"),
    ],
)
def test_what_is_put_right_is_taken_back_and_the_reason_says_so(said: str, word: str) -> None:
    (mark,) = score_text(one("never|forgotten cache*|static"), f"A static map is never emptied. {said}").marks
    assert (mark.status, mark.because) == ("missing", f'"static map is never" is taken back by "{word}"')


PAUSES = rubric_of("""
    stem: Compare reference counting with tracing. What does each cost?
    rubric:
      subjects: {counting: "counting", tracing: "trac*"}
      criteria:
        - {id: stores, of: counting, accept: ["increment*|update* store*|write*"], reject: ["pauses|stops program"]}
        - {id: pauses, of: tracing, accept: ["pauses|stops program"]}
""")


@pytest.mark.parametrize(
    "answer",
    [
        "Counting pauses the program.",
        "Counting waits a while and stops the program.",
        "Counting waits until memory is low and stops the program.",
        "Counting, which is old, stops the program.",
        "Tracing increments on every store and counting stops the program.",
    ],
)
def test_what_a_reject_takes_as_said_of_a_rival_earns_half(answer: str) -> None:
    stores, pauses = score_text(PAUSES, answer).marks
    assert (stores.status, pauses.status, pauses.earned) == ("contradicted", "partial", Fraction(1, 2))
    assert 'ounting", which was not asked' in pauses.because


@pytest.mark.parametrize(
    ("accept", "answer", "shown"),
    [
        ("of: tracing, accept: [stops program, runs whole heap]",
         "Counting stops the program; tracing runs over the whole heap.", '"runs over the whole heap"'),
        ("accept: [heap, runs whole heap]", "A heap is there. It runs over the whole heap.", '"runs over the whole heap"'),
        ("explain: true, accept: [heap, program stops]", "Heap, then. Meanwhile the program stops for a moment.",
         '"program stops"'),
        ("accept: [runs heap, program stops moment]",
         "It runs. The heap is there. The program stops for a moment.", '"program stops for a moment"'),
    ],
)  # fmt: skip
def test_the_evidence_is_the_window_that_earned(accept: str, answer: str, shown: str) -> None:
    """Of several windows the shortest was shown, even where it alone would have earned half."""
    rubric = rubric_of(f"""
    stem: What does each cost?
    rubric:
      subjects: {{counting: "counting", tracing: "trac*"}}
      criteria:
        - {{id: costs, points: 2, {accept}}}
    """)
    (mark,) = score_text(rubric, answer).marks
    assert (mark.earned, mark.because) == (2, shown)
