"""A report as one self-contained page (charts as inline SVG, tables, a section for each candidate), a page on the
integrity of responses, and a feedback page for each candidate of an exam (score, band, and each item with reason,
evidence and worked steps)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count, islice
from zlib import crc32

from markupsafe import Markup, escape

from quizgen.analysis.estimates import MIN_RELIABLE_N, Estimate
from quizgen.analysis.integrity import ComparedResponse, academic_integrity_facts
from quizgen.analysis.item_statistics import ItemStatistics, read_definition_by_statistic_name
from quizgen.analysis.report import UNNAMED_CANDIDATE_LABEL, CandidateResult, Report, key_owner_or_none
from quizgen.inline import Image
from quizgen.markdown import markdown_inline_pieces
from quizgen.model import Mark, Variant, highest_reached_band
from quizgen.page import MarkingScheme
from quizgen.render.debrief import criterion_text_by_id, points_ratio_text, remark_inline_pieces, split_by_evidence
from quizgen.render.html import HtmlWriter, jinja_environment, page_template_values
from quizgen.render.report_csv import attendance_with_grades, form_statistics_text_lines
from quizgen.render.report_text import all_items_have_too_few_responses, attendance_count_pairs, worst_items_first
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import printable, shorten, up_to_2_decimals

POINTS_SHARE_BIN_COUNT = 20
MAX_HEAT_MAP_ROWS = 300  # candidates with a row of their own in the heat map
MAX_TIME_CHART_DOTS = 1_500
MAX_CANDIDATES_WITH_OWN_SECTION = 500  # candidates with a section of their own
MIN_CANDIDATES_FOR_STANDARD_ERROR = 30  # candidates from which the error of measurement is reliable
MAX_LISTED_RESPONSES_PER_ITEM = 20  # misconceptions and responses listed for an item
MAX_ROWS_PER_INTEGRITY_TABLE = 200  # rows of each table of the page on integrity


def chart_template_values(report: Report) -> dict[str, object]:
    """The values of the charts, from one pass over the candidates in bounded memory. The heat map has one row of shares
    by topic per candidate, the best first; if there are many candidates, one per score level."""
    bin_counts = [0] * POINTS_SHARE_BIN_COUNT
    people: list[tuple[float, str, Mapping[str, float]]] = []  # (share, name, shares by topic), if they are few
    topic_sums: dict[int, dict[str, list[float]]] = {}  # bin -> topic -> [sum of shares, n]
    dots: list[tuple[int, float, float]] = []  # (hash, share, seconds)
    shows_people = report.statistics.score_figures.candidate_count <= MAX_HEAT_MAP_ROWS and not report.omits_people
    for person in report.read_candidate_chart_data():
        bin_ = min(int(person.total_points_share * POINTS_SHARE_BIN_COUNT), POINTS_SHARE_BIN_COUNT - 1)
        bin_counts[bin_] += 1
        if shows_people:
            name = key_owner_or_none(person.candidate_key_utf8) or UNNAMED_CANDIDATE_LABEL
            name = report.id_or_name_with_roster_name(name)
            people.append((person.total_points_share, name, person.share_by_topic))
        for topic, value in person.share_by_topic.items():
            sums = topic_sums.setdefault(bin_, {}).setdefault(topic, [0.0, 0.0])
            sums[0] += value
            sums[1] += 1
        if person.total_seconds is not None:
            dots.append((crc32(person.candidate_key_utf8), person.total_points_share, person.total_seconds))
            if len(dots) >= 2 * MAX_TIME_CHART_DOTS:
                dots = sorted(dots)[:MAX_TIME_CHART_DOTS]
    levels = [
        (f"{5 * n} to {5 * n + 5} %", {topic: share / number for topic, (share, number) in topic_sums[n].items()})
        for n in sorted(topic_sums, reverse=True)
    ]
    best_first = [(name, shares) for _, name, shares in sorted(people, key=lambda row: (-row[0], row[1]))]
    # About four round numbers up to the largest count.
    largest_count = max(bin_counts) or 1
    step = next(step for power in count() for digit in (1, 2, 5) if largest_count <= 5 * (step := digit * 10**power))
    return {
        "bin_counts": bin_counts,
        "ticks": range(step, largest_count + 1, step),
        "heat_title": "Topics by candidate, the best first" if people else "Topics by score level",
        "heat_rows": best_first or levels,
        "time_dots": sorted(dots)[:MAX_TIME_CHART_DOTS],
    }


def candidate_table_cells(report: Report, person: CandidateResult) -> tuple[str, str, str, float | None, str, str]:
    """A candidate in the table of candidates: name, points, share as text, share, band, grade; empty if not known. The
    grade is after the deduction for lateness if the exam has one."""
    final_grade = report.grade_after_lateness_or_none(person)
    grade_band = highest_reached_band(person.earned / person.possible, report.grade_bands) if person.possible else None
    band = person.score_band.name if person.score_band else ""
    grade = final_grade.grade_name if final_grade is not None else grade_band.name if grade_band else ""
    if final_grade is not None and final_grade.final_points_unless_held is None:
        band = grade = "held"
    name = printable(report.id_or_name_with_roster_name(person.label))
    points = points_ratio_text(person.earned, person.possible, " of ")
    return name, points, points_share_text_of_candidate(person), person.points_share, band, grade


def candidate_section_html(report: Report, html: HtmlWriter, person: CandidateResult) -> Markup:
    """A candidate's section from the heading to the end tag: points, band, each response, and items not reached."""
    band, points = person.score_band, points_ratio_text(person.earned, person.possible, " of ")
    parts = [f"<h3>{escape(printable(report.id_or_name_with_roster_name(person.label)))}</h3>\n"]
    band_html = f" · {escape(band.name)}" if band else ""
    parts.append(f"<p><strong>{points}</strong> points, {points_share_text_of_candidate(person)}{band_html}</p>\n")
    if band and band.advice:
        parts.append(f"<p>{html.markdown_line_to_html(band.advice)}</p>")
    for response in person.responses:
        points = points_ratio_text(response.earned, response.possible, " of ")
        parts.append(
            f'<section class="response {response.outcome}">\n<h4><a href="#item-{response.item_id}">'
            f"{response.item_id}</a> <span>{response.outcome}, {points}</span></h4>\n{response_html(response, html)}"
        )
    if person.not_reached_item_ids:
        parts.append(f"<p>Not reached: {', '.join(person.not_reached_item_ids)}.</p>")
    return Markup("".join([*parts, "</article>"]))


def points_share_text_of_candidate(person: CandidateResult) -> str:
    error = "" if (standard_error := person.share_standard_error) is None else f" ± {standard_error:.1%}"
    return "–" if person.points_share is None else f"{person.points_share:.1%}{error}"


def response_html(response: ScoredResponse, html: HtmlWriter, variant: Variant | None = None) -> Markup:
    """A response up to the end tag of its section: its text with the evidence marked, how it was read, the marks, and
    remarks. With its `variant`, it is for the candidate: criteria have their texts in place of ids, and the id of a
    misconception is left out."""
    score = response.score
    hides_marks = response.outcome == "blank" or (response.outcome == "unreadable" and bool(score.remarks))
    marks = [] if hides_marks else [m for m in score.marks if m.status or m.earned]
    is_option = [m.criterion_id for m in score.marks][:1] == ["key"]  # in the words of the bank, and so Markdown
    text, read_as = "(on paper)" if response.is_not_yet_read_on_paper else response.response_text, score.read_as or ""
    read_as_html = html.markdown_line_to_html(read_as) if is_option else escape(printable(read_as))
    pieces = [(read_as_html, False)] if is_option and read_as == text else split_by_evidence(text, marks)
    text_html = "".join([f"<mark>{escape(piece)}</mark>" if marked else escape(piece) for piece, marked in pieces])
    parts = [f'<p class="given">{text_html or "<em>no response</em>"}</p>\n']
    if read_as_html and read_as != text:
        parts.append(f"<p>Read as {read_as_html}.</p>")
    if score.mistake_id and variant is None:
        parts.append(f"<p>Diagnosis: {escape(score.mistake_id)}.</p>")
    # One mark may only say that an option or a number is right, wrong or, as a remark says too, accepted.
    has_only_outcome = len(marks) == 1 and marks[0].criterion_id in ("key", "value", "accepted")
    if marks and not (has_only_outcome and response.outcome in ("correct", "incorrect")):
        texts = criterion_text_by_id(variant, marks) if variant else {}
        parts += ['<ul class="marks">', *[_mark_list_entry_html(mark, texts) for mark in marks], "</ul>"]
    for line in score.remarks:
        parts.append(f'<p class="say">{html.inline_to_html(remark_inline_pieces(printable(line), is_option))}</p>')
    return Markup("".join([*parts, "</section>\n"]))


def _mark_list_entry_html(mark: Mark, criterion_texts: Mapping[str, str]) -> str:
    reason, earned = escape(printable(mark.because)), up_to_2_decimals(mark.earned)
    if not mark.status:
        return f"<li>{reason or escape(printable(mark.criterion_id))} ({earned})</li>"
    possible_html = f" of {up_to_2_decimals(mark.possible)}" if mark.possible else ""
    name = escape(printable(criterion_texts.get(mark.criterion_id, mark.criterion_id)))
    return f"<li><b>{name}</b> {mark.status}, {earned}{possible_html}{reason and f': {reason}'}</li>"


def write_html_report(report: Report, write: Callable[[str], None]) -> None:
    """Writes the page piece by piece, so that memory does not grow with the number of candidates."""
    flags_by_item: dict[str, list[str]] = {item.item_id: [] for item in report.statistics.item_statistics}
    for flag in report.statistics.flags:
        flags_by_item[flag.item_id].append(flag.name)
    html = HtmlWriter("")
    table_row = partial(candidate_table_cells, report)
    table_rows = report.map_candidates(table_row, without_explanations=True) if report.grade_bands else ()
    grade_counts = Counter(grade for *_, grade in table_rows)

    def one_line_stem(item: ItemStatistics) -> Markup:
        stem = shorten(" ".join(report.items_by_id[item.item_id].stem.split()), 400)
        pieces = markdown_inline_pieces(printable(stem))
        return html.inline_to_html(piece for piece in pieces if not isinstance(piece, Image))

    def frequent_response_bars(item: ItemStatistics) -> list[tuple[str, int, float]]:
        """Each frequent response without full points, with its r, its number and its share of all responses."""
        wrong_answers = item.frequent_wrong_answers[:MAX_LISTED_RESPONSES_PER_ITEM]
        answers = [(answer, _estimate_value_text("{:.2f}", answer.rest_correlation)) for answer in wrong_answers]
        return [(f"{a.text} (r = {r})", a.response_count, a.response_count / item.n) for a, r in answers]

    # Candidates about whom there is something to note.
    attendance_rows = []
    for row, grade in attendance_with_grades(report):
        notes = "; ".join((*row.unresolved_issues, *row.fact_sentences()))
        if notes or row.present_absent_or_held != "present":
            points = up_to_2_decimals(grade.earned - grade.deducted_points) if grade else "–"
            attendance_rows.append((row.label, row.form_code, row.present_absent_or_held, points, notes))
    values = {
        "title": f"Scores: {report.title}",
        "report": report,
        "charts": chart_template_values(report),
        "items": worst_items_first(report),
        "flagged": flags_by_item,
        "stem": one_line_stem,
        "mistakes": lambda item: _name_count_bar_shares(item.mistake_ids_and_counts[:MAX_LISTED_RESPONSES_PER_ITEM]),
        "said": frequent_response_bars,
        "order": "the hardest first" if all_items_have_too_few_responses(report) else "the most troubled first",
        "definitions": list(read_definition_by_statistic_name().items()),
        "pages": min(MAX_CANDIDATES_WITH_OWN_SECTION, report.statistics.score_figures.candidate_count),
        "enough": MIN_RELIABLE_N,
        "single": report.statistics.score_figures.candidate_count == 1,
        "forms": list(form_statistics_text_lines(report)),
        "attendance": attendance_rows,
        "counts": attendance_count_pairs(report),
        "grades": _name_count_bar_shares([(one.name, grade_counts[one.name]) for one in reversed(report.grade_bands)]),
        "rows": report.map_candidates(table_row, MAX_CANDIDATES_WITH_OWN_SECTION, without_explanations=True),
        "sheets": report.map_candidates(partial(candidate_section_html, report, html), MAX_CANDIDATES_WITH_OWN_SECTION),
    }
    scripts = () if values["single"] or report.omits_people else ("js/sort.js",)
    sheet = page_template_values(("css/report.css",), scripts, css_classes="of-class" if report.omits_people else "")
    template = jinja_environment().get_template("report.html")
    parts = template.generate(
        page=sheet,
        shown=values,
        percent=partial(_estimate_value_text, "{:.1%}"),
        decimal=partial(_estimate_value_text, "{:.2f}"),
        seconds=partial(_estimate_value_text, "{:.0f}"),
        bounds=_estimate_interval_text,
        plain_bounds=partial(_estimate_interval_text, number_format="{:.2f} to {:.2f}"),
    )
    while piece := "".join(islice(parts, 64)):  # many small pieces at once
        write(piece)


# How a figure is written. A page has twenty thousand of them, and a macro is ten times slower than a function.


def _estimate_value_text(number_format: str, estimate: Estimate) -> str:
    return "–" if estimate.value is None else number_format.format(estimate.value)


def _estimate_interval_text(estimate: Estimate, number_format: str = "{:.0%} to {:.0%}") -> str:
    """The figure's interval, or its n if it has none."""
    return f"n = {estimate.n:,}" if estimate.low is None else number_format.format(estimate.low, estimate.high)


def _name_count_bar_shares(counts: Sequence[tuple[str, int]]) -> list[tuple[str, int, float]]:
    """The bars of a chart: each name, its count, and that count divided by the largest."""
    largest_count = max((n for _, n in counts), default=0) or 1
    return [(name, n, n / largest_count) for name, n in counts]


def write_academic_integrity_page(report: Report, write: Callable[[str], None]) -> None:
    """Writes one self-contained page. Candidates are named as in the report; each row gives its evidence."""

    def compared_responses() -> Iterator[ComparedResponse]:
        for person in report.read_candidates():
            for one in person.responses:
                item, share = report.items_by_id[one.item_id], float(one.earned / one.possible) if one.possible else 0.0
                is_text, words = item.kind == "text", len(item.stem.split())
                text = one.response_text if is_text else str(one.score.read_as or one.response_text)
                yield ComparedResponse(person.label, one.item_id, share, text, is_text, one.seconds, words)

    facts = academic_integrity_facts(compared_responses())
    values = {"title": report.title, "found": facts, "most": MAX_ROWS_PER_INTEGRITY_TABLE, "printable": printable}
    template = jinja_environment().get_template("integrity.html")
    write(template.render(page=page_template_values(("css/report.css",), ()), shown=values))


def feedback_file_names_and_pages(
    report: Report, bank_folder: str, find_printed_item: Callable[[str | None, str], tuple[int, Variant] | None]
) -> Iterator[tuple[str, str]]:
    """Yields (file name, page) for each candidate. `find_printed_item`: (session, item id) -> (number, variant)."""
    html = HtmlWriter(bank_folder)
    frame = page_template_values(("css/shared.css", "css/report.css"), ())
    template = jinja_environment().get_template("feedback.html")
    width = max(3, len(str(len(report.attendance_by_id_or_name))))
    places = {label: n for n, label in enumerate(report.attendance_by_id_or_name, 1)}
    has_roster = any(row.roster_entry for row in report.attendance_by_id_or_name.values())
    scores = report.statistics.score_figures
    error_share = scores.share_standard_error_of_measurement.value
    advice = {band.name: band.advice for band in reversed(report.score_bands)}
    for person in report.read_candidates():
        row, grade = report.attendance_by_id_or_name.get(person.label), report.grade_after_lateness_or_none(person)
        if row is None or grade is None:
            continue
        # (number, variant, response) of each response that has a place on the form.
        pairs = ((find_printed_item(one.session_id, one.item_id), one) for one in person.responses)
        entries = [(*place, one) for place, one in pairs if place is not None]
        page = template.render(
            page=frame,
            title=report.title,
            who=row.label,
            form=row.form_code,
            held=row.present_absent_or_held == "held",
            grade=grade,
            pass_share=None if report.pass_share is None else float(report.pass_share),
            error=None if error_share is None else float(person.possible) * error_share,
            few=scores.candidate_count < MIN_CANDIDATES_FOR_STANDARD_ERROR,
            enough=MIN_CANDIDATES_FOR_STANDARD_ERROR,
            advice=html.markdown_line_to_html(advice.get(grade.band_name, "")),
            facts=tuple(row.fact_sentences()),
            entries=sorted(entries, key=lambda entry: entry[0]),
            not_reached=person.not_reached_item_ids,
            response=response_html,
            worked=lambda variant: tuple(b for b in variant.solution() if not isinstance(b, MarkingScheme)),
            html=html,
        )
        prefix = "not-listed-" if has_roster and row.roster_entry is None else ""
        number = row.roster_entry.roster_number if row.roster_entry else places[person.label]
        yield f"feedback-{prefix}{number:0{width}}.html", page
