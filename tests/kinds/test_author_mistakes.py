"""Mistakes of authors in formula files and numeric items: each is told once, at its line and column.

`FORMULA` is a sound formula file and `ITEM` a sound item that uses it. A mistake swaps one text for another; the
message must stand where `at` stands (`^` marks the column), and be the only one.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from shipped import BankOf

from quizgen import bank as banks
from quizgen.bank.reader import LoadedBank
from quizgen.commands.check import prove_and_count_drawings
from quizgen.draw import SeededRng
from quizgen.source.problems import Problem

FORMULA = """\
formulas:
  f:
    title: A formula
    source: A paper, section 1
    inputs:
      N: {is: number of parameters, unit: param}
      K: {is: data-parallel degree, unit: 1, min: 1}
    steps:
      state: 16 B/param * N / K
    unit: B
"""
ITEM = """\
items:
  - id: a
    kind: numeric
    topic: t
    stem: How much for {N} on {K}?
    draw: {N: [7e9 param, 13e9 param], K: [8, 16]}
    formula: f
    answer: {unit: GB}
    rationale: r
    source: s
    difficulty: 1
    seconds: 30
"""
STEP = "state: 16 B/param * N / K"
K = "{is: data-parallel degree, unit: 1, min: 1}"
UNIT = "    unit: B\n"


class Mistake(NamedTuple):
    """`old` becomes `new`; the message holds `says` and stands at the first `at` of the file."""

    old: str
    new: str
    at: str
    says: str


def _wrong(value: str) -> str:
    return f"{UNIT}    misconceptions:\n      - {{id: m, value: {value}, say: x}}\n"


def _test(test: str) -> str:
    return f"{UNIT}    tests:\n      - {{{test}}}\n"


FORMULAS = (
    Mistake("    inputs:", "    inputz:", "inputz", 'unknown field "inputz"'),
    Mistake(f"    steps:\n      {STEP}\n", "", "title", "steps are missing"),
    Mistake(f"    steps:\n      {STEP}\n", "    steps: {}\n", "{}", "needs a step"),
    Mistake(STEP, f"- {STEP[7:]}", "- 16", "steps must be a mapping"),
    Mistake("state: 16", "N: 16", "N: 16", '"N" is already a name'),
    Mistake(STEP, f"lost: 2 * K\n      {STEP}", "lost", "step lost is used nowhere"),
    Mistake("min: 1}", "whole: perhaps}", "perhaps", "must be true or false"),
    Mistake(K, "{is: stage, one_of: [a, a]}", "[a, a]", "two or more different words"),
    Mistake(UNIT, f"{UNIT}    misconceptions:\n      - {{value: 2 B/param * N, say: x}}\n", "{value", "id is missing"),
    Mistake(UNIT, _wrong("3 B/param * N") + "      - {id: n, value: 3 B/param * N, say: y}\n", "{id: n", "m and n have the same value"),
    Mistake(UNIT, _wrong("3 B/param * N").replace("id: m", 'id: "Oh no!"'), '"Oh', "is not an id of a misconception"),
    Mistake("N / K\n", "case(K, 8, N, 16, 2 * N)\n", "case", "pairs, then the rest"),
    Mistake("16 B/param * N / K", "if(K > 8, N, N * 2 B/param)", "N * 2", "branches of one value"),
    Mistake("    title: A formula\n", "", "f:\n    source", "title is missing"),
    Mistake(STEP, "state: 2 * N", "2 * N", "a count of param is not an amount of data (B); multiply by B/param, or change the unit"),
    Mistake(STEP, f"early: K * late\n      late: 2 * K\n      {STEP} * early", "late", '"late" is not known yet in step early'),
    Mistake(STEP, f"{STEP}\n      more: K > 3\n      all: state * if(K > 3, 1, more)", "K > 3\n", "only the last step may be a test or a tuple"),
    Mistake(K, f"{K}\n      max: {{is: most, unit: 1}}", "max:", '"max" is a word of the formula language'),
    Mistake("min: 1}", "min: 9, max: 3}", "9, max", "min is above max in input K"),
    Mistake(UNIT, _wrong("N / (1 s)"), "N / (1 s)", "the answer is in B"),
    Mistake(UNIT, _wrong("3 B/param * N, credit: 1"), "1, say", 'credit must be a share from 0% to below 100%, not "1"'),
    Mistake(UNIT, _test("N: 13e9, K: 32, is: 30e9 B"), "{N: 13e9", "the test wants 30e9 B, the formula gives 6.5 GB"),
    Mistake(UNIT, _test("N: 13e9, K: 32"), "{N: 13e9", "a test needs the answer it expects"),
    Mistake(UNIT, f"{UNIT}constants:\n  C: {{value: three, unit: 1, source: x, date: 2024}}\n", "three", "not a quantity"),
)  # fmt: skip
# Found by walking the drawings: told at the item, with the first drawing that fails.
DRAWINGS = (
    Mistake("N / K\n", "N / (K - 8)\n", "", "division by zero in step state for N = 7B params, K = 8 (in 2 of 4 drawings)"),
    Mistake(UNIT, _wrong("N * 16 B/param / K"), "", "m gives the key 14 GB for N = 7B params, K = 8 (in 4 of 4"),
    Mistake(UNIT, _wrong("16.3 B/param * N / K"), "", "m gives 14.26 GB, within five tolerances of the key 14 GB for N = 7B params, K = 8 (in 4 of 4 drawings); narrow the tolerance"),
    Mistake(UNIT, _wrong("3 B/param * N") + "      - {id: n, value: 24.3 B/param * N / K, say: y}\n", "", "misconceptions m and n give 21 GB and 21.26 GB, within five tolerances for N = 7B params, K = 8 (in 2 of 4 drawings); narrow the tolerance, draw other values or refuse such drawings"),
    Mistake(UNIT, _wrong("N * 1 B/param / (K - 8)"), "", "division by zero in misconception m for N = 7B params, K = 8"),
)  # fmt: skip
ITEMS = (
    Mistake("formula: f", "formula: g", "g\n", 'unknown formula "g"'),
    Mistake("K: [8, 16]}", "K: [8, 16], Q: [1]}", "Q:", '"Q" is not an input'),
    Mistake(", K: [8, 16]}", "}", "formula:", "input K is neither drawn nor fixed"),
    Mistake("7e9 param", "7 GB", "7 GB", "not a count of param"),
    Mistake("draw: {N: [7e9 param, 13e9 param], K: [8, 16]}", "draw: [N, K]", "[N, K]", "draw must be a mapping"),
    Mistake("draw: {N: [7e9 param, 13e9 param], K: [8, 16]}", "cases:\n      - {N: 7e9 param, K: 8}\n      - {N: 7e9, K: 8}", "{N: 7e9, K: 8}", "listed twice"),
    Mistake("draw: {N: [7e9 param, 13e9 param], K: [8, 16]}", "cases: [{}, {N: 7e9 param, K: 8}]", "{}, {", "a case is empty"),
    Mistake("formula: f", "formula: f\n    require: [1 / (K - 8) > 0]", "id: a", "division by zero in require 1 / (K - 8) > 0 for N = 7B params, K = 8"),
    Mistake("[8, 16]", "{from: 16, to: 8, step: 8}", "K: {", "from is above to"),
    Mistake("[8, 16]", "{from: 8, to: 16, step: 0}", "step: 0", "step must be above 0"),
    Mistake("{K}?", "{Q}?", "{Q}", '"{Q}" in the stem is not drawn'),
    Mistake(" on {K}?", "?", "K: [", "K is drawn, but the stem does not mention it"),
    Mistake("formula: f", "formula: f\n    with: {K: 8}", "K: 8}", "both drawn and fixed"),
    Mistake("formula: f", "formula: f\n    require: [K + 1]", "K + 1", "a test is needed here in require"),
    Mistake("formula: f", "formula: f\n    require: ['if(K > 9, impossible, K) > 8']", "'if(", "no drawing satisfies if(K > 9"),
    Mistake("formula: f", "formula: f\n    require: [N > 3 GB]", "> 3 GB", "cannot be compared"),
    Mistake("unit: GB}", "unit: GB, tolerance: 60%}", "60%", "takes numbers that are far off"),
    Mistake("unit: GB}", "unit: GB, tolerance: 8%}", "8%", "takes GiB for GB"),
    Mistake("    rationale", "    credit: {twicee: 50%}\n    rationale", "twicee", 'did you mean "twice"'),
    Mistake("    formula: f\n", "", "id: a", "formula is missing in the item"),
    Mistake("[8, 16]", '["", 16]', '"", 16', "K is empty"),
    Mistake("[8, 16]", f"[{', '.join(str(n) for n in range(1, 10_002))}]", "[1, 2", "too many values: 10,001"),
    Mistake("    rationale", "    find: {input: Q, at_most: 80 GB}\n    rationale", "Q, at", '"Q" is not an input'),
    Mistake("    rationale", "    find: {input: K}\n    rationale", "{input", "an input and one bound"),
)  # fmt: skip


def told(folder: Path, formulas: str, items: str) -> tuple[Problem, ...]:
    (folder / "formulas.yaml").write_text(formulas)
    (folder / "items.yaml").write_text(items)
    loaded = banks.load_bank(str(folder), True)
    proofs = () if loaded.bank is None or loaded.problems else prove_and_count_drawings(loaded.bank, lambda _: None)[0]
    return (*loaded.problems, *proofs)


def swapped(text: str, mistake: Mistake) -> str:
    assert text.count(mistake.old) == 1
    return text.replace(mistake.old, mistake.new)


def place(text: str, at: str) -> tuple[int, int]:
    before = text[: text.index(at)]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def test_without_a_mistake_nothing_is_told(tmp_path: Path) -> None:
    assert told(tmp_path, FORMULA, ITEM) == ()


FILES = {"formulas.yaml": FORMULAS, "items.yaml": ITEMS, "drawings": DRAWINGS}
ROWS = [(file, mistake) for file, mistakes in FILES.items() for mistake in mistakes]


@pytest.mark.parametrize(("file", "mistake"), ROWS, ids=lambda m: getattr(m, "says", m)[:40])
def test_a_mistake_is_told_once_at_its_place(file: str, mistake: Mistake, tmp_path: Path) -> None:
    """What only drawings show stands at the item."""
    formulas, item = (FORMULA, swapped(ITEM, mistake)) if file == "items.yaml" else (swapped(FORMULA, mistake), ITEM)
    (problem,) = told(tmp_path, formulas, item)
    assert mistake.says in f"{problem.message}; {problem.hint}"
    where = (item, "id: a") if file == "drawings" else (item if file == "items.yaml" else formulas, mistake.at)
    assert (problem.location.line, problem.location.column) == place(*where)
    assert problem.location.path.endswith("formulas.yaml" if file == "formulas.yaml" else "items.yaml")


def test_mistakes_of_a_shared_formula_may_fall_together_in_one_item(tmp_path: Path) -> None:
    """With K = 8 alone 3 B/param N / K and 24 B/param N / K² are one value; with another K beside it they are two."""
    both = _wrong("3 B/param * N / K") + "      - {id: n, value: 24 B/param * N / K / K, say: y}\n"
    assert told(tmp_path, swapped(FORMULA, Mistake(UNIT, both, "", "")), ITEM.replace("[8, 16]", "[8]")) == ()


def test_a_problem_of_a_constant_is_not_called_that_of_a_formula(bank_of: BankOf) -> None:
    (problem,) = bank_of(ITEM, **{"formulas.yaml": FORMULA + "constants:\n  g: {value: 9.81, source: s}\n"}).problems
    assert str(problem).endswith('formulas.yaml:12:3: date is missing in constant "g"; add `date: …`')
    dated = f"{FORMULA}constants:\n  g: {{value: 9.81, source: s, date: 2026-13-45}}\n"
    assert "formulas.yaml:12:37: 2026-13-45 is no date;" in str(bank_of(ITEM, **{"formulas.yaml": dated}).problems[0])


def test_a_lent_formula_is_not_the_authors_to_mend(tmp_path: Path) -> None:
    """Asked for the weights alone, weights_only of the formula that ships gives the key in every drawing."""
    item = ITEM.replace("formula: f", "with: {b: 2}\n    formula: model_state_bytes")
    assert told(tmp_path, FORMULA, item.replace(", K: [8, 16]}", "}").replace(" on {K}", "")) == ()


TWO = """
items:
  - id: own
    kind: numeric
    stem: How much is {N} over {K} and {Z}?
    draw: {N: [7 GB, 7e9 param], K: [0]}
    formula:
      inputs: {N: {is: parameters, unit: param}, K: {is: ranks, unit: 1, min: 1}, M: {is: other, unit: furlongs}}
      steps: {x: N * 2 B/param + K}
      unit: B
    answer: {unit: nits, tolerance: 200%}
  - {id: shared, kind: numeric, stem: "How much is {N} on {K}?", draw: {N: [1 s]}, with: {K: 1 s}, formula: wrong}
"""
WRONG_FORMULA = """
formulas:
  wrong:
    title: Wrong
    source: None
    inputs: {N: {is: parameters, unit: param}, K: {is: ranks, unit: 1}}
    steps: {x: N + 1 s}
    unit: qq
"""


def test_a_formula_with_errors_hides_nothing_of_its_item(tmp_path: Path) -> None:
    """Units of drawn and fixed values, the answer's fields, and the formula's own unit as well."""
    (tmp_path / "items.yaml").write_text(TWO)
    (tmp_path / "formulas.yaml").write_text(WRONG_FORMULA)
    problems = banks.load_bank(str(tmp_path), True).problems
    found = [f"{Path(p.location.path).name}:{p.location.line}: {p.message}" for p in problems]
    for line in (
        "items.yaml:6: N: 7 GB is an amount of data (B), not a count of param",
        "items.yaml:6: K = 0 is below the input's min 1",
        'items.yaml:8: unknown unit "furlongs"',
        'items.yaml:11: unknown unit "nits"',
        "items.yaml:11: tolerance must be a share from 0% to below 100%",
        "items.yaml:12: N: 1 s is a time (s), not a count of param",
        "items.yaml:12: K: 1 s is a time (s), not a bare number",
        "formulas.yaml:7: param and s cannot be added in step x",
        'formulas.yaml:8: unknown unit "qq"',
    ):
        assert sum(one.startswith(line) for one in found) == 1, (line, found)
    assert len(found) == 9  # that "wrong" has errors is not told once more at the item


PLAIN = """\
items:
  - id: n
    kind: numeric
    stem: How many for {N}?
    draw: {N: [100, 200]}
    formula:
      inputs: {N: {is: n, unit: 1}}
      steps: {x: N * 5}
      unit: 1
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


CHOICE = """
items:
  - id: c
    kind: choice
    stem: Which?
    distractors: [Two]
    key: One more
"""


def messages(loaded: LoadedBank) -> list[str]:
    """Every problem as `line:column: …`, proofs too, what an item leaves out aside."""
    proofs = [p for i in loaded.bank.items.values() for p in i.find_problems()] if loaded.bank else []
    found = [f"{p.location.line}:{p.location.column}: {p.message}; {p.hint}" for p in (*loaded.problems, *proofs)]
    return [line for line in found if " missing; add `" not in line]


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        # A key that is 0 whatever is drawn.
        (PLAIN, {"N * 5": "N // 1000"}, "8:18: the key is 0 in every drawing; fix the step or the bound, or draw values that give another key"),
        (PLAIN, {"N * 5": "N + 5 / (N - 200)"}, "8:24: division by zero in step x for N = 200; "
         "make sure that the divisor is never 0, or refuse the drawing with require"),
        (PLAIN, {"formula:": "find: {input: N, at_most: -5}\n    formula:", "draw: {N: [100, 200]}": "seconds: 9", "{N}": "N"},
         "9:18: the key is impossible in every drawing; fix the step or the bound, or draw values that give another key"),
        # A bound with its unit.
        (PLAIN, {"unit: 1}}": "unit: B, min: 1 kB}}", "[100, 200]": "[100 B]", "N * 5": "N / (1 B)"},
         "5:16: N = 100 B is below the input's min 1000 B; give a larger one"),
        # A follow-up that is not in the bank; the item itself is no suggestion.
        (TEXT, {"[t]": "[u]"}, '2:5: follow_ups names "u", which is not in the bank; name an item of this bank'),
        # An irrational key, of which nobody can write all digits.
        (PLAIN, {"N * 5": "sqrt(N / 50)", "      unit: 1\n": "      unit: 1\n    answer: {tolerance: 0}\n"},
         "2:5: only all the digits of the key 1.414 are right for N = 100; write `digits: 3`, or a tolerance"),
        # A choice made of a numeric item, whose stem prints what is not drawn.
        (PLAIN + "  - id: c\n    kind: choice\n    from: n\n    stem: What is it?\n", {"is it": "is {M}"},
         '13:19: "{M}" in the stem is not drawn; did you mean "N"?'),
        # Options that nobody can tell apart: another space, an invisible character, a Cyrillic letter.
        *((CHOICE, {"[Two]": f'["{twin}", Two]'}, f'5:18: "{shown}" looks like another option; options must differ; keep one')
          for twin, shown in (("One\u00a0more", "One\u00a0more"), ("One more\u200b", "One more\u200b"), ("\u041ene more", "\u041ene more"))),
        # A misspelt field, by its name alone.
        *((CHOICE, {name: wrong}, f'{at}: unknown field "{wrong}" of {what}; did you mean "{name}"?') for name, wrong, at, what in (
            ("distractors", "distractor", "5:5", "a choice item"), ("stem", "question", "4:5", "a choice item"),
            ("kind", "type", "3:5", "an item"), ("items", "item", "1:1", "an item file"))),
        # A unit that the engine does not know: the kinds it knows, and where a bank says its own.
        (PLAIN, {"unit: 1}}": "unit: widget}}"}, '7:33: unknown unit "widget"; UNITS, or let the bank count it: `units: {widget: [widgets]}`'),
        # A stem that asks in another unit than a plain number is read in.
        (PLAIN, {"How many for {N}?": "How many minutes do {N} take?", "N * 5": "N * 5 h", "unit: 1\n": "unit: s\n"},
         "2:5: the stem asks for min, but a number without a unit is read in s; write `answer: {unit: min}`, or ask for s"),
        # A text that a comment cuts.
        (PLAIN, {"How many for {N}?": "Which of {N} is issue #12 about?"},
         '4:32: the text ends here, for " #" begins a comment: "12 about?" is left out; put the text in quotes, or after >-'),
        (TEXT, {"[Think of rows]": "issue #12"}, '6:17: the text ends here, for " #" begins a comment: "12" is left out; put the text in quotes, or after >-'),
        # Commands of which double quotes make a tab, a line break, a form feed.
        (TEXT, {"Why?": '"Why $5 \\times 3$?"'}, r"4:19: in double quotes \t is one character, not the beginning of \times; double the backslash or use single quotes"),
        (TEXT, {"Why?": '"Why\n      $\\nu$?"'}, r"5:8: in double quotes \n is one character, not the beginning of \nu; double the backslash or use single quotes"),
        (TEXT, {"Why?": '"Why $\\frac12$?"'}, r"4:17: in double quotes \f is one character, not the beginning of \frac; double the backslash or use single quotes"),
        # A percentage inside an expression.
        (PLAIN, {"draw:": "require: [N != 10%]\n    draw:"}, '5:20: "10%" asks for a remainder here in require; write 0.1: in a formula a percentage is a fraction'),
        # Drawn values that print badly.
        (PLAIN, {"How many for {N}?": "It gets {N} commits.", "[100, 200]": "[800 1/s]", "unit: 1}}": "unit: 1/s}}", "N * 5": "N * 5 s"},
         '4:19: {N} prints as "800 1/s"; draw a count with its word, such as commit/s, which `units:` may declare'),
        (PLAIN, {"How many for {N}?": "It has {N} seconds.", "[100, 200]": "[100 s]", "unit: 1}}": "unit: s}}", "N * 5": "N * 5 / (1 s)"},
         '4:18: {N} prints as "100 s", and "seconds" follows; leave the word out of the stem'),
        # Nothing where a list may be, and text that a comma cut.
        (TEXT, {"[Think of rows]": "#1"}, "6:11: hints is empty; write its text or leave the field out"),
        (TEXT, {"[Think of rows]": "[Rows, not columns]"}, "6:19: a comma ends the text before this; put text with a comma in quotes"),
        (TEXT, {"probe: And?": "probe: And, please."}, '9:61: unknown field "please." of a criterion; put text with a comma in quotes'),
        (PLAIN, {"[100, 200]}": "[100], most: [500]}\n    find: {input: M, at_most: most}"},
         '6:19: "M" is not an input of the formula; did you mean "N"?'),
        # What candidates and interviewers read of a criterion.
        (TEXT, {"say: One., ": ""}, '9:11: criterion "one" has no `say`; say what it asks for: candidates and keys read it instead of the id'),
        (TEXT, {", probe: And?": ""}, '9:11: criterion "one" has no `probe`; write what an interviewer asks, without revealing the answer'),
    ],
)  # fmt: skip
def test_it_is_told_at_its_place(bank_of: BankOf, text: str, changes: dict[str, str], expected: str) -> None:
    """With line and column, and what to write; the same item without the mistake does not say it."""
    units = "known are B, b, FLOP, s, W, J, USD and % with prefixes, min, h, day, and counts such as GPU, token, rank"
    expected = expected.replace("UNITS", units)
    assert messages(bank_of(text)) == [] or (text == TEXT and expected not in messages(bank_of(text)))
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    assert messages(bank_of(text))[:1] == [expected]


def test_what_a_draft_lacks_is_told_in_few_lines(bank_of: BankOf) -> None:
    """A deck of cards that was imported got six lines a card; and a text without a rubric has nothing to try answers on."""
    draft = "items: [{id: t, kind: text, stem: Why?, status: draft, seconds: 60, todo: [write a rubric]}]\n"
    told = [p.message for p in bank_of(draft).required_bank.items["t"].find_problems()]
    lacks = "rationale, source, difficulty, topic are missing"
    assert told == [lacks, "todo: write a rubric", "model_answer is missing"]


def test_files_that_are_not_read_are_named(bank_of: BankOf) -> None:
    """Another ending than .yaml in a folder of a bank, and a logo that is not there."""
    others = dict.fromkeys(("C.YAML", "b.yml", "blueprints/r.yml", ".hidden.yml"), "x")
    loaded = bank_of(PLAIN, **{"blueprints/round.yaml": "sections: [{count: 1}]\nlogo: no.svg\n"}, **others)
    named = [(Path(p.location.path).name, p.hint) for p in loaded.problems]
    ending = ".yaml: only .yaml files are"
    files = (("C", ".YAML"), ("b", ".yml"), ("r", ".yml"))
    assert named == [(f"{n}{end}", f"rename it to {n}{ending}") for n, end in files]
    (logo,) = (p for p in prove_and_count_drawings(loaded.required_bank, lambda _: None)[0] if "logo" in p.message)
    unread = 'the logo "no.svg" cannot be read: No such file or directory; check its name'
    assert str(logo).endswith(f"round.yaml:2:7: {unread}")


@pytest.mark.parametrize("field", ["units: [metre]", "roles: {any: [t]}"])
def test_a_wrong_shape_is_told_once(bank_of: BankOf, field: str) -> None:
    """Although two readers look at it."""
    (problem,) = bank_of(PLAIN, **{"bank.yaml": f"{field}\n"}).problems
    assert "must be a mapping, not a list" in problem.message


def test_a_faulty_phrase_is_told_once(bank_of: BankOf) -> None:
    """Not again by the answers that it refuses."""
    loaded = bank_of(TEXT.replace("[alpha]", '["{alpha"]').replace("And?}", "And?}\n    model_answer: alpha"))
    proofs = prove_and_count_drawings(loaded.required_bank, lambda _: None)[0]
    assert len([p for p in (*loaded.problems, *proofs) if "are missing" not in p.message]) == 1


def test_a_misspelt_kind_hides_nothing_else(bank_of: BankOf) -> None:
    loaded = bank_of("items:\n  - {id: c, kind: chioce, stem: S, key: K, distractor: [L]}\n")
    told = " ".join(str(p) for p in loaded.problems)
    assert all(hint in told for hint in ('did you mean "choice"?', 'did you mean "distractors"?'))


def test_what_is_in_the_wrong_file_is_told_where_it_goes(bank_of: BankOf) -> None:
    items = "title: T\nitems:\n  - {id: a, kind: choice, stem: S, key: K, distractors: [L]}\n"
    (problem,) = bank_of(**{"bank.yaml": items}).problems
    assert str(problem).endswith("bank.yaml:2:1: items cannot be in bank.yaml; put them into a file of their own")
    problems = bank_of(**{"bank.yaml": "minutes: 9\nsections: [{count: 1}]\n"}).problems
    assert [p.hint[-21:] for p in problems] == ["blueprints/round.yaml"]


def test_comments_that_cut_nothing_are_left_alone(bank_of: BankOf) -> None:
    """Comments after values, after two spaces and on lines of their own, and a # inside a word."""
    text = PLAIN.replace("How many for {N}?", '"Which of {N} is issue #12 about in C#?"').replace(
        "    draw:", "    # Drawn once.\n    rationale: They share it evenly.  # all of them\n    draw:"
    )
    assert not [t for t in messages(bank_of(text.replace("[100, 200]", "[100, 200] # two"))) if "comment" in t]


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
    assert messages(loaded) == ['2:54: {t} prints as "5 s", and "seconds" follows; leave the word out of the stem']
    assert "4M rows" in str(loaded.required_bank.items["n"].draw(SeededRng("n", "0")).prompt())


def test_a_require_that_lets_everything_pass_is_counted(bank_of: BankOf) -> None:
    """`check -v` shows it: 2 of 2 says that the test refuses nothing."""
    loaded = bank_of(PLAIN.replace("draw:", "require: [N > 0]\n    draw:"))
    counts = prove_and_count_drawings(loaded.required_bank, lambda done: None)[1]["n"]
    assert (counts.tried_and_allowed_count, counts.tried_count) == (2, 2)
