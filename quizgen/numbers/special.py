"""Answers that are no single number: yes and no, words of an enum, tuples, `impossible`, `unbounded`."""

from __future__ import annotations

import re
from typing import Final

from quizgen.formula.quantity import Number, tidy
from quizgen.formula.reading import Reading, show_number
from quizgen.numbers import words as known
from quizgen.numbers.answer import AnswerFormat, AskAgain, listed
from quizgen.numbers.tokens import SIGN, WORD, tokens

_WORD: Final = re.compile(r"[^\W_]+(?:'\w+)?")
_DOUBT: Final = frozenset(("or", "maybe", "perhaps", "sure", "certain", "depends"))
_SUBJECTS: Final = frozenset(("it", "is", "this", "that", "one", "you", "they", "be", "does"))
_GLUED: Final = re.compile(r"(?<![\w.])([^\W\d_]{1,8})(?=\d)")  # TP1 CP1
_REASON: Final = re.compile(r"(?<=\d)\W*\b(?:because|since)\b.*", re.DOTALL | re.IGNORECASE)
_WORKING: Final = re.compile(r"=[^=,;()a-zA-Z]*(?:\([^()=]*\)[^=,;()a-zA-Z]*)?(?==|->)")  # w = 5 - 1 = 4
_NAME_FILLERS: Final = frozenset(("rank", "index", "coordinate", "coordinates", "the", "is", "at", "and", "degree"))
_TUPLE_SIGNS: Final = ("(", ")", "<", ">", ",", ";", "=", "->", ":", ".", "/", "|")


def word_answer(text: str, expected: AnswerFormat) -> Reading | None:
    """The reading of a folded `text` that is not a single number; None where it may be a number. Raises AskAgain."""
    plain = " ".join(text.casefold().split()).strip(" .!,;:\"'()?")
    if expected.unbounded and plain.removeprefix("it ") in known.UNBOUNDED:
        return Reading("unbounded", expected.unit, "unbounded")
    if expected.shape == "number":
        return _impossible(plain, expected)
    if expected.shape == "truth":
        return _truth(plain, expected)
    if expected.shape == "word":
        return _enum_word(text, expected)
    return _tuple(text, expected)


def _impossible(plain: str, expected: AnswerFormat) -> Reading | None:
    if not plain[:1].isalpha():
        return None
    short = plain.removeprefix("it ").removeprefix("this ").removeprefix("that ")
    long = any(
        short.startswith(phrase) and short[len(phrase) :][:1] in (" ", ",")
        for phrase in known.IMPOSSIBLE
        if len(phrase) > 9
    )
    if short in known.IMPOSSIBLE or long or (expected.impossible and short in known.IMPOSSIBLE_IF_EXPECTED):
        return Reading("impossible", expected.unit, "impossible")
    if short in known.UNBOUNDED or short == "nan":
        raise AskAgain(f'"{short}" is not a finite number: write one')
    return None


def _truth(plain: str, expected: AnswerFormat) -> Reading:
    words = _WORD.findall(plain.replace("¬", "not "))[:8]
    first = words[0] if words else ""
    if first in known.PLAIN_YES_NO:
        answers = {word in known.YES for word in words[:4] if word in known.PLAIN_YES_NO}
    elif set(words) <= known.NEGATIONS | _SUBJECTS:
        answers = {False} if set(words) & known.NEGATIONS else set()  # it is not
    elif set(words) & _DOUBT:
        answers = set()
    else:
        negated = bool(set(words) & known.NEGATIONS)
        answers = {
            (word in known.YES) != negated for word in words if word in known.YES or word in known.NO - known.NEGATIONS
        }
    if len(answers) != 1:
        raise AskAgain("it is neither yes nor no: write")
    value = answers.pop()
    return Reading(value, expected.unit, "yes" if value else "no")


def _enum_word(text: str, expected: AnswerFormat) -> Reading:
    spaced = f" {_spaced(text)} "
    hits = [word for word in expected.words if f" {_spaced(word)} " in spaced or _spaced(word) == spaced.strip()]
    hits = hits or [word for word in expected.words if _spaced(word).replace(" ", "") == spaced.replace(" ", "")]
    longest = max(hits, key=len, default="")
    if not hits or not all(_spaced(word) in _spaced(longest) for word in hits):
        raise AskAgain(f"it names {'more than one' if hits else 'none'} of the answers: write")
    return Reading(longest, expected.unit, longest)


def _spaced(text: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())


def _tuple(text: str, expected: AnswerFormat) -> Reading:
    """`(1, 0, 1, 1)`, `1 0 1 1`, `tp=1, cp=0, pp=1, dp=1`."""
    text = _WORKING.sub("", _REASON.sub("", text))
    values: list[Number] = []
    names: list[str] = []
    sign = 1
    for token in tokens(_GLUED.sub(r"\1 ", text.replace(",", " , "))):
        if token.numeral is not None:
            values.append(tidy(token.numeral.value * sign))
            sign = 1
        elif token.kind == WORD:
            names.append(token.low)
        elif token.text == "-":
            sign = 1 if values and not token.gap else -1  # 1-1-0-2
        elif token.kind == SIGN and token.text not in _TUPLE_SIGNS:
            raise AskAgain(f'cannot read "{token.text}" here: write')
    if not values or (expected.length and len(values) != expected.length):
        wanted = f"{expected.length} numbers" if expected.length else "numbers"
        raise AskAgain(f"{len(values)} numbers where {wanted} are asked: write")
    order = _order([name for name in names if name not in _NAME_FILLERS], expected.names)
    if order is not None and len(order) == len(values):
        values = [values[place] for place in order]
    shown = listed([show_number(value) for value in values], expected.names)
    return Reading(tuple(values), expected.unit, shown)


def _order(written: list[str], names: tuple[str, ...]) -> list[int] | None:
    """The place of each of `names` among the names written, `dp` for `dp_rank`; None if they do not tell. One part may
    have no name of its own: it takes the place that is left."""
    if len(written) != len(names) or len(set(written)) < len(written):
        return None
    places: list[int | None] = []
    for name in names:
        low = name.casefold() or "\0"
        alike = (n for n, w in enumerate(written) if low == w or low.startswith(f"{w}_") or w.startswith(f"{low}_"))
        places.append(next(alike, None))
    left = sorted(set(range(len(written))) - {place for place in places if place is not None})
    if places.count(None) != len(left) or len(left) > 1:
        return None
    return [left[0] if place is None else place for place in places]
