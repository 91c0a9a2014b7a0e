"""An exam as it comes out of the printer, each form's pages at 300 dpi, by Chromium; and what a class hands in of it:
filled in by chance, spoilt in every way, one stack in any order and photographs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2
from PIL import Image

from quizgen.cli import run
from quizgen.sheet_layout import SHEET_STYLE_BY_SHEET_KIND, SheetPage, layout_sheet_pages
from tests.browser.chromium import Chromium

from .degraded import Page, jpeg, noisy, photo, resized, turned
from .filled import DPI, Truth, filled

A4_WIDTH = 210.0
TOP = 16.0  # mm: the page's margin, where a sheet begins


def bank(choices: int) -> str:
    """Items of four options, each sixth with several right; two numbers and two texts."""
    lines = ["items:"]
    for n in range(choices):
        right, rest = ("[r1, r2]", "[o1, o2]") if n % 6 == 5 else ("right", "[o1, o2, o3]")
        lines.append(f"  - {{id: c{n}, kind: choice, stem: Which of number {n}?, key: {right}, distractors: {rest}}}")
    formula = "{inputs: {a: {is: side, unit: 1}}, steps: {twice: 2 * a}, unit: 1}"
    criteria = "[{id: one, say: It says one., accept: [one]}, {id: two, say: It says two., accept: [two]}]"
    for n in (1, 2):
        draw = f"{{a: [{n}, {n + 5}]}}"
        lines.append(f"  - {{id: n{n}, kind: numeric, stem: 'Twice {{a}}?', draw: {draw}, formula: {formula}}}")
        lines.append(f"  - {{id: t{n}, kind: text, stem: Why {n}?, rubric: {{criteria: {criteria}}}}}")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Exam:
    """A folder with an exam; pages of a form are rendered when they are asked for."""

    folder: Path
    manifest: dict[str, Any]
    browser: Chromium

    def _printed(self, name: str) -> pypdfium2.PdfDocument:
        page, pdf = self.folder / f"{name}.html", self.folder / f"{name}.pdf"
        if not pdf.exists():
            self.browser.open(page.as_uri())
            self.browser.print(pdf)
        return pypdfium2.PdfDocument(pdf)

    def page(self, name: str, number: int = 0) -> np.ndarray:
        """A page of a form; the first is its answer sheet."""
        return np.asarray(self._printed(name)[number].render(scale=DPI / 72, grayscale=True).to_pil().convert("L"))

    def pages_behind(self, name: str, *words: str) -> list[int]:
        """The numbers of the pages behind the sheet; of those with one of these words, where there are words."""
        texts = [page.get_textpage().get_text_range() for page in self._printed(name)]
        return [n for n, text in enumerate(texts) if n and (not words or any(word in text for word in words))]

    def sheets(self, label: str, named: bool) -> tuple[SheetPage, ...]:
        form = next(f for f in self.manifest["forms"] if f["form"] == label)
        asked = [(i["n"], len(i["options"]), i["several"]) for i in form["items"] if "options" in i]
        return layout_sheet_pages("A", asked, named)

    def origin(self) -> tuple[float, float]:
        """Where a sheet's drawing begins on the paper, in mm."""
        return (A4_WIDTH - SHEET_STYLE_BY_SHEET_KIND["A"].print_width_mm) / 2, TOP


def made(folder: Path, browser: Chromium, text: str, roster: list[str], *options: str, plan: str = "") -> Exam:
    """An exam of a bank's items, all of them or as a blueprint's `plan` says."""
    (folder / "bank" / "blueprints").mkdir(parents=True)
    if plan:
        (folder / "bank" / "blueprints" / "plan.yaml").write_text(plan, encoding="utf-8")
    (folder / "bank" / "items.yaml").write_text(text, encoding="utf-8")
    (folder / "roster.csv").write_text("name,id\n" + "\n".join(roster) + "\n", encoding="utf-8")
    count = str(text.count("- {id: "))
    exam = ["exam", f"{folder}/bank" + ("/plan" if plan else ""), "-o", f"{folder}/out", "--seed", "a seed for paper"]
    assert run([*exam, "--items", count, "--roster", f"{folder}/roster.csv", *options]) == 0
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
        page, layout = exam.page(Path(who["file"]).stem), exam.sheets(who["form"], True)[0]
        page, self.truths[number] = filled(page, exam.origin(), layout, style, self.chance)
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
        ways = (
            lambda: jpeg(turned(resized(page, 150), self.chance.uniform(-3, 3)), 40),
            lambda: np.rot90(resized(page, 150), 2),
            lambda: noisy(resized(page, 150), 15, self.chance),
            lambda: photo(page, self.chance),
        )
        return np.ascontiguousarray(ways[way % 4]())

    def stranger(self, exam: Exam, name: str, named: bool) -> None:
        """A sheet that is of nobody here: of another exam, or without a name."""
        layout = exam.sheets("A", named)[0]
        self.stack.append(resized(filled(exam.page(name), exam.origin(), layout, "fill", self.chance)[0], 150))

    def piled(self) -> None:
        """Write the stack in any order, and a file that is no picture."""
        pages = (self.stack[i] for i in self.chance.permutation(len(self.stack)))
        images = [Image.fromarray(np.ascontiguousarray(page)) for page in pages]
        images[0].save(self.scans / "stack.pdf", save_all=True, append_images=images[1:], resolution=150)
        (self.scans / "broken.jpg").write_bytes(b"\xff\xd8\xff no picture")
