"""What the words around an amount say: each of them is known, or the candidate is asked about it.

`7 hops too many`, `10 GB per row` and `95% miss` are other amounts than 7 hops, 10 GB and a hit rate of 95 %.
Known are the words of the stem and of the formula, those of the bank, and the closed tables below. Nothing is
asked where no stem is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from quizgen.formula.reading.answer import Asked
from quizgen.formula.reading.span import UNIT, WORD, Context, Span
from quizgen.formula.reading.vocabulary import MODELS
from quizgen.formula.unit_fit import twins
from quizgen.formula.unit_table import PHYSICAL, PLACES
from quizgen.formula.units import Unit
from quizgen.source import shorten

# What says nothing about an amount, or how sure the candidate is of it.
_FILLERS: Final = frozenset(
    word
    for line in (
        # it is 5 GB; this takes 5 GB
        "a an the it its it's this that that's these is are was be been being as and but then thus hence therefore so",
        "would will should could must can there comes come came gives give given makes make making means needs need",
        "get gets got equals equal amounts takes take taking took needed needing requires require required needing",
        "holds hold use uses used using costs cost has have having",
        # I think it's 5 GB; the answer is 5 GB
        "i i'd i'm i'll we we'd you they think guess say says believe reckon suppose estimate estimated my our",
        "probably maybe perhaps likely presumably hopefully not sure certain correct right yes ok okay well please",
        "final answer answers result results solution value number figure amount",
        # about 5 GB or so, rounded
        "about approx approximately approximate around circa ca roughly rough nearly almost ish etwa rund environ",
        "exact exactly precise precisely just only sharp flat rounded rounds rounding e ie eg aka again",
        # a factor of 5; 5 GB in total
        "fraction decimal factor times fold x in of for on at to by from with if when each apiece every per single any",
        "total totals totally totalling altogether overall combined whole entire full all together sum one",
        "least most minimum maximum min max smallest largest up upwards onwards insgesamt gesamt ist est",
        # 5 GB of memory; a share of 5 %
        "memory vram ram hbm storage space data size big large long high time duration share ratio rate percentage",
        "percent speed speedup throughput bandwidth price money usd gain growth rise increase",
    )
    for word in line.split()
)
_PHRASES: Final = re.compile(
    r"\b(?:more or less|give or take|or (?:so|more|less|fewer|thereabouts)|not? (?:more|less|fewer) than|down to"
    r"|as (?:much|many)(?: as)?|all told|round(?:s|ed|ing)? (?:up|down|off)|to \w+ (?:digit|place|decimal)s?"
    r"|(?:times|x) (?:more|faster|larger|bigger|higher))\b"
)
# Two sides of a thing: where the stem asks for one, an amount of the other is another amount.
_SIDES: Final = (
    ("hit", "miss"), ("used|use|occupied|busy", "free|idle|unused|left|available"), ("before", "after"),
    ("up|uptime|available|availability", "down|downtime|outage|unavailable"), ("read", "write|written"),
    ("one way|each way|per direction|each direction|one direction|unidirectional",
     "round trip|both ways|two way|both directions|there and back|bidirectional"),
    ("sent|send", "received|receive"), ("lost|lose|dropped|drop", "arrive|delivered|received|receive|survive"),
    ("gross", "net"), ("average|mean", "peak|worst|p99"), ("download", "upload"),
    ("profit|gain", "loss|deficit"), ("revenue|income", "expense|spending"), ("interest", "principal"),
    ("bought|buy|bid", "sold|sell"), ("success|succeed", "failure|fail"), ("kept|keep", "discarded|removed|filtered"),
    ("compressed", "uncompressed|raw"), ("asset", "liability|debt"), ("inbound|incoming", "outbound|outgoing"),
    ("including|included", "excluding|excluded|without"),
)  # fmt: skip
# Names may lead to an amount, these may not.
_MORE: Final = ("another", "extra", "additional", "additionally", "further", "wasted", "missing", "spare", "without")
_EACH: Final = ("each", "per", "every", "apiece", "respectively")
_STOPS: Final = (",", ";", ".", "!", "?", "(", ")", "[", "]", ":")
_SHORT: Final = 3  # a remark of more words behind a stop is a sentence of its own
_PLACES: Final = frozenset(name for name, _, _ in PLACES)


_STEM_WORD: Final = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def with_stem(asked: Asked, stem: str, terms: str = "") -> Asked:
    """`asked` in the words of a stem; `terms` names parts of its formula."""
    low = stem.casefold()
    questions = " ".join(sentence for sentence in _SENTENCE.split(low) if sentence.endswith("?"))
    return replace(
        asked,
        stem=" ".join(_STEM_WORD.findall(low)),
        question=" ".join(_STEM_WORD.findall(questions or low)),
        terms=frozenset(_STEM_WORD.findall(terms.casefold())),
    )


def remark_fault(before: Sequence[Span], after: Sequence[Span], unit: Unit | None, context: Context) -> str:
    """Why the words `before` and `after` an amount in `unit` make it another one than is asked."""
    asked = context.asked
    if not asked.question:
        return ""
    pieces = _pieces(after)
    remarks = [piece for at, piece in enumerate(pieces) if not at or len(piece) <= _SHORT]
    faults = [other_side(piece, asked) for piece in (before, *remarks)]
    faults.append(_divided(unit, pieces, asked))
    faults += (_added(word, asked) for word in _words(before))
    faults += (_unknown(piece, asked) for piece in remarks)
    return next(filter(None, faults), "")


def led_by(before: Sequence[Span], first: bool) -> Sequence[Span]:
    """The words that lead to an amount: behind the last stop, or before it where no other amount stands there."""
    pieces = _pieces(before)
    return next((piece for piece in reversed(pieces) if piece), ()) if first else pieces[-1]


def followed_by(after: Sequence[Span]) -> Sequence[Span]:
    """The words right behind an amount."""
    return _pieces(after)[0]


def _pieces(line: Sequence[Span]) -> list[list[Span]]:
    """The words of `line` between its stops; the first and the last piece may be empty."""
    found: list[list[Span]] = [[]]
    for span in line:
        if span.is_sign(*_STOPS):
            found.append([])
        elif span.kind in (WORD, UNIT):
            found[-1].append(span)
    return found


def _divided(unit: Unit | None, pieces: Sequence[Sequence[Span]], asked: Asked) -> str:
    """`10 GB per row` where a table is asked: a share of what the stem does not ask for one of."""
    powers = dict(asked.unit.dim.powers)
    for name, power in unit.dim.powers if unit is not None else ():
        same = (name, *twins(name))
        if power >= 0 or name in PHYSICAL or any(one in powers for one in same):
            continue
        words = {one.casefold() for one in (*same, *(_PLACES if name in _PLACES else ()))}
        words |= {word for word, known in asked.lexicon.words.items() if known.dim.label in same}
        roots = {root(word) for word in words}
        if not _asks_for_one(roots, asked.question) and not _is_one(words, asked.stem):
            return f'"per {name}" is not asked: write the number that is'
    apart = [span for piece in pieces[:2] for span in piece if span.says("each", "apiece")]
    one = set(asked.question.split()) & set(_EACH) or _asks_for_one({root(place) for place in _PLACES}, asked.question)
    if apart and not one:
        return f'"{apart[0].text}" is not asked: write the number that is'
    return ""


def _asks_for_one(words: set[str], question: str) -> bool:
    """The question is about each of these things, or about one."""
    said = question.split()
    each = bool(set(said) & set(_EACH))
    return any(root(word) in words and (each or not word.endswith("s")) for word in said)


def _is_one(words: Iterable[str], stem: str) -> bool:
    """The stem tells of one of these (`a page`), never of several."""
    said = stem.split()
    if any(word.endswith("s") and word in words for word in said):
        return False
    return any(word in words and one in ("a", "an", "one", "the", *_EACH) for one, word in pairwise(said))


@lru_cache(maxsize=1024)
def _asked_sides(question: str) -> tuple[tuple[str, str], ...]:
    """For each pair of which the question names one side: that side and the other, as phrases."""
    folded = _folded(question.split())
    found = []
    for one, other in _SIDES:
        if _names(folded, one) != _names(folded, other):
            found.append((one, other) if _names(folded, one) else (other, one))
    return tuple(found)


def _names(folded: str, side: str) -> str:
    """The first phrase of a side that stands in a text of roots."""
    return next((p for p in side.split("|") if f" {_folded(p.split()).strip()} " in folded), "")


def other_side(words: Sequence[Span], asked: Asked) -> str:
    """`95% miss` where the hit rate is asked."""
    folded = _folded(_words(words))
    for side, other in _asked_sides(asked.question):
        named = _names(folded, other)
        if named and not _names(folded, side):
            return f'"{named}" is the other side of what is asked: write the number that is asked'
    return ""


def _added(word: str, asked: Asked) -> str:
    """`another 5 GB`."""
    if word not in _MORE or word in asked.stem.split():
        return ""
    return f'"{word}" may change what the number says: write only the number and its unit'


def _unknown(piece: Sequence[Span], asked: Asked) -> str:
    known = _roots(asked.stem, asked.terms)
    words = _words(piece)
    folded = _folded(words)
    for side, _ in _asked_sides(asked.question):
        named = _names(folded, side)
        folded = folded.replace(f" {_folded(named.split()).strip()} ", " ") if named else folded
    text = " ".join(words)
    passed = set(_PHRASES.sub(" ", text).split()) if text else set()
    for word in words:
        low = root(word)
        if word not in passed or f" {low} " not in folded or low in known or word in _FILLERS or word in MODELS:
            continue
        if len(word) > 1 and word.isalpha() and word not in asked.lexicon.words:
            return f'"{shorten(word)}" may change what the number says: write only the number and its unit'
    return ""


def _words(piece: Iterable[Span]) -> list[str]:
    return [word for span in piece for word in _STEM_WORD.findall(span.low)]


def _folded(words: Iterable[str]) -> str:
    return f" {' '.join(root(word) for word in words)} "


@lru_cache(maxsize=1024)
def _roots(stem: str, terms: frozenset[str]) -> frozenset[str]:
    return frozenset(map(root, (*stem.split(), *terms)))


_ENDING: Final = re.compile(r"(?:'s|ing|ed|es|e|(?<!s)s)$")


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """What `miss`, `misses` and `missing` have in common."""
    low = word.casefold().removesuffix("'s")
    if low.endswith("ies"):
        return low[:-3] + "y"
    cut = _ENDING.sub("", low)
    return cut if len(cut) > 1 else low
