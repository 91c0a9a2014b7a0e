"""docs/fields.md, made from the table behind the schemas and from docs/examples/fields, where every field stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import jsonschema
import yaml

from quizgen.bank.schema import GROUP_NAME_BY_FILE_KIND, FieldGroup, JsonSchema, field_group_by_name, file_kind_schema

INTRO = """\
# Every field

Each field of each file that authors write. Made from `templates/fields.toml`, as the JSON Schemas are; every example
is a line of the checked bank in `docs/examples/fields`. `pytest tests/test_fields.py --update-golden` writes this
page anew. In an editor: `quizgen check --schema items` (or `bank`, `formulas`, `blueprint`, `cases`) prints the schema;
see [writing-items.md](writing-items.md).

A text may be a number or a truth value as well, for every value is text until a field reads it. **Bold** fields must be
there.
"""
LONGEST = 90  # characters of an example on one line


def plain_loader() -> type[yaml.CSafeLoader]:
    """YAML as editors read it (the core schema of 1.2): `no` and `12:30` are text, 1e9 is a number."""

    class Loader(yaml.CSafeLoader):
        yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {}

    for tag, pattern, first in (
        ("bool", r"true|false", "tf"),
        ("int", r"[-+]?[0-9]+", "-+0123456789"),
        ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", "-+.0123456789"),
    ):
        Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(rf"^(?:{pattern})$"), list(first))
    Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(node.value))
    Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
    return Loader


@cache
def validator(file: str) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(file_kind_schema(file))


def kind_of_file(path: Path) -> str:
    """Which of the schemas a file of a bank goes by."""
    if path.parent.name in ("blueprints", "cases"):
        return "blueprint" if path.parent.name == "blueprints" else "cases"
    return "bank" if path.name == "bank.yaml" else "formulas" if path.name.startswith("formulas") else "items"


def read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), plain_loader())


def files_of(bank: Path) -> list[Path]:
    """Every YAML file of a bank."""
    return sorted(p for folder in (".", "blueprints", "cases") for p in (bank / folder).glob("*.yaml"))


def walk(node: yaml.Node, schema: JsonSchema, file: str) -> Iterator[tuple[str, yaml.Node, yaml.Node]]:
    """(heading of the group, key, value) of each field in a file, as its schema has them."""
    top = file_kind_schema(file)
    if "$ref" in schema:
        schema = top["$defs"][schema["$ref"].rpartition("/")[2]]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            # What stands in the file and not in an alternative decides between them.
            data = plain_loader()("").construct_document(node)
            fits = [
                s for s in schema[choice] if validator(file).evolve(schema={**s, "$defs": top["$defs"]}).is_valid(data)
            ]
            yield from walk(node, fits[0], file)
            return
    if isinstance(node, yaml.SequenceNode):
        for entry in node.value:
            yield from walk(entry, schema["items"], file)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value in schema.get("properties", {}):
                yield schema["title"], key, value
            yield from walk(value, schema.get("properties", {}).get(key.value) or schema["additionalProperties"], file)


@cache
def examples(bank: Path) -> dict[tuple[str, str], str]:
    """Group and field: its first example in the bank, on one line."""
    found: dict[tuple[str, str], str] = {}
    for path in files_of(bank):
        text, file = path.read_text(encoding="utf-8"), kind_of_file(path)
        for heading, key, value in walk(yaml.compose(text, plain_loader()), file_kind_schema(file), file):
            group = next(g for g in field_group_by_name().values() if g.heading == heading)
            where = owner(group, key.value)
            found.setdefault((where.name, key.value), f"{key.value}: {line(value, text)}")
    return found


def owner(group: FieldGroup, field: str) -> FieldGroup:
    """The group in whose table a field stands."""
    if field in group.fields:
        return group
    borrowed = next((other for other, names in group.borrowed_fields_by_group.items() if field in names), "")
    return owner(field_group_by_name()[borrowed or group.extends], field)


def line(node: yaml.Node, text: str) -> str:
    """A value on one line: as it stands where it does, else shortened."""
    source = text[node.start_mark.index : node.end_mark.index].strip()
    if "\n" not in source and len(source) <= LONGEST:
        return source
    return next((s for depth in (3, 2, 1) if len(s := short(node, text, depth)) <= LONGEST), short(node, text, 0))


def short(node: yaml.Node, text: str, depth: int) -> str:
    if isinstance(node, yaml.ScalarNode):
        source = text[node.start_mark.index : node.end_mark.index].strip()
        return source if "\n" not in source and len(source) <= LONGEST else f"{' '.join(node.value.split())[:60]}…"
    if not depth:
        return "{…}" if isinstance(node, yaml.MappingNode) else "[…]"
    if isinstance(node, yaml.SequenceNode):
        more = ", …" if len(node.value) > 1 else ""
        return f"[{short(node.value[0], text, depth - 1)}{more}]"
    return f"{{{', '.join(f'{k.value}: {short(v, text, depth - 1)}' for k, v in node.value)}}}"


def document(bank: Path) -> str:
    shown = examples(bank)
    lines = [INTRO]
    for group in field_group_by_name().values():
        depth = "##" if group.name in GROUP_NAME_BY_FILE_KIND.values() else "###"
        lines += [f"{depth} {group.heading}", ""]
        if group.about:
            lines += [f"{group.about[0].upper()}{group.about[1:]}.", ""]
        if group.borrowed_fields_by_group:
            names = ", ".join(f"`{n}`" for fields in group.borrowed_fields_by_group.values() for n in fields)
            lines += [f"A turn of kind `{group.kind}` also takes {names}.", ""]
        elif not group.fields:
            lines += [f"A turn of kind `{group.kind}` takes no others.", ""]
        if group.fields:
            lines += ["| field | takes | what it is | example |", "|---|---|---|---|"]
        for name, one in group.fields.items():
            more = [f"{what}: {text}" for what, text in (("unit", one.unit), ("default", one.default)) if text]
            about = "; ".join([one.about, *more])
            bold = f"**`{name}`**" if name in needed(group) else f"`{name}`"
            cells = (bold, takes(one.value_type), about, f"`{shown[group.name, name]}`")
            lines.append(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |")
        lines += [""] if group.fields else []
    return "\n".join(lines).rstrip("\n") + "\n"


def needed(group: FieldGroup) -> tuple[str, ...]:
    return (*group.required_fields, *(needed(field_group_by_name()[group.extends]) if group.extends else ()))


SAID = {
    "texts": "text, or a list of it",
    "phrases": "phrase, or a list of them",
    "values": "list of values",
    "truth": "true or false",
    "share": "share (60% or 0.6)",
}


def takes(text: str) -> str:
    """The words of the table for readers, groups as links."""
    for prefix in ("list of ", "map of "):
        if text.startswith(prefix):
            return prefix + takes(text.removeprefix(prefix))
    first, _, rest = text.partition(" or ")
    if rest:
        return f"{takes(first)} or {takes(rest)}"
    if text.startswith("whole "):
        return text.removeprefix("whole ").replace("..", " to ")
    if text.startswith("one of "):
        return ", ".join(f"`{word}`" for word in text.removeprefix("one of ").split(", "))
    group = field_group_by_name().get(text.replace(" ", "-"))
    if group is None or text in ("text", "number"):
        return SAID.get(text, text)
    anchor = re.sub(r"[^a-z0-9 -]", "", group.heading.lower()).replace(" ", "-")
    return f"[{text}](#{anchor})"
