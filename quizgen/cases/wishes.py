"""The sentences of a candidate's text that want something of the interviewer, the fact that a sentence is about, and
the replies: facts, meanings, repetitions, permissions, and remarks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from quizgen.answer_areas import NumericAnswerLine
from quizgen.cases.case import DENIED_MARK_STATUSES, OPEN_TURN_KIND
from quizgen.cases.conversation import (
    Conversation,
    Line,
    LineRule,
    fact_request_rule,
)
from quizgen.cases.listening import (
    ANSWER_FORM_REPLY,
    EITHER_IS_FINE_REPLY,
    EITHER_MEANING_REPLY,
    GENERIC_WORDS,
    IN_OTHER_WORDS_REPLY,
    MAX_ANSWER_PROBABILITY_OF_WISH,
    MIN_SLIGHT_LIKENESS,
    YOUR_CHOICE_REPLY,
    CaseWords,
    answer_clause,
    answer_in_statements,
    asks_for_everything,
    best_statement,
    clarification_reply,
    content_stems,
    fit_by_fact,
    has_number,
    intent_probabilities,
    is_question_or_request,
    likeliest_intent,
    nearest_remark,
    normalized_text,
    offers_two_alternatives,
    pattern,
    permission_reply,
    reply_beside_answer,
    share_of_question_in_fact,
    split_sentences,
    thing_asked_about,
    without_question,
    word_to_explain,
)
from quizgen.draw import SeededRng
from quizgen.model import Outcome, Score

MAX_BRIEF_STATEMENT_WORDS = 3  # words; such a statement may answer anything
# The probability of an answer up to which a sentence is a wish (`MAX_ANSWER_PROBABILITY_OF_WISH`: a statement) …
MAX_ANSWER_PROBABILITY_IF_TELLING = 0.06  # … if it earns points or can be read as the number
MAX_ANSWER_PROBABILITY_IF_BRIEF = 0.15  # … if it is a brief statement
MAX_ANSWER_PROBABILITY_IF_QUESTION = 0.5  # … if it is a question
MAX_ANSWER_PROBABILITY_BESIDE_WISH = 0.8  # … if it stands beside a wish and tells nothing
# Probabilities of an intent from which a sentence …
MIN_WISH_PROBABILITY = 0.4  # … is a wish where the candidate asks
SURE_WISH_PROBABILITY = 0.6  # … is surely a wish, and another one than its neighbour
MIN_RECALLED_FACT_FIT = 0.25  # `fit_by_fact` of the fact that is wanted once more
MIN_RECALL_PROBABILITY = 0.2  # of a wish to hear the question again that may be one to hear a fact again
MIN_EARLIER_FACT_FIT = 1.0  # `fit_by_fact` of that fact
MIN_NEW_FACT_FIT = 0.6  # `fit_by_fact` of a fact that no phrase of its own asks for
MIN_NEW_FACT_SHARE = 0.34  # share of the words of a question for such a fact
# "You lost me; could you put it in fewer words?" is one wish.
INTENTS_OF_ONE_WISH = ({"repeat", "form"}, {"meaning", "ask"})
# Intents of a wish that often names a part of the answer: "I'll pretend they share a switch, ok with you?"
TELLING_INTENTS = frozenset({"leave", "meaning", "recall"})
NON_WISH_INTENTS = frozenset({"answer", "ask"})  # intents of what is no wish where the candidate asks


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
    is_wish_before, is_open = False, talk.turn.candidate_asks
    text = pattern("anyway").sub(". ", text)
    for sentence in split_sentences(text if is_open else pattern("wish border").sub("? ", text)):
        if not (is_wish := _is_wish(talk, sentence)):
            rest.append(sentence)
        elif is_wish_before and not _are_two_wishes(talk, wishes[-1].text, sentence):
            joined = f"{wishes[-1].text} {sentence}"
            wishes[-1] = Wish(_wish_intent(talk, joined), joined)
        else:
            wishes.append(Wish(_wish_intent(talk, sentence), sentence))
        is_wish_before = is_wish
    other = " ".join(rest)
    if wishes and rest:
        if is_open:
            belongs = not any(is_question_for_fact(talk, sentence) for sentence in rest)
        else:
            tells_nothing = tells_nothing_of_answer(talk, other, MAX_ANSWER_PROBABILITY_BESIDE_WISH)
            belongs = tells_nothing and not number_clause(talk, other)
        if belongs:
            return [Wish(_wish_intent(talk, text), text)], ""
    return wishes, other if wishes else text


def is_question_for_fact(talk: Conversation, sentence: str) -> bool:
    """Whether a sentence where the candidate asks is a question for a fact, also without its mark."""
    return is_question_or_request(sentence) or _intent_probability(talk, sentence, "ask") >= MIN_WISH_PROBABILITY


def _are_two_wishes(talk: Conversation, first: str, second: str) -> bool:
    """Whether two neighbouring wishes want different things, each surely."""
    likeliest = [likeliest_intent(intent_probabilities(text, case_words(talk))) for text in (first, second)]
    best = {intent for intent, _ in likeliest}
    sure = all(probability >= SURE_WISH_PROBABILITY for _, probability in likeliest)
    return len(best) == 2 and sure and not any(best <= alike for alike in INTENTS_OF_ONE_WISH)


def _is_wish(talk: Conversation, sentence: str) -> bool:
    """Whether a sentence is a wish and no answer. One that tells something of the answer must be so more surely, unless
    it is surely a wish ("A token bucket, is that the one that refills at a steady rate?"); where the candidate asks, a
    question for a new fact is no wish."""
    probability_by_intent = intent_probabilities(sentence, case_words(talk))
    best, probability = likeliest_intent(probability_by_intent)
    if talk.turn.candidate_asks:
        return best not in NON_WISH_INTENTS and probability >= MIN_WISH_PROBABILITY
    if best == "ask" and not is_question_or_request(sentence):
        return False
    most = MAX_ANSWER_PROBABILITY_OF_WISH
    if best not in TELLING_INTENTS or probability < SURE_WISH_PROBABILITY:
        if _tells_something_of_answer(talk, sentence):
            most = MAX_ANSWER_PROBABILITY_IF_TELLING
        elif sentence.endswith("?"):
            most = MAX_ANSWER_PROBABILITY_IF_QUESTION
        elif len(sentence.split()) <= MAX_BRIEF_STATEMENT_WORDS:
            most = MAX_ANSWER_PROBABILITY_IF_BRIEF
    return probability_by_intent["answer"] <= most


def _wish_intent(talk: Conversation, text: str) -> str:
    """The intent of a text that is a wish. An unsure one may be a question for a fact."""
    probability_by_intent = dict(intent_probabilities(text, case_words(talk)))
    del probability_by_intent["answer"]
    best, probability = likeliest_intent(probability_by_intent)
    return "ask" if probability < MIN_WISH_PROBABILITY and probability_by_intent["ask"] >= probability / 2 else best


def _intent_probability(talk: Conversation, text: str, intent: str) -> float:
    return intent_probabilities(text, case_words(talk))[intent]


def tells_nothing_of_answer(talk: Conversation, text: str, max_probability: float) -> bool:
    """Whether a text tells nothing of an answer, and is at most this likely one by its words."""
    return not _tells_something_of_answer(talk, text) and _intent_probability(talk, text, "answer") <= max_probability


def _tells_something_of_answer(talk: Conversation, text: str) -> bool:
    """Whether a text earns points, is contradicted or wrong in a known way, or can be read as the number or option."""
    if talk.turn.kind != "text":
        return is_readable_as_answer(talk, text)
    score = talk.variant.score(text)
    return score.earned > 0 or bool(score.mistake_id) or any(m.status in DENIED_MARK_STATUSES for m in score.marks)


def case_words(talk: Conversation) -> CaseWords:
    """The words of the case by which the intent of a sentence is known."""
    statements = (talk.case.opening, *talk.text_by_fact.values())
    question = f"{talk.turn.question} {talk.question_text(in_full=True)}"
    return _case_words_of_texts(question, " ".join(statements), " ".join(talk.case.glossary))


@cache
def _case_words_of_texts(question: str, facts: str, terms: str) -> CaseWords:
    return CaseWords(*(content_stems(text) - GENERIC_WORDS for text in (question, facts, terms)))


def best_fact_id_or_statement(talk: Conversation, text: str, min_fit: float, statements: Sequence[str] = ()) -> str:
    """The id of the fact, or the one of the `statements`, that a text is about: the one with most of its words, or with
    a phrase that the text meets; empty if none fits by at `min_fit` so much."""
    facts = [fact for fact in talk.case.facts if not fact.is_permission]
    texts = {fact.id: talk.text_by_fact[fact.id] for fact in facts}
    names = {fact.id: fact.name_stems | content_stems(fact.id) for fact in facts}
    other = set(statements) - set(texts.values())
    texts |= {one: one for one in statements if one in other}
    fits = fit_by_fact(text, texts, {**dict.fromkeys(other, frozenset()), **names}, _phrase_spans_by_fact(talk, text))
    best = max(fits, key=fits.__getitem__, default="")
    return best if best and fits[best] >= min_fit else ""


def names_earlier_statement(talk: Conversation, wish: str) -> bool:
    """Whether a wish to hear something again names a fact or a statement that is no part of the question: "What was the
    request rate?" """
    is_recall = _intent_probability(talk, wish, "recall") >= MIN_RECALL_PROBABILITY
    if not is_recall or not content_stems(wish) - GENERIC_WORDS:
        return False
    best = best_fact_id_or_statement(talk, wish, MIN_EARLIER_FACT_FIT, talk.interviewer_statements())
    return bool(best) and best not in talk.question_text(in_full=True)


def fact_id_by_words(talk: Conversation, question: str) -> str:
    """The id of the fact that a question asks for by no phrase of its own but by its words; empty if none fits."""
    name = best_fact_id_or_statement(talk, question, MIN_NEW_FACT_FIT)
    fact = next((one for one in talk.case.facts if one.id == name), None)
    if fact is None:
        return ""
    share = share_of_question_in_fact(question, talk.text_by_fact[name], fact.name_stems | content_stems(name))
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
    if talk.turn.kind != "choice" or _is_readable(talk.variant.score(text)):
        return text
    letters = [letter[1] for letter in [pattern("chosen option").match(text)] if letter]
    letters = letters or list({m[1] or m[2] or m[3] for m in pattern("chosen letter").finditer(text)})
    options = (letters[0] if len(letters) == 1 else "", text, pattern("lead in or reason").sub("", text))
    stripped = (option.strip(" .!") for option in options)
    return next((one for one in stripped if one and _is_readable(talk.variant.score(one))), text)


def _is_readable(score: Score) -> bool:
    return score.outcome not in (Outcome.UNREADABLE, Outcome.BLANK)


def requested_fact_ids(talk: Conversation, text: str) -> tuple[str, ...]:
    """The ids of the facts that a text requests. One that is heard in "how many" alone, while what is counted is
    another one, is none: "how many followers has a user" asks for no number of users."""
    heard = _phrase_spans_by_fact(talk, text)
    unwanted = set[str]()
    for many in pattern("how many").finditer(text):
        begin, end = many.span(2)
        counted = {name for name, spans in heard.items() if any(a < end and begin < b for a, b in spans)}
        asked = {name for name, spans in heard.items() if any(many.start() <= a < many.end(1) for a, _ in spans)}
        unwanted |= asked - counted if counted else set()
    return tuple(fact.id for fact in talk.case.facts if fact.id in heard.keys() - unwanted)


def _phrase_spans_by_fact(talk: Conversation, text: str) -> dict[str, Sequence[tuple[int, int]]]:
    """Where a text meets a phrase of a fact, by the fact's id. A question sounds hedged or denied, and requests them
    nevertheless."""
    listener = talk.case.fact_request_item
    if listener is None or not text.strip():
        return {}
    text = pattern("hedge").sub("", text)  # "I guess" asks for nothing about guesses
    marks = listener.draw(SeededRng(listener.id, talk.seed)).score(text).marks
    return {m.criterion: m.evidence_spans for m in marks if m.status in ("found", "hedged", "negated")}


NO_FIGURE_REPLY = "I have no figure for that: assume one, and say it."
UNKNOWN_REPLY = "I leave that open: assume something sensible, and say what you assume."
NO_FIGURE_FOR_THING_REPLY = "I have no figure for {thing}: assume one, and say it."
NOT_FIXED_REPLY = "Nothing is fixed about {thing}: assume something sensible, and say so."
WHICH_THING_REPLY = "Of which? Say the thing by its name, and I tell you what I have."
ASSUME_IT_REPLY = "That is fine: assume it, and say what depends on it."
FINE_REPLY = "That is fine."
LATER_REPLY = "We will come to that. Go on without it for now."
UNCLEAR_REPLY = "I can't tell what you mean by that. Back to the question: {question} {form}"
EITHER_TASK_READING_REPLY = "{in_other_words} What that leaves open, you choose."
IS_THAT_IT_REPLY = "Is that your answer? If so, say “yes”. The question was: {question}"
ANSWER_FORM_BY_KIND = {  # kind of turn -> the form of an answer
    OPEN_TURN_KIND: "Ask me whatever you need to know.",
    "choice": "I want one of the options: its letter will do, with a reason if you like.",
    "text": "I want a few sentences: what you would do or say, and why.",
    "commitment": "I want both: in a few sentences what you would do, and the number that you commit to.",
    "amounts": "I want the numbers with their units, and in a few sentences how you come to them.",
}  # fmt: skip


# What is said to a wish or a question: the lines, and the ids of the facts given with them.
LinesAndFactIds = tuple[Sequence[Line], Sequence[str]]


def replies_to_wishes(talk: Conversation, wishes: Sequence[Wish]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The replies to wishes in order, and the facts given with them."""
    heard = [one for one in wishes if one.intent != "remark"] or wishes  # a remark beside a wish gets no reply
    return _joined_replies(_reply_to_wish(talk, wish) for wish in heard)


def replies_to_questions(talk: Conversation, text: str) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The replies to the questions of a text for facts, each once, and the facts given with them."""
    questions = split_sentences(text)
    several = len(questions) > 1
    return _joined_replies(_reply_to_question(talk, one, f"“{one}” " if several else "") for one in questions)


def _joined_replies(replies: Iterable[LinesAndFactIds]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    made = list(replies)
    lines = without_repeated_lines(line for lines, _ in made for line in lines)
    return lines, tuple(dict.fromkeys(name for _, names in made for name in names))


def _reply_to_wish(talk: Conversation, wish: Wish) -> LinesAndFactIds:
    """The reply to a wish, and the facts given with it."""
    if wish.intent == "recall" or (wish.intent == "repeat" and names_earlier_statement(talk, wish.text)):
        return _reply_to_recall(talk, wish.text)
    if wish.intent == "ask":
        return replies_to_questions(replace(talk, is_question_answered=False), wish.text)
    if wish.intent == "leave":
        lines, facts = _lines_telling_facts(talk, _permission_fact_ids(talk, wish.text))
        return lines or [talk.line(_permission_reply_without_fact(talk, wish.text), "you asked leave")], facts
    if wish.intent == "repeat":
        return [_line_repeating_question(talk, wish.text)], []
    if wish.intent == "meaning":
        return [_meaning_line(talk, wish.text)], []
    reply = _fill_reply(talk, nearest_remark(wish.text, wish.intent)[0].reply, wish.text)
    return [talk.line(reply, LineRule.ASIDE)], []


def _meaning_line(talk: Conversation, wish: str) -> Line:
    """The meaning of a word, or what the question wants, in other words."""
    named = word_to_explain(talk.case.glossary, wish)
    offers_two = " or " in wish and not talk.turn.candidate_asks
    about_task = not named and (offers_two or pattern("asks what is wanted").search(wish))
    if about_task or not content_stems(wish) - GENERIC_WORDS:
        reply = EITHER_TASK_READING_REPLY if offers_two else IN_OTHER_WORDS_REPLY
        return talk.line(_fill_reply(talk, reply, wish), LineRule.REPEAT)
    if not named and (said := answer_in_statements(wish, talk.interviewer_statements())):
        return talk.line(f"As I said: {said}", LineRule.EARLIER)
    meaning = clarification_reply(talk.case.glossary, wish, talk.question_text())
    is_needed = meaning == EITHER_MEANING_REPLY or not talk.is_question_answered
    if offers_two and talk.turn.in_other_words and is_needed:  # "Is a series here one of a node or of all?"
        meaning = f"{meaning} {_question_in_other_words(talk, wish)}"
    return talk.line(meaning, LineRule.MEANING)


def _permission_reply_without_fact(talk: Conversation, request: str) -> str:
    """The reply to a request for permission that no fact answers."""
    granted, (remark, likeness) = permission_reply(request), nearest_remark(request, "leave")
    if granted not in (EITHER_IS_FINE_REPLY, YOUR_CHOICE_REPLY):
        return _fill_reply(talk, granted)
    if likeness >= MIN_SLIGHT_LIKENESS:
        return _fill_reply(talk, remark.reply, request)
    if pattern("asks to assume").search(request):
        return _fill_reply(talk, ASSUME_IT_REPLY)
    return YOUR_CHOICE_REPLY if " or " in request else FINE_REPLY


def _reply_to_recall(talk: Conversation, wish: str) -> LinesAndFactIds:
    """The fact or the sentence that a candidate wants to hear once more; if none fits, all that was told."""
    whole = talk.question_text(in_full=True)
    if asks_for_everything(wish):
        # Of a question with numbers of its own only that, unless the opening is wanted.
        wants_opening = pattern("opening").search(normalized_text(wish))
        only_question = not talk.turn.candidate_asks and has_number(whole) and not wants_opening
        reply = f"I asked: {whole}" if only_question else f"{talk.case.opening} {_recap_text(talk)}"
        return [talk.line(reply, LineRule.EARLIER)], []
    statements = talk.interviewer_statements()
    best = best_fact_id_or_statement(talk, wish, MIN_RECALLED_FACT_FIT, statements) or best_statement(wish, statements)
    if best in {fact.id for fact in talk.case.facts}:
        return _lines_telling_facts(talk, [best], is_repetition=True)
    reply = (f"I asked: {whole}" if best in whole else f"As I said: {best}") if best else _recap_text(talk)
    return [talk.line(reply, LineRule.EARLIER)], []


def _line_repeating_question(talk: Conversation, wish: str) -> Line:
    """The question once more; where the candidate asks, the interviewer's last reply, unless the question is wanted."""
    if not talk.turn.candidate_asks or talk.is_question_answered or "question" in wish.casefold():
        needs_opening = pattern("whole case").search(wish) and not talk.is_question_answered
        reply = _fill_reply(talk, nearest_remark(wish, "repeat")[0].reply, wish)
    else:
        told = talk.interviewer_lines_without_asides()
        replies = [line.text for line in told if line.rule not in (LineRule.NO_FACT, LineRule.UNCLEAR)]
        needs_opening, reply = len(replies) == 2, replies[-1]  # nothing but the opening and the first question
    return talk.line(f"{talk.case.opening} {reply}" if needs_opening else reply, LineRule.REPEAT)


def _reply_to_question(talk: Conversation, question: str, reply_start: str = "") -> LinesAndFactIds:
    """The reply to a question for a fact, with `reply_start` in front if the case leaves it open, and the facts given.
    No line for a statement that no fact answers, or for a question beside an answer."""
    names = _fact_ids_requested_in(talk, question)
    if not names and (near := fact_id_by_words(talk, question)):
        names = [near]
    if names:
        return _lines_telling_facts(talk, names)
    statements, thing = talk.interviewer_statements(), thing_asked_about(question)
    wants_amount, stems = pattern("asks for amount").search(question), content_stems(thing)
    if not (statement := answer_in_statements(question, statements)) and wants_amount and stems:
        # The last number of the thing, if one was told.
        numbers = (one for one in reversed(statements) if has_number(one) and stems <= content_stems(one))
        statement = next(numbers, "")
    if statement:
        return [talk.line(f"As I said: {statement}", LineRule.EARLIER)], []
    if talk.is_question_answered or not is_question_or_request(question):
        return [], []
    return [talk.line(_reply_without_fact(question, thing, reply_start, bool(wants_amount)), LineRule.NO_FACT)], []


def _reply_without_fact(question: str, thing: str, reply_start: str, wants_amount: bool) -> str:
    """The reply to a question that the case leaves open; it names the thing asked about."""
    if thing and not reply_start:
        return (NO_FIGURE_FOR_THING_REPLY if wants_amount else NOT_FIXED_REPLY).format(thing=thing)
    if wants_amount and pattern("pronoun").search(question) and not content_stems(question):
        return WHICH_THING_REPLY
    return f"{reply_start}{NO_FIGURE_REPLY if wants_amount else UNKNOWN_REPLY}"


def _fact_ids_requested_in(talk: Conversation, question: str) -> list[str]:
    """The names of the facts that a question requests, also those that a part of it requests by itself."""
    pieces = [question, *pattern("next question").split(question)]
    heard = [requested_fact_ids(talk, piece) for piece in pieces if content_stems(piece) - GENERIC_WORDS]
    names = dict.fromkeys(name for names in heard for name in names)
    return [name for name in names if not talk.case.fact(name).is_permission]


def unclear_line(talk: Conversation, text: str) -> Line:
    """The reply to a text that seems no answer: the question again. A statement may be one nevertheless."""
    reply = IS_THAT_IT_REPLY if talk.turn.kind == "text" and not text.endswith("?") else UNCLEAR_REPLY
    return talk.line(_fill_reply(talk, reply), LineRule.UNCLEAR)


def without_repeated_lines(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines that say something, each text once."""
    return tuple({line.text: line for line in lines if line.text}.values())


def _lines_telling_facts(talk: Conversation, fact_ids: Sequence[str], is_repetition: bool = False) -> LinesAndFactIds:
    """The lines that tell the facts of these names, except those of a later turn, and the names told. A fact that this
    turn has told, or with `is_repetition` any turn, is told as said before."""
    order, says = [turn.id for turn in talk.case.turns], talk.text_by_fact
    later = order[order.index(talk.turn_id) + 1 :]
    free = [name for name in fact_ids if talk.case.fact(name).deferred_to_turn_id not in later]
    if fact_ids and not free:
        return [talk.line(LATER_REPLY, "a later turn says it")], []
    here = {line.text for line in talk.lines if is_repetition or line.turn_id == talk.turn_id}
    new = [name for name in free if says[name] not in here]
    texts = {name: says[name] if new else f"As I said: {says[name]}" for name in new or free}
    return [talk.line(text, fact_request_rule(name)) for name, text in texts.items()], free


def _permission_fact_ids(talk: Conversation, request: str) -> list[str]:
    """The ids of the facts that answer a request for permission: those on permission, else those with a word of it."""
    heard, is_open, says = requested_fact_ids(talk, request), talk.turn.candidate_asks, talk.text_by_fact
    permitted = [name for name in heard if talk.case.fact(name).is_permission]
    if pattern("asks to ignore").search(request):
        return [name for name in permitted if not pattern("says yes or no").match(talk.case.fact(name).statement)]
    if permitted or not (is_open or pattern("asks to assume").search(request)):
        return permitted
    own = content_stems(request) if is_open else frozenset()
    return [name for name in heard if answer_in_statements(request, [says[name]]) or own & content_stems(says[name])]


def _fill_reply(talk: Conversation, reply: str, wish: str = "") -> str:
    """A reply to what was `wish`, with its placeholders filled in."""
    is_open = talk.turn.candidate_asks
    if talk.is_question_answered:
        reply = IN_OTHER_WORDS_REPLY if reply == EITHER_TASK_READING_REPLY else reply_beside_answer(reply)
        reply = without_question(reply) if is_open else reply
    elif reply in (EITHER_IS_FINE_REPLY, ANSWER_FORM_REPLY) and not is_open and not pattern("order word").search(wish):
        # Who offers two forms of an answer, or two senses of the question, hears the question in other words; the order
        # of an answer is the candidate's choice.
        if reply == ANSWER_FORM_REPLY or pattern("answer form").search(wish):
            reply = ANSWER_FORM_REPLY if talk.turn.kind in ("choice", "numeric") else IN_OTHER_WORDS_REPLY
        elif pattern("asks what is wanted").search(wish):
            reply = EITHER_TASK_READING_REPLY
    changed = " ".join(talk.text_by_changed_fact.values())
    makers: dict[str, Callable[[], str]] = {
        "question": lambda: talk.question_text(), "form": lambda: answer_form_text(talk),
        "part": lambda: _time_left_text(talk), "known": lambda: _recap_text(talk),
        "setup": lambda: f"It changed in this: {changed} " if changed else "",
        "in_other_words": lambda: _question_in_other_words(talk, wish),
        "whole": lambda: talk.question_text(in_full=True),
    }  # fmt: skip
    return re.sub(r"\{(\w+)\}", lambda m: makers[m[1]]() if m[1] in makers else m[0], reply)


def _question_in_other_words(talk: Conversation, wish: str) -> str:
    """The question in the author's other words, and a follow-up question as it is; without such words, the sentences
    that ask."""
    turn = talk.turn
    if turn.in_other_words:
        follows_up = talk.probes_by_turn.get(turn.id) or any(turn_id == turn.id for turn_id, _ in talk.taken_branches)
        words = f"In other words: {talk.case.fill_numbers(turn.in_other_words, talk.number_by_commitment)}"
        return f"{words} And within that: {talk.question_text()}" if follows_up else words
    if offers_two_alternatives(wish):
        return answer_form_text(talk)
    short = talk.question_text()
    lead = "" if short == talk.question_text(in_full=True) else "In short: "
    return f"{lead}{short} {answer_form_text(talk)}"


def _recap_text(talk: Conversation) -> str:
    """All that is known so far, and the question in full."""
    known = talk.given_fact_texts()
    if talk.number_by_commitment:
        known.append(f"You took {', '.join(talk.case.number_texts(talk.number_by_commitment))}.")
    so_far = f"So far: {' '.join(known) or talk.case.opening}"
    if known and talk.turn.candidate_asks:
        return so_far
    return f"{so_far} I asked: {talk.question_text(in_full=True)}"


def answer_form_text(talk: Conversation) -> str:
    """The form of an answer to the turn, in words."""
    turn = talk.turn
    kind = turn.kind
    if kind == "numeric":
        unit = next((block.unit for block in talk.variant.prompt() if isinstance(block, NumericAnswerLine)), "")
        in_unit = f" in {unit}" if unit else ""
        return f"I want one number{in_unit}, or a calculation; another unit is fine if you write it."
    if kind == "text" and re.search(r"\bcommit to\b", turn.question, re.IGNORECASE):
        kind = "commitment"
    elif kind == "text" and (turn.amount_by_criterion or pattern("asks for amount").search(talk.question_text())):
        kind = "amounts"
    return ANSWER_FORM_BY_KIND[kind]


def _time_left_text(talk: Conversation) -> str:
    """The part of the case, its minutes that are left, and the minutes of the parts after it."""
    phases = talk.case.phases
    number, phase = next((n, p) for n, p in enumerate(phases, 1) if p.id == talk.turn.phase_id)
    later = sum(one.allowed_minutes for one in phases[number:])
    rest = f"part {number} of {len(phases)}, “{phase.title}”"
    whole = f"{float(phase.allowed_minutes):g}"
    after = f", and {float(later):g} for the parts after it" if later else ""
    last = " This is the last question." if talk.case.turn_after(talk.turn_id) is None else ""
    if talk.phase_seconds_left is None:
        return f"This is {rest}: {whole} minutes{after}.{last}"
    left = max(1, round(talk.phase_seconds_left / 60))
    if left >= phase.allowed_minutes:
        return f"All {whole} minutes are left for {rest}{after}.{last}"
    return f"About {left} minute{'s' * (left > 1)} of {whole} are left for {rest}{after}.{last}"
