"""Numbers that a candidate commits to in a sentence: "TP = 8", "four stages", "save every 3 hours".

Each form is a row with what it reads and what it must not; names and numbers are put into it. A number is taken in
the unit of the case: 3 hours are 180 where that is minutes, and 285 MB are no micro-batch.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from quizgen.cases.case import Commitment
from quizgen.formula.quantity import Quantity
from quizgen.formula.units import UNIT_ONE, Unit
from quizgen.numbers.amounts import amount_at_start, unit_of_word

NUMBER_WORDS: Final = {
    "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "ten": 10, "twelve": 12,
    "fifteen": 15, "sixteen": 16, "twenty": 20, "thirty": 30, "thirty-two": 32, "sixty-four": 64,
}  # fmt: skip
_HALF_WORDS: Final = dict.fromkeys(("half", "half a", "half an"), Fraction(1, 2))
_AMOUNT_START_PATTERN: Final = re.compile(r"(?<![\w.,])(?=(\d[^;:()\n=]{0,40}))")
_FACTOR_TOLERANCE: Final = Fraction(8, 100)
# Factor -> how near to it an amount is taken for that slip: one power of ten shows through a rough estimate.
_TOLERANCE_BY_FACTOR = dict.fromkeys((Fraction(2), Fraction(1, 2)), _FACTOR_TOLERANCE)
_TOLERANCE_BY_FACTOR |= dict.fromkeys((Fraction(10) ** n for n in (-6, -3, -2, 2, 3, 6)), _FACTOR_TOLERANCE)
_TOLERANCE_BY_FACTOR |= dict.fromkeys((Fraction(10), Fraction(1, 10)), Fraction(1, 5))
_GIVEN_AMOUNT_TOLERANCE: Final = Fraction(1, 100)
_OTHER_AMOUNT_TOLERANCE: Final = Fraction(2, 100)
_NUMBER_WORD_PATTERN: Final = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_NUMBER_PATTERN: Final = (
    rf"(?<!\d[.,])(?P<number>\d{{1,3}}(?:,\d{{3}})+|\d{{1,7}}(?:\.\d{{1,3}})?|half an?|half"
    rf"|(?:{_NUMBER_WORD_PATTERN})(?: and a half)?)"
    r"(?![.,]\d)(?:(?:(?<=\d)|[- ])(?P<unit>[a-zµ]+(?:/[a-z]+)?|%))UNIT(?![\w%])"
)
# Words after which, or before which, a number is no commitment: "instead of TP=16", "not TP 8",
# "2*TP = 16 pieces", "compare TP=1 with TP=8", "TP=8 would be faster".
# "It isn't 140 GB", "not the 20 MB": in front of an amount that somebody denies.
_DENIAL_BEFORE_PATTERN: Final = re.compile(
    r"\b(?:not|never|cannot|\w+n['’]t|rather than|instead of)(?: (?:be|the|a|an|just|only|about|around|some|\w+ing))*"
    r"[ ~≈]*$",
    re.IGNORECASE,
)
_UNCOMMITTED_BEFORE_PATTERN: Final = re.compile(
    r"[*×·/]\s*$|\bcompar\w*\b[^.;,]*$"
    r"|\b(?:instead of|rather than|not|never|without|from|no|unlike|than|considered|tried|weighed|looked at"
    r"|thought about|compared with|against|say|as for|why not|n't)\s+(?:\w+\s+)?$"
    r"|\bprefill\w*\s+(?:\w+\s+){0,3}$"  # of another pool than the one that decodes
)
# "7 characters would give too few", "at a micro-batch of one and of two".
_UNCOMMITTED_AFTER_PATTERN: Final = re.compile(r"\s+(?:(?:would|could|might)\b|(?:and|or|versus) of (?:\d|[a-z]+\b))")
# "256,000 tokens a second" is a rate, and no number of GPUs that generate.
_RATE_AFTER_NUMBER_PATTERN: Final = re.compile(
    r"\s*(?:[a-z]+\s*)?(?:/|\b(?:a|per|each|every)\s+)(?:s|sec|second|minute|min|hour|h|day)\b"
)


@dataclass(frozen=True, slots=True)
class CommitmentForm:
    """A way to say a number: NAME and NUMBER stand for themselves. The examples are of names `tp` and
    `pipeline stages`: what each reads, and a sentence that must give nothing by it."""

    pattern: str
    read_example: tuple[str, int]
    unread_example: str


COMMITMENT_FORMS: Final = (
    CommitmentForm(r"\bNAME[-_ ]*(?:=|:|×|\bx\b)[ ]*NUMBER", ("tp = 8", 8), "tp or 8"),
    CommitmentForm(
        r"\bNAME(?: +(?:degree|size|width))?,? +(?:of|is|at|to|equals|becomes|stays|remains) +NUMBER",
        ("tp of 16", 16),
        "tp in 16",
    ),
    CommitmentForm(r"\bNAME[-_ ]?NUMBER", ("TP8 inside the node", 8), "tp, 8 of them"),
    CommitmentForm(r"\bNUMBER[- ]way[- ]NAME", ("8-way tp", 8), "8 ways to cut tp"),
    CommitmentForm(r"\bNUMBER of NAME", ("8 GPUs of tp", 8), "8 of my tp"),
    CommitmentForm(r"\bNUMBER[- ]NAME", ("four pipeline stages", 4), "four or more pipeline stages"),
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
            for pattern in _commitment_patterns(one.names)
            for match in pattern.finditer(plain)
            if not _UNCOMMITTED_BEFORE_PATTERN.search(plain[: match.start()])
            and not any(_UNCOMMITTED_AFTER_PATTERN.match(plain, end) for end in (match.end("number"), match.end()))
            and not _RATE_AFTER_NUMBER_PATTERN.match(plain, match.end())
            and not _is_count_of_things(one, match)
            and (number := _number_in_unit(match, one.unit)) is not None
        ]
        end = 0
        for start, next_end, number in sorted(hits):
            if start >= end:  # "five more nodes at 320,000" are five
                numbers[one.id], end = number, next_end
    return numbers


def is_commitment_named(one: Commitment, text: str) -> bool:
    """Whether a text has one of the names of a commitment.

    >>> is_commitment_named(Commitment("tp", ("tp", "tensor parallel*"), (1, 8), 8), "I never chose TP = 8.")
    True"""
    return bool(re.search(rf"\b(?:{'|'.join(_name_pattern(name) for name in one.names)})\b", text.casefold()))


def amount_off_by_factor(
    text: str, right_amount: Quantity | None, other_amounts: Iterable[Quantity] = (), text_of_given_amounts: str = ""
) -> str:
    """The first amount in a text that is twice, half or a power of ten of `right_amount`. Empty if there is none, if
    the right amount is there too, or if `right_amount` is None. Amounts in `text_of_given_amounts`, and
    `other_amounts`, are never wrong.

    >>> from quizgen.formula.units import parse_unit
    >>> amount_off_by_factor("That is 377 MB.", Quantity(754e6, parse_unit("B")))
    '377 MB'
    >>> amount_off_by_factor("It isn't 377 MB, as both halves count.", Quantity(754e6, parse_unit("B")))
    ''"""
    if right_amount is None:
        return ""
    ratios = _amount_ratios(text, right_amount)
    known = [(ratio, _GIVEN_AMOUNT_TOLERANCE) for ratio, _ in _amount_ratios(text_of_given_amounts, right_amount)]
    alike = [one for one in other_amounts if one.unit.dim == right_amount.unit.dim]
    known += [(Fraction(one.base_value) / Fraction(right_amount.base_value), _OTHER_AMOUNT_TOLERANCE) for one in alike]
    if any(abs(ratio - 1) <= _FACTOR_TOLERANCE for ratio, _ in ratios):
        return ""
    slips = (
        written for ratio, written in ratios
        if any(abs(ratio / slip - 1) <= close for slip, close in _TOLERANCE_BY_FACTOR.items())
        and not any(abs(ratio - one) <= near * one for one, near in known)
    )  # fmt: skip
    return next(slips, "")


def _amount_ratios(text: str, right: Quantity) -> list[tuple[Fraction, str]]:
    """The amounts of the same kind in a text that are not denied: the ratio of each to `right`, and its words."""
    made = []
    for found in _AMOUNT_START_PATTERN.finditer(text):
        read = amount_at_start(found[1], right.unit)
        denied = _DENIAL_BEFORE_PATTERN.search(text[: found.start()])
        if read is not None and read[1] is not None and read[1].dim == right.unit.dim and not denied:
            ratio = read[0] * Fraction(read[1].factor) / Fraction(right.base_value)
            made.append((ratio, found[1][: read[2]].strip()))
    return made


def _is_count_of_things(commitment: Commitment, match: re.Match[str]) -> bool:
    """Whether a number without a unit stands in front of a name of an amount: "1,250 chunks" is no size of a chunk."""
    word = match.string[match.end("number") :].split(maxsplit=1)[0:1]
    thing = word[0].rstrip(".,;") if word else ""
    named = any(thing in name.split() for name in commitment.names)
    return commitment.unit is not UNIT_ONE and named and _spelled_unit(thing) is None


def _number_in_unit(match: re.Match[str], unit: Unit) -> Fraction | None:
    """The number of a match, converted to `unit`; None if it has an incompatible unit, or is a count that is not
    whole."""
    written, word = match["number"], match["unit"]
    given = _spelled_unit(word) if word else None
    if word and unit_of_word(word) is None and match.end("unit") < match.end():
        return None  # "8 extra stages": the word between number and name is not a unit
    if written.startswith("half") and given is None:
        return None  # "half the interval" is not a number
    whole = written.removesuffix(" and a half")
    number = Fraction(NUMBER_WORDS.get(whole) or _HALF_WORDS.get(whole) or whole.replace(",", ""))
    number += Fraction(whole != written) / 2
    given = given or unit
    if given.dim != unit.dim:
        return None
    number = round(number * Fraction(given.factor) / Fraction(unit.factor), 2)
    return number if unit is not UNIT_ONE or number.denominator == 1 else None


def _spelled_unit(word: str) -> Unit | None:
    """The unit that a word spells; None for a count (GPUs, nodes), as what is counted is the name's business."""
    unit = unit_of_word(word)
    return None if unit is None or unit.dim.label else unit


@lru_cache(maxsize=64)
def _commitment_patterns(names: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    """A pattern a form; behind a number, a name that is a unit too is the unit (285 MB is no micro-batch `mb`)."""
    made = []
    for form in COMMITMENT_FORMS:
        fit = [n for n in names if not form.pattern.startswith(r"\bNUMBER") or _spelled_unit(n) is None]
        words = "|".join(_name_pattern(n) for n in sorted(fit, key=len, reverse=True))
        # If a name may follow the number, "8 read replicas" must not be read as 8 of a unit "read".
        number = _NUMBER_PATTERN.replace("UNIT", "??" if form.pattern.startswith(r"\bNUMBER") else "?")
        if words:
            made.append(re.compile(form.pattern.replace("NAME", f"(?:{words})").replace("NUMBER", number)))
    return tuple(made)


def _name_pattern(name: str) -> str:
    """`tensor parallel*` as a pattern: blanks and hyphens are one, a star ends a word anyhow."""
    pieces = [re.escape(w.removesuffix("*")) + (r"[a-z]*" if w.endswith("*") else "") for w in name.casefold().split()]
    return "[- ]".join(pieces)
