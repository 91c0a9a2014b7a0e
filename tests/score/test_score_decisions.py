"""`quizgen score`, what a person decides: marks, review, forgetting, other rules, and whose score changes."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from scored_logs import GOOD, ITEMS, Log, Score, objects, sheet_of, table, totals
from shipped import BankOf


def test_the_least_sure_share_comes_first(score: Score, log: Log) -> None:
    said = [
        "They communicate in every layer.",
        "Tensor parallelism communicates in every layer, and NVLink is faster than the network. So it has bandwidth.",
        "Perhaps it communicates now and then, and there are many things in it that also happen in every layer.",
        "No idea.",
    ]
    path = log(*({"candidate": f"c{n}", "item": "node", "response": text} for n, text in enumerate(said)))
    _, out, _ = score(path, "--format", "jsonl")
    sure = {x["candidate"]: sum(c["sure"] * c["possible"] for c in x["criteria"]) / x["possible"] for x in objects(out)}
    _, out, _ = score(path, "--least-sure", "50%")
    rows = table(out)
    assert list(dict.fromkeys(r["candidate"] for r in rows)) == sorted(sure, key=lambda name: sure[name])[:2]
    assert len(rows) == 2 * 2  # one row per criterion
    assert all(r["earned"] == "" for r in rows)
    _, _, err = score(path, "--least-sure", "many", code=2)
    assert "--least-sure" in err
    _, _, err = score(path, "--least-sure", "5%", "--review", code=2)
    assert "CSV of its own" in err


def test_forgetting_takes_one_candidates_lines_and_nothing_else(score: Score, log: Log, tmp_path: Path) -> None:
    head = {"v": 1, "type": "session", "session": "s", "candidate": "a1"}
    other = {"v": 1, "type": "session", "session": "t", "candidate": "b2"}
    end = {"v": 1, "type": "end", "session": "s", "reason": "finished"}
    spaced = '  {"candidate":   "b2", "item": "shards", "response": "x"}'
    kept = [spaced, json.dumps(other), '{"candidate": "b2", "session": "a1"}', 'torn {"candidate": "a1']
    nameless = {"session": "a1", "item": "shards", "response": "x"}  # which reports show by the session's name
    path = log(head, GOOD[0], kept[0], end, kept[1], kept[2], nameless, kept[3])
    _, out, err = score("--forget", "a1", path)
    assert path.read_text() == "\n".join(kept) + "\n"
    assert "4 of 8 lines removed" in out
    assert ":8: cannot be read and contains the name" in err
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress("".join(json.dumps(x) + "\n" for x in GOOD).encode()))
    torn = tmp_path / "a.jsonl.gz"
    torn.write_bytes(packed.read_bytes()[:20] + b"\xff" * 40)
    assert f"{torn}: cannot be changed" in score("--forget", "b2", torn, packed, code=3)[2]
    assert [x["candidate"] for x in objects(gzip.decompress(packed.read_bytes()).decode())] == ["a1"] * 3
    assert score("--forget", "nobody", path, code=1)[1].count("0 of 4")


def test_responses_near_a_cut_are_for_a_person(score: Score, log: Log, bank_of: BankOf) -> None:
    """a1 has 4 of 5 points, one above a cut at 60 %: words found in part are listed; an option or number is not."""
    final = {"blueprints/final.yaml": "title: Final\nsections: [{count: 3}]\npass: 60%\n"}
    folder = bank_of(ITEMS, **final).required_bank.folder
    _, out, _ = score(log(*GOOD), "--review", "--blueprint", "final", bank=folder)
    rows = table(out)
    why = "near a cut: the candidate is 1 point above the 60% cut"
    assert [(r["candidate"], r["item"], r["now"], r["why"]) for r in rows] == [("a1", "node", "2", why)]
    assert "Passed: the pass mark is 60%" in score(log(*GOOD), "--blueprint", "final", bank=folder)[1]
    many = [line | {"candidate": f"{line['candidate']}-{n}"} for n in range(3) for line in GOOD]
    found = score(log(*many), "--blueprint", "final", bank=folder)[1]
    assert "3 of 6 reach the pass mark of 60%" in found
    assert found.startswith("bank: Final\n")  # the titles of the bank and of the blueprint


@pytest.mark.parametrize("name", ["'t Hooft", "=Bo", "-1", "a;=b", "\x1b[31mEve", " padded "])
def test_what_review_writes_marks_take_back(score: Score, log: Log, tmp_path: Path, name: str) -> None:
    """Whatever a candidate is called: the sheet's name is the log's name."""
    path = log({"candidate": name, "item": "state", "given": {"N": "13e9 param", "K": "32"}, "response": "=many"})
    rows = table(score(path, "--review")[1])
    assert [row["why"] for row in rows] == ["unreadable to the program; read it yourself"]
    filled = [{**row, "earned": "1", "reason": "read by hand"}.values() for row in rows]
    (tmp_path / "marks.csv").write_text(sheet_of(rows[0], *filled), encoding="utf-8", newline="")
    assert "points that a person filled in" in score(path, "--review", "-o", tmp_path / "marks.csv", code=3)[2]
    (person,) = json.loads(score(path, "--marks", tmp_path / "marks.csv", "--format", "json")[1])["candidates"]
    assert person["earned"] == 1


def test_a_padded_name_forges_no_row(score: Score, log: Log) -> None:
    """In a window of 80 columns blanks would wrap what follows into a line that looks like the report's."""
    forged = "ada" + " " * 75 + "Score: 9 of 9 points (100%)"
    out = score(log({"candidate": forged, "item": "shards", "response": "The gradients"}))[1]
    assert not any(line[start : start + 6] == "Score:" for line in out.splitlines() for start in (80, 160))
    many = log(*({"candidate": forged + str(n), "item": "shards", "response": "The gradients"} for n in range(5)))
    assert " " * 60 not in score(many)[1].partition("\nCandidates\n")[2]


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
    rows = table(score(path, "--against", old, bank, "--format", "csv", bank=None)[1])
    found = [tuple(row[name] for name in ("candidate", "item", "before", "after", "line")) for row in rows]
    assert found == [("a1", "shards", "0", "1", "2"), ("b2", "shards", "1", "0", "5")]


def test_dropping_an_item_and_accepting_a_response(score: Score, log: Log) -> None:
    path = log(*GOOD)
    _, out, _ = score(path, "--drop", "node")
    assert "a1: 4 of 5 (80.0%) -> 2 of 2 (100.0%), +20.0 percentage points" in out
    assert "1 of 2 candidates change" in out
    _, out, _ = score(path, "--accept", "shards=the  gradients")
    assert "b2: 0 of 2 (0.0%) -> 1 of 2 (50.0%), +1" in out
    assert '"the  gradients" was accepted by hand' in out or "accepted by hand" in out
    assert "did you mean" in score(path, "--drop", "nodes", code=2)[2]


def test_accepting_what_is_no_option_says_which_there_are(score: Score, log: Log) -> None:
    """A letter is not an option either: each form has its own order. Numbers and words may be anything."""
    path = log(*GOOD)
    for text in ("the activations", "B"):
        told = score(path, "--accept", f"shards={text}", code=2)[2]
        assert f'item "shards" has no option "{text}"' in told
        assert all(f"\n  {option}" in told for option in ("The optimizer states", "The parameters", "The gradients"))
    assert 'did you mean "The gradients"?' in score(path, "--accept", "shards=The gradient", code=2)[2]
    assert 'no option "C"' in score(path, "--accept", "shards=C", "--apply", code=2)[2]
    assert "b2: 0 of 2 (0.0%) -> 1 of 2 (50.0%), +1" in score(path, "--accept", "state=56.9 GB")[1]


def test_a_change_that_changes_nothing_is_told(score: Score, log: Log) -> None:
    path = log(*GOOD[:2])
    assert "state: accepting that changes nothing" in score(path, "--accept", "state=12 GB")[2]
    assert "node: dropping it changes nothing" in score(path, "--drop", "node")[2]
    assert "changes nothing" not in score(path, "--drop", "state")[2]


def test_a_decision_is_applied_to_the_whole_report(score: Score, log: Log) -> None:
    path = log(*GOOD)
    _, out, _ = score(path, "--drop", "node", "--apply", "--format", "json")
    assert totals(out) == {"a1": (2, 2), "b2": (0, 2)}
    assert [json.loads(out)["decisions"], json.loads(out)["scores"]["alpha_items"]] == [["node was dropped"], 2]
    _, out, _ = score(path, "--accept", "shards=The gradients", "--apply", "--format", "csv")
    assert [r["earned"] for r in table(out) if r["candidate"] == "b2"] == ["1", "0"]
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


@pytest.mark.parametrize(
    ("now", "before"),
    [
        ("      - The parameters\n", "      - The parameters\n      - The activations\n"),
        ("key: The optimizer states", "key: The optimiser sates"),
    ],
)
def test_letters_mean_what_was_shown(score: Score, log: Log, bank: Path, tmp_path: Path, now: str, before: str) -> None:
    """Without one distractor the options shuffle anew: whoever gave the key's letter has still given the key, and one that is
    gone earned nothing. A key whose typing error was fixed is the same option."""
    old = tmp_path / "old.yaml"
    old.write_text(ITEMS.replace(now, before))
    letters = "ABCD" if "activations" in before else "ABC"
    given = [(f"s{n}", a) for n in range(10) for a in letters]
    path = log(*({"candidate": s + a, "item": "shards", "seed": s, "response": a} for s, a in given))
    assert len([x for x in objects(score(path, "--format", "jsonl", bank=old)[1]) if x["outcome"] == "correct"]) == 10
    assert json.loads(score(path, "--against", old, bank, "--format", "json", bank=None)[1])["changes"] == []


def test_an_item_may_count_on_one_side_only(score: Score, log: Log, bank: Path, tmp_path: Path) -> None:
    without = tmp_path / "without.yaml"
    without.write_text(ITEMS.partition("  - id: node")[0])
    path = log(*GOOD)
    told = score(path, "--against", without, bank, bank=None, code=None)[1]
    assert "node: not scored before, now partial 2 of 3" in told
    told = score(path, "--against", bank, without, bank=None, code=None)[1]
    assert "node: partial 2 of 3 before, now not scored" in told
