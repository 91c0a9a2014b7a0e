"""The formula engine: a small language of exact numbers with units, evaluated, derived and proven; here its errors, one
base class and three classes, each with a place and a remedy."""

from __future__ import annotations


class FormulaError(Exception):
    """A formula was refused or has no value.

    `text_offset` is the place in the text, from 0 (None without a text), `hint` the remedy. `json_class_word` is
    `reject`, `limit` or `domain`."""

    json_class_word = "reject"

    def __init__(self, message: str, hint: str = "", text_offset: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.text_offset = text_offset
        self.step_name = ""  # the step of a formula that failed
        self.unknown_unit_spelling = ""

    def set_text_offset_if_missing(self, text_offset: int) -> FormulaError:
        """This error at `text_offset`, unless it already has a place."""
        if self.text_offset is None:
            self.text_offset = text_offset
        return self

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class BadTextError(FormulaError):
    """What was written is refused: no formula of this language, units that do not fit, or a value out of bounds."""


class LimitError(FormulaError):
    """The formula is longer, deeper or larger than the engine computes."""

    json_class_word = "limit"


class DomainError(FormulaError):
    """The formula has no finite real value here: division by zero, overflow, the root of a negative number."""

    json_class_word = "domain"
