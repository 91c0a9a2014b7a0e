"""Numbers inside prose, for the rubric engine: `sixteen bytes per parameter`, `16B/param`, `2 x 8 GB`."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from quizgen.formula.read_fold import fold
from quizgen.formula.read_terms import term_at
from quizgen.formula.read_tokens import NUMBER, WORD, Token, spelled_out, tokens
from quizgen.formula.units import ONE, Unit


class FoundNumber(NamedTuple):
    """`value` in `unit` at [start, end) of the text, unit included; `unit` is 1 where none was written."""

    start: int
    end: int
    value: Fraction
    unit: Unit

    @property
    def base(self) -> Fraction:
        """The amount in base units."""
        return self.value * self.unit.factor


def find_numbers(text: str, asked: Unit = ONE) -> list[FoundNumber]:
    """Every number of a text from left to right, with the unit that follows it.

    Digits are taken whole (116 holds no 16), and digits of a name are none (`fp16`, `ZeRO-3`,
    `H100`); `2+2+12` are three numbers. Number words count (`sixteen`, `thirty-two`, `two thirds`).
    `asked` decides what a letter means: where a count is asked `7B` is 7e9, where data is asked it
    is 7 bytes. `1,234` is 1234. Never raises; linear in the text.
    """
    folded = fold(text)
    found = spelled_out(list(tokens(folded.text, words=False)))
    out: list[FoundNumber] = []
    at = 0
    while at < len(found):
        term = None if _is_name(found, at) else term_at(found, at, asked)
        if term is None or term[0].literal.fault:
            at += 1
            continue
        last = found[term[1] - 1]
        start, end = folded.span(found[at].start, last.end)
        value = term[0].literal.value
        if _is_negative(found, at):
            start, value = folded.span(found[at - 1].start, last.end)[0], -value
        out.append(FoundNumber(start, end, value, term[0].unit or ONE))
        at = max(term[1], at + 1)
    return out


def _is_name(found: list[Token], at: int) -> bool:
    """The 3 of `ZeRO-3`: a hyphen and a word stand right before it."""
    if found[at].kind != NUMBER or found[at].gap or at < 2:
        return False
    hyphen = found[at - 1]
    return hyphen.is_sign("-") and not hyphen.gap and found[at - 2].kind == WORD


def _is_negative(found: list[Token], at: int) -> bool:
    """A minus right before the number that follows no other number (`8-16` is no -16)."""
    if at == 0 or not found[at - 1].is_sign("-") or found[at].gap:
        return False
    return at == 1 or (found[at - 1].gap and found[at - 2].kind != NUMBER)
