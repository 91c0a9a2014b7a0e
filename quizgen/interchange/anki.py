"""Anki packages, and Anki's text format: an item becomes a note; a note becomes one item or (a cloze note) several."""

from __future__ import annotations

import csv
import hashlib
import html
import io
import json
import re
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from itertools import count, groupby
from operator import itemgetter
from typing import Any, BinaryIO

from quizgen.answer_areas import LETTERS
from quizgen.interchange import contract, files, html_text
from quizgen.interchange.contract import CannotRead, ExportContext, ImportedItem, ImportResult, SelfRating
from quizgen.interchange.html_text import html_to_markdown
from quizgen.interchange.import_drafts import imported_item, parse_portable_number, tags_of_exported_item
from quizgen.interchange.item_rows import header_meaning_or_empty, imported_item_of_cells
from quizgen.portable_item import ChoiceOption, PortableItem, PortableNumber, decimal
from quizgen.render.html import jinja_environment
from quizgen.source.problems import read_decimal

# Never change these: with another field, notes that were imported before would no longer be updated.
NOTE_FIELD_NAMES = ("Front", "Options", "Back", "Why", "Hints", "Source", "Id", "Spare1", "Spare2", "Spare3")
# No possessive group: up to 3.11.2 Python finds no match of one inside another bracket.
_INNERMOST_CLOZE_PATTERN = re.compile(r"\{\{c(\d{1,3})::((?:[^{}]++|\{(?!\{c\d{1,3}::)|\}(?!\}))*)\}\}")
# No match runs past the next opening mark, so an unclosed mark is examined only once.
_SOUND_TAG_PATTERN = re.compile(r"\[(?:sound|anki):[^\[\]]*\]", re.IGNORECASE)
_DOLLAR_TAG_PATTERN = re.compile(r"\[(\$\$?)\]((?:(?!\[\$).)*?)\[/\1\]", re.DOTALL)
_LATEX_TAG_PATTERN = re.compile(r"\[latex\]((?:(?!\[latex\]).)*?)\[/latex\]", re.DOTALL | re.IGNORECASE)
MAX_CLOZES_PER_NOTE = 500  # clozes in one note; none of a note with more is read
MAX_CLOZE_LEVELS_READ = 8  # clozes in one another
MAX_CHARACTERS_OF_CLOZE_ITEMS = 2_000_000  # total characters of the items made from one cloze note


def note_field_html_by_name(item: PortableItem, context: ExportContext) -> dict[str, str]:
    """The texts of a note's fields, by the names of NOTE_FIELD_NAMES; a field that is not here is empty."""
    sides: Any = jinja_environment().get_template("interchange/anki.html").module
    html = html_text.ExportHtmlWriter(context.bank_figure_folder)
    texts = {
        "Front": sides.stem(html, item),
        "Options": sides.options(html, item),
        "Back": sides.back(html, item, decimal, LETTERS),
        "Why": sides.why(html, item, decimal, LETTERS, context.missed_response_notes_by_item_id.get(item.id, ())),
        "Hints": sides.hints(html, item),
        "Source": sides.source(html, item),
        "Id": item.id_with_variant,
    }
    return {name: str(text) for name, text in texts.items()}


def anki_tags_without_spaces(item: PortableItem) -> list[str]:
    """The item's tags in Anki's form: without spaces."""
    return [re.sub(r"\s+", "-", tag) for tag in tags_of_exported_item(item)]


def items_or_reasons_of_note(
    guid: str, field_texts: Sequence[str], note_tags: Sequence[str], deck_name: str, field_names: Sequence[str] = ()
) -> Iterator[ImportedItem | str]:
    """Yields the items of one note (a cloze note has one for each number), or the reason why it cannot be read.
    `field_texts` are the note's texts in HTML, `field_names` the names of its fields, `note_tags` its tags, `deck_name`
    is the deck's name with its parents (`Times::Days`)."""
    todo = sorted({f"{tag} is not imported" for text in field_texts for tag in _SOUND_TAG_PATTERN.findall(text)})
    texts = [_SOUND_TAG_PATTERN.sub("", text) for text in field_texts]
    texts = [_LATEX_TAG_PATTERN.sub(lambda m: re.sub(r"\$(.+?)\$", r"\\(\1\\)", m[1]), text) for text in texts]
    texts = [_DOLLAR_TAG_PATTERN.sub(r"\\(\2\\)", text) for text in texts]
    tags = note_tags or [deck_name.split("::")[-1].strip()]
    if "data-quizgen" in "".join(texts):
        yield _item_of_quizgen_note(guid, texts, tags)
    elif "image-occlusion:" in texts[0]:
        yield f'"{html_to_markdown(" ".join(texts[1:]))[:60]}" hides parts of a picture, which has no equivalent here'
    elif clozes := [int(number) for number in re.findall(r"\{\{c(\d{1,3})::", texts[0])]:
        numbers = sorted(set(clozes))
        if len(clozes) > MAX_CLOZES_PER_NOTE or len(numbers) * sum(map(len, texts)) > MAX_CHARACTERS_OF_CLOZE_ITEMS:
            yield f'"{texts[0][:60]}" has {len(clozes)} gaps, too many for a text of its length; split the note'
            return
        rationale = "\n\n".join(filter(None, map(html_to_markdown, texts[1:])))
        for number in numbers:
            stem, answer = map(html_to_markdown, _html_with_gaps_and_answer_html(texts[0], number))
            name = f"{guid}:c{number}"
            yield imported_item(stem, name=name, model_answer=answer, rationale=rationale, tags=tags, todo=todo)
    else:
        names = [*field_names[: len(texts)], *map(str, range(len(field_names) + 1, len(texts) + 1))]
        yield _item_of_note_without_cloze(guid, names, texts, tags, todo)


def _item_of_note_without_cloze(
    guid: str, field_names: Sequence[str], field_texts: Sequence[str], tags: Sequence[str], todo: Sequence[str]
) -> ImportedItem:
    """The item of a note whose fields are named like the columns of a sheet with options, or else are front and back,
    by their names or as the first two. Each other field with text becomes a todo."""
    columns, texts = [*map(header_meaning_or_empty, field_names)], [*map(html_to_markdown, field_texts), ""]
    if "stem" in columns and any(name.startswith(("option", "wrong")) for name in columns):
        indexes = [index for index, column in enumerate(columns) if column]
        row = {columns[index]: texts[index].replace("\\\n", "\n") for index in indexes if texts[index]}
        item = imported_item_of_cells({**row, "name": guid, "topic": next(iter(tags), "")})
    else:
        indexes = [columns.index("stem"), columns.index("key")] if {"stem", "key"} <= {*columns} else [0, 1]
        front, back = texts[indexes[0]], texts[indexes[1]]
        number = parse_portable_number(back)
        doubt = ["is the answer really a number?"] if number else [] if back else ["the source gives no answer"]
        item = imported_item(front, name=guid, number=number, model_answer=back, tags=tags, todo=doubt)
    unused_indexes = [index for index, text in enumerate(texts) if text and index not in indexes]
    field_todos = [f"field {field_names[index]} is not imported: {texts[index][:60]}" for index in unused_indexes]
    return replace(item, todo=(*todo, *field_todos, *item.todo))


def _item_of_quizgen_note(guid: str, field_texts: Sequence[str], tags: Sequence[str]) -> ImportedItem:
    """The item of a note that this program exported, read by the class names in its HTML."""
    id_index = NOTE_FIELD_NAMES.index("Id")
    page = html_text.parse_html_to_soup("".join(field_texts[:id_index]))
    key = page.select_one("[data-quizgen]")
    data = {name.removeprefix("data-"): str(value) for name, value in key.attrs.items()} if key else {}
    criteria = html_text.points_and_criteria_in_soup(page)
    html_text.take_out_as_markdown(page, "[data-quizgen], .worked, .criteria, .evidence")
    rows = page.select("ul.reasons > li, ul.mistakes > li")
    reason_by_key = {str(row.get("value", "")): html_text.take_out_as_markdown(row, "span.say") for row in rows}
    html_text.take_out_as_markdown(page, "ul.reasons, ul.mistakes")
    hints = [html_text.take_out_as_markdown(hint, "span") for hint in page.select("ul.hints > li")]
    choices = [html_text.take_out_as_markdown(option, "span.option") for option in page.select("ol.options > li")]
    parts = ("model-answer", "source", "rationale", "hints", "options", "name", "stem")
    fields: dict[str, Any] = {p.replace("-", "_"): html_text.take_out_as_markdown(page, f".{p}") for p in parts}
    fields["name"] = fields["name"] or (field_texts[id_index] if len(field_texts) > id_index else guid)
    letters = data.get("quizgen", "")  # of the keys
    options = [ChoiceOption(t, n in letters, reason_by_key.get(n, "")) for n, t in zip(LETTERS, choices, strict=False)]
    number, value = None, read_decimal(data.get("value", ""))
    if value is not None and not options:
        mistakes = tuple((read_decimal(text) or Fraction(0), say) for text, say in reason_by_key.items())
        tolerance = read_decimal(data.get("tolerance", "")) or Fraction(0)
        number = PortableNumber(value, data.get("unit", ""), tolerance, mistakes)
    fields |= {"options": options, "policy": data.get("policy", ""), "number": number, "criteria": criteria}
    return imported_item(**fields | {"hints": hints, "tags": tags})


def _html_with_gaps_and_answer_html(field_html: str, cloze_number: int) -> tuple[str, str]:
    """The field's HTML with the clozes of this number hidden and all others shown, and the hidden texts."""
    answers: list[str] = []

    def show(cloze: re.Match[str]) -> str:
        answer, _, hint = cloze[2].partition("::")
        if int(cloze[1]) != cloze_number:
            return answer
        answers.append(answer)
        return f"[{hint or '…'}]"

    for _ in range(MAX_CLOZE_LEVELS_READ):  # the inner ones first
        field_html = _INNERMOST_CLOZE_PATTERN.sub(show, field_html)
    return field_html, "; ".join(answers)


# Anki packages (.apkg): written with genanki, read from any of the three databases in a package.

_NOTE_TYPE_ID = 1_598_210_417  # identity of the note type; never change it
_CARD_FRONT_HTML = "{{Front}}{{Options}}{{#Hints}}<p>{{hint:Hints}}</p>{{/Hints}}"
_CARD_BACK_HTML = '{{FrontSide}}<hr id="answer">{{Back}}{{Why}}{{#Source}}<p><small>{{Source}}</small></p>{{/Source}}'
CARD_CSS = ".card{font-family:sans-serif;font-size:1.1em;max-width:42em;margin:auto;text-align:left}.worked{opacity:.8}"
# Newest first: beside `collection.anki21b` the oldest is a decoy that says "please update".
_DATABASE_FILE_NAMES = ("collection.anki21b", "collection.anki21", "collection.anki2")
_TABLES_READ_FROM_DATABASE = ("col", "notes", "cards", "decks", "fields", "revlog")
_CONFIDENCE_BY_ANSWER_BUTTON = {1: 1, 2: 2, 3: 4, 4: 5}  # answer buttons: again, hard, good, easy
_NOTE_FIELD_SEPARATOR = "\x1f"
MAX_SQL_STEPS_PER_COLLECTION = 200_000_000  # steps of SQLite's virtual machine for one collection: a few seconds
MAX_REVIEW_UNIX_TIME = 32_503_680_000  # the year 3000 in Unix time; a review of a later year, or before 1970, is damage


def write_items_as_apkg(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items to `out` as an Anki package."""
    genanki = import_module("genanki")
    field_specs = [{"name": name} for name in NOTE_FIELD_NAMES]
    card = [{"name": "Card 1", "qfmt": _CARD_FRONT_HTML, "afmt": _CARD_BACK_HTML}]
    model = genanki.Model(_NOTE_TYPE_ID, "quizgen", fields=field_specs, templates=card, css=CARD_CSS)
    number = int(hashlib.sha256(context.bank_name.encode()).hexdigest()[:7], 16) + (1 << 30)
    deck = genanki.Deck(number, context.title or context.bank_name)
    for item in items:
        texts, guid = note_field_html_by_name(item, context), note_guid(context, item)
        fields = [texts.get(name, "") for name in NOTE_FIELD_NAMES]
        deck.add_note(genanki.Note(model, fields, guid=guid, tags=anki_tags_without_spaces(item)))
    buffer = io.BytesIO()
    genanki.Package(deck).write_to_file(buffer, timestamp=context.export_unix_time)
    out.write(files.zip_bytes(files.unzip_chosen(buffer.getvalue(), lambda name: True)))


def note_guid(context: ExportContext, item: PortableItem, note_type: str = "") -> str:
    """A note's identity in Anki. It depends only on the bank and the item's id, so that an edited item updates its
    note. `note_type` distinguishes types of notes."""
    parts = (context.bank_name, item.id, item.variant, *([note_type] if note_type else []))
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:20]


def import_apkg(data: bytes) -> ImportResult:
    databases = files.unzip_chosen(data, lambda name: name in _DATABASE_FILE_NAMES)
    name = next((name for name in _DATABASE_FILE_NAMES if name in databases), "")
    if not name:
        raise CannotRead("the package has no collection; export it from Anki again")
    base = _unpack_zstd_database(databases[name]) if name.endswith("b") else databases[name]
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.create_collation("unicase", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
            connection.deserialize(base[:18] + b"\1\1" + base[20:])  # a database in memory has no write-ahead log
            connection.execute("PRAGMA trusted_schema=OFF")
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, files.MAX_UNPACKED_BYTES)
            call_counter = count(1)
            connection.set_progress_handler(lambda: next(call_counter) > MAX_SQL_STEPS_PER_COLLECTION // 10_000, 10_000)
            for kind, table, sql in connection.execute("SELECT type, name, sql FROM sqlite_master"):
                is_computed = kind == "view" or re.search(r"(?i)\bvirtual\b|\bgenerated\s+always\b|\bas\s*\(", str(sql))
                if is_computed and str(table).lower() in _TABLES_READ_FROM_DATABASE:
                    raise CannotRead(f'the collection\'s "{table}" is computed, not stored; export it from Anki again')
            return _import_result_of_collection(connection)
    except (sqlite3.Error, ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise CannotRead(f"the collection cannot be read ({error}); export it from Anki again") from None


def _unpack_zstd_database(data: bytes) -> bytes:
    """The database in a compressed collection. Raises CannotRead."""
    if find_spec("zstandard") is None:
        advice = "pip install 'quizgen[anki]', or tick \"Support older Anki versions\" when you export it"
        raise CannotRead(f"this package was compressed by a newer Anki: {advice}")
    zstandard = import_module("zstandard")
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)) as stream:
            database: bytes = stream.read(files.MAX_UNPACKED_BYTES + 1)
    except zstandard.ZstdError as error:
        raise CannotRead(f"the collection cannot be unpacked ({error}); export it from Anki again") from None
    if len(database) > files.MAX_UNPACKED_BYTES:
        raise CannotRead(f"the collection unpacks to more than {files.MAX_UNPACKED_BYTES >> 20} MiB; split the deck")
    return database


def _import_result_of_collection(connection: sqlite3.Connection) -> ImportResult:
    """The items of an Anki collection."""
    decks, types = _deck_and_field_names_by_id(connection)
    items: list[ImportedItem] = []
    unread_lines: list[tuple[int, str]] = []
    first: dict[int, int] = {}  # note -> its first item
    surplus = 0
    query = "SELECT n.id, n.guid, n.tags, n.flds, n.mid, MIN(c.did), COUNT(c.id) FROM notes n LEFT JOIN cards c"
    query += " ON c.nid = n.id GROUP BY n.id ORDER BY n.id"
    for note, name, tags, fields, kind, deck, cards in connection.execute(query):
        texts, item_count = str(fields).split(_NOTE_FIELD_SEPARATOR), len(items)
        pieces = [*items_or_reasons_of_note(name, texts, str(tags).split(), decks.get(deck, ""), types.get(kind, ()))]
        items += [item for item in pieces if isinstance(item, ImportedItem)]
        unread_lines += [(0, reason) for reason in pieces if isinstance(reason, str)]
        ImportResult.raise_if_too_many_items(len(items))
        if len(items) > item_count:
            first[note] = item_count
            surplus += max(0, cards - (len(items) - item_count))
    notes = (f"second cards of a note, such as its reverse, are not imported: {surplus} of them",) if surplus else ()
    query = "SELECT c.nid, r.ease, r.id FROM revlog r JOIN cards c ON c.id = r.cid ORDER BY r.id"
    ratings = tuple(
        SelfRating(first[note], _CONFIDENCE_BY_ANSWER_BUTTON[ease], int(moment) // 1000)
        for note, ease, moment in connection.execute(query)
        if note in first and ease in _CONFIDENCE_BY_ANSWER_BUTTON and 0 <= int(moment) // 1000 < MAX_REVIEW_UNIX_TIME
    )
    return ImportResult(tuple(items), tuple(unread_lines), self_ratings=ratings, messages=notes)


def _deck_and_field_names_by_id(connection: sqlite3.Connection) -> tuple[dict[int, str], dict[int, list[str]]]:
    """The names of the decks by their ids, and the names of the fields of each note type by its id."""
    try:
        rows = connection.execute("SELECT id, name FROM decks")
        decks = {deck: name.replace(_NOTE_FIELD_SEPARATOR, "::") for deck, name in rows}
        fields = connection.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord")
        return decks, {kind: [name for _, name in group] for kind, group in groupby(fields, key=itemgetter(0))}
    except sqlite3.OperationalError:  # older schema
        old_decks, models = map(json.loads, connection.execute("SELECT decks, models FROM col").fetchone())
        types = {int(key): [field["name"] for field in model["flds"]] for key, model in models.items()}
        return {int(key): deck["name"] for key, deck in old_decks.items()}, types


# Anki's text format: tab-separated, header lines that begin with `#`, every field quoted.

_SEPARATOR_CHARACTER_BY_NAME = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}


def write_items_as_anki_text(items: Sequence[PortableItem], context: ExportContext, out: BinaryIO) -> None:
    """Writes the items as basic notes. The GUID comes first, because Anki drops a row that begins with `#`."""
    text = io.StringIO(newline="")
    deck = " ".join((context.title or context.bank_name).split())
    text.write(f"#separator:tab\n#html:true\n#notetype:Basic\n#deck:{deck}\n#guid column:1\n#tags column:4\n")
    rows = csv.writer(text, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
    for item in items:
        side = note_field_html_by_name(item, context)
        front = side["Front"] + side["Options"] + (f"<details>{side['Hints']}</details>" if side["Hints"] else "")
        back = side["Back"] + side["Why"] + side["Source"] + f'<p class="name" hidden>{side["Id"]}</p>'
        rows.writerow([note_guid(context, item, "basic"), front, back, " ".join(anki_tags_without_spaces(item))])
    out.write(text.getvalue().encode("utf-8"))


def anki_text_likelihood(data: bytes, suffix: str) -> float:
    head = data[:4000].lstrip(b"\xef\xbb\xbf")
    if re.match(rb"#(separator|html|notetype|deck|guid column|tags column|columns)\b", head):
        return 1.0
    lines = head.split(b"\n")[:-1] or head.split(b"\n")
    return 0.5 if lines and all(line.count(b"\t") >= 1 for line in lines if line.strip()) else 0.0


def import_anki_text(data: bytes) -> ImportResult:
    lines = files.decode_utf_text(data).split("\n")
    head: dict[str, str] = {}
    while lines and (match := re.match(r"#([a-z ]+):(.*)", lines[0])):
        head[match[1].strip()] = match[2].strip()
        lines.pop(0)
    separator = head.get("separator", "tab").lower()
    mark = _SEPARATOR_CHARACTER_BY_NAME.get(separator, separator)
    if len(mark) != 1:
        raise CannotRead(f'the separator "{separator}" is not one character')
    try:
        rows = list(files.numbered_csv_rows("\n".join(lines), mark, len(head)))
    except CannotRead:
        if mark != "\t":
            raise
        rows = [(number, line.split(mark)) for number, line in enumerate(lines, len(head) + 1)]  # nothing is quoted
    filled_rows = ((line, cells) for line, cells in rows if any(map(str.strip, cells)))
    pieces = ((line, item) for line, cells in filled_rows for item in _items_or_unread_texts_of_row(head, mark, cells))
    return ImportResult.from_numbered_items(pieces)


def _items_or_unread_texts_of_row(
    header_values: Mapping[str, str], separator: str, cells: Sequence[str]
) -> Iterator[ImportedItem | str]:
    """Yields the items of one row, or the row's text if it holds none. `header_values`: the file's header lines by
    name, such as the number of the `tags column`; `separator`: the separator of cells."""
    columns = {name: header_values.get(f"{name} column", "") for name in ("guid", "tags", "deck", "notetype")}
    places = {name: int(column) - 1 for name, column in columns.items() if re.fullmatch("[1-9][0-9]{0,3}", column)}
    fields = [cell for place, cell in enumerate(cells) if place not in places.values()]
    if len(cells) <= max(places.values(), default=0) or len(fields) < 2 or not fields[0].strip():
        yield separator.join(cells)
        return
    if header_values.get("html", "true") != "true":
        fields = [html.escape(cell, quote=False) for cell in fields]
    headers = enumerate(header_values.get("columns", "").split(separator))
    names = [name for place, name in headers if place not in places.values()]
    values = {**header_values, **{name: cells[place] for name, place in places.items()}}
    guid, tags, deck = (values.get(name, "") for name in ("guid", "tags", "deck"))
    yield from items_or_reasons_of_note(guid, fields, tags.split(), deck, names)


_anki_content, _html_extra = contract.load_interchange_toml("carries")["anki"], html_text.HTML_LIBRARY_AND_EXTRA
EXPORTER = contract.Exporter(1, ".apkg", _anki_content, write_items_as_apkg, library_and_extra=("genanki", "anki"))
IMPORTER = contract.Importer(1, files.make_zip_entry_likelihood(*_DATABASE_FILE_NAMES), import_apkg, _html_extra)
ANKI_TSV_EXPORTER = contract.Exporter(1, ".tsv", _anki_content, write_items_as_anki_text)
ANKI_TSV_IMPORTER = contract.Importer(1, anki_text_likelihood, import_anki_text, _html_extra)
