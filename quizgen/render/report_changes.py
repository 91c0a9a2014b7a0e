"""Compares two scorings of the same log: whose score changes, by how much, and why."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from heapq import merge
from itertools import count, groupby

from quizgen.analysis.report import CandidateResult
from quizgen.model import ZERO, points_as_json
from quizgen.render.debrief import points_ratio_text
from quizgen.render.report_csv import PointsNumber, rows_to_csv
from quizgen.scoring.response import ScoredResponse
from quizgen.source.problems import printable, shorten, up_to_2_decimals


@dataclass(frozen=True, slots=True)
class ItemChange:
    """One response before and after, with other points; None on the side on which it is not scored."""

    item_id: str
    old_response: ScoredResponse | None
    new_response: ScoredResponse | None

    @property
    def latest_response(self) -> ScoredResponse:
        """The response as scored now or, if it no longer is, as scored before."""
        response = self.new_response or self.old_response
        assert response is not None, "one of them is there"
        return response

    @property
    def outcome_change_text(self) -> str:
        """The old and the new outcome and, in the scorer's words, the reason for the new one."""
        before, now = self.old_response, self.new_response
        old, new = (r and f"{r.outcome} {points_ratio_text(r.earned, r.possible, ' of ')}" for r in (before, now))
        if before is None:
            return f"{self.item_id}: not scored before, now {new}"
        if now is None:
            return f"{self.item_id}: {old} before, now not scored"
        reasons = "; ".join(m.because for m in now.score.marks if m.because) or now.outcome
        return f'{self.item_id}: {old} -> {new}; "{shorten(" ".join(now.response_text.split()))}": {reasons}'


@dataclass(frozen=True, slots=True)
class CandidateScoreChange:
    """A candidate whose points or possible points change, with (earned, possible) before and now."""

    candidate_label: str
    old_earned_and_possible: tuple[Fraction, Fraction]
    new_earned_and_possible: tuple[Fraction, Fraction]
    item_changes: tuple[ItemChange, ...]


def score_changes(
    old_results: Iterable[CandidateResult], new_results: Iterable[CandidateResult]
) -> Iterator[CandidateScoreChange | None]:
    """Yields for each candidate the change, or None if the score stays. Both must be sorted by `candidate_key`."""
    sides = merge(
        (("old", p) for p in old_results), (("new", p) for p in new_results), key=lambda side: side[1].candidate_key
    )
    for _, candidate_sides in groupby(sides, key=lambda side: side[1].candidate_key):
        person = dict(candidate_sides)
        old_responses, new_responses = (_responses_by_item_and_repeat(person.get(side)) for side in ("old", "new"))
        items = []
        for key in sorted({*old_responses, *new_responses}):
            old, new = old_responses.get(key), new_responses.get(key)
            if old is None or new is None or (old.earned, old.possible) != (new.earned, new.possible):
                items.append(ItemChange(key[0], old, new))
        sums = {side: (one.earned, one.possible) for side, one in person.items()}
        old_sums, new_sums = (sums.get(side, (ZERO, ZERO)) for side in ("old", "new"))
        yield CandidateScoreChange(person[max(person)].label, old_sums, new_sums, tuple(items)) if items else None


def _responses_by_item_and_repeat(person: CandidateResult | None) -> dict[tuple[str, int], ScoredResponse]:
    """The responses by (item id, number); the number, from 0, tells several responses to an item apart."""
    counter_by_item: defaultdict[str, count[int]] = defaultdict(count)
    return {(one.item_id, next(counter_by_item[one.item_id])): one for one in (person.responses if person else ())}


def write_changes_as_text(
    changes: Iterable[CandidateScoreChange | None], description: str, write: Callable[[str], None]
) -> None:
    """Writes each candidate whose score changes, with the items, then the number of these candidates."""
    total = change_count = gains = losses = 0
    write(printable(description) + "\n\n")
    for change in changes:
        total += 1
        if change is None:
            continue
        sums = (change.old_earned_and_possible, change.new_earned_and_possible)
        shares = [earned / possible if possible else ZERO for earned, possible in sums]
        change_count += 1
        gains += shares[1] > shares[0]
        losses += shares[1] < shares[0]
        (old_points, old_possible), (new_points, new_possible) = sums
        difference = f"{float(shares[1] - shares[0]) * 100:+.1f} percentage points"  # matters if an item was dropped
        if old_possible == new_possible:
            difference = f"{'+' * (new_points >= old_points)}{up_to_2_decimals(new_points - old_points)}"
        sides = (
            f"{points_ratio_text(*pair, ' of ')} ({f'{float(share):.1%}' if pair[1] else '–'})"
            for pair, share in zip(sums, shares, strict=True)
        )
        write(printable(f"{change.candidate_label}: {' -> '.join(sides)}, {difference}") + "\n")
        for item in change.item_changes:
            write(printable(f"    {item.outcome_change_text}".replace("\n", " ")) + "\n")
    write(f"{change_count:,} of {total:,} candidates change: {gains:,} gain, {losses:,} lose\n")


def write_changes_as_json(
    changes: Iterable[CandidateScoreChange | None], description: str, write: Callable[[str], None]
) -> None:
    """Writes one JSON object with a list of the candidates whose score changes and the number of all candidates."""
    total = 0
    write('{"version": 1, "what": ' + json.dumps(description) + ', "changes": [')
    separator = "\n "
    for change in changes:
        total += 1
        if change is None:
            continue
        old, new = change.old_earned_and_possible, change.new_earned_and_possible
        before, after = (dict(zip(("earned", "possible"), map(points_as_json, s), strict=True)) for s in (old, new))
        items = []
        for item in change.item_changes:
            pair = (one and points_as_json(one.earned) for one in (item.old_response, item.new_response))
            row = {"item": item.item_id, **dict(zip(("before", "after"), pair, strict=True))}
            items.append(row | {"line": item.latest_response.line_number, "say": item.outcome_change_text})
        fields = {"candidate": change.candidate_label, "before": before, "after": after}
        write(separator + json.dumps(fields | {"difference": points_as_json(new[0] - old[0]), "items": items}))
        separator = ",\n "
    write(f'\n], "candidates": {total}}}\n')


def write_changes_as_csv(
    changes: Iterable[CandidateScoreChange | None], description: str, write: Callable[[str], None]
) -> None:
    """Writes a row for each item whose score changes."""
    write(rows_to_csv(("candidate", "item", "before", "after", "total_before", "total_after", "file", "line", "why")))
    for change in filter(None, changes):
        totals = PointsNumber(change.old_earned_and_possible[0]), PointsNumber(change.new_earned_and_possible[0])
        for item in change.item_changes:
            pair = [None if one is None else PointsNumber(one.earned) for one in (item.old_response, item.new_response)]
            file, line = item.latest_response.file_name, item.latest_response.line_number
            row = change.candidate_label, item.item_id, *pair, *totals, file, line, item.outcome_change_text
            write(rows_to_csv(row))


CHANGE_WRITER_BY_FORMAT = {"text": write_changes_as_text, "json": write_changes_as_json, "csv": write_changes_as_csv}
