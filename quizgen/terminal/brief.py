"""The brief: what is coming and by which rules, before the clock starts."""

from __future__ import annotations

from quizgen.interview import Interview, Mode
from quizgen.render.debrief import shown_points
from quizgen.render.text import wrap
from quizgen.terminal.clock import spoken

RULES = {
    Mode.INTERVIEW: "You may skip, flag and come back, and pause. How you did comes at the end.",
    Mode.STRICT: "Strict: no pause (time away counts too) and no feedback before the end.",
    Mode.PRACTICE: "Practice: you may pause, and the solution follows each response.",
}
HINTS = "A hint takes 10 % off what its item earns, the second 20 % more, each later one 30 % more."


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
    told.append(RULES[rules.mode])
    if rules.timed:
        told.append(
            "Each item has its own time; going over it is only noted. When the session's time is over, "
            "what is there is submitted."
        )
    else:
        told.append("Untimed: the clocks count up and nothing stops you.")
    if any(p.entry.variant.item.hints for p in session.places):
        told.append(HINTS)
    told.append(f"Seed: {form.seed}")
    if plain:
        told.append("Type :help for the commands.")
    return [line for text in told for line in wrap(text, width)]
