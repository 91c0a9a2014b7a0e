"""What a class hands in on paper: filled in by chance, spoilt in every way, one stack in any order and photographs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pypdfium2
from PIL import Image

from .degraded import Page, jpeg, noisy, photo, resized, turned
from .filled import Truth, filled
from .printed import Exam


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
