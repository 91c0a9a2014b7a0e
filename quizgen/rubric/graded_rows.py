"""Answers with human scores, read from JSON Lines and matched with the items they belong to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from quizgen.rubric.by_hand import Hand, graded_marks, share_by_hand
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.text.tokens import words_of

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
