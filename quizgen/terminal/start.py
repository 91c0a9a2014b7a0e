"""Starting, running and leaving a session: the one place where all its parts meet."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from types import FrameType

from quizgen.bank import Loaded
from quizgen.interview import Phase, Rules
from quizgen.log import records
from quizgen.log.journal import Journal, LogInUse, NotSaved
from quizgen.log.records import Identity
from quizgen.source import printable
from quizgen.terminal import opening
from quizgen.terminal.clock import SystemClock
from quizgen.terminal.lines import StandardLines
from quizgen.terminal.opening import CannotOpen, Wish
from quizgen.terminal.plain import Left, PlainSession
from quizgen.terminal.sitting import Sitting

OpenBank = Callable[[str], Loaded]
Tell = Callable[[str], None]


class Refused(Exception):
    """A log or bank that cannot be used (exit code 3)."""


class WrongUse(Exception):
    """A wish that the bank cannot fulfil (exit code 2)."""


class Stopped(Exception):
    """SIGTERM or SIGHUP arrived; the argument is the signal's number."""


@dataclass(frozen=True, slots=True)
class Request:
    """The command line of `mock`, read and checked. `folder`: the default log folder."""

    bank: str
    seed: str | None
    items: int | None
    minutes: Fraction | None
    topics: tuple[str, ...]
    kinds: tuple[str, ...]
    difficulties: tuple[int, ...]
    redo: str | None
    resume: str | None
    log: str | None
    candidate: str
    rules: Rules
    html: str | None
    changed_bank: bool
    full: bool
    colour: bool
    width: int
    folder: Path


def run(request: Request, open_bank: OpenBank, tell: Tell) -> int:
    """Run one session and return the exit code. Raises Refused and WrongUse."""
    sitting = _resumed(request, open_bank) if request.resume else _new(request, open_bank)
    try:
        sitting.open()
    except NotSaved as error:
        sitting.journal.close()
        raise Refused(f"{printable(sitting.journal.path)}: {error}; choose another place with --log") from None
    return _full(sitting, request, tell) if request.full else _plain(sitting, request, tell)


def _full(sitting: Sitting, request: Request, tell: Tell) -> int:
    from quizgen.terminal.full import run as full

    path = printable(sitting.journal.path)
    code = 0
    try:
        code = full.run(sitting, request.colour)
    except full.Stopped as stopped:
        code = 128 + int(str(stopped))
    finally:
        sitting.close()
    if sitting.session.phase is Phase.ENDED:
        from quizgen.render.debrief import debrief_of
        from quizgen.render.debrief_text import summary_lines

        for line in summary_lines(debrief_of(sitting.session), request.width):
            tell(line)
    else:
        _quietly(tell, f"Nothing is lost; go on with: quizgen mock --resume {path}")
    return _done(sitting, request, tell, code)


def _plain(sitting: Sitting, request: Request, tell: Tell) -> int:
    talk = StandardLines(_at_keyboard(), request.width)
    sitting.steady = talk.interactive
    path = printable(sitting.journal.path)
    before = _catch()
    code = 0
    try:
        PlainSession(sitting, talk).run()
    except Left:
        tell(f"Kept for later: quizgen mock --resume {path}")
    except KeyboardInterrupt:
        tell(f"\nInterrupted; nothing is lost: quizgen mock --resume {path}")
        code = 130
    except Stopped as stopped:
        _quietly(tell, f"Stopped; nothing is lost: quizgen mock --resume {path}")
        code = 128 + int(str(stopped))
    finally:
        _release(before)
        sitting.close()
    return _done(sitting, request, tell, code)


def _done(sitting: Sitting, request: Request, tell: Tell, code: int) -> int:
    if sitting.session.phase is Phase.ENDED:
        if request.html:
            _write_page(sitting, request.html, tell)
        tell(f"Log: {printable(sitting.journal.path)}")
    if sitting.trouble:
        raise Refused(f"{printable(sitting.journal.path)}: {sitting.trouble}")
    return code


def _write_page(sitting: Sitting, path: str, tell: Tell) -> None:
    from quizgen.render.debrief import debrief_of
    from quizgen.render.debrief_html import debrief_page

    try:
        Path(path).write_text(debrief_page(debrief_of(sitting.session), sitting.root), encoding="utf-8")
    except OSError as error:
        raise Refused(f"{printable(path)}: {error.strerror}; the log is complete") from None
    tell(f"Debrief: {printable(path)}")


def _new(request: Request, open_bank: OpenBank) -> Sitting:
    loaded = open_bank(request.bank)
    bank = loaded.bank
    assert bank is not None
    redo: tuple[str, ...] = ()
    if request.redo:
        redo = opening.missed(_bytes(request.redo), bank.items)
        if not redo:
            raise WrongUse(f"{printable(request.redo)} holds nothing of this bank that was missed")
    wish = Wish(
        request.seed,
        request.items,
        request.minutes,
        request.topics,
        request.kinds,
        request.difficulties,
        redo,
        request.rules,
    )
    lately = opening.seen_lately(request.folder) if request.seed is None else ()
    try:
        form = opening.new_form(bank, loaded.blueprint, wish, lately)
    except CannotOpen as error:
        raise WrongUse(str(error)) from None
    clock = SystemClock()
    who = Identity(opening.fresh_session(), request.candidate, request.bank, bank.digest)
    path = request.log or ""
    try:
        path = path or opening.new_log(request.folder, clock.utc(), who.session)
        return opening.begin(form, request.rules, who, bank, path, clock)
    except (CannotOpen, LogInUse) as error:
        raise Refused(printable(str(error))) from None
    except OSError as error:
        where = printable(path or str(request.folder))
        raise Refused(f"{where}: {error.strerror or error}; choose another place with --log") from None


def _resumed(request: Request, open_bank: OpenBank) -> Sitting:
    path = request.resume or ""
    if not os.path.isfile(path):
        raise Refused(f"{printable(path)}: there is no such log")
    try:
        journal = Journal(path)
    except LogInUse as error:
        raise Refused(f"{printable(str(error))}; end it first") from None
    except OSError as error:
        raise Refused(f"{printable(path)}: {error.strerror or error}") from None
    try:
        sessions = records.read_sessions(journal.before)
        logged = records.unfinished(sessions)
        if logged is None:
            why = "every session in it has ended" if sessions else "it holds no session"
            raise Refused(f"{printable(path)} has nothing to resume: {why}")
        bank = open_bank(str(logged.head.get("bank", ""))).bank
        assert bank is not None
        sitting = opening.resume(logged, bank, journal, SystemClock(), changed=request.changed_bank)
    except CannotOpen as error:
        journal.close()
        raise Refused(str(error)) from None
    except BaseException:
        journal.close()
        raise
    rules = replace(sitting.session.rules, probes=request.rules.probes)
    sitting.session = replace(sitting.session, rules=rules)
    return sitting


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Refused(f"{printable(path)}: {error.strerror}") from None


def _at_keyboard() -> bool:
    return os.isatty(0)


# -- signals: behind one small interface, because Windows has neither of these two ---------------

_SIGNALS = tuple(s for s in (getattr(signal, n, None) for n in ("SIGTERM", "SIGHUP")) if s is not None)
Handlers = dict[signal.Signals, object]


def _catch() -> Handlers:
    """Turn SIGTERM and SIGHUP into `Stopped`; the handlers before."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise Stopped(number)

    return {s: signal.signal(s, stop) for s in _SIGNALS}


def _release(before: Handlers) -> None:
    for number, handler in before.items():
        signal.signal(number, handler if callable(handler) else signal.SIG_DFL)


def _quietly(tell: Tell, text: str) -> None:
    """After SIGHUP the terminal may be gone."""
    try:
        tell(text)
    except OSError:
        return
