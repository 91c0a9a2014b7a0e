"""A small bank with an item of each kind, and its practice page."""

from __future__ import annotations

from pathlib import Path

import pytest

from quizgen.cli import run

from .modules import NO_NODE, NODE

BANK = (Path(__file__).parent / "bank.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("practice") / "bank"
    folder.mkdir()
    (folder / "items.yaml").write_text(BANK, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def practice_page(bank: Path) -> Path:
    page = bank.parent / "page.html"
    assert run(["practice", str(bank), "--seed", "s", "--candidate", "ada", "-o", str(page)]) == 0
    return page


@pytest.fixture
def node() -> str:
    if NODE is None:
        pytest.skip(NO_NODE)
    return NODE
