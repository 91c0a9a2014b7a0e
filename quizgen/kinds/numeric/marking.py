"""What a marker of a number needs beside its derivation: how near the key counts, and what known mistakes come to."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from quizgen.blocks import Block, Bullets, Heading, Para, Text, para
from quizgen.formula.errors import FormulaError
from quizgen.formula.show import in_asked
from quizgen.formula.target import Target
from quizgen.kinds.numeric.score import Evaluated, target
from quizgen.kinds.numeric.task import NumericTask

_FINE = Fraction(1, 200)  # a narrower tolerance needs more figures than the usual four


def marking(item: NumericTask, evaluated: Evaluated) -> tuple[Block, ...]:
    """The accepted range, and a line for each misconception; empty for a drawing without a key."""
    try:
        wanted = target(item, evaluated)
    except FormulaError:
        return ()
    lines = tuple(_mistakes(wanted))
    mistakes = (Heading((Text("Known mistakes"),)), Bullets(tuple((line,) for line in lines))) if lines else ()
    return (*_accepted(wanted), *mistakes)


def _accepted(wanted: Target) -> Iterator[Block]:
    key, share = wanted.key, wanted.tolerance
    if isinstance(key, bool | str | tuple):
        return
    if not share or not key:
        yield para("Accept: this value alone, in any unit that fits.")
        return
    figures = 4 if share >= _FINE else 6
    edges = sorted((Fraction(key) * (1 - share), Fraction(key) * (1 + share)))
    low, high = (in_asked(edge, wanted.unit, figures) for edge in edges)
    yield para(f"Accept: {low} to {high} (within {float(share) * 100:g} %), in any unit that fits.")


def _mistakes(wanted: Target) -> Iterator[Para]:
    for known in wanted.known:
        if isinstance(known.value, bool | str | tuple) or known.value == wanted.key:
            continue
        earns = f" Earns {float(known.credit) * 100:g} % of the points." if known.credit else ""
        yield para(f"{in_asked(known.value, wanted.unit)}: {known.say}{earns}")
