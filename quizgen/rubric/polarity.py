"""Does the candidate assert, deny or doubt what a window says?

Scopes are narrow on purpose: on graded answers a negator far from the claim is mostly about
something else. A cue counts only inside the clause of the claim, directly before it, between its
words, or directly after it; pseudo-negations ("not only", "no longer than") never count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from quizgen.rubric.lexicon import (
    AFTER_NO,
    AFTER_NOT,
    AND,
    AVOIDING,
    COLON,
    CONTRAST,
    CUES,
    EITHER,
    FALSE,
    GENERIC,
    HEDGE,
    INSTEAD,
    JOIN,
    LACK,
    LATE,
    LIGHT,
    NEGATORS,
    NO,
    NOT,
    OR,
    PRONOUNS,
    QUERY,
    REPORTING,
    UNKNOWING,
    WITHOUT,
)
from quizgen.rubric.match import Window
from quizgen.rubric.reading import Reading

ASSERTED: Final = "asserted"
DENIED: Final = "denied"
HEDGED: Final = "hedged"

_REACH: Final = 3  # weighty words between a negator and the claim
_FAR: Final = 6  # up to here a cue is worth a review, no more
_SIGHT: Final = 60  # words of one sentence that are looked at on each side of a claim


@dataclass(frozen=True, slots=True)
class Stance:
    """How a claim is put. `cue` is the word that decides (words first..last), `doubt` asks for a review."""

    kind: str
    cue: tuple[int, int] | None = None
    doubt: bool = False


_PLAIN: Final = Stance(ASSERTED)


def denied_as_a_whole(reading: Reading, window: Window) -> bool:
    """ "It is not true that there is no X": even a phrase that names its negator can be called false."""
    start, end = reading.sentence_bounds(window.first)
    for place, cue in reading.cues_in(max(start, window.first - 12), window.first):
        if cue == NOT and _denies_clause(reading, place):
            return True
        if cue == FALSE and _false(reading, window, place, end):
            return True
    return _false_next(reading, window, end) is not None


def stance(reading: Reading, window: Window) -> Stance:
    """The stance of a window; plain assertion where the response holds no cue at all."""
    start, end = reading.sentence_bounds(window.first)
    if window.last >= end:
        end = reading.sentence_bounds(window.last)[1]
    start, end = max(start, window.first - _SIGHT), min(end, window.last + _SIGHT)
    near = reading.cues_in(start, end)
    if not near and not reading.asks and not reading.cues_in(end, end + 8):
        return _PLAIN
    negations: list[tuple[int, int]] = []
    doubt = False
    if near:
        taken = {h[0] for h in window.hits} | {h[1] for h in window.hits}
        matched = _places(window)
        conditional = _required(reading, near)
        for place, cue in near:
            if place in taken or _inside(window, place) or _spoken_for(reading, window, place):
                continue
            if cue in NEGATORS:
                if conditional:
                    continue
                reach = _negates(reading, window, matched, place, cue)
                if reach is True:
                    negations.append((place, place))
                elif reach is None:
                    doubt = True
            elif cue == INSTEAD and _instead(reading, window, matched, place):
                negations.append((place, place))
            elif cue == FALSE and _false(reading, window, place, end):
                negations.append((place, place))
    verdict = _false_next(reading, window, end)
    if verdict is not None:
        negations.append((verdict, verdict))
    if len(negations) % 2:
        return Stance(DENIED, negations[0])
    hedge = _hedge(reading, window, near, start, end)
    if hedge is not None:
        return Stance(HEDGED, hedge, doubt)
    return Stance(ASSERTED, None, doubt) if doubt else _PLAIN


def _places(window: Window) -> list[int]:
    return sorted({h[0] for h in window.hits})


def _inside(window: Window, place: int) -> bool:
    """The cue belongs to the matched words themselves."""
    return any(h[0] <= place <= h[1] for h in window.hits)


def _spoken_for(reading: Reading, window: Window, place: int) -> bool:
    """The negator belongs to another phrase that names it ("no preemption"), apart from this claim."""
    for first, last in reading.named_negations:
        if first <= place <= last:
            return window.first > last or window.last < first
    return False


def _plain(reading: Reading, place: int) -> str:
    entries = reading.entries
    return entries[place].plain if 0 <= place < len(entries) else ""


def _required(reading: Reading, near: list[tuple[int, int]]) -> bool:
    """"Without X there is no Y" says that Y needs X: the two negators cancel."""
    first = next((place for place, cue in near if cue == WITHOUT), None)
    if first is None:
        first = next(
            (place for place, cue in near if cue == JOIN and _plain(reading, place) in ("unless", "if")), None
        )
        if first is None or _plain(reading, first) == "if" and sum(cue in NEGATORS for _, cue in near) < 2:
            return False
    return sum(cue in NEGATORS for place, cue in near if place != first) >= 1


def _pseudo(reading: Reading, place: int, cue: int) -> bool:
    """A negator that denies nothing here."""
    following = _plain(reading, place + 1)
    two = f"{following}_{_plain(reading, place + 2)}"
    word = _plain(reading, place)
    if cue == NOT:
        if following in AFTER_NOT or following in UNKNOWING or two in ("to_mention", "to_say"):
            return True
        ahead = place + 1
        while _plain(reading, ahead) in ("really", "simply", "be", "entirely", "completely", "in", "fact"):
            ahead += 1
        if _plain(reading, ahead) in AVOIDING or CUES.get(_plain(reading, ahead)) == FALSE:
            return True
        if following == "as" and _plain(reading, place + 2) != "a":
            return True
        if following in ("know", "remember", "be") and _plain(reading, place + 2) in ("if", "whether", "sure"):
            return True
        if following in ("only", "just"):
            return True
        if word in ("not", "never") and _plain(reading, place - 1) in ("whether", "or", "if", "why"):
            return True
        # "cannot but", "does not fail to" are handled as two negators by parity
        if following == "but":
            return True
    if cue == NO:
        if two in AFTER_NO or following in AFTER_NO or following == "matter":
            return True
        if word in ("no", "none") and (following in ("wait", "sorry", "actually", "") or _marked(reading, place)):
            return True
        if word == "no" and _plain(reading, place - 1) in ("say", "says", "oh"):
            return True
    return cue == LACK and word.startswith("fail") and following != "to"


def _marked(reading: Reading, place: int) -> bool:
    """A mark stands directly after the word: "No, it does."."""
    return reading.mark_before(place + 1)


def _negates(reading: Reading, window: Window, matched: list[int], place: int, cue: int) -> bool | None:
    """True: the negator denies the claim. None: it may; ask for a review. False: it does not."""
    if _pseudo(reading, place, cue):
        return False
    if cue == NOT and place < window.first and _denies_clause(reading, place):
        return not any(
            c == CONTRAST or c == JOIN and _plain(reading, p) in _REASONS
            for p, c in reading.cues_in(place + 1, window.first)
        )
    start, end = reading.clause_bounds(place)
    if window.first < place < window.last:
        ahead = [m for m in matched if m > place]
        if not ahead or ahead[0] >= end or reading.comma_between(place, ahead[0]):
            return False
        if _reports(reading, place, ahead[0]):
            return False
        distance = _weight(reading, place + 1, ahead[0])
        if cue in (NO, WITHOUT):
            return True if distance <= 2 else None
        return True if distance <= 5 else None
    if place < window.first:
        if window.first >= end:
            return False
        if reading.comma_between(place, window.first) or _reports(reading, place, window.first):
            return False
        distance = _weight(reading, place + 1, window.first)
        reach = 2 if cue in (NO, WITHOUT) else _REACH
        if _and_between(reading, place, window.first) and distance > 0:
            return None if distance <= _FAR else False
        if distance <= reach:
            return True
        return None if distance <= _FAR else False
    # After the claim: "... is not needed", "... does not happen", "... is impossible".
    if window.last < start or reading.comma_between(window.last, place):
        return False
    between = [_plain(reading, i) for i in range(window.last + 1, place)]
    if cue in (WITHOUT, NO) or any(w not in LIGHT or w in PRONOUNS or w == "there" for w in between):
        return False
    if not between and "'" not in _plain(reading, place) and cue == NOT and _plain(reading, place) in LATE:
        return False
    following = place + 1
    while _plain(reading, following) in LIGHT and following < end:
        following += 1
    word = _plain(reading, following)
    rest = end - following
    if cue == LACK:
        return True if rest <= 0 or _plain(reading, place) in ("absent", "impossible", "lacking") else None
    if following >= end or rest <= 0 or word in GENERIC:
        return True
    return None


_REASONS: Final = frozenset(("because", "since", "so", "therefore", "thus", "hence"))
_CLAIMS: Final = frozenset(("true", "correct", "right", "accurate", "case", "mean", "imply", "follow"))
_OPINIONS: Final = frozenset(("think", "believe", "agree", "suppose"))


def _denies_clause(reading: Reading, place: int) -> bool:
    """ "It is not true that …", "I do not think …": all of the clause that follows is denied."""
    after = [_plain(reading, i) for i in range(place + 1, place + 6)]
    if after[0] in _OPINIONS:
        return True
    words = [w for w in after if w not in ("the", "really", "at", "all", "entirely", "quite", "be")]
    return words[:1] != [] and words[0] in _CLAIMS and "that" in words[1:2]


def _reports(reading: Reading, first: int, last: int) -> bool:
    """A reporting verb directly after the negator: what is left unsaid is not denied."""
    return any(_plain(reading, i) in REPORTING for i in range(first + 1, min(last, first + 4)))


def _weight(reading: Reading, first: int, last: int) -> int:
    """Words between that could carry the negation away: light verbs, articles and the like are not counted."""
    return sum(1 for i in range(first, last) if reading.entries[i].plain not in LIGHT)


def _and_between(reading: Reading, first: int, last: int) -> bool:
    return any(first < place < last and cue == AND for place, cue in reading.cues)


def _instead(reading: Reading, window: Window, matched: list[int], place: int) -> bool:
    """"instead of X", "rather than X", "unlike X": X is denied if the claim stands right there."""
    following = _plain(reading, place + 1)
    word = _plain(reading, place)
    if word in ("instead", "rather"):
        if following not in ("of", "than"):
            return False
        head = place + 2
    else:
        head = place + 1
    ahead = [m for m in matched if m >= head]
    if not ahead or _weight(reading, head, ahead[0]) > 1 or reading.comma_between(head, ahead[0]):
        return False
    # Only the whole claim, or its last part, is replaced; "X instead of Y" with both slots is one claim.
    if ahead[0] == matched[0]:
        return True
    return word in ("instead", "rather") and len(ahead) < len(matched)


def _false(reading: Reading, window: Window, place: int, end: int) -> bool:
    """"It is wrong that X", "X is false"."""
    word = _plain(reading, place)
    if place < window.first:
        between = [_plain(reading, i) for i in range(place + 1, window.first)]
        if "that" in between[:2] or between[:2] == ["to", "say"] or "to" in between[:1] or _colon_after(reading, place):
            return not _negated_false(reading, place)
        if word in ("incorrectly", "wrongly", "mistaken"):
            return len(between) <= 3
        return False
    if place > window.last:
        between = [_plain(reading, i) for i in range(window.last + 1, place)]
        if all(w in LIGHT or w in ("which", "but", "claim", "idea", "statement", "a", "not") for w in between) and any(
            w in ("is", "are", "was", "were", "be", "would", "s") for w in between
        ):
            return not _negated_false(reading, place)
    return False


def _colon_after(reading: Reading, place: int) -> bool:
    return reading.mark_before(place + 1, COLON)


def _negated_false(reading: Reading, place: int) -> bool:
    return any(_plain(reading, i) in ("not", "isn't", "isnt", "never") for i in range(place - 3, place))


def _false_next(reading: Reading, window: Window, end: int) -> int | None:
    """"X. That is wrong." / "Some say X, but this is not true.": the verdict word, if any."""
    entries = reading.entries
    start, last = reading.sentence_bounds(window.last)
    stop = reading.sentence_bounds(last)[1] if last < len(entries) else last
    stop = min(stop, last + 8)
    for place, cue in reading.cues_in(window.last + 1, stop):
        word = _plain(reading, place)
        positive = cue == NOT and _plain(reading, place + 1) in ("true", "correct", "right", "so", "accurate")
        if not (positive or cue == FALSE and not _negated_false(reading, place)):
            continue
        before = [_plain(reading, i) for i in range(max(window.last + 1, place - 4), place)]
        if any(w in ("this", "that", "which", "it", "that's", "they", "those") for w in before) and (
            place >= last or any(_plain(reading, i) in ("but", "which", "however") for i in range(window.last + 1, place))
        ):
            return place
        if word == "not" and place >= last and before and before[0] in ("not",):
            return place
    return None


def _hedge(
    reading: Reading, window: Window, near: list[tuple[int, int]], start: int, end: int
) -> tuple[int, int] | None:
    clause_start, clause_end = reading.clause_bounds(window.first)
    clause_end = max(clause_end, reading.clause_bounds(window.last)[1])
    for place, cue in near:
        word = _plain(reading, place)
        if cue == HEDGE:
            if word in ("guess", "suppose", "guessing") and _plain(reading, place - 1) not in ("i", "just", "a", "am", "my", "i'm", "im"):
                continue
            if clause_start <= place < clause_end or place < window.first and place - start <= 1:
                return place, place
            if word in ("unsure", "idk", "dunno", "guess", "guessing"):
                return place, place
        elif cue == NOT:
            following = _plain(reading, place + 1)
            if following in ("sure", "certain", "confident", "positive") or (
                following in ("know", "remember", "recall") and _plain(reading, place - 1) in ("i", "do", "really")
                or word in ("don't", "dont", "can't", "cant") and following in ("know", "remember", "recall")
            ):
                return place, place + 1
        elif cue == EITHER and clause_start <= place <= window.last:
            other = next((p for p, c in near if c == OR and p > place), None)
            if other is not None and place < window.last and other < clause_end + 1 and other - place <= 8:
                return place, other
    for place in range(max(clause_start, window.first - 4), window.first):
        word = _plain(reading, place)
        if word == "might" or word in ("could", "may") and _plain(reading, place - 1) in ("it", "that", "this", "answer"):
            if _plain(reading, place + 1) in ("be", "have"):
                return place, place
    if reading.asks and reading.mark_before(end, QUERY):
        return window.last, window.last
    return None

