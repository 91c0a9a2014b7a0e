"""Moodle's XML (categories; choice, numerical and essay questions), and GIFT, its text format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from quizgen.interchange.contract import Exporter, ImportedItem, Importer, ImportResult, carried_fields
from quizgen.interchange.export import template_writer, too_many_keys
from quizgen.interchange.files import decode_text, element_text, parse_xml
from quizgen.interchange.html_text import HTML_LIBRARIES, escape_markdown, html_to_markdown, solution_parts
from quizgen.interchange.import_drafts import (
    imported_item,
    matching_items,
    number_fields,
    options_by_share,
    short_answer_fields,
    unsupported_kind_reason,
)
from quizgen.portable_item import PortableOption
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
            shared, fields = _shared_fields(node, name, topic), _READER_OF_TYPE[kind](node)
            lost = ["its formula is not imported: give it one"] if kind.startswith("calculated") else []
            todo = [*shared.pop("todo"), *lost, *fields.pop("todo", ())]
            yield imported_item(_markdown_at(node, "questiontext"), **{**shared, **fields, "todo": todo})
        elif kind in ("matching", "ddmatch"):
            parts = node.findall("subquestion")
            rows = [(_markdown_at(part), escape_markdown(element_text(part, "answer/text"))) for part in parts]
            yield from matching_items(_markdown_at(node, "questiontext"), rows, **_shared_fields(node, name, topic))
        elif kind == "category":
            topic = _category_name(element_text(node, "category/text"))
        else:
            yield unsupported_kind_reason(name, f"{_NAME_OF_TYPE.get(kind, kind or 'nameless')} question")


def _category_name(path: str) -> str:
    """The last name in a path of categories, in which `//` is a slash."""
    return path.replace("//", "\0").rpartition("/")[2].replace("\0", "/")


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
    return short_answer_fields(rows, match_case=element_text(node, "usecase") == "1")


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


# GIFT: its grammar, and a reader for it.


_ESCAPE_PATTERN = re.compile(r"\\([~=#{}:\\n])")
_CODE_OF_ESCAPED = {mark: chr(code) for code, mark in enumerate("~=#{}:\\n", 1)}
_ESCAPED_OF_CODE = {hidden: "\n" if mark == "n" else mark for mark, hidden in _CODE_OF_ESCAPED.items()}
_HEAD_PATTERN = re.compile(
    r"\s*(?:::(?P<title>.*?)::)?\s*(?:\[(?P<form>html|markdown|plain|moodle)\])?", re.DOTALL | re.I
)
_FORMAT_PATTERN = re.compile(r"\s*\[(html|markdown|plain|moodle)\]", re.IGNORECASE)


def gift_likelihood(data: bytes, suffix: str) -> float:
    if suffix in (".gift", ".gft"):
        return 1.0
    head = data[:20_000].decode("utf-8", "replace")
    bare = re.sub(r"\$\$?[^$\n]+\$\$?|`[^`\n]*`|^(```|~~~).*?^\1", " ", head, flags=re.MULTILINE | re.DOTALL)
    asked = re.findall(r"(?s)(?<!\\)\{\s*(?:=|~|#|TRUE\s*[}#]|FALSE\s*[}#]|T\s*[}#]|F\s*[}#])[^{}]*\}", bare)
    named = re.search(r"(?m)^(::.+?::|\$CATEGORY:)", bare)
    paragraphs = len(re.findall(r"\n\s*\n\s*\S", bare)) + 1
    return 0.9 if asked and (named or 2 * len(asked) >= paragraphs) else 0.0


def read_gift(data: bytes) -> ImportResult:
    return ImportResult.from_pieces(_read_gift_questions(decode_text(data)))


def _read_gift_questions(text_of_file: str) -> Iterator[tuple[int, ImportedItem | str]]:
    """Yields (line number, item) of each question, or (line number, reason why it cannot be read)."""
    topic = ""
    for line, text in _paragraphs(text_of_file):
        labels = " ".join(re.findall(r"^\s*//(.*)$", text, re.MULTILINE))
        rest = re.sub(r"^\s*//.*\n?", "", text, flags=re.MULTILINE)
        if category := re.match(r"\s*\$CATEGORY:(.*)", rest):
            topic = _category_name(category[1].strip())
            rest = rest[category.end() :]
        if not rest.strip():
            continue
        known = re.search(r"\[id:([^\]]+)\]", labels)
        tags = [*re.findall(r"\[tag:([^\]]+)\]", labels), "" if known else topic]
        found = _items_of_gift_question(rest, line, known[1] if known else "", tags)
        if isinstance(found, str):
            yield line, f"{found}: {_unescape(rest).strip()}"
        else:
            yield from ((line, item) for item in found)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yields (line number, text) of each paragraph, with escapes hidden. Blank lines in braces do not separate
    paragraphs; `::` below a closed brace begins one."""
    clean = "".join(c for c in text if c >= " " or c in "\n\t")
    hidden = _ESCAPE_PATTERN.sub(lambda m: _CODE_OF_ESCAPED[m[1]], clean)
    hidden = re.sub(r"(?m)^[ \t]*//.*", lambda comment: re.sub("[{}]", "", comment[0]), hidden)
    joined = re.sub(r"\{[^{}]*\}", lambda answers: answers[0].replace("\n", "\0"), hidden)
    line = 1
    for part in re.split(r"(\n(?:[ \t]*\n)+|(?<=\})[ \t]*\n(?=::))", joined):
        paragraph = part.replace("\0", "\n")
        if paragraph.strip():
            yield line, paragraph
        line += paragraph.count("\n")


def _items_of_gift_question(text: str, line: int, name: str, tags: list[str]) -> list[ImportedItem] | str:
    """The items of one question, or the reason why it cannot be read."""
    head = _HEAD_PATTERN.match(text)
    assert head is not None, "every part of it may be missing"
    form = (head["form"] or "").lower()
    stem, brace, tail = text[head.end() :].partition("{")
    body, closed, after = tail.partition("}")
    if not brace or not closed:
        return "the brace is never closed" if brace else "no answer in braces"
    if "{" in after:
        return "two answers in braces; is a blank line missing?"
    body, _, feedback = body.partition("####")
    answers = body.strip()
    name = name or _unescape(head["title"] or "").strip()
    more: dict[str, Any] = {"line": line, "name": name, "tags": filter(None, tags), **_feedback_parts(feedback, form)}
    if "->" in body and "=" in body and "~" not in body:
        return matching_items(_to_markdown(stem.rstrip(), form), _matching_rows(answers, form), **more)
    fields = _gift_true_false_fields(answers, form) or _gift_number_fields(answers, form)
    fields = fields or _gift_choice_or_short_answer_fields(answers, form)
    stem = _to_markdown(stem.rstrip() + (f" […] {after.lstrip()}" if re.search(r"\w", after) else ""), form)
    return [imported_item(stem, **{**more, **fields})]


def _matching_rows(answers: str, form: str) -> list[tuple[str, str]]:
    """(row, answer) of each answer to a matching question, `=row -> answer`."""
    rows = [answer.partition("->") for _, _, answer, _ in _split_answers(answers)]
    return [(_to_markdown(row, form), _to_markdown(right, form)) for row, _, right in rows]


def _split_answers(text: str) -> Iterator[tuple[str, Fraction | None, str, str]]:
    """Yields (mark, share, text, feedback) of each answer."""
    for mark, inner in re.findall(r"([=~])([^=~]*)", text):
        share = re.match(r"\s*%(-?[\d.]+)%", inner)
        answer, _, feedback = inner[share.end() if share else 0 :].partition("#")
        yield mark, read_number(share[1]) if share else None, answer, feedback


def _gift_true_false_fields(text: str, form: str) -> dict[str, Any]:
    """The fields of the options True and False; empty if the answers `text` are not `T`, `F` or the like."""
    match = re.fullmatch(r"(T|TRUE|F|FALSE)(?:#([^#]*))?(?:#([^#]*))?", text, re.IGNORECASE)
    if match is None:
        return {}
    right = match[1].upper().startswith("T")
    wrong_say, right_say = (_to_markdown(feedback or "", form) for feedback in (match[2], match[3]))
    words = (("True", right), ("False", not right))
    return {"options": [PortableOption(word, key, right_say if key else wrong_say) for word, key in words]}


def _gift_number_fields(text: str, form: str) -> dict[str, Any]:
    """The fields of a number; empty if the answers `text` do not begin with `#`."""
    if not text.startswith("#"):
        return {}
    rows = []
    text = text[1:]
    for mark, share, answer, feedback in _split_answers(text if text.lstrip()[:1] in ("=", "~") else f"={text}"):
        value, _, near = answer.strip().partition(":")
        number, margin = read_number(value), read_number(near or "0") or Fraction(0)
        if span := re.fullmatch(r"(-?[\d.]+?)\.\.(-?[\d.]+)", answer.strip()):
            low, high = read_number(span[1]) or Fraction(0), read_number(span[2]) or Fraction(0)
            number, margin = (low + high) / 2, abs(high - low) / 2
        earned = Fraction(100 * (mark == "=")) if share is None else share
        rows.append((answer, number, margin, earned, _to_markdown(feedback, form)))
    return number_fields(rows)


def _gift_choice_or_short_answer_fields(text: str, form: str) -> dict[str, Any]:
    """The fields of options, or of short answers if every answer is marked as right; empty for an essay."""
    rows = list(_split_answers(text))
    if not rows:
        return {}
    shares = [Fraction(100 * (mark == "=")) if share is None else share for mark, share, _, _ in rows]
    says = [_to_markdown(feedback, form) for _, _, _, feedback in rows]
    if all(mark == "=" for mark, *_ in rows):
        short = [_unescape(_FORMAT_PATTERN.sub("", answer, count=1)) for _, _, answer, _ in rows]
        return short_answer_fields(zip(short, shares, says, strict=True))
    texts = [_to_markdown(answer, form) for _, _, answer, _ in rows]
    options, todo = options_by_share(list(zip(texts, shares, says, strict=True)), allow_several=max(shares) < 100)
    return {"options": options, "policy": "net", "todo": todo}


def _feedback_parts(text: str, form: str) -> dict[str, str]:
    """The fields of the general feedback; of our own HTML also source, model answer and criteria."""
    match = _FORMAT_PATTERN.match(text)
    if (match[1].lower() if match else form) == "html":
        return solution_parts(_unescape(text[match.end() if match else 0 :]))
    return {"rationale": _to_markdown(text, form)}


def _to_markdown(text: str, form: str) -> str:
    """The Markdown of a text in the format that it names itself (`[html]`), or else in the format `form`."""
    match = _FORMAT_PATTERN.match(text)
    form = match[1].lower() if match else form
    shown = _unescape(text[match.end() :] if match else text).strip()
    if form == "markdown":
        return shown
    return html_to_markdown(shown) if form == "html" or re.search(r"</?[a-z][^>]*>", shown) else escape_markdown(shown)


def _unescape(text: str) -> str:
    """The text with the signs that `_paragraphs` hid."""
    return "".join(_ESCAPED_OF_CODE.get(c, c) for c in text)


EXPORTER = Exporter(1, ".xml", carried_fields("moodle"), template_writer("moodle.xml"), too_many_keys)
IMPORTER = Importer(1, format_likelihood, read, HTML_LIBRARIES)
GIFT_EXPORTER = Exporter(1, ".gift", carried_fields("gift"), template_writer("gift.txt", xml=False), too_many_keys)
GIFT_IMPORTER = Importer(1, gift_likelihood, read_gift, HTML_LIBRARIES)
