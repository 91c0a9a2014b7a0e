"""Moodle's XML: categories, choice, numerical and essay questions, out and in."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from quizgen.interchange import templated
from quizgen.interchange.archive import text_at, xml_of
from quizgen.interchange.contract import Exporter, Found, Importer, Read
from quizgen.interchange.found import made
from quizgen.interchange.unpage import NEEDS, escaped, solution_parts, unpage
from quizgen.plain import PlainNumber, PlainOption
from quizgen.source import read_number

_CARRIES = frozenset({
    "figures",
    "several keys", "policy net", "reasons", "unit", "misconceptions", "model answer", "criteria", "rationale",
    "source", "hints", "topic", "difficulty", "points", "seconds",
})  # fmt: skip


def looks(data: bytes, suffix: str) -> float:
    return 1.0 if re.search(rb"<quiz[\s>]", data[:2000]) and b"<question" in data else 0.0


def read(data: bytes) -> Read:
    items: list[Found] = []
    unread: list[tuple[int, str]] = []
    for number, node in enumerate(xml_of(data).iter("question"), 1):
        kind = node.get("type", "")
        name = text_at(node, "name/text") or f"question {number}"
        if kind in _READERS:
            items.append(_found(node, kind, name))
        elif kind != "category":
            unread.append((0, f'"{name}" is of the type {kind or "(none)"}, which has no like here'))
    return Read(tuple(items), tuple(unread))


def _found(node: Element, kind: str, name: str) -> Found:
    todo = ["its formula is not imported: give it one"] if kind.startswith("calculated") else []
    if node.find(".//file") is not None:
        todo.append("its embedded files are not imported: put the figures beside the bank")
    return made(
        _text(node, "questiontext"),
        name=text_at(node, "idnumber") or name,
        hints=[_text(hint) for hint in node.iter("hint")],
        points=text_at(node, "defaultgrade"),
        tags=[text_at(tag, "text") for tag in node.iter("tag")],
        todo=todo,
        **{**solution_parts(text_at(node, "generalfeedback/text")), **_READERS[kind](node)},
    )


def _text(node: Element, path: str = ".") -> str:
    """The text below a path, in Markdown."""
    found = node.find(path)
    text = text_at(node, f"{path}/text")
    form = "html" if found is None else found.get("format", "html")
    return text if form == "markdown" else escaped(text) if form.startswith("plain") else unpage(text)


def _right(answer: Element) -> bool:
    return (read_number(answer.get("fraction", "0")) or 0) > 0


def _choice(node: Element) -> dict[str, Any]:
    answers = node.findall("answer")
    return {"options": [PlainOption(_text(a), _right(a), _text(a, "feedback")) for a in answers], "policy": "net"}


def _numeric(node: Element) -> dict[str, Any]:
    best: tuple[Fraction, Fraction] | None = None
    wrong: list[tuple[Fraction, str]] = []
    units = [text_at(u, "unit_name") for u in node.iter("unit") if read_number(text_at(u, "multiplier")) == 1]
    for answer in node.findall("answer"):
        value = read_number(text_at(answer, "text"))
        if value is not None and best is None and _right(answer):
            best = value, abs((read_number(text_at(answer, "tolerance")) or Fraction(0)) / (value or 1))
        elif value is not None:
            wrong.append((value, _text(answer, "feedback")))
    if best is None:
        return {}
    return {"number": PlainNumber(best[0], next(iter(units), ""), best[1], tuple(wrong))}


def _essay(node: Element) -> dict[str, Any]:
    parts = solution_parts(text_at(node, "graderinfo/text"))
    return {"model_answer": parts["model_answer"] or parts["rationale"]}


def _short(node: Element) -> dict[str, Any]:
    return {"accepts": [_text(answer) for answer in node.findall("answer") if _right(answer)]}


_READERS = {
    "multichoice": _choice,
    "multichoiceset": _choice,
    "truefalse": _choice,
    "numerical": _numeric,
    "calculated": _numeric,
    "calculatedsimple": _numeric,
    "essay": _essay,
    "shortanswer": _short,
}

EXPORTER = Exporter(1, ".xml", _CARRIES, templated.writer("moodle.xml"), templated.too_many_keys)
IMPORTER = Importer(1, looks, read, NEEDS)
