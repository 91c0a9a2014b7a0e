"""`quizgen mock`: reads its options, and shows the first lines of a session before anything heavy is imported."""

from __future__ import annotations

import os
import sys
from typing import Any

import click
from click.core import ParameterSource

from quizgen.commands import options
from quizgen.commands.options import DEFAULT_BANK, argument, flag_option, int_option, notify, option, page_file_option
from quizgen.commands.shared import load_usable_bank, printed_line_width, program_command_text, wants_color
from quizgen.source.problems import printable

# No more imports here: the first line must be on the screen before heavy modules load.


def candidate_or_login_name(name: str | None) -> str:
    """The candidate's name in a log: `name`, else the login name. Raises UsageError if it is too long or
    unprintable."""
    candidate = name or os.environ.get("USER") or os.environ.get("USERNAME") or "candidate"
    if not 1 <= len(candidate) <= 100 or printable(candidate) != candidate:
        raise click.UsageError("--candidate must be 1 to 100 characters, none of them a control character")
    return candidate


def uses_full_screen(plain: bool) -> bool:
    """Whether the session uses the full screen; not in pipes, with TERM=dumb or ACCESSIBLE, or if `plain`."""
    is_dumb = os.environ.get("TERM", "") in ("", "dumb", "unknown") or os.environ.get("ACCESSIBLE")
    return not plain and not is_dumb and os.name == "posix" and sys.stdin.isatty() and sys.stdout.isatty()


PARAMETERS_BESIDE_RESUME = ("log_path_to_resume", "probes", "plain", "html_path", "allows_changed_bank", "no_color")


@click.command("mock")
@argument("bank", "[BANK, BLUEPRINT or CASE]", "banks blueprints cases", required=False)
@option("--seed", "", "Fixes items, order and drawn values (any text; printed if quizgen draws it).")
@int_option("--items item_count", 1, 1000, "How many items (default: the blueprint's, else at most 12).")
@option("--minutes", "MINUTES", "The time of the whole session (default: the blueprint's or the items').")
@option("--topic topics", "TOPIC", "Only this topic", completes="topics", multiple=True)
@option("--kind kinds", "KIND", "Only this kind: choice, numeric, text", multiple=True)
@options.difficulty_option()
@option(
    "--redo log_paths_to_redo",
    "[LOG]",
    "Review what was missed (default: in the latest session); may be repeated.",
    flag_value="latest",
    multiple=True,
)
@flag_option("--starred takes_only_starred_items", "The items that you bookmarked.")
@option(
    "--resume log_path_to_resume", "[LOG]", "Continue an unfinished session (default: the latest).", flag_value="latest"
)
@option("--log log_path", "FILE", "Where responses are logged (default: a new file in the log folder).")
@option("--candidate", "NAME", "The name on every line of the log (default: your login name).")
@flag_option("--strict", "No pause, no probes, no feedback before the end.")
@flag_option("--practice", "Show the solution after each item, and its key on request.")
@flag_option("--untimed", "Clocks count up; nothing stops the session.")
@option("--time-multiplier multiplier", "X", "Stretch every time budget, such as 1.5.")
@click.option("--probes/--no-probes", default=None, help="Ask follow-up questions (default: in full screen only).")
@flag_option("--plain", "Line by line: for pipes, screen readers, simple terminals.")
@page_file_option("--html html_path", "FILE", "Also write the debrief as one HTML page.")
@flag_option("--changed-bank allows_changed_bank", "Resume even if the bank has changed since.")
@flag_option("--no-color", "No colours (NO_COLOR does the same).")
def mock_command(bank: str | None, candidate: str | None, plain: bool, no_color: bool, **request_fields: Any) -> int:
    """Take a timed mock interview.

    BANK is a folder or file of items, or the name of a bank that ships (default: distributed-training); BLUEPRINT
    is a plan of one; CASE is one problem talked through with an interviewer. Each response is on disk before the
    next item shows. --resume continues a session that was cut short.

    With a blueprint, --topic, --kind and --difficulty filter its own items; with a bank, all items. --items N keeps
    the proportions of the blueprint's sections.

    The first hint costs 10 % of what its item earns, the second 20 % more, each later one 30 % more, 90 % at most.
    Outside a terminal, and with --plain, TERM=dumb or ACCESSIBLE set, the session runs line by line.

    Example: quizgen mock distributed-training --items 5 --topic zero
    """
    strict, practice, untimed = map(request_fields.pop, ("strict", "practice", "untimed"))
    if strict and practice:
        raise click.UsageError("--strict and --practice exclude each other; choose one")
    context = click.get_current_context()
    source_of = context.get_parameter_source
    parameters = (one for one in context.command.params if one.name not in PARAMETERS_BESIDE_RESUME)
    names = [one.opts[0] for one in parameters if source_of(str(one.name)) is ParameterSource.COMMANDLINE]
    if request_fields["log_path_to_resume"] and names:
        raise click.UsageError(f"--resume continues the session with its own settings; leave {', '.join(names)} out")
    request_fields["minutes"] = options.parse_minutes_option(request_fields["minutes"])
    multiplier = options.parse_positive_number_option("--time-multiplier", request_fields.pop("multiplier"), 20, "1.5")
    name, has_screen, probes = candidate_or_login_name(candidate), uses_full_screen(plain), request_fields.pop("probes")
    if has_screen:
        click.echo("Reading the bank …")
    # Slow imports, after the first line is on the screen.
    from quizgen import data_folders
    from quizgen.session.interview import Mode, SessionRules
    from quizgen.terminal import open_session
    from quizgen.terminal.lines import detect_image_protocol_name
    from quizgen.terminal.open_session import MockRequest

    mode = Mode.STRICT if strict else Mode.PRACTICE if practice else Mode.INTERVIEW
    request = MockRequest(
        bank_name=bank or "",
        default_bank_name=DEFAULT_BANK,
        candidate_name=name,
        rules=SessionRules(mode, not untimed, float(multiplier or 1), has_screen if probes is None else probes),
        wants_full_screen=has_screen,
        uses_colour=wants_color(no_color),
        width=printed_line_width(),
        image_protocol_name=detect_image_protocol_name(os.environ, sys.stdout.isatty()),
        log_folder=data_folders.default_log_folder(),
        program_command_text=program_command_text(),
        **request_fields,
    )
    return open_session.run_sessions_for_exit_code(request, load_usable_bank, notify)
