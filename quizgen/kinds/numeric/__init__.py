"""Numeric items: a formula derives the key from drawn values; `NumericItem` is all that other rooms need."""

from quizgen.kinds.numeric.item import NumericItem

__all__ = ["NumericItem"]
