"""Sheets without our headers, JSON, R/exams, pictures beside a file, and files that are known and not read."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from shipped import Command

from quizgen.interchange import import_drafts, registry
from quizgen.interchange.contract import CannotRead, ImportedItem, ImportResult, load_interchange_toml
from quizgen.portable_item import PortableItem
from quizgen.spreadsheet import sheet_xlsx_bytes
from tests.interchange.made import Import, keys, read


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_two_columns_without_headers(mark: str) -> None:
    text = f'What is a heap?{mark}A tree in an array\nWhy a trie?{mark}"It shares{mark} prefixes"\n'
    found = read(text.encode(), "csv")
    assert import_drafts.guess_format_name_or_raise(text.encode(), ".csv") in ("csv", "anki-tsv")
    assert [item.stem for item in found.items] == ["What is a heap?", "Why a trie?"]
    assert [item.model_answer for item in found.items] == ["A tree in an array", f"It shares{mark} prefixes"]


@pytest.mark.parametrize("header", ["Name,Answer", "Vokabel,Bedeutung", "Question,Answer,Name", "Front,Back,Answer"])
def test_headers_of_columns(header: str) -> None:
    """A name is the stem only where nothing else is."""
    found = read(f"{header}\nheap,a tree{',q1' * (header.count(',') - 1)}\n".encode(), "csv")
    assert [(item.stem, item.model_answer) for item in found.items] == [("heap", "a tree")]
    assert ("is empty: Answer" in found.messages[-1]) == ("Back" in header), "a second column for the answer"


def test_commas_and_tables_in_texts_part_no_cells() -> None:
    (first, _) = read(b'What is a heap, then?;"A\n\n|a|b|\n|-|-|"\nWhy a trie, then?;It shares, yes\n', "csv").items
    assert (first.stem, first.model_answer) == ("What is a heap, then?", "A\n\n|a|b|\n|-|-|")


def test_a_table_of_markdown() -> None:
    text = "# Trees\n\n| # | Question | Answer |\n|--:|:--|:--|\n| 1 | What is a heap? | `a \\| b` |\n\nThe end.\n"
    assert import_drafts.guess_format_name_or_raise(text.encode(), ".md") == "csv"
    found = read(text.encode(), "csv")
    assert [(item.stem, item.model_answer) for item in found.items] == [("What is a heap?", "`a | b`")]
    assert [line for line, _ in found.unread_lines] == [7]


def test_columns_are_named_by_the_command(imported: Import) -> None:
    rows = "1|What is a heap?|a tree|trees\n2|Why a trie?|It shares.|trees\n"
    made = imported("deck.txt", rows, "--columns", "id,front,back,topic").text
    assert "stem: What is a heap?" in made
    assert "topic: trees" in made
    said = imported("deck.txt", rows, "--columns", "one,two", code=3).err
    assert 'none of the columns "one, two" is a question' in said
    imported("deck.txt", rows, "--from", "gift", "--columns", "front,back", code=2)


@pytest.mark.parametrize(
    ("row", "right", "todo"),
    [
        ("Correct Answer,Wrong Answer 1,Wrong Answer 2\nb,a,c", ["b"], ()),  # the text b, not the second wrong answer
        ("Correct Answer,Distractor 1,Distractor 2\n2,1,3", ["2"], ()),
        ("Richtige Antwort,Falsche Antwort 1,Falsche Antwort 2\nRom,Oslo,Bern", ["Rom"], ()),
        ("Answer,Option A,Option B,Option C\nA,O,A,B", ["O"],
         ('the key "A" is read as a letter: is it the text of an option?',)),
        ("Answer,Option A,Option B,Option C\nA,A,B,O", ["A"], ()),
        ("Answer,Option 2,Option 3,Because 2,Because 3\nright,a,c,why a,why c", ["right"], ()),
    ],
)  # fmt: skip
def test_a_key_is_never_another_option_in_silence(row: str, right: list[str], todo: tuple[str, ...]) -> None:
    header, cells = row.split("\n")
    (item,) = read(f"Question,{header}\nWhich?,{cells}\n".encode(), "csv").items
    assert (keys(item), item.todo, len(item.options)) == (right, todo, 3)
    assert all(option.because in ("", f"why {option.text}") for option in item.options)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_tabs_below_headers_are_a_sheet(encoding: str) -> None:
    """As Excel saves "Unicode text": read as cards, option 1 was the answer of each."""
    data = "Question\tOption 1\tOption 2\tCorrect answer\nWhich?\tqueue\theap\t2\n".encode(encoding)
    assert import_drafts.guess_format_name_or_raise(data, ".txt") == "csv"
    assert [keys(item) for item in read(data, "csv").items] == [["heap"]]
    cards = "What is a heap?\ta tree\nWhy a trie?\tIt shares.\n".encode(encoding)
    assert import_drafts.guess_format_name_or_raise(cards, ".txt") == "anki-tsv"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("front,back\nheap,a tree, in an array\ntrie,a tree\n", "3 cells under 2 headers: heap | a tree | in an array"),
        ("| Question | Answer |\n|--|--|\n| $|x|$ of -3? | 3 |\n| of 3? | 3 |\n", "4 cells under 2 headers: $ | x | $ of -3? | 3"),
    ],
)  # fmt: skip
def test_a_row_of_more_cells_than_headers_is_not_understood(text: str, said: str) -> None:
    """What comes after the separator in a text was lost, and the answer with it."""
    found = read(text.encode(), "csv")
    assert [text for _, text in found.unread_lines] == [said]
    assert len(found.items) == 1


@pytest.mark.parametrize(
    ("cells", "margin", "todo"),
    [
        ("42 km,1%", 0.42, None),
        ("42 km,0.1 km", 0.1, None),  # was 1 %
        ("42,0.01", 0.01, "is read as an amount"),  # was 0.01 %
        ("42 km,5 s", 0.42, "cannot be read"),
    ],
)
def test_a_tolerance_is_a_share_or_an_amount(cells: str, margin: float, todo: str | None) -> None:
    (item,) = read(f"Question,Answer,Tolerance\nHow far?,{cells}\n".encode(), "csv").items
    assert float(item.numeric_key.value * item.numeric_key.relative_tolerance) == margin
    assert [str(todo) in text for text in item.todo] == [True] * bool(todo)


def kahoot(*rows: list[Any]) -> bytes:
    """The shape of Kahoot's template: notes, then headers that say how long a text may be."""
    answers = [f"Answer {n} - max 75 characters" for n in (1, 2, 3, 4)]
    last = ["Time limit (sec) – 5, 10, 20, 30", "Correct answer(s) - choose at least one"]
    header = ["", "Question - max 120 characters", *answers, *last]
    return sheet_xlsx_bytes([["", "A template"], [], ["", "Notes on it"], header, *([*map(str, row)] for row in rows)])


def test_kahoot() -> None:
    data = kahoot(
        [1, "Which is a queue?", "first in, first out", "last in, first out", "", "", 20, 1],
        [2, "Which are odd?", "7", "8", "9", "", 30, "1,3"],
        [3, "How many sides has a square?", "3", "2", "4", "", 5, "3"],
    )
    first, second, third = read(data, "xlsx").items
    assert (first.stem, keys(first), first.seconds) == ("Which is a queue?", ["first in, first out"], 20)
    assert keys(second) == ["7", "9"]
    assert keys(third) == ["3"], "as its text"
    assert third.todo == ('the key "3" is read as the text of an option: is it a place?',), "else it was 4"
    data = b"question,option a,option b,option c,answer\nWhich?,b,<i>c</i>,a,b\nAnd?,x,y,z,Option B\n"
    first, second = read(data, "csv").items
    assert keys(second) == ["y"], "the key is a header"
    doubt, html = first.todo
    assert ("is it a place?" in doubt, html) == (True, "it has HTML, which is shown as it is: write Markdown")


def test_quizizz() -> None:
    text = (
        "Question Text,Question Type,Option 1,Option 2,Option 3,Correct Answer,Time in seconds,Answer explanation\n"
        'Which are odd?,Checkbox,three,four,five,"1,3",30,They leave one.\n'
        "The capital of Chile?,Fill-in-the-Blank,Santiago,Santiago de Chile,,,20,\n"
    )
    first, second = read(text.encode(), "csv").items
    assert (keys(first), first.seconds, first.rationale) == (["three", "five"], 30, "They leave one.")
    assert second.accepted_answers == ("Santiago", "Santiago de Chile")


JUPYTER = """[
  {"question": "Which prints?", "type": "many_choice", "answers": [
    {"code": "print(1)", "correct": true}, {"answer": "log", "correct": false, "feedback": "That is no built-in."},
    {"answer": "print", "correct": true}]},
  {"question": "The acceleration of a fall?", "type": "numeric", "answers": [
    {"type": "range", "range": [9.7, 9.9], "correct": true, "feedback": "Yes."},
    {"type": "value", "value": 98.1, "correct": false, "feedback": "In dm."},
    {"type": "default", "feedback": "Look it up."}]},
  {"question": "Who wrote Emma?", "type": "string", "answers": [{"answer": "Austen", "correct": true}]}
]"""


def test_jupyterquiz() -> None:
    first, second, third = read(JUPYTER.encode(), "json").items
    assert keys(first) == ["```python\nprint(1)\n```", "print"]
    assert (float(second.numeric_key.value), float(second.numeric_key.margin)) == (9.8, 0.1)
    assert [(float(value), say) for value, say in second.numeric_key.mistakes] == [(98.1, "In dm.")]
    assert second.rationale == "Yes."
    assert second.todo == ("the feedback on any other number is not imported: Look it up.",)
    assert third.accepted_answers == ("Austen",)


def test_trivia() -> None:
    row = """{"response_code": 0, "results": [{"type": "multiple", "difficulty": "hard", "category": "Art", "question":
      "Who&#039;s &quot;D&uuml;rer&quot;?", "correct_answer": "A painter", "incorrect_answers": ["A &amp; B"]}]}"""
    (item,) = read(row.encode(), "json").items
    assert (item.stem, keys(item), item.options[1].text) == ('Who\'s "Dürer"?', ["A painter"], "A & B")
    assert (item.topic, item.difficulty) == ("Art", 3)


@pytest.mark.parametrize(
    ("row", "right"),
    [
        ({"type": "multiple_choice", "answers": ["a1", "b1", "c1"], "correct": "b1"}, ["b1"]),
        ({"choices": ["a1", "b1", "c1"], "answer": "B"}, ["b1"]),
        ({"options": {"A": "a1", "B": "b1"}, "correct_answer": "B"}, ["b1"]),
        ({"options": ["a1", "b1", "c1"], "correctIndex": 0}, ["a1"]),
        ({"options": ["a1", "b1", "c1"], "answer": 3}, ["c1"]),
        ({"options": ["a1", "b1", "c1"], "answer": [0, 2]}, ["a1", "c1"]),
        ({"options": ["0", "1", "2"], "correctIndex": 0}, ["0"]),
        ({"options": [4, 5, 0], "answer": 0}, ["0"]),
        ({"options": ["3", "4"], "answer": 4}, ["4"]),
        ({"options": ["A. a1", "B. b1"], "answer": "B"}, ["b1"]),
        ({"options": ["a1", "b1", "c1"], "answer": "0"}, ["a1"]),
        ({"options": ["a1", "b1", "c1"], "answer": ["a1", "c1"]}, ["a1", "c1"]),
        ({"answers": [{"text": 0, "isCorrect": False}, {"text": 1, "isCorrect": True}]}, ["1"]),
    ],
)
def test_objects_by_the_names_of_their_fields(row: dict[str, Any], right: list[str]) -> None:
    (item,) = read(json.dumps({"quiz": {"questions": [{"question": "Which?", **row}]}}).encode(), "json").items
    assert (keys(item), item.todo) == (right, ())


@pytest.mark.parametrize(
    ("name", "value", "todo"),
    [("time", 20000, "milliseconds?"), ("level", 7, 'difficulty "7" is out of range'), ("time", 20, None)],
)
def test_a_number_that_no_item_has_is_told(name: str, value: int, todo: str | None) -> None:
    (item,) = read(json.dumps([{"question": "Why?", "answer": "So.", name: value}]).encode(), "json").items
    assert [str(todo) in text for text in item.todo] == [True] * bool(todo)


def test_where_a_title_asks_the_text_answers() -> None:
    rows = [{"title": "What is a heap?", "text": "### What is a heap?\n\nA tree.", "level": "advanced"}]
    (item,) = read(json.dumps(rows).encode(), "json").items
    assert (item.stem, item.model_answer, item.difficulty, item.todo) == ("What is a heap?", "A tree.", 3, ())


def test_a_place_from_nought_is_not_the_text_of_another_option() -> None:
    rows = [{"question": "Which?", "options": ["2", "11", "0"], "correct_index": n, "hint": f"{n}"} for n in (0, 1, 2)]
    items = read(json.dumps(rows).encode(), "json").items
    assert [keys(item) for item in items] == [["2"], ["11"], ["0"]]
    assert items[0].todo == ('the key "0" is read as a place: is it the text of an option?',)


@pytest.mark.parametrize("key", [1, [1], "1"])
def test_a_place_that_could_count_from_nought_is_told(key: Any) -> None:
    row = {"question": "Which?", "options": ["a1", "b1", "c1"], "answer": key, "hint": "think", "extra": [1]}
    (item,) = read(json.dumps([row]).encode(), "json").items
    assert (keys(item), item.hints) == (["a1"], ("think",))
    assert item.todo == ("field extra is not imported: [1]", "its key is a position: does it count from 1?")


EXERCISE = """---
title: x
---

```{{r, echo = FALSE}}
n <- 7
```

Question
========
Which?

{answers}

Solution
========
Think.

{reasons}

Meta-information
================
exname: own
extype: {kind}
exsolution: {key}
{more}
"""
LIST = "Answerlist\n----------\n* two\n* four\n* five"


def exercises(kind: str, key: str, more: str = "", answers: str = "", reasons: str = "") -> ImportResult:
    text = EXERCISE.format(kind=kind, key=key, more=more, answers=answers, reasons=reasons)
    assert import_drafts.guess_format_name_or_raise(text.encode(), ".Rmd") == "r-exams", "no exercise with a solution"
    return read(text.encode(), "r-exams")


def exercise(*given: str, **more: str) -> ImportedItem:
    return exercises(*given, **more).items[0]


def test_r_exams() -> None:
    one = exercise("schoice", "010", answers=LIST, reasons=LIST.replace("two", "It is even."))
    assert (one.name_in_source, keys(one), one.options[0].because) == ("own", ["four"], "It is even.")
    assert one.todo == ("its R code is not run: write the values that it draws",)
    several = exercise("mchoice", "101", answers=LIST)
    assert (keys(several), several.credit_policy) == (["two", "five"], "all")
    drawn = exercise("mchoice", "101", "exshuffle: 2", LIST)
    assert "2 of its 3 options are drawn in the source: here all are shown" in drawn.todo
    number = exercise("num", "2.5", "extol: 0.1").numeric_key
    assert (float(number.value), float(number.margin)) == (2.5, 0.1)
    assert exercise("string", "Austen").accepted_answers == ("Austen",)
    ((_, why),) = exercises("cloze", "1|2").unread_lines
    assert why == '"own" is a cloze exercise, which has no equivalent here'
    assert "the number could not be read: add a formula" in exercise("num", "`r n`").todo


PICTURE = b"\x89PNG\r\n\x1a\n"


def test_a_picture_beside_the_file_comes_along(tmp_path: Path, imported: Import, command: Command) -> None:
    (tmp_path / "from" / "img").mkdir(parents=True)
    for path in ("from/img/dot.png", "secret.png"):
        (tmp_path / path).write_bytes(PICTURE)
    absent = ("img/gone.png", "https://example.org/x.png", "../secret.png")
    pictures = enumerate(("img/dot.png", *absent), 1)
    asked = "".join(f"### Q{n}. Which?\n\n![a dot]({path})\n\n- [x] a\n- [ ] b\n\n" for n, path in pictures)
    bank, made, _ = imported("from/quiz.md", asked)
    assert (bank / "img" / "dot.png").read_bytes() == PICTURE
    assert "![a dot](img/dot.png)" in made
    for path in absent:
        assert f"the picture {path} is not imported" in made
    assert {path.name for path in bank.rglob("*.png")} == {"dot.png"}
    command("check", bank)


@pytest.mark.parametrize(
    ("data", "suffix", "said"),
    [
        (b"// Numbas version: exam_results\n{}", ".exam", "a Numbas exam, which is not read"),
        (b'<qti-assessment-item xmlns="x"></qti-assessment-item>', ".xml", "QTI 3, which is not read: export QTI 2.1"),
        (b"%PDF-1.7\n%\xe2\xe3", ".pdf", "a PDF, which is not read"),
        (b"<!DOCTYPE html><html><body>Which?</body></html>", ".html", "a page of HTML, which is not read"),
        (b"\\begin{question}\nWhich?\n\\end{question}\n", ".Rnw", "R/exams in LaTeX, which is not read"),
        (b'{"cells": [], "nbformat": 4}', ".ipynb", "a Jupyter notebook, which is not read"),
        (
            b'```json\n[{"question": "Which?"}]\n```\n',
            ".json",
            "JSON in a block of Markdown, which is not read: delete",
        ),
        (b'{"question": "Which?"}\n{"question": "Why?"}\n', ".jsonl", "JSON Lines, which is not read: make one list"),
        (b"heap - a tree;trie - a tree too;", ".txt", "cards on one line"),
        (b"heap\ta tree\nin an array\n", ".txt", "cards with a tab, some on several lines"),
        (b"Nothing at all.\n", ".txt", "not a known format"),
    ],
)
def test_a_refusal_says_what_the_file_seems_to_be(data: bytes, suffix: str, said: str) -> None:
    with pytest.raises(CannotRead) as refused:
        import_drafts.guess_format_name_or_raise(data, suffix)
    assert said in str(refused.value)
    assert "quizgen import --list" in str(refused.value)


def test_the_formats_are_listed(root: Path, command: Command) -> None:
    """`--list`, the table and docs/interchange.md name the formats that there are, each with its ways and losses."""
    listed = [line.split()[0] for line in command("import", "--list").out.splitlines()]
    rows = load_interchange_toml("formats")
    assert listed == list(rows)
    assert {name for name, row in rows.items() if "in" in row} == set(registry.IMPORTER_LOCATION_BY_FORMAT)
    assert {name for name, row in rows.items() if "out" in row} == set(registry.EXPORTER_LOCATION_BY_FORMAT)
    page = (root / "docs" / "interchange.md").read_text("utf-8")
    carries = {name: registry.load_exporter(name).supported_content for name in registry.EXPORTER_LOCATION_BY_FORMAT}
    parts = sorted(PortableItem(id="", kind="", stem="", points=Fraction(1), seconds=0).content_by_name())
    nowhere = [part for part in parts if not any(part in carried for carried in carries.values())]
    assert f"No format carries {', '.join(nowhere)}." in page
    for name, row in rows.items():
        lost = [part for part in parts if name in carries and part not in carries[name] and part not in nowhere]
        what = row["what"].replace("|", "\\|").replace("<summary>", "`<summary>`")
        cells = (f"`{name}`", what, row.get("in", ""), row.get("lost", ""), row.get("out", ""), ", ".join(lost))
        assert f"| {' | '.join(cells)} |" in page, "a row of the table of formats"
