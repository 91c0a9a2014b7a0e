"""Logs of any origin to scored responses.

`scorer` redraws the variant of a log line, scores the response once and remembers it; `response` and `overrides` belong
to one score. Logs come in by `log_files`, `log_lines`, `tables`, `exam_answers` and `marks_file`. `run` has blocks of
lines scored (`score_lines`) here, in `processes` or on a Dask `cluster`, puts the rows in one table (`response_table`)
and chooses what counts (`attempts`).
"""

from quizgen.scoring.overrides import Changes, Override, faults, overridden
from quizgen.scoring.response import UNIT, ScoredResponse, judged, number, score_fields, score_response, units
from quizgen.scoring.scorer import NoVariant, Scorer, Verdict

__all__ = [
    "UNIT",
    "Changes",
    "NoVariant",
    "Override",
    "ScoredResponse",
    "Scorer",
    "Verdict",
    "faults",
    "judged",
    "number",
    "overridden",
    "score_fields",
    "score_response",
    "units",
]
