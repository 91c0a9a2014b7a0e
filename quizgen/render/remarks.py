"""A response with its evidence, and what a candidate is told about it, as pieces of a line.

The reason of an option is its author's and is Markdown, as the option is. Any other remark may
quote the candidate, so that nothing in it is a mark but a pair of backquotes around code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from quizgen.markdown import inline
from quizgen.model import Mark
from quizgen.page import CodeSpan, Inline, Text
from quizgen.source.problems import printable

_CODE = re.compile(r"`([^`\n]+)`")


def remark(text: str, of_option: bool) -> tuple[Inline, ...]:
    """`of_option`: the reason of an option that was taken."""
    if of_option:
        return inline(text)
    made: list[Inline] = []
    for number, piece in enumerate(_CODE.split(text)):
        if piece:
            made.append(CodeSpan(piece) if number % 2 else Text(piece))
    return tuple(made)


def cut(text: str, marks: Iterable[Mark]) -> list[tuple[str, bool]]:
    """A response in printable pieces, each with whether it is evidence of a mark: `("a b c", evidence (2, 3))` gives
    `[("a ", False), ("b", True), (" c", False)]`."""
    pieces: list[tuple[int, int, bool]] = []
    done = 0
    for start, end in sorted(span for mark in marks for span in mark.evidence):
        start, end = max(start, done), min(end, len(text))
        if start >= end:
            continue
        if start > done:
            pieces.append((done, start, False))
        elif pieces:  # this span goes on where the last one ended
            start = pieces.pop()[0]
        pieces.append((start, end, True))
        done = end
    if done < len(text):
        pieces.append((done, len(text), False))
    return [(printable(text[start:end]), marked) for start, end, marked in pieces]
