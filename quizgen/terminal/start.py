"""Starts, runs and leaves a session; the only place where all parts meet."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shlex import quote

from quizgen.atomic_write import write_atomically
from quizgen.render.text import next_command_lines
from quizgen.session.interview import Phase, has_missed_points
from quizgen.session.journal import LinesNotSaved
from quizgen.session.sitting import Sitting
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal import leaving
from quizgen.terminal.debriefs import debrief_of_sitting
from quizgen.terminal.leaving import SessionKept
from quizgen.terminal.lines import LineTerminal
from quizgen.terminal.open_session import MockRequest, OpenBank, ReportMessage, open_new_session, open_resumed_session


def run_sessions(request: MockRequest, open_bank: OpenBank, report_message: ReportMessage) -> int:
    """Runs a session, and another on the missed items if the candidate wants one at the end. Returns the last exit
    code. Raises Unreadable and WrongUse."""
    if request.html and not Path(request.html).absolute().parent.is_dir():
        # Refuse now, not after three quarters of an hour.
        raise Unreadable(f"{printable(request.html)}: there is no such folder; make it, or name another for --html")
    while True:
        sitting = (
            open_resumed_session(request, open_bank) if request.resume_log else open_new_session(request, open_bank)
        )
        path = sitting.journal.path
        try:
            sitting.log_start()
        except LinesNotSaved as error:
            sitting.journal.close()
            raise Unreadable(f"{printable(path)}: {error}; choose another place with --log") from None
        code, why, again = _run_sitting(sitting, request)
        if sitting.session.phase is Phase.ENDED:
            _print_result(sitting, request, report_message)
        else:
            with suppress(OSError):  # after SIGHUP the terminal may be gone
                report_message(f"{why} {_saved_session_message(sitting, request.program_command)}".lstrip(" "))
        if sitting.log_error_text:
            raise Unreadable(f"{printable(path)}: {sitting.log_error_text}")
        if not again:
            return code
        # The same rules, in the named log or in a new log of the folder.
        request = replace(
            request, bank_name="", redo=(path,), resume_log=None, planned_session=None, seed=None, item_count=None,
            minutes=None, html=None, topics=(), kinds=(), difficulties=(), rules=sitting.session.rules,
        )  # fmt: skip


def _run_sitting(sitting: Sitting, request: MockRequest) -> tuple[int, str, bool]:
    """Runs a sitting. Returns the exit code, how it was left (empty if it ended, or on a full screen), and whether to
    redo the missed items at once."""
    try:
        if request.wants_full_screen:
            from quizgen.terminal import screen, session_screen

            state = session_screen.SessionScreen
            if sitting.is_case:
                from quizgen.terminal.case_faces import CaseScreen

                state = CaseScreen
            code, again = screen.run(state(sitting), request.uses_colour)
            return code, "", again
        from quizgen.terminal import plain

        display: type[plain.PlainDisplay] = plain.PlainSession
        if sitting.is_case:
            from quizgen.terminal.case_faces import PlainCase

            display = PlainCase
        lines = LineTerminal(os.isatty(0), request.width, pictures=request.image_protocol)
        sitting.ticks_every_second = lines.interactive
        with leaving.raise_on_signals():
            display(sitting, lines).run()
    except SessionKept:
        return 0, "Kept for later.", False
    except KeyboardInterrupt:
        return 130, "\nInterrupted.", False
    except leaving.SignalReceived as stopped:
        return 128 + int(str(stopped)), "" if request.wants_full_screen else "Stopped.", False
    finally:
        sitting.close()
    return 0, "", False


def _saved_session_message(sitting: Sitting, program_command: str) -> str:
    """A message for a session that was left: what is saved, and how to continue."""
    back = f"Continue with: {program_command} mock --resume {printable(quote(sitting.journal.path))}"
    if sitting.session.phase is Phase.BRIEF and not sitting.is_resumed:
        return f"The session has not begun yet. {back}"
    if sitting.draft_error_text:
        return f"What you typed last could not be saved ({sitting.draft_error_text}); all before it is. {back}"
    return f"{'Your last response is kept as a draft.' if sitting.log_error_text else 'Nothing is lost.'} {back}"


def _print_result(sitting: Sitting, request: MockRequest, report_message: ReportMessage) -> None:
    """Prints the result of a session that ended, and writes its page if requested."""
    done = debrief_of_sitting(sitting)
    if request.wants_full_screen:
        for line in done.summary_lines(request.width):
            report_message(line)
    log = printable(sitting.journal.path)
    if request.html:
        again = f"the log is complete, and `quizgen debrief {log} --html FILE` writes the page elsewhere"
        write_atomically(request.html, done.html_page(), again)
        report_message(f"Debrief: {printable(request.html)}")
    report_message(f"Log: {log}")
    if request.wants_full_screen and not sitting.is_case:
        named = f" {printable(quote(sitting.journal.path))}" if request.log else ""
        redo = f"--redo{named}" if has_missed_points(sitting.session) else printable(sitting.identity.bank_name)
        run = request.program_command
        for line in next_command_lines([f"{run} mock {redo}", f"{run} debrief{named} --html FILE", f"{run} progress"]):
            report_message(line)
