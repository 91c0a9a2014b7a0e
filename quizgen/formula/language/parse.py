"""A formula's text to its tree, by precedence, within fixed limits.

From loose to tight: `or`, `and`, `not`, comparison (one, not a chain), `+ -`, `* / // %`, sign,
`**` (right to left). So `-2**2` is -4 and `2**3**2` is 512. Nothing here is Python: there is no
attribute, subscript, string, assignment or function value to reach for.
"""

from __future__ import annotations

from typing import Final

from quizgen.formula.errors import LimitError, RejectError
from quizgen.formula.language.functions import FUNCTIONS
from quizgen.formula.language.tokens import Token, tokenize
from quizgen.formula.language.tree import COMPARISONS, Name, Num, Operation, Tree
from quizgen.formula.units import Labels
from quizgen.source import did_you_mean, shorten

MAX_DEPTH: Final = 50
MAX_NODES: Final = 300
MAX_ARGS: Final = 16

FORMS: Final = ("if", "case", "tuple")
WORDS: Final = ("and", "or", "not", "impossible")
# From loose to tight: signs before one operand, and signs between two.
LEVELS: Final[tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]] = (
    ((), ("or",)),
    ((), ("and",)),
    (("not",), COMPARISONS),
    ((), ("+", "-")),
    ((), ("*", "/", "//", "%")),
    (("-", "+"), ("**",)),
)
TIGHTEST: Final = len(LEVELS) - 1


def _callable(name: str) -> bool:
    return name in FUNCTIONS or name in FORMS


def is_reserved(name: str) -> bool:
    """The language itself uses this name, so nothing of an author may carry it."""
    return _callable(name) or name in WORDS


def parse(source: str, labels: Labels = ()) -> Tree:
    """The tree of a formula; `labels` are those of its bank. Raises RejectError or LimitError with the offset of
    the offending place."""
    tokens = tokenize(source, labels)
    if len(tokens) == 1:
        raise RejectError("empty", "the formula is empty", "write an expression", 0)
    parser = _Parser(tokens)
    tree = parser.joined()
    token = parser.token
    if token.kind != "end":
        raise _unexpected(token, parser.before)
    return tree


def _unexpected(token: Token, before: Token | None) -> RejectError:
    if token.kind == "end":
        return RejectError("syntax", "the formula ends too early", "write the missing part", token.start)
    text = shorten(token.text)
    if token.text in COMPARISONS:
        return RejectError("syntax", f'a second comparison "{text}"', "join two comparisons with and", token.start)
    if token.text == "(" and before is not None and before.kind == "name":
        name = shorten(before.text)
        return RejectError(
            "call", f'"{name}" is no function', did_you_mean(name, (*FUNCTIONS, *FORMS)) or "write *", before.start
        )
    if before is not None and before.kind in ("number", "name") and token.kind in ("number", "name"):
        message = f'"{text}" directly after "{shorten(before.text)}"'
        return RejectError("syntax", message, "write * between them", token.start)
    return RejectError("syntax", f'"{text}" does not belong here', "check the parentheses and signs", token.start)


class _Parser:
    """One run over the tokens. `depth` counts nesting, `nodes` what was built."""

    __slots__ = ("at", "depth", "nodes", "tokens")

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens
        self.at = 0
        self.depth = 0
        self.nodes = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def before(self) -> Token | None:
        return self.tokens[self.at - 1] if self.at else None

    def take(self, text: str) -> bool:
        token = self.tokens[self.at]
        if token.text == text and token.kind != "number":
            self.at += 1
            return True
        return False

    def expect(self, text: str) -> None:
        if not self.take(text):
            token = self.token
            if token.kind == "end":
                raise RejectError("syntax", f'"{text}" is missing', "close the parenthesis", token.start)
            raise _unexpected(token, self.before)

    def grow(self) -> None:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            raise LimitError("too-many", f"a formula of more than {MAX_NODES} parts", "split it", self.token.start)

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise LimitError("too-deep", f"nested deeper than {MAX_DEPTH}", "split it into steps", self.token.start)

    def joined(self, level: int = 0) -> Tree:
        """Operands with signs of this level or tighter: from left to right, but powers from right to left, and of
        comparisons one alone."""
        before, between = LEVELS[level]
        token = self.token
        if token.text in before:
            operand = self.nested(level)
            return Operation(token.text, (operand,), token.start, token.start, operand.end)
        left = self.atom() if level == TIGHTEST else self.joined(level + 1)
        while (token := self.token).text in between:
            if level == TIGHTEST:
                right = self.nested(level)
            else:
                self.at += 1
                right = self.joined(level + 1)
                self.grow()
            left = Operation(token.text, (left, right), token.start, left.start, right.end)
            if between is COMPARISONS:
                break
        return left

    def nested(self, level: int) -> Tree:
        """The operand behind the sign that stands here, one deeper."""
        self.at += 1
        self.deeper()
        operand = self.joined(level)
        self.depth -= 1
        self.grow()
        return operand

    def atom(self) -> Tree:
        token = self.token
        if token.kind == "number":
            self.at += 1
            self.grow()
            decimal = not token.text.isdigit()
            return Num(token.value, token.unit, decimal, token.start, token.end)
        if token.kind == "name" and token.text not in ("and", "or", "not"):
            self.at += 1
            self.grow()
            if self.token.text == "(" and self.token.kind == "sign" and _callable(token.text):
                return self.call(token)
            return self.word(token)
        if self.take("("):
            self.deeper()
            inner = self.joined()
            self.depth -= 1
            if self.token.text == ",":
                raise RejectError("syntax", "several values in parentheses", "write tuple(a, b)", self.token.start)
            self.expect(")")
            return inner._replace(start=token.start, end=self.tokens[self.at - 1].end)
        raise _unexpected(token, self.before)

    def word(self, token: Token) -> Tree:
        if token.text == "impossible":
            return Operation("impossible", (), token.start, token.start, token.end)
        if is_reserved(token.text):
            raise RejectError(
                "call", f'"{token.text}" is a function, not a value', f"write {token.text}(…)", token.start
            )
        return Name(token.text, token.start, token.end)

    def call(self, token: Token) -> Tree:
        self.expect("(")
        self.deeper()
        operands: list[Tree] = []
        while not self.take(")"):
            if operands:
                self.expect(",")
            if len(operands) == MAX_ARGS:
                raise LimitError("too-many", f"more than {MAX_ARGS} arguments", "split it", self.token.start)
            operands.append(self.joined())
        self.depth -= 1
        _check_count(token.text, len(operands), token.start)
        return Operation(token.text, tuple(operands), token.start, token.start, self.tokens[self.at - 1].end)


def _check_count(name: str, count: int, start: int) -> None:
    """Whether a form or a function takes so many operands."""
    if name == "if":
        takes, told, hint = count == 3, f"if takes 3 arguments, not {count}", "write if(test, a, b)"
    elif name == "case":
        takes = count >= 4 and count % 2 == 0
        told, hint = f"case with {count} arguments", "write case(x, 0, a, 1, b, c): pairs, then the rest"
    elif name == "tuple":
        takes, told, hint = count >= 2, f"tuple of {count} values", "write tuple(a, b)"
    else:
        least, most = FUNCTIONS[name].least, FUNCTIONS[name].most
        wanted = str(least) if least == most else f"{least} to {most}" if most < MAX_ARGS else f"{least} or more"
        plural = "" if wanted == "1" else "s"
        takes = least <= count <= most
        told, hint = f"{name} takes {wanted} argument{plural}, not {count}", "add or remove some"
    if not takes:
        raise RejectError("arity", told, hint, start)
