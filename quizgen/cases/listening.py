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

from quizgen.cases.case import lowercase_term_with_hyphens_as_blanks
from quizgen.rubric.lexicon import DIGITS_BY_WORD
from quizgen.rubric.spelling import word_stem

INTENT_NAMES: Final = (
    "answer", "ask", "done", "form", "help", "leave", "meaning", "recall", "remark", "repeat", "skip", "time", "wait",
)  # fmt: skip
INTENT_WEIGHTS_PATH: Final = Path(__file__).with_name("intent_weights.txt")
MAX_ANSWER_PROBABILITY_OF_REQUEST: Final = 0.35  # of an answer, up to which a sentence may be no answer


# The stems of the words with content in the question on the screen (Q), in the facts (F), and in the glossary (T).
WordStemsByCasePart = Mapping[str, frozenset[str]]


def sentence_features(sentence: str, stems_by_part: WordStemsByCasePart) -> frozenset[str]:
    """The features of a sentence: its words, its pairs of neighbouring words, and marks in angle brackets for its form.

    >>> sorted(sentence_features("Which GPUs?", {"Q": frozenset({"gpu"})}))
    ['<?>', '<length 0>', '<nobody>', 'Q', 'Q $', '^ which', 'which', 'which Q']"""
    words = []
    for word in _WORD_PATTERN.findall(lowercase_text_with_contractions_expanded(sentence)):
        stem = word_stem(word)
        mark = "#" if word[0].isdigit() else next((m for m, stems in stems_by_part.items() if stem in stems), "")
        words.append(mark or _MAIN_SYNONYM_BY_WORD.get(word, stem))
    case_word_count = words.count("Q") + words.count("F")
    marks = {
        f"<length {min(4, len(words) // 5)}>": True,  # in steps of five words; sentences of 20 and more are alike
        "<?>": sentence.rstrip().endswith("?"),
        "<? inside>": "?" in sentence.rstrip().rstrip("?"),
        "<nobody>": {"i", "me", "my", "you", "your", "we", "us", "our"}.isdisjoint(words),
        "<you>": not {"you", "your"}.isdisjoint(words),
        "<quote>": bool(re.search(r"[\"“]", sentence)),
        "<no word of the case>": case_word_count == 0 and "#" not in words,
        "<many words of the case>": case_word_count >= 3,
    }
    return _words_with_neighbour_pairs(words) | {mark for mark, is_true in marks.items() if is_true}


def probabilities_by_intent(sentence: str, stems_by_part: WordStemsByCasePart) -> Mapping[str, float]:
    """How likely each of `INTENT_NAMES` is for a sentence; 1 in all."""
    weights = _intent_weights_by_feature()
    rows = [weights[one] for one in sentence_features(sentence, stems_by_part) if one in weights]
    size = math.sqrt(max(1, len(rows)))
    sums = [bias + sum(row[n] for row in rows) / size for n, bias in enumerate(weights["<bias>"])]
    powers = [math.exp(one - max(sums)) for one in sums]
    return {intent: power / sum(powers) for intent, power in zip(INTENT_NAMES, powers, strict=True)}


def likeliest_intent_and_probability(probability_by_intent: Mapping[str, float]) -> tuple[str, float]:
    """The intent with the largest probability, the first of equal ones, and its probability."""
    return max(probability_by_intent.items(), key=lambda pair: pair[1])


@cache
def _intent_weights_by_feature() -> dict[str, tuple[float, ...]]:
    """`intent_weights.txt`: for each feature its weight for each of `INTENT_NAMES`."""
    rows = (line.split("\t") for line in INTENT_WEIGHTS_PATH.read_text(encoding="utf-8").splitlines() if "\t" in line)
    return {feature: tuple(int(one) / 10 for one in numbers.split()) for feature, numbers in rows}


@dataclass(frozen=True, slots=True)
class CannedReply:
    """A block of `remarks.txt`: the intents of a sentence that may get the reply, the interviewer's reply with
    placeholders, example sentences, and the reply beside an answer."""

    intents: tuple[str, ...]
    reply_template: str
    example_sentences_text: str
    template_if_text_also_answers: str = ""


@cache
def file_block_heads_and_rests(file_name: str) -> tuple[tuple[str, str], ...]:
    """The blocks of a text file of this folder, each as its first line and the rest; lines that start with # are
    comments."""
    lines = Path(__file__).with_name(file_name).read_text(encoding="utf-8").splitlines()
    text = "\n".join(line for line in lines if not line.startswith("#"))
    return tuple((head, rest) for head, _, rest in (block.partition("\n") for block in text.strip().split("\n\n")))


def word_rows_of_remarks_txt_block(block_name: str) -> tuple[list[str], ...]:
    """The words of the block `name:` of `remarks.txt`, one list for each line.

    >>> ["board", "whiteboard"] in word_rows_of_remarks_txt_block("same")
    True"""
    return tuple(row.split() for row in dict(file_block_heads_and_rests("remarks.txt"))[f"{block_name}:"].splitlines())


def words_of_remarks_txt_block(block_name: str) -> frozenset[str]:
    """All words of the block `name:` of `remarks.txt`."""
    return frozenset(word for row in word_rows_of_remarks_txt_block(block_name) for word in row)


@cache
def canned_replies() -> tuple[CannedReply, ...]:
    """All canned replies: the blocks with a reply. The first line may be the reply beside an answer; the others are
    examples."""
    replies = []
    for head, rest in file_block_heads_and_rests("remarks.txt"):
        intents, colon, reply = head.partition(": ")
        side_reply = template_without_question(reply)
        if rest.startswith("beside:"):
            side_reply, _, rest = rest.removeprefix("beside:").partition("\n")
        if colon:
            replies.append(CannedReply(tuple(intents.split()), reply, rest.replace("\n", " "), side_reply.strip()))
    return tuple(replies)


def template_form_beside_answer(reply: str) -> str:
    """The form of a reply beside an answer: it asks no question again. Empty for silence.

    >>> [template_form_beside_answer(reply) for reply in ("I hear you well. I asked: {question}", "Take your time.")]
    ['I hear you well.', '']"""
    forms = (one.template_if_text_also_answers for one in canned_replies() if one.reply_template == reply)
    return next(forms, template_without_question(reply))


def template_without_question(reply: str) -> str:
    """A reply without the clauses that ask the question again, which an answer in the same breath makes needless."""
    return re.sub(r"[^.;?!]*\{(?:question|whole|in_other_words)\}", "", reply).strip()


_CONTRACTION_PATTERNS_AND_FULL_FORMS: Final = (
    (r"\bgimme\b", "give me"), (r"\bcan(?:not|'t)\b", "can not"), (r"n't\b", " not"), (r"'m\b", " am"),
    (r"'re\b", " are"), (r"'ve\b", " have"), (r"'ll\b", " will"), (r"'d\b", " would"),
    (r"\b(what|that|it|there|how|where|who|here|let|someone)'s\b", r"\1 is"),
)  # fmt: skip
_WORD_PAIR_WEIGHT: Final = 0.6  # weight of two neighbouring words beside that of one
_UNKNOWN_WORD_WEIGHT_FACTOR: Final = 0.6  # weight of a word that no example has
MIN_LIKENESS_OF_SAME_TEXT: Final = 0.9
MIN_LIKENESS_FOR_CANNED_PERMISSION: Final = 0.4


# The weights of all words and pairs; each example as the number of its reply, its words, and its length; and for each
# reply, by its number, how often its examples have a word or a pair, less for a reply with many.
_WeighedExamples = tuple[dict[str, float], list[tuple[int, frozenset[str], float]], dict[int, dict[str, float]]]


@lru_cache(maxsize=4096)
def nearest_template_and_likeness(text: str, intent: str) -> tuple[str, float]:
    """The canned reply for an intent whose examples a text resembles most, by a vote of the nearest examples and
    of all words of a kind, and the likeness to the nearest example of that kind, from 0 to 1; no reply if no example
    shares a word. A very short text must have all words of an example: "They wait" is none.

    >>> reply, likeness = nearest_template_and_likeness("Could you say that question once more?", "repeat")
    >>> reply, likeness > 0.5
    ('{whole}', True)"""
    weights, examples, _ = _weights_examples_and_word_shares()
    words = word_stems_and_neighbour_pairs(text)
    unknown_weights = {one: _UNKNOWN_WORD_WEIGHT_FACTOR * _rarity_weight_of_word(one, 1) for one in words}
    length = math.hypot(*(weights.get(one, weight) for one, weight in unknown_weights.items()))
    hits = [
        (sum(weights[one] ** 2 for one in common_words) / (length * size), place)
        for place, example_words, size in examples
        if intent in canned_replies()[place].intents and (common_words := words & example_words)
    ]
    if not hits:
        return "", 0.0
    votes = _votes_by_reply_index(words, intent, hits)
    nearest, place = max(hits)
    winner = place if nearest >= MIN_LIKENESS_OF_SAME_TEXT else max(votes, key=votes.__getitem__)
    likeness = max((likeness for likeness, place in hits if place == winner), default=0.0)
    is_short = len(text.split()) <= 2 and likeness < MIN_LIKENESS_OF_SAME_TEXT
    return canned_replies()[winner].reply_template, likeness * (0.5 if is_short else 1)


def _votes_by_reply_index(words: frozenset[str], intent: str, hits: Sequence[tuple[float, int]]) -> dict[int, float]:
    """The votes for the replies of an intent, by their numbers: of the examples most like the words, each with its
    likeness, and of all examples of a reply together."""
    weights, _, shares_by_reply = _weights_examples_and_word_shares()
    voters = heapq.nlargest(15, hits)  # the examples that vote
    total = sum(likeness**2 for likeness, _ in voters)  # squared: a near example counts more than several far ones
    votes: dict[int, float] = defaultdict(float)
    for likeness, place in voters:
        votes[place] += likeness**2 / total
    fit_by_reply = {
        place: sum(weights[one] ** 2 * shares[one] for one in words if one in shares)
        for place, shares in shares_by_reply.items()
    }
    total = sum(fit_by_reply.values())
    for place, fit in fit_by_reply.items():
        if intent in canned_replies()[place].intents:
            votes[place] += 5 * (fit / total)  # all examples of a kind together count more than the nearest
    return votes


def _rarity_weight_of_word(word_or_pair: str, example_count: int) -> float:
    """The weight of a word or a pair of words that so many of the about 1000 examples have: rare ones weigh more."""
    return math.log(1 + 1000 / example_count) * (_WORD_PAIR_WEIGHT if " " in word_or_pair else 1.0)


@cache
def _weights_examples_and_word_shares() -> _WeighedExamples:
    """The examples of all canned replies, their words and pairs weighed."""
    rows = [
        (place, word_stems_and_neighbour_pairs(example))
        for place, reply in enumerate(canned_replies())
        for example in re.split(r"(?<=[.?])\s+", reply.example_sentences_text)
    ]
    counts = Counter(one for _, words in rows for one in words)
    weights = {one: _rarity_weight_of_word(one, count) for one, count in counts.items()}
    examples = [(place, words, math.hypot(*(weights[one] for one in words))) for place, words in rows]
    size = Counter(place for place, _ in rows)
    shares: dict[int, dict[str, float]] = {place: defaultdict(float) for place in size}
    for place, words in rows:
        for one in words:
            shares[place][one] += size[place] ** -0.7  # the words of a kind with many examples count less
    return weights, examples, shares


def lowercase_text_with_contractions_expanded(text: str) -> str:
    """A text in small letters with its contractions written out.

    >>> lowercase_text_with_contractions_expanded("What’s that? I can't say.")
    'what is that? i can not say.'"""
    lowercase_text = text.casefold().replace("’", "'")
    for pattern, full_form in _CONTRACTION_PATTERNS_AND_FULL_FORMS:
        lowercase_text = re.sub(pattern, full_form, lowercase_text)
    return lowercase_text


def word_stems_and_neighbour_pairs(text: str) -> frozenset[str]:
    """The stems of the words of a text, and its pairs of neighbours; words with the same meaning are one."""
    words = re.findall(r"[^\W_]+(?:-[^\W\d_]+)*", lowercase_text_with_contractions_expanded(text))
    stems = ["#" if word.isdigit() else _MAIN_SYNONYM_BY_WORD.get(word) or word_stem(word) for word in words]
    return _words_with_neighbour_pairs(stems)


def _words_with_neighbour_pairs(words: Sequence[str]) -> frozenset[str]:
    """The words, and each two neighbours as one; ^ is before the first word, and $ behind the last one."""
    return frozenset((*words, *(f"{a} {b}" for a, b in zip(["^", *words], [*words, "$"], strict=True))))


# The word that stands for a word and those of the same meaning.
_MAIN_SYNONYM_BY_WORD: Final = {word: row[0] for row in word_rows_of_remarks_txt_block("same") for word in row}
# Words of conversation, by which no question names what it is about.
WORDS_WITHOUT_CONTENT: Final = words_of_remarks_txt_block("everyday")
# Ordinary English words that questions and model answers happen to contain.
TOPICLESS_STEMS: Final = words_of_remarks_txt_block("ordinary")
_WORD_PATTERN: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")
_FILLER_WORDS_INSIDE_PHRASE: Final = words_of_remarks_txt_block("fillers")
_WORDS_CUT_FROM_END_OF_THING_ASKED: Final = _FILLER_WORDS_INSIDE_PHRASE | words_of_remarks_txt_block("thing-ends")
_GAP_BETWEEN_PHRASE_WORDS_REGEX: Final = rf"\W+(?:(?:{'|'.join(sorted(_FILLER_WORDS_INSIDE_PHRASE))}|\d+)\W+)*?"
_CLAUSE_BORDER_PATTERN: Final = re.compile(
    r"[,;:.!?]+(?:\s+|$)|\n+|\s+(?=(?:so|thus|hence|therefore|because|since|as (?:an?|the|one|each|it|\d+))\b)"
)
CHARACTERS_SEARCHED_FOR_NUMBER: Final = 400
EITHER_IS_FINE_REPLY: Final = "Either is fine: say which you take."
EITHER_MEANING_REPLY: Final = "Take the one that decides your answer, and say which you took."
CONFIRM_MEANING_REPLY: Final = "Take it so, and say that you do."
TERM_UNKNOWN_REPLY: Final = "I mean no more by it than people in the field do: say how you take it where it matters."
YOUR_CHOICE_REPLY: Final = "You decide: say what you gain and what it costs."
_QUOTED_WORD_PATTERN: Final = re.compile(r"(?<!\w)[\"“‘„']([^\"”’']{1,40})[\"”’'](?!\w)")
_SENTENCE_PATTERN: Final = re.compile(r"[^.?!;\n]*(?:[.?!;](?!\s|$)[^.?!;\n]*)*(?:[.?!;]+|\n|$)")


@cache
def regex_named(name: str) -> re.Pattern[str]:
    """The pattern of the block `name:` of `patterns.txt`: its regular expressions, one a line, of which any may match.
    Raises KeyError if there is none."""
    text = dict(file_block_heads_and_rests("patterns.txt"))[f"{name}:"].replace("\n", "|")
    text = text.replace("GAP", _GAP_BETWEEN_PHRASE_WORDS_REGEX)
    return re.compile(re.sub("[A-Z]{2}[A-Z_]*", lambda m: regex_named(m[0]).pattern, text), re.IGNORECASE)


def split_sentences(text: str) -> list[str]:
    """The sentences of a text. A point inside a number does not end a sentence."""
    sentences = (match.group().strip() for match in _SENTENCE_PATTERN.finditer(text))
    return [sentence for sentence in sentences if _WORD_PATTERN.search(sentence)]


def text_for_word_comparison(text: str) -> str:
    """A text in the form in which words are compared: small letters, straight apostrophes, at most two equal letters in
    a row."""
    lowercase_text = " ".join(text.casefold().replace("’", "'").replace("at the moment", "now").split())
    return re.sub(r"([a-z])\1{2,}", r"\1\1", lowercase_text)


def clause_with_numeric_answer(text: str, is_readable: Callable[[str], bool]) -> str:
    """The clause of a text with its number: the only one that `is_readable`, or the last one if it is the result of a
    calculation; else the words after the last "is", "gives" or "takes"; empty if there is none.

    >>> clause_with_numeric_answer("142 of 1800 s, so 8 %", lambda clause: clause.endswith("%"))
    'so 8 %'
    >>> clause_with_numeric_answer("80 layers times 2 is about 160 GB, which fits", lambda clause: clause == "160 GB")
    '160 GB'"""
    clauses = [*filter(None, map(str.strip, _CLAUSE_BORDER_PATTERN.split(text[:CHARACTERS_SEARCHED_FOR_NUMBER])))]
    answers = [clause for clause in clauses if is_readable(clause)]
    is_only_one = len(answers) == 1 or regex_named("operation").search(text)
    if answers and answers[-1] == clauses[-1] and (is_only_one or regex_named("result start").match(answers[-1])):
        return answers[-1]
    # The words after "is", "gives" or "takes" in the last clause with a number, remarks on it left out.
    passages = [one for one in clauses if re.search(r"\d", one) and not regex_named("remark on result").match(one)]
    stated_results = regex_named("before result").split(passages[-1])[:0:-1] if passages else []
    results = (one for result in stated_results for one in (result, regex_named("after result").split(result)[0]))
    if result := next(filter(is_readable, map(str.strip, results)), ""):
        return result
    return answers[0] if len(answers) == 1 else ""


def reply_text_to_non_answer(text: str, question: str, read_glossary: Callable[[], Mapping[str, str]] = dict) -> str:
    """The reply to a text that does not answer the follow-up `question`; empty if it may be an answer. `read_glossary`
    returns the meanings of terms, by `lowercase_term_with_hyphens_as_blanks`.

    >>> reply_text_to_non_answer("Sorry, what was that?", "And the bytes?")
    'And the bytes?'
    >>> reply_text_to_non_answer("what is a rail", "Why rails?", lambda: {"rail": "A switch for each GPU."})
    'A switch for each GPU.'
    """
    probability_by_intent = probabilities_by_intent(text, {"Q": content_stems(question) - TOPICLESS_STEMS})
    intent, _ = likeliest_intent_and_probability(probability_by_intent)
    asks_what_is = bool(regex_named("what is").fullmatch(text.strip()))  # what one thing is, also without its mark
    is_answer = probability_by_intent["answer"] > MAX_ANSWER_PROBABILITY_OF_REQUEST and not asks_what_is
    if not text.strip() or is_answer or intent in ("help", "skip", "done"):
        return ""
    if intent == "meaning" or asks_what_is:
        return term_meaning_or_stock_reply_text(read_glossary(), text, question)
    if intent == "leave":
        return reply_text_to_permission_request(text)
    if intent in ("ask", "recall"):
        return "Answer it as you understand it, and say how you understand it."
    text_by_placeholder = dict.fromkeys(("question", "whole", "in_other_words", "known"), question)
    text_by_placeholder |= {"form": "A sentence or two will do.", "part": "As long as you need, within the time shown."}
    return nearest_template_and_likeness(text, intent)[0].format(setup="", **text_by_placeholder)


def term_meaning_or_stock_reply_text(glossary: Mapping[str, str], request: str, question: str = "") -> str:
    """The meaning of the term that a request for a meaning is about; without one, a sentence that any sense will do.
    "That term" is the only term of the `question`.

    >>> term_meaning_or_stock_reply_text({"lag": "How far a copy is behind."}, "Lags in which sense?")
    'How far a copy is behind.'"""
    word = quoted_word_or_first_glossary_term(glossary, request)
    term = lowercase_term_with_hyphens_as_blanks(word)
    spellings = (term, term.removesuffix("s"), first_glossary_term_in_text(glossary, word))
    if meaning := next(filter(None, map(glossary.get, spellings)), ""):
        return meaning
    stems = content_stems(word)
    meanings = {glossary[name] for name in glossary if stems and stems <= content_stems(name)}
    if len(meanings) == 1:  # "states" of "optimizer states"
        return meanings.pop()
    if not word:
        if regex_named("meaning to confirm").search(request) and " or " not in request:
            return CONFIRM_MEANING_REPLY
        if regex_named("term word").search(request):
            return "Which word do you mean? Ask “what is …?” with it."
        names = glossary_terms_in_text(glossary, question)
        if len(names) == 1 and not content_stems(request) - TOPICLESS_STEMS:
            return f"By “{names[0]}” I mean: {glossary[names[0]]}"
    if offers_two_alternatives(request) or " or " in request:
        return EITHER_MEANING_REPLY
    return CONFIRM_MEANING_REPLY if regex_named("meaning to confirm").search(request) else TERM_UNKNOWN_REPLY


def first_glossary_term_in_text(glossary: Mapping[str, str], text: str) -> str:
    """The term that a text names first, of two that begin there the longer one; empty if there is none."""
    phrase = lowercase_term_with_hyphens_as_blanks(text)
    places = {stem: place for place, word in reversed(list(enumerate(phrase.split()))) for stem in content_stems(word)}
    exact = {name: phrase[: phrase.index(name)].count(" ") for name in glossary_terms_in_text(glossary, text)}
    stems = {name: content_stems(name) for name in glossary if " " not in name}
    # "skipping" names "skip".
    hits = {name: places[min(group)] for name, group in stems.items() if group and group <= places.keys()} | exact
    return min(hits, key=lambda name: (hits[name], name not in exact, -len(name)), default="")


def quoted_word_or_first_glossary_term(glossary: Mapping[str, str], request: str) -> str:
    """The word whose meaning a request is about: the one in quotes, or the first term; empty if it has neither.

    >>> terms = {"lag": "How far a copy is behind.", "copy": "A replica."}
    >>> quoted_word_or_first_glossary_term(terms, "What counts as lag for you, the time that a copy is behind?")
    'lag'"""
    text = regex_named("self description").sub(" ", request.replace("’", "'"))
    if match := _QUOTED_WORD_PATTERN.search(text):
        return first_glossary_term_in_text(glossary, match[1]) or match[1]
    # "a hot link meaning one that many open at once" is about hot links.
    term_text, *meanings = regex_named("meaning start").split(text)
    if content_stems(term_text):
        return first_glossary_term_in_text(glossary, term_text)
    return "" if meanings and offers_two_alternatives(request) else first_glossary_term_in_text(glossary, text)


def glossary_terms_in_text(glossary: Mapping[str, str], text: str) -> list[str]:
    """The terms that a text contains, except those that are a part of another one."""
    phrase = lowercase_term_with_hyphens_as_blanks(text)
    terms = [name for name in glossary if re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", phrase)]
    return [name for name in terms if not any(name != term and name in term for term in terms)]


def offers_two_alternatives(text: str) -> bool:
    """Whether a question offers two alternatives to choose from.

    >>> offers_two_alternatives("Do you want the mean or the peak?")
    True
    >>> offers_two_alternatives("In how many regions or zones are we?")
    False"""
    lowercase_text = text_for_word_comparison(text)
    has_choice = " or " in lowercase_text and regex_named("choice question").search(lowercase_text)
    return bool(has_choice) and not regex_named("existence question").search(lowercase_text)


def name_of_thing_asked(question: str) -> str:
    """The thing that a question is about, in the question's words; empty if it has none of its own.

    >>> name_of_thing_asked("In how many regions or data centres are we?"), name_of_thing_asked("How many of them?")
    ('regions or data centres', '')"""
    if (match := regex_named("thing").match(question.strip())) is None:
        return ""
    words = re.sub(r"^(?:number|figure|value|estimate|idea)s? (?:for|of) (?:the )?", "", match["thing"]).split()
    if regex_named("object").match(question.strip(), match.end()):
        words = words[:-1]  # "which clients call it"
    while words and words[-1].casefold() in _WORDS_CUT_FROM_END_OF_THING_ASKED:
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
    return sentence.endswith("?") or bool(regex_named("question without mark").search(sentence.replace("’", "'")))


def content_stems(text: str) -> frozenset[str]:
    """The stems of those words in a text that are not everyday words."""
    words = (word.casefold() for word in _WORD_PATTERN.findall(text))
    return frozenset(word_stem(word) for word in words if word not in WORDS_WITHOUT_CONTENT)


def reply_text_to_permission_request(question: str) -> str:
    """The reply to a request for permission.

    >>> reply_text_to_permission_request("Do you mind if I round it?")
    'Go ahead, to two digits at least; say that you round.'"""
    if offers_two_alternatives(question):
        return EITHER_IS_FINE_REPLY
    for head, rest in file_block_heads_and_rests("patterns.txt"):
        kind, _, reply = head.partition(": ")
        if kind == "permission" and re.search("|".join(rest.splitlines()), question, re.IGNORECASE):
            return reply
    return YOUR_CHOICE_REPLY


# The stems of words that are related, as they are for one subject of a question, a set each.
_RELATED_STEM_GROUPS: Final = tuple(content_stems(" ".join(row)) for row in word_rows_of_remarks_txt_block("subjects"))
_STEMS_ALLOWED_IN_QUESTION_FOR_EVERYTHING: Final = content_stems("brief setup scenario case facts rewind top play run")
_WORD_OR_NUMBER_PATTERN: Final = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:'[a-z]+|\d*)")
_UNIT_WORDS: Final = words_of_remarks_txt_block("units")
_EVERYDAY_ADJECTIVES_KEPT_AS_CONTENT: Final = words_of_remarks_txt_block("adjectives")  # of talk that facts have, too
_STEMS_ASKING_FOR_REPETITION: Final = words_of_remarks_txt_block("spoken")  # words that ask for a repetition
_APPENDED_ZEROS_BY_MULTIPLIER_WORD: Final = {"hundred": "00", "thousand": "000"}
_DIGITS_BY_NUMBER_WORD: Final = {word: n for word, n in DIGITS_BY_WORD.items() if word not in ("one", "hundred")}
_CLOCK_TIME_PATTERN: Final = re.compile(r"\b\d\d?:\d\d\b")
_WEIGHT_OF_UNIT_WORD_IN_QUESTION: Final = 0.4
_NAMING_WORD_WEIGHT: Final = 0.4
_RELATED_WORD_WEIGHT: Final = 0.5
_EXTRA_WEIGHT_OF_LAST_WORD: Final = 0.25  # "how many people are in a group" is about the group
MIN_FIT_SCORE_OF_STATEMENT_TO_QUESTION: Final = 0.45
MIN_QUESTION_WORD_SHARE_IN_STATEMENT: Final = 0.6  # of the content of a question that asks for no repetition


def has_number_besides_one(text: str) -> bool:
    """Whether a text has a number other than 1, in digits or in words."""
    return not {word for word in _word_stems_in_order(text) if word[0].isdigit()} <= {"1"}


def asks_for_everything(question: str) -> bool:
    """Whether a question is for all numbers or all that was told."""
    other_stems = _weight_by_question_stem(question).keys() - _STEMS_ALLOWED_IN_QUESTION_FOR_EVERYTHING - _UNIT_WORDS
    return bool(regex_named("everything").search(text_for_word_comparison(question))) and not other_stems


def share_of_question_words_in_fact(question: str, fact_text: str, naming_word_stems: Collection[str]) -> float:
    """The share of the words by which a question names what it wants that a fact has, in what it says or in its name,
    from 0 to 1; 1 for a question that names nothing."""
    weights, stems = _weight_by_question_stem(question), _statement_stems(fact_text) | frozenset(naming_word_stems)
    overlap = sum(weight for word, weight in weights.items() if _is_related_to_any_stem(word, stems))
    return overlap / sum(weights.values()) if weights else 1.0


def _is_related_to_any_stem(word: str, stems: Collection[str]) -> bool:
    """Whether a stem, or one that is related to it, is among the stems."""
    return word in stems or any(word in group and not group.isdisjoint(stems) for group in _RELATED_STEM_GROUPS)


def best_fitting_statement_or_empty(question: str, statements: Sequence[str]) -> str:
    """The one of `statements` that has most of the question's words, the later of two that are alike; for a question of
    a number alone the last one with a number; empty if none fits."""
    if not _weight_by_question_stem(question):
        return next((one for one in reversed(statements) if has_number_besides_one(one)), "")
    fits = fits_of_texts_to_question(question, statements, _RELATED_WORD_WEIGHT)
    best_fit, place = max(((fit, place) for place, fit in enumerate(fits)), default=(0.0, 0))
    return statements[place] if best_fit >= MIN_FIT_SCORE_OF_STATEMENT_TO_QUESTION else ""


def statement_answering_question(question: str, statements: Sequence[str]) -> str:
    """The one of `statements` that has most of the content of a question with several words; empty if there is none.

    >>> statement_answering_question("Was there a sale in spring?", ["A shop gets slow.", "Since the spring sale."])
    'Since the spring sale.'"""
    weights = _weight_by_question_stem(question)
    statement = best_fitting_statement_or_empty(question, statements) if len(weights) > 1 else ""
    stems = _statement_stems(statement)
    related = {word for word in weights.keys() - stems if _is_related_to_any_stem(word, stems)}
    overlap = sum(w if word in stems else w * _RELATED_WORD_WEIGHT * (word in related) for word, w in weights.items())
    return statement if overlap >= MIN_QUESTION_WORD_SHARE_IN_STATEMENT * sum(weights.values()) else ""


def fits_of_texts_to_question(
    question: str, texts: Sequence[str], related_weight: float, naming_word_stems: Sequence[Collection[str]] = ()
) -> list[float]:
    """How well each text fits a question, by the words by which it names what it wants: those that many texts have
    count less, those of its name (`naming_word_stems`) or related ones a part, and a number before the thing that is
    counted more.

    >>> fits_of_texts_to_question("How fast is a port?", ["A port has 400 Gb/s.", "Ten nodes."], 0.25)
    [1.25, 0.0]"""
    weight_by_word = _weight_by_question_stem(question)
    counted_stems = weight_by_word if regex_named("count question").search(text_for_word_comparison(question)) else ()
    fits = [float(_has_number_before_counted_word(text, counted_stems)) for text in texts]
    stems = [_statement_stems(text) for text in texts]
    for word, weight in weight_by_word.items():
        count = sum(word in text_stems for text_stems in stems)
        for place, text_stems in enumerate(stems):
            if word in text_stems:
                fits[place] += weight / count**0.5
            elif naming_word_stems and word in naming_word_stems[place]:
                fits[place] += weight * _NAMING_WORD_WEIGHT
            elif _is_related_to_any_stem(word, text_stems):
                fits[place] += weight * related_weight
    return fits


def _has_number_before_counted_word(text: str, counted_stems: Collection[str]) -> bool:
    """Whether a text has a number right before a word that is counted, or one of its related words."""
    words = text.casefold().split()
    numbers = (n for n, word in enumerate(words) if word[0].isdigit() or word in _DIGITS_BY_NUMBER_WORD)
    stems = content_stems(" ".join(word for n in numbers for word in words[n + 1 : n + 3]))
    return any(_is_related_to_any_stem(word, stems) for word in counted_stems)


def _weight_by_question_stem(question: str) -> dict[str, float]:
    """The words by which a question names what it wants, and their weights."""
    words = [word for word in _word_stems_in_order(question) if word not in _STEMS_ASKING_FOR_REPETITION]
    weights = {word: _WEIGHT_OF_UNIT_WORD_IN_QUESTION if word in _UNIT_WORDS else 1.0 for word in words}
    last = next((word for word in reversed(words) if word not in _UNIT_WORDS), "")
    return weights | ({last: 1.0 + _EXTRA_WEIGHT_OF_LAST_WORD} if last else {})


@cache
def _statement_stems(text: str) -> frozenset[str]:
    return frozenset((*_word_stems_in_order(text), *(("hour", "time") if _CLOCK_TIME_PATTERN.search(text) else ())))


def _word_stems_in_order(text: str) -> list[str]:
    """The stems of the words with content, the numbers as digits, and the units, in order."""
    stems: list[str] = []
    for word in _WORD_OR_NUMBER_PATTERN.findall(text.casefold().replace("’", "'")):
        if number := word.replace(",", "") if word[0].isdigit() else _DIGITS_BY_NUMBER_WORD.get(word):
            stems.append(number)
        elif word in _APPENDED_ZEROS_BY_MULTIPLIER_WORD and stems and stems[-1].isdigit():  # "two hundred"
            stems[-1] += _APPENDED_ZEROS_BY_MULTIPLIER_WORD[word]
        elif word in _EVERYDAY_ADJECTIVES_KEPT_AS_CONTENT:
            stems.append(word)
        else:
            stems += [word.rstrip("s")] if word.rstrip("s") in _UNIT_WORDS else content_stems(word)
    return stems
