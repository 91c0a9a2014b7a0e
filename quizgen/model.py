"""The main classes: items, variants, scores, blueprints, banks and forms. All are frozen; points are exact fractions.

`Item` and `Variant` are the two abstract classes: a kind of item implements their methods (see `quizgen.kinds`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, ClassVar, Protocol

from quizgen.draw import SeededRng
from quizgen.source.problems import Location, Problem

if TYPE_CHECKING:  # the brief of a session needs none of these
    from quizgen.answer_areas import ChoiceOption
    from quizgen.figures import FigureAmount, FigureSpec
    from quizgen.formula.definition import Formula
    from quizgen.numbers.answer import AnswerFormat
    from quizgen.page import Block
    from quizgen.portable_item import PortableItem
    from quizgen.stimuli import SharedStimulus

# A response: a text, or the texts of several options.
Response = str | tuple[str, ...]


def response_text(response: Response | None) -> str:
    """A response as one text; empty for None."""
    return response if isinstance(response, str) else "; ".join(response or ())


ZERO = Fraction(0)
MAX_LOG_LINE_BYTES = 256 * 1024  # bytes in a line of a log
MAX_FORM_MINUTES = 6000  # minutes of a form including extra time: a hundred hours


def points_as_json(points: Fraction) -> int | float:
    """Points as a JSON number with at most six decimals."""
    return points.numerator if points.denominator == 1 else float(round(points, 6))


def sum_points(points: Sequence[Fraction]) -> Fraction:
    """The exact sum of points, over one common denominator: reduced once, not at every term."""
    if len(points) == 1:
        return points[0]
    denominator = lcm(*(p.denominator for p in points))
    return Fraction(sum(p.numerator * (denominator // p.denominator) for p in points), denominator)


class Outcome(StrEnum):
    """The class of a response: `correct`, `partial`, `incorrect`, `blank` or `unreadable`."""

    CORRECT = "correct"
    PARTIAL = "partial"
    INCORRECT = "incorrect"
    BLANK = "blank"
    UNREADABLE = "unreadable"

    @staticmethod
    def of_points(earned: Fraction, possible: Fraction) -> Outcome:
        """`correct` for all `possible` points or more, `partial` for some, `incorrect` for none or less."""
        return Outcome.CORRECT if earned >= possible else Outcome.PARTIAL if earned > 0 else Outcome.INCORRECT


@dataclass(frozen=True, slots=True)
class Mark:
    """The points earned by one criterion (or by an adjustment, such as a penalty or a cap), and the reason.

    `status` is found, partial, hedged, negated, contradicted or missing; empty for an adjustment. `evidence_spans` are
    [start, end) offsets in the candidate's text. `certainty` is the probability that a person would give the same mark;
    None if no judgement is needed. `is_found_in_part`: the points are for a phrase found in part; such points together
    are limited."""

    criterion_id: str
    earned: Fraction
    possible: Fraction
    because: str
    status: str = ""
    evidence_spans: tuple[tuple[int, int], ...] = ()
    certainty: float | None = None
    is_found_in_part: bool = False


@dataclass(frozen=True, slots=True)
class Score:
    """The outcome of a response and its marks; the points are their exact sum. `read_as`: the response as it was read;
    `mistake_id`: the id of the mistake that explains a wrong number; `remarks`: the messages to the candidate."""

    outcome: Outcome
    marks: tuple[Mark, ...]
    read_as: str | None = None
    mistake_id: str | None = None
    remarks: tuple[str, ...] = ()
    review_reasons: tuple[str, ...] = ()  # reasons for a person to look at it

    @property
    def earned(self) -> Fraction:
        return sum_points([m.earned for m in self.marks])

    @property
    def possible(self) -> Fraction:
        return sum_points([m.possible for m in self.marks])


@dataclass(frozen=True, slots=True)
class ResponseEcho:
    """How a response reads before it is final, computed without the key. The candidate sees `text`: all readings if
    there are several or, for an unreadable response, how to write it."""

    text: str
    unscored_outcome: Outcome | None = None  # BLANK or UNREADABLE; None for a response that is scored


@dataclass(frozen=True, slots=True)
class SampleResponse:
    """A response with the score that its variant guarantees (`expected_points` None: only the outcome).

    `is_from_author`: the response is the author's own text, so a different score is a rubric lint, not a defect."""

    response: Response
    outcome: Outcome
    expected_points: Fraction | None = None
    is_from_author: bool = False


@dataclass(frozen=True, slots=True)
class CheckedVariantCounts:
    """Numbers of drawings: those that a proof tried, all that are possible, and those of the tried ones that meet every
    `require`."""

    tried_count: int
    possible_count: int
    tried_and_allowed_count: int


class ScorableCase(Protocol):
    """What scoring needs of an interviewer's case: the items of its turns by their ids in logs, CASE.TURN."""

    @property
    def item_by_log_id(self) -> Mapping[str, Item]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Item(ABC):
    """One item with its scoring rules; the fields and methods that all kinds share."""

    kind: ClassVar[str]

    id: str
    stem: str
    location: Location
    topic: str = ""
    difficulty: int | None = None
    seconds: int = 60
    answer_line_count: int | None = None  # ruled lines on paper; None: by the time budget
    source: str = ""
    rationale: str = ""
    hints: tuple[str, ...] = ()
    facts_on_request: tuple[str, ...] = ()
    follow_up_ids: tuple[str, ...] = ()
    points: Fraction = Fraction(1)
    status: str = "active"
    stimulus: SharedStimulus | None = None
    image_alt_and_path: tuple[str, str] = ("", "")
    stem_figure: FigureSpec | None = None
    solution_figure: FigureSpec | None = None
    previous_part_id: str = ""  # the part whose answer this part continues from
    skill: str = ""  # items of one skill practise the same thing
    todo: tuple[str, ...] = ()
    authored_field_names: tuple[str, ...] = ()  # the names of the fields that the author wrote

    def without_file_locations(self) -> Item:
        """This item without those locations in its file that only a problem in it would name."""
        return self

    @abstractmethod
    def draw(self, rng: SeededRng) -> Variant:
        """The variant of this item drawn by `rng`, the only source of randomness."""

    @abstractmethod
    def rebuild_variant(self, given: Mapping[str, str], rng: SeededRng | None) -> Variant:
        """The variant of a log line. Values in `given` take precedence over those that `rng` draws (None: nothing is
        drawn). Raises ValueError with the names of missing values."""

    @abstractmethod
    def find_problems(self) -> Iterator[Problem]:
        """Yields the problems found by proofs and lints of `quizgen check`; mock, exam and score never call it."""

    @property
    def value_names_allowed_in_stem(self) -> frozenset[str]:
        """The names of the values that the stem may print."""
        return frozenset()

    @property
    def origin_or_own_item_id(self) -> str:
        """The id of the item whose answer this one asks for: its own, or that of the item from which it is made."""
        return self.id

    @property
    def bank_unit_spellings(self) -> Iterable[str]:
        """The bank's own spellings of units, such as `qps` or `index pages`, for any item."""
        return ()

    @property
    def has_scoring_fields(self) -> bool:
        """False for a draft that lacks fields needed for scoring."""
        return True

    def nth_seed_variant(self, number: int) -> Variant:
        """The variant under the seed `number`, for browsing the variants of an item."""
        return self.draw(SeededRng(self.id, str(number)))

    def checked_variant_counts(self) -> CheckedVariantCounts:
        """The numbers of drawings: tried by `find_problems`, possible, and allowed of those tried."""
        return CheckedVariantCounts(1, 1, 1)


@dataclass(frozen=True, slots=True)
class Variant(ABC):
    """One drawing of an item, as a candidate sees it."""

    item: Item
    seed: str

    @abstractmethod
    def prompt(self) -> tuple[Block, ...]:
        """The blocks of the stem and the answer area; they do not depend on the key."""

    @abstractmethod
    def solution(self) -> tuple[Block, ...]:
        """The blocks of the key, the worked steps and the rationale."""

    def stimulus_blocks(self) -> tuple[Block, ...]:
        """The blocks of the item's stimulus, with the values shared by all of its parts; empty without a stimulus."""
        stimulus = self.item.stimulus
        return (stimulus.block_from_drawn_values(self.stimulus_values()),) if stimulus is not None else ()

    def figure_blocks(self, in_solution: bool = False) -> tuple[Block, ...]:
        """The item's image and the figure of the stem, drawn with this variant's values; with `in_solution` the figure
        of the solution."""
        from quizgen.inline import Image
        from quizgen.page import Paragraph, plain_paragraph

        alt, path = self.item.image_alt_and_path
        image = (Paragraph((Image(alt, path),)),) if path and not in_solution else ()
        spec = self.item.solution_figure if in_solution else self.item.stem_figure
        if spec is None:
            return image
        from quizgen.figures import FigureError, drawn_figure_of_kind

        try:
            settings = spec.settings_with_amounts(self.figure_amounts(includes_steps=in_solution))
            return (*image, drawn_figure_of_kind(spec.kind, settings, spec.alt))
        except FigureError as error:  # `check` reported it
            return (*image, plain_paragraph(f"[a figure cannot be drawn: {error}]"))

    def figure_amounts(self, includes_steps: bool) -> Mapping[str, FigureAmount]:
        """The values that a figure may refer to, by name: drawn and fixed ones and, with `includes_steps`, those of the
        derivation."""
        return {}

    def stimulus_values(self) -> Mapping[str, str]:
        """The drawn values of the item's stimulus by name; empty without a stimulus."""
        stimulus = self.item.stimulus
        return {} if stimulus is None else stimulus.drawn_value_text_by_name(self.seed, self.drawn_log_values())

    @property
    def stem_text(self) -> str:
        """The stem with the drawn values filled in, its own or those of its stimulus."""
        from quizgen.stimuli import text_with_drawn_values

        stem, stimulus = self.item.stem, self.item.stimulus
        return stem if stimulus is None else text_with_drawn_values(stem, self.stimulus_values(), stimulus.bank_units)

    def score_given_earlier_response(self, response: Response, earlier_response: Response | None) -> Score:
        """The score, given the candidate's response to the earlier part (None if it is not known): a correct conclusion
        from a wrong number there earns full points here."""
        return self.score(response)

    def marker_only_blocks(self) -> tuple[Block, ...]:
        """The blocks that a marker needs besides the solution: the tolerance, and the answers that known mistakes
        give."""
        return ()

    @abstractmethod
    def echo_response(self, response: Response) -> ResponseEcho:
        """How a response reads. It does not depend on a key, a tolerance or a misconception."""

    @abstractmethod
    def score(self, response: Response) -> Score:
        """The score of a response. Never raises, for any text."""

    @abstractmethod
    def samples(self) -> tuple[SampleResponse, ...]:
        """Correct, incorrect and unreadable responses close to the limits, with their scores."""

    def drawn_log_values(self) -> Mapping[str, str]:
        """The drawn values in the form of a log (`given`); empty if nothing is drawn."""
        return {}

    def key_text(self) -> str:
        """The key on one line, for tables of keys."""
        return ""

    def option_texts_as_shown(self) -> tuple[str, ...]:
        """The texts of the options in the order shown; empty if there are no options or their letters mean nothing."""
        return ()

    def probe_for_criterion(self, criterion: str) -> str:
        """The interviewer's follow-up to a missed criterion; empty if the author wrote none."""
        return ""

    def portable_item(self) -> PortableItem | None:
        """The variant in its neutral form for exporters; None if no format can hold it."""
        return None

    def response_in_answer_unit(self, response: Response) -> Fraction | None:
        """The number in a response, in the requested unit; None if there is none."""
        return None

    def number_format_and_page_settings(self) -> tuple[AnswerFormat, Mapping[str, object]] | None:
        """The format in which a page reads a typed number, and what else its script needs for that, as JSON; None if
        the item does not ask for a number. The same for all drawings of an item."""
        return None

    def numeric_key_for_page(self) -> Mapping[str, object] | None:
        """The key as JSON, with which a page compares a number; None if the item asks for none, or the drawing has no
        key."""
        return None

    def generated_choice_options(self, rng: SeededRng) -> tuple[ChoiceOption, ...]:
        """The key and distractors of a choice item made from this one; empty if that is not possible."""
        return ()


@dataclass(frozen=True, slots=True)
class ScoreBand:
    """A row of a blueprint's scoring guide; it applies from the share of the points `min_share` up."""

    min_share: Fraction
    name: str
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """The restrictions on the items of a section, and their number. Empty tuples mean no restriction."""

    topics: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    difficulties: tuple[int, ...] = ()
    item_count: int | None = None
    points_per_item: Fraction | None = None
    required_ids: tuple[str, ...] = ()
    excluded_ids: tuple[str, ...] = ()
    title: str = ""
    instructions: str = ""
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Blueprint:
    """The plan of a form. `minutes` None means the sum of the items' seconds."""

    name: str
    title: str
    sections: tuple[Section, ...]
    minutes: Fraction | None = None
    pass_share: Fraction | None = None
    score_bands: tuple[ScoreBand, ...] = ()
    grade_bands: tuple[ScoreBand, ...] = ()  # a grade for each share of the points upwards
    institution_name: str = ""
    logo_path: str = ""  # an image in the bank's folder
    logo_field_location: Location | None = None
    instruction_texts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bank:
    """Items by id in file order, blueprints by name, and a digest of the files."""

    name: str
    title: str
    items: Mapping[str, Item]
    blueprint_by_name: Mapping[str, Blueprint]
    digest: str
    version: str = ""
    license: str = ""
    formulas: Mapping[str, Formula] = field(default_factory=dict)
    folder: str = ""  # path of the folder with the files, for figures
    has_title: bool = True  # False: the author wrote no title, and the folder's name is used
    case_by_id: Mapping[str, ScorableCase] = field(default_factory=dict)
    topic_weights_by_role: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # role -> topic -> weight
    load_glossary: Callable[[], Mapping[str, str]] = dict  # glossary, loaded on request

    @property
    def item_or_turn_by_id(self) -> Mapping[str, Item]:
        """All items that a log may name: the bank's own and those of its cases' turns."""
        return _ItemsAndCaseTurns(self.items, self.case_by_id) if self.case_by_id else self.items


class _ItemsAndCaseTurns(Mapping[str, Item]):
    """The items of a bank, and those of its cases as CASE.TURN; a case is read when one of its turns is looked up."""

    def __init__(self, items: Mapping[str, Item], cases: Mapping[str, ScorableCase]) -> None:
        self._items, self._cases = items, cases

    def __getitem__(self, name: str) -> Item:
        case, dot, _ = name.partition(".")
        return self._cases[case].item_by_log_id[name] if dot and case in self._cases else self._items[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._items
        for case in self._cases.values():
            yield from case.item_by_log_id

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __reduce__(self) -> tuple[type[dict[str, Item]], tuple[list[tuple[str, Item]]]]:
        """Another process receives all items as a dict."""
        return dict, (list(self.items()),)


@dataclass(frozen=True, slots=True)
class FormEntry:
    """A variant's place in a form; `points_override` None means the item's own points."""

    variant: Variant
    section_index: int = 0
    points_override: Fraction | None = None

    @property
    def points(self) -> Fraction:
        return self.variant.item.points if self.points_override is None else self.points_override


@dataclass(frozen=True, slots=True)
class Form:
    """One ordered set of variants. `code` is its public name, which reveals nothing about it."""

    title: str
    code: str
    seed: str
    minutes: Fraction
    entries: tuple[FormEntry, ...]
    sections: tuple[Section, ...] = ()
    pass_share: Fraction | None = None
    score_bands: tuple[ScoreBand, ...] = ()
    blueprint_name: str = ""

    @property
    def possible_points(self) -> Fraction:
        return sum((e.points for e in self.entries), ZERO)


# Version of the marking rules, written into sessions and manifests. 2: numbers count as people round them.
MARKING_RULES_VERSION = 2

# What a candidate claims to have earned of a criterion: share of its points, and the words for it.
SHARE_BY_CLAIM_WORD = {"full": Fraction(1), "part": Fraction(1, 2), "no": Fraction(0)}
ADVERB_BY_CLAIM_WORD = {"full": "fully", "part": "partly", "no": "no"}


def highest_reached_band(share: Fraction, bands: Sequence[ScoreBand]) -> ScoreBand | None:
    """The highest band that a share of the points reaches; None if it reaches none."""
    return max([b for b in bands if share >= b.min_share], key=lambda b: b.min_share, default=None)


def scale_score(score: Score, points: Fraction | None) -> Score:
    """The same score out of `points`, each mark scaled in proportion, for a section that sets its own points; unchanged
    if `points` is None."""
    if points is None or score.possible in (0, points):
        return score
    factor = points / score.possible
    marks = tuple(replace(m, earned=m.earned * factor, possible=m.possible * factor) for m in score.marks)
    return replace(score, marks=marks)


def hint_cost_share(hint_count: int) -> Fraction:
    """The share of a response's points that `hint_count` hints cost: 10 % for the first, 20 % more for the second, 30 %
    more for each later one, at most 90 %."""
    steps = (Fraction(0), Fraction(1, 10), Fraction(3, 10), Fraction(6, 10))
    return steps[max(hint_count, 0)] if hint_count < len(steps) else Fraction(9, 10)


def deduct_hint_cost(score: Score, hint_count: int) -> Score:
    """The score minus the cost of `hint_count` hints, with a mark that states the cost.

    Both the debrief of a session and the scoring of its log (`hints` on a line) use this rule."""
    cost_share = hint_cost_share(hint_count)
    cost = cost_share * score.earned
    if cost == 0:
        return score
    reason = f"{hint_count} hint{'s' * (hint_count != 1)}: {round(cost_share * 100)} % of what was earned"
    outcome = Outcome.PARTIAL if score.outcome is Outcome.CORRECT else score.outcome
    return replace(score, outcome=outcome, marks=(*score.marks, Mark("hints", -cost, ZERO, reason)))
