"""What is wider than a line of print: on paper nothing is cut and nothing else gets smaller for it."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from browser.chromium import Chromium

from quizgen.cli import run

from .printed import words_of

BANK = Path(__file__).parent / "wide.yaml"
ENDS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve"]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The exam in usual print and in large print on the narrower paper."""
    folder = tmp_path_factory.mktemp("wide")
    made = {"usual": folder / "usual", "large": folder / "large"}
    for name, options in (("usual", []), ("large", ["--large-print"])):
        arguments = ["exam", str(BANK), "-o", str(made[name]), "--seed", "a wide seed", "--practice"]
        assert run([*arguments, *options]) == 0
    return made


@pytest.mark.parametrize("name", ["form-A", "key-A"])
@pytest.mark.parametrize("size", ["usual", "large"])
def test_nothing_is_cut_on_paper(folders: dict[str, Path], printing: Chromium, size: str, name: str) -> None:
    file = folders[size] / f"{name}.pdf"
    printing.open(file.with_suffix(".html").as_uri())
    printing.print(file)
    pages = words_of(file)
    text = unicodedata.normalize("NFKC", "".join(word.text for _, _, words in pages for word in words))
    assert [end for end in ENDS if f"last{end}" not in text] == []
    assert "Ω" in text
    heads = []  # and the cells of the points table on the cover, which are smaller
    for wide, _, words in pages:
        # The margins are 15 to 17 mm, 42 to 48 points.
        assert not [w.text for w in words if w.right > wide - 41 or w.left < 41]
        heads += [w.bottom - w.top for w in words if w.text == "Item" and w.left < 60]
    # A heading of an item is 1.08 times the print, with ascent and descent some 1.15 times that: the
    # document was not shrunk to hold what is wide in it.
    print_size = 9.5 if name == "key-A" else 18 if size == "large" else 10.5
    assert print_size * 1.15 < max(heads) < print_size * 1.45


def test_on_screen_it_scrolls_in_boxes_of_its_own(folders: dict[str, Path], printing: Chromium) -> None:
    """At 320 pixels no item scrolls sideways, and every box that does takes the keyboard's focus."""
    browser = printing
    browser.media(width=320, height=700)
    browser.open((folders["usual"] / "practice" / "practice-A.html").as_uri())
    browser.wait("document.documentElement.dataset.ready === 'true'")
    scrolling = 0
    for _ in range(4):
        browser.evaluate("document.getElementById('unknown').click()")
        assert browser.evaluate("document.documentElement.scrollWidth") <= 320
        wide = "(e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX === 'auto'"
        boxes = browser.evaluate(f"[...document.querySelectorAll('#card *')].filter({wide}).map((e) => e.tabIndex)")
        assert all(index == 0 for index in boxes)
        scrolling += len(boxes)
        browser.evaluate("document.getElementById('next').click()")
    assert scrolling >= 4
