"""`score_text`: a rubric and a text to points, each with its reason and with how sure it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from quizgen.rubric.compile import compiled
from quizgen.rubric.criteria import Finding, counts, find, judge
from quizgen.rubric.gaming import suspect
from quizgen.rubric.index import Index
from quizgen.rubric.polarity import ASSERTED
from quizgen.rubric.response import MAX_DISTINCT, MAX_TOKENS, ResponseText, read_response
from quizgen.rubric.rubric import (
    CONTRADICTED,
    FOUND,
    MISSING,
    NEGATED,
    PARTIAL,
    Adjustment,
    CriterionMark,
    Rubric,
    TextScore,
)
from quizgen.rubric.tokens import MAX_RESPONSE, fold
from quizgen.source.problems import points_said, shorten, shown_points

_ZERO: Final = Fraction(0)
Marks = tuple[CriterionMark, ...]
Adjustments = tuple[Adjustment, ...]


def score_text(rubric: Rubric, text: str, *, by_examples: bool = True) -> TextScore:
    """Score one response. Never raises, whatever the text; the same text always gives the same value. Without
    `by_examples` its phrases alone decide, not the answers written beside the item."""
    index = compiled(rubric)
    reading = read_response(index, fold(text))
    findings = find(index, reading) if reading.hits or index.has_numbers else {}
    coverage = index.shares[reading.said.bit_count()] if index.shares else None
    marks, nearly = _judged(index, reading, findings)
    named, say, penalties = _misconceptions(rubric, reading, findings) if findings else ((), (), ())
    clean = not named and all([m.status == FOUND for m in marks])
    divisor, notes = _leaning(reading, marks, clean) if by_examples else (1, ())
    if divisor > 1 and not clean:
        marks = _divided(marks, divisor)
    total, adjustments, earns = _sum(index, marks, penalties)
    flags: tuple[str, ...] = ()
    if earns:
        total, adjustments, flags = _capped(reading, total, adjustments)
    marks = _with_sure(index, marks, findings, nearly, coverage, DOUBTED if divisor > 1 and clean else 1.0)
    review = bool(flags) or any([m.sure < REVIEW for m in marks]) or _unrecognised(index, reading, marks, findings)
    notes = (*notes, *_cut(reading))
    return TextScore(total, index.possible, marks, adjustments, named, say, flags, review, coverage, notes)


def _capped(
    reading: ResponseText, total: Fraction, adjustments: Adjustments
) -> tuple[Fraction, Adjustments, tuple[str, ...]]:
    """Points, adjustments and flags of a response that may be words in any order."""
    suspicion = suspect(reading)
    if suspicion is None:
        return total, adjustments, ()
    most = reading.index.possible * suspicion.most
    if total > most:
        total, adjustments = most, (*adjustments, Adjustment("gaming", most - total, suspicion.because))
    return total, adjustments, (suspicion.flag,)


def _cut(reading: ResponseText) -> tuple[str, ...]:
    """A note where not all of a response was read."""
    if reading.folded.cut:
        return (f"Only the first {MAX_RESPONSE:,} characters of the response were read.",)
    if reading.cut:
        return (f"Only the first {MAX_TOKENS:,} words and marks, {MAX_DISTINCT:,} different ones, were read.",)
    return ()


def phrases_found(rubric: Rubric, text: str) -> tuple[tuple[str, str, str], ...]:
    """(criterion, phrase, "accept" or "reject") of every phrase that a text asserts, in rubric order."""
    index = compiled(rubric)
    phrases: dict[tuple[int, str], None] = {}
    for place, finding in sorted(find(index, read_response(index, fold(text))).items()):
        for claims, kind in ((finding.accepts, "accept"), (finding.rejects, "reject")):
            for window, stance in claims:
                if place >= 0 and stance.kind == ASSERTED:
                    phrases[window.probe, kind] = None
    probes = index.probes
    return tuple((rubric.criteria[probes[p].owner].id, probes[p].text, kind) for p, kind in phrases)


def _judged(index: Index, reading: ResponseText, findings: dict[int, Finding]) -> tuple[Marks, list[float]]:
    """The mark of each criterion, and for those that earn nothing the share of a phrase that was found."""
    nearly = [0.0] * len(index.missing_marks)
    if not findings:
        return index.missing_marks, nearly
    judged = list(index.missing_marks)
    for place, finding in findings.items():
        if place >= 0:
            judged[place], nearly[place] = judge(reading, place, finding, findings)
    return tuple(judged), nearly


def _misconceptions(
    rubric: Rubric, reading: ResponseText, findings: Mapping[int, Finding]
) -> tuple[tuple[str, ...], tuple[str, ...], Adjustments]:
    """The ids of misconceptions that a response asserts, what to say of them, and what they cost."""
    named: list[str] = []
    say: list[str] = []
    penalties: list[Adjustment] = []
    for place, misconception in enumerate(rubric.misconceptions):
        finding = findings.get(-1 - place)
        rejects = finding.rejects if finding is not None else ()
        window = next((w for w, polarity in rejects if counts(reading, w, polarity) and not reading.retracted(w)), None)
        if window is None:
            continue
        named.append(misconception.id)
        if misconception.say:
            say.append(misconception.say)
        if misconception.penalty:
            words = " ".join(reading.original(window.first, window.last).split())
            spans = (reading.span(window.first, window.last),)
            because = f'"{shorten(words, 80)}" is a misconception'
            penalties.append(Adjustment("penalty", -misconception.penalty, because, spans))
    return tuple(named), tuple(say), tuple(penalties)


# -- answers that lean to the wrong examples -------------------------------------------------------------

SHOWN: Final = 4  # words of a response
_COUNTS: Final = {2: "half", 4: "a quarter"}


def _leaning(reading: ResponseText, marks: Marks, clean: bool) -> tuple[int, tuple[str, ...]]:
    """By how much what was found is divided, and a note that says why; where all was found and nothing wrong
    (`clean`) it counts whole, and only its likeness is doubted."""
    examples = reading.index.examples
    if examples is None or not any([m.earned for m in marks]):
        return 1, ()
    divisor = reading.divisor
    if divisor == 1 or clean:
        return divisor, ()
    words = [reading.original(p, p) for p in examples.telling(reading.numbers) if not reading.entries[p].function]
    quoted = ", ".join(f'"{shorten(word, 40)}"' for word in list(dict.fromkeys(words))[:SHOWN])
    such = f" (words of theirs: {quoted})" if quoted else ""
    return divisor, (
        f"The answer as a whole resembles wrong answers more than right ones{such}, so what was found counts"
        f" {_COUNTS[divisor]}.",
    )


def _divided(marks: Marks, divisor: int) -> Marks:
    because = f"counts {_COUNTS[divisor]}, because the answer resembles wrong ones"
    return tuple(
        [
            m._replace(status=PARTIAL, earned=m.earned / divisor, because=f"{m.because}, {because}") if m.earned else m
            for m in marks
        ]
    )


# -- the sum ---------------------------------------------------------------------------------------------


def _sum(index: Index, marks: Marks, penalties: Adjustments) -> tuple[Fraction, Adjustments, bool]:
    """The marks' sum after groups, penalties and limits, and whether it is above 0.

    Few combinations of statuses occur, so without penalties each is worked out once.
    """
    if penalties:
        return _worked_out(index, marks, penalties)
    key = tuple(
        [(m.earned.numerator, m.earned.denominator, m.near) if m.status == PARTIAL else m.status for m in marks]
    )
    known = index.sums.get(key)
    if known is None:
        known = _worked_out(index, marks, penalties)
        if len(index.sums) < 4096:
            index.sums[key] = known
    return known


def _worked_out(index: Index, marks: Marks, penalties: Adjustments) -> tuple[Fraction, Adjustments, bool]:
    adjustments: list[Adjustment] = []
    total = sum((m.earned for m in marks), _ZERO)
    near = sum((m.earned for m in marks if m.near), _ZERO)
    if near > index.for_nears:
        because = f"near misses earn at most {shown_points(index.for_nears)} together"
        adjustments.append(Adjustment("near", index.for_nears - near, because))
    for group in index.rubric.groups:
        inside = sum((m.earned for m in marks if m.criterion in group.of), _ZERO)
        if inside > group.at_most:
            because = f"{', '.join(group.of)} earn at most {shown_points(group.at_most)} together"
            adjustments.append(Adjustment("group", group.at_most - inside, because))
    adjustments.extend(penalties)
    total += sum((a.points for a in adjustments), _ZERO)
    full = index.rubric.full_marks
    if full is not None and total > full:
        because = f"{points_said(full)} earn full marks; more does not count"
        adjustments.append(Adjustment("full-marks", full - total, because))
        total = full
    if total < 0:
        adjustments.append(Adjustment("floor", -total, "a score is never below 0"))
        total = _ZERO
    return total, tuple(adjustments), total > 0


# -- how sure a mark is ----------------------------------------------------------------------------------
#
# The chance, 0 to 1, that a person would give the same, from a few signs that can be shown. Two small tables, one for
# marks that earn something and one for marks that earn nothing. The weights are of logistic regressions on 1,024 marks
# of 272 answers that were also marked by hand. Fitted on half of the items they rank the marks of the other half with
# an AUC of .84 (earned) and .64 (not earned). What is not earned was set apart from that, on answers to 76 questions of
# two public sets: where a rubric finds little, people often find more.

REVIEW: Final = 0.4  # below this a mark asks for a person
DOUBTED: Final = 0.5  # so much less sure is what is worded like a wrong answer
WIDE: Final = 60  # characters of evidence that count as one
UNKNOWN: Final = 0.5  # share of the model answer's words where there is none
LONG_ENOUGH: Final = 12  # words from which an answer on the topic that was not recognised is for a person
LITTLE_RECOGNISED: Final = 0.25  # of the points

EARNED: Final = {
    "always": -0.3,
    "share earned by the other criteria": 1.9,
    "share of the model answer's words": 2.2,
    "width of the evidence": -0.7,
    "found in part": -0.7,
    "said more than once": 1.6,
}
NOTHING: Final = {
    "always": 3.0,
    "share earned by the other criteria": -0.6,
    "share of slots nearly found": -1.4,
    "taken as denied or contradicted": -0.4,
}
UNEARNED: Final = -1.6  # of the share of all points that the response does not earn, in both tables
_E: Final = tuple(EARNED.values())
_N: Final = tuple(NOTHING.values())


def _with_sure(
    index: Index,
    marks: Marks,
    findings: Mapping[int, Finding],
    nearly: Sequence[float],
    coverage: float | None,
    factor: float,
) -> Marks:
    """The marks of a response, each with how sure it is, times `factor`; `nearly`: by criterion, the share of a phrase
    that was found."""
    known = UNKNOWN if coverage is None else coverage
    points = index.points
    shares = [
        0.0 if m.status == MISSING else points[i] if m.status == FOUND else m.earned.numerator / m.earned.denominator
        for i, m in enumerate(marks)
    ]
    possible, earned = index.all_points, math.fsum(shares)
    full = index.possible.numerator / index.possible.denominator
    left = UNEARNED * max(1 - earned / full, 0.0) if full else 0.0
    weighed: list[CriterionMark] = []
    for place, mark in enumerate(marks):
        rest = possible - points[place]
        elsewhere = (earned - shares[place]) / rest if rest > 0 else float(shares[place] > 0)
        finding = findings.get(place)
        if shares[place]:
            width = mark.evidence[-1][1] - mark.evidence[0][0] if mark.evidence else 0
            more = min(len(finding.accepts) - 1, 2) / 2 if finding is not None and finding.accepts else 0.0
            total = left + _E[0] + _E[1] * elsewhere + _E[2] * known + _E[3] * min(width / WIDE, 3.0)
            total += _E[4] * (mark.status != FOUND) + _E[5] * more
        else:
            total = left + _N[0] + _N[1] * elsewhere + _N[2] * nearly[place]
            total += _N[3] * (mark.status in (NEGATED, CONTRADICTED))
        weighed.append(CriterionMark._make((*mark[:-1], factor / (1 + math.exp(-total)))))
    return tuple(weighed)


def _unrecognised(index: Index, reading: ResponseText, marks: Marks, findings: Mapping[int, Finding]) -> bool:
    """An answer on the topic, of some length, of which hardly anything was recognised: its words may be right ones
    that nobody foresaw."""
    if len(reading.entries) < LONG_ENOUGH:
        return False
    known = sum([points for m, points in zip(marks, index.points, strict=True) if m.status != MISSING and not m.near])
    on_topic = bool(reading.said & index.own_references) or bool(findings)
    if not on_topic or known >= LITTLE_RECOGNISED * index.all_points:
        return False
    return index.examples is None or reading.divisor == 1  # else it is like wrong answers
