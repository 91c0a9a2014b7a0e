"""Logs of any origin, and what one response earns.

`scorer` redraws the variant of a log line, scores the response once and remembers it; `points`, `overrides` and
`score_json` belong to one score. The other files read what logs are made of: session logs and bare lines
(`log_files`, `log_lines`), tables (`tables`), exams (`exam_answers`), marks by hand (`marks_file`).
"""

from quizgen.scoring.overrides import Changes, Override, faults, overridden
from quizgen.scoring.points import UNIT, judged, score_response, units
from quizgen.scoring.score_json import Told, number, score_fields, score_line, score_text
from quizgen.scoring.scorer import NoVariant, Scorer, Summary, Verdict

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
    "score_line",
    "score_response",
    "score_text",
    "units",
]
