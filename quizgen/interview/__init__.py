"""A timed session as a value: every event is a function from one `Interview` to the next.

Pure. Nothing here scores, prints or stores; `quizgen.terminal` and `quizgen.log` do. `session` holds
the nouns, `events` what may happen, `standing` what may be asked.
"""

from quizgen.interview.events import (
    away,
    browse,
    clarify,
    close,
    confide,
    dispute,
    draft,
    finish,
    fitting,
    flag,
    follow_up,
    go,
    new,
    pause,
    probed,
    respond,
    restored,
    scratch,
    start,
    take_hint,
    tick,
    unpause,
)
from quizgen.interview.session import Dispute, Interview, Mode, Phase, Place, Rules
from quizgen.interview.standing import missed, next_open, probe, result, review_list, unsubmitted

__all__ = [
    "Dispute",
    "Interview",
    "Mode",
    "Phase",
    "Place",
    "Rules",
    "away",
    "browse",
    "clarify",
    "close",
    "confide",
    "dispute",
    "draft",
    "finish",
    "fitting",
    "flag",
    "follow_up",
    "go",
    "missed",
    "new",
    "next_open",
    "pause",
    "probe",
    "probed",
    "respond",
    "restored",
    "result",
    "review_list",
    "scratch",
    "start",
    "take_hint",
    "tick",
    "unpause",
    "unsubmitted",
]
