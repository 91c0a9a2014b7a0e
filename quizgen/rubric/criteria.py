"""The mark of one criterion, from what a response holds for it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.rubric.findings import Finding, FoundClaim, contradicts, denied_rightly, said_about, said_of_a_rival
from quizgen.rubric.index import FUZZY, INVERSE_FLAG, Index, Probe
from quizgen.rubric.lexicon import ARTICLES, COMPARATIVES, FUNCTION, words
from quizgen.rubric.matching import Near, Window, near_miss
from quizgen.rubric.passage import Hit
from quizgen.rubric.phrases import slot_texts
from quizgen.rubric.polarity import ASSERTED, DENIED, PLAIN, Stance, denied_as_a_whole, stance
from quizgen.rubric.polarity import HEDGED as PUT_HEDGED
from quizgen.rubric.response import ResponseText
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
from quizgen.rubric.subjects import Owner

# -- What speaks against a claim: rejected phrases, denials of the same thing, and corrections.
#
# A reject takes all points of its criterion, so it must be said in so many words: in one clause, and
# with no accepted claim nearer to its words.


def in_one_claim(reading: ResponseText, wrong: Window, rightly: list[Window]) -> bool:
    """A rejected phrase is said only where its words belong to one another: in one clause, unless the author
    says otherwise by `near`, and none of them more closely to an accepted claim ("queries faster, inserts slower"
    says of no query that it is slower)."""
    if len(wrong.hits) < 2:
        return True
    start, end = reading.clause_bounds(wrong.first)
    if reading.index.probes[wrong.probe].near == NEXT and not start <= wrong.last < end:
        return False
    size = reading.reach(wrong.first, wrong.last)
    places = {h[0] for h in wrong.hits}
    return not any(
        reading.reach(r.first, r.last) < size and not places.isdisjoint(h[0] for h in r.hits) for r in rightly
    )


def counts(reading: ResponseText, window: Window, polarity: Stance) -> bool:
    """A reject or misconception phrase that the response really says."""
    wanted = reading.index.probes[window.probe].polarity
    if reading.names_negator(window):
        return not denied_as_a_whole(reading, window)
    if wanted == ANY:
        return True
    return polarity.kind == (DENIED if wanted == NEGATED else ASSERTED)


# -- From what was found to a mark, step by step ---------------------------------------------------------

_ZERO: Final = Fraction(0)
BARE: Final = 2  # points from which one word alone is not enough
WINDOWED: Final = 0.01  # a near miss within the reach of its phrase before one out of it
NAMES_A_RELATION: Final = 9  # most words of a sentence, beside function words, for one that relates them
_IN_LISTS: Final = frozenset(
    words("of and or nor vs etc e.g i.e also too very same other another more less most least both any all")
)
_MEASURES: Final = COMPARATIVES | {"more", "less", "fewer"}


class _Case(NamedTuple):
    """What a response says of one criterion: windows that assert it, doubt it, deny it, or assert what it
    rejects. `of` are the subjects that it is about."""

    reading: ResponseText
    criterion: Criterion
    place: int
    finding: Finding
    good: list[Window]
    hedged: list[FoundClaim]
    denied: list[FoundClaim]
    wrong: list[Window]
    of: Owner

    @property
    def half(self) -> Fraction:
        return self.reading.index.halves[self.place]

    def quote(self, window: Window) -> str:
        return f'"{_quote(self.reading, window)}"{said_about(self.reading, window, self.of)}'


def judge(
    reading: ResponseText, place: int, finding: Finding, findings: Mapping[int, Finding]
) -> tuple[CriterionMark, float]:
    """The mark of the criterion at a place, for which something was found, and where it earns nothing the share of a
    phrase that was; `found` are all criteria's findings."""
    mark: CriterionMark | None = None
    if finding.accepts or finding.rejects or finding.numbers or finding.crossed:
        case = _case(reading, place, finding, findings)
        for step in _STEPS:
            if (mark := step(case)) is not None:
                break
    else:
        criterion = reading.index.rubric.criteria[place]
        case = _Case(reading, criterion, place, finding, [], [], [], [], frozenset())
    if mark is not None and mark.earned:
        return mark, 0.0
    near, earns = _nearest(reading, finding)
    if mark is None:
        mark = _near(case, near, earns)
        if finding.numbers and (by_number := _number_mark(case)).earned >= mark.earned:
            mark = by_number
        if not mark.earned and reading.corrections:
            mark = _taken_back(case, mark)
    return mark, near.found / reading.index.probes[near.probe].size if near is not None else 0.0


def _case(reading: ResponseText, place: int, finding: Finding, findings: Mapping[int, Finding]) -> _Case:
    """The windows of a criterion sorted by how they are put, without what the candidate took back."""
    index = reading.index
    good: list[Window] = []
    hedged: list[FoundClaim] = []
    denied: list[FoundClaim] = []
    for window, polarity in finding.accepts:
        side = _side(reading, window, polarity)
        if side == ASSERTED:
            good.append(window)
        elif side:
            (denied if side == DENIED else hedged).append((window, polarity))
    wrong = [w for w, polarity in finding.rejects if counts(reading, w, polarity)] if finding.rejects else []
    if reading.corrections:
        others = [*good, *wrong, *[w for w, _ in denied]]

        def stays(window: Window) -> bool:
            return not (reading.retracted(window) or reading.mended(window, others))

        good, wrong = list(filter(stays, good)), list(filter(stays, wrong))
        hedged, denied = ([c for c in side if stays(c[0])] for side in (hedged, denied))
    of = index.said_of[place]
    if wrong and of:
        wrong = [w for w in wrong if contradicts(reading, w, good, of)]
    elif wrong:
        rightly = [w for f in findings.values() for w, polarity in f.accepts if polarity.kind == ASSERTED]
        wrong = [w for w in wrong if in_one_claim(reading, w, rightly)]
    return _Case(reading, index.rubric.criteria[place], place, finding, good, hedged, denied, wrong, of)


def _side(reading: ResponseText, window: Window, polarity: Stance) -> str:
    """Whether a window speaks for the criterion, against it or neither, by the polarity that its phrase wants."""
    probe = reading.index.probes[window.probe]
    if probe.negator and reading.names_negator(window):
        # "{no central} server" is matched as it stands; only the whole sentence can be called false.
        return DENIED if denied_as_a_whole(reading, window) else ASSERTED
    if probe.polarity == ANY:
        return ASSERTED
    if probe.polarity == NEGATED and polarity.kind != PUT_HEDGED:
        if polarity.kind == DENIED:
            return ASSERTED
        # Words of two sentences assert nothing that counts.
        return DENIED if reading.same_sentence(window.first, window.last) else ""
    return polarity.kind


def _contradicted(case: _Case) -> CriterionMark | None:
    """A rejected phrase that is asserted costs all points."""
    if not case.wrong:
        return None
    window = _best(case.wrong)
    return _mark(case, CONTRADICTED, [window], f"it says {case.quote(window)}", _ZERO)


def _right_number(case: _Case) -> CriterionMark | None:
    mark = _number_mark(case) if case.finding.numbers else None
    return mark if mark is not None and mark.status == FOUND else None


def _asserted(case: _Case) -> CriterionMark | None:
    """What is asserted earns all, or a part where it is said of something else, named alone or put together."""
    reading, criterion, good = case.reading, case.criterion, case.good
    if not good:
        return None
    window = _best(good)

    def half(why: str) -> CriterionMark:
        return _mark(case, PARTIAL, [window], f'"{_quote(reading, window)}" {why}', case.half)

    if case.of and not reading.index.said_against[case.place]:
        own = [w for w in good if not said_of_a_rival(reading, w, case.of)]
        if not own:
            rival = reading.owners.of[window.first] or case.of
            return half(f"is said{said_about(reading, window, rival)}, which was not asked")
        good, window = own, _best(own)
    if criterion.explain:
        good = [w for w in good if _related(reading, w)]
        if not good:
            return half("is named but nothing is said about it")
        window = _best(good)
    longer = criterion.points >= BARE and not criterion.bare
    if longer and all(_bare(w) for w in good):
        return half("alone is one word")
    parts, why = _scattered(reading, window)
    if len(good) > 1:
        parts, why, window = min(
            ((*_scattered(reading, w), w) for w in good),
            key=lambda one: (one[0], longer and _bare(one[2]), _size(one[2])),
        )
    if parts > 1:
        because = f'"{_quote(reading, window)}" is put together from {why}'
        return _mark(case, PARTIAL, [window], because, reading.index.part_of(case.place, 1, parts))
    return _mark(case, FOUND, [window], f'"{_quote(reading, window)}"', criterion.points)


def _denied_rightly(case: _Case) -> CriterionMark | None:
    """What is rejected is denied, of the subject that is asked about."""
    window = denied_rightly(case.reading, case.finding) if case.of and not case.hedged else None
    if window is None:
        return None
    return _mark(case, FOUND, [window], f"it denies {case.quote(window)}", case.criterion.points)


def _hedged_number(case: _Case) -> CriterionMark | None:
    mark = _number_mark(case) if case.finding.numbers else None
    return mark if mark is not None and mark.status == HEDGED else None


def _hedged(case: _Case) -> CriterionMark | None:
    if not case.hedged:
        return None
    window, polarity = min(case.hedged, key=lambda pair: _size(pair[0]))
    because = f'"{_quote(case.reading, window)}" {_guessed(case.reading, polarity)}'
    return _mark(case, HEDGED, [window], because, case.half)


def _other_way_round(case: _Case) -> CriterionMark | None:
    if not case.finding.crossed:
        return None
    window, why = case.finding.crossed[0]
    return _mark(case, CONTRADICTED, [window], why, _ZERO)


def _denied(case: _Case) -> CriterionMark | None:
    if not case.denied:
        return None
    window, polarity = case.denied[0]
    because = f'"{_quote(case.reading, window)}" is denied{_cue(case.reading, polarity)}'
    if case.reading.index.probes[window.probe].polarity == NEGATED:
        because = f'it says "{_quote(case.reading, window)}", which should be denied'
    return _mark(case, NEGATED, [window], because, _ZERO)


# The first step that gives a mark decides.
_STEPS: Final = (
    _contradicted, _right_number, _asserted, _denied_rightly, _hedged_number, _hedged, _other_way_round,
    _denied,
)  # fmt: skip


def _taken_back(case: _Case, mark: CriterionMark) -> CriterionMark:
    """A mark that earns nothing, with the reason where the candidate corrected what would have earned."""
    for window, _ in case.finding.accepts:
        if word := case.reading.retracted(window):
            return mark._replace(because=f'"{_quote(case.reading, window)}" is taken back by "{word}"')
    return mark


def _bare(window: Window) -> bool:
    """One word that fills a phrase of one slot."""
    return len(window.hits) == 1 and window.first == window.last


def _scattered(reading: ResponseText, window: Window) -> tuple[int, str]:
    """By how much a window's points are divided, and why: words of two sentences belong together by chance more often
    than not, unless the second goes on with the first."""
    first, last = window.first, window.last
    if reading.index.probes[window.probe].near != NEXT:
        return 1, ""
    if not reading.same_sentence(first, last):
        return 2 if reading.goes_on(reading.sentence_bounds(last)[0]) else 4, "two sentences"
    return 1, ""


def _best(matched: list[Window]) -> Window:
    """The window whose words stand nearest to one another, spelt right before misspelt."""
    return matched[0] if len(matched) == 1 else min(matched, key=_size)


def _size(window: Window) -> tuple[bool, int, int]:
    return window.fuzzy, window.last - window.first, window.first


def _nearest(reading: ResponseText, finding: Finding) -> tuple[Near | None, bool]:
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


def _near(case: _Case, best: Near | None, earns: bool) -> CriterionMark:
    """Half of the share of slots found, where at least two thirds of them were; a quarter of all of them far apart."""
    reading, nothing = case.reading, case.reading.index.missing_marks[case.place]
    if best is None:
        because = "only the words of the item itself were found" if case.finding.echoed else nothing.because
        return nothing._replace(because=because)
    probe = reading.index.probes[best.probe]
    credited = (
        best.windowed
        and 3 * best.found >= 2 * probe.size
        and earns
        and not any([h[3] & INVERSE_FLAG for h in best.hits])
    )
    credited = credited and not case.finding.echoed
    by_chance = 2 * best.found < probe.size or all([reading.entries[h[0]].function for h in best.hits])
    if by_chance and not credited:
        return nothing  # a word or two by chance explain nothing
    filled = {h[2] for h in best.hits}
    lacking = [name for i, name in enumerate(_slot_names(reading.index, best.probe)) if i not in filled]
    hits = tuple(sorted(best.hits))
    window = Window(best.probe, hits[0][0], max([h[1] for h in hits]), hits)
    shown = " and ".join([f'"{_words(reading, h)}"' for h in hits])
    rest = "the rest of it was not found" if case.criterion.say else f"not {' and '.join(lacking)}"
    because = f"{shown} found, but {'far apart' if best.apart else rest}"
    if credited:
        polarity = stance(reading, window) if not best.apart else PLAIN
        decides = probe.polarity != ANY and not reading.names_negator(window)
        if decides and (polarity.kind == DENIED) != (probe.polarity == NEGATED):
            return _mark(case, NEGATED, [window], f"{shown} is denied{_cue(reading, polarity)}", _ZERO)
        part = reading.index.part_of(case.place, best.found, (4 if best.apart else 2) * probe.size)
        return _mark(case, PARTIAL, [window], because, part)._replace(near=True)
    if not lacking:
        because = f"{shown} found, but not together as asked"
    return nothing._replace(because=because)


def _slot_names(index: Index, number: int) -> tuple[str, ...]:
    """A word for each slot of a phrase, as people write it."""
    names = index.slot_names.get(number)
    if names is None:
        slots = slot_texts(index.probes[number].text)
        whole = [next((word for word in slot if "*" not in word), slot[0].replace("*", "…")) for slot in slots]
        names = index.slot_names[number] = tuple(whole)
    return names


def _words(reading: ResponseText, hit: Hit) -> str:
    return " ".join(reading.original(hit[0], hit[1]).split())


def _mark(case: _Case, status: str, shown: list[Window], because: str, earned: Fraction) -> CriterionMark:
    reading, criterion = case.reading, case.criterion
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


def _corrections(reading: ResponseText, hit: Hit) -> list[tuple[str, str]]:
    """Misspelt words of a hit and what they were read as."""
    entries = reading.entries
    pairs = [(reading.original(i, i), entries[i].read_as) for i in range(hit[0], hit[1] + 1)]
    return [(was, meant) for was, meant in pairs if meant and was.lower() != meant]


def _quote(reading: ResponseText, window: Window) -> str:
    text = reading.original(window.first, window.last)
    if "\n" in text or "  " in text or "\t" in text:
        text = " ".join(text.split())
    if len(text) <= 90:
        return text
    return f"{text[:60].rsplit(' ', 1)[0]} … {text[-25:].split(' ', 1)[-1]}"


def _cue(reading: ResponseText, polarity: Stance) -> str:
    if polarity.cue is None:
        return ""
    return f' ("{" ".join(reading.original(polarity.cue[0], polarity.cue[1]).split())}")'


def _guessed(reading: ResponseText, polarity: Stance) -> str:
    return "is asked in a question, not said" if polarity.cue is None else f"is only guessed{_cue(reading, polarity)}"


def _related(reading: ResponseText, window: Window) -> bool:
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


def _number_mark(case: _Case) -> CriterionMark:
    """The mark that a number alone gives: a right one that is asserted, else the first right one, else the nearest."""
    reading, criterion, numbers = case.reading, case.criterion, case.finding.numbers
    right = [n for n in numbers if n.right]
    best = next((n for n in right if n.stance.kind == ASSERTED), None) or min(right or numbers, key=lambda n: n.off)
    text = " ".join(reading.original(best.said.first, best.said.last).split())
    if not best.right:
        return reading.index.missing_marks[case.place]._replace(because=f'it gives "{text}", not the amount asked for')
    spans = (reading.span(best.said.first, best.said.last),)
    status, earned, because = FOUND, criterion.points, f'"{text}"'
    if best.stance.kind == DENIED:
        status, earned, because = NEGATED, _ZERO, f'"{text}" is denied{_cue(reading, best.stance)}'
    elif best.stance.kind != ASSERTED:
        status, earned, because = HEDGED, case.half, f'"{text}" {_guessed(reading, best.stance)}'
    return CriterionMark(criterion.id, status, earned, criterion.points, spans, because)
