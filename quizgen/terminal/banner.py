"""The first lines on a full screen's terminal, before anything heavy is loaded.

They stand above the session and stay in the terminal's history when it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

RULES = {
    "interview": "You may skip, flag and come back, and pause. Your results come at the end.",
    "strict": "Strict: no pause (time away counts too) and no feedback before the end.",
    "practice": "Practice: you may pause, and the solution follows each response.",
}
TIMES = (
    "Each item has its own time; going over it is only noted. When the session's time is over, "
    "quizgen submits what you have typed."
)
UNTIMED = "Untimed: the clocks count up and nothing stops you."
GIVEN = "Asking for facts is free."
FOLLOW_UPS = "Some items have a follow-up item if there is time; it counts."
RESUMING = "Going on with the latest unfinished session …"
HINTS = "A hint takes 10 % off what its item earns, the second 20 % more, each later one 30 % more."


def full_screen(environment: Mapping[str, str], tty: bool, posix: bool) -> bool:
    """Whether this terminal gets the full screen: none for pipes, TERM=dumb or ACCESSIBLE."""
    return (
        tty
        and posix
        and environment.get("TERM", "") not in ("", "dumb", "unknown")
        and not environment.get("ACCESSIBLE")
    )


def rules_of_new(what: str, mode: str, timed: bool) -> list[str]:
    """The rules of a new session."""
    return [f"Mock interview: {what}", RULES[mode], TIMES if timed else UNTIMED, HINTS, "Reading the bank …"]


def paint(texts: Sequence[str], width: int, write: Callable[[str], object], flush: Callable[[], object]) -> None:
    """What can be said of a session while its bank, or its log, is still being read."""
    for text in texts:
        line = ""
        for word in text.split():
            if line and len(line) + 1 + len(word) > width:
                write(f"{line}\n")
                line = ""
            line = f"{line} {word}" if line else word
        write(f"{line}\n")
    flush()
