"""Moodle's XML (categories; choice, numerical and essay questions), and GIFT, its text format."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any
from xml.etree.ElementTree import Element

from quizgen.interchange import import_drafts as drafts
from quizgen.interchange.contract import ImportedItem, Importer
from quizgen.interchange.export import exporter_with_template, moodle_refusal_reason_or_empty
from quizgen.interchange.files import decode_utf_text, parse_xml, text_at_path
from quizgen.interchange.html_text import HTML_LIBRARY_AND_EXTRA, html_to_markdown, solution_fields, text_to_markdown
from quizgen.portable_item import ChoiceOption
from quizgen.source.problems import read_decimal


def _moodle_items_or_reasons_at_line_0(data: bytes) -> Iterator[tuple[int, ImportedItem | str]]:
    """Yields (0, item) of each question, or (0, reason why it cannot be read)."""
    topic = ""
    for number, node in enumerate(parse_xml(data).iter("question"), 1):
        kind = node.get("type", "nameless")
        name = text_at_path(node, "name/text") or f"question {number}"
        stem = _markdown_at_path(node, "questiontext")
        has_files = any(node.find(f".//{tag}") is not None for tag in ("file", "image_base64"))
        todo = ["its embedded files are not imported: put the figures beside the bank"] if has_files else []
        todo += ["its formula is not imported: give it one"] if kind.startswith("calculated") else []
        shared_fields: dict[str, Any] = {
            **solution_fields(text_at_path(node, "generalfeedback/text")),
            "name": text_at_path(node, "idnumber") or name,
            "hints": [_markdown_at_path(hint) for hint in node.iter("hint")],
            "points": text_at_path(node, "defaultgrade"),
            "tags": [text_at_path(tag, "text") for tag in node.iter("tag")] or [topic],
            "todo": todo,
        }
        if (fields := _item_fields_from_answers_or_none(node, kind)) is not None:
            yield 0, drafts.imported_item(stem, **{**shared_fields, **fields, "todo": [*todo, *fields.get("todo", ())]})
        elif kind in ("matching", "ddmatch"):
            parts = node.findall("subquestion")
            rows = [(_markdown_at_path(part), text_to_markdown(text_at_path(part, "answer/text"))) for part in parts]
            yield from ((0, item) for item in drafts.items_of_matching_rows(stem, rows, **shared_fields))
        elif kind == "category":
            topic = _last_category_name(text_at_path(node, "category/text"))
        else:
            yield 0, drafts.unsupported_kind_reason(name, f"{kind} question")


def _last_category_name(category_path: str) -> str:
    """The last name in a path of categories, in which `//` is a slash."""
    return category_path.replace("//", "\0").rpartition("/")[2].replace("\0", "/")


def _markdown_at_path(node: Element, path: str = ".") -> str:
    """The Markdown of the text at a path below `node`."""
    element, text = node.find(path), text_at_path(node, f"{path}/text")
    form = "html" if element is None else element.get("format", "html")
    convert = text_to_markdown if form.startswith("plain") else html_to_markdown
    return text if form == "markdown" else convert(text)


def _item_fields_from_answers_or_none(question: Element, kind: str) -> dict[str, Any] | None:
    """The fields of the answers to a question; None if its kind has no answers of its own. The model answer and the
    criteria of an essay are from the information for graders."""
    answers = [
        (answer, read_decimal(answer.get("fraction", "0")) or Fraction(0), _markdown_at_path(answer, "feedback"))
        for answer in question.findall("answer")
    ]  # each with its share of the points in percent (below 0 if it takes points away) and its feedback
    if kind in ("multichoice", "multichoiceset", "truefalse"):
        options = [(_markdown_at_path(answer), share, say) for answer, share, say in answers]
        fields = drafts.choice_fields_of_answers(options, text_at_path(question, "single") in ("false", "0"), "net")
        return {**fields, "has_fixed_option_order": text_at_path(question, "shuffleanswers") in ("false", "0")}
    texts = [(text_at_path(answer, "text"), share, say) for answer, share, say in answers]
    if kind == "shortanswer":
        return drafts.text_fields_of_answers(texts, case_matters=text_at_path(question, "usecase") == "1")
    if kind in ("numerical", "calculated", "calculatedsimple"):
        margins = [read_decimal(text_at_path(answer, "tolerance")) or Fraction(0) for answer, _, _ in answers]
        numbers = zip(texts, margins, strict=True)
        fields = drafts.numeric_fields_of_answers((t, read_decimal(t), m, s, say) for (t, s, say), m in numbers if t)
        return _read_units_into_number_field(fields, question)
    if kind == "essay":
        parts = solution_fields(text_at_path(question, "graderinfo/text"))
        return {"model_answer": parts["model_answer"] or parts["rationale"], "criteria": parts["criteria"]}
    return None


def _read_units_into_number_field(fields: dict[str, Any], question: Element) -> dict[str, Any]:
    """The fields of a number in the first unit with the factor 1; a response may use the other units."""
    units = [(text_at_path(u, "unit_name"), read_decimal(text_at_path(u, "multiplier"))) for u in question.iter("unit")]
    unit = next((name for name, factor in units if factor == 1), None)
    if unit is not None and "number" in fields:
        others = tuple((name, 1 / factor) for name, factor in dict(units).items() if factor and name != unit)
        fields["number"] = replace(fields["number"], unit=unit, other_units_with_size=others)
    return fields


# GIFT: its grammar, and a reader for it.

_GIFT_ESCAPED_CHARACTERS = "~=#{}:\\n"  # hidden as the control characters from 1
_GIFT_CHARACTER_BY_PLACEHOLDER = {code: "\n" if c == "n" else c for code, c in enumerate(_GIFT_ESCAPED_CHARACTERS, 1)}
_GIFT_HEAD_PATTERN = re.compile(r"(?is)\s*(?:::(?P<title>.*?)::)?\s*(?:\[(?P<form>html|markdown|plain|moodle)\])?")
_GIFT_FORMAT_TAG_PATTERN = re.compile(r"\s*\[(html|markdown|plain|moodle)\]", re.IGNORECASE)


def gift_likelihood(data: bytes, suffix: str) -> float:
    if suffix in (".gift", ".gft"):
        return 1.0
    head = data[:20_000].decode("utf-8", "replace")
    prose = re.sub(r"\$\$?[^$\n]+\$\$?|`[^`\n]*`|^(```|~~~).*?^\1", " ", head, flags=re.MULTILINE | re.DOTALL)
    answers = re.findall(r"(?s)(?<!\\)\{\s*(?:=|~|#|TRUE\s*[}#]|FALSE\s*[}#]|T\s*[}#]|F\s*[}#])[^{}]*\}", prose)
    title = re.search(r"(?m)^(::.+?::|\$CATEGORY:)", prose)
    paragraphs = len(re.findall(r"\n\s*\n\s*\S", prose)) + 1
    return 0.9 if answers and (title or 2 * len(answers) >= paragraphs) else 0.0


def _line_numbered_gift_items_or_reasons(data: bytes) -> Iterator[tuple[int, ImportedItem | str]]:
    """Yields (line number, item) of each question, or (line number, reason why it cannot be read). Blank lines in
    braces do not separate questions; `::` below a closed brace begins one."""
    text = "".join(c for c in decode_utf_text(data) if c >= " " or c in "\n\t")
    escaped_text = re.sub(r"\\([~=#{}:\\n])", lambda m: chr(_GIFT_ESCAPED_CHARACTERS.index(m[1]) + 1), text)
    escaped_text = re.sub(r"(?m)^[ \t]*//.*", lambda comment: re.sub("[{}]", "", comment[0]), escaped_text)
    joined_text = re.sub(r"\{[^{}]*\}", lambda answers: answers[0].replace("\n", "\0"), escaped_text)
    topic, next_line = "", 1
    for part in re.split(r"(\n(?:[ \t]*\n)+|(?<=\})[ \t]*\n(?=::))", joined_text):
        paragraph, line = part.replace("\0", "\n"), next_line
        next_line += paragraph.count("\n")
        labels = " ".join(re.findall(r"^\s*//(.*)$", paragraph, re.MULTILINE))
        question = re.sub(r"^\s*//.*\n?", "", paragraph, flags=re.MULTILINE)
        if category := re.match(r"\s*\$CATEGORY:(.*)", question):
            topic = _last_category_name(category[1].strip())
            question = question[category.end() :]
        if not question.strip():
            continue
        id_match = re.search(r"\[id:([^\]]+)\]", labels)
        tags = [*re.findall(r"\[tag:([^\]]+)\]", labels), "" if id_match else topic]
        result = _items_or_reason_of_gift_question(question, id_match[1] if id_match else "", tags)
        if isinstance(result, str):
            yield line, f"{result}: {question.translate(_GIFT_CHARACTER_BY_PLACEHOLDER).strip()}"
        else:
            yield from ((line, item) for item in result)


def _items_or_reason_of_gift_question(text: str, name: str, tags: list[str]) -> list[ImportedItem] | str:
    """The items of one question, or the reason why it cannot be read."""
    head = _GIFT_HEAD_PATTERN.match(text)
    assert head is not None, "every part of it may be missing"
    text_format = (head["form"] or "").lower()
    stem, brace, tail = text[head.end() :].partition("{")
    body, closing_brace, remainder = tail.partition("}")
    if not brace or not closing_brace:
        return "the brace is never closed" if brace else "no answer in braces"
    if "{" in remainder:
        return "two answers in braces; is a blank line missing?"
    body, _, feedback = body.partition("####")
    answers = body.strip()
    extras: dict[str, Any] = {"tags": [*filter(None, tags)]}
    extras["name"] = name or (head["title"] or "").translate(_GIFT_CHARACTER_BY_PLACEHOLDER).strip()
    match = _GIFT_FORMAT_TAG_PATTERN.match(feedback)
    if (match[1].lower() if match else text_format) == "html":  # ours holds source, model answer and criteria too
        extras |= solution_fields(feedback[match.end() if match else 0 :].translate(_GIFT_CHARACTER_BY_PLACEHOLDER))
    else:
        extras["rationale"] = _gift_text_to_markdown(feedback, text_format)
    if "->" in body and "=" in body and "~" not in body:
        pairs = [answer.partition("->")[::2] for _, answer, _, _ in _split_gift_answers(answers, text_format)]
        rows = [(_gift_text_to_markdown(a, text_format), _gift_text_to_markdown(b, text_format)) for a, b in pairs]
        return drafts.items_of_matching_rows(_gift_text_to_markdown(stem, text_format), rows, **extras)
    stem = f"{stem.rstrip()} […] {remainder.lstrip()}" if re.search(r"\w", remainder) else stem
    fields = {**extras, **_gift_answer_fields(answers, text_format)}
    return [drafts.imported_item(_gift_text_to_markdown(stem, text_format), **fields)]


def _split_gift_answers(answers_text: str, text_format: str) -> Iterator[tuple[str, str, Fraction, str]]:
    """Yields (mark, text, share in percent, feedback) of each answer."""
    for mark, percent, text, feedback in re.findall(r"([=~])\s*(?:%(-?[\d.]+)%)?([^=~#]*)#?([^=~]*)", answers_text):
        share = read_decimal(percent)
        credit = Fraction(100 if mark == "=" else 0) if share is None else share
        yield mark, text, credit, _gift_text_to_markdown(feedback, text_format)


def _gift_answer_fields(answers_text: str, text_format: str) -> dict[str, Any]:
    """The fields of the options True and False, of a number, of options, or of short answers if every answer is marked
    as right; empty for an essay."""
    if match := re.fullmatch(r"(T|TRUE|F|FALSE)(?:#([^#]*))?(?:#([^#]*))?", answers_text, re.IGNORECASE):
        is_true = match[1].upper().startswith("T")
        on_wrong, on_right = (_gift_text_to_markdown(feedback or "", text_format) for feedback in (match[2], match[3]))
        words = (("True", is_true), ("False", not is_true))
        return {"options": [ChoiceOption(word, key, on_right if key else on_wrong) for word, key in words]}
    if answers_text.startswith("#"):
        marked = re.sub(r"^(?!\s*[=~])", "=", answers_text[1:])  # the mark of a single number may be missing
        rows = _split_gift_answers(marked, text_format)
        return drafts.numeric_fields_of_answers(
            (t, *_gift_number_and_margin(t), share, say) for _, t, share, say in rows
        )
    answers = list(_split_gift_answers(answers_text, text_format))
    if not answers:
        return {}
    if all(mark == "=" for mark, *_ in answers):
        return drafts.text_fields_of_answers(
            (_GIFT_FORMAT_TAG_PATTERN.sub("", text, count=1).translate(_GIFT_CHARACTER_BY_PLACEHOLDER), share, say)
            for _, text, share, say in answers
        )
    options = [(_gift_text_to_markdown(text, text_format), share, say) for _, text, share, say in answers]
    return drafts.choice_fields_of_answers(options, max(share for _, share, _ in options) < 100, "net")


def _gift_number_and_margin(text: str) -> tuple[Fraction | None, Fraction]:
    """The number and the margin in `5:0.5`, or in a range such as `4.5..5.5`."""
    value, _, margin = text.strip().partition(":")
    if span := re.fullmatch(r"(-?[\d.]+?)\.\.(-?[\d.]+)", text.strip()):
        low, high = read_decimal(span[1]) or Fraction(0), read_decimal(span[2]) or Fraction(0)
        return (low + high) / 2, abs(high - low) / 2
    return read_decimal(value), read_decimal(margin or "0") or Fraction(0)


def _gift_text_to_markdown(text: str, text_format: str) -> str:
    """The Markdown of a text in the format that it names itself (`[html]`), or else in the format `text_format`."""
    match = _GIFT_FORMAT_TAG_PATTERN.match(text)
    text_format = match[1].lower() if match else text_format
    body = (text[match.end() :] if match else text).translate(_GIFT_CHARACTER_BY_PLACEHOLDER).strip()
    if text_format == "markdown":
        return body
    is_html = text_format == "html" or re.search(r"</?[a-z][^>]*>", body)
    return html_to_markdown(body) if is_html else text_to_markdown(body)


EXPORTER = exporter_with_template("moodle.xml", ".xml", "moodle", refusal_reason=moodle_refusal_reason_or_empty)
IMPORTER = Importer.from_item_reader(
    lambda data, suffix: float(bool(re.search(rb"<quiz[\s>]", data[:2000])) and b"<question" in data),
    _moodle_items_or_reasons_at_line_0,
    HTML_LIBRARY_AND_EXTRA,
)
GIFT_EXPORTER = exporter_with_template("gift.txt", ".gift", "gift", refusal_reason=moodle_refusal_reason_or_empty)
GIFT_IMPORTER = Importer.from_item_reader(gift_likelihood, _line_numbered_gift_items_or_reasons, HTML_LIBRARY_AND_EXTRA)
