"""Formulas as TeX, for people who read fractions and roots rather than code; and the formula sheet of an exam.

The sheet is the only part of a form that depends on formulas, and is only written on request. It is sorted by title, so
that it does not reveal which item needs which formula."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markupsafe import Markup

from quizgen.derivation import WorkedDerivation
from quizgen.exam import Exam, form_labels
from quizgen.formula.expression import NameNode, NumberNode, Tree, parse_expression
from quizgen.formula.units import find_unit
from quizgen.render.html import HtmlWriter
from quizgen.render.maths import tex_to_mathml

# Operation and number of operands -> (TeX with the operands as `%s`, precedence, lowest precedences of the operands
# without brackets)
_TEX_AND_PRECEDENCES_BY_OPERATION: Mapping[tuple[str, int], tuple[str, int, tuple[int, ...]]] = {
    ("or", 2): (r"%s \text{ or } %s", 0, (0, 0)), ("and", 2): (r"%s \text{ and } %s", 1, (1, 1)),
    ("<", 2): ("%s < %s", 2, (3, 3)), ("<=", 2): (r"%s \le %s", 2, (3, 3)), (">", 2): ("%s > %s", 2, (3, 3)),
    (">=", 2): (r"%s \ge %s", 2, (3, 3)), ("==", 2): ("%s = %s", 2, (3, 3)), ("!=", 2): (r"%s \ne %s", 2, (3, 3)),
    ("not", 1): (r"\text{not } %s", 2, (3,)), ("+", 1): ("+%s", 3, (4,)), ("-", 1): ("-%s", 3, (4,)),
    ("+", 2): ("%s + %s", 3, (3, 3)), ("-", 2): ("%s - %s", 3, (3, 4)), ("*", 2): (r"%s \cdot %s", 4, (4, 4)),
    ("%", 2): (r"%s \bmod %s", 4, (4, 5)), ("/", 2): (r"\frac{%s}{%s}", 5, (0, 0)), ("**", 2): ("%s^{%s}", 6, (6, 0)),
    ("//", 2): (r"\left\lfloor \frac{%s}{%s} \right\rfloor", 9, (0, 0)),
    ("impossible", 0): (r"\text{impossible}", 9, ()),
    ("ceil", 1): (r"\left\lceil %s \right\rceil", 9, (0,)), ("floor", 1): (r"\left\lfloor %s \right\rfloor", 9, (0,)),
    ("abs", 1): (r"\left| %s \right|", 9, (0,)), ("sqrt", 1): (r"\sqrt{%s}", 9, (0,)), ("exp", 1): (r"e^{%s}", 9, (0,)),
}  # fmt: skip
_UNIT_AFTER_NUMBER_PATTERN = re.compile(r"\d ([A-Za-z]\w*)")


def equation_tex(name: str, expression: str) -> str:
    """`name = expression` in TeX. A word after a number is a unit: one of quizgen's, else one of the bank's."""
    units = [(word, word, "") for word in _UNIT_AFTER_NUMBER_PATTERN.findall(expression) if find_unit(word) is None]
    return f"{variable_name_tex(name)} = {_tex_and_precedence(parse_expression(expression, tuple(units)))[0]}"


def variable_name_tex(name: str) -> str:
    """A name in TeX: `n_ar` becomes n with a subscript, `in_flight` two words; a single letter is italic."""
    parts = [p for p in name.split("_") if p]
    if len(parts) == 2 and len(parts[0]) == 1:
        return f"{parts[0]}_{{{_word_tex(parts[1])}}}"
    return _word_tex(parts[0]) if len(parts) == 1 else rf"\text{{{' '.join(parts)}}}"


def _word_tex(word: str) -> str:
    return word if len(word) == 1 else rf"\mathrm{{{word}}}"


def _tex_and_precedence(tree: Tree) -> tuple[str, int]:
    """The TeX of a tree, and the precedence of its outermost operator (higher binds tighter)."""
    if isinstance(tree, NumberNode):
        digits, _, power = f"{float(tree.value_in_own_unit):g}".partition("e")
        number_tex = rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits
        return number_tex + (rf"\,\mathrm{{{tree.unit}}}".replace("%", r"\%") if tree.unit is not None else ""), 9
    if isinstance(tree, NameNode):
        return variable_name_tex(tree.name), 9
    operands = tree.operands
    if (pattern := _TEX_AND_PRECEDENCES_BY_OPERATION.get((tree.name, len(operands)))) is not None:
        tex, precedence, lowest = pattern
        return tex % tuple(map(_operand_tex, operands, lowest)), precedence
    if tree.name == "if":
        return _cases_tex([(operands[1], _operand_tex(operands[0], 0))], operands[2]), 0
    if tree.name == "case":
        subject = _operand_tex(operands[0], 3)
        rows = [(value, f"{subject} = {_operand_tex(label, 3)}") for label, value in tree.labels_with_branches]
        return _cases_tex(rows, operands[-1]), 0
    arguments = ", ".join(_operand_tex(operand, 0) for operand in operands)
    function_tex = "" if tree.name == "tuple" else rf"\operatorname{{{tree.name.replace('_', ' ')}}}"
    if tree.name in ("min", "max", "gcd", "log"):
        function_tex = rf"\{tree.name}"
    return rf"{function_tex}\left({arguments}\right)", 9


def _cases_tex(rows: list[tuple[Tree, str]], otherwise: Tree) -> str:
    lines = [rf"{_operand_tex(value, 0)} & \text{{if }} {test}" for value, test in rows]
    lines.append(rf"{_operand_tex(otherwise, 0)} & \text{{otherwise}}")
    return r"\begin{cases} " + r" \\ ".join(lines) + r" \end{cases}"


def _operand_tex(tree: Tree, min_precedence: int) -> str:
    """The TeX of a subtree, in brackets if its outermost operator binds less tightly than `min_precedence`."""
    tex, precedence = _tex_and_precedence(tree)
    return tex if precedence >= min_precedence else rf"\left({tex}\right)"


def formula_sheet_html(exam: Exam, form_count: int = 1) -> Markup:
    """An entry for each formula with title and source that an item of the exam uses; empty without any. A formula
    written inside an item is left out."""
    formulas: dict[str, WorkedDerivation] = {}
    labels = form_labels(form_count if exam.anchor_ids else 1)
    for block in (b for label in labels for e in exam.form_of_label(label).entries for b in e.variant.solution()):
        if isinstance(block, WorkedDerivation) and block.title and block.source:
            formulas.setdefault(block.title, block)
    entries = []
    for title, block in sorted(formulas.items()):
        names = [(tex_to_mathml(variable_name_tex(name)), meaning) for name, _, meaning in block.name_value_meanings]
        lines = [tex_to_mathml(equation_tex(step.name, step.expression)) for step in block.steps]
        entries.append(HtmlWriter("").template_macros().formula(title, block.source, names, lines))
    return Markup("".join(entries))
