"""A plan, a day's session and readiness by topic, as lines of text."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date

from quizgen.coach.plan import DESCRIPTION_BY_DAY_PURPOSE, StudyPlan
from quizgen.coach.standing import (
    MIN_FIRST_ATTEMPTS_FOR_ESTIMATE,
    ItemTraits,
    PastSessionResult,
    ReadinessByTopic,
    TopicReadiness,
)
from quizgen.render.text import next_command_lines, terminal_safe_text, text_column_count, wrap_text

MAX_LISTED_PLAN_DAYS = 21  # up to this many days are listed one by one
RANGE_BAR_COLUMNS = 20


def study_plan_lines(
    plan: StudyPlan,
    today: int,
    practised_day_count: int,
    items_by_id: Mapping[str, ItemTraits],
    readiness: TopicReadiness,
    width: int,
) -> list[str]:
    """The plan in lines of at most `width` columns. `today`: ordinal day; `practised_day_count`: the number of days
    practised so far; `items_by_id`: the bank's items by id."""
    wait = plan.interview_day_ordinal - today
    status = "is today" if wait == 0 else f"is in {wait} day{'s' * (wait != 1)}" if wait > 0 else "is over"
    days = plan.days_and_purposes(today, practised_day_count)
    interview_day = date_text_of_ordinal(plan.interview_day_ordinal)
    facts = [f"The interview on {interview_day} {status}; {plan.minutes_per_day} minutes a day."]
    if wait > 0:
        facts.append(_coverage_ahead_text(plan, days, items_by_id.values()))
    if plan.weight_by_topic:
        topic_weights = sorted(plan.weight_by_topic.items(), key=lambda pair: (-pair[1], pair[0]))
        others_text = "; others 1" * any(one.topic not in plan.weight_by_topic for one in items_by_id.values())
        facts.append(f"Weights: {', '.join(f'{t} {w:g}' for t, w in topic_weights)}{others_text}.")
    if plan.sealed_item_ids and today <= plan.rehearsal_day_ordinal:
        n = len(plan.sealed_item_ids)
        facts.append(f"{n} item{'s' * (n != 1)} sealed for the rehearsal: nothing asks them before.")
    lines = [*wrap_text("\n".join(facts), width), ""]
    for day, purpose in days[:MAX_LISTED_PLAN_DAYS]:
        start = f"{date_text_of_ordinal(day)[:10]:<11} {purpose:<11} "
        lines += wrap_text(DESCRIPTION_BY_DAY_PURPOSE[purpose], width, " " * 24, start)
    if (surplus := len(days) - MAX_LISTED_PLAN_DAYS) > 0:
        lines.append(f"… and {surplus} more day{'s' * (surplus != 1)}.")
    if wait <= 0:
        return lines
    unseen, on_day = readiness.unseen_item_success_low_mid_high, readiness.interview_day_success_range
    progress = f"{readiness.first_attempt_count} of {MIN_FIRST_ATTEMPTS_FOR_ESTIMATE} first looks"
    forecast = f"On the day: no estimate yet ({progress})."
    if unseen is not None and on_day is not None:
        known_share, cold_share = share_range_text(*on_day).strip(), share_range_text(unseen[0], unseen[2]).strip()
        forecast = f"If you stopped here, you would know {known_share} of what is new to you on the day"
        forecast += f" (cold, today: {cold_share})."
    return [*lines, "", *wrap_text(forecast, width)]


def _coverage_ahead_text(plan: StudyPlan, days_ahead: Sequence[tuple[int, str]], items: Collection[ItemTraits]) -> str:
    """How much of a bank fits into the time that is left on the `days_ahead`, each with its purpose."""
    minutes = sum(purpose not in ("rest", "interview") for _, purpose in days_ahead) * plan.minutes_per_day
    bank_minutes = round(sum(s.time_budget_seconds for s in items) / 60)
    passes = minutes / bank_minutes if bank_minutes else 0
    incomplete_pass_text = f"you see those worth most, not all ({passes:.2f} of one pass)"
    coverage = f"you can see all of them ({passes:.1f} passes)" if passes >= 1 else incomplete_pass_text
    bank = f"the {len(items)} active items of {plan.bank_name}"
    return f"{minutes} minutes are left. To see {bank} once takes {bank_minutes} minutes, so {coverage}."


def date_text_of_ordinal(ordinal_day: int) -> str:
    """A day by its ordinal number, such as `Wed 2 Dec 2026`."""
    date_shown = date.fromordinal(ordinal_day)
    return f"{date_shown:%a} {date_shown.day} {date_shown:%b %Y}"


def readiness_lines(
    readiness: ReadinessByTopic,
    latest_sessions: Sequence[PastSessionResult],
    past_estimates: Sequence[tuple[str, float, float]],
    session_count: int,
    width: int,
    interview_day_text: str,
    next_commands: Sequence[str],
    bank_name: str,
) -> list[str]:
    """A line for each topic met, with readiness now and on the day of the interview, whose heading is
    `interview_day_text`. `past_estimates`: (evening, low, high) as estimated on earlier evenings; `session_count`:
    the number of sessions; `next_commands`: those to offer."""
    count = readiness.overall_readiness.first_attempt_count
    heading = f"Readiness in {bank_name} from {session_count} session{'s' * (session_count != 1)}"
    lines = wrap_text(f"{heading}, {count} timed first look{'s' * (count != 1)} at items.", width)
    cold_explanation = "Cold: the chance to know a new item today (80 % range); items you met before cannot raise it."
    later_explanation = "with what will probably be left of all practice, if little or much of it helps with new items."
    lines += wrap_text(f"{cold_explanation} {interview_day_text}: {later_explanation}", width)
    met_topics = [t for t in readiness.topic_readiness_rows if t.first_attempt_count or t.seen_skill_count]
    rows = [readiness.overall_readiness, *met_topics]
    room = min(max(text_column_count(terminal_safe_text(r.topic)) for r in rows), max(12, width - 46))
    lines += ["", f"{' ' * room}  cold         on the day"[:width]]
    lines += [_topic_readiness_line(r, room, width) for r in rows]
    unmet_topics = [t.topic for t in readiness.topic_readiness_rows if t not in met_topics]
    if unmet_topics:
        lines += ["", *wrap_text(f"Never met: {', '.join(unmet_topics)}.", width)]
    if len(past_estimates) > 1:
        lines += ["", "On the way there, all topics:"]
        for name, low, high in past_estimates:
            lines.append(f"  {name:<10}  {share_range_text(low, high)}  [{_share_range_bar_text(low, high)}]"[:width])
    if latest_sessions:
        lines += ["", "Latest sessions:"]
    for result in latest_sessions:
        items = f"{result.reached_item_count:>3} of {result.item_count} item{'s' * (result.item_count != 1)}"
        figures = f"{round(result.points_share * 100):>3} %  {round(result.used_minutes):>3} min"
        timing_note = "" if result.is_timed else "  (untimed: for memory alone)"
        lines.append(f"  {terminal_safe_text(result.iso_date)}  {items}  {figures}{timing_note}"[:width])
    return [*lines, "", *next_command_lines(next_commands)]


def share_range_text(low: float, high: float) -> str:
    """Two shares from 0 to 1 as ` 40 -  65 %`."""
    return f"{round(low * 100):>3} - {round(high * 100):>3} %"


def _share_range_bar_text(low: float, high: float) -> str:
    columns = range(RANGE_BAR_COLUMNS)
    first = int(low * RANGE_BAR_COLUMNS)
    return "".join("=" if n == first or low <= (n + 0.5) / RANGE_BAR_COLUMNS <= high else "." for n in columns)


def _topic_readiness_line(topic_readiness: TopicReadiness, name_columns: int, width: int) -> str:
    name = terminal_safe_text(topic_readiness.topic)[:name_columns]
    start = f"{name}{' ' * (name_columns - text_column_count(name))}"
    unseen, on_day = topic_readiness.unseen_item_success_low_mid_high, topic_readiness.interview_day_success_range
    if unseen is None or on_day is None:
        progress = f"{topic_readiness.first_attempt_count} of {MIN_FIRST_ATTEMPTS_FOR_ESTIMATE} first looks"
        return f"{start}  too little to say ({progress})"[:width]
    line = f"{start}  {share_range_text(unseen[0], unseen[2])}  {share_range_text(*on_day)}"
    skills = f"  {topic_readiness.seen_skill_count} of {topic_readiness.skill_count} skills"
    for part in (skills, f"  [{_share_range_bar_text(*on_day)}]"):
        line += part if text_column_count(line) + len(part) <= width else ""
    return line.rstrip()
