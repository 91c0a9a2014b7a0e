"""The debrief as one HTML page, with charts of the score, the topics and the pace.

Also the mistakes sheet: one printable page with errors made with confidence, named mistakes, and omitted criteria."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from quizgen.model import Outcome
from quizgen.render.coach_text import date_text_of_ordinal
from quizgen.render.debrief import Debrief, ItemResult, share_as_percent_text, split_by_evidence
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.source.problems import printable, shorten

CHART_WIDTH_PIXELS = 640
DEBRIEF_STYLE_FILES = ("css/shared.css", "css/debrief.css")
LETTER_WIDTH_PIXELS = 7  # approximate width of a letter in pixels


def score_scale_chart_values(
    share: float, score_text: str, bands: Sequence[tuple[float, str]], pass_share: float | None
) -> dict[str, Any]:
    """The values of a chart that places `share` (`score_text` as text) among `bands`, each (start, name), the lowest
    first. A tick marks the pass mark `pass_share`. `below` has (left in pixels, row, text) of each label."""
    text_by_x = {_chart_x_pixels(start): f"{round(start * 100)} %" for start, _ in bands}
    pass_x = None if pass_share is None else _chart_x_pixels(pass_share)
    if pass_share is not None and pass_x is not None:
        text_by_x[pass_x] = f"{round(pass_share * 100)} %, pass"
    scale_labels = []
    row_ends: list[float] = []  # each label is in the first row in which it does not touch the label before it
    for x, text in sorted(text_by_x.items()):
        width = len(text) * LETTER_WIDTH_PIXELS
        left = min(x, CHART_WIDTH_PIXELS + 20 - width)
        row = next((n for n, end in enumerate(row_ends) if end + LETTER_WIDTH_PIXELS <= left), len(row_ends))
        row_ends[row : row + 1] = [left + width]
        scale_labels.append((left, row, text))
    ends = [*(start for start, _ in bands[1:]), 1.0]
    return {
        "shown": score_text,
        "at": _chart_x_pixels(share),
        "passed": pass_x,
        "height": 82 + 16 * max(len(row_ends) - 1, 0),
        "bands": [
            {"name": name, "start": start, "left": _chart_x_pixels(start), "right": _chart_x_pixels(end)}
            | {"reached": start <= share and (share < end or n == len(bands))}
            for n, ((start, name), end) in enumerate(zip(bands, ends, strict=True), 1)
        ],
        "below": scale_labels,
    }


def _chart_x_pixels(share: float) -> float:
    return round(CHART_WIDTH_PIXELS * min(max(share, 0), 1), 1)


def debrief_page_html(debrief: Debrief, bank_folder: str = "") -> str:
    """The debrief as one HTML page. `bank_folder` is the bank's folder, for images."""
    bands = sorted((float(b.min_share), printable(b.name)) for b in debrief.form.score_bands)
    pass_share = None if debrief.form.pass_share is None else float(debrief.form.pass_share)
    template = jinja_environment().get_template("debrief.html")
    return template.render(
        page=page_template_values(DEBRIEF_STYLE_FILES, (), css_classes="debrief-page"),
        debrief=debrief,
        bands=bands and score_scale_chart_values(float(debrief.points_share), debrief.percent_text, bands, pass_share),
        # Rows of a chart: (name, share, text at the end).
        rows=lambda groups: [(g.name, float(g.points_share), g.share_and_points_text) for g in groups],
        levels=[(n, float(claimed), float(earned)) for n, claimed, earned in debrief.count_claim_earned_per_confidence],
        reached=debrief.reached_results,
        html=HtmlWriter(bank_folder),
        percent=share_as_percent_text,
        given=_response_pieces_with_evidence_flag,
    )


def _response_pieces_with_evidence_flag(result: ItemResult, html_writer: HtmlWriter) -> list[tuple[str, bool]]:
    """The response in pieces, each with whether it is evidence; chosen options look as they did in the item."""
    if not result.response_text.strip():
        return []
    if not result.is_answered_by_options:
        return split_by_evidence(result.response_text, result.score.marks)
    response = result.state.response or ()
    chosen_texts = [response] if isinstance(response, str) else response
    return [(Markup("; ").join(html_writer.markdown_line_to_html(t) for t in chosen_texts), False)]


MAX_SURE_MISTAKES, MAX_NAMED_MISTAKES, MAX_OTHER_MISTAKES = 8, 6, 6  # entries of each list: the page stays one sheet
MAX_LISTED_OMITTED_CRITERIA = 12


@dataclass(frozen=True, slots=True)
class PastResponse(ItemResult):
    """A past response: the item as it was drawn, the response, its score and its day."""

    ordinal_day: int = 0

    @property
    def has_lost_points_besides_hints(self) -> bool:
        """Whether the response lost points by what it says; a hint's cost is no mistake."""
        hints = sum(mark.earned for mark in self.score.marks if mark.criterion_id == "hints")
        return self.score.outcome is not Outcome.BLANK and self.score.earned - hints < self.score.possible


def mistakes_page_html(
    title: str,
    responses: Sequence[PastResponse],
    session_count: int,
    today: int,
    interview_day: int,
    past_estimates: Sequence[tuple[int, float, float, float]],
    bank_folder: str = "",
) -> str:
    """The page. `interview_day` is the day of the interview, or today without one; `past_estimates` has (day, lowest
    and highest readiness for the interview, share known at first sight) as estimated on earlier evenings; `bank_folder`
    is the bank's folder, for images."""
    last = {r.state.item.id: r for r in responses}.values()  # the last response to each item
    mistakes = sorted((r for r in last if r.has_lost_points_besides_hints), key=lambda r: -r.ordinal_day)
    sure_mistakes = [r for r in mistakes if r.was_sure_below_half_points]
    slips = [r for r in mistakes if r.score.mistake_id]
    # What a text left out has a list of its own.
    other_mistakes = [r for r in mistakes if r not in sure_mistakes + slips and r.state.item.kind != "text"]
    template = jinja_environment().get_template("mistakes.html")
    return template.render(
        page=page_template_values(DEBRIEF_STYLE_FILES, (), css_classes="debrief-page"),
        title=title,
        sessions=f"{session_count} session{'s' * (session_count != 1)}",
        day=date_text_of_ordinal(today),
        to=interview_day,
        past=[(date_text_of_ordinal(day)[:10], *shares) for day, *shares in past_estimates],
        sure=[(r, f"confidence {r.state.confidence}") for r in sure_mistakes[:MAX_SURE_MISTAKES]],
        worked=sure_mistakes[:MAX_SURE_MISTAKES],
        slips=[(r, r.score.mistake_id) for r in slips[:MAX_NAMED_MISTAKES]],
        others=other_mistakes[:MAX_OTHER_MISTAKES],
        left=_item_criterion_omitted_times_rows(responses),
        html=HtmlWriter(bank_folder),
        shown_day=date_text_of_ordinal,
        given=_response_and_reason_text,
    )


def _response_and_reason_text(response: PastResponse) -> str:
    reason = " ".join(response.score.remarks) if response.score.mistake_id else ""
    return f"{shorten(' '.join(response.response_text.split()), 300)}{'. ' * bool(reason)}{reason}"


def _item_criterion_omitted_times_rows(responses: Sequence[PastResponse]) -> list[tuple[str, str, int, int]]:
    """Criteria as (item, criterion, omitted, times), most often omitted first: `omitted` of `times` responses that were
    not blank."""
    omissions: defaultdict[tuple[str, str, str], list[bool]] = defaultdict(list)  # by item, criterion and its text
    for r in responses:
        for row in r.criterion_rows if r.score.outcome is not Outcome.BLANK else ():
            if row.criterion_text:
                is_omitted = row.mark.earned * 2 < row.mark.possible
                omissions[r.state.item.id, row.mark.criterion_id, row.criterion_text].append(is_omitted)
    counts = [(key, sum(omitted), len(omitted)) for key, omitted in omissions.items() if any(omitted)]
    counts.sort(key=lambda count: (-count[1], -count[1] / count[2], count[0]))
    return [(item_id, text, omitted, n) for (item_id, _, text), omitted, n in counts[:MAX_LISTED_OMITTED_CRITERIA]]
