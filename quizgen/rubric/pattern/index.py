"""A rubric compiled into an inverted index: from a word of the response to the slots it may fill.

Scoring then costs one dictionary access for each word and work for the hits, however many phrases
the rubric holds. What a word means to this rubric is worked out once (`meanings.py`) and remembered.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from quizgen.rubric.marks import MISSING, Adjustment, CriterionMark
from quizgen.rubric.pattern.examples import Examples
from quizgen.rubric.pattern.labels import Rivals
from quizgen.rubric.pattern.phrases import Phrase, read
from quizgen.rubric.pattern.tails import NO_TAILS, Tails
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.text.complexity import canonical, is_complexity
from quizgen.rubric.text.lexicon import CONTENT, MAYBE
from quizgen.rubric.text.stem import stem
from quizgen.rubric.text.tokens import number
from quizgen.rubric.text.typos import Speller

if TYPE_CHECKING:  # the formula engine is loaded when the first amount is read
    from quizgen.formula.dimensions import Dim

FUZZY: Final = 1  # flags of a hit: the word was misspelt
INVERSE_FLAG: Final = 2  # the mirrored comparative stands in the slot

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
    negator: bool  # some alternative names a negator

    @property
    def phrase(self) -> Phrase:
        """Read again: all phrases of a bank, kept, would take more than what scoring looks at."""
        return read(self.text)


@dataclass(frozen=True, slots=True)
class Sequence:
    """Several words in a row that fill slots together."""

    rest: Form
    targets: tuple[Target, ...]


@dataclass(frozen=True, slots=True)
class Amount:
    """A quantity that alternatives of slots name: `value` base units of `dim`."""

    value: Fraction
    dim: Dim
    targets: tuple[Target, ...]


NO_SECONDS: Final[dict[str, tuple[Sequence, ...]]] = {}


class IndexEntry:
    """What one word of a response means to a rubric. Shared by all its occurrences, never changed."""

    __slots__ = (
        "cue", "forms", "function", "hot", "mark", "numeral", "onward", "order",
        "plain", "read_as", "reference", "seconds", "simple", "starts", "tails", "targets",
    )  # fmt: skip

    def __init__(self, plain: str, cue: int, forms: tuple[str, ...]) -> None:
        self.plain = plain
        self.cue = cue
        self.forms = forms  # the stems that stand for the word
        self.mark = False  # punctuation, not a word
        self.targets: tuple[Target, ...] = ()
        self.starts: tuple[Sequence, ...] = ()
        self.seconds = NO_SECONDS  # the same by their second word; "" where that is a prefix
        self.tails = NO_TAILS  # what the next word completes: `reduc` after `all`
        self.onward = NO_TAILS  # how these begin, by one letter and by two
        self.function = False
        self.order = CONTENT
        self.reference = 0
        self.read_as = ""
        self.numeral = False
        self.hot = False  # a mark, or a word that is looked at more closely
        self.simple = True  # fills slots and does nothing else


class Index:
    """The compiled rubric: tables that say what a word, a row of words or a whole response is worth."""

    def __init__(self, rubric: Rubric) -> None:
        self.rubric = rubric
        self.probes: list[Probe] = []
        self.singles: dict[str, tuple[Target, ...]] = {}
        self.prefixes: dict[str, list[tuple[str, tuple[Target, ...]]]] = {}  # by their first two letters
        self.sequences: dict[str, tuple[Sequence, ...]] = {}
        self.prefix_sequences: dict[str, list[tuple[str, Sequence]]] = {}  # so too
        self.seconds: dict[tuple[Sequence, ...], dict[str, tuple[Sequence, ...]]] = {}  # rows by their second word
        self.tails = Tails()
        self.signs: frozenset[str] = frozenset()
        self.references: dict[str, int] = {}  # content words of the model answer, a bit each
        self.own_references = 0  # those that the stem does not hold
        self.shares: tuple[float, ...] = ()  # of the references, by how many of them there are
        self.amounts: tuple[Amount, ...] = ()
        self.rivals: tuple[Rivals, ...] = ()
        self.memory: dict[str, IndexEntry] = {}  # what its words mean, as far as they were met
        self.crowded: list[tuple[int, str]] = []  # probe and alternative that synonyms spell in too many ways
        self.compares = False  # some phrase holds a comparative
        self.has_numbers = any(c.number is not None for c in rubric.criteria)
        self.possible = rubric.possible
        lightest = min((c.points for c in rubric.criteria), default=Fraction(0))
        self.for_words = min(self.possible / 5, lightest * 2 / 5)
        self.for_nears = lightest / 2
        self.slot_names: dict[int, tuple[tuple[str, str], ...]] = {}  # probe -> its slots for authors and for people
        self.points = tuple(float(c.points) for c in rubric.criteria)
        self.all_points = sum(self.points)
        self.halves = tuple(c.points / 2 for c in rubric.criteria)
        # By criterion: what is asked is itself a possibility, "the leader may be stale".
        self.possibilities = tuple(not MAYBE.isdisjoint(c.say.casefold().split()) for c in rubric.criteria)
        self.sums: dict[tuple[str | tuple[int, int, bool], ...], tuple[Fraction, tuple[Adjustment, ...], bool]] = {}
        self.missing_marks = tuple(
            CriterionMark(
                c.id, MISSING, Fraction(0), c.points, (), "not found", (), c.accept[0].text if c.accept else ""
            )
            for c in rubric.criteria
        )
        self.model_words: tuple[str, ...] = ()
        self.model_content_words: tuple[str, ...] = ()
        self.model_set: frozenset[str] = frozenset()
        self.contrasting = False
        self.listing = False  # the stem asks for names alone
        self.stem_pairs: frozenset[tuple[str, str]] = frozenset()
        self.openers: tuple[int, ...] = ()
        self.denied: dict[int, frozenset[str]] = {}  # probe -> words of it that the model answer denies
        self.named_together: frozenset[tuple[tuple[int, int], tuple[int, int]]] = frozenset()
        self.stem_grams: frozenset[tuple[str, ...]] = frozenset()
        self.speller = Speller(())
        self.examples: Examples | None = None  # answers written beside the item, right and wrong ones
        self.naming: tuple[int, ...] = ()  # probes that name subjects
        self.numbered: dict[str, int] = {}  # a digit that ends the name of a subject -> its place
        self.said_of: tuple[frozenset[int], ...] = ()  # by criterion: the subjects it is about
        self.said_against: tuple[frozenset[int], ...] = ()  # and those it compares them with


@lru_cache(maxsize=2_048)
def key_of(word: str) -> str:
    """The form under which a plain word of a rubric stands in the index, without an s of possession."""
    if is_complexity(word):
        return canonical(word)
    if word[0].isdigit():
        found = number(word)
        return found[0] + found[1] if found else word
    return stem(word.removesuffix("'s"))
