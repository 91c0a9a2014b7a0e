"""The interviewer's replies to wishes and questions: facts, meanings, repetitions, permissions, and remarks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from quizgen.answer_areas import NumericAnswerLine
from quizgen.cases.case import OPEN_TURN_KIND
from quizgen.cases.conversation import (
    ASIDE_RULE,
    EARLIER_RULE,
    MEANING_RULE,
    NO_FACT_RULE,
    REPEAT_RULE,
    UNCLEAR_RULE,
    Conversation,
    Line,
    facts_and_numbers_so_far,
    fill_numbers,
    interviewer_lines_without_asides,
    number_texts,
    question_text,
    texts_told_so_far,
)
from quizgen.cases.listening import (
    ASSUME_IT_REPLY,
    EITHER_MEANING_REPLY,
    GENERIC_WORDS,
    YOUR_CHOICE_REPLY,
    clarification_reply,
    content_stems,
    is_question_or_request,
    offers_two_alternatives,
    permission_reply,
    split_sentences,
    thing_asked_about,
    word_to_explain,
)
from quizgen.cases.recall import answer_in_statements, best_statement, has_number, wants_all, wants_opening
from quizgen.cases.remarks import (
    EITHER_REPLY,
    FORM_REPLY,
    IN_OTHER_WORDS_REPLY,
    LIKENESS_SLIGHT,
    nearest_remark,
    reply_beside_answer,
    without_question,
)
from quizgen.cases.wishes import (
    MIN_RECALLED_FACT_FIT,
    Wish,
    best_fact_id_or_statement,
    fact_id_by_words,
    names_told_statement,
    requested_fact_ids,
)

NO_FIGURE_REPLY = "I have no figure for that: assume one, and say it."
UNKNOWN_REPLY = "I leave that open: assume something sensible, and say what you assume."
NOT_FIXED_REPLY = "Nothing is fixed about {thing}: assume something sensible, and say so."
OF_WHAT_REPLY = "Of which? Say the thing by its name, and I tell you what I have."
FINE_REPLY = "That is fine."
LATER_REPLY = "We will come to that. Go on without it for now."
UNCLEAR_REPLY = "I can't tell what you mean by that. Back to the question: {question} {form}"
EITHER_OF_TASK_REPLY = "{in_other_words} What that leaves open, you choose."
IS_THAT_IT_REPLY = "Is that your answer? If so, say “yes”. The question was: {question}"
ANSWER_FORM_BY_KIND = {  # kind of turn -> the form of an answer
    OPEN_TURN_KIND: "Ask me whatever you need to know.",
    "choice": "I want one of the options: its letter will do, with a reason if you like.",
    "text": "I want a few sentences: what you would do or say, and why.",
    "commitment": "I want both: in a few sentences what you would do, and the number that you commit to.",
    "amounts": "I want the numbers with their units, and in a few sentences how you come to them.",
}  # fmt: skip
# Questions for a number or a measured fact of the system.
_ASKS_FOR_AMOUNT_PATTERN = re.compile(
    r"\bhow (?:many|much|often|large|big|fast)\b|\b(?:figure|number|rate|size|budget|measured)\b", re.IGNORECASE
)
_PRONOUN_PATTERN = re.compile(r"\b(?:it|they|them|those|these|that|this|one)\b", re.IGNORECASE)
# Starts a request to leave something out.
_ASKS_TO_IGNORE_PATTERN = re.compile(
    r"\b(?:ignor|neglect|leav|skip|disregard|(?:not|without) (?:fuss|bother|worry|car))", re.IGNORECASE
)
# Asks what the interviewer wants: "are you after the cause or the cure", "how many actions did you want".
_ASKS_WHAT_IS_WANTED_PATTERN = re.compile(
    r"\b(?:are|were) you (?:after|looking for|hoping for|expecting|asking|interested in)\b"
    r"|\b(?:do|did|would|should|you['’]d) you (?:want|expect|need|care|like|prefer)\b"
    r"|\bdo(?:es)? (?:that|it|this) (?:ask|cover|include)\b|\bis (?:that|it|this) (?:about|for)\b"
    r"|\byou(?:['’]d)? (?:want|expect|care about)\b",
    re.IGNORECASE,
)
_SAYS_YES_OR_NO_PATTERN = re.compile(r"(?:\w+ ){0,3}(?:yes|no)\b", re.IGNORECASE)
# "Could I hear the whole problem from the top once more?"
_WHOLE_CASE_PATTERN = re.compile(
    r"\b(?:whole|entire|full) (?:problem|case|story|scenario|situation|set-?up|brief|thing)\b", re.IGNORECASE
)
_ASKS_TO_ASSUME_PATTERN = re.compile(
    r"\b(?:assum|suppos|presum|pretend|treat|tak(?:e|ing)|count on|rely|lean on|right that|lose)", re.IGNORECASE
)
_NEXT_QUESTION_PATTERN = re.compile(
    r",\s+(?:and |or )?(?=(?:what|which|how|who|when|where|can|may|must|do|does|is|are)\b)", re.IGNORECASE
)
# Which of two goes first, and which of two forms an answer should have: "a figure, or the route to it?".
_ORDER_WORD_PATTERN = re.compile(
    r"\b(?:first|start|starting|begin|order|open|prefer|whichever|rather)\b", re.IGNORECASE
)
_ANSWER_FORM_PATTERN = re.compile(
    r"\b(?:figure|number|sum|calculation|estimate|result|amount|idea|list|bullet|prose|sentence|word|plan|sketch|diagram|route|way|reason"
    r"|working|derivation|explanation|story|text|essay|outline|overview|architecture|choice|decision|recommendation|list)(?:s|es)?\b",
    re.IGNORECASE,
)


def replies_to_wishes(talk: Conversation, wishes: Sequence[Wish]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The replies to wishes in order, and the facts given with them."""
    lines: list[Line] = []
    facts: list[str] = []
    for wish in [one for one in wishes if one.intent != "remark"] or wishes:  # a remark beside a wish gets no reply
        replies, names = _reply_to_wish(talk, wish)
        lines += replies
        facts += names
    return without_repeated_lines(lines), tuple(dict.fromkeys(facts))


def _reply_to_wish(talk: Conversation, wish: Wish) -> tuple[list[Line], list[str]]:
    """The reply to a wish, and the facts given with it."""
    if wish.intent == "recall" or (wish.intent == "repeat" and names_told_statement(talk, wish.text)):
        return _replies_to_recall(talk, wish.text)
    if wish.intent == "ask":
        return replies_to_questions(replace(talk, is_answered=False), wish.text)
    if wish.intent == "leave":
        lines, facts = _lines_telling_facts(talk, _permission_fact_ids(talk, wish.text))
        reply = _permission_reply_without_fact(talk, wish.text)
        return lines or [Line("interviewer", reply, talk.turn_id, "you asked leave")], facts
    if wish.intent == "repeat":
        return [_line_repeating_question(talk, wish.text)], []
    if wish.intent == "meaning":
        named = word_to_explain(talk.case.terms, wish.text)
        offers_two = " or " in wish.text and talk.turn.kind != OPEN_TURN_KIND
        about_task = not named and (offers_two or _ASKS_WHAT_IS_WANTED_PATTERN.search(wish.text))
        if about_task or not content_stems(wish.text) - GENERIC_WORDS:
            reply = EITHER_OF_TASK_REPLY if offers_two else IN_OTHER_WORDS_REPLY
            return [Line("interviewer", _fill_reply(talk, reply, wish.text), talk.turn_id, REPEAT_RULE)], []
        if not named and (said := answer_in_statements(wish.text, texts_told_so_far(talk))):
            return [Line("interviewer", f"As I said: {said}", talk.turn_id, EARLIER_RULE)], []
        meaning = clarification_reply(talk.case.terms, wish.text, question_text(talk))
        is_needed = meaning == EITHER_MEANING_REPLY or not talk.is_answered
        if offers_two and talk.turn.in_other_words and is_needed:  # "Is a series here one of a node or of all?"
            meaning = f"{meaning} {_question_in_other_words(talk, wish.text)}"
        return [Line("interviewer", meaning, talk.turn_id, MEANING_RULE)], []
    reply = _fill_reply(talk, nearest_remark(wish.text, wish.intent)[0].reply, wish.text)
    return [Line("interviewer", reply, talk.turn_id, ASIDE_RULE)], []


def _permission_reply_without_fact(talk: Conversation, request: str) -> str:
    """The reply to a request for permission that no fact answers."""
    granted, (remark, likeness) = permission_reply(request), nearest_remark(request, "leave")
    if granted not in (EITHER_REPLY, YOUR_CHOICE_REPLY):
        return _fill_reply(talk, granted)
    if likeness >= LIKENESS_SLIGHT:
        return _fill_reply(talk, remark.reply, request)
    return (
        _fill_reply(talk, ASSUME_IT_REPLY)
        if _ASKS_TO_ASSUME_PATTERN.search(request)
        else YOUR_CHOICE_REPLY
        if " or " in request
        else FINE_REPLY
    )


def _replies_to_recall(talk: Conversation, wish: str) -> tuple[list[Line], list[str]]:
    """The fact or the sentence that a candidate wants to hear once more; if none fits, all that was told."""
    if wants_all(wish):
        return [Line("interviewer", _recap_of_everything(talk, wish), talk.turn_id, EARLIER_RULE)], []
    facts = {fact.id for fact in talk.case.facts}
    statements = texts_told_so_far(talk)
    best = best_fact_id_or_statement(talk, wish, MIN_RECALLED_FACT_FIT, statements) or best_statement(wish, statements)
    if best in facts:
        return _lines_telling_facts(talk, [best], again=True)
    whole = question_text(talk, whole=True)
    reply = (f"I asked: {whole}" if best in whole else f"As I said: {best}") if best else _recap_text(talk)
    return [Line("interviewer", reply, talk.turn_id, EARLIER_RULE)], []


def _recap_of_everything(talk: Conversation, wish: str) -> str:
    """All that was told so far; of a question with numbers of its own only that, unless the opening is wanted."""
    whole = question_text(talk, whole=True)
    if talk.turn.kind != OPEN_TURN_KIND and has_number(whole) and not wants_opening(wish):
        return f"I asked: {whole}"
    return f"{talk.case.opening} {_recap_text(talk)}"


def _line_repeating_question(talk: Conversation, wish: str) -> Line:
    """The question once more; where the candidate asks, the interviewer's last reply, unless the question is wanted."""
    reply = nearest_remark(wish, "repeat")[0].reply
    if talk.turn.kind != OPEN_TURN_KIND or talk.is_answered or "question" in wish.casefold():
        opening = f"{talk.case.opening} " if _WHOLE_CASE_PATTERN.search(wish) and not talk.is_answered else ""
        return Line("interviewer", f"{opening}{_fill_reply(talk, reply, wish)}", talk.turn_id, REPEAT_RULE)
    replies = [line for line in interviewer_lines_without_asides(talk) if line.rule not in (NO_FACT_RULE, UNCLEAR_RULE)]
    opening = f"{talk.case.opening} " if len(replies) == 2 else ""  # nothing but the opening and the first question
    return Line("interviewer", f"{opening}{replies[-1].text}", talk.turn_id, REPEAT_RULE)


def replies_to_questions(talk: Conversation, text: str) -> tuple[list[Line], list[str]]:
    """The replies to the questions of a text for facts, each once, and the facts given with them."""
    questions = split_sentences(text)
    several = len(questions) > 1
    replies = [_reply_to_question(talk, question, f"“{question}” " if several else "") for question in questions]
    lines = without_repeated_lines(line for reply, _ in replies for line in reply)
    return list(lines), list(dict.fromkeys(name for _, names in replies for name in names))


def _reply_to_question(talk: Conversation, question: str, lead: str = "") -> tuple[list[Line], list[str]]:
    """The reply to a question for a fact, with `lead` in front if the case leaves it open, and the facts given with it.
    No line for a statement that no fact answers, or for a question beside an answer."""
    names = _fact_ids_asked_for(talk, question)
    if not names and (near := fact_id_by_words(talk, question)):
        names = [near]
    if names:
        return _lines_telling_facts(talk, names)
    told_texts = texts_told_so_far(talk)
    if statement := answer_in_statements(question, told_texts) or _number_of_thing(question, told_texts):
        return [Line("interviewer", f"As I said: {statement}", talk.turn_id, EARLIER_RULE)], []
    if talk.is_answered or not is_question_or_request(question):
        return [], []
    return [Line("interviewer", _reply_without_fact(question, lead), talk.turn_id, NO_FACT_RULE)], []


def _number_of_thing(question: str, statements: Sequence[str]) -> str:
    """The last of the statements with a number that names the thing of a question for an amount; empty if none does."""
    thing = content_stems(thing_asked_about(question))
    if not thing or not _ASKS_FOR_AMOUNT_PATTERN.search(question):
        return ""
    return next((one for one in reversed(statements) if has_number(one) and thing <= content_stems(one)), "")


def _reply_without_fact(question: str, lead: str) -> str:
    """The reply to a question that the case leaves open; it names the thing asked about."""
    thing, amount = thing_asked_about(question), _ASKS_FOR_AMOUNT_PATTERN.search(question)
    if thing and not lead:
        reply = "I have no figure for {thing}: assume one, and say it." if amount else NOT_FIXED_REPLY
        return reply.format(thing=thing)
    if amount and _PRONOUN_PATTERN.search(question) and not content_stems(question):
        return OF_WHAT_REPLY
    return f"{lead}{NO_FIGURE_REPLY if amount else UNKNOWN_REPLY}"


def _fact_ids_asked_for(talk: Conversation, question: str) -> list[str]:
    """The names of the facts that a question requests, also those that a part of it requests by itself."""
    pieces = [question, *_NEXT_QUESTION_PATTERN.split(question)]
    heard = [requested_fact_ids(talk, piece) for piece in pieces if content_stems(piece) - GENERIC_WORDS]
    permitted = {fact.id for fact in talk.case.facts if fact.permits}
    return [name for name in dict.fromkeys(name for names in heard for name in names) if name not in permitted]


def unclear_line(talk: Conversation, text: str) -> Line:
    """The reply to a text that seems no answer: the question again. A statement may be one nevertheless."""
    reply = IS_THAT_IT_REPLY if talk.turn.kind == "text" and not text.endswith("?") else UNCLEAR_REPLY
    return Line("interviewer", _fill_reply(talk, reply), talk.turn_id, UNCLEAR_RULE)


def without_repeated_lines(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines that say something, each text once."""
    return tuple({line.text: line for line in lines if line.text}.values())


def _lines_telling_facts(talk: Conversation, names: Sequence[str], again: bool = False) -> tuple[list[Line], list[str]]:
    """The lines that tell the facts of these names, except those of a later turn, and the names told. A fact that this
    turn has told, or with `again` any turn, is told as said before."""
    facts = {f.id: f for f in talk.case.facts}
    free = [name for name in names if talk.case.may_tell_fact(facts[name], talk.turn_id)]
    if names and not free:
        return [Line("interviewer", LATER_REPLY, talk.turn_id, "a later turn says it")], []
    here = {line.text for line in talk.lines if again or line.turn_id == talk.turn_id}
    says = [(name, talk.changed_facts.get(name, facts[name].say)) for name in free]
    new = [(name, say) for name, say in says if say not in here]
    return [
        Line("interviewer", say if new else f"As I said: {say}", talk.turn_id, f"you asked for “{name}”")
        for name, say in new or says
    ], free


def _permission_fact_ids(talk: Conversation, request: str) -> list[str]:
    """The ids of the facts that answer a request for permission: those on permission, else those with a word of it."""
    facts = {fact.id: fact for fact in talk.case.facts}
    wanted = [facts[name] for name in requested_fact_ids(talk, request)]
    if _ASKS_TO_IGNORE_PATTERN.search(request):
        return [fact.id for fact in wanted if fact.permits and not _SAYS_YES_OR_NO_PATTERN.match(fact.say)]
    if granted := [fact.id for fact in wanted if fact.permits]:
        return granted
    if talk.turn.kind != OPEN_TURN_KIND and not _ASKS_TO_ASSUME_PATTERN.search(request):
        return []
    says = {fact.id: talk.changed_facts.get(fact.id, fact.say) for fact in wanted}
    return [
        name
        for name, say in says.items()
        if answer_in_statements(request, [say])
        or (talk.turn.kind == OPEN_TURN_KIND and content_stems(request) & content_stems(say))
    ]


def _fill_reply(talk: Conversation, reply: str, asked: str = "") -> str:
    """A reply to what was `asked`, with its placeholders filled in."""
    reply = _reply_form_beside_answer(talk, reply) if talk.is_answered else _reply_form_in_turn(talk, reply, asked)
    makers: dict[str, Callable[[Conversation], str]] = {
        "question": question_text, "form": answer_form_text, "part": _time_left_text, "known": _recap_text,
        "setup": _changed_facts_text, "in_other_words": lambda talk: _question_in_other_words(talk, asked),
        "whole": lambda talk: question_text(talk, whole=True),
    }  # fmt: skip
    return re.sub(r"\{(\w+)\}", lambda m: makers[m[1]](talk) if m[1] in makers else m[0], reply)


def _reply_form_beside_answer(talk: Conversation, reply: str) -> str:
    """The form of a reply beside an answer; in a turn in which the candidate asks, nothing is asked again."""
    beside = IN_OTHER_WORDS_REPLY if reply == EITHER_OF_TASK_REPLY else reply_beside_answer(reply)
    return without_question(beside) if talk.turn.kind == OPEN_TURN_KIND else beside


def _reply_form_in_turn(talk: Conversation, reply: str, asked: str) -> str:
    """The form of a reply that fits the turn: who offers two forms of an answer, or two senses of the question, hears
    the question in other words; the order of an answer is the candidate's choice."""
    if reply not in (EITHER_REPLY, FORM_REPLY) or talk.turn.kind == OPEN_TURN_KIND or _ORDER_WORD_PATTERN.search(asked):
        return reply
    if reply == FORM_REPLY or _ANSWER_FORM_PATTERN.search(asked):
        return FORM_REPLY if talk.turn.kind in ("choice", "numeric") else IN_OTHER_WORDS_REPLY
    return EITHER_OF_TASK_REPLY if _ASKS_WHAT_IS_WANTED_PATTERN.search(asked) else reply


def _question_in_other_words(talk: Conversation, asked: str) -> str:
    """The question in the author's other words, and a follow-up question as it is; without such words, the sentences
    that ask."""
    turn = talk.turn
    if turn.in_other_words:
        follows_up = talk.probes.get(turn.id) or any(turn_id == turn.id for turn_id, _ in talk.taken_branches)
        words = f"In other words: {fill_numbers(turn.in_other_words, talk.numbers, talk.case)}"
        return f"{words} And within that: {question_text(talk)}" if follows_up else words
    short, whole = question_text(talk), question_text(talk, whole=True)
    if offers_two_alternatives(asked):
        return answer_form_text(talk)
    return f"{'' if short == whole else 'In short: '}{short} {answer_form_text(talk)}"


def _recap_text(talk: Conversation) -> str:
    """All that is known so far, and the question in full."""
    known = [
        *facts_and_numbers_so_far(talk)[: len(facts_and_numbers_so_far(talk)) - len(talk.numbers)],
        *_taken_number_texts(talk),
    ]
    so_far = f"So far: {' '.join(known) or talk.case.opening}"
    if known and talk.turn.kind == OPEN_TURN_KIND:
        return so_far
    return f"{so_far} I asked: {question_text(talk, whole=True)}"


def _taken_number_texts(talk: Conversation) -> list[str]:
    return [f"You took {', '.join(number_texts(talk.case, talk.numbers))}."] if talk.numbers else []


def _changed_facts_text(talk: Conversation) -> str:
    """The facts that have changed."""
    return f"It changed in this: {' '.join(talk.changed_facts.values())} " if talk.changed_facts else ""


def answer_form_text(talk: Conversation) -> str:
    """The form of an answer to the turn, in words."""
    unit = next((block.unit for block in talk.variant.prompt() if isinstance(block, NumericAnswerLine)), "")
    return (
        ANSWER_FORM_BY_KIND.get(_answer_kind(talk))
        or f"I want one number{f' in {unit}' if unit else ''}, or a calculation; another unit is fine if you write it."
    )


def _answer_kind(talk: Conversation) -> str:
    """The kind of the turn, and for words with numbers "commitment" or "amounts"."""
    kind = talk.turn.kind
    if kind == "text" and re.search(r"\bcommit to\b", talk.turn.ask, re.IGNORECASE):
        return "commitment"
    return (
        "amounts"
        if kind == "text" and (talk.turn.amounts or _ASKS_FOR_AMOUNT_PATTERN.search(question_text(talk)))
        else kind
    )


def _time_left_text(talk: Conversation) -> str:
    """The part of the case, its minutes that are left, and the minutes of the parts after it."""
    phases = talk.case.phases
    phase = talk.case.phase(talk.turn.phase)
    number = phases.index(phase) + 1
    part = f"part {number} of {len(phases)}, “{phase.title}”"
    later = sum(one.minutes for one in phases[number:])
    after = f", and {float(later):g} for the parts after it" if later else ""
    last = " This is the last question." if talk.case.turn_after(talk.turn_id) is None else ""
    if talk.seconds_left is None:
        return f"This is {part}: {float(phase.minutes):g} minutes{after}.{last}"
    left = max(1, round(talk.seconds_left / 60))
    if left >= phase.minutes:
        return f"All {float(phase.minutes):g} minutes are left for {part}{after}.{last}"
    return f"About {left} minute{'s' * (left > 1)} of {float(phase.minutes):g} are left for {part}{after}.{last}"
