"""Who sat an exam and how, and the open questions that a person must answer before a grade is final.

Pure functions. A sitting is one answers file or one row of a sheet; `attendance_of` compares the sittings with the
roster. Facts (a clock that went back, time away) are reported without effect; checks are open questions, and hold back
the candidate's grade."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from quizgen.model import ZERO, Band, highest_band
from quizgen.scoring.exam_answers import DAMAGED_FILE, ExamSitting, RosterEntry


@dataclass(frozen=True, slots=True)
class LateRule:
    """The rule for late answers: `ignore`, `exclude`, or `deduct` a share of the possible points for each started block
    of `minutes`. If `word` is empty, no rule was chosen."""

    word: str = ""
    share: Fraction = ZERO
    minutes: Fraction = Fraction(1)

    def deduction(self, late: float, raw: Fraction, possible: Fraction) -> Fraction:
        started = ceil(Fraction(round(late * 1000), 1000) / (60 * self.minutes))
        return min(max(raw, ZERO), started * self.share * possible)


@dataclass(frozen=True, slots=True)
class Grade:
    """Points as scored, the deduction for lateness, and the `final` points (None while the candidate is held)."""

    raw: Fraction
    possible: Fraction
    deduction: Fraction = ZERO
    final: Fraction | None = None
    band: str = ""
    grade: str = ""  # from the grade scale


@dataclass(frozen=True, slots=True)
class Attendance:
    """One candidate. `status` is present, absent or held; a candidate with `checks` is held."""

    who: str
    person: RosterEntry | None
    form: str = ""
    source: str = ""
    late: float = 0
    away: float = 0
    back: float = 0
    forward: float = 0
    closed: float = 0
    restores: int = 0
    checks: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    absent: bool = False

    @property
    def status(self) -> str:
        return "absent" if self.absent else "held" if self.checks else "present"

    @property
    def label(self) -> str:
        name = self.person.name if self.person and self.person.name != self.who else ""
        return f"{self.who} ({name})" if name else self.who

    def grade(
        self, raw: Fraction, possible: Fraction, late: LateRule, bands: Sequence[Band], grades: Sequence[Band] = ()
    ) -> Grade:
        deduction = late.deduction(self.late, raw, possible)
        if self.status != "present":
            return Grade(raw, possible, deduction)
        reached = [highest_band((raw - deduction) / possible, scale) if possible else None for scale in (bands, grades)]
        band, grade = (one.name if one else "" for one in reached)
        return Grade(raw, possible, deduction, raw - deduction, band, grade)

    def facts(self) -> Iterator[str]:
        """Yields lateness and other facts as sentences."""
        if self.late:
            yield f"{_duration_text(self.late)} late"
        if self.back:
            yield f"clock went back by {_duration_text(self.back)}"
        if self.forward:
            yield f"clock went forward by {_duration_text(self.forward)}"
        if self.away:
            yield f"{_duration_text(self.away)} in other windows"
        if self.restores:
            again = f"reopened {self.restores} times" if self.restores > 1 else "reopened once"
            yield again + (f", closed for {_duration_text(self.closed)}" if self.closed else "")
        yield from self.notes


def attendance_of(
    people: Sequence[RosterEntry], sittings: Sequence[ExamSitting], late: LateRule, released: Collection[str] = ()
) -> tuple[tuple[Attendance, ...], dict[str, str]]:
    """The attendance of each candidate on the roster or in the sittings, by number, then by name; and the sources of
    sittings that are not scored, each with the reason."""
    known = {p.key: p for p in people}
    found: dict[str, list[ExamSitting]] = {}
    for one in sittings:
        found.setdefault(one.who, []).append(one)
    left_out: dict[str, str] = {}
    rows = []
    for who in [*known, *(w for w in sorted(found) if w not in known)]:
        row = _attendance_row(who, known.get(who), found.get(who, []), late, left_out, listed=bool(people))
        if who in released and row.checks:
            row = replace(row, checks=(), notes=(*row.notes, *(f"released by hand: {c}" for c in row.checks)))
        rows.append(row)
    return tuple(rows), left_out


def _attendance_row(
    who: str,
    person: RosterEntry | None,
    all_of: list[ExamSitting],
    late: LateRule,
    left_out: dict[str, str],
    listed: bool,
) -> Attendance:
    notes = list(_facts_of_unscored_files(all_of, left_out))
    ours = [one for one in all_of if one.source not in left_out or (one.paper and not one.practice)]
    if not ours:
        return Attendance(who, person, notes=tuple(notes), absent=True)
    behind = max(_lateness(one, person) for one in ours)
    checks = [*_open_questions(ours, person, listed), *_lateness_questions(ours, behind, late)]
    notes += ["an earlier sitting of this form was cleared from the device"] * any(one.cleared for one in ours)
    notes += ["open in two windows at once"] * any(one.windows for one in ours)
    return Attendance(
        who,
        person,
        ours[-1].form,
        "paper" if ours[-1].paper else "screen",
        behind,
        sum(one.away for one in ours),
        sum(one.back for one in ours),
        sum(one.forward for one in ours),
        sum(one.closed for one in ours),
        sum(one.restores for one in ours),
        tuple(dict.fromkeys(checks)),
        tuple(notes),
    )


def _facts_of_unscored_files(all_of: list[ExamSitting], left_out: dict[str, str]) -> Iterator[str]:
    """Yields facts about a candidate's files that are not scored (practice editions, copies, and damaged files beside a
    good one), and adds the reasons to `left_out`."""
    for one in all_of:
        if one.practice:
            left_out[one.source] = "a practice edition is never scored"
            yield f"handed in a practice edition ({one.file}), not scored"
    ours = [one for one in all_of if not one.practice]
    good = [one for one in ours if one.faults != (DAMAGED_FILE,)]
    for one in ours:
        if good and one not in good:
            left_out[one.source] = f"damaged; {good[-1].file} is scored"
            yield f"a damaged copy ({one.file}), not counted"
    yield from _facts_of_copies([one for one in (good or ours) if not one.paper], left_out)


def _facts_of_copies(sat: list[ExamSitting], left_out: dict[str, str]) -> Iterator[str]:
    """Yields facts about files that repeat the sitting of another file, or an earlier state of it, and adds the reasons
    to `left_out`."""
    for one in sorted(sat, key=lambda s: (s.revision, s.source)):
        same, newer = _same_and_later(one, [s for s in sat if s.source not in left_out])
        if same or newer:
            what = "the same file twice" if same else "an earlier copy"
            left_out[one.source] = f"{what}: {(same or newer)[-1].file} is scored"
            yield f"{what} ({one.file}), counted once"


def _same_and_later(one: ExamSitting, sat: list[ExamSitting]) -> tuple[list[ExamSitting], list[ExamSitting]]:
    """Other files of the same sitting: those with the same content, and those that were saved later."""
    others = [s for s in sat if s is not one and (s.started, s.form) == (one.started, one.form)]
    same = [s for s in others if s.responses == one.responses]
    return same, [s for s in others if (s.revision, s.source) > (one.revision, one.source)]


def _open_questions(ours: list[ExamSitting], person: RosterEntry | None, listed: bool) -> Iterator[str]:
    """Yields the open questions about a candidate's files and rows, except those that depend on time."""
    if len(ours) > 1:
        kinds = "on paper and on screen" if len({one.paper for one in ours}) > 1 else "in several files"
        yield f"responses {kinds} ({', '.join(one.file for one in ours)}): which ones count?"
    if listed and person is None:
        yield "not on the roster"
    for one in ours:
        yield from _form_questions(one, person)


def _lateness_questions(ours: list[ExamSitting], behind: float, late: LateRule) -> Iterator[str]:
    if behind and not late.word:
        yield f"{_duration_text(behind)} late: set a rule with --late"
    if behind and late.word == "exclude" and not all(one.kept for one in ours):
        yield "late, and the file lacks the answers at the deadline"


def _form_questions(one: ExamSitting, person: RosterEntry | None) -> Iterator[str]:
    yield from one.faults
    if one.faults == (DAMAGED_FILE,):
        return
    if not one.form:
        yield f"{one.file} is not a form of this exam"
    elif person and person.form and one.form != person.form:
        yield f"has form {one.form}, but was given {person.form}"
    if not one.paper and (one.timed or person):
        yield from _time_questions(one, person)


def _time_questions(one: ExamSitting, person: RosterEntry | None) -> Iterator[str]:
    if one.finished is None:
        yield f"not finished: {one.file} is a copy saved on the way"
    elif one.started is None or one.finished < one.started:
        yield "started and finished do not fit each other"
    if one.started is None:
        return
    if person and person.minutes is not None and one.minutes != person.minutes:
        had = "no time limit" if one.minutes is None else f"{one.minutes:g} minutes"
        yield f"had {had}, the roster gives {person.minutes:g}"
    elif one.minutes is not None and abs((one.deadline or 0) - one.started - 60 * one.minutes) > 2:
        yield "the deadline does not follow from the start"


def _lateness(one: ExamSitting, person: RosterEntry | None) -> float:
    """The seconds from the deadline (by the roster's minutes, if it has any) to the last change; 0 if in time."""
    deadline = one.deadline
    if person and person.minutes is not None and one.started is not None:
        deadline = one.started + 60 * person.minutes
    if deadline is None or one.changed is None:
        return 0
    return max(0.0, round(one.changed - deadline, 1))


def _duration_text(seconds: float) -> str:
    """A duration such as `75 s`, `12 min` or `1 h 5 min`."""
    if seconds < 120:
        return f"{seconds:g} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
