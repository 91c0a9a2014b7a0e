"""Hits: which words of a response fill which slots of which phrases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from quizgen.rubric.pattern.index import FUZZY, IndexEntry, Sequence
from quizgen.rubric.reading.passage import Hit, Passage
from quizgen.rubric.text.cues import NOT
from quizgen.rubric.text.lexicon import ARTICLES, COMMA, NEGATORS, words
from quizgen.rubric.text.stem import stem

MAX_HITS: Final = 100  # of one phrase; a text that repeats a word thousands of times gains nothing
_ELLIPSIS: Final = 12  # words before a bare "not" that may hold what is denied
_AFTER: Final = 3  # words that a closed-up spelling may be cut into


def thin(entries: list[IndexEntry], hot: list[int]) -> list[int]:
    """In a very long text, the first occurrences of every word only; cues all count."""
    seen: Counter[IndexEntry] = Counter()
    kept: list[int] = []
    for place in hot:
        entry = entries[place]
        seen[entry] += 1
        if entry.cue or seen[entry] <= MAX_HITS:
            kept.append(place)
    return kept


def collect(passage: Passage) -> dict[int, list[Hit]]:
    """Hits of every phrase, in order of their first word: words, rows of words, words that a phrase has closed up."""
    entries = passage.entries
    hits: defaultdict[int, list[Hit]] = defaultdict(list)
    hot = passage.hot
    if "non" in passage.folded.text:  # "non-repeatable" holds no "repeatable"
        hot = [p for p in hot if passage.plain(p - 1) != "non" or passage.mark_before(p)]
    hyphens = "-" in passage.folded.text
    end = len(entries) - 1
    for place in hot:
        entry = entries[place]
        for probe, slot, flag in entry.targets:
            hits[probe].append((place, place, slot, flag))
        if entry.simple or (place == end and entry.cue not in NEGATORS):
            continue
        if entry.starts:
            for sequence in _candidates(passage, place, hyphens):
                last = _match_sequence(passage, place, sequence)
                if last >= 0:
                    fuzzy = any([entry.read_as for entry in entries[place : last + 1]])
                    for probe, slot, flag in sequence.targets:
                        hits[probe].append((place, last, slot, flag | FUZZY if fuzzy else flag))
        if entry.tails and place < end:
            following = entries[place + 1]
            if following.plain[:2] in entry.onward or any(map(entry.tails.__contains__, following.forms)):
                _join(passage, hits, place)
    return {probe: found[:MAX_HITS] for probe, found in hits.items()}


def _candidates(passage: Passage, place: int, hyphens: bool) -> Iterable[Sequence]:
    """The rows of words that begin here and could go on with what follows."""
    entries = passage.entries
    entry = entries[place]
    if entry.cue in NEGATORS:
        return entry.starts
    seconds = entry.seconds
    found = seconds.get("", ())
    for at in range(place + 1, min(place + 6, len(entries))):
        if hyphens and _hyphened(passage, at):
            return entry.starts
        following = entries[at]
        for form in following.forms:
            if form in seconds:
                found = (*found, *seconds[form])
        if following.plain not in ARTICLES:
            break
    return found


def _join(reading: Passage, hits: defaultdict[int, list[Hit]], place: int) -> None:
    """Words written apart that a phrase has closed up: `all reduce`, `BF 16`, `data base`."""
    entries, index = reading.entries, reading.index
    tails, joined = entries[place].tails, entries[place].plain
    for last in range(place + 1, min(place + _AFTER, len(entries))):
        following = entries[last]
        if reading.mark_before(last, COMMA):
            return
        for form in following.forms:
            if form in tails and reading.same_sentence(place, last):
                for probe, slot, flag in index.singles.get(joined + form, ()):
                    hits[probe].append((place, last, slot, flag))
        joined += following.plain
        tails = index.tails.of(joined)
        if not tails:
            return


# Small words that may stand between the negator of "{no children}" and its noun.
_AFTER_NEGATOR: Final = ARTICLES | frozenset(
    words("any have has having had more own further longer be been of really its their")
)


def _match_sequence(reading: Passage, place: int, sequence: Sequence) -> int:
    """The last word of the sequence that begins at `place`, articles not counted; else -1."""
    entries = reading.entries
    count = len(entries)
    at = place
    skipped = ARTICLES
    if entries[place].cue == NOT and len(sequence.rest) == 1 and (at + 1 == count or reading.mark_before(at + 1)):
        # "A is stable, B is not": what B is not is said before.
        if place and entries[place - 1].plain in ("or", "whether", "if", "why"):
            return -1
        wanted = sequence.rest[0][0]
        said = range(max(0, place - _ELLIPSIS), place)
        found = any(wanted in entries[p].forms and reading.same_sentence(p, place) for p in said)
        return place if found else -1
    if entries[place].cue in NEGATORS:
        skipped = _AFTER_NEGATOR  # "{no children}" in "does not have any children"
    for wanted, starred in sequence.rest:
        at += 1
        first = at
        while at < count and at - first < 4 and entries[at].plain in skipped and wanted not in entries[at].forms:
            at += 1
        skipped = ARTICLES
        if at >= count:
            return -1
        entry = entries[at]
        if starred:
            if not (entry.plain.startswith(wanted) or entry.read_as.startswith(wanted)):
                if not (_hyphened(reading, at) and (entry.plain + entries[at + 1].plain).startswith(wanted)):
                    return -1
                at += 1
        elif wanted not in entry.forms:
            if not (_hyphened(reading, at) and stem(entry.plain + entries[at + 1].plain) == wanted):
                return -1
            at += 1
    return at if not reading.sentences or reading.sentence(place) == reading.sentence(at) else -1


def _hyphened(reading: Passage, place: int) -> bool:
    """A hyphen joins this word to the next: `pre-emption`."""
    end = reading.end(place)
    return place + 1 < len(reading.entries) and reading.folded.text[end : end + 1] == "-"
