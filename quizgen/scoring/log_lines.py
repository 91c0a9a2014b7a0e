"""Reads one line of an answer log strictly: returns a record, or raises the reason why the line cannot be used.

Python's JSON reader accepts values that a log must not hold: NaN, repeated names, endless numbers, endless nesting.
Each is refused by name here, at little more than the cost of `json.loads`."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from quizgen.model import MAX_LOG_LINE_BYTES
from quizgen.source.problems import did_you_mean, printable, shorten

LINE_TOO_LONG_MESSAGE = f"longer than {MAX_LOG_LINE_BYTES // 1024} KiB; is a line break missing?"
MAX_JSON_NESTING_DEPTH = 20
MAX_LOGGED_NUMBER_DIGITS = 300  # a float has at most 308
MAX_ID_OR_NAME_CHARACTERS = 400  # characters of a name: candidate, session, item, seed
MAX_VALUES_PER_LOG_FIELD = 64
LINE_TYPES = ("response", "session", "end", "resume", "dispute", "turn", "rating", "card")

_TIME_PATTERN = re.compile(
    r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
    r"([T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)?)?"
)


class BadInput(Exception):
    """A line or file that cannot be used; the message gives the reason and the remedy."""


def _refuse_json_constant(word: str) -> Any:
    raise BadInput(f"{word} is not a number in JSON; write null or leave the field out")


def _int_unless_too_long(digits: str) -> int:
    if len(digits) > MAX_LOGGED_NUMBER_DIGITS:
        raise BadInput(f"a number of {len(digits):,} digits; write it as 1.5e9")
    return int(digits)


def _refuse_repeated_fields(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        repeated_name = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise BadInput(f'the field "{shorten(printable(repeated_name))}" appears twice; keep one')
    return record


decode_json_strictly: Callable[[str], Any] = json.JSONDecoder(
    parse_constant=_refuse_json_constant, parse_int=_int_unless_too_long, object_pairs_hook=_refuse_repeated_fields
).decode


def parse_log_line(text: str) -> dict[str, Any]:
    """The JSON object on a line. Raises BadInput for anything else."""
    if len(text) > MAX_LOG_LINE_BYTES:
        raise BadInput(LINE_TOO_LONG_MESSAGE)
    if text.count("[") + text.count("{") > MAX_JSON_NESTING_DEPTH:  # brackets in strings do not count
        brackets = re.sub(r'"(?:[^"\\]|\\.)*"?|[^\[\]{}"]+', "", text)
        if max(accumulate(1 if bracket in "[{" else -1 for bracket in brackets), default=0) > MAX_JSON_NESTING_DEPTH:
            raise BadInput(f"nested deeper than {MAX_JSON_NESTING_DEPTH}")
    try:
        record = decode_json_strictly(text)
    except json.JSONDecodeError as error:
        raise BadInput(_not_json_message(text, error)) from None
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not readable JSON ({type(error).__name__})") from None
    if type(record) is not dict:
        raise BadInput("not an object in braces; a line is {…}")
    return record


def _not_json_message(text: str, error: json.JSONDecodeError) -> str:
    content = text.strip()
    if not content.strip("\0"):
        return "NUL bytes where a line should be" if content else "the file is empty; ask for it again"
    if content.startswith("{") and content.endswith("},"):
        return "a comma after the object; delete it"
    if content.startswith("{") and not content.endswith("}"):
        return f"cut off after {len(text):,} character{'s' * (len(text) != 1)}; the rest of the line is missing"
    if error.msg == "Extra data":
        return f"more than one object, the second from column {error.colno}; put each on a line of its own"
    reason = error.msg[:1].lower() + error.msg[1:].removesuffix(" at")
    return f"not JSON: {reason} at column {error.colno}; a line is one object in braces"


def log_line_type(record: dict[str, Any]) -> str:
    """The type of a line, one of LINE_TYPES; a line without a type is a response. Raises BadInput for any other."""
    version = record.get("v", 1)
    if version != 1 or type(version) is not int:
        if type(version) is int and version > 1:
            raise BadInput(f"written by a newer quizgen (log version {version}); update quizgen")
        raise BadInput('"v" must be 1')
    if (kind := record.get("type")) is None:
        if "item" not in record and "response" not in record:
            raise BadInput("neither item nor response; is this a line of an answer log?")
        return "response"
    if type(kind) is not str or kind not in LINE_TYPES:
        hint = (did_you_mean(kind, LINE_TYPES) if type(kind) is str else "") or f"known: {', '.join(LINE_TYPES)}"
        raise BadInput(f"a log has no lines of type {quoted_json(kind)}; {hint}")
    return kind


def text_field(record: dict[str, Any], name: str) -> str | None:
    """The text in the field `name`, such as a candidate or session. A whole number becomes its digits; a missing or
    empty field gives None. Raises BadInput for any other value."""
    if (value := record.get(name)) is None:
        return None
    if type(value) is int:
        value = str(value)
    if type(value) is not str:
        raise BadInput(f"{name} must be text, not {json_type_name(value)}")
    if len(value) > MAX_ID_OR_NAME_CHARACTERS:
        raise BadInput(f"{name} is longer than {MAX_ID_OR_NAME_CHARACTERS} characters")
    return value or None


def item_id_field(record: dict[str, Any]) -> str:
    """The item id on a line. Raises BadInput without one."""
    name = record.get("item")
    if type(name) is not str:
        message = "item is missing; if it has another name here, give --map item=NAME"
        raise BadInput(message if name is None else f"item must be text, not {json_type_name(name)}")
    return name


def response_field(record: dict[str, Any]) -> str | tuple[str, ...]:
    """The response on a line: a text, or a tuple of texts for a list; a number becomes its digits. Raises BadInput."""
    value = record.get("response", "")
    if type(value) is list:
        if len(value) > MAX_VALUES_PER_LOG_FIELD:
            raise BadInput(f"response holds {len(value)} texts; at most {MAX_VALUES_PER_LOG_FIELD} are read")
        return tuple(_scalar_as_text(v, "response") for v in value)
    if "response" not in record:
        hint = 'an item that was shown and left needs "response": ""'
        raise BadInput(f"response is missing; {hint}, and a response under another name --map response=NAME")
    return "" if value is None else _scalar_as_text(value, "response")


def drawn_value_texts_or_none(record: dict[str, Any]) -> dict[str, str] | None:
    """The drawn values on a line as texts by name (a number becomes its digits); None without any. Raises BadInput."""
    value = record.get("given")
    if value is None or value == {}:
        return None
    if type(value) is not dict:
        raise BadInput(f'given must be an object such as {{"K": 8}}, not {json_type_name(value)}')
    if len(value) > MAX_VALUES_PER_LOG_FIELD:
        raise BadInput(f"given holds {len(value)} names; at most {MAX_VALUES_PER_LOG_FIELD} are read")
    return {name: v if type(v) is str else _scalar_as_text(v, f"given {name}") for name, v in value.items()}


def _scalar_as_text(value: object, name: str) -> str:
    if type(value) is str:
        return value
    if type(value) in (bool, int) or (type(value) is float and -1e300 < value < 1e300):
        return json.dumps(value)
    type_name = "a number without bound" if type(value) is float else json_type_name(value)
    raise BadInput(f"{shorten(printable(name))} must be text or a number, not {type_name}")


def number_field(record: dict[str, Any], name: str, maximum: float) -> float | int | None:
    """The number in the field `name`, from 0 to `maximum`; None without the field. Raises BadInput for anything
    else."""
    value: float | int | None = record.get(name)
    if value is not None and (type(value) not in (int, float) or not 0 <= value <= maximum):
        raise BadInput(f"{name} must be a number from 0 to {maximum:,.0f}, not {quoted_json(value)}")
    return value


def time_text_field(record: dict[str, Any]) -> str | None:
    """The time on a line, as written; None if it has none. Raises BadInput if the text is not a time."""
    if (value := record.get("at")) in (None, ""):
        return None
    if type(value) is not str or len(value) > 40 or _TIME_PATTERN.fullmatch(value) is None:
        raise BadInput("at must be a time like 2026-11-21T10:00:00Z")
    return value


def epoch_seconds(time_text: str) -> float:
    """A time such as `2026-11-21T10:00:00Z` in seconds since 1970, in UTC unless it names a zone. Raises ValueError for
    an impossible time."""
    moment = datetime.fromisoformat(time_text)
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def epoch_seconds_or_none(value: object) -> float | None:
    """A time in seconds since 1970, as `epoch_seconds`; None for anything that is no possible time."""
    with suppress(ValueError, OverflowError):
        return epoch_seconds(value) if isinstance(value, str) else None
    return None


def quoted_json(value: object) -> str:
    """A value as JSON for a message: shortened, and with control characters made visible."""
    return shorten(printable(json.dumps(value, ensure_ascii=False)), 40)


def json_type_name(value: object) -> str:
    """The type of a JSON value in words, such as `a list`."""
    names = {dict: "an object", list: "a list", bool: "true or false", str: "text", int: "a number", float: "a number"}
    return names.get(type(value), "nothing")
