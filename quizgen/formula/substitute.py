"""An expression with its values put in: `(g + o) * N / K` becomes `(2 B/param + …) * 13B params / 32`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from quizgen.formula.language.evaluate import fold
from quizgen.formula.language.names import NameScope
from quizgen.formula.language.tree import Binary, Call, CaseOf, If, Impossible, Name, Num, Tree, children


def substituted(text: str, tree: Tree, scope: NameScope, values: Sequence[Any], shown: Callable[[str], str]) -> str:
    """The author's text with every name replaced by its value and every choice by the branch taken.

    `shown` gives the value of a name as text. Only names that have a value may be in a taken branch.
    """
    edits: list[tuple[int, int, str]] = []
    _edit(tree, text, scope, values, shown, edits, tight=False)
    return _applied(text, edits, 0, len(text))


def _applied(text: str, edits: list[tuple[int, int, str]], start: int, end: int) -> str:
    parts: list[str] = []
    at = start
    for edit_start, edit_end, replacement in sorted(edits):
        parts += (text[at:edit_start], replacement)
        at = edit_end
    return "".join((*parts, text[at:end]))


def _edit(
    tree: Tree,
    text: str,
    scope: NameScope,
    values: Sequence[Any],
    shown: Callable[[str], str],
    edits: list[tuple[int, int, str]],
    tight: bool,
) -> None:
    """Collects replacements. `tight`: an operator stands beside the part, so a sum needs parentheses."""
    if isinstance(tree, Name):
        value = shown(tree.name)
        edits.append((tree.start, tree.end, f"({value})" if tight and value.startswith("-") else value))
        return
    if isinstance(tree, If | CaseOf):
        branch = taken(tree, scope, values)
        inner: list[tuple[int, int, str]] = []
        if isinstance(branch, Impossible) and isinstance(tree, If):
            _edit(tree.test, text, scope, values, shown, inner, tight=False)
            why = _applied(text, inner, tree.test.start, tree.test.end)
            edits.append((tree.start, tree.end, f"impossible, because {why}"))
            return
        _edit(branch, text, scope, values, shown, inner, tight=False)
        found = _applied(text, inner, branch.start, branch.end)
        plain = not tight or isinstance(branch, Name | Num | Call | If | CaseOf)
        edits.append((tree.start, tree.end, found if plain else f"({found})"))
        return
    for child in children(tree):
        beside = isinstance(tree, Binary)
        if (
            isinstance(tree, Binary)
            and tree.sign in ("/", "//", "%")
            and child is tree.right
            and isinstance(child, Name)
        ):
            value = shown(child.name)
            edits.append((child.start, child.end, f"({value})" if "/" in value else value))
            continue
        if isinstance(tree, Binary) and tree.sign == "**" and child is tree.left and isinstance(child, Name):
            value = shown(child.name)
            edits.append((child.start, child.end, value if value.replace(".", "").isalnum() else f"({value})"))
            continue
        _edit(child, text, scope, values, shown, edits, tight=beside)


def taken(tree: If | CaseOf, scope: NameScope, values: Sequence[Any]) -> Tree:
    """The branch that a choice takes for these values."""
    branch: Tree
    if isinstance(tree, If):
        branch = tree.then if fold(tree.test, scope)(values) else tree.other
    else:
        branch = next((b for label, b in tree.pairs if fold(_equals(tree, label, b), scope)(values)), tree.rest)
    return branch


def _equals(tree: CaseOf, label: Tree, branch: Tree) -> Tree:
    """A case of one pair as a number that tells whether its label is met."""
    one = Num(1, None, False, branch.start, branch.end)
    none = Num(0, None, False, branch.start, branch.end)
    return CaseOf(tree.subject, ((label, one),), none, tree.start, tree.end)
