"""The state of the full screen: where the candidate is, what each key does there, and what is shown.

Independent of any terminal library: controls.txt maps keys to methods by stage, and `terminal.screen` draws the
state."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from quizgen.answer_areas import LETTERS, NumericAnswerLine, Options, TextAnswerLines, option_letter
from quizgen.model import response_text
from quizgen.render.text import terminal_safe_text, text_column_count, wrap_blocks, wrap_markdown_line, wrap_text
from quizgen.session import sitting as sittings
from quizgen.session.interview import Dispute, Interview, Mode, RunState, duration_in_words
from quizgen.session.session_log import CARD_MARK_HELP_TEXT
from quizgen.session.sitting import Sitting
from quizgen.source.problems import clock_text, shorten, up_to_2_decimals
from quizgen.terminal import debriefs, panes
from quizgen.terminal.panes import SCREEN_EMPHASIS, PaneBody, Stage, probe_question_text

if TYPE_CHECKING:  # most sessions are not cases
    from quizgen.session.case_sitting import CaseSitting

KEY_IGNORE_SECONDS_AFTER_LATE_KEY = 1.5  # seconds after the last key from which keys belong to the new screen
SCROLL_ROW_PAST_END = 1_000_000  # a scroll position beyond any text; drawing clamps it
ITEM_CLOSED_TEXT = "The solution was shown; this item is closed. F12 shows it again."
PAUSED_TEXT = "Paused. The clock has stopped and the item is hidden. Enter continues."
ITEM_STATES_LEGEND = "Strip: + answered  - skipped  ! flagged  * late  [n] here"


class SessionScreen:
    """One full-screen session. Mutable: where the candidate is on the screen. `redo_requested`: the candidate wants to
    redo the missed items.

    The screen and the application set five functions: `set_input_text` puts a text into the input on screen,
    `read_input_text` reads it, `count_visible_rows` gives the height of the body, `leave_screen_with_code` ends
    the application with an exit code, `suspend_process` stops the process."""

    RESPONSE_STAGE: ClassVar[Stage] = Stage.ITEM  # the stage in which responses are written
    MAX_EDITOR_ROWS: ClassVar[int] = SCROLL_ROW_PAST_END  # largest number of rows of the editor
    MAX_MESSAGE_ROWS: ClassVar[int] = 3  # largest number of rows of the message

    set_input_text: Callable[[str], None]
    read_input_text: Callable[[], str]
    count_visible_rows: Callable[[], int]
    leave_screen_with_code: Callable[[int], None]
    suspend_process: Callable[[], None]

    def __init__(self, sitting: Sitting) -> None:
        self.sitting = sitting
        self.stage = Stage.BRIEF
        self.message = ""
        self.first_visible_row = 0  # first visible line of the body
        self.follows_cursor = False  # the body scrolls with the cursor
        self.cursor = 0
        self.chosen_option_texts: tuple[str, ...] = ()
        self.is_scratch_pane_shown = False
        self.is_reviewing = False
        self.redo_requested = False
        self.unsubmitted_reading = sittings.ResponseReading("", "", "")  # waits for a level of confidence
        self.probed_criterion_id = ""  # criterion that the follow-up on screen asks about
        self.debrief_lines_by_width: dict[int, tuple[str, ...]] = {}
        self.dispute_state = debriefs.DisputeState([])
        self.were_unsure_marks_shown = False  # whether the uncertain marks were gone through
        self._debrief_line_to_show = -1  # line of the debrief to show, which need not be at the top if everything fits
        self.prompt_input = ""  # the number or mark typed so far
        self.card_item_index = 0  # index of the item to which the typed mark belongs
        self._ignore_keys_until = float("-inf")  # keys before this time were meant for the item whose time is over
        self._dialog_stack: list[tuple[Stage, str, int, bool]] = []  # (stage, text, scroll position, following)

    # -- queries ----------------------------------------------------------------------------

    @property
    def session(self) -> Interview:
        return self.sitting.session

    @property
    def stage_under_dialog(self) -> Stage:
        """The stage under an open dialog (help, a question); without one, the stage on screen."""
        return self._dialog_stack[0][0] if self._dialog_stack else self.stage

    @property
    def response_block(self) -> sittings.ResponseArea:
        return sittings.response_block(self.session.item_state.variant.prompt())

    @property
    def name_of_shown_input(self) -> str:
        """The name of the input on screen: text, number or scratch; empty if there is none."""
        if self.stage is Stage.PROBE:
            return "text"
        if self.stage is self.RESPONSE_STAGE and self.is_scratch_pane_shown:
            return "scratch"
        if self.stage is not self.RESPONSE_STAGE or self.session.item_state.is_closed:
            return ""
        return {NumericAnswerLine: "number", TextAnswerLines: "text", Options: ""}[type(self.response_block)]

    # Conditions of the table of keys.

    def is_late_key_pause_over(self) -> bool:
        """False just after time is over, while keys may still be meant for the item before; they are ignored."""
        return self.sitting.clock.seconds_now() >= self._ignore_keys_until

    def shows_no_input(self) -> bool:
        """Whether no input is on screen."""
        return not self.name_of_shown_input and self.stage not in (Stage.JUMP, Stage.KEEP)

    def shows_answer_options(self) -> bool:
        return not self.is_scratch_pane_shown and isinstance(self.response_block, Options)

    def does_enter_submit(self) -> bool:
        """Whether Enter submits the typed text."""
        return self.name_of_shown_input in ("number", "")

    def go_to_stage(self, stage: Stage, message: str = "") -> None:
        """Changes to another stage, without dialogs, scrolled to its top (a probe to its question)."""
        self._dialog_stack.clear()
        self.stage, self.message, self.first_visible_row = stage, message, 0
        self.follows_cursor = stage is Stage.PROBE

    # -- moving -----------------------------------------------------------------------------

    def start_session(self) -> None:
        self.sitting.start_clock()
        shows_item = self.session.item_state.response is None
        self.show_item(self.session.current_index) if shows_item else self.show_review_list()

    def show_item(self, index: int) -> None:
        """Shows an item with its response or draft."""
        is_new = not self.session.item_states[index].was_shown
        self.sitting.go_to_item(index)
        state = self.session.item_state
        self.go_to_stage(Stage.ITEM, "A follow-up to what you just answered." if is_new and state.is_follow_up else "")
        self.cursor, self.is_scratch_pane_shown = 0, False
        area, self.chosen_option_texts = self.response_block, ()
        if isinstance(area, Options):
            response = state.response or ()
            if state.draft_text.strip():
                response = sittings.parse_response(state.variant, state.draft_text).response_to_log
            texts = (response,) if isinstance(response, str) else response
            self.chosen_option_texts = tuple(o.text for o in area.options if o.text in texts)
            self.cursor = next((index for index, o in enumerate(area.options) if o.text in texts), 0)
        self.set_input_text("" if isinstance(area, Options) else self._draft_or_response_text())

    def _draft_or_response_text(self) -> str:
        """The text of the current item's input: its draft, else its response."""
        state = self.session.item_state
        return state.draft_text or (state.response if isinstance(state.response, str) else "")

    def go_to_next_open_item(self) -> None:
        """Goes to the next open item, or to the review list if there is none."""
        index = self.session.next_undecided_index()
        self.show_review_list() if index is None or self.is_reviewing else self.show_item(index)

    def go_to_previous_item(self) -> None:
        if self.session.current_index:
            self.show_item(self.session.current_index - 1)
        else:
            self.message = "This is the first item."

    def skip_item_or_submit_turn(self) -> None:
        self.sitting.log_skip_unless_answered()
        if not self.show_unsaved_stage_if_unsaved():
            self.go_to_next_open_item()

    def show_review_list(self) -> None:
        """Shows the list of items worth another look, with the cursor on the item shown last."""
        place = self.session.current_index
        self.sitting.enter_review_list()
        self.go_to_stage(Stage.REVIEW)
        indices = self.session.flagged_unanswered_or_unsure_indices()
        self.cursor = next((row for row, index in enumerate(indices) if index >= place), 0) if self.is_reviewing else 0
        self.is_reviewing = self.follows_cursor = True

    def close_review(self) -> None:
        """Goes back to the item shown last; the open items follow it again, not the review list."""
        self.is_reviewing = False
        self.show_item(self.session.current_index)

    def open_item_at_review_cursor(self) -> None:
        """Goes to the item under the cursor of the review list."""
        indices = self.session.flagged_unanswered_or_unsure_indices()
        if indices:
            self.show_item(indices[min(self.cursor, len(indices) - 1)])
        else:
            self.end_session_and_show_debrief("finished")

    def move_list_cursor(self, step: int) -> None:
        """Moves the cursor: among options it wraps around, in the review list it does not."""
        area = self.response_block
        if self.stage is Stage.REVIEW:
            last = len(self.session.flagged_unanswered_or_unsure_indices()) - 1
            self.cursor, self.follows_cursor = max(0, min(self.cursor + step, last)), True
        elif isinstance(area, Options):
            self.cursor, self.follows_cursor = (self.cursor + step) % len(area.options), True

    def scroll_lines(self, line_count: int) -> None:
        """Scrolls by `line_count` lines (drawing limits the position); the view no longer follows the cursor."""
        self.first_visible_row = max(0, self.first_visible_row + line_count)
        self.follows_cursor, self._debrief_line_to_show = False, -1

    def scroll_page(self, direction: int) -> None:
        self.scroll_lines(direction * max(1, self.count_visible_rows() - 1))

    def show_unsaved_stage_if_unsaved(self) -> bool:
        """Whether the response is not on disk yet; if so, shows that instead of going on."""
        if self.sitting.log_error_text:
            self.stage, self.message = Stage.UNSAVED, ""
        return bool(self.sitting.log_error_text)

    # -- dialogs ----------------------------------------------------------------------------

    def toggle_help(self) -> None:
        """Shows the keys of the current stage; a second F1 goes back."""
        if self.stage is Stage.HELP:
            self.close_dialog()
            return
        self.open_dialog(Stage.HELP, "")
        self.first_visible_row, self.follows_cursor = 0, False

    def ask_whether_to_leave(self) -> None:
        """On Ctrl-C, asks whether to leave; a second Ctrl-C leaves and keeps the session."""
        if self.stage in (Stage.HELP, Stage.JUMP, Stage.KEEP):
            self.close_dialog()
        if self.stage in (Stage.LEAVE, Stage.BRIEF, Stage.DEBRIEF):
            self.leave_screen_with_code(0 if self.stage is Stage.DEBRIEF else 130)
            return
        choices = "s keeps the session for --resume, e ends it now with the debrief, Esc goes on."
        if self.sitting.log_error_text:
            choices = "Your response is NOT on disk; s tries to keep it as a draft, Esc goes back."
        self.open_dialog(Stage.LEAVE, f"Leave? {choices}")

    def open_dialog(self, stage: Stage, message: str) -> None:
        """Puts a stage (help, a question) over the current one; `close_dialog` goes back."""
        self._dialog_stack.append((self.stage, self.message, self.first_visible_row, self.follows_cursor))
        self.stage, self.message = stage, message

    def close_dialog(self) -> None:
        self.stage, self.message, self.first_visible_row, self.follows_cursor = self._dialog_stack.pop()

    def finish_or_ask_about_open_items(self) -> None:
        """Ends the session from the review list; asks first if items are open."""
        open_count = sum(not p.is_answered_or_closed for p in self.session.item_states)
        if not open_count or self.stage is Stage.FINISH:
            self.end_session_and_show_debrief("finished")
            return
        items = f"{open_count} item{' is' if open_count == 1 else 's are'} still open"
        self.open_dialog(Stage.FINISH, f"{items}. f finishes all the same, Esc goes back.")

    # -- responses: options, submitting, confidence, follow-ups, feedback -------------------

    def choose_option(self, letter: str = "") -> None:
        """Chooses the option with this letter (empty: under the cursor); of several, choosing it again removes it."""
        area = self.response_block
        index = LETTERS.find(letter.upper()) if len(letter) == 1 else -1 if letter else self.cursor
        if not isinstance(area, Options) or self.session.item_state.is_closed or not 0 <= index < len(area.options):
            return
        self.cursor, self.follows_cursor, text = index, True, area.options[index].text
        texts = set(self.chosen_option_texts) ^ {text} if area.allows_several else {text}
        self.chosen_option_texts = tuple(o.text for o in area.options if o.text in texts)
        self.message = ""
        self.sitting.save_draft_text(self.chosen_letters_text())

    def chosen_letters_text(self) -> str:
        """The letters of the chosen options, such as `A, C`."""
        area = self.response_block
        options = area.options if isinstance(area, Options) else ()
        return ", ".join(option_letter(i) for i, o in enumerate(options) if o.text in self.chosen_option_texts)

    def submit_or_ask_confidence(self) -> None:
        """Reads the input. An unreadable response costs nothing; a message says how to write it."""
        if self.session.item_state.is_closed:
            self.go_to_next_open_item()
            return
        text, area = self.read_input_text(), self.response_block
        if isinstance(area, Options):
            if not self.chosen_option_texts and not area.allows_several:
                self.choose_option()
            text = self.chosen_letters_text()
        result = sittings.parse_response(self.session.item_state.variant, text)
        if result.is_unreadable:
            self.message = f"That can't be read, and costs nothing: {result.message}"
        elif not result.response_to_log:
            self.message = "Nothing to submit yet. F7 skips the item."
        else:
            self.unsubmitted_reading, read_as = result, shorten(terminal_safe_text(result.message))
            self.open_dialog(Stage.CONFIDENCE, f"{read_as}. How sure are you, from 1 (a guess) to 5 (certain)?")

    def submit_with_confidence(self, level: str = "") -> None:
        """Records the confidence (a digit; empty for none), then the response, which is on disk before the screen
        changes."""
        self.close_dialog()
        self.sitting.update_item_state(confidence=int(level) if level else None)
        self.sitting.record_and_log_response(self.unsubmitted_reading)
        if not self.show_unsaved_stage_if_unsaved():
            self._go_on_after_response()

    def retry_saving(self) -> None:
        """Tries again to write lines that are not on disk."""
        if not self.sitting.retry_saving_lines():
            return
        if self.session.run_state is RunState.ENDED:
            self.go_to_stage(Stage.DEBRIEF, "Saved now.")
        else:
            self.stage, self.message = self.RESPONSE_STAGE, "Saved now."
            self._go_on_after_response()

    def _go_on_after_response(self) -> None:
        """Shows what follows a response: a probe, feedback, or the next item."""
        if self.session.item_state.was_skipped:
            self.go_to_next_open_item()
        elif criterion := self.sitting.choose_criterion_id_to_probe_or_empty():
            self.probed_criterion_id = criterion
            self.go_to_stage(Stage.PROBE)
            self.set_input_text("")
        else:
            self._show_solution_or_next_item()

    def submit_answer_to_probe(self) -> None:
        """Adds the answer to a probe to the response, or shows the reply to a text that is no answer."""
        question = probe_question_text(self.session.item_state, self.probed_criterion_id)
        if reply := self.sitting.submit_answer_to_probe(question, self.read_input_text()):
            self.set_input_text("")
            self.message = reply
        elif not self.show_unsaved_stage_if_unsaved():
            self._show_solution_or_next_item()

    def skip_probe(self) -> None:
        self.sitting.save_draft_text("")
        self._show_solution_or_next_item()

    def _show_solution_or_next_item(self) -> None:
        self.message = ""
        self.sitting.insert_follow_ups()
        self.show_solution() if self.session.rules.mode is Mode.PRACTICE else self.go_to_next_open_item()

    def ask_whether_to_show_solution(self) -> None:
        """In practice mode, asks whether to show the key of the current item, which closes the item."""
        if self.session.rules.mode is not Mode.PRACTICE:
            self.message = "Solutions come in the debrief (or with --practice)."
        elif self.session.item_state.is_closed:
            self.show_solution()
        else:
            self.open_dialog(Stage.SOLUTION, "Show the solution? The item is closed then. y / n")

    def show_solution(self) -> None:
        self.sitting.close_item_for_solution()
        self.go_to_stage(Stage.FEEDBACK)

    def save_draft_or_scratch(self, text: str) -> None:
        """Stores the changed input as the draft."""
        if self.stage is self.RESPONSE_STAGE:
            self.message = ""
        if self.is_scratch_pane_shown:
            self.message = self.sitting.save_scratch_text(text)
        elif self.stage is self.RESPONSE_STAGE:
            self.sitting.save_draft_text(text)
        elif self.stage is Stage.PROBE:
            # If time runs out, the draft is submitted: it is the response and the addition.
            self.sitting.save_draft_text(f"{self.session.item_state.response}\n\n{text}" if text.strip() else "")

    # -- hints, notes and clarifications ----------------------------------------------------

    def offer_hint_with_cost(self) -> None:
        """Shows the cost of the next hint before the candidate takes it."""
        offer, is_available = self.sitting.next_hint_offer_text_and_availability()
        if is_available:
            self.open_dialog(Stage.HINT, f"{offer} Take it? y / n")
        else:
            self.message = offer

    def take_next_hint(self) -> None:
        self.close_dialog()
        self.sitting.take_next_hint()
        self.first_visible_row, self.follows_cursor = SCROLL_ROW_PAST_END, False  # the hint is at the end of the body

    def show_facts(self) -> str:
        """Shows the facts that an interviewer would give; they cost nothing. Returns a message if there are none."""
        if not self.sitting.request_all_fact_texts():
            return sittings.no_facts_reply_text(self.response_block)
        self.first_visible_row, self.follows_cursor = SCROLL_ROW_PAST_END, False
        return ""

    def toggle_scratch_pane(self) -> None:
        """Switches between the response and the scratch pane; each keeps its text."""
        self.is_scratch_pane_shown, self.message = not self.is_scratch_pane_shown, ""
        scratch = self.session.item_state.scratch_text
        self.set_input_text(scratch if self.is_scratch_pane_shown else self._draft_or_response_text())

    def pause(self) -> None:
        if self.session.rules.mode is not Mode.STRICT:
            self.sitting.pause()
            self.stage, self.message = Stage.PAUSED, ""
        else:
            self.message = "A strict session has no pause."

    def resume_after_pause(self) -> None:
        self.sitting.unpause()
        self.stage = Stage.REVIEW if self.session.is_review_shown else self.RESPONSE_STAGE

    # -- a typed line: the number of an item to go to, or a mark for an item ----------------

    def ask_item_number(self, first_digit: str = "") -> None:
        self.open_dialog(Stage.JUMP, "")
        self.prompt_input = first_digit

    def open_mark_or_note_prompt(self) -> None:
        """Asks for a mark or a note for the current item, or for the one shown in the debrief."""
        ended = self.stage_under_dialog is Stage.DEBRIEF
        index = self.session.index_of_item_number(self._debrief_item_number()) if ended else self.session.current_index
        if index is None:
            self.message = "No item was reached, so there is none to keep a card of."
            return
        self.open_dialog(Stage.KEEP, "")
        self.card_item_index, self.prompt_input = index, ""

    def edit_prompt_input(self, typed_character: str = "") -> None:
        """Adds the typed character, or removes the last one."""
        character = "".join(filter(str.isprintable, typed_character))
        self.prompt_input = self.prompt_input + character if typed_character else self.prompt_input[:-1]

    def save_mark_or_note(self) -> None:
        self.close_dialog()
        text = self.prompt_input
        self.message = self.sitting.save_mark_or_note_of_item(self.card_item_index, text) if text.strip() else ""

    def go_to_typed_item_number(self) -> None:
        """Goes to the item whose number was typed; a message says if there is none."""
        index = self.session.index_of_item_number(self.prompt_input)
        self.close_dialog()
        if index is None:
            self.message = f"There is no item {self.prompt_input}." if self.prompt_input else ""
        elif self.stage is not Stage.DEBRIEF:
            self.show_item(index)
        else:
            number = self.session.displayed_number_text(index)
            line = next((row for row, label in self._debrief_line_and_item_numbers() if label == number), None)
            self.message = f"Item {number} was not reached." if line is None else ""
            self._scroll_debrief_to_line(line)

    def scroll_debrief_by_items(self, step: int) -> None:
        """Scrolls the debrief to the next item (`step` > 0) or the previous one."""
        start = max(self.first_visible_row, self._debrief_line_to_show)
        lines = [line for line, _ in self._debrief_line_and_item_numbers()][::step]
        self._scroll_debrief_to_line(next((line for line in lines if (line - start) * step > 0), None))

    def _scroll_debrief_to_line(self, line: int | None) -> None:
        if line is not None:
            self.first_visible_row = self._debrief_line_to_show = line
            self.message = ""

    def _debrief_item_number(self) -> str:
        """The number of the item shown in the debrief: the one last jumped to, or the one at the top; the first while
        the summary is at the top; empty where no item was reached."""
        heads = self._debrief_line_and_item_numbers()
        numbers = [number for row, number in heads if row <= max(self.first_visible_row, self._debrief_line_to_show)]
        return next(reversed(numbers or [number for _, number in heads[:1]]), "")

    def _debrief_line_and_item_numbers(self) -> list[tuple[int, str]]:
        """The items in the debrief on screen, as (line, number)."""
        lines = next(iter(self.debrief_lines_by_width.values()), ())
        rows = ((row, line.removeprefix("\x1b[1m")) for row, line in enumerate(lines))  # a heading may be bold
        return [(row, line[4:].partition(". ")[0]) for row, line in rows if line.startswith("--- ")]

    # -- disputing a mark: mark your words, then claim full, part or none -------------------

    def begin_dispute(self) -> None:
        """The first time, offers the marks that are unsure; then those of the item shown in the debrief."""
        marks = debriefs.disputable_marks(self.session)
        number = self._debrief_item_number()
        doubts = [m for m in marks if m.needs_review and not self.were_unsure_marks_shown]
        offer, self.were_unsure_marks_shown = doubts or [m for m in marks if m.item_number_text == number], True
        if not offer:
            subject = f"Item {number} has no mark" if number else "No item has a mark"
            self.message = f"{subject} to dispute; n and p lead to the next item and the one before."
            return
        self.dispute_state = debriefs.DisputeState(offer)
        self.go_to_stage(Stage.DISPUTE)
        self.move_by_disputable_marks(0)

    def move_by_disputable_marks(self, step: int) -> None:
        self.dispute_state.move_by_disputable_marks(step)
        self.first_visible_row, self.message = 0, ""

    def log_dispute_claim(self, key: str) -> None:
        """Logs the claim (`key` is f, p or n) and goes to the next mark."""
        state, claim = self.dispute_state, debriefs.CLAIMED_SHARE_WORD_BY_KEY[key]
        mark = state.current_mark.criterion_row.mark
        claim_is_mark = debriefs.is_claim_equal_to_mark(mark, claim)
        if claim != "no" and state.selected_span is None and not claim_is_mark:
            self.message = "Mark the words that say it first: arrows, Space at the first and at the last."
            return
        if not claim_is_mark:
            dispute = Dispute(mark.criterion_id, claim, *(state.selected_span or (0, 0)))
            self.sitting.log_dispute(state.current_mark.item_index, dispute)
            self.debrief_lines_by_width = {}
        self.go_to_stage(Stage.DEBRIEF) if state.current_mark is state.marks[-1] else self.move_by_disputable_marks(1)
        self.message = "So says the mark." if claim_is_mark else f"Noted. {debriefs.DISPUTE_LOGGED_TEXT}"

    def close_dispute(self) -> None:
        self.go_to_stage(Stage.DEBRIEF)
        self.first_visible_row = self._debrief_line_to_show

    # -- time and the end -------------------------------------------------------------------

    def tick(self) -> None:
        """Once a second: adds the time, saves the draft, warns once, and stops when time is over."""
        self.sitting.advance_clock_to_now()
        if self.session.run_state is RunState.RUNNING:
            self.sitting.save_draft()
            self.end_or_warn_if_time_is_short()

    def end_or_warn_if_time_is_short(self) -> None:
        if self.sitting.is_session_or_phase_time_up():
            self.end_session_and_show_debrief("time")
        elif self.stage in (self.RESPONSE_STAGE, Stage.REVIEW) and not self.message:  # a warning hides no message
            self.message = self.sitting.due_warning_text()

    def ignore_keys_for_a_moment(self) -> None:
        """Ignores a key that came too late, and further keys for a moment."""
        self._ignore_keys_until = self.sitting.clock.seconds_now() + KEY_IGNORE_SECONDS_AFTER_LATE_KEY

    def end_session_and_show_debrief(self, reason: str) -> None:
        """Submits the input, logs the end, and shows the debrief."""
        if reason == "time":
            self.ignore_keys_for_a_moment()
        if self.session.run_state is not RunState.ENDED:  # as it is if its lines could not be saved
            self.sitting.end_session(reason)
        self.is_scratch_pane_shown = False
        end_text = "Time is over; what you had typed is submitted." if reason == "time" else ""
        doubts = 0 if self.sitting.is_case else sum(m.needs_review for m in debriefs.disputable_marks(self.session))
        doubt = f"Marks that are not sure: {doubts}. d asks you about them." if doubts else ""
        self.go_to_stage(Stage.DEBRIEF, " ".join(filter(None, (end_text, doubt))))
        self.debrief_lines_by_width = {}
        if self.sitting.log_error_text:
            self.stage = Stage.UNSAVED

    def leave_to_redo_missed_items(self) -> None:
        """Leaves the debrief and starts a session on the missed items."""
        self.redo_requested = self.session.has_shown_item_below_full_points()
        if self.redo_requested:
            self.leave_screen_with_code(0)
        else:
            self.message = "Nothing to redo; q leaves, and a new session draws items that you have not seen lately."

    # -- texts of each stage ----------------------------------------------------------------

    def header_and_is_time_short(self, width: int) -> tuple[str, bool]:
        """The header line (the position in the session, the task and both clocks), and whether time is nearly over,
        which the line also says in words."""
        session, state, stage = self.session, self.session.item_state, self.stage_under_dialog
        if stage in (Stage.BRIEF, Stage.DEBRIEF, Stage.DISPUTE):
            part = "Mock interview" if stage is Stage.BRIEF else "Debrief"
            title = f" {part}: {terminal_safe_text(session.form.title)}"
            return title if text_column_count(title) <= width else f"{title[: width - 2]}…", False
        now = self.sitting.clock.seconds_now()
        timed, rest = session.rules.is_timed, session.seconds_left(now)
        nearly = timed and rest <= max(60.0, session.budget_seconds * panes.TIME_LEFT_WARNING_SHARE)
        total = f"{clock_text(rest)} left{'!' if nearly else ''}" if timed else clock_text(session.seconds_so_far(now))
        seconds, budget = session.seconds_on_item(now), session.item_budget_seconds()
        mark = "!" if seconds > budget and timed else ""
        time = f"{total} " if session.is_review_shown else f"{clock_text(seconds)}/{clock_text(budget)}{mark}  {total} "
        points = up_to_2_decimals(state.form_entry.points)
        worth, follow_up = f"{points} pt{'s' * (points != '1')}", "follow-up" * state.is_follow_up
        parts = [terminal_safe_text(part) for part in (state.item.topic, state.item.kind, worth, follow_up) if part]
        number = f" {session.displayed_number_text(session.current_index)}/{session.form_item_count}"
        columns = width - text_column_count(time)
        while parts and text_column_count("  ".join((number, *parts))) >= columns:
            parts.pop(0)  # texts that do not fit are left out, the topic first
        text = "  ".join((number, *parts))
        return text + " " * max(1, columns - text_column_count(text)) + time, nearly

    def item_states_line(self, width: int) -> str:
        """Every item and its state, such as `1+ 2! [3] 4 5-`; if that is too long, the part around the current item;
        empty if the line would be in the way."""
        position, bare_stages = self.session.current_index, {Stage.BRIEF, Stage.DEBRIEF, Stage.DISPUTE, Stage.HELP}
        if self.sitting.is_case or {self.stage, self.stage_under_dialog} & bare_stages:
            return ""
        cells = []
        for index, state in enumerate(self.session.item_states):
            sign = "+" if state.is_answered_or_closed else "-" * state.was_skipped
            sign += "!" * state.is_flagged + "*" * state.is_response_late
            cell = f"{self.session.displayed_number_text(index)}{sign}"
            cells.append(f"[{cell}]" if index == position else cell)
        first, last = 0, len(cells)
        while sum(len(c) + 1 for c in cells[first:last]) + 4 > width and last - first > 1:
            first, last = (first + 1, last) if position - first > last - 1 - position else (first, last - 1)
        return f" {'<' if first else ' '}{' '.join(cells[first:last])}{'>' if last < len(cells) else ''}"

    def footer_text(self, width: int) -> str:
        state, is_review = self.session.item_state, self.stage is Stage.REVIEW
        if self.stage is Stage.ITEM and not state.is_closed:
            submit = "Enter submit" if self.does_enter_submit() else "F5/^D submit"
            hint = "F2 hint" if state.taken_hint_count < len(state.item.hints) else ""
            ask = "F3 ask" if state.item.facts_on_request else ""
            keys = ("F1 help", submit, "^C leave", "F7 skip", hint, ask, "F4 flag", "F6 back", "F8 scratch")
            return panes.footer_line(keys, width)
        name = "a closed item" if self.stage is Stage.ITEM else self.stage.name
        name = "a finished REVIEW" if is_review and not self.session.flagged_unanswered_or_unsure_indices() else name
        return panes.footer_line(panes.footer_key_texts(name), width)

    def pane_body(self, width: int) -> PaneBody:
        """The large pane."""
        session = self.session
        match self.stage_under_dialog if self.stage in (Stage.LEAVE, Stage.JUMP, Stage.KEEP) else self.stage:
            case Stage.BRIEF:
                return PaneBody((*self.briefing_pane_lines(width), "", "Press Enter to start the clock."))
            case Stage.REVIEW | Stage.FINISH:
                return self._review_body(width)
            case Stage.PAUSED:
                return PaneBody(("", *wrap_text(PAUSED_TEXT, width)))
            case Stage.HELP:
                return self.help_body(width)
            case Stage.FEEDBACK:
                from quizgen.render.debrief_text import practice_feedback_lines

                return PaneBody(tuple(practice_feedback_lines(session.item_state, width, SCREEN_EMPHASIS)))
            case Stage.DEBRIEF:
                if width not in self.debrief_lines_by_width:
                    debrief = debriefs.debrief_of_sitting(self.sitting)
                    lines = debrief.text_lines(width, SCREEN_EMPHASIS, redo_first=True)
                    title_rows = 0 if self.sitting.is_case else 2  # the header has the title
                    self.debrief_lines_by_width = {width: tuple(lines[title_rows:])}
                return PaneBody(self.debrief_lines_by_width[width])
            case Stage.DISPUTE:
                return self.dispute_state.pane_body(width)
            case Stage.PROBE:  # the stem, the answer, and the probe, which must stay visible
                state = session.item_state
                body_lines = wrap_blocks(state.variant.prompt()[:-1], width, SCREEN_EMPHASIS)
                response_lines = wrap_text(response_text(state.response), width - 2)
                body_lines += ["", "You said:", *(f"| {line}".rstrip() for line in response_lines)]
                question_lines = wrap_text(probe_question_text(state, self.probed_criterion_id), width)
                body_lines += ["", *(f"\x1b[1m{line}\x1b[0m" for line in question_lines)]
                return PaneBody(tuple(body_lines), len(body_lines) - 1)
            case _:
                return self.current_item_body(width)

    def briefing_pane_lines(self, width: int) -> list[str]:
        return panes.briefing_lines(self.sitting, width)

    def current_item_body(self, width: int) -> PaneBody:
        """Why a plan asks the item (if one does), its stem, the options of a choice, the facts requested, the hints
        taken, and that it is closed (if it is)."""
        from quizgen.page import Paragraph  # a brief is shown before any page is loaded

        state, area, focus = self.session.item_state, self.response_block, None
        body_lines = [f"\x1b[2m{line}\x1b[0m" for line in wrap_text(self.sitting.current_item_plan_reason, width)]
        body_lines += [""] * bool(body_lines) + wrap_blocks(state.variant.prompt()[:-1], width, SCREEN_EMPHASIS)
        if isinstance(area, Options):
            body_lines.append("")
            for index, option in enumerate(area.options):
                start = len(body_lines)
                box = (("( )", "(o)"), ("[ ]", "[x]"))[area.allows_several][option.text in self.chosen_option_texts]
                lead = f"{'>' if index == self.cursor else ' '}{box} {option_letter(index)}. "
                lines = wrap_blocks([Paragraph(option.inline_pieces)], max(8, width - 9), SCREEN_EMPHASIS) or [""]
                body_lines += [(lead if n == 0 else " " * 9) + line for n, line in enumerate(lines)]
                if index == self.cursor and not state.is_closed:
                    focus = len(body_lines) - 1 if len(body_lines) - start < 4 else start
        for number, fact in enumerate(state.item.facts_on_request if state.are_facts_shown else ()):
            body_lines += [""] * (number == 0) + wrap_markdown_line(fact, width, SCREEN_EMPHASIS, " " * 9, "  Given: ")
        for number, hint in enumerate(state.item.hints[: state.taken_hint_count], 1):
            body_lines += ["", *wrap_markdown_line(hint, width, SCREEN_EMPHASIS, " " * 10, f"  Hint {number}: ")]
        body_lines += ["", *wrap_text(ITEM_CLOSED_TEXT, width)] if state.is_closed else []
        return PaneBody(tuple(body_lines), focus)

    def _review_body(self, width: int) -> PaneBody:
        """Items worth another look, in one or two lines each."""
        session, to_review = self.session, self.session.flagged_unanswered_or_unsure_indices()
        seconds = session.seconds_left(self.sitting.clock.seconds_now())
        clock = f"{duration_in_words(seconds // 10 * 10)} left." if session.rules.is_timed and seconds >= 10 else ""
        body_lines = wrap_text(f"Review. {clock}", width)
        if not to_review:
            text = "Every item has a response and none is flagged or doubtful. Enter finishes."
            return PaneBody((*body_lines, "", *wrap_text(text, width)))
        body_lines += ["", *wrap_text("Open, flagged or given with low confidence:", width)]
        lines = [panes.review_list_line(session, index, width - 1) for index in to_review]
        rows = [" >"[row == self.cursor] + line for row, line in enumerate(lines)]
        return PaneBody((*body_lines, *rows), len(body_lines) + self.cursor if self.cursor < len(lines) else 0)

    def help_body(self, width: int) -> PaneBody:
        """The keys and what they do: first those of the stage under the help, then those of an item."""
        stage = self._dialog_stack[-1][0]
        words = (key_text.partition(" ") for key_text in panes.footer_key_texts(stage.name))
        keys = [(key, text) for key, _, text in words if text != "help"]
        if stage in (Stage.DEBRIEF, Stage.DISPUTE):
            return PaneBody(tuple(panes.key_help_lines([*keys, ("PgUp, PgDn", "scroll")], width)))
        out = {Mode.PRACTICE: (), Mode.STRICT: ("F9", "F12"), Mode.INTERVIEW: ("F12",)}[self.session.rules.mode]
        item_rows = [row for row in panes.controls_section_rows("help of an item") if row[0].split(" ")[0] not in out]
        body_lines = [*panes.key_help_lines(keys, width), "", *wrap_text("At an item:", width)] if keys else []
        body_lines += panes.key_help_lines(item_rows, width)
        instruction = sittings.how_to_respond_text(self.response_block)
        for text in (ITEM_STATES_LEGEND, *panes.named_rule_texts(["hints"]), instruction):
            body_lines += ["", *wrap_text(text, width)]
        return PaneBody(tuple(body_lines))

    def message_or_input_status(self) -> str:
        """The line under the body: a message, else how the response is read, else the next step."""
        if self.sitting.log_error_text and self.stage is not Stage.LEAVE:
            return f"NOT SAVED: {self.sitting.log_error_text}. Your response is kept in memory: Enter tries again."
        if self.stage is Stage.JUMP:
            return f"Go to item: {self.prompt_input}_"
        if self.stage is Stage.KEEP:
            number = self.session.displayed_number_text(self.card_item_index)
            return f"Item {number}: {CARD_MARK_HELP_TEXT}: {self.prompt_input}_"
        if self.message or self.stage is not self.RESPONSE_STAGE:
            return self.message
        if error := self.sitting.draft_save_error_text:
            return f"Your draft can't be saved ({error}); responses are saved all the same."
        return self.input_status_text(self.read_input_text())

    def input_status_text(self, text: str) -> str:
        """How the response that was typed is read, or the next step."""
        if self.is_scratch_pane_shown:
            return "Scratch: yours alone, never scored. F8 goes back."
        if self.session.item_state.is_closed:
            return "Enter goes on."
        match self.name_of_shown_input:
            case "number" if text.strip():
                result = sittings.parse_response(self.session.item_state.variant, text)
                return f"{'not yet readable:' if result.is_unreadable else 'reads as'} {result.message}"
            case "text" if len(text) > sittings.MAX_RESPONSE_CHARACTERS:
                return f"Too long: only the first {sittings.MAX_RESPONSE_CHARACTERS:,} characters count."
            case "text" if text.strip():
                words = len(text.split())
                return f"{words} word{'s' * (words != 1)}. F5 or Ctrl-D submits, ^_ undoes, Alt-_ redoes."
            case "text":
                return f"{sittings.how_to_respond_text(self.response_block)} Enter begins a line; F5 or Ctrl-D submits."
        if self.chosen_option_texts:
            return f"{self.chosen_letters_text()} taken. Enter submits."
        return sittings.how_to_respond_text(self.response_block)


class CaseScreen(SessionScreen):
    """The full screen of a case."""

    RESPONSE_STAGE = Stage.TALK
    MAX_EDITOR_ROWS = 9
    MAX_MESSAGE_ROWS = 6

    sitting: CaseSitting

    @property
    def name_of_shown_input(self) -> str:
        return "text" if self.stage is Stage.TALK else ""

    def does_enter_submit(self) -> bool:
        return self.stage is Stage.TALK and self.sitting.conversation.turn.kind != "text"

    # -- actions of keys ---------------------------------------------------------------------

    def start_session(self) -> None:
        self.sitting.start_clock()
        self._go_on_after_response()  # a resumed case may be over

    def show_item(self, index: int) -> None:
        """Shows the current turn; in a conversation there is no going to another one."""
        self.go_to_stage(Stage.TALK)
        self.follows_cursor = True
        self.set_input_text(self.session.item_state.draft_text)

    def submit_or_ask_confidence(self) -> None:
        if self.read_input_text().strip():
            self.skip_item_or_submit_turn()
        else:
            self.message = "Write something first, or go on with F7."

    def skip_item_or_submit_turn(self) -> None:
        """Says what is written, or goes on without an answer."""
        self.sitting.submit_text_for_reply_lines(self.read_input_text())
        self._go_on_after_response()

    def show_facts(self) -> str:
        """The facts given so far, and the numbers that the candidate fixed."""
        text = " · ".join(self.sitting.conversation.given_fact_and_number_texts())
        return text or "No fact is known and no number is committed yet."

    def _go_on_after_response(self) -> None:
        is_over = self.sitting.conversation.is_over
        if not self.show_unsaved_stage_if_unsaved():
            self.end_session_and_show_debrief("finished") if is_over else self.show_item(self.session.current_index)

    def end_or_warn_if_time_is_short(self) -> None:
        if self.sitting.is_session_or_phase_time_up():
            self.sitting.end_phase_for_reply_lines(self.session.item_state.draft_text)
            self._go_on_after_response()
            if not self.sitting.conversation.is_over:
                self.message = "The time of that part is over; what you had typed was submitted."
        elif self.stage is Stage.TALK:  # not over the question of a dialog, with which it would go, too
            self.message = self.sitting.due_warning_text() or self.message

    def refuse_key_for_items_only(self, first_digit: str = "") -> None:
        """Redoing, disputing, keeping cards and going to a number are for items."""
        self.message = "Not in a case: n and p lead from turn to turn, q leaves."

    leave_to_redo_missed_items = begin_dispute = open_mark_or_note_prompt = ask_item_number = refuse_key_for_items_only

    def _debrief_line_and_item_numbers(self) -> list[tuple[int, str]]:
        lines = next(iter(self.debrief_lines_by_width.values()), ())
        return [(0, ""), *((row, line) for row, line in enumerate(lines) if line.startswith("-- "))]

    # -- texts on the screen -----------------------------------------------------------------

    def header_and_is_time_short(self, width: int) -> tuple[str, bool]:
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

    def briefing_pane_lines(self, width: int) -> list[str]:
        talk = self.sitting.conversation
        notice = "Resumed: what was said so far comes back." if self.sitting.is_resumed else ""
        head = (panes.case_outline_text(self.sitting), *panes.named_rule_texts(["case"]), f"Seed: {talk.seed}", notice)
        texts = (*head, *talk.case.opening_text.split("\n"))
        return [line for text in texts for line in (wrap_text(text, width) or [""])]

    def current_item_body(self, width: int) -> PaneBody:
        talk, lines = self.sitting.conversation, []
        for line in talk.lines:
            texts = wrap_text(line.text, width, "  ", f"{panes.DISPLAY_NAME_BY_SPEAKER_ROLE[line.speaker_role]}: ")
            lines += [*(f"\x1b[2m{text}\x1b[0m" if line.speaker_role == "candidate" else text for text in texts), ""]
        if not talk.is_over and talk.turn.kind == "choice":
            lines += wrap_blocks(talk.current_turn_variant.prompt()[1:], width)
        return PaneBody(tuple(lines), len(lines) - 1)

    def help_body(self, width: int) -> PaneBody:
        return PaneBody(tuple(panes.key_help_lines(panes.controls_section_rows("help of a case"), width)))

    def input_status_text(self, text: str) -> str:
        return "Your words:"
