"""A plan, a day's session and readiness by topic, as lines of text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from quizgen.coach.plan import PURPOSE_IN_WORDS, Plan
from quizgen.coach.readiness import MIN_FIRST_ATTEMPTS, ReadinessByTopic, ScoredSession, TopicReadiness
from quizgen.coach.standing import StudyItem
from quizgen.render.text import next_command_lines, terminal_safe, text_columns, wrap

MAX_LISTED_DAYS = 21  # up to this many days are listed one by one
BAR_COLUMNS = 20


def study_plan_lines(
    plan: Plan, today: int, practised: int, subjects: Mapping[str, StudyItem], readiness: TopicReadiness, width: int
) -> list[str]:
    """The plan in lines of at most `width` columns. `today`: ordinal day; `practised`: the number of days
    practised so far; `subjects`: the bank's items by id."""
    left = plan.interview_day - today
    when = "is today" if left == 0 else f"is in {left} day{'s' * (left != 1)}" if left > 0 else "is over"
    days = plan.day_purposes(today, practised)
    facts = [f"The interview on {day_text(plan.interview_day)} {when}; {plan.minutes_per_day} minutes a day."]
    if left > 0:
        facts.append(_time_left_text(plan, days, subjects.values()))
    if plan.topic_weights:
        heaviest = sorted(plan.topic_weights.items(), key=lambda pair: (-pair[1], pair[0]))
        others = "; others 1" * any(one.topic not in plan.topic_weights for one in subjects.values())
        facts.append(f"Weights: {', '.join(f'{t} {w:g}' for t, w in heaviest)}{others}.")
    if plan.sealed_items and today <= plan.rehearsal_day:
        n = len(plan.sealed_items)
        facts.append(f"{n} item{'s' * (n != 1)} sealed for the rehearsal: nothing asks them before.")
    shown = [*(line for fact in facts for line in wrap(fact, width)), ""]
    for day, purpose in days[:MAX_LISTED_DAYS]:
        shown += wrap(PURPOSE_IN_WORDS[purpose], width, " " * 24, f"{day_text(day)[:10]:<11} {purpose:<11} ")
    if len(days) > MAX_LISTED_DAYS:
        shown.append(f"… and {len(days) - MAX_LISTED_DAYS} more days.")
    return [*shown, "", *wrap(_forecast_text(readiness), width)] if left > 0 else shown


def _time_left_text(plan: Plan, days: Sequence[tuple[int, str]], subjects: Collection[StudyItem]) -> str:
    """How much of a bank fits into the time that is left on the `days`, each with its purpose."""
    minutes = sum(purpose not in ("rest", "interview") for _, purpose in days) * plan.minutes_per_day
    whole = round(sum(s.seconds for s in subjects) / 60)
    share = minutes / whole if whole else 0
    seen = f"you can see all of them ({share:.1f} passes)"
    if share < 1:
        seen = f"you see those worth most, not all ({share:.2f} of one pass)"
    return (
        f"{minutes} minutes are left. To see the {len(subjects)} active items of {plan.bank} once takes {whole} "
        f"minutes, so {seen}."
    )


def _forecast_text(readiness: TopicReadiness) -> str:
    """How much a candidate would know on the day of the interview without further practice, in words."""
    unseen, on_day = readiness.unseen_item_range, readiness.interview_day_range
    if unseen is None or on_day is None:
        return f"On the day: no estimate yet ({readiness.first_attempt_count} of {MIN_FIRST_ATTEMPTS} first looks)."
    return (
        f"If you stopped here, you would know {share_range(*on_day).strip()} of what is new to you "
        f"on the day (cold, today: {share_range(unseen[0], unseen[2]).strip()})."
    )


def day_text(day: int) -> str:
    """A day by its ordinal number, such as `Wed 2 Dec 2026`."""
    date_shown = date.fromordinal(day)
    return f"{date_shown:%a} {date_shown.day} {date_shown:%b %Y}"


def progress_lines(
    progress: ReadinessByTopic,
    latest: Sequence[ScoredSession],
    past: Sequence[tuple[str, float, float]],
    session_count: int,
    width: int,
    day: str,
    commands: Sequence[str],
    bank: str,
) -> list[str]:
    """A line for each topic met, with readiness now and on the day `day` of the interview. `past`: (evening, low, high)
    as estimated on earlier evenings; `session_count`: their number; `commands`: the next ones to offer."""
    count = progress.overall.first_attempt_count
    sat = f"Readiness in {bank} from {session_count} session{'s' * (session_count != 1)}"
    shown = wrap(f"{sat}, {count} timed first look{'s' * (count != 1)} at items.", width)
    shown += wrap(
        "Cold: the chance to know a new item today (80 % range); items you met before cannot raise it. "
        f"{day}: with what will probably be left of all practice, if little or much of it helps with new items.",
        width,
    )
    shown.append("")
    rows = [progress.overall, *(t for t in progress.topics if t.first_attempt_count or t.seen_skill_count)]
    room = min(max(text_columns(terminal_safe(r.topic)) for r in rows), max(12, width - 46))
    shown.append(f"{' ' * room}  cold         on the day"[:width])
    shown += [_readiness_row(r, room, width) for r in rows]
    never = [t.topic for t in progress.topics if not t.first_attempt_count and not t.seen_skill_count]
    if never:
        shown += ["", *wrap(f"Never met: {', '.join(never)}.", width)]
    if len(past) > 1:
        shown += ["", "On the way there, all topics:"]
        for name, low, high in past:
            shown.append(f"  {name:<10}  {share_range(low, high)}  [{_range_bar(low, high)}]"[:width])
    if latest:
        shown += ["", "Latest sessions:"]
    for one in latest:
        items = f"{one.items} item{'s' * (one.items != 1)}"
        text = f"{terminal_safe(one.day)}  {one.reached:>3} of {items}  {round(one.share * 100):>3} %"
        text += f"  {round(one.minutes):>3} min" + ("" if one.timed else "  (untimed: for memory alone)")
        shown.append(f"  {text}"[:width])
    return [*shown, "", *next_command_lines(commands)]


def share_range(low: float, high: float) -> str:
    """Two shares from 0 to 1 as ` 40 -  65 %`."""
    return f"{round(low * 100):>3} - {round(high * 100):>3} %"


def _range_bar(low: float, high: float) -> str:
    inside = (low <= (n + 0.5) / BAR_COLUMNS <= high or int(low * BAR_COLUMNS) == n for n in range(BAR_COLUMNS))
    return "".join(".="[one] for one in inside)


def _readiness_row(readiness: TopicReadiness, name_columns: int, width: int) -> str:
    name = terminal_safe(readiness.topic)[:name_columns]
    start = f"{name}{' ' * (name_columns - text_columns(name))}"
    unseen, on_day = readiness.unseen_item_range, readiness.interview_day_range
    if unseen is None or on_day is None:
        looks = f"{readiness.first_attempt_count} of {MIN_FIRST_ATTEMPTS} first looks"
        return f"{start}  too little to say ({looks})"[:width]
    line = f"{start}  {share_range(unseen[0], unseen[2])}  {share_range(*on_day)}"
    for part in (f"  {readiness.seen_skill_count} of {readiness.skill_count} skills", f"  [{_range_bar(*on_day)}]"):
        line += part if text_columns(line) + len(part) <= width else ""
    return line.rstrip()
