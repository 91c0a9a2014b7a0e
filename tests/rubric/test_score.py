"""Scoring: the rules of the contract, one by one, and the laws that hold for any text."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from quizgen.rubric import score

from .rubrics import adds_up, one, rubric_of, status

TP = rubric_of(
    """
    stem: Why is tensor parallelism kept inside one NVLink domain?
    rubric:
      criteria:
        - id: every-layer
          points: 2
          accept:
            - "all-reduce|communicat*|synchroni* {every layer|each layer|per layer}"
            - "{critical path}"
          reject:
            - "{once per step|only at stage boundaries}"
        - id: bandwidth
          accept: ["nvlink faster|bandwidth|{900 gb/s}", "infiniband|network|ethernet slow*|bottleneck|stall*"]
      full_marks: 3
      misconceptions:
        - match: "tensor parallel* {less communication} pipeline"
          penalty: 1
          say: It is the other way round.
    synonyms: {all-reduce: [ring sum]}
    model_answer: >-
      Each layer ends in an all-reduce that the next layer waits for, so it is on the critical path,
      and NVLink has several times the bandwidth of the network between nodes.
    """
)


def test_evidence_is_in_the_candidates_own_characters() -> None:
    text = "Ünlike others: ﬁrst an “ALL‑REDUCE” in every\u00a0layer."
    mark = score.score_text(TP, text).marks[0]
    assert mark.status == "found"
    assert [text[a:b] for a, b in mark.evidence_spans] == ["ALL‑REDUCE", "every\u00a0layer"]


def test_a_claim_in_a_question_is_told_as_asked() -> None:
    """No word of it is a hedge: `is only guessed ("ACK")` sent an author looking for one."""
    rubric = rubric_of('stem: s\nrubric:\n  criteria:\n    - {id: a, points: 2, accept: ["original ack*"]}\n')
    (mark,) = score.score_text(rubric, "Is the ACK for the original?").marks
    assert (mark.status, mark.because) == ("hedged", '"ACK for the original" is asked in a question, not said')
    (mark,) = score.score_text(rubric, "Perhaps the ACK is for the original.").marks
    assert mark.because.endswith('is only guessed ("Perhaps")')


def test_penalty_and_floor() -> None:
    scored = score.score_text(TP, "Tensor parallelism has less communication than pipeline parallelism.")
    assert scored.earned == 0
    assert scored.misconception_ids == ("misconception-1",)
    assert scored.misconception_corrections == ("It is the other way round.",)
    assert [(a.kind, a.points) for a in scored.adjustments] == [("penalty", -1), ("floor", 1)]
    assert adds_up(scored)
    denied = score.score_text(TP, "Tensor parallelism does not have less communication than pipeline parallelism.")
    assert denied.misconception_ids == ()


def test_a_synonym_stands_for_its_key_where_the_phrase_has_the_beginning() -> None:
    accept = "rubric: {criteria: [{id: c, accept: ['accelerat* memory']}]}\n"
    rubric = rubric_of(accept + "synonyms: {accelerator: [card, gpu board]}\n")
    assert status(rubric, "the card has memory") == "found"
    assert status(rubric, "the gpu boards have memory") == "found"


@pytest.mark.parametrize(
    ("text", "fields", "share"),
    [
        ("The lock is taken first. Then other work is done. At last the counter is read.", {}, "1/4"),
        ("The lock is taken first. Then other work is done. At last the counter is read.", {"near": "answer"}, "1"),
        ("The lock is taken. The counter is read.", {"near": "sentence"}, "0"),
        ("The lock is taken, readers wait for the counter.", {}, "1"),
        ("The lock is taken; readers wait for the counter.", {}, "1/4"),  # a semicolon ends a sentence
        ("The lock is taken. Readers wait for the counter.", {}, "1/4"),
        # The second goes on with the first.
        ("The lock is taken. It guards the counter.", {}, "1/2"),
        ("The lock is taken. So the counter is safe.", {}, "1/2"),
        ("lock then read counter", {"near": "3"}, "0"),
        ("counter and lock", {"ordered": "true"}, "0"),
    ],
)
def test_words_far_apart_earn_a_part_unless_allowed(text: str, fields: dict[str, str], share: str) -> None:
    assert score.score_text(one("lock counter", **fields), text).earned == Fraction(share)


def test_partial_credit_follows_the_share_of_slots() -> None:
    three = one("alpha beta gamma")
    assert score.score_text(three, "alpha and beta").earned == Fraction(1, 3)
    assert score.score_text(three, "alpha").earned == 0
    assert score.score_text(one("alpha beta"), "alpha").earned == 0
    assert score.score_text(three, "alpha and beta").marks[0].because == '"alpha" and "beta" found, but not gamma'
    assert score.score_text(three, "alpha").marks[0].because == "not found"  # a word by chance explains nothing


def test_a_repair_is_told() -> None:
    mark = score.score_text(one("synchronous"), "It is synchronuos.").marks[0]
    assert mark.spelling_corrections == (("synchronuos", "synchronous"),)
    assert 'read "synchronuos" as "synchronous"' in mark.because


def test_near_misses_earn_at_most_half_the_lightest_criterion_together() -> None:
    criteria = "[{id: a, points: 2, accept: [red green blue]}, {id: b, accept: [cat dog cow]}]"
    rubric = rubric_of(f"rubric: {{criteria: {criteria}}}")
    # Two of three slots: a third of 2 points and a third of 1, together 1 point; the lightest is 1 point.
    scored = score.score_text(rubric, "The red and the green one; the cat and the dog.")
    assert [m.earned for m in scored.marks] == [Fraction(2, 3), Fraction(1, 3)]
    assert [(a.kind, a.points) for a in scored.adjustments] == [("near", Fraction(-1, 2))]
    assert scored.earned == Fraction(1, 2)
    assert adds_up(scored)


def test_words_in_no_order_of_a_sentence_are_capped() -> None:
    rubric = one("lock counter", "mutex")
    said = "The thread takes the lock before it reads the counter, so that another thread can change it meanwhile."
    mixed = "meanwhile. it the that before counter, The thread thread change so another reads can the the takes lock"
    assert score.score_text(rubric, said).earned == 1
    assert score.score_text(rubric, mixed).earned <= Fraction(1, 2)
    assert score.score_text(rubric, mixed).cap_flags == ("word-salad",)
    assert score.score_text(rubric, said.lower()).earned == 1


def test_groups_and_full_marks_are_parts_of_the_sum() -> None:
    rubric = rubric_of(
        """
        rubric:
          criteria:
            - {id: a, accept: [alpha]}
            - {id: b, accept: [beta]}
            - {id: c, accept: [gamma]}
            - {id: d, accept: [delta], points: 2, bare: true}
          groups: [{of: [a, b, c], at_most: 2}]
          full_marks: 3.5
        """
    )
    scored = score.score_text(rubric, "alpha, beta, gamma and delta")
    assert [(a.kind, a.points) for a in scored.adjustments] == [("group", -1), ("full-marks", Fraction(-1, 2))]
    assert scored.earned == scored.possible == Fraction(7, 2)
    assert adds_up(scored)


def test_word_lists_are_capped() -> None:
    stuffed = "all-reduce every layer critical path nvlink bandwidth infiniband slow network bottleneck communicate"
    scored = score.score_text(TP, stuffed)
    assert scored.earned == Fraction(3, 2)
    assert scored.cap_flags == ("word-list",)
    assert scored.needs_review
    assert adds_up(scored)
    mixed = "network bandwidth the of several all-reduce waits the an nodes ends layer in Each"
    assert score.score_text(TP, mixed).earned <= 1


def test_the_cap_is_told() -> None:
    scored = score.score_text(TP, "It communicates in every layer. " + "x " * 40_000)
    assert scored.candidate_notes == ("Only the first 65,536 characters of the response were read.",)
    assert scored.marks[0].status == "found"


LISTED = rubric_of(
    "rubric: {criteria: [{id: a, accept: [smaller tables]}, {id: b, accept: [more|better security]},\n"
    "  {id: c, accept: [simpler protocol]}]}\n"
)


@pytest.mark.parametrize(
    "text",
    [
        # A list whose line breaks were lost on the way, each line opened by the same word.
        "To allow smaller routing tables To give more security To have simpler protocol processing To help mobile users",
        # Small letters throughout, but for a name.
        "smaller tables. the routers look up less. better security via Kerberos. simpler protocol so less is parsed. done",
    ],
)
def test_lists_and_small_letters_are_no_salad(text: str) -> None:
    scored = score.score_text(LISTED, text)
    assert (scored.cap_flags, scored.earned) == ((), 3)


def test_an_answer_on_the_topic_that_nothing_recognises_is_for_a_person() -> None:
    rubric = rubric_of(
        "stem: Why does a ship float?\nmodel_answer: Buoyancy carries the hull, as it displaces water of its own weight.\n"
        "rubric: {criteria: [{id: push, accept: ['push* up']}, {id: equal, accept: ['same heavy']}]}\n"
    )
    own_words = "The hull shoves so much of the sea aside that the sea holds it from below by buoyancy."
    assert score.score_text(rubric, own_words).needs_review
    assert not score.score_text(rubric, "The hull is made of steel.").needs_review  # too short to say
    assert not score.score_text(
        rubric, "I like the sea, and on some days we go there to swim and to eat an ice."
    ).needs_review


def test_of_wrong_amounts_the_nearest_is_named() -> None:
    rubric = rubric_of("rubric: {criteria: [{id: c, number: {value: 380, unit: MB, tolerance: 0}, say: Its size.}]}\n")
    (mark,) = score.score_text(rubric, "A value takes 2 bytes, so in all it is 377 MB.").marks
    assert mark.because == 'it gives "377 MB", not the amount asked for'


def test_a_word_that_is_no_mistake_is_not_said_to_be_read_as_itself() -> None:
    assert "read" not in score.score_text(one("enqueue* first"), "It is enqueued first.").marks[0].because


# -- how sure a mark is, by hand from the tables -----------------------------------------------

TWO = rubric_of(
    "rubric: {criteria: [{id: a, accept: [lock counter]}, {id: b, accept: [cache memory]}]}\n"
    "model_answer: The lock guards the counter and the cache guards the memory.\n"
)


def logistic(total: float) -> float:
    return 1 / (1 + math.exp(-total))


def test_a_mark_is_as_sure_as_its_table_says() -> None:
    # Six of the model answer's words are guard, lock, counter, cache and memory: five different ones, two of them here.
    scored = score.score_text(TWO, "the lock and the counter")
    width = len("lock and the counter") / 60
    weights = score.CERTAINTY_WEIGHT_BY_SIGN_IF_EARNED
    total = weights["always"] + weights["share of the model answer's words"] * 2 / 5
    # One of two points.
    total += weights["width of the evidence"] * width + score.CERTAINTY_WEIGHT_OF_UNEARNED_SHARE / 2
    assert scored.marks[0].certainty == pytest.approx(logistic(total))
    # The other criterion: nothing nearly found, all of the rest earned.
    weights = score.CERTAINTY_WEIGHT_BY_SIGN_IF_UNEARNED
    total = weights["always"] + weights["share earned by the other criteria"]
    total += score.CERTAINTY_WEIGHT_OF_UNEARNED_SHARE / 2
    assert scored.marks[1].certainty == pytest.approx(logistic(total))


def test_wide_and_halved_marks_are_less_sure() -> None:
    rubric = one("lock counter")
    near = score.score_text(rubric, "the lock counter").marks[0]
    wide = score.score_text(rubric, "the lock is what is taken long before one comes to see the counter").marks[0]
    parted = score.score_text(rubric, "The lock is taken. The counter is read.").marks[0]
    assert near.certainty > wide.certainty > parted.certainty


def test_below_the_line_a_person_is_asked_for() -> None:
    for text in ("the lock counter", "The lock is taken by some of them first. Then the counter is read by all.", "no"):
        scored = score.score_text(TWO, text)
        assert scored.needs_review is any(m.certainty < score.MIN_CERTAINTY_WITHOUT_REVIEW for m in scored.marks)


def test_full_marks_leave_nothing_unearned() -> None:
    rubric = rubric_of(
        "rubric: {full_marks: 1, criteria: [{id: a, accept: [lock counter]}, {id: b, accept: [cache memory]}]}\n"
        "model_answer: The lock guards the counter and the cache guards the memory.\n"
    )
    mark = score.score_text(rubric, "the lock and the counter").marks[1]
    weights = score.CERTAINTY_WEIGHT_BY_SIGN_IF_UNEARNED
    total = weights["always"] + weights["share earned by the other criteria"]
    assert mark.certainty == pytest.approx(logistic(total))
