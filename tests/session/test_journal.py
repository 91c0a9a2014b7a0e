"""Appending to a log: one line on disk a call, torn lines left as they are, one session at a time; and every state that
a power cut can leave, at every moment of a session, keeps what was acknowledged.
"""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from faulty import FaultyDisk, Power

from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.scoring.log_lines import parse_log_line
from quizgen.session.journal import LOG_OPEN_FLAGS, REAL_DISK, Journal, LinesNotSaved
from quizgen.session.session_log import numbered_log_records
from quizgen.source.problems import Unreadable

posix = pytest.mark.skipif(os.name != "posix", reason="POSIX file semantics")


def lines(path: Path) -> list[object]:
    """The whole lines of a log; a torn one is passed over."""
    return [line for _, line in numbered_log_records(path.read_bytes()) if line is not None]


@posix
def test_one_line_an_append_with_its_end_and_the_log_is_its_owners_alone(log: Path) -> None:
    journal = Journal(str(log))
    journal.append({"a": 1, "text": "ünï\n\u202e"})
    assert log.read_bytes() == '{"a": 1, "text": "ünï\\n\u202e"}\n'.encode()
    assert log.stat().st_mode & 0o777 == 0o600
    journal.close()


@pytest.mark.parametrize("cut", range(0, 24))
def test_cut_at_every_byte_the_next_line_is_whole(log: Path, cut: int) -> None:
    whole = b'{"a": 1}\n{"a": 22, "b"}\n'
    log.write_bytes(whole[:cut])
    journal = Journal(str(log))
    journal.append({"a": 9})
    assert log.read_bytes().startswith(whole[:cut])
    assert log.read_bytes().split(b"\n")[-2] == b'{"a": 9}'


@posix
def test_a_second_session_is_refused_and_the_lock_dies_with_its_holder(tmp_path: Path) -> None:
    path = str(tmp_path / "s.jsonl")
    code = "import sys, time; from quizgen.session.journal import Journal; Journal(sys.argv[1]); print('ok', flush=True); time.sleep(60)"
    with subprocess.Popen([sys.executable, "-c", code, path], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "ok\n"
        with pytest.raises(Unreadable, match="in use"):
            Journal(path)
        other.send_signal(signal.SIGKILL)
        other.wait()
    Journal(path).close()


def test_after_a_failed_sync_the_line_is_written_again_on_a_fresh_handle(tmp_path: Path) -> None:
    """Retrying fsync alone would report success for pages that the system has dropped."""
    files = FaultyDisk(at=8, how=errno.EIO)
    journal = Journal(str(tmp_path / "s.jsonl"), files)
    with pytest.raises(LinesNotSaved):
        journal.append({"a": 1})
    journal.retry_pending_lines()
    assert files.calls[8:] == ["is_open_file_at_path", "open", "write", "fsync"]
    assert (tmp_path / "s.jsonl").read_bytes() == b'{"a": 1}\n\n{"a": 1}\n'


def test_lines_stay_in_order_over_several_failures(log: Path) -> None:
    files = FaultyDisk(at=7, how=errno.ENOSPC, once=False)
    journal = Journal(str(log), files)
    for number in range(3):
        with pytest.raises(LinesNotSaved, match=f"{number + 1} line"):
            journal.append({"a": number})
    files.at = 0
    journal.append({"a": 3})
    assert lines(log) == [{"a": 0}, {"a": 1}, {"a": 2}, {"a": 3}]


@posix
def test_a_removed_log_is_made_anew_with_all_its_lines(log: Path) -> None:
    files = FaultyDisk()
    journal = Journal(str(log), files)
    journal.append({"a": 1})
    log.unlink()
    before = files.calls.count("flush_folder_to_disk")
    journal.append({"a": 2})
    assert lines(log) == [{"a": 1}, {"a": 2}]
    assert files.calls.count("flush_folder_to_disk") == before + 1, "the name of the new file must last too"


@pytest.mark.parametrize("left", [0, 3, 13])
def test_a_log_that_was_cut_off_is_whole_again_with_the_next_line(log: Path, left: int) -> None:
    """Also what an earlier session wrote; the line behind a stump stands on its own."""
    log.write_bytes(b'{"old": 1}\n')
    journal = Journal(str(log))
    journal.append({"a": 1})
    os.truncate(log, left)
    journal.append({"a": 2})
    journal.append({"a": 3})
    assert sorted(map(str, lines(log))) == ["{'a': 1}", "{'a': 2}", "{'a': 3}", "{'old': 1}"]
    assert log.read_bytes().endswith(b'\n{"a": 2}\n{"a": 3}\n')


def test_a_line_that_no_reader_takes_is_refused_before_it_is_written(log: Path) -> None:
    """The limit of the writer is that of `quizgen score`; the session goes on behind it."""
    journal = Journal(str(log))
    with pytest.raises(LinesNotSaved, match="1 line not saved: a line of a log holds at most 256 KiB"):
        journal.append({"a": "x" * MAX_LOG_LINE_BYTES})
    journal.append({"a": "x" * (MAX_LOG_LINE_BYTES - 20)})
    assert len(lines(log)) == 1
    assert len(parse_log_line(log.read_text())) == 1


@posix
def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("")
    (tmp_path / "s.jsonl").symlink_to(tmp_path / "real")
    with pytest.raises(OSError, match="symbolic links"):
        Journal(str(tmp_path / "s.jsonl"))


@posix
def test_a_device_belongs_to_everyone() -> None:
    """Two sessions that keep nothing do not wait for each other."""
    ours, theirs = (REAL_DISK.open(os.devnull, LOG_OPEN_FLAGS) for _ in range(2))
    try:
        REAL_DISK.lock(ours)
        REAL_DISK.lock(theirs)
    finally:
        REAL_DISK.close(ours)
        REAL_DISK.close(theirs)


def session() -> Power:
    """Five lines, each acknowledged when it is on disk."""
    power = Power()
    power.snapshot()
    journal = Journal("s.jsonl", power)
    for name in ("session", "one", "two", "three", "end"):
        journal.append({"line": name, "text": "some words of a response " * 4})
        power.acknowledge(name)
    return power


def kept(content: bytes | None) -> set[str]:
    return {str(line["line"]) for _, line in numbered_log_records(content or b"") if line is not None}


def test_no_power_cut_loses_an_acknowledged_line() -> None:
    states = session().states
    assert len(states) >= 800
    assert [acks for content, acks in states if not set(acks) <= kept(content)] == []


def test_after_any_power_cut_the_session_goes_on() -> None:
    """From each state a new session appends, and both what was kept and what is new can be read."""
    for content, acks in set(session().states):
        after = Power(durable=content or b"", exists=content is not None, named=content is not None)
        journal = Journal("s.jsonl", after)
        journal.append({"line": "again"})
        left = after.durable + after.pending
        assert left.startswith(content or b"")
        assert kept(left) >= {*acks, "again"}
