"""`score_text`: a rubric and a text to points, each with its reason."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.rubric.compiling.compile import compiled
from quizgen.rubric.context.contradictions import counts
from quizgen.rubric.context.finding import Finding
from quizgen.rubric.context.findings import find
from quizgen.rubric.context.polarity import ASSERTED
from quizgen.rubric.judging.claims import judge
from quizgen.rubric.judging.gaming import suspect
from quizgen.rubric.judging.leaning import leaning
from quizgen.rubric.judging.wording import words_alone
from quizgen.rubric.marks import PARTIAL, Adjustment, CriterionMark, TextScore
from quizgen.rubric.pattern.index import Index
from quizgen.rubric.reading.reading import MAX_DISTINCT, MAX_TOKENS, TextReading, read_response
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.sure import REVIEW, with_sure
from quizgen.rubric.text.fold import MAX_RESPONSE, fold
from quizgen.source import shorten, shown_points

_ZERO: Final = Fraction(0)


def score_text(rubric: Rubric, text: str, *, by_examples: bool = True) -> TextScore:
    """Score one response. Never raises, whatever the text; the same text always gives the same value. Without
    `by_examples` its phrases alone decide, not the answers written beside the item."""
    index = compiled(rubric)
    folded = fold(text)
    reading = read_response(index, folded)
    found = find(index, reading) if reading.hits or index.has_numbers else {}
    adjustments: tuple[Adjustment, ...] = ()
    named: tuple[str, ...] = ()
    say: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    said = reading.said
    coverage = index.shares[said.bit_count()] if index.shares else None
    earns = False
    nearly = [0.0] * len(index.missing_marks)
    leans = ""
    if not found:
        marks, total = index.missing_marks, _ZERO
    else:
        judged = list(index.missing_marks)
        for place, finding in found.items():
            if place >= 0:
                judged[place], nearly[place] = judge(reading, place, finding, found)
        marks = tuple(judged)
        if by_examples:
            marks, leans = leaning(reading, marks)
        named, say, penalties = _misconceptions(rubric, reading, found)
        total, adjustments, earns = _sum(index, marks, penalties)
        if earns:
            suspicion = suspect(reading, coverage)
            if suspicion is not None:
                flags = (suspicion.flag,)
                most = index.possible * suspicion.most
                if total > most:
                    adjustments = (*adjustments, Adjustment("gaming", most - total, suspicion.because))
                    total = most
    if said and not earns and not adjustments:
        words = words_alone(index, reading, found, marks, said)
        if words is not None:
            adjustments, total = (words,), words.points
    notes: tuple[str, ...] = (leans,) if leans else ()
    if folded.cut:
        notes += (f"Only the first {MAX_RESPONSE:,} characters of the response were read.",)
    elif reading.cut:
        notes += (f"Only the first {MAX_TOKENS:,} words and marks, {MAX_DISTINCT:,} different ones, were read.",)
    marks = with_sure(index, marks, found, nearly, coverage)
    review = bool(flags) or any([m.sure < REVIEW for m in marks])
    return TextScore(total, index.possible, marks, adjustments, named, say, flags, review, coverage, notes)


def phrases_found(rubric: Rubric, text: str) -> tuple[tuple[str, str, str], ...]:
    """(criterion, phrase, "accept" or "reject") of every phrase that a text asserts, in rubric order."""
    index = compiled(rubric)
    found = find(index, read_response(index, fold(text)))
    said: dict[tuple[int, str], None] = {}
    for place, finding in sorted(found.items()):
        for windows_found, kind in ((finding.accepts, "accept"), (finding.rejects, "reject")):
            for window, put in windows_found:
                if place >= 0 and put.kind == ASSERTED:
                    said[window.probe, kind] = None
    probes = index.probes
    return tuple((rubric.criteria[probes[p].owner].id, probes[p].text, kind) for p, kind in said)


def _sum(
    index: Index, marks: tuple[CriterionMark, ...], penalties: tuple[Adjustment, ...]
) -> tuple[Fraction, tuple[Adjustment, ...], bool]:
    """The marks' sum after groups, penalties and limits, and whether it is above 0.

    Few combinations of statuses occur, so without penalties each is worked out once.
    """
    key = tuple(
        [(m.earned.numerator, m.earned.denominator, m.near) if m.status == PARTIAL else m.status for m in marks]
    )
    known = index.sums.get(key) if not penalties else None
    if known is not None:
        return known
    adjustments: list[Adjustment] = []
    total = sum((m.earned for m in marks), _ZERO)
    near = sum((m.earned for m in marks if m.near), _ZERO)
    if near > index.for_nears:
        because = f"what was only nearly found earns at most {shown_points(index.for_nears)} together"
        adjustments.append(Adjustment("near", index.for_nears - near, because))
        total += index.for_nears - near
    for group in index.rubric.groups:
        inside = sum((m.earned for m in marks if m.criterion in group.of), _ZERO)
        if inside > group.at_most:
            because = f"{', '.join(group.of)} earn at most {shown_points(group.at_most)} together"
            adjustments.append(Adjustment("group", group.at_most - inside, because))
            total += group.at_most - inside
    adjustments.extend(penalties)
    total += sum((a.points for a in penalties), _ZERO)
    full = index.rubric.full_marks
    if full is not None and total > full:
        adjustments.append(Adjustment("full-marks", full - total, f"full marks are {shown_points(full)}"))
        total = full
    if total < 0:
        adjustments.append(Adjustment("floor", -total, "a score is never below 0"))
        total = _ZERO
    known = (total, tuple(adjustments), total > 0)
    if not penalties and len(index.sums) < 4096:
        index.sums[key] = known
    return known


def _misconceptions(
    rubric: Rubric, reading: TextReading, found: dict[int, Finding]
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Adjustment, ...]]:
    named: list[str] = []
    say: list[str] = []
    penalties: list[Adjustment] = []
    for place, misconception in enumerate(rubric.misconceptions):
        finding = found.get(-1 - place)
        if finding is None:
            continue
        window = next((w for w, put in finding.rejects if counts(reading, w, put) and not reading.retracted(w)), None)
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
