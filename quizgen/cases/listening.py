"""What a sentence of a candidate is for, an answer or something that is wanted of the interviewer; what it is about,
and the reply to it where no fact of a case is needed.

`intent_weights.txt` was learned from the example sentences of tests/cases/intents.jsonl. Words of the question, of the
facts and of the glossary count as "a word of the question" and so on, so that the examples hold for every case."""

from __future__ import annotations

import heapq
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from quizgen.cases.case import normalized_term
from quizgen.rubric.spelling import word_stem

INTENTS: Final = (
    "answer", "ask", "done", "form", "help", "leave", "meaning", "recall", "remark", "repeat", "skip", "time", "wait",
)  # fmt: skip
INTENT_WEIGHTS_PATH: Final = Path(__file__).with_name("intent_weights.txt")
MAX_ANSWER_PROBABILITY_OF_WISH: Final = 0.35  # of an answer, up to which a sentence may be no answer
_WORDS_PER_LENGTH_STEP: Final = 5  # words
_MAX_LENGTH_STEPS: Final = 4  # steps; longer sentences are alike


# The stems of the words with content in the question on the screen (Q), in the facts (F), and in the glossary (T).
StemsByPart = Mapping[str, frozenset[str]]


def intent_features(sentence: str, stems_by_part: StemsByPart) -> frozenset[str]:
    """The features of a sentence: its words, its pairs of neighbouring words, and marks in angle brackets for its form.

    >>> sorted(intent_features("Which GPUs?", {"Q": frozenset({"gpu"})}))
    ['<?>', '<length 0>', '<nobody>', 'Q', 'Q $', '^ which', 'which', 'which Q']"""
    words = []
    for word in _WORD_PATTERN.findall(expand_contractions(sentence)):
        stem = word_stem(word)
        mark = "#" if word[0].isdigit() else next((m for m, stems in stems_by_part.items() if stem in stems), "")
        words.append(mark or _MAIN_SYNONYM_BY_WORD.get(word, stem))
    case_count = words.count("Q") + words.count("F")
    marks = {
        f"<length {min(_MAX_LENGTH_STEPS, len(words) // _WORDS_PER_LENGTH_STEP)}>": True,
        "<?>": sentence.rstrip().endswith("?"),
        "<? inside>": "?" in sentence.rstrip().rstrip("?"),
        "<nobody>": {"i", "me", "my", "you", "your", "we", "us", "our"}.isdisjoint(words),
        "<you>": not {"you", "your"}.isdisjoint(words),
        "<quote>": bool(re.search(r"[\"“]", sentence)),
        "<no word of the case>": case_count == 0 and "#" not in words,
        "<many words of the case>": case_count >= 3,
    }
    return _with_pairs(words) | {mark for mark, holds in marks.items() if holds}


def intent_probabilities(sentence: str, stems_by_part: StemsByPart) -> Mapping[str, float]:
    """How likely each of `INTENTS` is for a sentence; 1 in all."""
    weights = _weights_by_feature()
    known = [weights[one] for one in intent_features(sentence, stems_by_part) if one in weights]
    size = math.sqrt(max(1, len(known)))
    sums = [bias + sum(row[n] for row in known) / size for n, bias in enumerate(weights["<bias>"])]
    powers = [math.exp(one - max(sums)) for one in sums]
    return {intent: power / sum(powers) for intent, power in zip(INTENTS, powers, strict=True)}


def likeliest_intent(probability_by_intent: Mapping[str, float]) -> tuple[str, float]:
    """The intent with the largest probability, the first of equal ones, and its probability."""
    return max(probability_by_intent.items(), key=lambda pair: pair[1])


@cache
def _weights_by_feature() -> dict[str, tuple[float, ...]]:
    """`intent_weights.txt`: for each feature its weight for each of `INTENTS`."""
    lines = INTENT_WEIGHTS_PATH.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if "\t" in line)
    return {feature: tuple(int(one) / 10 for one in numbers.split()) for feature, numbers in rows}


@dataclass(frozen=True, slots=True)
class Remark:
    """A block of `remarks.txt`: the intents of a sentence that may get the reply, the interviewer's reply with
    placeholders, example sentences, and the reply beside an answer."""

    intents: tuple[str, ...]
    reply: str
    example_sentences: str
    reply_with_answer: str = ""


_REPLY_BESIDE_ANSWER_PREFIX: Final = "beside:"  # in front of the reply beside an answer
# The end of a reply that asks the question again, which an answer in the same breath makes needless.
_QUESTION_AGAIN_PATTERN: Final = re.compile(r"[^.;?!]*\{(?:question|whole|in_other_words)\}")


@cache
def blocks_of_file(file_name: str) -> tuple[tuple[str, str], ...]:
    """The blocks of a text file of this folder, each as its first line and the rest; lines that start with # are
    comments."""
    lines = Path(__file__).with_name(file_name).read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return tuple((head, rest) for head, _, rest in (block.partition("\n") for block in text.strip().split("\n\n")))


def word_rows_of_block(block_name: str) -> tuple[list[str], ...]:
    """The words of the block `name:` of `remarks.txt`, one list for each line.

    >>> ["board", "whiteboard"] in word_rows_of_block("same")
    True"""
    return tuple(row.split() for row in dict(blocks_of_file("remarks.txt"))[f"{block_name}:"].splitlines())


def words_of_block(block_name: str) -> frozenset[str]:
    """All words of the block `name:` of `remarks.txt`."""
    return frozenset(word for row in word_rows_of_block(block_name) for word in row)


@cache
def remarks() -> tuple[Remark, ...]:
    """All kinds of remarks: the blocks with a reply. The first line may be the reply beside an answer; the others are
    examples."""
    made = []
    for head, rest in blocks_of_file("remarks.txt"):
        intents, colon, reply = head.partition(": ")
        beside = without_question(reply)
        if rest.startswith(_REPLY_BESIDE_ANSWER_PREFIX):
            beside, _, rest = rest.removeprefix(_REPLY_BESIDE_ANSWER_PREFIX).partition("\n")
        if colon:
            made.append(Remark(tuple(intents.split()), reply, rest.replace("\n", " "), beside.strip()))
    return tuple(made)


def reply_beside_answer(reply: str) -> str:
    """The form of a reply beside an answer: it asks no question again. Empty for silence.

    >>> reply_beside_answer("I am here and hear you well. I asked: {question}"), reply_beside_answer("Take your time.")
    ('I am here and hear you well.', '')"""
    known = (one.reply_with_answer for one in remarks() if one.reply == reply)
    return next(known, without_question(reply))


def without_question(reply: str) -> str:
    """A reply without the words that ask the question again."""
    return _QUESTION_AGAIN_PATTERN.sub("", reply).strip()


_CONTRACTIONS: Final = (
    (r"\bgimme\b", "give me"), (r"\bcan(?:not|'t)\b", "can not"), (r"n't\b", " not"), (r"'m\b", " am"),
    (r"'re\b", " are"), (r"'ve\b", " have"), (r"'ll\b", " will"), (r"'d\b", " would"),
    (r"\b(what|that|it|there|how|where|who|here|let|someone)'s\b", r"\1 is"),
)  # fmt: skip
_HYPHENATED_WORD_PATTERN: Final = re.compile(r"[^\W_]+(?:-[^\W\d_]+)*")
ASSUMED_EXAMPLE_COUNT: Final = 1000  # about as many as there are
_PAIR_WEIGHT: Final = 0.6  # weight of two neighbouring words beside that of one
_UNKNOWN_WORD_WEIGHT: Final = 0.6  # weight of a word that no example has
_VOTING_EXAMPLE_COUNT: Final = 15  # examples that vote
_VOTE_EXPONENT: Final = 2  # makes a near example count more than several far ones
_EXAMPLE_COUNT_EXPONENT: Final = 0.7  # exponent of the number of its examples by which the words of a kind count less
_ALL_EXAMPLES_WEIGHT: Final = 5  # weight of all examples of a kind together beside that of the nearest
MIN_LIKENESS_OF_SAME_TEXT: Final = 0.9
MIN_SLIGHT_LIKENESS: Final = 0.4


# The weights of all words and pairs; each example as the number of its remark, its words, and its length; and for each
# remark, by its number, how often its examples have a word or a pair, less for a remark with many.
_ExamplesOfRemarks = tuple[dict[str, float], list[tuple[int, frozenset[str], float]], dict[int, dict[str, float]]]


@lru_cache(maxsize=4096)
def nearest_reply(text: str, intent: str) -> tuple[str, float]:
    """The reply to the kind of remark for an intent that a text resembles most, by a vote of the nearest examples and
    of all words of a kind, and the likeness to the nearest example of that kind, from 0 to 1; no reply if no example
    shares a word. A very short text must have all words of an example: "They wait" is none.

    >>> reply, likeness = nearest_reply("Could you say that question once more?", "repeat")
    >>> reply, likeness > 0.5
    ('{whole}', True)"""
    weights, examples, _ = _examples_of_remarks()
    words = words_and_pairs(text)
    length = math.hypot(*(weights.get(one, _UNKNOWN_WORD_WEIGHT * _word_weight(one, 1)) for one in words))
    alike = [
        (sum(weights[one] ** 2 for one in shared) / (length * size), place)
        for place, own, size in examples
        if intent in remarks()[place].intents and (shared := words & own)
    ]
    if not alike:
        return "", 0.0
    votes = _votes_by_remark(words, intent, alike)
    nearest, place = max(alike)
    winner = place if nearest >= MIN_LIKENESS_OF_SAME_TEXT else max(votes, key=votes.__getitem__)
    likeness = max((likeness for likeness, place in alike if place == winner), default=0.0)
    short = len(text.split()) <= 2 and likeness < MIN_LIKENESS_OF_SAME_TEXT
    return remarks()[winner].reply, likeness * (0.5 if short else 1)


def _votes_by_remark(words: frozenset[str], intent: str, alike: Sequence[tuple[float, int]]) -> dict[int, float]:
    """The votes for the remarks of an intent, by their numbers: of the examples most like the words, each with its
    likeness, and of all examples of a remark together."""
    weights, _, shares_by_remark = _examples_of_remarks()
    near = heapq.nlargest(_VOTING_EXAMPLE_COUNT, alike)
    total = sum(likeness**_VOTE_EXPONENT for likeness, _ in near)
    votes: dict[int, float] = defaultdict(float)
    for likeness, place in near:
        votes[place] += likeness**_VOTE_EXPONENT / total
    fits = {
        place: sum(weights[one] ** 2 * shares[one] for one in words if one in shares)
        for place, shares in shares_by_remark.items()
    }
    total = sum(fits.values())
    for place, fit in fits.items():
        if intent in remarks()[place].intents:
            votes[place] += _ALL_EXAMPLES_WEIGHT * (fit / total)
    return votes


def _word_weight(word_or_pair: str, example_count: int) -> float:
    """The weight of a word or a pair of words that so many of the examples have: rare ones weigh more."""
    return math.log(1 + ASSUMED_EXAMPLE_COUNT / example_count) * (_PAIR_WEIGHT if " " in word_or_pair else 1.0)


@cache
def _examples_of_remarks() -> _ExamplesOfRemarks:
    """The examples of all remarks, their words and pairs weighed."""
    rows = [
        (place, words_and_pairs(example))
        for place, remark in enumerate(remarks())
        for example in re.split(r"(?<=[.?])\s+", remark.example_sentences)
    ]
    counts = Counter(one for _, words in rows for one in words)
    weights = {one: _word_weight(one, count) for one, count in counts.items()}
    examples = [(place, words, math.hypot(*(weights[one] for one in words))) for place, words in rows]
    size = Counter(place for place, _ in rows)
    shares: dict[int, dict[str, float]] = {place: defaultdict(float) for place in size}
    for place, words in rows:
        for one in words:
            shares[place][one] += size[place] ** -_EXAMPLE_COUNT_EXPONENT
    return weights, examples, shares


def expand_contractions(text: str) -> str:
    """A text in small letters with its contractions written out.

    >>> expand_contractions("What’s that? I can't say.")
    'what is that? i can not say.'"""
    plain = text.casefold().replace("’", "'")
    for shape, full in _CONTRACTIONS:
        plain = re.sub(shape, full, plain)
    return plain


def words_and_pairs(text: str) -> frozenset[str]:
    """The stems of the words of a text, and its pairs of neighbours; words with the same meaning are one."""
    words = _HYPHENATED_WORD_PATTERN.findall(expand_contractions(text))
    stems = ["#" if word.isdigit() else _MAIN_SYNONYM_BY_WORD.get(word) or word_stem(word) for word in words]
    return _with_pairs(stems)


def _with_pairs(words: Sequence[str]) -> frozenset[str]:
    """The words, and each two neighbours as one; ^ is before the first word, and $ behind the last one."""
    return frozenset((*words, *(f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True))))


# The word that stands for a word and those of the same meaning.
_MAIN_SYNONYM_BY_WORD: Final = {word: row[0] for row in word_rows_of_block("same") for word in row}
# Words of conversation, by which no question names what it is about.
EVERYDAY_WORDS: Final = words_of_block("everyday")
# Ordinary English words that questions and model answers happen to contain.
GENERIC_WORDS: Final = words_of_block("ordinary")
_WORD_PATTERN: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
# Groups of words that a phrase names by one word in capitals.
WORDS_BY_GROUP_NAME: Final = {
    "IT": "it|this|that|them|these|those",
    "BE": "is|are|was|were|do|does|did|can|could|will|would|should|shall|may|might|must|has|have|had|am",
    "US": "we|i|you|it|there|the|they|this|that|these|those|our|any|all|each|every|some|your|its|a|an|both|my|he|she",
}  # fmt: skip
# Words that may stand between two words of a phrase.
_FILLER_WORDS: Final = words_of_block("fillers")
_WORDS_DROPPED_AT_END_OF_THING: Final = _FILLER_WORDS | words_of_block("thing-ends")
_FILLERS_BETWEEN_WORDS: Final = rf"\W+(?:(?:{'|'.join(sorted(_FILLER_WORDS))}|\d+)\W+)*?"


def _phrase_regex(words: Sequence[str]) -> str:
    """The regular expression that finds the phrase of these words in a text of `normalized_text`.

    A phrase is words in their order; fillers ("just", "a") may stand between two. `a|b` is either word, `word?` may be
    missing, `*` is any letters, `...` any words or none, `^` the beginning of the text and `$` its end; a word in
    capitals is a row of `WORDS_BY_GROUP_NAME`.

    >>> bool(re.search(_phrase_regex(["give", "me", "second*"]), "could you give me ten more seconds"))
    True"""
    made, joint, after = "", r"(?<!\w)", r"(?!\w)"
    for word in words:
        if word == "^":
            made, joint = rf"^\W*{pattern('lead in').pattern}", ""
        elif word == "$":
            made, after = made + r"\W*$", ""
        elif word == "...":
            made, joint, after = made + r"\b.*", r"\b", ""
        else:
            groups = (WORDS_BY_GROUP_NAME.get(one, one) for one in word.replace("?", "").split("|"))
            alternatives = (one for group in groups for one in group.split("|"))
            shape = "|".join(re.escape(one).replace(r"\*", r"[\w']*") for one in alternatives)
            one = f"{joint}(?:{shape})"
            if word.endswith("?"):
                one = f"(?:{one})?" if joint else f"(?:(?:{shape})(?:{_FILLERS_BETWEEN_WORDS}|(?=\\W*$)))?"
            made, after = made + one, r"(?!\w)"
            joint = _FILLERS_BETWEEN_WORDS if joint or not word.endswith("?") else ""
    return made + after


# "24 minutes to lose as much", "15 PB of raw disk", "7.5 percent before we lose"
_QUALIFIER_START_PATTERN: Final = re.compile(r"\s+(?:to|of|for|on|in|at|before|until|when|while|because|since|if)\b")
_DIGITS_PATTERN: Final = re.compile(r"\d+(?:[.,]\d+)*")
_CLAUSE_BORDER_PATTERN: Final = re.compile(r"[,;:.!?]+(?:\s+|$)|\n+|\s+(?=(?:so|thus|hence|therefore)\b)")
MAX_CALCULATION_CHARACTERS: Final = 400
EITHER_IS_FINE_REPLY: Final = "Either is fine: say which you take."
EITHER_MEANING_REPLY: Final = "Take the one that decides your answer, and say which you took."
CONFIRM_MEANING_REPLY: Final = "Take it so, and say that you do."
TERM_UNKNOWN_REPLY: Final = "I mean no more by it than people in the field do: say how you take it where it matters."
YOUR_CHOICE_REPLY: Final = "You decide: say what you gain and what it costs."
_QUOTED_WORD_PATTERN: Final = re.compile(r"(?<!\w)[\"“‘„']([^\"”’']{1,40})[\"”’'](?!\w)")
_SENTENCE_PATTERN: Final = re.compile(r"[^.?!;\n]*(?:[.?!;](?!\s|$)[^.?!;\n]*)*(?:[.?!;]+|\n|$)")


@cache
def pattern(name: str) -> re.Pattern[str]:
    """The pattern of a block of `patterns.txt`: `name:` above regular expressions, one a line, of which any may match,
    or `name: phrases` above phrases, which are separated by commas. Raises KeyError if there is none."""
    rest_by_head = dict(blocks_of_file("patterns.txt"))
    if phrases := rest_by_head.get(f"{name}: phrases"):
        shapes = [_phrase_regex(phrase.split()) for phrase in phrases.split(",") if phrase.strip()]
    else:
        shapes = rest_by_head[f"{name}:"].splitlines()
    if any("LEAD_IN" in shape for shape in shapes):
        shapes = [shape.replace("LEAD_IN", pattern("lead in").pattern) for shape in shapes]
    return re.compile("|".join(shapes), re.IGNORECASE)


def split_sentences(text: str) -> list[str]:
    """The sentences of a text. A point inside a number does not end a sentence."""
    sentences = (one.group().strip() for one in _SENTENCE_PATTERN.finditer(text))
    return [sentence for sentence in sentences if _WORD_PATTERN.search(sentence)]


def normalized_text(text: str) -> str:
    """A text in the form in which words are compared: small letters, straight apostrophes, at most two equal letters in
    a row."""
    plain = " ".join(text.casefold().replace("’", "'").replace("at the moment", "now").split())
    return re.sub(r"([a-z])\1{2,}", r"\1\1", plain)


def answer_clause(text: str, is_readable: Callable[[str], bool]) -> str:
    """The clause of a text with its number: the only one that `is_readable`, or the last one if it is the result of a
    calculation; else the words after the last "is", "gives" or "takes"; empty if there is none.

    >>> answer_clause("142 of 1800 s, so 8 %", lambda clause: clause.endswith("%"))
    'so 8 %'
    >>> answer_clause("80 layers times 2 is about 160 GB, which fits", lambda clause: clause == "160 GB")
    '160 GB'"""
    pieces = _CLAUSE_BORDER_PATTERN.split(text[:MAX_CALCULATION_CHARACTERS])
    clauses = list(filter(None, map(str.strip, pieces)))
    fit = [clause for clause in clauses if is_readable(clause)]
    is_result = len(fit) == 1 or pattern("operation").search(text) or (fit and pattern("result start").match(fit[-1]))
    if fit and fit[-1] == clauses[-1] and is_result:
        return fit[-1]
    # The words after "is", "gives" or "takes" in the last clause with a number, remarks on it left out.
    stated = [one for one in clauses if re.search(r"\d", one) and not pattern("remark on result").match(one)]
    stated_results = pattern("before result").split(stated[-1])[:0:-1] if stated else []
    results = (one.strip() for result in stated_results for one in (result, _QUALIFIER_START_PATTERN.split(result)[0]))
    if result := next(filter(is_readable, results), ""):
        return result
    return fit[0] if len(fit) == 1 and not _has_later_result(clauses, fit[0]) else ""


def _has_later_result(clauses: Sequence[str], clause: str) -> bool:
    """Whether behind a clause another one begins a result, another number: "that's 1.075, so it takes 7.5 % longer"."""
    numbers = set(_DIGITS_PATTERN.findall(clause))
    behind = clauses[clauses.index(clause) + 1 :]
    return any(pattern("result start").match(one) and set(_DIGITS_PATTERN.findall(one)) - numbers for one in behind)


def reply_to_non_answer(text: str, question: str, read_glossary: Callable[[], Mapping[str, str]] = dict) -> str:
    """What is said to a text that does not answer a follow-up; empty where it may. Where it is asked again, the
    `question`; `read_glossary` are called for meanings by `normalized_term` where one is asked for.

    >>> reply_to_non_answer("Sorry, what was that?", "And the bytes?")
    'And the bytes?'
    >>> reply_to_non_answer("What does a rail mean?", "Why rails?", lambda: {"rail": "A switch for each GPU."})
    'A switch for each GPU.'
    """
    probability_by_intent = intent_probabilities(text, {"Q": content_stems(question) - GENERIC_WORDS})
    intent, _ = likeliest_intent(probability_by_intent)
    answers = probability_by_intent["answer"] > MAX_ANSWER_PROBABILITY_OF_WISH and not only_asks_what_is(text)
    if not text.strip() or answers or intent in ("help", "skip", "done"):
        return ""
    if intent == "meaning" or only_asks_what_is(text):
        return clarification_reply(read_glossary(), text, question)
    if intent == "leave":
        return permission_reply(text)
    if intent in ("ask", "recall"):
        return "Answer it as you understand it, and say how you understand it."
    known = dict.fromkeys(("question", "whole", "in_other_words", "known"), question)
    known |= {"form": "A sentence or two will do.", "part": "As long as you need, within the time shown."}
    return nearest_reply(text, intent)[0].format(setup="", **known)


def only_asks_what_is(text: str) -> bool:
    """Whether a text only asks what one thing is, also without a question mark.

    >>> only_asks_what_is("what is a rail"), only_asks_what_is("What is the cause of the delay?")
    (True, False)"""
    return bool(pattern("what is").fullmatch(text.strip()))


def clarification_reply(glossary: Mapping[str, str], wish: str, question: str = "") -> str:
    """The meaning of the term that a wish for a meaning is about; without one, a sentence that any sense will do. "That
    term" is the only term of the `question`.

    >>> clarification_reply({"lag": "How far a copy is behind."}, "Lags in which sense?")
    'How far a copy is behind.'"""
    word = word_to_explain(glossary, wish)
    plain = normalized_term(word)
    spellings = (plain, plain.removesuffix("s"), first_term_in_text(glossary, word))
    if meaning := next(filter(None, map(glossary.get, spellings)), ""):
        return meaning
    stems = content_stems(word)
    alike = {glossary[name] for name in glossary if stems and stems <= content_stems(name)}
    if len(alike) == 1:  # "states" of "optimizer states"
        return alike.pop()
    if not word:
        if pattern("meaning to confirm").search(wish) and " or " not in wish:
            return CONFIRM_MEANING_REPLY
        if pattern("term word").search(wish):
            return "Which word do you mean? Ask “what is …?” with it."
        if len(names := terms_in_text(glossary, question)) == 1 and not content_stems(wish) - GENERIC_WORDS:
            return f"By “{names[0]}” I mean: {glossary[names[0]]}"
    if offers_two_alternatives(wish) or " or " in wish:
        return EITHER_MEANING_REPLY
    return CONFIRM_MEANING_REPLY if pattern("meaning to confirm").search(wish) else TERM_UNKNOWN_REPLY


def first_term_in_text(glossary: Mapping[str, str], text: str) -> str:
    """The term that a text names first, of two that begin there the longer one; empty if there is none."""
    plain = normalized_term(text)
    places = {stem: place for place, word in reversed(list(enumerate(plain.split()))) for stem in content_stems(word)}
    exact = {name: plain[: plain.index(name)].count(" ") for name in terms_in_text(glossary, text)}
    stems = {name: content_stems(name) for name in glossary if " " not in name}
    # "skipping" names "skip".
    alike = {name: places[min(own)] for name, own in stems.items() if own and own <= places.keys()}
    named = {**alike, **exact}
    return min(named, key=lambda name: (named[name], name not in exact, -len(name)), default="")


def word_to_explain(glossary: Mapping[str, str], wish: str) -> str:
    """The word whose meaning a wish is about: the one in quotes, or the first term; empty if it has neither.

    >>> terms = {"lag": "How far a copy is behind.", "copy": "A replica."}
    >>> word_to_explain(terms, "What counts as lag for you, the time that a copy is behind?")
    'lag'"""
    plain = pattern("self description").sub(" ", wish.replace("’", "'"))
    if quoted := _QUOTED_WORD_PATTERN.search(plain):
        return first_term_in_text(glossary, quoted[1]) or quoted[1]
    # "a hot link meaning one that many open at once" is about hot links.
    named, *offered = pattern("meaning start").split(plain)
    if content_stems(named):
        return first_term_in_text(glossary, named)
    return "" if offered and offers_two_alternatives(wish) else first_term_in_text(glossary, plain)


def terms_in_text(glossary: Mapping[str, str], text: str) -> list[str]:
    """The terms that a text contains, except those that are a part of another one."""
    plain = normalized_term(text)
    named = [name for name in glossary if re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", plain)]
    return [name for name in named if not any(name != other and name in other for other in named)]


def offers_two_alternatives(text: str) -> bool:
    """Whether a question offers two alternatives to choose from.

    >>> offers_two_alternatives("Do you want the mean or the peak?")
    True
    >>> offers_two_alternatives("In how many regions or zones are we?")
    False"""
    plain = normalized_text(text)
    has_choice = " or " in plain and pattern("choice question").search(plain)
    return bool(has_choice) and not pattern("existence question").search(plain)


def thing_asked_about(question: str) -> str:
    """The thing that a question is about, in the question's words; empty if it has none of its own.

    >>> thing_asked_about("In how many regions or data centres are we?"), thing_asked_about("How many of them?")
    ('regions or data centres', '')"""
    if (match := pattern("thing").match(question.strip())) is None:
        return ""
    words = re.sub(r"^(?:number|figure|value|estimate|idea)s? (?:for|of) (?:the )?", "", match["thing"]).split()
    if pattern("object").match(question.strip(), match.end()):
        words = words[:-1]  # "which clients call it"
    while words and words[-1].casefold() in _WORDS_DROPPED_AT_END_OF_THING:
        words.pop()
    if len(words) > 5 or not content_stems(" ".join(words)) or words[-1].endswith("ed"):
        return ""
    article = (match["article"] or "").strip().casefold()
    return " ".join(["the" if article in ("the", "our", "your") else article, *words]).strip()


def is_question_or_request(sentence: str) -> bool:
    """Whether a sentence is a question or a request, also without a question mark.

    >>> is_question_or_request("do we have any monitoring")
    True
    >>> is_question_or_request("how much a rank holds depends on K")
    False"""
    return sentence.endswith("?") or bool(pattern("question without mark").search(sentence.replace("’", "'")))


def content_stems(text: str) -> frozenset[str]:
    """The stems of those words in a text that are not everyday words."""
    words = (word.casefold() for word in _WORD_PATTERN.findall(text))
    return frozenset(word_stem(word) for word in words if word not in EVERYDAY_WORDS)


def permission_reply(question: str) -> str:
    """The reply to a request for permission.

    >>> permission_reply("Do you mind if I round it?")
    'Go ahead, to two digits at least; say that you round.'"""
    if offers_two_alternatives(question):
        return EITHER_IS_FINE_REPLY
    for head, rest in blocks_of_file("patterns.txt"):
        kind, _, reply = head.partition(": ")
        if kind == "permission" and re.search("|".join(rest.splitlines()), question, re.IGNORECASE):
            return reply
    return YOUR_CHOICE_REPLY


# The stems of words that are related, as they are for one subject of a question, a set each.
_RELATED_STEM_GROUPS: Final = tuple(content_stems(" ".join(row)) for row in word_rows_of_block("subjects"))
_STEMS_OF_EVERYTHING: Final = content_stems("brief setup scenario case facts rewind top play run")
_WORD_OR_NUMBER_PATTERN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[a-z]+|\d*)")
_UNIT_WORDS: Final = words_of_block("units")
_ADJECTIVES_IN_FACTS: Final = words_of_block("adjectives")  # of conversation that facts have, too
_REPETITION_WORDS: Final = words_of_block("spoken")  # words that ask for a repetition
_ZEROS_BY_MULTIPLIER: Final = {"hundred": "00", "thousand": "000"}
_CLOCK_TIME_PATTERN: Final = re.compile(r"\b\d\d?:\d\d\b")
_NUMBER_BEFORE_COUNTED_WEIGHT: Final = 1.0  # of a number right before the thing that is counted
_UNIT_WEIGHT: Final = 0.4
_NAME_WEIGHT: Final = 0.4
_RELATED_WORD_WEIGHT: Final = 0.5
_LAST_WORD_WEIGHT: Final = 0.25  # "how many people are in a group" is about the group
MIN_STATEMENT_FIT: Final = 0.45
MIN_ANSWERED_WORD_SHARE: Final = 0.6  # of the content of a question that asks for no repetition


def has_number(text: str) -> bool:
    """Whether a text has a number, in digits or in words."""
    return not {word for word in _ordered_stems(text) if word[0].isdigit()} <= {"1"}


def asks_for_everything(question: str) -> bool:
    """Whether a question is for all numbers or all that was told."""
    others = _word_weights_of_question(question).keys() - _STEMS_OF_EVERYTHING - _UNIT_WORDS
    return bool(pattern("everything").search(normalized_text(question))) and not others


def share_of_question_in_fact(question: str, fact_text: str, name_stems: Collection[str]) -> float:
    """The share of the words by which a question names what it wants that a fact has, in what it says or in its name,
    from 0 to 1; 1 for a question that names nothing."""
    wanted, own = _word_weights_of_question(question), _statement_stems(fact_text) | frozenset(name_stems)
    met = sum(weight for word, weight in wanted.items() if _has_related_stem(word, own))
    return met / sum(wanted.values()) if wanted else 1.0


def _has_related_stem(word: str, stems: Collection[str]) -> bool:
    """Whether a stem, or one that is related to it, is among the stems."""
    return word in stems or any(word in related and not related.isdisjoint(stems) for related in _RELATED_STEM_GROUPS)


def best_statement(question: str, statements: Sequence[str]) -> str:
    """The one of `statements` that has most of the question's words, the later of two that are alike; for a question of
    a number alone the last one with a number; empty if none fits."""
    wanted = _word_weights_of_question(question)
    if not wanted:
        return next((one for one in reversed(statements) if has_number(one)), "")
    fits = fits_of_texts(question, statements, _RELATED_WORD_WEIGHT)
    most, place = max(((fit, place) for place, fit in enumerate(fits)), default=(0.0, 0))
    return statements[place] if most >= MIN_STATEMENT_FIT else ""


def answer_in_statements(question: str, statements: Sequence[str]) -> str:
    """The one of `statements` that has most of the content of a question with several words; empty if there is none.

    >>> answer_in_statements("Was there a sale in spring?", ["A shop gets slow.", "Since the spring sale."])
    'Since the spring sale.'"""
    wanted = _word_weights_of_question(question)
    best = best_statement(question, statements) if len(wanted) > 1 else ""
    own = _statement_stems(best)
    related = {word for word in wanted.keys() - own if _has_related_stem(word, own)}
    met = sum(w if word in own else w * _RELATED_WORD_WEIGHT * (word in related) for word, w in wanted.items())
    return best if met >= MIN_ANSWERED_WORD_SHARE * sum(wanted.values()) else ""


def fits_of_texts(
    question: str, texts: Sequence[str], related_weight: float, name_stems: Sequence[Collection[str]] = ()
) -> list[float]:
    """How well each text fits a question, by the words by which it names what it wants: those that many texts have
    count less, those of its name (`name_stems`) or related ones a part, and a number before the thing that is counted
    more.

    >>> fits_of_texts("How fast is a port?", ["A port has 400 Gb/s.", "Ten nodes."], 0.25)
    [1.25, 0.0]"""
    weight_by_word = _word_weights_of_question(question)
    counted = weight_by_word if pattern("count question").search(normalized_text(question)) else ()
    fits = [_NUMBER_BEFORE_COUNTED_WEIGHT * _has_number_before_word(text, counted) for text in texts]
    stems = [_statement_stems(text) for text in texts]
    for word, weight in weight_by_word.items():
        count = sum(word in own for own in stems)
        for place, own in enumerate(stems):
            if word in own:
                fits[place] += weight / count**0.5
            elif name_stems and word in name_stems[place]:
                fits[place] += weight * _NAME_WEIGHT
            elif _has_related_stem(word, own):
                fits[place] += weight * related_weight
    return fits


def _has_number_before_word(text: str, counted_stems: Collection[str]) -> bool:
    """Whether a text has a number right before a word that is counted, or one of its related words."""
    words = text.casefold().split()
    numbers = (n for n, word in enumerate(words) if word[0].isdigit() or word in _DIGITS_BY_NUMBER_WORD)
    after = content_stems(" ".join(word for n in numbers for word in words[n + 1 : n + 3]))
    return any(_has_related_stem(word, after) for word in counted_stems)


def _word_weights_of_question(question: str) -> dict[str, float]:
    """The words by which a question names what it wants, and their weights."""
    words = [word for word in _ordered_stems(question) if word not in _REPETITION_WORDS]
    weights = {word: _UNIT_WEIGHT if word in _UNIT_WORDS else 1.0 for word in words}
    last = next((word for word in reversed(words) if word not in _UNIT_WORDS), "")
    return weights | ({last: 1.0 + _LAST_WORD_WEIGHT} if last else {})


@cache
def _statement_stems(text: str) -> frozenset[str]:
    return frozenset((*_ordered_stems(text), *(("hour", "time") if _CLOCK_TIME_PATTERN.search(text) else ())))


def _ordered_stems(text: str) -> list[str]:
    """The stems of the words with content, the numbers as digits, and the units, in order."""
    made: list[str] = []
    for word in _WORD_OR_NUMBER_PATTERN.findall(text.casefold().replace("’", "'")):
        if number := word.replace(",", "") if word[0].isdigit() else _DIGITS_BY_NUMBER_WORD.get(word):
            made.append(number)
        elif word in _ZEROS_BY_MULTIPLIER and made and made[-1].isdigit():  # "two hundred"
            made[-1] += _ZEROS_BY_MULTIPLIER[word]
        elif word in _ADJECTIVES_IN_FACTS:
            made.append(word)
        else:
            made += [word.rstrip("s")] if word.rstrip("s") in _UNIT_WORDS else content_stems(word)
    return made


_SMALL_NUMBER_WORDS: Final = "two three four five six seven eight nine ten eleven twelve"
_TENS_WORDS: Final = "twenty thirty forty fifty sixty seventy eighty ninety"
_DIGITS_BY_NUMBER_WORD = {word: str(number) for number, word in enumerate(_SMALL_NUMBER_WORDS.split(), 2)}
_DIGITS_BY_NUMBER_WORD |= {word: f"{tens}0" for tens, word in enumerate(_TENS_WORDS.split(), 2)}
