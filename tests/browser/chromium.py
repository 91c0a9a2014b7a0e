"""A headless Chromium driven over its DevTools pipe: no driver, no port, no package."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

FLAGS = (
    "--headless=new", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--disable-default-apps",
    "--remote-debugging-pipe", "--hide-scrollbars", "--window-size=1200,900",
)  # fmt: skip

# Puts the pipes where the browser looks for them, then becomes the browser.
PLACE = "import os, sys; [os.dup2(int(sys.argv[n]), n + 2) for n in (1, 2)]; os.execv(sys.argv[3], sys.argv[3:])"

# name: (key, code, windows key code, text)
KEYS = {
    "Tab": ("Tab", "Tab", 9, ""),
    "Enter": ("Enter", "Enter", 13, "\r"),
    "Space": (" ", "Space", 32, " "),
    "Backspace": ("Backspace", "Backspace", 8, ""),
    "Escape": ("Escape", "Escape", 27, ""),
    "ArrowDown": ("ArrowDown", "ArrowDown", 40, ""),
    "ArrowUp": ("ArrowUp", "ArrowUp", 38, ""),
    **{f"Alt+{c}": (c.lower(), f"Key{c}", ord(c), "") for c in "NPFR"},
}


class Chromium:
    """One browser with one tab. A `profile` keeps what it stores, so that a second one finds it."""

    def __init__(self, profile: Path | None = None, downloads: Path | None = None) -> None:
        assert BROWSER is not None, "tests skip where there is no browser"
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # The browser reads file descriptor 3 and writes 4; lift ours out of the way first.
        ends = [fcntl.fcntl(fd, fcntl.F_DUPFD, 20) for fd in (to_browser, from_browser)]
        self._own = "" if profile else tempfile.mkdtemp(prefix="quizgen-chromium-")
        root = ("--no-sandbox",) if os.geteuid() == 0 else ()
        place = (sys.executable, "-c", PLACE, *map(str, ends))
        self.process = subprocess.Popen(
            [*place, BROWSER, *FLAGS, *root, f"--user-data-dir={profile or self._own}", "about:blank"],
            pass_fds=ends, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for fd in (to_browser, from_browser, *ends):
            os.close(fd)
        self._buffer = b""
        self._count = 0
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.console: list[str] = []
        targets = self.call("Target.getTargets", session=False)["targetInfos"]
        target = next(t["targetId"] for t in targets if t["type"] == "page")
        self._attach(target)
        if downloads is not None:
            self.call("Browser.setDownloadBehavior", session=False, behavior="allow", downloadPath=str(downloads))

    def _attach(self, target: str) -> None:
        attached = self.call("Target.attachToTarget", session=False, targetId=target, flatten=True)
        self._session: str = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    @contextmanager
    def fresh(self, downloads: Path) -> Iterator[Chromium]:
        """A tab that shares nothing with others, as if in a new browser but without starting one."""
        context = self.call("Target.createBrowserContext", session=False)["browserContextId"]
        for told in (self.requests, self.dialogs, self.console):
            told.clear()
        allow = {"behavior": "allow", "downloadPath": str(downloads), "browserContextId": context}
        self.call("Browser.setDownloadBehavior", session=False, **allow)
        tab = self.call("Target.createTarget", session=False, url="about:blank", browserContextId=context)
        self._attach(tab["targetId"])
        self._context = context
        try:
            yield self
        finally:
            self.call("Target.disposeBrowserContext", session=False, browserContextId=context)

    def beside(self) -> tuple[str, str]:
        """A second window of the same person, which is then in use; the sessions of the first and of it, to switch."""
        first = self._session
        tab = self.call("Target.createTarget", session=False, url="about:blank", browserContextId=self._context)
        self._attach(tab["targetId"])
        return first, self._session

    def switch(self, session: str) -> None:
        self._session = session
        self.call("Page.bringToFront")

    # -- protocol ---------------------------------------------------------------------------

    def call(self, method: str, session: bool = True, **params: Any) -> dict[str, Any]:
        self._count += 1
        number = self._count  # a dialog answered meanwhile moves the count on
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 30
        while True:
            answer = self._next(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer.get("result", {})
                return result
            self._note(answer)

    def _next(self, deadline: float) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            ready, _, _ = select.select([self._read], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the browser did not answer")
            got = os.read(self._read, 1 << 20)
            if not got:
                raise ConnectionError("the browser is gone")
            self._buffer += got
        head, _, self._buffer = self._buffer.partition(b"\0")
        message: dict[str, Any] = json.loads(head)
        return message

    def _note(self, message: dict[str, Any]) -> None:
        method, params = message.get("method", ""), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.dialogs.append(f"{params['type']}: {params['message']}")
            self._count += 1
            answer = {"id": self._count, "method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
            os.write(self._write, json.dumps({**answer, "sessionId": self._session}).encode() + b"\0")
        elif method in ("Runtime.exceptionThrown", "Log.entryAdded"):
            self.console.append(json.dumps(params)[:500])

    def pump(self, seconds: float) -> None:
        """Let the page live for a while and note what it reports."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self._note(self._next(deadline))
            except TimeoutError:
                return

    # -- a person's hands ---------------------------------------------------------------------

    def open(self, url: str) -> None:
        self.call("Page.navigate", url=url)
        self.wait("document.readyState === 'complete'")

    def reload(self) -> None:
        self.evaluate("window.before = true")
        self.call("Page.reload")
        self.wait("!window.before && document.readyState === 'complete'")

    def evaluate(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(json.dumps(answer["exceptionDetails"])[:800])
        return answer["result"].get("value")

    def wait(self, condition: str, seconds: float = 10) -> None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self.evaluate(condition):
                    return
            except RuntimeError:
                pass  # the page is being replaced
            self.pump(0.02)
        raise TimeoutError(f"never true: {condition}")

    def press(self, name: str, shift: bool = False) -> None:
        key, code, number, text = KEYS[name]
        modifiers = (1 if name.startswith("Alt+") else 0) | (8 if shift else 0)
        common = {"key": key, "code": code, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        self.call("Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        for char in text:
            self.call("Input.dispatchKeyEvent", type="keyDown", text=char, key=char, unmodifiedText=char)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=char)

    def focused(self) -> str:
        """What a screen reader would name: tag, id, and the label or text of the focused element."""
        named = (
            "(() => { const e = document.activeElement; const l = e.labels && e.labels[0];"
            " return e.tagName + '#' + e.id + ' ' + (l || e).textContent.trim().replace(/\\s+/g, ' ').slice(0, 80); })()"
        )
        return str(self.evaluate(named))

    def media(self, scheme: str = "light", medium: str = "", width: int = 1200, height: int = 900) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.call("Emulation.setEmulatedMedia", media=medium, features=features)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def picture(self, path: Path, whole: bool = False) -> None:
        """Writes a picture of the screen, or with `whole` of the page, for docs/captures."""
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        path.write_bytes(base64.b64decode(data))

    def print(self, path: Path) -> None:
        """What the page's print command gives, without the browser's own header and footer."""
        data = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=True)["data"]
        path.write_bytes(base64.b64decode(data))

    # -- ends -----------------------------------------------------------------------------------

    def kill(self) -> None:
        """As a crash or a power cut: SIGKILL to every process of this browser."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._read)
        os.close(self._write)
        if self._own:
            shutil.rmtree(self._own, ignore_errors=True)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(self, *error: object) -> None:
        # A browser that ends by itself keeps what it stores; one that does not answer is killed.
        with suppress(OSError, TimeoutError, subprocess.TimeoutExpired):
            self.call("Browser.close", session=False)
            self.process.wait(10)
        self.kill()
