"""Whether an expression is a whole number whatever its inputs are: by construction, not by luck."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from quizgen.formula.language.functions import FUNCTIONS
from quizgen.formula.language.tree import Name, Num, Tree

# What is whole wherever all its operands are.
_KEPT: Final = frozenset({"+", "-", "*", "%", "abs", "min", "max", "sum"})
_ALWAYS: Final = frozenset({"//", "impossible", *(name for name, one in FUNCTIONS.items() if one.whole)})


def is_whole(tree: Tree, known: Mapping[str, bool]) -> bool:
    """True if the tree can only be whole: counts that are added, multiplied, rounded or chosen among.

    `known` says which names are whole. A quotient never counts, even where it comes out even.
    """
    if isinstance(tree, Num):
        return type(tree.value) is int and (tree.unit is None or tree.unit.factor == 1)
    if isinstance(tree, Name):
        return known.get(tree.name, False)
    operands = tree.operands
    match tree.name:
        case "**":
            exponent = operands[1]
            fixed = isinstance(exponent, Num) and type(exponent.value) is int and exponent.value >= 0
            return fixed and is_whole(operands[0], known)
        case "round":
            return len(operands) == 1
        case "if":
            return all(is_whole(branch, known) for branch in operands[1:])
        case "case":
            return all(is_whole(branch, known) for branch in (*(b for _, b in tree.pairs), operands[-1]))
    kept = tree.name in _KEPT and all(is_whole(operand, known) for operand in operands)
    return kept or tree.name in _ALWAYS
