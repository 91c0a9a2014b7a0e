"""Whether a response asserts, denies or doubts what a window of it says."""

from __future__ import annotations

from itertools import pairwise
from typing import Final, NamedTuple

from quizgen.rubric.lexicon import (
    AND,
    ARTICLES,
    COLON,
    COMMA,
    CONTRAST,
    DENIES,
    EITHER,
    FALSE,
    GENERIC,
    HEDGE,
    INSTEAD,
    JOIN,
    LACK,
    LIGHT,
    MIGHT,
    NEGATORS,
    NO,
    NOT,
    OR,
    PRONOUNS,
    QUERY,
    RELATIVES,
    REPORTING,
    STIRRING,
    VIEW,
    WITHOUT,
    words,
)
from quizgen.rubric.matching import Window
from quizgen.rubric.response import TextReading
from quizgen.rubric.rubric import NEGATED

# -- What an answer says of a case: "without X there is no Y", "if no reply comes, …".

_CONDITIONS: Final = frozenset(("if", "when", "whenever", "unless", "otherwise"))
# Words that open what is said of a case: its subject begins with them.
_OPENING: Final = ARTICLES | PRONOUNS | {"there", "each", "every", "all", "we", "you", "one", "our", "your"}


def required(reading: TextReading, start: int, end: int) -> int:
    """ "Without X there is no Y" says that Y needs X: the two negators cancel. The place of the first, or -1."""
    condition = -1
    negators = 0
    for place, cue in reading.cues_in(start, end):
        if cue == JOIN and condition < 0 and reading.plain(place) == "unless":
            condition = place
        elif cue == JOIN and condition < 0 and reading.plain(place) == "if":
            condition = place
            negators -= 1  # "if X does not …, Y does not …": it takes two
        elif cue in NEGATORS:
            if cue == WITHOUT and condition < 0:
                condition = place
            else:
                negators += 1
    return condition if negators >= 1 else -1


def apart(reading: TextReading, condition: int, place: int, start: int) -> bool:
    """ "It does not go on without X, and it is never Y": a statement of its own that the condition does not cover."""
    first, last = min(condition, place), max(condition, place)
    joined = next((p for p, cue in reading.cues_in(first + 1, last) if cue == AND and reading.mark_before(p)), None)
    if joined is None:
        return False
    # One that opens the sentence covers what is said of it first: "if A, then not B, and C is not so either".
    return condition - start > 1 or any(cue in NEGATORS for _, cue in reading.cues_in(first + 1, joined))


def of_a_case(reading: TextReading, window: Window, place: int) -> bool:
    """ "If no reply comes, the frame is sent again": a case that is spoken of, not a denial of the whole."""
    start, end = reading.clause_bounds(place)
    if window.first < start and any(place < h[0] < end for h in window.hits):
        return False  # "fast when the pages are not marked", where marked pages are asked for
    if reading.plain(start) == "otherwise" and place > start:
        return True  # "it has to be locked, otherwise the count is not right"
    if reading.plain(start) not in _CONDITIONS or reading.comma_between(start + 1, place):
        return False
    # "If it comes late the packet is not dropped since …": the negator stands inside the claim itself.
    beyond = window.last >= end and not start < window.first < place
    return window.first < start or beyond or reading.comma_between(place, window.last)


def premised(reading: TextReading, place: int, cue: int, first: int) -> bool:
    """ "Without a cache the lookup is slow": what opens the clause is a case; the claim says what follows."""
    with_no = cue == NO and reading.plain(place - 1) == "with"
    if not (with_no or cue == WITHOUT) or reading.clause_bounds(place)[0] != place - with_no:
        return False
    named = reading.plain(place + 1) in PRONOUNS
    return any(
        reading.plain(p) in _OPENING and (named or weight(reading, place + 1, p)) for p in range(place + 2, first + 1)
    )


# -- How far a negator reaches: narrow scopes, and the words that look like denials and are none.
#
# On scored answers a negator far from the claim is mostly about something else, so it reaches over a
# few weighty words of its own clause only.

REACH: Final = 3  # weighty words between a negator and the claim


def negates(reading: TextReading, window: Window, matched: list[int], place: int, cue: int) -> bool:
    """The negator denies the claim."""
    if cue == DENIES:
        return window.first > reading.told.ends[place] and not _ended(reading, reading.told.ends[place], window.first)
    if place < window.last and any(reading.plain(p) == "until" for p in range(place + 1, window.last + 1)):
        return False  # "nothing is copied until it is written": then it is
    start, end = reading.clause_bounds(place)
    if end == place + 1 and reading.plain(end) == "because":
        end = reading.clause_bounds(end)[1]  # "not because of X" denies that it is because of X
    if window.first < place < window.last:
        ahead = [m for m in matched if m > place]
        if reading.plain(end) in _CASES and not reading.mark_before(end):
            end = reading.clause_bounds(end)[1]  # "does not write when a line is evicted"
        if not ahead or ahead[0] >= end or reading.comma_between(place, ahead[0]):
            return False
        beyond = next((m for m in ahead if m > end), -1) if reading.plain(end) == "but" else -1
        if beyond > 0 and not weight(reading, end + 1, beyond):
            return False  # "never after the data but before it"
        if _reports(reading, place, ahead[0]) or _new_subject(reading, place, ahead[0]):
            return False
        if _other_predicate(reading, place, ahead[0]):
            return False
        return weight(reading, place + 1, ahead[0]) <= (2 if cue in (NO, WITHOUT) else 5)
    if place < window.first:
        if window.first >= end:
            return False
        if reading.comma_between(place, window.first) or _reports(reading, place, window.first):
            return False
        if _new_subject(reading, place, window.first):
            return False
        if _goes_on(reading, matched, place, end) or _other_predicate(reading, place, window.first):
            return False
        distance = weight(reading, place + 1, window.first)
        if _and_between(reading, place, window.first) and distance > 0:
            return False
        return distance <= (2 if cue in (NO, WITHOUT) else REACH)
    if (
        place == window.last + 1
        and reading.mark_before(place, COLON)
        and (cue == LACK or place + 1 == len(reading.entries) or reading.mark_before(place + 1))
    ):
        return True  # "false negatives: none"
    if place - window.last <= 2 and reading.plain(place) == "no" and reading.plain(place + 1) in _ANSWERS:
        return True  # spoken: "can it shrink the batch no it multiplies"
    # After the claim: "... is not needed", "... does not happen", "... is impossible".
    if window.last < start or reading.comma_between(window.last, place):
        return False
    between = [reading.plain(i) for i in range(window.last + 1, place)]
    if cue in (WITHOUT, NO) or any(w not in LIGHT or w in PRONOUNS for w in between):
        return False
    following = place + 1
    while reading.plain(following) in LIGHT and following < end:
        following += 1
    return following >= end or reading.plain(following) in GENERIC


def excused(reading: TextReading, window: Window, matched: list[int], place: int) -> bool:
    """A turn of words takes its meaning from the cue, and the claim takes no word of that turn: "does not
    prevent" denies where preventing is asked for."""
    last, ahead = reading.told.excused.get(place, (-1, False))
    return last >= 0 and not (any(place < m <= last for m in matched) or (ahead and window.first < place))


def _ended(reading: TextReading, place: int, first: int) -> bool:
    """A turn such as "but" or a reason stands between a denial of the whole and the claim."""
    return any(
        cue == CONTRAST or (cue == JOIN and reading.plain(p) in REASONS and reading.plain(p + 1) != "that")
        for p, cue in reading.cues_in(place + 1, first)
    )


def _goes_on(reading: TextReading, matched: list[int], negator: int, end: int) -> bool:
    """ "We do not keep X, we drop them": the claim is made in a clause of its own after the denied one.
    "It does not save X, it costs Y" denies a word of the claim, and "not the same when Z" all of it."""
    if not weight(reading, negator + 1, matched[0]) and reading.plain(end) not in REASONS:
        return False
    for before, place in pairwise(matched):
        if before < end <= place and reading.plain(end) not in RELATIVES and reading.plain(end) not in _CASES:
            return True
        comma = next((p for p in range(before + 1, place + 1) if reading.mark_before(p, COMMA)), -1)
        if comma >= 0 and reading.plain(comma) in _SUBJECTS:
            return True
    return False


def _new_subject(reading: TextReading, place: int, first: int) -> bool:
    """ "It is not changed as only a copy is passed"."""
    return any(reading.plain(p) == "as" and reading.plain(p + 1) in _REASONING for p in range(place + 2, first))


def _other_predicate(reading: TextReading, place: int, first: int) -> bool:
    """ "Commits that had not been shipped are lost", "versions nobody sees must go": the negator belongs to a clause
    about the subject, and the claim is made by a verb of its own."""
    before, word = reading.plain(place - 1), reading.plain(place)
    verbal = before in _VERBS or before in RELATIVES or "'" in word
    if not verbal and (word != "nobody" or place == reading.clause_bounds(place)[0]):
        return False
    end = next((p for p, cue in reading.cues_in(place + 1, first) if cue == JOIN), first)
    return any(
        reading.plain(p) in _FINITE and reading.plain(p - 1) not in _NO_PARTICIPLES and weight(reading, place + 1, p)
        for p in range(place + 2, end + 1)
    )


_VERBS: Final = frozenset(words("is are was were has have had do does did can could will would should may might must"))
_FINITE: Final = frozenset(words("is are was were must will can should would may might"))
_NO_PARTICIPLES: Final = frozenset(words("that which what it they this there and or as than"))
# Words that open a case under which the clause before them holds.
_CASES: Final = frozenset(("when", "whenever", "if", "where"))
_ANSWERS: Final = frozenset(("it", "they", "that", "this", "we", "you"))
_REASONING: Final = frozenset(("only", "it", "they", "there", "we", "you", "this"))
_SUBJECTS: Final = PRONOUNS - RELATIVES - {"that"} | {"i", "we", "you", "one", "as", "so"}
REASONS: Final = frozenset(("because", "since", "so", "therefore", "thus", "hence"))


def _reports(reading: TextReading, first: int, last: int) -> bool:
    """A reporting verb directly after the negator: what is left unsaid is not denied."""
    return any(reading.plain(i) in REPORTING for i in range(first + 1, min(last, first + 4)))


def weight(reading: TextReading, first: int, last: int) -> int:
    """Words between that could carry the negation away: light verbs, articles and the like are not counted."""
    return sum(1 for i in range(first, last) if reading.entries[i].plain not in LIGHT)


def _and_between(reading: TextReading, first: int, last: int) -> bool:
    return any(first < place < last and cue == AND for place, cue in reading.cues)


# -- Guesses and other people's views: "maybe", "I guess", "either A or B", "some say that …".

_GUESSERS: Final = frozenset(("i", "just", "a", "am", "my", "i'm", "im"))
# Who holds a view that the candidate then turns from.
_HOLDERS: Final = frozenset(
    ("some", "many", "most", "people", "one", "others", "they", "often", "commonly", "you", "first", "initially",
     "originally", "previously", "everyone", "everybody", "to", "had")
)  # fmt: skip
_FORMER: Final = frozenset(("thought", "believed", "assumed", "expected", "suspected", "said", "claimed"))
_RECALL: Final = frozenset(("know", "remember", "recall"))
# What a hedge is about begins with these: "maybe with fewer nodes".
_OBJECT_OPENERS: Final = frozenset(
    ("with", "without", "by", "for", "in", "at", "on", "to", "from", "some", "a", "an", "also")
)
_REACH: Final = 6  # words ahead of a hedge, where an "and" stands between
_TURN: Final = frozenset(("actually", "fact", "reality", "truth"))


def find_hedge(reading: TextReading, window: Window, near: list[tuple[int, int]], start: int) -> tuple[int, int] | None:
    """The words that make a claim a guess, if any; `near` are the cues of its sentence, which begins at `start`."""
    clause_start, clause_end = reading.clause_bounds(window.first)
    clause_end = max(clause_end, reading.clause_bounds(window.last)[1])
    for place, cue in near:
        word = reading.plain(place)
        if cue == HEDGE:
            if word in ("guess", "suppose", "guessing") and reading.plain(place - 1) not in _GUESSERS:
                continue
            if place > window.last and _of_the_next(reading, window, place):
                continue
            if window.first - place > _REACH and any(c == AND for _, c in reading.cues_in(place, window.first)):
                continue
            if clause_start <= place < clause_end or (place < window.first and place - start <= 1):
                return place, place
        elif cue == NOT:
            following = reading.plain(place + 1)
            if place > window.last and following in _RECALL and _has_object(reading, place + 2):
                continue  # "X, I don't remember the rest"
            if following in ("sure", "certain", "confident", "positive") or (
                (following in _RECALL and reading.plain(place - 1) in ("i", "do", "really"))
                or (word in ("don't", "dont", "can't", "cant") and following in _RECALL)
            ):
                return place, place + 1
        elif cue == EITHER and clause_start <= place <= window.last:
            other = next((p for p, c in reading.cues_in(place, clause_end + 1) if c == OR), None)
            # "either the parameters or the gradients" is a guess; "either to extend it or to …" is a list.
            nouns = reading.plain(place + 1) not in ("to", "by", "for", "in", "through", "with", "when", "if")
            if other is None or not nouns or other - place > 6 or window.last >= other + 4:
                continue
            if window.last < other or not any(place <= h[0] < other for h in window.hits):
                return place, other
        elif cue == MIGHT and max(clause_start, window.first - 4) <= place < window.last:
            spoken_of = word == "might" or reading.plain(place - 1) in ("it", "that", "this", "answer")
            if spoken_of and reading.plain(place + 1) in ("be", "have"):
                return place, place
        elif cue == VIEW and place < window.first and _former_view(reading, window, place):
            return place, place
    return None


def _has_object(reading: TextReading, place: int) -> bool:
    """What is not known is named: "… the heap", not "… for sure" or nothing."""
    return place < reading.clause_bounds(place - 1)[1] and reading.plain(place) in _NAMING


_NAMING: Final = frozenset(("the", "a", "an", "what", "how", "about", "any", "more", "anything", "much", "other", "of"))


def _of_the_next(reading: TextReading, window: Window, place: int) -> bool:
    """ "X, and maybe Y": the hedge opens what is said next and leaves X alone."""
    if any(cue == AND and reading.mark_before(p) for p, cue in reading.cues_in(window.last + 1, place)):
        return True
    if reading.plain(place + 1) in _OBJECT_OPENERS and not reading.mark_before(place + 1):
        return True  # "it restarts maybe with fewer nodes"
    first = place
    while first > window.last + 1 and reading.plain(first - 1) in _GUESSERS:
        first -= 1
    return any(p == first - 1 and cue == AND for p, cue in reading.cues_in(window.last + 1, place)) and (
        place + 1 < reading.clause_bounds(place)[1]
    )


def _former_view(reading: TextReading, window: Window, place: int) -> bool:
    """ "Some believe X, but Y", "I first thought of X; in fact Y": a view the candidate turns from."""
    before = [reading.plain(i) for i in range(max(0, place - 3), place)]
    if not (any(w in _HOLDERS for w in before) or (reading.plain(place) in _FORMER and "i" in before)):
        return False
    end = reading.sentence_bounds(window.last)[1]
    if end < len(reading.entries):
        end = min(reading.sentence_bounds(end)[1], end + 3)
    return any(cue == CONTRAST for _, cue in reading.cues_in(window.last + 1, end)) or any(
        reading.plain(i) in _TURN for i in range(window.last + 1, min(end, window.last + 40))
    )


# -- Does the candidate assert, deny or doubt what a window says?
#
# Scopes are narrow on purpose: on scored answers a negator far from the claim is mostly about
# something else. A cue counts only inside the clause of the claim, directly before it, between its
# words, or directly after it; pseudo-negations ("not only", "no longer than") never count.

ASSERTED: Final = "asserted"
DENIED: Final = "denied"
HEDGED: Final = "hedged"

_SIGHT: Final = 60  # words of one sentence that are looked at on each side of a claim


class Stance(NamedTuple):
    """How a claim is put. `cue` is the word that decides (words first..last); a guess without one is a question."""

    kind: str
    cue: tuple[int, int] | None = None


PLAIN: Final = Stance(ASSERTED)


def denied_as_a_whole(reading: TextReading, window: Window) -> bool:
    """ "It is not true that there is no X": even a phrase that names its negator can be called false."""
    start, end = reading.sentence_bounds(window.first)
    for place, cue in reading.cues_in(max(start, window.first - 12), window.first):
        if cue == DENIES and negates(reading, window, [window.first], place, cue):
            return True
    after = [pair for pair in reading.cues_in(window.last + 1, end + 8) if pair[1] in (NOT, FALSE)]
    return _false_next(reading, window, after) is not None


def stance(reading: TextReading, window: Window) -> Stance:
    """The stance of a window; plain assertion where the response holds no cue at all."""
    if not reading.told.stirred and not reading.asks:
        return PLAIN
    start, end = reading.sentence_bounds(window.first)
    if window.last >= end:
        end = reading.sentence_bounds(window.last)[1]
    if end - start > _SIGHT:
        start, end = max(start, window.first - _SIGHT), min(end, window.last + _SIGHT)
    near = [pair for pair in reading.cues_in(start, end) if pair[1] in STIRRING]
    after = [pair for pair in reading.cues_in(window.last + 1, end + 8) if pair[1] in (NOT, FALSE)]
    if not near and not after:
        return _asked(reading, window, end)
    negations: list[tuple[int, int]] = []
    matched = sorted({h[0] for h in window.hits})
    conditional: int | None = None
    for place, cue in near:
        if _inside(window, place) or excused(reading, window, matched, place):
            continue
        if cue == DENIES and any(place < m <= reading.told.ends[place] for m in matched):
            cue = NOT  # "it does not follow that X", where "follows" is asked for
        if cue in NEGATORS or cue == DENIES:
            if cue != DENIES:
                if conditional is None:
                    conditional = required(reading, start, end)
                covered = conditional >= 0 and not apart(reading, conditional, place, start)
                if covered or of_a_case(reading, window, place) or premised(reading, place, cue, window.first):
                    continue
            if negates(reading, window, matched, place, cue):
                negations.append((place, place))
        elif cue == INSTEAD:
            if _instead(reading, window, matched, place):
                negations.append((place, place))
        elif cue == FALSE and _false(reading, window, place):
            negations.append((place, place))
    verdict = _false_next(reading, window, after) if after else None
    if verdict is not None:
        negations.append((verdict, verdict))
    decisive = _odd(reading, negations)
    wants_denial = window.probe >= 0 and reading.index.probes[window.probe].polarity == NEGATED
    if decisive is not None and not wants_denial:
        return Stance(DENIED, decisive)
    hedge = find_hedge(reading, window, near, start)
    if wants_denial and (decisive is None or hedge is None):
        if decisive is not None:
            return Stance(DENIED, decisive)
        asked = _asked(reading, window, end)
        return asked if asked.kind == DENIED else PLAIN
    if hedge is not None:
        return Stance(HEDGED, hedge)
    return _asked(reading, window, end)


def _odd(reading: TextReading, negations: list[tuple[int, int]]) -> tuple[int, int] | None:
    """The first denial that no other one of its own clause takes back."""
    if len(negations) < 2:
        return negations[0] if negations else None
    clauses: dict[int, list[tuple[int, int]]] = {}
    for cue in negations:
        clauses.setdefault(reading.clause_bounds(cue[0])[0], []).append(cue)
    return next((cues[0] for cues in clauses.values() if _stacked(reading, cues) % 2), None)


def _stacked(reading: TextReading, cues: list[tuple[int, int]]) -> int:
    """How many negators of a clause act on one another: "not A and not B", "neither A nor B" deny once each."""
    count = 1
    for (before, _), (place, _) in pairwise(cues):
        joined = reading.plain(place) == "nor" or reading.comma_between(before, place)
        if not joined and not any(cue in (AND, OR) for _, cue in reading.cues_in(before, place)):
            count += 1
    return count


def _asked(reading: TextReading, window: Window, end: int) -> Stance:
    """A claim with a question mark after it is only a guess, unless the question is a quoted one."""
    if not reading.mark_before(end, QUERY):
        return PLAIN
    answered = reading.entries[end].plain if end < len(reading.entries) else ""
    brief = answered in ("no", "not", "never") and reading.sentence_bounds(end)[1] - end <= 4
    if brief or (answered in ("no", "yes") and reading.mark_before(end + 1)):
        # "Can it shrink the batch? No, …", "Secret? Not needed.": one's own question, answered.
        return PLAIN if answered == "yes" else Stance(DENIED, (end, end))
    if end < len(reading.entries) and reading.plain(reading.sentence_bounds(window.first)[0]) in _WH:
        return PLAIN  # "Which copy was it for? Nobody knows."
    if any(cue == COLON and window.first < place < end for place, cue, _ in reading.marks):
        return PLAIN  # "It is ambiguous: is it for the first?"
    after = reading.marks_after(end - 1)
    return PLAIN if any(c in after for c in "\"')") else Stance(HEDGED)


_WH: Final = frozenset(words("which what who whose when where why how"))


def _inside(window: Window, place: int) -> bool:
    """The cue belongs to the matched words themselves."""
    return any([first <= place <= last for first, last, _, _ in window.hits])


def _instead(reading: TextReading, window: Window, matched: list[int], place: int) -> bool:
    """ "instead of X", "rather than X", "unlike X": X is denied if the claim stands right there."""
    following = reading.plain(place + 1)
    word = reading.plain(place)
    if word in ("instead", "rather"):
        if following not in ("of", "than"):
            return False
        head = place + 2
    else:
        head = place + 1
    ahead = [m for m in matched if m >= head]
    if not ahead or weight(reading, head, ahead[0]) > 1 or reading.comma_between(head, ahead[0]):
        return False
    if word == "unlike" and any(reading.plain(p) in RELATIVES for p in range(ahead[0] + 1, window.last)):
        return False  # "unlike UDP, which is connectionless" says so of UDP
    if reading.comma_between(ahead[0], ahead[-1]):
        return False  # "instead of keeping X, it drops them": the comma ends what is replaced
    # Only the whole claim, or its last part, is replaced; "X instead of Y" with both slots is one claim.
    return ahead[0] == matched[0] or word in ("instead", "rather")


def _false(reading: TextReading, window: Window, place: int) -> bool:
    """ "It is wrong that X", "X is false"."""
    if place < window.first:
        return reading.plain(place) in ("incorrectly", "wrongly", "mistaken") and window.first - place <= 4
    if place > window.last:
        between = [reading.plain(i) for i in range(window.last + 1, place)]
        if all(w in LIGHT or w in ("which", "but", "claim", "idea", "statement", "a", "not") for w in between) and any(
            w in ("is", "are", "was", "were", "be", "would", "s") for w in between
        ):
            return not _negated_false(reading, place)
    return False


def _negated_false(reading: TextReading, place: int) -> bool:
    return any(reading.plain(i) in ("not", "isn't", "isnt", "never") for i in range(place - 3, place))


def _false_next(reading: TextReading, window: Window, after: list[tuple[int, int]]) -> int | None:
    """ "X. That is wrong." / "Some say X, but this is not true.": the verdict word, if any."""
    last = reading.sentence_bounds(window.last)[1]
    stop = min(reading.sentence_bounds(last)[1], last + 8) if last < len(reading.entries) else last
    for place, cue in after:
        if place >= stop:
            break
        if place in reading.told.excused:
            continue  # "It is often mistaken for a disk"
        positive = cue == NOT and reading.plain(place + 1) in ("true", "correct", "right", "so", "accurate")
        if not (positive or (cue == FALSE and not _negated_false(reading, place))):
            continue
        before = [reading.plain(i) for i in range(max(window.last + 1, place - 4), place)]
        turn = any(reading.plain(i) in ("but", "which", "however") for i in range(window.last + 1, place))
        # "That is wrong"; but "one gets it wrong by …" says nothing of what stands before.
        said_of = any(w in ("this", "that", "which", "it", "they", "those") for w in before)
        verdict = positive or any(w in ("is", "are", "was", "were", "be", "isn't", "sounds") for w in before)
        if (place >= last or turn) and ((said_of and verdict) or any(w in ("that's", "it's") for w in before)):
            return place
    return None
