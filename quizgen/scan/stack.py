"""Turns a stack of pages in any order into one response for each item: who handed in which pages, and what is wrong."""

from __future__ import annotations

import base64
import csv
import io
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from quizgen.answer_areas import LETTERS, UNREAD_CELL
from quizgen.render.html import render_data_page
from quizgen.scan.answers import NO_PAGE_CODE_REASON, AnswerPicture, PageReading, RowReading, sheet_items_of
from quizgen.scoring.exam_answers import Manifest, read_answers_file
from quizgen.scoring.log_lines import BadInput
from quizgen.sheet_layout import PageCode
from quizgen.source.problems import Unreadable
from quizgen.spreadsheet import escape_cell

MISSING_PAGE_FAULT = "a page of the answer sheet is missing"


@dataclass(frozen=True, slots=True)
class UndecidedReading:
    """A reading of letters, a number or an ID that a person must decide by its picture. `key` identifies it in a file
    of decisions; `read` is our proposal."""

    key: str
    kind: str  # choice, numeric, text, id
    who: str
    item: str
    why: str
    pictures: tuple[bytes, ...]
    read: str = ""
    letters: str = ""


@dataclass(slots=True)
class CandidatePages:
    """The pages that one candidate handed in of one form: the sheets' pages by their number, and by the items' numbers
    the cells of the table of responses and the written answers. `number` is the candidate's on the roster; 0: none."""

    who: str
    form: Mapping[str, Any]
    number: int
    pages_by_number: dict[int, PageReading] = field(default_factory=dict)
    cells: dict[int, str] = field(default_factory=dict)
    answers: dict[int, AnswerPicture] = field(default_factory=dict)


@dataclass(slots=True)
class ScanResult:
    """The pages of all candidates. `open`: readings that a person must decide; `faults` need a person, too; `notes` are
    only information; `used_keys`: the keys of the decisions that were used."""

    handed: list[CandidatePages] = field(default_factory=list)
    open: list[UndecidedReading] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    used_keys: set[str] = field(default_factory=set)


def sort_pages(
    pages: Iterable[PageReading],
    manifest: Manifest,
    decisions: Mapping[str, str],
    other_candidates: Collection[str] = (),
) -> ScanResult:
    """The pages sorted by candidate. `decisions` has a person's readings by the keys of rows that an earlier run left
    open; candidates in `other_candidates` sat the exam in another way and are not missing."""
    sorter = _Sorter(manifest, decisions)
    codeless = [page.place for page in pages if not sorter.sort_page(page)]
    scan = sorter.scan
    scan.handed += sorted(sorter.handed.values(), key=lambda h: (h.number, h.who))
    written = any(one.answers for one in scan.handed)
    for one in scan.handed:
        sorter.fill_cells(one, written)
    complete = _compare_with_roster(scan, manifest, other_candidates)
    if codeless:
        shown = "; ".join(codeless[:20]) + (" …" if len(codeless) > 20 else "")
        what = f"{len(codeless)} page{'s' * (len(codeless) > 1)} without a readable code ({shown})"
        reason = f"{what}: covers and pages of items with options have none"
        if complete:
            scan.notes.append(f"{reason}, and no sheet is missing")
        else:
            scan.faults.append(f"{reason}, but sheets are missing: look for them")
    return scan


class _Sorter:
    """Sorts the pages of one exam into `scan`; `handed` has what each candidate handed in of each form."""

    def __init__(self, manifest: Manifest, decisions: Mapping[str, str]) -> None:
        self.manifest, self.decisions, self.scan = manifest, decisions, ScanResult()
        self.handed: dict[tuple[str, str], CandidatePages] = {}
        self.people = {entry.number: who for who, entry in manifest.roster.items()}
        self.items = {str(i["ref"]): (form, i) for form in manifest.forms.values() for i in form["items"]}

    def sort_page(self, page: PageReading) -> bool:
        """Adds a page to its candidate's, or reports what is wrong with it. False if it has no readable code."""
        if page.why == NO_PAGE_CODE_REASON:
            return False
        if page.why:
            self.scan.faults.append(f"{page.place}: not read: {page.why}")
        elif page.code is not None:
            who = self._candidate_of(page, page.code)
            form = self.manifest.find_form(page.code.form)
            if who and form is not None:
                self._add_sheet(self._pages_of(who, form, page.code.candidate), page, page.code)
        for answer in page.written_answers:
            form, item = self.items.get(answer.code.item_code, ({}, {}))
            who = self.people.get(answer.code.candidate, "")
            if who and item:
                self._add_answer(self._pages_of(who, form, answer.code.candidate), item["n"], answer, page)
                continue
            why = "a written answer of another exam"
            if item:
                number = answer.code.candidate
                unknown = f"number {number}, which is not on the roster" if number else "no name"
                why = f"the answer to item {item['n']} is of a form with {unknown}"
            self.scan.faults.append(f"{page.place}: {why}")
        return True

    def _pages_of(self, who: str, form: Mapping[str, Any], number: int) -> CandidatePages:
        return self.handed.setdefault((who, str(form["code"])), CandidatePages(who, form, number))

    def _candidate_of(self, page: PageReading, code: PageCode) -> str:
        """The candidate of a sheet, by its number or else the ID in its grid; empty if unknown."""
        if not code.candidate:
            return self._candidate_of_id_grid(page)
        who = self.people.get(code.candidate, "")
        if not who or self.manifest.roster[who].form != code.form:
            what = f"number {code.candidate} with form {code.form}"
            self.scan.faults.append(f"{page.place}: not on the roster: {what}")
            return ""
        return who

    def _candidate_of_id_grid(self, page: PageReading) -> str:
        """The candidate of a sheet without a name, by the ID in its grid or a person's decision; empty if unknown."""
        assert page.id_reading is not None
        key, roster = f"{page.file}#{page.number}:id", self.manifest.roster
        decision = self._decision(key)
        if decision == "":
            self.scan.notes.append(f"{page.place}: nobody's sheet, by a person's decision")
            return ""
        typed = decision or page.id_reading.answer
        same = [who for who in roster if who.casefold() == typed.casefold()] if roster else [typed]
        doubt = "" if decision else page.id_reading.doubt
        if not doubt and len(same) != 1:
            doubt = f"“{typed}” is not on the roster"
        if doubt:
            pictures, answer = (page.pictures["id"],), page.id_reading.answer
            self.scan.open.append(UndecidedReading(key, "id", "", "ID", doubt, pictures, answer))
            self.scan.faults.append(f"{page.place}: whose sheet is this? {doubt}")
            return ""
        return same[0]

    def _decision(self, key: str) -> str | None:
        """A person's decision, which then is a used one; None if there is none."""
        if key in self.decisions:
            self.scan.used_keys.add(key)
        return self.decisions.get(key)

    def _add_sheet(self, owner: CandidatePages, page: PageReading, code: PageCode) -> None:
        """Adds the rows of a sheet's page. If a page comes twice with the same readings, it counts once; if the
        readings differ, a person must decide."""
        before = owner.pages_by_number.setdefault(code.page, page)
        if before is page:
            return
        other = {row.name: (row.answer, row.doubt) for row in before.rows}
        differ = [row.name for row in page.rows if (row.answer, row.doubt) != other[row.name]]
        message = f"{page.place}: {owner.who}: page {code.page} of the answer sheet twice (also {before.place})"
        if not differ:
            self.scan.faults.append(f"{message}, read the same and counted once")
            return
        self.scan.faults.append(f"{message}, read differently: {_item_numbers_text(differ)}")
        doubt = "scanned twice, not alike"
        rows = tuple(replace(row, doubt=doubt) if row.name in differ else row for row in before.rows)
        owner.pages_by_number[code.page] = replace(before, rows=rows, pictures={**page.pictures, **before.pictures})

    def _add_answer(self, owner: CandidatePages, number: int, answer: AnswerPicture, page: PageReading) -> None:
        """Adds the picture of the written answer to item `number`; of two pictures the first one counts."""
        about = f"{page.place}: {owner.who}: the answer to item {number}"
        if number in owner.answers:
            self.scan.faults.append(f"{about} again; the first one counts")
            return
        owner.answers[number] = answer
        if answer.is_cut_off:
            self.scan.notes.append(f"{about} begins on an earlier page")

    def fill_cells(self, owner: CandidatePages, has_written_answers: bool) -> None:
        """Fills a candidate's cell for each item with the decision, the reading, or UNREAD_CELL, and reports what is
        missing. `has_written_answers`: some candidate handed in written answers, so that their lack is a fault."""
        rows = {int(row.name): (row, page) for page in owner.pages_by_number.values() for row in page.rows}
        unread: list[int] = []
        unwritten: list[int] = []
        for item in owner.form["items"]:
            number, choice = int(item["n"]), bool(item.get("options"))
            printed, answer = rows.get(number) if choice else None, owner.answers.get(number)
            key = _decision_key(owner, number, printed[1] if printed else None)
            decision = self._decision(key)
            owner.cells[number] = UNREAD_CELL
            if decision is not None:
                owner.cells[number] = decision
            elif printed is not None:
                self._store_row(owner, key, *printed, LETTERS[: len(item["options"])])
            elif answer is not None and item["kind"] == "numeric":
                why, pictures = "a number to type in", (answer.picture,)
                self.scan.open.append(UndecidedReading(key, "numeric", owner.who, str(number), why, pictures))
            elif choice:
                unread.append(number)
            elif answer is None and has_written_answers:
                unwritten.append(number)
        for what, numbers in ((MISSING_PAGE_FAULT, unread), ("written answers are missing", unwritten)):
            if numbers:
                self.scan.faults.append(f"{owner.who} ({owner.form['code']}): {what}: {_item_numbers_text(numbers)}")

    def _store_row(self, owner: CandidatePages, key: str, row: RowReading, page: PageReading, letters: str) -> None:
        """Stores the reading of a row of bubbles as the candidate's cell or, if it is doubtful, among the open rows."""
        if not row.doubt:
            owner.cells[int(row.name)] = row.answer
            return
        pictures = tuple(filter(None, (page.pictures.get(row.name),)))
        reading = UndecidedReading(key, "choice", owner.who, row.name, row.doubt, pictures, row.answer, letters)
        self.scan.open.append(reading)


def _decision_key(owner: CandidatePages, number: int, page: PageReading | None) -> str:
    """The key of item `number` in a file of decisions. A sheet without a candidate's number is known by its page."""
    source = f"{page.file}#{page.number}" if page and not owner.number else owner.form["code"]
    return f"{source}:{owner.number:04d}:{number}"


def _item_numbers_text(numbers: Sequence[int | str]) -> str:
    """`item 3`, or `items 3, 4`."""
    return f"item{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"


def _compare_with_roster(scan: ScanResult, manifest: Manifest, other_candidates: Collection[str]) -> bool:
    """Reports candidates on the roster who handed in nothing, or sheets of two forms. Returns whether no sheet
    is missing."""
    forms: dict[str, list[str]] = {}
    for one in scan.handed:
        forms.setdefault(one.who, []).append(str(one.form["code"]))
    for who, codes in forms.items():
        if len(codes) > 1:
            scan.faults.append(f"{who}: pages of {' and '.join(codes)}")
    complete = not any(MISSING_PAGE_FAULT in fault for fault in scan.faults)
    for who, entry in manifest.roster.items():
        if who not in {*forms, *other_candidates} and sheet_items_of(manifest.find_form(entry.form) or {"items": ()}):
            scan.faults.append(f"{who} ({entry.form}): missing: nothing was scanned")
            complete = False
    return complete


# The results of a scan: the sheet of responses, the record of the scan, and the page of open rows.


def response_table(scan: ScanResult) -> str:
    """The responses as the CSV that `score --sheet` reads."""
    numbers = sorted({number for one in scan.handed for number in one.cells})
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["candidate", "form", *numbers])
    for one in scan.handed:
        row = [escape_cell(one.who), str(one.form["code"]), *(escape_cell(one.cells.get(n, "")) for n in numbers)]
        table.writerow(row)
    return out.getvalue()


def is_unedited(table: Path) -> bool:
    """Whether a table is as a scan wrote it, according to the record beside it: an edited table must not be
    overwritten."""
    try:
        digest = read_answers_file(str(table.with_suffix(".json"))).get("table")
    except (BadInput, Unreadable):
        return False
    return digest == sha256(table.read_bytes()).hexdigest()


def scan_record(scan: ScanResult, pages: Sequence[PageReading], manifest: Manifest, table: bytes) -> str:
    """The record of a scan as JSON: each page with its readings, the open rows, and written answers as pictures;
    readings and decisions are separate. `table` is the response table in bytes."""
    content: dict[str, Any] = {
        "v": 1,
        "type": "scan",
        "exam": manifest.exam,
        "digest": manifest.digest,
        "table": sha256(table).hexdigest(),
        "pages": [
            {
                "file": page.file,
                "page": page.number,
                "code": page.code.text() if page.code else None,
                "why": page.why,
                "id": page.id_reading.answer if page.id_reading else None,
                "rows": [[r.name, r.answer, r.doubt, list(r.ink)] for r in page.rows],
                "answers": [a.code.text() for a in page.written_answers],
            }
            for page in pages
        ],
        "faults": scan.faults,
        "notes": scan.notes,
        "open": [{"key": o.key, "kind": o.kind, "candidate": o.who, "item": o.item, "why": o.why} for o in scan.open],
        "answers": [
            {
                "candidate": one.who,
                "form": one.form["code"],
                "n": number,
                "ref": answer.code.item_code,
                "cut": answer.is_cut_off,
                "image": base64.b64encode(answer.picture).decode("ascii"),
            }
            for one in scan.handed
            for number, answer in sorted(one.answers.items())
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def decision_page(scan: ScanResult, manifest: Manifest, command: str) -> str:
    """The page on which a person decides the open rows, first by reason, then by sheet."""
    order = {"id": 0, "choice": 1, "numeric": 2}
    rows = [
        {name: getattr(o, name) for name in ("key", "kind", "who", "item", "why", "read", "letters")}
        | {"images": [base64.b64encode(picture).decode("ascii") for picture in o.pictures]}
        for o in sorted(scan.open, key=lambda o: (order[o.kind], o.why, o.who, int(o.item) if o.item.isdigit() else 0))
    ]
    title = f"Scanned sheets to check, exam {manifest.exam}"
    data = {"title": title, "exam": manifest.exam, "command": command, "open": rows}
    return render_data_page("scan_check.html", "js/scan_check.js", data)
