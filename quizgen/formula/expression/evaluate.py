"""Compiles a tree: its unit and shape, and a function from the values of names to the value of the tree.

A formula is compiled once, when its item is loaded, and then run for every variant. The derivation shows the values of
the same steps, so the two cannot disagree. Unknown names, units that do not fit, and tests in place of numbers (or the
reverse) raise RejectError with the offset of the offending part."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from operator import eq, ge, gt, itemgetter, le, lt, ne
from typing import Any, Final, NamedTuple

from quizgen.formula.errors import FormulaError, LimitError, RejectError
from quizgen.formula.expression.functions import ARITHMETIC_BY_SIGN, FUNCTIONS, overflow_error
from quizgen.formula.expression.parse import (
    IMPOSSIBLE_KIND,
    NUMBER_KIND,
    SHAPE_WORDS,
    TRUTH_KIND,
    ZERO_KIND,
    Name,
    NameScope,
    Num,
    Operation,
    Tree,
    ValueKind,
    walk_tree,
)
from quizgen.formula.quantity import Number, int_if_whole
from quizgen.formula.units import DIMENSIONLESS, Dim, dimension_of_sum, dimension_words, without_work_sharing_labels
from quizgen.source.problems import did_you_mean, shorten

SlotValues = Sequence[Any]
RunFunction = Callable[[SlotValues], Any]
MAX_DIMENSION_POWER: Final = 64  # largest power of a dimension


class ImpossibleError(Exception):
    """Raised by `impossible` in a formula: the answer is that no value is possible."""


class CompiledExpression(NamedTuple):
    """A checked expression. `run` takes values by slot of its scope, in base units, and returns an int, Fraction or
    float (a bool for a test, a tuple for `tuple`); it raises DomainError or LimitError with the offset of the failed
    operation, or ImpossibleError. `constant_value` is the value of an expression without variables."""

    kind: ValueKind
    run: RunFunction
    constant_value: Any = None


def compile_boolean_expression(tree: Tree, scope: NameScope) -> RunFunction:
    """The `run` function of a tree that must be a test. Raises the errors of `compile_expression`."""
    made = compile_expression(tree, scope)
    _require_boolean(tree, made)
    return made.run


def require_number_dimension(tree: Tree, kind: ValueKind) -> Dim | None:
    """The dimension of an expression that must be a number; None for the literal 0."""
    if kind.shape == "number":
        return kind.dim
    hints = {
        "truth": "write if(test, a, b)",
        "word": "compare it: if(… == word, a, b), or use case",
        "list": "take its sum, max, min or len",
        "tuple": "tuple(…) is the whole answer",
        "impossible": "let it be a whole branch of if or case",
    }
    raise RejectError(f"{SHAPE_WORDS[kind.shape]} where a number is needed", hints[kind.shape], tree.start)


def _require_boolean(tree: Tree, compiled: CompiledExpression) -> None:
    """Raises RejectError unless `compiled` is a test: a comparison, `divides`, a yes-no input, or tests joined by and,
    or, not."""
    if compiled.kind.shape != "truth" and not compiled.kind.is_yes_no:
        message = f'"{tree.name}" is not a test' if isinstance(tree, Name) else "a test is needed here"
        raise RejectError(message, "write a comparison such as x > 0", tree.start)


_COMPARISONS: Final[dict[str, Callable[[Any, Any], Any]]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}
_LOGICAL_OPERATORS: Final[dict[str, Callable[[tuple[RunFunction, ...]], RunFunction]]] = {
    "and": lambda runs: lambda env: bool(runs[0](env) and runs[1](env)),
    "or": lambda runs: lambda env: bool(runs[0](env) or runs[1](env)),
    "not": lambda runs: lambda env: not runs[0](env),
}


def compile_expression(tree: Tree, scope: NameScope) -> CompiledExpression:
    """A checked expression of a tree. Raises RejectError, and DomainError or LimitError for constant arithmetic without
    a value: `1/0` is refused when it is read."""
    if isinstance(tree, Num):
        if tree.unit is None:
            return _constant_expression(NUMBER_KIND if tree.value else ZERO_KIND, tree.value)
        amount = int_if_whole(tree.value * tree.unit.factor)
        return _constant_expression(ValueKind(dim=tree.unit.dim), amount)
    if isinstance(tree, Name):
        return _compile_name(tree, scope)
    if tree.name in _COMPARISONS:
        subject, label = tree.operands
        test, left = _COMPARISONS[tree.name], compile_expression(subject, scope)
        right = _compile_compared_operand(tree, subject, left.kind, label, scope).run
        return CompiledExpression(TRUTH_KIND, lambda slot_values: test(left.run(slot_values), right(slot_values)))
    if tree.name == "case":
        return _compile_case(tree, scope)
    parts = tuple(compile_expression(operand, scope) for operand in tree.operands)
    if tree.name in ARITHMETIC_BY_SIGN:
        return _compile_arithmetic(tree, parts)
    return _compile_call(tree, parts) if tree.name in FUNCTIONS else _compile_logic_or_special_form(tree, parts)


def _compile_name(tree: Name, scope: NameScope) -> CompiledExpression:
    """An input, a step or a constant. Raises RejectError for a name that the scope does not have."""
    symbol = scope.symbols.get(tree.name)
    if symbol is not None and symbol.constant_value is not None:
        return _constant_expression(symbol.kind, symbol.constant_value)
    if symbol is not None:
        return CompiledExpression(symbol.kind, itemgetter(symbol.slot))
    if tree.name in scope.later_steps:
        hint = "a step may use inputs and earlier steps: move the one that defines it above this one"
        raise RejectError(f'"{tree.name}" is not known yet', hint, tree.start)
    for owner, one in scope.symbols.items():
        if tree.name in one.kind.enum_words:
            message, hint = f'"{tree.name}" is a word of {owner}', f"write {owner} == {tree.name}"
            raise RejectError(message, hint, tree.start)
    known = scope.symbols
    inputs = f"known: {', '.join(known)}; give others under `inputs:`" if known else "there are no names here"
    hint = did_you_mean(tree.name, [*known, *FUNCTIONS]) or inputs
    raise RejectError(f'unknown name "{shorten(tree.name)}"', hint, tree.start)


def _compile_compared_operand(
    tree: Operation, subject: Tree, subject_kind: ValueKind, operand: Tree, scope: NameScope
) -> CompiledExpression:
    """`operand`, the operand with which `subject` is compared. Next to an enum, a word of the enum is a constant
    text; next to a yes-no, `true` is 1 and `false` 0."""
    if subject_kind.shape in ("word", "truth"):
        words = subject_kind.enum_words or ("true", "false")
        if not (isinstance(subject, Name) and isinstance(operand, Name) and operand.name in words):
            name = shorten(subject.name) if isinstance(subject, Name) else "this"
            hint = (did_you_mean(operand.name, words) if isinstance(operand, Name) else "") or "write one of them"
            raise RejectError(f"{name} is one of {', '.join(words)}", hint, operand.start)
        if tree.name not in ("==", "!=", "case"):
            raise RejectError(f"words have no order for {tree.name}", "use == or !=", tree.operator_offset)
        return _constant_expression(
            TRUTH_KIND, operand.name if subject_kind.shape == "word" else int(operand.name == "true")
        )
    made = compile_expression(operand, scope)
    dims = require_number_dimension(subject, subject_kind), require_number_dimension(operand, made.kind)
    common_dimension(*dims, operand.start if tree.name == "case" else tree.operator_offset, "compared")
    return made


def _compile_case(tree: Operation, scope: NameScope) -> CompiledExpression:
    """A `case`: at run time, the branch of the first label that equals the subject, otherwise the last branch."""
    subject = compile_expression(tree.operands[0], scope)
    arms: list[tuple[RunFunction, RunFunction]] = []
    seen: set[object] = set()
    branches = [compile_expression(branch, scope) for branch in tree.branches]
    for (label, _), branch in zip(tree.case_pairs, branches, strict=False):
        made = _compile_compared_operand(tree, tree.operands[0], subject.kind, label, scope)
        if made.constant_value is not None and made.constant_value in seen:
            raise RejectError("this label appears twice", "the second is never reached", label.start)
        seen.add(made.constant_value)
        arms.append((made.run, branch.run))

    def run(slot_values: SlotValues) -> Any:
        value = subject.run(slot_values)
        branch = next((branch for label, branch in arms if label(slot_values) == value), branches[-1].run)
        return branch(slot_values)

    return CompiledExpression(_common_branch_kind(zip(tree.branches, branches, strict=True)), run)


def _compile_arithmetic(tree: Operation, operands: tuple[CompiledExpression, ...]) -> CompiledExpression:
    """A sign before one number or between two."""
    dims = [require_number_dimension(one, part.kind) for one, part in zip(tree.operands, operands, strict=True)]
    first, at = operands[0].run, tree.operator_offset
    if len(operands) == 1:
        minus = _fold_if_constant(ValueKind(dim=dims[0]), lambda slot_values: -first(slot_values), operands)
        return operands[0] if tree.name == "+" else minus
    operation, second = ARITHMETIC_BY_SIGN[tree.name], operands[1].run

    def run(slot_values: SlotValues) -> Number:
        try:
            return operation(first(slot_values), second(slot_values))
        except FormulaError as error:
            if isinstance(error, LimitError) and any(isinstance(n, Num) and n.is_decimal for n in walk_tree(tree)):
                error = overflow_error()
            raise error.with_column(at) from None

    dim = _dimension_of_arithmetic(tree, dims[0], dims[1], operands[1].constant_value)
    return _fold_if_constant(ValueKind(dim=dim), run, operands)


def _raise_impossible(slot_values: SlotValues) -> Any:
    raise ImpossibleError


def _constant_expression(kind: ValueKind, value: Any) -> CompiledExpression:
    return CompiledExpression(kind, lambda slot_values: value, value)


def _fold_if_constant(
    kind: ValueKind, run: RunFunction, operands: tuple[CompiledExpression, ...]
) -> CompiledExpression:
    """The expression, computed at once if all its parts are constants."""
    if any(part.constant_value is None for part in operands):
        return CompiledExpression(kind, run)
    return _constant_expression(kind, run(()))


def _compile_logic_or_special_form(tree: Operation, operands: tuple[CompiledExpression, ...]) -> CompiledExpression:
    """A compiled `and`, `or`, `not`, `if`, `tuple` or `impossible`."""
    runs = tuple(part.run for part in operands)
    if tree.name in _LOGICAL_OPERATORS:
        for operand, part in zip(tree.operands, operands, strict=True):
            _require_boolean(operand, part)
        return CompiledExpression(TRUTH_KIND, _LOGICAL_OPERATORS[tree.name](runs))
    if tree.name == "if":
        _require_boolean(tree.operands[0], operands[0])
        kind = _common_branch_kind(zip(tree.branches, operands[1:], strict=True))
        test, yes, no = runs
        return CompiledExpression(kind, lambda slot_values: (yes if test(slot_values) else no)(slot_values))
    if tree.name == "tuple":
        dims = [require_number_dimension(one, part.kind) for one, part in zip(tree.operands, operands, strict=True)]
        kind = ValueKind("tuple", _common_dimension_of_operands(tree.operands, dims, "listed together"))
        return CompiledExpression(kind, lambda slot_values: tuple(run(slot_values) for run in runs))
    return CompiledExpression(IMPOSSIBLE_KIND, _raise_impossible)


def _compile_call(tree: Operation, operands: tuple[CompiledExpression, ...]) -> CompiledExpression:
    """A compiled call of a function in the table."""
    function, runs = FUNCTIONS[tree.name], tuple(part.run for part in operands)

    def run(slot_values: SlotValues) -> Any:
        try:
            return function.run(*[run(slot_values) for run in runs])
        except FormulaError as error:
            raise error.with_column(tree.start) from None

    first = operands[0].kind
    if len(operands) == 1 and first.shape == "list" and tree.name in ("sum", "min", "max", "len"):
        return _fold_if_constant(NUMBER_KIND if tree.name == "len" else ValueKind(dim=first.dim), run, operands)
    if function.unit_rule == "length":
        raise RejectError("len takes a list", "name an input with list: true", tree.operands[0].start)
    dims = [require_number_dimension(one, part.kind) for one, part in zip(tree.operands, operands, strict=True)]
    if function.unit_rule == "test":
        _require_bare_numbers(tree, dims, allow_counts=True)
        return CompiledExpression(TRUTH_KIND, run)
    return _fold_if_constant(ValueKind(dim=_dimension_of_call(tree, dims)), run, operands)


# Which dimensions fit together in a sum, a comparison or a call, and the dimension of the result. None is the
# dimension of the literal 0, which fits any other.


def common_dimension(left: Dim | None, right: Dim | None, offset: int, error_participle: str) -> Dim | None:
    """The dimension that `left` and `right` share; None stands for an operand that fits any dimension, the literal 0.

    Raises RejectError at the offset `offset` if the dimensions differ. `error_participle` is the participle in the
    message "B and s cannot be compared"."""
    if left is None or right is None:
        return left if right is None else right
    dim = dimension_of_sum(left, right)
    if dim is None:
        names = " and ".join("a bare number" if one.is_bare else str(one) for one in (left, right))
        hint = f"one is {dimension_words(left)}, the other {dimension_words(right)}"
        raise RejectError(f"{names} cannot be {error_participle}", hint, offset)
    return dim


def _common_dimension_of_operands(
    trees: Iterable[Tree], dims: Iterable[Dim | None], error_participle: str
) -> Dim | None:
    common: Dim | None = None
    for tree, dim in zip(trees, dims, strict=False):
        common = common_dimension(common, dim, tree.start, error_participle)
    return common


def _common_branch_kind(branches: Iterable[tuple[Tree, CompiledExpression]]) -> ValueKind:
    """The common kind of branches; `impossible` is compatible with every kind."""
    common: ValueKind | None = None
    for tree, (kind, _, _) in branches:
        if kind.shape in ("word", "list"):
            require_number_dimension(tree, kind)
        if kind.shape == "impossible":
            continue
        if common is not None and kind.shape != common.shape:
            message = f"this branch is {SHAPE_WORDS[kind.shape]}, another {SHAPE_WORDS[common.shape]}"
            raise RejectError(message, "make them alike", tree.start)
        if common is not None:
            kind = ValueKind(common.shape, common_dimension(common.dim, kind.dim, tree.start, "branches of one value"))
        common = kind
    return common or IMPOSSIBLE_KIND


_PARTICIPLE_OF_SIGN: Final = {"+": "added", "-": "subtracted", "%": "divided with a remainder"}


def _dimension_of_arithmetic(
    tree: Operation, left: Dim | None, right: Dim | None, constant_exponent: Number | None
) -> Dim | None:
    """The dimension of two operands joined by a sign; `constant_exponent` is the second operand if it is a constant."""
    if tree.name in _PARTICIPLE_OF_SIGN:
        return common_dimension(left, right, tree.operator_offset, _PARTICIPLE_OF_SIGN[tree.name])
    over, under = left or DIMENSIONLESS, right or DIMENSIONLESS
    if tree.name == "**":
        dim = _dimension_of_power(tree, over, under, constant_exponent)
    else:
        dim = over * under if tree.name == "*" else over / under
    if any(not -MAX_DIMENSION_POWER <= power <= MAX_DIMENSION_POWER for _, power in dim.powers):
        raise RejectError(f"no amount has the unit {dim}", "check the powers", tree.operator_offset)
    if tree.name != "//":
        return dim
    if dimension_of_sum(over, under) is not None:
        return over if over.label and under.is_bare else DIMENSIONLESS
    if without_work_sharing_labels(dim).is_bare or (over.label and under.label):
        return dim
    hint = "divide two amounts of one kind, or use floor"
    raise RejectError(f"{over} // {under} depends on the unit", hint, tree.operator_offset)


def _dimension_of_power(tree: Operation, base_dim: Dim, exponent_dim: Dim, exponent: Number | None) -> Dim:
    if not exponent_dim.is_bare and not exponent_dim.label:
        raise RejectError(f"an exponent in {exponent_dim}", "an exponent is a bare number", tree.operator_offset)
    if base_dim.is_bare:
        return DIMENSIONLESS
    if exponent is None or isinstance(exponent, float):
        hint = f"divide the base by 1 {base_dim} first, or write the exponent as a number"
        raise RejectError(f"a power of {base_dim} needs a fixed exponent", hint, tree.operator_offset)
    return base_dim ** Fraction(exponent)


def _dimension_of_call(tree: Operation, dims: list[Dim | None]) -> Dim | None:
    """The dimension of a function's result for operands of dimensions `dims`, by the function's rule."""
    rule = FUNCTIONS[tree.name].unit_rule
    used = dims[:1] if rule == "digits" else dims
    if rule == "root":
        return None if dims[0] is None else dims[0] ** Fraction(1, 2)
    if rule in ("bare", "log", "count", "digits"):
        _require_bare_numbers(tree, used, allow_counts=rule != "bare")
    if rule in ("bare", "log"):
        return DIMENSIONLESS
    if len(used) < len(dims) and not (dims[1] or DIMENSIONLESS).is_bare:
        raise RejectError(f"{tree.name} to {dims[1]} digits", "write a whole number", tree.operands[1].start)
    participle = "compared" if tree.name in ("min", "max") else "taken together"
    common = _common_dimension_of_operands(tree.operands, used, participle)
    return DIMENSIONLESS if rule == "angle" else common or DIMENSIONLESS if rule in ("count", "digits") else common


def _require_bare_numbers(tree: Operation, dims: list[Dim | None], allow_counts: bool) -> None:
    """Raises RejectError for operands that are not bare numbers; with `allow_counts`, counts of one thing are allowed
    as well."""
    for operand, dim in zip(tree.operands, dims, strict=False):
        if dim is not None and not without_work_sharing_labels(dim).is_bare and not (allow_counts and dim.label):
            message, hint = f"{tree.name} of {dimension_words(dim)}", "it takes a bare number: divide by a unit"
            if allow_counts:
                message, hint = f"{message} depends on the unit", f"divide by a unit first: {tree.name}(… / (1 {dim}))"
            raise RejectError(message, hint, operand.start)
