"""Turns log lines into verdicts: redraws each variant, and scores equal responses only once. Also the facts about an
item that statistics need."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from itertools import combinations

from quizgen.answer_areas import UNREAD_CELL, NumericAnswerLine, Options, read_selected_options
from quizgen.draw import SeededRng
from quizgen.model import ZERO, Item, Outcome, Response, Score, Variant
from quizgen.scoring.overrides import ScoringChanges
from quizgen.scoring.response import score_response

MAX_SUMMARY_WORDS = 12  # words quoted of a response that earned nothing
MAX_SUMMARY_LETTERS = 60
_PLAIN_NUMBER_PATTERN = re.compile(r"(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)( ?\D.*|)")

DrawnValuePairs = tuple[tuple[str, str], ...]


class AnswerKey:
    """The key of a variant, as text and as a number; the number is calculated only for wrong numeric responses."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    @cached_property
    def key_text(self) -> str:
        return self._variant.key_text()

    @cached_property
    def key_amount(self) -> Fraction | None:
        """The key in the item's unit; None if it is no number."""
        return self._variant.number_in(self.key_text)

    def as_multiple_of_key(self, response: Response, score: Score) -> str | None:
        """A wrong number as a multiple of the key, such as `2 times the key`; empty if the response is no number, None
        if the key is not a number."""
        ours = _PLAIN_NUMBER_PATTERN.fullmatch(self.key_text)
        theirs = _PLAIN_NUMBER_PATTERN.fullmatch(score.read_as or "")
        if ours and theirs and ours[2] == theirs[2]:  # the same unit needs no second reading
            one, other = (float(parts[1].replace(",", "")) for parts in (theirs, ours))
            return f"{one / other:.3g} times the key" if other else f"{one:.3g}"
        if self.key_amount is None:
            return None
        amount = self._variant.number_in(response)
        if amount is None:
            return ""
        return f"{float(amount / self.key_amount):.3g} times the key" if self.key_amount else f"{float(amount):.3g}"


def wrong_response_summary(answer_key: AnswerKey, response: Response, score: Score) -> str:
    """A wrong response in a few words, for statistics. A number is a multiple of the key, so that a mistake looks the
    same in every variant, with the name of the mistake if known; a short text is itself; anything else is empty."""
    if score.outcome in (Outcome.CORRECT, Outcome.BLANK) or response == UNREAD_CELL:
        return ""
    times = answer_key.as_multiple_of_key(response, score) if score.outcome is not Outcome.UNREADABLE else None
    if times is not None:
        return f"{times} ({score.mistake_id})" if times and score.mistake_id else times
    if score.earned:
        return ""
    words = (response if isinstance(response, str) else "; ".join(response)).casefold().split()
    text = " ".join(words)
    return f'"{text}"' if len(words) <= MAX_SUMMARY_WORDS and len(text) <= MAX_SUMMARY_LETTERS else ""


@dataclass(slots=True, eq=False)
class Verdict:
    """The score of a response, with what item statistics count: the options it chose, the drawn values of its variant,
    and a wrong response in a few words (`wrong_response_summary`). `table_columns` caches the verdict's columns in the
    table of responses, `score_fields_json` its JSON."""

    item_id: str
    score: Score
    chosen_options: tuple[str, ...]
    drawn_value_pairs: DrawnValuePairs
    wrong_response_summary: str
    table_columns: tuple[object, ...] | None = None
    score_fields_json: str | None = None


class VerdictCache:
    """The most recently used verdicts by key, up to a total weight of `limit`."""

    __slots__ = ("_kept", "_limit", "_weight")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, Verdict] = OrderedDict()
        self._weight = 0

    def get(self, key: str) -> Verdict | None:
        """The verdict stored under a key; None if there is none."""
        verdict = self._kept.get(key)
        if verdict is not None:
            self._kept.move_to_end(key)
        return verdict

    def put(self, key: str, value: Verdict) -> None:
        """Stores a verdict that `get` did not find."""
        self._kept[key] = value
        self._weight += _cache_weight(key, value)
        while self._weight > self._limit and len(self._kept) > 1:
            self._weight -= _cache_weight(*self._kept.popitem(last=False))


def _cache_weight(key: str, verdict: Verdict) -> int:
    """The weight of a verdict in the cache: 1 for a choice or a number, 4 more for each further mark of a text, as
    texts hardly ever repeat."""
    return max(1, 4 * len(verdict.score.marks) - 3) + len(key) // 256


MAX_CACHED_VERDICTS = 4_096  # verdicts remembered; a long text counts as several
MAX_CACHED_VARIANTS = 512

# The fourth identifies drawn values and order, the last is the key.
DrawnVariant = tuple[Variant, DrawnValuePairs, tuple[str, ...], str, AnswerKey]


class VariantNotDetermined(ValueError):
    """A log line does not determine the variant; the message says what is missing."""


class Scorer:
    """Scores the responses of log lines against the items of a bank; equal responses are scored once.

    Mutable only in its caches, which are bounded."""

    def __init__(
        self, items: Mapping[str, Item], changes: ScoringChanges | None = None, statistics: bool = True
    ) -> None:
        """With `statistics`, each verdict also has the options chosen and the response in a few words."""
        self.items = items
        self.changes = changes or ScoringChanges()
        self._changed = bool(self.changes)
        self._statistics = statistics
        self._memo = VerdictCache(MAX_CACHED_VERDICTS)
        self._variants: dict[tuple[object, ...], DrawnVariant] = {}
        self._fixed: dict[str, DrawnVariant] = {}  # items with a single variant
        self._orders: dict[str, tuple[str, ...]] = {}

    def verdict(
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
        before = earlier_response if item.after else None
        text = _response_cache_key(response, points, hint_count, before)
        key = item.id + text
        known = self._memo.get(key)
        if known is not None:
            return known
        variant, drawn, order, tag, answer = self._drawn_variant(item, seed, drawn_values)
        full = f"{item.id}\x1c{tag}{text}"
        known = self._memo.get(full)
        if known is not None:
            return known
        score = score_response(variant, response, points, hint_count, before)
        if self._changed:
            score = self.changes.apply_to_score(variant, response, score)
        options = order or self._unordered_options(item)
        chosen: tuple[str, ...] = ()
        summary = ""
        if self._statistics:
            if score.read_as in options:  # a single option, which need not be read a second time
                chosen = (score.read_as,) if not drawn else ()
            elif not drawn:
                chosen = _chosen_options(options, response, bool(order))
            summary = wrong_response_summary(answer, response, score) if not chosen else ""
        known = Verdict(item.id, score, chosen, drawn, summary)
        # Neither drawn values nor the order of options matter (several options are listed in the order shown), so the
        # verdict is the same for every seed.
        settled = not drawn and (not options or _is_single_option(response, options))
        self._memo.put(key if settled else full, known)
        return known

    def find_variant(
        self, item: Item, seed: str | None, drawn_values: Mapping[str, str] | None
    ) -> tuple[Variant, DrawnValuePairs, tuple[str, ...]]:
        """The variant that `seed` and `drawn_values` determine, its drawn values, and the order of its options. Raises
        VariantNotDetermined."""
        return self._drawn_variant(item, seed, drawn_values)[:3]

    def variant_of_line(self, item: Item | None, line: Mapping[str, object]) -> Variant | None:
        """The variant that a line of a session names; None if it names none, or if `item` is None."""
        seed, given = line.get("seed"), line.get("given")
        drawn = {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else None
        try:
            return (
                self._drawn_variant(item, seed if isinstance(seed, str) else None, drawn)[0]
                if item is not None
                else None
            )
        except VariantNotDetermined:
            return None

    def _drawn_variant(self, item: Item, seed: str | None, drawn_values: Mapping[str, str] | None) -> DrawnVariant:
        if not drawn_values and item.id in self._fixed:
            return self._fixed[item.id]
        drawn_by = tuple(drawn_values.items()) if drawn_values else None
        key, shared = (item.id, seed, drawn_by), (item.id, None, drawn_by)
        # Without a shown order, complete drawn values determine the variant, so sessions share it.
        values = drawn_values if drawn_values and not self._unordered_options(item) else None
        known = self._variants.get(shared if values else key) or self._variants.get(key)
        if known is not None:
            return known
        variant = self._variant_of_drawn_values(item, values) if values else None
        if variant is not None:
            key = shared
        else:
            variant = self._redraw(item, seed, drawn_values)
        drawn, order = tuple(variant.drawn_value_texts().items()), variant.options_in_order()
        tag = blake2b(repr((drawn, order)).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        known = (variant, drawn, order, tag, AnswerKey(variant))
        if not drawn and not self._unordered_options(item):  # the same variant for every seed
            self._fixed[item.id] = known
            return known
        if len(self._variants) >= MAX_CACHED_VARIANTS:
            del self._variants[next(iter(self._variants))]
        self._variants[key] = known
        return known

    @staticmethod
    def _variant_of_drawn_values(item: Item, drawn_values: Mapping[str, str]) -> Variant | None:
        """The variant that the drawn values determine without a seed; None if some values are missing."""
        try:
            return item.redraw(drawn_values, None)
        except ValueError:
            return None

    @staticmethod
    def _redraw(item: Item, seed: str | None, drawn_values: Mapping[str, str] | None) -> Variant:
        stream = None if seed is None else SeededRng(item.id, seed)
        try:
            return item.redraw(drawn_values or {}, stream)
        except ValueError as error:
            raise VariantNotDetermined(str(error)) from None

    def _unordered_options(self, item: Item) -> tuple[str, ...]:
        """The options of an item in any order; empty if it has none, or if their order matters."""
        order = self._orders.get(item.id)
        if order is None:
            order = self._orders[item.id] = item.draw(SeededRng(item.id, "")).options_in_order()
        return order


def _response_cache_key(response: Response, points: Fraction | None, hints: int, earlier: Response | None) -> str:
    """The cache key of a response: one string of the response and everything else that its score depends on. No id
    contains a separator."""
    text = f"\x1f{response}" if isinstance(response, str) else f"\x1e{response!r}"
    if points is not None or hints:
        text = f"\x1d{points},{hints}{text}"
    return f"\x1a{earlier!r}{text}" if earlier is not None else text


def _is_single_option(response: Response, options: tuple[str, ...]) -> bool:
    """Whether a response is the text of exactly one option."""
    pieces = (response,) if isinstance(response, str) else response
    return len(pieces) == 1 and pieces[0] in options


def _chosen_options(options: tuple[str, ...], response: Response, is_order_known: bool) -> tuple[str, ...]:
    """The options that a response chooses, sorted; empty if it cannot be read or there are no options."""
    pieces = (response,) if isinstance(response, str) else response
    chosen: list[str] = []
    for piece in pieces:
        read = read_selected_options(piece, options, is_order_known)
        if read is None:
            return ()
        chosen.extend(read)
    return tuple(sorted(set(chosen)))


MAX_OPTIONS_FOR_SUBSET_GUESSES = 10  # options up to which every subset is tried


@dataclass(frozen=True, slots=True)
class ItemOptionsAndKey:
    """Facts of an item before anyone responds: its `option_texts` in order of letters, its `key_texts`, and
    `guessing_share`, the share of the points that a guess earns on average (None: not fixed)."""

    option_texts: tuple[str, ...] = ()
    key_texts: tuple[str, ...] = ()
    guessing_share: float | None = None


def item_options_and_key(item: Item) -> ItemOptionsAndKey:
    """The facts that hold for every variant of an item; a choice made from drawn values has no fixed options."""
    variant = item.draw(SeededRng(item.id, "0"))
    prompt = variant.prompt()
    area = prompt[-1] if prompt else None
    if isinstance(area, NumericAnswerLine):
        return ItemOptionsAndKey(guessing_share=1 / len(area.answer_words) if area.answer_words else 0.0)
    if not isinstance(area, Options):
        return ItemOptionsAndKey(guessing_share=0.0)
    guessing = _guessing_share(item, variant, area)
    if variant.drawn_value_texts():
        return ItemOptionsAndKey(guessing_share=guessing)
    keys = next((s.response for s in variant.samples() if s.outcome is Outcome.CORRECT), ())
    options = tuple(sorted(o.text for o in area.options))
    return ItemOptionsAndKey(options, (keys,) if isinstance(keys, str) else tuple(keys), guessing)


def _guessing_share(item: Item, variant: Variant, area: Options) -> float | None:
    """The mean share of the points over all guesses: each option or, where several may be right, each set of them.
    None if there are too many sets."""
    guesses: list[Response] = [o.text for o in area.options]
    if area.allows_several:
        sizes = range(1, len(guesses) + 1) if len(guesses) <= MAX_OPTIONS_FOR_SUBSET_GUESSES else ()
        guesses = [subset for size in sizes for subset in combinations([o.text for o in area.options], size)]
    earned = sum((variant.score(guess).earned for guess in guesses), ZERO)
    return float(earned / (len(guesses) * (item.points or 1))) if guesses else None
