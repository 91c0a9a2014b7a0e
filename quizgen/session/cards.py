"""Cards on which a candidate notes something about an item: a mark, a note, and their lines in the log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from quizgen.session.session_log import LOG_VERSION, LoggedSession, Record

CARD_MARK_TEXTS: Final = {
    "star": "bookmarked",
    "never": "never asked again",
    "bad": "a bad item, asked no more",
    "easy": "easy",
    "none": "",
}
EXCLUDING_CARD_MARKS: Final = ("never", "bad")  # an item with one of these marks is not asked again
CARD_MARK_BY_WORD: Final = {m: m for m in CARD_MARK_TEXTS} | {
    "bookmark": "star",
    "never again": "never",
    "bad item": "bad",
}
CARD_MARK_HELP: Final = "star, never (again), bad (item), none, or a note"
MAX_NOTE_CHARACTERS: Final = 2000  # characters of a note


@dataclass(frozen=True, slots=True)
class Card:
    """A candidate's card on one item: a mark, which is one of `CARD_MARK_TEXTS`, and a note."""

    item: str
    mark: str = "none"
    note: str = ""

    def with_mark_or_note(self, typed_text: str) -> Card:
        """The card after the candidate typed a mark or a note; `none` removes both.

        >>> Card("zero2-13b").with_mark_or_note("bookmark").with_mark_or_note("look up stage 2")
        Card(item='zero2-13b', mark='star', note='look up stage 2')"""
        text = " ".join(typed_text.split())
        mark = CARD_MARK_BY_WORD.get(text.casefold())
        if mark is None:
            return replace(self, note=text[:MAX_NOTE_CHARACTERS])
        return Card(self.item) if mark == "none" else replace(self, mark=mark)

    @property
    def mark_and_note_text(self) -> str:
        """The mark and the note in words: `bookmarked; “look up stage 2”`; empty for an empty card."""
        return "; ".join(filter(None, (CARD_MARK_TEXTS[self.mark], f"“{self.note}”" if self.note else "")))

    def log_line(self, session_id: str, utc_time: str) -> Record:
        """The card's line in the log of a session; `utc_time` is UTC, ISO 8601."""
        name = {"v": LOG_VERSION, "type": "card", "session": session_id}
        return name | {"item": self.item, "mark": self.mark, "note": self.note, "at": utc_time}


def logged_cards_with_times(session: LoggedSession) -> Iterator[tuple[str, Card]]:
    """Yields (time, card) for each card written in a session; a card with an unknown mark is left out."""
    for line in session.card_records:
        mark, note = line.get("mark"), line.get("note")
        if isinstance(mark, str) and mark in CARD_MARK_TEXTS:
            yield str(line.get("at", "")), Card(str(line["item"]), mark, note if isinstance(note, str) else "")
