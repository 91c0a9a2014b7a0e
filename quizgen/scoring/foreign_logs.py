"""Turns logs of other systems into log lines of this program: candidate, item of the bank, response.

`templates/foreign_logs.toml` is the one table of formats. An item is recognized by its id, else by its stem (with the
values that seeds 0 to 199 draw), else by the options that candidates chose. A column that belongs to no item is
mentioned once and ignored."""

from __future__ import annotations

import json
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import chain
from shlex import quote
from typing import Any

from quizgen.data_folders import shipped_folder_path
from quizgen.draw import SeededRng
from quizgen.model import Item
from quizgen.scoring.log_files import LogBlock
from quizgen.scoring.log_lines import BadInput, parse_line, time_field
from quizgen.scoring.tables import MORE_CELLS_MESSAGE, log_block_of_lines, read_small_file
from quizgen.source.problems import Unreadable, printable, read_number, shorten
from quizgen.spreadsheet import read_sheet_rows

MAX_SEEDS_TRIED = 200  # seeds tried to find the one that prints a stem
MAX_HEADING_ROWS = 4  # rows that may hold a title or the headers
LOG_FIELD_ROLES = ("candidate", "item", "response", "seconds", "at")
LOG_FIELDS_COPIED_UNCHANGED = (
    "given",
    "seed",
    "session",
    "earlier",
    "points",
    "hints",
)  # ours, also beside other names
MAX_LISTED_NAMES = 12

MatchedItem = tuple[Item, Mapping[str, str]]  # an item of the bank, with the drawn values in its stem


@dataclass(frozen=True, slots=True)
class ForeignLog:
    """How to read a log of another system: the `items` it may be about, the name of their `bank_name` as typed,
    `foreign_name_by_our_name` (our field name or item id -> the log's name for that field), and its `encoding` (empty:
    UTF-8)."""

    items: Mapping[str, Item]
    bank_name: str = "BANK"
    foreign_name_by_our_name: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""

    def unreadable_error(self, path: str, why: str, options: str = "") -> Unreadable:
        """The error for a log that cannot be read. Its message says `why` and ends with the command to type, with the
        given `options`."""
        command = f"quizgen score {quote(path)} --bank {quote(self.bank_name)} {options}".rstrip()
        return Unreadable(f"{path}: {why}; type: {command}")


@cache
def foreign_formats() -> Mapping[str, Mapping[str, Any]]:
    """The table of known formats, by name."""
    return tomllib.loads((shipped_folder_path("templates") / "foreign_logs.toml").read_text(encoding="utf-8"))


def normalized_heading(heading: str) -> str:
    """A heading in one case, without accents or doubled spaces."""
    plain = unicodedata.normalize("NFKD", heading.casefold())
    return " ".join("".join(c for c in plain if not unicodedata.combining(c)).split())


def alnum_key(text: str) -> str:
    """The letters and digits of a text in lower case, so that markup, quotes and spaces make no difference."""
    return "".join(filter(str.isalnum, normalized_heading(text)))


class ItemFinder:
    """Finds the items of a bank from the texts of another system. `notes`: what matched none, and other remarks on the
    log."""

    def __init__(self, foreign_log: ForeignLog) -> None:
        self.log, self.notes = foreign_log, LogNotes()
        self._items = foreign_log.items
        self._known: dict[str, MatchedItem | None] = {}  # text of a header -> item

    @cached_property
    def _items_by_stem(self) -> Mapping[str, Item]:
        return {
            alnum_key(item.draw(SeededRng(item.id, "0")).stem_with_stimulus_values()): item
            for item in self._items.values()
        }

    @cached_property
    def _stem_patterns(self) -> Sequence[tuple[re.Pattern[str], Item]]:
        """The items whose stem contains drawn values, each with a pattern that all its stems match."""
        found = []
        for item in self._items.values():
            pieces = re.split(r"\{\w+\}", item.stem)
            if len(pieces) > 1:
                found.append((re.compile(".{0,40}?".join(re.escape(alnum_key(piece)) for piece in pieces)), item))
        return found

    @cached_property
    def _options_by_item(self) -> Mapping[str, Mapping[str, str]]:
        """By item id, the options of each choice item, by their letters and digits."""
        drawn = {item.id: item.draw(SeededRng(item.id, "0")).options_in_order() for item in self._items.values()}
        return {name: {alnum_key(text): text for text in order} for name, order in drawn.items() if order}

    def find_by_text(self, text: str) -> MatchedItem | None:
        """The item that a heading, field or printed question names, with the drawn values in the text; else None."""
        if text not in self._known:
            self._known[text] = self._find_by_id_or_stem(text)
        return self._known[text]

    def _find_by_id_or_stem(self, text: str) -> MatchedItem | None:
        name = re.sub(r"^\s*(\d+:|\W*(?:q|question|frage|item)?\s*\d+\s*[.:)])\s*", "", text, flags=re.IGNORECASE)
        for one in (text, name, re.split(r"[\s:\])]", name.lstrip("[("), maxsplit=1)[0]):
            if (item := self._items.get(one.strip())) is not None:
                return item, {}
        for one in (alnum_key(name), alnum_key(text)):
            matching = self._items_by_stem.get(one) or self._find_by_stem_and_options(one)
            if matching is not None:
                return matching, {}
        return next((matching for one in (name, text) for matching in self._find_by_drawn_stem(one)), None)

    def _find_by_stem_and_options(self, heading_key: str) -> Item | None:
        """The item whose stem and options make up `heading_key` (`stem: option; option`); None unless it is the only
        one."""
        found = []
        for stem, item in self._items_by_stem.items():
            rest = heading_key.removeprefix(stem)
            options = self._options_by_item.get(item.id, {"": ""})
            if rest != heading_key and sorted(rest) == sorted("".join(options)):
                found.append(item)
        return found[0] if len(found) == 1 else None

    def _find_by_drawn_stem(self, text: str) -> Iterator[MatchedItem]:
        head = alnum_key(text)
        for pattern, item in self._stem_patterns:
            for seed in range(MAX_SEEDS_TRIED if pattern.match(head) else 0):
                variant = item.draw(SeededRng(item.id, str(seed)))
                if alnum_key(prompt_text(variant.prompt())) == head:
                    yield item, variant.drawn_value_texts()
                    break

    def find_by_options(self, responses: Iterable[str]) -> MatchedItem | None:
        """The only item that offers all these responses as options; None if there is none or several."""
        texts = {text for text in responses if alnum_key(text)}
        items = [self._items[name] for name in self._options_by_item] if texts else []
        matching = [item for item in items if all(self._has_option(item, text) for text in texts)]
        return (matching[0], {}) if len(matching) == 1 else None

    def _has_option(self, item: Item, text: str) -> bool:
        taken = self.with_bank_option_wording(item, text)
        return isinstance(taken, list) or taken in self._options_by_item[item.id].values()

    def with_bank_option_wording(self, item: Item, response: object) -> object:
        """`response` with its options in the bank's own words, whatever separates them; unchanged if an
        option is unknown."""
        if isinstance(response, list):
            return [self.with_bank_option_wording(item, one) for one in response]
        options = self._options_by_item.get(item.id)
        if options is None or not isinstance(response, str):
            return response
        if alnum_key(response) in options:
            return options[alnum_key(response)]
        pieces = re.split(r"[,;\n]\s*", response.replace("\\,", "\0"))
        taken: list[str] = []
        while pieces:  # an option may contain the separator, so the longest join that is an option counts
            size = next((n for n in range(len(pieces), 0, -1) if alnum_key("".join(pieces[:n])) in options), 0)
            if not size:
                return response
            taken.append(options[alnum_key("".join(pieces[:size]))])
            pieces = pieces[size:]
        return taken


def prompt_text(blocks: Iterable[object]) -> str:
    """The words of a prompt's paragraphs."""
    from quizgen.markdown import inline_plain_text

    return " ".join(inline_plain_text(parts) for block in blocks if (parts := getattr(block, "parts", None)))


@dataclass(slots=True)
class LogNotes:
    """Remarks that are made once for a whole log: the ignored columns, the number of responses to each question that
    matches no item (`unmatched_counts`), and whether candidates have no names (`has_unnamed_rows`)."""

    ignored_columns: dict[str, None] = field(default_factory=dict)
    unmatched_counts: Counter[str] = field(default_factory=Counter)
    has_unnamed_rows: bool = False

    def as_block_faults(self) -> tuple[tuple[int, str], ...]:
        """The remarks as faults of a block, all on line 1."""
        said = []
        if self.unmatched_counts:
            count = len(self.unmatched_counts)
            several = f"{count} questions match" if count > 1 else "a question matches"
            names = _quoted_names_text(
                f"{shown} ({n} response{'s' * (n != 1)})" for shown, n in self.unmatched_counts.items()
            )
            said.append(f"{several} no item of the bank by id, stem or options: {names}; --map ITEM=NAME names it")
        if self.ignored_columns:
            said.append(f"unknown columns were ignored: {_quoted_names_text(self.ignored_columns)}")
        if self.has_unnamed_rows:
            said.append("no column says who answered: candidates are named by row; use --map candidate=COLUMN")
        return tuple((1, why) for why in said)


def _quoted_names_text(names: Iterable[str]) -> str:
    texts = [f'"{shorten(printable(" ".join(name.split())))}"' for name in names]
    return ", ".join(texts[:MAX_LISTED_NAMES]) + (
        f" and {len(texts) - MAX_LISTED_NAMES} more" if len(texts) > MAX_LISTED_NAMES else ""
    )


# -- tables -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TableColumns:
    """What each column of a table means. `headings` has all the texts above each column."""

    headings: Sequence[tuple[str, ...]]
    format_entry: Mapping[str, Any]
    user_column_by_role: Mapping[str, str]
    indices_by_role: dict[str, list[int]] = field(default_factory=dict, compare=False)  # role -> columns; a cache

    def indices_with_role(self, role: str) -> list[int]:
        """The indices of the columns with a role such as `candidate`, the preferred column first; only the column that
        the user named for the role, if any."""
        if role not in self.indices_by_role:
            patterns = self.format_entry.get(role) or foreign_formats()["columns"].get(role) or ()
            wanted = (
                [re.escape(normalized_heading(self.user_column_by_role[role]))]
                if role in self.user_column_by_role
                else patterns
            )
            self.indices_by_role[role] = [
                n
                for pattern in ([wanted] if isinstance(wanted, str) else wanted)
                for n, texts in enumerate(self.headings)
                if any(
                    re.fullmatch(pattern, normalized_heading(text))
                    for text in texts[: None if role in self.user_column_by_role else 1]
                )
            ]
        return self.indices_by_role[role]

    def indices_by_question_number(self, role: str) -> dict[str, int]:
        """Indices of the columns with a role, by the number in their heading, as in `Response 3`."""
        found = (
            (re.fullmatch(self.format_entry[role], normalized_heading(texts[0])), n)
            for n, texts in enumerate(self.headings)
        )
        return {match[2]: n for match, n in found if match} if role in self.format_entry else {}

    def indices_without_responses(self) -> set[int]:
        """The indices of columns that have a role, and so hold no responses."""
        roles = ("candidate", "first_name", "last_name", "left", "complete")
        own = [self.format_entry["left"]] if "left" in self.format_entry else []
        both = TableColumns(
            self.headings, {"left": [*own, foreign_formats()["columns"]["left"]]}, {}
        ).indices_with_role("left")
        return {n for role in roles for n in self.indices_with_role(role)} | set(both)


def is_one_row_per_response(columns: TableColumns) -> bool:
    """Whether the table has one row for each response."""
    return bool(columns.indices_with_role("item")) and bool(columns.indices_with_role("response"))


def log_blocks_of_foreign_table(source: int, path: str, foreign_log: ForeignLog) -> Iterator[LogBlock]:
    """Yields the responses in a table of another system. Raises Unreadable, which ends with the command to type."""
    if not foreign_log.items:
        raise foreign_log.unreadable_error(path, "it names no bank")
    try:
        sheet = list(read_sheet_rows(read_small_file(path, ", too large for a log"), path, foreign_log.encoding))
    except UnicodeDecodeError as error:
        why = f"not {error.encoding.upper()} (byte 0x{error.object[error.start]:02x}); is it Windows-1252"
        raise foreign_log.unreadable_error(path, why, "--encoding windows-1252") from None
    rows = [(n, [cell.strip() for cell in cells]) for n, cells in sheet if "".join(cells).strip()]
    width = max((len(cells) for _, cells in rows), default=0)
    rows = [(n, [*cells, *[""] * (width - len(cells))]) for n, cells in rows]
    finder = ItemFinder(foreign_log)
    columns, body = _columns_and_rows_below_heading(path, rows, finder)
    read = (
        _log_lines_of_wide_table
        if columns.format_entry or not is_one_row_per_response(columns)
        else _log_lines_of_long_table
    )
    named = max((n + 1 for n, texts in enumerate(columns.headings) if any(texts)), default=0)
    wide = [number for number, row in body if any(row[named:])] if read is _log_lines_of_long_table else []
    lines = list(read(columns, [row for row in body if row[0] not in wide], finder))
    if not lines:
        names = _quoted_names_text([*finder.notes.unmatched_counts, *finder.notes.ignored_columns])
        why = f"no column is an item of the bank by id, stem or options ({names}); say which is which"
        raise foreign_log.unreadable_error(path, why, "--map ITEM=COLUMN")
    yield replace(
        log_block_of_lines(source, lines),
        faults=(*finder.notes.as_block_faults(), *((n, MORE_CELLS_MESSAGE) for n in wide)),
    )


NumberedRows = Sequence[tuple[int, Sequence[str]]]
NumberedLine = tuple[int, dict[str, object]]


def _columns_and_rows_below_heading(
    path: str, rows: NumberedRows, finder: ItemFinder
) -> tuple[TableColumns, NumberedRows]:
    """The columns, and the rows below the heading. The heading may have several rows, and a title above it."""
    names = finder.log.foreign_name_by_our_name
    for place, (_, cells) in enumerate(rows[:MAX_HEADING_ROWS]):
        columns = TableColumns([(cell,) for cell in cells], {}, names)
        if not is_one_row_per_response(columns):
            columns = TableColumns(columns.headings, _format_entry_of_heading(cells), names)
        if (
            columns.format_entry
            or is_one_row_per_response(columns)
            or _is_heading_with_items(columns, rows[place : place + 2], finder)
        ):
            end = place + 1
            while end < min(place + MAX_HEADING_ROWS, len(rows)) and _is_heading_continuation(columns, rows[end][1]):
                end += 1
            above = _column_headings([row for _, row in rows[place:end]])
            return TableColumns(above, columns.format_entry, names), rows[end:]
    heads = _quoted_names_text(filter(None, rows[0][1])) if rows else "(none)"
    why = f"not a known kind of log, by its columns {heads}; say what they are"
    raise finder.log.unreadable_error(path, why, "--map candidate=COLUMN,item=COLUMN,response=COLUMN")


def _format_entry_of_heading(cells: Sequence[str]) -> Mapping[str, Any]:
    """The entry for this heading in the table of formats; empty if none fits."""
    heads = [normalized_heading(cell) for cell in cells]
    for form in foreign_formats().values():
        if "by" in form and all(any(re.fullmatch(by, head) for head in heads) for by in form["by"]):
            return form
    return {}


def _is_heading_with_items(columns: TableColumns, rows: NumberedRows, finder: ItemFinder) -> bool:
    """Whether the first of `rows` has a column for the candidate, and it or a row that continues the heading has a text
    that names an item."""
    below = rows[1][1] if len(rows) > 1 and _is_heading_continuation(columns, rows[1][1]) else ()
    heads = filter(None, (*rows[0][1], *below))
    return bool(columns.indices_with_role("candidate")) and any(
        h in finder.log.foreign_name_by_our_name.values() or finder.find_by_text(h) for h in heads
    )


def _is_heading_continuation(columns: TableColumns, row: Sequence[str]) -> bool:
    """Whether a row still belongs to the heading above it: its cells for candidates and times are empty or repeat the
    names of these columns."""
    known = [(columns.headings[n][0], row[n]) for n in columns.indices_without_responses()]
    again = [alnum_key(head) == alnum_key(cell) or cell.startswith('{"ImportId"') for head, cell in known if cell]
    return bool(known) and sum(again) * 2 >= len(again)


def _column_headings(heading_rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The texts above each column. If there are several rows, a cell of the first also counts for the empty cells to
    its right."""
    first = list(heading_rows[0])
    for n in range(1, len(first) if len(heading_rows) > 1 else 0):
        first[n] = first[n] or first[n - 1]
    return list(zip(first, *heading_rows[1:], strict=True))


def _candidate_in_row(columns: TableColumns, row: Sequence[str]) -> str:
    names = [row[n] for role in ("first_name", "last_name") for n in columns.indices_with_role(role)[:1]]
    by_name = " ".join(names).strip() if "candidate" not in columns.user_column_by_role else ""
    return next(filter(None, (*(row[n] for n in columns.indices_with_role("candidate")), by_name)), "")


def _log_lines_of_long_table(columns: TableColumns, rows: NumberedRows, finder: ItemFinder) -> Iterator[NumberedLine]:
    """Yields a log line for each row of a table that has one row per response."""
    heads = [texts[0] for texts in columns.headings]
    roles = {
        n for role in LOG_FIELD_ROLES for n in columns.indices_with_role(role)
    } | columns.indices_without_responses()
    finder.notes.ignored_columns |= dict.fromkeys(head for n, head in enumerate(heads) if n not in roles and head)
    for number, row in rows:
        record = {
            role: next((row[n] for n in columns.indices_with_role(role)), "") for role in ("response", "seconds", "at")
        }
        questions = [row[n] for n in columns.indices_with_role("item") if row[n]]
        line = _make_log_line({"candidate": _candidate_in_row(columns, row), **record}, questions, finder)
        if line is not None:
            yield number, line


def _make_log_line(
    record: Mapping[str, object], item_texts: Sequence[str], finder: ItemFinder
) -> dict[str, object] | None:
    """A line of our log from `record`, fields by our names; None if no text in `item_texts` names an item."""
    mapped = [ours for ours, theirs in finder.log.foreign_name_by_our_name.items() if theirs in item_texts]
    items = next(filter(None, map(finder.find_by_text, [*mapped, *item_texts])), None)
    if items is None:
        finder.notes.unmatched_counts[item_texts[0] if item_texts else ""] += 1
        return None
    item, given = items
    line: dict[str, object] = {
        "item": item.id,
        "response": finder.with_bank_option_wording(item, record.get("response")),
    }
    seconds = read_number(str(record.get("seconds") or ""))
    if record.get("candidate") not in (None, ""):
        line["candidate"] = record["candidate"]
    else:
        finder.notes.has_unnamed_rows = True
    if seconds is not None and seconds >= 0:
        line["seconds"] = float(seconds)
    with suppress(BadInput):
        line |= {"at": at} if (at := time_field({"at": record.get("at")})) else {}
    return line | ({"given": dict(given)} if given else {})


def _log_lines_of_wide_table(columns: TableColumns, rows: NumberedRows, finder: ItemFinder) -> Iterator[NumberedLine]:
    """Yields the log lines of a table that has one row per candidate, and one or more columns per question."""
    printed = columns.indices_by_question_number("question")
    questions = columns.indices_by_question_number("response")
    questions = questions or {
        str(n): n for n in range(len(columns.headings)) if n not in columns.indices_without_responses()
    }
    own = {n: place for n, place in questions.items() if n not in printed}
    matched = _items_of_columns(columns, own, rows, finder)
    for number, row in rows:
        if all(row[n] for n in columns.indices_with_role("complete")):
            found = matched | _items_by_printed_question({n: row[place] for n, place in printed.items()}, finder)
            who = _candidate_in_row(columns, row)
            finder.notes.has_unnamed_rows |= not who
            for line in _responses_of_row(columns, found, {n: row[place] for n, place in questions.items()}, finder):
                yield number, {"candidate": who or f"row {number}", **line}


def _items_by_printed_question(
    printed_questions: Mapping[str, str], finder: ItemFinder
) -> dict[str, MatchedItem | None]:
    """The item of each question, for a row that prints the question beside its response."""
    items = {n: finder.find_by_text(text) for n, text in printed_questions.items()}
    finder.notes.unmatched_counts.update(text for n, text in printed_questions.items() if items[n] is None)
    return items


def _items_of_columns(
    columns: TableColumns, column_indices: Mapping[str, int], rows: NumberedRows, finder: ItemFinder
) -> dict[str, MatchedItem | None]:
    """The item of each column; None for a column of no item, which the notes get if it is not empty."""
    matched = {}
    for n, place in column_indices.items():
        cells = [row[place] for _, row in rows]
        matched[n] = _item_of_column(columns, place, cells, finder)
        name, filled = next(filter(None, columns.headings[place]), ""), len(list(filter(None, cells)))
        if matched[n] is None and name and filled:
            finder.notes.unmatched_counts[name] += filled
    return matched


def _responses_of_row(
    columns: TableColumns, items: Mapping[str, MatchedItem | None], cells: Mapping[str, str], finder: ItemFinder
) -> Iterator[dict[str, object]]:
    """Yields the responses of one row, as log fields, from its cells and the items of its columns. An item has a single
    cell, or one for each option."""
    several: dict[str, tuple[MatchedItem, list[str]]] = {}
    for n, one in items.items():
        if one is not None and n in cells:
            several.setdefault(one[0].id, (one, []))[1].append(cells[n])
    for (item, values), texts in several.values():
        given = [text for text in texts if text and text != columns.format_entry.get("blank")]
        response = finder.with_bank_option_wording(item, given[0] if len(given) == 1 else given or "")
        yield {"item": item.id, "response": response} | ({"given": dict(values)} if values else {})


def _item_of_column(
    columns: TableColumns, column_index: int, cells: Sequence[str], finder: ItemFinder
) -> MatchedItem | None:
    """The item of a column, from the name that the user gave, a text above the column, or the options in its cells;
    None if it is no item."""
    texts = [text for text in columns.headings[column_index] if text]
    for ours, theirs in finder.log.foreign_name_by_our_name.items():
        if ours in finder.log.items and theirs in texts:
            return finder.log.items[ours], {}
    items = [one for one in map(finder.find_by_text, texts) if one is not None]
    items.sort(key=lambda one: not one[1])  # ids identify an item; stems identify its drawn values as well
    return next(iter(items), None) or finder.find_by_options(c for c in cells if c != columns.format_entry.get("blank"))


# -- JSON lines -------------------------------------------------------------------------------------


def log_blocks_of_foreign_json(blocks: Iterator[LogBlock], path: str, foreign_log: ForeignLog) -> Iterator[LogBlock]:
    """Yields the blocks of a log, with our field names if its lines have others. Raises Unreadable for unknown ones."""
    first = next(blocks, None)
    if first is None:
        return
    if first.line_bytes().lstrip()[:1] == b"[":
        first, blocks = _block_of_json_list(first, blocks), iter(())
    if encoding := foreign_log.encoding:
        first, blocks = _block_in_utf8(first, encoding), (_block_in_utf8(block, encoding) for block in blocks)
    rest = chain([first], blocks)
    fields = _foreign_columns_of_json_log(path, first, foreign_log)
    if fields is None:
        yield from rest
        return
    finder = ItemFinder(foreign_log)
    for block in rest:
        yield _translated_block(block, fields, finder)
    yield LogBlock(first.source_number, 1, 0, b"", faults=finder.notes.as_block_faults())


def _block_in_utf8(block: LogBlock, encoding: str) -> LogBlock:
    return replace(block, data=block.line_bytes().decode(encoding, "replace").encode())


def _block_of_json_list(first: LogBlock, later_blocks: Iterable[LogBlock]) -> LogBlock:
    """A file that is a single JSON list, as one line per entry; any other file unchanged."""
    data = b"".join(block.line_bytes() for block in chain([first], later_blocks))
    try:
        entries = json.loads(data)
    except (ValueError, RecursionError):
        return replace(first, data=data, byte_count=len(data), bytes_read=len(data))
    return log_block_of_lines(first.source_number, list(enumerate(entries, 1)), 1)


def _foreign_columns_of_json_log(path: str, block: LogBlock, foreign_log: ForeignLog) -> TableColumns | None:
    """The fields of the first lines as columns; None if they are ours or the lines are not JSON. Raises Unreadable if
    their meaning is unknown."""
    records = []
    for text in block.decoded_lines_and_faults()[0][:MAX_HEADING_ROWS]:
        try:
            records.append(parse_line(text))
        except BadInput:
            continue
    named_as_ours = not foreign_log.foreign_name_by_our_name and any(
        {"item", "response"} <= record.keys() for record in records
    )
    if not any(records) or named_as_ours or any("type" in record for record in records):
        return None
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = TableColumns([(name,) for name in names], {}, foreign_log.foreign_name_by_our_name)
    if not is_one_row_per_response(columns):
        if any("item" in record for record in records):
            return None  # ours, and each line without a response is named
        why = f"its lines have fields with unknown names, {_quoted_names_text(names)}; say which are which"
        raise foreign_log.unreadable_error(path, why, "--map candidate=FIELD,item=FIELD,response=FIELD")
    return columns


def _translated_block(block: LogBlock, columns: TableColumns, finder: ItemFinder) -> LogBlock:
    texts, bad = block.decoded_lines_and_faults()
    faults, made = [*block.faults, *bad], []
    names = {role: [columns.headings[n][0] for n in columns.indices_with_role(role)] for role in LOG_FIELD_ROLES}
    known = {columns.headings[n][0] for n in columns.indices_without_responses()}.union(*names.values())
    for place, text in enumerate(texts):
        if not text.strip():
            continue
        try:
            record = parse_line(text)
        except BadInput as error:
            faults.append((block.line_number(place), str(error)))
            continue
        carried = {name: record[name] for name in LOG_FIELDS_COPIED_UNCHANGED if name in record}
        finder.notes.ignored_columns |= dict.fromkeys(
            name for name in record if name not in known and name not in carried
        )
        values = {role: next((record[n] for n in names[role] if record.get(n) is not None), None) for role in names}
        questions = [str(record[name]) for name in names["item"] if record.get(name) not in (None, "")]
        line = _make_log_line(values, questions, finder)
        if line is not None:
            made.append((block.line_number(place), carried | line))
    return replace(
        log_block_of_lines(block.source_number, made, block.first_line),
        faults=tuple(faults),
        bytes_read=block.bytes_read,
    )
