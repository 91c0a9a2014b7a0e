"""A practice page of 60 items on a processor four times as slow: time to the first card, and from an answer to its
verdict. Run `python -m tests.bench.bench_practice`.

Measured is the processor time of the page's main thread, times 4, so that a busy machine changes little.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from quizgen.cli import run
from tests.browser.chromium import Chromium

SLOWER = 4
ROUNDS = 5
MANY = 20
ANSWERS = ("about 31.7 GB", "12", "7 * 2 = 14 GB", "31.7 gigabytes per GPU", "1.5e9")
_FILL = """(text) => {
  const field = document.querySelector("#stem input:not([type=radio]):not([type=checkbox]), #stem textarea");
  if (field) { field.value = text; field.dispatchEvent(new Event("input")); }
  else document.querySelector("#stem input").checked = true;
}"""
_CHECKED = "!document.getElementById('verdict').hidden || document.getElementById('echo').textContent !== ''"


def spent(browser: Chromium) -> float:
    """Milliseconds of the main thread since the page began, as on the slow processor."""
    metrics = {one["name"]: one["value"] for one in browser.call("Performance.getMetrics")["metrics"]}
    return float(metrics["TaskDuration"]) * 1000 * SLOWER


def opened(browser: Chromium, page: Path) -> float:
    """Milliseconds from an empty tab to the first card."""
    browser.open("about:blank")
    before = spent(browser)
    browser.open(page.as_uri())
    browser.wait("document.documentElement.dataset.ready === 'true'")
    return spent(browser) - before


def answered(browser: Chromium) -> Iterator[float]:
    """Milliseconds from each of many answers to its verdict."""
    for n in range(MANY):
        browser.evaluate(f"({_FILL})({ANSWERS[n % len(ANSWERS)]!r})")
        before = spent(browser)
        browser.evaluate("document.getElementById('check').click()")
        browser.wait(_CHECKED)
        yield spent(browser) - before
        browser.evaluate("document.getElementById('unknown').click()")
        browser.evaluate("document.getElementById('next').click()")


def main() -> None:
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder, Chromium() as browser:
        page, numbers = Path(folder, "page.html"), Path(folder, "numbers.html")
        common = ["practice", "distributed-training", "--items", "60", "--seed", "s", "-o"]
        run([*common, str(page)])
        run([*common, str(numbers), "--kind", "numeric"])
        browser.call("Performance.enable", timeDomain="threadTicks")
        for _ in range(ROUNDS):
            times.setdefault("first card", []).append(opened(browser, page))
            times.setdefault("answer to verdict, mixed items", []).extend(answered(browser))
            opened(browser, numbers)
            times.setdefault("answer to verdict, numbers", []).extend(answered(browser))
        size = page.stat().st_size
    for name, made in times.items():
        made.sort()
        high = made[len(made) * 19 // 20]
        print(f"{name}: median {made[len(made) // 2]:.0f} ms, of 95 % {high:.0f}, at most {made[-1]:.0f}")
    print(f"{size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
