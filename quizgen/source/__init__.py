"""Reads the texts that authors write, with places: YAML nodes, problems, and the errors that end a command."""

from __future__ import annotations

# Exceptions that end a command with a one-line message: unusable input, or an impossible request.
#
# Any room may raise them; only `cli.run` turns one into its message and an exit code.


class Unreadable(Exception):
    """Input that cannot be read, or a place that cannot be written to (exit code 3). The message says what to do."""


class WrongUse(Exception):
    """A request that cannot be fulfilled (exit code 2). The message says what to do."""
