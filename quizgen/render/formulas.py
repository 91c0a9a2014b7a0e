"""The formula sheet: the titled formulas behind an exam's items, by title. Only on request.

It is the one part of a form that depends on formulas. The order is by title, so that it does not
tell which item needs which.
"""

from __future__ import annotations

from markupsafe import Markup

from quizgen.blocks import Steps
from quizgen.exam import Exam, labels
from quizgen.render.formula_tex import formula_tex, name_tex
from quizgen.render.html import macros
from quizgen.render.mathml import mathml


def formula_sheet(exam: Exam, forms: int = 1) -> Markup:
    """One entry a formula; empty where no item has a formula with title and source.

    A formula written inside an item is that item's own and stays out.
    """
    found: dict[str, Steps] = {}
    entries = (entry for name in labels(forms if exam.anchors else 1) for entry in exam.form(name).entries)
    for entry in entries:
        for block in entry.variant.solution():
            if isinstance(block, Steps) and block.title and block.source:
                found.setdefault(block.title, block)
    shown = []
    for title in sorted(found):
        block = found[title]
        names = [(mathml(name_tex(name)), what) for name, _, what in block.givens]
        lines = [mathml(formula_tex(step.name, step.expression)) for step in block.steps]
        shown.append(macros().formula(title, block.source, names, lines))
    return Markup("".join(shown))
