"""Several forms of one exam: the same items, each form with its own order, options and draws. Pure.

The items are selected once, by the exam's seed; form A is then drawn and ordered by the seed
`SEED/A`, form B by `SEED/B`. Codes and references are one-way in the seed and the item ids and
depend on nothing else of the bank.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

from quizgen import draw
from quizgen.assemble import arrange, select
from quizgen.blocks import LETTERS
from quizgen.model import Bank, Blueprint, Form, Item

UNTITLED = "Exam"
STRONG_SEED = 16  # characters; a shorter seed can be guessed, and a seed with the bank is the key


@dataclass(frozen=True, slots=True)
class Exam:
    """What all forms share. `chosen` holds each item with the index of its section."""

    bank: Bank
    blueprint: Blueprint
    seed: str
    chosen: tuple[tuple[Item, int], ...]
    code: str

    def form(self, label: str) -> Form:
        made = arrange(self.bank, self.blueprint, self.form_seed(label), self.chosen)
        return replace(made, code=self.form_code(label))

    def form_seed(self, label: str) -> str:
        return f"{self.seed}/{label}"

    def form_code(self, label: str) -> str:
        return f"{self.code}-{label}"

    def ref(self, label: str, item: str) -> str:
        """The name that an item goes by in a form and in the answers file it saves."""
        return draw.code(self.form_seed(label), "ref", item, length=8)


def marking_key(seed: str, candidate: str) -> str:
    """The name that a candidate goes by on a marking page: one-way, and the same for every marker."""
    return draw.code(seed, "marking", candidate, length=8)


def plan(bank: Bank, blueprint: Blueprint, seed: str) -> Exam:
    """Raises CannotAssemble where the bank does not hold what the blueprint asks for.

    A form says nothing of where its bank lies, so a folder's name is no title for it.
    """
    if not blueprint.title:
        blueprint = replace(blueprint, title=bank.title if bank.titled else UNTITLED)
    chosen = select(bank, blueprint, seed)
    code = draw.code(seed, "exam", *(item.id for item, _ in chosen), length=6)
    return Exam(bank, blueprint, seed, chosen, code)


def labels(count: int) -> Iterator[str]:
    """A … Z, AA, AB …: the names of `count` forms."""
    for index in range(count):
        yield label(index)


def label(index: int) -> str:
    name = ""
    index += 1
    while index:
        index, digit = divmod(index - 1, 26)
        name = LETTERS[digit] + name
    return name


def points_text(points: Fraction) -> str:
    """Points as people write them: `2`, `0.5`, and `1/3` where no short decimal is exact."""
    if points.denominator == 1:
        return str(points.numerator)
    thousandths = points * 1000
    if thousandths.denominator == 1:
        return f"{float(points):.3f}".rstrip("0")
    return str(points)


def points_number(points: Fraction) -> int | float:
    """Points as a JSON number with at most six decimals."""
    return points.numerator if points.denominator == 1 else round(float(points), 6)
