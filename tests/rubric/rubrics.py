"""Rubrics from text, and scoring in one line, for the tests of this folder."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

from quizgen.rubric.parse import parse_rubric, parse_synonyms_by_word
from quizgen.rubric.rubric import Rubric, TextScore
from quizgen.rubric.score import score_text
from quizgen.source.problems import Node, ProblemCollector
from quizgen.source.yaml import parse_yaml


def read(text: str) -> tuple[Rubric | None, list[str]]:
    """The rubric of an item's YAML and its problems, each as `line:column: message; hint`."""
    doc = ProblemCollector("bank.yaml")
    rubric = rubric_of_item(parse_yaml(textwrap.dedent(text), doc))
    return rubric, [f"{p.location.line}:{p.location.column}: {p.message}; {p.hint}" for p in doc.problems]


def rubric_of_item(node: Node) -> Rubric | None:
    fields = node.mapping("item")
    synonyms = parse_synonyms_by_word(fields["synonyms"]) if "synonyms" in fields else {}
    texts = [str(fields[name].value) if name in fields else "" for name in ("stem", "model_answer")]
    return parse_rubric(fields["rubric"], synonyms, *texts)


HERE = Path(__file__).parent


def load_rubrics(file: str) -> dict[str, Rubric]:
    """The rubrics of a file of items, by the item's id, or by its key where `items` is no list."""
    doc = ProblemCollector(file)
    nodes = parse_yaml((HERE / file).read_text(encoding="utf-8"), doc).mapping("items")
    if "items" in nodes:
        nodes = {str(node.mapping("item")["id"].value): node for node in nodes["items"].entries("items")}
    rubrics = {name: rubric_of_item(node) for name, node in nodes.items()}
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
