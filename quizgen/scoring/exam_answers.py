"""Reads the answers to an exam with the help of its manifest: answers files from its pages, and sheets that somebody
typed.

Answers and rows become lines of a log; `read_sittings` describes for attendance how each candidate sat the exam."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, Final

from quizgen.answer_areas import YET_UNREAD_CELL, selected_option_texts
from quizgen.model import ScoreBand
from quizgen.roster import Candidate
from quizgen.scoring import log_files, log_lines
from quizgen.scoring.log_lines import BadInput, decode_json_strictly, epoch_seconds_or_none, parse_log_line
from quizgen.source.problems import Unreadable, did_you_mean, printable, shorten
from quizgen.spreadsheet import unescape_cell

MAX_ANSWERS_FILE_BYTES = 8 << 20

NumberedLogRecord = tuple[int, dict[str, Any]]
LineAndFault = tuple[int, str]


@dataclass(frozen=True, slots=True)
class RosterEntry:
    """A candidate on the roster, with the code of the form dealt and the minutes allowed (None: unknown)."""

    roster_number: int
    id: str
    name: str
    form_code: str = ""
    allowed_minutes: float | None = None
    email: str = ""

    @property
    def roster_key(self) -> str:
        return self.id or self.name


@dataclass(frozen=True, slots=True)
class Manifest:
    """The instructor's record of an exam. `form_record_by_label_or_code` has each form twice; the keys of
    `roster_by_key` are ids, or names if there are no ids."""

    bank_name: str
    bank_digest: str
    exam_code: str
    pass_share: Fraction | None
    score_bands: tuple[ScoreBand, ...]
    form_record_by_label_or_code: Mapping[str, Mapping[str, Any]]
    roster_by_key: Mapping[str, RosterEntry]
    exam_seed: str = ""
    exam_title: str = ""
    exam_minutes: float | None = None
    anchor_item_ids: tuple[str, ...] = ()
    grade_bands: tuple[ScoreBand, ...] = ()
    marking_rules_version: int = 1

    def find_form_record(self, label_or_code: str) -> Mapping[str, Any] | None:
        """The form with this label or code in upper or lower case; None if there is none."""
        return self.form_record_by_label_or_code.get(label_or_code.strip().upper())

    def find_form_of_candidate(self, candidate: str, form_by_candidate: Mapping[str, str]) -> Mapping[str, Any] | None:
        """The form that `form_by_candidate` has for the candidate, else the form dealt to the candidate, else the only
        form of the exam; None if unknown."""
        entry = self.roster_by_key.get(candidate)
        own_form = self.find_form_record(form_by_candidate.get(candidate) or (entry.form_code if entry else ""))
        if own_form is None and len({id(form) for form in self.form_record_by_label_or_code.values()}) == 1:
            return next(iter(self.form_record_by_label_or_code.values()))
        return own_form


# Types of the fields of a manifest and of a written answer in a scan record. A field that allows None may be missing.
_NUMBER_OR_NONE: Final = (int, float, type(None))
_TEXT_OR_NONE: Final = (str, type(None))
_LIST_OR_NONE: Final = (list, type(None))
_FIELD_TYPES_BY_RECORD_KIND: Final[dict[str, dict[str, tuple[type, ...]]]] = {
    "manifest": {"bank": (str,), "forms": (list,), "minutes": _NUMBER_OR_NONE, "candidates": _LIST_OR_NONE,
                 "anchors": _LIST_OR_NONE, "bands": _LIST_OR_NONE, "grades": _LIST_OR_NONE},
    "form": {"form": (str,), "code": (str,), "seed": (str, int), "items": (list,), "minutes": _NUMBER_OR_NONE},
    "item": {"n": (int,), "ref": (str,), "item": (str,), "kind": _TEXT_OR_NONE, "points": _NUMBER_OR_NONE,
             "given": (dict, type(None)), "after": _TEXT_OR_NONE, "options": _LIST_OR_NONE},
    "candidate": {"name": _TEXT_OR_NONE, "id": _TEXT_OR_NONE, "code": _TEXT_OR_NONE, "number": (int, type(None)),
                  "minutes": _NUMBER_OR_NONE},
    "band": {"name": (str,)},
    "written answer": {"candidate": (str,), "ref": (str,), "image": (str,)},
}  # fmt: skip


def read_manifest(path: str) -> Manifest:
    """The manifest at a path. Raises Unreadable with the reason."""
    limit = 20 * log_files.DEFAULT_MAX_FILE_BYTES
    data = log_files.read_small_file_bytes(path, ", too large; quizgen exam writes manifest.json", limit)
    try:
        content = decode_json_strictly(data.decode("utf-8-sig"))
        _refuse_wrong_manifest_fields(content)
        roster = {}
        for place, record in enumerate(content.get("candidates") or (), 1):
            ident, name, code, email = (str(record.get(field) or "") for field in ("id", "name", "code", "email"))
            entry = RosterEntry(record.get("number") or place, ident, name, code, record.get("minutes"), email)
            roster[entry.roster_key] = entry
        return Manifest(
            bank_name=str(content["bank"]),
            bank_digest=str(content.get("digest", "")),
            exam_code=str(content.get("exam", "")),
            pass_share=None if content.get("pass") is None else Fraction(str(content["pass"])),
            score_bands=_score_bands_of_records(content.get("bands")),
            grade_bands=_score_bands_of_records(content.get("grades")),
            form_record_by_label_or_code={f[name].upper(): f for f in content["forms"] for name in ("form", "code")},
            roster_by_key=roster,
            exam_seed=str(content.get("seed") or ""),
            exam_title=str(content.get("title") or ""),
            exam_minutes=content.get("minutes"),
            anchor_item_ids=tuple(map(str, content.get("anchors") or ())),
            marking_rules_version=content["rules"] if isinstance(content.get("rules"), int) else 1,
        )
    except BadInput as error:
        reason = f" ({error})"
    except (ValueError, RecursionError):
        reason = ""
    raise Unreadable(f"{path}: not a manifest{reason}; quizgen exam writes manifest.json")


def _score_bands_of_records(records: Iterable[Mapping[str, Any]] | None) -> tuple[ScoreBand, ...]:
    return tuple(ScoreBand(Fraction(str(b["from"])), str(b["name"]), str(b.get("advice", ""))) for b in records or ())


def refuse_wrong_field_types(record_kind: str, records: Iterable[Any]) -> None:
    """Raises BadInput if one of the `records`, which are JSON values, is no object with the fields of its kind."""
    for record, (name, types) in product(records, _FIELD_TYPES_BY_RECORD_KIND[record_kind].items()):
        if not isinstance(record, dict):
            raise BadInput(f"each {record_kind} must be an object, not {log_lines.quoted_json(record)}")
        if type(value := record.get(name)) not in types:
            expected = " or ".join(dict.fromkeys(log_lines.json_type_name(one()) for one in types))
            raise BadInput(f"{name} of {record_kind} must be {expected}, not {log_lines.quoted_json(value)}")


def _refuse_wrong_manifest_fields(content: Any) -> None:
    """Raises BadInput for a wrong type or range."""
    refuse_wrong_field_types("manifest", [content])
    refuse_wrong_field_types("form", content["forms"])
    items = [item for form in content["forms"] for item in form["items"]]
    bands = (*(content.get("bands") or ()), *(content.get("grades") or ()))
    for kind, records in (("item", items), ("candidate", content.get("candidates") or ()), ("band", bands)):
        refuse_wrong_field_types(kind, records)
    if not all(type(text) is str for item in items for text in item.get("options") or ()):
        raise BadInput("options must be lists of texts")
    if not all(type(value) in (str, int, float) for item in items for value in (item.get("given") or {}).values()):
        raise BadInput("given must hold texts and numbers")
    for share in (0 if content.get("pass") is None else content["pass"], *(band.get("from") for band in bands)):
        if type(share) not in (int, float) or not 0 <= share <= 1:
            raise BadInput("pass, bands and grades must be shares from 0 to 1")


def roster_key_or_typed_name(answers: Mapping[str, Any], manifest: Manifest) -> str:
    """The key on the roster of the candidate whose number, id or name is in an answers file (a name only if nobody else
    has that name; case does not matter; a number only on a form of this exam). Without such a candidate, the id or name
    as typed."""
    id_or_name = str(answers.get("candidate") or answers.get("name") or "")[:400]
    if id_or_name in manifest.roster_by_key:
        return id_or_name
    names = {" ".join(str(answers.get(field) or "").split()).casefold() for field in ("candidate", "name")} - {""}
    number = _roster_number_of_answers(answers, manifest)
    people = manifest.roster_by_key.items()
    by_number = [key for key, one in people if one.roster_number == number]
    by_id = [key for key, one in people if one.id.casefold() in names]
    by_name = [key for key, one in people if one.name.casefold() in names]
    return next((keys[0] for keys in (by_number, by_id, by_name) if len(keys) == 1), id_or_name)


def _roster_number_of_answers(answers: Mapping[str, Any], manifest: Manifest) -> object:
    """The number in an answers file; None on a form of another exam, whose roster has other people by that number."""
    form = answers.get("form", "")
    return None if form and manifest.find_form_record(str(form)) is None else answers.get("number")


def log_block_of_answers_file(
    path: str, manifest: Manifest | None, exclude_late_changes: bool = False
) -> log_files.LogBlock:
    """The responses of one answers file as a block. With `exclude_late_changes`, changes after the deadline do not
    count. The caller sets the source number."""
    try:
        if log_files.file_size_bytes(path) > MAX_ANSWERS_FILE_BYTES:
            raise BadInput(f"larger than {MAX_ANSWERS_FILE_BYTES >> 20} MiB, too large for one candidate's answers")
        content = read_answers_or_marks_file(path)
        if manifest is None:
            raise BadInput("an answers file needs its exam's manifest; give --manifest DIR/manifest.json")
        return _block_of_records(*_log_records_and_faults_of_answers(content, manifest, path, exclude_late_changes))
    except BadInput as error:
        return _block_of_records([], [(1, str(error))])


def answers_checksum(content: dict[str, Any]) -> str:
    """The checksum that a JSON object must have, over all fields except `checksum`."""
    text = json.dumps({k: v for k, v in content.items() if k != "checksum"}, sort_keys=True, separators=(",", ":"))
    return f"sha256:{sha256(text.encode()).hexdigest()}"


def read_answers_or_marks_file(path: str) -> dict[str, Any]:
    """The JSON object in an answers file. Raises Unreadable if there is no such file, BadInput if it is another
    kind."""
    content: Any = None
    with suppress(ValueError, RecursionError):
        data = log_files.read_small_file_bytes(path)
        if kind := log_files.archive_kind_of_bytes_or_empty(data):
            raise BadInput(f"packed with {kind}; unpack it first")
        text = data.decode("utf-8-sig")
        content = parse_log_line(text) if len(text) < 200_000 else decode_json_strictly(text)
    if not isinstance(content, dict):
        raise BadInput("not a readable answers file; ask for the file again")
    return content


def _log_records_and_faults_of_answers(
    content: dict[str, Any], manifest: Manifest, path: str, exclude_late_changes: bool
) -> tuple[list[NumberedLogRecord], list[LineAndFault]]:
    code, responses = content.get("form"), content.get("responses")
    if (form := manifest.find_form_record(code) if isinstance(code, str) else None) is None:
        code_text = shorten(printable(str(code)))
        raise BadInput(f'form "{code_text}" is not in the manifest; check that it belongs to this exam')
    if not isinstance(responses, list):
        raise BadInput("no list of responses")
    faults: list[LineAndFault] = []
    if content.get("checksum") != answers_checksum(content):
        faults.append((1, "the checksum is wrong: damaged or edited after it was saved; scored as it is"))
    candidate = roster_key_or_typed_name(content, manifest)
    session = f"{form['code']}/{candidate or Path(path).name}"[:400]
    lines = [(0, _session_record(session, candidate, form, manifest))]
    items = {str(item["ref"]): item for item in form["items"]}
    for number, entry in enumerate(responses, 1):
        ref = str(entry.get("item")) if isinstance(entry, dict) else ""
        if ref not in items:
            faults.append((number, f'no item "{shorten(printable(ref))}" on form {form["code"]}'))
            continue
        field = "at_deadline" if exclude_late_changes and entry.get("late") and "at_deadline" in entry else "response"
        extras = {name: entry[name] for name in ("seconds", "at", "flagged", "late") if entry.get(name) is not None}
        lines.append((number, _response_record(session, candidate, form, items[ref], entry.get(field, "")) | extras))
    return lines, faults


def _session_record(session: str, candidate: str, form: Mapping[str, Any], manifest: Manifest) -> dict[str, Any]:
    """The session line in a log for one candidate's answers to a form."""
    session_fields = {"v": 1, "type": "session", "session": session, "candidate": candidate, "bank": manifest.bank_name}
    state = {"digest": manifest.bank_digest, "rules": manifest.marking_rules_version}
    points = {item["item"]: item["points"] for item in form["items"] if item.get("points") is not None}
    return session_fields | state | {"items": [item["item"] for item in form["items"]], "points": points}


def _response_record(
    session: str, candidate: str, form: Mapping[str, Any], form_item: Mapping[str, Any], response: object
) -> dict[str, Any]:
    """The response line in a log for one item; `form_item` is the form's entry for it. Letters become the texts of its
    options."""
    line_fields = {"session": session, "candidate": candidate, "item": form_item["item"], "seed": form["seed"]}
    item_fields = {n: form_item[n] for n in ("given", "points", "after") if form_item.get(n) not in (None, {}, "")}
    if (options := form_item.get("options")) and isinstance(response, (str, list)):
        choices: list[object] = []
        for piece in [response] if isinstance(response, str) else response:
            texts = selected_option_texts(piece, options) if isinstance(piece, str) else None
            choices.extend(texts if texts is not None else [piece])
        response = choices[0] if len(choices) == 1 else choices if choices else ""
    return {"v": 1, "type": "response", **line_fields, **item_fields, "response": response}


def _block_of_records(lines: list[NumberedLogRecord], faults: list[LineAndFault]) -> log_files.LogBlock:
    """The lines as one block. A response to a follow-up part gets the candidate's own response to the part before."""
    responses = {(line["session"], line["item"]): line["response"] for _, line in lines if "response" in line}
    for _, line in lines:
        if (earlier_response := responses.get((line["session"], line.pop("after", None)))) is not None:
            line["earlier"] = earlier_response
    block = log_files.log_block_of_records(0, lines, 1)
    return replace(block, numbered_faults=tuple(faults), source_bytes_read=block.byte_count)


# Responses on paper, typed in or scanned: a table with one row per candidate and one column per item number.
#
# If any row has no candidate, or fits no form or item, nothing of the table is used. A candidate who is on no roster is
# held.


NON_ITEM_SHEET_COLUMNS = ("candidate", "form", "name", "number", "note")  # columns that are not items


def sheet_given_as_log_message(path: str) -> str:
    """The advice for a user who gave a sheet as a log."""
    reason = "a CSV sheet, not a log; its letters are read by the exam's manifest"
    return f"{reason}, so type `quizgen score --sheet {printable(path)} --manifest DIR/manifest.json`"


def log_block_of_spreadsheet(path: str, manifest: Manifest | None) -> log_files.LogBlock:
    """The rows of a sheet as one block. Without a manifest, the block has no lines but a fault that says what to type.
    Raises Unreadable with a line for each row that cannot be used or contradicts an earlier row of its candidate."""
    if manifest is None:
        return _block_of_records([], [(1, sheet_given_as_log_message(path))])
    return _block_of_records(_log_records_of_spreadsheet(path, manifest), [])


def _log_records_of_spreadsheet(path: str, manifest: Manifest) -> list[NumberedLogRecord]:
    """The rows of a sheet as lines of a log, each with the number of its row. Raises Unreadable as above."""
    rows = log_files.read_numbered_sheet_rows(path, "a sheet")
    lines: list[NumberedLogRecord] = []
    faults: list[str] = []
    first_row_by_candidate: dict[str, tuple[int, list[str]]] = {}
    names = log_files.take_column_names(rows)
    _refuse_unknown_columns(path, names, manifest)
    for number, row in rows:
        cells = [unescape_cell(cell).strip() for cell in row]
        if not any(cells):
            continue
        try:
            records = list(_log_records_of_spreadsheet_row(number, names, cells, manifest))
            first_number, first_cells = first_row_by_candidate.setdefault(records[0][1]["candidate"], (number, cells))
            if cells != first_cells:
                raise BadInput(f"another row of the candidate of line {first_number}, and they differ; keep one")
            lines += records if number == first_number else ()  # an equal row is a copy
        except BadInput as error:
            faults.append(f"{path}:{number}: {error}")
    if faults:
        raise Unreadable("\n".join([*faults, f"{path}: nothing was scored; fix the sheet first"]))
    return lines


def _refuse_unknown_columns(path: str, names: Sequence[str], manifest: Manifest) -> None:
    if "earned" in names:
        raise Unreadable(f"{path}: a sheet of points (a column earned); use --marks, as --sheet is for responses")
    if "candidate" not in names:
        columns = shorten(printable(", ".join(names)))
        raise Unreadable(f'{path}: the first row must name the columns candidate, form, 1, 2, 3 …, not "{columns}"')
    item_numbers = {str(item["n"]) for form in manifest.form_record_by_label_or_code.values() for item in form["items"]}
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Unreadable(f'{path}:1: the column "{printable(name)}" appears twice; keep one')
        if name and name not in NON_ITEM_SHEET_COLUMNS and name not in item_numbers:
            hint = did_you_mean(name, NON_ITEM_SHEET_COLUMNS) or f"the items are 1 to {len(item_numbers)}"
            raise Unreadable(f'{path}:1: unknown column "{shorten(printable(name))}"; {hint}')


def _log_records_of_spreadsheet_row(
    row_number: int, column_names: Sequence[str], cells_of_row: Sequence[str], manifest: Manifest
) -> Iterator[NumberedLogRecord]:
    cells = dict(zip(column_names, cells_of_row, strict=False))
    if any(cells_of_row[len(column_names) :]):
        raise BadInput(log_files.TOO_MANY_CELLS_MESSAGE)
    person, label = cells.get("candidate", "")[:400], cells.get("form", "")
    if not person:
        raise BadInput("no candidate; write the ID that is on the paper")
    if (form := manifest.find_form_record(label) if label else manifest.find_form_of_candidate(person, {})) is None:
        fault = f'form "{shorten(printable(label))}" is not in the manifest; check that both belong to the same exam'
        raise BadInput(fault if label else "no form; write its letter in the row")
    if numbers := [item["n"] for item in form["items"] if str(item["n"]) not in column_names]:
        raise BadInput(f"no column for item {numbers[0]} of form {form['code']}; add it (an empty cell is a blank)")
    session = f"{form['code']}/{person}"
    yield row_number, _session_record(session, person, form, manifest)
    for item in form["items"]:
        yield row_number, _response_record(session, person, form, item, cells.get(str(item["n"]), ""))


# Attendance: how candidates sat an exam, by their answers files and sheets, and who was expected to.


@dataclass(frozen=True, slots=True)
class ExamSitting:
    """How one candidate sat an exam, by one source. Times are in seconds since 1970, durations in seconds."""

    source_path: str
    id_or_name: str
    form_code: str = ""  # code of the form; empty: the file fits no form of this exam
    is_on_paper: bool = False
    is_practice: bool = False
    start_epoch_seconds: float | None = None
    finished_epoch_seconds: float | None = None
    deadline_epoch_seconds: float | None = None
    allowed_minutes: float | None = None  # None: without a limit
    last_change_epoch_seconds: float | None = None  # time of the last change of a response
    away_seconds: float = 0
    clock_set_back_seconds: float = 0
    clock_set_forward_seconds: float = 0
    closed_seconds: float = 0  # seconds during which the page was closed
    reopened_count: int = 0
    revision_number: int = 0
    responses_sha256: str = ""  # digest of the responses
    has_responses_at_deadline: bool = True  # every late response has its state at the deadline
    begun_late_numbers_and_ids: tuple[tuple[int, str], ...] = ()  # of items with responses only after the deadline
    not_yet_read_numbers_and_ids: tuple[tuple[int, str], ...] = ()  # nobody has read the handwriting yet
    notes: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    has_times: bool = True  # False: the file is from elsewhere and has no times

    @property
    def source_file_name(self) -> str:
        return self.source_path.replace("\\", "/").rpartition("/")[2]


DAMAGED_FILE_FAULT = "the answers file is damaged and cannot be read: ask for it again"
MAX_EXCESS_OPEN_SECONDS = 60  # seconds by which a page may be open longer than from its start to its saving
EMPTY_ROW_FAULT = "the row is empty: take it out if nothing was handed in"
NOTE_BY_PAGE_EVENT = {
    "cleared": "an earlier sitting of this form was cleared from the device",
    "window": "open in two windows at once",
}


def manifest_with_roster(manifest: Manifest, roster: Sequence[Candidate]) -> Manifest:
    """The manifest with another roster; forms and numbers that were dealt stay, and newcomers get new numbers."""
    people: dict[str, RosterEntry] = {}
    highest_number = max([entry.roster_number for entry in manifest.roster_by_key.values()], default=0)
    for person in roster:
        key = person.id or person.name
        form = manifest.find_form_record(person.form_label) if person.form_label else None
        newcomer = RosterEntry(person.roster_number + highest_number, person.id, person.name)
        entry = manifest.roster_by_key.get(key, newcomer)
        minutes = manifest.exam_minutes and float(person.minutes_with_extra_time(Fraction(str(manifest.exam_minutes))))
        code = form["code"] if form else entry.form_code
        people[key] = RosterEntry(entry.roster_number, person.id, person.name, code, minutes, person.email)
    return replace(manifest, roster_by_key=people)


def read_sittings(
    answers_paths: Iterable[str], sheet_paths: Iterable[str], manifest: Manifest
) -> Iterator[ExamSitting]:
    """Yields every sitting in the files and sheets, also of a damaged file if any part of it shows who wrote it."""
    for name in answers_paths:
        if log_files.is_exam_page_answers_file(name):
            try:
                yield _sitting_of_file(name, read_answers_or_marks_file(name), manifest)
            except BadInput:
                yield from _sittings_of_damaged_file(name, manifest)
    for name in (*(f for f in answers_paths if log_files.file_has_candidate_rows(f)), *sheet_paths):
        yield from _sheet_sittings(name, manifest)


def _sheet_sittings(path: str, manifest: Manifest) -> Iterator[ExamSitting]:
    """Yields a sitting for each row of a sheet."""
    rows: dict[str, list[NumberedLogRecord]] = {}
    for number, line in _log_records_of_spreadsheet(path, manifest):
        rows.setdefault(line["session"], []).append((number, line))
    for session, ((row_number, first), *responses) in rows.items():
        person, code = first["candidate"], session.partition("/")[0]
        response_by_item = {line["item"]: line["response"] for _, line in responses}
        items = (manifest.find_form_record(code) or {"items": ()})["items"]
        unread = [(int(item["n"]), item["item"]) for item in items if response_by_item[item["item"]] == YET_UNREAD_CELL]
        faults = []
        if manifest.roster_by_key and person not in manifest.roster_by_key:
            own_id = next((key for key, entry in manifest.roster_by_key.items() if entry.name == person), "")
            hint = did_you_mean(person, manifest.roster_by_key) or "fix the cell or the roster"
            faults.append(f"{path}:{row_number}: " + (f'write the id, "{own_id}"' if own_id else hint))
        if not any(response_by_item.values()):
            faults.append(EMPTY_ROW_FAULT)
        if slips := ", ".join(_unknown_option_cells(items, response_by_item)):
            faults.append(f"no such option on the form: {slips}; correct the row, or empty the cell")
        sitting = ExamSitting(path, person, code, is_on_paper=True, faults=tuple(faults))
        yield replace(sitting, not_yet_read_numbers_and_ids=tuple(unread))


def _unknown_option_cells(items: Iterable[Mapping[str, Any]], response_by_item: Mapping[str, object]) -> Iterator[str]:
    """Yields the cells of a row that name an option which the form does not have: slips of who typed them, not wrong
    answers."""
    for item in items:
        response = response_by_item[item["item"]]
        if options := item.get("options"):
            for piece in response if isinstance(response, list) else [response]:
                if piece not in ("", YET_UNREAD_CELL, *options):
                    yield f'"{shorten(printable(str(piece)), 20)}" at item {item["n"]}'


def _sitting_of_file(path: str, answers: dict[str, Any], manifest: Manifest) -> ExamSitting:
    form = manifest.find_form_record(str(answers.get("form")))
    refs = {str(item["ref"]): item for item in form["items"]} if form else {}
    responses, minutes = answers.get("responses"), answers.get("minutes")
    entries = [one for one in responses if isinstance(one, dict)] if isinstance(responses, list) else []
    has_unknown_items = bool(form) and any(str(one.get("item")) not in refs for one in entries)
    change_times = [epoch_seconds_or_none(one.get("at")) for one in entries if one.get("changes") != 0]
    late_entries = [one for one in entries if one.get("late")]
    late_items = [refs.get(str(one.get("item"))) for one in late_entries if not one.get("at_deadline", True)]
    return ExamSitting(
        path,
        roster_key_or_typed_name(answers, manifest),
        str(form["code"]) if form else "",
        is_practice=answers.get("edition") == "practice",
        start_epoch_seconds=epoch_seconds_or_none(answers.get("started")),
        finished_epoch_seconds=epoch_seconds_or_none(answers.get("finished")),
        deadline_epoch_seconds=epoch_seconds_or_none(answers.get("deadline")),
        allowed_minutes=minutes if isinstance(minutes, int | float) else None,
        last_change_epoch_seconds=max((moment for moment in change_times if moment is not None), default=None),
        revision_number=answers["revision"] if isinstance(answers.get("revision"), int) else 0,
        responses_sha256=sha256(json.dumps([responses, answers.get("finished")], sort_keys=True).encode()).hexdigest(),
        has_responses_at_deadline=all("at_deadline" in one for one in late_entries),
        begun_late_numbers_and_ids=tuple((int(item["n"]), str(item["item"])) for item in late_items if item),
        faults=tuple(_faults_of_answers(answers, manifest, has_unknown_items)),
        has_times=not {"started", "finished", "deadline"}.isdisjoint(answers),
        **_sitting_fields_from_page_events(answers),
    )


def _sitting_fields_from_page_events(answers: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a sitting that sum up the events in an answers file. Durations are in seconds."""
    event_list = answers.get("events")
    events = [one for one in event_list if isinstance(one, dict)] if isinstance(event_list, list) else []
    count_by_event = Counter(str(one.get("event")) for one in events)

    def event_seconds(event: str, sign: int = 1) -> float:
        values = (one.get("seconds") for one in events if one.get("event") == event)
        return round(sum(max(0.0, sign * v) for v in values if isinstance(v, int | float)), 1)

    return {
        "away_seconds": event_seconds("away"),
        "clock_set_back_seconds": event_seconds("clock", -1),
        "clock_set_forward_seconds": event_seconds("clock"),
        "closed_seconds": event_seconds("restore"),
        "reopened_count": count_by_event["restore"],
        "notes": tuple(note for event, note in NOTE_BY_PAGE_EVENT.items() if count_by_event[event]),
    }


def _faults_of_answers(content: dict[str, Any], manifest: Manifest, has_unknown_items: bool) -> Iterator[str]:
    """Yields each reason why an answers file cannot be accepted as it is. `has_unknown_items`: it has responses to
    items that are not on its form."""
    if content.get("checksum") != answers_checksum(content):
        yield "the checksum is wrong: damaged or edited after it was saved"
    if has_unknown_items:
        yield "responses to items that are not on the form"
    own_key, number = roster_key_or_typed_name(content, manifest), _roster_number_of_answers(content, manifest)
    number_owner = next((key for key, one in manifest.roster_by_key.items() if one.roster_number == number), own_key)
    if number_owner != own_key:
        yield f"the file has the number {number}, which belongs to {number_owner}"
    start, end = epoch_seconds_or_none(content.get("started")), epoch_seconds_or_none(content.get("saved"))
    opened = content.get("open_seconds")
    if isinstance(opened, int | float) and start and end and opened > max(end - start, 0) + MAX_EXCESS_OPEN_SECONDS:
        yield f"the page was open for {opened:,.0f} seconds of the {end - start:,.0f} from its start to its saving"


def _sittings_of_damaged_file(path: str, manifest: Manifest) -> Iterator[ExamSitting]:
    """Yields the sitting of a file that cannot be read, if the number or id at its start, or its file name, shows who
    wrote it."""
    head = log_files.read_small_file_bytes(path)[:4096].decode("utf-8", "replace")
    pattern = r'"(number|candidate|name)": ?(\d{1,9}\b|"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))+")'
    content: dict[str, Any] = {field: json.loads(text) for field, text in re.findall(pattern, head)}
    end = re.sub(r"(?i)( ?\(\d+\)|-\d+)?\.json$", "", path.rpartition("answers-")[2].partition("-")[2])
    for answers in (content, {"candidate": end}, {"number": int(end) if end.isdecimal() else None}):
        if entry := manifest.roster_by_key.get(candidate := roster_key_or_typed_name(answers, manifest)):
            yield ExamSitting(path, candidate, entry.form_code, faults=(DAMAGED_FILE_FAULT,), has_times=False)
            return
