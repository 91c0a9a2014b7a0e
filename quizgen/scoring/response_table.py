"""The table of scored responses, one row per response in SQLite, and the choice of the responses that count when
sources contradict each other, lines are copied, or an item was answered several times.

The database is temporary: a few megabytes in memory, the rest in a file that disappears with the process, however it
ends. Points are whole numbers of a unit (`UNITS_PER_POINT`) and shares whole numbers of 1e-12, so that sums over rows
are exact in any order. Texts of a log are stored as UTF-8 bytes, which sort like the texts, because a log may hold half
of a surrogate pair. `write_counted_responses` reads the responses candidate by candidate, and writes the candidates and
the responses that count."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from heapq import merge
from itertools import groupby
from math import inf
from operator import attrgetter, itemgetter
from typing import Any, Literal, NamedTuple
from zlib import crc32

from quizgen.model import Mark, Outcome, Score
from quizgen.scoring.log_lines import epoch_seconds_or_none
from quizgen.scoring.response import UNITS_PER_POINT, ScoredResponse, points_in_units, score_as_json
from quizgen.scoring.scorer import Verdict
from quizgen.source.problems import Unreadable

LINE_NUMBER_BITS = 40  # low bits of a place, which hold the line; the source is above them
LINE_NUMBER_MASK = (1 << LINE_NUMBER_BITS) - 1
DATABASE_CACHE_KIB = 1_000  # KiB of the database in memory

json_text = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":")).encode
_json_with_spaces = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False).encode

# `id`: place of the line by its order in the source. `place`: place by line number, which several responses of one row
# of a sheet share. `who`: `c` + candidate, `s` + session, or `l` + fingerprint and place for a line that has neither
# and counts as a candidate of its own (with the fingerprint first, so that shuffled lines sort alike). `line_crc32`:
# of the whole line, to detect duplicates. `elapsed`: time that the session had used, which a changed clock cannot set
# back. `chosen`, `drawn`, `criteria`: JSON lists. `summary`: the response in few words. `response` and `details` are
# filled where a report explains scores.
CREATE_TABLES_SQL = """
CREATE TABLE response (
  id INTEGER PRIMARY KEY, place INTEGER, who BLOB, session BLOB, at TEXT, seconds, elapsed, fingerprint INTEGER,
  response TEXT, item TEXT, outcome TEXT, earned INTEGER, possible INTEGER, diagnosis TEXT, chosen TEXT, drawn TEXT,
  summary BLOB, criteria TEXT, details TEXT);
CREATE TABLE session (id INTEGER PRIMARY KEY, place INTEGER, who BLOB, session BLOB, items TEXT);
CREATE TABLE person (id INTEGER PRIMARY KEY, who BLOB, earned INTEGER, possible INTEGER, whole INTEGER, share INTEGER,
  responses INTEGER, met INTEGER, not_reached TEXT);
CREATE TABLE counted (id INTEGER PRIMARY KEY, person INTEGER, response INTEGER, item TEXT, earned INTEGER,
  possible INTEGER, share INTEGER, rest INTEGER, milliseconds INTEGER);
"""
MESSAGE_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: "no room for working files; set TMPDIR to a folder with more room",
    sqlite3.SQLITE_IOERR_WRITE: "no room for working files; set TMPDIR to a folder with more room",
    sqlite3.SQLITE_IOERR: "working files cannot be read back; set TMPDIR to a folder on another disk",
    sqlite3.SQLITE_CANTOPEN: "no place for working files; set TMPDIR to a folder that can be written to",
}
TableRow = tuple[object, ...]
INSERT_RESPONSE = f"INSERT INTO response VALUES ({', '.join('?' * 19)})"

# Assigns each response that names only its session to the candidate of that session. Only the source in which a session
# begins names its candidate; of several candidates there, the first by name counts.
ASSIGN_SESSION_CANDIDATES_SQL = "CREATE INDEX session_name ON session (session);" + "".join(
    f"""
UPDATE {table} SET who = coalesce((
  SELECT min(s.who) FROM session s
  WHERE s.session = {table}.session AND s.place >> 40 = {table}.place >> 40 AND substr(s.who, 1, 1) = x'63'
), who) WHERE substr(who, 1, 1) = x'73';
"""
    for table in ("response", "session")
)
SELECT_COUNTED_RESPONSES = """
SELECT c.person, r.place, c.earned, c.possible, r.session, r.at, r.seconds, r.response, r.item, r.outcome, r.earned,
  r.possible, r.diagnosis, r.details
FROM main.counted c JOIN response r ON r.id = c.response ORDER BY c.id
"""


def verdict_row_values(verdict: Verdict, with_texts: bool, with_marks: bool, with_statistics: bool) -> TableRow:
    """The columns of a row from `item` on, calculated once per verdict. The options say which details to keep, as in
    `ScoringJob`."""
    if verdict.table_row_values is None:
        score = verdict.score
        marks = score.marks if with_marks or with_statistics else ()
        triples = [(m, points_in_units(m.earned), points_in_units(m.possible)) for m in marks]
        criteria = [(m.criterion_id, m.status, earned, most) for m, earned, most in triples if m.status and most]
        rows = [
            (m.criterion_id, earned, most, m.because, m.status, m.evidence_spans, m.certainty and round(m.certainty, 3))
            for m, earned, most in (triples if with_marks and with_texts else ())
        ]
        verdict.table_row_values = (
            verdict.item_id,
            score.outcome.value,
            points_in_units(score.earned),
            points_in_units(score.possible),
            score.mistake_id,
            json_text(verdict.texts_of_chosen_options) if verdict.texts_of_chosen_options else None,
            json_text(verdict.drawn_value_pairs) if verdict.drawn_value_pairs and with_statistics else None,
            text_to_utf8(verdict.wrong_response_summary) if verdict.wrong_response_summary else None,
            json_text(criteria) if with_statistics and len(criteria) > 1 else None,
            json_text((score.read_as, score.remarks, score.review_reasons, rows)) if with_texts else None,
        )
    return verdict.table_row_values


def braceless_score_json(verdict: Verdict) -> str:
    """The fields of a score as JSON without the outer braces, so that more can be added; calculated once per
    verdict."""
    if verdict.braceless_score_json is None:
        verdict.braceless_score_json = _json_with_spaces(score_as_json(verdict.item_id, verdict.score))[1:-1]
    return verdict.braceless_score_json


@lru_cache(maxsize=4_096)
def points_from_units(units: int) -> Fraction:
    """The points that a whole number of units is, exactly."""
    return Fraction(units, UNITS_PER_POINT)


def scored_response_of_row(row: Sequence[Any], source_names: Sequence[str], topic: str) -> ScoredResponse:
    """The scored response in a row of the query SELECT_COUNTED_RESPONSES. `source_names` are the names of the
    sources."""
    _, place, earned, possible, session, at, seconds, response, item, outcome, _, own_worth, diagnosis, details = row
    decoded_response = None if response is None else json.loads(response)
    decoded_response = tuple(decoded_response) if isinstance(decoded_response, list) else decoded_response
    read_as, remarks, reasons, rows = (None, (), (), ()) if details is None else json.loads(details)
    factor = 1 if possible == own_worth else Fraction(possible, own_worth)
    marks = []
    for criterion, earned_point_units, possible_point_units, reason, status, evidence, certainty in rows:
        points, worth = points_from_units(earned_point_units), points_from_units(possible_point_units)
        if factor != 1:
            points, worth = points * factor, worth * factor
        marks.append(Mark(criterion, points, worth, reason, status, tuple(map(tuple, evidence)), certainty))
    score = Score(Outcome(outcome), tuple(marks), read_as, diagnosis, tuple(remarks), tuple(reasons))
    file, line = source_names[place >> LINE_NUMBER_BITS], place & LINE_NUMBER_MASK
    points, worth = points_from_units(earned), points_from_units(possible)
    session = None if session is None else utf8_to_text(session)
    return ScoredResponse(item, topic, decoded_response, score, points, worth, file, line, session, seconds, at)


def two_part_sum_sql(column: str) -> str:
    """SQL for a sum in two columns, above and below 2^20, which `join_two_part_sum` adds. In a single column, the sum
    of more than 9 million shares would overflow SQLite's 64 bits."""
    return f"coalesce(sum({column} >> 20), 0), coalesce(sum({column} & 1048575), 0)"


def join_two_part_sum(high: int, low: int) -> int:
    """The sum that the two columns of `two_part_sum_sql` make up."""
    return (high << 20) + low


def text_to_utf8(text: str) -> bytes:
    """A text as the bytes that are stored in a column."""
    return text.encode("utf-8", "surrogatepass")


def utf8_to_text(data: bytes) -> str:
    """The text of the bytes in a column."""
    return data.decode("utf-8", "surrogatepass")


class ResponseTable(sqlite3.Connection):
    """The temporary database of scored responses: a context manager that deletes it at the end. Raises Unreadable then
    if its working files could not be written or read."""

    def __init__(self) -> None:
        super().__init__("", isolation_level=None)
        self.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
            f"PRAGMA cache_size = -{DATABASE_CACHE_KIB}; BEGIN; {CREATE_TABLES_SQL}"
        )

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> Literal[False]:
        self.close()
        if isinstance(error, sqlite3.OperationalError):
            code = error.sqlite_errorcode
            if why := MESSAGE_BY_SQLITE_CODE.get(code) or MESSAGE_BY_SQLITE_CODE.get(code & 0xFF):  # else by its family
                raise Unreadable(why) from None
        return False

    def exclude_candidates(self, candidate_keys: Iterable[str]) -> None:
        """Leaves candidates (each `c` + name) out of every figure, and out of `candidates_with_rows` unless
        `include_withheld` is true. Does so by temporary tables that hide the whole ones. If nobody would be left, all
        stay in."""
        self.execute("CREATE TEMP TABLE withheld (id INTEGER PRIMARY KEY)")
        keys = [(text_to_utf8(one),) for one in candidate_keys]
        self.executemany("INSERT INTO withheld SELECT id FROM main.person WHERE who = ?", keys)
        ((total, count),) = self.execute("SELECT (SELECT count(*) FROM main.person), (SELECT count(*) FROM withheld)")
        if 0 < count < total:
            self.executescript(
                "CREATE TEMP TABLE person AS SELECT * FROM main.person WHERE id NOT IN (SELECT id FROM withheld);"
                "CREATE TEMP TABLE counted AS SELECT * FROM main.counted WHERE person NOT IN (SELECT id FROM withheld);"
                "CREATE INDEX temp.counted_item ON counted (item, milliseconds)"
            )

    def candidates_with_rows(
        self, counted_query: str = SELECT_COUNTED_RESPONSES, include_withheld: bool = True
    ) -> Iterator[tuple[tuple[Any, ...], list[tuple[Any, ...]]]]:
        """Yields each candidate in order of names as (id, who, earned, possible, whole, not reached), with the
        candidate's rows of the query `counted_query`, whose first column must be the candidate's id."""
        groups = groupby(self.execute(counted_query), key=itemgetter(0))
        next_group = next(groups, None)
        table = "main.person" if include_withheld else "person"
        for person in self.execute(f"SELECT id, who, earned, possible, whole, not_reached FROM {table} ORDER BY id"):
            rows: list[tuple[Any, ...]] = []
            if next_group is not None and next_group[0] == person[0]:
                rows = list(next_group[1])
                next_group = next(groups, None)
            yield person, rows


UNITS_PER_SHARE = 10**12  # units in a share of 1
CLOCK_BACKWARD_TOLERANCE_SECONDS = 1.0  # seconds by which times of one session may run backwards


class LogLineNote(NamedTuple):
    """A remark on the line at `packed_source_line`. `mentioned_packed_line_or_minus_one`: the place of a second line,
    whose file and number replace the `{}` in `message_template`; -1 if the remark names no second line."""

    packed_source_line: int
    message_template: str
    mentioned_packed_line_or_minus_one: int = -1


class LoggedAttempt(NamedTuple):
    """The columns of a response that decide whether it counts. `packed_source_line` and `table_row_id` identify its row
    in the table of responses; `earned_point_units` and `possible_point_units` are in units of points."""

    candidate_key_utf8: bytes
    table_row_id: int
    packed_source_line: int
    session_utf8: bytes | None
    answered_time_text: str | None
    session_seconds_so_far: float | None
    seconds_spent: float | None
    line_crc32: int
    item_id: str
    earned_point_units: int
    possible_point_units: int


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """The first line of a session: its place, its name, and the items it was to show, as (item id, points in units)."""

    candidate_key_utf8: bytes
    packed_source_line: int
    session_utf8: bytes
    item_ids_and_point_units: Sequence[tuple[str, int]]


AttemptOrPlan = LoggedAttempt | SessionPlan
CountedAttempt = tuple[LoggedAttempt, int, int]  # (attempt, points earned, points possible)


def _source_number(line: AttemptOrPlan) -> int:
    return line.packed_source_line >> LINE_NUMBER_BITS


def share_in_units(earned: int, possible: int) -> int:
    """The ratio `earned / possible` in units of 1e-12, rounded half up."""
    return (2 * earned * UNITS_PER_SHARE + possible) // (2 * possible)


def write_counted_responses(
    table: ResponseTable, attempt_rule: str, one_form_per_candidate_sources: frozenset[int]
) -> list[LogLineNote]:
    """Writes the tables `person` and `counted`, and returns remarks on lines. `attempt_rule` (last, first, best or all)
    chooses between several responses to an item. Each source in `one_form_per_candidate_sources` is one form of each of
    its candidates."""
    sessions = table.execute("SELECT who, place, session, items FROM session ORDER BY who, place, id")
    plans = (SessionPlan(candidate, place, session, json.loads(items)) for candidate, place, session, items in sessions)
    by_name = attrgetter("candidate_key_utf8")
    columns = "who, id, place, session, at, elapsed, seconds, fingerprint, item, earned, possible"
    logged_attempts = map(LoggedAttempt._make, table.execute(f"SELECT {columns} FROM response ORDER BY who, place, id"))
    lines: Iterator[AttemptOrPlan] = merge(plans, logged_attempts, key=by_name)
    notes: list[LogLineNote] = []
    for number, (candidate, lines_of_candidate) in enumerate(groupby(lines, key=by_name)):
        valid_lines = _without_lines_in_wrong_source(list(lines_of_candidate), one_form_per_candidate_sources, notes)
        attempts, unreached_results = _counted_attempts_and_unreached_items(valid_lines, attempt_rule, notes)
        if not attempts and not unreached_results:
            continue
        earned, possible = sum(c[1] for c in attempts), sum(c[2] for c in attempts)
        maximum = possible + sum(points for _, points in unreached_results)
        ratio = share_in_units(earned, maximum) if maximum else None
        names = "\x1f".join(sorted(attempt.item_id for attempt, _, worth in attempts if worth)).encode()
        digest = (crc32(names) << 32 | crc32(names[::-1] + b"#")) - (1 << 63)  # equal for equal items that have points
        row = (number, candidate, earned, possible, maximum, ratio, len(attempts), digest, json_text(unreached_results))
        table.execute("INSERT INTO person VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        rows: list[tuple[object, ...]] = []
        for attempt, points, worth in attempts:
            share = share_in_units(points, worth) if worth else None
            rest_share = share_in_units(earned - points, possible - worth) if 0 < worth < possible else None
            milliseconds = None if attempt.seconds_spent is None else round(attempt.seconds_spent * 1000)
            rows.append((number, attempt.table_row_id, attempt.item_id, points, worth, share, rest_share, milliseconds))
        table.executemany("INSERT INTO counted VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    return notes


def _without_lines_in_wrong_source(
    lines: list[AttemptOrPlan], one_form_sources: frozenset[int], notes: list[LogLineNote]
) -> list[AttemptOrPlan]:
    """A candidate's lines without those in a wrong source; adds a remark to `notes` for each session left out.

    A session belongs to the source in which it begins (the first by name if there are several). A candidate hands in
    one form, in one source of `one_form_sources`."""
    if not one_form_sources and len({_source_number(one) for one in lines}) == 1:
        return lines
    first_places: dict[bytes | None, int] = {}  # session -> place of its first line
    for line in lines:
        first_places.setdefault(line.session_utf8, line.packed_source_line)
    forms = ((n, one.session_utf8 or b"") for one in lines if (n := _source_number(one)) in one_form_sources)
    sitting = min(forms, default=(0, b""))
    note_by_session: dict[tuple[int, bytes | None], LogLineNote] = {}
    valid_lines = []
    for line in lines:
        source = _source_number(line)
        if source in one_form_sources and (source, line.session_utf8 or b"") != sitting:
            reason, place = "this candidate has handed in already", first_places[sitting[1] or None]
        elif line.session_utf8 is not None and first_places[line.session_utf8] >> LINE_NUMBER_BITS != source:
            reason, place = "the session belongs to another file", first_places[line.session_utf8]
        else:
            valid_lines.append(line)
            continue
        note = LogLineNote(line.packed_source_line, reason + ": {}; these lines do not count", place)
        note_by_session.setdefault((source, line.session_utf8), note)
    notes.extend(note_by_session.values())
    return valid_lines


def _note_if_sessionless_in_several_sources(attempts: Sequence[LoggedAttempt]) -> Iterator[LogLineNote]:
    """If a candidate's lines are in several sources, yields a remark on the last one with lines that name no
    session."""
    lines = [one for one in attempts if one.session_utf8 is None]
    if lines and len({_source_number(one) for one in attempts}) > 1:
        source = _source_number(lines[-1])
        place = min(one.packed_source_line for one in attempts if _source_number(one) != source)
        reason = "no session says whose responses these are; they count together with those of the same name in {}"
        yield LogLineNote(min(one.packed_source_line for one in lines if _source_number(one) == source), reason, place)


def _counted_attempts_and_unreached_items(
    lines: Sequence[AttemptOrPlan], attempt_rule: str, notes: list[LogLineNote]
) -> tuple[list[CountedAttempt], list[tuple[str, int]]]:
    """The responses that count, in the order in which their session showed the items; and the items that a session
    planned but that have no response, as (item id, points in units)."""
    attempts = [one for one in lines if isinstance(one, LoggedAttempt)]
    notes.extend(_note_if_sessionless_in_several_sources(attempts))
    by_item: dict[str, list[LoggedAttempt]] = {}
    for one in attempts:
        by_item.setdefault(one.item_id, []).append(one)
    session_starts = _start_epoch_seconds_by_session(attempts, notes)
    picks: list[LoggedAttempt] = []
    for group in by_item.values():
        picks += group if len(group) == 1 else _attempts_chosen_by_rule(group, session_starts, attempt_rule, notes)
    order, points_by_item, worth = _planned_item_places_and_points(lines, notes)
    end = len(order)
    picks.sort(key=attrgetter("item_id", "line_crc32", "packed_source_line"))
    picks.sort(key=lambda a: (order.get(a.item_id, end), a.answered_time_text or ""))
    counted_attempts: list[CountedAttempt] = []
    for one in picks:
        points = worth.get((one.session_utf8, one.item_id), one.possible_point_units) if one.possible_point_units else 0
        earned_units = one.earned_point_units
        if points != one.possible_point_units:
            notes.append(LogLineNote(one.packed_source_line, "the points differ from its session's, which count"))
            earned_units = (2 * earned_units * points + one.possible_point_units) // (2 * one.possible_point_units)
        counted_attempts.append((one, earned_units, points))
    return counted_attempts, sorted((name, points) for name, points in points_by_item.items() if name not in by_item)


def _planned_item_places_and_points(
    lines: Sequence[AttemptOrPlan], notes: list[LogLineNote]
) -> tuple[dict[str, int], dict[str, int], dict[tuple[bytes | None, str], int]]:
    """For each item that a session planned: its place in the session; its points in units; and the points by (session,
    item). Adds a remark to `notes` for a session that begins twice."""
    place_by_item: dict[str, int] = {}
    points_by_item: dict[str, int] = {}
    points_by_session_and_item: dict[tuple[bytes | None, str], int] = {}
    first_line_by_session: dict[bytes, int] = {}
    plans = (line for line in lines if isinstance(line, SessionPlan))
    for plan in sorted(plans, key=attrgetter("session_utf8", "packed_source_line")):
        first = first_line_by_session.setdefault(plan.session_utf8, plan.packed_source_line)
        if first != plan.packed_source_line:
            reason = f"session begins again; it began at line {first & LINE_NUMBER_MASK}"
            notes.append(LogLineNote(plan.packed_source_line, reason))
        points_by_item |= plan.item_ids_and_point_units
        for index, (name, points) in enumerate(plan.item_ids_and_point_units):
            place_by_item.setdefault(name, index)
            points_by_session_and_item.setdefault((plan.session_utf8, name), points)
    return place_by_item, points_by_item, points_by_session_and_item


def _attempts_chosen_by_rule(
    attempts: list[LoggedAttempt], session_starts: dict[bytes, float], attempt_rule: str, notes: list[LogLineNote]
) -> list[LoggedAttempt]:
    """The responses that count among `attempts` to one item, in order of time. Exact copies of another line (same time
    too) do not count; adds a remark to `notes` for each."""
    places: dict[tuple[int, str | None], int] = {}  # (fingerprint, time) -> place of the first such line
    distinct_attempts = []
    for one in _attempts_by_time(attempts, session_starts):
        place, line = one.packed_source_line, (one.line_crc32, one.answered_time_text)
        first = place if one.answered_time_text is None else places.setdefault(line, place)
        if first == place:
            distinct_attempts.append(one)
        else:
            file = "" if first >> LINE_NUMBER_BITS == _source_number(one) else " of another file"
            reason = f"the same line as line {first & LINE_NUMBER_MASK}{file}; counted once"
            notes.append(LogLineNote(place, reason))
    if attempt_rule == "best":  # of equally good ones the last
        return [max(reversed(distinct_attempts), key=lambda a: a.earned_point_units / (a.possible_point_units or 1))]
    return {"last": distinct_attempts[-1:], "first": distinct_attempts[:1]}.get(attempt_rule, distinct_attempts)


def _start_epoch_seconds_by_session(attempts: Sequence[LoggedAttempt], notes: list[LogLineNote]) -> dict[bytes, float]:
    """The start of each session in seconds since 1970, from its earliest line. Adds a remark to `notes` if the clock
    went back during the session."""
    starts: dict[bytes, float] = {}
    ends: dict[bytes, float] = {}  # infinite once the remark was made
    timed = [one for one in attempts if one.session_seconds_so_far is not None and one.session_utf8 is not None]
    for attempt in sorted(timed, key=attrgetter("session_seconds_so_far", "packed_source_line")):
        session, moment = attempt.session_utf8 or b"", epoch_seconds_or_none(attempt.answered_time_text)
        if moment is None:
            continue
        starts[session] = min(moment, starts.get(session, moment))
        end = ends.get(session, moment)
        ends[session] = max(moment, end)
        if moment < end - CLOCK_BACKWARD_TOLERANCE_SECONDS and end < inf:
            reason = "the clock went back during the session; the order of the lines counts"
            notes.append(LogLineNote(attempt.packed_source_line, reason))
            ends[session] = inf
    return starts


def _attempts_by_time(attempts: list[LoggedAttempt], session_starts: dict[bytes, float]) -> list[LoggedAttempt]:
    """The attempts in order of time: by the session's own clock within a session, by the time of the line otherwise.
    Unchanged if a line has no time."""
    moments = [epoch_seconds_or_none(one.answered_time_text) for one in attempts]
    if None not in moments:
        keys = [
            (session_starts[one.session_utf8], one.session_seconds_so_far or 0.0)
            if one.session_seconds_so_far is not None and one.session_utf8 in session_starts
            else (moment or 0.0, 0.0)
            for one, moment in zip(attempts, moments, strict=True)
        ]
        return [one for _, one in sorted(zip(keys, attempts, strict=True), key=itemgetter(0))]
    is_one_session = len({one.session_utf8 for one in attempts}) == 1
    if is_one_session and all(one.session_seconds_so_far is not None for one in attempts):
        return sorted(attempts, key=lambda one: (one.session_seconds_so_far or 0.0, one.packed_source_line))
    return attempts
