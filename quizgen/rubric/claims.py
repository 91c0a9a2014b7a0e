"""What a response says about one criterion, weighed: its windows, near misses and contradictions."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from quizgen.rubric.graded import CONTRADICTED, FOUND, HEDGED, MISSING, NEGATED, PARTIAL, Mark, Span
from quizgen.rubric.index import FUZZY
from quizgen.rubric.match import Near, Window
from quizgen.rubric.numbers import NumberFinding
from quizgen.rubric.polarity import ASSERTED, DENIED, Stance, denied_as_a_whole, stance
from quizgen.rubric.reading import Hit, Reading
from quizgen.rubric.rubric import ANY, Criterion
from quizgen.rubric.rubric import NEGATED as WANTED_DENIED

_ZERO: Final = Fraction(0)


@dataclass(slots=True)
class Finding:
    """Everything found for one criterion, before it is weighed."""

    accepts: list[tuple[Window, Stance]] = field(default_factory=list)
    rejects: list[tuple[Window, Stance]] = field(default_factory=list)
    nears: list[Near] = field(default_factory=list)
    crossed: list[tuple[Window, str]] = field(default_factory=list)
    numbers: list[NumberFinding] = field(default_factory=list)
    echoed: bool = False
    doubtful: bool = False


def _claimed(reading: Reading, wrong: Window, rightly: list[Window]) -> bool:
    """Each word of a rejected claim belongs more closely to an accepted one: "memory falls, compute rises"
    holds "memory … rises" only by accident."""
    if len(wrong.hits) < 2:
        return False
    size = reading.reach(wrong.first, wrong.last)
    closer = [r for r in rightly if reading.reach(r.first, r.last) < size]
    return bool(closer) and all(any(w[0] <= h[1] and h[0] <= w[1] for r in closer for h in r.hits) for w in wrong.hits)


def judge(reading: Reading, criterion: Criterion, finding: Finding, rightly: list[Window]) -> Mark:
    """The mark of a criterion something was found for; `rightly` are all criteria's asserted windows."""
    probes = reading.index.probes
    good: list[Window] = []
    hedged: list[tuple[Window, Stance]] = []
    denied: list[tuple[Window, Stance]] = []
    for window, put in finding.accepts:
        wanted = probes[window.probe].polarity
        if reading.names_negator(window):
            # "{no central} server" is matched as it stands; only the whole sentence can be called false.
            (denied.append((window, put)) if denied_as_a_whole(reading, window) else good.append(window))
        elif wanted == ANY:
            good.append(window)
        elif put.kind == DENIED:
            (good.append(window) if wanted == WANTED_DENIED else denied.append((window, put)))
        elif wanted == WANTED_DENIED:
            denied.append((window, put))
        elif put.kind == ASSERTED:
            good.append(window)
            finding.doubtful = finding.doubtful or put.doubt
        else:
            hedged.append((window, put))
    wrong = [w for w, put in finding.rejects if _counts(reading, w, put)]
    if reading.corrections:
        good, hedged, denied, wrong = _corrected(reading, good, hedged, denied, wrong)
    wrong = [w for w in wrong if not _claimed(reading, w, rightly)]
    if wrong:
        window = min(wrong, key=_size)
        return _mark(
            reading, criterion, CONTRADICTED, [window], f'it says "{_quote(reading, window)}"', _ZERO
        )
    by_number = _number_mark(reading, criterion, finding) if finding.numbers else None
    if by_number is not None and by_number.status == FOUND:
        return by_number
    if good:
        window = min(good, key=_size) if len(good) > 1 else good[0]
        against = next((d for d, _ in denied if _same_claim(reading, window, d)), None) if denied else None
        if against is not None:
            because = f'it says both "{_quote(reading, window)}" and "{_quote(reading, against)}"'
            return _mark(reading, criterion, CONTRADICTED, [window, against], because, _ZERO)
        closer = next((p for p in denied if _closer(reading, p[0], window)), None) if denied else None
        if closer is not None:
            because = f'"{_quote(reading, closer[0])}" is denied{_cue(reading, closer[1])}'
            return _mark(reading, criterion, NEGATED, [closer[0]], because, _ZERO)
        if criterion.explain and not any(_explained(reading, w) for w in good):
            because = f'"{_quote(reading, window)}" is named but nothing is said about it'
            return _mark(reading, criterion, PARTIAL, [window], because, criterion.points / 2)
        return _mark(reading, criterion, FOUND, [window], f'"{_quote(reading, window)}"', criterion.points)
    if by_number is not None and by_number.status == HEDGED:
        return by_number
    if hedged:
        window, put = min(hedged, key=lambda pair: _size(pair[0]))
        because = f'"{_quote(reading, window)}" is only guessed{_cue(reading, put)}'
        return _mark(reading, criterion, HEDGED, [window], because, criterion.points / 2)
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
    mark = _near(reading, criterion, finding)
    return by_number if by_number is not None and mark.earned <= by_number.earned else mark


def _size(window: Window) -> tuple[bool, int, int]:
    return window.fuzzy, window.last - window.first, window.first


def _near(reading: Reading, criterion: Criterion, finding: Finding) -> Mark:
    """Half for a phrase of which at least two thirds of the slots, or all of them far apart, were found."""
    probes = reading.index.probes
    best: Near | None = None
    rank: tuple[float, int] = (0.0, 0)
    for near in finding.nears:
        probe = probes[near.probe]
        own = sum(1 for h in near.hits if not probe.given >> h[2] & 1)
        now = (near.found / probe.size + (0.01 if near.windowed else 0), own)
        if now > rank:
            best, rank = near, now
    if best is None:
        because = "only the words of the item itself were found" if finding.echoed else "not found"
        return Mark(criterion.id, MISSING, _ZERO, criterion.points, (), because, (), _hint(reading, criterion))
    probe = probes[best.probe]
    missing = [probe.phrase.slots[i] for i in range(probe.size) if i not in {h[2] for h in best.hits}]
    lacking = " ".join("|".join(a.text for a in slot[:4]) for slot in missing)
    ordered_hits = sorted(best.hits)
    window = Window(best.probe, ordered_hits[0][0], max(h[1] for h in ordered_hits), tuple(ordered_hits))
    words = ", ".join(f'"{_words(reading, h)}"' for h in ordered_hits)
    credited = best.windowed and 3 * best.found >= 2 * probe.size and rank[1] > 0 and not window.inverse
    if credited and not finding.echoed:
        put = stance(reading, window) if not best.apart else Stance(ASSERTED)
        if probe.polarity != ANY and not reading.names_negator(window) and (put.kind == DENIED) != (probe.polarity == WANTED_DENIED):
            return _mark(reading, criterion, NEGATED, [window], f"{words} is denied{_cue(reading, put)}", _ZERO)
        because = f"{words} found, but far apart" if best.apart else f"{words} found, but not {lacking}"
        mark = _mark(reading, criterion, PARTIAL, [window], because, criterion.points / 2)
        return Mark(
            mark.criterion, PARTIAL, mark.earned, mark.possible, mark.evidence, because, mark.read_as, lacking
        )
    because = f"{words} found, but not {lacking}" if lacking else f"{words} found, but not together as asked"
    return Mark(criterion.id, MISSING, _ZERO, criterion.points, (), because, (), lacking or probe.text)


def _hint(reading: Reading, criterion: Criterion) -> str:
    return criterion.accept[0].text if criterion.accept else ""


def _words(reading: Reading, hit: Hit) -> str:
    return " ".join(reading.original(hit[0], hit[1]).split())


def _mark(
    reading: Reading, criterion: Criterion, status: str, shown: list[Window], because: str, earned: Fraction
) -> Mark:
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
    return Mark(criterion.id, status, earned, criterion.points, tuple(spans), because, read_as)


def _corrections(reading: Reading, hit: Hit) -> list[tuple[str, str]]:
    """Misspelt words of a hit and what they were read as."""
    places = range(hit[0], hit[1] + 1)
    entries = reading.entries
    return [(reading.original(i, i), entries[i].read_as) for i in places if entries[i].read_as]


def _quote(reading: Reading, window: Window) -> str:
    text = reading.original(window.first, window.last)
    if "\n" in text or "  " in text or "\t" in text:
        text = " ".join(text.split())
    return text if len(text) <= 90 else f"{text[:60]} … {text[-25:]}"


def _cue(reading: Reading, put: Stance) -> str:
    if put.cue is None:
        return ""
    return f' ("{" ".join(reading.original(put.cue[0], put.cue[1]).split())}")'


def _same_claim(reading: Reading, good: Window, denied: Window) -> bool:
    """The denied clause speaks of nothing the asserted one does not: then the two contradict each other."""
    if good.first == denied.first:
        return False
    start, end = reading.clause_bounds(good.first)
    end = max(end, good.last + 1)
    said = {f for i in range(start, end) for f in reading.entries[i].forms}
    said.update(f for i in range(denied.first, denied.first) for f in reading.entries[i].forms)
    start, end = reading.clause_bounds(denied.first)
    for i in range(start, max(end, denied.last + 1)):
        entry = reading.entries[i]
        if entry.function or entry.cue or (denied.first <= i <= denied.last and entry.targets):
            continue
        if not any(f in said for f in entry.forms) and entry.plain not in ("actually", "really", "true"):
            return False
    return True


def _closer(reading: Reading, denied: Window, good: Window) -> bool:
    """The denied claim is the plainer one; the asserted words only happen to stand in one neighbourhood."""
    return reading.reach(denied.first, denied.last) + 6 <= reading.reach(good.first, good.last)


def _explained(reading: Reading, window: Window) -> bool:
    """A clause says something about what the window names: two content words of its own."""
    first, last = window.first, window.last
    start, end = reading.sentence_bounds(first)
    commas = sorted({place for place, _, _ in reading.marks if start < place < end})
    left = max((p for p in commas if p <= first), default=start)
    right = min((p for p in commas if p > last), default=end)
    matched = {p for h in window.hits for p in range(h[0], h[1] + 1)}

    def content(a: int, b: int) -> int:
        return sum(
            1 for i in range(a, b) if i not in matched and not reading.entries[i].function and not reading.entries[i].cue
        )

    if content(left, right) >= 2:
        return True
    # "osmosis: water moves …", "osmosis, which moves water", "osmosis (water moves …)"
    following = reading.entries[right].plain if right < end else ""
    named = any(place == right and cue in (14, 17) for place, cue, _ in reading.marks)
    linked = following in ("which", "because", "where", "when", "that", "since", "so", "as", "by", "to", "i.e.", "it", "this")
    return (named or linked) and content(right, end) >= 2


def _corrected(
    reading: Reading,
    good: list[Window],
    hedged: list[tuple[Window, Stance]],
    denied: list[tuple[Window, Stance]],
    wrong: list[Window],
) -> tuple[list[Window], list[tuple[Window, Stance]], list[tuple[Window, Stance]], list[Window]]:
    """"A, no wait, B": what stands before the correction is taken back where B speaks of the same thing."""
    def whole(found: list[Window]) -> list[Window]:
        """Without windows that reach over a correction, if others do not."""
        return [w for w in found if not reading.corrected_inside(w)] or found

    if any(not reading.corrected_inside(w) for w in (*good, *(d for d, _ in denied))):
        good = [w for w in good if not reading.corrected_inside(w)]
        denied = [(d, s) for d, s in denied if not reading.corrected_inside(d)]
    wrong = whole(wrong)
    kept_wrong = [w for w in wrong if not (reading.retracted(w) or reading.retracted_by(w, good))]
    kept_good = [w for w in good if not (reading.retracted(w) or reading.retracted_by(w, kept_wrong) or reading.retracted_by(w, [d for d, _ in denied]))]
    kept_denied = [(d, s) for d, s in denied if not (reading.retracted(d) or reading.retracted_by(d, kept_good))]
    kept_hedged = [(h, s) for h, s in hedged if not reading.retracted(h)]
    return kept_good, kept_hedged, kept_denied, kept_wrong


def asserted_mistake(reading: Reading, finding: Finding) -> Window | None:
    """The window of a misconception that is asserted and not taken back."""
    for window, put in finding.rejects:
        if _counts(reading, window, put) and not reading.retracted(window):
            return window
    return None


def _counts(reading: Reading, window: Window, put: Stance) -> bool:
    """A reject or misconception phrase that the response really says."""
    wanted = reading.index.probes[window.probe].polarity
    if reading.names_negator(window):
        return not denied_as_a_whole(reading, window)
    if wanted == ANY:
        return True
    return put.kind == (DENIED if wanted == WANTED_DENIED else ASSERTED)


def _number_mark(reading: Reading, criterion: Criterion, finding: Finding) -> Mark | None:
    """The mark a number alone gives; None leaves it to the phrases."""
    first = finding.numbers[0]
    said = first.said
    text = " ".join(reading.original(said.first, said.last).split())
    spans = (reading.span(said.first, said.last),)
    if not first.right:
        because = f'it gives "{text}", not the amount asked for'
        return Mark(criterion.id, MISSING, _ZERO, criterion.points, (), because, (), _hint(reading, criterion))
    best = next((f for f in finding.numbers if f.right and f.stance.kind == ASSERTED), first)
    said = best.said
    text = " ".join(reading.original(said.first, said.last).split())
    spans = (reading.span(said.first, said.last),)
    if best.stance.kind == ASSERTED:
        return Mark(criterion.id, FOUND, criterion.points, criterion.points, spans, f'"{text}"')
    if best.stance.kind == DENIED:
        because = f'"{text}" is denied{_cue(reading, best.stance)}'
        return Mark(criterion.id, NEGATED, _ZERO, criterion.points, spans, because)
    because = f'"{text}" is only guessed{_cue(reading, best.stance)}'
    return Mark(criterion.id, HEDGED, criterion.points / 2, criterion.points, spans, because)
