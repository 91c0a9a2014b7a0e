"""A person with a pen: sheets filled in every way people fill them, and what a careful reader would say."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from quizgen.sheet_layout import SheetPage

DPI = 300
MM = DPI / 25.4
INK = {"pen": (15, 75), "pencil": (90, 130), "light": (165, 205), "rubbed": (215, 238)}
# By hatching: the ink, how much of a bubble is covered at least and at most, and how wide the lines are, in mm.
HATCHED = {
    "fill": ("pen", 0.85, 1, 0.5),
    "pencil": ("pencil", 0.85, 1, 0.6),
    "light": ("light", 0.8, 1, 0.7),
    "half": ("pen", 0.4, 0.6, 0.5),
    "rubbed": ("rubbed", 0.95, 0.95, 0.8),
}
CORRECTED = ("rubbed, other", "crossed, other", "crossed, box")


@dataclass(frozen=True)
class Truth:
    """What a careful person reads in a row; `look`: a machine must ask."""

    answer: str
    look: bool = False


class Pen:
    """Draws marks on a picture of the page, ink over print."""

    def __init__(self, page: np.ndarray, origin: tuple[float, float], chance: np.random.Generator) -> None:
        self.image = Image.fromarray(page)
        self.origin, self.chance = origin, chance

    def mark(self, x: float, y: float, radius: float, kind: str) -> None:
        """A mark of a kind at a place in mm of the sheet."""
        r, reach, fine = radius * MM, int(radius * MM * 3.2), 3
        left = round((x + self.origin[0]) * MM) - reach
        top = round((y + self.origin[1]) * MM) - reach
        size = 2 * reach * fine
        ink = Image.new("L", (size, size), 255)
        middle = reach * fine + self.chance.normal(0, 0.08, 2) * r * fine
        if kind in HATCHED:
            name, least, most, wide = HATCHED[kind]
            grey, cover = self._grey(name), self.chance.uniform(least, most) if least < most else most
            self._hatched(ImageDraw.Draw(ink), middle, r * fine, grey, cover, wide)
        else:
            getattr(self, f"_{kind}")(ImageDraw.Draw(ink), middle, r * fine)
        small = np.asarray(ink.resize((2 * reach, 2 * reach), Image.Resampling.BOX), np.float32)
        box = (left, top, left + 2 * reach, top + 2 * reach)
        under = np.asarray(self.image.crop(box), np.float32)
        self.image.paste(Image.fromarray((under * small / 255).astype(np.uint8)), box)

    def _line(self, draw: ImageDraw.ImageDraw, points: list[tuple[float, float]], wide: float, grey: float) -> None:
        draw.line(points, fill=int(grey), width=max(1, int(wide * MM * 3)), joint="curve")

    def _grey(self, name: str) -> float:
        return float(self.chance.integers(*INK[name]))

    def _hatched(
        self, draw: ImageDraw.ImageDraw, c: np.ndarray, r: float, grey: float, cover: float, wide: float
    ) -> None:
        turn, count = self.chance.uniform(0, math.pi), max(2, int(2 * r * cover / (wide * MM * 3 * 0.75)))
        points = []
        for i in range(count + 1):
            off = -r * cover + 2 * r * cover * i / count
            half = math.sqrt(max(0.0, r * r * self.chance.uniform(0.85, 1.12) - off * off)) * (1 if i % 2 else -1)
            x, y = off * math.cos(turn) - half * math.sin(turn), off * math.sin(turn) + half * math.cos(turn)
            points.append((c[0] + x, c[1] + y))
        self._line(draw, points, wide, grey)

    def _cross(self, draw: ImageDraw.ImageDraw, c: np.ndarray, r: float) -> None:
        for way in (1, -1):
            k, j = r * self.chance.uniform(0.75, 1.15, 2)
            self._line(draw, [(c[0] - k, c[1] - way * j), (c[0] + k, c[1] + way * j)], 0.5, self._grey("pen"))

    def _tick(self, draw: ImageDraw.ImageDraw, c: np.ndarray, r: float) -> None:
        steps = ((-0.7, 0), (-0.1, 0.7), (1, -1))
        self._line(draw, [(c[0] + a * r, c[1] + b * r) for a, b in steps], 0.5, self._grey("pen"))

    def _dot(self, draw: ImageDraw.ImageDraw, c: np.ndarray, r: float) -> None:
        k = r * self.chance.uniform(0.2, 0.35)
        draw.ellipse((c[0] - k, c[1] - k, c[0] + k, c[1] + k), fill=int(self._grey("pen")))

    def _circled(self, draw: ImageDraw.ImageDraw, c: np.ndarray, r: float) -> None:
        k = r * self.chance.uniform(1.25, 1.5)
        draw.ellipse((c[0] - k, c[1] - k, c[0] + k, c[1] + k), outline=int(self._grey("pen")), width=int(0.5 * MM * 3))

    def _crossed(self, draw: ImageDraw.ImageDraw, c: np.ndarray, r: float) -> None:
        self._hatched(draw, c, r, self._grey("pen"), 0.95, 0.5)
        for way in (1, -1):
            k = r * self.chance.uniform(1.4, 1.9)
            self._line(draw, [(c[0] - k, c[1] - way * k), (c[0] + k, c[1] + way * k)], 0.5, self._grey("pen"))

    def _letter(self, draw: ImageDraw.ImageDraw, c: np.ndarray, r: float) -> None:
        k, grey = 0.9 * r, self._grey("pen")
        self._line(draw, [(c[0] - k, c[1] + k), (c[0], c[1] - k), (c[0] + k, c[1] + k)], 0.5, grey)
        self._line(draw, [(c[0] - 0.5 * k, c[1] + 0.2 * k), (c[0] + 0.5 * k, c[1] + 0.2 * k)], 0.5, grey)


def filled(
    page: np.ndarray, origin: tuple[float, float], sheet: SheetPage, style: str, chance: np.random.Generator
) -> tuple[np.ndarray, dict[str, Truth]]:
    """The page filled by one candidate, and the truth by row. Of rows for one letter 8 % are left blank, 2 %
    have two."""
    pen, truth, radius = Pen(page, origin, chance), {}, sheet.style.bubble_radius_mm
    for row in sheet.rows:
        count, item = len(row.bubble_letter_x_y_mm), row.correction_box_mm is not None
        picks, u = [int(chance.integers(count))], chance.random()
        if item and row.allows_several:
            picks = sorted(chance.choice(count, int(chance.integers(1, count + 1)), replace=False).tolist())
        elif item and u < 0.08:
            picks = []
        elif item and u < 0.10:
            picks = sorted(chance.choice(count, 2, replace=False).tolist())
        mark = str(chance.choice(["fill", "fill", "fill", "pencil"])) if style == "mixed" else style
        look = len(picks) > 1 and not row.allows_several
        if style in CORRECTED:
            mark = "fill"
            if item and not row.allows_several and len(picks) == 1:
                other = (picks[0] + 1 + int(chance.integers(count - 1))) % count
                if style == "crossed, box":
                    pen.mark(*row.bubble_letter_x_y_mm[picks[0]][1:], radius, "crossed")
                    x, y, wide, high = row.correction_box_mm
                    pen.mark(x + wide / 2, y + high / 2, radius, "letter")
                    picks, look = [], True
                else:
                    pen.mark(*row.bubble_letter_x_y_mm[other][1:], radius, style.partition(",")[0])
                    look = style.startswith("crossed")
        for pick in picks:
            pen.mark(*row.bubble_letter_x_y_mm[pick][1:], radius, mark)
        truth[row.item_or_id] = Truth("".join(row.bubble_letter_x_y_mm[p][0] for p in picks), look)
    return np.asarray(pen.image), truth
