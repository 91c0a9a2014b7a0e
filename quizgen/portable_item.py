"""The neutral form of a variant, for exporters: without classes of a kind, formulas or rubrics.

Texts are Markdown as authors write it. `PortableItem.content_by_name` names the content that a format may be unable to
hold."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Context, Decimal
from fractions import Fraction

from quizgen.answer_areas import ChoiceOption as ChoiceOption
from quizgen.inline import Image
from quizgen.page import Block, DrawnFigure, walk_page
from quizgen.source.problems import read_decimal

MAX_EXPORTED_SIGNIFICANT_DIGITS = 12  # significant digits of a number in an exported file
_NUMBER_AT_OPTION_START_PATTERN = re.compile(r"[-+−]?[\d.,]*\d(?:[eE][-+]?\d+)?")


@dataclass(frozen=True, slots=True)
class PortableNumber:
    """A numeric key in `unit` (empty: a bare number), its relative tolerance (0: exact), known mistakes with their
    remarks, and further units that a response may use, with their size in `unit`. `margin_if_zero`: the absolute
    tolerance of a key that is 0, for which a relative one has no meaning; `max_accepted_rounding_error`: the largest of
    an accepted rounded key (0: none is accepted); `has_own_unit_words`: the bank has its own words for the unit;
    `has_mistakes_with_credit`: there are further mistakes, which earn a part of the points."""

    value: Fraction
    unit: str = ""
    relative_tolerance: Fraction = Fraction(0)
    mistakes: tuple[tuple[Fraction, str], ...] = ()
    other_units_with_size: tuple[tuple[str, Fraction], ...] = ()
    margin_if_zero: Fraction = Fraction(0)
    max_accepted_rounding_error: Fraction = Fraction(0)
    has_own_unit_words: bool = False
    has_mistakes_with_credit: bool = False

    @classmethod
    def from_margin(cls, value: Fraction, margin: Fraction, unit: str = "") -> PortableNumber:
        """The key `value` with the absolute tolerance `margin`."""
        return cls(value, unit, margin / abs(value)) if value else cls(value, unit, margin_if_zero=margin)

    @property
    def margin(self) -> Fraction:
        """The absolute tolerance, for a format with only one; large enough for the key as people round it."""
        value = abs(self.value)
        return max(value * self.relative_tolerance, self.max_accepted_rounding_error) if value else self.margin_if_zero


@dataclass(frozen=True, slots=True, kw_only=True)
class PortableItem:
    """A variant in the neutral form for exporters.

    `variant` distinguishes the drawings of one item (empty: the only one); `prompt_blocks`: the stem with all that
    belongs to it; `facts_on_request`: told if asked for; `steps`: a derivation; `stimulus_id` and
    `previous_part_id`: the ids of its stimulus and of the part before it. Of `options`, `number`, and `criteria` with
    `model_answer`, only those of its kind are set."""

    id: str
    kind: str
    stem: str
    points: Fraction
    seconds: int
    variant: str = ""
    topic: str = ""
    difficulty: int | None = None
    rationale: str = ""
    source: str = ""
    hints: tuple[str, ...] = ()
    facts_on_request: tuple[str, ...] = ()
    follow_ups: tuple[str, ...] = ()
    stimulus_id: str = ""
    previous_part_id: str = ""
    drawn_values: Mapping[str, str] = field(default_factory=dict)
    prompt_blocks: tuple[Block, ...] = ()
    steps: tuple[Block, ...] = ()
    options: tuple[ChoiceOption, ...] = ()
    credit_policy: str = "all"
    has_fixed_option_order: bool = False
    number: PortableNumber | None = None
    criteria: tuple[tuple[Fraction, str], ...] = ()
    model_answer: str = ""

    @property
    def id_with_variant(self) -> str:
        """The item's id, followed by the number of the drawing if there are several."""
        return f"{self.id}.{self.variant}" if self.variant else self.id

    @property
    def variant_group_id(self) -> str:
        """The name by which all drawings of one item are grouped."""
        return self.id if self.variant else ""

    @property
    def stem_with_unit(self) -> str:
        """The stem with the unit of a bare number at the end, since most programs have no other place for it."""
        unit = self.number.unit if self.number is not None else ""
        return f"{self.stem}\n\nAnswer in {unit}." if unit else self.stem

    @property
    def forbids_option_shuffle(self) -> bool:
        """Whether an option has a fixed place, so that another program must not shuffle the options."""
        return self.has_fixed_option_order or any(o.stays_last for o in self.options)

    @property
    def keys(self) -> tuple[ChoiceOption, ...]:
        return tuple(o for o in self.options if o.is_right)

    def content_by_name(self) -> dict[str, object]:
        """All content besides the stem, by the names of an exporter's `supported_content`; a false value means that the
        variant has none."""
        has_several = len(self.keys) > 1
        number = self.number
        return {
            "several keys": has_several,
            **{f"policy {policy}": has_several and policy == self.credit_policy for policy in ("all", "net", "each")},
            "places of options": self.forbids_option_shuffle,
            "reasons": any(o.because for o in self.options),
            "unit": number is not None and number.unit,
            "other units": number is not None and number.other_units_with_size,
            "unit spellings": number is not None and number.has_own_unit_words,
            "tolerance apart from rounding": number is not None
            and number.max_accepted_rounding_error > abs(number.value) * number.relative_tolerance,
            "misconceptions": number is not None and number.mistakes,
            "partial credit": number is not None and number.has_mistakes_with_credit,
            "formula": number is not None,
            "figures": any(isinstance(p, Image | DrawnFigure) for p in walk_page((self.prompt_blocks, self.steps))),
            "drawing": self.drawn_values,
            "model answer": self.model_answer,
            "criteria": self.criteria,
            "phrases": self.criteria,
            "rationale": self.rationale,
            "source": self.source,
            "hints": self.hints,
            "given": self.facts_on_request,
            "follow-ups": self.follow_ups,
            "stimulus": self.stimulus_id,
            "after": self.previous_part_id,
            "topic": self.topic,
            "difficulty": self.difficulty,
            "points": self.points != 1,
            "seconds": True,
        }


def decimal(value: Fraction) -> str:
    """A whole number in full, any other as at most twelve plain digits, never with an exponent, as other programs
    refuse `3e-09`."""
    number = Context(prec=MAX_EXPORTED_SIGNIFICANT_DIGITS).divide(Decimal(value.numerator), Decimal(value.denominator))
    text = f"{number:f}" if value.denominator > 1 else str(value.numerator)
    return (text.rstrip("0").rstrip(".") or "0") if "." in text else text


def sort_texts_by_number(option_texts: Sequence[str]) -> tuple[str, ...]:
    """The options sorted by number if each begins with one, otherwise as they stand."""
    matches = [_NUMBER_AT_OPTION_START_PATTERN.match(text.strip().lstrip("$≈~ ")) for text in option_texts]
    numbers = [read_decimal(match[0].replace("−", "-").replace(",", "")) if match else None for match in matches]
    if None in numbers:
        return tuple(option_texts)
    return tuple(text for _, text in sorted(zip(numbers, option_texts, strict=True)))
