"""Amounts and units in a response: `31.7 GB`, `$5.57M`, `2h 30min`, `13B`; units as people spell them. Calculations are
worked out by the formula engine, which sees names in place of the amounts, never the candidate's text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from quizgen.formula import FormulaError, units
from quizgen.formula.expression import ImpossibleAnswer, compile_expression, parse_expression, scope_and_slot_values
from quizgen.formula.quantity import Quantity, value_in_unit
from quizgen.formula.units import KNOWN_UNITS, UNIT_ONE, Dim, Unit, answer_dimension_fits, int_if_whole
from quizgen.numbers import tokens as response_tokens
from quizgen.numbers import words
from quizgen.numbers.answer import EMPTY_LEXICON, AnswerFormat, UnitLexicon, UnreadableError
from quizgen.numbers.tokens import AMOUNT, EDGE_TOKEN, NUMBER, SIGN, UNIT, WORD, ResponseToken, Tokens, WrittenAmount
from quizgen.numbers.words import word_root

SI_OR_BINARY_PREFIX_PATTERN: Final = re.compile(r"^(?:[kMGTPEZY]i?|[mun](?=s))(?=(?:B|b|FLOP|Wh?|J|s)(?:$|[/-]))")
_LABELS_WITH_THREE_DECIMALS: Final = units.DIVISIBLE_LABELS - {"param", "token"}
_WHOLE_UNIT_SYMBOLS: Final = ("B", "b", "FLOP", "USD")  # no part of them is written with three decimals
SECOND: Final = KNOWN_UNITS["s"]
_DATA_UNIT_PATTERN: Final = re.compile(r"(?!eb$)(k|m|g|t|p|e|ki|mi|gi|ti|pi|ei|(?=bps))b(s|ps)?")
UnitAndEndIndex = tuple[Unit, int]  # (a unit, the place after its last token)


UNIT_BY_LOWER_SPELLING: Final = {
    **{
        low + word: KNOWN_UNITS[prefix + symbol]
        for low, prefix in words.UNIT_PREFIX_BY_SPELLING.items()
        for word, symbol in words.UNIT_SYMBOL_BY_PREFIXABLE_WORD.items()
        if prefix + symbol in KNOWN_UNITS
    },
    **{name.casefold(): unit for name, unit in KNOWN_UNITS.items() if unit.dim.count_label},
    **{word: KNOWN_UNITS[symbol] for word, symbol in words.UNIT_SYMBOL_BY_WORD.items()},
    **words.EXTRA_UNIT_BY_WORD,
}
# Several adjacent words: `per cent`, `micro batches`.
UNIT_BY_PHRASE: Final[dict[tuple[str, ...], Unit]] = {
    **{tuple(name.split("-")): unit for name, unit in UNIT_BY_LOWER_SPELLING.items() if "-" in name},
    ("per", "cent"): KNOWN_UNITS["%"],
    ("basis", "points"): words.EXTRA_UNIT_BY_WORD["bp"],
    **dict.fromkeys((("us", "dollars"), ("us", "$")), KNOWN_UNITS["USD"]),
}


def quotient_of_units(unit: Unit, divisor: Unit) -> Unit:
    """The quotient of two units: `GB/s`."""
    symbol = f"{unit.symbol}/{divisor.symbol}"
    labels = unit.bank_units + divisor.bank_units
    return Unit(symbol, Fraction(unit.factor) / divisor.factor, unit.dim / divisor.dim, labels)


@lru_cache(maxsize=8192)
def unit_of_word(word: str, byte_or_bit_letter: str = "B", lexicon: UnitLexicon = EMPTY_LEXICON) -> Unit | None:
    """The unit that a word spells; None if it spells none. `byte_or_bit_letter` (b or B) says what `gb` means. The
    bank's `lexicon` comes first.

    >>> unit_of_word("gigabytes").symbol, unit_of_word("Gbps").symbol, unit_of_word("Mtokens").symbol
    ('GB', 'Gb/s', 'Mtoken')
    """
    word = words.DATA_WORD_BY_SLANG_WORD.get(word.casefold(), word)
    lower_word = word.casefold()
    names = (lower_word, *units.CURRENCY_LABELS_BY_WORD.get(lower_word, ()))
    bank_unit = next((lexicon.unit_by_word[name] for name in names if name in lexicon.unit_by_word), None)
    if bank_unit is not None or not word or word in words.AMBIGUOUS_UNIT_SPELLINGS:
        return bank_unit
    if word in KNOWN_UNITS and word not in ("1", "kb"):
        return KNOWN_UNITS[word]
    if (match := _DATA_UNIT_PATTERN.fullmatch(lower_word)) is not None:
        # GB, gbps, KB: bytes or bits by the case of the b, or by `byte_or_bit_letter` if all is in lower case.
        letter = word[len(match[1])] if word != match[0] else "b" if match[2] == "ps" else byte_or_bit_letter
        unit = KNOWN_UNITS.get(words.UNIT_PREFIX_BY_SPELLING[match[1]] + letter)
        return quotient_of_units(unit, SECOND) if match[2] == "ps" and unit is not None else unit
    if lower_word in UNIT_BY_LOWER_SPELLING:
        return UNIT_BY_LOWER_SPELLING[lower_word] if len(word) > 1 or word == lower_word or word in "JWXS" else None
    # A decimal prefix before a counted thing, a currency or a word of the bank: `Mtokens`, `MUSD`.
    if len(word) <= 3 or (word[0] not in "kKMG" and word not in ("TOPS", "Tops")):
        return None
    base = unit_of_word(word[1:], "B", lexicon)
    if not base or not (base.dim.count_label or base.symbol == "USD" or word[1:].casefold() in lexicon.unit_by_word):
        return None
    prefix = word[0].replace("K", "k")
    return Unit(prefix + base.symbol, units.FACTOR_BY_SI_PREFIX[prefix] * base.factor, base.dim, base.bank_units)


def time_unit_of_rate(unit: Unit, lexicon: UnitLexicon = EMPTY_LEXICON) -> Unit | None:
    """The time in the denominator of `unit`: s of `GB/s`, month of `USD/month`; None if there is none."""
    name = unit.symbol.rpartition("/")[2] if "/" in unit.symbol else ""
    time = lexicon.unit_by_word.get(name) or words.MONTH_UNIT_BY_WORD.get(name) or KNOWN_UNITS.get(name)
    return time if time is not None and time.dim == SECOND.dim else None


def is_money_unit(unit: Unit) -> bool:
    return bool(unit.dim.power_of(units.MONEY_DIMENSION) or units.own_currency_label_of_dim(unit.dim))


class AmountParser:
    """Finds amounts and units among the `tokens` of a response. `index` is that of a token."""

    def __init__(self, tokens: Tokens, expected: AnswerFormat) -> None:
        self.tokens = tokens
        self.expected = expected
        unit = expected.default_unit
        bits = unit.dim.power_of(units.DATA_DIMENSION) and unit.symbol.partition("/")[0].endswith("b")
        self.byte_or_bit_letter = "b" if bits else "B"  # of `gb`

    def token_at(self, index: int) -> ResponseToken:
        return self.tokens[index] if 0 <= index < len(self.tokens) else EDGE_TOKEN

    def read_amount(self, index: int) -> tuple[WrittenAmount, int] | None:
        """The amount that begins at `index` (`5.6M USD`, `$5.6M`), and the index after it; None if there is none."""
        token = self.token_at(index)
        if token.kind == NUMBER:
            number, end = self._read_number_and_end(index)
            unit = self._read_unit_after_number(end) or self._unit_of_lone_prefix(end) or self._read_per_time_unit(end)
            if unit is None:
                return attach_written_unit(number, None, self.expected), end
            amount = attach_written_unit(number, unit[0], self.expected)
            return self._total_time_and_end(amount, unit[1]) if unit[0].dim == SECOND.dim else (amount, unit[1])
        money, start = self.read_single_unit(index) or (UNIT_ONE, index)
        if not (is_money_unit(money) or money.symbol == "%") or self.token_at(start).kind != NUMBER:
            return None
        number, end = self._read_number_and_end(start, True)
        unit = self.read_single_unit(end)
        money, end = self.extend_unit(money, unit[1] if unit is not None and unit[0] == money else end)  # $2,475 USD
        return attach_written_unit(number, money, self.expected), end

    # -- the number and its magnitude

    def _read_number_and_end(self, index: int, after_currency: bool = False) -> tuple[WrittenAmount, int]:
        """The number at `index` with its magnitudes (`5.85 million`, `13B`), and the index after it. `after_currency`:
        any magnitude letter counts, as in `$5.6M`."""
        number = self.token_at(index).amount
        assert number is not None
        letter = True
        while (token := self.token_at(index := index + 1)).kind == WORD:
            factor = words.FACTOR_BY_MAGNITUDE_WORD.get(token.lower)
            if factor is None and letter:
                factor, letter = words.FACTOR_BY_MAGNITUDE_LETTER.get(token.text), False
                if factor is not None and not (after_currency or self._is_magnitude_letter(index)):
                    break
            if factor is None:
                break
            number = number.scaled_by(factor)
        return number, index

    def _is_magnitude_letter(self, index: int) -> bool:
        """Whether the letter at `index` multiplies the number before it: B of `13B params`, but not of `13 B/param`."""
        letter, next_token, unit = self.token_at(index).text, self.token_at(index + 1), self.read_unit(index + 1)
        if letter.casefold() in self.expected.unit_lexicon.unit_by_word:
            return False
        if unit is not None:
            dim = unit[0].dim
            thousands = letter == "T" and units.own_currency_label_of_dim(dim)  # T€ often means thousands of euros
            is_magnitude = letter not in ("B", "b", "m") or is_money_unit(unit[0]) or bool(numerator_labels(dim))
            return not thousands and (is_magnitude or (letter == "B" and dim.power_of(units.DATA_DIMENSION) == 1))
        if next_token.lower in ("*", "/"):
            return letter in ("k", "K", "M") or (letter == "B" and next_token.lower == "*")
        return self._is_lone_letter_magnitude(letter)

    def _is_lone_letter_magnitude(self, letter: str) -> bool:
        """Whether a letter without a unit multiplies: if a count, money or a plain number is expected; k for kW."""
        unit = self.expected.stem_unit or self.expected.default_unit
        dim = unit.dim
        if letter == "m" and not is_money_unit(unit):
            return False  # metres, minutes
        if letter in ("k", "K") and (dim.power_of("energy") or (unit.symbol[0] == "k" and not dim.is_rate)):
            return True
        measured_dimensions = (units.DATA_DIMENSION, units.TIME_DIMENSION, units.ENERGY_DIMENSION)
        measured = unit.symbol == "%" or any(dim.power_of(name) > 0 for name in measured_dimensions)
        return bool(numerator_labels(dim)) or not (measured or (letter != "B" and dim.power_of(units.FLOP_DIMENSION)))

    # -- the unit

    def _unit_of_lone_prefix(self, index: int) -> UnitAndEndIndex | None:
        """The expected unit with the prefix at `index`: GB for `80G`, TFLOP/s for `405T`; None if there is none."""
        unit, token = self.expected.default_unit, self.token_at(index)
        base, slash, divisor = SI_OR_BINARY_PREFIX_PATTERN.sub("", unit.symbol).partition("/")
        is_prefix = token.kind == WORD and token.lower in words.UNIT_PREFIX_BY_SPELLING
        is_prefixed_unit = is_prefix and base in ("B", "b", "FLOP", "W", "Wh", "J")
        head = unit_of_word(token.text + base, self.byte_or_bit_letter) if is_prefixed_unit else None
        if head is None:
            return None
        return units.parse_unit(f"{head.symbol}{slash}{divisor}", unit.bank_units), index + 1

    def _read_unit_after_number(self, index: int) -> UnitAndEndIndex | None:
        """The unit at `index`; `m` is minutes if seconds follow (`2m30s`)."""
        token, lookahead = self.token_at(index), self.token_at(index + 1)
        if token.text == "m" and lookahead.kind == NUMBER and (self.read_unit(index + 2) or (UNIT_ONE, 0))[0] == SECOND:
            return KNOWN_UNITS["min"], index + 1  # 2m30s
        unit = self.read_unit(index)
        thing = self.read_single_unit(unit[1]) if unit is not None and unit[0] is UNIT_ONE else None  # 14x H100
        return thing if thing is not None and thing[0].dim.count_label else unit

    def _read_per_time_unit(self, index: int) -> UnitAndEndIndex | None:
        """The unit of `25/s` or `1500 per minute` if tokens a second are expected: tokens are what it counts."""
        unit, stem, token = self.expected.default_unit, self.expected.stem_words, self.token_at(index)
        is_in_stem = token.kind == WORD and word_root(token.lower) in stem.known_word_roots
        if is_in_stem and token.lower not in ("a", "per", "every"):
            index += 1  # 40 commits per second
        sign, period = self.token_at(index), time_unit_of_rate(unit) if unit.dim.is_rate else None
        divisor = self._read_divisor_unit_and_end(index + 1) if sign.lower in ("/", "per", "a", "every") else None
        if divisor is None or divisor[0].dim != SECOND.dim:
            return None
        if period is None:  # 240/mo, where the stem asks for a month's
            return (quotient_of_units(unit, divisor[0]), divisor[1]) if divisor[0] in stem.asked_periods else None
        head = Unit("", Fraction(unit.factor) * period.factor, unit.dim * SECOND.dim, unit.bank_units)
        return quotient_of_units(head, divisor[0]), divisor[1]

    def _total_time_and_end(self, amount: WrittenAmount, index: int) -> tuple[WrittenAmount, int]:
        """The time `amount` plus the smaller ones that follow (`2h 30min`, `3 hours and 6 minutes`), and their end."""
        unit = amount.unit or SECOND
        start = index + (self.token_at(index).lower in ("and", ","))
        token, next_token = self.token_at(start), self.token_at(start + 1)
        if token.amount is None or amount.value != int(amount.value):
            return amount, index
        smaller = self.read_unit(start + 1)
        if unit.symbol in ("h", "day") and next_token.text == "m":
            smaller = KNOWN_UNITS["min"], start + 2
        if smaller is None or smaller[0].dim != SECOND.dim or smaller[0].factor >= unit.factor:
            return amount, index
        ratio = Fraction(smaller[0].factor) / unit.factor
        if not 0 <= token.amount.value * ratio < 1:
            return amount, index  # 5 h, 300 min
        part, end = self._total_time_and_end(attach_written_unit(token.amount, smaller[0], self.expected), smaller[1])
        step = None if part.place_value is None else part.place_value * ratio
        return amount._replace(value=amount.value + part.value * ratio, place_value=step, value_if_other_mark=None), end

    def read_unit(self, index: int) -> UnitAndEndIndex | None:
        """The longest unit at `index`: `GB/s`, `bytes per parameter`, `GPU hours`, `1/s`."""
        inverse = [self.token_at(index).text, self.token_at(index + 1).text] == ["1", "/"]
        is_reciprocal = inverse and self.read_single_unit(index + 2) is not None
        head = (UNIT_ONE, index + 1) if is_reciprocal else self.read_single_unit(index)
        return None if head is None else self.extend_unit(*head)

    def read_single_unit(self, index: int) -> UnitAndEndIndex | None:
        """The unit of one phrase or word, without products and quotients, and the index after it."""
        token, after = self.token_at(index), self.token_at(index + 1)
        if token.kind != WORD:
            return None
        if after.kind == WORD or after.text == "-":  # perhaps a unit of several words: `micro-batches`, `index pages`
            texts = [self.token_at(index + i).lower for i in range(5)]
            parts = [text for text in texts if text != "-"]
            for size in (3, 2):
                phrase = tuple(parts[:size])
                phrase_unit = self.expected.unit_lexicon.unit_by_phrase.get(phrase) or UNIT_BY_PHRASE.get(phrase)
                if phrase_unit is not None:
                    return phrase_unit, index + size + sum(text == "-" for text in texts[: size + 1])
        unit = self._unit_of_ambiguous_word(token)
        unit = unit or unit_of_word(token.text, self.byte_or_bit_letter, self.expected.unit_lexicon)
        if unit is None:
            return None
        power = {"2": 2, "3": 3}.get(self.token_at(index + 2).text) if after.text == "**" else None
        if power is not None:  # s**2
            return Unit(f"{unit.symbol}**{power}", unit.factor**power, unit.dim**power, unit.bank_units), index + 3
        return self._unit_as_rate_or_flop_if_expected(unit, token, index), index + 1

    def _unit_of_ambiguous_word(self, token: ResponseToken) -> Unit | None:
        """The unit of a word whose meaning depends on the expected unit: `m` (minutes if a time is expected), `bps`."""
        unit = self.expected.default_unit
        if token.text == "m" and unit.dim == SECOND.dim and 60 <= unit.factor <= 86400:
            return KNOWN_UNITS["min"]
        if token.lower == "bps" and unit.symbol == "%":
            return words.EXTRA_UNIT_BY_WORD["bp"]
        if unit.symbol == "month" and words.UNIT_SYMBOL_BY_WORD.get(token.lower) == "year":
            return Unit("year", unit.factor * 12, unit.dim, unit.bank_units)
        base = self.expected.unit_lexicon.unit_by_word.get(units.own_currency_label_of_dim(unit.dim).casefold())
        return Unit("cent", Fraction(base.factor) / 100, base.dim) if base and token.lower in words.CENT_WORDS else None

    def _unit_as_rate_or_flop_if_expected(self, unit: Unit, token: ResponseToken, index: int) -> Unit:
        """`unit`, or its rate for TFLOPS and Gbs if a rate is expected, or FLOP for ops if FLOP are expected."""
        dim = self.expected.default_unit.dim
        if unit.dim.count_label == "op" and dim.power_of(units.FLOP_DIMENSION):
            unit = KNOWN_UNITS[unit.symbol[:-2] + "FLOP"]
        rate = dim.power_of(units.TIME_DIMENSION) < 0 and self.token_at(index + 1).lower not in ("/", "per", "a")
        is_flop = token.lower.endswith("ops") and dim.power_of(units.FLOP_DIMENSION) and unit.symbol.endswith("FLOP")
        are_both_data = dim.power_of(units.DATA_DIMENSION) and unit.dim.power_of(units.DATA_DIMENSION)
        is_data = are_both_data and token.lower.endswith(("bs", "gig", "meg"))
        return quotient_of_units(unit, SECOND) if rate and (is_flop or is_data) and not unit.dim.is_rate else unit

    def extend_unit(self, unit: Unit, index: int) -> UnitAndEndIndex:
        """`unit`, which ends before `index`, with the factors and divisors that follow: GPU-h/day."""
        while True:
            unit, index = self._unit_times_time_and_end(unit, index)
            token = self.token_at(index)
            is_quotient = token.text == "/" or token.lower in ("per", "a", "an", "every", "each")
            divisor = self._read_divisor_unit_and_end(index + 1) if is_quotient else None
            if divisor is None:
                return unit, index
            unit, index = quotient_of_units(unit, divisor[0]), divisor[1]

    def _read_divisor_unit_and_end(self, index: int) -> UnitAndEndIndex | None:
        """The unit at `index`, which follows a `/`, per or a; None if there is none."""
        divisor = self.read_single_unit(index)
        if divisor is None:
            period = words.MONTH_UNIT_BY_WORD.get(self.token_at(index).lower)
            return None if period is None else (period, index + 1)
        number_follows = self.token_at(index - 1).lower in ("a", "an") and self.token_at(divisor[1]).kind == NUMBER
        return None if number_follows else self._unit_times_time_and_end(*divisor)

    def _unit_times_time_and_end(self, unit: Unit, index: int) -> UnitAndEndIndex:
        """`unit` times the time at `index`, for machines, powers and FLOP/s: `GPU-h`, `kW h`, `petaflop-days`."""
        is_power = unit.dim.is_rate and not unit.dim.power_of(units.DATA_DIMENSION)
        joint = self.token_at(index).lower in ("-", "*")
        is_flop_amount = bool(unit.dim.power_of(units.FLOP_DIMENSION)) and self.token_at(index).text == "-"
        may_take_time = is_power or is_flop_amount or unit.dim.count_label in units.WORK_SHARING_LABEL_NAMES
        time = self.read_single_unit(index + joint) if may_take_time else None
        if time is None or time[0].dim != SECOND.dim or (not joint and self.token_at(index).text in ("m", "d", "min")):
            return unit, index
        unit = quotient_of_units(unit, SECOND) if unit.symbol.endswith("FLOP") else unit
        product = Unit(f"{unit.symbol}-{time[0].symbol}", unit.factor * time[0].factor, unit.dim * time[0].dim)
        return KNOWN_UNITS.get(unit.symbol + time[0].symbol) or product, time[1]


def attach_written_unit(number: WrittenAmount, written_unit: Unit | None, expected: AnswerFormat) -> WrittenAmount:
    """`number` with the unit `written_unit`. It keeps its other value (1,234 or 1.234) only if both are plausible: not
    a part of a thing that has none, nor of a unit smaller than the expected one."""
    unit, step, other_value = written_unit or expected.default_unit, number.place_value, number.value_if_other_mark
    if step is None or other_value is None:
        return number._replace(unit=written_unit, value_if_other_mark=None)
    if other_value < number.value:
        label, expected_unit = unit.dim.count_label, expected.default_unit
        whole_unit = label not in _LABELS_WITH_THREE_DECIMALS if label else unit.symbol in _WHOLE_UNIT_SYMBOLS
        is_smaller = unit.dim == expected_unit.dim and unit.factor < expected_unit.factor and unit.symbol != "%"
        is_ambiguous = step > 1 or not (whole_unit or is_smaller)
    else:
        is_whole = any(
            (number.value % 1 == 0, expected.is_whole, unit.dim.is_bare, units.own_currency_label_of_dim(unit.dim))
        )
        is_ambiguous = is_whole and step * 1000 == 1 and not number.has_exponent and unit.symbol != "%"
    return number._replace(unit=written_unit, value_if_other_mark=other_value if is_ambiguous else None)


def numerator_labels(dim: Dim) -> list[str]:
    """The labels in the numerator of `dim`, of the things that its amounts count: request for requests a second."""
    return [name for name, power in dim.powers if name not in units.PHYSICAL_DIMENSIONS and power > 0]


@lru_cache(maxsize=256)  # one text is read in several units, one after the other
def _tokens_of_text(text: str) -> Tokens:
    return response_tokens.split_tokens(response_tokens.fold_to_plain_characters(text), True)


def value_unit_and_length_at_start(
    text: str, expected_unit: Unit = UNIT_ONE, lexicon: UnitLexicon = EMPTY_LEXICON
) -> tuple[Fraction, Unit | None, int] | None:
    """The value, unit (None if none is written) and length in characters of the amount at the start of `text`; None
    without an amount."""
    try:
        line = _tokens_of_text(text)
        parsed = AmountParser(line, AnswerFormat(expected_unit, unit_lexicon=lexicon)).read_amount(0) if line else None
    except UnreadableError:
        return None
    if parsed is None:
        return None
    amount, end = parsed
    next_tokens = [token for token in line[end : end + 2] if token.lower != "and"][:1]
    if line[0].lower[:1].isalpha() and next_tokens and next_tokens[0].kind == NUMBER:
        return None  # two hundred and fifty
    return Fraction(amount.value), amount.unit, line[end - 1].end_offset


def evaluate_calculations(tokens: Tokens, expected: AnswerFormat) -> list[ResponseToken]:
    """The words, signs and amounts of a response in order, with each calculation replaced by its result."""
    line = _merge_amount_and_unit_tokens(tokens, expected)
    output: list[ResponseToken] = []
    index = 0
    while index < len(line):
        token, last, end = line[index], output[-1] if output else EDGE_TOKEN, _calculation_end_index(line, index)
        aside = token.is_after_space and token.lower in ("(", "+", "-") and last.kind not in (SIGN, "end")
        if end is None or end == index + 1 or aside:  # memory - 31.7 GB; 31.7 GB (26 + 5.7): the parenthesis stays
            output.append(token)
            index += 1
        elif token.lower == "(" and end == index + 3:  # (31.7 GB)
            output += line[index:end]
            index = end
        else:
            unit = line[end].unit if end < len(line) and line[end - 1].lower == ")" else None
            token = token._replace(kind=AMOUNT, lower="", amount=None, is_calculated=True)
            try:
                output.append(token._replace(amount=_calculated_amount(line[index:end], unit, expected)))
            except UnreadableError as reason:
                output.append(token._replace(calculation_error_text=str(reason)))
            index = end + (unit is not None)
    return output


def only_amount_tokens(line: Tokens) -> list[ResponseToken]:
    return [token for token in line if token.kind == AMOUNT]


def _merge_amount_and_unit_tokens(tokens: Tokens, expected: AnswerFormat) -> list[ResponseToken]:
    """`tokens` with each amount, and each unit apart from a number, as one token."""
    parser = AmountParser(tokens, expected)
    line: list[ResponseToken] = []
    index = 0
    while index < len(tokens):
        token = tokens[index]
        parsed = parser.read_amount(index)
        unit = parser.read_unit(index) if parsed is None and token.kind == WORD else None
        if parsed is not None:
            amount, index = parsed
            line.append(token._replace(kind=AMOUNT, amount=amount))
        elif unit is not None:
            text = " ".join(one.lower for one in tokens[index : unit[1]])
            line.append(token._replace(kind=UNIT, lower=text, unit=unit[0]))
            index = unit[1]
        else:
            index += 1
            line.append(token)
    return line


# -- calculations ---------------------------------------------------------------------------


def _calculation_end_index(line: Tokens, index: int) -> int | None:
    """The index after the longest calculation (amounts, operators, parentheses, functions) that begins at `index`; None
    if none begins there."""
    end, depth, operand = None, 0, True  # `operand`: an operand comes next
    for position, (token, behind) in enumerate(pairwise((*line[index:], EDGE_TOKEN)), index):
        if operand and token.kind == AMOUNT:
            operand = False
        elif operand:
            if token.lower not in ("(", "+", "-") and not (token.lower in words.FUNCTION_NAMES and behind.lower == "("):
                break
            depth += token.lower == "("
        elif depth and token.lower == ")":
            depth -= 1
        elif token.lower in response_tokens.OPERATORS or (depth and token.lower == ","):
            operand = True
        else:
            break
        end = position + 1 if not depth and not operand else end
    return end


def _calculated_amount(calculation: Tokens, unit_after: Unit | None, expected: AnswerFormat) -> WrittenAmount:
    """The result of a calculation, in the expected unit if the dimension fits. `unit_after`: the unit after its closing
    parenthesis, which is the result's unit. Raises UnreadableError if it has no value."""
    amounts = [token.amount for token in calculation if token.amount is not None]
    if len(calculation) == 2:
        return amounts[0].scaled_by(-1) if calculation[0].lower == "-" else amounts[0]
    _refuse_range_or_mixed_percent(calculation, amounts)
    target = (expected.stem_unit or UNIT_ONE) if expected.default_unit is UNIT_ONE else expected.default_unit
    result_unit = _unit_of_calculation([one.unit for one in amounts], unit_after, target)
    if result_unit is not None:
        numbers = [Quantity(int_if_whole(one.value), UNIT_ONE) for one in amounts]
        return WrittenAmount(_calculated_value_and_dim(calculation, numbers)[0], result_unit)
    plain_units = [UNIT_ONE if one.unit is None else unit_without_count_labels(one.unit) for one in amounts]
    quantities = [Quantity(int_if_whole(one.value), unit) for one, unit in zip(amounts, plain_units, strict=True)]
    number, dim = _calculated_value_and_dim(calculation, quantities)
    if not dim.is_bare and (answer_dimension_fits(dim, target.dim) or dim == unit_without_count_labels(target).dim):
        return WrittenAmount(Fraction(value_in_unit(number, target)), target)
    if not dim.is_bare:
        raise UnreadableError("the calculation comes to a different kind of quantity: write the result with its unit")
    if any(unit.dim.powers for unit in plain_units) and not (target.dim.is_bare or target.dim.count_label):
        raise UnreadableError("the calculation comes to a plain number: write the result with its unit")
    return WrittenAmount(number)


def _unit_of_calculation(written_units: Sequence[Unit | None], unit_after: Unit | None, target: Unit) -> Unit | None:
    """The unit at the end of a calculation, `unit_after` it or the last of `written_units`: `13e9 * (2 + 14/32) bytes`,
    `26 + 5.7 GB`. None without one. Raises UnreadableError for another unit in the parentheses."""
    if unit_after is None:
        *other_units, last = written_units
        is_result_unit = last is not None and not any(other_units) and answer_dimension_fits(last.dim, target.dim)
        return last if is_result_unit else None
    if any(unit_without_count_labels(unit).dim.powers for unit in written_units if unit is not None):
        raise UnreadableError("a unit stands in the parentheses and behind them: write the result with its unit")
    return unit_after


def _refuse_range_or_mixed_percent(calculation: Tokens, amounts: Sequence[WrittenAmount]) -> None:
    """Raise UnreadableError for `30-32` and `30 - 32 GB`, which are ranges, and for `2500 - 1%`."""
    if len(amounts) == 2 and [token.lower for token in calculation[1:-1]] == ["-"]:
        low, high = amounts
        unit = high.unit or UNIT_ONE
        if low.value * (low.unit or unit).factor <= high.value * unit.factor:
            raise UnreadableError("it is a range: write one number")
    percents = {one.unit is not None and one.unit.symbol == "%" for one in amounts}
    if len(percents) > 1 and any(token.lower in ("+", "-") for token in calculation):
        raise UnreadableError("it adds a percentage to a number: write the result")


def _calculated_value_and_dim(calculation: Tokens, operands: Sequence[Quantity]) -> tuple[int | Fraction, Dim]:
    """The value in base units and the dimension of a calculation with these `operands`. Raises UnreadableError."""
    quantities = {f"q{n}": quantity for n, quantity in enumerate(operands)}
    names = iter(quantities)
    scope, slots = scope_and_slot_values(quantities)
    try:
        tree = parse_expression("".join(next(names) if token.kind == AMOUNT else token.lower for token in calculation))
        compiled = compile_expression(tree, scope)
        dim, value = compiled.value_kind.dim, compiled.compute(slots)
    except (FormulaError, ImpossibleAnswer) as error:
        raise UnreadableError(f"the calculation has no value ({error}): write the result") from None
    assert dim is not None  # no literal 0 stands among the names
    return Fraction(value) if isinstance(value, float) else value, dim


def unit_without_count_labels(unit: Unit) -> Unit:
    """`unit` without what it counts, which a calculation ignores: 7e9 params * 2 bytes are bytes."""
    powers = tuple(power for power in unit.dim.powers if power[0] in units.PHYSICAL_DIMENSIONS)
    return unit if powers == unit.dim.powers else Unit(unit.symbol, unit.factor, Dim(powers))
