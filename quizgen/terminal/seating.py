"""The sitting that a request asks for: on a new session, on a case, or on one that was left."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from quizgen import assemble, blueprint_filters, draw
from quizgen.log import drafts, plans, records
from quizgen.log.journal import Journal
from quizgen.log.records import Identity, Logged
from quizgen.model import Bank
from quizgen.source.problems import Unreadable, WrongUse, printable
from quizgen.terminal import opening, recall
from quizgen.terminal.request import LATEST, OpenBank, Request
from quizgen.terminal.sitting import Sitting

if TYPE_CHECKING:  # most sessions are no case
    from quizgen.cases.case import Case
    from quizgen.terminal.case_sitting import CaseSitting

T = TypeVar("T")


def new(request: Request, open_bank: OpenBank) -> Sitting | CaseSitting:
    old = [_log_of(name, request.folder, _answered, "no session with a response") for name in request.redo]
    text = b"\n".join(_bytes(path) for path in old)
    name = request.bank or _bank_of(text) or request.usual
    loaded = open_bank(name)
    assert loaded.bank is not None
    if loaded.case is not None:
        return _new_case(request, loaded.case, loaded.bank, name)
    bank = assemble.rehearsable(loaded.bank)
    again = opening.missed(text, bank.items)
    if old and not again:
        raise WrongUse(f"{printable(', '.join(old))} holds nothing of the bank {printable(name)} that was missed")
    course = request.course
    lately = opening.seen_lately(request.folder) if request.seed is None and course is None else frozenset()
    lately |= _sealed(request.folder)
    form = opening.new_form(bank, loaded.blueprint, request, lately, again)
    who = Identity(opening.fresh_session(), request.candidate, name, bank.digest)
    sitting = _with_log(request, who, lambda path: opening.begin(form, request.rules, who, bank, path, request.clock))
    sitting.reasons = course.reasons if course else {}
    told = [course.about] if course else []
    told += (
        [blueprint_filters.shortfall(loaded.blueprint, len(form.entries))]
        if request.narrows and loaded.blueprint
        else []
    )
    if bank is not loaded.bank:
        told.append("Every item of this bank is a draft; they are asked as they stand.")
    kept = recall.latest(request.folder, _waiting)
    if kept is not None and not request.log and not request.redo and not course:
        told.append(f"An unfinished session is kept: {request.program} mock --resume goes on with the latest.")
    sitting.notice = " ".join(filter(None, told))
    return sitting


def _new_case(request: Request, case: Case, bank: Bank, name: str) -> CaseSitting:
    from quizgen.cases.talk import begin
    from quizgen.terminal.case_sitting import CaseSitting

    unfit = request.items or request.minutes or request.topics or request.kinds or request.difficulties or request.redo
    if unfit:
        raise WrongUse(f"{case.id} is one conversation; leave --items, --minutes, --topic, --kind and --redo out")
    who = Identity(opening.fresh_session(), request.candidate, name, bank.digest)
    journal = _with_log(request, who, Journal)
    return CaseSitting(begin(case, request.seed or draw.fresh_seed()), who, journal, request.clock, request.rules)


def _with_log(request: Request, who: Identity, make: Callable[[str], T]) -> T:
    """What is made with the path of a session's log. Raises Unreadable where there can be none."""
    path = request.log or ""
    try:
        path = path or opening.new_log(request.folder, request.clock.utc(), who.session)
        return make(path)
    except OSError as error:
        where = printable(path or str(request.folder))
        raise Unreadable(f"{where}: {error.strerror or error}; choose another place with --log") from None


def _resumed_case(logged: Logged, bank: Bank, journal: Journal, request: Request) -> CaseSitting:
    """A talk that goes on where its log ends, the way it went. Raises CannotOpen where the case is gone or the bank
    has changed."""
    from quizgen.log.turns import replayed
    from quizgen.terminal.case_sitting import CaseSitting

    who = opening.identity_of(logged.head)
    case = recall.case_of(logged, bank)
    opening.same_bank(who, bank, request.changed_bank)
    talk, spent = replayed(case, str(logged.head.get("seed", "")), logged.turns)
    rules = opening.rules_of(logged.head)
    sitting = CaseSitting(talk, who, journal, request.clock, rules, spent, resumed=True)
    held = drafts.load(journal.path, who.session).places.get(f"{case.id}.{talk.turn}", {}).get("draft")
    sitting.typed = held if isinstance(held, str) else ""
    return sitting


def _answered(logged: Logged, log: str) -> bool:
    return bool(logged.responses)


def _waiting(logged: Logged, log: str) -> bool:
    """A session worth going on with: not ended, and something given or typed."""
    return not logged.ended and (bool(logged.responses) or drafts.kept(log, str(logged.head.get("session", ""))))


def _log_of(named: str, folder: Path, wanted: Callable[[Logged, str], bool], none: str) -> str:
    """The log that was named, or the latest one of the folder. Raises Unreadable where there is none."""
    if named != LATEST or os.path.exists(named):
        return named
    found = recall.latest(folder, wanted)
    if found is None:
        raise Unreadable(f"there is {none} in {printable(str(folder))}; name its log, or begin a new one")
    return str(found)


def _bank_of(text: bytes) -> str:
    """The bank of a log's last session; empty where it says none."""
    sessions = records.read_sessions(text)
    return str(sessions[-1].head.get("bank", "")) if sessions else ""


def resumed(request: Request, open_bank: OpenBank) -> Sitting | CaseSitting:
    path = _log_of(request.resume or "", request.folder, _waiting, "no unfinished session with a response")
    if not os.path.isfile(path):
        raise Unreadable(f"{printable(path)}: there is no such log; check its name")
    try:
        journal = Journal(path)
    except OSError as error:
        raise Unreadable(f"{printable(path)}: {error.strerror or error}; check its name and rights") from None
    try:
        sessions = records.read_sessions(journal.before)
        logged = records.unfinished(sessions)
        if logged is None:
            why = "every session in it has ended" if sessions else "it holds no session"
            raise Unreadable(f"{printable(path)} has nothing to resume: {why}; leave --resume out for a new one")
        bank = open_bank(str(logged.head.get("bank", ""))).bank
        assert bank is not None
        if isinstance(logged.head.get("case"), str):
            return _resumed_case(logged, bank, journal, request)
        sitting = opening.resume(logged, bank, journal, request.clock, changed=request.changed_bank)
    except BaseException:  # whatever stopped it, the log must not stay locked
        journal.close()
        raise
    rules = replace(sitting.session.rules, probes=request.rules.probes)
    sitting.session = replace(sitting.session, rules=rules)
    sitting.reasons = request.course.reasons if request.course else {}
    return sitting


def _sealed(folder: Path) -> frozenset[str]:
    """Items that a plan keeps for its rehearsal: a new session takes them only where nothing else is left."""
    try:
        plan = plans.load(folder)
    except (plans.BadPlan, OSError):  # `quizgen plan` tells it
        return frozenset()
    return frozenset(plan.sealed) if plan is not None else frozenset()


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise Unreadable(f"{printable(path)}: {error.strerror}; check its name and rights") from None
