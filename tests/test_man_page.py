"""The manual page says what the help says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import click
from shipped import Golden

from quizgen.cli import MODULE_AND_SUMMARY_BY_COMMAND, cli


def escaped(text: str) -> str:
    """Text as roff prints it: backslashes and dashes kept, no line taken for a request."""
    plain = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^(?=[.'])", r"\\&", plain, flags=re.MULTILINE)


def paragraphs(text: str) -> list[str]:
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def page() -> str:
    """The manual page quizgen(1): every command with its usage, help and options."""
    title = "quizgen " + escaped("- interview-prep quizzes whose grading explains itself")
    lines = [".TH QUIZGEN 1", ".SH NAME", title]
    lines += [".SH SYNOPSIS", r".B quizgen", "COMMAND [OPTIONS] [ARGUMENTS]", ".SH DESCRIPTION"]
    lines += [line for part in paragraphs(cli.help or "") for line in (".PP", escaped(part))]
    lines.append(".SH COMMANDS")
    above = click.Context(cli, info_name="quizgen")
    for name in MODULE_AND_SUMMARY_BY_COMMAND:
        lines += described(cli.get_command(above, name), name, above)
    return "\n".join(lines) + "\n"


def described(command: click.Command | None, name: str, above: click.Context) -> list[str]:
    """A command, and those below it, as sections of the page."""
    here = click.Context(command, info_name=name, parent=above)
    lines = [".SS " + escaped(f"{here.command_path} {' '.join(command.collect_usage_pieces(here))}")]
    lines += [line for part in paragraphs(command.help or "") for line in (".PP", escaped(part))]
    for option in command.get_params(here):
        record = option.get_help_record(here) if isinstance(option, click.Option) and option.name != "help" else None
        if record:
            lines += [".TP", f".B {escaped(record[0])}", escaped(" ".join(record[1].split()))]
    if isinstance(command, click.Group):
        for below in command.list_commands(here):
            lines += described(command.get_command(here, below), below, here)
    return lines


def test_the_manual_page_is_the_help(root: Path, golden: Golden) -> None:
    """Made in a process of its own: click keeps in a command what the first context made of it."""
    here = {**os.environ, "PYTHONPATH": str(root)}
    made = subprocess.run([sys.executable, __file__], env=here, capture_output=True, encoding="utf-8", check=True)
    golden("quizgen.1", made.stdout, folder="docs")


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(page())
