"""Finds a sheet in a picture by its corner codes, and flattens the picture."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import zxingcpp
from numpy.typing import NDArray
from PIL import Image, ImageFilter

from quizgen.scan.pages import GreyArray
from quizgen.sheet_layout import CORNER_MARK_SIZE_MM, AnswerCode, PageCode, SheetPage, parse_sheet_code

PointArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A code of ours with its corners in pixels, clockwise from the top left corner of the code itself."""

    code: PageCode | AnswerCode
    corners: PointArray


def find_codes(grey: GreyArray) -> tuple[list[FoundCode], list[str]]:
    """The codes of a page, and the texts of codes that are not ours. Searches the page as it is, then stretched,
    smoothed, smaller and larger, until it has both codes of a sheet. A page of written answers is searched twice,
    because its number of codes is unknown."""
    codes: dict[str, FoundCode] = {}
    strange: dict[str, None] = {}
    wanted = zxingcpp.barcode_formats_from_str("QRCode")
    for turn, (scale, image) in enumerate(_picture_versions_to_search(grey)):
        for one in zxingcpp.read_barcodes(image, formats=wanted):
            code = parse_sheet_code(one.text)
            if code is None:
                strange[one.text[:60]] = None
                continue
            made = (_corners_of_code(one.position) + 0.5) * scale
            before = codes.get(one.text)
            # The same code twice: thin paper shows the back of the page through, mirrored and paler.
            if before is None or _grey_spread(grey, made) > 1.2 * _grey_spread(grey, before.corners):
                codes[one.text] = FoundCode(code, made)
        kinds = [type(f.code) for f in codes.values()]
        if kinds.count(PageCode) >= 2 or (AnswerCode in kinds and PageCode not in kinds and turn):
            break
    return [*codes.values()], [*strange]


def _corners_of_code(position: zxingcpp.Position) -> PointArray:
    """The corners of a code in pixels, clockwise from its top left corner."""
    places = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
    return np.array([(place.x, place.y) for place in places], float)


def _grey_spread(grey: GreyArray, corners: PointArray) -> float:
    """The spread of the greys in the rectangle around the corners; 0 if it is outside the page."""
    (left, top), (right, bottom) = np.maximum(corners.min(0), 0).astype(int), corners.max(0).astype(int) + 1
    part = grey[top:bottom, left:right]
    return float(part.std()) if part.size else 0.0


def _picture_versions_to_search(grey: GreyArray) -> Iterator[tuple[float, GreyArray]]:
    """For each way to search a page, yields its picture, after the number of page pixels per pixel of it."""
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


# Flattening a page: from codes and marks to the map between millimetres and pixels.


PIXELS_PER_MM = 8  # pixels per millimetre of a flattened page
DarknessArray = NDArray[np.float32]
CODE_CORNER_WEIGHT = 0.25  # weight of a corner of a code, relative to the centre of a mark
MAX_CORNER_MARK_ERROR_MM = 1.2  # mm; a mark farther than this from its expected place is rejected


@dataclass(frozen=True, slots=True)
class FlatPage:
    """A page with PIXELS_PER_MM pixels per millimetre. In `darkness`, 0 is paper and 1 is as black as the printed
    marks; `grey` is the picture, from 0 (black) to 255; `mm_to_scan_matrix` maps millimetres of the page to pixels of
    its scan."""

    darkness: DarknessArray
    grey: GreyArray
    mm_to_scan_matrix: PointArray


def _fit_projection(
    source_points: PointArray, target_points: PointArray, weights: PointArray, is_affine: bool
) -> PointArray:
    """The 3 × 3 matrix that maps `source_points` to `target_points` with the least squared error, without perspective
    if `is_affine`."""
    rows, right = [], []
    for (x, y), (u, v), k in zip(source_points / 100, target_points, weights, strict=True):
        for unit, value in (((x, y, 1, 0, 0, 0), u), ((0, 0, 0, x, y, 1), v)):
            rows.append([k * c for c in (*unit, *(() if is_affine else (-x * value, -y * value)))])
            right.append(k * value)
    solution = np.linalg.lstsq(np.array(rows), np.array(right), rcond=None)[0]
    matrix: PointArray = np.append(solution, (0, 0, 1) if is_affine else 1).reshape(3, 3) @ np.diag((0.01, 0.01, 1))
    return matrix


def project_points(matrix: PointArray, points: PointArray) -> PointArray:
    """The points that the 3 × 3 `matrix` makes of `points`, an array whose last axis is x and y."""
    q = np.concatenate([points, np.ones((*points.shape[:-1], 1))], -1) @ matrix.T
    moved: PointArray = q[..., :2] / np.where(np.abs(q[..., 2:]) < 1e-9, 1e-9, q[..., 2:])
    return moved


def cut_rectangle(
    grey: GreyArray, matrix: PointArray, x: float, y: float, width: float, height: float, pixels_per_mm: float
) -> GreyArray:
    """A rectangle of the page, given in millimetres, as an upright picture with `pixels_per_mm` pixels per millimetre.
    White outside the page."""
    to_mm = np.array([[1 / pixels_per_mm, 0, x], [0, 1 / pixels_per_mm, y], [0, 0, 1]])
    whole = matrix @ to_mm
    if abs(whole[2, 2]) < 1e-12:
        return np.full((int(height * pixels_per_mm), int(width * pixels_per_mm)), 255, np.uint8)
    whole = whole / whole[2, 2]
    size = (int(width * pixels_per_mm), int(height * pixels_per_mm))
    made = Image.fromarray(grey).transform(
        size, Image.Transform.PERSPECTIVE, tuple(whole.flat[:8]), Image.Resampling.BILINEAR, fillcolor=255
    )
    return np.asarray(made)


def flatten_page(
    grey: GreyArray, sheet: SheetPage, codes: list[FoundCode], mark_search_factor: float = 1.0
) -> FlatPage | None:
    """The page `grey`, flattened by the codes of its `sheet` and its marks; None if too few of them are found.

    `mark_search_factor` widens the search for marks, which begins with those nearest to a known point."""
    src: list[PointArray] = []
    dst: list[PointArray] = []
    weight: list[float] = []
    for code in codes:
        assert isinstance(code.code, PageCode)
        x, y, side = sheet.codes[code.code.is_bottom]
        src.extend(np.array(c, float) for c in ((x, y), (x + side, y), (x + side, y + side), (x, y + side)))
        dst.extend(code.corners)
        weight.extend([CODE_CORNER_WEIGHT] * 4)
    left = [np.array(m, float) for m in sheet.corner_marks]
    blacks: list[float] = []
    seen: list[int] = []
    while left:
        left.sort(key=lambda m: min(float(np.hypot(*(m - k))) for k in src))
        mark = left.pop(0)
        far = min(float(np.hypot(*(mark - k))) for k in src)
        whole = len(codes) > 1 or len(seen) > 1
        matrix = _fit_projection(np.array(src), np.array(dst), np.array(weight), not whole)
        found_mark = _find_corner_mark(grey, matrix, mark, mark_search_factor * (3 + (0.03 if whole else 0.12) * far))
        if found_mark is not None:
            seen.append(len(src))
            src.append(mark)
            dst.append(found_mark[0])
            weight.append(1.0)
            blacks.append(found_mark[1])
    if len(seen) + 2 * len(codes) < 4:
        return None
    matrix = _fit_projection_without_wrong_marks(np.array(src), np.array(dst), np.array(weight), seen)
    style = sheet.style
    flat = cut_rectangle(grey, matrix, 0, 0, style.width, style.height, PIXELS_PER_MM)
    black = float(np.median(blacks)) if blacks else 0.8
    return FlatPage(_relative_darkness(flat) / max(0.15, black), flat, matrix)


def _fit_projection_without_wrong_marks(
    source_points: PointArray, target_points: PointArray, weights: PointArray, mark_indexes: list[int]
) -> PointArray:
    """The matrix that maps `source_points` to `target_points`, without up to two marks that are far from their expected
    places. `mark_indexes`: the indices of the marks among the points; the other points are corners of codes."""
    for _ in range(2):
        matrix = _fit_projection(source_points, target_points, weights, False)
        if len(mark_indexes) < 2 or len(source_points) < 6:
            break
        off = []
        for mark in mark_indexes:
            others = weights.copy()
            others[mark] = 0
            around = _fit_projection(source_points, target_points, others, False)
            step = project_points(around, source_points[mark] + np.array([[0, 0], [1, 0]]))
            scale = max(1e-6, float(np.hypot(*(step[1] - step[0]))))
            off.append(
                float(np.hypot(*(project_points(around, source_points[mark : mark + 1])[0] - target_points[mark])))
                / scale
            )
        worst = int(np.argmax(off))
        others = weights.copy()
        others[mark_indexes[worst]] = 0
        after = _fit_projection(source_points, target_points, others, False)
        rest = [m for m in mark_indexes if m != mark_indexes[worst]]
        step = project_points(after, np.array([[0.0, 0.0], [1.0, 0.0]]))
        scale = max(1e-6, float(np.hypot(*(step[1] - step[0]))))
        errors = np.hypot(*(project_points(after, source_points[rest]) - target_points[rest]).T) / scale
        if off[worst] < 3 * MAX_CORNER_MARK_ERROR_MM or (len(errors) and errors.max() > MAX_CORNER_MARK_ERROR_MM):
            break
        weights, mark_indexes, matrix = others, rest, after
    return matrix


def _find_corner_mark(
    grey: GreyArray, matrix: PointArray, expected_centre: PointArray, search_radius_mm: float
) -> tuple[PointArray, float] | None:
    """The position of a mark in pixels, and its darkness; the mark is the squarest black spot near the expected place.
    None if there is none."""
    scale, side = 5, CORNER_MARK_SIZE_MM * 5
    around = search_radius_mm + CORNER_MARK_SIZE_MM * 1.2
    picture = cut_rectangle(
        grey, matrix, expected_centre[0] - around, expected_centre[1] - around, 2 * around, 2 * around, scale
    )
    white = max(30.0, float(np.percentile(picture, 85)))
    dark = 1 - picture.astype(np.float64) / white
    total = np.pad(dark, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    inner, ring = int(side * 0.42), int(side * 0.82)
    gap = int(side * 0.62)
    high, wide = dark.shape
    y, x = np.arange(ring, high - ring), np.arange(ring, wide - ring)

    def darkness_in_squares(r: int) -> PointArray:
        rows, columns = y[:, None], x[None]
        right: PointArray = total[rows + r, columns + r] - total[rows - r, columns + r]
        left: PointArray = total[rows + r, columns - r] - total[rows - r, columns - r]
        return right - left

    full = darkness_in_squares(inner) / (2 * inner) ** 2
    clear = (darkness_in_squares(ring) - darkness_in_squares(gap)) / ((2 * ring) ** 2 - (2 * gap) ** 2)
    middle = np.array([(wide - 1) / 2, (high - 1) / 2])
    far = np.hypot(x[None] - middle[0], y[:, None] - middle[1]) / side
    score = full - 1.5 * clear - 0.04 * far
    at = np.unravel_index(int(np.argmax(score)), score.shape)
    black = float(full[at])
    if black < 0.2 or clear[at] > 0.35 * black:
        return None
    cy, cx = float(y[at[0]]), float(x[at[1]])
    reach_px = int(side * 0.68)
    for _ in range(2):  # centre of the ink
        top, first = round(cy) - reach_px, round(cx) - reach_px
        if top < 0 or first < 0 or top + 2 * reach_px >= high or first + 2 * reach_px >= wide:
            return None
        part = dark[top : top + 2 * reach_px + 1, first : first + 2 * reach_px + 1] > 0.55 * black
        ys, xs = np.nonzero(part)
        if not 0.45 * side * side < len(xs) < 1.6 * side * side:  # a mark, not a line, a letter or a shadow
            return None
        cy, cx = top + ys.mean(), first + xs.mean()
    place = np.array(
        [[expected_centre[0] - around + (cx + 0.5) / scale, expected_centre[1] - around + (cy + 0.5) / scale]]
    )
    return project_points(matrix, place)[0], black


def _relative_darkness(flat_grey: GreyArray) -> DarknessArray:
    """The darkness of each pixel relative to its surroundings, 0 for white paper, so that shadows and grey scans do not
    count. Negative values stay, so that noise averages out."""
    block = 8 * PIXELS_PER_MM
    high, wide = flat_grey.shape
    down, across = -(-high // block), -(-wide // block)
    padded = np.pad(flat_grey, ((0, down * block - high), (0, across * block - wide)), mode="edge")
    tiles = padded.reshape(down, block, across, block).transpose(0, 2, 1, 3).reshape(down, across, -1)
    white = np.percentile(tiles[:, :, ::5], 65, axis=2).astype(np.float32)
    edge = np.pad(white, 1, mode="edge")
    around = np.stack([edge[i : i + down, j : j + across] for i in range(3) for j in range(3)])
    white = np.maximum(white, np.median(around, axis=0))  # a tile full of ink takes the white of its neighbours
    size = (across * block, down * block)
    paper = np.asarray(Image.fromarray(white).resize(size, Image.Resampling.BILINEAR))[:high, :wide]
    made: DarknessArray = 1 - flat_grey.astype(np.float32) / np.maximum(paper, 30)
    return made
