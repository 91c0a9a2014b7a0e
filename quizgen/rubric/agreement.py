"""How well rubrics agree with human scores: `quizgen rubric eval`."""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from quizgen.rubric.lexicon import CONTENT, order_class
from quizgen.rubric.rubric import FOUND, Rubric, TextScore
from quizgen.rubric.score import phrases_found, score_text, sure_of
from quizgen.rubric.tokens import words_of

# -- The few statistics that agreement needs, on plain lists of floats.


def pearson(left: list[float], right: list[float]) -> float:
    """Product-moment correlation; 0 where either side does not vary."""
    n = len(left)
    if n < 2:
        return 0.0
    a, b = math.fsum(left) / n, math.fsum(right) / n
    xx = math.fsum((x - a) ** 2 for x in left)
    yy = math.fsum((y - b) ** 2 for y in right)
    if xx <= 1e-12 or yy <= 1e-12:
        return 0.0
    return math.fsum((x - a) * (y - b) for x, y in zip(left, right, strict=True)) / math.sqrt(xx * yy)


def within(left: list[float], right: list[float], names: list[str]) -> float:
    """Mean of the items' own correlations: what is left when easy items do not help."""
    groups: dict[str, tuple[list[float], list[float]]] = {}
    for x, y, name in zip(left, right, names, strict=True):
        a, b = groups.setdefault(name, ([], []))
        a.append(x)
        b.append(y)
    values = [pearson(a, b) for a, b in groups.values()]
    return math.fsum(values) / len(values) if values else 0.0


def rmse(left: list[float], right: list[float]) -> float:
    if not left:
        return 0.0
    return math.sqrt(math.fsum((x - y) ** 2 for x, y in zip(left, right, strict=True)) / len(left))


def kappa(left: list[float], right: list[float], bins: int) -> float:
    """Quadratic weighted kappa of two lists on 0..1, read in `bins` equal steps (Cohen 1968);
    for two bins it is Cohen's kappa."""
    n = len(left)
    if not n or bins < 2:
        return 0.0
    table = [[0] * bins for _ in range(bins)]
    for x, y in zip(left, right, strict=True):
        table[_bin(x, bins)][_bin(y, bins)] += 1
    rows = [sum(row) for row in table]
    columns = [sum(row[j] for row in table) for j in range(bins)]
    seen = math.fsum((i - j) ** 2 * table[i][j] for i in range(bins) for j in range(bins))
    chance = math.fsum((i - j) ** 2 * rows[i] * columns[j] / n for i in range(bins) for j in range(bins))
    return 1 - seen / chance if chance else 0.0


def _bin(value: float, bins: int) -> int:
    return min(bins - 1, max(0, math.floor(value * (bins - 1) + 0.5)))


def calibrated(signal: list[float], truth: list[float], names: list[str]) -> list[float]:
    """Each value through a monotone fit to the other items' rows (pool adjacent violators)."""
    out = [0.0] * len(signal)
    for name in dict.fromkeys(names):
        others = [i for i, n in enumerate(names) if n != name]
        if not others:
            others = list(range(len(names)))
        steps, values = _isotonic([(signal[i], truth[i]) for i in others])
        for i, n in enumerate(names):
            if n == name:
                out[i] = values[max(0, bisect_right(steps, signal[i]) - 1)]
    return out


def _isotonic(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """First signal value and mean of each block of the best non-decreasing step function."""
    blocks: list[tuple[float, float, int]] = []
    for x, y in sorted(pairs):
        if blocks and blocks[-1][0] == x:
            start, total, count = blocks[-1]
            blocks[-1] = (start, total + y, count + 1)
        else:
            blocks.append((x, y, 1))
    merged: list[tuple[float, float, int]] = []
    for block in blocks:
        merged.append(block)
        while len(merged) > 1 and merged[-2][1] * merged[-1][2] >= merged[-1][1] * merged[-2][2]:
            _, total, count = merged.pop()
            start, before, many = merged.pop()
            merged.append((start, before + total, many + count))
    return [m[0] for m in merged], [m[1] / m[2] for m in merged]


# -- What marks by hand, criterion by criterion, say of a rubric: false credit, false denial, a person's help.

HELP: Final = (0, 5, 10, 20, 30, 50)  # per cent of the answers that a person scores, the least sure ones first

Hand = tuple[tuple[str, float], ...]  # criterion id -> 0 (says nothing of it) to 1 (says it)


@dataclass(frozen=True, slots=True)
class TypeFigures:
    """Mean shares of the answers of one `type`, by hand and by the rubric."""

    type: str
    rows: int
    human: float
    rubric: float


@dataclass(frozen=True, slots=True)
class HandFigures:
    """`false_credit`: full marks where a person gives none, of `nothing` such criteria.
    `false_denial`: nothing where a person gives full marks, of `everything` such criteria."""

    types: tuple[TypeFigures, ...]
    false_credit: float
    nothing: int
    false_denial: float
    everything: int


@dataclass(frozen=True, slots=True)
class Helped:
    """Agreement where a person scores the least sure `per_cent` of the answers."""

    per_cent: int
    r: float
    kappa: float


def share_by_hand(rubric: Rubric, hand: Hand) -> float:
    """The share of the points that the marks by hand come to, groups and full marks counted."""
    given = {name: Fraction(value).limit_denominator(1000) for name, value in hand}
    earned = {c.id: c.points * given.get(c.id, Fraction(0)) for c in rubric.criteria}
    total = sum(earned.values(), Fraction(0))
    for group in rubric.groups:
        total -= max(Fraction(0), sum((earned[name] for name in group.of), Fraction(0)) - group.at_most)
    return float(min(total, rubric.possible) / rubric.possible)


def by_hand(rows: Iterable[tuple[str, Hand, float, TextScore]]) -> HandFigures | None:
    """Figures of (type, marks by hand, human share, score) of every answer; None where none has such marks."""
    types: dict[str, list[tuple[float, float]]] = {}
    nothing: list[bool] = []
    everything: list[bool] = []
    for kind, hand, human, scored in rows:
        if not hand:
            continue
        types.setdefault(kind, []).append((human, float(scored.earned / scored.possible)))
        marks = {m.criterion: m for m in scored.marks}
        for name, value in hand:
            if name in marks and value == 0:
                nothing.append(marks[name].earned == marks[name].possible)
            elif name in marks and value == 1:
                everything.append(marks[name].earned == 0)
    if not types:
        return None
    table = tuple(
        TypeFigures(kind, len(pairs), _mean([h for h, _ in pairs]), _mean([e for _, e in pairs]))
        for kind, pairs in sorted(types.items())
    )
    return HandFigures(table, _mean(nothing), len(nothing), _mean(everything), len(everything))


def helped(earned: list[float], human: list[float], sure: list[float], bins: int) -> tuple[Helped, ...]:
    """Agreement by how many of the answers a person scores, the least sure first."""
    order = sorted(range(len(earned)), key=lambda i: (sure[i], i))
    found = []
    for per_cent in HELP:
        mended = list(earned)
        for i in order[: round(len(order) * per_cent / 100)]:
            mended[i] = human[i]
        found.append(Helped(per_cent, pearson(mended, human), kappa(mended, human, bins)))
    return tuple(found)


def graded_marks(value: object) -> Hand:
    """`hand` of a graded line: {criterion id: 0 to 1}; empty where it is none."""
    if not isinstance(value, Mapping):
        return ()
    marks = [(str(k), float(v)) for k, v in value.items() if isinstance(v, int | float) and 0 <= v <= 1]
    return tuple(marks) if len(marks) == len(value) else ()


def _mean(values: list[float] | list[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


# -- Answers with human scores, read from JSON Lines and matched with the items they belong to.

MAX_LINE: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class GradedRow:
    """One answer with its human score. `criteria` holds human labels where there are any, `hand` marks
    by criterion from 0 to 1; `type` says what sort of answer it is."""

    line: int
    item: str
    stem: str
    answer: str
    score: float  # 0..1
    steps: float  # the raw score and its maximum, for the scale of kappa
    maximum: float
    references: tuple[str, ...] = ()
    criteria: tuple[tuple[str, bool], ...] = ()
    hand: Hand = ()
    type: str = ""


def slug(text: str) -> str:
    """`10.1` as `10-1`, `Fault:VOLTAGE_Q` as `fault-voltage-q`: a question's id as an item's."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def read_graded(lines: Iterable[str]) -> Iterator[GradedRow | tuple[int, str]]:
    """Rows of a scored JSON Lines file; a line that is none as (line number, what is wrong).

    Read are `item` or `question_id`; `answer` or `response`; `score` and `max_score` (1 if absent)
    or `earned` and `possible`, or `hand`; `question` or `stem`; `reference` or `references`; `criteria`; `type`.
    """
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        row = _object(line)
        if isinstance(row, str):
            yield number, row
            continue
        item = row.get("item") or row.get("question_id")
        answer = row.get("answer", row.get("response"))
        hand = graded_marks(row.get("hand"))
        score = _number(row.get("score", row.get("earned", 0 if hand else None)))
        top = _number(row.get("max_score", row.get("possible", 1)))
        if not isinstance(item, str | int) or not isinstance(answer, str):
            yield number, "needs item (or question_id) and answer (or response)"
            continue
        if score is None or top is None or top <= 0 or not 0 <= score <= top:
            yield number, "needs score (or earned) from 0 to max_score (or possible), or hand: {criterion: 0 to 1}"
            continue
        references = row.get("references") or [row.get("reference") or row.get("model_answer") or ""]
        labels = row.get("criteria") or {}
        yield GradedRow(
            number,
            str(item),
            str(row.get("question") or row.get("stem") or ""),
            answer,
            score / top,
            score,
            top,
            tuple(r for r in references if isinstance(r, str) and r.strip()),
            tuple((str(k), bool(v)) for k, v in labels.items()) if isinstance(labels, dict) else (),
            hand,
            str(row.get("type") or ""),
        )


def _object(line: str) -> dict[str, Any] | str:
    if len(line) > MAX_LINE:
        return f"the line is longer than {MAX_LINE:,} characters"
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return "not JSON"
    return row if isinstance(row, dict) else "not a JSON object"


def _number(value: object) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9:
        return float(value)
    return None


def match_rows(rows: Iterable[GradedRow], items: Mapping[str, Rubric]) -> tuple[list[tuple[GradedRow, str]], int]:
    """Rows with the id of their item, and how many have none. Ids win; one id with several stems,
    or an unknown id, falls back on the stem's text. Marks by hand become a score by the item's points."""
    by_stem: dict[str, str] = {}
    for name, rubric in items.items():
        by_stem.setdefault(_plain(rubric.stem), name)
    matched: list[tuple[GradedRow, str]] = []
    unmatched = 0
    for row in rows:
        name = row.item if row.item in items else slug(row.item)
        if row.stem and (name not in items or _plain(items[name].stem) != _plain(row.stem)):
            name = by_stem.get(_plain(row.stem), name)
        if name in items:
            if row.hand:
                row = replace(row, score=share_by_hand(items[name], row.hand))
            matched.append((row, name))
        else:
            unmatched += 1
    return matched, unmatched


def _plain(text: str) -> str:
    return " ".join(words_of(text))


# -- How well rubrics agree with human scores: `quizgen rubric eval`.
#
# Every figure is computed for the rubric and, in the same run, for the two best free signals, so that
# nobody has to trust a number from elsewhere: rapidfuzz's token_set_ratio and the share of the
# reference's stems.


@dataclass(frozen=True, slots=True)
class Figures:
    """Agreement of one signal with the human scores, all on 0..1. The calibrated pair is after a
    leave-item-out monotone fit, which forgives a signal for being only proportional."""

    r: float
    within: float
    rmse: float
    kappa: float
    rmse_calibrated: float
    kappa_calibrated: float
    mean: float


@dataclass(frozen=True, slots=True)
class CriterionFigures:
    item: str
    criterion: str
    labelled: int
    precision: float
    recall: float


@dataclass(frozen=True, slots=True)
class PhraseFigures:
    """How often a phrase was found and asserted, and what humans gave the answers it was found in."""

    item: str
    criterion: str
    phrase: str
    kind: str
    hits: int
    human: float


@dataclass(frozen=True, slots=True)
class Disagreement:
    line: int
    item: str
    answer: str
    human: float
    earned: float
    because: str


@dataclass(frozen=True, slots=True)
class Agreement:
    """The report. `items` pairs an item with its answers and its own correlation."""

    rows: int
    unmatched: int
    bins: int
    human_mean: float
    rubric: Figures
    token_set: Figures | None
    stem_recall: Figures | None
    items: tuple[tuple[str, int, float], ...]
    criteria: tuple[CriterionFigures, ...]
    phrases: tuple[PhraseFigures, ...]
    worst: tuple[Disagreement, ...]
    hand: HandFigures | None = None
    helped: tuple[Helped, ...] = ()


_Hits = dict[tuple[str, str, str, str], list[float]]  # item, criterion, phrase, kind -> human shares
_Labels = dict[tuple[str, str], list[tuple[bool, bool]]]  # item, criterion -> found, and met in fact


def evaluate(
    rows: Iterable[GradedRow], items: Mapping[str, Rubric], *, worst: int = 10, baselines: bool = True
) -> Agreement:
    """Score every row and compare. Rows without an item are counted, not dropped silently."""
    matched, unmatched = match_rows(rows, items)
    hits: _Hits = {}
    labels: _Labels = {}
    earned: list[float] = []
    scorings: list[TextScore] = []
    for row, name in matched:
        scored = score_text(items[name], row.answer)
        scorings.append(scored)
        earned.append(float(scored.earned / scored.possible) if scored.possible else 0.0)
        for phrase in phrases_found(items[name], row.answer):
            hits.setdefault((name, *phrase), []).append(row.score)
        for criterion, label in row.criteria:
            found = next((m.status == FOUND for m in scored.marks if m.criterion == criterion), False)
            labels.setdefault((name, criterion), []).append((found, label))
    human = [row.score for row, _ in matched]
    names = [name for _, name in matched]
    bins = _bins([row for row, _ in matched])
    token = recall = None
    if baselines and matched:
        pairs = [(row.references or (items[name].model_answer,), row.answer) for row, name in matched]
        token = _figures([_token_set(*p) for p in pairs], human, names, bins)
        recall = _figures([_recall(*p) for p in pairs], human, names, bins)
    return Agreement(
        len(matched),
        unmatched,
        bins,
        sum(human) / len(human) if human else 0.0,
        _figures(earned, human, names, bins),
        token,
        recall,
        _by_item(names, earned, human),
        _criteria(labels),
        _phrase_table(hits, items),
        _worst(matched, earned, scorings, worst),
        by_hand((row.type, row.hand, row.score, one) for (row, _), one in zip(matched, scorings, strict=True)),
        helped(earned, human, [sure_of(one.marks) for one in scorings], bins),
    )


def _figures(signal: list[float], human: list[float], names: list[str], bins: int) -> Figures:
    fitted = calibrated(signal, human, names)
    return Figures(
        pearson(signal, human),
        within(signal, human, names),
        rmse(signal, human),
        kappa(signal, human, bins),
        rmse(fitted, human),
        kappa(fitted, human, bins),
        sum(signal) / len(signal) if signal else 0.0,
    )


def _bins(rows: list[GradedRow]) -> int:
    """The steps of the human scale, for kappa: 0/1 is two, whole points up to 10 are as they are,
    half points twice as many, anything finer on 0..1 is read in quarters."""
    if all(row.score in (0.0, 1.0) for row in rows):
        return 2
    top = max((row.maximum for row in rows), default=1.0)
    if 2 <= top <= 10:
        whole = all(row.steps == int(row.steps) for row in rows)
        return int(top) + 1 if whole else 2 * int(top) + 1
    return 5


def _token_set(references: tuple[str, ...], answer: str) -> float:
    from rapidfuzz.fuzz import token_set_ratio

    return max(token_set_ratio(r.lower(), answer.lower()) for r in references) / 100


def _recall(references: tuple[str, ...], answer: str) -> float:
    from quizgen.rubric.spelling import stem

    said = {stem(w) for w in words_of(answer)}
    best = Fraction(0)
    for reference in references:
        wanted = words_of(reference)
        stems = {stem(w) for w in wanted if order_class(w) == CONTENT} or {stem(w) for w in wanted}
        if stems:
            best = max(best, Fraction(len(stems & said), len(stems)))
    return float(best)


def _by_item(names: list[str], earned: list[float], human: list[float]) -> tuple[tuple[str, int, float], ...]:
    groups: dict[str, tuple[list[float], list[float]]] = {}
    for name, e, h in zip(names, earned, human, strict=True):
        left, right = groups.setdefault(name, ([], []))
        left.append(e)
        right.append(h)
    return tuple((name, len(e), pearson(e, h)) for name, (e, h) in sorted(groups.items()))


def _criteria(labels: _Labels) -> tuple[CriterionFigures, ...]:
    rows: list[CriterionFigures] = []
    for (item, criterion), pairs in sorted(labels.items()):
        both = sum(found and label for found, label in pairs)
        found_all, label_all = sum(f for f, _ in pairs), sum(label for _, label in pairs)
        rows.append(
            CriterionFigures(
                item,
                criterion,
                len(pairs),
                both / found_all if found_all else 1.0,
                both / label_all if label_all else 1.0,
            )
        )
    return tuple(rows)


def _phrase_table(hits: _Hits, items: Mapping[str, Rubric]) -> tuple[PhraseFigures, ...]:
    rows: list[PhraseFigures] = []
    for name in sorted({name for name, _, _, _ in hits}):
        for criterion in items[name].criteria:
            for kind, phrasings in (("accept", criterion.accept), ("reject", criterion.reject)):
                for phrasing in phrasings:
                    scores = hits.get((name, criterion.id, phrasing.text, kind), [])
                    mean = sum(scores) / len(scores) if scores else 0.0
                    rows.append(PhraseFigures(name, criterion.id, phrasing.text, kind, len(scores), mean))
    return tuple(rows)


def _worst(
    matched: list[tuple[GradedRow, str]], earned: list[float], scorings: list[TextScore], count: int
) -> tuple[Disagreement, ...]:
    order = sorted(range(len(matched)), key=lambda i: (-abs(earned[i] - matched[i][0].score), matched[i][0].line))
    found: list[Disagreement] = []
    for i in order[:count]:
        row, name = matched[i]
        marks = scorings[i].marks
        because = "; ".join(f"{m.criterion} {m.status} ({m.because})" for m in marks)
        found.append(Disagreement(row.line, name, row.answer, row.score, earned[i], because))
    return tuple(found)
