"""A blueprint and what a person asks for on the command line: the part of its plan that is both. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeVar

from quizgen.assemble import CannotAssemble, Supply, admits, filters_text, fits
from quizgen.model import Bank, Blueprint, Section
from quizgen.source.problems import alike, did_you_mean, printable, shorten

T = TypeVar("T")


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
