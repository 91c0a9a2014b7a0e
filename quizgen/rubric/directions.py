"""Which way round a phrase is said: what goes from where to where, what saves and what costs, what comes first.

The slots of one phrase may all be found and yet be exchanged: "saves compute, costs memory" for
"saves memory, costs compute", "addresses to names" for "names to addresses". Which way is right is
learnt from the phrase and from the model answer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from quizgen.rubric.lexicon import ARTICLES, DOWN, FUNCTION, UP, words
from quizgen.rubric.rubric import ACCEPT

if TYPE_CHECKING:
    from quizgen.rubric.index import Index, Probe
    from quizgen.rubric.match import Window
    from quizgen.rubric.phrases import Alternative
    from quizgen.rubric.reading import Reading

_OPPOSED: Final = (
    (UP, DOWN),
    (frozenset(words("good well better best")), frozenset(words("bad badly poor poorly worse worst"))),
)
_TO: Final = frozenset(("to", "into", "onto", "towards", "toward"))
_FROM: Final = frozenset(("from", "off"))
_DETERMINERS: Final = ARTICLES | frozenset(words("its their his her this that these those each every one any some"))
_LATER: Final = frozenset(words("then second secondly next afterwards later subsequently last lastly"))
_STEPS: Final = 3  # words between a preposition and its noun


@dataclass(frozen=True, slots=True)
class Ways:
    """What is known of a phrase's direction. `pairs` are (value, noun, other value, other noun) slots;
    `flow` is (what is reached, what is left); `opens` says that some slot takes the word "first"."""

    pairs: tuple[int, int, int, int] | None = None
    flow: tuple[int, int] | None = None
    opens: bool = False


def find_ways(index: Index, model: Reading) -> dict[int, Ways]:
    """The phrases whose direction is known, from their own words and from the model answer."""
    found: dict[int, Ways] = {}
    for number, probe in enumerate(index.probes):
        if probe.kind == ACCEPT and probe.size > 1:
            opens = any(a.single and a.words[0] == "first" for slot in probe.phrase.slots for a in slot)
            ways = Ways(_pairs(probe), _flow(model, number), opens)
            if ways != Ways():
                found[number] = ways
    return found


def _pairs(probe: Probe) -> tuple[int, int, int, int] | None:
    """Of four slots, two opposite values and the nouns beside them."""
    if probe.size != 4:
        return None
    slots = probe.phrase.slots
    for value, noun in ((0, 1), (1, 0)):
        if any(_opposed(slots[value], slots[value + 2], one, two) for one, two in _OPPOSED):
            return value, noun, value + 2, noun + 2
    return None


def _opposed(
    left: tuple[Alternative, ...], right: tuple[Alternative, ...], one: frozenset[str], two: frozenset[str]
) -> bool:
    first, second = ({a.words[0] for a in slot} for slot in (left, right))
    if first & two:
        one, two = two, one
    return bool(first & one and second & two) and not (first & two or second & one)


def _flow(model: Reading, number: int) -> tuple[int, int] | None:
    """What the model answer says is reached, and what is left for it."""
    hits = model.hits.get(number, [])
    goals = [h for h in hits if _role(model, h[0]) in _TO]
    sources = [h for h in hits if _role(model, h[0]) in _FROM]
    if not goals:
        return None
    goal = goals[0]
    if not sources:
        at = next(p for p in range(goal[0] - 1, -1, -1) if model.entries[p].plain in _TO)
        sources = [h for h in hits if at - 4 <= h[1] < at and h[2] != goal[2] and model.same_sentence(h[0], at)][-1:]
    if not sources or sources[0][2] == goal[2] or any(g[2] == sources[0][2] for g in goals):
        return None
    return goal[2], sources[0][2]


def _role(reading: Reading, place: int) -> str:
    """The preposition that governs a noun, if any."""
    at = place - 1
    stop = max(-1, place - 2 - _STEPS)
    while at > stop and reading.same_sentence(at, place):
        word = reading.entries[at].plain
        if word in _TO or word in _FROM:
            return "" if reading.comma_between(at, place) else word
        if word not in _DETERMINERS and (word in FUNCTION or reading.entries[at].targets):
            return ""
        at -= 1
    return ""


def wrong_way(reading: Reading, ways: Ways, window: Window) -> str | None:
    """Why the window says the phrase the wrong way round, or None."""
    wrong = (ways.pairs is not None and _exchanged(reading, window, ways.pairs)) or (
        ways.flow is not None and _reversed(reading, window, *ways.flow)
    )
    if not wrong and not (ways.opens and _comes_later(reading, window)):
        return None
    return f'"{reading.original(window.first, window.last)}" says it the other way round'


def _exchanged(reading: Reading, window: Window, pairs: tuple[int, int, int, int]) -> bool:
    """Each value stands by the other one's noun."""
    value, noun, other, thing = (window.hits[i][0] for i in pairs)

    def apart(a: int, b: int) -> int:
        return reading.reach(min(a, b), max(a, b))

    return 3 * (apart(value, thing) + apart(other, noun)) <= 2 * (apart(value, noun) + apart(other, thing))


def _reversed(reading: Reading, window: Window, goal: int, source: int) -> bool:
    """What should be reached is left, or what should be left is reached."""
    places = [window.hits[i][0] for i in (goal, source)]
    if reading.clause_bounds(places[0]) != reading.clause_bounds(places[1]):
        return False
    reached, left = (_role(reading, place) for place in places)
    return (left in _TO and reached not in _TO) or (reached in _FROM and left not in _FROM)


def _comes_later(reading: Reading, window: Window) -> bool:
    """ "The data first, then the log": what should come first comes second."""
    entries = reading.entries
    opening = next((h[0] for h in window.hits if entries[h[0]].plain == "first"), None)
    if opening is None:
        return False
    for first, last, _, _ in window.hits:
        if first > opening and (
            any(entries[p].plain in _LATER for p in range(opening + 1, first))
            or (last + 1 < len(entries) and entries[last + 1].plain in _LATER and not reading.mark_before(last + 1))
        ):
            return True
    return False
