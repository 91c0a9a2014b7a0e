"""Imports R/exams exercises in Markdown (.Rmd): Question, Solution, Meta-information. Their R code is not run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from quizgen.interchange.contract import ImportedItem, Importer
from quizgen.interchange.files import decode_text
from quizgen.interchange.import_drafts import imported_item, parse_number, unsupported_kind_reason
from quizgen.portable_item import ChoiceOption, PortableNumber
from quizgen.source.problems import read_number

_QUESTION_HEADING_PATTERN = re.compile(r"^Question[ \t]*\n={3,}", re.MULTILINE)
_SECTION_HEADING_PATTERN = re.compile(r"(?m)^(Question|Solution|Meta-information|Answerlist)[ \t]*\n[=-]{3,}[ \t]*$")
_R_CODE_BLOCK_PATTERN = re.compile(r"^```+\s*\{r\b.*?^```+[ \t]*$", re.MULTILINE | re.DOTALL)
_INLINE_R_CODE_PATTERN = re.compile(r"`r [^`]+`")
_META_LINE_PATTERN = re.compile(r"^(ex\w+)(?:\[\w+\])?:[ \t]*(.*)$", re.MULTILINE)


def r_exams_likelihood(data: bytes, suffix: str) -> float:
    text = data[:100_000].decode("utf-8", "replace").replace("\r\n", "\n")
    return 0.95 if _QUESTION_HEADING_PATTERN.search(text) and re.search(r"^extype:", text, re.MULTILINE) else 0.0


def _read_exercises(data: bytes) -> Iterator[tuple[int, ImportedItem | str]]:
    """Yields (line number, item) of each exercise, or (line number, reason why it is none), after the lines above the
    first exercise that are neither code nor front matter."""
    text = decode_text(data)
    starts = [match.start() for match in _QUESTION_HEADING_PATTERN.finditer(text)]
    above = _R_CODE_BLOCK_PATTERN.sub("", text[: starts[0]] if starts else text)
    for line in re.sub(r"(?ms)^---\n.*?^---\n", "", above).split("\n"):
        if line.strip():
            yield 1, line.strip()
    coded, number = bool(_R_CODE_BLOCK_PATTERN.search(text)), 1
    for last, start, end in zip([0, *starts], starts, [*starts[1:], len(text)], strict=False):
        number += text.count("\n", last, start)
        yield number, _item_of_exercise(text[start:end], coded)


def _item_of_exercise(exercise_text: str, file_has_code: bool) -> ImportedItem | str:
    """The item of one exercise, or the reason why it is none. `file_has_code`: the file contains R code."""
    parts: dict[str, str] = {}
    lists: dict[str, list[str]] = {}
    last = ""
    # The sections are what stands between two headings, each with the name before it.
    _, *sections = _SECTION_HEADING_PATTERN.split(_R_CODE_BLOCK_PATTERN.sub("", exercise_text))
    for name, body in zip(sections[::2], sections[1::2], strict=True):
        if name == "Answerlist":
            entries = re.split(r"(?m)^[*-][ \t]+", body)[1:]
            lists[last] = [re.sub(r"\n[ \t]+", "\n", entry).strip() for entry in entries]
        else:
            last, parts[name] = name, body.strip()
    fields = {name: value.strip() for name, value in _META_LINE_PATTERN.findall(parts.get("Meta-information", ""))}
    stem, solution = parts.get("Question", ""), parts.get("Solution", "")
    kind, name = fields.get("extype", ""), fields.get("exname", "")
    if kind in ("cloze", "file", "verbatim"):
        return unsupported_kind_reason(name or stem[:60], f"{'upload' if kind == 'file' else kind} exercise")
    shared: dict[str, Any] = {"name": name, "topic": fields.get("exsection", ""), "points": fields.get("expoints", "")}
    shared["rationale"] = solution
    answer = _answer_fields(kind, fields, lists, solution)
    runs = file_has_code or _INLINE_R_CODE_PATTERN.search(exercise_text)
    todo = [*(["its R code is not run: write the values that it draws"] if runs else []), *answer.pop("todo", ())]
    return imported_item(stem, **{**shared, **answer, "todo": todo})


def _answer_fields(
    kind: str, metadata: Mapping[str, str], answer_lists: Mapping[str, list[str]], solution: str
) -> dict[str, Any]:
    """The fields of options with a key such as `010`, whose feedback is in the list of the solution; of a number with
    its margin; of a short answer; or of a text with the solution as model answer. `answer_lists`: the entries of the
    lists in the question and in the solution."""
    key = metadata.get("exsolution", "")
    if kind in ("schoice", "mchoice"):
        texts, shown = answer_lists.get("Question", []), metadata.get("exshuffle", "")
        known = len(key) == len(texts) and set(key) <= {"0", "1"}
        reasons = [*answer_lists.get("Solution", []), *[""] * len(texts)]
        options = [ChoiceOption(text, known and key[n] == "1", reasons[n]) for n, text in enumerate(texts)]
        todo = [] if known else [f'the key "{key}" fits no option: choose one']
        if shown.isdigit():
            todo.append(f"{shown} of its {len(texts)} options are drawn in the source: here all are shown")
        return {"options": options, "policy": "all", "has_fixed_option_order": shown.upper() == "FALSE", "todo": todo}
    if kind == "num":
        value, margin = parse_number(key), read_number(metadata.get("extol", "")) or Fraction(0)
        if value is None:
            return {"todo": ["the number could not be read: add a formula"]}
        return {"number": PortableNumber.around(value.value, margin)}
    if kind == "string" and key not in ("", "nil") and not _INLINE_R_CODE_PATTERN.search(key):
        return {"accepted_answers": [key.replace("*", "\\*")]}
    return {"model_answer": solution, "rationale": ""}


IMPORTER = Importer.from_item_reader(r_exams_likelihood, _read_exercises)
