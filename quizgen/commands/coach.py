"""The coach's commands: `quizgen plan`, `quizgen today` and `quizgen progress`."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

import click

from quizgen import bank as bank_files
from quizgen import data_folders
from quizgen.assemble import unknown_name_message
from quizgen.atomic_write import report_write_errors, write_atomically
from quizgen.coach import chooser
from quizgen.coach.chooser import PlannedItem, StudyAim, counts_by_state_text
from quizgen.coach.plan import StudyPlan, choose_items_to_seal
from quizgen.coach.readiness import ReadinessByTopic, TopicReadiness, readiness_by_topic
from quizgen.coach.standing import ItemAttempt, Standing, StudyItem, standing_from_attempts, study_item_from_bank_item
from quizgen.commands import shared
from quizgen.commands.completion import name_completer
from quizgen.commands.mock import candidate_or_login_name, has_full_screen, session_line_width
from quizgen.commands.options import (
    DEFAULT_BANK,
    flag_option,
    int_option,
    notify,
    option,
    output_page_option,
    repeatable_option,
)
from quizgen.commands.shared import (
    command_to_start_quizgen,
    count_with_noun,
    open_bank,
    open_whole_bank,
    printed_line_width,
    wants_color,
)
from quizgen.model import ZERO, Bank
from quizgen.practice.saved import add_sitting_to_log, read_saved_sittings
from quizgen.render.coach_text import date_text, readiness_lines, study_plan_lines
from quizgen.render.mistakes import mistakes_page
from quizgen.render.text import next_command_lines, wrap_text
from quizgen.scoring.response import score_response
from quizgen.scoring.scorer import Scorer
from quizgen.session import plan_file
from quizgen.session.cards import Card
from quizgen.session.interview import Mode, Rules
from quizgen.session.journal import LinesNotSaved
from quizgen.session.session_log import (
    LoggedSession,
    Record,
    logged_session_of_lines,
    parse_hint_count,
    parse_logged_response,
)
from quizgen.source.problems import Unreadable, did_you_mean, points_decimal, printable, shorten
from quizgen.terminal import history as session_history
from quizgen.terminal import start
from quizgen.terminal.open_session import (
    MockRequest,
    PlannedSession,
    excluded_item_ids,
    latest_card_by_item,
    new_log_path,
)


@dataclass(frozen=True)
class BankHistory:
    """A bank under the name that the user typed, all sessions on it, and the present time. `extra_logs`: more files
    that may hold cards, besides the logs of the sessions."""

    name: str
    bank: Bank
    sessions: tuple[LoggedSession, ...]
    now: datetime
    extra_logs: tuple[Path, ...] = ()

    @property
    def today(self) -> int:
        return self.now.date().toordinal()

    @cached_property
    def active_items(self) -> dict[str, StudyItem]:
        """The active items by id. Raises Unreadable if there are none, as in a newly imported bank of drafts."""
        active = {i.id: study_item_from_bank_item(i) for i in self.bank.items.values() if i.status == "active"}
        if not active:
            name = printable(self.name)
            raise Unreadable(
                f"{name}: no item is active, so there is nothing to plan or to measure; look through the drafts and "
                f"write `status: active`, or practise them as they are: quizgen practice {name}"
            )
        return active

    @cached_property
    def attempts(self) -> tuple[ItemAttempt, ...]:
        return tuple(session_history.item_attempts(self.sessions, self.bank, self.now))

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The candidate's cards by item id, from all logs."""
        there = latest_card_by_item({*self.extra_logs, *(Path(past.path) for past in self.sessions)})
        return {name: card for name, card in there.items() if name in self.bank.items}

    def interview_day_and_topic_weights(self, plan: StudyPlan | None) -> tuple[int, Mapping[str, float]]:
        """The day to be ready for (an ordinal number) and the weights of topics; without a plan, today and no
        weights."""
        return (plan.interview_day, plan.topic_weights) if plan else (self.today, {})

    def standing(self, before_day: int | None = None) -> Standing:
        """The candidate's state of knowledge from all looks, or only from those before the day `before_day`."""
        return standing_from_attempts(
            self.active_items, (k for k in self.attempts if before_day is None or k.day < before_day)
        )

    def days_practised(self, before_day: int) -> int:
        """The number of days with practice before the day `before_day`."""
        return len({look.day for look in self.attempts if look.day < before_day})

    def study_aim(self, plan: StudyPlan) -> StudyAim:
        """The aim of today's session. The plan's sealed items are left out until the rehearsal is over."""
        kept = frozenset(plan.sealed_item_ids) if self.today <= plan.rehearsal_day else frozenset()
        return StudyAim(self.today, plan.interview_day, plan.topic_weights, kept, excluded_item_ids(self.cards))


def find_log_paths(logs: tuple[str, ...], folder: Path) -> list[Path]:
    """The paths of the named logs and of the logs in named folders; without names, of the logs in `folder`. Raises
    Unreadable for a name that does not exist."""
    for name in logs:
        if not Path(name).exists():
            raise Unreadable(f"{printable(name)}: there is no such log or folder; check its name")
    if not logs:
        return sorted(folder.glob("*.jsonl"))  # none in a log folder that does not exist yet
    return [p for path in map(Path, logs) for p in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]


def make_bank_history(
    name: str, bank: Bank, sessions: list[LoggedSession], now: datetime, logs: Sequence[Path] = ()
) -> BankHistory:
    """The history of a bank from `sessions`; sessions on other banks are ignored."""
    whole = {s.bank_name: whole_bank_name(s.bank_name) for s in sessions}
    own = tuple(s for s in sessions if name in (s.bank_name, whole[s.bank_name]))
    return BankHistory(name, bank, own, now, tuple(logs))


def whole_bank_name(bank_or_blueprint: str) -> str:
    """The name of the bank to which `bank_or_blueprint`, a bank or blueprint named in a session, belongs: sessions on a
    blueprint and on its whole bank count as sessions on the same bank. Empty if it cannot be found from here."""
    try:
        root, blueprint = bank_files.locate_bank_and_blueprint_or_case(bank_or_blueprint)
    except bank_files.BankNotFound:
        return ""
    return (
        (root.name if root.name in data_folders.shipped_bank_names() else str(root)) if blueprint else bank_or_blueprint
    )


def parse_day_option(text: str, option_name: str) -> int:
    """The date in `text`, such as `2026-12-02`, as an ordinal number. Raises UsageError if it is not a date."""
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        raise click.UsageError(f"{option_name} {printable(text)} is not a date; write it as 2026-12-02") from None


def read_bank_history(name: str, folder: Path, now: datetime) -> BankHistory:
    """The history of a bank from the sessions and cards in a log folder."""
    logs = find_log_paths((), folder)
    return make_bank_history(name, open_whole_bank(name), session_history.read_past_sessions(logs, notify), now, logs)


MAX_DAYS_TO_INTERVIEW = 400  # largest number of days
DEFAULT_ROLE = "any"  # the role of a candidate who names none


@click.command("plan")
@click.argument("bank", required=False)
@option("--interview", "DATE", "The day of the interview, such as 2026-12-02; makes a new plan.")
@int_option("--minutes", 5, plan_file.MAX_MINUTES_A_DAY, "Minutes a day, including the debrief (default: 45).")
@option(
    "--role",
    "NAME",
    "Weights of topics for a job, such as training or serving.",
    shell_complete=name_completer("roles"),
)
@repeatable_option("--weight weights", "TOPIC=N", "How much a topic counts, in place of the role's weight")
@repeatable_option("--rest rest", "DATE", "A day off")
@flag_option("--forget", "Remove the plan; the logs, and so your progress, stay.")
@flag_option("--json as_json", "Print JSON.")
def plan_command(
    bank: str | None,
    interview: str | None,
    minutes: int | None,
    role: str | None,
    weights: tuple[str, ...],
    rest: tuple[str, ...],
    forget: bool,
    as_json: bool,
) -> int:
    """Plan the days to an interview.

    With --interview, makes a new plan for BANK (default: distributed-training) in place of the old one; without
    options, shows the plan. `quizgen today` runs each day's session. A plan holds the date, minutes, weights, days off
    and the items kept for the rehearsal; each day's work is chosen anew from the logs, so a missed day leaves no
    backlog.

    Example: quizgen plan --interview 2026-12-02 --minutes 45 --weight zero=2
    """
    folder = data_folders.default_log_folder(os.environ, Path.home())
    now = datetime.now().astimezone()
    if forget:
        (folder / plan_file.PLAN_FILE_NAME).unlink(missing_ok=True)
        notify("The plan was deleted; the logs, and so your progress, are kept.")
        return 0
    if interview is None:
        if minutes or role or weights or rest:
            raise click.UsageError("--minutes, --role, --weight and --rest belong to a new plan; add --interview DATE")
        plan = read_plan(folder, bank)
        here = read_bank_history(plan.bank_name, folder, now)
    else:
        day, days_off = parse_day_option(interview, "--interview"), [parse_day_option(text, "--rest") for text in rest]
        here = read_bank_history(bank or DEFAULT_BANK, folder, now)
        topic_weights = {**_role_weights(here.bank, role), **dict(map(_parse_topic_weight, weights))}
        plan = make_plan(here, day, minutes or 45, topic_weights, days_off)
        with report_write_errors(folder / plan_file.PLAN_FILE_NAME, "the plan is not saved"):
            plan_file.save_plan(folder, plan)
    if as_json:
        days = plan.day_purposes(here.today, here.days_practised(here.today))
        shown = [{"date": date.fromordinal(day).isoformat(), "purpose": purpose} for day, purpose in days]
        click.echo(json.dumps(plan_file.plan_json(plan) | {"days": shown}, indent=2))
        return 0
    ready = readiness_by_topic(here.standing(), plan.interview_day, plan.topic_weights)
    practised, width = here.days_practised(here.today), printed_line_width()
    for line in study_plan_lines(plan, here.today, practised, here.active_items, ready.overall_readiness, width):
        click.echo(printable(line))
    notify(f"Next: {command_to_start_quizgen()} today")
    return 0


def read_plan(folder: Path, bank: str | None = None) -> StudyPlan:
    """The plan in a log folder. Raises Unreadable if there is none, UsageError if it is not for `bank`."""
    plan = plan_file.load_plan(folder)
    if plan is None:
        raise Unreadable("there is no plan; make one with quizgen plan --interview DATE --minutes 45")
    if bank and bank != plan.bank_name:
        raise click.UsageError(
            f"the plan is for {plan.bank_name}; make one for {printable(bank)} with --interview DATE"
        )
    return plan


def make_plan(
    history: BankHistory, interview_day: int, minutes: int, topic_weights: Mapping[str, float], days_off: Sequence[int]
) -> StudyPlan:
    """A new plan for an interview on the day `interview_day`. Raises UsageError for an impossible date or a topic that
    the bank lacks."""
    if not history.today < interview_day <= history.today + MAX_DAYS_TO_INTERVIEW:
        today = "; for an interview today, take quizgen mock" if interview_day == history.today else ""
        raise click.UsageError(f"--interview must be in the future, at most {MAX_DAYS_TO_INTERVIEW} days ahead{today}")
    if problem := unknown_name_message("topic", topic_weights, {s.topic for s in history.active_items.values()}):
        raise click.UsageError(f"--weight: {problem}")
    plan = StudyPlan(history.name, interview_day, minutes, topic_weights, frozenset(days_off))
    if "rehearsal" not in dict(plan.day_purposes(history.today, history.days_practised(history.today))).values():
        return plan  # too short for a rehearsal
    met = {look.item_id for look in history.attempts if look.day < plan.rehearsal_day} | excluded_item_ids(
        history.cards
    )
    return replace(
        plan, sealed_item_ids=choose_items_to_seal(history.active_items, met, interview_day, minutes, topic_weights)
    )


def _role_weights(bank: Bank, role: str | None) -> dict[str, float]:
    """The topic weights of a role of the bank; without a role those of `any`, if the bank has it. Raises UsageError for
    an unknown role."""
    known = [name for name in bank.role_weights if name != DEFAULT_ROLE]
    if role is not None and role not in known:
        hint = did_you_mean(role, known) or (f"known: {', '.join(known)}" if known else "use --weight TOPIC=N")
        raise click.UsageError(f'{printable(bank.name)} has no role "{printable(shorten(role))}"; {hint}')
    return {topic: weight for topic, weight in bank.role_weights.get(role or DEFAULT_ROLE, {}).items() if weight}


def _parse_topic_weight(text: str) -> tuple[str, float]:
    topic, _, number = text.partition("=")
    try:
        weight = float(number)
    except ValueError:
        weight = 0.0
    if not 0 < weight <= 1000:
        raise click.UsageError(f"--weight {printable(text)}: write a topic and a number above 0, such as zero=2")
    return topic.strip(), weight


STRICT_PURPOSES = ("mock", "rehearsal")
TEACHING_PURPOSES = ("practice", "last")  # kinds of day that show the solution after each item
MESSAGE_BY_PURPOSE_WITHOUT_SESSION = {
    "": "The interview is over. `quizgen plan --interview DATE` plans for another one.",
    "interview": "Today is the interview. Learning today does not help: sleep, eat, go early.",
    "rest": "Today is a day off. The plan continues tomorrow, with nothing to catch up on.",
}


MIN_SESSION_SECONDS = 300  # shortest session worth starting, in seconds


@click.command("today")
@flag_option("--list listed", "List the items and the reasons; run nothing.")
@flag_option("--more", "Another session after today's is done.")
@flag_option("--practice", "The solution after each item on a scout's day too.")
@option("--seed", "", "Fixes the drawn values and orders of options.")
@option("--log", "FILE", "Where responses are logged (default: a new file in the log folder).")
@option("--candidate", "NAME", "The name on every line of the log (default: your login name).")
@flag_option("--plain", "Line by line: for pipes, screen readers, simple terminals.")
@output_page_option("--html", "FILE", "Also write the debrief as one HTML page.")
@flag_option("--no-color", "No colours (NO_COLOR does the same).")
def today_command(
    listed: bool, more: bool, practice: bool, candidate: str | None, plain: bool, no_color: bool, **options: Any
) -> int:
    """Run the session that the plan has for today.

    Items that you are least likely to know come first, ranked by gain per minute; each says in one line why it is
    there. The session is an ordinary one in an ordinary log. A session that was cut short today continues.

    Example: quizgen today --list
    """
    folder = data_folders.default_log_folder(os.environ, Path.home())
    plan, full = read_plan(folder), has_full_screen(plain)
    here = read_bank_history(plan.bank_name, folder, datetime.now().astimezone())
    purpose = plan.day_purpose(here.today, here.days_practised(here.today))
    begun, rest = _work_done_and_seconds_left_today(here, plan)
    shorter = begun and rest >= MIN_SESSION_SECONDS and purpose in ("scout", "practice", "mock")
    choices = choose_items_of_day(here, plan, purpose, seconds=rest if shorter else None)
    if listed:
        work = f"{date_text(here.today)}, {purpose}: {counts_by_state_text(choices) or 'nothing to do'}."
        click.echo(MESSAGE_BY_PURPOSE_WITHOUT_SESSION.get(purpose, work))
        for choice in choices:
            click.echo(
                "\n".join(
                    map(printable, wrap_text(f"{choice.item_id}: {choice.reason}", printed_line_width(), "    ", ""))
                )
            )
        return 0
    waiting = _sessions_unfinished_today(here)
    if not waiting and (message := _reason_for_no_session(here, plan, purpose, choices, more)):
        click.echo(message)
        return 0
    teaching = practice or purpose in TEACHING_PURPOSES
    mode = Mode.STRICT if purpose in STRICT_PURPOSES else Mode.PRACTICE if teaching else Mode.INTERVIEW
    request = MockRequest(
        bank_name=plan.bank_name,
        default_bank_name=plan.bank_name,
        resume_log=waiting[-1].path if waiting else None,
        candidate=candidate_or_login_name(candidate),
        rules=Rules(mode, has_probes=full),
        wants_full_screen=full,
        uses_colour=wants_color(no_color),
        width=session_line_width(),
        log_folder=folder,
        program_command=command_to_start_quizgen(),
        planned_session=planned_session_of_day(here, plan, purpose, choices, begun),
        **options,
    )
    return start.run_sessions(request, open_bank, notify)


def _reason_for_no_session(
    history: BankHistory, plan: StudyPlan, purpose: str, choices: list[PlannedItem], more: bool
) -> str:
    """Why no session begins; empty if one does. With `more`, another session begins after today's is done."""
    if purpose in MESSAGE_BY_PURPOSE_WITHOUT_SESSION:
        return MESSAGE_BY_PURPOSE_WITHOUT_SESSION[purpose]
    if not choices:
        return "Nothing is left to do today: you missed nothing that you were sure of. Rest."
    begun, rest = _work_done_and_seconds_left_today(history, plan)
    if not more and _is_session_done_today(history, plan, purpose, rest):
        return f"Today's session is done. {begun}. `{command_to_start_quizgen()} today --more` takes another."
    return ""


def choose_items_of_day(
    history: BankHistory, plan: StudyPlan, purpose: str, before_day: int | None = None, seconds: float | None = None
) -> list[PlannedItem]:
    """The items for a day with this `purpose` that fit into `seconds` (None: the plan's minutes a day), from the logs
    as they are now or, if `before_day` is a day, as they were before that day."""
    now, aim = history.standing(before_day), history.study_aim(plan)
    seconds = plan.minutes_per_day * 60 if seconds is None else seconds
    match purpose:
        case "rehearsal":
            return chooser.choose_rehearsal_items(now, aim)
        case "last":
            return chooser.choose_last_day_items(now, aim, seconds)
        case "mock":
            return chooser.choose_interview_items(now, aim, seconds)
        case "scout" | "practice":
            return chooser.choose_practice_items(now, aim, seconds, one_per_topic_first=purpose == "scout")
    return []


def planned_session_of_day(
    history: BankHistory, plan: StudyPlan, purpose: str, choices: list[PlannedItem], work_done: str = ""
) -> PlannedSession:
    """The items, reasons, minutes and opening sentence of today's session; `work_done` says in words what was done
    today. The minutes are for the items only: the rest of the day's minutes is for the debrief. The reasons are those
    of the morning, so that a resumed session shows the same ones."""
    seconds = min(plan.minutes_per_day * 60, sum(history.bank.items[c.item_id].seconds for c in choices))
    left = plan.interview_day - history.today
    every = chooser.all_items_with_reasons(history.standing(history.today), history.study_aim(plan))
    reasons = {choice.item_id: choice.reason for choice in (*every, *choices)}
    about = f"{purpose.capitalize()}, {left} day{'s' * (left != 1)} to the interview: {counts_by_state_text(choices)}."
    if work_done:
        about = f"Today so far: {work_done}; here is the rest. {about}"
    return PlannedSession(tuple(choice.item_id for choice in choices), reasons, Fraction(seconds, 60), about)


def _is_session_done_today(history: BankHistory, plan: StudyPlan, purpose: str, seconds_left: float) -> bool:
    """Whether today's session counts as done: half of the time for the morning's items is used, or too little of the
    day's time is left. A case or a few other items do not count."""
    met = {look.item_id for look in history.attempts if look.day == history.today} & history.active_items.keys()
    morning = {c.item_id for c in choose_items_of_day(history, plan, purpose, history.today)}
    own = sum(history.active_items[n].time_budget_seconds for n in met & morning)
    half_done = 2 * own >= sum(history.active_items[n].time_budget_seconds for n in morning)
    return bool(met) and (half_done or seconds_left < MIN_SESSION_SECONDS)


def _work_done_and_seconds_left_today(history: BankHistory, plan: StudyPlan) -> tuple[str, float]:
    """Today's work in words (empty if none), and the seconds left of the plan's minutes for today."""
    met = {look.item_id for look in history.attempts if look.day == history.today} & history.active_items.keys()
    used = sum(chooser.expected_item_seconds(history.active_items[n], was_seen=False) for n in met)
    words = (
        f"{count_with_noun(len(met), 'item')}, about {round(used / 60)} minutes of {plan.minutes_per_day}"
        if met
        else ""
    )
    return words, plan.minutes_per_day * 60 - used


def _sessions_unfinished_today(history: BankHistory) -> list[LoggedSession]:
    """The unfinished sessions that began today, without cases, which are not part of a plan."""
    waiting = (s for s in history.sessions if not s.has_ended and "case" not in s.first_line)
    return [
        s
        for s in waiting
        if session_history.day_of_logged_time(s.first_line.get("started"), history.now) == history.today
    ]


MAX_LISTED_SESSIONS = 5  # sessions listed one by one
MAX_LISTED_EVENINGS = 12


@click.command("progress")
@click.argument("banks", nargs=-1, metavar="[BANK]")
@repeatable_option("--log logs", "PATH", "A log or a folder of logs (default: the log folder).")
@repeatable_option("--add added", "FILE", "Add what a practice page saved")
@output_page_option("--mistakes", "PAGE", "Write one printable page of your mistakes instead.")
@flag_option("--json as_json", "Print JSON.")
def progress_command(
    banks: tuple[str, ...], logs: tuple[str, ...], added: tuple[str, ...], mistakes: str | None, as_json: bool
) -> int:
    """Show readiness by topic from past logs.

    Each topic has two figures, each a range. Cold: how much you would know of items that you meet for the first
    time, judged from first looks alone. On the day: the same on the day of the interview (`quizgen plan`), with what
    is likely left of all practice. BANK is the bank of the sessions (default: that of the latest).

    --add takes what a page of `quizgen practice` saved and makes a log of it, scored by the real scorer; adding the
    same file twice changes nothing. More files may follow it.

    Example: quizgen progress
    """
    folder = data_folders.default_log_folder(os.environ, Path.home())
    if added:
        return add_practice_files((*added, *banks), folder)
    if len(banks) > 1:
        raise click.UsageError(f"name one bank; {printable(banks[1])} is another")
    paths = find_log_paths(logs, folder)
    sessions = session_history.read_past_sessions(paths, notify)
    rated = session_history.self_ratings_by_bank(paths)
    if not sessions:
        if rated and not as_json:
            _print_self_ratings(rated, banks[0] if banks else rated[-1][0])
            return 0
        where = ", ".join(printable(name) for name in logs) or printable(str(folder))
        raise Unreadable(f"no session in {where}; begin one with `quizgen mock`")
    here = _history_of_bank(banks[0] if banks else None, sessions, paths)
    plan = _plan_of_bank(here, folder)
    if mistakes:
        _write_mistakes(here, plan, mistakes)
    elif as_json:
        click.echo(json.dumps(_progress_json(here, plan), indent=2))
    else:
        _print_progress(here, plan, len(sessions) - len(here.sessions))
        if any(here.name == other for other, _ in rated):
            click.echo()
            _print_self_ratings(rated, here.name)
    return 0


def add_practice_files(files: Sequence[str], folder: Path) -> int:
    """Adds the sittings of each file to the logs in `folder`, and prints their scores. A file that is damaged or cannot
    be added is named; the exit code is 3 only if no file could be added."""
    taken = 0
    for name in files:
        try:
            sittings, faults = read_saved_sittings(shared.read_file_bytes(name))
        except Unreadable as error:
            notify(str(error))
            continue
        if not sittings:
            notify(f"{printable(name)}: not from a practice page; name a file that such a page saved")
        elif faults:
            kept = count_with_noun(sum(map(len, sittings)), "line")
            first, *more = faults
            lost = f"{first} (and {count_with_noun(len(more), 'more line')})" if more else first
            notify(f"{printable(name)}: {lost}; {kept} kept; save the file again in the page, then add it again")
        for sitting in sittings:
            taken += _add_sitting(sitting, name, folder)
    if not taken:
        return 3
    run = command_to_start_quizgen()
    for line in next_command_lines([f"{run} progress", f"{run} today"]):
        notify(line)
    return 0


def _add_sitting(lines: Sequence[Record], file_name: str, folder: Path) -> bool:
    """Adds one sitting to the logs in `folder`. If that is impossible, prints a message and returns False."""
    sitting = logged_session_of_lines(lines[0], lines[1:])
    path = new_log_path(folder, sitting.start_time, lines[0]["session"])
    try:
        new = add_sitting_to_log(lines, path)
    except (OSError, LinesNotSaved, Unreadable) as error:
        notify(f"{printable(file_name)}: not added: {error}")
        return False
    day = sitting.start_time[:10]
    if not new:
        click.echo(f"Practice of {day}: nothing new; everything was added before.")
    else:
        click.echo(f"Practice of {day}: {count_with_noun(new, 'response')} added to {printable(path)}.")
    try:
        click.echo(_sitting_score_summary(sitting))
    except (Unreadable, bank_files.BankNotFound) as error:
        notify(f"{error}; the log is kept, and will be scored once the bank is found")
    return True


def _sitting_score_summary(sitting: LoggedSession) -> str:
    """The points of the first responses by the scorer, beside the page's own verdicts."""
    source = f"the practice of {sitting.start_time[:10]}"
    bank = shared.open_bank_of_log(source, {"bank": sitting.bank_name}).required_bank
    scorer = Scorer(bank.items)
    earned = possible = ZERO
    rated: list[Fraction] = []
    gone = 0
    for line in sitting.response_records:
        variant = scorer.variant_of_line(bank.items.get(str(line["item"])), line)
        if variant is None:
            gone += 1
            continue
        response, hints = parse_logged_response(line["response"]), parse_hint_count(line.get("hints"))
        score = score_response(variant, response, hint_count=hints)
        earned, possible = earned + score.earned, possible + score.possible
        own = line.get("self")
        if isinstance(own, dict):
            rated += [Fraction(str(v)) for v in own.values() if v in (0, 0.5, 1) and not isinstance(v, bool)]
    summary = f"At first sight {points_decimal(earned)} of {points_decimal(possible)} points, by the scorer."
    if rated:
        summary += f" Your own ratings are kept beside: {points_decimal(sum(rated, ZERO))} of {len(rated)}."
    return f"{summary} {count_with_noun(gone, 'response')} to items that the bank no longer has." if gone else summary


def _write_mistakes(history: BankHistory, plan: StudyPlan | None, path: str) -> None:
    """Writes the candidate's mistakes as a page to `path`."""
    day, weights = history.interview_day_and_topic_weights(plan)
    responses = list(session_history.last_responses(history.sessions, history.bank, history.now))
    past = _readiness_by_past_evening(history, day, weights)
    bank, count = history.bank, len(history.sessions)
    page = mistakes_page(bank.title, responses, count, history.today, day, past, bank.root)
    write_atomically(path, page)
    notify(f"Mistakes: {printable(path)}")


def _print_progress(history: BankHistory, plan: StudyPlan | None, other_sessions: int) -> None:
    """Prints readiness by topic, the latest sessions, the next commands and the cards, and that `other_sessions`
    sessions on other banks do not count."""
    if other_sessions:
        more = other_sessions > 1
        some = f"{other_sessions} sessions on other banks are" if more else "1 session on another bank is"
        notify(f"{some} left out; name the bank to see more")
    day, weights = history.interview_day_and_topic_weights(plan)
    ready = readiness_by_topic(history.standing(), day, weights)
    latest = list(session_history.scored_sessions(history.sessions[-MAX_LISTED_SESSIONS:], history.bank))
    on = f"On the day ({date_text(day)})" if plan else "On the day (here: today; a plan has yours)"
    past = _readiness_by_past_evening(history, day, weights)
    rows = [(date_text(evening)[:10], lowest, highest) for evening, lowest, highest, _ in past]
    advice = _next_command_lines(ready, history, plan is not None)
    for line in readiness_lines(
        ready, latest, rows, len(history.sessions), printed_line_width(), on, advice, history.name
    ):
        click.echo(printable(line))
    if history.cards:
        click.echo("\nYour cards:")
    for item, card in sorted(history.cards.items()):
        for line in wrap_text(f"{item}: {card.mark_and_note_text}", printed_line_width(), "      ", "  "):
            click.echo(printable(line))


def _history_of_bank(bank: str | None, sessions: list[LoggedSession], logs: Sequence[Path]) -> BankHistory:
    """The history of `bank`; if that is None, of the bank of the latest session."""
    now = datetime.now().astimezone()
    if bank:
        roots = {name: shared.bank_folder(name) for name in {bank, *(s.bank_name for s in sessions)}}
        own = tuple(s for s in sessions if roots[s.bank_name] in (roots[bank], None))
        return BankHistory(bank, open_whole_bank(bank), own, now, tuple(logs))
    whole = {s.bank_name: whole_bank_name(s.bank_name) for s in sessions}
    of_any = [s for s in sessions if whole[s.bank_name]]
    name = whole[of_any[-1].bank_name] if of_any else bank_files.bank_named_by_session_line(sessions[-1].first_line)
    return make_bank_history(name, open_whole_bank(name), sessions, now, logs)


def _plan_of_bank(history: BankHistory, folder: Path) -> StudyPlan | None:
    """The plan in the folder; None if there is none, if it is for another bank, or if its interview is over."""
    plan = plan_file.load_plan(folder)
    return plan if plan is not None and plan.bank_name == history.name and plan.interview_day >= history.today else None


def _print_self_ratings(ratings_by_bank: Sequence[tuple[str, Mapping[str, int]]], bank_name: str) -> None:
    """Prints the candidate's own ratings by topic, the lowest first. They do not count as scores."""
    loaded = open_whole_bank(bank_name)
    topics: dict[str, list[int]] = {}
    for item, level in {
        i: at for bank, levels in ratings_by_bank if bank == bank_name for i, at in levels.items()
    }.items():
        if item in loaded.items:
            topics.setdefault(loaded.items[item].topic or "other", []).append(level)
    click.echo("Own ratings, 1 not at all to 5 perfectly (imported; they do not count as scores):")
    for topic, levels in sorted(topics.items(), key=lambda pair: (sum(pair[1]) / len(pair[1]), pair[0])):
        click.echo(printable(f"  {sum(levels) / len(levels):.1f}  {topic} ({count_with_noun(len(levels), 'item')})"))


def _readiness_by_past_evening(
    history: BankHistory, interview_day: int, weights: Mapping[str, float]
) -> list[tuple[int, float, float, float]]:
    """For each past evening, except those with too few looks: (evening, lowest and highest readiness for
    `interview_day`, share known at first sight)."""
    made = []
    for evening in sorted({look.day for look in history.attempts})[-MAX_LISTED_EVENINGS:]:
        row = readiness_by_topic(history.standing(evening + 1), interview_day, weights).overall_readiness
        if row.unseen_item_success_range is not None and row.interview_day_success_range is not None:
            made.append((evening, *row.interview_day_success_range, row.unseen_item_success_range[1]))
    return made


def _next_command_lines(readiness: ReadinessByTopic, history: BankHistory, has_plan: bool) -> list[str]:
    """The command lines to type next."""
    run, missed = (
        command_to_start_quizgen(),
        any(one.last_attempt.was_missed for one in history.standing().seen_item_by_id.values()),
    )
    if has_plan:
        return [f"{run} today"]
    topics = "".join(f" --topic {t}" for t in readiness.topics_to_practise_next if t != "other")
    return [f"{run} mock {printable(history.name)}{topics}", *[f"{run} mock --redo  # what was missed lately"] * missed]


def _progress_json(history: BankHistory, plan: StudyPlan | None) -> dict[str, object]:
    day, weights = history.interview_day_and_topic_weights(plan)
    ready = readiness_by_topic(history.standing(), day, weights)

    def topic_json(r: TopicReadiness) -> dict[str, object]:
        return {
            "topic": r.topic,
            "first_looks": r.first_attempt_count,
            "cold": _figures_by_name(("low", "middle", "high"), r.unseen_item_success_range),
            "on_the_day": _figures_by_name(("low", "high"), r.interview_day_success_range),
            "skills_met": r.seen_skill_count,
            "skills": r.skill_count,
        }

    latest = session_history.scored_sessions(history.sessions[-MAX_LISTED_SESSIONS:], history.bank)
    return {
        "version": 2,
        "bank": history.name,
        "sessions": len(history.sessions),
        "day": date.fromordinal(day).isoformat(),
        "overall": topic_json(ready.overall_readiness),
        "topics": [topic_json(r) for r in ready.topic_readiness],
        "next_topics": list(ready.topics_to_practise_next),
        "latest": [asdict(session) for session in latest],
        "cards": [asdict(card) for _, card in sorted(history.cards.items())],
    }


def _figures_by_name(names: Sequence[str], figures: Sequence[float] | None) -> dict[str, float] | None:
    """The figures by their names, to four decimals; None if there are none."""
    return None if figures is None else {name: round(x, 4) for name, x in zip(names, figures, strict=True)}
