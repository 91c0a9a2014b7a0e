"""Turns a stack of pages in any order into one response for each item: who handed in which pages, and what is wrong."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from quizgen.answer_areas import LETTERS, YET_UNREAD_CELL
from quizgen.render.html import render_data_page_html
from quizgen.scan.answers import NO_PAGE_CODE_REASON, AnswerPicture, PageReading, choice_row_specs_of_form
from quizgen.scoring.exam_answers import Manifest, read_answers_or_marks_file
from quizgen.scoring.log_lines import BadInput
from quizgen.source.problems import Unreadable
from quizgen.spreadsheet import escape_cell

MISSING_PAGE_FAULT = "a page of the answer sheet is missing"


@dataclass(frozen=True, slots=True)
class UndecidedReading:
    """A reading of letters, a number or an ID that a person must decide by its picture. `decision_key` identifies it in
    a file of decisions; `proposed_answer` is our proposal, None if there is none."""

    decision_key: str
    item_kind_or_id: str  # choice, numeric, id
    candidate_key: str
    item_number_text: str
    doubt_reason: str
    picture_jpegs: tuple[bytes, ...]
    proposed_answer: str | None = ""
    option_letters: str = ""

    def json_fields(self) -> dict[str, str]:
        """The fields of the reading in the record and in the page of decisions."""
        texts = (self.decision_key, self.item_kind_or_id, self.candidate_key, self.item_number_text, self.doubt_reason)
        return dict(zip(("key", "kind", "candidate", "item", "why"), texts, strict=True))


@dataclass(slots=True)
class CandidateFormPages:
    """The pages that one candidate handed in of one form: the sheets' pages by their number, and by the items' numbers
    the cells of the table of responses and the written answers. `roster_number` is the candidate's on the roster; 0:
    none."""

    candidate_key: str
    manifest_form: Mapping[str, Any]
    roster_number: int
    reading_by_page_number: dict[int, PageReading] = field(default_factory=dict)
    response_csv_cell_by_item_number: dict[int, str] = field(default_factory=dict)
    answer_picture_by_item_number: dict[int, AnswerPicture] = field(default_factory=dict)


@dataclass(slots=True)
class ScanResult:
    """The pages of all candidates. `undecided_readings`: readings that a person must decide; `fault_lines` need a
    person, too; `note_lines` are only information; `used_decision_by_key`: the decisions that were used, by key."""

    candidate_pages: list[CandidateFormPages] = field(default_factory=list)
    undecided_readings: list[UndecidedReading] = field(default_factory=list)
    fault_lines: list[str] = field(default_factory=list)
    note_lines: list[str] = field(default_factory=list)
    used_decision_by_key: dict[str, str] = field(default_factory=dict)


def scan_result_of_pages(
    page_readings: Iterable[PageReading],
    manifest: Manifest,
    decision_by_key: Mapping[str, str],
    on_screen_candidate_keys: Collection[str] = (),
) -> ScanResult:
    """The pages sorted by candidate. `decision_by_key` has a person's readings by the keys of rows that an earlier run
    left open; candidates in `on_screen_candidate_keys` sat the exam in another way and are not missing."""
    sorter = _CandidatePageSorter(manifest, decision_by_key)
    codeless = [page.file_and_page for page in page_readings if not sorter.assign_page_if_code_readable(page)]
    scan = sorter.scan
    scan.candidate_pages += sorted(sorter.candidate_pages.values(), key=lambda h: (h.roster_number, h.candidate_key))
    has_written_answers = any(owner_pages.answer_picture_by_item_number for owner_pages in scan.candidate_pages)
    for owner_pages in scan.candidate_pages:
        sorter.fill_response_cells(owner_pages, has_written_answers)
    complete = _has_all_sheets_or_reports(scan, manifest, on_screen_candidate_keys)
    if codeless:
        listing = "; ".join(codeless[:20]) + (" …" if len(codeless) > 20 else "")
        fact = f"{len(codeless)} page{'s' * (len(codeless) > 1)} without a readable code ({listing})"
        reason = f"{fact}: covers and pages of items with options have none"
        outcome = "and no sheet is missing" if complete else "but sheets are missing: look for them"
        (scan.note_lines if complete else scan.fault_lines).append(f"{reason}, {outcome}")
    return scan


class _CandidatePageSorter:
    """Sorts the pages of one exam into `scan`; `candidate_pages` has what each candidate handed in of each form."""

    def __init__(self, manifest: Manifest, decision_by_key: Mapping[str, str]) -> None:
        self.manifest, self.decision_by_key, self.scan = manifest, decision_by_key, ScanResult()
        self.candidate_pages: dict[tuple[str, str], CandidateFormPages] = {}
        self.places_of_id_sheets: list[str] = []
        self.key_by_roster_number = {entry.roster_number: key for key, entry in manifest.roster_by_key.items()}
        forms = manifest.form_record_by_label_or_code.values()
        self.form_and_item_by_code = {str(item["ref"]): (form, item) for form in forms for item in form["items"]}

    def assign_page_if_code_readable(self, page: PageReading) -> bool:
        """Adds a page to its candidate's, or reports what is wrong with it. False if it has no readable code."""
        if page.failure_reason == NO_PAGE_CODE_REASON:
            return False
        if page.failure_reason:
            self.scan.fault_lines.append(f"{page.file_and_page}: not read: {page.failure_reason}")
        elif (code := page.code) is not None:
            owner = self.key_by_roster_number.get(code.roster_number, "")
            if not code.roster_number:
                owner = self._candidate_of_id_grid(page)
            elif not owner or self.manifest.roster_by_key[owner].form_code != code.form_code:
                description = f"number {code.roster_number} with form {code.form_code}"
                self.scan.fault_lines.append(f"{page.file_and_page}: not on the roster: {description}")
                owner = ""
            if owner and (form := self.manifest.find_form_record(code.form_code)) is not None:
                self._add_sheet_page(self._find_or_add_pages(owner, form, code.roster_number), page, code.page_number)
        for answer in page.answer_pictures:
            self._add_answer_picture(page, answer)
        return True

    def _find_or_add_pages(self, candidate: str, form: Mapping[str, Any], roster_number: int) -> CandidateFormPages:
        none_yet = CandidateFormPages(candidate, form, roster_number)
        return self.candidate_pages.setdefault((candidate, str(form["code"])), none_yet)

    def _candidate_of_id_grid(self, page: PageReading) -> str:
        """The candidate of a sheet without a name, by the ID in its grid or a person's decision; empty if unknown."""
        assert page.candidate_id_reading is not None
        place, roster = f"{page.file_name}#{page.page_number_in_file}", self.manifest.roster_by_key
        key = f"{place}{' again' * self.places_of_id_sheets.count(place)}:id"  # two folders may have a file of one name
        self.places_of_id_sheets.append(place)
        if (decision := self._decision_text_marked_as_used(key)) == "":
            self.scan.note_lines.append(f"{page.file_and_page}: nobody's sheet, by a person's decision")
            return ""
        id_text = decision or page.candidate_id_reading.answer
        matches = [owner for owner in roster if owner.casefold() == id_text.casefold()] if roster else [id_text]
        doubt = "" if decision else page.candidate_id_reading.doubt_reason
        if not doubt and len(matches) != 1:
            doubt = f"“{id_text}” is not on the roster"
        if doubt:
            pictures, answer = (page.jpeg_by_doubtful_row["id"],), page.candidate_id_reading.answer
            self.scan.undecided_readings.append(UndecidedReading(key, "id", "", "ID", doubt, pictures, answer))
            self.scan.fault_lines.append(f"{page.file_and_page}: whose sheet is this? {doubt}")
            return ""
        return matches[0]

    def _decision_text_marked_as_used(self, key: str) -> str | None:
        """A person's decision, which then is a used one; None if there is none."""
        if key in self.decision_by_key:
            self.scan.used_decision_by_key[key] = self.decision_by_key[key]
        return self.decision_by_key.get(key)

    def _add_sheet_page(self, owner_pages: CandidateFormPages, page: PageReading, page_number: int) -> None:
        """Adds the rows of a sheet's page. If a page comes twice with the same readings, it counts once; if the
        readings differ, a person must decide. A page of another print may have rows that the first one has not."""
        first = owner_pages.reading_by_page_number.setdefault(page_number, page)
        if first is page:
            return
        row_by_id = {row.item_or_id: row for row in (*page.row_readings, *first.row_readings)}  # the first one counts
        results = {name: (row.answer, row.doubt_reason) for name, row in row_by_id.items()}
        ids = [r.item_or_id for r in page.row_readings if (r.answer, r.doubt_reason) != results[r.item_or_id]]
        fact = f"page {page_number} of the answer sheet twice (also {first.file_and_page})"
        outcome = f"read differently: {_item_numbers_text(ids)}" if ids else "read the same and counted once"
        self.scan.fault_lines.append(f"{page.file_and_page}: {owner_pages.candidate_key}: {fact}, {outcome}")
        doubt = "scanned twice, not alike"
        rows = tuple(replace(r, doubt_reason=doubt) if r.item_or_id in ids else r for r in row_by_id.values())
        jpegs = {**page.jpeg_by_doubtful_row, **first.jpeg_by_doubtful_row}
        owner_pages.reading_by_page_number[page_number] = replace(first, row_readings=rows, jpeg_by_doubtful_row=jpegs)

    def _add_answer_picture(self, page: PageReading, answer: AnswerPicture) -> None:
        """Adds the picture of a written answer to its candidate's pages; of two pictures the first one counts."""
        number = answer.answer_code.roster_number
        form, item = self.form_and_item_by_code.get(answer.answer_code.item_code, ({}, {}))
        owner = self.key_by_roster_number.get(number, "")
        if not item:
            self.scan.fault_lines.append(f"{page.file_and_page}: a written answer of another exam")
            return
        if not owner:
            fault = "of a form with " + (f"number {number}, which is not on the roster" if number else "no name")
            self.scan.fault_lines.append(f"{page.file_and_page}: the answer to item {item['n']} is {fault}")
            return
        label = f"{page.file_and_page}: {owner}: the answer to item {item['n']}"
        pictures = self._find_or_add_pages(owner, form, number).answer_picture_by_item_number
        if pictures.setdefault(item["n"], answer) is not answer:
            self.scan.fault_lines.append(f"{label} again; the first one counts")
        elif answer.is_cut_off:
            self.scan.note_lines.append(f"{label} begins on an earlier page")

    def fill_response_cells(self, owner_pages: CandidateFormPages, has_written_answers: bool) -> None:
        """Fills a candidate's cell for each item with the decision, the reading, or YET_UNREAD_CELL, and reports what
        is missing. `has_written_answers`: some candidate handed in written answers, so that their lack is a fault."""
        owner, code = owner_pages.candidate_key, str(owner_pages.manifest_form["code"])
        pages = owner_pages.reading_by_page_number.values()
        rows = {int(row.item_or_id): (row, page) for page in pages for row in page.row_readings}
        unread_numbers: list[int] = []
        missing_numbers: list[int] = []
        for item in owner_pages.manifest_form["items"]:
            number, letters = int(item["n"]), LETTERS[: len(item.get("options") or ())]
            row, page = rows.get(number, (None, None)) if letters else (None, None)
            answer = owner_pages.answer_picture_by_item_number.get(number)
            # A sheet without a candidate's number is known by its ID: pages of two folders may have one name.
            key = f"{code}:{f'{owner_pages.roster_number:04d}' if owner_pages.roster_number else owner}:{number}"
            cell, undecided = self._decision_text_marked_as_used(key), None
            if cell is None and row is not None and page is not None:
                doubt, read = row.doubt_reason, row.proposed_answer
                cell = None if doubt else row.answer
                pictures = tuple(filter(None, (page.jpeg_by_doubtful_row.get(row.item_or_id),)))
                undecided = UndecidedReading(key, "choice", owner, str(number), doubt, pictures, read, letters)
            elif cell is None and answer is not None and item["kind"] == "numeric":
                undecided = UndecidedReading(key, "numeric", owner, str(number), "a number to type in", (answer.jpeg,))
            elif cell is None and letters:
                unread_numbers.append(number)
            elif cell is None and answer is None and has_written_answers:
                missing_numbers.append(number)
            owner_pages.response_csv_cell_by_item_number[number] = YET_UNREAD_CELL if cell is None else cell
            if cell is None and undecided is not None:
                self.scan.undecided_readings.append(undecided)
        for fault, numbers in ((MISSING_PAGE_FAULT, unread_numbers), ("written answers are missing", missing_numbers)):
            if numbers:
                self.scan.fault_lines.append(f"{owner} ({code}): {fault}: {_item_numbers_text(numbers)}")


def _item_numbers_text(numbers: Sequence[int | str]) -> str:
    """`item 3`, or `items 3, 4`."""
    return f"item{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def _has_all_sheets_or_reports(scan: ScanResult, manifest: Manifest, on_screen_candidate_keys: Collection[str]) -> bool:
    """Reports candidates on the roster who handed in nothing, or sheets of two forms. Returns whether no sheet
    is missing."""
    forms = defaultdict[str, list[str]](list)
    for pages in scan.candidate_pages:
        forms[pages.candidate_key].append(str(pages.manifest_form["code"]))
    scan.fault_lines += [f"{key}: pages of {' and '.join(codes)}" for key, codes in forms.items() if len(codes) > 1]
    complete = not any(MISSING_PAGE_FAULT in fault for fault in scan.fault_lines)
    for key, entry in manifest.roster_by_key.items():
        form = manifest.find_form_record(entry.form_code) or {"items": ()}
        if key not in {*forms, *on_screen_candidate_keys} and choice_row_specs_of_form(form):
            scan.fault_lines.append(f"{key} ({entry.form_code}): missing: nothing was scanned")
            complete = False
    return complete


# The results of a scan: the sheet of responses, the record of the scan, and the page of open rows.


def response_table_csv(scan: ScanResult) -> str:
    """The responses as the CSV that `score --sheet` reads."""
    numbers = sorted({number for pages in scan.candidate_pages for number in pages.response_csv_cell_by_item_number})
    buffer = io.StringIO(newline="")
    table = csv.writer(buffer, lineterminator="\n")
    table.writerow(["candidate", "form", *numbers])
    for pages in scan.candidate_pages:
        cells = (escape_cell(pages.response_csv_cell_by_item_number.get(n, "")) for n in numbers)
        table.writerow([escape_cell(pages.candidate_key), str(pages.manifest_form["code"]), *cells])
    return buffer.getvalue()


def is_missing_or_unedited_table(table_path: Path) -> bool:
    """Whether a table is as a scan wrote it, according to the record beside it: an edited table must not be
    overwritten. A missing table is, unless a file of another kind has the record's place."""
    record_path, is_missing = table_path.with_suffix(".json"), not table_path.exists()
    try:
        record = read_answers_or_marks_file(str(record_path))
    except (BadInput, Unreadable):
        return is_missing and not record_path.exists()
    is_same = is_missing or record.get("table") == sha256(table_path.read_bytes()).hexdigest()
    return is_same and record.get("type") == "scan"


def scan_record_json(scan: ScanResult, readings: Sequence[PageReading], manifest: Manifest, table_bytes: bytes) -> str:
    """The record of a scan as JSON: each page with its readings, the open rows, and written answers as pictures;
    readings and decisions are separate. `table_bytes` is the response table in bytes."""
    content: dict[str, Any] = {
        "v": 1,
        "type": "scan",
        "exam": manifest.exam_code,
        "digest": manifest.bank_digest,
        "table": sha256(table_bytes).hexdigest(),
        "pages": [
            {
                "file": page.file_name,
                "page": page.page_number_in_file,
                "code": page.code.text() if page.code else None,
                "why": page.failure_reason,
                "id": page.candidate_id_reading.answer if page.candidate_id_reading else None,
                "rows": [[r.item_or_id, r.answer, r.doubt_reason, list(r.bubble_inks)] for r in page.row_readings],
                "answers": [a.answer_code.text() for a in page.answer_pictures],
            }
            for page in readings
        ],
        "faults": scan.fault_lines,
        "notes": scan.note_lines,
        "open": [one.json_fields() for one in scan.undecided_readings],
        "answers": [
            {
                "candidate": one.candidate_key,
                "form": one.manifest_form["code"],
                "n": number,
                "ref": answer.answer_code.item_code,
                "cut": answer.is_cut_off,
                "image": base64.b64encode(answer.jpeg).decode("ascii"),
            }
            for one in scan.candidate_pages
            for number, answer in sorted(one.answer_picture_by_item_number.items())
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def decision_page_html(scan: ScanResult, manifest: Manifest, command: str) -> str:
    """The page on which a person decides the open rows, first by reason, then by sheet. What it saves includes the
    decisions that were used, so that the newest file is enough."""

    def place(one: UndecidedReading) -> tuple[int, str, str, int]:
        item_number = int(one.item_number_text) if one.item_number_text.isdigit() else 0
        return ("id", "choice", "numeric").index(one.item_kind_or_id), one.doubt_reason, one.candidate_key, item_number

    rows = []
    for one in sorted(scan.undecided_readings, key=place):
        images = [base64.b64encode(picture).decode("ascii") for picture in one.picture_jpegs]
        rows.append({**one.json_fields(), "read": one.proposed_answer, "letters": one.option_letters, "images": images})
    title, decisions = f"Scanned sheets to check, exam {manifest.exam_code}", scan.used_decision_by_key
    data = {"title": title, "exam": manifest.exam_code, "command": command, "open": rows, "used": decisions}
    return render_data_page_html("scan_check.html", "js/scan_check.js", data)
