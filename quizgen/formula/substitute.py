"""An expression with its values put in: `(g + o) * N / K` becomes `(2 B/param + …) * 13B params / 32`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from quizgen.formula.language.evaluate import fold
from quizgen.formula.language.functions import FUNCTIONS
from quizgen.formula.language.names import NameScope
from quizgen.formula.language.tree import SIGNS, Name, Num, Operation, Tree


def substituted(text: str, tree: Tree, scope: NameScope, values: Sequence[Any], shown: Callable[[str], str]) -> str:
    """The author's text with every name replaced by its value and every choice by the branch taken.

    `shown` gives the value of a name as text. Only names that have a value may be in a taken branch.
    """

    def filled(part: Tree, beside: str = "", behind: bool = False) -> str:
        """`beside`: the sign of two operands that a part stands at, `behind` it or before."""
        if isinstance(part, Num):
            return text[part.start : part.end]
        if isinstance(part, Name):
            return _fenced(shown(part.name), beside, behind)
        if part.name in ("if", "case"):
            branch = taken(part, scope, values)
            if part.name == "if" and isinstance(branch, Operation) and branch.name == "impossible":
                holds = "" if branch is part.operands[1] else "it does not hold that "
                return f"impossible, because {holds}{filled(part.operands[0])}"
            tight = not isinstance(branch, Operation) or branch.name in FUNCTIONS or branch.name in ("if", "case")
            return filled(branch) if tight or not beside else f"({filled(branch)})"
        sign = part.name if part.name in SIGNS and len(part.operands) == 2 else ""
        pieces: list[str] = []
        at = part.start
        for number, operand in enumerate(part.operands):
            pieces += (text[at : operand.start], filled(operand, sign, number == 1))
            at = operand.end
        return "".join((*pieces, text[at : part.end]))

    return f"{text[: tree.start]}{filled(tree)}{text[tree.end :]}"


def _fenced(value: str, beside: str, behind: bool) -> str:
    """The value of a name, in parentheses where its own signs would be read with the one that it stands at."""
    if behind and beside in ("/", "//", "%"):
        loose = "/" in value
    elif beside == "**" and not behind:
        loose = not value.replace(".", "").isalnum()
    else:
        loose = bool(beside) and value.startswith("-")
    return f"({value})" if loose else value


def taken(tree: Operation, scope: NameScope, values: Sequence[Any]) -> Tree:
    """The branch that a choice takes for these values."""
    if tree.name == "if":
        test, then, other = tree.operands
        return then if fold(test, scope)(values) else other
    for label, branch in tree.pairs:
        if fold(tree._replace(name="==", operands=(tree.operands[0], label)), scope)(values):
            return branch
    return tree.operands[-1]
