"""A candidate's commands between sessions: `quizgen plan`, `today`, `progress` and `debrief`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import astuple, dataclass, replace
from datetime import date, datetime
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from shlex import quote
from statistics import fmean
from typing import Any

import click

from quizgen import bank as bank_files
from quizgen import data_folders
from quizgen.assemble import first_unknown_name_message
from quizgen.atomic_write import refuse_write_errors, write_atomically
from quizgen.coach import plan as study_plan
from quizgen.coach import standing as coach_standing
from quizgen.coach.plan import PlannedItem, StudyAim, StudyPlan
from quizgen.commands import options, shared
from quizgen.commands.mock import candidate_or_login_name, uses_full_screen
from quizgen.commands.options import DEFAULT_BANK, flag_option, int_option, notify, option, page_file_option, text_type
from quizgen.commands.shared import count_with_noun, printed_line_width
from quizgen.model import ZERO, Bank
from quizgen.practice.saved import append_missing_lines_and_count_responses, saved_log_records_per_sitting_and_faults
from quizgen.render.coach_text import date_text_of_ordinal, readiness_lines, study_plan_lines
from quizgen.render.debrief import debrief_of_session
from quizgen.render.debrief_html import mistakes_page_html
from quizgen.render.debrief_text import requested_item_lines
from quizgen.render.text import ASCII_EMPHASIS, EmphasisStyle, wrap_text
from quizgen.scoring.response import score_response
from quizgen.scoring.scorer import Scorer
from quizgen.session import journal as session_files
from quizgen.session import session_log
from quizgen.session.interview import Dispute, Interview, Mode, SessionRules
from quizgen.session.journal import Journal, LinesNotSaved
from quizgen.session.sitting import Clock
from quizgen.source.problems import Unreadable, did_you_mean, printable, shorten, up_to_2_decimals
from quizgen.terminal import debriefs, open_session
from quizgen.terminal import history as session_history
from quizgen.terminal.open_session import CannotResume, MockRequest, PlannedSession, item_ids_missing_from_bank


@dataclass(frozen=True)
class PracticeHistory:
    """A bank under the name that the user typed, sessions, and the present time. `annotation_log_paths`: the
    logs that may hold cards: those of the sessions, and others."""

    bank_name: str
    bank: Bank
    sessions: Sequence[session_log.LoggedSession]
    now: datetime
    annotation_log_paths: Sequence[Path] = ()

    @property
    def today_ordinal(self) -> int:
        return self.now.date().toordinal()

    @cached_property
    def active_traits_by_id(self) -> dict[str, coach_standing.ItemTraits]:
        """The active items by id. Raises Unreadable if there are none, as in a newly imported bank of drafts."""
        active = {i.id: coach_standing.traits_of_item(i) for i in self.bank.items.values() if i.status == "active"}
        if not active:
            name = printable(self.bank_name)
            raise Unreadable(
                f"{name}: no item is active, so there is nothing to plan or to measure; look through the drafts and "
                f"write `status: active`, or practise them as they are: quizgen practice {quote(name)}"
            )
        return active

    @cached_property
    def last_attempts(self) -> tuple[coach_standing.ItemAttempt, ...]:
        return tuple(session_history.last_attempts_per_session(self.sessions, self.bank, self.now))

    @cached_property
    def mark_and_note_by_item(self) -> dict[str, session_log.MarkAndNote]:
        """The candidate's card on each item, a mark and a note, by item id, from all logs."""
        sessions = open_session.sessions_of_logs(self.annotation_log_paths)
        card_by_item = session_log.last_mark_and_note_by_item_id(sessions)
        return {name: card for name, card in card_by_item.items() if name in self.bank.items}

    def limited_to_this_bank(self, includes_missing_banks: bool = False) -> PracticeHistory:
        """The history from the sessions on the bank and on its blueprints alone; with `includes_missing_banks`, also
        from those on banks that cannot be found from here, as after a bank has been moved."""
        folders = {s.bank_name: shared.folder_of_bank_or_part_if_found(s.bank_name) for s in self.sessions}
        own_folders = {shared.folder_of_bank_or_part_if_found(self.bank_name), *[None] * includes_missing_banks}
        return replace(self, sessions=[s for s in self.sessions if folders[s.bank_name] in own_folders])

    def knowledge_standing(self, before_day: int | None = None) -> coach_standing.Standing:
        """The candidate's state of knowledge from all looks, or only from those before the day `before_day`."""
        attempts = (k for k in self.last_attempts if before_day is None or k.day_ordinal < before_day)
        return coach_standing.standing_from_attempts(self.active_traits_by_id, attempts)

    @property
    def past_practice_day_count(self) -> int:
        """The number of days with practice before today."""
        return len({look.day_ordinal for look in self.last_attempts if look.day_ordinal < self.today_ordinal})

    def readiness_by_topic(self, plan: StudyPlan, before_day: int | None = None) -> coach_standing.ReadinessByTopic:
        """The readiness for the interview of `plan`, from all looks or only from those before the day `before_day`."""
        standing = self.knowledge_standing(before_day)
        return coach_standing.readiness_by_topic(standing, plan.interview_day_ordinal, plan.weight_by_topic)

    def first_sight_seconds_of_items(self, item_ids: Collection[str]) -> float:
        """The seconds that some items take at first sight."""
        return sum(study_plan.expected_item_seconds(self.active_traits_by_id[n], was_seen=False) for n in item_ids)


def read_practice_history(name: str, folder: Path) -> PracticeHistory:
    """The history of a bank, until now, from the sessions and cards in a log folder."""
    logs, now = sorted(folder.glob("*.jsonl")), datetime.now().astimezone()
    sessions = session_history.answered_sessions_of_logs(logs, notify)
    bank = shared.load_usable_bank(name).required_bank
    return PracticeHistory(name, bank, sessions, now, logs).limited_to_this_bank()


MAX_DAYS_TO_INTERVIEW = 400  # largest number of days
DEFAULT_ROLE_NAME = "any"  # the role of a candidate who names none
DAY_ORDINAL_TYPE = text_type(lambda text: date.fromisoformat(text).toordinal(), "write a date such as 2026-12-02")


def _parse_topic_and_weight(text: str) -> tuple[str, float]:
    topic, _, number = text.partition("=")
    if not 0 < float(number) <= 1000:
        raise ValueError("not a weight")
    return topic.strip(), float(number)


@click.command("plan")
@options.argument("bank", "[BANK]", "banks", required=False)
@option("--interview", "DATE", "The day of the interview, such as 2026-12-02; makes a new plan.", type=DAY_ORDINAL_TYPE)
@int_option("--minutes", 5, session_files.MAX_PLAN_MINUTES_A_DAY, "Minutes a day, including the debrief (default: 45).")
@option("--role", "NAME", "Weights of topics for a job, such as training or serving.", completes="roles")
@option(
    "--weight weights",
    "TOPIC=N",
    "How much a topic counts, in place of the role's weight",
    type=text_type(_parse_topic_and_weight, "write a topic and a number above 0, such as zero=2"),
    multiple=True,
)
@option("--rest rest_days", "DATE", "A day off", type=DAY_ORDINAL_TYPE, multiple=True)
@flag_option("--forget", "Remove the plan; the logs, and so your progress, stay.")
@flag_option("--json as_json", "Print JSON.")
def plan_command(bank: str | None, interview: int | None, forget: bool, as_json: bool, **new_plan: Any) -> None:
    """Plan the days to an interview.

    With --interview, makes a new plan for BANK (default: distributed-training) in place of the old one; without
    options, shows the plan. `quizgen today` runs each day's session. A plan holds the date, minutes, weights, days off
    and the items kept for the rehearsal; each day's work is chosen anew from the logs, so a missed day leaves no
    backlog.

    Example: quizgen plan --interview 2026-12-02 --minutes 45 --weight zero=2
    """
    folder = data_folders.default_log_folder()
    if forget:
        (folder / session_files.STUDY_PLAN_FILE_NAME).unlink(missing_ok=True)
        notify("The plan was deleted; the logs, and so your progress, are kept.")
        return
    if interview is None:
        if any(new_plan.values()):
            raise click.UsageError("--minutes, --role, --weight and --rest belong to a new plan; add --interview DATE")
        plan = require_saved_study_plan(folder, bank)
        history = read_practice_history(plan.bank_name, folder)
    else:
        history = read_practice_history(bank or DEFAULT_BANK, folder)
        weights = _topic_weights_of_role(history.bank, new_plan["role"]) | dict(new_plan["weights"])
        plan = make_study_plan(history, interview, new_plan["minutes"] or 45, weights, new_plan["rest_days"])
        with refuse_write_errors(folder / session_files.STUDY_PLAN_FILE_NAME, "the plan is not saved"):
            session_files.save_study_plan(folder, plan)
    today, count = history.today_ordinal, history.past_practice_day_count
    if as_json:
        days = plan.days_and_purposes(today, count)
        day_rows = [{"date": date.fromordinal(day).isoformat(), "purpose": purpose} for day, purpose in days]
        click.echo(json.dumps(session_files.study_plan_as_json_dictionary(plan) | {"days": day_rows}, indent=2))
        return
    state = history.readiness_by_topic(plan).overall_readiness
    lines = study_plan_lines(plan, today, count, history.active_traits_by_id, state, printed_line_width())
    click.echo("\n".join(map(printable, lines)))
    shared.notify_next_commands(f"{shared.program_command_text()} today")


def require_saved_study_plan(folder: Path, bank: str | None = None) -> StudyPlan:
    """The plan in a log folder. Raises Unreadable if there is no plan, or not its bank, UsageError if it is not for
    `bank`."""
    plan = session_files.load_study_plan(folder)
    if plan is None:
        raise Unreadable("there is no plan; make one with quizgen plan --interview DATE --minutes 45")
    if bank and bank != plan.bank_name:
        hint = f"make one for {printable(bank)} with --interview DATE"
        raise click.UsageError(f"the plan is for {plan.bank_name}; {hint}")
    try:
        bank_files.find_bank_path_and_part_name(plan.bank_name)
    except bank_files.BankNotFound:
        hint = "run this in the folder where the plan was made"
        raise Unreadable(f"the plan is for {plan.bank_name}, which is not here; {hint}") from None
    return plan


def make_study_plan(
    history: PracticeHistory, interview_day: int, minutes: int, weights: Mapping[str, float], rest_days: Sequence[int]
) -> StudyPlan:
    """A new plan for an interview on the day `interview_day`. Raises UsageError for an impossible date or a topic that
    the bank lacks."""
    if not history.today_ordinal < interview_day <= history.today_ordinal + MAX_DAYS_TO_INTERVIEW:
        raise click.UsageError(f"--interview must be in the future, at most {MAX_DAYS_TO_INTERVIEW} days ahead")
    if problem := first_unknown_name_message("topic", weights, {s.topic for s in history.active_traits_by_id.values()}):
        raise click.UsageError(f"--weight: {problem}")
    plan = StudyPlan(history.bank_name, interview_day, minutes, weights, frozenset(rest_days))
    if "rehearsal" not in dict(plan.days_and_purposes(history.today_ordinal, history.past_practice_day_count)).values():
        return plan  # too short for a rehearsal
    barred_ids = {look.item_id for look in history.last_attempts if look.day_ordinal < plan.rehearsal_day_ordinal}
    barred_ids |= open_session.item_ids_marked_never_ask(history.mark_and_note_by_item)
    ids = study_plan.choose_item_ids_to_seal(history.active_traits_by_id, barred_ids, interview_day, minutes, weights)
    return replace(plan, sealed_item_ids=ids)


def _topic_weights_of_role(bank: Bank, role: str | None) -> dict[str, float]:
    """The topic weights of a role of the bank; without a role those of `any`, if the bank has it. Raises UsageError for
    an unknown role."""
    roles = [name for name in bank.topic_weights_by_role if name != DEFAULT_ROLE_NAME]
    if role is not None and role not in roles:
        hint = did_you_mean(role, roles) or (f"known: {', '.join(roles)}" if roles else "use --weight TOPIC=N")
        raise click.UsageError(f'{printable(bank.name)} has no role "{printable(shorten(role))}"; {hint}')
    return {t: weight for t, weight in bank.topic_weights_by_role.get(role or DEFAULT_ROLE_NAME, {}).items() if weight}


# Where it is not said, a day shows no solution before the end, as an interview does.
MODE_BY_DAY_PURPOSE = {"mock": Mode.STRICT, "rehearsal": Mode.STRICT, "practice": Mode.PRACTICE, "last": Mode.PRACTICE}
MESSAGE_BY_SESSIONLESS_DAY_PURPOSE = {
    "": "The interview is over. `quizgen plan --interview DATE` plans for another one.",
    "interview": "Today is the interview. Learning today does not help: sleep, eat, go early.",
    "rest": "Today is a day off. The plan continues tomorrow, with nothing to catch up on.",
}


MIN_SECONDS_LEFT_FOR_SESSION = 300  # shortest session worth starting, in seconds


@dataclass(frozen=True)
class TodayInStudyPlan:
    """Today by a plan: the purpose of the day, the items for it, and its session."""

    history: PracticeHistory
    plan: StudyPlan

    @cached_property
    def day_purpose_name(self) -> str:
        return self.plan.day_purpose_name(self.history.today_ordinal, self.history.past_practice_day_count)

    @cached_property
    def study_aim(self) -> StudyAim:
        """The aim of the session. The plan's sealed items are left out until the rehearsal is over."""
        today, plan = self.history.today_ordinal, self.plan
        sealed_ids = frozenset(plan.sealed_item_ids) if today <= plan.rehearsal_day_ordinal else frozenset()
        excluded_ids = open_session.item_ids_marked_never_ask(self.history.mark_and_note_by_item)
        return StudyAim(today, plan.interview_day_ordinal, plan.weight_by_topic, sealed_ids, excluded_ids)

    def choose_items_for_today(self, before_day: int | None = None, seconds: float | None = None) -> list[PlannedItem]:
        """The items that fit into `seconds` (None: the plan's minutes a day), from the logs as they are now or, if
        `before_day` is a day, as they were before that day."""
        standing, aim = self.history.knowledge_standing(before_day), self.study_aim
        seconds = self.plan.minutes_per_day * 60 if seconds is None else seconds
        match self.day_purpose_name:
            case "rehearsal":
                return study_plan.choose_rehearsal_items(standing, aim)
            case "last":
                return study_plan.choose_last_day_items(standing, aim, seconds)
            case "mock":
                return study_plan.choose_interview_items(standing, aim, seconds)
            case "scout" | "practice" as purpose:
                return study_plan.choose_practice_items(standing, aim, seconds, one_per_topic_first=purpose == "scout")
        return []

    def make_planned_session(self, items: list[PlannedItem], met_item_ids: Collection[str] = ()) -> PlannedSession:
        """The session with `items`: their ids, reasons, minutes and opening sentence, where `met_item_ids` were met
        today already. The minutes are for the items only: the rest of the day's minutes is for the debrief. The reasons
        are those of the morning, so that a resumed session shows the same ones."""
        history, days_left = self.history, self.plan.interview_day_ordinal - self.history.today_ordinal
        seconds = min(self.plan.minutes_per_day * 60, sum(history.bank.items[c.item_id].seconds for c in items))
        standing = history.knowledge_standing(history.today_ordinal)
        all_items = (study_plan.planned_item(name, standing, self.study_aim) for name in standing.traits_by_id)
        reasons = {choice.item_id: choice.reason_with_state for choice in (*all_items, *items)}
        days = f"{days_left} day{'s' * (days_left != 1)} to the interview"
        opening = f"{self.day_purpose_name.capitalize()}, {days}: {study_plan.planned_item_state_counts_text(items)}."
        if met_item_ids:
            opening = f"Today so far: {self._item_count_and_minutes_text(met_item_ids)}; here is the rest. {opening}"
        return PlannedSession(tuple(choice.item_id for choice in items), reasons, Fraction(seconds, 60), opening)

    def reason_for_no_session(
        self, items: list[PlannedItem], met_item_ids: set[str], seconds_left: float, is_extra: bool
    ) -> str:
        """Why no session with `items` begins; empty if one does. With `is_extra`, another begins after today's is done:
        when half of the time for the morning's items is used, or too little of the day's time is left. A case or a few
        other items do not count."""
        if self.day_purpose_name in MESSAGE_BY_SESSIONLESS_DAY_PURPOSE:
            return MESSAGE_BY_SESSIONLESS_DAY_PURPOSE[self.day_purpose_name]
        if not items:
            return "Nothing is left to do today: you missed nothing that you were sure of. Rest."
        morning = {choice.item_id for choice in self.choose_items_for_today(self.history.today_ordinal)}
        budgets = {name: self.history.active_traits_by_id[name].time_budget_seconds for name in morning}
        usage, budget = sum(budgets[name] for name in morning & met_item_ids), sum(budgets.values())
        if is_extra or not met_item_ids or (2 * usage < budget and seconds_left >= MIN_SECONDS_LEFT_FOR_SESSION):
            return ""
        progress = self._item_count_and_minutes_text(met_item_ids)
        return f"Today's session is done. {progress}. `{shared.program_command_text()} today --more` takes another."

    def _item_count_and_minutes_text(self, item_ids: Collection[str]) -> str:
        minutes_text = count_with_noun(round(self.history.first_sight_seconds_of_items(item_ids) / 60), "minute")
        return f"{count_with_noun(len(item_ids), 'item')}, about {minutes_text} of {self.plan.minutes_per_day}"


@click.command("today")
@flag_option("--list list_only", "List the items and the reasons; run nothing.")
@flag_option("--more is_extra", "Another session after today's is done.")
@flag_option("--practice", "The solution after each item on a scout's day too.")
@option("--seed", "", "Fixes the drawn values and orders of options.")
@option("--log log_path", "FILE", "Where responses are logged (default: a new file in the log folder).")
@option("--candidate", "NAME", "The name on every line of the log (default: your login name).")
@flag_option("--plain", "Line by line: for pipes, screen readers, simple terminals.")
@page_file_option("--html html_path", "FILE", "Also write the debrief as one HTML page.")
@flag_option("--no-color", "No colours (NO_COLOR does the same).")
def today_command(
    list_only: bool, is_extra: bool, practice: bool, candidate: str | None, plain: bool, no_color: bool, **options: Any
) -> int:
    """Run the session that the plan has for today.

    Items that you are least likely to know come first, ranked by gain per minute; each says in one line why it is
    there. The session is an ordinary one in an ordinary log. A session that was cut short today continues.

    Example: quizgen today --list
    """
    folder = data_folders.default_log_folder()
    plan, has_screen = require_saved_study_plan(folder), uses_full_screen(plain)
    history = read_practice_history(plan.bank_name, folder)
    day, today = TodayInStudyPlan(history, plan), history.today_ordinal
    purpose = day.day_purpose_name
    met_ids = {a.item_id for a in history.last_attempts if a.day_ordinal == today} & history.active_traits_by_id.keys()
    seconds_left = plan.minutes_per_day * 60 - history.first_sight_seconds_of_items(met_ids)
    is_shortened = met_ids and seconds_left >= MIN_SECONDS_LEFT_FOR_SESSION and purpose in ("scout", "practice", "mock")
    planned_items = day.choose_items_for_today(seconds=seconds_left if is_shortened else None)
    if list_only:
        work = study_plan.planned_item_state_counts_text(planned_items) or "nothing to do"
        message = f"{date_text_of_ordinal(today)}, {purpose}: {work}."
        click.echo(MESSAGE_BY_SESSIONLESS_DAY_PURPOSE.get(purpose, message))
        for choice in planned_items:
            for line in wrap_text(f"{choice.item_id}: {choice.reason_with_state}", printed_line_width(), "    ", ""):
                click.echo(printable(line))
        return 0
    # Cases are not part of a plan, and a session on a practice page goes on there.
    open_sessions = [s for s in history.sessions if not s.has_ended and not s.is_case and "page" not in s.first_record]
    start_days = (session_history.day_ordinal_of_logged_time(s.start_utc_text, history.now) for s in open_sessions)
    unfinished_logs = [s.log_path for s, start_day in zip(open_sessions, start_days, strict=True) if start_day == today]
    if not unfinished_logs and (message := day.reason_for_no_session(planned_items, met_ids, seconds_left, is_extra)):
        click.echo(message)
        return 0
    mode = MODE_BY_DAY_PURPOSE.get(purpose, Mode.PRACTICE if practice else Mode.INTERVIEW)
    request = MockRequest(
        bank_name=plan.bank_name,
        default_bank_name=plan.bank_name,
        log_path_to_resume=unfinished_logs[-1] if unfinished_logs else None,
        candidate_name=candidate_or_login_name(candidate),
        rules=SessionRules(mode, wants_probes=has_screen),
        log_folder=folder,
        wants_full_screen=has_screen,
        uses_colour=shared.wants_color(no_color),
        width=printed_line_width(),
        program_command_text=shared.program_command_text(),
        planned_session=day.make_planned_session(planned_items, met_ids),
        **options,
    )
    return open_session.run_sessions_for_exit_code(request, shared.load_usable_bank, notify)


MAX_LISTED_SESSIONS = 5  # sessions listed one by one
MAX_LISTED_PAST_PRACTICE_DAYS = 12


@click.command("progress")
@click.argument("banks", nargs=-1, metavar="[BANK]")
@option("--log logs", "PATH", "A log or a folder of logs (default: the log folder).", multiple=True)
@option("--add practice_files", "FILE", "Add what a practice page saved", multiple=True)
@page_file_option("--mistakes", "PAGE", "Write one printable page of your mistakes instead.")
@flag_option("--json as_json", "Print JSON.")
def progress_command(
    banks: tuple[str, ...], logs: tuple[str, ...], practice_files: tuple[str, ...], mistakes: str | None, as_json: bool
) -> int:
    """Show readiness by topic from past logs.

    Each topic has two figures, each a range. Cold: how much you would know of items that you meet for the first
    time, judged from first looks alone. On the day: the same on the day of the interview (`quizgen plan`), with what
    is likely left of all practice. BANK is the bank of the sessions (default: that of the latest).

    --add takes what a page of `quizgen practice` saved and makes a log of it, scored by the real scorer; adding the
    same file twice changes nothing. More files may follow it.

    Example: quizgen progress
    """
    folder = data_folders.default_log_folder()
    if practice_files:
        return import_practice_files_for_exit_code((*practice_files, *banks), folder)
    if len(banks) > 1:
        raise click.UsageError(f"name one bank; {printable(banks[1])} is another")
    places = list(map(Path, logs)) or [folder] * folder.exists()
    paths = [p for place in places for p in (sorted(place.glob("*.jsonl")) if place.is_dir() else [place])]
    sessions = session_history.answered_sessions_of_logs(paths, notify)
    ratings_by_bank = tuple(session_history.bank_name_and_self_ratings_per_session(paths))
    if not sessions:
        if ratings_by_bank and not as_json:
            _print_own_ratings_by_topic(ratings_by_bank, banks[0] if banks else ratings_by_bank[-1][0])
            return 0
        source = ", ".join(printable(name) for name in logs) or printable(str(folder))
        raise Unreadable(f"no session in {source}; begin one with `quizgen mock`")
    name, now = banks[0] if banks else _bank_name_of_latest_findable_session(sessions), datetime.now().astimezone()
    full_history = PracticeHistory(name, shared.load_usable_bank(name).required_bank, sessions, now, paths)
    history = full_history.limited_to_this_bank(includes_missing_banks=bool(banks))
    plan, today = session_files.load_study_plan(folder), history.today_ordinal
    if plan is not None and (plan.bank_name != history.bank_name or plan.interview_day_ordinal < today):
        plan = None
    aim = plan or StudyPlan(history.bank_name, today, 0)  # without a plan: ready today, all topics alike
    if mistakes:
        responses = list(session_history.last_responses_per_session(history.sessions, history.bank, history.now))
        rows, count = _evening_low_high_cold_rows(history, aim), len(history.sessions)
        page = mistakes_page_html(
            history.bank.title, responses, count, today, aim.interview_day_ordinal, rows, history.bank.folder
        )
        write_atomically(mistakes, page)
        notify(f"Mistakes: {printable(mistakes)}")
    elif as_json:
        click.echo(json.dumps(_progress_data_for_json(history, aim), indent=2))
    else:
        if other_count := len(sessions) - len(history.sessions):
            phrase = f"{other_count} sessions on other banks are" if other_count > 1 else "1 session on another bank is"
            notify(f"{phrase} left out; name the bank to see more")
        _print_progress(history, aim, has_plan=plan is not None)
        if any(history.bank_name == rated_bank for rated_bank, _ in ratings_by_bank):
            click.echo()
            _print_own_ratings_by_topic(ratings_by_bank, history.bank_name)
    return 0


def _bank_name_of_latest_findable_session(sessions: Sequence[session_log.LoggedSession]) -> str:
    """The bank of the latest session whose bank can be found, where a blueprint stands for its bank. Raises
    BankNotFound if there is none."""
    for session in reversed(sessions):
        with suppress(bank_files.BankNotFound):
            root, part = bank_files.find_bank_path_and_part_name(session.bank_name)
            own_name = root.name if root.name in data_folders.shipped_bank_names() else str(root)
            return own_name if part else session.bank_name
    return bank_files.require_findable_bank_name_in_session_line(sessions[-1].first_record)


def import_practice_files_for_exit_code(files: Sequence[str], folder: Path) -> int:
    """Adds the sittings of each file to the logs in `folder`, and prints their scores. A file that is damaged or cannot
    be added is named; the exit code is 3 only if no file could be added."""
    added_count = 0
    for name in files:
        try:
            sittings, faults = saved_log_records_per_sitting_and_faults(shared.read_file_bytes(name))
        except Unreadable as error:
            notify(str(error))
            continue
        if not sittings:
            notify(f"{printable(name)}: not from a practice page; name a file that such a page saved")
        elif faults:
            damage = f"{faults[0]} (and {count_with_noun(len(faults) - 1, 'more line')})" if faults[1:] else faults[0]
            line_text = count_with_noun(sum(map(len, sittings)), "line")
            notify(f"{printable(name)}: {damage}; {line_text} kept; save the file again in the page, then add it again")
        for lines in sittings:
            sitting = session_log.logged_session_of_records(lines[0], lines[1:])
            path = open_session.prepare_new_log_path(folder, sitting.start_utc_text, lines[0]["session"])
            try:
                new_count = append_missing_lines_and_count_responses(lines, path)
            except (OSError, LinesNotSaved, Unreadable) as error:
                notify(f"{printable(name)}: not added: {error}")
                continue
            added_count += 1
            message = f"{count_with_noun(new_count, 'response')} added to {printable(path)}."
            message = message if new_count else "nothing new; everything was added before."
            click.echo(f"Practice of {sitting.start_utc_text[:10]}: {message}")
            try:
                click.echo(_sitting_score_summary_text(sitting))
            except (Unreadable, bank_files.BankNotFound) as error:
                notify(f"{error}; the log is kept, and will be scored once the bank is found")
    if not added_count:
        return 3
    run = shared.program_command_text()
    shared.notify_next_commands(f"{run} progress", f"{run} today")
    return 0


def _sitting_score_summary_text(sitting: session_log.LoggedSession) -> str:
    """The points of the first responses by the scorer, beside the page's own verdicts."""
    source = f"the practice of {sitting.start_utc_text[:10]}"
    bank = shared.load_bank_of_session_line(source, {"bank": sitting.bank_name}).required_bank
    scorer = Scorer(bank.items)
    earned = possible = ZERO
    ratings: list[Fraction] = []
    gone = 0
    for line in sitting.response_records:
        variant = scorer.variant_of_line(bank.items.get(str(line["item"])), line)
        if variant is None:
            gone += 1
            continue
        response = session_log.parse_logged_response(line["response"])
        score = score_response(variant, response, hint_count=session_log.hint_count_or_zero(line.get("hints")))
        earned, possible = earned + score.earned, possible + score.possible
        self_ratings = line.get("self")
        if isinstance(self_ratings, dict):
            ratings += [Fraction(str(v)) for v in self_ratings.values() if v in (0, 0.5, 1) and not isinstance(v, bool)]
    summary = f"At first sight {up_to_2_decimals(earned)} of {up_to_2_decimals(possible)} points, by the scorer."
    if ratings:
        summary += f" Your own ratings are kept beside: {up_to_2_decimals(sum(ratings, ZERO))} of {len(ratings)}."
    return f"{summary} {count_with_noun(gone, 'response')} to items that the bank no longer has." if gone else summary


def _print_progress(history: PracticeHistory, aim: StudyPlan, has_plan: bool) -> None:
    """Prints readiness by topic, the latest sessions, the next commands and the cards."""
    readiness, width = history.readiness_by_topic(aim), printed_line_width()
    results = list(session_history.past_session_results(history.sessions[-MAX_LISTED_SESSIONS:], history.bank))
    evening_rows = _evening_low_high_cold_rows(history, aim)
    rows = [(date_text_of_ordinal(evening)[:10], lowest, highest) for evening, lowest, highest, _ in evening_rows]
    run = shared.program_command_text()
    heading, advice = f"On the day ({date_text_of_ordinal(aim.interview_day_ordinal)})", [f"{run} today"]
    if not has_plan:
        heading = "On the day (here: today; a plan has yours)"
        topics = "".join(f" --topic {t}" for t in readiness.up_to_three_topics_to_practise if t != "other")
        advice = [f"{run} mock {quote(printable(history.bank_name))}{topics}"]
        if any(one.last_attempt.was_missed for one in history.knowledge_standing().seen_item_by_id.values()):
            advice.append(f"{run} mock --redo  # what was missed lately")
    lines = readiness_lines(readiness, results, rows, len(history.sessions), width, heading, advice, history.bank_name)
    click.echo("\n".join(map(printable, lines)))
    if history.mark_and_note_by_item:
        click.echo("\nYour cards:")
    for item, card in sorted(history.mark_and_note_by_item.items()):
        for line in wrap_text(f"{item}: {card.mark_and_note_text}", width, "      ", "  "):
            click.echo(printable(line))


def _print_own_ratings_by_topic(ratings_by_bank: Sequence[tuple[str, Mapping[str, int]]], bank_name: str) -> None:
    """Prints the candidate's own ratings by topic, the lowest first. They do not count as scores."""
    items = shared.load_usable_bank(bank_name).required_bank.items
    ratings = {item: level for bank, levels in ratings_by_bank if bank == bank_name for item, level in levels.items()}
    ratings_by_topic: dict[str, list[int]] = {}
    for item in ratings.keys() & items.keys():
        ratings_by_topic.setdefault(items[item].topic or "other", []).append(ratings[item])
    click.echo("Own ratings, 1 not at all to 5 perfectly (imported; they do not count as scores):")
    for mean, topic, count in sorted((fmean(values), topic, len(values)) for topic, values in ratings_by_topic.items()):
        click.echo(printable(f"  {mean:.1f}  {topic} ({count_with_noun(count, 'item')})"))


def _evening_low_high_cold_rows(history: PracticeHistory, aim: StudyPlan) -> list[tuple[int, float, float, float]]:
    """For each past evening, except those with too few looks: (evening, lowest and highest readiness for the interview,
    share known at first sight)."""
    rows = []
    for evening in sorted({look.day_ordinal for look in history.last_attempts})[-MAX_LISTED_PAST_PRACTICE_DAYS:]:
        row = history.readiness_by_topic(aim, evening + 1).overall_readiness
        if row.unseen_item_success_low_mid_high is not None and row.interview_day_success_range is not None:
            rows.append((evening, *row.interview_day_success_range, row.unseen_item_success_low_mid_high[1]))
    return rows


def _progress_data_for_json(history: PracticeHistory, aim: StudyPlan) -> dict[str, object]:
    def figures_by_name(names: str, figures: Sequence[float] | None) -> dict[str, float] | None:
        return None if figures is None else {n: round(x, 4) for n, x in zip(names.split(), figures, strict=True)}

    def topic_json(r: coach_standing.TopicReadiness) -> dict[str, object]:
        return {
            "topic": r.topic,
            "first_looks": r.first_attempt_count,
            "cold": figures_by_name("low middle high", r.unseen_item_success_low_mid_high),
            "on_the_day": figures_by_name("low high", r.interview_day_success_range),
            "skills_met": r.seen_skill_count,
            "skills": r.skill_count,
        }

    readiness = history.readiness_by_topic(aim)
    results = session_history.past_session_results(history.sessions[-MAX_LISTED_SESSIONS:], history.bank)
    session_keys = ("day", "reached", "items", "share", "minutes", "timed")  # of the fields in their order
    return {
        "version": 2,
        "bank": history.bank_name,
        "sessions": len(history.sessions),
        "day": date.fromordinal(aim.interview_day_ordinal).isoformat(),
        "overall": topic_json(readiness.overall_readiness),
        "topics": [topic_json(r) for r in readiness.topic_readiness_rows],
        "next_topics": list(readiness.up_to_three_topics_to_practise),
        "latest": [dict(zip(session_keys, astuple(session), strict=True)) for session in results],
        "cards": [
            dict(item=n, mark=c.mark_word, note=c.note) for n, c in sorted(history.mark_and_note_by_item.items())
        ],
    }


@click.command("debrief")
@click.argument("log", required=False)
@page_file_option("--html", "FILE", "Write it as one page with charts instead (- for standard output).")
@option("--item item_numbers", "N", "Only this item, such as 8 or 8a", multiple=True)
@flag_option("--dispute", "Dispute marks: claim what you did say. Claims are kept in the log beside the marks.")
@option("--keep card", "CARD", f"Keep a card of the --item: {session_log.CARD_MARK_HELP_TEXT}.")
@flag_option("--no-color", "No bold or italic text (NO_COLOR does the same).")
def debrief_command(
    log: str | None, html: str | None, item_numbers: tuple[str, ...], dispute: bool, card: str | None, no_color: bool
) -> None:
    """Show a past session's debrief again.

    LOG is the session's log (default: the latest of the log folder; of several sessions in one log,
    the last). Responses are scored by the bank as it is today.

    Example: quizgen debrief --html debrief.html
    """
    path, session, bank = _load_log_path_session_and_bank(log)
    width = printed_line_width()
    style = EmphasisStyle(has_terminal_attributes=True) if shared.wants_color(no_color) else ASCII_EMPHASIS
    session_name = str(session.first_record.get("session", ""))
    try:
        debrief = open_session.debrief_of_logged_session(session, bank)
        if not (item_numbers or dispute or card is not None):
            if html == "-":
                click.echo(debrief.html_page(), nl=False)
            elif html is not None:
                write_atomically(html, debrief.html_page())
                notify(f"Debrief: {printable(html)}")
            else:
                click.echo("\n".join(debrief.text_lines(width, style)))
        elif html is not None or not isinstance(debrief, debriefs.SessionDebrief):
            raise click.UsageError("leave --item, --dispute and --keep out: they are not for cases and not with --html")
        elif dispute:
            _ask_and_log_disputes(debrief.session, session_name, path, width, item_numbers)
        elif card is not None:
            _annotate_items_in_log(debrief, session_name, path, item_numbers, card)
        else:
            click.echo("\n".join(requested_item_lines(debrief_of_session(debrief.session), item_numbers, width, style)))
    except CannotResume as error:
        raise Unreadable(f"{printable(path)}: {error}") from None
    except ValueError as error:
        raise click.UsageError(printable(str(error))) from None


def _load_log_path_session_and_bank(log: str | None) -> tuple[str, session_log.LoggedSession, Bank]:
    """The path of a log (None: the latest), its last session with a response (else its last), and the bank of that
    session as it is today."""
    folder = data_folders.default_log_folder()
    path = Path(log) if log else open_session.latest_accepted_log_path(folder, lambda s: bool(s.response_records))
    if path is None:
        raise Unreadable(f"no session in {printable(str(folder))}; begin one with `quizgen mock`")
    shown_path, text = printable(str(path)), shared.read_file_bytes(path, "name the log of a session")
    sessions, damage = session_log.sessions_in_log_content(text), session_log.damaged_lines_note_on_log_content(text)
    if not sessions:
        hint = damage or "`quizgen score` reads bare lines"
        raise Unreadable(f"{shown_path} has no session of `quizgen mock`; {hint}")
    if damage:
        notify(f"{shown_path}: {damage}")
    logged_session = next((session for session in reversed(sessions) if session.response_records), sessions[-1])
    bank = shared.load_bank_of_session_line(shown_path, logged_session.first_record).required_bank
    if logged_session.first_record.get("digest") != bank.digest:
        notify("the bank has changed since this session; its responses are scored with today's bank")
    if missing_ids := item_ids_missing_from_bank(logged_session.first_record, bank):
        notify(f"left out, because the bank no longer has it: {printable(', '.join(missing_ids))}")
    return str(path), logged_session, bank


def _ask_and_log_disputes(
    session: Interview, session_name: str, log_path: str, width: int, item_numbers: tuple[str, ...]
) -> None:
    """Asks for claims line by line, about the items with these `item_numbers` if there are any, and logs each."""

    def ask(text: str) -> str:
        click.echo(text, nl=False)
        return input()

    def log_claim(index: int, dispute: Dispute) -> None:
        item = session.item_states[index].item.id
        journal.append(session_log.log_record_of_dispute(session_name, item, dispute, Clock().utc_text()))

    with _open_journal_to_append(log_path) as journal:
        try:
            debriefs.ask_about_disputes(session, click.echo, ask, log_claim, width, item_numbers)
        except EOFError:
            click.echo()


def _annotate_items_in_log(
    debrief: debriefs.SessionDebrief, session_name: str, log_path: str, item_numbers: tuple[str, ...], mark_or_note: str
) -> None:
    """Appends a card for each item with one of these `item_numbers` to the log of the session `session_name`."""
    places = {number: debrief.session.index_of_item_number(number) for number in item_numbers}
    if not places or None in places.values():
        numbers = ", ".join(map(debrief.session.displayed_number_text, range(len(debrief.session.item_states))))
        raise click.UsageError(f"--keep needs --item with the number of an item: {numbers}")
    with _open_journal_to_append(log_path) as journal:
        for number, index in places.items():
            item = debrief.session.item_states[index or 0].item.id
            card = debrief.mark_and_note_by_item_id.get(item, session_log.MarkAndNote(item))
            card = card.with_typed_mark_or_note(mark_or_note)
            journal.append(card.log_record(session_name, Clock().utc_text()))
            click.echo(printable(f"Kept of item {number}: {card.mark_and_note_text or 'nothing'}."))


@contextmanager
def _open_journal_to_append(log_path: str) -> Iterator[Journal]:
    """A log to which lines can be appended. Raises Unreadable if that is impossible."""
    try:
        journal = Journal(log_path)
    except OSError as error:
        raise Unreadable(f"{printable(log_path)}: {error.strerror or error}; nothing can be appended to it") from None
    try:
        with closing(journal):
            yield journal
    except LinesNotSaved as error:
        raise Unreadable(f"{printable(log_path)}: {error}") from None
