"""The debrief as one HTML page, with charts of the topics and the pace."""

from __future__ import annotations

from markupsafe import Markup

from quizgen.markdown import markdown_inline_pieces
from quizgen.model import ZERO
from quizgen.render.debrief import (
    CLAIMED_SHARE_BY_CONFIDENCE,
    Debrief,
    ItemResult,
    criterion_rows,
    is_answered_by_options,
    outcome_word,
    points_ratio_text,
    points_share_text,
    remark_inlines,
    remarks_besides_criteria,
    session_ending_text,
    share_as_percent_text,
    solution_with_choice_marked,
    split_by_evidence,
)
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.source.problems import printable

DEBRIEF_STYLE_FILES = ("css/shared.css", "css/debrief.css")


def debrief_page(debrief: Debrief, bank_folder: str = "") -> str:
    """The debrief as one HTML page. `bank_folder` is the bank's folder, for images."""
    reached = debrief.reached_items
    levels = [
        (len(shares), float(claimed), float(sum(shares, ZERO) / len(shares)))
        for level, claimed in CLAIMED_SHARE_BY_CONFIDENCE.items()
        if (shares := [r.share for r in reached if r.state.confidence == level and r.state.is_done])
    ]
    return (
        jinja_environment()
        .get_template("debrief.html")
        .render(
            page=page_template_values(DEBRIEF_STYLE_FILES, (), css_classes="debrief-page"),
            debrief=debrief,
            share=points_share_text(debrief),
            ending=session_ending_text(debrief),
            bands=sorted(debrief.form.bands, key=lambda band: band.start),
            # Rows of a chart: (name, share, text at the end).
            rows=lambda groups: [
                (
                    g.topic,
                    float(g.share),
                    f"{share_as_percent_text(g.share)} ({points_ratio_text(g.earned, g.possible)})",
                )
                for g in groups
            ],
            levels=levels,
            reached=reached,
            html=HtmlWriter(bank_folder),
            inline=lambda text: markdown_inline_pieces(printable(text)),
            outcome=outcome_word,
            percent=share_as_percent_text,
            given=_response_with_evidence,
            remarks=lambda r, html: [
                html.inline(remark_inlines(printable(text), is_answered_by_options(r.state)))
                for text in remarks_besides_criteria(r.state, r.score)
            ],
            criteria=lambda r: criterion_rows(r.state, r.score),
            solution=lambda r: solution_with_choice_marked(r.state),
        )
    )


def _response_with_evidence(result: ItemResult, html_writer: HtmlWriter) -> list[tuple[str, bool]]:
    """The response in pieces, each with whether it is evidence; chosen options look as they did in the item."""
    if not result.response_text.strip():
        return []
    if not is_answered_by_options(result.state):
        return split_by_evidence(result.response_text, result.score.marks)
    response = result.state.response or ()
    taken = [response] if isinstance(response, str) else response
    return [(Markup("; ").join(html_writer.inline(markdown_inline_pieces(printable(t))) for t in taken), False)]
