"""Reads the texts that authors write, with places: YAML nodes, problems, and the errors that end a command."""

from __future__ import annotations

# What ends a command with one line: input that cannot be used, or a wish that cannot be met.
#
# Whatever room raises one, `cli.run` alone makes it that line and an exit code.


class Unreadable(Exception):
    """Input that cannot be read, or a place that cannot be written to (exit code 3). The message has the remedy."""


class WrongUse(Exception):
    """A request that cannot be fulfilled (exit code 2). The message has the remedy."""
