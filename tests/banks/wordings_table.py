"""What right and wrong wordings of every text item earn.

The files of `wordings/` hold, by item id, answers that an examiner would call right and answers that one would call
wrong. Files named C-* were written by a second writer who saw the stems alone, D-* by a third:
D-terse-and-sloppy before reading any rubric, D-fresh and D-exchanged after rubrics had been changed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import shipped

from quizgen.draw import Stream
from quizgen.model import Item, Variant
from quizgen.source import yaml

FOLDER = Path(__file__).with_name("wordings")


@cache
def items() -> dict[str, Item]:
    """The text items of the shipped banks."""
    found: dict[str, Item] = {}
    for name in shipped.NAMES:
        found |= {item.id: item for item in shipped.bank(name).items.values() if item.kind == "text"}
    return found


@cache
def wordings(files: str = "*") -> dict[str, dict[str, list[str]]]:
    """Right and wrong wordings by item, of all files that match."""
    found: dict[str, dict[str, list[str]]] = {}
    for path in sorted(FOLDER.glob(f"{files}.yaml")):
        top, document, _ = yaml.load_yaml(path, path.name)
        assert top is not None, path
        assert not document.problems, document.problems
        for name, entry in top.mapping().items():
            for side, texts in entry.mapping().items():
                found.setdefault(name, {"right": [], "wrong": []})[side] += texts.texts(side)
    return found


@cache
def variant_of(name: str) -> Variant:
    return items()[name].draw(Stream(name, "wordings"))


@cache
def share(name: str, text: str) -> float:
    """The share of an item's points that a text earns."""
    score: Any = variant_of(name).score(text)
    return float(score.earned / score.possible)


@dataclass(frozen=True)
class Row:
    """One item's shares: each right wording, each wrong one, and the model answer."""

    item: str
    right: tuple[float, ...]
    wrong: tuple[float, ...]
    model: float


@cache
def rows(files: str = "*") -> tuple[Row, ...]:
    return tuple(
        Row(
            name,
            tuple(share(name, text) for text in texts["right"]),
            tuple(share(name, text) for text in texts["wrong"]),
            share(name, str(getattr(items()[name], "model_answer", ""))),
        )
        for name, texts in sorted(wordings(files).items())
        if name in items()
    )


def mean(values: list[float] | tuple[float, ...]) -> float:
    return sum(values) / len(values) if values else 0.0


def means(files: str = "*") -> tuple[float, float]:
    """The mean share of all right wordings and of all wrong ones."""
    table = rows(files)
    return mean([x for row in table for x in row.right]), mean([x for row in table for x in row.wrong])
