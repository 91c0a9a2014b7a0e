"""What around a number makes it no answer: a bound, a range, a denial, a name to calculate with, an unknown unit."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import pairwise, takewhile
from typing import Final

from quizgen.formula.reading.span import SIGN, UNIT, WORD, Span
from quizgen.formula.reading.sums import Sum
from quizgen.formula.reading.vocabulary import BOUNDS, LOOSE_BOUNDS, PROSE, REFUSED_UNITS, REFUSERS, SLIGHTLY
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import KNOWN_UNITS, Unit
from quizgen.source.problems import did_you_mean, shorten

_QUIET: Final = (*".,;:!?()[]\"'*_~|#&", "**", "..", "...")
_CHANGES: Final = ("squared", "cubed", "doubled", "tripled", "halved", "twice", "thrice", "double")
_FUNCTIONS: Final = (
    *("sqrt", "log", "log2", "log10", "lg", "ln", "exp", "ceil", "floor", "ceil_log2"),
    *("sin", "cos", "tan", "pow", "cbrt", "mean", "avg", "mod", "gcd", "lcm", "factorial", "prod", "int"),
)
_VAGUE: Final = ("few", "several", "many", "couple")  # a few thousand
_BOUND_ENDS: Final = (["or", "more"], ["or", "less"], ["and", "up"], ["at", "least"], ["at", "most"])
_SHARES: Final = ("direction", "way", "side", "piece", "unit", "item")  # behind `per`: one of what the stem is about
_FLAT: Final = re.compile(r"10[1-9]\d?")  # 1010 for 10^10
_ADDS: Final = frozenset(("adds", "add", "adding", "sums", "sum", "summing", "comes", "come", "totals"))  # up to 8.5 ms
_LEADING: Final = (*_QUIET, ">=", "<=", "-", "<", ">", "+/-")


def lead_fault(before: Sequence[Span], gap: bool, count: bool, exact: bool = False) -> str:
    """Why the words before the number make it no answer.

    `count`: a bound with its end (`at least 14`, `>= 14`) is how people give the smallest or largest
    count; of any other amount it is no value. `exact`: "just under 14" is no value either.
    """
    if before and before[-1].kind == SIGN and not before[-1].is_sign(*_LEADING):
        return f'cannot calculate with "{shorten(before[-1].text)}" here: write the number itself'
    if len(before) > 1 and before[-2].kind in (WORD, UNIT) and (gap or not before[-1].gap):
        dash = before[-1].is_sign("-") and not (gap and before[-1].gap and len(before[-2].text) > 2)
        if dash or before[-1].is_sign("*", "**"):
            return "it calculates with a name: write the number itself"
    near = list(takewhile(lambda token: not token.is_sign(*".,;:!?"), reversed(before)))[:3]
    words = [t.low for t in near]
    if words and words[0] in _CHANGES:
        return f'"{words[0]}" would change the number: write the result'
    if words and words[0] in _VAGUE:
        return f'"{words[0]}" is no number: write one'
    if words and words[0] in _FUNCTIONS:
        return f'write "{words[0]}" with parentheses, or the number itself'
    if near and near[0].kind == WORD and near[0].low in REFUSED_UNITS:
        return REFUSED_UNITS[near[0].low]
    if any(t.is_sign("<", ">") or (t.is_sign("<=", ">=") and not count) for t in near):
        return "it gives a bound: write the number itself"
    if any(t.is_sign("+/-") for t in near):
        return "it gives a margin: write one number"
    bound = words[:2] == ["to", "up"] and not set(words[2:]) & _ADDS
    if not count and (bound or words[:2] in (["least", "at"], ["most", "at"])):
        return "it gives a bound: write the number itself"
    slight = not exact and set(words[1 + (words[:1] == ["than"]) :][:1]) & SLIGHTLY  # a bit less than 12 years
    than = "than" in words[:3] and not {"rather", "other"} & set(words)  # more than the classic 64 kB
    if words and not slight and (words[0] in BOUNDS or than) and not {"no", "not"} & set(words):
        return "it gives a bound: write the number itself"
    unsure = "not" in words and words.index("not") and words[words.index("not") - 1] in ("sure", "certain")
    if any(w in REFUSERS for w in words) and not unsure and not ({*BOUNDS, *LOOSE_BOUNDS} & set(words)):
        return "it says what the answer is not: write the number itself"
    return ""


def power_fault(found: Sum) -> str:
    """`3 x 1010` and `32.10^9`: a power of ten that lost its mark, or was written with a dot for times."""
    texts = [p if isinstance(p, str) else p.text for p in found.parts]
    for text, sign in pairwise(texts):
        if sign == "**" and text.endswith(".10"):
            return f'"{text}" before a power could be a product: write it like 3.2e10'
    if len(texts) == 3 and texts[1] == "*" and len(found.amounts) == 2:
        factor, power = found.amounts[0].senses[0].value, found.amounts[1].numeral.text
        if _FLAT.fullmatch(power) and power != "1024" and 1 <= abs(Fraction(factor)) < 10:
            return f'"{power}" could be 10^{power[2:]}: write it like 3e{power[2:]}, or the product'
    if len(texts) == 5 and texts[1:4] == ["*", "10", "-"] and " - " not in found.span.text:
        return f'"10-{texts[4]}" could be a power: write it like 3e-6'
    return ""


def _is_torn(tail: Sequence[Span], has_unit: bool) -> bool:
    """`31.O` and `1.#INF`: a number that breaks off in the middle."""
    dot = tail[0].is_sign(".") and not tail[0].gap and not has_unit and len(tail) > 1
    mark = tail[1] if dot else tail[0]
    return not mark.gap and (mark.is_sign("#") or (dot and mark.kind in (WORD, UNIT)))


def _is_unknown(word: Span, known: Collection[str]) -> bool:
    """No word of the stem or of the bank, in either number."""
    forms = {word.low, f"{word.low}s", word.low.removesuffix("s")}
    return word.kind == WORD and word.low.isalpha() and not forms & {*known, *_SHARES} and word.low not in PROSE


def prime_fault(found: Sum, tail: Sequence[Span], asked: Unit) -> str:
    """`30'` where a time is asked."""
    if asked.dim.power(TIME) != 1 or not tail or not tail[0].is_sign("'", '"'):
        return ""
    return f'"{found.amounts[0].text}{tail[0].text}" could be minutes or seconds: write min or s'


def range_fault(found: Sum) -> str:
    """`30-32` is a range, not -2."""
    if len(found.parts) != 3 or found.parts[1] != "-" or len(found.amounts) != 2:
        return ""
    left, right = (amount.senses[0] for amount in found.amounts)
    mine, theirs = left.value, right.value
    if left.unit is not None and right.unit is not None:
        mine, theirs = mine * left.unit.factor, theirs * right.unit.factor
    return "it gives a range: write one number" if mine <= theirs else ""


def tail_fault(tail: Sequence[Span], has_unit: bool, count: bool, known: Collection[str], passed: bool) -> str:
    """Why what follows the number cannot be passed over. `count`: see `lead_fault`; `known`: words that may
    have been meant by an unknown one; `passed`: the first word needs no unit before it."""
    if not tail:
        return ""
    first = tail[0]
    ends = first.is_sign("+") and len(tail) == 1
    if not count and (ends or [t.low for t in tail[:2]] in _BOUND_ENDS):
        return "it gives a bound: write the number itself"
    if len(tail) > 1 and (first.is_sign("/") or first.says("per")) and _is_unknown(tail[1], known):
        if tail[1].low in REFUSED_UNITS:
            return REFUSED_UNITS[tail[1].low]
        return f'"{shorten(tail[1].text)}" is no unit known here: write what the number is of, and per what'
    if first.low in _CHANGES:
        return f'"{first.text}" would change the number: write the result'
    if first.is_sign("+") and len(tail) == 1:  # 14+
        return ""
    if _is_torn(tail, has_unit):
        torn = shorten("".join(t.text for t in tail[:3]))
        return f'cannot read "{torn}" after the number: write only a number and its unit'
    if first.is_sign("*", "**") and len(tail) > 1 and tail[1].kind in (WORD, UNIT):
        return "it calculates with a name: write the number itself"
    if first.is_sign("/") and has_unit and len(tail) > 1 and tail[1].kind in (WORD, UNIT):
        return ""
    if first.is_sign("-") and (first.gap or (len(tail) > 1 and tail[1].low == "ish")):
        return ""
    rate = first.is_sign("/") and len(tail) == 2 and tail[1].low in known and tail[1].kind == UNIT  # 2,500/month
    for token in tail[rate:]:
        if (
            token.kind == SIGN
            and token.text not in _QUIET
            and token.low != "over"
            and not (token.text in ("-", "/") and token is not first)
        ):
            return f'cannot read "{shorten(token.text)}": write only the number and its unit'
    if first.kind in (WORD, UNIT):
        if first.low in REFUSED_UNITS:
            return REFUSED_UNITS[first.low]
        part = count and [t.low for t in tail[:2]] == ["out", "of"]
        if not has_unit and first.low not in PROSE and not (passed or part):
            near = did_you_mean(first.low, known) if _is_unknown(first, known) else ""  # its other form is no remedy
            hint = f"; {near}" if near else ""
            return f'"{shorten(first.text)}" is no unit known here{hint}: write the number with its unit'
    rest = () if first.low == "of" else tail  # a fifth of the bytes
    late = next((t.text for t in rest if t.text in KNOWN_UNITS and len(t.text) > 1 and t.low not in PROSE), None)
    if not has_unit and late is not None and not KNOWN_UNITS[late].dim.label:
        return f'"{late}" does not follow the number: write the unit right after it'
    return ""
