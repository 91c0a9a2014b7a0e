"""`--dif`: items that are harder for one group than for another that does as well on the rest, as a CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from quizgen.analysis.dif import NEEDED, differing
from quizgen.analysis.report import Report, Unfit
from quizgen.render.report_csv import Points, row_of

COLUMNS = ("item", "group", "against", "delta", "error", "letter", "responses", "responses_against")


def dif_rows(report: Report, write: Callable[[str], None], group_of: Mapping[str, str]) -> None:
    """The most different first. Raises Unfit where fewer than two groups of the class are named."""
    people = [person for person in report.people() if person.label in group_of]
    if len({group_of[person.label] for person in people}) < 2:
        raise Unfit("--dif needs candidates of two groups at least; check that it names them as the logs do")
    scores = [{a.item: (float(a.earned), float(a.possible)) for a in person.answered} for person in people]
    reference, found = differing(scores, [group_of[person.label] for person in people])
    if not found:
        raise Unfit(f"no item has {NEEDED} responses of each group; score more logs together")
    write(row_of(COLUMNS))
    for one in sorted(found, key=lambda d: (-abs(d.delta), d.item, d.group)):
        write(
            row_of(
                (one.item, one.group, reference, Points(one.delta), Points(one.error), one.letter, one.n[1], one.n[0])
            )
        )
