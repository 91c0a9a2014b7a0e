"""A page to one file of a person's choice."""

from __future__ import annotations

from pathlib import Path

from quizgen.replacing import replacing


def write_page(path: Path, text: str) -> None:
    """Write it whole or leave what was there. Raises OSError."""
    with replacing(path) as file:
        file.write(text.encode("utf-8"))
