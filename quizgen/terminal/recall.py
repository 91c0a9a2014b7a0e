"""A past session from its log, for another look at its debrief."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from quizgen.log import records
from quizgen.log.records import Logged
from quizgen.model import Bank
from quizgen.terminal import opening

if TYPE_CHECKING:  # most sessions are no case
    from quizgen.cases.case import Case
    from quizgen.cases.judge import Judgement


def case_of(logged: Logged, bank: Bank) -> Case:
    """The case that a session talked through. Raises CannotOpen where the bank no longer has it."""
    from quizgen.cases.case import Case

    name = str(logged.head.get("case", ""))
    case = bank.cases.get(name)
    if not isinstance(case, Case):
        raise opening.CannotOpen(f"the bank {bank.name} has no case {name} any more; restore it")
    return case


def judged(logged: Logged, bank: Bank) -> Judgement:
    """A case as its log left it, scored by the bank as it is today. Raises CannotOpen."""
    from quizgen.cases.judge import judge
    from quizgen.log import turns

    talk, spent = turns.replayed(case_of(logged, bank), str(logged.head.get("seed", "")), logged.turns)
    return judge(talk, spent)


def latest(folder: Path, wanted: Callable[[Logged, str], bool]) -> Path | None:
    """The log of a folder with the session that began last, among those `wanted` (by session and log)."""
    logged = sessions_in(folder.glob("*.jsonl"))
    found = [(str(s.head.get("started", "")), str(path)) for path, s in logged if wanted(s, str(path))]
    return Path(max(found)[1]) if found else None


def sessions_in(logs: Iterable[Path], tell: Callable[[str], None] = lambda said: None) -> Iterator[tuple[Path, Logged]]:
    """The sessions of some logs; a log that cannot be read is told and left out."""
    for path in logs:
        try:
            sessions = records.read_sessions(path.read_bytes())
        except OSError as error:
            tell(f"{path}: {error.strerror}; left out")
            continue
        yield from ((path, s) for s in sessions)
