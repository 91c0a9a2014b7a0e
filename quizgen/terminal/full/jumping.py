"""To an item by its number: in the session, from the review, in the debrief."""

from __future__ import annotations

from quizgen.terminal.full.panes import Stage
from quizgen.terminal.full.room import Room

LONGEST = 6  # characters of a number


def ask(room: Room, typed: str = "") -> None:
    """Ask for the number of an item, or take one more character of it."""
    if room.stage is not Stage.JUMP:
        room.lay()
        room.stage, room.target = Stage.JUMP, ""
    room.target = (room.target + typed)[:LONGEST]
    room.message = f"Go to item: {room.target}_"


def shorten(room: Room) -> None:
    room.target = room.target[:-1]
    ask(room)


def there(room: Room) -> None:
    """Go where the number says; an unknown one is told."""
    index = room.session.numbered(room.target)
    room.close_aside()
    if index is None:
        room.message = f"There is no item {room.target}." if room.target else ""
    elif room.stage is Stage.DEBRIEF:
        _read(room, room.session.number(index))
    else:
        room.show(index)


def here(room: Room) -> str:
    """The number of the item at the top of the debrief on screen; empty above the first."""
    above = [number for at, number in _heads(room) if at <= room.scroll]
    return above[-1] if above else ""


def turn(room: Room, step: int) -> None:
    """Scroll the debrief to the next item, or to the one before."""
    heads = [at for at, _ in _heads(room)]
    after = [at for at in heads if at > room.scroll] if step > 0 else [at for at in heads if at < room.scroll]
    if after:
        room.scroll = after[0] if step > 0 else after[-1]


def _read(room: Room, number: str) -> None:
    place = next((at for at, found in _heads(room) if found == number), None)
    if place is None:
        room.message = f"Item {number} was not reached."
    else:
        room.scroll, room.message = place, ""


def _heads(room: Room) -> list[tuple[int, str]]:
    """The line of each item in the debrief on screen, and its number."""
    shown = next(iter(room.debrief.values()), ())
    plain = ((at, line.removeprefix("\x1b[1m")) for at, line in enumerate(shown))
    return [(at, line[4:].partition(". ")[0]) for at, line in plain if line.startswith("--- ")]
