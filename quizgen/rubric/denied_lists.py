"""Lists that one negator denies whole: "does not have: X, Y", "lacks a, b or c"."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Final

from quizgen.rubric.lexicon import (
    ARTICLES,
    BULLET,
    COLON,
    COMMA,
    CONTRAST,
    JOIN,
    LACK,
    LINE,
    NOT,
    OR,
    PRONOUNS,
    words,
)

if TYPE_CHECKING:
    from quizgen.rubric.reading import Reading

MOST: Final = 4  # words of one entry of a list
_HAVING: Final = frozenset(
    words(
        """have has having contain contains include includes need needs use uses provide provides support supports
        offer offers hold holds carry carries know knows require requires keep keeps store stores guarantee
        guarantees with"""
    )
)
# Words of a clause of its own, where a list has names only.
_VERBS: Final = frozenset(words("is are was were be does do did can will would could should may might must has have"))
_OPENS: Final = ARTICLES | {"any", "or", "nor"}


def in_denied_list(reading: Reading, negator: int, target: int) -> bool:
    """The word `target` stands in a list that the negator opens. A colon before the list makes it one ("lacks: X, Y");
    else its entries must show that they go on: by "a" ("does not have a head, a tail") or by "or"."""
    entries = reading.entries
    first = negator + 1
    if entries[negator].cue == NOT:
        if first >= len(entries) or entries[first].plain not in _HAVING:
            return False
        first += 1
    elif entries[negator].cue != LACK:
        return False
    if first > target or any(
        e.plain in _VERBS or e.plain in PRONOUNS or e.cue in (CONTRAST, JOIN) for e in entries[first:target]
    ):
        return False
    marks = reading.marks
    within = marks[bisect_left(marks, (first,)) : bisect_left(marks, (target + 1,))]
    breaks: list[tuple[int, int]] = [(place, cue) for place, cue, _ in within]
    if not breaks or any(cue not in _PARTING for _, cue in breaks):
        return False
    lead = breaks[0] if breaks[0][1] == COLON else None
    if any(cue == COLON for _, cue in breaks[1:]) or (lead and lead[0] - first > 1):
        return False
    starts = [place for place, _ in breaks]
    if any(b - a > MOST for a, b in zip([first, *starts], [*starts, target], strict=True)):
        return False
    if lead:
        return True
    return all(cue == COMMA for _, cue in breaks) and (
        all(entries[place].plain in _OPENS for place in starts)
        or any(cue == OR for _, cue in reading.cues_in(starts[-1], starts[-1] + MOST))
    )


_PARTING: Final = frozenset((COMMA, COLON, BULLET, LINE))
