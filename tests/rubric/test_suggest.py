"""What `rubric suggest` finds in answers of one author, and what it says each wording would change."""

from __future__ import annotations

import json

from quizgen.rubric.agreement import read_graded_rows
from quizgen.rubric.suggest import SlotSuggestion, suggest_wordings

from .rubrics import rubric_of

LOG = rubric_of(
    """
    stem: Why does a database write ahead?
    rubric:
      criteria:
        - {id: redo, points: 2, say: Committed work is replayed., accept: ["log|journal replay*|redo*"]}
        - {id: undo, say: Unfinished work is undone., accept: ["unfinish* undo*|undone"]}
    """
)


def found(*rows: dict[str, object]) -> tuple[SlotSuggestion, ...]:
    graded = read_graded_rows(json.dumps({"item": "log", "max_score": 1, **row}) for row in rows)
    return suggest_wordings(list(graded), {"log": LOG})


def right(answer: str) -> dict[str, object]:
    return {"answer": answer, "hand": {"redo": 1, "undo": 0}}


def wrong(answer: str) -> dict[str, object]:
    return {"answer": answer, "hand": {"redo": 0, "undo": 0}}


def test_a_word_that_right_answers_share_fills_the_slot() -> None:
    """Two of three say "reapplies": it comes first, with the slot it belongs to."""
    (one,) = found(
        right("After a crash the server reapplies what the log holds."),
        right("It reads the log and reapplies every commit."),
        right("The log is walked through once more."),
        right("The log is replayed."),
        wrong("The log is deleted."),
    )
    assert (one.item, one.criterion, one.missed_count, one.right_count) == ("log", "redo", 3, 4)
    assert (one.base_phrase, one.slot) == ("log|journal replay*|redo*", "replay*|redo*")
    best = one.wordings[0]
    assert (best.added_words, best.right_count, best.wrong_count, best.undecided_count) == ("reapplies", 2, 0, 0)
    assert best.phrase == "log|journal replay*|redo*|reapplies"


def test_what_else_it_would_change_is_counted() -> None:
    """A wrong answer and a half right one say the same word of the log."""
    (one,) = found(
        *(right(f"The server {word} reapplies the log.") for word in ("soon", "then", "later")),
        wrong("The server reapplies the log of somebody else."),
        {"answer": "Perhaps the disk reapplies the log.", "hand": {"redo": 0.5, "undo": 0}},
    )
    best = one.wordings[0]
    assert (best.added_words, best.right_count, best.wrong_count, best.undecided_count) == ("reapplies", 3, 1, 0)
    assert best.example == "The server reapplies the log of somebody else."


def test_a_word_that_wrong_answers_share_is_left_out() -> None:
    made = found(
        right("The server keeps the log."), wrong("The server keeps the log."), wrong("A disk keeps the log of all.")
    )
    assert "keeps" not in [w.added_words for s in made for w in s.wordings]


def test_a_score_speaks_of_all_criteria() -> None:
    """Without marks by criterion a full score deserves each of them, and words of the stem are never offered."""
    made = found(
        {"answer": "The database reapplies the log; unfinished work it reverts.", "score": 1},
        {"answer": "No idea.", "score": 0},
    )
    assert {s.criterion for s in made} == {"redo", "undo"}
    words = {s.criterion: [w.added_words for w in s.wordings] for s in made}
    assert words["redo"][0] == "reapplies"
    assert "reverts" in words["undo"]
    assert "database" not in [w.added_words for s in made for w in s.wordings]


def test_nothing_is_suggested_where_nothing_is_missed() -> None:
    assert found(right("The log is replayed."), wrong("The log is deleted.")) == ()
    assert found(right("It is not so that the log is replayed.")) == (), "denied, which no wording would fix"


def test_no_filler_is_offered() -> None:
    said = [right(f"Okay, whatever is in the log gets done ten times, {w}.") for w in ("basically", "actually", "yeah")]
    words = {wording.added_words for one in found(*said) for wording in one.wordings}
    assert words.isdisjoint({"okay", "whatever", "ten", "basically", "actually", "yeah"})
