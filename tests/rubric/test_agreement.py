"""Agreement with human scores: statistics by hand, rows from other systems, the report's parts. And what `rubric
suggest` finds in answers of one author, and what it says each wording would change."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from quizgen.commands.rubric import draft_rubric_yaml
from quizgen.rubric import authoring
from quizgen.rubric.authoring import SlotSuggestion, criteria_from_model_answer, suggest_wordings_for_items
from quizgen.rubric.check import lint_rubric

from .rubrics import rubric_of

LOCK = rubric_of(
    "stem: What does the lock do?\nrubric: {criteria: [{id: c, accept: ['lock protect*'], reject: ['lock slow*']}]}\n"
)
CACHE = rubric_of("stem: What does a cache do?\nrubric: {criteria: [{id: k, accept: ['cache keep*']}]}\n")


def rows(*objects: dict[str, object]) -> list[authoring.GradedRow]:
    found = list(authoring.rows_and_line_faults(json.dumps(o) for o in objects))
    assert all(isinstance(row, authoring.GradedRow) for row in found), found
    return found


def test_statistics_by_hand() -> None:
    # Deviations (-1, 0, 1) and (-1, 1, 0): covariance 1, both variances 2.
    assert authoring.correlation_of_pairs([(1, 1), (2, 3), (3, 2)]) == pytest.approx(0.5)
    assert authoring.correlation_of_pairs([(1, 0), (1, 1)]) == 0
    # Two raters, 2x2 table [[2, 1], [1, 2]]: observed disagreement 2/6, expected 1/2.
    assert authoring.quadratic_kappa_of_pairs([(0, 0), (0, 0), (0, 1), (1, 1), (1, 1), (1, 0)], 2) == pytest.approx(
        1 / 3
    )
    # Three steps, all two apart: the worst there is with these margins.
    assert authoring.quadratic_kappa_of_pairs([(0.0, 1.0), (1.0, 0.0)], 3) == pytest.approx(-1.0)
    assert authoring.quadratic_kappa_of_pairs([(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)], 3) == 1


def test_rows_of_other_systems() -> None:
    lines = [
        '{"question_id": "10.1", "answer": "x", "score": 3, "max_score": 5, "reference": "r"}',
        '{"item": "a", "response": "y", "earned": 0.5, "possible": 1}',
        "",
        "not json",
        "[1]",
        '{"item": "a", "answer": "z"}',
        '{"item": "a", "answer": "z", "score": 2, "max_score": 1}',
        '{"item": "a", "answer": "z", "score": NaN}',
    ]
    first, second, *faults = authoring.rows_and_line_faults(lines)
    assert (first.line_number, first.item_id, first.human_share) == (1, "10.1", 0.6)
    assert (second.item_id, second.answer, second.human_share) == ("a", "y", 0.5)
    assert [line for line, _ in faults] == [4, 5, 6, 7, 8]


def test_rows_find_their_item_by_id_or_stem() -> None:
    items = {"lock-1": LOCK, "cache": CACHE}
    given = rows(
        {"item": "lock-1", "answer": "a", "score": 1},
        {"question_id": "LOCK.1", "answer": "b", "score": 1},
        {"question_id": "7", "question": "what does a cache do", "answer": "c", "score": 1},
        {"question_id": "lock-1", "question": "What does a cache do?", "answer": "d", "score": 1},
        {"item": "other", "answer": "e", "score": 1},
    )
    matched, unmatched = authoring.item_rows_unmatched_count(given, items)
    assert [row.item_id for row in matched] == ["lock-1", "lock-1", "cache", "cache"]
    assert unmatched == 1


def test_the_report() -> None:
    given = rows(
        {"item": "lock", "answer": "The lock protects it.", "score": 1, "criteria": {"c": True}},
        {"item": "lock", "answer": "The lock slows it.", "score": 0, "criteria": {"c": False}},
        {"item": "lock", "answer": "It guards the count.", "score": 1, "criteria": {"c": True}},
        {"item": "cache", "answer": "The cache keeps data.", "score": 1, "type": "plain"},
        {"item": "cache", "answer": "Nothing.", "score": 0, "type": "wrong"},
    )
    report = authoring.evaluate_rubrics(given, {"lock": LOCK, "cache": CACHE}, limit=1)
    assert (report.row_count, report.unmatched_row_count, report.kappa_step_count, report.human_mean) == (5, 0, 2, 0.6)
    assert report.rubric_agreement.root_mean_square_error == pytest.approx(math.sqrt(1 / 5))
    assert [(t.category, t.row_count) for t in report.category_means] == [("", 3), ("plain", 1), ("wrong", 1)]
    assert [t.mean_human_share for t in report.category_means] == pytest.approx([2 / 3, 1, 0])
    assert [(i[0], i[1]) for i in report.item_ids_counts_correlations] == [("cache", 2), ("lock", 3)]
    # Of two answers that say it one is denied, of one that does not none is credited.
    rates = report.error_rates_of_all_criteria
    assert (rates.false_denial_rate, rates.full_credit_mark_count, rates.false_full_credit_rate) == (0.5, 2, 0.0)
    (worst,) = report.largest_disagreements
    every = authoring.evaluate_rubrics(given, {"lock": LOCK, "cache": CACHE}).largest_disagreements
    assert all(one.human_share != one.rubric_share for one in every)
    assert (worst.line_number, worst.human_share, worst.rubric_share) == (3, 1.0, 0.0)
    assert "c missing" in worst.rubric_marks_text
    nothing = authoring.evaluate_rubrics([], {"lock": LOCK})
    assert (nothing.row_count, nothing.rubric_agreement.pearson_correlation, nothing.category_means) == (0, 0.0, ())


def test_a_draft_meets_its_own_model_answer() -> None:
    stem = "Why is tensor parallelism kept inside one server?"
    model = (
        "Every transformer block ends in an all-reduce on the critical path. NVLink offers 900 GB/s. "
        "It scales as O(n log n), e.g. in practice."
    )
    found = criteria_from_model_answer(stem, model)
    assert len(found) == 3
    assert len({c.id for c in found}) == 3
    body = draft_rubric_yaml(stem, model)
    rubric = rubric_of(f"stem: {stem}\n{body}model_answer: {json.dumps(model)}\n")
    assert [f for f in lint_rubric(rubric) if "the same criterion" not in f.message] == []
    assert draft_rubric_yaml(stem, "It is.") == ""


def test_every_row_of_the_public_set_is_read(shared: Path) -> None:
    """Agreement itself is measured with rubrics that stay out of the project."""
    lines = (shared / "graded" / "saf_english.jsonl").read_text(encoding="utf-8").splitlines()
    assert [*map(type, authoring.rows_and_line_faults(lines))].count(authoring.GradedRow) == len(lines) == 2112


def test_marks_by_hand() -> None:
    rubric = rubric_of(
        "rubric: {criteria: [{id: a, points: 2, bare: true, accept: ['apple*']}, {id: b, accept: ['plum*']}, "
        "{id: c, accept: ['pear*']}], groups: [{of: [b, c], at_most: 1}]}\n"
    )
    given = rows(
        {"item": "x", "type": "s", "answer": "apples and plums", "hand": {"a": 1, "b": 1, "c": 1}},
        {"item": "x", "type": "w", "answer": "apples", "hand": {"a": 0, "b": 0, "c": 0.5}},
    )
    # Of 3 points: 2 + 1 (the group's cap), and half a point.
    assert [row.human_share for row in authoring.item_rows_unmatched_count(given, {"x": rubric})[0]] == [
        1.0,
        pytest.approx(1 / 6),
    ]
    report = authoring.evaluate_rubrics(given, {"x": rubric})
    found = report.error_rates_of_all_criteria
    # The wrong answer earns a in full; c of the strong one, which deserves it, earns nothing.
    assert (found.false_full_credit_rate, found.false_denial_rate) == pytest.approx((1 / 2, 1 / 3))
    assert (found.no_credit_mark_count, found.full_credit_mark_count) == (2, 3)
    assert [(t.category, t.row_count) for t in report.category_means] == [("s", 1), ("w", 1)]
    assert [t.mean_rubric_share for t in report.category_means] == pytest.approx([1, 2 / 3])


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
    graded = authoring.rows_and_line_faults(json.dumps({"item": "log", "max_score": 1, **row}) for row in rows)
    return suggest_wordings_for_items(list(graded), {"log": LOG})


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
    assert (one.item_id, one.criterion_id, one.right_answers_without_criterion_count, one.right_answer_count) == (
        "log",
        "redo",
        3,
        4,
    )
    assert one.slot_text == "replay*|redo*"
    best = one.wordings[0]
    counts = best.met_right_answer_count, best.met_wrong_answer_count, best.met_undecided_answer_count
    assert (best.added_words, *counts) == ("reapplies", 2, 0, 0)


def test_what_else_it_would_change_is_counted() -> None:
    """A wrong answer and a half right one say the same word of the log."""
    (one,) = found(
        *(right(f"The server {word} reapplies the log.") for word in ("soon", "then", "later")),
        wrong("The server reapplies the log of somebody else."),
        {"answer": "Perhaps the disk reapplies the log.", "hand": {"redo": 0.5, "undo": 0}},
    )
    best = one.wordings[0]
    counts = best.met_right_answer_count, best.met_wrong_answer_count, best.met_undecided_answer_count
    assert (best.added_words, *counts) == ("reapplies", 3, 1, 0)
    assert best.wrong_or_undecided_answer == "The server reapplies the log of somebody else."


def test_a_word_that_wrong_answers_share_is_left_out() -> None:
    kept = "The server keeps the log."
    made = found(right(kept), wrong(kept), wrong("A disk keeps the log of all."))
    assert "keeps" not in [w.added_words for s in made for w in s.wordings]


def test_a_score_speaks_of_all_criteria() -> None:
    """Without marks by criterion a full score deserves each of them, and words of the stem are never offered."""
    answer = "The database reapplies the log; unfinished work it reverts."
    made = found({"answer": answer, "score": 1}, {"answer": "No idea.", "score": 0})
    assert {s.criterion_id for s in made} == {"redo", "undo"}
    words = {s.criterion_id: [w.added_words for w in s.wordings] for s in made}
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
