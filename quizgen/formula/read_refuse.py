"""What around a number makes it no answer: a bound, a range, a denial, a name to calculate with, an unknown unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from quizgen.formula.read_sums import Sum
from quizgen.formula.read_terms import Term, refusal
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_words import BOUNDS, LOOSE_BOUNDS, PROSE, REFUSERS
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import KNOWN_UNITS, Unit
from quizgen.source import shorten

_QUIET: Final = (*".,;:!?()[]\"'*_~|#&", "**", "..", "...")
_CHANGES: Final = ("squared", "cubed", "doubled", "tripled", "halved", "twice", "thrice", "double")
_FUNCTIONS: Final = (
    *("sqrt", "log", "log2", "log10", "lg", "ln", "exp", "ceil", "floor", "ceil_log2"),
    *("sin", "cos", "tan", "pow", "cbrt", "mean", "avg", "mod", "gcd", "lcm", "factorial", "prod", "int"),
)
_BOUND_ENDS: Final = (["or", "more"], ["or", "less"], ["and", "up"], ["at", "least"], ["at", "most"])
_LEADING: Final = (*_QUIET, ">=", "<=", "-", "<", ">", "+/-")


def lead_fault(before: Sequence[Token], gap: bool, count: bool) -> str:
    """Why the words before the number make it no answer.

    `count`: a bound with its end (`at least 14`, `>= 14`) is how people give the smallest or largest
    count; of any other amount it is no value.
    """
    if before and before[-1].kind == SIGN and not before[-1].is_sign(*_LEADING):
        return f'cannot calculate with "{shorten(before[-1].text)}" here: write the number itself'
    if len(before) > 1 and before[-2].kind == WORD and (gap or not before[-1].gap):
        dash = before[-1].is_sign("-") and not (gap and before[-1].gap and len(before[-2].text) > 2)
        if dash or before[-1].is_sign("*", "**"):
            return "it calculates with a name: write the number itself"
    near = []
    for token in reversed(before):
        if token.is_sign(".", ",", ";", ":", "!", "?"):
            break
        near.append(token)
        if len(near) == 3:
            break
    words = [t.low for t in near]
    if words and words[0] in _FUNCTIONS:
        return f'write "{words[0]}" with parentheses, or the number itself'
    if near and refusal(near[0]):
        return refusal(near[0])
    if any(t.is_sign("<", ">") or (t.is_sign("<=", ">=") and not count) for t in near):
        return "it gives a bound: write the number itself"
    if any(t.is_sign("+/-") for t in near):
        return "it gives a margin: write one number"
    if not count and (words[:2] in (["least", "at"], ["most", "at"], ["to", "up"])):
        return "it gives a bound: write the number itself"
    if words and words[0] in BOUNDS and not {"no", "not"} & set(words):
        return "it gives a bound: write the number itself"
    unsure = "not" in words and words.index("not") and words[words.index("not") - 1] in ("sure", "certain")
    if any(w in REFUSERS for w in words) and not unsure and not ({*BOUNDS, *LOOSE_BOUNDS} & set(words)):
        return "it says what the answer is not: write the number itself"
    return ""


def power_fault(tokens: Sequence[Token]) -> str:
    """`3 x 10-6` and `32.10^9`: a power of ten that lost its mark, or was written with a dot for times."""
    for at, token in enumerate(tokens[1:], start=1):
        dotted = token.is_sign("**") and tokens[at - 1].kind == NUMBER and tokens[at - 1].text.endswith(".10")
        if dotted and len(tokens[at - 1].text) > 3:
            return f'"{tokens[at - 1].text}" before a power could be a product: write it like 3.2e10'
        last = at == len(tokens) - 2 or (at + 2 < len(tokens) and tokens[at + 2].kind == WORD)
        if token.is_sign("*") and len(tokens) - at <= 3 and at == 1:  # 3.17 x 1010
            factor, power = tokens[0], tokens[2].text if len(tokens) > 2 else ""
            flat = power.isdigit() and power[:2] == "10" and 2 < len(power) < 5 and power[2] != "0"
            if flat and power != "1024" and factor.kind == NUMBER and 1 <= abs(factor.number().value) < 10:
                return f'"{power}" could be 10^{power[2:]}: write it like 3e{power[2:]}, or the product'
        lost = token.is_sign("-") and last and at > 1 and tokens[at - 1].text == "10" and tokens[at - 2].is_sign("*")
        if lost and tokens[at + 1].text.isdigit() and not (token.gap and tokens[at + 1].gap):
            return f'"10-{tokens[at + 1].text}" could be a power: write it like 3e-6'
    return ""


def _is_torn(tail: Sequence[Token], has_unit: bool) -> bool:
    """`31.O` and `1.#INF`: a number that breaks off in the middle."""
    dot = tail[0].is_sign(".") and not tail[0].gap and not has_unit
    if dot and len(tail) > 1 and not tail[1].gap and tail[1].kind == WORD:
        return True
    mark = tail[1] if dot and len(tail) > 1 else tail[0]
    return mark.is_sign("#") and not mark.gap


def prime_fault(found: Sum, tail: Sequence[Token], asked: Unit) -> str:
    """`30'` where a time is asked."""
    if asked.dim.power(TIME) != 1 or not tail or tail[0].gap or not tail[0].is_sign("'", '"'):
        return ""
    return f'"{found.terms[0].literal.text}{tail[0].text}" could be minutes or seconds: write min or s'


def range_fault(found: Sum) -> str:
    """`30-32` is a range, not -2."""
    parts = found.parts
    if len(parts) != 3 or parts[1] != "-" or not isinstance(parts[0], Term) or not isinstance(parts[2], Term):
        return ""
    left, right = parts[0], parts[2]
    if left.unit is not None and right.unit is not None and left.unit != right.unit:
        return ""
    if left.literal.value <= right.literal.value:
        return "it gives a range: write one number"
    return ""


def tail_fault(tail: Sequence[Token], has_unit: bool, count: bool = True) -> str:
    """Why what follows the number cannot be passed over. `count`: see `lead_fault`."""
    if not tail:
        return ""
    first = tail[0]
    ends = first.is_sign("+") and len(tail) == 1
    if not count and (ends or [t.low for t in tail[:2]] in _BOUND_ENDS):
        return "it gives a bound: write the number itself"
    if first.low in _CHANGES:
        return f'"{first.text}" would change the number: write the result'
    if first.is_sign("+") and len(tail) == 1:  # 14+
        return ""
    if _is_torn(tail, has_unit):
        torn = shorten("".join(t.text for t in tail[:3]))
        return f'cannot read "{torn}" after the number: write only a number and its unit'
    if first.is_sign("*", "**") and len(tail) > 1 and tail[1].kind == WORD:
        return "it calculates with a name: write the number itself"
    if first.is_sign("/") and has_unit and len(tail) > 1 and tail[1].kind == WORD:
        return ""
    if first.is_sign("-") and (first.gap or (len(tail) > 1 and tail[1].low == "ish")):
        return ""
    for token in tail:
        if token.kind == SIGN and token.text not in _QUIET and not (token.text in ("-", "/") and token is not first):
            if token.text == "+/-":
                return "it gives a margin: write one number"
            return f'cannot read "{shorten(token.text)}": write only the number and its unit'
    if first.kind == WORD and not first.is_sign():
        if refusal(first):
            return refusal(first)
        if not has_unit and first.low not in PROSE:
            return f'"{shorten(first.text)}" is no unit known here: write the number with its unit'
    late = next((t.text for t in tail if t.text in KNOWN_UNITS and len(t.text) > 1 and t.low not in PROSE), None)
    if not has_unit and late is not None and not KNOWN_UNITS[late].dim.label:
        return f'"{late}" does not follow the number: write the unit right after it'
    return ""
