"""Files that were made to mislead, overload or crash: refused with a place, or read as written."""

from __future__ import annotations

import csv
import os
import re
import string
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from shipped import BankOf

from quizgen import bank as banks
from quizgen import cli
from quizgen.source import yaml
from quizgen.source.problems import ProblemCollector

GOOD = """\
topic: sums
items:
  - id: q1
    kind: choice
    stem: What is two plus two?
    key: Four
    distractors:
      - Three
      - text: Five
        because: That is two plus three.
    rationale: Two and two make four.
    difficulty: 1
    seconds: 20
    source: Peano 1889, section 1
"""

# (what, text replaced, by what, line of the problem, words of its message or its remedy)
SWAPS = [
    ("python tag", "key: Four", "key: !!python/object/apply:os.system [id]", 6, "tag !!python"),
    ("alias", "key: Four", "key: *a", 6, "alias *a"),
    ("merge key", "key: Four", "key: Four\n    <<: {difficulty: 1}", 7, "merge key"),
    ("duplicate key", "key: Four", "key: Four\n    key: Five", 7, 'duplicate key "key"'),
    ("second document", "source: Peano", "source: x\n---\nz: Peano", 15, "second document"),
    ("deep nesting", "key: Four", "key: " + "[" * 3000, 6, "nested too deep"),
    ("complex key", "key: Four", "? [a]\n    : Four", 6, "a key must be text"),
    ("control escape", "key: Four", 'key: "\\0"', 6, "control character U+0000"),
    ("a NUL", "key: Four", "key: Fo\0ur", 6, "control character U+0000"),
    ("no space after a colon", "key: Four", "key:Four", 6, "no `: ` after this name"),
    ("an endless key", "source:", "? " + "k" * 200_000 + "\n   ", 14, "text too long"),
    ("bidi override", "key: Four", "key: a\u202eb", 6, "U+202E"),
    ("lone surrogate", "key: Four", 'key: "\\uD800"', 6, "surrogate"),
    ("no-break space", "    key: Four", "   \u00a0key: Four", 6, "no-break space"),
    ("field of another program", "key: Four", "answer: Four", 6, 'did you mean "key"?'),
    ("an id like an option", "id: q1", "id: --help", 3, "may not begin with -"),
    ("missing key", "    key: Four\n", "", 3, "key is missing"),
    ("empty stem", "stem: What is two plus two?", "stem:", 5, "stem is empty"),
    ("key twice", "key: Four", "key: [Four, Four]", 6, "appears twice"),
    ("list for an option", "- Three", "- [Three]", 8, "must be text"),
    ("no such item", "key: Four", "from: q0", 6, 'no item "q0" comes before this one'),
    ("many options", "- Three", "- Three\n" + "".join(f"      - o{n}\n" for n in range(40)), 7, "too many options"),
    ("id as a path", "id: q1", "id: ../q1", 3, "a-z, 0-9"),
    ("huge number", "difficulty: 1", "difficulty: " + "9" * 5000, 12, "from 1 to 5"),
    ("negative seconds", "seconds: 20", "seconds: -5", 13, "above 0"),
    ("infinite points", "seconds: 20", "points: .inf", 13, "finite"),
    ("long text", "What is two", "x" * 3_000_000, 5, "text too long"),
]


@pytest.mark.parametrize("text", ["no", "010", "12:30", "1e9", "2026-11-21", "~", "0x1F"])
def test_scalars_stay_what_they_look_like(tmp_path: Path, text: str) -> None:
    """An option is the text that was written, whatever YAML 1.1 makes of it."""
    path = tmp_path / "kept.yaml"
    path.write_text(GOOD.replace("key: Four", f"key: {text}"), encoding="utf-8")
    loaded = banks.load_bank(str(path))
    assert not loaded.problems
    assert loaded.required_bank.items["q1"].key_texts == (text,)


def test_line_ends_do_not_change_the_digest(tmp_path: Path) -> None:
    """CRLF, CR and LF are one bank."""
    digests = set()
    for end in ("\n", "\r\n", "\r"):
        path = tmp_path / "x.yaml"
        path.write_bytes(GOOD.replace("\n", end).encode())
        digests.add(banks.load_bank(str(path)).required_bank.digest)
    assert len(digests) == 1


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_odd_files_never_block(tmp_path: Path, make: Callable[[Path], None]) -> None:
    """A pipe, a folder or a device in a bank's place is refused at once."""
    make(tmp_path / "odd.yaml")
    loaded = banks.load_bank(str(tmp_path))
    assert loaded.bank is None
    assert loaded.problems


@given(st.binary(max_size=300))
def test_any_bytes_give_problems_or_a_tree(raw: bytes) -> None:
    """No bytes make the reader raise."""
    doc = ProblemCollector("x.yaml")
    text = yaml.decode_utf8_or_report(raw, doc)
    if text is not None and yaml.parse_yaml(text, doc) is None:
        assert doc.problems or not text.strip() or text.lstrip().startswith(("#", "%", "---", "..."))


@given(st.text(alphabet="ab:-[]{}&*!|>'\"%@`#,? \n\t", max_size=120))
def test_any_markup_gives_problems_or_a_tree(text: str) -> None:
    """Nor do YAML's own marks in any order."""
    doc = ProblemCollector("x.yaml")
    yaml.parse_yaml(text, doc)


def test_shared_hostile_banks(shared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every file of the shared corpus does what its manifest says, without a crash."""
    folder = shared / "hostile" / "yaml"
    wrong = []
    with (folder / "manifest.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    for row in rows:
        code = cli.run(["check", str(folder / row["file"])])
        told = capsys.readouterr()
        allowed = {"accept": (0,), "reject": (1, 3), "either": (0, 1, 3)}[row["must"]]
        if code not in allowed:
            wrong.append((row["file"], row["must"], code, told.out[-300:], told.err[-300:]))
        if code == 1 and " at line " in row["note"]:
            line = row["note"].rpartition(" at line ")[2]
            if f":{line}:" not in told.out:
                wrong.append((row["file"], f"line {line}", told.out[:300]))
    assert not wrong


LAUGHS = "a: &a [x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip(string.ascii_lowercase, string.ascii_lowercase[1:12], strict=False)
)

FINE = {
    "as it is": GOOD,
    "a byte-order mark": "\ufeff" + GOOD,
    "a document start and end": f"---\n{GOOD}...\n",
    "a YAML line": f"%YAML 1.1\n---\n{GOOD}",
    "a long line": GOOD.replace("Four", "F" * 60_000),
}
REFUSED: dict[str, tuple[str | bytes, int, str]] = {
    **{what: (GOOD.replace(old, new, 1), line, words) for what, old, new, line, words in SWAPS},
    "nothing": ("", 1, "the file is empty"),
    "a tag line": (f"%TAG ! tag:x,2000:\n---\n{GOOD}", 1, "a %TAG line"),
    "a billion laughs": (LAUGHS, 1, "unknown field"),
    "deep blocks": ("\n".join(" " * n + "a:" for n in range(2000)), 15, "nested too deep"),
    "no key": (": x\n", 1, "wrong indentation"),
    "UTF-16": (GOOD.encode("utf-16"), 1, "not UTF-8"),
    "Latin-1": (GOOD.replace("Four", "F\u00f6ur").encode("latin-1"), 6, "not UTF-8: byte 0xf6"),
    "cut JSON": ('{"items": [{"id": "q1",}', 1, "list [ not closed"),
    "no items": ("items: []\n", 1, "items is an empty list"),
    "items as mapping": ("items:\n" + "".join(f"  k{n}: v\n" for n in range(5000)), 2, "items must be a list"),
}


def checked(path: Path, content: str | bytes, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return cli.run(["check", str(path)]), "".join(capsys.readouterr())


@pytest.mark.parametrize("what", FINE)
def test_read_as_it_looks(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = checked(tmp_path / "bank.d.yaml", FINE[what], capsys)
    assert (code, "1 item" in told) == (0, True), told


@pytest.mark.parametrize("what", REFUSED)
def test_refused_with_its_place(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With its line and column, the cause and a remedy; never by more lines than a person reads, nor by bytes that a screen
    obeys."""
    content, line, words = REFUSED[what]
    code, told = checked(tmp_path / "bank.d.yaml", content, capsys)
    assert code in (1, 3)
    places = [one for one in told.splitlines() if re.search(rf"bank\.d\.yaml:{line}:[1-9]\d*: .+; .+", one)]
    assert any(words in one for one in places), told
    assert len(told.splitlines()) <= 203
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", told)


# (text, line, column, words of the message)
BROKEN_YAML = [
    ("a: *\n", 1, 5, "a lone & or *"),
    ("a: [b,, c]\n", 1, 7, "a value is missing here"),
    ("a: b\n c: d\n- e\n", 2, 3, "a second `: ` here"),
    ("%YAML 2.0\n---\na: b\n", 1, 1, "begins with %"),
    ('a: "b\n--- c"\n', 2, 1, "inside quotes"),
    ('a: "\\xzz"\n', 1, 7, "an escape with a wrong number of digits"),
    ('a: "\\z"\n', 1, 5, "unknown escape"),
    ("a: @b\n", 1, 4, "this character cannot start a value"),
    ("a:\n\t- b\n", 2, 1, "a tab cannot indent"),
    ("x: y\na： b\nc: d\n", 2, 2, "U+FF1A is another character"),
]


@pytest.mark.parametrize(("text", "line", "column", "words"), BROKEN_YAML, ids=[b[0] for b in BROKEN_YAML])
def test_broken_yaml_is_told_in_an_authors_words(text: str, line: int, column: int, words: str) -> None:
    """Place, cause and remedy; never libyaml's own words, which speak of tokens."""
    doc = ProblemCollector("x.yaml")
    assert yaml.parse_yaml(text, doc) is None
    (problem,) = doc.problems
    assert (problem.location.line, problem.location.column) == (line, column), str(problem)
    assert words in problem.message
    assert problem.hint
    assert "documentation" not in problem.hint


CHOICE = "  - {id: ID, kind: choice, stem: S, key: K, distractors: [L]}\n"
A, B, C = (CHOICE.replace("ID", name) for name in "abc")


def item(line: str) -> str:
    return f"  - id: x\n    kind: choice\n{line}    key: K\n    distractors: [L]\n"


BROKEN = [
    ("    stem: What does `a: b` do?\n", "6:23", "a second `: ` here"),
    ("    stem: [one, two\n", "6:11", "list [ not closed"),
    ('    stem: "S\n', "6:11", "quote not closed"),
    ("   stem: S\n", "6:4", "wrong indentation"),
]


@pytest.mark.parametrize(("line", "place", "told"), BROKEN, ids=[told for _, _, told in BROKEN])
@pytest.mark.parametrize("behind", [B + C, ""], ids=["between others", "the last one"])
def test_the_others_are_there(bank_of: BankOf, line: str, place: str, told: str, behind: str) -> None:
    """With the one problem at the same place as alone, under the item's name."""
    loaded = bank_of(f"topic: t\nitems:\n{A}{item(line)}{behind}")
    assert list(loaded.required_bank.items) == (["a", "b", "c"] if behind else ["a"])
    (problem,) = loaded.errors
    assert f"{problem.location.line}:{problem.location.column}" == place
    assert told in problem.message
    assert problem.item_id == "x"


def test_two_broken_items_and_a_wrong_field_are_told_in_one_run(bank_of: BankOf) -> None:
    """Each once, whatever else the file says, and those of other files."""
    first, second = item("    stem: a: b\n"), item("    stem: [\n").replace("id: x", "id: y")
    wrong = B.replace("key: K", "kee: K")
    text = f"items:\n{first}{A}{second}{wrong}{C}\nsynonyms: {{a: [b]}}\n"
    loaded = bank_of(text, **{"other.yaml": "items:\n  - id: d\n    key: [x\n"})
    assert [(p.item_id, p.location.line) for p in loaded.errors] == [("x", 4), ("y", 10), ("b", 13), ("", 3)]
    assert list(loaded.required_bank.items) == ["a", "c"]


def test_what_is_broken_outside_the_items_is_told_as_before(bank_of: BankOf) -> None:
    loaded = bank_of(f"topic: a: b\nitems:\n{A}{B}")
    assert (loaded.bank, [p.location.line for p in loaded.errors]) == (None, [1])
    alone = bank_of("items:\n" + item("    stem: a: b\n"))
    assert (alone.bank, [p.location.line for p in alone.errors]) == (None, [4])


@pytest.mark.parametrize("faulty", [A.replace("key: K", "kee: K"), item("    stem: [one\n").replace("id: x", "id: a")])
@pytest.mark.parametrize("naming", ["key: K, distractors: [L], follow_ups: [a]", "from: a"])
def test_what_names_a_faulty_item_is_no_fault(bank_of: BankOf, faulty: str, naming: str) -> None:
    """`a` is in the bank; that it cannot be used is told at `a`."""
    loaded = bank_of(f"topic: t\nitems:\n{faulty}  - {{id: b, kind: choice, stem: S, {naming}}}\n{C}")
    assert {problem.item_id for problem in loaded.errors} == {"a"}
