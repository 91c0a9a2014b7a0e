"""The interface of exporters and importers, and the tables in templates/interchange that they share."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any, BinaryIO

from quizgen import data_folders
from quizgen.model import ScoreBand
from quizgen.portable_item import ChoiceOption, PortableItem, PortableNumber


@lru_cache(maxsize=8)
def load_interchange_toml(table_name: str) -> dict[str, Any]:
    """The table `templates/interchange/NAME.toml`."""
    path = data_folders.shipped_folder_path("templates") / "interchange" / f"{table_name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


# The interfaces of exporters and importers, built in or from a plug-in. Their version is `plugins.CONTRACT`.
#
# An exporter's file defines `EXPORTER`, an importer's `IMPORTER`; plug-ins offer the same objects as entry points.

MAX_IMPORTED_ITEMS = 10_000  # items in one import


class CannotRead(Exception):
    """The file holds nothing that the importer can read. The message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class ExportContext:
    """The data of an export besides the items: the bank; `export_unix_time`, the time of the export in Unix seconds
    (exporters have no other clock); `bank_figure_folder`, the folder with the bank's figures;
    `missed_response_notes_by_item_id`, lines about responses of one candidate that missed points."""

    bank_name: str
    title: str
    bank_version: str = ""
    bank_license: str = ""
    export_unix_time: int = 0
    bank_figure_folder: str = ""
    missed_response_notes_by_item_id: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Exporter:
    """One export format. `supported_content`: those of `PortableItem.content_by_name` that the format holds; the others
    are reported as lost for each item. `refusal_reason` returns why a variant cannot be exported at all, or an empty
    text. `library_and_extra`: a library and the extra that installs it. `has_figure_files`: figures are files of
    their own."""

    contract: int
    suffix: str
    supported_content: Collection[str]
    write: Callable[[Sequence[PortableItem], ExportContext, BinaryIO], None]
    refusal_reason: Callable[[PortableItem], str] = field(default=lambda plain: "")
    library_and_extra: tuple[str, str] = ("", "")
    has_figure_files: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedItem:
    """One item from an importer; texts are Markdown. `name_in_source` identifies the item there (an id or a GUID;
    empty if it has none), so that a second import finds it again. `accepted_answers` are short answers, any of which is
    right. `has_ascending_options`: the options are sorted. `criteria` are (points, criterion) for a person who marks.
    `todo` lists points for the author to check."""

    stem: str
    kind: str = "text"
    name_in_source: str = ""
    topic: str = ""
    options: tuple[ChoiceOption, ...] = ()
    credit_policy: str = ""
    has_ascending_options: bool = False
    numeric_key: PortableNumber | None = None
    model_answer: str = ""
    accepted_answers: tuple[str, ...] = ()
    criteria: tuple[tuple[Fraction, str], ...] = ()
    rationale: str = ""
    cited_source: str = ""
    hints: tuple[str, ...] = ()
    facts_on_request: tuple[str, ...] = ()
    points: Fraction | None = None
    seconds: int | None = None
    difficulty: int | None = None
    todo: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SelfRating:
    """How sure a user was of the imported item number `item_index`, counted from 0: `confidence` is 1 to 5; `unix_time`
    is the Unix time of the rating in seconds, or None if the source does not say."""

    item_index: int
    confidence: int
    unix_time: int | None = None


@dataclass(frozen=True, slots=True)
class ImportResult:
    """The content of one file: items; `unread_lines` as (line number or 0, text); self-ratings; the bands of a
    scoring guide, highest first; the title of the file; and `messages`, which are printed unchanged."""

    items: tuple[ImportedItem, ...]
    unread_lines: tuple[tuple[int, str], ...] = ()
    self_ratings: tuple[SelfRating, ...] = ()
    score_bands: tuple[ScoreBand, ...] = ()
    title: str = ""
    messages: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.raise_if_too_many_items(len(self.items))

    @staticmethod
    def raise_if_too_many_items(item_count: int) -> None:
        """Raises CannotRead if `item_count` is above MAX_IMPORTED_ITEMS: the rest of the file is not read in vain."""
        if item_count > MAX_IMPORTED_ITEMS:
            raise CannotRead(f"it has more than {MAX_IMPORTED_ITEMS:,} items; split it into files of at most so many")

    @classmethod
    def from_numbered_items(
        cls, numbered_items: Iterable[tuple[int, ImportedItem | str]], messages: tuple[str, ...] = ()
    ) -> ImportResult:
        """The result of reading a file. Each of `numbered_items` is (line number, item), or (line number, text that is
        no item or the reason why it is none). Raises CannotRead for too many items."""
        pairs = list(islice(numbered_items, MAX_IMPORTED_ITEMS + 1))
        cls.raise_if_too_many_items(len(pairs))
        items = tuple(item for _, item in pairs if isinstance(item, ImportedItem))
        return cls(items, tuple((line, text) for line, text in pairs if isinstance(text, str)), messages=messages)


@dataclass(frozen=True, slots=True)
class Importer:
    """One import format. `likelihood(data, suffix)` is how likely `data` is of this format, from 0 to 1; `read(data)`
    returns its items or raises CannotRead. `library_and_extra`: a library and the extra that installs it."""

    contract: int
    likelihood: Callable[[bytes, str], float]
    read: Callable[[bytes], ImportResult]
    library_and_extra: tuple[str, str] = ("", "")

    @classmethod
    def from_item_reader(
        cls,
        likelihood: Callable[[bytes, str], float],
        read_items: Callable[[bytes], Iterable[tuple[int, ImportedItem | str]]],
        library_and_extra: tuple[str, str] = ("", ""),
    ) -> Importer:
        """The importer whose function `read_items(data)` yields what `ImportResult.from_numbered_items` takes."""
        return cls(1, likelihood, lambda data: ImportResult.from_numbered_items(read_items(data)), library_and_extra)
