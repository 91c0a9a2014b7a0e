"""Parses the text of a formula into a frozen tree whose nodes have their offsets in the text.

`start` and `end` are offsets into the source. A node is a number, a name, or an operation on operands. Nodes are named
tuples, not dataclasses: such a class takes seven times as long to set up, and `quizgen solve` must start at once."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.formula.errors import FormulaError, LimitError, RejectError
from quizgen.formula.expression.functions import FUNCTIONS, MAX_ARGUMENTS
from quizgen.formula.quantity import Number, Quantity, exact_number_text, read_number_literal
from quizgen.formula.unit_table import HINT_BY_UNKNOWN_UNIT, TIME
from quizgen.formula.units import DIMENSIONLESS, BankLabels, Dim, Unit, find_unit, parse_unit
from quizgen.source.problems import did_you_mean, shorten

COMPARISON_SIGNS: Final = ("<", "<=", ">", ">=", "==", "!=")


class Num(NamedTuple):
    """A number with its unit as written; `is_decimal` if it has a point or an exponent."""

    value: Number
    unit: Unit | None
    is_decimal: bool
    start: int
    end: int


class Name(NamedTuple):
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
    def case_pairs(self) -> list[tuple[Tree, Tree]]:
        """The labels of a `case` with their branches."""
        inner = self.operands[1:-1]
        return list(zip(inner[::2], inner[1::2], strict=True))

    @property
    def branches(self) -> tuple[Tree, ...]:
        """The branches of an `if` or a `case`, one of which is its value; () for any other operation."""
        return {"if": self.operands[1:], "case": (*self.operands[2:-1:2], *self.operands[-1:])}.get(self.name, ())


Tree = Num | Name | Operation


def walk_tree(tree: Tree) -> Iterator[Tree]:
    """Yields the tree and all nodes below it, from left to right."""
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, Operation):
            waiting += reversed(one.operands)


def name_nodes(tree: Tree) -> tuple[Name, ...]:
    """Every name in the tree, from left to right."""
    return tuple(one for one in walk_tree(tree) if isinstance(one, Name))


def operation_names(tree: Tree) -> frozenset[str]:
    """The names of the signs, forms and functions in the tree."""
    return frozenset(one.name for one in walk_tree(tree) if isinstance(one, Operation))


def is_piecewise(tree: Tree) -> bool:
    """True if the tree has a choice, a test, rounding, or a minimum or maximum."""
    return not operation_names(tree).isdisjoint(_PIECEWISE_OPERATIONS)


_PIECEWISE_OPERATIONS: Final = (
    *COMPARISON_SIGNS, "if", "case", "//", "%",
    "min", "max", "ceil", "floor", "round", "round_sig", "ceil_log2", "next_pow2", "divides", "gcd", "lcm",
)  # fmt: skip


# Names that an expression may use: inputs, constants and earlier steps, each with its kind and place.


class ValueKind(NamedTuple):
    """The type of an expression's value. `shape` is number, truth, word, list, tuple or impossible.

    `dim` None is the literal 0, which fits every dimension. `enum_words` are an enum's. `is_yes_no` marks a number that
    may also be used as a test, because it is 0 or 1."""

    shape: str = "number"
    dim: Dim | None = DIMENSIONLESS
    enum_words: tuple[str, ...] = ()
    is_yes_no: bool = False


SHAPE_WORDS: Final = {
    "number": "a number",
    "truth": "a test",
    "word": "a word",
    "list": "a list",
    "tuple": "a tuple",
    "impossible": "impossible",
}
NUMBER_KIND: Final = ValueKind()
ZERO_KIND: Final = ValueKind(dim=None)
TRUTH_KIND: Final = ValueKind("truth")
IMPOSSIBLE_KIND: Final = ValueKind("impossible", None)


class Symbol(NamedTuple):
    """One name: its kind, and either its slot in the values of a run or a constant's amount."""

    kind: ValueKind
    slot: int = -1
    constant_value: Number | None = None


class NameScope(NamedTuple):
    """The names of an expression: `symbols` by name; `later_steps` are steps that come later and have no value yet."""

    symbols: Mapping[str, Symbol]
    later_steps: frozenset[str] = frozenset()


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
_UNIT_PATTERN = re.compile(r" *((?!(?:and|or)\b)[A-Za-z_]\w*(?:[-/][A-Za-z_]\w*)*)(?![\w(])", re.ASCII)
_LAST_UNIT_PART_PATTERN = re.compile(r"[-/]\w+$")
_NO_OPERAND_PATTERN = re.compile(r" *(?:$|[)<>=!,*/%]|and\b|or\b)")  # cannot follow the sign of a remainder

_HINT_BY_CHARACTER: Final = {
    "^": "write ** for a power", "=": "write == to compare", "&": "write and", "|": "write or",
    "!": "write not, or != to compare", "'": "there are no strings here", '"': "there are no strings here",
    ".": "there are no attributes here; a number starts with a digit", "[": "a list is an input with `list: true`",
    "{": "write the name without braces", "$": "write USD after the number", "?": "write if(test, a, b)",
    ":": "write if(test, a, b) or case(x, 0, a, b)", "#": "there are no comments inside a formula",
    "\n": "write the formula on one line", "\t": "only spaces may be between the parts",
    "×": "write *", "÷": "write /", "·": "write *", "−": "write -", "≤": "write <=", "≥": "write >=",
}  # fmt: skip


class Token(NamedTuple):
    """One token: `kind` is number, name, sign or end; `text` is as written; a number has `value` and `unit`."""

    kind: str
    text: str
    start: int
    end: int
    value: Number = 0
    unit: Unit | None = None


def tokenize(source: str, bank_labels: BankLabels = ()) -> list[Token]:
    """The tokens of a formula, the last of kind `end`; `bank_labels` are the bank's own units. Raises RejectError or
    LimitError."""
    if len(source) > MAX_EXPRESSION_CHARACTERS:
        raise LimitError(f"a formula of more than {MAX_EXPRESSION_CHARACTERS} characters", "split it into steps", 0)
    foreign = next((at for at, char in enumerate(source) if not char.isascii()), None)
    if foreign is not None:
        raise _unreadable_character_error(source, foreign)
    tokens: list[Token] = []
    at, end = 0, len(source.rstrip(" "))
    while at < end:
        match = _TOKEN_PATTERN.match(source, at)
        if match is None:
            raise _unreadable_character_error(source, end - len(source[at:end].lstrip(" ")))
        kind = match.lastgroup or ""
        text, start, at = match[kind], match.start(kind), match.end()
        if kind == "number":
            token = _number_token(source, text, start, at, bank_labels)
            at = token.end
            if source[at : at + 1] == "%" and _NO_OPERAND_PATTERN.match(source, at + 1):
                share = exact_number_text(Fraction(token.value) / 100)
                hint = f"write {share}: in a formula a percentage is a fraction"
                raise RejectError(f'"{text}%" asks for a remainder here', hint, start)
        else:
            if kind == "name" and len(text) > MAX_NAME_CHARACTERS:
                raise LimitError(f"a name of more than {MAX_NAME_CHARACTERS} characters", "shorten it", start)
            token = Token(kind, text, start, at)
        tokens.append(token)
    tokens.append(Token("end", "", len(source), len(source)))
    return tokens


def _unreadable_character_error(source: str, offset: int) -> RejectError:
    char = source[offset]
    shown = f'"{char}"' if char.isascii() and char.isprintable() else f"U+{ord(char):04X}"
    usual = "take it out" if char.isascii() else "write plain ASCII characters"
    return RejectError(f"{shown} is not read here", _HINT_BY_CHARACTER.get(char, usual), offset)


def _number_token(source: str, number_text: str, start: int, end: int, bank_labels: BankLabels) -> Token:
    """The number at `start` to `end`, with the longest spelling of a unit directly after it."""
    if number_text[0] == "0" and number_text[1:2].isdigit():
        raise RejectError(f'"{shorten(number_text)}" starts with a zero', "write it without leading zeros", start)
    try:
        value = read_number_literal(number_text)
    except FormulaError as error:
        raise error.with_column(start) from None
    match = _UNIT_PATTERN.match(source, end)
    if match is None:
        return Token("number", number_text, start, end, value)
    spelling, at = match[1], match.start(1)
    while not all(_is_unit(part, bank_labels) for part in spelling.split("/")):
        shorter = _LAST_UNIT_PART_PATTERN.sub("", spelling)
        if shorter != spelling:
            spelling = shorter
            continue
        if spelling.startswith("_"):
            raise RejectError(f'"{shorten(number_text + spelling)}" is not a number', "write 1000000 or 1e6", at)
        if number_text == "0" and re.fullmatch("[xXoObB][0-9a-fA-F]+", spelling):
            raise RejectError("only decimal numbers are read", "write it in decimal", start)
        message = f'unknown unit "{shorten(spelling)}"'
        hint = HINT_BY_UNKNOWN_UNIT.get(spelling, f"write {number_text} * {shorten(spelling)} if it is a name")
        if spelling in ("if", "else", "not", "in", "is"):
            message, hint = (
                f'"{spelling}" after a number',
                "write if(test, a, b); a test is possible only there or in require",
            )
        raise RejectError(message, hint, at)
    return Token("number", number_text, start, at + len(spelling), value, parse_unit(spelling, bank_labels))


def _is_unit(part: str, bank_labels: BankLabels) -> bool:
    """True for the spelling of a unit without `/`: GB, micro-batch, GPU-h. `s-x` is a difference."""
    left, right = (find_unit(name, bank_labels) for name in part.rpartition("-")[::2])
    spent = left is not None and bool(left.dim.label) and right is not None and right.dim.powers == ((TIME, 1),)
    return spent or find_unit(part, bank_labels) is not None


# A formula's text to its tree, by operator precedence, within fixed limits.
#
# From loose to tight: `or`, `and`, `not`, comparison (one, not a chain), `+ -`, `* / // %`, sign,
# `**` (right to left). So `-2**2` is -4 and `2**3**2` is 512. Nothing here is evaluated as Python: the grammar
# has no attribute, subscript, string, assignment or function value.


MAX_NESTING_DEPTH: Final = 50
MAX_TREE_NODES: Final = 300

# Special forms: the least and the most operands, and how to write it.
SPECIAL_FORMS: Final = {
    "if": (3, 3, "write if(test, a, b)"),
    "case": (4, MAX_ARGUMENTS, "write case(x, 0, a, 1, b, c): pairs, then the rest"),
    "tuple": (2, MAX_ARGUMENTS, "write tuple(a, b)"),
}
RESERVED_WORDS: Final = ("and", "or", "not", "impossible")
# From loose to tight: signs before one operand, and signs between two.
OPERATOR_LEVELS: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    ((), ("or",)),
    ((), ("and",)),
    (("not",), COMPARISON_SIGNS),
    ((), ("+", "-")),
    ((), ("*", "/", "//", "%")),
    (("-", "+"), ("**",)),
)
TIGHTEST_OPERATOR_LEVEL: Final = len(OPERATOR_LEVELS) - 1


_CALLABLE_NAMES: Final = frozenset((*FUNCTIONS, *SPECIAL_FORMS))


def is_reserved_name(name: str) -> bool:
    """True if the language itself uses this name, so that an author may not."""
    return name in _CALLABLE_NAMES or name in RESERVED_WORDS


def parse_expression(source: str, bank_labels: BankLabels = ()) -> Tree:
    """The tree of a formula; `bank_labels` are the bank's own units. Raises RejectError or LimitError with the offset
    of the offending place."""
    tokens = tokenize(source, bank_labels)
    if len(tokens) == 1:
        raise RejectError("the formula is empty", "write an expression", 0)
    parser = _Parser(tokens)
    tree = parser.parse_operators()
    if parser.current_token.kind != "end":
        raise parser.unexpected_token_error()
    return tree


class _Parser:
    """One run over the tokens. `depth` counts nesting, `nodes` the nodes made so far."""

    __slots__ = ("at", "depth", "nodes", "tokens")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.nodes = 0

    @property
    def current_token(self) -> Token:
        """The token at this place."""
        return self.tokens[self.at]

    def unexpected_token_error(self) -> RejectError:
        """The error for the token at this place."""
        token, before = self.current_token, self.tokens[self.at - 1] if self.at else Token("sign", "", 0, 0)
        text = shorten(token.text)
        if token.kind == "end":
            message, hint = "the formula ends too early", "write the missing part"
        elif token.text in COMPARISON_SIGNS:
            message, hint = f'a second comparison "{text}"', "join two comparisons with and"
        elif token.text == "(" and before.kind == "name":
            name = shorten(before.text)
            hint = did_you_mean(name, (*FUNCTIONS, *SPECIAL_FORMS)) or "write *"
            return RejectError(f'"{name}" is not a function', hint, before.start)
        elif before.kind in ("number", "name") and token.kind in ("number", "name"):
            message, hint = f'"{text}" directly after "{shorten(before.text)}"', "write * between them"
        else:
            hint = "write a decimal with a point" if text == "," else "check the parentheses and signs"
            message = f'"{text}" does not belong here'
        return RejectError(message, hint, token.start)

    def skip_token_if(self, text: str) -> bool:
        """True if the token at this place is the name or sign `text`, which is then passed."""
        token = self.tokens[self.at]
        if token.text == text and token.kind != "number":
            self.at += 1
            return True
        return False

    def require_sign(self, text: str) -> None:
        """Passes the sign `text`. Raises RejectError if another token stands there."""
        if not self.skip_token_if(text):
            if self.current_token.kind == "end":
                raise RejectError(f'"{text}" is missing', "close the parenthesis", self.current_token.start)
            raise self.unexpected_token_error()

    def count_node(self) -> None:
        """Counts one more node of the tree. Raises LimitError beyond MAX_TREE_NODES."""
        self.nodes += 1
        if self.nodes > MAX_TREE_NODES:
            raise LimitError(f"a formula of more than {MAX_TREE_NODES} parts", "split it", self.current_token.start)

    def enter_nesting(self) -> None:
        """Counts one more level of nesting. Raises LimitError beyond MAX_NESTING_DEPTH."""
        self.depth += 1
        if self.depth > MAX_NESTING_DEPTH:
            raise LimitError(f"nested deeper than {MAX_NESTING_DEPTH}", "split it into steps", self.current_token.start)

    def parse_operators(self, level: int = 0) -> Tree:
        """Operands joined by operators of this level or tighter: from left to right, powers from right to left, and
        only one comparison."""
        before, between = OPERATOR_LEVELS[level]
        token = self.current_token
        if token.text in before:
            operand = self.parse_operand(level)
            return Operation(token.text, (operand,), token.start, token.start, operand.end)
        left = self.parse_atom() if level == TIGHTEST_OPERATOR_LEVEL else self.parse_operators(level + 1)
        while (token := self.current_token).text in between:
            if level == TIGHTEST_OPERATOR_LEVEL:
                right = self.parse_operand(level)
            else:
                self.at += 1
                right = self.parse_operators(level + 1)
                self.count_node()
            left = Operation(token.text, (left, right), token.start, left.start, right.end)
            if between is COMPARISON_SIGNS:
                break
        return left

    def parse_operand(self, level: int) -> Tree:
        """The operand after the sign at this place, one level deeper."""
        self.at += 1
        self.enter_nesting()
        operand = self.parse_operators(level)
        self.depth -= 1
        self.count_node()
        return operand

    def parse_atom(self) -> Tree:
        """A number, a name, a call, or a text in parentheses."""
        token = self.current_token
        if token.kind == "number":
            self.at += 1
            self.count_node()
            return Num(token.value, token.unit, not token.text.isdigit(), token.start, token.end)
        if token.kind == "name" and token.text not in ("and", "or", "not"):
            self.at += 1
            self.count_node()
            if self.current_token.text == "(" and token.text in _CALLABLE_NAMES:
                return self.parse_call(token)
            if token.text == "impossible":
                return Operation("impossible", (), token.start, token.start, token.end)
            if token.text in _CALLABLE_NAMES:
                raise RejectError(f'"{token.text}" is a function, not a value', f"write {token.text}(…)", token.start)
            return Name(token.text, token.start, token.end)
        if self.skip_token_if("("):
            self.enter_nesting()
            inner = self.parse_operators()
            self.depth -= 1
            if self.current_token.text == ",":
                hint = "write tuple(a, b), or a decimal with a point"
                raise RejectError("several values in parentheses", hint, self.current_token.start)
            self.require_sign(")")
            return inner._replace(start=token.start, end=self.tokens[self.at - 1].end)
        raise self.unexpected_token_error()

    def parse_call(self, token: Token) -> Tree:
        """The call of the function or form in `token`, from its opening parenthesis on."""
        self.require_sign("(")
        self.enter_nesting()
        operands: list[Tree] = []
        while not self.skip_token_if(")"):
            if operands:
                self.require_sign(",")
            if len(operands) == MAX_ARGUMENTS:
                raise LimitError(f"more than {MAX_ARGUMENTS} arguments", "split it", self.current_token.start)
            operands.append(self.parse_operators())
        self.depth -= 1
        name, count, function = token.text, len(operands), FUNCTIONS.get(token.text)
        least, most, hint = SPECIAL_FORMS.get(name, (1, MAX_ARGUMENTS, "add or remove some"))
        if function is not None:
            least, most = function.min_arguments, function.max_arguments
        if not least <= count <= most or (name == "case" and count % 2):
            upper = f"{least} to {most}" if most < MAX_ARGUMENTS else f"{least} or more"
            wanted = str(least) if least == most else upper
            plural = "" if wanted == "1" else "s"
            raise RejectError(f"{name} takes {wanted} argument{plural}, not {count}", hint, token.start)
        return Operation(token.text, tuple(operands), token.start, token.start, self.tokens[self.at - 1].end)
