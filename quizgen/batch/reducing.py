"""One partition of records to candidates, and candidates to sums. Functions of bytes and plain values.

The first pass chooses which responses count and adds up candidates; the second, which knows the
upper and the lower group, adds up items.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any
from zlib import crc32

from quizgen.analysis.sums import CandidateSums, Counted, Cuts, Sums, Totals
from quizgen.batch.mapping import PLACE, Place, Record, SessionRecord
from quizgen.batch.spill import Partition, packed
from quizgen.scoring.log_lines import seconds_of

# A candidate in the second spill: (who, counted, details, not reached); details run parallel to
# counted: (place, session, where the scored response stands as text, points of its session to its own).
Detail = tuple[int, str | None, Place | None, tuple[int, int] | None]
Row = tuple[str, Sequence[Counted], Sequence[Detail], Sequence[tuple[str, int]]]
# What is said of a place; {} in it stands for another place, -1 where there is none.
Noted = tuple[int, str, int]

CLOCK = 1.0  # seconds by which times of one session may stand back


@dataclass(slots=True)
class Gathered:
    """What came of one partition in the first pass. `rows` holds each `Row` packed, by who."""

    number: int
    totals: Totals
    rows: list[bytes] = field(default_factory=list)
    noted: list[Noted] = field(default_factory=list)


@dataclass(slots=True)
class _Person:
    records: list[Record] = field(default_factory=list)
    sessions: list[SessionRecord] = field(default_factory=list)


def resolve(partition: Partition, partitions: int) -> dict[int, bytes]:
    """The partition's records with each session-only record moved to the candidate of its session. Only
    the source that a session stands in says whose it is."""
    chunks = list(partition.chunks())
    links: dict[tuple[str, int], str] = {}
    for _, _, linked in chunks:
        for session, source, candidate in linked:
            links[session, source] = min(candidate, links.get((session, source), candidate))
    moved: dict[int, tuple[list[Any], list[Any], list[Any]]] = {}
    for records, sessions, _ in chunks:
        for index, group in enumerate((records, sessions)):
            for record in group:
                who = links.get((record[0], record[1] >> PLACE), record[0])
                part = crc32(who.encode("utf-8", "surrogatepass")) % partitions
                moved.setdefault(part, ([], [], []))[index].append((who, *record[1:]))
    return {part: packed(lists) for part, lists in moved.items()}


def gather(partition: Partition, attempt: str, handed_in: frozenset[int] = frozenset()) -> Gathered:
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
        person = people[who]
        keep_to_sources(person, handed_in, done.noted)
        row = _row(who, person, attempt, done.noted)
        if row[1] or row[3]:
            done.rows.append(packed(row))
            done.totals.add(CandidateSums(row[0], row[1], row[3]))
    return done


def keep_to_sources(person: _Person, handed_in: frozenset[int], noted: list[Noted]) -> None:
    """Leave out what another source says in the name of a session, or of whoever has handed in already.

    A session belongs to the source that it begins in, the first by name where it begins in several; a form
    that was handed in belongs to one file. What is left out is named, and so is a source that speaks of the
    candidate without any session.
    """
    if not handed_in and len({r[1] >> PLACE for r in person.records} | {s[1] >> PLACE for s in person.sessions}) == 1:
        return
    places: list[tuple[int, str | None]] = sorted(((s[1], s[2]) for s in person.sessions), key=itemgetter(0))
    places += sorted(((r[1], r[5]) for r in person.records), key=itemgetter(0))
    first: dict[str | None, int] = {}
    for place, session in places:
        first.setdefault(session, place)
    sat = sorted({(place >> PLACE, str(session)) for place, session in places if place >> PLACE in handed_in})
    told: set[tuple[int, str | None]] = set()

    def out(place: int, session: str | None) -> bool:
        source = place >> PLACE
        if sat and source in handed_in and (source, session) != sat[0]:
            where, why = first[sat[0][1]], "this candidate has handed in already: {}; what stands here does not count"
        elif session is not None and first[session] >> PLACE != source:
            where, why = first[session], "the session belongs to another file: {}; what stands here does not count"
        else:
            return False
        if (source, session) not in told:
            told.add((source, session))
            noted.append((place, why, where))
        return True

    person.sessions = [s for s in person.sessions if not out(s[1], s[2])]
    person.records = [r for r in person.records if not out(r[1], r[5])]
    sources = {r[1] >> PLACE for r in person.records}
    if len(sources) > 1:
        bare = [r[1] for r in person.records if r[5] is None]
        if bare:
            other = min(r[1] for r in person.records if r[1] >> PLACE != max(bare) >> PLACE)
            why = "no session says whose responses these are; they count together with those of the same name in {}"
            noted.append((min(p for p in bare if p >> PLACE == max(bare) >> PLACE), why, other))


def _row(who: str, person: _Person, attempt: str, noted: list[Noted]) -> Row:
    by_item: dict[str, list[Record]] = {}
    for record in person.records:
        by_item.setdefault(record[6][0], []).append(record)
    began = _began(person.records, noted)
    chosen: list[Record] = []
    for records in by_item.values():
        if len(records) > 1:
            records = list(_without_copies(_in_order(records, began), noted))
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
    worth: dict[tuple[str | None, str], int] = {}
    seen: dict[str, int] = {}
    for _, place, session, items in sorted(person.sessions, key=lambda s: (s[2], s[1])):
        if session in seen:
            noted.append((place, f"session begins again; it began at line {seen[session] & ((1 << PLACE) - 1)}", -1))
        seen.setdefault(session, place)
        planned.update(items)
        for index, (name, points) in enumerate(items):
            shown.setdefault(name, index)
            worth.setdefault((session, name), points)
    chosen.sort(key=lambda r: (shown.get(r[6][0], len(shown)), r[2] or "", r[6][0], r[4], r[1]))
    counted: list[Counted] = []
    details: list[Detail] = []
    for r in chosen:
        points = worth.get((r[5], r[6][0]), r[6][3])
        name, outcome, earned, possible, options, diagnosis, drawn, said, marks = r[6]
        scale = None
        if points != possible and possible:
            noted.append((r[1], "points unlike those of its session; the session's count", -1))
            earned, possible, scale = (2 * earned * points + possible) // (2 * possible), points, (points, possible)
        counted.append((name, outcome, earned, possible, options, diagnosis, drawn, r[3], said, marks))
        details.append((r[1], r[5], r[7], scale))
    return who, counted, details, sorted((n, p) for n, p in planned.items() if n not in by_item)


def _share(record: Record) -> float:
    earned, possible = record[6][2:4]
    return earned / possible if possible else 0.0


def _began(records: list[Record], noted: list[Noted]) -> dict[str, float]:
    """When each session began by its earliest line; a clock that went back in it is told."""
    found: dict[str, float] = {}
    latest: dict[str, tuple[float, float]] = {}
    for record in sorted((r for r in records if r[8] is not None and r[5] is not None), key=lambda r: (r[8], r[1])):
        session, moment = str(record[5]), _moment(record[2])
        if moment is None:
            continue
        before, told = latest.get(session, (moment, 0.0))
        if moment < before - CLOCK and not told:
            noted.append((record[1], "the clock went back during the session; its own order holds", -1))
            told = 1.0
        latest[session] = (max(moment, before), told)
        found[session] = min(moment, found.get(session, moment))
    return found


def _moment(at: str | None) -> float | None:
    try:
        return None if at is None else seconds_of(at)
    except (ValueError, OverflowError):
        return None


def _in_order(records: list[Record], began: dict[str, float]) -> list[Record]:
    """In a session by its own time, which no clock sets back; else by the times of the lines where each has
    one, or as the lines stand."""
    records.sort(key=lambda r: r[1])
    keys: list[tuple[float, float]] = []
    for r in records:
        moment = _moment(r[2])
        if moment is None:
            break
        in_session = r[8] is not None and r[5] in began
        keys.append((began[str(r[5])], r[8] or 0.0) if in_session else (moment, 0.0))
    else:
        return [r for _, _, r in sorted(zip(keys, range(len(keys)), records, strict=True), key=lambda t: t[:2])]
    if len({r[5] for r in records}) == 1 and all(r[8] is not None for r in records):
        records.sort(key=lambda r: (r[8], r[1]))
    return records


def _without_copies(records: list[Record], noted: list[Noted]) -> Iterator[Record]:
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
                noted.append((record[1], f"the same line as {where}; counted once", -1))
                continue
            seen[key] = record[1]
        yield record


def add_up(partition: Partition, cuts: Cuts, topic_of: dict[str, str], limit: int) -> Sums:
    """The sums by item of the candidates of one partition."""
    sums = Sums(cuts, topic_of, limit)
    for row in partition.chunks():
        sums.add(CandidateSums(row[0], row[1], row[3]))
    return sums
