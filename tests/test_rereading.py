"""A bank that is read again as files change is the bank that a fresh reading gives, and costs a part of it."""

from __future__ import annotations

import os
from pathlib import Path

from quizgen import bank as banks
from quizgen.bank.reader import LoadedBank
from quizgen.commands.preview import WatchedBank

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


def said(loaded: LoadedBank) -> tuple[object, ...]:
    items = {} if loaded.bank is None else loaded.bank.items
    drawn = [(i.id, i.nth_seed_variant(1).key_text(), i.nth_seed_variant(0).prompt()) for i in items.values()]
    known = {} if loaded.bank is None else loaded.bank.case_by_id
    cases = [(name, [turn.item.nth_seed_variant(0).key_text() for turn in case.turns]) for name, case in known.items()]
    about = loaded.bank and (loaded.bank.digest, loaded.bank.title)
    return [str(p) for p in loaded.problems], drawn, cases, about, loaded.has_unopenable_files


def test_it_is_the_bank_that_a_fresh_reading_gives(tmp_path: Path) -> None:
    """After each of forty edits, by problems with their places, items in their order, digest and title. The folder of
    cases is the one beside the items, whatever the bank's own is called."""
    bank = tmp_path / "cases"
    for folder in ("blueprints", "cases"):
        (bank / folder).mkdir(parents=True)
    for name, text in (("a.yaml", A), ("b.yaml", B), ("c.yaml", C), ("formulas.yaml", FORMULAS)):
        (bank / name).write_text(text, encoding="utf-8")
    watched = WatchedBank(str(bank))
    before = watched.current_state()
    for number, (name, text) in enumerate(EDITS):
        path = bank / name
        if text is None:
            path.unlink()
        else:
            path.write_text(text, encoding="utf-8")
            os.utime(path, ns=(number + 1, number + 1))
        edition = watched.current_state()
        assert edition.files_fingerprint != before.files_fingerprint, name
        assert said(edition.loaded_bank) == said(banks.load_bank(str(bank), parses_everything=True)), (number, name)
        before = edition
    assert list(before.loaded_bank.bank.case_by_id) == ["talk"]
    assert before.loaded_bank.bank.items["b2"].nth_seed_variant(1).key_text() == "8"


def test_a_single_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(A, encoding="utf-8")
    watched = WatchedBank(str(path))
    path.write_text(A.replace("a2", "a3"), encoding="utf-8")
    assert list(watched.current_state().loaded_bank.required_bank.items) == ["a1", "a3"]


def test_what_did_not_change_is_not_read_again(tmp_path: Path) -> None:
    """A change of one file, of a blueprint or of the title leaves the items of all other files as they are."""
    alone = A.replace(", follow_ups: [b1]", "")
    for name in "abc":
        (tmp_path / f"{name}.yaml").write_text(alone.replace("a1", f"{name}1").replace("a2", f"{name}2"))
    (tmp_path / "bank.yaml").write_text("title: T\n", encoding="utf-8")
    (tmp_path / "blueprints").mkdir()
    watched = WatchedBank(str(tmp_path))
    before = watched.current_state().loaded_bank.required_bank
    for name, text, new in (
        ("b.yaml", (tmp_path / "b.yaml").read_text().replace("stem: S", "stem: Other"), {"b1", "b2"}),
        ("blueprints/r.yaml", "sections: [{count: 1}]\n", set()),
        ("bank.yaml", "title: Newer\n", set()),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8")
        bank = watched.current_state().loaded_bank.required_bank
        assert {i for i in bank.items if bank.items[i] is not before.items[i]} == new, name
        before = bank
