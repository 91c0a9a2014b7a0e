"""Makes a form from a blueprint, a bank and a seed.

Pure functions: the same arguments always give the same form. The choice of items, their order, their options and their
drawn values depend only on the seed and the item ids, never on a key, a rubric or a tolerance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from quizgen import draw
from quizgen.model import Bank, Blueprint, Form, FormEntry, Item, Section, Variant
from quizgen.source.problems import did_you_mean, printable, shorten, similar_names


class CannotAssemble(ValueError):
    """The bank lacks items that the blueprint asks for. The message names the section and the reason; `section_index`
    is the section's index."""

    def __init__(self, message: str, section: int | None = None) -> None:
        super().__init__(message)
        self.section_index = section


def activate_usable_drafts_if_none_active(bank: Bank, includes_self_rated: bool = False) -> Bank:
    """The bank for practising by oneself. If every item is a draft, as after an import, drafts that can be scored
    become active; with `includes_self_rated`, so do those that the candidate rates by comparing the answer with the
    model answer."""
    if any(item.status == "active" for item in bank.items.values()):
        return bank
    drafts = (item for item in bank.items.values() if item.status == "draft")
    usable = (i for i in drafts if i.has_scoring_fields or (includes_self_rated and getattr(i, "model_answer", False)))
    return replace(bank, items={**bank.items, **{one.id: replace(one, status="active") for one in usable}})


def any_items_blueprint(item_count: int | None = None) -> Blueprint:
    """The default blueprint: one section of `item_count` items over the whole bank."""
    return Blueprint("mixed", "", (Section(item_count=item_count),))


def select_with_section_index(
    bank: Bank, blueprint: Blueprint, seed: str, last_resort_ids: Collection[str] = ()
) -> tuple[tuple[Item, int], ...]:
    """The items of a form with the index of their section, in the order drawn.

    `last_resort_ids`: ids of items, such as those seen lately, to use only if nothing else is left. Raises
    CannotAssemble if a section asks for more items than there are."""
    selection: dict[str, tuple[Item, int]] = {}
    # An earlier section may not draw the items that a later section names.
    reserved_ids = {name for section in blueprint.sections for name in section.required_ids}
    supply = _shared_item_supply(bank, blueprint, reserved_ids)
    for index, section in enumerate(blueprint.sections):
        unavailable_ids = selection.keys() | reserved_ids
        named_items = _named_items_and_stimulus_parts(bank, section, index, selection)
        pool = [i for i in bank.items.values() if may_draw_unnamed(i, section) and i.id not in unavailable_ids]
        target = _wanted_item_count_of_section(section, len(named_items), len(pool))
        if target > len(named_items) + len(pool):
            wish = f"section {index + 1} wants {target} item{'s' * (target != 1)}{section_filter_text(section)}"
            stock = f"the bank has {len(named_items) + len(pool)}; lower `count` or widen the section"
            raise CannotAssemble(f"{wish}, {stock}", index)
        picks = named_items[: max(target, len(named_items) if any(item.stimulus for item in named_items) else 0)]
        used_origin_ids = {item.origin_or_own_item_id for item in (*(one for one, _ in selection.values()), *picks)}
        avoided_ids = {*last_resort_ids, *(item.id for item in pool if item.origin_or_own_item_id in used_origin_ids)}
        picks += _pick_items_evenly_by_kind_and_topic(pool, target - len(picks), seed, index, avoided_ids, supply)
        picks = _refill_picks_with_whole_stimuli(bank, picks, target, pool, len(named_items), index)
        selection |= {item.id: (item, index) for item in picks}
    return tuple(selection.values())


def _wanted_item_count_of_section(section: Section, named_count: int, reachable_count: int) -> int:
    """The number of items for a section: its `count`, else the number it names, else all that it can reach."""
    return section.item_count if section.item_count is not None else named_count or reachable_count


def _named_items_and_stimulus_parts(bank: Bank, section: Section, index: int, taken_ids: Collection[str]) -> list[Item]:
    """The items that a section names with all other parts of their stimuli, without those whose ids are in `taken_ids`.
    Raises CannotAssemble for an unknown name."""
    if unknown_ids := [name for name in section.required_ids if name not in bank.items]:
        raise CannotAssemble(f"section {index + 1} includes {unknown_ids[0]}, which is not in the bank", index)
    named_items = (bank.items[name] for name in section.required_ids if name not in taken_ids)
    parts = {part.id: part for item in named_items for part in items_sharing_stimulus_with(bank, item)}
    return [part for name, part in parts.items() if name not in taken_ids]


def items_sharing_stimulus_with(bank: Bank, item: Item) -> list[Item]:
    """The active items that share a stimulus with `item`, in file order; `item` alone if it has no stimulus."""
    if item.stimulus is None:
        return [item]
    return [i for i in bank.items.values() if i.stimulus is item.stimulus and (i.status == "active" or i is item)]


def _refill_picks_with_whole_stimuli(
    bank: Bank, picks: list[Item], wanted_count: int, pool: Sequence[Item], named_count: int, section_index: int
) -> list[Item]:
    """The picked items with every stimulus either complete or left out; items drawn later fill the free places. Raises
    CannotAssemble if fewer than `wanted_count` fit."""
    if not any(item.stimulus for item in picks[named_count:]):
        return picks
    pool_ids, kept_item_by_id = {item.id for item in pool}, {item.id: item for item in picks[:named_count]}
    later_item_by_id = {item.id: item for item in (*picks[named_count:], *pool)}
    for item in later_item_by_id.values():
        parts = {part.id: part for part in items_sharing_stimulus_with(bank, item) if part.id not in kept_item_by_id}
        if len(kept_item_by_id | parts) <= wanted_count and parts.keys() <= pool_ids:
            kept_item_by_id |= parts
    singles = [item for name, item in later_item_by_id.items() if name not in kept_item_by_id and not item.stimulus]
    complete_items = [*kept_item_by_id.values(), *singles[: wanted_count - len(kept_item_by_id)]]
    if len(complete_items) < wanted_count:
        reason = f"the parts of a stimulus stay together: {len(complete_items)} fit; raise `count`"
        raise CannotAssemble(f"section {section_index + 1} wants {wanted_count} items, and {reason}", section_index)
    return complete_items


def _shared_item_supply(bank: Bank, blueprint: Blueprint, reserved_ids: Collection[str]) -> ItemSupply:
    """A plan by which sections that share items leave enough for one another; if none is needed or possible, one
    that refuses nothing."""
    counts: list[int] = []
    named_ids: set[str] = set()
    for section in blueprint.sections:
        new_ids = [name for name in section.required_ids if name not in named_ids]
        named_ids.update(new_ids)
        counts.append(max(0, section.item_count - len(new_ids)) if section.item_count is not None else 0)
    items = [item for item in bank.items.values() if item.id not in reserved_ids]
    supply = ItemSupply([[item.id for item in items if may_draw_unnamed(item, s)] for s in blueprint.sections], counts)
    has_shared_items = any(sections.bit_count() > 1 for sections in supply.sections_by_item.values())
    return supply if has_shared_items and supply.can_fill_section_counts(counts) else ItemSupply([])


def may_draw_unnamed(item: Item, section: Section) -> bool:
    """Whether a section may draw an item that it does not name."""
    return item.status == "active" and item.id not in section.excluded_ids and matches_section(item, section)


def matches_section(item: Item, section: Section) -> bool:
    """Whether an item has one of a section's topics, kinds and difficulties; an empty list of them allows all."""
    return (
        (not section.topics or item.topic in section.topics)
        and (not section.kinds or item.kind in section.kinds)
        and (not section.difficulties or item.difficulty in section.difficulties)
    )


def section_filter_text(section: Section) -> str:
    """The restrictions of a section as words after a noun, such as ` of kind numeric on zero`; empty without any."""
    filters = (("of kind", section.kinds), ("on", section.topics), ("of difficulty", section.difficulties))
    return "".join(f" {words} {' or '.join(map(str, values))}" for words, values in filters if values)


def _pick_items_evenly_by_kind_and_topic(
    pool: Sequence[Item], count: int, seed: str, section_index: int, avoided_ids: set[str], supply: ItemSupply
) -> list[Item]:
    """`count` items in a seeded order, with kinds and topics in turn so that none dominates the form. Adds to
    `avoided_ids` the items related to a picked one: those from which it is made, and those made from it."""
    order = sorted(pool, key=lambda i: (i.id in avoided_ids, draw.seeded_rank(seed, "item", str(section_index), i.id)))
    if count == len(order) or count * len(order) > 4_000_000:
        for item in order[:count]:
            supply.take_item_unless_sections_run_short(section_index, item.id)
        return order[:count]
    picks: list[Item] = []
    reserve: list[Item] = []  # reserved for later sections
    kinds, topics = Counter[str](), Counter[str]()
    while len(picks) < count and order:
        ranks = [(item.id in avoided_ids, kinds[item.kind] + topics[item.topic]) for item in order]
        item = order.pop(ranks.index(min(ranks)))
        if not supply.take_item_unless_sections_run_short(section_index, item.id):
            reserve.append(item)
            continue
        kinds[item.kind] += 1
        topics[item.topic] += 1
        avoided_ids |= {other.id for other in order if other.origin_or_own_item_id == item.origin_or_own_item_id}
        picks.append(item)
    return picks + reserve[: count - len(picks)]


def assemble(bank: Bank, blueprint: Blueprint, seed: str, *, last_resort_ids: Collection[str] = ()) -> Form:
    """The form for a blueprint, a bank and a seed. Raises CannotAssemble if the bank has too few items."""
    chosen_items = select_with_section_index(bank, blueprint, seed, last_resort_ids)
    return form_of_chosen_items(bank, blueprint, seed, chosen_items)


def form_of_chosen_items(
    bank: Bank,
    blueprint: Blueprint,
    seed: str,
    chosen_items: Sequence[tuple[Item, int]],
    make_variant: Callable[[Item], Variant] | None = None,
    order_items: Callable[[list[Item]], list[Item]] | None = None,
) -> Form:
    """The form with items that are already selected: draws values by the seed, and orders items within sections.
    `make_variant` and `order_items` replace the usual drawing and order."""
    entries: list[FormEntry] = []
    place_in_bank = {name: n for n, name in enumerate(bank.items)}
    for index, section in enumerate(blueprint.sections):
        members = [item for item, section_index in chosen_items if section_index == index]
        # Parts of a stimulus have one rank, so they stay together in file order; `chosen_items` may be in any order.
        rank = {i.id: draw.seeded_rank(seed, "order", i.stimulus.id if i.stimulus else i.id) for i in members}
        members.sort(key=lambda i: (rank[i.id], place_in_bank.get(i.id, 0)))
        for item in order_items(members) if order_items else members:
            variant = make_variant(item) if make_variant else draw_variant(item, seed)
            entries.append(FormEntry(variant, index, section.points_per_item))
    return _form_of_drawn_entries(bank, blueprint, seed, entries)


def reassemble_form(bank: Bank, blueprint: Blueprint, seed: str, item_ids: Iterable[str]) -> Form:
    """The form of a logged session: the items with the ids `item_ids`, in that order. Raises KeyError if the bank no
    longer has one."""
    entries = []
    for name in item_ids:
        item = bank.items[name]
        hits = (n for n, s in enumerate(blueprint.sections) if name in s.required_ids or may_draw_unnamed(item, s))
        section = next(hits, 0)
        points = blueprint.sections[section].points_per_item if blueprint.sections else None
        entries.append(FormEntry(draw_variant(item, seed), section, points))
    return _form_of_drawn_entries(bank, blueprint, seed, entries)


def draw_variant(item: Item, seed: str) -> Variant:
    """The variant of an item on a form with this seed."""
    return item.draw(draw.SeededRng(item.id, seed))


def _form_of_drawn_entries(bank: Bank, blueprint: Blueprint, seed: str, entries: Sequence[FormEntry]) -> Form:
    seconds = sum(e.variant.item.seconds for e in entries)
    return Form(
        title=blueprint.title or bank.title,
        code=draw.short_public_code("form", seed, *(e.variant.item.id for e in entries)),
        seed=seed,
        minutes=Fraction(max(1, -(-seconds // 60))) if blueprint.minutes is None else blueprint.minutes,
        entries=tuple(entries),
        sections=blueprint.sections,
        pass_share=blueprint.pass_share,
        score_bands=blueprint.score_bands,
        blueprint_name=blueprint.name,
    )


MAX_SECTIONS_FOR_ALL_SUBSETS = 10  # beyond it only single sections, pairs and all together are examined


class ItemSupply:
    """The items that sections share while they draw in turn, first to last. Mutable. `sections_by_item`: item id -> the
    sections that may draw it, as bits.

    There are enough by Hall's condition (P. Hall 1935): any set of sections must together have at least as many
    drawable items as the set wants."""

    def __init__(self, reachable_ids: Sequence[Collection[str]], wanted_counts: Sequence[int] = ()) -> None:
        """`reachable_ids` has for each section the ids of the items that it may draw, `wanted_counts` how many it
        draws."""
        self.sections_by_item: dict[str, int] = {}
        for index, pool in enumerate(reachable_ids):
            for name in pool:
                self.sections_by_item[name] = self.sections_by_item.get(name, 0) | 1 << index
        kinds = Counter(self.sections_by_item.values())
        count = len(reachable_ids)
        if count <= MAX_SECTIONS_FOR_ALL_SUBSETS:
            sets = [*range(1, 1 << count)]
        else:
            pairs = (1 << one | 1 << other for one, other in combinations(range(count), 2))
            sets = [*(1 << index for index in range(count)), *pairs, (1 << count) - 1]
        # Set of sections, as bits -> the number of items that are left for any of them.
        self._items_left = {s: sum(n for bits, n in kinds.items() if bits & s) for s in sets}
        self._wants = list(wanted_counts)

    def can_fill_section_counts(self, wanted_counts: Sequence[int], taken_from_sections: int = 0) -> bool:
        """Whether all sections together can have the numbers of items in `wanted_counts` after an item that the
        sections `taken_from_sections` (as bits) may draw is gone."""
        return all(
            sum(want for index, want in enumerate(wanted_counts) if sections >> index & 1)
            <= count - bool(sections & taken_from_sections)
            for sections, count in self._items_left.items()
        )

    def take_item_unless_sections_run_short(self, section_index: int, item_id: str) -> bool:
        """Takes an item for a section. Takes nothing and returns False if a later section would then have too few."""
        bits = self.sections_by_item.get(item_id, 0)
        wanted_counts = [max(0, want - (index == section_index)) for index, want in enumerate(self._wants)]
        if not self.can_fill_section_counts(wanted_counts, bits):
            return False
        self._items_left = {sections: count - bool(sections & bits) for sections, count in self._items_left.items()}
        self._wants = wanted_counts
        return True


def narrow_blueprint(
    bank: Bank, blueprint: Blueprint, *, item_count: int | None = None, minutes: Fraction | None = None, **filters: Any
) -> Blueprint:
    """A blueprint restricted to the `item_count`, the `minutes` and the `filters` (topics, kinds, difficulties) of a
    command line.

    The result has only items that the blueprint itself allows: each section keeps the items that match, up to its own
    count, and `item_count` is divided in proportion to these counts. If anything besides `minutes` is restricted, the
    time is the sum of the items' times. Raises CannotAssemble if nothing, or less than `item_count`, is left."""
    sections = blueprint.sections
    filters = {name: tuple(values) for name, values in filters.items()}
    restriction, is_filtered = Section(**filters), any(filters.values())
    if is_filtered:
        restricted_sections = (_restricted_section_if_any_item_left(bank, section, restriction) for section in sections)
        sections = tuple(section for section in restricted_sections if section is not None)
    for total in (*[None] * is_filtered, *[item_count] * (item_count is not None)):
        reaches = _allowed_item_ids_of_each_section(bank, sections)
        named_counts, reach_counts = (len(s.required_ids) for s in sections), map(len, reaches)
        wanted_counts = list(map(_wanted_item_count_of_section, sections, named_counts, reach_counts))
        counts = apportion_item_counts_to_sections(wanted_counts, reaches, total)
        _require_enough_items(blueprint, restriction, sum(counts), total or 0)
        pairs = zip(sections, counts, strict=True)
        sections = tuple(replace(section, item_count=number) for section, number in pairs if number)
    if sections == blueprint.sections:
        return blueprint if minutes is None else replace(blueprint, minutes=minutes)
    return replace(blueprint, sections=sections, minutes=minutes)


def complete_topic_words_if_unambiguous(names: Iterable[str], known_names: Collection[str]) -> tuple[str, ...]:
    """The names, each replaced (unless it is in `known_names`) by the only one there that contains it as a whole word.

    >>> complete_topic_words_if_unambiguous(["pipeline", "zero"], ["pipeline-parallel", "tensor-parallel", "zero"])
    ('pipeline-parallel', 'zero')"""
    complete_names = []
    for name in names:
        matches = [topic for topic in sorted(known_names) if name.casefold() in topic.casefold().split("-")]
        complete_names.append(matches[0] if name not in known_names and len(matches) == 1 else name)
    return tuple(complete_names)


def first_unknown_name_message(
    noun: str, names: Iterable[str], known_names: Collection[str], bank_name: str = "the bank"
) -> str:
    """A message for topics or kinds that `bank_name` does not have, with the nearest name or the list of all; empty if
    it has them all."""
    for name in names:
        if name not in known_names:
            sorted_names = sorted(known_names)
            near_names = similar_names(name, sorted_names)
            hint = did_you_mean(name, sorted_names) or f"there are: {', '.join(near_names or sorted_names) or 'none'}"
            hint = f'did you mean "{near_names[0]}"?' if len(near_names) == 1 else hint
            return f'{printable(bank_name)} has no {noun} "{printable(shorten(name))}"; {hint}'
    return ""


def fewer_items_than_blueprint_message(blueprint: Blueprint, item_count: int) -> str:
    """A message for a form with fewer items than its blueprint wants; empty if it has all."""
    wanted_count = sum(section.item_count or len(section.required_ids) for section in blueprint.sections)
    if item_count >= wanted_count or not blueprint.name:
        return ""
    return f"The options leave {item_count} of the {wanted_count} items that the blueprint {blueprint.name} asks for."


def apportion_item_counts_to_sections(
    wanted_counts: Sequence[int], reachable_ids: Sequence[Collection[str]], total_count: int | None
) -> list[int]:
    """The number of items for each section if `total_count` is divided in proportion to `wanted_counts` (Webster's
    method), at most as many as the section can reach. `total_count` None: the sum of `wanted_counts`. The total is
    below `total_count` if there are too few items."""
    supply = ItemSupply(reachable_ids)
    counts = [0] * len(wanted_counts)
    takers = set(range(len(wanted_counts)))
    while takers and (total_count is None or sum(counts) < total_count):
        best = max(sorted(takers), key=lambda i: Fraction(wanted_counts[i], 2 * counts[i] + 1))
        trial = [n + (i == best) for i, n in enumerate(counts)]
        if (total_count is None and counts[best] >= wanted_counts[best]) or not supply.can_fill_section_counts(trial):
            takers.discard(best)
        else:
            counts = trial
    return counts


def _restricted_section_if_any_item_left(bank: Bank, section: Section, restriction: Section) -> Section | None:
    """A section with only the items that both `section` and `restriction` allow; None if no item is left."""
    pairs = [(getattr(section, name), getattr(restriction, name)) for name in ("topics", "kinds", "difficulties")]
    named_items = (bank.items[name] for name in section.required_ids if name in bank.items)
    required_ids = tuple(item.id for item in named_items if matches_section(item, restriction))
    # The values that two filters allow; an empty one allows all.
    values = [tuple(v for v in a if v in b) if a and b else a or b for a, b in pairs]
    if any(any(pair) and not allowed for pair, allowed in zip(pairs, values, strict=True)):
        # Nothing is left to draw, but items that the section names by id may still match the filter.
        return replace(section, required_ids=required_ids, excluded_ids=tuple(bank.items)) if required_ids else None
    if section.required_ids and not required_ids and section.item_count is None:
        return None
    topics, kinds, difficulties = values
    return replace(section, topics=topics, kinds=kinds, difficulties=difficulties, required_ids=required_ids)


def _allowed_item_ids_of_each_section(bank: Bank, sections: Sequence[Section]) -> list[list[str]]:
    """For each section, the ids of items that it may have: the items that it names first, without those that another
    section names."""
    reserved_ids = {name for section in sections for name in section.required_ids}
    items = [item for item in bank.items.values() if item.id not in reserved_ids]
    return [[*section.required_ids, *(i.id for i in items if may_draw_unnamed(i, section))] for section in sections]


def _require_enough_items(blueprint: Blueprint, restriction: Section, available_count: int, wanted_count: int) -> None:
    """Raises CannotAssemble if `available_count`, the number of items that `restriction` allows, is 0 or below
    `wanted_count`."""
    has_open_section = any(not (s.topics or s.kinds or s.difficulties or s.required_ids) for s in blueprint.sections)
    is_bank, filter_text = has_open_section or not blueprint.name, section_filter_text(restriction)
    source = "the bank" if is_bank else f"the blueprint {blueprint.name}"
    if not available_count:
        hint = "ask for less, or see `quizgen list items`" if is_bank else "name its bank instead, which asks for any"
        raise CannotAssemble(f"{source} {'has' if is_bank else 'takes'} no item{filter_text}; {hint}")
    if available_count < wanted_count:
        message = f"{source} has only {available_count} item{'s' * (available_count != 1)}{filter_text}"
        raise CannotAssemble(f"{message}; ask for --items {available_count} or fewer")
