"""What helps on the way: hints, facts on request, flags, the scratch pane, the pause."""

from __future__ import annotations

from quizgen.terminal.full.panes import Stage
from quizgen.terminal.full.room import Room
from quizgen.terminal.reading import nothing_given

END = 1_000_000  # a scroll position behind any text; drawing clamps it


def offer_hint(room: Room) -> None:
    """Tell what the next hint costs before it is taken."""
    room.message, there = room.sitting.hint_offer()
    if there:
        room.stage = Stage.HINT
        room.message += " Take it? y / n"


def take_hint(room: Room, yes: bool) -> None:
    room.stage, room.message = Stage.ITEM, ""
    if yes:
        room.sitting.take_hint()
        room.scroll, room.following = END, False  # the hint is at the end of the body


def ask(room: Room) -> None:
    """The facts that an interviewer would tell; they cost nothing."""
    told = room.sitting.clarify()
    room.message = "" if told else nothing_given(room.area)
    if told:
        room.scroll, room.following = END, False


def flag(room: Room) -> None:
    room.message = "Flagged for review." if room.sitting.flag() else "No longer flagged."


def toggle_scratch(room: Room) -> None:
    """Between the response and the scratch pane; each keeps its text."""
    room.scratching = not room.scratching
    room.message = ""
    place = room.session.place
    kept = place.draft or (place.response if isinstance(place.response, str) else "")
    room.load(place.scratch if room.scratching else kept)


def typed(room: Room, text: str) -> None:
    """Something changed in the input: it becomes the draft."""
    if room.stage is Stage.ITEM:
        room.message = ""
    if room.scratching:
        if not room.sitting.scratch(text):
            room.message = "The scratch pad is full: what stands behind its first 64 KiB is not kept."
    elif room.stage is Stage.ITEM:
        room.sitting.draft(text)
    elif room.stage is Stage.PROBE:
        # What the hard stop submits is the response with what was added, never the addition alone.
        room.sitting.draft(f"{room.session.place.response}\n\n{text}" if text.strip() else "")


def pause(room: Room) -> None:
    if not room.session.rules.pausable:
        room.message = "A strict session has no pause."
        return
    room.sitting.pause()
    room.stage, room.message = Stage.PAUSED, ""


def unpause(room: Room) -> None:
    room.sitting.unpause()
    room.stage = Stage.REVIEW if room.session.browsing else Stage.ITEM
