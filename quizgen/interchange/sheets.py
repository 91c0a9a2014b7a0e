"""Items as rows of a table: our own columns out, the headers that people have in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from quizgen.blocks import LETTERS
from quizgen.interchange.contract import CannotRead, Found, Read
from quizgen.interchange.found import chosen, made, mistakes_of, number_of
from quizgen.plain import Plain, PlainNumber, PlainOption, decimal
from quizgen.source import read_number

CARRIES = frozenset({
    "several keys", "policy all", "policy net", "policy each", "reasons", "unit", "misconceptions", "model answer",
    "criteria", "rationale", "source", "hints", "given", "topic", "difficulty", "points", "seconds",
})  # fmt: skip
MAX_ROWS = 200_000
_FIXED = (
    "id", "kind", "topic", "stem", "key", "unit", "tolerance", "mistakes", "model_answer", "criteria", "rationale",
    "source", "hints", "given", "difficulty", "points", "seconds", "policy",
)  # fmt: skip
# What other people's headers mean, spaces and signs taken out.
_MEANS = {
    "name": "id guid questionid qid identifier",
    "kind": "kind type questiontype",
    "stem": "stem question questiontext front prompt term text q",
    "key": "key answer correct correctanswer correctoption answerkey right rightanswer solution back a definition",
    "rationale": "rationale explanation feedback why comment comments reason generalfeedback",
    "topic": "topic tags tag category subject chapter section deck",
    "source": "source reference ref citation",
    "difficulty": "difficulty level",
    "points": "points marks score weight mark",
    "seconds": "seconds time timelimit",
    "hints": "hint hints",
    "model_answer": "modelanswer sampleanswer",
}
_MEANING = {word: column for column, words in _MEANS.items() for word in words.split()}
_OPTION = re.compile(r"(?:option|choice|opt|answeroption|distractor|alternative|wronganswer)([a-z]|\d{1,2})")
_BECAUSE = re.compile(r"(?:because|feedback|explanation|whynot)([a-z]|\d{1,2})")


def rows_of(items: Sequence[Plain]) -> Iterator[list[str]]:
    """The header, then a row an item."""
    most = max((len(item.options) for item in items), default=0)
    yield [*_FIXED, *(f"option_{n + 1}" for n in range(most)), *(f"because_{n + 1}" for n in range(most))]
    for item in items:
        letters = [letter for letter, o in zip(LETTERS, item.options, strict=False) if o.right]
        number = item.number
        row = {name: str(getattr(item, name, "") or "") for name in _FIXED}
        row |= {
            "id": item.name,
            "key": ", ".join(letters) if letters else decimal(number.value) if number else "",
            "unit": number.unit if number else "",
            "tolerance": f"{decimal(number.tolerance * 100)}%" if number else "",
            "mistakes": _lines(f"{decimal(v)} {say}".rstrip() for v, say in number.wrong) if number else "",
            "criteria": _lines(f"{decimal(points)} {say}" for points, say in item.criteria),
            "hints": _lines(item.hints),
            "given": _lines(item.given),
            "points": decimal(item.points),
            "policy": item.policy if len(letters) > 1 else "",
        }
        spare = [""] * (most - len(item.options))
        texts, reasons = [o.text for o in item.options], [o.because for o in item.options]
        yield [*row.values(), *texts, *spare, *reasons, *spare]


def _lines(texts: Iterator[str] | Sequence[str]) -> str:
    return "\n".join(" ".join(text.split()) for text in texts)


def found_in(rows: Sequence[tuple[int, Sequence[str]]]) -> Read:
    """The items of rows (each with its number); the first row names the columns. Raises CannotRead."""
    if not rows:
        raise CannotRead("the sheet is empty")
    if len(rows) > MAX_ROWS:
        raise CannotRead(f"the sheet has {len(rows):,} rows; split it into sheets of at most {MAX_ROWS:,}")
    header = [str(cell).strip() for cell in rows[0][1]]
    columns = [_column(cell) for cell in header]
    if "stem" not in columns:
        known = "question, stem or front"
        raise CannotRead(f"no column is named {known}; the headers are: {', '.join(header) or '(none)'}")
    items: list[Found] = []
    unread: list[tuple[int, str]] = []
    for number, cells in rows[1:]:
        row: dict[str, str] = {}
        for name, cell in zip(columns, cells, strict=False):
            if name and str(cell).strip():
                row.setdefault(name, str(cell).strip())
        if row.get("stem"):
            items.append(_found(number, row))
        elif any(str(cell).strip() for cell in cells):
            unread.append((number, " | ".join(str(cell) for cell in cells if str(cell).strip())))
    mapped = ", ".join(f"{cell} as {name}" for cell, name in zip(header, columns, strict=True) if name)
    left = [cell for cell, name in zip(header, columns, strict=True) if not name and cell]
    notes = [f"columns: {mapped}", *([f"columns not understood: {', '.join(left)}"] if left else [])]
    return Read(tuple(items), tuple(unread), 1, notes=tuple(notes))


def _column(header: str) -> str:
    bare = re.sub(r"[^a-z0-9]", "", header.lower())
    for pattern, name in ((_OPTION, "option"), (_BECAUSE, "because")):
        if match := pattern.fullmatch(bare):
            place = match[1]
            return f"{name} {int(place) if place.isdigit() else ord(place) - ord('a') + 1}"
    if re.fullmatch("[a-h]", bare) and header.strip().isupper() and bare != "q":
        return f"option {ord(bare) - ord('a') + 1}"
    return bare if bare in ("unit", "tolerance", "mistakes", "criteria", "given", "policy") else _MEANING.get(bare, "")


def _found(line: int, row: dict[str, str]) -> Found:
    options: tuple[PlainOption, ...] = ()
    todo: list[str] = []
    key, model = row.get("key", ""), row.get("model_answer", "")
    places = sorted(int(name.split()[1]) for name in row if name.startswith("option "))
    if places:
        offered = [row[f"option {place}"] for place in places]
        if places[0] > 1 and key.casefold() not in map(str.casefold, offered):
            offered = [key, *offered]  # a column for the answer, others for what is wrong
        options, todo = chosen(offered, key, [row.get(f"because {place}", "") for place in places])
    number = number_of(key, row.get("unit", "")) if not options and row.get("kind") != "text" else None
    if number is not None:
        share = read_number(row.get("tolerance", "").removesuffix("%"))
        tolerance = number.tolerance if share is None else share / 100
        number = PlainNumber(number.value, number.unit, tolerance, mistakes_of(row.get("mistakes", "").splitlines()))
    elif not options:
        model = model or key
        todo = [] if model else ["the source gives no answer"]
    texts = ("name", "rationale", "source", "difficulty", "seconds", "points", "policy")
    return made(
        row["stem"],
        line=line,
        options=options,
        number=number,
        model_answer=model if not options and number is None else "",
        tags=[row["topic"]] if "topic" in row else [],
        hints=row.get("hints", "").splitlines(),
        given=row.get("given", "").splitlines(),
        todo=todo,
        **{name: row.get(name, "") for name in texts},
    )
