"""The schemas in a real editor's server: it completes, explains and underlines. Needs node and yaml-language-server."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from quizgen.bank.schema import GROUP_NAME_BY_FILE_KIND, file_kind_schema

Message = dict[str, Any]

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


def command() -> list[str] | None:
    """The server's command where it is installed: on the path, or as a module of node."""
    found = shutil.which("yaml-language-server")
    if found:
        return [found, "--stdio"]
    modules = Path(os.environ.get("QUIZGEN_NODE_MODULES", "node_modules"))
    script = modules / "yaml-language-server/bin/yaml-language-server"
    node = shutil.which("node")
    return [node, str(script), "--stdio"] if node and script.is_file() else None


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """The server in a folder with the schemas, told what an editor tells it first."""
    server = command()
    if server is None:
        pytest.skip("no yaml-language-server: npm install it, on the path or in QUIZGEN_NODE_MODULES")
    for name in GROUP_NAME_BY_FILE_KIND:
        (tmp_path / f"{name}.schema.json").write_text(json.dumps(file_kind_schema(name)), encoding="utf-8")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    # Its own folder as home: it keeps a telemetry id there.
    with subprocess.Popen(server, cwd=tmp_path, env={**os.environ, "HOME": str(tmp_path)}, **pipes) as process:
        settings = {"yaml": {"validate": True, "completion": True, "hover": True, "schemaStore": {"enable": False}}}
        where = {"processId": os.getpid(), "rootUri": tmp_path.as_uri(), "capabilities": {}}
        send(process, "initialize", where, id=0)
        answer(process, id=0)
        send(process, "initialized", {})
        send(process, "workspace/didChangeConfiguration", {"settings": settings})
        yield process
        process.kill()


def send(editor: subprocess.Popen[bytes], method: str, params: Message, **more: int) -> None:
    body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
    editor.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    editor.stdin.flush()


def answer(editor: subprocess.Popen[bytes], **wanted: object) -> Message:
    """The next message of the server that has these fields; its own requests count from 0."""
    while True:
        size = 0
        while head := editor.stdout.readline().strip():
            if head.lower().startswith(b"content-length:"):
                size = int(head.partition(b":")[2])
        assert size, "the language server has ended"
        message: Message = json.loads(editor.stdout.read(size))
        if wanted.items() <= message.items():
            return message


def underlined(editor: subprocess.Popen[bytes], tmp_path: Path, text: str) -> list[Message]:
    """What the server says of a document."""
    document = {"uri": (tmp_path / "a.yaml").as_uri(), "languageId": "yaml", "version": 1, "text": text}
    send(editor, "textDocument/didOpen", {"textDocument": document})
    return list(answer(editor, method="textDocument/publishDiagnostics")["params"]["diagnostics"])


def test_mistakes_are_underlined_where_they_stand(editor: subprocess.Popen[bytes], tmp_path: Path) -> None:
    text = ITEM.replace("rationale:", "rationle:") + "    difficulty: 7\n"
    found = sorted((d["range"]["start"]["line"], d["message"]) for d in underlined(editor, tmp_path, text))
    assert [line for line, _ in found] == [8, 9]
    assert "rationle" in found[0][1]
    assert "5" in found[1][1]


def test_fields_are_completed_by_kind_and_explained(editor: subprocess.Popen[bytes], tmp_path: Path) -> None:
    """After `po` in a choice item: points and policy, with what they are; no field of a different kind."""
    underlined(editor, tmp_path, ITEM + "    po\n")
    document = {"textDocument": {"uri": (tmp_path / "a.yaml").as_uri()}}
    send(editor, "textDocument/completion", {**document, "position": {"line": 9, "character": 6}}, id=101)
    found = {c["label"]: c for c in answer(editor, id=101)["result"]["items"]}
    assert {"points", "policy", "hints"} <= set(found)
    assert not {"rubric", "draw", "formula"} & set(found)
    assert "right minus wrong" in str(found["policy"].get("documentation"))
    send(editor, "textDocument/hover", {**document, "position": {"line": 7, "character": 6}}, id=102)
    assert "wrong options" in str(answer(editor, id=102)["result"]["contents"])
