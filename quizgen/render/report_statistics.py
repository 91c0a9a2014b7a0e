"""Differential item functioning, item response theory and integrity as reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict

from quizgen.analysis.dif import MIN_RESPONSES, item_difs
from quizgen.analysis.integrity import Response, integrity_of
from quizgen.analysis.irt import Ability, ItemOnScale, scale_of
from quizgen.analysis.report import Person, Report, Unfit
from quizgen.render.html import jinja_environment, page
from quizgen.render.report_csv import Points, csv_line
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import printable

DIF_COLUMNS = ("item", "group", "against", "delta", "error", "letter", "responses", "responses_against")
DECIMAL_PLACES = 4
MAX_TABLE_ROWS = 200  # rows of each table


def dif_rows(report: Report, write: Callable[[str], None], group_of: Mapping[str, str]) -> None:
    """Writes the items, the largest difference first. Raises Unfit if candidates are of fewer than two groups."""
    people = [person for person in report.people() if person.label in group_of]
    if len({group_of[person.label] for person in people}) < 2:
        raise Unfit("--dif needs candidates of at least two groups; check that its names are those of the logs")
    scores = [{a.item: (float(a.earned), float(a.possible)) for a in person.answered} for person in people]
    reference, found = item_difs(scores, [group_of[person.label] for person in people])
    if not found:
        raise Unfit(f"no item has {MIN_RESPONSES} responses of each group; score more logs together")
    write(csv_line(DIF_COLUMNS))
    for one in sorted(found, key=lambda d: (-abs(d.delta), d.item, d.group)):
        figures = (Points(one.delta), Points(one.error), one.letter, one.n[1], one.n[0])
        write(csv_line((one.item, one.group, reference, *figures)))


def irt_report(report: Report, write: Callable[[str], None]) -> None:
    """Writes the scale. Raises Unfit if there are too few responses or the extra is not installed."""
    shares = (
        (person.label, {a.item: float(a.earned / a.possible) for a in person.answered if a.possible})
        for person in report.people()
    )
    scale = scale_of(shares)
    fields = {
        "version": 1,
        "bank": report.bank,
        "model": "2PL, marginal maximum likelihood; abilities EAP; right: at least half of the points",
        "omega": None if scale.omega is None else round(scale.omega, DECIMAL_PLACES),
        "left_out": list(scale.left_out),
        "items": [_rounded_fields(one) for one in scale.items],
        "candidates": [_rounded_fields(one) for one in scale.candidates],
    }
    write(json.dumps(fields, ensure_ascii=False, indent=1) + "\n")


def _rounded_fields(one: ItemOnScale | Ability) -> dict[str, object]:
    return {
        name: round(value, DECIMAL_PLACES) if isinstance(value, float) else value for name, value in asdict(one).items()
    }


def integrity_page(report: Report, write: Callable[[str], None]) -> None:
    """Writes one self-contained page. Candidates are named as in the report; each row gives its evidence."""
    found = integrity_of(
        _integrity_response(report, person, one) for person in report.people() for one in person.answered
    )
    shown = {"title": report.title, "found": found, "most": MAX_TABLE_ROWS, "printable": printable}
    write(jinja_environment().get_template("integrity.html").render(page=page(("css/report.css",), ()), shown=shown))


def _integrity_response(report: Report, person: Person, one: ScoredResponse) -> Response:
    item = report.items[one.item]
    text = item.kind == "text"
    response = one.given if text else str(one.score.read_as or one.given)
    share = float(one.earned / one.possible) if one.possible else 0.0
    return Response(person.label, one.item, share, response, text, one.seconds, len(item.stem.split()))
