"""The brief: what is coming and by which rules, before the clock starts."""

from __future__ import annotations

from quizgen.interview import Interview
from quizgen.render.debrief import shown_points
from quizgen.render.text import wrap
from quizgen.terminal.clock import spoken
from quizgen.terminal.first import HINTS, RULES, TIMES, UNTIMED


def brief_lines(session: Interview, width: int, resumed: bool = False, plain: bool = False) -> list[str]:
    """The brief as lines. `plain`: no key to press, commands with a colon."""
    form, rules = session.form, session.rules
    count = len(session.places)
    topics = sorted({p.entry.variant.item.topic for p in session.places if p.entry.variant.item.topic})
    points = shown_points(sum((p.entry.possible for p in session.places), start=form.possible * 0))
    told = [f"Mock interview: {form.title}"]
    time = spoken(session.budget) if rules.timed else "no time limit"
    told.append(f"{count} item{'s' * (count != 1)}, {points} point{'s' * (points != '1')}, {time}.")
    if topics:
        told.append(f"Topics: {', '.join(topics)}.")
    if resumed:
        left = f", {spoken(session.left(session.since))} left" if rules.timed else ""
        told.append(f"Resumed at item {session.at + 1} of {count}{left}.")
    told.append(RULES[rules.mode.value])
    told.append(TIMES if rules.timed else UNTIMED)
    if any(p.entry.variant.item.hints for p in session.places):
        told.append(HINTS)
    told.append(f"Seed: {form.seed}")
    if plain:
        told.append("Type :help for the commands.")
    return [line for text in told for line in wrap(text, width)]
