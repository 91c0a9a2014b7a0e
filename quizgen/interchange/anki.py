"""Anki packages (.apkg): out by genanki, in from any of the three databases that a package can hold."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from importlib import import_module
from importlib.util import find_spec
from typing import BinaryIO

from quizgen.interchange.anki_note import FIELDS, fields_of, found_of, tags
from quizgen.interchange.archive import MAX_BYTES, names_in, packed, unpacked
from quizgen.interchange.contract import About, CannotRead, Exporter, Found, Importer, Rating, Read
from quizgen.interchange.tables import carried
from quizgen.interchange.unpage import NEEDS
from quizgen.plain import Plain

_MODEL = 1_598_210_417  # of the note type, for ever the same
_FRONT = "{{Front}}{{Options}}{{#Hints}}<p>{{hint:Hints}}</p>{{/Hints}}"
_BACK = '{{FrontSide}}<hr id="answer">{{Back}}{{Why}}{{#Source}}<p><small>{{Source}}</small></p>{{/Source}}'
_CSS = ".card{font-family:sans-serif;font-size:1.1em;max-width:42em;margin:auto;text-align:left}.worked{opacity:.8}"
# The newest first: beside `collection.anki21b`, the oldest is a decoy that says "please update".
_BASES = ("collection.anki21b", "collection.anki21", "collection.anki2")
_LEVELS = {1: 1, 2: 2, 3: 4, 4: 5}  # again, hard, good, easy
_SEPARATOR = "\x1f"


def write(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    genanki = import_module("genanki")
    named = [{"name": name} for name in FIELDS]
    card = [{"name": "Card 1", "qfmt": _FRONT, "afmt": _BACK}]
    model = genanki.Model(_MODEL, "quizgen", fields=named, templates=card, css=_CSS)
    number = int(hashlib.sha256(about.bank.encode()).hexdigest()[:7], 16) + (1 << 30)
    deck = genanki.Deck(number, about.title or about.bank)
    for item in items:
        deck.add_note(genanki.Note(model, fields_of(item, about), guid=guid(about, item), tags=tags(item)))
    raw = io.BytesIO()
    genanki.Package(deck).write_to_file(raw, timestamp=about.moment)
    out.write(packed(unpacked(raw.getvalue(), lambda name: True)))


def guid(about: About, item: Plain, form: str = "") -> str:
    """Never from what the item says: an edited one must update its note. `form`: of another note type."""
    named = (about.bank, item.id, item.variant, *([form] if form else []))
    return hashlib.sha256("\n".join(named).encode()).hexdigest()[:20]


def looks(data: bytes, suffix: str) -> float:
    return 1.0 if set(names_in(data)) & set(_BASES) else 0.0


def read(data: bytes) -> Read:
    files = unpacked(data, lambda name: name in _BASES)
    name = next((name for name in _BASES if name in files), "")
    if not name:
        raise CannotRead("the package holds no collection; export it from Anki again")
    base = _unzstd(files[name]) if name.endswith("b") else files[name]
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.create_collation("unicase", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
            connection.deserialize(base[:18] + b"\1\1" + base[20:])  # no write-ahead log beside a database in memory
            connection.execute("PRAGMA trusted_schema=OFF")
            return _collection(connection)
    except (sqlite3.Error, ValueError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise CannotRead(f"the collection cannot be read ({error}); export it from Anki again") from None


def _unzstd(data: bytes) -> bytes:
    if find_spec("zstandard") is None:
        raise CannotRead(
            "this package is compressed as newer Anki does: pip install 'quizgen[anki]', or tick "
            '"Support older Anki versions" when you export it'
        )
    zstandard = import_module("zstandard")
    try:
        with zstandard.ZstdDecompressor().stream_reader(io.BytesIO(data)) as stream:
            made: bytes = stream.read(MAX_BYTES + 1)
    except zstandard.ZstdError as error:
        raise CannotRead(f"the collection cannot be unpacked ({error}); export it from Anki again") from None
    if len(made) > MAX_BYTES:
        raise CannotRead(f"the collection unpacks to more than {MAX_BYTES >> 20} MiB; split the deck")
    return made


def _collection(connection: sqlite3.Connection) -> Read:
    decks, types = _decks(connection), _fields(connection)
    items: list[Found] = []
    unread: list[tuple[int, str]] = []
    more = 0
    first: dict[int, int] = {}  # the first item of each note
    asked = "SELECT n.id, n.guid, n.tags, n.flds, n.mid, MIN(c.did), COUNT(c.id) FROM notes n LEFT JOIN cards c"
    asked += " ON c.nid = n.id GROUP BY n.id ORDER BY n.id"
    for note, name, tagged, fields, kind, deck, cards in connection.execute(asked):
        texts = str(fields).split(_SEPARATOR)
        for found in found_of(name, texts, str(tagged).split(), decks.get(deck, ""), types.get(kind, ())):
            if isinstance(found, str):
                unread.append((0, found))
                continue
            first.setdefault(note, len(items))
            items.append(found)
        more += note in first and cards > len(items) - first[note]
    told = (f"second cards of a note, such as its reverse, are not imported: {more} of them",) if more else ()
    return Read(tuple(items), tuple(unread), ratings=tuple(_ratings(connection, first)), notes=told)


def _decks(connection: sqlite3.Connection) -> dict[int, str]:
    try:
        return {did: name.replace(_SEPARATOR, "::") for did, name in connection.execute("SELECT id, name FROM decks")}
    except sqlite3.OperationalError:  # the older schema
        decks = json.loads(connection.execute("SELECT decks FROM col").fetchone()[0])
        return {int(key): deck["name"] for key, deck in decks.items()}


def _fields(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """The names of each note type's fields."""
    try:
        found: dict[int, list[str]] = {}
        for kind, name in connection.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
            found.setdefault(kind, []).append(name)
        return found
    except sqlite3.OperationalError:  # the older schema
        models = json.loads(connection.execute("SELECT models FROM col").fetchone()[0])
        return {int(key): [field["name"] for field in model["flds"]] for key, model in models.items()}


def _ratings(connection: sqlite3.Connection, first: dict[int, int]) -> Iterator[Rating]:
    """What reviews said of how well it was known."""
    asked = "SELECT c.nid, r.ease, r.id FROM revlog r JOIN cards c ON c.id = r.cid ORDER BY r.id"
    for note, ease, moment in connection.execute(asked):
        if note in first and ease in _LEVELS:
            yield Rating(first[note], _LEVELS[ease], int(moment) // 1000)


EXPORTER = Exporter(1, ".apkg", carried("anki"), write, needs=("genanki", "anki"))
IMPORTER = Importer(1, looks, read, NEEDS)
