"""A real terminal for tests and captures: tmux on a private socket, driven by keys and read as text."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

SHELL = "/bin/bash" if os.path.exists("/bin/bash") else "/bin/sh"


class Terminal:
    """One tmux session that runs a shell. Closed by `close`, whatever happened."""

    def __init__(
        self, folder: Path, columns: int = 80, rows: int = 24, environment: dict[str, str] | None = None
    ) -> None:
        self.folder = folder
        self._socket = str(folder / "tmux.sock")
        self.columns, self.rows = columns, rows
        env = {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(folder), "LC_ALL": "C.UTF-8"}
        env |= {"QUIZGEN_LOGS": str(folder / "logs"), "PS1": "$ ", **(environment or {})}
        settings = [f"{name}={shlex.quote(value)}" for name, value in env.items()]
        shell = f"env {' '.join(settings)} {SHELL} --norc --noprofile -i"
        size = ("-x", str(columns), "-y", str(rows))
        for last in (False, False, False, True):
            try:
                self._tmux("-f", "/dev/null", "new-session", "-d", *size, "-c", str(folder), shell)
                break
            except RuntimeError as error:  # the server of a terminal just closed is still on its way out
                if last or "server exited" not in str(error):
                    raise
                time.sleep(0.2)
        self._tmux("set-option", "-g", "status", "off")
        self._tmux("set-option", "-g", "escape-time", "0")
        self._tmux("resize-window", *size)
        self.wait(r"^\$")

    def _tmux(self, *arguments: str) -> str:
        command = ["tmux", "-S", self._socket, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)
        if done.returncode and arguments[0] != "kill-server":
            raise RuntimeError(f"tmux {arguments}: {done.stderr}")
        return done.stdout

    def keys(self, *names: str) -> None:
        """Keys by tmux's names: `Enter`, `F2`, `C-c`, or a character."""
        self._tmux("send-keys", *names)

    def type(self, text: str) -> None:
        self._tmux("send-keys", "-l", text)

    def line(self, text: str) -> None:
        self.type(text)
        self.keys("Enter")

    def resize(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def screen(self, colour: bool = False) -> str:
        return self._tmux("capture-pane", "-p", *(["-e", "-N"] if colour else [])).rstrip("\n")

    def wait(self, pattern: str, seconds: float = 15.0) -> str:
        """The screen once it matches; AssertionError with the screen when it never does."""
        until = time.monotonic() + seconds
        while True:
            shown = self.screen()
            if re.search(pattern, shown, re.MULTILINE):
                return shown
            assert time.monotonic() < until, f"{pattern!r} never came:\n{shown}"
            time.sleep(0.03)

    def pid(self, command: str = "quizgen") -> int:
        """The process on this terminal whose command line holds a word."""
        tty = self._tmux("display-message", "-p", "#{pane_tty}").strip().removeprefix("/dev/")
        rows = subprocess.run(
            ["ps", "-ww", "-t", tty, "-o", "pid=,args="], capture_output=True, text=True, check=False
        ).stdout
        found = [int(r.split()[0]) for r in rows.splitlines() if command in r and "--norc" not in r]
        assert found, rows
        return found[-1]

    def close(self) -> None:
        self._tmux("kill-server")
