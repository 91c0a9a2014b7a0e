"""Files that were made to mislead, overload or crash: refused with a place, or read as written."""

from __future__ import annotations

import csv
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shipped import BankOf

from quizgen import bank as banks
from quizgen import cli
from quizgen.source import yaml
from quizgen.source.problems import Document

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

# (what, text replaced, by what, line of the problem, words of its message)
REFUSED = [
    ("python tag", "key: Four", "key: !!python/object/apply:os.system [id]", 6, "tag !!python"),
    ("local tag", "key: Four", "key: !Foo Four", 6, "tag !Foo"),
    ("core tag", "key: Four", "key: !!str Four", 6, "tag !!str"),
    ("anchor", "key: Four", "key: &a Four", 6, "anchor &a"),
    ("anchored list", "distractors:", "distractors: &a", 7, "anchor &a"),
    ("tagged list", "distractors:", "distractors: !!seq", 7, "tag !!seq"),
    ("alias", "key: Four", "key: *a", 6, "alias *a"),
    ("merge key", "key: Four", "key: Four\n    <<: {difficulty: 1}", 7, "merge key"),
    ("duplicate key", "key: Four", "key: Four\n    key: Five", 7, 'duplicate key "key"'),
    ("second document", "source: Peano", "source: x\n---\nz: Peano", 15, "second document"),
    ("deep nesting", "key: Four", "key: " + "[" * 3000, 6, "nested too deep"),
    ("deep nesting that closes", "key: Four", "key: " + "[" * 3000 + "]" * 3000, 6, "nested too deep"),
    ("deep mappings on lines", "key: Four", "key:\n" + "      [{a:\n" * 700, 12, "nested too deep"),
    ("complex key", "key: Four", "? [a]\n    : Four", 6, "a key must be text"),
    ("unclosed quote", "key: Four", 'key: "Four', 6, "quote not closed"),
    ("tab", "    key: Four", "\tkey: Four", 6, "a tab cannot indent"),
    ("control escape", "key: Four", 'key: "\\0"', 6, "control character U+0000"),
    ("escape character", "key: Four", 'key: "\\e[2J"', 6, "control character U+001B"),
    ("bidi override", "key: Four", "key: a\u202eb", 6, "U+202E"),
    ("lone surrogate", "key: Four", 'key: "\\uD800"', 6, "surrogate"),
    ("no-break space", "    key: Four", "   \u00a0key: Four", 6, "no-break space"),
    ("full-width colon", "key: Four", "key： Four", 6, "U+FF1A"),
    ("unknown field", "key: Four", "kye: Four", 6, 'did you mean "key"?'),
    ("field of another program", "key: Four", "answer: Four", 6, 'did you mean "key"?'),
    ("an id like an option", "id: q1", "id: --help", 3, "may not begin with -"),
    ("unknown kind", "kind: choice", "kind: choise", 4, 'did you mean "choice"?'),
    ("include", "topic: sums", "include: /etc/passwd", 1, 'unknown field "include"'),
    ("missing key", "    key: Four\n", "", 3, "key is missing"),
    ("empty stem", "stem: What is two plus two?", "stem:", 5, "stem is empty"),
    ("list for text", "stem: What is two plus two?", "stem: [a]", 5, "must be text"),
    ("option twice", "- Three", "- Four", 8, "appears twice"),
    ("key twice", "key: Four", "key: [Four, Four]", 6, "appears twice"),
    ("list for an option", "- Three", "- [Three]", 8, "must be text"),
    ("no such item", "key: Four", "from: q0", 6, 'no item "q0" comes before this one'),
    ("distractor field", "because:", "becuase:", 10, 'did you mean "because"?'),
    ("many options", "- Three", "- Three\n" + "".join(f"      - o{n}\n" for n in range(40)), 7, "too many options"),
    ("id with capitals", "id: q1", "id: Q1", 3, "a-z, 0-9"),
    ("id as a path", "id: q1", "id: ../q1", 3, "a-z, 0-9"),
    ("difficulty", "difficulty: 1", "difficulty: 7", 12, "from 1 to 5"),
    ("huge number", "difficulty: 1", "difficulty: " + "9" * 5000, 12, "from 1 to 5"),
    ("negative seconds", "seconds: 20", "seconds: -5", 13, "above 0"),
    ("infinite points", "seconds: 20", "points: .inf", 13, "finite"),
    ("policy", "seconds: 20", "policy: most", 13, "unknown policy"),
    ("long text", "What is two", "x" * 70_000, 5, "too long"),
]


@pytest.mark.parametrize(("what", "old", "new", "line", "words"), REFUSED, ids=[r[0] for r in REFUSED])
def test_refused_with_its_place(tmp_path: Path, what: str, old: str, new: str, line: int, words: str) -> None:
    """A problem names the line, its message the cause, its hint the remedy."""
    path = tmp_path / "bank.d.yaml"
    path.write_bytes(GOOD.replace(old, new, 1).encode("utf-8", "surrogatepass"))
    problems = [p for p in banks.load_bank(str(path)).problems if p.severity == "error"]
    found = [p for p in problems if p.where.line == line and words in str(p)]
    assert found, [str(p) for p in problems]
    assert found[0].hint


@pytest.mark.parametrize(
    ("old", "new"), [("- Three", "- Four"), ("key: Four", "key: [Four, Four]"), ("key: Four", "from: q0")]
)
def test_an_item_without_options_that_differ_is_not_used(bank_of: BankOf, old: str, new: str) -> None:
    assert bank_of(GOOD.replace(old, new)).bank is None


# Values that YAML 1.1 would change; here they are the text that was written.
KEPT = ["no", "010", "12:30", "1e9", "1_000", "2026-11-21", "1.10", "~", "true", "0x1F", "=", ".nan", "yes"]


@pytest.mark.parametrize("text", KEPT)
def test_scalars_stay_what_they_look_like(tmp_path: Path, text: str) -> None:
    """An option is text, whatever YAML makes of it."""
    path = tmp_path / "kept.yaml"
    path.write_text(GOOD.replace("key: Four", f"key: {text}"), encoding="utf-8")
    loaded = banks.load_bank(str(path))
    assert not loaded.problems
    assert loaded.readable.items["q1"].keys == (text,)  # type: ignore[attr-defined]  # a choice item


def test_line_ends_do_not_change_the_digest(tmp_path: Path) -> None:
    """CRLF, CR and LF are one bank."""
    digests = set()
    for end in ("\n", "\r\n", "\r"):
        path = tmp_path / "x.yaml"
        path.write_bytes(GOOD.replace("\n", end).encode())
        digests.add(banks.load_bank(str(path)).readable.digest)
    assert len(digests) == 1


def test_all_problems_of_all_files_in_one_run(bank_of: BankOf) -> None:
    """One mistake never hides the next."""
    loaded = bank_of(
        """
        items:
          - id: a
            kind: choice
            stem: One?
            key: 1
            distractors: [2]
            dificulty: 2
          - id: b
            kind: choise
            stem: Two?
        """,
        **{"other.yaml": "items:\n  - id: c\n    kind: choice\n    stem: Three?\n    key: [x\n"},
    )
    told = [str(p).rpartition("/")[2] for p in loaded.problems]
    # The misspelt kind, and what an item of the kind that was meant lacks.
    assert [t.split(": ")[0] for t in told] == [
        "items.yaml:7:5", "items.yaml:8:5", "items.yaml:8:5", "items.yaml:9:11", "other.yaml:5:10"
    ], told  # fmt: skip


@pytest.mark.parametrize("kind", ["fifo", "link", "folder", "device"])
def test_odd_files_never_block(tmp_path: Path, kind: str) -> None:
    """A pipe, a link or a device in a bank's place is refused at once."""
    path = tmp_path / "odd.yaml"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "link":
        path.symlink_to("/etc/hostname")
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to("/dev/zero")
    loaded = banks.load_bank(str(tmp_path))
    assert loaded.bank is None
    assert loaded.problems


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_any_bytes_give_problems_or_a_tree(raw: bytes) -> None:
    """No bytes make the reader raise."""
    doc = Document("x.yaml")
    text = yaml.decode_utf8(raw, doc)
    if text is not None and yaml.parse_yaml(text, doc) is None:
        assert doc.problems or not text.strip() or text.lstrip().startswith(("#", "%", "---", "..."))


@settings(max_examples=200)
@given(st.text(alphabet="ab:-[]{}&*!|>'\"%@`#,? \n\t", max_size=120))
def test_any_markup_gives_problems_or_a_tree(text: str) -> None:
    """Nor do YAML's own marks in any order."""
    doc = Document("x.yaml")
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
