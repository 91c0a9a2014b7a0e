"""`quizgen plan`: the days to an interview, what each is for, and what is likely on the day."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import date, datetime
from pathlib import Path

import click

from quizgen import places
from quizgen.coach.plan import Plan, seal
from quizgen.coach.readiness import progress
from quizgen.commands import coaching
from quizgen.commands.coaching import Coached
from quizgen.commands.options import flag, value, values, whole
from quizgen.commands.shared import DEFAULT_BANK, program, tell, the_bank
from quizgen.log import plans
from quizgen.narrowing import unknown
from quizgen.refusals import Unreadable
from quizgen.render.days_text import plan_lines
from quizgen.source import printable

FAR = 400  # days


@click.command("plan")
@click.argument("bank", required=False)
@value("--interview", "DATE", "The day of the interview, such as 2026-12-02; makes a new plan.")
@whole("--minutes", 5, plans.MOST, "Minutes a day, debrief and all (default: 45).")
@values("--weight weights", "TOPIC=N", "A topic counts so often")
@values("--rest rest", "DATE", "A day that you keep free")
@flag("--forget", "Remove the plan; the logs, which hold what you learned, stay.")
@flag("--json as_json", "Print JSON.")
def command(
    bank: str | None,
    interview: str | None,
    minutes: int | None,
    weights: tuple[str, ...],
    rest: tuple[str, ...],
    forget: bool,
    as_json: bool,
) -> int:
    """Plan the days to an interview.

    With --interview, a new plan for BANK (default: distributed-training) in place of the one before;
    without options, the plan that stands. `quizgen today` then runs each day's session. A plan holds
    the date, the minutes, weights, days off and the items kept for the rehearsal: what to do on a day
    is made anew from the logs, so that days missed leave no backlog.

    Example: quizgen plan --interview 2026-12-02 --minutes 45 --weight zero=2
    """
    folder = places.log_folder(os.environ, Path.home())
    now = datetime.now().astimezone()
    if forget:
        (folder / plans.NAME).unlink(missing_ok=True)
        tell("The plan is gone; the logs stay, and so does what they say that you learned.")
        return 0
    if interview is None:
        if minutes or weights or rest:
            raise click.UsageError("--minutes, --weight and --rest belong to a new plan; add --interview DATE")
        plan = plans.load(folder)
        if plan is None:
            raise Unreadable("there is no plan; make one with quizgen plan --interview DATE --minutes 45")
        if bank and bank != plan.bank:
            raise click.UsageError(f"the plan is for {plan.bank}; one for {printable(bank)} needs --interview DATE")
        here = _here(plan.bank, folder, now)
    else:
        day = coaching.day_of(interview, "--interview")
        here = _here(bank or DEFAULT_BANK, folder, now)
        plan = make(here, day, minutes or 45, weights, [coaching.day_of(r, "--rest") for r in rest])
        try:
            plans.save(folder, plan)
        except OSError as error:
            raise Unreadable(f"{printable(str(folder / plans.NAME))}: {error.strerror}; the plan is not kept") from None
    if as_json:
        click.echo(json.dumps(_json(plan, here), indent=2))
        return 0
    found = progress(here.standing(), plan.interview, plan.weights)
    for line in plan_lines(plan, here.today, here.practised(here.today), here.subjects, found.overall, 80):
        click.echo(printable(line))
    tell(f"Next: {program()} today")
    return 0


def make(here: Coached, interview: int, minutes: int, weights: Sequence[str], rest: Sequence[int]) -> Plan:
    """A new plan. UsageError for a date or a weight that no plan has."""
    if not here.today < interview <= here.today + FAR:
        raise click.UsageError(f"--interview must be a day to come, at most {FAR} days ahead")
    weighed = dict(_weight(text) for text in weights)
    told = unknown("topic", weighed, {s.topic for s in here.subjects.values()})
    if told:
        raise click.UsageError(f"--weight: {told}")
    plan = Plan(here.name, interview, minutes, weighed, frozenset(rest))
    met = {look.item for look in here.looks if look.day < plan.rehearsal}
    return Plan(here.name, interview, minutes, weighed, frozenset(rest), seal(here.subjects, met, interview, minutes))


def _weight(text: str) -> tuple[str, float]:
    topic, _, number = text.partition("=")
    try:
        weight = float(number)
    except ValueError:
        weight = 0.0
    if not 0 < weight <= 1000:
        raise click.UsageError(f"--weight {printable(text)}: write a topic and a number above 0, such as zero=2")
    return topic.strip(), weight


def _here(name: str, folder: Path, now: datetime) -> Coached:
    return coaching.coached(name, the_bank(name), coaching.history_of(folder), now)


def _json(plan: Plan, here: Coached) -> dict[str, object]:
    days = plan.days(here.today, here.practised(here.today))
    shown = [{"date": date.fromordinal(day).isoformat(), "purpose": purpose} for day, purpose in days]
    return plans.as_json(plan) | {"days": shown}
