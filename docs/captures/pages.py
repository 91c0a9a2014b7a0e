"""Pictures of pages as a browser and a printer show them: the author's preview, a form on screen and on paper, figures.

Needs Chromium, Pillow and pdftoppm. Writes docs/pictures/{preview,screen,paper,figures}.png.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from quizgen.cli import run  # noqa: E402  # the checkout's own
from tests.browser.chromium import Chromium  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
FIGURES = {
    "pipeline-schedule": "p: 4, m: 6, order: 1f1b",
    "memory-bars": "bars: {step: {weights: 26 GB, gradients: 26 GB, optimizer: 156 GB}}, limit: 80 GB",
    "rank-ring": "n: 6",
    "rank-tree": "n: 7, flow: up",
    "timeline": "rows: {compute: {forward: [0 s, 2 s], backward: [2 s, 6 s]}, network: {all-reduce: [3 s, 7 s]}}",
    "roofline": "peak: 989 TFLOP/s, bandwidth: 3.35 TB/s, kernels: {matmul: 600 FLOP/B, softmax: 2 FLOP/B}",
    "shard-table": "ranks: 4, states: {weights: whole, gradients: sharded, optimizer: sharded}",
}
PRINTED = (("form-A", 1), ("form-A", 3), ("form-A", 4), ("key-A", 6))  # pages side by side
BANK = """\
topic: basics
items:
  - id: fetch-or-pull
    kind: choice
    stem: What does `git pull` do that `git fetch` does not?
    key: It brings the fetched commits into the current branch
    distractors:
      - {text: It downloads tags along with branches, because: Fetching brings tags of fetched commits as well.}
      - {text: It asks the remote for a password, because: Both talk to the remote in the same way.}
    rationale: Pull is fetch followed by a merge or a rebase.
  - id: what-is-a-branch
    kind: text
    stem: What is a branch in Git, and why is making one cheap?
    answers:
      - {earns: all, text: Just a label that sits on a commit. Git writes one short file.}
      - {earns: all, text: "It is a name for a commit, and a tiny file is all that it writes."}
    rubric:
      criteria:
        - id: pointer
          points: 2
          say: A branch is a movable name for a commit.
          accept: ["pointer|reference|label|name|marker commit*|hash", "points|refers commit|hash"]
        - id: cheap
          points: 1
          say: Making one writes a tiny file and copies nothing.
          accept: ["file|writes tiny|small|single|short"]
    model_answer: A branch is a name that points to one commit. Making one writes a tiny file.
    rationale: References are small files under refs/heads.
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name, Chromium() as browser:
        folder = Path(name)
        _preview(browser, folder)
        out = folder / "out"
        assert run(["exam", "readiness", "-o", str(out), "--seed", "demo"]) == 0
        _on_screen(browser, out / "form-A.html")
        _on_paper(browser, out)
        _figures(browser, folder)


def _preview(browser: Chromium, folder: Path) -> None:
    """An item with a problem, and an answer tried."""
    (folder / "my-bank").mkdir()
    (folder / "my-bank" / "basics.yaml").write_text(BANK, encoding="utf-8")
    served = subprocess.Popen(
        [sys.executable, "-m", "quizgen", "preview", "my-bank", "--no-open"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        assert served.stdout is not None
        address = next(found[0] for line in served.stdout if (found := re.search(r"http://\S+", line)))
        browser.media("light", width=1000, height=900)
        browser.open(address)
        browser.wait("!document.getElementById('item').hidden")
        browser.evaluate("[...document.querySelectorAll('nav button')].pop().click()")
        browser.wait("document.getElementById('prompt').textContent.includes('branch')")
        browser.evaluate("document.getElementById('response').focus()")
        browser.type("A label for a commit, so making one is free.")
        browser.wait("document.body.textContent.includes('2 of 3')")
        browser.evaluate("document.getElementById('response').scrollIntoView({block: 'center'})")
        browser.picture(PICTURES / "preview.png")
    finally:
        served.terminate()
        served.wait()


def _on_screen(browser: Chromium, form: Path) -> None:
    """The fourth item of a form in progress, with one flag."""
    browser.media("light", width=1100, height=640)
    browser.open(form.as_uri())
    browser.evaluate("document.getElementById('who-name').value = 'Ada Example'")
    browser.evaluate("document.querySelector('#start button').click()")
    browser.wait("document.getElementById('clock').textContent.includes(':')")
    for number in (1, 2, 3, 4):
        if number in (1, 4):
            browser.evaluate(f"document.querySelector('input[name=r{number}][type=radio]').click()")
        if number == 2:
            browser.evaluate("document.getElementById('flag').click()")
        if number < 4:
            browser.evaluate("document.getElementById('next').click()")
    browser.pump(1.5)
    browser.picture(PICTURES / "screen.png")


def _on_paper(browser: Chromium, out: Path) -> None:
    """Pages of a printed form and of its key, side by side."""
    pages = []
    for name, number in PRINTED:
        pdf = out / f"{name}.pdf"
        if not pdf.exists():
            browser.media("light", medium="print")
            browser.open((out / f"{name}.html").as_uri())
            browser.print(pdf)
        target = out / f"{name}-{number}"
        subprocess.run(
            ["pdftoppm", "-r", "56", "-png", "-singlefile", "-f", str(number), "-l", str(number), pdf, target],
            check=True,
        )
        pages.append(Image.open(target.with_suffix(".png")))
    beside(pages, "#888").quantize(32).save(PICTURES / "paper.png", optimize=True)


def _figures(browser: Chromium, folder: Path) -> None:
    """One drawn figure of each kind, with its name above it."""
    item = "  - {{id: {0}, kind: choice, stem: Look., key: A, distractors: [B, C], draw_figure: {{kind: {0}, {1}}}}}"
    rows = [item.format(kind, settings) for kind, settings in FIGURES.items()]
    (folder / "figures.yaml").write_text("topic: figures\nitems:\n" + "\n".join(rows), encoding="utf-8")
    out = folder / "figures"
    assert run(["exam", str(folder / "figures.yaml"), "--items", "7", "--seed", "demo", "-o", str(out)]) == 0
    drawn = re.findall(r'<img class="drawn".*?>', (out / "form-A.html").read_text(encoding="utf-8"), re.DOTALL)
    items = json.loads((out / "manifest.json").read_text(encoding="utf-8"))["forms"][0]["items"]
    parts = [f"<div><h2>{item['item']}</h2>{one}</div>" for item, one in zip(items, drawn, strict=True)]
    page = folder / "figures.html"
    style = (
        "body{font:16px sans-serif;columns:2;width:1000px}h2{font-size:16px}div{break-inside:avoid}img{max-width:480px}"
    )
    page.write_text(f"<!doctype html><meta charset=utf-8><style>{style}</style>{''.join(parts)}", encoding="utf-8")
    browser.media("light", width=1040, height=760)
    browser.open(page.as_uri())
    browser.picture(PICTURES / "figures.png", whole=True)


def beside(pages: list[Image.Image], colour: str) -> Image.Image:
    """Pictures in a row on one sheet, with a gap of 12 pixels in `colour`."""
    whole = Image.new("RGB", (sum(p.width + 12 for p in pages) - 12, max(p.height for p in pages)), colour)
    left = 0
    for page in pages:
        whole.paste(page, (left, 0))
        left += page.width + 12
    return whole


if __name__ == "__main__":
    main()
