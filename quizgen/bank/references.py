"""What the files of a bank say of one another, once all of them are read: items, stimuli and blueprints by name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

from quizgen.model import Blueprint, Item
from quizgen.source import Document, Where, did_you_mean, shorten

if TYPE_CHECKING:
    from quizgen.stimuli import Shared


def check_references(
    items: Mapping[str, Item],
    refused: Mapping[str, tuple[str, str]],
    stimuli: Iterable[Shared],
    blueprints: Iterable[Blueprint],
    docs: Iterable[Document],
) -> None:
    """Report names that lead nowhere, in the documents where they stand. `refused`: of an item that is left out its
    file and its stimulus, for what is said of it is said already."""
    by_path = {doc.path: doc for doc in docs}

    def report(where: Where, message: str, hint: str, severity: str = "failure") -> None:
        by_path[where.path].report(where.line, where.column, message, hint, severity)

    known = items.keys() | refused.keys()
    parts_refused = {stimulus for _, stimulus in refused.values()}
    for shared in stimuli:
        if shared.id not in parts_refused:
            message, hint = _untold(shared, [i for i in items.values() if i.stimulus is shared])
            if message:
                report(shared.where, message, hint, "warning")
    for item in items.values():
        for name in item.follow_ups:
            if name not in known:
                doc = by_path[item.where.path]
                start = len(doc.problems)
                report(
                    item.where, f'follow_ups names "{shorten(name)}", which is not in the bank', _nearest(name, known)
                )
                doc.label(start, item.id)
    for section in (section for blueprint in blueprints for section in blueprint.sections):
        for name in (*section.include, *section.exclude):
            if name not in known and section.where is not None:
                report(section.where, f'no item "{shorten(name)}"', _nearest(name, known))


def _nearest(name: str, known: Collection[str]) -> str:
    return did_you_mean(name, known) or "name an item of this bank"


def _untold(shared: Shared, parts: list[Item]) -> tuple[str, str]:
    """Every stimulus has parts, and every value that it draws is told by it or by one of them: what is wrong and what
    to do, two empty texts where nothing is."""
    told = " ".join([shared.text, *(item.stem for item in parts)])
    missing = [name for name in sorted(shared.names) if f"{{{name}}}" not in told]
    if not parts:
        return f'no item is a part of stimulus "{shared.id}"', f"write `stimulus: {shared.id}` in its items"
    if missing:
        return f"{missing[0]} is drawn, but nothing tells it", f"write {{{missing[0]}}} in the text"
    return "", ""
