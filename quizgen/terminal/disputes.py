"""Marks that a candidate may dispute: their list, the choice of words, and the dialogue line by line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizgen.model import POINT_SHARE_BY_CLAIM, Mark
from quizgen.render.text import StyledText, block_lines, fill_lines, terminal_safe_text, wrap_text
from quizgen.session.interview import Dispute, Interview
from quizgen.source.problems import points_decimal
from quizgen.terminal.panes import SCREEN_TEXT_STYLE, PaneBody

if TYPE_CHECKING:  # a session starts without its debrief
    from quizgen.render.debrief import CriterionRow

CLAIM_BY_KEY = {"f": "full", "p": "part", "n": "no"}
_WORD_PATTERN = re.compile(r"\S+")
_CURSOR_STYLE_PATTERN = re.compile("\x1b\\[(7;)?4m")  # starts the word under the cursor
MARK_UNCHANGED_TEXT = "The mark stays as it is; both are shown, and the author sees your words."


@dataclass(frozen=True, slots=True)
class DisputableMark:
    """A mark that may be disputed: the item's index and its number on screen, the response, and the criterion's row."""

    item_index: int
    item_number: str
    response: str
    criterion_row: CriterionRow

    @property
    def needs_review(self) -> bool:
        """Whether a person should look at the mark, and it was not disputed yet."""
        from quizgen.rubric.score import REVIEW_BELOW

        sure = self.criterion_row.mark.certainty
        return sure is not None and sure < REVIEW_BELOW and not self.criterion_row.candidate_claim

    @property
    def description(self) -> str:
        """The text of the criterion and the reason for its mark."""
        mark = self.criterion_row.mark
        machine = f"{points_decimal(mark.earned)}/{points_decimal(mark.possible)}, {mark.because}"
        return f"{terminal_safe_text(self.criterion_row.criterion_text or 'A part of the answer')} Machine: {machine}."


@dataclass
class DisputeState:
    """The marks that a screen goes through. Mutable: the current mark and the selected words. `word_spans`: the [start,
    end) of each word of the response; `cursor_word_index`, `selection_start_word_index` and `selection_end_word_index`:
    indexes of the word under the cursor and of the ends of the selection."""

    marks: list[DisputableMark]
    mark_index: int = 0
    word_spans: tuple[tuple[int, int], ...] = ()
    cursor_word_index: int = 0
    selection_start_word_index: int | None = None
    selection_end_word_index: int | None = None

    @property
    def current_mark(self) -> DisputableMark:
        return self.marks[self.mark_index]

    @property
    def selected_span(self) -> tuple[int, int] | None:
        """The characters of the selection, [start, end); None unless both ends are set."""
        if self.selection_start_word_index is None or self.selection_end_word_index is None:
            return None
        low, high = sorted((self.selection_start_word_index, self.selection_end_word_index))
        return self.word_spans[low][0], self.word_spans[high][1]

    def go_to_mark(self, step: int) -> None:
        """Goes `step` marks on, and selects the words on which that mark rests."""
        self.mark_index = max(0, min(self.mark_index + step, len(self.marks) - 1))
        self.word_spans = tuple(m.span() for m in _WORD_PATTERN.finditer(self.current_mark.response))
        self.selection_start_word_index = self.selection_end_word_index = None
        span = evidence_span(self.current_mark.criterion_row.mark)
        inside = [n for n, (start, end) in enumerate(self.word_spans) if span and start < span[1] and end > span[0]]
        if inside:
            self.selection_start_word_index, self.selection_end_word_index = inside[0], inside[-1]
        self.cursor_word_index = self.selection_start_word_index or 0

    def move_cursor(self, step: int) -> None:
        self.cursor_word_index = max(0, min(self.cursor_word_index + step, len(self.word_spans) - 1))

    def set_selection_end_at_cursor(self) -> str:
        """Sets the first end of the selection at the cursor, or the last end if the first is set. Returns a message
        with the next step; empty if there is none."""
        if self.selection_start_word_index is None or self.selection_end_word_index is not None:
            self.selection_start_word_index, self.selection_end_word_index = self.cursor_word_index, None
            return "Now the last word of it: arrows, then Space."
        self.selection_end_word_index = self.cursor_word_index
        return ""

    def pane_body(self, session: Interview, width: int) -> PaneBody:
        """The text of the criterion, the candidate's answer with the selected words, and the solution."""
        from quizgen.render.debrief import solution_with_choice_marked

        mark = self.current_mark
        head = f"{mark.item_number}. Criterion {self.mark_index + 1} of {len(self.marks)}: {mark.description}"
        made = [*wrap_text(head, width), "", "Did you say it? Your answer:", ""]
        ends = (
            end if end is not None else self.cursor_word_index
            for end in (self.selection_start_word_index, self.selection_end_word_index)
        )
        low, high = sorted(ends)
        runs: list[StyledText] = []
        for number, (start, end) in enumerate(self.word_spans):
            look = ("r" if low <= number <= high else "") + ("u" if number == self.cursor_word_index else "")
            runs += [(terminal_safe_text(self.current_mark.response[start:end]), look), (" ", "")]
        answer = fill_lines(runs, width, SCREEN_TEXT_STYLE)
        focus = len(made) + next((n for n, line in enumerate(answer) if _CURSOR_STYLE_PATTERN.search(line)), 0)
        place = session.item_states[self.current_mark.item_index]
        return PaneBody(
            (*made, *answer, "", *block_lines(solution_with_choice_marked(place), width, SCREEN_TEXT_STYLE)), focus
        )


def disputable_marks(session: Interview) -> list[DisputableMark]:
    """The mark of every criterion of a text response, in the order of the debrief."""
    from quizgen.render.debrief import criterion_rows, debrief_of_session

    made = []
    for result in debrief_of_session(session).results:
        text = result.state.response
        if isinstance(text, str) and text.strip():
            index = session.index_of_number(result.number)
            rows = [row for row in criterion_rows(result.state, result.score) if row.mark.certainty is not None]
            made += [DisputableMark(index, result.number, text, row) for row in rows if index is not None]
    return made


def find_phrase_span(text: str, phrase: str) -> tuple[int, int] | None:
    """The span [start, end) of `phrase` in `text`, ignoring blanks and case; None if it does not contain them."""
    match = re.search(r"\s+".join(map(re.escape, phrase.split())), text, re.IGNORECASE)
    return match.span() if match else None


Say = Callable[[str], None]
Ask = Callable[[str], str]
LogClaim = Callable[[int, Dispute], None]


def ask_about_disputes(
    session: Interview, say: Say, ask: Ask, log_claim: LogClaim, width: int, item_numbers: Collection[str] = ()
) -> None:
    """Asks line by line, first about the marks that are unsure, then about any item by its number. `ask` raises
    EOFError if nobody answers any more."""
    marks = disputable_marks(session)

    def dispute_item(number: str) -> None:
        rows = [m for m in marks if m.item_number == number.casefold()]
        if not rows:
            there = ", ".join(dict.fromkeys(m.item_number for m in marks)) or "none"
            say(
                f"Item {terminal_safe_text(number)} has no marks to dispute; "
                f"{there} {'have' if ',' in there else 'has'}."
            )
        for one in rows:
            _ask_about_mark(one, say, ask, log_claim, width)

    if not marks and not item_numbers:
        say("No mark to dispute: only those of a text that was answered can be.")
    for number in item_numbers:
        dispute_item(number)
    if item_numbers:
        return
    for one in (m for m in marks if m.needs_review):
        _ask_about_mark(one, say, ask, log_claim, width)
    while marks and (number := ask("Number of an item whose marks you dispute, or Enter to end: ").strip()):
        dispute_item(number)


def _ask_about_mark(disputed_mark: DisputableMark, say: Say, ask: Ask, log_claim: LogClaim, width: int) -> None:
    for text in (f"{disputed_mark.item_number}. {disputed_mark.description}", f"You: {disputed_mark.response}"):
        for line in wrap_text(text, width, "    ", ""):
            say(line)
    kind = CLAIM_BY_KEY.get(ask("Did you say it: f fully, p partly, n no, Enter leave it? ").strip().casefold()[:1])
    if kind is None or claim_equals_mark(disputed_mark.criterion_row.mark, kind):
        return
    start = end = 0
    while kind != "no":
        typed = ask("The words of your answer that say it (Enter: the ones found): ")
        span = (
            find_phrase_span(disputed_mark.response, typed)
            if typed.strip()
            else evidence_span(disputed_mark.criterion_row.mark)
        )
        if span is not None:
            start, end = span
            break
        if not typed.strip():
            say("There is nothing to dispute without words from your answer.")
            return
        say("Your answer does not contain these words; copy them from it.")
    log_claim(disputed_mark.item_index, Dispute(disputed_mark.criterion_row.mark.criterion, kind, start, end))
    say(MARK_UNCHANGED_TEXT)


def claim_equals_mark(mark: Mark, claim: str) -> bool:
    """Whether `claim` (full, part or no) says the same as the mark, so that there is no dispute."""
    return mark.possible * POINT_SHARE_BY_CLAIM[claim] == mark.earned


def evidence_span(mark: Mark) -> tuple[int, int] | None:
    """The characters [start, end) from the first to the last evidence for a mark; None without evidence."""
    return (mark.evidence_spans[0][0], mark.evidence_spans[-1][1]) if mark.evidence_spans else None
