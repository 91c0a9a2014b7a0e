"""A bank by its index: what an item, a formula, a blueprint or a case says is read when it is asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import compress, decompress

from quizgen import syntax
from quizgen.bank import index as indexes
from quizgen.bank.index import BankIndex, OnDemand, Place
from quizgen.bank.item_file import kind_of
from quizgen.bank.reader import BESIDE, BankReader, Loaded, yaml_files
from quizgen.blueprints import read_blueprint
from quizgen.cases.book import CaseBook
from quizgen.formula_files import FormulaBook
from quizgen.kinds import KINDS
from quizgen.listing import listed, name_of
from quizgen.model import Blueprint, Item
from quizgen.source import Document, Node

if TYPE_CHECKING:  # a session that has its index reads few items, and its brief is there before them
    from quizgen.cases.read import MakeItem
    from quizgen.kinds.common import Scope


def looked_up(reader: BankReader, folder: Path) -> Loaded:
    """The bank by its index, which is made where there was none."""
    root = str(reader.path)
    files = _bytes(reader.path)
    key = indexes.key_of(files)
    index = indexes.load(folder, root, key)
    if index is not None:
        return IndexedBank(reader, index, files).loaded()
    loaded = reader.read()
    if loaded.bank is not None and not loaded.errors and files == _bytes(reader.path):
        made = indexes.index_of(key, loaded.bank, reader.about, reader.plans, reader.texts, reader.entries())
        if made is not None:
            indexes.save(folder, root, made)
    return loaded


def _bytes(root: Path) -> dict[str, bytes]:
    """The files of a bank by their paths in it; one that cannot be read is not among them."""
    folders = ("", *(f"{folder}/" for folder in BESIDE))
    found = ((f"{folder}{path.name}", path) for folder in folders for path in yaml_files(root / folder))
    read = ((name, syntax.read_bytes(path, Document(""))) for name, path in found)
    return {name: raw for name, raw in read if raw is not None}


class IndexedBank:
    """A bank by its index: what an item, a formula, a blueprint or a case says is read when it is asked for."""

    def __init__(self, reader: BankReader, index: BankIndex, files: Mapping[str, bytes]) -> None:
        self._reader, self._index = reader, index
        self._files = {name: compress(raw, 1) for name, raw in files.items()}
        self._scopes: dict[str, Scope] = {}
        self._whole: Mapping[str, Item] = {}
        self._named = "bank.yaml" not in files
        self._root = str(reader.path)

    def loaded(self) -> Loaded:
        reader, index = self._reader, self._index
        reader.book = FormulaBook(*(OnDemand(p, partial(self._entry, p)) for p in (index.formulas, index.constants)))
        for place, line in index.items:
            item = listed(line, f"{self._root}{os.sep}{place[0]}", partial(self._item, place, line))
            reader.items[item.id] = item
        cases = {Path(name).stem: name for name in sorted(self._files) if name.startswith("cases/")}
        reader.cases = CaseBook(OnDemand(cases, lambda stem: self._text(cases[stem])), self._maker)
        reader.about = dict(index.about)
        bank = reader.bank(index.digest, OnDemand(index.blueprints, self._blueprint))
        return Loaded(bank, (), formula_names=tuple(index.formulas))

    def _text(self, name: str) -> tuple[str, Document]:
        """The text of a file, whose characters were looked at when the index was made, and its document."""
        doc = self._document(name)
        self._reader.docs.append(doc)
        return self._read(name), doc

    def _read(self, name: str) -> str:
        """The text of a file as it was when the index was found good for it."""
        return syntax.text_of(decompress(self._files[name]))

    def _document(self, name: str) -> Document:
        doc = Document(f"{self._root}{os.sep}{name}")
        doc.labels = self._reader.labels
        return doc

    def _part(self, name: str, first: int, behind: int, inside: bool = True) -> Node | None:
        """The lines from `first` to before `behind` of a file, or all the others; every place in it as in the file."""
        self._names()
        lines = self._read(name).split("\n")  # not kept: all of a bank take 3 MB
        first, behind = first - 1, behind - 1
        part = lines[first:behind] if inside else lines[:first] + [""] * (behind - first) + lines[behind:]
        return syntax.parse("\n" * first * inside + "\n".join(part), self._document(name))

    def _entry(self, entries: Mapping[str, Place], name: str) -> Node:
        part = self._part(*entries[name])
        assert part is not None
        return part.mapping()[name]

    def _names(self) -> None:
        """What bank.yaml lends to every item, once."""
        if not self._named:
            self._named = True
            text, doc = self._text("bank.yaml")
            top = syntax.parse(text, doc)
            if top is not None:
                self._reader.read_names(Path("bank.yaml"), top)

    def _scope(self, name: str) -> Scope:
        if name not in self._scopes:
            top = self._part(name, *self._index.files[name], inside=False)
            scope = self._reader.file_scope(top.mapping() if top is not None else {})
            self._scopes[name] = replace(scope, sound=True)
        return self._scopes[name]

    def _item(self, place: Place, line: Sequence[Any]) -> Item:
        """The whole of an item; where its lines alone do not make it, the bank is read for it."""
        part = self._part(*place)
        node = part.entries()[0] if part is not None else None
        parse = kind_of(node.mapping()["kind"], self._reader.kinds) if node is not None else None
        item = parse(node, self._scope(place[0])) if parse is not None and node is not None else None
        if item is not None:
            return item
        if not self._whole:
            self._whole = self._read_again()
        return self._whole[name_of(line)]

    def _read_again(self) -> Mapping[str, Item]:
        bank = BankReader(self._reader.path, self._reader.argument, False).read().bank
        return bank.items if bank is not None else {}

    def _blueprint(self, name: str) -> Blueprint:
        top = indexes.unpacked(self._index.blueprints[name], self._document(f"blueprints/{name}.yaml"))
        kinds = dict.fromkeys([*KINDS, *(item.kind for item in self._reader.items.values())])
        made = read_blueprint(top, name, tuple(kinds))
        assert made is not None, f"{name} was read without an error when the index was made"
        return made

    def _maker(self, top: Node) -> MakeItem:
        self._names()
        return self._reader.maker(top)
