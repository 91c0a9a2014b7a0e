"""Fixtures that many tests use: the shared corpora, golden files, a bank from text, a command."""

from __future__ import annotations

import gc
import os
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from shipped import Command, Golden, Said

from quizgen import bank as banks
from quizgen import cli
from quizgen.bank.reader import LoadedBank

ROOT = Path(__file__).resolve().parents[1]

settings.register_profile(
    "quizgen", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
settings.load_profile("quizgen")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="Write golden files instead of comparing.")


def pytest_configure(config: pytest.Config) -> None:
    """Several workers take files in the order below, not those with the most tests first: the longest have few."""
    config.option.loadscopereorder = False


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are cores, for browsers and terminals are waited for."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests first, where workers share the files: none of them is begun when all else is done."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


@pytest.fixture(scope="session", autouse=True)
def indexes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Indexes of banks go into a folder of the tests, not into that of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Where a session is logged."""
    return tmp_path / "s.jsonl"


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The corpora that stand beside a checkout; tests that need them skip where they are absent."""
    folder = ROOT.parent / "shared"
    if not (folder / "README.md").is_file():
        pytest.skip("the shared corpora are not beside this checkout; the shipped cases cover the same behaviour")
    return folder


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Golden:
    """Compare a text with a file under tests/golden, or below another folder; --update-golden writes it instead."""

    def compare(name: str, text: str, folder: str = "tests/golden") -> None:
        path = ROOT / folder / name
        if request.config.getoption("--update-golden"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == text, f"{name} changed: read the difference, then --update-golden"

    return compare


@pytest.fixture
def bank_of(tmp_path: Path) -> Callable[..., LoadedBank]:
    """A bank from the text of its files: `bank_of(items)` or `bank_of(items, **{"formulas.yaml": …})`."""

    def make(items: str = "", **files: str) -> LoadedBank:
        folder = tmp_path / "bank"
        folder.mkdir(exist_ok=True)
        if items:
            files["items.yaml"] = items
        for name, text in files.items():
            path = folder / name.replace("__", "/")
            path.parent.mkdir(exist_ok=True)
            path.write_text(textwrap.dedent(text).lstrip("\n"), encoding="utf-8")
        return banks.load_bank(str(folder), parses_everything=True)

    return make


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Command:
    """A command in this process, `command("score", log, "--bank", bank)`: it ends with `code`, and says what it said."""

    def call(*words: object, code: int = 0) -> Said:
        capsys.readouterr()
        ended = cli.run([str(word) for word in words])
        said = Said(*capsys.readouterr())
        assert (ended, "Traceback" in said.err) == (code, False), said.err
        return said

    return call


def pytest_sessionfinish() -> None:
    """What a command has frozen is garbage again, or a library tells of it in forty lines behind the summary."""
    gc.unfreeze()
