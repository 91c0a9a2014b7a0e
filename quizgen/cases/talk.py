"""The effect of a candidate's text on a conversation: `answer` decides it, as an `Exchange`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quizgen.cases.case import OPEN_TURN_KIND, Case, Commitment, Turn
from quizgen.cases.commitments import committed_numbers, is_commitment_named
from quizgen.cases.conversation import (
    ACCUMULATING_TURN_KINDS,
    ASIDE_RULE,
    CORRECTION_RULE,
    NOTED_RULE,
    TIME_OVER_RULE,
    UNCLEAR_RULE,
    UNREADABLE_RULE,
    Conversation,
    Exchange,
    Line,
    asks_with_number,
    fill_numbers,
    leaving_exchange,
    move_on,
    number_texts,
    question_text,
)
from quizgen.cases.follow_ups import (
    ARE_YOU_SURE_TEXT,
    branch_to_take,
    doubt_question,
    is_branch_taken,
    probe_count_left,
    probe_question,
    rule_text,
    score_of_responses,
)
from quizgen.cases.intent import intent_shares
from quizgen.cases.listening import AS_I_SAID_PATTERN, normalized_text, phrase_pattern, split_sentences
from quizgen.cases.replies import (
    answer_form_text,
    replies_to_questions,
    replies_to_wishes,
    unclear_line,
    without_repeated_lines,
)
from quizgen.cases.wishes import (
    Wish,
    case_words,
    extract_option,
    is_question_for_fact,
    is_readable_as_answer,
    number_clause,
    split_wishes_from_rest,
    tells_nothing_of_answer,
)
from quizgen.model import Outcome, Score

MAX_DOUBTED_TEXT_WORDS = 20  # words; a longer text is always an answer
MAX_OWN_QUESTION_WORDS = 2  # of a question in front of an answer that the candidate asks to answer it
MAX_DOUBTFUL_ANSWER_SHARE = 0.3  # … or up to which a text that tells nothing is asked about
MIN_INTERVIEWER_QUESTION_SHARE = 0.3  # … in front of an answer is for the interviewer
WHOLE_TURN_INTENTS = frozenset({"help", "skip", "done"})  # of wishes for the whole turn, and none beside an answer
UNREADABLE_REPLY = "I can't tell which part of that is your answer. {form}"
ALREADY_ANSWERED_TEXT = "You have answered that."
NO_HINT_REPLY = "Then begin with what is given, and commit to your best guess; or say “skip”."
ASK_ON_REPLY = "Ask me about sizes, loads, limits and goals, or say “skip” to begin."
SKIPPED_REPLY = "All right, we leave that one."
NOTED_REPLY = "Good. What else do you want to know?"
# "You noted that wrong: I chose 4", "I never said TP = 8": about a number that was noted, and no answer.
_CORRECTION_PATTERN = phrase_pattern(
    """i never|didn't|not|haven't say|said|choose|chose|chosen|take|took|pick|picked|commit*|mean|meant, i
    said|chose|picked|took|meant|committed|settled to?|on?, you|you've note*|wrote|written|got|have|heard ...
    wrong|wrongly|mistaken|incorrect*, not what i said|chose|picked, misheard, i had? said|chosen"""
)
MAX_CORRECTION_WORDS = 24  # words
_LAST_COUNT_PATTERN = re.compile(
    r".*(?<![\d.,])\b(\d+(?![.,]?\d)|one|two|four|eight|sixteen)\b(?!\s*(?:[a-z]*/|%))", re.IGNORECASE
)
_DENIAL_PATTERN = re.compile(r"\b(?:never|not|\w+n['’]t)\b", re.IGNORECASE)
# ", so every 30 minutes." at the end of a calculation.
_RESULT_CLAUSE_PATTERN = re.compile(
    r"[,;.:]\s+((?:so|thus|hence|therefore|i['’]d say|let['’]s say|say|that is|right)\b[^,;:]*?)\.?$"
)
_YES_OR_DENIAL_PATTERN = re.compile(
    r"(?:^|[.!?;]\s)\W*(?:yes|no|yeah|nope|nothing|none|nobody|never(?! mind))\b", re.IGNORECASE
)
_STANDS_BY_ANSWER_PATTERN = re.compile(
    r"\W*(?:yes|yeah|yep|sure|i(?:['’]m| am) sure|i think so|it stands|no change|pretty sure)\b", re.IGNORECASE
)
_INSISTS_PATTERN = re.compile(
    r"\W*(?:(?:yes|yeah|yep|it is|that['’]s it)\b|.*\b(?:is|was|['’]s) my answer\b)", re.IGNORECASE
)


def answer(talk: Conversation, text: str, in_time: bool = True) -> Exchange:
    """The interviewer's reaction to a text. `in_time` is False if the time is over, so that no probe follows."""
    turn = talk.turn
    for read_as in (_read_as_insistence, _read_as_correction, _read_beside_wishes, _read_as_number):
        if (exchange := read_as(talk, turn, text, in_time)) is not None:
            return exchange
    if not text.strip() and turn.kind == OPEN_TURN_KIND:
        return Exchange(turn.id, "", "left", *move_on(talk, turn, "nothing more was asked"))
    option = extract_option(talk, text)
    if option != text:
        return replace(answer(talk, option, in_time), text=text, response_text=option)
    return (_answer_open_turn if turn.kind == OPEN_TURN_KIND else _answer_asking_turn)(talk, turn, text, in_time)


def _read_beside_wishes(talk: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text with a wish: that of the rest, with the reply to the wish; None for any other text."""
    wishes, rest = split_wishes_from_rest(talk, text)
    stands = bool(talk.probes.get(turn.id)) and not rest and _STANDS_BY_ANSWER_PATTERN.match(text)
    if not wishes or stands or (not in_time and not rest):
        return None
    if not rest:
        return _read_wishes_alone(talk, turn, text, wishes)
    made = answer(replace(talk, is_answered=turn.kind != OPEN_TURN_KIND), rest, in_time)
    is_answered = made.effect == "response"
    heard = [wish for wish in wishes if wish.intent not in WHOLE_TURN_INTENTS]
    heard = [wish for wish in heard if not is_answered or not _is_own_question(talk, wish, text)]
    # Nothing is asked again beside a question of the candidate.
    asks_on = turn.kind == OPEN_TURN_KIND and bool(made.given_facts)
    lines, facts = replies_to_wishes(replace(talk, is_answered=is_answered or asks_on), heard)
    asked = f"{made.response_text} {_wishes_for_facts(talk, heard, facts)}".strip()
    return replace(
        made, text=text, response_text=asked if turn.kind == OPEN_TURN_KIND else made.response_text or rest,
        given_facts=(*facts, *made.given_facts),
        lines=_lines_beside(made, lines, is_answered or text.startswith(wishes[0].text)),
    )  # fmt: skip


def _lines_beside(made: Exchange, lines: Sequence[Line], wish_first: bool) -> tuple[Line, ...]:
    """The lines of an exchange together with the replies to the wishes beside it, which are first with `wish_first`."""
    if made.effect == "response" and made.next_turn_id != made.turn_id:
        lines = [_marked_as_answered(line) for line in lines]
    others = [line for line in made.lines if made.effect == "response" or line.rule != UNCLEAR_RULE or not lines]
    return without_repeated_lines((*lines, *others) if wish_first else (*others, *lines))


def _is_own_question(talk: Conversation, wish: Wish, text: str) -> bool:
    """Whether a wish beside an answer is a question in front that the candidate answers: "What breaks first? The
    disk." """
    brief = wish.intent != "repeat" and len(wish.text.split()) <= MAX_OWN_QUESTION_WORDS
    unsure = (
        wish.intent == "ask" or intent_shares(wish.text, case_words(talk))[wish.intent] < MIN_INTERVIEWER_QUESTION_SHARE
    )
    to_nobody = not re.search(r"\byour?\b", wish.text, re.IGNORECASE)
    return text.startswith(wish.text) and wish.text.endswith("?") and (brief or (unsure and to_nobody))


def _read_wishes_alone(talk: Conversation, turn: Turn, text: str, wishes: Sequence[Wish]) -> Exchange:
    """The effect of a text of wishes alone."""
    intents = {wish.intent for wish in wishes}
    if "skip" in intents:
        gone = leaving_exchange(talk, "you wanted to go on")
        return replace(gone, text=text, lines=gone.lines or (Line("interviewer", SKIPPED_REPLY, turn.id, ASIDE_RULE),))
    if "help" in intents:
        return _help_exchange(talk, turn, text)
    if "done" in intents and turn.kind == OPEN_TURN_KIND and talk.responses.get(turn.id):
        return replace(leaving_exchange(talk, "you had asked enough"), text=text)
    lines, facts = replies_to_wishes(talk, wishes)
    lines = lines or (unclear_line(talk, text),)
    return Exchange(
        turn.id, text, "question", lines, turn.id, facts, response_text=_wishes_for_facts(talk, wishes, facts)
    )


def _wishes_for_facts(talk: Conversation, wishes: Sequence[Wish], facts: Sequence[str]) -> str:
    """The words of the wishes, if they drew new facts."""
    return " ".join(wish.text for wish in wishes) if set(facts) - set(talk.given_facts) else ""


def _answer_open_turn(talk: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange:
    """The effect of questions in a turn in which the candidate asks."""
    asked = " ".join(one for one in split_sentences(text) if is_question_for_fact(talk, one))
    lines, facts = replies_to_questions(talk, asked)
    noted = () if lines else (Line("interviewer", NOTED_REPLY, turn.id, ASIDE_RULE),)
    parting, to = ((), turn.id) if in_time else move_on(talk, turn, TIME_OVER_RULE, box_over=True)
    numbers = committed_numbers(text, talk.case.commitments)
    return Exchange(
        turn.id, text, "question", (*lines, *noted, *parting), to, tuple(facts), numbers, response_text=asked
    )


def _answer_asking_turn(talk: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange:
    """The effect of a text in a turn that asks the candidate."""
    if turn.kind == "text" and ARE_YOU_SURE_TEXT in talk.lines[-1].text and _STANDS_BY_ANSWER_PATTERN.match(text):
        return _response_exchange(talk, turn, text, {}, in_time)
    if in_time and turn.kind == "text" and _may_be_no_answer(talk, text):
        return Exchange(turn.id, text, "question", (unclear_line(talk, text),), turn.id)
    values = committed_numbers(text, talk.case.commitments) or _unnamed_number(turn, text, talk.case.commitments)
    return _response_exchange(talk, turn, text, values, in_time)


def _may_be_no_answer(talk: Conversation, text: str) -> bool:
    """Whether a short text tells nothing and may be no answer: it has no number, begins with no yes or no, and does not
    follow a text that was asked about."""
    begins = re.search(r"\d", text) or _YES_OR_DENIAL_PATTERN.search(text) or AS_I_SAID_PATTERN.search(text)
    if (
        begins
        or talk.lines[-1].rule == UNCLEAR_RULE
        or len(text.split()) > MAX_DOUBTED_TEXT_WORDS
        or talk.probes.get(talk.turn_id)
    ):
        return False
    return tells_nothing_of_answer(talk, text, MAX_DOUBTFUL_ANSWER_SHARE)


def _read_as_number(talk: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text in a numeric turn that insists on a doubted number, or gives one in a clause; None for any
    other text."""
    variant = talk.variant
    if turn.kind != "numeric":
        return None
    if talk.probes.get(turn.id) and _STANDS_BY_ANSWER_PATTERN.match(text) and variant.number_in(text) is None:
        return Exchange(turn.id, text, "left", *move_on(talk, turn, "you stand by it", box_over=not in_time))
    if is_readable_as_answer(talk, text):
        return None
    clause = number_clause(talk, text)
    if clause in ("", text.strip()):
        return None
    return replace(answer(talk, clause, in_time), text=text, response_text=clause)


def _marked_as_answered(line: Line) -> Line:
    """A reply beside an answer: a question that is said once more is answered already."""
    repeats = line.text.startswith("I asked: ") and not line.text.endswith(ALREADY_ANSWERED_TEXT)
    return replace(line, text=f"{line.text} {ALREADY_ANSWERED_TEXT}") if repeats else line


def _read_as_correction(talk: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of the correction of a noted number ("No, I said TP = 4"), which is no answer, but may precede one;
    None for any other text."""
    if (
        not talk.numbers
        or not in_time
        or turn.kind == OPEN_TURN_KIND
        or not _CORRECTION_PATTERN.search(AS_I_SAID_PATTERN.sub("", normalized_text(text)))
    ):
        return None
    first, *others = split_sentences(text) or [text]
    made = _correct_numbers(talk, turn, first) if others else None
    if made is not None and made.numbers:
        rest = " ".join(others)
        then = answer(replace(talk, numbers={**talk.numbers, **made.numbers}), rest)
        if then.effect == "response":
            lines, values = (_misheard_line(talk, made.numbers), *then.lines), {**made.numbers, **then.numbers}
            return replace(then, text=text, response_text=then.response_text or rest, lines=lines, numbers=values)
    return _correct_numbers(talk, turn, text)


def _correct_numbers(talk: Conversation, turn: Turn, text: str) -> Exchange | None:
    """The effect of a text that corrects noted numbers and is no answer; None for any other text."""
    noted = [one for one in talk.case.commitments if one.id in talk.numbers]
    named = [one for one in noted if is_commitment_named(one, text)]
    values = committed_numbers(text, noted)
    if (
        not values
        and not _DENIAL_PATTERN.search(text)
        and len(noted) == 1
        and not any(is_commitment_named(one, text) for one in talk.case.commitments if one not in noted)
        and (bare := _LAST_COUNT_PATTERN.search(text))
    ):
        values = committed_numbers(f"{noted[0].names[0].rstrip('*')} = {bare[1]}", noted)
        named = noted
    long = len(text.split()) > MAX_CORRECTION_WORDS
    if long or not named or (turn.kind == "text" and talk.variant.score(text).earned > 0):
        return None
    ask = f"Sorry, then I misheard. Which {named[0].label} do you take?"
    line = _misheard_line(talk, values) if values else Line("interviewer", ask, turn.id, ASIDE_RULE)
    if values and not asks_with_number(talk, values):
        line = replace(line, text=f"{line.text} Back to the question: {question_text(talk)}")
    return Exchange(turn.id, text, "question", (line,), turn.id, (), values)


def _misheard_line(talk: Conversation, values: Mapping[str, Fraction]) -> Line:
    heard = ", ".join(number_texts(talk.case, values))
    return Line("interviewer", f"Sorry, I misheard: {heard}.", talk.turn_id, CORRECTION_RULE)


def _help_exchange(talk: Conversation, turn: Turn, text: str) -> Exchange:
    """The effect of a text whose candidate does not know: a question on the heaviest open criterion, as a probe;
    without one, a request for a guess, once."""
    score = talk.variant.score(talk.response_to(turn.id))
    hint = ASK_ON_REPLY if turn.kind == OPEN_TURN_KIND else NO_HINT_REPLY
    if (probe := probe_question(talk, turn, talk.variant, score)) is not None:
        helped = replace(probe[0], text=f"Then a hint: {probe[0].text}")
        return Exchange(turn.id, text, "question", (helped,), turn.id, probe_criterion=probe[1])
    asked = any(line.turn_id == turn.id and line.text == hint for line in talk.lines)
    if asked or probe_count_left(talk, turn) == 0:
        return replace(leaving_exchange(talk, "you did not know"), text=text)
    return Exchange(turn.id, text, "question", (Line("interviewer", hint, turn.id, ASIDE_RULE),), turn.id)


def _unnamed_number(turn: Turn, text: str, commitments: Sequence[Commitment]) -> dict[str, Fraction]:
    """The number of a short text without a name ("about 30 minutes"), or of a last clause that says the result ("…, so
    every 30 minutes"), if a branch waits for exactly one number."""
    awaited = {name for branch in turn.branches if branch.condition for name in branch.condition.uncommitted_ids}
    one = next((c for c in commitments if awaited == {c.id}), None)
    if one is None:
        return {}
    result = _RESULT_CLAUSE_PATTERN.search(text)
    readings = (
        committed_numbers(f"{one.names[0].rstrip('*')} = {' '.join(words[n:])}", (one,))
        for words in ((result[1] if result else "").split(), text.split())
        if len(words) <= 6
        for n in range(len(words))
    )
    return next((values for values in readings if values), {})


def _read_as_insistence(talk: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of "that is my answer" on a text that was not taken for one; None for any other text."""
    if talk.lines[-1].rule != UNCLEAR_RULE or not _INSISTS_PATTERN.match(text):
        return None
    earlier = next(line.text for line in reversed(talk.lines) if line.speaker == "candidate")
    return replace(_response_exchange(talk, turn, earlier, {}, in_time), text=text, response_text=earlier)


def _response_exchange(
    talk: Conversation, turn: Turn, text: str, values: Mapping[str, Fraction], in_time: bool
) -> Exchange:
    """The effect of an answer, with the numbers that it commits to: a branch, a doubt, a probe, or the next turn."""
    before = talk.responses.get(turn.id, ()) if turn.kind in ACCUMULATING_TURN_KINDS else ()
    whole = "\n\n".join(filter(None, (*before, text)))
    variant = talk.variant
    score = score_of_responses(talk, turn, (*before, text))
    if score.outcome is Outcome.UNREADABLE and in_time:
        return _unreadable_exchange(talk, text, score)
    known = {**talk.numbers, **values}
    noted = _noted_number_lines(talk.case, turn, {k: v for k, v in values.items() if talk.numbers.get(k) != v})
    if not in_time:
        lines, to = move_on(talk, turn, TIME_OVER_RULE, box_over=True)
        return Exchange(turn.id, text, "response", (*noted, *lines), to, (), values)
    doubt = doubt_question(talk, turn, whole, score)
    number = branch_to_take(talk, turn, whole, score, known)
    if number >= 0 and is_branch_taken(turn, turn.branches[number], score, doubt):
        branch = turn.branches[number]
        line = Line("interviewer", fill_numbers(branch.say, known, talk.case), turn.id, rule_text(branch, talk.case))
        spoken = (*noted, *((line,) if branch.say else ()))
        lines, to = ((), turn.id) if branch.stays_in_turn else move_on(talk, turn, "", branch.next_turn)
        values = {**values, **committed_numbers(branch.say, talk.case.commitments)}  # "Take TP = 8 from here on"
        return Exchange(turn.id, text, "response", (*spoken, *lines), to, (), values, branch_index=number)
    probe = doubt or probe_question(talk, turn, variant, score)
    if probe is not None:
        line, criterion = probe
        return Exchange(turn.id, text, "response", (*noted, line), turn.id, (), values, criterion)
    lines, to = move_on(talk, turn, "")
    return Exchange(turn.id, text, "response", (*noted, *lines), to, (), values)


def _unreadable_exchange(talk: Conversation, text: str, score: Score) -> Exchange:
    """The effect of a text that cannot be read as a number or an option: it is no answer, or one to be put anew."""
    if _may_be_no_answer(talk, text):
        return Exchange(talk.turn_id, text, "question", (unclear_line(talk, text),), talk.turn_id)
    because = f"I can't read that as an answer: {' '.join(score.say)}." if len(text.split()) < 4 else UNREADABLE_REPLY
    how = because.format(form=answer_form_text(talk)).replace("..", ".")
    line = Line("interviewer", how, talk.turn_id, UNREADABLE_RULE)
    return Exchange(talk.turn_id, text, "unreadable", (line,), talk.turn_id)


def _noted_number_lines(case: Case, turn: Turn, values: Mapping[str, Fraction]) -> tuple[Line, ...]:
    if not values:
        return ()
    noted = ", ".join(number_texts(case, values))
    return (Line("interviewer", f"I note {noted}.", turn.id, NOTED_RULE),)
