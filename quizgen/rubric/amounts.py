"""Amounts in a response: the `number:` of a criterion, and quantities such as `16 B` in phrases.

Numbers and units are read by the formula engine, so `16 bytes per parameter`, `sixteen bytes` and
`16B/param` are one amount, `16 bit` is another, and 16 never stands inside 116.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from quizgen.rubric.index import Amount, Probe, Target
from quizgen.rubric.passage import Hit, Passage

if TYPE_CHECKING:  # loaded when the first amount is read, or for types alone
    from quizgen.formula.units import Dim, Labels, Unit
    from quizgen.numbers.answer import Lexicon

MAX_NUMBERS: Final = 40  # read in one response
# An amount: from its first digit to the fourth word after it, all of one stretch and before any word that is in no
# unit, or from its first number word to the eighth ("eight thousand one hundred …").
_AMOUNT: Final = re.compile(
    r"\d\S{0,29}(?:[ \t]+(?!(?:the|is|are|was|in|on|at|by|for|from|with|which|that|so|but|as|or|it|then|than|when)\s)"
    r"[^\s.,;:()]{1,16}){0,4}|\S{1,30}(?:[ \t]+\S{1,16}){0,8}"
)
# Words that make the number before them a quantity; spares reading every page and year as one.
_UNITS: Final = re.compile(
    r"-?(?:[kmgtpezy]i?|kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi)?(?:b|bps|bits?|bytes?|w|wh|j|flops?|hz)(?:$|[/p-])"
    r"|%|percent|[mun]?s$|sec|min|h$|hours?|hr|days?|weeks?|years?|x$"
)


@dataclass(frozen=True, slots=True)
class Said:
    """An amount in a response: words `first` to `last`; `unit` is None where none was written."""

    first: int
    last: int
    value: Fraction
    unit: Unit | None


@lru_cache(maxsize=512)
def unit_of(text: str, labels: Labels = ()) -> Unit:
    from quizgen.formula.units import ONE, parse_unit

    return parse_unit(text, labels) if text else ONE


_Term = tuple[Fraction, "Unit | None", int]  # value, unit and length of an amount


@lru_cache(maxsize=4096)
def _term(text: str, unit: str, labels: Labels = ()) -> _Term | None:
    """The amount at the start of `text`, read as an answer in `unit`; `labels` are those of the bank."""
    from quizgen.numbers.amounts import amount_at

    return amount_at(text, unit_of(unit, labels), _lexicon(labels))


@lru_cache(maxsize=64)
def _lexicon(labels: Labels) -> Lexicon:
    from quizgen.numbers.answer import Lexicon

    return Lexicon.of({word: unit_of(word, labels) for one in labels for word in one[:2]})


def find_amounts(probes: list[Probe]) -> tuple[Amount, ...]:
    """The quantities with units that the phrases of a rubric name."""
    by_amount: dict[tuple[Fraction, Dim], list[Target]] = {}
    for number, probe in enumerate(probes):
        for place, slot in enumerate(probe.phrase.slots):
            for alternative in slot:
                if (len(alternative.words) > 1 and alternative.words[0][0].isdigit()) or _glued(alternative.words[0]):
                    term = _term(alternative.text, "")
                    if term is not None and term[1] is not None and term[2] >= len(alternative.text.rstrip("*")):
                        key = (term[0] * term[1].factor, term[1].dim)
                        by_amount.setdefault(key, []).append((number, place, 0))
    return tuple(Amount(value, dim, tuple(targets)) for (value, dim), targets in by_amount.items())


def _glued(word: str) -> bool:
    return word[0].isdigit() and word[-1].isalpha()


def add_amounts(reading: Passage, given: dict[int, list[Hit]]) -> dict[int, list[Hit]]:
    """The hits of rows of words with those for the quantities of phrases among them."""
    more: dict[int, list[Hit]] = {}
    for written in amounts_said(reading, ""):
        if written.unit is None:
            continue
        for amount in reading.index.amounts:
            if amount.dim == written.unit.dim and amount.value == written.value * written.unit.factor:
                for probe, slot, flags in amount.targets:
                    if not any(h[0] == written.first and h[2] == slot for h in given.get(probe, ())):
                        more.setdefault(probe, []).append((written.first, written.last, slot, flags))
    return {**given, **{probe: sorted([*given.get(probe, ()), *hits]) for probe, hits in more.items()}}


def amounts_said(reading: Passage, unit: str, labels: Labels = ()) -> list[Said]:
    """The first amounts of a response, read as answers to something asked in `unit`."""
    amounts: list[Said] = []
    past = -1
    text = reading.folded.original
    for place in [p for p in reading.hot if reading.entries[p].numeral]:
        if place <= past:
            continue
        if not unit and not _with_unit(reading, place):
            continue
        start = reading.span(place, place)[0]
        found_text = _AMOUNT.match(text, start)
        term = _term(found_text[0], unit, labels) if found_text else None
        if term is None:
            continue
        past, end = place, reading.start(place) + term[2]
        while past + 1 < len(reading.entries) and reading.start(past + 1) < end:
            past += 1
        amounts.append(Said(place, past, term[0], term[1]))
        if len(amounts) >= MAX_NUMBERS:
            break
    return amounts


def _with_unit(reading: Passage, place: int) -> bool:
    """Something like a unit follows or hangs on the number."""
    word = reading.entries[place].plain
    hanging = word.lstrip("0123456789.,^")
    if hanging and hanging != word:
        return True
    return _UNITS.match(reading.plain(place + 1)) is not None
