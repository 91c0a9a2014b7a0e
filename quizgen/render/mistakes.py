"""The mistakes sheet: one printable page with errors made with confidence, named mistakes, and omitted criteria."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from quizgen.model import Outcome, response_text
from quizgen.render.coach_text import date_text
from quizgen.render.debrief import ItemResult
from quizgen.render.debrief_html import DEBRIEF_STYLE_FILES
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.source.problems import shorten

MAX_SURE, MAX_SLIPS, MAX_OTHERS, MAX_OMITTED = 8, 6, 6, 12  # entries of each list: the page stays one sheet


@dataclass(frozen=True, slots=True)
class PastResponse(ItemResult):
    """A past response: the item as it was drawn, the response, its score and its day."""

    day: int = 0

    @property
    def was_sure_and_wrong(self) -> bool:
        return (self.state.confidence or 0) >= 4 and self.score.earned * 2 < self.score.possible

    @property
    def lost_points(self) -> bool:
        """Whether the response lost points by what it says; a hint's cost is no mistake."""
        hints = sum(mark.earned for mark in self.score.marks if mark.criterion == "hints")
        return self.score.outcome is not Outcome.BLANK and self.score.earned - hints < self.score.possible


def mistakes_page(
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
    last = {r.id: r for r in responses}.values()  # the last response to each item
    missed = sorted((r for r in last if r.lost_points), key=lambda r: -r.day)
    sure = [r for r in missed if r.was_sure_and_wrong]
    slips = [r for r in missed if r.score.mistake_id]
    # What a text left out has a list of its own.
    others = [r for r in missed if r not in sure + slips and r.state.item.kind != "text"]
    template = jinja_environment().get_template("mistakes.html")
    return template.render(
        page=page_template_values(DEBRIEF_STYLE_FILES, (), css_classes="debrief-page"),
        title=title,
        sessions=f"{session_count} session{'s' * (session_count != 1)}",
        day=date_text(today),
        to=interview_day,
        past=[(date_text(day)[:10], *shares) for day, *shares in past_estimates],
        sure=[(r, f"confidence {r.state.confidence}") for r in sure[:MAX_SURE]],
        worked=sure[:MAX_SURE],
        slips=[(r, r.score.mistake_id) for r in slips[:MAX_SLIPS]],
        others=others[:MAX_OTHERS],
        left=_most_omitted_criteria(responses),
        html=HtmlWriter(bank_folder),
        shown_day=date_text,
        given=_response_and_reason_text,
    )


def _response_and_reason_text(response: PastResponse) -> str:
    reason = " ".join(response.score.remarks) if response.score.mistake_id else ""
    return f"{shorten(' '.join(response_text(response.state.response).split()), 300)}{'. ' * bool(reason)}{reason}"


def _most_omitted_criteria(responses: Sequence[PastResponse]) -> list[tuple[str, str, int, int]]:
    """Criteria as (item, criterion, omitted, times), most often omitted first: `omitted` of `times` responses that were
    not blank."""
    omissions: defaultdict[tuple[str, str, str], list[bool]] = defaultdict(list)  # by item, criterion and its text
    for r in responses:
        for row in r.criterion_rows if r.score.outcome is not Outcome.BLANK else ():
            if row.criterion_text:
                is_omitted = row.mark.earned * 2 < row.mark.possible
                omissions[r.id, row.mark.criterion, row.criterion_text].append(is_omitted)
    counts = [(named, sum(omitted), len(omitted)) for named, omitted in omissions.items() if any(omitted)]
    counts.sort(key=lambda count: (-count[1], -count[1] / count[2], count[0]))
    return [(item_id, text, omitted, times) for (item_id, _, text), omitted, times in counts[:MAX_OMITTED]]
