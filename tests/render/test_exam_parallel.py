"""Forms of one exam side by side: values that differ, equal points, items in common and items opposite."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import shipped
from shipped import BankOf, Command

from quizgen import bank as banks
from quizgen import exam
from quizgen.assemble import any_items_blueprint
from quizgen.exam import match_points_of_each_section


def item(number: int, topic: str, points: int, difficulty: int) -> str:
    return (
        f"  - {{id: {topic}-{number}, kind: choice, topic: {topic}, points: {points}, difficulty: {difficulty},"
        f" stem: Which of {topic} {number}?, key: right {number}, distractors: [wrong, other]}}\n"
    )


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    """Forty choice items of two topics worth 1 to 3 points, five numbers of 6, 36 and 3 drawings; a blueprint of 10."""
    folder = tmp_path / "bank"
    (folder / "blueprints").mkdir(parents=True)
    items = "".join(item(n, "red" if n % 2 else "blue", 1 + n % 3, 1 + n % 5) for n in range(40))
    formula = "{inputs: {a: {is: one, unit: 1}, b: {is: other, unit: 1}}, steps: {c: a + b}, unit: '1'}"
    number = (
        "  - {{id: sum-{}, kind: numeric, topic: sums, stem: '{{a}} + {{b}}?', draw: {{a: {}, b: {}}}, formula: {}}}\n"
    )
    values = (("[1, 2, 3]", "[10, 20]"), ("[1, 2, 3, 4, 5, 6]", "[7, 8, 9, 10, 11, 12]"), ("[1, 2, 3]", "[5]"))
    numbers = "".join(number.format(n, a, b, formula) for n, (a, b) in enumerate(values))
    (folder / "items.yaml").write_text(f"items:\n{items}{numbers}")
    sections = "[{topic: red, count: 3}, {topic: blue, count: 4}, {topic: sums, count: 3}]"
    (folder / "blueprints" / "final.yaml").write_text(f"title: Final\nminutes: 30\nsections: {sections}\n")
    return folder


SEVEN = "title: Final\nsections: [{topic: red, count: 3}, {topic: blue, count: 4}]\n"


def planned(bank: Path, seed: str, **more: Any) -> exam.Exam:
    loaded = banks.load_bank(f"{bank}/final")
    assert loaded.named_blueprint is not None
    return exam.plan_exam(loaded.required_bank, loaded.named_blueprint, seed, **more)


def given(made: exam.Exam, form: str) -> dict[str, dict[str, str]]:
    variants = [entry.variant for entry in made.form_of_label(form).entries]
    return {one.item.id: dict(one.drawn_log_values()) for one in variants if one.drawn_log_values()}


@pytest.mark.parametrize("seed", [f"s{n}" for n in range(3)])
def test_no_two_forms_share_values_while_there_are_others(bank: Path, seed: str) -> None:
    """One in four drawn items had the same values on two forms. Six drawings last for six forms, three for three."""
    made = planned(bank, seed)
    forms = [given(made, form) for form in "ABCDEF"]
    for name, there in (("sum-0", 6), ("sum-1", 6), ("sum-2", 3)):
        assert len({tuple(form[name].items()) for form in forms}) == there, name
    assert made.exhausted_drawing_count_by_id == {"sum-2": 3}
    # Asked in another order, a form is the same; and form A is what its own seed draws.
    again = planned(bank, seed)
    assert given(again, "E") == forms[4]
    assert given(again, "A") == forms[0] == given(planned(bank, seed), "A")


def test_a_blueprint_has_the_same_points_in_every_sitting(bank: Path) -> None:
    assert len({planned(bank, f"s{n}").form_of_label("A").possible_points for n in range(6)}) == 1
    own, readiness = shipped.bank(), shipped.bank().blueprint_by_name["readiness"]
    sittings = (exam.plan_exam(own, readiness, f"s{n}") for n in range(2))
    assert len({one.form_of_label("A").possible_points for one in sittings}) == 1


def test_points_that_cannot_be_made_equal_stay_as_they_are(tmp_path: Path) -> None:
    """Two parts of one stimulus are worth 10 and may not be parted, any two of the others are worth 2."""
    folder = tmp_path / "bank"
    (folder / "blueprints").mkdir(parents=True)
    parts = "".join(item(n, "part", 5, 1).replace("kind:", "stimulus: s, kind:") for n in range(2))
    others = "".join(item(n, "other", 1, 1) for n in range(4))
    (folder / "items.yaml").write_text(f"stimuli: [{{id: s, text: Read this.}}]\nitems:\n{parts}{others}")
    (folder / "blueprints" / "final.yaml").write_text("sections: [{count: 2}]\n")
    made = planned(folder, "s")
    items = made.bank.items
    others_two, parts_two = ([(items[f"{name}-{n}"], 0) for n in range(2)] for name in ("other", "part"))
    for chosen, aim in ((others_two, parts_two), (parts_two, others_two)):
        assert match_points_of_each_section(made.bank, made.blueprint, tuple(chosen), "s", tuple(aim)) == tuple(chosen)


def test_forms_with_items_in_common(bank: Path) -> None:
    """Three in common, at the same places with the same values; nothing else twice; sections, points as in form A."""
    (bank / "blueprints" / "final.yaml").write_text(SEVEN)
    made = planned(bank, "s", anchor_count=3)
    forms = [made.form_of_label(form) for form in "ABC"]
    ids = [[e.variant.item.id for e in form.entries] for form in forms]
    common = set(ids[0]) & set(ids[1])
    assert common == set(made.anchor_ids)
    assert len(common) == 3
    assert set(ids[0]) & set(ids[2]) == common == set(ids[1]) & set(ids[2])
    for name in common:
        assert len({form.index(name) for form in ids}) == 1
        places = (form.entries[names.index(name)] for form, names in zip(forms, ids, strict=True))
        assert len({place.variant.prompt() for place in places}) == 1
    assert len({form.possible_points for form in forms}) == 1
    for form in forms:
        assert [e.section_index for e in form.entries] == [0] * 3 + [1] * 4


def test_too_few_items_are_told_with_what_there_is_enough_for(bank: Path, command: Command) -> None:
    """There are three numbers, all in form A."""
    said = command("exam", f"{bank}/final", "--plan", "--forms", "2", "--anchor", "2", "--seed", "s", code=3)
    assert "section 3 has no item left to match sum-" in said.err
    said = command("exam", f"{bank}/final", "--plan", "--forms", "2", "--anchor", "10", "--seed", "s", code=3)
    assert "a form has 10 items; --anchor must be fewer" in said.err


def test_an_earlier_exam_is_left_out_and_lends_its_anchors(bank: Path, tmp_path: Path, command: Command) -> None:
    (bank / "blueprints" / "final.yaml").write_text(SEVEN)
    out = tmp_path / "old"
    command("exam", f"{bank}/final", "-o", out, "--seed", "one", "--anchor", "3", "--forms", "2")
    old = json.loads((out / "manifest.json").read_text())["forms"]
    were = {i["item"]: i for form in old for i in form["items"]}
    assert len(were) == 3 + 4 + 4
    given = ["exam", f"{bank}/final", "--seed", "two", "--exclude", str(out / "manifest.json")]
    command(*given, "-o", tmp_path / "new")
    new = json.loads((tmp_path / "new" / "manifest.json").read_text())
    assert not set(were) & {i["item"] for i in new["forms"][0]["items"]}
    command(*given, "-o", tmp_path / "linked", "--anchor", "2", "--forms", "2")
    linked = json.loads((tmp_path / "linked" / "manifest.json").read_text())
    assert len(linked["anchors"]) == 2
    for form in linked["forms"]:
        both = [i for i in form["items"] if i["item"] in were]
        assert sorted(i["item"] for i in both) == sorted(linked["anchors"])
        assert all(i["options"] == were[i["item"]]["options"] for i in both)
    said = command(*given, "--plan", "--anchor", "8", code=3)
    assert "only 7 items of the earlier exam fit the blueprint; lower --anchor" in said.err
    (bank / "blueprints" / "final.yaml").write_text(f"sections: [{{include: [{next(iter(were))}]}}]\n")
    assert f"section 1 includes {next(iter(were))}, which must be left out" in command(*given, "--plan", code=3).err


def test_a_plan_is_shown_and_writes_nothing(
    bank: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: Command
) -> None:
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    told = command("exam", f"{bank}/final", "--plan", "--forms", "4", "--seed", "s")
    assert "points: A " in told.out
    assert told.out.count("all forms alike") == 4
    assert "sum-2 has 3 different drawings for 4 forms: some forms have equal values" in told.err
    assert sorted(tmp_path.rglob("*")) == before
    assert "-o names a folder for them" in command("exam", f"{bank}/final", code=2).err


def test_a_public_bank_is_said_to_be_public(bank: Path, tmp_path: Path, command: Command) -> None:
    for name, public in ((f"{bank}/final", False), ("git", True), ("systems-quick", True)):
        said = command("exam", name, "-o", tmp_path / "out", "--seed", "s")
        assert ("this bank ships with quizgen, and so do its keys" in said.err) is public


def test_a_stimulus_is_drawn_anew_on_every_form(bank_of: BankOf) -> None:
    """Six numbers of nodes for six forms: each form another, the same in all parts of the stimulus."""
    loaded = bank_of(
        """
        stimuli: [{id: cluster, text: "A cluster has {nodes} nodes.", draw: {nodes: [16, 17, 18, 19, 20, 21]}}]
        items:
          - id: gpus
            kind: numeric
            stimulus: cluster
            stem: How many GPUs?
            formula: {inputs: {nodes: {is: nodes, unit: 1}}, steps: {c: 8 * nodes}, unit: 1}
          - {id: limit, kind: choice, stimulus: cluster, stem: "What limits {nodes}?", key: a, distractors: [b]}
        """
    )
    made = exam.plan_exam(loaded.required_bank, any_items_blueprint(), "s")
    drawn = [[e.variant.stimulus_values()["nodes"] for e in made.form_of_label(form).entries] for form in "ABCDEF"]
    assert sorted(drawn) == [[str(nodes)] * 2 for nodes in range(16, 22)]
