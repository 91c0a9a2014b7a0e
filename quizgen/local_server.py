"""A small web server for one person, which subclasses fill with content.

The address has a secret token, the Host header must name this machine, and size, time and rate of requests are
limited."""

from __future__ import annotations

import secrets
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.parse import urlsplit

LOCALHOST = "127.0.0.1"
MAX_REQUEST_BODY_BYTES = 256 * 1024  # bytes of a body
MAX_REQUEST_SECONDS = 5.0  # seconds for a request, and again for its body
MAX_CONNECTIONS = 64  # connections at a time


@contextmanager
def open_in_browser_by_temporary_file(address: str) -> Iterator[None]:
    """A context manager that opens an address in the user's browser. Opens a private file that redirects to the
    address, and removes it at the end: any user of the machine can read a browser's command line, and a token in it."""
    with TemporaryDirectory(prefix="quizgen-") as folder:
        way = Path(folder) / "open.html"
        page = f'<!doctype html><meta http-equiv="refresh" content="0; url={escape(address)}"><title>quizgen</title>\n'
        way.touch(0o600)
        way.write_text(page, encoding="utf-8")
        webbrowser.open(way.as_uri())
        yield


class TokenServer(ThreadingHTTPServer):
    """A server for one person. `address` is the URL to open, `host` the only name or number that it answers to,
    `last_request_at` the monotonic time of the latest accepted request. `port` 0: any free one; `token` empty: a new
    one."""

    request_queue_size = 128

    def __init__(self, handler: type[TokenHandler], host: str = LOCALHOST, port: int = 0, token: str = "") -> None:
        self.host = host
        self.token = token or secrets.token_urlsafe(24)
        self.last_request_at = time.monotonic()
        self._free_connections = threading.BoundedSemaphore(MAX_CONNECTIONS)
        super().__init__((host, port), handler)

    @property
    def address(self) -> str:
        return f"http://{self.host}:{self.server_port}/{self.token}/"

    def verify_request(self, request: Any, client_address: Any) -> bool:
        """Accepts one more connection unless there are too many; a refused one is closed at once."""
        return self._free_connections.acquire(blocking=False)

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._free_connections.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Prints nothing: the client has gone, and the terminal belongs to the server's user."""


class TokenHandler(BaseHTTPRequestHandler):
    """The base class of request handlers; it checks the token and limits each request."""

    timeout = MAX_REQUEST_SECONDS
    server: TokenServer
    server_version = "quizgen"
    sys_version = ""

    def url_path_behind_token(self) -> str | None:
        """The path after the token; None, after an error response, if the request is refused."""
        token, _, path = urlsplit(self.path).path.lstrip("/").partition("/")
        has_token = secrets.compare_digest(token.encode(), self.server.token.encode())
        hosts = (self.server.host, "localhost") if self.server.host == LOCALHOST else (self.server.host,)
        if self.headers.get("Host") not in [f"{name}:{self.server.server_port}" for name in hosts] or not has_token:
            self.send_content(HTTPStatus.FORBIDDEN, "text/plain", b"this address is not yours\n")
            return None
        self.server.last_request_at = time.monotonic()
        return path

    def read_body(self) -> bytes | None:
        """The request's body; None if it is too large (after an error response) or too slow (after closing the
        connection)."""
        length = self.headers.get("Content-Length", "")
        if not (length.isascii() and length.isdigit()) or int(length) > MAX_REQUEST_BODY_BYTES:
            self.send_content(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "text/plain", b"too much\n")
            return None
        deadline, parts, remaining_length = time.monotonic() + MAX_REQUEST_SECONDS, [], int(length)
        while remaining_length:
            self.connection.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                parts.append(self.rfile.read1(min(remaining_length, 64 * 1024)))
            except OSError:
                parts.append(b"")
            if not parts[-1] or time.monotonic() > deadline:
                self.close_connection = True
                return None
            remaining_length -= len(parts[-1])
        return b"".join(parts)

    def send_content(self, status: HTTPStatus, kind: str, body: bytes) -> None:
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
        """Prints nothing: the terminal belongs to the server's user."""
