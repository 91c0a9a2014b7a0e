"""Responses to scores: one function for one response of a variant, and a scorer that remembers.

Pure: no clock, no files. A `Scorer` redraws the variant of a log line, scores the response once
and remembers the verdict, so that a thousand equal responses cost one scoring.
"""

from quizgen.scoring.decisions import Changes, Override, faults, overridden
from quizgen.scoring.points import UNIT, judged, score_response, units
from quizgen.scoring.scorer import NoVariant, Scorer
from quizgen.scoring.told import Told, number, score_fields, score_text, told
from quizgen.scoring.verdicts import Summary, Verdict

__all__ = [
    "UNIT",
    "Changes",
    "NoVariant",
    "Override",
    "Scorer",
    "Summary",
    "Told",
    "Verdict",
    "faults",
    "judged",
    "number",
    "overridden",
    "score_fields",
    "score_response",
    "score_text",
    "told",
    "units",
]
