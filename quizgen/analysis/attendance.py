"""Who sat an exam and how, and the unresolved issues that a person must answer before a grade is final.

Pure functions. A sitting is one answers file or one row of a sheet; `attendances_and_unscored_file_reasons` compares
the sittings with the roster. Facts (a clock that went back, time away) are reported without effect; unresolved issues
hold back the candidate's grade."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from quizgen.model import ZERO, ScoreBand, highest_reached_band
from quizgen.scoring.exam_answers import DAMAGED_FILE_FAULT, ExamSitting, RosterEntry


@dataclass(frozen=True, slots=True)
class LateRule:
    """The rule for late answers: `ignore`, `exclude`, or `deduct` a share of the possible points for each started block
    of `late_block_minutes`. If `action_word` is empty, no rule was chosen."""

    action_word: str = ""
    block_deduction_share_of_possible: Fraction = ZERO
    late_block_minutes: Fraction = Fraction(1)

    def points_deducted_if_late(self, late_seconds: float, earned: Fraction, possible: Fraction) -> Fraction:
        """The points to deduct from `earned`: a share of `possible` for each started block of lateness."""
        block_count = ceil(Fraction(round(late_seconds * 1000), 1000) / (60 * self.late_block_minutes))
        return min(max(earned, ZERO), block_count * self.block_deduction_share_of_possible * possible)


@dataclass(frozen=True, slots=True)
class Grade:
    """Points as scored, the deduction for lateness, and the points after it (`final_points_unless_held`; None while the
    candidate is held)."""

    earned: Fraction
    possible: Fraction
    deducted_points: Fraction = ZERO
    final_points_unless_held: Fraction | None = None
    band_name: str = ""
    grade_name: str = ""  # from the grade scale


@dataclass(frozen=True, slots=True)
class Attendance:
    """One candidate at an exam, by the id or, without one, the name on the roster (or as typed, if on no roster). A
    candidate with `unresolved_issues` is held."""

    id_or_name: str
    roster_entry: RosterEntry | None
    form_code: str = ""
    paper_or_screen: str = ""
    late_seconds: float = 0
    away_seconds: float = 0
    clock_set_back_seconds: float = 0
    clock_set_forward_seconds: float = 0
    closed_seconds: float = 0
    reopened_count: int = 0
    unresolved_issues: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_absent: bool = False

    @property
    def present_absent_or_held(self) -> str:
        return "absent" if self.is_absent else "held" if self.unresolved_issues else "present"

    @property
    def label(self) -> str:
        name = self.roster_entry.name if self.roster_entry and self.roster_entry.name != self.id_or_name else ""
        return f"{self.id_or_name} ({name})" if name else self.id_or_name

    def grade_for_points(
        self, earned: Fraction, possible: Fraction, late_rule: LateRule, *scales: Sequence[ScoreBand]
    ) -> Grade:
        """The grade for `earned` of `possible` points; `scales` are the bands and the grade scale."""
        deduction = late_rule.points_deducted_if_late(self.late_seconds, earned, possible)
        if self.present_absent_or_held != "present":
            return Grade(earned, possible, deduction)
        share = (earned - deduction) / possible if possible else None
        bands = [highest_reached_band(share, scale) for scale in scales] if share is not None else []
        return Grade(earned, possible, deduction, earned - deduction, *(one.name if one else "" for one in bands))

    def fact_sentences(self) -> Iterator[str]:
        """Yields lateness, unless it is an unresolved issue, and other facts as sentences."""
        lateness = f"{_duration_text(self.late_seconds)} late"
        if self.late_seconds and not any(question.startswith(lateness) for question in self.unresolved_issues):
            yield lateness
        if self.clock_set_back_seconds:
            yield f"clock went back by {_duration_text(self.clock_set_back_seconds)}"
        if self.clock_set_forward_seconds:
            yield f"clock went forward by {_duration_text(self.clock_set_forward_seconds)}"
        if self.away_seconds:
            yield f"{_duration_text(self.away_seconds)} in other windows"
        if self.reopened_count:
            reopening = f"reopened {self.reopened_count} times" if self.reopened_count > 1 else "reopened once"
            yield reopening + (f", closed for {_duration_text(self.closed_seconds)}" if self.closed_seconds else "")
        yield from self.notes


def attendances_and_unscored_file_reasons(
    roster: Sequence[RosterEntry],
    sittings: Sequence[ExamSitting],
    late_rule: LateRule,
    candidates_released_by_hand: Collection[str] = (),
) -> tuple[tuple[Attendance, ...], dict[str, str]]:
    """The attendance of each candidate on the roster or in the sittings, by number, then by name; and the sources of
    sittings that are not scored, each with the reason."""
    entry_by_candidate = {p.roster_key: p for p in roster}
    sittings_by_candidate: dict[str, list[ExamSitting]] = {}
    for sitting in sittings:
        sittings_by_candidate.setdefault(sitting.id_or_name, []).append(sitting)
    # Facts of which a candidate's sittings are summed.
    fields = ("away_seconds", "clock_set_back_seconds", "clock_set_forward_seconds", "closed_seconds", "reopened_count")
    reasons_by_unscored_file: dict[str, str] = {}
    rows = []
    for candidate in [*entry_by_candidate, *sorted(sittings_by_candidate.keys() - entry_by_candidate)]:
        entry, candidate_sittings = entry_by_candidate.get(candidate), sittings_by_candidate.get(candidate, [])
        notes = list(_notes_on_unscored_files(candidate_sittings, reasons_by_unscored_file))
        if not (scored_sittings := [s for s in candidate_sittings if s.source_path not in reasons_by_unscored_file]):
            rows.append(Attendance(candidate, entry, notes=tuple(notes), is_absent=True))
            continue
        late_seconds = max(_seconds_after_deadline_or_zero(sitting, entry) for sitting in scored_sittings)
        questions = dict.fromkeys(_unresolved_issues(scored_sittings, entry, bool(roster), late_seconds, late_rule))
        notes += dict.fromkeys(note for sitting in scored_sittings for note in sitting.notes)
        if candidate in candidates_released_by_hand:
            notes += (f"released by hand: {question}" for question in questions)
            questions = {}
        paper_or_screen = "paper" if scored_sittings[-1].is_on_paper else "screen"
        facts = {name: sum(getattr(sitting, name) for sitting in scored_sittings) for name in fields}
        facts |= {"unresolved_issues": tuple(questions), "notes": tuple(notes)}
        rows.append(Attendance(candidate, entry, scored_sittings[-1].form_code, paper_or_screen, late_seconds, **facts))
    return tuple(rows), reasons_by_unscored_file


def _notes_on_unscored_files(sittings: list[ExamSitting], reasons_by_unscored_file: dict[str, str]) -> Iterator[str]:
    """Yields facts about a candidate's files that are not scored (practice editions, copies, and damaged files beside a
    good one), and adds the reasons to `reasons_by_unscored_file`."""
    for sitting in sittings:
        if sitting.is_practice:
            reasons_by_unscored_file[sitting.source_path] = "a practice edition is never scored"
            yield f"handed in a practice edition ({sitting.source_file_name}), not scored"
    exam_sittings = [sitting for sitting in sittings if not sitting.is_practice]
    intact_sittings = [sitting for sitting in exam_sittings if sitting.faults != (DAMAGED_FILE_FAULT,)]
    for sitting in exam_sittings:
        if intact_sittings and sitting not in intact_sittings:
            reasons_by_unscored_file[sitting.source_path] = f"damaged; {intact_sittings[-1].source_file_name} is scored"
            yield f"a damaged copy ({sitting.source_file_name}), not counted"
    screen_sittings = [sitting for sitting in (intact_sittings or exam_sittings) if not sitting.is_on_paper]
    yield from _note_and_record_duplicates(screen_sittings, reasons_by_unscored_file)


def _note_and_record_duplicates(sittings: list[ExamSitting], reasons_by_unscored_file: dict[str, str]) -> Iterator[str]:
    """Yields facts about files that repeat the sitting of another file, or an earlier state of it, and adds the reasons
    to `reasons_by_unscored_file`."""
    oldest_first = sorted(sittings, key=lambda s: (s.revision_number, s.source_path))
    for place, one in enumerate(oldest_first, 1):
        sitting_key = one.start_epoch_seconds, one.form_code
        if newer := [s for s in oldest_first[place:] if (s.start_epoch_seconds, s.form_code) == sitting_key]:
            has_twin = any(s.responses_sha256 == one.responses_sha256 for s in newer)
            reason = "the same file twice" if has_twin else "an earlier copy"
            reasons_by_unscored_file[one.source_path] = f"{reason}: {newer[-1].source_file_name} is scored"
            yield f"{reason} ({one.source_file_name}), counted once"


def _unresolved_issues(
    sittings: list[ExamSitting], entry: RosterEntry | None, has_roster: bool, late_seconds: float, late_rule: LateRule
) -> Iterator[str]:
    """Yields the unresolved issues about a candidate's files and rows."""
    if len(sittings) > 1:
        kinds = "on paper and on screen" if len({one.is_on_paper for one in sittings}) > 1 else "in several files"
        yield f"responses {kinds} ({', '.join(one.source_file_name for one in sittings)}): which ones count?"
    if has_roster and entry is None:
        yield "not on the roster"
    for sitting in sittings:
        yield from _unresolved_issues_of_sitting(sitting, entry)
    if late_seconds and not late_rule.action_word:
        yield f"{_duration_text(late_seconds)} late: set a rule with --late"
    if late_seconds and late_rule.action_word == "exclude" and not all(s.has_responses_at_deadline for s in sittings):
        yield "late, and the file lacks the answers at the deadline"


def _unresolved_issues_of_sitting(sitting: ExamSitting, entry: RosterEntry | None) -> Iterator[str]:
    yield from sitting.faults
    if sitting.faults == (DAMAGED_FILE_FAULT,):
        return
    if not sitting.form_code:
        yield f"{sitting.source_file_name} is not a form of this exam"
    elif entry and entry.form_code and sitting.form_code != entry.form_code:
        yield f"has form {sitting.form_code}, but was given {entry.form_code}"
    if not sitting.is_on_paper and (sitting.has_times or entry):
        yield from _unresolved_issues_of_start_end_and_limit(sitting, entry)


def _unresolved_issues_of_start_end_and_limit(sitting: ExamSitting, entry: RosterEntry | None) -> Iterator[str]:
    start, deadline = sitting.start_epoch_seconds, sitting.deadline_epoch_seconds
    limit, roster_limit = sitting.allowed_minutes, entry.allowed_minutes if entry else None
    if sitting.finished_epoch_seconds is None:
        yield f"not finished: {sitting.source_file_name} is a copy saved on the way"
    elif start is None or sitting.finished_epoch_seconds < start:
        yield "started and finished do not fit each other"
    if start is not None and roster_limit is not None and limit != roster_limit:
        limit_text = "no time limit" if limit is None else f"{limit:g} minutes"
        yield f"had {limit_text}, the roster gives {roster_limit:g}"
    elif start is not None and limit is not None and abs((deadline or 0) - start - 60 * limit) > 2:
        yield "the deadline does not follow from the start"


def _seconds_after_deadline_or_zero(sitting: ExamSitting, entry: RosterEntry | None) -> float:
    """The seconds from the deadline (by the roster's minutes, if it has any) to the last change; 0 if in time."""
    deadline = sitting.deadline_epoch_seconds
    if entry and entry.allowed_minutes is not None and sitting.start_epoch_seconds is not None:
        deadline = sitting.start_epoch_seconds + 60 * entry.allowed_minutes
    if deadline is None or sitting.last_change_epoch_seconds is None:
        return 0
    return max(0.0, round(sitting.last_change_epoch_seconds - deadline, 1))


def _duration_text(seconds: float) -> str:
    """A duration such as `75 s`, `12 min` or `1 h 5 min`."""
    if seconds < 120:
        return f"{seconds:g} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"
