"""The difference list of a rescoring, as text, JSON or CSV."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from fractions import Fraction

from quizgen.analysis.changes import PersonChange
from quizgen.render.report_csv import Points, row_of
from quizgen.scoring import number
from quizgen.source.problems import printable, shown_points


def _share(points: tuple[Fraction, Fraction]) -> str:
    return f"{float(points[0] / points[1]):.1%}" if points[1] else "–"


def changes_text(found: Iterable[PersonChange | None], what: str, write: Callable[[str], None]) -> None:
    """Each candidate whose score changes, with the items; then how many do."""
    total = changed = up = down = 0
    write(printable(what) + "\n\n")
    for change in found:
        total += 1
        if change is None:
            continue
        changed += 1
        before, after = change.before, change.after
        up += change.rise > 0
        down += change.rise < 0
        if before[1] == after[1]:
            moved = f"{'+' * (change.difference >= 0)}{shown_points(change.difference)}"
        else:
            moved = f"{float(change.rise) * 100:+.1f} percentage points"
        head = (
            f"{change.label}: {shown_points(before[0])} of {shown_points(before[1])} ({_share(before)}) -> "
            f"{shown_points(after[0])} of {shown_points(after[1])} ({_share(after)}), "
            f"{moved}"
        )
        write(printable(head) + "\n")
        for item in change.items:
            write(printable(f"    {item.say}".replace("\n", " ")) + "\n")
    write(f"{changed:,} of {total:,} candidates change: {up:,} gain, {down:,} lose\n")


def changes_json(found: Iterable[PersonChange | None], what: str, write: Callable[[str], None]) -> None:
    total = 0
    write('{"version": 1, "what": ' + json.dumps(what) + ', "changes": [')
    ahead = "\n "
    for change in found:
        total += 1
        if change is not None:
            fields = {
                "candidate": change.label,
                "before": {"earned": number(change.before[0]), "possible": number(change.before[1])},
                "after": {"earned": number(change.after[0]), "possible": number(change.after[1])},
                "difference": number(change.difference),
                "items": [
                    {
                        "item": i.item,
                        "before": number(i.before.earned) if i.before else None,
                        "after": number(i.after.earned) if i.after else None,
                        "line": i.one.line,
                        "say": i.say,
                    }
                    for i in change.items
                ],
            }
            write(ahead + json.dumps(fields))
            ahead = ",\n "
    write(f'\n], "candidates": {total}}}\n')


def changes_csv(found: Iterable[PersonChange | None], what: str, write: Callable[[str], None]) -> None:
    """A row for each item that changes."""
    write(row_of(("candidate", "item", "before", "after", "total_before", "total_after", "file", "line", "why")))
    for change in filter(None, found):
        totals = Points(change.before[0]), Points(change.after[0])
        for item in change.items:
            own = [None if one is None else Points(one.earned) for one in (item.before, item.after)]
            write(row_of((change.label, item.item, *own, *totals, item.one.file, item.one.line, item.say)))


CHANGES = {"text": changes_text, "json": changes_json, "csv": changes_csv}
