"""Several forms of one exam, each with its own order of items and options and its own drawn values.

Pure functions. The exam's seed selects the items once; then form A is drawn and ordered by the seed `SEED/A`, form B by
`SEED/B`. Codes and references are one-way functions of the seed and the item ids, and depend on nothing else in the
bank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce

from quizgen import draw
from quizgen.answer_areas import LETTERS
from quizgen.assemble import CannotAssemble, arrange_form, may_draw, select_items
from quizgen.exam.parallel import (
    ChosenItems,
    Drawings,
    choose_anchors,
    equalize_points,
    exclude_items,
    matching_items,
    order_with_fixed_places,
)
from quizgen.model import Bank, Blueprint, Form, Item, Variant

DEFAULT_TITLE = "Exam"
EarlierExam = Mapping[str, tuple[Mapping[str, str], str]]  # item -> (drawn values, seed of form A) of an earlier exam
MIN_SEED_LENGTH = 16  # characters; a shorter seed can be guessed, and whoever has seed and bank has the key


@dataclass(frozen=True, slots=True)
class Exam:
    """The choices that all forms of one exam share. `chosen`: each item of form A with the index of its section.
    Without `anchors` (item ids) all forms have these items; with anchors, a form has the anchors and, for each further
    item of form A, a matching item. `earlier_drawings`: the drawn values and the seed of each anchor from an earlier
    exam. `other_forms_items`: the items of forms B, C …, as far as those were requested."""

    bank: Bank
    blueprint: Blueprint
    seed: str
    chosen: ChosenItems
    code: str
    anchors: tuple[str, ...] = ()
    earlier_drawings: EarlierExam = field(default_factory=dict)
    drawings: Drawings = field(default_factory=Drawings, compare=False)
    other_forms_items: list[ChosenItems] = field(default_factory=list, compare=False)

    def form(self, label: str) -> Form:
        """The form with this label. Raises CannotAssemble if the bank has too few items."""
        index = form_index(label)
        made = arrange_form(
            self.bank,
            self.blueprint,
            self.form_seed(label),
            self.items_of_form(index),
            lambda item: self._variant(item, index),
            lambda members: list(order_with_fixed_places(members, self.anchors, self.seed)),
        )
        return replace(made, code=self.form_code(label))

    def items_of_form(self, index: int) -> ChosenItems:
        """The items of the form with this index. Raises CannotAssemble if the bank has too few."""
        if not self.anchors or index == 0:
            return self.chosen
        while len(self.other_forms_items) < index:
            taken = {item.id for form in (self.chosen, *self.other_forms_items) for item, _ in form}
            seed = self.form_seed(form_label(len(self.other_forms_items) + 1))
            counterpart = matching_items(self.bank, self.blueprint, self.chosen, self.anchors, taken, seed)
            free = exclude_items(self.blueprint, taken - {i for s in self.blueprint.sections for i in s.include})
            self.other_forms_items.append(
                equalize_points(self.bank, free, counterpart, seed, self.chosen, self.anchors)
            )
        return self.other_forms_items[index - 1]

    def _variant(self, item: Item, index: int) -> Variant:
        if item.id in self.earlier_drawings:
            given, seed = self.earlier_drawings[item.id]
            return item.redraw(given, draw.Stream(item.id, seed))
        return self.drawings.variant(
            item, 0 if item.id in self.anchors else index, lambda n: self.form_seed(form_label(n))
        )

    def form_seed(self, label: str) -> str:
        return f"{self.seed}/{label}"

    def form_code(self, label: str) -> str:
        return f"{self.code}-{label}"

    def item_code(self, label: str, item: str) -> str:
        """The code of an item of form `label`, printed on the form and written into the answers file."""
        return draw.public_code(self.form_seed(label), "ref", item, length=8)


def plan_exam(
    bank: Bank, blueprint: Blueprint, seed: str, anchors: int = 0, earlier: Iterable[EarlierExam] = ()
) -> Exam:
    """Chooses the items of an exam. Items of the exams `earlier` are left out, except `anchors` items of the first of
    them. Raises CannotAssemble if the bank lacks what the blueprint asks for.

    A form must not show where the bank is stored, so the name of the bank's folder is not used as a title."""
    if not blueprint.title:
        blueprint = replace(blueprint, title=bank.title if bank.has_title else DEFAULT_TITLE)
    old = list(earlier)
    named = exclude_items(blueprint, {name for one in old for name in one})
    shared: tuple[str, ...] = ()
    if anchors and old:
        shared, named = _earlier_anchors(bank, blueprint, named, old[0], anchors, seed)
    before = {name: old[0][name] for name in shared}
    chosen = select_items(bank, named, seed)
    if blueprint.name:
        # For every seed a section is worth what it is worth under one fixed seed.
        chosen = equalize_points(bank, named, chosen, seed, select_items(bank, named, ""))
    if anchors and not old:
        shared = _new_anchors(chosen, anchors, seed)
    code = draw.public_code(seed, "exam", *(item.id for item, _ in chosen), length=6)
    return Exam(bank, named if old else blueprint, seed, chosen, code, shared, before)


def _new_anchors(chosen_items: ChosenItems, anchor_count: int, seed: str) -> tuple[str, ...]:
    """The ids of `anchor_count` of the chosen items, which all forms are to have. Raises CannotAssemble if a form has
    no more items than that."""
    alone = tuple((item, index) for item, index in chosen_items if item.stimulus is None)
    if anchor_count >= len(alone):
        raise CannotAssemble(f"a form has {len(chosen_items)} items; --anchor must be fewer")
    return choose_anchors(alone, anchor_count, seed)


def _earlier_anchors(
    bank: Bank,
    blueprint: Blueprint,
    anchored_blueprint: Blueprint,
    earlier_exam: EarlierExam,
    anchor_count: int,
    seed: str,
) -> tuple[tuple[str, ...], Blueprint]:
    """The ids of `anchor_count` items of an earlier exam, and the blueprint `anchored_blueprint` with each of them in
    its section. Raises CannotAssemble if too few items of that exam fit the blueprint."""
    sections = {name: _section_index(bank.items[name], blueprint) for name in earlier_exam if name in bank.items}
    fitting = tuple(
        (bank.items[name], index)
        for name, index in sections.items()
        if index is not None and bank.items[name].stimulus is None
    )
    if len(fitting) < anchor_count:
        raise CannotAssemble(f"only {len(fitting)} items of the earlier exam fit the blueprint; lower --anchor")
    shared = choose_anchors(fitting, anchor_count, seed)
    with_anchors = tuple(
        replace(section, include=(*section.include, *(name for name in shared if sections[name] == index)))
        for index, section in enumerate(anchored_blueprint.sections)
    )
    return shared, replace(anchored_blueprint, sections=with_anchors)


def _section_index(item: Item, blueprint: Blueprint) -> int | None:
    """The index of the first section of the blueprint that the item fits; None if there is none."""
    return next((n for n, s in enumerate(blueprint.sections) if may_draw(item, s) or item.id in s.include), None)


def form_labels(count: int) -> Iterator[str]:
    """Yields the names of `count` forms: A … Z, AA, AB …."""
    yield from map(form_label, range(count))


def form_label(index: int) -> str:
    """The name of the form with this index in its exam: A for 0, AA for 26."""
    return (form_label(index // 26 - 1) if index > 25 else "") + LETTERS[index % 26]


def form_index(label: str) -> int:
    """The index of a form in its exam: 0 for A, 26 for AA."""
    return reduce(lambda index, letter: 26 * (index + 1) + LETTERS.index(letter), label, -1)


def points_text(points: Fraction) -> str:
    """Points for people: `2`, `0.5`, or `1/3` if no decimal of three places is exact."""
    if points.denominator == 1:
        return str(points.numerator)
    thousandths = points * 1000
    if thousandths.denominator == 1:
        return f"{float(points):.3f}".rstrip("0")
    return str(points)
