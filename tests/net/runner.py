"""Commands of a checkout's quizgen in forked processes whose clocks stand still, and what is kept of them."""

from __future__ import annotations

import contextlib
import datetime
import gc
import hashlib
import io
import json
import os
import secrets
import shutil
import sys
import time
import traceback
import zipfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

MOMENT = 1_795_780_800  # 2026-11-27T12:00:00Z
Real = datetime.datetime
sleep = time.sleep
FIXED = {"LC_ALL": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80", "USER": "net", "LOGNAME": "net", "NO_COLOR": "1"}


class _Like(type):
    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, Real)


class Standing(Real, metaclass=_Like):
    """A wall clock that stands."""

    moment = MOMENT

    @classmethod
    def now(cls, tz: datetime.tzinfo | None = None) -> Any:
        return cls.fromtimestamp(cls.moment, tz)


class Net:
    """Runs commands for one part, in a folder of its own, and keeps what they print and write under `into`/part.

    `checkout` holds the package quizgen, `inputs` what inputs.py built."""

    def __init__(self, checkout: Path, inputs: Path, into: Path, part: str) -> None:
        self.checkout, self.into, self.part, self.cwd = checkout, into / part, part, into / "work" / part
        shutil.copytree(inputs, self.cwd / "in")
        (self.cwd / "logs").mkdir()
        self.numbers: dict[str, Any] = json.loads((inputs / "numbers.json").read_text(encoding="utf-8"))
        datetime.datetime = Standing  # type: ignore[misc]
        time.time, time.monotonic = lambda: float(Standing.moment), lambda: 1000.0
        sys.path.insert(0, str(checkout))
        for path in sorted((checkout / "quizgen").rglob("*.py")):
            with contextlib.suppress(ImportError):  # of an extra that is not installed; the command says so
                import_module(".".join(path.relative_to(checkout).with_suffix("").parts).removesuffix(".__init__"))
        self.main: Callable[[], None] = sys.modules["quizgen.__main__"].main
        gc.freeze()  # so that a fork shares what is loaded
        if not Path(str(sys.modules["quizgen"].__file__)).is_relative_to(checkout):
            raise SystemExit(f"this is not the quizgen of {checkout}: {sys.modules['quizgen'].__file__}")

    def run(self, name: str | None, *args: str, typed: str = "", day: int = 0, timed: bool = False) -> str:
        """Standard output of a command; with a name, all that it printed is kept. `day` moves the clock; with `timed`
        a second passes with every 40 bytes printed."""
        given = self.cwd / ".in"
        given.write_bytes(typed.encode())
        with open(given, "rb") as file:
            return self.begin(name, args, file.fileno(), day, timed)()

    def begin(
        self, name: str | None, args: tuple[str, ...], given: int, day: int = 0, timed: bool = False
    ) -> Callable[[], str]:
        """Start a command whose standard input is the descriptor `given`; what is returned waits for its end."""
        streams = [self.cwd / ".out", self.cwd / ".err"]
        for path in streams:
            path.write_bytes(b"")
        pid = os.fork()
        if not pid:
            self._command(args, given, streams, day, timed)

        def ended() -> str:
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            out, err = (path.read_bytes() for path in streams)
            if name is not None:
                head = f"$ quizgen {' '.join(args)}\nexit code {code}\n".encode("utf-8", "surrogateescape")
                self.keep(name, head + out + (b"--- standard error\n" + err if err else b""))
            return out.decode("utf-8", "surrogateescape")

        return ended

    def _command(self, args: tuple[str, ...], given: int, streams: list[Path], day: int, timed: bool) -> None:
        """The forked process; it does not return."""
        code: object = 1
        try:
            os.chdir(self.cwd)
            home = str(self.cwd / "home")
            kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
            os.environ.clear()
            os.environ.update(
                kept, **FIXED, HOME=home, XDG_CACHE_HOME=f"{home}/cache", QUIZGEN_LOGS=str(self.cwd / "logs")
            )
            time.tzset()
            Standing.moment += 86400 * day
            count = iter(range(10**6))
            secrets.token_bytes = lambda n=None: hashlib.sha256(f"{args}{next(count)}".encode()).digest()[: n or 32]
            if timed:
                time.monotonic = lambda: 1000.0 + os.fstat(1).st_size // 40
            os.dup2(given, 0)
            for number, path in enumerate(streams, 1):
                os.dup2(os.open(path, os.O_RDWR), number)
            os.closerange(3, 256)  # the writing end of a pipe too, or its reader waits for ever
            sys.argv = [str(self.checkout / "quizgen" / "__main__.py"), *args]
            sys.stdin = open(0, encoding="utf-8", errors="surrogateescape")  # noqa: SIM115
            sys.stdout, sys.stderr = (open(n, "w", encoding="utf-8", errors="backslashreplace") for n in (1, 2))  # noqa: SIM115
            self.main()
            code = 0
        except SystemExit as end:
            code = end.code
        except BaseException:  # which the interpreter prints at the end of a process of its own
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))

    def keep(self, name: str, data: bytes) -> None:
        """Keep bytes as an output, with this machine's folders as words."""
        path = self.into / name
        path.parent.mkdir(parents=True, exist_ok=True)
        for folder, word in ((sys.executable, b"<python>"), (self.cwd, b"<folder>"), (self.checkout, b"<checkout>")):
            data = data.replace(os.fsencode(folder), word)
        path.write_bytes(data)

    def keep_files(self, name: str, *paths: str) -> None:
        """Keep those of the files that are there, and all that is in folders."""
        for start in map(self.cwd.joinpath, paths):
            for path in sorted(p for p in (start, *start.rglob("*")) if p.is_file()):
                self.keep(f"{name}/{path.relative_to(start.parent)}", unpacked(path.read_bytes()))

    def log(self, path: str) -> list[dict[str, Any]]:
        """The whole lines of a log that a command wrote; none where it is not there."""
        file = self.cwd / path
        lines = file.read_bytes().splitlines(keepends=True) if file.exists() else []
        return [json.loads(line) for line in lines if line.endswith(b"\n")]


def unpacked(data: bytes) -> bytes:
    """The bytes of a file; of a zip its members with their hashes, and the text of those that are text."""
    if not data.startswith(b"PK\3\4"):
        return data
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        members = [(one.filename, one.date_time, packed.read(one)) for one in packed.infolist()]
    heads = (
        f"\n== {name} {when} {len(held)} {hashlib.sha256(held).hexdigest()}\n".encode() for name, when, held in members
    )
    return b"".join(head + (b"" if b"\0" in held else held) for head, (_, _, held) in zip(heads, members, strict=True))
