"""The sitting of a case, whose items are the turns of a conversation, and its lines in the log.

A response is on disk if `log_error_text` is empty when `submit_text_for_reply_lines` returns. The log has a line for
each exchange, from which a resume repeats the conversation, and a response line for each turn, which `quizgen score`
reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from quizgen.cases import conversation as conversations
from quizgen.cases import talk as talking
from quizgen.cases.case import Case, CasePhase
from quizgen.cases.conversation import Conversation, Exchange, LineReason, TranscriptLine
from quizgen.cases.judge import Judgement, judge_conversation
from quizgen.model import Form, FormEntry
from quizgen.session import session_log
from quizgen.session.interview import Interview, ItemState, SessionRules
from quizgen.session.journal import Journal
from quizgen.session.session_log import LogRecord, SessionIdentity, field_or_default, make_record, parse_seconds
from quizgen.session.sitting import Clock, Sitting

USED_TIME_SHARE_BEFORE_WARNING = 0.8  # share of a phase's time after which the interviewer asks the candidate to finish
PHASE_ENDING_WARNING_TEXT = "Interviewer: One more sentence on this, then we move on."


class CaseSitting(Sitting):
    """Mutable: contains the conversation as well as the session. `seconds_by_phase_id` is the number of seconds spent
    in each phase."""

    is_case = True

    def __init__(
        self, conversation: Conversation, identity: SessionIdentity, journal: Journal, clock: Clock,
        rules: SessionRules, seconds_by_phase_id: Mapping[str, float] | None = None, is_resumed: bool = False,
    ) -> None:  # fmt: skip
        self.conversation = conversation
        self.seconds_by_phase_id = defaultdict[str, float](float, seconds_by_phase_id or {})
        case = conversation.case
        responses = {name: conversation.turn_response_text(name) for name in conversation.responses_by_turn_id}
        entries = tuple(FormEntry(conversation.item_variant_of_turn(turn.id)) for turn in case.turns)
        states = tuple(ItemState(e, responses.get(t.id)) for e, t in zip(entries, case.turns, strict=True))
        at = len(states) - 1 if conversation.is_over else case.turns.index(conversation.turn)
        form = Form(case.title, "", conversation.seed, case.allowed_minutes, entries)
        session = Interview(form, rules, states, current_index=at, used_seconds=sum(self.seconds_by_phase_id.values()))
        super().__init__(session, identity, journal, clock, is_resumed=is_resumed)

    def _first_log_record(self, utc_text: str) -> LogRecord:
        case = self.conversation.case
        names = [t.item.id for t in case.turns if not t.is_branch_only]
        record = session_log.first_record_of_session(self.session_identity, self.session, utc_text, names)
        return record | {"case": case.id}

    # -- the clock --------------------------------------------------------------------------

    @property
    def phase(self) -> CasePhase:
        """The phase of the current turn; the last phase once the case is over."""
        case = self.conversation.case
        return case.phases[-1] if self.conversation.is_over else case.phase_by_id(self.conversation.turn.phase_id)

    def phase_budget_seconds(self) -> float:
        """The time box of the current phase, in seconds."""
        return float(self.phase.allowed_minutes) * 60

    def phase_seconds_left(self) -> float:
        """The seconds left in the phase's time box. Time that an earlier phase did not use is not added."""
        return self.phase_budget_seconds() - self.seconds_by_phase_id.get(self.phase.id, 0.0)

    def advance_clock_to_now(self) -> None:
        start_seconds, name = self.session.used_seconds, self.phase.id
        super().advance_clock_to_now()
        if not self.conversation.is_over:
            self.seconds_by_phase_id[name] += self.session.used_seconds - start_seconds

    def is_session_or_phase_time_up(self) -> bool:
        """Whether the phase's time box is used up, so that the next phase begins."""
        return self.session.rules.is_timed and not self.conversation.is_over and self.phase_seconds_left() <= 0

    def due_warning_text(self) -> str:
        """The interviewer's request to finish, once most of the phase's time box is used up."""
        runs = self.session.rules.is_timed and not self.conversation.is_over
        is_short = self.phase_seconds_left() <= self.phase_budget_seconds() * (1 - USED_TIME_SHARE_BEFORE_WARNING)
        return PHASE_ENDING_WARNING_TEXT if runs and is_short and self._register_warning_if_new(self.phase.id) else ""

    # -- the conversation --------------------------------------------------------------------

    def submit_text_for_reply_lines(self, text: str) -> tuple[TranscriptLine, ...]:
        """Logs the candidate's `text` (blank: the turn is left). Returns the interviewer's lines and next question."""
        self.advance_clock_to_now()
        if not text.strip():
            reason = "you had asked what you wanted" if self.conversation.turn.candidate_asks else "you went on"
            return self._apply_exchange(self.conversation.exchange_leaving_unanswered(reason))
        seconds_left = self.phase_seconds_left() if self.session.rules.is_timed else None
        talk = replace(self.conversation, phase_seconds_left=seconds_left)
        return self._apply_exchange(talking.exchange_for_text(talk, text))

    def end_phase_for_reply_lines(self, typed_text: str) -> tuple[TranscriptLine, ...]:
        """Ends the phase because its time is over: submits `typed_text`, and returns the lines of the next phase."""
        if typed_text.strip():
            exchange = talking.exchange_for_text(self.conversation, typed_text, in_time=False)
            return self._apply_exchange(exchange, is_late=True)
        return self._apply_exchange(self.conversation.exchange_leaving_unanswered(LineReason.TIME_OVER, in_time=False))

    def case_judgement_or_none(self) -> Judgement:
        return judge_conversation(self.conversation, self.seconds_by_phase_id)

    def _submit_draft_texts(self) -> None:
        """Submits text that was typed but not sent. Earlier turns are already in the log."""
        text = self.session.item_state.draft_text
        is_saved = self.session.current_index not in self._item_indices_with_unsaved_response
        if text.strip() and is_saved and not self.conversation.is_over:
            self._apply_exchange(talking.exchange_for_text(self.conversation, text))

    def _apply_exchange(self, exchange: Exchange, is_late: bool = False) -> tuple[TranscriptLine, ...]:
        talk, index, now = self.conversation, self.session.current_index, self.clock.seconds_now()
        identity, self.conversation = self.session_identity, talk.with_exchange_applied(exchange)
        is_response = exchange.text_taken_as == "response" or bool(exchange.candidate_text and talk.turn.candidate_asks)
        response = self.conversation.turn_response_text(exchange.turn_id)
        self.update_item_state(draft_text=exchange.candidate_text, response=response, is_response_late=is_late)
        self._item_indices_with_unsaved_response.append(index)
        if is_response or exchange.turn_id not in talk.responses_by_turn_id:
            self._log(session_log.response_record(identity, self.session, index, self.clock.utc_text(), now))
        names = (identity.session_id, talk.case.id)
        self._log(exchange_record(*names, exchange, self.clock.utc_text(), self.seconds_by_phase_id))
        if not self.conversation.is_over and exchange.turn_id_afterwards != exchange.turn_id:
            self.session = self.session.go_to_item(talk.case.turns.index(self.conversation.turn), now)
            self.update_item_state(form_entry=FormEntry(self.conversation.current_turn_variant))
        return self.conversation.lines[len(talk.lines) + (1 if exchange.candidate_text else 0) :]


# -- its lines in the log --------------------------------------------------------------------


def exchange_record(
    session_id: str, case_id: str, exchange: Exchange, utc_text: str, seconds_by_phase_id: Mapping[str, float]
) -> LogRecord:
    """The log line of one exchange: its text, facts requested, numbers that the candidate fixed, the next turn, and the
    seconds spent in each phase."""
    effect: LogRecord = {"to": exchange.turn_id_afterwards, "said": [[x.text, x.reason] for x in exchange.reply_lines]}
    effect |= {"probe": exchange.probe_or_doubt_id} if exchange.probe_or_doubt_id else {}
    effect |= {"branch": exchange.taken_branch_index} if exchange.taken_branch_index >= 0 else {}
    effect |= {"read": exchange.response_part} if exchange.response_part else {}
    return make_record(
        "turn", session_id, item=f"{case_id}.{exchange.turn_id}",
        text=exchange.candidate_text, took=exchange.text_taken_as, asked=list(exchange.given_fact_ids),
        values={name: int(n) if n.denominator == 1 else float(n) for name, n in exchange.number_by_commitment.items()},
        went=effect, at=utc_text, spent={name: round(seconds, 1) for name, seconds in seconds_by_phase_id.items()},
    )  # fmt: skip


def replay_conversation_and_phase_seconds(
    case: Case, seed: str, case_turn_records: Sequence[LogRecord], time_multiplier: float = 1.0
) -> tuple[Conversation, dict[str, float]]:
    """The conversation rebuilt from the turn lines of a log, and the seconds spent in each phase. The replay ends at a
    line whose turn is unknown or not the next one."""
    talk = conversations.begin_conversation(case, seed, time_multiplier)
    seconds_by_phase_id: dict[str, float] = {}
    for record in case_turn_records:
        if (exchange := _parse_logged_exchange(case, record)) is None or exchange.turn_id != talk.turn_id:
            break
        talk = talk.with_exchange_applied(exchange)
        if isinstance(seconds := record.get("spent"), dict):
            seconds_by_phase_id = {str(name): parse_seconds(value) for name, value in seconds.items()}
    return talk, seconds_by_phase_id


def _parse_logged_exchange(case: Case, record: LogRecord) -> Exchange | None:
    """The exchange in a log line; None if the line names no turn of the case or lacks a field."""
    names = ("", *(turn.id for turn in case.turns))
    turn, text = str(record.get("item", "")).removeprefix(f"{case.id}."), record.get("text")
    effect: LogRecord = field_or_default(record, "went", {})
    to, lines = effect.get("to"), effect.get("said")
    if not turn or turn not in names or not isinstance(text, str) or to not in names or not isinstance(lines, list):
        return None
    pairs = (pair for pair in lines if isinstance(pair, list) and len(pair) == 2)
    values: dict[str, Any] = field_or_default(record, "values", {})
    numbers = {k: Fraction(str(v)) for k, v in values.items() if type(v) in (int, float) and -1e15 < v < 1e15}
    fact_ids: list[object] = field_or_default(record, "asked", [])
    return Exchange(
        turn_id=turn,
        candidate_text=text,
        text_taken_as=str(record.get("took", "response")),
        reply_lines=tuple(TranscriptLine("interviewer", str(reply), turn, str(reason)) for reply, reason in pairs),
        turn_id_afterwards=str(to),
        given_fact_ids=tuple(map(str, fact_ids)),
        number_by_commitment=numbers,
        probe_or_doubt_id=field_or_default(effect, "probe", ""),
        taken_branch_index=field_or_default(effect, "branch", -1),
        response_part=field_or_default(effect, "read", ""),
    )
