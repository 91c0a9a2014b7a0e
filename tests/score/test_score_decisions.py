"""`quizgen score`, what a person decides: marks, review, forgetting."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import pytest
from scored_logs import GOOD, ITEMS, Log, Score, objects, totals


def test_marks_override_with_a_reason(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*GOOD)
    marks = tmp_path / "marks.csv"
    marks.write_text(
        "candidate,item,criterion,earned,reason\n"
        "a1,node,bandwidth,1,said so aloud\n"
        "b2,shards,,0.5,half a point\n"
        "b2,state,,,\n"
    )
    _, out, _ = score(path, "--format", "json", "--marks", marks)
    assert totals(out) == {"a1": (5, 5), "b2": (0.5, 2)}
    assert "a1, node, bandwidth: 1 point, said so aloud; the response's points 2 -> 3" in json.loads(out)["decisions"]
    _, out, _ = score(path, "--format", "jsonl", "--marks", marks)
    (node,) = (x for x in objects(out) if x["item"] == "node")
    assert (node["earned"], node["outcome"]) == (3, "correct")
    assert node["criteria"][1]["because"] == "set to 1 by hand: said so aloud"


def test_the_review_list_can_be_filled_in(score: Score, log: Log, tmp_path: Path) -> None:
    path = log(*GOOD, {"candidate": "c3", "item": "shards", "response": "=the last one, I think"})
    _, out, _ = score(path, "--review")
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert (rows[0]["candidate"], rows[0]["item"]) == ("c3", "shards")
    assert rows[0]["why"].startswith("unreadable")
    rows[0] |= {"earned": "1", "reason": "it was the last option"}
    filled = tmp_path / "filled.csv"
    with open(filled, "w", newline="") as file:
        sheet = csv.DictWriter(file, rows[0].keys())
        sheet.writeheader()
        sheet.writerows(rows)
    assert totals(score(path, "--format", "json", "--marks", filled)[1])["c3"] == (1, 1)


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
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    listed = list(dict.fromkeys(r["candidate"] for r in rows))
    assert listed == sorted(sure, key=lambda name: sure[name])[:2]
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
    kept = [
        '  {"candidate":   "b2", "item": "shards", "response": "x"}',
        json.dumps(other),
        "broken",
        'torn {"candidate": "a1',
    ]
    path = log(head, GOOD[0], kept[0], end, kept[1], kept[2], GOOD[2], kept[3])
    _, out, err = score("--forget", "a1", path)
    assert path.read_text() == "\n".join(kept) + "\n"
    assert "4 of 8 lines removed" in out
    assert ":8: cannot be read and contains the name" in err
    packed = tmp_path / "p.jsonl.gz"
    packed.write_bytes(gzip.compress("".join(json.dumps(x) + "\n" for x in GOOD).encode()))
    score("--forget", "b2", packed)
    assert [x["candidate"] for x in objects(gzip.decompress(packed.read_bytes()).decode())] == ["a1"] * 3
    assert score("--forget", "nobody", path, code=1)[1].count("0 of 4")


def test_responses_near_a_cut_are_for_a_person(score: Score, log: Log, tmp_path: Path) -> None:
    """a1 has 4 of 5 points, one above a cut at 60 %: words found in part are listed; an option or number is not."""
    folder = tmp_path / "b"
    (folder / "blueprints").mkdir(parents=True)
    (folder / "items.yaml").write_text(ITEMS)
    (folder / "blueprints" / "final.yaml").write_text("title: Final\nsections: [{count: 3}]\npass: 60%\n")
    _, out, _ = score(log(*GOOD), "--review", "--blueprint", "final", bank=folder)
    rows = list(csv.DictReader(io.StringIO(out, newline="")))
    assert [(r["candidate"], r["item"], r["now"], r["why"]) for r in rows] == [
        ("a1", "node", "2", "near a cut: the candidate is 1 point above the 60% cut")
    ]
    text = score(log(*GOOD), "--blueprint", "final", bank=folder)[1]
    assert "Passed: the pass mark is 60%" in text
    many = [line | {"candidate": f"{line['candidate']}-{n}"} for n in range(3) for line in GOOD]
    found = score(log(*many), "--blueprint", "final", bank=folder)[1]
    assert "3 of 6 reach the pass mark of 60%" in found
    assert found.startswith("b: Final\n")  # the titles of the bank and of the blueprint


@pytest.mark.parametrize("name", ["'t Hooft", "=Bo", "-1", "a;=b", "\x1b[31mEve", " padded "])
def test_what_review_writes_marks_take_back(score: Score, log: Log, tmp_path: Path, name: str) -> None:
    """Whatever a candidate is called: the sheet's name is the log's name."""
    path = log({"candidate": name, "item": "state", "given": {"N": "13e9 param", "K": "32"}, "response": "many"})
    rows = list(csv.DictReader(io.StringIO(score(path, "--review")[1], newline="")))
    sheet = tmp_path / "marks.csv"
    with open(sheet, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, rows[0])
        out.writeheader()
        out.writerows([{**row, "earned": "1", "reason": "read by hand"} for row in rows])
    (person,) = json.loads(score(path, "--marks", sheet, "--format", "json")[1])["candidates"]
    assert person["earned"] == 1


def test_a_padded_name_forges_no_row(score: Score, log: Log) -> None:
    """In a window of 80 columns blanks would wrap what follows into a line that looks like the report's."""
    forged = "ada" + " " * 75 + "Score: 9 of 9 points (100%)"
    out = score(log({"candidate": forged, "item": "shards", "response": "The gradients"}))[1]
    assert not any(line[start : start + 6] == "Score:" for line in out.splitlines() for start in (80, 160))
    many = log(*({"candidate": forged + str(n), "item": "shards", "response": "The gradients"} for n in range(5)))
    assert " " * 60 not in score(many)[1].partition("\nCandidates\n")[2]
