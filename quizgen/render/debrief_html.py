"""The debrief as one HTML page, with charts of the score, the topics and the pace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from quizgen.markdown import markdown_inline
from quizgen.model import ZERO
from quizgen.render.debrief import (
    CONFIDENCE_SHARES,
    Debrief,
    ItemResult,
    criterion_rows,
    ending_text,
    evidence_pieces,
    has_options,
    other_remarks,
    outcome_word,
    percent_text,
    points_ratio,
    remark_pieces,
    share_text,
    solution_blocks,
)
from quizgen.render.html import HtmlWriter, jinja_environment, page_values
from quizgen.source.problems import printable

CHART_WIDTH_PIXELS = 640
STYLE_FILES = ("css/shared.css", "css/debrief.css")
LETTER_PIXELS = 7  # approximate width of a letter in pixels


def score_scale_values(
    share: float, score_text: str, bands: Sequence[tuple[float, str]], passed_from: float | None
) -> dict[str, Any]:
    """The values of a chart that places `share` (`score_text` as text) among `bands`, each (start, name), the lowest
    first. A tick marks the pass mark `passed_from`. `below` has (left in pixels, row, text) of each label."""
    ends = [*(start for start, _ in bands[1:]), 1.0]
    passed = None if passed_from is None else _chart_pixels(passed_from)
    below = [
        (_chart_pixels(start), f"{round(start * 100)} %{', pass' * (_chart_pixels(start) == passed)}")
        for start, _ in bands
    ]
    if passed_from is not None and passed is not None and all(left != passed for left, _ in below):
        below.append((passed, f"{round(passed_from * 100)} %, pass"))
    labels = sorted((min(left, CHART_WIDTH_PIXELS + 20 - len(text) * LETTER_PIXELS), text) for left, text in below)
    rows = _label_rows(labels)
    return {
        "shown": score_text,
        "at": _chart_pixels(share),
        "passed": passed,
        "height": 82 + 16 * max(rows, default=0),
        "bands": [
            {
                "name": name,
                "start": start,
                "left": _chart_pixels(start),
                "right": _chart_pixels(end),
                "reached": start <= share and (share < end or n == len(bands)),
            }
            for n, ((start, name), end) in enumerate(zip(bands, ends, strict=True), 1)
        ],
        "below": [(left, row, text) for (left, text), row in zip(labels, rows, strict=True)],
    }


def _chart_pixels(part: float) -> float:
    return round(CHART_WIDTH_PIXELS * min(max(part, 0), 1), 1)


def _label_rows(labels: Sequence[tuple[float, str]]) -> list[int]:
    """The row of each label, from left to right: the first row in which it does not touch the label before it."""
    ends: list[float] = []
    rows = []
    for left, text in labels:
        row = next((n for n, end in enumerate(ends) if end + LETTER_PIXELS <= left), len(ends))
        ends[row:] = [left + len(text) * LETTER_PIXELS, *ends[row + 1 :]]
        rows.append(row)
    return rows


def debrief_page(debrief: Debrief, root: str = "") -> str:
    """The debrief as one HTML page. `root` is the bank's folder, for images."""
    reached = [r for r in debrief.results if r.is_reached]
    levels = [
        (len(having), float(claimed), float(sum((r.share for r in having), ZERO) / len(having)))
        for level, claimed in CONFIDENCE_SHARES.items()
        if (having := [r for r in reached if r.state.confidence == level and r.state.is_done])
    ]
    bands = sorted((float(b.start), printable(b.name)) for b in debrief.form.bands)
    passed_from = None if debrief.form.pass_share is None else float(debrief.form.pass_share)
    template = jinja_environment().get_template("debrief.html")
    return template.render(
        page=page_values(STYLE_FILES, (), classes="debrief-page"),
        debrief=debrief,
        share=share_text(debrief),
        ending=ending_text(debrief),
        bands=bands and score_scale_values(float(debrief.share), share_text(debrief), bands, passed_from),
        # Rows of a chart: (name, share, text at the end).
        rows=lambda groups: [
            (g.topic, float(g.share), f"{percent_text(g.share)} ({points_ratio(g.earned, g.possible)})") for g in groups
        ],
        levels=levels,
        reached=reached,
        html=HtmlWriter(root),
        inline=lambda text: markdown_inline(printable(text)),
        outcome=outcome_word,
        percent=percent_text,
        given=_response_pieces,
        remarks=lambda r, html: [
            html.inline(remark_pieces(printable(text), has_options(r.state)))
            for text in other_remarks(r.state, r.score)
        ],
        criteria=lambda r: criterion_rows(r.state, r.score),
        solution=lambda r: solution_blocks(r.state),
    )


def _response_pieces(result: ItemResult, html: HtmlWriter) -> list[tuple[str, bool]]:
    """The response in pieces, each with whether it is evidence; chosen options look as they did in the item."""
    if not result.response_text.strip():
        return []
    if not has_options(result.state):
        return evidence_pieces(result.response_text, result.score.marks)
    response = result.state.response or ()
    taken = [response] if isinstance(response, str) else list(response)
    return [(Markup("; ").join(html.inline(markdown_inline(printable(t))) for t in taken), False)]
