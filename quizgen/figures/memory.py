"""Memory as stacked bars: what takes how much, against what there is."""

from __future__ import annotations

from quizgen.figures.canvas import FILLS, Canvas, Drawing, DrawnAmount, FigureError, Settings, amount, known, rows

WIDE, BAR, LEFT = 440, 34, 110
CELLS = 48  # characters of a bar in a terminal
MARKS = "█▓▒░#="


def memory_bars(settings: Settings) -> Drawing:
    """Settings: `bars`, a mapping of bars to mappings of parts to amounts; `limit`, what there is (optional)."""
    known(settings, ("bars", "limit"))
    bars = [(name, _parts(name, parts)) for name, parts in rows(settings, "bars", 12)]
    limit = amount(settings, "limit") if "limit" in settings else None
    most = max([sum(a.value for _, a in parts) for _, parts in bars] + [limit.value if limit else 0])
    names = list(dict.fromkeys(name for _, parts in bars for name, _ in parts))
    canvas = Canvas(LEFT + WIDE + 20, len(bars) * (BAR + 12) + 26 * -(-len(names) // 3) + 24)
    lines: list[str] = []
    words = []
    for number, (bar, parts) in enumerate(bars):
        top = 16 + number * (BAR + 12)
        canvas.text(4, top + 22, bar)
        at, row = float(LEFT), ""
        for name, part in parts:
            width = WIDE * part.value / most
            canvas.box(at, top, width, BAR, FILLS[names.index(name) % len(FILLS)], part.shown)
            at += width
            row += MARKS[names.index(name) % len(MARKS)] * max(1, round(CELLS * part.value / most))
        lines.append(f"{bar:<12.12} {row}")
        lines.append(f"{'':<12} {', '.join(f'{name} {part.shown}' for name, part in parts)}")
        words.append(f"{bar}: {', '.join(f'{name} {part.shown}' for name, part in parts)}")
    if limit is not None:
        x = LEFT + WIDE * limit.value / most
        canvas.line(x, 2, x, len(bars) * (BAR + 12) + 8)
        canvas.text(x - 4, 12, limit.shown, "end")
        lines.append(f"{'':<12} {' ' * max(0, round(CELLS * limit.value / most) - 1)}^ {limit.shown}")
        words.append(f"limit: {limit.shown}")
    below = len(bars) * (BAR + 12) + 24
    for number, name in enumerate(names):
        x, y = LEFT + (number % 3) * 150, below + (number // 3) * 26
        canvas.box(x, y, 14, 14, FILLS[number % len(FILLS)])
        canvas.text(x + 20, y + 12, name)
    lines.append(f"{'':<12} {'  '.join(f'{MARKS[n % len(MARKS)]} {name}' for n, name in enumerate(names))}")
    return Drawing(canvas.svg(), tuple(lines), f"Memory. {'. '.join(words)}.")


def _parts(bar: str, parts: object) -> list[tuple[str, DrawnAmount]]:
    if isinstance(parts, dict) and parts and all(isinstance(a, DrawnAmount) and a.value >= 0 for a in parts.values()):
        return list(parts.items())
    raise FigureError(
        f"`{bar}` must name parts and their amounts", f"write {bar}: {{weights: 26 GB, gradients: 26 GB}}"
    )
