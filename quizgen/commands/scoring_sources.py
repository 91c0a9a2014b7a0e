"""`quizgen score`: files of every kind as blocks of lines."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from quizgen.commands.scoring_sittings import Attended
from quizgen.intake import exams, responses, sheets, sources, tables
from quizgen.intake.origin import Origin, look
from quizgen.intake.sources import Block


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
