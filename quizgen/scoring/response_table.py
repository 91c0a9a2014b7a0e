"""The table of scored responses, one row per response in SQLite, and the responses that count, in order of candidates.

The database is temporary: a few megabytes in memory, the rest in a file that disappears with the process, however it
ends. Points are whole numbers of a unit (`UNITS_PER_POINT`) and shares whole numbers of 1e-12, so that sums over rows
are exact in any order. Texts of a log are stored as UTF-8 bytes, which sort like the texts, because a log may hold half
of a surrogate pair."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from types import TracebackType
from typing import Any, Literal

from quizgen.model import Mark, Outcome, Score
from quizgen.scoring.response import UNITS_PER_POINT, ScoredResponse, points_in_units, score_fields
from quizgen.scoring.scorer import Verdict
from quizgen.source.problems import Unreadable

LINE_NUMBER_BITS = 40  # low bits of a place, which hold the line; the source is above them
LINE_NUMBER_MASK = (1 << LINE_NUMBER_BITS) - 1
DATABASE_CACHE_KIB = 1_000  # KiB of the database in memory

json_text = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False, separators=(",", ":")).encode
_json_with_spaces = json.JSONEncoder(ensure_ascii=True, allow_nan=False, check_circular=False).encode
_decode_json = json.JSONDecoder().decode

# `id`: place of the line by its order in the source. `place`: place by line number, which several responses of one row
# of a sheet share. `who`: `c` + candidate, `s` + session, or `l` + fingerprint and place for a line that has neither
# and counts as a candidate of its own (with the fingerprint first, so that shuffled lines sort alike). `fingerprint`:
# of the whole line, to detect duplicates. `elapsed`: time that the session had used, which a changed clock cannot set
# back. `chosen`, `drawn`, `criteria`: JSON lists. `summary`: the response in few words. `response` and `details` are
# filled where a report explains scores.
TABLE_SCHEMA = """
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
SQLITE_FAULT_MESSAGES = {
    sqlite3.SQLITE_FULL: "no room for working files; set TMPDIR to a folder with more room",
    sqlite3.SQLITE_IOERR_WRITE: "no room for working files; set TMPDIR to a folder with more room",
    sqlite3.SQLITE_IOERR: "working files cannot be read back; set TMPDIR to a folder on another disk",
    sqlite3.SQLITE_CANTOPEN: "no place for working files; set TMPDIR to a folder that can be written to",
}
ResponseRow = tuple[object, ...]
SessionRow = tuple[object, ...]
INSERT_RESPONSE = f"INSERT INTO response VALUES ({', '.join('?' * 19)})"
INSERT_SESSION = "INSERT INTO session VALUES (?, ?, ?, ?, ?)"

# Assigns each response that names only its session to the candidate of that session. Only the source in which a session
# begins names its candidate; of several candidates there, the first by name counts.
ASSIGN_CANDIDATES_SQL = """
CREATE INDEX session_name ON session (session);
UPDATE response SET who = coalesce((
  SELECT min(s.who) FROM session s
  WHERE s.session = response.session AND s.place >> 40 = response.place >> 40 AND substr(s.who, 1, 1) = x'63'
), who) WHERE substr(who, 1, 1) = x'73';
UPDATE session SET who = coalesce((
  SELECT min(s.who) FROM session s
  WHERE s.session = session.session AND s.place >> 40 = session.place >> 40 AND substr(s.who, 1, 1) = x'63'
), who) WHERE substr(who, 1, 1) = x'73';
"""
SELECT_COUNTED_RESPONSES = """
SELECT c.person, r.place, c.earned, c.possible, r.session, r.at, r.seconds, r.response, r.item, r.outcome, r.earned,
  r.possible, r.diagnosis, r.details
FROM main.counted c JOIN response r ON r.id = c.response ORDER BY c.id
"""
SELECT_COUNTED_WITHOUT_TEXTS = SELECT_COUNTED_RESPONSES.replace("r.response, ", "NULL, ").replace("r.details", "NULL")


def verdict_columns(
    verdict: Verdict, with_explanations: bool, with_marks: bool = True, with_statistics: bool = True
) -> tuple[object, ...]:
    """The columns of a row from `item` on, calculated once per verdict. The options say which details to keep, as in
    `ScoringJob`."""
    if verdict.table_columns is None:
        score = verdict.score
        marks = score.marks if with_marks or with_statistics else ()
        in_units = [(m, points_in_units(m.earned), points_in_units(m.possible)) for m in marks]
        criteria = [(m.criterion, m.status, earned, worth) for m, earned, worth in in_units if m.status and worth]
        rows = [
            (m.criterion, earned, worth, m.because, m.status, m.evidence_spans, m.certainty and round(m.certainty, 3))
            for m, earned, worth in (in_units if with_marks and with_explanations else ())
        ]
        details = (score.read_as, score.remarks, score.review_reasons, rows)
        verdict.table_columns = (
            verdict.item_id,
            score.outcome.value,
            points_in_units(score.earned),
            points_in_units(score.possible),
            score.mistake_id,
            json_text(verdict.chosen_options) if verdict.chosen_options else None,
            json_text(verdict.drawn_value_pairs) if verdict.drawn_value_pairs and with_statistics else None,
            text_to_blob(verdict.wrong_response_summary) if verdict.wrong_response_summary else None,
            json_text(criteria) if with_statistics and len(criteria) > 1 else None,
            json_text(details) if with_explanations else None,
        )
    return verdict.table_columns


def score_fields_json(verdict: Verdict) -> str:
    """The fields of a score as JSON without the outer braces, so that more can be added; calculated once per
    verdict."""
    if verdict.score_fields_json is None:
        verdict.score_fields_json = _json_with_spaces(score_fields(verdict.item_id, verdict.score))[1:-1]
    return verdict.score_fields_json


@lru_cache(maxsize=4_096)
def points_from_units(units: int) -> Fraction:
    """The points that a whole number of units is, exactly."""
    return Fraction(units, UNITS_PER_POINT)


def scored_response_of_row(row: Sequence[Any], source_names: Sequence[str], topic: str) -> ScoredResponse:
    """The scored response in a row of the query SELECT_COUNTED_RESPONSES. `source_names` are the names of the
    sources."""
    _, place, earned, possible, session, at, seconds, response, item, outcome, _, own, diagnosis, details = row
    given = None if response is None else _decode_json(response)
    read_as, say, review, marks = (None, (), (), ()) if details is None else _decode_json(details)
    factor = 1 if possible == own else Fraction(possible, own)
    made = []
    for criterion, earned_units, possible_units, because, status, evidence, sure in marks:
        points, worth = points_from_units(earned_units), points_from_units(possible_units)
        if factor != 1:
            points, worth = points * factor, worth * factor
        made.append(Mark(criterion, points, worth, because, status, tuple(map(tuple, evidence)), sure))
    return ScoredResponse(
        item,
        topic,
        tuple(given) if isinstance(given, list) else given,
        Score(Outcome(outcome), tuple(made), read_as, diagnosis, tuple(say), tuple(review)),
        points_from_units(earned),
        points_from_units(possible),
        source_names[place >> LINE_NUMBER_BITS],
        place & LINE_NUMBER_MASK,
        None if session is None else blob_to_text(session),
        seconds,
        at,
    )


def two_part_sum_sql(column: str) -> str:
    """SQL for a sum in two columns, above and below 2^20, which `join_two_part_sum` adds. In a single column, the sum
    of more than 9 million shares would overflow SQLite's 64 bits."""
    return f"coalesce(sum({column} >> 20), 0), coalesce(sum({column} & 1048575), 0)"


def join_two_part_sum(high: int, low: int) -> int:
    """The sum that the two columns of `two_part_sum_sql` make up."""
    return (high << 20) + low


def text_to_blob(text: str) -> bytes:
    """A text as the bytes that are stored in a column."""
    return text.encode("utf-8", "surrogatepass")


def blob_to_text(data: bytes) -> str:
    """The text of the bytes in a column."""
    return data.decode("utf-8", "surrogatepass")


class ResponseTable(sqlite3.Connection):
    """The temporary database of scored responses: a context manager that deletes it at the end. Raises Unreadable then
    if its working files could not be written or read."""

    def __init__(self) -> None:
        super().__init__("", isolation_level=None)
        self.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; "
            f"PRAGMA cache_size = -{DATABASE_CACHE_KIB}; BEGIN; {TABLE_SCHEMA}"
        )

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> Literal[False]:
        self.close()
        if isinstance(error, sqlite3.OperationalError):
            code = error.sqlite_errorcode
            family = code & 0xFF
            if why := SQLITE_FAULT_MESSAGES.get(code) or SQLITE_FAULT_MESSAGES.get(family):
                raise Unreadable(why) from None
        return False

    def withhold_candidates(self, candidate_keys: Iterable[str]) -> None:
        """Leaves candidates (each `c` + name) out of every figure, and out of `candidates_with_rows` unless
        `include_withheld` is true. Does so by temporary tables that hide the whole ones. If nobody would be left, all
        stay in."""
        self.execute("CREATE TEMP TABLE withheld (id INTEGER PRIMARY KEY)")
        keys = [(text_to_blob(one),) for one in candidate_keys]
        self.executemany("INSERT INTO withheld SELECT id FROM main.person WHERE who = ?", keys)
        ((left, out),) = self.execute("SELECT (SELECT count(*) FROM main.person), (SELECT count(*) FROM withheld)")
        if 0 < out < left:
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
        ahead = next(groups, None)
        table = "main.person" if include_withheld else "person"
        query = f"SELECT id, who, earned, possible, whole, not_reached FROM {table} ORDER BY id"
        for person in self.execute(query):
            rows: list[tuple[Any, ...]] = []
            if ahead is not None and ahead[0] == person[0]:
                rows = list(ahead[1])
                ahead = next(groups, None)
            yield person, rows
