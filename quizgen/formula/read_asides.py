"""What stands beside an answer and is none of it: the reason behind it, the inputs in parentheses."""

from __future__ import annotations

from collections.abc import Sequence

from quizgen.formula.read_token import NUMBER, WORD, Token


def without_reasons(tokens: Sequence[Token]) -> Sequence[Token]:
    """`14 because 13 does not fit`: what comes after the reason is none of the answer."""
    seen = False
    for at, token in enumerate(tokens):
        seen = seen or token.kind == NUMBER
        if seen and token.kind == WORD and token.low in ("because", "since"):
            return tokens[:at]
    return tokens


def without_asides(tokens: Sequence[Token]) -> Sequence[Token]:
    """`6.5 GB (K = 32)`: inputs in parentheses behind a number are none of the answer."""
    for at in range(1, len(tokens) - 3):
        if tokens[at].is_sign("(") and tokens[at + 1].kind == WORD and tokens[at + 2].is_sign("="):
            end = next((i for i in range(at, len(tokens)) if tokens[i].is_sign(")")), None)
            if end is not None and any(t.kind == NUMBER for t in tokens[:at]):
                return [*tokens[:at], *tokens[end + 1 :]]
    return tokens
