"""Items and candidates on one scale as JSON: `--format irt`."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

from quizgen.analysis.abilities import Ability, ItemOnScale, scale_of
from quizgen.analysis.report import Report

DIGITS = 4


def irt_report(report: Report, write: Callable[[str], None]) -> None:
    """Raises Unfit where there are too few responses, or the extra is missing."""
    shares = (
        (person.label, {a.item: float(a.earned / a.possible) for a in person.answered if a.possible})
        for person in report.people()
    )
    scale = scale_of(shares)
    fields = {
        "version": 1,
        "bank": report.bank,
        "model": "2PL, marginal maximum likelihood; abilities EAP; right: at least half of the points",
        "omega": None if scale.omega is None else round(scale.omega, DIGITS),
        "left_out": list(scale.left_out),
        "items": [_rounded(one) for one in scale.items],
        "candidates": [_rounded(one) for one in scale.candidates],
    }
    write(json.dumps(fields, ensure_ascii=False, indent=1) + "\n")


def _rounded(one: ItemOnScale | Ability) -> dict[str, object]:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in asdict(one).items()}
