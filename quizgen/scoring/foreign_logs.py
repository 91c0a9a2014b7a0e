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
from itertools import accumulate, chain, product
from shlex import quote
from typing import Any

from quizgen.data_folders import shipped_folder_path
from quizgen.draw import SeededRng
from quizgen.model import Item
from quizgen.scoring.log_files import TOO_MANY_CELLS_MESSAGE, LogBlock, log_block_of_records, read_small_file_bytes
from quizgen.scoring.log_lines import BadInput, parse_log_line, time_text_field
from quizgen.source.problems import Unreadable, printable, read_decimal, shorten
from quizgen.spreadsheet import numbered_rows_of_csv_or_xlsx_bytes

MAX_SEEDS_TRIED = 200  # seeds tried to find the one that prints a stem
MAX_HEADING_ROWS = 4  # rows that may hold a title or the headers
NON_RESPONSE_ROLES = ("candidate", "first_name", "last_name", "left", "complete")
COLUMN_ROLE_NAMES = (*NON_RESPONSE_ROLES, "item", "response", "seconds", "at")
LOG_FIELDS_COPIED_UNCHANGED = ("given", "seed", "session", "earlier", "points", "hints")  # ours, beside other names
MAX_LISTED_NAMES = 12

ItemAndDrawnTexts = tuple[Item, Mapping[str, str]]  # an item of the bank, with the drawn values in its stem


@dataclass(frozen=True, slots=True)
class ForeignLog:
    """How to read a log of another system: the items it may be about (`bank_item_by_id`), the name of their bank as
    typed, `foreign_name_by_our_name` (our field name or item id -> the log's name for that field), and its `encoding`
    (empty: UTF-8)."""

    bank_item_by_id: Mapping[str, Item]
    bank_name_as_typed: str = "BANK"
    foreign_name_by_our_name: Mapping[str, str] = field(default_factory=dict)
    encoding: str = ""

    def unreadable_error(self, path: str, reason: str, options: str = "") -> Unreadable:
        """The error for a log that cannot be read. Its message says `reason` and ends with the command to type, with
        the given `options`."""
        command = f"quizgen score {quote(path)} --bank {quote(self.bank_name_as_typed)} {options}".rstrip()
        return Unreadable(f"{path}: {reason}; type: {command}")


@cache
def all_log_formats() -> Mapping[str, Mapping[str, Any]]:
    """The table of known formats, by name."""
    return tomllib.loads((shipped_folder_path("templates") / "foreign_logs.toml").read_text(encoding="utf-8"))


def folded_heading_text(heading: str) -> str:
    """A heading in one case, without accents or doubled spaces."""
    text = unicodedata.normalize("NFKD", heading.casefold())
    return " ".join("".join(c for c in text if not unicodedata.combining(c)).split())


def alnum_key(text: str) -> str:
    """The letters and digits of a text in lower case, so that markup, quotes and spaces make no difference."""
    return "".join(filter(str.isalnum, folded_heading_text(text)))


class ItemFinder:
    """Finds the items of a bank from the texts of another system, and collects remarks that are made once for a whole
    log: the columns that were ignored, the number of responses to each question that matches no item, and whether
    candidates have no names."""

    def __init__(self, foreign_log: ForeignLog) -> None:
        self.foreign_log, self._items = foreign_log, foreign_log.bank_item_by_id
        self.item_and_values_by_text = cache(self._item_and_values_by_text)
        self.ignored_column_names: dict[str, None] = {}
        self.unmatched_counts: Counter[str] = Counter()
        self.has_rows_without_name = False

    @cached_property
    def _item_by_stem(self) -> Mapping[str, Item]:
        drawings = {item.id: item.draw(SeededRng(item.id, "0")) for item in self._items.values()}
        # A stem with values of its own is compared drawing by drawing, with `_drawn_stem_patterns_and_items`.
        variants = (v for v in drawings.values() if not (v.drawn_log_values() and re.search(r"\{\w+\}", v.item.stem)))
        return {alnum_key(variant.stem_text): variant.item for variant in variants}

    @cached_property
    def _drawn_stem_patterns_and_items(self) -> Sequence[tuple[re.Pattern[str], Item]]:
        """The items whose stem contains drawn values, each with a pattern that all its stems match."""
        return [
            (re.compile(".{0,40}?".join(re.escape(alnum_key(piece)) for piece in pieces)), item)
            for item in self._items.values()
            if len(pieces := re.split(r"\{\w+\}", item.stem)) > 1
        ]

    @cached_property
    def _option_by_alnum_key_by_item(self) -> Mapping[str, Mapping[str, str]]:
        """By item id, the options of each choice item, by their letters and digits."""
        orders = {item.id: item.draw(SeededRng(item.id, "0")).option_texts_as_shown() for item in self._items.values()}
        return {name: {alnum_key(text): text for text in order} for name, order in orders.items() if order}

    def _item_and_values_by_text(self, text: str) -> ItemAndDrawnTexts | None:
        """The item that a heading, field or printed question names, with the drawn values in the text; else None."""
        from quizgen.markdown import pieces_as_plain_text

        name = re.sub(r"^\s*(\d+:|\W*(?:q|question|frage|item)?\s*\d+\s*[.:)])\s*", "", text, flags=re.IGNORECASE)
        for possible_id in (text, name, re.split(r"[\s:\])]", name.lstrip("[("), maxsplit=1)[0]):
            if (item := self._items.get(possible_id.strip())) is not None:
                return item, {}
        keys = alnum_key(name), alnum_key(text)
        for key in keys:
            if item := self._item_by_stem.get(key) or self._find_item_by_joined_stem_and_options(key):
                return item, {}
        for key, (pattern, item) in product(keys, self._drawn_stem_patterns_and_items):
            for seed in range(MAX_SEEDS_TRIED if pattern.match(key) else 0):
                variant = item.draw(SeededRng(item.id, str(seed)))
                paragraphs = [pieces for block in variant.prompt() if (pieces := getattr(block, "inline_pieces", None))]
                if alnum_key(" ".join(map(pieces_as_plain_text, paragraphs))) == key:
                    return item, variant.drawn_log_values()
        return None

    def _find_item_by_joined_stem_and_options(self, heading_key: str) -> Item | None:
        """The item whose stem and options make up `heading_key` (`stem: option; option`); None unless it is the only
        one."""
        items = []
        for stem, item in self._item_by_stem.items():
            tail = heading_key.removeprefix(stem)
            option_keys = self._option_by_alnum_key_by_item.get(item.id, ())
            if tail != heading_key and sorted(tail) == sorted("".join(option_keys)):
                items.append(item)
        return items[0] if len(items) == 1 else None

    def unique_item_and_values_by_options(self, responses: Iterable[str]) -> ItemAndDrawnTexts | None:
        """The only item that offers all these responses as options; None if there is none or several."""
        texts = {text for text in responses if alnum_key(text)}
        items = [self._items[name] for name in self._option_by_alnum_key_by_item] if texts else []
        matches = [item for item in items if all(self._options_in_response_or_none(item, text) for text in texts)]
        return (matches[0], {}) if len(matches) == 1 else None

    def response_in_bank_option_wording(self, item: Item, response: object) -> object:
        """`response` with its options in the bank's own words; unchanged if an option is unknown."""
        if isinstance(response, list):
            return [self.response_in_bank_option_wording(item, one) for one in response]
        return (self._options_in_response_or_none(item, response) if isinstance(response, str) else None) or response

    def _options_in_response_or_none(self, item: Item, response: str) -> str | list[str] | None:
        """The option or options that a response names, whatever separates them; None if one is unknown."""
        options = self._option_by_alnum_key_by_item.get(item.id, {})
        if alnum_key(response) in options:
            return options[alnum_key(response)]
        pieces = re.split(r"[,;\n]\s*", response.replace("\\,", "\0"))
        texts: list[str] = []
        while pieces:  # an option may contain the separator, so the longest join that is an option counts
            size = next((n for n in range(len(pieces), 0, -1) if alnum_key("".join(pieces[:n])) in options), 0)
            if not size:
                return None
            texts.append(options[alnum_key("".join(pieces[:size]))])
            pieces = pieces[size:]
        return texts

    def remarks_as_faults(self) -> tuple[tuple[int, str], ...]:
        """The remarks as faults of a block, all on line 1."""
        remarks = []
        if count := len(self.unmatched_counts):
            subject = f"{count} questions match" if count > 1 else "a question matches"
            counts = (f"{question} ({n} response{'s' * (n != 1)})" for question, n in self.unmatched_counts.items())
            names = _quoted_names_text(counts)
            remarks.append(f"{subject} no item of the bank by id, stem or options: {names}; --map ITEM=NAME names it")
        if self.ignored_column_names:
            remarks.append(f"unknown columns were ignored: {_quoted_names_text(self.ignored_column_names)}")
        if self.has_rows_without_name:
            remarks.append("no column says who answered: candidates are named by row; use --map candidate=COLUMN")
        return tuple((1, remark) for remark in remarks)


def _quoted_names_text(names: Iterable[str]) -> str:
    texts = [f'"{shorten(printable(" ".join(name.split())))}"' for name in names]
    ending = f" and {len(texts) - MAX_LISTED_NAMES} more" if len(texts) > MAX_LISTED_NAMES else ""
    return ", ".join(texts[:MAX_LISTED_NAMES]) + ending


Row = Sequence[Any]  # cells of a table, or the values of a JSON object in order of the columns; empty: ""
NumberedRows = Sequence[tuple[int, Row]]


@dataclass(frozen=True, slots=True)
class TableColumns:
    """What each column of a table, or each field of JSON lines, means. `headings_of_each_column` has all the texts
    above each column; `format_settings` is the format's entry in the table of formats, empty for no known format."""

    headings_of_each_column: Sequence[tuple[str, ...]]
    user_column_by_role: Mapping[str, str]
    format_settings: Mapping[str, Any] = field(default_factory=dict)
    cached_indices_by_role: dict[str, list[int]] = field(default_factory=dict, init=False, compare=False)  # a cache

    def indices_with_role(self, role: str) -> list[int]:
        """The indices of the columns with a role such as `candidate`, the preferred column first; only the column that
        the user named for the role, if any. Columns that are `left` are known, and no item."""
        if role not in self.cached_indices_by_role:
            own, common = (table.get(role, []) for table in (self.format_settings, all_log_formats()["columns"]))
            patterns, heading_count = own + common if role == "left" else own or common, 1
            if role in self.user_column_by_role:
                patterns = [re.escape(folded_heading_text(self.user_column_by_role[role]))]
                heading_count = MAX_HEADING_ROWS
            self.cached_indices_by_role[role] = [
                n
                for pattern, (n, texts) in product(patterns, enumerate(self.headings_of_each_column))
                if any(re.fullmatch(pattern, folded_heading_text(text)) for text in texts[:heading_count])
            ]
        return self.cached_indices_by_role[role]

    def index_by_question_number(self, role: str) -> dict[str, int]:
        """Indices of the columns with a role, by the number in their heading, as in `Response 3`."""
        headings = [folded_heading_text(texts[0]) for texts in self.headings_of_each_column]
        matches = [re.fullmatch(pattern, one) for pattern in self.format_settings.get(role, []) for one in headings]
        return {match[2]: n for n, match in enumerate(matches) if match}

    def indices_with_roles(self, roles: Iterable[str]) -> set[int]:
        return {n for role in roles for n in self.indices_with_role(role)}

    @property
    def has_row_per_response(self) -> bool:
        return bool(self.indices_with_role("item") and self.indices_with_role("response"))

    def candidate_in_row(self, row: Row) -> Any:
        """The candidate in a row, else the first and last name; empty without any."""
        names = [row[n] for role in ("first_name", "last_name") for n in self.indices_with_role(role)[:1]]
        full_name = " ".join(map(str, names)).strip() if "candidate" not in self.user_column_by_role else ""
        cells = [row[n] for n in self.indices_with_role("candidate")]
        return next((cell for cell in (*cells, full_name) if cell != ""), "")


# -- tables -----------------------------------------------------------------------------------------


def log_blocks_of_foreign_table(source_number: int, path: str, foreign_log: ForeignLog) -> Iterator[LogBlock]:
    """Yields the responses in a table of another system. Raises Unreadable, which ends with the command to type."""
    if not foreign_log.bank_item_by_id:
        raise foreign_log.unreadable_error(path, "it names no bank")
    faults: list[tuple[int, str]] = []
    try:
        data = read_small_file_bytes(path, ", too large for a log")
        sheet = list(numbered_rows_of_csv_or_xlsx_bytes(data, path, foreign_log.encoding, faults))
    except UnicodeDecodeError as error:
        reason = f"not {error.encoding.upper()} (byte 0x{error.object[error.start]:02x}); is it Windows-1252"
        raise foreign_log.unreadable_error(path, reason, "--encoding windows-1252") from None
    cells_of_rows = [(n, [cell.strip() for cell in cells]) for n, cells in sheet if "".join(cells).strip()]
    column_count = max((len(cells) for _, cells in cells_of_rows), default=0)
    rows = [(n, [*cells, *[""] * (column_count - len(cells))]) for n, cells in cells_of_rows]
    finder = ItemFinder(foreign_log)
    columns, body = _columns_and_rows_below_heading(path, rows, finder)
    if columns.format_settings or not columns.has_row_per_response:
        lines = list(_records_of_wide_table(columns, body, finder))
    else:
        width = max(n + 1 for n, texts in enumerate(columns.headings_of_each_column) if any(texts))
        faults += [(number, TOO_MANY_CELLS_MESSAGE) for number, row in body if any(row[width:])]
        known_indices = columns.indices_with_roles(COLUMN_ROLE_NAMES)
        ignored_names = (texts[0] for n, texts in enumerate(columns.headings_of_each_column) if n not in known_indices)
        finder.ignored_column_names = dict.fromkeys(filter(None, ignored_names))
        records = ((number, _row_record_or_none(columns, row, finder)) for number, row in body if not any(row[width:]))
        lines = [(number, line) for number, line in records if line is not None]
    if not lines:
        names = _quoted_names_text([*finder.unmatched_counts, *finder.ignored_column_names])
        reason = f"no column is an item of the bank by id, stem or options ({names}); say which is which"
        raise foreign_log.unreadable_error(path, reason, "--map ITEM=COLUMN")
    yield replace(log_block_of_records(source_number, lines), numbered_faults=(*finder.remarks_as_faults(), *faults))


def _columns_and_rows_below_heading(
    path: str, rows: NumberedRows, finder: ItemFinder
) -> tuple[TableColumns, NumberedRows]:
    """The columns, and the rows below the heading. The heading may have several rows, and a title above it."""
    for place, (_, cells) in enumerate(rows[:MAX_HEADING_ROWS]):
        columns = TableColumns([(cell,) for cell in cells], finder.foreign_log.foreign_name_by_our_name)
        if not columns.has_row_per_response:
            heads = [folded_heading_text(cell) for cell in cells]
            formats = (one for one in all_log_formats().values() if "by" in one)
            matches = (one for one in formats if all(any(re.fullmatch(p, head) for head in heads) for p in one["by"]))
            columns = TableColumns(columns.headings_of_each_column, columns.user_column_by_role, next(matches, {}))
        is_known = columns.format_settings or columns.has_row_per_response
        if is_known or _is_heading_with_item_columns(columns, rows[place : place + 2], finder):
            end = place + 1
            while end < min(place + MAX_HEADING_ROWS, len(rows)) and _is_heading_continuation(columns, rows[end][1]):
                end += 1
            # In the first of several rows, a cell also counts for the empty cells to its right.
            first = accumulate(cells, lambda left, cell: cell or left) if end > place + 1 else cells
            headings = list(zip(first, *(row for _, row in rows[place + 1 : end]), strict=True))
            return TableColumns(headings, columns.user_column_by_role, columns.format_settings), rows[end:]
    names = _quoted_names_text(filter(None, rows[0][1])) if rows else "(none)"
    reason = f"not a known kind of log, by its columns {names}; say what they are"
    raise finder.foreign_log.unreadable_error(path, reason, "--map candidate=COLUMN,item=COLUMN,response=COLUMN")


def _is_heading_with_item_columns(columns: TableColumns, rows: NumberedRows, finder: ItemFinder) -> bool:
    """Whether the first of `rows` has a column for the candidate, and it or a row that continues the heading has a text
    that names an item."""
    second_row = rows[1][1] if len(rows) > 1 and _is_heading_continuation(columns, rows[1][1]) else ()
    names = finder.foreign_log.foreign_name_by_our_name.values()
    return bool(columns.indices_with_role("candidate")) and any(
        head in names or finder.item_and_values_by_text(head) for head in (*rows[0][1], *second_row) if head
    )


def _is_heading_continuation(columns: TableColumns, row: Row) -> bool:
    """Whether a row still belongs to the heading above it: its cells for candidates and times are empty or repeat the
    names of these columns."""
    pairs = [(columns.headings_of_each_column[n][0], row[n]) for n in columns.indices_with_roles(NON_RESPONSE_ROLES)]
    repeats = [alnum_key(head) == alnum_key(cell) or cell.startswith('{"ImportId"') for head, cell in pairs if cell]
    return bool(pairs) and sum(repeats) * 2 >= len(repeats)


def _row_record_or_none(columns: TableColumns, row: Row, finder: ItemFinder) -> dict[str, object] | None:
    """The log line of a row that has one response; None if no text in it names an item."""

    def first_value(role: str) -> Any:
        return next((row[n] for n in columns.indices_with_role(role) if row[n] != ""), "")

    texts = [str(row[n]) for n in columns.indices_with_role("item") if row[n] != ""]
    own_names = [name for name, alias in finder.foreign_log.foreign_name_by_our_name.items() if alias in texts]
    if (item_and_values := next(filter(None, map(finder.item_and_values_by_text, [*own_names, *texts])), None)) is None:
        finder.unmatched_counts[next(iter(texts), "")] += 1
        return None
    item, drawn_values = item_and_values
    response = finder.response_in_bank_option_wording(item, first_value("response"))
    line: dict[str, object] = {"item": item.id, "response": response}
    candidate = columns.candidate_in_row(row)
    finder.has_rows_without_name |= candidate == ""
    if candidate != "":
        line["candidate"] = candidate
    seconds = read_decimal(str(first_value("seconds")))
    if seconds is not None and seconds >= 0:
        line["seconds"] = float(seconds)
    with suppress(BadInput):
        line |= {"at": time_text} if (time_text := time_text_field({"at": first_value("at")})) else {}
    return line | ({"given": dict(drawn_values)} if drawn_values else {})


def _records_of_wide_table(
    columns: TableColumns, rows: NumberedRows, finder: ItemFinder
) -> Iterator[tuple[int, dict[str, object]]]:
    """Yields the log lines of a table that has one row per candidate, and one or more columns per question."""
    prompts = columns.index_by_question_number("question")  # columns that print the question beside its response
    other_indices = columns.indices_with_roles(NON_RESPONSE_ROLES)
    questions = columns.index_by_question_number("response") or {
        str(n): n for n in range(len(columns.headings_of_each_column)) if n not in other_indices
    }
    unprinted_questions = {number: index for number, index in questions.items() if number not in prompts}
    item_of_column = _item_and_values_by_question_number(columns, unprinted_questions, rows, finder)
    for row_number, row in rows:
        if not all(row[n] for n in columns.indices_with_role("complete")):
            continue
        items = item_of_column | {number: finder.item_and_values_by_text(row[i]) for number, i in prompts.items()}
        finder.unmatched_counts.update(row[index] for number, index in prompts.items() if items[number] is None)
        candidate = columns.candidate_in_row(row)
        finder.has_rows_without_name |= candidate == ""
        cells_by_item: dict[str, tuple[ItemAndDrawnTexts, list[str]]] = {}  # a single cell, or one for each option
        for number, index in questions.items():
            if (item_and_values := items[number]) is not None:
                cells_by_item.setdefault(item_and_values[0].id, (item_and_values, []))[1].append(row[index])
        for (item, drawn_values), texts in cells_by_item.values():
            answers = [text for text in texts if text and text != columns.format_settings.get("blank")]
            response = finder.response_in_bank_option_wording(item, answers[0] if len(answers) == 1 else answers or "")
            line = {"candidate": candidate or f"row {row_number}", "item": item.id, "response": response}
            yield row_number, line | ({"given": dict(drawn_values)} if drawn_values else {})


def _item_and_values_by_question_number(
    columns: TableColumns, index_by_number: Mapping[str, int], rows: NumberedRows, finder: ItemFinder
) -> dict[str, ItemAndDrawnTexts | None]:
    """The item of each column, from the name that the user gave, a text above the column, or the options in its cells;
    None for a column of no item, which the finder notes if it is not empty."""
    items: dict[str, ItemAndDrawnTexts | None] = {}
    bank = finder.foreign_log.bank_item_by_id
    for number, index in index_by_number.items():
        cells, texts = [row[index] for _, row in rows], list(filter(None, columns.headings_of_each_column[index]))
        own_names = (name for name, alias in finder.foreign_log.foreign_name_by_our_name.items() if alias in texts)
        user_items: list[ItemAndDrawnTexts] = [(bank[name], {}) for name in own_names if name in bank]
        # Ids identify an item; stems identify its drawn values as well.
        text_items = sorted(filter(None, map(finder.item_and_values_by_text, texts)), key=lambda one: not one[1])
        answers = (cell for cell in cells if cell != columns.format_settings.get("blank"))
        items[number] = next(iter(user_items or text_items), None) or finder.unique_item_and_values_by_options(answers)
        if items[number] is None and texts and (cell_count := sum(map(bool, cells))):
            finder.unmatched_counts[texts[0]] += cell_count
    return items


# -- JSON lines -------------------------------------------------------------------------------------


def log_blocks_of_foreign_json(blocks: Iterator[LogBlock], path: str, foreign_log: ForeignLog) -> Iterator[LogBlock]:
    """Yields the blocks of a log, with our field names if its lines have others. Raises Unreadable for unknown ones."""
    if (first := next(blocks, None)) is None:
        return
    if first.read_bytes().removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":  # a file that is a single JSON list
        data = b"".join(block.read_bytes() for block in chain([first], blocks))
        with suppress(ValueError, RecursionError):  # else the first block is refused line by line
            first = log_block_of_records(first.source_number, list(enumerate(json.loads(data), 1)), 1)
    if (columns := _foreign_columns_of_json_log_or_none(path, first, foreign_log)) is None:
        yield from chain([first], blocks)
        return
    finder = ItemFinder(foreign_log)
    yield from (_translated_block(block, columns, finder) for block in chain([first], blocks))
    yield LogBlock(first.source_number, 1, 0, b"", numbered_faults=finder.remarks_as_faults())


def _foreign_columns_of_json_log_or_none(path: str, block: LogBlock, foreign_log: ForeignLog) -> TableColumns | None:
    """The fields of the first lines as columns; None if they are ours or the lines are not JSON. Raises Unreadable if
    their meaning is unknown."""
    texts, records = block.decoded_lines_and_faults()[0], []
    if {"item", "response"} <= {head.strip(' "\r') for head in re.split("[,;\t]", texts[0].lower())}:
        raise Unreadable(f"{path}: a table; save it unpacked in a file whose name ends in .csv, and name that file")
    for text in texts[:MAX_HEADING_ROWS]:
        with suppress(BadInput):
            records.append(parse_log_line(text))
    has_our_names = any({"item", "response"} <= record.keys() for record in records)
    has_only_our_names = has_our_names and not foreign_log.foreign_name_by_our_name
    if not any(records) or has_only_our_names or any("type" in record for record in records):
        return None
    names = list(dict.fromkeys(chain.from_iterable(records)))
    columns = TableColumns([(name,) for name in names], foreign_log.foreign_name_by_our_name)
    if columns.has_row_per_response:
        return columns
    if any("item" in record for record in records):
        return None  # ours, and each line without a response is named
    reason = f"its lines have fields with unknown names, {_quoted_names_text(names)}; say which are which"
    raise foreign_log.unreadable_error(path, reason, "--map candidate=FIELD,item=FIELD,response=FIELD")


def _translated_block(block: LogBlock, columns: TableColumns, finder: ItemFinder) -> LogBlock:
    texts, line_faults = block.decoded_lines_and_faults()
    faults, records = [*block.numbered_faults, *line_faults], []
    known_names = (columns.headings_of_each_column[n][0] for n in columns.indices_with_roles(COLUMN_ROLE_NAMES))
    names = {*LOG_FIELDS_COPIED_UNCHANGED, *known_names}
    for place, text in enumerate(texts):
        if not text.strip():
            continue
        try:
            record = parse_log_line(text)
        except BadInput as error:
            faults.append((block.source_line_number_at_index(place), str(error)))
            continue
        finder.ignored_column_names |= dict.fromkeys(name for name in record if name not in names)
        values = (record.get(name) for (name,) in columns.headings_of_each_column)
        if line := _row_record_or_none(columns, ["" if value is None else value for value in values], finder):
            common_fields = {name: record[name] for name in LOG_FIELDS_COPIED_UNCHANGED if name in record}
            records.append((block.source_line_number_at_index(place), common_fields | line))
    log_block = log_block_of_records(block.source_number, records, block.first_line_number)
    return replace(log_block, numbered_faults=tuple(faults), source_bytes_read=block.source_bytes_read)
