"""What each form of an exam would hold, in a table: topic, kind, difficulty, items, points, minutes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from quizgen.exam import Exam, labels, points_text
from quizgen.model import ZERO, Form

MOST = 12  # forms with columns of their own


def plan_lines(exam: Exam, count: int) -> Iterator[str]:
    """A row for each topic, kind and difficulty, with items and points a form; then the sums and their spread."""
    names = list(labels(count))
    forms = [exam.form(name) for name in names]
    shown = names[:MOST]
    yield f"{exam.blueprint.title}: exam {exam.code}, {count} {'form' if count == 1 else 'forms'}"
    yield f"  {'topic':<20} {'kind':<8} {'level':<5} " + "".join(f"{f'{n}: items, points':>18}" for n in shown)
    for (topic, kind, level), row in sorted(_cells(forms[:MOST]).items()):
        held = "".join(f"{f'{items}, {points_text(points)}':>18}" for items, points in row)
        yield f"  {topic[:20]:<20} {kind:<8} {level:<5} {held}"
    yield ""
    yield from _sums(forms, shown)
    yield f"  the time of the exam: {points_text(forms[0].minutes)} minutes"
    if exam.anchors:
        common = sum((e.possible for e in forms[0].entries if e.variant.item.id in exam.anchors), ZERO)
        share = common / forms[0].possible
        few = "" if share >= Fraction(1, 5) else "; too few: equating wants a fifth at least"
        yield f"  in common: {len(exam.anchors)} items, {float(share):.0%} of the points{few}"
        yield f"    {', '.join(exam.anchors)}"


def _cells(forms: Sequence[Form]) -> dict[tuple[str, str, str], list[tuple[int, Fraction]]]:
    """Items and points in each form, by topic, kind and difficulty."""
    cells: dict[tuple[str, str, str], list[tuple[int, Fraction]]] = {}
    for index, form in enumerate(forms):
        for entry in form.entries:
            item = entry.variant.item
            key = (item.topic or "(none)", item.kind, str(item.difficulty or "–"))
            row = cells.setdefault(key, [(0, ZERO)] * len(forms))
            row[index] = (row[index][0] + 1, row[index][1] + entry.possible)
    return cells


def _sums(forms: Sequence[Form], shown: Sequence[str]) -> Iterator[str]:
    """A line for each sum over a form, and its spread over all forms. `shown` names the forms that are printed."""
    for name, values in (
        ("items", [Fraction(len(f.entries)) for f in forms]),
        ("points", [f.possible for f in forms]),
        ("minutes by the items", [Fraction(_seconds(f), 60) for f in forms]),
        ("sum of difficulty", [Fraction(sum(e.variant.item.difficulty or 0 for e in f.entries)) for f in forms]),
    ):
        listed = ", ".join(f"{n} {float(v):g}" for n, v in zip(shown, (round(v, 1) for v in values), strict=False))
        spread = float(round(max(values) - min(values), 1))
        more = " …" if len(forms) > MOST else ""
        yield f"  {name}: {listed}{more}; " + (f"spread {spread:g}" if spread else "all forms alike")


def _seconds(form: Form) -> int:
    return sum(entry.variant.item.seconds for entry in form.entries)
