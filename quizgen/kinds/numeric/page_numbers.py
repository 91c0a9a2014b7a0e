"""What a page without our reader and scorer needs to read and judge the numbers of one variant.

The reader is asked what it makes of a number with each spelling that people may write behind it, so that a page reads
what the terminal reads; what comes out differently for two numbers is left out, and asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import islice

from quizgen.formula.factor_slips import slips
from quizgen.formula.mistakes import Target
from quizgen.formula.reading import Reading
from quizgen.formula.tolerance import counted
from quizgen.formula.unit_fit import fits
from quizgen.formula.units import KNOWN_UNITS, Unit
from quizgen.numbers.answer import AnswerFormat, Refusal, example
from quizgen.portable_item import KnownMistake, NumberKey, NumberReader, UnitReading

ReadText = Callable[[str], Reading | Refusal]

_NOUN = re.compile(r"[a-z][a-z-]{2,}")
_PROBES = (("3.17", Fraction(317, 100)), ("12", Fraction(12)))
_POWERS = range(-6, 16)
_MULTIPLES = ("thousand", "million", "billion", "trillion", "k", "K", "M", "B", "bn", "G", "T")
_OTHER_KINDS = ("s", "ms", "h", "days", "GB", "MB", "GB/s", "bytes", "FLOP", "TFLOP/s", "GPUs", "tokens", "$", "%")
_PLACES = ("GPU", "rank", "s", "second", "device", "step")
_NEAR = Fraction(10**10)  # between the asked unit and another that somebody may write
_SLIPS = 16  # the simplest ones are told; a page is no place for hundreds


def number_reader(expected: AnswerFormat, read: ReadText) -> NumberReader:
    """How a page reads what is typed where `expected` is asked for. `read` is the terminal's reader for the variant."""
    spellings: dict[str, tuple[UnitReading, ...]] = {}
    for spelling in _spellings(expected):
        ways = [_readings(read(f"{probe} {spelling}"), worth, expected) for probe, worth in _PROBES]
        if ways[0] and ways[0] == ways[1]:
            spellings[spelling] = ways[0]
    bare: list[tuple[int, tuple[UnitReading, ...]]] = []
    for power in _POWERS:
        worth = Fraction(317, 100) * Fraction(10) ** power
        ways_of_bare = _readings(read(f"3.17e{power}"), worth, expected)
        if not bare or bare[-1][1] != ways_of_bare:
            bare.append((power, ways_of_bare))
    unit = f" {expected.unit.symbol}" if expected.unit.symbol not in ("1", "%") else ""
    return NumberReader(
        spellings,
        tuple(bare),
        decimal_comma=_both(read(f"1,234{unit}"), 1000),
        grouping_point=_both(read(f"1.234{unit}"), 1000),
        example=example(expected).removeprefix("such as "),
    )


def _spellings(expected: AnswerFormat) -> Iterator[str]:
    """What people write behind a number: units of its kind that are known here and in the bank, the asked one in any
    case and for each of something, nouns of the stem that it may count, multiples, and some units of other kinds."""
    unit, known = expected.unit, {**KNOWN_UNITS, **expected.lexicon.words}
    near = (unit.factor / _NEAR, unit.factor * _NEAR)
    alike = [s for s, u in known.items() if u.dim == unit.dim and near[0] <= u.factor <= near[1]]
    symbols = dict.fromkeys([unit.symbol, unit.plural, *(s for s in alike if known[s].symbol == s)])
    texts = [*symbols, *alike, *_MULTIPLES, *_OTHER_KINDS]
    texts += [case for name in symbols for case in (name.lower(), name.upper())]
    texts += _counted_or_per(expected, known)
    texts += [f"{many} {name}" for many in _MULTIPLES for name in dict.fromkeys([unit.plural, unit.symbol])]
    return iter(dict.fromkeys(text for text in texts if text and text != "1"))


def _counted_or_per(expected: AnswerFormat, known: Mapping[str, Unit]) -> list[str]:
    """The things that a count may name, known ones and nouns of the stem; of all else the unit per thing and time."""
    unit = expected.unit
    if unit.symbol != "%" and (unit.dim.bare or unit.dim.label):
        things = [s for s, u in known.items() if u.dim.label and fits(u.dim, unit.dim)]
        return things + sorted(set(_NOUN.findall(expected.stem.text.casefold())))
    own = unit.symbol.partition("/")[0]
    return [f"{own}{per}{place}" for per in (" per ", "/") for place in _PLACES]


def _readings(read: Reading | Refusal, worth: Fraction, expected: AnswerFormat) -> tuple[UnitReading, ...]:
    """What the number `worth` was read as: the worth of 1 and its unit, each way once; empty where it is refused."""
    if isinstance(read, Refusal):
        return ()
    ways = (read, *read.others)
    if any(isinstance(one.value, bool | str | tuple) for one in ways):
        return ()
    made = [(Fraction(one.base) / worth, one.unit.symbol, fits(one.unit.dim, expected.unit.dim)) for one in ways]
    return tuple(dict.fromkeys(made))


def _both(read: Reading | Refusal, factor: int) -> bool:
    """Whether there are two readings that are `factor` apart."""
    if isinstance(read, Refusal) or any(isinstance(r.value, bool | str | tuple) for r in (read, *read.others)):
        return False
    bases = [Fraction(one.base) for one in (read, *read.others)]
    return any(one == factor * other for one in bases for other in bases)


def number_key(wanted: Target, words: Iterable[tuple[str, Fraction, str]]) -> NumberKey:
    """What a page holds a response against. `words`: answers in words, what each earns, what is said of it."""
    by_word = {word: (share, say) for word, share, say in words}
    key = wanted.key
    if isinstance(key, tuple):
        return NumberKey(numbers=tuple(Fraction(part) for part in key), words=by_word)
    if isinstance(key, bool | str):
        return NumberKey(words=by_word, named=tuple(_named(wanted)))
    exact = Fraction(key)
    factors = islice(slips(wanted.unit, wanted.degrees, wanted.counted), _SLIPS)
    return NumberKey(
        exact,
        max(abs(exact) * wanted.share, wanted.tolerance.margin),
        wanted.digits,
        counted(exact, wanted.unit),
        tuple(_named(wanted)),
        tuple(
            KnownMistake(s.factor * exact, abs(s.factor * exact), s.say, wanted.credits.get(s.id, Fraction(0)))
            for s in factors
            if exact
        ),
        by_word,
        half=bool(wanted.digits) and "rounded-too-far" not in wanted.credits,
    )


def _named(wanted: Target) -> Iterator[KnownMistake]:
    for known in wanted.known:
        if not isinstance(known.value, bool | str | tuple):
            value = Fraction(known.value)
            yield KnownMistake(value, counted(value, wanted.unit), known.say, known.credit)
