"""Folders of files to banks: what each file must hold, what is left aside, what a blueprint may ask. A bad item is left
out and named, and everything else goes on.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shipped import BankOf, Command

from quizgen import assemble, cli, data_folders
from quizgen import bank as banks
from quizgen.bank.reader import LoadedBank
from quizgen.commands.check import problems_of_first_unfillable_section
from quizgen.source import yaml
from quizgen.source.problems import ProblemCollector

ITEMS = """
topic: sums
items:
  - {id: a, kind: choice, stem: One?, key: "1", distractors: ["2"]}
"""


def told(loaded: LoadedBank) -> list[str]:
    """Problems with the name of their file alone."""
    return [str(problem).rpartition("/")[2] for problem in loaded.problems]


FIRST = {"bank.yaml": "title", "formulas-2.yaml": "formulas", "blueprints/b.yaml": "sections", "more.yaml": "items"}


@pytest.mark.parametrize(("name", "field"), FIRST.items())
def test_an_empty_file_is_told_what_it_should_begin_with(bank_of: BankOf, name: str, field: str) -> None:
    """A file of each sort is told its own first field, when it is empty and when its top is a list."""
    for text, says in (
        ("# nothing yet\n", f"the file is empty; begin it with `{field}:`, or delete it"),
        ("- a\n", f"the top must be a mapping with `{field}:`; begin the file with `{field}:`"),
    ):
        assert told(bank_of(ITEMS, **{name: text})) == [f"{Path(name).name}:1:1: {says}"]


def test_hidden_files_are_no_part_of_a_bank(bank_of: BankOf) -> None:
    """What editors and file systems leave behind (`.a.yaml.swp`, `._a.yaml`) is neither read nor in the digest."""
    plain = bank_of(ITEMS)
    littered = bank_of(ITEMS, **{".b.yaml": "\0", "blueprints/._b.yaml": "\0"})
    assert not littered.problems
    assert littered.required_bank.digest == plain.required_bank.digest


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title: x\n", "1:1: sections are missing"),
        ("sections: []\n", "1:11: sections is an empty list"),
        ("sections: [{kind: chioce}]\n", '1:19: unknown kind "chioce"; did you mean "choice"?'),
        ("sections: [{count: 0}]\n", "1:20: count must be a whole number from 1"),
        ("sections: [{points: 0}]\n", "1:21: points must be above 0"),
        ("minutes: 6001\nsections: [{}]\n", "1:10: minutes must be above 0 and at most 6000"),
        ("minutes: 0\nsections: [{count: 1}]\n", "1:10: minutes must be above 0"),
        ("sections: [{count: 1}]\npass: 101%\n", "2:7: pass must be a share"),
        ("sections: [{count: 1}]\nbands: [{name: A}]\n", "2:9: a band needs `from` and `name`"),
        (
            "sections: [{count: 1}]\ngrades: [{from: 92.5%, name: 1}, {from: 0.925, name: 2}]\n",
            "2:34: 1 and 2 both begin at 92.5%; correct one of them",
        ),
        ("sections: [{include: [b]}]\n", '1:12: no item "b"; did you mean "a"?'),
        # What cannot be filled, at the section that goes short.
        ("sections: [{include: [a]}]\n", ""),
        ("sections: [{count: 1}, {topic: sms}]\n", '1:24: no item on sms; did you mean "sums"?'),
        ("sections: [{kind: text}]\n", "1:12: no item of kind text; widen the section or write such an item"),
        (
            "sections: [{count: 1}, {topic: sums, count: 1}]\n",
            "1:24: section 2 wants 1 item on sums, the bank has 0; lower `count` or widen the section",
        ),
    ],
)
def test_a_blueprint_is_told_what_it_may_not_ask(bank_of: BankOf, text: str, words: str) -> None:
    """Each mistake at its place, with what to write, and before anyone sits it: `check` fills every blueprint once."""
    loaded = bank_of(ITEMS, **{"blueprints/b.yaml": text})
    found = told(loaded)
    if not found:
        problems = problems_of_first_unfillable_section(loaded.required_bank, loaded.bank.blueprint_by_name["b"])
        found = [str(problem).rpartition("/")[2] for problem in problems]
    assert any(line.startswith("b.yaml:" + words) for line in found) if words else not found, found


def test_check_points_at_the_text_and_sends_to_the_faulty_item_first(bank_of: BankOf, command: Command) -> None:
    """A blueprint that is short of an item only as one is faulty does not say to ask for less."""
    item = '  - {id: b, kind: choice, stem: "A $\\\\nosuch$ here.", key: "1", distractors: ["2"], rationale: "$\\\\frac12"}\n'
    bad = '  - {id: c, kind: choice, stem: Two?, key: "1", distractors: [a, b, "1"]}\n'
    loaded = bank_of(ITEMS + item + bad, **{"blueprints/b.yaml": "sections: [{count: 3}]\n"})
    lines = [line.rpartition("/")[2] for line in command("check", loaded.required_bank.folder, code=1).out.splitlines()]
    assert "b.yaml:1:12: section 1 wants 3 items, the bank has 2; mend the faulty items first" in lines
    column, other = item.index('"A $') + 1, item.index('"$') + 1
    assert any(line.startswith(f"items.yaml:4:{column}: b: the formula $\\nosuch$ cannot be shown") for line in lines)
    assert any(line.startswith(f"items.yaml:4:{other}: b: the formula $\\frac12 has no end") for line in lines)


def test_bands_come_in_order_and_shares_may_be_written_either_way(bank_of: BankOf) -> None:
    """The order in the file does not matter; `0.6` is `60%`."""
    bands = "[{from: 90%, name: A}, {from: 0, name: C}, {from: 60%, name: B}]"
    text = f"sections: [{{count: 1}}]\npass: 0.6\nbands: {bands}\n"
    plan = bank_of(ITEMS, **{"blueprints/b.yaml": text}).required_bank.blueprint_by_name["b"]
    assert [(band.name, float(band.min_share)) for band in plan.score_bands] == [("C", 0.0), ("B", 0.6), ("A", 0.9)]
    assert plan.pass_share == plan.score_bands[1].min_share


@pytest.mark.parametrize("place", ["bank.yaml", "items.yaml"])
def test_synonyms_of_a_bank_and_of_a_file_reach_its_rubrics(bank_of: BankOf, place: str) -> None:
    """`quick: [rapid]` counts for every text item below it."""
    rubric = "{criteria: [{id: c, say: It is fast., accept: [quick]}]}"
    files = {
        "items.yaml": f"items: [{{id: t, kind: text, topic: x, stem: Why?, rubric: {rubric}}}]\n",
        "bank.yaml": "title: T\n",
    }
    files[place] += "synonyms: {quick: [rapid]}\n"
    score = assemble.draw_variant(bank_of(**files).required_bank.items["t"], "s").score("It is rapid.")
    assert score.earned == score.possible


NUMBER = """
items:
  - {id: n, kind: numeric, stem: "Twice {N}?", draw: {N: [3, 4]}, formula: twice}
"""
TWICE = """
formulas:
  twice: {title: Twice, source: none, inputs: {N: {is: a number, unit: 1}}, steps: {t: 2 * N}, unit: "1"}
"""


def test_a_single_file_uses_the_formulas_beside_it(bank_of: BankOf, tmp_path: Path) -> None:
    """One file of a bank can be played alone: formulas and synonyms of its folder are lent to it, problems are not."""
    bank_of(NUMBER, **{"formulas.yaml": TWICE, "broken.yaml": "items: [\n"})
    loaded = banks.load_bank(str(tmp_path / "bank" / "items.yaml"))
    assert not loaded.problems
    assert list(loaded.required_bank.items) == ["n"]


def test_what_a_bank_says_about_itself(bank_of: BankOf) -> None:
    """`bank.yaml` names it; without one its folder does, which is no title to print on a form."""
    named = bank_of(ITEMS, **{"bank.yaml": "title: Sums\nversion: 010\nlicense: MIT\n"}).required_bank
    assert (named.title, named.has_title, named.version, named.license) == ("Sums", True, "010", "MIT")
    plain = bank_of(ITEMS, **{"bank.yaml": "license: MIT\n"}).required_bank
    assert (plain.title, plain.has_title) == ("bank", False)


def test_a_blueprint_that_two_banks_have_must_be_named_with_its_bank(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bank_of: BankOf
) -> None:
    """`mock round` never takes one of two banks by chance."""
    for name in ("one", "two"):
        bank_of(ITEMS, **{"blueprints/round.yaml": "sections: [{count: 1}]\n"})
        (tmp_path / "bank").rename(tmp_path / name)
    monkeypatch.setattr(data_folders, "shipped_folder_path_text", lambda kind: str(tmp_path))
    assert banks.find_bank_path_and_part_name("two/round") == (tmp_path / "two", "round")
    with pytest.raises(banks.BankNotFound, match="no bank or blueprint"):
        banks.find_bank_path_and_part_name("round")
    (tmp_path / "one" / "blueprints" / "round.yaml").unlink()
    assert banks.find_bank_path_and_part_name("round") == (tmp_path / "two", "round")


def test_no_name_is_no_bank() -> None:
    """An empty argument, as from an unset variable of a shell, is not the folder that one is in."""
    with pytest.raises(banks.BankNotFound, match='no bank or blueprint ""; banks that ship: distributed-training, git'):
        banks.find_bank_path_and_part_name("")
    with pytest.raises(banks.BankNotFound, match=r'blueprint "\./mine\.yaml"; there is no such file'):
        banks.find_bank_path_and_part_name("./mine.yaml")


def test_a_link_in_a_bank_is_not_followed(bank_of: BankOf, tmp_path: Path) -> None:
    """Not even to a file that would be a good one: a bank says what is in it."""
    outside = tmp_path / "outside.yaml"
    outside.write_text(ITEMS.replace("id: a", "id: b"), encoding="utf-8")
    bank_of(ITEMS)
    (tmp_path / "bank" / "link.yaml").symlink_to(outside)
    loaded = banks.load_bank(str(tmp_path / "bank"))
    assert list(loaded.required_bank.items) == ["a"]
    (problem,) = told(loaded)
    assert problem.startswith("link.yaml:1:1: cannot be read: Too many levels of symbolic links")


def test_a_bank_knows_whether_a_file_of_it_could_not_be_opened(bank_of: BankOf, tmp_path: Path) -> None:
    """`check` ends with 3 for those and with 1 for mistakes, whatever the words of the message."""
    assert not bank_of("items:\n  - id: a\n    kind: cannot be read\n").has_unopenable_files
    (tmp_path / "bank" / "items.yaml").unlink()
    (tmp_path / "bank" / "link.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    loaded = banks.load_bank(str(tmp_path / "bank"))
    assert loaded.bank is None
    assert loaded.has_unopenable_files
    assert cli.run(["check", str(tmp_path / "bank")]) == 3


def test_the_digest_tells_files_from_their_text(bank_of: BankOf) -> None:
    """Moving a line from the end of one file to the head of the next is another bank."""
    one = yaml.digest_of_text_by_path({"a.yaml": "x\ny\n", "b.yaml": "z\n"})
    assert one != yaml.digest_of_text_by_path({"a.yaml": "x\n", "b.yaml": "y\nz\n"})
    assert one == yaml.digest_of_text_by_path({"b.yaml": "z\n", "a.yaml": "x\ny\n"})


def test_no_more_than_so_many_problems_are_told_of_one_file(tmp_path: Path) -> None:
    """Two hundred, and below them how many more there are."""
    path = tmp_path / "many.yaml"
    path.write_text(ITEMS + "x: y\n" * 250, encoding="utf-8")
    problems = banks.load_bank(str(path)).problems
    assert len(problems) == 201
    assert "50 more problems in this file; fix those above first" in str(problems[-1])


def test_limits_of_one_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A file too large or with too many values is refused, never read until memory ends."""
    path = tmp_path / "large.yaml"
    path.write_text(ITEMS, encoding="utf-8")
    monkeypatch.setattr(yaml, "MAX_NODES_PER_FILE", 10)
    (problem,) = told(banks.load_bank(str(path)))
    assert problem.endswith(": too many values in one file; split it into several files")
    monkeypatch.setattr(yaml, "MAX_FILE_BYTES", len(ITEMS) - 1)
    assert "the file is larger than" in told(banks.load_bank(str(path)))[0]


def test_keys_that_look_the_same_are_the_same() -> None:
    """Composed and decomposed letters are one name, so that a key cannot be there twice unseen."""
    doc = ProblemCollector("x.yaml")
    assert list(yaml.parse_yaml("\u00e9: 1\ne\u0301: 2\n", doc).mapping()) == ["\u00e9"]
    assert "duplicate key" in str(doc.problems[0])


def test_a_formula_with_errors_that_no_item_names_is_a_problem_and_no_crash(bank_of: BankOf, command: Command) -> None:
    broken = "formulas:\n  f: {inputs: {x: {is: a length, unit: 1}}, steps: {y: x + nothing}, unit: 1}\n"
    assert "nothing" in command("check", bank_of(ITEMS, **{"formulas.yaml": broken}).required_bank.folder, code=1).out


BAD = """topic: t
units: {pod: [pods]}
items:
  - {id: twice, kind: choice, stem: S1, key: x, distractors: [y, y]}
  - {id: misspelt, kind: choice, stem: S2, key: x, distractors: [y], diffculty: 3}
  - {kind: choice, stem: S3, key: x, distractors: [y]}
  - {id: same, kind: choice, stem: S4, key: x, distractors: [y]}
  - {id: same, kind: choice, stem: S5, key: x, distractors: [y]}
  - {id: unit, kind: numeric, stem: S6, formula: {inputs: {}, steps: {a: 3 glorp}, unit: 1}}
  - {id: named, kind: numeric, stem: S7, formula: broken}
  - {id: built, kind: choice, from: named}
  - {id: good, kind: choice, stem: S8, key: x, distractors: [y]}
"""
FORMULAS = "formulas:\n  broken: {title: T, source: S, inputs: {}, steps: {a: 1 GB + 1 s}, unit: GB}\n"
LEFT_OUT = "left out: built, misspelt, named, same, twice, unit; they have errors, see quizgen check"


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    (tmp_path / "items.yaml").write_text(BAD, encoding="utf-8")
    (tmp_path / "formulas.yaml").write_text(FORMULAS, encoding="utf-8")
    return tmp_path


def test_one_bad_item_refuses_no_bank(bank: Path, command: Command) -> None:
    """Only the good item is scored: an unknown field could have been one that changes a score, and of two items with one
    id either could be meant."""
    for line in ("list items --bank {0}", "mock {0} --plain --log {0}/log.jsonl", "exam {0} -o {0}/out"):
        assert LEFT_OUT in command(*line.format(bank).split()).err
    lines = [json.dumps({"item": name, "response": "x"}) for name in ("good", "twice", "misspelt", "same")]
    (bank / "given.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    said = command("score", bank / "given.jsonl", "--bank", bank, "--format", "jsonl")
    assert LEFT_OUT in said.err
    assert [json.loads(line)["item"] for line in said.out.splitlines()] == ["good"]


def test_what_touches_every_item_refuses_the_bank(bank: Path, command: Command) -> None:
    for old, new, said in (
        ("units: {pod", "unit: {pod", 'unknown field "unit"'),  # of the file: it changes how every response is read
        ("topic: t\n", "topic: [\n", "1 problem in"),
        ("key: x, distractors: [y]}\n", "key: x, distractors: [y, y]}\n", "fix them first"),  # no item is left
    ):
        (bank / "items.yaml").write_text(BAD.replace(old, new), encoding="utf-8")
        assert said in command("list", "items", "--bank", bank, code=3).err
