"""Numbers that a person types after an option: one rule and one sentence for all of them.

`mock` reads its options before anything heavy is loaded, so nothing here needs a bank.
"""

from __future__ import annotations

from fractions import Fraction

import click

from quizgen.source import printable, read_number, shorten


def minutes(text: str | None) -> Fraction | None:
    """`--minutes`, by the rule of a blueprint's minutes; None where it was not given."""
    from quizgen.model import MAX_MINUTES

    return above_zero("--minutes", text, MAX_MINUTES, "45")


def above_zero(option: str, text: str | None, most: int, such_as: str) -> Fraction | None:
    """An option's number above 0 and at most `most`; None where it was not given."""
    if text is None:
        return None
    value = read_number(text)
    if value is None or not 0 < value <= most:
        what = f'{option} must be a number above 0 and at most {most}, not "{printable(shorten(text))}"'
        raise click.UsageError(f"{what}; write {option} {such_as}")
    return value
