"""Rubrics from text, and scoring in one line, for the tests of this folder."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from quizgen.rubric.parse import parse_rubric, parse_synonyms
from quizgen.rubric.rubric import Rubric, TextScore
from quizgen.rubric.score import score_text
from quizgen.source.problems import Document
from quizgen.source.yaml import parse_yaml


def read(text: str) -> tuple[Rubric | None, list[str]]:
    """The rubric of an item's YAML and its problems, each as `line:column: message; hint`."""
    doc = Document("bank.yaml")
    node = parse_yaml(textwrap.dedent(text), doc)
    rubric = None
    if node is not None:
        fields = node.mapping("item")
        synonyms = parse_synonyms(fields["synonyms"]) if "synonyms" in fields else {}
        stem = str(fields["stem"].value) if "stem" in fields else ""
        model = str(fields["model_answer"].value) if "model_answer" in fields else ""
        rubric = parse_rubric(fields["rubric"], synonyms, stem, model)
    return rubric, [f"{p.where.line}:{p.where.column}: {p.message}; {p.hint}" for p in doc.problems]


HERE = Path(__file__).parent


def load_rubrics(file: str) -> dict[str, Rubric]:
    """The rubrics of a file of items, by the item's id, or by its key where `items` is no list."""
    doc = Document(file)
    top = parse_yaml((HERE / file).read_text(encoding="utf-8"), doc)
    assert top is not None
    fields = top.mapping("items")
    nodes = fields.items()
    if "items" in fields:
        nodes = {str(node.mapping("item")["id"].value): node for node in fields["items"].entries("items")}.items()
    rubrics = {}
    for name, node in nodes:
        item = node.mapping("item")
        synonyms = parse_synonyms(item["synonyms"]) if "synonyms" in item else {}
        texts = [str(item[field].value) for field in ("stem", "model_answer") if field in item]
        rubric = parse_rubric(item["rubric"], synonyms, *texts)
        assert rubric is not None
        rubrics[name] = rubric
    assert doc.problems == []
    return rubrics


def load_lines(file: str) -> Iterator[tuple[str, str]]:
    """Yields each line of a file of answers with the item whose heading `== id` is above it."""
    name = ""
    for line in (HERE / file).read_text(encoding="utf-8").split("\n"):
        if line.startswith("== "):
            name = line[3:].strip()
        elif line and not line.startswith("#"):
            yield name, line


def rubric_of(text: str) -> Rubric:
    rubric, problems = read(text)
    assert problems == []
    assert rubric is not None
    return rubric


def one(*accept: str, **fields: str) -> Rubric:
    """A rubric of one criterion `c` worth 1 point; fields are written as YAML."""
    extra = "".join(f"\n      {name}: {value}" for name, value in fields.items())
    phrases = ", ".join("'" + phrase.replace("'", "''") + "'" for phrase in accept)
    return rubric_of(f"rubric:\n  criteria:\n    - id: c\n      accept: [{phrases}]{extra}\n")


def statuses(rubric: Rubric, text: str) -> tuple[str, ...]:
    return tuple(m.status for m in score_text(rubric, text).marks)


def status(rubric: Rubric, text: str) -> str:
    return statuses(rubric, text)[0]


def adds_up(scored: TextScore) -> bool:
    """The explanation is the score."""
    return scored.earned == sum(m.earned for m in scored.marks) + sum(a.points for a in scored.adjustments)
