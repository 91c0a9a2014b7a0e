"""Which words and amounts of a response fill which slots of which phrases, and the windows that hold a whole phrase."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from quizgen.rubric.index import FUZZY, INVERSE_FLAG, Amount, IndexEntry, Probe, Target, WordRow
from quizgen.rubric.lexicon import ARTICLES, COMMA, words
from quizgen.rubric.passage import Hit, Passage
from quizgen.rubric.rubric import ANSWER, NEXT
from quizgen.rubric.scopes import DENYING
from quizgen.rubric.spelling import stem

if TYPE_CHECKING:  # loaded when the first amount is read, or for types alone
    from quizgen.formula.units import Dim, Labels, Unit
    from quizgen.numbers.answer import Lexicon

# -- From hits to windows: the shortest stretches of words that fill every slot of a phrase.

MAX_WINDOWS: Final = 12  # of one phrase
_ONE_SENTENCE: Final = (0, 0)
_TRIES: Final = 200  # rows of words that are tried where one word could fill several slots


class Window(NamedTuple):
    """Words `first` to `last` hold one hit for every slot; `hits[i]` fills slot i."""

    probe: int
    first: int
    last: int
    hits: tuple[Hit, ...]

    @property
    def fuzzy(self) -> bool:
        return any([h[3] & FUZZY for h in self.hits])

    @property
    def inverse(self) -> bool:
        return any([h[3] & INVERSE_FLAG for h in self.hits])


class Near(NamedTuple):
    """The best that was found of a phrase whose slots were not all found together."""

    probe: int
    found: int  # slots
    hits: tuple[Hit, ...]
    apart: bool  # every slot was found, but too far apart
    windowed: bool = True


def windows(reading: Passage, number: int, probe: Probe, hits: list[Hit]) -> list[Window]:
    """Windows of a phrase, at most one for each sentence it ends in."""
    hits = _counted(probe, hits)
    if probe.size == 1:
        return [Window(number, h[0], h[1], (h,)) for h in hits[:MAX_WINDOWS]]
    anywhere = _anywhere(reading, probe)
    starts = reading.sentences
    best: dict[tuple[int, int], list[Window]] = {}  # by the sentences where they begin and end
    for chosen in _rows(probe, hits):
        first, end = min([h[0] for h in chosen]), max([h[1] for h in chosen])
        key = (bisect_right(starts, first), bisect_right(starts, end)) if starts else _ONE_SENTENCE
        near = anywhere or _near_enough(reading, probe, end - first, *key)
        if near and (not probe.ordered or _in_order(chosen)):
            window = Window(number, first, end, chosen)
            if key in best:
                _keep(reading, best[key], window)
            else:
                best[key] = [window]
    # Words of one sentence belong together before words of two.
    inside = [w for (a, b), matched in best.items() if a == b for w in matched] if starts else None
    return (inside or [w for matched in best.values() for w in matched])[:MAX_WINDOWS]


def _rows(probe: Probe, hits: list[Hit]) -> Iterator[tuple[Hit, ...]]:
    """For each hit from which on all slots are filled, the last hit of each slot; one word for each slot."""
    row = hits[:1] * probe.size
    empty = (1 << probe.size) - 1
    for hit in hits:
        row[hit[2]] = hit
        empty &= ~(1 << hit[2])
        if not empty:
            chosen = _distinct(row, hits, hit) if probe.shared else tuple(row)
            if chosen:
                yield chosen


def near_miss(reading: Passage, number: int, probe: Probe, hits: list[Hit]) -> Near | None:
    """The best that is there of a phrase of several slots that has no window."""
    anywhere = _anywhere(reading, probe)
    last: dict[int, Hit] = {}
    most: tuple[Hit, ...] = ()
    for hit in _counted(probe, hits):
        last[hit[2]] = hit
        if len(last) > len(most):
            ends_in = reading.sentence(hit[1])
            close = tuple(
                [
                    h
                    for h in last.values()
                    if anywhere or _near_enough(reading, probe, hit[1] - h[0], reading.sentence(h[0]), ends_in)
                ]
            )
            if len({h[0] for h in close}) > len(most):
                most = close
    everywhere = len({h[0] for h in last.values()}) == probe.size
    if everywhere and probe.near == NEXT and not probe.ordered:
        return Near(number, probe.size, tuple(last.values()), True)
    if len(most) == probe.size and (probe.near != NEXT or probe.ordered):
        return Near(number, len(most), most, True, False)
    return Near(number, len({h[0] for h in most}), most, False) if most else None


def _counted(probe: Probe, hits: list[Hit]) -> list[Hit]:
    return hits if probe.fuzzy else [h for h in hits if not h[3] & FUZZY]


def _anywhere(reading: Passage, probe: Probe) -> bool:
    return probe.near == ANSWER or (probe.near <= NEXT and not reading.sentences)


def _keep(reading: Passage, known: list[Window], window: Window) -> None:
    """Of windows that share a hit, the one whose words belong together more closely; others side by side."""
    if any([hit in window.hits for hit in known[-1].hits]):
        last = known[-1]
        if (window.inverse, reading.reach(window.first, window.last)) < (
            last.inverse,
            reading.reach(last.first, last.last),
        ):
            known[-1] = window
    elif len(known) < MAX_WINDOWS:
        known.append(window)


def _near_enough(reading: Passage, probe: Probe, apart: int, first: int, last: int) -> bool:
    """Words so far apart, in two sentences, stand as near as the phrase asks: in one sentence or in a bullet and its
    lead-in, within its count of words, or in neighbours where it says nothing."""
    near = probe.near
    if first == last or reading.topics.get(last) == first:
        return near <= NEXT or apart < near
    return near == ANSWER or (near == NEXT and last - first == 1)


def _in_order(hits: tuple[Hit, ...]) -> bool:
    return all(a[0] <= b[0] for a, b in itertools.pairwise(hits))


def _distinct(row: list[Hit], hits: list[Hit], newest: Hit) -> tuple[Hit, ...]:
    """One word for each slot, the tightest such row that holds the newest hit. Joined words (`allreduce`) may
    fill neighbours together."""
    if not any(a[0] <= b[1] and b[0] <= a[1] for a, b in itertools.combinations(row, 2)):
        return tuple(row)
    at = next(i for i in range(len(hits) - 1, -1, -1) if hits[i] is newest)
    recent = hits[max(0, at - 24) : at + 1]
    options = [[h for h in reversed(recent) if h[2] == slot][:6] for slot in range(len(row))]
    best: list[tuple[int, tuple[Hit, ...]]] = []
    tried = 0

    def pick(slot: int, first: int, chosen: tuple[Hit, ...]) -> None:
        nonlocal tried
        tried += 1
        if tried > _TRIES or (best and newest[1] - first >= best[0][0]):
            return
        if slot == len(options):
            if newest in chosen:
                best[:] = [(newest[1] - first, chosen)]
            return
        for hit in options[slot]:
            if all(hit[0] > other[1] or hit[1] < other[0] for other in chosen):
                pick(slot + 1, min(first, hit[0]), (*chosen, hit))

    pick(0, newest[0], ())
    return best[0][1] if best else ()


# -- Hits: which words of a response fill which slots of which phrases.

MAX_HITS: Final = 100  # of one phrase; a text that repeats a word thousands of times gains nothing
_AFTER: Final = 3  # words that a closed-up spelling may be cut into


def thin(entries: list[IndexEntry], hot: list[int]) -> list[int]:
    """In a very long text, the first occurrences of every word only, and of cues ten times as many."""
    seen: Counter[IndexEntry] = Counter()
    kept: list[int] = []
    for place in hot:
        entry = entries[place]
        seen[entry] += 1
        if seen[entry] <= (10 * MAX_HITS if entry.cue else MAX_HITS):
            kept.append(place)
    return kept


def collect(passage: Passage) -> dict[int, list[Hit]]:
    """Hits of every phrase, in order of their first word: words, rows of words, words that a phrase has closed up."""
    entries = passage.entries
    hits: defaultdict[int, list[Hit]] = defaultdict(list)
    hot = passage.hot
    if "non" in passage.folded.text:  # "non-repeatable" holds no "repeatable"
        hot = [p for p in hot if passage.plain(p - 1) != "non" or passage.mark_before(p)]
    end = len(entries) - 1
    for place in hot:
        entry = entries[place]
        for probe, slot, flag in entry.targets:
            hits[probe].append((place, place, slot, flag))
        if entry.starts and (place < end or entry.cue in DENYING):
            _collect_rows(passage, hits, place, entry)
        if place in passage.rates:  # "4 all-reduces/layer" is "per layer"
            for first in (place - 1, place):  # with its noun, or apart from the slot that the noun fills
                _collect_rows(passage, hits, place - 1, passage.index.memory["per"], first)
        if entry.tails and place < end:
            following = entries[place + 1]
            if following.plain[:2] in entry.onward or any(map(entry.tails.__contains__, following.forms)):
                _join(passage, hits, place)
    return hits if len(hot) < MAX_HITS else {probe: of_probe[:MAX_HITS] for probe, of_probe in hits.items()}


def _collect_rows(
    passage: Passage, hits: defaultdict[int, list[Hit]], place: int, entry: IndexEntry, first: int = -1
) -> None:
    """Rows of words that begin at a place, with an entry's word; `first`: where the hit begins, if not there."""
    for sequence in _candidates(passage, place, entry):
        last = _match_sequence(passage, place, sequence)
        if last >= 0:
            fuzzy = any([entry.read_as for entry in passage.entries[place : last + 1]])
            for probe, slot, flag in sequence.targets:
                hits[probe].append((max(place, first), last, slot, flag | FUZZY if fuzzy else flag))


def _candidates(passage: Passage, place: int, entry: IndexEntry) -> Iterable[WordRow]:
    """The rows of words that begin here and could go on with what follows."""
    entries = passage.entries
    if entry.cue in DENYING:
        return entry.starts
    seconds, hyphens = entry.seconds, passage.hyphens
    candidates = seconds.get("", ())
    for at in range(place + 1, min(place + 6, len(entries))):
        if hyphens and passage.hyphened(at):
            return entry.starts
        following = entries[at]
        for form in following.forms:
            if form in seconds:
                candidates = (*candidates, *seconds[form])
        if following.plain not in ARTICLES:
            break
    return candidates


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
                for probe, slot, flag in index.links[joined + form].targets if joined + form in index.links else ():
                    hits[probe].append((place, last, slot, flag))
        joined += following.plain
        tails = index.tails.of(joined)
        if not tails:
            return


# Small words that may stand between the negator of "{no children}" and its noun.
_AFTER_NEGATOR: Final = ARTICLES | frozenset(
    words("any have has having had more own further longer be been of really its their")
)


def _match_sequence(reading: Passage, place: int, sequence: WordRow) -> int:
    """The last word of the sequence that begins at `place`, articles not counted; else -1."""
    entries = reading.entries
    at, skipped = place, ARTICLES
    if entries[place].cue in DENYING:
        skipped = _AFTER_NEGATOR  # "{no children}" in "does not have any children"
    for wanted, starred in sequence.rest:
        at = _past(entries, at + 1, skipped, wanted)
        skipped = ARTICLES
        if at >= len(entries):
            return -1
        if not _holds(entries[at], wanted, starred):
            if not reading.hyphened(at) or not _holds_both(entries, at, wanted, starred):
                return -1
            at += 1
    if any(place < arrow <= at for arrow in reading.arrows):
        return -1  # "all-gather → gradients" is two things, not {all-gather gradients}
    return at if not reading.sentences or reading.sentence(place) == reading.sentence(at) else -1


def _past(entries: list[IndexEntry], first: int, skipped: frozenset[str], wanted: str) -> int:
    """The place of the next word, up to four small ones passed by."""
    at = first
    while at < len(entries) and at - first < 4 and entries[at].plain in skipped and wanted not in entries[at].forms:
        at += 1
    return at


def _holds(entry: IndexEntry, wanted: str, starred: bool) -> bool:
    if starred:
        return entry.plain.startswith(wanted) or entry.read_as.startswith(wanted)
    return wanted in entry.forms


def _holds_both(entries: list[IndexEntry], at: int, wanted: str, starred: bool) -> bool:
    """Two words that a hyphen joins are one: `pre-emption`."""
    whole = entries[at].plain + entries[at + 1].plain
    return whole.startswith(wanted) if starred else stem(whole) == wanted


# -- Amounts: the `number:` of a criterion, and quantities such as `16 B` in phrases.
#
# Numbers and units are read by the formula engine, so `16 bytes per parameter`, `sixteen bytes` and `16B/param` are one
# amount, `16 bit` is another, and 16 never stands inside 116.

MAX_NUMBERS: Final = 40  # read in one response
# An amount: from its first digit to the fourth word after it, all of one stretch and before any word that is in no
# unit, or from its first number word to the eighth ("eight thousand one hundred …").
_AMOUNT: Final = re.compile(
    r"\d\S{0,29}(?:[ \t]+(?!(?:the|is|are|was|in|on|at|by|for|from|with|which|that|so|but|as|or|it|then|than|when)\s)"
    r"[^\s.,;:()]{1,16}){0,4}|\S{1,30}(?:[ \t]+\S{1,16}){0,8}"
)
# Words that make the number before them a quantity; spares reading every page and year as one.
_UNITS: Final = re.compile(
    r"-?(?:[kmgtpezy]i?|kilo|mega|giga|tera|peta|kibi|mebi|gibi|tebi)?(?:b|bps|bits?|bytes?|w|wh|j|flops?|hz)(?:$|[/p-])"
    r"|%|percent|[mun]?s$|sec|min|h$|hours?|hr|days?|weeks?|years?|x$"
)


@dataclass(frozen=True, slots=True)
class Said:
    """An amount in a response: words `first` to `last`; `unit` is None where none was written."""

    first: int
    last: int
    value: Fraction
    unit: Unit | None


@lru_cache(maxsize=512)
def unit_of(text: str, labels: Labels = ()) -> Unit:
    from quizgen.formula.units import ONE, parse_unit

    return parse_unit(text, labels) if text else ONE


_Term = tuple[Fraction, "Unit | None", int]  # value, unit and length of an amount


@lru_cache(maxsize=4096)
def _term(text: str, unit: str, labels: Labels = ()) -> _Term | None:
    """The amount at the start of `text`, read as an answer in `unit`; `labels` are those of the bank."""
    from quizgen.numbers.amounts import amount_at

    return amount_at(text, unit_of(unit, labels), _lexicon(labels))


@lru_cache(maxsize=64)
def _lexicon(labels: Labels) -> Lexicon:
    from quizgen.numbers.answer import Lexicon

    return Lexicon.of({word: unit_of(word, labels) for one in labels for word in one[:2]})


def find_amounts(probes: list[Probe]) -> tuple[Amount, ...]:
    """The quantities with units that the phrases of a rubric name."""
    by_amount: dict[tuple[Fraction, Dim], list[Target]] = {}
    for number, probe in enumerate(probes):
        for place, slot in enumerate(probe.phrase.slots):
            for alternative in slot:
                if (len(alternative.words) > 1 and alternative.words[0][0].isdigit()) or _glued(alternative.words[0]):
                    term = _term(alternative.text, "")
                    if term is not None and term[1] is not None and term[2] >= len(alternative.text.rstrip("*")):
                        key = (term[0] * term[1].factor, term[1].dim)
                        by_amount.setdefault(key, []).append((number, place, 0))
    return tuple(Amount(value, dim, tuple(targets)) for (value, dim), targets in by_amount.items())


def _glued(word: str) -> bool:
    return word[0].isdigit() and word[-1].isalpha()


def add_amounts(reading: Passage, given: dict[int, list[Hit]]) -> dict[int, list[Hit]]:
    """The hits of rows of words with those for the quantities of phrases among them."""
    more: dict[int, list[Hit]] = {}
    for written in amounts_said(reading, ""):
        if written.unit is None:
            continue
        for amount in reading.index.amounts:
            if amount.dim == written.unit.dim and amount.value == written.value * written.unit.factor:
                for probe, slot, flags in amount.targets:
                    if not any(h[0] == written.first and h[2] == slot for h in given.get(probe, ())):
                        more.setdefault(probe, []).append((written.first, written.last, slot, flags))
    return {**given, **{probe: sorted([*given.get(probe, ()), *hits]) for probe, hits in more.items()}}


def amounts_said(reading: Passage, unit: str, labels: Labels = ()) -> list[Said]:
    """The first amounts of a response, read as answers to something asked in `unit`."""
    amounts: list[Said] = []
    past = -1
    text = reading.folded.original
    for place in [p for p in reading.hot if reading.entries[p].numeral]:
        if place <= past:
            continue
        if not unit and not _with_unit(reading, place):
            continue
        start = reading.span(place, place)[0]
        found_text = _AMOUNT.match(text, start)
        term = _term(found_text[0], unit, labels) if found_text else None
        if term is None:
            continue
        past, end = place, reading.start(place) + term[2]
        while past + 1 < len(reading.entries) and reading.start(past + 1) < end:
            past += 1
        amounts.append(Said(place, past, term[0], term[1]))
        if len(amounts) >= MAX_NUMBERS:
            break
    return amounts


def _with_unit(reading: Passage, place: int) -> bool:
    """Something like a unit follows or hangs on the number."""
    word = reading.entries[place].plain
    hanging = word.lstrip("0123456789.,^")
    if hanging and hanging != word:
        return True
    return _UNITS.match(reading.plain(place + 1)) is not None
