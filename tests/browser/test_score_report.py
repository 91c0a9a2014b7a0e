"""The score report in a real browser: nothing fetched, nothing wider than the page, charts that can be read."""

from __future__ import annotations

from pathlib import Path

import planted
import pytest

from quizgen.cli import run

from .chromium import Chromium

pytestmark = pytest.mark.slow

# The smallest text of any chart, in pixels as it is on the screen.
SMALLEST = """
Math.min(...[...document.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width)
  .flatMap(s => [...s.querySelectorAll('text')].map(t => 12 * s.getBoundingClientRect().width / s.viewBox.baseVal.width)))
"""

# Texts of charts that end outside their chart.
OUTSIDE = """
[...document.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().width).flatMap(s => {
  const box = s.getBoundingClientRect();
  return [...s.querySelectorAll('text')].filter(t => {
    const b = t.getBoundingClientRect();
    return b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1;
  }).map(t => t.textContent);
})
"""

# The least contrast between a number in the heat-map and its cell.
CONTRAST = """
(() => {
  const light = c => { const p = c.match(/[\\d.]+/g).slice(0, 3).map(v => { v /= 255; return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * p[0] + .7152 * p[1] + .0722 * p[2]; };
  const found = [...document.querySelectorAll('rect.heat + text.middle')].map(t => {
    const [a, b] = [getComputedStyle(t).fill, getComputedStyle(t.previousElementSibling).fill].map(light);
    return (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  });
  return found.length ? Math.min(...found) : 99;
})()
"""


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A class of 200 with planted flaws, and one of 40 whose candidates are named in the heat-map."""
    folder = tmp_path_factory.mktemp("report")
    planted.bank(folder / "bank")
    made = []
    for count in (200, 40):
        log = planted.log(folder / f"{count}.jsonl", candidates=count)
        made.append(folder / f"{count}.html")
        assert run(["score", str(log), "--bank", str(folder / "bank"), "--format", "html", "-o", str(made[-1])]) == 0
    return made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_the_report_reads_on_any_screen(browser: Chromium, reports: list[Path], scheme: str, width: int) -> None:
    for report in reports:
        browser.media(scheme, width=width)
        browser.open(report.as_uri())
        assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert browser.evaluate(SMALLEST) >= 11
        assert browser.evaluate(OUTSIDE) == []
        assert browser.evaluate(CONTRAST) >= 4.5
    assert not browser.console
    assert browser.requests == [report.as_uri() for report in reports], "the page asked for something"


def test_the_flaws_stand_on_top(browser: Chromium, reports: list[Path]) -> None:
    browser.media()
    browser.open(reports[0].as_uri())
    named = browser.evaluate("[...document.querySelectorAll('.flags a')].map(a => a.textContent)")
    assert sorted(named) == sorted([planted.WRONG_KEY, planted.DEAD, planted.GUESSABLE])
    shown = browser.evaluate("[...document.querySelectorAll('details.item[open]')].map(d => d.id)")
    assert sorted(shown) == sorted(f"item-{name}" for name in (planted.WRONG_KEY, planted.DEAD, planted.GUESSABLE))
    assert browser.evaluate("document.querySelectorAll('article.candidate').length") == 200


def test_the_table_of_candidates_sorts_by_a_click_or_a_key(browser: Chromium, reports: list[Path]) -> None:
    """By share, down first since it holds numbers; again: up; by name as people count."""
    browser.media()
    browser.open(reports[0].as_uri())
    column = "[...document.querySelectorAll('table.sortable tbody tr')].map(r => r.cells[%d].textContent)"
    click = "document.querySelectorAll('table.sortable th button')[%d].click()"
    shares = [float(s.partition("%")[0]) for s in browser.evaluate(column % 2)]
    browser.evaluate("document.querySelectorAll('table.sortable th button')[2].focus()")
    browser.press("Enter")
    assert [float(s.partition("%")[0]) for s in browser.evaluate(column % 2)] == sorted(shares, reverse=True)
    assert browser.evaluate("document.querySelectorAll('th[aria-sort]').length") == 1
    browser.evaluate(click % 2)
    assert [float(s.partition("%")[0]) for s in browser.evaluate(column % 2)] == sorted(shares)
    browser.evaluate(click % 0)
    names = browser.evaluate(column % 0)
    assert names == sorted(names, key=lambda n: (len(n), n))
    assert not browser.console
