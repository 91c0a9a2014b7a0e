"""The expression language of formulas: parses a text into a frozen tree whose nodes have their offsets in the text, and
compiles a tree: its unit and type, and a function from the values of names to the value of the tree.

`start` and `end` are offsets into the source. A node is a number, a name, or an operation on operands. Nodes are named
tuples, not dataclasses: such a class takes seven times as long to set up, and `quizgen solve` must start at once.

A formula is compiled once, when its item is loaded, and then run for every variant. The derivation shows the values of
the same steps, so the two cannot disagree. Unknown names, units that do not fit, and tests in place of numbers (or the
reverse) raise BadTextError with the offset of the offending part."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import eq, ge, gt, itemgetter, le, lt, ne
from typing import Any, Final, NamedTuple

from quizgen.formula import BadTextError, FormulaError, LimitError, units
from quizgen.formula.functions import ARITHMETIC_FUNCTION_BY_SIGN, FUNCTION_BY_NAME, MAX_ARGUMENTS, overflow_error
from quizgen.formula.quantity import Number, Quantity, exact_number_text, read_number_literal
from quizgen.formula.units import DIMENSIONLESS, BankUnits, Dim, Unit, find_unit, int_if_whole
from quizgen.source.problems import did_you_mean, shorten

COMPARISON_SIGNS: Final = ("<", "<=", ">", ">=", "==", "!=")


class NumberNode(NamedTuple):
    """A number with its unit as written; `is_decimal` if it has a point or an exponent."""

    value_in_own_unit: Number
    unit: Unit | None
    is_decimal: bool
    start: int
    end: int


class NameNode(NamedTuple):
    name: str
    start: int
    end: int


class Operation(NamedTuple):
    """An operation on operands; `operator_offset` is the offset of its sign or name.

    `name` is a sign (`+ - * / // % **`, with one operand `+ -`), a test (`< <= > >= == != and or not`), a special form
    or a function:

    * `if`: test, value if true, value if false
    * `case`: subject, then labels and branches in turn, last the branch for any other label
    * `tuple`: the answer of a formula that asks for several numbers
    * `impossible`: without operands; the answer is that no value is possible"""

    name: str
    operands: tuple[Tree, ...]
    operator_offset: int
    start: int
    end: int

    @property
    def labels_with_branches(self) -> list[tuple[Tree, Tree]]:
        """The labels of a `case` with their branches."""
        return list(zip(self.operands[1:-1:2], self.operands[2:-1:2], strict=True))

    @property
    def branches(self) -> tuple[Tree, ...]:
        """The branches of an `if` or a `case`, one of which is its value; () for any other operation."""
        return {"if": self.operands[1:], "case": (*self.operands[2:-1:2], *self.operands[-1:])}.get(self.name, ())


Tree = NumberNode | NameNode | Operation


def tree_nodes(tree: Tree) -> Iterator[Tree]:
    """Yields the tree and all nodes below it, from left to right."""
    yield tree
    for operand in tree.operands if isinstance(tree, Operation) else ():
        yield from tree_nodes(operand)


def name_nodes(tree: Tree) -> tuple[NameNode, ...]:
    """Every name in the tree, from left to right."""
    return tuple(one for one in tree_nodes(tree) if isinstance(one, NameNode))


def operation_names(tree: Tree) -> frozenset[str]:
    """The names of the signs, forms and functions in the tree."""
    return frozenset(one.name for one in tree_nodes(tree) if isinstance(one, Operation))


def is_piecewise(tree: Tree) -> bool:
    """True if the tree has a choice, a test, rounding, or a minimum or maximum."""
    return not operation_names(tree).isdisjoint(_PIECEWISE_OPERATIONS)


_PIECEWISE_OPERATIONS: Final = (
    *COMPARISON_SIGNS, "if", "case", "//", "%",
    "min", "max", "ceil", "floor", "round", "round_sig", "ceil_log2", "next_pow2", "divides", "gcd", "lcm",
)  # fmt: skip


# Functions with a whole result whenever all operands are whole.
_OPERATIONS_WHOLE_IF_OPERANDS_ARE: Final = frozenset({"+", "-", "*", "%", "abs", "min", "max", "sum"})
_ALWAYS_WHOLE_OPERATIONS: Final = frozenset(
    {"//", "impossible", "len", "floor", "ceil", "next_pow2", "gcd", "lcm", "ceil_log2", "factorial", "comb", "perm"}
)


def is_always_whole(tree: Tree, is_whole_by_name: Mapping[str, bool]) -> bool:
    """True if the value of a tree is always a whole number: counts that are added, multiplied, rounded or selected.

    `is_whole_by_name` maps names to whether they are whole. A quotient never counts as whole, even if it comes out
    even."""
    if isinstance(tree, NumberNode):
        return type(tree.value_in_own_unit) is int and (tree.unit is None or tree.unit.factor == 1)
    if isinstance(tree, NameNode):
        return is_whole_by_name.get(tree.name, False)
    parts = tree.operands if tree.name in _OPERATIONS_WHOLE_IF_OPERANDS_ARE else tree.branches
    if tree.name == "**":
        exponent = tree.operands[1]
        is_constant = isinstance(exponent, NumberNode) and type(exponent.value_in_own_unit) is int
        parts = tree.operands[:1] if is_constant else ()
    are_all_whole = bool(parts) and all(is_always_whole(operand, is_whole_by_name) for operand in parts)
    return are_all_whole or tree.name in _ALWAYS_WHOLE_OPERATIONS or (tree.name == "round" and len(tree.operands) == 1)


# Names that an expression may use: inputs, constants and earlier steps, each with its kind and place.


class ValueKind(NamedTuple):
    """The type of an expression's value. `type` is number, truth, word, list, tuple or impossible.

    `dim` None is the literal 0, which fits every dimension. `enum_words` are an enum's. A number that
    `is_usable_as_test` may also be used as a test."""

    type: str = "number"
    dim: Dim | None = DIMENSIONLESS
    enum_words: tuple[str, ...] = ()
    is_usable_as_test: bool = False


# Each type in words, and the remedy where it stands and a number is needed.
WORDS_AND_REMEDY_BY_VALUE_TYPE: Final = {
    "number": ("a number", ""),
    "truth": ("a test", "write if(test, a, b)"),
    "word": ("a word", "compare it: if(… == word, a, b), or use case"),
    "list": ("a list", "take its sum, max, min or len"),
    "tuple": ("a tuple", "tuple(…) is the whole answer"),
    "impossible": ("impossible", "let it be a whole branch of if or case"),
}
WORDS_BY_TYPE: Final = {name: words for name, (words, _) in WORDS_AND_REMEDY_BY_VALUE_TYPE.items()}
BARE_NUMBER_KIND: Final = ValueKind()
TRUTH_KIND: Final = ValueKind("truth")
IMPOSSIBLE_KIND: Final = ValueKind("impossible", None)


class Symbol(NamedTuple):
    """One name: its kind, and either its slot in the values of a run or a constant's amount."""

    value_kind: ValueKind
    slot: int = -1
    constant_value: Number | None = None


class NameScope(NamedTuple):
    """The names of an expression: `symbols` by name; `later_step_names` are those of steps without a value so far."""

    symbols: Mapping[str, Symbol]
    later_step_names: frozenset[str] = frozenset()


def scope_and_slot_values(quantities: Mapping[str, Quantity]) -> tuple[NameScope, list[Number]]:
    """A scope in which each name of `quantities` is an amount of its dimension, as `--expression` uses it, and the
    values by slot in base units."""
    symbols = {name: Symbol(ValueKind(dim=q.unit.dim), slot) for slot, (name, q) in enumerate(quantities.items())}
    return NameScope(symbols), [q.base_value for q in quantities.values()]


# Text to tokens. A unit directly after a number belongs to the number.

MAX_EXPRESSION_CHARACTERS: Final = 1000  # of one expression
MAX_NAME_CHARACTERS: Final = 32  # of a name inside expressions

_TOKEN_PATTERN = re.compile(
    r" *(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<sign>\*\*|//|<=|>=|==|!=|[-+*/%(),<>]))"
)
_UNIT_AFTER_NUMBER_PATTERN = re.compile(r" *((?!(?:and|or)\b)[A-Za-z_]\w*(?:[-/][A-Za-z_]\w*)*)(?![\w(])", re.ASCII)
_LAST_UNIT_PART_PATTERN = re.compile(r"[-/]\w+$")
_PERCENT_NOT_REMAINDER_PATTERN = re.compile(r"% *(?:$|[)<>=!,*/%]|and\b|or\b)")  # without the operand of a remainder

_HINT_BY_UNREADABLE_CHARACTER: Final = {
    "^": "write ** for a power", "=": "write == to compare", "&": "write and", "|": "write or",
    "!": "write not, or != to compare", "'": "there are no strings here", '"': "there are no strings here",
    ".": "there are no attributes here; a number starts with a digit", "[": "a list is an input with `list: true`",
    "{": "write the name without braces", "$": "write USD after the number", "?": "write if(test, a, b)",
    ":": "write if(test, a, b) or case(x, 0, a, b)", "#": "there are no comments inside a formula",
    "\n": "write the formula on one line", "\t": "only spaces may be between the parts",
    "×": "write *", "÷": "write /", "·": "write *", "−": "write -", "≤": "write <=", "≥": "write >=",
}  # fmt: skip


class FormulaToken(NamedTuple):
    """One token: `kind` is number, name, sign or end; `text` is as written; a number has `number` and `unit`."""

    kind: str
    text: str
    start: int
    end: int
    number: Number = 0
    unit: Unit | None = None


def expression_tokens(expression_text: str, bank_units: BankUnits = ()) -> list[FormulaToken]:
    """The tokens of a formula, the last of kind `end`; `bank_units` are the bank's own units. Raises BadTextError or
    LimitError."""
    if len(expression_text) > MAX_EXPRESSION_CHARACTERS:
        raise LimitError(f"a formula of more than {MAX_EXPRESSION_CHARACTERS} characters", "split it into steps", 0)
    if (foreign := next((index for index, char in enumerate(expression_text) if not char.isascii()), None)) is not None:
        raise _unreadable_character_error(expression_text, foreign)
    tokens: list[FormulaToken] = []
    index, end = 0, len(expression_text.rstrip(" "))
    while index < end:
        if (match := _TOKEN_PATTERN.match(expression_text, index)) is None:
            raise _unreadable_character_error(expression_text, end - len(expression_text[index:end].lstrip(" ")))
        kind = match.lastgroup or ""
        token = FormulaToken(kind, match[kind], match.start(kind), match.end())
        if kind == "name" and len(token.text) > MAX_NAME_CHARACTERS:
            raise LimitError(f"a name of more than {MAX_NAME_CHARACTERS} characters", "shorten it", token.start)
        token = _number_token_with_value_and_unit(token, expression_text, bank_units) if kind == "number" else token
        index = token.end
        if kind == "number" and _PERCENT_NOT_REMAINDER_PATTERN.match(expression_text, index):
            hint = f"write {exact_number_text(Fraction(token.number) / 100)}: in a formula a percentage is a fraction"
            raise BadTextError(f'"{token.text}%" asks for a remainder here', hint, token.start)
        tokens.append(token)
    return [*tokens, FormulaToken("end", "", len(expression_text), len(expression_text))]


def _unreadable_character_error(expression_text: str, offset: int) -> BadTextError:
    char = expression_text[offset]
    char_text = f'"{char}"' if char.isascii() and char.isprintable() else f"U+{ord(char):04X}"
    default_hint = "take it out" if char.isascii() else "write plain ASCII characters"
    return BadTextError(f"{char_text} is not read here", _HINT_BY_UNREADABLE_CHARACTER.get(char, default_hint), offset)


def _number_token_with_value_and_unit(token: FormulaToken, expression_text: str, bank_units: BankUnits) -> FormulaToken:
    """The number `token` with its value, and with the longest spelling of a unit directly after it."""
    _, number_text, start, end, _, _ = token
    if number_text[0] == "0" and number_text[1:2].isdigit():
        raise BadTextError(f'"{shorten(number_text)}" starts with a zero', "write it without leading zeros", start)
    try:
        value = read_number_literal(number_text)
    except FormulaError as error:
        raise error.set_text_offset_if_missing(start) from None
    if (match := _UNIT_AFTER_NUMBER_PATTERN.match(expression_text, end)) is None:
        return token._replace(number=value)
    spelling, at = match[1], match.start(1)
    while not all(_is_unit_without_slash(part, bank_units) for part in spelling.split("/")):
        if _LAST_UNIT_PART_PATTERN.search(spelling):
            spelling = _LAST_UNIT_PART_PATTERN.sub("", spelling)
            continue
        if spelling.startswith("_"):
            raise BadTextError(f'"{shorten(number_text + spelling)}" is not a number', "write 1000000 or 1e6", at)
        if number_text == "0" and re.fullmatch("[xXoObB][0-9a-fA-F]+", spelling):
            raise BadTextError("only decimal numbers are read", "write it in decimal", start)
        message = f'unknown unit "{shorten(spelling)}"'
        hint = units.HINT_BY_UNKNOWN_UNIT.get(spelling, f"write {number_text} * {shorten(spelling)} if it is a name")
        if spelling in ("if", "else", "not", "in", "is"):
            message = f'"{spelling}" after a number'
            hint = "write if(test, a, b); a test is possible only there or in require"
        raise BadTextError(message, hint, at)
    return FormulaToken("number", number_text, start, at + len(spelling), value, units.parse_unit(spelling, bank_units))


def _is_unit_without_slash(part: str, bank_units: BankUnits) -> bool:
    """True for the spelling of a unit without `/`: GB, micro-batch, GPU-h. `s-x` is a difference."""
    left, right = (find_unit(name, bank_units) for name in part.rpartition("-")[::2])
    is_machine_time = bool(left and left.dim.count_label and right and right.dim.powers == ((units.TIME_DIMENSION, 1),))
    return is_machine_time or find_unit(part, bank_units) is not None


# A formula's text to its tree, by operator precedence, within fixed limits.
#
# From loose to tight: `or`, `and`, `not`, comparison (one, not a chain), `+ -`, `* / // %`, sign,
# `**` (right to left). So `-2**2` is -4 and `2**3**2` is 512. Nothing here is evaluated as Python: the grammar
# has no attribute, subscript, string, assignment or function value.


MAX_NESTING_DEPTH: Final = 50
MAX_TREE_NODES: Final = 300

# Special forms: the least and the most operands, and how to write it.
ARITY_AND_HINT_BY_SPECIAL_FORM: Final = {
    "if": (3, 3, "write if(test, a, b)"),
    "case": (4, MAX_ARGUMENTS, "write case(x, 0, a, 1, b, c): pairs, then the rest"),
    "tuple": (2, MAX_ARGUMENTS, "write tuple(a, b)"),
}
_CALLABLE_NAMES: Final = frozenset((*FUNCTION_BY_NAME, *ARITY_AND_HINT_BY_SPECIAL_FORM))
RESERVED_NAMES: Final = _CALLABLE_NAMES | {"and", "or", "not", "impossible"}  # an author may not use them
# From loose to tight: signs before one operand, and signs between two.
PREFIX_AND_INFIX_SIGNS_BY_LEVEL: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    ((), ("or",)),
    ((), ("and",)),
    (("not",), COMPARISON_SIGNS),
    ((), ("+", "-")),
    ((), ("*", "/", "//", "%")),
    (("-", "+"), ("**",)),
)
TIGHTEST_OPERATOR_LEVEL: Final = len(PREFIX_AND_INFIX_SIGNS_BY_LEVEL) - 1


def parse_expression(expression_text: str, bank_units: BankUnits = ()) -> Tree:
    """The tree of a formula; `bank_units` are the bank's own units. Raises BadTextError or LimitError with the offset
    of the offending place."""
    tokens = expression_tokens(expression_text, bank_units)
    if len(tokens) == 1:
        raise BadTextError("the formula is empty", "write an expression", 0)
    parser = _ExpressionParser(tokens)
    tree = parser.parse_operators()
    if parser.current_token.kind != "end":
        raise parser.unexpected_token_error()
    return tree


class _ExpressionParser:
    """One run over the tokens. `nesting_depth` counts nesting, `node_count` the nodes made so far."""

    def __init__(self, tokens: list[FormulaToken]) -> None:
        self.tokens = tokens
        self.token_index = self.nesting_depth = self.node_count = 0

    @property
    def current_token(self) -> FormulaToken:
        """The token at this place."""
        return self.tokens[self.token_index]

    def unexpected_token_error(self) -> BadTextError:
        """The error for the token at this place."""
        token = self.current_token
        previous_token = self.tokens[self.token_index - 1] if self.token_index else FormulaToken("sign", "", 0, 0)
        text = shorten(token.text)
        if token.kind == "end":
            message, hint = "the formula ends too early", "write the missing part"
        elif token.text in COMPARISON_SIGNS:
            message, hint = f'a second comparison "{text}"', "join two comparisons with and"
        elif token.text == "(" and previous_token.kind == "name":
            name = shorten(previous_token.text)
            hint = did_you_mean(name, (*FUNCTION_BY_NAME, *ARITY_AND_HINT_BY_SPECIAL_FORM)) or "write *"
            return BadTextError(f'"{name}" is not a function', hint, previous_token.start)
        elif previous_token.kind in ("number", "name") and token.kind in ("number", "name"):
            message, hint = f'"{text}" directly after "{shorten(previous_token.text)}"', "write * between them"
        else:
            hint = "write a decimal with a point" if text == "," else "check the parentheses and signs"
            message = f'"{text}" does not belong here'
        return BadTextError(message, hint, token.start)

    def is_token_skipped(self, text: str) -> bool:
        """True if the token at this place is the sign `text`, which is then passed."""
        is_there = self.current_token.text == text
        self.token_index += is_there
        return is_there

    def skip_required_sign(self, text: str) -> None:
        """Passes the sign `text`. Raises BadTextError if another token stands there."""
        if not self.is_token_skipped(text):
            if self.current_token.kind == "end":
                raise BadTextError(f'"{text}" is missing', "close the parenthesis", self.current_token.start)
            raise self.unexpected_token_error()

    def increment_node_count(self) -> None:
        """Counts one more node of the tree. Raises LimitError beyond MAX_TREE_NODES."""
        self.node_count += 1
        if self.node_count > MAX_TREE_NODES:
            raise LimitError(f"a formula of more than {MAX_TREE_NODES} parts", "split it", self.current_token.start)

    def increment_nesting_depth(self) -> None:
        """Counts one more level of nesting. Raises LimitError beyond MAX_NESTING_DEPTH."""
        self.nesting_depth += 1
        if self.nesting_depth > MAX_NESTING_DEPTH:
            raise LimitError(f"nested deeper than {MAX_NESTING_DEPTH}", "split it into steps", self.current_token.start)

    def parse_operators(self, level: int = 0) -> Tree:
        """Operands joined by operators of this level or tighter: from left to right, powers from right to left, and
        only one comparison."""
        prefix_signs, infix_signs = PREFIX_AND_INFIX_SIGNS_BY_LEVEL[level]
        token = self.current_token
        if token.text in prefix_signs:
            operand = self.parse_operand_after_sign(level)
            return Operation(token.text, (operand,), token.start, token.start, operand.end)
        left = self.parse_single_operand() if level == TIGHTEST_OPERATOR_LEVEL else self.parse_operators(level + 1)
        while (token := self.current_token).text in infix_signs:
            if level == TIGHTEST_OPERATOR_LEVEL:
                right = self.parse_operand_after_sign(level)
            else:
                self.token_index += 1
                right = self.parse_operators(level + 1)
                self.increment_node_count()
            left = Operation(token.text, (left, right), token.start, left.start, right.end)
            if infix_signs is COMPARISON_SIGNS:
                break
        return left

    def parse_operand_after_sign(self, level: int) -> Tree:
        """The operand after the sign at this place, one level deeper."""
        self.token_index += 1
        self.increment_nesting_depth()
        operand = self.parse_operators(level)
        self.nesting_depth -= 1
        self.increment_node_count()
        return operand

    def parse_single_operand(self) -> Tree:
        """A number, a name, a call, or a text in parentheses."""
        token = self.current_token
        if token.kind == "number":
            self.token_index += 1
            self.increment_node_count()
            return NumberNode(token.number, token.unit, not token.text.isdigit(), token.start, token.end)
        if token.kind == "name" and token.text not in ("and", "or", "not"):
            self.token_index += 1
            self.increment_node_count()
            if self.current_token.text == "(" and token.text in _CALLABLE_NAMES:
                return self.parse_call(token)
            if token.text == "impossible":
                return Operation("impossible", (), token.start, token.start, token.end)
            if token.text in _CALLABLE_NAMES:
                raise BadTextError(f'"{token.text}" is a function, not a value', f"write {token.text}(…)", token.start)
            return NameNode(token.text, token.start, token.end)
        if self.is_token_skipped("("):
            self.increment_nesting_depth()
            operand = self.parse_operators()
            self.nesting_depth -= 1
            if self.current_token.text == ",":
                hint = "write tuple(a, b), or a decimal with a point"
                raise BadTextError("several values in parentheses", hint, self.current_token.start)
            self.skip_required_sign(")")
            return operand._replace(start=token.start, end=self.tokens[self.token_index - 1].end)
        raise self.unexpected_token_error()

    def parse_call(self, token: FormulaToken) -> Tree:
        """The call of the function or form in `token`, from its opening parenthesis on."""
        self.skip_required_sign("(")
        self.increment_nesting_depth()
        operands: list[Tree] = []
        while not self.is_token_skipped(")"):
            if operands:
                self.skip_required_sign(",")
            if len(operands) == MAX_ARGUMENTS:
                raise LimitError(f"more than {MAX_ARGUMENTS} arguments", "split it", self.current_token.start)
            operands.append(self.parse_operators())
        self.nesting_depth -= 1
        name, count, function = token.text, len(operands), FUNCTION_BY_NAME.get(token.text)
        min_count, max_count, hint = ARITY_AND_HINT_BY_SPECIAL_FORM.get(name, (1, MAX_ARGUMENTS, "add or remove some"))
        if function is not None:
            min_count, max_count = function.min_argument_count, function.max_argument_count
        if not min_count <= count <= max_count or (name == "case" and count % 2):
            arity_range = f"{min_count} to {max_count}" if max_count < MAX_ARGUMENTS else f"{min_count} or more"
            arity = str(min_count) if min_count == max_count else arity_range
            raise BadTextError(f"{name} takes {arity} argument{'s' * (arity != '1')}, not {count}", hint, token.start)
        return Operation(token.text, tuple(operands), token.start, token.start, self.tokens[self.token_index - 1].end)


# A tree to its kind of value and its run function.

SlotValues = Sequence[Any]
RunFunction = Callable[[SlotValues], Any]
MAX_DIMENSION_POWER: Final = 64  # largest power of a dimension


class ImpossibleAnswer(Exception):
    """Raised by `impossible` in a formula: the answer is that no value is possible."""


class CompiledExpression(NamedTuple):
    """A checked expression. `compute` takes values by slot of its scope, in base units, and returns an int, Fraction or
    float (a bool for a test, a tuple for `tuple`); it raises DomainError or LimitError with the offset of the failed
    operation, or ImpossibleAnswer. `constant_value` is the value of an expression without variables."""

    value_kind: ValueKind
    compute: RunFunction
    constant_value: Any = None


def number_dimension_or_raise(tree: Tree, kind: ValueKind) -> Dim | None:
    """The dimension of an expression that must be a number; None for the literal 0."""
    if kind.type == "number":
        return kind.dim
    words, remedy = WORDS_AND_REMEDY_BY_VALUE_TYPE[kind.type]
    raise BadTextError(f"{words} where a number is needed", remedy, tree.start)


def require_boolean(tree: Tree, compiled: CompiledExpression) -> None:
    """Raises BadTextError unless `compiled` is a test: a comparison, `divides`, a yes-no input, or tests joined by and,
    or, not."""
    if compiled.value_kind.type != "truth" and not compiled.value_kind.is_usable_as_test:
        message = f'"{tree.name}" is not a test' if isinstance(tree, NameNode) else "a test is needed here"
        raise BadTextError(message, "write a comparison such as x > 0", tree.start)


_COMPARISON_BY_SIGN: Final[dict[str, Callable[..., Any]]] = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}
_COMPUTE_COMBINER_BY_LOGICAL_OPERATOR: Final[dict[str, Callable[[tuple[RunFunction, ...]], RunFunction]]] = {
    "and": lambda runs: lambda env: bool(runs[0](env) and runs[1](env)),
    "or": lambda runs: lambda env: bool(runs[0](env) or runs[1](env)),
    "not": lambda runs: lambda env: not runs[0](env),
}


def compile_expression(tree: Tree, scope: NameScope) -> CompiledExpression:
    """A checked expression of a tree. Raises BadTextError, and DomainError or LimitError for constant arithmetic
    without a value: `1/0` is refused when it is read."""
    if isinstance(tree, NumberNode):
        value = tree.value_in_own_unit
        if tree.unit is None:
            return _constant_expression(BARE_NUMBER_KIND if value else ValueKind(dim=None), value)
        return _constant_expression(ValueKind(dim=tree.unit.dim), int_if_whole(value * tree.unit.factor))
    if isinstance(tree, NameNode):
        return _compile_name(tree, scope)
    if tree.name in _COMPARISON_BY_SIGN:
        subject, label = tree.operands
        test, left = _COMPARISON_BY_SIGN[tree.name], compile_expression(subject, scope)
        right = _compile_compared_operand(tree, subject, left.value_kind, label, scope).compute
        return CompiledExpression(TRUTH_KIND, lambda slot_values: test(left.compute(slot_values), right(slot_values)))
    if tree.name == "case":
        return _compile_case(tree, scope)
    parts = tuple(compile_expression(operand, scope) for operand in tree.operands)
    if tree.name in ARITHMETIC_FUNCTION_BY_SIGN:
        return _compile_arithmetic(tree, parts)
    return _compile_call(tree, parts) if tree.name in FUNCTION_BY_NAME else _compile_logic_or_special_form(tree, parts)


def _compile_name(tree: NameNode, scope: NameScope) -> CompiledExpression:
    """An input, a step or a constant. Raises BadTextError for a name that the scope does not have."""
    if (symbol := scope.symbols.get(tree.name)) is not None:
        kind, slot, value = symbol
        return CompiledExpression(kind, itemgetter(slot)) if value is None else _constant_expression(kind, value)
    if tree.name in scope.later_step_names:
        hint = "a step may use inputs and earlier steps: move the one that defines it above this one"
        raise BadTextError(f'"{tree.name}" is not known yet', hint, tree.start)
    symbols = scope.symbols
    if owner := next((name for name, one in symbols.items() if tree.name in one.value_kind.enum_words), ""):
        raise BadTextError(f'"{tree.name}" is a word of {owner}', f"write {owner} == {tree.name}", tree.start)
    default_hint = f"known: {', '.join(symbols)}; give others under `inputs:`" if symbols else "there are no names here"
    hint = did_you_mean(tree.name, [*symbols, *FUNCTION_BY_NAME]) or default_hint
    raise BadTextError(f'unknown name "{shorten(tree.name)}"', hint, tree.start)


def _compile_compared_operand(
    tree: Operation, subject: Tree, subject_kind: ValueKind, operand: Tree, scope: NameScope
) -> CompiledExpression:
    """`operand`, the operand with which `subject` is compared. Next to an enum, a word of the enum is a constant
    text; next to a yes-no, `true` is 1 and `false` 0."""
    if subject_kind.type in ("word", "truth"):
        words = subject_kind.enum_words or ("true", "false")
        if not (isinstance(subject, NameNode) and isinstance(operand, NameNode) and operand.name in words):
            name = shorten(subject.name) if isinstance(subject, NameNode) else "this"
            hint = (did_you_mean(operand.name, words) if isinstance(operand, NameNode) else "") or "write one of them"
            raise BadTextError(f"{name} is one of {', '.join(words)}", hint, operand.start)
        if tree.name not in ("==", "!=", "case"):
            raise BadTextError(f"words have no order for {tree.name}", "use == or !=", tree.operator_offset)
        value = operand.name if subject_kind.type == "word" else int(operand.name == "true")
        return _constant_expression(TRUTH_KIND, value)
    compiled = compile_expression(operand, scope)
    dims = number_dimension_or_raise(subject, subject_kind), number_dimension_or_raise(operand, compiled.value_kind)
    common_dimension(*dims, operand.start if tree.name == "case" else tree.operator_offset, "compared")
    return compiled


def _compile_case(tree: Operation, scope: NameScope) -> CompiledExpression:
    """A `case`: at run time, the branch of the first label that equals the subject, otherwise the last branch."""
    subject = compile_expression(tree.operands[0], scope)
    arms: list[tuple[RunFunction, RunFunction]] = []
    label_values: set[object] = set()
    branches = [compile_expression(branch, scope) for branch in tree.branches]
    for (label, _), branch in zip(tree.labels_with_branches, branches, strict=False):
        compiled = _compile_compared_operand(tree, tree.operands[0], subject.value_kind, label, scope)
        if compiled.constant_value is not None and compiled.constant_value in label_values:
            raise BadTextError("this label appears twice", "the second is never reached", label.start)
        label_values.add(compiled.constant_value)
        arms.append((compiled.compute, branch.compute))

    def run(slot_values: SlotValues) -> Any:
        value = subject.compute(slot_values)
        branch = next((branch for label, branch in arms if label(slot_values) == value), branches[-1].compute)
        return branch(slot_values)

    return CompiledExpression(_common_branch_kind(zip(tree.branches, branches, strict=True)), run)


def _compile_arithmetic(tree: Operation, operands: tuple[CompiledExpression, ...]) -> CompiledExpression:
    """A sign before one number or between two."""
    dims = [number_dimension_or_raise(one, part.value_kind) for one, part in zip(tree.operands, operands, strict=True)]
    first, offset = operands[0].compute, tree.operator_offset
    if len(operands) == 1:
        minus = _fold_if_constant(ValueKind(dim=dims[0]), lambda slot_values: -first(slot_values), operands)
        return operands[0] if tree.name == "+" else minus
    operation, second = ARITHMETIC_FUNCTION_BY_SIGN[tree.name], operands[1].compute

    def run(slot_values: SlotValues) -> Number:
        try:
            return operation(first(slot_values), second(slot_values))
        except FormulaError as error:
            has_decimal = any(isinstance(one, NumberNode) and one.is_decimal for one in tree_nodes(tree))
            error = overflow_error() if has_decimal and isinstance(error, LimitError) else error
            raise error.set_text_offset_if_missing(offset) from None

    dim = _dimension_of_arithmetic(tree, dims, operands[1].constant_value)
    return _fold_if_constant(ValueKind(dim=dim), run, operands)


def _constant_expression(kind: ValueKind, value: Any) -> CompiledExpression:
    return CompiledExpression(kind, lambda slot_values: value, value)


def _fold_if_constant(kind: ValueKind, run: RunFunction, operands: Sequence[CompiledExpression]) -> CompiledExpression:
    """The expression, computed at once if all its parts are constants."""
    if any(part.constant_value is None for part in operands):
        return CompiledExpression(kind, run)
    return _constant_expression(kind, run(()))


def _compile_logic_or_special_form(tree: Operation, operands: tuple[CompiledExpression, ...]) -> CompiledExpression:
    """A compiled `and`, `or`, `not`, `if`, `tuple` or `impossible`."""
    runs = tuple(part.compute for part in operands)
    if tree.name in _COMPUTE_COMBINER_BY_LOGICAL_OPERATOR:
        for operand, part in zip(tree.operands, operands, strict=True):
            require_boolean(operand, part)
        return CompiledExpression(TRUTH_KIND, _COMPUTE_COMBINER_BY_LOGICAL_OPERATOR[tree.name](runs))
    if tree.name == "if":
        require_boolean(tree.operands[0], operands[0])
        kind = _common_branch_kind(zip(tree.branches, operands[1:], strict=True))
        test, then_run, else_run = runs
        return CompiledExpression(kind, lambda slot_values: (then_run if test(slot_values) else else_run)(slot_values))
    if tree.name == "tuple":
        dims = map(number_dimension_or_raise, tree.operands, (part.value_kind for part in operands))
        kind = ValueKind("tuple", _common_dimension_of_operands(tree, dims, "listed together"))
        return CompiledExpression(kind, lambda slot_values: tuple(run(slot_values) for run in runs))

    def run(slot_values: SlotValues) -> Any:
        raise ImpossibleAnswer

    return CompiledExpression(IMPOSSIBLE_KIND, run)


def _compile_call(tree: Operation, operands: tuple[CompiledExpression, ...]) -> CompiledExpression:
    """A compiled call of a function in the table."""
    function, runs = FUNCTION_BY_NAME[tree.name], tuple(part.compute for part in operands)

    def run(slot_values: SlotValues) -> Any:
        try:
            return function.compute(*[run(slot_values) for run in runs])
        except FormulaError as error:
            raise error.set_text_offset_if_missing(tree.start) from None

    first = operands[0].value_kind
    if len(operands) == 1 and first.type == "list" and tree.name in ("sum", "min", "max", "len"):
        return _fold_if_constant(BARE_NUMBER_KIND if tree.name == "len" else ValueKind(dim=first.dim), run, operands)
    if function.unit_rule_name == "length":
        raise BadTextError("len takes a list", "name an input with list: true", tree.operands[0].start)
    dims = [number_dimension_or_raise(one, part.value_kind) for one, part in zip(tree.operands, operands, strict=True)]
    if function.unit_rule_name == "test":
        _require_bare_numbers(tree, dims, allow_counts=True)
        return CompiledExpression(TRUTH_KIND, run)
    return _fold_if_constant(ValueKind(dim=_dimension_of_call(tree, dims)), run, operands)


# Which dimensions fit together in a sum, a comparison or a call, and the dimension of the result. None is the
# dimension of the literal 0, which fits any other.


def common_dimension(left: Dim | None, right: Dim | None, offset: int, error_participle: str) -> Dim | None:
    """The dimension that `left` and `right` share; None stands for an operand that fits any dimension, the literal 0.

    Raises BadTextError at the offset `offset` if the dimensions differ. `error_participle` is the participle in the
    message "B and s cannot be compared"."""
    if left is None or right is None:
        return left if right is None else right
    dim = units.dimension_of_sum(left, right)
    if dim is None:
        names = " and ".join("a bare number" if one.is_bare else str(one) for one in (left, right))
        hint = f"one is {units.dimension_text(left)}, the other {units.dimension_text(right)}"
        raise BadTextError(f"{names} cannot be {error_participle}", hint, offset)
    return dim


def _common_dimension_of_operands(tree: Operation, dims: Iterable[Dim | None], error_participle: str) -> Dim | None:
    result: Dim | None = None
    for operand, dim in zip(tree.operands, dims, strict=False):
        result = common_dimension(result, dim, operand.start, error_participle)
    return result


def _common_branch_kind(branches: Iterable[tuple[Tree, CompiledExpression]]) -> ValueKind:
    """The common kind of branches; `impossible` is compatible with every kind."""
    result: ValueKind | None = None
    for tree, (kind, _, _) in branches:
        if kind.type in ("word", "list"):
            number_dimension_or_raise(tree, kind)
        if kind.type == "impossible":
            continue
        if result is not None and kind.type != result.type:
            message = f"this branch is {WORDS_BY_TYPE[kind.type]}, another {WORDS_BY_TYPE[result.type]}"
            raise BadTextError(message, "make them alike", tree.start)
        if result is not None:
            kind = ValueKind(result.type, common_dimension(result.dim, kind.dim, tree.start, "branches of one value"))
        result = kind
    return result or IMPOSSIBLE_KIND


_PARTICIPLE_BY_SIGN: Final = {"+": "added", "-": "subtracted", "%": "divided with a remainder"}


def _dimension_of_arithmetic(tree: Operation, dims: list[Dim | None], constant_exponent: Number | None) -> Dim | None:
    """The dimension of two operands of dimensions `dims` joined by a sign; `constant_exponent` is the second operand if
    it is a constant."""
    left, right = dims
    if tree.name in _PARTICIPLE_BY_SIGN:
        return common_dimension(left, right, tree.operator_offset, _PARTICIPLE_BY_SIGN[tree.name])
    left_dim, right_dim = left or DIMENSIONLESS, right or DIMENSIONLESS
    if tree.name == "**":
        exponent = 1 if left_dim.is_bare else constant_exponent
        if not right_dim.is_bare and not right_dim.count_label:
            raise BadTextError(f"an exponent in {right_dim}", "an exponent is a bare number", tree.operator_offset)
        if exponent is None or isinstance(exponent, float):
            hint = f"divide the base by 1 {left_dim} first, or write the exponent as a number"
            raise BadTextError(f"a power of {left_dim} needs a fixed exponent", hint, tree.operator_offset)
        dim = left_dim ** Fraction(exponent)
    else:
        dim = left_dim * right_dim if tree.name == "*" else left_dim / right_dim
    if any(not -MAX_DIMENSION_POWER <= power <= MAX_DIMENSION_POWER for _, power in dim.powers):
        raise BadTextError(f"no amount has the unit {dim}", "check the powers", tree.operator_offset)
    if tree.name != "//":
        return dim
    if units.dimension_of_sum(left_dim, right_dim) is not None:
        return left_dim if left_dim.count_label and right_dim.is_bare else DIMENSIONLESS
    if units.dim_without_work_sharing_labels(dim).is_bare or (left_dim.count_label and right_dim.count_label):
        return dim
    hint = "divide two amounts of one kind, or use floor"
    raise BadTextError(f"{left_dim} // {right_dim} depends on the unit", hint, tree.operator_offset)


def _dimension_of_call(tree: Operation, dims: list[Dim | None]) -> Dim | None:
    """The dimension of a function's result for operands of dimensions `dims`, by the function's rule."""
    rule = FUNCTION_BY_NAME[tree.name].unit_rule_name
    operand_dims = dims[:1] if rule == "digits" else dims
    if rule == "root":
        return None if dims[0] is None else dims[0] ** Fraction(1, 2)
    if rule in ("bare", "log", "count", "digits"):
        _require_bare_numbers(tree, operand_dims, allow_counts=rule != "bare")
    if rule in ("bare", "log"):
        return DIMENSIONLESS
    if len(operand_dims) < len(dims) and not (dims[1] or DIMENSIONLESS).is_bare:
        raise BadTextError(f"{tree.name} to {dims[1]} digits", "write a whole number", tree.operands[1].start)
    participle = "compared" if tree.name in ("min", "max") else "taken together"
    result = _common_dimension_of_operands(tree, operand_dims, participle)
    return DIMENSIONLESS if rule == "angle" else result or DIMENSIONLESS if rule in ("count", "digits") else result


def _require_bare_numbers(tree: Operation, dims: list[Dim | None], allow_counts: bool) -> None:
    """Raises BadTextError for operands that are not bare numbers; with `allow_counts`, counts of one thing are allowed
    as well."""
    for operand, dim in zip(tree.operands, dims, strict=False):
        if dim and not units.dim_without_work_sharing_labels(dim).is_bare and not (allow_counts and dim.count_label):
            message, hint = f"{tree.name} of {units.dimension_text(dim)}", "it takes a bare number: divide by a unit"
            if allow_counts:
                message, hint = f"{message} depends on the unit", f"divide by a unit first: {tree.name}(… / (1 {dim}))"
            raise BadTextError(message, hint, operand.start)
