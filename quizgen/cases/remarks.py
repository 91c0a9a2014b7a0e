"""Remarks about the conversation itself, by kind: examples, and the interviewer's reply to a text like them."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

IN_OTHER_WORDS_REPLY: Final = "{in_other_words}"
FORM_REPLY: Final = "{form}"
EITHER_REPLY: Final = "Either is fine: say which you take."


@dataclass(frozen=True, slots=True)
class Remark:
    """A block of `remarks.txt`: the intents of a sentence that may get the reply, the interviewer's reply with
    placeholders, example sentences, and the reply beside an answer."""

    intents: tuple[str, ...]
    reply: str
    examples: str
    reply_with_answer: str = ""


NO_REMARK: Final = Remark((), "", "")
_BESIDE_PREFIX: Final = "beside:"  # in front of the reply beside an answer
# The end of a reply that asks the question again, which an answer in the same breath makes needless.
_QUESTION_AGAIN_PATTERN: Final = re.compile(r"[^.;?!]*\{(?:question|whole|in_other_words)\}")


@cache
def _remark_blocks() -> tuple[tuple[str, str], ...]:
    """The blocks of `remarks.txt`, each as its first line and the rest."""
    text = Path(__file__).with_name("remarks.txt").read_text(encoding="utf-8")
    lines = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    return tuple((head, rest) for head, _, rest in (block.partition("\n") for block in lines.strip().split("\n\n")))


def word_rows_of_block(name: str) -> tuple[list[str], ...]:
    """The words of the block `name:` of `remarks.txt`, one list for each line.

    >>> ["board", "whiteboard"] in word_rows_of_block("same")
    True"""
    return tuple(row.split() for head, rest in _remark_blocks() if head == f"{name}:" for row in rest.splitlines())


@cache
def remarks() -> tuple[Remark, ...]:
    """All kinds of remarks: the blocks with a reply. The first line may be the reply beside an answer; the others are
    examples."""
    made = []
    for head, rest in _remark_blocks():
        intents, colon, reply = head.partition(": ")
        first, _, others = rest.partition("\n")
        beside, examples = without_question(reply), rest
        if first.startswith(_BESIDE_PREFIX):
            beside, examples = first.removeprefix(_BESIDE_PREFIX).strip(), others
        if colon:
            made.append(Remark(tuple(intents.split()), reply, examples.replace("\n", " "), beside))
    return tuple(made)


def reply_beside_answer(reply: str) -> str:
    """The form of a reply beside an answer: it asks no question again. Empty for silence.

    >>> reply_beside_answer("I am here and hear you well. I asked: {question}"), reply_beside_answer("Take your time.")
    ('I am here and hear you well.', '')"""
    known = (one.reply_with_answer for one in remarks() if one.reply == reply)
    return next(known, without_question(reply))


def without_question(reply: str) -> str:
    """A reply without the words that ask the question again."""
    return _QUESTION_AGAIN_PATTERN.sub("", reply).strip()


@cache
def _main_synonym_by_word() -> dict[str, str]:
    """Words with the same meaning: word -> the word that stands for it."""
    return {word: row[0] for row in word_rows_of_block("same") for word in row}


_CONTRACTIONS: Final = (
    (r"\bgimme\b", "give me"), (r"\bcan(?:not|'t)\b", "can not"), (r"n't\b", " not"), (r"'m\b", " am"),
    (r"'re\b", " are"), (r"'ve\b", " have"), (r"'ll\b", " will"), (r"'d\b", " would"),
    (r"\b(what|that|it|there|how|where|who|here|let|someone)'s\b", r"\1 is"),
)  # fmt: skip
_WORD_PATTERN: Final = re.compile(r"[^\W_]+(?:-[^\W\d_]+)*")
EXAMPLE_COUNT: Final = 1000  # about as many as there are
_PAIR_WEIGHT: Final = 0.6  # weight of two neighbouring words beside that of one
_UNKNOWN_WORD_WEIGHT: Final = 0.6  # weight of a word that no example has
_VOTING_EXAMPLE_COUNT: Final = 15  # examples that vote
_VOTE_EXPONENT: Final = 2  # makes a near example count more than several far ones
_KIND_SIZE_EXPONENT: Final = 0.7  # exponent of the number of its examples by which the words of a kind count less
_KIND_WEIGHT: Final = 5  # weight of all examples of a kind together beside that of the nearest
MIN_SAME_LIKENESS: Final = 0.9
MAX_SHORT_REMARK_WORDS: Final = 2  # words
LIKENESS_SLIGHT: Final = 0.4


@lru_cache(maxsize=4096)
def nearest_remark(text: str, intent: str) -> tuple[Remark, float]:
    """The kind of remark for an intent that a text resembles most, by a vote of the nearest examples and of all words
    of a kind, and the likeness to the nearest example of that kind, from 0 to 1; `NO_REMARK` if no example shares a
    word. A very short text must have all words of an example: "They wait" is none.

    >>> remark, likeness = nearest_remark("Could you say that question once more?", "repeat")
    >>> remark.reply, likeness > 0.5
    ('{whole}', True)"""
    weights, examples = _word_weights_and_examples()
    words = words_and_pairs(text)
    length = math.hypot(*(weights.get(one, _UNKNOWN_WORD_WEIGHT * _word_weight(one, 1)) for one in words))
    alike = [
        (sum(weights[one] ** 2 for one in shared) / (length * size), place)
        for place, own, size in examples
        if intent in remarks()[place].intents and (shared := words & own)
    ]
    if not alike:
        return NO_REMARK, 0.0
    votes = _votes_of_nearest(alike)
    for place, fit in _fit_by_remark_number(words).items():
        if intent in remarks()[place].intents:
            votes[place] += _KIND_WEIGHT * fit
    nearest, place = max(alike)
    winner = place if nearest >= MIN_SAME_LIKENESS else max(votes, key=votes.__getitem__)
    likeness = max((likeness for likeness, place in alike if place == winner), default=0.0)
    short = len(text.split()) <= MAX_SHORT_REMARK_WORDS and likeness < MIN_SAME_LIKENESS
    return remarks()[winner], likeness * (0.5 if short else 1)


def _votes_of_nearest(alike: Sequence[tuple[float, int]]) -> dict[int, float]:
    """The votes of the most like of the examples, each with its likeness and the number of its remark; 1 in all."""
    near = heapq.nlargest(_VOTING_EXAMPLE_COUNT, alike)
    total = sum(likeness**_VOTE_EXPONENT for likeness, _ in near)
    votes: dict[int, float] = defaultdict(float)
    for likeness, place in near:
        votes[place] += likeness**_VOTE_EXPONENT / total
    return votes


def _fit_by_remark_number(words: Set[str]) -> dict[int, float]:
    """How well the words fit all examples of a remark together, by the number of the remark; 1 in all."""
    weights = _word_weights_and_examples()[0]
    fits = {
        place: sum(weights[one] ** 2 * shares[one] for one in words if one in shares)
        for place, shares in _word_shares_by_remark().items()
    }
    total = sum(fits.values())
    return {place: fit / total for place, fit in fits.items()}


@cache
def _word_shares_by_remark() -> dict[int, dict[str, float]]:
    """For each remark, by its number, how often its examples have a word or a pair, less for a remark with many."""
    size = Counter(place for place, _, _ in _word_weights_and_examples()[1])
    made: dict[int, dict[str, float]] = {place: defaultdict(float) for place in size}
    for place, words, _ in _word_weights_and_examples()[1]:
        for one in words:
            made[place][one] += size[place] ** -_KIND_SIZE_EXPONENT
    return made


def _word_weight(word_or_pair: str, example_count: int) -> float:
    """The weight of a word or a pair of words that so many of the examples have: rare ones weigh more."""
    return math.log(1 + EXAMPLE_COUNT / example_count) * (_PAIR_WEIGHT if " " in word_or_pair else 1.0)


@cache
def _word_weights_and_examples() -> tuple[dict[str, float], list[tuple[int, frozenset[str], float]]]:
    """The weights of all words and pairs; and each example as the number of its remark, its words, and its length."""
    rows = [
        (place, words_and_pairs(example))
        for place, remark in enumerate(remarks())
        for example in re.split(r"(?<=[.?])\s+", remark.examples)
    ]
    counts = Counter(one for _, words in rows for one in words)
    weights = {one: _word_weight(one, count) for one, count in counts.items()}
    return weights, [(place, words, math.hypot(*(weights[one] for one in words))) for place, words in rows]


def expand_contractions(text: str) -> str:
    """A text in small letters with its contractions written out.

    >>> expand_contractions("What’s that? I can't say.")
    'what is that? i can not say.'"""
    plain = text.casefold().replace("’", "'")
    for shape, full in _CONTRACTIONS:
        plain = re.sub(shape, full, plain)
    return plain


def main_synonym(word: str) -> str:
    """The word that stands for a word and those of the same meaning; empty if it has none."""
    return _main_synonym_by_word().get(word, "")


def words_and_pairs(text: str) -> frozenset[str]:
    """The stems of the words of a text, and its pairs of neighbours; words with the same meaning are one."""
    from quizgen.rubric.spelling import word_stem

    plain = expand_contractions(text)
    words = ["#" if word.isdigit() else main_synonym(word) or word_stem(word) for word in _WORD_PATTERN.findall(plain)]
    return frozenset((*words, *(f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True))))
