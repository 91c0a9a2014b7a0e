"""Formulas as TeX, for people who read fractions and roots rather than code; and the formula sheet of an exam.

The sheet is the only part of a form that depends on formulas, and is only written on request. It is sorted by title, so
that it does not reveal which item needs which formula."""

from __future__ import annotations

import re

from markupsafe import Markup

from quizgen.derivation import Steps
from quizgen.exam import Exam, form_labels
from quizgen.formula.expression.parse import Name, Num, Tree, parse_expression
from quizgen.formula.units import find_unit
from quizgen.render.html import block_macros
from quizgen.render.mathml import mathml

# Operator between two operands -> (TeX, precedence, lowest precedence of each operand without brackets)
_INFIX = {
    "or": (r"\text{ or }", 0, 0, 0), "and": (r"\text{ and }", 1, 1, 1),
    "<": ("<", 2, 3, 3), "<=": (r"\le", 2, 3, 3), ">": (">", 2, 3, 3), ">=": (r"\ge", 2, 3, 3), "==": ("=", 2, 3, 3),
    "!=": (r"\ne", 2, 3, 3), "+": ("+", 3, 3, 3), "-": ("-", 3, 3, 4), "*": (r"\cdot", 4, 4, 4),
    "%": (r"\bmod", 4, 4, 5),
}  # fmt: skip
_TEX_FUNCTIONS = {
    "ceil": r"\left\lceil %s \right\rceil",
    "floor": r"\left\lfloor %s \right\rfloor",
    "abs": r"\left| %s \right|",
    "sqrt": r"\sqrt{%s}",
    "exp": r"e^{%s}",
}
_TEX_NAMES = ("min", "max", "gcd", "log")
_UNIT_PATTERN = re.compile(r"\d ([A-Za-z]\w*)")


def formula_tex(name: str, expression: str) -> str:
    """`name = expression` in TeX. A word after a number is a unit; if quizgen does not know it, it is a unit of the
    bank."""
    counted = [(word, word, "") for word in _UNIT_PATTERN.findall(expression) if find_unit(word) is None]
    return f"{name_tex(name)} = {_tree_tex(parse_expression(expression, tuple(counted)))[0]}"


def name_tex(name: str) -> str:
    """A name in TeX: `n_ar` becomes n with a subscript, `in_flight` two words; a single letter is italic."""
    parts = [p for p in name.split("_") if p]
    if len(parts) == 2 and len(parts[0]) == 1:
        return f"{parts[0]}_{{{_upright_tex(parts[1])}}}"
    return _upright_tex(parts[0]) if len(parts) == 1 else rf"\text{{{' '.join(parts)}}}"


def _upright_tex(word: str) -> str:
    return word if len(word) == 1 else rf"\mathrm{{{word}}}"


def _tree_tex(tree: Tree) -> tuple[str, int]:
    """The TeX of a tree, and the precedence of its outermost operator (higher binds tighter)."""
    if isinstance(tree, Num):
        digits, _, power = f"{float(tree.value):g}".partition("e")
        shown = rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits
        return shown + (rf"\,\mathrm{{{tree.unit}}}".replace("%", r"\%") if tree.unit is not None else ""), 9
    if isinstance(tree, Name):
        return name_tex(tree.name), 9
    operands = tree.operands
    match tree.name:
        case "+" | "-" as sign if len(operands) == 1:
            return f"{sign}{_tex_with_brackets(operands[0], 4)}", 3
        case "/":
            return rf"\frac{{{_tex_with_brackets(operands[0], 0)}}}{{{_tex_with_brackets(operands[1], 0)}}}", 5
        case "//":
            quotient = rf"\frac{{{_tex_with_brackets(operands[0], 0)}}}{{{_tex_with_brackets(operands[1], 0)}}}"
            return _TEX_FUNCTIONS["floor"] % quotient, 9
        case "**":
            return f"{_tex_with_brackets(operands[0], 6)}^{{{_tex_with_brackets(operands[1], 0)}}}", 6
        case sign if sign in _INFIX:
            tex, binds, left, right = _INFIX[sign]
            return f"{_tex_with_brackets(operands[0], left)} {tex} {_tex_with_brackets(operands[1], right)}", binds
        case "not":
            return rf"\text{{not }} {_tex_with_brackets(operands[0], 3)}", 2
        case "if":
            return _cases_tex([(operands[1], _tex_with_brackets(operands[0], 0))], operands[2]), 0
        case "case":
            subject = _tex_with_brackets(operands[0], 3)
            rows = [(value, f"{subject} = {_tex_with_brackets(label, 3)}") for label, value in tree.case_pairs]
            return _cases_tex(rows, operands[-1]), 0
        case "impossible":
            return r"\text{impossible}", 9
    inside = [_tex_with_brackets(operand, 0) for operand in operands]
    if tree.name in _TEX_FUNCTIONS and len(operands) == 1:
        return _TEX_FUNCTIONS[tree.name] % inside[0], 9
    called = rf"\{tree.name}" if tree.name in _TEX_NAMES else rf"\operatorname{{{tree.name.replace('_', ' ')}}}"
    return rf"{'' if tree.name == 'tuple' else called}\left({', '.join(inside)}\right)", 9


def _cases_tex(rows: list[tuple[Tree, str]], otherwise: Tree) -> str:
    lines = [rf"{_tex_with_brackets(value, 0)} & \text{{if }} {test}" for value, test in rows]
    lines.append(rf"{_tex_with_brackets(otherwise, 0)} & \text{{otherwise}}")
    return r"\begin{cases} " + r" \\ ".join(lines) + r" \end{cases}"


def _tex_with_brackets(tree: Tree, precedence: int) -> str:
    """The TeX of a subtree, in brackets if its outermost operator binds less tightly than `precedence`."""
    tex, own = _tree_tex(tree)
    return tex if own >= precedence else rf"\left({tex}\right)"


def formula_sheet(exam: Exam, forms: int = 1) -> Markup:
    """An entry for each formula with title and source that an item of the exam uses; empty without any. A formula
    written inside an item is left out."""
    formulas: dict[str, Steps] = {}
    entries = (entry for name in form_labels(forms if exam.anchors else 1) for entry in exam.form(name).entries)
    for entry in entries:
        for block in entry.variant.solution():
            if isinstance(block, Steps) and block.title and block.source:
                formulas.setdefault(block.title, block)
    shown = []
    for title in sorted(formulas):
        block = formulas[title]
        names = [(mathml(name_tex(name)), what) for name, _, what in block.givens]
        lines = [mathml(formula_tex(step.name, step.expression)) for step in block.steps]
        shown.append(block_macros().formula(title, block.source, names, lines))
    return Markup("".join(shown))
