"""The debrief as one self-contained page with charts: no script, no address, nothing to load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from quizgen.markdown import inline
from quizgen.model import ZERO
from quizgen.render import charts
from quizgen.render.charts import Chart
from quizgen.render.debrief import CLAIMED, Debrief, Result, ending, outcome_word, percent, shown_share
from quizgen.render.debrief_item import criteria, has_options, solution, told
from quizgen.render.html import Html, environment
from quizgen.render.page import page
from quizgen.render.remarks import remark
from quizgen.source import printable, shown_points

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
    """A line of the overview. `kind` is the outcome in one word, for its colour."""

    number: str
    reached: bool
    kind: str
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

    number: str
    id: str
    facts: str
    stem: Markup
    given: Sequence[tuple[str, bool]]
    read_as: str
    say: Sequence[Markup]
    marks: Sequence[ShownMark]
    solution: Markup
    source: str
    scratch: str


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure at the top of the page, and what it is."""

    figure: str
    text: str


@dataclass(frozen=True, slots=True)
class Shown:
    """The page as its template wants it."""

    title: str
    tiles: Sequence[Tile]
    advice: Markup
    scale: Chart | None
    seed: str
    weak: Sequence[str]
    sure: Sequence[Result]  # confident and wrong
    unsure: Sequence[Result]  # unsure and right
    rushed: Sequence[Result]
    redo: Sequence[Result]
    left: Sequence[Result]
    nothing_missed: str
    charts: Sequence[Chart]
    overview: Sequence[ShownRow]
    items: Sequence[ShownItem]


def debrief_page(debrief: Debrief, root: str = "") -> str:
    """The page. `root` is the bank's folder, for its images."""
    html = Html(root)
    shown = Shown(
        title=printable(debrief.title),
        tiles=[Tile(t.figure, t.text.replace(" %", "\u00a0%")) for t in _tiles(debrief)],
        advice=html.inline(inline(printable(debrief.band.advice))) if debrief.band is not None else Markup(),
        scale=_scale(debrief),
        seed=printable(debrief.seed),
        weak=[printable(f"{t.topic} ({percent(t.share)})") for t in debrief.weak],
        sure=debrief.confident_and_wrong,
        unsure=debrief.unsure_and_right,
        rushed=debrief.rushed,
        redo=[r for r in debrief.redo if r.tried],
        left=debrief.left,
        nothing_missed=debrief.nothing_missed,
        charts=_charts(debrief),
        overview=[_row(r) for r in debrief.results],
        items=[_item(r, html) for r in debrief.results if r.reached],
    )
    frame = page(STYLES, (), classes="debrief-page")
    return environment().get_template("debrief.html").render(page=frame, shown=shown)


def _tiles(debrief: Debrief) -> list[Tile]:
    points = f"{shown_points(debrief.earned)} of {shown_points(debrief.possible)} points"
    if debrief.passed is not None:
        points += f", {'passed' if debrief.passed else 'not passed'} (pass mark {percent(debrief.pass_share or ZERO)})"
    tiles = [Tile(shown_share(debrief), points)]
    if debrief.band is not None:
        tiles.append(Tile(printable(debrief.band.name), "band"))
    away = f"; away for {_clock(debrief.away)}, not counted" if debrief.away >= 1 else ""
    time = f"of {_clock(debrief.budget)}{away}" if debrief.timed else f"untimed{away}"
    tiles.append(Tile(_clock(debrief.spent), f"{time}. {ending(debrief)}"))
    found = debrief.calibration
    if found is not None:
        claim = f"claimed {percent(found.claimed)}, earned {percent(found.earned)} of {found.count}"
        tiles.append(Tile(found.tendency, f"{claim} item{'s' * (found.count != 1)}"))
    return tiles


def _scale(debrief: Debrief) -> Chart | None:
    if not debrief.bands:
        return None
    bands = sorted((float(b.start), printable(b.name)) for b in debrief.bands)
    passed_from = None if debrief.pass_share is None else float(debrief.pass_share)
    return charts.scale("On the scale of bands", float(debrief.share), shown_share(debrief), bands, passed_from)


def _charts(debrief: Debrief) -> list[Chart]:
    made = []
    topics = sorted(debrief.topics, key=lambda t: (t.share, t.topic))
    if topics:
        rows = [
            (t.topic, float(t.share), f"{percent(t.share)} ({shown_points(t.earned)}/{shown_points(t.possible)})")
            for t in topics
        ]
        made.append(charts.shares("Points by topic, the weakest first", rows))
    if len(debrief.kinds) > 1:
        kinds = [
            (k.topic, float(k.share), f"{percent(k.share)} ({shown_points(k.earned)}/{shown_points(k.possible)})")
            for k in debrief.kinds
        ]
        made.append(charts.shares("Points by kind of item", kinds))
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
        r.reached,
        r.score.outcome.value if r.reached else "unreached",
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
        r.disputed,
        f"{_clock(r.place.seconds)} of {_clock(r.budget)}",
        f"{r.place.paid} hint{'s' * (r.place.paid != 1)}" if r.place.paid else "",
        f"confidence {r.place.confidence}" if r.place.confidence is not None else "",
        "after a probe" if r.place.probed else "",
    ]
    read_as = r.score.read_as or ""
    return ShownItem(
        number=r.number,
        id=r.id,
        facts=" · ".join(f for f in facts if f),
        stem=html.blocks(variant.prompt()[:-1]),
        given=_option(r, html) if has_options(r.place) else pieces(r.given, r),
        read_as=printable(read_as) if read_as != r.given and isinstance(r.place.response, str) else "",
        say=[html.inline(remark(printable(t), has_options(r.place))) for t in told(r.place, r.score)],
        marks=[
            ShownMark(
                c.sign,
                printable(c.mark.criterion),
                c.points,
                printable(c.asks),
                printable(c.mark.because) + (f" (You claim: {c.claim}.)" if c.claim else ""),
            )
            for c in criteria(r.place, r.score)
        ],
        solution=html.blocks(solution(r.place)),
        source=printable(variant.item.source),
        scratch=printable(r.place.scratch.strip()),
    )


def _option(r: Result, html: Html) -> list[tuple[str, bool]]:
    """The option or options that were taken, as they were shown."""
    response = r.place.response or ()
    taken = [response] if isinstance(response, str) else list(response)
    return [(Markup("; ").join(html.inline(inline(printable(t))) for t in taken), False)] if taken else []


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
