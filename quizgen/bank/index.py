"""An index of a bank, kept between runs: the place of each item and formula, and the fields that selection needs.

Reading all of a large bank takes half a second, and a session uses a dozen of its items. The index is plain JSON in a
private folder, valid only for exactly the same files and version. An index that is damaged, not the user's own, or out
of date is ignored: the bank is then read completely, and a new index written. The texts themselves always come from the
bank."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property, lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from quizgen import __version__
from quizgen.atomic_write import open_replacement_file
from quizgen.bank.blueprints import read_blueprint
from quizgen.bank.formula_files import FormulaBook
from quizgen.bank.reader import BankReader, CaseBook, LoadedBank, find_parser_of_kind, list_yaml_files
from quizgen.data_folders import BANK_SUBFOLDERS
from quizgen.draw import SeededRng
from quizgen.kinds import KINDS
from quizgen.model import Bank, Blueprint, Item, Variant
from quizgen.source import yaml
from quizgen.source.problems import Fields, Location, Node, ProblemCollector

if TYPE_CHECKING:  # a session with an index reads few items and shows its brief before any of them
    from quizgen.kinds.common import KnownNames


INDEX_FORMAT_VERSION = 8
MIN_ITEMS_FOR_INDEX = 100  # items; a smaller bank is read faster than its index is searched
_MAX_INDEX_BYTES = 16 << 20  # largest size of an index in bytes

_LoadedValue = TypeVar("_LoadedValue")
# The values of an item in an index: kind, place, points, whether it stands alone, then these fields in this order.
INDEXED_ITEM_FIELDS = (
    "id", "stem", "topic", "difficulty", "seconds", "answer_line_count", "status", "previous_part_id", "skill",
    "origin_or_own_item_id", "follow_up_ids", "hints", "facts_on_request",
)  # fmt: skip
_cached_fraction = lru_cache(maxsize=64)(Fraction)  # many items share few values

FileAndLineRange = tuple[str, int, int]  # (file of the bank, first line of the entry, first line after it)


@dataclass(frozen=True, slots=True)
class BankIndex:
    """The index of one bank. `bank_yaml_text_by_field`: title, version, license and roles; `json_list_by_blueprint`: by
    `node_as_json_list`; `lines_and_values_of_items`: the lines of items, and values by `item_values_for_index`."""

    content_hash: str  # of the files and this program; an index with another is out of date
    bank_digest: str  # the bank's state, as logs name it
    bank_yaml_text_by_field: Mapping[str, str]
    json_list_by_blueprint: Mapping[str, list[Any]]
    file_line_range_by_formula: Mapping[str, FileAndLineRange]
    file_line_range_by_constant: Mapping[str, FileAndLineRange]
    lines_and_values_of_items: tuple[tuple[FileAndLineRange, list[Any]], ...]


class LoadAtEachLookupMapping(Mapping[str, _LoadedValue]):
    """A mapping that calls `load_value` for the value at each lookup; a caller keeps a value that it needs again."""

    def __init__(self, names: Collection[str], load_value: Callable[[str], _LoadedValue]) -> None:
        self._names, self._load_value = names, load_value

    def __getitem__(self, name: str) -> _LoadedValue:
        if name not in self._names:
            raise KeyError(name)
        return self._load_value(name)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def hash_of_files_and_program(bytes_by_path_in_bank: Mapping[str, bytes]) -> str:
    """A hash of the bank's files (path -> content) and of this program; an index with another is out of date."""
    package, times = os.path.dirname(os.path.dirname(os.path.realpath(__file__))), ""
    if not os.path.isdir(os.path.join(package, "_data")):  # in a checkout the files change while the version stays
        program = (os.path.join(folder, name) for folder, _, names in os.walk(package) for name in names)
        times = str(sum(os.stat(file).st_mtime_ns for file in program if file.endswith(".py")))
    total = blake2b(f"{INDEX_FORMAT_VERSION} {__version__} {times}\n".encode())
    for path in sorted(bytes_by_path_in_bank):
        total.update(f"{path}\n{len(bytes_by_path_in_bank[path])}\n".encode())
        total.update(bytes_by_path_in_bank[path])
    return total.hexdigest()


def build_index_if_suitable(content_hash: str, bank: Bank, reader: BankReader) -> BankIndex | None:
    """The index of the `bank` that `reader` has read. None for a small bank, for one with drafts, and if several
    entries are on the same line."""
    has_drafts = any(not item.has_scoring_fields or item.status == "draft" for item in bank.items.values())
    if len(bank.items) < MIN_ITEMS_FOR_INDEX or has_drafts:
        return None
    places: dict[str, dict[str, FileAndLineRange]] = {"items": {}, "formulas": {}, "constants": {}}
    for file, group, nodes, fields in reader.file_field_entries_to_index():
        spans = _line_ranges_of_entries(reader.text_by_path_in_bank[file].split("\n"), nodes, fields, group != "items")
        if spans is None:
            return None
        places[group] |= {name: (file, *span) for name, span in spans.items()}
    rows = tuple((place, item_values_for_index(bank.items[name])) for name, place in places["items"].items())
    tops = ((path, file.top_node) for path, file in reader.file_by_path.items() if path.parent != reader.bank_path)
    blueprints = {path.stem: node_as_json_list(top) for path, top in tops if top is not None}
    entries = places["formulas"], places["constants"]
    return BankIndex(content_hash, bank.digest, reader.bank_yaml_text_by_field, blueprints, *entries, rows)


def _line_ranges_of_entries(
    lines: Sequence[str], nodes: Mapping[str, Node], fields: Mapping[str, Node], is_mapping: bool
) -> dict[str, tuple[int, int]] | None:
    """The first line and the line after the last of each entry in a list or (if `is_mapping`) a mapping; None if
    several entries are on the same line, or YAML counts the lines otherwise. `fields` are the file's top fields."""
    starts = [(n.key_line, n.key_column, "") if is_mapping else (n.line, n.column, "-") for n in nodes.values()]
    next_field_lines = [node.key_line for node in fields.values() if starts and node.key_line > starts[-1][0]]
    ends = [*(line for line, _, _ in starts[1:]), min(next_field_lines, default=len(lines) + 1)]
    spans = {}
    for name, (line, column, marker), end in zip(nodes, starts, ends, strict=False):
        if "".join(lines[line - 1 : line])[: column - 1].strip() != marker or end <= line:
            return None
        spans[name] = (line, end)
    return spans


def node_as_json_list(node: Node) -> list[Any]:
    """A node as a JSON list: line, column, value."""
    value: Any = node.value
    if isinstance(value, dict):
        value = {name: node_as_json_list(child) for name, child in value.items()}
    elif isinstance(value, list):
        value = [node_as_json_list(child) for child in value]
    return [node.line, node.column, value]


def unpack_node(json_list: Sequence[Any], doc: ProblemCollector) -> Node:
    """The node from a list that `node_as_json_list` made."""
    line, column, value = json_list
    if isinstance(value, dict):
        value = {name: unpack_node(child, doc) for name, child in value.items()}
    elif isinstance(value, list):
        value = [unpack_node(child, doc) for child in value]
    return Node(doc, line, column, value)


def load_index(folder: Path, bank_root: str, content_hash: str) -> BankIndex | None:
    """The index of the bank in `bank_root`; None if there is no valid one."""
    try:
        handle = os.open(_index_path(folder, bank_root), yaml.SAFE_OPEN_FLAGS)
    except OSError:
        return None
    status = os.fstat(handle)  # only a plain file that belongs to the user, and that nobody else can write, is read
    is_safe = not hasattr(os, "geteuid") or (status.st_uid == os.geteuid() and not status.st_mode & 0o022)
    if not (stat.S_ISREG(status.st_mode) and is_safe):
        os.close(handle)
        return None
    with os.fdopen(handle, "rb") as file:
        content = file.read(_MAX_INDEX_BYTES)
    checksum, _, body = content.partition(b"\n")
    if checksum != blake2b(body).hexdigest().encode() or (data := json.loads(body)).get("content_hash") != content_hash:
        return None
    rows = tuple((tuple(place), values) for place, values in data.pop("lines_and_values_of_items"))
    return BankIndex(**data, lines_and_values_of_items=rows)


def save_index(folder: Path, bank_root: str, index: BankIndex) -> None:
    """Saves an index, readable only by its owner; does nothing if the folder cannot be written to."""
    body = json.dumps({name: getattr(index, name) for name in BankIndex.__slots__}, separators=(",", ":")).encode()
    with suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with open_replacement_file(_index_path(folder, bank_root), is_private=True) as file:
            file.write(blake2b(body).hexdigest().encode() + b"\n" + body)


def _index_path(folder: Path, bank_root: str) -> Path:
    real_path = os.path.realpath(bank_root).encode("utf-8", "surrogateescape")
    return folder / f"index-{blake2b(real_path).hexdigest()[:20]}.json"


def load_and_index_bank(reader: BankReader, folder: Path) -> LoadedBank:
    """The bank through its index, which is written if there is none."""
    root = str(reader.bank_path)
    files = _file_bytes_by_path_in_bank(reader.bank_path)
    content_hash = hash_of_files_and_program(files)
    index = load_index(folder, root, content_hash)
    if index is not None:
        return IndexedBank(reader, index, files).make_loaded_bank()
    loaded = reader.read()
    if loaded.bank is None or loaded.errors or files != _file_bytes_by_path_in_bank(reader.bank_path):
        return loaded
    if (new_index := build_index_if_suitable(content_hash, loaded.bank, reader)) is None:
        return loaded
    save_index(folder, root, new_index)
    new_reader = BankReader(reader.bank_path, reader.bank_argument, reader.parses_everything)
    item_by_id = {name: item.without_file_locations() for name, item in loaded.bank.items.items()}
    # Ten megabytes from which only an index is made are freed.
    reader.file_by_path, reader.text_by_path_in_bank, reader.item_by_id = {}, {}, {}
    return replace(loaded, bank=IndexedBank(new_reader, new_index, files, item_by_id).make_loaded_bank().bank)


def _file_bytes_by_path_in_bank(root: Path) -> dict[str, bytes]:
    """The files of a bank by their path in it, without those that cannot be read."""
    folders = ("", *(f"{folder}/" for folder in BANK_SUBFOLDERS))
    files = ((f"{folder}{path.name}", path) for folder in folders for path in list_yaml_files(root / folder))
    contents = ((name, yaml.read_file_bytes_or_report(path, ProblemCollector(""))) for name, path in files)
    return {name: content for name, content in contents if content is not None}


@dataclass(eq=False)
class IndexedBank:
    """A bank read through its index: an item, a formula, a blueprint or a case is read when it is looked up.
    `bytes_by_path_in_bank`: the bank's files; `already_parsed_item_by_id`: those that are not read again unless they
    are forgotten."""

    reader: BankReader
    index: BankIndex
    bytes_by_path_in_bank: Mapping[str, bytes]
    already_parsed_item_by_id: Mapping[str, Item] = field(default_factory=dict)
    known_names_by_file: dict[str, KnownNames] = field(default_factory=dict)

    def make_loaded_bank(self) -> LoadedBank:
        """The bank with all of its items, each known by its values in the index alone."""
        reader, index = self.reader, self.index
        places = (index.file_line_range_by_formula, index.file_line_range_by_constant)
        parse = self._formula_or_constant_node
        reader.formula_book = FormulaBook(*(LoadAtEachLookupMapping(lines, partial(parse, lines)) for lines in places))
        for place, values in index.lines_and_values_of_items:
            lazy = LazyItem(values, f"{reader.bank_path}{os.sep}{place[0]}", partial(self._read_item_at_lines, place))
            lazy._whole = self.already_parsed_item_by_id.get(lazy.id)
            reader.item_by_id[lazy.id] = cast(Item, lazy)
        self.already_parsed_item_by_id = {}
        cases = (name for name in sorted(self.bytes_by_path_in_bank) if name.startswith("cases/"))
        reader.case_by_id = CaseBook(
            {Path(name).stem: self._text_and_problem_collector(name) for name in cases},
            lambda top: self._reader_after_bank_yaml.make_item_maker_for_case_file(top),
            lambda: self._reader_after_bank_yaml.meaning_by_term(),
        )
        reader.bank_yaml_text_by_field = dict(index.bank_yaml_text_by_field)
        blueprints = LoadAtEachLookupMapping(index.json_list_by_blueprint, cache(self._read_blueprint))
        bank = reader.make_bank(index.bank_digest, blueprints)
        return LoadedBank(replace(bank, load_glossary=lambda: self._reader_after_bank_yaml.meaning_by_term()), ())

    def _text_and_problem_collector(self, file_name: str) -> tuple[str, ProblemCollector]:
        """The text of the file `file_name`, whose characters were checked when the index was made, and a collector for
        its problems."""
        doc = self._new_problem_collector(file_name)
        self.reader.problem_collectors.append(doc)
        return yaml.decode_utf8_with_lf(self.bytes_by_path_in_bank[file_name]), doc

    def _new_problem_collector(self, file_name: str) -> ProblemCollector:
        """An empty collector for problems in the file `file_name`, with the bank's units."""
        doc = ProblemCollector(f"{self.reader.bank_path}{os.sep}{file_name}")
        doc.declared_units = self.reader.declared_units
        return doc

    def _parse_lines(self, file_name: str, first_line: int, end_line: int, is_rest_wanted: bool = False) -> Node | None:
        """The node of the lines from `first_line` to before `end_line` or, if `is_rest_wanted`, of all other lines; its
        places are those in the file."""
        text = yaml.decode_utf8_with_lf(self.bytes_by_path_in_bank[file_name])  # not cached: a bank takes 3 MB
        lines = text.split("\n")
        before, part, after = lines[: first_line - 1], lines[first_line - 1 : end_line - 1], lines[end_line - 1 :]
        selection = before + [""] * len(part) + after if is_rest_wanted else [""] * len(before) + part
        doc = self._new_problem_collector(file_name)
        doc.declared_units = self._reader_after_bank_yaml.declared_units
        return yaml.parse_yaml("\n".join(selection), doc)

    def _formula_or_constant_node(self, lines_by_entry: Mapping[str, FileAndLineRange], name: str) -> Node:
        """The node of the formula or constant `name`, which is at its place among `lines_by_entry`."""
        part = self._parse_lines(*lines_by_entry[name])
        assert part is not None
        return part.mapping()[name]

    @cached_property
    def _reader_after_bank_yaml(self) -> BankReader:
        """The reader once it has read the names that bank.yaml provides to every item."""
        if "bank.yaml" in self.bytes_by_path_in_bank:
            top = yaml.parse_yaml(*self._text_and_problem_collector("bank.yaml"))
            if top is not None:
                self.reader.read_bank_yaml(top)
        return self.reader

    def _read_item_at_lines(self, entry_lines: FileAndLineRange) -> Item:
        """The complete item whose lines are `entry_lines` of a file. If they are not enough, as for an item that
        continues from another, the whole bank is read."""
        part = self._parse_lines(*entry_lines)
        assert part is not None, f"{entry_lines} were read without an error when the index was made"
        node = part.entries()[0]
        parse = find_parser_of_kind(node.mapping()["kind"], self.reader.parser_by_kind)
        file_name = entry_lines[0]
        if file_name not in self.known_names_by_file:  # read from the file's other fields
            places = [place for place, _ in self.index.lines_and_values_of_items if place[0] == file_name]
            first_line, end_line = min(first for _, first, _ in places), max(end for _, _, end in places)
            top = self._parse_lines(file_name, first_line, end_line, is_rest_wanted=True)
            scope = self.reader.names_usable_in_item_file(Fields(top.mapping() if top is not None else {}))
            self.known_names_by_file[file_name] = replace(scope, had_no_file_problems_when_indexed=True)
        item = parse(node, self.known_names_by_file[file_name]) if parse is not None else None
        return item if item is not None else self._items_of_complete_read[str(node.mapping()["id"].value)]

    @cached_property
    def _items_of_complete_read(self) -> Mapping[str, Item]:
        bank = BankReader(self.reader.bank_path, self.reader.bank_argument, False).read().bank
        return bank.items if bank is not None else {}

    def _read_blueprint(self, name: str) -> Blueprint:
        doc = self._new_problem_collector(f"blueprints/{name}.yaml")
        top = unpack_node(self.index.json_list_by_blueprint[name], doc)
        kinds = dict.fromkeys([*KINDS, *(item.kind for item in self.reader.item_by_id.values())])
        blueprint = read_blueprint(top, name, tuple(kinds))
        assert blueprint is not None, f"{name} was read without an error when the index was made"
        return blueprint


# Items known by their values in the index: the fields needed to choose are here, the rest is read on demand. A session
# draws a dozen items of hundreds and shows its brief before the first of them is read.


def item_values_for_index(item: Item) -> list[Any]:
    """The values of an item in an index, all of them valid in JSON."""
    location, points = item.location, item.points
    head = [item.kind, location.line, location.column, points.numerator, points.denominator, item.stimulus is None]
    return [*head, *(getattr(item, name) for name in INDEXED_ITEM_FIELDS)]


def unload_items(items: Iterable[Item]) -> None:
    """Frees the data of items that the index lacks, and all computed from it; it is read again when needed."""
    for item in items:
        if isinstance(item, LazyItem):
            item._whole = None


class _LazyProxy(Generic[_LoadedValue]):
    """An object known in part, which reads the whole for any other attribute, and is pickled as the whole."""

    __slots__ = ("_read_whole", "_whole")

    def __init__(self, read: Callable[[], _LoadedValue]) -> None:
        self._read_whole = read
        self._whole: _LoadedValue | None = None

    @property
    def whole(self) -> _LoadedValue:
        """The complete object, read once."""
        if self._whole is None:
            self._whole = self._read_whole()
        return self._whole

    def __getattr__(self, name: str) -> Any:
        """An attribute that the part lacks, from the whole."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.whole, name)

    def __reduce__(self) -> tuple[Callable[[_LoadedValue], _LoadedValue], tuple[_LoadedValue]]:
        """Pickles the whole, for another process."""
        return _unpickle_whole, (self.whole,)


def _unpickle_whole(value: _LoadedValue) -> _LoadedValue:
    return value


class LazyItem(_LazyProxy[Item]):
    """An item with the fields that the index has; the rest is read on first use."""

    __slots__ = (*INDEXED_ITEM_FIELDS, "kind", "points", "stimulus", "location")
    has_scoring_fields = True  # otherwise the bank would have no index

    def __init__(self, indexed_values: Sequence[Any], path: str, read_item: Callable[[], Item]) -> None:
        super().__init__(read_item)
        self.kind, line, column, numerator, denominator, has_no_stimulus, *values = indexed_values
        for name, value in zip(INDEXED_ITEM_FIELDS, values, strict=True):
            setattr(self, name, tuple(value) if type(value) is list else value)
        self.location = Location(path, line, column)
        self.points = _cached_fraction(numerator, denominator)
        if has_no_stimulus:
            self.stimulus = None

    def draw(self, rng: SeededRng) -> Variant:
        return cast(Variant, LazyVariant(self, rng))


class LazyVariant(_LazyProxy[Variant]):
    """A variant that is drawn on first use."""

    __slots__ = ("item", "seed")

    def __init__(self, item: LazyItem, rng: SeededRng) -> None:
        super().__init__(lambda: item.whole.draw(rng))
        self.item, self.seed = item, rng.seed
