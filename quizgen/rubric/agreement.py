"""How well rubrics agree with human scores: `quizgen rubric eval`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby
from statistics import correlation
from typing import Any, Final

from quizgen.rubric.rubric import Rubric, TextScore
from quizgen.rubric.score import score_text
from quizgen.rubric.tokens import folded_words

# -- answers with human scores, from JSON Lines ----------------------------------------------------------

MAX_LINE_CHARACTERS: Final = 1 << 20

HandMarks = tuple[tuple[str, float], ...]  # criterion id -> share of its points, 0 to 1


@dataclass(frozen=True, slots=True)
class GradedRow:
    """One answer with the score that a person gave: `points` of `max_points` points, and `score` as their share, 0 to
    1. `hand` holds the person's mark for each criterion; `is_by_hand`: the score is computed from these marks. `type`
    is the file's own category of the answer."""

    line: int
    item: str
    stem: str
    answer: str
    score: float
    points: float
    max_points: float
    hand: HandMarks = ()
    is_by_hand: bool = False
    type: str = ""


def id_slug(text: str) -> str:
    """An id as item ids are written: `10.1` gives `10-1`, `Fault:VOLTAGE_Q` gives `fault-voltage-q`."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def read_graded_rows(lines: Iterable[str]) -> Iterator[GradedRow | tuple[int, str]]:
    """Yields a row for each line of a JSON Lines file of scored answers, or (line number, reason) for a line that
    cannot be read.

    Fields: `item` or `question_id`; `answer` or `response`; `score` and `max_score` (default 1) or `earned` and
    `possible`, or `hand`; `question` or `stem`; `criteria` (id: true or false); `type`."""
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _json_object_or_reason(line)
            made = row if isinstance(row, str) else _graded_row_or_reason(number, row)
            yield (number, made) if isinstance(made, str) else made


def _graded_row_or_reason(number: int, row: Mapping[str, Any]) -> GradedRow | str:
    """The row of one line, or the reason why it cannot be read."""
    item, answer = row.get("item") or row.get("question_id"), row.get("answer", row.get("response"))
    if not isinstance(item, str | int) or not isinstance(answer, str):
        return "needs item (or question_id) and answer (or response)"
    hand = _parse_hand_marks(row.get("hand"))
    score = _float_or_none(row.get("score", row.get("earned", 0 if hand else None)))
    top = _float_or_none(row.get("max_score", row.get("possible", 1)))
    if score is None or not top or not 0 <= score <= top:
        return "needs score (or earned) from 0 to max_score (or possible), or hand: {criterion: 0 to 1}"
    marks, kind = hand or _parse_hand_marks(row.get("criteria")), str(row.get("type") or "")
    texts = str(row.get("question") or row.get("stem") or ""), answer
    return GradedRow(number, str(item), *texts, score / top, score, top, marks, bool(hand), kind)


def _json_object_or_reason(line: str) -> dict[str, Any] | str:
    if len(line) > MAX_LINE_CHARACTERS:
        return f"the line is longer than {MAX_LINE_CHARACTERS:,} characters"
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    return row if isinstance(row, dict) else "not a JSON object"


def _float_or_none(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
        return float(value)
    return None


def _parse_hand_marks(value: object) -> HandMarks:
    """The mark of each criterion, 0 to 1 (true is 1); empty if `value` is no such mapping."""
    if not isinstance(value, Mapping):
        return ()
    marks = [(str(k), float(v)) for k, v in value.items() if isinstance(v, int | float) and 0 <= v <= 1]
    return tuple(marks) if len(marks) == len(value) else ()


def match_rows_to_items(
    rows: Iterable[GradedRow], items: Mapping[str, Rubric]
) -> tuple[list[tuple[GradedRow, str]], int]:
    """Each row with the id of its item, and the number of rows without one. The item is found by id, else by the text
    of the stem. The score of rows marked by hand is computed from the item's points."""
    by_stem: dict[str, str] = {}
    for name, rubric in items.items():
        by_stem.setdefault(_comparable_text(rubric.stem), name)
    matched: list[tuple[GradedRow, str]] = []
    unmatched = 0
    for row in rows:
        name = row.item if row.item in items else id_slug(row.item)
        if row.stem and (name not in items or _comparable_text(items[name].stem) != _comparable_text(row.stem)):
            name = by_stem.get(_comparable_text(row.stem), name)
        if name in items:
            score = points_share_by_hand(items[name], row.hand) if row.is_by_hand else row.score
            matched.append((replace(row, score=score), name))
        else:
            unmatched += 1
    return matched, unmatched


def _comparable_text(text: str) -> str:
    return " ".join(folded_words(text))


def points_share_by_hand(rubric: Rubric, hand_marks: HandMarks) -> float:
    """The share of the rubric's points that the marks by hand earn, after the caps of groups and full marks."""
    given = {name: Fraction(value).limit_denominator(1000) for name, value in hand_marks}
    total = rubric.sum_points({c.id: c.points * given.get(c.id, 0) for c in rubric.criteria})
    return float(min(total, rubric.possible) / rubric.possible)


# -- statistics on plain lists of floats -----------------------------------------------------------------


def pearson(left: list[float], right: list[float]) -> float:
    """Pearson's correlation of two lists; 0 if one of them does not vary."""
    if len(left) < 2 or max(left) - min(left) <= 1e-9 or max(right) - min(right) <= 1e-9:
        return 0.0
    return correlation(left, right)


def rmse(left: list[float], right: list[float]) -> float:
    """The root mean square difference of two lists; 0 for empty ones."""
    if not left:
        return 0.0
    return math.sqrt(math.fsum((x - y) ** 2 for x, y in zip(left, right, strict=True)) / len(left))


def weighted_kappa(left: list[float], right: list[float], bins: int) -> float:
    """Quadratic weighted kappa (Cohen 1968) of two lists of values from 0 to 1, rounded to `bins` equal steps."""
    n = len(left)
    if not n or bins < 2:
        return 0.0
    table = [[0] * bins for _ in range(bins)]
    for x, y in zip(left, right, strict=True):
        table[_scale_step(x, bins)][_scale_step(y, bins)] += 1
    rows = [sum(row) for row in table]
    columns = [sum(row[j] for row in table) for j in range(bins)]
    seen = math.fsum((i - j) ** 2 * table[i][j] for i in range(bins) for j in range(bins))
    chance = math.fsum((i - j) ** 2 * rows[i] * columns[j] / n for i in range(bins) for j in range(bins))
    return 1 - seen / chance if chance else 0.0


def _scale_step(value: float, bins: int) -> int:
    return min(bins - 1, max(0, math.floor(value * (bins - 1) + 0.5)))


# -- the report ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the rubrics' scores agree with the human ones, both 0 to 1. `within` is the mean of the correlations
    within items, which easy and hard items do not inflate."""

    r: float
    within: float
    rmse: float
    kappa: float
    mean: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An answer with the share of the points that a person gave (`human`) and that the rubric gave (`earned`)."""

    line: int
    item: str
    answer: str
    human: float
    earned: float
    because: str


@dataclass(frozen=True, slots=True)
class TypeMeans:
    """The mean share of the points for all answers of one `type`, by a person and by the rubric."""

    type: str
    rows: int
    human: float
    rubric: float


@dataclass(frozen=True, slots=True)
class CriterionErrors:
    """How often the rubric gives the opposite of a person for one criterion. `false_credit`: the share with full marks
    among the `nothing` marks where the person gave none. `false_denial`: the share with no points among the
    `everything` marks where the person gave all."""

    false_credit: float
    nothing: int
    false_denial: float
    everything: int


@dataclass(frozen=True, slots=True)
class AgreementReport:
    """The report of `quizgen rubric eval`; its JSON has these names. `bins`: the number of steps of the human scale,
    for kappa. `items` holds (id, number of answers, correlation within the item)."""

    rows: int
    unmatched: int
    bins: int
    human_mean: float
    rubric: Agreement
    types: tuple[TypeMeans, ...]  # by the rows' own categories; empty if no row has one
    items: tuple[tuple[str, int, float], ...]
    worst: tuple[Disagreement, ...]
    hand: CriterionErrors | None


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A graded row with its item and the score that the item's rubric gives it."""

    row: GradedRow
    item: str
    score: TextScore

    @property
    def earned_share(self) -> float:
        """The share of the possible points that the rubric gives, 0 to 1."""
        return float(self.score.earned / self.score.possible) if self.score.possible else 0.0


def score_rows(rows: Iterable[GradedRow], items: Mapping[str, Rubric]) -> tuple[list[ScoredRow], int]:
    """The rows that belong to an item, each with its score, and the number of rows without an item."""
    matched, unmatched = match_rows_to_items(rows, items)
    return [ScoredRow(row, name, score_text(items[name], row.answer)) for row, name in matched], unmatched


def group_by_item(scored: Iterable[ScoredRow]) -> dict[str, list[ScoredRow]]:
    """The scored rows of each item, sorted by id."""
    ordered = sorted(scored, key=lambda one: one.item)
    return {name: list(own) for name, own in groupby(ordered, key=lambda one: one.item)}


def evaluate_rubrics(rows: Iterable[GradedRow], items: Mapping[str, Rubric], *, worst: int = 10) -> AgreementReport:
    """Scores every row and compares the scores with the human ones. `worst` is how many of the largest disagreements
    are listed. Rows without an item are counted."""
    scored, unmatched = score_rows(rows, items)
    earned, human = [one.earned_share for one in scored], [one.row.score for one in scored]
    bins = _count_scale_steps([one.row for one in scored])
    by_item = tuple(
        (name, len(own), pearson([o.earned_share for o in own], [o.row.score for o in own]))
        for name, own in group_by_item(scored).items()
    )
    agreement = Agreement(
        pearson(earned, human), _mean([r for _, _, r in by_item]), rmse(earned, human),
        weighted_kappa(earned, human, bins), _mean(earned),
    )  # fmt: skip
    return AgreementReport(
        len(scored), unmatched, bins, _mean(human), agreement, _means_by_type(scored), by_item,
        tuple(_largest_disagreements(scored)[:worst]), _criterion_errors(scored),
    )  # fmt: skip


def _means_by_type(scored: list[ScoredRow]) -> tuple[TypeMeans, ...]:
    types: dict[str, list[ScoredRow]] = {}
    for one in scored:
        types.setdefault(one.row.type, []).append(one)
    return tuple(
        TypeMeans(kind, len(own), _mean([o.row.score for o in own]), _mean([o.earned_share for o in own]))
        for kind, own in sorted(types.items() if any(types) else ())
    )


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else 0.0


def _count_scale_steps(rows: list[GradedRow]) -> int:
    """The steps of the human scale: 2 for 0/1 scores, one for each point up to 10 or two with half points, else 5."""
    if all(row.score in (0.0, 1.0) for row in rows):
        return 2
    top = max((row.max_points for row in rows), default=1.0)
    if 2 <= top <= 10:
        whole = all(row.points == int(row.points) for row in rows)
        return int(top) + 1 if whole else 2 * int(top) + 1
    return 5


def _largest_disagreements(scored: list[ScoredRow]) -> list[Disagreement]:
    """The answers on which rubric and person differ, the largest difference first."""
    return [
        Disagreement(
            one.row.line, one.item, one.row.answer, one.row.score, one.earned_share,
            "; ".join(f"{m.criterion} {m.status} ({m.because})" for m in one.score.marks),
        )
        for one in sorted(scored, key=lambda one: (-abs(one.earned_share - one.row.score), one.row.line))
        if one.earned_share != one.row.score
    ]  # fmt: skip


def _criterion_errors(scored: list[ScoredRow]) -> CriterionErrors | None:
    """The errors of single criteria in answers that a person marked by criterion; None if there are no such answers."""
    marked = [one for one in scored if one.row.hand]
    if not marked:
        return None
    shares: dict[float, list[Fraction]] = {0: [], 1: []}  # points by a person (none, all) -> shares by the rubric
    for one in marked:
        marks = {m.criterion: m for m in one.score.marks}
        for name, value in one.row.hand:
            if name in marks and value in shares:
                shares[value].append(marks[name].earned / marks[name].possible)
    credit, denial = [s == 1 for s in shares[0]], [s == 0 for s in shares[1]]
    return CriterionErrors(_mean(credit), len(credit), _mean(denial), len(denial))
