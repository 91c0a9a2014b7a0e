"""Moodle's XML (categories; choice, numerical and essay questions), and GIFT, its text format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from quizgen.interchange.contract import Exporter, ImportedItem, Importer, ImportResult, carried_content_names
from quizgen.interchange.export import too_many_keys_reason, writer_from_template
from quizgen.interchange.files import decode_text, element_text, parse_xml
from quizgen.interchange.html_text import HTML_LIBRARY_AND_EXTRA, escape_markdown, html_to_markdown, solution_fields
from quizgen.interchange.import_drafts import (
    imported_item,
    matching_items,
    numeric_item_fields,
    options_from_answer_shares,
    short_answer_item_fields,
    unsupported_kind_reason,
)
from quizgen.portable_item import PortableOption
from quizgen.source.problems import read_number


def moodle_xml_likelihood(data: bytes, suffix: str) -> float:
    return 1.0 if re.search(rb"<quiz[\s>]", data[:2000]) and b"<question" in data else 0.0


def read_moodle_xml(data: bytes) -> ImportResult:
    return ImportResult.from_pieces((0, found) for found in _read_questions(parse_xml(data)))


def _read_questions(quiz: Element) -> Iterator[ImportedItem | str]:
    """Yields the items of each question, or the reason why it cannot be read."""
    topic = ""
    for number, node in enumerate(quiz.iter("question"), 1):
        kind = node.get("type", "")
        name = element_text(node, "name/text") or f"question {number}"
        if kind in _FIELD_READER_BY_TYPE:
            shared, fields = _common_question_fields(node, name, topic), _FIELD_READER_BY_TYPE[kind](node)
            lost = ["its formula is not imported: give it one"] if kind.startswith("calculated") else []
            todo = [*shared.pop("todo"), *lost, *fields.pop("todo", ())]
            yield imported_item(_markdown_at(node, "questiontext"), **{**shared, **fields, "todo": todo})
        elif kind in ("matching", "ddmatch"):
            parts = node.findall("subquestion")
            rows = [(_markdown_at(part), escape_markdown(element_text(part, "answer/text"))) for part in parts]
            yield from matching_items(
                _markdown_at(node, "questiontext"), rows, **_common_question_fields(node, name, topic)
            )
        elif kind == "category":
            topic = _category_name(element_text(node, "category/text"))
        else:
            yield unsupported_kind_reason(name, f"{_COMMON_NAME_BY_TYPE.get(kind, kind or 'nameless')} question")


def _category_name(category_path: str) -> str:
    """The last name in a path of categories, in which `//` is a slash."""
    return category_path.replace("//", "\0").rpartition("/")[2].replace("\0", "/")


def _common_question_fields(question: Element, name: str, topic: str) -> dict[str, Any]:
    """The fields that questions of every type have."""
    file = any(question.find(f".//{tag}") is not None for tag in ("file", "image_base64"))
    return {
        **solution_fields(element_text(question, "generalfeedback/text")),
        "name": element_text(question, "idnumber") or name,
        "hints": [_markdown_at(hint) for hint in question.iter("hint")],
        "points": element_text(question, "defaultgrade"),
        "tags": [element_text(tag, "text") for tag in question.iter("tag")] or [topic],
        "todo": ["its embedded files are not imported: put the figures beside the bank"] if file else [],
    }


def _markdown_at(node: Element, path: str = ".") -> str:
    """The Markdown of the text at a path below `node`."""
    found = node.find(path)
    text = element_text(node, f"{path}/text")
    form = "html" if found is None else found.get("format", "html")
    return text if form == "markdown" else escape_markdown(text) if form.startswith("plain") else html_to_markdown(text)


def _answer_share_percent(answer: Element) -> Fraction:
    """The share of the points that an answer earns; below 0 if it takes points away."""
    return read_number(answer.get("fraction", "0")) or Fraction(0)


def _choice_fields(question: Element) -> dict[str, Any]:
    answers = question.findall("answer")
    rows = [(_markdown_at(a), _answer_share_percent(a), _markdown_at(a, "feedback")) for a in answers]
    options, todo = options_from_answer_shares(rows, element_text(question, "single") in ("false", "0"))
    ordered = element_text(question, "shuffleanswers") in ("false", "0")
    return {"options": options, "policy": "net", "ordered": ordered, "todo": todo}


def _number_fields(question: Element) -> dict[str, Any]:
    """The fields of a number in the first unit with the factor 1; a response may use the other units."""
    many = {element_text(u, "unit_name"): read_number(element_text(u, "multiplier")) for u in question.iter("unit")}
    units = [name for name, worth in many.items() if worth == 1]
    rows = []
    for answer in question.findall("answer"):
        if text := element_text(answer, "text"):
            margin = read_number(element_text(answer, "tolerance")) or Fraction(0)
            say = _markdown_at(answer, "feedback")
            rows.append((text, read_number(text), margin, _answer_share_percent(answer), say))
    fields = numeric_item_fields(rows)
    if units and "number" in fields:
        others = tuple((name, 1 / worth) for name, worth in many.items() if worth and name != units[0])
        fields["number"] = replace(fields["number"], unit=units[0], units=others)
    return fields


def _essay_fields(question: Element) -> dict[str, Any]:
    """The model answer and the criteria, from the information for graders."""
    parts = solution_fields(element_text(question, "graderinfo/text"))
    return {"model_answer": parts["model_answer"] or parts["rationale"], "criteria": parts["criteria"]}


def _short_answer_fields(question: Element) -> dict[str, Any]:
    answers = question.findall("answer")
    rows = [(element_text(a, "text"), _answer_share_percent(a), _markdown_at(a, "feedback")) for a in answers]
    return short_answer_item_fields(rows, match_case=element_text(question, "usecase") == "1")


# Types reported by their common name.
_COMMON_NAME_BY_TYPE = {
    "multianswer": "cloze",
    "gapselect": "gap-filling",
    "ddwtos": "drag-and-drop",
    **dict.fromkeys(("ddimageortext", "ddmarker"), "drag-and-drop picture"),
    "calculatedmulti": "calculated multiple-choice",
    "description": "text-only",
    "coderunner": "programming",
    "stack": "STACK",
}
_FIELD_READER_BY_TYPE = {
    **dict.fromkeys(("multichoice", "multichoiceset", "truefalse"), _choice_fields),
    **dict.fromkeys(("numerical", "calculated", "calculatedsimple"), _number_fields),
    "essay": _essay_fields,
    "shortanswer": _short_answer_fields,
}


# GIFT: its grammar, and a reader for it.


_GIFT_ESCAPE_PATTERN = re.compile(r"\\([~=#{}:\\n])")
_PLACEHOLDER_BY_ESCAPED_CHARACTER = {mark: chr(code) for code, mark in enumerate("~=#{}:\\n", 1)}
_CHARACTER_BY_PLACEHOLDER = {
    hidden: "\n" if mark == "n" else mark for mark, hidden in _PLACEHOLDER_BY_ESCAPED_CHARACTER.items()
}
_GIFT_QUESTION_HEAD_PATTERN = re.compile(
    r"\s*(?:::(?P<title>.*?)::)?\s*(?:\[(?P<form>html|markdown|plain|moodle)\])?", re.DOTALL | re.I
)
_GIFT_FORMAT_TAG_PATTERN = re.compile(r"\s*\[(html|markdown|plain|moodle)\]", re.IGNORECASE)


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


def _read_gift_questions(file_text: str) -> Iterator[tuple[int, ImportedItem | str]]:
    """Yields (line number, item) of each question, or (line number, reason why it cannot be read)."""
    topic = ""
    for line, text in _gift_paragraphs(file_text):
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
            yield line, f"{found}: {_restore_hidden_characters(rest).strip()}"
        else:
            yield from ((line, item) for item in found)


def _gift_paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yields (line number, text) of each paragraph, with escapes hidden. Blank lines in braces do not separate
    paragraphs; `::` below a closed brace begins one."""
    clean = "".join(c for c in text if c >= " " or c in "\n\t")
    hidden = _GIFT_ESCAPE_PATTERN.sub(lambda m: _PLACEHOLDER_BY_ESCAPED_CHARACTER[m[1]], clean)
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
    head = _GIFT_QUESTION_HEAD_PATTERN.match(text)
    assert head is not None, "every part of it may be missing"
    text_format = (head["form"] or "").lower()
    stem, brace, tail = text[head.end() :].partition("{")
    body, closed, after = tail.partition("}")
    if not brace or not closed:
        return "the brace is never closed" if brace else "no answer in braces"
    if "{" in after:
        return "two answers in braces; is a blank line missing?"
    body, _, feedback = body.partition("####")
    answers = body.strip()
    name = name or _restore_hidden_characters(head["title"] or "").strip()
    more: dict[str, Any] = {
        "line": line,
        "name": name,
        "tags": [*filter(None, tags)],
        **_general_feedback_fields(feedback, text_format),
    }
    if "->" in body and "=" in body and "~" not in body:
        return matching_items(
            _gift_text_to_markdown(stem.rstrip(), text_format), _gift_matching_rows(answers, text_format), **more
        )
    fields = _gift_true_false_fields(answers, text_format) or _gift_number_fields(answers, text_format)
    fields = fields or _gift_choice_or_short_answer_fields(answers, text_format)
    stem = _gift_text_to_markdown(
        stem.rstrip() + (f" […] {after.lstrip()}" if re.search(r"\w", after) else ""), text_format
    )
    return [imported_item(stem, **{**more, **fields})]


def _gift_matching_rows(answers: str, text_format: str) -> list[tuple[str, str]]:
    """(row, answer) of each answer to a matching question, `=row -> answer`."""
    rows = [answer.partition("->") for _, _, answer, _ in _split_gift_answers(answers)]
    return [
        (_gift_text_to_markdown(row, text_format), _gift_text_to_markdown(right, text_format)) for row, _, right in rows
    ]


def _split_gift_answers(answers_text: str) -> Iterator[tuple[str, Fraction | None, str, str]]:
    """Yields (mark, share, text, feedback) of each answer."""
    for mark, inner in re.findall(r"([=~])([^=~]*)", answers_text):
        share = re.match(r"\s*%(-?[\d.]+)%", inner)
        answer, _, feedback = inner[share.end() if share else 0 :].partition("#")
        yield mark, read_number(share[1]) if share else None, answer, feedback


def _gift_true_false_fields(answers_text: str, text_format: str) -> dict[str, Any]:
    """The fields of the options True and False; empty if `answers_text` is not `T`, `F` or the like."""
    match = re.fullmatch(r"(T|TRUE|F|FALSE)(?:#([^#]*))?(?:#([^#]*))?", answers_text, re.IGNORECASE)
    if match is None:
        return {}
    right = match[1].upper().startswith("T")
    wrong_say, right_say = (_gift_text_to_markdown(feedback or "", text_format) for feedback in (match[2], match[3]))
    words = (("True", right), ("False", not right))
    return {"options": [PortableOption(word, key, right_say if key else wrong_say) for word, key in words]}


def _gift_number_fields(answers_text: str, text_format: str) -> dict[str, Any]:
    """The fields of a number; empty if `answers_text` does not begin with `#`."""
    if not answers_text.startswith("#"):
        return {}
    rows = []
    answers_text = answers_text[1:]
    for mark, share, answer, feedback in _split_gift_answers(
        answers_text if answers_text.lstrip()[:1] in ("=", "~") else f"={answers_text}"
    ):
        value, _, near = answer.strip().partition(":")
        number, margin = read_number(value), read_number(near or "0") or Fraction(0)
        if span := re.fullmatch(r"(-?[\d.]+?)\.\.(-?[\d.]+)", answer.strip()):
            low, high = read_number(span[1]) or Fraction(0), read_number(span[2]) or Fraction(0)
            number, margin = (low + high) / 2, abs(high - low) / 2
        earned = Fraction(100 * (mark == "=")) if share is None else share
        rows.append((answer, number, margin, earned, _gift_text_to_markdown(feedback, text_format)))
    return numeric_item_fields(rows)


def _gift_choice_or_short_answer_fields(answers_text: str, text_format: str) -> dict[str, Any]:
    """The fields of options, or of short answers if every answer is marked as right; empty for an essay."""
    rows = list(_split_gift_answers(answers_text))
    if not rows:
        return {}
    shares = [Fraction(100 * (mark == "=")) if share is None else share for mark, share, _, _ in rows]
    says = [_gift_text_to_markdown(feedback, text_format) for _, _, _, feedback in rows]
    if all(mark == "=" for mark, *_ in rows):
        short = [
            _restore_hidden_characters(_GIFT_FORMAT_TAG_PATTERN.sub("", answer, count=1)) for _, _, answer, _ in rows
        ]
        return short_answer_item_fields(zip(short, shares, says, strict=True))
    texts = [_gift_text_to_markdown(answer, text_format) for _, _, answer, _ in rows]
    options, todo = options_from_answer_shares(
        list(zip(texts, shares, says, strict=True)), allow_several_keys=max(shares) < 100
    )
    return {"options": options, "policy": "net", "todo": todo}


def _general_feedback_fields(text: str, text_format: str) -> dict[str, str]:
    """The fields of the general feedback; of our own HTML also source, model answer and criteria."""
    match = _GIFT_FORMAT_TAG_PATTERN.match(text)
    if (match[1].lower() if match else text_format) == "html":
        return solution_fields(_restore_hidden_characters(text[match.end() if match else 0 :]))
    return {"rationale": _gift_text_to_markdown(text, text_format)}


def _gift_text_to_markdown(text: str, text_format: str) -> str:
    """The Markdown of a text in the format that it names itself (`[html]`), or else in the format `text_format`."""
    match = _GIFT_FORMAT_TAG_PATTERN.match(text)
    text_format = match[1].lower() if match else text_format
    shown = _restore_hidden_characters(text[match.end() :] if match else text).strip()
    if text_format == "markdown":
        return shown
    return (
        html_to_markdown(shown)
        if text_format == "html" or re.search(r"</?[a-z][^>]*>", shown)
        else escape_markdown(shown)
    )


def _restore_hidden_characters(text: str) -> str:
    """The text with the signs that `_gift_paragraphs` hid."""
    return "".join(_CHARACTER_BY_PLACEHOLDER.get(c, c) for c in text)


EXPORTER = Exporter(
    1, ".xml", carried_content_names("moodle"), writer_from_template("moodle.xml"), too_many_keys_reason
)
IMPORTER = Importer(1, moodle_xml_likelihood, read_moodle_xml, HTML_LIBRARY_AND_EXTRA)
GIFT_EXPORTER = Exporter(
    1, ".gift", carried_content_names("gift"), writer_from_template("gift.txt", escapes_xml=False), too_many_keys_reason
)
GIFT_IMPORTER = Importer(1, gift_likelihood, read_gift, HTML_LIBRARY_AND_EXTRA)
