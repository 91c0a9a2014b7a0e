"""The arithmetic of a response as it stands: one term, a compound time, or terms with signs between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from quizgen.formula.quantity import Number
from quizgen.formula.read_number import Literal
from quizgen.formula.read_terms import Term, term_at
from quizgen.formula.read_token import WORD, Token
from quizgen.formula.read_units import unit_at
from quizgen.formula.read_words import FUNCTIONS
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import KNOWN_UNITS, Unit

_MAX_TERMS: Final = 60
_OPERATORS: Final = ("+", "-", "*", "/", "//", "**")
_TIME: Final = ((TIME, 1),)


@dataclass(frozen=True, slots=True)
class Sum:
    """Terms and signs in order, from token `start` to token `end`. `fault`: what is wrong with it."""

    parts: tuple[Term | str, ...]
    start: int
    end: int
    fault: str = ""

    @property
    def terms(self) -> tuple[Term, ...]:
        return tuple(part for part in self.parts if isinstance(part, Term))

    @property
    def single(self) -> Term | None:
        """The term, where there is only one and at most a sign before it."""
        inner = [part for part in self.parts if part not in ("(", ")")]
        if len(inner) == 2 and inner[0] in ("-", "+") and isinstance(inner[1], Term):
            literal = inner[1].literal
            if inner[0] == "+":
                return inner[1]
            decimal = None if literal.decimal is None else -literal.decimal
            return replace(inner[1], literal=replace(literal, value=-literal.value, decimal=decimal))
        return inner[0] if len(inner) == 1 and isinstance(inner[0], Term) else None


@dataclass(frozen=True, slots=True)
class Found:
    """What a sum comes to: `value` in `unit`, or a bare number where `unit` is None.

    `step` is the worth of the last significant place (None: it was calculated or is exact).
    """

    value: Number
    unit: Unit | None
    step: Fraction | None = None
    calculated: bool = False
    raised: bool = False


def sum_at(tokens: Sequence[Token], at: int, asked: Unit) -> Sum | None:
    """The longest sum that starts at token `at`; None if none does."""
    parts: list[Term | str] = []
    end, place, depth, functions = at, at, 0, 0
    good: list[Term | str] = []
    wants = True
    while place < len(tokens):
        token = tokens[place]
        if wants:
            if token.is_sign("(", "["):
                depth += 1
                parts.append("(")
                place += 1
            elif token.is_sign("-", "+"):
                parts.append(token.text)
                place += 1
            elif _is_function(tokens, place):
                parts.extend((token.low, "("))
                place, depth, functions = place + 2, depth + 1, functions + 1
            else:
                found = term_at(tokens, place, asked)
                if found is None:
                    break
                term, place = found
                if term.unit is not None and term.unit.dim.powers == _TIME:
                    term, place = _compound(tokens, place, asked, term)
                parts.append(term)
                wants = False
        elif token.is_sign(")", "]") and depth:
            depth -= 1
            parts.append(")")
            place += 1
            trailing = unit_at(tokens, place, asked) if not depth else None
            if trailing is not None:  # 13e9 * (2 + 14/32) bytes
                parts.extend(("*", Term(Literal("1", Fraction(1)), trailing[0])))
                place = trailing[1]
        elif token.is_sign(*_OPERATORS) or (token.is_sign(",") and functions and depth):
            parts.append(token.text)
            place += 1
            wants = True
        elif token.is_sign("(") and not token.gap and _bare(parts[-1]) and place + 1 < len(tokens):
            if isinstance(parts[-1], Term) and _is_alone(tokens, place):
                text = f"{parts[-1].literal.text}({tokens[place + 1].text})"
                return Sum((), at, place + 3, f'"{text}" could be a margin or a product: write one number')
            parts.append("*")
            wants = True
        else:
            break
        if not wants and not depth:
            end, good = place, list(parts)
        if len(parts) > 4 * _MAX_TERMS:
            break
    if not good:
        fault = "the parentheses do not match: write the number, or close them"
        return Sum(tuple(parts), at, place, fault) if any(isinstance(p, Term) for p in parts) else None
    if sum(isinstance(part, Term) for part in good) > _MAX_TERMS:
        return Sum(tuple(good), at, end, f"more than {_MAX_TERMS} numbers: write the result")
    return Sum(tuple(good), at, end)


def _is_alone(tokens: Sequence[Token], at: int) -> bool:
    """The parenthesis at `at` holds one whole number: 3.17(5)."""
    return at + 2 < len(tokens) and tokens[at + 1].text.isdigit() and tokens[at + 2].is_sign(")")


def _bare(part: Term | str) -> bool:
    return part == ")" or (isinstance(part, Term) and part.unit is None)


def _is_function(tokens: Sequence[Token], at: int) -> bool:
    token = tokens[at]
    return (
        token.kind == WORD
        and token.low in FUNCTIONS
        and at + 1 < len(tokens)
        and tokens[at + 1].is_sign("(")
        and not tokens[at + 1].gap
    )


def _compound(tokens: Sequence[Token], at: int, asked: Unit, term: Term) -> tuple[Term, int]:
    """`1 h 30 min`, `2 hours and 5 minutes`, `1h30`: times of falling size, added up."""
    first, unit, total = term, term.unit, term.literal.value
    assert unit is not None
    step = term.literal.step
    while not term.literal.fault and at < len(tokens):
        skip = 1 if tokens[at].low == "and" or tokens[at].is_sign(",") else 0
        found = term_at(tokens, at + skip, asked)
        if found is None or found[0].literal.fault:
            break
        part, end = found
        smaller = part.unit
        if smaller is None:
            if unit.symbol != "h" or skip or part.literal.value >= 60 or end < len(tokens):
                break
            smaller = KNOWN_UNITS["min"]
        if smaller.dim.powers != _TIME or smaller.factor >= unit.factor:
            break
        assert first.unit is not None
        share = Fraction(smaller.factor) / first.unit.factor
        total += part.literal.value * share
        step = part.literal.step * share
        unit, at = smaller, end
        term = replace(first, literal=replace(first.literal, value=total, step=step, decimal=None), minutes=False)
    return term, at
