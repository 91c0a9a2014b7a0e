"""Reads people's decisions: a CSV of points by candidate, item and criterion, or the JSON of a marking page.

An item is identified by its id or, as on paper, by form and number. If a row cannot be used, the whole file is refused,
with all faulty rows named."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from quizgen.answer_areas import TextAnswerLines
from quizgen.draw import SeededRng
from quizgen.model import Item
from quizgen.scoring.exam_answers import Manifest, answers_checksum, read_answers_or_marks_file
from quizgen.scoring.log_files import read_numbered_sheet_rows, take_column_names
from quizgen.scoring.log_lines import BadInput
from quizgen.scoring.response import Override
from quizgen.source.problems import Unreadable, did_you_mean, printable, read_decimal, shorten
from quizgen.spreadsheet import unescape_cell

REQUIRED_MARKS_COLUMNS = ("candidate", "item", "criterion", "earned")
MARKS_SHEET_COLUMNS = (*REQUIRED_MARKS_COLUMNS, "reason")
# Also those of --review and the page.
ALLOWED_MARKS_COLUMNS = (*MARKS_SHEET_COLUMNS, "form", "number", "possible", "now", "why", "response", "sure")

CANDIDATE_KEY_OF_BAD_ROWS = "\0fault"  # in place of the candidate of a row that cannot be used, before the reason

Decisions = dict[tuple[str, str], tuple[Override, ...]]


def read_mark_decisions(
    path: str, items: Mapping[str, Item], manifest: Manifest | None, form_by_candidate: Mapping[str, str]
) -> Decisions:
    """The decisions in a file, by (candidate, item id); on a marking page, the candidate is a key. `form_by_candidate`
    has the form of each candidate. A row without `earned` decides nothing, so that a sheet of --review may be half
    filled in, but must be correct. Why a row cannot be used is under (CANDIDATE_KEY_OF_BAD_ROWS, reason), so that
    one run reports all. Raises Unreadable if the file holds no marks."""
    decisions: Decisions = {}
    read = _decisions_of_marking_page if path.lower().endswith(".json") else _decisions_of_sheet
    for key, overrides in read(path, items, manifest, form_by_candidate):
        decisions[key] = (*decisions.get(key, ()), *overrides)
    return decisions


def _decisions_of_sheet(
    path: str, items: Mapping[str, Item], manifest: Manifest | None, form_by_candidate: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], tuple[Override, ...]]]:
    rows = read_numbered_sheet_rows(path, "a sheet of marks")
    names = take_column_names(rows)
    if "earned" not in names and "1" in names:
        raise Unreadable(f"{path}: a sheet of responses (one column per item); use --sheet, as --marks is for points")
    column_names = {"item" if name == "number" else name for name in names}
    if missing_names := [name for name in REQUIRED_MARKS_COLUMNS if name not in column_names]:
        columns = ", ".join(MARKS_SHEET_COLUMNS)
        raise Unreadable(f"{path}: the first row must name the columns {columns}; {missing_names[0]} is missing")
    for name in names:
        if name not in ALLOWED_MARKS_COLUMNS and (hint := did_you_mean(name, ALLOWED_MARKS_COLUMNS)):
            raise Unreadable(f'{path}:1: unknown column "{printable(name)}"; {hint}')
    for line, row in rows:
        cells = {name: unescape_cell(cell).strip() for name, cell in zip(names, row, strict=False)}
        if not any(cells.values()):
            continue
        place = f"{path}:{line}"
        try:
            item, form = _read_item_id_and_form_code(cells, items, manifest, form_by_candidate)
            points, of = _read_row_points_and_maximum(cells)
        except BadInput as error:
            yield (CANDIDATE_KEY_OF_BAD_ROWS, str(error)), (Override("", None, "", place),)
            continue
        one = Override(cells.get("criterion", ""), points, " ".join(cells.get("reason", "").split()), place, form, of)
        yield (cells.get("candidate", ""), item), (one,)


def _read_row_points_and_maximum(cells: Mapping[str, str]) -> tuple[Fraction | None, Fraction | None]:
    """The points of a row, and the maximum they are out of: 1 for a percentage, else the row's `possible` (None if
    empty). Both are None if `earned` is empty. Raises BadInput."""
    text = cells.get("earned", "")
    texts = text.removesuffix("%"), cells.get("possible", "")
    # Some spreadsheets write a decimal comma.
    earned, possible = (read_decimal(re.sub(r"(?<=\d),(?=\d\d?\s*$)", ".", cell)) for cell in texts)
    if not text:
        return None, None
    if earned is None or earned < 0:
        excerpt = shorten(printable(text))
        raise BadInput(f'earned must be points such as 1 or 0.5, or a share as in 50%, not "{excerpt}"')
    return (earned / 100, Fraction(1)) if text.endswith("%") else (earned, possible or None)


def _read_item_id_and_form_code(
    cells: Mapping[str, str], items: Mapping[str, Item], manifest: Manifest | None, form_by_candidate: Mapping[str, str]
) -> tuple[str, str]:
    """The id of the item in a row, and the code of its form (empty if unknown). Raises BadInput."""
    if not (name := cells.get("item", "") or cells.get("number", "")):
        raise BadInput("item is missing; write its id, or its number on the form")
    label, form = cells.get("form", ""), None
    if label and manifest is not None and (form := manifest.find_form_record(label)) is None:
        raise BadInput(f'form "{shorten(printable(label))}" is not in the manifest')
    if name in items:
        return name, str(form["code"]) if form else ""
    if not name.isdecimal():
        hint = did_you_mean(name, items) or "write its id, or its number on the form"
        raise BadInput(f'no item "{shorten(printable(name))}" in the bank; {hint}')
    if manifest is None:
        raise BadInput(f"item {name} is a number on a form; give --manifest DIR/manifest.json")
    if form is None:
        form = manifest.find_form_of_candidate(cells.get("candidate", ""), form_by_candidate)
    if form is None:
        raise BadInput(f"item {name} of which form? write its letter into a column `form`")
    for entry in form["items"]:
        if str(entry["n"]) == str(int(name)):
            return str(entry["item"]), str(form["code"])
    raise BadInput(f"form {form['code']} has items 1 to {len(form['items'])}, no item {name}")


def _decisions_of_marking_page(
    path: str, items: Mapping[str, Item], manifest: Manifest | None, form_by_candidate: Mapping[str, str]
) -> Iterator[tuple[tuple[str, str], tuple[Override, ...]]]:
    """Yields the entries of a marking page's JSON (fields: docs/scoring-reference.md) as rows, numbered from the start
    of the file. Raises Unreadable if the file is anything else, or of another exam."""
    if manifest is None:
        raise Unreadable(f"{path}: marks of a marking page need their exam's manifest; give --manifest")
    content = _read_marking_page(path, manifest)
    forms = manifest.form_record_by_label_or_code.values()
    refs = {str(i["ref"]): (str(i["item"]), str(form["code"])) for form in forms for i in form["items"]}
    marker = str(content.get("marker") or "")
    for number, entry in enumerate(content["entries"], 1):
        place = f"{path}, entry {number}"
        try:
            if not isinstance(entry, dict) or str(entry.get("ref")) not in refs:
                raise BadInput("no such item on any form of the exam (`ref`)")
            name, form = refs[str(entry["ref"])]
            if name not in items:
                raise BadInput(f"the bank has no item {name} any more")
            overrides = tuple(_overrides_of_entry(entry, items[name], marker, place, form))
            yield (f"\0{entry.get('candidate')}", name), overrides
        except BadInput as error:
            yield (CANDIDATE_KEY_OF_BAD_ROWS, str(error)), (Override("", None, "", place),)


def _read_marking_page(path: str, manifest: Manifest) -> dict[str, Any]:
    """The JSON object of a marking page for this exam. Raises Unreadable if the file is anything else."""
    try:
        content = read_answers_or_marks_file(path)
    except BadInput:
        content = {}
    if content.get("type") != "marking" or content.get("v") != 1 or not isinstance(content.get("entries"), list):
        raise Unreadable(f"{path}: not the marks of a marking page; --marks takes its JSON, or a CSV")
    if content.get("checksum") != answers_checksum(content):
        raise Unreadable(f"{path}: the checksum is wrong: damaged or edited after it was saved; export it again")
    expected_fields = (("exam", manifest.exam_code, "exam"), ("digest", manifest.bank_digest, "state of the bank"))
    for field, own_value, subject in expected_fields:
        if content.get(field) != own_value:
            value_text = shorten(printable(str(content.get(field))))
            raise Unreadable(f"{path}: marks of another {subject} ({value_text}, not {own_value}); give its manifest")
    return content


def _overrides_of_entry(entry: dict[str, Any], item: Item, marker: str, place: str, form: str) -> Iterator[Override]:
    """Yields the decisions of an entry: one per ticked criterion, or one with points for the whole. Without points,
    yields one that decides nothing. Raises BadInput."""
    ticks, points, possible = entry.get("ticks") or [], entry.get("points"), entry.get("possible")
    _refuse_wrong_types_of_entry(ticks, points=points, possible=possible)
    areas = item.draw(SeededRng(item.id, "")).prompt() if ticks else ()
    criterion_count = sum(area.criterion_count for area in areas if isinstance(area, TextAnswerLines))
    if ticks and len(ticks) != criterion_count:
        raise BadInput(f"{len(ticks)} ticks for {item.id}, which has {criterion_count} criteria")
    reason = " ".join(f"{marker}: {entry.get('comment') or ''}".strip(": ").split())
    if points is None:
        yield Override("", None, reason, place, form)
        return
    for number, tick in enumerate(ticks, 1):
        yield Override(str(number), Fraction(tick), reason, place, form, points_out_of=Fraction(1))
    maximum = Fraction(json.dumps(possible)) if possible else item.points  # an older page does not say it
    yield Override("", Fraction(json.dumps(points)), reason, place, form, maximum)


def _refuse_wrong_types_of_entry(ticks: Any, **numbers: Any) -> None:
    for name, number in numbers.items():
        if number is not None and (type(number) not in (int, float) or not 0 <= number < 1e9):
            raise BadInput(f"{name} must be a number from 0, or null")
    if not isinstance(ticks, list) or not all(type(tick) is bool for tick in ticks):
        raise BadInput("ticks must be a list of true and false, one for each criterion")
