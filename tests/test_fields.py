"""The fields that authors write: one table, from which schemas and the page are made, and the readers of banks agree."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import pytest
from fields_page import document, files_of, kind_of_file, read, validator
from shipped import Golden, part_of
from terminal.process import quizgen

from quizgen import bank as banks
from quizgen.bank.schema import GROUP_NAME_BY_FILE_KIND, all_fields_of_group, field_group_by_name, file_kind_schema
from quizgen.figures import DRAW_AND_SETTING_NAMES_BY_KIND
from quizgen.kinds import KINDS
from quizgen.source.problems import Node


@pytest.fixture(scope="module")
def bank(root: Path) -> Path:
    return root / "docs" / "examples" / "fields"


def test_the_page_is_what_the_schemas_say(bank: Path, golden: Golden) -> None:
    """With an example of every field."""
    golden("fields.md", document(bank), folder="docs")


def test_the_examples_are_a_checked_bank(bank: Path) -> None:
    """Nothing to fix but what the `todo:` in it is there to show."""
    loaded = banks.load_bank(str(bank), parses_everything=True)
    assert not [str(p) for p in loaded.problems]
    told = [str(p) for item in loaded.required_bank.items.values() for p in item.find_problems()]
    assert [t for t in told if "todo: find a third distractor" not in t] == []


def test_readers_and_schemas_know_the_same_fields(bank: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What each reader of a mapping takes is what the group of that name has."""
    seen: dict[str, set[str]] = {}
    real = Node.fields

    def recorded(self: Node, known: Collection[str], what: str) -> dict[str, Node]:
        seen.setdefault(what, set()).update(known)
        return real(self, known, what)

    monkeypatch.setattr(Node, "fields", recorded)
    assert banks.load_bank(str(bank), parses_everything=True).bank is not None
    told = {g.name_in_messages: g for g in field_group_by_name().values() if g.name_in_messages}
    checked = set()
    for what, known in seen.items():
        # "input rate", "the range of rows", "an entry of accept" are named for what stands there.
        group = told.get(what) or next(g for w, g in told.items() if what.startswith(w + " ") and w != "a turn")
        if what == "a misconception":
            expected = [set(all_fields_of_group(field_group_by_name()[name])) for name in ("wrong-way", "wrong-idea")]
            assert known == expected[0] | expected[1]
            checked |= {"wrong-way", "wrong-idea"}
            continue
        own = set(all_fields_of_group(group))
        assert own <= known if group.other_field_type else own == known, (what, own ^ known)
        checked.add(group.name)
    assert {g.name for g in field_group_by_name().values() if g.name_in_messages} == checked


def test_every_kind_has_a_group() -> None:
    def kinds(of: str) -> set[str]:
        return {g.kind for g in field_group_by_name().values() if g.extends == of and g.kind}

    assert kinds("item") == set(KINDS)
    assert kinds("drawn-figure") == set(DRAW_AND_SETTING_NAMES_BY_KIND)
    assert kinds("turn") == {"open", *KINDS}


def shipped(root: Path) -> list[Path]:
    folders = [*(root / "banks").iterdir(), root / "docs/examples/fields", root / "tests/data/sums"]
    return [file for folder in folders for file in files_of(folder)]


def test_every_shipped_file_is_valid(root: Path) -> None:
    """Banks, blueprints, cases, formula files; the ones under templates/new are tried in test_new.py as they are made."""
    kinds = set()
    for path in part_of(shipped(root), 0):
        kinds.add(kind_of_file(path))
        errors = validator(kind_of_file(path)).iter_errors(read(path))
        assert [f"{path.name}: {list(e.absolute_path)}: {e.message[:200]}" for e in errors] == []
    assert kinds == set(GROUP_NAME_BY_FILE_KIND)


def test_a_wrong_value_is_found() -> None:
    """A misspelt field, difficulty, status, share, number, truth."""
    right = {"id": "a", "kind": "choice", "stem": "S", "key": "K", "distractors": ["L"]}
    assert validator("items").is_valid({"items": [right]})
    for name, value in [
        ("diffculty", 3), ("difficulty", 6), ("difficulty", "hard"), ("status", "retried"), ("seconds", "long"), ("kind", "chioce"),
        ("id", "A b"), ("distractors", [{"because": "no text"}]), ("policy", "some"),
    ]:  # fmt: skip
        assert not validator("items").is_valid({"items": [{**right, name: value}]}), name
    assert not validator("blueprint").is_valid({"sections": [{"count": 0}]})
    assert not validator("blueprint").is_valid({"sections": [{}], "pass": "many"})
    assert not validator("blueprint").is_valid({"sections": [{}], "pass": 60}), "60 is no share"


def test_kinds_of_other_packages_are_let_in() -> None:
    import jsonschema

    item = {"id": "a", "kind": "ordering", "steps": ["x"]}
    assert not validator("items").is_valid({"items": [item]})
    open_to = jsonschema.Draft202012Validator(file_kind_schema("items", {"item": ("ordering",)}))
    assert open_to.is_valid({"items": [item]})


def test_the_command_prints_each_schema(root: Path) -> None:
    """`check --schema` is the one of item files; each kind of file has its own."""
    for words, file in (((), "items"), (("blueprint",), "blueprint")):
        assert json.loads(quizgen("check", "--schema", *words, cwd=root).stdout) == file_kind_schema(file)
