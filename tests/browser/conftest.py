"""A browser for tests, and an exam for it to take. Everything here skips where there is none."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from practice.conftest import BANK as PRACTICE

from quizgen.cli import run

from .chromium import BROWSER, Chromium, axe_source, new_profile
from .firefox import FIREFOX, Firefox

BANK = PRACTICE.replace("[7e9 param, 13e9 param, 31e9 param, 70e9 param]", "[7e9 param]").replace(
    "stem: Why is tensor parallelism kept inside one node?",
    "stem: |\n      Why is tensor parallelism kept inside one node?\n\n      ```python\n      x = all_reduce(x)\n      ```",
)


@pytest.fixture(scope="session")
def exam_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An exam of four items: two choices, a number, a text; form-A.html."""
    if BROWSER is None:
        pytest.skip("no Chromium: install the package `chromium` to run the browser tests")
    folder = tmp_path_factory.mktemp("exam")
    bank = folder / "bank"
    bank.mkdir()
    (bank / "items.yaml").write_text("units: {shard: [shards, zorks]}\n" + BANK, encoding="utf-8")
    arguments = ["exam", str(bank), "-o", str(folder / "out"), "--seed", "a seed for the browser"]
    assert run([*arguments, "--minutes", "30", "--forms", "2"]) == 0
    return folder / "out"


@pytest.fixture
def profile() -> Iterator[Path]:
    folder = new_profile()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def started() -> Iterator[Chromium]:
    if BROWSER is None:
        pytest.skip("no Chromium: install the package `chromium` to run the browser tests")
    folder = new_profile()
    with Chromium(folder) as one:
        yield one
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    if FIREFOX is None:
        pytest.skip("no Firefox: install the package `firefox-esr`")
    with Firefox() as made:
        yield made


@pytest.fixture
def browser(started: Chromium, tmp_path: Path) -> Iterator[Chromium]:
    with started.fresh(tmp_path) as tab:
        yield tab


@pytest.fixture(scope="session")
def axe() -> str:
    source = axe_source()
    if source is None:
        pytest.skip("no axe-core: `npm install --no-save axe-core`, or name axe.min.js in QUIZGEN_AXE")
    return source
