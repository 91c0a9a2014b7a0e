"""What the words around an amount say: each of them is known, or the candidate is asked about it.

`7 hops too many`, `10 GB per row` and `95% miss` are other amounts than 7 hops, 10 GB and a hit rate of 95 %.
Known are the words of the stem and of the formula, those of the bank, and the closed tables below. Nothing is
asked where no stem is known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from typing import Final

from quizgen.formula.reading.answer import Asked
from quizgen.formula.reading.span import UNIT, WORD, Context, Span
from quizgen.formula.reading.vocabulary import ABOUT, FALLS, FILLERS, MEASURES, OF_MONEY, PROSE
from quizgen.formula.unit_fit import twins
from quizgen.formula.unit_table import PHYSICAL, PLACES
from quizgen.formula.units import KNOWN_UNITS, ONE, Unit, is_money, own_money
from quizgen.source.problems import shorten

_PHRASES: Final = re.compile(
    r"\b(?:more or less|give or take|or (?:so|more|less|fewer|thereabouts)|not? (?:more|less|fewer) than|down to"
    r"|as (?:much|many|fast|large|big|high)(?: as)?|all told|round(?:s|ed|ing)? (?:up|down|off)"
    r"|to \w+ (?:digit|place|decimal)s?|(?:nothing|none) (?:is )?left(?: over)?|end to end|no matter .*)\b"
)
# Two sides of a thing: where the stem asks for one, an amount of the other is another amount.
_SIDES: Final = (
    ("hit", "miss"), ("before", "after"),
    ("used|use|occupied|busy|utilised|utilized|utilisation|utilization", "free|idle|unused|left|available|remain"),
    ("up|uptime|available|availability", "down|downtime|outage|unavailable"), ("read", "write|written"),
    ("one way|each way|way there|way back|per direction|each direction|one direction|unidirectional",
     "round trip|both ways|two way|both directions|there and back|bidirectional|rtt"),
    ("sent|send", "received|receive"), ("lost|lose|loss|dropped|drop", "arrive|delivered|received|receive|survive"),
    ("gross", "net"), ("average|mean", "peak|worst|p99"), ("download", "upload"),
    ("profit|gain", "loss|deficit"), ("revenue|income", "expense|spending"), ("interest", "principal"),
    ("bought|buy|bid", "sold|sell"), ("success|succeed", "failure|fail"), ("kept|keep", "discarded|removed|filtered"),
    ("compressed", "uncompressed|raw"), ("asset", "liability|debt"), ("inbound|incoming", "outbound|outgoing"),
    ("including|included", "excluding|excluded|without"),
    ("has left|have left|lost|gone|churned|churn", "stay|stayed|retained|kept|remain|still there"),
)  # fmt: skip
_BOTH_WAYS: Final = re.compile(r"\b(?:round trip|both ways|and back|way back|back again|rtt)\b")
# Names may lead to an amount, these may not.
_MORE: Final = ("another", "extra", "additional", "additionally", "further", "wasted", "missing", "spare")
# A remark behind a stop is passed over but for these.
_CHANGES: Final = (*_MORE, "short", "too", "more", "less", "left", "later", "plus", "each", "apiece")
_THAN: Final = ("too", "more", "less", "fewer", "left", "short", "later", "earlier", "slower", "faster", "longer")
# Of a change in percent, or where the question tells of one.
_RISES: Final = ("gain", "growth", "rise", "hike", "increase", "up", "profit", "higher")
_EACH: Final = ("each", "per", "every", "apiece", "respectively")
_KEPT: Final = frozenset(("left", "remain", "remains", "remaining"))
_STOPS: Final = (",", ";", ".", "!", "?", "(", ")", "[", "]", ":")
_SHORT: Final = 3  # a remark of more words behind a stop is a sentence of its own
_PLACES: Final = frozenset(name.casefold() for name, _, _ in PLACES)


_OF_ALL: Final = re.compile(r"^of (?:the |all |its )*\w+")  # 92 % of the reads
_STEM_WORD: Final = re.compile(r"[^\W_]+(?:'[a-z]+)?")
_NOUN: Final = re.compile(r"[a-z][a-z-]{2,}")
_PERIOD: Final = re.compile(r"\b(?:an?|one|per|each|every|the)\s+(?:\w+ )?(second|minute|hour|day|week|month|year)\b")
_ADVERBS: Final = re.compile(r"\b(?:hour|dai|week|month|year)ly\b|\bannual")
_SPAN: Final = re.compile(r"\b(?:in|for|over|during|within|end of) (?:an?|one|the|each|every) (?:whole |full )?\w+")
_GIVEN_RATE: Final = re.compile(r"[\d}][^\s,;.?]{0,20}(?: [^\s,;.?]{1,30}){0,3}? (?:an?|per|each|every) \w+")
_THIRTY_DAYS: Final = re.compile(r"\b(?:30|thirty)[ -]days?\b")
_EVERY: Final = {"daily": "day", "annual": "year"}
_PERIODS: Final = {**KNOWN_UNITS, "month": Unit("month", 30 * KNOWN_UNITS["day"].factor, KNOWN_UNITS["day"].dim)}
_HOW_MANY: Final = re.compile(r"\b(?:how many|number of)((?: \S+){1,4})")
_SLASHED: Final = re.compile(r"(?<!\S)/[\d{]")
_PLACE: Final = re.compile(r"\{\w*\}")
_GIVEN: Final = re.compile(r"[\d{]")
_TOLD: Final = re.compile(r"[\d}%] +([a-z-]+)(?: ([a-z-]+))?")
_CLAUSE: Final = re.compile(r"[.;,:?]\s|\band\b")
_SENTENCE: Final = re.compile(r"(?<=[.!?])\s+")


def with_stem(asked: Asked, stem: str, terms: str = "") -> Asked:
    """`asked` in the words of a stem; `terms` names parts of its formula."""
    low = stem.casefold()
    questions = " ".join(sentence for sentence in _SENTENCE.split(low) if sentence.endswith("?"))
    return replace(
        asked,
        nouns=frozenset(word for word in _NOUN.findall(low) if word not in PROSE),
        stem=" ".join(_STEM_WORD.findall(low)),
        question=" ".join(_STEM_WORD.findall(questions or low)),
        terms=frozenset(_STEM_WORD.findall(terms.casefold())),
        periods=(periods := _asked_periods(low, questions or low)),
        implied=() if periods else _periods(low),
        slashed=bool(_SLASHED.search(stem)),
        rivals=_rivals(low, questions),
        seen=stem,
    )


def _rivals(stem: str, question: str) -> frozenset[str]:
    """What the stem says (`parity`) of givens that the question is not about, where it is about others (`data`)."""
    told = [_named(clause) for clause in _CLAUSE.split(stem.replace(question, " ")) if _GIVEN.search(clause)]
    asked = _named(question)
    others = [words for words in told if not words & asked]
    mine = frozenset().union(*(words for words in told if words & asked))
    return frozenset().union(*others) - mine if mine else mine


@lru_cache(maxsize=1024)
def _named(text: str) -> frozenset[str]:
    """The roots of the words of a text that are names of something."""
    return frozenset(
        root(word) for word in _NOUN.findall(_PLACE.sub(" ", text)) if word == "usable" or word not in FILLERS | PROSE
    )


def names_a_rival(words: Sequence[Span], asked: Asked) -> bool:
    """A name of what the stem says of another given than is asked (`a fee of 25`) stands among the words."""
    return bool(_named(" ".join(_words(words))) & asked.rivals)


def names_asked(words: Sequence[Span], asked: Asked) -> bool:
    """A name of what the question is about stands among the words."""
    return bool(_named(" ".join(_words(words))) & _named(asked.question))


def is_passed_over(word: str, asked: Asked, alone: bool) -> bool:
    """Whether a word may follow a number without a unit; `alone`: no other number stands in the response."""
    return (
        bool(alone and _STATES.search(word)) or word in PROSE or (len(word) > 2 and word in _passed_over(asked))
    )  # 31.7e breaks off


def _passed_over(asked: Asked) -> frozenset[str]:
    of_any = ABOUT | _names_of(asked.question, asked.seen)
    money = is_money(asked.unit.dim)
    measures = OF_MONEY if money or asked.unit.symbol == "%" else frozenset()  # of a time RTT is a count: 3 RTT
    return of_any | FILLERS | measures | (_KEPT if money else frozenset()) if _has_measures(asked) else of_any


def _has_measures(asked: Asked) -> bool:
    return not asked.unit.dim.label or bool(own_money(asked.unit.dim))


@lru_cache(maxsize=1024)
def _names_of(asked: str, seen: str) -> frozenset[str]:
    """What a question asks for by name (`profit`), and nothing that the stem tells a number of (`200 shares`)."""
    told = {word for pair in _TOLD.findall(seen.casefold()) for word in pair}
    return frozenset(word for word in _NOUN.findall(asked) if word not in told)


def _asked_periods(stem: str, question: str) -> tuple[Unit, ...]:
    """The times of which an amount is asked (`in a day`), none that belongs to a given (`400 trades a day`)."""
    stem, question = (_THIRTY_DAYS.sub("a month", text) for text in (stem, question))
    return _periods(" ".join((*_SPAN.findall(stem), _GIVEN_RATE.sub(" ", question))))


def _periods(said: str) -> tuple[Unit, ...]:
    said = _ADVERBS.sub(lambda adverb: f"a {_EVERY.get(adverb[0], adverb[0][:-2])}", said)
    return tuple(_PERIODS[word] for word in dict.fromkeys(_PERIOD.findall(said)))


def remark_fault(
    before: Sequence[Span], after: Sequence[Span], unit: Unit | None, context: Context, goes_on: bool
) -> str:
    """Why the words `before` and `after` an amount in `unit` make it another one than is asked. `goes_on`: those
    behind the last stop lead to the next amount."""
    asked = context.asked
    if not asked.question:
        return ""
    pieces = _pieces(after)
    if unit is ONE and pieces[0] and pieces[0][0].says("more", "faster", "larger", "bigger", "higher"):
        pieces[0] = pieces[0][1:]  # 25 times faster
    remarks = [piece for at, piece in enumerate(pieces) if not at or len(piece) <= _SHORT]
    own = remarks[:-1] if goes_on and len(pieces) > 1 else remarks
    faults = [other_side(piece, asked) for piece in (before, *own)]
    faults += (_of_another(pieces[0], asked), _foreign(unit, asked), _divided(unit, after, asked))
    sides = (side.replace("|", " ") for side, _ in _asked_sides(asked.question, asked.stem))
    falls = FALLS if asked.nouns & FALLS else ()
    kept = _KEPT if is_money(asked.unit.dim) else ()  # 2,475 dollars left: what one gets
    told = " ".join((asked.question, *sides, *falls, *kept))
    faults += (_added(pieces[0], _THAN, told), _unknown(pieces[0], asked))
    stem = " ".join((asked.stem, *kept))
    faults += (_added(before, _MORE, asked.stem), *(_added(piece, _CHANGES, stem) for piece in remarks[1:]))
    return next(filter(None, faults), "")


def _of_another(piece: Sequence[Span], asked: Asked) -> str:
    """`71 % is parity`: said of another given than is asked."""
    words = _OF_ALL.sub("", " ".join(_words(piece))).split()
    rival = next((word for word in words[::-1] if root(word) in asked.rivals), "")
    other = asked.unit.symbol == "%" and rival
    return f'"{rival}" is not what is asked: write the number that is' if other else ""


def led_by(before: Sequence[Span], first: bool) -> Sequence[Span]:
    """The words that lead to an amount: behind the last stop, or before it where no other amount stands there."""
    pieces = _pieces(before)
    lead = next((piece for piece in reversed(pieces) if piece), []) if first else pieces[-1]
    joints = ("so", "thus", "hence", "therefore", *(() if first else ("and", "but")))  # 7 % miss and 93 % hit
    so = max((at for at, span in enumerate(lead, 1) if span.low in joints), default=0)
    return lead[so:]


def followed_by(after: Sequence[Span]) -> Sequence[Span]:
    """The words right behind an amount."""
    return _pieces(after)[0]


def _pieces(line: Sequence[Span]) -> list[list[Span]]:
    """The words of `line` between its stops; the first and the last piece may be empty."""
    found: list[list[Span]] = [[]]
    for span in line:
        if span.is_sign(*_STOPS) or (span.is_sign("-") and span.gap):
            found.append([])
        elif span.kind in (WORD, UNIT):
            found[-1].append(span)
    return found


def _divided(unit: Unit | None, after: Sequence[Span], asked: Asked) -> str:
    """`10 GB per row` where a table is asked: a share of what the stem does not ask for one of."""
    powers = dict(asked.unit.dim.powers)
    for name, power in unit.dim.powers if unit is not None else ():
        shared = power < 0 and name not in PHYSICAL and not any(one in powers for one in (name, *twins(name)))
        if shared and not _is_about_one(_words_for(name, asked), asked):
            return f'"per {name}" is not asked: write the number that is'
    for at, span in enumerate(after[:3]):
        below = after[at + 1] if at + 1 < len(after) else None
        leads = span.says("per") or (not at and (span.is_sign("/") or span.says("a", "an", "every")))
        period = below is not None and any(below.low.startswith(one.symbol) for one in asked.periods)
        about = below is None or below.kind not in (WORD, UNIT) or period or _is_about_one({below.low}, asked)
        if leads and below is not None and not about:
            return f'"{span.text} {shorten(below.text)}" is not asked: write the number that is'
    piece = followed_by(after)
    counted = any(power < 0 and name not in PHYSICAL for name, power in powers.items())  # a price of one thing
    apart = piece[-1] if piece and piece[-1].says("each", "apiece") and not counted else None
    if apart and not set(asked.question.split()) & set(_EACH) and not _asks_for_one(_PLACES, asked.question):
        return f'"{apart.text}" is not asked: write the number that is'
    return ""


def _words_for(label: str, asked: Asked) -> set[str]:
    """What a counted thing is called."""
    same = (label, *twins(label))
    words = {one.casefold() for one in (*same, *(_PLACES if label.casefold() in _PLACES else ()))}
    return words | _spellings(same, asked)


def _spellings(labels: Collection[str], asked: Asked) -> set[str]:
    """How the bank lets people write counted things."""
    return {word for word, known in asked.lexicon.words.items() if known.dim.label in labels}


def _foreign(unit: Unit | None, asked: Asked) -> str:
    """`128 hosts` where a bare number is asked, of subnets: a count of another thing. Of a ratio, any that the
    stem does not name."""
    label = unit.dim.label if unit is not None and asked.unit.dim.bare else None
    if not label or label == "step" or asked.unit.symbol == "%":  # steps may be of anything
        return ""
    counted = " ".join(_HOW_MANY.findall(asked.question)) or asked.stem
    known = _roots(counted, asked.terms)
    same = (label, *twins(label))
    words = {one.casefold() for one in same} | _spellings(same, asked)
    stems = tuple(word for word in words if len(word) > 2)  # tok, of tokens
    if any(root(part) in known for word in words for part in word.split()) or any(w.startswith(stems) for w in known):
        return ""
    return f'"{label}" is not what is counted here: write the number that is asked'


def _is_about_one(words: Collection[str], asked: Asked) -> bool:
    return _asks_for_one(words, asked.question) or _is_one(words, asked.stem)


def _asks_for_one(words: Collection[str], question: str) -> bool:
    """The question is about each of these things, or about one."""
    said, roots = question.split(), {root(word) for word in words}
    each = bool(set(said) & {*_EACH, "mean", "average"})
    return any(
        root(word) in roots and (each or word.endswith("ss") or not word.endswith(("s", "ing"))) for word in said
    )


def _is_one(words: Collection[str], stem: str) -> bool:
    """The stem tells of one of these (`a page`), never of several."""
    said, roots = stem.split(), {root(word) for word in words}
    if any(word.endswith("s") and (word in words or root(word) in roots) for word in said):
        return False
    return any(word in words and one in ("a", "an", "one", "the", *_EACH) for one, word in pairwise(said))


@lru_cache(maxsize=1024)
def _asked_sides(question: str, stem: str) -> tuple[tuple[str, str], ...]:
    """For each pair of which the question names one side: that side and the other, as phrases. Of a way there
    and back the stem may tell."""
    folded = _folded(question.split())
    found = []
    for one, other in _SIDES:
        if _names(folded, one) != _names(folded, other):
            found.append((one, other) if _names(folded, one) else (other, one))
        elif one.startswith("one way") and not _names(folded, one) and _BOTH_WAYS.search(stem):
            found.append((other, one))
    return tuple(found)


def _names(folded: str, side: str) -> str:
    """The first phrase of a side that stands in a text of roots."""
    return next((p for p in side.split("|") if f" {_folded(p.split()).strip()} " in folded), "")


def other_side(words: Sequence[Span], asked: Asked) -> str:
    """`95% miss` where the hit rate is asked."""
    folded = _folded(_words(words))
    for side, other in _asked_sides(asked.question, asked.stem):
        named = _names(folded, other)
        if named and not _names(folded, side):
            return f'"{named}" is the other side of what is asked: write the number that is asked'
    return ""


def _added(piece: Sequence[Span], changes: Sequence[str], told: str) -> str:
    """`another 5 GB`, `5 GB (extra)`, where a text of the item does not have the word."""
    word = next((word for word in _words(piece) if word in changes and word not in told.split()), "")
    return _changed(word) if word and not _PHRASES.search(" ".join(_words(piece))) else ""


def _changed(word: str) -> str:
    return f'"{shorten(word)}" may change what the number says: write only the number and its unit'


def _unknown(piece: Sequence[Span], asked: Asked) -> str:
    known = _roots(asked.stem, asked.terms)
    initials = "".join(word[0] for word in asked.stem.split())  # MTBF, of the mean time between failures
    words = _words(piece)
    folded = _folded(words)
    for side, _ in _asked_sides(asked.question, asked.stem):
        named = _names(folded, side)
        folded = folded.replace(f" {_folded(named.split()).strip()} ", " ") if named else folded
    text = " ".join(words)
    passed = set(_PHRASES.sub(" ", text).split())
    for place, word in enumerate(words):
        if word in ABOUT:
            return ""
        low = root(word)
        measure = word in MEASURES | OF_MONEY and _has_measures(asked)
        rises = word in _RISES and (asked.unit.symbol == "%" or set(_RISES) & set(asked.question.split()))
        short = len(word) > 2 and any(one.startswith(word) for one in asked.stem.split())  # market cap
        falls = word in FALLS and bool(asked.nouns & FALLS)
        told = low in known or measure or rises or falls or short or word in initials or word in FILLERS
        if word not in passed or f" {low} " not in folded or told or word.endswith("ly"):
            continue
        if word not in asked.lexicon.words and (place or word in _MORE or not _STATES.search(word)):
            return _changed(word)
    return ""


# What is told of a thing right behind it and leaves it the thing: 7.5 MB unacknowledged, 31 % lost, 12 pages touched.
_STATES: Final = re.compile(r"(?<!e)ed$|^(?:gone|lost|outstanding|sold|paid|spent|left|remain|remains|remaining)$")


def _words(piece: Iterable[Span]) -> list[str]:
    return [word for span in piece for word in _STEM_WORD.findall(span.low)]


def _folded(words: Iterable[str]) -> str:
    return f" {' '.join(root(word) for word in words)} "


@lru_cache(maxsize=1024)
def _roots(stem: str, terms: frozenset[str]) -> frozenset[str]:
    return frozenset(map(root, (*stem.split(), *terms)))


_ENDING: Final = re.compile(r"(?:'s|ings?|able|ions?|(?<!e)ed|es|e|(?<!s)s)$")


@lru_cache(maxsize=4096)
def root(word: str) -> str:
    """What `miss`, `misses` and `missing` have in common."""
    low = word.casefold().removesuffix("'s")
    if low.endswith("ies"):
        return low[:-3] + "y"
    return _ENDING.sub("", low)
