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
from quizgen.rubric.lexicon import NUMBER_WORDS, words
from quizgen.rubric.passage import Hit, Passage

if TYPE_CHECKING:  # loaded when the first amount is read, or for types alone
    from quizgen.formula.units import Dim, Labels, Unit
    from quizgen.numbers.answer import Lexicon

MAX_NUMBERS: Final = 40  # read in one response
# An amount: from its first digit to the fourth word after it, all of one stretch, or from its first number word to
# the eighth ("eight thousand one hundred …").
_AMOUNT: Final = re.compile(r"\d\S{0,29}(?:[ \t]+[^\s.,;:()]{1,16}){0,4}|\S{1,30}(?:[ \t]+\S{1,16}){0,8}")
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
    """The amount at the start of `text`; `labels` are those of the bank. It is read no further than to the first word
    that is no unit, what hangs on a plain number once for all numbers, and most texts once for all units asked."""
    text = _without_rest(text, labels)
    unit = unit if _AMBIGUOUS.search(text) else ""
    number = _PLAIN_NUMBER.match(text)
    if number is not None and not _FIGURES.search(text, number.end()):
        found = _read(f"7{text[number.end() :]}", unit, labels)
        if found is not None:
            return found[0] * Fraction(number[0]) / 7, found[1], found[2] - 1 + number.end()
    return _read(text, unit, labels)


@lru_cache(maxsize=1024)
def _read(text: str, unit: str, labels: Labels) -> _Term | None:
    from quizgen.numbers.amounts import amount_at

    return amount_at(text, unit_of(unit, labels), _lexicon(labels))


@lru_cache(maxsize=64)
def _lexicon(labels: Labels) -> Lexicon:
    from quizgen.numbers.answer import Lexicon

    return Lexicon.of({word: unit_of(word, labels) for one in labels for word in one[:2]})


# What the unit that is asked decides: letters that count or measure (8B, 5m, gb), parts ("2 of 8"), operations.
_AMBIGUOUS: Final = re.compile(r"(?<![A-Za-z])(?:[A-Za-z]|[a-z]b|of|ops|[KMGTP]?OPS)(?![A-Za-z])")
_PLAIN_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?(?:e\d{1,2})?(?=[ A-Za-z%]|$)")
_IDLE: Final = frozenset(words("a an of in the to and by over plus"))
# Where an amount ends in any case: at a mark, a sign that compares, and a sign of calculation that no power follows.
_END: Final = re.compile(r"[.;:,(](?=\s|$)|\s*(?:[=≈→⇒><≤≥]|->|(?:(?<![eE])[-+*x×·]|(?<!\d)/)\s*(?=[\d(])(?!10))")
_DIGIT: Final = re.compile(r"\d")
_FIGURES: Final = re.compile(r"[\d:^*+=-]|/(?![A-Za-z])")
# Words between the parts of an amount, and those that any word may follow as what is counted.
_JOINING: Final = frozenset(
    words(
        """per a an the each every one of in and to by times x over divided plus minus squared cubed half quarter third
        thirds quarters halves point hundred thousand million billion trillion k m dozen percent zero"""
    )
) | frozenset(NUMBER_WORDS)
_COUNTING: Final = frozenset(words("per each every a an one"))


def _without_rest(text: str, labels: Labels) -> str:
    """`16 bytes` of "16 bytes then go"; of "one step in 5 s" all, for "one" beside digits may count nothing."""
    if not text[:1].isdigit() and _DIGIT.search(text):
        return text
    said = _END.split(text, 1)[0].split(" ")
    for place in range(1, len(said)):
        before, word = said[place - 1], said[place].rstrip(".,;:)")
        follows = (before[-1:].isalnum() or before.endswith("%")) and before.lower() not in _COUNTING
        plain = len(word) > 1 and word.isascii() and word.isalpha() and word.lower() not in _JOINING
        if follows and plain and _is_prose(word, labels):
            said = said[:place]
            break
    while len(said) > 1 and said[-1].lower() in _IDLE:
        said.pop()
    return " ".join(said)


@lru_cache(maxsize=1024)
def _is_prose(word: str, labels: Labels) -> bool:
    """After a number the word means nothing. Most words are in no table of the formula engine: those are soon told."""
    from quizgen.numbers.units import spelled_unit
    from quizgen.numbers.words import MAGNITUDE_LETTERS, MAGNITUDE_WORDS

    magnitude = word.lower() in MAGNITUDE_WORDS or word in MAGNITUDE_LETTERS
    if not magnitude and spelled_unit(word, "B", _lexicon(labels)) is None:
        return True
    term = _read(f"7 {word}", "", labels)
    return term is not None and term[1] is None and term[2] == 1


def find_amounts(probes: list[Probe]) -> tuple[Amount, ...]:
    """The quantities with units that the phrases of a rubric name."""
    found: dict[tuple[Fraction, Dim], list[Target]] = {}
    for number, probe in enumerate(probes):
        for place, slot in enumerate(probe.phrase.slots):
            for alternative in slot:
                if (len(alternative.words) > 1 and alternative.words[0][0].isdigit()) or _glued(alternative.words[0]):
                    term = _term(alternative.text, "")
                    if term is not None and term[1] is not None and term[2] >= len(alternative.text.rstrip("*")):
                        key = (term[0] * term[1].factor, term[1].dim)
                        found.setdefault(key, []).append((number, place, 0))
    return tuple(Amount(value, dim, tuple(targets)) for (value, dim), targets in found.items())


def _glued(word: str) -> bool:
    return word[0].isdigit() and word[-1].isalpha()


def add_amounts(reading: Passage, found: dict[int, list[Hit]]) -> dict[int, list[Hit]]:
    """The hits of rows of words with those for the quantities of phrases among them."""
    more: dict[int, list[Hit]] = {}
    for said in amounts_said(reading, ""):
        if said.unit is None:
            continue
        for amount in reading.index.amounts:
            if amount.dim == said.unit.dim and amount.value == said.value * said.unit.factor:
                for probe, slot, flags in amount.targets:
                    if not any(h[0] == said.first and h[2] == slot for h in found.get(probe, ())):
                        more.setdefault(probe, []).append((said.first, said.last, slot, flags))
    return {**found, **{probe: sorted([*found.get(probe, ()), *hits]) for probe, hits in more.items()}}


def amounts_said(reading: Passage, unit: str, labels: Labels = ()) -> list[Said]:
    """The first amounts of a response, read as answers to something asked in `unit`."""
    found: list[Said] = []
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
        said = Said(place, past, term[0], term[1])
        whole = _whole(reading, found[-1], said) if found else None
        if whole is not None:
            found[-1] = whole
            continue
        found.append(said)
        if len(found) >= MAX_NUMBERS:
            break
    return found


def _whole(reading: Passage, large: Said, small: Said) -> Said | None:
    """ "1 min 20 s", "two hours and ten minutes" are one amount."""
    between = [reading.entries[p].plain for p in range(large.last + 1, small.first)]
    if large.unit is None or small.unit is None or between not in ([], ["and"]) or large.unit.dim != small.unit.dim:
        return None
    part = small.value * small.unit.factor / large.unit.factor
    if not 0 < part < 1 or large.value.denominator > 1 or reading.comma_between(large.last, small.first):
        return None
    return Said(large.first, small.last, large.value + part, large.unit)


def _with_unit(reading: Passage, place: int) -> bool:
    """Something like a unit follows or hangs on the number."""
    word = reading.entries[place].plain
    hanging = word.lstrip("0123456789.,^")
    if hanging and hanging != word:
        return True
    return _UNITS.match(reading.plain(place + 1)) is not None
