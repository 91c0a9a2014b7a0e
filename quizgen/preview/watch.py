"""A bank that is read again when one of its files changes."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from quizgen import bank as banks
from quizgen.bank import Loaded
from quizgen.model import Item
from quizgen.render.proof import unshowable
from quizgen.source import Problem

EVERY = 0.2  # seconds between two looks at the files
EXCERPT = 2  # lines shown around a problem


@dataclass(frozen=True, slots=True)
class BankState:
    """A bank as it was read at one moment; `stamp` tells it from the next."""

    stamp: str
    loaded: Loaded
    root: Path


class Watched:
    """Mutable: holds the latest edition. Polling the times of a few dozen files costs less than a library
    that is told of changes, and works on every file system."""

    def __init__(self, argument: str) -> None:
        path, _ = banks.find(argument)
        self._root = path if path.is_dir() else path.parent
        self._lock = threading.Lock()
        self._bank = banks.Rereading(argument)
        self._times = self._look()
        self._edition = BankState(_stamp(self._times), self._bank.read(), self._root)

    def edition(self) -> BankState:
        """The bank as its files are now."""
        with self._lock:
            times = self._look()
            if times != self._times:
                self._times = times
                self._edition = BankState(_stamp(times), self._bank.read(), self._root)
            return self._edition

    def changed(self, stamp: str, seconds: float) -> BankState:
        """The edition once it is another than `stamp`, or the same one when `seconds` are over."""
        deadline = time.monotonic() + seconds
        while (edition := self.edition()).stamp == stamp and time.monotonic() < deadline:
            time.sleep(EVERY)
        return edition

    def _look(self) -> dict[str, tuple[int, int]]:
        """When each file was changed, and its size."""
        found = {}
        for folder, folders, files in os.walk(self._root):
            folders[:] = sorted(f for f in folders if not f.startswith("."))
            for name in sorted(files):
                if not name.startswith("."):
                    path = os.path.join(folder, name)
                    found[path] = _time_of(path)
        return found


def _stamp(times: dict[str, tuple[int, int]]) -> str:
    return str(hash(tuple(times.items())))


def _time_of(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:  # gone since it was listed
        return 0, 0
    return status.st_mtime_ns, status.st_size


def problems_of(edition: BankState, item: Item | None) -> list[tuple[Problem, str]]:
    """The problems of the bank's structure, and of one item its proofs, each with the lines around its place."""
    found = list(edition.loaded.problems)
    if item is not None:
        found += [replace(p, item=p.item or item.id) for p in item.prove()]
        found += unshowable([item], str(edition.root))
    return [(problem, _excerpt(problem)) for problem in found]


def _excerpt(problem: Problem) -> str:
    try:
        lines = Path(problem.where.path).read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        return ""
    first = max(1, problem.where.line - EXCERPT)
    shown = []
    for number in range(first, min(len(lines), problem.where.line + EXCERPT) + 1):
        shown.append(f"{number:>5} {lines[number - 1]}")
        if number == problem.where.line:
            shown.append(" " * (5 + max(0, problem.where.column)) + "^")
    return "\n".join(shown)
