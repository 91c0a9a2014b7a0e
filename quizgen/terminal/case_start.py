"""Starting, resuming and leaving a case: where its parts meet."""

from __future__ import annotations

import os
from collections.abc import Callable

from quizgen import draw
from quizgen.cases import talk as talking
from quizgen.cases.case import Case
from quizgen.interview import Rules
from quizgen.log import drafts, turns
from quizgen.log.journal import Journal
from quizgen.log.records import Identity, Logged
from quizgen.render.case_text import heading
from quizgen.source import printable
from quizgen.terminal import opening, signals
from quizgen.terminal.case_plain import CasePlain
from quizgen.terminal.case_sitting import CaseSitting
from quizgen.terminal.clock import SystemClock
from quizgen.terminal.lines import StandardLines
from quizgen.terminal.plain_commands import Left


def begun(case: Case, who: Identity, journal: Journal, rules: Rules, seed: str | None) -> CaseSitting:
    """A new talk."""
    return CaseSitting(talking.begin(case, seed or draw.fresh_seed()), who, journal, SystemClock(), rules)


def resumed(case: Case, logged: Logged, who: Identity, journal: Journal) -> CaseSitting:
    """A talk that goes on where its log ends, the way it went."""
    talk, spent = turns.replayed(case, str(logged.head.get("seed", "")), logged.turns)
    sitting = CaseSitting(talk, who, journal, SystemClock(), opening.rules_of(logged.head), spent, resumed=True)
    held = drafts.load(journal.path, who.session).places.get(f"{case.id}.{talk.turn}", {}).get("draft")
    sitting.typed = held if isinstance(held, str) else ""
    return sitting


def run(sitting: CaseSitting, full: bool, colour: bool, width: int, tell: Callable[[str], None]) -> int:
    """The exit code, the log named at the end."""
    code, kept = 0, ""
    back = f"quizgen mock --resume {printable(sitting.journal.path)}"
    try:
        if full:
            from quizgen.terminal import case_full

            code = case_full.run(sitting, colour)
            kept = "" if sitting.reason else f"Nothing is lost. Go on with: {back}"
        else:
            before = signals.catch()
            try:
                CasePlain(sitting, StandardLines(os.isatty(0), width)).run()
            finally:
                signals.release(before)
    except Left:
        kept = f"Kept for later. Go on with: {back}"
    except KeyboardInterrupt:
        code, kept = 130, f"\nInterrupted. Go on with: {back}"
    except signals.Stopped as stopped:
        code, kept = 128 + int(str(stopped)), f"Stopped. Go on with: {back}"
    finally:
        sitting.close()
    if kept:
        tell(kept)
    else:
        if full:
            for text in heading(sitting.judged()):
                tell(text)
        tell(f"Log: {printable(sitting.journal.path)}")
    return code
