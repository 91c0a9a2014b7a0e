"""A small class on paper: pages filled, spoilt and mixed up, read by the command, and scored."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from quizgen.cli import run
from quizgen.spreadsheet import numbered_rows_of_csv_or_xlsx_bytes

from .degraded import resized, turned
from .filled import Pen
from .printed import Exam


def scanned(exam: Exam, scans: Path, out: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    capsys.readouterr()
    code = run([*["scan", str(scans), "--manifest", str(exam.folder / "manifest.json"), "-o", str(out)], *more])
    return code, capsys.readouterr().err


def cells(path: Path) -> dict[str, dict[str, str]]:
    heading, *rows = (row for _, row in numbered_rows_of_csv_or_xlsx_bytes(path.read_bytes(), path.name))
    return {row[0]: dict(zip(heading, row, strict=True)) for row in rows}


def test_decisions_close_what_is_open(exam: Exam, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One sheet with two doubtful rows and the pages of written answers: letters, typed numbers and nothing else change
    the table; an unknown key is told; two files that disagree are refused."""
    chance = np.random.default_rng(8)
    scans = tmp_path / "scans"
    scans.mkdir()
    sheet = exam.sheets("A", True)[0]
    pen = Pen(exam.page("form-A-001"), exam.origin(), chance)
    radius = sheet.style.bubble_radius_mm
    single = [row for row in sheet.rows if not row.allows_several]
    for row in sheet.rows:
        pen.mark(*row.bubble_letter_x_y_mm[1][1:], radius, "fill")
    pen.mark(*single[0].bubble_letter_x_y_mm[2][1:], radius, "fill")  # two are full
    assert single[1].correction_box_mm is not None
    x, y, wide, high = single[1].correction_box_mm
    pen.mark(x + wide / 2, y + high / 2, radius, "letter")
    Image.fromarray(resized(np.asarray(pen.image), 150)).save(scans / "sheet.png")
    for n in exam.pages_behind("form-A-001", "Twice", "Why"):
        Image.fromarray(turned(resized(exam.page("form-A-001", n), 150), 1)).save(scans / f"page-{n}.jpg")
    out = tmp_path / "responses.csv"
    out.with_suffix(".json").write_text("[]", encoding="utf-8")
    assert "responses.json was not written by a scan" in scanned(exam, scans, out, capsys)[1]
    out.with_suffix(".json").unlink()
    scanned(exam, scans, out, capsys)
    full_two, lettered = (row.item_or_id for row in single[:2])
    written = {str(i["n"]): i["kind"] for i in exam.manifest["forms"][0]["items"] if i["kind"] != "choice"}
    record = json.loads(out.with_suffix(".json").read_text())
    assert {(str(a["n"]), a["candidate"]) for a in record["answers"]} == {(n, "S1") for n in written}
    numbers = {n for n, kind in written.items() if kind == "numeric"}
    assert {o["item"] for o in record["open"]} == {full_two, lettered, *numbers}
    before = cells(out)["S1"]
    assert {n for n, cell in before.items() if cell == "?"} == {full_two, lettered, *written}
    keys = {o["item"]: o["key"] for o in record["open"]}
    made = {keys[full_two]: "C", keys[lettered]: "AB", **{keys[n]: "4" for n in numbers}, "QQ:1:1": "A"}
    marking = ["mark", str(out.with_suffix(".json")), "--manifest", str(exam.folder / "manifest.json"), "--item", "n1"]
    assert run([*marking, "-o", str(tmp_path / "marking.html")]) == 0
    assert "1 answer of 1 candidate" in capsys.readouterr().err, "the picture of a number, where it is asked for"
    decided = tmp_path / "decisions.json"
    told = {"v": 1, "type": "scan-decisions", "exam": exam.manifest["exam"], "decisions": made}
    decided.write_text(json.dumps(told), encoding="utf-8")
    code, said = scanned(exam, scans, out, capsys, "--decisions", str(decided))
    assert code == 1, "the texts are still to be marked and five candidates are missing"
    assert "QQ:1:1 is for no open reading" in said
    count = len(written) - len(numbers)
    assert f"{count} written answers to mark: quizgen mark {out} {out.with_suffix('.json')} --manifest" in said
    assert "doubtful" not in said, "nothing is, once it is decided"
    assert not (tmp_path / "responses-check.html").exists()
    after = cells(out)["S1"]
    changed = {n: cell for n, cell in after.items() if cell != before[n]}
    assert changed == {full_two: "C", lettered: "AB", **{n: "4" for n in numbers}}
    for _ in range(2):  # the second time over what the first wrote
        assert scanned(exam, scans, tmp_path / "again.xlsx", capsys, "--decisions", str(decided))[0] == 1
    assert cells(tmp_path / "again.xlsx")["S1"] == after
    other = tmp_path / "other.json"
    other.write_text(json.dumps({**told, "decisions": {keys[full_two]: "D"}}), encoding="utf-8")
    code, said = scanned(exam, scans, out, capsys, "--decisions", str(decided), "--decisions", str(other))
    assert code == 3
    assert "has another decision" in said
    typed = out.read_text(encoding="utf-8").replace("S1,", "S1 ,")  # by hand, instead of on the page
    out.write_text(typed, encoding="utf-8")
    code, said = scanned(exam, scans, out, capsys, "--decisions", str(decided))
    assert code == 3
    assert f"{out} was not written by a scan; move it, or name another table" in said
    assert out.read_text(encoding="utf-8") == typed
