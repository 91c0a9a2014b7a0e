"""`quizgen export`: a bank in other programs' formats."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Mapping
from pathlib import Path

import click

from quizgen.assemble import fits, mixed
from quizgen.bank import Loaded
from quizgen.commands.options import flag, value, values, whole
from quizgen.commands.shared import count, keep_apart, open_bank, tell
from quizgen.intake.lines import seconds_of
from quizgen.interchange import export as driver
from quizgen.interchange import registry
from quizgen.interchange.contract import About
from quizgen.log import records
from quizgen.model import Bank, Item
from quizgen.refusals import Unreadable
from quizgen.replacing import write_whole
from quizgen.scoring import NoVariant, Scorer, score_response
from quizgen.source import printable, shorten
from quizgen.terminal import history

SHOWN = 20  # lines of what is not carried; the file beside the export has them all


@click.command("export")
@click.argument("bank", metavar="BANK or BLUEPRINT")
@value("--to form", "FORMAT", f"One of {', '.join(registry.EXPORTERS)}.", required=True)
@value("-o --output", "FILE", "Where to write; - for standard output.", required=True)
@whole("--variants", 1, 100, "Drawings of an item with drawn values.", default=1)
@values("--missed logs", "LOG", "Only what this log's candidate missed.")
@value("--moment", "TIME", "The time to write into the file (default: SOURCE_DATE_EPOCH, or now).")
@flag("--strict", "Exit with 1 where anything is not carried.")
def command(
    bank: str, form: str, output: str, variants: int, logs: tuple[str, ...], moment: str | None, strict: bool
) -> int:
    """Write items for Anki, Moodle, Canvas, a spreadsheet or paper. The file holds the keys.

    What a format cannot hold is told item by item, here and in FILE.losses.txt. The same moment gives
    the same bytes; Anki takes an update only where it is newer.

    Example: quizgen export git --to anki -o git.apkg
    """
    exporter = registry.exporter(form)
    loaded = open_bank(bank)
    whole = loaded.found
    keep_apart(output, {*logs, *(item.where.path for item in whole.items.values())})
    evidence = _missed(logs, whole) if logs else {}
    items = [i for i in _asked(loaded) if not logs or i.id in evidence]
    if not items:
        raise Unreadable("nothing of this bank was missed there" if logs else "no item of this bank is active")
    when = _moment(moment, os.environ)
    name = Path(whole.name).name if whole.root else whole.name
    about = About(name, whole.title, whole.version, whole.license, when, whole.root, evidence)
    made = driver.export(items, exporter, about, variants)
    shown = made.losses if output == "-" else made.losses[:SHOWN]
    for line in shown:
        tell(line)
    if output == "-":
        sys.stdout.buffer.write(made.data)
    else:
        write_whole(output, made.data, "choose another place")
        if made.losses:
            write_whole(f"{output}.losses.txt", "".join(f"{line}\n" for line in made.losses))
    if len(shown) < len(made.losses):
        tell(f"… and {len(made.losses) - len(shown)} more: {printable(output)}.losses.txt")
    lossy = f", {count(len(made.losses), 'line')} on what is not carried" if made.losses else ", nothing lost"
    tell(f"{count(made.count, 'item')} to {printable(output)}{lossy}; the file holds the keys")
    return 1 if made.losses and strict else 0


def _asked(loaded: Loaded) -> Iterable[Item]:
    """All active items, or those that the blueprint's sections admit."""
    sections = (loaded.blueprint or mixed()).sections
    for item in loaded.found.items.values():
        if item.status == "active" and any(item.id in s.include or fits(item, s) for s in sections):
            yield item


def _moment(text: str | None, environment: Mapping[str, str]) -> int:
    """Seconds of Unix time: a number, or a date and time."""
    written = text or environment.get("SOURCE_DATE_EPOCH", "")
    if not written:
        return int(time.time())
    try:
        if written.strip().isdigit() and len(written.strip()) < 12:
            return int(written)
        return int(seconds_of(written.strip()))
    except ValueError:
        raise click.UsageError(
            f'"{printable(shorten(written))}" is no time; write 2026-11-22T09:00 or seconds since 1970'
        ) from None


def _missed(logs: Iterable[str], bank: Bank) -> Mapping[str, tuple[str, ...]]:
    """What the latest response to each missed item was, and what was said of it."""
    scorer = Scorer(bank.items)
    evidence: dict[str, tuple[str, ...]] = {}
    for past in history.sessions_of([Path(name) for name in logs], tell):
        for name, line in past.logged.last.items():
            if name not in bank.items:
                continue
            try:
                variant = scorer.of_line(bank.items[name], line)
            except NoVariant:
                continue
            response = records.response_of(line.get("response"))
            score = score_response(variant, response)
            evidence.pop(name, None)
            if score.earned < score.possible:
                said = response if isinstance(response, str) else "; ".join(response)
                values = ", ".join(f"{k} = {v}" for k, v in variant.drawn().items())
                asked = f" (for {values})" if values else ""
                day = str(line.get("at", ""))[:10]
                first = f"{day} you answered{asked}: {shorten(' '.join(said.split()), 400) or '(nothing)'}".strip()
                evidence[name] = (first, *score.say)
    return evidence
