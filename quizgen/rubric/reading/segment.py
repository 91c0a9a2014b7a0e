"""Sentences and lead-ins of a response, from its marks."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

from quizgen.rubric.text.fold import Folded
from quizgen.rubric.text.lexicon import BULLET, COLON, COMMA, LINE, QUERY, SENTENCE, STRONG

_LEAD_IN: Final = re.compile(r"\w{1,20}(?: \w{1,20}){0,2}:[ \n]")  # "rule: …" opens a line of its own

_DEEPEST: Final = 40  # blanks before a bullet


def segment(
    folded: Folded, marks: list[tuple[int, int, int]], words: int
) -> tuple[tuple[int, ...], Mapping[int, int], bool]:
    """From the marks before `words` words: the first word of every sentence but the first; sentence of a bullet ->
    sentence that leads in; whether a question mark stands somewhere."""
    text = folded.text
    topics: dict[int, int] = {}
    asks = False
    starts: list[int] = []
    bullets: list[int] = []
    lead: int | None = None  # the sentence number of a line that ends with a colon
    numbered: set[int] = set()  # numbers with a full stop so far
    second: int | None = None  # where the last "2." stands
    outer: list[tuple[int, int]] = []  # bullets that hold the present one: (blanks before it, first word)
    previous: tuple[int, int, int] = (-1, 0, -1)
    size = len(text)
    for mark in marks:
        place, cue, at = mark
        if cue in (COMMA, STRONG):
            previous = mark
            continue
        new = False
        if cue == SENTENCE:
            after = text[at + 1 : at + 2]
            new = not after or after in " \n\"')]" or text[at] == "!" or _glued_sentence(folded, at)
            if new and text[at] == "." and text[at - 1 : at].isdigit():
                second = text.rfind(" 2. ") if second is None else second
                new = not _numbers(text, at, numbered, second)
        elif cue == QUERY:
            new = asks = True
        elif cue == BULLET:
            new = True
            if previous[0] == place and previous[1] in (COLON, LINE) and lead is None and place:
                lead = bisect_right(starts, place - 1)
            bullets.append(place)
            opened = _OPENED.match(text, at)
            if opened is not None and (at == 0 or text[at] == " "):
                numbered.add(int(opened[1]))
            blanks = len(text[at : at + _DEEPEST]) - len(text[at : at + _DEEPEST].lstrip(" "))
            while outer and outer[-1][0] >= blanks:
                outer.pop()
            outer.append((blanks, place))
        elif cue == LINE:
            new = _line_ends(folded, at, size)
            if text[at + 1 : at + 2] == "\n":
                lead = None
        if cue == COLON:
            lead = None if text[at + 1 : at + 2] not in ("\n", "") else bisect_right(starts, max(place - 1, 0))
        elif cue in (SENTENCE, QUERY) and lead is not None and not bullets:
            lead = None
        if new and place and (not starts or starts[-1] != place):
            starts.append(place)
        if lead is not None and cue in (BULLET, LINE) and place and starts and starts[-1] == place:
            number = len(starts)
            within = bisect_right(starts, outer[-2][1]) if cue == BULLET and len(outer) > 1 else lead
            if number != within:
                topics[number] = within  # a bullet in a bullet says more of that one
        previous = mark
    if starts and starts[-1] >= words:
        starts.pop()
    return tuple(starts), topics, asks


def _numbers(text: str, at: int, numbered: set[int], second: int) -> bool:
    """The full stop of "1." in a list within a line: "it has 1. a head, 2. a tail"."""
    found = _ITEM.match(text, max(0, at - 3), at)
    if found is None or text[at + 1 : at + 2] in ("", "\n"):
        return False
    number = int(found[1])
    listed = number - 1 in numbered if number > 1 else number == 1 and second >= at
    if text[found.start(1) - 1 : found.start(1)] in (" ", ""):
        numbered.add(number)
    return listed


_OPENED: Final = re.compile(r" *(\d{1,2})\. ")
_ITEM: Final = re.compile(r"(?:.{0,2}[ (\n])?(\d{1,2})$", re.DOTALL)


def _glued_sentence(folded: Folded, at: int) -> bool:
    """`channel.Passive`: a full stop without a blank, between a word and a capital."""
    text = folded.text
    if at < 3 or not text[at - 3 : at].isalpha() or not text[at + 1 : at + 4].isalpha():
        return False
    place = folded.back[at + 1] if folded.back is not None else at + 1
    return folded.original[place].isupper() and not folded.original[place + 1 : place + 2].isupper()


def _line_ends(folded: Folded, at: int, size: int) -> bool:
    """A line end closes a sentence unless the line was only wrapped."""
    text = folded.text
    after = at + 1
    while after < size and text[after] == " ":
        after += 1
    if after >= size or text[after] == "\n":
        return True
    place = folded.back[after] if folded.back is not None else after
    char = folded.original[place]
    return char.isupper() or char.isdigit() or not char.isalnum() or _LEAD_IN.match(text, after) is not None
