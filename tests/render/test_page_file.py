"""A page to a file of a person's choice: whole, or what was there stays."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from quizgen.atomic_write import open_replacement_file


def test_a_private_file_is_its_owners_and_follows_no_link(tmp_path: Path) -> None:
    """Keys and manifests: 0600 from the first byte, also where a link or a readable file stood."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("theirs", encoding="utf-8")
    for name, make in (("a", lambda p: p.symlink_to(elsewhere)), ("b", lambda p: p.touch(0o644))):
        path = tmp_path / name
        make(path)
        with open_replacement_file(path, is_private=True) as file:
            assert all(p.stat().st_mode & 0o77 == 0 for p in tmp_path.glob(".*.part"))
            file.write(b"key")
        assert not path.is_symlink()
        assert path.stat().st_mode & 0o777 == 0o600
    assert elsewhere.read_text(encoding="utf-8") == "theirs"


def test_what_a_kill_left_is_gone_after_the_next_run(tmp_path: Path) -> None:
    """A writer that is killed leaves a part; one that is at work keeps its own, and a file of another name stays."""
    script = f"""
import os, signal, sys
from quizgen.atomic_write import open_replacement_file
with open_replacement_file({str(tmp_path / "d.html")!r}) as file:
    file.write(b"x" * 100_000)
    file.flush()
    print("there", flush=True)
    if sys.argv[1] == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    sys.stdin.read()
"""
    subprocess.run([sys.executable, "-c", script, "kill"], check=False, timeout=60)
    (tmp_path / ".notes.part").write_text("mine", encoding="utf-8")
    (dead,) = tmp_path.glob(".d.html.*.part")
    with subprocess.Popen(
        [sys.executable, "-c", script, "wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as alive:
        alive.stdout.readline()
        (busy,) = set(tmp_path.glob(".d.html.*.part")) - {dead}
        for part in (dead, busy):
            os.utime(part, (0, 0))
        subprocess.run([sys.executable, "-c", script, "end"], stdin=subprocess.DEVNULL, check=True, timeout=60)
        assert sorted(p.name for p in tmp_path.iterdir()) == sorted([".notes.part", busy.name, "d.html"])
        alive.communicate(timeout=60)
    assert sorted(p.name for p in tmp_path.iterdir()) == [".notes.part", "d.html"]
