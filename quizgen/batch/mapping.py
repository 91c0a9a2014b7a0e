"""One block of lines to scored records. A function of the block and the job alone.

A record is a plain tuple, (who, place, at, seconds, crc, session, summary, told, elapsed):

- `who` names the candidate: `c` + candidate, `s` + session, or `l` + checksum and place where the line
  has neither and stands for a candidate of its own (by checksum, so that shuffled lines sort alike);
- `place` orders lines as they stand: source number in the high bits, line in the low 40;
- `crc` is of the whole line, to find lines that are there twice;
- `summary` is `Verdict.summary`; `told` is where the scored response stands as text, where the report explains
  scores: (number of the share of the block, offset, size) in the text that comes back with it;
- `elapsed` is the time that the session had used, which no clock can set back.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any
from zlib import crc32

from quizgen.analysis.report import Facts, facts_of
from quizgen.batch.job import Decided, Job
from quizgen.batch.shares import WHOLE, Share
from quizgen.batch.spill import packed
from quizgen.model import Given, Item
from quizgen.page import read_letters
from quizgen.scoring import (
    NoVariant,
    Scorer,
    Summary,
    Verdict,
    faults,
    overridden,
    score_line,
    score_text,
    units,
)
from quizgen.scoring import log_lines as log
from quizgen.scoring.log_files import Block
from quizgen.scoring.log_lines import Damaged, seconds_of
from quizgen.source.problems import did_you_mean, printable, shorten

PLACE = 40  # bits of a place that hold the line
MAX_POINTS = 1_000_000
MAX_HINTS = 100
MAX_SECONDS = 10_000_000

Place = tuple[int, int, int]
Record = tuple[str, int, str | None, float | None, int, str | None, Summary, Place | None, float | None]
SessionRecord = tuple[str, int, str, tuple[tuple[str, int], ...]]
# Session, item and criterion of what a candidate says was said; when, and what is claimed.
Dispute = tuple[tuple[str, str, str], tuple[str, str]]
Link = tuple[str, int, str]  # a session of a source, and its candidate


@dataclass(slots=True)
class Mapped:
    """What came of one block. `chunks` holds packed records by partition."""

    source: int
    responses: int = 0
    left_out: int = 0
    untimed: int = 0
    sessions: int = 0
    changed: int = 0  # sessions of another state of the bank
    weighted: int = 0  # lines of no session with points of their own
    loose: bool = False  # some records know only their session
    links: bool = False  # some sessions name their candidate
    damaged: list[tuple[int, str]] = field(default_factory=list)
    noted: list[tuple[int, str]] = field(default_factory=list)
    decided: list[Decided] = field(default_factory=list)
    written: list[tuple[int, str]] = field(default_factory=list)  # place in the block and text of each response
    chunks: dict[int, bytes] = field(default_factory=dict)
    disputes: list[Dispute] = field(default_factory=list)
    banks: set[str] = field(default_factory=set)  # that sessions name
    told: bytes = b""  # scored responses as text, in the order of the lines
    facts: dict[str, Facts] = field(default_factory=dict)  # of items that this block was the first to name


@lru_cache(maxsize=1_000)
def _points(number: float) -> Fraction:
    return Fraction(str(number))


class Mapper:
    """Maps blocks; keeps what it learnt about responses from one block to the next."""

    def __init__(self, job: Job, share: Share = WHOLE) -> None:
        self.job = job
        self.share = share
        self.writing = job.lines or job.explained
        self.scorer = Scorer(job.items, job.changes, score_text if self.writing else None, keep=bool(job.overrides))
        self.shown = Scorer(job.shown) if job.shown else None
        self._known: set[str] = set()  # items of which the facts are told
        self._worths: dict[str, int] = {}  # points of an item in units

    def map(self, block: Block) -> Mapped:
        job = self.job
        done = Mapped(block.source)
        texts, bad = block.lines()
        if self.share.number == 0:
            done.damaged.extend(block.faults)
            done.damaged.extend(bad)
        piece = block.number_in_run * self.share.shares + self.share.number
        explained: list[bytes] = []
        size = 0
        kept: dict[int, tuple[list[Record], list[SessionRecord], list[Link]]] = {}
        high = block.source << PLACE
        ending = f', "file": {quoted(job.names[block.source])}}}\n' if job.names else "}\n"
        for index, text in enumerate(texts):
            if not text or text.isspace() or not self.share.holds(text):
                continue
            number = block.numbers[index] if block.numbers else block.first + index
            try:
                record = log.parse(text)
                version = record.get("v", 1)
                if record.get("type") != "response" or version != 1 or version is True:
                    kind = log.kind_of(record)
                    if kind != "response":
                        self._other(record, kind, high | number, done, kept)
                        continue
                found = self._response(record, text, number, high, done)
            except Damaged as error:
                done.damaged.append((number, str(error)))
                continue
            if found is None:
                continue
            candidate, verdict, response, entry = found
            done.responses += 1
            if job.lines:
                name = "null" if candidate is None else quoted(candidate)
                done.written.append((index, f'{{"line": {number}, "candidate": {name}, {verdict.tail}{ending}'))
            if job.records:
                if verdict.summary[0] not in self._known:
                    self._known.add(verdict.summary[0])
                    done.facts[verdict.summary[0]] = facts_of(job.items[verdict.summary[0]])
                part = crc32(entry[0].encode("utf-8", "surrogatepass")) % job.partitions
                place = kept.get(part)
                if place is None:
                    place = kept[part] = ([], [], [])
                if job.explained:
                    _, _, at, seconds, _, session, *_ = entry
                    whole = score_line(verdict.tail, verdict.review, session, seconds, response, at)
                    entry = (*entry[:7], (piece, size, len(whole)), entry[8])
                    explained.append(whole)
                    size += len(whole)
                place[0].append(entry)
        done.damaged.sort()
        done.told = b"".join(explained)
        done.chunks = {part: packed(lists) for part, lists in kept.items()}
        return done

    def _response(
        self, record: dict[str, Any], text: str, number: int, high: int, done: Mapped
    ) -> tuple[str | None, Verdict, Given, Record] | None:
        job = self.job
        name = record.get("item")
        if type(name) is not str:
            raise Damaged("item is missing" if name is None else f"item must be text, not {log.shape(name)}")
        response = record.get("response")
        if type(response) is not str:
            response = log.response_of(record)
        candidate = log.text_of(record, "candidate")
        session = log.text_of(record, "session")
        item = job.items.get(name)
        if item is None:
            hint = did_you_mean(name, job.items) or "is this the right bank?"
            raise Damaged(f'no item "{shorten(printable(name))}" in the bank; {hint}')
        called = candidate or session or ""
        decided = job.decided(called, name) if job.overrides else ()
        if decided:
            done.decided.append((called, name, -1, 0, 0, ()))
        if job.candidates and (candidate or session) not in job.candidates:
            done.left_out += 1
            return None
        if job.topics and item.topic not in job.topics:
            done.left_out += 1
            return None
        seconds = at = None
        try:
            seconds = log.number_of(record, "seconds", MAX_SECONDS)
            at = log.time_of(record)
            moment = seconds_of(at) if at is not None and job.since is not None else None
        except (Damaged, ValueError, OverflowError) as error:
            why = str(error) if isinstance(error, Damaged) else "at is no time that there is"
            done.noted.append((number, f"{why}; it was ignored and the response scored"))
            moment = None
        if job.since is not None and (moment is None or moment < job.since):
            done.left_out += 1
            done.untimed += moment is None
            return None
        seed = log.text_of(record, "seed")
        given = log.given_of(record)
        points = self._points_of(record)
        hints = self._hints_of(record)
        if self.shown is not None:
            response = self._as_shown(name, seed, given, response)
        try:
            verdict = self.scorer.verdict(item, seed, given, response, points, hints, log.earlier_of(record))
        except NoVariant as error:
            raise Damaged(f'{name}: {error}; give the line "seed" or "given"') from None
        strange = self.scorer.outside(item, given) if given else ()
        if strange:
            said = f"{' and '.join(strange)}: given a value that {name} never draws; scored by it"
            done.noted.append((number, said))
        if decided and verdict.score is not None and name not in job.changes.dropped:
            chosen, _, drawn, short, _ = verdict.summary[4:]
            score = overridden(verdict.score, decided)
            moved = verdict.summary[2]
            wrong = tuple(faults(verdict.score, decided, session))
            verdict = Verdict.of(name, score, chosen, drawn, score_text(name, score) if self.writing else "", short)
            done.decided.append((called, name, high | number, moved, verdict.summary[2], wrong))
        crc = crc32(text.encode("utf-8", "surrogatepass")) if job.records else 0
        if candidate is not None:
            who = "c" + candidate
        elif session is not None:
            who = "s" + session
            done.loose = True
        else:
            who = f"l{crc:08x}:{high | number:020d}"
        elapsed = record.get("elapsed") if session is not None else None
        if elapsed is not None and (type(elapsed) not in (int, float) or not 0 <= elapsed <= MAX_SECONDS):
            elapsed = None
        if points is not None and session is None and points != item.points:
            done.weighted += 1
        entry = (who, high | number, at, seconds, crc, session, verdict.summary, None, elapsed)
        return candidate, verdict, response, entry

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
        gone, fresh = [text for text in order if text not in now], [text for text in now if text not in order]
        texts: list[str] = []
        for some in read:
            if some is None:
                return response
            texts += [fresh[0] if len(gone) == len(fresh) == 1 and text == gone[0] else text for text in some]
        return texts[0] if len(texts) == 1 else tuple(texts) if texts else response

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

    def _other(
        self,
        record: dict[str, Any],
        kind: str,
        place: int,
        done: Mapped,
        kept: dict[int, tuple[list[Record], list[SessionRecord], list[Link]]],
    ) -> None:
        """A session line says who was to meet which items; the others only bound a session."""
        session = log.text_of(record, "session")
        if session is None:
            raise Damaged(f'a line of type "{kind}" without a session; add "session"')
        if kind == "dispute":
            item, criterion, claim, at = (
                log.text_of(record, name) or "" for name in ("item", "criterion", "claim", "at")
            )
            done.disputes.append(((session, item, criterion), (at, claim)))
        if kind != "session":
            return
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
            done.noted.append((place & ((1 << PLACE) - 1), "items must be a list of item ids; it was ignored"))
            listed = None
        if not self.job.records:
            return
        names = self._planned(listed or (), record.get("points"), candidate or session)
        keys = ["s" + session] if candidate is None else ["c" + candidate]
        for who in keys:
            part = crc32(who.encode("utf-8", "surrogatepass")) % self.job.partitions
            kept.setdefault(part, ([], [], []))[1].append((who, place, session, names))
        if candidate is not None:
            done.links = True
            part = crc32(("s" + session).encode("utf-8", "surrogatepass")) % self.job.partitions
            kept.setdefault(part, ([], [], []))[2].append(("s" + session, place >> PLACE, "c" + candidate))

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
