"""A scored response: one response to one variant, its score, and its place in a log; and people's decisions, which
change scores: points set by hand, items dropped, responses accepted.

Every report reads `ScoredResponse`. Points are exact fractions; in a table they are whole numbers of a small unit, so
that sums do not depend on the order of rows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from quizgen import model
from quizgen.answer_areas import YET_UNREAD_CELL, fold_case_and_spaces
from quizgen.draw import SeededRng, short_public_code
from quizgen.model import ZERO, Item, Mark, Outcome, Response, Score, Variant
from quizgen.rubric.rubric import Rubric
from quizgen.source.problems import up_to_2_decimals

# A multiple of every denominator up to 16 and of a million; finer fractions round to 1e-12 points. Plain micro-points
# would make three thirds 0.999999.
UNITS_PER_POINT = 720_720_000_000


def points_in_units(points: Fraction) -> int:
    """Points in whole units, rounded half to even."""
    units, remainder = divmod(points.numerator * UNITS_PER_POINT, points.denominator)
    return round(points * UNITS_PER_POINT) if remainder else units


@dataclass(frozen=True, slots=True)
class ScoredResponse:
    """One response of a log with its score. `earned` and `possible` are the points that count (the session may have set
    its own), `line_number` is that in `file_name`, `answered_time_text` the time as logged. `score` has no marks if the
    run keeps no reasons, as for a matrix."""

    item_id: str
    topic: str
    response: Response | None
    score: Score
    earned: Fraction
    possible: Fraction
    file_name: str
    line_number: int
    session_id: str | None = None
    seconds: float | None = None
    answered_time_text: str | None = None

    @property
    def outcome(self) -> str:
        return self.score.outcome.value

    @property
    def is_not_yet_read_on_paper(self) -> bool:
        """Whether the response is on paper and still unread; a response typed on a screen has a time."""
        return self.response == YET_UNREAD_CELL and self.answered_time_text is None and self.seconds is None

    @property
    def response_text(self) -> str:
        """The response as one text."""
        return model.response_text(self.response)


def score_response(
    variant: Variant,
    response: Response,
    points: Fraction | None = None,
    hint_count: int = 0,
    earlier_response: Response | None = None,
) -> Score:
    """The score of a response to a variant out of `points` (None: the item's own), minus the cost of `hint_count`
    hints. `earlier_response` is the candidate's own response to the part before."""
    score = variant.score_given_earlier_response(response, earlier_response)
    score = score if points is None else model.scale_score(score, points)
    return score_with_outcome_by_points(model.deduct_hint_cost(score, hint_count)) if hint_count > 0 else score


def score_with_outcome_by_points(score: Score) -> Score:
    """The score with the outcome that follows from its marks."""
    earned, possible = score.earned, score.possible
    if possible == 0 or (earned == 0 and score.outcome in (Outcome.BLANK, Outcome.UNREADABLE)):
        return score
    return replace(score, outcome=Outcome.of_points(earned, possible))


def _points_as_json_fields(result: Mark | Score) -> dict[str, Any]:
    return {"earned": model.points_as_json(result.earned), "possible": model.points_as_json(result.possible)}


def score_as_json(item: str, score: Score) -> dict[str, Any]:
    """The score as the fields of a JSON line. Adjustments (a penalty, hints, a cap) are not among the criteria."""
    criteria = [
        {"id": mark.criterion_id, "status": mark.status, **_points_as_json_fields(mark)}
        | {"evidence": [list(span) for span in mark.evidence_spans], "because": mark.because}
        | ({} if mark.certainty is None else {"sure": round(mark.certainty, 3)})
        for mark in score.marks
        if mark.status
    ]
    fields = {"item": item, "outcome": score.outcome.value, **_points_as_json_fields(score), "read_as": score.read_as}
    fields |= {"diagnosis": score.mistake_id, "criteria": criteria, "say": list(score.remarks)}
    if any(mark.certainty is not None for mark in score.marks):
        fields["review"] = bool(score.review_reasons)
    adjustments = [
        {"id": mark.criterion_id, "earned": model.points_as_json(mark.earned), "because": mark.because}
        for mark in score.marks
        if not mark.status
    ]
    return fields | ({"adjustments": adjustments} if adjustments else {})


MAX_MARKING_PAGE_ROUNDING_ERROR = Fraction(1, 1000)  # a page writes a sum of thirds as a decimal


@dataclass(frozen=True, slots=True)
class Override:
    """A person's decision: points for one criterion of an item or, without a criterion, for the whole item.

    `criterion_id_or_number` is from the marking scheme; if `earned` is None, nothing is decided. `form_code` is the
    code of its form; it and `place_in_marks_file` may be empty. If `points_out_of` is set, the points are a share of
    the criterion's maximum: 3 out of 3 earns all of it."""

    criterion_id_or_number: str
    earned: Fraction | None
    reason: str
    place_in_marks_file: str = ""
    form_code: str = ""
    points_out_of: Fraction | None = None

    def points_earned_of_possible(self, possible: Fraction) -> Fraction:
        """The points that the decision gives if its criterion or item is worth `possible` points."""
        return (self.earned or ZERO) * (possible / self.points_out_of if self.points_out_of else 1)


def faults_of_overrides(score: Score, overrides: Sequence[Override], session: str | None = None) -> Iterator[str]:
    """Yields the reasons why decisions on one response cannot be applied, each with its place: an unknown criterion,
    too many points, another form, or two decisions that contradict each other."""
    first_by_criterion: dict[str | None, Override] = {}  # criterion -> first decision; None: the whole response
    form = session.partition("/")[0] if session else ""
    for override in overrides:
        mark = _mark_of_criterion_id_or_number(score, override.criterion_id_or_number)
        worth = (mark or score).possible
        points = override.points_earned_of_possible(worth)
        if override.form_code and form and form != override.form_code:
            text = f"the response is on form {form}, not {override.form_code}; fix the form"
        elif override.criterion_id_or_number and mark is None:
            ids = ", ".join(m.criterion_id for m in score.marks if m.possible > 0)
            text = f'no criterion "{override.criterion_id_or_number}"; there are: {ids}'
        elif override.earned is None:
            continue
        elif not 0 <= points <= worth:
            text = f"{up_to_2_decimals(points)} points are more than the {up_to_2_decimals(worth)} possible"
        else:
            rival = first_by_criterion.setdefault(mark.criterion_id if mark else None, override)
            amount = rival.points_earned_of_possible(worth)
            if points == amount:
                continue
            pair = f"points {up_to_2_decimals(points)}, and {up_to_2_decimals(amount)} in {rival.place_in_marks_file}"
            text = f"{pair}; two decisions on the same points disagree; keep one"
        yield f"{override.place_in_marks_file}: {text}"
    total = first_by_criterion.pop(None, None)
    for override in first_by_criterion.values():
        if total is not None and total.place_in_marks_file != override.place_in_marks_file:
            text = f"a criterion of a response that {total.place_in_marks_file} decides as a whole; keep one of the two"
            yield f"{override.place_in_marks_file}: {text}"


def maximum_mismatch_notes(score: Score, overrides: Sequence[Override]) -> Iterator[str]:
    """Yields a note for each decision whose maximum differs from the response's, such as `of 3, here 4`."""
    for override in overrides:
        worth = (_mark_of_criterion_id_or_number(score, override.criterion_id_or_number) or score).possible
        tick = override.criterion_id_or_number and override.points_out_of == 1
        if override.earned is not None and override.points_out_of is not None and not tick:
            maximum_text, worth_text = up_to_2_decimals(override.points_out_of), up_to_2_decimals(worth)
            if maximum_text != worth_text:
                yield f"of {maximum_text}, here {worth_text}"


def _mark_of_criterion_id_or_number(score: Score, criterion: str) -> Mark | None:
    """The mark of a criterion, by its id or else its number; None if there is none."""
    marks = [m for m in score.marks if m.possible > 0]
    mark = next((m for m in marks if m.criterion_id == criterion), None)
    if mark is None and criterion.isdecimal() and 0 < int(criterion) <= len(marks):
        return marks[int(criterion) - 1]
    return mark


def unmarked_criterion_ids(item: Item, overrides: Collection[Override]) -> list[str]:
    """The ids of an item's criteria on which no decision has points; empty if one with points is on the whole item."""
    score = item.draw(SeededRng(item.id, "")).score(YET_UNREAD_CELL)
    criteria = {one.criterion_id_or_number for one in overrides if one.earned is not None}
    marks = [_mark_of_criterion_id_or_number(score, criterion) for criterion in criteria]
    return [] if "" in criteria else [m.criterion_id for m in score.marks if m.possible > 0 and m not in marks]


def score_with_overrides(score: Score, overrides: Collection[Override], item: Item) -> Score:
    """The score after people's decisions, each with its reason: first those on criteria, then the one on the whole.
    Points stay between 0 and the maximum; the deduction for exceeding it is calculated again."""
    possible = score.possible
    for override in sorted(overrides, key=lambda one: not one.criterion_id_or_number):
        if override.earned is None:
            continue
        mark = _mark_of_criterion_id_or_number(score, override.criterion_id_or_number)
        points = override.points_earned_of_possible(mark.possible if mark else possible)
        note = f"set to {up_to_2_decimals(points)} by hand: {override.reason or 'no reason given'}"
        if mark is not None:
            marks = _marks_with_points_by_hand(score.marks, mark, points, note, item)
        elif override.criterion_id_or_number:
            continue
        else:
            difference = min(max(points, ZERO), possible) - score.earned
            has_criteria = any(other.criterion_id_or_number for other in overrides)  # the whole may be their sum
            is_sum = has_criteria and abs(difference) < MAX_MARKING_PAGE_ROUNDING_ERROR
            marks = (*score.marks, *([] if is_sum else [Mark("by-hand", difference, ZERO, note)]))
        score = _reviewed_score_with_marks(score, marks, possible)
    return score


def _marks_with_points_by_hand(
    marks: Sequence[Mark], mark: Mark, points: Fraction, note: str, item: Item
) -> tuple[Mark, ...]:
    """The marks after a person has set the `points` of one `mark`. The deductions for near misses and for caps of
    groups are calculated again."""
    status = "found" if points >= mark.possible else "missing" if points <= 0 else "partial"
    earned = min(max(points, ZERO), mark.possible)
    decided = replace(mark, earned=earned, because=note, status=status, is_found_in_part=False)
    outdated = {"full-marks", "floor", "group", "near"}
    left = [decided if m is mark else m for m in marks if m.possible or m.criterion_id not in outdated]
    return (*left, *_near_miss_deduction_without(mark, marks), *_group_cap_deductions(left, item))


def _near_miss_deduction_without(mark: Mark, marks: Sequence[Mark]) -> Iterator[Mark]:
    """Yields the deduction for near misses among the `marks` as it is once `mark`, which may be one, counts no more."""
    for deduction in marks:
        if deduction.criterion_id == "near" and not deduction.possible:
            points = deduction.earned + (mark.earned if mark.is_found_in_part else ZERO)
            if points < 0:
                yield replace(deduction, earned=points)


def _group_cap_deductions(marks: Sequence[Mark], item: Item) -> Iterator[Mark]:
    """Yields the deductions from `marks` for the caps of the groups of the item's rubric."""
    if not isinstance(rubric := getattr(item, "rubric", None), Rubric) or not rubric.groups:
        return
    # An item may have other points than its rubric.
    possible = sum((m.possible for m in marks if m.possible > 0), ZERO)
    factor = possible / sum((c.points for c in rubric.criteria), ZERO)
    points_by_id = {m.criterion_id: m.earned / factor for m in marks if m.possible > 0}
    for group in rubric.groups:
        yield from (Mark(one.kind, one.points * factor, ZERO, one.because) for one in group.deductions(points_by_id))


def _reviewed_score_with_marks(score: Score, marks: tuple[Mark, ...], possible: Fraction) -> Score:
    """The score with other marks, its points limited to the maximum, its outcome to match. It no longer asks for
    review, as a person has read the response."""
    remarks = () if score.outcome is Outcome.UNREADABLE else score.remarks
    score = replace(score, marks=marks, review_reasons=(), remarks=remarks)
    if excess := max(score.earned - possible, ZERO) + min(score.earned, ZERO):
        reason = f"a response earns from 0 to {up_to_2_decimals(possible)} points"
        score = replace(score, marks=(*score.marks, Mark("full-marks", -excess, ZERO, reason)))
    return score_with_outcome_by_points(replace(score, outcome=Outcome.PARTIAL if possible else score.outcome))


@dataclass(frozen=True, slots=True)
class DroppedItemsAndAcceptedResponses:
    """What a person changed for all logs: the ids of dropped items, and the responses accepted by item id."""

    dropped_item_ids: frozenset[str] = frozenset()
    accepted_responses_by_item: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.dropped_item_ids or self.accepted_responses_by_item)

    def score_after_drop_or_acceptance(self, variant: Variant, response: Response, score: Score) -> Score:
        """The score of a response after these changes: no points if the item was dropped, all if the response was
        accepted."""
        name = variant.item.id
        response_text = response if isinstance(response, str) else ", ".join(response)
        if name in self.dropped_item_ids:
            mark = Mark("dropped", ZERO, ZERO, "the item was dropped")
            return Score(score.outcome, (mark,), score.read_as, None, ("the item was dropped: it counts for nobody",))
        for text in self.accepted_responses_by_item.get(name, ()):
            has_same_reading = score.read_as is not None and variant.score(text).read_as == score.read_as
            if has_same_reading or fold_case_and_spaces(text) == fold_case_and_spaces(response_text):
                reason = f'"{text}" was accepted by hand'
                mark = Mark("accepted", score.possible, score.possible, reason, "found")
                return Score(Outcome.CORRECT, (mark,), score.read_as, None, (reason,))
        return score


def candidate_key_on_marking_page(seed: str, candidate: str) -> str:
    """The candidate's key on marking pages, from which nobody can find the candidate; the same for every marker."""
    return short_public_code(seed, "marking", candidate, length=8)
