"""`quizgen import`: items of other programs and of text files as drafts of a bank."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from quizgen import bank as banks
from quizgen.commands.options import flag, value
from quizgen.commands.shared import bytes_of, count, tell
from quizgen.interchange import bring, registry
from quizgen.interchange.contract import CannotRead, Read
from quizgen.interchange.lines import ranges
from quizgen.model import Band
from quizgen.refusals import Unreadable
from quizgen.render.filling import next_lines
from quizgen.replacing import write_whole
from quizgen.source import printable, shorten

MAX_BYTES = 256 << 20


@click.command("import")
@click.argument("file")
@value("--from form", "FORMAT", f"One of {', '.join(registry.IMPORTERS)} (default: guessed).")
@value("-o --output", "BANK", "The bank's folder; made where it is not there.", required=True)
@flag("--active", "Items that can be scored are no drafts.")
def command(file: str, form: str | None, output: str, active: bool) -> int:
    """Take in items of Anki, Moodle, Canvas, spreadsheets and text files, as drafts with what is left to do.

    Every line that was not understood is named (exit code 1). A second import of the same file updates
    what its author left as it was, and nothing else. Ratings of one's own become a log.

    Example: quizgen import deck.apkg -o my-deck
    """
    source = Path(file)
    data = _bytes(source)
    folder = Path(output)
    if folder.exists() and not folder.is_dir():
        raise click.UsageError(f"{printable(output)} is a file; a bank to import into is a folder")
    try:
        if form is None:
            form = bring.guess(data, source.suffix.lower())
            tell(f"{printable(file)} looks like {form}; name another with --from")
        read = registry.importer(form).read(data)
        if not read.items:
            raise CannotRead(f"it holds no item that can be read as {form}")
        name = bring.slug(source.stem)
        target, notes = folder / f"{name}.yaml", folder / f".{name}.import.json"
        ledger = bring.Ledger.of(_text(notes))
        before = _text(target)
        merged = bring.merge(read, before, ledger, _others(folder, target), active)
    except CannotRead as error:
        raise Unreadable(f"{printable(file)}: {printable(str(error))}") from None
    _write(target, merged.text)
    _write(notes, ledger.text())
    if read.title and not (folder / "bank.yaml").exists():
        _write(folder / "bank.yaml", f"title: {json.dumps(read.title, ensure_ascii=False)}\n")
    if read.bands and not (folder / "blueprints" / f"{name}.yaml").exists():
        _write(folder / "blueprints" / f"{name}.yaml", _blueprint(read.title or source.stem, read.bands, merged.ids))
    if read.ratings:
        _write_log(folder, source, data, read, merged.ids)
    _tell(file, read, merged, target)
    return 1 if read.unread else 0


def _tell(file: str, read: Read, merged: bring.Merged, target: Path) -> None:
    for first, last, words in ranges(read.unread):
        place = f"{file}:{first}" if first == last else f"{file}:{first}-{last}"
        tell(f'{place if first else file}: not understood: "{shorten(words)}"')
    for note in read.notes:
        tell(note)
    for name in merged.kept:
        tell(f"{name}: changed in the source; yours is edited and stays")
    for name in merged.gone:
        tell(f"{name}: no longer in the source; yours stays")
    counts = (f"{merged.added} new", f"{merged.updated} updated", f"{merged.uncertain} uncertain")
    parts = [count(len(read.items), "item"), *counts]
    parts += [f"{count(len(read.unread), 'line')} not understood"] if read.unread else []
    tell(f"{', '.join(parts)}: {printable(str(target))}")
    bank = printable(str(target.parent))
    for line in next_lines([f"quizgen check {bank}", f"quizgen mock {bank}"]):
        tell(line)


def _bytes(path: Path) -> bytes:
    if path.is_file() and path.stat().st_size > MAX_BYTES:
        raise Unreadable(f"{printable(str(path))}: larger than {MAX_BYTES >> 20} MiB; split it")
    if path.exists() and not path.is_file():
        raise Unreadable(f"{printable(str(path))}: not a plain file")
    return bytes_of(path)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8") if path.is_file() else ""
    except (OSError, UnicodeDecodeError) as error:
        raise Unreadable(f"{printable(str(path))} cannot be read ({error}); mend it first") from None


def _write(path: Path, text: str) -> None:
    write_whole(path, text, "choose another place", folders=True)


def _others(folder: Path, target: Path) -> Sequence[str]:
    """Ids that other files of the bank hold: an item that its author moved is not imported twice."""
    if not any(path != target for path in folder.glob("*.yaml") if path.name != "bank.yaml"):
        return ()
    loaded = banks.load(str(folder)).bank
    items = loaded.items.values() if loaded else ()
    return [item.id for item in items if Path(item.where.path).name != target.name]


def _blueprint(title: str, bands: Sequence[Band], ids: Sequence[str]) -> str:
    """A plan of all items that were read, with the guide's bands; shares are rounded down."""
    rows = []
    for band in bands:
        advice = f", advice: {json.dumps(band.advice, ensure_ascii=False)}" if band.advice else ""
        share = f"{int(band.start * 10_000) / 100:g}%"
        rows.append(f"  - {{from: {share}, name: {json.dumps(band.name, ensure_ascii=False)}{advice}}}\n")
    section = f"  - {{count: {len(ids)}, include: [{', '.join(ids)}]}}\n"
    return f"title: {json.dumps(title, ensure_ascii=False)}\nsections:\n{section}bands:\n{''.join(rows)}"


def _write_log(folder: Path, source: Path, data: bytes, read: Read, ids: Sequence[str]) -> None:
    """Ratings as a session of no responses: `quizgen progress` shows them and counts none as a score."""
    session = "import-" + hashlib.sha256(data).hexdigest()[:12]
    stamps = [rating.at for rating in read.ratings if rating.at is not None]
    begun = datetime.fromtimestamp(min(stamps, default=int(source.stat().st_mtime)), UTC)
    shared = {"v": 1, "session": session, "candidate": "import"}
    head = {"items": list(dict.fromkeys(ids[r.index] for r in read.ratings)), "untimed": True, "mode": "rating"}
    lines = [{**shared, "type": "session", "bank": str(folder), "seed": "import", "started": _stamp(begun), **head}]
    for rating in read.ratings:
        at = begun if rating.at is None else datetime.fromtimestamp(rating.at, UTC)
        rated = {"item": ids[rating.index], "response": "", "confidence": rating.level, "at": _stamp(at)}
        lines.append({**shared, "type": "rating", **rated})
    lines.append({**shared, "type": "end", "at": _stamp(begun), "reason": "finished"})
    path = folder / f"{bring.slug(source.stem)}.ratings.jsonl"
    _write(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    tell(f"{count(len(read.ratings), 'rating')}: {printable(str(path))}; quizgen progress --log {printable(str(path))}")


def _stamp(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
