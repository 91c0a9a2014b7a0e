"""Every formula of the catalogue and every mistake about it, in plain Python, apart from the engine.

`FORMS[name]` takes the formula's inputs by name, in the units of the catalogue, as int, Fraction,
str, bool or list; it returns a number, a bool, a list, or None where there is no answer.
`MISTAKES[name][id]` are the wrong formulas.
"""

from __future__ import annotations

from oracles.closed_forms import (  # noqa: F401  # each section adds its formulas to the table
    batches,
    collectives,
    compute,
    failures,
    memory,
    models,
    pipelines,
    recent,
    systems,
)
from oracles.closed_forms.table import FORMS, MISTAKES

__all__ = ["FORMS", "MISTAKES"]
