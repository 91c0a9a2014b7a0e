"""`grade`: a rubric and a text to points, each with its reason."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.rubric.claims import Finding, judge
from quizgen.rubric.fold import MAX_RESPONSE, fold
from quizgen.rubric.gaming import Suspicion, suspect
from quizgen.rubric.graded import CONTRADICTED, FOUND, HEDGED, MISSING, NEGATED, PARTIAL, Adjustment, Graded, Mark
from quizgen.rubric.index import ACCEPT, MISCONCEPTION, REJECT, Index
from quizgen.rubric.match import Near, Window, windows
from quizgen.rubric.numbers import number_findings
from quizgen.rubric.polarity import ASSERTED, stance
from quizgen.rubric.reading import Reading, read_response
from quizgen.rubric.roles import wrongly_bound
from quizgen.rubric.rubric import Rubric

_HALF: Final = Fraction(1, 2)
_ZERO: Final = Fraction(0)

__all__ = ["grade"]


def grade(rubric: Rubric, text: str) -> Graded:
    """Score one response. Never raises, whatever the text; the same text always gives the same value."""
    index = rubric.index
    folded = fold(text)
    reading = read_response(index, folded)
    found = _find(index, reading)
    marks: list[Mark] = []
    any_evidence = False
    for place, criterion in enumerate(rubric.criteria):
        finding = found.get(place)
        if finding is None:
            marks.append(index.missing_marks[place])
            continue
        mark = judge(reading, criterion, finding)
        any_evidence = any_evidence or mark.earned > 0
        marks.append(mark)
    total = sum((m.earned for m in marks if m.earned), _ZERO)
    adjustments: list[Adjustment] = []
    total = _groups(rubric, marks, total, adjustments)
    named: list[str] = []
    say: list[str] = []
    if index.has_misconceptions:
        total = _misconceptions(rubric, reading, found, total, adjustments, named, say)
    flags: tuple[str, ...] = ()
    if any_evidence:
        suspicion = suspect(reading, folded)
        if suspicion is not None:
            flags = (suspicion.flag,)
            total = _cap(suspicion, rubric.possible, total, adjustments)
    if total < 0:
        adjustments.append(Adjustment("floor", -total, "a score is never below 0"))
        total = _ZERO
    full = rubric.full_marks
    if full is not None and total > full:
        adjustments.append(Adjustment("full-marks", full - total, f"full marks are {_points(full)}"))
        total = full
    notes: tuple[str, ...] = ()
    if folded.cut:
        notes = (f"Only the first {MAX_RESPONSE:,} characters of the response were read.",)
    coverage = _coverage(index, reading)
    possible = rubric.possible
    review = _review(total, possible, coverage, found, bool(flags))
    return Graded(
        total, possible, tuple(marks), tuple(adjustments), tuple(named), tuple(say), flags, review, coverage, notes
    )


def _find(index: Index, reading: Reading) -> dict[int, Finding]:
    """Windows and near misses of every criterion that was touched; misconceptions under -1 - place."""
    found: dict[int, Finding] = {}
    probes = index.probes
    hits = reading.hits
    for number in sorted(hits) if len(hits) > 1 else hits:
        probe = probes[number]
        matched, near = windows(reading, number, probe, hits[number])
        if not matched and near is None:
            continue
        place = probe.owner if probe.kind != MISCONCEPTION else -1 - probe.owner
        finding = found.get(place)
        if finding is None:
            finding = found[place] = Finding()
        for window in matched:
            if probe.kind == ACCEPT and reading.copied(window, probe):
                finding.echoed = True
                continue
            if probe.comparative >= 0 or index.rivals:
                bound = wrongly_bound(reading, window)
                if bound is not None:
                    if probe.kind == ACCEPT:
                        finding.crossed.append((window, bound))
                    continue
            elif window.inverse:
                continue
            put = stance(reading, window)
            if probe.kind == ACCEPT:
                finding.accepts.append((window, put))
            else:
                finding.rejects.append((window, put))
        if near is not None and probe.kind == ACCEPT:
            finding.nears.append(near)
    if index.has_numbers:
        number_findings(index, reading, found)
    return found


def _groups(rubric: Rubric, marks: list[Mark], total: Fraction, adjustments: list[Adjustment]) -> Fraction:
    for group in rubric.groups:
        inside = sum((m.earned for m in marks if m.criterion in group.of), _ZERO)
        if inside > group.at_most:
            over = inside - group.at_most
            names = ", ".join(group.of)
            adjustments.append(Adjustment("group", -over, f"{names} earn at most {_points(group.at_most)} together"))
            total -= over
    return total


def _misconceptions(
    rubric: Rubric,
    reading: Reading,
    found: dict[int, Finding],
    total: Fraction,
    adjustments: list[Adjustment],
    named: list[str],
    say: list[str],
) -> Fraction:
    for place, misconception in enumerate(rubric.misconceptions):
        finding = found.get(-1 - place)
        if finding is None:
            continue
        window = next((w for w, put in finding.rejects if put.kind == ASSERTED and not reading.retracted(w)), None)
        if window is None:
            continue
        named.append(misconception.id)
        if misconception.say:
            say.append(misconception.say)
        if misconception.penalty:
            words = reading.original(window.first, window.last)
            spans = (reading.span(window.first, window.last),)
            adjustments.append(Adjustment("penalty", -misconception.penalty, f'"{_short(words)}" is a misconception', spans))
            total -= misconception.penalty
    return total


def _cap(suspicion: Suspicion, possible: Fraction, total: Fraction, adjustments: list[Adjustment]) -> Fraction:
    most = possible * suspicion.most
    if total > most:
        adjustments.append(Adjustment("gaming", most - total, suspicion.because))
        return most
    return total


def _coverage(index: Index, reading: Reading) -> float | None:
    count = len(index.references)
    if not count:
        return None
    bits = 0
    for entry in reading.entries:
        bits |= entry.reference
    return round(bits.bit_count() / count, 2)


def _review(
    total: Fraction, possible: Fraction, coverage: float | None, found: dict[int, Finding], flagged: bool
) -> bool:
    if flagged or any(f.doubtful for f in found.values()):
        return True
    if coverage is None:
        return False
    return (coverage < 0.1 and 2 * total > possible) or (coverage > 0.6 and 4 * total <= possible)


def _points(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{float(value):g}"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= 80 else text[:79] + "…"
