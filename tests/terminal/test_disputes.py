"""Marks that candidates dispute: in the debrief, in the log, beside the score, and on their author's list."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path

import pytest
from driven import ENTER, ESCAPE, F, Full, says, shows, stage
from fakes import NOWHERE, FakeItem, FakeVariant, form
from process import log_of, quizgen, write_log

from quizgen import bank as banks
from quizgen.draw import SeededRng
from quizgen.model import Form, FormEntry, Mark, Response, Score, Variant
from quizgen.rubric.authoring import CandidateDispute, group_disputes_by_criterion
from quizgen.rubric.rubric import Criterion, PhraseWithSettings, Rubric
from quizgen.session import interview, session_log
from quizgen.session.interview import Dispute, SessionRules
from quizgen.terminal import history
from quizgen.terminal.debriefs import ask_about_disputes, span_of_all_evidence
from quizgen.terminal.panes import Stage

BANK = """
topic: logs
items:
  - id: why-log
    kind: text
    stem: Why keep a write-ahead log?
    rubric:
      criteria:
        - {id: replay, points: 2, say: It is replayed after a crash., accept: ["replay* crash"]}
        - {id: order, points: 1, say: Writes are in order., accept: ["sequential*"]}
"""


class Sure(FakeVariant):
    """A text whose second mark is not sure."""

    def score(self, response: Response) -> Score:
        score = FakeVariant.score(self, response)
        marks = tuple(replace(m, certainty=0.9 if m.criterion_id == "a" else 0.3) for m in score.marks)
        return replace(score, marks=marks)


class SureItem(FakeItem):
    def draw(self, rng: SeededRng) -> Variant:
        return Sure(self, rng.seed)


def one_text() -> Form:
    item = SureItem(id="t", location=NOWHERE, shape="text", stem="Stem of t.", topic="fruit", points=Fraction(3))
    return replace(form(item), entries=(FormEntry(item.draw(SeededRng("t", "s"))),))


def claims(done: Full) -> list[tuple[object, ...]]:
    return [(d["item"], d["criterion"], d["claim"], d["from"], d["to"]) for d in done.lines if d["type"] == "dispute"]


def test_the_debrief_asks_about_marks_that_are_not_sure(tmp_path: Path) -> None:
    """Words are marked by arrows and Space, then fully; the machine's mark stays, both are shown."""

    right = "\x1b[C"
    steps = [
        ENTER, "an apple and a perr", F[5], "4", F[10], "f", stage(Stage.DEBRIEF), says("Marks that are not sure: 1. d asks"),
        "d", stage(Stage.DISPUTE), shows("Machine: 0/2", 90), shows("Solution of t.", 90), "f", says("Mark the words"),
        right * 3, " ", right, " ", "f", stage(Stage.DEBRIEF), says("The mark stays as it is"),
        shows("machine 1 of 3, you 3/3 (1 disputed)", 90), shows("You claim: fully.", 90),
    ]  # fmt: skip
    done = Full(tmp_path / "s.jsonl", one_text(), steps, wants_probes=False)
    assert claims(done) == [("t", "b", "full", 13, 19)]
    assert "an apple and a perr"[13:19] == "a perr"


def test_any_mark_of_the_item_in_view_can_be_disputed_downward_too(tmp_path: Path) -> None:
    steps = [
        ENTER, "an apple", F[5], "4", F[10], "f", "d", "n", stage(Stage.DEBRIEF), "n", "d", stage(Stage.DISPUTE), "n",
        ESCAPE, stage(Stage.DEBRIEF),
    ]  # fmt: skip
    done = Full(tmp_path / "s.jsonl", one_text(), steps, rows=9, wants_probes=False)
    # To say no where the machine says no disputes nothing.
    assert claims(done) == [("t", "a", "no", 3, 8)]


def test_line_by_line_the_unsure_marks_come_first() -> None:
    session = interview.new_session(one_text(), SessionRules()).start_clock(0.0)
    session = session.record_response("an apple, a\n perr", 9.0).end_session(10.0, "finished")
    made: list[tuple[int, Dispute]] = []
    said: list[str] = []
    answers = iter(["p", "a plum", "A perr", "9", "1", "n", "n", ""])
    ask_about_disputes(session, said.append, lambda text: next(answers), lambda i, d: made.append((i, d)), 80)
    assert [d for _, d in made] == [Dispute("b", "part", 10, 17), Dispute("a", "no", 0, 0)]
    assert "Your answer does not contain these words; copy them from it." in said
    assert "Item 9 has no marks to dispute; items that have: 1." in said
    empty = interview.new_session(one_text(), SessionRules()).end_session(10.0, "quit")
    ask_about_disputes(empty, said.append, lambda text: next(answers), lambda i, d: None, 80)
    assert said[-1].startswith("No mark to dispute")
    nested = Mark("a", Fraction(1), Fraction(2), "in part", evidence_spans=((2, 23), (9, 17)))
    assert span_of_all_evidence(nested) == (2, 23)


def test_a_claim_that_cannot_be_read_is_none() -> None:
    good = {"item": "x", "criterion": "c", "claim": "full", "from": 0, "to": 3}
    bad = ({"claim": "yes"}, {"from": -1}, {"to": "3"}, {"from": 9}, {"criterion": 5})
    logged = session_log.LoggedSession({}, dispute_records=(good, *({**good, **change} for change in bad)))
    assert session_log.last_dispute_by_criterion_id_by_item_id(logged) == {"x": {"c": Dispute("c", "full", 0, 3)}}
    last = session_log.LoggedSession({}, dispute_records=(good, {**good, "claim": "no"}))
    assert session_log.last_dispute_by_criterion_id_by_item_id(last)["x"]["c"].claimed_share_word == "no"


def test_the_author_sees_what_a_phrase_would_accept_and_change() -> None:
    """Two candidates mark the same words; a third answer, which nobody disputes, would meet the criterion too. What is
    met already needs no phrase."""
    rubrics = {"i": Rubric((Criterion("replay", accepted_phrases=(PhraseWithSettings("replay* crash"),)),))}
    said = "After a failure the journal is read again."
    other = "When power fails, the journal is read again from its start."
    third = "We read the journal of the last day again and again."
    claimed = [CandidateDispute("i", "replay", a, "the journal is read again", "full") for a in (said, other)]
    claimed.append(CandidateDispute("i", "replay", third, "", "no"))
    (row,) = group_disputes_by_criterion(claimed, {"i": [said, other, third, "No idea."]}, rubrics)
    assert (row.disputed_answer_count, row.distinct_answer_count, row.credit_claim_count) == (3, 4, 2)
    assert row.quotes_and_counts == (("the journal is read again", 2),)
    assert row.suggested_phrase == "journal read"
    assert (row.newly_met_other_answer_count, row.newly_met_other_answer) == (2, other)
    met = "It is replayed after a crash."
    claimed = [CandidateDispute("i", "replay", met, "replayed after a crash", "full")]
    (row,) = group_disputes_by_criterion(claimed, {"i": [met]}, rubrics)
    assert (row.suggested_phrase, row.newly_met_other_answer_count) == ("", 0)


def test_from_a_dispute_to_a_better_rubric(tmp_path: Path) -> None:
    """The walk of the guide: dispute, list, add the phrase, score again; the claim itself moves no point."""
    (tmp_path / "items.yaml").write_text(BANK, encoding="utf-8")
    typed = "After a failure the journal is read again.\n.\n"
    quizgen("mock", "items.yaml", "--log", "s.jsonl", typed=typed, cwd=tmp_path)
    score = ("score", "s.jsonl", "--format", "jsonl")
    before = quizgen(*score, cwd=tmp_path).stdout
    typed = "x\nf\njournal is read again\n"
    done = quizgen("debrief", "s.jsonl", "--dispute", "--item", "1", typed=typed, cwd=tmp_path)
    assert "You: After a failure the journal is read again." in done.stdout
    assert "Number of an item" not in done.stdout
    assert "Type f, p or n, or only Enter." in done.stdout
    assert log_of(tmp_path / "s.jsonl")[-1]["type"] == "dispute"
    assert quizgen(*score, cwd=tmp_path).stdout == before
    assert "(1 disputed)" in quizgen("debrief", "s.jsonl", cwd=tmp_path).stdout
    assert "(1 disputed)" in quizgen("debrief", "s.jsonl", "--html", "-", cwd=tmp_path).stdout
    listed = quizgen("rubric", "disputes", "s.jsonl", cwd=tmp_path)
    assert "why-log/replay: disputed in 1 of 1 answers" in listed.stdout
    assert 'would accept: "journal read"' in listed.stdout
    (tmp_path / "old.yaml").write_text(BANK, encoding="utf-8")
    better = BANK.replace('["replay* crash"]', '["replay* crash", "journal read"]')
    (tmp_path / "items.yaml").write_text(better, encoding="utf-8")
    changed = quizgen("score", "s.jsonl", "--against", "old.yaml", "items.yaml", cwd=tmp_path).stdout
    assert "0 of 3 (0.0%) -> 2 of 3 (66.7%), +2" in changed


@pytest.mark.parametrize(("claim", "share"), [("full", 2 / 3 * 1 / 2), ("no", 0.0)])
def test_memory_takes_half_of_a_claim(tmp_path: Path, claim: str, share: float) -> None:
    """Two of three points claimed: half of the two counts, for what comes next, never for readiness."""
    (tmp_path / "items.yaml").write_text(BANK, encoding="utf-8")
    loaded = banks.load_bank(str(tmp_path / "items.yaml")).required_bank
    base = {"session": "s", "item": "why-log", "seed": "1"}
    lines = [
        {"type": "session", "session": "s", "bank": "b", "items": ["why-log"], "seed": "1", "multiplier": 2},
        {**base, "type": "response", "response": "no idea", "seconds": 9, "at": "2026-11-22T10:00:00Z"},
        {**base, "type": "dispute", "criterion": "replay", "claim": claim, "from": 0, "to": 2},
    ]
    log = tmp_path / "s.jsonl"
    write_log(log, *lines)
    past = history.answered_sessions_of_logs([log], lambda text: None)
    (look,) = history.last_attempts_per_session(past, loaded, datetime(2026, 11, 23, tzinfo=UTC))
    assert look.points_share == pytest.approx(share)
    assert (look.points_share_before_probe, look.time_budget_multiple) == (0, 9 / (2 * 60))
