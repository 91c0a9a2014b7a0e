"""Ranks in a ring or a tree, with what goes between them."""

from __future__ import annotations

from math import cos, pi, sin

from quizgen.figures.canvas import FILLS, Canvas, Drawing, Settings, known, whole, word


def rank_ring(settings: Settings) -> Drawing:
    """Settings: `n` ranks; each sends to the next."""
    known(settings, ("n",))
    n = whole(settings, "n", 2, 32)
    radius = max(60, n * 9)
    middle = radius + 24
    canvas = Canvas(2 * middle, 2 * middle)
    places = [(middle + radius * sin(2 * pi * i / n), middle - radius * cos(2 * pi * i / n)) for i in range(n)]
    for i, (x, y) in enumerate(places):
        to_x, to_y = places[(i + 1) % n]
        length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
        part = 16 / length
        canvas.line(
            x + (to_x - x) * part, y + (to_y - y) * part, to_x - (to_x - x) * part, to_y - (to_y - y) * part, True
        )
    for i, (x, y) in enumerate(places):
        canvas.dot(x, y, 14, FILLS[0])
        canvas.text(x, y + 4.5, str(i), "middle")
    row = " → ".join(str(i) for i in range(n))
    return Drawing(canvas.svg(), (f"{row} → 0",), f"{n} ranks in a ring; each sends to the next, the last to rank 0.")


def rank_tree(settings: Settings) -> Drawing:
    """Settings: `n` ranks in a binary tree; `flow` up (default: to rank 0) or down."""
    known(settings, ("n", "flow"))
    n, flow = whole(settings, "n", 2, 31), word(settings, "flow", ("up", "down"))
    depth = n.bit_length()
    wide = 44 * 2 ** (depth - 1)
    canvas = Canvas(wide, depth * 64)
    places: dict[int, tuple[float, float]] = {}
    for i in range(n):
        level = (i + 1).bit_length() - 1
        place = i + 1 - 2**level
        places[i] = (wide * (place + 0.5) / 2**level, 28.0 + level * 60)
    lines = []
    for i in range(1, n):
        (x, y), (above_x, above_y) = places[i], places[(i - 1) // 2]
        ends = (x, y - 15, above_x, above_y + 15) if flow == "up" else (above_x, above_y + 15, x, y - 15)
        canvas.line(*ends, arrow=True)
        lines.append(f"{i} → {(i - 1) // 2}" if flow == "up" else f"{(i - 1) // 2} → {i}")
    for i, (x, y) in places.items():
        canvas.dot(x, y, 14, FILLS[0])
        canvas.text(x, y + 4.5, str(i), "middle")
    words = "each sends to the rank above it" if flow == "up" else "each sends to the two below it"
    alt = f"{n} ranks in a binary tree with rank 0 on top; {words}."
    return Drawing(canvas.svg(), tuple("   ".join(lines[i : i + 8]) for i in range(0, len(lines), 8)), alt)
