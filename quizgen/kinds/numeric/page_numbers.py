"""What a page without our reader and scorer needs to read and judge the numbers of one variant.

The reader is asked what it makes of a number with each spelling that people may write behind it, so that a page reads
what the terminal reads; what comes out differently for two numbers is left out, and asked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice

from quizgen.formula.factor_slips import slips
from quizgen.formula.mistakes import Target
from quizgen.formula.reading import Reading
from quizgen.formula.tolerance import counted
from quizgen.formula.units import KNOWN_UNITS, Unit, fits
from quizgen.numbers.answer import AnswerFormat, Refusal, example
from quizgen.portable_item import KnownMistake, NumberKey, NumberReaderSettings, UnitReading

ReadText = Callable[[str], Reading | Refusal]

_NOUN = re.compile(r"[a-z][a-z-]{2,}")
_PROBES = (("3.17", Fraction(317, 100)), ("12", Fraction(12)))
_POWERS = range(-6, 16)
_MULTIPLES = ("thousand", "million", "billion", "trillion", "k", "K", "M", "B", "bn", "G", "T")
_RATIOS = ("x", "×", "times", "-fold", "times as many", "times as much", "times the load")
_BYTES = [
    f"{size}{name}"
    for size in ("", "kilo", "mega", "giga", "tera", "peta")
    for name in ("byte", "bytes", "bit", "bits")
] + [f"{size}{name}" for size in ("k", "K", "M", "G", "T", "P") for name in ("bit", "bits", "Bytes")]
_PLACES = ("GPU", "rank", "s", "second", "device", "step")
_PER_SECOND = ("/s", " per second", "/sec", "/second", "ps")
_OTHER_KINDS = ("s", "ms", "h", "days", "GB", "MB", "GB/s", "bytes", "FLOP", "TFLOP/s", "GPUs", "tokens", "$", "%")
_NEAR = Fraction(10**10)  # between the asked unit and another that somebody may write
_SLIPS = 16  # the simplest ones are told; a page is no place for hundreds


def number_reader_settings(expected: AnswerFormat, read: ReadText) -> NumberReaderSettings:
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
    return NumberReaderSettings(
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
    texts = [*symbols, *alike, *_MULTIPLES, *_OTHER_KINDS, *_bytes(unit, known)]
    texts += [case for name in symbols for case in (name.lower(), name.upper())]
    texts += [f"{many} {name}" for many in _MULTIPLES for name in dict.fromkeys([unit.plural, unit.symbol])]
    texts += _with_nouns(expected, known, alike)
    return iter(dict.fromkeys(text for text in texts if text and text != "1"))


def _with_nouns(expected: AnswerFormat, known: Mapping[str, Unit], alike: Sequence[str]) -> list[str]:
    """What is written with a noun of the stem, or for each of something."""
    unit, stem = expected.unit, expected.stem.text.casefold()
    nouns = sorted(set(_NOUN.findall(stem)))
    each = [f"{unit.symbol.partition('/')[0]}{per}{one}" for per in (" per ", "/") for one in _PLACES]
    if unit.symbol == "%":
        return [*each, *(f"% of {noun}" for noun in nouns)]
    if unit.symbol == "USD":
        return [*each, *(f"{many}{name}" for many in _MULTIPLES for name in ("$", " $", " dollars"))]
    if unit.dim.bare or unit.dim.label:
        counted_too = [s for s, u in known.items() if u.dim.label and fits(u.dim, unit.dim)]
        return _of_counts(unit, nouns, counted_too) + re.findall(rf"[a-z-]+ {re.escape(unit.plural)}", stem)
    rates = unit.symbol.endswith("/s") and not _bytes(unit, known)
    return [*each, *(_of_rates(unit, nouns, alike) if rates else ())]


def _of_counts(unit: Unit, nouns: Sequence[str], counted_too: Sequence[str]) -> list[str]:
    """How people write a count: by nouns of the stem and labels that fit; `24x` and `24 times` of a bare number."""
    many = [f"{size} {noun}" for size in ("M", "B", "million", "billion") for noun in nouns]
    return [*(_RATIOS if unit.dim.bare else ()), *counted_too, *nouns, *many]


def _of_rates(unit: Unit, nouns: Sequence[str], alike: Sequence[str]) -> list[str]:
    """How people write so many a second, or in a longer time, with and without a noun."""
    name = unit.plural.partition("/")[0]
    own = [f"{name} {per} {time}" for per in ("per", "a") for time in ("second", "minute", "hour", "day")]
    many = [f"{m}{end}" for m in ("", *_MULTIPLES) for end in ("/s", " per second", f" {name} per minute")]
    many += [f"{size} {one}" for size in _MULTIPLES for one in alike]
    return [*own, *many, *(f"{noun}{per}" for noun in (name, *nouns) for per in _PER_SECOND[:2])]


def _bytes(unit: Unit, known: Mapping[str, Unit]) -> list[str]:
    """Words for bytes and bits where an amount of them, or so much a second, is asked for."""
    amount, _, per = unit.symbol.partition("/")
    if amount not in known or known[amount].dim != known["B"].dim:
        return []
    if not per:
        return _BYTES
    names = [*_BYTES, *(s for s, u in known.items() if u.dim == known["B"].dim and s == u.symbol)]
    return [f"{name}{second}" for name in names for second in _PER_SECOND] if per == "s" else []


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
