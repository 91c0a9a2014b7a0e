"""Answers of our own and what a careful human says of each criterion: probes.txt, row by row."""

from __future__ import annotations

import re
from pathlib import Path

from every import every

from quizgen.rubric import Rubric, parse_synonyms, score_text
from quizgen.rubric.parse import parse_rubric
from quizgen.source.problems import Document
from quizgen.source.yaml import parse_yaml

from .rubrics import adds_up

HERE = Path(__file__).parent
LETTERS = {
    "found": "F",
    "partial": "P",
    "hedged": "H",
    "negated": "N",
    "contradicted": "C",
    "missing": "M",
}


def load_rubrics() -> dict[str, Rubric]:
    doc = Document("probe_rubrics.yaml")
    top = parse_yaml((HERE / "probe_rubrics.yaml").read_text(encoding="utf-8"), doc)
    assert top is not None
    rubrics = {}
    for name, node in top.mapping("items").items():
        fields = node.mapping("item")
        synonyms = parse_synonyms(fields["synonyms"]) if "synonyms" in fields else {}
        rubric = parse_rubric(fields["rubric"], synonyms, str(fields["stem"].value))
        assert rubric is not None
        rubrics[name] = rubric
    assert doc.problems == []
    return rubrics


def load_rows() -> list[tuple[str, str, str, str]]:
    rows = []
    name = ""
    for line in (HERE / "probes.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("== "):
            name = line[3:].strip()
        elif line and not line.startswith("#"):
            wanted, answer, why = (part.strip() for part in re.split(r"(?<!\|)\|(?!\|)", line, maxsplit=2))
            rows.append((name, wanted, answer.replace("\\n", "\n").replace("\\t", "\t"), why))
    return rows


RUBRICS = load_rubrics()
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
