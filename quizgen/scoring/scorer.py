"""Log lines to verdicts: each variant redrawn, each different response scored once; what an item says of itself."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from hashlib import blake2b
from itertools import combinations

from quizgen.draw import Stream
from quizgen.model import ZERO, Given, Item, Outcome, Score, Variant
from quizgen.page import Blank, Options, read_letters
from quizgen.scoring.overrides import Changes
from quizgen.scoring.response import score_response
from quizgen.sheet_layout import UNREAD

SUMMARY_WORDS = 12  # of a response that earned nothing, to be told as it is
SUMMARY_LETTERS = 60
_PLAIN = re.compile(r"(-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)( ?\D.*|)")

Drawn = tuple[tuple[str, str], ...]


class VariantKey:
    """The key of a variant as it is written, and as an amount, which only wrong numbers ask for."""

    def __init__(self, variant: Variant) -> None:
        self._variant = variant

    @cached_property
    def text(self) -> str:
        return self._variant.key_text()

    @cached_property
    def amount(self) -> Fraction | None:
        """In the unit asked for; None where the key is not a number."""
        return self._variant.amount(self.text)

    def times(self, response: Given, score: Score) -> str | None:
        """A wrong number to the key; an empty text where it is none, None where the key is none."""
        ours, theirs = _PLAIN.fullmatch(self.text), _PLAIN.fullmatch(score.read_as or "")
        if ours and theirs and ours[2] == theirs[2]:  # the same unit: no need to read it again
            one, other = (float(parts[1].replace(",", "")) for parts in (theirs, ours))
            return f"{one / other:.3g} times the key" if other else f"{one:.3g}"
        if self.amount is None:
            return None
        amount = self._variant.amount(response)
        if amount is None:
            return ""
        return f"{float(amount / self.amount):.3g} times the key" if self.amount else f"{float(amount):.3g}"


def response_summary(key: VariantKey, response: Given, score: Score) -> str:
    """A wrong number as so many times the key, so that it is one mistake in every variant, and the name of that
    mistake where it has one; few words that earned nothing or could not be read as they are. Else an empty text."""
    if score.outcome in (Outcome.CORRECT, Outcome.BLANK) or response == UNREAD:
        return ""
    times = key.times(response, score) if score.outcome is not Outcome.UNREADABLE else None
    if times is not None:
        return f"{times} ({score.diagnosis})" if times and score.diagnosis else times
    if score.earned:
        return ""
    words = (response if isinstance(response, str) else "; ".join(response)).casefold().split()
    text = " ".join(words)
    return f'"{text}"' if len(words) <= SUMMARY_WORDS and len(text) <= SUMMARY_LETTERS else ""


class Verdict:
    """The score of a response, with what item statistics count: the options it chose, the drawn values of its variant,
    and the response in a few words where it earned nothing. `columns` and `line` hold what a table and a file of lines
    have made of it, so that it is made once for all responses that say the same."""

    __slots__ = ("chosen", "columns", "drawn", "item", "line", "score", "summary")

    def __init__(self, item: str, score: Score, chosen: tuple[str, ...], drawn: Drawn, summary: str) -> None:
        self.item = item
        self.score = score
        self.chosen = chosen
        self.drawn = drawn
        self.summary = summary
        self.columns: tuple[object, ...] | None = None
        self.line: str | None = None


class Recent:
    """Verdicts by key, the ones used lately, up to a weight in all."""

    __slots__ = ("_kept", "_limit", "_weight")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._kept: OrderedDict[str, Verdict] = OrderedDict()
        self._weight = 0

    def get(self, key: str) -> Verdict | None:
        verdict = self._kept.get(key)
        if verdict is not None:
            self._kept.move_to_end(key)
        return verdict

    def put(self, key: str, value: Verdict) -> None:
        """Remember a verdict that `get` did not find."""
        self._kept[key] = value
        self._weight += _weight(key, value)
        while self._weight > self._limit and len(self._kept) > 1:
            self._weight -= _weight(*self._kept.popitem(last=False))


def _weight(key: str, verdict: Verdict) -> int:
    """What remembering costs: a choice or a number weighs 1, a text 4 for each further mark, for texts are hardly ever
    given twice."""
    return max(1, 4 * len(verdict.score.marks) - 3) + len(key) // 256


MEMO = 4_096  # verdicts remembered; long texts count more
VARIANTS = 512

# The fourth: a mark of the drawn values and the order. The last: its key.
Drawing = tuple[Variant, Drawn, tuple[str, ...], str, VariantKey]


class NoVariant(ValueError):
    """The line does not say which variant was met; the message says what is missing."""


class Scorer:
    """Scores the responses of log lines against the items of a bank, each different one once.

    Mutable only in what it remembers; the memory is bounded.
    """

    def __init__(self, items: Mapping[str, Item], changes: Changes | None = None, statistics: bool = True) -> None:
        """`statistics`: verdicts say which options were chosen, and the response in few words, for item statistics."""
        self.items = items
        self.changes = changes or Changes()
        self._changed = bool(self.changes)
        self._statistics = statistics
        self._memo = Recent(MEMO)
        self._variants: dict[tuple[object, ...], Drawing] = {}
        self._fixed: dict[str, Drawing] = {}  # of items that have one variant
        self._orders: dict[str, tuple[str, ...]] = {}
        self._outside: dict[tuple[str, tuple[tuple[str, str], ...]], tuple[str, ...]] = {}

    def verdict(
        self,
        item: Item,
        seed: str | None,
        given: Mapping[str, str] | None,
        response: Given,
        points: Fraction | None = None,
        hints: int = 0,
        earlier: Given | None = None,
    ) -> Verdict:
        """The verdict on one line. Raises NoVariant where seed and `given` do not fix the variant."""
        before = earlier if item.after else None
        text = _key_of(response, points, hints, before)
        key = item.id + text
        known = self._memo.get(key)
        if known is not None:
            return known
        variant, drawn, order, tag, answer = self._drawing(item, seed, given)
        full = f"{item.id}\x1c{tag}{text}"
        known = self._memo.get(full)
        if known is not None:
            return known
        score = score_response(variant, response, points, hints, before)
        if self._changed:
            score = self.changes.apply(variant, response, score)
        options = order or self._order(item)
        chosen: tuple[str, ...] = ()
        summary = ""
        if self._statistics:
            chosen = _chosen(options, response, bool(order)) if not drawn else ()
            summary = response_summary(answer, response, score) if not chosen else ""
        known = Verdict(item.id, score, chosen, drawn, summary)
        # Neither draws nor the order of options can matter (several options are told in the order shown):
        # whatever the seed, this is the verdict.
        settled = not drawn and (not options or _is_option(response, options))
        self._memo.put(key if settled else full, known)
        return known

    def outside(self, item: Item, given: Mapping[str, str]) -> tuple[str, ...]:
        """The names of a line's drawn values that no variant of the item has."""
        key = (item.id, tuple(given.items()))
        known = self._outside.get(key)
        if known is None:
            if len(self._outside) >= VARIANTS:
                self._outside.clear()
            known = self._outside[key] = item.outside(given)
        return known

    def variant(
        self, item: Item, seed: str | None, given: Mapping[str, str] | None
    ) -> tuple[Variant, Drawn, tuple[str, ...]]:
        """The variant of a line, its drawn values and the order of its options."""
        return self._drawing(item, seed, given)[:3]

    def of_line(self, item: Item, line: Mapping[str, object]) -> Variant:
        """The variant that a line of a session names. Raises NoVariant."""
        seed, given = line.get("seed"), line.get("given")
        drawn = {str(k): str(v) for k, v in given.items()} if isinstance(given, dict) else None
        return self._drawing(item, seed if isinstance(seed, str) else None, drawn)[0]

    def _drawing(self, item: Item, seed: str | None, given: Mapping[str, str] | None) -> Drawing:
        if not given and item.id in self._fixed:
            return self._fixed[item.id]
        drawn_by = tuple(given.items()) if given else None
        key, shared = (item.id, seed, drawn_by), (item.id, None, drawn_by)
        # Where no order is shown, drawn values alone fix the variant if none is lacking: sessions then share it.
        values = given if given and not self._order(item) else None
        known = self._variants.get(shared if values else key) or self._variants.get(key)
        if known is not None:
            return known
        variant = self._by_values(item, values) if values else None
        if variant is not None:
            key = shared
        else:
            variant = self._redrawn(item, seed, given)
        drawn, order = tuple(variant.drawn().items()), variant.order()
        tag = blake2b(repr((drawn, order)).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        known = (variant, drawn, order, tag, VariantKey(variant))
        if not drawn and not self._order(item):  # whatever the seed, it is this variant
            self._fixed[item.id] = known
            return known
        if len(self._variants) >= VARIANTS:
            del self._variants[next(iter(self._variants))]
        self._variants[key] = known
        return known

    @staticmethod
    def _by_values(item: Item, given: Mapping[str, str]) -> Variant | None:
        """The variant that drawn values alone fix; None where they lack something, which a seed may draw."""
        try:
            return item.redraw(given, None)
        except ValueError:
            return None

    @staticmethod
    def _redrawn(item: Item, seed: str | None, given: Mapping[str, str] | None) -> Variant:
        stream = None if seed is None else Stream(item.id, seed)
        try:
            return item.redraw(given or {}, stream)
        except ValueError as error:
            raise NoVariant(str(error)) from None

    def _order(self, item: Item) -> tuple[str, ...]:
        """The options of an item in some order; nothing where it has none or their order means nothing."""
        order = self._orders.get(item.id)
        if order is None:
            order = self._orders[item.id] = item.draw(Stream(item.id, "")).order()
        return order


def _key_of(response: Given, points: Fraction | None, hints: int, earlier: Given | None) -> str:
    """A response and what else its score depends on, as one string, the smallest thing that can be looked up. No id
    holds a separator."""
    text = f"\x1f{response}" if isinstance(response, str) else f"\x1e{response!r}"
    if points is not None or hints:
        text = f"\x1d{points},{hints}{text}"
    return f"\x1a{earlier!r}{text}" if earlier is not None else text


def _is_option(response: Given, options: tuple[str, ...]) -> bool:
    """Whether a response is the text of one option."""
    pieces = (response,) if isinstance(response, str) else response
    return len(pieces) == 1 and pieces[0] in options


def _chosen(options: tuple[str, ...], response: Given, lettered: bool) -> tuple[str, ...]:
    """The options that a response takes; empty where it cannot be read or there are none."""
    pieces = (response,) if isinstance(response, str) else response
    chosen: list[str] = []
    for piece in pieces:
        read = read_letters(piece, options, lettered)
        if read is None:
            return ()
        chosen.extend(read)
    return tuple(sorted(set(chosen)))


MOST_SUBSETS = 10  # options up to which every subset is tried


@dataclass(frozen=True, slots=True)
class Facts:
    """What an item says about itself before anyone responds: its `options` in the order that the bank implies, its
    `keys`, and what a guess earns; `guessing` None: a guess has no fixed chance."""

    options: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    guessing: float | None = None


def facts_of(item: Item) -> Facts:
    """Facts that hold for every variant of an item; a choice made from drawn values has no fixed options."""
    variant = item.draw(Stream(item.id, "0"))
    prompt = variant.prompt()
    area = prompt[-1] if prompt else None
    if isinstance(area, Blank):
        return Facts(guessing=1 / len(area.words) if area.words else 0.0)
    if not isinstance(area, Options):
        return Facts(guessing=0.0)
    options = tuple(o.text for o in area.options)
    guesses: list[Given] = list(options)
    if area.several:
        sizes = range(1, len(options) + 1) if len(options) <= MOST_SUBSETS else ()
        guesses = [subset for size in sizes for subset in combinations(options, size)]
    earned = sum((variant.score(guess).earned for guess in guesses), ZERO)
    guessing = float(earned / (len(guesses) * (item.points or 1))) if guesses else None
    if variant.drawn():
        return Facts(guessing=guessing)
    return Facts(tuple(sorted(options)), _keys_of(variant), guessing)


def _keys_of(variant: Variant) -> tuple[str, ...]:
    """The options that are right."""
    right = next((s.response for s in variant.samples() if s.outcome is Outcome.CORRECT), ())
    return (right,) if isinstance(right, str) else tuple(right)
