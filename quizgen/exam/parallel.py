"""Parallel forms: different values, the same points, and matching items.

Pure functions. Nothing here looks at a key. The values and items of a form follow from the seed, the item ids, what a
form shows of an item (points, kind, time) and, to match another item, its difficulty."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quizgen import draw
from quizgen.assemble import CannotAssemble, may_draw
from quizgen.model import ZERO, Bank, Blueprint, Item, Section, Variant

MAX_EQUAL_DRAWINGS = 60  # drawings in a row without new values, after which an item is exhausted
ChosenItems = tuple[tuple[Item, int], ...]


class Drawings:
    """Draws the values of items form after form; no form has the values of an earlier form as long as an item has
    enough different drawings.

    Mutable: it remembers the values of earlier forms. `distinct_counts`: by item or stimulus id, the number of
    different drawings, only where there are too few."""

    def __init__(self) -> None:
        self._given: dict[str, list[Mapping[str, str]]] = {}
        self._seeds: dict[str, list[str]] = {}  # by stimulus
        self._seen: dict[str, set[tuple[tuple[str, str], ...]]] = {}
        self.distinct_counts: dict[str, int] = {}

    def variant(self, item: Item, index: int, seed_of: Callable[[int], str]) -> Variant:
        """The item's variant on the form with the index `index` (from 0); `seed_of` gives the seed of a form by its
        index."""
        seed = seed_of(index)
        if item.stimulus is not None:  # the parts of a stimulus share one drawing
            seeds = self._seeds.setdefault(item.stimulus.id, [])
            while len(seeds) <= index:
                seeds.append(self._unused_seed(item, item.stimulus.id, seed_of(len(seeds)), Variant.shared_values))
            return item.draw(draw.Stream(item.id, seeds[index]))
        first = item.draw(draw.Stream(item.id, seed))
        if not first.drawn():
            return first
        given = self._given.setdefault(item.id, [])
        while len(given) <= index:
            new = self._unused_seed(item, item.id, seed_of(len(given)), lambda v: v.drawn())
            given.append(item.draw(draw.Stream(item.id, new)).drawn())
        return item.redraw(given[index], draw.Stream(item.id, seed))

    def _unused_seed(
        self, item: Item, drawn_id: str, seed: str, values_of: Callable[[Variant], Mapping[str, str]]
    ) -> str:
        """`seed`, or a seed derived from it, whose drawing has values (as `values_of` reads them) that no earlier form
        has; `seed` if there are none. `drawn_id`: the id of the item or stimulus."""
        seen = self._seen.setdefault(drawn_id, set())
        for number in range(0 if drawn_id in self.distinct_counts else MAX_EQUAL_DRAWINGS):
            other = f"{seed}/{number}" if number else seed
            values = tuple(values_of(item.draw(draw.Stream(item.id, other))).items())
            if values not in seen:
                seen.add(values)
                return other
        self.distinct_counts.setdefault(drawn_id, len(seen))
        return seed


def equalize_points(
    bank: Bank,
    blueprint: Blueprint,
    chosen_items: ChosenItems,
    seed: str,
    reference_items: ChosenItems,
    fixed_ids: Collection[str] = (),
) -> ChosenItems:
    """The chosen items with as many points in each section as the items `reference_items` have there. Items are
    exchanged for others of the same section, and if possible of the same topic and kind; the items with ids in
    `fixed_ids` stay."""
    made = list(chosen_items)
    for index, section in enumerate(blueprint.sections):
        if section.points is not None:
            continue
        while gap := _section_points(reference_items, index) - _section_points(made, index):
            best = _exchange_item(bank, made, index, section, gap, seed, fixed_ids)
            if best is None:
                break
            made[best[0]] = (best[1], index)
    return tuple(made)


def _exchange_item(
    bank: Bank,
    current: Sequence[tuple[Item, int]],
    index: int,
    section: Section,
    points_gap: Fraction,
    seed: str,
    fixed_ids: Collection[str],
) -> tuple[int, Item] | None:
    """The position in `current` of the item to exchange, and its replacement, that leave the smallest part of the
    `points_gap` in points; None if no exchange makes the gap smaller. `index`: the section's index; `fixed_ids`: ids of
    items that stay."""
    taken = {item.id for item, _ in current}
    fixed = {*section.include, *fixed_ids}
    places = [n for n, (item, where) in enumerate(current) if where == index and _may_exchange(item, fixed)]
    worth: dict[tuple[Fraction, str, str], list[Item]] = {}
    for item in bank.items.values():
        if may_draw(item, section) and _may_exchange(item, taken):
            worth.setdefault((item.points, item.topic, item.kind), []).append(item)
    candidates: list[tuple[Fraction, bool, int, int, Item]] = []
    for n in places:
        old = current[n][0]
        for (points, topic, kind), items in worth.items():
            after = abs(points_gap - (points - old.points))
            if after < abs(points_gap):
                new = min(items, key=lambda i: draw.seeded_rank(seed, "level", old.id, i.id))
                other = (topic, kind) != (old.topic, old.kind)
                candidates.append((after, other, draw.seeded_rank(seed, "level", new.id), n, new))
    best = min(candidates, key=lambda one: one[:4], default=None)
    return None if best is None else best[3:]


def _may_exchange(item: Item, fixed_ids: Collection[str]) -> bool:
    """Whether the item may be exchanged: its id is not in `fixed_ids`, and it is no part of a stimulus."""
    return item.stimulus is None and item.id not in fixed_ids


def _section_points(chosen_items: Iterable[tuple[Item, int]], section: int) -> Fraction:
    """The points that the chosen items have in the section with this index."""
    return sum((item.points for item, where in chosen_items if where == section), ZERO)


def choose_anchors(chosen_items: ChosenItems, count: int, seed: str) -> tuple[str, ...]:
    """The ids of `count` of the chosen items, spread evenly over sections, topics, kinds and difficulties."""
    order = sorted(
        chosen_items, key=lambda c: (c[1], c[0].topic, c[0].kind, c[0].difficulty or 0, draw.seeded_rank(seed, c[0].id))
    )
    step = Fraction(len(order), count)
    return tuple(order[int(step * n + step / 2)][0].id for n in range(count))


def matching_items(
    bank: Bank,
    blueprint: Blueprint,
    reference_items: ChosenItems,
    shared_ids: Collection[str],
    used_ids: Collection[str],
    seed: str,
) -> ChosenItems:
    """For each item of the form `reference_items`, an item of the same section whose id is not in `used_ids` and that
    is as similar as possible in kind, topic, difficulty, points and time; an item with an id in `shared_ids` stays
    itself. Raises CannotAssemble if there are too few."""
    used = set(used_ids)
    made = []
    for item, index in reference_items:
        section = blueprint.sections[index]
        pool = [i for i in bank.items.values() if may_draw(i, section) and _may_exchange(i, used)]
        if item.id not in shared_ids:
            if not pool:
                named = f"section {index + 1}{f' ({section.title})' if section.title else ''}"
                raise CannotAssemble(f"{named} has no item left to match {item.id}", index)
            item = min(pool, key=lambda i: (*_dissimilarity(item, i), draw.seeded_rank(seed, "opposite", i.id)))
        used.add(item.id)
        made.append((item, index))
    return tuple(made)


def _dissimilarity(item: Item, other: Item) -> tuple[bool, bool, int, Fraction, int]:
    """How much two items differ, as a sort key: in kind, topic, difficulty, points and seconds."""
    apart = abs((item.difficulty or 3) - (other.difficulty or 3))
    return (
        item.kind != other.kind, item.topic != other.topic, apart,
        abs(item.points - other.points), abs(item.seconds - other.seconds),
    )  # fmt: skip


def exclude_items(blueprint: Blueprint, ids: Collection[str]) -> Blueprint:
    """The blueprint with the items of these ids excluded. Raises CannotAssemble if a section requires one of them."""
    for number, section in enumerate(blueprint.sections, 1):
        for name in section.include:
            if name in ids:
                raise CannotAssemble(f"section {number} includes {name}, which must be left out", number - 1)
    sections = tuple(replace(s, exclude=(*s.exclude, *ids)) for s in blueprint.sections)
    return replace(blueprint, sections=sections)


def order_with_fixed_places(members: Sequence[Item], fixed_ids: Collection[str], seed: str) -> Iterator[Item]:
    """Yields the items of a section in order. Those with ids in `fixed_ids` have the same places in every form (their
    order follows from `seed`): evenly spread, or at the start if parts of a stimulus must stay together."""
    rest = [item for item in members if item.id not in fixed_ids]
    still = sorted((i for i in members if i.id in fixed_ids), key=lambda i: draw.seeded_rank(seed, "order", i.id))
    together = any(item.stimulus for item in rest)
    places = {n if together else (2 * n + 1) * len(members) // (2 * len(still)): item for n, item in enumerate(still)}
    for place in range(len(members)):
        yield places[place] if place in places else rest.pop(0)
