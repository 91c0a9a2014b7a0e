"""One neutral form of a variant, for exporters: no kind, formula or rubric is seen through it.

Texts are Markdown as authors write it. What a format cannot hold is told by `held`, by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction

from quizgen.numbers.answer import AnswerFormat
from quizgen.page import Block, Image, Picture, every
from quizgen.source.problems import read_number

DIGITS = 12  # of a number in an exported file
_LEADING_NUMBER = re.compile(r"[-+−]?[\d.,]*\d(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class Choices:
    """Options made from another kind's variant: the key and (text, because) of each distractor."""

    key: str
    distractors: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PlainOption:
    """One option: its text, whether it is a key, why it is wrong, and whether it stays behind the others."""

    text: str
    right: bool
    because: str = ""
    last: bool = False


@dataclass(frozen=True, slots=True)
class PlainNumber:
    """A key in `unit` (empty: a bare number), its relative tolerance (0: exact), the known mistakes with
    their remarks, and other units a response may take (how many of `unit` one of it is). `about_zero`:
    the absolute tolerance of a key that is 0, of which there is no share; `rounding`: how far off the key is that
    people round (0: that does not count); `spelled`: the bank has words of its own for the unit."""

    value: Fraction
    unit: str = ""
    tolerance: Fraction = Fraction(0)
    wrong: tuple[tuple[Fraction, str], ...] = ()
    units: tuple[tuple[str, Fraction], ...] = ()
    about_zero: Fraction = Fraction(0)
    rounding: Fraction = Fraction(0)
    spelled: bool = False

    @classmethod
    def within(cls, value: Fraction, margin: Fraction, unit: str = "") -> PlainNumber:
        """A key with an absolute tolerance."""
        return cls(value, unit, margin / abs(value)) if value else cls(value, unit, about_zero=margin)

    @property
    def margin(self) -> Fraction:
        """The absolute tolerance of a format that has only one: it takes the key as people round it."""
        return max(abs(self.value) * self.tolerance, self.rounding) if self.value else self.about_zero


@dataclass(frozen=True, slots=True)
class NumberReaderSettings:
    """What a page needs to read what is typed for one variant; nothing of it depends on a key.

    `stem` is the stem with its drawn values. Where a response may lead to its answer in steps (`stepped`), `inputs` and
    `steps` are the names that its parts may have.
    """

    expected: AnswerFormat
    stem: str
    stepped: bool = False
    inputs: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownMistake:
    """A wrong number in base units, `rounded_from` as for the key, its remark, and the share that it earns."""

    value: Fraction
    rounded_from: Fraction
    say: str
    credit: Fraction = Fraction(0)


@dataclass(frozen=True, slots=True)
class NumberKey:
    """What a page holds a number against, in base units. `margin`: how far off is still right; `digits`: how many make
    a rounded number right (0: rounding does not count), counted on `rounded_from`, the key or what it lacks of 100 %.
    `named` are the item's own mistakes, `slips` those of units and factors, from simple to less simple. `words`: for an
    answer in words the share it earns and what is said of it; `numbers` the key of a tuple. `half`: rounded to fewer
    digits, it earns half. `whole`: one too many or too few is a mistake of its own."""

    value: Fraction | None = None
    margin: Fraction = Fraction(0)
    digits: int = 0
    rounded_from: Fraction = Fraction(0)
    named: tuple[KnownMistake, ...] = ()
    slips: tuple[KnownMistake, ...] = ()
    words: Mapping[str, tuple[Fraction, str]] = field(default_factory=dict)
    numbers: tuple[Fraction, ...] = ()
    half: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A variant as every format sees it. `variant` tells drawings of one item apart (empty: the only one),
    `prompt` is the stem with all that belongs to it, `worked` a derivation, `ordered`: the options stand in the order
    that they always have; `stimulus` and `after` are the ids of what its stem begins with and of the part
    before it. Of `options`, `number` and `criteria` with `model_answer`, those of its kind are set."""

    id: str
    kind: str
    stem: str
    points: Fraction
    seconds: int
    variant: str = ""
    topic: str = ""
    difficulty: int | None = None
    rationale: str = ""
    source: str = ""
    hints: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()
    stimulus: str = ""
    after: str = ""
    drawn: Mapping[str, str] = field(default_factory=dict)
    prompt: tuple[Block, ...] = ()
    worked: tuple[Block, ...] = ()
    options: tuple[PlainOption, ...] = ()
    policy: str = "all"
    ordered: bool = False
    number: PlainNumber | None = None
    criteria: tuple[tuple[Fraction, str], ...] = ()
    model_answer: str = ""

    @property
    def name(self) -> str:
        """The id, with the drawing's number where an item has several."""
        return f"{self.id}.{self.variant}" if self.variant else self.id

    @property
    def category(self) -> str:
        """Drawings of one item belong together."""
        return self.id if self.variant else ""

    @property
    def stem_with_unit(self) -> str:
        """The stem with the unit that a bare number is read in: most programs have no other place for it."""
        unit = self.number.unit if self.number is not None else ""
        return f"{self.stem}\n\nAnswer in {unit}." if unit else self.stem

    @property
    def placed(self) -> bool:
        """Whether an option has its place: another program may not shuffle them."""
        return self.ordered or any(o.last for o in self.options)

    @property
    def keys(self) -> tuple[PlainOption, ...]:
        return tuple(o for o in self.options if o.right)

    def held(self) -> Iterator[str]:
        """What this variant holds besides its stem: the names that an exporter's `carries` is held against."""
        return (name for name, there in self.parts().items() if there)

    def parts(self) -> Mapping[str, object]:
        """All that a variant may hold besides its stem, by name; what is false is not there."""
        several = len(self.keys) > 1
        number = self.number
        return {
            "several keys": several,
            **{f"policy {policy}": several and policy == self.policy for policy in ("all", "net", "each")},
            "places of options": self.placed,
            "reasons": any(o.because for o in self.options),
            "unit": number is not None and number.unit,
            "other units": number is not None and number.units,
            "unit spellings": number is not None and number.spelled,
            "misconceptions": number is not None and number.wrong,
            "formula": number is not None,
            "figures": any(isinstance(p, Image | Picture) for p in every((self.prompt, self.worked))),
            "drawing": self.drawn,
            "model answer": self.model_answer,
            "criteria": self.criteria,
            "phrases": self.criteria,
            "rationale": self.rationale,
            "source": self.source,
            "hints": self.hints,
            "given": self.given,
            "follow-ups": self.follow_ups,
            "stimulus": self.stimulus,
            "after": self.after,
            "topic": self.topic,
            "difficulty": self.difficulty,
            "points": self.points != 1,
            "seconds": True,
        }


def decimal(value: Fraction) -> str:
    """A number as twelve plain digits, never with an exponent: other programs refuse `3e-09`."""
    near = Context(prec=DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator))
    text = f"{near:f}"
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def in_order(options: Sequence[str]) -> tuple[str, ...]:
    """By number where every option begins with one, else by letter."""
    numbers = []
    for text in options:
        match = _LEADING_NUMBER.match(text.strip().lstrip("$≈~ "))
        number = read_number(match.group().replace("−", "-").replace(",", "")) if match else None
        if number is None:
            return tuple(options)
        numbers.append(number)
    return tuple(text for _, text in sorted(zip(numbers, options, strict=True)))
