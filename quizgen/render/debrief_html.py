"""The debrief as one self-contained page with charts: no script, no address, nothing to load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from quizgen.render import charts
from quizgen.render.charts import Chart
from quizgen.render.debrief import CLAIMED, Debrief, Result, ending, outcome_word, percent, shown_points
from quizgen.render.debrief_item import criteria, solution
from quizgen.render.html import Html, environment
from quizgen.render.page import page
from quizgen.source import printable

STYLES = ("css/shared.css", "css/debrief.css")


@dataclass(frozen=True, slots=True)
class ShownMark:
    """A row of the table of criteria."""

    sign: str
    name: str
    points: str
    asks: str
    because: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A line of the overview."""

    number: int
    id: str
    topic: str
    outcome: str
    points: str
    time: str
    planned: str
    hints: str
    confidence: str


@dataclass(frozen=True, slots=True)
class ShownItem:
    """One item in full. `given` is the response in pieces, each with whether it is evidence."""

    number: int
    id: str
    facts: str
    stem: Markup
    given: Sequence[tuple[str, bool]]
    read_as: str
    say: Sequence[str]
    marks: Sequence[ShownMark]
    solution: Markup
    source: str
    scratch: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The page as its template wants it."""

    title: str
    percent: str
    score: str
    verdict: str
    band: str
    facts: Sequence[str]
    weak: Sequence[str]
    redo: Sequence[Result]
    charts: Sequence[Chart]
    overview: Sequence[ShownRow]
    items: Sequence[ShownItem]


def debrief_page(debrief: Debrief, root: str = "") -> str:
    """The page. `root` is the bank's folder, for its images."""
    html = Html(root)
    passed = debrief.passed
    verdict = "" if passed is None else "passed" if passed else "not passed"
    if debrief.pass_share is not None:
        verdict += f" (pass mark {percent(debrief.pass_share)})"
    band = debrief.band
    shown = Shown(
        title=printable(debrief.title),
        percent=percent(debrief.share),
        score=f"{shown_points(debrief.earned)} of {shown_points(debrief.possible)} points",
        verdict=verdict,
        band="" if band is None else f"{band.name}. {band.advice}".strip(),
        facts=_facts(debrief),
        weak=[f"{t.topic} ({percent(t.share)})" for t in debrief.weak],
        redo=debrief.redo,
        charts=_charts(debrief),
        overview=[_row(r) for r in debrief.results],
        items=[_item(r, html) for r in debrief.results if r.reached],
    )
    frame = page(STYLES, (), classes="debrief-page")
    return environment().get_template("debrief.html").render(page=frame, shown=shown)


def _facts(debrief: Debrief) -> list[str]:
    facts = [ending(debrief)]
    if debrief.timed:
        facts.append(f"Time: {_clock(debrief.spent)} of {_clock(debrief.budget)}.")
    else:
        facts.append(f"Time: {_clock(debrief.spent)}, untimed.")
    if debrief.away >= 1:
        facts.append(f"Away for {_clock(debrief.away)}; not counted.")
    found = debrief.calibration
    if found is not None:
        facts.append(f"Confidence: claimed {percent(found.claimed)}, earned {percent(found.earned)}.")
    for label, results in (
        ("Confident and wrong", debrief.confident_and_wrong),
        ("Unsure and right", debrief.unsure_and_right),
    ):
        if results:
            facts.append(f"{label}: {', '.join(f'{r.number}. {r.id}' for r in results)}.")
    facts.append(f"Seed: {debrief.seed}")
    return [printable(f) for f in facts]


def _charts(debrief: Debrief) -> list[Chart]:
    made = []
    topics = sorted(debrief.topics, key=lambda t: (t.share, t.topic))
    if topics:
        rows = [
            (t.topic, float(t.share), f"{percent(t.share)} ({shown_points(t.earned)}/{shown_points(t.possible)})")
            for t in topics
        ]
        made.append(charts.shares("Points by topic, the weakest first", rows))
    reached = [r for r in debrief.results if r.reached]
    if reached:
        pace = [(f"{r.number}. {r.id}", r.place.seconds, r.budget) for r in reached]
        made.append(charts.pace("Pace: time used, and the mark where it was planned", pace))
    levels = [
        (len(having), float(claimed), float(sum((r.share for r in having), start=claimed * 0) / len(having)))
        for level, claimed in CLAIMED.items()
        if (having := [r for r in reached if r.place.confidence == level and r.place.done])
    ]
    if levels:
        made.append(charts.calibration("Confidence: below the line is too sure", levels))
    return made


def _row(r: Result) -> ShownRow:
    return ShownRow(
        r.number,
        r.id,
        printable(r.place.entry.variant.item.topic),
        outcome_word(r),
        f"{shown_points(r.score.earned)}/{shown_points(r.possible)}",
        _clock(r.place.seconds) + (" late" if r.place.late else "") if r.reached else "",
        _clock(r.budget),
        str(r.place.paid) if r.place.paid else "",
        "" if r.place.confidence is None else str(r.place.confidence),
    )


def _item(r: Result, html: Html) -> ShownItem:
    variant = r.place.entry.variant
    facts = [
        outcome_word(r),
        f"{shown_points(r.score.earned)} of {shown_points(r.possible)} points",
        f"{_clock(r.place.seconds)} of {_clock(r.budget)}",
        f"{r.place.paid} hint{'s' * (r.place.paid != 1)}" if r.place.paid else "",
        "after a probe" if r.place.probed else "",
    ]
    read_as = r.score.read_as or ""
    return ShownItem(
        number=r.number,
        id=r.id,
        facts=" · ".join(f for f in facts if f),
        stem=html.blocks(variant.prompt()[:-1]),
        given=pieces(r.given, r),
        read_as=printable(read_as) if read_as != r.given and isinstance(r.place.response, str) else "",
        say=[printable(t) for t in r.score.say],
        marks=[
            ShownMark(c.sign, printable(c.mark.criterion), c.points, printable(c.asks), printable(c.mark.because))
            for c in criteria(r.place, r.score)
        ],
        solution=html.blocks(solution(r.place)),
        source=printable(variant.item.source),
        scratch=printable(r.place.scratch.strip()),
    )


def pieces(text: str, r: Result) -> list[tuple[str, bool]]:
    """The response cut where evidence begins and ends."""
    if not isinstance(r.place.response, str) or not text.strip():
        return [(printable(text), False)] if text.strip() else []
    marked = [False] * len(text)
    for mark in r.score.marks:
        for start, end in mark.evidence:
            for at in range(max(0, start), min(end, len(text))):
                marked[at] = True
    made: list[tuple[str, bool]] = []
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or marked[at] != marked[start]:
            made.append((printable(text[start:at]), marked[start]))
            start = at
    return made


def _clock(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole // 60}:{whole % 60:02}"
