"""Logs of other systems as lines of ours: who answered, which item of the bank a column or a field is about, and what
was given. `templates/foreign_logs.toml` is the one table of formats.

An item is found by its id, else by its stem (with drawn values, of those that a seed of 0 to 199 draws), else by the
options that were chosen. What is no item is noted once and left.
"""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import chain
from shlex import quote
from typing import Any

from quizgen.data_folders import shipped
from quizgen.draw import Stream
from quizgen.model import Item
from quizgen.scoring.log_files import Block
from quizgen.scoring.log_lines import Damaged, parse, time_of
from quizgen.scoring.tables import block_of_lines, bytes_of, rows_in
from quizgen.source.problems import Unreadable, printable, read_number, shorten

DRAWINGS = 200  # seeds tried for the one that prints a stem
HEADS = 4  # rows that may be a title or a head
TRUNCATED = 30  # letters of a stem that stand for all of it where the head ends in dots
FIELDS = ("candidate", "item", "response", "seconds", "at")
SHOWN = 12

Found = tuple[Item, Mapping[str, str]]  # an item of the bank, with the drawn values that the stem printed


@dataclass(frozen=True, slots=True)
class Foreign:
    """How a log of another system is to be read: the items it may be about, their bank as the command named it, and
    whatever the command says of it: names of fields by ours (or by an item's id), and an encoding."""

    items: Mapping[str, Item]
    bank: str = "BANK"
    names: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""

    def refuse(self, path: str, why: str, more: str = "") -> Unreadable:
        """A refusal that ends in the command to type."""
        command = f"quizgen score {quote(path)} --bank {quote(self.bank)} {more}".rstrip()
        return Unreadable(f"{path}: {why}; type: {command}")


@cache
def formats() -> Mapping[str, Mapping[str, Any]]:
    return tomllib.loads((shipped("templates") / "foreign_logs.toml").read_text(encoding="utf-8"))


def folded(head: str) -> str:
    """A head without case, accents and doubled spaces."""
    plain = unicodedata.normalize("NFKD", head.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def bare(text: str) -> str:
    """The letters and digits of a text, so that markup, quotes and spaces make no difference."""
    return "".join(filter(str.isalnum, folded(text)))


class NamedItems:
    """The items of a bank by what another system calls them."""

    def __init__(self, items: Mapping[str, Item]) -> None:
        self._items = items
        self._known: dict[str, Found | None] = {}  # by the text that named it

    @cached_property
    def _by_stem(self) -> Mapping[str, Item]:
        return {bare(item.draw(Stream(item.id, "0")).stem_with_shared()): item for item in self._items.values()}

    @cached_property
    def _drawing(self) -> Sequence[tuple[re.Pattern[str], Item]]:
        """Items whose stem prints drawn values, each with what every stem of it looks like."""
        found = []
        for item in self._items.values():
            pieces = re.split(r"\{\w+\}", item.stem)
            if len(pieces) > 1:
                found.append((re.compile(".{0,40}?".join(re.escape(bare(piece)) for piece in pieces)), item))
        return found

    @cached_property
    def _options(self) -> Mapping[str, Mapping[str, str]]:
        """The options of each choice item by their bare text."""
        drawn = {item.id: item.draw(Stream(item.id, "0")).order() for item in self._items.values()}
        return {name: {bare(text): text for text in order} for name, order in drawn.items() if order}

    def named(self, text: str) -> Found | None:
        """The item that a head, a field or a printed question names."""
        if text not in self._known:
            self._known[text] = self._looked_up(text)
        return self._known[text]

    def _looked_up(self, text: str) -> Found | None:
        name = re.sub(r"^\s*(\d+:|\W*(?:q|question|frage|item)?\s*\d+\s*[.:)])\s*", "", text, flags=re.IGNORECASE)
        for one in (text, name, re.split(r"[\s:\])]", name.lstrip("[("), maxsplit=1)[0]):
            if (item := self._items.get(one.strip())) is not None:
                return item, {}
        for one in (bare(name), bare(text)):
            matching = self._by_stem.get(one) or self._begun(one, text)
            if matching is not None:
                return matching, {}
        return next((matching for one in (name, text) for matching in self._with_values(one)), None)

    def _begun(self, head: str, text: str) -> Item | None:
        """An item whose stem the head goes on from (`stem: option; option`), or begins, where it is cut."""
        if text.rstrip().endswith(("...", "…")) and len(head) >= TRUNCATED:
            found = [item for stem, item in self._by_stem.items() if stem.startswith(head)]
        else:
            found = [item for stem, item in self._by_stem.items() if stem and self._with_options(head, stem, item)]
        return found[0] if len(found) == 1 else None

    def _with_options(self, head: str, stem: str, item: Item) -> bool:
        rest = head.removeprefix(stem)
        return rest != head and sorted(rest) == sorted("".join(self._options.get(item.id, {"": ""})))

    def _with_values(self, text: str) -> Iterator[Found]:
        head = bare(text)
        for pattern, item in self._drawing:
            for seed in range(DRAWINGS if pattern.match(head) else 0):
                variant = item.draw(Stream(item.id, str(seed)))
                if bare(stem_of(variant.prompt())) == head:
                    yield item, variant.drawn()
                    break

    def chosen_from(self, responses: Iterable[str]) -> Found | None:
        """The one item that offers all these options."""
        texts = {text for text in responses if bare(text)}
        items = [self._items[name] for name in self._options] if texts else []
        matching = [item for item in items if all(self._offers(item, text) for text in texts)]
        return (matching[0], {}) if len(matching) == 1 else None

    def _offers(self, item: Item, text: str) -> bool:
        taken = self.response(item, text)
        return isinstance(taken, list) or taken in self._options[item.id].values()

    def response(self, item: Item, given: object) -> object:
        """A response with its options in the bank's own words, whatever parts them; else as it is."""
        if isinstance(given, list):
            return [self.response(item, one) for one in given]
        options = self._options.get(item.id)
        if options is None or not isinstance(given, str):
            return given
        if bare(given) in options:
            return options[bare(given)]
        pieces = re.split(r"[,;\n]\s*", given.replace("\\,", "\0"))
        taken: list[str] = []
        while pieces:  # an option may hold what parts them: the longest that is one
            size = next((n for n in range(len(pieces), 0, -1) if bare("".join(pieces[:n])) in options), 0)
            if not size:
                return given
            taken.append(options[bare("".join(pieces[:size]))])
            pieces = pieces[size:]
        return taken


def stem_of(blocks: Iterable[object]) -> str:
    """The words of a prompt's paragraphs."""
    from quizgen.markdown import plain

    return " ".join(plain(parts) for block in blocks if (parts := getattr(block, "parts", None)))


@dataclass(slots=True)
class Account:
    """What is said about a log once: columns that were left, and questions that are no item, with their responses."""

    left: dict[str, None] = field(default_factory=dict)
    unmatched: Counter[str] = field(default_factory=Counter)
    unnamed: bool = False

    def faults(self) -> tuple[tuple[int, str], ...]:
        said = []
        if self.unmatched:
            several = f"{len(self.unmatched)} questions are" if len(self.unmatched) > 1 else "a question is"
            names = _listed(f"{shown} ({n} response{'s' * (n != 1)})" for shown, n in self.unmatched.items())
            said.append(f"{several} no item of the bank, by id, stem or options: {names}; name it: --map ITEM=NAME")
        if self.left:
            said.append(f"columns that are not known were left: {_listed(self.left)}")
        if self.unnamed:
            said.append("no column says who answered: candidates are called by their row; --map candidate=COLUMN")
        return tuple((1, why) for why in said)


def _listed(names: Iterable[str]) -> str:
    texts = [f'"{shorten(printable(" ".join(name.split())))}"' for name in names]
    return ", ".join(texts[:SHOWN]) + (f" and {len(texts) - SHOWN} more" if len(texts) > SHOWN else "")


# -- tables -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a table are, by their places. `heads` are all texts above a column."""

    heads: Sequence[tuple[str, ...]]
    form: Mapping[str, Any]
    names: Mapping[str, str]
    found: dict[str, list[int]] = field(default_factory=dict, compare=False)  # places by role, once looked for

    def places(self, role: str) -> list[int]:
        """The columns of a role, the preferred first; the one that the command names is the only one."""
        if role not in self.found:
            patterns = self.form.get(role) or formats()["columns"].get(role) or ()
            wanted = [re.escape(folded(self.names[role]))] if role in self.names else patterns
            self.found[role] = [
                n
                for pattern in ([wanted] if isinstance(wanted, str) else wanted)
                for n, texts in enumerate(self.heads)
                if any(re.fullmatch(pattern, folded(text)) for text in texts[: None if role in self.names else 1])
            ]
        return self.found[role]

    def numbered(self, role: str) -> dict[str, int]:
        """Columns by the number in their heads, as in `Response 3`."""
        found = ((re.fullmatch(self.form[role], folded(texts[0])), n) for n, texts in enumerate(self.heads))
        return {match[2]: n for match, n in found if match} if role in self.form else {}

    def known(self) -> set[int]:
        """Columns of a role that is no item."""
        roles = ("candidate", "first_name", "last_name", "left", "complete")
        own = [self.form["left"]] if "left" in self.form else []
        both = Columns(self.heads, {"left": [*own, formats()["columns"]["left"]]}, {}).places("left")
        return {n for role in roles for n in self.places(role)} | set(both)


def is_long(columns: Columns) -> bool:
    return bool(columns.places("item")) and bool(columns.places("response"))


def table_blocks(source: int, path: str, foreign: Foreign) -> Iterator[Block]:
    """The responses in a table of another system. Raises Unreadable, which ends in the command that reads it."""
    from quizgen.spreadsheet import NotASheet, text_of

    if not foreign.items:
        raise foreign.refuse(path, "no bank is named in it")
    try:
        read_as = text_of(bytes_of(path, ", too large for a log"), foreign.encoding)
    except NotASheet as error:
        raise Unreadable(f"{path}: {error}") from None
    except UnicodeDecodeError as error:
        why = f"not {error.encoding.upper()} (byte 0x{error.object[error.start]:02x}); is it Windows-1252"
        raise foreign.refuse(path, why, "--encoding windows-1252") from None
    rows = [(n, [cell.strip() for cell in cells]) for n, cells in rows_in(read_as, path) if "".join(cells).strip()]
    width = max((len(cells) for _, cells in rows), default=0)
    rows = [(n, [*cells, *[""] * (width - len(cells))]) for n, cells in rows]
    index, account = NamedItems(foreign.items), Account()
    columns, body = _head(path, rows, foreign, index)
    read = _wide if columns.form or not is_long(columns) else _long
    lines = list(read(columns, body, foreign, index, account))
    if not lines:
        names = _listed([*account.unmatched, *account.left])
        why = f"nothing in it is an item of the bank, by id, stem or options ({names}); name columns by the items' ids"
        raise foreign.refuse(path, why, "--map ITEM=COLUMN")
    yield replace(block_of_lines(source, lines), faults=account.faults())


Rows = Sequence[tuple[int, Sequence[str]]]
Made = tuple[int, dict[str, object]]


def _head(path: str, rows: Rows, foreign: Foreign, index: NamedItems) -> tuple[Columns, Rows]:
    """The columns, and the rows below the head, which may be of several rows with a title above."""
    for place, (_, cells) in enumerate(rows[:HEADS]):
        columns = Columns([(cell,) for cell in cells], {}, foreign.names)
        if not is_long(columns):
            columns = Columns(columns.heads, _form_of(cells), foreign.names)
        if columns.form or is_long(columns) or _names_items(columns, rows[place : place + 2], foreign, index):
            end = place + 1
            while end < min(place + HEADS, len(rows)) and _goes_on(columns, rows[end][1]):
                end += 1
            above = _stacked([row for _, row in rows[place:end]])
            return Columns(above, columns.form, foreign.names), rows[end:]
    heads = _listed(filter(None, rows[0][1])) if rows else "(none)"
    why = f"no log that is known, by its columns {heads}; say which are which"
    raise foreign.refuse(path, why, "--map candidate=COLUMN,item=COLUMN,response=COLUMN")


def _form_of(cells: Sequence[str]) -> Mapping[str, Any]:
    """The row of the table of formats that fits a head; empty where none does."""
    heads = [folded(cell) for cell in cells]
    for form in formats().values():
        if "by" in form and all(any(re.fullmatch(by, head) for head in heads) for by in form["by"]):
            return form
    return {}


def _names_items(columns: Columns, rows: Rows, foreign: Foreign, index: NamedItems) -> bool:
    """Whether a row says who answered and, itself or in a row of the head below it, names an item."""
    below = rows[1][1] if len(rows) > 1 and _goes_on(columns, rows[1][1]) else ()
    heads = filter(None, (*rows[0][1], *below))
    return bool(columns.places("candidate")) and any(h in foreign.names.values() or index.named(h) for h in heads)


def _goes_on(columns: Columns, row: Sequence[str]) -> bool:
    """Whether a row below a head goes on with it: nothing stands under columns of persons and times, or their names
    once more."""
    known = [(columns.heads[n][0], row[n]) for n in columns.known()]
    again = [bare(head) == bare(cell) or cell.startswith('{"ImportId"') for head, cell in known if cell]
    return bool(known) and sum(again) * 2 >= len(again)


def _stacked(above: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The texts above each column; where there are several rows, one cell of the first stands over the empty ones
    that follow."""
    first = list(above[0])
    for n in range(1, len(first) if len(above) > 1 else 0):
        first[n] = first[n] or first[n - 1]
    return list(zip(first, *above[1:], strict=True))


def _who(columns: Columns, row: Sequence[str]) -> str:
    names = [row[n] for role in ("first_name", "last_name") for n in columns.places(role)[:1]]
    by_name = " ".join(names).strip() if "candidate" not in columns.names else ""
    return next(filter(None, (*(row[n] for n in columns.places("candidate")), by_name)), "")


def _long(columns: Columns, rows: Rows, foreign: Foreign, index: NamedItems, account: Account) -> Iterator[Made]:
    """One row per response."""
    heads = [texts[0] for texts in columns.heads]
    roles = {n for role in FIELDS for n in columns.places(role)} | columns.known()
    account.left |= dict.fromkeys(head for n, head in enumerate(heads) if n not in roles and head)
    for number, row in rows:
        record = {role: next((row[n] for n in columns.places(role)), "") for role in ("response", "seconds", "at")}
        questions = [row[n] for n in columns.places("item") if row[n]]
        line = _line({"candidate": _who(columns, row), **record}, questions, foreign, index, account)
        if line is not None:
            yield number, line


def _line(
    record: Mapping[str, object], questions: Sequence[str], foreign: Foreign, index: NamedItems, account: Account
) -> dict[str, object] | None:
    """A line of ours from fields by our names; None where the question is no item."""
    mapped = [ours for ours, theirs in foreign.names.items() if theirs in questions]
    items = next(filter(None, map(index.named, [*mapped, *questions])), None)
    if items is None:
        account.unmatched[questions[0] if questions else ""] += 1
        return None
    item, given = items
    line: dict[str, object] = {"item": item.id, "response": index.response(item, record.get("response"))}
    seconds = read_number(str(record.get("seconds") or ""))
    if record.get("candidate") not in (None, ""):
        line["candidate"] = record["candidate"]
    else:
        account.unnamed = True
    if seconds is not None and seconds >= 0:
        line["seconds"] = float(seconds)
    if _is_time(record.get("at")):
        line["at"] = record["at"]
    return line | ({"given": dict(given)} if given else {})


def _is_time(value: object) -> bool:
    try:
        return bool(time_of({"at": value}))
    except Damaged:
        return False


def _wide(columns: Columns, rows: Rows, foreign: Foreign, index: NamedItems, account: Account) -> Iterator[Made]:
    """One row per candidate, a column or several a question."""
    printed = columns.numbered("question")
    questions = columns.numbered("response")
    questions = questions or {str(n): n for n in range(len(columns.heads)) if n not in columns.known()}
    own = {n: place for n, place in questions.items() if n not in printed}
    matched = _matched(columns, own, rows, foreign, index, account)
    for number, row in rows:
        if all(row[n] for n in columns.places("complete")):
            found = matched | _printed({n: row[place] for n, place in printed.items()}, index, account)
            who = _who(columns, row)
            account.unnamed = account.unnamed or not who
            for line in _row(columns, found, {n: row[place] for n, place in questions.items()}, index):
                yield number, {"candidate": who or f"row {number}", **line}


def _printed(texts: Mapping[str, str], index: NamedItems, account: Account) -> dict[str, Found | None]:
    """The items of a row that prints each question beside its response."""
    items = {n: index.named(text) for n, text in texts.items()}
    account.unmatched.update(text for n, text in texts.items() if items[n] is None)
    return items


def _matched(
    columns: Columns, places: Mapping[str, int], rows: Rows, foreign: Foreign, index: NamedItems, account: Account
) -> dict[str, Found | None]:
    """The item of each column; a column that is none, and has anything in it, is kept in the account."""
    matched = {}
    for n, place in places.items():
        cells = [row[place] for _, row in rows]
        matched[n] = _asked(columns, place, cells, foreign, index)
        name, filled = next(filter(None, columns.heads[place]), ""), len(list(filter(None, cells)))
        if matched[n] is None and name and filled:
            account.unmatched[name] += filled
    return matched


def _row(
    columns: Columns, items: Mapping[str, Found | None], cells: Mapping[str, str], index: NamedItems
) -> Iterator[dict[str, object]]:
    """The responses of a row, by the items of its columns and their cells."""
    for (item, values), texts in _by_item(items, cells):
        given = [text for text in texts if text and text != columns.form.get("blank")]
        response = index.response(item, given[0] if len(given) == 1 else given or "")
        yield {"item": item.id, "response": response} | ({"given": dict(values)} if values else {})


def _by_item(items: Mapping[str, Found | None], cells: Mapping[str, str]) -> Iterator[tuple[Found, list[str]]]:
    """The cells of a row for each item, which may have one column per option."""
    several: dict[str, tuple[Found, list[str]]] = {}
    for n, one in items.items():
        if one is not None and n in cells:
            several.setdefault(one[0].id, (one, []))[1].append(cells[n])
    yield from several.values()


def _asked(columns: Columns, place: int, cells: Sequence[str], foreign: Foreign, index: NamedItems) -> Found | None:
    """The item of a column: as the command says, by a text above it, or by the options that were chosen in it."""
    texts = [text for text in columns.heads[place] if text]
    for ours, theirs in foreign.names.items():
        if ours in foreign.items and theirs in texts:
            return foreign.items[ours], {}
    items = [one for one in map(index.named, texts) if one is not None]
    items.sort(key=lambda one: not one[1])  # an id says which item, a stem also with which values
    return next(iter(items), None) or index.chosen_from(c for c in cells if c != columns.form.get("blank"))


# -- JSON lines -------------------------------------------------------------------------------------


def line_blocks(blocks: Iterator[Block], path: str, foreign: Foreign) -> Iterator[Block]:
    """The blocks of a log; of one whose lines have other names for our fields, with our names."""
    first = next(blocks, None)
    if first is None:
        return
    if first.text().lstrip()[:1] == b"[":
        first, blocks = _in_lines(first, blocks), iter(())
    if foreign.encoding:
        first, blocks = _recoded(first, foreign.encoding), (_recoded(block, foreign.encoding) for block in blocks)
    rest = chain([first], blocks)
    fields = _fields(path, first, foreign)
    if fields is None:
        yield from rest
        return
    index, account = NamedItems(foreign.items), Account()
    for block in rest:
        yield _translated(block, fields, foreign, index, account)
    yield Block(first.source, 1, 0, b"", faults=account.faults())


def _recoded(block: Block, encoding: str) -> Block:
    return replace(block, data=block.text().decode(encoding, "replace").encode())


def _in_lines(first: Block, rest: Iterable[Block]) -> Block:
    """A file that is one list in JSON, as a line for each entry; as it is where it is none."""
    data = b"".join(block.text() for block in chain([first], rest))
    try:
        entries = json.loads(data)
    except (ValueError, RecursionError):
        return replace(first, data=data, size=len(data), read=len(data))
    return block_of_lines(first.source, list(enumerate(entries, 1)), 1)


def _fields(path: str, block: Block, foreign: Foreign) -> Columns | None:
    """What the fields of the first lines are; None where they are ours, or no lines of a log at all."""
    records = []
    for text in block.lines()[0][:HEADS]:
        try:
            records.append(parse(text))
        except Damaged:
            continue
    if not any(records) or any({"item", "type"} & record.keys() for record in records):
        return None
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = Columns([(name,) for name in names], {}, foreign.names)
    if not is_long(columns):
        why = f"the lines have fields of other names, {_listed(names)}; say which are which"
        raise foreign.refuse(path, why, "--map candidate=FIELD,item=FIELD,response=FIELD")
    return columns


def _translated(block: Block, columns: Columns, foreign: Foreign, index: NamedItems, account: Account) -> Block:
    texts, bad = block.lines()
    faults, made = [*block.faults, *bad], []
    names = {role: [columns.heads[n][0] for n in columns.places(role)] for role in FIELDS}
    known = {*chain.from_iterable(names.values()), *(columns.heads[n][0] for n in columns.known())}
    for place, text in enumerate(texts):
        if not text.strip():
            continue
        try:
            record = parse(text)
        except Damaged as error:
            faults.append((block.number(place), str(error)))
            continue
        account.left |= dict.fromkeys(name for name in record if name not in known)
        values = {role: next((record[n] for n in names[role] if record.get(n) is not None), None) for role in names}
        questions = [str(record[name]) for name in names["item"] if record.get(name) not in (None, "")]
        line = _line(values, questions, foreign, index, account)
        if line is not None:
            made.append((block.number(place), line))
    return replace(block_of_lines(block.source, made, block.first), faults=tuple(faults), read=block.read)
