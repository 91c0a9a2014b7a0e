"""Compiling a rubric: phrases to terms, synonyms to more terms, terms to an inverted index."""

from __future__ import annotations

import itertools

from quizgen.rubric.compiling.rivals import find_rivals
from quizgen.rubric.compiling.texts import learn_texts
from quizgen.rubric.pattern.index import INVERSE_FLAG, Form, Index, Probe, Sequence, Target, key_of
from quizgen.rubric.pattern.meanings import Memory
from quizgen.rubric.pattern.phrases import Alternative, Phrase, PhraseError, read
from quizgen.rubric.pattern.tails import Tails
from quizgen.rubric.pattern.variants import both_ways, comparatives, mirrored, variants
from quizgen.rubric.reading.amounts import find_amounts
from quizgen.rubric.rubric import ACCEPT, MISCONCEPTION, REJECT, SUBJECT, Phrasing, Rubric
from quizgen.rubric.text.stem import american, stem
from quizgen.rubric.text.tokens import words_of
from quizgen.rubric.text.typos import Speller

MAX_FORMS = 256  # spellings of one alternative that synonyms make; banks of hundreds of items have 39 at most
SUBJECT_NEAR = 5  # words within which the slots of a subject's phrase stand: "gradient input" may be one


def compiled(rubric: Rubric) -> Index:
    """The index of a rubric, worked out when it is first asked for."""
    if not rubric.memo:
        rubric.memo.append(_compile(rubric))
    index = rubric.memo[0]
    assert isinstance(index, Index)
    return index


def _compile(rubric: Rubric) -> Index:
    """Everything that scoring needs to know of a rubric, worked out once."""
    index = Index(rubric)
    index.memory = Memory(index)
    builder = _Builder(index, _synonym_forms(rubric))
    for place, criterion in enumerate(rubric.criteria):
        for phrasing in criterion.accept:
            builder.add(phrasing, ACCEPT, place, criterion.fuzzy)
        for phrasing in criterion.reject:
            builder.add(phrasing, REJECT, place, criterion.fuzzy)
    for place, misconception in enumerate(rubric.misconceptions):
        for phrasing in misconception.match:
            builder.add(phrasing, MISCONCEPTION, place, True)
    for place, subject in enumerate(rubric.subjects):
        for text in subject.phrases:
            builder.add(Phrasing(text, SUBJECT_NEAR), SUBJECT, place, True)
    builder.finish()
    index.naming = tuple(i for i, probe in enumerate(index.probes) if probe.kind == SUBJECT)
    index.numbered = {
        alternative.words[-1]: index.probes[number].owner
        for number in index.naming
        for alternative in index.probes[number].phrase.slots[0]
        if alternative.words[-1].isdigit()
    }
    names = [subject.id for subject in rubric.subjects]
    index.said_of = tuple(frozenset(names.index(name) for name in c.of) for c in rubric.criteria)
    index.said_against = tuple(frozenset(names.index(name) for name in c.against) for c in rubric.criteria)
    learn_texts(index)
    index.amounts = find_amounts(index.probes)
    index.rivals = find_rivals(index)
    index.compares = any(p.comparative >= 0 for p in index.probes)
    return index


# Key and other, both as stems, and the two letters that a word begins with which has to do with the key.
SynonymForms = tuple[tuple[Form, Form, frozenset[str]], ...]


def _synonym_forms(rubric: Rubric) -> SynonymForms:
    pairs: list[tuple[Form, Form, frozenset[str]]] = []
    for key, others in rubric.synonyms:
        left = _plain_form(key)
        heads = frozenset(word[:2] for word in (*[w for w, _ in left], "".join([w for w, _ in left])))
        for other in others:
            for right in (_plain_form(other), _closed(other)):
                if left and right and left != right:
                    pairs.append((left, right, heads))
    return tuple(pairs)


def _closed(text: str) -> Form:
    """`write ahead` spelled as one word; empty where it is one, or could not be."""
    spelled = words_of(text)
    if not 1 < len(spelled) <= 3 or not all(map(_joinable, spelled, spelled[1:])):
        return ()
    return ((key_of("".join(spelled)), False),)


def _plain_form(text: str) -> Form:
    return tuple((key_of(word), False) for word in words_of(text))


class _Builder:
    def __init__(self, index: Index, synonyms: SynonymForms) -> None:
        self.index = index
        self.synonyms = synonyms
        self.singles: dict[str, dict[Target, None]] = {}
        self.prefixes: dict[str, dict[Target, None]] = {}
        self.sequences: dict[Form, dict[Target, None]] = {}
        self.vocabulary: dict[str, None] = {}
        self.joined: dict[str, None] = {}  # keys that an answer may write as two words
        self.signs: dict[str, None] = {}

    def add(self, phrasing: Phrasing, kind: int, owner: int, fuzzy: bool) -> None:
        try:
            phrase = read(phrasing.text)
        except PhraseError:  # reported when the bank was read; here it finds nothing
            return
        place = len(self.index.probes)
        comparative = -1
        keys: list[set[Form]] = []
        mirrors = mirrored(phrase)
        for number_, slot in enumerate(phrase.slots):
            forms: dict[Form, None] = {}
            for alternative in slot:
                for form in self._forms_of(alternative):
                    forms[form] = None
            target = (place, number_, 0)
            for form in forms:
                self._put(form, target)
            if number_ in mirrors:
                comparative = comparative if both_ways(slot) else number_
                inverse = (place, number_, INVERSE_FLAG)
                for form in mirrors[number_]:
                    if form not in forms:
                        self._put(form, inverse)
            keys.append(set(forms))
        self._join_neighbours(phrase, place)
        for slots, word in comparatives(phrase):
            for number_ in slots:
                self._put(((stem(word), False),), (place, number_, 0))
        shared = _share(keys)
        self.index.probes.append(
            Probe(
                phrasing.text, kind, owner, len(phrase.slots), phrasing.near, phrasing.ordered, phrasing.polarity,
                fuzzy, shared, comparative, 0, phrase.names_negator,
            )
        )  # fmt: skip

    def _forms_of(self, alternative: Alternative) -> list[Form]:
        """The word row itself, its closed-up spellings, and what synonyms make of it."""
        form: Form = tuple(
            (word if starred else key_of(word), starred)
            for word, starred in zip(alternative.words, alternative.prefixes, strict=True)
        )
        for word in alternative.words:
            if word.isalpha() and len(word) >= 4:
                self.vocabulary[word] = None
            if not any(c.isalnum() for c in word):
                self.signs[word] = None
        forms = {form: None}
        begun = {word[:2] for word, _ in form}
        for key, other, heads in self.synonyms:
            if heads.isdisjoint(begun):
                continue
            if len(forms) >= MAX_FORMS:
                self.index.crowded.append((len(self.index.probes), alternative.text))
                break
            for known in list(forms)[:32]:
                replaced = _replace(known, key, other)
                if replaced is not None:
                    forms[replaced] = None
                    begun.update([word[:2] for word, _ in other])
                    for word, _ in other:
                        if word.isalpha() and len(word) >= 4:
                            self.vocabulary[word] = None
        forms.update(dict.fromkeys(other for known in list(forms)[:32] for other in variants(known)))
        words, starred = alternative.words, alternative.prefixes
        for i in range(len(words) - 1):
            if not starred[i] and _joinable(words[i], words[i + 1]):
                whole = words[i] + words[i + 1]
                merged = (whole if starred[i + 1] else key_of(whole), starred[i + 1])
                forms[(*form[:i], merged, *form[i + 2 :])] = None
                if not starred[i + 1] and whole.isalpha():
                    self.vocabulary[whole] = None
        if len(words) > 2 and all(alternative.hyphens[1:]) and not any(starred):
            forms[((key_of("".join(words)), False),)] = None
        return list(forms)

    def _put(self, form: Form, target: Target) -> None:
        if len(form) == 1:
            word, starred = form[0]
            table = self.prefixes if starred else self.singles
            table.setdefault(word, {})[target] = None
            if starred and len(word) >= 5 and word.isalpha() and stem(word) != word:
                self.singles.setdefault(stem(word), {})[target] = None  # `recompute*` in "recomputation"
            if starred and american(word) != word:
                table.setdefault(american(word), {})[target] = None
            if not starred and (len(word) >= 5 or any(c.isdigit() for c in word)):
                self.joined[word] = None
        else:
            self.sequences.setdefault(form, {})[target] = None

    def _join_neighbours(self, phrase: Phrase, place: int) -> None:
        """`all reduce` outside braces is two slots; `allreduce` in a response fills both."""
        for number_ in range(len(phrase.slots) - 1):
            left, right = phrase.slots[number_], phrase.slots[number_ + 1]
            if len(left) > 6 or len(right) > 6:
                continue
            for a in left:
                for b in right:
                    if a.single and b.single and not a.prefixes[0] and _joinable(a.words[0], b.words[0]):
                        whole = a.words[0] + b.words[0]
                        form = ((whole if b.prefixes[0] else key_of(whole), b.prefixes[0]),)
                        for slot in (number_, number_ + 1):
                            self._put(form, (place, slot, 0))

    def finish(self) -> None:
        index = self.index
        targets: dict[tuple[Target, ...], tuple[Target, ...]] = {}  # most words fill the slots that others fill too
        rests: dict[Form, Form] = {}

        def shared(found: dict[Target, None]) -> tuple[Target, ...]:
            key = tuple(found)
            return targets.setdefault(key, key)

        index.singles = {word: shared(found) for word, found in self.singles.items()}
        for prefix, found in self.prefixes.items():
            index.prefixes.setdefault(prefix[:2], []).append((prefix, shared(found)))
        starts: dict[str, list[Sequence]] = {}
        for form, found in self.sequences.items():
            sequence = Sequence(rests.setdefault(form[1:], form[1:]), shared(found))
            word, starred = form[0]
            if starred:
                index.prefix_sequences.setdefault(word[:2], []).append((word, sequence))
            else:
                starts.setdefault(word, []).append(sequence)
        index.sequences = {word: tuple(found) for word, found in starts.items()}
        index.tails = Tails(self.joined)
        index.speller = Speller(self.vocabulary, self.prefixes)
        index.signs = frozenset(self.signs)


def _joinable(left: str, right: str) -> bool:
    """Whether two words may be written as one. Not where the stem of that is one of them: "signal late", closed up,
    would be an ending of "signal" (relate, control)."""
    if len(left) == 1:
        return right.isdigit()
    return (left + right).isalnum() and key_of(left + right) not in (key_of(left), key_of(right))


def _share(keys: list[set[Form]]) -> bool:
    """Whether one word may fill two slots: `data-parallel data`."""
    words = [{word for form in forms for word, _ in form} for forms in keys]
    begun = [{word[:size] for word in slot for size in (2, 3, 4)} for slot in words]
    prefixes = [{word[:4] for form in forms for word, starred in form if starred} for forms in keys]
    return any(
        words[a] & words[b] or prefixes[a] & begun[b] or prefixes[b] & begun[a]
        for a, b in itertools.combinations(range(len(keys)), 2)
    )


def _replace(form: Form, key: Form, other: Form) -> Form | None:
    """`form` with the candidate's spelling `other` in the place of the synonym key, or None."""
    if len(form) == 1:
        word, starred = form[0]
        closed = "".join(w for w, _ in key)
        for known, _ in (*key, (closed, False)):
            if known == word or (starred and (known.startswith(word) or (word.startswith(known) and len(known) > 3))):
                return other
        return None
    for at in range(len(form) - len(key) + 1):
        part = form[at : at + len(key)]
        if all(w == k or (starred and k.startswith(w)) for (w, starred), (k, _) in zip(part, key, strict=True)):
            return (*form[:at], *other, *form[at + len(key) :])
    return None
