"""The roster of an exam: a CSV file of candidates, with extra time if granted.

Columns: `name` (required), `id`, `extra_time` (`25%` or minutes) and `form` (A, B …; without it forms are dealt in
turn, so that neighbours on the list have different ones); `email`, for grade lists; `large_print` (yes or no) and
`paper` (a4 or letter) for a special print. A list of participants that Moodle exported, in English or German, works
too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from quizgen.model import MAX_FORM_MINUTES
from quizgen.source.problems import Problem, ProblemCollector, did_you_mean, read_decimal, shorten
from quizgen.spreadsheet import NumberedRows

ROSTER_COLUMN_NAMES = ("name", "id", "extra_time", "form", "email", "large_print", "paper")
COLUMN_BY_MOODLE_HEADING = {  # headings of Moodle -> ours; columns with an empty name are ignored
    "full_name": "name", "vollstandiger_name": "name",
    "first_name": "first_name", "vorname": "first_name",
    "last_name": "last_name", "surname": "last_name", "nachname": "last_name",
    "id_number": "id", "idnumber": "id", "student_id": "id", "id-nummer": "id", "matrikelnummer": "id",
    "email_address": "email", "e-mail": "email", "e-mail-adresse": "email",
    **dict.fromkeys((
        "username", "anmeldename", "institution", "department", "abteilung", "groups", "gruppen", "roles", "rollen",
        "country", "land", "city/town", "ort", "last_access", "last_access_to_course", "letzter_zugriff", "status",
        "letzter_kurszugriff"
    ), ""),
}  # fmt: skip
MAX_ROSTER_CANDIDATES = 100_000
MAX_ROSTER_CELL_CHARACTERS = 200
_FORBIDDEN_PATTERN = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffd\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Candidate:
    """One line of a roster. `extra_time_text` is as written (`25%`); `form_label` is empty if the line has none."""

    roster_number: int
    name: str
    id: str = ""
    extra_time_text: str = ""
    form_label: str = ""
    email: str = ""
    large_print: bool = False
    paper_size: str = ""  # a4, letter; empty: as in the exam

    def minutes_with_extra_time(self, exam_minutes: Fraction) -> Fraction:
        """The exam's minutes with this candidate's extra time, rounded up to whole minutes."""
        if (amount := read_extra_time_share_and_minutes(self.extra_time_text)) is None:  # none was granted
            return exam_minutes
        share, extra_minutes = amount
        return Fraction(-((-(exam_minutes * (1 + share) + extra_minutes)) // 1))


def read_extra_time_share_and_minutes(text: str) -> tuple[Fraction, Fraction] | None:
    """Extra time as (share of the exam's time, minutes), from `25%`, `15` or `15 min`; None if it cannot be read, as
    `0.25`, which a spreadsheet makes of 25 %."""
    text = text.strip().casefold()
    value, is_share = read_decimal(re.sub(r"\s*(%|minutes|min|m)$", "", text)), text.endswith("%")
    if value is None or not 0 <= value <= (900 if is_share else MAX_FORM_MINUTES) or (0 < value < 1 and not is_share):
        return None
    return (value / 100, Fraction(0)) if is_share else (Fraction(0), value)


def candidates_and_problems(
    rows: NumberedRows, path: str, form_labels: tuple[str, ...]
) -> tuple[tuple[Candidate, ...], tuple[Problem, ...]]:
    """The candidates in the rows of a sheet, each with its line, and all problems in them. `form_labels` are the labels
    of the exam's forms."""
    doc = ProblemCollector(path)
    if not rows:
        doc.report(1, 1, "the roster is empty", "begin with a line `name,id,extra_time`")
        return (), tuple(doc.problems)
    headings = ["_".join(name.casefold().replace("ä", "a").split()) for name in rows[0][1]]
    columns = [COLUMN_BY_MOODLE_HEADING.get(name, name) for name in headings]
    for index, name in enumerate(columns):
        if name not in (*ROSTER_COLUMN_NAMES, "first_name", "last_name", ""):
            hint = did_you_mean(name, ROSTER_COLUMN_NAMES) or f"known: {', '.join(ROSTER_COLUMN_NAMES)}"
            doc.report(1, index + 1, f'unknown column "{shorten(name)}"', hint)
    if not {"name", "last_name"} & set(columns):
        doc.report(1, 1, "no column `name`", "begin with a line `name,id,extra_time`")
    candidates = [] if doc.problems else _read_candidates(doc, rows[1:], columns, form_labels)
    if not candidates and not doc.problems:
        doc.report(1, 1, "the roster names nobody", "write one candidate a line")
    return tuple(candidates), tuple(doc.problems)


def _read_candidates(
    doc: ProblemCollector, rows: NumberedRows, columns: list[str], forms: tuple[str, ...]
) -> list[Candidate]:
    """A candidate for each line that can be read; a second line for the same person is reported."""
    candidates: list[Candidate] = []
    line_by_key: dict[str, int] = {}
    for line, row in rows:
        if not any(cell.strip() for cell in row):
            continue
        if any(row[len(columns) :]):
            doc.report(line, 1, "more cells than columns", "put a cell with a comma in quotes")
        if len(candidates) >= MAX_ROSTER_CANDIDATES:
            doc.report(line, 1, f"more than {MAX_ROSTER_CANDIDATES} candidates", "split the roster")
            break
        candidate = _read_candidate(doc, line, dict(zip(columns, row, strict=False)), len(candidates) + 1, forms)
        if candidate is None:
            continue
        # Responses and marks are matched by id, or by name for a candidate without an id.
        key = candidate.id or candidate.name
        if key in line_by_key:
            column, hint = ("id", "keep one line") if candidate.id else ("name", "give each of them an id")
            doc.report(line, 1, f'{column} "{shorten(key)}" is on line {line_by_key[key]} too', hint)
        line_by_key.setdefault(key, line)
        candidates.append(candidate)
    return candidates


def _read_candidate(
    doc: ProblemCollector, line: int, row: dict[str, str], number: int, form_labels: tuple[str, ...]
) -> Candidate | None:
    row["name"] = row.get("name") or f"{row.get('first_name', '')} {row.get('last_name', '')}"
    cells = {name: " ".join(row.get(name, "").split()) for name in ROSTER_COLUMN_NAMES}
    name, code, extra_time, form, email, large_print, paper = cells.values()
    problem_count, form, large_print, paper = len(doc.problems), form.upper(), large_print.casefold(), paper.casefold()
    if not name:
        doc.report(line, 1, "a candidate without a name", "write the name or delete the line")
    for column, text in cells.items():
        if len(text) > MAX_ROSTER_CELL_CHARACTERS or _FORBIDDEN_PATTERN.search(text):
            hint = f"at most {MAX_ROSTER_CELL_CHARACTERS} characters"
            doc.report(line, 1, f"{column} is too long or has control characters", hint)
    if extra_time and read_extra_time_share_and_minutes(extra_time) is None:
        doc.report(line, 1, f'extra time "{shorten(extra_time)}" cannot be read', "write 25% or 15 min")
    if form and form not in form_labels:
        doc.report(line, 1, f'no form "{shorten(form)}"', f"forms: {', '.join(form_labels[:6])}; see --forms")
    if large_print not in ("yes", "no", ""):
        doc.report(line, 1, f'large_print "{shorten(cells["large_print"])}" cannot be read', "write yes or no")
    if paper not in ("a4", "letter", ""):
        doc.report(line, 1, f'paper "{shorten(cells["paper"])}" cannot be read', "write a4 or letter")
    if len(doc.problems) > problem_count:
        return None
    return Candidate(number, name, code, extra_time, form, email, large_print == "yes", paper)
