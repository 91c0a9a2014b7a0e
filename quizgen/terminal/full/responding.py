"""What the keys of a response do: options, submitting, confidence, probes, feedback."""

from __future__ import annotations

from quizgen.answer_areas import Options
from quizgen.interview.session import Mode, Phase
from quizgen.render.text import clean
from quizgen.source.problems import shorten
from quizgen.terminal.full.panes import Stage
from quizgen.terminal.full.room import Room
from quizgen.terminal.reading import read


def choose(room: Room, index: int | None = None) -> None:
    """Take an option (the only one, or one of several); a second time puts it back."""
    area = room.area
    if not isinstance(area, Options) or room.session.place.closed:
        return
    index = room.cursor if index is None else index
    if index >= len(area.options):
        return
    room.cursor, room.following = index, True
    text = area.options[index].text
    if not area.several:
        room.chosen = (text,)
    elif text in room.chosen:
        room.chosen = tuple(t for t in room.chosen if t != text)
    else:
        room.chosen = tuple(o.text for o in area.options if o.text in (*room.chosen, text))
    room.message = ""
    room.sitting.draft(letters(room))


def letters(room: Room) -> str:
    """The letters of the options taken: `A, C`."""
    area = room.area
    if not isinstance(area, Options):
        return ""
    return ", ".join(area.letter(i) for i, o in enumerate(area.options) if o.text in room.chosen)


def submit(room: Room, typed: str) -> None:
    """Read what is there; an unreadable response costs nothing and is told how to be written."""
    if room.session.place.closed:
        room.forward()
        return
    area = room.area
    if isinstance(area, Options):
        if not room.chosen and not area.several:
            choose(room)
        typed = letters(room)
    reading = read(room.session.place.entry.variant, typed)
    if reading.unreadable:
        room.message = f"That can't be read, and costs nothing: {reading.telling}"
        return
    if reading.blank:
        room.message = "Nothing to submit yet. F7 skips the item."
        return
    room.reading = reading
    room.stage = Stage.CONFIDENCE
    room.message = f"{shorten(clean(reading.telling), 60)}. How sure are you, from 1 (a guess) to 5 (certain)?"


def confide(room: Room, level: int | None) -> None:
    """Record confidence, then the response: on disk before anything else shows."""
    if room.reading is None:
        return
    room.sitting.confide(level)
    room.sitting.respond(room.reading)
    room.reading = None
    room.message = ""
    if not room.held():
        _after(room)


def retry(room: Room) -> None:
    """Write again what could not be written before."""
    if not room.sitting.retry():
        return
    if room.session.phase is Phase.ENDED:
        room.enter(Stage.DEBRIEF, "Saved now.")
    else:
        room.stage, room.message = Stage.ITEM, "Saved now."
        _after(room)


def _after(room: Room) -> None:
    """What follows a response: a probe, feedback, or the next item."""
    if room.session.place.skipped:
        room.forward()
        return
    criterion = room.sitting.probe()
    if criterion is None:
        _feedback(room)
        return
    room.criterion = criterion
    room.sitting.mark_probed(criterion)
    room.enter(Stage.PROBE)
    room.load("")


def add(room: Room, typed: str) -> None:
    """Add the answer to a probe to the response; it is one more line in the log."""
    place = room.session.place
    if typed.strip():
        room.sitting.respond(read(place.entry.variant, f"{place.response}\n\n{typed}"))
        if room.held():
            return
    else:
        room.sitting.draft("")
    room.message = ""
    _feedback(room)


def _feedback(room: Room) -> None:
    room.sitting.open_follow_ups()
    if room.sitting.feedback_now:
        room.sitting.show_solution()
        room.enter(Stage.FEEDBACK)
    else:
        room.forward()


def solution(room: Room) -> None:
    """Practice: the key of the item at hand, which closes it."""
    if room.session.rules.mode is not Mode.PRACTICE:
        room.message = "Solutions come in the debrief (or with --practice)."
        return
    room.sitting.show_solution()
    room.enter(Stage.FEEDBACK)
