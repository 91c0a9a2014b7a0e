"""The screen of `quizgen` without a command: suggestions for what to do next, each with the command to type."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from textwrap import wrap

import click

from quizgen import data_folders
from quizgen.commands.shared import command_to_start_quizgen, printed_line_width
from quizgen.session import journal as session_files
from quizgen.source.problems import Unreadable, printable
from quizgen.terminal.open_session import is_resumable, latest_log_path


def print_start_screen() -> None:
    """Prints the suggested commands: for an interrupted session, the plan of today, and to begin with."""
    rows = _suggested_commands(data_folders.default_log_folder(os.environ, Path.home()))
    room, width, run = max(len(about) for about, _ in rows), printed_line_width(), command_to_start_quizgen()
    click.echo("\n".join([*wrap("quizgen: practice for interviews, with scores that say why.", width), ""]))
    for about, command in rows:
        line = f"  {about:<{room}}  {run} {command}"
        apart = [*wrap(f"  {about}:", width, subsequent_indent="  "), f"      {run} {command}"]
        click.echo("\n".join(map(printable, [line] if len(line) < width else apart)))
    click.echo(f"\nEvery command: {run} --help")


def _suggested_commands(folder: Path) -> list[tuple[str, str]]:
    """The suggested commands, the most useful first, as (task in words, command)."""
    been = any(folder.glob("*.jsonl"))
    rows = [
        ("A new session", "mock") if been else ("First time here: five items", "mock --items 5"),
        ("15 minutes on a topic", "mock --topic zero --minutes 15"),
        ("Topics, and where you stand", "list topics"),
        ("A case with an interviewer", "mock seventy-b-on-1024"),
        ("Another subject", "list banks"),
    ]
    try:
        plan = session_files.load_plan(folder)
    except (Unreadable, OSError):  # `quizgen plan` reports the reason
        plan = None
    left = plan.interview_day - datetime.now().astimezone().date().toordinal() if plan is not None else -1
    if left < 0:
        rows.append(("You have a date", "plan --interview DATE"))
    elif left > 0:  # the day itself is for the interview
        rows.insert(0, (f"Tonight's plan, {left} day{'s' * (left != 1)} to the interview", "today"))
    if latest_log_path(folder, is_resumable) is not None:
        rows.insert(0, ("A session was interrupted: go on", "mock --resume"))
    return rows
