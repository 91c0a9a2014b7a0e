"""The words of one subject: how people write what a bank counts. A bank's own words go before the engine's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from quizgen.formula.units import Unit


@dataclass(frozen=True, slots=True, eq=False)
class Lexicon:
    """`words` gives the unit of a word in lower case, `phrases` that of several words in a row."""

    words: Mapping[str, Unit] = field(default_factory=dict)
    phrases: Mapping[tuple[str, ...], Unit] = field(default_factory=dict)

    @classmethod
    def of(cls, units: Mapping[str, Unit]) -> Lexicon:
        """A lexicon of spellings, of one word (`qps`) or more (`index pages`, `micro-batch`), and of one such thing."""
        words, phrases = {}, {}
        for text, unit in units.items():
            parts = tuple(text.casefold().replace("-", " ").split())
            if len(parts) > 1:
                phrases[parts] = unit
                words["".join(parts)] = unit  # basispoints
            words[text.casefold()] = unit
        for word, unit in tuple(words.items()):
            if unit.dim.label and word.endswith("s") and not word.endswith("ss"):
                words.setdefault(word[:-3] + "y" if word.endswith("ies") else word[:-1], unit)
        return cls(words, phrases)


NO_WORDS: Final = Lexicon()
