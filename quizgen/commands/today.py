"""`quizgen today`: the session that the plan has for today."""

from __future__ import annotations

import os
import sys
from datetime import datetime
from fractions import Fraction
from pathlib import Path

import click

from quizgen import places
from quizgen.coach import chooser
from quizgen.coach.chooser import Choice, lanes
from quizgen.coach.plan import Plan
from quizgen.commands import coaching
from quizgen.commands.coaching import Coached
from quizgen.commands.console import candidate_name, columns
from quizgen.commands.options import flag, page, value
from quizgen.commands.shared import open_bank, program, tell, the_bank, use_color
from quizgen.interview.session import Mode, Rules
from quizgen.log import plans
from quizgen.refusals import Unreadable
from quizgen.render.days_text import shown_day
from quizgen.render.text import wrap
from quizgen.source import printable
from quizgen.terminal import first, start
from quizgen.terminal.history import Past
from quizgen.terminal.request import Course, Request

STRICT = ("mock", "rehearsal")
NOTHING = {
    "": "The interview is over. `quizgen plan --interview DATE` plans for another one.",
    "interview": "Today is the interview. Nothing that is learned today helps: sleep, eat, go early.",
    "rest": "You keep today free. The plan goes on tomorrow, with nothing to catch up on.",
}


@click.command("today")
@flag("--list listed", "Only say which items and why.")
@flag("--more", "Another session, although today's is done.")
@flag("--practice", "The solution after each item (feeds memory, not readiness).")
@value("--seed", "", "Fixes the drawn values and orders of options.")
@value("--log", "FILE", "Where responses are logged (default: a new file in the log folder).")
@value("--candidate", "NAME", "The name on every line of the log (default: your login name).")
@flag("--plain", "Line by line: for pipes, screen readers, simple terminals.")
@page("--html", "FILE", "Write the debrief as one page as well.")
@flag("--no-color", "No colours (also by NO_COLOR).")
def command(
    listed: bool,
    more: bool,
    practice: bool,
    seed: str | None,
    log: str | None,
    candidate: str | None,
    plain: bool,
    html: str | None,
    no_color: bool,
) -> int:
    """Run the session that the plan has for today.

    What is likely unknown on the day of the interview comes first, the most a minute; each item says in
    one line why it is there. The session is an ordinary one in an ordinary log. One that was cut short
    today goes on where it stopped.

    Example: quizgen today --list
    """
    environment = os.environ
    folder = places.log_folder(environment, Path.home())
    plan = plans.load(folder)
    if plan is None:
        raise Unreadable(
            f"there is no {printable(str(folder / plans.NAME))}; make a plan with quizgen plan --interview DATE"
        )
    full = not plain and first.full_screen(environment, sys.stdin.isatty() and sys.stdout.isatty(), os.name == "posix")
    here = coaching.coached(plan.bank, the_bank(plan.bank), coaching.history_of(folder), datetime.now().astimezone())
    purpose = plan.purpose(here.today, here.practised(here.today))
    choices = chosen(here, plan, purpose)
    if listed:
        told = NOTHING.get(purpose) or f"{shown_day(here.today)}, {purpose}: {lanes(choices) or 'nothing to do'}."
        click.echo(told)
        for choice in choices:
            for line in wrap(f"{choice.item}: {choice.reason}", 80, "    ", ""):
                click.echo(printable(line))
        return 0
    waiting = _left_today(here)
    if not waiting and (purpose in NOTHING or not choices):
        click.echo(NOTHING.get(purpose) or "Nothing is left to do today: nothing was missed though sure. Rest.")
        return 0
    if not waiting and not more and _done(here, plan, purpose):
        click.echo(f"Today's session is done. `{program()} today --more` takes another.")
        return 0
    mode = Mode.STRICT if purpose in STRICT else Mode.PRACTICE if practice else Mode.INTERVIEW
    request = Request(
        bank=plan.bank,
        usual=plan.bank,
        seed=seed,
        resume=str(waiting[-1].path) if waiting else None,
        log=log,
        candidate=candidate_name(candidate, environment),
        rules=Rules(mode, probes=full),
        html=html,
        full=full,
        colour=use_color(no_color, environment),
        width=columns(environment),
        folder=folder,
        program=program(),
        course=course(here, plan, purpose, choices),
    )
    return start.run(request, open_bank, tell)


def chosen(here: Coached, plan: Plan, purpose: str, before: int | None = None) -> list[Choice]:
    """The items of a day that is for `purpose`, from the logs as they are, or as they were before a day."""
    now, aim, seconds = here.standing(before), here.aim(plan), plan.minutes * 60
    match purpose:
        case "rehearsal":
            return chooser.rehearsal(now, aim)
        case "last":
            return chooser.confident_misses(now, aim, seconds)
        case "scout" | "practice" | "mock":
            return chooser.choose(now, aim, seconds, spread=purpose == "scout")
    return []


def course(here: Coached, plan: Plan, purpose: str, choices: list[Choice]) -> Course:
    """What the session is given. The clock is that of the items; what is left of the day's minutes is for
    the debrief. The reasons are those of the morning, so that they hold for a session that is resumed."""
    seconds = min(plan.minutes * 60, sum(here.bank.items[c.item].seconds for c in choices))
    left = plan.interview - here.today
    reasons = {c.item: c.reason for c in chooser.all_choices(here.standing(here.today), here.aim(plan))}
    about = f"{purpose}, {left} day{'s' * (left != 1)} to the interview: {lanes(choices)}."
    return Course(
        tuple(c.item for c in choices), reasons | {c.item: c.reason for c in choices}, Fraction(seconds, 60), about
    )


def _done(here: Coached, plan: Plan, purpose: str) -> bool:
    """Whether today's items come to half of what the morning had: after a case or a few items, the day's session is
    still to do."""
    met = {look.item for look in here.looks if look.day == here.today} & here.subjects.keys()
    morning = chosen(here, plan, purpose, here.today)
    return 2 * sum(here.subjects[n].seconds for n in met) >= sum(here.subjects[c.item].seconds for c in morning)


def _left_today(here: Coached) -> list[Past]:
    """Sessions that began today and wait; a case that was left is no evening of the plan."""
    made = []
    for past in here.sessions:
        try:
            began = datetime.fromisoformat(str(past.logged.head.get("started", "")))
        except ValueError:
            continue
        waits = not past.logged.ended and "case" not in past.logged.head
        if waits and began.astimezone(here.now.tzinfo).date() == here.now.date():
            made.append(past)
    return made
