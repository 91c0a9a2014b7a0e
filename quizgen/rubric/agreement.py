"""How well rubrics agree with human scores: `quizgen rubric eval`.

Every figure is computed for the rubric and, in the same run, for the two best free signals, so that
nobody has to trust a number from elsewhere: rapidfuzz's token_set_ratio and the share of the
reference's stems.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from quizgen.rubric.by_hand import HandFigures, Helped, by_hand, helped
from quizgen.rubric.graded_rows import GradedRow, match_rows
from quizgen.rubric.marks import FOUND, TextScore
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import phrases_found, score_text
from quizgen.rubric.statistics import calibrated, kappa, pearson, rmse, within
from quizgen.rubric.sure import sure_of
from quizgen.rubric.text.lexicon import CONTENT, order_class
from quizgen.rubric.text.tokens import words_of


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
    from quizgen.rubric.text.stem import stem

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
