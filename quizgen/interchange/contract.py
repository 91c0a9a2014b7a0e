"""The interface of exporters and importers, and the tables in templates/interchange that they share."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, BinaryIO

from quizgen import data_folders
from quizgen.model import ScoreBand
from quizgen.portable_item import PortableItem, PortableNumber, PortableOption


@lru_cache(maxsize=8)
def load_interchange_table(name: str) -> dict[str, Any]:
    """The table `templates/interchange/NAME.toml`."""
    path = data_folders.shipped_folder_path("templates") / "interchange" / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


# The interfaces of exporters and importers, built in or from a plug-in. Their version is `plugins.CONTRACT`.
#
# An exporter's file defines `EXPORTER`, an importer's `IMPORTER`; plug-ins offer the same objects as entry points.

MAX_IMPORTED_ITEMS = 10_000  # items in one import


class CannotRead(Exception):
    """The file holds nothing that the importer can read. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class ExportContext:
    """The data of an export besides the items: the bank; `moment`, the time of the export in Unix seconds (exporters
    have no other clock); `root`, the folder of the bank's figures; `evidence`, lines about a candidate's answers by
    item."""

    bank: str
    title: str
    version: str = ""
    license: str = ""
    moment: int = 0
    root: str = ""
    evidence: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exporter:
    """One export format. `carries`: those of `PortableItem.content_by_name` that the format holds; the others are
    reported as lost for each item. `refuses` returns the reason why a variant cannot be exported at all (empty if it
    can). `needs`: a library and the extra that installs it. `figures_beside`: figures are files beside the export."""

    contract: int
    suffix: str
    carries: frozenset[str]
    write: Callable[[Sequence[PortableItem], ExportContext, BinaryIO], None]
    refuses: Callable[[PortableItem], str] = field(default=lambda plain: "")
    needs: tuple[str, str] = ("", "")
    figures_beside: bool = False

    @staticmethod
    def carries_of_format(name: str) -> frozenset[str]:
        """The names of the contents that a file of a built-in format can hold."""
        return frozenset(load_interchange_table("carries")[name])


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedItem:
    """One item from an importer; texts are Markdown. `name` identifies the item in its source (an id or a GUID; empty
    if it has none), so that a second import finds it again. `accepts` are short answers, any of which is right.
    `ascending`: the options are sorted. `criteria` are (points, criterion) for a person who marks. `todo` lists points
    for the author to check."""

    stem: str
    kind: str = "text"
    name: str = ""
    topic: str = ""
    options: tuple[PortableOption, ...] = ()
    policy: str = ""
    ascending: bool = False
    number: PortableNumber | None = None
    model_answer: str = ""
    accepts: tuple[str, ...] = ()
    criteria: tuple[tuple[Fraction, str], ...] = ()
    rationale: str = ""
    source: str = ""
    hints: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    points: Fraction | None = None
    seconds: int | None = None
    difficulty: int | None = None
    todo: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SelfRating:
    """How sure a user was of the imported item number `index`, counted from 0: `level` is 1 to 5; `at` is the Unix
    time of the rating in seconds, or None if the source does not say."""

    index: int
    level: int
    at: int | None = None


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The content of one file: items; `unread` lines as (line number or 0, text); self-ratings; the bands of a scoring
    guide, highest first; the title of the file; and `notes`, which are printed unchanged."""

    items: tuple[ImportedItem, ...]
    unread: tuple[tuple[int, str], ...] = ()
    ratings: tuple[SelfRating, ...] = ()
    bands: tuple[ScoreBand, ...] = ()
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.raise_if_too_many(len(self.items))

    @staticmethod
    def raise_if_too_many(count: int) -> None:
        """Raises CannotRead if `count` is above MAX_IMPORTED_ITEMS: the rest of the file is not read in vain."""
        if count > MAX_IMPORTED_ITEMS:
            raise CannotRead(f"it has more than {MAX_IMPORTED_ITEMS:,} items; split it into files of at most so many")

    @classmethod
    def from_pieces(cls, pieces: Iterable[tuple[int, ImportedItem | str]], notes: tuple[str, ...] = ()) -> ImportResult:
        """The result of reading a file piece by piece. A piece of `pieces` is (line number, item), or (line number,
        text that is no item or the reason why it is none). Raises CannotRead for too many items."""
        pairs = list(islice(pieces, MAX_IMPORTED_ITEMS + 1))
        cls.raise_if_too_many(len(pairs))
        items = tuple(found for _, found in pairs if isinstance(found, ImportedItem))
        return cls(items, tuple((line, text) for line, text in pairs if isinstance(text, str)), notes=notes)


@dataclass(frozen=True, slots=True)
class Importer:
    """One import format. `looks(data, suffix)` estimates how likely `data` is of this format, from 0 to 1; `read(data)`
    returns its items or raises CannotRead. `needs`: a library and the extra that installs it."""

    contract: int
    looks: Callable[[bytes, str], float]
    read: Callable[[bytes], ImportResult]
    needs: tuple[str, str] = ("", "")

    @classmethod
    def of_pieces(
        cls,
        looks: Callable[[bytes, str], float],
        read_pieces: Callable[[bytes], Iterable[tuple[int, ImportedItem | str]]],
        needs: tuple[str, str] = ("", ""),
    ) -> Importer:
        """The importer whose function `read_pieces(data)` yields what `ImportResult.from_pieces` takes."""
        return cls(1, looks, lambda data: ImportResult.from_pieces(read_pieces(data)), needs)
