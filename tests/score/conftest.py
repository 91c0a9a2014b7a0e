"""A bank, a log to write and `quizgen score` to call."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from scored_logs import ITEMS

from quizgen.cli import run


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "parallel.yaml"
    path.write_text(ITEMS)
    return path


@pytest.fixture
def log(tmp_path: Path) -> Callable[..., Path]:
    def write(*lines: object, name: str = "log.jsonl") -> Path:
        path = tmp_path / name
        text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return path

    return write


@pytest.fixture
def typed(tmp_path: Path) -> Callable[[str], tuple[object, ...]]:
    """A sheet that is typed in for the exam of the folder `exam`, as arguments of `score`."""

    def write(text: str) -> tuple[object, ...]:
        (tmp_path / "typed.csv").write_text(text, encoding="utf-8")
        return ("--sheet", tmp_path / "typed.csv", "--manifest", tmp_path / "exam" / "manifest.json")

    return write


@pytest.fixture
def score(capsys: pytest.CaptureFixture[str], bank: Path) -> Callable[..., tuple[int, str, str]]:
    def call(*arguments: object, code: int | None = 0, bank: Path | None = bank) -> tuple[int, str, str]:
        done = run(["score", *map(str, arguments), *(["--bank", str(bank)] if bank is not None else [])])
        out, err = capsys.readouterr()
        assert code in (None, done), err
        assert "Traceback" not in err
        return done, out, err

    return call
