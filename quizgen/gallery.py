"""The gallery: patterns of items, each with an example from a shipped bank."""

from __future__ import annotations

from dataclasses import dataclass

from quizgen import data_folders


@dataclass(frozen=True, slots=True)
class GalleryPattern:
    """A type of task with an example; `item` is BANK/ID, or BANK/CASE for a case."""

    name: str
    kind: str
    item: str
    about: str


def gallery_patterns() -> tuple[GalleryPattern, ...]:
    """All patterns in the order of the gallery."""
    import yaml  # slow

    text = (data_folders.shipped_folder_path("templates") / "new" / "patterns.yaml").read_text(encoding="utf-8")
    return tuple(GalleryPattern(**row) for row in yaml.safe_load(text)["patterns"])
