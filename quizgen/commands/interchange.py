"""`quizgen export` and `quizgen import`: items to other programs, and from them."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from quizgen import bank as banks
from quizgen.assemble import any_items_blueprint, may_draw_unnamed
from quizgen.atomic_write import write_atomically
from quizgen.bank.reader import LoadedBank
from quizgen.commands import shared
from quizgen.commands.options import flag_option, int_option, notify, option, refuse_devices_and_pipes
from quizgen.commands.shared import NO_ACTIVE_ITEM_MESSAGE, ProgressLine, count_with_noun
from quizgen.interchange import export as item_export
from quizgen.interchange import import_drafts, item_rows, registry
from quizgen.interchange.contract import CannotRead, ExportContext, ImportResult, load_interchange_toml
from quizgen.model import Bank, Item, response_text
from quizgen.scoring.log_lines import epoch_seconds
from quizgen.scoring.scorer import Scorer
from quizgen.session import session_log
from quizgen.source.problems import Unreadable, printable, shorten
from quizgen.terminal import history

MAX_LISTED_LOSSES = 20  # losses printed; the file beside the export lists all of them


@click.command("export")
@click.argument("bank", metavar="BANK or BLUEPRINT")
@option("--to format_name", "FORMAT", f"One of {', '.join(registry.EXPORTER_LOCATION_BY_FORMAT)}.", required=True)
@option("-o --output", "FILE", "Where to write; - for standard output.", required=True)
@int_option("--variants", 1, 100, "Variants of each item with drawn values.", default=1)
@option("--missed logs", "LOG", "Only what this log's candidate missed.", multiple=True)
@option("--moment", "TIME", "The time to write into the file (default: SOURCE_DATE_EPOCH, or now).")
@flag_option("--strict", "Exit with code 1 if anything is lost.")
def export_command(
    bank: str, format_name: str, output: str, variants: int, logs: tuple[str, ...], moment: str | None, strict: bool
) -> int:
    """Write items for Anki, Moodle, Canvas, a spreadsheet or paper. The file holds the keys.

    What a format cannot hold is reported item by item, here and in FILE.losses.txt. The same moment gives
    the same bytes; Anki takes an update only where it is newer.

    Example: quizgen export git --to anki -o git.apkg
    """
    exporter = registry.load_exporter(format_name)
    loaded_bank = shared.load_usable_bank(bank)
    source = loaded_bank.required_bank
    shared.refuse_overwriting_inputs(output, {*logs, *(item.location.path for item in source.items.values())})
    mistakes_by_item = _last_mistake_and_remarks_by_item(logs, source) if logs else {}
    items = [item for item in _items_to_export(loaded_bank) if not logs or item.id in mistakes_by_item]
    if not items:
        raise Unreadable("no session of these logs missed an item of this bank" if logs else NO_ACTIVE_ITEM_MESSAGE)
    stamp = _parse_unix_time_or_now(moment or os.environ.get("SOURCE_DATE_EPOCH", ""))
    name = Path(source.name).name if source.folder else source.name
    context = ExportContext(name, source.title, source.version, source.license, stamp, source.folder, mistakes_by_item)
    file = item_export.export_items(items, exporter, context, variants)
    _write_export_figures_and_losses(output, file)
    if loaded_bank.named_blueprint is None and len(source.case_by_id):
        notify(f"{count_with_noun(len(source.case_by_id), 'case')} of the bank left out: no format can hold cases")
    losses = f"{count_with_noun(len(file.loss_messages), 'line')} on what is not carried"
    note = losses if file.loss_messages else "nothing lost"
    notify(f"{count_with_noun(file.variant_count, 'item')} to {printable(output)}, {note}; the file contains the keys")
    return 1 if file.loss_messages and strict else 0


def _write_export_figures_and_losses(output: str, export: item_export.ExportedFile) -> None:
    """Writes the export, its figures and its list of losses, and prints the first of them. Raises Unreadable if a
    figure's name is that of another file."""
    losses = export.loss_messages
    if output == "-":
        if export.figure_bytes_by_path:
            names = ", ".join(map(printable, export.figure_bytes_by_path))
            notify(f"the text names figures, which are only written with -o FILE: {names}")
        notify(*losses)
        sys.stdout.buffer.write(export.file_bytes)
        return
    figures = {Path(output).parent / path: data for path, data in export.figure_bytes_by_path.items()}
    for path, data in figures.items():
        if path.exists() and not (path.is_file() and path.read_bytes() == data):
            raise Unreadable(f"{printable(str(path))} is not the bank's figure; export to an empty folder")
    notify(*losses[:MAX_LISTED_LOSSES])
    for path, data in figures.items():
        write_atomically(path, data, "choose another place", creates_folders=True)
    write_atomically(output, export.file_bytes, "choose another place")
    if losses:
        write_atomically(f"{output}.losses.txt", "".join(f"{line}\n" for line in losses))
    if len(losses) > MAX_LISTED_LOSSES:
        notify(f"… and {len(losses) - MAX_LISTED_LOSSES} more: {printable(output)}.losses.txt")


def _items_to_export(loaded_bank: LoadedBank) -> list[Item]:
    """All active items; for a blueprint, only those that its sections allow."""
    sections = (loaded_bank.named_blueprint or any_items_blueprint()).sections
    active = (item for item in loaded_bank.required_bank.items.values() if item.status == "active")
    return [item for item in active if any(item.id in s.required_ids or may_draw_unnamed(item, s) for s in sections)]


def _parse_unix_time_or_now(text: str) -> int:
    """Unix time in seconds, from a number or a date with a time; now if `text` is empty."""
    try:
        is_number = text.isdecimal() and len(text) < 12  # formats have room for times until the year 5138
        return int(text) if is_number else int(epoch_seconds(text) if text else time.time())
    except (ValueError, OverflowError):
        excerpt = printable(shorten(text))
        raise click.UsageError(f'"{excerpt}" is not a time; write 2026-11-22T09:00 or seconds since 1970') from None


def _last_mistake_and_remarks_by_item(logs: Iterable[str], bank: Bank) -> Mapping[str, tuple[str, ...]]:
    """Item id -> the latest response that did not earn full points, and the feedback on it."""
    scorer = Scorer(bank.items)
    mistakes_by_item: dict[str, tuple[str, ...]] = {}
    for session in history.answered_sessions_of_logs([Path(name) for name in logs], notify):
        for name, line in session.last_response_record_by_item_id.items():
            variant = scorer.variant_of_line(bank.items.get(name), line)
            if variant is None:
                continue
            response = session_log.parse_logged_response(line.get("response"))
            score = variant.score(response)
            mistakes_by_item.pop(name, None)
            if score.earned < score.possible:
                text = shorten(" ".join(response_text(response).split()), 400) or "(nothing)"
                values = ", ".join(f"{k} = {v}" for k, v in variant.drawn_log_values().items())
                drawing = f" (for {values})" if values else ""
                day = str(line.get("at", ""))[:10]
                mistakes_by_item[name] = (f"{day} you answered{drawing}: {text}".strip(), *score.remarks)
    return mistakes_by_item


LOG_TIME_FORMAT = "%Y-%m-%dT%H:%M:%SZ"
MAX_IMPORT_BYTES = 256 << 20
MAX_PICTURE_BYTES = 16 << 20


@click.command("import")
@click.argument("file", required=False, callback=refuse_devices_and_pipes)
@option("--from format_name", "FORMAT", f"One of {', '.join(registry.IMPORTER_LOCATION_BY_FORMAT)} (default: guessed).")
@option("-o --output", "BANK", "The bank's folder; it is made if needed.")
@option("--columns", "NAMES", "The columns of a sheet without headers, such as front,back.")
@flag_option("--active", "Make items active, not drafts, if they can be scored.")
@flag_option("--list list_only", "List the formats and what each contains.")
def import_command(
    file: str | None, format_name: str | None, output: str | None, columns: str | None, active: bool, list_only: bool
) -> int:
    """Import items from Anki, Moodle, Canvas, spreadsheets and text files, as drafts with a list of what is left to do.

    Each line that was not understood is named (exit code 1). Importing the same file again updates the items that you
    have not edited and leaves the rest. Your own ratings in the file become a log.

    Example: quizgen import deck.apkg -o my-deck
    """
    if list_only:
        for name, row in load_interchange_toml("formats").items():
            click.echo(f"{name:<12} {'in' if 'in' in row else '':<3} {'out' if 'out' in row else '':<4} {row['what']}")
        return 0
    if file is None or output is None:
        raise click.UsageError("name a file and a bank: quizgen import deck.txt -o my-deck; --list shows the formats")
    source, folder = Path(file), Path(output)
    if source.is_file() and source.stat().st_size > MAX_IMPORT_BYTES:
        raise Unreadable(f"{printable(file)}: larger than {MAX_IMPORT_BYTES >> 20} MiB; split it")
    data = shared.read_file_bytes(source)
    name = import_drafts.id_from_text(source.stem)
    target, notes = folder / f"{name}.yaml", folder / f".{name}.import.json"
    try:
        result, pictures = import_drafts.import_result_and_picture_by_path(
            _read_import(source, data, format_name, columns), lambda path: _read_picture_in_folder(source.parent, path)
        )
        ledger = import_drafts.LastImportRecord.from_json(_read_text_or_empty(notes))
        progress, total, old_text = ProgressLine(0, sys.stderr, True), len(result.items), _read_text_or_empty(target)
        merge = import_drafts.merge_import_into_file_and_record(
            result, old_text, ledger, _item_ids_in_other_files(folder, target), active,
            lambda done: progress.show_stage_progress("items", done, total),
        )  # fmt: skip
    except CannotRead as error:
        raise Unreadable(f"{printable(file)}: {printable(str(error))}") from None
    for path, picture in pictures.items():
        write_atomically(folder / path, picture, "choose another place", creates_folders=True)
    _write_text_creating_folders(target, merge.file_text)
    _write_text_creating_folders(notes, ledger.to_json())
    _write_imported_title_and_blueprint(folder, source, result, merge)
    if result.self_ratings:
        _write_ratings_log(folder, source, data, result, merge.imported_ids)
    return 1 if _print_import_report_and_find_unusable_ids(file, result, merge, target) or result.unread_lines else 0


def _read_import(source: Path, data: bytes, format_name: str | None, column_names: str | None) -> ImportResult:
    """The items of a file in the format `format_name` (None: guessed). `column_names` names the columns of a sheet.
    Raises CannotRead if there are no items."""
    suffix = source.suffix.lower()
    if format_name is None and column_names is not None:
        format_name = "xlsx" if suffix == ".xlsx" else "csv"
    if format_name is None:
        format_name = import_drafts.guess_format_name_or_raise(data, suffix)
        notify(f"{printable(str(source))} looks like {format_name}; if it is not, give the format with --from")
    importer = registry.load_importer(format_name)
    if column_names is None:
        read = importer.read(data)
    elif format_name in _ITEM_TABLE_READER_BY_FORMAT:
        read = _ITEM_TABLE_READER_BY_FORMAT[format_name](data, tuple(name.strip() for name in column_names.split(",")))
    else:
        raise click.UsageError("--columns names the columns of a sheet: csv or xlsx")
    if not read.items:
        kinds = import_drafts.count_unsupported_kinds_as_text(read.unread_lines)
        line, text = min(read.unread_lines, key=lambda one: one[0] > 0, default=(0, ""))
        reason = f"in it: {kinds}" if kinds else f'line {line} is not understood: "{shorten(text)}"' if line else text
        raise CannotRead(f"it has no item that can be read as {format_name}" + (f"; {reason}" if reason else ""))
    return read


_ITEM_TABLE_READER_BY_FORMAT = {"csv": item_rows.import_csv, "xlsx": item_rows.import_xlsx}


def _write_imported_title_and_blueprint(
    folder: Path, source: Path, result: ImportResult, merge: import_drafts.MergedItemFile
) -> None:
    """Writes the bank's title, and a blueprint with all imported items and the bands of a scoring guide (shares are
    rounded down), unless the bank has them."""
    plan, bank_file = folder / "blueprints" / f"{import_drafts.id_from_text(source.stem)}.yaml", folder / "bank.yaml"
    if result.title and not bank_file.exists():
        _write_text_creating_folders(bank_file, f"title: {json.dumps(result.title, ensure_ascii=False)}\n")
    if not result.score_bands or plan.exists():
        return
    ids, title = merge.imported_ids, json.dumps(result.title or source.stem, ensure_ascii=False)
    rows = ""
    for band in result.score_bands:
        advice = f", advice: {json.dumps(band.advice, ensure_ascii=False)}" if band.advice else ""
        name = json.dumps(band.name, ensure_ascii=False)
        rows += f"  - {{from: {int(band.min_share * 10_000) / 100:g}%, name: {name}{advice}}}\n"
    section = f"  - {{count: {len(ids)}, include: [{', '.join(ids)}]}}\n"
    _write_text_creating_folders(plan, f"title: {title}\nsections:\n{section}bands:\n{rows}")


def _read_picture_in_folder(folder: Path, path: str) -> bytes | None:
    """The bytes of a picture inside a folder; None if there is no such file."""
    file = folder / path
    try:
        is_inside = file.resolve().is_relative_to(folder.resolve()) and file.is_file()
        return file.read_bytes() if is_inside and file.stat().st_size <= MAX_PICTURE_BYTES else None
    except (OSError, ValueError):
        return None


def _print_import_report_and_find_unusable_ids(
    file: str, result: ImportResult, merge: import_drafts.MergedItemFile, target: Path
) -> list[str]:
    """Prints what was read and the next commands (no `mock` if no item can be scored). Returns the ids of items that
    cannot be used yet."""
    for first, last, words in import_drafts.unread_runs_as_first_last_and_text(result.unread_lines):
        place = f"{file}:{first}" if first == last else f"{file}:{first}-{last}"
        notify(f'{place if first else file}: not understood: "{shorten(words)}"')
    notify(*result.messages)
    notify(*(f"{name}: changed in the source; your edited item stays" for name in merge.ids_changed_on_both_sides))
    notify(*(f"{name}: no longer in the source; your item stays" for name in merge.ids_gone_from_source))
    counts = (f"{merge.added_count} new", f"{merge.updated_count} updated", f"{merge.needs_work_count} uncertain")
    parts = [count_with_noun(len(result.items), "item"), *counts]
    parts += [f"{count_with_noun(len(result.unread_lines), 'line')} not understood"] if result.unread_lines else []
    notify(f"{', '.join(parts)}: {printable(str(target))}")
    bank, loaded_bank = shlex.quote(printable(str(target.parent))), banks.load_bank(str(target))
    scorable = loaded_bank.bank is not None and any(item.has_scoring_fields for item in loaded_bank.bank.items.values())
    commands = ("check", "practice", *["mock"] * scorable)
    shared.notify_next_commands(*(f"quizgen {command} {bank}" for command in commands))
    unusable_ids = [name for name in loaded_bank.without_faulty_items_and_their_ids()[1] if name in merge.imported_ids]
    if unusable_ids:
        names = ", ".join(unusable_ids[:MAX_LISTED_LOSSES])
        notify(f"{count_with_noun(len(unusable_ids), 'item')} cannot be used yet: {names}; see quizgen check")
    return unusable_ids


def _read_text_or_empty(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{printable(str(path))} cannot be read ({error}); fix it first") from None


def _write_text_creating_folders(path: Path, text: str) -> None:
    write_atomically(path, text, "choose another place", creates_folders=True)


def _item_ids_in_other_files(folder: Path, target: Path) -> Sequence[str]:
    """The ids in the bank's other files, so that an item that its author moved is not imported twice."""
    if not any(path != target for path in folder.glob("*.yaml") if path.name != "bank.yaml"):
        return ()
    bank = banks.load_bank(str(folder)).bank
    return [item.id for item in bank.items.values() if Path(item.location.path).name != target.name] if bank else ()


def _write_ratings_log(
    folder: Path, source_file: Path, data: bytes, result: ImportResult, item_ids: Sequence[str]
) -> None:
    """Writes self-ratings as a session without responses: `quizgen progress` shows them, but not as scores."""
    stamps = [rating.unix_time for rating in result.self_ratings if rating.unix_time is not None]
    base = {"v": 1, "session": f"import-{hashlib.sha256(data).hexdigest()[:12]}", "candidate": "import"}
    start = datetime.fromtimestamp(min(stamps, default=int(source_file.stat().st_mtime)), UTC).strftime(LOG_TIME_FORMAT)
    head = {"bank": str(folder), "seed": "import", "started": start, "untimed": True, "mode": "rating"}
    items = list(dict.fromkeys(item_ids[rating.item_index] for rating in result.self_ratings))
    lines: list[dict[str, object]] = [{**base, "type": "session", **head, "items": items}]
    for rating in result.self_ratings:
        moment = rating.unix_time
        stamp = start if moment is None else datetime.fromtimestamp(moment, UTC).strftime(LOG_TIME_FORMAT)
        fields = {"item": item_ids[rating.item_index], "response": "", "confidence": rating.confidence, "at": stamp}
        lines.append({**base, "type": "rating", **fields})
    lines.append({**base, "type": "end", "at": start, "reason": "finished"})
    path = folder / f"{import_drafts.id_from_text(source_file.stem)}.ratings.jsonl"
    _write_text_creating_folders(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    place = printable(str(path))
    notify(f"{count_with_noun(len(result.self_ratings), 'rating')}: {place}; quizgen progress --log {place}")
