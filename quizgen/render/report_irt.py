"""Items and candidates on one scale as JSON: `--format irt`."""

from __future__ import annotations

import json
from collections.abc import Callable

from quizgen.analysis.abilities import scale_of
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
        "items": [
            {
                "item": i.item,
                "discrimination": round(i.discrimination, DIGITS),
                "difficulty": round(i.difficulty, DIGITS),
                "n": i.n,
            }
            for i in scale.items
        ],
        "candidates": [
            {"candidate": c.who, "ability": round(c.ability, DIGITS), "error": round(c.error, DIGITS), "n": c.n}
            for c in scale.candidates
        ],
    }
    write(json.dumps(fields, ensure_ascii=False, indent=1) + "\n")
