"""A feedback page for each candidate of an exam: score, band, and each item with reason, evidence and worked steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from quizgen.analysis.report import CandidateResult, Report
from quizgen.markdown import markdown_inline_pieces
from quizgen.model import Variant
from quizgen.page import MarkingScheme
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.render.report_html import response_html
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import printable

MIN_CANDIDATES_FOR_STANDARD_ERROR = 30  # candidates from which the error of measurement is reliable


FindPrintedItem = Callable[[str | None, str], tuple[int, Variant] | None]  # (session, item id) -> (number, variant)


def candidate_feedback_pages(
    report: Report, bank_folder: str, find_printed_item: FindPrintedItem
) -> Iterator[tuple[str, str]]:
    """Yields (file name, page) for each candidate."""
    html = HtmlWriter(bank_folder)
    frame = page_template_values(("css/shared.css", "css/report.css"), ())
    template = jinja_environment().get_template("feedback.html")
    width = max(3, len(str(len(report.attendance))))
    places = {who: n for n, who in enumerate(report.attendance, 1)}
    rostered = any(row.roster_entry for row in report.attendance.values())
    scores = report.statistics.score_figures
    advice = {band.name: band.advice for band in reversed(report.bands)}
    for person in report.read_candidates():
        row, grade = report.attendance.get(person.label), report.candidate_grade(person)
        if row is None or grade is None:
            continue
        page = template.render(
            page=frame,
            title=report.title,
            who=row.label,
            form=row.form_code,
            held=row.status == "held",
            grade=grade,
            pass_share=None if report.pass_share is None else float(report.pass_share),
            error=None if scores.sem.value is None else float(person.possible) * scores.sem.value,
            few=scores.candidate_count < MIN_CANDIDATES_FOR_STANDARD_ERROR,
            enough=MIN_CANDIDATES_FOR_STANDARD_ERROR,
            advice=html.inline(markdown_inline_pieces(printable(advice.get(grade.band_name, "")))),
            facts=tuple(row.fact_sentences()),
            entries=sorted(_printed_responses(person, find_printed_item), key=lambda entry: entry[0]),
            not_reached=person.not_reached_items,
            response=response_html,
            worked=lambda variant: tuple(b for b in variant.solution() if not isinstance(b, MarkingScheme)),
            html=html,
        )
        listed = "not-listed-" if rostered and row.roster_entry is None else ""
        number = row.roster_entry.number if row.roster_entry else places[person.label]
        yield f"feedback-{listed}{number:0{width}}.html", page


def _printed_responses(
    person: CandidateResult, find_printed_item: FindPrintedItem
) -> Iterator[tuple[int, Variant, ScoredResponse]]:
    """Yields (number, variant, response) of each of the person's responses that has a place on the form."""
    for response in person.responses:
        if (place := find_printed_item(response.session, response.item_id)) is not None:
            yield *place, response
