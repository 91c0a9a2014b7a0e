"""What the screen says at each stage: the large pane, and the note under it."""

from __future__ import annotations

from quizgen.answer_areas import Options
from quizgen.interview.session import Phase
from quizgen.render.text import wrap
from quizgen.terminal.brief import brief_lines
from quizgen.terminal.clock import spoken
from quizgen.terminal.first import HINTS
from quizgen.terminal.full import disputing, panes
from quizgen.terminal.full.panes import LOOK, Body, Stage
from quizgen.terminal.full.responding import letters
from quizgen.terminal.full.room import Room
from quizgen.terminal.reading import MAX_TYPED, how_to, probe_text, read

CLOSED = "The solution was shown; this item is closed. F12 shows it again."
PAUSED = "Paused. The clock stands still and the item is hidden. Enter goes on."


def body(room: Room, width: int) -> Body:
    """The large pane at this stage."""
    session = room.session
    match room.beneath if room.stage in (Stage.LEAVE, Stage.JUMP) else room.stage:
        case Stage.BRIEF:
            title = len(wrap(f"Mock interview: {session.form.title}", width))  # the header has it
            told = brief_lines(session, width, room.sitting.resumed, room.sitting.notice)[title:]
            return Body((*told, "", "Press Enter to start the clock."))
        case Stage.REVIEW | Stage.FINISH:
            left = session.left(room.now)
            clock = f"{spoken(left // 10 * 10)} left." if session.rules.timed and left >= 10 else ""
            return panes.review_body(session, width, room.cursor, clock)
        case Stage.PAUSED:
            return Body(("", *wrap(PAUSED, width)))
        case Stage.HELP:
            notes = (HINTS, how_to(room.area)) if session.phase is not Phase.ENDED else ()
            return panes.help_body(width, room.beneath, session, notes)
        case Stage.FEEDBACK:
            from quizgen.render.debrief_text import feedback_lines

            return Body(tuple(feedback_lines(session.place, width, LOOK)))
        case Stage.DEBRIEF:
            if width not in room.debrief:
                from quizgen.render.debrief import debrief_of
                from quizgen.render.debrief_text import debrief_lines

                room.debrief = {width: tuple(debrief_lines(debrief_of(session), width, LOOK, ahead=True)[2:])}
            return Body(room.debrief[width])
        case Stage.DISPUTE if room.disputing is not None:
            return disputing.body(room.disputing, session, width)
        case Stage.PROBE:
            return panes.probe_body(session, width, probe_text(session.place, room.criterion))
        case _:
            shown = panes.item_body(session, width, room.chosen, room.cursor, room.sitting.reason)
            if session.place.closed:
                return Body((*shown.lines, "", *wrap(CLOSED, width)))
            return shown


def note(room: Room, typed: str) -> str:
    """The line under the body: a message, else how the response is read, else what to do."""
    if room.sitting.trouble and room.stage is not Stage.LEAVE:
        return f"NOT SAVED: {room.sitting.trouble}. Your response is kept in memory: Enter tries again."
    if room.message:
        return room.message
    if room.stage is not Stage.ITEM:
        return ""
    if room.sitting.draft_trouble:
        return f"Your draft can't be saved ({room.sitting.draft_trouble}); responses are told apart from this."
    if room.scratching:
        return "Scratch: yours alone, never scored. F8 goes back."
    if room.session.place.closed:
        return "Enter goes on."
    match room.editing:
        case "number" if typed.strip():
            reading = read(room.session.place.entry.variant, typed)
            return f"not yet readable: {reading.telling}" if reading.unreadable else f"reads as {reading.telling}"
        case "text" if len(typed) > MAX_TYPED:
            return f"Too long: only the first {MAX_TYPED:,} characters are taken."
        case "text" if typed.strip():
            words = len(typed.split())
            return f"{words} word{'s' * (words != 1)}. F5 or Ctrl-D submits, ^_ undoes, Alt-_ redoes."
        case "text":
            return f"{how_to(room.area)} Enter begins a line; F5 or Ctrl-D submits."
    area = room.area
    if isinstance(area, Options) and room.chosen:
        return f"{letters(room)} taken. Enter submits."
    return how_to(area)


def message_lines(text: str, width: int, most: int) -> list[str]:
    """A message in at most `most` lines."""
    made = wrap(text, max(8, width - 2), " ", " ")
    return made if len(made) <= most else [*made[: most - 1], f"{made[most - 1][: width - 2]}…"]
