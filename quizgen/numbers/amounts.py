"""Amounts in a response: a number with its magnitude and its unit (`31.7 GB`, `$5.57M`, `2h 30min`, `13B`)."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.formula.unit_table import BINARY, COUNTED, DIVISIBLE, FLOP, INFORMATION, PHYSICAL, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit, own_money
from quizgen.numbers import words as known
from quizgen.numbers.answer import NO_LEXICON, AnswerFormat, AskAgain, Lexicon
from quizgen.numbers.fold import fold
from quizgen.numbers.numeral import Numeral
from quizgen.numbers.roots import root
from quizgen.numbers.tokens import NUMBER, WORD, ResponseToken, tokens
from quizgen.numbers.units import SECOND, UnitParser, has_money, over, period_of

_TABLE_LABELS: Final = known.PLACE_LABELS | {name for name, _, _ in COUNTED}
_NEVER_PARTED: Final = frozenset({"param", "token"})
_PREFIX: Final = re.compile(r"^(?:[kMGTPEZY]i?)(?=(?:B|b|FLOP|Wh?|J)(?:$|[/-]))")
_MAX_GROUPED_PLACES: Final = 100  # 55.200 pages can be 55200, 55.215 of them hardly


class WrittenAmount(NamedTuple):
    """A number in `unit` (None: none was written). `step` is the worth of its last place, None where it was calculated;
    `other` its value by the other decimal mark; `raised`: a power of ten was written."""

    value: int | Fraction
    unit: Unit | None = None
    step: Fraction | None = None
    other: int | Fraction | None = None
    raised: bool = False

    @property
    def calculated(self) -> bool:
        return self.step is None


def _scales(letter: str, unit: Unit) -> bool:
    """Whether `letter` multiplies the number before it where `unit` follows: 4k tokens, 31.7B bytes, 5.6M USD."""
    if letter == "T" and own_money(unit.dim):
        return False  # 130 T€ are thousands to some
    if letter not in ("B", "b", "m") or has_money(unit):
        return True
    counted = any(power > 0 and name not in PHYSICAL for name, power in unit.dim.powers)
    return counted or (letter == "B" and unit.dim.power(INFORMATION) == 1)


AmountAt = tuple[WrittenAmount, int]  # an amount and the place behind its last token


class AmountParser(UnitParser):
    """Finds amounts among `tokens` of a response to `expected`."""

    __slots__ = ()

    def amount(self, place: int) -> AmountAt | None:
        """The amount that begins at `place`, with a unit behind it (`5.6M USD`) or a sign of money before (`$5.6M`)."""
        token = self.at(place)
        if token.kind == NUMBER:
            return self._behind_number(*self._number(place))
        lead = self.atom(place) if token.kind == WORD else None
        if lead is None or not (has_money(lead[0]) or lead[0].symbol == "%"):
            return None
        minus = self.at(lead[1]).text == "-"
        if self.at(lead[1] + minus).kind != NUMBER:
            return None
        return self._behind_money(lead[0], minus, *self._number(lead[1] + minus))

    # -- the number and its magnitude

    def _number(self, place: int) -> tuple[Numeral, int]:
        """The number at `place` with the magnitude words behind it: `5.85 million`, `two thousand`."""
        token = self.at(place)
        written = token.numeral
        assert written is not None
        place += 1
        while (factor := known.MAGNITUDE_WORDS.get(self.at(place).low)) is not None:
            written, place = written.times(factor), place + 1
        return written, place

    def _letter_factor(self, place: int) -> int | None:
        """What the letter at `place` multiplies the number before it by: 1e9 for B of `13B params`."""
        letter, after = self.at(place), self.at(place + 1)
        factor = known.MAGNITUDE_LETTERS.get(letter.text)
        if factor is None or letter.kind != WORD or letter.low in self.expected.lexicon.words:
            return None
        unit = self.unit(place + 1)
        if unit is not None and after.low not in ("x", "times"):
            return factor if _scales(letter.text, unit[0]) else None
        if after.text == "/" and letter.text in ("B", "b", "m"):
            return None  # 16 B/parameter
        if after.text == "*" and letter.text in ("k", "K", "M", "B"):
            return factor
        if self.at(place - 2).text == "*" and letter.text in ("k", "K"):
            return factor  # 80 us * 2.5k
        return factor if self._scales_alone(letter.text) else None

    def _scales_alone(self, letter: str) -> bool:
        """Whether a letter without a unit behind it multiplies: where a count, money or a plain number is expected, and
        k where what is expected has a k."""
        expected, named = self.expected.unit, self.expected.unit_in_stem
        dim = expected.dim
        if named is not None:
            return named.symbol != letter and (has_money(named) or letter in ("k", "K"))
        if letter == "m" and dim.label and dim.label not in _TABLE_LABELS and not own_money(dim):
            return False  # metres, where kilometres are expected
        if dim.power(TIME) > 0 and any(name not in PHYSICAL for name, _ in dim.powers):
            return letter != "m"  # 30.8M where GPU-hours are expected
        if letter in ("k", "K") and (dim.power("energy") or (expected.symbol[0] == "k" and not dim.is_rate)):
            return True
        if any(dim.power(name) > 0 for name in (INFORMATION, TIME, "energy")) or expected.symbol == "%":
            return False
        return letter == "B" or not dim.power(FLOP)

    def _prefix_alone(self, token: ResponseToken) -> Unit | None:
        """`80G` where GB is expected, `405T` where FLOP/s is: the prefix with the unit that is expected."""
        expected = self.expected.unit
        base, slash, rest = _PREFIX.sub("", expected.symbol).partition("/")
        prefix = {"K": "k", "g": "G", "t": "T"}.get(token.text, known.PREFIXES.get(token.low, token.text))
        head = KNOWN_UNITS.get(prefix + base) if prefix in SI or prefix in BINARY else None
        if head is None or base not in ("B", "b", "FLOP", "W", "Wh", "J"):
            return None
        scale = Fraction(expected.factor) / KNOWN_UNITS[expected.symbol.partition("/")[0]].factor
        return Unit(f"{head.symbol}{slash}{rest}", head.factor * scale, expected.dim, expected.labels)

    # -- the unit

    def _behind_number(self, number: Numeral, place: int) -> AmountAt:
        """The amount of `number`, which ends at `place`."""
        letter = self.at(place)
        factor = self._letter_factor(place) if letter.kind == WORD else None
        if factor is not None:
            number, place = number.times(factor), place + 1
        unit = self._unit_behind(place)
        if unit is None and factor is None and letter.kind == WORD:
            prefixed = self._prefix_alone(letter)
            unit = None if prefixed is None else (prefixed, place + 1)
        if unit is None:
            unit = self._minutes(place) or self._thing_left_out(place)
        if unit is None:
            return self._amount(number, None), place
        amount = self._amount(number, unit[0])
        return self._and_smaller(amount, unit[1]) if unit[0].dim == SECOND.dim else (amount, unit[1])

    def _unit_behind(self, place: int) -> tuple[Unit, int] | None:
        token, after = self.at(place), self.at(place + 1)
        if token.text == "(":  # 31.7 (GB)
            atom = self.atom(place + 1)
            return (atom[0], atom[1] + 1) if atom is not None and self.at(atom[1]).text == ")" else None
        in_unit = token.low == "in" and after.kind == WORD  # 31700 in MB
        hyphen = token.text == "-" and after.kind == WORD and not token.gap and not after.gap  # 80-GB
        if not (token.kind == WORD or hyphen or token.text == "1"):
            return None
        unit_at = self.unit(place + (hyphen or in_unit))
        if unit_at is None or (in_unit and self.at(unit_at[1]).kind == NUMBER):
            return None
        thing = self.atom(unit_at[1]) if unit_at[0] is ONE else None  # 14x H100
        return thing if thing is not None and thing[0].dim.label else unit_at

    def _minutes(self, place: int) -> tuple[Unit, int] | None:
        """`2m30s`: an m before seconds is minutes, whatever is expected."""
        seconds = self.unit(place + 2) if self.at(place).text == "m" and self.at(place + 1).kind == NUMBER else None
        return (KNOWN_UNITS["min"], place + 1) if seconds is not None and seconds[0] == SECOND else None

    def _thing_left_out(self, place: int) -> tuple[Unit, int] | None:
        """`25/s`, `1500 per minute` where tokens a second are expected: the thing counted is the one expected."""
        expected, stem = self.expected.unit, self.expected.stem
        token = self.at(place)
        if token.kind == WORD and root(token.low) in stem.known and token.low not in ("a", "per", "every"):
            place += 1  # 40 commits per second
        if self.at(place).low not in ("/", "per", "a", "every"):
            return None
        below, own = self._divisor(place + 1, self.at(place)), period_of(expected)
        if below is None or below[0].dim != SECOND.dim:
            return None
        if own is None or not expected.dim.is_rate:  # 240/mo, where the stem asks for a month's
            return (over(expected, below[0]), below[1]) if below[0] in stem.periods else None
        head = Unit("", Fraction(expected.factor) * own.factor, expected.dim * SECOND.dim, expected.labels)
        return over(head, below[0]), below[1]

    def _behind_money(self, money: Unit, minus: bool, number: Numeral, place: int) -> AmountAt:
        factor = known.MAGNITUDE_LETTERS.get(self.at(place).text) if self.at(place).kind == WORD else None
        if factor is not None:
            number, place = number.times(factor), place + 1
        while self.at(place).low in known.MAGNITUDE_WORDS:
            number, place = number.times(known.MAGNITUDE_WORDS[self.at(place).low]), place + 1
        again = self.atom(place)
        place = again[1] if again is not None and again[0] == money else place  # $2,475.00 USD
        unit, place = self.divided(money, place)
        return self._amount(number._replace(value=-number.value) if minus else number, unit), place

    def _and_smaller(self, amount: WrittenAmount, place: int) -> AmountAt:
        """`2h 30min`, `3 hours and 6 minutes`, `1h30`, `5 h, 30 min`."""
        unit = amount.unit
        assert unit is not None
        joint = self.at(place).low in ("and", ",")
        token = self.at(place + joint)
        if token.numeral is None or amount.value != int(amount.value):
            return amount, place
        smaller = self.unit(place + joint + 1)
        after = self.at(place + joint + 1)
        if unit.symbol == "h" and not token.gap and (smaller is None and token.text.isdigit() and len(token.text) == 2):
            smaller = KNOWN_UNITS["min"], place + 1  # 1h30
        if after.text == "m" and unit.symbol in ("h", "day"):
            smaller = KNOWN_UNITS["min"], place + joint + 2
        if smaller is None or smaller[0].dim != SECOND.dim or smaller[0].factor >= unit.factor:
            return amount, place
        ratio = Fraction(smaller[0].factor) / unit.factor
        if not 0 <= token.numeral.value * ratio < 1:
            return amount, place  # 5 h, 300 min
        part, end = self._and_smaller(self._amount(token.numeral, smaller[0]), smaller[1])
        step = None if part.step is None else part.step * ratio
        return amount._replace(value=amount.value + part.value * ratio, step=step, other=None), end

    def _amount(self, number: Numeral, unit: Unit | None) -> WrittenAmount:
        other = number.other if number.other is not None and self._two_ways(number, unit) else None
        return WrittenAmount(number.value, unit, Fraction(number.step), other, number.raised)

    def _two_ways(self, number: Numeral, written: Unit | None) -> bool:
        """Whether the mark in `number` (1,234 or 1.234) can be read both ways for an amount in this unit."""
        expected = self.expected.unit
        unit = written or expected
        if number.grouping:  # may it be a decimal comma? Not of things without parts, nor in too small a unit
            if number.scaled:
                return True
            smaller = unit.dim == expected.dim and unit.factor < expected.factor and unit.symbol != "%"
            parted = not unit.dim.label or (unit.dim.label in DIVISIBLE and unit.dim.label not in _NEVER_PARTED)
            return parted and not smaller and unit.symbol not in ("B", "b", "FLOP", "USD")
        if number.scaled or unit.symbol == "%":
            return False
        whole = Fraction(number.value).denominator == 1
        rounded = unit.dim.label in DIVISIBLE and Fraction(number.value * _MAX_GROUPED_PLACES).denominator == 1
        counted = bool(unit.dim.label) and (rounded or self.expected.whole)
        return whole or unit.dim.bare or bool(own_money(unit.dim)) or counted


def amount_at(text: str, unit: Unit = ONE, lexicon: Lexicon = NO_LEXICON) -> tuple[Fraction, Unit | None, int] | None:
    """Value, unit (None: none was written) and length of the amount at the start of `text`; None if none stands there.
    `unit` is what is expected."""
    try:
        line = tokens(fold(text), True)
        parsed = AmountParser(line, AnswerFormat(unit, lexicon=lexicon)).amount(0) if line else None
    except AskAgain:
        return None
    if parsed is None:
        return None
    amount, end = parsed
    follows = [token for token in line[end : end + 2] if token.low != "and"][:1]
    if line[0].low[:1].isalpha() and follows and follows[0].kind == NUMBER:
        return None  # two hundred and fifty
    return Fraction(amount.value), amount.unit, line[end - 1].end
