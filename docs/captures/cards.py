"""Pictures of the practice page's cards, as docs/practice.md shows them: `python docs/captures/make.py cards`.

Needs Chromium and Pillow. The page is of `distributed-training` with a fixed seed, at a phone's size, dark and light.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from pages import beside  # beside this file
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from quizgen.cli import run  # noqa: E402  # the checkout's own
from tests.browser.chromium import Chromium  # noqa: E402

PICTURE = ROOT / "docs" / "pictures" / "practice.png"
ANSWERS = {
    "choice": None,
    "numeric": "31.7 GB",
    "text": "Each layer ends in an all-reduce, so it stays in a node.",
}
SIZE = (390, 844)


def shots(folder: Path) -> list[Path]:
    """Each kind of card as it is asked or marked, and the end page."""
    page = folder / "page.html"
    assert run(["practice", "distributed-training", "--items", "12", "--seed", "demo", "-o", str(page)]) == 0
    made = []
    with Chromium() as browser:
        browser.media("light", width=SIZE[0], height=SIZE[1])
        browser.open(page.as_uri())
        browser.wait("document.documentElement.dataset.ready === 'true'")
        seen: set[str] = set()
        for _ in range(60):
            if not browser.evaluate("document.getElementById('end').hidden"):
                break
            number = "parseInt(document.getElementById('card-title').textContent.match(/[0-9]+/)[0]) - 1"
            kind = browser.evaluate(f"JSON.parse(document.getElementById('data').textContent).cards[{number}].kind")
            if kind not in seen:
                seen.add(kind)
                browser.media("dark" if kind == "numeric" else "light", width=SIZE[0], height=SIZE[1])
                made.append(_marked(browser, kind, folder))
            else:
                browser.evaluate("document.getElementById('easy').click()")
                continue
            browser.evaluate("document.getElementById('next').click()")
            if len(seen) == 3:
                browser.evaluate("document.getElementById('finish').click()")
        browser.media("light", width=SIZE[0], height=SIZE[1])
        made.append(folder / "end.png")
        browser.picture(made[-1])
    return made


def _marked(browser: Chromium, kind: str, folder: Path) -> Path:
    if kind == "choice":
        browser.evaluate("document.querySelector('#stem input').click()")
    else:
        text = json.dumps(ANSWERS[kind])
        browser.evaluate(f"document.querySelector('#stem input, #stem textarea').value = {text}")
    browser.evaluate("document.getElementById('check').click()")
    browser.wait("!document.getElementById('verdict').hidden")
    if kind == "text":
        browser.evaluate("document.querySelector('#rating input').click()")
        browser.evaluate("document.getElementById('rating').scrollIntoView()")
    browser.pump(0.2)
    path = folder / f"{kind}.png"
    browser.picture(path)
    return path


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        pictures = [Image.open(path) for path in shots(Path(folder))]
        beside(pictures, "white").quantize(64).save(PICTURE, optimize=True)
