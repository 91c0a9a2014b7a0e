"""Answers that are no single number: yes and no, words of an enum, tuples, `impossible`, `unbounded`."""

from __future__ import annotations

import re
from typing import Final

from quizgen.formula.quantity import Number, tidy
from quizgen.formula.reading import Reading, show_number
from quizgen.numbers import words as known
from quizgen.numbers.answer import AnswerFormat, AskAgain, listed
from quizgen.numbers.tokens import WORD, tokens

_WORD: Final = re.compile(r"[^\W_]+(?:'\w+)?")
_DOUBT: Final = frozenset(("or", "maybe", "perhaps", "sure", "certain", "depends"))
_SUBJECT: Final = re.compile(r"(?:(?:it|this|that|there|is|'s) )+|it's ")
_GLUED: Final = re.compile(r"(?<![\w.])([^\W\d_]{1,8})(?=\d)")  # TP1 CP1
_NAME_FILLERS: Final = frozenset(("rank", "index", "coordinate", "coordinates", "the", "is", "at", "and", "degree"))
_TUPLE_SIGNS: Final = ("(", ")", "<", ">", ",", ";", "=", "->", ":", ".", "/", "|")


def word_answer(text: str, expected: AnswerFormat) -> Reading | None:
    """The reading of a folded `text` that is not a single number; None where it may be a number. Raises AskAgain."""
    plain = " ".join(text.casefold().split()).strip(" .!,;:\"'()?")
    if expected.unbounded and known.UNBOUNDED.fullmatch(_SUBJECT.sub("", plain, count=1)):
        return Reading("unbounded", expected.unit, "unbounded")
    if expected.shape == "number":
        return _impossible(plain, expected)
    if expected.shape == "truth":
        return _truth(_WORD.findall(plain.replace("¬", "not "))[:8], expected)
    return _enum_word(text, expected) if expected.shape == "word" else _tuple(text, expected)


def _impossible(plain: str, expected: AnswerFormat) -> Reading | None:
    short = _SUBJECT.sub("", plain, count=1)
    if known.IMPOSSIBLE.match(short) or (expected.impossible and short in known.IMPOSSIBLE_IF_EXPECTED):
        return Reading("impossible", expected.unit, "impossible")
    if short == "nan" or known.UNBOUNDED.fullmatch(short):
        raise AskAgain(f'"{short}" is not a finite number: write one')
    return None


def _truth(words: list[str], expected: AnswerFormat) -> Reading:
    negated = not known.NEGATIONS.isdisjoint(words)
    if words and words[0] in known.PLAIN_YES_NO:
        answers = {word in known.YES for word in words[:4] if word in known.PLAIN_YES_NO}
    else:
        answers = {(word in known.YES) != negated for word in words if word in known.YES | (known.NO - known.NEGATIONS)}
        if negated and set(words) <= known.NEGATIONS | {"it", "is", "this", "that", "they", "does", "one"}:
            answers = {False}  # it is not
        answers = set() if _DOUBT.intersection(words) else answers
    if len(answers) != 1:
        raise AskAgain("it is neither yes nor no: write")
    value = answers.pop()
    return Reading(value, expected.unit, "yes" if value else "no")


def _enum_word(text: str, expected: AnswerFormat) -> Reading:
    spaced = f" {_spaced(text)} "
    hits = [word for word in expected.words if f" {_spaced(word)} " in spaced]
    longest = max(hits, key=len, default="")
    if not hits or not all(_spaced(word) in _spaced(longest) for word in hits):
        raise AskAgain(f"it names {'more than one' if hits else 'none'} of the answers: write")
    return Reading(longest, expected.unit, longest)


def _spaced(text: str) -> str:
    return " ".join("".join(char if char.isalnum() else " " for char in text.casefold()).split())


def _tuple(text: str, expected: AnswerFormat) -> Reading:
    """`(1, 0, 1, 1)`, `1 0 1 1`, `tp=1, cp=0, pp=1, dp=1`."""
    values: list[Number] = []
    names: list[str] = []
    sign = 1
    for token in tokens(_GLUED.sub(r"\1 ", text.replace(",", " , "))):
        if token.amount is not None:
            values.append(tidy(token.amount.value * sign))
            sign = 1
        elif token.text == "-":
            sign = 1 if values and not token.gap else -1  # 1-1-0-2
        elif token.kind == WORD:
            names += () if token.low in _NAME_FILLERS else (token.low,)
        elif token.text not in _TUPLE_SIGNS:
            raise AskAgain(f'cannot read "{token.text}" here: write')
    if len(values) != (expected.length or max(len(values), 1)):
        raise AskAgain(f"{len(values)} numbers where {expected.length or 'some'} are asked: write")
    values = [values[place] for place in _order(names, expected.names)] if expected.names else values
    shown = listed([show_number(value) for value in values], expected.names)
    return Reading(tuple(values), expected.unit, shown)


def _order(written: list[str], names: tuple[str, ...]) -> list[int]:
    """The place of each of `names` among the names written, `dp` for `dp_rank`; the order of writing if they do not
    tell. One part may have no name of its own: it takes the name that is left."""
    given, heads = written, [name.casefold() for name in names]
    if sorted(given) != sorted(heads):
        given, heads = ([name.partition("_")[0] for name in some] for some in (given, heads))
    left = [head for head in given if head not in heads]
    if heads.count("") == len(left) == 1:
        heads[heads.index("")] = left[0]
    names_each = len(set(given)) == len(given) and sorted(given) == sorted(heads)
    return [given.index(head) for head in heads] if names_each else list(range(len(names)))
