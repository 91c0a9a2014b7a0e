"""A table of shards: which rank holds which part of what."""

from __future__ import annotations

from quizgen.figures.canvas import FILLS, LETTER, PAPER, Canvas, Drawing, FigureError, Settings, known, rows, whole

CELL, ROW, LEFT, GAP = 22, 26, 60, 18


def shard_table(settings: Settings) -> Drawing:
    """Settings: `ranks`; `states`, a mapping of names to `sharded` or `whole` (each rank holds all of it)."""
    known(settings, ("ranks", "states"))
    n = whole(settings, "ranks", 1, 16)
    states = [(name, str(how)) for name, how in rows(settings, "states", 4)]
    if any(how not in ("sharded", "whole") for _, how in states):
        raise FigureError("`states` are sharded or whole", "write states: {weights: whole, gradients: sharded}")
    longest = max(len(name) for name, _ in states)
    block = round(max(n * CELL, longest * LETTER)) + GAP
    canvas = Canvas(LEFT + len(states) * block + 10, n * ROW + 34)
    wide = max(n, longest)
    lines = [(" " * 9 + "  ".join(name.ljust(wide) for name, _ in states)).rstrip()]
    for number, (name, _) in enumerate(states):
        canvas.text(LEFT + number * block, 16, name)
    for rank in range(n):
        canvas.text(4, 26 + rank * ROW + 17, f"rank {rank}")
        row = []
        for number, (_, how) in enumerate(states):
            held = [how == "whole" or piece == rank for piece in range(n)]
            for piece, here in enumerate(held):
                fill = FILLS[number % len(FILLS)] if here else PAPER
                canvas.box(LEFT + number * block + piece * CELL, 26 + rank * ROW, CELL, ROW - 4, fill)
            row.append("".join("█" if here else "·" for here in held).ljust(wide))
        lines.append((f"rank {rank:<3} " + "  ".join(row)).rstrip())
    caption = ", ".join(f"{name} {'on every rank in full' if how == 'whole' else 'divided'}" for name, how in states)
    return Drawing(canvas.svg(), tuple(lines), f"{n} ranks: {caption}.")
