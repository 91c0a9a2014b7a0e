"""Finds the sentences of a candidate's text that want something of the interviewer, and the fact that a sentence is
about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from quizgen.cases.case import OPEN_TURN_KIND
from quizgen.cases.conversation import Conversation, question_text, texts_told_so_far
from quizgen.cases.follow_ups import DENIED_STATUSES
from quizgen.cases.intent import MAX_ANSWER_SHARE, CaseWords, intent_shares
from quizgen.cases.listening import GENERIC_WORDS, answer_clause, content_stems, is_question_or_request, split_sentences
from quizgen.cases.recall import fact_fits, share_of_question_in_fact
from quizgen.draw import SeededRng
from quizgen.model import Outcome, Score

MAX_BRIEF_STATEMENT_WORDS = 3  # words; such a statement may answer anything
# The share of an answer, by its words, up to which a sentence is a wish (`MAX_ANSWER_SHARE` for a statement) …
MAX_ANSWER_SHARE_IF_TELLING = 0.06  # … if it earns points or can be read as the number
MAX_ANSWER_SHARE_IF_BRIEF = 0.15  # … if it is a brief statement
MAX_ANSWER_SHARE_IF_QUESTION = 0.5  # … if it is a question
MAX_ANSWER_SHARE_BESIDE_WISH = 0.8  # … if it stands beside a wish and tells nothing
# Shares of an intent from which a sentence …
MIN_WISH_SHARE = 0.4  # … is a wish where the candidate asks
SURE_WISH_SHARE = 0.6  # … is surely a wish, and another one than its neighbour
MIN_RECALLED_FACT_FIT = 0.25  # `fact_fits` of the fact that is wanted once more
MIN_RECALL_SHARE = 0.2  # of a wish to hear the question again that may be one to hear a fact again
MIN_TOLD_FACT_FIT = 1.0  # `fact_fits` of that fact
MIN_NEW_FACT_FIT = 0.6  # `fact_fits` of a fact that no phrase of its own asks for
MIN_NEW_FACT_SHARE = 0.34  # of the words of a question for such a fact
# "You lost me; could you put it in fewer words?" is one wish.
INTENTS_OF_ONE_WISH = ({"repeat", "form"}, {"meaning", "ask"})
# Intents of a wish that often names a part of the answer: "I'll pretend they share a switch, ok with you?"
TELLING_INTENTS = frozenset({"leave", "meaning", "recall"})
NON_WISH_INTENTS = frozenset({"answer", "ask"})  # intents of what is no wish where the candidate asks
_HOW_MANY_PATTERN = re.compile(
    r"\b(how (?:many|much)) ((?:(?!(?:do|does|did|is|are|was|were|can|will|has|have|per|an?|the|of|in)\b)\w+\W*){1,3})",
    re.IGNORECASE,
)
# "I think it's C", "I'd go for A, an atomic step", "Option B".
_CHOSEN_OPTION_PATTERN = re.compile(
    r"\W*(?i:(?:i(?:['’]d| would)?|so|well|then|right|hm+|ok(?:ay)?|think|guess|say|go|for|with|take|pick|choose"
    r"|the|answer|option|is|must be|it(?:['’]s| is)|that(?:['’]s| is)|probably|maybe)\b\W*)+"
    r"\b([A-D](?=\W|$)|[a-d](?=\W*$|,))"
)
# "Either way I pick B, because …", "If it's the sharding, B, by conversation": a capital behind a word of choosing, or
# alone between two marks.
_CHOSEN_LETTER_PATTERN = re.compile(
    r"\b(?:pick|choose|take|say|(?:go|going|went) (?:for|with)|answer is|option)\W+([A-D])\b(?!['’]|-\w)"
    r"|\b(?:is|it['’]s|that['’]s)\s+([B-D])(?=[,;:.!?]|$)"
    r"|(?:^|[,;:.!?]\s+)([B-D])(?=[,;:.!?]|$)"
)
_HEDGE_PATTERN = re.compile(
    r"\b(?:i (?:would )?(?:suppose|guess|think|believe|mean)|i['’]d (?:say|guess)|not sure)\b|,? and so on\b",
    re.IGNORECASE,
)
# "…, anyway: how many are there?"
_ANYWAY_PATTERN = re.compile(r",? (?:but )?any(?:way|how)[,:] +(?=\w)", re.IGNORECASE)
# "Is it okay if I sketch, and how many questions are still to come?"
_WISH_BORDER_PATTERN = re.compile(
    r"[,;] (?:and|but|also|plus)(?: also)? "
    r"(?=(?:what|which|how|is|are|can|could|may|shall|would|should|mind)\b[^.!]*\?)",
    re.IGNORECASE,
)
_LEAD_IN_OR_REASON_PATTERN = re.compile(
    r"^\W*(?:i(?:['’]d (?:say|go for|take)| (?:think|guess|take))|so|well)\b\W*"
    r"|\W+(?:i (?:think|guess|believe|suppose|would say)|i['’]d say|because|since|as|probably)\b.*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wish:
    """Sentences that want something of the interviewer, and their intent."""

    intent: str
    text: str


def split_wishes_from_rest(talk: Conversation, text: str) -> tuple[list[Wish], str]:
    """The wishes of a text, neighbouring sentences together, and the rest. A rest that tells nothing belongs to the
    wish."""
    wishes: list[Wish] = []
    rest: list[str] = []
    is_wish_before = False
    text = _ANYWAY_PATTERN.sub(". ", text)
    for sentence in split_sentences(text if talk.turn.kind == OPEN_TURN_KIND else _WISH_BORDER_PATTERN.sub("? ", text)):
        if not (is_wish := _is_wish(talk, sentence)):
            rest.append(sentence)
        elif is_wish_before and not _are_two_wishes(talk, wishes[-1].text, sentence):
            joined = f"{wishes[-1].text} {sentence}"
            wishes[-1] = Wish(_wish_intent(talk, joined), joined)
        else:
            wishes.append(Wish(_wish_intent(talk, sentence), sentence))
        is_wish_before = is_wish
    other = " ".join(rest)
    if wishes and rest and _belongs_to_wish(talk, rest):
        return [Wish(_wish_intent(talk, text), text)], ""
    return wishes, other if wishes else text


def _belongs_to_wish(talk: Conversation, rest: Sequence[str]) -> bool:
    """Whether the sentences beside a wish belong to it: none asks, or they tell nothing of an answer."""
    if talk.turn.kind == OPEN_TURN_KIND:
        return not any(is_question_for_fact(talk, sentence) for sentence in rest)
    others = " ".join(rest)
    return tells_nothing_of_answer(talk, others, MAX_ANSWER_SHARE_BESIDE_WISH) and not number_clause(talk, others)


def is_question_for_fact(talk: Conversation, sentence: str) -> bool:
    """Whether a sentence where the candidate asks is a question for a fact, also without its mark."""
    return is_question_or_request(sentence) or intent_shares(sentence, case_words(talk))["ask"] >= MIN_WISH_SHARE


def _are_two_wishes(talk: Conversation, first: str, second: str) -> bool:
    """Whether two neighbouring wishes want different things, each surely."""
    shares = [intent_shares(text, case_words(talk)) for text in (first, second)]
    best = {max(one, key=one.__getitem__) for one in shares}
    sure = all(max(one.values()) >= SURE_WISH_SHARE for one in shares)
    return len(best) == 2 and sure and not any(best <= alike for alike in INTENTS_OF_ONE_WISH)


def _is_wish(talk: Conversation, sentence: str) -> bool:
    """Whether a sentence is a wish and no answer. One that tells something of the answer must be so more surely; where
    the candidate asks, a question for a new fact is no wish."""
    shares = intent_shares(sentence, case_words(talk))
    best = max(shares, key=shares.__getitem__)
    if talk.turn.kind == OPEN_TURN_KIND:
        return best not in NON_WISH_INTENTS and shares[best] >= MIN_WISH_SHARE
    if best == "ask" and not is_question_or_request(sentence):
        return False
    return shares["answer"] <= _max_answer_share(talk, sentence)


def _max_answer_share(talk: Conversation, sentence: str) -> float:
    """The share of an answer up to which a sentence is none: little for one that tells something of the answer, unless
    it is surely a wish ("A token bucket, is that the one that refills at a steady rate?")."""
    shares = intent_shares(sentence, case_words(talk))
    best = max(shares, key=shares.__getitem__)
    if best in TELLING_INTENTS and shares[best] >= SURE_WISH_SHARE:
        return MAX_ANSWER_SHARE
    if _tells_something_of_answer(talk, sentence):
        return MAX_ANSWER_SHARE_IF_TELLING
    if sentence.endswith("?"):
        return MAX_ANSWER_SHARE_IF_QUESTION
    return MAX_ANSWER_SHARE_IF_BRIEF if len(sentence.split()) <= MAX_BRIEF_STATEMENT_WORDS else MAX_ANSWER_SHARE


def _wish_intent(talk: Conversation, text: str) -> str:
    """The intent of a text that is a wish. An unsure one may be a question for a fact."""
    shares = {name: share for name, share in intent_shares(text, case_words(talk)).items() if name != "answer"}
    best = max(shares, key=shares.__getitem__)
    unsure = shares[best] < MIN_WISH_SHARE and shares["ask"] >= shares[best] / 2
    return "ask" if unsure else best


def tells_nothing_of_answer(talk: Conversation, text: str, max_share: float) -> bool:
    """Whether a text tells nothing of an answer, and has at most this share of one by its words."""
    return not _tells_something_of_answer(talk, text) and intent_shares(text, case_words(talk))["answer"] <= max_share


def _tells_something_of_answer(talk: Conversation, text: str) -> bool:
    """Whether a text earns points, is contradicted or wrong in a known way, or can be read as the number or option."""
    if talk.turn.kind != "text":
        return is_readable_as_answer(talk, text)
    score = talk.variant.score(text)
    return score.earned > 0 or bool(score.mistake_id) or any(mark.status in DENIED_STATUSES for mark in score.marks)


def case_words(talk: Conversation) -> CaseWords:
    """The words of the case by which the intent of a sentence is known."""
    statements = (talk.case.opening, *(talk.changed_facts.get(fact.id, fact.say) for fact in talk.case.facts))
    question = f"{talk.turn.ask} {question_text(talk, whole=True)}"
    return _words_with_content(question, " ".join(statements), " ".join(talk.case.terms))


@cache
def _words_with_content(question: str, facts: str, terms: str) -> CaseWords:
    return CaseWords(*(content_stems(text) - GENERIC_WORDS for text in (question, facts, terms)))


def best_fact_id_or_statement(talk: Conversation, text: str, least: float, statements: Sequence[str] = ()) -> str:
    """The id of the fact, or the one of the `statements`, that a text is about: the one with most of its words, or with
    a phrase that the text meets; empty if none fits by at `least` so much."""
    facts = [fact for fact in talk.case.facts if not fact.permits]
    says = {fact.id: talk.changed_facts.get(fact.id, fact.say) for fact in facts}
    names = {fact.id: fact.name_stems | content_stems(fact.id) for fact in facts}
    other = {text: text for text in statements if text not in says.values()}
    fits = fact_fits(
        text, {**says, **other}, {**names, **dict.fromkeys(other, frozenset())}, _spans_by_heard_fact(talk, text)
    )
    best = max(fits, key=fits.__getitem__, default="")
    return best if best and fits[best] >= least else ""


def names_told_statement(talk: Conversation, wish: str) -> bool:
    """Whether a wish to hear something again names a fact or a statement that is no part of the question: "What was the
    request rate?" """
    if intent_shares(wish, case_words(talk))["recall"] < MIN_RECALL_SHARE or not content_stems(wish) - GENERIC_WORDS:
        return False
    best = best_fact_id_or_statement(talk, wish, MIN_TOLD_FACT_FIT, texts_told_so_far(talk))
    return bool(best) and best not in question_text(talk, whole=True)


def fact_id_by_words(talk: Conversation, question: str) -> str:
    """The id of the fact that a question asks for by no phrase of its own but by its words; empty if none fits."""
    name = best_fact_id_or_statement(talk, question, MIN_NEW_FACT_FIT)
    fact = next((one for one in talk.case.facts if one.id == name), None)
    if fact is None:
        return ""
    say = talk.changed_facts.get(name, fact.say)
    share = share_of_question_in_fact(question, say, fact.name_stems | content_stems(name))
    return name if share >= MIN_NEW_FACT_SHARE else ""


def has_only_wishes(talk: Conversation, text: str) -> bool:
    """Whether a text only wants something of the interviewer: no part of it can be an answer."""
    wishes, rest = split_wishes_from_rest(talk, text)
    return bool(wishes) and not rest


def is_readable_as_answer(talk: Conversation, text: str) -> bool:
    """Whether a text can be read as the number or the option. "Within a factor of two, good enough?" has none."""
    in_words = talk.turn.kind == "numeric" and not re.search(r"\d", text) and len(text.split()) > 3
    return not (in_words and text.endswith("?")) and _is_readable(talk.variant.score(extract_option(talk, text)))


def number_clause(talk: Conversation, text: str) -> str:
    """The clause of a text with its number, in a numeric turn; empty if there is none."""
    if talk.turn.kind != "numeric":
        return ""
    return answer_clause(text, lambda clause: is_readable_as_answer(talk, clause))


def extract_option(talk: Conversation, text: str) -> str:
    """The letter or the option's words in a text ("I'd go for B", "The last one, I think"); the text if there is
    none, or if it can be read as it is."""
    if talk.turn.kind == "choice" and not _is_readable(talk.variant.score(text)):
        for option in (
            _letter_of_option(text),
            text.strip(" .!"),
            _LEAD_IN_OR_REASON_PATTERN.sub("", text).strip(" .!"),
        ):
            if option and _is_readable(talk.variant.score(option)):
                return option
    return text


def _letter_of_option(text: str) -> str:
    """The letter of the option that a text names, at its start or else anywhere; empty if it names none or several."""
    if letter := _CHOSEN_OPTION_PATTERN.match(text):
        return str(letter[1])
    chosen = {str(match[1] or match[2] or match[3]) for match in _CHOSEN_LETTER_PATTERN.finditer(text)}
    return chosen.pop() if len(chosen) == 1 else ""


def _is_readable(score: Score) -> bool:
    return score.outcome not in (Outcome.UNREADABLE, Outcome.BLANK)


def requested_fact_ids(talk: Conversation, text: str) -> tuple[str, ...]:
    """The ids of the facts that a text requests."""
    heard = _spans_by_heard_fact(talk, text)
    return tuple(f.id for f in talk.case.facts if f.id in heard and not _asks_other_number(text, f.id, heard))


def _spans_by_heard_fact(talk: Conversation, text: str) -> dict[str, Sequence[tuple[int, int]]]:
    """Where a text meets a phrase of a fact, by the fact's id. A question sounds hedged or denied, and requests them
    nevertheless."""
    listener = talk.case.facts_item
    if listener is None or not text.strip():
        return {}
    text = _HEDGE_PATTERN.sub("", text)  # "I guess" asks for nothing about guesses
    marks = listener.draw(SeededRng(listener.id, talk.seed)).score(text).marks
    return {m.criterion: m.evidence_spans for m in marks if m.status in ("found", "hedged", "negated")}


def _asks_other_number(text: str, fact: str, heard: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """Whether a fact is heard in "how many" alone, and another in what is counted: "how many followers has a user" asks
    for no number of users."""
    for many in _HOW_MANY_PATTERN.finditer(text):
        having = {name for name, spans in heard.items() if any(a < many.end(2) and many.start(2) < b for a, b in spans)}
        if having and fact not in having and any(many.start(1) <= a < many.end(1) for a, _ in heard[fact]):
            return True
    return False
