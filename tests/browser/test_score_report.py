"""The score report in a real browser: nothing fetched, nothing wider than the page, charts that can be read."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path

import planted
import pytest

from quizgen.cli import run
from tests.render.printed import pages_of

from .chromium import Chromium

pytestmark = pytest.mark.slow

CHARTS = (Path(__file__).parent / "charts.js").read_text(encoding="utf-8")


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


@pytest.mark.parametrize(("number", "scheme", "width"), [(0, "light", 390), (1, "dark", 1200)])
def test_the_report_reads_on_any_screen(
    browser: Chromium, reports: list[Path], number: int, scheme: str, width: int
) -> None:
    browser.media(scheme, width=width)
    browser.open(reports[number].as_uri())
    assert browser.evaluate("document.documentElement.scrollWidth <= innerWidth")
    charts = browser.evaluate(CHARTS)
    assert charts["smallest"] >= 11
    assert charts["outside"] == []
    assert charts["contrast"] >= 4.5
    assert not browser.console
    assert browser.requests == [reports[number].as_uri()], "the page asked for something"


def printed(browser: Chromium, page: Path) -> list[str]:
    """The text of each page that a printer gives."""
    browser.open(page.as_uri())
    browser.print(page.with_suffix(".pdf"))
    return pages_of(page.with_suffix(".pdf"))


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="needs pdftotext: install the package `poppler-utils`")
def test_a_report_of_the_class_and_feedback_print_on_few_pages(
    browser: Chromium, reports: list[Path], tmp_path: Path
) -> None:
    """The class of 200 on eight pages at most, no heading at the end of one; feedback of 20 items, half of them wrong, on six."""
    report = tmp_path / "class.html"
    log = ["score", str(reports[0].with_suffix(".jsonl")), "--bank", f"{reports[0].parent}/bank", "--format", "html"]
    assert run([*log, "--class", "-o", str(report)]) == 0
    pages = printed(browser, report)
    headings = browser.evaluate("[...document.querySelectorAll('h2, h3')].map((h) => h.textContent.trim())")
    assert len(pages) <= 8
    assert not [page for page in pages if page.rstrip().rpartition("\n")[2].strip() in headings]
    assert "c0" not in "".join(pages)
    exam = ["exam", "distributed-training/readiness", "-o", str(tmp_path / "out"), "--seed", "a seed for feedback"]
    assert run(exam) == 0
    items = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))["forms"][0]["items"]
    given = [i["key"].split(";")[0] if i["n"] % 2 and i["kind"] == "numeric" else "none" for i in items]
    for place, letter in ((n, i["key"][0]) for n, i in enumerate(items) if i["kind"] == "choice"):
        given[place] = letter if place % 2 else "AB"[letter == "A"]
    with open(tmp_path / "sheet.csv", "w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["candidate", "form", *(i["n"] for i in items)], ["ada", "A", *given]])
    sheet = ["score", "--sheet", str(tmp_path / "sheet.csv"), "--manifest", str(tmp_path / "out" / "manifest.json")]
    assert run([*sheet, "--feedback", str(tmp_path / "feedback")]) == 0
    assert len(items) == 20
    assert len(printed(browser, next((tmp_path / "feedback").glob("*.html")))) <= 6


def test_flaws_stand_on_top_and_the_table_of_candidates_sorts_by_a_click_or_a_key(
    browser: Chromium, reports: list[Path]
) -> None:
    """By share, down first since it holds numbers; again: up; by name as people count."""
    browser.media()
    browser.open(reports[0].as_uri())
    named = browser.evaluate("[...document.querySelectorAll('.flags a')].map(a => a.textContent)")
    assert sorted(named) == sorted([planted.WRONG_KEY, planted.DEAD, planted.GUESSABLE])
    shown = browser.evaluate("[...document.querySelectorAll('details.item[open]')].map(d => d.id)")
    assert sorted(shown) == sorted(f"item-{name}" for name in (planted.WRONG_KEY, planted.DEAD, planted.GUESSABLE))
    assert browser.evaluate("document.querySelectorAll('article.candidate').length") == 200
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
