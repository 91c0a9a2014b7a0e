"""Who sits at the terminal and how wide it is: light enough to come before anything heavy."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping

import click


def harmless(text: str) -> str:
    """Text that does nothing to a terminal but show."""
    if text.isascii() and text.isprintable():
        return text
    from quizgen.source import printable

    return printable(text)


def candidate_name(name: str | None, environment: Mapping[str, str]) -> str:
    chosen = name or environment.get("USER") or environment.get("USERNAME") or "candidate"
    if not 1 <= len(chosen) <= 100 or harmless(chosen) != chosen:
        raise click.UsageError("--candidate must be 1 to 100 characters, none of them a control character")
    return chosen


def columns(environment: Mapping[str, str]) -> int:
    """Lines at most 100 wide; 80 where nothing is known."""
    try:
        columns = int(environment.get("COLUMNS", "0")) or os.get_terminal_size(sys.stdout.fileno()).columns
    except (ValueError, OSError):
        columns = 80
    return max(20, min(columns, 100))
