"""Turns of English of several words that decide how a claim is put, as rows of a table; and where they stand.

Each row has an example that it decides: the claim "the cache is fast" in a sentence that means `means` with the
row and something else without it. A test takes each row out and expects its own example to fail. A row may excuse
the negators in it (EXCUSES: "not only", "no doubt"), or be a cue itself. The longest row wins, so that what
only looks like a denial is settled before any scope is drawn.

In a pattern `a|b` are alternatives, `^` marks the word that is looked up, `<not>` any negator of verbs, `<false>`
wrong and its like, `<avert>` avoid and its like, `<more>` a comparative, a `<number>` or a `<colon>` that
follows, and `~` up to two weak words such as "the" and "really".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from quizgen.rubric.index import IndexEntry
from quizgen.rubric.lexicon import (
    AVOIDING,
    COLON,
    COMPARATIVES,
    CUES,
    DENIES,
    FALSE,
    LACK,
    NOT,
    STIRRING,
    TRIGGER,
    TURNING,
    VIEW,
)

EXCUSES: Final = -1
WEAK: Final = frozenset(("the", "really", "simply", "at", "all", "entirely", "completely", "quite", "be", "in", "fact"))
_WEAK_WORDS: Final = 3
_MOST: Final = 100  # cues of one response at which turns are looked for


@dataclass(frozen=True, slots=True)
class Row:
    """A turn of words: its kind (EXCUSES or a cue), its pattern, an example and what that says of the claim.
    `ahead`: only claims that begin after it are excused."""

    kind: int
    pattern: str
    example: str
    means: str
    ahead: bool = False


ROWS: Final = (
    Row(EXCUSES, "^<not> only|just|merely|simply|solely|exclusively|necessarily|too|surprisingly|unlike|unlikely",
        "The cache is not only fast but cheap.", "found"),
    Row(EXCUSES, "^<not> ~ <false>", "It is not wrong to say that the cache is fast.", "found"),
    Row(EXCUSES, "^<not> ~ <avert>", "It does not prevent a fast cache.", "found"),
    Row(EXCUSES, "^cannot|can't|cant|couldn't|couldnt help", "The cache cannot help being fast.", "found"),
    Row(EXCUSES, "^<not> as", "A disk is not as fast as the cache.", "found", ahead=True),
    Row(EXCUSES, "^<not> clear|known|obvious|stated|said whether|if|how|what|which|when|where|why",
        "It is not known why the cache is fast.", "found"),
    Row(EXCUSES, "^<not> <more> than <number>", "The cache of not less than 8 MB is fast.", "found"),
    Row(EXCUSES, "whether|or|if|why ^not|never", "Whether or not it is used the cache is fast.", "found"),
    Row(EXCUSES, "^mistaken for|with", "The cache is fast. It is often mistaken for a disk.", "found"),
    Row(EXCUSES, "may|might may|might ^not", "It may, may not be that the cache is fast.", "found"),
    Row(EXCUSES, "may|might or may|might ^not", "It may or may not be that the cache is fast.", "found"),
    Row(EXCUSES, "^no longer|more|less|later|fewer than", "The cache is no less than fast.", "found"),
    Row(EXCUSES, "^no matter|wonder|problem|other|better", "No wonder the cache is fast.", "found"),
    Row(EXCUSES, "^no|none wait|sorry|actually", "No wait the cache is fast.", "found"),
    Row(EXCUSES, "^no because|since|as|the|a|an|it|its|they|we|you|i|this|these|those",
        "No the cache is fast.", "found", ahead=True),
    Row(EXCUSES, "without|a|beyond|any|in ^doubt", "Beyond doubt the cache is fast.", "found"),
    Row(LACK, "^fail|fails|failed|failing to", "The cache fails to be fast.", "negated"),
    Row(DENIES, "^<not> ~ true|correct|right|accurate|case|mean|imply|follow ~ that",
        "It is not the case that with a few of its many entries in steady use the cache is fast.", "negated"),
    Row(DENIES, "^<not> ~ true|correct|right|accurate|possible|fair to say|claim|think",
        "It is not correct to say with a few of its many entries in steady use the cache is fast.", "negated"),
    Row(DENIES, "^<not> think|believe|agree|suppose",
        "I do not think that with a few of its many entries in steady use the cache is fast.", "negated"),
    Row(DENIES, "^<false> that|to", "It is a myth that the cache is fast.", "negated"),
    Row(FALSE, "is|are|was|were ^<false> <colon>", "A fast cache is wrong: it is a slow one.", "negated"),
    Row(DENIES, "^<false> <colon>", "False: the cache is fast.", "negated"),
    Row(NOT, "^far from", "The cache is far from fast.", "negated"),
    Row(NOT, "^anything but", "The cache is anything but fast.", "negated"),
)  # fmt: skip

_Pattern = tuple[tuple[frozenset[str], ...], int]  # its tokens, and which of them is looked up


def looked_up(rows: tuple[Row, ...]) -> dict[str, list[tuple[_Pattern, Row]]]:
    """Patterns by the word that is looked up; `<not>` and `<false>` under their own names."""
    found: dict[str, list[tuple[_Pattern, Row]]] = {}
    for row in rows:
        tokens = row.pattern.split()
        at = next(i for i, token in enumerate(tokens) if token.startswith("^"))
        tokens[at] = tokens[at][1:]
        for word in tokens[at].split("|"):
            alternatives = tuple(frozenset(token.split("|")) for token in tokens)
            found.setdefault(word, []).append(((alternatives, at), row))
    return found


TABLE = looked_up(ROWS)


@dataclass(frozen=True, slots=True)
class Cues:
    """(place, cue) of the words that are cues; `excused`: cue -> last word of what excuses it, and whether only of
    claims ahead; `ends`: cue of several words -> its last word. `stirred`: some word may deny or doubt a claim;
    `turning`: some word may take back what was said."""

    cues: tuple[tuple[int, int], ...]
    excused: Mapping[int, tuple[int, bool]]
    ends: Mapping[int, int]
    stirred: bool
    turning: bool


NO_CUES: Final = Cues((), {}, {}, False, False)


def settle(entries: list[IndexEntry], marks: list[tuple[int, int, int]], hot: list[int]) -> Cues:
    """The cues of a response: those that a row excuses, and those that rows are in the place of single words."""
    single = [(place, entries[place].cue) for place in hot if entries[place].cue]
    if not single:
        return NO_CUES
    stirred = turning = False
    for place, cue in single:
        word = entries[place].plain
        if cue == VIEW:
            # "I think" opens many an honest answer; other views may be left again.
            if word != "think" or not place or entries[place - 1].plain != "i":
                stirred, turning = True, turning or word == "thought"
        elif cue in STIRRING:
            stirred = True
        if cue in TURNING or word == "no":
            turning = True
    if not stirred:
        return Cues(tuple(single), {}, {}, False, turning)
    return _settled(_Words(entries, frozenset([place for place, cue, _ in marks if cue == COLON])), single, turning)


_KINDS: Final = {NOT: "<not>", FALSE: "<false>"}  # cues that have rows of their own


class _Words(NamedTuple):
    entries: list[IndexEntry]
    colons: frozenset[int]


def _settled(words: _Words, single: list[tuple[int, int]], turning: bool) -> Cues:
    cues: list[tuple[int, int]] = []
    excused: dict[int, tuple[int, bool]] = {}
    ends: dict[int, int] = {}
    past = -1  # the last word that a row has taken
    for number, (place, cue) in enumerate(single):
        if place <= past:
            continue
        best, row = _longest(words, place, cue) if number < _MOST else (-1, None)
        if row is None:
            if cue != TRIGGER:
                cues.append((place, cue))
        elif row.kind == EXCUSES:
            inside = [(p, c) for p, c in single[number:] if p <= best]
            excused.update(dict.fromkeys([p for p, _ in inside], (best, row.ahead)))
            cues.extend(inside)
            past = best
        else:
            cues.append((place, row.kind))
            ends[place] = past = best
    return Cues(tuple(cues), excused, ends, True, turning)


def _longest(words: _Words, place: int, cue: int) -> tuple[int, Row | None]:
    best, found = -1, None
    for (tokens, at), row in (*TABLE.get(words.entries[place].plain, ()), *TABLE.get(_KINDS.get(cue, ""), ())):
        last = _match(words, tokens, at, place)
        if last > best:
            best, found = last, row
    return best, found


def _match(words: _Words, tokens: tuple[frozenset[str], ...], at: int, place: int) -> int:
    """The last word of the pattern whose token `at` stands at `place`, or -1."""
    for back, token in enumerate(reversed(tokens[:at]), 1):
        if not _is(words, token, place - back):
            return -1
    last = place
    for token in tokens[at + 1 :]:
        if "~" in token:
            weak = 0
            while weak < _WEAK_WORDS and last + 1 < len(words.entries) and words.entries[last + 1].plain in WEAK:
                last, weak = last + 1, weak + 1
        elif "<number>" in token:
            return last if _is(words, token, last + 1) else -1  # it is no part of the turn, and may be asked for
        elif "<colon>" in token:
            if last + 1 not in words.colons:
                return -1
        elif not _is(words, token, last + 1):
            return -1
        else:
            last += 1
    return last


def _is(words: _Words, token: frozenset[str], place: int) -> bool:
    """The word at a place is one that the token stands for."""
    if not 0 <= place < len(words.entries):
        return False
    word = words.entries[place].plain
    return (
        word in token
        or ("<false>" in token and CUES.get(word) == FALSE)
        or ("<avert>" in token and word in AVOIDING)
        or ("<more>" in token and (word in COMPARATIVES or word in ("more", "less", "fewer")))
        or ("<number>" in token and word[0].isdigit())
    )
