"""A form laid out: each variant asked once for what it shows, for every page that shows it."""

from __future__ import annotations

from dataclasses import dataclass

from quizgen.blocks import Blank, Block, Lines, Options
from quizgen.exam import Exam
from quizgen.model import Entry, Form

Area = Options | Blank | Lines


@dataclass(frozen=True, slots=True)
class Placed:
    """One entry at its place: number in the form, opaque reference, stem, response area, key."""

    number: int
    ref: str
    entry: Entry
    stem: tuple[Block, ...]
    area: Area | None
    key: str


@dataclass(frozen=True, slots=True)
class Layout:
    """One form with its label and its placed entries."""

    label: str
    form: Form
    placed: tuple[Placed, ...]


def laid_out(exam: Exam, label: str) -> Layout:
    form = exam.form(label)
    placed = []
    for number, entry in enumerate(form.entries, 1):
        stem: list[Block] = []
        area: Area | None = None
        for block in entry.variant.prompt():
            if isinstance(block, (Options, Blank, Lines)):
                area = block
            else:
                stem.append(block)
        ref = exam.ref(label, entry.variant.item.id)
        placed.append(Placed(number, ref, entry, tuple(stem), area, entry.variant.key_text()))
    return Layout(label, form, tuple(placed))
