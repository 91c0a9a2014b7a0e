"""A first rubric from a model answer: `quizgen rubric draft`. For the author to edit, not to use as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from quizgen.rubric.compiling.compile import compiled
from quizgen.rubric.lint import COMMON
from quizgen.rubric.reading.reading import read_response
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.text.complexity import is_complexity
from quizgen.rubric.text.cues import CUES
from quizgen.rubric.text.fold import fold
from quizgen.rubric.text.lexicon import FUNCTION, NAMED_NEGATORS
from quizgen.rubric.text.stem import stem
from quizgen.rubric.text.tokens import TOKEN

MOST: Final = 6  # criteria
SLOTS: Final = 3


@dataclass(frozen=True, slots=True)
class DraftCriterion:
    id: str
    say: str
    phrase: str


def draft(stem_text: str, model_answer: str) -> tuple[DraftCriterion, ...]:
    """One criterion for each sentence: its two or three weightiest words that the stem does not hold."""
    given = {stem(w) for w in _words(stem_text)}
    found: list[DraftCriterion] = []
    used: set[str] = set()
    for part in _sentences(model_answer):
        sentence = " ".join(part.split())
        chosen = _chosen(sentence, given)
        if not chosen:
            continue
        name = _name(chosen, used)
        used.add(name)
        found.append(DraftCriterion(name, sentence, " ".join(_slot(w) for w in chosen)))
        if len(found) == MOST:
            break
    return tuple(found)


def _sentences(text: str) -> list[str]:
    """A text cut where the grader sees sentences."""
    reading = read_response(compiled(Rubric(())), fold(text))
    starts = [0, *reading.sentences]
    ends = [*reading.sentences, len(reading.entries)]
    return [reading.original(a, b - 1) for a, b in zip(starts, ends, strict=True) if b > a]


def draft_yaml(stem_text: str, model_answer: str) -> str:
    """The draft as the `rubric:` of an item, ready to paste. Empty if the answer has no word to go by."""
    criteria = draft(stem_text, model_answer)
    if not criteria:
        return ""
    lines = ["rubric:", "  criteria:"]
    for criterion in criteria:
        lines += [
            f"    - id: {criterion.id}",
            "      points: 1",
            f"      say: {_quoted(criterion.say)}",
            "      accept:",
            f"        - {_quoted(criterion.phrase)}",
        ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _words(text: str) -> list[str]:
    return [m[0].strip() for m in TOKEN.finditer(fold(text).text)]


def _chosen(sentence: str, given: set[str]) -> list[str]:
    """Words to ask for, in the sentence's order."""
    seen: dict[str, str] = {}
    for word in _words(sentence):
        bare = word.removesuffix("'s").removesuffix("'")
        if not any(c.isalnum() for c in bare) or bare in FUNCTION or bare in CUES or bare in NAMED_NEGATORS:
            continue
        if not is_complexity(bare) and (len(bare) < 2 or "'" in bare):
            continue
        seen.setdefault(stem(bare), bare)
    words = list(seen.values())
    ranked = sorted(range(len(words)), key=lambda i: (-_weight(words[i], given), i))
    best = [i for i in ranked if _weight(words[i], given) > 0][:SLOTS]
    return [words[i] for i in sorted(best)]


def _weight(word: str, given: set[str]) -> int:
    """Long, rare and new words say most about an answer; words of the stem say nothing."""
    if stem(word) in given:
        return 0
    weight = min(len(word), 10)
    if word in COMMON:
        weight -= 5
    if any(c.isdigit() for c in word):
        weight += 4
    return max(weight, 1)


def _slot(word: str) -> str:
    """A long word as a prefix, so that its other endings count too."""
    if is_complexity(word):
        return "{" + word + "}"
    root = stem(word)
    if word.isalpha() and len(word) >= 7 and len(root) >= 5 and word.startswith(root) and root != word:
        return root + "*"
    return word


def _name(words: list[str], used: set[str]) -> str:
    name = "-".join(re.sub(r"[^a-z0-9]+", "", w) for w in words[:2]).strip("-") or "point"
    number = 2
    full = name
    while full in used:
        full, number = f"{name}-{number}", number + 1
    return full
