"""An exam as it comes out of the printer, each form's pages at 300 dpi, by Chromium; and what a class hands in of it:
filled in by chance, spoilt in every way, one stack in any order and photographs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image

from quizgen.cli import run
from quizgen.sheet_layout import STYLES, Sheet, sheet_pages
from tests.browser.chromium import Chromium

from .degraded import Page, jpeg, noisy, photo, resized, turned
from .filled import DPI, Truth, filled

PAPER = {"a4": 210.0, "letter": 215.9}
TOP = 16.0  # mm: the page's margin, where a sheet begins


def bank(choices: int, others: bool = True) -> str:
    """Items of four options, each sixth with several right; two numbers and two texts."""
    lines = ["items:"]
    for n in range(choices):
        right, rest = ("[r1, r2]", "[o1, o2]") if n % 6 == 5 else ("right", "[o1, o2, o3]")
        lines.append(f"  - {{id: c{n}, kind: choice, stem: Which of number {n}?, key: {right}, distractors: {rest}}}")
    if others:
        for n in (1, 2):
            formula = "{inputs: {a: {is: side, unit: 1}}, steps: {twice: 2 * a}, unit: 1}"
            lines.append(
                f"  - {{id: n{n}, kind: numeric, stem: 'Twice {{a}}?', draw: {{a: [{n}, {n + 5}]}}, formula: {formula}}}"
            )
            criteria = "[{id: one, say: It says one., accept: [one]}, {id: two, say: It says two., accept: [two]}]"
            lines.append(f"  - {{id: t{n}, kind: text, stem: Why {n}?, rubric: {{criteria: {criteria}}}}}")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Exam:
    """A folder with an exam; pages of a form are rendered when they are asked for."""

    folder: Path
    manifest: dict[str, Any]
    browser: Chromium

    def pages(self, name: str) -> list[np.ndarray]:
        page, pdf = self.folder / f"{name}.html", self.folder / f"{name}.pdf"
        if not pdf.exists():
            self.browser.open(page.as_uri())
            self.browser.print(pdf)
        document = pypdfium2.PdfDocument(pdf)
        return [np.asarray(p.render(scale=DPI / 72, grayscale=True).to_pil().convert("L")) for p in document]

    def says(self, name: str, page: int, *words: str) -> bool:
        """Whether a printed page holds one of these words."""
        text = pypdfium2.PdfDocument(self.folder / f"{name}.pdf")[page].get_textpage().get_text_range()
        return any(word in text for word in words)

    def sheets(self, label: str, named: bool, kind: str = "A") -> tuple[Sheet, ...]:
        form = next(f for f in self.manifest["forms"] if f["form"] == label)
        asked = [(i["n"], len(i["options"]), i["several"]) for i in form["items"] if "options" in i]
        return sheet_pages(kind, asked, named)

    def origin(self, kind: str = "A") -> tuple[float, float]:
        """Where a sheet's drawing begins on the paper, in mm."""
        return (PAPER["letter" if kind in "BD" else "a4"] - STYLES[kind].width) / 2, TOP


def made(
    folder: Path, browser: Chromium, text: str, roster: Iterator[str] | list[str], *options: str, plan: str = ""
) -> Exam:
    """An exam of a bank's items, all of them or as a blueprint's `plan` says."""
    (folder / "bank" / "blueprints").mkdir(parents=True)
    if plan:
        (folder / "bank" / "blueprints" / "plan.yaml").write_text(plan, encoding="utf-8")
    (folder / "bank" / "items.yaml").write_text(text, encoding="utf-8")
    (folder / "roster.csv").write_text("name,id\n" + "\n".join(roster) + "\n", encoding="utf-8")
    count = str(text.count("- {id: "))
    arguments = [
        "exam",
        str(folder / "bank") + ("/plan" if plan else ""),
        "-o",
        str(folder / "out"),
        "--seed",
        "a seed for paper",
        "--items",
        count,
    ]
    assert run([*arguments, "--roster", str(folder / "roster.csv"), *options]) == 0
    manifest = json.loads((folder / "out" / "manifest.json").read_text(encoding="utf-8"))
    return Exam(folder / "out", manifest, browser)


class Pile:
    """Pages for one folder of scans; `truths` by the candidates' numbers."""

    def __init__(self, scans: Path, chance: np.random.Generator) -> None:
        self.scans, self.chance = scans, chance
        self.stack: list[Page] = []
        self.truths: dict[int, dict[str, Truth]] = {}
        scans.mkdir()

    def sheet(self, exam: Exam, number: int, blotted: bool = False, style: str = "mixed") -> Page:
        """A candidate's sheet, filled in and put on the pile (each fourth as a photograph); as it was before that."""
        who = exam.manifest["candidates"][number - 1]
        pages, layout = exam.pages(Path(who["file"]).stem), exam.sheets(who["form"], True)[0]
        page, self.truths[number] = filled(pages[0], exam.origin(), layout, style, self.chance)
        whole = page
        if blotted:  # both codes
            page = page.copy()
            page[280:560, 300:600], page[2850:3250, 1850:2250] = 60, 60
        spoilt = self._spoilt(page, number)
        if number % 4 == 3:
            Image.fromarray(spoilt).save(self.scans / f"photo-{number}.jpg", quality=80)
        else:
            self.stack.append(spoilt)
        return whole

    def _spoilt(self, page: Page, way: int) -> Page:
        chance = self.chance
        ways = (
            lambda g: jpeg(resized(turned(g, chance.uniform(-3, 3)), 150), 40),
            lambda g: np.rot90(resized(g, 150), 2),
            lambda g: noisy(resized(g, 150), 15, chance),
            lambda g: photo(g, chance),
        )
        return np.ascontiguousarray(ways[way % 4](page))

    def stranger(self, exam: Exam, name: str, named: bool) -> None:
        """A sheet that is of nobody here: of another exam, or without a name."""
        layout = exam.sheets("A", named)[0]
        self.stack.append(resized(filled(exam.pages(name)[0], exam.origin(), layout, "fill", self.chance)[0], 150))

    def piled(self) -> int:
        """Write the stack in any order, and a file that is no picture; the number of pages and files."""
        images = [
            Image.fromarray(np.ascontiguousarray(self.stack[i])) for i in self.chance.permutation(len(self.stack))
        ]
        images[0].save(self.scans / "stack.pdf", save_all=True, append_images=images[1:], resolution=150)
        (self.scans / "broken.jpg").write_bytes(b"\xff\xd8\xff no picture")
        return len(pypdfium2.PdfDocument(self.scans / "stack.pdf")) + len(list(self.scans.glob("*.jpg")))
