"""The two displays of a case: line by line, and full screen, with the conversation above and the candidate's input
below."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from quizgen.answer_areas import TextAnswerLines as TextArea
from quizgen.cases.case import OPEN_TURN_KIND
from quizgen.cases.conversation import Line, fact_and_number_texts
from quizgen.cases.wishes import has_only_wishes
from quizgen.render.text import block_lines, wrap_text
from quizgen.session.case_sitting import CaseSitting
from quizgen.session.clock import duration_in_words
from quizgen.session.reading import response_area, response_instruction
from quizgen.source.problems import clock_text
from quizgen.terminal import panes
from quizgen.terminal.debriefs import debrief_of_sitting
from quizgen.terminal.panes import PaneBody, Stage
from quizgen.terminal.plain import CommandMethod, ItemSkipped, PlainDisplay, PlainSession
from quizgen.terminal.session_screen import SessionScreen

SPEAKER_NAMES = {"interviewer": "Interviewer", "candidate": "You"}
CASE_RULES_TEXT = (
    "The interviewer follows rules: what you say decides what comes next. Each part has its own time; "
    "when it is over, the interviewer goes on."
)
CASE_KEY_HELP = (
    ("Enter", "asks, or answers in one line; a long answer: a new line"),
    ("F5 or ^D", "says what you wrote"),
    ("F7 or ^N", "done asking, or go on without an answer"),
    ("F3 or ^Q", "facts you know and numbers you committed to"),
    ("F9 or Alt-P", "pause: the clock stops"),
    panes.SCROLL_KEY_HELP,
    ("^Z", "suspend; fg comes back"),
    ("F10, ^C", "leave: keep for later, or end with the debrief"),
    ("F1 or ^G", "this help"),
)
PHASE_OVER_TEXT = "The time of that part is over; what you had typed was submitted."


def case_outline(sitting: CaseSitting) -> str:
    """The title of the case, its minutes and its phases."""
    case = sitting.conversation.case
    boxes = ", ".join(f"{p.title} {float(p.minutes):g}" for p in case.phases)
    untimed = "" if sitting.session.rules.is_timed else " Untimed."
    return f"{case.title}. {float(case.minutes):g} minutes: {boxes}.{untimed}"


class PhaseOver(Exception):
    """The time of a phase is over. The argument is the line that was read when it ended, which may be empty."""


class PlainCase(PlainDisplay):
    """The display of a case line by line."""

    sitting: CaseSitting

    HOW_TO_ANSWER = ("A question is answered at once; an answer ends with a line that is just a dot.",)
    _turn_got_reply = False

    def print_brief(self) -> None:
        self.say(case_outline(self.sitting))
        self.say("The interviewer follows rules: what you say decides what comes next. :help lists the commands.")
        if self.sitting.is_resumed:
            self.say("So far:")
        self._print_transcript_lines(self.sitting.conversation.lines)

    def ask_items(self) -> None:
        """Asks turn by turn, and prints the lines that follow the candidate's text."""
        while not self.sitting.conversation.is_over:
            try:
                self._print_transcript_lines(self.sitting.submit_text(self._read_turn_text()))
            except ItemSkipped:
                self._print_transcript_lines(self.sitting.submit_text("\n".join(self._typed)))
            except PhaseOver as over:
                typed = [*self._typed, *(line for line in over.args if line)]
                self.lines.write_line()
                self.say("Interviewer: Let us move on.")
                self._print_transcript_lines(self.sitting.end_phase("\n".join(typed)))
            self._typed = []
            self.confirm_saved("")

    def _read_turn_text(self) -> str:
        """The candidate's text for the current turn. A lone dot after a question, or after an answer of one line, does
        not end the next turn. Raises ItemSkipped and PhaseOver."""
        text, kind = self._read_turn_lines(), self.sitting.conversation.turn.kind
        if self._turn_got_reply and not text:
            text = self._read_turn_lines()
        self._turn_got_reply = kind in ("numeric", "choice") or (kind == "text" and self.needs_reply_at_once(text))
        return text

    def _read_turn_lines(self) -> str:
        turn, prompt = self.sitting.conversation.turn, self.sitting.conversation.variant.prompt()
        area = response_area(prompt)
        if turn.kind == OPEN_TURN_KIND:
            return self.read_one_line("? ")
        if isinstance(area, TextArea):
            if self.session.item_state.draft.strip():
                self.say(f"You had begun: {self.session.item_state.draft}")
            return self.read_multiline_text()
        if turn.kind == "choice":
            self.lines.write_lines(block_lines(prompt[1:], self.lines.width))
        self.say(response_instruction(area))
        return self.read_one_line("> ")

    def needs_reply_at_once(self, line: str) -> bool:
        return has_only_wishes(self.sitting.conversation, line)

    def raise_if_time_is_up(self, typed_line: str | None) -> None:
        if self.sitting.is_time_up():
            raise PhaseOver(typed_line or "")

    def finish(self, reason: str) -> None:
        self.lines.write_line()
        super().finish(reason)

    def _print_transcript_lines(self, transcript_lines: tuple[Line, ...]) -> None:
        for line in transcript_lines:
            self.lines.write_line()
            self.say(f"{SPEAKER_NAMES[line.speaker]}: {line.text}")

    def print_facts(self, argument: str) -> None:
        for text in fact_and_number_texts(self.sitting.conversation) or ["Nothing yet."]:
            self.say(text)
        if self.session.rules.is_timed:
            self.say(f"{duration_in_words(self.sitting.phase_seconds_left())} left in “{self.sitting.phase.title}”.")

    def print_time(self, argument: str) -> None:
        self.say(f"{clock_text(self.sitting.phase_seconds_left())} left in “{self.sitting.phase.title}”.")

    def run_command(self, typed_line: str, within_text_response: bool = False) -> bool:
        """Runs a command of a case. A command of sessions alone is refused, so that it does not become an answer."""
        name = typed_line[1:].partition(" ")[0]
        if name in PlainSession.COMMANDS and name not in self.COMMANDS:
            self.say(f"There is no :{name} in a case; :help lists the commands")
            return True
        return super().run_command(typed_line, within_text_response)

    COMMANDS: ClassVar[Mapping[str, tuple[str, str, CommandMethod]]] = {
        "said": (":said", "facts you know, numbers you committed to, and the time", print_facts),
        "done": (":done", "go on (an open turn is done; another is left as it is)", PlainDisplay.skip),
        "skip": (":skip", "the same", PlainDisplay.skip),
        "leave": (":leave", "keep the session for --resume", PlainDisplay.leave_and_keep_session),
        "quit": (":quit", "end it, and see the debrief", PlainDisplay.quit),
        "time": (":time", "time left", print_time),
        "help": (":help", "this list", PlainDisplay.print_help),
    }


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

    def start(self) -> None:
        self.sitting.start()
        self.show_item(self.session.current_index)

    def show_item(self, index: int) -> None:
        """Shows the current turn; in a conversation there is no going to another one."""
        self.go_to_stage(Stage.TALK)
        self.follows_cursor = True
        self.set_input_text(self.session.item_state.draft)

    def submit(self) -> None:
        if not self.input_text().strip():
            self.message = "Write something first, or go on with F7."
            return
        self.sitting.submit_text(self.input_text())
        self._go_on_after_response()

    def skip(self) -> None:
        self.sitting.submit_text(self.input_text())
        self._go_on_after_response()

    def show_facts(self) -> None:
        """Shows the facts given so far, and the numbers that the candidate fixed."""
        self.message = (
            " · ".join(fact_and_number_texts(self.sitting.conversation))
            or "No fact is known and no number is committed yet."
        )

    def show_review(self) -> None:
        """Asks whether to end the case, as it has no review."""
        self.ask_whether_to_leave()

    def _go_on_after_response(self) -> None:
        if self.show_unsaved_stage_if_unsaved():
            return
        if self.sitting.conversation.is_over:
            self.end_session("finished")
        else:
            self.show_item(self.session.current_index)

    def end_if_time_is_up(self) -> None:
        if self.sitting.is_time_up():
            self.sitting.end_phase(self.session.item_state.draft)
            self._go_on_after_response()
            if not self.sitting.conversation.is_over:
                self.message = PHASE_OVER_TEXT
        elif warning := self.sitting.due_warning_text():
            self.message = warning

    def end_messages(self, reason: str) -> list[str]:
        return []

    def refuse_items_only_key(self, first_digit: str = "") -> None:
        """Redoing, disputing, keeping cards and going to a number are for items."""
        self.message = "Not in a case: n and p lead from turn to turn, q leaves."

    redo_missed_items = begin_dispute = open_card_prompt = ask_item_number = refuse_items_only_key

    def _debrief_headings(self) -> list[tuple[int, str]]:
        shown = next(iter(self.debrief.values()), ())
        return [(0, ""), *((at, line) for at, line in enumerate(shown) if line.startswith("-- "))]

    # -- texts on the screen -----------------------------------------------------------------

    def header_with_time_warning(self, width: int) -> tuple[str, bool]:
        sitting, title = self.sitting, self.sitting.conversation.case.title
        if self.stage_under_dialog is Stage.DEBRIEF:
            return f" {title}: debrief"[:width], False
        if not sitting.session.rules.is_timed:
            return f" {title}   untimed"[:width], False
        time = f"{clock_text(sitting.phase_seconds_left())} left in “{sitting.phase.title}”"
        return (
            f" {title[: max(0, width - len(time) - 4)]}   {time}",
            sitting.phase_seconds_left() <= sitting.phase_budget_seconds() * panes.TIME_WARNING_SHARE,
        )

    def item_states_line(self, width: int) -> str:
        return ""

    def footer_text(self, width: int) -> str:
        if self.stage is Stage.DEBRIEF:
            return panes.footer_line(("q leave", "n/p next/previous turn", "F1 help"), width)
        if self.stage is not Stage.TALK:
            return super().footer_text(width)
        say = (
            ("Enter asks", "F7 done asking")
            if self.sitting.conversation.turn.kind == OPEN_TURN_KIND
            else ("F5/^D says it", "F7 go on")
        )
        return panes.footer_line((*say, "F3 what was said", "PgUp back", "^C leave", "F1 help", "F9 pause"), width)

    def brief_pane_lines(self, width: int) -> list[str]:
        talk = self.sitting.conversation
        resumed = "Resumed: what was said so far comes back." if self.sitting.is_resumed else ""
        texts = (
            case_outline(self.sitting),
            CASE_RULES_TEXT,
            f"Seed: {talk.seed}",
            resumed,
            *talk.case.opening.split("\n"),
        )
        return [line for text in texts for line in (wrap_text(text, width) or [""])]

    def current_item_body(self, width: int) -> PaneBody:
        shown: list[str] = []
        for line in self.sitting.conversation.lines:
            made = wrap_text(line.text, width, "  ", f"{SPEAKER_NAMES[line.speaker]}: ")
            mine = line.speaker == "candidate"
            shown += [*(f"\x1b[2m{text}\x1b[0m" if mine else text for text in made), ""]
        if not self.sitting.conversation.is_over and self.sitting.conversation.turn.kind == "choice":
            shown += block_lines(self.sitting.conversation.variant.prompt()[1:], width)
        return PaneBody(tuple(shown), len(shown) - 1)

    def help_body(self, width: int) -> PaneBody:
        return PaneBody(tuple(panes.key_help_lines(CASE_KEY_HELP, width)))

    def debrief_lines(self, width: int) -> tuple[str, ...]:
        return tuple(debrief_of_sitting(self.sitting).text_lines(width))

    def input_status_text(self, typed: str) -> str:
        return "Your words:"
