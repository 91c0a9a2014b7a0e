"""`quizgen progress`: readiness by topic from past logs."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime
from pathlib import Path

import click

from quizgen import places
from quizgen.coach.readiness import Progress, Readiness, progress
from quizgen.commands import coaching
from quizgen.commands.coaching import Coached
from quizgen.commands.options import flag, page, values
from quizgen.commands.shared import DEFAULT_BANK, count, program, tell, the_bank
from quizgen.log import plans
from quizgen.refusals import Unreadable
from quizgen.render.days_text import shown_day
from quizgen.render.mistakes import PastReadiness, mistakes_page
from quizgen.render.progress_text import progress_lines
from quizgen.replacing import write_whole
from quizgen.source import printable
from quizgen.terminal import history

LATEST = 5  # sessions told one by one
EVENINGS = 12


@click.command("progress")
@click.argument("bank", required=False)
@values("--log logs", "PATH", "A log or a folder of logs (default: the log folder).")
@page("--mistakes", "PAGE", "Write one printable page of what goes wrong instead.")
@flag("--json as_json", "Print JSON.")
def command(bank: str | None, logs: tuple[str, ...], mistakes: str | None, as_json: bool) -> int:
    """Show readiness by topic from past logs.

    Two figures a topic, each a range: cold, what you would know of an item met for the first time,
    from first looks alone; and on the day of the interview (`quizgen plan`), with what is likely left
    of all practice. BANK is the bank of the sessions (default: that of the latest).

    Example: quizgen progress
    """
    folder = places.log_folder(os.environ, Path.home())
    paths = coaching.logs_of(logs, folder)
    sessions = history.sessions_of(paths, tell)
    rated = history.ratings_of(paths)
    if not sessions and rated and not as_json:
        _show_rated(rated, bank or rated[-1][0])
        return 0
    if not sessions:
        where = ", ".join(printable(name) for name in logs) or printable(str(folder))
        raise Unreadable(f"no session in {where}; take one with `quizgen mock`")
    whole = {s.bank: coaching.whole_bank(s.bank) for s in sessions}
    of_any = [s for s in sessions if whole[s.bank]]
    name = bank or (whole[of_any[-1].bank] if of_any else sessions[-1].bank) or DEFAULT_BANK
    loaded = the_bank(name)
    now = datetime.now().astimezone()
    here = Coached(name, loaded, tuple(sessions), now) if bank else coaching.coached(name, loaded, sessions, now)
    plan = plans.load(folder)
    if plan is None or plan.bank != name or plan.interview < here.today:
        plan = None
    day = plan.interview if plan else here.today
    found = progress(here.standing(), day, plan.weights if plan else {})
    weights = plan.weights if plan else {}
    past = _past(here, day, weights)
    if mistakes:
        responses = list(history.responses_of(here.sessions, loaded, here.now))
        page = mistakes_page(loaded.title, responses, len(here.sessions), here.today, day, past, loaded.root)
        write_whole(mistakes, page)
        tell(f"Mistakes: {printable(mistakes)}")
        return 0
    latest = list(history.latest(here.sessions[-LATEST:], loaded))
    if as_json:
        click.echo(
            json.dumps(_json(found, name, len(here.sessions), day) | {"latest": [asdict(s) for s in latest]}, indent=2)
        )
        return 0
    if len(sessions) > len(here.sessions):
        left = len(sessions) - len(here.sessions)
        were = "is" if left == 1 else "are"
        tell(f"{count(left, 'session')} on other banks {were} left out; name a bank to see them")
    width = max(40, min(shutil.get_terminal_size((80, 24)).columns, 100)) if sys.stdout.isatty() else 80
    on = f"On the day ({shown_day(day)})" if plan else "On the day (here: today; a plan has yours)"
    for line in progress_lines(
        found,
        latest,
        [(shown_day(p.day)[:10], p.low, p.high) for p in past],
        len(here.sessions),
        width,
        on,
        _commands(found, here, plan is not None),
    ):
        click.echo(printable(line))
    if any(name == other for other, _ in rated):
        click.echo()
        _show_rated(rated, name)
    return 0


def _show_rated(rated: Sequence[tuple[str, Mapping[str, int]]], name: str) -> None:
    """Own ratings by topic, the least sure first: what somebody says to know is no score."""
    loaded = the_bank(name)
    topics: dict[str, list[int]] = {}
    for item, level in {i: at for bank, levels in rated if bank == name for i, at in levels.items()}.items():
        if item in loaded.items:
            topics.setdefault(loaded.items[item].topic or "other", []).append(level)
    click.echo("Own ratings, 1 not at all to 5 perfectly (imported; they count as no score):")
    for topic, levels in sorted(topics.items(), key=lambda pair: (sum(pair[1]) / len(pair[1]), pair[0])):
        click.echo(printable(f"  {sum(levels) / len(levels):.1f}  {topic} ({count(len(levels), 'item')})"))


def _past(here: Coached, day: int, weights: Mapping[str, float]) -> list[PastReadiness]:
    """Readiness for `day` as the evenings before knew it, where there was enough to say."""
    made = []
    for evening in sorted({look.day for look in here.looks})[-EVENINGS:]:
        row = progress(here.standing(evening + 1), day, weights).overall
        if row.cold is not None and row.day is not None:
            made.append(PastReadiness(evening, *row.day, row.cold[1]))
    return made


def _commands(found: Progress, here: Coached, planned: bool) -> list[str]:
    """What to type next."""
    run, missed = program(), any(one.last.missed for one in here.standing().known.values())
    if planned:
        return [f"{run} today"]
    topics = "".join(f" --topic {t}" for t in found.next_topics if t != "other")
    return [f"{run} mock {printable(here.name)}{topics}", *[f"{run} mock --redo  # what was missed lately"] * missed]


def _json(found: Progress, bank: str, sessions: int, day: int) -> dict[str, object]:
    def row(r: Readiness) -> dict[str, object]:
        return {
            "topic": r.topic,
            "first_looks": r.firsts,
            "cold": None if r.cold is None else dict(zip(("low", "middle", "high"), _rounded(r.cold), strict=True)),
            "on_the_day": None if r.day is None else dict(zip(("low", "high"), _rounded(r.day), strict=True)),
            "skills_met": r.met,
            "skills": r.skills,
        }

    return {
        "version": 2,
        "bank": bank,
        "sessions": sessions,
        "day": date.fromordinal(day).isoformat(),
        "overall": row(found.overall),
        "topics": [row(r) for r in found.topics],
        "next_topics": list(found.next_topics),
    }


def _rounded(figures: Sequence[float]) -> list[float]:
    return [round(x, 4) for x in figures]
