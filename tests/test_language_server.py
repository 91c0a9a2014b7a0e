"""The schemas in a real editor's server: it completes, explains and underlines. Needs node and yaml-language-server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from language_server import Editor, command

from quizgen.bank.schema import FIELD_GROUP_OF_FILE, schema_of_file_kind

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


def test_good_files_are_left_alone(editor: Editor, root: Path) -> None:
    """The bank in which every field stands, with every schema."""
    bank = root / "docs/examples/fields"
    for path, file in [
        ("choice.yaml", "items"), ("numeric.yaml", "items"), ("text.yaml", "items"), ("figures.yaml", "items"),
        ("bank.yaml", "bank"), ("formulas.yaml", "formulas"), ("blueprints/round.yaml", "blueprint"),
        ("cases/slow-shop.yaml", "cases"),
    ]:  # fmt: skip
        head = f"# yaml-language-server: $schema={file}.schema.json\n"
        uri = editor.open(path.replace("/", "-"), head + (bank / path).read_text(encoding="utf-8"))
        assert [(d["range"]["start"], d["message"]) for d in editor.diagnostics(uri)] == [], path


def test_a_misspelt_field_is_underlined_where_it_stands(editor: Editor) -> None:
    uri = editor.open("misspelt.yaml", ITEM.replace("rationale:", "rationle:"))
    found = editor.diagnostics(uri)
    assert [(d["range"]["start"]["line"], d["range"]["start"]["character"]) for d in found] == [(8, 4)]
    assert "rationle" in found[0]["message"]


def test_a_wrong_value_is_underlined_where_it_stands(editor: Editor) -> None:
    uri = editor.open("wrong.yaml", ITEM + "    difficulty: 7\n")
    found = editor.diagnostics(uri)
    assert [d["range"]["start"]["line"] for d in found] == [9]
    assert "5" in found[0]["message"]


def test_fields_are_completed_by_kind(editor: Editor) -> None:
    """After `po` in a choice item: points and policy, with what they are; no field of a different kind."""
    uri = editor.open("complete.yaml", ITEM + "    po\n")
    editor.diagnostics(uri)
    found = {c["label"]: c for c in editor.at("completion", uri, 9, 6)["items"]}
    assert {"points", "policy", "hints"} <= set(found)
    assert not {"rubric", "draw", "formula"} & set(found)
    assert "right minus wrong" in str(found["policy"].get("documentation"))


def test_a_field_is_explained(editor: Editor) -> None:
    uri = editor.open("hover.yaml", ITEM)
    editor.diagnostics(uri)
    told = str(editor.at("hover", uri, 7, 6)["contents"])
    assert "wrong options" in told
