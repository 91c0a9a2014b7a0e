"""`quizgen score --marks`: what people decided, whether all of it fits, and what it came to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from quizgen.batch.run import Tally
from quizgen.csv_cells import as_typed
from quizgen.exam import marking_key
from quizgen.intake.exams import Manifest
from quizgen.intake.marks import Decisions, read_marks
from quizgen.model import Item
from quizgen.scoring import UNIT, Override
from quizgen.source.problems import Unreadable, did_you_mean, printable, shorten, shown_points


def decisions_of(
    paths: Sequence[str], items: Mapping[str, Item], manifest: Manifest | None, sat: Mapping[str, str]
) -> Decisions:
    """The decisions of all files together."""
    found: Decisions = {}
    for path in dict.fromkeys(paths):
        for key, ones in read_marks(path, items, manifest, sat).items():
            found[key] = (*found.get(key, ()), *ones)
    return found


def check(tally: Tally) -> None:
    """Unreadable, with every row named, where a decision fits no response of the run or cannot be taken."""
    job = tally.job
    if not job.overrides:
        return
    named = {(who, item) for who, item, *_ in tally.decided}
    met = {(as_typed(who), item) for who, item in named}
    met |= {(f"\0{marking_key(job.seed, who)}", item) for who, item in named} if job.seed else set()
    wrong = [why for *_, whys in tally.decided for why in whys]
    lost = [key for key in job.overrides if key not in met]
    if lost:
        names = {row[0][1:] if row[0][0] in "cs" else "" for row in tally.candidates()}
        keys = {f"\0{marking_key(job.seed, name)}" for name in names} if job.seed else set()
        for who, item in lost:
            wrong += [f"{one.place}: {_lost(who, item, names, keys)}" for one in job.overrides[who, item]]
    if wrong:
        raise Unreadable("\n".join([*dict.fromkeys(wrong), "nothing was scored; mend the marks first"]))


def _lost(who: str, item: str, names: set[str], keys: set[str]) -> str:
    if who in names or who in keys:
        return f"the candidate has no response to {item}, not even a blank one; mend the row"
    if who.startswith("\0"):
        return "no candidate of this run has that key; give the answers that the page was made of"
    if not who:
        return "candidate is missing; write the one that the log has"
    hint = did_you_mean(who, names) or "mend the row"
    return f'no candidate "{shorten(printable(who))}" in what is scored; {hint}'


def decided_lines(tally: Tally) -> tuple[str, ...]:
    """What people decided, with the points of the response before and after; where the whole of it was decided, that.
    First what changed any."""
    job = tally.job
    moved = {(who, item, place): (old, new) for who, item, place, old, new, _ in tally.decided if place >= 0}
    if not moved:
        return ()
    people = {who for who, _, _ in moved}
    counted = {
        (row[0][1:], one[0], detail[0])
        for row in tally.candidates()
        if row[0][1:] in people or row[0][0] == "l"
        for one, detail in zip(row[1], row[2], strict=True)
    }
    lines = []
    for (who, item, place), (old, new) in sorted(moved.items(), key=lambda one: (one[1][0] == one[1][1], one[0])):
        if (who, item, place) in counted or (not who and any(c[1:] == (item, place) for c in counted)):
            change = f"the response's points {_shown(old)} -> {_shown(new)}" if old != new else "no point changed"
            ones = [one for one in job.decided(who, item) if one.earned is not None]
            lines += [_line(who, item, one, change) for one in [o for o in ones if not o.criterion] or ones]
    return tuple(lines)


def _line(who: str, item: str, one: Override, change: str) -> str:
    what = f"{item}, {one.criterion}" if one.criterion else item
    unit = "of 1" if one.share else "point" if one.earned == 1 else "points"
    points = f"{shown_points(one.earned or Fraction(0))} {unit}"
    return f"{who or '(no name)'}, {what}: {points}, {one.reason or 'no reason'}; {change}"


def _shown(units: int) -> str:
    return shown_points(Fraction(units, UNIT))
