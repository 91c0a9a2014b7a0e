"""The report as plain text: feedback for one candidate, or tables for a class (templates/report.txt)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import islice

from quizgen.analysis.estimates import MIN_RELIABLE_N
from quizgen.analysis.item_statistics import ItemStatistics
from quizgen.analysis.report import Report
from quizgen.render.report_csv import attendance_with_grades, form_statistics_text_lines
from quizgen.render.text import plain_text_template
from quizgen.source.problems import shorten

MAX_LISTED_CANDIDATES = 60  # candidates listed; --format csv lists all
MAX_LISTED_MISTAKES_OR_CRITERIA = 12
MAX_CANDIDATES_TO_EXPLAIN_FULLY = 3  # with more, no responses are explained in full


def write_text_report(report: Report, write: Callable[[str], None], width: int = 100) -> None:
    """Writes the report. Text from outside is made safe for a terminal and cannot end its line."""
    items = report.statistics.item_statistics
    rows = [(item.item_id, c, c.other_items_correlation) for item in items for c in item.criterion_estimates]
    criteria = [(r.value or 0.0, item_id, c) for item_id, c, r in rows if r.n >= MIN_RELIABLE_N]
    mistakes = [(n, item.item_id, name) for item in items for name, n in item.mistake_ids_and_counts]
    answers = [(a.response_count, item.item_id, a) for item in items for a in item.frequent_wrong_answers]
    # On one line, with runs of blanks made one, so that a name cannot imitate another row.
    filters: dict[str, Callable[..., str]] = {"named": lambda person: shorten(" ".join(person.label.split()), 200)}
    parts = plain_text_template("report.txt", width, shorten=shorten, **filters).generate(
        report=report,
        few=report.statistics.score_figures.candidate_count <= MAX_CANDIDATES_TO_EXPLAIN_FULLY,
        people=islice(report.read_candidates(), MAX_LISTED_CANDIDATES),
        items=worst_items_first(report),
        order="the hardest first" if all_items_have_too_few_responses(report) else "the most troubled first",
        mistakes=sorted(mistakes, key=lambda m: (-m[0], m[1:]))[:MAX_LISTED_MISTAKES_OR_CRITERIA],
        said=sorted(answers, key=lambda s: (-s[0], s[1]))[:MAX_LISTED_MISTAKES_OR_CRITERIA],
        criteria=sorted(criteria, key=lambda c: (*c[:2], c[2].criterion_id))[:MAX_LISTED_MISTAKES_OR_CRITERIA],
        forms=form_statistics_text_lines(report),
        attendance=attendance_with_grades(report),
        statuses=", ".join(f"{count} {name}" for name, count in attendance_count_pairs(report)),
        enough=MIN_RELIABLE_N,
        rows=MAX_LISTED_CANDIDATES,
    )
    for part in parts:
        write(part)


def attendance_count_pairs(report: Report) -> list[tuple[str, int]]:
    """The number of candidates who were present, are held, or were absent; a status that nobody has is left out."""
    counts = Counter(row.present_absent_or_held for row in report.attendance_by_id_or_name.values())
    return [(name, counts[name]) for name in ("present", "held", "absent") if counts[name]]


def all_items_have_too_few_responses(report: Report) -> bool:
    """Whether each item has so few responses that items can only be sorted by difficulty."""
    return all(item.n < MIN_RELIABLE_N for item in report.statistics.item_statistics)


def worst_items_first(report: Report) -> list[ItemStatistics]:
    """The items: flagged ones first, then the least discriminating; with too few responses, the hardest first."""
    urgency: dict[str, float] = {}
    for flag in report.statistics.flags:
        urgency[flag.item_id] = max(urgency.get(flag.item_id, 0.0), flag.severity_score)

    def urgency_key(item: ItemStatistics) -> tuple[float, bool, float, str]:
        has_few_responses = item.n < MIN_RELIABLE_N
        figure = item.mean_share.value if has_few_responses else item.rest_correlation.value
        return (-urgency.get(item.item_id, 0.0), has_few_responses, figure if figure is not None else 2.0, item.item_id)

    return sorted(report.statistics.item_statistics, key=urgency_key)
