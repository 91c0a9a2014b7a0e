"""The command line `quizgen`: a group of commands, each in a file of `quizgen/commands/` that is imported when it is
run.

`quizgen --help` shows the one-line summaries below and imports no command."""

from __future__ import annotations

import errno
import os
import shlex
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from quizgen import __version__
from quizgen.source import Unreadable, WrongUse

# command -> (its file in quizgen/commands/, which may be shared with others, and its summary)
MODULE_AND_SUMMARY_BY_COMMAND = {
    "mock": ("mock", "Take a timed mock interview in the terminal."),
    "practice": ("practice", "Practise on a page that marks at once and keeps your answers."),
    "exam": ("exam", "Write forms, keys and a manifest for paper and screen."),
    "score": ("score", "Score answer logs: one candidate or thousands."),
    "mark": ("paper", "Write a page on which people mark answers."),
    "scan": ("paper", "Read filled answer sheets from scans and photographs."),
    "check": ("check", "Find every fault in banks."),
    "solve": ("solve", "Evaluate a formula: value, unit, worked derivation; inverse problems."),
    "list": ("show", "List banks, topics, items, formulas, blueprints, cases or patterns."),
    "show": ("show", "Show one item as candidates and authors see it."),
    "new": ("new", "Write a commented start of a bank, an item or a case."),
    "preview": ("preview", "Show a bank on a local page that follows your edits."),
    "rubric": ("rubric", "Measure and improve rubrics against human scores."),
    "plan": ("coach", "Plan the days to an interview."),
    "today": ("coach", "Run the session that the plan has for today."),
    "debrief": ("coach", "Show a past session's debrief again."),
    "progress": ("coach", "Show readiness by topic from past logs."),
    "export": ("interchange", "Write items for Anki, Moodle, Canvas, spreadsheets and paper."),
    "import": ("interchange", "Import items from other programs and text files, as drafts."),
}

# Errors of a write to standard output: the disk is full or fails, or nothing can be written there.
_OUTPUT_FAILURE_ERRNOS = (
    errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF, errno.EINVAL, errno.ENXIO, errno.ECONNRESET,
)  # fmt: skip


class LazyGroup(click.Group):
    """A click group that imports a command only to run it or to show its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(MODULE_AND_SUMMARY_BY_COMMAND)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name.startswith("-"):
            return None
        if name not in MODULE_AND_SUMMARY_BY_COMMAND:
            from quizgen.source.problems import did_you_mean, printable

            hint = did_you_mean(name, MODULE_AND_SUMMARY_BY_COMMAND) or "see quizgen --help"
            ctx.fail(f'no command "{printable(name)}"; {hint}')
        module = import_module(f"quizgen.commands.{MODULE_AND_SUMMARY_BY_COMMAND[name][0]}")
        command: click.Command = getattr(module, f"{name}_command")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in MODULE_AND_SUMMARY_BY_COMMAND.items()])


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    subcommand_metavar="COMMAND [ARGS]…",
    invoke_without_command=True,
)
@click.version_option(__version__, prog_name="quizgen")
@click.pass_context
def cli(context: click.Context) -> None:
    """Interview-prep item banks with scoring that explains itself.

    One bank serves three jobs: `quizgen mock distributed-training` rehearses an interview,
    `quizgen exam distributed-training -o out` writes an exam, and `quizgen score LOG` scores
    answer logs. Exit codes: 0 fine, 1 findings, 2 wrong usage, 3 input that can't be read,
    130 interrupted.
    """
    if context.invoked_subcommand is not None:
        return
    # Without a command: the suggested ones, the most useful first: for an interrupted session, the plan of today, and
    # to begin with.
    from datetime import datetime
    from textwrap import wrap

    from quizgen import data_folders
    from quizgen.commands.options import DEFAULT_BANK
    from quizgen.commands.shared import printed_line_width, program_command_text
    from quizgen.session import journal as session_files
    from quizgen.source.problems import printable
    from quizgen.terminal.open_session import is_resumable_by_mock, latest_accepted_log_path

    folder = data_folders.default_log_folder()
    try:
        plan = session_files.load_study_plan(folder)
    except (Unreadable, OSError):  # `quizgen plan` reports the reason
        plan = None
    session, topics, case, drill = "mock", "list topics", "mock seventy-b-on-1024", "mock --topic zero"
    if plan is not None and plan.bank_name != DEFAULT_BANK:
        bank = shlex.quote(plan.bank_name)
        heaviest_topic = max(plan.weight_by_topic.items(), key=lambda w: w[1], default=None)
        session, topics, case = f"mock {bank}", f"list topics --bank {bank}", f"list cases --bank {bank}"
        drill = f"{session} --topic {heaviest_topic[0]}" if heaviest_topic else session
    is_first = not any(folder.glob("*.jsonl"))
    suggestions = [  # (task in words, command)
        ("First time here: five items", f"{session} --items 5") if is_first else ("A new session", session),
        ("15 minutes on a topic", f"{drill} --minutes 15"),
        ("Topics, and where you stand", topics),
        ("A case with an interviewer", case),
        ("Another subject", "list banks"),
    ]
    days_left = plan.interview_day_ordinal - datetime.now().astimezone().date().toordinal() if plan is not None else -1
    if days_left < 0:
        suggestions.append(("You have a date", "plan --interview DATE"))
    elif days_left > 0:  # the day itself is for the interview
        suggestions.insert(0, (f"Tonight's plan, {days_left} day{'s' * (days_left != 1)} to the interview", "today"))
    if latest_accepted_log_path(folder, is_resumable_by_mock) is not None:
        suggestions.insert(0, ("A session was interrupted: go on", "mock --resume"))
    width, run = printed_line_width(), program_command_text()
    task_width = max(len(task) for task, _ in suggestions)
    click.echo("\n".join([*wrap("quizgen: practice for interviews, with scores that say why.", width), ""]))
    for task, command in suggestions:
        line = f"  {task:<{task_width}}  {run} {command}"
        lines = [*wrap(f"  {task}:", width, subsequent_indent="  "), f"      {run} {command}"]
        click.echo("\n".join(map(printable, [line] if len(line) < width else lines)))
    click.echo(f"\nEvery command: {run} --help")


def run(arguments: Sequence[str]) -> int:
    """Runs the command line `arguments` and returns its exit code. Error messages go to standard error."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # whoever started quizgen has closed it
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_WRONLY), "w"))
        # A character that the screen cannot show becomes an escape instead of a crash.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        code = _invoke_without_catching_errors(arguments)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt, EOFError):
        print("\ninterrupted", file=sys.stderr)
        return 130
    except Unreadable as error:
        print(f"quizgen: {_printable_and_shortened(str(error))}", file=sys.stderr)
        return 3
    except WrongUse as error:
        click.UsageError(_printable_and_shortened(str(error))).show()
        return 2
    except click.ClickException as error:
        context = error.ctx if isinstance(error, click.NoSuchOption) and error.option_name == "--bank" else None
        if context is not None and "BANK" in " ".join(context.command.collect_usage_pieces(context)):
            hint = f"this command takes the bank without --bank, as in {context.command_path} systems-design"
            error = click.UsageError(hint, context)
        error.show()
        return error.exit_code
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error.filename, str):  # a path that cannot be examined: in a forbidden folder, or too long
            reason = f"{_printable_and_shortened(error.filename, 200)}: {reason}; name another path"
        elif isinstance(error, BrokenPipeError) or error.errno in _OUTPUT_FAILURE_ERRNOS:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # discards the rest of the output
            if isinstance(error, BrokenPipeError):  # whoever read the output has ended
                return 0
            reason = f"standard output cannot be written ({reason}); send it to another file or disk"
        else:  # no room for another process, or the folder that quizgen was started in is gone
            reason = f"{reason}; free memory and disk, or start from another folder"
        print(f"quizgen: {reason}", file=sys.stderr)
        return 3
    return code if isinstance(code, int) else 0


def _invoke_without_catching_errors(arguments: Sequence[str]) -> object:
    """The result of the command line. `cli.main` would do the same, but it handles a broken pipe in its own way."""
    if instruction := os.environ.get("_QUIZGEN_COMPLETE"):
        from click.shell_completion import shell_complete

        return shell_complete(cli, {}, "quizgen", "_QUIZGEN_COMPLETE", instruction)
    try:  # click would import `shutil`, with all its compression modules, to find this one number
        columns = int(os.environ.get("COLUMNS", "0")) or os.get_terminal_size().columns
    except (OSError, ValueError):  # no terminal
        columns = 80
    try:
        with cli.make_context("quizgen", list(arguments), terminal_width=max(min(columns, 80) - 2, 50)) as context:
            return cli.invoke(context)
    except click.exceptions.Exit as ended:
        return ended.exit_code


def _printable_and_shortened(text: str, limit: int = sys.maxsize) -> str:
    from quizgen.source.problems import printable, shorten

    return shorten(printable(text), limit)
