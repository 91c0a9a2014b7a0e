"""The small decks of shared/decks, each of which showed a fault, as the texts beside them say what is right.

Their classes are tried with texts of our own in the files beside this one. And the text forms that people have:
counted by hand in the shared documents, and in decks made here.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command, Golden, drawn

from quizgen import bank as banks
from quizgen.interchange import import_drafts
from quizgen.interchange.contract import CannotRead, ImportedItem, ImportResult
from quizgen.model import Outcome
from tests.interchange.made import Import, keys, read

NO_DECKS = {"08": "not a known format", "02": "an item file of quizgen", "14": "quizgen check FILE"}


def found(decks: Path, number: str) -> Path:
    path = next(p for p in sorted(decks.iterdir()) if p.name.startswith(number) and not p.name.endswith(".right.txt"))
    return next(path.glob("*.md")) if path.is_dir() else path


def key_of(item: ImportedItem) -> str:
    number = item.numeric_key and f"{float(item.numeric_key.value):g} +- {float(item.numeric_key.margin):g}"
    return number or "|".join(keys(item)) or "|".join(item.accepted_answers) or item.model_answer


def test_the_decks_are_read_and_can_be_used(shared: Path, tmp_path: Path, command: Command, golden: Golden) -> None:
    """A line for each item: the format that is guessed, the stem, the key, and what is to do, as the texts beside them ask."""
    lines = []
    numbers = sorted({path.name.partition("-")[0] for path in (shared / "decks").iterdir()} - {*NO_DECKS, "21", "22"})
    for number in numbers:
        path = found(shared / "decks", number)
        data = path.read_bytes()
        form = import_drafts.guess_format_name_or_raise(data, path.suffix.lower())
        items = read(data, form).items
        shown = (" | ".join((number, form, item.stem, key_of(item), *item.todo)) for item in items)
        lines += [line.replace("\n", "\\n") for line in shown]
        command("import", path, "-o", tmp_path / number, "--active")
        loaded = banks.load_bank(str(tmp_path / number))
        assert not loaded.errors
        assert len(loaded.required_bank.items) == len(items)
        nothing_to_score = number == "27"  # its one answer is a formula, and nobody wrote a rubric
        log = tmp_path / f"{number}.jsonl"
        command("mock", tmp_path / number, "--plain", "--log", log, code=2 if nothing_to_score else 0)
    golden("decks.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize(
    ("number", "right", "wrong"),
    [
        ("13", "2500 m", "2500 km"), ("04", "13", "7"), ("03", "-0.1", "0.2"), ("15", "Hermes", "Venus"),
        ("29", "180 s", "3 min"), ("26", "RAdam", "SGD"), ("02", "true", "TRUE"), ("14", "2.5 km", "2500 km"), ("09", "Blue", "Green"),
    ],
)  # fmt: skip
def test_responses_are_scored_as_there(number: str, right: str, wrong: str, shared: Path, imported: Import) -> None:
    path = found(shared / "decks", number)
    is_bank = path.suffix == ".yaml"  # as it stands
    bank = path if is_bank else imported(path.name, path.read_bytes(), "--active").bank
    loaded = banks.load_bank(str(bank))
    asked = next(name for name in loaded.required_bank.items if name.startswith(_ASKED.get(number, "")))
    variant = drawn(loaded, asked)
    assert [variant.score(text).outcome is Outcome.CORRECT for text in (right, wrong)] == [True, False]


_ASKED = {"04": "how-many", "03": "what-is-the-skew", "29": "how-long"}  # of several items the one that is answered


@pytest.mark.parametrize(("number", "why"), NO_DECKS.items())
def test_what_is_no_deck_is_refused_with_a_reason(number: str, why: str, shared: Path) -> None:
    """08 are notes with two bold lines and a formula: no GIFT, and too little to be a list of questions."""
    path = found(shared / "decks", number)
    with pytest.raises(CannotRead, match=why):
        import_drafts.guess_format_name_or_raise(path.read_bytes(), path.suffix)


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
    assert import_drafts.guess_format_name_or_raise(data, ".txt") == form
    found = read(data, form)
    assert (len(found.items), len(found.unread_lines)) == (count, unread)
    assert all(item.stem and (item.model_answer or item.options) for item in found.items)


def test_the_shared_quiz_has_its_keys_reasons_and_bands(shared: Path) -> None:
    found = read(next((shared / "seeds").glob("004*")).read_bytes(), "text")
    keys = ["ABCD"[n] for item in found.items for n, option in enumerate(item.options) if option.is_right]
    assert "".join(keys) == "BCBBCDBBBBCBBBB"  # copied from the page by hand
    assert all(len(item.options) == 4 and item.rationale and not item.todo for item in found.items)
    assert [str(band.min_share) for band in found.score_bands] == ["14/15", "11/15", "8/15", "1/3", "0"]


def of(form: str, text: str) -> ImportResult:
    return read(text.encode(), form)


def test_a_deck_with_ratings_becomes_a_log_that_progress_reads(tmp_path: Path, command: Command) -> None:
    card = "1\nQ\n\nSums: Why carry?\n\nA\n\nTen does not fit one digit.\n\n  • and a point\nHow well did you know this? 4\n1\nNot at all\n2\n3\n4\n5\nPerfectly\n"
    other = card.replace("1\nQ", "2\nQ").replace("Why carry?", "What is a carry?").replace("this? 4", "this? 2")
    path = tmp_path / "deck.txt"
    path.write_text(card + other, encoding="utf-8")
    command("import", path, "-o", tmp_path / "deck")
    loaded = banks.load_bank(str(tmp_path / "deck"))
    assert not loaded.errors
    assert [item.topic for item in loaded.required_bank.items.values()] == ["Sums", "Sums"]
    said = command("progress", "--log", tmp_path / "deck" / "deck.ratings.jsonl").out
    assert "Sums" in said
    assert "3.0" in said


def test_a_scale_that_nobody_marked_is_no_rating() -> None:
    deck = "1\nQ\n\nT: Why?\n\nA\n\nSo.\n\nHow well did you know this?\n1\nNot at all\n2\n3\n4\n5\nPerfectly\n"
    found = of("confidence", deck)
    assert (len(found.items), found.self_ratings, found.unread_lines) == (1, (), ())
    marked = of("confidence", deck.replace("\n4\n", "\n4 ✓\n"))
    assert [(r.item_index, r.confidence) for r in marked.self_ratings] == [(0, 4)]


def test_aiken_and_numbered_quizzes_with_options_below_each_other() -> None:
    aiken = of("aiken", "What is 2 + 2?\nA. 3\nB. 4\nANSWER: B\n\nAnd 3 + 3?\nA) 6\nB) 7\nC) 8\nANSWER: D\n")
    assert [[o.is_right for o in item.options] for item in aiken.items] == [[False, True], [False, False, False]]
    assert aiken.items[1].todo == ('the key "D" fits no option: choose one',)
    quiz = of(
        "text",
        "## Question 1\n\nWhich?\n\na) one\nb) two\nc) three\n\n**Answer:** c\n**Explanation:** It is.\n\nSome prose here.\n\n## Question 2\n\nHow long?\n\nAnswer: 48 s\n",
    )
    assert [o.text for o in quiz.items[0].options] == ["one", "two", "three"]
    assert quiz.items[0].rationale == "It is."
    assert quiz.items[1].numeric_key is not None
    assert [run[:2] for run in import_drafts.unread_runs_as_first_last_and_text(quiz.unread_lines)] == [(12, 12)]


def test_exercises_and_cards_with_tabs() -> None:
    text = "Exercise 1. Add 2 and 3.\nSolution\nIt is 5.\n\nExercise 2. And 4?\nSolution\nIt is 9.\nBy counting.\n"
    exercises = of("solutions", text)
    assert [item.stem for item in exercises.items] == ["Add 2 and 3.", "And 4?"]
    assert [item.model_answer for item in exercises.items] == ["It is 5.", "It is 9.\nBy counting."]
    cards = of("drill", "Front\tBack\nIs a? b?\tYes.\nWhy?\tSo.\n")
    assert [(item.stem, item.todo) for item in cards.items] == [("Is a? b?", ()), ("Why?", ())]
