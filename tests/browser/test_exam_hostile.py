"""A hostile payload of each sort in every text field and every candidate's name executes nothing, with the
page's policy removed, and no request leaves the page."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest

from quizgen.cli import run

from .chromium import BROWSER, Chromium

# Each would set `window.hit` or ask for an address under `https://attack.invalid`.
PAYLOADS = (Path(__file__).parent / "payloads.txt").read_text(encoding="utf-8").splitlines()


def items() -> list[dict[str, object]]:
    """One item of each kind for each payload, with the payload in every field that takes text."""
    made: list[dict[str, object]] = []
    for n, bad in enumerate(PAYLOADS):
        shared = {"topic": bad, "rationale": bad, "source": bad, "hints": [bad], "given": [bad], "seconds": 30}
        escaped = bad.replace("{", "(").replace("}", ")")  # braces in a stem are drawn values
        formula = {
            "title": bad, "source": bad, "inputs": {"x": {"is": bad, "unit": "1"}}, "steps": {"y": "x * 2"}, "unit": "1",
            "convention": bad, "misconceptions": [{"id": "m", "value": "x * 3", "say": bad}],
        }  # fmt: skip
        rubric = {
            "criteria": [{"id": "a", "say": bad, "accept": ["stall*|wait*"]}],
            "misconceptions": [{"match": "speed*", "penalty": 1, "say": bad}],
        }
        made += [
            {"id": f"c{n}", "kind": "choice", "stem": bad, "key": f"{bad} right", **shared,
             "distractors": [{"text": f"{bad} wrong", "because": bad}, bad]},
            {"id": f"n{n}", "kind": "numeric", "stem": f"{escaped} {{x}}", "draw": {"x": ["2", "3"]}, "formula": formula, **shared},
            {"id": f"t{n}", "kind": "text", "stem": bad, "model_answer": bad, "rubric": rubric, **shared},
        ]  # fmt: skip
    return made


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if BROWSER is None:
        pytest.skip("no Chromium: install the package `chromium` to run the browser tests")
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "bank" / "blueprints").mkdir(parents=True)
    (folder / "bank" / "items.yaml").write_text(json.dumps({"items": items()}), encoding="utf-8")
    title = "".join(PAYLOADS[:6])
    plan = {"title": title, "sections": [{"title": title}], "bands": [{"from": "50%", "name": title, "advice": title}]}
    (folder / "bank" / "blueprints" / "all.yaml").write_text(json.dumps(plan), encoding="utf-8")
    with (folder / "roster.csv").open("w", encoding="utf-8", newline="") as file:
        sheet = csv.writer(file)
        sheet.writerow(["name", "id"])
        sheet.writerows([" ".join(p.split()), f"{n} {p}"] for n, p in enumerate(PAYLOADS))
    arguments = ["exam", str(folder / "bank" / "all"), "--seed", "hostile", "--instructions", PAYLOADS[0]]
    assert run([*arguments, "-o", str(folder / "out"), "--practice", "--formula-sheet"]) == 0
    # A form for each name is a page for each; three items are enough for those.
    named = ["-o", str(folder / "named"), "--items", "3", "--roster", str(folder / "roster.csv")]
    assert run([*arguments, *named]) == 0
    for page in (folder / "named").glob("form-A-*.html"):
        page.rename(folder / "out" / page.name)
    return folder / "out"


OPEN = "document.querySelectorAll('details').forEach((d) => { d.open = true; })"
USED = {  # what a person does on a page, so that all of it is shown
    "practice-A.html": (
        "for (let n = 0; n < 80; n += 1) ['unknown', 'next'].forEach((id) => document.getElementById(id).click())", OPEN,
    ),
    "form-A.html": (
        "document.querySelector('#start button').click()", OPEN,
        "document.querySelectorAll('.item *').forEach((e) => { e.dispatchEvent(new Event('mouseover')); })",
    ),
}  # fmt: skip
FOREIGN = "iframe, object, embed, base, link, svg:not(.item-code):not(section.sheet > svg), a[href^=java]"


def test_nothing_runs_and_nothing_is_asked_for(browser: Chromium, hostile: Path, tmp_path: Path) -> None:
    pages = sorted(hostile.rglob("*.html"))
    assert len(pages) == 3 + len(PAYLOADS) + 1  # form, practice, key, a form for each name, answers
    for page in pages:
        policy = r'<meta http-equiv="Content-Security-Policy"[^>]*>'
        text, count = re.subn(policy, "", page.read_text(encoding="utf-8"))
        assert count == 1
        target = tmp_path / page.name
        target.write_text(text, encoding="utf-8")
        browser.open(target.as_uri())
        if page.name.startswith(("form", "practice")):
            browser.wait("document.documentElement.dataset.ready === 'true'")
        for script in USED.get(page.name, ()):
            browser.evaluate(script)
        browser.pump(0.02)
        assert browser.evaluate("typeof window.hit") == "undefined", page.name
        assert browser.evaluate(f"document.querySelectorAll('{FOREIGN}').length") == 0
    assert {u.partition("#")[0] for u in browser.requests} == {(tmp_path / p.name).as_uri() for p in pages}
    assert not browser.dialogs
    assert not browser.console


def test_the_test_would_see_a_payload_run(browser: Chromium, tmp_path: Path) -> None:
    """The control: the first payload in a page that trusts it runs."""
    trusting = tmp_path / "trusting.html"
    trusting.write_text(f"<!doctype html><title>x</title>{PAYLOADS[0]}", encoding="utf-8")
    browser.open(trusting.as_uri())
    browser.pump(0.1)
    assert browser.evaluate("window.hit") == 1
