"""What a rejected phrase must be to contradict a criterion that names its subject with `of`.

It is said of that subject, in one clause, within a few words, and asserted; an accepted statement of the same
subject that is as tight protects. Measured on blind answers: such rejects were wrong once in 41, the same words
without an owner ten times in 46.
"""

from __future__ import annotations

from typing import Final

from quizgen.rubric.context.finding import Finding, Put
from quizgen.rubric.context.polarity import ASSERTED, DENIED
from quizgen.rubric.pattern.index import INVERSE_FLAG
from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.passage import Hit
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.reading.subjects import Owner
from quizgen.rubric.text.lexicon import ARTICLES, words

REACH: Final = 8  # words of one clause in which a contradiction stands

# Said with one of these, a thing is neither so nor not so: "avoids hops", "fewer copies".
_LESSENING: Final = frozenset(
    words(
        """fewer less reduce reduces reduced reducing reduction avoid avoids avoided avoiding prevent prevents lower
        lowers decrease decreases cut cuts save saves saving eliminate eliminates minimize minimizes rarely seldom
        hardly"""
    )
)
# What stands after one of these in its sentence is told as a mistake.
_MISTAKES: Final = frozenset(
    words(
        """wrong trap traps mistake mistakes pitfall pitfalls error incorrectly wrongly misleading inflate inflates
        inflated"""
    )
)


def said_of(reading: TextReading, hits: list[Hit], of: Owner) -> list[Hit]:
    """The hits that are said of a subject, not of its rivals or of nothing; none of them names a subject itself."""
    return [h for h in hits if (owner := _owner(reading, h)) is not None and owner & of]


def _owner(reading: TextReading, hit: Hit) -> Owner | None:
    """The subject that a word is said of, which does not name one itself; None where it is said of nothing."""
    owners = reading.owners
    return None if hit[0] in owners.loose or owners.mention_at(hit[0], hit[1]) else owners.of[hit[0]]


def stands(reading: TextReading, wrong: Window) -> bool:
    """A rejected window stands in one clause within REACH words, and nothing there lessens it."""
    start, end = reading.clause_bounds(wrong.first)
    if not start <= wrong.last < end or wrong.last - wrong.first >= REACH:
        return False
    entries = reading.entries
    taken = {p for h in wrong.hits for p in range(h[0], h[1] + 1)}
    if len(taken) < len(wrong.hits) or any(entries[h[0]].plain in "<>=+" for h in wrong.hits):
        return False
    before = range(max(start, wrong.first - 2), wrong.last)
    return not any(p not in taken and entries[p].plain in _LESSENING and reading.plain(p + 1) != "than" for p in before)


def said_of_a_rival(reading: TextReading, window: Window, of: Owner) -> bool:
    """What is accepted is said in one clause of another declared subject, as a reject would take it: "PP stays inside
    a node", "PP, which is old, stays inside"."""
    said = [_owner(reading, hit) for hit in window.hits]
    inside = window.last < reading.clause_bounds(window.first)[1]
    return inside and all(owner is not None and not owner & of for owner in said)


def told_as_a_mistake(reading: TextReading, wrong: Window) -> bool:
    """ "One mistake is to run TP across nodes": what is called wrong is denied."""
    start = reading.sentence_bounds(wrong.first)[0]
    return any(reading.entries[p].plain in _MISTAKES for p in range(start, wrong.first))


def contradicts(reading: TextReading, wrong: Window, good: list[Window], of: Owner) -> bool:
    """An asserted rejected window stands, and is tighter than all that is accepted of its subject."""
    if not stands(reading, wrong) or told_as_a_mistake(reading, wrong):
        return False
    size = _tightness(reading, wrong)
    return not any(_tightness(reading, g) <= size and _about(reading, g, of) for g in good)


def denied_rightly(reading: TextReading, finding: Finding) -> Window | None:
    """A rejected window that is denied or told as a mistake: "TP never crosses nodes" says that it stays inside."""
    for window, put in finding.rejects:
        if (put.kind == DENIED or (put.kind == ASSERTED and told_as_a_mistake(reading, window))) and stands(
            reading, window
        ):
            return window
    return None


def _tightness(reading: TextReading, window: Window) -> int:
    """Words from the first to the last, articles not counted."""
    return sum(reading.entries[p].plain not in ARTICLES for p in range(window.first, window.last + 1))


def _about(reading: TextReading, window: Window, of: Owner) -> bool:
    owner = reading.owners.of[window.first]
    return owner is None or bool(owner & of)


def against(reading: TextReading, place: int, finding: Finding) -> Finding:
    """A comparison mirrors by itself: what is said the other way round of the other side says the same."""
    index = reading.index
    of, other = index.said_of[place], index.said_against[place]
    accepts: list[Put] = []
    rejects: list[Put] = []
    for window, put in finding.accepts:
        slot = index.probes[window.probe].comparative
        owner = reading.owners.of[window.hits[max(slot, 0)][0]]
        mirrored = slot >= 0 and bool(window.hits[slot][3] & INVERSE_FLAG)
        about = owner or frozenset()
        of_other, of_own = bool(about & other) and not about & of, bool(about & of) and not about & other
        if (mirrored and of_own) or (not mirrored and of_other):
            rejects.append((window, put))
        elif not mirrored or of_other:
            accepts.append((window, put))
    for window, put in finding.rejects:
        owner = reading.owners.of[window.first] or frozenset()
        if owner & other and not owner & of and put.kind == ASSERTED:
            accepts.append((window, put))
        else:
            rejects.append((window, put))
    return finding._replace(accepts=tuple(accepts), rejects=tuple(rejects))


def said_about(reading: TextReading, window: Window, of: Owner) -> str:
    """` of "TP"`: the candidate's own name of what a statement is about; empty where no subject was asked for."""
    if not of:
        return ""
    named = [m for m in reading.owners.mentions if m.of & of and m.first <= window.last]
    if not named or named[-1].last >= window.first:
        return ""
    return f' of "{reading.original(named[-1].first, named[-1].last)}"'
