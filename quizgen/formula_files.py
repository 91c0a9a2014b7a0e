"""Formula files: names to formulas and constants, each parsed when it is first asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from quizgen import places, syntax
from quizgen.source import Node, printable, shorten

if TYPE_CHECKING:
    from quizgen.formula.definition import Constant, Formula

FIELDS = ("formulas", "constants", "title")


class FormulaBook(Mapping[str, "Formula"]):
    """The formulas and constants of some files by name. A formula with errors is no value here."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.constant_nodes: dict[str, Node] = {}
        self._parsed: dict[str, Formula | None] = {}
        self._constants: dict[str, Constant] | None = None

    def add(self, top: Node) -> None:
        """Take the names of a formula file; a name that is there already is reported."""
        fields = top.fields(FIELDS, "a formula file")
        for group, known in (("formulas", self.nodes), ("constants", self.constant_nodes)):
            for name, node in (fields[group].mapping(group) if group in fields else {}).items():
                if name in known:
                    node.report_key(f'{group[:-1]} "{shorten(name)}" is there twice', "keep one")
                else:
                    known[name] = node

    @property
    def constants(self) -> Mapping[str, Constant]:
        if not self.constant_nodes:
            return {}
        if self._constants is None:
            from quizgen.formula.definition import Constant

            made = {name: Constant.parse(node, name) for name, node in self.constant_nodes.items()}
            self._constants = {name: constant for name, constant in made.items() if constant is not None}
        return self._constants

    def get(self, name: str, default: object = None) -> Formula | None:  # type: ignore[override]
        """The formula of a name; None for an unknown one and for one with errors, which are reported."""
        if name not in self._parsed:
            node = self.nodes.get(name)
            if node is None:
                return None
            from quizgen.formula.definition import Formula

            start = len(node.doc.problems)
            self._parsed[name] = Formula.parse(node, name, self.constants)
            node.doc.label(start, printable(shorten(name)))
        return self._parsed[name]

    def __getitem__(self, name: str) -> Formula:
        found = self.get(name)
        if found is None:
            raise KeyError(name)
        return found

    def __contains__(self, name: object) -> bool:
        return name in self.nodes

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def __len__(self) -> int:
        return len(self.nodes)


def is_formula_file(path: Path) -> bool:
    return path.name.startswith("formulas") and path.suffix == ".yaml"


def book_of(paths: Iterable[Path], only: str = "") -> FormulaBook:
    """The book of formula files. With `only`, a file that cannot hold that name is not parsed
    unless it holds constants."""
    book = FormulaBook()
    wanted = re.compile(rf"^ *['\"]?{re.escape(only)}['\"]? *:|^constants *:", re.MULTILINE) if only else None
    for path in paths:
        if wanted is not None and not wanted.search(path.read_text(encoding="utf-8", errors="replace")):
            continue
        top, _, _ = syntax.load(path, str(path))
        if top is not None and top.shape == "mapping":
            book.add(top)
    return book


def shipped_files() -> list[Path]:
    """Formula files of the banks that ship."""
    folder = places.shipped("banks")
    return [path for name in places.shipped_banks() for path in sorted((folder / name).glob("formulas*.yaml"))]


@lru_cache(maxsize=1)
def shipped_book() -> FormulaBook:
    """The formulas that ship, which any bank may use by name."""
    return book_of(shipped_files())
