"""Blocks to lines of text for a width: the terminal, `quizgen show`, keys and reports as text.

No control character of a bank or a response gets through: `printable` turns it into `\\u{..}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, assert_never

from quizgen.render.filling import (
    BARE,
    PLAIN,
    Look,
    Run,
    bare,
    clean,
    code_lines,
    marked,
    runs,
    width_of,
    wrap,
    wrapped,
)

if TYPE_CHECKING:  # a session begins without a page
    from quizgen import blocks as page
    from quizgen.blocks import Block, Inline

NARROW = 14  # columns below which a cell of a table is hard to read


def lines(content: Iterable[Block], width: int = 80, look: Look = PLAIN) -> list[str]:
    """The lines of some blocks, none wider than `width` columns, a blank line between blocks."""
    shown: list[str] = []
    for block in content:
        made = _block(block, max(width, 8), look)
        if made:
            shown += ([""] if shown else []) + made
    return shown


def inline_lines(text: str, width: int, look: Look, indent: str = "", first: str | None = None) -> list[str]:
    """A sentence of an author's Markdown, such as a hint or a fact that is given."""
    from quizgen.markdown import inline

    return wrapped(runs(inline(text)), width, look, indent, first)


def _block(block: Block, width: int, look: Look) -> list[str]:
    from quizgen import blocks as page
    from quizgen.render.unicode_math import text_of

    match block:
        case page.Para(parts):
            return wrapped(runs(parts), width, look)
        case page.Heading(parts, _):
            return wrapped(_alone("".join(t for t, _ in runs(parts)), look), width, look)
        case page.Code(text, _):
            return code_lines(text, width, look)
        case page.Math(tex):
            return wrapped([(clean(text_of(tex)).replace("\n", " "), "")], width, look, "      ", "    ")
        case page.Quote(inner):
            return [f"| {line}".rstrip() for line in lines(inner, width - 2, look)]
        case page.Stimulus(_, inner):
            return [f"| {line}".rstrip() for line in lines(inner, width - 2, look)]
        case page.Picture(_, drawn, alt):
            return (
                list(drawn) if max((width_of(line) for line in drawn), default=0) <= width else wrap(f"[{alt}]", width)
            )
        case page.Bullets(entries, ordered, start):
            return _bullets(entries, ordered, start, width, look)
        case page.Table(head, rows):
            return _table(head, rows, width, look)
        case page.ThematicBreak():
            return ["-" * min(width, 40)]
        case page.Options(options, _):
            return [
                line
                for index, option in enumerate(options)
                for line in wrapped(runs(option.parts), width, look, "     ", f"  {block.letter(index)}. ")
            ]
        case page.Blank() | page.Lines():
            return []
        case page.Steps():
            return _steps(block, width, look)
        case page.Scheme(rows, notes):
            return _scheme(rows, notes, width)
        case _:
            assert_never(block)


def _alone(text: str, look: Look) -> list[Run]:
    """A line of its own that is bold where the terminal can; without, it needs no mark to stand out."""
    return [(text, "b" if look.attributes else "")]


def _bullets(entries: Sequence[tuple[Block, ...]], ordered: bool, start: int, width: int, look: Look) -> list[str]:
    made = []
    for index, entry in enumerate(entries):
        mark = f"{start + index}. " if ordered else "- "
        inner = [line for block in entry for line in _block(block, max(width - len(mark), 8), look)]
        for n, line in enumerate(inner):
            made.append(((mark if n == 0 else " " * len(mark)) + line).rstrip())
    return made


def _steps(steps: page.Steps, width: int, look: Look) -> list[str]:
    made = wrapped(_alone(clean(steps.title), look), width, look) if steps.title else []
    if steps.source:
        made += wrap(steps.source, width, "  ")
    for name, value, what in steps.givens:
        made += wrap(f"{name} = {value}" + (f"  ({what})" if what else ""), width, "      ", "  ")
    for step in steps.steps:
        made += wrap(f"{step.name} = {step.expression}", width, "      ", "  ")
        margin = "  " + " " * min(width_of(clean(step.name)), width // 3)
        if step.substituted and step.substituted not in (step.expression, step.value):
            made += wrap(f"= {step.substituted}", width, f"{margin}   ", f"{margin} ")
        if step.value != step.expression:
            made += wrap(f"= {step.value}", width, f"{margin}   ", f"{margin} ")
    if steps.result:
        made += wrapped(_alone(clean(f"Result: {steps.result}"), look), width, look)
    if steps.convention:
        made += wrap(f"Convention: {steps.convention}", width, "  ", "")
    if steps.sanity:
        made += wrap(f"Sanity: {steps.sanity}", width, "  ", "")
    return made


def _scheme(
    rows: Sequence[tuple[str, str, tuple[tuple[str, ...], ...]]], notes: Sequence[str], width: int
) -> list[str]:
    made = []
    for points, says, phrases in rows:
        made += wrap(says, width, "      ", f"  [{points}] ")
        made += [line for p in phrases for line in wrap(" + ".join(p), width, "        ", "      - ")]
    return made + [line for note in notes for line in wrap(note, width, "    ", "  ")]


def _table(
    head: Sequence[tuple[Inline, ...]], rows: Sequence[Sequence[tuple[Inline, ...]]], width: int, look: Look
) -> list[str]:
    """Columns share the width: each gets what it needs, the widest give way first."""
    count = max([len(head), *(len(r) for r in rows)])
    if count == 0:
        return []
    titled = any(runs(c) for c in head)
    shown = [head, *rows] if titled else rows
    # Marks that become characters take columns too.
    grid = [[marked(runs(c), look) for c in row] + [[("", "")]] * (count - len(row)) for row in shown]
    needs = [max(1, *(sum(width_of(t) for t, _ in row[i]) for row in grid)) for i in range(count)]
    room = width - 2 * (count - 1)
    wanted = list(needs)
    while sum(needs) > room and max(needs) > 1:
        widest = max(range(count), key=lambda i: needs[i])
        needs[widest] -= 1
    if any(n < min(w, NARROW) for n, w in zip(needs, wanted, strict=True)):
        return _records(grid[0] if titled else [], grid[titled:], width, look)
    made = []
    for n, row in enumerate(grid):
        strong = "b" if titled and n == 0 and look.attributes else ""
        filled = [wrapped([(t, m or strong) for t, m in c], needs[i], look) for i, c in enumerate(row)]
        for level in range(max(len(c) for c in filled)):
            parts = [c[level] if level < len(c) else "" for c in filled]
            padded = [p + " " * (needs[i] - bare(p)) for i, p in enumerate(parts)]
            made.append("  ".join(padded).rstrip())
        if titled and n == 0:
            made.append("  ".join("-" * w for w in needs))
    return made


def _records(head: Sequence[list[Run]], rows: Sequence[list[list[Run]]], width: int, look: Look) -> list[str]:
    """A table too wide for its columns: a row is its first two cells (the first is often a letter),
    and below them a line or more for each other cell, behind its column's title."""
    made = []
    margin = 3
    for cells in rows:
        filled = [c for c in enumerate(cells) if any(t.strip() for t, _ in c[1])]
        if not filled:
            continue
        lead, others = filled[0][1], filled[1:]
        if others and sum(width_of(t) for t, _ in lead) < margin:
            lead = [*lead, (". ", ""), *others.pop(0)[1]]
        made += wrapped(lead, width, look, " " * margin, "")
        for index, cell in others:
            title = "".join(t for t, _ in head[index]) if index < len(head) else ""
            named = [(f"{title}: ", ""), *cell] if title else cell
            made += wrapped(named, width, look, " " * margin, " " * margin)
    return made


__all__ = ["BARE", "PLAIN", "Look", "clean", "inline_lines", "lines", "width_of", "wrap"]
