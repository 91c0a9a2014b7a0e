"""A session in progress: its state, its clock and its log change together.

Plain mode and full screen call the same methods. A response is on disk if `log_error_text` is empty when
`record_and_log_response` returns. The sitting of a case, whose items are turns, is in `session.case_sitting`."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from quizgen.answer_areas import NumericAnswerLine, Options, TextAnswerLines, option_letter, selected_option_texts
from quizgen.model import FormEntry, Outcome, Response, Variant, hint_cost_share
from quizgen.session import interview, session_log
from quizgen.session.interview import Dispute, Interview, RunState
from quizgen.session.journal import Journal, LinesNotSaved, delete_draft_of_log, replace_draft_file_of_log
from quizgen.session.session_log import LogRecord, MarkAndNote, SessionIdentity, make_record

if TYPE_CHECKING:  # most sessions are not cases, and a session starts without a page
    from quizgen.cases.judge import Judgement
    from quizgen.page import Block

ResponseArea = Options | NumericAnswerLine | TextAnswerLines
MAX_RESPONSE_CHARACTERS = 64 * 1024  # characters of one response


@dataclass(frozen=True, slots=True)
class ResponseReading:
    """A response to be logged, empty if it is blank. `message` says how it was read, or how to write it, and reveals
    nothing of the key. `draft_text` is what a draft keeps: the text, or the letters of the options."""

    response_to_log: Response
    message: str
    draft_text: str
    is_unreadable: bool = False


def response_block(prompt: tuple[Block, ...]) -> ResponseArea:
    """The block of a prompt that takes the response, such as its options; one for free text if it has none."""
    areas = (block for block in reversed(prompt) if isinstance(block, Options | NumericAnswerLine | TextAnswerLines))
    return next(areas, TextAnswerLines())


def parse_response(variant: Variant, typed_text: str) -> ResponseReading:
    """The response that the text `typed_text` means. If it cannot be read, the text itself is the response."""
    typed_text = session_log.text_cut_to_log_bytes(typed_text[:MAX_RESPONSE_CHARACTERS], session_log.MAX_RESPONSE_BYTES)
    area = response_block(variant.prompt())
    response: Response = typed_text
    texts = selected_option_texts(typed_text, [o.text for o in area.options]) if isinstance(area, Options) else None
    if texts is not None:
        response = texts if len(texts) > 1 else texts[0] if texts else ""
    echo = variant.echo_response(response)
    if echo.unscored_outcome is Outcome.UNREADABLE:
        return ResponseReading(typed_text, echo.text or how_to_respond_text(area), typed_text, is_unreadable=True)
    if echo.unscored_outcome is Outcome.BLANK:
        return ResponseReading("", "blank", "")
    if isinstance(area, Options):
        option_texts = (response,) if isinstance(response, str) else response
        letters = ", ".join(option_letter(i) for i, o in enumerate(area.options) if o.text in option_texts)
        return ResponseReading(response, letters, letters)
    if isinstance(area, TextAnswerLines):
        words = len(typed_text.split())
        return ResponseReading(response, f"{words} word{'s' * (words != 1)}", typed_text)
    return ResponseReading(response, echo.text, typed_text)


def how_to_respond_text(area: ResponseArea) -> str:
    """A sentence on how to write a response in this area."""
    match area:
        case Options(options, several):
            last = option_letter(len(options) - 1)
            several_letters = f"the letters of all that apply, A to {last}, such as A, C"
            return f"Answer with {several_letters if several else f'one letter, A to {last}'}."
        case NumericAnswerLine(requested_numbers_text=numbers) if numbers:
            return f"Answer with {numbers}."
        case NumericAnswerLine(unit, words, required_significant_digits=digits):
            if words:
                return f"Answer with one of: {', '.join(words)}."
            number = f"one number to {digits} digits" if digits else "one number"
            unit_note = f"; a bare number is read in {unit}" if unit else ""
            return f"Answer with {number}, or a calculation such as 14/8 + 2*14/32{unit_note}."
        case TextAnswerLines():
            return "Answer in your own words."


def no_facts_reply_text(area: ResponseArea) -> str:
    """The interviewer's reply to a request for facts when the item has none."""
    return f"Nothing more is given for this item{'; state what you assume' * isinstance(area, TextAnswerLines)}."


class Clock:
    """The clocks of this machine; a test passes one that it moves by hand."""

    def seconds_now(self) -> float:
        """Seconds that only grow. They do not depend on the wall clock, and pause while Linux or macOS sleeps, as
        `time.monotonic` does."""
        return time.monotonic()

    def utc_text(self) -> str:
        """The current UTC time in ISO 8601, for the log only: no deadline depends on it."""
        return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(eq=False)
class Sitting:
    """Mutable: contains the current `Interview` and an open log. `log_error_text` says why lines are not on disk,
    `draft_save_error_text` why typed text is not; both are empty if all is well. `counts_long_gap_as_away`: a person is
    at the terminal, and the clock ticks every second. `draw_follow_up_entry` draws a follow-up by its id;
    `bank_folder_path` is the bank's folder, for images; `load_glossary` returns the meanings of the bank's terms;
    `briefing_notice_text` is a line for the briefing; `study_plan_reason_by_item_id` says why a plan asks an item
    today."""

    is_case: ClassVar[bool] = False

    session: Interview
    session_identity: SessionIdentity
    journal: Journal
    clock: Clock
    draw_follow_up_entry: Callable[[str], FormEntry | None] = lambda name: None
    is_resumed: bool = False
    counts_long_gap_as_away: bool = True
    bank_folder_path: str = ""
    load_glossary: Callable[[], Mapping[str, str]] = dict
    log_error_text: str = field(default="", init=False)
    draft_save_error_text: str = field(default="", init=False)
    briefing_notice_text: str = field(default="", init=False)
    study_plan_reason_by_item_id: Mapping[str, str] = field(default_factory=dict, init=False)
    mark_and_note_by_item_id: dict[str, MarkAndNote] = field(default_factory=dict, init=False)
    _draft_saved_at_seconds: float = field(default=float("-inf"), init=False)
    _item_indices_with_unsaved_response: list[int] = field(default_factory=list, init=False)  # not on disk
    _shown_warning_names: set[str] = field(default_factory=set, init=False)  # the warnings about the time given so far

    # -- the log ----------------------------------------------------------------------------

    def log_start_or_resume(self) -> None:
        """Writes the session's first line, or the line that resumes it. Raises LinesNotSaved."""
        utc_text, seconds, identity = self.clock.utc_text(), round(self.session.used_seconds, 3), self.session_identity
        record = make_record("resume", identity.session_id, at=utc_text, elapsed=seconds, digest=identity.bank_digest)
        self.journal.append(record if self.is_resumed else self._first_log_record(utc_text))

    def _first_log_record(self, utc_text: str) -> LogRecord:
        return session_log.first_record_of_session(self.session_identity, self.session, utc_text)

    def retry_saving_lines(self) -> bool:
        """Tries again to write the lines that are only in memory. Returns whether everything is on disk."""
        self._save_lines_or_keep_drafts(self.journal.retry_pending_lines)
        return not self.log_error_text

    def save_draft(self, force: bool = False) -> None:
        """Saves the typed text beside the log, at most once a second unless `force`."""
        now = self.clock.seconds_now()
        if self.session.run_state is RunState.ENDED or (now - self._draft_saved_at_seconds < 1.0 and not force):
            return
        self._draft_saved_at_seconds = now
        self.advance_clock_to_now()
        try:
            replace_draft_file_of_log(self.journal.path, self.session_identity.session_id, self.session, now)
            self.draft_save_error_text = ""
        except OSError as error:
            self.draft_save_error_text = error.strerror or str(error)

    def close_log_and_keep_draft(self) -> None:
        """Leaves the session. Typed text stays as a draft if the session can be resumed."""
        self.save_draft(force=True)
        self.journal.close()

    def _log(self, line: LogRecord) -> None:
        self._save_lines_or_keep_drafts(partial(self.journal.append, line))

    def _save_lines_or_keep_drafts(self, write_lines: Callable[[], None]) -> None:
        """Calls `write_lines`, and keeps the response as its item's draft until it is on disk, so that no word is lost
        if the session ends before."""
        try:
            write_lines()
        except LinesNotSaved as error:
            self.log_error_text = str(error)
            return
        self.log_error_text = ""
        for index in self._item_indices_with_unsaved_response:
            self.session = self.session.with_item_changes(index, draft_text="")
        self._item_indices_with_unsaved_response = []

    # -- events -----------------------------------------------------------------------------

    def start_clock(self) -> None:
        self.session = self.session.start_clock(self.clock.seconds_now())

    def advance_clock_to_now(self) -> None:
        self.session = self.session.advance_clock(self.clock.seconds_now(), self.counts_long_gap_as_away)

    def update_item_state(self, **changes: Any) -> None:
        """Sets fields of the current item's `ItemState`, such as `confidence`: 1 (a guess) to 5 (certain), or None."""
        self.session = self.session.with_item_changes(**changes)

    def record_and_log_response(self, reading: ResponseReading) -> None:
        """Records and logs a response to the current item."""
        if reading.response_to_log:
            self.update_item_state(draft_text=reading.draft_text)
            self._item_indices_with_unsaved_response.append(self.session.current_index)
        self._store_and_log_response(reading.response_to_log)

    def log_skip_unless_answered(self) -> None:
        """Leaves the item without a response; an earlier response stays."""
        if self.session.item_state.response is None or not self.session.item_state.is_answered_or_closed:
            self._store_and_log_response("", was_skipped=True)

    def go_to_item(self, index: int) -> None:
        self.unpause()
        self.session = self.session.go_to_item(index, self.clock.seconds_now())

    def enter_review_list(self) -> None:
        self.unpause()
        self.advance_clock_to_now()
        self.session = replace(self.session, is_review_shown=True)

    def save_draft_text(self, text: str) -> None:
        self.update_item_state(draft_text=text)
        self.save_draft()

    def save_scratch_text(self, text: str) -> str:
        """Saves the text of the scratch pad. Returns a message if only its beginning fits into the log."""
        saved_text = session_log.text_cut_to_log_bytes(text, session_log.MAX_SCRATCH_BYTES)
        self.update_item_state(scratch_text=saved_text)
        self.save_draft()
        return "" if saved_text == text else "The scratch pad is full: text after its first 64 KiB is not kept."

    def toggle_flag(self) -> str:
        """Flags the item for the review, or unflags it. Returns a message that says so."""
        self.update_item_state(is_flagged=not self.session.item_state.is_flagged)
        self.save_draft(force=True)
        return "Flagged for review." if self.session.item_state.is_flagged else "No longer flagged."

    def next_hint_offer_text_and_availability(self) -> tuple[str, bool]:
        """A sentence on the cost of the next hint, and whether there is one."""
        state = self.session.item_state
        taken_count, count = state.taken_hint_count, len(state.item.hints)
        if taken_count >= count or state.is_closed:
            return "There is no further hint." if count else "This item has no hints.", False
        share = hint_cost_share(taken_count + 1) - hint_cost_share(taken_count)
        return f"Hint {taken_count + 1} of {count} takes {round(share * 100)} % off what this item earns.", True

    def take_next_hint(self) -> str:
        """The next hint of the item, which `next_hint_offer_text_and_availability` has offered."""
        state = self.session.item_state
        self.update_item_state(taken_hint_count=state.taken_hint_count + 1)
        self.save_draft(force=True)
        return state.item.hints[state.taken_hint_count]

    def request_all_fact_texts(self) -> tuple[str, ...]:
        """The facts that an interviewer gives on request; they cost nothing."""
        facts = self.session.item_state.item.facts_on_request
        self.update_item_state(are_facts_shown=bool(facts))
        return facts

    def close_item_for_solution(self) -> None:
        """Closes the item (practice mode only) and logs it as left if it has no response. The clock stops until another
        item is shown, because reading a solution is not session time."""
        self.update_item_state(is_closed=True)
        if self.session.item_state.response is None:
            self._store_and_log_response("")
        self.pause()

    def pause(self) -> None:
        self.advance_clock_to_now()
        if self.session.run_state is RunState.RUNNING:
            self.session = replace(self.session, run_state=RunState.PAUSED)
        self.save_draft(force=True)

    def unpause(self) -> None:
        if (session := self.session).run_state is RunState.PAUSED:
            self.session = replace(session, run_state=RunState.RUNNING, last_clock_seconds=self.clock.seconds_now())

    @property
    def current_item_plan_reason(self) -> str:
        """Why the plan asks the current item today; empty without a plan and for a follow-up."""
        state = self.session.item_state
        return "" if state.is_follow_up else self.study_plan_reason_by_item_id.get(state.item.id, "")

    def insert_follow_ups(self) -> None:
        """Inserts the follow-ups of the current item after it, as many as there is time for."""
        if self.session.rules.can_probe and self.session.item_state.is_answered_or_closed:
            entries = list(filter(None, map(self.draw_follow_up_entry, self.session.item_state.item.follow_up_ids)))
            fitting_entries = self.session.follow_ups_that_fit_in_time(entries, self.clock.seconds_now())
            self.session = self.session.insert_follow_ups(fitting_entries)

    def choose_criterion_id_to_probe_or_empty(self) -> str:
        """The criterion to probe, only once for each item; empty if there is nothing to probe."""
        state = self.session.item_state
        if not self.session.rules.can_probe or state.response is None or state.is_closed or state.probed_criterion_id:
            return ""
        criterion = interview.costliest_criterion_id_or_empty(state.variant.score(state.response))
        self.update_item_state(probed_criterion_id=criterion)
        return criterion

    def submit_answer_to_probe(self, question: str, typed_text: str) -> str:
        """Adds the answer to a probe to the response, as one more line in the log. Returns the interviewer's reply if
        the text is no answer; empty if it is one, or is blank."""
        from quizgen.cases.listening import reply_text_to_non_answer  # few responses get a follow-up

        state = self.session.item_state
        if (reply := reply_text_to_non_answer(typed_text, question, self.load_glossary)) or not typed_text.strip():
            self.save_draft_text("")  # a question is no part of the response
        else:
            self.record_and_log_response(parse_response(state.variant, f"{state.response}\n\n{typed_text}"))
        return reply

    def log_dispute(self, index: int, dispute: Dispute) -> None:
        """Logs the candidate's claim about a mark, also after the end; the last claim about a criterion counts."""
        state, session_id = self.session.item_states[index], self.session_identity.session_id
        other_disputes = tuple(d for d in state.disputes if d.criterion_id != dispute.criterion_id)
        self.session = self.session.with_item_changes(index, disputes=(*other_disputes, dispute))
        self._log(session_log.log_record_of_dispute(session_id, state.item.id, dispute, self.clock.utc_text()))

    def save_mark_or_note_of_item(self, index: int, typed_text: str) -> str:
        """Logs the card on an item after the candidate typed something, even after the end. Returns a message with the
        card's text."""
        name = self.session.item_states[index].item.id
        card = self.mark_and_note_by_item_id.pop(name, MarkAndNote(name)).with_typed_mark_or_note(typed_text)
        if card.mark_and_note_text:
            self.mark_and_note_by_item_id[name] = card
        self._log(card.log_record(self.session_identity.session_id, self.clock.utc_text()))
        return f"Kept of item {self.session.displayed_number_text(index)}: {card.mark_and_note_text or 'nothing'}."

    def is_session_or_phase_time_up(self) -> bool:
        """Whether a timed session that runs has used its whole budget."""
        return self.session.run_state is RunState.RUNNING and self.session.seconds_left(self.clock.seconds_now()) <= 0

    def due_warning_text(self) -> str:
        """The warning about the time that is due now, each once; empty if there is none."""
        session, now = self.session, self.clock.seconds_now()
        if not session.rules.is_timed or session.run_state is not RunState.RUNNING:
            return ""
        if session.seconds_left(now) <= 60 < session.budget_seconds and self._register_warning_if_new("minute"):
            return "One minute left. What you have typed is submitted when time is over."
        is_late = not session.is_review_shown and session.seconds_on_item(now) > session.item_budget_seconds()
        if is_late and self._register_warning_if_new(session.item_state.item.id):
            return "This item's time is over: take the time you need, it is only noted as late."
        return ""

    def _register_warning_if_new(self, name: str) -> bool:
        is_first = name not in self._shown_warning_names
        self._shown_warning_names.add(name)
        return is_first

    def end_session(self, reason: str) -> None:
        """Ends the session: submits drafts, logs items that were shown and left, and logs the end."""
        self.advance_clock_to_now()
        self._submit_draft_texts()
        self.session = self.session.end_session(self.clock.seconds_now(), reason)
        who, ran, away = self.session_identity, round(self.session.used_seconds, 3), round(self.session.away_seconds, 1)
        line = make_record("end", who.session_id, at=self.clock.utc_text(), reason=reason, elapsed=ran)
        self._log(line | ({"away": away} if away >= 1 else {}))
        if not self.log_error_text:
            delete_draft_of_log(self.journal.path)

    def case_judgement_or_none(self) -> Judgement | None:
        """The judgement of a case; None for a session of items."""
        return None

    def _submit_draft_texts(self) -> None:
        """Submits text that was typed but not submitted, and logs the items that were shown and left. A text that
        cannot be read replaces no response."""
        for index in self.session.item_indices_with_unsubmitted_text():
            state = self.session.item_states[index]
            reading = parse_response(state.variant, state.draft_text)
            keeps_response = reading.is_unreadable and state.is_answered_or_closed
            if reading.response_to_log not in ("", state.response) and not keeps_response:
                self._store_and_log_response(reading.response_to_log, index)
        for index, state in enumerate(self.session.item_states):
            if state.was_shown and state.response is None:
                self._store_and_log_response("", index)

    def _store_and_log_response(self, response: Response, index: int | None = None, was_skipped: bool = False) -> None:
        now = self.clock.seconds_now()
        self.session = self.session.record_response(response, now, was_skipped, index)
        at = self.session.current_index if index is None else index
        self._log(session_log.response_record(self.session_identity, self.session, at, self.clock.utc_text(), now))
