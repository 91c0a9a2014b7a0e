"""The text forms that people have: counted by hand in the shared documents, and in decks made here."""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command

from quizgen import bank as banks
from quizgen import cli
from quizgen.interchange import import_drafts, registry
from quizgen.interchange.contract import ImportResult
from quizgen.interchange.lines import join_neighbours

# By the beginning of the file's name: form, items in it, lines that were not understood.
SHARED = {
    "000": ("drill", 10, 2),
    "001": ("confidence", 89, 0),
    "002": ("solutions", 20, 2),
    "003": ("show-answer", 20, 239),
    "004": ("text", 15, 0),
}


@pytest.mark.parametrize("number", SHARED)
def test_the_shared_documents_are_found_whole(number: str, shared: Path) -> None:
    form, count, unread = SHARED[number]
    data = next((shared / "seeds").glob(f"{number}*")).read_bytes()
    assert import_drafts.guess_format(data, ".txt") == form
    read = registry.importer(form).read(data)
    assert len(read.items) == count
    assert len(read.unread) == unread
    assert all(item.stem and (item.model_answer or item.options) for item in read.items)


def test_the_shared_quiz_has_its_keys_reasons_and_bands(shared: Path) -> None:
    read = registry.importer("text").read(next((shared / "seeds").glob("004*")).read_bytes())
    keys = ["".join("ABCD"[n] for n, o in enumerate(item.options) if o.right) for item in read.items]
    assert "".join(keys) == "BCBBCDBBBBCBBBB"  # copied from the page by hand
    assert all(len(item.options) == 4 and item.rationale and not item.todo for item in read.items)
    assert [(band.start.numerator, band.start.denominator) for band in read.bands] == [
        (14, 15),
        (11, 15),
        (8, 15),
        (1, 3),
        (0, 1),
    ]


def of(form: str, text: str) -> ImportResult:
    return registry.importer(form).read(text.encode())


def test_a_deck_with_ratings_becomes_a_log_that_progress_reads(tmp_path: Path, command: Command) -> None:
    cards = [
        ("Sums", "Why carry?", "Ten does not fit one digit.", 4),
        ("Sums", "What is a carry?", "A digit for the next place.", 2),
    ]
    text = "".join(
        f"{n}\nQ\n\n{topic}: {stem}\n\nA\n\n{answer}\n\n  • and a point\nHow well did you know this? {level}\n1\nNot at all\n2\n3\n4\n5\nPerfectly\n"
        for n, (topic, stem, answer, level) in enumerate(cards, 1)
    )
    path = tmp_path / "deck.txt"
    path.write_text(text, encoding="utf-8")
    command("import", path, "-o", tmp_path / "deck")
    loaded = banks.load_bank(str(tmp_path / "deck"))
    assert not loaded.errors
    assert [item.topic for item in loaded.readable.items.values()] == ["Sums", "Sums"]
    said = command("progress", "--log", tmp_path / "deck" / "deck.ratings.jsonl").out
    assert "Sums" in said
    assert "3.0" in said
    assert cli.run(["score", str(tmp_path / "deck" / "deck.ratings.jsonl"), "--bank", str(tmp_path / "deck")]) in (0, 3)


def test_a_scale_that_nobody_marked_is_no_rating() -> None:
    deck = "1\nQ\n\nT: Why?\n\nA\n\nSo.\n\nHow well did you know this?\n1\nNot at all\n2\n3\n4\n5\nPerfectly\n"
    read = of("confidence", deck)
    assert (len(read.items), read.ratings, read.unread) == (1, (), ())
    marked = of("confidence", deck.replace("\n4\n", "\n4 ✓\n"))
    assert [(r.index, r.level) for r in marked.ratings] == [(0, 4)]


def test_aiken_and_numbered_quizzes_with_options_below_each_other() -> None:
    aiken = of("aiken", "What is 2 + 2?\nA. 3\nB. 4\nANSWER: B\n\nAnd 3 + 3?\nA) 6\nB) 7\nC) 8\nANSWER: D\n")
    assert [[o.right for o in item.options] for item in aiken.items] == [[False, True], [False, False, False]]
    assert aiken.items[1].todo == ('the key "D" fits no option: choose one',)
    quiz = of(
        "text",
        "## Question 1\n\nWhich?\n\na) one\nb) two\nc) three\n\n**Answer:** c\n**Explanation:** It is.\n\nSome prose here.\n\n## Question 2\n\nHow long?\n\nAnswer: 48 s\n",
    )
    assert [o.text for o in quiz.items[0].options] == ["one", "two", "three"]
    assert quiz.items[0].rationale == "It is."
    assert quiz.items[1].number is not None
    assert [(first, last) for first, last, _ in join_neighbours(quiz.unread)] == [(12, 12)]


def test_exercises_and_cards_with_tabs() -> None:
    exercises = of(
        "solutions",
        "Exercise 1. Add 2 and 3.\nSolution\nIt is 5.\n\nExercise 2. And 4?\nSolution\nIt is 9.\nBy counting.\n",
    )
    assert [(item.stem, item.model_answer) for item in exercises.items] == [
        ("Add 2 and 3.", "It is 5."),
        ("And 4?", "It is 9.\nBy counting."),
    ]
    cards = of("drill", "Front\tBack\nIs a? b?\tYes.\nWhy?\tSo.\n")
    assert [(item.stem, item.todo) for item in cards.items] == [("Is a? b?", ()), ("Why?", ())]
