"""What authors tripped over: each mistake that was silent or misleading is told at its place, with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import BankOf

from quizgen import bank as banks
from quizgen.bank.reader import LoadedBank
from quizgen.commands.check import prove_bank
from quizgen.draw import Stream

NUMERIC = """
items:
  - id: n
    kind: numeric
    stem: How many for {N}?
    draw: {N: [100, 200]}
    formula:
      title: T
      inputs: {N: {is: n, unit: 1}}
      steps: {x: N * 5}
      unit: 1
      misconceptions: [{id: wrong, value: N * 7, say: No.}]
"""
TEXT = """
items:
  - id: t
    kind: text
    stem: Why?
    follow_ups: [t]
    hints: [Think of rows]
    rubric:
      criteria:
        - {id: one, say: One., accept: [alpha], probe: And?}
"""


@pytest.mark.parametrize(
    ("items", "old", "new", "told"),
    [
        (NUMERIC, "x: N * 5", "x: N * price", "give others under `inputs:`"),
        (TEXT, "say: One., ", "", 'criterion "one" has no `say`'),
        (TEXT, ", probe: And?", "", 'criterion "one" has no `probe`'),
        (TEXT, "[Think of rows]", "[Think of rows, then of pages]", "put a text with a comma in quotes"),
    ],
)
def test_it_is_told(bank_of: BankOf, items: str, old: str, new: str, told: str) -> None:
    """By a message that names the thing and what to write."""
    assert old in items

    def messages(text: str) -> list[str]:
        loaded = bank_of(text)
        proofs = [p for i in loaded.bank.items.values() for p in i.prove()] if loaded.bank else []
        return [str(p) for p in (*loaded.problems, *proofs)]

    assert not any(told in m for m in messages(items))
    assert any(told in m for m in messages(items.replace(old, new))), messages(items.replace(old, new))


def test_two_hints_are_two_hints(bank_of: BankOf) -> None:
    """Sentences of their own, or lines of their own, are left alone."""
    for hints in (
        "[Think of rows., then of pages]",
        "[Think of rows, Then of pages]",
        "\n      - think of rows\n      - then of pages",
    ):
        loaded = bank_of(TEXT.replace("[Think of rows]", hints))
        assert not any("comma" in p.hint for p in loaded.problems), hints


def test_what_a_draft_lacks_is_told_in_few_lines(bank_of: BankOf) -> None:
    """A deck of cards that was imported got six lines a card; and a text without a rubric has nothing to try answers on."""
    bank = bank_of(
        "items:\n  - {id: t, kind: text, stem: Why?, status: draft, seconds: 60, todo: [write a rubric]}\n"
    ).readable
    told = [p.message for p in bank.items["t"].prove()]
    assert told == [
        "rationale, source, difficulty, topic are missing",
        "todo: write a rubric",
        "model_answer is missing",
    ]


def test_a_misspelt_kind_hides_nothing_else(bank_of: BankOf) -> None:
    loaded = bank_of("items:\n  - {id: c, kind: chioce, stem: S, key: K, distractor: [L]}\n")
    told = " ".join(str(p) for p in loaded.problems)
    assert 'did you mean "choice"?' in told
    assert 'did you mean "distractors"?' in told


def test_items_in_bank_yaml_are_told_where_they_go(tmp_path: Path) -> None:
    (tmp_path / "bank.yaml").write_text(
        "title: T\nitems:\n  - {id: a, kind: choice, stem: S, key: K, distractors: [L]}\n", encoding="utf-8"
    )
    told = [str(p) for p in banks.load_bank(str(tmp_path)).problems]
    assert any("bank.yaml:2:1: items cannot be in bank.yaml; put them into a file of their own" in t for t in told), (
        told
    )


ITEM = """\
items:
  - id: n
    kind: numeric
    stem: STEM
    draw: {N: [100, 200]}
    formula:
      inputs: {N: {is: n, unit: 1}}
      steps: {x: N * 5}
      unit: 1
"""


def told(loaded: LoadedBank) -> list[str]:
    """Every problem as `line:column: …`, proofs too, what an item leaves out aside."""
    proofs = [p for i in loaded.bank.items.values() for p in i.prove()] if loaded.bank else []
    found = [f"{p.where.line}:{p.where.column}: {p.message}; {p.hint}" for p in (*loaded.problems, *proofs)]
    return [line for line in found if " missing; add `" not in line]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        # A key that is 0 whatever is drawn.
        ({"N * 5": "N // 1000"}, "8:18: the key is 0 in every drawing; fix the step, or draw values that give another key"),
        # A unit that the engine does not know: the kinds it knows, and where a bank says its own.
        ({"unit: 1}}": "unit: widget}}"}, '7:33: unknown unit "widget"; UNITS, or let the bank count it: `units: {widget: [widgets]}`'),
        ({"[100, 200]": "[100 zorks, 200]"}, '5:16: N: unknown unit "zorks"; UNITS, or let the bank count it: `units: {zorks: [zorks]}`'),
        # A text that a comment cuts.
        ({"STEM": "Which of {N} is issue #12 about?"}, '4:32: the text ends here, for " #" begins a comment: "12 about?" is left out; put the text in quotes, or after >-'),
        # A percentage inside an expression.
        ({"draw:": "require: [N != 10%]\n    draw:"}, '5:20: "10%" asks for a remainder here in require; write 0.1: in a formula a percentage is a fraction'),
        ({"N * 5": "N * 5% * 2"}, '8:22: "5%" asks for a remainder here in step x; write 0.05: in a formula a percentage is a fraction'),
        # Drawn values that print badly.
        (
            {"STEM": "It gets {N} commits.", "[100, 200]": "[800 1/s]", "unit: 1}}": "unit: 1/s}}", "N * 5": "N * 5 s"},
            '4:19: {N} prints as "800 1/s"; draw a count with its word, such as commit/s, which `units:` may declare',
        ),
        (
            {"STEM": "It has {N} seconds.", "[100, 200]": "[100 s]", "unit: 1}}": "unit: s}}", "N * 5": "N * 5 / (1 s)"},
            '4:18: {N} prints as "100 s", and "seconds" follows; leave the word out of the stem',
        ),
    ],
)  # fmt: skip
def test_it_is_told_at_its_place(bank_of: BankOf, changes: dict[str, str], expected: str) -> None:
    """With line and column, and what to write; the same item without the mistake says nothing."""
    text = ITEM.replace("STEM", "How many for {N}?")
    assert told(bank_of(text)) == []
    made = ITEM
    for old, new in {"STEM": "How many for {N}?", **changes}.items():
        assert old in made
        made = made.replace(old, new)
    units = "known are B, b, FLOP, s, W, J, USD and % with prefixes, min, h, day, and counts such as GPU, token, rank"
    assert told(bank_of(made))[:1] == [expected.replace("UNITS", units)]


def test_comments_that_cut_nothing_are_left_alone(bank_of: BankOf) -> None:
    """Comments after values, after two spaces and on lines of their own, and a # inside a word."""
    text = ITEM.replace("STEM", '"Which of {N} is issue #12 about in C#?"').replace(
        "    draw:", "    # Drawn once.\n    rationale: They share it evenly.  # all of them\n    draw:"
    )
    assert not [t for t in told(bank_of(text.replace("[100, 200]", "[100, 200] # two"))) if "comment" in t]


def test_a_stimulus_prints_in_the_words_of_its_file(bank_of: BankOf) -> None:
    """Counts without their word, as in stems, whatever stands first in the file; a unit said twice is told."""
    text = """\
        stimuli:
          - {id: table, text: "A table has {n} rows, read in {t} seconds.", draw: {n: [4e6 row], t: [5 s]}}
        items:
          - id: n
            kind: numeric
            stimulus: table
            stem: How many rows a second?
            formula: {inputs: {n: {is: rows, unit: row}, t: {is: time, unit: s}}, steps: {x: n / t}, unit: row/s}
        units: {row: [rows]}
        """
    loaded = bank_of(text)
    assert told(loaded) == ['2:54: {t} prints as "5 s", and "seconds" follows; leave the word out of the stem']
    shown = str(loaded.readable.items["n"].draw(Stream("n", "0")).prompt())
    assert "4M rows" in shown


def test_a_require_that_lets_everything_pass_is_counted(bank_of: BankOf) -> None:
    """`check -v` shows it: 2 of 2 says that the test refuses nothing."""
    loaded = bank_of(ITEM.replace("STEM", "How many for {N}?").replace("draw:", "require: [N > 0]\n    draw:"))
    assert prove_bank(loaded.readable, lambda done: None).require_counts == {"n": (2, 2)}
