"""No page of any kind scrolls sideways on a phone: each is made by its command from a shipped bank."""

from __future__ import annotations

import csv
import io
import json
import sys
from pathlib import Path

import pytest

from quizgen.cli import run

from .chromium import Chromium

BANK = "distributed-training"
SAID = "Each layer ends in an all-reduce of activations_of_every_rank_in_the_tensor_parallel_group_and_of_every_other_rank, so 31.7 GB."


def answer(command: list[str], lines: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a session line by line with the same answers to everything."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    assert run(["mock", *command, "--plain"]) == 0


def write_pages(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """One page of each kind."""
    out, sheet, case = folder / "out", folder / "sheet.csv", folder / "case.jsonl"
    logs = folder / "logs"
    exam = ["--items", "8", "--forms", "2", "--seed", "phone", "--practice"]
    assert run(["exam", BANK, "-o", str(out), *exam]) == 0
    manifest = str(out / "manifest.json")
    forms = [form["items"] for form in json.loads(Path(manifest).read_text(encoding="utf-8"))["forms"]]
    with sheet.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["candidate", "form", *(item["n"] for item in forms[0])])
        for number in range(4):
            responses = ["A" if item["kind"] == "choice" else SAID for item in forms[number % 2]]
            table.writerow([f"a-very-long-name-of-a-candidate-{number}", "AB"[number % 2], *responses])
    score = ["score", "--sheet", str(sheet), "--manifest", manifest]
    for kind in ("html", "integrity"):
        assert run([*score, "--format", kind, "-o", str(folder / f"{kind}.html")]) == 0
    assert run([*score, "--feedback", str(folder / "feedback"), "-o", str(folder / "scores.txt")]) == 0
    assert run(["mark", str(sheet), "--manifest", manifest, "-o", str(folder / "marking.html")]) == 0
    logs.mkdir()
    answer([BANK, "--items", "8", "--seed", "phone", "--log", str(logs / "s.jsonl")], [SAID, "."] * 30, monkeypatch)
    answer([f"{BANK}/cheaper-network", "--log", str(case)], [SAID, "."] * 30, monkeypatch)
    for log, name in ((logs / "s.jsonl", "debrief"), (case, "case")):
        assert run(["debrief", str(log), "--html", str(folder / f"{name}.html")]) == 0
    assert run(["progress", "--log", str(logs), "--mistakes", str(folder / "mistakes.html")]) == 0
    assert run(["practice", BANK, "--items", "5", "--seed", "phone", "-o", str(folder / "practice.html")]) == 0
    feedback = sorted((folder / "feedback").glob("*.html"))[:1]
    return [*sorted(folder.glob("*.html")), *sorted(out.rglob("*.html")), *feedback]


def test_no_page_scrolls_sideways(browser: Chromium, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = write_pages(tmp_path, monkeypatch)
    wide = []
    for page in pages:
        browser.media(width=360, height=800)
        browser.open(page.as_uri())
        if browser.evaluate("document.documentElement.scrollWidth > 360"):
            wide.append(page.name)
    assert wide == []
    assert len(pages) >= 14
