"""`quizgen score`, one line at a time: outcome, points, variant, hints."""

from __future__ import annotations

from pathlib import Path

from scored_logs import GOOD, Log, Score, objects

from quizgen import bank as banks


def test_jsonl_is_the_contracts_object(score: Score, log: Log) -> None:
    _, out, err = score(log(*GOOD), "--format", "jsonl")
    lines = objects(out)
    assert not err
    fields = ["line", "candidate", "item", "outcome", "earned", "possible", "read_as", "diagnosis", "criteria", "say"]
    assert [list(line) for line in lines] == [fields, fields, [*fields, "review"], fields, fields]
    assert [(x["line"], x["candidate"], x["item"], x["outcome"], x["earned"], x["possible"]) for x in lines] == [
        (1, "a1", "state", "correct", 1, 1),
        (2, "a1", "shards", "correct", 1, 1),
        (3, "a1", "node", "partial", 2, 3),
        (4, "b2", "state", "incorrect", 0, 1),
        (5, "b2", "shards", "incorrect", 0, 1),
    ]
    assert lines[3]["diagnosis"] == "gradients-replicated"
    assert lines[4]["say"] == ["Gradients are sliced from stage 2 on."]
    assert [(c["id"], c["status"], c["earned"], c["possible"]) for c in lines[2]["criteria"]] == [
        ("every-layer", "found", 2, 2),
        ("bandwidth", "missing", 0, 1),
    ]
    assert all(0 <= c["sure"] <= 1 for c in lines[2]["criteria"])
    assert lines[2]["review"] is any(c["sure"] < 0.4 for c in lines[2]["criteria"])
    for start, end in lines[2]["criteria"][0]["evidence"]:
        assert GOOD[2]["response"][start:end].strip(".").split()[0] in ("communicate", "every", "in")


def test_points_have_six_decimals_at_most(score: Score, log: Log) -> None:
    line = GOOD[2] | {"points": 1}
    _, out, _ = score(log(line), "--format", "jsonl")
    assert '"earned": 0.666667,' in out
    assert '"possible": 1,' in out


def test_a_seed_alone_draws_the_variant(score: Score, log: Log, bank: Path) -> None:
    loaded = banks.load_bank(str(bank)).readable
    from quizgen.draw import Stream

    drawn = loaded.items["state"].draw(Stream("state", "q")).drawn()
    n, k = float(drawn["N"].split()[0]), float(drawn["K"].split()[0])
    answer = (2 * n + 14 * n / k) / 1e9
    _, out, _ = score(log({"item": "state", "seed": "q", "response": f"{answer:.3f} GB"}), "--format", "jsonl")
    assert objects(out)[0]["outcome"] == "correct"


def test_hints_cost_what_the_debrief_says(score: Score, log: Log) -> None:
    _, out, _ = score(log(*(GOOD[1] | {"candidate": f"h{n}", "hints": n} for n in range(4))), "--format", "jsonl")
    assert [x["earned"] for x in objects(out)] == [1, 0.9, 0.7, 0.4]
    assert objects(out)[1]["adjustments"][0]["id"] == "hints"
