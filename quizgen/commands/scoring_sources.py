"""`quizgen score`: files of every kind as blocks of lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain

import click

from quizgen.commands.scoring_asked import ScoreOptions, bank_of
from quizgen.commands.scoring_sittings import Attended, sat_of
from quizgen.intake import exams, responses, sheets, sources, tables
from quizgen.intake.origin import Origin, look
from quizgen.intake.sources import Block
from quizgen.model import Bank


@dataclass(frozen=True, slots=True)
class Sourced:
    """What a run starts from: who sat, the sources, their first blocks looked into for what they name, and the bank."""

    sat: Attended
    opened: Opened
    origin: Origin
    blocks: Iterator[Block]
    bank: Bank


def sourced(asked: ScoreOptions, files: list[str]) -> Sourced:
    """The manifest that was named, or that lies beside the files; the bank that was named, or that these name."""
    place = asked.manifest or exams.manifest_beside((*files, *asked.sheet))
    manifest = exams.read_manifest(place) if place else None
    if asked.sheet and manifest is None:
        raise click.UsageError("--sheet needs --manifest: the manifest.json that was written beside the forms")
    sat, origin = sat_of(asked, manifest, files), Origin()
    opened = Opened(files, asked.sheet, sat, asked.scheduler is None)
    named = asked.bank is not None or asked.against is not None or sat.manifest is not None
    blocks = opened.blocks(None if named else origin)
    return Sourced(sat, opened, origin, blocks, bank_of(asked, sat.manifest, origin, files))


class Opened:
    """The sources of a run as blocks; `names` by source number. May be read twice unless it is a stream."""

    def __init__(self, files: list[str], sheets: tuple[str, ...], sat: Attended, in_place: bool) -> None:
        self.files, self.sheets, self.sat, self.manifest, self.in_place = files, sheets, sat, sat.manifest, in_place
        self.names = tuple("standard input" if f == "-" else f for f in (*files, *sheets))

    def handed_in(self) -> frozenset[int]:
        """The sources that hold one form of each candidate."""
        return frozenset(
            number
            for number, name in enumerate((*self.files, *self.sheets))
            if number >= len(self.files)
            or exams.is_answers(name)
            or (tables.is_table(name) and not tables.is_long(name))
        )

    def blocks(self, origin: Origin | None = None) -> Iterator[Block]:
        """All blocks in order. With an `origin`, logs are looked into for their bank first."""
        parts: list[Iterator[Block]] = []
        for number, name in enumerate((*self.files, *self.sheets)):
            part = self._of(number, name)
            parts.append(part if origin is None else look(part, origin))
        return chain.from_iterable(parts)

    def _of(self, number: int, name: str) -> Iterator[Block]:
        if number < len(self.files) and responses.is_parquet(name):
            yield from responses.parquet_of(number, name)
        elif number < len(self.files) and tables.is_long(name):
            yield from responses.rows_of(number, name)
        elif number >= len(self.files) or tables.is_table(name):
            yield replace(sheets.sheet(name, self.manifest), source=number)
        elif exams.is_answers(name):
            if name not in self.sat.left_out:
                yield replace(exams.answers(name, self.manifest, self.sat.late.word == "exclude"), source=number)
        else:
            stream = sys.stdin.buffer if name == "-" else None
            yield from sources.blocks(number, name, stream, self.in_place)
