"""A folder of YAML files to a `Bank` and the problems found in it. The only importer of `KINDS`.

Every file is read and every problem reported in one run; an item with an error is left out, so
that one mistake never hides another.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from quizgen import plugins, syntax
from quizgen.blueprints import read_blueprint
from quizgen.cases.book import CaseBook
from quizgen.formula_files import FormulaBook, is_formula_file, shipped_book
from quizgen.kinds import KINDS, Parse, parser
from quizgen.listing import whole
from quizgen.model import Bank, Blueprint, Item
from quizgen.source import Declared, Document, Node, Problem, Where, did_you_mean, printable, shorten

if TYPE_CHECKING:  # a session that has its index reads few items, and its brief is there before them
    from quizgen.cases.case import Case
    from quizgen.cases.read import MakeItem
    from quizgen.formula.definition import Formula
    from quizgen.formula.units import Unit
    from quizgen.kinds.common import Scope
    from quizgen.stimuli import Shared

ITEM_FILE = ("topic", "items", "stimuli", "synonyms", "title", "units")
BESIDE = ("blueprints", "cases")  # folders beside the item files; a name is in one of them
BANK_FILE = ("title", "version", "license", "synonyms", "units")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A bank as read: `bank` None where nothing could be read at all."""

    bank: Bank | None
    problems: tuple[Problem, ...]
    blueprint: Blueprint | None = None  # the one that the argument named
    case: Case | None = None  # the same
    formula_names: tuple[str, ...] = ()
    unread: bool = False  # a file of it could not be opened

    @property
    def found(self) -> Bank:
        """The bank where it is known to be there, as behind `open_bank`."""
        assert self.bank is not None
        return self.bank

    @property
    def errors(self) -> tuple[Problem, ...]:
        return tuple(p for p in self.problems if p.severity == "error")


def yaml_files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.glob("*.yaml") if not p.name.startswith("."))


@dataclass(slots=True)
class BankReader:
    """Reads one bank. Mutable while it reads; what it returns is frozen."""

    path: Path
    argument: str
    everything: bool
    docs: list[Document] = field(default_factory=list)
    tops: list[tuple[Path, Node | None, Document]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    items: dict[str, Item] = field(default_factory=dict)
    # Of an item that cannot be used: its file and the stimulus that it names. Its own problems are told, no others.
    refused: dict[str, tuple[str, str]] = field(default_factory=dict)
    blueprints: dict[str, Blueprint] = field(default_factory=dict)
    plans: dict[str, Node] = field(default_factory=dict)  # the blueprints as they are written
    book: FormulaBook = field(default_factory=FormulaBook)
    about: dict[str, str] = field(default_factory=dict)
    synonyms: dict[str, tuple[str, ...]] = field(default_factory=dict)
    units: dict[str, Unit] = field(default_factory=dict)
    labels: Declared = field(default_factory=Declared)
    places: dict[str, Where] = field(default_factory=dict)
    kinds: dict[str, Parse] = field(default_factory=lambda: dict(KINDS))
    stimuli: dict[str, Shared] = field(default_factory=dict)
    cases: CaseBook = field(default_factory=lambda: CaseBook({}, lambda top: lambda kind, node: None))
    twice: bool = False  # an id stands in two places
    unreferred: dict[str, int] = field(default_factory=dict)  # problems of a file before references were looked at

    def read(self) -> Loaded:
        single = not self.path.is_dir()
        root = self.path.parent if single else self.path
        files = [self.path] if single else yaml_files(root)
        if single:
            self._read_neighbours(root)
        tops = self.tops = [(path, *self._open(path, root, _first_field(path))) for path in files]
        for path, top, _ in tops:
            if top is not None and (path.name == "bank.yaml" or is_formula_file(path)):
                self.read_names(path, top)
        found_items = False
        for path, top, doc in tops:
            if top is not None and path.name != "bank.yaml" and not is_formula_file(path):
                found_items = self._read_items(top, doc) or found_items
        if not single:
            self._read_beside(root)
        return self._finished(found_items)

    def _finished(self, found_items: bool) -> Loaded:
        """What all files together say."""
        referring = (str(path) for path, top, _ in self.tops if top is not None and not is_formula_file(path))
        planned = (s.where.path for b in self.blueprints.values() for s in b.sections[:1] if s.where)
        known = {*referring, *planned}
        self.unreferred = {doc.path: len(doc.problems) for doc in self.docs if doc.path in known}
        self._check_references()
        if self.everything:
            for name in self.book:
                self.book.get(name)
            len(self.cases)  # reads them all
        if not self.tops:
            self.docs.append(Document(self.argument))
            self.docs[-1].report(1, 1, "the folder holds no .yaml files", "add an item file such as topic.yaml")
        elif self.path.is_dir() and not found_items and not any(d.problems for d in self.docs):
            self.docs[-1].report(1, 1, "the bank holds no items", "add `items:` to a file")
        unread = any(doc.unread for doc in self.docs)
        bank = self.bank(syntax.digest(self.texts), self.blueprints) if self.items else None
        return Loaded(bank, self.problems(), formula_names=tuple(self.book), unread=unread)

    def stands_alone(self, name: str) -> bool:
        """Whether a path is a blueprint or a case, or a file that was read, that is there still, and from which no
        other takes anything but formulas: an item that a choice or a later part goes by, an id that two have."""
        if self._is_beside(name):
            return True
        found = next((top for path, top, _ in self.tops if str(path) == name), None)
        if found is None or self.twice:
            return False
        if Path(name).name == "bank.yaml":
            return os.path.isfile(name)
        if {"units", "constants"} & set(found.mapping()):  # which every file of the bank may use
            return False
        sound = {doc.path for _, _, doc in self.tops if not doc.problems}
        if any(path != name and path in sound for path, _ in self.refused.values()):
            return False  # an item that is left out for the fault of another's, which may be mended now
        for item in self.items.values():
            lent = getattr(item, "origin", None) or getattr(item, "earlier", None)
            if lent is not None and lent.where.path == name != item.where.path:
                return False
        return os.path.isfile(name)

    def again(self, name: str) -> Loaded | None:
        """The bank with one file of it read anew, and those that use its formulas; None where that will not do."""
        root = self.path if self.path.is_dir() else self.path.parent
        names = {name}
        beside = self._is_beside(name)
        if is_formula_file(name):
            # An item with an error is not there to say which formula it uses.
            names |= {doc.path for _, _, doc in self.tops if doc.problems and doc.path in self.unreferred}
            names |= {item.where.path for item in self.items.values() if _formula_file_of(item) == name}
        if is_formula_file(name) or beside:
            self.docs = [doc for doc in self.docs if not self._is_beside(doc.path)]
        self.docs = [doc for doc in self.docs if doc.path not in names and doc.path != self.argument]
        for doc in self.docs:
            del doc.problems[self.unreferred.get(doc.path, len(doc.problems)) :]
        self.stimuli = {n: one for n, one in self.stimuli.items() if one.where.path not in names}
        self.items = {n: item for n, item in self.items.items() if item.where.path not in names}
        self.refused = {n: told for n, told in self.refused.items() if told[0] not in names}
        self.tops = [
            (p, *self._open(p, root, _first_field(p))) if str(p) in names else (p, t, d) for p, t, d in self.tops
        ]
        opened = [(top, doc) for path, top, doc in self.tops if str(path) in names and top is not None]
        if is_formula_file(name):
            formulas = next((top for top, doc in opened if doc.path == name), None)
            if formulas is None or not self.book.renew(formulas):
                return None
        if is_formula_file(name) or beside:
            self._read_beside(root)
        elif Path(name).name == "bank.yaml":
            return self._renamed(opened)
        for top, doc in opened:
            if doc.path != name or not is_formula_file(name):
                self._read_items(top, doc)
        order = {str(path): number for number, (path, _, _) in enumerate(self.tops)}
        self.items = dict(sorted(self.items.items(), key=lambda pair: order[pair[1].where.path]))
        return self._finished(any(t is not None and "items" in t.mapping() for _, t, _ in self.tops))

    def _renamed(self, opened: list[tuple[Node, Document]]) -> Loaded | None:
        """The bank under a new title or version; None where its words are others, which every file may use."""
        before = dict(self.synonyms), dict(self.units)
        self.about, self.synonyms, self.units = {}, {}, {}
        for top, doc in opened:
            self.read_names(Path(doc.path), top)
        return self._finished(True) if (self.synonyms, self.units) == before else None

    def bank(self, digest: str, blueprints: Mapping[str, Blueprint]) -> Bank:
        root = self.path if self.path.is_dir() else self.path.parent
        return Bank(
            name=self.argument,
            title=self.about.get("title") or root.resolve().name,
            items=self.items,
            blueprints=blueprints,
            digest=digest,
            version=self.about.get("version", ""),
            license=self.about.get("license", ""),
            formulas=self.book,
            root=str(root),
            titled=bool(self.about.get("title")),
            cases=self.cases,
        )

    def problems(self) -> tuple[Problem, ...]:
        """All problems of what was read so far, in order."""
        return tuple(sorted((p for d in self.docs for p in _all_problems(d)), key=lambda p: p.where))

    # -- files ------------------------------------------------------------------------------

    def _open(self, path: Path, root: Path, field: str) -> tuple[Node | None, Document]:
        """The file's top mapping, or None after the reason was reported; `field` is what it begins with."""
        top, doc, text = syntax.load(path, str(path))
        self.docs.append(doc)
        doc.labels = self.labels
        self.texts[path.relative_to(root).as_posix()] = text
        if top is None and not doc.problems:
            doc.report(1, 1, "the file is empty", f"begin it with `{field}:`, or delete it")
        elif top is not None and top.shape != "mapping":
            top.report(f"the top must be a mapping with `{field}:`", f"begin the file with `{field}:`")
            return None, doc
        return top, doc

    def _is_beside(self, name: str) -> bool:
        """Whether a path is in the folder of blueprints or of cases."""
        return Path(name).parent in [self.path / folder for folder in BESIDE]

    def _read_beside(self, root: Path) -> None:
        """Blueprints and cases, from which no item takes anything."""
        self.texts = {name: text for name, text in self.texts.items() if name.partition("/")[0] not in BESIDE}
        self.blueprints, self.plans = {}, {}
        for path in yaml_files(root / "blueprints"):
            top, _ = self._open(path, root, "sections")
            blueprint = read_blueprint(top, path.stem, tuple(self.kinds)) if top is not None else None
            if top is not None and blueprint is not None:
                self.blueprints[path.stem] = blueprint
                self.plans[path.stem] = top
        self._open_cases(root)

    def _open_cases(self, root: Path) -> None:
        """Files of cases count in the digest; each is parsed when a case of it is asked for."""
        files: dict[str, tuple[str, Document]] = {}
        for path in yaml_files(root / "cases"):
            doc = Document(str(path))
            doc.labels = self.labels
            text = syntax.read_text(path, doc)
            self.docs.append(doc)
            if path.stem in self.blueprints:
                doc.report(1, 1, f'"{path.stem}" is a blueprint too', "a name is one or the other: rename one")
            if text is not None:
                self.texts[path.relative_to(root).as_posix()] = text
                files[path.stem] = text, doc
        self.cases = CaseBook(files, self.maker)

    def maker(self, top: Node) -> MakeItem:
        """What makes the items of the turns in a file of cases: by the bank's formulas and the file's synonyms."""
        own = top.value.get("synonyms") if isinstance(top.value, dict) else None
        from quizgen.formula.reading.lexicon import Lexicon

        scope = self._scope("", dict(self.synonyms) | (_synonyms(own) if own is not None else {}))
        scope = replace(scope, lexicon=Lexicon.of(self.units))
        return lambda kind, node: KINDS[kind](node, scope)

    def _read_neighbours(self, root: Path) -> None:
        """The bank around a single item file lends it formulas and synonyms, not problems."""
        for path in sorted(root.glob("*.yaml")):
            if path != self.path and (path.name == "bank.yaml" or path.name.startswith("formulas")):
                top, doc, _ = syntax.load(path, str(path))
                doc.labels = self.labels
                if top is not None and top.shape == "mapping" and not doc.problems:
                    self.read_names(path, top)

    def read_names(self, path: Path, top: Node) -> None:
        if path.name == "bank.yaml":
            if "items" in top.mapping():
                top.mapping()["items"].report_key(
                    "items do not stand in bank.yaml", "put them into a file of their own"
                )
            about = {name: node for name, node in top.mapping().items() if name not in ("items", "topic", "stimuli")}
            fields = Node(top.doc, top.line, top.column, about).fields(BANK_FILE, "bank.yaml") if about else {}
            self.about = {n: fields[n].text(n) for n in ("title", "version", "license") if n in fields}
            if "synonyms" in fields:
                self.synonyms |= _synonyms(fields["synonyms"])
            if "units" in fields:
                from quizgen.formula.author.units import read_units

                self.units |= read_units(fields["units"])
            return
        self.book.add(top)

    def _read_items(self, top: Node, doc: Document) -> bool:
        fields = top.fields(ITEM_FILE, "an item file")
        if "items" not in fields:
            top.report("the file holds no items", "add `items:` and a list of items")
            return False
        scope = self.file_scope(fields)
        if isinstance(fields["items"].value, str):
            fields["items"].report("items must be a list", "write each item as `- id: …`")
            return True
        if fields["items"].value == []:
            fields["items"].report("items is an empty list", "write each item as `- id: …`, or delete the file")
        for node in fields["items"].entries("items"):
            self._read_item(node, doc, scope)
        return True

    def file_scope(self, fields: Mapping[str, Node]) -> Scope:
        """What an item file, by its fields, lends to its items."""
        from quizgen.formula.author.units import read_units
        from quizgen.formula.reading.lexicon import Lexicon
        from quizgen.stimuli import read_stimuli

        synonyms = dict(self.synonyms)
        if "synonyms" in fields:
            synonyms |= _synonyms(fields["synonyms"])
        scope = self._scope(fields["topic"].text("topic").strip() if "topic" in fields else "", synonyms)
        lexicon = Lexicon.of(self.units | (read_units(fields["units"]) if "units" in fields else {}))
        if "stimuli" in fields:  # after the units, in whose words they print
            stimuli = read_stimuli(fields["stimuli"])
            again = self.stimuli.keys() & stimuli.keys()
            for name in sorted(again):
                fields["stimuli"].report(f'stimulus "{name}" is in another file too', "give each an id of its own")
            self.stimuli |= stimuli
            scope = replace(scope, stimuli=stimuli)
        if "title" in fields:
            fields["title"].text("title")
        return replace(scope, lexicon=lexicon)

    def _scope(self, topic: str, synonyms: dict[str, tuple[str, ...]]) -> Scope:
        from quizgen.kinds.common import Scope

        return Scope(
            topic=topic,
            synonyms=synonyms,
            formula=self.formula,
            formulas=lambda: tuple(self.book),
            inputs=self.book.inputs,
            constants=lambda: self.book.constants,
            alone=not self.path.is_dir(),
            item=self._earlier,
            refused=lambda name: name in self.refused,
        )

    def _earlier(self, name: str) -> Item | None:
        item = self.items.get(name)
        return whole(item) if item is not None else None

    def _read_item(self, node: Node, doc: Document, scope: Scope) -> None:
        start = len(doc.problems)
        fields = node.mapping("an item")
        name = fields["id"].value if "id" in fields and isinstance(fields["id"].value, str) else ""
        item: Item | None = None
        if not fields and node.shape == "mapping":
            node.report("the item is empty", "write its fields, or leave it out")
        elif fields and "kind" not in fields:
            node.report("kind is missing in the item", f"add `kind:` with one of {', '.join(KINDS)}")
        elif fields:
            parse = self.kind(fields["kind"])
            item = parse(node, scope) if parse else None
        if item is None and name:
            part_of = fields["stimulus"].value if "stimulus" in fields else ""
            self.refused[name] = doc.path, str(part_of)
        if item is not None and item.id in self.items:
            fields["id"].report(f'id "{item.id}" is used twice', f"the first is at {self.items[item.id].where}")
            self.twice = True
        elif item is not None:
            self.items[item.id] = item
        if name:
            doc.label(start, printable(shorten(name)))

    def kind(self, node: Node) -> Parse | None:
        """The kind that an item names: ours, else one of an installed package; None after it was reported."""
        name = node.value if isinstance(node.value, str) else ""
        try:
            found = self.kinds.get(name) or parser(name)
        except plugins.BadPlugin as bad:
            node.report(str(bad), "update or remove that package")
            return None
        if found is not None:
            self.kinds[name] = found
            return found
        node.word(tuple(self.kinds), "kind")
        # What the nearest kind makes of it is told as well: one mistake hides no other.
        near = next((kind for kind in self.kinds if did_you_mean(name, (kind,))), None)
        if near is None:
            return None
        parse = self.kinds[near]

        def told_only(node: Node, scope: Scope) -> Item | None:
            parse(node, scope)
            return None

        return told_only

    def _check_references(self) -> None:
        known = self.items.keys() | self.refused.keys()
        shared_by_refused = {stimulus for _, stimulus in self.refused.values()}
        for shared in self.stimuli.values():
            if shared.id not in shared_by_refused:
                self._check_stimulus(shared, [i for i in self.items.values() if i.stimulus is shared])
        for item in self.items.values():
            for name in item.follow_ups:
                if name not in known:
                    hint = did_you_mean(name, known) or "name an item of this bank"
                    self._report(item, f'follow_ups names "{shorten(name)}", which is not in the bank', hint)
        for blueprint in self.blueprints.values():
            for section in blueprint.sections:
                for name in (*section.include, *section.exclude):
                    if name not in known and section.where is not None:
                        doc = next(d for d in self.docs if d.path == section.where.path)
                        hint = did_you_mean(name, known) or "name an item of this bank"
                        doc.report(
                            section.where.line, section.where.column, f'no item "{shorten(name)}"', hint, "failure"
                        )

    def _check_stimulus(self, shared: Shared, parts: list[Item]) -> None:
        """Every stimulus has parts, and every value that it draws is told by it or by one of them."""
        told = " ".join([shared.text, *(item.stem for item in parts)])
        missing = [name for name in sorted(shared.names) if f"{{{name}}}" not in told]
        doc = next(d for d in self.docs if d.path == shared.where.path)
        if not parts:
            message, hint = (
                f'no item is a part of stimulus "{shared.id}"',
                f"write `stimulus: {shared.id}` in its items",
            )
        elif missing:
            message, hint = f"{missing[0]} is drawn, but nothing tells it", f"write {{{missing[0]}}} in the text"
        else:
            return
        doc.report(shared.where.line, shared.where.column, message, hint, "warning")

    def _report(self, item: Item, message: str, hint: str) -> None:
        doc = next(d for d in self.docs if d.path == item.where.path)
        start = len(doc.problems)
        doc.report(item.where.line, item.where.column, message, hint, "failure")
        doc.label(start, item.id)

    def formula(self, name: str) -> Formula | None:
        """A formula of this bank, else one that ships."""
        return self.book.get(name) if name in self.book else shipped_book().get(name)

    def entries(self) -> Iterator[tuple[str, str, Mapping[str, Node], Mapping[str, Node]]]:
        """What an index has places of: file, the field (items, formulas, constants), its entries, the file's fields."""
        for path, top, _ in self.tops:
            fields = top.mapping() if top is not None else {}
            name = path.relative_to(self.path).as_posix()
            if not is_formula_file(path) and "items" in fields:
                nodes = fields["items"].entries()
                yield name, "items", {str(node.mapping()["id"].value): node for node in nodes}, fields
            for group in ("formulas", "constants") if is_formula_file(path) else ():
                if group in fields:
                    yield name, group, fields[group].mapping(), fields


def _formula_file_of(item: Item) -> str:
    """Where the formula stands that an item, or the one that its options come from, goes by; empty without one."""
    formula = getattr(getattr(item, "origin", None) or item, "formula", None)
    return formula.where.path if formula is not None else ""


def _first_field(path: Path) -> str:
    return "title" if path.name == "bank.yaml" else "formulas" if is_formula_file(path) else "items"


def _synonyms(node: Node) -> dict[str, tuple[str, ...]]:
    from quizgen.rubric import parse_synonyms

    return parse_synonyms(node)


def _all_problems(doc: Document) -> list[Problem]:
    if not doc.suppressed:
        return doc.problems
    behind = Where(doc.path, max(p.where.line for p in doc.problems) + 1, 1)
    last = Problem(behind, f"{doc.suppressed} more problems in this file", "mend those above first")
    return [*doc.problems, last]
