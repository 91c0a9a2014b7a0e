"""From a PDF or a picture, even if parts of it are damaged, to pages as grey arrays, which the codes and marks on them
then flatten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
import zxingcpp
from numpy.typing import NDArray
from PIL import Image, ImageFilter, ImageOps, ImageSequence, UnidentifiedImageError

from quizgen.sheet_layout import CORNER_MARK_SIZE_MM, CodeAtItem, PageCode, SheetPage, parse_sheet_code

GreyArray = NDArray[np.uint8]
FloatArray = NDArray[np.float64]
SCAN_SUFFIXES = (".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif")
PDF_RENDER_DPI = 200  # resolution at which a PDF is drawn
MAX_PAGE_SIDE_PIXELS = 3600  # pixels of the longer side of a page: 300 dpi; a higher resolution adds nothing
READABLE_PICTURE_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
MAX_PAGES_PER_FILE = 3_000  # pages in one file
MAX_PICTURE_PIXELS = 120_000_000  # pixels of a picture; a larger one is not a scan
MAX_PIXELS_PER_RUN = 30_000_000_000  # pixels in all files of a run: 3,000 pages at 300 dpi


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """One page of a file, counted from 1. If it cannot be read, `grey` is None and `failure_reason` is the reason."""

    file_name: str
    page_number_in_file: int
    grey: GreyArray | None
    failure_reason: str = ""


@dataclass(slots=True)
class PixelBudget:
    """The number of pixels that a run may still read: the size of a page is only known once it is opened."""

    pixels_left: int = MAX_PIXELS_PER_RUN

    def spend_page(self, width_pixels: float, height_pixels: float) -> None:
        """Takes a page of `width_pixels` × `height_pixels` from the budget. Raises OSError if too little is left."""
        if width_pixels * height_pixels > MAX_PICTURE_PIXELS:
            raise OSError(f"{width_pixels:.0f} × {height_pixels:.0f} pixels cannot be a scan of a page")
        self.pixels_left -= int(width_pixels * height_pixels)
        if self.pixels_left < 0:
            raise OSError("this run has read as many pixels as it may; scan the rest in another run")


def find_scan_files(paths: tuple[str, ...], suffixes: tuple[str, ...] = SCAN_SUFFIXES) -> list[str]:
    """The files to scan: each file of `paths`, and all pictures and PDFs in each folder of `paths`."""
    files: list[str] = []
    for path in paths:
        folder_files = (str(p) for p in Path(path).rglob("*") if p.suffix.lower() in suffixes)
        files += sorted(folder_files) if Path(path).is_dir() else [path]
    return files


def read_scanned_pages(path: str, pixel_budget: PixelBudget | None = None) -> Iterator[ScannedPage]:
    """Yields the pages of a file. A damaged page, a file of another kind and a page beyond the `pixel_budget` count as
    pages that cannot be read."""
    pixel_budget = pixel_budget or PixelBudget()
    name, number = Path(path).name, 0
    try:
        if not Path(path).is_file():
            raise OSError("not a plain file" if Path(path).exists() else "there is no such file")
        with open(path, "rb") as file:
            is_pdf = b"%PDF-" in file.read(1024)  # whatever its name
        if is_pdf:
            document = pypdfium2.PdfDocument(path)
            for number in range(_require_allowed_page_count(len(document))):
                try:
                    page = document[number]
                    pixels_per_point = min(PDF_RENDER_DPI / 72, MAX_PAGE_SIDE_PIXELS / max(1.0, *page.get_size()))
                    pixel_budget.spend_page(*(pixels_per_point * side for side in page.get_size()))
                    picture = page.render(scale=pixels_per_point, grayscale=True).to_pil()
                    yield ScannedPage(name, number + 1, _grey_pixels_within_max_side(picture))
                except (pypdfium2.PdfiumError, ValueError, MemoryError) as error:
                    yield ScannedPage(name, number + 1, None, f"the page cannot be drawn ({error})")
            return
        with Image.open(path, formats=READABLE_PICTURE_FORMATS) as image:
            for number, frame in enumerate(ImageSequence.Iterator(image)):
                pixel_budget.spend_page(frame.width, frame.height)
                _require_allowed_page_count(number + 1)
                yield ScannedPage(name, number + 1, _grey_pixels_within_max_side(_upright_grey_picture(frame)))
    except UnidentifiedImageError:
        yield ScannedPage(name, number + 1, None, "neither a PDF nor a picture")
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError, pypdfium2.PdfiumError) as error:
        reason = getattr(error, "strerror", None) or str(error) or "damaged"
        yield ScannedPage(name, number + 1, None, f"cannot be read ({reason})")


def _require_allowed_page_count(page_count: int) -> int:
    """The number of pages, unchanged. Raises OSError if it is too large for one class."""
    if page_count > MAX_PAGES_PER_FILE:
        raise OSError(f"more than {MAX_PAGES_PER_FILE} pages in one file; split it")
    return page_count


def _upright_grey_picture(frame: Image.Image) -> Image.Image:
    """A picture in grey, turned upright as its camera recorded, with white for transparent parts."""
    picture = ImageOps.exif_transpose(frame)
    if picture.mode.startswith("I"):  # 16 bits a pixel
        return Image.fromarray((np.asarray(picture, dtype=np.int64) >> 8).clip(0, 255).astype(np.uint8))
    if "A" in picture.getbands() or "transparency" in picture.info:
        picture = picture.convert("RGBA")
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)
    return picture.convert("L")


def _grey_pixels_within_max_side(image: Image.Image) -> GreyArray:
    """The grey picture, reduced by a whole factor if a side is longer than MAX_PAGE_SIDE_PIXELS."""
    factor = -(-max(image.size) // MAX_PAGE_SIDE_PIXELS)
    return np.asarray(image.reduce(factor) if factor > 1 else image)


# Finding the codes on a page.


@dataclass(frozen=True, slots=True)
class FoundCode:
    """A code of ours with its corners in pixels, clockwise from the top left corner of the code itself."""

    code: PageCode | CodeAtItem
    corner_pixels: FloatArray


def find_codes_and_foreign_texts(grey: GreyArray) -> tuple[list[FoundCode], list[str]]:
    """The codes of a page, and the texts of codes that are not ours. Searches the page as it is, then stretched,
    smoothed, smaller and larger, until it has both codes of a sheet. A page of written answers is searched twice,
    because its number of codes is unknown."""
    codes: dict[str, FoundCode] = {}
    foreign_texts: dict[str, None] = {}
    formats = zxingcpp.barcode_formats_from_str("QRCode")
    for turn, (scale, image) in enumerate(_scales_and_pictures_to_search(grey)):
        for barcode in zxingcpp.read_barcodes(image, formats=formats):
            if (code := parse_sheet_code(barcode.text)) is None:
                foreign_texts[barcode.text[:60]] = None
                continue
            position = barcode.position
            places = (position.top_left, position.top_right, position.bottom_right, position.bottom_left)
            corners = (np.array([(place.x, place.y) for place in places], float) + 0.5) * scale
            twin = codes.get(barcode.text)
            # The same code twice: thin paper shows the back of the page through, mirrored and paler.
            if twin is None or _grey_spread_at(grey, corners) > 1.2 * _grey_spread_at(grey, twin.corner_pixels):
                codes[barcode.text] = FoundCode(code, corners)
        kinds = [type(f.code) for f in codes.values()]
        if kinds.count(PageCode) >= 2 or (CodeAtItem in kinds and PageCode not in kinds and turn):
            break
    return [*codes.values()], [*foreign_texts]


def _grey_spread_at(grey: GreyArray, corners: FloatArray) -> float:
    """The spread of the greys in the rectangle around the corners; 0 if it is outside the page."""
    (left, top), (right, bottom) = np.maximum(corners.min(0), 0).astype(int), corners.max(0).astype(int) + 1
    part = grey[top:bottom, left:right]
    return float(part.std()) if part.size else 0.0


def _scales_and_pictures_to_search(grey: GreyArray) -> Iterator[tuple[float, GreyArray]]:
    """For each way to search a page, yields its picture, after the number of page pixels per pixel of it."""
    yield 1, np.ascontiguousarray(grey)
    image = Image.fromarray(grey)
    low, high = np.percentile(grey[::4, ::4], (2, 90))
    stretched = image.point([int(np.clip((v - low) * 255 / max(20.0, high - low), 0, 255)) for v in range(256)])
    yield 1, np.asarray(stretched.filter(ImageFilter.GaussianBlur(1)))
    yield 0.5, np.asarray(image.resize((image.width * 2, image.height * 2), Image.Resampling.BICUBIC))
    yield 2, np.asarray(image.reduce(2))
    yield 1, np.asarray(stretched.filter(ImageFilter.MedianFilter(3)))


# Flattening a page: from codes and marks to the map between millimetres and pixels.


FLAT_PX_PER_MM = 8  # pixels per millimetre of a flattened page
DarknessArray = NDArray[np.float32]
CODE_CORNER_WEIGHT = 0.25  # weight of a corner of a code, relative to the centre of a mark
MAX_CORNER_MARK_ERROR_MM = 1.2  # mm; a mark three times as far from its expected place is rejected if others are nearer


@dataclass(frozen=True, slots=True)
class FlatPage:
    """A page with FLAT_PX_PER_MM pixels per millimetre. In `darkness`, 0 is paper and 1 is as black as the printed
    marks; `grey` is the picture, from 0 (black) to 255; `mm_to_scan_matrix` maps millimetres of the page to pixels of
    its scan."""

    darkness: DarknessArray
    grey: GreyArray
    mm_to_scan_matrix: FloatArray


def _fit_projection(source: FloatArray, target: FloatArray, weights: FloatArray, is_affine: bool) -> FloatArray:
    """The 3 × 3 matrix that maps the points `source` to the points `target` with the least squared error;
    without perspective if `is_affine`."""
    rows, right_sides = [], []
    for (x, y), (u, v), k in zip(source / 100, target, weights, strict=True):
        for unit, value in (((x, y, 1, 0, 0, 0), u), ((0, 0, 0, x, y, 1), v)):
            rows.append([k * c for c in (*unit, *(() if is_affine else (-x * value, -y * value)))])
            right_sides.append(k * value)
    solution = np.linalg.lstsq(np.array(rows), np.array(right_sides), rcond=None)[0]
    return np.append(solution, (0, 0, 1) if is_affine else 1).reshape(3, 3) @ np.diag((0.01, 0.01, 1))


def project_points(matrix: FloatArray, points: FloatArray) -> FloatArray:
    """The points that the 3 × 3 `matrix` makes of `points`, an array whose last axis is x and y."""
    q = np.concatenate([points, np.ones((*points.shape[:-1], 1))], -1) @ matrix.T
    return q[..., :2] / np.where(np.abs(q[..., 2:]) < 1e-9, 1e-9, q[..., 2:])


def cut_rectangle(
    grey: GreyArray, matrix: FloatArray, x: float, y: float, width: float, height: float, pixels_per_mm: float
) -> GreyArray:
    """A rectangle of the page, given in millimetres, as an upright picture with `pixels_per_mm` pixels per millimetre.
    White outside the page."""
    mapping = matrix @ np.array([[1 / pixels_per_mm, 0, x], [0, 1 / pixels_per_mm, y], [0, 0, 1]])
    size = (int(width * pixels_per_mm), int(height * pixels_per_mm))
    if abs(mapping[2, 2]) < 1e-12:
        return np.full(size[::-1], 255, np.uint8)
    mapping = mapping / mapping[2, 2]
    mode, smoothing = Image.Transform.PERSPECTIVE, Image.Resampling.BILINEAR
    return np.asarray(Image.fromarray(grey).transform(size, mode, tuple(mapping.flat[:8]), smoothing, fillcolor=255))


def flatten_page(grey: GreyArray, sheet: SheetPage, codes: list[FoundCode], mark_reach: float = 1.0) -> FlatPage | None:
    """The page `grey`, flattened by the codes of its `sheet` and its marks; None if too few of them are found.

    `mark_reach` widens the search for marks, which begins with those nearest to a known point."""
    src: list[FloatArray] = []
    dst: list[FloatArray] = []
    for code in codes:
        assert isinstance(code.code, PageCode)
        x, y, side = sheet.code_squares_mm[code.code.is_bottom_code]
        src.extend(np.array(c, float) for c in ((x, y), (x + side, y), (x + side, y + side), (x, y + side)))
        dst.extend(code.corner_pixels)
    weight = [CODE_CORNER_WEIGHT] * len(src)
    centres = [np.array(m, float) for m in sheet.corner_mark_centres_mm]
    blacks: list[float] = []
    while centres:
        centres.sort(key=lambda m: min(float(np.hypot(*(m - k))) for k in src))
        mark = centres.pop(0)
        far = min(float(np.hypot(*(mark - k))) for k in src)
        is_full = len(codes) > 1 or len(blacks) > 1
        matrix = _fit_projection(np.array(src), np.array(dst), np.array(weight), not is_full)
        found_mark = _corner_mark_and_darkness(grey, matrix, mark, mark_reach * (3 + (0.03 if is_full else 0.12) * far))
        if found_mark is not None:
            src.append(mark)
            dst.append(found_mark[0])
            weight.append(1.0)
            blacks.append(found_mark[1])
    if len(blacks) + 2 * len(codes) < 4:
        return None
    marks = range(len(src) - len(blacks), len(src))
    matrix = _fit_projection_without_wrong_marks(np.array(src), np.array(dst), np.array(weight), marks)
    style = sheet.style
    image = cut_rectangle(grey, matrix, 0, 0, style.print_width_mm, style.print_height_mm, FLAT_PX_PER_MM)
    return FlatPage(_relative_darkness(image) / max(0.15, float(np.median(blacks)) if blacks else 0.8), image, matrix)


def _fit_projection_without_wrong_marks(
    source_points: FloatArray, target_points: FloatArray, weights: FloatArray, mark_indexes: Sequence[int]
) -> FloatArray:
    """The matrix that maps `source_points` to `target_points`, without up to two marks that are far from their expected
    places. `mark_indexes`: the indices of the marks among the points; the other points are corners of codes."""

    def fit_without(mark: int) -> FloatArray:
        return _fit_projection(source_points, target_points, np.where(indexes == mark, 0, weights), False)

    def error_mm(matrix: FloatArray, mark: int) -> float:
        place, neighbour = project_points(matrix, source_points[mark] + np.array([[0, 0], [1, 0]]))
        return float(np.hypot(*(place - target_points[mark])) / max(1e-6, np.hypot(*(neighbour - place))))

    indexes = np.arange(len(weights))
    matrix = _fit_projection(source_points, target_points, weights, False)
    for _ in range(2):
        if len(mark_indexes) < 2:
            break
        errors = {mark: error_mm(fit_without(mark), mark) for mark in mark_indexes}
        worst_mark = max(mark_indexes, key=errors.__getitem__)
        other_marks, new_matrix = [mark for mark in mark_indexes if mark != worst_mark], fit_without(worst_mark)
        is_wrong = errors[worst_mark] >= 3 * MAX_CORNER_MARK_ERROR_MM
        if not is_wrong or any(error_mm(new_matrix, mark) > MAX_CORNER_MARK_ERROR_MM for mark in other_marks):
            break
        weights, mark_indexes, matrix = np.where(indexes == worst_mark, 0, weights), other_marks, new_matrix
    return matrix


def _corner_mark_and_darkness(
    grey: GreyArray, matrix: FloatArray, expected_centre: FloatArray, search_radius_mm: float
) -> tuple[FloatArray, float] | None:
    """The position of a mark in pixels, and its darkness; the mark is the squarest black spot near the expected place.
    None if there is none."""
    scale, side = 5, CORNER_MARK_SIZE_MM * 5
    margin = search_radius_mm + CORNER_MARK_SIZE_MM * 1.2
    corner = expected_centre - margin
    picture = cut_rectangle(grey, matrix, corner[0], corner[1], 2 * margin, 2 * margin, scale)
    white = max(30.0, float(np.percentile(picture, 85)))
    darkness = 1 - picture.astype(np.float64) / white
    total = np.pad(darkness, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    core, gap, ring = int(side * 0.42), int(side * 0.62), int(side * 0.82)
    height, width = darkness.shape
    y, x = np.ogrid[ring : height - ring, ring : width - ring]

    def darkness_in_squares(r: int) -> FloatArray:
        return np.asarray((total[y + r, x + r] - total[y - r, x + r]) - (total[y + r, x - r] - total[y - r, x - r]))

    core_darkness = darkness_in_squares(core) / (2 * core) ** 2
    ring_darkness = (darkness_in_squares(ring) - darkness_in_squares(gap)) / ((2 * ring) ** 2 - (2 * gap) ** 2)
    distance = np.hypot(x - (width - 1) / 2, y - (height - 1) / 2) / side
    score = core_darkness - 1.5 * ring_darkness - 0.04 * distance
    place = np.unravel_index(int(np.argmax(score)), score.shape)
    black = float(core_darkness[place])
    if black < 0.2 or ring_darkness[place] > 0.35 * black:
        return None
    cy, cx = float(place[0] + ring), float(place[1] + ring)
    reach_px = int(side * 0.68)
    for _ in range(2):  # centre of the ink
        top, first = round(cy) - reach_px, round(cx) - reach_px
        if top < 0 or first < 0 or top + 2 * reach_px >= height or first + 2 * reach_px >= width:
            return None
        ys, xs = np.nonzero(darkness[top : top + 2 * reach_px + 1, first : first + 2 * reach_px + 1] > 0.55 * black)
        if not 0.45 * side * side < len(xs) < 1.6 * side * side:  # a mark, not a line, a letter or a shadow
            return None
        cy, cx = top + ys.mean(), first + xs.mean()
    return project_points(matrix, corner + (np.array([cx, cy]) + 0.5) / scale), black


def _relative_darkness(flat_grey: GreyArray) -> DarknessArray:
    """The darkness of each pixel relative to its surroundings, 0 for white paper, so that shadows and grey scans do not
    count. Negative values stay, so that noise averages out."""
    block = 8 * FLAT_PX_PER_MM
    height, width = flat_grey.shape
    rows, columns = -(-height // block), -(-width // block)
    canvas = np.pad(flat_grey, ((0, rows * block - height), (0, columns * block - width)), mode="edge")
    tiles = canvas.reshape(rows, block, columns, block).transpose(0, 2, 1, 3).reshape(rows, columns, -1)
    white = np.percentile(tiles[:, :, ::5], 65, axis=2).astype(np.float32)
    edge = np.pad(white, 1, mode="edge")
    neighbours = np.stack([edge[i : i + rows, j : j + columns] for i in range(3) for j in range(3)])
    white = np.maximum(white, np.median(neighbours, axis=0))  # a tile full of ink takes the white of its neighbours
    size = (columns * block, rows * block)
    paper = np.asarray(Image.fromarray(white).resize(size, Image.Resampling.BILINEAR))[:height, :width]
    return np.asarray(1 - flat_grey.astype(np.float32) / np.maximum(paper, 30))
