"""The brief: what is coming and by which rules, before the clock starts."""

from __future__ import annotations

from collections import Counter

from quizgen.interview.session import Interview
from quizgen.render.text import wrap
from quizgen.source.problems import shown_points
from quizgen.terminal.clock import spoken
from quizgen.terminal.first import FOLLOW_UPS, GIVEN, HINTS, RULES, TIMES, UNTIMED


def brief_lines(
    session: Interview, width: int, resumed: bool = False, notice: str = "", plain: bool = False
) -> list[str]:
    """The brief as lines. `plain`: no key to press, commands with a colon. `notice`: what else the
    candidate should know before the clock starts."""
    form, rules = session.form, session.rules
    items = [p.entry.variant.item for p in session.places]
    count = len(items)
    topics = sorted({i.topic for i in items if i.topic})
    points = shown_points(sum((p.entry.possible for p in session.places), start=form.possible * 0))
    time = spoken(session.budget) if rules.timed else "no time limit"
    kinds = [f"{n} {kind}" for kind, n in sorted(Counter(i.kind for i in items).items())]
    what = [
        f"{count} item{'s' * (count != 1)} ({', '.join(kinds)}), {points} point{'s' * (points != '1')}, {time}.",
    ]
    if topics:
        what.append(f"Topics: {', '.join(topics)}.")
    if resumed:
        left = f", {spoken(session.left(session.since))} left" if rules.timed else ""
        what.append(f"Resumed at item {session.number(session.at)} of {session.count}{left}.")
    how = [RULES[rules.mode.value], TIMES if rules.timed else UNTIMED]
    if any(i.hints for i in items):
        how.append(HINTS)
    if any(i.given for i in items):
        how.append(GIVEN)
    if rules.probing and any(i.follow_ups for i in items):
        how.append(FOLLOW_UPS)
    last = [notice] if notice else []
    last.append(f"Seed: {form.seed}")
    if plain:
        last.append("Type :help for the commands.")
    shown = wrap(f"Mock interview: {form.title}", width)
    for group in (what, how, last):
        # A screen wide enough for it is usually tall enough as well.
        shown += [""] * (width >= 60 and group is not what)
        shown += [line for text in group for line in wrap(text, width)]
    return shown
