"""Differential item functioning, item response theory and integrity as reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict

from quizgen.analysis.dif import MIN_RESPONSES_PER_GROUP, reference_group_and_item_dif
from quizgen.analysis.integrity import ComparedResponse, integrity_facts
from quizgen.analysis.irt import CandidateAbility, IrtItem, fit_irt_scale
from quizgen.analysis.report import AnalysisNotPossible, Report
from quizgen.render.html import jinja_environment, page_template_values
from quizgen.render.report_csv import PointsNumber, csv_text
from quizgen.source.problems import printable

DIF_COLUMNS = ("item", "group", "against", "delta", "error", "letter", "responses", "responses_against")
DECIMAL_PLACES = 4
MAX_TABLE_ROWS = 200  # rows of each table


def write_dif_rows(report: Report, write: Callable[[str], None], group_by_candidate: Mapping[str, str]) -> None:
    """Writes the items, the largest difference first. Raises AnalysisNotPossible if candidates are of fewer
    than two groups."""
    people = [person for person in report.read_candidates() if person.label in group_by_candidate]
    if len({group_by_candidate[person.label] for person in people}) < 2:
        raise AnalysisNotPossible(
            "--dif needs candidates of at least two groups; check that its names are those of the logs"
        )
    scores = [{a.item_id: (float(a.earned), float(a.possible)) for a in person.responses} for person in people]
    reference, found = reference_group_and_item_dif(scores, [group_by_candidate[person.label] for person in people])
    if not found:
        raise AnalysisNotPossible(
            f"no item has {MIN_RESPONSES_PER_GROUP} responses of each group; score more logs together"
        )
    write(csv_text(DIF_COLUMNS))
    for one in sorted(found, key=lambda d: (-abs(d.delta), d.item, d.focal_group)):
        sizes = (one.group_response_counts[1], one.group_response_counts[0])
        delta, error = PointsNumber(one.delta), PointsNumber(one.standard_error)
        write(csv_text((one.item, one.focal_group, reference, delta, error, one.ets_class, *sizes)))


def write_irt_report(report: Report, write: Callable[[str], None]) -> None:
    """Writes the scale. Raises AnalysisNotPossible if there are too few responses or the extra is not installed."""
    shares = (
        (person.label, {a.item_id: float(a.earned / a.possible) for a in person.responses if a.possible})
        for person in report.read_candidates()
    )
    scale = fit_irt_scale(shares)

    def rounded_fields(estimate: IrtItem | CandidateAbility) -> dict[str, object]:
        values = asdict(estimate).items()
        return {name: round(value, DECIMAL_PLACES) if isinstance(value, float) else value for name, value in values}

    omega = None if scale.mcdonald_omega is None else round(scale.mcdonald_omega, DECIMAL_PLACES)
    model = "2PL, marginal maximum likelihood; abilities EAP; right: at least half of the points"
    fields = {"version": 1, "bank": report.bank_name, "model": model, "omega": omega}
    fields |= {"left_out": list(scale.excluded_item_ids), "items": [*map(rounded_fields, scale.items)]}
    fields |= {"candidates": [*map(rounded_fields, scale.abilities)]}
    write(json.dumps(fields, ensure_ascii=False, indent=1) + "\n")


def write_integrity_page(report: Report, write: Callable[[str], None]) -> None:
    """Writes one self-contained page. Candidates are named as in the report; each row gives its evidence."""

    def compared_responses() -> Iterator[ComparedResponse]:
        for person in report.read_candidates():
            for one in person.responses:
                item, share = report.items_by_id[one.item_id], float(one.earned / one.possible) if one.possible else 0.0
                is_text, words = item.kind == "text", len(item.stem.split())
                shown = one.response_text if is_text else str(one.score.read_as or one.response_text)
                yield ComparedResponse(person.label, one.item_id, share, shown, is_text, one.seconds, words)

    found = integrity_facts(compared_responses())
    shown = {"title": report.title, "found": found, "most": MAX_TABLE_ROWS, "printable": printable}
    template = jinja_environment().get_template("integrity.html")
    write(template.render(page=page_template_values(("css/report.css",), ()), shown=shown))
