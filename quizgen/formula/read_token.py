"""The smallest parts of a response: numbers, words and signs, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from quizgen.formula.read_number import Literal

NUMBER: Final = "number"
WORD: Final = "word"
SIGN: Final = "sign"


@dataclass(frozen=True, slots=True)
class Token:
    """`text` at [start, end) of the folded response; `gap` if something blank stands before it."""

    kind: str
    text: str
    start: int
    end: int
    gap: bool
    literal: Literal | None = None

    @property
    def low(self) -> str:
        return self.text.casefold()

    def number(self) -> Literal:
        assert self.literal is not None
        return self.literal

    def is_sign(self, *signs: str) -> bool:
        return self.kind == SIGN and self.text in signs
