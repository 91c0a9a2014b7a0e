"""A small class on paper: pages filled, spoilt and mixed up, read by the command, and scored."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rounded import KEYS, ROWS, bank

from quizgen.cli import run
from quizgen.spreadsheet import sheet_text
from tests.browser.chromium import Chromium

from .degraded import resized, turned
from .filled import Pen
from .printed import Exam, made


def save(folder: Path, name: str, page: np.ndarray) -> None:
    Image.fromarray(np.ascontiguousarray(page)).save(folder / name)


def scanned(exam: Exam, scans: Path, out: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    capsys.readouterr()
    arguments = ["scan", str(scans), "--manifest", str(exam.folder / "manifest.json"), "-o", str(out)]
    code = run([*arguments, *more])
    return code, capsys.readouterr().err


def cells(path: Path) -> dict[str, dict[str, str]]:
    return {row["candidate"]: row for row in csv.DictReader(sheet_text(path.read_bytes()).splitlines())}


def test_decisions_close_what_is_open(exam: Exam, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sheet with two doubtful rows and all pages of items: letters, typed numbers and nothing else change
    the table; an unknown key is told; two files that disagree are refused."""
    chance = np.random.default_rng(8)
    scans = tmp_path / "scans"
    scans.mkdir()
    pages = exam.pages("form-A-001")
    sheet = exam.sheets("A", True)[0]
    pen = Pen(pages[0], exam.origin(), chance)
    radius = sheet.style.bubble_radius
    single = [row for row in sheet.rows if not row.allows_several]
    for row in sheet.rows:
        pen.mark(*row.bubbles[1][1:], radius, "fill")
    pen.mark(*single[0].bubbles[2][1:], radius, "fill")  # two are full
    assert single[1].correction_box is not None
    x, y, wide, high = single[1].correction_box
    pen.mark(x + wide / 2, y + high / 2, radius, "letter")
    save(scans, "sheet.png", resized(np.asarray(pen.image), 150))
    for n, page in enumerate(pages[1:]):
        save(scans, f"page-{n}.jpg", resized(turned(page, 1), 150))
    out = tmp_path / "responses.csv"
    scanned(exam, scans, out, capsys)
    form = exam.manifest["forms"][0]
    written = {str(i["n"]): i["kind"] for i in form["items"] if i["kind"] != "choice"}
    record = json.loads(out.with_suffix(".json").read_text())
    assert {(str(a["n"]), a["candidate"]) for a in record["answers"]} == {(n, "S1") for n in written}
    numbers = {n for n, kind in written.items() if kind == "numeric"}
    assert {o["item"] for o in record["open"]} == {single[0].name, single[1].name, *numbers}
    before = cells(out)["S1"]
    assert {n for n, cell in before.items() if cell == "?"} == {single[0].name, single[1].name, *written}
    keys = {o["item"]: o["key"] for o in record["open"]}
    made = {keys[single[0].name]: "C", keys[single[1].name]: "AB", **{keys[n]: "4" for n in numbers}, "QQ:1:1": "A"}
    decided = tmp_path / "decisions.json"
    told = {"v": 1, "type": "scan-decisions", "exam": exam.manifest["exam"], "decisions": made}
    decided.write_text(json.dumps(told), encoding="utf-8")
    code, said = scanned(exam, scans, out, capsys, "--decisions", str(decided))
    assert code == 1, "the texts are still to be marked and five candidates are missing"
    assert "QQ:1:1 is for no open reading" in said
    told_next = (
        f"{len(written) - len(numbers)} written answers to mark: quizgen mark {out.with_suffix('.json')} --manifest"
    )
    assert told_next in said
    assert "doubtful" not in said, "nothing is, once it is decided"
    assert not (tmp_path / "responses-check.html").exists()
    after = cells(out)["S1"]
    changed = {n: cell for n, cell in after.items() if cell != before[n]}
    assert changed == {single[0].name: "C", single[1].name: "AB", **{n: "4" for n in numbers}}
    for _ in range(2):  # the second time over what the first wrote
        assert scanned(exam, scans, tmp_path / "again.xlsx", capsys, "--decisions", str(decided))[0] == 1
    assert cells(tmp_path / "again.xlsx")["S1"] == after
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**told, "decisions": {keys[single[0].name]: "D"}}), encoding="utf-8")
    code, said = scanned(exam, scans, out, capsys, "--decisions", str(decided), "--decisions", str(other))
    assert code == 3
    assert "has another decision" in said
    typed = out.read_text(encoding="utf-8").replace("S1,", "S1 ,")  # by hand, instead of on the page
    out.write_text(typed, encoding="utf-8")
    code, said = scanned(exam, scans, out, capsys, "--decisions", str(decided))
    assert code == 3
    assert f"{out} was not written by a scan; move it, or name another table" in said
    assert out.read_text(encoding="utf-8") == typed


def test_numbers_typed_from_their_pictures_earn_what_was_worked_by_hand(
    printing: Chromium, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One candidate's sheet with twelve numbers, scanned once for each response that tests/rounded.py has to a key; the
    pictures of numbers go to the marking page too, where `--item` asks for them."""
    exam = made(tmp_path, printing, bank(), ["Candidate 1,S1"], "--forms", "1", "--items", "12")
    scans = tmp_path / "scans"
    scans.mkdir()
    for n, page in enumerate(exam.pages("form-A-001")):
        save(scans, f"page-{n}.png", resized(page, 150))
    out, decided = tmp_path / "responses.csv", tmp_path / "decisions.json"
    scanned(exam, scans, out, capsys)
    record = json.loads(out.with_suffix(".json").read_text())
    names = {str(i["n"]): i["item"] for i in exam.manifest["forms"][0]["items"]}
    keys = {names[o["item"]]: o["key"] for o in record["open"]}
    assert set(keys) == {key.id for key in KEYS}
    manifest = ["--manifest", str(exam.folder / "manifest.json")]
    left = list(ROWS)
    while left:
        turn = {row.item: row for row in reversed(left)}
        left = [row for row in left if row is not turn[row.item]]
        decisions = {keys[item]: row.response for item, row in turn.items()}
        told = {"v": 1, "type": "scan-decisions", "exam": exam.manifest["exam"], "decisions": decisions}
        decided.write_text(json.dumps(told), encoding="utf-8")
        scanned(exam, scans, out, capsys, "--decisions", str(decided))
        run(["score", "--sheet", str(out), *manifest, "--format", "jsonl"])
        lines = {line["item"]: line["earned"] for line in map(json.loads, capsys.readouterr().out.splitlines())}
        assert {item: lines[item] for item in turn} == {item: row.earned for item, row in turn.items()}
    page = tmp_path / "marking.html"
    assert run(["mark", str(out.with_suffix(".json")), *manifest, "-o", str(page), "--item", "tie"]) == 0
    assert "1 answer of 1 candidate" in capsys.readouterr().err
    assert "Also right, as rounded to 2 significant digits: 1.1 h and 1.2 h." in page.read_text(encoding="utf-8")
