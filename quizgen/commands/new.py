"""`quizgen new`: a commented template for a bank, an item or a case, or a pattern of the gallery to begin with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from shlex import quote

import click

from quizgen import bank as banks
from quizgen import data_folders
from quizgen.atomic_write import write_atomically
from quizgen.commands.options import notify, option
from quizgen.commands.shared import notify_next_commands
from quizgen.source import yaml
from quizgen.source.problems import Unreadable, did_you_mean, printable

ITEM_ID_PATTERN = re.compile(r"[a-z0-9][a-z0-9-]{0,199}")


@dataclass(frozen=True, slots=True)
class GalleryPattern:
    """A type of task with an example from a shipped bank; `bank_slash_item_id` is BANK/ID, or BANK/CASE for a case."""

    name: str
    kind: str
    bank_slash_item_id: str
    summary: str

    @property
    def comment_line(self) -> str:
        return f"# {self.summary}. From {self.bank_slash_item_id}: write every text anew."


def gallery_patterns() -> tuple[GalleryPattern, ...]:
    """All patterns in the order of the gallery."""
    from yaml import safe_load  # slow

    rows = safe_load(_template_text("patterns"))["patterns"]
    return tuple(GalleryPattern(row["name"], row["kind"], row["item"], row["about"]) for row in rows)


@click.command("new")
@click.argument("kind", type=click.Choice(["bank", "choice", "numeric", "text", "case"]))
@click.argument("path", required=False)
@option("--id item_id", "ID", "The new item's id (default: from the pattern's name).")
@option("--like pattern_name", "PATTERN", "Start from an item that ships; see quizgen list patterns.")
def new_command(kind: str, path: str | None, item_id: str | None, pattern_name: str | None) -> None:
    """Write a commented start that can be checked and played at once.

    `new bank PATH` makes a folder. `new choice|numeric|text PATH` adds an item to a file of items, or
    makes the file; `new case PATH` makes a file in the folder cases/ of the bank PATH. Without a
    PATH the text is printed. Nothing that is there is overwritten.

    Example: quizgen new bank my-bank
    """
    if item_id is not None and not ITEM_ID_PATTERN.fullmatch(item_id):
        raise click.UsageError("--id has at most 200 characters, of a-z, 0-9 and -, and does not begin with -")
    if kind == "bank":
        if pattern_name or item_id:
            raise click.UsageError("--like and --id are for items and cases")
        _write_new_bank(path)
        return
    pattern = _find_named_pattern_of_kind(pattern_name, kind) if pattern_name else None
    if kind == "case":
        _write_new_case(path, item_id or "my-case", pattern)
    else:
        _write_new_item(kind, path, item_id, pattern)


def _find_named_pattern_of_kind(name: str, kind: str) -> GalleryPattern:
    """The pattern with this name. Raises UsageError if the gallery has none, or only one of another kind."""
    patterns = {pattern.name: pattern for pattern in gallery_patterns()}
    if name not in patterns:
        hint = did_you_mean(name, patterns) or "see quizgen list patterns"
        raise click.UsageError(f'no pattern "{printable(name)}"; {hint}')
    pattern = patterns[name]
    if pattern.kind != kind:
        raise click.UsageError(f"{name} is a pattern of kind {pattern.kind}: quizgen new {pattern.kind} --like {name}")
    return pattern


def _write_new_bank(folder: str | None) -> None:
    if folder is None:
        raise click.UsageError("name the folder to make: quizgen new bank my-bank")
    root = Path(folder)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise Unreadable(f"{printable(folder)} is there already; name a new folder")
    items = "".join(_template_text(kind).replace("NAME", f"first-{kind}") for kind in ("choice", "numeric", "text"))
    texts = {"bank.yaml": _template_text("bank"), "first.yaml": f"items:\n{items}"}
    texts["blueprints/round.yaml"] = _template_text("blueprint")
    for file, text in texts.items():
        write_atomically(root / file, text, "choose another folder", creates_folders=True)
    notify(f"{printable(folder)}: three items and a blueprint")
    bank = quote(printable(folder))
    notify_next_commands(f"quizgen check {bank}", f"quizgen preview {bank}", f"quizgen mock {bank}/round")


def _write_new_item(kind: str, path: str | None, item_id: str | None, pattern: GalleryPattern | None) -> None:
    item_id = item_id or (pattern.name if pattern else f"my-{kind}")
    text = _item_yaml_from_pattern(pattern, item_id) if pattern else _template_text(kind).replace("NAME", item_id)
    if path is None or path == "-":
        click.echo(f"items:\n{text}", nl=False)
        return
    place = Path(path)
    try:
        old_text = place.read_text(encoding="utf-8") if place.exists() else ""
    except (OSError, UnicodeDecodeError):
        hint = "name a file in it, such as first.yaml" if place.is_dir() else "name another"
        raise Unreadable(f"{printable(path)} cannot be read as a file of items; {hint}") from None
    if old_text.strip():
        _require_can_append_item(path, old_text, item_id)
        text = (old_text if old_text.endswith("\n") else f"{old_text}\n") + f"\n{text}"
    else:
        text = f"items:\n{text}"
    write_atomically(place, text, "choose another place")
    notify(f"{printable(path)}: item {item_id} added")
    notify(f"next: change its texts, quizgen check {quote(printable(path))}")


def _require_can_append_item(path: str, file_text: str, item_id: str) -> None:
    """Raises an error unless the file ends in its list of items, none of which has this name."""
    top, _ = yaml.read_yaml_with_problems(path)
    fields = top.value if top is not None and isinstance(top.value, dict) else {}
    if [*fields][-1:] != ["items"] or not re.search(r"^  - ", file_text, re.MULTILINE):
        raise Unreadable(f"{printable(path)} does not end in items written as `  - id: …`; name a new file")
    rows = [entry.value for entry in fields["items"].entries("items")]
    if any(isinstance(row, dict) and "id" in row and row["id"].value == item_id for row in rows):
        raise click.UsageError(f"{printable(path)} has an item {item_id} already; name the new one with --id")


def _write_new_case(bank_path: str | None, case_id: str, pattern: GalleryPattern | None) -> None:
    text = _template_text("case").replace("NAME", case_id)
    if pattern is not None:
        bank, _, case = pattern.bank_slash_item_id.rpartition("/")
        text = (data_folders.shipped_folder_path("banks") / bank / "cases" / f"{case}.yaml").read_text(encoding="utf-8")
        text = f"{pattern.comment_line}\n{text.replace(f'id: {case}', f'id: {case_id}', 1)}"
    if bank_path is None or bank_path == "-":
        click.echo(text, nl=False)
        return
    root = Path(bank_path)
    if not root.is_dir():
        raise Unreadable(f"{printable(bank_path)} is not a folder; name a bank's folder")
    place = root / "cases" / f"{case_id}.yaml"
    if place.exists():
        raise Unreadable(f"{printable(str(place))} is there already; name the case with --id")
    write_atomically(place, text, "choose another place", creates_folders=True)
    notify(f"{printable(str(place))}: case {case_id}")
    bank = quote(printable(bank_path))
    notify_next_commands(f"quizgen check {bank}", f"quizgen mock {bank}/{case_id}")


def _item_yaml_from_pattern(pattern: GalleryPattern, item_id: str) -> str:
    """The YAML of a pattern's item, with the id `item_id`."""
    bank, _, item = pattern.bank_slash_item_id.rpartition("/")
    source_item = banks.load_bank(bank).required_bank.items[item]
    location = source_item.location
    first, *other_lines = Path(location.path).read_text(encoding="utf-8").split("\n")[location.line - 1 :]
    text = "\n".join([first, *takewhile(lambda row: not row.strip() or row.startswith("    "), other_lines)]).rstrip()
    entry = re.sub(rf"(\bid: ){re.escape(item)}\b", rf"\g<1>{item_id}", text, count=1)
    if not re.search(r"^    topic:", entry, re.MULTILINE):  # the source file may set the topic for all of its items
        entry = re.sub(r"^    kind: .*$", rf"\g<0>\n    topic: {source_item.topic}", entry, count=1, flags=re.MULTILINE)
    # Follow-ups name items of the source bank.
    entry = re.sub(r"^    follow_ups:.*\n(?:      - .*\n)*", "", f"{entry}\n", flags=re.MULTILINE)
    return f"  {pattern.comment_line}\n{entry}"


def _template_text(template_name: str) -> str:
    return (data_folders.shipped_folder_path("templates") / "new" / f"{template_name}.yaml").read_text(encoding="utf-8")
