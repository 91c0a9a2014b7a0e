"""The author's preview in a real browser: one sees a change, tries an answer, and a hostile bank does nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from practice.conftest import ask, serving
from shipped import BankOf

from quizgen.commands.preview import PreviewServer, WatchedBank

from .chromium import Chromium
from .conftest import BANK, Axe
from .test_exam_hostile import items as hostile_items


@pytest.fixture
def folder(bank_of: BankOf) -> Path:
    return Path(bank_of(BANK).required_bank.folder)


@pytest.fixture
def server(folder: Path) -> Iterator[PreviewServer]:
    with serving(PreviewServer(WatchedBank(str(folder)), 0, {})) as made:
        yield made


def text(browser: Chromium, where: str) -> str:
    return str(browser.evaluate(f"document.querySelector({where!r}).innerText"))


def shown(browser: Chromium, server: PreviewServer) -> None:
    browser.open(server.address)
    browser.wait("!document.getElementById('item').hidden")


def test_a_change_is_seen_without_a_reload(browser: Chromium, server: PreviewServer, folder: Path) -> None:
    """The stem that is edited is the stem that is shown; so is what is wrong with a blueprint, the bank or a formula."""
    shown(browser, server)
    assert "What does stage 1 partition?" in text(browser, "#prompt")
    (folder / "blueprints").mkdir()
    for name, written, seen in (
        ("items.yaml", BANK.replace("stage 1 partition", "stage one slice"), "stage one slice"),
        ("blueprints/round.yaml", "sections: [{include: [nobody-here]}]\n", "nobody-here"),
        ("bank.yaml", "title: T\nversoin: 2\n", "versoin"),
        ("formulas.yaml", "formulas:\n  torn: {title: T}\n", "torn"),  # stands in the list
    ):
        (folder / name).write_text(written, encoding="utf-8")
        browser.wait(f"document.body.innerText.includes({seen!r})", seconds=10)


KEY = "    key: The optimizer states\n"


@pytest.mark.parametrize(
    ("instead", "wrong"), [("", "key is missing"), (KEY.replace("The", "[The"), "list [ not closed")]
)
def test_a_faulty_item_hides_no_other(
    browser: Chromium, server: PreviewServer, folder: Path, instead: str, wrong: str
) -> None:
    """Its mistake stands at its line; the others are shown as before."""
    shown(browser, server)
    (folder / "items.yaml").write_text(BANK.replace(KEY, instead), encoding="utf-8")
    browser.wait("[...document.querySelectorAll('nav .faulty')].some((b) => b.textContent === 'zero1')")
    choose(browser, "bytes")
    browser.wait("document.querySelector('#id').textContent === 'bytes'")
    assert "14 GB" in text(browser, "#key")
    choose(browser, "zero1")
    browser.wait("document.querySelector('#problems').innerText.includes('zero1')")
    told = text(browser, "#problems")
    assert wrong in told
    assert "items.yaml:" in told


def choose(browser: Chromium, name: str) -> None:
    """Click an item of the list."""
    browser.evaluate(f"[...document.querySelectorAll('nav button')].find((b) => b.textContent === {name!r}).click()")


def test_an_answer_is_tried_in_any_look(browser: Chromium, server: PreviewServer) -> None:
    """Marks, evidence and reading, as `score` gives them."""
    shown(browser, server)
    choose(browser, "why-node")
    browser.wait("document.querySelector('#id').textContent === 'why-node'")
    browser.evaluate("document.querySelector('#response').focus()")
    browser.type("It communicates in every layer.")
    # What is typed is scored as it comes: the points may stand there before the last word does.
    marked = "[...document.querySelectorAll('#score mark')].map((m) => m.textContent).join(' ')"
    browser.wait(f"{marked}.includes('every layer')", seconds=60)
    assert "2 of 3" in text(browser, "#score")
    for look in ("paper", "dark", "phone", "screen"):
        browser.evaluate(f"document.querySelector('[data-look={look}]').click()")
        assert browser.evaluate("document.querySelector('#look').className") == f"look {look}"


def test_axe_finds_nothing_in_the_preview(browser: Chromium, server: PreviewServer, axe: Axe) -> None:
    shown(browser, server)
    assert axe(browser) == []


def test_a_hostile_bank_executes_nothing(browser: Chromium, server: PreviewServer, folder: Path) -> None:
    """No payload in any text of an item runs, asks for an address or opens a dialog."""
    shown(browser, server)
    browser.requests.clear()
    items = hostile_items()
    (folder / "items.yaml").write_text(json.dumps({"items": items}), encoding="utf-8")
    browser.wait("document.querySelectorAll('nav button').length > 60 && !document.getElementById('item').hidden")
    for item in items[::5]:
        choose(browser, str(item["id"]))
        browser.pump(0.05)
    assert not browser.dialogs
    assert all(address.startswith((server.address, "data:")) for address in browser.requests)
    assert not browser.evaluate("window.hit || window.pwned || false")


def test_only_this_token_and_this_host(server: PreviewServer) -> None:
    """Another token, a foreign Host header and odd requests are refused."""
    odd = (
        "item?id=none", "score?id=none&n=0&response=x", "../../etc/passwd",
        "item?id=none&n=" + "9" * 5_000,  # more digits than Python reads
    )  # fmt: skip
    assert [ask(server, "GET", what)[0] for what in ("", "bank")] == [200, 200]
    assert [ask(server, "GET", what)[0] for what in odd] == [404] * len(odd)
    assert ask(server, "GET", "bank", token="wrong")[0] == 403
    assert ask(server, "GET", "", host="evil.example")[0] == 403
    assert ask(server, "GET", "item?id=" + "x" * 70_000)[0] in (403, 414)
    assert ask(server, "POST", "")[0] == 501
    assert server.server_address[0] == "127.0.0.1"
