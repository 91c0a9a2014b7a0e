"""Past sessions as evidence: the logs of a folder, their responses scored anew."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

from quizgen.log import records
from quizgen.log.records import Logged
from quizgen.model import Bank
from quizgen.readiness import Evidence, Sat
from quizgen.render.debrief import debrief_of
from quizgen.scoring import NoVariant, Scorer, score_response
from quizgen.terminal.opening import CannotOpen
from quizgen.terminal.recall import recalled

DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Past:
    """One session of a log: where it is, and what it says."""

    path: Path
    logged: Logged

    @property
    def bank(self) -> str:
        return str(self.logged.head.get("bank", ""))

    @property
    def timed(self) -> bool:
        """Only a timed session without solutions on the way says something about an interview."""
        return self.logged.head.get("untimed") is not True and self.logged.head.get("mode") != "practice"


def sessions_of(paths: Iterable[Path], tell: Callable[[str], None]) -> list[Past]:
    """The sessions of some logs, oldest first; a log that cannot be read is told and left out."""
    found: list[Past] = []
    for path in paths:
        try:
            text = path.read_bytes()
        except OSError as error:
            tell(f"{path}: {error.strerror}; left out")
            continue
        found += [Past(path, s) for s in records.read_sessions(text) if s.responses]
    return sorted(found, key=lambda p: (str(p.logged.head.get("started", "")), str(p.path)))


def evidence_of(sessions: Iterable[Past], bank: Bank, now: datetime) -> Iterator[Evidence]:
    """The last response to each item of each session, scored by the bank as it is today."""
    scorer = Scorer(bank.items)
    for past in sessions:
        for name, line in past.logged.last.items():
            item = bank.items.get(name)
            if item is None:
                continue
            try:
                seed, given = line.get("seed"), line.get("given")
                variant, *_ = scorer.variant(
                    item,
                    seed if isinstance(seed, str) else None,
                    {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else None,
                )
            except NoVariant:
                continue
            score = score_response(variant, records.response_of(line.get("response")), None, _hints(line))
            share = score.earned / score.possible if score.possible else Fraction(0)
            yield Evidence(item.topic or "other", name, float(share), _age(line.get("at"), now))


def latest(sessions: Iterable[Past], bank: Bank) -> Iterator[Sat]:
    """Sessions one by one, scored by the bank as it is today; one whose items are gone is left out."""
    for past in sessions:
        try:
            debrief = debrief_of(recalled(past.logged, bank))
        except CannotOpen:
            continue
        yield Sat(
            str(past.logged.head.get("started", ""))[:10],
            sum(r.reached for r in debrief.results),
            len(debrief.results),
            round(float(debrief.share), 4),
            round(debrief.spent / 60, 1),
            past.timed,
        )


def missed_in(past: Past, bank: Bank) -> int:
    """Items of a session that did not earn full points."""
    return sum(e.share < 1 for e in evidence_of([past], bank, datetime.now(UTC)))


def _hints(line: Mapping[str, object]) -> int:
    hints = line.get("hints")
    return hints if isinstance(hints, int) and not isinstance(hints, bool) and 0 <= hints <= 100 else 0


def _age(at: object, now: datetime) -> float:
    """Days since a logged moment; a stamp that cannot be read, or is yet to come, counts as now."""
    try:
        moment = datetime.fromisoformat(at) if isinstance(at, str) else now
    except ValueError:
        return 0.0
    moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return max(0.0, (now - moment).total_seconds() / DAY)
