"""A formula's expression as TeX, for people who read fractions and roots rather than code."""

from __future__ import annotations

from typing import assert_never

from quizgen.formula import tree as of
from quizgen.formula.parse import parse
from quizgen.formula.tree import Tree

# How tightly a sign binds: what binds less tightly than what it stands in gets brackets.
_BINDS = {"or": 0, "and": 1, "+": 3, "-": 3, "*": 4, "%": 4}
_SIGNS = {"<": "<", "<=": r"\le", ">": ">", ">=": r"\ge", "==": "=", "!=": r"\ne", "*": r"\cdot", "%": r"\bmod"}
_FENCES = {
    "ceil": r"\left\lceil %s \right\rceil",
    "floor": r"\left\lfloor %s \right\rfloor",
    "abs": r"\left| %s \right|",
    "sqrt": r"\sqrt{%s}",
    "exp": r"e^{%s}",
}
_KNOWN = ("min", "max", "gcd", "log")


def formula_tex(name: str, expression: str) -> str:
    """`name = expression` in TeX. The formula engine's errors pass: an expression that was shown can be read."""
    return f"{name_tex(name)} = {_tex(parse(expression))[0]}"


def name_tex(name: str) -> str:
    """`n_ar` with its second part below, `in_flight` as words; single letters stand slanted."""
    parts = [p for p in name.split("_") if p]
    if len(parts) == 2 and len(parts[0]) == 1:
        return f"{parts[0]}_{{{_upright(parts[1])}}}"
    return _upright(parts[0]) if len(parts) == 1 else rf"\text{{{' '.join(parts)}}}"


def _upright(word: str) -> str:
    return word if len(word) == 1 else rf"\mathrm{{{word}}}"


def _tex(tree: Tree) -> tuple[str, int]:
    """TeX, and how tightly its outermost sign binds."""
    match tree:
        case of.Num(value=value, unit=unit):
            digits, _, power = f"{float(value):g}".partition("e")
            shown = rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits
            return shown + (rf"\,\mathrm{{{unit}}}".replace("%", r"\%") if unit is not None else ""), 9
        case of.Name(name=name):
            return name_tex(name), 9
        case of.Unary(sign=sign, operand=operand):
            return f"{sign}{_in(operand, 4)}", 3
        case of.Binary(sign="/", left=left, right=right):
            return rf"\frac{{{_in(left, 0)}}}{{{_in(right, 0)}}}", 5
        case of.Binary(sign="//", left=left, right=right):
            return rf"\left\lfloor \frac{{{_in(left, 0)}}}{{{_in(right, 0)}}} \right\rfloor", 9
        case of.Binary(sign="**", left=left, right=right):
            return f"{_in(left, 6)}^{{{_in(right, 0)}}}", 6
        case of.Binary(sign=sign, left=left, right=right):
            binds = _BINDS[sign]
            return f"{_in(left, binds)} {_SIGNS.get(sign, sign)} {_in(right, binds + (sign in '-%'))}", binds
        case of.Compare(sign=sign, left=left, right=right):
            return f"{_in(left, 3)} {_SIGNS[sign]} {_in(right, 3)}", 2
        case of.Logic(sign=sign, left=left, right=right):
            return rf"{_in(left, _BINDS[sign])} \text{{ {sign} }} {_in(right, _BINDS[sign])}", _BINDS[sign]
        case of.Not(operand=operand):
            return rf"\text{{not }} {_in(operand, 3)}", 2
        case of.Call(name=name, args=args):
            inside = [_in(arg, 0) for arg in args]
            if name in _FENCES and len(args) == 1:
                return _FENCES[name] % inside[0], 9
            called = rf"\{name}" if name in _KNOWN else rf"\operatorname{{{name.replace('_', ' ')}}}"
            return rf"{called}\left({', '.join(inside)}\right)", 9
        case of.If(test=test, then=then, other=other):
            return _cases([(then, _in(test, 0))], other), 0
        case of.CaseOf(subject=subject, pairs=pairs, rest=rest):
            shown = _in(subject, 3)
            return _cases([(value, f"{shown} = {_in(label, 3)}") for label, value in pairs], rest), 0
        case of.Tuple(items=items):
            return rf"\left({', '.join(_in(item, 0) for item in items)}\right)", 9
        case of.Impossible():
            return r"\text{impossible}", 9
        case _:
            assert_never(tree)


def _cases(rows: list[tuple[Tree, str]], rest: Tree) -> str:
    lines = [rf"{_in(value, 0)} & \text{{if }} {test}" for value, test in rows]
    return r"\begin{cases} " + r" \\ ".join([*lines, rf"{_in(rest, 0)} & \text{{otherwise}}"]) + r" \end{cases}"


def _in(tree: Tree, binds: int) -> str:
    """TeX that stands where a sign binds so tightly."""
    tex, own = _tex(tree)
    return tex if own >= binds else rf"\left({tex}\right)"
