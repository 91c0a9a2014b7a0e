"""Writes quizgen/cases/answer_words.txt anew from the example answers of the shipped banks: run it in the project's
folder after many answers or remarks have changed."""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from pathlib import Path

import yaml

from quizgen.cases.listening import split_sentences
from quizgen.cases.remarks import example_counts_by_word, words_and_pairs

HEAD = """\
# How often the words of remarks.txt, and its pairs of neighbouring words (joined by _), stand in the example answers of
# the text items of the shipped banks: first the number of sentences counted, then lines of a count and the words that have
# it. A pair that stands once is left out. tests/cases/count_answer_words.py writes this file.
"""


def example_sentences(banks: Path) -> list[str]:
    """The sentences of all example answers, each once."""
    items = (
        item
        for path in sorted(banks.glob("*/*.yaml"))
        for item in (yaml.load(path.read_bytes(), yaml.CSafeLoader) or {}).get("items", ())
    )
    texts = (one["text"] for item in items if "rubric" in item for one in item.get("answers", ()))
    return sorted({sentence for text in texts for sentence in split_sentences(text)})


def file_of_counts(sentences: list[str]) -> str:
    """The content of the file for these sentences."""
    counts = Counter(one for sentence in sentences for one in words_and_pairs(sentence))
    words_by_count: dict[int, list[str]] = defaultdict(list)
    for one in example_counts_by_word():
        if counts[one] >= (2 if " " in one else 1):
            words_by_count[counts[one]].append(one.replace(" ", "_"))
    rows = (
        textwrap.fill(
            f"{count}: {' '.join(sorted(words_by_count[count]))}",
            118,
            break_on_hyphens=False,
            subsequent_indent=f"{count}: ",
        )
        for count in sorted(words_by_count, reverse=True)
    )
    return f"{HEAD}{len(sentences)}\n" + "\n".join(rows) + "\n"


if __name__ == "__main__":
    Path("quizgen/cases/answer_words.txt").write_text(
        file_of_counts(example_sentences(Path("banks"))), encoding="utf-8"
    )
