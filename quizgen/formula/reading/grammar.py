"""Rules as rows, and the small chart that composes spans by them, bottom up.

A rule is a row: name, pattern, production, examples that it reads and examples that are refused where
it stands. Rules lie in layers. A layer goes over the line of spans once from left to right; where a
rule's pattern matches and its production makes a span, the span takes the place of what it covers and
is tried again. Linear in the text: every match makes the line shorter or settles a word.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from quizgen.formula.reading.span import NOTHING, NUMBER, SIGN, UNIT, WORD, Context, Span
from quizgen.formula.unit_table import TIME

Parts = tuple[Span, ...]
Test = Callable[[Span], bool]


@dataclass(frozen=True, slots=True)
class GrammarPlace:
    """Where a pattern matched: the spans before it, and the one after it (NOTHING at the end)."""

    done: Sequence[Span]
    after: Span

    @property
    def before(self) -> Span:
        return self.done[-1] if self.done else NOTHING


Make = Callable[[Context, Parts, GrammarPlace], Span | None]


@dataclass(frozen=True, slots=True)
class Example:
    """`text` read where `asked` is asked comes to `result` (or to a refusal with these words)."""

    asked: str
    text: str
    result: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One row. `reads` would come out otherwise without the rule; of `refuses` the rule keeps its hands."""

    name: str
    pattern: str
    make: Make
    reads: tuple[Example, ...]
    refuses: tuple[Example, ...] = ()


def examples(*rows: str) -> tuple[Example, ...]:
    """`GB: 31.7 G => 31.7 GB`, one a row."""
    found = []
    for row in rows:
        asked, _, rest = row.partition(": ")
        text, _, result = rest.rpartition(" => ")
        found.append(Example(asked, text, result))
    return tuple(found)


def is_time(span: Span) -> bool:
    return span.unit.dim.powers == ((TIME, 1),)


# Classes of spans that patterns name in capitals: the kind, and what else holds.
CLASSES: Final[dict[str, tuple[str, Test]]] = {
    "DIGITS": (NUMBER, lambda s: s.text.isdigit() and s.text.isascii()),
    "SPELLED": (NUMBER, lambda s: s.text[:1].isalpha()),
    "PART": (NUMBER, lambda s: 0 < s.value < 1),
    "TIME": (UNIT, is_time),
    "COUNTED": (UNIT, lambda s: bool(s.unit.dim.label)),
    "NAME": (WORD, lambda s: s.low.isalpha()),
}
_SAID: Final = (WORD, UNIT, SIGN)


class _Element:
    """One place of a pattern: what may stand there, whether it may be missing, or has to be glued to the last."""

    __slots__ = ("classes", "glued", "kinds", "low", "optional")

    def __init__(self, text: str) -> None:
        self.glued, self.optional = text.startswith("~"), text.endswith("?") and len(text) > 1
        words = {w for w in text[self.glued : len(text) - self.optional].split("|") if w}
        self.classes = tuple(CLASSES[w] for w in sorted(words & set(CLASSES)))
        self.kinds = frozenset(w for w in words if w.isupper() and w not in CLASSES)
        self.low = frozenset(words - self.kinds - set(CLASSES))

    def takes(self, span: Span) -> bool:
        if span.kind in self.kinds or (span.kind in _SAID and _said(span) in self.low):
            return True
        return any(span.kind == kind and test(span) for kind, test in self.classes)

    def may_take(self, kind: str, low: str) -> bool:
        """A span of this kind and word may stand here, as far as these two tell."""
        return kind in self.kinds or any(kind == one for one, _ in self.classes) or (kind in _SAID and low in self.low)


def _said(span: Span) -> str:
    return span.text if span.kind == SIGN else span.low


_Compiled = tuple[Rule, tuple[_Element, ...]]


class Layer:
    """Rules that are tried together, in their order."""

    __slots__ = ("_made_of", "_starting", "rules", "words")

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = tuple(rules)
        self._made_of = [(rule, tuple(_Element(e) for e in rule.pattern.split(" "))) for rule in self.rules]
        self.words = frozenset(word for _, elements in self._made_of for element in elements for word in element.low)
        self._starting: dict[tuple[str, str, str, str], list[_Compiled]] = {}  # rules by what two spans are and say

    def without(self, name: str) -> Layer:
        return Layer(rule for rule in self.rules if rule.name != name)

    def compose(self, line: Sequence[Span], context: Context) -> list[Span]:
        """The line with every span that the rules make of it; one that makes its own pattern anew comes to an end."""
        done: list[Span] = []
        rest = list(reversed(line))  # the next span is the last
        left = 4 * len(line)  # spans that may be made
        while rest:
            rules = self._rules(rest[-1], rest[-2] if len(rest) > 1 else NOTHING)
            made = self._made(rules, done, rest, context) if rules and left else None
            if made is None:
                done.append(rest.pop())
            else:
                left -= 1
                span, length = made
                del rest[len(rest) - length :]
                rest.append(span)
        return done

    def _rules(self, first: Span, second: Span) -> list[_Compiled]:
        """The rules whose pattern may begin with two spans of these kinds and words."""
        word, following = _said(first), _said(second)
        if word not in self.words:
            word = ""
        if following not in self.words:
            following = ""
        key = (first.kind, word, second.kind, following)
        rules = self._starting.get(key)
        if rules is None:
            rules = [row for row in self._made_of if _may_begin(row[1], key[:2], key[2:])]
            self._starting[key] = rules
        return rules

    @staticmethod
    def _made(
        rules: Sequence[_Compiled], done: list[Span], rest: list[Span], context: Context
    ) -> tuple[Span, int] | None:
        for rule, elements in rules:
            for parts, length in _matches(elements, rest):
                after = rest[-1 - length] if length < len(rest) else NOTHING
                span = rule.make(context, parts, GrammarPlace(done, after))
                if span is not None:
                    return span, length
        return None


def _may_begin(elements: tuple[_Element, ...], *spans: tuple[str, str]) -> bool:
    """The places of a pattern may be taken by spans of these kinds and words in turn, the first one by the first."""
    if not spans or not elements:
        return True
    element, more = elements[0], elements[1:]
    taken = element.may_take(*spans[0]) and _may_begin(more, *spans[1:])
    return taken or (element.optional and _may_begin(more, *spans))


def _matches(elements: tuple[_Element, ...], rest: list[Span]) -> Iterator[tuple[Parts, int]]:
    """The spans at the end of `rest` that a pattern takes (NOTHING for one that is missing), and how many: the
    longest match, then those without the last places that may be missing."""
    parts: list[Span] = []
    at, end = len(rest) - 1, len(rest)
    for element in elements:
        span = rest[at] if at >= 0 else NOTHING
        if span and element.takes(span) and not (element.glued and span.gap and at < end - 1):
            parts.append(span)
            at -= 1
        elif element.optional:
            parts.append(NOTHING)
        else:
            return
    yield tuple(parts), end - 1 - at
    for place in range(len(elements) - 1, 0, -1):
        if not elements[place].optional:
            return
        if parts[place]:
            parts[place] = NOTHING
            at += 1
            yield tuple(parts), end - 1 - at
