"""Several forms of one exam, each with its own order of items and options and its own drawn values; parallel forms have
the same points, or matching items.

Pure functions; nothing here looks at a key. The exam's seed selects the items once; then form A is drawn and ordered by
the seed `SEED/A`, form B by `SEED/B`. The values and items of a form follow from the seed, the item ids, what a form
shows of an item (points, kind, time) and, to match another item, its difficulty. Codes and references are one-way
functions of the seed and the item ids, and depend on nothing else in the bank."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial, reduce

from quizgen import draw
from quizgen.answer_areas import LETTERS, option_letter
from quizgen.assemble import CannotAssemble, form_of_chosen_items, may_draw_unnamed, select_with_section_index
from quizgen.model import ZERO, Bank, Blueprint, Form, Item, Variant

DEFAULT_EXAM_TITLE = "Exam"
# Of an earlier exam: item -> (drawn values, seed of form A).
EarlierExamDrawings = Mapping[str, tuple[Mapping[str, str], str]]
MIN_SAFE_SEED_CHARACTERS = 16  # characters; a shorter seed can be guessed, and whoever has seed and bank has the key
MAX_DRAWINGS_WITHOUT_NEW_VALUES = 60  # drawings in a row without new values, after which an item is exhausted
ItemsWithSectionIndex = tuple[tuple[Item, int], ...]


@dataclass(frozen=True, slots=True)
class Exam:
    """The choices that all forms of one exam share. `form_a_items`: each item of form A with the index of its section.
    Without `anchor_ids` all forms have these items; with anchors, a form has the anchors and, for each further item of
    form A, a matching item. `earlier_variant_by_anchor_id`: the variant that each anchor from an earlier exam
    had there. `items_of_forms_after_a`: the items of forms B, C …, as far as those were requested.

    No form has the values of an earlier form as long as an item has enough different drawings: `_draw_seeds_by_id`
    and `_seen_values_by_id` remember the drawings of earlier forms by item or stimulus id, and
    `exhausted_drawing_count_by_id` has the number of different drawings where there are too few."""

    bank: Bank
    blueprint: Blueprint
    seed: str
    form_a_items: ItemsWithSectionIndex
    code: str
    anchor_ids: tuple[str, ...] = ()
    earlier_variant_by_anchor_id: Mapping[str, Variant] = field(default_factory=dict)
    items_of_forms_after_a: list[ItemsWithSectionIndex] = field(default_factory=list, compare=False)
    exhausted_drawing_count_by_id: dict[str, int] = field(default_factory=dict, compare=False)
    _draw_seeds_by_id: dict[str, list[str]] = field(default_factory=dict, compare=False)  # of the values on each form
    _seen_values_by_id: dict[str, set[tuple[tuple[str, str], ...]]] = field(default_factory=dict, compare=False)

    def form_of_label(self, label: str) -> Form:
        """The form with this label. Raises CannotAssemble if the bank has too few items."""
        # 0 for A, 26 for AA
        index = reduce(lambda number, letter: 26 * (number + 1) + LETTERS.index(letter), label, -1)
        items, make_variant = self.items_and_sections_of_form(index), partial(self._variant_on_form, form_index=index)
        order_items = partial(order_items_with_fixed_anchor_places, fixed_ids=self.anchor_ids, seed=self.seed)
        form = form_of_chosen_items(self.bank, self.blueprint, self.label_seed(label), items, make_variant, order_items)
        return replace(form, code=self.label_code(label))

    def items_and_sections_of_form(self, form_index: int) -> ItemsWithSectionIndex:
        """The items of the form with this index. Raises CannotAssemble if the bank has too few."""
        if not self.anchor_ids or form_index == 0:
            return self.form_a_items
        while len(self.items_of_forms_after_a) < form_index:
            taken_ids = {item.id for form in (self.form_a_items, *self.items_of_forms_after_a) for item, _ in form}
            seed = self.label_seed(option_letter(len(self.items_of_forms_after_a) + 1))
            items = self._choose_unused_items_like_form_a(taken_ids, seed)
            named_ids = {i for section in self.blueprint.sections for i in section.required_ids}
            blueprint = exclude_items_from_blueprint(self.blueprint, taken_ids - named_ids)
            items = match_points_of_each_section(self.bank, blueprint, items, seed, self.form_a_items, self.anchor_ids)
            self.items_of_forms_after_a.append(items)
        return self.items_of_forms_after_a[form_index - 1]

    def _choose_unused_items_like_form_a(self, used_ids: set[str], seed: str) -> ItemsWithSectionIndex:
        """For each item of form A, an item of the same section whose id is not in `used_ids` and that is as similar as
        possible in kind, topic, difficulty, points and time; an anchor stays itself. Raises CannotAssemble if there are
        too few."""
        used = set(used_ids)
        items = []
        for item, section_index in self.form_a_items:
            if item.id not in self.anchor_ids:
                section = self.blueprint.sections[section_index]
                pool = [i for i in self.bank.items.values() if may_draw_unnamed(i, section) and _is_swappable(i, used)]
                if not pool:
                    section_text = f"section {section_index + 1}{f' ({section.title})' if section.title else ''}"
                    raise CannotAssemble(f"{section_text} has no item left to match {item.id}", section_index)
                item = min(pool, key=partial(_dissimilarity_sort_key, item, seed))
            used.add(item.id)
            items.append((item, section_index))
        return tuple(items)

    def _variant_on_form(self, item: Item, form_index: int) -> Variant:
        """The item's variant on the form `form_index`, counted from 0. The parts of a stimulus share one drawing."""
        if item.id in self.earlier_variant_by_anchor_id:
            return self.earlier_variant_by_anchor_id[item.id]
        form_index = 0 if item.id in self.anchor_ids else form_index
        rng = draw.SeededRng(item.id, self.label_seed(option_letter(form_index)))
        if item.stimulus is None and not (first := item.draw(rng)).drawn_log_values():
            return first
        # The seed of each form or, if its drawing repeats values of an earlier form, a seed derived from it.
        name = item.stimulus.id if item.stimulus else item.id
        seeds, seen = self._draw_seeds_by_id.setdefault(name, []), self._seen_values_by_id.setdefault(name, set())
        while len(seeds) <= form_index:
            seed = self.label_seed(option_letter(len(seeds)))
            for number in range(0 if name in self.exhausted_drawing_count_by_id else MAX_DRAWINGS_WITHOUT_NEW_VALUES):
                drawing_seed = f"{seed}/{number}" if number else seed
                variant = item.draw(draw.SeededRng(item.id, drawing_seed))
                values = tuple((variant.stimulus_values() if item.stimulus else variant.drawn_log_values()).items())
                if values not in seen:
                    seen.add(values)
                    seeds.append(drawing_seed)
                    break
            else:
                self.exhausted_drawing_count_by_id.setdefault(name, len(seen))
                seeds.append(seed)
        variant = item.draw(draw.SeededRng(item.id, seeds[form_index]))
        return variant if item.stimulus else item.rebuild_variant(variant.drawn_log_values(), rng)

    def label_seed(self, label: str) -> str:
        return f"{self.seed}/{label}"

    def label_code(self, label: str) -> str:
        return f"{self.code}-{label}"

    def item_code(self, label: str, item_id: str) -> str:
        """The code of an item of form `label`, printed on the form and written into the answers file."""
        return draw.short_public_code(self.label_seed(label), "ref", item_id, length=8)


def plan_exam(
    bank: Bank,
    blueprint: Blueprint,
    seed: str,
    anchor_count: int = 0,
    earlier_exams: Sequence[EarlierExamDrawings] = (),
) -> Exam:
    """Chooses the items of an exam. Items of the exams `earlier_exams` are left out, except `anchor_count` items of the
    first of them. Raises CannotAssemble if the bank lacks what the blueprint asks for, or ValueError if the values of
    an anchor no longer fit the bank.

    A form must not show where the bank is stored, so the name of the bank's folder is not used as a title."""
    if not blueprint.title:
        blueprint = replace(blueprint, title=bank.title if bank.has_title else DEFAULT_EXAM_TITLE)
    exam_blueprint = exclude_items_from_blueprint(blueprint, {name for one in earlier_exams for name in one})
    anchor_ids: tuple[str, ...] = ()
    if anchor_count and earlier_exams:
        anchor_ids, exam_blueprint = _earlier_anchor_ids_and_blueprint(
            bank, blueprint, exam_blueprint, earlier_exams[0], anchor_count, seed
        )
    earlier_variants: dict[str, Variant] = {}
    for name in anchor_ids:
        earlier_values, earlier_seed = earlier_exams[0][name]
        earlier_variants[name] = bank.items[name].rebuild_variant(earlier_values, draw.SeededRng(name, earlier_seed))
    items = select_with_section_index(bank, exam_blueprint, seed)
    if blueprint.name:
        # For every seed a section is worth what it is worth under one fixed seed.
        reference_items = select_with_section_index(bank, exam_blueprint, "")
        items = match_points_of_each_section(bank, exam_blueprint, items, seed, reference_items)
    if anchor_count and not earlier_exams:
        single_items = tuple((item, index) for item, index in items if item.stimulus is None)
        if anchor_count >= len(single_items):
            raise CannotAssemble(f"a form has {len(items)} items; --anchor must be fewer")
        anchor_ids = choose_evenly_spread_anchor_ids(single_items, anchor_count, seed)
    code = draw.short_public_code(seed, "exam", *(item.id for item, _ in items), length=6)
    return Exam(bank, exam_blueprint, seed, items, code, anchor_ids, earlier_variants)


def _earlier_anchor_ids_and_blueprint(
    bank: Bank,
    blueprint: Blueprint,
    anchored_blueprint: Blueprint,
    earlier_exam: EarlierExamDrawings,
    anchor_count: int,
    seed: str,
) -> tuple[tuple[str, ...], Blueprint]:
    """The ids of `anchor_count` items of an earlier exam, and the blueprint `anchored_blueprint` with each of them in
    its section. Raises CannotAssemble if too few items of that exam fit the blueprint."""
    section_by_id: dict[str, int] = {}
    for item in (bank.items[name] for name in earlier_exam if name in bank.items):
        hits = (n for n, s in enumerate(blueprint.sections) if may_draw_unnamed(item, s) or item.id in s.required_ids)
        if item.stimulus is None and (first := next(hits, None)) is not None:
            section_by_id[item.id] = first
    if len(section_by_id) < anchor_count:
        raise CannotAssemble(f"only {len(section_by_id)} items of the earlier exam fit the blueprint; lower --anchor")
    fitting_items = tuple((bank.items[name], index) for name, index in section_by_id.items())
    anchor_ids = choose_evenly_spread_anchor_ids(fitting_items, anchor_count, seed)
    with_anchors = tuple(
        replace(section, required_ids=(*section.required_ids, *(i for i in anchor_ids if section_by_id[i] == index)))
        for index, section in enumerate(anchored_blueprint.sections)
    )
    return anchor_ids, replace(anchored_blueprint, sections=with_anchors)


def form_labels(count: int) -> Iterator[str]:
    """Yields the names of `count` forms: A … Z, AA, AB …."""
    yield from map(option_letter, range(count))


def as_decimal_or_ratio(points: Fraction) -> str:
    """Points for people: `2`, `0.5`, or `1/3` if no decimal of three places is exact."""
    return str(points) if 1000 % points.denominator else f"{float(points):.3f}".rstrip("0").rstrip(".")


# Parallel forms: the same points, and matching items.


def match_points_of_each_section(
    bank: Bank,
    blueprint: Blueprint,
    chosen_items: ItemsWithSectionIndex,
    seed: str,
    reference_items: ItemsWithSectionIndex,
    fixed_ids: Collection[str] = (),
) -> ItemsWithSectionIndex:
    """The chosen items with as many points in each section as the items `reference_items` have there. Items are
    exchanged for others of the same section, and if possible of the same topic and kind; the items with ids in
    `fixed_ids` stay."""
    items = list(chosen_items)
    for index, section in enumerate(blueprint.sections):
        if section.points_per_item is not None:
            continue
        fixed = {*section.required_ids, *fixed_ids}
        while gap := _points_in_section(reference_items, index) - _points_in_section(items, index):
            item_by_place = {n: item for n, (item, s) in enumerate(items) if s == index and _is_swappable(item, fixed)}
            used_ids = {item.id for item, _ in items}
            spares = [i for i in bank.items.values() if may_draw_unnamed(i, section) and _is_swappable(i, used_ids)]
            best = _best_place_and_replacement(item_by_place, spares, gap, seed)
            if best is None:
                break
            items[best[0]] = (best[1], index)
    return tuple(items)


def _best_place_and_replacement(
    old_item_by_place: Mapping[int, Item], unused_items: Iterable[Item], points_gap: Fraction, seed: str
) -> tuple[int, Item] | None:
    """The place of the old item to exchange, and its replacement among the unused items, that leave the smallest part
    of the `points_gap` in points; None if no exchange makes the gap smaller."""
    items_by_traits: dict[tuple[Fraction, str, str], list[Item]] = {}
    for item in unused_items:
        items_by_traits.setdefault((item.points, item.topic, item.kind), []).append(item)
    exchanges: list[tuple[Fraction, bool, int, int, Item]] = []
    for n, old_item in old_item_by_place.items():
        for (points, topic, kind), items in items_by_traits.items():
            new_gap = abs(points_gap - (points - old_item.points))
            if new_gap < abs(points_gap):
                new_item = min(items, key=lambda i: draw.seeded_rank(seed, "level", old_item.id, i.id))
                is_other_kind = (topic, kind) != (old_item.topic, old_item.kind)
                exchanges.append((new_gap, is_other_kind, draw.seeded_rank(seed, "level", new_item.id), n, new_item))
    return min(exchanges, key=lambda one: one[:4])[3:] if exchanges else None


def _is_swappable(item: Item, fixed_ids: Collection[str]) -> bool:
    """Whether the item may be exchanged: its id is not in `fixed_ids`, and it is no part of a stimulus."""
    return item.stimulus is None and item.id not in fixed_ids


def _points_in_section(chosen_items: Iterable[tuple[Item, int]], section_index: int) -> Fraction:
    """The points that the chosen items have in the section with this index."""
    return sum((item.points for item, index in chosen_items if index == section_index), ZERO)


def choose_evenly_spread_anchor_ids(chosen_items: ItemsWithSectionIndex, count: int, seed: str) -> tuple[str, ...]:
    """The ids of `count` of the chosen items, spread evenly over sections, topics, kinds and difficulties."""
    order = sorted(
        chosen_items, key=lambda c: (c[1], c[0].topic, c[0].kind, c[0].difficulty or 0, draw.seeded_rank(seed, c[0].id))
    )
    step = Fraction(len(order), count)
    return tuple(order[int(step * n + step / 2)][0].id for n in range(count))


def _dissimilarity_sort_key(item: Item, seed: str, other_item: Item) -> tuple[bool, bool, int, Fraction, int, int]:
    """How much two items differ, as a sort key: in kind, topic, difficulty, points and seconds; then by the seed."""
    level_gap = abs((item.difficulty or 3) - (other_item.difficulty or 3))
    return (
        item.kind != other_item.kind, item.topic != other_item.topic, level_gap, abs(item.points - other_item.points),
        abs(item.seconds - other_item.seconds), draw.seeded_rank(seed, "opposite", other_item.id),
    )  # fmt: skip


def exclude_items_from_blueprint(blueprint: Blueprint, item_ids: Collection[str]) -> Blueprint:
    """The blueprint with the items of these ids excluded. Raises CannotAssemble if a section requires one of them."""
    for number, section in enumerate(blueprint.sections, 1):
        for name in section.required_ids:
            if name in item_ids:
                raise CannotAssemble(f"section {number} includes {name}, which must be left out", number - 1)
    sections = tuple(replace(s, excluded_ids=(*s.excluded_ids, *item_ids)) for s in blueprint.sections)
    return replace(blueprint, sections=sections)


def order_items_with_fixed_anchor_places(items: Sequence[Item], fixed_ids: Collection[str], seed: str) -> list[Item]:
    """The items of a section in order. Those with ids in `fixed_ids` have the same places in every form (their
    order follows from `seed`): evenly spread, or at the start if parts of a stimulus must stay together."""
    other_items = [item for item in items if item.id not in fixed_ids]
    anchors = sorted((i for i in items if i.id in fixed_ids), key=lambda i: draw.seeded_rank(seed, "order", i.id))
    together = any(item.stimulus for item in other_items)
    places = {n if together else (2 * n + 1) * len(items) // (2 * len(anchors)): item for n, item in enumerate(anchors)}
    return [places[place] if place in places else other_items.pop(0) for place in range(len(items))]
