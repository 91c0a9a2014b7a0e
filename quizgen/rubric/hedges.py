"""Guesses and other people's views: "maybe", "I guess", "either A or B", "some say that …"."""

from __future__ import annotations

from typing import Final

from quizgen.rubric.index import INVERSE_FLAG, Probe
from quizgen.rubric.lexicon import (
    AND,
    ARTICLES,
    CONTRAST,
    DOWN,
    EITHER,
    HEDGE,
    LIGHT,
    MIGHT,
    NOT,
    OR,
    PRONOUNS,
    UP,
    VIEW,
)
from quizgen.rubric.match import Window
from quizgen.rubric.reading import Reading
from quizgen.rubric.rubric import REJECT
from quizgen.rubric.scopes import plain

_GUESSERS: Final = frozenset(("i", "just", "a", "am", "my", "i'm", "im"))
# Who holds a view that the candidate then turns from.
_HOLDERS: Final = frozenset(
    ("some", "many", "most", "people", "one", "others", "they", "often", "commonly", "you", "first", "initially",
     "originally", "previously", "everyone", "everybody", "to", "had")
)  # fmt: skip
_FORMER: Final = frozenset(("thought", "believed", "assumed", "expected", "suspected", "said", "claimed"))
_RECALL: Final = frozenset(("know", "remember", "recall"))
_TURN: Final = frozenset(("actually", "fact", "reality", "truth"))


def find_hedge(reading: Reading, window: Window, near: list[tuple[int, int]], start: int) -> tuple[int, int] | None:
    """The words that make a claim a guess, if any; `near` are the cues of its sentence, which begins at `start`."""
    clause_start, clause_end = reading.clause_bounds(window.first)
    clause_end = max(clause_end, reading.clause_bounds(window.last)[1])
    for place, cue in near:
        word = plain(reading, place)
        if cue == HEDGE:
            if word in ("guess", "suppose", "guessing") and plain(reading, place - 1) not in _GUESSERS:
                continue
            if plain(reading, place + 1)[:1].isdigit() and not any(h[0] <= place + 1 <= h[1] for h in window.hits):
                continue  # "maybe 40 %" guesses an amount that nobody asked for
            if place > window.last and _of_the_next(reading, window, place):
                continue
            if clause_start <= place < clause_end or (place < window.first and place - start <= 1):
                return place, place
            if word in ("unsure", "idk", "dunno", "guess", "guessing"):
                return place, place
        elif cue == NOT:
            following = plain(reading, place + 1)
            if place > window.last and following in _RECALL and _has_object(reading, place + 2):
                continue  # "X, I don't remember the rest"
            if following in ("sure", "certain", "confident", "positive") or (
                (following in _RECALL and plain(reading, place - 1) in ("i", "do", "really"))
                or (word in ("don't", "dont", "can't", "cant") and following in _RECALL)
            ):
                return place, place + 1
        elif cue == EITHER and clause_start <= place <= window.last:
            other = next((p for p, c in reading.cues_in(place, clause_end + 1) if c == OR), None)
            # "either the parameters or the gradients" is a guess; "either to extend it or to …" is a list.
            nouns = plain(reading, place + 1) not in ("to", "by", "for", "in", "through", "with", "when", "if")
            if other is None or not nouns or other - place > 6 or window.last >= other + 4:
                continue
            if window.last < other or not any(place <= h[0] < other for h in window.hits):
                return place, other
        elif cue == MIGHT and max(clause_start, window.first - 4) <= place < window.last:
            spoken_of = word == "might" or plain(reading, place - 1) in ("it", "that", "this", "answer")
            if spoken_of and plain(reading, place + 1) in ("be", "have"):
                return place, place
        elif cue == VIEW and place < window.first and _former_view(reading, window, place):
            return place, place
    return None


def both_ways(reading: Reading, window: Window) -> tuple[int, int] | None:
    """ "LIFO or FIFO", "faster or slower": a word of the claim beside "or" and what would contradict it."""
    near = reading.cues_in(window.first - 2, window.last + 2)
    either = [place for place, cue in near if cue == OR]
    if not either:
        return None
    for place in either:
        if _opposite(reading, window, place):
            return place - 1, place + 1
    probe = reading.index.probes[window.probe]
    for first, last, slot, flags in window.hits:
        for place in either:
            if place == last + 1:
                at = place + 1 + (plain(reading, place + 1) in ARTICLES)
            elif place == first - 1 - (plain(reading, first - 1) in ARTICLES):
                at = place - 1
            else:
                continue
            mirrored = any(
                number == window.probe and where == slot and (flag ^ flags) & INVERSE_FLAG
                for number, where, flag in (reading.entries[at].targets if at < len(reading.entries) else ())
            )
            if mirrored or _rivalled(reading, probe, window.probe, slot, at):
                return min(first, at), max(last, at)
    return None


def _opposite(reading: Reading, window: Window, place: int) -> bool:
    """ "It increases or decreases"; but "can grow or shrink" says both."""
    left, right = plain(reading, place - 1), plain(reading, place + 1)
    if plain(reading, place - 2) in ("can", "could", "to") or not (
        (left in UP and right in DOWN) or (left in DOWN and right in UP)
    ):
        return False
    return any(h[0] == h[1] and h[0] in (place - 1, place + 1) for h in window.hits)


def taken_back(reading: Reading, window: Window) -> tuple[int, bool] | None:
    """ "It is averaged and not averaged", "…, but they are not": the same is denied in the same breath. The
    negator, and whether "or" leaves it open which."""
    entries = reading.entries
    said = {form for h in window.hits for p in range(h[0], h[1] + 1) for form in entries[p].forms}
    for place, cue in reading.cues_in(window.last + 1, window.last + _BREATH):
        if cue != NOT or reading.sentence(place) - reading.sentence(window.last) > 1:
            continue
        between = range(window.last + 1, place)
        if any(_says_more(reading, p, said) for p in between) or plain(reading, place - 1) == "whether":
            continue
        after = place + 1
        while plain(reading, after) in LIGHT and not reading.mark_before(after):
            after += 1
        ends = after >= len(entries) or reading.mark_before(after)
        pronoun = any(plain(reading, p) in PRONOUNS for p in between)
        again = not ends and bool(said & set(entries[after].forms))
        closed = after + 1 >= len(entries) or reading.mark_before(after + 1)
        if (ends and pronoun) or (again and closed):
            return place, any(plain(reading, p) == "or" for p in between)
    return None


_BREATH: Final = 12  # words


def _says_more(reading: Reading, place: int, said: set[str]) -> bool:
    entry = reading.entries[place]
    word = entry.plain
    return not (
        entry.function or entry.cue or word in LIGHT or word in _TURN or word in ("really", "time")
    ) and said.isdisjoint(entry.forms)


def _rivalled(reading: Reading, probe: Probe, number: int, slot: int, at: int) -> bool:
    """Another criterion's phrase gives its own key what stands at this word, or the criterion rejects it."""
    others = [
        n
        for rivals in reading.index.rivals
        if (number, slot) not in rivals.slots and any(n == number for n, _ in rivals.slots)
        for n, key in rivals.slots
        if reading.index.probes[n].owner != probe.owner
    ]
    if any(at in (h[0], h[1]) and h[2] == slot and not h[3] & INVERSE_FLAG for h in reading.hits[number]):
        return False  # "inf or NaN": the phrase takes both
    rejected = [n for n, p in enumerate(reading.index.probes) if p.kind == REJECT and p.owner == probe.owner]
    return any(at in (h[0], h[1]) for n in (*others, *rejected) for h in reading.hits.get(n, ()))


def _has_object(reading: Reading, place: int) -> bool:
    """What is not known is named: "… the heap", not "… for sure" or nothing."""
    return place < reading.clause_bounds(place - 1)[1] and plain(reading, place) in _NAMING


_NAMING: Final = frozenset(("the", "a", "an", "what", "how", "about", "any", "more", "anything", "much", "other", "of"))


def _of_the_next(reading: Reading, window: Window, place: int) -> bool:
    """ "X, and maybe Y": the hedge opens what is said next and leaves X alone."""
    if any(cue == AND and reading.mark_before(p) for p, cue in reading.cues_in(window.last + 1, place)):
        return True
    first = place
    while first > window.last + 1 and plain(reading, first - 1) in _GUESSERS:
        first -= 1
    return any(p == first - 1 and cue == AND for p, cue in reading.cues_in(window.last + 1, place)) and (
        place + 1 < reading.clause_bounds(place)[1]
    )


def _former_view(reading: Reading, window: Window, place: int) -> bool:
    """ "Some believe X, but Y", "I first thought of X; in fact Y": a view the candidate turns from."""
    before = [plain(reading, i) for i in range(max(0, place - 3), place)]
    if not (any(w in _HOLDERS for w in before) or (plain(reading, place) in _FORMER and "i" in before)):
        return False
    if window.first - place > 12:
        return False
    end = reading.sentence_bounds(window.last)[1]
    if end < len(reading.entries):
        end = min(reading.sentence_bounds(end)[1], end + 3)
    if any(cue == CONTRAST for _, cue in reading.cues_in(place + 1, window.first)):
        return False
    return any(cue == CONTRAST for _, cue in reading.cues_in(window.last + 1, end)) or any(
        plain(reading, i) in _TURN for i in range(window.last + 1, min(end, window.last + 40))
    )
