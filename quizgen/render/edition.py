"""How an exam is laid out: paper, size of print, limit, and the space that a response gets."""

from __future__ import annotations

from dataclasses import dataclass

SIZES = {"a4": "A4", "letter": "letter"}


# Room for rows of bubbles on an answer sheet, in mm: under the digit grid, and on a further sheet.
_ROOM = {
    ("a4", False): (126, 184),
    ("letter", False): (112, 167),
    ("a4", True): (72, 178),
    ("letter", True): (58, 160),
}


@dataclass(frozen=True, slots=True)
class SheetLayout:
    """An answer sheet: columns of a page, and rows on its first page and on each further one."""

    columns: int
    first: int
    more: int


@dataclass(frozen=True, slots=True)
class Edition:
    """Choices of the person who runs the exam; the same for all of its forms."""

    paper: str = "a4"  # a key of SIZES
    large: bool = False  # 18 pt
    limit: str = "soft"  # "hard" locks the page when the time is up
    sheet: bool = True  # a bubble sheet for choice items
    instructions: tuple[str, ...] = ()

    def classes(self) -> str:
        return f"paper-{self.paper}{' large-print' if self.large else ''}"

    def rules(self, code: str, heading: str = "") -> str:
        """The page rules of one document: size, margins, form code and page count on every page.

        A `heading` stands at the top of every page, in the place of the initials below.
        """
        margin = "16mm 17mm 19mm" if not self.large else "16mm 15mm 21mm"
        size = 18 if self.large and not heading else 9
        font = f'font: {size}pt "Liberation Sans", Arial, Helvetica, sans-serif; color: #000'
        if heading:
            last = f'@top-center {{ content: "{heading}"; font-weight: bold; {font}; }}'
        else:
            last = f'@bottom-right {{ content: "Initials ________"; {font}; }}'
        return (
            f"@page {{ size: {SIZES[self.paper]}; margin: {margin}; "
            f'@bottom-left {{ content: "{code}"; {font}; }} '
            f'@bottom-center {{ content: "Page " counter(page) " of " counter(pages); {font}; }} {last} }}'
        )

    def sheet_layout(self, letters: int) -> SheetLayout:
        """The answer sheet for rows of up to so many bubbles; long rows go on over several lines."""
        if self.large:
            columns, line, bubbles = (2 if letters <= 5 else 1), 12, 13
        else:
            columns, line, bubbles = (3 if letters <= 5 else 2 if letters <= 9 else 1), 7, 21
        height = line * -(-letters // bubbles)
        first, more = _ROOM[self.paper, self.large]
        return SheetLayout(columns, columns * (first // max(height, 1)), columns * (more // max(height, 1)))

    def working_lines(self, seconds: int) -> int:
        """Ruled lines for a number's working: by the item's time alone, never by its solution."""
        return max(3, min(9 if not self.large else 8, round(seconds / 30) + 1))

    def text_lines(self, seconds: int) -> int:
        """Ruled lines for a text, about one for every 16 seconds: two items of three minutes share a page."""
        return max(4, min(18 if not self.large else 13, round(seconds / 16)))


def about(seconds: int) -> str:
    """A time budget as people say it: `45 s`, `1.5 min`, `2 min`."""
    if seconds < 60:
        return f"{seconds} s"
    halves = round(seconds / 30)
    return f"{halves // 2}{'.5' if halves % 2 else ''} min"
