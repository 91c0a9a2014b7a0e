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
from quizgen.formula.language.tree import (
    Binary,
    Call,
    CaseOf,
    Compare,
    If,
    Impossible,
    Logic,
    Name,
    Not,
    Num,
    Tree,
    Tuple,
    Unary,
)
from quizgen.formula.units import Labels
from quizgen.source import did_you_mean, shorten

MAX_DEPTH: Final = 50
MAX_NODES: Final = 300
MAX_ARGS: Final = 16

FORMS: Final = ("if", "case", "tuple")
WORDS: Final = ("and", "or", "not", "impossible")
COMPARISONS: Final = frozenset({"<", "<=", ">", ">=", "==", "!="})


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
    tree = parser.test()
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

    # -- tests ------------------------------------------------------------------------------

    def test(self) -> Tree:
        left = self.conjunction()
        while self.token.text == "or" and self.token.kind == "name":
            at = self.token.start
            self.at += 1
            right = self.conjunction()
            self.grow()
            left = Logic("or", left, right, at, left.start, right.end)
        return left

    def conjunction(self) -> Tree:
        left = self.negation()
        while self.token.text == "and" and self.token.kind == "name":
            at = self.token.start
            self.at += 1
            right = self.negation()
            self.grow()
            left = Logic("and", left, right, at, left.start, right.end)
        return left

    def negation(self) -> Tree:
        start = self.token.start
        if self.take("not"):
            self.deeper()
            operand = self.negation()
            self.depth -= 1
            self.grow()
            return Not(operand, start, operand.end)
        return self.comparison()

    def comparison(self) -> Tree:
        left = self.sum()
        token = self.token
        if token.kind == "sign" and token.text in COMPARISONS:
            self.at += 1
            right = self.sum()
            self.grow()
            return Compare(token.text, left, right, token.start, left.start, right.end)
        return left

    # -- numbers ----------------------------------------------------------------------------

    def sum(self) -> Tree:
        left = self.product()
        while (token := self.token).kind == "sign" and token.text in ("+", "-"):
            self.at += 1
            right = self.product()
            self.grow()
            left = Binary(token.text, left, right, token.start, left.start, right.end)
        return left

    def product(self) -> Tree:
        left = self.sign()
        while (token := self.token).kind == "sign" and token.text in ("*", "/", "//", "%"):
            self.at += 1
            right = self.sign()
            self.grow()
            left = Binary(token.text, left, right, token.start, left.start, right.end)
        return left

    def sign(self) -> Tree:
        token = self.token
        if token.kind == "sign" and token.text in ("-", "+"):
            self.at += 1
            self.deeper()
            operand = self.sign()
            self.depth -= 1
            self.grow()
            return Unary(token.text, operand, token.start, operand.end)
        return self.power()

    def power(self) -> Tree:
        left = self.atom()
        token = self.token
        if token.kind == "sign" and token.text == "**":
            self.at += 1
            self.deeper()
            right = self.sign()
            self.depth -= 1
            self.grow()
            return Binary("**", left, right, token.start, left.start, right.end)
        return left

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
            inner = self.test()
            self.depth -= 1
            if self.token.text == ",":
                raise RejectError("syntax", "several values in parentheses", "write tuple(a, b)", self.token.start)
            self.expect(")")
            return inner._replace(start=token.start, end=self.tokens[self.at - 1].end)
        raise _unexpected(token, self.before)

    def word(self, token: Token) -> Tree:
        if token.text == "impossible":
            return Impossible(token.start, token.end)
        if is_reserved(token.text):
            raise RejectError(
                "call", f'"{token.text}" is a function, not a value', f"write {token.text}(…)", token.start
            )
        return Name(token.text, token.start, token.end)

    def call(self, token: Token) -> Tree:
        self.expect("(")
        self.deeper()
        args: list[Tree] = []
        while not self.take(")"):
            if args:
                self.expect(",")
            if len(args) == MAX_ARGS:
                raise LimitError("too-many", f"more than {MAX_ARGS} arguments", "split it", self.token.start)
            args.append(self.test())
        self.depth -= 1
        return _form(token, tuple(args), self.tokens[self.at - 1].end)


def _form(token: Token, args: tuple[Tree, ...], end: int) -> Tree:
    """A call, with its number of arguments checked."""
    name, start, count = token.text, token.start, len(args)
    if name == "if":
        if count != 3:
            raise RejectError("arity", f"if takes 3 arguments, not {count}", "write if(test, a, b)", start)
        return If(args[0], args[1], args[2], start, end)
    if name == "case":
        if count < 4 or count % 2:
            raise RejectError(
                "arity", f"case with {count} arguments", "write case(x, 0, a, 1, b, c): pairs, then the rest", start
            )
        pairs = tuple((args[i], args[i + 1]) for i in range(1, count - 1, 2))
        return CaseOf(args[0], pairs, args[-1], start, end)
    if name == "tuple":
        if count < 2:
            raise RejectError("arity", f"tuple of {count} values", "write tuple(a, b)", start)
        return Tuple(args, start, end)
    least, most = FUNCTIONS[name].least, FUNCTIONS[name].most
    if not least <= count <= most:
        wanted = str(least) if least == most else f"{least} to {most}" if most < MAX_ARGS else f"{least} or more"
        plural = "" if wanted == "1" else "s"
        raise RejectError("arity", f"{name} takes {wanted} argument{plural}, not {count}", "add or remove some", start)
    return Call(name, args, start, end)
