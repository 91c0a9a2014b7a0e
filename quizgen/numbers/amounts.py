"""Amounts in a response: a number with its magnitude and its unit (`31.7 GB`, `$5.57M`, `2h 30min`, `13B`)."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.unit_table import COUNTED, DIVISIBLE, FLOP, INFORMATION, PHYSICAL, TIME
from quizgen.formula.units import KNOWN_UNITS, ONE, Dim, Unit, own_money, parse_unit
from quizgen.numbers import words as known
from quizgen.numbers.answer import EMPTY_LEXICON, AnswerFormat, AskAgain, Lexicon
from quizgen.numbers.tokens import NUMBER, WORD, WrittenAmount, fold, tokens
from quizgen.numbers.units import SECOND, UnitAt, UnitParser, has_money, over, period_of, spelled_unit
from quizgen.numbers.words import root

TABLE_LABELS: Final = known.PLACE_UNIT_LABELS | {name for name, _, _ in COUNTED}
_PREFIX: Final = re.compile(r"^(?:[kMGTPEZY]i?)(?=(?:B|b|FLOP|Wh?|J)(?:$|[/-]))")
_NEVER_PARTED: Final = frozenset({"param", "token"})
_MAX_GROUPED_PLACES: Final = 100  # 55.200 pages can be 55200, 55.215 of them hardly


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
        money, start = lead
        minus = self.at(start).text == "-"
        if self.at(start + minus).kind != NUMBER:
            return None
        number, end = self._number(start + minus, True)
        again = self.atom(end)
        unit, end = self.divided(money, again[1] if again is not None and again[0] == money else end)  # $2,475 USD
        return worth(number.negated() if minus else number, unit, self.expected), end

    # -- the number and its magnitude

    def _number(self, place: int, money: bool = False) -> tuple[WrittenAmount, int]:
        """The number at `place` with the magnitudes behind it: `5.85 million`, `two thousand`, `13B`. Behind a sign of
        `money` any letter is one."""
        number = self.at(place).amount
        assert number is not None
        letter = True
        while (token := self.at(place := place + 1)).kind == WORD:
            factor = known.MAGNITUDE_WORDS.get(token.low)
            if factor is None and letter:
                factor, letter = known.MAGNITUDE_LETTERS.get(token.text), False
                factor = factor if money or self._is_factor(place) else None
            if factor is None:
                break
            number = number.times(factor)
        return number, place

    def _is_factor(self, place: int) -> bool:
        """Whether the letter at `place` multiplies the number before it: B of `13B params`, but not of `13 B/param`;
        4k tokens, 31.7B bytes, 5.6M USD."""
        letter, after, unit = self.at(place).text, self.at(place + 1), self.unit(place + 1)
        if letter.casefold() in self.expected.lexicon.words:
            return False
        if unit is not None and after.low not in ("x", "times"):
            dim = unit[0].dim
            thousands = letter == "T" and own_money(dim)  # 130 T€, to some
            usual = letter not in ("B", "b", "m") or has_money(unit[0]) or _counts(dim)
            return not thousands and (usual or (letter == "B" and dim.power(INFORMATION) == 1))
        if after.text in ("*", "/"):
            return letter in ("k", "K", "M") or (letter == "B" and after.text == "*")
        return self._scales_alone(letter)

    def _scales_alone(self, letter: str) -> bool:
        """Whether a letter without a unit behind it multiplies: where a count, money or a plain number is expected, and
        k where what is expected has a k."""
        expected = self.expected.unit_in_stem or self.expected.unit
        dim = expected.dim
        if letter == "m" and not (dim.bare or has_money(expected) or dim.label in TABLE_LABELS):
            return False  # metres, where kilometres are expected
        if letter in ("k", "K") and (dim.power("energy") or (expected.symbol[0] == "k" and not dim.is_rate)):
            return True
        measured = any(dim.power(name) > 0 for name in (INFORMATION, TIME, "energy")) or expected.symbol == "%"
        return _counts(dim) or (not measured and (letter == "B" or not dim.power(FLOP)))

    # -- the unit

    def _behind_number(self, number: WrittenAmount, place: int) -> AmountAt:
        """The amount of `number`, which ends at `place`."""
        unit = self._unit_behind(place) or self._prefix_alone(place) or self._thing_left_out(place)
        if unit is None:
            return worth(number, None, self.expected), place
        amount = worth(number, unit[0], self.expected)
        return self._and_smaller(amount, unit[1]) if unit[0].dim == SECOND.dim else (amount, unit[1])

    def _prefix_alone(self, place: int) -> UnitAt | None:
        """`80G` where GB is expected, `405T` where FLOP/s is: the prefix with the unit that is expected."""
        expected, token = self.expected.unit, self.at(place)
        base, slash, rest = _PREFIX.sub("", expected.symbol).partition("/")
        prefixed = token.kind == WORD and token.low in known.PREFIXES and base in ("B", "b", "FLOP", "W", "Wh", "J")
        head = spelled_unit(token.text + base, self.letter) if prefixed else None
        return None if head is None else (parse_unit(f"{head.symbol}{slash}{rest}", expected.labels), place + 1)

    def _unit_behind(self, place: int) -> UnitAt | None:
        """The unit at `place`: `GB`, `-GB`, `x H100`; and `m` before seconds, whatever is expected."""
        # A table of spellings, read top-down.
        token, after = self.at(place), self.at(place + 1)
        if token.text == "m" and after.kind == NUMBER and (self.unit(place + 2) or (ONE, 0))[0] == SECOND:
            return KNOWN_UNITS["min"], place + 1  # 2m30s
        hyphen = token.text == "-" and after.kind == WORD and not (token.gap or after.gap)  # 80-GB
        unit = self.unit(place + hyphen) if token.kind == WORD or hyphen or token.text == "1" else None
        thing = self.atom(unit[1]) if unit is not None and unit[0] is ONE else None  # 14x H100
        return thing if thing is not None and thing[0].dim.label else unit

    def _thing_left_out(self, place: int) -> UnitAt | None:
        """`25/s`, `1500 per minute` where tokens a second are expected: the thing counted is the one expected."""
        expected, stem, token = self.expected.unit, self.expected.stem, self.at(place)
        if token.kind == WORD and root(token.low) in stem.known and token.low not in ("a", "per", "every"):
            place += 1  # 40 commits per second
        sign = self.at(place)
        below = self._divisor(place + 1, sign) if sign.low in ("/", "per", "a", "every") else None
        if below is None or below[0].dim != SECOND.dim:
            return None
        own = period_of(expected) if expected.dim.is_rate else None
        if own is None:  # 240/mo, where the stem asks for a month's
            return (over(expected, below[0]), below[1]) if below[0] in stem.periods else None
        head = Unit("", Fraction(expected.factor) * own.factor, expected.dim * SECOND.dim, expected.labels)
        return over(head, below[0]), below[1]

    def _and_smaller(self, amount: WrittenAmount, place: int) -> AmountAt:
        """`2h 30min`, `3 hours and 6 minutes`, `5 h, 30 min`."""
        # The order matters: each case is what the ones above it left.
        unit = amount.unit or SECOND
        start = place + (self.at(place).low in ("and", ","))
        token, after = self.at(start), self.at(start + 1)
        if token.amount is None or amount.value != int(amount.value):
            return amount, place
        smaller = self.unit(start + 1)
        if unit.symbol in ("h", "day") and after.text == "m":
            smaller = KNOWN_UNITS["min"], start + 2
        if smaller is None or smaller[0].dim != SECOND.dim or smaller[0].factor >= unit.factor:
            return amount, place
        ratio = Fraction(smaller[0].factor) / unit.factor
        if not 0 <= token.amount.value * ratio < 1:
            return amount, place  # 5 h, 300 min
        part, end = self._and_smaller(worth(token.amount, smaller[0], self.expected), smaller[1])
        step = None if part.step is None else part.step * ratio
        return amount._replace(value=amount.value + part.value * ratio, step=step, other=None), end


def worth(number: WrittenAmount, unit: Unit | None, expected: AnswerFormat) -> WrittenAmount:
    """The amount of a `number` with a `unit`, with its other value where its mark can be read both ways."""
    both = number.other is not None and _two_ways(number, unit, expected)
    return number._replace(unit=unit, other=number.other if both else None)


def _two_ways(number: WrittenAmount, written: Unit | None, expected: AnswerFormat) -> bool:
    """Whether the mark in `number` (1,234 or 1.234) can be read both ways for an amount in the unit `written`."""
    unit = written or expected.unit
    if number.grouping:
        return number.scaled or _has_parts(unit, expected)
    if number.scaled or unit.symbol == "%":
        return False
    rounded = unit.dim.label in DIVISIBLE and Fraction(number.value * _MAX_GROUPED_PLACES).denominator == 1
    counted = bool(unit.dim.label) and (rounded or expected.whole)
    return Fraction(number.value).denominator == 1 or unit.dim.bare or bool(own_money(unit.dim)) or counted


def _has_parts(unit: Unit, expected: AnswerFormat) -> bool:
    """Whether a decimal comma makes sense in an amount in `unit`: not of things without parts, nor in a small unit."""
    smaller = unit.dim == expected.unit.dim and unit.factor < expected.unit.factor and unit.symbol != "%"
    parted = not unit.dim.label or unit.dim.label in DIVISIBLE - _NEVER_PARTED
    return parted and not smaller and unit.symbol not in ("B", "b", "FLOP", "USD")


def _counts(dim: Dim) -> bool:
    """Whether an amount of this dimension counts things: tokens a second, GPU-hours."""
    return any(power > 0 and name not in PHYSICAL for name, power in dim.powers)


@lru_cache(maxsize=4096)
def unit_alone(tail: str, expected: AnswerFormat) -> tuple[int | Fraction, Unit | None] | None:
    """The factor and the unit that `tail` gives a number before it (` GB`, `k tokens`); None if it is more."""
    try:
        line = tokens(f"1{tail}")
    except AskAgain:
        return None
    amount, end = AmountParser(line, expected).amount(0) or (None, 0)
    return (amount.value, amount.unit) if amount is not None and end == len(line) else None


def amount_at(
    text: str, unit: Unit = ONE, lexicon: Lexicon = EMPTY_LEXICON
) -> tuple[Fraction, Unit | None, int] | None:
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
