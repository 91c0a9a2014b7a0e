"""Words that good answers use and the rubric does not know: `quizgen rubric suggest`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from quizgen.rubric.graded_rows import GradedRow, match_rows
from quizgen.rubric.marks import FOUND
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text
from quizgen.rubric.text.fold import fold
from quizgen.rubric.text.lexicon import FUNCTION
from quizgen.rubric.text.stem import stem
from quizgen.rubric.text.tokens import TOKEN

GOOD: Final = 0.75  # human share from which an answer counts as good
POOR: Final = 0.25
LEAST: Final = 2  # good answers a word must stand in


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A word or a pair of neighbours: in how many unmatched good answers it stands, in how many poor
    ones, the criterion most often missed there, and one such answer."""

    item: str
    words: str
    good: int
    poor: int
    criterion: str
    answer: str


def suggest(rows: Iterable[GradedRow], items: Mapping[str, Rubric], *, most: int = 8) -> tuple[Suggestion, ...]:
    """The best `most` suggestions for each item, those that tell good answers from poor ones first."""
    matched, _ = match_rows(rows, items)
    by_item: dict[str, list[GradedRow]] = {}
    for row, name in matched:
        by_item.setdefault(name, []).append(row)
    found: list[Suggestion] = []
    for name in sorted(by_item):
        found.extend(_of_item(name, by_item[name], items[name], most))
    return tuple(found)


def _of_item(name: str, rows: list[GradedRow], rubric: Rubric, most: int) -> list[Suggestion]:
    index = rubric.index
    known = {stem(w) for w in index.vocabulary} | set(index.singles) | {stem(w) for w in _words(rubric.stem)}
    good: Counter[str] = Counter()
    poor: Counter[str] = Counter()
    shown: dict[str, str] = {}
    missed: dict[str, Counter[str]] = {}
    spelt: dict[str, Counter[str]] = {}
    goods = poors = 0
    for row in rows:
        if POOR < row.score < GOOD:
            continue
        terms = _terms(row.answer, known, spelt)
        if row.score <= POOR:
            poors += 1
            poor.update(terms)
            continue
        scored = score_text(rubric, row.answer)
        lost = [m.criterion for m in scored.marks if m.status != FOUND]
        if not lost or scored.earned >= scored.possible * 3 / 4:
            continue
        goods += 1
        good.update(terms)
        for term in terms:
            shown.setdefault(term, row.answer)
            missed.setdefault(term, Counter()).update(lost)
    ranked = sorted(
        (term for term, count in good.items() if count >= LEAST),
        key=lambda t: (-_weight(good[t], goods, poor[t], poors), t),
    )
    return [
        Suggestion(
            name,
            min(spelt[term], key=lambda w: (-spelt[term][w], w)),
            good[term],
            poor[term],
            min(missed[term], key=lambda c: (-missed[term][c], c)),
            shown[term],
        )
        for term in ranked[:most]
        if _weight(good[term], goods, poor[term], poors) > 0
    ]


def _weight(good: int, goods: int, poor: int, poors: int) -> float:
    """Log odds of standing in a good answer, damped for rare words; 0 for words of any answer."""
    if poors and good * poors - poor * goods < 0.2 * goods * poors:
        return 0.0
    odds = math.log((good + 0.5) / (goods - good + 0.5)) - math.log((poor + 0.5) / (poors - poor + 0.5))
    return odds * math.sqrt(good)


def _words(text: str) -> list[str]:
    return [m[0] for m in TOKEN.finditer(fold(text).text)]


def _terms(text: str, known: set[str], spelt: dict[str, Counter[str]]) -> list[str]:
    """Distinct unknown content words and pairs of neighbours with at least one unknown word."""
    terms: dict[str, None] = {}
    before = ""
    for word in _words(text):
        if not word[0].isalnum() or word in FUNCTION or len(word) < 3:
            before = ""
            continue
        key = stem(word)
        if key not in known:
            terms[key] = None
            spelt.setdefault(key, Counter())[word] += 1
            if before:
                pair = f"{stem(before)} {key}"
                terms[pair] = None
                spelt.setdefault(pair, Counter())[f"{before} {word}"] += 1
        before = word
    return list(terms)
