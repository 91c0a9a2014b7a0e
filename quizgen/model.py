"""The nouns. Everything here is frozen; points are exact fractions.

`Item` and `Variant` are the two abstract classes: their methods are the whole contract of a kind
(see `quizgen.kinds`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Protocol

from quizgen.draw import Stream
from quizgen.source.problems import Problem, Where

if TYPE_CHECKING:  # a brief shows items and none of this
    from quizgen.figures.canvas import DrawnAmount
    from quizgen.figures.spec import FigureSpec
    from quizgen.formula.definition import Formula
    from quizgen.page import Block
    from quizgen.portable_item import Choices, NumberKey, NumberReaderSettings, Plain
    from quizgen.stimuli import Shared
from dataclasses import replace

# What a candidate gave: text, or the texts of several options.
Given = str | tuple[str, ...]


def given_text(response: Given | None) -> str:
    """A response as one text."""
    return response if isinstance(response, str) else "; ".join(response or ())


ZERO = Fraction(0)
MAX_LINE = 256 * 1024  # bytes of a line of a log, for who writes it and for every reader
MAX_MINUTES = 6000  # of a form, and of extra time: a hundred hours


def added(points: Sequence[Fraction]) -> Fraction:
    """The exact sum, in whole numbers over one denominator: reduced once, not at every term."""
    whole = lcm(*(p.denominator for p in points))
    return Fraction(sum(p.numerator * (whole // p.denominator) for p in points), whole)


class Outcome(StrEnum):
    """What became of a response."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    BLANK = "blank"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Mark:
    """What one criterion (or one adjustment, such as a penalty or a cap) earned, and why.

    `status` is one of found, partial, hedged, negated, contradicted, missing; empty for an
    adjustment. `evidence` holds [start, end) in the candidate's own characters. `sure` is the chance that
    a person would give the same; None where a mark is no matter of judgement.
    """

    criterion: str
    earned: Fraction
    possible: Fraction
    because: str
    status: str = ""
    evidence: tuple[tuple[int, int], ...] = ()
    sure: float | None = None


@dataclass(frozen=True, slots=True)
class Score:
    """The sum of its marks, exactly. `read_as` is how the response was read, `diagnosis` the id
    of the mistake that explains a wrong number, `say` what the candidate is told."""

    outcome: Outcome
    marks: tuple[Mark, ...]
    read_as: str | None = None
    diagnosis: str | None = None
    say: tuple[str, ...] = ()
    review: tuple[str, ...] = ()  # why a person should look at it

    @property
    def earned(self) -> Fraction:
        return added([m.earned for m in self.marks])

    @property
    def possible(self) -> Fraction:
        return added([m.possible for m in self.marks])


@dataclass(frozen=True, slots=True)
class Echo:
    """How a response reads before it is final, worked out without the key: `text` is what may be shown
    (where several readings stand, all of them; for an unreadable response, how to write it)."""

    text: str
    outcome: Outcome | None = None  # BLANK, UNREADABLE, or None for what can be scored


@dataclass(frozen=True, slots=True)
class Sample:
    """A response that a variant vouches for, and what it must come to (`earned` None: not stated).

    `authored`: the response is the author's own text, so a failure is a rubric lint, not a defect."""

    response: Given
    outcome: Outcome
    earned: Fraction | None = None
    authored: bool = False


@dataclass(frozen=True, slots=True)
class Coverage:
    """Drawings walked, drawings there are, and walked ones that every `require` passed."""

    walked: int
    total: int
    allowed: int


class Spoken(Protocol):
    """An interviewer's case, as far as scoring goes: its turns' items by the ids that logs hold, CASE.TURN."""

    @property
    def items(self) -> Mapping[str, Item]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(ABC):
    """One item with its scoring rules; what all kinds share."""

    kind: ClassVar[str]

    id: str
    stem: str
    where: Where
    topic: str = ""
    difficulty: int | None = None
    seconds: int = 60
    lines: int | None = None  # ruled lines on paper; None: by the seconds
    source: str = ""
    rationale: str = ""
    hints: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()
    points: Fraction = Fraction(1)
    status: str = "active"
    stimulus: Shared | None = None
    figure: tuple[str, str] = ("", "")  # alt text and path of an image
    draw_figure: FigureSpec | None = None
    solution_figure: FigureSpec | None = None
    after: str = ""  # the earlier part whose answer this one goes on from
    skill: str = ""  # what it trains: items of one skill serve each other
    todo: tuple[str, ...] = ()

    @abstractmethod
    def draw(self, rng: Stream) -> Variant:
        """The variant that this item has under a seed; uses no other randomness."""

    @abstractmethod
    def redraw(self, given: Mapping[str, str], rng: Stream | None) -> Variant:
        """The variant of a log line: `given` wins over the seed; ValueError says what is missing."""

    def outside(self, given: Mapping[str, str]) -> tuple[str, ...]:
        """The names of a log line's values that no variant of this item draws."""
        return ()

    @abstractmethod
    def prove(self) -> Iterator[Problem]:
        """Proofs and lints for `quizgen check`; never run by mock, exam or score."""

    @property
    def asks(self) -> str:
        """The id of the item whose answer this one asks for: its own, or that of the one it is made from."""
        return self.id

    @property
    def unit_words(self) -> Iterable[str]:
        """How its bank writes units of its own, whatever this item asks for: `qps`, `index pages`."""
        return ()

    @property
    def complete(self) -> bool:
        """False for a draft that lacks what it would be scored by."""
        return True

    def nth(self, number: int) -> Variant:
        """The variants of an item in an order, for looking through them: the one of seed `number`."""
        return self.draw(Stream(self.id, str(number)))

    def coverage(self) -> Coverage:
        """How much of the variant space `prove` walks."""
        return Coverage(1, 1, 1)


@dataclass(frozen=True, slots=True)
class Variant(ABC):
    """One drawing of an item: what a candidate meets."""

    item: Item
    seed: str

    @abstractmethod
    def prompt(self) -> tuple[Block, ...]:
        """Stem and response area; neither shows nor depends on the key."""

    @abstractmethod
    def solution(self) -> tuple[Block, ...]:
        """Key, worked steps, rationale."""

    def shared(self) -> tuple[Block, ...]:
        """The stimulus that this item is a part of, with the values that all parts share."""
        stimulus = self.item.stimulus
        return (stimulus.block(self.shared_values()),) if stimulus is not None else ()

    def pictures(self, spec: FigureSpec | None) -> tuple[Block, ...]:
        """A drawn figure with this variant's values; before the stem's own, the item's image."""
        from quizgen.figures import drawn
        from quizgen.figures.canvas import FigureError
        from quizgen.page import Image, Para, Picture, para

        alt, path = self.item.figure
        image = (Para((Image(alt, path),)),) if path and spec is self.item.draw_figure else ()
        if spec is None:
            return image
        try:
            made = drawn(spec.kind, spec.resolved(self.amounts(spec is self.item.solution_figure)), spec.alt)
        except FigureError as error:  # which `check` has told
            return (*image, para(f"[a figure cannot be drawn: {error.message}]"))
        return (*image, Picture(made.svg, made.lines, made.alt))

    def amounts(self, steps: bool) -> Mapping[str, DrawnAmount]:
        """Values that a figure may name: what is drawn and fixed, with `steps` those of the derivation as well."""
        return {}

    def shared_values(self) -> Mapping[str, str]:
        """The values that the item's stimulus draws; empty where it has none."""
        return self.item.stimulus.drawn(self.seed, self.drawn()) if self.item.stimulus is not None else {}

    def solution_pictures(self) -> tuple[Block, ...]:
        """The figure of the solution, where the item has one."""
        return self.pictures(self.item.solution_figure) if self.item.solution_figure is not None else ()

    def stem_with_shared(self) -> str:
        """The stem with the values that its stimulus draws."""
        from quizgen.stimuli import filled

        stimulus = self.item.stimulus
        return filled(self.item.stem, self.shared_values(), stimulus.labels) if stimulus is not None else self.item.stem

    def score_after(self, response: Given, earlier: Given) -> Score:
        """The score where the candidate's own response to the earlier part is known: what follows rightly from
        a wrong number there earns full marks here."""
        return self.score(response)

    def marking(self) -> tuple[Block, ...]:
        """What a marker needs beside the solution: how near the key counts, what known mistakes come to."""
        return ()

    @abstractmethod
    def echo(self, response: Given) -> Echo:
        """How a response reads. Nothing of it depends on a key, a tolerance or a misconception."""

    @abstractmethod
    def score(self, response: Given) -> Score:
        """Never raises, whatever the text."""

    @abstractmethod
    def samples(self) -> tuple[Sample, ...]:
        """Right, wrong and unreadable responses that hug the edges."""

    def drawn(self) -> Mapping[str, str]:
        """Drawn values as a log holds them (`given`); empty where nothing is drawn."""
        return {}

    def key_text(self) -> str:
        """The key in one line, for tables of keys."""
        return ""

    def order(self) -> tuple[str, ...]:
        """Option texts in the order shown; empty where there are no options or letters mean nothing."""
        return ()

    def probe(self, criterion: str) -> str:
        """What an interviewer asks when a response missed a criterion; empty: nothing was written for it."""
        return ""

    def plain(self) -> Plain | None:
        """What other programs' formats can hold of it; None: no format can hold it."""
        return None

    def amount(self, response: Given) -> Fraction | None:
        """The number that a response gives, in the unit asked for; None where it gives none."""
        return None

    def number_reader_settings(self) -> NumberReaderSettings | None:
        """How a page reads a number that is typed as the answer; None where none is asked for."""
        return None

    def number_key(self) -> NumberKey | None:
        """What a page holds a number against; None where none is asked for, or the drawing has no key."""
        return None

    def choices(self, rng: Stream) -> Choices | None:
        """Key and wrong answers for a choice item made from this one; None: cannot be made."""
        return None


@dataclass(frozen=True, slots=True)
class Band:
    """A row of a blueprint's scoring guide: from this share of the points up."""

    start: Fraction
    name: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """Which items a form takes, and how many. Empty tuples do not restrict."""

    topics: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    difficulties: tuple[int, ...] = ()
    count: int | None = None
    points: Fraction | None = None
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    title: str = ""
    instructions: str = ""
    where: Where | None = None


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The plan of a form. `minutes` None: the sum of the items' seconds."""

    name: str
    title: str
    sections: tuple[Section, ...]
    minutes: Fraction | None = None
    pass_share: Fraction | None = None
    bands: tuple[Band, ...] = ()
    grades: tuple[Band, ...] = ()  # a grade from each share of the points up
    institution: str = ""
    logo: str = ""  # an image in the bank's folder
    instructions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bank:
    """Items by id in file order, blueprints by name, and a digest of the files."""

    name: str
    title: str
    items: Mapping[str, Item]
    blueprints: Mapping[str, Blueprint]
    digest: str
    version: str = ""
    license: str = ""
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    root: str = ""  # the folder, for figures
    titled: bool = True  # False: nobody wrote a title, it is the folder's name
    cases: Mapping[str, Spoken] = field(default_factory=dict)
    roles: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # weights of topics, by role
    terms: Callable[[], Mapping[str, str]] = dict  # what words mean, read on request

    @property
    def scored(self) -> Mapping[str, Item]:
        """All items that a log may name: the bank's own, and the turns of its cases."""
        return _Scored(self.items, self.cases) if self.cases else self.items


class _Scored(Mapping[str, Item]):
    """Items, and those of cases as CASE.TURN: a case is read when one of its turns is asked for."""

    def __init__(self, items: Mapping[str, Item], cases: Mapping[str, Spoken]) -> None:
        self._items, self._cases = items, cases

    def __getitem__(self, name: str) -> Item:
        case, dot, _ = name.partition(".")
        if dot and case in self._cases:
            return self._cases[case].items[name]
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._items
        for case in self._cases.values():
            yield from case.items

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __reduce__(self) -> tuple[type[dict[str, Item]], tuple[list[tuple[str, Item]]]]:
        """Another process gets all of it."""
        return dict, (list(self.items()),)


@dataclass(frozen=True, slots=True)
class Entry:
    """A variant's place in a form; `points` None: the item's own."""

    variant: Variant
    section: int = 0
    points: Fraction | None = None

    @property
    def possible(self) -> Fraction:
        return self.variant.item.points if self.points is None else self.points


@dataclass(frozen=True, slots=True)
class Form:
    """One ordered set of variants. `code` names it in public and gives nothing away."""

    title: str
    code: str
    seed: str
    minutes: Fraction
    entries: tuple[Entry, ...]
    sections: tuple[Section, ...] = ()
    pass_share: Fraction | None = None
    bands: tuple[Band, ...] = ()
    blueprint: str = ""

    @property
    def possible(self) -> Fraction:
        return sum((e.possible for e in self.entries), ZERO)


# What a score comes to in a form: a section's points, the cost of hints, the band it reaches.


# Version of the rules of marking, written into sessions and manifests. 2: numbers count as people round them.
RULES = 2

# What a candidate claims of a criterion, as a share of its points, and in words.
CLAIMED_SHARE = {"full": Fraction(1), "part": Fraction(1, 2), "no": Fraction(0)}
CLAIM_WORDS = {"full": "fully", "part": "partly", "no": "no"}


def band_of(share: Fraction, bands: Sequence[Band]) -> Band | None:
    """The highest band that a share of the points reaches."""
    reached = [b for b in bands if share >= b.start]
    return max(reached, key=lambda b: b.start, default=None)


def scaled(score: Score, points: Fraction | None) -> Score:
    """The same score out of `points`, each mark in proportion (a section that sets its points)."""
    if points is None or score.possible in (0, points):
        return score
    factor = points / score.possible
    marks = tuple(replace(m, earned=m.earned * factor, possible=m.possible * factor) for m in score.marks)
    return replace(score, marks=marks)


def hint_cost(taken: int) -> Fraction:
    """The share of what a response earns that `taken` hints cost: 10 % for the first, 20 % more for
    the second, 30 % more for each later one, never over 90 %."""
    steps = (Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(6, 10))
    return steps[max(taken, 0)] if taken < len(steps) else Fraction(9, 10)


def after_hints(score: Score, taken: int) -> Score:
    """The same score after the cost of its hints, as a mark of its own that says so.

    The one rule for the debrief of a session and for the scoring of its log (`hints` on a line).
    """
    cost = hint_cost(taken) * score.earned
    if cost == 0:
        return score
    because = f"{taken} hint{'s' * (taken != 1)}: {round(hint_cost(taken) * 100)} % of what was earned"
    outcome = Outcome.PARTIAL if score.outcome is Outcome.CORRECT else score.outcome
    return replace(score, outcome=outcome, marks=(*score.marks, Mark("hints", -cost, ZERO, because)))
