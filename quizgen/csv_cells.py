"""Text in the cells of a sheet: written so that no spreadsheet computes it, and read back as it was.

A spreadsheet computes a cell that begins like a formula (CWE-1236), and what separates cells depends on
where it runs: a text is guarded at its start and behind every mark that might cut it in two there.
"""

from __future__ import annotations

import re

from quizgen.source.problems import printable

# Characters that make a cell a formula, here or in a spreadsheet of another language.
STARTS = frozenset("=+-@|%'\0＝＋－＠")
_CUTS = re.compile(r"([;\t\r\n])")
_BLANK = " \u00a0\u200b\ufeff"


def separator(text: str) -> str:
    """What parts the cells in the head of a sheet: comma, semicolon or tab."""
    return max(",;\t", key=text.partition("\n")[0].count)


def cell(text: str) -> str:
    """Text as a cell: an apostrophe before what would be computed, control characters spelled out."""
    if text.isprintable() and ";" not in text:  # nearly every cell
        return _guarded(text)
    text = text.replace("\0", "\ufffd")
    if not text.isprintable():
        text = "\r".join(map(printable, text.split("\r")))
    guarded = "".join(map(_guarded, _CUTS.split(text)))
    return "'" + guarded if guarded[:1] in ("\t", "\r", "\n") else guarded


def typed(text: str) -> str:
    """What was meant by a cell: the text that `cell` was given, but for what it spelled out."""
    if text[:1] == "'" and text[1:2] in ("\t", "\r", "\n"):
        text = text[1:]
    return "".join(p[1:] if p[:1] == "'" and _guarded(p[1:]) == p else p for p in _CUTS.split(text))


def as_typed(text: str) -> str:
    """A name as it comes back from a sheet that it was written to."""
    return typed(cell(text)).strip()


def _guarded(piece: str) -> str:
    return "'" + piece if piece.lstrip(_BLANK)[:1] in STARTS and piece.strip() else piece
