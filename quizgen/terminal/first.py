"""The first lines on a full screen's terminal, before anything heavy is loaded.

They stand above the session and stay in the terminal's history when it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

WELCOME = """\
quizgen mock interview: {what}
Every response is on disk before the next item shows. F1 lists the keys; Ctrl-C asks before it leaves.
Reading the bank …
"""


def full_screen(environment: Mapping[str, str], tty: bool, posix: bool) -> bool:
    """Whether this terminal gets the full screen: none for pipes, TERM=dumb or ACCESSIBLE."""
    return (
        tty
        and posix
        and environment.get("TERM", "") not in ("", "dumb", "unknown")
        and not environment.get("ACCESSIBLE")
    )


def paint(what: str, write: Callable[[str], object], flush: Callable[[], object]) -> None:
    """Show that the session is coming, and under which rules."""
    write(WELCOME.format(what=what))
    flush()
