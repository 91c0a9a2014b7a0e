"""Options for a choice item made from a numeric one: the key among the numbers that mistakes give."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from quizgen.draw import Stream
from quizgen.formula.definition import Evaluation
from quizgen.formula.diagnose import Known
from quizgen.formula.errors import FormulaError
from quizgen.formula.show import in_asked
from quizgen.kinds.numeric.score import target
from quizgen.kinds.numeric.task import NumericTask
from quizgen.plain import Choices

WANTED = 3
FIGURES = 3
APART = Fraction(5, 100)  # options differ by more than this, relative

# Where mistakes give too few numbers on one side of the key.
_BELOW = ((Fraction(1, 2), "That is half of it."), (Fraction(1, 4), "That is a quarter of it."))
_ABOVE = ((Fraction(2), "That is twice as much."), (Fraction(4), "That is four times as much."))
_MORE = ((Fraction(1, 8), "That is an eighth of it."), (Fraction(8), "That is eight times as much."))


def choices(item: NumericTask, evaluated: Callable[[], Evaluation], rng: Stream) -> Choices | None:
    """Key and three distractors, the key's rank by size as likely first as last; None where the key
    is no positive number."""
    try:
        wanted = target(item, evaluated)
    except FormulaError:
        return None
    key = wanted.key
    if isinstance(key, bool | str | tuple) or key <= 0:
        return None
    exact = Fraction(key)
    below: list[tuple[Fraction, str]] = []
    above: list[tuple[Fraction, str]] = []
    named = rng.shuffle("misconceptions", [pair for k in wanted.known if (pair := _pair(k))])
    slips = [(exact * factor, say) for factor, say in rng.shuffle("slips", (*_BELOW, *_ABOVE, *_MORE))]
    for value, say in (*named, *slips):
        side = below if value < exact else above
        if all(abs(value - other) > APART * max(value, other) for other in (exact, *(v for v, _ in (*below, *above)))):
            side.append((value, say))
    rank = rng.whole("rank", WANTED + 1)
    taken = [*below[:rank], *above[: WANTED - rank]]
    return Choices(
        in_asked(exact, item.asked.unit, FIGURES),
        tuple((in_asked(value, item.asked.unit, FIGURES), say) for value, say in taken),
    )


def _pair(known: Known) -> tuple[Fraction, str] | None:
    """A mistake's value and what to say of it, where it is a positive number and right by no convention."""
    if known.convention or isinstance(known.value, bool | str | tuple) or known.value <= 0:
        return None
    return Fraction(known.value), known.say
