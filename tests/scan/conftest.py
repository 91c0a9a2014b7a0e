"""A browser that prints, and one small exam on paper for every test of scans."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.chromium import BROWSER, Chromium

from .printed import Exam, bank, made


@pytest.fixture(scope="session")
def printing() -> Iterator[Chromium]:
    if BROWSER is None:
        pytest.skip("no Chromium: install the package `chromium` to print forms")
    with Chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def exam(printing: Chromium, tmp_path_factory: pytest.TempPathFactory) -> Exam:
    people = [f"Candidate {n},S{n}" for n in range(1, 7)]
    return made(tmp_path_factory.mktemp("paper"), printing, bank(24), people, "--forms", "2")
