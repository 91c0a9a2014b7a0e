"""The page as it is served: the scorer's verdicts, every answer on disk before, and nobody else let in."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from quizgen import bank as banks
from quizgen.commands.practice import qr_code_drawn_as_text
from quizgen.local_server import MAX_CONNECTIONS, MAX_REQUEST_BODY_BYTES
from quizgen.practice.server import AnswerRecorder, PracticeServer

from .conftest import ask, serving

KILLS = 4
SESSION = "ab12cd34ef56ab12"
HEAD = {
    "v": 1, "type": "session", "session": SESSION, "candidate": "ada", "bank": "b", "digest": "sha256:0", "seed": "s",
    "mode": "practice", "items": ["zero1"], "started": "2026-11-27T10:00:00.000Z", "untimed": True,
}  # fmt: skip


def response(item: str, text: object, name: str, **more: object) -> dict[str, Any]:
    return {"v": 1, "type": "response", "session": SESSION, "candidate": "ada", "item": item, "seed": "s",
            "response": text, "seconds": 3, "at": "2026-11-27T10:01:00.000Z", "hints": 0, "id": name, **more}  # fmt: skip


@pytest.fixture
def keeper(bank: Path, tmp_path: Path) -> Iterator[AnswerRecorder]:
    made = AnswerRecorder(
        banks.load_bank(str(bank)).required_bank, lambda at, session: str(tmp_path / f"{session}.jsonl")
    )
    yield made
    made.close()


@pytest.fixture
def server(keeper: AnswerRecorder) -> Iterator[PracticeServer]:
    with serving(PracticeServer("<p>page</p>", keeper, "127.0.0.1")) as made:
        yield made


def post(server: PracticeServer, *lines: object) -> dict[str, Any]:
    status, body = ask(server, "POST", "lines", json.dumps(lines).encode())
    assert status == 200, body
    made: dict[str, Any] = json.loads(body)
    return made


def logged(tmp_path: Path) -> list[dict[str, Any]]:
    log = tmp_path / f"{SESSION}.jsonl"
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


def test_texts_and_numbers_get_the_scorers_verdicts(server: PracticeServer, tmp_path: Path) -> None:
    told = post(
        server, HEAD, response("why-node", "It communicates in every layer.", "a1"),
        response("bytes", "28 GB", "a2", given={"N": "7e9 param"}), response("zero1", "The gradients", "a3"),
    )  # fmt: skip
    text, number, choice = (told["verdicts"][f"response {name}"] for name in ("a1", "a2", "a3"))
    assert text["share"] == pytest.approx(2 / 3)
    assert "It <mark>communicates</mark> in <mark>every layer</mark>." in text["html"]
    assert "Links inside a node are faster." in text["html"]
    assert number["share"] == 0
    assert number["readAs"] == "28 GB"
    assert "That is four bytes a parameter." in number["html"]
    assert choice["share"] == 0
    assert "Gradients come with stage 2." in choice["html"]
    assert [line["type"] for line in logged(tmp_path)] == ["session", "response", "response", "response"]


def test_what_cannot_be_read_is_asked_again_and_what_comes_twice_is_kept_once(
    server: PracticeServer, tmp_path: Path
) -> None:
    told = post(server, HEAD, response("bytes", "a lot", "a1", given={"N": "7e9 param"}))
    assert "again" in told["verdicts"]["response a1"]
    assert "response a1" not in told["kept"]
    assert len(logged(tmp_path)) == 1
    line = response("zero1", "The gradients", "a2")
    for _ in range(3):
        assert "response a2" in post(server, HEAD, line)["kept"]
    assert len(logged(tmp_path)) == 2


def test_lines_that_are_none_are_refused_and_the_others_kept(server: PracticeServer, tmp_path: Path) -> None:
    odd: list[Any] = [None, 3, {}, {"type": "session", "session": "../x"}]
    odd += [{**HEAD, "mode": "strict"}, {**HEAD, "items": 3}]
    told = post(server, *odd, HEAD, response("zero1", {"a": 1}, "a1"), response("no-such", "x", "a2"))
    assert len(told["refused"]) == 7
    assert [line.get("id") for line in logged(tmp_path)] == [None, "a2"]
    assert list(tmp_path.iterdir()) == [tmp_path / f"{SESSION}.jsonl"]


def test_nobody_else_is_let_in(server: PracticeServer) -> None:
    lines = json.dumps([HEAD]).encode()
    assert ask(server, "GET", "") == (200, b"<p>page</p>")
    assert ask(server, "GET", "", host=f"localhost:{server.server_port}")[0] == 200
    port = server.server_port
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port}.evil"):
        assert ask(server, "GET", "", host=host)[0] == 403
        assert ask(server, "POST", "lines", lines, host=host)[0] == 403
    assert ask(server, "GET", "", token="x" * 32)[0] == 403
    assert ask(server, "POST", "lines", lines, token="none")[0] == 403
    for method in ("PUT", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PATCH", "HEAD"):
        assert ask(server, method, "lines", lines)[0] == 501
    assert ask(server, "POST", "", lines)[0] == 404
    assert ask(server, "GET", "lines")[0] == 404
    assert ask(server, "POST", "lines", b"{}")[0] == 400
    assert ask(server, "POST", "lines", b"[" * 100_000)[0] == 400
    assert ask(server, "GET", "")[0] == 200


def test_large_and_slow_bodies_are_bounded(server: PracticeServer) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as one:
        head = f"POST /{server.token}/lines HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\n"
        one.sendall(f"{head}Content-Length: {MAX_REQUEST_BODY_BYTES + 1}\r\n\r\n".encode())
        assert b" 413 " in one.recv(1000)
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=20) as one:
        one.sendall(f"{head}Content-Length: 1000\r\n\r\n".encode())
        began = time.monotonic()
        try:
            while time.monotonic() - began < 15:
                one.sendall(b" ")
                time.sleep(0.5)
            pytest.fail("a body that drips was waited for")
        except OSError:
            pass
    assert ask(server, "GET", "")[0] == 200


def test_two_hundred_connections_are_bounded_and_it_answers_still(server: PracticeServer) -> None:
    held = []
    for _ in range(200):
        try:
            held.append(socket.create_connection(("127.0.0.1", server.server_port), timeout=5))
        except OSError:
            break
    time.sleep(0.3)
    assert sum(thread.name.startswith("Thread") for thread in threading.enumerate()) <= MAX_CONNECTIONS + 5
    deadline = time.monotonic() + 20
    status = 0
    while status != 200 and time.monotonic() < deadline:
        try:
            status = ask(server, "GET", "")[0]
        except OSError:
            time.sleep(0.2)
    for one in held:
        one.close()
    assert status == 200


def test_a_page_on_the_network_ends_when_nobody_asks(keeper: AnswerRecorder) -> None:
    server = PracticeServer("page", keeper, "127.0.0.1")
    running = threading.Thread(target=server.serve_until_idle, args=(0.3,), daemon=True)
    running.start()
    running.join(10)
    server.server_close()
    assert not running.is_alive()


def test_the_address_is_shown_as_a_code_that_a_camera_reads() -> None:
    """Each half block is two modules; the code is the one that segno makes."""
    import segno

    address = "http://192.168.1.20:43210/abcdefghijklmnopqrstuvwxyzabcdef/"
    lines = qr_code_drawn_as_text(address).split("\n")
    top = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}
    rows = [[int(top[char][half]) for char in line] for line in lines for half in (0, 1)]
    wanted = [[int(bool(cell)) for cell in row] for row in segno.make(address, error="l").matrix_iter(border=2)]
    assert rows[: len(wanted)] == wanted


def started(bank: Path, logs: Path) -> tuple[subprocess.Popen[str], Any]:
    process = subprocess.Popen(
        [sys.executable, "-m", "quizgen", "practice", str(bank), "--seed", "s", "--no-open"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env={**os.environ, "QUIZGEN_LOGS": str(logs)},
    )  # fmt: skip
    return process, urlsplit(process.stdout.readline().strip())


@pytest.mark.slow
def test_no_answer_is_lost_to_a_kill(bank: Path, tmp_path: Path) -> None:
    """Killed at random moments while answers come in: every answer that got its verdict is in the log, once. The
    address is the same each time, so that the page which is open hands in the rest."""
    rng = random.Random(7)
    acknowledged: set[str] = set()
    addresses = set()
    number = 0
    for _ in range(KILLS):
        process, at = started(bank, tmp_path)
        addresses.add(at.geturl())
        ends = threading.Timer(rng.uniform(0.0, 0.25), process.send_signal, [signal.SIGKILL])
        ends.start()
        try:
            while True:
                number += 1
                lines = [HEAD, response("zero1", "The gradients", f"a{number}")]
                with closing(http.client.HTTPConnection(at.hostname, at.port, timeout=10)) as connection:
                    connection.request("POST", f"{at.path}lines", json.dumps(lines))
                    acknowledged.update(json.loads(connection.getresponse().read())["kept"])
        except (OSError, http.client.HTTPException, ValueError):
            pass
        ends.join()
        process.communicate()
    texts = [line for log in tmp_path.glob("*.jsonl") for line in log.read_text().splitlines()]
    found = [json.loads(text) for text in texts if text.endswith("}")]
    names = [line["id"] for line in found if line["type"] == "response"]
    assert len(addresses) == 1
    assert len(acknowledged) > KILLS
    assert {name.removeprefix("response ") for name in acknowledged if name.startswith("response")} <= set(names)
    assert len(names) == len(set(names))
