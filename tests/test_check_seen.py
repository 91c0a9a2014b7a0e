"""`quizgen check --with LOG`: planted responses, counted by hand, told at the lines they are about."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from shipped import Command

PLAIN = """\
  - {{id: plain-{n}, kind: choice, stem: S{n}, key: K, distractors: [L, M], difficulty: {d}, seconds: 60}}
"""
DATA = Path(__file__).parent / "data"
ITEMS = (DATA / "seen.yaml").read_text(encoding="utf-8")


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "bank.yaml.d"
    path.mkdir()
    # Four items of difficulty 1 that nine in ten get right, four of 4 that three in ten do.
    plain = "".join(PLAIN.format(n=n, d=1 if n < 4 else 4) for n in range(8))
    (path / "items.yaml").write_text(ITEMS + plain, encoding="utf-8")
    return path


def written(path: Path, made: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in made), encoding="utf-8")
    return path


def shuffled(name: str, *counts: tuple[str, int]) -> list[str]:
    """So many of each, in an order of its own, so that no item goes with another."""
    made = [word for word, count in counts for _ in range(count)]
    random.Random(name).shuffle(made)
    return made


def lines() -> Iterator[dict[str, Any]]:
    """Forty candidates. `hard-one`: 20 right, 20 take L. `number`: 20 right, 12 say N * 7, 8 say N * 3. `words`: all
    say alpha, none beta, 10 gamma. Of plain items 36 of 40 are right at difficulty 1, 12 of 40 at 4."""
    said = {"hard-one": shuffled("hard", ("K", 20), ("L", 20)), "number": shuffled("n", ("5", 20), ("7", 12), ("3", 8))}
    said["words"] = shuffled("words", ("alpha", 30), ("alpha and gamma of delta", 10))
    for k in range(4):
        said[f"plain-{k}"] = shuffled(f"easy{k}", ("K", 36), ("L", 2), ("M", 2))
        said[f"plain-{k + 4}"] = shuffled(f"hard{k}", ("K", 12), ("L", 14), ("M", 14))
    seconds = {"hard-one": 70, "number": 20, "words": 60}
    for n in range(40):
        for item, all_said in said.items():
            line = {"candidate": f"c{n:02}", "session": f"s{n}", "item": item, "seconds": seconds.get(item, 50) + n % 5}
            given = 100 if n % 2 else 200
            if item == "number":
                yield {**line, "given": {"N": str(given)}, "response": str(given * int(all_said[n]))}
            else:
                yield {**line, "response": all_said[n]}
    for n in range(3):
        about = {"session": f"s{n}", "item": "words", "criterion": "beta", "claim": "full", "from": 0, "to": 5}
        yield {"v": 1, "type": "dispute", "at": "2026-11-22T10:00:00Z", **about}


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return written(tmp_path / "log.jsonl", lines())


def test_what_was_planted_is_told_at_its_line(bank: Path, log: Path, command: Command) -> None:
    """And nothing else: the eight plain items are as they say. What logs say is a warning."""
    out, err = command("check", "--quick", bank, "--with", log)
    assert out.replace(f"{bank}/items.yaml:", "") == (DATA / "seen.txt").read_text(encoding="utf-8")
    assert "440 responses to 11 items in 1 log; 8 findings" in err


def test_items_that_say_little_or_were_hardly_met_are_left_alone(
    bank: Path, log: Path, command: Command, tmp_path: Path
) -> None:
    """Five answers and seven blanks, nine times, no difficulty, nobody at all: nothing is told of these, and the rest
    as before."""
    path = bank / "items.yaml"
    rare = "  - {id: rare, kind: text, stem: W?, rubric: {criteria: [{id: x, say: X., accept: [x]}]}, seconds: 60}\n"
    rest = "".join(PLAIN.format(n=name, d=1) for name in ("slow", "unseen"))
    path.write_text(path.read_text(encoding="utf-8") + rare + rest, encoding="utf-8")
    made: list[dict[str, Any]] = []
    for n in range(12):
        who = {"candidate": f"d{n}", "session": f"d{n}"}
        made.append({**who, "item": "rare", "response": "y" if n < 5 else ""})
        made.append({**who, "item": "plain-slow", "response": "K", **({"seconds": 900} if n < 9 else {})})
    other = written(tmp_path / "other.jsonl", made)
    out, err = command("check", "--quick", bank, "--with", log, other)
    assert [line.split(": ")[1] for line in out.splitlines()] == ["hard-one"] * 3 + ["number"] * 2 + ["words"] * 3
    assert "8 findings" in err


def test_a_log_says_its_bank_and_several_logs_may_follow(
    bank: Path, log: Path, command: Command, tmp_path: Path
) -> None:
    """`check --with a.jsonl b.jsonl`: the second is no bank."""
    head = {"v": 1, "type": "session", "session": "s99", "bank": str(bank), "items": ["words"], "candidate": "z"}
    more = {"v": 1, "type": "response", "session": "s99", "candidate": "z", "item": "words", "response": "alpha beta"}
    other, twin = (written(tmp_path / f"{name}.jsonl", [head, more]) for name in ("other", "twin"))
    out, err = command("check", "--quick", "--with", other, log, twin)
    assert f"{twin}:1: the session belongs to another file: {other}" in err
    assert "441 responses to 11 items in 3 logs" in err
    assert "was met in all 41 answers" in out
    assert '"beta" was never met' not in out, "one has said it"


def test_what_cannot_be_read_is_said(bank: Path, command: Command, tmp_path: Path) -> None:
    command("check", bank, "--with", tmp_path / "none.jsonl", code=3)
    empty = written(tmp_path / "empty.jsonl", [{}])
    assert "could be scored" in command("check", "--quick", bank, "--with", empty, code=3).err
    command("check", bank, "git", "--with", empty, code=2)
