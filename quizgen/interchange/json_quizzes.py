"""Import of JSON: jupyterquiz, Open Trivia DB, and lists of objects whose keys are known column names."""

from __future__ import annotations

import html
import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from quizgen.interchange import import_drafts as drafts
from quizgen.interchange.contract import CannotRead, ImportedItem, Importer, ImportResult
from quizgen.interchange.sheets import column_meanings, item_of_cells
from quizgen.portable_item import ChoiceOption, decimal
from quizgen.source.problems import read_number

MAX_NESTING_DEPTH = 4  # depth of the list of items in a file
_IS_RIGHT_FIELD_NAMES = ("correct", "isCorrect", "is_correct", "right", "isRight", "isAnswer", "is_answer")
_OPTION_TEXT_FIELD_NAMES = (
    "text", "answer", "option", "content", "label", "value", "answerText", "optionText", "title",
)  # fmt: skip
_OPTION_NAME_FIELD_NAMES = ("id", "key", "label", "letter", "value")  # fields by which the key may name an option
_WRONG_ANSWER_FIELD_NAMES = ("incorrect_answers", "incorrectAnswers", "wrong_answers", "wrongAnswers", "distractors")

QuizObject = Mapping[str, Any]


def json_likelihood(data: bytes, suffix: str) -> float:
    if suffix != ".json" and data.lstrip(b"\xef\xbb\xbf \r\n\t")[:1] not in (b"[", b"{"):
        return 0.0
    try:
        rows = _outermost_objects(data)
    except CannotRead:
        return 0.0
    return 0.9 if any(not isinstance(_item_of_object(row, 0), str) for row in rows) else 0.0


def _outermost_objects(data: bytes) -> list[QuizObject]:
    """The outermost list of objects. Raises CannotRead."""
    try:
        values = [json.loads(data)]
    except (ValueError, RecursionError) as error:
        raise CannotRead(f"not well-formed JSON ({type(error).__name__}: {error})") from None
    for _ in range(MAX_NESTING_DEPTH + 1):
        for value in values:
            if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
                return value
        inside = (v.values() if isinstance(v, dict) else v for v in values if isinstance(v, dict | list))
        values = [*chain.from_iterable(inside)]
    raise CannotRead("the JSON has no list of objects")


def read_json(data: bytes) -> ImportResult:
    rows = _outermost_objects(data)
    indexes = (_option_indexes_of_key(*_texts_options_key_and_todos(row)[1:3]) for row in rows)
    first = min(chain.from_iterable(indexes), default=0)
    return ImportResult.from_numbered_items((number, _item_of_object(row, first)) for number, row in enumerate(rows, 1))


def _item_of_object(quiz_object: QuizObject, first_option_index: int) -> ImportedItem | str:
    """The item of one object, or the reason why it is none. Keys in the file count options from `first_option_index` (0
    or 1)."""
    if isinstance(quiz_object.get("answers"), list) and quiz_object.get("type") in _JUPYTER_FIELD_READER_BY_TYPE:
        code = f"\n\n```python\n{quiz_object['code']}\n```" if quiz_object.get("code") else ""
        stem = f"{quiz_object.get('question', '')}{code}".strip()
        return drafts.imported_item(stem, **_JUPYTER_FIELD_READER_BY_TYPE[quiz_object["type"]](quiz_object))
    wrong = next((w for name in _WRONG_ANSWER_FIELD_NAMES if isinstance(w := quiz_object.get(name), list)), None)
    if wrong is not None and "question" in quiz_object:  # Open Trivia DB and similar
        right = quiz_object.get("correct_answer", quiz_object.get("correctAnswer", quiz_object.get("answer")))
        texts = (html.unescape(str(quiz_object.get(name, ""))) for name in ("question", "category", "difficulty"))
        stem, topic, level = texts
        if not isinstance(right, str):
            return drafts.unsupported_kind_reason(stem[:60], "question without one right answer")
        options = [ChoiceOption(html.unescape(str(text)), n == 0) for n, text in enumerate((right, *wrong))]
        return drafts.imported_item(stem, options=options, topic=topic, difficulty=level)
    return _item_of_object_with_own_fields(quiz_object, first_option_index)


# -- jupyterquiz: `type`, `question`, `code`, `answers` with `correct` and `feedback`


def _jupyter_choice_fields(quiz_object: QuizObject) -> dict[str, Any]:
    rows = []
    for answer in quiz_object["answers"]:
        text = f"```python\n{answer['code']}\n```" if answer.get("code") else str(answer.get("answer", ""))
        rows.append((text, *_percent_and_feedback(answer)))
    return drafts.choice_item_fields(rows, quiz_object["type"] == "many_choice", "all")


def _jupyter_number_fields(quiz_object: QuizObject) -> dict[str, Any]:
    rows: list[tuple[str, Fraction | None, Fraction, Fraction, str]] = []
    for answer in quiz_object["answers"]:
        value, span = str(answer.get("value")), answer.get("range")
        number, margin = read_number(value), Fraction(0)
        ends = [read_number(str(end)) for end in span] if isinstance(span, list) else []
        limits = [end for end in ends if end is not None]
        if len(limits) == 2:
            low, high = limits
            value, number, margin = f"{decimal(low)} to {decimal(high)}", (low + high) / 2, abs(high - low) / 2
        rows.append((value, number, margin, *_percent_and_feedback(answer)))
    fields = drafts.numeric_item_fields(rows)
    digits = read_number(str(quiz_object.get("precision", "")))
    if digits and "number" in fields and fields["number"].relative_tolerance == 0:
        fields["todo"].append(f"it is compared to {decimal(digits)} digits in the source: give it a tolerance")
    return fields


def _jupyter_short_answer_fields(quiz_object: QuizObject) -> dict[str, Any]:
    answers = quiz_object["answers"]
    rows = [(str(a.get("answer", "")).replace("*", "\\*"), *_percent_and_feedback(a)) for a in answers]
    match_case = any(answer.get("match_case") for answer in answers if answer.get("correct") is True)
    fields = drafts.short_answer_item_fields(rows, match_case)
    return fields if fields["accepted_answers"] else {"todo": ["the source gives no answer"]}


def _percent_and_feedback(answer: QuizObject) -> tuple[Fraction, str]:
    """100 for a right answer, else 0; and its feedback."""
    return Fraction(100 if answer.get("correct") is True else 0), str(answer.get("feedback") or "")


_JUPYTER_FIELD_READER_BY_TYPE = {
    **dict.fromkeys(("multiple_choice", "many_choice"), _jupyter_choice_fields),
    "numeric": _jupyter_number_fields,
    "string": _jupyter_short_answer_fields,
}


# -- objects with fields of the author's own


def _option_indexes_of_key(options: Sequence[Any], key: Any) -> list[int]:
    """The places of the options that a key names: 2, [1, 3], or "2" if no option is 2; empty if it names them in
    another way. A number is no place if an option is that number, and not its digits as text."""
    written = [str(place) for place in (key if isinstance(key, list) else [key])]
    texts = [str(option) for option in options if isinstance(option, int) or not isinstance(key, int)]
    return [int(place) for place in written] if all(p.isdecimal() and p not in texts for p in written) else []


def _item_of_object_with_own_fields(quiz_object: QuizObject, first_option_index: int) -> ImportedItem | str:
    """The item of an object, by the names of its keys. Its options are a list, an object, or a list of objects that say
    whether they are right."""
    texts, options, key, lost = _texts_options_key_and_todos(quiz_object)
    if not texts.get("stem"):
        return json.dumps(quiz_object, ensure_ascii=False)[:200]
    if isinstance(quiz_object.get("code"), str):
        texts["stem"] += f"\n\n```\n{quiz_object['code']}\n```"
    if marked := [option for option in options if isinstance(option, dict)]:
        return item_of_cells(texts, todo=lost, options=[_option_of_object(option, key) for option in marked])
    places = _option_indexes_of_key(options, key) if options else []
    if places and first_option_index == 0 and (max(places) < len(options) or str(key) not in map(str, options)):
        by_place = [ChoiceOption(str(option), n in places) for n, option in enumerate(options)]
        if any(option.text == str(key) and not option.is_right for option in by_place):
            lost.append(f'the key "{key}" is read as a place: is it the text of an option?')
        return item_of_cells(texts, todo=lost, options=by_place)
    if places and max(places) < len(options):
        lost.append("its key is a position: does it count from 1?")
    texts |= {f"option {n}": str(option) for n, option in enumerate(options, 1)}
    texts |= {"key": ", ".join(map(str, key)) if isinstance(key, list) else str(key)} if key is not None else {}
    return item_of_cells(dict(filter(all, texts.items())), todo=lost)


def _option_of_object(option: QuizObject, key: Any) -> ChoiceOption:
    """An option from an object that says whether it is right, or whose name is the key or one of several."""
    keys = key if isinstance(key, list) else [key]
    named = any(option.get(name) in keys for name in _OPTION_NAME_FIELD_NAMES if option.get(name) is not None)
    texts = (option.get(name) for name in _OPTION_TEXT_FIELD_NAMES)
    text = next((text for text in texts if text not in (None, "", True, False)), "")
    return ChoiceOption(str(text), named or any(option.get(name) is True for name in _IS_RIGHT_FIELD_NAMES))


def _texts_options_key_and_todos(quiz_object: QuizObject) -> tuple[dict[str, str], Sequence[Any], Any, list[str]]:
    """The texts of an object by meaning, its options, its key unchanged, and a todo for each other key."""
    texts: dict[str, str] = {}
    lost: list[str] = []
    options: Sequence[Any] = ()
    key: Any = None
    for column, (name, value) in zip(column_meanings([*quiz_object]), quiz_object.items(), strict=True):
        if column == "options" and isinstance(value, dict | list):
            options = list(value.values()) if isinstance(value, dict) else value
        elif column == "key" and not isinstance(value, dict):
            key = value
        elif column and isinstance(value, str | int | float) and value != "":
            texts.setdefault(column, str(value))
        elif column in ("topic", "hints", "given") and isinstance(value, list):
            texts.setdefault(column, (", " if column == "topic" else "\n").join(map(str, value)))
        elif value not in (None, "", [], {}):
            lost.append(f"field {name} is not imported: {str(value)[:60]}")
    return texts, options, key, lost


IMPORTER = Importer(1, json_likelihood, read_json)
