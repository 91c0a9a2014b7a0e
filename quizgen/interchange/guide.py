"""Scoring guides: a table of score ranges with a name and advice, which become the bands of a blueprint."""

from __future__ import annotations

import re
from fractions import Fraction

from quizgen.interchange.lines import NumberedLines
from quizgen.model import Band

_HEAD = re.compile(r"#*\s*(scoring|score|grading|marking)\s*(guide|key|table|bands?)?\s*:?\s*", re.IGNORECASE)
_ROW = re.compile(
    r"\|?\s*(\d{1,4})\s*(?:[-–—]|to)\s*(\d{1,4})\s*(%?)\s*[|:\t]\s*([^|\t]+?)\s*(?:[|\t]\s*([^|]*?)\s*)?\|?"
)


def bands(lines: NumberedLines) -> tuple[Band, ...]:
    """The bands of the first guide, from the top down; its lines are taken, its rules and headings furniture."""
    rows: list[tuple[int, int, bool, str, str]] = []
    inside = False
    for number, line in lines:
        text = line.strip()
        if _HEAD.fullmatch(text):
            inside = True
            lines.drop(number)
        elif inside and (row := _ROW.fullmatch(text)):
            rows.append((int(row[1]), int(row[2]), bool(row[3]), row[4], row[5] or ""))
            lines.taken.add(number)
        elif inside and text.startswith("|"):
            lines.drop(number)
        elif text:
            inside = False
    top = max((high for _, high, _, _, _ in rows), default=0)
    if not top:
        return ()
    made = [Band(Fraction(low, 100 if percent else top), name, advice) for low, _, percent, name, advice in rows]
    return tuple(sorted(made, key=lambda band: -band.start))
