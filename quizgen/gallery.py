"""The gallery: patterns of items, each with an example from a shipped bank."""

from __future__ import annotations

from dataclasses import dataclass

from quizgen import data_folders
from quizgen.source import yaml


@dataclass(frozen=True, slots=True)
class GalleryPattern:
    """A type of task with an example; `item` is BANK/ID, or BANK/CASE for a case."""

    name: str
    kind: str
    item: str
    about: str


def gallery_patterns() -> tuple[GalleryPattern, ...]:
    """All patterns in the order of the gallery."""
    path = data_folders.shipped_folder_path("templates") / "new" / "patterns.yaml"
    top, _, _ = yaml.load_yaml(path, str(path))
    assert top is not None
    rows = top.mapping()["patterns"].entries("patterns")
    return tuple(GalleryPattern(**{name: node.text(name) for name, node in row.mapping().items()}) for row in rows)
