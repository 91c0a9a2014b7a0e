"""Responses on paper, typed in or scanned: a table with a row a candidate and a column an item number.

Every row must fit a candidate, a form and its items, or nothing of the sheet is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from quizgen.csv_cells import typed
from quizgen.intake.exams import Line, Manifest, block_of, resolved, response_line, session_line
from quizgen.intake.lines import Damaged
from quizgen.intake.sources import Block
from quizgen.intake.tables import names_of, table
from quizgen.source.problems import Unreadable, did_you_mean, printable, shorten

OTHERS = ("candidate", "form", "name", "number", "note")  # columns that are no item


def sheet(path: str, manifest: Manifest | None) -> Block:
    """The rows of a sheet as one block; without its exam's manifest the one fault that says what to type.
    Unreadable names every row that fits nothing, and rows of one candidate that disagree."""
    if manifest is None:
        return block_of([], [(1, sheet_alone(path))])
    rows = table(path, "a sheet")
    lines: list[Line] = []
    wrong: list[str] = []
    seen: dict[str, tuple[int, list[str]]] = {}
    names = names_of(rows)
    _columns(path, names, manifest)
    for number, row in rows:
        cells = [typed(cell).strip() for cell in row]
        if not any(cells):
            continue
        try:
            made = list(_row(number, names, cells, manifest))
            first, before = seen.setdefault(made[0][1]["candidate"], (number, cells))
            if cells != before:
                raise Damaged(f"another row of the candidate of line {first}, and they differ; keep one")
            lines += made
        except Damaged as error:
            wrong.append(f"{path}:{number}: {error}")
    if wrong:
        raise Unreadable("\n".join([*wrong, f"{path}: nothing was scored; mend the sheet first"]))
    return block_of(lines, [])


def sheet_alone(path: str) -> str:
    """What to do with a sheet that was given as a log."""
    return (
        "a CSV sheet, not a log; its letters are read by the exam's manifest, so type "
        f"`quizgen score --sheet {printable(path)} --manifest DIR/manifest.json`"
    )


def _columns(path: str, names: Sequence[str], manifest: Manifest) -> None:
    if "earned" in names:
        raise Unreadable(f"{path}: a sheet of points (a column earned); --marks takes it, --sheet takes responses")
    if "candidate" not in names:
        raise Unreadable(f"{path}: the first row must name the columns candidate, form, 1, 2, 3 …")
    numbers = {str(item["n"]) for form in manifest.forms.values() for item in form["items"]}
    known = (*OTHERS, *sorted(numbers, key=int))
    for index, name in enumerate(names):
        if name in names[:index]:
            raise Unreadable(f'{path}:1: the column "{printable(name)}" is there twice; keep one')
        if name not in known and name:
            hint = did_you_mean(name, OTHERS) or f"the items are 1 to {len(numbers)}"
            raise Unreadable(f'{path}:1: unknown column "{shorten(printable(name))}"; {hint}')


def _row(number: int, names: Sequence[str], row: Sequence[str], manifest: Manifest) -> Iterator[Line]:
    cells = dict(zip(names, row, strict=False))
    if any(row[len(names) :]):
        raise Damaged("more cells than columns; put a cell that holds a comma in quotes")
    who = cells.get("candidate", "")[:400]
    if not who:
        raise Damaged("no candidate; write the ID that is on the paper")
    if manifest.people and who not in manifest.people:
        own = next((key for key, person in manifest.people.items() if person.get("name") == who), "")
        hint = f'write the id, "{own}"' if own else did_you_mean(who, manifest.people) or "mend the cell or the roster"
        raise Damaged(f'candidate "{shorten(printable(who))}" is not on the roster; {hint}')
    label = cells.get("form", "")
    form = manifest.form(label) if label else manifest.form_of(who, {})
    if form is None:
        shown = shorten(printable(label))
        raise Damaged(f'form "{shown}" is not in the manifest' if label else "no form; write its letter in the row")
    lacking = [item["n"] for item in form["items"] if str(item["n"]) not in names]
    if lacking:
        raise Damaged(f"no column for item {lacking[0]} of form {form['code']}; add it (an empty cell is a blank)")
    session = f"{form['code']}/{who}"
    yield number, session_line(session, who, form, manifest)
    for item in form["items"]:
        yield number, response_line(session, who, form, item, resolved(cells.get(str(item["n"]), ""), item))
