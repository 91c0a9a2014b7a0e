"""Twelve keys and what people write for them, each judged by hand by the rule of docs/diagnosis.md.

Keys: 3/19 = 15.789…%; 26 + 14*13/32 = 31.6875 GB (29.51… GiB); 23/20 = 1.15 h; 1,049 kparam; 30/31 = 96.774…%;
1 - 0.005² = 99.9975 %; 2^17 = 131,072; 31.6875 again, exact and to three digits; 14 + 14*7/64 = 15.53125 GB beside
15.75 GB by the mistake; 41.3 GB beside 38 GB; 10.3 GB give or take 0.5 GB.
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass


@dataclass(frozen=True)
class Key:
    """An item: its formula as an author writes it, the mistake beside it, and what is asked of it."""

    id: str
    key: str
    steps: str
    unit: str
    answer: str = ""
    mistake: str = ""


@dataclass(frozen=True)
class Rounded:
    """A response, the share of the points that it earns, and its diagnosis (empty: none)."""

    item: str
    response: str
    earned: float
    diagnosis: str
    why: str


KEYS = (
    Key("bubble", "15.789…%", "3 / (16 + 3)", "'%'", '{unit: "%", tolerance: 0.5%, digits: 2}', "4 / (16 + 4)"),
    Key("state", "31.6875 GB", "26 GB + 14 GB * 13 / 32", "B", "{unit: GB}"),
    Key("tie", "1.15 h", "23 h / 20", "h"),
    Key("million", "1,049,000 params", "1049000 param / (1 s) * 1 s", "param"),
    Key("almost", "96.774…%", "30 / 31", "'%'", '{unit: "%", tolerance: 0.1%, digits: 2}'),
    Key("nines", "99.9975 %", "1 - 0.005 ** 2", "'%'", '{unit: "%", tolerance: {absolute: 0.0001 %}, digits: 2}'),
    Key("whole", "131,072 tokens", "2 ** 17 * 1 token", "token"),
    Key("exact", "31.6875 GB", "26 GB + 14 GB * 13 / 32", "B", "{unit: GB, tolerance: 0}"),
    Key("three", "31.6875 GB", "26 GB + 14 GB * 13 / 32", "B", "{unit: GB, tolerance: 0, digits: 3}"),
    Key("alike", "15.53125 GB", "14 GB + 14 GB * 7 / 64", "B", "{unit: GB, tolerance: 0.2%, digits: 2}", "15.75 GB"),
    Key("far", "41.3 GB", "413 GB / 10", "B", "{unit: GB}", "38 GB"),
    Key("give-or-take", "10.3 GB", "103 GB / 10", "B", "{unit: GB, tolerance: 0.5 GB}"),
)

ROWS = (
    Rounded("bubble", "15.8%", 1, "", "15.789 to three digits"),
    Rounded("bubble", "16 %", 1, "", "15.789 to two digits"),
    Rounded("bubble", "3/19 = 16%", 1, "", "what stands behind the last equals sign counts"),
    Rounded("bubble", "0.16", 1, "", "16 %"),
    Rounded("bubble", "15%", 0, "", "15.789 rounds to 16"),
    Rounded("bubble", "20 %", 0, "m", "the mistake exactly, before 15.789 to one digit"),
    Rounded("state", "32", 1, "", "within 1 %, and two digits"),
    Rounded("state", "30 GB", 0.5, "rounded-too-far", "one digit, 5.3 % off"),
    Rounded("state", "31 GB", 0, "", "31.6875 rounds to 32"),
    Rounded("state", "30 GiB", 1, "", "29.51 GiB to two digits: the unit written counts, and a nought may be a digit"),
    Rounded("tie", "1.2 h", 1, "", "1.15 to two digits, up"),
    Rounded("tie", "1.1", 1, "", "1.15 to two digits, down"),
    Rounded("tie", "69 min", 1, "", "exact"),
    Rounded("tie", "1 h", 0, "rounded-too-far", "one digit, 13 % off"),
    Rounded("million", "1.0 million", 1, "", "1.049 to two digits"),
    Rounded("million", "1e6", 1, "", "the nought of 1.0 may be left out"),
    Rounded("million", "1.1M", 0, "", "1.049 rounds to 1.0"),
    Rounded("almost", "96.8%", 1, "", "3.226 % are missing, 3.2 to two digits"),
    Rounded("almost", "97%", 0.5, "rounded-too-far", "one digit of what is missing, 0.2 % off"),
    Rounded("almost", "0.97", 0.5, "rounded-too-far", "97 %"),
    Rounded("nines", "99.9975%", 1, "", "2.5 to two digits"),
    Rounded("nines", "99.998 %", 0.5, "rounded-too-far", "one digit of what is missing"),
    Rounded("nines", "100 %", 0, "rounded-too-far", "no digit of what is missing"),
    Rounded("nines", "99.99 %", 0, "", "the missing 0.0025 % rounds to 0.003 or 0.002"),
    Rounded("whole", "131072", 1, "", "exact"),
    Rounded("whole", "130,000", 0, "rounded-too-far", "whole by construction: rounding does not count"),
    Rounded("exact", "31.7 GB", 0, "rounded-too-far", "tolerance 0 and no digits written"),
    Rounded("three", "31.7 GB", 1, "", "31.6875 to three digits"),
    Rounded("three", "32 GB", 0.5, "rounded-too-far", "two digits, 1 % off"),
    Rounded("alike", "15.5", 1, "", "15.53 to three digits"),
    Rounded("alike", "16 GB", 0, "m", "15.75 rounds to 16 as 15.53 does: the mistake comes first"),
    Rounded("far", "41 GB", 1, "", "41.3 to two digits"),
    Rounded("far", "40 GB", 0, "rounded-too-far", "3 % off, but 38 rounds to 40 as well"),
    Rounded("give-or-take", "9.8", 1, "", "0.5 off, the edge"),
    Rounded("give-or-take", "10 GB", 1, "", "0.3 off"),
    Rounded("give-or-take", "12 GB", 0, "", "1.7 off"),
)


def bank(only: str = "") -> str:
    """The items in YAML, all or one; each draws its one variant, so that a log line needs no seed."""
    return "topic: rounding\nitems:\n" + "".join(_item(one) for one in KEYS if only in ("", one.id))


def _item(one: Key) -> str:
    wrong = f"\n      misconceptions: [{{id: m, value: {one.mistake}, say: No.}}]" if one.mistake else ""
    asks = f"\n  answer: {one.answer}" if one.answer else ""
    return textwrap.indent(
        f"""\
- id: {one.id}
  kind: numeric
  stem: How much is it, for {{n}} of them?
  draw: {{n: [1]}}
  formula:
    inputs: {{n: {{is: how many, whole: true}}}}
    steps: {{key: ({one.steps}) * n}}
    unit: {one.unit}{wrong.replace("      ", "    ")}{asks}
  rationale: Worked by hand.
  difficulty: 1
  seconds: 60
  source: hand
""",
        "  ",
    )
