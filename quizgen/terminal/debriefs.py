"""The results of a session or a case, for `quizgen mock` at its end and for `quizgen debrief`, and the marks in them
that a candidate may dispute."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizgen.model import SHARE_BY_CLAIM_WORD, Mark
from quizgen.render.text import ASCII_EMPHASIS, EmphasisStyle, terminal_safe_text, wrap_blocks, wrap_styled, wrap_text
from quizgen.session.interview import Dispute, Interview
from quizgen.session.session_log import MarkAndNote
from quizgen.session.sitting import Sitting
from quizgen.source.problems import up_to_2_decimals
from quizgen.terminal.panes import SCREEN_EMPHASIS, PaneBody

if TYPE_CHECKING:  # most sessions are not cases, and a session starts without its debrief
    from quizgen.cases.judge import Judgement
    from quizgen.page import Block
    from quizgen.render.debrief import CriterionRow, Debrief


@dataclass(frozen=True, slots=True)
class SessionDebrief:
    """The results of a session of items. `bank_folder_path` is the bank's folder, for images."""

    session: Interview
    bank_folder_path: str
    mark_and_note_by_item_id: Mapping[str, MarkAndNote]

    def text_lines(self, width: int, style: EmphasisStyle = ASCII_EMPHASIS, redo_first: bool = False) -> list[str]:
        """The whole debrief in lines of at most `width` columns. With `redo_first`, the items to redo come first."""
        from quizgen.render.debrief_text import debrief_lines

        lines = debrief_lines(self._scored_debrief(), width, style, redo_first=redo_first)
        cards = [(i, self.mark_and_note_by_item_id.get(p.item.id)) for i, p in enumerate(self.session.item_states)]
        texts = [f"{self.session.displayed_number_text(i)}. {c.item_id}: {c.mark_and_note_text}" for i, c in cards if c]
        card_lines = [line for text in texts for line in wrap_text(text, width, "    ", "")]
        return [*lines, *(["", "Kept:"] if texts else []), *card_lines]

    def summary_lines(self, width: int) -> Sequence[str]:
        """The results in a few lines."""
        from quizgen.render.debrief_text import debrief_summary_lines

        return debrief_summary_lines(self._scored_debrief(), width)

    def html_page(self) -> str:
        """The debrief as one HTML page."""
        from quizgen.render.debrief_html import debrief_page_html

        return debrief_page_html(self._scored_debrief(), self.bank_folder_path)

    def _scored_debrief(self) -> Debrief:
        from quizgen.render.debrief import debrief_of_session

        return debrief_of_session(self.session)


@dataclass(frozen=True)
class CaseDebrief:
    """The results of a case."""

    judgement: Judgement

    def text_lines(self, width: int, style: EmphasisStyle = ASCII_EMPHASIS, redo_first: bool = False) -> list[str]:
        from quizgen.render.case import case_debrief_lines

        return case_debrief_lines(self.judgement, width)

    def summary_lines(self, width: int) -> Sequence[str]:
        from quizgen.render.case import case_heading_lines

        return case_heading_lines(self.judgement)

    def html_page(self) -> str:
        from quizgen.render.case import case_debrief_page_html

        return case_debrief_page_html(self.judgement)


SessionOrCaseDebrief = SessionDebrief | CaseDebrief


def debrief_of_sitting(sitting: Sitting) -> SessionOrCaseDebrief:
    """The results of a sitting so far, ready to show."""
    if (judgement := sitting.case_judgement_or_none()) is not None:
        return CaseDebrief(judgement)
    return SessionDebrief(sitting.session, sitting.bank_folder_path, sitting.mark_and_note_by_item_id)


# -- marks that a candidate may dispute: their list, the choice of words, the dialogue line by line --

CLAIMED_SHARE_WORD_BY_KEY = {"f": "full", "p": "part", "n": "no"}
_CURSOR_STYLE_PATTERN = re.compile("\x1b\\[(7;)?4m")  # starts the word under the cursor
DISPUTE_LOGGED_TEXT = "The mark stays as it is; both are shown, and the author sees your words."


@dataclass(frozen=True, slots=True)
class DisputableMark:
    """A mark that may be disputed: the item's index and its number on screen, the response, the criterion's row, and
    the item's solution."""

    item_index: int
    item_number_text: str
    response_text: str
    criterion_row: CriterionRow
    solution_blocks: tuple[Block, ...]

    @property
    def needs_review(self) -> bool:
        """Whether a person should look at the mark, and it was not disputed yet."""
        from quizgen.rubric.score import MIN_CERTAINTY_WITHOUT_REVIEW

        sure = self.criterion_row.mark.certainty
        return sure is not None and sure < MIN_CERTAINTY_WITHOUT_REVIEW and not self.criterion_row.claimed_share_words

    @property
    def criterion_and_reason_text(self) -> str:
        """The text of the criterion and the reason for its mark."""
        mark = self.criterion_row.mark
        verdict = f"{up_to_2_decimals(mark.earned)}/{up_to_2_decimals(mark.possible)}, {mark.because}"
        return f"{terminal_safe_text(self.criterion_row.criterion_text or 'A part of the answer')} Machine: {verdict}."


@dataclass
class DisputeState:
    """The marks that a screen goes through. Mutable: the current mark and the selected words. `word_spans`: the [start,
    end) of each word of the response; `cursor_word_index` and `selection_ends` (none, one or two): indexes of words."""

    marks: list[DisputableMark]
    mark_index: int = 0
    word_spans: tuple[tuple[int, int], ...] = ()
    cursor_word_index: int = 0
    selection_ends: tuple[int, ...] = ()

    @property
    def current_mark(self) -> DisputableMark:
        return self.marks[self.mark_index]

    @property
    def selected_span(self) -> tuple[int, int] | None:
        """The characters of the selection, [start, end); None unless both ends are set."""
        if len(self.selection_ends) < 2:
            return None
        return self.word_spans[min(self.selection_ends)][0], self.word_spans[max(self.selection_ends)][1]

    def move_by_disputable_marks(self, step: int) -> None:
        """Goes `step` marks on, and selects the words on which that mark rests."""
        self.mark_index = max(0, min(self.mark_index + step, len(self.marks) - 1))
        self.word_spans = tuple(m.span() for m in re.finditer(r"\S+", self.current_mark.response_text))
        span = span_of_all_evidence(self.current_mark.criterion_row.mark)
        indices = [n for n, (start, end) in enumerate(self.word_spans) if span and start < span[1] and end > span[0]]
        self.selection_ends = (indices[0], indices[-1]) if indices else ()
        self.cursor_word_index = indices[0] if indices else 0

    def move_cursor_by_words(self, step: int) -> None:
        self.cursor_word_index = max(0, min(self.cursor_word_index + step, len(self.word_spans) - 1))

    def set_first_or_last_word_at_cursor(self) -> str:
        """Sets the last word if only the first is set. Returns a message with the next step; empty if there is none."""
        first = self.selection_ends if len(self.selection_ends) == 1 else ()
        self.selection_ends = (*first, self.cursor_word_index)
        return "" if first else "Now the last word of it: arrows, then Space."

    def pane_body(self, width: int) -> PaneBody:
        """The text of the criterion, the candidate's answer with the selected words, and the solution."""
        mark, count = self.current_mark, len(self.marks)
        head = f"{mark.item_number_text}. Criterion {self.mark_index + 1} of {count}: {mark.criterion_and_reason_text}"
        lines_above = [*wrap_text(head, width), "", "Did you say it? Your answer:", ""]
        cursor = self.cursor_word_index
        first, last = sorted((*self.selection_ends, cursor, cursor)[:2])
        words = [
            (terminal_safe_text(mark.response_text[start:end]), "r" * (first <= n <= last) + "u" * (n == cursor))
            for n, (start, end) in enumerate(self.word_spans)
        ]
        answer = wrap_styled([run for word in words for run in (word, (" ", ""))], width, SCREEN_EMPHASIS)
        focus = len(lines_above) + next((n for n, line in enumerate(answer) if _CURSOR_STYLE_PATTERN.search(line)), 0)
        return PaneBody((*lines_above, *answer, "", *wrap_blocks(mark.solution_blocks, width, SCREEN_EMPHASIS)), focus)


def disputable_marks(session: Interview) -> list[DisputableMark]:
    """The mark of every criterion of a text response, in the order of the debrief."""
    from quizgen.render.debrief import debrief_of_session

    marks: list[DisputableMark] = []
    for result in debrief_of_session(session).results:
        text, index = result.state.response, session.index_of_item_number(result.item_number_text)
        if isinstance(text, str) and text.strip() and index is not None:
            rows, blocks = [r for r in result.criterion_rows if r.mark.certainty is not None], result.solution_blocks
            marks += [DisputableMark(index, result.item_number_text, text, row, blocks) for row in rows]
    return marks


def ask_about_disputes(
    session: Interview,
    print_line: Callable[[str], None],
    ask: Callable[[str], str],
    log_claim: Callable[[int, Dispute], None],
    width: int,
    item_numbers: Collection[str] = (),
) -> None:
    """Asks line by line, first about the marks that are unsure, then about any item by its number. `ask` raises
    EOFError if nobody answers any more."""
    marks = disputable_marks(session)

    def ask_about_mark(disputed_mark: DisputableMark) -> None:
        response, mark = disputed_mark.response_text, disputed_mark.criterion_row.mark
        head = f"{disputed_mark.item_number_text}. {disputed_mark.criterion_and_reason_text}"
        for text in (head, f"You: {response}"):
            for line in wrap_text(text, width, "    ", ""):
                print_line(line)
        question = "Did you say it: f fully, p partly, n no, Enter leave it? "
        while (key := ask(question).strip().casefold()[:1]) and key not in CLAIMED_SHARE_WORD_BY_KEY:
            print_line("Type f, p or n, or only Enter.")
        word = CLAIMED_SHARE_WORD_BY_KEY.get(key)
        if word is None or is_claim_equal_to_mark(mark, word):
            return
        span: tuple[int, int] | None = (0, 0) if word == "no" else None
        while span is None:
            words = ask("The words of your answer that say it (Enter: the ones found): ").split()
            match = re.search(r"\s+".join(map(re.escape, words)), response, re.IGNORECASE)
            span = span_of_all_evidence(mark) if not words else match.span() if match else None
            if span is None and not words:
                print_line("There is nothing to dispute without words from your answer.")
                return
            if span is None:
                print_line("Your answer does not contain these words; copy them from it.")
        log_claim(disputed_mark.item_index, Dispute(mark.criterion_id, word, *span))
        print_line(DISPUTE_LOGGED_TEXT)

    def dispute_item(number: str) -> None:
        rows = [m for m in marks if m.item_number_text == number.casefold()]
        if not rows:
            numbers = ", ".join(dict.fromkeys(m.item_number_text for m in marks)) or "none"
            print_line(f"Item {terminal_safe_text(number)} has no marks to dispute; items that have: {numbers}.")
        for one in rows:
            ask_about_mark(one)

    if not marks and not item_numbers:
        print_line("No mark to dispute: only those of a text that was answered can be.")
    for number in item_numbers:
        dispute_item(number)
    open_marks = [] if item_numbers else marks
    for one in filter(lambda mark: mark.needs_review, open_marks):
        ask_about_mark(one)
    while open_marks and (number := ask("Number of an item whose marks you dispute, or Enter to end: ").strip()):
        dispute_item(number)


def is_claim_equal_to_mark(mark: Mark, claim: str) -> bool:
    """Whether `claim` (full, part or no) says the same as the mark, so that there is no dispute."""
    return mark.possible * SHARE_BY_CLAIM_WORD[claim] == mark.earned


def span_of_all_evidence(mark: Mark) -> tuple[int, int] | None:
    """The characters [start, end) from the first to the last evidence for a mark; None without evidence."""
    return (mark.evidence_spans[0][0], max(e for _, e in mark.evidence_spans)) if mark.evidence_spans else None
