"""Numbers that words join: `7 of 15`, `two and a half hours`, `a third of 96 GB`, `twice 16`, `a minute`.

Passed over, these words would leave one of the numbers as the answer, which is worse than no reading.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from quizgen.formula.read_number import Literal
from quizgen.formula.read_spelled import PARTS, SMALL, TENS, spelled_at
from quizgen.formula.read_spelling import spelt
from quizgen.formula.read_token import NUMBER, SIGN, WORD, Token
from quizgen.formula.read_tokens import SAID_SIGNS, said
from quizgen.formula.read_words import CONTEXT, MAGNITUDE_WORDS, PROSE
from quizgen.formula.unit_table import TIME
from quizgen.formula.units import Unit

_ARTICLES: Final = ("a", "an", "one")
_FACTORS: Final = {"twice": 2, "double": 2, "thrice": 3, "triple": 3}
_ALONE: Final = ("as", "much", "many", "the", "that", "of", "it", "more", "a", "factor")


def joined(tokens: Sequence[Token], asked: Unit) -> Sequence[Token]:
    """The tokens with joining words as signs or worked in. Linear; refuses nothing."""
    if not any(t.kind == NUMBER for t in tokens):
        return _without_digits(tokens)
    if all(t.kind == NUMBER or (t.kind == WORD and t.low not in _JOINING) for t in tokens):
        return tokens  # the usual case, quickly
    numbers = sum(t.kind == NUMBER for t in tokens)
    if numbers == 1 and any(_is(t, "and") for t in tokens):
        tokens = _one_time(tokens)  # an hour and a half
    return _of(_factors(_parts(_spelled_factors(tokens))), asked)


_JOINING: Final = frozenset(
    ("of", "in", "and", "a", "an", "the", "negative", *SAID_SIGNS, *_FACTORS, *PARTS, *SMALL, *TENS),
)


def _number(value: Fraction, first: Token, last: Token, step: Fraction | None = None) -> Token:
    literal = Literal(str(value), value, Fraction(1) if step is None else step)
    return Token(NUMBER, str(value), first.start, last.end, first.gap, literal)


def _sign(text: str, token: Token) -> Token:
    return replace(token, kind=SIGN, text=text)


def _at(tokens: Sequence[Token], at: int) -> Token | None:
    return tokens[at] if 0 <= at < len(tokens) else None


def _is(token: Token | None, *words: str) -> bool:
    return token is not None and token.kind == WORD and token.low in words


# -- no digit and no number word ------------------------------------------------------------


def _without_digits(tokens: Sequence[Token]) -> Sequence[Token]:
    """`a minute`, `an hour and a half`; `twice`, `double` where that is all."""
    first = _at(tokens, 0)
    if _is(first, *_FACTORS) and all(_is(t, *_ALONE) or t.kind == SIGN for t in tokens[1:]):
        assert first is not None
        return [_number(Fraction(_FACTORS[first.low]), first, first), *tokens[1:]]
    return _one_time(tokens)


def _one_time(tokens: Sequence[Token]) -> Sequence[Token]:
    """`a minute` as 1 minute, where no other number stands or a part of one follows."""
    for at, token in enumerate(tokens):
        if token.kind == NUMBER:
            break
        if _is(token, "a", "an") and _is_time(_at(tokens, at + 1)):
            return _parts([*tokens[:at], _number(Fraction(1), token, token), *tokens[at + 1 :]])
    return tokens


def _is_time(token: Token | None) -> bool:
    atom = spelt(token.text, "B") if token is not None and token.kind == WORD and len(token.text) > 2 else None
    return atom is not None and atom.unit.dim.powers == ((TIME, 1),)


# -- beside digits --------------------------------------------------------------------------


def _spelled_factors(tokens: Sequence[Token]) -> list[Token]:
    """`two times 16 GB`, `16 GB plus two`: a number word that a said sign joins to a number."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        value, end = spelled_at(tokens, at) if tokens[at].low in SMALL or tokens[at].low in TENS else (Fraction(0), at)
        if end > at:
            before, after = (out[-1] if out else None), _at(tokens, end)
            told = after is not None and after.kind == WORD and after.low in SAID_SIGNS and _joins(tokens, end)
            if told or (before is not None and (_is(before, *SAID_SIGNS, "by") or before.is_sign("*", "+", "/"))):
                out.append(_number(value, tokens[at], tokens[end - 1]))
                at = end
                continue
        out.append(tokens[at])
        at += 1
    return said(out)


def _joins(tokens: Sequence[Token], at: int) -> bool:
    """The said sign at `at` stands before a number."""
    after = _at(tokens, at + 2) if _is(_at(tokens, at + 1), "by") else _at(tokens, at + 1)
    return after is not None and (after.kind == NUMBER or after.low in SMALL or after.low in TENS)


def _parts(tokens: Sequence[Token]) -> list[Token]:
    """`2 and a half`, `1 hour and a half`, `3 quarters` as one number each."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token, end = tokens[at], at + 1
        if token.kind == NUMBER and not token.number().fault and token.number().value.denominator == 1:
            part, after = _part(tokens, end)
            if part is not None and tokens[end].kind == WORD and 0 < token.number().value < 100:
                plural = tokens[end].low.endswith(("s", "lves")) or token.number().value == 1
                if plural:
                    token, end = _number(token.number().value * part, token, tokens[after - 1]), after
            else:
                token, end, unit = _and_part(tokens, at)
                if unit is not None:
                    out.append(token)
                    token = unit
        out.append(token)
        at = end
    return out


def _and_part(tokens: Sequence[Token], at: int) -> tuple[Token, int, Token | None]:
    """The number at `at` with the part that `and` adds, where that ends, and the unit that stood between."""
    token = tokens[at]
    place = at + 1
    unit = _at(tokens, place)
    between = unit if unit is not None and unit.kind == WORD and unit.low != "and" and unit.low not in PROSE else None
    place += between is not None
    if not _is(_at(tokens, place), "and"):
        return token, at + 1, None
    part, end = _part(tokens, place + 1)
    follows = _at(tokens, end)
    other_unit = between is not None and follows is not None and follows.kind == WORD and follows.low not in PROSE
    if part is None or other_unit:
        return token, at + 1, None
    last = between if between is not None else tokens[end - 1]
    return _number(token.number().value + part, token, last, part), end, between


def _part(tokens: Sequence[Token], at: int) -> tuple[Fraction | None, int]:
    """`half`, `a half`, `one third`, a spelled or single-character fraction at `at`, and where it ends."""
    token = _at(tokens, at)
    if token is None:
        return None, at
    if token.kind == NUMBER:
        value = token.number().value
        if 0 < value < 1 and ("/" in token.text or not token.text.isascii()):
            return value, at + 1
        if at + 2 < len(tokens) and tokens[at + 1].is_sign("/") and tokens[at + 2].kind == NUMBER:
            below = tokens[at + 2].number().value
            if not tokens[at + 1].gap and below > value > 0:
                return value / below, at + 3
        return None, at
    if _is(token, *_ARTICLES) and _is(_at(tokens, at + 1), *PARTS):
        return Fraction(*PARTS[tokens[at + 1].low]), at + 2
    return (Fraction(*PARTS[token.low]), at + 1) if _is(token, *PARTS) else (None, at)


def _factors(tokens: Sequence[Token]) -> list[Token]:
    """`twice 16 GB`, `half of 80 GB`, `a third of the 96 GB`, `negative 7`: factors and a sign before a number."""
    out: list[Token] = []
    at = 0
    while at < len(tokens):
        token = tokens[at]
        if _is(token, "negative") and _number_at(tokens, at + 1) == at + 1:
            out.append(_sign("-", token))
            at += 1
            continue
        if _is(token, "$", "usd") and [t.kind for t in tokens[at + 1 : at + 3]] == [SIGN, NUMBER]:
            if tokens[at + 1].text == "-":  # $-5
                out.append(tokens[at + 1])
                at += 1
            out.append(token)
            at += 1
            continue
        value: Fraction | None = None
        end = at
        if _is(token, *_FACTORS):
            value, end = Fraction(_FACTORS[token.low]), at + 1
        elif token.kind == WORD and (token.low in PARTS or token.low in _ARTICLES):
            value, end = _part(tokens, at)
        elif token.kind == WORD and token.low in SMALL:  # two fifths of 80 GB
            spelled, end = spelled_at(tokens, at)
            value = spelled if spelled < 1 else None
        start = _number_at(tokens, end) if value else None
        if value is not None and start is not None:
            out += [_number(value, token, tokens[end - 1]), Token(SIGN, "*", token.end, token.end, True)]
            at = start
            continue
        out.append(token)
        at += 1
    return out


def _number_at(tokens: Sequence[Token], at: int) -> int | None:
    """Where a number stands at `at` or behind `of`, `the`; None if none does."""
    for _ in range(2):
        at += _is(_at(tokens, at), "of", "the")
    token = _at(tokens, at)
    return at if token is not None and token.kind == NUMBER else None


def _of(tokens: Sequence[Token], asked: Unit) -> list[Token]:
    """`7 of 15`, `7 in 15` and `7 out of 15` as a quotient where a plain number or a percentage is asked;
    `1/3 of 96 GB` and `10% of 80 GB` as a product where an amount is."""
    out: list[Token] = []
    for at, token in enumerate(tokens):
        if _is(token, "out") and _is(_at(tokens, at + 1), "of") and _quotient(out, tokens, at + 2, asked):
            continue
        if _is(token, "in") and out and _quotient(out, tokens, at + 1, asked):
            token = _sign("/", token)
        if _is(token, "of") and out:
            if _quotient(out, tokens, at + 1, asked):
                token = _sign("/", token)
            elif not asked.dim.bare and _number_at(tokens, at) and _is_share(out):
                token = _sign("*", token)
        article = _is(token, "the", "every") and at > 0 and _is(tokens[at - 1], "of")
        if not article or not out[-1].is_sign("/", "*"):
            out.append(token)
    return out


def _quotient(out: Sequence[Token], tokens: Sequence[Token], at: int, asked: Unit) -> bool:
    """A whole number stands before, and a larger one at `at`, where a plain number is asked."""
    at += _is(_at(tokens, at), "the", "every")
    before, after = (out[-1] if out else None), _at(tokens, at)
    if not asked.dim.bare or asked.dim.label or before is None or after is None:
        return False
    if before.kind != NUMBER or after.kind != NUMBER or (len(out) > 1 and out[-2].is_sign("*", "/", "+", "-")):
        return False
    above, below = before.number(), after.number()
    return not above.fault and not below.fault and 0 <= above.value <= below.value and above.value.denominator == 1


def _is_share(out: Sequence[Token]) -> bool:
    """A fraction or a percentage ends the tokens."""
    if out[-1].low in ("%", "percent"):
        return len(out) > 1 and out[-2].kind == NUMBER
    if out[-1].kind != NUMBER or out[-1].number().fault:
        return False
    return 0 < out[-1].number().value < 1 or (len(out) > 2 and out[-2].is_sign("/") and out[-3].kind == NUMBER)


def spelled_beside(tokens: Sequence[Token], asked: Unit) -> bool:
    """A number in words beside one in digits that no sign joins: `two 16 GB buffers`, `two nodes of 8 GPUs`
    where a count is asked, `a minute or two`."""
    for at, token in enumerate(tokens[:-1]):
        if token.kind != WORD:
            continue
        one = token.low in ("a", "an") and _is_time(tokens[at + 1]) and _is(_at(tokens, at + 2), "or")
        if one and _number_at(tokens, at + 3) is not None:
            return True
        if token.low not in SMALL and token.low not in TENS and token.low not in MAGNITUDE_WORDS:
            continue
        before = tokens[at - 1] if at else None
        if token.low == "zero" or (before is not None and (before.kind == NUMBER or before.low in CONTEXT)):
            continue
        groups = asked.dim.label and _is(_at(tokens, at + 2), "of", "with", "having")
        if tokens[at + 1].kind == NUMBER or (groups and _number_at(tokens, at + 3) is not None):
            return True
    return False
