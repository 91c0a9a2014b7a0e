"""A plan as lines of text: the days, what they buy, and what is likely on the day."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from quizgen.coach.plan import ABOUT, Plan
from quizgen.coach.readiness import ENOUGH, Readiness
from quizgen.coach.standing import StudySubject
from quizgen.render.progress_text import span
from quizgen.render.text import wrap

LONG = 21  # days listed one by one


def plan_lines(
    plan: Plan, today: int, practised: int, subjects: Mapping[str, StudySubject], now: Readiness, width: int
) -> list[str]:
    left = plan.interview - today
    when = "is today" if left == 0 else f"is in {left} day{'s' * (left != 1)}" if left > 0 else "is over"
    shown = wrap(f"The interview on {shown_day(plan.interview)} {when}; {plan.minutes} minutes a day.", width)
    days = plan.days(today, practised)
    minutes = sum(purpose not in ("rest", "interview") for _, purpose in days) * plan.minutes
    whole = round(sum(s.seconds for s in subjects.values()) / 60)
    if left > 0:
        share = minutes / whole if whole else 0
        met = "you meet what is worth most, not all" if share < 1 else "you can meet all of them"
        passes = f"{share:.2f} of one pass" if share < 1 else f"{share:.1f} passes"
        shown += wrap(
            f"{minutes} minutes are left. The {len(subjects)} items of {plan.bank} take {whole} minutes once, so that "
            f"{met}: {passes}.",
            width,
        )
    if plan.weights:
        shown += wrap(f"Weights: {', '.join(f'{t} {w:g}' for t, w in sorted(plan.weights.items()))}; others 1.", width)
    if plan.sealed and today <= plan.rehearsal:
        n = len(plan.sealed)
        shown += wrap(f"{n} item{'s' * (n != 1)} sealed for the rehearsal: nothing asks them before.", width)
    shown.append("")
    for day, purpose in days[:LONG]:
        shown += wrap(ABOUT[purpose], width, " " * 24, f"{shown_day(day)[:10]:<11} {purpose:<11} ")
    if len(days) > LONG:
        shown.append(f"… and {len(days) - LONG} more days.")
    if left <= 0:
        return shown
    if now.cold is None or now.day is None:
        told = f"On the day: too little to say yet ({now.firsts} of {ENOUGH} first looks)."
    else:
        told = (
            f"If you stopped here, of what is new to you on the day you would know{span(*now.day)[0:]} "
            f"(cold, today: {span(now.cold[0], now.cold[2]).strip()})."
        )
    return [*shown, "", *wrap(told, width)]


def shown_day(day: int) -> str:
    """`Wed 2 Dec 2026`."""
    found = date.fromordinal(day)
    return f"{found:%a} {found.day} {found:%b %Y}"
