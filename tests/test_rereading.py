"""A bank that is read again as files change is the bank that a fresh reading gives, and costs a part of it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from made_log import bank as made_bank

from quizgen import bank as banks
from quizgen.preview.watch import Watched

A = """\
topic: a
items:
  - {id: a1, kind: choice, stem: S, key: K, distractors: [L], follow_ups: [b1]}
  - {id: a2, kind: choice, stem: S, key: K, distractors: [L]}
"""
B = """\
stimuli:
  - {id: s, text: "It has {n}.", draw: {n: [1, 2]}}
items:
  - {id: b1, kind: choice, stem: S, key: K, distractors: [L]}
  - id: b2
    kind: numeric
    stimulus: s
    stem: Twice that?
    formula: two
"""
C = "items:\n  - {id: c1, kind: choice, from: b2, stem: S}\n  - {id: c2, kind: choice, stem: S, key: K, distractors: [L]}\n"
FORMULAS = "formulas:\n  two: {title: T, source: s, inputs: {n: {is: n, unit: 1}}, steps: {x: 2 * n}, unit: 1}\n"

CASE = """\
cases:
  - id: talk
    opening: Say.
    phases: [{id: p, minutes: 4}]
    turns:
      - {id: t, kind: numeric, ask: How many?, formula: two, with: {n: 4}, model_answer: 8}
"""

EDITS = [
    ("a.yaml", A.replace("stem: S", "stem: Other")),
    ("a.yaml", A.replace("key: K", "kee: K")),
    ("a.yaml", "items:\n  - {id: a1, kind: choice, stem: S, key: K, distractors: [L]}\n"),
    ("a.yaml", "items: [\n"),
    ("a.yaml", ""),
    ("a.yaml", A.replace("a2", "c2")),  # an id that another file has
    ("a.yaml", A),
    ("b.yaml", B.replace("id: b1", "id: b3")),  # a1 follows up on it
    ("b.yaml", B.replace("It has {n}.", "It has some.")),
    ("b.yaml", B.replace("2}", "2}").replace("Twice that", "Twice as many")),  # c1 takes its options
    ("b.yaml", B + "units: {row: [rows]}\n"),
    ("b.yaml", B),
    ("b.yaml", B.replace("formula: two", "formula: too")),  # c1 takes its options from it
    ("b.yaml", B),
    ("c.yaml", C.replace("id: c2", "id: c3")),
    ("formulas.yaml", FORMULAS.replace("2 * n", "2 * m")),
    ("formulas.yaml", FORMULAS),
    ("formulas.yaml", FORMULAS.replace("2 * n", "3 * n")),
    ("formulas.yaml", FORMULAS + "  three: {title: T, source: s, inputs: {}, steps: {x: 3}, unit: 1}\n"),
    ("formulas.yaml", FORMULAS.replace("title: T,", "")),
    ("formulas.yaml", FORMULAS + "constants:\n  day: {value: 86400 s, unit: s, source: d, date: 2026}\n"),
    ("formulas.yaml", "formulas: [\n"),
    ("formulas.yaml", FORMULAS),
    ("cases/talk.yaml", CASE),
    ("formulas.yaml", FORMULAS.replace("2 * n", "4 * n")),
    ("a.yaml", A),
    ("blueprints/r.yaml", "sections: [{include: [a2, none]}]\n"),
    ("a.yaml", A.replace("a2", "a9")),  # which the blueprint names
    ("blueprints/r.yaml", "sections: [{include: [a9]}]\n"),
    ("blueprints/talk.yaml", "sections: [{count: 1}]\n"),  # a case has that name
    ("blueprints/r.yaml", "sections: [\n"),
    ("cases/talk.yaml", CASE.replace("Say.", "Tell.")),
    ("cases/more.yaml", CASE.replace("id: talk", "id: more")),
    ("blueprints/talk.yaml", None),
    ("cases/more.yaml", None),
    ("bank.yaml", "title: New\nunits: {row: [lines]}\n"),
    ("bank.yaml", "title: Newer\nunits: {row: [lines]}\n"),
    ("bank.yaml", "title: Newer\nversion: 2\nunits: {row: [lines, records]}\n"),
    ("bank.yaml", "titel: Newer\nunits: {row: [lines, records]}\n"),
    ("formulas.yaml", FORMULAS + "  torn: {title: T}\n"),  # while bank.yaml has a fault
    ("formulas.yaml", FORMULAS.replace("2 * n", "5 * n")),
    ("bank.yaml", "title: [\n"),
    ("formulas.yaml", FORMULAS.replace("2 * n", "4 * n")),
    ("bank.yaml", "title: New\nsynonyms: {row: [line]}\n"),
    ("a.yaml", None),
    ("a.yaml", A),
]


def said(loaded: banks.Loaded) -> tuple[object, ...]:
    items = {} if loaded.bank is None else loaded.bank.items
    drawn = [(i.id, i.nth(1).key_text(), i.nth(0).prompt()) for i in items.values()]
    known = {} if loaded.bank is None else loaded.bank.cases
    cases = [(name, [turn.item.nth(0).key_text() for turn in case.turns]) for name, case in known.items()]
    about = loaded.bank and (loaded.bank.digest, loaded.bank.title)
    return [str(p) for p in loaded.problems], drawn, cases, about, loaded.unread


def test_it_is_the_bank_that_a_fresh_reading_gives(tmp_path: Path) -> None:
    """After each of forty edits, by problems with their places, items in their order, digest and title."""
    (tmp_path / "blueprints").mkdir()
    (tmp_path / "cases").mkdir()
    for name, text in (("a.yaml", A), ("b.yaml", B), ("c.yaml", C), ("formulas.yaml", FORMULAS)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    watched = Watched(str(tmp_path))
    before = watched.edition()
    for number, (name, text) in enumerate(EDITS):
        path = tmp_path / name
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(number + 1, number + 1))
        edition = watched.edition()
        assert edition.stamp != before.stamp, name
        assert said(edition.loaded) == said(banks.load(str(tmp_path), everything=True)), (number, name)
        before = edition
    assert before.loaded.bank is not None
    assert list(before.loaded.bank.cases) == ["talk"]
    assert before.loaded.bank.items["b2"].nth(1).key_text() == "8"


def test_a_single_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(A, encoding="utf-8")
    watched = Watched(str(path))
    path.write_text(A.replace("a2", "a3"), encoding="utf-8")
    bank = watched.edition().loaded.bank
    assert bank is not None
    assert list(bank.items) == ["a1", "a3"]


def test_a_bank_in_a_folder_called_cases(tmp_path: Path) -> None:
    """The folder of cases is the one beside the items, whatever the bank's own is called."""
    folder = tmp_path / "cases"
    folder.mkdir()
    (folder / "a.yaml").write_text(A.replace("follow_ups: [b1]", "points: 1"), encoding="utf-8")
    watched = Watched(str(folder))
    for text in (A.replace("follow_ups: [b1]", "points: 2"), A.replace("key: K", "kee: K")):
        (folder / "a.yaml").write_text(text, encoding="utf-8")
        assert said(watched.edition().loaded) == said(banks.load(str(folder), everything=True))


@pytest.mark.timeout(120)
def test_one_file_of_a_large_bank_costs_a_part_of_it(tmp_path: Path) -> None:
    """Ten files of fifty items: a change of one is read in less than a third of what the whole takes."""
    for number in range(10):
        folder = made_bank(tmp_path / f"made{number}", 25, 15, 10)
        text = (folder / "items.yaml").read_text().replace("- id: ", f"- id: f{number}-")
        (tmp_path / f"f{number}.yaml").write_text(text)
    (tmp_path / "formulas.yaml").write_text((tmp_path / "made0/formulas.yaml").read_text())
    began = time.process_time()
    watched = Watched(str(tmp_path))
    whole = time.process_time() - began
    bank = watched.edition().loaded.bank
    assert bank is not None
    assert len(bank.items) == 500
    path = tmp_path / "f4.yaml"
    path.write_text(path.read_text().replace("Which is right for 3?", "Which is so for 3?"))
    began = time.process_time()
    changed = watched.edition().loaded.bank
    part = time.process_time() - began
    assert changed is not None
    assert changed.items["f4-choice-3"].stem == "Which is so for 3?"
    assert part < whole / 3, (part, whole)
    (tmp_path / "blueprints").mkdir()
    for name, text in (("blueprints/r.yaml", "sections: [{count: 1}]\n"), ("bank.yaml", "title: T\n")):
        (tmp_path / name).write_text("version: 1\n" if name == "bank.yaml" else text)
        watched.edition()
        (tmp_path / name).write_text(text)
        began = time.process_time()
        watched.edition()
        part = time.process_time() - began
        assert part < whole / 3, (name, part, whole)
