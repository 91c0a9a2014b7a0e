"""The small decks of shared/decks, each of which showed a fault, as the texts beside them say what is right.

Their classes are tried with texts of our own in the files beside this one. And the text forms that people have:
counted by hand in the shared documents, and in decks made here.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from shipped import Command

from quizgen import bank as banks
from quizgen.draw import SeededRng
from quizgen.interchange import import_drafts, registry
from quizgen.interchange.contract import CannotRead, ImportResult
from quizgen.model import Outcome
from tests.interchange.made import Import, read

# By the beginning of a file's name: the format that is guessed, and of each item its stem's beginning, its keys (or
# what is accepted, or how the model answer begins) and how its todo list begins.
DECKS: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "01": ("boxes", [("Which is a queue", "First in, first out", 'the option "Last in'),
     ("Which is a st", "Last in, first out", "")]),
    "03": ("qti", [("Give a root", "7 +- 0", '"-7" is right'), ("What is the sk", "0 +- 0.1", ""),
     ("How many", "12 +- 0.5", "")]),
    "04": ("qti", [("Which struc", "A hash table", '"A sorted list" earned 50 %'),
     ("Which are sorts", "Merge sort|Heap sort", ""), ("How many rep", "12 +- 2", "10 to 14 is right")]),
    "06": ("gift", [("How many pips", "7 +- 0", '"14:0" is right in the source too'), ("Two is even", "True", "")]),
    "07": ("gift", [("Which of these work", "All of the above", "")]),
    "09": ("qti", [("Which colour does $x^{2}$", "Blue", "")]),
    "11": ("boxes", [("Which call prints", "```js\nconsole.log()\n```", "")]),
    "13": ("moodle", [("How long is the track", "2.5 +- 0.1", "")]),
    "15": ("markdown", [("Name the first", "Mercury|planet Mercury|Hermes", ""), ("What is the mean", "0 +- 0.1", "")]),
    "17": ("xlsx", [("Which sort is", "Merge sort", ""), ("Which are even", "2|4", ""), ("What is 2+2", "4", "")]),
    "18": ("csv", [("What is a mutex", "A lock", ""), ("What is a semaphore", "A counter, that", "")]),
    "19": ("headings", [("What is overfitting", "The model learns", ""), ("Why use dropout", "It regularises", "")]),
    "20": ("headings", [("What does this log?\n\n```java", "`object`", ""), ("Which is falsy", "`0`", "")]),
    "21a": ("headings", [("What is a hash table", "A map from", ""), ("What is a B-tree", "A balanced tree", "")]),
    "21b": ("headings", [("What is a p-value", "The chance", ""), ("What is bagging", "Averaging models", "")]),
    "21c": ("headings", [("What is CAP", "A network partition", ""), ("What is sharding", "Splitting data", "")]),
    "22a": ("json", [("Which is even", "2", ""), ("Give pi", "3.14 +- 0", "it is compared to 2 digits in the source")]),
    "22b": ("json", [('What does "CPU"', "Central Processing Unit", ""), ("RAM keeps", "False", "")]),
    "22c": ("org-drill", [("What does FIFO", "First in, first out", "")]),
    "22d": ("obsidian", [("What is gradient", "Bounding the norm", ""),
     ("What is batch norm", "Normalising activations by batch statistics\nthen", ""), ("The […] turns", "softmax", ""),
     ("The softmax", "probabilities", "")]),
    "23": ("r-exams", [("Which is prime", "7", "")]),
    "24": ("gift", [("Match the", capital, "it was one of 3 rows") for capital in ("Oslo", "Santiago", "Nairobi")]),
    "26": ("moodle", [("Name an optim", "*adam*", "")]),
    "27": ("anki-tsv", [("What is a softmax", "$\\frac{e^{z_i}}", "")]),
    "28": ("boxes", [("What does the picture", "A dot", ""), ("Which call", "```js\nconsole", ""),
     ("Which do you", "two|three", "")]),
    "29": ("csv", [("How many seconds", "180 +- 0", ""), ("How long is", "180 +- 1.8", ""),
     ("Convert", "2000 +- 20", "")]),
}  # fmt: skip


def found(decks: Path, number: str) -> Path:
    path = next(p for p in sorted(decks.iterdir()) if p.name.startswith(number) and not p.name.endswith(".right.txt"))
    return next(path.glob("*.md")) if path.is_dir() else path


@pytest.mark.parametrize("number", DECKS)
def test_a_deck_is_read_as_is_right_and_can_be_used(
    number: str, shared: Path, tmp_path: Path, command: Command
) -> None:
    path = found(shared / "decks", number)
    form, expected = DECKS[number]
    data = path.read_bytes()
    assert import_drafts.guess_format(data, path.suffix.lower()) == form
    got = read(data, form)
    assert len(got.items) == len(expected)
    for item, (stem, answer, todo) in zip(got.items, expected, strict=True):
        number_ = item.number and f"{float(item.number.value):g} +- {float(item.number.margin):g}"
        keys = "|".join(option.text for option in item.options if option.is_right)
        assert item.stem.startswith(stem)
        assert (number_ or keys or "|".join(item.accepts) or item.model_answer).startswith(answer)
        assert next(iter(item.todo), "").startswith(todo)
        assert bool(item.todo) == bool(todo)
    command("import", path, "-o", tmp_path / "bank", "--active")
    loaded = banks.load_bank(str(tmp_path / "bank"))
    assert not loaded.errors
    assert len(loaded.required_bank.items) == len(expected)
    nothing_to_score = number == "27"  # its one answer is a formula, and nobody wrote a rubric
    command("mock", tmp_path / "bank", "--plain", "--log", tmp_path / "log.jsonl", code=2 if nothing_to_score else 0)


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
    items = banks.load_bank(str(bank)).required_bank.items
    asked = next(name for name in items if name.startswith(_ASKED.get(number, "")))
    variant = items[asked].draw(SeededRng(asked, "1"))
    assert [variant.score(text).outcome is Outcome.CORRECT for text in (right, wrong)] == [True, False]


_ASKED = {"04": "how-many", "03": "what-is-the-skew", "29": "how-long"}  # of several items the one that is answered


@pytest.mark.parametrize(
    ("number", "why"),
    [("08", "not a known format"), ("02", "an item file of quizgen"), ("14", "quizgen check FILE")],
)
def test_what_is_no_deck_is_refused_with_a_reason(number: str, why: str, shared: Path) -> None:
    """08 are notes with two bold lines and a formula: no GIFT, and too little to be a list of questions."""
    path = found(shared / "decks", number)
    with pytest.raises(CannotRead, match=why):
        import_drafts.guess_format(path.read_bytes(), path.suffix)


def test_the_picture_comes_along(shared: Path, tmp_path: Path, command: Command) -> None:
    command("import", found(shared / "decks", "28"), "-o", tmp_path / "bank")
    assert (tmp_path / "bank" / "pic.png").is_file()
    command("check", tmp_path / "bank")


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
    keys = ["".join("ABCD"[n] for n, o in enumerate(item.options) if o.is_right) for item in read.items]
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
    assert [item.topic for item in loaded.required_bank.items.values()] == ["Sums", "Sums"]
    said = command("progress", "--log", tmp_path / "deck" / "deck.ratings.jsonl").out
    assert "Sums" in said
    assert "3.0" in said


def test_a_scale_that_nobody_marked_is_no_rating() -> None:
    deck = "1\nQ\n\nT: Why?\n\nA\n\nSo.\n\nHow well did you know this?\n1\nNot at all\n2\n3\n4\n5\nPerfectly\n"
    read = of("confidence", deck)
    assert (len(read.items), read.ratings, read.unread) == (1, (), ())
    marked = of("confidence", deck.replace("\n4\n", "\n4 ✓\n"))
    assert [(r.index, r.level) for r in marked.ratings] == [(0, 4)]


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
    assert quiz.items[1].number is not None
    assert [(first, last) for first, last, _ in import_drafts.runs_of_lines(quiz.unread)] == [(12, 12)]


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
