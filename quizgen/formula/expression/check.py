"""Which dimensions fit together in a sum, a comparison or a call, and what comes out."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from quizgen.formula.errors import FormulaError, RejectError
from quizgen.formula.expression.evaluate import constant_value
from quizgen.formula.expression.functions import FUNCTIONS
from quizgen.formula.expression.parse import (
    COMPARISONS,
    IMPOSSIBLE,
    NUMBER,
    SHAPES,
    SIGNS,
    TRUTH,
    ZERO,
    Name,
    NameScope,
    Num,
    Operation,
    Tree,
    ValueKind,
)
from quizgen.formula.units import BARE, Dim, join, kind_of, shared
from quizgen.source.problems import did_you_mean, shorten

_HALF: Final = Fraction(1, 2)


def joined(left: Dim | None, right: Dim | None, at: int, what: str) -> Dim | None:
    if left is None or right is None:
        return left if right is None else right
    dim = join(left, right)
    if dim is None:
        raise RejectError(
            "unit",
            f"{_plainly(left)} and {_plainly(right)} cannot be {what}",
            f"one is {kind_of(left)}, the other {kind_of(right)}",
            at,
        )
    return dim


def _plainly(dim: Dim) -> str:
    return "a bare number" if dim.bare else str(dim)


def applied(tree: Operation, dims: list[Dim | None]) -> Dim | None:
    """The dimension that a function gives for operands of these, by its rule."""
    rule = FUNCTIONS[tree.name].rule
    used = dims[:1] if rule == "digits" else dims
    if rule == "root":
        return None if dims[0] is None else dims[0] ** _HALF
    if rule == "bare":
        _bare_only(tree, dims)
    elif rule in ("log", "count", "digits"):
        counts_only(tree, used)
    if rule in ("bare", "log"):
        return BARE
    if len(used) < len(dims) and not (dims[1] or BARE).bare:
        raise RejectError("unit", f"{tree.name} to {dims[1]} digits", "write a whole number", tree.operands[1].start)
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


# What an expression yields, worked out without its values: number or test, and of which dimension.
#
# One walk finds unknown names, units that do not fit, tests where a number belongs and the other
# way round. Every RejectError carries the offset of the offending part.


_VERBS: Final = {"+": "added", "-": "subtracted", "%": "divided with a remainder"}
MAX_POWER: Final = 64  # of a dimension


def check(tree: Tree, scope: NameScope) -> ValueKind:
    """The kind of an expression. Raises RejectError (codes `name`, `unit`, `kind`, `syntax`)."""
    if isinstance(tree, Num):
        if tree.unit is not None:
            return ValueKind(dim=tree.unit.dim)
        return NUMBER if tree.value else ZERO
    if isinstance(tree, Name):
        return _name(tree, scope)
    match tree.name:
        case "and" | "or" | "not":
            for operand in tree.operands:
                truth(operand, scope)
            return TRUTH
        case sign if sign in SIGNS:
            dims = [require_number(operand, scope) for operand in tree.operands]
            return ValueKind(dim=_signed(tree, *dims) if len(dims) == 2 else dims[0])
        case "if":
            truth(tree.operands[0], scope)
            return _branches(tree.outcomes, scope)
        case "case":
            return _case(tree, scope)
        case "tuple":
            dim: Dim | None = None
            for operand in tree.operands:
                dim = joined(dim, require_number(operand, scope), operand.start, "listed together")
            return ValueKind("tuple", dim)
        case "impossible":
            return IMPOSSIBLE
        case sign if sign in COMPARISONS:
            return _compare(tree, scope)
    return _call(tree, scope)


def require_number(tree: Tree, scope: NameScope) -> Dim | None:
    """The dimension of an expression that must be a number (None for the literal 0)."""
    return _as_number(tree, check(tree, scope))


def _as_number(tree: Tree, kind: ValueKind) -> Dim | None:
    if kind.shape == "number":
        return kind.dim
    hints = {
        "truth": ("a test where a number is needed", "write if(test, a, b)"),
        "word": (f'"{_text(tree)}" is a word, not a number', "compare it: if(… == word, a, b), or use case"),
        "list": (f'"{_text(tree)}" is a list', "take its sum, max, min or len"),
        "tuple": ("a tuple inside an expression", "tuple(…) is the whole answer"),
        "impossible": ("impossible inside an expression", "let it be a whole branch of if or case"),
    }
    message, hint = hints[kind.shape]
    raise RejectError("kind", message, hint, tree.start)


def truth(tree: Tree, scope: NameScope) -> None:
    """Refuses what is not a test: a comparison, `divides`, a yes-no input, or these joined by and, or, not."""
    kind = check(tree, scope)
    if kind.shape != "truth" and not kind.switch:
        message = f'"{tree.name}" is not a test' if isinstance(tree, Name) else "a test is needed here"
        raise RejectError("kind", message, "write a comparison such as x > 0", tree.start)


def _text(tree: Tree) -> str:
    return shorten(tree.name) if isinstance(tree, Name) else "this"


def _name(tree: Name, scope: NameScope) -> ValueKind:
    symbol = scope.symbols.get(tree.name)
    if symbol is not None:
        return symbol.kind
    if tree.name in scope.later:
        hint = "a step may use inputs and earlier steps: move the one that defines it above this one"
        raise RejectError("order", f'"{tree.name}" is not known yet', hint, tree.start)
    for word, owner in scope.words():
        if word == tree.name:
            raise RejectError("kind", f'"{word}" is a word of {owner}', f"write {owner} == {word}", tree.start)
    known = [*scope.symbols, *FUNCTIONS]
    inputs = f"known: {', '.join(scope.symbols)}; give others under `inputs:`" if scope.symbols else ""
    hint = did_you_mean(tree.name, known) or inputs
    raise RejectError("name", f'unknown name "{shorten(tree.name)}"', hint or "there are no names here", tree.start)


def _signed(tree: Operation, left: Dim | None, right: Dim | None) -> Dim | None:
    sign = tree.name
    if sign in ("+", "-", "%"):
        return joined(left, right, tree.at, _VERBS[sign])
    if sign == "**":
        return _power(tree, left or BARE, right or BARE)
    dim = (left or BARE) * (right or BARE) if sign == "*" else (left or BARE) / (right or BARE)
    if any(not -MAX_POWER <= power <= MAX_POWER for _, power in dim.powers):
        raise RejectError("unit", f"no amount has the unit {dim}", "check the powers", tree.at)
    if sign == "//":
        return _whole_ratio(tree, left or BARE, right or BARE, dim)
    return dim


def _whole_ratio(tree: Operation, left: Dim, right: Dim, ratio: Dim) -> Dim:
    if join(left, right) is not None:
        return BARE if ratio.bare or not left.label else left if right.bare else BARE
    if shared(ratio).bare or (left.label and right.label):
        return ratio
    raise RejectError(
        "unit", f"{left} // {right} depends on the unit", "divide two amounts of one kind, or use floor", tree.at
    )


def _power(tree: Operation, base: Dim, exponent: Dim) -> Dim:
    if not exponent.bare and not exponent.label:
        raise RejectError("unit", f"an exponent in {exponent}", "an exponent is a bare number", tree.at)
    if base.bare:
        return BARE
    try:
        value = constant_value(tree.operands[1])
    except FormulaError as error:
        raise error.at(tree.operands[1].start) from None
    if value is None or isinstance(value, float):
        raise RejectError(
            "unit",
            f"a power of {base} needs a fixed exponent",
            f"divide the base by 1 {base} first, or write the exponent as a number",
            tree.at,
        )
    if not -MAX_POWER <= value <= MAX_POWER:
        raise RejectError("unit", f"no amount has the unit {base} to that power", "check the exponent", tree.at)
    return base ** Fraction(value)


def _compare(tree: Operation, scope: NameScope) -> ValueKind:
    subject, label = tree.operands
    kind = check(subject, scope)
    if kind.shape in ("word", "truth"):
        _word(label, kind, subject)
        if tree.name not in ("==", "!="):
            raise RejectError("kind", f"words have no order for {tree.name}", "use == or !=", tree.at)
    else:
        joined(_as_number(subject, kind), require_number(label, scope), tree.at, "compared")
    return TRUTH


def _word(label: Tree, kind: ValueKind, subject: Tree) -> None:
    """`label` must be one of the words that `subject` may be."""
    words = kind.words or ("true", "false")
    if isinstance(subject, Name) and isinstance(label, Name) and label.name in words:
        return
    name = _text(subject)
    hint = did_you_mean(label.name, words) if isinstance(label, Name) else ""
    raise RejectError("name", f"{name} is one of {', '.join(words)}", hint or "write one of them", label.start)


def _call(tree: Operation, scope: NameScope) -> ValueKind:
    function = FUNCTIONS[tree.name]
    kinds = [check(arg, scope) for arg in tree.operands]
    if len(kinds) == 1 and kinds[0].shape == "list" and tree.name in ("sum", "min", "max", "len"):
        return NUMBER if tree.name == "len" else ValueKind(dim=kinds[0].dim)
    if function.rule == "length":
        raise RejectError("kind", "len takes a list", "name an input with list: true", tree.operands[0].start)
    dims = [_as_number(arg, kind) for arg, kind in zip(tree.operands, kinds, strict=True)]
    if function.rule == "test":
        counts_only(tree, dims)
        return TRUTH
    return ValueKind(dim=applied(tree, dims))


def _case(tree: Operation, scope: NameScope) -> ValueKind:
    subject = check(tree.operands[0], scope)
    seen: set[object] = set()
    for label, _ in tree.pairs:
        if subject.shape in ("word", "truth"):
            _word(label, subject, tree.operands[0])
            value: object = label.name if isinstance(label, Name) else None
        else:
            joined(_as_number(tree.operands[0], subject), require_number(label, scope), label.start, "compared")
            value = constant_value(label)
        if value is not None and value in seen:
            raise RejectError("kind", "this label appears twice", "the second is never reached", label.start)
        seen.add(value)
    return _branches(tree.outcomes, scope)


def _branches(branches: tuple[Tree, ...], scope: NameScope) -> ValueKind:
    """The common kind of branches; `impossible` goes with everything."""
    common: ValueKind | None = None
    for branch in branches:
        kind = check(branch, scope)
        if kind.shape == "impossible":
            continue
        if kind.shape in ("word", "list"):
            _as_number(branch, kind)
        if common is None:
            common = kind
        elif kind.shape != common.shape:
            raise RejectError(
                "kind",
                f"this branch is {SHAPES[kind.shape]}, another {SHAPES[common.shape]}",
                "make them alike",
                branch.start,
            )
        else:
            common = ValueKind(common.shape, joined(common.dim, kind.dim, branch.start, "branches of one value"))
    return common or IMPOSSIBLE
