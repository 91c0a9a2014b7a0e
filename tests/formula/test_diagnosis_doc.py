"""The page on reading and diagnosing is what the tables say."""

from __future__ import annotations

from pathlib import Path

import pytest

from .diagnosis_doc import document


def test_the_page_is_current(root: Path, request: pytest.FixtureRequest) -> None:
    page = root / "docs" / "diagnosis.md"
    if request.config.getoption("--update-golden"):
        page.write_text(document(), encoding="utf-8")
    assert page.read_text(encoding="utf-8") == document(), "run this test with --update-golden and read the difference"
