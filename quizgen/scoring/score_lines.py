"""One block of lines of a log, scored: a function of the block and the job alone, here or in another process.

A `ScoredBlock` holds the rows of the table of responses (`response_table`) and what must be said of lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any
from zlib import crc32

from quizgen.model import Given, Item
from quizgen.page import read_letters
from quizgen.scoring import log_lines as log
from quizgen.scoring.log_files import Block
from quizgen.scoring.log_lines import Damaged, seconds_of
from quizgen.scoring.overrides import Changes, Override, faults, marking_key, overridden, scaled_from
from quizgen.scoring.response import units
from quizgen.scoring.response_table import LINE, PLACE, ResponseRow, SessionRow, bytes_of, columns_of, encoded, line_of
from quizgen.scoring.scorer import Facts, NoVariant, Scorer, Verdict, facts_of
from quizgen.source.problems import did_you_mean, printable, shorten
from quizgen.spreadsheet import as_typed

MAX_POINTS = 1_000_000
MAX_HINTS = 100
MAX_SECONDS = 10_000_000
NAMED = re.compile(r'"item"\s*:\s*"([^"\\]+)"')

# Session, item and criterion that a candidate disputes; when, and what is claimed.
Dispute = tuple[tuple[str, str, str], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Job:
    """What is to be done with every line; the same for every block, here or elsewhere."""

    items: Mapping[str, Item]
    digest: str = ""
    shown: Mapping[str, Item] = field(default_factory=dict)  # what the letters of the log stood for, if not `items`
    changes: Changes = field(default_factory=Changes)
    overrides: Mapping[tuple[str, str], tuple[Override, ...]] = field(default_factory=dict)
    candidates: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    since: float | None = None  # seconds since 1970, UTC
    lines: bool = False  # write a JSON line for each response
    records: bool = True  # keep rows for candidates and item statistics
    explained: bool = False  # keep responses, marks and reasons, not only points
    marks: bool = True  # of what is explained, the marks and reasons too
    statistics: bool = True  # keep what item statistics count
    names: tuple[str, ...] = ()  # of the sources, where there are several
    handed_in: frozenset[int] = frozenset()  # sources that hold one form of each candidate: answers, sheets
    seed: str = ""  # of the exam, for marks by the keys of a marking page

    def wants(self, called: str, topic: str) -> bool:
        """Whether the filters leave in what a candidate (or a session) gave to items on a topic."""
        return (not self.candidates or called in self.candidates) and (not self.topics or topic in self.topics)

    def too_early(self, moment: float | None) -> bool:
        """Whether a response of a moment (seconds since 1970; None: it has no time) is from before `since`."""
        return self.since is not None and (moment is None or moment < self.since)

    def overrides_of(self, name: str, item: str) -> tuple[Override, ...]:
        """What a person decided of a candidate's responses to an item."""
        found = self.overrides.get((as_typed(name), item), ())
        if self.seed:
            found += self.overrides.get((f"\0{marking_key(self.seed, name)}", item), ())
        return found


@dataclass(frozen=True, slots=True)
class DecidedResponse:
    """A response that a person decided: its id in the table, points in units before and after, and why the decision
    cannot be taken. One that the filters leave out has the id -1."""

    who: str
    item: str
    id: int = -1
    before: int = 0
    after: int = 0
    faults: tuple[str, ...] = ()
    scaled: tuple[str, ...] = ()  # decisions written for other points than the response earns here


@dataclass(slots=True)
class ScoredBlock:
    """What came of one block: rows of the table, counts, and lines that are damaged or noted, each with its number."""

    source: int
    responses: int = 0
    left_out: int = 0
    untimed: int = 0
    sessions: int = 0
    changed: int = 0  # sessions of another state of the bank
    weighted: int = 0  # lines of no session with points of their own
    damaged: list[tuple[int, str]] = field(default_factory=list)
    noted: list[tuple[int, str]] = field(default_factory=list)
    decided: list[DecidedResponse] = field(default_factory=list)
    written: list[tuple[int, str]] = field(default_factory=list)  # place in the block and text of each response
    rows: list[ResponseRow] = field(default_factory=list)
    session_rows: list[SessionRow] = field(default_factory=list)
    disputes: list[Dispute] = field(default_factory=list)
    banks: set[str] = field(default_factory=set)  # that sessions name
    facts: dict[str, Facts | None] = field(default_factory=dict)  # of the items of its responses; None: not asked for


@lru_cache(maxsize=1_000)
def _points(number: float) -> Fraction:
    return Fraction(str(number))


@dataclass(frozen=True, slots=True)
class Share:
    """Share `number` of `shares`; `owners` says whose an item is, -1 for one that many lines are of."""

    number: int = 0
    shares: int = 1
    owners: Mapping[str, int] = field(default_factory=dict)

    def holds(self, text: str) -> bool:
        """Whether a line is of this share: by its item, else by its text, so that what is written twice meets the
        same memory."""
        if self.shares == 1:
            return True
        named = NAMED.search(text)
        name = named[1] if named else text
        owner = self.owners.get(name, None if named else -1)
        if owner is None:
            owner = checksum(name)
        elif owner < 0:
            owner = checksum(text)
        return owner % self.shares == self.number


WHOLE = Share()


def checksum(text: str) -> int:
    """A number that stands for a text."""
    return crc32(text.encode("utf-8", "surrogatepass"))


def _who(candidate: str | None, session: str | None, fingerprint: int, place: int) -> str:
    """Whose the line is, as the table names candidates (`response_table.SCHEMA`)."""
    if candidate is not None:
        return "c" + candidate
    return f"l{fingerprint:08x}:{place:020d}" if session is None else "s" + session


def _elapsed(record: Mapping[str, object]) -> float | None:
    """The time that the session had used; None where the line has none that can be used."""
    value = record.get("elapsed")
    return value if type(value) in (int, float) and 0 <= value <= MAX_SECONDS else None  # type: ignore[operator,return-value]  # a number


class BlockScorer:
    """Scores blocks; keeps what it learnt about responses from one block to the next."""

    def __init__(self, job: Job, share: Share = WHOLE) -> None:
        self.job = job
        self.share = share
        self.scorer = Scorer(job.items, job.changes, job.records and job.statistics)
        self.shown = Scorer(job.shown) if job.shown else None
        self._facts: dict[str, Facts | None] = {}
        self._worths: dict[str, int] = {}  # points of an item in units

    def score(self, block: Block) -> ScoredBlock:
        """Every line of the block that is of this worker's share."""
        job, done = self.job, ScoredBlock(block.source)
        texts, bad = block.lines()
        if self.share.number == 0:
            done.damaged.extend(block.faults)
            done.damaged.extend(bad)
        high = block.source << PLACE
        ending = f', "file": {quoted(job.names[block.source])}}}\n' if job.names else "}\n"
        for index, text in enumerate(texts):
            if not text or text.isspace() or not self.share.holds(text):
                continue
            number = block.number(index)
            try:
                record = log.parse(text)
                kind = log.kind_of(record)
                if kind != "response":
                    self._other(record, kind, high | number, high | block.first + index, done)
                    continue
                found = self._response(record, text, high | number, high | block.first + index, done)
            except Damaged as error:
                done.damaged.append((number, str(error)))
                continue
            if found is None:
                continue
            candidate, verdict, row = found
            done.responses += 1
            if job.lines:
                name = "null" if candidate is None else quoted(candidate)
                done.written.append((index, f'{{"line": {number}, "candidate": {name}, {line_of(verdict)}{ending}'))
            if job.records:
                if verdict.item not in done.facts:
                    done.facts[verdict.item] = self._facts_of(verdict.item)
                done.rows.append(row)
        done.damaged.sort()
        return done

    def _facts_of(self, name: str) -> Facts | None:
        """The facts of an item, worked out once. Each block carries those of its items: a worker of a cluster may
        have scored other blocks for an earlier run."""
        if name not in self._facts:
            self._facts[name] = None
            if self.job.statistics:
                self._facts[name] = facts_of(self.job.items[name])
        return self._facts[name]

    def _response(
        self, record: dict[str, Any], text: str, place: int, own: int, done: ScoredBlock
    ) -> tuple[str | None, Verdict, ResponseRow] | None:
        """The candidate, the verdict and the row of a response; None where a filter leaves it out. Raises Damaged."""
        job, number = self.job, place & LINE
        name, response = log.item_of(record), log.response_of(record)
        candidate, session = log.text_of(record, "candidate"), log.text_of(record, "session")
        item = self._item_named(name)
        called = candidate or session or ""
        overrides = job.overrides_of(called, item.id) if job.overrides else ()
        if overrides:
            done.decided.append(DecidedResponse(called, item.id))
        if not job.wants(called, item.topic):
            done.left_out += 1
            return None
        seconds, at, moment = self._times(record, number, done)
        if job.too_early(moment):
            done.left_out += 1
            done.untimed += moment is None
            return None
        seed, given, points = log.text_of(record, "seed"), log.given_of(record), self._points_of(record)
        verdict = self._verdict(record, item, seed, given, response, points, done, number)
        if overrides:
            verdict = self._by_hand(verdict, overrides, called, session, own, done)
        if points is not None and session is None and points != item.points:
            done.weighted += 1
        if not job.records:
            return candidate, verdict, ()
        fingerprint = checksum(text)
        who = bytes_of(_who(candidate, session, fingerprint, place))
        elapsed = _elapsed(record) if session is not None else None
        given_text = encoded(response) if job.explained else None
        columns = columns_of(verdict, job.explained, job.marks, job.statistics)
        row = own, place, who, session and bytes_of(session), at, seconds, elapsed, fingerprint, given_text, *columns
        return candidate, verdict, row

    def _item_named(self, name: str) -> Item:
        item = self.job.items.get(name)
        if item is None:
            hint = did_you_mean(name, self.job.items) or "is this the right bank?"
            raise Damaged(f'no item "{shorten(printable(name))}" in the bank; {hint}')
        return item

    def _verdict(
        self,
        record: dict[str, Any],
        item: Item,
        seed: str | None,
        given: Mapping[str, str] | None,
        response: Given,
        points: Fraction | None,
        done: ScoredBlock,
        number: int,
    ) -> Verdict:
        """The verdict on the response of a line to the variant that it names; a drawn value that no variant has is
        noted. Raises Damaged."""
        hints = self._hints_of(record)
        if self.shown is not None:
            response = self._as_shown(item.id, seed, given, response)
        try:
            verdict = self.scorer.verdict(item, seed, given, response, points, hints, log.earlier_of(record))
        except NoVariant as error:
            raise Damaged(f'{item.id}: {error}; give the line "seed" or "given"') from None
        strange = self.scorer.outside(item, given) if given else ()
        if strange:
            why = f"{' and '.join(strange)}: given a value that {item.id} never draws; scored by it"
            done.noted.append((number, why))
        return verdict

    def _times(
        self, record: dict[str, Any], number: int, done: ScoredBlock
    ) -> tuple[float | None, str | None, float | None]:
        """Seconds, time as written, and the time in seconds since 1970 where one is asked for; what is not a time is
        noted and ignored."""
        seconds = at = None
        try:
            seconds = log.number_of(record, "seconds", MAX_SECONDS)
            at = log.time_of(record)
            return seconds, at, seconds_of(at) if at is not None and self.job.since is not None else None
        except (Damaged, ValueError, OverflowError) as error:
            why = str(error) if isinstance(error, Damaged) else "at is not a possible time"
            done.noted.append((number, f"{why}; it was ignored and the response scored"))
            return seconds, at, None

    def _by_hand(
        self,
        verdict: Verdict,
        overrides: Sequence[Override],
        called: str,
        session: str | None,
        own: int,
        done: ScoredBlock,
    ) -> Verdict:
        """The verdict after a person's decisions; of an item that was dropped as it is."""
        if verdict.item in self.job.changes.dropped:
            return verdict
        score = overridden(verdict.score, overrides)
        points = units(verdict.score.earned), units(score.earned)
        wrong, other = tuple(faults(verdict.score, overrides, session)), tuple(scaled_from(verdict.score, overrides))
        done.decided.append(DecidedResponse(called, verdict.item, own, *points, wrong, other))
        return Verdict(verdict.item, score, verdict.chosen, verdict.drawn, verdict.summary)

    def _as_shown(self, name: str, seed: str | None, given: Mapping[str, str] | None, response: Given) -> Given:
        """Letters as the texts that stood there in the bank that was shown. A single option that only its text
        tells from the other bank's is the same one reworded."""
        assert self.shown is not None
        old, new = self.shown.items.get(name), self.job.items[name]
        try:
            order = self.shown.variant(old, seed, given)[2] if old is not None else ()
            now = set(self.scorer.variant(new, seed, given)[2])
        except NoVariant:
            return response
        pieces = (response,) if isinstance(response, str) else response
        read = [read_letters(piece, order) for piece in pieces] if order else [None]
        gone, fresh = set(order) - now, now - set(order)
        reworded = dict(zip(gone, fresh, strict=True)) if len(gone) == len(fresh) == 1 else {}
        texts = [reworded.get(text, text) for some in read for text in some or ()]
        if None in read or not texts:
            return response
        return texts[0] if len(texts) == 1 else tuple(texts)

    def _points_of(self, record: dict[str, Any]) -> Fraction | None:
        number = log.number_of(record, "points", MAX_POINTS)
        return None if number is None else _points(number)

    def _hints_of(self, record: dict[str, Any]) -> int:
        value = record.get("hints")
        if value is None:
            return 0
        if type(value) is not int or not 0 <= value <= MAX_HINTS:
            raise Damaged(f"hints must be a whole number from 0 to {MAX_HINTS}, not {log.shown(value)}")
        return value

    def _other(self, record: dict[str, Any], kind: str, place: int, own: int, done: ScoredBlock) -> None:
        """A session line says who was to meet which items; the others only bound a session."""
        session = log.text_of(record, "session")
        if session is None:
            raise Damaged(f'a line of type "{kind}" without a session; add "session"')
        if kind == "dispute":
            item, criterion, claim, at = (
                log.text_of(record, name) or "" for name in ("item", "criterion", "claim", "at")
            )
            done.disputes.append(((session, item, criterion), (at, claim)))
        elif kind == "session":
            self._begin(record, session, place, own, done)

    def _begin(self, record: dict[str, Any], session: str, place: int, own: int, done: ScoredBlock) -> None:
        """Count a session, with the bank that it names and the items that it was to show."""
        candidate = log.text_of(record, "candidate")
        done.sessions += 1
        bank = record.get("bank")
        if type(bank) is str and bank:
            done.banks.add(bank)
        digest = record.get("digest")
        if self.job.digest and type(digest) is str and digest and digest != self.job.digest:
            done.changed += 1
        listed = record.get("items")
        if listed is not None and (type(listed) is not list or not all(type(i) is str for i in listed)):
            done.noted.append((place & LINE, "items must be a list of item ids; it was ignored"))
            listed = None
        if not self.job.records:
            return
        names = self._planned(listed or (), record.get("points"), candidate or session)
        who = "s" + session if candidate is None else "c" + candidate
        done.session_rows.append((own, place, bytes_of(who), bytes_of(session), encoded(names)))

    def _worth(self, item: Item) -> int:
        found = self._worths.get(item.id)
        if found is None:
            found = self._worths[item.id] = units(item.points)
        return found

    def _planned(self, listed: Collection[str], worth: object, who: str) -> tuple[tuple[str, int], ...]:
        """The items of a session that count, with their points in units. With --since, a session that
        began earlier says nothing about what was reached, so none are planned."""
        job = self.job
        if (job.candidates and who not in job.candidates) or job.since is not None:
            return ()
        own = worth if isinstance(worth, dict) else {}
        planned = []
        for name in listed:
            item = job.items.get(name)
            if item is None or name in job.changes.dropped or (job.topics and item.topic not in job.topics):
                continue
            points = own.get(name)
            known = isinstance(points, int | float) and points is not True and 0 < points <= MAX_POINTS
            planned.append((name, units(Fraction(str(points))) if known else self._worth(item)))
        return tuple(planned)
