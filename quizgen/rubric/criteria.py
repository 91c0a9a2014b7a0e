"""The mark of one criterion, from what a response holds for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final

from quizgen.rubric.findings import Finding, Put, contradicts, denied_rightly, said_about, said_of_a_rival
from quizgen.rubric.index import FUZZY, Index, Probe
from quizgen.rubric.lexicon import ARTICLES, BULLET, COLON, COMPARATIVES, FUNCTION, GUESSES, STRONG, words
from quizgen.rubric.matching import Near, Window, near_miss
from quizgen.rubric.passage import Hit
from quizgen.rubric.phrases import slot_texts
from quizgen.rubric.polarity import ASSERTED, DENIED, Stance, denied_as_a_whole, stance
from quizgen.rubric.response import TextReading
from quizgen.rubric.rubric import (
    ANY,
    CONTRADICTED,
    FOUND,
    HEDGED,
    NEGATED,
    NEXT,
    PARTIAL,
    Criterion,
    CriterionMark,
    Span,
)
from quizgen.rubric.rubric import NEGATED as WANTED_DENIED

# -- What speaks against a claim: rejected phrases, denials of the same thing, and corrections.
#
# A reject takes all points of its criterion, so it must be said in so many words: in one clause, and
# with no accepted claim nearer to its words.

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


# -- What a response says about one criterion, weighed: its windows, near misses and contradictions.

_ZERO: Final = Fraction(0)
SPREAD: Final = 14  # words without any mark between them, as in speech, in which there are several statements
BARE: Final = 2  # points from which one word alone is not enough
WINDOWED: Final = 0.01  # a near miss within the reach of its phrase before one out of it
NAMES_A_RELATION: Final = 9  # most words of a sentence, beside function words, for one that relates them
_IN_LISTS: Final = frozenset(
    words("of and or nor vs etc e.g i.e also too very same other another more less most least both any all")
)
# Words that begin a clause about what was just named.
_MEASURES: Final = COMPARATIVES | {"more", "less", "fewer"}
_LINKS: Final = frozenset(
    ("which", "because", "where", "when", "that", "since", "so", "as", "by", "to", "i.e.", "it", "this")
)


def judge(
    reading: TextReading, place: int, finding: Finding, found: Mapping[int, Finding]
) -> tuple[CriterionMark, float]:
    """The mark of the criterion at a place, for which something was found, and where it earns nothing the share of a
    phrase that was; `found` are all criteria's findings."""
    mark = _weighed(reading, place, finding, found)
    if mark is not None and mark.earned:
        return mark, 0.0
    near, earns = _nearest(reading, finding)
    if mark is None:
        mark = _near(reading, place, finding, near, earns)
        by_number = _number_mark(reading, place, finding) if finding.numbers else None
        mark = by_number if by_number is not None and mark.earned <= by_number.earned else mark
        mark = _taken_back(reading, finding, mark) if reading.told.turning and not mark.earned else mark
    return mark, near.found / reading.index.probes[near.probe].size if near is not None else 0.0


def _taken_back(reading: TextReading, finding: Finding, mark: CriterionMark) -> CriterionMark:
    """A mark that earns nothing, told why where the candidate corrected what would have earned."""
    for window, _ in finding.accepts:
        if word := reading.retracted(window):
            return mark._replace(because=f'"{_quote(reading, window)}" is taken back by "{word}"')
    return mark


def _weighed(reading: TextReading, place: int, finding: Finding, found: Mapping[int, Finding]) -> CriterionMark | None:
    """The mark that what was found whole earns or forfeits; None where nothing was."""
    index = reading.index
    probes, criterion = index.probes, index.rubric.criteria[place]
    good: list[Window] = []
    hedged: list[tuple[Window, Stance]] = []
    denied: list[tuple[Window, Stance]] = []
    for window, put in finding.accepts:
        probe = probes[window.probe]
        wanted = probe.polarity
        if probe.negator and reading.names_negator(window):
            # "{no central} server" is matched as it stands; only the whole sentence can be called false.
            (denied.append((window, put)) if denied_as_a_whole(reading, window) else good.append(window))
        elif wanted == ANY:
            good.append(window)
        elif put.kind == DENIED:
            (good.append(window) if wanted == WANTED_DENIED else denied.append((window, put)))
        elif wanted == WANTED_DENIED and put.kind == ASSERTED:
            if reading.same_sentence(window.first, window.last):  # words of two sentences say nothing that counts
                denied.append((window, put))
        elif put.kind == ASSERTED or (index.possibilities[place] and _is_possible(reading, put)):
            good.append(window)
        else:
            hedged.append((window, put))
    wrong = [w for w, put in finding.rejects if counts(reading, w, put)] if finding.rejects else []
    if reading.told.turning and reading.corrections:
        good, hedged, denied, wrong = corrected(reading, good, hedged, denied, wrong)
    of = index.said_of[place]
    if wrong and of:
        wrong = [w for w in wrong if contradicts(reading, w, good, of)]
    elif wrong:
        rightly = [w for f in found.values() for w, put in f.accepts if put.kind == ASSERTED]
        wrong = [w for w in wrong if in_one_claim(reading, w, rightly)]
    if wrong:
        window = min(wrong, key=_size)
        because = f'it says "{_quote(reading, window)}"{said_about(reading, window, of)}'
        return _mark(reading, criterion, CONTRADICTED, [window], because, _ZERO)
    by_number = _number_mark(reading, place, finding) if finding.numbers else None
    if by_number is not None and by_number.status == FOUND:
        return by_number
    if good:
        window = min(good, key=_size) if len(good) > 1 else good[0]
        against = next((d for d, _ in denied if same_claim(reading, window, d)), None) if denied else None
        if against is not None:
            because = f'it says both "{_quote(reading, window)}" and "{_quote(reading, against)}"'
            return _mark(reading, criterion, CONTRADICTED, [window, against], because, _ZERO)
        if of and not index.said_against[place]:
            own = [w for w in good if not said_of_a_rival(reading, w, of)]
            if not own:
                rival = reading.owners.of[window.first] or of
                because = (
                    f'"{_quote(reading, window)}" is said{said_about(reading, window, rival)}, which was not asked'
                )
                return _mark(reading, criterion, PARTIAL, [window], because, index.halves[place])
            good, window = own, min(own, key=_size)
        if criterion.explain:
            good = [w for w in good if _explained(reading, w) and _related(reading, w)]
            if not good:
                because = f'"{_quote(reading, window)}" is named but nothing is said about it'
                return _mark(reading, criterion, PARTIAL, [window], because, index.halves[place])
        longer = criterion.points >= BARE and not criterion.bare
        if longer and all(_bare(reading, w) for w in good):
            because = f'"{_quote(reading, window)}" alone is one word'
            return _mark(reading, criterion, PARTIAL, [window], because, index.halves[place])
        ranks = [(_scattered(reading, w), longer and _bare(reading, w), _size(w)) for w in good]
        (parts, window, why), _, _ = min(ranks, key=lambda one: (one[0][0], *one[1:]))
        if parts > 1:
            because = f'"{_quote(reading, window)}" is put together from {why}'
            return _mark(reading, criterion, PARTIAL, [window], because, criterion.points / parts)
        return _mark(reading, criterion, FOUND, [window], f'"{_quote(reading, window)}"', criterion.points)
    rightly_denied = denied_rightly(reading, finding) if of and not hedged else None
    if rightly_denied is not None:
        because = f'it denies "{_quote(reading, rightly_denied)}"{said_about(reading, rightly_denied, of)}'
        return _mark(reading, criterion, FOUND, [rightly_denied], because, criterion.points)
    if by_number is not None and by_number.status == HEDGED:
        return by_number
    if hedged:
        window, put = min(hedged, key=lambda pair: _size(pair[0]))
        because = f'"{_quote(reading, window)}" {_guessed(reading, put)}'
        return _mark(reading, criterion, HEDGED, [window], because, index.halves[place])
    if finding.crossed:
        window, why = finding.crossed[0]
        return _mark(reading, criterion, CONTRADICTED, [window], why, _ZERO)
    if denied:
        window, put = denied[0]
        if probes[window.probe].polarity == WANTED_DENIED:
            because = f'it says "{_quote(reading, window)}", which should be denied'
        else:
            because = f'"{_quote(reading, window)}" is denied{_cue(reading, put)}'
        return _mark(reading, criterion, NEGATED, [window], because, _ZERO)
    return None


def _is_possible(reading: TextReading, put: Stance) -> bool:
    """Hedged by a word of possibility, not by a question or by what is not known."""
    return put.cue is not None and reading.plain(put.cue[0]) in GUESSES


def _bare(reading: TextReading, window: Window) -> bool:
    """One word that fills a phrase of one slot."""
    return len(window.hits) == 1 and window.first == window.last


def _scattered(reading: TextReading, window: Window) -> tuple[int, Window, str]:
    """Over how many its points are divided: words of two sentences belong together by chance more often than not,
    unless the second goes on with the first; so do words far apart in what was written, or said, without a mark."""
    first, last = window.first, window.last
    if reading.index.probes[window.probe].near != NEXT:
        return 1, window, ""
    if not reading.same_sentence(first, last):
        return 2 if reading.goes_on(reading.sentence_bounds(last)[0]) else 4, window, "two sentences"
    far = last - first >= SPREAD and not reading.marked(first + 1, last)
    return (2 if far else 1), window, "words far apart"


def _size(window: Window) -> tuple[bool, int, int]:
    return window.fuzzy, window.last - window.first, window.first


def _nearest(reading: TextReading, finding: Finding) -> tuple[Near | None, bool]:
    """The near miss of which most is there, and whether some of that is not the stem's own. Only phrases that may have
    more than the best so far are looked at."""
    probes = reading.index.probes
    nearest: Near | None = None
    best = (0.0, 0, 0)
    at_most: list[tuple[float, int, int]] = []
    for number in finding.partly:
        probe, there = probes[number], {h[2] for h in reading.hits[number]}
        at_most.append((len(there) / probe.size + WINDOWED, _own(probe, there), -number))
    for most in sorted(at_most, reverse=True):
        if most <= best:
            break
        number = -most[2]
        probe = probes[number]
        near = near_miss(reading, number, probe, reading.hits[number])
        if near is not None:
            own = _own(probe, [h[2] for h in near.hits])
            now = (near.found / probe.size + (WINDOWED if near.windowed else 0), own, -number)
            if now > best:
                nearest, best = near, now
    return nearest, best[1] > 0


def _own(probe: Probe, slots: Collection[int]) -> int:
    """How many of the slots the stem's own words do not fill."""
    return len([1 for slot in slots if not probe.given >> slot & 1]) if probe.given else len(slots)


def _near(reading: TextReading, place: int, finding: Finding, best: Near | None, earns: bool) -> CriterionMark:
    """Half of the share of slots found, where at least two thirds of them were; a quarter of all of them far apart."""
    criterion, nothing = reading.index.rubric.criteria[place], reading.index.missing_marks[place]
    if best is None:
        because = "only the words of the item itself were found" if finding.echoed else nothing.because
        return nothing._replace(because=because)
    probe = reading.index.probes[best.probe]
    filled = {h[2] for h in best.hits}
    missing = [names for i, names in enumerate(_slot_names(reading.index, best.probe)) if i not in filled]
    lacking = " ".join([shown for shown, _ in missing])
    told = " and ".join([told for _, told in missing])  # the same for people
    ordered_hits = tuple(sorted(best.hits))
    window = Window(best.probe, ordered_hits[0][0], max([h[1] for h in ordered_hits]), ordered_hits)
    words = ", ".join([f'"{_words(reading, h)}"' for h in ordered_hits])
    short = f"only {words} was found of what is asked" if criterion.say else f"{words} found, but not {told}"
    credited = best.windowed and 3 * best.found >= 2 * probe.size and earns and not window.inverse
    if credited and not finding.echoed:
        put = stance(reading, window) if not best.apart else Stance(ASSERTED)
        decides = probe.polarity != ANY and not reading.names_negator(window)
        if decides and (put.kind == DENIED) != (probe.polarity == WANTED_DENIED):
            return _mark(reading, criterion, NEGATED, [window], f"{words} is denied{_cue(reading, put)}", _ZERO)
        because = f"{words} found, but far apart" if best.apart else short
        earned = criterion.points * best.found / ((4 if best.apart else 2) * probe.size)
        mark = _mark(reading, criterion, PARTIAL, [window], because, earned)
        return mark._replace(missing=lacking, near=True)
    because = short if lacking else f"{words} found, but not together as asked"
    return nothing._replace(because=because, missing=lacking or probe.text)


def _slot_names(index: Index, number: int) -> tuple[tuple[str, str], ...]:
    """The first words of each slot of a phrase: `a|b*` for authors, "a" for people."""
    names = index.slot_names.get(number)
    if names is None:
        words = [slot[:4] for slot in slot_texts(index.probes[number].text)]
        people = [next((w for w in slot if "*" not in w), slot[0].replace("*", "…")) for slot in words]
        names = index.slot_names[number] = tuple([("|".join(w), p) for w, p in zip(words, people, strict=True)])
    return names


def _words(reading: TextReading, hit: Hit) -> str:
    return " ".join(reading.original(hit[0], hit[1]).split())


def _mark(
    reading: TextReading, criterion: Criterion, status: str, shown: list[Window], because: str, earned: Fraction
) -> CriterionMark:
    spans: dict[Span, None] = {}
    read_as: tuple[tuple[str, str], ...] = ()
    for window in shown:
        hits = window.hits
        for hit in sorted(hits) if len(hits) > 1 else hits:
            spans[reading.span(hit[0], hit[1])] = None
            if hit[3] & FUZZY:
                read_as = (*read_as, *_corrections(reading, hit))
    if read_as:
        read_as = tuple(dict.fromkeys(read_as))
        because += "".join([f'; read "{was}" as "{meant}"' for was, meant in read_as])
    return CriterionMark(criterion.id, status, earned, criterion.points, tuple(spans), because, read_as)


def _corrections(reading: TextReading, hit: Hit) -> list[tuple[str, str]]:
    """Misspelt words of a hit and what they were read as."""
    places = range(hit[0], hit[1] + 1)
    entries = reading.entries
    return [(reading.original(i, i), entries[i].read_as) for i in places if entries[i].read_as]


def _quote(reading: TextReading, window: Window) -> str:
    text = reading.original(window.first, window.last)
    if "\n" in text or "  " in text or "\t" in text:
        text = " ".join(text.split())
    if len(text) <= 90:
        return text
    return f"{text[:60].rsplit(' ', 1)[0]} … {text[-25:].split(' ', 1)[-1]}"


def _cue(reading: TextReading, put: Stance) -> str:
    if put.cue is None:
        return ""
    return f' ("{" ".join(reading.original(put.cue[0], put.cue[1]).split())}")'


def _guessed(reading: TextReading, put: Stance) -> str:
    return "is asked in a question, not said" if put.cue is None else f"is only guessed{_cue(reading, put)}"


def _explained(reading: TextReading, window: Window) -> bool:
    """A clause says something about what the window names: two content words of its own, further slots counted, or
    more or less of it."""
    first, last = window.first, window.last
    start, end = reading.sentence_bounds(first)
    commas = sorted({place for place, _, _ in reading.marks if start < place < end})
    left = max((p for p in commas if p <= first), default=start)
    right = min((p for p in commas if p > last), default=end)
    matched = {p for h in window.hits for p in range(h[0], h[1] + 1)}

    def content(a: int, b: int) -> int:
        between = [reading.entries[i] for i in range(a, b) if i not in matched]
        return len([entry for entry in between if not entry.function and not entry.cue])

    if content(left, right) + len({h[0] for h in window.hits}) > 2:
        return True
    if any(reading.entries[p].plain in _MEASURES for p in matched):
        return True  # "fewer tokens"
    # "osmosis: water moves …", "osmosis, which moves water", "osmosis (water moves …)"
    following = reading.entries[right].plain if right < end else ""
    named = reading.mark_before(right, COLON) or reading.mark_before(right, STRONG)
    linked = following in _LINKS
    return (named or linked) and content(right, end) >= 2


def _related(reading: TextReading, window: Window) -> bool:
    """Its sentence puts things in relation; a list of names has a verb, a preposition or a sign by chance only. An
    amount and a comparison are no names."""
    matched = [reading.entries[p] for first, last, _, _ in window.hits for p in range(first, last + 1)]
    if any(entry.numeral or entry.plain in _MEASURES for entry in matched):
        return True
    start, end = reading.sentence_bounds(window.first)
    relations = sum(reading.original(start, end - 1).count(sign) for sign in ("->", "→", "="))
    names = 0
    for place in range(start, end):
        word, before = reading.plain(place), reading.plain(place - 1) if place > start else ""
        if word not in FUNCTION:
            names += 1
        elif word in ARTICLES:  # "follows the topology": a verb and its object
            relations += before.endswith(("s", "ed")) and before not in FUNCTION and not reading.mark_before(place)
        else:
            relations += word not in _IN_LISTS
    return NAMES_A_RELATION * relations >= names


def _number_mark(reading: TextReading, place: int, finding: Finding) -> CriterionMark:
    """The mark a number alone gives."""
    criterion = reading.index.rubric.criteria[place]
    best = next((f for f in finding.numbers if f.right and f.stance.kind == ASSERTED), finding.numbers[0])
    said = best.said
    text = " ".join(reading.original(said.first, said.last).split())
    spans = (reading.span(said.first, said.last),)
    if not best.right:
        return reading.index.missing_marks[place]._replace(because=f'it gives "{text}", not the amount asked for')
    if best.stance.kind == ASSERTED:
        return CriterionMark(criterion.id, FOUND, criterion.points, criterion.points, spans, f'"{text}"')
    if best.stance.kind == DENIED:
        because = f'"{text}" is denied{_cue(reading, best.stance)}'
        return CriterionMark(criterion.id, NEGATED, _ZERO, criterion.points, spans, because)
    because = f'"{text}" {_guessed(reading, best.stance)}'
    return CriterionMark(criterion.id, HEDGED, criterion.points / 2, criterion.points, spans, because)
