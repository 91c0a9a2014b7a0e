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
        ("Commits that had not been shipped are lost.", "found"),
        ("Commits which did not reach the standby are lost.", "found"),
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


def test_a_small_word_is_no_rival_name() -> None:
    """What a slot of modal verbs competes with is not who something is said of."""
    rubric = rubric_of("""
    stem: Compare synchronous and asynchronous replication. What does a client pay and what may it lose with each?
    rubric:
      criteria:
        - id: safe
          accept: ["sync*|synchronous durable|safe"]
          reject: ["may|can|might lose|lost|loses"]
        - id: loses
          accept: ["async*|asynchronous lose*|lost"]
    """)
    text = "With asynchronous replication a commit returns at once, and the last commits may be lost at a failover."
    assert score_text(rubric, text).marks[1].status == "found"
