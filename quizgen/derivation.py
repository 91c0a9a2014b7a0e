"""A worked derivation as a block of a page. It is apart from `page` so that `quizgen solve` starts without one."""

from __future__ import annotations

from typing import NamedTuple


class DerivationStep(NamedTuple):
    """One line of a derivation: `name = expression = substituted = value`."""

    name: str
    expression: str
    substituted: str
    value: str


class WorkedDerivation(NamedTuple):
    """A worked derivation: given values (name, value, meaning), then its steps."""

    title: str
    source: str
    name_value_meanings: tuple[tuple[str, str, str], ...]
    steps: tuple[DerivationStep, ...]
    result_text: str
    convention_text: str = ""
    sanity_check_text: str = ""
