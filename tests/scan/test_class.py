"""A small class on paper: pages filled, spoilt and mixed up, read by the command, and scored."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from quizgen.cli import run

from .degraded import jpeg, noisy, photo, resized, stained, turned
from .filled import Truth, filled
from .printed import Exam


def save(folder: Path, name: str, page: np.ndarray) -> None:
    Image.fromarray(np.ascontiguousarray(page)).save(folder / name)


def scanned(exam: Exam, scans: Path, out: Path, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[int, str]:
    capsys.readouterr()
    arguments = ["scan", str(scans), "--manifest", str(exam.folder / "manifest.json"), "-o", str(out)]
    code = run([*arguments, *more])
    return code, capsys.readouterr().err


def cells(path: Path) -> dict[str, dict[str, str]]:
    with open(path, encoding="utf-8", newline="") as file:
        return {row["candidate"]: row for row in csv.DictReader(file)}


def test_a_class_comes_back(exam: Exam, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Four sheets, each spoilt in its own way, one twice, one missing, one of nobody, one of another exam, one
    file that is none: every one of these is named, and what is read is what was filled in."""
    chance = np.random.default_rng(5)
    scans = tmp_path / "scans"
    scans.mkdir()
    truths: dict[str, dict[str, Truth]] = {}
    ways = {
        1: lambda g: resized(turned(g, 2), 150),
        2: lambda g: np.rot90(jpeg(resized(g, 150), 40), 2),
        3: lambda g: photo(g, chance),
        4: lambda g: noisy(resized(g, 200), 12, chance),
    }
    for number, spoil in ways.items():
        label = "AB"[(number - 1) % 2]
        pages = exam.pages(f"form-{label}-00{number}")
        sheet = exam.sheets(label, True)[0]
        page, truths[f"S{number}"] = filled(pages[0], exam.origin(), sheet, "fill", chance)
        save(scans, f"{9 - number}.png", spoil(page))
        if number == 1:
            save(scans, "again.png", resized(page, 200))
            for n, other in enumerate(pages[1:]):  # notes, cover and items, with two numbers and two texts
                save(scans, f"rest-{n}.png", resized(other, 150))
        if number == 2:
            spare = page
    unnamed = exam.pages("form-A")[0]
    save(
        scans, "spare.png", resized(filled(unnamed, exam.origin(), exam.sheets("A", False)[0], "fill", chance)[0], 150)
    )
    (scans / "broken.pdf").write_bytes(b"%PDF-1.4 no more")
    save(scans, "torn.png", resized(stained(spare[: len(spare) // 5], chance), 150))
    out = tmp_path / "responses.csv"
    code, told = scanned(exam, scans, out, capsys)
    assert code == 1
    found = cells(out)
    assert set(found) == {"S1", "S2", "S3", "S4"}
    looked = {(o["candidate"], o["item"]) for o in json.loads(out.with_suffix(".json").read_text())["open"]}
    for who, truth in truths.items():
        for item, right in truth.items():
            if right.look:
                assert (who, item) in looked
                assert found[who][item] == "?"
            elif (who, item) in looked:
                assert found[who][item] == "?"
            else:
                assert found[who][item] == right.answer, (who, item)
    for line in ("S5 (", "S6 (", "missing: nothing was scanned", "again.png", "spare.png", "broken.pdf", "torn.png"):
        assert line in told, line
    assert "is not on the roster" in told
    assert told.count("missing: nothing") == 2


def test_written_answers_are_cut_out(exam: Exam, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pass
