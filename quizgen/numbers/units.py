"""Units as people spell them: one word, a phrase, and products and quotients of these."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.unit_table import CURRENCY, FLOP, INFORMATION, SI, TIME
from quizgen.formula.units import CENTS, KNOWN_UNITS, ONE, WRITTEN, Unit, own_money
from quizgen.numbers import words as known
from quizgen.numbers.answer import EMPTY_LEXICON, AnswerFormat, Lexicon
from quizgen.numbers.tokens import END, NUMBER, WORD, Line, ResponseToken

SECOND: Final = KNOWN_UNITS["s"]
DAY: Final = 86400
_DATA: Final = re.compile(r"(?!eb$)(k|m|g|t|p|e|ki|mi|gi|ti|pi|ei|(?=bps))b(s|ps)?")
UnitAt = tuple[Unit, int]  # a unit and the place behind its last token


def _spellings() -> dict[str, Unit]:
    table = {name.casefold(): unit for name, unit in KNOWN_UNITS.items() if unit.dim.label}
    for low, prefix in known.PREFIXES.items():
        for word, symbol in known.PREFIXED_WORDS.items():
            if prefix + symbol in KNOWN_UNITS:
                table.setdefault(low + word, KNOWN_UNITS[prefix + symbol])
    return table | {word: KNOWN_UNITS[symbol] for word, symbol in known.UNIT_WORDS.items()} | known.MORE_UNITS


SPELLINGS: Final = _spellings()
# Several words in a row: `per cent`, `micro batches`.
PHRASES: Final[dict[tuple[str, ...], Unit]] = {
    **{tuple(name.split("-")): unit for name, unit in SPELLINGS.items() if "-" in name},
    **{words: SPELLINGS.get(name) or KNOWN_UNITS[name] for words, name in known.UNIT_PHRASES.items()},
}


@lru_cache(maxsize=4096)
def over(unit: Unit, below: Unit) -> Unit:
    """The quotient of two units: `GB/s`."""
    symbol = f"{unit.symbol}/{below.symbol}"
    return Unit(symbol, Fraction(unit.factor) / below.factor, unit.dim / below.dim, unit.labels + below.labels)


@lru_cache(maxsize=8192)
def spelled_unit(word: str, letter: str = "B", lexicon: Lexicon = EMPTY_LEXICON) -> Unit | None:
    """The unit that one word spells, None if it spells none. `letter` (b or B) is what `gb` means; the words of a bank
    go before all others.

    >>> spelled_unit("gigabytes").symbol, spelled_unit("Gbps").symbol, spelled_unit("Mtokens").symbol
    ('GB', 'Gb/s', 'Mtoken')
    """
    low = word.casefold()
    own = next((lexicon.words[name] for name in (low, *WRITTEN.get(low, ())) if name in lexicon.words), None)
    if own is not None or not word or word in known.UNCLEAR_UNITS:
        return own
    if word in KNOWN_UNITS and word not in ("1", "kb"):
        return KNOWN_UNITS[word]
    data = _DATA.fullmatch(low)
    if data is not None:
        return _data_unit(word, data, letter)
    if low in SPELLINGS:
        return SPELLINGS[low] if len(word) > 1 or word == low or word in "JWXS" else None
    return _prefixed_count(word, lexicon) if len(word) > 3 and word[0] in "kKMGT" else None


def _prefixed_count(word: str, lexicon: Lexicon) -> Unit | None:
    """A decimal prefix before a counted thing, money or a word of the bank: `Mtokens`, `ktok`, `MUSD`."""
    rest = spelled_unit(word[1:], "B", lexicon)
    if rest is None or not (rest.dim.label or rest.symbol == "USD" or word[1:].casefold() in lexicon.words):
        return None
    if word[0] == "T" and own_money(rest.dim):
        return None  # TEUR are thousands to some
    prefix = word[0].replace("K", "k")
    return Unit(prefix + rest.symbol, SI[prefix] * rest.factor, rest.dim, rest.labels)


def _data_unit(word: str, data: re.Match[str], letter: str) -> Unit | None:
    """`GB`, `gbps`, `KB`: bytes or bits by the case of the letter, by `letter` where all is in lower case."""
    written = word[len(data[1])] if word != data[0] else "b" if data[2] == "ps" else letter
    unit = KNOWN_UNITS.get(known.PREFIXES[data[1]] + written)
    return over(unit, SECOND) if data[2] == "ps" and unit is not None else unit


def period_of(unit: Unit) -> Unit | None:
    """The time that `unit` is per: s of `GB/s`, month of `USD/month`."""
    name = unit.symbol.rpartition("/")[2] if "/" in unit.symbol else ""
    time = known.PERIODS.get(name) or KNOWN_UNITS.get(name)
    return time if time is not None and time.dim == SECOND.dim else None


class UnitParser:
    """Finds units among `tokens` of a response to `expected`."""

    __slots__ = ("_atoms", "expected", "letter", "tokens")

    def __init__(self, tokens: Line, expected: AnswerFormat) -> None:
        self.tokens = tokens
        self.expected = expected
        unit = expected.unit
        bits = unit.dim.power(INFORMATION) and unit.symbol.partition("/")[0].endswith("b")
        self.letter = "b" if bits else "B"  # of `gb`
        self._atoms: dict[int, UnitAt | None] = {}  # by place, for each is asked for several times

    def at(self, place: int) -> ResponseToken:
        return self.tokens[place] if 0 <= place < len(self.tokens) else END

    def unit(self, place: int) -> UnitAt | None:
        """The longest unit at `place`: `GB/s`, `bytes per parameter`, `GPU hours`, `1/s`."""
        one = self.at(place).text == "1" and self.at(place + 1).text == "/" and self.atom(place + 2) is not None
        head = (ONE, place + 1) if one else self.atom(place)
        return None if head is None else self.divided(*head)

    def atom(self, place: int) -> UnitAt | None:
        """One unit without products: the longest phrase of the bank, a phrase of the table, a word."""
        if place not in self._atoms:
            token = self.at(place)
            self._atoms[place] = self._atom(token, place) if token.kind == WORD else None
        return self._atoms[place]

    def _atom(self, token: ResponseToken, place: int) -> UnitAt | None:
        phrase = self._phrase(place)
        if phrase is not None:
            return phrase
        unit = self._expected_alone(token) or spelled_unit(token.text, self.letter, self.expected.lexicon)
        if unit is None:
            return None
        power = self.at(place + 2).text if self.at(place + 1).text == "**" else ""
        if power in ("2", "3"):  # FLOP/param**2
            n = int(power)
            return Unit(f"{unit.symbol}**{n}", unit.factor**n, unit.dim**n, unit.labels), place + 3
        return self._in_the_expected_kind(unit, token, place), place + 1

    def _phrase(self, place: int) -> UnitAt | None:
        """Two or three words that are one unit, with hyphens or without: `micro-batches`, `index pages`."""
        after = self.at(place + 1)
        if after.kind != WORD and after.text != "-":
            return None
        lows = [self.at(place + i).low for i in range(5)]
        plain = [low for low in lows if low != "-"]
        for size in (3, 2):
            words = tuple(plain[:size])
            unit = self.expected.lexicon.phrases.get(words) or PHRASES.get(words)
            if unit is not None:
                return unit, place + size + sum(low == "-" for low in lows[: size + 1])
        return None

    def _expected_alone(self, token: ResponseToken) -> Unit | None:
        """Words that what is expected gives a meaning, whatever the bank writes by them: minutes, cents."""
        expected, own = self.expected.unit, self.expected.lexicon.words
        if token.text == "m" and expected.dim == SECOND.dim and 60 <= expected.factor <= DAY:
            return KNOWN_UNITS["min"]
        if token.low == "bps" and expected.symbol == "%":
            return known.MORE_UNITS["bp"]
        if expected.symbol == "month" and known.UNIT_WORDS.get(token.low) == "year":
            return replace(expected, symbol="year", factor=expected.factor * 12)
        money = own.get(own_money(expected.dim).casefold()) if token.low in CENTS else None
        return None if money is None else Unit("cent", Fraction(money.factor) / 100, money.dim)

    def _in_the_expected_kind(self, unit: Unit, token: ResponseToken, place: int) -> Unit:
        """TFLOPS as a rate and ops as FLOP where such are expected; `gig` as bits."""
        dim = self.expected.unit.dim
        if token.low in ("gig", "gigs", "meg", "megs") and self.letter == "b":
            unit = KNOWN_UNITS[f"{token.text[0].upper()}b"]
        if unit.dim.label == "op" and dim.power(FLOP):
            unit = KNOWN_UNITS[f"{unit.symbol.removesuffix('op')}FLOP"]
        rate = dim.power(TIME) < 0 and self.at(place + 1).low not in ("/", "per", "a")
        flops = token.low.endswith(("flops", "ops")) and dim.power(FLOP) and unit.symbol.endswith("FLOP")
        data = dim.power(INFORMATION) and token.low.endswith(("bs", "gig", "meg")) and unit.dim.power(INFORMATION)
        return over(unit, SECOND) if rate and (flops or data) and not unit.dim.is_rate else unit

    def divided(self, unit: Unit, place: int) -> UnitAt:
        """`unit`, which ends at `place`, with what it is multiplied by and per."""
        while True:
            unit, place = self._with_hours(unit, place)
            token = self.at(place)
            per = token.text == "/" or token.low in ("per", "a", "an", "every", "each")
            below = self._divisor(place + 1, token) if per else None
            if below is None:
                return unit, place
            unit, place = over(unit, below[0]), below[1]

    def _divisor(self, place: int, sign: ResponseToken) -> UnitAt | None:
        """The unit behind `sign` (`/`, per, a), which begins at `place`."""
        below = self.atom(place)
        if below is None:
            period = known.PERIODS.get(self.at(place).low)
            return None if period is None else (period, place + 1)
        return None if sign.low in ("a", "an") and self.at(below[1]).kind == NUMBER else self._with_hours(*below)

    def _with_hours(self, unit: Unit, place: int) -> UnitAt:
        """`unit` times the time behind it, where it is a place or a power: `GPU-h`, `GPU hours`, `kW h`; and
        `petaflop-days`, which are FLOP/s times days."""
        flops = bool(unit.dim.power(FLOP)) and self.at(place).text == "-"
        power = unit.dim.is_rate and not unit.dim.power(INFORMATION)
        joint = self.at(place).text in ("-", "*")
        time = self.atom(place + joint) if power or flops or unit.dim.label in known.PLACE_UNIT_LABELS else None
        if time is None or time[0].dim != SECOND.dim or (not joint and self.at(place).text in ("m", "d", "min")):
            return unit, place
        unit = over(unit, SECOND) if unit.symbol.endswith("FLOP") else unit
        product = Unit(f"{unit.symbol}-{time[0].symbol}", unit.factor * time[0].factor, unit.dim * time[0].dim)
        return KNOWN_UNITS.get(unit.symbol + time[0].symbol) or product, time[1]


def has_money(unit: Unit) -> bool:
    return bool(unit.dim.power(CURRENCY) or own_money(unit.dim))


def hidden_meaning(word: str, unit: Unit) -> str:
    """The usual meaning that `word` loses in a bank that writes `unit` by it: "minutes or a million" of m; empty if it
    has none."""
    if word in known.UNCLEAR_UNITS:
        return "minutes, milliseconds or a million"
    usual = spelled_unit(word)
    if usual is not None and (usual.dim, usual.factor) != (unit.dim, unit.factor):
        return usual.plural
    factor = known.MAGNITUDE_LETTERS.get(word) or known.MAGNITUDE_WORDS.get(word)
    return f"a factor of {factor:,}" if factor else ""
