"""Every formula of the catalogue and every mistake about it, in plain Python, apart from the engine.

`FORMS[name]` takes the formula's inputs by name, in the units of the catalogue, as int, Fraction,
str, bool or list; it returns a number, a bool, a list, or None where there is no answer.
`MISTAKES[name][id]` are the wrong formulas.
"""

from __future__ import annotations

# Each section adds its formulas to the table.
from oracles.closed_forms import collectives, compute, memory, models, recent  # noqa: F401
from oracles.closed_forms.table import FORMS, MISTAKES

__all__ = ["FORMS", "MISTAKES"]
