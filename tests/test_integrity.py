"""What is planted in a class is found, and a class of honest candidates shows next to nothing.

The class: abilities N(0, 1), right by a one-parameter model; who is wrong takes one of three distractors, of which
the first draws six in ten.
"""

from __future__ import annotations

import itertools
import json
import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
from shipped import Command

from quizgen.analysis.integrity import ComparedResponse, academic_integrity_facts, probability_of_at_least_successes

ITEMS = 30
WORDS = ["ring", "tree", "shard", "rank", "bucket", "gather", "reduce", "overlap", "stage", "bubble", "batch", "token"]


def sentence(rng: random.Random) -> str:
    return " ".join(rng.choice(WORDS) for _ in range(30))


def klass(seed: int, candidates: int = 120) -> dict[tuple[int, int], ComparedResponse]:
    """By candidate and item; item 0 is a text that each writes in words of their own."""
    rng = random.Random(seed)
    hard = [rng.uniform(-1.5, 1.5) for _ in range(ITEMS)]
    made = {}
    for who in range(candidates):
        ability = rng.gauss(0, 1)
        for n in range(ITEMS):
            right = rng.random() < 1 / (1 + math.exp(hard[n] - ability))
            said = "key" if right else rng.choices(["a", "b", "c"], [6, 3, 1])[0]
            text = sentence(rng) if n == 0 else said
            seconds = rng.lognormvariate(4, 0.5)
            made[who, n] = ComparedResponse(f"c{who}", f"i{n}", float(right), text, n == 0, seconds, 50)
    return made


def test_a_copied_candidate_is_named() -> None:
    """Who took nine answers in ten from a weak candidate."""
    made, rng = klass(0), random.Random(2)
    wrong = sorted(range(120), key=lambda w: sum(made[w, n].points_share for n in range(1, ITEMS)))
    source, copier = wrong[5], wrong[60]
    for n in range(1, ITEMS):
        if rng.random() < 0.9:
            made[copier, n] = replace(made[source, n], candidate_name=f"c{copier}")
    pairs = academic_integrity_facts(made.values()).shared_mistakes
    assert [{p.first_candidate_name, p.second_candidate_name} for p in pairs] == [{f"c{source}", f"c{copier}"}]
    assert pairs[0].same_wrong_count > 1.7 * pairs[0].expected_same_wrong_count
    assert pairs[0].expected_pair_count < 0.05


def test_a_text_taken_over_is_named_and_a_sentence_that_all_write_is_not() -> None:
    made = klass(3)
    taken = made[4, 0].response_text.split()
    taken[10:12] = ["whereas", "indeed"]
    made[9, 0] = replace(made[9, 0], response_text=" ".join(taken).upper() + ".")
    common = "the gradients are reduced over all ranks before the step is taken by each of them"
    for who in range(20, 60):
        made[who, 0] = replace(made[who, 0], response_text=common)
    pairs = academic_integrity_facts(made.values()).similar_texts
    assert [(p.item_id, p.first_candidate_name, p.second_candidate_name) for p in pairs] == [("i0", "c4", "c9")]
    assert 0.8 < pairs[0].similarity < 1


def test_right_answers_faster_than_reading_are_told_from_three_on() -> None:
    """Fifty words take five seconds at ten words a second."""
    made = klass(5)
    for who, many in ((11, 3), (12, 2)):
        for n in range(1, 1 + many):
            made[who, n] = replace(made[who, n], points_share=1.0, response_text="key", seconds=4.9)
    for n in range(1, 6):  # fast and wrong tells nothing; nor does a stem of few words
        made[13, n] = replace(made[13, n], points_share=0.0, response_text="a", seconds=1.0)
        made[14, n] = replace(made[14, n], points_share=1.0, response_text="key", seconds=1.0, stem_word_count=12)
    told = academic_integrity_facts(made.values()).fast_right_answers
    assert [(one.candidate_name, [item for item, _, _ in one.items_with_seconds_and_words]) for one in told] == [
        ("c11", ["i1", "i2", "i3"])
    ]


def test_whoever_fits_nobody_is_told() -> None:
    made = klass(6)
    mean = {n: sum(made[w, n].points_share for w in range(120)) for n in range(ITEMS)}
    ranked = sorted(mean, key=lambda n: mean[n])
    for n in ranked[: ITEMS // 2]:
        made[8, n] = replace(made[8, n], points_share=1.0)
    for n in ranked[ITEMS // 2 :]:
        made[8, n] = replace(made[8, n], points_share=0.0, response_text="b")
    told = academic_integrity_facts(made.values()).candidates_unlike_class
    assert [m.candidate_name for m in told] == ["c8"]
    assert told[0].correlation_with_class < -0.8
    assert told[0].item_count == ITEMS


@pytest.mark.slow
def test_honest_classes_show_next_to_nothing() -> None:
    """Five classes of 120: 35,700 pairs and 600 candidates."""
    told = [academic_integrity_facts(klass(100 + seed).values()) for seed in range(5)]
    assert sum(len(one.similar_texts) + len(one.shared_mistakes) + len(one.fast_right_answers) for one in told) <= 1
    assert sum(len(one.candidates_unlike_class) for one in told) <= 3, "one candidate in two hundred"


def test_the_chance_of_so_many_matches_is_that_of_all_outcomes_counted() -> None:
    chances = [0.1, 0.5, 0.25, 0.9]
    weights = {
        hits: math.prod(p if hit else 1 - p for hit, p in zip(hits, chances, strict=True))
        for hits in itertools.product((0, 1), repeat=4)
    }
    for count in range(5):
        counted = sum(weight for hits, weight in weights.items() if sum(hits) >= count)
        assert probability_of_at_least_successes(count, chances) == pytest.approx(counted, abs=1e-12)


def test_the_page_names_pairs_with_their_words_and_runs_nothing(tmp_path: Path, command: Command) -> None:
    (tmp_path / "b.yaml").write_text(
        "items:\n  - id: why\n    kind: text\n    stem: Why?\n    model_answer: It overlaps.\n"
        "    rubric: {criteria: [{id: o, say: It overlaps., accept: [overlap*]}]}\n"
    )
    rng = random.Random(4)
    lines = [{"item": "why", "candidate": f"c{n}", "response": sentence(rng)} for n in range(30)]
    lines[5]["response"] = "<script>alert(1)</script> " + lines[2]["response"]
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    page = command("score", tmp_path / "log.jsonl", "--bank", tmp_path / "b.yaml", "--format", "integrity").out
    assert "c2<br>c5" in page
    assert "&lt;script&gt;alert(1)" in page
    assert "<script" not in page.replace("&lt;script", "")
    assert "accuses nobody" in page
