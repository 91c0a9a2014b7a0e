"""How a section of closed forms is written down: a formula, then the mistakes about it."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Form = Callable[..., Any]

FORMS: dict[str, Form] = {}
MISTAKES: dict[str, dict[str, Form]] = {}


def define(text: str, helpers: dict[str, Any]) -> None:
    """Reads a section: `name(inputs) = value` in Python, and below it, further in, `name = value` for each mistake.

    A line that is still further in goes on with the one above it. `helpers` are names that the values use.
    """
    known = {"math": math, "comb": math.comb, "prod": math.prod, "Fraction": Fraction, "over": over, **helpers}
    inputs, mistakes = "", {}
    for line in re.sub(r"\n {8,}", " ", textwrap.dedent(text)).splitlines():
        name, _, value = line.partition(" = ")
        if line.startswith(" "):
            mistakes[name.strip()] = eval(f"lambda {inputs}: {value}", known)
        elif value:
            name, _, inputs = name.removesuffix(")").partition("(")
            assert name not in FORMS, name
            FORMS[name] = eval(f"lambda {inputs}: {value}", known)
            mistakes = MISTAKES[name] = {}


def exact(value: Any) -> Any:
    """A number from JSON as the decimal it was written as; words, truth values and lists as they are."""
    if isinstance(value, list):
        return [exact(one) for one in value]
    if isinstance(value, float):
        found = Fraction(repr(value))
        return found.numerator if found.denominator == 1 else found
    return value


def over(left: Any, right: Any) -> Fraction:
    """An exact quotient."""
    return Fraction(left) / Fraction(right)
