"""The preview's server: this machine alone, one address with a token, no state written.

A request must name the token in its path and this server in its Host header, so that neither another
person of this machine nor a page from elsewhere can read the bank.
"""

from __future__ import annotations

import json
import secrets
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from quizgen.preview import views
from quizgen.preview.watch import Watched
from quizgen.render.html import environment
from quizgen.render.page import page

HOST = "127.0.0.1"
WAIT = 10.0  # seconds that a question for changes is held
LONGEST = 64 * 1024  # characters of an address, response and all


class PreviewServer(ThreadingHTTPServer):
    """Serves one bank. `address` is what a person opens."""

    daemon_threads = True

    def __init__(self, watched: Watched, port: int = 0) -> None:
        self.watched = watched
        self.token = secrets.token_urlsafe(24)
        super().__init__((HOST, port), _Handler)

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/{self.token}/"


class _Handler(BaseHTTPRequestHandler):
    server: PreviewServer
    server_version = "quizgen"
    sys_version = ""

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        token, _, what = parts.path.lstrip("/").partition("/")
        hosts = (f"{HOST}:{self.server.server_port}", f"localhost:{self.server.server_port}")
        if self.headers.get("Host") not in hosts or not secrets.compare_digest(
            token.encode(), self.server.token.encode()
        ):
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"this address is not yours\n")
        elif len(self.path) > LONGEST:
            self._send(HTTPStatus.REQUEST_URI_TOO_LONG, "text/plain", b"too long\n")
        elif what == "":
            self._send(HTTPStatus.OK, "text/html", _page().encode())
        else:
            asked = {name: values[-1] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
            made = self._view(what, asked)
            if made is None:
                self._send(HTTPStatus.NOT_FOUND, "text/plain", b"there is no such thing\n")
            else:
                self._send(HTTPStatus.OK, "application/json", json.dumps(made).encode())

    def _view(self, what: str, asked: dict[str, str]) -> dict[str, Any] | None:
        watched = self.server.watched
        number = int(asked["n"]) if asked.get("n", "").isascii() and asked.get("n", "").isdigit() else 0
        number = min(number, views.MOST)
        match what:
            case "bank":
                return views.overview(watched.changed(asked.get("stamp", ""), WAIT if asked.get("stamp") else 0))
            case "item":
                return views.item_view(watched.edition(), asked.get("id", ""), number)
            case "score":
                return views.score_view(watched.edition(), asked.get("id", ""), number, asked.get("response", ""))
        return None

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("Referrer-Policy", "no-referrer")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Cross-Origin-Resource-Policy", "same-origin")
            self.end_headers()
            self.wfile.write(body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the page was closed

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the terminal belongs to the author."""


def _page() -> str:
    frame = page(("css/shared.css", "css/preview.css"), ("js/preview.js",), connects=True)
    return environment().get_template("preview.html").render(page=frame)
