"""The debrief as one HTML page, with charts of the score, the topics and the pace."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from quizgen.render.debrief import Debrief, ItemResult, points_ratio_text, share_as_percent_text, split_by_evidence
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.source.problems import printable

CHART_WIDTH_PIXELS = 640
DEBRIEF_STYLE_FILES = ("css/shared.css", "css/debrief.css")
LETTER_WIDTH_PIXELS = 7  # approximate width of a letter in pixels


def score_scale_chart_values(
    share: float, score_text: str, bands: Sequence[tuple[float, str]], pass_share: float | None
) -> dict[str, Any]:
    """The values of a chart that places `share` (`score_text` as text) among `bands`, each (start, name), the lowest
    first. A tick marks the pass mark `pass_share`. `below` has (left in pixels, row, text) of each label."""
    text_by_x = {_chart_x_pixels(start): f"{round(start * 100)} %" for start, _ in bands}
    passed = None if pass_share is None else _chart_x_pixels(pass_share)
    if pass_share is not None and passed is not None:
        text_by_x[passed] = f"{round(pass_share * 100)} %, pass"
    below = []
    row_ends: list[float] = []  # each label is in the first row in which it does not touch the label before it
    for x, text in sorted(text_by_x.items()):
        width = len(text) * LETTER_WIDTH_PIXELS
        left = min(x, CHART_WIDTH_PIXELS + 20 - width)
        row = next((n for n, end in enumerate(row_ends) if end + LETTER_WIDTH_PIXELS <= left), len(row_ends))
        row_ends[row : row + 1] = [left + width]
        below.append((left, row, text))
    ends = [*(start for start, _ in bands[1:]), 1.0]
    return {
        "shown": score_text,
        "at": _chart_x_pixels(share),
        "passed": passed,
        "height": 82 + 16 * max(len(row_ends) - 1, 0),
        "bands": [
            {"name": name, "start": start, "left": _chart_x_pixels(start), "right": _chart_x_pixels(end)}
            | {"reached": start <= share and (share < end or n == len(bands))}
            for n, ((start, name), end) in enumerate(zip(bands, ends, strict=True), 1)
        ],
        "below": below,
    }


def _chart_x_pixels(share: float) -> float:
    return round(CHART_WIDTH_PIXELS * min(max(share, 0), 1), 1)


def debrief_page(debrief: Debrief, bank_folder: str = "") -> str:
    """The debrief as one HTML page. `bank_folder` is the bank's folder, for images."""
    bands = sorted((float(b.min_share), printable(b.name)) for b in debrief.form.bands)
    passed_from = None if debrief.form.pass_share is None else float(debrief.form.pass_share)
    template = jinja_environment().get_template("debrief.html")
    return template.render(
        page=page_template_values(DEBRIEF_STYLE_FILES, (), css_classes="debrief-page"),
        debrief=debrief,
        bands=bands and score_scale_chart_values(float(debrief.share), debrief.share_text, bands, passed_from),
        # Rows of a chart: (name, share, text at the end).
        rows=lambda groups: [
            (g.topic, float(g.share), f"{round(g.share * 100)} % ({points_ratio_text(g.earned, g.possible)})")
            for g in groups
        ],
        levels=[(count, float(claimed), float(earned)) for count, claimed, earned in debrief.confidence_levels],
        reached=debrief.reached_items,
        html=HtmlWriter(bank_folder),
        percent=share_as_percent_text,
        given=_response_with_evidence,
    )


def _response_with_evidence(result: ItemResult, html_writer: HtmlWriter) -> list[tuple[str, bool]]:
    """The response in pieces, each with whether it is evidence; chosen options look as they did in the item."""
    if not result.response_text.strip():
        return []
    if not result.is_answered_by_options:
        return split_by_evidence(result.response_text, result.score.marks)
    response = result.state.response or ()
    taken = [response] if isinstance(response, str) else response
    return [(Markup("; ").join(html_writer.markdown_line(t) for t in taken), False)]
