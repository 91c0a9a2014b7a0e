"""Learns quizgen/cases/intent_weights.txt from intents.jsonl, the example answers of the shipped banks, and the examples
of remarks.txt: run it in the project's folder after examples have changed.

The weights are those of a multinomial logistic regression, learned by AdaGrad in a fixed order."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
import yaml

from quizgen import bank as banks
from quizgen.cases import listening
from quizgen.cases.case import CANDIDATE_ASKS_TURN_KIND, Case

Example = tuple[frozenset[str], str]  # features and intent
EXAMPLES: Final = Path(__file__).with_name("intents.jsonl")
BANKS: Final = ("distributed-training", "systems-design")
MIN_COUNT: Final = 2  # examples that have a word
MIN_PAIR_COUNT: Final = 3  # the same of a pair of words
EPOCHS: Final = 40
RATE: Final = 0.12
DECAY: Final = 0.0003
HEAD: Final = """\
# For each feature of a sentence (a word, two neighbouring words, or a mark of its form) its weight in tenths for each intent:
# {intents}
# tests/cases/train_intents.py writes this file from the examples with this digest:
# {digest}
"""


def stems_by_part(case: Case, turn_id: str) -> listening.WordStemsByCasePart:
    """The words of a case in one of its turns."""
    told = " ".join((case.opening_text, *(fact.fact_text for fact in case.facts)))
    texts = {"Q": case.turn_by_id(turn_id).question_template, "F": told, "T": " ".join(case.glossary)}
    return {mark: listening.content_stems(text) - listening.TOPICLESS_STEMS for mark, text in texts.items()}


def logged_examples(path: Path, cases: dict[str, Case]) -> Iterator[Example]:
    """The examples of intents.jsonl: lines that were typed in a turn of a case."""
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        words = stems_by_part(cases[row["case"]], row["turn"])
        yield listening.sentence_features(row["line"], words), row["intent"]
        if row["line"].endswith("?"):  # who types fast leaves the mark out
            yield listening.sentence_features(row["line"].rstrip("?").casefold(), words), row["intent"]


def model_answers(cases: Iterable[Case]) -> Iterator[Example]:
    """The sentences of the model answers of all turns."""
    for case in cases:
        for turn in case.turns:
            words = stems_by_part(case, turn.id)
            for sentence in listening.split_sentences(turn.model_answer or ""):
                yield listening.sentence_features(sentence, words), "answer"


def candidate_examples(folder: Path, cases: dict[str, Case]) -> Iterator[Example]:
    """The sentences of the candidates of the shipped cases: answers, and questions for facts."""
    for path in sorted(folder.glob("*.yaml")):
        case, said = cases[path.stem], yaml.load(path.read_bytes(), yaml.CSafeLoader)
        scope = next(turn.id for turn in case.turns if turn.kind == CANDIDATE_ASKS_TURN_KIND)
        for questions in said.get("asked", {}).values():
            yield from ((listening.sentence_features(one, stems_by_part(case, scope)), "ask") for one in questions)
        for turns in (turns for who, turns in said.items() if who.startswith(("strong", "middling", "wrong"))):
            for turn_id, text in turns.items():
                words, is_open = stems_by_part(case, turn_id), turn_id == scope
                for sentence in text if isinstance(text, list) else listening.split_sentences(str(text)):
                    yield listening.sentence_features(str(sentence), words), "ask" if is_open else "answer"


def item_answers(folder: Path) -> Iterator[Example]:
    """The sentences of the example answers of the text items of the shipped banks."""
    for path in sorted(folder.glob("banks/*/*.yaml")):
        for item in (yaml.load(path.read_bytes(), yaml.CSafeLoader) or {}).get("items", ()):
            words = {"Q": listening.content_stems(item["stem"]) - listening.TOPICLESS_STEMS}
            texts = (one["text"] for one in item.get("answers", ()) if item["kind"] == "text")
            for sentence in {sentence: None for text in texts for sentence in listening.split_sentences(text)}:
                yield listening.sentence_features(sentence, words), "answer"


def remark_examples() -> Iterator[Example]:
    """The examples of the remarks, for the first of their intents."""
    for reply in listening.canned_replies():
        for sentence in re.split(r"(?<=[.?])\s+", reply.example_sentences_text):
            yield listening.sentence_features(sentence, {}), reply.intents[0]


def learn(examples: list[Example]) -> dict[str, np.ndarray]:
    """The weights of each feature for each of `INTENT_NAMES`, and those of `<bias>`."""
    counts = Counter(one for features, _ in examples for one in features)
    kept = sorted(one for one, count in counts.items() if count >= (MIN_PAIR_COUNT if " " in one else MIN_COUNT))
    places = {one: n for n, one in enumerate(kept)}
    rows = [np.array(sorted(places[one] for one in features if one in places), dtype=int) for features, _ in examples]
    wanted = np.array([listening.INTENT_NAMES.index(intent) for _, intent in examples])
    sizes = np.bincount(wanted, minlength=len(listening.INTENT_NAMES))
    importance = np.sqrt(len(examples) / (len(listening.INTENT_NAMES) * np.maximum(sizes, 1)))
    weights, bias = np.zeros((len(places), len(listening.INTENT_NAMES))), np.zeros(len(listening.INTENT_NAMES))
    squares, bias_squares = np.full_like(weights, 1e-8), np.full_like(bias, 1e-8)
    order = np.random.default_rng(0)
    for _ in range(EPOCHS):
        for n in order.permutation(len(examples)):
            row, size = rows[n], max(1, len(rows[n])) ** 0.5
            sums = weights[row].sum(0) / size + bias
            slope = np.exp(sums - sums.max())
            slope /= slope.sum()
            slope[wanted[n]] -= 1
            slope *= importance[wanted[n]]
            step = slope / size + DECAY * weights[row]
            squares[row] += step**2
            weights[row] -= RATE * step / np.sqrt(squares[row])
            bias_squares += slope**2
            bias -= 0.2 * RATE * slope / np.sqrt(bias_squares)
    return {**{one: weights[place] for one, place in places.items()}, "<bias>": bias}


def examples_digest(path: Path) -> str:
    """The digest of intents.jsonl, by which weights of older examples are known."""
    return f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}"


def file_of_weights(weights: dict[str, np.ndarray]) -> str:
    """The content of intent_weights.txt."""
    head = HEAD.format(intents=" ".join(listening.INTENT_NAMES), digest=examples_digest(EXAMPLES))
    tenths = {one: np.rint(10 * row).astype(int) for one, row in sorted(weights.items())}
    rows = (f"{one}\t{' '.join(map(str, row))}" for one, row in tenths.items() if row.any())
    return head + "\n".join(rows) + "\n"


@cache
def shipped_cases() -> dict[str, Case]:
    """The cases of the shipped banks, by name."""
    return {name: case for bank in BANKS for name, case in banks.load_bank(bank).required_bank.case_by_id.items()}


def all_examples() -> list[Example]:
    cases, here = shipped_cases(), Path(__file__).parent
    return [
        *logged_examples(EXAMPLES, cases),
        *model_answers(cases.values()),
        *candidate_examples(here / "candidates", cases),
        *item_answers(here.parents[1]),
        *remark_examples(),
    ]


if __name__ == "__main__":
    listening.INTENT_WEIGHTS_PATH.write_text(file_of_weights(learn(all_examples())), encoding="utf-8")
