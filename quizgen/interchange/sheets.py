"""Items as rows of a table, our own columns out and the headers that people have in; and CSV, where no cell begins as
a formula does."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import Any, BinaryIO

from quizgen.interchange.contract import About, CannotRead, Exporter, Found, Importer, Read, carried, limit_items, table
from quizgen.interchange.import_drafts import chosen, made, number_of, slug, values_said
from quizgen.interchange.lines import csv_rows, decoded
from quizgen.page import LETTERS
from quizgen.portable_item import Plain, PlainOption, decimal
from quizgen.source.problems import read_number
from quizgen.spreadsheet import cell, typed

MAX_ROWS = 200_000
_FIXED = (
    "id", "kind", "topic", "stem", "key", "unit", "tolerance", "mistakes", "model_answer", "criteria", "rationale",
    "source", "hints", "given", "difficulty", "points", "seconds", "policy",
)  # fmt: skip
_OPTION = re.compile(
    r"(?:options?|choices?|opt|answers?|answeroption|distractor|alternative|wronganswer|antwort|antworten|falscheantwort"
    r"|reponse|opcion|respuesta)([a-j]|\d{1,2})"
)
_BECAUSE = re.compile(r"(?:because|feedback|explanation|whynot|begrundung)([a-z]|\d{1,2})")
_SAMPLE = 100_000  # characters that tell what parts the cells
_HEAD_ROWS = 20  # a title and remarks may stand above the headers
_LETTER = re.compile(r"\(?[A-Ha-h1-9][.):]\s+")


def rows_of(items: Sequence[Plain]) -> Iterator[list[str]]:
    """The header, then one row per item."""
    most = max((len(item.options) for item in items), default=0)
    yield [*_FIXED, *(f"option_{n + 1}" for n in range(most)), *(f"because_{n + 1}" for n in range(most))]
    for item in items:
        spare = [""] * (most - len(item.options))
        texts, reasons = [o.text for o in item.options], [o.because for o in item.options]
        yield [*_fixed_cells(item).values(), *texts, *spare, *reasons, *spare]


def _fixed_cells(item: Plain) -> dict[str, str]:
    """The cells of an item besides its options, by the names of their columns."""
    letters = [letter for letter, o in zip(LETTERS, item.options, strict=False) if o.right]
    cells = {name: str(getattr(item, name, "") or "") for name in _FIXED}
    if (number := item.number) is not None:
        cells |= {"key": decimal(number.value), "unit": number.unit, "tolerance": f"{decimal(number.tolerance * 100)}%"}
        cells["mistakes"] = _lines(f"{decimal(value)} {say}".rstrip() for value, say in number.wrong)
    else:
        cells["key"] = ", ".join(letters)
    return cells | {
        "id": item.name,
        "criteria": _lines(f"{decimal(points)} {say}" for points, say in item.criteria),
        "hints": _lines(item.hints),
        "given": _lines(item.given),
        "points": decimal(item.points),
        "policy": item.policy if len(letters) > 1 else "",
    }


def _lines(texts: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(" ".join(text.split()) for text in texts)


def found_in(rows: Sequence[tuple[int, Sequence[str]]], comma: bool = False, columns: Sequence[str] = ()) -> Read:
    """The items of rows (each with its number). The first row that names a stem names the columns; one below it may
    go on, as letters under a heading for all options. Without one, `columns` are the headers, or the rows have two
    cells each: front and back. `comma`: numbers are written `1.000,5`. Raises CannotRead."""
    if not rows:
        raise CannotRead("the sheet is empty")
    if len(rows) > MAX_ROWS:
        raise CannotRead(f"the sheet has {len(rows):,} rows; split it into sheets of at most {MAX_ROWS:,}")
    grid = [[str(cell).strip() for cell in cells] for _, cells in rows]
    header, first, notes = _head(grid, columns)
    meanings = columns_of(header)
    if "stem" not in meanings:
        raise CannotRead(f'none of the columns "{", ".join(header)}" is a question, stem or front')
    met: list[tuple[int, Found | str]] = []
    for (number, _), cells in zip(rows[first:], grid[first:], strict=True):
        named = [pair for pair in zip(meanings, cells, strict=False) if all(pair)]
        row = dict(reversed(named))  # of several columns with one meaning the first
        if "stem" in row:
            met.append((number, item_of(row, number, comma)))
            limit_items(len(met))
        elif any(cells):
            met.append((number, " | ".join(filter(None, cells))))
    return Read.of(met, first, notes=(*notes, *_mapped(header, meanings)))


def _mapped(header: Sequence[str], meanings: Sequence[str]) -> Iterator[str]:
    """How the headers of a sheet were read, and those that were not."""
    pairs = list(zip(header, meanings, strict=True))
    yield "columns: " + ", ".join(f"{cell} as {name}" for cell, name in pairs if name)
    if left := [cell for cell, name in pairs if cell and not name]:
        yield f"columns not understood: {', '.join(left)}"


def _head(grid: Sequence[Sequence[str]], columns: Sequence[str]) -> tuple[Sequence[str], int, list[str]]:
    """The headers of a sheet, the place of the first row below them, and what to say of them. Raises CannotRead."""
    if columns:
        return columns, 0, []
    place = next((n for n, cells in enumerate(grid[:_HEAD_ROWS]) if "stem" in columns_of(cells)), None)
    if place is None:
        return _front_and_back(grid), 0, ["no headers: the first column is read as the front, the second as the back"]
    of_two = _with_below(grid[place], grid[place + 1]) if place + 1 < len(grid) else None
    above = " | ".join(filter(None, (" ".join(filter(None, cells)) for cells in grid[:place])))
    notes = [f"above the headers: {above}"] if above else []
    return of_two or grid[place], place + (2 if of_two else 1), notes


def _front_and_back(grid: Sequence[Sequence[str]]) -> list[str]:
    """The headers of a sheet that has none, and two cells a row. Raises CannotRead."""
    filled = [[cell for cell in cells if cell] for cells in grid]
    pairs = sum(len(cells) == 2 for cells in filled)
    if pairs < max(1, 0.9 * sum(map(bool, filled))):
        headers = next((", ".join(filter(None, cells)) for cells in grid if any(cells)), "(none)")
        raise CannotRead(
            f"no column is named question, stem or front; the headers are: {headers}; name the columns in their order, "
            "such as --columns front,back"
        )
    return ["front", "back"]


def columns_of(header: Sequence[str]) -> list[str]:
    """What the headers of a sheet mean, each by itself and beside the others: a name or title asks where nothing else
    does, or where a text stands beside it and nothing answers."""
    found, words = [column_of(cell) for cell in header], table("headers")
    answered = any(name in ("key", "model_answer") or name.startswith("option") for name in found)
    name, text = (
        next((n for n, cell in enumerate(header) if _bare(cell) in words[else_].split()), None)
        for else_ in ("stem_else", "answer_else")
    )
    if name is not None and answered and "stem" not in found:
        found[name] = "stem"
    elif name is not None and text is not None and not answered:
        found[name], found[text] = "stem", "model_answer"
    return found


def _bare(header: str) -> str:
    return re.sub(r"[^a-z0-9]", "", unicodedata.normalize("NFKD", header.lower()))


def _with_below(top: Sequence[str], below: Sequence[str]) -> list[str] | None:
    """Headers of two rows, `Options` over `A`, `B`, `C`; None where the second row is no header."""
    made, over = [], ""
    for n, head in enumerate(top):
        low = below[n] if n < len(below) else ""
        over = head or over
        made.append(f"{over} {low}" if low else head)
        if low and (column_of(head) == "stem" or not re.match("option|because", column_of(made[-1]))):
            return None
    return made if any(below) else None


@lru_cache(maxsize=1)
def _meaning() -> dict[str, str]:
    known = {column: words for column, words in table("headers").items() if not column.endswith("_else")}
    return {word: column for column, words in known.items() for word in words.split()}


def column_of(header: str) -> str:
    """What a header means: a column of ours, `option 2`, `because 2`, `options`, or nothing that is known."""
    bare = _bare(header)
    if bare not in _meaning() and (short := re.match(r"(.{3,}?)\s*(?:[-–—:]\s|\()", header)):
        bare = _bare(short[1])  # `Answer 1 - max 75 characters`, `Time limit (sec)`
    if bare in _meaning() and not (len(bare) == 1 and header.strip().isupper() and bare != "q"):
        return _meaning()[bare]
    for pattern, name in ((_OPTION, "option"), (_BECAUSE, "because")):
        if match := pattern.fullmatch(bare):
            place = match[1]
            return f"{name} {int(place) if place.isdigit() else ord(place) - ord('a') + 1}"
    return f"option {ord(bare) - ord('a') + 1}" if re.fullmatch("[a-h]", bare) and header.strip().isupper() else ""


def _pointed(text: str) -> str:
    """`1.000,5 m` as `1000.5 m`."""
    match = re.match(r"(-?\d{1,3}(?:\.\d{3})+|-?\d+)(,\d+)?(?![\d,.])", text)
    return match[1].replace(".", "") + (match[2] or "").replace(",", ".") + text[match.end() :] if match else text


def item_of(
    row: Mapping[str, str],
    line: int = 0,
    comma: bool = False,
    todo: Sequence[str] = (),
    options: Sequence[PlainOption] = (),
) -> Found:
    """The item of texts by what they mean, and of `options` that are known; `todo` is known beforehand. `comma`:
    numbers are written `1.000,5`."""
    if comma:
        row = {**row, **{name: _pointed(row[name]) for name in _NUMBERS if name in row}}
    fields = {"options": options, "policy": "all"} if options else _choice(row) or _number(row, comma) or _answer(row)
    return made(
        row["stem"],
        line=line,
        tags=[row["topic"]] if "topic" in row else [],
        hints=row.get("hints", "").splitlines(),
        given=row.get("given", "").splitlines(),
        todo=[*todo, *fields.pop("todo", ())],
        **dict[str, Any]({name: row[name] for name in _TEXTS if name in row}, **fields),
    )


_NUMBERS = ("points", "seconds", "tolerance", "difficulty")
_TEXTS = ("name", "rationale", "source", "difficulty", "seconds", "points", "policy")


def _choice(row: Mapping[str, str]) -> dict[str, Any]:
    """Options with their keys, or short answers where all of them may be written; nothing for a row without."""
    offered = {int(name.split()[1]): text for name, text in row.items() if name.startswith("option ")}
    if "options" in row:  # all of them in one cell
        listed = next((parts for mark in "\n|;" if len(parts := row["options"].split(mark)) > 1), [row["options"]])
        offered |= {n: _LETTER.sub("", text.strip(), count=1) for n, text in enumerate(listed, 1)}
    if not offered:
        return {}
    places, key = sorted(offered), row.get("key", "")
    texts = [offered[place] for place in places]
    if places[0] > 1 and key.casefold() not in map(str.casefold, texts):
        texts = [key, *texts]  # a column for the answer, others for what is wrong
    if re.search(r"fill|short", row.get("kind", ""), re.IGNORECASE):
        return {"accepts": [text.replace("*", "\\*") for text in texts]}
    options, todo = chosen(texts, key, [row.get(f"because {place}", "") for place in places])
    return {"options": options, "todo": todo}


def _number(row: Mapping[str, str], comma: bool) -> dict[str, Any]:
    """A number with its tolerance and mistakes; nothing for a row whose key is none."""
    key = row.get("key", "")
    number = number_of(_pointed(key) if comma else key, row.get("unit", "")) if row.get("kind") != "text" else None
    if number is None:
        return {}
    share = read_number(row.get("tolerance", "").removesuffix("%"))
    tolerance = number.tolerance if share is None else share / 100
    return {"number": replace(number, tolerance=tolerance, wrong=values_said(row.get("mistakes", "").splitlines()))}


def _answer(row: Mapping[str, str]) -> dict[str, Any]:
    """A model answer, without a heading that only says the stem again, and criteria."""
    model = row.get("model_answer") or row.get("key", "")
    head, _, below = model.partition("\n")
    if head.startswith("#") and below.strip() and slug(head) == slug(row["stem"]):
        model = below.strip()
    criteria = values_said(row.get("criteria", "").splitlines())
    return {"model_answer": model, "criteria": criteria, "todo": [] if model else ["the source gives no answer"]}


def write(items: Sequence[Plain], about: About, out: BinaryIO) -> None:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\r\n").writerows([cell(text) for text in row] for row in rows_of(items))
    out.write(text.getvalue().encode("utf-8"))


def looks(data: bytes, suffix: str) -> float:
    if suffix in (".csv", ".tsv"):
        return 0.9
    head = _TABLE.search(data[:20_000].decode("utf-8", "replace"))
    return 0.75 if head and "stem" in columns_of(_cells(head[1])) else 0.0


def read(data: bytes, columns: Sequence[str] = ()) -> Read:
    text = decoded(data)
    if _TABLE.search(text):  # of Markdown
        lines = [(n, line) for n, line in enumerate(text.split("\n"), 1) if line.strip()]
        return found_in([(n, _cells(line)) for n, line in lines if not _RULE.fullmatch(line)], columns=columns)
    mark = _mark(text)
    rows = [(line, [typed(cell) for cell in cells]) for line, cells in csv_rows(text, mark)]
    return found_in(rows, mark == ";", columns)  # `;` is what a spreadsheet writes where the comma is the point


_TABLE = re.compile(r"^[ \t]*(\|.+\|)[ \t]*\n[ \t]*\|[ \t:|-]+\|[ \t]*$", re.MULTILINE)
_RULE = re.compile(r"\s*\|[\s:|-]+\|\s*")


def _cells(line: str) -> list[str]:
    """The cells of a line of a Markdown table; a line that is none has one cell."""
    inner = line.strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", inner)]


def _mark(text: str) -> str:
    """What parts the cells: what gives most rows the same number of them."""

    def alike(mark: str) -> tuple[float, bool, int]:
        try:
            widths = Counter(len(cells) for _, cells in islice(csv_rows(text[:_SAMPLE], mark), 50) if cells)
        except CannotRead:
            return 0.0, False, 0
        width, rows = max(widths.items(), key=lambda pair: pair[1], default=(1, 0))
        share = rows / widths.total() if width > 1 else 0.0
        return share, mark != ",", text.partition("\n")[0].count(mark)  # a comma stands in texts as well

    return max(";\t|,", key=alike)


CSV_OUT = Exporter(1, ".csv", carried("sheet"), write)
CSV_IN = Importer(1, looks, read)
