"""`quizgen score`, by other rules: whose score changes."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path

import pytest
from scored_logs import GOOD, ITEMS, Log, Score, objects, totals

from quizgen.model import Outcome
from quizgen.model import Score as Marked
from quizgen.render.report_changes import ItemChange
from quizgen.scoring.response import ScoredResponse


def test_a_key_fix_gives_a_list_to_check_by_hand(score: Score, log: Log, bank: Path, tmp_path: Path) -> None:
    old = tmp_path / "old.yaml"
    old.write_text(
        ITEMS.replace("key: The optimizer states", "key: The gradients")
        .replace("text: The gradients", "text: The optimizer states")
        .replace("Gradients are", "They are")
    )
    path = log(*GOOD)
    before = score(path, "--format", "jsonl", bank=old)[1]
    _, out, _ = score(path, "--against", old, bank, bank=None)
    assert "a1: 3 of 5 (60.0%) -> 4 of 5 (80.0%), +1" in out
    assert "shards: incorrect 0 of 1 -> correct 1 of 1" in out
    assert "b2: 1 of 2 (50.0%) -> 0 of 2 (0.0%), -1" in out
    assert "2 of 2 candidates change: 1 gain, 1 lose" in out
    assert score(path, "--format", "jsonl", bank=old)[1] == before
    found = json.loads(score(path, "--against", old, bank, "--format", "json", bank=None)[1])
    assert [(c["candidate"], c["difference"]) for c in found["changes"]] == [("a1", 1), ("b2", -1)]
    rows = list(csv.DictReader(io.StringIO(score(path, "--against", old, bank, "--format", "csv", bank=None)[1])))
    assert [(r["candidate"], r["item"], r["before"], r["after"], r["line"]) for r in rows] == [
        ("a1", "shards", "0", "1", "2"),
        ("b2", "shards", "1", "0", "5"),
    ]


def test_dropping_an_item_and_accepting_a_response(score: Score, log: Log) -> None:
    path = log(*GOOD)
    _, out, _ = score(path, "--drop", "node")
    assert "a1: 4 of 5 (80.0%) -> 2 of 2 (100.0%), +20.0 percentage points" in out
    assert "1 of 2 candidates change" in out
    _, out, _ = score(path, "--accept", "shards=the  gradients")
    assert "b2: 0 of 2 (0.0%) -> 1 of 2 (50.0%), +1" in out
    assert '"the  gradients" was accepted by hand' in out or "accepted by hand" in out
    assert "did you mean" in score(path, "--drop", "nodes", code=2)[2]


def test_accepting_what_is_no_option_says_which_there_are(score: Score, log: Log, bank: Path) -> None:
    """A letter is not an option either: each form has its own order. Numbers and words may be anything."""
    path = log(*GOOD)
    for text in ("the activations", "B"):
        told = score(path, "--accept", f"shards={text}", code=2)[2]
        assert f'item "shards" has no option "{text}"' in told
        assert all(f"\n  {option}" in told for option in ("The optimizer states", "The parameters", "The gradients"))
    assert 'did you mean "The gradients"?' in score(path, "--accept", "shards=The gradient", code=2)[2]
    assert 'no option "C"' in score(path, "--accept", "shards=C", "--apply", code=2)[2]
    assert "b2: 0 of 2 (0.0%) -> 1 of 2 (50.0%), +1" in score(path, "--accept", "state=56.9 GB")[1]
    bank.write_text(
        "items:\n  - id: all\n    kind: choice\n    stem: Which?\n    key: [one, two]\n    distractors: ['three, four', five]\n"
    )
    several = log({"candidate": "c", "item": "all", "response": ["three, four", "one"]})
    assert "c: 0 of 1 (0.0%) -> 1 of 1 (100.0%)" in score(several, "--accept", "all=three, four, one")[1]
    assert 'no option "three, six"' in score(several, "--accept", "all=three, six", code=2)[2]


def test_a_change_that_changes_nothing_is_told(score: Score, log: Log) -> None:
    path = log(*GOOD[:2])
    assert "state: accepting that changes nothing" in score(path, "--accept", "state=12 GB")[2]
    assert "node: dropping it changes nothing" in score(path, "--drop", "node")[2]
    assert "changes nothing" not in score(path, "--drop", "state")[2]


def test_a_decision_is_applied_to_the_whole_report(score: Score, log: Log) -> None:
    path = log(*GOOD)
    _, out, _ = score(path, "--drop", "node", "--apply", "--format", "json")
    assert totals(out) == {"a1": (2, 2), "b2": (0, 2)}
    assert json.loads(out)["decisions"] == ["node was dropped"]
    _, out, _ = score(path, "--accept", "shards=The gradients", "--apply", "--format", "csv")
    assert [r["earned"] for r in csv.DictReader(io.StringIO(out)) if r["candidate"] == "b2"] == ["1", "0"]
    assert "--apply gives the whole report" in score(path, "--drop", "node", "--format", "html", code=2)[2]
    score(path, "--apply", code=2)


def test_parquet_holds_every_response(score: Score, log: Log, tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb", reason="DuckDB is not installed: pip install quizgen[duckdb]")
    out = tmp_path / "it's.parquet"
    score(log(*GOOD, GOOD[4] | {"candidate": "\ud800", "response": "=1"}), "--format", "parquet", "-o", out)
    place = str(out).replace("'", "''")
    rows = duckdb.sql(f"SELECT candidate, item, outcome, earned, possible, diagnosis FROM '{place}'").fetchall()
    assert sorted(rows[:5]) == [
        ("a1", "node", "partial", 2.0, 3.0, None),
        ("a1", "shards", "correct", 1.0, 1.0, None),
        ("a1", "state", "correct", 1.0, 1.0, None),
        ("b2", "shards", "incorrect", 0.0, 1.0, None),
        ("b2", "state", "incorrect", 0.0, 1.0, "gradients-replicated"),
    ]
    assert len(rows) == 6
    assert list(tmp_path.glob("*.new")) == []
    assert "needs -o FILE" in score(log(*GOOD), "--format", "parquet", code=2)[2]
    assert "cannot be written" in score(log(*GOOD), "--format", "parquet", "-o", tmp_path / "no" / "x", code=3)[2]


def test_letters_mean_what_the_bank_that_was_shown_had_there(
    score: Score, log: Log, bank: Path, tmp_path: Path
) -> None:
    """Without one distractor the options shuffle anew; whoever gave the key's letter has still given the key."""
    old = tmp_path / "old.yaml"
    old.write_text(ITEMS.replace("      - The parameters\n", "      - The parameters\n      - The activations\n"))
    lines = [
        {"candidate": f"{n}{a}", "item": "shards", "seed": f"s{n}", "response": a} for n in range(10) for a in "ABCD"
    ]
    path = log(*lines)
    before = {x["candidate"]: x for x in objects(score(path, "--format", "jsonl", bank=old)[1])}
    out = score(path, "--against", old, bank, "--format", "json", bank=None)[1]
    assert json.loads(out)["changes"] == []  # a distractor that is gone earned nothing, and earns nothing
    assert sum(x["outcome"] == "correct" for x in before.values()) == 10


def test_a_reworded_option_is_the_same_option(score: Score, log: Log, bank: Path, tmp_path: Path) -> None:
    """A letter given for a key whose typing error was fixed is a letter for the key."""
    old = tmp_path / "old.yaml"
    old.write_text(ITEMS.replace("key: The optimizer states", "key: The optimiser sates"))
    lines = [
        {"candidate": f"{n}{a}", "item": "shards", "seed": f"s{n}", "response": a} for n in range(10) for a in "ABC"
    ]
    out = score(log(*lines), "--against", old, bank, "--format", "json", bank=None)[1]
    assert json.loads(out)["changes"] == []


def test_values_that_an_item_never_draws_are_named(score: Score, log: Log) -> None:
    line = GOOD[0] | {"given": {"N": "1 param", "K": "8"}, "response": "16 B"}
    _, out, err = score(log(line, GOOD[0]), "--format", "jsonl")
    assert len(objects(out)) == 2
    assert ":1: N: given a value that state never draws; scored by it" in err
    assert ":2:" not in err


def test_a_change_is_told_where_an_item_counts_on_one_side_only() -> None:
    """The reason is that of the new score."""
    half = ScoredResponse(
        "pick", "t", "a  b", Marked(Outcome.PARTIAL, ()), Fraction(1, 2), Fraction(1), file="s.jsonl", line=2
    )
    told = [ItemChange("pick", *sides).text for sides in ((None, half), (half, None), (half, half))]
    assert told == [
        "pick: not scored before, now partial 0.5 of 1",
        "pick: partial 0.5 of 1 before, now not scored",
        'pick: partial 0.5 of 1 -> partial 0.5 of 1; "a b": partial',
    ]
