"""The two displays of a case: line by line, and full screen, with the conversation above and the candidate's input
below."""

from __future__ import annotations

from quizgen.answer_areas import TextAnswerLines as TextArea
from quizgen.cases.conversation import Line
from quizgen.cases.talk import split_wishes_from_rest
from quizgen.render.text import block_lines, wrap_text
from quizgen.session.case_sitting import CaseSitting
from quizgen.session.interview import duration_in_words
from quizgen.session.sitting import response_area, response_instruction
from quizgen.source.problems import clock_text
from quizgen.terminal import panes
from quizgen.terminal.panes import PaneBody, Stage
from quizgen.terminal.plain import ItemSkipped, PlainDisplay
from quizgen.terminal.session_screen import SessionScreen

DISPLAY_NAME_BY_SPEAKER = {"interviewer": "Interviewer", "candidate": "You"}


def case_outline(sitting: CaseSitting) -> str:
    """The title of the case, its minutes and its phases."""
    case = sitting.conversation.case
    boxes = ", ".join(f"{p.title} {float(p.allowed_minutes):g}" for p in case.phases)
    untimed = "" if sitting.session.rules.is_timed else " Untimed."
    return f"{case.title}. {float(case.allowed_minutes):g} minutes: {boxes}.{untimed}"


class PhaseOver(Exception):
    """The time of a phase is over. The argument is the line that was read when it ended, which may be empty."""


class PlainCase(PlainDisplay):
    """The display of a case line by line."""

    sitting: CaseSitting

    NAME_IN_CONTROLS = "a case"

    def print_brief(self) -> None:
        self.say(case_outline(self.sitting))
        self.say(f"{panes.rule_texts(['case'])[0]} :help lists the commands.")
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
                is_question = kind == "text" and self.needs_reply_at_once(text)
                got_reply_at_once = kind in ("numeric", "choice") or is_question
                self._print_transcript_lines(self.sitting.submit_text(text))
            except ItemSkipped:
                self._print_transcript_lines(self.sitting.submit_text("\n".join(self._typed)))
            except PhaseOver as over:
                typed = [*self._typed, *(line for line in over.args if line)]
                self.terminal.write_line()
                self.say("Interviewer: Let us move on.")
                self._print_transcript_lines(self.sitting.end_phase("\n".join(typed)))
            self._typed = []
            self.print_once_saved("")

    def _read_turn_text(self) -> str:
        """The candidate's text for the current turn. Raises ItemSkipped and PhaseOver."""
        turn, prompt = self.sitting.conversation.turn, self.sitting.conversation.variant.prompt()
        area = response_area(prompt)
        if turn.candidate_asks:
            return self.read_one_line("? ")
        if isinstance(area, TextArea):
            if self.session.item_state.draft_text.strip():
                self.say(f"You had begun: {self.session.item_state.draft_text}")
            return self.read_multiline_text()
        if turn.kind == "choice":
            self.terminal.write_lines(block_lines(prompt[1:], self.column_count))
        self.say(response_instruction(area))
        return self.read_one_line("> ")

    def needs_reply_at_once(self, line: str) -> bool:
        wishes, rest = split_wishes_from_rest(self.sitting.conversation, line)
        return bool(wishes) and not rest

    def raise_if_time_is_up(self, typed_line: str | None) -> None:
        if self.sitting.is_time_up():
            raise PhaseOver(typed_line or "")

    def _print_transcript_lines(self, transcript_lines: tuple[Line, ...]) -> None:
        for line in transcript_lines:
            self.terminal.write_line()
            self.say(f"{DISPLAY_NAME_BY_SPEAKER[line.speaker]}: {line.text}")

    def print_facts(self) -> str:
        for text in self.sitting.conversation.fact_and_number_texts() or ["Nothing yet."]:
            self.say(text)
        return self.time_text() if self.session.rules.is_timed else ""

    def time_text(self) -> str:
        return f"{duration_in_words(self.sitting.phase_seconds_left())} left in “{self.sitting.phase.title}”."


class CaseScreen(SessionScreen):
    """The full screen of a case."""

    RESPONSE_STAGE = Stage.TALK
    MAX_EDITOR_ROWS = 9
    MAX_MESSAGE_ROWS = 6

    sitting: CaseSitting

    @property
    def input_name(self) -> str:
        return "text" if self.stage is Stage.TALK else ""

    def enter_submits(self) -> bool:
        return self.sitting.conversation.turn.kind != "text"

    # -- actions of keys ---------------------------------------------------------------------

    def show_item(self, index: int) -> None:
        """Shows the current turn; in a conversation there is no going to another one."""
        self.go_to_stage(Stage.TALK)
        self.follows_cursor = True
        self.set_input_text(self.session.item_state.draft_text)

    def submit(self) -> None:
        if self.input_text().strip():
            self.skip()
        else:
            self.message = "Write something first, or go on with F7."

    def skip(self) -> None:
        """Says what is written, or goes on without an answer."""
        self.sitting.submit_text(self.input_text())
        self._go_on_after_response()

    def show_facts(self) -> str:
        """The facts given so far, and the numbers that the candidate fixed."""
        known = " · ".join(self.sitting.conversation.fact_and_number_texts())
        return known or "No fact is known and no number is committed yet."

    def _go_on_after_response(self) -> None:
        is_over = self.sitting.conversation.is_over
        if not self.show_unsaved_stage_if_unsaved():
            self.end_session("finished") if is_over else self.show_item(self.session.current_index)

    def end_if_time_is_up(self) -> None:
        if self.sitting.is_time_up():
            self.sitting.end_phase(self.session.item_state.draft_text)
            self._go_on_after_response()
            if not self.sitting.conversation.is_over:
                self.message = "The time of that part is over; what you had typed was submitted."
        else:
            self.message = self.sitting.due_warning_text() or self.message

    def refuse_items_only_key(self, first_digit: str = "") -> None:
        """Redoing, disputing, keeping cards and going to a number are for items."""
        self.message = "Not in a case: n and p lead from turn to turn, q leaves."

    redo_missed_items = begin_dispute = open_card_prompt = ask_item_number = refuse_items_only_key

    def _debrief_headings(self) -> list[tuple[int, str]]:
        shown = next(iter(self.debrief_lines_by_width.values()), ())
        return [(0, ""), *((at, line) for at, line in enumerate(shown) if line.startswith("-- "))]

    # -- texts on the screen -----------------------------------------------------------------

    def header_with_time_warning(self, width: int) -> tuple[str, bool]:
        sitting, title = self.sitting, self.sitting.conversation.case.title
        if self.stage_under_dialog is Stage.DEBRIEF:
            return f" {title}: debrief"[:width], False
        if not sitting.session.rules.is_timed:
            return f" {title}   untimed"[:width], False
        time = f"{clock_text(sitting.phase_seconds_left())} left in “{sitting.phase.title}”"
        nearly = sitting.phase_seconds_left() <= sitting.phase_budget_seconds() * panes.TIME_LEFT_WARNING_SHARE
        return f" {title[: max(0, width - len(time) - 4)]}   {time}", nearly

    def footer_text(self, width: int) -> str:
        name = "the debrief of a case" if self.stage is Stage.DEBRIEF else self.stage.name
        if self.stage is Stage.TALK:
            name = "an open turn" if self.sitting.conversation.turn.candidate_asks else "a turn"
        return panes.footer_line(panes.footer_key_texts(name), width)

    def brief_pane_lines(self, width: int) -> list[str]:
        talk = self.sitting.conversation
        resumed = "Resumed: what was said so far comes back." if self.sitting.is_resumed else ""
        head = (case_outline(self.sitting), *panes.rule_texts(["case"]), f"Seed: {talk.seed}", resumed)
        return [line for text in (*head, *talk.case.opening.split("\n")) for line in (wrap_text(text, width) or [""])]

    def current_item_body(self, width: int) -> PaneBody:
        talk, shown = self.sitting.conversation, []
        for line in talk.lines:
            made = wrap_text(line.text, width, "  ", f"{DISPLAY_NAME_BY_SPEAKER[line.speaker]}: ")
            shown += [*(f"\x1b[2m{text}\x1b[0m" if line.speaker == "candidate" else text for text in made), ""]
        if not talk.is_over and talk.turn.kind == "choice":
            shown += block_lines(talk.variant.prompt()[1:], width)
        return PaneBody(tuple(shown), len(shown) - 1)

    def help_body(self, width: int) -> PaneBody:
        return PaneBody(tuple(panes.key_help_lines(panes.controls_file_rows("help of a case"), width)))

    def input_status_text(self, typed: str) -> str:
        return "Your words:"
