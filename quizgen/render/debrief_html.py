"""The debrief as one self-contained page with charts: no script, no address, nothing to load."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from markupsafe import Markup

from quizgen.markdown import inline
from quizgen.model import ZERO
from quizgen.render.charts import scale
from quizgen.render.debrief import CLAIMED, Debrief, Result, TopicResult, ending, outcome_word, percent, shown_share
from quizgen.render.debrief_item import criteria, has_options, solution, told
from quizgen.render.html import Html, environment
from quizgen.render.page import page
from quizgen.render.remarks import cut, remark
from quizgen.source import printable, shown_points

STYLES = ("css/shared.css", "css/debrief.css")


def debrief_page(debrief: Debrief, root: str = "") -> str:
    """The page. `root` is the bank's folder, for its images."""
    reached = [r for r in debrief.results if r.reached]
    levels = [
        (len(having), float(claimed), float(sum((r.share for r in having), ZERO) / len(having)))
        for level, claimed in CLAIMED.items()
        if (having := [r for r in reached if r.place.confidence == level and r.place.done])
    ]
    return (
        environment()
        .get_template("debrief.html")
        .render(
            page=page(STYLES, (), classes="debrief-page"),
            debrief=debrief,
            share=shown_share(debrief),
            ending=ending(debrief),
            bands=_bands(debrief),
            rows=_rows,
            levels=levels,
            reached=reached,
            redo=[r for r in debrief.redo if r.tried],
            html=Html(root),
            inline=lambda text: inline(printable(text)),
            outcome=outcome_word,
            percent=percent,
            given=_given,
            told=_told,
            criteria=lambda r: criteria(r.place, r.score),
            solution=lambda r: solution(r.place),
        )
    )


def _bands(debrief: Debrief) -> dict[str, Any] | None:
    if not debrief.bands:
        return None
    bands = sorted((float(b.start), printable(b.name)) for b in debrief.bands)
    passed_from = None if debrief.pass_share is None else float(debrief.pass_share)
    return scale(float(debrief.share), shown_share(debrief), bands, passed_from)


def _rows(groups: Iterable[TopicResult]) -> list[tuple[str, float, str]]:
    """For a chart: name, share, and what stands at the end."""
    return [
        (g.topic, float(g.share), f"{percent(g.share)} ({shown_points(g.earned)}/{shown_points(g.possible)})")
        for g in groups
    ]


def _told(r: Result, html: Html) -> list[Markup]:
    return [html.inline(remark(printable(text), has_options(r.place))) for text in told(r.place, r.score)]


def _given(r: Result, html: Html) -> list[tuple[str, bool]]:
    """The response in pieces, each with whether it is evidence; of options, those taken, as they were shown."""
    if not r.given.strip():
        return []
    if not has_options(r.place):
        return cut(r.given, r.score.marks)
    response = r.place.response or ()
    taken = [response] if isinstance(response, str) else list(response)
    return [(Markup("; ").join(html.inline(inline(printable(t))) for t in taken), False)]
