"""A small bank with an item of each kind, and its practice page."""

from __future__ import annotations

import http.client
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.server import HTTPServer
from pathlib import Path
from typing import TypeVar

import pytest

from quizgen.cli import run
from quizgen.local_server import TokenServer

Server = TypeVar("Server", bound=HTTPServer)
BANK = (Path(__file__).parent / "bank.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("practice") / "bank"
    folder.mkdir()
    (folder / "items.yaml").write_text(BANK, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def practice_page(bank: Path) -> Path:
    page = bank.parent / "page.html"
    assert run(["practice", str(bank), "--seed", "s", "--candidate", "ada", "-o", str(page)]) == 0
    return page


@contextmanager
def serving(server: Server) -> Iterator[Server]:
    """The server, while it answers in a thread of its own."""
    running = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    running.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        running.join(5)


def ask(
    server: TokenServer, method: str, what: str, body: bytes | None = None, host: str = "", token: str = ""
) -> tuple[int, bytes]:
    """The status and the body of a reply."""
    with closing(http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)) as connection:
        connection.putrequest(method, f"/{token or server.token}/{what}", skip_host=True)
        connection.putheader("Host", host or f"127.0.0.1:{server.server_port}")
        if body is not None:
            connection.putheader("Content-Length", str(len(body)))
        connection.endheaders(body)
        reply = connection.getresponse()
        return reply.status, reply.read()
