"""How well rubrics agree with human scores: `quizgen rubric eval`."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from statistics import correlation, fmean
from typing import Final

from quizgen.rubric.rubric import Rubric, TextScore
from quizgen.rubric.score import score_text
from quizgen.rubric.tokens import folded_words

# -- answers with human scores, from JSON Lines ----------------------------------------------------------

MAX_LINE_CHARACTERS: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class GradedRow:
    """One answer with the score that a person gave: `points` of `max_points` points, and `points_share`, 0 to 1.
    `hand_marks` holds the person's mark for each criterion, 0 to 1; `is_scored_from_marks`: they decide the score.
    `answer_type` is the file's own category of the answer."""

    line_number: int
    item: str
    stem: str
    answer: str
    points_share: float
    points: float
    max_points: float
    hand_marks: tuple[tuple[str, float], ...] = ()
    is_scored_from_marks: bool = False
    answer_type: str = ""


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
            made = _graded_row_or_reason(number, line)
            yield (number, made) if isinstance(made, str) else made


def _graded_row_or_reason(number: int, line: str) -> GradedRow | str:
    """The row of one line, or the reason why it cannot be read."""
    if len(line) > MAX_LINE_CHARACTERS:
        return f"the line is longer than {MAX_LINE_CHARACTERS:,} characters"
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    if not isinstance(row, dict):
        return "not a JSON object"
    item, answer = row.get("item") or row.get("question_id"), row.get("answer", row.get("response"))
    if not isinstance(item, str | int) or not isinstance(answer, str):
        return "needs item (or question_id) and answer (or response)"
    hand = _parse_hand_marks(row.get("hand"))
    score = _float_or_none(row.get("score", row.get("earned", 0 if hand else None)))
    top = _float_or_none(row.get("max_score", row.get("possible", 1)))
    if score is None or not top or not 0 <= score <= top:
        return "needs score (or earned) from 0 to max_score (or possible), or hand: {criterion: 0 to 1}"
    marks, kind = hand or _parse_hand_marks(row.get("criteria")), str(row.get("type") or "")
    stem = str(row.get("question") or row.get("stem") or "")
    return GradedRow(number, str(item), stem, answer, score / top, score, top, marks, bool(hand), kind)


def _float_or_none(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
        return float(value)
    return None


def _parse_hand_marks(value: object) -> tuple[tuple[str, float], ...]:
    """The mark of each criterion, 0 to 1 (true is 1); empty if `value` is no such mapping."""
    if not isinstance(value, Mapping):
        return ()
    marks = [(str(k), float(v)) for k, v in value.items() if isinstance(v, int | float) and 0 <= v <= 1]
    return tuple(marks) if len(marks) == len(value) else ()


def match_rows_to_items(rows: Iterable[GradedRow], items: Mapping[str, Rubric]) -> tuple[list[GradedRow], int]:
    """The rows that belong to an item, with its id, and the number of other rows. The item is found by id, else by the
    text of the stem. The score of rows marked by hand is computed from the item's points."""
    by_stem: dict[str, str] = {}
    for name, rubric in items.items():
        by_stem.setdefault(_comparable_text(rubric.stem), name)
    matched: list[GradedRow] = []
    unmatched = 0
    for row in rows:
        name = row.item if row.item in items else id_slug(row.item)
        if row.stem and (name not in items or _comparable_text(items[name].stem) != _comparable_text(row.stem)):
            name = by_stem.get(_comparable_text(row.stem), name)
        if name in items:
            score = points_share_by_hand(items[name], row.hand_marks) if row.is_scored_from_marks else row.points_share
            matched.append(replace(row, item=name, points_share=score))
        else:
            unmatched += 1
    return matched, unmatched


def _comparable_text(text: str) -> str:
    return " ".join(folded_words(text))


def points_share_by_hand(rubric: Rubric, hand_marks: Iterable[tuple[str, float]]) -> float:
    """The share of the rubric's points that marks by hand, each a criterion and its share, earn after the caps of
    groups and full marks."""
    given = {name: Fraction(share).limit_denominator(1000) for name, share in hand_marks}
    total = rubric.sum_points({c.id: c.points * given.get(c.id, 0) for c in rubric.criteria})
    return float(min(total, rubric.possible_points) / rubric.possible_points)


# -- statistics on plain lists of floats -----------------------------------------------------------------


def pearson(left: list[float], right: list[float]) -> float:
    """Pearson's correlation of two lists; 0 if one of them does not vary."""
    if len(left) < 2 or max(left) - min(left) <= 1e-9 or max(right) - min(right) <= 1e-9:
        return 0.0
    return correlation(left, right)


def rmse(left: list[float], right: list[float]) -> float:
    """The root mean square difference of two lists; 0 for empty ones."""
    return math.sqrt(_mean([(x - y) ** 2 for x, y in zip(left, right, strict=True)]))


def weighted_kappa(left: list[float], right: list[float], bins: int) -> float:
    """Quadratic weighted kappa (Cohen 1968) of two lists of values from 0 to 1, rounded to `bins` equal steps."""
    a, b = ([min(bins - 1, max(0, math.floor(x * (bins - 1) + 0.5))) for x in values] for values in (left, right))
    seen = sum((i - j) ** 2 for i, j in zip(a, b, strict=True))
    chance = sum((i - j) ** 2 * m * n for (i, m), (j, n) in product(Counter(a).items(), Counter(b).items()))
    return 1 - seen * len(a) / chance if chance else 0.0


def _mean(values: Sequence[float]) -> float:
    return fmean(values) if values else 0.0


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
    worst: tuple[Disagreement, ...]  # the largest difference first
    hand: CriterionErrors | None  # None if no answer is marked by criterion


ScoredRow = tuple[GradedRow, TextScore]


def score_rows(rows: Iterable[GradedRow], items: Mapping[str, Rubric]) -> tuple[list[ScoredRow], int]:
    """The rows that belong to an item, each with its score, and the number of rows without an item."""
    matched, unmatched = match_rows_to_items(rows, items)
    return [(row, score_text(items[row.item], row.answer)) for row in matched], unmatched


def evaluate_rubrics(rows: Iterable[GradedRow], items: Mapping[str, Rubric], *, worst: int = 10) -> AgreementReport:
    """Scores every row and compares the scores with the human ones. `worst` is how many of the largest disagreements
    are listed. Rows without an item are counted."""
    scored, unmatched = score_rows(rows, items)
    pairs = [(row, float(score.earned / score.possible) if score.possible else 0.0) for row, score in scored]
    earned, human = [share for _, share in pairs], [row.points_share for row, _ in pairs]
    by_type: dict[str, list[tuple[float, float]]] = {}
    by_item: dict[str, list[tuple[float, float]]] = {}
    for row, share in pairs:
        by_type.setdefault(row.answer_type, []).append((row.points_share, share))
        by_item.setdefault(row.item, []).append((row.points_share, share))
    within = tuple(
        (name, len(own), pearson([share for _, share in own], [score for score, _ in own]))
        for name, own in sorted(by_item.items())
    )
    bins = _count_scale_steps([row for row, _ in scored])
    differences = [
        Disagreement(
            row.line_number, row.item, row.answer, row.points_share, share,
            "; ".join(f"{m.criterion} {m.status} ({m.because})" for m in score.marks),
        )
        for (row, share), (_, score) in zip(pairs, scored, strict=True)
        if share != row.points_share
    ]  # fmt: skip
    return AgreementReport(
        len(scored), unmatched, bins, _mean(human),
        Agreement(
            pearson(earned, human), _mean([r for _, _, r in within]), rmse(earned, human),
            weighted_kappa(earned, human, bins), _mean(earned),
        ),
        _means_by_type(by_type),
        within,
        tuple(sorted(differences, key=lambda one: (-abs(one.earned - one.human), one.line))[:worst]),
        _criterion_errors(scored),
    )  # fmt: skip


def _means_by_type(shares_by_type: Mapping[str, list[tuple[float, float]]]) -> tuple[TypeMeans, ...]:
    return tuple(
        TypeMeans(kind, len(own), _mean([score for score, _ in own]), _mean([share for _, share in own]))
        for kind, own in sorted(shares_by_type.items() if any(shares_by_type) else ())
    )


def _criterion_errors(scored: list[ScoredRow]) -> CriterionErrors | None:
    """The errors of single criteria in answers that a person marked by criterion; None if there are no such answers."""
    shares: dict[float, list[Fraction]] = {0: [], 1: []}  # points by a person (none, all) -> shares by the rubric
    for row, score in scored:
        marks = {m.criterion: m for m in score.marks}
        for name, value in row.hand_marks:
            if name in marks and value in shares:
                shares[value].append(marks[name].earned / marks[name].possible)
    if not any(row.hand_marks for row, _ in scored):
        return None
    credit, denial = [share == 1 for share in shares[0]], [share == 0 for share in shares[1]]
    return CriterionErrors(_mean(credit), len(credit), _mean(denial), len(denial))


def _count_scale_steps(rows: list[GradedRow]) -> int:
    """The steps of the human scale: 2 for 0/1 scores, one for each point up to 10 or two with half points, else 5."""
    if all(row.points_share in (0.0, 1.0) for row in rows):
        return 2
    top = max((row.max_points for row in rows), default=1.0)
    if 2 <= top <= 10:
        whole = all(row.points == int(row.points) for row in rows)
        return int(top) + 1 if whole else 2 * int(top) + 1
    return 5
