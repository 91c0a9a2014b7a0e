"""Starting, running and leaving a session: the one place where all its parts meet."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING

from quizgen.atomic_write import write_whole
from quizgen.render.text import next_lines
from quizgen.session.interview import Phase, Rules, missed
from quizgen.session.journal import NotSaved
from quizgen.session.sitting import Sitting
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal import leaving
from quizgen.terminal.leaving import Left
from quizgen.terminal.open_session import OpenBank, Request, Tell, new, resumed

if TYPE_CHECKING:  # most sessions are no case
    from quizgen.session.sitting import CaseSitting


def run(request: Request, open_bank: OpenBank, tell: Tell) -> int:
    """Run one session, and another on what it missed where the candidate asks for it at the end;
    the last one's exit code. Raises Unreadable and WrongUse."""
    if request.html and not Path(request.html).absolute().parent.is_dir():
        # Now, and not when three quarters of an hour are over.
        raise Unreadable(f"{printable(request.html)}: there is no such folder; make it, or name another for --html")
    while True:
        code, again, rules = _run(request, open_bank, tell)
        if not again:
            return code
        # By the same rules, in the log that was named, or in a new one of the folder.
        request = replace(
            request, bank="", redo=(again,), resume=None, course=None, seed=None, items=None, minutes=None, html=None,
            topics=(), kinds=(), difficulties=(), rules=rules,
        )  # fmt: skip


def _run(request: Request, open_bank: OpenBank, tell: Tell) -> tuple[int, str, Rules]:
    """The exit code, the log to redo at once (empty: none) and the session's rules."""
    sitting = resumed(request, open_bank) if request.resume else new(request, open_bank)
    try:
        sitting.open()
    except NotSaved as error:
        sitting.journal.close()
        raise Unreadable(f"{printable(sitting.journal.path)}: {error}; choose another place with --log") from None
    code, why, again = _attended(sitting, request)
    if sitting.ended:
        _done(sitting, request, tell)
    else:
        _quietly(tell, f"{why} {_kept(sitting, request.program)}".lstrip(" "))
    if sitting.trouble:
        raise Unreadable(f"{printable(sitting.journal.path)}: {sitting.trouble}")
    rules = sitting.session.rules if isinstance(sitting, Sitting) else request.rules
    return code, sitting.journal.path if again else "", rules


def _attended(sitting: Sitting | CaseSitting, request: Request) -> tuple[int, str, bool]:
    """The exit code, in what way it was left (empty: it ended, or a full screen was left), and whether what was
    missed is to be redone at once."""
    try:
        if request.full and isinstance(sitting, Sitting):
            from quizgen.terminal import screen as full

            code, again = full.run(sitting, request.colour)
            return code, "", again
        if request.full and not isinstance(sitting, Sitting):
            from quizgen.terminal import case_full

            return case_full.run(sitting, request.colour), "", False
        _line_by_line(sitting, request)
    except Left:
        return 0, "Kept for later.", False
    except KeyboardInterrupt:
        return 130, "\nInterrupted.", False
    except leaving.Stopped as stopped:
        return 128 + int(str(stopped)), "" if request.full else "Stopped.", False
    finally:
        sitting.close()
    return 0, "", False


def _line_by_line(sitting: Sitting | CaseSitting, request: Request) -> None:
    """Raises Left, KeyboardInterrupt and Stopped."""
    from quizgen.terminal.lines import LineTalk

    talk = LineTalk(os.isatty(0), request.width, pictures=request.pictures)
    before = leaving.catch()
    try:
        if isinstance(sitting, Sitting):
            from quizgen.terminal.plain import PlainSession

            sitting.steady = talk.interactive
            PlainSession(sitting, talk).run()
        else:
            from quizgen.terminal.case_plain import CasePlain

            CasePlain(sitting, talk).run()
    finally:
        leaving.release(before)


def _kept(sitting: Sitting | CaseSitting, program: str) -> str:
    """What a session that was left keeps, and the way back to it."""
    back = f"Go on with: {program} mock --resume {printable(quote(sitting.journal.path))}"
    if isinstance(sitting, Sitting) and sitting.session.phase is Phase.BRIEF and not sitting.resumed:
        return f"The session was not begun, and waits. {back}"
    if not sitting.trouble and sitting.draft_trouble:
        return f"Every response is saved; what was typed since is not ({sitting.draft_trouble}). {back}"
    if not sitting.trouble:
        return f"Nothing is lost. {back}"
    if not sitting.draft_trouble:
        return f"The last response could not be logged and is kept as a draft. {back}"
    return f"The last response could not be saved, not even as a draft; those before it are. {back}"


def _done(sitting: Sitting | CaseSitting, request: Request, tell: Tell) -> None:
    """What is told of a session that ended, and its page where one is asked for."""
    if request.full:
        for line in _summary(sitting, request.width):
            tell(line)
    log = printable(sitting.journal.path)
    if request.html:
        again = f"the log is complete, and `quizgen debrief {log} --html FILE` writes the page elsewhere"
        write_whole(request.html, _page(sitting), again)
        tell(f"Debrief: {printable(request.html)}")
    tell(f"Log: {log}")
    if request.full and isinstance(sitting, Sitting):
        named = f" {printable(quote(sitting.journal.path))}" if request.log else ""
        redo = f"--redo{named}" if missed(sitting.session) else printable(sitting.who.bank)
        run = request.program
        for line in next_lines([f"{run} mock {redo}", f"{run} debrief{named} --html FILE", f"{run} progress"]):
            tell(line)


def _summary(sitting: Sitting | CaseSitting, width: int) -> Sequence[str]:
    if isinstance(sitting, Sitting):
        from quizgen.render.debrief import debrief_of
        from quizgen.render.debrief_text import summary_lines

        return summary_lines(debrief_of(sitting.session), width)
    from quizgen.render.case import heading

    return heading(sitting.judged())


def _page(sitting: Sitting | CaseSitting) -> str:
    if isinstance(sitting, Sitting):
        from quizgen.render.debrief import debrief_of
        from quizgen.render.debrief_html import debrief_page

        return debrief_page(debrief_of(sitting.session), sitting.root)
    from quizgen.render.case import case_page

    return case_page(sitting.judged())


def _quietly(tell: Tell, text: str) -> None:
    """After SIGHUP the terminal may be gone."""
    try:
        tell(text)
    except OSError:
        return
