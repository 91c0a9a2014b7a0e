"""The results of a session or a case, for `quizgen mock` at its end and for `quizgen debrief`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quizgen.render.text import PLAIN_STYLE, TextStyle, wrap_text
from quizgen.session.cards import Card
from quizgen.session.interview import Interview
from quizgen.session.sitting import Sitting

if TYPE_CHECKING:  # most sessions are not cases, and a session starts without its debrief
    from quizgen.cases.judge import Judgement
    from quizgen.render.debrief import Debrief


@dataclass(frozen=True, slots=True)
class SessionDebrief:
    """The results of a session of items. `bank_folder` is the bank's folder, for images; `cards` are the cards by item
    id."""

    session: Interview
    bank_folder: str
    cards: Mapping[str, Card]

    def text_lines(self, width: int, style: TextStyle = PLAIN_STYLE, redo_first: bool = False) -> list[str]:
        """The whole debrief in lines of at most `width` columns. With `redo_first`, the items to redo come first."""
        from quizgen.render.debrief_text import debrief_lines

        names = ((self.session.item_number(i), p.item.id) for i, p in enumerate(self.session.item_states))
        kept = [
            f"{number}. {name}: {self.cards[name].mark_and_note_text}" for number, name in names if name in self.cards
        ]
        head = ["", "Kept:"] if kept else []
        shown = [*head, *(line for text in kept for line in wrap_text(text, width, "    ", ""))]
        return [*debrief_lines(self._scored_debrief(), width, style, redo_first=redo_first), *shown]

    def summary_lines(self, width: int) -> Sequence[str]:
        """The results in a few lines."""
        from quizgen.render.debrief_text import debrief_summary_lines

        return debrief_summary_lines(self._scored_debrief(), width)

    def html_page(self) -> str:
        """The debrief as one HTML page."""
        from quizgen.render.debrief_html import debrief_page

        return debrief_page(self._scored_debrief(), self.bank_folder)

    def _scored_debrief(self) -> Debrief:
        from quizgen.render.debrief import debrief_of_session

        return debrief_of_session(self.session)


@dataclass(frozen=True)
class CaseDebrief:
    """The results of a case."""

    judgement: Judgement

    def text_lines(self, width: int, style: TextStyle = PLAIN_STYLE, redo_first: bool = False) -> list[str]:
        from quizgen.render.case import case_debrief_lines

        return case_debrief_lines(self.judgement, width)

    def summary_lines(self, width: int) -> Sequence[str]:
        from quizgen.render.case import case_heading_lines

        return case_heading_lines(self.judgement)

    def html_page(self) -> str:
        from quizgen.render.case import case_debrief_page

        return case_debrief_page(self.judgement)


SessionOrCaseDebrief = SessionDebrief | CaseDebrief


def debrief_of_sitting(sitting: Sitting) -> SessionOrCaseDebrief:
    """The results of a sitting so far, ready to show."""
    judged = sitting.case_judgement()
    return (
        SessionDebrief(sitting.session, sitting.bank_folder, sitting.cards) if judged is None else CaseDebrief(judged)
    )
