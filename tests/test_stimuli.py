"""Stimuli: one text and one drawing for several parts, kept together, and credit carried forward."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from shipped import BankOf
from terminal.process import quizgen

from quizgen import assemble
from quizgen.draw import SeededRng
from quizgen.model import Bank, Blueprint, Outcome, Section
from quizgen.page import Stimulus
from quizgen.scoring.scorer import Scorer
from quizgen.session.session_log import LoggedSession
from quizgen.terminal.history import last_attempts_per_session

BANK = """
topic: cluster
stimuli:
  - id: hall
    text: "A hall has {nodes} nodes of eight GPUs; a GPU draws {power}."
    draw: {nodes: [16, 32], power: [700 W, 1 kW]}
items:
  - id: hall-gpus
    kind: numeric
    stimulus: hall
    stem: How many GPUs are there?
    formula: {inputs: {nodes: {is: nodes, unit: 1, whole: true}}, steps: {gpus: 8 * nodes}, unit: "1"}
  - id: hall-power
    kind: numeric
    stimulus: hall
    after: {item: hall-gpus, as: gpus}
    stem: How much power do they draw?
    formula: {inputs: {gpus: {is: GPUs, unit: 1}, power: {is: of one, unit: W}}, steps: {all: gpus * power}, unit: kW}
  - id: hall-limit
    kind: choice
    stimulus: hall
    stem: What limits {nodes} nodes in one hall?
    key: Power
    distractors: [Addresses, Paint]
  - {id: alone-a, kind: choice, stem: A, key: Yes, distractors: [No]}
  - {id: alone-b, kind: choice, stem: B, key: Yes, distractors: [No]}
  - {id: alone-c, kind: choice, stem: C, key: Yes, distractors: [No]}
"""
PARTS = ["hall-gpus", "hall-power", "hall-limit"]


@pytest.fixture
def bank(bank_of: BankOf) -> Bank:
    loaded = bank_of(BANK)
    assert not loaded.problems, loaded.problems
    return loaded.required_bank


@pytest.mark.parametrize("seed", ["0", "1"])
def test_all_parts_share_one_drawing(bank: Bank, seed: str) -> None:
    """Whatever the seed, every part shows the same stimulus, and the later key follows from the earlier one."""
    variants = [bank.items[name].draw(SeededRng(name, seed)) for name in PARTS]
    shown = [next(b for b in v.prompt() if isinstance(b, Stimulus)) for v in variants]
    assert shown[0] == shown[1] == shown[2]
    nodes, power = int(variants[0].drawn_log_values()["nodes"]), variants[1].drawn_log_values()["power"]
    watts = 1000 if power == "1 kW" else 700
    assert variants[0].score(str(8 * nodes)).outcome is Outcome.CORRECT
    assert variants[1].score(f"{8 * nodes * watts} W").outcome is Outcome.CORRECT
    assert "gpus" not in variants[1].drawn_log_values()  # which would tell the key of the part before


@pytest.mark.parametrize(
    ("earlier", "later", "outcome"),
    [
        ("256", "256 kW", "correct"),  # 32 nodes of 8, 1 kW each
        ("130", "130 kW", "correct"),  # follows from the candidate's own 130
        ("130", "256 kW", "correct"),  # the key is right whatever was said before
        ("130", "131.4 kW", "incorrect"),
        ("130", "131.2 kW", "correct"),  # within the tolerance of 1 % of 130 kW
        ("130", "91 kW", "incorrect"),  # 130 × 0.7 kW: another drawing
        ("no idea", "130 kW", "incorrect"),
        ("256", "130 kW", "incorrect"),
    ],
)
def test_what_follows_from_ones_own_number_earns_full_marks(bank: Bank, earlier: str, later: str, outcome: str) -> None:
    """By hand: power = the candidate's own count × 1 kW."""
    item = bank.items["hall-power"]
    verdict = Scorer(bank.items).verdict_on_response(
        item, None, {"nodes": "32", "power": "1 kW"}, later, earlier_response=earlier
    )
    assert str(verdict.score.outcome) == outcome
    line = {"item": item.id, "given": {"nodes": "32", "power": "1 kW"}, "response": later, "earlier": earlier}
    (attempt,) = last_attempts_per_session([LoggedSession({}, (line,))], bank, datetime.now(UTC))
    assert (attempt.points_share == 1) == (outcome == "correct")
    if earlier == "130" and later.startswith("130"):
        assert verdict.score.earned == Fraction(1)
        assert verdict.score.remarks == ("it follows from your own 130 in hall-gpus",)
    if earlier == "256" and later.startswith("256"):
        assert verdict.score.remarks == (), "the key itself needs no credit carried"


def test_a_form_takes_a_stimulus_whole_and_together(bank: Bank) -> None:
    """Whichever item is drawn, a stimulus comes with all its parts, in file order, side by side."""
    for seed, count in product(map(str, range(10)), (3, 4, 6)):
        form = assemble.assemble(bank, Blueprint("b", "", (Section(item_count=count),)), seed)
        ids = [entry.variant.item.id for entry in form.entries]
        assert len(ids) == count, (seed, count)
        place = min(map(ids.index, {*ids} & {*PARTS}), default=0)
        assert ids[place : place + 3] == PARTS or not {*ids} & {*PARTS}, (seed, ids)


def test_a_section_too_small_says_so(bank: Bank) -> None:
    with pytest.raises(assemble.CannotAssemble, match="the parts of a stimulus stay together"):
        assemble.assemble(bank, Blueprint("b", "", (Section(item_count=2, kinds=("numeric",)),)), "s")


def test_mock_and_score_agree_on_carried_credit(bank_of: BankOf, tmp_path: Path) -> None:
    """The debrief and `score` both give full marks for what follows from one's own wrong number."""
    bank_of(BANK, **{"blueprints/hall.yaml": "sections: [{include: [hall-gpus]}]\n"})
    for seed in "0123456789":
        log = f"{seed}.jsonl"
        out = quizgen("mock", "bank/hall", "--seed", seed, "--log", log, typed="150\n150 kW\nA\n", cwd=tmp_path)
        if "draws 1 kW" in out.stdout:
            break
    scored = quizgen("score", log, "--bank", "bank", "--format", "jsonl", cwd=tmp_path)
    rows = {row["item"]: row for row in map(json.loads, scored.stdout.splitlines())}
    assert rows["hall-power"]["outcome"] == "correct"
    assert "follows from your own" in " ".join(rows["hall-power"]["say"])
    assert "2. correct 1/1" in " ".join(out.stdout.split())


@pytest.mark.usefixtures("bank")
def test_an_exam_prints_a_stimulus_once_and_carries_credit(tmp_path: Path) -> None:
    """On paper only the first part shows it; a sheet's own wrong number carries into the next part."""
    quizgen("exam", "bank", "-o", "out", "--seed", "a long enough seed", "--forms", "2", cwd=tmp_path)
    page = (tmp_path / "out" / "form-A.html").read_text(encoding="utf-8")
    assert page.count('<div class="stimulus"') == 1
    assert page.count('<div class="stimulus again"') == 2
    assert len(re.findall(r"What this item is about is in item \d", page)) == 2  # on paper, where it is printed once
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    items = {i["item"]: i for i in manifest["forms"][0]["items"]}
    given = items["hall-gpus"]["given"]
    assert items["hall-power"]["given"] == given
    watts = 1.0 if given["power"] == "1 kW" else 0.7
    own = {items["hall-gpus"]["n"]: "130", items["hall-power"]["n"]: f"{130 * watts:g} kW"}
    row = ",".join(["ada", "A", *(own.get(n, "") for n in range(1, 7))])
    (tmp_path / "sheet.csv").write_text(f"candidate,form,1,2,3,4,5,6\n{row}\n", encoding="utf-8")
    asked = ("score", "--sheet", "sheet.csv", "--manifest", "out/manifest.json", "--format", "jsonl")
    done = quizgen(*asked, cwd=tmp_path)
    rows = {r["item"]: r["outcome"] for r in map(json.loads, done.stdout.splitlines())}
    assert (rows["hall-gpus"], rows["hall-power"]) == ("incorrect", "correct")


MISTAKES = [
    ("hall\n    stem: How many", "hal\n    stem: How many", 'no stimulus "hal"; did you mean "hall"?'),
    ("item: hall-gpus", "item: hall-limit", 'no numeric item "hall-limit" comes before this one'),
    ("as: gpus", "as: cpus", '"cpus" is not an input of the formula'),
    ("as: gpus", "as: power", "the answer of hall-gpus is in 1, power is in W"),
    ("{nodes} nodes of eight", "{node} nodes of eight", '"{node}" in the text is not drawn'),
    ("stem: How much power", "stem: How much do {gpus} draw, what power", '"{gpus}" in the stem is not drawn'),
    ("[16, 32]", "{from: 16, to: 32}", "list the values that a stimulus draws"),
    ("{item: hall-gpus, as: gpus}", "{item: hall-gpus}", "`after` needs `item` and `as`"),
    ("    stem: How many", "    require: [nodes > 8]\n    stem: How many", "a part of a stimulus takes no `require`"),
    ("    stem: How many", "    draw: {nodes: [1]}\n    stem: How many", "nodes is drawn by the stimulus already"),
    ("{gpus: 8 * nodes}", "{gpus: nodes > 20}", "hall-gpus: its answer is not a number; name a part"),
    ("  - id: hall\n", "  - title: hall\n", "a stimulus needs `id` and `text`"),
]


@pytest.mark.parametrize(("old", "new", "told"), MISTAKES, ids=[m[2] for m in MISTAKES])
def test_an_authors_mistake_is_told(bank_of: BankOf, old: str, new: str, told: str) -> None:
    """One message at its place."""
    problems = [str(p) for p in bank_of(BANK.replace(old, new)).problems]
    assert any(told in p for p in problems), problems


def test_a_fault_in_a_first_part_is_told_once(bank_of: BankOf) -> None:
    """Not again as a stimulus without parts, a part that is missing, or an input that nothing gives."""
    (problem,) = bank_of(BANK.replace("steps: {gpus: 8 * nodes}", "steps: {gpus: 8 * nodes + 3 W}")).problems
    assert problem.item_id == "hall-gpus"
    assert "cannot be added" in problem.message
