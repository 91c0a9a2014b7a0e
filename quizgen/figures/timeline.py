"""Spans of time in rows: what runs when, and what overlaps."""

from __future__ import annotations

from collections.abc import Mapping

from quizgen.figures.canvas import FILLS, LETTER, Canvas, Drawing, DrawnAmount, FigureError, Settings, known, rows

WIDE, ROW, LEFT = 440, 30, 120
CELLS = 56


def timeline(settings: Settings) -> Drawing:
    """Settings: `rows`, a mapping of rows to mappings of spans to `[from, to]`."""
    known(settings, ("rows",))
    made = [(name, _spans(name, spans)) for name, spans in rows(settings, "rows", 16)]
    end = max(to.value for _, spans in made for _, _, to in spans)
    names = list(dict.fromkeys(name for _, spans in made for name, _, _ in spans))
    # A span too short for its name has it below.
    short = [
        n for n in names if any(_room(s, to, end) < len(n) * LETTER for _, ss in made for m, s, to in ss if m == n)
    ]
    canvas = Canvas(LEFT + WIDE + 20, len(made) * ROW + 40 + 26 * -(-len(short) // 3))
    lines, words, below = [], [], []
    for number, (row, spans) in enumerate(made):
        top = 6 + number * ROW
        canvas.text(4, top + 18, row)
        canvas.line(LEFT, top + ROW - 3, LEFT + WIDE, top + ROW - 3, soft=True)
        cells = ["·"] * CELLS
        for name, start, to in spans:
            fill = FILLS[names.index(name) % len(FILLS)]
            canvas.box(LEFT + WIDE * start.value / end, top, WIDE * (to.value - start.value) / end, ROW - 6, fill, name)
            first, last = round(CELLS * start.value / end), max(1, round(CELLS * to.value / end))
            inside = f"{name[: max(0, last - first - 2)]:-^{max(0, last - first - 2)}}"
            cells[first:last] = list(f"[{inside}]"[: max(1, last - first)])
            words.append(f"{row}, {name}: {start.shown} to {to.shown}")
            if last - first - 2 < len(name):
                below.append(f"{'':<14} {name}: {start.shown} to {to.shown}")
        lines.append(f"{row:<14.14} {''.join(cells)[:CELLS]}")
    last_to = max((to for _, spans in made for _, _, to in spans), key=lambda a: a.value)
    canvas.text(LEFT, len(made) * ROW + 24, "0")
    canvas.text(LEFT + WIDE, len(made) * ROW + 24, last_to.shown, "end")
    for number, name in enumerate(short):
        x, y = LEFT + (number % 3) * 150, len(made) * ROW + 36 + (number // 3) * 26
        canvas.box(x, y, 14, 14, FILLS[names.index(name) % len(FILLS)])
        canvas.text(x + 20, y + 12, name)
    lines += [f"{'':<14} 0{last_to.shown:>{CELLS - 1}}", *below]
    return Drawing(canvas.svg(), tuple(lines), f"Timeline. {'; '.join(words)}.")


def _room(start: DrawnAmount, to: DrawnAmount, end: float) -> float:
    """Pixels of a span for its name."""
    return WIDE * (to.value - start.value) / end - 4


def _spans(row: str, spans: object) -> list[tuple[str, DrawnAmount, DrawnAmount]]:
    named = list(spans.items()) if isinstance(spans, Mapping) else []
    made = [(name, *ends) for name, given in named if (ends := _ends(given)) is not None]
    if not made or len(made) != len(named):
        raise FigureError(f"`{row}` must name spans with their ends", f"write {row}: {{forward: [0 ms, 20 ms]}}")
    return made


def _ends(given: object) -> tuple[DrawnAmount, DrawnAmount] | None:
    if isinstance(given, (list, tuple)) and len(given) == 2:
        start, to = given
        if isinstance(start, DrawnAmount) and isinstance(to, DrawnAmount) and 0 <= start.value < to.value:
            return start, to
    return None
