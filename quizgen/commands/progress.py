"""`quizgen progress`: readiness by topic from past logs."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path

import click

from quizgen import bank as banks
from quizgen import places
from quizgen.assemble import rehearsable
from quizgen.commands.shared import DEFAULT_BANK, Unreadable, count, open_bank, tell
from quizgen.model import Bank
from quizgen.readiness import Progress, Readiness, progress
from quizgen.render.progress_text import progress_lines
from quizgen.source import printable
from quizgen.terminal import history
from quizgen.terminal.history import Past

LATEST = 5  # sessions told one by one


@click.command("progress")
@click.argument("bank", required=False)
@click.option(
    "--log", "logs", multiple=True, metavar="PATH", help="A log or a folder of logs (default: the log folder)."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(bank: str | None, logs: tuple[str, ...], as_json: bool) -> int:
    """Show readiness by topic from past logs.

    Ranges, not marks: what timed sessions show of each topic, how many responses a range rests on,
    whether it moves, and which session to take next. BANK is the bank of the sessions (default: that
    of the latest).

    Example: quizgen progress
    """
    folder = places.log_folder(os.environ, Path.home())
    sessions = history.sessions_of(_paths(logs, folder), tell)
    if not sessions:
        where = ", ".join(printable(name) for name in logs) or printable(str(folder))
        raise Unreadable(f"no session in {where}; take one with `quizgen mock`")
    name_of = {s.bank: _whole(s.bank) for s in sessions}
    here = [s for s in sessions if name_of[s.bank]]
    name = bank or (name_of[here[-1].bank] if here else sessions[-1].bank) or DEFAULT_BANK
    loaded = open_bank(name).bank
    assert loaded is not None
    of_bank = [s for s in sessions if bank or name in (s.bank, name_of[s.bank])]
    timed = [s for s in of_bank if s.timed]
    now = datetime.now(UTC)
    topics = Counter(i.topic or "other" for i in rehearsable(loaded).items.values() if i.status == "active")
    found = progress(list(history.evidence_of(timed, loaded, now)), {t: topics[t] for t in sorted(topics)}, len(timed))
    latest = list(history.latest(of_bank[-LATEST:], loaded))
    if as_json:
        click.echo(json.dumps(_json(found, name) | {"latest": [asdict(s) for s in latest]}, indent=2))
        return 0
    if len(sessions) > len(of_bank):
        left = len(sessions) - len(of_bank)
        were = "is" if left == 1 else "are"
        tell(f"{count(left, 'session')} on other banks {were} left out; name a bank to see them")
    width = max(40, min(shutil.get_terminal_size((80, 24)).columns, 100)) if sys.stdout.isatty() else 80
    for line in progress_lines(found, latest, width, _advice(found, name, of_bank[-1], loaded)):
        click.echo(printable(line))
    return 0


def _whole(bank: str) -> str:
    """The bank that a session's bank or blueprint belongs to: a session on `quick` and one on all of
    its bank are of one bank. Empty where it is not found from here."""
    try:
        root, blueprint = banks.find(bank)
    except banks.BankNotFound:
        return ""
    return (root.name if root.name in places.shipped_banks() else str(root)) if blueprint else bank


def _paths(logs: tuple[str, ...], folder: Path) -> list[Path]:
    chosen = [Path(name) for name in logs] or [folder]
    for path in chosen:
        if logs and not path.exists():
            raise Unreadable(f"{printable(str(path))}: there is no such log or folder; check its name")
    # A log folder that is not made yet holds no session; nothing else is wrong with it.
    chosen = [path for path in chosen if logs or path.exists()]
    return [p for path in chosen for p in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]


def _advice(found: Progress, bank: str, latest: Past, loaded: Bank) -> str:
    missed = history.missed_in(latest, loaded)
    if 2 * len(found.untested) > len(found.topics):
        advice = f"Next: quizgen mock {printable(bank)} (mixed: most topics were never met)"
    else:
        topics = " ".join(f"--topic {t}" for t in found.next_topics if t != "other")
        advice = f"Next: quizgen mock {printable(bank)} {topics}".rstrip()
    if missed:
        advice += f"; or what the latest session missed: quizgen mock --redo {printable(str(latest.path))}"
    return advice


def _json(found: Progress, bank: str) -> dict[str, object]:
    def row(r: Readiness) -> dict[str, object]:
        return {
            "topic": r.topic,
            "responses": r.count,
            "low": None if r.low is None else round(r.low, 4),
            "middle": None if r.middle is None else round(r.middle, 4),
            "high": None if r.high is None else round(r.high, 4),
            "trend": r.trend or None,
            "items_met": r.met,
            "items": r.total,
        }

    return {
        "version": 1,
        "bank": bank,
        "sessions": found.sessions,
        "overall": row(found.overall),
        "topics": [row(r) for r in found.topics],
        "next_topics": list(found.next_topics),
    }
