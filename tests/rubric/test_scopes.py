"""The table of scopes: each row decides its own example, and leaves the other one alone."""

from __future__ import annotations

import pytest

from quizgen.rubric.scopes import EXCUSES, SCOPES, Row

from .rubrics import one, status

CACHE = one("cache fast")


@pytest.mark.parametrize("row", SCOPES, ids=[row.words[:40] for row in SCOPES])
def test_a_row_decides_its_example_and_leaves_the_other_alone(row: Row) -> None:
    assert status(CACHE, row.counts) == row.means
    assert status(CACHE, row.leaves) == ("negated" if row.effect == EXCUSES else "found")


def test_a_word_stands_in_one_row() -> None:
    single = [word for row in SCOPES if "^" not in row.words for word in row.words.split()]
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
