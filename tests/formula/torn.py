"""Responses that are rows of the table of spellings, torn and put together anew."""

from __future__ import annotations

from random import Random
from typing import Final

from formula.spellings import rows
from quizgen.numbers.answer import AnswerFormat

WORDS: Final = (
    "about", "not", "and", "or", "of", "per", "~", "=", "->", "(", ")", ",", ".", "x", "*", "/", "k", "M", "GB", "ms",
    "s", "h", "%", "min", "each", "total", "minus", "plus", "half", "two", "million", "$", "to", "-", "1", "0", "10^",
    "e3", "at most", "at least", "instead of", "vs", "for", "in", "a", "K=32", "...", "so", "no", "?", "which", "if",
)  # fmt: skip
LETTERS: Final = "0123456789.,-+kMGBs% x/*^()=~>|:;'$"


class Torn:
    """Responses made of rows: each is asked what some row asks."""

    def __init__(self, seed: str) -> None:
        self.draw = Random(seed)
        table = rows()
        self.texts = sorted({row.response for row in table})
        self.asked = [row.answer_format for row in table]

    def next(self) -> tuple[str, AnswerFormat]:
        text = self.draw.choice(self.texts)
        for _ in range(self.draw.choice((1, 1, 2, 3))):
            text = self._torn(text)
        return text, self.draw.choice(self.asked)

    def _torn(self, text: str) -> str:
        draw, said = self.draw, text.split(" ")
        at, kind = draw.randrange(len(said) + 1), draw.randrange(6)
        if kind == 0:
            place = draw.randrange(len(text) + 1)
            return text[:place] + draw.choice(("", *LETTERS)) + text[place + draw.randrange(2) :]
        if kind == 1:
            return " ".join((*said[:at], draw.choice(WORDS), *said[at:]))
        if kind == 2:
            return " ".join((*said[:at], *said[at + 1 :]))
        if kind == 3:
            return " ".join((*said[at:], *said[:at]))
        other = draw.choice(self.texts).split(" ")
        joint = () if kind == 4 else (draw.choice(WORDS),)
        return " ".join((*said[:at], *joint, *other[draw.randrange(len(other) + 1) :]))
