"""A browser that prints."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest
from browser.chromium import BROWSER, Chromium


@pytest.fixture(scope="module")
def printing() -> Iterator[Chromium]:
    """One browser for all forms; `--pdf` itself starts one a file."""
    if BROWSER is None or shutil.which("pdftotext") is None:
        pytest.skip("needs Chromium and pdftotext: install the packages `chromium` and `poppler-utils`")
    with Chromium() as browser:
        yield browser
