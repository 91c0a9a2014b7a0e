"""Log lines to verdicts: each variant redrawn, each different response scored once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from hashlib import blake2b

from quizgen.draw import Stream
from quizgen.model import Given, Item, Score, Variant
from quizgen.page import read_letters
from quizgen.scoring.decisions import Changes
from quizgen.scoring.points import score_response
from quizgen.scoring.said import Key, said
from quizgen.scoring.verdicts import Drawn, Recent, Verdict

MEMO = 4_096  # verdicts remembered; long texts count more
VARIANTS = 512

# The fourth: a mark of the drawn values and the order. The last: its key.
Drawing = tuple[Variant, Drawn, tuple[str, ...], str, Key]


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
        self._variants: dict[tuple[object, ...], Drawing] = {}
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
        # Keys are single strings, the smallest thing that can be looked up; ids hold none of the separators.
        told = f"\x1f{response}" if isinstance(response, str) else f"\x1e{response!r}"
        if points is not None or hints:
            told = f"\x1d{points},{hints}{told}"
        if earlier is not None and item.after:
            told = f"\x1a{earlier!r}{told}"
        key = item.id + told
        found = self._memo.get(key)
        if found is not None:
            return found
        variant, drawn, order, tag, answer = self._drawing(item, seed, given)
        full = f"{item.id}\x1c{tag}{told}"
        found = self._memo.get(full)
        if found is not None:
            return found
        score = score_response(variant, response, points, hints, earlier if item.after else None)
        if self.changes:
            score = self.changes.apply(variant, response, score)
        options = order or self._order(item)
        chosen = () if drawn else _chosen(options, response, bool(order))
        tail = self._write(item.id, score) if self._write else ""
        found = Verdict.of(item.id, score, chosen, drawn, tail, "" if chosen else said(answer, response, score))
        if not self._keep:
            found.score = None
        # Neither draws nor the order of options can matter (several options are told in the order shown):
        # whatever the seed, this is the verdict.
        pieces = (response,) if isinstance(response, str) else response
        settled = not drawn and (not options or (len(pieces) == 1 and pieces[0] in options))
        self._memo.put(key if settled else full, found)
        return found

    def outside(self, item: Item, given: Mapping[str, str]) -> tuple[str, ...]:
        """The names of a line's drawn values that no variant of the item has."""
        key = (item.id, tuple(given.items()))
        found = self._outside.get(key)
        if found is None:
            if len(self._outside) >= VARIANTS:
                self._outside.clear()
            found = self._outside[key] = item.outside(given)
        return found

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
        drawn_by = tuple(given.items()) if given else None
        key, shared = (item.id, seed, drawn_by), (item.id, None, drawn_by)
        # Where no order is shown, drawn values alone fix the variant if none is lacking: sessions then share it.
        values = given if given and not self._order(item) else None
        found = self._variants.get(shared if values else key) or self._variants.get(key)
        if found is not None:
            return found
        variant = self._by_values(item, values) if values else None
        if variant is not None:
            key = shared
        else:
            variant = self._redrawn(item, seed, given)
        drawn, order = tuple(variant.drawn().items()), variant.order()
        tag = blake2b(repr((drawn, order)).encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        found = (variant, drawn, order, tag, Key(variant))
        if len(self._variants) >= VARIANTS:
            del self._variants[next(iter(self._variants))]
        self._variants[key] = found
        return found

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
        found = self._orders.get(item.id)
        if found is None:
            found = self._orders[item.id] = item.draw(Stream(item.id, "")).order()
        return found


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
