"""Items as rows of a table: our own columns when writing, the headers that people use when reading; and CSV, in which
no cell begins like a formula, XLSX, and JSON, in which each object is a row."""

from __future__ import annotations

import csv
import html
import io
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from itertools import chain, islice, repeat
from typing import Any, BinaryIO

from quizgen import spreadsheet
from quizgen.answer_areas import LETTERS
from quizgen.interchange import contract
from quizgen.interchange import import_drafts as drafts
from quizgen.interchange.contract import CannotRead, ExportContext, ImportedItem, ImportResult, load_interchange_toml
from quizgen.interchange.files import decode_utf_text, make_zip_entry_likelihood, numbered_csv_rows
from quizgen.portable_item import ChoiceOption, PortableItem, PortableNumber, decimal
from quizgen.source.problems import read_decimal

_FIRST_COLUMN_NAMES = (
    "id", "kind", "topic", "stem", "key", "unit", "tolerance", "mistakes", "model_answer", "criteria", "rationale",
    "source", "hints", "given", "difficulty", "points", "seconds", "policy",
)  # fmt: skip
# Headers that a letter or a number follows, by the meaning that it is added to.
_NUMBERED_HEADER_REGEX_BY_MEANING = {
    "option": "options?|choices?|opt|answers?|answeroption|alternative|antwort(?:en)?|reponse|opcion|respuesta",
    "wrong": "(?:wrong|incorrect|distractor|falsche?)(?:answer|option|choice|antwort)?",
    "because": "because|feedback|explanation|whynot|begrundung",
}
_HEADERS_BY_MEANING = {name: words.split() for name, words in load_interchange_toml("headers").items()}
_MEANING_BY_NORMALIZED_HEADER = {
    word: name for name, words in _HEADERS_BY_MEANING.items() if not name.endswith("_else") for word in words
}
_DELIMITER_SAMPLE_CHARACTERS = 100_000  # characters read to detect the delimiter
_MAX_ROWS_BEFORE_HEADERS = 20  # a title and notes may precede the headers
_MARKDOWN_TABLE_PATTERN = re.compile(r"^[ \t]*(\|.+\|)[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*$", re.MULTILINE)


def table_rows_of_items(items: Sequence[PortableItem]) -> Iterator[list[str]]:
    """Yields the header, then one row for each item."""
    size = max((len(item.options) for item in items), default=0)
    numbers = range(1, size + 1)
    yield [*_FIRST_COLUMN_NAMES, *map("option_{}".format, numbers), *map("because_{}".format, numbers)]
    for item in items:
        letters = [letter for letter, o in zip(LETTERS, item.options, strict=False) if o.is_right]
        cells = {name: str(getattr(item, name, "") or "") for name in _FIRST_COLUMN_NAMES}
        cells |= {"id": item.id_with_variant, "key": ", ".join(letters), "points": decimal(item.points)}
        cells["policy"] = item.credit_policy if len(letters) > 1 else ""
        cells["criteria"] = _join_cell_lines(f"{decimal(points)} {say}" for points, say in item.criteria)
        cells |= {"hints": _join_cell_lines(item.hints), "given": _join_cell_lines(item.facts_on_request)}
        if (number := item.number) is not None:
            margin = f"{decimal(number.margin_if_zero)} {number.unit}".rstrip() if number.margin_if_zero else ""
            tolerance = margin or f"{decimal(number.relative_tolerance * 100)}%"
            cells |= {"key": decimal(number.value), "unit": number.unit, "tolerance": tolerance}
            cells["mistakes"] = _join_cell_lines(f"{decimal(value)} {say}".rstrip() for value, say in number.mistakes)
        blanks = [""] * (size - len(item.options))
        yield [*cells.values(), *(o.text for o in item.options), *blanks, *(o.because for o in item.options), *blanks]


def _join_cell_lines(texts: Iterator[str] | Sequence[str]) -> str:
    """The text of one cell, with each of `texts` on a line."""
    return "\n".join(" ".join(text.split()) for text in texts)


def result_of_table_rows(
    numbered_rows: Sequence[tuple[int, Sequence[str]]],
    has_decimal_comma: bool = False,
    column_names: Sequence[str] = (),
    is_workbook: bool = False,
) -> ImportResult:
    """The items from (row number, cells). The first row that names a stem is the header; a second header row may be
    below it, such as letters under a heading for all options. Without a header row, `column_names` names the columns,
    or each row is front and back. `has_decimal_comma`: numbers are written as `1.000,5`. A row with more cells than
    headers is not understood, since a separator in a text may have split it; not so if `is_workbook`. Raises
    CannotRead."""
    if not numbered_rows:
        raise CannotRead("the sheet is empty")
    grid = [[str(cell).strip() for cell in cells] for _, cells in numbered_rows]
    headers, first, notes = _headers_end_and_notes(grid, column_names)
    meanings = header_meanings_or_empty(headers)
    if "stem" not in meanings:
        raise CannotRead(f'none of the columns "{", ".join(headers)}" is a question, stem or front')
    columns = list(zip(headers, meanings, strict=True))
    notes.append("columns: " + ", ".join(f"{cell} as {name}" for cell, name in columns if name))
    if unknown_headers := [cell for cell, name in columns if cell and not name]:
        notes.append(f"columns not understood: {', '.join(unknown_headers)}")
    if repeats := [headers[n] for n, name in enumerate(meanings) if name and name in meanings[:n]]:
        notes.append(f"columns read only where an earlier one of the same meaning is empty: {', '.join(repeats)}")
    max_cells = sys.maxsize if column_names or is_workbook else len(headers)
    rows = ((number, cells) for (number, _), cells in zip(numbered_rows[first:], grid[first:], strict=True))
    pieces = ((n, _item_or_text(meanings, cells, max_cells, has_decimal_comma)) for n, cells in rows if any(cells))
    return ImportResult.from_numbered_items(pieces, tuple(notes))


def _item_or_text(meanings: list[str], cells: list[str], max_cells: int, has_decimal_comma: bool) -> ImportedItem | str:
    """The item of a row, or the text of the row if it has no stem or more than `max_cells` cells. If
    `has_decimal_comma`, numbers such as `1.000,5 m` are read as `1000.5 m`; the key `1,3` may name options."""
    if any(cells[max_cells:]):
        return f"{len(cells)} cells under {max_cells} headers: {' | '.join(cells)}"
    # The first of several columns with one meaning.
    row = {name: cell for name, cell in reversed([*zip(meanings, cells, strict=False)]) if name and cell}
    if "stem" not in row:
        return " | ".join(filter(None, cells))
    has_options = any(name.startswith("option") for name in row)
    number_columns = ("points", "seconds", "tolerance", "difficulty", *(() if has_options else ("key",)))
    for name in number_columns if has_decimal_comma else ():
        if match := re.fullmatch(r"(-?\d{1,3}(?:\.\d{3})+|-?\d+)(,\d+)?(\s*[^\s\d]\S*)?", row.get(name, "")):
            row[name] = match[1].replace(".", "") + (match[2] or "").replace(",", ".") + (match[3] or "")
    return imported_item_of_cells(row)


def _headers_end_and_notes(rows: Sequence[Sequence[str]], names: Sequence[str]) -> tuple[Sequence[str], int, list[str]]:
    """The headers (`names` if any), the index of the first row below them, and notes. Raises CannotRead."""
    if names:
        return names, 0, []
    head = rows[:_MAX_ROWS_BEFORE_HEADERS]
    header_row_index = next((n for n, cells in enumerate(head) if "stem" in header_meanings_or_empty(cells)), None)
    if header_row_index is None:
        filled_rows = [cells for row in rows if (cells := [*filter(None, row)])]
        if sum(len(cells) == 2 for cells in filled_rows) < max(1, 0.9 * len(filled_rows)):
            headers = ", ".join(filled_rows[0]) if filled_rows else "(none)"
            advice = "name the columns in order, as in --columns front,back"
            raise CannotRead(f"no column is named question, stem or front; the headers are: {headers}; {advice}")
        return ["front", "back"], 0, ["no headers: the first column is read as the front, the second as the back"]
    double_header = _join_two_header_rows_or_none(*rows[header_row_index : header_row_index + 2])
    preamble = " | ".join(filter(None, (" ".join(filter(None, cells)) for cells in rows[:header_row_index])))
    notes = [f"above the headers: {preamble}"] if preamble else []
    return double_header or rows[header_row_index], header_row_index + (2 if double_header else 1), notes


def header_meanings_or_empty(headers: Sequence[str]) -> list[str]:
    """The meaning of each header, by itself and among the others. If there is a column for the answer but none for the
    stem, a name or title is the stem; if there is none for the answer, a name or title beside a text is the stem, and
    the text the answer."""
    meanings = [header_meaning_or_empty(cell) for cell in headers]
    has_answer = any(name in ("key", "model_answer") or name.startswith(("option", "wrong")) for name in meanings)
    name, text = (
        next((n for n, one in enumerate(headers) if _normalized_header(one) in _HEADERS_BY_MEANING[row]), None)
        for row in ("stem_else", "answer_else")
    )
    if name is not None and has_answer and "stem" not in meanings:
        meanings[name] = "stem"
    elif name is not None and text is not None and not has_answer:
        meanings[name], meanings[text] = "stem", "model_answer"
    return meanings


def _normalized_header(header: str) -> str:
    """The small letters and digits of a header, without accents."""
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", header.lower()))


def _join_two_header_rows_or_none(first_row: Sequence[str], second_row: Sequence[str] = ()) -> list[str] | None:
    """The headers of two rows, such as `Options` above `A`, `B`, `C`; None if the second row is no header."""
    headers, upper_header = [], ""
    for head, lower_header in zip(first_row, chain(second_row, repeat("")), strict=False):
        upper_header = head or upper_header
        headers.append(f"{upper_header} {lower_header}" if lower_header else head)
        is_numbered = re.match("option|wrong|because", header_meaning_or_empty(headers[-1]))
        if lower_header and (header_meaning_or_empty(head) == "stem" or not is_numbered):
            return None
    return headers if any(second_row) else None


def header_meaning_or_empty(header: str) -> str:
    """The meaning of a header: a column of ours, `option 2`, `wrong 2` (a wrong option), `because 2`, `options`, or
    empty if unknown."""
    text = _normalized_header(header)
    if text not in _MEANING_BY_NORMALIZED_HEADER and (start := re.match(r"(.{3,}?)\s*(?:[-–—:]\s|\()", header)):
        text = _normalized_header(start[1])  # `Answer 1 - max 75 characters`, `Time limit (sec)`
    is_letter = len(text) == 1 and header.strip().isupper() and text != "q"
    if text in _MEANING_BY_NORMALIZED_HEADER and not is_letter:
        return _MEANING_BY_NORMALIZED_HEADER[text]
    for name, pattern in _NUMBERED_HEADER_REGEX_BY_MEANING.items():
        if match := re.fullmatch(rf"(?:{pattern})([a-j]|\d\d?)", text):
            return f"{name} {int(match[1]) if match[1].isdigit() else ord(match[1]) - ord('a') + 1}"
    return f"option {ord(text) - ord('a') + 1}" if re.fullmatch("[a-h]", text) and header.strip().isupper() else ""


def imported_item_of_cells(
    cell_by_meaning: Mapping[str, str], todo: Sequence[str] = (), options: Sequence[ChoiceOption] = ()
) -> ImportedItem:
    """The item of cells by meaning. `options` and `todo` are those known already."""
    fields = {"options": options, "policy": "all"} if options else _option_or_short_answer_fields(cell_by_meaning)
    fields = fields or _number_or_text_answer_fields(cell_by_meaning)
    names = ("name", "rationale", "source", "difficulty", "seconds", "points", "policy")
    fields = {name: cell_by_meaning[name] for name in names if name in cell_by_meaning} | fields
    fields |= {name: cell_by_meaning.get(name, "").splitlines() for name in ("hints", "given")}
    texts = re.sub("`[^`]*`", "", " ".join(cell_by_meaning.values()))
    has_html = re.search("</(?:b|i|em|strong|p|div|span|ul|li|pre)>|<br ?/?>|&(?:amp|lt|gt|nbsp);", texts)
    html_todo = ["it has HTML, which is shown as it is: write Markdown"] * bool(has_html)
    fields["todo"] = [*todo, *fields.get("todo", ()), *html_todo]
    return drafts.imported_item(cell_by_meaning["stem"], tags=[cell_by_meaning.get("topic", "")], **fields)


def _option_or_short_answer_fields(cell_by_meaning: Mapping[str, str]) -> dict[str, Any]:
    """The fields of options with their keys, or of short answers if all options are right; empty if there are none."""
    offered = {int(name.split()[1]): text for name, text in cell_by_meaning.items() if name.startswith("option ")}
    if "options" in cell_by_meaning:  # all options in one cell
        mark = next((mark for mark in "\n|;" if mark in cell_by_meaning["options"]), "\n")
        cell_texts = cell_by_meaning["options"].split(mark)
        label = r"\(?[A-Ha-h1-9][.):]\s+"
        offered |= {n: re.sub(label, "", text.strip(), count=1) for n, text in enumerate(cell_texts, 1)}
    key = cell_by_meaning.get("key", "")
    wrong_names = sorted(name for name in cell_by_meaning if name.startswith("wrong "))
    remarks = [cell_by_meaning.get(name.replace("wrong", "because"), "") for name in wrong_names]
    wrong = [ChoiceOption(cell_by_meaning[name], False, say) for name, say in zip(wrong_names, remarks, strict=True)]
    if wrong and not offered:  # the key is a text of its own, never the letter of a wrong answer
        return {"options": [*([ChoiceOption(key, True)] if key else []), *wrong]}
    if not offered:
        return {}
    if min(offered) > 1 and key.casefold() not in map(str.casefold, offered.values()):
        offered[1] = key  # one column for the key, others for wrong answers
    places = sorted(offered)
    texts = [offered[place] for place in places]
    if re.search(r"fill|short", cell_by_meaning.get("kind", ""), re.IGNORECASE):
        return {"accepted_answers": [text.replace("*", "\\*") for text in texts]}
    reasons = [cell_by_meaning.get(f"because {place}", "") for place in places]
    # `answer_a`, `Option 2`
    names = [header_meaning_or_empty(part).removeprefix("option ") for part in re.split("[,;] *", key)]
    if key.casefold() not in map(str.casefold, texts) and {*names} <= {*map(str, places)}:
        key = ", ".join(LETTERS[places.index(int(place))] for place in names)
    options, todo = drafts.keyed_options_and_todos(texts, key, reasons)
    return {"options": [*options, *wrong], "todo": todo}


def _number_or_text_answer_fields(cell_by_meaning: Mapping[str, str]) -> dict[str, Any]:
    """The fields of a number with its tolerance and mistakes, if the key is a number; else of criteria and of a model
    answer, without a heading that repeats the stem."""
    number = drafts.parse_portable_number(cell_by_meaning.get("key", ""), cell_by_meaning.get("unit", ""))
    if number is not None and cell_by_meaning.get("kind") != "text":
        number, todo = _number_with_cell_tolerance_and_todos(number, cell_by_meaning.get("tolerance", ""))
        mistakes = drafts.parse_lines_of_number_and_text(cell_by_meaning.get("mistakes", "").splitlines())
        return {"number": replace(number, mistakes=mistakes), "todo": todo}
    model = cell_by_meaning.get("model_answer") or cell_by_meaning.get("key", "")
    head, _, body = model.partition("\n")
    repeats_stem = drafts.id_from_text(head) == drafts.id_from_text(cell_by_meaning["stem"])
    if repeats_stem and head.startswith("#") and body.strip():
        model = body.strip()
    criteria = drafts.parse_lines_of_number_and_text(cell_by_meaning.get("criteria", "").splitlines())
    return {"model_answer": model, "criteria": criteria, "todo": [] if model else ["the source gives no answer"]}


def _number_with_cell_tolerance_and_todos(number: PortableNumber, cell: str) -> tuple[PortableNumber, list[str]]:
    """The number with the tolerance in a cell, and todos: a share (`1%`), or an amount in the unit of the number."""
    text = cell.lstrip("±+- ")
    share = read_decimal(text.removesuffix("%").strip()) if text.endswith("%") else None
    if share is not None:
        return replace(number, relative_tolerance=share / 100), []
    amount = drafts.parse_portable_number(text, allowed_unit=number.unit)
    if amount is None or amount.unit not in ("", drafts.spell_out_unit_symbols(number.unit)):
        return number, [f'its tolerance "{cell}" cannot be read: give it one'] if text else []
    doubt = f'its tolerance "{cell}" is read as an amount: is it a share?'
    return PortableNumber.from_margin(number.value, amount.value, number.unit), [] if amount.unit else [doubt]


def write_items_as_csv(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as CSV."""
    text = io.StringIO(newline="")
    rows = (map(spreadsheet.escape_cell, row) for row in table_rows_of_items(items))
    csv.writer(text, lineterminator="\r\n").writerows(rows)
    out.write(text.getvalue().encode("utf-8"))


def csv_likelihood(data: bytes, suffix: str) -> float:
    if suffix in (".csv", ".tsv"):
        return 0.9
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    head = data[:20_000].decode(encoding, "replace")
    for separator in "\t;":
        headers = head.lstrip().partition("\n")[0].split(separator)
        meanings = header_meanings_or_empty([cell.strip(' "\r') for cell in headers])
        if "stem" in meanings and any(re.match("key|option|wrong|model_answer", name) for name in meanings):
            return 0.75
    table = _MARKDOWN_TABLE_PATTERN.search(head)
    return 0.75 if table and "stem" in header_meanings_or_empty(_markdown_row_cells(table[1])) else 0.0


def import_csv(data: bytes, column_names: Sequence[str] = ()) -> ImportResult:
    text = decode_utf_text(data)
    if (table := _MARKDOWN_TABLE_PATTERN.search(text)) and text.count('"', 0, table.start()) % 2 == 0:  # not in a cell
        lines = ((n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip())
        cells = [(n, _markdown_row_cells(line)) for n, line in lines if not re.fullmatch(r"\s*\|[\s:|-]+\|\s*", line)]
        return result_of_table_rows(cells, column_names=column_names)
    mark = max(";\t|,", key=partial(_separator_fit_sort_key, text))
    rows = [(n, [spreadsheet.unescape_cell(cell) for cell in cells]) for n, cells in numbered_csv_rows(text, mark)]
    return result_of_table_rows(rows, mark == ";", column_names)  # with decimal commas, a `;` separates the cells


def _markdown_row_cells(line: str) -> list[str]:
    """The cells in a row of a Markdown table; any other line is one cell."""
    row = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", row)]


def _separator_fit_sort_key(text: str, separator: str) -> tuple[float, bool, int]:
    """How well `separator` fits the text: the share of rows with the same number of cells, whether it is no comma
    (commas also occur within texts), and how often it is in the first line."""
    first_line_count = text.partition("\n")[0].count(separator)
    try:
        sample = list(islice(numbered_csv_rows(text[:_DELIMITER_SAMPLE_CHARACTERS], separator), 50))
    except CannotRead:
        return 0.0, True, first_line_count
    widths = Counter(len(cells) for _, cells in sample if cells)
    width, rows = max(widths.items(), key=lambda pair: pair[1], default=(1, 0))
    return (rows / widths.total() if width > 1 else 0.0), separator != ",", first_line_count


def write_items_as_xlsx(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as a workbook with one sheet."""
    created = datetime.fromtimestamp(context.export_unix_time, UTC).replace(tzinfo=None)
    out.write(spreadsheet.sheet_xlsx_bytes(table_rows_of_items(items), {"title": context.title, "created": created}))


def _too_long_cell_reason(item: PortableItem) -> str:
    """The reason why the item cannot be exported; empty if it can."""
    texts = (item.stem, item.rationale, item.source, item.model_answer, *(o.text for o in item.options))
    too_long = any(len(text) > spreadsheet.MAX_XLSX_CELL_CHARACTERS for text in texts)
    return "a text is longer than a cell can be" if too_long else ""


def import_xlsx(data: bytes, column_names: Sequence[str] = ()) -> ImportResult:
    try:
        sheets = spreadsheet.numbered_workbook_rows_by_title(data)
    except spreadsheet.WorkbookError as error:
        raise CannotRead(str(error)) from None
    items: list[ImportedItem] = []
    unread_lines: list[tuple[int, str]] = []
    notes: list[str] = []  # of each sheet with a header
    for title, rows in sheets.items():
        place = f"sheet {title}: " if len(sheets) > 1 else ""
        try:
            result = result_of_table_rows(rows, column_names=column_names, is_workbook=True)
        except CannotRead as error:
            unread_lines += [(0, f"sheet {title}: {error}")] if any(any(cells) for _, cells in rows) else []
            continue
        items += result.items
        unread_lines += ((number, place + text) for number, text in result.unread_lines)
        notes += (place + note for note in result.messages)
    if not notes:
        raise CannotRead("; ".join(text for _, text in unread_lines) or "the sheet is empty")
    return ImportResult(tuple(items), tuple(unread_lines), messages=tuple(notes))


_sheet_content, _xlsx_extra = contract.load_interchange_toml("carries")["sheet"], ("xlsxwriter", "xlsx")
CSV_EXPORTER = contract.Exporter(1, ".csv", _sheet_content, write_items_as_csv)
CSV_IMPORTER = contract.Importer(1, csv_likelihood, import_csv)
XLSX_EXPORTER = contract.Exporter(1, ".xlsx", _sheet_content, write_items_as_xlsx, _too_long_cell_reason, _xlsx_extra)
XLSX_IMPORTER = contract.Importer(1, make_zip_entry_likelihood("xl/workbook.xml"), import_xlsx, ("openpyxl", "xlsx"))


# JSON: lists of objects whose keys are known column names, jupyterquiz, and Open Trivia DB.

MAX_DEPTH_OF_JSON_ITEM_LIST = 4  # depth of the list of items in a file
_JSON_IS_RIGHT_FIELDS = ("correct", "isCorrect", "is_correct", "right", "isRight", "isAnswer", "is_answer")
_JSON_OPTION_TEXT_FIELDS = (
    "text", "answer", "option", "content", "label", "value", "answerText", "optionText", "title",
)  # fmt: skip
_JSON_OPTION_NAME_FIELDS = ("id", "key", "label", "letter", "value")  # fields by which the key may name an option
_JSON_WRONG_ANSWER_FIELDS = ("incorrect_answers", "incorrectAnswers", "wrong_answers", "wrongAnswers", "distractors")

JsonObject = Mapping[str, Any]


def json_items_likelihood(data: bytes, suffix: str) -> float:
    if suffix != ".json" and data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] not in (b"[", b"{"):
        return 0.0
    try:
        rows = _parse_outermost_json_object_list(data)
    except CannotRead:
        return 0.0
    return 0.9 if any(not isinstance(_json_item_or_reason(row, 0), str) for row in rows) else 0.0


def _parse_outermost_json_object_list(data: bytes) -> list[JsonObject]:
    """The outermost list of objects. Raises CannotRead."""
    try:
        values = [json.loads(data)]
    except (ValueError, RecursionError) as error:
        raise CannotRead(f"not well-formed JSON ({type(error).__name__}: {error})") from None
    for _ in range(MAX_DEPTH_OF_JSON_ITEM_LIST + 1):
        for value in values:
            if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
                return value
        children = (v.values() if isinstance(v, dict) else v for v in values if isinstance(v, dict | list))
        values = [*chain.from_iterable(children)]
    raise CannotRead("the JSON has no list of objects")


def import_json(data: bytes) -> ImportResult:
    rows = _parse_outermost_json_object_list(data)
    indexes = (_option_numbers_named_by_key(*_json_texts_options_key_and_todos(row)[1:3]) for row in rows)
    first = min(chain.from_iterable(indexes), default=0)
    return ImportResult.from_numbered_items((n, _json_item_or_reason(row, first)) for n, row in enumerate(rows, 1))


def _json_item_or_reason(quiz_object: JsonObject, first_option_index: int) -> ImportedItem | str:
    """The item of one object, or the reason why it is none. Keys in the file count options from `first_option_index` (0
    or 1)."""
    answers, read_fields = quiz_object.get("answers"), _JUPYTER_FIELD_READER_BY_TYPE.get(str(quiz_object.get("type")))
    if read_fields is not None and isinstance(answers, list) and all(isinstance(one, dict) for one in answers):
        code = f"\n\n```python\n{quiz_object['code']}\n```" if quiz_object.get("code") else ""
        stem = f"{quiz_object.get('question', '')}{code}".strip()
        return drafts.imported_item(stem, **read_fields(quiz_object))
    distractors = next((w for name in _JSON_WRONG_ANSWER_FIELDS if isinstance(w := quiz_object.get(name), list)), None)
    if distractors is not None and "question" in quiz_object:  # Open Trivia DB and similar
        answer = quiz_object.get("correct_answer", quiz_object.get("correctAnswer", quiz_object.get("answer")))
        texts = (html.unescape(str(quiz_object.get(name, ""))) for name in ("question", "category", "difficulty"))
        stem, topic, level = texts
        if not isinstance(answer, str):
            return drafts.unsupported_kind_reason(stem[:60], "question without one right answer")
        options = [ChoiceOption(html.unescape(str(text)), n == 0) for n, text in enumerate((answer, *distractors))]
        return drafts.imported_item(stem, options=options, topic=topic, difficulty=level)
    return _item_or_text_of_json_object(quiz_object, first_option_index)


# -- jupyterquiz: `type`, `question`, `code`, `answers` with `correct` and `feedback`


def _jupyter_choice_fields(quiz_object: JsonObject) -> dict[str, Any]:
    rows = []
    for answer in quiz_object["answers"]:
        text = f"```python\n{answer['code']}\n```" if answer.get("code") else str(answer.get("answer", ""))
        rows.append((text, *_jupyter_percent_and_feedback(answer)))
    return drafts.choice_fields_of_answers(rows, quiz_object["type"] == "many_choice", "all")


def _jupyter_numeric_item_fields(quiz_object: JsonObject) -> dict[str, Any]:
    rows: list[tuple[str, Fraction | None, Fraction, Fraction, str]] = []
    for answer in quiz_object["answers"]:
        value, span = str(answer.get("value")), answer.get("range")
        number, margin = read_decimal(value), Fraction(0)
        limits = [end for one in span if (end := read_decimal(str(one))) is not None] if isinstance(span, list) else []
        if len(limits) == 2:
            low, high = limits
            value, number, margin = f"{decimal(low)} to {decimal(high)}", (low + high) / 2, abs(high - low) / 2
        rows.append((value, number, margin, *_jupyter_percent_and_feedback(answer)))
    fields = drafts.numeric_fields_of_answers(rows)
    digits = read_decimal(str(quiz_object.get("precision", "")))
    if digits and "number" in fields and fields["number"].relative_tolerance == 0:
        fields["todo"].append(f"it is compared to {decimal(digits)} digits in the source: give it a tolerance")
    return fields


def _jupyter_short_answer_fields(quiz_object: JsonObject) -> dict[str, Any]:
    answers = quiz_object["answers"]
    rows = [(str(a.get("answer", "")).replace("*", "\\*"), *_jupyter_percent_and_feedback(a)) for a in answers]
    match_case = any(answer.get("match_case") for answer in answers if answer.get("correct") is True)
    fields = drafts.text_fields_of_answers(rows, match_case)
    return fields if fields["accepted_answers"] else {"todo": ["the source gives no answer"]}


def _jupyter_percent_and_feedback(answer: JsonObject) -> tuple[Fraction, str]:
    """100 for a right answer, else 0; and its feedback."""
    return Fraction(100 if answer.get("correct") is True else 0), str(answer.get("feedback") or "")


_JUPYTER_FIELD_READER_BY_TYPE = {
    **dict.fromkeys(("multiple_choice", "many_choice"), _jupyter_choice_fields),
    "numeric": _jupyter_numeric_item_fields,
    "string": _jupyter_short_answer_fields,
}


# -- objects with fields of the author's own


def _option_numbers_named_by_key(options: Sequence[Any], key: Any) -> list[int]:
    """The places of the options that a key names: 2, [1, 3], or "2" if no option is 2; empty if it names them in
    another way. A number is no place if an option is that number, and not its digits as text."""
    places = [str(place) for place in (key if isinstance(key, list) else [key])]
    texts = [str(option) for option in options if isinstance(option, int) or not isinstance(key, int)]
    return list(map(int, places)) if all(p.isdecimal() and len(p) < 10 and p not in texts for p in places) else []


def _item_or_text_of_json_object(quiz_object: JsonObject, first_option_index: int) -> ImportedItem | str:
    """The item of an object, by the names of its keys. Its options are a list, an object, or a list of objects that say
    whether they are right."""
    texts, options, key, todo = _json_texts_options_key_and_todos(quiz_object)
    if not texts.get("stem"):
        return json.dumps(quiz_object, ensure_ascii=False)[:200]
    if isinstance(quiz_object.get("code"), str):
        texts["stem"] += f"\n\n```\n{quiz_object['code']}\n```"
    if objects := [option for option in options if isinstance(option, dict)]:
        return imported_item_of_cells(texts, todo=todo, options=[_option_of_json_object(one, key) for one in objects])
    places = _option_numbers_named_by_key(options, key) if options else []
    if places and first_option_index == 0 and (max(places) < len(options) or str(key) not in map(str, options)):
        choices = [ChoiceOption(str(option), n in places) for n, option in enumerate(options)]
        if any(option.text == str(key) and not option.is_right for option in choices):
            todo.append(f'the key "{key}" is read as a place: is it the text of an option?')
        return imported_item_of_cells(texts, todo=todo, options=choices)
    if places and max(places) < len(options):
        todo.append("its key is a position: does it count from 1?")
    texts |= {f"option {n}": str(option) for n, option in enumerate(options, 1)}
    texts |= {"key": ", ".join(map(str, key)) if isinstance(key, list) else str(key)} if key is not None else {}
    return imported_item_of_cells(dict(filter(all, texts.items())), todo=todo)


def _option_of_json_object(option: JsonObject, key: Any) -> ChoiceOption:
    """An option from an object that says whether it is right, or whose name is the key or one of several."""
    keys = key if isinstance(key, list) else [key]
    is_key = any(option.get(name) in keys for name in _JSON_OPTION_NAME_FIELDS if option.get(name) is not None)
    texts = (option.get(name) for name in _JSON_OPTION_TEXT_FIELDS)
    text = next((text for text in texts if text not in (None, "") and not isinstance(text, bool)), "")
    return ChoiceOption(str(text), is_key or any(option.get(name) is True for name in _JSON_IS_RIGHT_FIELDS))


_LIST_SEPARATOR_BY_COLUMN = {"topic": ", ", "hints": "\n", "given": "\n"}


def _json_texts_options_key_and_todos(quiz_object: JsonObject) -> tuple[dict[str, str], Sequence[Any], Any, list[str]]:
    """The texts of an object by meaning, its options, its key unchanged, and a todo for each other key."""
    texts: dict[str, str] = {}
    todo: list[str] = []
    options: Sequence[Any] = ()
    key: Any = None
    for column, (name, value) in zip(header_meanings_or_empty([*quiz_object]), quiz_object.items(), strict=True):
        if column == "options" and isinstance(value, dict | list):
            options = list(value.values()) if isinstance(value, dict) else value
        elif column == "key" and not isinstance(value, dict):
            key = value
        elif column and isinstance(value, str | int | float) and value != "":
            texts.setdefault(column, str(value))
        elif column in _LIST_SEPARATOR_BY_COLUMN and isinstance(value, list):
            texts.setdefault(column, _LIST_SEPARATOR_BY_COLUMN[column].join(map(str, value)))
        elif value not in (None, "", [], {}) and not (name == "code" and isinstance(value, str)):  # in the stem
            todo.append(f"field {name} is not imported: {str(value)[:60]}")
    return texts, options, key, todo


JSON_IMPORTER = contract.Importer(1, json_items_likelihood, import_json)
