"""A page to one file of a person's choice."""

from __future__ import annotations

from pathlib import Path


def write_page(path: Path, text: str) -> None:
    """Write it whole or leave what was there. Raises OSError."""
    if path.exists() and not path.is_file():  # a pipe or a device takes what it is given
        path.write_text(text, encoding="utf-8")
        return
    path = path.resolve()  # what a link leads to is replaced, not the link
    part = path.with_name(f".{path.name}.part")
    try:
        part.write_text(text, encoding="utf-8")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
