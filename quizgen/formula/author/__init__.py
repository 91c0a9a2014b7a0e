"""Reading formulas from a bank: what an author wrote, checked part by part."""

from quizgen.formula.author.claims import failed_tests
from quizgen.formula.author.fields import parse_constant
from quizgen.formula.author.formula import parse_formula

__all__ = ["failed_tests", "parse_constant", "parse_formula"]
