"""Moodle's XML: categories, choice, numerical and essay questions, out and in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from quizgen.interchange import templated
from quizgen.interchange.archive import text_at, xml_of
from quizgen.interchange.contract import Exporter, Found, Importer, Read, carried
from quizgen.interchange.html_text import NEEDS, escaped, solution_parts, unpage
from quizgen.interchange.import_drafts import made, numbered, shared_out
from quizgen.source.problems import read_number


def looks(data: bytes, suffix: str) -> float:
    return 1.0 if re.search(rb"<quiz[\s>]", data[:2000]) and b"<question" in data else 0.0


def read(data: bytes) -> Read:
    return Read.of((0, found) for found in _questions(xml_of(data)))


def _questions(quiz: Element) -> Iterator[Found | str]:
    topic = ""
    for number, node in enumerate(quiz.iter("question"), 1):
        kind = node.get("type", "")
        name = text_at(node, "name/text") or f"question {number}"
        if kind in _READERS:
            yield _found(node, kind, name, topic)
        elif kind == "category":
            topic = text_at(node, "category/text").replace("//", "\0").rpartition("/")[2].replace("\0", "/")
        else:
            yield f'"{name}" is of the type {kind or "(none)"}, which has no like here'


def _found(node: Element, kind: str, name: str, topic: str) -> Found:
    todo = ["its formula is not imported: give it one"] if kind.startswith("calculated") else []
    if node.find(".//file") is not None:
        todo.append("its embedded files are not imported: put the figures beside the bank")
    said = {**solution_parts(text_at(node, "generalfeedback/text")), **_READERS[kind](node)}
    tags = [text_at(tag, "text") for tag in node.iter("tag")]
    return made(
        _text(node, "questiontext"),
        name=text_at(node, "idnumber") or name,
        hints=[_text(hint) for hint in node.iter("hint")],
        points=text_at(node, "defaultgrade"),
        tags=tags or [topic],
        todo=[*todo, *said.pop("todo", ())],
        **said,
    )


def _text(node: Element, path: str = ".") -> str:
    """The text below a path, in Markdown."""
    found = node.find(path)
    text = text_at(node, f"{path}/text")
    form = "html" if found is None else found.get("format", "html")
    return text if form == "markdown" else escaped(text) if form.startswith("plain") else unpage(text)


def _share(answer: Element) -> Fraction:
    return read_number(answer.get("fraction", "0")) or Fraction(0)


def _choice(node: Element) -> dict[str, Any]:
    rows = [(_text(answer), _share(answer), _text(answer, "feedback")) for answer in node.findall("answer")]
    options, todo = shared_out(rows, text_at(node, "single") in ("false", "0"))
    return {"options": options, "policy": "net", "todo": todo}


def _numeric(node: Element) -> dict[str, Any]:
    units = [text_at(u, "unit_name") for u in node.iter("unit") if read_number(text_at(u, "multiplier")) == 1]
    said = numbered(
        (
            text,
            read_number(text),
            read_number(text_at(answer, "tolerance")) or Fraction(0),
            _share(answer),
            _text(answer, "feedback"),
        )
        for answer in node.findall("answer")
        if (text := text_at(answer, "text"))
    )
    if units and "number" in said:
        said["number"] = replace(said["number"], unit=units[0])
    return said


def _essay(node: Element) -> dict[str, Any]:
    parts = solution_parts(text_at(node, "graderinfo/text"))
    return {"model_answer": parts["model_answer"] or parts["rationale"]}


def _short(node: Element) -> dict[str, Any]:
    options, todo = shared_out([(_text(answer), _share(answer), "") for answer in node.findall("answer")], False)
    return {"accepts": [option.text for option in options if option.right], "todo": todo}


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

EXPORTER = Exporter(1, ".xml", carried("moodle"), templated.writer("moodle.xml"), templated.too_many_keys)
IMPORTER = Importer(1, looks, read, NEEDS)
