"""`quizgen check --with LOG…`: what logs say of the items of a bank, at the lines it is about."""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import cache

import click

from quizgen import syntax
from quizgen.analysis.seen import seen
from quizgen.batch.assemble_report import report_of
from quizgen.batch.job import Job
from quizgen.batch.run import Here, Listener, Note, partitions_for
from quizgen.batch.run import run as score
from quizgen.commands.scoring_asked import ScoreOptions
from quizgen.commands.scoring_sources import sourced
from quizgen.commands.shared import count, tell
from quizgen.intake import sources
from quizgen.model import Item
from quizgen.refusals import Unreadable
from quizgen.source import Node, Problem, Where, printable


def problems_seen(logs: tuple[str, ...], named: str | None) -> tuple[str, list[Problem], str]:
    """The bank (the logs' own where none is `named`), what the logs say of its items as warnings, and a summary."""
    files = sources.find(logs)
    found = sourced(ScoreOptions(logs=logs, bank=named), files)
    bank, manifest = found.bank, found.sat.manifest
    if named is None and len(found.origin.banks) > 1:
        raise Unreadable(f"the logs are of {len(found.origin.banks)} banks; name the one to check")
    job = Job(
        items=bank.scored,
        digest=bank.digest,
        partitions=partitions_for(sum(map(sources.size_of, files))),
        seed=manifest.seed if manifest is not None else "",
        handed_in=found.opened.handed_in(),
    )

    def damage(note: Note) -> None:
        source, first, _, reason = note
        tell(f"{printable(found.opened.names[source])}:{first}: {reason}")

    with ExitStack() as stack:
        tally = stack.enter_context(score(job, found.blocks, Here(), "last", Listener(damage)))
        if not tally.totals.candidates:
            raise Unreadable(f"nothing in {printable(', '.join(logs))} could be scored by {printable(bank.name)}")
        report = report_of(tally, bank, attempt="last", files=found.opened.names)
        told = [
            Problem(place_of(bank.scored[one.item], one.path), one.message, one.hint, one.item, "warning")
            for one in seen(bank.scored, report.items, report.flags, report.disputes)
        ]
    summary = f"{count(report.counted, 'response')} to {count(len(report.items), 'item')} in {count(len(files), 'log')}"
    return bank.name, told, f"{bank.name}: {summary}; {count(len(told), 'finding')}"


def place_of(item: Item, path: tuple[str, ...]) -> Where:
    """The place of a field of an item: names lead into mappings, a text or an id to the entry of a list that holds
    it. Where the path leads no further, the place so far."""
    node = next((n for n in _items(item.where.path) if n.where == item.where), None)
    if node is None:
        return item.where
    for step in path:
        inner = _inner(node, step)
        if inner is None:
            break
        node = inner
    return node.where if node.where == item.where else Where(node.doc.path, node.key_line, node.key_column)


def _inner(node: Node, step: str) -> Node | None:
    if isinstance(node.value, dict):
        return node.value.get(step)
    for entry in node.value if isinstance(node.value, list) else ():
        texts = entry.value.values() if isinstance(entry.value, dict) else (entry,)
        if any(one.value == step for one in texts):
            return entry
    return None


@cache
def _items(path: str) -> tuple[Node, ...]:
    """The items of a file, and the turns of its cases."""
    top, _, _ = syntax.load(path, path)
    fields = top.value if top is not None and isinstance(top.value, dict) else {}
    found = [n for name in ("items", "cases") if name in fields for n in fields[name].entries(name)]
    turns = [
        n
        for case in found
        if isinstance(case.value, dict) and "turns" in case.value
        for n in case.value["turns"].entries()
    ]
    return (*found, *turns)


def logs_of(bank: tuple[str, ...], logs: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Banks and logs apart: of `--with a.jsonl b.jsonl` the second stands among the banks."""
    more = tuple(n for n in bank if os.path.isfile(n) and not n.endswith((".yaml", ".yml")))
    banks = tuple(name for name in bank if name not in more)
    if len(banks) > 1:
        raise click.UsageError("--with looks at one bank; check the others without it")
    return banks, (*logs, *more)
