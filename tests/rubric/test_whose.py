"""Whose statement it is, and which verb a negator belongs to."""

from __future__ import annotations

from fractions import Fraction

import pytest

from quizgen.rubric import score_text

from .rubrics import one, rubric_of, status

LOCKS = rubric_of("""
    stem: What does each do when two transactions meet?
    rubric:
      subjects: {optimistic: "optimis*|occ", locking: "lock*|pessimis*"}
      criteria:
        - {id: retries, of: optimistic, accept: ["abort*|retr* conflict*"]}
""")


@pytest.mark.parametrize(
    ("answer", "earned"),
    [
        ("Optimistic control aborts one of them at a conflict.", Fraction(1)),
        ("One of them is aborted at a conflict.", Fraction(1)),  # of nobody: may earn
        ("Locking aborts one of them at a conflict.", Fraction(1, 2)),
        ("Locks abort one of them at a conflict; optimistic ones wait.", Fraction(1, 2)),
        ("Unlike locking, OCC aborts at a conflict.", Fraction(1)),
        ("Locking waits. OCC retries after a conflict.", Fraction(1)),
    ],
)
def test_what_is_accepted_earns_half_where_it_is_said_of_a_rival(answer: str, earned: Fraction) -> None:
    assert score_text(LOCKS, answer).earned == earned


def test_the_reason_names_the_rival() -> None:
    mark = score_text(LOCKS, "Locking aborts one of them at a conflict.").marks[0]
    assert mark.because == '"aborts one of them at a conflict" is said of "Locking", which was not asked'


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        ("Commits nobody has shipped so far are lost.", "found"),
        ("The commits that were shipped are not lost.", "negated"),
        ("Commits that were shipped cannot be lost.", "negated"),
        ("Shipped commits do not get lost.", "negated"),
        ("The commits are not lost when a standby is promoted.", "negated"),
        ("No commits are lost.", "negated"),
    ],
)
def test_a_negator_denies_the_verb_it_stands_with(answer: str, wanted: str) -> None:
    assert status(one("commit* lost"), answer) == wanted


@pytest.mark.parametrize("answer", ["Nothing is lost until the queue is full.", "No loss happens until it is full."])
@pytest.mark.parametrize("phrase", ["lost|loss until", "lost|loss full|until", "lost|loss full"])
def test_nothing_happens_until_says_when_it_happens(answer: str, phrase: str) -> None:
    assert status(one(phrase), answer) == "found"


@pytest.mark.parametrize(
    ("phrase", "answer", "wanted"),
    [
        ("replicas", "Parameters, replicas, gradients.", "partial"),
        ("replicas", "The replicas are compared after a step.", "found"),
        ("compar* replicas", "Comparing replicas shows nothing then.", "found"),  # one word more than the phrase's two
        ("compar* replicas", "Compared replicas.", "partial"),
        ("{fewer tokens}", "So fewer tokens, one trillion.", "found"),  # how much of it
    ],
)
def test_a_name_earns_half_unless_something_is_said_of_it(phrase: str, answer: str, wanted: str) -> None:
    assert status(one(phrase, explain="true"), answer) == wanted


@pytest.mark.parametrize(
    "say", ["Flow control keeps the receiver from being overrun.", "It protects a receiver from overflow."]
)
@pytest.mark.parametrize(
    "answer",
    [
        "so the receiver is not overwhelmed",
        "The receiver must not be overrun",
        "It sees to it that no receiver overflows",
    ],
)
def test_what_a_criterion_says_is_averted_may_be_denied(say: str, answer: str) -> None:
    phrase = "receiver overwhelm*|overrun|overflow*"
    assert status(one(phrase, say=say), answer) == "found"
    assert status(one(phrase), answer) == "negated"


RESTART = rubric_of("""
    stem: What happens when a worker dies?
    rubric:
      criteria:
        - {id: restart, accept: ["restart* group"]}
        - {id: script, accept: ["script loads"]}
""")


@pytest.mark.parametrize(
    ("answer", "statuses"),
    [
        ("maybe it restarts the group", ["hedged", "missing"]),
        ("it restarts the group maybe", ["hedged", "missing"]),
        ("it restarts the group then waits for all nodes and the script loads no wait it stops", ["found", "missing"]),
        ("It restarts the group. No wait, it stops.", ["missing", "missing"]),
    ],
)
def test_hedges_and_corrections_end_with_their_clause(answer: str, statuses: list[str]) -> None:
    assert [m.status for m in score_text(RESTART, answer).marks] == statuses


@pytest.mark.parametrize(
    ("phrase", "answer", "wanted"),
    [
        ("ambig* ack*", "It is ambiguous: is the ACK for the first or the copy?", "found"),
        ("cache fast", "Is the cache fast?", "hedged"),
        ("cache fast", "Why is the cache fast?", "hedged"),
        ("smaller batch", "A smaller batch is wrong: it multiplies.", "negated"),
        ("larger batch", "A smaller batch is wrong: it makes a larger batch.", "found"),
        ("{sequence parallelism}", "Sequence parallelism wouldn't help.", "negated"),
    ],
)
def test_what_is_asked_and_what_is_refused(phrase: str, answer: str, wanted: str) -> None:
    assert status(one(phrase), answer) == wanted


LEAK = one("never|forgotten cache*|static")


@pytest.mark.parametrize(
    "said",
    [
        "Take a dump, wait, take another.",
        "The steps are: lock, wait, unlock.",
        "Run it, wait, run it again.",
        "Take a dump, wait, take another, and look at the static fields.",
        "Wait, and take another dump.",
        "Sorry, my English is bad.",
        "Sorry for the brevity.",
        "Oops, there goes the memory.",
        "Correction, tracing cannot help.",
        "There is no wait.",
    ],
)
def test_a_word_that_only_looks_like_a_correction_takes_nothing_back(said: str) -> None:
    assert status(LEAK, f"A static map is never emptied. {said}") == "found"
    assert status(LEAK, f"A static map is never emptied, {said[0].lower()}{said[1:]}") == "found"


@pytest.mark.parametrize(
    ("said", "word"),
    [
        ("Wait, it is emptied.", "Wait, it is"),
        ("Oh no wait, somebody empties it.", "no wait"),
        ("Sorry, I meant the stack.", "Sorry, I meant"),
        ("Oops, no, it is emptied.", "Oops, no"),
        ("Correction: that is emptied.", "Correction: that is"),
    ],
)
def test_what_is_put_right_is_taken_back_and_the_reason_says_so(said: str, word: str) -> None:
    (mark,) = score_text(LEAK, f"A static map is never emptied. {said}").marks
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
    "answer",
    [
        "Tracing pauses the program.",
        "Tracing waits until memory is low and stops the program.",
        "Counting increments on every store, and tracing stops the program.",
        "It pauses the program.",
    ],
)
def test_what_is_said_of_the_subject_earns_in_full(answer: str) -> None:
    assert score_text(PAUSES, answer).marks[1].earned == 1


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
