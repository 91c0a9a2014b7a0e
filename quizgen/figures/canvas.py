"""Tools for figures: readers of settings, which raise FigureError, and shapes that become an SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

INK_COLOUR, LIGHT_COLOUR, PAPER_COLOUR = "#16181d", "#7d838e", "#ffffff"
# Colours that differ in grey and for colour-blind readers (after Okabe and Ito 2008).
FILL_COLOURS: Final = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d5d8de")
LETTER_WIDTH_PIXELS: Final = 7.2  # approximate width of a letter at 13 px
MAX_SHAPES: Final = 4096  # shapes in one figure


class FigureError(ValueError):
    """Settings that cannot be drawn; `hint` is the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@dataclass(frozen=True, slots=True)
class FigureAmount:
    """A number in base units, but in bytes instead of bits, and the text that people read."""

    value: float
    text: str

    def __str__(self) -> str:
        return self.text


FigureSetting = FigureAmount | str | Sequence["FigureSetting"] | Mapping[str, "FigureSetting"]
FigureSettings = Mapping[str, FigureSetting]


class Canvas:
    """The shapes of one SVG, all sizes in pixels; `left` is the width of the column of labels. Mutable."""

    def __init__(self, width: float, height: float, left: int = 0) -> None:
        self.size, self.left = (width, height), left
        self._shapes: list[str] = []

    def draw_box(
        self, x: float, y: float, width: float, height: float, fill: str = PAPER_COLOUR, label: str = ""
    ) -> None:
        at = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self._append_shape(f'<rect {at} fill="{fill}" stroke="{INK_COLOUR}" stroke-width="0.8"/>')
        if label and len(label) * LETTER_WIDTH_PIXELS <= width - 4:
            self.draw_text(x + width / 2, y + height / 2 + 4.5, label, "middle")

    def draw_line(
        self, x: float, y: float, to_x: float, to_y: float, has_arrow: bool = False, is_light: bool = False
    ) -> None:
        end = ' marker-end="url(#tip)"' if has_arrow else ""
        ink = LIGHT_COLOUR if is_light else INK_COLOUR
        self._append_shape(
            f'<line x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}" stroke="{ink}" stroke-width="1.2"{end}/>'
        )

    def draw_dot(self, x: float, y: float, radius: float, fill: str = PAPER_COLOUR) -> None:
        self._append_shape(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK_COLOUR}"/>')

    def draw_text(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        self._append_shape(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>')

    def to_svg(self) -> str:
        width, height = self.size
        tip = (
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{INK_COLOUR}"/></marker></defs>'
        )
        size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size}'
        style = f'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK_COLOUR}"'
        paper = f'<rect width="{width:g}" height="{height:g}" fill="{PAPER_COLOUR}"/>'
        return f"{head} {style}>{tip}{paper}{''.join(self._shapes)}</svg>"

    def _append_shape(self, svg_element: str) -> None:
        if len(self._shapes) >= MAX_SHAPES:
            raise FigureError("the figure has too many parts", "draw smaller values")
        self._shapes.append(svg_element)


def read_whole_number_setting(settings: FigureSettings, name: str, minimum: int, maximum: int) -> int:
    """A setting that must be a whole number from `minimum` to `maximum`. Raises FigureError."""
    value = settings.get(name)
    if isinstance(value, FigureAmount) and value.value == int(value.value) and minimum <= value.value <= maximum:
        return int(value.value)
    problem = f"not {value}" if value is not None else "which is missing"
    message = f"`{name}` must be a whole number from {minimum} to {maximum}, {problem}"
    raise FigureError(message, f"write {name}: {max(minimum, 4)}")


def read_amount_setting(settings: FigureSettings, name: str) -> FigureAmount:
    """A setting that must be a number above 0. Raises FigureError."""
    value = settings.get(name)
    if isinstance(value, FigureAmount) and value.value > 0:
        return value
    raise FigureError(f"`{name}` must be a number above 0", f"write {name}: 4, or the name of a value of the item")


def read_word_setting(settings: FigureSettings, name: str, allowed_words: Sequence[str]) -> str:
    """A setting that must be one of `allowed_words`; the first if it is missing. Raises FigureError."""
    value = settings.get(name, allowed_words[0])
    if value in allowed_words:
        return str(value)
    raise FigureError(f"`{name}` is not {value}", f"one of: {', '.join(allowed_words)}")


def read_mapping_setting(settings: FigureSettings, name: str, max_entries: int = 24) -> list[tuple[str, FigureSetting]]:
    """A setting that must be a mapping of labels to settings, as pairs in its order. Raises FigureError."""
    value = settings.get(name)
    if isinstance(value, Mapping) and 0 < len(value) <= max_entries:
        return list(value.items())
    hint = f"write {name}: {{weights: 26 GB, gradients: 26 GB}}"
    raise FigureError(f"`{name}` must name 1 to {max_entries} things", hint)
