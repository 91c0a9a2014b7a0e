"""The debrief as one self-contained page with charts: no script, no address, nothing to load."""

from __future__ import annotations

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
from quizgen.source import clock, printable, shown_points

STYLES = ("css/shared.css", "css/debrief.css")


def debrief_page(debrief: Debrief, root: str = "") -> str:
    """The page. `root` is the bank's folder, for its images."""
    return (
        environment()
        .get_template("debrief.html")
        .render(
            page=page(STYLES, (), classes="debrief-page"),
            debrief=debrief,
            tiles=_tiles(debrief),
            scale=_scale(debrief),
            charts=_charts(debrief),
            redo=[r for r in debrief.redo if r.tried],
            html=Html(root),
            inline=lambda text: inline(printable(text)),
            outcome=outcome_word,
            percent=percent,
            facts=_facts,
            given=_given,
            told=_told,
            criteria=lambda r: criteria(r.place, r.score),
            solution=lambda r: solution(r.place),
        )
    )


def _tiles(debrief: Debrief) -> list[tuple[str, str]]:
    """Figures for the top of the page, and what each is."""
    points = f"{shown_points(debrief.earned)} of {shown_points(debrief.possible)} points"
    if debrief.passed is not None:
        points += f", {'passed' if debrief.passed else 'not passed'} (pass mark {percent(debrief.pass_share or ZERO)})"
    tiles = [(shown_share(debrief), points)]
    if debrief.band is not None:
        tiles.append((debrief.band.name, "band"))
    away = f"; away for {clock(debrief.away)}, not counted" if debrief.away >= 1 else ""
    time = f"of {clock(debrief.budget)}{away}" if debrief.timed else f"untimed{away}"
    tiles.append((clock(debrief.spent), f"{time}. {ending(debrief)}"))
    found = debrief.calibration
    if found is not None:
        claim = f"claimed {percent(found.claimed)}, earned {percent(found.earned)} of {found.count}"
        tiles.append((found.tendency, f"{claim} item{'s' * (found.count != 1)}"))
    return [(figure, text.replace(" %", "\u00a0%")) for figure, text in tiles]


def _scale(debrief: Debrief) -> Chart | None:
    if not debrief.bands:
        return None
    bands = sorted((float(b.start), printable(b.name)) for b in debrief.bands)
    passed_from = None if debrief.pass_share is None else float(debrief.pass_share)
    return charts.scale("On the scale of bands", float(debrief.share), shown_share(debrief), bands, passed_from)


def _charts(debrief: Debrief) -> list[Chart]:
    made = []
    for title, groups in (
        ("Points by topic, the weakest first", sorted(debrief.topics, key=lambda t: (t.share, t.topic))),
        ("Points by kind of item", debrief.kinds if len(debrief.kinds) > 1 else ()),
    ):
        rows = [
            (g.topic, float(g.share), f"{percent(g.share)} ({shown_points(g.earned)}/{shown_points(g.possible)})")
            for g in groups
        ]
        if rows:
            made.append(charts.shares(title, rows))
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


def _facts(r: Result) -> str:
    facts = [
        outcome_word(r),
        f"{shown_points(r.score.earned)} of {shown_points(r.possible)} points",
        r.disputed,
        f"{clock(r.place.seconds)} of {clock(r.budget)}",
        f"{r.place.paid} hint{'s' * (r.place.paid != 1)}" if r.place.paid else "",
        f"confidence {r.place.confidence}" if r.place.confidence is not None else "",
        "after a probe" if r.place.probed else "",
    ]
    return " · ".join(f for f in facts if f)


def _told(r: Result, html: Html) -> list[Markup]:
    return [html.inline(remark(printable(text), has_options(r.place))) for text in told(r.place, r.score)]


def _given(r: Result, html: Html) -> list[tuple[str, bool]]:
    """The response in pieces, each with whether it is evidence; of options, those taken, as they were shown."""
    if not has_options(r.place):
        return pieces(r.given, r)
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
