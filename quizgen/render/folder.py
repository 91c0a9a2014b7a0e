"""The exam folder: forms, keys, table of answers and manifest, written one form after another.

Only one form is held in memory at a time, however many there are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from quizgen.exam import Exam, labels, points_number
from quizgen.render import key, manifest
from quizgen.render.edition import Edition
from quizgen.render.exam import ExamPages
from quizgen.render.layout import Layout, laid_out
from quizgen.roster import Candidate


@dataclass(frozen=True, slots=True)
class Order:
    """What to write: how many forms, for whom, and whether with a practice edition."""

    exam: Exam
    edition: Edition
    pages: ExamPages
    forms: int = 1
    roster: Sequence[Candidate] = ()
    practice: bool = False

    def form_of(self, candidate: Candidate, names: Sequence[str]) -> str:
        """A candidate's form: the one the roster names, else dealt in turn."""
        return candidate.form or names[(candidate.number - 1) % len(names)]


@dataclass(slots=True)
class _Folder:
    """Counts and names what is written; the only mutable thing here."""

    path: Path
    written: list[str] = field(default_factory=list)

    def write(self, name: str, text: str) -> None:
        with open(self.path / name, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        self.written.append(name)


def write(order: Order, path: Path, done: Callable[[int], None]) -> tuple[str, ...]:
    """Write the whole folder and return the names of its files; `done(n)` after each form.

    Raises OSError where the folder cannot be written.
    """
    path.mkdir(parents=True, exist_ok=True)
    folder = _Folder(path)
    exam = order.exam
    keys = key.Keys(exam.bank.root, order.edition)
    names = tuple(labels(order.forms))
    named: dict[str, list[tuple[Candidate, str]]] = {}
    people = []
    width = max(3, len(str(len(order.roster))))
    minutes = exam.form(names[0]).minutes
    for who in order.roster:
        name = order.form_of(who, names)
        file = f"form-{name}-{who.number:0{width}}.html"
        named.setdefault(name, []).append((who, file))
        people.append(manifest.candidate(exam, who, name, file, points_number(who.minutes(minutes))))
    with _whole(path / "manifest.json") as record, _whole(path / "answers.html") as table:
        record.write(manifest.head(exam, order.edition, points_number(minutes), people))

        def columns() -> Iterator[key.AnswerColumn]:
            for index, name in enumerate(names):
                layout = laid_out(exam, name)
                _write_form(order, folder, keys, layout, named.get(name, ()))
                record.write((",\n" if index else "") + manifest.form_line(layout))
                yield key.column(layout)
                done(index + 1)

        for piece in key.answers(exam, columns(), order.forms, order.edition):
            table.write(piece)
        record.write(manifest.tail())
    if order.roster:
        folder.write("marks.csv", _marks(order, names))
    return (*folder.written, "answers.html", "manifest.json")


@contextmanager
def _whole(path: Path) -> Iterator[TextIO]:
    """A file that takes its name when it is whole: an interrupted run leaves no half manifest."""
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "w", encoding="utf-8", newline="\n") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def _write_form(
    order: Order, folder: _Folder, keys: key.Keys, layout: Layout, named: Sequence[tuple[Candidate, str]]
) -> None:
    name = layout.label
    folder.write(f"form-{name}.html", order.pages.form(layout))
    for who, file in named:
        folder.write(file, order.pages.form(layout, who))
    if order.practice:
        folder.write(f"practice-{name}.html", order.pages.form(layout, practice=True))
    folder.write(f"key-{name}.html", keys.key(layout))


def _marks(order: Order, names: Sequence[str]) -> str:
    """An empty sheet for typing in paper responses: a row a candidate, a column an item."""
    import csv
    import io

    out = io.StringIO(newline="")
    sheet = csv.writer(out, lineterminator="\n")
    count = len(order.exam.chosen)
    sheet.writerow(["candidate", "form", *range(1, count + 1)])
    for who in order.roster:
        sheet.writerow([_cell(who.id or who.name), order.form_of(who, names), *[""] * count])
    return out.getvalue()


def _cell(text: str) -> str:
    """Text that a spreadsheet does not run as a formula."""
    return f"'{text}" if text[:1] in "=+-@\t\r" else text


def left_over(path: Path, written: Sequence[str]) -> list[str]:
    """Forms and keys of an earlier exam that still lie in the folder."""
    kept = set(written)
    found = [p.name for p in path.iterdir() if p.suffix in (".html", ".pdf") and p.name not in kept]
    return sorted(n for n in found if n.startswith(("form-", "key-", "practice-")))
