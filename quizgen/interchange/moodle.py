"""Moodle's XML: categories; choice, numerical and essay questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from quizgen.interchange.contract import Exporter, ImportedItem, Importer, ImportResult, carried_fields
from quizgen.interchange.export import template_writer, too_many_keys
from quizgen.interchange.files import element_text, parse_xml
from quizgen.interchange.html_text import HTML_LIBRARIES, escape_markdown, html_to_markdown, solution_parts
from quizgen.interchange.import_drafts import (
    imported_item,
    matching_items,
    number_fields,
    options_by_share,
    short_answer_fields,
    unsupported_kind_reason,
)
from quizgen.source.problems import read_number


def format_likelihood(data: bytes, suffix: str) -> float:
    return 1.0 if re.search(rb"<quiz[\s>]", data[:2000]) and b"<question" in data else 0.0


def read(data: bytes) -> ImportResult:
    return ImportResult.from_pieces((0, found) for found in _read_questions(parse_xml(data)))


def _read_questions(quiz: Element) -> Iterator[ImportedItem | str]:
    """Yields the items of each question, or the reason why it cannot be read."""
    topic = ""
    for number, node in enumerate(quiz.iter("question"), 1):
        kind = node.get("type", "")
        name = element_text(node, "name/text") or f"question {number}"
        if kind in _READER_OF_TYPE:
            yield _item_of_question(node, kind, name, topic)
        elif kind in ("matching", "ddmatch"):
            parts = node.findall("subquestion")
            rows = [(_markdown_at(part), escape_markdown(element_text(part, "answer/text"))) for part in parts]
            yield from matching_items(_markdown_at(node, "questiontext"), rows, **_shared_fields(node, name, topic))
        elif kind == "category":
            topic = element_text(node, "category/text").replace("//", "\0").rpartition("/")[2].replace("\0", "/")
        else:
            yield unsupported_kind_reason(name, f"{_NAME_OF_TYPE.get(kind, kind or 'nameless')} question")


def _item_of_question(node: Element, kind: str, name: str, topic: str) -> ImportedItem:
    """The item of a question of the type `kind`, which is in `_READER_OF_TYPE`."""
    shared = _shared_fields(node, name, topic)
    if kind.startswith("calculated"):
        shared["todo"].append("its formula is not imported: give it one")
    fields = _READER_OF_TYPE[kind](node)
    shared["todo"] += fields.pop("todo", ())
    return imported_item(_markdown_at(node, "questiontext"), **{**shared, **fields})


def _shared_fields(node: Element, name: str, topic: str) -> dict[str, Any]:
    """The fields that questions of every type have."""
    file = any(node.find(f".//{tag}") is not None for tag in ("file", "image_base64"))
    return {
        **solution_parts(element_text(node, "generalfeedback/text")),
        "name": element_text(node, "idnumber") or name,
        "hints": [_markdown_at(hint) for hint in node.iter("hint")],
        "points": element_text(node, "defaultgrade"),
        "tags": [element_text(tag, "text") for tag in node.iter("tag")] or [topic],
        "todo": ["its embedded files are not imported: put the figures beside the bank"] if file else [],
    }


def _markdown_at(node: Element, path: str = ".") -> str:
    """The Markdown of the text at a path below `node`."""
    found = node.find(path)
    text = element_text(node, f"{path}/text")
    form = "html" if found is None else found.get("format", "html")
    return text if form == "markdown" else escape_markdown(text) if form.startswith("plain") else html_to_markdown(text)


def _share_in_percent(answer: Element) -> Fraction:
    """The share of the points that an answer earns; below 0 if it takes points away."""
    return read_number(answer.get("fraction", "0")) or Fraction(0)


def _choice_fields(node: Element) -> dict[str, Any]:
    answers = node.findall("answer")
    rows = [(_markdown_at(a), _share_in_percent(a), _markdown_at(a, "feedback")) for a in answers]
    options, todo = options_by_share(rows, element_text(node, "single") in ("false", "0"))
    ordered = element_text(node, "shuffleanswers") in ("false", "0")
    return {"options": options, "policy": "net", "ordered": ordered, "todo": todo}


def _numeric_fields(node: Element) -> dict[str, Any]:
    """The fields of a number in the first unit with the factor 1; a response may use the other units."""
    many = {element_text(u, "unit_name"): read_number(element_text(u, "multiplier")) for u in node.iter("unit")}
    units = [name for name, worth in many.items() if worth == 1]
    rows = []
    for answer in node.findall("answer"):
        if text := element_text(answer, "text"):
            margin = read_number(element_text(answer, "tolerance")) or Fraction(0)
            say = _markdown_at(answer, "feedback")
            rows.append((text, read_number(text), margin, _share_in_percent(answer), say))
    fields = number_fields(rows)
    if units and "number" in fields:
        others = tuple((name, 1 / worth) for name, worth in many.items() if worth and name != units[0])
        fields["number"] = replace(fields["number"], unit=units[0], units=others)
    return fields


def _essay_fields(node: Element) -> dict[str, Any]:
    """The model answer and the criteria, from the information for graders."""
    parts = solution_parts(element_text(node, "graderinfo/text"))
    return {"model_answer": parts["model_answer"] or parts["rationale"], "criteria": parts["criteria"]}


def _short_answer_fields(node: Element) -> dict[str, Any]:
    answers = node.findall("answer")
    rows = [(element_text(a, "text"), _share_in_percent(a), _markdown_at(a, "feedback")) for a in answers]
    return short_answer_fields(rows, cased=element_text(node, "usecase") == "1")


# Types reported by their common name.
_NAME_OF_TYPE = {
    "multianswer": "cloze",
    "gapselect": "gap-filling",
    "ddwtos": "drag-and-drop",
    **dict.fromkeys(("ddimageortext", "ddmarker"), "drag-and-drop picture"),
    "calculatedmulti": "calculated multiple-choice",
    "description": "text-only",
    "coderunner": "programming",
    "stack": "STACK",
}
_READER_OF_TYPE = {
    **dict.fromkeys(("multichoice", "multichoiceset", "truefalse"), _choice_fields),
    **dict.fromkeys(("numerical", "calculated", "calculatedsimple"), _numeric_fields),
    "essay": _essay_fields,
    "shortanswer": _short_answer_fields,
}

EXPORTER = Exporter(1, ".xml", carried_fields("moodle"), template_writer("moodle.xml"), too_many_keys)
IMPORTER = Importer(1, format_likelihood, read, HTML_LIBRARIES)
