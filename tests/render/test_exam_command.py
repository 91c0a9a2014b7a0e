"""`quizgen exam` from the command line: what it writes, what it says, and paper that comes back."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from shipped import BankOf, Command

BANK = """
items:
  - {id: one, kind: choice, topic: a, stem: Which?, key: right, distractors: [wrong, worse], points: 2}
  - {id: two, kind: choice, topic: a, stem: Which two?, key: [p, q], distractors: [r, s]}
  - id: sum
    kind: numeric
    topic: b
    stem: What are {n} bytes and {n} bytes?
    draw: {n: [2, 3, 5, 7, 11]}
    formula: {inputs: {n: {is: count, unit: 1}}, steps: {total: 2 B * n}, unit: B}
  - id: why
    kind: text
    topic: b
    stem: "Why? ![a ring](ring.png) $\\\\nosuch$"
    rubric: {criteria: [{id: stall, say: It stalls., accept: [stall*]}]}
"""


@pytest.fixture
def bank(bank_of: BankOf) -> Path:
    return Path(bank_of(BANK).required_bank.folder)


def test_it_tells_what_it_wrote_and_what_it_could_not_show(bank: Path, tmp_path: Path, command: Command) -> None:
    out = tmp_path / "out"
    told = command("exam", bank, "-o", out, "--forms", "2", "--seed", "demo")
    assert told.out == ""
    assert "2 forms of 4 items" in told.err
    assert 'why: the image "ring.png" cannot be read' in told.err
    assert "why: the formula $\\nosuch$ cannot be shown" in told.err
    assert told.err.count("ring.png") == 1, "once, not once a form"
    assert "the seed is short" in told.err
    assert "kept from" not in told.err
    first = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["exam"]
    told = command("exam", bank, "-o", out, "--seed", "another seed")
    assert f"kept from an earlier exam in this folder: manifest-{first}.json" in told.err


def test_a_seed_that_was_drawn_is_told_and_brings_the_exam_back(bank: Path, tmp_path: Path, command: Command) -> None:
    (seed,) = re.findall(r"^seed (\w{26})$", command("exam", bank, "-o", tmp_path / "one").err, re.MULTILINE)
    command("exam", bank, "-o", tmp_path / "two", "--seed", seed)
    for name in ("form-A.html", "key-A.html", "answers.html", "manifest.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_options_narrow_the_exam(bank: Path, tmp_path: Path, command: Command) -> None:
    options = ["--topic", "a", "--minutes", "0.5", "--title", "T & T", "--seed", "x"]
    command("exam", bank, "-o", tmp_path / "out", *options)
    record = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert (record["title"], record["minutes"]) == ("T & T", 0.5)
    form = (tmp_path / "out" / "form-A.html").read_text(encoding="utf-8")
    assert "T &amp; T" in form
    assert form.count("data-ref=") == 2


def test_a_bad_folder_or_roster_stops_before_anything_is_written(bank: Path, tmp_path: Path, command: Command) -> None:
    (tmp_path / "file").write_text("x")
    assert "cannot be written" in command("exam", bank, "-o", tmp_path / "file" / "out", "--seed", "x", code=3).err
    roster = tmp_path / "r.csv"
    roster.write_text("name,extra_time\nAda,much\nBo,a lot\n", encoding="utf-8")
    assert command("exam", bank, "-o", tmp_path / "out", "--roster", roster, code=3).err.count("cannot be read") == 2
    assert not (tmp_path / "out").exists()


def test_paper_comes_back_by_a_typed_sheet(bank: Path, tmp_path: Path, command: Command) -> None:
    """Two candidates on two forms; what each deserves is worked by hand from the manifest."""
    out, roster = tmp_path / "out", tmp_path / "r.csv"
    roster.write_text("name,id\nAda,S1\nBo,S2\n", encoding="utf-8")
    command("exam", bank, "-o", out, "--forms", "2", "--seed", "x", "--roster", roster)
    forms = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["forms"]
    with (out / "responses.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert [head[:2], *(row[:2] for row in rows)] == [
        ["candidate", "form"], ["S1", forms[0]["code"]], ["S2", forms[1]["code"]],
    ]  # fmt: skip
    for row, form, one, why in zip(rows, forms, ("right", "wrong"), ("It stalls.", ""), strict=True):
        for place, item in enumerate(form["items"], 2):
            if item["kind"] == "choice":
                right = (text in (one, "p", "q") for text in item["options"])
                row[place] = "".join(letter for letter, taken in zip("ABCD", right, strict=False) if taken)
            else:
                row[place] = why if item["kind"] == "text" else f"{2 * int(item['given']['n'])} B"
    with (out / "responses.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    score = ("score", "--sheet", out / "responses.csv", "--manifest", out / "manifest.json")
    lines = [json.loads(line) for line in command(*score, "--format", "jsonl").out.splitlines()]
    earned = {(line["candidate"], line["item"]): (line["outcome"], line["earned"]) for line in lines}
    full = {"one": ("correct", 2), "two": ("correct", 1), "sum": ("correct", 1), "why": ("correct", 1)}
    less = {**full, "one": ("incorrect", 0), "why": ("blank", 0)}
    assert earned == {(who, item): got for who, row in (("S1", full), ("S2", less)) for item, got in row.items()}


def test_large_print_and_other_paper_are_the_same_forms(bank: Path, tmp_path: Path, command: Command) -> None:
    """One manifest scores a candidate's large print and everybody else's usual print."""
    records = []
    for name, options in (("usual", []), ("large", ["--large-print"]), ("letter", ["--paper", "Letter"])):
        command("exam", bank, "-o", tmp_path / name, "--seed", "one seed for all", *options)
        records.append((tmp_path / name / "manifest.json").read_bytes())
    assert records[0] == records[1] == records[2]
