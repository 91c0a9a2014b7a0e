"""Figures drawn from an item's values: what an item file says of one, with the item's values in its settings; and the
drawings, each kind a function and a row of `DRAW_AND_SETTING_NAMES_BY_KIND`.

The function turns settings (texts, `FigureAmount`s, and lists and mappings of both) into a `DrawnFigure`. Before the
kinds, the shapes that become an SVG, and readers of settings, which raise FigureError."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import pairwise
from math import cos, log10, pi, sin
from typing import Any

from quizgen import plugins
from quizgen.formula import FormulaError, units
from quizgen.formula.quantity import Quantity, parse_quantity
from quizgen.formula.show import format_drawn_quantity
from quizgen.formula.units import BankUnits, as_bank_units, dimension_text
from quizgen.page import DrawnFigure
from quizgen.source.problems import Location, Node, printable

BARE_VALUE_NAME_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class FigureError(ValueError):
    """Settings that cannot be drawn; `hint` is the remedy."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class FigureAmount:
    """A number in base units, but in bytes instead of bits, and the text that people read."""

    base_value: float
    text: str
    dim: units.Dim = units.DIMENSIONLESS

    def __str__(self) -> str:
        return self.text


FigureSetting = FigureAmount | str | Sequence["FigureSetting"] | Mapping[str, "FigureSetting"]
FigureSettings = Mapping[str, FigureSetting]


@dataclass(frozen=True, slots=True)
class FigureSpec:
    """A figure in an item file. `setting_by_name` have texts as written; a text that names one of the item's values is
    replaced by that value. `bank_units` are the bank's own units."""

    kind: str
    setting_by_name: Mapping[str, object]
    alt: str
    location: Location
    bank_units: BankUnits = ()

    def name_like_setting_texts(self) -> Iterator[str]:
        """Yields the texts of the settings that may be names of values."""
        texts: list[str] = []
        _setting_with_changed_texts(self.setting_by_name, texts.append)
        return filter(BARE_VALUE_NAME_PATTERN.fullmatch, texts)

    def settings_with_amounts(self, amount_by_name: Mapping[str, FigureAmount]) -> FigureSettings:
        """The settings with amounts in place of texts that name one of `amount_by_name` or are a quantity."""

        def amount_or_text(text: str) -> FigureAmount | str:
            if text in amount_by_name:
                return amount_by_name[text]
            try:
                return figure_amount_of_quantity(parse_quantity(text, None, self.bank_units))
            except (FormulaError, OverflowError):
                return text

        settings: FigureSettings = _setting_with_changed_texts(self.setting_by_name, amount_or_text)
        return settings


def read_figure_spec(node: Node) -> FigureSpec | None:
    """The figure of `{kind: …, alt: …, setting: …}`; None if a mistake was reported."""
    fields = node.mapping("a drawn figure")
    if "kind" not in fields:
        node.report("a drawn figure needs `kind`", "write {kind: pipeline-schedule, p: 4, m: 8}")
        return None
    alt = printable(fields["alt"].text("alt").strip()) if "alt" in fields else ""
    kind = fields["kind"].text("kind").strip()
    entry_by_name = {name: entry for name, entry in fields.items() if name not in ("kind", "alt")}
    settings, labels = _setting_with_changed_texts(entry_by_name, str.strip), as_bank_units(node.doc.declared_units)
    return FigureSpec(kind, settings, alt, node.location, labels)


def figure_amount_of_quantity(quantity: Quantity) -> FigureAmount:
    """A quantity as a figure draws and prints it."""
    bits_per_byte = 8 ** quantity.unit.dim.power_of(units.DATA_DIMENSION)
    number = float(quantity.base_value / bits_per_byte)
    return FigureAmount(number, format_drawn_quantity(quantity), quantity.unit.dim)


def _setting_with_changed_texts(value: object, change: Callable[[str], Any]) -> Any:
    """A setting, or a part of one, with `change(text)` in place of each text; nodes of a file become what they hold."""
    if isinstance(value, Node):
        value = value.value
    if isinstance(value, Mapping):
        return {name: _setting_with_changed_texts(part, change) for name, part in value.items()}
    if isinstance(value, list):
        return [_setting_with_changed_texts(part, change) for part in value]
    return change(str(value))


INK_COLOUR, LIGHT_COLOUR, PAPER_COLOUR = "#16181d", "#7d838e", "#ffffff"
# Colours that differ in grey and for colour-blind readers (after Okabe and Ito 2008).
FILL_COLOURS = ("#56b4e9", "#e69f00", "#009e73", "#f0e442", "#cc79a7", "#d5d8de")
LETTER_WIDTH_PIXELS = 7.2  # approximate width of a letter at 13 px
LINE_SPACING_PIXELS = 26  # pixels between lines of a legend, a schedule or a table of shards
MAX_SHAPES_PER_FIGURE = 4096  # shapes in one figure
# Digits of backward passes in a terminal.
CIRCLED_DIGIT_TRANSLATION = {ord("0") + n: chr(0x2460 + n - 1) if n else "⓪" for n in range(10)}


class Canvas:
    """The shapes of one SVG, all sizes in pixels; `plot_left` is the width of the column of labels. Mutable."""

    def __init__(self, width: float, height: float, margin: int = 0) -> None:
        self.size, self.plot_left = (width, height), margin
        self._shapes: list[str] = []

    def draw_box(self, x: float, y: float, width: float, height: float, fill: str, label: str = "") -> None:
        attributes = f'x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"'
        self._append_shape(f'<rect {attributes} fill="{fill}" stroke="{INK_COLOUR}" stroke-width="0.8"/>')
        if label and len(label) * LETTER_WIDTH_PIXELS <= width - 4:
            self.draw_text(x + width / 2, y + height / 2 + 4.5, label, "middle")

    def draw_line(
        self, x: float, y: float, to_x: float, to_y: float, has_arrow: bool = False, is_light: bool = False
    ) -> None:
        end = ' marker-end="url(#tip)"' if has_arrow else ""
        ink = LIGHT_COLOUR if is_light else INK_COLOUR
        attributes = f'x1="{x:g}" y1="{y:g}" x2="{to_x:g}" y2="{to_y:g}"'
        self._append_shape(f'<line {attributes} stroke="{ink}" stroke-width="1.2"{end}/>')

    def draw_dot(self, x: float, y: float, radius: float, fill: str) -> None:
        self._append_shape(f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{INK_COLOUR}"/>')

    def draw_text(self, x: float, y: float, text: str, anchor: str = "start") -> None:
        self._append_shape(f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}">{escape(text)}</text>')

    def to_svg(self) -> str:
        width, height = self.size
        size = f'width="{width:g}" height="{height:g}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" {size} '
            f'font-family="Helvetica, Arial, sans-serif" font-size="13" fill="{INK_COLOUR}">'
            '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
            f'<path d="M0 0L8 4L0 8z" fill="{INK_COLOUR}"/></marker></defs>'
            f'<rect {size} fill="{PAPER_COLOUR}"/>{"".join(self._shapes)}</svg>'
        )

    def _append_shape(self, svg_element: str) -> None:
        if len(self._shapes) >= MAX_SHAPES_PER_FIGURE:
            raise FigureError("the figure has too many parts", "draw smaller values")
        self._shapes.append(svg_element)


def _fill_colour(number: int) -> str:
    """The colour of the part with this number, counted from 0."""
    return FILL_COLOURS[number % len(FILL_COLOURS)]


def read_whole_number_setting(settings: FigureSettings, name: str, minimum: int, maximum: int) -> int:
    """A setting that must be a whole number from `minimum` to `maximum`. Raises FigureError."""
    value = settings.get(name)
    if isinstance(value, FigureAmount) and minimum <= (number := value.base_value) <= maximum and number == int(number):
        return int(number)
    problem = f"not {value}" if value is not None else "which is missing"
    message = f"`{name}` must be a whole number from {minimum} to {maximum}, {problem}"
    raise FigureError(message, f"write {name}: {max(minimum, 4)}")


def read_amount_above_zero(settings: FigureSettings, name: str) -> FigureAmount:
    """A setting that must be a number above 0. Raises FigureError."""
    value = settings.get(name)
    if isinstance(value, FigureAmount) and value.base_value > 0:
        return value
    raise FigureError(f"`{name}` must be a number above 0", f"write {name}: 4, or the name of a value of the item")


def read_word_or_first_word(settings: FigureSettings, name: str, allowed_words: Sequence[str]) -> str:
    """A setting that must be one of `allowed_words`; the first if it is missing. Raises FigureError."""
    value = settings.get(name, allowed_words[0])
    if value in allowed_words:
        return str(value)
    raise FigureError(f"`{name}` is not {value}", f"one of: {', '.join(allowed_words)}")


def read_labelled_settings(settings: FigureSettings, name: str, max_count: int = 24) -> list[tuple[str, FigureSetting]]:
    """A setting that must be a mapping of labels to settings, as pairs in its order. Raises FigureError."""
    value = settings.get(name)
    if isinstance(value, Mapping) and 0 < len(value) <= max_count:
        return list(value.items())
    hint = f"write {name}: {{weights: 26 GB, gradients: 26 GB}}"
    raise FigureError(f"`{name}` must name 1 to {max_count} things", hint)


def draw_pipeline_schedule(settings: FigureSettings) -> DrawnFigure:
    """The schedule of a pipeline: the micro-batches on each stage over time. Settings: `p` stages, `m` micro-batches,
    `order` gpipe (default) or 1f1b. A backward pass takes twice as long as a forward pass."""
    stages, batches = read_whole_number_setting(settings, "p", 1, 16), read_whole_number_setting(settings, "m", 1, 32)
    order = read_word_or_first_word(settings, "order", ("gpipe", "1f1b"))
    work = schedule_passes_of_each_stage(stages, batches, order)
    end = max(start + length for stage in work for start, length, _, _ in stage)
    label_width = 64
    canvas = Canvas(label_width + end * LINE_SPACING_PIXELS + 10, stages * LINE_SPACING_PIXELS + 34)
    lines = []
    for number, stage in enumerate(work):
        top = 6 + number * LINE_SPACING_PIXELS
        canvas.draw_text(4, top + 17, f"stage {number}")
        row = ["·"] * end
        for start, length, batch, backward in stage:
            x, width = label_width + start * LINE_SPACING_PIXELS, length * LINE_SPACING_PIXELS
            canvas.draw_box(x, top, width, LINE_SPACING_PIXELS - 4, FILL_COLOURS[backward], str(batch + 1))
            digit = str((batch + 1) % 10)
            row[start : start + length] = [digit.translate(CIRCLED_DIGIT_TRANSLATION) if backward else digit] * length
        lines.append(f"stage {number:<2} {''.join(row)}")
    canvas.draw_text(label_width, stages * LINE_SPACING_PIXELS + 24, "time: a forward takes 1, a backward 2")
    alt = f"Schedule of {stages} pipeline stages with {batches} micro-batches ({order}): it takes {end} forward times."
    lines.append("         digits: forward of a micro-batch; circled: its backward")
    return DrawnFigure(canvas.to_svg(), tuple(lines), alt)


def schedule_passes_of_each_stage(
    stage_count: int, micro_batch_count: int, order: str
) -> list[list[tuple[int, int, int, bool]]]:
    """For each stage, its passes as (start, length, micro-batch, whether it is backward), each as early as possible.
    Times are in forward passes; `order` is gpipe or 1f1b."""
    todo = [_pass_order_of_stage(stage, stage_count, micro_batch_count, order) for stage in range(stage_count)]
    last = stage_count - 1
    # The end of each pass by (stage, micro-batch, backward); what the first stage takes in is there from the start.
    end_by_pass = {(-1, batch, False): 0 for batch in range(micro_batch_count)}
    stage_ends = [0] * stage_count
    work: list[list[tuple[int, int, int, bool]]] = [[] for _ in range(stage_count)]
    while any(todo):
        for stage in range(stage_count):
            while todo[stage]:
                batch, backward = todo[stage][0]
                predecessor = (min(stage + 1, last), batch, stage < last) if backward else (stage - 1, batch, False)
                if predecessor not in end_by_pass:
                    break
                start, length = max(stage_ends[stage], end_by_pass[predecessor]), 2 if backward else 1
                stage_ends[stage] = end_by_pass[stage, batch, backward] = start + length
                work[stage].append((start, length, batch, backward))
                todo[stage].pop(0)
    return work


def _pass_order_of_stage(stage: int, stage_count: int, micro_batch_count: int, order: str) -> list[tuple[int, bool]]:
    """The (micro-batch, backward) passes of a stage, in the order in which it starts them."""
    lead_count = micro_batch_count if order == "gpipe" else min(micro_batch_count, stage_count - stage)
    passes = [(batch + offset, not offset) for batch in range(micro_batch_count) for offset in (0, lead_count)]
    return [(batch, False) for batch in range(lead_count)] + [one for one in passes if one[0] < micro_batch_count]


def _draw_legend(canvas: Canvas, top: float, names: Sequence[str], names_in_colour_order: Sequence[str]) -> None:
    """Draws the names, three in a line, each behind a box in its colour. `names_in_colour_order`: the names in the
    order of `FILL_COLOURS`."""
    for number, name in enumerate(names):
        x, y = canvas.plot_left + (number % 3) * 150, top + (number // 3) * LINE_SPACING_PIXELS
        canvas.draw_box(x, y, 14, 14, _fill_colour(names_in_colour_order.index(name)))
        canvas.draw_text(x + 20, y + 12, name)


def draw_timeline(settings: FigureSettings) -> DrawnFigure:
    """Spans of time in rows, which show overlaps. Settings: `rows`, a mapping of rows to mappings of spans to `[from,
    to]`."""
    rows = [(name, _read_time_spans(name, spans)) for name, spans in read_labelled_settings(settings, "rows", 16)]
    bars = [span for _, spans in rows for span in spans]
    last = max((to for _, _, to in bars), key=lambda one: one.base_value)
    names = list(dict.fromkeys(name for name, _, _ in bars))
    width, height, cells = 440, 30, 56

    def pixels(start: FigureAmount, to: FigureAmount) -> float:
        return width * (to.base_value - start.base_value) / last.base_value

    # If a span is too short for its name, the name goes below.
    legend = [n for n in names if any(m == n and pixels(s, to) - 4 < len(n) * LETTER_WIDTH_PIXELS for m, s, to in bars)]
    canvas = Canvas(120 + width + 20, len(rows) * height + 40 + LINE_SPACING_PIXELS * -(-len(legend) // 3), margin=120)
    lines, notes = [], []
    for number, (row, spans) in enumerate(rows):
        top = 6 + number * height
        canvas.draw_text(4, top + 18, row)
        canvas.draw_line(canvas.plot_left, top + height - 3, canvas.plot_left + width, top + height - 3, is_light=True)
        marks = ["·"] * cells
        for name, start, to in spans:
            x, fill = canvas.plot_left + width * start.base_value / last.base_value, _fill_colour(names.index(name))
            canvas.draw_box(x, top, pixels(start, to), height - 6, fill, name)
            first = round(cells * start.base_value / last.base_value)
            end = max(first + 1, round(cells * to.base_value / last.base_value))
            room = max(0, end - first - 2)
            marks[first:end] = list(f"[{name[:room]:-^{room}}]"[: max(1, end - first)])
            if end - first - 2 < len(name):
                notes.append(f"{'':<14} {name}: {start.text} to {to.text}")
        lines.append(f"{row:<14.14} {''.join(marks)[:cells]}")
    canvas.draw_text(canvas.plot_left, len(rows) * height + 24, "0")
    canvas.draw_text(canvas.plot_left + width, len(rows) * height + 24, last.text, "end")
    _draw_legend(canvas, len(rows) * height + 36, legend, names)
    lines += [f"{'':<14} 0{last.text:>{cells - 1}}", *notes]
    words = [f"{row}, {name}: {start.text} to {to.text}" for row, spans in rows for name, start, to in spans]
    return DrawnFigure(canvas.to_svg(), tuple(lines), f"Timeline. {'; '.join(words)}.")


def _read_time_spans(row_name: str, setting: FigureSetting) -> list[tuple[str, FigureAmount, FigureAmount]]:
    """The (name, start, end) of each span in a row. Raises FigureError."""
    spans = []
    for name, ends in setting.items() if isinstance(setting, Mapping) else [("", setting)]:
        match ends:
            case [FigureAmount() as start, FigureAmount() as to] if 0 <= start.base_value < to.base_value and name:
                spans.append((name, start, to))
            case _:
                hint = f"write {row_name}: {{forward: [0 ms, 20 ms]}}"
                raise FigureError(f"`{row_name}` must name spans with their ends", hint)
    return spans


BAR_FILL_CHARACTERS = "█▓▒░#="  # parts of a bar in a terminal


def draw_memory_bars(settings: FigureSettings) -> DrawnFigure:
    """Memory as stacked bars with an optional limit. Settings: `bars`, a mapping of bars to mappings of parts to
    amounts; `limit`, the available memory (optional)."""
    bars = [(name, _read_bar_part_amounts(name, parts)) for name, parts in read_labelled_settings(settings, "bars", 12)]
    limit = read_amount_above_zero(settings, "limit") if "limit" in settings else None
    stacks = [[amount for _, amount in parts] for _, parts in bars]
    largest_sum = _largest_sum_of_addable_amounts(stacks if limit is None else [*stacks, [limit]])
    names = list(dict.fromkeys(name for _, parts in bars for name, _ in parts))
    plot_width, bar_height, cells = 440, 34, 48
    legend_top = len(bars) * (bar_height + 12) + 24
    canvas = Canvas(110 + plot_width + 20, legend_top + LINE_SPACING_PIXELS * -(-len(names) // 3), margin=110)
    lines: list[str] = []
    words = []
    for number, (bar, parts) in enumerate(bars):
        top = 16 + number * (bar_height + 12)
        canvas.draw_text(4, top + 22, bar)
        part_left, row = float(canvas.plot_left), ""
        for name, part in parts:
            width = plot_width * part.base_value / largest_sum
            canvas.draw_box(part_left, top, width, bar_height, _fill_colour(names.index(name)), part.text)
            part_left += width
            sign = BAR_FILL_CHARACTERS[names.index(name) % len(BAR_FILL_CHARACTERS)]
            row += sign * max(1, round(cells * part.base_value / largest_sum))
        amounts = ", ".join(f"{name} {part.text}" for name, part in parts)
        lines += [f"{bar:<12.12} {row}", f"{'':<12} {amounts}"]
        words.append(f"{bar}: {amounts}")
    if limit is not None:
        x = canvas.plot_left + plot_width * limit.base_value / largest_sum
        canvas.draw_line(x, 2, x, legend_top - 16)
        canvas.draw_text(x - 4, 12, limit.text, "end")
        lines.append(f"{'':<12} {' ' * max(0, round(cells * limit.base_value / largest_sum) - 1)}^ {limit.text}")
        words.append(f"limit: {limit.text}")
    _draw_legend(canvas, legend_top, names, names)
    signs = (f"{BAR_FILL_CHARACTERS[n % len(BAR_FILL_CHARACTERS)]} {name}" for n, name in enumerate(names))
    lines.append(f"{'':<12} {'  '.join(signs)}")
    return DrawnFigure(canvas.to_svg(), tuple(lines), f"Memory. {'. '.join(words)}.")


def _read_bar_part_amounts(bar_name: str, setting: object) -> list[tuple[str, FigureAmount]]:
    """The (name, amount) of each part of a bar. Raises FigureError."""
    parts = setting if isinstance(setting, dict) else {}
    if not parts or not all(isinstance(a, FigureAmount) and a.base_value >= 0 for a in parts.values()):
        hint = f"write {bar_name}: {{weights: 26 GB, gradients: 26 GB}}"
        raise FigureError(f"`{bar_name}` must name parts and their amounts", hint)
    return list(parts.items())


def _largest_sum_of_addable_amounts(stacks: Sequence[Sequence[FigureAmount]]) -> float:
    """The largest sum of a stack, or 1 if all are 0. All stacks share one scale: raises FigureError if amounts are of
    different kinds, such as 26 GB and 3 min."""
    for one, next_one in pairwise(amount for stack in stacks for amount in stack if amount.base_value):
        if units.dimension_of_sum(one.dim, next_one.dim) is None:
            kinds = f"{one} is {dimension_text(one.dim)}, {next_one} is {dimension_text(next_one.dim)}"
            raise FigureError(f"{kinds}: one scale cannot show both", "draw only amounts that can be added")
    return max(sum(amount.base_value for amount in stack) for stack in stacks) or 1.0


def draw_roofline(settings: FigureSettings) -> DrawnFigure:
    """The reachable speed of kernels by intensity, limited by memory or by compute. Settings: `peak` in FLOP/s,
    `bandwidth` in B/s, `kernels`, a mapping of names to intensities in FLOP/B."""
    peak, bandwidth = read_amount_above_zero(settings, "peak"), read_amount_above_zero(settings, "bandwidth")
    rows = read_labelled_settings(settings, "kernels", 12)
    kernels = [(name, a) for name, a in rows if isinstance(a, FigureAmount) and a.base_value > 0]
    if len(kernels) < len(rows):
        raise FigureError("`kernels` must give intensities above 0", "write kernels: {matmul: 300, softmax: 1}")
    ridge = peak.base_value / bandwidth.base_value
    low = min(ridge, *(a.base_value for _, a in kernels)) / 4
    high = max(ridge, *(a.base_value for _, a in kernels)) * 4
    floor = peak.base_value * low / ridge / 2
    left, top, right, bottom = 90, 16, 510, 236  # edges of the plot

    def x_at(intensity: float) -> float:
        return left + (right - left) * (log10(intensity) - log10(low)) / (log10(high) - log10(low))

    def y_at(flops: float) -> float:
        share = (log10(flops) - log10(floor)) / (log10(peak.base_value * 1.6) - log10(floor))
        return top + (bottom - top) * (1 - share)

    canvas = Canvas(right + 30, bottom + 46)
    canvas.draw_line(left, top, left, bottom)
    canvas.draw_line(left, bottom, right, bottom)
    canvas.draw_line(x_at(low), y_at(low * bandwidth.base_value), x_at(ridge), y_at(peak.base_value))
    canvas.draw_line(x_at(ridge), y_at(peak.base_value), x_at(high), y_at(peak.base_value))
    canvas.draw_line(x_at(ridge), y_at(peak.base_value), x_at(ridge), bottom, is_light=True)
    canvas.draw_text(left - 6, y_at(peak.base_value) + 4, peak.text, "end")
    canvas.draw_text(x_at(ridge), bottom + 18, f"{ridge:.3g} FLOP/B", "middle")
    canvas.draw_text((left + right) / 2, bottom + 38, "intensity (FLOP per byte)", "middle")
    lines = [f"peak {peak.text}, bandwidth {bandwidth.text}, ridge at {ridge:.3g} FLOP/B"]
    for number, (name, a) in enumerate(kernels):
        reach = min(peak.base_value, a.base_value * bandwidth.base_value)
        canvas.draw_dot(x_at(a.base_value), y_at(reach), 5, _fill_colour(number))
        canvas.draw_text(x_at(a.base_value) + 8, y_at(reach) + 14, name)
        lines.append(f"{name:<16.16} {a.text:>12}")
    alt = f"Roofline: {lines[0]}; kernels at {', '.join(f'{name} {a.text}' for name, a in kernels)}, in FLOP/B."
    return DrawnFigure(canvas.to_svg(), tuple(lines), alt)


def _draw_rank_circles(canvas: Canvas, centres: Sequence[tuple[float, float]]) -> None:
    for rank, (x, y) in enumerate(centres):
        canvas.draw_dot(x, y, 14, FILL_COLOURS[0])
        canvas.draw_text(x, y + 4.5, str(rank), "middle")


def draw_rank_ring(settings: FigureSettings) -> DrawnFigure:
    """`n` ranks in a ring; each sends to the next. Setting: `n`."""
    n = read_whole_number_setting(settings, "n", 2, 32)
    radius = max(60, n * 9)
    middle = radius + 24
    canvas = Canvas(2 * middle, 2 * middle)
    places = [(middle + radius * sin(2 * pi * i / n), middle - radius * cos(2 * pi * i / n)) for i in range(n)]
    for i, (x, y) in enumerate(places):
        to_x, to_y = places[(i + 1) % n]
        part = 16 / ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        step_x, step_y = (to_x - x) * part, (to_y - y) * part
        canvas.draw_line(x + step_x, y + step_y, to_x - step_x, to_y - step_y, True)
    _draw_rank_circles(canvas, places)
    row = " → ".join(map(str, (*range(n), 0)))
    return DrawnFigure(canvas.to_svg(), (row,), f"{n} ranks in a ring; each sends to the next, the last to rank 0.")


def draw_binary_tree_of_ranks(settings: FigureSettings) -> DrawnFigure:
    """`n` ranks in a binary tree. Settings: `n`; `flow` up (default: to rank 0) or down."""
    n, flow = read_whole_number_setting(settings, "n", 2, 31), read_word_or_first_word(settings, "flow", ("up", "down"))
    depth = n.bit_length()
    width = 44 * 2 ** (depth - 1)
    canvas = Canvas(width, depth * 64)
    levels = [(i + 1).bit_length() - 1 for i in range(n)]
    places = [(width * (i + 1.5 - 2**level) / 2**level, 28.0 + level * 60) for i, level in enumerate(levels)]
    lines = []
    for i in range(1, n):
        (x, y), (above_x, above_y) = places[i], places[(i - 1) // 2]
        ends = (x, y - 15, above_x, above_y + 15) if flow == "up" else (above_x, above_y + 15, x, y - 15)
        canvas.draw_line(*ends, has_arrow=True)
        lines.append(f"{i} → {(i - 1) // 2}" if flow == "up" else f"{(i - 1) // 2} → {i}")
    _draw_rank_circles(canvas, places)
    words = "each sends to the rank above it" if flow == "up" else "each sends to the two below it"
    alt = f"{n} ranks in a binary tree with rank 0 on top; {words}."
    return DrawnFigure(canvas.to_svg(), tuple("   ".join(lines[i : i + 8]) for i in range(0, len(lines), 8)), alt)


def draw_shard_table(settings: FigureSettings) -> DrawnFigure:
    """The parts of each state that each rank holds. Settings: `ranks`; `states`, a mapping of names to `sharded` or
    `whole` (each rank holds all of it)."""
    n = read_whole_number_setting(settings, "ranks", 1, 16)
    holdings = dict(read_labelled_settings(settings, "states", 4))
    if not {*map(str, holdings.values())} <= {"sharded", "whole"}:
        raise FigureError("`states` are sharded or whole", "write states: {weights: whole, gradients: sharded}")
    states = [(name, holding == "whole") for name, holding in holdings.items()]
    name_length, label_width, cell = max(len(name) for name, _ in states), 60, 22
    block = round(max(n * cell, name_length * LETTER_WIDTH_PIXELS)) + 18
    canvas = Canvas(label_width + len(states) * block + 10, n * LINE_SPACING_PIXELS + 34)
    column_width = max(n, name_length)
    lines = [(" " * 9 + "  ".join(name.ljust(column_width) for name, _ in states)).rstrip()]
    for number, (name, _) in enumerate(states):
        canvas.draw_text(label_width + number * block, 16, name)
    for rank in range(n):
        top = 26 + rank * LINE_SPACING_PIXELS
        canvas.draw_text(4, top + 17, f"rank {rank}")
        row = [[is_whole | (piece == rank) for piece in range(n)] for _, is_whole in states]
        for number, pieces in enumerate(row):
            for piece, is_held in enumerate(pieces):
                fill = (PAPER_COLOUR, _fill_colour(number))[is_held]
                canvas.draw_box(label_width + number * block + piece * cell, top, cell, LINE_SPACING_PIXELS - 4, fill)
        marks = ("".join("·█"[is_held] for is_held in pieces).ljust(column_width) for pieces in row)
        lines.append((f"rank {rank:<3} " + "  ".join(marks)).rstrip())
    caption = ", ".join(f"{name} {'on every rank in full' if is_whole else 'divided'}" for name, is_whole in states)
    return DrawnFigure(canvas.to_svg(), tuple(lines), f"{n} ranks: {caption}.")


# Each kind with its function and the names of its settings.
DRAW_AND_SETTING_NAMES_BY_KIND: dict[str, tuple[Callable[[FigureSettings], DrawnFigure], tuple[str, ...]]] = {
    "pipeline-schedule": (draw_pipeline_schedule, ("p", "m", "order")),
    "memory-bars": (draw_memory_bars, ("bars", "limit")),
    "rank-ring": (draw_rank_ring, ("n",)),
    "rank-tree": (draw_binary_tree_of_ranks, ("n", "flow")),
    "timeline": (draw_timeline, ("rows",)),
    "roofline": (draw_roofline, ("peak", "bandwidth", "kernels")),
    "shard-table": (draw_shard_table, ("ranks", "states")),
}


def drawn_figure_of_kind(kind: str, settings: FigureSettings, alt: str = "") -> DrawnFigure:
    """The figure of the kind `kind`, which may come from another package, with these settings; a non-empty `alt`
    replaces the description. Raises FigureError with a hint."""
    if kind in DRAW_AND_SETTING_NAMES_BY_KIND:
        draw, names = DRAW_AND_SETTING_NAMES_BY_KIND[kind]
        for name in settings:
            if name not in names:
                raise FigureError(f"there is no setting `{name}`", f"known: {', '.join(names)}")
        picture = draw(settings)
        return replace(picture, alt=alt or picture.alt)
    try:
        plugin = plugins.load_plugin(plugins.FIGURE_GROUP, kind, DRAW_AND_SETTING_NAMES_BY_KIND)
    except KeyError:
        known_kinds = ", ".join((*DRAW_AND_SETTING_NAMES_BY_KIND, *plugins.plugin_names_in_group(plugins.FIGURE_GROUP)))
        raise FigureError(f'there is no figure "{kind}"', f"known: {known_kinds}") from None
    except plugins.PluginError as error:
        raise FigureError(str(error), "update or remove that package") from None
    if not alt:
        raise FigureError("`alt` is missing", "say what the figure shows, for those who cannot see it")
    return DrawnFigure(str(plugin.draw({name: str(value) for name, value in settings.items()})), (f"[{alt}]",), alt)
