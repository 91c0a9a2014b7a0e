"""Starting, running and leaving a session: the one place where all its parts meet."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shlex import quote

from quizgen import assemble, narrowing
from quizgen.cases.case import Case
from quizgen.interview import Phase, Rules, missed
from quizgen.log import drafts, records
from quizgen.log.journal import Journal, LogInUse, NotSaved
from quizgen.log.records import Identity, Logged
from quizgen.model import Bank
from quizgen.source import printable
from quizgen.terminal import case_start, opening, recall, signals
from quizgen.terminal.case_sitting import CaseSitting
from quizgen.terminal.clock import SystemClock
from quizgen.terminal.lines import StandardLines
from quizgen.terminal.opening import CannotOpen, Wish
from quizgen.terminal.plain import Left, PlainSession
from quizgen.terminal.request import LATEST, OpenBank, Refused, Request, Tell, WrongUse
from quizgen.terminal.sitting import Sitting


def run(request: Request, open_bank: OpenBank, tell: Tell) -> int:
    """Run one session, and another on what it missed where the candidate asks for it at the end;
    the last one's exit code. Raises Refused and WrongUse."""
    if request.html and not Path(request.html).absolute().parent.is_dir():
        # Now, and not when three quarters of an hour are over.
        raise Refused(f"{printable(request.html)}: there is no such folder; make it, or name another for --html")
    while True:
        code, again, rules = _run(request, open_bank, tell)
        if not again:
            return code
        # By the same rules, in the log that was named, or in a new one of the folder.
        request = replace(
            request, bank="", redo=again, resume=None, seed=None, items=None, minutes=None, html=None,
            topics=(), kinds=(), difficulties=(), rules=rules,
        )  # fmt: skip


def _run(request: Request, open_bank: OpenBank, tell: Tell) -> tuple[int, str, Rules]:
    """The exit code, the log to redo at once (empty: none) and the session's rules."""
    sitting = _resumed(request, open_bank) if request.resume else _new(request, open_bank)
    if isinstance(sitting, CaseSitting):
        return _case(sitting, request, tell), "", request.rules
    try:
        sitting.open()
    except NotSaved as error:
        sitting.journal.close()
        raise Refused(f"{printable(sitting.journal.path)}: {error}; choose another place with --log") from None
    code, again = _full(sitting, request, tell) if request.full else (_plain(sitting, request, tell), "")
    return code, again, sitting.session.rules


def _case(sitting: CaseSitting, request: Request, tell: Tell) -> int:
    try:
        sitting.open()
    except NotSaved as error:
        sitting.close()
        raise Refused(f"{printable(sitting.journal.path)}: {error}; choose another place with --log") from None
    code = case_start.run(sitting, request.full, request.colour, request.width, tell)
    if sitting.reason and request.html:
        from quizgen.render.case_page import case_page

        _write(request.html, case_page(sitting.judged()), sitting.journal.path, tell)
    if sitting.trouble:
        raise Refused(f"{printable(sitting.journal.path)}: {sitting.trouble}")
    return code


def _full(sitting: Sitting, request: Request, tell: Tell) -> tuple[int, str]:
    from quizgen.terminal.full import run as full

    code, again = 0, False
    try:
        code, again = full.run(sitting, request.colour)
    except signals.Stopped as stopped:
        code = 128 + int(str(stopped))
    finally:
        sitting.close()
    if sitting.session.phase is Phase.ENDED:
        from quizgen.render.debrief import debrief_of
        from quizgen.render.debrief_text import summary_lines

        for line in summary_lines(debrief_of(sitting.session), request.width):
            tell(line)
    else:
        _quietly(tell, _kept(sitting, request.program))
    return _done(sitting, request, tell, code), sitting.journal.path if again else ""


def _plain(sitting: Sitting, request: Request, tell: Tell) -> int:
    talk = StandardLines(_at_keyboard(), request.width)
    sitting.steady = talk.interactive
    before = signals.catch()
    code, why = 0, ""
    try:
        PlainSession(sitting, talk).run()
    except Left:
        why = "Kept for later."
    except KeyboardInterrupt:
        code, why = 130, "\nInterrupted."
    except signals.Stopped as stopped:
        code, why = 128 + int(str(stopped)), "Stopped."
    finally:
        sitting.close()
        signals.release(before)
    if why:
        _quietly(tell, f"{why} {_kept(sitting, request.program)}")
    return _done(sitting, request, tell, code)


def _kept(sitting: Sitting, program: str) -> str:
    """What a session that was left keeps, and the way back to it."""
    back = f"Go on with: {program} mock --resume {printable(quote(sitting.journal.path))}"
    if sitting.session.phase is Phase.BRIEF and not sitting.resumed:
        return f"The session was not begun, and waits. {back}"
    if not sitting.trouble and sitting.draft_trouble:
        return f"Every response is saved; what was typed since is not ({sitting.draft_trouble}). {back}"
    if not sitting.trouble:
        return f"Nothing is lost. {back}"
    if not sitting.draft_trouble:
        return f"The last response could not be logged and is kept as a draft. {back}"
    return f"The last response could not be saved, not even as a draft; those before it are. {back}"


def _done(sitting: Sitting, request: Request, tell: Tell, code: int) -> int:
    if sitting.session.phase is Phase.ENDED:
        if request.html:
            _write_page(sitting, request.html, tell)
        path = printable(sitting.journal.path)
        tell(f"Log: {path}")
        if request.full:
            named = f" {printable(quote(sitting.journal.path))}" if request.log else ""
            again = f"--redo{named}" if missed(sitting.session) else printable(sitting.who.bank)
            run = request.program
            tell(f"Next: {run} mock {again}, {run} debrief{named} --html FILE, {run} progress")
    if sitting.trouble:
        raise Refused(f"{printable(sitting.journal.path)}: {sitting.trouble}")
    return code


def _write_page(sitting: Sitting, path: str, tell: Tell) -> None:
    from quizgen.render.debrief import debrief_of
    from quizgen.render.debrief_html import debrief_page

    _write(path, debrief_page(debrief_of(sitting.session), sitting.root), sitting.journal.path, tell)


def _write(path: str, page: str, log: str, tell: Tell) -> None:
    from quizgen.render.page_file import write_page

    try:
        write_page(Path(path), page)
    except OSError as error:
        log = printable(log)
        again = f"the log is complete, and `quizgen debrief {log} --html FILE` writes the page elsewhere"
        raise Refused(f"{printable(path)}: {error.strerror}; {again}") from None
    tell(f"Debrief: {printable(path)}")


def _new(request: Request, open_bank: OpenBank) -> Sitting | CaseSitting:
    old = _log_of(request.redo, request.folder, _answered, "no session with a response") if request.redo else ""
    text = _bytes(old) if old else b""
    name = request.bank or _bank_of(text) or request.usual
    loaded = open_bank(name)
    assert loaded.bank is not None
    if loaded.case is not None:
        return _new_case(request, loaded.case, loaded.bank, name)
    bank = assemble.rehearsable(loaded.bank)
    redo: tuple[str, ...] = ()
    if old:
        redo = opening.missed(text, bank.items)
        if not redo:
            raise WrongUse(f"{printable(old)} holds nothing of the bank {printable(name)} that was missed")
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
    who = Identity(opening.fresh_session(), request.candidate, name, bank.digest)
    path = request.log or ""
    try:
        path = path or opening.new_log(request.folder, clock.utc(), who.session)
        sitting = opening.begin(form, request.rules, who, bank, path, clock)
    except (CannotOpen, LogInUse) as error:
        raise Refused(printable(str(error))) from None
    except OSError as error:
        where = printable(path or str(request.folder))
        raise Refused(f"{where}: {error.strerror or error}; choose another place with --log") from None
    told = [narrowing.shortfall(loaded.blueprint, len(form.entries))] if request.narrows and loaded.blueprint else []
    if bank is not loaded.bank:
        told.append("Every item of this bank is a draft; they are asked as they stand.")
    kept = recall.latest(request.folder, _waiting)
    if kept is not None and not request.log and not request.redo:
        told.append(f"An unfinished session is kept: {request.program} mock --resume goes on with the latest.")
    sitting.notice = " ".join(filter(None, told))
    return sitting


def _new_case(request: Request, case: Case, bank: Bank, name: str) -> CaseSitting:
    unfit = request.items or request.minutes or request.topics or request.kinds or request.difficulties or request.redo
    if unfit:
        raise WrongUse(f"{case.id} is one conversation; leave --items, --minutes, --topic, --kind and --redo out")
    who = Identity(opening.fresh_session(), request.candidate, name, bank.digest)
    path = request.log or ""
    try:
        path = path or opening.new_log(request.folder, SystemClock().utc(), who.session)
        journal = Journal(path)
    except LogInUse as error:
        raise Refused(printable(str(error))) from None
    except OSError as error:
        where = printable(path or str(request.folder))
        raise Refused(f"{where}: {error.strerror or error}; choose another place with --log") from None
    return case_start.begun(case, who, journal, request.rules, request.seed)


def _resumed_case(logged: Logged, bank: Bank, journal: Journal, changed: bool) -> CaseSitting:
    """Raises CannotOpen where the case is gone or the bank has changed."""
    who = opening.identity_of(logged.head)
    case = recall.case_of(logged, bank)
    if who.digest != bank.digest and not changed:
        raise CannotOpen(
            f"the bank {who.bank} has changed since this session began, so its turns may differ; "
            "restore it, or accept the change with --changed-bank"
        )
    return case_start.resumed(case, logged, who, journal)


def _answered(logged: Logged, log: str) -> bool:
    return bool(logged.responses)


def _waiting(logged: Logged, log: str) -> bool:
    """A session worth going on with: not ended, and something given or typed."""
    return not logged.ended and (bool(logged.responses) or drafts.kept(log, str(logged.head.get("session", ""))))


def _log_of(named: str, folder: Path, wanted: Callable[[Logged, str], bool], none: str) -> str:
    """The log that was named, or the latest one of the folder. Raises Refused where there is none."""
    if named != LATEST or os.path.exists(named):
        return named
    found = recall.latest(folder, wanted)
    if found is None:
        raise Refused(f"there is {none} in {printable(str(folder))}; name its log, or begin a new one")
    return str(found)


def _bank_of(text: bytes) -> str:
    """The bank of a log's last session; empty where it says none."""
    sessions = records.read_sessions(text)
    return str(sessions[-1].head.get("bank", "")) if sessions else ""


def _resumed(request: Request, open_bank: OpenBank) -> Sitting | CaseSitting:
    path = _log_of(request.resume or "", request.folder, _waiting, "no unfinished session with a response")
    if not os.path.isfile(path):
        raise Refused(f"{printable(path)}: there is no such log; check its name")
    try:
        journal = Journal(path)
    except LogInUse as error:
        raise Refused(f"{printable(str(error))}; end it first") from None
    except OSError as error:
        raise Refused(f"{printable(path)}: {error.strerror or error}; check its name and rights") from None
    try:
        sessions = records.read_sessions(journal.before)
        logged = records.unfinished(sessions)
        if logged is None:
            why = "every session in it has ended" if sessions else "it holds no session"
            raise Refused(f"{printable(path)} has nothing to resume: {why}; leave --resume out for a new one")
        bank = open_bank(str(logged.head.get("bank", ""))).bank
        assert bank is not None
        if isinstance(logged.head.get("case"), str):
            return _resumed_case(logged, bank, journal, request.changed_bank)
        sitting = opening.resume(logged, bank, journal, SystemClock(), changed=request.changed_bank)
    except CannotOpen as error:
        journal.close()
        raise Refused(str(error)) from None
    except BaseException:  # whatever stopped it, the log must not stay locked
        journal.close()
        raise
    rules = replace(sitting.session.rules, probes=request.rules.probes)
    sitting.session = replace(sitting.session, rules=rules)
    return sitting


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Refused(f"{printable(path)}: {error.strerror}; check its name and rights") from None


def _at_keyboard() -> bool:
    return os.isatty(0)


def _quietly(tell: Tell, text: str) -> None:
    """After SIGHUP the terminal may be gone."""
    try:
        tell(text)
    except OSError:
        return
