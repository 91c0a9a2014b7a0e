"""The paper as a printer gives it: page counts, form codes, nothing split, nothing empty."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from quizgen import places
from quizgen.cli import run
from quizgen.render import pdf

BROWSER = pdf.find_browser()

pytestmark = pytest.mark.skipif(
    BROWSER is None or shutil.which("pdftotext") is None,
    reason="needs Chromium and pdftotext: install the packages `chromium` and `poppler-utils`",
)


def shipped_exam() -> str:
    """The `readiness` blueprint of the shipped bank, or the whole bank where it has none."""
    name = "distributed-training"
    ready = places.shipped("banks") / name / "blueprints" / "readiness.yaml"
    return f"{name}/readiness" if ready.is_file() else name


def pages_of(file: Path) -> list[str]:
    ran = subprocess.run(["pdftotext", "-layout", str(file), "-"], capture_output=True, check=True, timeout=60)
    return ran.stdout.decode("utf-8").removesuffix("\f").split("\f")


def size_of(file: Path) -> str:
    ran = subprocess.run(["pdfinfo", str(file)], capture_output=True, check=True, timeout=60)
    return next(line for line in ran.stdout.decode().splitlines() if line.startswith("Page size"))


@pytest.mark.parametrize(
    ("options", "size"),
    [
        (["--paper", "a4"], r"59[45](\.\d+)? x 84[12]"),
        (["--paper", "letter"], r"612 x 792"),
        (["--paper", "a4", "--large-print"], r"59[45](\.\d+)? x 84[12]"),
        (["--paper", "letter", "--large-print"], r"612 x 792"),
    ],
    ids=["a4", "letter", "a4 large", "letter large"],
)
def test_every_page_of_three_forms(tmp_path: Path, options: list[str], size: str) -> None:
    assert run(["exam", shipped_exam(), "-o", str(tmp_path), "--forms", "3", "--seed", "demo", *options]) == 0
    for label in "ABC":
        source, target = tmp_path / f"form-{label}.html", tmp_path / f"form-{label}.pdf"
        assert BROWSER is not None
        pdf.by_chromium(BROWSER, source, target)
        assert re.search(size, size_of(target)), size_of(target)
        found = re.search(r'data-form="([A-Z0-9-]+)"', source.read_text(encoding="utf-8"))
        assert found is not None
        code = found.group(1)
        pages = pages_of(target)
        assert len(pages) > 3
        heads = 0
        for number, text in enumerate(pages, 1):
            assert code in text, f"page {number} has no form code"
            assert f"Page {number} of {len(pages)}" in text
            body = [line for line in text.splitlines() if line.strip()]
            assert len(body) > 3, f"page {number} is empty"
            # An item's header and its marker's box stand on one page: nothing is split.
            starts, ends = len(re.findall(r"^ *Item \d+ .*points?\b", text, re.M)), len(re.findall(r"\bMarker\b", text))
            assert starts == ends, f"page {number}: an item is split"
            heads += starts
        assert heads == source.read_text(encoding="utf-8").count('class="item view ask-')


def test_keys_are_marked_on_every_page(tmp_path: Path) -> None:
    assert run(["exam", shipped_exam(), "-o", str(tmp_path), "--seed", "demo", "--pdf"]) == 0
    for name in ("key-A.pdf", "answers.pdf"):
        pages = pages_of(tmp_path / name)
        for number, text in enumerate(pages, 1):
            assert "KEY - not for candidates" in text
            assert f"Page {number} of {len(pages)}" in text
    assert (tmp_path / "form-A.pdf").is_file()


def test_without_a_printer_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "find_spec", lambda name: None)
    monkeypatch.setattr(pdf.shutil, "which", lambda name: None)
    with pytest.raises(pdf.CannotPrint, match="install WeasyPrint"):
        pdf.printer()
