"""Numbers that a candidate commits to in a sentence: "TP = 8", "four stages", "save every 3 hours".

Each form is a row with what it reads and what it must not; names and numbers are put into it. A number is taken in
the unit of the case: 3 hours are 180 where that is minutes, and 285 MB are no micro-batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.cases.case import Commitment
from quizgen.cases.listening import pattern
from quizgen.formula.quantity import Quantity
from quizgen.formula.units import UNIT_ONE, Unit
from quizgen.numbers.amounts import amount_at_start, unit_of_word

NUMBER_BY_WORD: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "twelve": 12,
    "fifteen": 15, "sixteen": 16, "twenty": 20, "thirty": 30, "thirty-two": 32, "sixty-four": 64,
}  # fmt: skip
_HALF_BY_WORD: Final = dict.fromkeys(("half", "half a", "half an"), Fraction(1, 2))
_AMOUNT_START_PATTERN: Final = re.compile(r"(?<![\w.,])(?=(\d[^;:()\n=]{0,40}))")
_SLIP_FACTOR_TOLERANCE: Final = Fraction(8, 100)
# Factor -> how near to it an amount is taken for that slip: one power of ten shows through a rough estimate.
_TOLERANCE_BY_SLIP_FACTOR = dict.fromkeys((Fraction(2), Fraction(1, 2)), _SLIP_FACTOR_TOLERANCE)
_TOLERANCE_BY_SLIP_FACTOR |= dict.fromkeys((Fraction(10) ** n for n in (-6, -3, -2, 2, 3, 6)), _SLIP_FACTOR_TOLERANCE)
_TOLERANCE_BY_SLIP_FACTOR |= dict.fromkeys((Fraction(10), Fraction(1, 10)), Fraction(1, 5))
_GIVEN_AMOUNT_TOLERANCE: Final = Fraction(1, 100)
_OTHER_KEY_TOLERANCE: Final = Fraction(2, 100)
_NUMBER_WORD_PATTERN: Final = "|".join(sorted(NUMBER_BY_WORD, key=len, reverse=True))
_NUMBER_PATTERN: Final = (
    rf"(?<!\d[.,])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}(?:\.\d{{1,3}})?|half an?|half"
    rf"|(?:{_NUMBER_WORD_PATTERN})(?: and a half)?)"
    r"(?![.,]\d)(?:(?:(?<=\d)|[- ])(?P<unit>[a-zµ]+(?:/[a-z]+)?|%))UNIT(?![\w%])"
)

# Ways to say a number; NAME and NUMBER stand for themselves.
COMMITMENT_PHRASE_PATTERNS: Final = (
    r"\bNAME[-_ ]*(?:=|:|×|\bx\b)[ ]*NUMBER",  # "tp = 8"; not "tp or 8"
    r"\bNAME(?: +(?:degree|size|width))?,? +(?:of|is|at|to|equals|becomes|stays|remains) +NUMBER",  # "tp of 16"
    r"\bNAME[-_ ]?NUMBER",  # "TP8 inside the node"; not "tp, 8 of them"
    r"\bNUMBER[- ]way[- ]NAME",
    r"\bNUMBER of NAME",  # "8 GPUs of tp"; not "8 of my tp"
    r"\bNUMBER[- ]NAME",  # "four pipeline stages"; not "four or more pipeline stages"
)


def committed_numbers(text: str, commitments: Iterable[Commitment]) -> dict[str, Fraction]:
    """The numbers that a text commits to, each in its commitment's unit and to two decimals, by the id of the
    commitment; the last statement of each wins.

    >>> tp = Commitment("tp", ("tp", "tensor parallel*"), (1, 8), 8)
    >>> committed_numbers("I'd take tensor parallelism of 16, no: TP=8.", [tp])
    {'tp': Fraction(8, 1)}
    """
    plain = " ".join(text.casefold().split())
    numbers: dict[str, Fraction] = {}
    for one in commitments:
        hits = [
            (match.start(), match.end(), number)
            for shape in _commitment_patterns(one.spoken_names)
            for match in shape.finditer(plain)
            if not pattern("uncommitted before").search(plain[: match.start()])
            and not any(pattern("uncommitted after").match(plain, end) for end in (match.end("number"), match.end()))
            and not pattern("rate after number").match(plain, match.end())
            and not _is_count_of_things(match, one)
            and (number := _number_in_unit(match, one.unit)) is not None
        ]
        end = 0
        for start, next_end, number in sorted(hits):
            if start >= end:  # "five more nodes at 320,000" are five
                numbers[one.id], end = number, next_end
    return numbers


def is_commitment_named(commitment: Commitment, text: str) -> bool:
    """Whether a text has one of the names of a commitment.

    >>> is_commitment_named(Commitment("tp", ("tp", "tensor parallel*"), (1, 8), 8), "I never chose TP = 8.")
    True"""
    names = "|".join(map(_name_pattern, commitment.spoken_names))
    return bool(re.search(rf"\b(?:{names})\b", text.casefold()))


def amount_text_off_by_factor(
    text: str, right_amount: Quantity | None, other_keys: Iterable[Quantity] = (), text_of_given_amounts: str = ""
) -> str:
    """The first amount in a text that is twice, half or a power of ten of `right_amount`. Empty if there is none, if
    the right amount is there too, or if `right_amount` is None. Amounts in `text_of_given_amounts`, and
    `other_keys`, are never wrong.

    >>> from quizgen.formula.units import parse_unit
    >>> amount_text_off_by_factor("That is 377 MB.", Quantity(754e6, parse_unit("B")))
    '377 MB'
    >>> amount_text_off_by_factor("It isn't 377 MB, as both halves count.", Quantity(754e6, parse_unit("B")))
    ''"""
    if right_amount is None:
        return ""
    ratios = _ratios_and_texts(text, right_amount)
    known = [(ratio, _GIVEN_AMOUNT_TOLERANCE) for ratio, _ in _ratios_and_texts(text_of_given_amounts, right_amount)]
    alike = (one for one in other_keys if one.unit.dim == right_amount.unit.dim)
    known += [(Fraction(one.base_value) / Fraction(right_amount.base_value), _OTHER_KEY_TOLERANCE) for one in alike]
    if any(abs(ratio - 1) <= _SLIP_FACTOR_TOLERANCE for ratio, _ in ratios):
        return ""
    for ratio, written in ratios:
        is_slip = any(abs(ratio / slip - 1) <= close for slip, close in _TOLERANCE_BY_SLIP_FACTOR.items())
        if is_slip and not any(abs(ratio - one) <= near * one for one, near in known):
            return written
    return ""


def _ratios_and_texts(text: str, right_amount: Quantity) -> list[tuple[Fraction, str]]:
    """The amounts of the same kind in a text that are not denied: its ratio to `right_amount`, and its words."""
    made = []
    for found in _AMOUNT_START_PATTERN.finditer(text):
        read = amount_at_start(found[1], right_amount.unit)
        denied = pattern("denial before").search(text[: found.start()])
        if read is not None and read[1] is not None and read[1].dim == right_amount.unit.dim and not denied:
            ratio = read[0] * Fraction(read[1].factor) / Fraction(right_amount.base_value)
            made.append((ratio, found[1][: read[2]].strip()))
    return made


def _is_count_of_things(match: re.Match[str], commitment: Commitment) -> bool:
    """Whether a number without a unit stands in front of a name of an amount: "1,250 chunks" is no size of a chunk."""
    thing = "".join(match.string[match.end("number") :].split(maxsplit=1)[:1]).rstrip(".,;")
    named = any(thing in name.split() for name in commitment.spoken_names)
    return commitment.unit is not UNIT_ONE and named and _spelled_unit(thing) is None


def _number_in_unit(match: re.Match[str], unit: Unit) -> Fraction | None:
    """The number of a match, converted to `unit`; None if it has an incompatible unit, or is a count that is not
    whole."""
    written, word = match["number"], match["unit"]
    given = _spelled_unit(word) if word else None
    if word and unit_of_word(word) is None and match.end("unit") < match.end():
        return None  # "8 extra stages": the word between number and name is not a unit
    if (given or unit).dim != unit.dim or (written.startswith("half") and given is None):
        return None  # "half the interval" is not a number
    whole = written.removesuffix(" and a half")
    number = Fraction(NUMBER_BY_WORD.get(whole) or _HALF_BY_WORD.get(whole) or whole.replace(",", ""))
    number += Fraction(whole != written) / 2
    number = round(number * Fraction((given or unit).factor) / Fraction(unit.factor), 2)
    return number if unit is not UNIT_ONE or number.denominator == 1 else None


def _spelled_unit(word: str) -> Unit | None:
    """The unit that a word spells; None for a count (GPUs, nodes), as what is counted is the name's business."""
    unit = unit_of_word(word)
    return None if unit is None or unit.dim.label else unit


@lru_cache(maxsize=64)
def _commitment_patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """A pattern a form; behind a number, a name that is a unit too is the unit (285 MB is no micro-batch `mb`)."""
    made = []
    for form in COMMITMENT_PHRASE_PATTERNS:
        number_first = form.startswith(r"\bNUMBER")
        fit = [n for n in names if not number_first or _spelled_unit(n) is None]
        words = "|".join(_name_pattern(n) for n in sorted(fit, key=len, reverse=True))
        # If a name may follow the number, "8 read replicas" must not be read as 8 of a unit "read".
        number = _NUMBER_PATTERN.replace("UNIT", "??" if number_first else "?")
        if words:
            made.append(re.compile(form.replace("NAME", f"(?:{words})").replace("NUMBER", number)))
    return tuple(made)


def _name_pattern(name: str) -> str:
    """`tensor parallel*` as a pattern: blanks and hyphens are one, a star ends a word anyhow."""
    pieces = [re.escape(w.removesuffix("*")) + (r"[a-z]*" if w.endswith("*") else "") for w in name.casefold().split()]
    return "[- ]".join(pieces)
