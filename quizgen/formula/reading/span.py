"""The parts of a response while it is read: tokens, and the spans that rules compose of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from quizgen.formula.quantity import Number
from quizgen.formula.reading.answer import Asked
from quizgen.formula.reading.numeral import BLANK, Numeral
from quizgen.formula.units import ONE, Unit, own_money

NUMBER: Final = "NUMBER"
WORD: Final = "WORD"
SIGN: Final = "SIGN"
UNIT: Final = "UNIT"
AMOUNT: Final = "AMOUNT"
SUM: Final = "SUM"


@dataclass(frozen=True, slots=True)
class Sense:
    """One thing that an amount can mean: `value` in `unit` (None: no unit was written).

    `step` is the worth of the last significant place (None: exact or calculated), `tag` what has to
    be meant for it: the empty text, `billions` (13B), `rate` (TFLOPS), `decimal` (1,234 as 1.234), `base`.
    """

    value: Number
    unit: Unit | None
    step: Fraction | None = None
    tag: str = ""
    raised: bool = False
    calculated: bool = False
    scaled: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """`text` at [start, end) of the folded response; `gap` if something blank stands before it; `rule`
    made it. A NUMBER has a numeral, a UNIT a unit, an AMOUNT or a SUM its senses or a fault. False: `NOTHING`."""

    kind: str
    text: str
    start: int
    end: int
    gap: bool
    low: str = ""
    numeral: Numeral = BLANK
    unit: Unit = ONE
    flops: bool = False  # the unit was written FLOPS, which may be a rate
    senses: tuple[Sense, ...] = ()
    fault: str = ""
    parts: tuple[Span, ...] = ()
    rule: str = ""

    def __bool__(self) -> bool:
        return bool(self.kind)

    @property
    def value(self) -> Fraction:
        """Of a number that is one; -1 else."""
        return Fraction(-1) if self.numeral is BLANK or self.numeral.fault else self.numeral.value

    def is_sign(self, *signs: str) -> bool:
        return self.kind == SIGN and self.text in signs

    def says(self, *words: str) -> bool:
        return self.kind != SIGN and self.low in words


NOTHING: Final = Span("", "", 0, 0, False)


@dataclass(frozen=True, slots=True)
class Context:
    """What is asked, whether digits stand in the response, and how many numbers do; `filled` makes the stem as the
    candidate sees it."""

    asked: Asked
    digits: bool = True
    numbers: int = 1
    filled: Callable[[], str] | None = None

    @property
    def unit(self) -> Unit:
        return self.asked.unit

    @property
    def seen(self) -> str:
        return self.filled() if self.filled else self.asked.seen

    @property
    def count(self) -> bool:
        """Only whole numbers make sense."""
        return self.asked.whole or (bool(self.unit.dim.label) and not own_money(self.unit.dim))


def over(spans: tuple[Span, ...], kind: str, rule: str, **fields: object) -> Span:
    """A span over what is there of `spans`; `fields` are those of Span."""
    there = [p for p in spans if p]
    first, last = there[0], there[-1]
    text = "".join((" " if p.gap and p is not first else "") + p.text for p in there)
    low = there[0].low if len(there) == 1 else text.casefold()
    return Span(kind, text, first.start, last.end, first.gap, low, rule=rule, **fields)  # type: ignore[arg-type]
