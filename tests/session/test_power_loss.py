"""Every state that a power cut can leave, at every moment of a session, keeps what was acknowledged.

The model is checked as well: with each of three classic mistakes put in, it finds losses.
"""

from __future__ import annotations

import pytest
from faulty import Power

from quizgen.session.journal import Journal
from quizgen.session.session_log import read_lines

NAMES = ("session", "one", "two", "three", "end")


def session(power: Power, early: bool = False) -> Power:
    """Five lines, each acknowledged when it is on disk (`early`: before, which is wrong)."""
    power.snapshot()
    journal = Journal("s.jsonl", power)
    for name in NAMES:
        if early:
            power.acknowledge(name)
        journal.append({"line": name, "text": "some words of a response " * 4})
        if not early:
            power.acknowledge(name)
    return power


def kept(content: bytes | None) -> set[str]:
    return {str(line["line"]) for _, line in read_lines(content or b"") if line is not None}


def losses(power: Power) -> int:
    """States in which an acknowledged line is not to be read."""
    return sum(not set(acks) <= kept(content) for content, acks in power.states)


def test_no_power_cut_loses_an_acknowledged_line() -> None:
    power = session(Power())
    assert len(power.states) >= 800
    assert losses(power) == 0


def test_after_any_power_cut_the_session_goes_on() -> None:
    """From each state a new session appends, and both what was kept and what is new can be read."""
    for content, acks in set(session(Power()).states):
        after = Power(durable=content or b"", exists=content is not None, named=content is not None)
        journal = Journal("s.jsonl", after)
        journal.append({"line": "again"})
        left = after.durable + after.pending
        assert left.startswith(content or b"")
        assert kept(left) >= {*acks, "again"}


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("no fsync", lambda: session(Power(syncs=False))),
        ("acknowledged before fsync", lambda: session(Power(), early=True)),
        ("no sync of the folder", lambda: session(Power(names=False))),
    ],
)
def test_the_model_finds_the_classic_mistakes(name: str, broken: object) -> None:
    assert callable(broken)
    assert losses(broken()) > 0, name
