"""The gallery: patterns of items, each shown by an item of a bank that ships."""

from __future__ import annotations

from dataclasses import dataclass

from quizgen import data_folders
from quizgen.source import yaml


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of task; `item` is BANK/ID (of a case BANK/CASE)."""

    name: str
    kind: str
    item: str
    about: str


def patterns() -> tuple[Pattern, ...]:
    """All patterns in the order of the gallery."""
    path = data_folders.shipped("templates") / "new" / "patterns.yaml"
    top, _, _ = yaml.load(path, str(path))
    assert top is not None
    rows = top.mapping()["patterns"].entries("patterns")
    texts = [{name: node.text(name) for name, node in row.mapping().items()} for row in rows]
    return tuple(Pattern(row["name"], row["kind"], row["item"], row["about"]) for row in texts)
