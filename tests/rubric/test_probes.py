"""Answers of our own and what a careful human says of each criterion: probes.txt, row by row."""

from __future__ import annotations

import re

from every import every

from quizgen.rubric.score import score_text

from .rubrics import adds_up, load_lines, load_rubrics

LETTERS = {"found": "F", "partial": "P", "hedged": "H", "negated": "N", "contradicted": "C", "missing": "M"}


def load_rows() -> list[tuple[str, str, str, str]]:
    rows = []
    for name, line in load_lines("probes.txt"):
        wanted, answer, why = (part.strip() for part in re.split(r"(?<!\|)\|(?!\|)", line, maxsplit=2))
        rows.append((name, wanted, answer.replace("\\n", "\n").replace("\\t", "\t"), why))
    return rows


RUBRICS = load_rubrics("probe_rubrics.yaml")
ROWS = load_rows()


@every(ROWS)
def test_a_probe_is_marked_as_its_line_says(name: str, wanted: str, answer: str, why: str) -> None:
    scored = score_text(RUBRICS[name], answer)
    got = "".join(LETTERS[m.status] for m in scored.marks)
    because = [f"{m.criterion}: {m.status}, {m.because}" for m in scored.marks]
    assert re.fullmatch(wanted, got), (why, answer, because)
    assert adds_up(scored)


def test_there_are_enough_probes() -> None:
    assert len(ROWS) >= 580
    assert {name for name, _, _, _ in ROWS} == set(RUBRICS)
