"""A table of responses made by hand, for figures whose right values are worked out another way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from quizgen.scoring.response_table import (
    ASSIGN_SESSION_CANDIDATES_SQL,
    INSERT_RESPONSE,
    ResponseTable,
    json_text,
    text_to_utf8,
    write_counted_responses,
)


@dataclass(frozen=True)
class MadeResponse:
    """One response. Points in units; `summary` is the response in few words, `criteria` hold (criterion, status, earned,
    possible)."""

    candidate: str
    item: str
    outcome: str
    earned: int
    possible: int
    chosen: Sequence[str] = ()
    drawn: Sequence[tuple[str, str]] = ()
    seconds: float | None = None
    summary: str = ""
    criteria: Sequence[tuple[str, str, int, int]] = ()


OPEN: list[ResponseTable] = []


def close_tables() -> None:
    """Close every table that was made."""
    while OPEN:
        OPEN.pop().__exit__(None, None, None)


def table_of(responses: Iterable[MadeResponse]) -> ResponseTable:
    """The table with these responses, all of which count. `close_tables` closes it."""
    table = ResponseTable()
    OPEN.append(table)
    rows = [
        (
            number, number, text_to_utf8("c" + one.candidate), None, None, one.seconds, None, number, None, one.item,
            one.outcome, one.earned, one.possible, None, json_text(one.chosen) if one.chosen else None,
            json_text(one.drawn) if one.drawn else None, text_to_utf8(one.summary) if one.summary else None,
            json_text(one.criteria) if one.criteria else None, None,
        )
        for number, one in enumerate(responses, 1)
    ]  # fmt: skip
    table.executemany(INSERT_RESPONSE, rows)
    table.executescript(ASSIGN_SESSION_CANDIDATES_SQL)
    write_counted_responses(table, "all", frozenset())
    return table
