"""The practice page in real browsers: alone, and served while quizgen goes and comes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from practice.conftest import BANK, serving
from shipped import BankOf, Command

from quizgen import bank as banks
from quizgen.assemble import any_items_blueprint
from quizgen.cli import run
from quizgen.practice.page import PracticePageSettings, practice_page_html
from quizgen.practice.server import AnswerRecorder, PracticeServer
from quizgen.terminal.open_session import SessionOptions, assemble_session_form

from .chromium import Chromium
from .conftest import Axe
from .firefox import Firefox
from .hands import READY, push, reach, text_of
from .test_exam_hostile import items as hostile_items

PHONE = {"width": 390, "height": 844}
DATA = "JSON.parse(document.getElementById('data').textContent)"
ANNOUNCED = "document.getElementById('announce').textContent"
NUMBER = "parseInt(document.getElementById('card-title').textContent.match(/\\d+/)[0]) - 1"


@pytest.fixture(params=["browser", "firefox"])
def either(request: pytest.FixtureRequest) -> Chromium | Firefox:
    """Chromium, then Firefox."""
    found: Chromium | Firefox = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def bank(bank_of: BankOf) -> Path:
    return Path(bank_of(BANK).required_bank.folder)


def open_page(one: Chromium | Firefox, address: str) -> None:
    one.open(address)
    one.wait(READY)


def card(one: Chromium | Firefox) -> dict[str, Any]:
    """The card on the screen, with the drawing whose stem it shows."""
    made: dict[str, Any] = one.evaluate(
        f"(() => {{ const n = {NUMBER}; const c = {DATA}.cards[n];"
        " const shown = document.getElementById('stem').textContent;"
        " const place = c.drawings.findIndex((_, d) => pieceOf('p' + n + '-' + d).textContent === shown);"
        " return { item: c.item, kind: c.kind, drawing: c.drawings[place] }; })()"
    )
    return made


def respond(one: Chromium | Firefox, right: bool) -> None:
    """An answer to the card on the screen, and on to its verdict."""
    at = card(one)
    if at["kind"] == "choice":
        keys = at["drawing"]["keys"]
        wanted = keys if right else [next(n for n in range(9) if n not in keys)]
        one.evaluate(
            f"document.querySelectorAll('#stem input').forEach((f, n) => {{ f.checked = {wanted}.includes(n); }})"
        )
    elif at["kind"] == "numeric":
        typed(one, at["drawing"]["answer"] if right else "123456789")
    else:
        typed(one, "It communicates in every layer and NVLink is faster." if right else "I would have to guess here.")
    one.evaluate("document.getElementById('check').click()")
    one.wait("!document.getElementById('verdict').hidden")
    steps = "[0]" if right else "[2]"
    one.evaluate(
        f"document.querySelectorAll('#rating .steps-of').forEach((row) => row.querySelectorAll('input'){steps}.click())"
    )


def typed(one: Chromium | Firefox, text: str) -> None:
    one.evaluate(f"document.querySelector('#stem input, #stem textarea').value = {json.dumps(text)}")


def go_on(one: Chromium | Firefox) -> None:
    one.evaluate("document.getElementById('next').click()")


def is_over(one: Chromium | Firefox) -> bool:
    return bool(one.evaluate("!document.getElementById('end').hidden"))


def saved(one: Chromium | Firefox) -> str:
    """What "Save my answers" would write."""
    one.evaluate("URL.createObjectURL = (file) => { window.file = file; return '#'; }; navigator.canShare = undefined;")
    one.evaluate("document.querySelector('#end .save').click()")
    return str(one.evaluate("window.file.text()"))


def test_a_sitting_of_twenty_items_is_left_taken_up_and_added(
    either: Chromium | Firefox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    """One of each kind is missed and comes back; the page is reloaded on the way; what it saves is added, and counted as
    practice."""
    page, logs = tmp_path / "page.html", tmp_path / "logs"
    monkeypatch.setenv("QUIZGEN_LOGS", str(logs))
    assert run(["practice", "distributed-training", "--items", "20", "--seed", "twenty", "-o", str(page)]) == 0
    if isinstance(either, Chromium):
        either.media(**PHONE)
    open_page(either, page.as_uri())
    missed: dict[str, str] = {}
    met: list[str] = []
    for _ in range(40):
        if is_over(either):
            break
        at = card(either)
        met.append(at["item"])
        wrong = at["kind"] not in missed
        if wrong:
            missed[at["kind"]] = at["item"]
        respond(either, not wrong)
        if len(met) == 10:
            open_page(either, page.as_uri())
            assert not either.evaluate("document.getElementById('verdict').hidden")
            assert either.evaluate(ANNOUNCED) == "Taken up where you left it."
        go_on(either)
    assert is_over(either)
    assert either.evaluate(ANNOUNCED) == ""
    assert len(met) == 23
    assert {met.count(name) for name in missed.values()} == {2}
    assert "20 items" in either.evaluate("document.getElementById('end-summary').textContent")
    either.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert either.evaluate("document.querySelectorAll('#missed-list details[open]').length") == 3
    assert either.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    file = tmp_path / "saved.jsonl"
    file.write_text(saved(either), encoding="utf-8")
    assert "older version" not in command("score", file).err
    assert "23 responses added" in command("progress", "--add", file).out
    latest = json.loads(command("progress", "--json").out)["latest"][0]
    assert (latest["reached"], latest["timed"]) == (20, False)


@contextmanager
def served(bank: Path, logs: Path, port: int = 0, token: str = "") -> Iterator[PracticeServer]:
    """The page of a bank as it is served, each sitting logged in a folder."""
    loaded = banks.load_bank(str(bank)).required_bank
    form = assemble_session_form(loaded, any_items_blueprint(), SessionOptions(seed="t"))
    head = PracticePageSettings("T", str(bank), "ada", is_served=True)
    page = practice_page_html(head, form, loaded, lambda item, message: None)
    recorder = AnswerRecorder(loaded, lambda at, session: str(logs / f"{session}.jsonl"))
    with closing(recorder), serving(PracticeServer(page, recorder, "127.0.0.1", port, token)) as server:
        yield server


def logged(logs: Path, kind: str) -> list[dict[str, Any]]:
    found = [json.loads(line) for log in logs.glob("*.jsonl") for line in log.read_text().splitlines()]
    return [line for line in found if line["type"] == kind]


def test_every_answer_is_on_disk_also_where_the_server_is_gone_for_a_while(
    browser: Chromium, bank: Path, tmp_path: Path
) -> None:
    """Before its verdict where it is served; none is lost and none is twice; the page says that a reload needs quizgen."""
    browser.media(**PHONE)
    with served(bank, tmp_path) as server:
        open_page(browser, server.address)
        respond(browser, True)
        assert len(logged(tmp_path, "response")) == 1
        go_on(browser)
    for _ in range(2):
        respond(browser, True)
        go_on(browser)
        assert "Do not reload" in text_of(browser, "alert")
    assert len(logged(tmp_path, "response")) == 1
    with served(bank, tmp_path, server.server_port, server.token):
        browser.wait("document.getElementById('alert').textContent === ''", seconds=20)
        respond(browser, True)
        assert card(browser)["kind"] == "text"
        assert browser.evaluate("document.querySelector('#verdict mark') !== null")
        assert browser.evaluate("document.getElementById('rating').hidden")
        go_on(browser)
        browser.wait("!document.getElementById('end').hidden")
        browser.pump(0.5)
    assert len(logged(tmp_path, "end")) == 1
    names = [line["id"] for line in logged(tmp_path, "response")]
    assert len(names) == len(set(names)) == 4
    assert {line["item"] for line in logged(tmp_path, "response")} == {"zero1", "which-two", "bytes", "why-node"}


def test_a_text_that_waits_for_its_rating_does_not_bring_the_server_back(
    browser: Chromium, bank: Path, tmp_path: Path
) -> None:
    """The page tries again each three seconds; with nothing to hand in it said that all was handed in."""
    with served(bank, tmp_path) as server:
        open_page(browser, server.address)
        for _ in range(3):
            respond(browser, True)
            go_on(browser)
    typed(browser, "It communicates in every layer.")
    browser.evaluate("document.getElementById('check').click()")
    browser.wait("!document.getElementById('rating').hidden", seconds=20)
    browser.pump(4)
    assert "Do not reload" in text_of(browser, "alert")


def test_a_window_takes_up_what_another_did(browser: Chromium, bank: Path, tmp_path: Path) -> None:
    """What the second window answered is kept when the first one, opened before, goes on."""
    page = tmp_path / "page.html"
    assert run(["practice", str(bank), "--seed", "s", "-o", str(page)]) == 0
    open_page(browser, page.as_uri())
    first, _ = browser.beside()
    open_page(browser, page.as_uri())
    for _ in range(2):
        respond(browser, True)
        go_on(browser)
    browser.switch(first)
    browser.wait("document.getElementById('where').textContent.startsWith('2 of')")
    respond(browser, True)
    go_on(browser)
    assert len({json.loads(line)["item"] for line in saved(browser).splitlines() if '"response"' in line}) == 3


def test_a_hostile_bank_executes_nothing(browser: Chromium, tmp_path: Path, bank_of: BankOf) -> None:
    items = hostile_items()
    folder = bank_of(json.dumps({"items": items})).required_bank.folder
    page = tmp_path / "page.html"
    assert run(["practice", folder, "--items", str(len(items)), "--seed", "s", "-o", str(page)]) == 0
    open_page(browser, page.as_uri())
    for _ in items:
        browser.evaluate("['hint', 'unknown'].forEach((id) => document.getElementById(id).click())")
        go_on(browser)
    browser.evaluate("document.getElementById('finish').click()")
    browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    browser.pump(0.5)
    assert is_over(browser)
    assert browser.evaluate("window.hit") is None
    assert [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))] == []


def test_axe_finds_nothing(browser: Chromium, bank: Path, tmp_path: Path, axe: Axe) -> None:
    """Each kind of item as it is asked and as it is marked, right and wrong, by the page or by the scorer; and the end
    page."""
    page = tmp_path / "page.html"
    assert run(["practice", str(bank), "--seed", "s", "-o", str(page)]) == 0
    browser.media(**PHONE)
    axe_over_a_sitting(browser, axe, page.as_uri())
    browser.media()
    with served(bank, tmp_path) as server:
        axe_over_a_sitting(browser, axe, server.address)


def axe_over_a_sitting(browser: Chromium, axe: Axe, address: str) -> None:
    open_page(browser, address)
    browser.evaluate("document.getElementById('more').open = true")
    for right in (False, True):
        for _ in range(4):
            assert axe(browser) == [], card(browser)["kind"]
            browser.evaluate("document.getElementById('hint').click()")
            respond(browser, right)
            assert axe(browser) == [], (card(browser)["kind"], right)
            go_on(browser)
    browser.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert axe(browser) == []


def test_everything_works_by_keyboard(browser: Chromium, bank: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    assert run(["practice", str(bank), "--kind", "numeric", "--seed", "s", "-o", str(page)]) == 0
    open_page(browser, page.as_uri())
    reach(browser, "INPUT")
    browser.type("many")
    browser.press("Enter")
    assert "Write it like 12.5 GB" in browser.evaluate("document.getElementById('echo').textContent")
    browser.evaluate("document.activeElement.select()")
    browser.type(card(browser)["drawing"]["answer"])
    assert "Read as" in browser.evaluate("document.getElementById('echo').textContent")
    browser.press("Enter")
    browser.wait("document.activeElement.id === 'verdict'")
    assert "Right" in browser.evaluate("document.getElementById('verdict').textContent")
    push(browser, "BUTTON#next")
    browser.wait("!document.getElementById('end').hidden")


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


def test_a_web_app_opens_without_its_host(either: Chromium | Firefox, bank: Path, tmp_path: Path) -> None:
    """Once it was opened from a host, a reload needs none, and the sitting goes on."""
    folder = tmp_path / "app"
    assert run(["practice", str(bank), "--seed", "s", "-o", f"{folder}/"]) == 0
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=str(folder)))) as host:
        open_page(either, f"http://localhost:{host.server_port}/")
        either.evaluate("navigator.serviceWorker.ready.then(() => true)")
        respond(either, True)
        go_on(either)
    either.reload()
    either.wait(READY)
    assert "1 of 4 met" in either.evaluate("document.getElementById('where').textContent")
    if isinstance(either, Chromium):
        assert not [line for line in either.console if "Content Security Policy" in line]
