"""A rubric compiled into an inverted index: from a word of the response to the slots it may fill.

Scoring then costs one dictionary access for each word and work for the hits, however many phrases
the rubric holds. What a word means to this rubric is worked out once and remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from quizgen.rubric.complexity import MEANT, called, canonical, is_complexity, parts
from quizgen.rubric.lexicon import (
    ABBREVIATIONS,
    BRACKET,
    BULLET,
    COLON,
    COMMA,
    CONTENT,
    CUES,
    FUNCTION,
    LINE,
    NOT,
    NUMBER_WORDS,
    QUERY,
    SENTENCE,
    SIGNS_THAT_COMPARE,
    STRONG,
    THAN,
    WORDS_FOR_SIGNS,
    order_class,
)
from quizgen.rubric.marks import MISSING, Adjustment, Mark
from quizgen.rubric.memory import Memory
from quizgen.rubric.phrases import Phrase
from quizgen.rubric.rivals import Rivals
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.stem import american, irregular, stem
from quizgen.rubric.tokens import number

if TYPE_CHECKING:
    from quizgen.rubric.directions import Ways
    from quizgen.rubric.numbers import Amount
    from quizgen.rubric.typos import Speller

FUZZY: Final = 1  # flags of a hit: the word was misspelt
INVERSE_FLAG: Final = 2  # the mirrored comparative stands in the slot

_NO_TAILS: Final[frozenset[str]] = frozenset()

Target = tuple[int, int, int]  # probe, slot, flags
Element = tuple[str, bool]  # a stem, or a prefix of the plain word
Form = tuple[Element, ...]


@dataclass(frozen=True, slots=True)
class Probe:
    """One phrase, ready to be looked for. `owner` is the place of its criterion or misconception."""

    text: str
    kind: int
    owner: int
    size: int
    near: int
    ordered: bool
    polarity: str
    fuzzy: bool
    shared: bool  # one word could fill two slots
    comparative: int  # the slot that holds a comparative, or -1
    given: int  # bit i: the stem's own words fill slot i
    phrase: Phrase
    plain: bool  # two slots, nothing special
    negator: bool  # some alternative names a negator


@dataclass(frozen=True, slots=True)
class Sequence:
    """Several words in a row that fill slots together."""

    rest: Form
    targets: tuple[Target, ...]


class Entry:
    """What one word of a response means to a rubric. Shared by all its occurrences, never changed."""

    __slots__ = (
        "cue", "forms", "function", "hot", "mark", "numeral", "order",
        "plain", "read_as", "reference", "simple", "starts", "tails", "targets",
    )  # fmt: skip

    def __init__(self, plain: str, cue: int = 0) -> None:
        self.plain = plain
        self.cue = cue
        self.mark = False  # punctuation, not a word
        self.forms: tuple[str, ...] = ()
        self.targets: tuple[Target, ...] = ()
        self.starts: tuple[Sequence, ...] = ()
        self.tails: frozenset[str] = _NO_TAILS  # what the next word completes: `reduc` after `all`
        self.function = False
        self.order = CONTENT
        self.reference = 0
        self.read_as = ""
        self.numeral = False
        self.hot = False
        self.simple = False  # fills slots and does nothing else


class Index:
    """The compiled rubric. `entry` is the only method the reader of responses needs."""

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric
        self.probes: list[Probe] = []
        self.singles: dict[str, tuple[Target, ...]] = {}
        self.prefixes: dict[str, list[tuple[str, tuple[Target, ...]]]] = {}  # by their first two letters
        self.sequences: dict[str, tuple[Sequence, ...]] = {}
        self.prefix_sequences: tuple[tuple[str, Sequence], ...] = ()
        self.tails: dict[str, frozenset[str]] = {}
        self.vocabulary: frozenset[str] = frozenset()
        self.heads: frozenset[str] = frozenset()  # how the keys begin; empty until all are known
        self.signs: frozenset[str] = frozenset()
        self.references: dict[str, int] = {}  # content words of the model answer, a bit each
        self.own_references = 0  # those that the stem does not hold
        self.amounts: tuple[Amount, ...] = ()
        self.rivals: tuple[Rivals, ...] = ()
        self.memory: Memory[Entry] = Memory()
        self.rejects = any(c.reject for c in rubric.criteria)
        self.has_misconceptions = bool(rubric.misconceptions)
        self.has_numbers = any(c.number is not None for c in rubric.criteria)
        self.possible = rubric.possible
        self.half, self.quarter = self.possible / 2, self.possible / 4
        lightest = min((c.points for c in rubric.criteria), default=Fraction(0))
        self.for_words = min(self.possible / 5, lightest * 2 / 5)
        self.parts: dict[tuple[int, int], Fraction] = {}  # (probe, slots found) -> partial credit
        self.counts = self.has_numbers
        self.sums: dict[tuple[str | Fraction, ...], tuple[Fraction, tuple[Adjustment, ...], bool]] = {}
        self.missing_marks = tuple(
            Mark(c.id, MISSING, Fraction(0), c.points, (), "not found", (), c.accept[0].text if c.accept else "")
            for c in rubric.criteria
        )
        self.pairs = tuple(zip(rubric.criteria, self.missing_marks, strict=True))
        self.model_words: tuple[str, ...] = ()
        self.model_content_words: tuple[str, ...] = ()
        self.model_set: frozenset[str] = frozenset()
        self.model_content, self.contrasting, self.contested = 0, False, False
        self.stem_pairs: frozenset[tuple[str, str]] = frozenset()
        self.ways: dict[int, Ways] = {}  # probe -> which way round it is said
        self.openers: tuple[int, ...] = ()
        self.denied: dict[int, frozenset[str]] = {}  # probe -> words of it that the model answer denies
        self.named_together: frozenset[tuple[tuple[int, int], tuple[int, int]]] = frozenset()
        self.negating: tuple[int, ...] = ()  # probes whose phrase names a negator
        self.stem_grams: frozenset[tuple[str, ...]] = frozenset()
        self._speller: Speller | None = None

    def entry(self, token: str) -> Entry:
        """The meaning of a folded token, worked out on first sight."""
        made = self._make(token)
        self.memory.keep(token, made)
        return made

    def forget(self) -> None:
        """Empty the memory of words."""
        self.memory.forget()

    # -- working out one word ---------------------------------------------------------------

    def _make(self, token: str) -> Entry:
        word = token
        rate: tuple[str, ...] = ()
        if not token.isalpha() or token[0] in "nml":  # other letters alone are no rate and no mark
            word = token.strip() or token  # a line end is a mark too
            if is_complexity(word):
                rate = (*parts(word), *called(canonical(word)))
                word = canonical(word)
            elif token[-1] == " ":
                return _mark(word, "•")
            word = WORDS_FOR_SIGNS.get(word, word)
            if not any(c.isalnum() for c in word) and word not in self.signs:
                return self._sign(word)
        entry = Entry(word, CUES.get(word, 0))
        entry.function = word in FUNCTION
        entry.order = order_class(word)
        base = word.rstrip(".") if word.endswith(".") else word
        if base.endswith("'s") or base.endswith("s'"):
            base = base[:-2]
        entry.forms = self._forms(base) if not rate else (word, *map(stem, rate))
        self._link(entry, base, rate)
        if not entry.targets and not entry.starts and not entry.cue and not entry.function and not entry.tails:
            self._repair(entry, base)
        entry.reference = self._reference(entry)
        entry.numeral = self.counts and (word[0].isdigit() or word in NUMBER_WORDS)
        entry.simple = not (entry.starts or entry.tails or entry.cue or entry.numeral)
        entry.hot = bool(entry.targets) or not entry.simple
        return entry

    def _sign(self, word: str) -> Entry:
        """A mark; but `<` is "smaller than" where the rubric compares."""
        entry = Entry(word, THAN)
        entry.forms = SIGNS_THAT_COMPARE.get(word, ())
        self._link(entry, word, entry.forms)
        if not entry.targets:
            return _mark(word, word)
        entry.function, entry.hot, entry.order = True, True, order_class("than")
        return entry

    def _forms(self, word: str) -> tuple[str, ...]:
        if word[0].isdigit():
            found = number(word)
            if found:
                plain, rest = found
                return (plain + rest, plain) if rest else (plain,)
            return (word,)
        forms = (word if self._strange(word) else stem(word),)
        long = ABBREVIATIONS.get(word) or MEANT.get(word)
        if long:
            return (*forms, stem(long))
        if CUES.get(word) == NOT and (word.endswith(("n't", "nt")) or word == "cannot"):
            return (*forms, "not")  # "isn't stable" holds "not stable"
        return forms

    def _strange(self, word: str) -> bool:
        """No key of this rubric begins like the word, so its stem, which is slow to find, matters to nothing."""
        return bool(self.heads) and len(word) > 4 and head_of(word) not in self.heads and not irregular(word)

    def _link(self, entry: Entry, word: str, others: tuple[str, ...] = ()) -> None:
        """Targets and sequences that the forms of a word open."""
        targets: dict[Target, None] = {}
        starts: dict[Sequence, None] = {}
        singles, sequences, prefixes = self.singles, self.sequences, self.prefixes
        for form in entry.forms:
            if form in singles:
                targets.update(dict.fromkeys(singles[form]))
            if form in sequences:
                starts.update(dict.fromkeys(sequences[form]))
        spellings = {word: None, american(word): None, ABBREVIATIONS.get(word, word): None}
        if others:
            spellings.update(dict.fromkeys(others))
        for spelling in spellings:
            for prefix, found in prefixes.get(spelling[:2], ()):
                if spelling.startswith(prefix):
                    targets.update(dict.fromkeys(found))
            for prefix, sequence in self.prefix_sequences:
                if spelling.startswith(prefix):
                    starts[sequence] = None
        entry.targets = tuple(targets)
        entry.starts = tuple(starts)
        entry.tails = self.tails.get(word, _NO_TAILS)

    def _repair(self, entry: Entry, word: str) -> None:
        """Read a misspelt word as the rubric's word it is nearest to, unless it is a word itself."""
        if self._speller is None:
            from quizgen.rubric.typos import Speller

            self._speller = Speller(self.vocabulary, frozenset(p for ps in self.prefixes.values() for p, _ in ps))
        meant = self._speller.repair(word)
        if meant:
            entry.read_as = meant
            entry.forms = self._forms(meant)
            self._link(entry, meant)
            entry.targets = tuple([(probe, slot, flag | FUZZY) for probe, slot, flag in entry.targets])
            entry.tails = _NO_TAILS

    def _reference(self, entry: Entry) -> int:
        bits = 0
        if not entry.function:
            references = self.references
            for form in entry.forms:
                if form in references:
                    bits |= references[form]
        return bits


_MARKS: Final = {
    ".": SENTENCE, "!": SENTENCE, "?": QUERY, ",": COMMA, "(": BRACKET, ")": BRACKET, ":": COLON, "•": BULLET,
    ";": STRONG, "—": STRONG, "...": STRONG, "\n": LINE,
}  # fmt: skip


def _mark(word: str, sign: str) -> Entry:
    entry = Entry(word, STRONG if sign.strip("-") == "" else _MARKS.get(sign, 0))
    entry.mark = True
    return entry


def head_of(word: str) -> str:
    """The letters of a word that its stem keeps."""
    return word[:3].replace("y", "i")


def key_of(word: str) -> str:
    """The form under which a plain word of a rubric stands in the index."""
    if is_complexity(word):
        return canonical(word)
    if word[0].isdigit():
        found = number(word)
        return found[0] + found[1] if found else word
    return stem(word)
