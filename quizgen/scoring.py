"""Responses to scores: one function for one response of a variant, and a scorer that remembers.

Pure: no clock, no files. A `Scorer` redraws the variant of a log line, scores the response once
and remembers the verdict, so that a thousand equal responses cost one scoring.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction

from quizgen.blocks import read_letters
from quizgen.draw import Stream
from quizgen.model import ZERO, Given, Item, Mark, Outcome, Score, Variant, after_hints, scaled

# Sums are kept in whole units of a point, so that their order cannot matter. The unit divides every
# fraction with a denominator up to 16 and six decimals; anything finer is rounded to 1e-12 points.
UNIT = 720_720_000_000

MEMO = 24_576  # verdicts remembered; long texts count more
VARIANTS = 2_048

Drawn = tuple[tuple[str, str], ...]


def units(points: Fraction) -> int:
    """Points in whole units, rounded half to even."""
    return round(points * UNIT)


def score_response(variant: Variant, response: Given, points: Fraction | None = None, hints: int = 0) -> Score:
    """What a response to a variant earns, out of `points` (None: the item's own), less its hints."""
    score = scaled(variant.score(response), points)
    return judged(after_hints(score, hints)) if hints > 0 else score


def judged(score: Score) -> Score:
    """The score with the outcome that its marks now deserve."""
    if score.outcome in (Outcome.BLANK, Outcome.UNREADABLE) and score.earned == 0:
        return score
    earned, possible = score.earned, score.possible
    if possible == 0:
        return score
    outcome = Outcome.CORRECT if earned >= possible else Outcome.INCORRECT if earned <= 0 else Outcome.PARTIAL
    return replace(score, outcome=outcome)


@dataclass(frozen=True, slots=True)
class Override:
    """What a person decided: points for one criterion of an item, or (no criterion) for all of it."""

    criterion: str
    earned: Fraction
    reason: str


def overridden(score: Score, overrides: Collection[Override]) -> Score:
    """The score after a person's decisions, each with its reason; points stay within what is possible."""
    for one in overrides:
        note = f"set to {shown_points(one.earned)} by hand: {one.reason or 'no reason given'}"
        if one.criterion:
            marks = tuple(
                replace(m, earned=min(max(one.earned, ZERO), m.possible), because=note, status=_status(one.earned, m))
                if m.criterion == one.criterion and m.possible
                else m
                for m in score.marks
            )
        else:
            wanted = min(max(one.earned, ZERO), score.possible)
            marks = (*score.marks, Mark("by-hand", wanted - score.earned, ZERO, note))
        possible = score.possible
        score = judged(replace(score, marks=marks, outcome=Outcome.PARTIAL if possible else score.outcome, review=()))
    return score


def _status(earned: Fraction, mark: Mark) -> str:
    return "found" if earned >= mark.possible else "missing" if earned <= 0 else "partial"


def shown_points(points: Fraction) -> str:
    """Points as people write them: at most six decimals, no trailing zeros."""
    if points.denominator == 1:
        return str(points.numerator)
    text = f"{float(round(points, 6)):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


@dataclass(frozen=True, slots=True)
class Changes:
    """What a person changed about the scoring of a whole log: items dropped, responses accepted."""

    dropped: frozenset[str] = frozenset()
    accepted: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.dropped or self.accepted)

    def apply(self, variant: Variant, response: Given, score: Score) -> Score:
        name = variant.item.id
        if name in self.dropped:
            return Score(score.outcome, (Mark("dropped", ZERO, ZERO, "the item was dropped"),), score.read_as)
        for text in self.accepted.get(name, ()):
            same = score.read_as is not None and variant.score(text).read_as == score.read_as
            if same or _folded(text) == _folded(response):
                because = f'"{text}" was accepted by hand'
                mark = Mark("accepted", score.possible, score.possible, because, "found")
                return Score(Outcome.CORRECT, (mark,), score.read_as, None, (because,))
        return score


def _folded(given: Given) -> str:
    text = given if isinstance(given, str) else ", ".join(given)
    return " ".join(text.split()).casefold()


class Verdict:
    """What is known of one scored response.

    `summary` is a plain tuple that survives any copy: (item, outcome, earned and possible in units,
    options chosen, diagnosis, drawn values). `score` and `tail` (the score as text) are there only
    where the scorer was asked to keep them: most runs need neither, and memory is for remembering.
    """

    __slots__ = ("score", "summary", "tail")

    def __init__(
        self, summary: tuple[str, str, int, int, tuple[str, ...], str | None, Drawn], score: Score | None, tail: str
    ) -> None:
        self.summary = summary
        self.score = score
        self.tail = tail

    @classmethod
    def of(cls, item: str, score: Score, chosen: tuple[str, ...], drawn: Drawn, tail: str = "") -> Verdict:
        earned, possible = units(score.earned), units(score.possible)
        return cls((item, str(score.outcome), earned, possible, chosen, score.diagnosis, drawn), score, tail)


class Recent:
    """Values by key, the ones used lately: two generations, the older dropped when the younger is full."""

    __slots__ = ("_limit", "_old", "_weight", "_young")

    def __init__(self, limit: int) -> None:
        self._limit = limit // 2
        self._young: dict[tuple[object, ...], Verdict] = {}
        self._old: dict[tuple[object, ...], Verdict] = {}
        self._weight = 0

    def get(self, key: tuple[object, ...]) -> Verdict | None:
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is not None:
                self.put(key, found, 1)
        return found

    def put(self, key: tuple[object, ...], value: Verdict, weight: int) -> None:
        self._young[key] = value
        self._weight += weight
        if self._weight > self._limit:
            self._old, self._young, self._weight = self._young, {}, 0


class NoVariant(ValueError):
    """The line does not say which variant was met; the message says what is missing."""


class Scorer:
    """Scores the responses of log lines against the items of a bank, each different one once.

    Mutable only in what it remembers; the memory is bounded.
    """

    def __init__(
        self,
        items: Mapping[str, Item],
        changes: Changes | None = None,
        write: Callable[[str, Score], str] | None = None,
        keep: bool = True,
    ) -> None:
        """`write` turns a score into the text of its line; `keep` keeps each score with its verdict."""
        self.items = items
        self.changes = changes or Changes()
        self._write = write
        self._keep = keep
        self._memo = Recent(MEMO)
        self._variants: dict[tuple[object, ...], tuple[Variant, Drawn, tuple[str, ...]]] = {}
        self._orders: dict[str, bool] = {}

    def verdict(
        self,
        item: Item,
        seed: str | None,
        given: Mapping[str, str] | None,
        response: Given,
        points: Fraction | None = None,
        hints: int = 0,
    ) -> Verdict:
        """The verdict on one line. Raises NoVariant where seed and `given` do not fix the variant."""
        key = (item.id, response, points, hints)
        found = self._memo.get(key)
        if found is not None:
            return found
        variant, drawn, order = self.variant(item, seed, given)
        full = (key, drawn, order)
        found = self._memo.get(full)
        if found is not None:
            return found
        score = score_response(variant, response, points, hints)
        if self.changes:
            score = self.changes.apply(variant, response, score)
        options = order or _any_order(item)
        chosen = () if drawn else _chosen(options, response, bool(order))
        found = Verdict.of(item.id, score, chosen, drawn, self._write(item.id, score) if self._write else "")
        # Neither draws nor the order of options can matter: whatever the seed, this is the verdict.
        pieces = (response,) if isinstance(response, str) else response
        settled = not drawn and (not options or all(p in options for p in pieces))
        weight = 1 + (len(found.tail) + sum(map(len, pieces))) // 512
        if not self._keep:
            found.score = None
        else:
            weight += len(score.marks)
        self._memo.put(key if settled else full, found, weight)
        return found

    def variant(
        self, item: Item, seed: str | None, given: Mapping[str, str] | None
    ) -> tuple[Variant, Drawn, tuple[str, ...]]:
        """The variant of a line, its drawn values and the order of its options."""
        drawn_by = tuple(given.items()) if given else None
        # Where no order is shown, drawn values alone fix the variant: sessions then share it.
        key = (item.id, None if given and not self._ordered(item) else seed, drawn_by)
        found = self._variants.get(key)
        if found is not None:
            return found
        variant = self._redrawn(item, seed, given)
        found = (variant, tuple(variant.drawn().items()), variant.order())
        if len(self._variants) >= VARIANTS:
            del self._variants[next(iter(self._variants))]
        self._variants[key] = found
        return found

    def _redrawn(self, item: Item, seed: str | None, given: Mapping[str, str] | None) -> Variant:
        stream = None if seed is None else Stream(item.id, seed)
        if stream is not None and not given:
            return item.draw(stream)
        if given and stream is not None and not self._ordered(item):
            try:
                return item.redraw(given, None)
            except ValueError:
                pass  # `given` lacks something that the seed can draw
        try:
            return item.redraw(given or {}, stream)
        except ValueError as error:
            raise NoVariant(str(error)) from None

    def _ordered(self, item: Item) -> bool:
        found = self._orders.get(item.id)
        if found is None:
            found = self._orders[item.id] = bool(_any_order(item))
        return found


def _any_order(item: Item) -> tuple[str, ...]:
    return item.draw(Stream(item.id, "")).order()


def _chosen(options: tuple[str, ...], response: Given, lettered: bool) -> tuple[str, ...]:
    """The options that a response takes; empty where it cannot be read or there are none."""
    if not options:
        return ()
    pieces = (response,) if isinstance(response, str) else response
    chosen: list[str] = []
    for piece in pieces:
        read = read_letters(piece, options, lettered)
        if read is None:
            return ()
        chosen.extend(read)
    return tuple(sorted(set(chosen)))
