"""What comes next on the page, and what it saves: its scripts alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .modules import NODE, run_modules

pytestmark = pytest.mark.skipif(NODE is None, reason="no node: install nodejs to run the page's scripts alone")

CARDS = [
    {"item": f"i{n}", "kind": "choice", "topic": "t" if n % 2 else "u", "drawings": [{"seed": f"s{d}", "given": {}} for d in range(3)]}
    for n in range(8)
]  # fmt: skip


def answer(card: int, share: float, drawing: int = 0) -> dict[str, Any]:
    about = {"response": "x", "seconds": 2, "hints": 0, "id": f"a{card}{share}", "at": "2026-11-28T10:00:00.000Z"}
    return {"type": "answer", "card": card, "drawing": drawing, "share": share, **about}


NEXT = {"type": "next"}


ALL = [step for n in range(8) for step in (answer(n, 0 if n == 7 else 1), NEXT)]  # the last one is missed
AGAIN = [*ALL, answer(7, 0, 1), NEXT]
TEXT, NUMBER = ([{**CARDS[0], "kind": kind}] for kind in ("text", "numeric"))
MARKS = [{"type": "mark", "card": 0, "mark": "never"}, answer(1, 0), {"type": "mark", "card": 1, "mark": "easy"}]


@pytest.mark.parametrize(
    ("cards", "events", "queue", "ended", "drawing"),
    [
        (CARDS, [answer(0, 0), NEXT], [1, 2, 3, 4, 5, 0, 6, 7], False, 1),  # behind five others, in another drawing
        (CARDS, ALL, [7], False, 1),
        (CARDS, AGAIN, [7], False, 1),
        (CARDS, [*AGAIN, answer(7, 1, 2), NEXT], [], True, 1),  # until it is right once
        (TEXT, [answer(0, 0.5), NEXT], [], True, 1),  # half of a text is enough
        (NUMBER, [answer(0, 0.5), NEXT], [0], False, 1),  # half of a number is not
        (CARDS, MARKS, [2, 3, 4, 5, 6, 7], False, 0),  # never again, and too easy
    ],
)
def test_what_comes_next(
    tmp_path: Path, cards: list[dict[str, Any]], events: list[dict[str, Any]], queue: list[int], ended: bool, drawing: int
) -> None:  # fmt: skip
    state = run_modules(tmp_path, "return page.replay(given[0], given[1]);", [cards, events])
    assert (state["queue"], bool(state["ended"]), state["cards"][0]["drawing"]) == (queue, ended, drawing)
    assert state["checked"] is None


def test_an_answer_is_taken_back_with_all_that_follows(tmp_path: Path) -> None:
    events = [answer(0, 1), NEXT, {"type": "hint", "card": 1}, answer(1, 0), NEXT]
    assert run_modules(tmp_path, "return page.undone(given);", events) == events[:3]


def test_the_end_counts_what_was_right_at_once_and_in_the_end(tmp_path: Path) -> None:
    events = [answer(0, 0), NEXT, answer(1, 1), NEXT, answer(0, 1, 1), NEXT, {"type": "finish"}]
    code = "const s = page.replay(given[0], given[1]); return [s.ended, page.rows(given[0], s, (c) => c.topic), page.missed(given[0], s)];"
    ended, rows, missed = run_modules(tmp_path, code, [CARDS, events])
    assert ended
    assert missed == [0]
    counts = {row["label"]: (row["items"], row["first"], row["last"], row["seconds"]) for row in rows}
    assert counts == {"u": (1, 0, 1, 4), "t": (1, 1, 1, 2)}


def test_a_saved_log_has_a_line_for_each_answer(tmp_path: Path) -> None:
    head = {"bank": "b", "digest": "sha256:0", "seed": "s", "page": "p"}
    kept = {
        "session": "abcdef01", "candidate": "ada", "started": "2026-11-28T10:00:00.000Z", "ended": "2026-11-28T10:09:00.000Z",
        "events": [
            answer(0, 0), {"type": "self", "card": 0, "id": "a00", "self": {"often": 0.5}}, NEXT,
            {"type": "flag", "card": 1}, answer(1, 1), NEXT, answer(0, 1, 1), NEXT,
            {"type": "mark", "card": 2, "mark": "bad", "note": "typo", "at": "2026-11-28T10:08:00.000Z"},
        ],
    }  # fmt: skip
    code = "return [page.lines(given[0], given[1], given[2]), page.fileName(given[2])];"
    log, name = run_modules(tmp_path, code, [head, CARDS, kept])
    assert [line["type"] for line in log] == ["session", "response", "response", "response", "card", "end"]
    assert all(line["session"] == "abcdef01" for line in log)
    assert (log[0]["mode"], log[0]["items"]) == ("practice", [f"i{n}" for n in range(8)])
    assert (log[1]["self"], log[1]["seed"], "again" in log[1]) == ({"often": 0.5}, "s0", False)
    assert (log[2]["flagged"], log[3]["again"], log[3]["seed"]) == (True, True, "s1")
    assert (log[4]["mark"], log[4]["note"]) == ("bad", "typo")
    assert name == "practice-2026-11-28-1000-abcdef.jsonl"


def test_choices_are_judged_by_their_policy(tmp_path: Path) -> None:
    code = "return given.map((row) => page.judgeChoice(...row).share);"
    rows: list[tuple[list[int], int, list[int], str]] = [
        ([1], 4, [1], "all"), ([0], 4, [1], "all"), ([0, 1], 4, [0, 1], "all"), ([0], 4, [0, 1], "all"),
        ([0], 4, [0, 1], "net"), ([0, 2], 4, [0, 1], "net"), ([0], 4, [0, 1], "each"), ([0, 2], 4, [0, 1], "each"),
    ]  # fmt: skip
    assert run_modules(tmp_path, code, rows) == [1, 0, 1, 0, 0.5, 0, 0.75, 0.5]
