"""Inverse problems: which value of an input brings the answer to a bound."""
