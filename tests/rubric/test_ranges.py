"""Rubrics as a careful author writes them in ten minutes, and answers with the share of the points that a human
gives: denials, hedges, corrections, both ways at once, and many right wordings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from every import every

from quizgen.rubric import Rubric, parse_synonyms, score_text
from quizgen.rubric.parse import parse_rubric
from quizgen.source.problems import Document
from quizgen.source.yaml import parse_yaml

HERE = Path(__file__).parent


def load_rubrics() -> dict[str, Rubric]:
    doc = Document("range_items.yaml")
    top = parse_yaml((HERE / "range_items.yaml").read_text(encoding="utf-8"), doc)
    assert top is not None
    rubrics = {}
    for node in top.mapping("bank")["items"].entries("items"):
        fields = node.mapping("item")
        synonyms = parse_synonyms(fields["synonyms"]) if "synonyms" in fields else {}
        texts = [str(fields[name].value) for name in ("stem", "model_answer")]
        rubric = parse_rubric(fields["rubric"], synonyms, *texts)
        assert rubric is not None
        rubrics[str(fields["id"].value)] = rubric
    assert doc.problems == []
    return rubrics


def load_rows() -> list[tuple[str, str, Fraction, Fraction, str]]:
    rows = []
    name = ""
    for line in (HERE / "ranges.txt").read_text(encoding="utf-8").split("\n"):
        if line.startswith("== "):
            name = line[3:].strip()
        elif line and not line.startswith("#"):
            head, answer = line.split(" | ", 1)
            kind, least, most = head.split()
            rows.append((name, kind, Fraction(least), Fraction(most), answer.replace("\\n", "\n")))
    return rows


RUBRICS = load_rubrics()
ROWS = load_rows()


def test_there_are_enough_answers() -> None:
    assert len(ROWS) >= 560


@every(ROWS)
def test_the_score_is_what_a_careful_human_gives(
    name: str, kind: str, least: Fraction, most: Fraction, answer: str
) -> None:
    found = score_text(RUBRICS[name], answer)
    share = found.earned / found.possible
    assert least <= share <= most, [(m.criterion, m.status, m.because) for m in found.marks]


@every(sorted(RUBRICS))
def test_the_model_answer_earns_full_marks_and_the_stem_none(name: str) -> None:
    rubric = RUBRICS[name]
    assert score_text(rubric, rubric.model_answer).earned == rubric.possible
    assert score_text(rubric, rubric.stem).earned * 20 <= rubric.possible
