"""Amounts and units in a response: `31.7 GB`, `$5.57M`, `2h 30min`, `13B`; units as people spell them."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.formula.unit_table import CURRENCY, DIVISIBLE, FLOP, INFORMATION, PHYSICAL, SI, TIME
from quizgen.formula.units import KNOWN_UNITS, LABELS_OF_WORD, ONE, Dim, Unit, own_currency, parse_unit
from quizgen.numbers import words as known
from quizgen.numbers.answer import EMPTY_LEXICON, AnswerFormat, AskAgain, Lexicon
from quizgen.numbers.tokens import END, NUMBER, WORD, Line, ResponseToken, WrittenAmount, fold_characters, split_tokens
from quizgen.numbers.words import root

_PREFIX_PATTERN: Final = re.compile(r"^(?:[kMGTPEZY]i?)(?=(?:B|b|FLOP|Wh?|J)(?:$|[/-]))")
_FRACTIONAL: Final = DIVISIBLE - {"param", "token"}
SECOND: Final = KNOWN_UNITS["s"]
_DATA_UNIT_PATTERN: Final = re.compile(r"(?!eb$)(k|m|g|t|p|e|ki|mi|gi|ti|pi|ei|(?=bps))b(s|ps)?")
UnitAndEnd = tuple[Unit, int]  # (a unit, the place after its last token)


def _unit_spellings() -> dict[str, Unit]:
    table = {name.casefold(): unit for name, unit in KNOWN_UNITS.items() if unit.dim.label}
    for low, prefix in known.PREFIXES.items():
        for word, symbol in known.PREFIXED_WORDS.items():
            if prefix + symbol in KNOWN_UNITS:
                table.setdefault(low + word, KNOWN_UNITS[prefix + symbol])
    return table | {word: KNOWN_UNITS[symbol] for word, symbol in known.UNIT_WORDS.items()} | known.MORE_UNITS


UNIT_SPELLINGS: Final = _unit_spellings()
# Several adjacent words: `per cent`, `micro batches`.
UNIT_PHRASE_WORDS: Final[dict[tuple[str, ...], Unit]] = {
    **{tuple(name.split("-")): unit for name, unit in UNIT_SPELLINGS.items() if "-" in name},
    **{words: UNIT_SPELLINGS.get(name) or KNOWN_UNITS[name] for words, name in known.UNIT_PHRASES.items()},
}


@lru_cache(maxsize=4096)
def unit_quotient(unit: Unit, below: Unit) -> Unit:
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
    word = known.SHORT_UNITS.get(word.casefold(), word)
    low = word.casefold()
    own = next((lexicon.words[name] for name in (low, *LABELS_OF_WORD.get(low, ())) if name in lexicon.words), None)
    if own is not None or not word or word in known.UNCLEAR_UNITS:
        return own
    if word in KNOWN_UNITS and word not in ("1", "kb"):
        return KNOWN_UNITS[word]
    if (data := _DATA_UNIT_PATTERN.fullmatch(low)) is not None:
        return _data_unit(word, data, letter)
    if low in UNIT_SPELLINGS:
        return UNIT_SPELLINGS[low] if len(word) > 1 or word == low or word in "JWXS" else None
    return _prefixed_count(word, lexicon) if len(word) > 3 else None


def _prefixed_count(word: str, lexicon: Lexicon) -> Unit | None:
    """A decimal prefix before a counted thing, money or a word of the bank: `Mtokens`, `ktok`, `MUSD`."""
    if word[0] not in "kKMG" and word not in ("TOPS", "Tops"):
        return None
    rest = spelled_unit(word[1:], "B", lexicon)
    if rest is None or not (rest.dim.label or rest.symbol == "USD" or word[1:].casefold() in lexicon.words):
        return None
    prefix = word[0].replace("K", "k")
    return Unit(prefix + rest.symbol, SI[prefix] * rest.factor, rest.dim, rest.labels)


def _data_unit(word: str, data: re.Match[str], letter: str) -> Unit | None:
    """`GB`, `gbps`, `KB`: bytes or bits by the case of the letter, by `letter` where all is in lower case."""
    written = word[len(data[1])] if word != data[0] else "b" if data[2] == "ps" else letter
    unit = KNOWN_UNITS.get(known.PREFIXES[data[1]] + written)
    return unit_quotient(unit, SECOND) if data[2] == "ps" and unit is not None else unit


def period_of(unit: Unit, lexicon: Lexicon = EMPTY_LEXICON) -> Unit | None:
    """The time that `unit` is per: s of `GB/s`, month of `USD/month`, by the bank's `lexicon` if it declares one."""
    name = unit.symbol.rpartition("/")[2] if "/" in unit.symbol else ""
    time = lexicon.words.get(name) or known.PERIODS.get(name) or KNOWN_UNITS.get(name)
    return time if time is not None and time.dim == SECOND.dim else None


def has_money(unit: Unit) -> bool:
    return bool(unit.dim.power(CURRENCY) or own_currency(unit.dim))


class AmountParser:
    """Finds amounts and units among `tokens` of a response to `expected`."""

    def __init__(self, tokens: Line, expected: AnswerFormat) -> None:
        self.tokens = tokens
        self.expected = expected
        unit = expected.unit
        bits = unit.dim.power(INFORMATION) and unit.symbol.partition("/")[0].endswith("b")
        self.letter = "b" if bits else "B"  # of `gb`

    def token_at(self, place: int) -> ResponseToken:
        return self.tokens[place] if 0 <= place < len(self.tokens) else END

    def amount(self, place: int) -> tuple[WrittenAmount, int] | None:
        """The amount that begins at `place`, with a unit behind it (`5.6M USD`) or a sign of money before (`$5.6M`)."""
        token = self.token_at(place)
        if token.kind == NUMBER:
            return self._behind_number(*self._number(place))
        lead = self.single_unit(place) if token.kind == WORD else None
        if lead is None or not (has_money(lead[0]) or lead[0].symbol == "%") or self.token_at(lead[1]).kind != NUMBER:
            return None
        money, start = lead
        number, end = self._number(start, True)
        again = self.single_unit(end)
        unit, end = self.full_unit(money, again[1] if again is not None and again[0] == money else end)  # $2,475 USD
        return amount_in_unit(number, unit, self.expected), end

    # -- the number and its magnitude

    def _number(self, place: int, money: bool = False) -> tuple[WrittenAmount, int]:
        """The number at `place` with the magnitudes behind it: `5.85 million`, `two thousand`, `13B`. Behind a sign of
        `money` any letter is one."""
        number = self.token_at(place).amount
        assert number is not None
        letter = True
        while (token := self.token_at(place := place + 1)).kind == WORD:
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
        letter, after, unit = self.token_at(place).text, self.token_at(place + 1), self.unit(place + 1)
        if letter.casefold() in self.expected.lexicon.words:
            return False
        if unit is not None:
            dim = unit[0].dim
            thousands = letter == "T" and own_currency(dim)  # T€ often means thousands of euros
            usual = letter not in ("B", "b", "m") or has_money(unit[0]) or bool(counted_labels(dim))
            return not thousands and (usual or (letter == "B" and dim.power(INFORMATION) == 1))
        if after.text in ("*", "/"):
            return letter in ("k", "K", "M") or (letter == "B" and after.text == "*")
        return self._scales_alone(letter)

    def _scales_alone(self, letter: str) -> bool:
        """Whether a letter without a unit behind it multiplies: where a count, money or a plain number is expected, and
        k where what is expected has a k."""
        expected = self.expected.unit_in_stem or self.expected.unit
        dim = expected.dim
        if letter == "m" and not has_money(expected):
            return False  # metres, minutes
        if letter in ("k", "K") and (dim.power("energy") or (expected.symbol[0] == "k" and not dim.is_rate)):
            return True
        measured = any(dim.power(name) > 0 for name in (INFORMATION, TIME, "energy")) or expected.symbol == "%"
        return bool(counted_labels(dim)) or (not measured and (letter == "B" or not dim.power(FLOP)))

    # -- the unit

    def _behind_number(self, number: WrittenAmount, place: int) -> tuple[WrittenAmount, int]:
        """The amount of `number`, which ends at `place`."""
        unit = self._unit_behind(place) or self._prefix_alone(place) or self._unit_without_thing(place)
        if unit is None:
            return amount_in_unit(number, None, self.expected), place
        amount = amount_in_unit(number, unit[0], self.expected)
        return self._add_smaller_units(amount, unit[1]) if unit[0].dim == SECOND.dim else (amount, unit[1])

    def _prefix_alone(self, place: int) -> UnitAndEnd | None:
        """`80G` where GB is expected, `405T` where FLOP/s is: the prefix with the unit that is expected."""
        expected, token = self.expected.unit, self.token_at(place)
        base, slash, rest = _PREFIX_PATTERN.sub("", expected.symbol).partition("/")
        prefixed = token.kind == WORD and token.low in known.PREFIXES and base in ("B", "b", "FLOP", "W", "Wh", "J")
        head = spelled_unit(token.text + base, self.letter) if prefixed else None
        return None if head is None else (parse_unit(f"{head.symbol}{slash}{rest}", expected.labels), place + 1)

    def _unit_behind(self, place: int) -> UnitAndEnd | None:
        """The unit at `place`; and `m` before seconds, whatever is expected."""
        token, after = self.token_at(place), self.token_at(place + 1)
        if token.text == "m" and after.kind == NUMBER and (self.unit(place + 2) or (ONE, 0))[0] == SECOND:
            return KNOWN_UNITS["min"], place + 1  # 2m30s
        unit = self.unit(place) if token.kind == WORD or token.text == "1" else None
        thing = self.single_unit(unit[1]) if unit is not None and unit[0] is ONE else None  # 14x H100
        return thing if thing is not None and thing[0].dim.label else unit

    def _unit_without_thing(self, place: int) -> UnitAndEnd | None:
        """`25/s`, `1500 per minute` where tokens a second are expected: the thing counted is the one expected."""
        expected, stem, token = self.expected.unit, self.expected.stem, self.token_at(place)
        if token.kind == WORD and root(token.low) in stem.known and token.low not in ("a", "per", "every"):
            place += 1  # 40 commits per second
        sign, own = self.token_at(place), period_of(expected) if expected.dim.is_rate else None
        below = self._divisor(place + 1, sign) if sign.low in ("/", "per", "a", "every") else None
        if below is None or below[0].dim != SECOND.dim:
            return None
        if own is None:  # 240/mo, where the stem asks for a month's
            return (unit_quotient(expected, below[0]), below[1]) if below[0] in stem.periods else None
        head = Unit("", Fraction(expected.factor) * own.factor, expected.dim * SECOND.dim, expected.labels)
        return unit_quotient(head, below[0]), below[1]

    def _add_smaller_units(self, amount: WrittenAmount, place: int) -> tuple[WrittenAmount, int]:
        """`2h 30min`, `3 hours and 6 minutes`, `5 h, 30 min`."""
        unit = amount.unit or SECOND
        start = place + (self.token_at(place).low in ("and", ","))
        token, after = self.token_at(start), self.token_at(start + 1)
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
        part, end = self._add_smaller_units(amount_in_unit(token.amount, smaller[0], self.expected), smaller[1])
        step = None if part.step is None else part.step * ratio
        return amount._replace(value=amount.value + part.value * ratio, step=step, other=None), end

    def unit(self, place: int) -> UnitAndEnd | None:
        """The longest unit at `place`: `GB/s`, `bytes per parameter`, `GPU hours`, `1/s`."""
        inverse = [self.token_at(place).text, self.token_at(place + 1).text] == ["1", "/"]
        one = inverse and self.single_unit(place + 2) is not None
        head = (ONE, place + 1) if one else self.single_unit(place)
        return None if head is None else self.full_unit(*head)

    def single_unit(self, place: int) -> UnitAndEnd | None:
        """One unit without products: the longest phrase of the bank, a phrase of the table, a word."""
        token = self.token_at(place)
        phrase = self._unit_phrase(place) if token.kind == WORD else None
        if phrase is not None or token.kind != WORD:
            return phrase
        unit = self._expected_alone(token) or spelled_unit(token.text, self.letter, self.expected.lexicon)
        if unit is None:
            return None
        n = {"2": 2, "3": 3}.get(self.token_at(place + 2).text) if self.token_at(place + 1).text == "**" else None
        if n is not None:  # s**2
            return Unit(f"{unit.symbol}**{n}", unit.factor**n, unit.dim**n, unit.labels), place + 3
        return self._in_the_expected_kind(unit, token, place), place + 1

    def _unit_phrase(self, place: int) -> UnitAndEnd | None:
        """Two or three words that are one unit, with hyphens or without: `micro-batches`, `index pages`."""
        after = self.token_at(place + 1)
        if after.kind != WORD and after.text != "-":
            return None
        lows = [self.token_at(place + i).low for i in range(5)]
        plain = [low for low in lows if low != "-"]
        for size in (3, 2):
            words = tuple(plain[:size])
            unit = self.expected.lexicon.phrases.get(words) or UNIT_PHRASE_WORDS.get(words)
            if unit is not None:
                return unit, place + size + sum(low == "-" for low in lows[: size + 1])
        return None

    def _expected_alone(self, token: ResponseToken) -> Unit | None:
        """Words that what is expected gives a meaning, whatever the bank writes by them: minutes, cents."""
        expected = self.expected.unit
        if token.text == "m" and expected.dim == SECOND.dim and 60 <= expected.factor <= 86400:
            return KNOWN_UNITS["min"]
        if token.low == "bps" and expected.symbol == "%":
            return known.MORE_UNITS["bp"]
        if expected.symbol == "month" and known.UNIT_WORDS.get(token.low) == "year":
            return Unit("year", expected.factor * 12, expected.dim, expected.labels)
        money = self.expected.lexicon.words.get(own_currency(expected.dim).casefold())
        return Unit("cent", Fraction(money.factor) / 100, money.dim) if money and token.low in known.CENTS else None

    def _in_the_expected_kind(self, unit: Unit, token: ResponseToken, place: int) -> Unit:
        """TFLOPS and Gbs as rates and ops as FLOP where such are expected."""
        dim = self.expected.unit.dim
        unit = KNOWN_UNITS[unit.symbol[:-2] + "FLOP"] if unit.dim.label == "op" and dim.power(FLOP) else unit
        rate = dim.power(TIME) < 0 and self.token_at(place + 1).low not in ("/", "per", "a")
        flops = token.low.endswith("ops") and dim.power(FLOP) and unit.symbol.endswith("FLOP")
        data = dim.power(INFORMATION) and token.low.endswith(("bs", "gig", "meg")) and unit.dim.power(INFORMATION)
        return unit_quotient(unit, SECOND) if rate and (flops or data) and not unit.dim.is_rate else unit

    def full_unit(self, unit: Unit, place: int) -> UnitAndEnd:
        """`unit`, which ends at `place`, with what it is multiplied by and per."""
        while True:
            unit, place = self._with_hours(unit, place)
            token = self.token_at(place)
            per = token.text == "/" or token.low in ("per", "a", "an", "every", "each")
            below = self._divisor(place + 1, token) if per else None
            if below is None:
                return unit, place
            unit, place = unit_quotient(unit, below[0]), below[1]

    def _divisor(self, place: int, sign: ResponseToken) -> UnitAndEnd | None:
        """The unit behind `sign` (`/`, per, a), which begins at `place`."""
        below = self.single_unit(place)
        if below is None:
            period = known.PERIODS.get(self.token_at(place).low)
            return None if period is None else (period, place + 1)
        return None if sign.low in ("a", "an") and self.token_at(below[1]).kind == NUMBER else self._with_hours(*below)

    def _with_hours(self, unit: Unit, place: int) -> UnitAndEnd:
        """`unit` times the time behind it, where it is a place or a power: `GPU-h`, `kW h`, `petaflop-days`."""
        power = unit.dim.is_rate and not unit.dim.power(INFORMATION)
        joint = self.token_at(place).text in ("-", "*")
        flops = bool(unit.dim.power(FLOP)) and self.token_at(place).text == "-"
        time = self.single_unit(place + joint) if power or flops or unit.dim.label in known.PLACE_UNIT_LABELS else None
        if time is None or time[0].dim != SECOND.dim or (not joint and self.token_at(place).text in ("m", "d", "min")):
            return unit, place
        unit = unit_quotient(unit, SECOND) if unit.symbol.endswith("FLOP") else unit
        product = Unit(f"{unit.symbol}-{time[0].symbol}", unit.factor * time[0].factor, unit.dim * time[0].dim)
        return KNOWN_UNITS.get(unit.symbol + time[0].symbol) or product, time[1]


def amount_in_unit(number: WrittenAmount, written: Unit | None, expected: AnswerFormat) -> WrittenAmount:
    """The amount of a `number` with the unit `written`, with its other value where its mark (1,234 or 1.234) can be
    read both ways: not in things without parts, nor in a small unit."""
    unit, step, other = written or expected.unit, number.step, number.other
    if step is None or other is None:
        return number._replace(unit=written, other=None)
    if other < number.value:
        parted = unit.dim.label in _FRACTIONAL if unit.dim.label else unit.symbol not in ("B", "b", "FLOP", "USD")
        smaller = unit.dim == expected.unit.dim and unit.factor < expected.unit.factor and unit.symbol != "%"
        two_ways = step > 1 or (parted and not smaller)
    else:
        whole = any((Fraction(number.value).denominator == 1, expected.whole, unit.dim.bare, own_currency(unit.dim)))
        two_ways = whole and step * 1000 == 1 and not number.raised and unit.symbol != "%"
    return number._replace(unit=written, other=other if two_ways else None)


def counted_labels(dim: Dim) -> list[str]:
    """The labels of the things that an amount of this dimension counts: request of requests a second."""
    return [name for name, power in dim.powers if name not in PHYSICAL and power > 0]


def amount_at(
    text: str, unit: Unit = ONE, lexicon: Lexicon = EMPTY_LEXICON
) -> tuple[Fraction, Unit | None, int] | None:
    """Value, unit (None: none was written) and length of the amount at the start of `text`; None if none stands there.
    `unit` is what is expected."""
    try:
        line = split_tokens(fold_characters(text), True)
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
