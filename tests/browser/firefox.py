"""A headless Firefox that prints: driven over Marionette, the socket that every Firefox has."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """One browser with one window."""

    def __init__(self) -> None:
        assert FIREFOX is not None, "tests skip where there is no browser"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._profile = Path(tempfile.mkdtemp(prefix="quizgen-firefox-"))
        (self._profile / "user.js").write_text(f'user_pref("marionette.port", {port});\n')
        self.process = subprocess.Popen(
            [FIREFOX, "--headless", "--marionette", "--no-remote", "--profile", str(self._profile)],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        deadline = time.monotonic() + 60
        while True:
            try:
                self._socket = socket.create_connection(("127.0.0.1", port), timeout=60)
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
        self._count = 0
        self._message()
        self.call("WebDriver:NewSession")

    def call(self, method: str, **parameters: Any) -> Any:
        self._count += 1
        text = json.dumps([0, self._count, method, parameters])
        self._socket.sendall(f"{len(text.encode())}:{text}".encode())
        _, _, error, result = self._message()
        if error:
            raise RuntimeError(f"{method}: {error['message']}")
        return result

    def _message(self) -> Any:
        size = b""
        while (byte := self._socket.recv(1)) != b":":
            size += byte
        data = b""
        while len(data) < int(size):
            data += self._socket.recv(int(size) - len(data))
        return json.loads(data)

    def print(self, target: Path) -> None:
        """What the print command gives, by the page's own size and margins, with backgrounds."""
        made = self.call("WebDriver:Print", background=True, shrinkToFit=False)
        target.write_bytes(base64.b64decode(made["value"]))

    def open(self, url: str) -> None:
        self.call("WebDriver:Navigate", url=url)

    def reload(self) -> None:
        """As a person reloads; WebDriver's own goes past a service worker."""
        self.evaluate("(window.before = true, setTimeout(() => location.reload()), 0)")
        self.wait("!window.before && document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page, or what its promise comes to."""
        script = f"const done = arguments[0]; Promise.resolve(eval({json.dumps(expression)})).then(done)"
        return self.call("WebDriver:ExecuteAsyncScript", script=script, args=[])["value"]

    def wait(self, condition: str, seconds: float = 10) -> None:
        deadline = time.monotonic() + seconds
        while not self.evaluate(condition):
            assert time.monotonic() < deadline, condition
            time.sleep(0.02)

    def close(self) -> None:
        self._socket.close()
        self.process.terminate()
        self.process.wait(20)
        shutil.rmtree(self._profile, ignore_errors=True)
