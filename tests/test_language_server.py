"""The schemas in a real editor's server: it completes, explains and underlines. Needs node and yaml-language-server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

import pytest

from quizgen.bank.schema import FIELD_GROUP_OF_FILE, schema_of_file_kind

Message = dict[str, Any]


def command() -> list[str] | None:
    """The server's command where it is installed: on the path, or as a module of node."""
    found = shutil.which("yaml-language-server")
    if found:
        return [found, "--stdio"]
    script = (
        Path(os.environ.get("QUIZGEN_NODE_MODULES", "node_modules")) / "yaml-language-server/bin/yaml-language-server"
    )
    node = shutil.which("node")
    return [node, str(script), "--stdio"] if node and script.is_file() else None


class Editor:
    """One session with the server in a folder."""

    def __init__(self, server: list[str], folder: Path) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        # Its own folder as home: it keeps a telemetry id there.
        self.process = subprocess.Popen(server, cwd=folder, env={**os.environ, "HOME": str(folder)}, **pipes)
        self.asked = 0
        self.told: list[Message] = []
        self.folder = folder

    def __enter__(self) -> Self:
        settings = {"yaml": {"validate": True, "completion": True, "hover": True, "schemaStore": {"enable": False}}}
        self.request("initialize", {"processId": os.getpid(), "rootUri": self.folder.as_uri(), "capabilities": {}})
        self.tell("initialized", {})
        self.tell("workspace/didChangeConfiguration", {"settings": settings})
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            pipe.close()

    def open(self, name: str, text: str) -> str:
        uri = (self.folder / name).as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})
        return uri

    def diagnostics(self, uri: str) -> list[Message]:
        """What the server says of a document, when it says it."""
        while True:
            message = self._read()
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return list(message["params"]["diagnostics"])

    def at(self, method: str, uri: str, line: int, character: int) -> Any:
        where = {"line": line, "character": character}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": uri}, "position": where})

    def tell(self, method: str, params: Message) -> None:
        self._write({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Message) -> Any:
        self.asked += 1
        self._write({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params})
        while True:
            message = self._read()
            if message.get("id") == self.asked and "method" not in message:
                return message.get("result")

    def _write(self, message: Message) -> None:
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def _read(self) -> Message:
        """The next message; a request of the server's own is answered with nothing."""
        size = 0
        while (head := self.process.stdout.readline().strip()) or not size:
            if head.lower().startswith(b"content-length:"):
                size = int(head.partition(b":")[2])
            elif not head and self.process.poll() is not None:
                raise EOFError("the language server has ended")
        message: Message = json.loads(self.process.stdout.read(size))
        if "id" in message and "method" in message:
            wanted = message["params"].get("items", []) if isinstance(message.get("params"), dict) else []
            self._write({"jsonrpc": "2.0", "id": message["id"], "result": [None for _ in wanted]})
        return message


ITEM = """\
# yaml-language-server: $schema=items.schema.json
topic: caching
items:
  - id: cache-aside
    kind: choice
    stem: Who fills a cache-aside cache?
    key: The application
    distractors: [The database, The cache]
    rationale: It reads, misses and writes.
"""


@pytest.fixture(scope="module")
def editor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Editor]:
    server = command()
    if server is None:
        pytest.skip("no yaml-language-server: npm install it, on the path or in QUIZGEN_NODE_MODULES")
    folder = tmp_path_factory.mktemp("editor")
    for name in FIELD_GROUP_OF_FILE:
        (folder / f"{name}.schema.json").write_text(json.dumps(schema_of_file_kind(name)), encoding="utf-8")
    with Editor(server, folder) as made:
        yield made


def test_a_misspelt_field_and_a_wrong_value_are_underlined_where_they_stand(editor: Editor) -> None:
    uri = editor.open("wrong.yaml", ITEM.replace("rationale:", "rationle:") + "    difficulty: 7\n")
    found = sorted((d["range"]["start"]["line"], d["message"]) for d in editor.diagnostics(uri))
    assert [line for line, _ in found] == [8, 9]
    assert "rationle" in found[0][1]
    assert "5" in found[1][1]


def test_fields_are_completed_by_kind_and_explained(editor: Editor) -> None:
    """After `po` in a choice item: points and policy, with what they are; no field of a different kind."""
    uri = editor.open("complete.yaml", ITEM + "    po\n")
    editor.diagnostics(uri)
    found = {c["label"]: c for c in editor.at("completion", uri, 9, 6)["items"]}
    assert {"points", "policy", "hints"} <= set(found)
    assert not {"rubric", "draw", "formula"} & set(found)
    assert "right minus wrong" in str(found["policy"].get("documentation"))
    assert "wrong options" in str(editor.at("hover", uri, 7, 6)["contents"])
