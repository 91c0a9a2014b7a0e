"""Formula files: formulas and constants by name, each parsed on first use."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache, cached_property
from os import PathLike, path
from typing import TYPE_CHECKING

from quizgen import data_folders
from quizgen.source import yaml
from quizgen.source.problems import DeclaredUnits, Node, ProblemCollector, printable, shorten

if TYPE_CHECKING:
    from quizgen.formula.definition import Constant, Formula, Input


class FormulaBook(Mapping[str, "Formula"]):
    """The formulas and constants of several files by name. A formula with errors is not in the mapping."""

    def __init__(self, nodes: Mapping[str, Node] | None = None, constants: Mapping[str, Node] | None = None) -> None:
        self.formula_nodes: Mapping[str, Node] = nodes or {}
        self.constant_nodes: Mapping[str, Node] = constants or {}
        self._parsed_formula_by_name: dict[str, Formula | None] = {}

    def add_file_node(self, top_node: Node) -> None:
        """Adds the formulas and constants of a file; a name that already exists is reported."""
        fields = top_node.fields(("formulas", "constants", "title"), "a formula file")
        self.formula_nodes, self.constant_nodes = dict(self.formula_nodes), dict(self.constant_nodes)
        for group, node_by_name in (("formulas", self.formula_nodes), ("constants", self.constant_nodes)):
            for name, node in (fields[group].mapping(group) if group in fields else {}).items():
                if node_by_name.setdefault(name, node) is not node:
                    node.report_at_key(f'{group[:-1]} "{shorten(name)}" appears twice', "keep one")

    @cached_property
    def constant_by_name(self) -> Mapping[str, Constant]:
        """The constants without errors by name, parsed on first use, after the last file was added."""
        if not self.constant_nodes:
            return {}
        from quizgen.formula.author import parse_constant

        constants = {name: parse_constant(node, name) for name, node in self.constant_nodes.items()}
        return {name: constant for name, constant in constants.items() if constant is not None}

    def __getitem__(self, name: str) -> Formula:
        """The formula called `name`. Raises KeyError if there is none, or if it has errors, which are reported."""
        if name not in self._parsed_formula_by_name:
            node = self.formula_nodes[name]
            from quizgen.formula.author import parse_formula

            constants = self.constant_by_name  # read first, so that their problems are not called this formula's
            start = len(node.doc.problems)
            self._parsed_formula_by_name[name] = parse_formula(node, name, constants)
            node.doc.set_missing_item_ids_from_index(start, printable(shorten(name)))
        if (formula := self._parsed_formula_by_name[name]) is None:
            raise KeyError(name)
        return formula

    def input_by_name_of_faulty_formula(self, name: str) -> Mapping[str, Input | None]:
        """The inputs of a formula with errors, as far as they can be read, so that values for them can be checked."""
        from quizgen.formula.author import input_by_name_of_faulty_formula

        node = self.formula_nodes.get(name)
        return {} if node is None else input_by_name_of_faulty_formula(node, self.constant_by_name)

    def __contains__(self, name: object) -> bool:
        return name in self.formula_nodes

    def __iter__(self) -> Iterator[str]:
        return iter(self.formula_nodes)

    def __len__(self) -> int:
        return len(self.formula_nodes)


def is_formulas_yaml(file: str | PathLike[str]) -> bool:
    """True for files named `formulas….yaml`."""
    name = path.basename(file)
    return name.startswith("formulas") and name.endswith(".yaml")


def _read_units_declared_in_bank_yaml(folder: str) -> DeclaredUnits:
    """The units that the bank in a folder declares in `units`; its problems are reported when the bank is read."""
    file = path.join(folder, "bank.yaml")
    if not path.exists(file) or not _file_may_contain_any_word(file, (b"units:",)):
        return {}
    from quizgen.bank.units import parse_unit_by_spelling

    doc = ProblemCollector(file)
    text = yaml.read_file_text_or_report(file, doc) or ""
    block = _UNITS_BLOCK_PATTERN.search(text)
    top = yaml.parse_yaml(block[0], doc) if block is not None else None
    if top is None or doc.problems:  # not in block style, so the whole file is read
        doc = ProblemCollector(file)
        top = yaml.parse_yaml(text, doc)
    units = top.mapping().get("units") if top is not None else None
    if units is not None:
        parse_unit_by_spelling(units)
    return doc.declared_units


def formula_book_of_files(paths: Iterable[str | PathLike[str]], only_formula_name: str = "") -> FormulaBook:
    """The book of the formulas in `paths`; with `only_formula_name`, the name of a formula, just this one and the
    constants that it uses."""
    book = FormulaBook()
    docs_and_texts: list[tuple[ProblemCollector, str]] = []
    for file in paths:
        if not only_formula_name or _file_may_contain_any_word(file, (only_formula_name.encode(), b"constants")):
            doc = ProblemCollector(str(file))
            docs_and_texts.append((doc, yaml.read_file_text_or_report(file, doc) or ""))
    if only_formula_name:
        texts = (text for _, text in docs_and_texts if only_formula_name in text)
        block = "".join(_file_text_with_other_entries_blank(text, {only_formula_name}) for text in texts)
        names = {only_formula_name, *_IDENTIFIER_PATTERN.findall(block)}
        docs_and_texts = [(doc, _file_text_with_other_entries_blank(text, names)) for doc, text in docs_and_texts]
    labels_of_folder = cache(_read_units_declared_in_bank_yaml)
    for doc, text in ((doc, text) for doc, text in docs_and_texts if text):
        doc.declared_units = labels_of_folder(path.dirname(doc.path))
        top = yaml.parse_yaml(text, doc)
        if top is not None and top.shape == "mapping":
            book.add_file_node(top)
    return book


_UNITS_BLOCK_PATTERN = re.compile(r"^units:.*\n(?:[ \t#].*\n|\n)*(?:[ \t#].*)?", re.MULTILINE)
_IDENTIFIER_PATTERN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def _file_may_contain_any_word(file: str | PathLike[str], words: tuple[bytes, ...]) -> bool:
    """Whether a file contains one of `words`; True also if the path is not a plain file, which its reader reports."""
    if not path.isfile(file):
        return True
    with open(file, "rb") as stream:
        content = stream.read(yaml.MAX_FILE_BYTES)
    return any(word in content for word in words)


def _file_text_with_other_entries_blank(text: str, entry_names: Collection[str]) -> str:
    """A formula file in which all lines are blank except those of the entries in `entry_names`, so that places stay the
    same.

    Empty if nothing is left, as for a file that is not in block style."""
    lines: list[str] = []
    entry_indent, is_kept, has_entry = -1, False, False
    for line in text.split("\n"):
        content = line.lstrip(" ")
        indent = len(line) - len(content)
        if content and not indent and content[0] != "#":
            is_kept, entry_indent = content.partition(":")[0].rstrip() in ("formulas", "constants"), -1
        elif content and content[0] != "#":
            entry_indent = indent if entry_indent < 0 else entry_indent
            if indent <= entry_indent:
                is_kept = content.partition(":")[0].strip(" '\"") in entry_names
                has_entry = has_entry or is_kept
        lines.append(line if is_kept and content else "")
    return "\n".join(lines) if has_entry else ""


def shipped_formula_file_paths() -> list[str]:
    """The paths of the formula files of the shipped banks."""
    return [file for file in data_folders.top_yaml_paths_of_shipped_banks() if is_formulas_yaml(file)]


@cache
def shipped_formula_book() -> FormulaBook:
    """The shipped formulas, which any bank may use by name."""
    return formula_book_of_files(shipped_formula_file_paths())
