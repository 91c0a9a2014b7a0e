"""The interviewer's reaction to a candidate's text: `exchange_for_text` decides it. First the sentences that want
something of the interviewer, and the replies: facts, meanings, repetitions, permissions, and remarks. Then the score of
a turn, and the next question: the branch that holds, a probe of an open criterion, or a doubt about a wrong step."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain

from quizgen.answer_areas import NumericAnswerLine
from quizgen.cases import conversation as conversations
from quizgen.cases import listening
from quizgen.cases.case import DENIED_CRITERION_STATUSES, FOUND_OR_HEDGED_STATUSES, Branch, BranchCondition, Case, Turn
from quizgen.cases.conversation import Conversation, Exchange, LineReason, TranscriptLine, committed_number_by_id
from quizgen.cases.listening import EITHER_IS_FINE_REPLY, TOPICLESS_STEMS, content_stems, regex_named, split_sentences
from quizgen.draw import SeededRng
from quizgen.model import Mark, Outcome, Score, Variant
from quizgen.source.problems import up_to_2_decimals

MAX_UNCLEAR_TEXT_WORDS = 20  # words; a longer text is always an answer
MAX_WORDS_OF_SELF_ANSWERED_QUESTION = 2  # of a question in front of an answer that the candidate asks to answer it
MAX_ANSWER_PROBABILITY_OF_UNCLEAR_TEXT = 0.3  # up to which a text that tells nothing is asked about
MIN_PROBABILITY_OF_QUESTION_TO_INTERVIEWER = 0.3  # from which one before an answer is for the interviewer
INTENTS_IGNORED_BESIDE_ANSWER = frozenset({"help", "skip", "done"})  # of requests for the whole turn
NO_HINT_REPLY = "Then begin with what is given, and commit to your best guess; or say “skip”."
INVITE_QUESTIONS_REPLY = "Ask me about sizes, loads, limits and goals, or say “skip” to begin."
MAX_NUMBER_CORRECTION_WORDS = 24  # words
MAX_WORDS_WITH_UNNAMED_NUMBER = 6  # words of a text or clause that may be a number without its name
MAX_BRIEF_STATEMENT_WORDS = 3  # words; such a statement may answer anything
# The probability of an answer up to which a sentence is a request (`MAX_ANSWER_PROBABILITY_OF_REQUEST`: a statement) …
MAX_ANSWER_PROBABILITY_OF_REQUEST_WITH_PARTIAL_ANSWER = 0.06  # … if it earns points or can be read as the number
MAX_ANSWER_PROBABILITY_OF_BRIEF_REQUEST = 0.15  # … if it is a brief statement
MAX_ANSWER_PROBABILITY_OF_QUESTION = 0.5  # … if it is a question
MAX_ANSWER_PROBABILITY_OF_REMARK_BESIDE_REQUEST = 0.8  # … if it stands beside a request and tells nothing
# Probabilities of an intent from which a sentence …
MIN_PROBABILITY_OF_REQUEST = 0.4  # … is a request where the candidate asks
MIN_PROBABILITY_OF_SURE_REQUEST = 0.6  # … is surely a request, and another one than its neighbour
FIT_SCORE_OF_MATCHED_FACT_PHRASE = 0.75
WEIGHT_OF_WORD_RELATED_TO_FACT = 0.25
MIN_FIT_SCORE_OF_FACT_TO_REPEAT = 0.25  # fit of the fact that is wanted once more
MIN_FIT_SCORE_OF_FACT_WITHOUT_MATCHED_PHRASE = 0.6  # fit of a fact that no phrase of its own asks for
MIN_QUESTION_WORD_SHARE_IN_FACT = 0.34  # share of the words of a question for such a fact
# "You lost me; could you put it in fewer words?" is one request.
INTENT_PAIRS_OF_ONE_REQUEST = ({"repeat", "form"}, {"meaning", "ask"})
# Intents of a request that often names a part of the answer: "I'll pretend they share a switch, ok with you?"
INTENTS_OFTEN_NAMING_PART_OF_ANSWER = frozenset({"leave", "meaning", "recall"})


def exchange_for_text(talk: Conversation, text: str, in_time: bool = True) -> Exchange:
    """The interviewer's reaction to a text. `in_time` is False if the time is over, so that no probe follows."""
    turn = talk.turn
    readers = (_exchange_for_that_was_my_answer, _exchange_for_correction_and_maybe_answer)
    for read_as in (*readers, _exchange_for_text_with_requests, _exchange_for_number_kept_or_in_clause):
        if (exchange := read_as(talk, text, in_time)) is not None:
            return exchange
    if (option := _option_in_text_or_whole_text(talk, text)) != text:
        return replace(exchange_for_text(talk, option, in_time), candidate_text=text, response_part=option)
    if turn.candidate_asks:
        return _exchange_for_candidate_questions(talk, text, in_time)
    if turn.kind == "text" and ARE_YOU_SURE_TEXT in talk.lines[-1].text and regex_named("stands by answer").match(text):
        return _exchange_for_answer(talk, text, {}, in_time)
    if in_time and turn.kind == "text" and _seems_no_answer(talk, text):
        return Exchange(turn.id, text, "question", (_line_on_unclear_text(talk, text),), turn.id)
    values = committed_number_by_id(text, talk.case.committable_numbers) or _unnamed_committed_number_by_id(talk, text)
    return _exchange_for_answer(talk, text, values, in_time)


def _exchange_for_text_with_requests(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text with a request: that of the rest, with the reply to the request; None for any other text."""
    requests, rest = split_requests_from_other_text(talk, text)
    stands = talk.current_probe_and_doubt_ids and not rest and regex_named("stands by answer").match(text)
    if not requests or stands or (not in_time and not rest):
        return None
    if not rest:
        return _exchange_for_requests_alone(talk, text, requests)
    is_open = talk.turn.candidate_asks
    exchange = exchange_for_text(replace(talk, replies_omit_question=not is_open), rest, in_time)
    is_answered = exchange.text_taken_as == "response"
    queries = [request for request in requests if request.intent not in INTENTS_IGNORED_BESIDE_ANSWER]
    queries = [request for request in queries if not (is_answered and _is_rhetorical_question(talk, request, text))]
    # Nothing is asked again beside a question of the candidate.
    asks_on = is_open and bool(exchange.given_fact_ids)
    lines, facts = _reply_lines_and_given_fact_ids(replace(talk, replies_omit_question=is_answered or asks_on), queries)
    request_text = f"{exchange.response_part} {_request_text_if_new_facts(talk, queries, facts)}".strip()
    response, facts = (request_text if is_open else exchange.response_part or rest, (*facts, *exchange.given_fact_ids))
    lines = _lines_with_replies(exchange, lines, is_answered or text.startswith(requests[0].text))
    return replace(exchange, candidate_text=text, response_part=response, given_fact_ids=facts, reply_lines=lines)


def _lines_with_replies(event: Exchange, lines: Sequence[TranscriptLine], is_first: bool) -> tuple[TranscriptLine, ...]:
    """The lines of an exchange together with the replies to the requests beside it, which are first if `is_first`. A
    question that is said once more is answered already."""
    is_answer = event.text_taken_as == "response"
    if is_answer and event.turn_id_afterwards != event.turn_id:
        replacements = {line: replace(line, text=f"{line.text} You have answered that.") for line in lines}
        lines = [replacements[line] if line.text.startswith("I asked: ") else line for line in lines]
    other_lines = [one for one in event.reply_lines if is_answer or one.reason != LineReason.UNCLEAR or not lines]
    return _distinct_nonempty_lines((*lines, *other_lines) if is_first else (*other_lines, *lines))


def _is_rhetorical_question(talk: Conversation, request: CandidateRequest, text: str) -> bool:
    """Whether a request beside an answer is a question in front that the candidate answers: "What breaks first? The
    disk." """
    is_brief = request.intent != "repeat" and len(request.text.split()) <= MAX_WORDS_OF_SELF_ANSWERED_QUESTION
    probability = _probability_by_intent(talk, request.text)[request.intent]
    is_unsure = request.intent == "ask" or probability < MIN_PROBABILITY_OF_QUESTION_TO_INTERVIEWER
    to_nobody = not re.search(r"\byour?\b", request.text, re.IGNORECASE)
    return text.startswith(request.text) and request.text.endswith("?") and (is_brief or (is_unsure and to_nobody))


def _exchange_for_requests_alone(talk: Conversation, text: str, requests: Sequence[CandidateRequest]) -> Exchange:
    """The effect of a text of requests alone."""
    turn, intents = talk.turn, {request.intent for request in requests}
    if "skip" in intents:
        exchange = talk.exchange_leaving_unanswered("you wanted to go on")
        reply_lines = (talk.interviewer_line("All right, we leave that one.", LineReason.ASIDE),)
        return replace(exchange, candidate_text=text, reply_lines=exchange.reply_lines or reply_lines)
    if "help" in intents:
        # A question on the heaviest open criterion, as a probe; without one, a request for a guess, once.
        reply = INVITE_QUESTIONS_REPLY if turn.candidate_asks else NO_HINT_REPLY
        hint = talk.interviewer_line(reply, LineReason.ASIDE)
        probe = _next_probe_line_and_criterion(talk, talk.current_turn_variant.score(talk.turn_response_text(turn.id)))
        if probe is None and (hint in talk.lines or _probe_count_left(talk) == 0):
            return replace(talk.exchange_leaving_unanswered("you did not know"), candidate_text=text)
        line, criterion = probe or (hint, "")
        if probe is not None:
            line = replace(line, text=f"Then a hint: {line.text}")
        return Exchange(turn.id, text, "question", (line,), turn.id, probe_or_doubt_id=criterion)
    if "done" in intents and turn.candidate_asks and talk.responses_by_turn_id.get(turn.id):
        return replace(talk.exchange_leaving_unanswered("you had asked enough"), candidate_text=text)
    lines, facts = _reply_lines_and_given_fact_ids(talk, requests)
    lines, response = lines or (_line_on_unclear_text(talk, text),), _request_text_if_new_facts(talk, requests, facts)
    return Exchange(turn.id, text, "question", lines, turn.id, facts, response_part=response)


def _request_text_if_new_facts(talk: Conversation, requests: Sequence[CandidateRequest], facts: Sequence[str]) -> str:
    """The words of the requests, if they drew new facts."""
    return " ".join(request.text for request in requests) if set(facts) - set(talk.given_fact_ids) else ""


def _exchange_for_candidate_questions(talk: Conversation, text: str, in_time: bool) -> Exchange:
    """The effect of questions in a turn in which the candidate asks."""
    pattern = regex_named("question where asked")
    sentences = (f"{one.rstrip('.')}?" if pattern.match(one) else one for one in split_sentences(text))
    response = " ".join(one for one in sentences if _asks_for_any_fact(talk, one))
    lines, facts = _reply_lines_and_fact_ids_for_fact_questions(talk, response)
    lines = lines or (talk.interviewer_line("Good. What else do you want to know?", LineReason.ASIDE),)
    ending = None if in_time else talk.parting_lines_and_next_turn_id(LineReason.TIME_OVER, skips_phase=True)
    parting, to = ending or ((), talk.turn_id)
    numbers = committed_number_by_id(text, talk.case.committable_numbers)
    return Exchange(talk.turn_id, text, "question", (*lines, *parting), to, facts, numbers, response_part=response)


def _seems_no_answer(talk: Conversation, text: str) -> bool:
    """Whether a short text tells nothing and may be no answer: it has no number, begins with no yes or no, and does not
    follow a text that was asked about."""
    return not (
        re.search(r"\d", text)
        or regex_named("yes or denial").search(text)
        or regex_named("as i said").search(text)
        or talk.lines[-1].reason == LineReason.UNCLEAR
        or len(text.split()) > MAX_UNCLEAR_TEXT_WORDS
        or talk.current_probe_and_doubt_ids
    ) and _tells_nothing_of_answer(talk, text, MAX_ANSWER_PROBABILITY_OF_UNCLEAR_TEXT)


def _exchange_for_number_kept_or_in_clause(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text in a numeric turn that insists on a doubted number, or gives one in a clause; None for any
    other text."""
    if talk.turn.kind != "numeric":
        return None
    stands = talk.current_probe_and_doubt_ids and regex_named("stands by answer").match(text)
    if stands and talk.current_turn_variant.response_in_answer_unit(text) is None:
        return replace(talk.exchange_leaving_unanswered("you stand by it", in_time), candidate_text=text)
    clause = "" if _is_readable_as_answer(talk, text) else _clause_with_numeric_answer(talk, text)
    if clause in ("", text.strip()):
        return None
    return replace(exchange_for_text(talk, clause, in_time), candidate_text=text, response_part=clause)


def _exchange_for_correction_and_maybe_answer(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of the correction of a noted number ("No, I said TP = 4"), which is no answer, but may precede one;
    None for any other text."""
    lowercase_text = regex_named("as i said").sub("", listening.text_for_word_comparison(text))
    may_correct = bool(talk.number_by_commitment) and in_time and not talk.turn.candidate_asks
    if not may_correct or not regex_named("correction").search(lowercase_text):
        return None
    first, *other_sentences = split_sentences(text) or [text]
    correction = _exchange_for_correction_alone(talk, first) if other_sentences else None
    if correction is not None and (values := correction.number_by_commitment):
        rest = " ".join(other_sentences)
        exchange = exchange_for_text(replace(talk, number_by_commitment={**talk.number_by_commitment, **values}), rest)
        if exchange.text_taken_as == "response":
            texts, numbers = talk.case.committed_number_texts(values), {**values, **exchange.number_by_commitment}
            line = talk.interviewer_line(f"Sorry, I misheard: {', '.join(texts)}.", LineReason.NUMBER_CORRECTED)
            exchange = replace(exchange, response_part=exchange.response_part or rest, number_by_commitment=numbers)
            return replace(exchange, candidate_text=text, reply_lines=(line, *exchange.reply_lines))
    return _exchange_for_correction_alone(talk, text)


def _exchange_for_correction_alone(talk: Conversation, text: str) -> Exchange | None:
    """The effect of a text that corrects noted numbers and is no answer; None for any other text."""
    commitments = [one for one in talk.case.committable_numbers if one.id in talk.number_by_commitment]
    named_ids = {one.id for one in talk.case.committable_numbers if one.is_named_in(text)}
    targets = [one for one in commitments if one.id in named_ids]
    values = committed_number_by_id(text, commitments)
    count, denial = regex_named("last count").search(text), regex_named("denial").search(text)
    if count and not values and len(commitments) == 1 and named_ids <= {commitments[0].id} and not denial:
        values = committed_number_by_id(f"{commitments[0].starred_names[0].rstrip('*')} = {count[1]}", commitments)
        targets = commitments
    earns_points = talk.turn.kind == "text" and talk.current_turn_variant.score(text).earned > 0
    if not targets or earns_points or len(text.split()) > MAX_NUMBER_CORRECTION_WORDS:
        return None
    line = talk.interviewer_line(f"Sorry, then I misheard. Which {targets[0].label} do you take?", LineReason.ASIDE)
    if values:
        number_texts = ", ".join(talk.case.committed_number_texts(values))
        line = talk.interviewer_line(f"Sorry, I misheard: {number_texts}.", LineReason.NUMBER_CORRECTED)
        if not talk.current_question_uses_commitments(values):
            line = replace(line, text=f"{line.text} Back to the question: {talk.last_question_text_of_turn()}")
    return Exchange(talk.turn_id, text, "question", (line,), talk.turn_id, (), values)


def _unnamed_committed_number_by_id(talk: Conversation, text: str) -> dict[str, Fraction]:
    """The number of a short text without a name ("about 30 minutes"), or of a last or first clause that says the result
    ("…, so every 30 minutes"), if a branch waits for exactly one number."""
    conditions = [branch.condition for branch in talk.turn.branches if branch.condition]
    awaited = {name for condition in conditions for name in condition.names_by_condition_kind.get("unsaid", ())}
    one = next((c for c in talk.case.committable_numbers if awaited == {c.id}), None)
    if one is None:
        return {}
    clauses = filter(None, (regex_named(name).search(text) for name in ("result clause", "opening clause")))
    for words in (*("".join(filter(None, clause.groups())).split() for clause in clauses), text.split()):
        for n in range(len(words) if len(words) <= MAX_WORDS_WITH_UNNAMED_NUMBER else 0):
            if values := committed_number_by_id(f"{one.starred_names[0].rstrip('*')} = {' '.join(words[n:])}", (one,)):
                return values
    return {}


def _exchange_for_that_was_my_answer(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of "that is my answer" on a text that was not taken for one; None for any other text."""
    if talk.lines[-1].reason != LineReason.UNCLEAR or not regex_named("insists").match(text):
        return None
    answer = next(line.text for line in reversed(talk.lines) if line.speaker_role == "candidate")
    return replace(_exchange_for_answer(talk, answer, {}, in_time), candidate_text=text, response_part=answer)


def _exchange_for_answer(talk: Conversation, text: str, values: Mapping[str, Fraction], in_time: bool) -> Exchange:
    """The effect of an answer, with the numbers that it commits to: a branch, a doubt, a probe, or the next turn."""
    turn, case = talk.turn, talk.case
    responses = (*talk.responses_by_turn_id.get(turn.id, ()), text)
    answer, score = turn.joined_or_last_response_text(responses), score_of_turn_responses(talk, turn, responses)
    if score.outcome is Outcome.UNREADABLE and in_time:
        return _exchange_for_unreadable_text(talk, text, score)
    numbers = {**talk.number_by_commitment, **values}
    new_numbers = {name: number for name, number in values.items() if talk.number_by_commitment.get(name) != number}
    new_texts = ", ".join(case.committed_number_texts(new_numbers))
    notes = (talk.interviewer_line(f"I note {new_texts}.", LineReason.NUMBERS_NOTED),) if new_numbers else ()
    if not in_time:
        lines, to = talk.parting_lines_and_next_turn_id(LineReason.TIME_OVER, skips_phase=True)
        return Exchange(turn.id, text, "response", (*notes, *lines), to, (), values)
    probes = talk.current_probe_and_doubt_ids
    doubt = next((one for one in _doubt_lines_with_prefixed_id(talk, answer, score) if one[1] not in probes), None)
    pairs = [(n, one) for n, one in enumerate(turn.branches) if (turn.id, n) not in talk.taken_branches]
    state = replace(talk, number_by_commitment=numbers)
    index, branch = next((one for one in pairs if is_condition_met(one[1].condition, state, answer, score)), (-1, None))
    if branch is not None and _branch_precedes_doubt(turn, branch, score, doubt):
        template = branch.interviewer_template
        full_text = case.fill_committed_numbers_into_text(template, numbers)
        speech = (talk.interviewer_line(full_text, branch_reason_text(branch, case)),) if template else ()
        stays_in_turn, leave_turn = branch.stays_in_turn, talk.parting_lines_and_next_turn_id
        lines, to = ((), turn.id) if stays_in_turn else leave_turn("", branch.next_turn_id)
        values = {**values, **committed_number_by_id(template, case.committable_numbers)}  # "Take TP = 8 from here on"
        return Exchange(turn.id, text, "response", (*notes, *speech, *lines), to, (), values, taken_branch_index=index)
    if (probe := doubt or _next_probe_line_and_criterion(talk, score)) is not None:
        return Exchange(turn.id, text, "response", (*notes, probe[0]), turn.id, (), values, probe[1])
    lines, to = talk.parting_lines_and_next_turn_id("")
    return Exchange(turn.id, text, "response", (*notes, *lines), to, (), values)


def _exchange_for_unreadable_text(talk: Conversation, text: str, score: Score) -> Exchange:
    """The effect of a text that cannot be read as a number or an option: it is no answer, or one to be put anew."""
    if _seems_no_answer(talk, text):
        return Exchange(talk.turn_id, text, "question", (_line_on_unclear_text(talk, text),), talk.turn_id)
    reply = f"I can't tell which part of that is your answer. {_answer_form_text(talk)}"
    if len(text.split()) < 4:
        reply = f"I can't read that as an answer: {' '.join(score.remarks)}.".replace("..", ".")
    line = talk.interviewer_line(reply, LineReason.ANSWER_UNREADABLE)
    return Exchange(talk.turn_id, text, "unreadable", (line,), talk.turn_id)


@dataclass(frozen=True, slots=True)
class CandidateRequest:
    """Sentences that want something of the interviewer, and their intent."""

    intent: str
    text: str


def split_requests_from_other_text(talk: Conversation, text: str) -> tuple[list[CandidateRequest], str]:
    """The requests of a text, neighbouring sentences together, and the rest. A rest that tells nothing belongs to the
    request."""
    requests: list[str] = []
    other_sentences: list[str] = []
    is_request_before, is_open = False, talk.turn.candidate_asks
    text = regex_named("anyway").sub(". ", text)
    for sentence in split_sentences(text if is_open else regex_named("request border").sub("? ", text)):
        if not (is_request := _is_request_and_no_answer(talk, sentence)):
            other_sentences.append(sentence)
        elif is_request_before and not _are_separate_requests(talk, requests[-1], sentence):
            requests[-1] += f" {sentence}"
        else:
            requests.append(sentence)
        is_request_before = is_request
    rest = " ".join(other_sentences)
    if requests and other_sentences:
        if is_open:
            is_own = any(_asks_for_any_fact(talk, sentence) for sentence in other_sentences)
        else:
            tells_nothing = _tells_nothing_of_answer(talk, rest, MAX_ANSWER_PROBABILITY_OF_REMARK_BESIDE_REQUEST)
            is_own = not tells_nothing or bool(_clause_with_numeric_answer(talk, rest))
        if not is_own:
            requests, rest = [text], ""
    return [CandidateRequest(_intent_name_of_request(talk, one), one) for one in requests], rest if requests else text


def _asks_for_any_fact(talk: Conversation, sentence: str) -> bool:
    """Whether a sentence where the candidate asks is a question for a fact, also without its mark."""
    probability = _probability_by_intent(talk, sentence)["ask"]
    return listening.is_question_or_request(sentence) or probability >= MIN_PROBABILITY_OF_REQUEST


def _are_separate_requests(talk: Conversation, first: str, second: str) -> bool:
    """Whether two neighbouring requests want different things, each surely."""
    likeliest = [listening.likeliest_intent_and_probability(_probability_by_intent(talk, x)) for x in (first, second)]
    intents = {intent for intent, _ in likeliest}
    are_sure = all(probability >= MIN_PROBABILITY_OF_SURE_REQUEST for _, probability in likeliest)
    return len(intents) == 2 and are_sure and not any(intents <= pair for pair in INTENT_PAIRS_OF_ONE_REQUEST)


def _is_request_and_no_answer(talk: Conversation, sentence: str) -> bool:
    """Whether a sentence is a request and no answer. One that tells something of the answer must be so more surely,
    unless it is surely a request ("A token bucket, is that the one that refills at a steady rate?"); where the
    candidate asks, a question for a new fact is no request."""
    probabilities = _probability_by_intent(talk, sentence)
    intent, probability = listening.likeliest_intent_and_probability(probabilities)
    if talk.turn.candidate_asks:
        return intent not in ("answer", "ask") and probability >= MIN_PROBABILITY_OF_REQUEST
    if intent == "ask" and not listening.is_question_or_request(sentence):
        return False
    max_probability = listening.MAX_ANSWER_PROBABILITY_OF_REQUEST
    if intent not in INTENTS_OFTEN_NAMING_PART_OF_ANSWER or probability < MIN_PROBABILITY_OF_SURE_REQUEST:
        if _is_scored_or_readable(talk, sentence):
            max_probability = MAX_ANSWER_PROBABILITY_OF_REQUEST_WITH_PARTIAL_ANSWER
        elif sentence.endswith("?"):
            max_probability = MAX_ANSWER_PROBABILITY_OF_QUESTION
        elif len(sentence.split()) <= MAX_BRIEF_STATEMENT_WORDS:
            max_probability = MAX_ANSWER_PROBABILITY_OF_BRIEF_REQUEST
    return probabilities["answer"] <= max_probability


def _intent_name_of_request(talk: Conversation, text: str) -> str:
    """The intent of a text that is a request. An unsure one may be a question for a fact."""
    probabilities = {**_probability_by_intent(talk, text), "answer": 0.0}
    intent, probability = listening.likeliest_intent_and_probability(probabilities)
    return "ask" if probability < MIN_PROBABILITY_OF_REQUEST and probabilities["ask"] >= probability / 2 else intent


def _tells_nothing_of_answer(talk: Conversation, text: str, max_probability: float) -> bool:
    """Whether a text tells nothing of an answer, and is at most this likely one by its words."""
    return _probability_by_intent(talk, text)["answer"] <= max_probability and not _is_scored_or_readable(talk, text)


def _is_scored_or_readable(talk: Conversation, text: str) -> bool:
    """Whether a text earns points, is contradicted or wrong in a known way, or can be read as the number or option."""
    if talk.turn.kind != "text":
        return _is_readable_as_answer(talk, text)
    score = talk.current_turn_variant.score(text)
    return score.earned > 0 or bool(score.mistake_id) or any(m.status in DENIED_CRITERION_STATUSES for m in score.marks)


def _probability_by_intent(talk: Conversation, text: str) -> Mapping[str, float]:
    """How likely each intent is for a text, by its words and those of the case."""
    statements = " ".join((talk.case.opening_text, *talk.text_by_fact_id.values()))
    question = f"{talk.turn.question_template} {talk.last_question_text_of_turn(in_full=True)}"
    stems_by_part = _word_stems_by_case_part(question, statements, " ".join(talk.case.glossary))
    return listening.probabilities_by_intent(text, stems_by_part)


@cache
def _word_stems_by_case_part(question: str, facts: str, terms: str) -> listening.WordStemsByCasePart:
    return {mark: content_stems(text) - TOPICLESS_STEMS for mark, text in (("Q", question), ("F", facts), ("T", terms))}


def _best_fact_id_or_statement(talk: Conversation, text: str, min_fit: float, statements: Sequence[str] = ()) -> str:
    """The id of the fact, or the one of the `statements`, that a text is about: the one with most of its words, or with
    a phrase that the text meets; empty if none fits by at least `min_fit`."""
    facts = [fact for fact in talk.case.facts if not fact.is_permission_reply]
    texts = {fact.id: talk.text_by_fact_id[fact.id] for fact in facts}
    stems_by_id = {fact.id: fact.naming_word_stems | content_stems(fact.id) for fact in facts}
    texts |= {one: one for one in statements if one not in texts.values()}
    stems, hits = [stems_by_id.get(name, frozenset()) for name in texts], _phrase_spans_by_fact_id(talk, text)
    fits = listening.fits_of_texts_to_question(text, list(texts.values()), WEIGHT_OF_WORD_RELATED_TO_FACT, stems)
    phrase_fit = FIT_SCORE_OF_MATCHED_FACT_PHRASE / max(1, len(hits)) ** 0.5
    fit_by_name = {name: fit + phrase_fit * (name in hits) for name, fit in zip(texts, fits, strict=True)}
    best = max(fit_by_name, key=fit_by_name.__getitem__, default="")
    return best if best and fit_by_name[best] >= min_fit else ""


def _names_earlier_statement(talk: Conversation, request: str) -> bool:
    """Whether a request to hear something again names a fact or a statement that is no part of the question: "What was
    the request rate?" """
    if _probability_by_intent(talk, request)["recall"] < 0.2 or not content_stems(request) - TOPICLESS_STEMS:
        return False
    best = _best_fact_id_or_statement(talk, request, 1.0, talk.statements_of_interviewer())
    return bool(best) and best not in talk.last_question_text_of_turn(in_full=True)


def _is_readable_as_answer(talk: Conversation, text: str) -> bool:
    """Whether a text can be read as the number or the option. "Within a factor of two, good enough?" has none."""
    is_in_words = talk.turn.kind == "numeric" and not re.search(r"\d", text) and len(text.split()) > 3
    score = talk.current_turn_variant.score(_option_in_text_or_whole_text(talk, text))
    return _has_readable_outcome(score) and not (is_in_words and text.endswith("?"))


def _clause_with_numeric_answer(talk: Conversation, text: str) -> str:
    """The clause of a text with its number, in a numeric turn; empty if there is none. An amount of another kind ("a
    node gives 2.5 GB/s", asked for a time) is a reason for it."""
    if talk.turn.kind != "numeric":
        return ""

    def is_fit(clause: str) -> bool:
        mistake = talk.current_turn_variant.score(_option_in_text_or_whole_text(talk, clause)).mistake_id
        return mistake != "wrong-dimension" and _is_readable_as_answer(talk, clause)

    return listening.clause_with_numeric_answer(text, is_fit)


def _option_in_text_or_whole_text(talk: Conversation, text: str) -> str:
    """The letter or the option's words in a text ("I'd go for B", "The last one, I think"); the text if there is
    none, or if it can be read as it is."""
    if talk.turn.kind != "choice" or _has_readable_outcome(talk.current_turn_variant.score(text)):
        return text
    match = regex_named("chosen option").match(text)
    letters = [match[1]] if match else [*{m[1] or m[2] or m[3] for m in regex_named("chosen letter").finditer(text)}]
    options = (letters[0] if len(letters) == 1 else "", text, regex_named("lead in or reason").sub("", text))
    texts = (option.strip(" .!") for option in options)
    return next((one for one in texts if one and _has_readable_outcome(talk.current_turn_variant.score(one))), text)


def _has_readable_outcome(score: Score) -> bool:
    return score.outcome not in (Outcome.UNREADABLE, Outcome.BLANK)


def _fact_ids_with_matched_phrase(talk: Conversation, text: str) -> tuple[str, ...]:
    """The ids of the facts that a text requests. One that is heard in "how many" alone, while what is counted is
    another one, is none: "how many followers has a user" asks for no number of users."""
    hits = _phrase_spans_by_fact_id(talk, text)
    unwanted_ids = set[str]()
    for match in regex_named("how many").finditer(text):
        begin, end = match.span(2)
        counted_ids = {name for name, spans in hits.items() if any(a < end and begin < b for a, b in spans)}
        asked_ids = {name for name, spans in hits.items() if any(match.start() <= a < match.end(1) for a, _ in spans)}
        unwanted_ids |= asked_ids - counted_ids if counted_ids else set()
    return tuple(fact.id for fact in talk.case.facts if fact.id in hits.keys() - unwanted_ids)


def _phrase_spans_by_fact_id(talk: Conversation, text: str) -> dict[str, Sequence[tuple[int, int]]]:
    """Where a text meets a phrase of a fact, by the fact's id. A question sounds hedged or denied, and requests them
    nevertheless."""
    listener = talk.case.item_that_recognizes_fact_requests
    if listener is None or not text.strip():
        return {}
    text = regex_named("hedge").sub("", text)  # "I guess" asks for nothing about guesses
    marks = listener.draw(SeededRng(listener.id, talk.seed)).score(text).marks
    return {m.criterion_id: m.evidence_spans for m in marks if m.status in ("found", "hedged", "negated")}


LEFT_OPEN_REPLY = "I leave that open: assume something sensible, and say what you assume."
COMES_LATER_REPLY = "We will come to that. Go on without it for now."
NOT_UNDERSTOOD_TEMPLATE = "I can't tell what you mean by that. Back to the question: {question} {form}"
EITHER_READING_TEMPLATE = "{in_other_words} What that leaves open, you choose."
IS_THAT_ANSWER_TEMPLATE = "Is that your answer? If so, say “yes”. The question was: {question}"
ANSWER_FORM_TEXT_BY_WANTED_KIND = {  # kind of turn -> the form of an answer
    "open": "Ask me whatever you need to know.",
    "choice": "I want one of the options: its letter will do, with a reason if you like.",
    "text": "I want a few sentences: what you would do or say, and why.",
    "commitment": "I want both: in a few sentences what you would do, and the number that you commit to.",
    "amounts": "I want the numbers with their units, and in a few sentences how you come to them.",
}  # fmt: skip


# What is said to a request or a question: the lines, and the ids of the facts given with them.
LinesAndFactIds = tuple[Sequence[TranscriptLine], Sequence[str]]
JoinedLinesAndFactIds = tuple[tuple[TranscriptLine, ...], tuple[str, ...]]


def _reply_lines_and_given_fact_ids(talk: Conversation, requests: Sequence[CandidateRequest]) -> JoinedLinesAndFactIds:
    """The replies to requests in order, and the facts given with them."""
    queries = [one for one in requests if one.intent != "remark"] or requests  # a remark beside a request gets no reply
    return _join_lines_and_fact_ids(_lines_and_fact_ids_for_request(talk, request) for request in queries)


def _reply_lines_and_fact_ids_for_fact_questions(talk: Conversation, text: str) -> JoinedLinesAndFactIds:
    """The replies to the questions of a text for facts, each once, and the facts given with them."""
    questions = split_sentences(text)
    return _join_lines_and_fact_ids(
        _lines_and_fact_ids_for_fact_question(talk, one, f"“{one}” " * (len(questions) > 1)) for one in questions
    )


def _join_lines_and_fact_ids(replies: Iterable[LinesAndFactIds]) -> JoinedLinesAndFactIds:
    pairs = list(replies)
    lines = _distinct_nonempty_lines(line for lines, _ in pairs for line in lines)
    return lines, tuple(dict.fromkeys(name for _, names in pairs for name in names))


def _lines_and_fact_ids_for_request(talk: Conversation, request: CandidateRequest) -> LinesAndFactIds:
    """The reply to a request, and the facts given with it."""
    if request.intent == "recall" or (request.intent == "repeat" and _names_earlier_statement(talk, request.text)):
        return _repeated_lines_and_fact_ids(talk, request.text)
    is_on_case = talk.turn.candidate_asks and not regex_named("about own answer").search(request.text)
    asks_fact = request.intent == "form" and is_on_case and _fact_ids_with_matched_phrase(talk, request.text)
    if request.intent == "ask" or asks_fact:
        return _reply_lines_and_fact_ids_for_fact_questions(replace(talk, replies_omit_question=False), request.text)
    if request.intent == "leave":
        lines, facts = _lines_and_fact_ids_telling_facts(talk, _fact_ids_for_permission_request(talk, request.text))
        reply = _permission_reply_text_without_fact(talk, request.text)
        return lines or [talk.interviewer_line(reply, "you asked leave")], facts
    if request.intent == "repeat":
        return [_line_repeating_question(talk, request.text)], []
    if request.intent == "meaning":
        return [_line_explaining_meaning(talk, request.text)], []
    template, _ = listening.nearest_template_and_likeness(request.text, request.intent)
    return [talk.interviewer_line(_filled_reply_text(talk, template, request.text), LineReason.ASIDE)], []


def _line_explaining_meaning(talk: Conversation, request: str) -> TranscriptLine:
    """The meaning of a word, or what the question wants, in other words."""
    term = listening.quoted_word_or_first_glossary_term(talk.case.glossary, request)
    offers_two = " or " in request and not talk.turn.candidate_asks
    is_about_task = not term and (offers_two or regex_named("asks what is wanted").search(request))
    if is_about_task or not content_stems(request) - TOPICLESS_STEMS:
        reply = EITHER_READING_TEMPLATE if offers_two else "{in_other_words}"
        return talk.interviewer_line(_filled_reply_text(talk, reply, request), LineReason.ASKED_TO_REPEAT)
    if not term and (statement := listening.statement_answering_question(request, talk.statements_of_interviewer())):
        return talk.interviewer_line(f"As I said: {statement}", LineReason.SAID_BEFORE)
    meaning = listening.term_meaning_or_stock_reply_text(talk.case.glossary, request, talk.last_question_text_of_turn())
    is_needed = meaning == listening.EITHER_MEANING_REPLY or not talk.replies_omit_question
    if offers_two and talk.turn.rephrasing_template and is_needed:  # "Is a series here one of a node or of all?"
        meaning = f"{meaning} {_question_text_in_other_words(talk, request)}"
    return talk.interviewer_line(meaning, LineReason.ASKED_FOR_MEANING)


def _permission_reply_text_without_fact(talk: Conversation, request: str) -> str:
    """The reply to a request for permission that no fact answers."""
    general_reply = listening.reply_text_to_permission_request(request)
    reply, likeness = listening.nearest_template_and_likeness(request, "leave")
    if general_reply not in (EITHER_IS_FINE_REPLY, listening.YOUR_CHOICE_REPLY):
        return _filled_reply_text(talk, general_reply)
    if likeness >= listening.MIN_LIKENESS_FOR_CANNED_PERMISSION:
        return _filled_reply_text(talk, reply, request)
    if regex_named("asks to assume").search(request):
        return _filled_reply_text(talk, "That is fine: assume it, and say what depends on it.")
    return listening.YOUR_CHOICE_REPLY if " or " in request else "That is fine."


def _repeated_lines_and_fact_ids(talk: Conversation, request: str) -> LinesAndFactIds:
    """The fact or the sentence that a candidate wants to hear once more; if none fits, all that was told."""
    wording = talk.last_question_text_of_turn(in_full=True)
    if listening.asks_for_everything(request):
        # Of a question with numbers of its own only that, unless the opening is wanted.
        wants_opening = regex_named("opening").search(listening.text_for_word_comparison(request))
        only_question = not talk.turn.candidate_asks and listening.has_number_besides_one(wording) and not wants_opening
        reply = f"I asked: {wording}" if only_question else f"{talk.case.opening_text} {_recap_text(talk)}"
        return [talk.interviewer_line(reply, LineReason.SAID_BEFORE)], []
    statements = talk.statements_of_interviewer()
    best = _best_fact_id_or_statement(talk, request, MIN_FIT_SCORE_OF_FACT_TO_REPEAT, statements)
    best = best or listening.best_fitting_statement_or_empty(request, statements)
    if best in {fact.id for fact in talk.case.facts}:
        return _lines_and_fact_ids_telling_facts(talk, [best], is_repetition=True)
    reply = (f"I asked: {wording}" if best in wording else f"As I said: {best}") if best else _recap_text(talk)
    return [talk.interviewer_line(reply, LineReason.SAID_BEFORE)], []


def _line_repeating_question(talk: Conversation, request: str) -> TranscriptLine:
    """The question once more; where the candidate asks, the interviewer's last reply, unless the question is wanted."""
    wants_other_words = regex_named("other words").search(request) is not None
    wants_question = wants_other_words or "question" in request.casefold()
    if wants_question or not talk.turn.candidate_asks or talk.replies_omit_question:
        needs_opening = regex_named("whole case").search(request) and not talk.replies_omit_question
        template = listening.nearest_template_and_likeness(request, "repeat")[0]
        template = "{in_other_words}" if wants_other_words else template
        reply = _filled_reply_text(talk, template, request)
    else:
        lines = talk.interviewer_lines_without_asides()
        replies = [line.text for line in lines if line.reason not in (LineReason.NO_SUCH_FACT, LineReason.UNCLEAR)]
        needs_opening, reply = len(replies) == 2, replies[-1]  # nothing but the opening and the first question
    reply = f"{talk.case.opening_text} {reply}" if needs_opening else reply
    return talk.interviewer_line(reply, LineReason.ASKED_TO_REPEAT)


def _lines_and_fact_ids_for_fact_question(talk: Conversation, question: str, reply_start: str = "") -> LinesAndFactIds:
    """The reply to a question for a fact, with `reply_start` in front if the case leaves it open, and the facts given.
    No line for a statement that no fact answers, or for a question beside an answer."""
    if names := _fact_ids_requested_by_phrase_or_fit(talk, question):
        return _lines_and_fact_ids_telling_facts(talk, names)
    statements, thing = talk.statements_of_interviewer(), listening.name_of_thing_asked(question)
    wants_amount, stems = regex_named("asks for amount").search(question), content_stems(thing)
    if not (statement := listening.statement_answering_question(question, statements)) and wants_amount and stems:
        # The last number of the thing, if one was told.
        with_number = filter(listening.has_number_besides_one, reversed(statements))
        statement = next((one for one in with_number if stems <= content_stems(one)), "")
    if statement:
        return [talk.interviewer_line(f"As I said: {statement}", LineReason.SAID_BEFORE)], []
    if talk.replies_omit_question or not listening.is_question_or_request(question):
        return [], []
    # The case leaves it open. The reply names the thing asked about.
    topic = "" if reply_start else thing
    reply = f"Nothing is fixed about {topic}: assume something sensible, and say so." if topic else LEFT_OPEN_REPLY
    if wants_amount:
        reply = f"I have no figure for {topic or 'that'}: assume one, and say it."
        if not topic and regex_named("pronoun").search(question) and not content_stems(question):
            reply_start, reply = "", "Of which? Say the thing by its name, and I tell you what I have."
    return [talk.interviewer_line(f"{reply_start}{reply}", LineReason.NO_SUCH_FACT)], []


def _fact_ids_requested_by_phrase_or_fit(talk: Conversation, question: str) -> list[str]:
    """The ids of the facts that a question requests, also those that a part of it requests by itself. If no phrase of a
    fact asks for it, the fact that has most of the question's words."""
    pieces = [question, *regex_named("next question").split(question)]
    matches = [_fact_ids_with_matched_phrase(talk, piece) for piece in pieces if content_stems(piece)]
    matched_ids = list(dict.fromkeys(chain(*matches)))
    names = [name for name in matched_ids if not talk.case.fact_by_id(name).is_permission_reply]
    if not names and matched_ids and regex_named("requests permission").search(question):
        return matched_ids
    if names or not (name := _best_fact_id_or_statement(talk, question, MIN_FIT_SCORE_OF_FACT_WITHOUT_MATCHED_PHRASE)):
        return names
    stems = talk.case.fact_by_id(name).naming_word_stems | content_stems(name)
    share = listening.share_of_question_words_in_fact(question, talk.text_by_fact_id[name], stems)
    return [name] if share >= MIN_QUESTION_WORD_SHARE_IN_FACT else []


def _line_on_unclear_text(talk: Conversation, text: str) -> TranscriptLine:
    """The reply to a text that seems no answer: the question again. A statement may be one nevertheless."""
    reply = IS_THAT_ANSWER_TEMPLATE if talk.turn.kind == "text" and not text.endswith("?") else NOT_UNDERSTOOD_TEMPLATE
    return talk.interviewer_line(_filled_reply_text(talk, reply), LineReason.UNCLEAR)


def _distinct_nonempty_lines(lines: Iterable[TranscriptLine]) -> tuple[TranscriptLine, ...]:
    """The lines that say something, each text once."""
    return tuple({line.text: line for line in lines if line.text}.values())


def _lines_and_fact_ids_telling_facts(
    talk: Conversation, fact_ids: Sequence[str], is_repetition: bool = False
) -> LinesAndFactIds:
    """The lines that tell the facts of these names, except those of a later turn, and the names told. A fact that this
    turn has told, or with `is_repetition` any turn, is told as said before."""
    turn_ids, text_by_id = [turn.id for turn in talk.case.turns], talk.text_by_fact_id
    later_ids = turn_ids[turn_ids.index(talk.turn_id) + 1 :]
    names = [name for name in fact_ids if talk.case.fact_by_id(name).deferred_to_turn_id not in later_ids]
    if fact_ids and not names:
        return [talk.interviewer_line(COMES_LATER_REPLY, "a later turn says it")], []
    old_texts = {line.text for line in talk.lines if is_repetition or line.turn_id == talk.turn_id}
    new_names = [name for name in names if text_by_id[name] not in old_texts]
    texts = {name: text_by_id[name] if new_names else f"As I said: {text_by_id[name]}" for name in new_names or names}
    return [talk.interviewer_line(text, LineReason.for_requested_fact(name)) for name, text in texts.items()], names


def _fact_ids_for_permission_request(talk: Conversation, request: str) -> list[str]:
    """The ids of the facts that answer a request for permission: those on permission, else those with a word of it."""
    names, is_open, texts = _fact_ids_with_matched_phrase(talk, request), talk.turn.candidate_asks, talk.text_by_fact_id
    grants = [name for name in names if talk.case.fact_by_id(name).is_permission_reply]
    if regex_named("asks to ignore").search(request):
        return [one for one in grants if not regex_named("says yes or no").match(talk.case.fact_by_id(one).fact_text)]
    if grants or not (is_open or regex_named("asks to assume").search(request)):
        return grants
    stems = content_stems(request) if is_open else frozenset()
    has_answer = {name: listening.statement_answering_question(request, [texts[name]]) for name in names}
    return [name for name in names if has_answer[name] or stems & content_stems(texts[name])]


def _filled_reply_text(talk: Conversation, reply: str, query: str = "") -> str:
    """A reply to a `query`, with its placeholders filled in."""
    is_open, is_of_form = talk.turn.candidate_asks, reply == "{form}"
    if talk.replies_omit_question:
        reply = "{in_other_words}" if reply == EITHER_READING_TEMPLATE else listening.template_form_beside_answer(reply)
        reply = listening.template_without_question(reply) if is_open else reply
    elif not is_open and (is_of_form or reply == EITHER_IS_FINE_REPLY) and not regex_named("order word").search(query):
        # Who offers two forms of an answer, or two senses of the question, hears the question in other words; the order
        # of an answer is the candidate's choice.
        if is_of_form or regex_named("answer form").search(query):
            reply = "{form}" if talk.turn.kind in ("choice", "numeric") else "{in_other_words}"
        elif regex_named("asks what is wanted").search(query):
            reply = EITHER_READING_TEMPLATE
    changes = " ".join(talk.new_text_by_changed_fact_id.values())
    makers: dict[str, Callable[[], str]] = {
        "question": lambda: talk.last_question_text_of_turn(), "form": lambda: _answer_form_text(talk),
        "part": lambda: _time_left_text(talk), "known": lambda: _recap_text(talk),
        "setup": lambda: f"It changed in this: {changes} " if changes else "",
        "in_other_words": lambda: _question_text_in_other_words(talk, query),
        "whole": lambda: talk.last_question_text_of_turn(in_full=True),
    }  # fmt: skip
    return re.sub(r"\{(\w+)\}", lambda m: makers[m[1]]() if m[1] in makers else m[0], reply)


def _question_text_in_other_words(talk: Conversation, request: str) -> str:
    """The question in the author's other words, and a follow-up question as it is; without such words, the sentences
    that ask."""
    turn = talk.turn
    if turn.rephrasing_template:
        follows_up = talk.current_probe_and_doubt_ids or any(one == turn.id for one, _ in talk.taken_branches)
        question = talk.case.fill_committed_numbers_into_text(turn.rephrasing_template, talk.number_by_commitment)
        text = f"In other words: {question}"
        return f"{text} And within that: {talk.last_question_text_of_turn()}" if follows_up else text
    if listening.offers_two_alternatives(request):
        return _answer_form_text(talk)
    question = talk.last_question_text_of_turn()
    lead = "" if question == talk.last_question_text_of_turn(in_full=True) else "In short: "
    return f"{lead}{question} {_answer_form_text(talk)}"


def _recap_text(talk: Conversation) -> str:
    """All that is known so far, and the question in full."""
    texts = talk.texts_of_given_facts()
    if talk.number_by_commitment:
        texts.append(f"You took {', '.join(talk.case.committed_number_texts(talk.number_by_commitment))}.")
    so_far = f"So far: {' '.join(texts) or talk.case.opening_text}"
    needs_question = not (texts and talk.turn.candidate_asks)
    return f"{so_far} I asked: {talk.last_question_text_of_turn(in_full=True)}" if needs_question else so_far


def _answer_form_text(talk: Conversation) -> str:
    """The form of an answer to the turn, in words."""
    turn, kind, amounts = talk.turn, talk.turn.kind, talk.turn.required_amount_by_criterion_id
    if kind == "numeric":
        lines = (block for block in talk.current_turn_variant.prompt() if isinstance(block, NumericAnswerLine))
        unit_text = next((f" in {line.unit}" for line in lines if line.unit), "")
        return f"I want one number{unit_text}, or a calculation; another unit is fine if you write it."
    if kind == "text" and re.search(r"\bcommit to\b", turn.question_template, re.IGNORECASE):
        kind = "commitment"
    elif kind == "text" and (amounts or regex_named("asks for amount").search(talk.last_question_text_of_turn())):
        kind = "amounts"
    return ANSWER_FORM_TEXT_BY_WANTED_KIND[kind]


def _time_left_text(talk: Conversation) -> str:
    """The part of the case, its minutes that are left, and the minutes of the parts after it."""
    phases = talk.case.phases
    number, phase = next((n, p) for n, p in enumerate(phases, 1) if p.id == talk.turn.phase_id)
    later_minutes = sum(one.allowed_minutes for one in phases[number:])
    part = f"part {number} of {len(phases)}, “{phase.title}”"
    total = f"{float(phase.allowed_minutes):g}"
    later_text = f", and {float(later_minutes):g} for the parts after it" if later_minutes else ""
    ending = " This is the last question." if talk.case.next_turn_without_branch(talk.turn_id) is None else ""
    if talk.phase_seconds_left is None:
        return f"This is {part}: {total} minutes{later_text}.{ending}"
    minutes = max(1, round(talk.phase_seconds_left / 60))
    if minutes >= phase.allowed_minutes:
        return f"All {total} minutes are left for {part}{later_text}.{ending}"
    return f"About {minutes} minute{'s' * (minutes > 1)} of {total} are left for {part}{later_text}.{ending}"


MAX_PROBES_PER_TURN = 2  # probes in one turn
ARE_YOU_SURE_TEXT = "Are you sure?"
DOUBT_ID_PREFIX = "doubt "  # in front of what was doubted: a doubt is none of the two probes
WRONG_MAGNITUDE_FACTOR = Fraction(8)  # factor from which the magnitude itself is wrong
# Questions about a wrong number, by the slip that explains it; each is asked once a turn.
DOUBT_QUESTION_BY_MISTAKE_ID = {
    "twice": "Are you sure? Look for a factor of two: what comes twice, and what is only half.",
    "rounded-too-far": "One more digit, please.",
    "bits-for-bytes": "Are you sure? Look at the units: bits or bytes?",
    "far": "Are you sure? Look at its size: the powers of ten, and the units.",
    "": "Are you sure? Check it again: what do you count, and what do you divide by?",
}
DOUBT_QUESTION_BY_MISTAKE_ID["half"] = DOUBT_QUESTION_BY_MISTAKE_ID["twice"]
MAX_REPLY_WORDS_READ_WITH_PROBE = 12  # words that are read together with the probe


def score_of_turn_responses(conversation: Conversation, turn: Turn, responses: Sequence[str]) -> Score:
    """The score of the responses to a turn, in order. A criterion that was probed counts as in the last response if
    that is better; "sorry, I was wrong" takes back only criteria that the last response denies."""
    texts = [text for text in responses if text]
    variant, response = conversation.item_variant_of_turn(turn.id), turn.joined_or_last_response_text(responses)
    if turn.candidate_asks:
        return _credit_requested_facts(conversation, turn, _score_without_hypothetical_claims(variant, response))
    if turn.kind != "text" or len(texts) < 2:
        return _score_without_hypothetical_claims(variant, response)
    score, last_score = (_score_without_hypothetical_claims(variant, one) for one in (response, texts[-1]))
    last_marks = {m.criterion_id: m for m in last_score.marks}
    earlier_marks = {m.criterion_id: m for m in score_of_turn_responses(conversation, turn, texts[:-1]).marks}
    start = len(response) - len(texts[-1])
    probes = [p.removeprefix(DOUBT_ID_PREFIX) for p in conversation.probe_and_doubt_ids_by_turn_id.get(turn.id, ())]
    replied = probes[len(responses) - 2 : len(responses) - 1]
    marks = []
    for mark in score.marks:
        newest, earlier_mark = last_marks.get(mark.criterion_id, mark), earlier_marks.get(mark.criterion_id, mark)
        if mark.criterion_id in probes and newest.earned > mark.earned:
            mark = replace(newest, evidence_spans=tuple((start + a, start + b) for a, b in newest.evidence_spans))
        elif earlier_mark.earned > mark.earned and mark.possible > 0 and newest.status not in DENIED_CRITERION_STATUSES:
            mark = earlier_mark
        marks.append(_mark_of_reply_to_probe(variant, mark, texts[-1], start) if mark.criterion_id in replied else mark)
    return replace(score, marks=tuple(marks))


def _credit_requested_facts(talk: Conversation, turn: Turn, score: Score) -> Score:
    """The score with all facts that the turn told on request, also in words that no phrase of theirs has."""
    causes = {line.reason for line in talk.lines if line.turn_id == turn.id}
    told = [m for m in score.marks if m.earned < m.possible and LineReason.for_requested_fact(m.criterion_id) in causes]
    because = "asked for in other words"
    marks = (replace(m, status="found", earned=m.possible, because=because) if m in told else m for m in score.marks)
    return replace(score, marks=tuple(marks))


def _score_without_hypothetical_claims(variant: Variant, text: str, tries: int = 20) -> Score:
    """The score of a text without the claims that only name a case, at most `tries`; a text may repeat one for ever."""
    for mark in (score := variant.score(text)).marks:
        if tries and mark.status == "contradicted" and mark.evidence_spans and _is_hypothetical_claim(text, mark):
            start, end = mark.evidence_spans[0]
            text_without_claim = text[:start] + " " * (end - start) + text[end:]
            return _score_without_hypothetical_claims(variant, text_without_claim, tries - 1)
    return score


def _is_hypothetical_claim(text: str, mark: Mark) -> bool:
    """Whether the evidence of a mark only names one of several cases: "if the counts are equal, it is hardware"."""
    start = mark.evidence_spans[0][0]
    border = max(text.rfind(stop, 0, start) for stop in ".?!\n")
    names_case = regex_named("case word").search(next(iter(split_sentences(text[border + 1 :])), ""))
    return bool(names_case and regex_named("pronoun at end").search(text[border + 1 : start]))


def _mark_of_reply_to_probe(variant: Variant, mark: Mark, text: str, reply_start: int) -> Mark:
    """The mark of a short reply to a probe, read together with the words of the probe where that is better: "Which
    number changes?" "The sequence length." The reply, which begins at `reply_start`, must have words of it."""
    is_denied, is_long = (mark.status in DENIED_CRITERION_STATUSES, len(text.split()) > MAX_REPLY_WORDS_READ_WITH_PROBE)
    if mark.earned >= mark.possible or is_denied or is_long:
        return mark
    question = variant.probe_for_criterion(mark.criterion_id).rstrip("?. ")
    joint_mark = {m.criterion_id: m for m in variant.score(f"{question} {text}").marks}[mark.criterion_id]
    if joint_mark.earned <= mark.earned or all(end <= len(question) for _, end in joint_mark.evidence_spans):
        return mark
    return replace(joint_mark, evidence_spans=((reply_start, reply_start + len(text)),))


def _branch_precedes_doubt(turn: Turn, branch: Branch, score: Score, doubt: tuple[TranscriptLine, str] | None) -> bool:
    """Whether a branch that holds is taken now. A doubt comes first, except where the branch is the author's reply to
    the claim or stays in the turn; and an answer that earned nothing is asked about before a branch without words."""
    if turn.kind == "text" and branch.condition is None:
        return doubt is None and (bool(branch.interviewer_template) or score.earned > 0)
    if doubt is None or turn.kind != "text":
        return doubt is None
    return branch.stays_in_turn or doubt[0].reason not in (LineReason.WRONG_BELIEF, LineReason.AMOUNT_OFF_BY_FACTOR)


def is_condition_met(condition: BranchCondition | None, talk: Conversation, text: str, score: Score) -> bool:
    """Whether every part of a branch's condition holds; a condition of None always does."""
    if condition is None:
        return True
    met_ids = {mark.criterion_id for mark in score.marks if mark.status in FOUND_OR_HEDGED_STATUSES}
    contradicted_ids = {mark.criterion_id for mark in score.marks if mark.status in DENIED_CRITERION_STATUSES}
    numbers, given_fact_ids = dict(talk.number_by_commitment), set(talk.given_fact_ids)
    holds_for_names: dict[str, Callable[[Collection[str]], bool]] = {
        "met": met_ids.issuperset,
        "unmet": met_ids.isdisjoint,
        "contradicted": contradicted_ids.issuperset,
        "unsaid": numbers.keys().isdisjoint,
        "asked": given_fact_ids.issuperset,
        "unasked": given_fact_ids.isdisjoint,
        "outcome": lambda names: score.outcome in names,
    }
    if not all(holds_for_names[field](names) for field, names in condition.names_by_condition_kind.items()):
        return False
    tests_answer = any(not one.commitment_id for one in condition.number_tests)
    if tests_answer and (number := talk.current_turn_variant.response_in_answer_unit(text)) is not None:
        numbers[""] = number
    return all(test.is_met_by_committed_numbers(numbers) for test in condition.number_tests)


def _probe_count_left(talk: Conversation) -> int:
    """How many probes the turn may still have; doubts are none."""
    return MAX_PROBES_PER_TURN - sum(not name.startswith(DOUBT_ID_PREFIX) for name in talk.current_probe_and_doubt_ids)


def _next_probe_line_and_criterion(talk: Conversation, score: Score) -> tuple[TranscriptLine, str] | None:
    """The question on the heaviest criterion that is open and not yet probed, contradicted ones first."""
    probes = {p.removeprefix(DOUBT_ID_PREFIX) for p in talk.current_probe_and_doubt_ids}
    follow_ups = {
        mark: question
        for mark in score.marks
        if mark.possible > 0 and mark.status not in FOUND_OR_HEDGED_STATUSES and mark.criterion_id not in probes
        if (question := talk.current_turn_variant.probe_for_criterion(mark.criterion_id))
    }
    if _probe_count_left(talk) == 0 or not follow_ups:
        return None
    mark = max(follow_ups, key=lambda m: (m.status == "contradicted", m.possible - m.earned))
    question = talk.case.fill_committed_numbers_into_text(follow_ups[mark], talk.number_by_commitment)
    return talk.interviewer_line(question, _probe_reason_text(mark)), mark.criterion_id


def _doubt_lines_with_prefixed_id(talk: Conversation, text: str, score: Score) -> Iterator[tuple[TranscriptLine, str]]:
    """Yields the questions about wrong steps, each with the prefix of doubts and the name of the step: a number that
    a known slip explains or far off (no name), a rejected claim, a named misbelief, or an amount off by a factor."""
    turn, variant = talk.turn, talk.current_turn_variant

    def doubt(question: str, name: str, reason: str) -> tuple[TranscriptLine, str]:
        return talk.interviewer_line(question.rstrip(), reason), DOUBT_ID_PREFIX + name

    is_wrong = turn.kind == "numeric" and score.outcome in (Outcome.INCORRECT, Outcome.PARTIAL)
    if is_wrong and (slip := score.mistake_id or ("far" if _is_number_of_wrong_magnitude(variant, text) else "")):
        question = DOUBT_QUESTION_BY_MISTAKE_ID.get(slip, DOUBT_QUESTION_BY_MISTAKE_ID[""])
        yield doubt(question, "", "the number is wrong in a known way")
    if turn.kind != "text":
        return
    for mark in score.marks:
        is_rejected = mark.evidence_spans and (mark.earned < 0 or mark.status == "contradicted")
        if is_rejected and not _is_hypothetical_claim(text, mark):
            words = text[mark.evidence_spans[0][0] : mark.evidence_spans[-1][1]]
            probe = variant.probe_for_criterion(mark.criterion_id)
            yield doubt(f"You say “{words}”. {ARE_YOU_SURE_TEXT} {probe}", mark.criterion_id, _probe_reason_text(mark))
    for sentence in split_sentences(text) if score.mistake_id else ():
        if misbelief_id := variant.score(sentence).mistake_id:
            question = f"You say “{sentence.rstrip('.')}”. {ARE_YOU_SURE_TEXT} Why?"
            yield doubt(question, misbelief_id, LineReason.WRONG_BELIEF)
    for mark in score.marks:
        amount = conversations.wrong_amount_text_for_criterion(talk.case, turn, mark.criterion_id, text)
        if mark.status not in FOUND_OR_HEDGED_STATUSES and amount:
            probe = re.sub(r"^And .*", "Work it out once more.", variant.probe_for_criterion(mark.criterion_id))
            yield doubt(f"Are you sure about {amount}? {probe}", mark.criterion_id, LineReason.AMOUNT_OFF_BY_FACTOR)


def _is_number_of_wrong_magnitude(variant: Variant, text: str) -> bool:
    """Whether a number is of another order of magnitude than the key."""
    number = variant.response_in_answer_unit(text)
    keys = (variant.response_in_answer_unit(s.response) for s in variant.samples() if s.outcome is Outcome.CORRECT)
    key = next((k for k in keys if k), None)
    return bool(number and key and not 1 / WRONG_MAGNITUDE_FACTOR < abs(number / key) < WRONG_MAGNITUDE_FACTOR)


def _probe_reason_text(mark: Mark) -> str:
    name = mark.criterion_id.replace("-", " ")
    return {
        "contradicted": f"what you said contradicts “{name}”",
        "negated": f"you denied “{name}”",
        "partial": f"“{name}” was only half there",
    }.get(mark.status, f"“{name}” was not heard")


def branch_reason_text(branch: Branch, case: Case) -> str:
    """The condition of a branch of a case in words, for the debrief."""
    condition, labels = branch.condition, {one.id: one.label for one in case.committable_numbers}
    if condition is None:
        return "nothing else applied"
    names = defaultdict[str, tuple[str, ...]](tuple, condition.names_by_condition_kind)
    commitments = [test for test in condition.number_tests if test.commitment_id]
    answer_tests = [test for test in condition.number_tests if not test.commitment_id]
    words = {"<": "below", ">": "above"}
    forms = {"met": "you covered “{}”", "unmet": "you left out “{}”", "contradicted": "what you said contradicts “{}”"}
    parts = [
        *(form.format(name.replace("-", " ")) for field, form in forms.items() for name in names[field]),
        *(f"you said {labels[b.commitment_id]} {b.comparison_sign} {up_to_2_decimals(b.limit)}" for b in commitments),
        *(f"you gave no number for {labels[name]}" for name in names["unsaid"]),
        *map(LineReason.for_requested_fact, names["asked"]),
        *map("you never asked for “{}”".format, names["unasked"]),
        *(f"your number is {words[b.comparison_sign]} {up_to_2_decimals(b.limit)}" for b in answer_tests),
        *([f"the answer was {' or '.join(names['outcome'])}"] if names["outcome"] else []),
    ]
    return ", ".join(parts)
