"""The formula engine: a small language of exact numbers with units, evaluated, derived and proven; here its errors, one
base class and three classes, each with a place and a remedy."""

from __future__ import annotations


class FormulaError(Exception):
    """A formula was refused or has no value.

    `column` is the 0-based offset into the text (None without a text), `hint` the remedy. `kind` is `reject`, `limit`
    or `domain`."""

    kind = "reject"

    def __init__(self, message: str, hint: str = "", column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.column = column
        self.step = ""  # the step of a formula that failed
        self.unknown_unit_spelling = ""

    def set_column_if_missing(self, column: int) -> FormulaError:
        """This error at `column`, unless it already has a place."""
        if self.column is None:
            self.column = column
        return self

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class RejectError(FormulaError):
    """The text is not a formula of this language, or its units do not fit."""


class LimitError(FormulaError):
    """The formula is longer, deeper or larger than the engine computes."""

    kind = "limit"


class DomainError(FormulaError):
    """The formula has no finite real value here: division by zero, overflow, the root of a negative number."""

    kind = "domain"
