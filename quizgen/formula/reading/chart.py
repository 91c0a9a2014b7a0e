"""From a folded response to a line of amounts, words and signs: the layers of rules, one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from quizgen.formula.reading.amount_rules import AMOUNT_LAYERS
from quizgen.formula.reading.asides import without_reasons
from quizgen.formula.reading.grammar import Layer
from quizgen.formula.reading.join_rules import JOINS, NAMES, TIMES
from quizgen.formula.reading.number_rules import NUMBER_LAYERS
from quizgen.formula.reading.period_rules import PERIODS
from quizgen.formula.reading.span import NUMBER, Context, Span
from quizgen.formula.reading.tokens import tokens
from quizgen.formula.reading.unit_rules import UNIT_LAYERS

LAYERS: Final = (NAMES, PERIODS, *NUMBER_LAYERS, *UNIT_LAYERS, *AMOUNT_LAYERS, TIMES, JOINS)


def line_of(text: str, context: Context, layers: Sequence[Layer] = LAYERS) -> list[Span]:
    """The spans of a folded response, as far as rules compose them."""
    line = without_reasons(tokens(text))
    numbers = [span for span in line if span.kind == NUMBER]
    digits = any(not span.text[0].isalpha() for span in numbers)
    context = replace(context, digits=digits, numbers=len(numbers))
    for layer in layers:
        line = layer.compose(line, context)
    return list(line)
