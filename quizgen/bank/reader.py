"""Reads a folder of YAML files as a `Bank` with its problems.

Every file is read and every problem reported in one run; an item with an error is left out, so that no mistake hides
another."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quizgen.bank.blueprints import BLUEPRINT_FIELDS, read_blueprint
from quizgen.bank.formula_files import FormulaBook, is_formulas_yaml, shipped_formula_book
from quizgen.bank.units import parse_unit_by_spelling_and_warn
from quizgen.data_folders import BANK_SUBFOLDERS
from quizgen.formula.units import Unit
from quizgen.kinds import KINDS, ItemParser
from quizgen.model import Bank, Blueprint, Item
from quizgen.source import yaml
from quizgen.source.problems import (
    OUR_FIELD_BY_FOREIGN_NAME,
    DeclaredUnits,
    Fields,
    Location,
    Node,
    Problem,
    ProblemCollector,
    did_you_mean,
    printable,
    shorten,
)

if TYPE_CHECKING:  # a session with an index reads few items and shows its brief before any of them
    from quizgen.cases.case import Case
    from quizgen.cases.read import ItemMaker
    from quizgen.kinds.common import KnownNames
    from quizgen.stimuli import SharedStimulus

ITEM_FILE_FIELDS = ("topic", "items", "stimuli", "synonyms", "title", "units")
BANK_YAML_FIELDS = ("title", "version", "license", "synonyms", "units", "terms", "roles")


@dataclass(frozen=True, slots=True)
class LoadedBank:
    """A bank as read, with its problems; `bank` is None if nothing could be read."""

    bank: Bank | None
    problems: tuple[Problem, ...]
    named_blueprint: Blueprint | None = None  # the blueprint that the argument named
    named_case: Case | None = None  # the case that the argument named
    has_unopenable_files: bool = False  # a file of the bank could not be opened
    # Errors of a single item or formula; the rest of the bank is usable.
    errors_of_single_items_or_formulas: frozenset[Problem] = frozenset()
    refused_item_ids: frozenset[str] = frozenset()  # ids of items that could not be made

    @property
    def required_bank(self) -> Bank:
        """The bank, for callers that know it could be read, as after `load_usable_bank`."""
        assert self.bank is not None, "; ".join(map(str, self.problems))
        return self.bank

    @property
    def errors(self) -> tuple[Problem, ...]:
        """The problems that make something unusable, without warnings and failed proofs."""
        return tuple(p for p in self.problems if p.severity == "error")

    def without_faulty_items_and_their_ids(self) -> tuple[LoadedBank, tuple[str, ...]]:
        """The bank without the items that have an error, or depend on an item with one, and the names of these items.
        If nothing is left, or an error concerns more than one item, the unchanged bank and no names."""
        if self.bank is None or not self.errors_of_single_items_or_formulas.issuperset(self.errors):
            return self, ()
        faulty_ids = ({problem.item_id for problem in self.errors} | self.refused_item_ids) - {""}
        items = dict[str, Item]()
        for name, item in self.bank.items.items():
            if faulty_ids.isdisjoint((name, item.origin_or_own_item_id, item.previous_part_id)):
                items[name] = item
            else:
                faulty_ids.add(name)
        if not items:
            return self, ()
        names = sorted(self.refused_item_ids | (faulty_ids & self.bank.items.keys())) or ["an item without an id"]
        return replace(self, bank=replace(self.bank, items=items), problems=()), tuple(names)


def list_yaml_files(folder: Path) -> list[Path]:
    """The YAML files of a folder by name, without hidden ones."""
    return sorted(p for p in folder.glob("*.yaml") if not p.name.startswith("."))


# The lookups by which the items of a file depend on the bank around it: while their results and the file stay the same,
# its items are used again.
RECORDED_NAME_LOOKUPS = (
    "find_formula", "load_formula_names", "input_by_name_of_faulty_formula", "load_constant_by_name", "find_item",
    "is_refused_item",
)  # fmt: skip


@dataclass(slots=True)
class FileItems:
    """The items of one file. Mutable while they are read. `available_synonyms_and_units`: those that the file and its
    bank provide; `stimulus_id_by_refused_item`: the stimulus that an unusable item names; `recorded_lookups`: (name of
    the lookup, arguments, result) of every lookup in the bank around the file. `problems` from index
    `first_item_problem_index` on concern single items, earlier ones the file."""

    available_synonyms_and_units: tuple[object, ...]
    stimulus_by_id: Mapping[str, SharedStimulus]
    items_and_id_nodes: list[tuple[Item, Node]] = field(default_factory=list)
    stimulus_id_by_refused_item: dict[str, str] = field(default_factory=dict)
    recorded_lookups: list[tuple[str, tuple[Any, ...], Any]] = field(default_factory=list)
    problems: tuple[Problem, ...] = ()
    first_item_problem_index: int = 0

    @classmethod
    def from_nodes(
        cls, nodes: list[Node], doc: ProblemCollector, scope: KnownNames, parsers: dict[str, ItemParser]
    ) -> FileItems:
        """The items of a list; one with an error is reported and left out. Adds kinds of packages to `parsers`."""
        context = _available_synonyms_and_units(doc, scope)
        result = cls(context, scope.stimulus_by_id, first_item_problem_index=len(doc.problems))
        # Items that are not YAML.
        result.stimulus_id_by_refused_item |= {problem.item_id: "" for problem in doc.problems if problem.item_id}
        item_by_id: dict[str, Item] = {}
        look_up: dict[str, Any] = {n: partial(result._call_and_record_lookup, scope, n) for n in RECORDED_NAME_LOOKUPS}
        bank_scope = replace(scope, **look_up)
        file_scope = replace(
            bank_scope,
            find_item=lambda name: bank_scope.find_item(name) or item_by_id.get(name),
            is_refused_item=lambda name: bank_scope.is_refused_item(name) or name in result.stimulus_id_by_refused_item,
        )
        for node in nodes:
            start = len(doc.problems)
            fields = node.mapping("an item")
            name = fields["id"].value if "id" in fields and isinstance(fields["id"].value, str) else ""
            item = _read_item(node, fields, file_scope, parsers)
            if item is not None:
                result.items_and_id_nodes.append((item, fields["id"]))
                item_by_id.setdefault(item.id, item)
            elif name:
                result.stimulus_id_by_refused_item[name] = str(fields["stimulus"].value if "stimulus" in fields else "")
            if name:
                doc.set_missing_item_ids_from_index(start, printable(shorten(name)))
        result.problems = tuple(doc.problems)
        return result

    def _call_and_record_lookup(self, scope: KnownNames, name: str, *args: Any) -> Any:
        """The result of the lookup `name` of a scope for the arguments `args`; it is recorded."""
        answer = getattr(scope, name)(*args)
        self.recorded_lookups.append((name, args, answer))
        return answer

    def is_surrounding_bank_unchanged(self, doc: ProblemCollector, scope: KnownNames) -> bool:
        """Whether the bank around the file still provides the same words, and the same result for every lookup."""
        comparisons = (getattr(scope, name)(*args) == answer for name, args, answer in self.recorded_lookups)
        return self.available_synonyms_and_units == _available_synonyms_and_units(doc, scope) and all(comparisons)


def _read_item(node: Node, fields: dict[str, Node], scope: KnownNames, parsers: dict[str, ItemParser]) -> Item | None:
    """The item of an entry; None if a mistake was reported."""
    if not fields and node.shape == "mapping":
        node.report("the item is empty", "write its fields, or leave it out")
    elif fields and "kind" not in fields:
        names = (one for one in fields if OUR_FIELD_BY_FOREIGN_NAME.get(one) == "kind" or did_you_mean(one, ["kind"]))
        if name := next(names, ""):
            fields[name].report_at_key(f'unknown field "{name}" of an item', 'did you mean "kind"?')
        else:
            node.report("kind is missing in the item", f"add `kind:` with one of {', '.join(KINDS)}")
    elif fields:
        parse = find_parser_of_kind(fields["kind"], parsers)
        return parse(node, scope) if parse else None
    return None


def _available_synonyms_and_units(doc: ProblemCollector, scope: KnownNames) -> tuple[object, ...]:
    return scope.synonyms_by_word, scope.unit_lexicon.unit_by_word, dict(doc.declared_units)


def find_parser_of_kind(kind_node: Node, parsers: dict[str, ItemParser]) -> ItemParser | None:
    """The parser for an item's kind, built in or from an installed package; None if a mistake was reported."""
    name = kind_node.value if isinstance(kind_node.value, str) else ""
    if name in parsers:
        return parsers[name]
    from quizgen import plugins

    try:
        if name in plugins.plugin_names_in_group(plugins.KIND_GROUP):
            parsers[name] = plugins.load_plugin(plugins.KIND_GROUP, name).parse
            return parsers[name]
    except plugins.PluginError as error:
        kind_node.report(str(error), "update or remove that package")
        return None
    kind_node.allowed_word(tuple(parsers), "kind")
    # The nearest kind parses the item too, so that one mistake does not hide others.
    parse = next((parsers[kind] for kind in parsers if did_you_mean(name, (kind,))), None)
    if parse is None:
        return None

    def only_report(item_node: Node, scope: KnownNames) -> None:
        parse(item_node, scope)

    return only_report


@dataclass(slots=True, eq=False)
class BankFile:
    """A file after it was read: its text, its top mapping (None if that has a mistake), its problems and the number of
    suppressed ones, both also as they were after parsing, and the items made from it."""

    text: str
    top_node: Node | None
    problem_collector: ProblemCollector
    parse_problems: tuple[Problem, ...]
    suppressed_problem_count: int
    file_items: FileItems | None = None


def _without_misplaced_blueprint(top_node: Node) -> Node | None:
    """The top node of a file outside `blueprints/`. If it has a blueprint, reports it; then without its fields, or None
    if it has no others."""
    fields = top_node.mapping()
    blueprint_nodes = [fields[name] for name in ("sections", "blueprint", "blueprints") if name in fields]
    if not blueprint_nodes:
        return top_node
    hint = "write it in a file of its own in the bank's folder blueprints/, such as blueprints/round.yaml"
    blueprint_nodes[0].report_at_key("a blueprint cannot be in this file", hint)
    other_fields = {n: node for n, node in fields.items() if node not in blueprint_nodes and n not in BLUEPRINT_FIELDS}
    return Node(top_node.doc, top_node.line, top_node.column, other_fields) if other_fields else None


@dataclass(slots=True, eq=False)
class CaseBook(Mapping[str, "Case"]):
    """The cases of a bank by id; a file is read when one of its cases is looked up. The stem of a file is its name
    without `.yaml`; `make_item_maker_for_file`: returns the function that makes the file's items with the file's
    synonyms; `read_bank_glossary`: reads the bank's terms, which come after those of the file."""

    text_and_problem_collector_by_file_stem: Mapping[str, tuple[str, ProblemCollector]]
    make_item_maker_for_file: Callable[[Node], ItemMaker]
    read_bank_glossary: Callable[[], Mapping[str, str]]
    case_by_id_of_read_file: dict[str, dict[str, Case]] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Case:
        for file in sorted(self.text_and_problem_collector_by_file_stem, key=lambda f: (f != name, f)):
            if (case := self._case_by_id_of_file(file).get(name)) is not None:
                return case
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for file in sorted(self.text_and_problem_collector_by_file_stem):
            yield from self._case_by_id_of_file(file)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return bool(self.text_and_problem_collector_by_file_stem)

    def _case_by_id_of_file(self, file: str) -> dict[str, Case]:
        if file not in self.case_by_id_of_read_file:
            text, doc = self.text_and_problem_collector_by_file_stem[file]
            top = yaml.parse_yaml(text, doc)
            cases: list[Case] = []
            if top is not None and top.shape != "mapping":
                top.report("the top must be a mapping with `cases:`", "begin the file with `cases:`")
            elif top is not None:
                from quizgen.cases.read import read_cases  # few sessions contain a case

                cases = read_cases(top, self.make_item_maker_for_file(top))
                cases = [replace(case, glossary={**self.read_bank_glossary(), **case.glossary}) for case in cases]
            other_ids = {name for case_by_id in self.case_by_id_of_read_file.values() for name in case_by_id}
            for case in cases:
                if case.id in other_ids:
                    doc.add(Problem(case.location, f'case "{case.id}" appears twice', "give each an id of its own"))
            self.case_by_id_of_read_file[file] = {case.id: case for case in cases}
        return self.case_by_id_of_read_file[file]


@dataclass(slots=True)
class BankReader:
    """Reads one bank, once. Mutable while it reads; its result is frozen. `bank_argument`: the bank as the user named
    it; `parses_everything`: formulas and cases that no item uses are parsed, too; `previous_reader`: an earlier reader,
    whose parsed files, formulas and items are used again if they did not change."""

    bank_path: Path
    bank_argument: str
    parses_everything: bool
    previous_reader: BankReader | None = None
    problem_collectors: list[ProblemCollector] = field(default_factory=list)
    file_by_path: dict[Path, BankFile] = field(default_factory=dict)
    text_by_path_in_bank: dict[str, str] = field(default_factory=dict)
    item_by_id: dict[str, Item] = field(default_factory=dict)
    # An unusable item -> (its file, its stimulus). Only its own problems are reported, no follow-ups.
    file_and_stimulus_id_by_refused_item: dict[str, tuple[str, str]] = field(default_factory=dict)
    blueprint_by_name: dict[str, Blueprint] = field(default_factory=dict)
    formula_book: FormulaBook = field(default_factory=FormulaBook)
    units_and_files_of_formula_book: tuple[object, ...] = ()  # the inputs from which the formula book is made
    problems_of_each_formula_file: list[tuple[Problem, ...]] = field(default_factory=list)  # one tuple for each file
    bank_yaml_text_by_field: dict[str, str] = field(default_factory=dict)
    synonyms_by_word: dict[str, tuple[str, ...]] = field(default_factory=dict)
    unit_by_spelling: dict[str, Unit] = field(default_factory=dict)
    glossary_node: Node | None = None
    parsed_meaning_by_term: Mapping[str, str] | None = None
    roles_node: Node | None = None
    declared_units: DeclaredUnits = field(default_factory=dict)
    parser_by_kind: dict[str, ItemParser] = field(default_factory=lambda: dict(KINDS))
    stimulus_by_id: dict[str, SharedStimulus] = field(default_factory=dict)
    case_by_id: Mapping[str, Case] = field(default_factory=dict)

    def read(self) -> LoadedBank:
        """The bank, with every problem of every file."""
        is_single_file = not self.bank_path.is_dir()
        root = self.bank_path.parent if is_single_file else self.bank_path
        if is_single_file:
            self._read_names_around_single_item_file(root)
        formulas, has_items = self._read_names_formulas_and_items(root)
        if not is_single_file:
            self._read_blueprints_and_cases(root)
        docs = {doc.path: doc for doc in self.problem_collectors}
        for problem in (*self._unused_stimulus_or_value_problems(), *self._unknown_item_problems()):
            docs[problem.location.path].add(problem)
        self._store_topic_weights_of_roles()
        if self.glossary_node is not None:
            self.meaning_by_term()
        if self.parses_everything:
            for name in self.formula_book:
                self.formula_book.get(name)
            len(self.case_by_id)  # reads all cases
        self.problems_of_each_formula_file = [tuple(file.problem_collector.problems) for file in formulas]
        self.previous_reader = None
        self._report_empty_bank(is_single_file or has_items)
        if not is_single_file:
            self._warn_of_unread_yaml_files()
        digest = yaml.digest_of_text_by_path(self.text_by_path_in_bank)
        return LoadedBank(
            self.make_bank(digest, self.blueprint_by_name) if self.item_by_id else None,
            self.sorted_problems(),
            has_unopenable_files=any(doc.is_unopened for doc in self.problem_collectors),
            errors_of_single_items_or_formulas=frozenset(self._problems_of_single_items_or_formulas()),
            refused_item_ids=frozenset(self.file_and_stimulus_id_by_refused_item),
        )

    def _unused_stimulus_or_value_problems(self) -> Iterator[Problem]:
        """Yields problems of stimuli: no parts, or a drawn value that neither the stimulus nor a part mentions. A
        stimulus of which a part was left out has none."""
        incomplete_ids = {stimulus for _, stimulus in self.file_and_stimulus_id_by_refused_item.values()}
        for shared in (one for one in self.stimulus_by_id.values() if one.id not in incomplete_ids):
            parts = [item for item in self.item_by_id.values() if item.stimulus is shared]
            text = " ".join([shared.text, *(item.stem for item in parts)])
            names = [name for name in sorted(shared.drawn_names) if f"{{{name}}}" not in text]
            if not parts:
                hint = f"write `stimulus: {shared.id}` in its items"
                yield Problem(shared.location, f'no item is a part of stimulus "{shared.id}"', hint, severity="warning")
            elif names:
                message, hint = f"{names[0]} is drawn, but nothing mentions it", f"write {{{names[0]}}} in the text"
                yield Problem(shared.location, message, hint, severity="warning")

    def _unknown_item_problems(self) -> Iterator[Problem]:
        """Yields problems of names that refer to no item. Items that were left out have their own problems."""
        item_ids = self.item_by_id.keys() | self.file_and_stimulus_id_by_refused_item.keys()
        hint = "name an item of this bank"
        for item in self.item_by_id.values():
            for name in (name for name in item.follow_up_ids if name not in item_ids):
                message = f'follow_ups names "{shorten(name)}", which is not in the bank'
                suggestion = did_you_mean(name, item_ids - {item.id})
                yield Problem(item.location, message, suggestion or hint, item.id, "failure")
        for section in (section for blueprint in self.blueprint_by_name.values() for section in blueprint.sections):
            for name in (name for name in (*section.required_ids, *section.excluded_ids) if name not in item_ids):
                if section.location is not None:
                    message, suggestion = f'no item "{shorten(name)}"', did_you_mean(name, item_ids)
                    yield Problem(section.location, message, suggestion or hint, "", "failure")

    def _store_topic_weights_of_roles(self) -> None:
        """Reads the weights of topics by role, such as `training: {zero: 3, pipeline-parallel: 2}`. Reports weights of
        topics that no item has."""
        if self.roles_node is None:
            return
        topics = tuple({item.topic for item in self.item_by_id.values() if item.topic})
        weight_by_topic_of_role: dict[str, dict[str, float]] = {}
        for role, entry in self.roles_node.mapping("roles").items():
            weight_by_topic_of_role[role] = {}
            for topic, weight in entry.mapping("weights of topics").items():
                if topic not in topics:
                    hint = did_you_mean(topic, topics) or "see quizgen list topics"
                    weight.report_at_key(f'no item has the topic "{shorten(topic)}"', hint)
                number = weight.number("weight")
                if number is not None and not 0 <= number <= 1000:
                    weight.report(f'"{shorten(topic)}" has a weight of {float(number):g}', "write one from 0 to 1000")
                weight_by_topic_of_role[role][topic] = float(number or 0)
        self.bank_yaml_text_by_field["roles"] = json.dumps(weight_by_topic_of_role)

    def meaning_by_term(self) -> Mapping[str, str]:
        """The meanings of the bank's terms, read on first use."""
        if self.parsed_meaning_by_term is None:
            from quizgen.cases.read import read_glossary

            self.parsed_meaning_by_term = read_glossary(self.glossary_node)
        return self.parsed_meaning_by_term

    def _read_names_formulas_and_items(self, root: Path) -> tuple[list[BankFile], bool]:
        """Reads names, formulas and items, in this order. Returns the files with formulas, and whether there are
        items."""
        files: dict[str, list[BankFile]] = {"title": [], "formulas": [], "items": []}  # by the field that begins them
        for path in list_yaml_files(self.bank_path) if self.bank_path.is_dir() else [self.bank_path]:
            first_field = "title" if path.name == "bank.yaml" else "formulas" if is_formulas_yaml(path) else "items"
            files[first_field].append(self._open_file(path, root, first_field))
        for file in files["title"]:
            if file.top_node is not None:
                self.read_bank_yaml(file.top_node)
        # Formulas are the earlier reader's if neither their files nor the bank's units changed.
        sources = dict(self.declared_units), files["formulas"]
        self.units_and_files_of_formula_book, previous_reader = sources, self.previous_reader
        if previous_reader is not None and previous_reader.units_and_files_of_formula_book == sources:
            self.formula_book = previous_reader.formula_book
            for file, problems in zip(files["formulas"], previous_reader.problems_of_each_formula_file, strict=True):
                file.problem_collector.problems[:] = problems
        else:
            for file in files["formulas"]:
                if file.top_node is not None:
                    self.formula_book.add_file_node(file.top_node)
        tops = [(file.top_node, file) for file in files["items"]]
        return files["formulas"], any([self._read_items_if_listed(top, file) for top, file in tops if top is not None])

    def _report_empty_bank(self, has_items: bool) -> None:
        """Reports a folder without files, or one without items if there is no other problem."""
        if not self.problem_collectors:
            self.problem_collectors.append(ProblemCollector(self.bank_argument))
            hint = "add an item file such as topic.yaml"
            self.problem_collectors[-1].report(1, 1, "the folder has no .yaml files", hint)
        elif not has_items and not any(d.problems for d in self.problem_collectors):
            self.problem_collectors.append(ProblemCollector(self.problem_collectors[-1].path))
            self.problem_collectors[-1].report(1, 1, "the bank has no items", "add `items:` to a file")

    def _warn_of_unread_yaml_files(self) -> None:
        """Warns of files in the bank's folders that are named like YAML files but are not read, such as zero.yml."""
        for path in sorted(p for folder in ("", *BANK_SUBFOLDERS) for p in (self.bank_path / folder).glob("[!.]*.*")):
            if path.suffix.lower() in (".yml", ".yaml") and path.suffix != ".yaml":
                self.problem_collectors.append(ProblemCollector(str(path)))
                hint = f"rename it to {path.stem}.yaml: only .yaml files are"
                self.problem_collectors[-1].report(1, 1, "this file is not read", hint, "warning")

    def _problems_of_single_items_or_formulas(self) -> Iterator[Problem]:
        """Yields the problems of single items in any file, and of single formulas."""
        for path, file in self.file_by_path.items():
            problems = file.problem_collector.problems
            if (items := file.file_items) is not None:
                yield from (p for p in problems[items.first_item_problem_index :] if p.item_id or p in items.problems)
            yield from (p for p in problems if p.item_id and is_formulas_yaml(path))

    def make_bank(self, digest: str, blueprints: Mapping[str, Blueprint]) -> Bank:
        """The bank of all that was read; `digest` is that of its files."""
        root = self.bank_path if self.bank_path.is_dir() else self.bank_path.parent
        return Bank(
            name=self.bank_argument,
            title=self.bank_yaml_text_by_field.get("title") or root.resolve().name,
            items=self.item_by_id,
            blueprint_by_name=blueprints,
            digest=digest,
            version=self.bank_yaml_text_by_field.get("version", ""),
            license=self.bank_yaml_text_by_field.get("license", ""),
            formulas=self.formula_book,
            folder=str(root),
            has_title=bool(self.bank_yaml_text_by_field.get("title")),
            case_by_id=self.case_by_id,
            topic_weights_by_role=json.loads(self.bank_yaml_text_by_field.get("roles", "{}")),
            load_glossary=self.meaning_by_term,
        )

    def sorted_problems(self) -> tuple[Problem, ...]:
        """All problems so far, in order of place."""
        problems = [problem for doc in self.problem_collectors for problem in doc.problems]
        for doc in (doc for doc in self.problem_collectors if doc.suppressed_problem_count):
            location = Location(doc.path, max(p.location.line for p in doc.problems) + 1, 1)
            message = f"{doc.suppressed_problem_count} more problems in this file"
            problems.append(Problem(location, message, "fix those above first"))
        return tuple(sorted(problems, key=lambda p: p.location))

    # -- files ------------------------------------------------------------------------------

    def _open_file(self, path: Path, root: Path, first_field: str) -> BankFile:
        """The file at a path, without a top mapping if a mistake was reported. `first_field`: the field that begins the
        file."""
        doc = ProblemCollector(str(path))
        text = yaml.read_file_text_or_report(path, doc)
        file = self.previous_reader.file_by_path.get(path) if self.previous_reader is not None else None
        if file is None or file.text != text:
            top = yaml.parse_yaml(text, doc) if text is not None else None
            if top is None and not doc.problems:
                doc.report(1, 1, "the file is empty", f"begin it with `{first_field}:`, or delete it")
            elif top is not None and top.shape != "mapping":
                top.report(f"the top must be a mapping with `{first_field}:`", f"begin the file with `{first_field}:`")
                top = None
            elif top is not None and first_field != "sections":
                top = _without_misplaced_blueprint(top)
            file = BankFile(text or "", top, doc, tuple(doc.problems), doc.suppressed_problem_count)
        file.problem_collector.problems[:] = file.parse_problems
        file.problem_collector.suppressed_problem_count = file.suppressed_problem_count
        self.file_by_path[path] = file
        self.problem_collectors.append(file.problem_collector)
        file.problem_collector.declared_units = self.declared_units
        self.text_by_path_in_bank[path.relative_to(root).as_posix()] = file.text
        return file

    def _read_blueprints_and_cases(self, root: Path) -> None:
        """Reads blueprints and cases, on which no item depends."""
        for path in list_yaml_files(root / "blueprints"):
            top = self._open_file(path, root, "sections").top_node
            blueprint = read_blueprint(top, path.stem, tuple(self.parser_by_kind)) if top is not None else None
            if blueprint is not None:
                self.blueprint_by_name[path.stem] = blueprint
        # The digest includes the files of cases; each is parsed when one of its cases is looked up.
        files: dict[str, tuple[str, ProblemCollector]] = {}
        for path in list_yaml_files(root / "cases"):
            doc = ProblemCollector(str(path))
            doc.declared_units = self.declared_units
            text = yaml.read_file_text_or_report(path, doc)
            self.problem_collectors.append(doc)
            if path.stem in self.blueprint_by_name:
                doc.report(1, 1, f'"{path.stem}" is a blueprint too', "a name is one or the other: rename one")
            if text is not None:
                self.text_by_path_in_bank[path.relative_to(root).as_posix()] = text
                files[path.stem] = text, doc
        self.case_by_id = CaseBook(files, self.make_item_maker_for_case_file, self.meaning_by_term)

    def make_item_maker_for_case_file(self, top_node: Node) -> ItemMaker:
        """A function that makes the items of turns in a file of cases, with the bank's formulas and the file's
        synonyms."""
        synonyms = top_node.value.get("synonyms") if isinstance(top_node.value, dict) else None
        scope = self.names_usable_in_item_file(Fields({"synonyms": synonyms} if synonyms is not None else {}))
        return lambda kind, node: KINDS[kind](node, scope)

    def _read_names_around_single_item_file(self, root: Path) -> None:
        """Reads the bank around a single item file for its formulas and synonyms; its problems are not reported."""
        for path in sorted(root.glob("*.yaml")):
            if path != self.bank_path and (path.name == "bank.yaml" or path.name.startswith("formulas")):
                top, doc = yaml.read_yaml_with_problems(path)
                doc.declared_units = self.declared_units
                if top is not None and top.shape == "mapping" and not doc.problems:
                    read = self.read_bank_yaml if path.name == "bank.yaml" else self.formula_book.add_file_node
                    read(top)

    def read_bank_yaml(self, top_node: Node) -> None:
        """Reads the names that bank.yaml provides to every item: title, synonyms, units, terms and roles."""
        if (items := top_node.mapping().get("items")) is not None:
            items.report_at_key("items cannot be in bank.yaml", "put them into a file of their own")
        entries = {name: node for name, node in top_node.mapping().items() if name not in ("items", "topic", "stimuli")}
        bank_node = Node(top_node.doc, top_node.line, top_node.column, entries)
        fields = bank_node.fields(BANK_YAML_FIELDS, "bank.yaml") if entries else {}
        self.bank_yaml_text_by_field = {n: fields[n].text(n) for n in ("title", "version", "license") if n in fields}
        if "synonyms" in fields:
            from quizgen.rubric.parse import parse_synonyms_by_word

            self.synonyms_by_word |= parse_synonyms_by_word(fields["synonyms"])
        if "units" in fields:
            self.unit_by_spelling |= parse_unit_by_spelling_and_warn(fields["units"])
        if "terms" in fields:
            self.glossary_node, self.parsed_meaning_by_term = fields["terms"], None
        self.roles_node = fields.get("roles")

    def _read_items_if_listed(self, top_node: Node, file: BankFile) -> bool:
        """Reads the items of a file, or takes the earlier reader's if nothing around them changed. Returns whether the
        file has a list of items."""
        fields = top_node.fields(ITEM_FILE_FIELDS, "an item file")
        if "items" not in fields:
            if not fields.is_missing_as_misspelt("items"):
                top_node.report("the file has no items", "add `items:` and a list of items")
            return False
        scope = self.names_usable_in_item_file(fields)
        if file.file_items is None or not file.file_items.is_surrounding_bank_unchanged(file.problem_collector, scope):
            items_node = fields["items"]
            if isinstance(items_node.value, str):
                items_node.report("items must be a list", "write each item as `- id: …`")
            elif items_node.value == []:
                items_node.report("items is an empty list", "write each item as `- id: …`, or delete the file")
            nodes = items_node.entries("items") if items_node.shape != "text" else []
            file.file_items = FileItems.from_nodes(nodes, file.problem_collector, scope, self.parser_by_kind)
        file_items, doc = file.file_items, file.problem_collector
        doc.problems[:] = file_items.problems
        for name in sorted(self.stimulus_by_id.keys() & file_items.stimulus_by_id.keys()):
            fields["stimuli"].report(f'stimulus "{name}" is in another file too', "give each an id of its own")
        self.stimulus_by_id |= file_items.stimulus_by_id
        refusals = {name: (doc.path, stimulus) for name, stimulus in file_items.stimulus_id_by_refused_item.items()}
        self.file_and_stimulus_id_by_refused_item |= refusals
        for item, id_node in file_items.items_and_id_nodes:
            first = self.item_by_id.setdefault(item.id, item)
            if first is not item:
                message, hint = f'id "{item.id}" is used twice', f"the first is at {first.location}"
                doc.add(Problem(id_node.location, message, hint, item.id))
        return True

    def names_usable_in_item_file(self, fields: Fields) -> KnownNames:
        """The scope that an item file gives its items, from the file's `fields`."""
        from quizgen.kinds.common import KnownNames
        from quizgen.numbers.answer import UnitLexicon
        from quizgen.rubric.parse import parse_synonyms_by_word
        from quizgen.stimuli import read_stimulus_by_id

        synonyms = self.synonyms_by_word | (parse_synonyms_by_word(fields["synonyms"]) if "synonyms" in fields else {})
        units = self.unit_by_spelling | (parse_unit_by_spelling_and_warn(fields["units"]) if "units" in fields else {})
        stimuli = read_stimulus_by_id(fields["stimuli"]) if "stimuli" in fields else {}  # these print in the units
        book = self.formula_book
        fields.text("title")  # the title is never shown, but an empty one is reported
        return KnownNames(
            default_topic=fields.text("topic").strip(),
            synonyms_by_word=synonyms,
            find_formula=lambda name: (book if name in book else shipped_formula_book()).get(name),
            load_formula_names=lambda: tuple(book),
            input_by_name_of_faulty_formula=book.input_by_name_of_faulty_formula,
            load_constant_by_name=lambda: book.constant_by_name,
            is_item_file_read_alone=not self.bank_path.is_dir(),
            # An item that is known by its values in the index alone is given in full.
            find_item=lambda name: getattr(self.item_by_id.get(name), "whole", self.item_by_id.get(name)),
            is_refused_item=lambda name: name in self.file_and_stimulus_id_by_refused_item,
            stimulus_by_id=stimuli,
            unit_lexicon=UnitLexicon.from_unit_by_spelling(units),
        )

    def file_field_entries_to_index(self) -> Iterator[tuple[str, str, Mapping[str, Node], Mapping[str, Node]]]:
        """Yields what an index stores the places of: file, field (items, formulas, constants), its entries, and the
        file's fields."""
        for path, file in self.file_by_path.items():
            fields = file.top_node.mapping() if file.top_node is not None else {}
            name = path.relative_to(self.bank_path).as_posix()
            if not is_formulas_yaml(path) and "items" in fields:
                nodes = fields["items"].entries()
                yield name, "items", {str(node.mapping()["id"].value): node for node in nodes}, fields
            for group in ("formulas", "constants") if is_formulas_yaml(path) else ():
                if group in fields:
                    yield name, group, fields[group].mapping(), fields
