"""One partition of records to candidates, and candidates to sums. Functions of bytes and plain values.

The first pass chooses which responses count and adds up candidates; the second, which knows the
upper and the lower group, adds up items.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from quizgen.analysis.sums import Candidate, Counted, Cuts, Sums, Totals
from quizgen.batch.mapping import PLACE, Place, Record, SessionRecord, seconds_of
from quizgen.batch.spill import Partition, packed

# A candidate in the second spill: (who, counted, details, not reached); details run parallel to
# counted: (place, session, where the scored response stands as text).
Row = tuple[str, Sequence[Counted], Sequence[tuple[int, str | None, Place | None]], Sequence[tuple[str, int]]]


@dataclass(slots=True)
class Gathered:
    """What came of one partition in the first pass. `rows` holds each `Row` packed, by who."""

    number: int
    totals: Totals
    rows: list[bytes] = field(default_factory=list)
    noted: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Person:
    records: list[Record] = field(default_factory=list)
    sessions: list[SessionRecord] = field(default_factory=list)


def resolve(partition: Partition, partitions: int) -> dict[int, bytes]:
    """The partition's records with each session-only record moved to the candidate of its session."""
    chunks = list(partition.chunks())
    links: dict[str, str] = {}
    for _, _, linked in chunks:
        for session, candidate in linked:
            links[session] = min(candidate, links.get(session, candidate))
    moved: dict[int, tuple[list[Any], list[Any], list[Any]]] = {}
    for records, sessions, _ in chunks:
        for index, group in enumerate((records, sessions)):
            for record in group:
                who = links.get(record[0], record[0])
                part = crc32(who.encode("utf-8", "surrogatepass")) % partitions
                moved.setdefault(part, ([], [], []))[index].append((who, *record[1:]))
    return {part: packed(lists) for part, lists in moved.items()}


def gather(partition: Partition, attempt: str) -> Gathered:
    """The candidates of a partition, each with the responses that count."""
    people: dict[str, _Person] = {}
    for records, sessions, _ in partition.chunks():
        for record in records:
            person = people.get(record[0])
            if person is None:
                person = people[record[0]] = _Person()
            person.records.append(record)
        for session in sessions:
            people.setdefault(session[0], _Person()).sessions.append(session)
    done = Gathered(partition.number, Totals())
    for who in sorted(people):
        row = _row(who, people[who], attempt, done.noted)
        if row[1] or row[3]:
            done.rows.append(packed(row))
            done.totals.add(Candidate(row[0], row[1], row[3]))
    return done


def _row(who: str, person: _Person, attempt: str, noted: list[tuple[int, str]]) -> Row:
    by_item: dict[str, list[Record]] = {}
    for record in person.records:
        by_item.setdefault(record[6][0], []).append(record)
    chosen: list[Record] = []
    for records in by_item.values():
        if len(records) > 1:
            records = list(_without_copies(_in_time(records), noted))
            if attempt == "last":
                records = records[-1:]
            elif attempt == "first":
                records = records[:1]
            elif attempt == "best":
                best = max(range(len(records)), key=lambda n: (_share(records[n]), n))
                records = [records[best]]
        chosen.extend(records)
    shown: dict[str, int] = {}
    planned: dict[str, int] = {}
    seen: dict[str, int] = {}
    for _, place, session, items in sorted(person.sessions, key=lambda s: (s[2], s[1])):
        if session in seen:
            noted.append((place, f"session begins again; it began at line {seen[session] & ((1 << PLACE) - 1)}"))
        seen.setdefault(session, place)
        planned.update(items)
        for index, (name, _) in enumerate(items):
            shown.setdefault(name, index)
    chosen.sort(key=lambda r: (shown.get(r[6][0], len(shown)), r[2] or "", r[6][0], r[4], r[1]))
    counted = [(*r[6], r[3]) for r in chosen]
    details = [(r[1], r[5], r[7]) for r in chosen]
    return who, counted, details, sorted((n, p) for n, p in planned.items() if n not in by_item)


def _share(record: Record) -> float:
    earned, possible = record[6][2:4]
    return earned / possible if possible else 0.0


def _in_time(records: list[Record]) -> list[Record]:
    """By time where each has one, else as the lines stand."""
    records.sort(key=lambda r: r[1])
    try:
        times = [seconds_of(r[2]) for r in records if r[2] is not None]
    except (ValueError, OverflowError):
        return records
    if len(times) < len(records):
        return records
    return [r for _, _, r in sorted(zip(times, range(len(records)), records, strict=True), key=lambda t: t[:2])]


def _without_copies(records: list[Record], noted: list[tuple[int, str]]) -> Iterator[Record]:
    """Drops a line that repeats another one to the byte, time included; says which."""
    seen: dict[tuple[int, str], int] = {}
    for record in records:
        if record[2] is not None:
            key = (record[4], record[2])
            if key in seen:
                first = seen[key]
                where = f"line {first & ((1 << PLACE) - 1)}" + (
                    "" if first >> PLACE == record[1] >> PLACE else " of another file"
                )
                noted.append((record[1], f"the same line as {where}; counted once"))
                continue
            seen[key] = record[1]
        yield record


def add_up(partition: Partition, cuts: Cuts, topic_of: dict[str, str], limit: int) -> Sums:
    """The sums by item of the candidates of one partition."""
    sums = Sums(cuts, topic_of, limit)
    for row in partition.chunks():
        sums.add(Candidate(row[0], row[1], row[3]))
    return sums
