"""`quizgen score --against`, `--drop`, `--accept`: the same log scored twice and compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

import click

from quizgen.analysis.changes import PersonChange, changes
from quizgen.analysis.report import people_of
from quizgen.commands.score_options import ScoreOptions
from quizgen.commands.score_sources import LogSources, check_marks
from quizgen.commands.shared import tell, the_bank
from quizgen.model import Bank
from quizgen.render.report_changes import CHANGES
from quizgen.scoring import Changes
from quizgen.scoring.run import Executor, Listener
from quizgen.scoring.run import run as score
from quizgen.scoring.score_lines import Job
from quizgen.source.problems import Unreadable


def show_changes(
    options: ScoreOptions,
    job: Job,
    bank: Bank,
    opened: LogSources,
    executor: Executor,
    listener: Listener,
    write: Callable[[str], None],
) -> int:
    """Score by the old rules and by the new, and write whose score differs. Damaged lines are told once."""
    if options.form not in CHANGES:
        hint = "" if options.against else "; --apply gives the whole report by the new rules in any format"
        raise click.UsageError(f"a list of changes is written as {', '.join(CHANGES)}, not {options.form}{hint}")
    if "-" in options.logs:
        raise Unreadable("this needs the log twice: give a file, not standard input")
    before, old = job, bank
    if options.against is not None:
        old = the_bank(options.against[0])
        before, job = replace(job, items=old.items, digest=old.digest), replace(job, shown=old.items)
    keeping: dict[str, Any] = {"explained": True, "marks": True, "statistics": False, "lines": False, "records": True}
    before, after = replace(before, changes=Changes(), **keeping), replace(job, **keeping)
    parts = [f"{old.name} ({old.digest[:19]}) to {bank.name} ({bank.digest[:19]})"] if options.against else []
    parts += [f"{name} dropped" for name in sorted(set(options.drop))]
    parts += [f'{name}: "{text}" accepted' for name in sorted(options.accept) for text in options.accept[name]]
    quiet = Listener(write=listener.write)
    with (
        score(before, opened.blocks(), executor, options.attempt, quiet) as olds,
        score(after, opened.blocks(), executor, options.attempt, listener) as news,
    ):
        check_marks(news)
        if not olds.counts.responses and not news.counts.responses:
            raise Unreadable("nothing could be scored; name logs that hold responses to items of the bank")
        compared = changes(people_of(olds, opened.names), people_of(news, opened.names))
        moved: set[str] = set()
        CHANGES[options.form](_noting_items(compared, moved), "Changes: " + "; ".join(parts), write)
    for name in sorted(set(options.drop) - moved):
        tell(f"{name}: dropping it changes nothing; no response that counts is to this item")
    for name in sorted(options.accept.keys() - moved - set(options.drop)):
        tell(f"{name}: accepting that changes nothing; no response that counts reads so and earned less")
    return 0


def _noting_items(compared: Iterable[PersonChange | None], moved: set[str]) -> Iterator[PersonChange | None]:
    """The same changes; `moved` takes the items in them."""
    for change in compared:
        moved.update(one.item for one in (change.items if change else ()))
        yield change
