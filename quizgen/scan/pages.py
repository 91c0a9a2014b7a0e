"""The pages of PDFs and pictures as grey arrays, even if some of them are damaged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pypdfium2
from numpy.typing import NDArray
from PIL import Image, ImageOps, ImageSequence, UnidentifiedImageError

GreyArray = NDArray[np.uint8]
SCAN_SUFFIXES = (".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".webp", ".bmp", ".gif")
PDF_DPI = 200  # resolution at which a PDF is drawn
MAX_PAGE_SIDE_PIXELS = 3600  # pixels of the longer side of a page: 300 dpi; a higher resolution adds nothing
PICTURE_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
MAX_PAGES_PER_FILE = 3_000  # pages in one file
MAX_PICTURE_PIXELS = 120_000_000  # pixels of a picture; a larger one is not a scan
MAX_PIXELS_PER_RUN = 30_000_000_000  # pixels in all files of a run: 3,000 pages at 300 dpi


@dataclass(frozen=True, slots=True)
class ScannedPage:
    """One page of a file, counted from 1. If it cannot be read, `grey` is None and `failure_reason` is the reason."""

    file_name: str
    page_number: int
    grey: GreyArray | None
    failure_reason: str = ""


@dataclass(slots=True)
class PixelBudget:
    """The number of pixels that a run may still read: the size of a page is only known once it is opened."""

    pixels_left: int = MAX_PIXELS_PER_RUN

    def spend_page(self, width: float, height: float) -> None:
        """Takes a page of `width` times `height` pixels from the budget. Raises OSError if too little is left."""
        if width * height > MAX_PICTURE_PIXELS:
            raise OSError(f"{width:.0f} × {height:.0f} pixels cannot be a scan of a page")
        self.pixels_left -= int(width * height)
        if self.pixels_left < 0:
            raise OSError("this run has read as many pixels as it may; scan the rest in another run")


def find_scan_files(paths: tuple[str, ...], suffixes: tuple[str, ...] = SCAN_SUFFIXES) -> list[str]:
    """The files to scan: each file of `paths`, and all pictures and PDFs in each folder of `paths`."""
    files: list[str] = []
    for path in paths:
        place = Path(path)
        inside = sorted(str(p) for p in place.rglob("*") if p.suffix.lower() in suffixes) if place.is_dir() else [path]
        files.extend(inside)
    return files


def read_scanned_pages(path: str, pixel_budget: PixelBudget | None = None) -> Iterator[ScannedPage]:
    """Yields the pages of a file. A damaged page, a file of another kind and a page beyond the `pixel_budget` count as
    pages that cannot be read."""
    pixel_budget = pixel_budget or PixelBudget()
    name = Path(path).name
    number = 0
    try:
        if not Path(path).is_file():
            raise OSError("not a plain file" if Path(path).exists() else "there is no such file")
        if _is_pdf(path):
            document = pypdfium2.PdfDocument(path)
            for number in range(1, _check_page_count(len(document)) + 1):
                page = document[number - 1]
                scale = pdf_pixels_per_point(page)
                pixel_budget.spend_page(*(scale * side for side in page.get_size()))
                try:
                    yield ScannedPage(
                        name, number, _limit_picture_size(page.render(scale=scale, grayscale=True).to_pil())
                    )
                except (pypdfium2.PdfiumError, ValueError, MemoryError) as error:
                    yield ScannedPage(name, number, None, f"the page cannot be drawn ({error})")
            return
        with Image.open(path, formats=PICTURE_FORMATS) as image:
            for frame in ImageSequence.Iterator(image):
                pixel_budget.spend_page(frame.width, frame.height)
                number = _check_page_count(number + 1)
                yield ScannedPage(name, number, _to_upright_grey(frame))
    except UnidentifiedImageError:
        yield ScannedPage(name, number + 1, None, "neither a PDF nor a picture")
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError, pypdfium2.PdfiumError) as error:
        why = getattr(error, "strerror", None) or str(error) or "damaged"
        yield ScannedPage(name, number + 1, None, f"cannot be read ({why})")


def _is_pdf(path: str) -> bool:
    """Whether the file's content is a PDF, whatever its name."""
    with open(path, "rb") as file:
        return b"%PDF-" in file.read(1024)


def _check_page_count(page_count: int) -> int:
    """The number of pages, unchanged. Raises OSError if it is too large for one class."""
    if page_count > MAX_PAGES_PER_FILE:
        raise OSError(f"more than {MAX_PAGES_PER_FILE} pages in one file; split it")
    return page_count


def pdf_pixels_per_point(page: pypdfium2.PdfPage) -> float:
    """Pixels per point (1/72 inch) at which a page is drawn."""
    return float(min(PDF_DPI / 72, MAX_PAGE_SIDE_PIXELS / max(1.0, *page.get_size())))


def _to_upright_grey(frame: Image.Image) -> GreyArray:
    """A picture in grey, turned upright as its camera recorded, with white for transparent parts."""
    turned = ImageOps.exif_transpose(frame)
    if turned.mode.startswith("I"):  # 16 bits a pixel
        return _limit_picture_size(
            Image.fromarray((np.asarray(turned, dtype=np.int64) >> 8).clip(0, 255).astype(np.uint8))
        )
    if "A" in turned.getbands() or "transparency" in turned.info:
        turned = turned.convert("RGBA")
        turned = Image.alpha_composite(Image.new("RGBA", turned.size, "white"), turned)
    return _limit_picture_size(turned.convert("L"))


def _limit_picture_size(image: Image.Image) -> GreyArray:
    """The grey picture, reduced by a whole factor if a side is longer than MAX_PAGE_SIDE_PIXELS."""
    factor = -(-max(image.size) // MAX_PAGE_SIDE_PIXELS)
    return np.asarray(image.reduce(factor) if factor > 1 else image)
