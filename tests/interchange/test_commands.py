"""`quizgen export` and `quizgen import` as commands: losses, moments, misses, blueprints, refusals. And a second
import: what the author left is updated, what the author touched stays letter by letter."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
import shipped
from shipped import BankOf, Command, drawn

from quizgen import bank as banks
from quizgen.interchange import registry
from quizgen.model import Outcome
from tests.interchange.made import READ_BY, read

OWN = "items: [{id: a, kind: choice, stem: Which?, key: one, distractors: [two]}]\n"


def test_losses_are_told_item_by_item_and_kept_beside_the_file(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "git.md"
    said = command("export", "git", "--to", "markdown", "-o", out).err
    kept = Path(f"{out}.losses.txt").read_text(encoding="utf-8").splitlines()
    assert said.splitlines()[:-2] == kept[:20]
    assert f"… and {len(kept) - 20} more: {out}.losses.txt" in said
    assert len(kept) == len(shipped.bank("git").items), "text2qti has no place for seconds"
    assert any(line.startswith("what-is-a-branch: not carried: phrases") or "criteria" in line for line in kept)
    command("export", "git", "--to", "markdown", "-o", out, "--strict", code=1)


def test_an_export_never_takes_the_place_of_its_bank(tmp_path: Path, command: Command) -> None:
    items = tmp_path / "own.yaml"
    items.write_text(OWN)
    said = command("export", items, "--to", "csv", "-o", items, code=2).err
    assert items.read_text() == OWN
    assert f"{items} is an input; write to another file" in said


def test_the_moment_is_given_or_now(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """1700000000 is 2023-11-14T22:13:20Z."""
    (tmp_path / "own.yaml").write_text(OWN)
    export = ("export", tmp_path / "own.yaml", "--to", "anki", "-o", tmp_path / "own.apkg")

    def made(*moment: str) -> bytes:
        command(*export, *moment)
        return (tmp_path / "own.apkg").read_bytes()

    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    of_now = made()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert made() == made("--moment", "2023-11-14T22:13:20Z") != of_now
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert made("--moment", "1700000000") == made("--moment", "2023-11-14T22:13:20Z")
    for text in ("soon", "9" * 20):
        assert f'"{text}" is not a time' in command(*export, "--moment", text, code=2).err


def test_several_drawings_have_names_and_a_category_of_their_own(tmp_path: Path, command: Command) -> None:
    out = tmp_path / "git.xml"
    command("export", "git", "--to", "moodle", "-o", out, "--variants", "3")
    items = read(out.read_bytes(), "moodle").items
    assert 2 <= len([item.name_in_source for item in items if item.name_in_source.startswith("clone-time.")]) <= 3
    assert len({item.stem for item in items}) == len(items)
    assert re.search(r"\$course\$/top/Git in daily work[^/<]*/clone-time<", out.read_text(encoding="utf-8"))


def test_a_blueprint_exports_what_its_sections_admit(bank_of: BankOf, tmp_path: Path, command: Command) -> None:
    item = "  - {{id: i{0}, kind: choice, stem: S{0}, key: a, distractors: [b], topic: t{0}}}\n"
    items = "topic: t\nitems:\n" + "".join(item.format(n) for n in range(3))
    plan = "sections:\n  - {topic: t0}\n  - {include: [i2], count: 1, topic: none}\n"
    folder = bank_of(items, **{"blueprints/two.yaml": plan}).required_bank.folder
    out = tmp_path / "two.txt"
    command("export", f"{folder}/two", "--to", "text", "-o", out)
    assert [item.name_in_source for item in read(out.read_bytes(), "text").items] == ["i0", "i2"]


def test_misses_go_out_with_what_was_answered(tmp_path: Path, command: Command) -> None:
    given = {
        "fetch-or-pull": "It asks the remote for a password",
        "index-purpose": "It holds what the next commit will contain",
    }
    of = {"v": 1, "session": "s", "seed": "1", "at": "2026-11-20T10:01:00Z"}
    lines = [of | {"type": "session", "candidate": "me", "bank": "git", "items": list(given), "started": of["at"]}]
    lines += [of | {"type": "response", "item": name, "response": text} for name, text in given.items()]
    log, out = tmp_path / "log.jsonl", tmp_path / "missed.tsv"
    log.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    command("export", "git", "--to", "anki-tsv", "-o", out, "--missed", log)
    text = out.read_text(encoding="utf-8")
    assert "2026-11-20 you answered: It asks the remote for a password" in text
    assert "Both talk to the remote in the same way." in text
    assert "index-purpose" not in text


def test_what_cannot_be_done_is_said(tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 'did you mean "gift"?' in command("export", "git", "--to", "gitf", "-o", tmp_path / "x", code=2).err
    assert "cannot be written" in command("export", "git", "--to", "gift", "-o", tmp_path / "no" / "x", code=3).err
    assert "check its name" in command("import", tmp_path / "none.txt", "-o", tmp_path / "b", code=3).err
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    assert "pip install 'quizgen[anki]'" in command("export", "git", "--to", "anki", "-o", tmp_path / "x", code=2).err


def test_an_import_with_a_scoring_guide_makes_a_blueprint_with_bands(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "quiz.txt"
    rows = "| Score | Level | Advice |\n|---|---|---|\n| 2 | - |\n| 2-2 | Good | Go on |\n| 0-1 | Weak | Read again |\n"
    path.write_text(
        f"Sums\n\nQuestion 1\nTwo?\nA) 2 B) 3\nAnswer: A\nQuestion 2\nOne?\nA) 1 B) 3\nAnswer: A\nScoring Guide\n{rows}",
        encoding="utf-8",
    )
    command("import", path, "-o", tmp_path / "bank")
    loaded = banks.load_bank(str(tmp_path / "bank"))
    assert not loaded.errors
    bands = loaded.required_bank.blueprint_by_name["quiz"].score_bands
    assert {(b.min_share, b.name, b.advice) for b in bands} == {(0, "Weak", "Read again"), (1, "Good", "Go on")}
    assert loaded.required_bank.title == "Sums"


def test_drawn_figures_and_stimuli_go_along_or_are_named(tmp_path: Path, command: Command) -> None:
    """Formats of pages embed a drawn figure, Markdown has its file beside it, and takes no other file's place; for the
    formats of text it is a loss that is told, and the stimulus stays."""
    path = tmp_path / "f.yaml"
    path.write_text(
        "stimuli:\n  - {id: s, text: A pipeline of four stages.}\nitems:\n"
        "  - {id: f, kind: choice, stimulus: s, stem: Which stage waits?, key: a, distractors: [b],\n"
        "     draw_figure: {kind: pipeline-schedule, p: 4, m: 8}, figure: {file: ring.svg, alt: A ring}}\n",
        encoding="utf-8",
    )
    (tmp_path / "ring.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    for form in registry.EXPORTER_LOCATION_BY_FORMAT:
        out = tmp_path / form
        said = command("export", path, "--to", form, "-o", out).err
        paged = form in ("anki", "anki-tsv", "moodle", "gift", "qti12", "qti21")
        carried = paged or form == "markdown"
        assert bool(re.search(r"not carried:.*\bfigures\b", said)) != carried, (form, said)
        item = read(out.read_bytes(), form).items[0]
        assert "A pipeline of four stages." in item.stem
        assert ("[figure: " in item.stem) == paged
        assert ("](f.figure-1.svg)" in item.stem) == ("![A ring](<ring.svg>)" in item.stem) == (form == "markdown")
    figure = tmp_path / "f.figure-1.svg"
    assert figure.read_text("utf-8").startswith("<svg")
    figure.write_text("my own", encoding="utf-8")
    said = command("export", path, "--to", "markdown", "-o", tmp_path / "new.md", code=3).err
    assert (figure.read_text("utf-8"), (tmp_path / "new.md").exists()) == ("my own", False)
    assert f"{figure} is not the bank's figure" in said


def test_a_stimulus_parts_and_cases_are_told_as_lost(tmp_path: Path, root: Path, command: Command) -> None:
    """The stimulus stands in the stem, but that its parts belong together and what follows on is carried by no format."""
    formula = "{inputs: {g: {is: GPUs, unit: GPU}}, steps: {a: g * 2}, unit: GPU}"
    (tmp_path / "items.yaml").write_text(
        "stimuli:\n  - {id: cluster, text: A cluster has eight GPUs.}\nitems:\n"
        "  - {id: one, kind: numeric, stimulus: cluster, stem: How many GPUs?, "
        "formula: {inputs: {}, steps: {a: 8 GPU}, unit: GPU, "
        "misconceptions: [{id: one, value: 1 GPU, say: All of them., credit: 0.5}]}}\n"
        "  - {id: two, kind: numeric, stimulus: cluster, stem: And in two of them?, after: {item: one, as: g}, "
        f"formula: {formula}}}\n",
        encoding="utf-8",
    )
    shutil.copytree(root / "docs" / "examples" / "fields" / "cases", tmp_path / "cases")
    out = tmp_path / "out.xml"
    said = command("export", tmp_path, "--to", "moodle", "-o", out).err
    losses = dict(line.split(": not carried: ") for line in Path(f"{out}.losses.txt").read_text("utf-8").splitlines())
    two = "tolerance apart from rounding, formula, stimulus, after"  # exactly 16, which two digits widen to 16 ± 0.5
    assert losses == {"one": "partial credit, formula, stimulus", "two": two}
    assert "A cluster has eight GPUs." in out.read_text("utf-8")
    assert "1 case of the bank left out: no format can hold cases" in said


FIRST = """1. Why carry?
Answer: The sum has two digits.

2. Half of six?
A) 3
B) 4
Answer: A

3. Twice two?
A) 4
B) 5
Answer: A
"""


@pytest.fixture
def deck(tmp_path: Path, command: Command) -> Path:
    path = tmp_path / "sums.txt"
    path.write_text(FIRST, encoding="utf-8")
    again(path, command)
    return path


def again(deck: Path, command: Command) -> str:
    return command("import", deck, "-o", deck.parent / "bank").err


@pytest.fixture
def items(deck: Path) -> Path:
    """The file of items that the import made."""
    return deck.parent / "bank" / "sums.yaml"


def test_the_same_file_changes_nothing(deck: Path, items: Path, command: Command) -> None:
    before = items.read_text()
    assert "0 new, 0 updated" in again(deck, command)
    assert items.read_text() == before


def test_an_untouched_item_is_updated_and_an_edited_one_stays(deck: Path, items: Path, command: Command) -> None:
    mine = items.read_text().replace("stem: Half of six?", "stem: Half of six?  # mine: too easy")
    items.write_text("# my notes\n" + mine)
    deck.write_text(FIRST.replace("B) 5", "B) 6").replace("B) 4", "B) 2") + "\n4. New?\nAnswer: Yes, it is.\n")
    said = again(deck, command)
    assert "half-of-six: changed in the source; your edited item stays" in said
    assert "1 new, 1 updated" in said
    after = items.read_text()
    assert after.startswith("# my notes\n")
    assert "# mine: too easy" in after
    bank = banks.load_bank(str(items.parent)).required_bank
    assert list(bank.items) == ["why-carry", "half-of-six", "twice-two", "new"]
    assert bank.items["twice-two"].distractor_texts == ("6",)
    assert bank.items["half-of-six"].distractor_texts == ("4",)


def test_what_is_gone_from_the_source_or_taken_out_by_the_author(deck: Path, items: Path, command: Command) -> None:
    items.write_text(items.read_text().partition("  - id: twice-two")[0])
    deck.write_text(FIRST.partition("2. Half")[0] + "2. Twice two?\nA) 4\nB) 5\nAnswer: A\n")
    assert "half-of-six: no longer in the source; your item stays" in again(deck, command)
    assert "half-of-six" in items.read_text()
    assert "twice-two" not in items.read_text()


def test_an_item_that_moved_to_another_file_is_not_made_twice(deck: Path, items: Path, command: Command) -> None:
    head, *moved = items.read_text().partition("  - id: twice-two")
    items.write_text(head)
    (items.parent / "mine.yaml").write_text("items:\n" + "".join(moved))
    assert "0 new" in again(deck, command)
    assert not banks.load_bank(str(items.parent)).errors


def test_a_file_that_is_no_bank_is_never_overwritten(deck: Path, items: Path, command: Command) -> None:
    items.write_text("items: [broken\n")
    assert "fix it first" in command("import", deck, "-o", items.parent, code=3).err
    assert items.read_text() == "items: [broken\n"


MEASURED = """
topic: chemistry
units: {litre: [litres, L], millilitre: [millilitres, 0.001 litre], mole: [moles], second-order: [second-orders]}
items:
  - id: gas
    kind: numeric
    stem: What volume do {n} mol take?
    draw: {n: [1 mole]}
    formula: {inputs: {n: {is: n, unit: mole}, v: {is: v, unit: litre/mole, default: 22.7}}, steps: {V: n * v}, unit: litre}
  - id: molarity
    kind: numeric
    stem: One mole in two litres?
    formula: {inputs: {n: {is: n, unit: mole, default: 1}, V: {is: V, unit: litre, default: 2}}, steps: {c: n / V}, unit: mole/litre}
  - id: square
    kind: numeric
    stem: What is 3 s squared?
    formula: {inputs: {n: {is: n, unit: s, default: 3}}, steps: {x: n**2}, unit: s**2, misconceptions: [{id: once, value: n * 1 s, say: Squared.}]}
"""


@pytest.mark.parametrize("form", ["gift", "moodle", "qti12", "csv", "text", "markdown"])
def test_measures_of_a_bank_come_back_and_are_read(tmp_path: Path, form: str, command: Command) -> None:
    (tmp_path / "c.yaml").write_text(MEASURED)
    deck, back = tmp_path / f"c.{form}", tmp_path / "back"
    command("export", tmp_path / "c.yaml", "--to", form, "-o", deck)
    for _ in range(2):  # a second import reads the file that the first one wrote
        command("import", deck, "--from", READ_BY.get(form, form), "-o", back, "--active")
    loaded = banks.load_bank(str(back))
    assert [str(p) for p in loaded.problems] == []
    items = loaded.required_bank.items.values()
    assert [p.message for item in items for p in item.find_problems() if p.severity == "failure"] == []
    for name, typed in (("gas", "22.7 litres"), ("gas", "22.7 litre"), ("molarity", "0.5 mole/litre"), ("square", "9")):
        assert drawn(loaded, name).score(typed).outcome is Outcome.CORRECT, (name, typed)
