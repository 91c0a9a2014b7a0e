"""The cases of a bank by id, each file read when a case of it is asked for: most sessions need none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from quizgen import syntax
from quizgen.source import Document, Node

if TYPE_CHECKING:
    from quizgen.cases.case import Case
    from quizgen.cases.read import MakeItem


class CaseBook(Mapping[str, "Case"]):
    """Mutable only in what it has read. `files` are (text, document) by the name of the file without `.yaml`;
    `maker` makes the items of a file, which lends them its synonyms."""

    def __init__(self, files: Mapping[str, tuple[str, Document]], maker: Callable[[Node], MakeItem]) -> None:
        self._files = files
        self._maker: Final = maker
        self._read: dict[str, dict[str, Case]] = {}

    def __getitem__(self, name: str) -> Case:
        for file in sorted(self._files, key=lambda f: (f != name, f)):
            found = self._cases(file).get(name)
            if found is not None:
                return found
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for file in sorted(self._files):
            yield from self._cases(file)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return bool(self._files)

    def _cases(self, file: str) -> dict[str, Case]:
        if file not in self._read:
            from quizgen.cases.read import read_cases

            text, doc = self._files[file]
            top = syntax.parse(text, doc)
            made: list[Case] = []
            if top is not None and top.shape != "mapping":
                top.report("the top must be a mapping with `cases:`", "begin the file with `cases:`")
            elif top is not None:
                made = read_cases(top, self._maker(top))
            others = {name for done in self._read.values() for name in done}
            for case in made:
                if case.id in others:
                    line, column = case.where.line, case.where.column
                    doc.report(line, column, f'case "{case.id}" is there twice', "give each an id of its own")
            self._read[file] = {case.id: case for case in made}
        return self._read[file]
