"""Blueprint + bank + seed -> form. Pure: the same arguments give the same form, always.

Which items are taken, their order, their options and their drawn values are functions of the
seed and the item ids alone, never of a key, a rubric or a tolerance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TypeVar

from quizgen import draw
from quizgen.model import Bank, Blueprint, Entry, Form, Item, Section, Variant
from quizgen.source.problems import alike, did_you_mean, printable, shorten

T = TypeVar("T")


class CannotAssemble(ValueError):
    """The bank does not hold what the blueprint asks for; the message says which section (also as
    `section`, its index) and why."""

    def __init__(self, message: str, section: int | None = None) -> None:
        super().__init__(message)
        self.section = section


def rehearsable(bank: Bank, rated: bool = False) -> Bank:
    """The bank for one's own practice: where every item is a draft, as after an import, those that can be
    scored are asked as they stand; `rated`: those as well whose answer one compares and rates oneself."""
    if any(item.status == "active" for item in bank.items.values()):
        return bank
    ready = {
        n: replace(i, status="active") if i.complete or (rated and bool(getattr(i, "model_answer", ""))) else i
        for n, i in bank.items.items()
        if i.status == "draft"
    }
    return replace(bank, items={**bank.items, **ready})


def mixed(count: int | None = None) -> Blueprint:
    """A blueprint of one section over the whole bank, for when none is named."""
    return Blueprint("mixed", "", (Section(count=count),))


def select(bank: Bank, blueprint: Blueprint, seed: str, avoid: Collection[str] = ()) -> tuple[tuple[Item, int], ...]:
    """The items of a form and the section of each, in the order drawn.

    `avoid` holds ids that are taken only when nothing else is left (items seen lately). Raises
    CannotAssemble where a section asks for more than there is.
    """
    chosen: list[tuple[Item, int]] = []
    # Items named by a section are kept for it: an earlier section may not draw them away.
    reserved = {name for section in blueprint.sections for name in section.include}
    turns = _turns(bank, blueprint, reserved)
    for index, section in enumerate(blueprint.sections):
        taken = {item.id for item, _ in chosen}
        away = taken | reserved
        named = _included(bank, section, index, taken)
        pool = [i for i in bank.items.values() if fits(i, section) and i.id not in away]
        wanted = _wanted(section, index, len(named), len(pool))
        picked = named[: max(wanted, len(named) if any(item.stimulus for item in named) else 0)]
        used = {item.asks for item in (*(one for one, _ in chosen), *picked)}
        shunned = {*avoid, *(item.id for item in pool if item.asks in used)}
        picked += _spread(pool, wanted - len(picked), seed, index, shunned, turns)
        picked = _kept_whole(bank, picked, wanted, pool, len(named), index)
        chosen += ((item, index) for item in picked)
    return tuple(chosen)


def _included(bank: Bank, section: Section, index: int, taken: Collection[str]) -> list[Item]:
    """The items that a section names, without those of earlier sections. Raises CannotAssemble for an unknown name."""
    unknown = [name for name in section.include if name not in bank.items]
    if unknown:
        raise CannotAssemble(f"section {index + 1} includes {unknown[0]}, which is not in the bank", index)
    return _whole(bank, [bank.items[name] for name in section.include if name not in taken], taken)


def _wanted(section: Section, index: int, named: int, pool: int) -> int:
    """How many items a section takes: its `count`, else all that it names, else all that fit. Raises CannotAssemble
    where there are fewer."""
    wanted = section.count if section.count is not None else named or pool
    if wanted > named + pool:
        raise CannotAssemble(
            f"section {index + 1} wants {wanted} item{'s' * (wanted != 1)}{filters_text(section)}, "
            f"the bank has {named + pool}; lower `count` or widen the section",
            index,
        )
    return wanted


def parts_of(bank: Bank, item: Item) -> list[Item]:
    """The active items of an item's stimulus in file order; the item alone where it has none."""
    if item.stimulus is None:
        return [item]
    return [i for i in bank.items.values() if i.stimulus is item.stimulus and (i.status == "active" or i is item)]


def _whole(bank: Bank, items: Sequence[Item], taken: Collection[str] = ()) -> list[Item]:
    """The items with all parts of their stimuli, each once."""
    made = {part.id: part for item in items for part in parts_of(bank, item) if part.id not in taken}
    return list(made.values())


def _kept_whole(
    bank: Bank, picked: list[Item], wanted: int, pool: Sequence[Item], named: int, section: int
) -> list[Item]:
    """The items picked, with every stimulus whole or left out; what that costs or leaves room for is taken
    from the items drawn later. Raises CannotAssemble where fewer than `wanted` fit."""
    if not any(item.stimulus for item in picked[named:]):
        return picked
    fitting, kept = {item.id for item in pool}, {item.id: item for item in picked[:named]}
    later = {item.id: item for item in (*picked[named:], *pool)}
    for item in later.values():
        parts = {part.id: part for part in parts_of(bank, item) if part.id not in kept}
        if len(kept | parts) <= wanted and parts.keys() <= fitting:
            kept |= parts
    alone = [item for name, item in later.items() if name not in kept and not item.stimulus]
    whole = [*kept.values(), *alone[: wanted - len(kept)]]
    if len(whole) < wanted:
        raise CannotAssemble(
            f"section {section + 1} wants {wanted} items, and the parts of a stimulus stay together: "
            f"{len(whole)} fit; raise `count`",
            section,
        )
    return whole


def _turns(bank: Bank, blueprint: Blueprint, reserved: Collection[str]) -> Turns | None:
    """How sections that draw on the same items leave enough for one another; None: they do not, or cannot."""
    wants: list[int] = []
    named: set[str] = set()
    for section in blueprint.sections:
        new = [name for name in section.include if name not in named]
        named.update(new)
        wants.append(max(0, section.count - len(new)) if section.count is not None else 0)
    if len(wants) < 2:
        return None
    supply = Supply.of(
        [[i.id for i in bank.items.values() if i.id not in reserved and fits(i, s)] for s in blueprint.sections]
    )
    return Turns(supply, wants) if supply.common and supply.serves(wants) else None


def fits(item: Item, section: Section) -> bool:
    """Whether a section may draw an item that it does not name."""
    return item.status == "active" and item.id not in section.exclude and admits(item, section)


def admits(item: Item, section: Section) -> bool:
    """Whether an item is of a section's topics, kinds and difficulties, as far as it restricts them."""
    return (
        (not section.topics or item.topic in section.topics)
        and (not section.kinds or item.kind in section.kinds)
        and (not section.difficulties or item.difficulty in section.difficulties)
    )


def filters_text(section: Section) -> str:
    """` of kind numeric on zero`, as it stands after a noun; empty where nothing is restricted."""
    parts = [
        f" of kind {' or '.join(section.kinds)}" if section.kinds else "",
        f" on {' or '.join(section.topics)}" if section.topics else "",
        f" of difficulty {' or '.join(map(str, section.difficulties))}" if section.difficulties else "",
    ]
    return "".join(parts)


def _spread(
    pool: Sequence[Item], count: int, seed: str, index: int, avoid: set[str], turns: Turns | None
) -> list[Item]:
    """`count` items in a seeded order, kinds and topics taken in turn so that no one of them crowds the form. What a
    choice is made from joins those to `avoid` once that is picked, and the other way round: either gives the other."""
    order = sorted(pool, key=lambda i: (i.id in avoid, draw.rank(seed, "item", str(index), i.id)))
    if count == len(order) or count * len(order) > 4_000_000:
        if turns is not None:
            for item in order[:count]:
                turns.take(index, item.id)
        return order[:count]
    picked: list[Item] = []
    kept: list[Item] = []  # for the sections to come
    kinds: dict[str, int] = {}
    topics: dict[str, int] = {}
    while len(picked) < count and order:
        best = min(
            range(len(order)),
            key=lambda n: (
                order[n].id in avoid,
                kinds.get(order[n].kind, 0) + topics.get(order[n].topic, 0),
                n,
            ),
        )
        item = order.pop(best)
        if turns is not None and not turns.take(index, item.id):
            kept.append(item)
            continue
        kinds[item.kind] = kinds.get(item.kind, 0) + 1
        topics[item.topic] = topics.get(item.topic, 0) + 1
        avoid |= {other.id for other in order if other.asks == item.asks}
        picked.append(item)
    return picked + kept[: count - len(picked)]


def assemble(bank: Bank, blueprint: Blueprint, seed: str, *, avoid: Collection[str] = ()) -> Form:
    """The form of a seed."""
    return arrange(bank, blueprint, seed, select(bank, blueprint, seed, avoid))


def arrange(
    bank: Bank,
    blueprint: Blueprint,
    seed: str,
    chosen: Sequence[tuple[Item, int]],
    variant: Callable[[Item], Variant] | None = None,
    ordered: Callable[[list[Item]], list[Item]] | None = None,
) -> Form:
    """The form that items already selected have under a seed: drawn, and ordered within sections (by
    `variant` and `ordered` where they are given)."""
    entries: list[Entry] = []
    for index, section in enumerate(blueprint.sections):
        members = [item for item, where in chosen if where == index]
        # Parts of a stimulus stand together in file order; `chosen` may be in any.
        filed = {name: n for n, name in enumerate(bank.items)}
        members.sort(key=lambda i: (draw.rank(seed, "order", _together(i)), filed.get(i.id, 0)))
        made = variant or (lambda item: variant_of(item, seed))
        entries += [Entry(made(item), index, section.points) for item in (ordered(members) if ordered else members)]
    return _form(bank, blueprint, seed, entries)


def _together(item: Item) -> str:
    """What an item keeps its place by: parts of a stimulus have one."""
    return item.stimulus.id if item.stimulus is not None else item.id


def reassemble(bank: Bank, blueprint: Blueprint, seed: str, ids: Iterable[str]) -> Form:
    """The form of a session that was logged: the same items in the same order. KeyError: an id is gone."""
    entries = []
    for name in ids:
        item = bank.items[name]
        section = next((n for n, s in enumerate(blueprint.sections) if name in s.include or fits(item, s)), 0)
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
        title=blueprint.title or bank.title,
        code=code,
        seed=seed,
        minutes=minutes,
        entries=tuple(entries),
        sections=blueprint.sections,
        pass_share=blueprint.pass_share,
        bands=blueprint.bands,
        blueprint=blueprint.name,
    )


# Items that several sections may draw, and whether there are enough for all of them. Pure.
#
# Hall's condition (P. Hall 1935): every set of sections finds as many items among those that one of
# them may draw as they want together.


MOST = 10  # sections whose every set is looked at; of more only single ones, pairs and all of them


@dataclass(frozen=True, slots=True)
class Supply:
    """`reach`: by item id the sections that may draw it, as bits. `left`: by set of sections (bits)
    how many items are left for it."""

    reach: Mapping[str, int]
    left: Mapping[int, int]

    @classmethod
    def of(cls, pools: Sequence[Collection[str]]) -> Supply:
        reach: dict[str, int] = {}
        for index, pool in enumerate(pools):
            for name in pool:
                reach[name] = reach.get(name, 0) | 1 << index
        kinds = Counter(reach.values())
        sets = _sets(len(pools))
        return cls(reach, {s: sum(n for bits, n in kinds.items() if bits & s) for s in sets})

    @property
    def common(self) -> bool:
        """Whether two sections draw on the same items at all."""
        return any(bits & (bits - 1) for bits in self.reach.values())

    def serves(self, wants: Sequence[int]) -> bool:
        """Whether every section can have as many as it wants."""
        return all(_sum(wants, s) <= left for s, left in self.left.items())

    def without(self, name: str) -> Supply:
        bits = self.reach.get(name, 0)
        return replace(self, left={s: left - (bits & s != 0) for s, left in self.left.items()})


class Turns:
    """Mutable: what is left while sections that share items draw in turn, first to last."""

    def __init__(self, supply: Supply, wants: Sequence[int]) -> None:
        self._supply = supply
        self._wants = list(wants)

    def take(self, section: int, name: str) -> bool:
        """Take an item for a section unless one of those to come would then go short."""
        supply = self._supply.without(name)
        wants = list(self._wants)
        wants[section] = max(0, wants[section] - 1)
        if not supply.serves(wants):
            return False
        self._supply, self._wants = supply, wants
        return True


def _sets(count: int) -> tuple[int, ...]:
    if count <= MOST:
        return tuple(range(1, 1 << count))
    pairs = {1 << i | 1 << j for i, j in combinations(range(count), 2)}
    return (*(1 << i for i in range(count)), *sorted(pairs), (1 << count) - 1)


def _sum(wants: Sequence[int], bits: int) -> int:
    return sum(want for index, want in enumerate(wants) if bits >> index & 1)


# A blueprint and what a person asks for on the command line: the part of its plan that is both.


def narrowed(
    bank: Bank,
    blueprint: Blueprint,
    *,
    topics: Sequence[str] = (),
    kinds: Sequence[str] = (),
    difficulties: Sequence[int] = (),
    count: int | None = None,
    minutes: Fraction | None = None,
) -> Blueprint:
    """A blueprint restricted by what a person asked for on the command line.

    Nothing comes in that the blueprint itself would not take: each section keeps the items that
    fit, up to as many as it wanted, and `count` shares itself out as the sections' counts do. Where
    anything but `minutes` is asked for, the time is that of the items. Raises CannotAssemble where
    nothing is left, or less than `count`.
    """
    sections = blueprint.sections
    wish = Section(tuple(topics), tuple(kinds), tuple(difficulties))
    if topics or kinds or difficulties:
        cut = (_restricted(bank, section, wish) for section in sections)
        sections = tuple(section for section in cut if section is not None)
        reaches = _reaches(bank, sections)
        sections = _counted(sections, shared_out(_wants(sections, reaches), reaches, None))
        if not sections:
            raise CannotAssemble(_none_left(blueprint, wish))
    if count is not None:
        reaches = _reaches(bank, sections)
        counts = shared_out(_wants(sections, reaches), reaches, count)
        if not any(counts):
            raise CannotAssemble(_none_left(blueprint, wish))
        if sum(counts) < count:
            there = f"{sum(counts)} item{'s' * (sum(counts) != 1)}{filters_text(wish)}"
            raise CannotAssemble(f"{_who(blueprint)} has {there} for this; ask for --items {sum(counts)} or fewer")
        sections = _counted(sections, counts)
    if sections == blueprint.sections:
        return blueprint if minutes is None else replace(blueprint, minutes=minutes)
    return replace(blueprint, sections=sections, minutes=minutes)


def meant(names: Iterable[str], there: Collection[str]) -> tuple[str, ...]:
    """The names, each that is not `there` replaced by the one that has it as a whole word, where there is just one.

    >>> meant(["pipeline", "zero"], ["pipeline-parallel", "tensor-parallel", "zero"])
    ('pipeline-parallel', 'zero')
    """
    made = []
    for name in names:
        near = [known for known in sorted(there) if name.casefold() in known.casefold().split("-")]
        made.append(near[0] if name not in there and len(near) == 1 else name)
    return tuple(made)


def unknown(what: str, names: Iterable[str], there: Collection[str]) -> str:
    """What is told where a topic or kind is asked for that the bank does not have, with the nearest one or all that
    it has: it is a slip of the keyboard, not a bank without items. Empty where it has them all."""
    for name in names:
        if name not in there:
            known = sorted(there)
            near = alike(name, known)
            hint = did_you_mean(name, known) or f"there are: {', '.join(near or known) or 'none'}"
            hint = f'did you mean "{near[0]}"?' if len(near) == 1 else hint
            return f'the bank has no {what} "{printable(shorten(name))}"; {hint}'
    return ""


def shortfall(blueprint: Blueprint, made: int) -> str:
    """What is told where options left fewer items than a blueprint wants; empty where it has all."""
    wanted = sum(section.count or len(section.include) for section in blueprint.sections)
    if made >= wanted or not blueprint.name:
        return ""
    return f"The options leave {made} of the {wanted} items that the blueprint {blueprint.name} asks for."


def shared_out(wants: Sequence[int], reaches: Sequence[Collection[str]], count: int | None) -> list[int]:
    """How many of `count` items each section takes: in proportion to what it wants (Webster's
    method), as far as its reach goes. `count` None: as many as they want. The sum is below `count`
    where there are not so many.
    """
    supply = Supply.of(reaches)
    counts = [0] * len(wants)
    takers = set(range(len(wants)))
    while takers and (count is None or sum(counts) < count):
        best = max(sorted(takers), key=lambda i: Fraction(wants[i], 2 * counts[i] + 1))
        more = [n + (i == best) for i, n in enumerate(counts)]
        if (count is None and counts[best] >= wants[best]) or not supply.serves(more):
            takers.discard(best)
        else:
            counts = more
    return counts


def _restricted(bank: Bank, section: Section, wish: Section) -> Section | None:
    """A section with only what both admit; None where that is nothing at all."""
    pairs = (
        (section.topics, wish.topics),
        (section.kinds, wish.kinds),
        (section.difficulties, wish.difficulties),
    )
    include = tuple(name for name in section.include if name in bank.items and admits(bank.items[name], wish))
    if any(own and wanted and not set(own) & set(wanted) for own, wanted in pairs):
        # Nothing is left to draw; what it names by id may still be of what is asked for.
        return replace(section, include=include, exclude=tuple(bank.items)) if include else None
    if section.include and not include and section.count is None:
        return None
    return replace(
        section,
        topics=_both(section.topics, wish.topics),
        kinds=_both(section.kinds, wish.kinds),
        difficulties=_both(section.difficulties, wish.difficulties),
        include=include,
    )


def _both(own: tuple[T, ...], wanted: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(value for value in own if value in wanted) if own and wanted else own or wanted


def _reaches(bank: Bank, sections: Sequence[Section]) -> list[list[str]]:
    """The items that each section may take, those it names first. An item that another names is not among them."""
    reserved = {name for section in sections for name in section.include}
    return [
        [*section.include, *(i.id for i in bank.items.values() if i.id not in reserved and fits(i, section))]
        for section in sections
    ]


def _wants(sections: Sequence[Section], reaches: Sequence[Sequence[str]]) -> list[int]:
    """How many items each section takes when nobody says how many."""
    return [
        section.count if section.count is not None else len(section.include) or len(reach)
        for section, reach in zip(sections, reaches, strict=True)
    ]


def _counted(sections: Sequence[Section], counts: Sequence[int]) -> tuple[Section, ...]:
    return tuple(replace(section, count=n) for section, n in zip(sections, counts, strict=True) if n)


def _who(blueprint: Blueprint) -> str:
    free = any(not (s.topics or s.kinds or s.difficulties or s.include) for s in blueprint.sections)
    return "the bank" if free or not blueprint.name else f"the blueprint {blueprint.name}"


def _none_left(blueprint: Blueprint, wish: Section) -> str:
    who = _who(blueprint)
    if who == "the bank":
        return f"the bank has no item{filters_text(wish)}; ask for less, or `quizgen list items` shows what there is"
    return f"{who} takes no item{filters_text(wish)}; name its bank instead, which asks for any"
