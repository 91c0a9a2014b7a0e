"""What an item asks for and what a response was read as: the values that reading hands on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from quizgen.formula.quantity import Number, parts, reduced
from quizgen.formula.reading.lexicon import NO_WORDS, Lexicon
from quizgen.formula.units import ONE, Unit, own_money

Shape = Literal["number", "truth", "tuple", "word"]
Value = Number | bool | str | tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What an item asks for, as far as its stem tells a candidate.

    `unit` is the unit a bare number takes; `words` are the answers of an enum; `names` those of a
    tuple's parts, in order (empty for one that has none); `whole` says that no fraction makes sense;
    `periods` are the times of which the stem asks the amount (`day` for "in a day"); `implied` those that it names at
    all, where it asks of none.
    `bound`: the stem asks what is enough at least or at most. `lexicon` holds the words of the bank,
    `nouns` those of the stem, in lower case. `stem` holds all its words, `question` those of the sentence that asks
    (both empty where no stem is known), `terms` the words that name parts of the formula. `slashed`: the stem
    names things by a number behind a slash (`a /27`). `rivals` are the words that the stem says of other givens than
    those the question is about. `told` is the unit that the stem names where a plain number is asked; `symbol` how it
    writes one that is not known here (`m/s^2`). `seen` is the stem as it stands, its places unfilled.
    """

    unit: Unit = ONE
    shape: Shape = "number"
    words: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    length: int = 0
    whole: bool = False
    impossible: bool = False
    unbounded: bool = False
    bound: bool = False
    periods: tuple[Unit, ...] = ()
    implied: tuple[Unit, ...] = ()
    lexicon: Lexicon = NO_WORDS
    nouns: frozenset[str] = frozenset()
    stem: str = ""
    question: str = ""
    terms: frozenset[str] = frozenset()
    slashed: bool = False
    rivals: frozenset[str] = frozenset()
    seen: str = ""
    told: Unit | None = None
    symbol: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """`value` in `unit`, as it was read. A word (`impossible`, `unbounded`, an enum's) is a str.

    `step` is the worth, in `unit`, of the last significant place that was written (None: exact or
    calculated). `bare`: no unit was written. `others` are readings that are as good.
    """

    value: Value
    unit: Unit
    read_as: str
    step: Fraction | None = None
    bare: bool = False
    others: tuple[Reading, ...] = ()

    @property
    def base(self) -> Number:
        """The amount in base units; only for a number."""
        assert not isinstance(self.value, str | tuple)
        if isinstance(self.value, float):
            return self.value * self.unit.factor
        (over, under), (times, by) = parts(self.value), parts(self.unit.factor)
        return reduced(over * times, under * by)


@dataclass(frozen=True, slots=True)
class Refusal:
    """`reason` says what was wrong and how to write it; empty where nothing was given."""

    reason: str

    @property
    def blank(self) -> bool:
        return not self.reason


def listed(numbers: Sequence[str], names: Sequence[str]) -> str:
    """The parts of a tuple: `tp 1, cp 0` where each has a name, else `(1, 0)`."""
    if not names or not all(names):
        return f"({', '.join(numbers)})"
    return ", ".join(f"{name} {number}" for name, number in zip(names, numbers, strict=True))


def how(asked: Asked) -> str:
    """How to write an answer, with an example that gives nothing away."""
    if asked.shape == "truth":
        return "such as yes or no"
    if asked.shape == "word":
        return f"one of {', '.join(asked.words)}"
    if asked.shape == "tuple":
        return f"such as {listed([str(i) for i in range(asked.length or 3)], asked.names)}"
    if asked.unit is ONE:
        return "such as 12.5"
    if asked.unit.dim.label and not own_money(asked.unit.dim):
        return f"such as 12 {asked.unit.plural}"
    return f"such as 12.5{'' if asked.unit.symbol == '%' else ' '}{asked.unit.plural}"
