"""What a word of a response means to a rubric: the slots it fills, the rows it begins, what it is read as.

Most words that are new mean nothing to a rubric. `_foreign` tells so by how they begin, at a fraction of the
cost of stemming a word and looking for all that it might be.
"""

from __future__ import annotations

from typing import Final

from quizgen.rubric.pattern.beginnings import head_of, may_have_root, root_of
from quizgen.rubric.pattern.index import FUZZY, NO_TAILS, Index, IndexEntry, Sequence, Target
from quizgen.rubric.text.complexity import MEANT, called, canonical, is_complexity, parts
from quizgen.rubric.text.cues import CUES, NOT, THAN
from quizgen.rubric.text.lexicon import (
    ABBREVIATIONS,
    ARROWS,
    BRACKET,
    BULLET,
    COLON,
    COMMA,
    FUNCTION,
    LINE,
    NUMBER_WORDS,
    ORDER_CLASSES,
    QUERY,
    SENTENCE,
    SIGNS_THAT_COMPARE,
    STRONG,
    WORDS_FOR_SIGNS,
    order_class,
)
from quizgen.rubric.text.stem import IRREGULAR, american, irregular, stem
from quizgen.rubric.text.tokens import number
from quizgen.rubric.text.typos import Speller

# Words that mean something to every rubric, or whose stem begins otherwise than they do.
_OWN_WAYS: Final = frozenset((*CUES, *FUNCTION, *ORDER_CLASSES, *ABBREVIATIONS, *MEANT, *IRREGULAR))


def learn(index: Index, token: str) -> IndexEntry:
    """The meaning of a folded token that is met for the first time, which is remembered."""
    meaning = _meaning(index, token)
    index.memory.keep(token, meaning)
    return meaning


def _meaning(index: Index, token: str) -> IndexEntry:
    word = token
    rate: tuple[str, ...] = ()
    # Letters alone are no mark, and a rate only if they end in its n.
    if not token.isalpha() or (token[0] in "nml" and token[-1] in "nm"):
        word = token.strip() or token  # a line end is a mark too
        if is_complexity(word):
            rate = (*parts(word), *called(canonical(word)))
            word = canonical(word)
        elif token[-1] == " ":
            return _mark(word, "•")
        word = WORDS_FOR_SIGNS.get(word, word)
        if not any(c.isalnum() for c in word) and word not in index.signs:
            return _sign(index, word)
    else:
        foreign = _foreign(index, token)
        if foreign is not None:
            return foreign
    entry = IndexEntry(word, CUES.get(word, 0))
    entry.function = word in FUNCTION
    entry.order = order_class(word)
    base = word.rstrip(".") if word.endswith(".") else word
    if base.endswith("'s") or base.endswith("s'"):
        base = base[:-2]
    entry.forms = _forms(index, base) if not rate else (word, *map(stem, rate))
    _link(index, entry, base, rate)
    entry.numeral = index.counts and (word[0].isdigit() or word in NUMBER_WORDS)
    if not entry.targets and not entry.starts and not entry.cue and not entry.function and not entry.tails:
        meant = _speller(index).repair(base)
        if meant:
            return _read_as(index, entry, meant)
    return _weighed(index, entry)


def _weighed(index: Index, entry: IndexEntry) -> IndexEntry:
    """The entry with what its forms and targets say of it."""
    if not entry.function:
        references = index.references
        for form in entry.forms:
            if form in references:
                entry.reference |= references[form]
    entry.simple = not (entry.starts or entry.tails or entry.cue or entry.numeral)
    entry.hot = bool(entry.targets or entry.reference) or not entry.simple
    return entry


def _foreign(index: Index, word: str) -> IndexEntry | None:
    """The entry of a word of letters that no key, prefix or row of words of this rubric can begin with."""
    heads = index.heads
    if not heads or word in _OWN_WAYS or word in index.tails:
        return None
    start = word[:2]
    if start in index.prefixes or index.prefix_sequences:
        spelling = american(word)
        for prefix, _ in (*index.prefixes.get(start, ()), *index.prefix_sequences):
            if word.startswith(prefix) or spelling.startswith(prefix):
                return None
    entry = IndexEntry(word)
    if len(word) > 4 and head_of(word) not in heads:
        entry.forms = (word,)
    elif may_have_root(word, index.roots or _roots(index)):
        return None
    meant = (index.speller or _speller(index)).repair(word)
    return _read_as(index, entry, meant) if meant else entry


def _roots(index: Index) -> frozenset[str]:
    """Worked out when the first word asks, so that a bank of many rubrics is not longer to load."""
    index.roots = frozenset([root_of(key) for key in (*index.singles, *index.sequences, *index.references)])
    return index.roots


def _strange(index: Index, word: str) -> bool:
    """No key of this rubric begins like the word, so its stem, which is slow to find, matters to nothing."""
    return bool(index.heads) and len(word) > 4 and head_of(word) not in index.heads and not irregular(word)


def _sign(index: Index, word: str) -> IndexEntry:
    """A mark; but `<` is "smaller than" and `↑` is "increases" where the rubric says so."""
    meant = ARROWS.get(word)
    entry = IndexEntry(word, 0 if meant else THAN)
    entry.forms = tuple(map(stem, meant)) if meant else SIGNS_THAT_COMPARE.get(word, ())
    _link(index, entry, word, meant or entry.forms)
    if not entry.targets:
        return _mark(word, word)
    entry.function, entry.hot, entry.simple = not meant, True, False
    entry.order = order_class("more" if meant else "than")
    return entry


def _forms(index: Index, word: str) -> tuple[str, ...]:
    if word[0].isdigit():
        found = number(word)
        if found:
            plain, rest = found
            return (plain + rest, plain) if rest else (plain,)
        return (word,)
    forms = (word if _strange(index, word) else stem(word),)
    long = ABBREVIATIONS.get(word) or MEANT.get(word)
    if long:
        return (*forms, stem(long))
    if CUES.get(word) == NOT and (word.endswith(("n't", "nt")) or word == "cannot"):
        return (*forms, "not")  # "isn't stable" holds "not stable"
    return forms


def _link(index: Index, entry: IndexEntry, word: str, others: tuple[str, ...] = ()) -> None:
    """Targets and sequences that the forms of a word open."""
    targets: dict[Target, None] = {}
    starts: dict[Sequence, None] = {}
    singles, sequences, prefixes = index.singles, index.sequences, index.prefixes
    for form in entry.forms:
        if form in singles:
            targets.update(dict.fromkeys(singles[form]))
        if form in sequences:
            starts.update(dict.fromkeys(sequences[form]))
    spellings = {word: None, american(word): None, ABBREVIATIONS.get(word, word): None}
    if others:
        spellings.update(dict.fromkeys(others))
    for spelling in spellings:
        for prefix, found in prefixes.get(spelling[:2], ()):
            if spelling.startswith(prefix):
                targets.update(dict.fromkeys(found))
        for prefix, sequence in index.prefix_sequences:
            if spelling.startswith(prefix):
                starts[sequence] = None
    entry.targets = tuple(targets)
    entry.starts = tuple(starts)
    if starts:
        entry.seconds = {}
        for sequence in starts:
            wanted, starred = sequence.rest[0]
            entry.seconds.setdefault("" if starred else wanted, []).append(sequence)
    entry.tails = index.tails.of(word)


def _speller(index: Index) -> Speller:
    if index.speller is None:
        index.speller = Speller(index.vocabulary, frozenset(p for ps in index.prefixes.values() for p, _ in ps))
    return index.speller


def _read_as(index: Index, entry: IndexEntry, meant: str) -> IndexEntry:
    """The entry of a misspelt word, read as the rubric's word it is nearest to."""
    entry.read_as = meant
    entry.forms = _forms(index, meant)
    _link(index, entry, meant)
    entry.targets = tuple([(probe, slot, flag | FUZZY) for probe, slot, flag in entry.targets])
    entry.tails = NO_TAILS
    return _weighed(index, entry)


_MARKS: Final = {
    ".": SENTENCE, "!": SENTENCE, "?": QUERY, ",": COMMA, "(": BRACKET, ")": BRACKET, ":": COLON, "•": BULLET,
    ";": STRONG, "—": STRONG, "...": STRONG, "\n": LINE,
}  # fmt: skip


def _mark(word: str, sign: str) -> IndexEntry:
    entry = IndexEntry(word, STRONG if sign.strip("-") == "" else _MARKS.get(sign, 0))
    entry.forms = ()
    entry.mark = entry.hot = True
    return entry
