"""Disputing a mark on the screen: one's own words marked, then fully, partly or no."""

from __future__ import annotations

import re

from quizgen.interview.session import Dispute, Interview
from quizgen.render.text import Run, clean, lines, wrap, wrapped
from quizgen.terminal.disputes import SAYS, Disputing, agrees, evidence, open_marks
from quizgen.terminal.full import jumping
from quizgen.terminal.full.panes import LOOK, Body, Stage
from quizgen.terminal.full.room import Room

_WORD = re.compile(r"\S+")
CURSOR = re.compile("\x1b\\[(7;)?4m")  # the word that the arrows are at


def begin(room: Room) -> None:
    """The marks that are not sure, once; then those of the item that the debrief shows."""
    marks = open_marks(room.session)
    number = jumping.here(room)
    unsure = [m for m in marks if m.unsure and not room.asked]
    asked, room.asked = unsure or [m for m in marks if m.number == number], True
    if not asked:
        which = f"Item {number} has" if number else "No item above has"
        room.message = f"{which} no mark to dispute; n and p lead to the next item and the one before."
        return
    room.disputing = Disputing(asked)
    room.enter(Stage.DISPUTE)
    turn(room, 0)


def turn(room: Room, step: int) -> None:
    """Another criterion, with the words that its mark rests on marked."""
    its = _its(room)
    its.at = max(0, min(its.at + step, len(its.marks) - 1))
    one = its.marks[its.at]
    its.words = tuple(m.span() for m in _WORD.finditer(one.text))
    its.first = its.last = None
    found = evidence(one.row.mark)
    if found is not None:
        inside = [n for n, (start, end) in enumerate(its.words) if start < found[1] and end > found[0]]
        if inside:
            its.first, its.last = inside[0], inside[-1]
    its.cursor = its.first or 0
    room.scroll, room.message = 0, ""


def move(room: Room, step: int) -> None:
    its = _its(room)
    its.cursor = max(0, min(its.cursor + step, len(its.words) - 1))


def mark(room: Room) -> None:
    """The first end, then the last; a third time begins anew."""
    its = _its(room)
    if its.first is None or its.last is not None:
        its.first, its.last = its.cursor, None
        room.message = "Now the last word of it: arrows, then Space."
    else:
        its.last, room.message = its.cursor, ""


def claim(room: Room, kind: str) -> None:
    """Log the claim and go on with the next mark."""
    its = _its(room)
    one = its.marks[its.at]
    same = agrees(one.row.mark, kind)
    if kind != "no" and its.span is None and not same:
        room.message = "Mark the words that say it first: arrows, Space at the first and at the last."
        return
    if not same:
        start, end = its.span or (0, 0)
        room.sitting.dispute(one.index, Dispute(one.row.mark.criterion, kind, start, end))
        room.debrief = {}
    told = "So says the mark." if same else f"Noted. {SAYS}"
    if its.at + 1 < len(its.marks):
        turn(room, 1)
        room.message = told
    else:
        room.enter(Stage.DEBRIEF, told)


def body(its: Disputing, session: Interview, width: int) -> Body:
    """What is asked for, one's own answer with what is marked, and the solution."""
    from quizgen.render.debrief import solution

    one = its.marks[its.at]
    made = wrap(f"{one.number}. Criterion {its.at + 1} of {len(its.marks)}: {one.told}", width)
    made += ["", "Did you say it? Your answer:", ""]
    low, high = sorted(
        (its.first if its.first is not None else its.cursor, its.last if its.last is not None else its.cursor)
    )
    said: list[Run] = []
    for number, (start, end) in enumerate(its.words):
        mark = ("r" if low <= number <= high else "") + ("u" if number == its.cursor else "")
        said += [(clean(one.text[start:end]), mark), (" ", "")]
    shown = wrapped(said, width, LOOK)
    focus = len(made) + next((n for n, line in enumerate(shown) if CURSOR.search(line)), 0)
    place = session.places[one.index]
    return Body((*made, *shown, "", *lines(solution(place), width, LOOK)), focus)


def _its(room: Room) -> Disputing:
    assert room.disputing is not None
    return room.disputing
