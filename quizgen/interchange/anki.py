"""One Anki note: what its sides hold, out; and what its fields say, in (our own, basic ones, cloze)."""

from __future__ import annotations

import hashlib
import io
import json
import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from typing import Any, BinaryIO

from quizgen.interchange.archive import MAX_BYTES, names_in, packed, unpacked
from quizgen.interchange.contract import (
    About,
    CannotRead,
    Exporter,
    Found,
    Importer,
    Rating,
    Read,
    carried,
    limit_items,
)
from quizgen.interchange.html_text import NEEDS, ExportPage, criteria_in, soup, taken, unpage
from quizgen.interchange.import_drafts import made, number_of, tags_of
from quizgen.interchange.sheets import column_of, item_of
from quizgen.page import LETTERS
from quizgen.portable_item import Plain, PlainNumber, PlainOption, decimal
from quizgen.render.html import environment
from quizgen.source.problems import read_number

# Frozen for ever: with one field more, notes that somebody has imported would no longer be updated.
FIELDS = ("Front", "Options", "Back", "Why", "Hints", "Source", "Id", "Spare1", "Spare2", "Spare3")
_CLOZE_MARK = re.compile(r"\{\{c(\d{1,3})::|\}\}")
# What opens and never closes is looked at once: none of these runs past the next opening.
_LEFT_OUT = re.compile(r"\[(?:sound|anki):[^\[\]]*\]", re.IGNORECASE)
_LATEX = re.compile(r"\[(\$\$?)\]((?:(?!\[\$).)*?)\[/\1\]", re.DOTALL)
_LATEX_TEXT = re.compile(r"\[latex\]((?:(?!\[latex\]).)*?)\[/latex\]", re.DOTALL | re.IGNORECASE)
MOST_CLOZES = 500  # of one note
MOST_CLOZE_TEXT = 2_000_000  # characters that the items of one cloze note hold together


def fields_of(item: Plain, about: About) -> list[str]:
    """The fields of a note, in the order of FIELDS."""
    sides: Any = environment().get_template("interchange/anki.html").module
    html = ExportPage(about.root)
    side = {
        "Front": sides.stem(html, item),
        "Options": sides.options(html, item),
        "Back": sides.back(html, item, decimal, LETTERS),
        "Why": sides.why(html, item, decimal, LETTERS, about.evidence.get(item.id, ())),
        "Hints": sides.hints(html, item),
        "Source": sides.source(html, item),
        "Id": item.name,
    }
    return [str(side.get(name, "")) for name in FIELDS]


def tags(item: Plain) -> list[str]:
    """Tags hold no space in Anki."""
    return [re.sub(r"\s+", "-", tag) for tag in tags_of(item)]


def found_of(
    guid: str, fields: Sequence[str], tagged: Sequence[str], deck: str, names: Sequence[str] = ()
) -> Iterator[Found | str]:
    """The items of one note: one, or for a cloze one a number; a text says why there is none. `names` of fields."""
    left = sorted({found for text in fields for found in _LEFT_OUT.findall(text)})
    texts = [_LEFT_OUT.sub("", _with_maths(text)) for text in fields]
    todo = [f"{mark} is not imported" for mark in left]
    tags = tagged or [deck.split("::")[-1].strip()]
    columns = [column_of(name) for name in names]
    if "data-quizgen" in "".join(texts):
        yield _ours(guid, texts, tags)
    elif "image-occlusion:" in texts[0]:
        yield f'"{unpage(" ".join(texts[1:]))[:60]}" hides parts of a picture, which has no equivalent here'
    elif clozes := [int(mark[1]) for mark in _CLOZE_MARK.finditer(texts[0]) if mark[1]]:
        yield from _clozes(guid, texts, clozes, tags=tags, todo=todo)
    elif "stem" in columns and any(name.startswith("option") for name in columns):
        yield _row(guid, list(zip(columns, names, texts, strict=False)), tags=tags, todo=todo)
    else:
        yield _basic(guid, texts, names, tags=tags, todo=todo)


def _row(guid: str, cells: Sequence[tuple[str, str, str]], tags: Sequence[str], todo: Sequence[str]) -> Found:
    """A note whose fields have names as the columns of a sheet: (its meaning, its name, its text) each."""
    row = {column: unpage(text).replace("\\\n", "\n") for column, _, text in cells if column and text}
    lost = _lost((name, text) for column, name, text in cells if not column)
    return item_of({**row, "name": guid, "topic": next(iter(tags), "")}, todo=[*todo, *lost])


def _with_maths(field: str) -> str:
    """A field with Anki's marks for LaTeX as `\\(…\\)`."""
    text = _LATEX_TEXT.sub(lambda m: re.sub(r"\$(.+?)\$", r"\\(\1\\)", m[1]), field)
    return _LATEX.sub(r"\\(\2\\)", text)


def _basic(guid: str, texts: Sequence[str], names: Sequence[str], tags: Sequence[str], todo: Sequence[str]) -> Found:
    """A note with a front and a back; what other fields hold is told."""
    back = unpage(texts[1]) if len(texts) > 1 else ""
    number = number_of(back)
    doubt = ["is the answer really a number?"] if number else [] if back else ["the source gives no answer"]
    called = [*names, *map(str, range(len(names) + 1, len(texts) + 1))]
    lost = _lost(list(zip(called, texts, strict=False))[2:])
    model = "" if number else back
    return made(unpage(texts[0]), name=guid, number=number, model_answer=model, tags=tags, todo=[*todo, *lost, *doubt])


def _clozes(guid: str, texts: Sequence[str], marks: Sequence[int], **shared: Any) -> Iterator[Found | str]:
    """An item for each number of the marks of a cloze note."""
    numbers = sorted(set(marks))
    if len(marks) > MOST_CLOZES or len(numbers) * sum(map(len, texts)) > MOST_CLOZE_TEXT:
        yield f'"{texts[0][:60]}" has {len(marks)} gaps, too many for a text of its length; split the note'
        return
    for number in numbers:
        yield made(**_cloze(guid, texts, number), **shared)


def _lost(fields: Iterable[tuple[str, str]]) -> list[str]:
    return [f"field {name} is not imported: {text_left}" for name, text in fields if (text_left := unpage(text)[:60])]


def _ours(guid: str, texts: Sequence[str], tags: Sequence[str]) -> Found | str:
    """A note that `anki.html` wrote, its parts known by their classes."""
    page = soup("".join(texts[: FIELDS.index("Id")]))
    key = page.select_one("[data-quizgen]")
    data = {name.removeprefix("data-"): str(value) for name, value in key.attrs.items()} if key else {}
    if not {"quizgen", "policy"} <= data.keys() or ("value" in data and not {"unit", "tolerance"} <= data.keys()):
        return f'"{unpage(texts[0])[:60]}" was written by quizgen and is damaged: export it anew'
    criteria = criteria_in(page)
    taken(page, "[data-quizgen], .worked, .criteria, .evidence")
    rows = page.select("ul.reasons > li, ul.mistakes > li")
    says = {str(row.get("value", "")): taken(row, "span.say") for row in rows}
    taken(page, "ul.reasons, ul.mistakes")
    hints = [taken(hint, "span") for hint in page.select("ul.hints > li")]
    offered = [taken(option, "span.option") for option in page.select("ol.options > li")]
    rest = {
        n: taken(page, f".{n}") for n in ("model-answer", "source", "rationale", "hints", "options", "name", "stem")
    }
    options = [PlainOption(t, n in data["quizgen"], says.get(n, "")) for n, t in zip(LETTERS, offered, strict=False)]
    own_name = texts[place] if len(texts) > (place := FIELDS.index("Id")) else guid
    return made(
        rest["stem"],
        name=rest["name"] or own_name,
        options=options,
        policy=data["policy"],
        number=None if options else _number(data, says),
        model_answer=rest["model-answer"],
        criteria=criteria,
        rationale=rest["rationale"],
        source=rest["source"],
        hints=hints,
        tags=tags,
    )


def _number(data: Mapping[str, str], says: Mapping[str, str]) -> PlainNumber | None:
    """The number of a note of ours, with the feedback on its mistakes; None where it has none."""
    value = read_number(data.get("value", ""))
    if value is None:
        return None
    wrong = tuple((read_number(n) or Fraction(0), say) for n, say in says.items())
    return PlainNumber(value, data["unit"], read_number(data["tolerance"]) or Fraction(0), wrong)


def _cloze(guid: str, texts: Sequence[str], number: int) -> dict[str, Any]:
    """The text with one number hidden; what was hidden is the answer. One gap may stand in another."""
    hidden: list[str] = []
    open_gaps: list[tuple[str, int, str]] = []  # its mark, its number, the text before it
    text, end = "", 0
    for mark in _CLOZE_MARK.finditer(texts[0]):
        text += texts[0][end : mark.start()]
        end = mark.end()
        if mark[1]:
            open_gaps.append((mark[0], int(mark[1]), text))
            text = ""
        elif open_gaps:
            _, gap, before = open_gaps.pop()
            answer, _, hint = text.partition("::")
            if gap == number:
                hidden.append(answer)
            text = before + (answer if gap != number else f"[{hint}]" if hint else "[…]")
        else:
            text += mark[0]
    text += texts[0][end:]
    for opening, _, before in reversed(open_gaps):  # never closed: as it was written
        text = before + opening + text
    rest = "\n\n".join(filter(None, (unpage(text) for text in texts[1:])))
    return {
        "stem": unpage(text),
        "name": f"{guid}:c{number}",
        "model_answer": unpage("; ".join(hidden)),
        "rationale": rest,
    }


# Anki packages (.apkg): out by genanki, in from any of the three databases that a package can hold.


_MODEL = 1_598_210_417  # of the note type, for ever the same
_FRONT = "{{Front}}{{Options}}{{#Hints}}<p>{{hint:Hints}}</p>{{/Hints}}"
_BACK = '{{FrontSide}}<hr id="answer">{{Back}}{{Why}}{{#Source}}<p><small>{{Source}}</small></p>{{/Source}}'
_CSS = ".card{font-family:sans-serif;font-size:1.1em;max-width:42em;margin:auto;text-align:left}.worked{opacity:.8}"
# The newest first: beside `collection.anki21b`, the oldest is a decoy that says "please update".
_BASES = ("collection.anki21b", "collection.anki21", "collection.anki2")
_TABLES = ("col", "notes", "cards", "decks", "fields", "revlog")
_COMPUTED = re.compile(r"\bvirtual\b|\bgenerated\s+always\b|\bas\s*\(", re.IGNORECASE)
_LEVELS = {1: 1, 2: 2, 3: 4, 4: 5}  # again, hard, good, easy
_SEPARATOR = "\x1f"
MOST_STEPS = 200_000_000  # of SQLite's machine, for one collection: some seconds
MOST_SECONDS = 32_503_680_000  # the year 3000, in Unix time: no review was later


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
        raise CannotRead("the package has no collection; export it from Anki again")
    base = _unzstd(files[name]) if name.endswith("b") else files[name]
    try:
        with closing(sqlite3.connect(":memory:")) as connection:
            connection.create_collation("unicase", lambda a, b: (a.lower() > b.lower()) - (a.lower() < b.lower()))
            connection.deserialize(base[:18] + b"\1\1" + base[20:])  # no write-ahead log beside a database in memory
            connection.execute("PRAGMA trusted_schema=OFF")
            _limit(connection)
            return _collection(connection)
    except (
        sqlite3.Error, ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError
    ) as error:  # fmt: skip
        raise CannotRead(f"the collection cannot be read ({error}); export it from Anki again") from None


def _limit(connection: sqlite3.Connection) -> None:
    """Bound the time and memory of reading a collection. Raises CannotRead where a table that is read is computed."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_BYTES)
    left = MOST_STEPS // 10_000

    def stop() -> int:
        nonlocal left
        left -= 1
        return left < 0

    connection.set_progress_handler(stop, 10_000)
    for kind, name, statement in connection.execute("SELECT type, name, sql FROM sqlite_master"):
        if str(name).lower() in _TABLES and (kind == "view" or _COMPUTED.search(str(statement))):
            raise CannotRead(f'the collection\'s "{name}" is computed, not stored; export it from Anki again')


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
    read = 0
    query = "SELECT n.id, n.guid, n.tags, n.flds, n.mid, MIN(c.did), COUNT(c.id) FROM notes n LEFT JOIN cards c"
    query += " ON c.nid = n.id GROUP BY n.id ORDER BY n.id"
    for note, name, tagged, fields, kind, deck, cards in connection.execute(query):
        read += len(str(fields))
        if read > MAX_BYTES:
            raise CannotRead(f"the notes hold more than {MAX_BYTES >> 20} MiB; split the deck")
        texts = str(fields).split(_SEPARATOR)
        for found_note in found_of(name, texts, str(tagged).split(), decks.get(deck, ""), types.get(kind, ())):
            if isinstance(found_note, str):
                unread.append((0, found_note))
                continue
            first.setdefault(note, len(items))
            items.append(found_note)
            limit_items(len(items))
        more += note in first and cards > len(items) - first[note]
    losses: tuple[str, ...] = (
        (f"second cards of a note, such as its reverse, are not imported: {more} of them",) if more else ()
    )
    ratings = tuple(_ratings(connection, first))
    dated = tuple(r for r in ratings if 0 <= (r.at or 0) < MOST_SECONDS)
    if far := len(ratings) - len(dated):
        losses += (f"reviews dated before 1970 or after 2999 are not imported: {far} of them",)
    return Read(tuple(items), tuple(unread), ratings=dated, notes=losses)


def _decks(connection: sqlite3.Connection) -> dict[int, str]:
    try:
        return {did: name.replace(_SEPARATOR, "::") for did, name in connection.execute("SELECT id, name FROM decks")}
    except sqlite3.OperationalError:  # the older schema
        decks = json.loads(connection.execute("SELECT decks FROM col").fetchone()[0])
        return {int(key): deck["name"] for key, deck in decks.items()}


def _fields(connection: sqlite3.Connection) -> dict[int, list[str]]:
    """The names of each note type's fields."""
    try:
        fields: dict[int, list[str]] = {}
        for kind, name in connection.execute("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
            fields.setdefault(kind, []).append(name)
        return fields
    except sqlite3.OperationalError:  # the older schema
        models = json.loads(connection.execute("SELECT models FROM col").fetchone()[0])
        return {int(key): [field["name"] for field in model["flds"]] for key, model in models.items()}


def _ratings(connection: sqlite3.Connection, first: dict[int, int]) -> Iterator[Rating]:
    """What reviews said of how well it was known."""
    query = "SELECT c.nid, r.ease, r.id FROM revlog r JOIN cards c ON c.id = r.cid ORDER BY r.id"
    for note, ease, moment in connection.execute(query):
        if note in first and ease in _LEVELS:
            yield Rating(first[note], _LEVELS[ease], int(moment) // 1000)


EXPORTER = Exporter(1, ".apkg", carried("anki"), write, needs=("genanki", "anki"))
IMPORTER = Importer(1, looks, read, NEEDS)
