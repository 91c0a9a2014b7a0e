"""Screens of a terminal as SVG: one still, or several as an animation that needs no script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

CELL_W, CELL_H = 8.4, 18
COLOURS = {
    "30": "#1b1f24", "31": "#ff7b72", "32": "#7ee787", "33": "#f2cc60", "34": "#2d6cdf", "35": "#d2a8ff",
    "36": "#56d4dd", "37": "#f0f6fc", "90": "#8b949e", "40": "#0d1117", "41": "#b62324", "44": "#1f5fbf",
}  # fmt: skip


def picture(screen: str, columns: int, rows: int) -> str:
    """A screen with its SGR codes as an SVG."""
    return _svg(columns, rows, [*_screen(screen, rows)])


def animation(frames: Sequence[tuple[str, float]], columns: int, rows: int, still: int) -> str:
    """(screen, seconds) in turn, for ever. Where motion is not wanted, the frame `still` alone."""
    total = sum(seconds for _, seconds in frames)
    rules, shown, start = [], [], 0.0
    for number, (screen, seconds) in enumerate(frames):
        first, last = 100 * start / total, 100 * (start + seconds) / total
        begin = (
            "0%{visibility:visible}" if number == 0 else f"0%{{visibility:hidden}}{first:.3f}%{{visibility:visible}}"
        )
        rules.append(f"@keyframes f{number}{{{begin}{last:.3f}%{{visibility:hidden}}}}")
        rules.append(f"#f{number}{{animation:f{number} {total:g}s steps(1) infinite}}")
        shown.append(f'<g id="f{number}" visibility="{"visible" if number == still else "hidden"}">')
        shown += [*_screen(screen, rows), "</g>"]
        start += seconds
    rules.append("@media (prefers-reduced-motion: reduce){g{animation:none!important}}")
    return _svg(columns, rows, [f"<style>{chr(10).join(rules)}</style>", *shown])


def _svg(columns: int, rows: int, content: Sequence[str]) -> str:
    width, height = columns * CELL_W + 16, rows * CELL_H + 16
    head = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}">',
        '<rect width="100%" height="100%" rx="6" fill="#0d1117"/>',
        '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" fill="#e6edf3">',
    ]
    return "\n".join([*head, *content, "</g>", "</svg>"]) + "\n"


def _screen(screen: str, rows: int) -> list[str]:
    parts, state = [], set[str]()  # tmux tells what changes, also from one line to the next
    for row, line in enumerate(screen.split("\n")[:rows]):
        column = 0
        for piece in re.split(r"(\x1b\[[\d;]*m)", line):
            if piece.startswith("\x1b["):
                state = _changed(state, piece[2:-1])
            elif piece:
                parts += _run(piece, column, row, state)
                column += len(piece)
    return parts


def _changed(state: set[str], codes: str) -> set[str]:
    """The attributes after one SGR sequence."""
    for code in codes.split(";"):
        if code in ("", "0"):
            state = set()
        elif code == "39":
            state = {s for s in state if not (s.startswith(("3", "9")) and len(s) == 2)}
        elif code == "49":
            state = {s for s in state if not s.startswith("4")}
        else:
            kind = code[0] if len(code) == 2 else ""
            state = {s for s in state if not (len(s) == 2 and s[0] == kind)} | {code}
    return state


def _run(text: str, column: int, row: int, state: set[str]) -> list[str]:
    """One stretch of equal attributes."""
    x, y = 8 + column * CELL_W, 8 + row * CELL_H
    front = next((COLOURS[s] for s in sorted(state) if s in COLOURS and s[0] in "39"), "#e6edf3")
    back = next((COLOURS[s] for s in sorted(state) if s in COLOURS and s[0] == "4"), "")
    if "7" in state:
        front, back = back or "#0d1117", front
    weight = ' font-weight="bold"' if "1" in state else ""
    made = []
    if back:
        made.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{len(text) * CELL_W:.1f}" height="{CELL_H}" fill="{back}"/>')
    if text.strip():
        shown = escape(text).replace(" ", "\u00a0")  # browsers fold plain spaces here
        made.append(
            f'<text x="{x:.1f}" y="{y + 13.5:.1f}" fill="{front}"{weight} textLength="{len(text) * CELL_W:.1f}" '
            f'lengthAdjust="spacingAndGlyphs">{shown}</text>'
        )
    return made
