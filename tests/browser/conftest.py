"""A browser for tests, and an exam for it to take. Everything here skips where there is none."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from practice.conftest import BANK as PRACTICE

from quizgen.cli import run

from .chromium import BROWSER, Chromium
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
    (folder / "bank").mkdir()
    (folder / "bank" / "items.yaml").write_text("units: {shard: [shards, zorks]}\n" + BANK, encoding="utf-8")
    exam = ["exam", str(folder / "bank"), "--seed", "a seed for the browser", "--minutes", "30"]
    assert run([*exam, "-o", str(folder / "out"), "--forms", "2"]) == 0
    assert run([*exam, "-o", str(folder / "hard"), "--limit", "hard", "--formula-sheet"]) == 0
    return folder / "out"


@pytest.fixture(scope="session")
def hard_folder(exam_folder: Path) -> Path:
    """The same exam with a hard limit and a formula sheet."""
    return exam_folder.parent / "hard"


@pytest.fixture(scope="session")
def started() -> Iterator[Chromium]:
    if BROWSER is None:
        pytest.skip("no Chromium: install the package `chromium` to run the browser tests")
    with Chromium() as one:
        yield one


@pytest.fixture(scope="session")
def firefox() -> Iterator[Firefox]:
    if FIREFOX is None:
        pytest.skip("no Firefox: install the package `firefox-esr`")
    made = Firefox()
    yield made
    made.close()


@pytest.fixture
def browser(started: Chromium, tmp_path: Path) -> Iterator[Chromium]:
    with started.fresh(tmp_path) as tab:
        yield tab


Axe = Callable[[Chromium], list[str]]
SCHEMES = [[{"name": "prefers-color-scheme", "value": scheme}] for scheme in ("light", "dark")]
AXE = """axe.run(document, {resultTypes: ['violations'], rules: {'target-size': {enabled: true}}})
  .then((r) => r.violations.map((v) => v.id + ': ' + v.nodes.map((n) => n.html).join(' ')))"""


@pytest.fixture(scope="session")
def axe() -> Axe:
    """What axe-core finds on the page that is open, light and dark, by WCAG 2.2 A and AA and by its own best practices: QUIZGEN_AXE, or
    `npm install axe-core` beside the checkout."""
    places = (Path(os.environ.get("QUIZGEN_AXE") or "-"), Path("node_modules/axe-core/axe.min.js"))
    source = next((place.read_text(encoding="utf-8") for place in places if place.is_file()), None)
    if source is None:
        pytest.skip("no axe-core: `npm install --no-save axe-core`, or name axe.min.js in QUIZGEN_AXE")

    def found(browser: Chromium) -> list[str]:
        if not browser.evaluate("typeof axe !== 'undefined'"):
            browser.evaluate(f"{source}; 0")
        names: list[str] = []
        for scheme in SCHEMES:
            browser.call("Emulation.setEmulatedMedia", features=scheme)
            names += browser.evaluate(AXE)
        return names

    return found
