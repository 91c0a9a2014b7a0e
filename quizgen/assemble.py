"""Blueprint + bank + seed -> form. Pure: the same arguments give the same form, always.

Which items are taken, their order, their options and their drawn values are functions of the
seed and the item ids alone, never of a key, a rubric or a tolerance.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import TypeVar

from quizgen import draw
from quizgen.model import Bank, Blueprint, Entry, Form, Item, Section, Variant

T = TypeVar("T")


class CannotAssemble(ValueError):
    """The bank does not hold what the blueprint asks for; the message says which section and why."""


def mixed(bank: Bank, count: int | None = None, minutes: Fraction | None = None) -> Blueprint:
    """A blueprint of one section over the whole bank, for when none is named."""
    return Blueprint("mixed", "", (Section(count=count),), minutes)


def narrowed(
    blueprint: Blueprint,
    *,
    topics: Sequence[str] = (),
    kinds: Sequence[str] = (),
    difficulties: Sequence[int] = (),
    count: int | None = None,
    minutes: Fraction | None = None,
    include: Sequence[str] = (),
) -> Blueprint:
    """A blueprint restricted by what a person asked for on the command line.

    Any restriction but `minutes` replaces the sections by one over the whole bank. Where only `count`
    is asked for, what all sections restrict still holds: five items of a drill are on its topic.
    """
    sections = blueprint.sections
    chosen_minutes = blueprint.minutes
    if topics or kinds or difficulties or include or count is not None:
        total = sum(s.count or 0 for s in sections)
        wanted = count if count is not None else len(include) or total or None
        if not (topics or kinds or difficulties or include or any(s.include for s in sections)):
            topics = _joined([s.topics for s in sections])
            kinds = _joined([s.kinds for s in sections])
            difficulties = _joined([s.difficulties for s in sections])
        sections = (Section(tuple(topics), tuple(kinds), tuple(difficulties), wanted, include=tuple(include)),)
        chosen_minutes = None
    return replace(blueprint, sections=sections, minutes=minutes if minutes is not None else chosen_minutes)


def _joined(restrictions: Sequence[tuple[T, ...]]) -> tuple[T, ...]:
    """What sections admit together; empty where one of them admits everything."""
    return tuple(dict.fromkeys(chain(*restrictions))) if all(restrictions) else ()


def select(bank: Bank, blueprint: Blueprint, seed: str, avoid: Collection[str] = ()) -> tuple[tuple[Item, int], ...]:
    """The items of a form and the section of each, in the order drawn.

    `avoid` holds ids that are taken only when nothing else is left (items seen lately). Raises
    CannotAssemble where a section asks for more than there is.
    """
    taken: dict[str, int] = {}
    chosen: list[tuple[Item, int]] = []
    # Items named by a section are kept for it: an earlier section may not draw them away.
    reserved = {name for section in blueprint.sections for name in section.include}
    for index, section in enumerate(blueprint.sections):
        unknown = [name for name in section.include if name not in bank.items]
        if unknown:
            raise CannotAssemble(f"section {index + 1} includes {unknown[0]}, which is not in the bank")
        named = [bank.items[name] for name in section.include if name not in taken]
        pool = [i for i in bank.items.values() if _fits(i, section) and i.id not in taken and i.id not in reserved]
        wanted = section.count if section.count is not None else len(named) or len(pool)
        if wanted > len(named) + len(pool):
            raise CannotAssemble(
                f"section {index + 1} wants {wanted} item{'s' * (wanted != 1)}{_filters(section)}, "
                f"the bank has {len(named) + len(pool)}; lower `count` or widen the section"
            )
        picked = named[:wanted]
        picked += _spread(pool, wanted - len(picked), seed, index, avoid)
        for item in picked:
            taken[item.id] = index
            chosen.append((item, index))
    return tuple(chosen)


def _fits(item: Item, section: Section) -> bool:
    return (
        item.status == "active"
        and (not section.topics or item.topic in section.topics)
        and (not section.kinds or item.kind in section.kinds)
        and (not section.difficulties or item.difficulty in section.difficulties)
        and item.id not in section.exclude
    )


def _filters(section: Section) -> str:
    parts = [
        f" of kind {' or '.join(section.kinds)}" if section.kinds else "",
        f" on {' or '.join(section.topics)}" if section.topics else "",
        f" of difficulty {' or '.join(map(str, section.difficulties))}" if section.difficulties else "",
    ]
    return "".join(parts)


def _spread(pool: Sequence[Item], count: int, seed: str, index: int, avoid: Collection[str]) -> list[Item]:
    """`count` items in a seeded order, kinds and topics taken in turn so that no one of them crowds the form."""
    order = sorted(pool, key=lambda i: (i.id in avoid, draw.rank(seed, "item", str(index), i.id)))
    if count == len(order) or count * len(order) > 4_000_000:
        return order[:count]
    picked: list[Item] = []
    kinds: dict[str, int] = {}
    topics: dict[str, int] = {}
    while len(picked) < count:
        best = min(
            range(len(order)),
            key=lambda n: (
                order[n].id in avoid,
                kinds.get(order[n].kind, 0) + topics.get(order[n].topic, 0),
                n,
            ),
        )
        item = order.pop(best)
        kinds[item.kind] = kinds.get(item.kind, 0) + 1
        topics[item.topic] = topics.get(item.topic, 0) + 1
        picked.append(item)
    return picked


def assemble(
    bank: Bank,
    blueprint: Blueprint,
    seed: str,
    *,
    selection_seed: str | None = None,
    avoid: Collection[str] = (),
) -> Form:
    """The form of a seed. `selection_seed` fixes which items are taken apart from how they are
    drawn and ordered, so that several forms of one exam hold the same items."""
    return arrange(bank, blueprint, seed, select(bank, blueprint, selection_seed or seed, avoid))


def arrange(bank: Bank, blueprint: Blueprint, seed: str, chosen: Sequence[tuple[Item, int]]) -> Form:
    """The form that items already selected have under a seed: drawn, and ordered within sections."""
    entries: list[Entry] = []
    for index, section in enumerate(blueprint.sections):
        members = [item for item, where in chosen if where == index]
        members.sort(key=lambda i: draw.rank(seed, "order", i.id))
        entries += [Entry(variant_of(item, seed), index, section.points) for item in members]
    return _form(bank, blueprint, seed, entries)


def reassemble(bank: Bank, blueprint: Blueprint, seed: str, ids: Iterable[str]) -> Form:
    """The form of a session that was logged: the same items in the same order. KeyError: an id is gone."""
    entries = []
    for name in ids:
        item = bank.items[name]
        section = next((n for n, s in enumerate(blueprint.sections) if name in s.include or _fits(item, s)), 0)
        points = blueprint.sections[section].points if blueprint.sections else None
        entries.append(Entry(variant_of(item, seed), section, points))
    return _form(bank, blueprint, seed, entries)


def variant_of(item: Item, seed: str) -> Variant:
    return item.draw(draw.Stream(item.id, seed))


def _form(bank: Bank, blueprint: Blueprint, seed: str, entries: Sequence[Entry]) -> Form:
    minutes = blueprint.minutes
    if minutes is None:
        seconds = sum(e.variant.item.seconds for e in entries)
        minutes = Fraction(max(1, -(-seconds // 60)))
    code = draw.code("form", seed, *(e.variant.item.id for e in entries))
    return Form(
        blueprint.title or bank.title,
        code,
        seed,
        minutes,
        tuple(entries),
        blueprint.sections,
        blueprint.pass_share,
        blueprint.bands,
        blueprint.name,
    )
