"""Replaces a file only when the new one is complete and on disk; the one way to write files that people keep.

A reader of the path sees the old file or the new one, never half of one, even after a power cut. The new file has an
unpredictable temporary name, so that nobody can place a link there first."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from glob import escape
from pathlib import Path
from secrets import token_hex
from typing import IO

from quizgen.source.problems import Unreadable, printable

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]  # tested for before use

MIN_LEFTOVER_FILE_AGE_SECONDS = 5  # by then, a writer has certainly locked its new file
_NEW_FILE_OPEN_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


@contextmanager
def open_replacement_file(
    path: str | Path,
    is_private: bool = False,
    on_complete: Callable[[str], None] = lambda _: None,
    is_for_candidates: bool = False,
) -> Iterator[IO[bytes]]:
    """A context manager that yields a binary file to write to, and then replaces `path` by it. `on_complete` is
    called with the temporary name when the file is complete. On an exception the old file stays.

    A link's target is replaced, not the link; a pipe or a device is written to directly. A new file is readable only by
    its owner (0600), as most files hold keys or personal data; an existing one keeps its permissions, and a new one
    that `is_for_candidates` has the default permissions. With `is_private` the file is always 0600, and replaces a link
    itself. Raises OSError."""
    target = os.fspath(path) if is_private else os.path.realpath(path)
    if not is_private and os.path.exists(target) and not os.path.isfile(target):
        with open(target, "wb") as file:
            yield file
        return
    folder, name = os.path.split(target)
    _remove_leftover_files_in_folder(folder or ".")
    part = os.path.join(folder, f".{name[:100]}.{token_hex(8)}.part")
    handle = os.open(part, _NEW_FILE_OPEN_FLAGS, 0o666 if is_for_candidates and not is_private else 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            if fcntl is not None:
                with suppress(OSError):  # without file locks the remains of a crash stay
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if not is_private and os.path.isfile(target):
                os.chmod(part, os.stat(target).st_mode & 0o777)
            yield file
            file.flush()
            os.fsync(file.fileno())
        on_complete(part)
        os.replace(part, target)
    finally:
        with suppress(OSError):
            os.unlink(part)
    flush_folder_to_disk(folder or ".")


def write_atomically(
    path: str | Path, content: str | bytes, advice: str = "choose another file", creates_folders: bool = False
) -> None:
    """Writes a file completely or not at all; with `creates_folders`, creates missing parent folders. Raises Unreadable
    with the advice `advice`."""
    with refuse_write_errors(path, advice):
        if creates_folders:
            Path(path).parent.mkdir(parents=True, exist_ok=True)
        with open_replacement_file(path) as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)


@contextmanager
def refuse_write_errors(path: str | Path, advice: str = "choose another file") -> Iterator[None]:
    """A context manager that turns an OSError into Unreadable: `path` cannot be written to, and the advice `advice`."""
    try:
        yield
    except OSError as error:
        raise Unreadable(f"{printable(str(path))}: cannot be written ({error.strerror or error}); {advice}") from None


def temporary_paths_left_beside(path: str | Path) -> list[Path]:
    """The temporary files that a crash left beside `path`."""
    folder, name = os.path.split(path)
    return list(Path(folder).glob(f".{escape(name[:100])}.*.part"))


@cache
def _remove_leftover_files_in_folder(folder: str) -> None:
    """Removes temporary files that crashes left in a folder, once per process; locked or very new files stay."""
    for part in Path(folder).glob(f".*.{'[0-9a-f]' * 16}.part") if fcntl is not None else ():
        with suppress(OSError):
            handle = os.open(part, os.O_RDONLY | os.O_NOFOLLOW)
            try:
                if time.time() - os.fstat(handle).st_mtime > MIN_LEFTOVER_FILE_AGE_SECONDS:
                    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    os.unlink(part)
            finally:
                os.close(handle)


def flush_folder_to_disk(path: str) -> None:
    """Makes the names in a folder durable: otherwise a power cut could lose a new file."""
    if sys.platform == "win32":  # Windows cannot open a folder, and its file system journals names
        return
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def open_write_function(file_name: str) -> Iterator[Callable[[str], None]]:
    """A context manager that yields a function that writes text to the file `file_name`, or to standard output for `-`.
    Raises Unreadable if that fails."""
    if file_name == "-":
        # click.echo would strip escape sequences from data that goes to a file. On a screen they are shown as text,
        # never sent to the terminal.
        conversion = printable if sys.stdout.isatty() else str
        yield lambda text: print(conversion(text), end="")
        return
    stack = ExitStack()
    with refuse_write_errors(file_name):
        file = stack.enter_context(open_replacement_file(file_name))

    def write(text: str) -> None:
        with refuse_write_errors(file_name):
            file.write(text.encode("utf-8", "backslashreplace"))

    try:
        yield write
    except BaseException:
        with suppress(OSError):  # the first error counts, not that of removing the new file
            stack.__exit__(*sys.exc_info())
        raise
    with refuse_write_errors(file_name):
        stack.close()


@contextmanager
def hold_text_until_success(write: Callable[[str], None]) -> Iterator[Callable[[str], object]]:
    """A context manager that yields a function that holds text back (on disk if there is much). At the end, all of it
    is passed to `write`; after an exception, none."""
    from tempfile import SpooledTemporaryFile

    with SpooledTemporaryFile(1 << 20, "w+", encoding="utf-8", errors="surrogatepass", newline="") as file:
        yield file.write
        file.seek(0)
        while text := file.read(1 << 16):
            write(text)
