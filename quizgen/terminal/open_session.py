"""Opens the session that a command line asks for (a new one, a case, or one to resume), runs and leaves it; and reads
past sessions from their logs. The only place where all parts meet."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from fractions import Fraction
from functools import partial
from itertools import accumulate
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, TypeVar

from quizgen import assemble, draw
from quizgen import bank as banks
from quizgen.atomic_write import write_atomically
from quizgen.bank.reader import LoadedBank
from quizgen.model import MAX_FORM_MINUTES, Bank, Blueprint, Form, FormEntry, Item, Section
from quizgen.render.text import next_command_lines
from quizgen.session import interview, session_log
from quizgen.session import journal as session_files
from quizgen.session.interview import Interview, RunState, SessionRules
from quizgen.session.journal import NO_DRAFT, Journal, LinesNotSaved, SessionDraft, item_state_with_draft
from quizgen.session.session_log import LoggedSession, MarkAndNote, SessionIdentity, positive_fraction_or_none
from quizgen.session.sitting import Clock, Sitting
from quizgen.source.problems import Unreadable, WrongUse, printable
from quizgen.terminal.debriefs import CaseDebrief, SessionDebrief, SessionOrCaseDebrief, debrief_of_sitting
from quizgen.terminal.lines import LineTerminal, SessionLeftForLater, SignalReceived, raise_on_signals

if TYPE_CHECKING:  # most sessions are not cases
    from quizgen.cases.case import Case
    from quizgen.cases.conversation import Conversation
    from quizgen.session.case_sitting import CaseSitting

LATEST_LOG_KEYWORD = "latest"
MAX_AVOIDED_SESSIONS = 10  # sessions whose items a new session avoids
DEFAULT_SESSION_ITEM_COUNT = 12  # items of a session over a bank without a blueprint
DEFAULT_BLUEPRINT_NAME = "readiness"
OpenBank = Callable[[str], LoadedBank]
ReportMessage = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class PlannedSession:
    """A planned session: its items in order, the reason for each, its minutes, and a sentence about the whole."""

    item_ids: tuple[str, ...]
    reason_by_item_id: Mapping[str, str]
    minutes: Fraction
    summary_sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionOptions:
    """What the command line asks of a new session. Empty or None: as in the blueprint. `planned_session` is the session
    of a plan; its items replace drawn ones."""

    seed: str | None = None
    item_count: int | None = None
    minutes: Fraction | None = None
    topics: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    difficulties: tuple[int, ...] = ()
    takes_only_starred_items: bool = False
    planned_session: PlannedSession | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MockRequest(SessionOptions):
    """The command line of `mock`, checked. If `bank_name` is empty, it is the bank of the log to redo, else the
    `default_bank_name` one. `log_paths_to_redo` (any number) and `log_path_to_resume` are paths of logs, or
    `LATEST_LOG_KEYWORD`. `log_folder` is the default folder of logs."""

    bank_name: str
    default_bank_name: str
    candidate_name: str
    log_folder: Path
    log_paths_to_redo: tuple[str, ...] = ()
    log_path_to_resume: str | None = None
    log_path: str | None = None
    rules: SessionRules = field(default_factory=SessionRules)
    html_path: str | None = None
    allows_changed_bank: bool = False
    wants_full_screen: bool = False
    uses_colour: bool = False
    width: int = 80
    image_protocol_name: str = ""  # the terminal's protocol for images
    program_command_text: str = "quizgen"  # the command to run it from here
    clock: Clock = field(default_factory=Clock)


class CannotResume(Unreadable):
    """A session cannot be resumed; the message gives the reason and what to do."""


def assemble_session_form(
    bank: Bank, blueprint: Blueprint | None, options: SessionOptions, avoided_item_ids: Collection[str] = (),
    item_ids_to_repeat: tuple[str, ...] = (), withheld_count: int = 0,
) -> Form:  # fmt: skip
    """The form of a new session. If `item_ids_to_repeat` is not empty, it has only these items, which were missed or
    bookmarked. `withheld_count`: how many items a plan or cards withhold from `bank`, for the error message. Raises
    WrongUse if the bank has too few items."""
    planned_session, seed = options.planned_session, options.seed or draw.new_random_seed()
    if planned_session is not None:
        plan = replace(assemble.any_items_blueprint(), minutes=planned_session.minutes)
        return assemble.reassemble_form(bank, plan, seed, planned_session.item_ids)
    topics, kinds = {i.topic for i in bank.items.values() if i.topic}, {i.kind for i in bank.items.values()}
    options = replace(options, topics=assemble.complete_topic_words_if_unambiguous(options.topics, topics))
    problem = assemble.first_unknown_name_message("topic", options.topics, topics, bank.name)
    if problem := problem or assemble.first_unknown_name_message("kind", options.kinds, kinds, bank.name):
        raise WrongUse(problem)
    try:
        if item_ids_to_repeat:
            plan = _missed_items_blueprint(bank, options, item_ids_to_repeat)
        else:
            plan = _blueprint_narrowed_by_options(bank, blueprint, options)
        form = assemble.assemble(bank, plan, seed, last_resort_ids=avoided_item_ids if options.seed is None else ())
    except assemble.CannotAssemble as error:
        note = f" ({withheld_count} of the bank are sealed for the rehearsal of your plan, or left out by your cards)"
        raise WrongUse(f"{error}{note if withheld_count else ''}") from None
    if blueprint is None and options.item_count is None and options.minutes is not None and not item_ids_to_repeat:
        seconds = sum(entry.variant.item.seconds for entry in form.entries)
        if seconds > options.minutes * 60:  # the number of each kind follows from its share of the time
            item_count = max(1, int(len(form.entries) * options.minutes * 60 / Fraction(seconds)))
            new_options = replace(options, item_count=item_count)
            form = assemble_session_form(bank, None, new_options, avoided_item_ids, withheld_count=withheld_count)
            return cut_form_to_minutes(form, options.minutes)
    if not form.entries:
        hint = "ask for more topics, kinds or difficulties, or rate your own answers on a page of `quizgen practice`"
        raise WrongUse(f"the bank has no active item for this session; {hint}")
    return form


def cut_form_to_minutes(form: Form, minutes: Fraction) -> Form:
    """The first items of a form that fit into `minutes`; at least one."""
    item_count = sum(end <= minutes * 60 for end in accumulate(entry.variant.item.seconds for entry in form.entries))
    return replace(form, entries=form.entries[: max(1, item_count)], minutes=minutes)


def _blueprint_narrowed_by_options(bank: Bank, blueprint: Blueprint | None, options: SessionOptions) -> Blueprint:
    """The blueprint, restricted by `options`: the one given, else the bank's default, else a mix of its items."""
    active_count = sum(i.status == "active" for i in bank.items.values())
    filters = {"topics": options.topics, "kinds": options.kinds, "difficulties": options.difficulties}
    plan = blueprint or bank.blueprint_by_name.get(DEFAULT_BLUEPRINT_NAME)
    plan = plan or assemble.any_items_blueprint(min(DEFAULT_SESSION_ITEM_COUNT, active_count))
    if blueprint is None and any(filters.values()):
        item_count = sum(section.item_count or 0 for section in plan.sections) or DEFAULT_SESSION_ITEM_COUNT
        levels = f"difficulty {' or '.join(map(str, options.difficulties))}" if options.difficulties else ""
        title = f"{bank.title}: {', '.join(filter(None, (*options.topics, *options.kinds, levels)))}"
        sections = (Section(item_count=item_count if options.item_count is None else None),)
        plan = replace(plan, sections=sections, title=title, score_bands=())  # one topic says nothing of the whole
    return assemble.narrow_blueprint(bank, plan, item_count=options.item_count, minutes=options.minutes, **filters)


def _missed_items_blueprint(bank: Bank, options: SessionOptions, missed_ids: tuple[str, ...]) -> Blueprint:
    """The blueprint of a session on missed items. It has no pass mark and no bands, as it is no exam."""
    section_filter = Section(options.topics, options.kinds, options.difficulties)
    names = tuple(n for n in missed_ids if assemble.matches_section(bank.items[n], section_filter))
    if not names:
        verb = "is bookmarked" if options.takes_only_starred_items else "was missed"
        raise WrongUse(f"no item{assemble.section_filter_text(section_filter)} {verb}; ask for less")
    section = Section(item_count=min(options.item_count or len(names), len(names)), required_ids=names)
    title = "What you bookmarked" if options.takes_only_starred_items else "Review of what was missed"
    return replace(assemble.any_items_blueprint(), title=title, sections=(section,), minutes=options.minutes)


def build_sitting(
    bank: Bank, session: Interview, identity: SessionIdentity, journal: Journal, clock: Clock, is_resumed: bool = False
) -> Sitting:
    """The sitting of a session whose follow-ups, images and terms are those of `bank`."""
    return Sitting(
        session, identity, journal, clock, draw_follow_up_entry=partial(draw_follow_up_entry, bank, session.form.seed),
        is_resumed=is_resumed, bank_folder_path=bank.folder, load_glossary=bank.load_glossary,
    )  # fmt: skip


def resume_sitting(
    logged: LoggedSession, bank: Bank, journal: Journal, clock: Clock, allows_changed_bank: bool = False,
    follow_up_bank: Bank | None = None,
) -> Sitting:  # fmt: skip
    """The sitting that continues a logged session or case. If `allows_changed_bank`, the bank may differ from that of
    the log. Follow-ups come from `follow_up_bank` (None: from the whole bank).

    Raises CannotResume if the items or the case no longer exist, or if the bank has changed and `allows_changed_bank`
    is false."""
    fields = SessionIdentity(*(str(logged.first_record.get(n, "")) for n in ("session", "candidate", "bank", "digest")))
    if fields.bank_digest != bank.digest and not allows_changed_bank:
        hint = "its items may differ; restore it, or accept the change with --changed-bank"
        raise CannotResume(f"the bank {fields.bank_name} has changed since this session began, so {hint}")
    draft = session_files.load_draft_of_log(journal.path, fields.session_id)
    logged = replace(logged, used_seconds=max(logged.used_seconds, draft.used_seconds))
    if logged.is_case:
        from quizgen.session.case_sitting import CaseSitting

        talk, seconds_by_phase_id = _conversation_and_phase_seconds(logged, bank)
        rules = session_log.rules_of_first_record(logged.first_record)
        sitting = CaseSitting(talk, fields, journal, clock, rules, seconds_by_phase_id, is_resumed=True)
        sitting.session = _with_restored_items(sitting.session, logged, draft, bank)
        return sitting
    if missing_ids := item_ids_missing_from_bank(logged.first_record, bank):
        raise CannotResume(f"the bank no longer has {', '.join(missing_ids[:5])}; restore it to resume")
    session = restore_session(logged, bank, draft)
    session = replace(session, run_state=RunState.NOT_STARTED, current_index=session.next_undecided_index(-1) or 0)
    fields = replace(fields, bank_digest=bank.digest)
    return build_sitting(follow_up_bank or bank, session, fields, journal, clock, is_resumed=True)


def restore_session(logged: LoggedSession, bank: Bank, draft: SessionDraft = NO_DRAFT) -> Interview:
    """The session as its log and draft left it, scored by the bank of today, without items that the bank no longer has.
    Raises CannotResume if it has none of them."""
    head = logged.first_record
    session = interview.new_session(form_of_first_record(head, bank), session_log.rules_of_first_record(head))
    # Its follow-ups, in the order of the draft, then those that only the log has.
    logged_ids = [str(r["item"]) for r in logged.response_records]
    follow_up_ids = (str(r["item"]) for r in logged.response_records if r.get("follow_up") is True)
    for name in dict.fromkeys((*draft.item_ids_in_order, *follow_up_ids)):
        if entry := draw_follow_up_entry(bank, session.form.seed, name):
            # Behind the item that led to it; if several may have, behind the first with a response.
            parents = [(p.item.id, i) for i, p in enumerate(session.item_states) if name in p.item.follow_up_ids]
            ranks = [(logged_ids.index(p) if p in logged_ids else len(logged_ids), i) for p, i in parents]
            _, parent_index = min(ranks, default=(0, len(session.item_states) - 1))
            session = session.insert_follow_ups([entry], parent_index)
    session = replace(session, run_state=RunState.ENDED, used_seconds=logged.used_seconds, end_reason=logged.end_reason)
    return replace(_with_restored_items(session, logged, draft, bank), away_seconds=logged.away_seconds)


def _with_restored_items(session: Interview, logged: LoggedSession, draft: SessionDraft, bank: Bank) -> Interview:
    """The session with each item's response from the log, and the text typed after it from the draft."""
    last, claims = logged.last_response_record_by_item_id, session_log.last_dispute_by_criterion_id_by_item_id(logged)
    states = []
    for state in session.item_states:
        name = state.item.id
        if line := last.get(name):
            state = session_log.item_state_after_response(state, line)
            state = replace(state, disputes=tuple(claims.get(name, {}).values()))
            if line.get("seed") not in (None, state.variant.seed):
                from quizgen.scoring.scorer import Scorer  # only a practice page draws an item more than once

                if variant := Scorer(bank.items).variant_of_line(state.item, line):
                    state = replace(state, form_entry=replace(state.form_entry, variant=variant))
        if name in draft.draft_file_fields_by_item_id:
            state = item_state_with_draft(state, draft.draft_file_fields_by_item_id[name])
        states.append(state)
    return replace(session, item_states=tuple(states))


def form_of_first_record(first_record: Mapping[str, object], bank: Bank) -> Form:
    """The form that a session's `first_record` describes: the same items, order and seed."""
    if isinstance(first_record.get("case"), str):
        raise CannotResume("the session is a case, which has turns and no items")
    names, seed = first_record.get("items"), first_record.get("seed")
    if not isinstance(names, list) or not isinstance(seed, str) or not names:
        raise CannotResume("the session's first line lacks items or seed, so it cannot be resumed")
    item_ids = [str(name) for name in names if str(name) in bank.items]
    if not item_ids:
        missing_ids = ", ".join(map(str, names[:5]))
        raise CannotResume(f"the bank no longer has {missing_ids}, nor any other item of it; restore it")
    plan = bank.blueprint_by_name.get(str(first_record.get("blueprint", ""))) or assemble.any_items_blueprint()
    title = str(first_record.get("title") or plan.title)
    bands = plan.score_bands if title in (plan.title, bank.title) else ()
    minutes = positive_fraction_or_none(first_record.get("minutes"), MAX_FORM_MINUTES)
    form = assemble.reassemble_form(
        bank, replace(plan, title=title, score_bands=bands, minutes=minutes), seed, item_ids
    )
    points_by_id: dict[str, object] = session_log.field_or_default(first_record, "points", {})
    item_points = (positive_fraction_or_none(points_by_id.get(e.variant.item.id), 10**6) for e in form.entries)
    entries = (replace(e, points_override=points) for e, points in zip(form.entries, item_points, strict=True))
    return replace(form, entries=tuple(entries))


def item_ids_missing_from_bank(first_record: Mapping[str, object], bank: Bank) -> list[str]:
    """The ids of the session's items (or of the turns of its case) that the bank no longer has."""
    names = first_record.get("items")
    return [str(name) for name in names if str(name) not in bank.item_or_turn_by_id] if isinstance(names, list) else []


def draw_follow_up_entry(bank: Bank, seed: str, item_id: str) -> FormEntry | None:
    """The follow-up item `item_id`, drawn; None if the bank lacks it."""
    item = bank.items.get(item_id)
    return None if item is None else FormEntry(assemble.draw_variant(item, seed))


def item_ids_of_recent_sessions(sessions: Iterable[LoggedSession]) -> frozenset[str]:
    """The ids of the items in the latest of some sessions."""
    latest = sorted((s for s in sessions if s.response_records), key=lambda s: s.start_utc_text)[-MAX_AVOIDED_SESSIONS:]
    return frozenset(str(r["item"]) for session in latest for r in session.response_records)


def missed_item_ids_in_log_content(log_content: bytes, items: Mapping[str, Item]) -> tuple[str, ...]:
    """The ids of the items in a log that earned less than full points, in their order."""
    from quizgen.scoring.response import score_response  # most sessions score nothing again
    from quizgen.scoring.scorer import Scorer

    lines = (line or {} for _, line in session_log.numbered_log_records(log_content))
    responses = (line for line in lines if line.get("type", "response") == "response")
    last_lines = {name: line for line in responses if isinstance(name := line.get("item"), str) and name in items}
    scorer, missed_ids = Scorer(items), []
    for name, line in last_lines.items():
        variant, hints = scorer.variant_of_line(items[name], line), session_log.hint_count_or_zero(line.get("hints"))
        response, earlier = (session_log.parse_logged_response(line.get(field)) for field in ("response", "earlier"))
        score = None if variant is None else score_response(variant, response, None, hints, earlier)
        if score is None or score.earned < score.possible:
            missed_ids.append(name)
    return tuple(missed_ids)


def prepare_new_log_path(folder: Path, start_time: str, session: str) -> str:
    """A path for a new log in the log folder, which is created if missing (readable by its owner only)."""
    for parent in (*reversed(folder.parents), folder):
        parent.mkdir(mode=0o700, exist_ok=True)
    stamp = start_time[:19].replace(":", "").replace("-", "")  # to the second
    return os.path.join(folder, f"{stamp}Z-{session[:6]}.jsonl")


def _conversation_and_phase_seconds(logged: LoggedSession, bank: Bank) -> tuple[Conversation, dict[str, float]]:
    """The conversation of a logged case, and the seconds spent in each phase. Raises CannotResume if the bank no longer
    has the case."""
    from quizgen.cases.case import Case
    from quizgen.session.case_sitting import replay_conversation_and_phase_seconds

    name, seed = (str(logged.first_record.get(field, "")) for field in ("case", "seed"))
    case = bank.case_by_id.get(name)
    if not isinstance(case, Case):
        raise CannotResume(f"the bank {bank.name} has no case {name} any more; restore it")
    multiplier = session_log.rules_of_first_record(logged.first_record).time_multiplier
    talk, seconds_by_id = replay_conversation_and_phase_seconds(case, seed, logged.case_turn_records, multiplier)
    if not talk.is_over and (unlogged_seconds := logged.used_seconds - sum(seconds_by_id.values())) > 0:
        seconds_by_id[talk.turn.phase_id] = seconds_by_id.get(talk.turn.phase_id, 0.0) + unlogged_seconds
    return talk, seconds_by_id


def debrief_of_logged_session(logged: LoggedSession, bank: Bank) -> SessionOrCaseDebrief:
    """The outcomes of a past session or case, scored by the bank of today. Raises CannotResume."""
    if logged.is_case:
        from quizgen.cases.judge import judge_conversation

        return CaseDebrief(judge_conversation(*_conversation_and_phase_seconds(logged, bank)))
    cards = session_log.last_mark_and_note_by_item_id([logged])
    return SessionDebrief(restore_session(logged, bank), bank.folder, cards)


def latest_accepted_log_path(log_folder: Path, accepts: Callable[[LoggedSession], bool]) -> Path | None:
    """The path of the log in `log_folder` whose session began last, among those that `accepts` accepts. None if there
    is none."""
    logs = [(s.start_utc_text, s.log_path) for s in sessions_of_logs(log_folder.glob("*.jsonl")) if accepts(s)]
    return Path(max(logs)[1]) if logs else None


def sessions_of_logs(
    log_paths: Iterable[Path], report_fault: Callable[[str], None] = lambda text: None
) -> Iterator[LoggedSession]:
    """Yields the sessions of some logs. Calls `report_fault` for a log that cannot be read."""
    for path in log_paths:
        try:
            sessions = session_log.sessions_in_log_content(path.read_bytes())
        except OSError as error:
            report_fault(f"{path}: {error.strerror}; left out")
            continue
        yield from (replace(s, log_path=str(path)) for s in sessions)


OptionsT = TypeVar("OptionsT", bound=SessionOptions)


def open_new_session(request: MockRequest, open_bank: OpenBank) -> Sitting:
    """The sitting of a new session or case, its log open and locked. Raises Unreadable and WrongUse."""
    no_log_text = "no session with a response to an item"
    redo_paths = [  # a case is never redone in part
        _log_path_to_reopen(log, request.log_folder, lambda s: bool(s.response_records) and not s.is_case, no_log_text)
        for log in request.log_paths_to_redo
    ]
    try:
        redo_log_content = b"\n".join(Path(path).read_bytes() for path in redo_paths)
    except OSError as error:
        raise Unreadable(f"{printable(str(error.filename))}: {error.strerror}; check its name and rights") from None
    *_, head = ({}, *(s.first_record for s in session_log.sessions_in_log_content(redo_log_content)))
    redo_bank_name = banks.require_findable_bank_name_in_session_line(head) if head.get("bank") else ""
    name = request.bank_name or redo_bank_name or request.default_bank_name
    name, request = find_bank_name_and_options(name, request, request.default_bank_name, open_bank)
    loaded = open_bank(name)
    folder = os.getcwd() if not os.path.isabs(name) and os.path.exists(name.partition("/")[0]) else ""
    identity = SessionIdentity(secrets.token_hex(8), request.candidate_name, name, loaded.required_bank.digest, folder)
    if loaded.named_case is not None:
        return _new_case_sitting(request, loaded.named_case, identity)
    bank = assemble.activate_usable_drafts_if_none_active(loaded.required_bank)
    sessions, planned_session = tuple(sessions_of_logs(request.log_folder.glob("*.jsonl"))), request.planned_session
    cards = session_log.last_mark_and_note_by_item_id(sessions)
    askable_bank = bank_of_askable_items(bank, cards, request.log_folder, request.clock.utc_text())
    repeated_ids = _starred_or_missed_item_ids(request, askable_bank, cards, redo_paths, redo_log_content)
    form_bank = bank if planned_session or repeated_ids else askable_bank
    withheld_count, recent_ids = len(bank.items) - len(form_bank.items), item_ids_of_recent_sessions(sessions)
    form = assemble_session_form(form_bank, loaded.named_blueprint, request, recent_ids, repeated_ids, withheld_count)
    session = interview.new_session(form, request.rules)
    sitting = build_sitting(askable_bank, session, identity, _open_new_log(request, identity), request.clock)
    sitting.study_plan_reason_by_item_id = planned_session.reason_by_item_id if planned_session else {}
    sitting.mark_and_note_by_item_id = cards
    notices = _briefing_notices(request, loaded, form, bank is not loaded.bank)
    sitting.briefing_notice_text = " ".join(filter(None, notices))
    return sitting


def find_bank_name_and_options(name: str, options: OptionsT, default: str, open_bank: OpenBank) -> tuple[str, OptionsT]:
    """The bank, blueprint or case that `name` means, and the options. A name of none of these may be a word in the name
    of only one, or a topic or item of the `default` bank. Raises BankNotFound if nothing matches."""
    try:
        banks.find_bank_path_and_part_name(name)
        return name, options
    except banks.BankNotFound:
        if word := banks.find_only_shipped_name_containing(name):
            return word, options
        items = open_bank(default).required_bank.items
        topics = {item.topic for item in items.values()}
        (topic,) = assemble.complete_topic_words_if_unambiguous([name], topics)
        if topic in topics and not options.topics:
            return default, replace(options, topics=(topic,))
        if name not in items:
            raise
        planned_session = PlannedSession((name,), {}, Fraction(items[name].seconds, 60), f"{name} alone.")
        return default, replace(options, planned_session=planned_session)


def _starred_or_missed_item_ids(
    request: MockRequest, bank: Bank, cards: Mapping[str, MarkAndNote], log_paths: Collection[str], log_content: bytes
) -> tuple[str, ...]:
    """The ids of the items to which a session is limited: bookmarked ones, or those that earned less than full points
    in the logs `log_paths`, whose lines are `log_content`. Raises WrongUse if there are none."""
    if request.takes_only_starred_items:
        starred_ids = tuple(n for n, card in cards.items() if card.mark_word == "star" and n in bank.items)
        if not starred_ids:
            hint = "do it at an item with :keep star or Alt-K"
            raise WrongUse(f"no item of {printable(bank.name)} is bookmarked; {hint}")
        return starred_ids
    missed_ids = missed_item_ids_in_log_content(log_content, bank.items) if log_paths else ()
    if log_paths and not missed_ids:
        raise WrongUse(f"{printable(', '.join(log_paths))} has no missed items of the bank {printable(bank.name)}")
    return missed_ids


def _briefing_notices(request: MockRequest, loaded_bank: LoadedBank, form: Form, is_draft_bank: bool) -> Iterator[str]:
    """Lines for the brief of a new session."""
    if request.planned_session:
        yield request.planned_session.summary_sentence
    is_own_choice = request.log_paths_to_redo or request.takes_only_starred_items or request.item_count is not None
    if loaded_bank.named_blueprint and not is_own_choice and (request.topics or request.kinds or request.difficulties):
        yield assemble.fewer_items_than_blueprint_message(loaded_bank.named_blueprint, len(form.entries))
    if is_draft_bank:
        yield "Every item of this bank is a draft and may change."
    is_new = not (request.log_path or request.log_paths_to_redo or request.planned_session)
    if is_new and latest_accepted_log_path(request.log_folder, is_resumable_by_mock) is not None:
        yield f"An unfinished session is kept: {request.program_command_text} mock --resume continues the latest."


def _new_case_sitting(request: MockRequest, case: Case, identity: SessionIdentity) -> CaseSitting:
    from quizgen.cases.conversation import begin_conversation
    from quizgen.session.case_sitting import CaseSitting

    unfit_options = (request.item_count, request.minutes, request.topics, request.kinds, request.difficulties)
    if any(unfit_options) or request.log_paths_to_redo or request.takes_only_starred_items:
        option_names = "--items, --minutes, --topic, --kind, --difficulty, --redo and --starred"
        raise WrongUse(f"{case.id} is one conversation; leave {option_names} out")
    talk = begin_conversation(case, request.seed or draw.new_random_seed(), request.rules.time_multiplier)
    return CaseSitting(talk, identity, _open_new_log(request, identity), request.clock, request.rules)


def _open_new_log(request: MockRequest, identity: SessionIdentity) -> Journal:
    """The log of a new session, open and locked. Raises Unreadable if the file cannot be created or opened, or holds
    something other than a log."""
    path = request.log_path or ""
    try:
        path = path or prepare_new_log_path(request.log_folder, request.clock.utc_text(), identity.session_id)
        journal = Journal(path)
    except OSError as error:
        place = printable(path or str(request.log_folder))
        raise Unreadable(f"{place}: {error.strerror or error}; choose another place with --log") from None
    content = journal.content_at_opening
    if content.strip() and not any(line for _, line in session_log.numbered_log_records(content)):
        journal.close()
        raise Unreadable(f"{printable(path)} is not an answer log; choose another file")
    return journal


def is_resumable_by_mock(logged: LoggedSession) -> bool:
    """Whether a session can be continued at this terminal: it has no end line, is not from a practice page, and has a
    response or typed text."""
    if logged.has_ended or "page" in logged.first_record:
        return False
    draft = session_files.load_draft_of_log(logged.log_path, str(logged.first_record["session"]))
    return bool(logged.response_records) or any(f.get("draft") for f in draft.draft_file_fields_by_item_id.values())


def _log_path_to_reopen(log_name: str, folder: Path, accepts: Callable[[LoggedSession], bool], no_log_text: str) -> str:
    """The path of the log `log_name`, or of the latest log in `folder` that `accepts` accepts. Raises Unreadable, with
    `no_log_text` in the message, if there is none."""
    if log_name != LATEST_LOG_KEYWORD or os.path.exists(log_name):
        return log_name
    path = latest_accepted_log_path(folder, accepts)
    if path is None:
        raise Unreadable(f"there is {no_log_text} in {printable(str(folder))}; name a log, or begin a new session")
    return str(path)


def open_resumed_session(request: MockRequest, open_bank: OpenBank) -> Sitting:
    """The sitting that continues a logged session or case, its log open and locked. Raises Unreadable and WrongUse."""
    no_log_text = "no unfinished session with a response"
    path = _log_path_to_reopen(request.log_path_to_resume or "", request.log_folder, is_resumable_by_mock, no_log_text)
    if not os.path.isfile(path):
        raise Unreadable(f"{printable(path)}: there is no such log; check its name")
    try:
        journal = Journal(path)
    except OSError as error:
        raise Unreadable(f"{printable(path)}: {error.strerror or error}; check its name and rights") from None
    try:
        sessions = session_log.sessions_in_log_content(journal.content_at_opening)
        logged = next((s for s in reversed(sessions) if not s.has_ended and "page" not in s.first_record), None)
        if logged is None:
            reason = "each session in it has ended, or goes on in its practice page"
            raise Unreadable(f"{printable(path)} has nothing to resume: {reason}; leave --resume out to begin anew")
        bank = open_bank(banks.require_findable_bank_name_in_session_line(logged.first_record)).required_bank
        logs = {*request.log_folder.glob("*.jsonl"), Path(path)}
        cards = session_log.last_mark_and_note_by_item_id(sessions_of_logs(logs))
        askable_bank = bank_of_askable_items(bank, cards, request.log_folder, request.clock.utc_text())
        sitting = resume_sitting(logged, bank, journal, request.clock, request.allows_changed_bank, askable_bank)
    except BaseException:  # whatever happened, the log must be unlocked
        journal.close()
        raise
    if damage := session_log.damaged_lines_note_on_log_content(journal.content_at_opening):
        sitting.briefing_notice_text = f"In the log, {damage}: an item that it was about is asked again."
    rules = replace(sitting.session.rules, wants_probes=request.rules.wants_probes)
    sitting.session = replace(sitting.session, rules=rules)
    sitting.study_plan_reason_by_item_id = request.planned_session.reason_by_item_id if request.planned_session else {}
    sitting.mark_and_note_by_item_id = cards
    return sitting


def bank_of_askable_items(bank: Bank, cards: Mapping[str, MarkAndNote], log_folder: Path, utc_text: str) -> Bank:
    """The bank without the items that no session may draw at `utc_text` (UTC, ISO 8601): those that `cards` leave out,
    and those that a plan in `log_folder` keeps for its rehearsal, until that is over. Items that a blueprint names
    stay."""
    day = datetime.fromisoformat(utc_text).astimezone().date().toordinal()
    study = None
    with suppress(Unreadable, OSError):  # `quizgen plan` reports it
        study = session_files.load_study_plan(log_folder)
    sealed_ids = study.sealed_item_ids if study is not None and day <= study.rehearsal_day_ordinal else ()
    plans = bank.blueprint_by_name.values()
    safe_ids = {name for plan in plans for section in plan.sections for name in section.required_ids}
    hidden_ids = ({*sealed_ids, *item_ids_marked_never_ask(cards)} - safe_ids) & bank.items.keys()
    return replace(bank, items={n: i for n, i in bank.items.items() if n not in hidden_ids}) if hidden_ids else bank


def item_ids_marked_never_ask(cards: Mapping[str, MarkAndNote]) -> frozenset[str]:
    """The ids of the items that the candidate never wants to be asked again."""
    return frozenset(name for name, card in cards.items() if card.mark_word in session_log.MARK_WORDS_EXCLUDING_ITEM)


def run_sessions_for_exit_code(request: MockRequest, open_bank: OpenBank, report_message: ReportMessage) -> int:
    """Runs a session, and another on the missed items if the candidate wants one at the end. Returns the last exit
    code. Raises Unreadable and WrongUse."""
    if (page := request.html_path) and not Path(page).absolute().parent.is_dir():
        # Refuse now, not after three quarters of an hour.
        raise Unreadable(f"{printable(page)}: there is no such folder; make it, or name another for --html")
    while True:
        sitting = (open_resumed_session if request.log_path_to_resume else open_new_session)(request, open_bank)
        path = sitting.journal.path
        try:
            sitting.log_start_or_resume()
        except LinesNotSaved as error:
            sitting.journal.close()
            raise Unreadable(f"{printable(path)}: {error}; choose another place with --log") from None
        code, reason, wants_redo = _run_sitting_for_code_reason_and_redo(sitting, request)
        if sitting.session.run_state is RunState.ENDED:
            _print_result_and_write_page(sitting, request, report_message)
        else:
            note = "Your last response is kept as a draft." if sitting.log_error_text else "Nothing is lost."
            if sitting.session.run_state is RunState.NOT_STARTED and not sitting.is_resumed:
                note = "The session has not begun yet."
            elif sitting.draft_save_error_text:
                note = f"What you typed last could not be saved ({sitting.draft_save_error_text}); all before it is."
            command = f"{request.program_command_text} mock --resume {printable(quote(path))}"
            with suppress(OSError):  # after SIGHUP the terminal may be gone
                report_message(f"{reason} {note} Continue with: {command}".lstrip(" "))
        if sitting.log_error_text:
            raise Unreadable(f"{printable(path)}: {sitting.log_error_text}")
        if not wants_redo:
            return code
        # The same rules, in the named log or in a new log of the folder.
        request = replace(
            request, bank_name="", log_paths_to_redo=(path,), log_path_to_resume=None, html_path=None,
            planned_session=None, seed=None, item_count=None, minutes=None, topics=(), kinds=(), difficulties=(),
            rules=sitting.session.rules, takes_only_starred_items=False,
        )  # fmt: skip


def _run_sitting_for_code_reason_and_redo(sitting: Sitting, request: MockRequest) -> tuple[int, str, bool]:
    """Runs a sitting. Returns the exit code, how it was left (empty if it ended, or on a full screen), and whether to
    redo the missed items at once."""
    try:
        if request.wants_full_screen:
            from quizgen.terminal import screen, session_screen

            screen_class = session_screen.CaseScreen if sitting.is_case else session_screen.SessionScreen
            code, wants_redo = screen.run_full_screen_for_exit_code_and_redo(screen_class(sitting), request.uses_colour)
            return code, "", wants_redo
        from quizgen.terminal import plain

        display = plain.PlainCase if sitting.is_case else plain.PlainSession
        lines = LineTerminal(os.isatty(0), request.width, image_protocol_name=request.image_protocol_name)
        sitting.counts_long_gap_as_away = lines.is_interactive
        with raise_on_signals():
            display(sitting, lines).run_to_debrief()
    except SessionLeftForLater:
        return 0, "Kept for later.", False
    except KeyboardInterrupt:
        return 130, "\nInterrupted.", False
    except SignalReceived as signal:
        return 128 + int(str(signal)), "" if request.wants_full_screen else "Stopped.", False
    finally:
        sitting.close_log_and_keep_draft()
    return 0, "", False


def _print_result_and_write_page(sitting: Sitting, request: MockRequest, report_message: ReportMessage) -> None:
    """Prints the result of a session that ended, and writes its page if requested."""
    debrief = debrief_of_sitting(sitting)
    if request.wants_full_screen:
        for line in debrief.summary_lines(request.width):
            report_message(line)
    log = printable(sitting.journal.path)
    if request.html_path:
        hint = f"the log is complete, and `quizgen debrief {quote(log)} --html FILE` writes the page elsewhere"
        write_atomically(request.html_path, debrief.html_page(), hint)
        report_message(f"Debrief: {printable(request.html_path)}")
    report_message(f"Log: {log}")
    if request.wants_full_screen and not sitting.is_case:
        suffix = f" {printable(quote(sitting.journal.path))}" if request.log_path or request.log_path_to_resume else ""
        has_missed, run = sitting.session.has_shown_item_below_full_points(), request.program_command_text
        redo = f"--redo{suffix}" if has_missed else printable(quote(sitting.session_identity.bank_name))
        for line in next_command_lines([f"{run} mock {redo}", f"{run} debrief{suffix} --html FILE", f"{run} progress"]):
            report_message(line)
