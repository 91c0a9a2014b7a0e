"""Lists of questions as people write them in Markdown, Obsidian and Org: what is asked, what is answered, what is named."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from quizgen.interchange import import_drafts
from tests.interchange.made import keys, read

FENCE = "```"


def pairs(form: str, text: str) -> list[tuple[str, str]]:
    return [(item.stem, item.model_answer) for item in read(text.encode(), form).items]


# One question and its answer as people write them; each row is a list of two of its kind.
LISTS = yaml.safe_load(Path(__file__).with_name("question_lists.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", LISTS)
def test_questions_and_answers(row: str) -> None:
    expected = [("What is a heap?", "A tree in an array."), ("Why a trie?", "It shares prefixes.")]
    text = "".join(row.format(n=n, q=asked, a=answer) for n, (asked, answer) in enumerate(expected, 1))
    assert import_drafts.guess_format_name_or_raise(text.encode(), ".md") == "headings"
    assert pairs("headings", text) == expected
    assert not read(text.encode(), "headings").unread_lines


@pytest.mark.parametrize(
    ("answer", "key", "why"),
    [("**Answer: False** (It has one.)", "False", "It has one."), ("**Answer:** true", "True", ""),
     ("Answer: True. It is read once.", "True", "It is read once."), ("Answer: False alarms are rare", "", "")],
)  # fmt: skip
def test_true_or_false_is_a_choice(answer: str, key: str, why: str) -> None:
    text = f"- **Question 1**: A tree has a root.\n\n  {answer}\n\n- **Question 2**: Why?\n\n  A.\n"
    first, _ = read(text.encode(), "headings").items
    assert (keys(first), first.rationale) == ([key] if key else [], why)


def test_an_answer_keeps_its_code_lists_and_headings() -> None:
    text = (
        f"## Python\n\n### What prints?\n\n{FENCE}python\nif x:\n    print(x)\n{FENCE}\n\n- one\n  - inside\n\n"
        "#### Example\n\nMore.\n\n### What else?\n\nNo.\n"
    )
    first, second = read(text.encode(), "headings").items
    assert first.model_answer == text.partition("What prints?\n\n")[2].partition("\n\n### What else?")[0]
    assert (first.topic, second.stem, second.topic) == ("Python", "What else?", "Python")


def test_code_in_an_answer_is_no_question() -> None:
    text = f"### What is a comment?\n\n{FENCE}sh\n# Why so?\n{FENCE}\n\n### What is a shell?\n\nA program.\n"
    assert [stem for stem, _ in pairs("headings", text)] == ["What is a comment?", "What is a shell?"]


@pytest.mark.parametrize(
    ("text", "form", "stems", "unread"),
    [
        ("1. Which sorts?\nA) heap\nB) tree\n2. A trie is\nA) a tree\nB) a list\n\nAnswers:\n1. A\n2. A\n", "headings",
         ["Which sorts?", "A trie is"], [8, 9, 10]),
        ("1. Which sorts?\n a) heap\n*b) tree\n\n2. A trie is\n*a) a tree\n b) a list\n", "markdown",
         ["Which sorts?", "A trie is"], []),
        ("1. Which sorts?\na) heap\nb) tree\n\n2. Is a trie\na) a tree\nb) a list\n\nAnswers: B, A\n", "headings",
         ["Which sorts?", "Is a trie"], [9]),
        ("1. Which sorts?\n(A) heap (B) tree\n2. A trie is\n(A) a tree (B) a list\n\nAnswers: 1-A, 2-A\n", "headings",
         ["Which sorts?", "A trie is"], [6]),
        ("1. **What sorts?**\n   A heap.\n2. What is a `trie`?\n   - a tree\n3. **Why** sort?\n   To search.\n", "headings",
         ["What sorts?", "What is a `trie`?", "Why sort?"], []),
        ("1.\tA trie is\na.\ta tree\nb.\ta list\nAnswer: a\n2.\tA heap is\na.\ta tree\nb.\ta list\nAnswer: a\n", "text",
         ["A trie is", "A heap is"], []),
        ("A trie is\na) a tree\nb) a list\nANSWER: A\n\nA heap is\nA) a tree\nB) a list\nANSWER: a\n", "aiken",
         ["A trie is", "A heap is"], []),
        ("Trie\n?\nA tree.\n\nIt shares prefixes.\n\nHeap\n?\nA tree too.\n", "obsidian", ["Trie", "Heap"], [5]),
    ],
)  # fmt: skip
def test_no_question_is_lost_in_the_text_above_it(text: str, form: str, stems: list[str], unread: list[int]) -> None:
    """Nor are its options in its stem, nor the list of keys in an option."""
    assert import_drafts.guess_format_name_or_raise(text.encode(), ".md" if form == "obsidian" else ".txt") == form
    found = read(text.encode(), form)
    assert [item.stem for item in found.items] == stems
    assert [line for line, _ in found.unread_lines] == unread
    assert {len(item.options) for item in found.items} <= {0, 2}


@pytest.mark.parametrize(
    ("text", "rationale"),
    [("A. heap\nB. tree\nAnswer: B\nMost said B.\n", "Most said B."), ("a) heap\nb) tree\nAnswer: b) tree\n", ""),
     ("1) heap\n2) tree\nAnswer: 2\n", "")],
)  # fmt: skip
def test_a_key_is_a_letter_with_a_line_below_it_or_a_number_in_the_list(text: str, rationale: str) -> None:
    (item,) = read(f"1. Which has no cycle?\n{text}".encode(), "text").items
    assert (item.stem, keys(item), item.rationale) == ("Which has no cycle?", ["tree"], rationale)


def test_a_headline_that_asks_is_asked_and_a_deeper_one_before_it_is_no_topic() -> None:
    text = "* Trees\n** Why a heap? :drill:\nOf a scheduler.\n*** Answer\nIt sorts.\n** Note\n* Trie :drill:\nWhy?\n** Answer\nX.\n"
    items = read(text.encode(), "org-drill").items
    assert [(i.stem, i.topic) for i in items] == [("Why a heap?\n\nOf a scheduler.", "Trees"), ("Why?", "")]


OPTIONS = f"""###### 1. What is logged?

{FENCE}javascript
log(1 + "1");
{FENCE}

- A: `2`
- B:`"11"`
- C: Nothing

<details><summary><b>Answer</b></summary>
<p>

#### Answer: B

The number becomes a text,
<i>always</i>.

</p>
</details>

---

###### 2. Which sorts in place?

A) Heap sort
B) Merge sort

**Correct answer: A**

**Explanation:** It swaps within the array.

###### 3. Which is stable?

- A. Heap sort
- B. Merge sort
"""


def test_options_by_letters_with_the_answer_folded_away() -> None:
    found = read(OPTIONS.encode(), "headings")
    first, second, third = found.items
    assert import_drafts.guess_format_name_or_raise(OPTIONS.encode(), ".md") == "headings"
    assert first.stem == f'What is logged?\n\n{FENCE}javascript\nlog(1 + "1");\n{FENCE}'
    assert ([o.text for o in first.options], keys(first)) == (["`2`", '`"11"`', "Nothing"], ['`"11"`'])
    assert first.rationale == "The number becomes a text,\n*always*."
    assert (second.stem, keys(second)) == ("Which sorts in place?", ["Heap sort"])
    assert second.rationale == "It swaps within the array."
    assert (third.stem, len(third.options), third.todo) == ("Which is stable?", 2, ("no key is given: choose one",))
    assert not found.unread_lines


def test_what_is_said_behind_a_key_is_the_rationale() -> None:
    text = (
        "**1. Which sorts in place?**\n\nA. Heap sort\nB. Merge sort\n\n<details><summary>Answer</summary>\n\n**A**. It swaps.\n\n"
        "</details>\n\n**2. Which is stable?**\n\n- A) Heap sort\n- B) Merge sort\n\n**Answer:** B) Merge sort\n"
    )
    first, second = read(text.encode(), "headings").items
    assert (keys(first), first.rationale) == (["Heap sort"], "It swaps.")
    assert (keys(second), second.rationale) == (["Merge sort"], ""), "the option itself"


BOXES = f"""#### Q1. Which call prints?

- [ ] A

{FENCE}js
log()
{FENCE}

- [x] :

{FENCE}js
print()
{FENCE}

**Explanation:** `log` keeps it.

[Reference](https://example.org/print)

#### Q2. Which are even?
- [X] 2
- [ ] 3
- [x] 4
"""


def test_options_that_are_blocks_of_code() -> None:
    found = read(BOXES.encode(), "boxes")
    first, second = found.items
    assert not found.unread_lines
    assert [o.text for o in first.options] == [f"{FENCE}js\nlog()\n{FENCE}", f"{FENCE}js\nprint()\n{FENCE}"]
    assert [o.is_right for o in first.options] == [False, True]
    assert (first.stem, first.rationale) == ("Which call prints?", "`log` keeps it.")
    assert first.cited_source == "https://example.org/print"
    assert (second.stem, keys(second)) == ("Which are even?", ["2", "4"])


@pytest.mark.parametrize("mark", ["-", "*", "+", "1."])
def test_boxes_behind_any_mark_of_a_list(mark: str) -> None:
    (item,) = read(f"Which is a heap?\n{mark} [x] a tree\n{mark} [ ] a list\n".encode(), "boxes").items
    assert (item.stem, keys(item), len(item.options)) == ("Which is a heap?", ["a tree"], 2)


def test_a_list_of_boxes_without_a_cross_has_no_key() -> None:
    """It is an item with a todo, and its heading is no topic of the items below."""
    text = BOXES.replace("- [X] 2", "- [ ] 2").replace("- [x] 4", "- [ ] 4")
    _, second, third = read(f"{text}\n#### Q3. Which is odd?\n- [x] 3\n- [ ] 2\n".encode(), "boxes").items
    assert second.todo == ("the source gives no key: choose one",)
    assert third.topic == ""


def test_a_card_of_two_sides_is_asked_from_the_first() -> None:
    text = "Heap:::A tree in an array\n\nTrie\n??\n```\na tree\n```\n"
    assert pairs("obsidian", text) == [("Heap", "A tree in an array"), ("Trie", "```\na tree\n```")]
    todo = "it is asked from both sides in the source: here from the first"
    assert {item.todo for item in read(text.encode(), "obsidian").items} == {(todo,)}


CARDS = {  # the format, what is read, and what is not understood
    "obsidian": (
        "---\ntags: [flashcards]\n---\n\nHeap of `a::b`: when?::A tree in an <kbd>array</kbd>\n<!--SR:!2026-01-01,3,250-->\n\n"
        "Trie\n?\nA tree of  \nprefixes\n\nA {{c1::stack}} is last in, ==first out==.\n\nNo card at all.\n",
        [("Heap of `a::b`: when?", "A tree in an `array`"), ("Trie", "A tree of  \nprefixes"),
         ("A […] is last in, first out.", "stack"), ("A stack is last in, […].", "first out")],
        [(15, "No card at all.")],
    ),
    "headings": (
        "Q: What is a heap?\nA: A tree\nin an array.\n\nC: A [stack] is last in, [first out].\n",
        [("What is a heap?", "A tree\nin an array."), ("A […] is last in, first out.", "stack"),
         ("A stack is last in, […].", "first out")],
        [],
    ),
    "org-drill": (
        "#+TITLE: Trees\n* Trees\n** Heap :drill:\n:PROPERTIES:\n:ID: 1\n:END:\nWhat is a heap?\n*** Answer\nA tree in an "
        "array.\n** Cloze :drill:\nA [stack] is last in.\n** A note\nNot a card.\n",
        [("What is a heap?", "A tree in an array."), ("A […] is last in.", "stack")],
        [(13, "Not a card.")],
    ),
}  # fmt: skip


@pytest.mark.parametrize("form", CARDS)
def test_cards_with_gaps(form: str) -> None:
    """Of Obsidian, hashcards and Org, whose heading is the topic."""
    text, expected, unread = CARDS[form]
    assert import_drafts.guess_format_name_or_raise(text.encode(), ".org" if form == "org-drill" else ".md") == form
    assert pairs(form, text) == expected
    found = read(text.encode(), form)
    assert list(found.unread_lines) == unread
    assert {item.topic for item in found.items} == {"Trees" if form == "org-drill" else ""}


@pytest.mark.parametrize(
    "text",
    [
        "# Notes\n\nA heap is a tree.\n\n## More\n\nNothing is asked here.\n",
        "# Notes\n\n**What is a heap?**\n\n$A^{T}A$ is none.\n\n**Why a trie?**\n\nIt shares prefixes.\n",
        "# Readme\n\n## Install\n\npip install x\n\n## Why?\n\nBecause.\n" + "A long text without a question.\n\n" * 40,
    ],
)
def test_prose_is_no_list_of_questions(text: str) -> None:
    with pytest.raises(import_drafts.CannotRead):
        import_drafts.guess_format_name_or_raise(text.encode(), ".md")
