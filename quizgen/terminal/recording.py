"""What a session and a case at work share: a clock, an open log, and a draft beside it of what is being typed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial

from quizgen.log.journal import Journal, NotSaved
from quizgen.log.records import Identity, Record
from quizgen.terminal.clock import Clock

DRAFT_EVERY = 1.0  # seconds between drafts while typing


class Recording(ABC):
    """Mutable: an open log. `trouble` says why lines are not on disk, or is empty; `draft_trouble` the same for the
    draft, which is only a convenience."""

    def __init__(self, who: Identity, journal: Journal, clock: Clock, resumed: bool = False) -> None:
        self.who = who
        self.journal = journal
        self.clock = clock
        self.resumed = resumed
        self.trouble = ""
        self.draft_trouble = ""
        self._drafted = float("-inf")

    @property
    @abstractmethod
    def ended(self) -> bool: ...

    @abstractmethod
    def _keep(self, now: float) -> None:
        """Write the draft. Raises OSError."""

    def retry(self) -> bool:
        """Try again to write what is only in memory; true when everything is on disk."""
        self._saved(self.journal.retry)
        return not self.trouble

    def save_draft(self, force: bool = False) -> None:
        """Keep what is typed beside the log, at most once a second."""
        now = self.clock.now()
        if self.ended or (not force and now - self._drafted < DRAFT_EVERY):
            return
        self._drafted = now
        try:
            self._keep(now)
        except OSError as error:
            self.draft_trouble = error.strerror or str(error)
        else:
            self.draft_trouble = ""

    def close(self) -> None:
        """Leave; what was typed stays as a draft where it goes on later."""
        self.save_draft(force=True)
        self.journal.close()

    def _log(self, line: Record) -> None:
        self._saved(partial(self.journal.append, line))

    def _saved(self, write: Callable[[], None]) -> None:
        try:
            write()
        except NotSaved as error:
            self.trouble = str(error)
        else:
            self.trouble = ""
