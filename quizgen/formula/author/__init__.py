"""Reading formulas from a bank: what an author wrote, checked part by part."""

from quizgen.formula.author.claims import failed_tests
from quizgen.formula.author.fields import parse_constant, read_unit
from quizgen.formula.author.formula import parse_formula
from quizgen.formula.author.inputs import inputs_alone

__all__ = ["failed_tests", "inputs_alone", "parse_constant", "parse_formula", "read_unit"]
