"""How a section of closed forms is written down: a formula, then the mistakes about it."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

Form = Callable[..., Any]


FORMS: dict[str, Form] = {}
MISTAKES: dict[str, dict[str, Form]] = {}


def add(name: str, form: Form, **mistakes: Form) -> None:
    """One formula and the mistakes about it, by name."""
    assert name not in FORMS, name
    FORMS[name] = form
    MISTAKES[name] = mistakes


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
