"""Inverse problems: which value of an input brings the answer to a bound."""

from typing import Final

# How a bound is said: in YAML and JSON, and in words.
RELATIONS: Final = {
    "at_most": "at most",
    "at_least": "at least",
    "below": "below",
    "above": "above",
    "equals": "equal to",
}
