"""A form laid out: each variant asked once for what it shows, for every page that shows it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from quizgen.blocks import Blank, Block, Lines, Options, Stimulus
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
    return Layout(label, form, _with_stimuli(placed))


def _with_stimuli(placed: list[Placed]) -> tuple[Placed, ...]:
    """Each stimulus says which items it is for, and from the second part on that it stands above."""
    made = list(placed)
    for name in dict.fromkeys(b.name for one in placed for b in one.stem if isinstance(b, Stimulus)):
        parts = [n for n, one in enumerate(placed) if any(isinstance(b, Stimulus) and b.name == name for b in one.stem)]
        numbers = [placed[n].number for n in parts]
        together = numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 1
        about = f"Items {numbers[0]} to {numbers[-1]}" if together else ""
        for n in parts:
            stem = tuple(
                replace(b, again=together and n != parts[0], about=about) if isinstance(b, Stimulus) else b
                for b in placed[n].stem
            )
            made[n] = replace(placed[n], stem=stem)
    return tuple(made)
