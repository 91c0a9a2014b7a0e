"""A small web server for one person: an address with a token that nobody can guess, this machine's name alone in the
Host header, and bounds for who sends too much, too slowly or too often. What it serves is its subclass's.
"""

from __future__ import annotations

import secrets
import threading
import time
import webbrowser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

HOME = "127.0.0.1"
LONGEST = 64 * 1024  # characters of an address
LARGEST = 256 * 1024  # bytes of a body
PATIENCE = 5.0  # seconds for a request, and again for its body
CONNECTIONS = 64  # at a time
EACH = 16  # of one other machine


@contextmanager
def opened_in_browser(address: str) -> Iterator[None]:
    """The page at an address in the person's browser, by a file of its owner alone that leads there and is removed at
    the end: every user of the machine can read the command line of a browser, and with it a token."""
    with TemporaryDirectory(prefix="quizgen-") as folder:
        way = Path(folder) / "open.html"
        page = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}"><title>quizgen</title>\n'
        way.touch(0o600)
        way.write_text(page, encoding="utf-8")
        webbrowser.open(way.as_uri())
        yield


class TokenServer(ThreadingHTTPServer):
    """`address` is what a person opens; `host` the one name or number under which it answers; `asked_at` is the
    monotonic time of the latest request that was let in."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, handler: type[TokenHandler], host: str = HOME, port: int = 0, token: str = "") -> None:
        self.host = host
        self.token = token or secrets.token_urlsafe(24)
        self.asked_at = time.monotonic()
        self._each = CONNECTIONS if host == HOME else EACH
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()
        super().__init__((host, port), handler)

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.server_port}/{self.token}/"

    @property
    def names(self) -> tuple[str, ...]:
        """What a Host header may say."""
        own = (self.host, "localhost") if self.host == HOME else (self.host,)
        return tuple(f"{name}:{self.server_port}" for name in own)

    def process_request(self, request: Any, client_address: Any) -> None:
        """One more connection, unless there are too many: then it is closed at once."""
        who = str(client_address[0])
        with self._lock:
            full = self._open.total() >= CONNECTIONS or self._open[who] >= self._each
            self._open[who] += not full
        if full:
            self.shutdown_request(request)
        else:
            super().process_request(request, client_address)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open[str(client_address[0])] -= 1
                self._open += Counter()  # none of nobody is kept

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: whoever broke off is gone, and the terminal belongs to who started the server."""


class TokenHandler(BaseHTTPRequestHandler):
    """`path_behind_token` is what stands behind the token, once the request was let in."""

    timeout = PATIENCE
    server: TokenServer
    server_version = "quizgen"
    sys_version = ""

    def path_behind_token(self) -> str | None:
        """The path behind the token; None, and refused, where the request may not be answered."""
        token, _, what = urlsplit(self.path).path.lstrip("/").partition("/")
        mine = secrets.compare_digest(token.encode(), self.server.token.encode())
        if self.headers.get("Host") not in self.server.names or not mine:
            self.send(HTTPStatus.FORBIDDEN, "text/plain", b"this address is not yours\n")
        elif len(self.path) > LONGEST:
            self.send(HTTPStatus.REQUEST_URI_TOO_LONG, "text/plain", b"too long\n")
        else:
            self.server.asked_at = time.monotonic()
            return what
        return None

    def body(self) -> bytes | None:
        """What was sent; None, and refused, where that is too much or takes too long."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > LARGEST:
            self.send(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "text/plain", b"too much\n")
            return None
        deadline, parts, left = time.monotonic() + PATIENCE, [], int(length)
        while left:
            self.connection.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                part = self.rfile.read1(min(left, 64 * 1024))
            except (TimeoutError, OSError):
                part = b""
            if not part or time.monotonic() > deadline:
                self.close_connection = True
                return None
            parts.append(part)
            left -= len(part)
        return b"".join(parts)

    def send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("X-Frame-Options", "DENY")
            self.send_header("Cross-Origin-Resource-Policy", "same-origin")
            self.end_headers()
            self.wfile.write(body)
        except OSError:  # the page was closed
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the terminal belongs to who started the server."""
