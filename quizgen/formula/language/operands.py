"""Which dimensions fit together in a sum, a comparison or a call, and what comes out."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.formula.dimensions import BARE, Dim, join, kind_of, shared
from quizgen.formula.errors import RejectError
from quizgen.formula.language.functions import FUNCTIONS
from quizgen.formula.language.tree import Operation

_HALF: Final = Fraction(1, 2)


def joined(left: Dim | None, right: Dim | None, at: int, what: str) -> Dim | None:
    if left is None or right is None:
        return left if right is None else right
    found = join(left, right)
    if found is None:
        raise RejectError(
            "unit",
            f"{_plainly(left)} and {_plainly(right)} cannot be {what}",
            f"one is {kind_of(left)}, the other {kind_of(right)}",
            at,
        )
    return found


def _plainly(dim: Dim) -> str:
    return "a bare number" if dim.bare else str(dim)


def applied(tree: Operation, dims: list[Dim | None]) -> Dim | None:
    """The dimension that a function gives for operands of these, by its rule."""
    rule = FUNCTIONS[tree.name].rule
    if rule == "root":
        return None if dims[0] is None else dims[0] ** _HALF
    if rule == "bare":
        _bare_only(tree, dims)
        return BARE
    if rule == "digits" and len(dims) > 1 and not (dims[1] or BARE).bare:
        counts_only(tree, dims[:1])
        raise RejectError("unit", f"{tree.name} to {dims[1]} digits", "write a whole number", tree.operands[1].start)
    used = dims[:1] if rule == "digits" else dims
    if rule in ("log", "count", "digits"):
        counts_only(tree, used)
    if rule == "log":
        return BARE
    common: Dim | None = None
    for operand, dim in zip(tree.operands, used, strict=False):
        common = joined(common, dim, operand.start, "compared" if tree.name in ("min", "max") else "taken together")
    if rule == "angle":
        return BARE
    return common or BARE if rule in ("count", "digits") else common


def _bare_only(tree: Operation, dims: list[Dim | None]) -> None:
    for operand, dim in zip(tree.operands, dims, strict=True):
        if dim is not None and not shared(dim).bare:
            hint = "it takes a bare number: divide by a unit"
            raise RejectError("unit", f"{tree.name} of {kind_of(dim)}", hint, operand.start)


def counts_only(tree: Operation, dims: list[Dim | None]) -> None:
    for arg, dim in zip(tree.operands, dims, strict=False):
        if dim is not None and not shared(dim).bare and not dim.label:
            raise RejectError(
                "unit",
                f"{tree.name} of {kind_of(dim)} depends on the unit",
                f"divide by a unit first: {tree.name}(… / (1 {dim}))",
                arg.start,
            )
