"""Answers that are no single number: yes and no, the words of an enum, tuples, `impossible`, `unbounded`."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from quizgen.formula.quantity import Number, tidy
from quizgen.formula.reading.answer import Asked, Reading, Refusal, how, listed
from quizgen.formula.reading.show import show_number
from quizgen.formula.reading.span import NUMBER, SIGN, WORD
from quizgen.formula.reading.tokens import tokens
from quizgen.formula.reading.vocabulary import IMPOSSIBLE, IMPOSSIBLE_IF_ASKED, NO, NOT_FINITE, UNBOUNDED, YES


def bare_words(text: str) -> str:
    """`text` in lower case without punctuation at its ends, single spaces."""
    return " ".join(text.casefold().split()).strip(" .!,;:\"'()?")


def special(said: str, asked: Asked) -> Reading | Refusal | None:
    """`impossible`, `unbounded`, and the words that are no number at all."""
    if asked.shape in ("truth", "word") and said in asked.words:
        return None
    if asked.unbounded and (said in UNBOUNDED or said in NOT_FINITE[1:]):
        return Reading("unbounded", asked.unit, "unbounded")
    if asked.shape == "number":
        said = said.removeprefix("it ").removeprefix("this ")
        long = any(said.startswith(f"{p} ") or said.startswith(f"{p},") for p in IMPOSSIBLE if len(p) > 9)
        if said in IMPOSSIBLE or long or (asked.impossible and said in IMPOSSIBLE_IF_ASKED):
            return Reading("impossible", asked.unit, "impossible")
        if said in NOT_FINITE:
            return Refusal(f'"{said}" is no finite number: write one, {how(asked)}')
    return None


_STRONG: Final = ("yes", "no", "true", "false", "y", "n", "t", "f", "yep", "nope", "yeah", "yup")
_NEGATORS: Final = ("not", "isn't", "doesn't", "cannot", "can't", "won't", "never", "aren't")


_SUBJECTS: Final = ("it", "is", "this", "that", "t", "one", "you", "they", "be")


def truth(said: str, asked: Asked) -> Reading | Refusal:
    found = tokens(said)
    words = ["not" if t.is_sign("¬", "!") else t.low for t in found if t.kind != SIGN or t.is_sign("¬", "!")]
    strong = [w for w in words[:4] if w in _STRONG]
    first = words[0] if words else ""
    if first in _STRONG:
        if len({w in YES for w in strong}) == 1:
            return _said(first in YES, asked)
    else:
        weak = [w in YES for w in words[:8] if w in YES or (w in NO and w not in _NEGATORS)]
        negated = any(w in _NEGATORS for w in words[:8])
        if negated and len(words) <= 4 and all(w in _NEGATORS or w in _SUBJECTS for w in words):
            return _said(False, asked)  # it is not
        doubt = negated and any(w in ("sure", "certain") for w in words)
        if not doubt and len(set(weak)) == 1 and not any(w in ("or", "maybe", "perhaps") for w in words[:8]):
            return _said(weak[0] != negated, asked)
    return Refusal(f"it is neither yes nor no: write {how(asked)[8:]}")


def _said(value: bool, asked: Asked) -> Reading:
    return Reading(value, asked.unit, "yes" if value else "no")


def word(text: str, asked: Asked) -> Reading | Refusal:
    plain = _letters(text)
    hits = [word for word in asked.words if _letters(word) == plain]
    if not hits:
        padded = f" {_spaced(text)} "
        hits = [word for word in asked.words if f" {_spaced(word)} " in padded]
        longest = max((len(word) for word in hits), default=0)
        inside = [w for w in hits if len(w) == longest]
        hits = inside if all(_spaced(w) in _spaced(inside[0]) for w in hits) else hits
    if len(hits) != 1:
        what = "more than one of the answers" if hits else "none of the answers"
        return Refusal(f"it names {what}: write {how(asked)}")
    return Reading(hits[0], asked.unit, hits[0])


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _spaced(text: str) -> str:
    return " ".join("".join(c if c.isalnum() else " " for c in text.casefold()).split())


_GLUED = re.compile(r"(?<![\w.])([^\W\d_]{1,8})(?=\d)()")  # TP1 CP1
_REASON: Final = re.compile(r"(?<=\d)\W*\b(?:because|since)\b.*", re.DOTALL | re.IGNORECASE)
_WORKING: Final = re.compile(r"=(?:[^=,;()a-zA-Z]|\([^()=]*\))*?(?==|->)")  # w = 5 - 1 = 4
_OF_A_RANK: Final = ("rank", "index", "coordinate", "coordinates", "the", "is", "at", "and", "degree")


def _order(written: list[str], asked: tuple[str, ...]) -> list[int] | None:
    """Where each asked part stands among the names written, `dp` for `dp_rank`; None if they do not tell.

    One part may have no name of its own: it is the one that is left.
    """
    if len(written) != len(asked) or len(set(written)) < len(written):
        return None
    places: list[int | None] = []
    for name in asked:
        low = name.casefold() or "\0"
        alike = (n for n, w in enumerate(written) if low == w or low.startswith(f"{w}_") or w.startswith(f"{low}_"))
        places.append(next(alike, None))
    left = sorted(set(range(len(written))) - {p for p in places if p is not None})
    if places.count(None) != len(left) or len(left) > 1:
        return None
    return [left[0] if place is None else place for place in places]


def several(text: str, asked: Asked) -> Reading | Refusal:
    """`(1, 0, 1, 1)`, `1 0 1 1`, `tp=1, cp=0, pp=1, dp=1`."""
    values: list[Number] = []
    names: list[str] = []
    sign = 1
    text = _WORKING.sub("", _REASON.sub("", text))
    spaced = _GLUED.sub(r"\1 \2", text.replace(",", " , "))
    digits = any(char.isdigit() for char in text)  # else numbers are in words
    found = [t if not (digits and t.text[0].isalpha()) else replace(t, kind=WORD) for t in tokens(spaced)]
    for at, token in enumerate(found):
        if token.kind == NUMBER:
            numeral = token.numeral
            if numeral.fault or numeral.decimal is not None:
                return Refusal(f"{token.text} is not one number: write {how(asked)}")
            values.append(tidy(numeral.value * sign))
            sign = 1
        elif token.kind == WORD:
            names.append(token.low)
        elif token.is_sign("-"):
            sign = 1 if at and found[at - 1].kind == NUMBER and not token.gap else -1  # 1-1-0-2
        elif not token.is_sign("(", ")", "[", "]", "<", ">", ",", ";", "=", "=>", "->", ":", ".", "/", "|"):
            return Refusal(f'cannot read "{token.text}" here: write {how(asked)}')
    if not values or (asked.length and len(values) != asked.length):
        wanted = f"{asked.length} numbers" if asked.length else "numbers"
        return Refusal(f"{len(values)} numbers where {wanted} are asked: write {how(asked)}")
    order = _order([name for name in names if name not in _OF_A_RANK], asked.names)
    if order is not None and len(order) == len(values):
        values = [values[place] for place in order]
    return Reading(tuple(values), asked.unit, listed([show_number(v) for v in values], asked.names))
