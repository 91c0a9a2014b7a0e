"""The codes on a page: what they say, and where their corners are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import zxingcpp
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from quizgen.answer_sheet import AnswerCode, PageCode, read_code
from quizgen.scan.pages import Grey

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A code of ours with its corners in pixels, from its own top left clockwise."""

    code: PageCode | AnswerCode
    corners: Points


@dataclass(frozen=True, slots=True)
class Codes:
    """All codes of a page; `strange` are texts of codes that are not ours."""

    found: tuple[FoundCode, ...]
    strange: tuple[str, ...]

    def pages(self) -> list[FoundCode]:
        return [f for f in self.found if isinstance(f.code, PageCode)]

    def answers(self) -> list[FoundCode]:
        return [f for f in self.found if isinstance(f.code, AnswerCode)]


def find_codes(grey: Grey) -> Codes:
    """Looked for in the page as it is, then stretched, smoothed, smaller and larger, until a sheet has both
    of its codes; a page of written answers, whose number nobody knows beforehand, is looked at twice."""
    found: dict[str, FoundCode] = {}
    strange: dict[str, None] = {}
    wanted = zxingcpp.barcode_formats_from_str("QRCode")
    for turn, (scale, image) in enumerate(_ways(grey)):
        for one in zxingcpp.read_barcodes(image, formats=wanted):
            code = read_code(one.text)
            if code is None:
                strange[one.text[:60]] = None
                continue
            place = one.position
            corners = [(c.x, c.y) for c in (place.top_left, place.top_right, place.bottom_right, place.bottom_left)]
            made = (np.array(corners, float) + 0.5) * scale
            before = found.get(one.text)
            # The same code twice: one is of the other side, mirrored, where the paper is thin. It is the paler one.
            if before is None or _contrast(grey, made) > 1.2 * _contrast(grey, before.corners):
                found[one.text] = FoundCode(code, made)
        kinds = [type(f.code) for f in found.values()]
        if kinds.count(PageCode) >= 2 or (AnswerCode in kinds and PageCode not in kinds and turn):
            break
    return Codes(tuple(found.values()), tuple(strange))


def _contrast(grey: Grey, corners: Points) -> float:
    (left, top), (right, bottom) = np.maximum(corners.min(0), 0).astype(int), corners.max(0).astype(int) + 1
    part = grey[top:bottom, left:right]
    return float(part.std()) if part.size else 0.0


def _ways(grey: Grey) -> Iterator[tuple[float, Grey]]:
    """(pixels of the page for one of the picture, picture)."""
    image = Image.fromarray(grey)
    low, high = np.percentile(grey[::4, ::4], (2, 90))
    table = [int(np.clip((v - low) * 255 / max(20.0, high - low), 0, 255)) for v in range(256)]
    ways: tuple[tuple[float, Callable[[], Image.Image]], ...] = (
        (1, lambda: image),
        (1, lambda: image.point(table).filter(ImageFilter.GaussianBlur(1))),
        (0.5, lambda: image.resize((image.width * 2, image.height * 2), Image.Resampling.BICUBIC)),
        (2, lambda: image.reduce(2)),
        (1, lambda: image.point(table).filter(ImageFilter.MedianFilter(3))),
    )
    for scale, make in ways:
        yield scale, np.ascontiguousarray(np.asarray(make()))
