"""A case as a value: facts for the asking, phases with time limits, turns and their branches."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from quizgen.formula.quantity import Quantity
from quizgen.formula.units import UNIT_ONE, Unit
from quizgen.model import Item
from quizgen.source.problems import Location, up_to_2_decimals

CANDIDATE_ASKS_TURN_KIND: Final = "open"  # a turn in which the candidate asks
# A hedged statement meets a criterion too: a careful diagnosis is often hedged, and rightly.
FOUND_OR_HEDGED_STATUSES: Final = frozenset({"found", "hedged"})
DENIED_CRITERION_STATUSES: Final = frozenset({"contradicted", "negated"})
_PLURAL_NAME_PATTERN: Final = re.compile(r"[^s]s\b(?=$| for\b)")
COMPARISON_FUNCTION_BY_SIGN: Final[Mapping[str, Callable[[Fraction, Fraction], bool]]] = {
    ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact that the interviewer gives on request; `id` is also its criterion in the case's item for fact requests.
    `deferred_to_turn_id`: the turn that gives the fact anyway, before which a request is put off."""

    id: str
    fact_text: str
    deferred_to_turn_id: str = ""
    is_permission_reply: bool = False  # given only to who asks for permission
    naming_word_stems: frozenset[str] = frozenset()  # of words that name it, for questions that no phrase meets


@dataclass(frozen=True, slots=True)
class CasePhase:
    """A part of the conversation with its time limit."""

    id: str
    title: str
    allowed_minutes: Fraction


@dataclass(frozen=True, slots=True)
class CommittableNumber:
    """A number that a candidate may commit to under any of its `starred_names`, in `unit`; `number_if_unsaid` replaces
    one that was never given, and `numbers_for_item_draws` are those that questions draw for it."""

    id: str
    starred_names: tuple[str, ...]
    numbers_for_item_draws: tuple[int, ...]
    number_if_unsaid: int
    unit: Unit = UNIT_ONE

    @property
    def label(self) -> str:
        """The id if candidates say it so, in the singular or the plural, in capitals if it is an abbreviation (up to
        three letters); else, or if it is a plural, the first name."""
        names, first = ({name.rstrip("*") for name in self.starred_names}, self.starred_names[0].rstrip("*"))
        if _PLURAL_NAME_PATTERN.search(first) or not names & {self.id, self.id.removesuffix("s")}:
            return first
        return self.id.upper() if len(self.id) <= 3 else self.id

    def is_named_in(self, text: str) -> bool:
        """Whether a text has one of the names.

        >>> CommittableNumber("tp", ("tp", "tensor parallel*"), (1, 8), 8).is_named_in("I never chose TP = 8.")
        True"""
        return bool(re.search(rf"\b(?:{'|'.join(map(regex_of_starred_name, self.starred_names))})\b", text.casefold()))

    def name_and_number_text(self, number: Fraction) -> str:
        """`TP = 8`, `interval = 30 min`, or `8 replicas`."""
        if self.unit is UNIT_ONE and _PLURAL_NAME_PATTERN.search(self.label):
            return f"{up_to_2_decimals(number)} {self.label}"
        return f"{self.label} = {up_to_2_decimals(number)}{'' if self.unit is UNIT_ONE else f' {self.unit}'}"


@dataclass(frozen=True, slots=True)
class BranchNumberTest:
    """A test of a committed number, such as `tp > 8`; of the number given if `commitment_id` is empty."""

    commitment_id: str
    comparison_sign: str
    limit: Fraction

    def is_met_by_committed_numbers(self, number_by_commitment: Mapping[str, Fraction]) -> bool:
        number = number_by_commitment.get(self.commitment_id)
        return number is not None and COMPARISON_FUNCTION_BY_SIGN[self.comparison_sign](number, self.limit)


@dataclass(frozen=True, slots=True)
class BranchCondition:
    """The condition of a branch: all its parts must hold. `names_by_condition_kind`: criteria of the turn (`met`,
    `unmet`, `contradicted`), commitments (`unsaid`), facts (`asked`, `unasked`) and outcomes (`outcome`)."""

    names_by_condition_kind: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    number_tests: tuple[BranchNumberTest, ...] = ()


@dataclass(frozen=True, slots=True)
class Branch:
    """The interviewer's words if `condition` holds (None: otherwise), and the next turn.

    `stays_in_turn`: the same turn continues; `next_turn_id`: the id of the next turn; neither: the next in order."""

    condition: BranchCondition | None
    interviewer_template: str
    next_turn_id: str = ""
    stays_in_turn: bool = False


@dataclass(frozen=True, slots=True)
class Turn:
    """One question of the interviewer. `item` scores it under the id CASE.TURN; `hiring_signal_by_criterion_id` maps
    each criterion to what it shows of a candidate, and the empty name to that of a turn without criteria."""

    id: str
    phase_id: str
    kind: str
    question_template: str
    item: Item
    location: Location
    branches: tuple[Branch, ...] = ()
    hiring_signal_by_criterion_id: Mapping[str, str] = field(default_factory=dict)
    new_text_by_changed_fact_id: Mapping[str, str] = field(default_factory=dict)  # facts that the turn replaces
    is_branch_only: bool = False  # reached only by a branch
    parting_text: str = ""  # the interviewer's words on the way to the next turn
    model_answer: str = ""  # a strong candidate's words
    rephrasing_template: str = ""  # the question, shorter and plainer, with what a complete answer consists of
    required_amount_by_criterion_id: Mapping[str, Quantity] = field(default_factory=dict)  # of the criteria of a text

    @property
    def candidate_asks(self) -> bool:
        return self.kind == CANDIDATE_ASKS_TURN_KIND

    def joined_or_last_response_text(self, responses: Sequence[str]) -> str:
        """The responses to the turn as one text, which is scored and logged; for a number or a choice, the last one."""
        texts = [text for text in responses if text]  # empty after requested help
        return "\n\n".join(texts if self.candidate_asks or self.kind == "text" else texts[-1:])


@dataclass(frozen=True, slots=True)
class Case:
    """One interviewer's case. `item_that_recognizes_fact_requests` is a text item whose criteria are the facts."""

    id: str
    title: str
    allowed_minutes: Fraction
    opening_text: str
    phases: tuple[CasePhase, ...]
    turns: tuple[Turn, ...]
    location: Location
    intended_seniority_text: str = ""
    facts: tuple[Fact, ...] = ()
    committable_numbers: tuple[CommittableNumber, ...] = ()
    title_by_hiring_signal: Mapping[str, str] = field(default_factory=dict)
    item_that_recognizes_fact_requests: Item | None = None
    glossary: Mapping[str, str] = field(default_factory=dict)  # term -> meaning, including the bank's terms

    def turn_by_id(self, turn_id: str) -> Turn:
        return next(t for t in self.turns if t.id == turn_id)

    def fact_by_id(self, fact_id: str) -> Fact:
        return next(f for f in self.facts if f.id == fact_id)

    def phase_by_id(self, phase_id: str) -> CasePhase:
        return next(p for p in self.phases if p.id == phase_id)

    def next_turn_without_branch(self, turn_id: str) -> Turn | None:
        """The next turn in order that can be reached without a branch."""
        later_turns = self.turns[[t.id for t in self.turns].index(turn_id) + 1 :]
        return next((t for t in later_turns if not t.is_branch_only), None)

    def fill_committed_numbers_into_text(self, text: str, number_by_commitment: Mapping[str, Fraction]) -> str:
        """`text` with placeholders such as {tp} replaced by the committed numbers, or else by the usual ones."""
        numbers = {c.id: Fraction(c.number_if_unsaid) for c in self.committable_numbers} | dict(number_by_commitment)
        return re.sub(r"\{(\w+)\}", lambda m: up_to_2_decimals(numbers[m[1]]) if m[1] in numbers else m[0], text)

    def committed_number_texts(self, number_by_id: Mapping[str, Fraction]) -> list[str]:
        """The committed numbers in words: `TP = 8`, `8 replicas`."""
        return [c.name_and_number_text(number_by_id[c.id]) for c in self.committable_numbers if c.id in number_by_id]

    @property
    def item_by_log_id(self) -> dict[str, Item]:
        """The items of the turns, under the ids that logs contain."""
        return {t.item.id: t.item for t in self.turns}


def regex_of_starred_name(name: str) -> str:
    """`tensor parallel*` as a pattern: blanks and hyphens are one, a star ends a word anyhow."""
    pieces = [re.escape(w.removesuffix("*")) + (r"[a-z]*" if w.endswith("*") else "") for w in name.casefold().split()]
    return "[- ]".join(pieces)


def lowercase_term_with_hyphens_as_blanks(text: str) -> str:
    """A term in the form in which terms are compared: small letters, blanks for hyphens.

    >>> lowercase_term_with_hyphens_as_blanks("All-Reduce")
    'all reduce'"""
    return " ".join(text.casefold().replace("-", " ").split())
