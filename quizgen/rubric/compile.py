"""Compiles a rubric to an index: its phrases, synonyms, stem and model answer."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from sys import intern
from typing import Final, NamedTuple

from quizgen.rubric import index as rubric_index
from quizgen.rubric import lexicon
from quizgen.rubric import rubric as rubrics
from quizgen.rubric.index import Form, RubricIndex, RubricWordUse, SlotTarget, WordSequence, index_key, parse_token
from quizgen.rubric.phrases import PhraseError, PhraseSlots, SlotAlternative, parse_phrase
from quizgen.rubric.polarity import DENIED, find_stance
from quizgen.rubric.response import PhraseWindow, ResponseText, amount_of_alternative, find_windows, read_response
from quizgen.rubric.rubric import ACCEPT_ROLE, MISCONCEPTION_ROLE, REJECT_ROLE, SUBJECT_ROLE, PhraseWithSettings, Rubric
from quizgen.rubric.scopes import CUE_KIND_BY_WORD, NEGATING_WORDS, STANCE_CHANGING_CUE_KINDS
from quizgen.rubric.spelling import MIN_LETTERS_TO_CORRECT, Speller, american_spelling, word_stem
from quizgen.rubric.tokens import TOKEN_PATTERN, WORD_PAIRS_BY_RATE, fold_text, folded_words

# -- Equivalent English wordings: negators of one kind, and comparatives of one word or two. `{no children}` also
# matches "without children", "does not have children", "never has children"; `more dense` also matches "denser".

# Negators that are interchangeable before the same words; "n't" is read as "not".
_INTERCHANGEABLE_NEGATORS: Final = ("no", "not", "without", "never")
_EQUIVALENTS_BY_LONE_NEGATOR: Final = {"no": ("without",), "without": ("no",), "never": (), "not": ("never",)}
# Verbs that carry a "not": "does not end" and "doesn't end" both contain "not end".
_AUXILIARY_VERB_STEMS: Final = frozenset(
    map(word_stem, lexicon.word_set("do does did is are was were can could will would should must has have had may be"))
)
_WORDS_MEANING_MORE: Final = frozenset(("more", "greater", "higher"))
_ADJECTIVE_BY_COMPARATIVE: Final = {"better": "good"} | {v: k for k, v in lexicon.COMPARATIVE_BY_ADJECTIVE.items()}
_ADJECTIVE_BY_COMPARATIVE_STEM: Final = {word_stem(er): base for base, er in lexicon.COMPARATIVE_BY_ADJECTIVE.items()}
_ADJECTIVE_BY_STEM: Final = {word_stem(base): base for base in lexicon.COMPARATIVE_BY_ADJECTIVE}
_FIRST_WORDS_WITH_EQUIVALENTS: Final = _AUXILIARY_VERB_STEMS.union(
    _INTERCHANGEABLE_NEGATORS, ("cannot",), _WORDS_MEANING_MORE, _ADJECTIVE_BY_COMPARATIVE_STEM, WORD_PAIRS_BY_RATE
)


def equivalent_wordings(form: Form) -> list[Form]:
    """Other word sequences with the same meaning as `form`: "not end" for `{does not end}`, "without children" for
    `{no children}`, "denser" for `{more dense}`, "more cheap" for "cheaper"."""
    first, is_prefix = form[0]
    if is_prefix or not (first in _FIRST_WORDS_WITH_EQUIVALENTS or first.endswith("n't")):
        return []
    forms: list[Form] = []
    if first.endswith("n't") or first == "cannot":
        form, first = (("not", False), *form[1:]), "not"
        forms.append(form)
    elif len(form) > 2 and first in _AUXILIARY_VERB_STEMS and form[1] == ("not", False):
        form, first = form[1:], "not"
        forms.append(form)
    if first in _INTERCHANGEABLE_NEGATORS:
        # Alone, "no" equals "without" but not "not": "packets are not" does not contain "no packets".
        negators = _INTERCHANGEABLE_NEGATORS if len(form) > 1 else _EQUIVALENTS_BY_LONE_NEGATOR[first]
        forms += [((negator, False), *form[1:]) for negator in negators if negator != first]
    elif len(form) == 1:
        two_words = [*WORD_PAIRS_BY_RATE.get(first, ())]
        two_words += [("more", base)] if (base := _ADJECTIVE_BY_COMPARATIVE_STEM.get(first)) else []
        forms += [((word_stem(a), False), (word_stem(b), False)) for a, b in two_words]
    elif first in _WORDS_MEANING_MORE and (base := _ADJECTIVE_BY_STEM.get(" ".join([word for word, _ in form[1:]]))):
        forms.append(((word_stem(lexicon.COMPARATIVE_BY_ADJECTIVE[base]), False),))
    return forms


def opposite_wordings_by_slot(slots: PhraseSlots) -> dict[int, list[Form]]:
    """For each slot that holds a comparative, the forms that mean the opposite: "slower" for `faster`, "denser" and
    "more dense" for `{less dense}`. In "less memory, more time" neither slot is the opposite of the other."""
    compared = [_comparatives_in_slot(slot) for slot in slots]
    if any(slot - lexicon.TIME_ORDER_WORDS for slot in compared):  # "lower in advance": "lower" decides, not the time
        compared = [slot - lexicon.TIME_ORDER_WORDS for slot in compared]
    mirrors: dict[int, list[Form]] = {}
    for place, slot in enumerate(slots):
        opposites = {inverse for word in compared[place] for inverse in lexicon.OPPOSITES_BY_WORD.get(word, ())}
        if compared[place] and not any(opposites & words for words in compared[:place] + compared[place + 1 :]):
            forms = [form for a in slot if a.words[0] in compared[place] for form in _opposites_of_alternative(a)]
            mirrors[place] = list(dict.fromkeys(forms))
    return mirrors


def _comparatives_in_slot(slot: tuple[SlotAlternative, ...]) -> set[str]:
    """The comparatives of a slot. One counts if it is a whole alternative, or if at least half of the alternatives
    begin with a comparative."""
    single_words = {a.words[0] for a in slot if a.is_one_word and a.words[0] in lexicon.COMPARATIVES}
    order_words = [a.words[0] for a in slot if a.is_one_word and a.words[0] in lexicon.TIME_ORDER_WORDS]
    first_words = [a.words[0] for a in slot if a.words[0] in lexicon.COMPARATIVES]
    return single_words.union(*[words for words in (order_words, first_words) if 2 * len(words) >= len(slot)])


def _opposites_of_alternative(alternative: SlotAlternative) -> list[Form]:
    (word, *tail_words), flags = alternative.words, alternative.prefix_flags[1:]
    tail: Form = tuple((w if flag else word_stem(w), flag) for w, flag in zip(tail_words, flags, strict=True))
    forms: list[Form] = [((word_stem(inverse), False), *tail) for inverse in lexicon.OPPOSITES_BY_WORD.get(word, ())]
    if not tail and (plain := _ADJECTIVE_BY_COMPARATIVE.get(word)):  # "A is not as fast as B" for "B is faster than A"
        forms.append((("not", False), ("as", False), (word_stem(plain), False), ("as", False)))
    base = _ADJECTIVE_BY_STEM.get(tail[0][0]) if len(tail) == 1 else None
    if word in ("less", "lower") and base:
        forms.append(((word_stem(lexicon.COMPARATIVE_BY_ADJECTIVE[base]), False),))
    return forms


# -- Facts about the stem and the model answer that a rubric needs before it scores.

# Tokens without one of which a text denies and averts nothing.
_TOKENS_THAT_DENY_OR_AVERT: Final = lexicon.AVERTING_WORDS.union(
    lexicon.KEEP_FROM_VERBS,
    ("w/o", "?"),
    (w for w, cue in CUE_KIND_BY_WORD.items() if cue in STANCE_CHANGING_CUE_KINDS),
)


def _index_stem_and_answers(index: RubricIndex) -> None:
    """Adds the words of stem, model answer and example answers to the index, and sets which phrases may also be
    denied."""
    rubric = index.rubric
    model_words = [word for word in folded_words(rubric.model_answer) if word not in lexicon.FUNCTION_WORDS]
    keys = list(dict.fromkeys(map(index_key, model_words)))[:MAX_MODEL_ANSWER_WORDS_INDEXED]
    index.model_word_count = len(keys)
    for place, key in enumerate(keys):
        index.meanings[key] = index.meanings.get(key, RubricWordUse())._replace(model_answer_word_bit=1 << place)
    index.beginnings = _beginnings_of_rubric_words(index)
    for owner, text in enumerate((rubric.model_answer, *(c.statement for c in rubric.criteria)), -1):
        folded_text = fold_text(text)
        if not _TOKENS_THAT_DENY_OR_AVERT.isdisjoint(TOKEN_PATTERN.findall(folded_text.text)):
            _allow_denial_of_phrases_author_denies(index, read_response(index, folded_text), owner)
    # What the stem gives away: runs of words to copy, and slots that its words fill.
    stem_words = folded_words(rubric.stem)
    index.newline_enclosed_stem = rubric_index.newline_enclosed_text(stem_words) if len(stem_words) > 3 else ""
    stem = read_response(index, fold_text(rubric.stem))
    index.model_bits_not_in_stem = ((1 << index.model_word_count) - 1) & ~stem.model_answer_word_bits
    for number, hits in stem.hits_by_phrase_index.items():
        slot_bits = sum({1 << slot for _, _, slot, _ in hits})
        index.phrases[number] = index.phrases[number]._replace(slot_bits_filled_by_item_stem=slot_bits)
    if wrong_texts := rubric.wrong_example_answers:
        right_texts = (rubric.model_answer, *(c.statement for c in rubric.criteria), *rubric.right_example_answers)
        sides = [[_ordered_stem_hashes(index, t) for t in texts] for texts in ([rubric.stem], right_texts, wrong_texts)]
        index.example_answers = rubric_index.ExampleAnswerWords(*sides)


def _beginnings_of_rubric_words(index: RubricIndex) -> frozenset[str]:
    """The beginnings of all words that may mean something to a rubric: three letters, a prefix of two with a star, and
    with a tilde the one or two first letters of a word that may be written apart."""
    prefixes = [prefix for group in index.prefixes.values() for prefix, _ in group]
    heads = {w[: rubric_index.LETTERS_PER_BEGINNING] for w in (*index.meanings, *index.joined_words, *prefixes)}
    heads.update([f"{prefix}*" for prefix in prefixes if len(prefix) < rubric_index.LETTERS_PER_BEGINNING])
    heads.update([f"{key[:size]}~" for key in index.joined_words for size in (1, 2)])
    heads |= {rubric_index.BEGINNING_OF_EVERY_WORD} & index.prefixes.keys()
    return frozenset(map(intern, heads | {rubric_index.CLOSER_LOOK_BEGINNING}))


def _ordered_stem_hashes(index: RubricIndex, text: str) -> list[int]:
    """The stems of the words of a text, in order, as numbers."""
    tokens = TOKEN_PATTERN.findall(fold_text(text).text)
    entries = [word.entry if (word := parse_token(t)).is_spelt_right else index.entry_cache[t] for t in tokens]
    return [entry.word_stem_hash for entry in entries if not entry.is_punctuation]


def _allow_denial_of_phrases_author_denies(index: RubricIndex, model: ResponseText, criterion_number: int) -> None:
    """In `index`, lets each accepting phrase of criterion `criterion_number` (-1: of all criteria) match whether
    asserted or denied, if `model` (the model answer, or the criterion's `statement`) denies it ("the list is not
    sorted") or averts it ("keeps packets from looping") at every match."""
    for number, hits in model.hits_by_phrase_index.items():
        phrase = index.phrases[number]
        needs_assertion = phrase.polarity == rubrics.ASSERT_POLARITY and not phrase.has_negator
        is_accepted_phrase = phrase.role == ACCEPT_ROLE and criterion_number in (-1, phrase.owner_number)
        claims = find_windows(model, number, hits) if is_accepted_phrase and needs_assertion else []
        if claims and all(_is_claim_prevented(model, c) or find_stance(model, c).kind == DENIED for c in claims):
            index.phrases[number] = phrase._replace(polarity=rubrics.ANY_POLARITY)


def _is_claim_prevented(model: ResponseText, claim: PhraseWindow) -> bool:
    """Whether the clause averts the claim: "it keeps packets from looping", "prevents …", "otherwise it would …"."""
    claim_words = {model.word_entries[p].word for h in claim.hits for p in range(h[0], h[1] + 1)}
    start = model.clause_bounds(claim.first)[0]
    context = {model.word_entries[p].word for p in range(start, claim.last)} - claim_words
    return bool(context & lexicon.AVERTING_WORDS) or ("from" in context and bool(context & lexicon.KEEP_FROM_VERBS))


# -- Compiling a rubric: phrases to terms, synonyms to more terms, terms to an inverted index.

MAX_WORDINGS_PER_ALTERNATIVE = 256  # spellings that synonyms may produce; banks of hundreds of items have at most 39
MAX_MODEL_ANSWER_WORDS_INDEXED = 60  # different content words of the model answer
MAX_WORDS_APART_IN_SUBJECT_NAME = 5  # between the slots of a subject's phrase, as in "gradient input"


def compiled_index(rubric: Rubric) -> RubricIndex:
    """Everything that scoring needs to know of a rubric, compiled at the first call."""
    if rubric.index_cache:
        cached_index: RubricIndex = rubric.index_cache[0]
        return cached_index
    index = RubricIndex(rubric)
    builder = _IndexBuilder(index)
    for place, criterion in enumerate(rubric.criteria):
        for role, phrasings in ((ACCEPT_ROLE, criterion.accepted_phrases), (REJECT_ROLE, criterion.rejected_phrases)):
            for phrasing in phrasings:
                builder.add_phrase(phrasing, role, place, criterion.allows_misspelling)
    for place, misconception in enumerate(rubric.misconceptions):
        for phrasing in misconception.phrases:
            builder.add_phrase(phrasing, MISCONCEPTION_ROLE, place, True)
    for place, subject in enumerate(rubric.subjects):
        for text in subject.phrases:
            builder.add_phrase(PhraseWithSettings(text, MAX_WORDS_APART_IN_SUBJECT_NAME), SUBJECT_ROLE, place, True)
    builder.fill_index()
    index.subject_phrase_indices = tuple(i for i, phrase in enumerate(index.phrases) if phrase.role == SUBJECT_ROLE)
    names = [subject.id for subject in rubric.subjects]
    index.subjects_by_criterion = tuple(frozenset(map(names.index, c.subject_ids)) for c in rubric.criteria)
    index.rivals_by_criterion = tuple(frozenset(map(names.index, c.compared_subject_ids)) for c in rubric.criteria)
    _index_stem_and_answers(index)
    rubric.index_cache.append(index)
    return index


class _AlternativeForms(NamedTuple):
    """What an alternative matches without the synonyms of a rubric: `all_forms_without_synonyms` are its word
    sequence, others of the same meaning, and those with words joined; `correction_words` what misspelt words may be
    meant as; `signs` those without a letter or digit."""

    form_as_written: Form
    forms_with_joined_words: tuple[Form, ...]
    all_forms_without_synonyms: tuple[Form, ...]
    correction_words: tuple[str, ...]
    signs: tuple[str, ...]


# Small words that nobody joins to another: "per layer" is never "perlayer", but "all reduce" may be "allreduce".
_WORDS_NEVER_JOINED: Final = lexicon.FUNCTION_WORDS - lexicon.word_set(
    "all any by down every in into no off on one out over some through under up with"
)


@lru_cache(maxsize=512)  # neighbouring phrases share many alternatives
def _forms_without_synonyms(alternative: SlotAlternative) -> _AlternativeForms:
    words, flags, hyphens = alternative.words, alternative.prefix_flags, alternative.hyphen_before_flags
    form = tuple([(word if flag else index_key(word), flag) for word, flag in zip(words, flags, strict=True)])
    joins: list[Form] = []
    spellings = [word for word in words if _can_be_correction(word)]
    for i in range(len(words) - 1):
        if flags[i] or not (hyphens[i + 1] or (len(words) == 2 and _WORDS_NEVER_JOINED.isdisjoint(words))):
            continue
        compound, flag = words[i] + words[i + 1], flags[i + 1]
        if key := _index_key_of_joined_words(words[i], words[i + 1]):
            joins.append((*form[:i], (compound if flag else key, flag), *form[i + 2 :]))
            spellings += [compound] if not flag and _can_be_correction(compound) else []
    signs = () if alternative.text.isalpha() else tuple([word for word in words if not any(map(str.isalnum, word))])
    return _AlternativeForms(form, tuple(joins), (form, *equivalent_wordings(form), *joins), tuple(spellings), signs)


def _can_be_correction(word: str) -> bool:
    """Whether a misspelt word may be corrected to this one."""
    return len(word) >= MIN_LETTERS_TO_CORRECT and word.isalpha()


def _index_key_of_joined_words(left: str, right: str) -> str:
    """The key of `left` and `right` written as one word, such as "database"; empty if they may not be. They may not if
    the joined word has the stem of one of the two: "signallate" has the stem of "signal", so "signal" alone would meet
    both words. A single letter is joined only with digits."""
    if not (right.isdigit() if len(left) == 1 else (left + right).isalnum()):
        return ""
    key = index_key(left + right)
    return "" if len(left) > 1 and key in (index_key(left), index_key(right)) else key


class _IndexBuilder:
    """Collects the terms of phrases with their targets, and makes the tables of the index from them."""

    def __init__(self, index: RubricIndex) -> None:
        self.index = index
        # (key, synonym) as stems, and the first two letters of words that can belong to the key.
        self.synonyms: list[tuple[Form, Form, frozenset[str]]] = []
        for key, synonyms in index.rubric.words_and_synonyms:
            key_form = _form_of_text(key)
            heads = frozenset(word[:2] for word in (*[w for w, _ in key_form], "".join([w for w, _ in key_form])))
            forms = [form for form in map(_form_of_text, synonyms) if key_form and form and key_form != form]
            self.synonyms += [(key_form, form, heads) for form in forms]
        self.synonym_heads = frozenset().union(*[heads for _, _, heads in self.synonyms])
        # The targets of each word, prefix and word sequence, as keys: in order, and each once.
        self.targets_by_word: defaultdict[str, dict[SlotTarget, None]] = defaultdict(dict)
        self.targets_by_prefix: defaultdict[str, dict[SlotTarget, None]] = defaultdict(dict)
        self.targets_by_sequence: defaultdict[Form, dict[SlotTarget, None]] = defaultdict(dict)
        self.correction_words: list[str] = []
        self.joinable_words: dict[str, None] = {}  # keys that an answer may write as two words
        self.phrase_signs: set[str] = set()

    def add_phrase(self, phrasing: PhraseWithSettings, role: int, owner: int, allows_misspelling: bool) -> None:
        try:
            slots = parse_phrase(phrasing.text)
        except PhraseError:  # reported when the bank was read; the phrase matches nothing
            return
        index, comparative_slot = self.index, -1
        place = len(index.phrases)
        mirrors = opposite_wordings_by_slot(slots)
        for number, slot in enumerate(slots):
            target = (place, number, 0)
            forms: dict[Form, None] = {}
            for alternative in slot:
                self._add_forms_of_alternative(alternative, forms)
                if alternative.words[0][0].isdigit() and (amount := amount_of_alternative(alternative)):
                    index.slots_by_amount.setdefault(amount, []).append(target)
            for form in forms:
                self._add_form_filling_slot(form, target)
            if number in mirrors:
                comparative_slot = number
                for form in mirrors[number]:
                    if form not in forms:
                        self._add_form_filling_slot(form, (place, number, rubric_index.OPPOSITE_WORD_BIT))
        settings = phrasing.max_word_distance, phrasing.is_ordered, phrasing.polarity
        # A phrase with a "no", "not" or "without" matches only a statement with that word.
        has_negator = any(not NEGATING_WORDS.isdisjoint(alternative.words) for slot in slots for alternative in slot)
        phrase = rubric_index.IndexedPhrase(
            phrasing.text, role, owner, len(slots), *settings, allows_misspelling, comparative_slot, 0, has_negator
        )
        index.phrases.append(phrase)

    def _add_forms_of_alternative(self, alternative: SlotAlternative, forms: dict[Form, None]) -> None:
        """Adds to `forms` all word sequences that the alternative matches."""
        base_forms = _forms_without_synonyms(alternative)
        self.correction_words += base_forms.correction_words
        self.phrase_signs.update(base_forms.signs)
        if self.synonym_heads.isdisjoint([word[:2] for word, _ in base_forms.form_as_written]):
            for form in base_forms.all_forms_without_synonyms:  # in half the time of an `update`
                forms[form] = None
        else:
            synonyms = self._forms_with_synonyms(base_forms.form_as_written)
            forms.update(synonyms)
            forms.update(dict.fromkeys(other for entry in list(synonyms)[:32] for other in equivalent_wordings(entry)))
            forms.update(dict.fromkeys(base_forms.forms_with_joined_words))

    def _forms_with_synonyms(self, form: Form) -> dict[Form, None]:
        """The word sequence and those with a synonym in it, at most MAX_WORDINGS_PER_ALTERNATIVE."""
        forms = {form: None}
        form_heads = {word[:2] for word, _ in form}
        for key, synonym, heads in self.synonyms:
            if heads.isdisjoint(form_heads):
                continue
            if len(forms) >= MAX_WORDINGS_PER_ALTERNATIVE:
                break
            for base_form in list(forms)[:32]:
                if (new_form := _form_with_synonym(base_form, key, synonym)) is not None:
                    forms[new_form] = None
                    form_heads.update([word[:2] for word, _ in synonym])
                    self.correction_words += [word for word, _ in synonym if _can_be_correction(word)]
        return forms

    def _add_form_filling_slot(self, form: Form, target: SlotTarget) -> None:
        if len(form) > 1:
            self.targets_by_sequence[form][target] = None
            return
        word, is_prefix = form[0]
        if not is_prefix:
            self.targets_by_word[word][target] = None
            if len(word) >= 5 or any(map(str.isdigit, word)):
                self.joinable_words[word] = None
            return
        self.targets_by_prefix[word][target] = None
        if len(word) >= 5 and word.isalpha() and word_stem(word) != word:
            self.targets_by_word[word_stem(word)][target] = None  # `recompute*` in "recomputation"
        if american_spelling(word) != word:
            self.targets_by_prefix[american_spelling(word)][target] = None

    def fill_index(self) -> None:
        index = self.index
        uses: dict[tuple[SlotTarget, ...], RubricWordUse] = {}  # most words fill the same slots as some other word
        tails: dict[tuple[str, ...], tuple[str, ...]] = {}

        def word_use(targets: dict[SlotTarget, None]) -> RubricWordUse:
            key = tuple(targets)
            return uses.get(key) or uses.setdefault(key, RubricWordUse(key))

        index.meanings = {word: word_use(targets) for word, targets in self.targets_by_word.items()}
        for prefix, targets in self.targets_by_prefix.items():
            first = "*" if prefix[0] == "*" else prefix[:2]
            index.prefixes.setdefault(first, []).append((prefix.removeprefix("*"), word_use(targets)))
        starts: dict[str, list[WordSequence]] = {}
        for form, targets in self.targets_by_sequence.items():
            tail = tuple([intern(f"{word}*") if is_prefix else word for word, is_prefix in form[1:]])
            sequence = WordSequence(tails.setdefault(tail, tail), word_use(targets).filled_slots)
            word, is_prefix = form[0]
            if is_prefix:
                index.prefixes.setdefault(word[:2], []).append((word, RubricWordUse((), (sequence,))))
            else:
                starts.setdefault(word, []).append(sequence)
        for word, sequences in starts.items():
            index.meanings[word] = index.meanings.get(word, RubricWordUse())._replace(sequences_begun=tuple(sequences))
        index.joined_words = sorted(self.joinable_words)
        index.speller = Speller(dict.fromkeys(self.correction_words))
        index.phrase_signs = frozenset(self.phrase_signs)


def _form_of_text(text: str) -> Form:
    return tuple((index_key(word), False) for word in folded_words(text))


def _form_with_synonym(form: Form, key: Form, synonym: Form) -> Form | None:
    """`form` with `synonym` in place of the synonym `key`; None if `form` does not hold the key."""
    if len(form) == 1:
        word, is_prefix = form[0]
        compound = "".join(w for w, _ in key)
        for piece, _ in (*key, (compound, False)):
            if piece == word or (is_prefix and (piece.startswith(word) or (word.startswith(piece) and len(piece) > 3))):
                return synonym
        return None
    for start in range(len(form) - len(key) + 1):
        part = form[start : start + len(key)]
        if all(w == k or (is_prefix and k.startswith(w)) for (w, is_prefix), (k, _) in zip(part, key, strict=True)):
            return (*form[:start], *synonym, *form[start + len(key) :])
    return None
