"""The tables in templates/interchange: grammars of text forms, headers of sheets, what the formats hold."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any, BinaryIO

from quizgen import data_folders
from quizgen.model import Band
from quizgen.portable_item import Plain, PlainNumber, PlainOption


@lru_cache(maxsize=8)
def table(name: str) -> dict[str, Any]:
    return tomllib.loads(
        (data_folders.shipped("templates") / "interchange" / f"{name}.toml").read_text(encoding="utf-8")
    )


def carried(form: str) -> frozenset[str]:
    """The names of `Plain.held` that a format's files hold."""
    return frozenset(table("carries")[form])


# What an exporter and an importer are, ours or another package's. The version is `plugins.CONTRACT`.
#
# An exporter's file holds `EXPORTER`, an importer's `IMPORTER`; other packages offer such objects as entry points.


MAX_ITEMS = 10_000  # of one import


class CannotRead(Exception):
    """A file that holds nothing an importer can read; the message says why and what to do."""


class TooManyItems(CannotRead):
    """A file of more items than are read at once."""


def limit_items(number: int) -> None:
    """Raises TooManyItems for more than MAX_ITEMS, before a reader takes time for the rest of its file."""
    if number > MAX_ITEMS:
        raise TooManyItems(f"it has more than {MAX_ITEMS:,} items; split it into files of at most so many")


@dataclass(frozen=True, slots=True)
class About:
    """What an exporter knows of the whole: the bank, `moment` (seconds of Unix time, the only clock there is),
    `root` (the folder of its figures) and `evidence` (lines on what the candidate said of an item)."""

    bank: str
    title: str
    version: str = ""
    license: str = ""
    moment: int = 0
    root: str = ""
    evidence: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exporter:
    """`carries`: which names of `Plain.held` the format holds; what it does not is told, item by item.
    `refuses` says why a variant cannot go in at all (empty: it can). `needs`: a library and its extra.
    `figures_beside`: its file names figures by their paths, and they are written beside it."""

    contract: int
    suffix: str
    carries: frozenset[str]
    write: Callable[[Sequence[Plain], About, BinaryIO], None]
    refuses: Callable[[Plain], str] = field(default=lambda plain: "")
    needs: tuple[str, str] = ("", "")
    figures_beside: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One item as read. `name` is what the source calls it (an id, a GUID; empty: nothing), by which a second
    import knows it again. `accepts` are short answers, each of which is right; `ascending`: its options are sorted;
    `criteria` are what a person gives points for.
    `todo` says what is uncertain; texts are Markdown."""

    stem: str
    kind: str = "text"
    name: str = ""
    line: int = 0
    topic: str = ""
    options: tuple[PlainOption, ...] = ()
    policy: str = ""
    ascending: bool = False
    number: PlainNumber | None = None
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
class Rating:
    """How sure someone said to be of an item (index into the items found), 1 to 5, and when (Unix time, or None)."""

    index: int
    level: int
    at: int | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """What a file held: items, what was not understood (line or 0, and its words), how many lines were furniture,
    ratings, and a scoring guide (shares from the top down). `notes` are said as they are."""

    items: tuple[Found, ...]
    unread: tuple[tuple[int, str], ...] = ()
    furniture: int = 0
    ratings: tuple[Rating, ...] = ()
    bands: tuple[Band, ...] = ()
    title: str = ""
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        limit_items(len(self.items))

    @classmethod
    def of(cls, met: Iterable[tuple[int, Found | str]], furniture: int = 0, **more: Any) -> Read:
        """Of what was met, line by line: an item, or a text that is none, or why there is none. Raises TooManyItems."""
        pairs: list[tuple[int, Found | str]] = []
        for pair in met:
            pairs.append(pair)
            limit_items(len(pairs))
        items = tuple(found for _, found in pairs if isinstance(found, Found))
        return cls(items, tuple((line, said) for line, said in pairs if isinstance(said, str)), furniture, **more)


@dataclass(frozen=True, slots=True)
class Importer:
    """`looks(data, suffix)` says how likely the bytes are of this format, 0 to 1; `read` takes them in.
    `read` raises CannotRead. `needs`: a library and its extra."""

    contract: int
    looks: Callable[[bytes, str], float]
    read: Callable[[bytes], Read]
    needs: tuple[str, str] = ("", "")
