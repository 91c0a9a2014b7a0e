"""Whether an expression is a whole number whatever its inputs are: by construction, not by luck."""

from __future__ import annotations

from collections.abc import Mapping

from quizgen.formula.language.functions import FUNCTIONS
from quizgen.formula.language.tree import Binary, Call, CaseOf, If, Impossible, Name, Num, Tree, Unary


def is_whole(tree: Tree, known: Mapping[str, bool]) -> bool:
    """True if the tree can only be whole: counts that are added, multiplied, rounded or chosen among.

    `known` says which names are whole. A quotient never counts, even where it comes out even.
    """
    match tree:
        case Num():
            return type(tree.value) is int and (tree.unit is None or tree.unit.factor == 1)
        case Name():
            return known.get(tree.name, False)
        case Unary():
            return is_whole(tree.operand, known)
        case Binary():
            if tree.sign == "//":
                return True
            if tree.sign == "**":
                exponent = tree.right
                fixed = isinstance(exponent, Num) and type(exponent.value) is int and exponent.value >= 0
                return fixed and is_whole(tree.left, known)
            return tree.sign in ("+", "-", "*", "%") and is_whole(tree.left, known) and is_whole(tree.right, known)
        case Call():
            if FUNCTIONS[tree.name].whole or (tree.name == "round" and len(tree.args) == 1):
                return True
            return tree.name in ("abs", "min", "max", "sum") and all(is_whole(arg, known) for arg in tree.args)
        case If():
            return is_whole(tree.then, known) and is_whole(tree.other, known)
        case CaseOf():
            return all(is_whole(branch, known) for _, branch in tree.pairs) and is_whole(tree.rest, known)
        case Impossible():
            return True
        case _:
            return False
