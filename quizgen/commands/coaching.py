"""What `plan`, `today` and `progress` start from: a bank, the sessions on it, and what they showed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from pathlib import Path

import click

from quizgen import bank as banks
from quizgen import places
from quizgen.coach.chooser import Aim
from quizgen.coach.looks import ItemLook
from quizgen.coach.plan import Plan
from quizgen.coach.standing import Standing, StudySubject, standing, subject_of
from quizgen.commands.shared import tell
from quizgen.model import Bank
from quizgen.refusals import Unreadable
from quizgen.source import printable
from quizgen.terminal import history
from quizgen.terminal.history import Past


@dataclass(frozen=True)
class Coached:
    """A bank under a name, all sessions on it, and now."""

    name: str
    bank: Bank
    sessions: tuple[Past, ...]
    now: datetime

    @property
    def today(self) -> int:
        return self.now.date().toordinal()

    @cached_property
    def subjects(self) -> dict[str, StudySubject]:
        return {i.id: subject_of(i) for i in self.bank.items.values() if i.status == "active"}

    @cached_property
    def looks(self) -> tuple[ItemLook, ...]:
        return tuple(history.looks_of(self.sessions, self.bank, self.now))

    def standing(self, before: int | None = None) -> Standing:
        """From all looks, or from those before a day."""
        return standing(self.subjects, (k for k in self.looks if before is None or k.day < before))

    def practised(self, before: int) -> int:
        """Days with a look before a day."""
        return len({look.day for look in self.looks if look.day < before})

    def aim(self, plan: Plan) -> Aim:
        """Today's aim; items are sealed until the day of the rehearsal is over."""
        kept = frozenset(plan.sealed) if self.today <= plan.rehearsal else frozenset()
        return Aim(self.today, plan.interview, plan.weights, kept)


def logs_of(logs: tuple[str, ...], folder: Path) -> list[Path]:
    """The logs that were named, those of named folders, or those of the log folder."""
    chosen = [Path(name) for name in logs] or [folder]
    for path in chosen:
        if logs and not path.exists():
            raise Unreadable(f"{printable(str(path))}: there is no such log or folder; check its name")
    # A log folder that is not made yet holds no session; nothing else is wrong with it.
    chosen = [path for path in chosen if logs or path.exists()]
    return [p for path in chosen for p in (sorted(path.glob("*.jsonl")) if path.is_dir() else [path])]


def coached(name: str, bank: Bank, sessions: list[Past], now: datetime) -> Coached:
    """`sessions` of any bank: those on this one are taken."""
    whole = {s.bank: whole_bank(s.bank) for s in sessions}
    return Coached(name, bank, tuple(s for s in sessions if name in (s.bank, whole[s.bank])), now)


def whole_bank(bank: str) -> str:
    """The bank that a session's bank or blueprint belongs to: a session on `quick` and one on all of
    its bank are of one bank. Empty where it is not found from here."""
    try:
        root, blueprint = banks.find(bank)
    except banks.BankNotFound:
        return ""
    return (root.name if root.name in places.shipped_banks() else str(root)) if blueprint else bank


def day_of(text: str, option: str) -> int:
    """A date as people write one in a command, `2026-12-02`, as an ordinal."""
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        raise click.UsageError(f"{option} {printable(text)} is no date; write it as 2026-12-02") from None


def history_of(folder: Path) -> list[Past]:
    return history.sessions_of(logs_of((), folder), tell)
