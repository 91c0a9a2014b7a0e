"""What speaks against a claim: rejected phrases, denials of the same thing, and corrections.

A reject takes all points of its criterion, so it must be said in so many words: in one clause, and
with no accepted claim nearer to its words.
"""

from __future__ import annotations

from typing import Final

from quizgen.rubric.context.finding import Put
from quizgen.rubric.context.polarity import ASSERTED, DENIED, Stance, denied_as_a_whole
from quizgen.rubric.reading.match import Window
from quizgen.rubric.reading.reading import TextReading
from quizgen.rubric.rubric import ANY, NEGATED, NEXT
from quizgen.rubric.text.lexicon import BULLET, COLON

_SIGHT: Final = 60  # words of a clause that are compared on each side of a claim


_CASES: Final = frozenset(("if", "when", "whenever", "for", "by", "with", "as"))


def in_one_claim(reading: TextReading, wrong: Window, rightly: list[Window]) -> bool:
    """A rejected phrase is said only where its words belong to one another: in one clause, unless the author
    says otherwise by `near`, and none of them more closely to an accepted claim ("queries faster, inserts slower"
    says of no query that it is slower)."""
    if len(wrong.hits) < 2:
        return True
    start, end = reading.clause_bounds(wrong.first)
    if reading.index.probes[wrong.probe].near == NEXT and not start <= wrong.last < end:
        return False
    if reading.entries[start].plain in _CASES and reading.comma_between(wrong.first, wrong.last):
        return False  # "if the speed increases, the diameter …": the case and what follows from it
    size = reading.reach(wrong.first, wrong.last)
    places = {h[0] for h in wrong.hits}
    return not any(
        reading.reach(r.first, r.last) < size and not places.isdisjoint(h[0] for h in r.hits) for r in rightly
    )


def same_claim(reading: TextReading, good: Window, denied: Window) -> bool:
    """The denied clause speaks of nothing the asserted one does not: then the two contradict each other."""
    if good.probe != denied.probe or (good.first <= denied.last and denied.first <= good.last):
        return False
    if len(good.hits) < 2:
        return False  # a name: "A has flow control, B no flow control"
    if _topical(reading, good) or _topical(reading, denied):
        return False
    entries = reading.entries
    for mine, theirs in zip(good.hits, denied.hits, strict=True):
        if not set(entries[mine[0]].forms) & set(entries[theirs[0]].forms):
            return False
    start, end = reading.clause_bounds(good.first)
    start, end = max(start, good.first - _SIGHT), min(max(end, good.last + 1), good.last + _SIGHT)
    said = {f for i in range(start, end) for f in entries[i].forms}
    start, end = reading.clause_bounds(denied.first)
    start, end = max(start, denied.first - _SIGHT), min(max(end, denied.last + 1), denied.last + _SIGHT)
    for i in range(start, end):
        entry = reading.entries[i]
        if entry.function or entry.cue or (denied.first <= i <= denied.last and entry.targets):
            continue
        if not any(f in said for f in entry.forms) and entry.plain not in ("actually", "really", "true"):
            return False
    return True


def _topical(reading: TextReading, window: Window) -> bool:
    """The claim stands under a topic of its own: a bullet, or "confirmed service: no retransmission"."""
    start = reading.sentence_bounds(window.first)[0]
    if reading.mark_before(start, BULLET):
        return True
    return any(cue == COLON and start < place <= window.first for place, cue, _ in reading.marks)


def corrected(
    reading: TextReading,
    good: list[Window],
    hedged: list[Put],
    denied: list[Put],
    wrong: list[Window],
) -> tuple[list[Window], list[Put], list[Put], list[Window]]:
    """ "A, no wait, B": what stands before the correction is taken back where B speaks of the same thing."""

    def whole(found: list[Window]) -> list[Window]:
        """Without windows that reach over a correction, if others do not."""
        return [w for w in found if not reading.corrected_inside(w)] or found

    wrong = whole(wrong)
    against = [d for d, _ in denied]
    kept_wrong = [w for w in wrong if not (reading.retracted(w) or reading.retracted_by(w, good))]
    kept_good = [w for w in good if not (reading.retracted(w) or reading.retracted_by(w, [*kept_wrong, *against]))]
    kept_denied = [(d, s) for d, s in denied if not (reading.retracted(d) or reading.retracted_by(d, kept_good))]
    kept_hedged = [(h, s) for h, s in hedged if not reading.retracted(h)]
    return kept_good, kept_hedged, kept_denied, kept_wrong


def counts(reading: TextReading, window: Window, put: Stance) -> bool:
    """A reject or misconception phrase that the response really says."""
    wanted = reading.index.probes[window.probe].polarity
    if reading.names_negator(window):
        return not denied_as_a_whole(reading, window)
    if wanted == ANY:
        return True
    return put.kind == (DENIED if wanted == NEGATED else ASSERTED)
