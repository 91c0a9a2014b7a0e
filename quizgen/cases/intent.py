"""What a sentence of a candidate is for: an answer, or something that is wanted of the interviewer.

`intent_weights.txt` was learned from the example sentences of tests/cases/intents.jsonl. Words of the question, of the
facts and of the glossary count as "a word of the question" and so on, so that the examples hold for every case."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from quizgen.cases.remarks import expand_contractions, main_synonym

INTENTS: Final = (
    "answer", "ask", "done", "form", "help", "leave", "meaning", "recall", "remark", "repeat", "skip", "time", "wait",
)  # fmt: skip
INTENT_WEIGHTS_PATH: Final = Path(__file__).with_name("intent_weights.txt")
_WORD_PATTERN: Final = re.compile(r"[^\W_]+(?:'[^\W\d_]+)?")
_SPEAKER_PRONOUNS: Final = frozenset({"i", "me", "my", "you", "your", "we", "us", "our"})
MAX_ANSWER_SHARE: Final = 0.35  # share of an answer up to which a sentence may be no answer
_WORDS_PER_LENGTH_STEP: Final = 5  # words
_MAX_LENGTH_STEPS: Final = 4  # steps; longer sentences are alike
_MIN_MANY_CASE_WORDS: Final = 3


@dataclass(frozen=True, slots=True)
class CaseWords:
    """The stems of the words with content in the question on the screen, in the facts, and in the glossary."""

    question_stems: frozenset[str]
    fact_stems: frozenset[str]
    term_stems: frozenset[str]


def intent_features(sentence: str, case_words: CaseWords) -> frozenset[str]:
    """The features of a sentence: its words, its pairs of neighbouring words, and marks in angle brackets for its form.

    >>> sorted(intent_features("Which GPUs?", CaseWords(frozenset({"gpu"}), frozenset(), frozenset())))
    ['<?>', '<length 0>', '<nobody>', 'Q', 'Q $', '^ which', 'which', 'which Q']"""
    from quizgen.rubric.spelling import word_stem

    words = []
    for word in _WORD_PATTERN.findall(expand_contractions(sentence)):
        stem = word_stem(word)
        if word[0].isdigit():
            words.append("#")
        elif stem in case_words.question_stems:
            words.append("Q")
        elif stem in case_words.fact_stems:
            words.append("F")
        elif stem in case_words.term_stems:
            words.append("T")
        else:
            words.append(main_synonym(word) or stem)
    case_count = words.count("Q") + words.count("F")
    marks = {
        f"<length {min(_MAX_LENGTH_STEPS, len(words) // _WORDS_PER_LENGTH_STEP)}>": True,
        "<?>": sentence.rstrip().endswith("?"),
        "<? inside>": "?" in sentence.rstrip().rstrip("?"),
        "<nobody>": _SPEAKER_PRONOUNS.isdisjoint(words),
        "<you>": not {"you", "your"}.isdisjoint(words),
        "<quote>": bool(re.search(r"[\"“]", sentence)),
        "<no word of the case>": case_count == 0 and "#" not in words,
        "<many words of the case>": case_count >= _MIN_MANY_CASE_WORDS,
    }
    pairs = (f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True))
    return frozenset((*words, *pairs, *(mark for mark, holds in marks.items() if holds)))


def intent_shares(sentence: str, case_words: CaseWords) -> Mapping[str, float]:
    """How likely each of `INTENTS` is for a sentence; 1 in all."""
    weights = _weights_by_feature()
    known = [weights[one] for one in intent_features(sentence, case_words) if one in weights]
    size = math.sqrt(max(1, len(known)))
    sums = [bias + sum(row[n] for row in known) / size for n, bias in enumerate(weights["<bias>"])]
    powers = [math.exp(one - max(sums)) for one in sums]
    return {intent: power / sum(powers) for intent, power in zip(INTENTS, powers, strict=True)}


@cache
def _weights_by_feature() -> dict[str, tuple[float, ...]]:
    """`intent_weights.txt`: for each feature its weight for each of `INTENTS`."""
    text = INTENT_WEIGHTS_PATH.read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines() if "\t" in line)
    return {feature: tuple(int(one) / 10 for one in numbers.split()) for feature, numbers in rows}
