"""Turns log lines into verdicts: redraws each variant, and scores equal responses only once. Also the facts about an
item that statistics need."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from itertools import combinations

from quizgen.answer_areas import YET_UNREAD_CELL, NumericAnswerLine, Options, selected_option_texts
from quizgen.draw import SeededRng
from quizgen.model import ZERO, Item, Outcome, Response, Score, Variant
from quizgen.scoring.response import DroppedItemsAndAcceptedResponses, score_response

MAX_QUOTABLE_WORDS = 12  # words quoted of a response that earned nothing
MAX_QUOTABLE_CHARACTERS = 60
_NUMBER_AND_UNIT_PATTERN = re.compile(r"(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)( ?\D.*|)")

DrawnValuePairs = tuple[tuple[str, str], ...]


class VariantFacts:
    """A variant with what follows from it: its drawn values, the order of its options, and a `variant_digest` that
    identifies both; and its key, as text and as a number, which is calculated only for wrong responses."""

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        self.drawn_value_pairs: DrawnValuePairs = tuple(variant.drawn_log_values().items())
        self.shown_option_texts = variant.option_texts_as_shown()
        identity = repr((self.drawn_value_pairs, self.shown_option_texts)).encode("utf-8", "surrogatepass")
        self.variant_digest = blake2b(identity, digest_size=12).hexdigest()

    @cached_property
    def key_text(self) -> str:
        return self.variant.key_text()

    @cached_property
    def key_number_in_answer_unit(self) -> Fraction | None:
        """The key in the item's unit; None if it is no number."""
        return self.variant.response_in_answer_unit(self.key_text)

    def multiple_of_key_text(self, response: Response, score: Score) -> str | None:
        """A wrong number as a multiple of the key, such as `2 times the key`; empty if the response is no number, None
        if the key is not a number."""
        key_match = _NUMBER_AND_UNIT_PATTERN.fullmatch(self.key_text)
        response_match = _NUMBER_AND_UNIT_PATTERN.fullmatch(score.read_as or "")
        if key_match and response_match and key_match[2] == response_match[2]:  # the same unit needs no second reading
            amount, key = (Fraction(parts[1].replace(",", "")) for parts in (response_match, key_match))
        elif self.key_number_in_answer_unit is None:
            return None
        elif (number := self.variant.response_in_answer_unit(response)) is None:
            return ""
        else:
            amount, key = number, self.key_number_in_answer_unit
        if abs(amount / (key or 1)) >= 10**308:  # no float holds it
            return ""
        return f"{float(amount / key):.3g} times the key" if key else f"{float(amount):.3g}"

    def wrong_response_summary(self, response: Response, score: Score) -> str:
        """A wrong response in a few words, for statistics. A number is a multiple of the key, so that a mistake looks
        the same in every variant, with the name of the mistake if known; a short text is itself; anything else is
        empty."""
        if score.outcome in (Outcome.CORRECT, Outcome.BLANK) or response == YET_UNREAD_CELL:
            return ""
        multiple = self.multiple_of_key_text(response, score) if score.outcome is not Outcome.UNREADABLE else None
        if multiple is not None:
            return f"{multiple} ({score.mistake_id})" if multiple and score.mistake_id else multiple
        if score.earned:
            return ""
        words = (response if isinstance(response, str) else "; ".join(response)).casefold().split()
        text = " ".join(words)
        return f'"{text}"' if len(words) <= MAX_QUOTABLE_WORDS and len(text) <= MAX_QUOTABLE_CHARACTERS else ""


@dataclass(slots=True, eq=False)
class Verdict:
    """The score of a response, with what item statistics count: the options it chose, the drawn values of its variant,
    and a wrong response in a few words. `table_row_values` caches the verdict's columns in the table of responses,
    `braceless_score_json` its JSON."""

    item_id: str
    score: Score
    texts_of_chosen_options: tuple[str, ...]
    drawn_value_pairs: DrawnValuePairs
    wrong_response_summary: str
    table_row_values: tuple[object, ...] | None = None
    braceless_score_json: str | None = None


MAX_CACHED_VERDICTS = 800
MAX_CACHED_RESPONSE_CHARACTERS = 2_000  # a longer response hardly ever repeats
MAX_CACHED_VARIANTS = 512


class VariantNotDetermined(ValueError):
    """A log line does not determine the variant; the message says what is missing."""


class Scorer:
    """Scores the responses of log lines against the items of a bank; equal responses are scored once.

    Mutable only in its caches, which are bounded."""

    def __init__(
        self, items: Mapping[str, Item], edits: DroppedItemsAndAcceptedResponses | None = None, statistics: bool = True
    ) -> None:
        """With `statistics`, each verdict also has the options chosen and the response in a few words."""
        self.items = items
        self.changes = edits or DroppedItemsAndAcceptedResponses()
        self._keeps_statistics = statistics
        self._verdict_by_key: OrderedDict[str, Verdict] = OrderedDict()  # the most recently used, last
        self._variant_by_key: dict[tuple[object, ...], VariantFacts] = {}
        self._option_texts_by_item: dict[str, tuple[str, ...]] = {}

    def verdict_on_response(
        self,
        item: Item,
        seed: str | None,
        drawn_values: Mapping[str, str] | None,
        response: Response,
        points: Fraction | None = None,
        hint_count: int = 0,
        earlier_response: Response | None = None,
    ) -> Verdict:
        """The verdict on the response of a line. Raises VariantNotDetermined if `seed` and `drawn_values` determine no
        variant."""
        previous_response = earlier_response if item.previous_part_id else None
        text = _response_cache_key(response, points, hint_count, previous_response)
        key = item.id + text
        if (verdict := self._cached_verdict_or_none(key)) is not None:
            return verdict
        variant_facts = self.variant_facts(item, seed, drawn_values)
        variant_key = f"{item.id}\x1c{variant_facts.variant_digest}{text}"
        if (verdict := self._cached_verdict_or_none(variant_key)) is not None:
            return verdict
        score = score_response(variant_facts.variant, response, points, hint_count, previous_response)
        score = self.changes.score_after_drop_or_acceptance(variant_facts.variant, response, score)
        options = variant_facts.shown_option_texts or self._lettered_option_texts(item)
        pieces = (response,) if isinstance(response, str) else response
        texts = _sorted_chosen_option_texts(variant_facts, options, pieces, score) if self._keeps_statistics else ()
        summary = variant_facts.wrong_response_summary(response, score) if self._keeps_statistics and not texts else ""
        verdict = Verdict(item.id, score, texts, variant_facts.drawn_value_pairs, summary)
        # Neither drawn values nor the order of options matter (several options are listed in the order shown), so the
        # verdict is the same for every seed.
        settled = not variant_facts.drawn_value_pairs and (not options or (len(pieces) == 1 and pieces[0] in options))
        if len(text) <= MAX_CACHED_RESPONSE_CHARACTERS:
            self._verdict_by_key[key if settled else variant_key] = verdict
            if len(self._verdict_by_key) > MAX_CACHED_VERDICTS:
                self._verdict_by_key.popitem(last=False)
        return verdict

    def _cached_verdict_or_none(self, key: str) -> Verdict | None:
        if (verdict := self._verdict_by_key.get(key)) is not None:
            self._verdict_by_key.move_to_end(key)
        return verdict

    def variant_of_line(self, item: Item | None, line: Mapping[str, object]) -> Variant | None:
        """The variant that a line of a session names; None if it names none, or if `item` is None."""
        seed, values = line.get("seed"), line.get("given")
        drawn_values = {str(k): str(v) for k, v in values.items()} if isinstance(values, dict) else None
        with suppress(VariantNotDetermined):
            seed = seed if isinstance(seed, str) else None
            return None if item is None else self.variant_facts(item, seed, drawn_values).variant
        return None

    def variant_facts(self, item: Item, seed: str | None, drawn_values: Mapping[str, str] | None) -> VariantFacts:
        """The variant that `seed` and `drawn_values` determine. Raises VariantNotDetermined."""
        if not drawn_values and (entry := self._variant_by_key.get((item.id,))) is not None:
            return entry
        value_pairs = tuple(drawn_values.items()) if drawn_values else None
        key: tuple[object, ...] = (item.id, seed, value_pairs)
        shared = (item.id, None, value_pairs)
        # Without a shown order, complete drawn values determine the variant, so sessions share it.
        values = drawn_values if drawn_values and not self._lettered_option_texts(item) else None
        if (entry := self._variant_by_key.get(shared if values else key) or self._variant_by_key.get(key)) is not None:
            return entry
        if values:
            with suppress(ValueError):  # some values are missing
                entry, key = VariantFacts(item.rebuild_variant(values, None)), shared
        entry = entry or VariantFacts(_redrawn_variant(item, seed, drawn_values))
        if not entry.drawn_value_pairs and not self._lettered_option_texts(item):  # the same variant for every seed
            key = (item.id,)
        if len(self._variant_by_key) >= MAX_CACHED_VARIANTS:
            del self._variant_by_key[next(iter(self._variant_by_key))]
        self._variant_by_key[key] = entry
        return entry

    def _lettered_option_texts(self, item: Item) -> tuple[str, ...]:
        """The options of an item in any order; empty if it has none, or if their order matters."""
        if item.id not in self._option_texts_by_item:
            self._option_texts_by_item[item.id] = item.draw(SeededRng(item.id, "")).option_texts_as_shown()
        return self._option_texts_by_item[item.id]


def _redrawn_variant(item: Item, seed: str | None, drawn_values: Mapping[str, str] | None) -> Variant:
    try:
        return item.rebuild_variant(drawn_values or {}, None if seed is None else SeededRng(item.id, seed))
    except ValueError as error:
        raise VariantNotDetermined(str(error)) from None


def _response_cache_key(response: Response, points: Fraction | None, hints: int, earlier: Response | None) -> str:
    """The cache key of a response: one string of the response and everything else that its score depends on. No id
    contains a separator."""
    text = f"\x1f{response}" if isinstance(response, str) else f"\x1e{response!r}"
    if points is not None or hints:
        text = f"\x1d{points},{hints}{text}"
    return f"\x1a{earlier!r}{text}" if earlier is not None else text


def _sorted_chosen_option_texts(
    variant_facts: VariantFacts, options: tuple[str, ...], pieces: Sequence[str], score: Score
) -> tuple[str, ...]:
    """The options that the pieces of a response choose, sorted; empty if one cannot be read, if there are no options,
    or if values are drawn."""
    if variant_facts.drawn_value_pairs:
        return ()
    if score.read_as in options:  # a single option need not be read a second time
        return (score.read_as or "",)
    text_lists = [selected_option_texts(piece, options, bool(variant_facts.shown_option_texts)) for piece in pieces]
    return () if None in text_lists else tuple(sorted({option for texts in text_lists for option in texts or ()}))


MAX_OPTIONS_FOR_SUBSET_GUESSES = 10  # options up to which every subset is tried


@dataclass(frozen=True, slots=True)
class ItemOptionsAndKey:
    """Facts of an item before anyone responds: its `option_texts` in order of letters, its `key_texts`, and
    `guessing_share`, the mean share of the points over all guesses: each option or, where several may be right, each
    set of them (None: not fixed, or too many sets)."""

    option_texts: tuple[str, ...] = ()
    key_texts: tuple[str, ...] = ()
    guessing_share: float | None = None


def item_options_and_key(item: Item) -> ItemOptionsAndKey:
    """The facts that hold for every variant of an item; a choice made from drawn values has no fixed options."""
    variant = item.draw(SeededRng(item.id, "0"))
    area = next(reversed(variant.prompt()), None)
    if isinstance(area, NumericAnswerLine):
        return ItemOptionsAndKey(guessing_share=1 / len(area.allowed_words) if area.allowed_words else 0.0)
    if not isinstance(area, Options):
        return ItemOptionsAndKey(guessing_share=0.0)
    texts = [o.text for o in area.options]
    guesses: list[Response] = [*texts]
    if area.allows_several:
        sizes = range(1, len(texts) + 1) if len(texts) <= MAX_OPTIONS_FOR_SUBSET_GUESSES else ()
        guesses = [subset for size in sizes for subset in combinations(texts, size)]
    total_points = sum((variant.score(guess).earned for guess in guesses), ZERO)
    guessing_share = float(total_points / (len(guesses) * item.points)) if guesses else None
    if variant.drawn_log_values():
        return ItemOptionsAndKey(guessing_share=guessing_share)
    keys = next((s.response for s in variant.samples() if s.outcome is Outcome.CORRECT), ())
    return ItemOptionsAndKey(tuple(sorted(texts)), (keys,) if isinstance(keys, str) else tuple(keys), guessing_share)
