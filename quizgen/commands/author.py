"""`quizgen new` and `quizgen preview`: a commented template for a bank or an item, and a page that follows changes to
the files."""

from __future__ import annotations

import re
from contextlib import nullcontext
from itertools import takewhile
from pathlib import Path

import click

from quizgen import bank as banks
from quizgen import data_folders
from quizgen.atomic_write import write_atomically
from quizgen.commands.options import flag_option, int_option, notify, option
from quizgen.commands.shared import count_with_noun, notify_next_commands, read_file_bytes
from quizgen.gallery import GalleryPattern, gallery_patterns
from quizgen.local_server import open_in_browser
from quizgen.preview import PreviewServer, WatchedBank
from quizgen.session.session_log import read_log_records
from quizgen.source import yaml
from quizgen.source.problems import Unreadable, did_you_mean, printable

CREATABLE_KINDS = ("bank", "choice", "numeric", "text", "case")
ITEM_ID_PATTERN = re.compile(r"[a-z0-9][a-z0-9-]*")


@click.command("new")
@click.argument("kind", type=click.Choice(CREATABLE_KINDS))
@click.argument("path", required=False)
@option("--id item_id", "ID", "The new item's id (default: from the pattern's name).")
@option("--like pattern_name", "PATTERN", "Start from an item that ships; see quizgen list patterns.")
def new_command(kind: str, path: str | None, item_id: str | None, pattern_name: str | None) -> int:
    """Write a commented start that can be checked and played at once.

    `new bank PATH` makes a folder. `new choice|numeric|text PATH` adds an item to a file of items, or
    makes the file; `new case PATH` makes a file in the folder cases/ of the bank PATH. Without a
    PATH the text is printed. Nothing that is there is overwritten.

    Example: quizgen new bank my-bank
    """
    if item_id is not None and not ITEM_ID_PATTERN.fullmatch(item_id):
        raise click.UsageError("--id may hold only a-z, 0-9 and -")
    if kind == "bank":
        if pattern_name or item_id:
            raise click.UsageError("--like and --id are for items and cases")
        return _write_new_bank(path)
    patterns = {pattern.name: pattern for pattern in gallery_patterns()} if pattern_name else {}
    pattern = patterns.get(pattern_name or "")
    if pattern_name and pattern is None:
        hint = did_you_mean(pattern_name, patterns) or "see quizgen list patterns"
        raise click.UsageError(f'no pattern "{printable(pattern_name)}"; {hint}')
    if pattern is not None and pattern.kind != kind:
        right = f"quizgen new {pattern.kind} --like {pattern_name}"
        raise click.UsageError(f"{pattern_name} is a pattern of kind {pattern.kind}: {right}")
    if kind == "case":
        return _write_new_case(path, item_id or "my-case", pattern)
    return _write_new_item(kind, path, item_id, pattern)


def _write_new_bank(folder: str | None) -> int:
    if folder is None:
        raise click.UsageError("name the folder to make: quizgen new bank my-bank")
    root = Path(folder)
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise Unreadable(f"{printable(folder)} is there already; name a new folder")
    items = "".join(_new_template_text(kind).replace("NAME", f"first-{kind}") for kind in ("choice", "numeric", "text"))
    texts = {"bank.yaml": _new_template_text("bank"), "first.yaml": f"items:\n{items}"}
    texts["blueprints/round.yaml"] = _new_template_text("blueprint")
    for file, text in texts.items():
        write_atomically(root / file, text, "choose another folder", creates_folders=True)
    notify(f"{printable(folder)}: three items and a blueprint")
    bank = printable(folder)
    notify_next_commands(f"quizgen check {bank}", f"quizgen preview {bank}", f"quizgen mock {bank}/round")
    return 0


def _write_new_item(kind: str, path: str | None, item_id: str | None, pattern: GalleryPattern | None) -> int:
    item_id = item_id or (pattern.name if pattern else f"my-{kind}")
    text = _item_yaml_from_pattern(pattern, item_id) if pattern else _new_template_text(kind).replace("NAME", item_id)
    if path is None or path == "-":
        click.echo(f"items:\n{text}", nl=False)
        return 0
    place = Path(path)
    try:
        before = place.read_text(encoding="utf-8") if place.exists() else ""
    except (OSError, UnicodeDecodeError):
        raise Unreadable(f"{printable(path)} cannot be read as a file of items; name another") from None
    if before.strip():
        _require_can_append_item(path, before, item_id)
        text = (before if before.endswith("\n") else f"{before}\n") + f"\n{text}"
    else:
        text = f"items:\n{text}"
    write_atomically(place, text, "choose another place")
    notify(f"{printable(path)}: item {item_id} added")
    notify(f"next: change its texts, quizgen check {printable(path)}")
    return 0


def _require_can_append_item(path: str, file_text: str, item_id: str) -> None:
    """Raises an error unless the file ends in its list of items, none of which has this name."""
    top, _, _ = yaml.load_yaml(path, path)
    fields = top.value if top is not None and isinstance(top.value, dict) else {}
    if [*fields][-1:] != ["items"] or not re.search(r"^  - ", file_text, re.MULTILINE):
        raise Unreadable(f"{printable(path)} does not end in items written as `  - id: …`; name a new file")
    rows = [entry.value for entry in fields["items"].entries("items")]
    if any(isinstance(row, dict) and "id" in row and row["id"].value == item_id for row in rows):
        raise click.UsageError(f"{printable(path)} has an item {item_id} already; name the new one with --id")


def _write_new_case(bank_path: str | None, case_id: str, pattern: GalleryPattern | None) -> int:
    text = _new_template_text("case").replace("NAME", case_id)
    if pattern is not None:
        bank, _, case = pattern.item.rpartition("/")
        text = (data_folders.shipped_folder_path("banks") / bank / "cases" / f"{case}.yaml").read_text(encoding="utf-8")
        text = f"{_pattern_comment_line(pattern)}\n{text.replace(f'id: {case}', f'id: {case_id}', 1)}"
    if bank_path is None or bank_path == "-":
        click.echo(text, nl=False)
        return 0
    root = Path(bank_path)
    if not root.is_dir():
        raise Unreadable(f"{printable(bank_path)} is not a folder; name a bank's folder")
    place = root / "cases" / f"{case_id}.yaml"
    if place.exists():
        raise Unreadable(f"{printable(str(place))} is there already; name the case with --id")
    write_atomically(place, text, "choose another place", creates_folders=True)
    notify(f"{printable(str(place))}: case {case_id}")
    notify_next_commands(f"quizgen check {printable(bank_path)}", f"quizgen mock {printable(bank_path)}/{case_id}")
    return 0


def _item_yaml_from_pattern(pattern: GalleryPattern, item_id: str) -> str:
    """The YAML of a pattern's item, with the id `item_id`."""
    bank, _, item = pattern.item.rpartition("/")
    shown = banks.load_bank(bank).required_bank.items[item]
    where = shown.where
    first, *rest = Path(where.path).read_text(encoding="utf-8").split("\n")[where.line - 1 :]
    text = "\n".join([first, *takewhile(lambda row: not row.strip() or row.startswith("    "), rest)]).rstrip()
    made = re.sub(rf"(\bid: ){re.escape(item)}\b", rf"\g<1>{item_id}", text, count=1)
    if not re.search(r"^    topic:", made, re.MULTILINE):  # the source file may set the topic for all of its items
        made = re.sub(r"^    kind: .*$", rf"\g<0>\n    topic: {shown.topic}", made, count=1, flags=re.MULTILINE)
    # Follow-ups name items of the source bank.
    made = re.sub(r"^    follow_ups:.*\n(?:      - .*\n)*", "", f"{made}\n", flags=re.MULTILINE)
    return f"  {_pattern_comment_line(pattern)}\n{made}"


def _pattern_comment_line(pattern: GalleryPattern) -> str:
    return f"# {pattern.about}. From {pattern.item}: write every text anew."


def _new_template_text(template_name: str) -> str:
    return (data_folders.shipped_folder_path("templates") / "new" / f"{template_name}.yaml").read_text(encoding="utf-8")


@click.command("preview")
@click.argument("bank", metavar="BANK")
@flag_option("--no-open", "Do not open a browser; the address is printed.")
@int_option("--port", 0, 65535, "The port (default: a free one).", default=0)
@option("--answers", "FILE", "Answers to try beside each item's own: JSON Lines with item and answer (or response).")
def preview_command(bank: str, no_open: bool, port: int, answers: str | None) -> int:
    """See a bank as its files change: stem, options, key, every drawing, derivation, problems.

    A text item shows the answers beside it, and those of --answers, as a table of marks that is worked out anew with
    every change of a file.

    The page is on this machine alone, under an address that nobody can guess; it is printed. Any
    answer can be tried with its marks and evidence. Nothing is written. Ctrl-C ends it.

    Example: quizgen preview my-bank
    """
    watched = WatchedBank(bank)
    try:
        server = PreviewServer(watched, port, _read_answer_texts_by_item(answers) if answers else None)
    except OSError as error:
        raise Unreadable(f"port {port} cannot be used ({error.strerror}); leave --port out") from None
    click.echo(server.address)
    notify("Ctrl-C ends the preview.")
    try:
        with nullcontext() if no_open else open_in_browser(server.address):
            server.serve_forever(poll_interval=0.2)
    except KeyboardInterrupt:
        notify("")
    finally:
        server.server_close()
    return 0


def _read_answer_texts_by_item(path: str) -> dict[str, tuple[str, ...]]:
    """The texts in a file of answers, by item. Lines without an answer are counted and reported."""
    texts: dict[str, tuple[str, ...]] = {}
    bad = 0
    for _, row in read_log_records(read_file_bytes(path)):
        text = row.get("answer", row.get("response")) if row is not None else None
        if row is not None and isinstance(text, str) and text.strip():
            item = str(row.get("item", ""))
            texts[item] = (*texts.get(item, ()), text)
        else:
            bad += 1
    if bad:
        notify(f"{printable(path)}: {count_with_noun(bad, 'line')} without item and answer left out")
    return texts
