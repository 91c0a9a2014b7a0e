"""The mock interview line by line: for pipes, screen readers and simple terminals.

Lines are only ever added. A choice is answered by a letter, a number in one line, and a text in several lines, up to a
line that is just a dot; commands begin with a colon."""

from __future__ import annotations

from contextlib import suppress
from operator import attrgetter
from typing import TYPE_CHECKING, ClassVar

from quizgen.answer_areas import Options, TextAnswerLines
from quizgen.model import response_text
from quizgen.render.text import ASCII_EMPHASIS, terminal_safe_text, wrap_blocks, wrap_markdown_line, wrap_text
from quizgen.session.interview import TICK_SECONDS, Interview, Mode, duration_in_words
from quizgen.session.session_log import CARD_MARK_HELP_TEXT
from quizgen.session.sitting import Sitting, how_to_respond_text, no_facts_reply_text, parse_response, response_block
from quizgen.source.problems import clock_text, did_you_mean, points_phrase
from quizgen.terminal import panes
from quizgen.terminal.debriefs import ask_about_disputes, debrief_of_sitting
from quizgen.terminal.lines import LineTerminal, SessionEnded, SessionLeftForLater, image_escape_sequences
from quizgen.terminal.panes import briefing_lines, controls_section_rows, review_list_line

if TYPE_CHECKING:  # most sessions are not cases
    from quizgen.cases.conversation import TranscriptLine
    from quizgen.session.case_sitting import CaseSitting

CONFIRM_LEAVING_PROMPT = "Leave? Ctrl-C again keeps the session for --resume; :quit ends it; anything else goes on."
CONFIRM_ENDING_PROMPT = "Leave? Ctrl-C keeps the session for --resume; Ctrl-D again ends it; anything else goes on."


class ItemRequested(Exception):
    """Raised to show another item, or the same one again; the argument is its index."""


class ItemSkipped(Exception):
    """Raised when the candidate leaves the current item for now."""


def usage_text_and_method_name_by_command(kind: str) -> dict[str, tuple[str, str]]:
    """The commands of a session or a case by name, each with how to type it and its method."""
    return {usage[1:].split()[0]: (usage, method) for usage, _, method in controls_section_rows(f"commands of {kind}")}


class PlainDisplay:
    """Runs a session or case in plain lines of text, without a full screen. Mutable: the text being typed.

    A subclass provides the beginning (`print_briefing`), the questions (`ask_items`), and its name in controls.txt,
    which lists its commands (`NAME_IN_CONTROLS_FILE`)."""

    NAME_IN_CONTROLS_FILE: ClassVar[str]

    def __init__(self, sitting: Sitting, terminal: LineTerminal) -> None:
        self.sitting = sitting
        self.terminal = terminal
        self.column_count = terminal.width
        self._typed_lines: list[str] = []
        self._response_before_probe = ""  # the response that a follow-up adds to
        self._prompt = ""

    @property
    def session(self) -> Interview:
        return self.sitting.session

    def run_to_debrief(self) -> None:
        """Goes through brief, items and debrief. Raises SessionLeftForLater if the candidate keeps the session."""
        self.print_briefing()
        self.sitting.start_clock()
        try:
            self.ask_items()
            reason = "finished"
        except SessionEnded as ending:
            reason = str(ending)
        self.finish_and_print_debrief(reason)

    def say(self, text: str) -> None:
        """Prints one paragraph; nothing for an empty text."""
        self.terminal.write_lines(wrap_text(text, self.column_count))

    def print_briefing(self) -> None: ...

    def ask_items(self) -> None: ...

    def finish_and_print_debrief(self, reason: str) -> None:
        """Ends the sitting and prints its debrief."""
        self.terminal.write_line()
        if reason == "time":
            self.terminal.discard_pending_input()
            self.say("Time is over. What you had typed is submitted.")
        self.sitting.end_session(reason)
        if self.sitting.log_error_text and not self.sitting.retry_saving_lines():
            self.say(f"NOT SAVED: {self.sitting.log_error_text}.")
        self.terminal.write_lines(debrief_of_sitting(self.sitting).text_lines(self.column_count))

    def print_once_saved(self, text: str) -> None:
        """Prints a confirmation once a response is on disk; at a keyboard, waits until it is."""
        if not self.sitting.log_error_text:
            self.say(text)
            return
        self.say(f"NOT SAVED: {self.sitting.log_error_text}. Your response is kept in memory.")
        while self.terminal.is_interactive and self.sitting.log_error_text:
            self.print_prompt("Make room, then press Enter to try again (or :leave to stop): ")
            if self.read_next_line().strip() == ":leave":
                raise SessionLeftForLater
            is_saved = self.sitting.retry_saving_lines()
            self.say("Saved now." if is_saved else f"Still not saved: {self.sitting.log_error_text}.")

    # -- the next line, while the clock runs ------------------------------------------------

    def print_prompt(self, text: str) -> None:
        """Prints a prompt, and again after an announcement."""
        self._prompt = text
        self.terminal.write_prompt(text)

    def read_next_line(self) -> str:
        """The next line. Ends the session at the end of input or of time."""
        is_interrupted = False
        while True:
            self.raise_exception_if_time_is_up(None)
            try:
                line = self.terminal.read_line(TICK_SECONDS if self.terminal.is_interactive else None)
                self.sitting.advance_clock_to_now()
                announcement = self.sitting.due_warning_text() if line is None else ""
            except EOFError:
                if self.terminal.is_interactive and self._typed_lines:
                    return "."  # Ctrl-D ends a text, as in full screen
                if is_interrupted or not self.terminal.is_interactive:
                    raise SessionEnded("end-of-input") from None
                is_interrupted, line, announcement = True, None, CONFIRM_ENDING_PROMPT
            except KeyboardInterrupt:
                if is_interrupted or not self.terminal.is_interactive:
                    raise
                is_interrupted, line, announcement = True, None, CONFIRM_LEAVING_PROMPT
            if line is not None:
                self.raise_exception_if_time_is_up(line)
                return line
            if announcement:
                self.terminal.write_line()
                self.say(announcement)
                self.terminal.write_prompt(self._prompt)

    def raise_exception_if_time_is_up(self, typed_line: str | None) -> None:
        """Raises an exception if time is over. `typed_line` is a line that was just read, or None."""
        if typed_line is None and self.sitting.is_session_or_phase_time_up():
            raise SessionEnded("time")

    # -- typed lines -----------------------------------------------------------------------

    def read_answer(self, prompt: str) -> str:
        """One line that is not a command; empty for a lone dot. Raises ItemSkipped."""
        while True:
            self.print_prompt(prompt)
            line = self.read_next_line().strip()
            if not line.startswith(":"):
                return "" if line == "." else line
            if not self.run_command(line) and not self.terminal.is_interactive:
                return line

    def read_text_until_dot(self) -> str:
        """The lines up to a lone dot, after those of a draft from before a resume; each is saved as the item's draft at
        once, in case time ends or the session is resumed. Raises ItemSkipped."""
        draft_text = "" if self._response_before_probe else self.session.item_state.draft_text.rstrip("\n")
        self._typed_lines = [draft_text] if draft_text.strip() else []
        while True:
            self.print_prompt("| ")
            line = self.read_next_line()
            text = line.strip()
            if text == "." or (not text and not self._typed_lines):
                return "\n".join(self._typed_lines)
            if text.startswith(":") and self.run_command(text, within_text_response=True):
                continue
            if not self._typed_lines and self.gets_reply_at_once(text):
                return text
            self._typed_lines.append(line)
            self.sitting.save_draft_text(self._response_before_probe + "\n".join(self._typed_lines))
            if self.terminal.is_interactive:  # while the next line is awaited, nothing is saved
                self.sitting.save_draft(force=True)

    def gets_reply_at_once(self, line: str) -> bool:
        """Whether the first line of a text is a question that gets a reply at once."""
        return False

    def run_command(self, typed_line: str, within_text_response: bool = False) -> bool:
        """Runs a line that begins with a colon. Returns False if it is no command: a text may contain such a line. In a
        case, a command of sessions alone is refused, so that it does not become an answer."""
        name, _, argument = typed_line[1:].partition(" ")
        commands = usage_text_and_method_name_by_command(self.NAME_IN_CONTROLS_FILE)
        usage, action = commands.get(name, ("", ""))
        if not action and name in usage_text_and_method_name_by_command("a session"):
            self.say(f"There is no :{name} in {self.NAME_IN_CONTROLS_FILE}; :help lists the commands")
            return True
        if action and (not argument or " " in usage):
            self.say(attrgetter(action)(self)(*([argument] if " " in usage else [])) or "")
            return True
        hint = did_you_mean(name, tuple(commands)).replace('"', '":', 1)
        if not within_text_response and self.terminal.is_interactive:
            self.say(f"There is no command {typed_line}; {hint or ':help lists them'}")
        elif hint and not argument and self.terminal.is_interactive:
            self.say(f"{typed_line} is read as a line of your text; {hint}")
        return False

    # -- commands of every session ----------------------------------------------------------

    def print_help(self) -> None:
        for (sentence,) in controls_section_rows(f"answers in {self.NAME_IN_CONTROLS_FILE}"):
            self.say(sentence)
        for usage, description, _ in controls_section_rows(f"commands of {self.NAME_IN_CONTROLS_FILE}"):
            self.terminal.write_lines(wrap_text(description, self.column_count, " " * 10, f"{usage:<9} "))

    def skip_item_or_turn(self) -> None:
        raise ItemSkipped

    def quit(self) -> None:
        raise SessionEnded("quit")

    def leave_and_keep_session(self) -> None:
        raise SessionLeftForLater


class PlainSession(PlainDisplay):
    """The items of a session, one by one. Mutable: whether a hint was offered."""

    NAME_IN_CONTROLS_FILE = "a session"
    _was_hint_just_offered = False

    def print_briefing(self) -> None:
        self.say(f"Mock interview: {self.session.form.title}")
        self.terminal.write_lines(briefing_lines(self.sitting, self.column_count, is_plain=True))

    def ask_items(self) -> None:
        """Asks the items; at a keyboard, then offers those worth another look: open, flagged or unsure."""
        if self.session.item_state.response is None:
            self._ask_items_from(self.session.current_index)
        while self.terminal.is_interactive and (indices := self.session.flagged_unanswered_or_unsure_indices()):
            self.sitting.enter_review_list()
            self.terminal.write_line()
            self.say("Worth another look in the remaining time:")
            self.terminal.write_lines([review_list_line(self.session, index, self.column_count) for index in indices])
            self.print_prompt("Number of an item to go back to, or Enter to finish: ")
            answer = self.read_next_line().strip().removeprefix(":go ")
            if answer in ("", ".", ":quit"):
                return
            if answer in (":time", ":help", ":leave"):
                self.run_command(answer)
            elif (index := self.session.index_of_item_number(answer)) is not None:
                self._ask_items_from(index)
            else:
                self.say(f"There is no item {terminal_safe_text(answer)}; :time, :help, :leave and :quit work here.")

    def _ask_items_from(self, index: int | None) -> None:
        """Asks the item at `index`, those that a command leads to, and all that are open."""
        while index is not None:
            self.sitting.go_to_item(index)
            try:
                self._ask_item()
                index = self.session.next_undecided_index()
            except ItemRequested as request:
                index = request.args[0]

    def _ask_item(self) -> None:
        self._was_hint_just_offered, self._typed_lines = False, []
        self.print_item()
        if self.session.item_state.is_closed:
            self.say("The solution was shown; this item is closed.")
            return
        variant = self.session.item_state.variant
        area = response_block(variant.prompt())
        self._response_before_probe, prompt = "", "letter> " if isinstance(area, Options) else "number> "
        while True:
            text = None
            with suppress(ItemSkipped):
                text = self.read_text_until_dot() if isinstance(area, TextAnswerLines) else self.read_answer(prompt)
            self._typed_lines = []
            is_done = self.session.item_state.is_answered_or_closed
            if text is None or (is_done and not text.strip() and self.terminal.is_interactive):
                self.sitting.log_skip_unless_answered()
                self.print_once_saved("Your response stays." if is_done else "Skipped.")
                return
            reading = parse_response(variant, text)
            if reading.is_unreadable and self.terminal.is_interactive:
                self.say(f"That can't be read as a response, and costs nothing: {reading.message}")
                continue
            self.sitting.record_and_log_response(reading)
            message = f"Recorded as it is, but it can't be read: {reading.message}"
            self.print_once_saved(message if reading.is_unreadable else f"Recorded: {reading.message}.")
            if self.session.rules.mode is Mode.PRACTICE:
                self._show_score_and_solution()
            elif self.terminal.is_interactive:
                self._ask_probe_if_due()
                self.sitting.insert_follow_ups()
            return

    def _show_score_and_solution(self) -> None:
        """Prints the item's score and solution; at a keyboard, waits with the clock stopped until they were read."""
        from quizgen.render.debrief_text import practice_feedback_lines

        self.sitting.close_item_for_solution()
        self.terminal.write_lines(practice_feedback_lines(self.session.item_state, self.column_count))
        if self.terminal.is_interactive:
            self.print_prompt("The clock has stopped. Enter continues: ")
            self.read_next_line()

    def _ask_probe_if_due(self) -> None:
        """Asks about a criterion that the response missed, if one is to be probed, and adds the answer to it."""
        if not (criterion := self.sitting.choose_criterion_id_to_probe_or_empty()):
            return
        question = panes.probe_question_text(self.session.item_state, criterion)
        self.terminal.write_line()
        self.say(question)
        self.say("Add lines up to a lone dot, or nothing.")
        self._response_before_probe = f"{self.session.item_state.response}\n\n"
        try:
            while reply := self.sitting.submit_answer_to_probe(question, addition := self.read_text_until_dot()):
                self.say(reply)
        except ItemSkipped:
            addition = ""
            self.sitting.save_draft_text("")  # what was typed before :skip is no part of the response
        if addition.strip():
            self.print_once_saved("Recorded with your response.")
        self._typed_lines = []

    def print_item(self) -> None:
        session, state, item = self.session, self.session.item_state, self.session.item_state.item
        budget, points = f"{round(session.item_budget_seconds())} s", points_phrase(state.form_entry.points)
        labels = ", ".join(filter(None, ("follow-up" * state.is_follow_up, item.topic, item.kind, budget, points)))
        self.terminal.write_line()
        self.say(f"Item {session.displayed_number_text(session.current_index)} of {session.form_item_count} ({labels})")
        self.say(self.sitting.current_item_plan_reason)
        self.terminal.write_line()
        prompt = state.variant.prompt()
        self.terminal.write_lines(wrap_blocks(prompt, self.column_count))
        folder, protocol = self.sitting.bank_folder_path, self.terminal.image_protocol_name
        for escape_sequence in image_escape_sequences(prompt, folder, protocol, self.column_count):
            self.terminal.write_raw_text(escape_sequence)
        self.terminal.write_line()
        area = response_block(prompt)
        dot = " End with a line that is just a dot." if isinstance(area, TextAnswerLines) else ""
        self.say(f"{how_to_respond_text(area)}{dot}")
        if state.response not in (None, "", ()):
            self.say(f"Your response so far: {response_text(state.response)}")
        if state.draft_text.strip():
            self.say("You had begun:")
            self.terminal.write_lines([f"| {line}" for line in wrap_text(state.draft_text, self.column_count - 2)])

    def finish_and_print_debrief(self, reason: str) -> None:
        super().finish_and_print_debrief(reason)
        if not self.terminal.is_interactive or reason not in ("finished", "quit", "time"):
            return

        def ask(text: str) -> str:
            self.terminal.write_prompt(text)
            return self.terminal.read_line(None) or ""

        with suppress(EOFError, KeyboardInterrupt):
            ask_about_disputes(self.session, self.terminal.write_line, ask, self.sitting.log_dispute, self.column_count)

    # -- commands ---------------------------------------------------------------------------

    def time_left_text(self) -> str:
        session, now = self.session, self.sitting.clock.seconds_now()
        item = f"this item {clock_text(session.seconds_on_item(now))} of {clock_text(session.item_budget_seconds())}"
        if session.rules.is_timed:
            return f"{duration_in_words(session.seconds_left(now))} left, {item}."
        return f"Untimed: {clock_text(session.seconds_so_far(now))} so far, {item}."

    def go_to_previous_item(self) -> str:
        if self.session.current_index:
            raise ItemRequested(self.session.current_index - 1)
        return "This is the first item."

    def go_to_item_number(self, number: str) -> str:
        index = self.session.index_of_item_number(number)
        if index is not None:
            raise ItemRequested(index)
        return f"There is no item {terminal_safe_text(number) or 'without a number'}; write it as in :go 3."

    def offer_or_take_hint(self) -> str:
        offer, is_available = self.sitting.next_hint_offer_text_and_availability()
        if self._was_hint_just_offered:
            hint = wrap_markdown_line(self.sitting.take_next_hint(), self.column_count, ASCII_EMPHASIS, "", "Hint: ")
            self.terminal.write_lines(hint)
        self._was_hint_just_offered = is_available and not self._was_hint_just_offered
        return f"{offer} Type :hint again to take it." if self._was_hint_just_offered else "" if is_available else offer

    def request_and_print_facts(self) -> str:
        facts = self.sitting.request_all_fact_texts()
        for fact in facts:
            self.terminal.write_lines(wrap_markdown_line(fact, self.column_count, ASCII_EMPHASIS, "  ", "- "))
        return "" if facts else no_facts_reply_text(response_block(self.session.item_state.variant.prompt()))

    def set_confidence(self, level: str) -> str:
        if level.strip() not in ("1", "2", "3", "4", "5"):
            return "Write :sure 1 (a guess) to :sure 5 (certain)."
        self.sitting.update_item_state(confidence=int(level))
        return f"Confidence {level.strip()} noted."

    def pause(self) -> None:
        if self.session.rules.mode is Mode.STRICT:
            self.say("A strict session has no pause.")
            return
        self.sitting.pause()
        if self.terminal.is_interactive:
            self.terminal.write_lines([""] * 60)  # thinking time is not free, so the item leaves the screen
        self.say("Paused; the clock has stopped. Enter continues.")
        try:
            self.terminal.read_line()
        except EOFError:
            raise SessionEnded("end-of-input") from None
        self.sitting.unpause()
        self.print_item()

    def show_solution(self) -> str:
        if self.session.rules.mode is not Mode.PRACTICE:
            return "Solutions are shown in practice (--practice) and in the debrief."
        self._show_score_and_solution()
        index = self.session.next_undecided_index()
        raise SessionEnded("finished") if index is None else ItemRequested(index)

    def save_mark_or_note(self, text: str) -> str:
        message = self.sitting.save_mark_or_note_of_item(self.session.current_index, text) if text.strip() else ""
        return message or f"Write :keep and {CARD_MARK_HELP_TEXT}."


class PhaseOver(Exception):
    """The time of a phase is over. The argument is the line that was read when it ended, which may be empty."""


class PlainCase(PlainDisplay):
    """The display of a case line by line."""

    sitting: CaseSitting

    NAME_IN_CONTROLS_FILE = "a case"

    def print_briefing(self) -> None:
        self.say(panes.case_outline_text(self.sitting))
        self.say(f"{panes.named_rule_texts(['case'])[0]} :help lists the commands.")
        if self.sitting.is_resumed:
            self.say("So far:")
        self._print_transcript_lines(self.sitting.conversation.lines)

    def ask_items(self) -> None:
        """Asks turn by turn, and prints the lines that follow the candidate's text. A lone dot after a question, or
        after an answer of one line, does not end the next turn."""
        got_reply_at_once = False
        while not self.sitting.conversation.is_over:
            kind = self.sitting.conversation.turn.kind
            try:
                text = self._read_turn_text()
                if got_reply_at_once and not text:
                    text = self._read_turn_text()
                got_reply_at_once = kind in ("numeric", "choice") or (kind == "text" and self.gets_reply_at_once(text))
                self._print_transcript_lines(self.sitting.submit_text_for_reply_lines(text))
            except ItemSkipped:
                self._print_transcript_lines(self.sitting.submit_text_for_reply_lines("\n".join(self._typed_lines)))
            except PhaseOver as ending:
                lines = [*self._typed_lines, *(line for line in ending.args if line)]
                self.terminal.write_line()
                self.say("Interviewer: Let us move on.")
                self._print_transcript_lines(self.sitting.end_phase_for_reply_lines("\n".join(lines)))
            self._typed_lines = []
            self.print_once_saved("")

    def _read_turn_text(self) -> str:
        """The candidate's text for the current turn. Raises ItemSkipped and PhaseOver."""
        turn, prompt = self.sitting.conversation.turn, self.sitting.conversation.current_turn_variant.prompt()
        area = response_block(prompt)
        if turn.candidate_asks:
            return self.read_answer("? ")
        if isinstance(area, TextAnswerLines):
            if self.session.item_state.draft_text.strip():
                self.say(f"You had begun: {self.session.item_state.draft_text}")
            return self.read_text_until_dot()
        if turn.kind == "choice":
            self.terminal.write_lines(wrap_blocks(prompt[1:], self.column_count))
        self.say(how_to_respond_text(area))
        return self.read_answer("> ")

    def gets_reply_at_once(self, line: str) -> bool:
        from quizgen.cases.talk import split_requests_from_other_text

        requests, rest = split_requests_from_other_text(self.sitting.conversation, line)
        return bool(requests) and not rest

    def raise_exception_if_time_is_up(self, typed_line: str | None) -> None:
        if self.sitting.is_session_or_phase_time_up():
            raise PhaseOver(typed_line or "")

    def _print_transcript_lines(self, transcript_lines: tuple[TranscriptLine, ...]) -> None:
        for line in transcript_lines:
            self.terminal.write_line()
            self.say(f"{panes.DISPLAY_NAME_BY_SPEAKER_ROLE[line.speaker_role]}: {line.text}")

    def print_given_facts_and_time(self) -> str:
        for text in self.sitting.conversation.given_fact_and_number_texts() or ["Nothing yet."]:
            self.say(text)
        return self.time_left_text() if self.session.rules.is_timed else ""

    def time_left_text(self) -> str:
        left = f"{duration_in_words(self.sitting.phase_seconds_left())} left"
        return f"{left if self.session.rules.is_timed else 'Untimed'} in “{self.sitting.phase.title}”."
