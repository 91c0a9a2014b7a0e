"""The effect of a candidate's text on a conversation: `exchange_for_text` decides it. The score of a turn, and the next
question: the branch that holds, a probe of an open criterion, or a doubt about a wrong step."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from quizgen.cases.case import (
    DENIED_MARK_STATUSES,
    MET_MARK_STATUSES,
    Branch,
    BranchCondition,
    Case,
    Commitment,
    Turn,
)
from quizgen.cases.commitments import amount_text_off_by_factor, committed_numbers, is_commitment_named
from quizgen.cases.conversation import (
    KINDS_WITH_JOINED_RESPONSES,
    Conversation,
    Exchange,
    Line,
    LineRule,
    fact_request_rule,
)
from quizgen.cases.listening import intent_probabilities, normalized_text, pattern, split_sentences
from quizgen.cases.wishes import (
    Wish,
    answer_form_text,
    case_words,
    extract_option,
    is_question_for_fact,
    is_readable_as_answer,
    number_clause,
    replies_to_questions,
    replies_to_wishes,
    split_wishes_from_rest,
    tells_nothing_of_answer,
    unclear_line,
    without_repeated_lines,
)
from quizgen.model import Mark, Outcome, Score, Variant
from quizgen.source.problems import points_decimal

MAX_UNCLEAR_TEXT_WORDS = 20  # words; a longer text is always an answer
MAX_RHETORICAL_QUESTION_WORDS = 2  # of a question in front of an answer that the candidate asks to answer it
MAX_ANSWER_PROBABILITY_OF_UNCLEAR_TEXT = 0.3  # … or up to which a text that tells nothing is asked about
MIN_PROBABILITY_OF_QUESTION_TO_INTERVIEWER = 0.3  # … in front of an answer is for the interviewer
WHOLE_TURN_INTENTS = frozenset({"help", "skip", "done"})  # of wishes for the whole turn, and none beside an answer
UNREADABLE_REPLY = "I can't tell which part of that is your answer. {form}"
ALREADY_ANSWERED_TEXT = "You have answered that."
NO_HINT_REPLY = "Then begin with what is given, and commit to your best guess; or say “skip”."
INVITE_QUESTIONS_REPLY = "Ask me about sizes, loads, limits and goals, or say “skip” to begin."
SKIPPED_REPLY = "All right, we leave that one."
STATEMENT_NOTED_REPLY = "Good. What else do you want to know?"
MAX_CORRECTION_WORDS = 24  # words


def exchange_for_text(talk: Conversation, text: str, in_time: bool = True) -> Exchange:
    """The interviewer's reaction to a text. `in_time` is False if the time is over, so that no probe follows."""
    turn = talk.turn
    for read_as in (_exchange_of_insistence, _exchange_of_correction, _exchange_beside_wishes, _exchange_of_number):
        if (exchange := read_as(talk, text, in_time)) is not None:
            return exchange
    if not text.strip() and turn.candidate_asks:
        return Exchange(turn.id, "", "left", *talk.lines_and_next_turn("nothing more was asked"))
    option = extract_option(talk, text)
    if option != text:
        return replace(exchange_for_text(talk, option, in_time), text=text, response_text=option)
    if turn.candidate_asks:
        return _exchange_of_questions(talk, text, in_time)
    if turn.kind == "text" and ARE_YOU_SURE_TEXT in talk.lines[-1].text and pattern("stands by answer").match(text):
        return _response_exchange(talk, text, {}, in_time)
    if in_time and turn.kind == "text" and _may_be_no_answer(talk, text):
        return Exchange(turn.id, text, "question", (unclear_line(talk, text),), turn.id)
    values = committed_numbers(text, talk.case.commitments) or _unnamed_number(turn, text, talk.case.commitments)
    return _response_exchange(talk, text, values, in_time)


def _exchange_beside_wishes(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text with a wish: that of the rest, with the reply to the wish; None for any other text."""
    wishes, rest = split_wishes_from_rest(talk, text)
    stands = bool(talk.probes_by_turn.get(talk.turn_id)) and not rest and pattern("stands by answer").match(text)
    if not wishes or stands or (not in_time and not rest):
        return None
    if not rest:
        return _exchange_of_wishes_alone(talk, text, wishes)
    is_open = talk.turn.candidate_asks
    made = exchange_for_text(replace(talk, is_question_answered=not is_open), rest, in_time)
    is_answered = made.effect == "response"
    heard = [wish for wish in wishes if wish.intent not in WHOLE_TURN_INTENTS]
    heard = [wish for wish in heard if not (is_answered and _is_rhetorical_question(talk, wish, text))]
    # Nothing is asked again beside a question of the candidate.
    asks_on = is_open and bool(made.given_fact_ids)
    lines, facts = replies_to_wishes(replace(talk, is_question_answered=is_answered or asks_on), heard)
    asked = f"{made.response_text} {_wishes_for_facts(talk, heard, facts)}".strip()
    response, facts = asked if is_open else made.response_text or rest, (*facts, *made.given_fact_ids)
    lines = _lines_beside(made, lines, is_answered or text.startswith(wishes[0].text))
    return replace(made, text=text, response_text=response, given_fact_ids=facts, lines=lines)


def _lines_beside(made: Exchange, lines: Sequence[Line], is_wish_first: bool) -> tuple[Line, ...]:
    """The lines of an exchange together with the replies to the wishes beside it, which are first if `is_wish_first`. A
    question that is said once more is answered already."""
    if made.effect == "response" and made.next_turn_id != made.turn_id:
        answered = {line: replace(line, text=f"{line.text} {ALREADY_ANSWERED_TEXT}") for line in lines}
        lines = [answered[line] if line.text.startswith("I asked: ") else line for line in lines]
    others = [line for line in made.lines if made.effect == "response" or line.rule != LineRule.UNCLEAR or not lines]
    return without_repeated_lines((*lines, *others) if is_wish_first else (*others, *lines))


def _is_rhetorical_question(talk: Conversation, wish: Wish, text: str) -> bool:
    """Whether a wish beside an answer is a question in front that the candidate answers: "What breaks first? The
    disk." """
    brief = wish.intent != "repeat" and len(wish.text.split()) <= MAX_RHETORICAL_QUESTION_WORDS
    probability = intent_probabilities(wish.text, case_words(talk))[wish.intent]
    unsure = wish.intent == "ask" or probability < MIN_PROBABILITY_OF_QUESTION_TO_INTERVIEWER
    to_nobody = not re.search(r"\byour?\b", wish.text, re.IGNORECASE)
    return text.startswith(wish.text) and wish.text.endswith("?") and (brief or (unsure and to_nobody))


def _exchange_of_wishes_alone(talk: Conversation, text: str, wishes: Sequence[Wish]) -> Exchange:
    """The effect of a text of wishes alone."""
    turn, intents = talk.turn, {wish.intent for wish in wishes}
    if "skip" in intents:
        gone = talk.exchange_on_leaving_turn("you wanted to go on")
        return replace(gone, text=text, lines=gone.lines or (talk.line(SKIPPED_REPLY, LineRule.ASIDE),))
    if "help" in intents:
        return _help_exchange(talk, text)
    if "done" in intents and turn.candidate_asks and talk.responses_by_turn.get(turn.id):
        return replace(talk.exchange_on_leaving_turn("you had asked enough"), text=text)
    lines, facts = replies_to_wishes(talk, wishes)
    lines, asked = lines or (unclear_line(talk, text),), _wishes_for_facts(talk, wishes, facts)
    return Exchange(turn.id, text, "question", lines, turn.id, facts, response_text=asked)


def _wishes_for_facts(talk: Conversation, wishes: Sequence[Wish], facts: Sequence[str]) -> str:
    """The words of the wishes, if they drew new facts."""
    return " ".join(wish.text for wish in wishes) if set(facts) - set(talk.given_fact_ids) else ""


def _exchange_of_questions(talk: Conversation, text: str, in_time: bool) -> Exchange:
    """The effect of questions in a turn in which the candidate asks."""
    asked = " ".join(one for one in split_sentences(text) if is_question_for_fact(talk, one))
    lines, facts = replies_to_questions(talk, asked)
    lines = lines or (talk.line(STATEMENT_NOTED_REPLY, LineRule.ASIDE),)
    parting, to = ((), talk.turn_id) if in_time else talk.lines_and_next_turn(LineRule.TIME_OVER, is_phase_over=True)
    numbers = committed_numbers(text, talk.case.commitments)
    return Exchange(talk.turn_id, text, "question", (*lines, *parting), to, facts, numbers, response_text=asked)


def _may_be_no_answer(talk: Conversation, text: str) -> bool:
    """Whether a short text tells nothing and may be no answer: it has no number, begins with no yes or no, and does not
    follow a text that was asked about."""
    return not (
        re.search(r"\d", text)
        or pattern("yes or denial").search(text)
        or pattern("as i said").search(text)
        or talk.lines[-1].rule == LineRule.UNCLEAR
        or len(text.split()) > MAX_UNCLEAR_TEXT_WORDS
        or talk.probes_by_turn.get(talk.turn_id)
    ) and tells_nothing_of_answer(talk, text, MAX_ANSWER_PROBABILITY_OF_UNCLEAR_TEXT)


def _exchange_of_number(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text in a numeric turn that insists on a doubted number, or gives one in a clause; None for any
    other text."""
    if talk.turn.kind != "numeric":
        return None
    doubted = bool(talk.probes_by_turn.get(talk.turn_id))
    if doubted and pattern("stands by answer").match(text) and talk.variant.number_in(text) is None:
        lines, to = talk.lines_and_next_turn("you stand by it", is_phase_over=not in_time)
        return Exchange(talk.turn_id, text, "left", lines, to)
    clause = "" if is_readable_as_answer(talk, text) else number_clause(talk, text)
    if clause in ("", text.strip()):
        return None
    return replace(exchange_for_text(talk, clause, in_time), text=text, response_text=clause)


def _exchange_of_correction(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of the correction of a noted number ("No, I said TP = 4"), which is no answer, but may precede one;
    None for any other text."""
    plain = pattern("as i said").sub("", normalized_text(text))
    may_correct = bool(talk.number_by_commitment) and in_time and not talk.turn.candidate_asks
    if not may_correct or not pattern("correction").search(plain):
        return None
    first, *others = split_sentences(text) or [text]
    made = _correction_exchange(talk, first) if others else None
    if made is not None and (corrected := made.number_by_commitment):
        rest = " ".join(others)
        then = exchange_for_text(replace(talk, number_by_commitment={**talk.number_by_commitment, **corrected}), rest)
        if then.effect == "response":
            numbers, lines = {**corrected, **then.number_by_commitment}, (_misheard_line(talk, corrected), *then.lines)
            response = then.response_text or rest
            return replace(then, text=text, response_text=response, lines=lines, number_by_commitment=numbers)
    return _correction_exchange(talk, text)


def _correction_exchange(talk: Conversation, text: str) -> Exchange | None:
    """The effect of a text that corrects noted numbers and is no answer; None for any other text."""
    noted = [one for one in talk.case.commitments if one.id in talk.number_by_commitment]
    named_ids = {one.id for one in talk.case.commitments if is_commitment_named(one, text)}
    named = [one for one in noted if one.id in named_ids]
    values = committed_numbers(text, noted)
    bare = pattern("last count").search(text)
    if bare and not values and len(noted) == 1 and named_ids <= {noted[0].id} and not pattern("denial").search(text):
        values = committed_numbers(f"{noted[0].spoken_names[0].rstrip('*')} = {bare[1]}", noted)
        named = noted
    long = len(text.split()) > MAX_CORRECTION_WORDS
    if long or not named or (talk.turn.kind == "text" and talk.variant.score(text).earned > 0):
        return None
    line = talk.line(f"Sorry, then I misheard. Which {named[0].label} do you take?", LineRule.ASIDE)
    if values:
        line = _misheard_line(talk, values)
        if not talk.is_number_in_question(values):
            line = replace(line, text=f"{line.text} Back to the question: {talk.question_text()}")
    return Exchange(talk.turn_id, text, "question", (line,), talk.turn_id, (), values)


def _misheard_line(talk: Conversation, number_by_commitment: Mapping[str, Fraction]) -> Line:
    texts = talk.case.number_texts(number_by_commitment)
    return talk.line(f"Sorry, I misheard: {', '.join(texts)}.", LineRule.CORRECTION)


def _help_exchange(talk: Conversation, text: str) -> Exchange:
    """The effect of a text whose candidate does not know: a question on the heaviest open criterion, as a probe;
    without one, a request for a guess, once."""
    turn = talk.turn
    hint = talk.line(INVITE_QUESTIONS_REPLY if turn.candidate_asks else NO_HINT_REPLY, LineRule.ASIDE)
    probe = probe_line_and_criterion(talk, talk.variant.score(talk.response_to_turn(turn.id)))
    if probe is None and (hint in talk.lines or probe_count_left(talk) == 0):
        return replace(talk.exchange_on_leaving_turn("you did not know"), text=text)
    line, criterion = probe or (hint, "")
    if probe is not None:
        line = replace(line, text=f"Then a hint: {line.text}")
    return Exchange(turn.id, text, "question", (line,), turn.id, probe_criterion=criterion)


def _unnamed_number(turn: Turn, text: str, commitments: Sequence[Commitment]) -> dict[str, Fraction]:
    """The number of a short text without a name ("about 30 minutes"), or of a last clause that says the result ("…, so
    every 30 minutes"), if a branch waits for exactly one number."""
    awaited = {name for branch in turn.branches if branch.condition for name in branch.condition.missing_commitment_ids}
    one = next((c for c in commitments if awaited == {c.id}), None)
    if one is None:
        return {}
    result = pattern("result clause").search(text)
    readings = (
        committed_numbers(f"{one.spoken_names[0].rstrip('*')} = {' '.join(words[n:])}", (one,))
        for words in ((result[1] if result else "").split(), text.split())
        if len(words) <= 6
        for n in range(len(words))
    )
    return next((values for values in readings if values), {})


def _exchange_of_insistence(talk: Conversation, text: str, in_time: bool) -> Exchange | None:
    """The effect of "that is my answer" on a text that was not taken for one; None for any other text."""
    if talk.lines[-1].rule != LineRule.UNCLEAR or not pattern("insists").match(text):
        return None
    earlier = next(line.text for line in reversed(talk.lines) if line.speaker == "candidate")
    return replace(_response_exchange(talk, earlier, {}, in_time), text=text, response_text=earlier)


def _response_exchange(talk: Conversation, text: str, values: Mapping[str, Fraction], in_time: bool) -> Exchange:
    """The effect of an answer, with the numbers that it commits to: a branch, a doubt, a probe, or the next turn."""
    turn, case = talk.turn, talk.case
    before = talk.responses_by_turn.get(turn.id, ()) if turn.kind in KINDS_WITH_JOINED_RESPONSES else ()
    whole = "\n\n".join(filter(None, (*before, text)))
    score = score_of_responses(talk, turn, (*before, text))
    if score.outcome is Outcome.UNREADABLE and in_time:
        return _unreadable_exchange(talk, text, score)
    known = {**talk.number_by_commitment, **values}
    new = {name: number for name, number in values.items() if talk.number_by_commitment.get(name) != number}
    noted = (talk.line(f"I note {', '.join(case.number_texts(new))}.", LineRule.NOTED),) if new else ()
    if not in_time:
        lines, to = talk.lines_and_next_turn(LineRule.TIME_OVER, is_phase_over=True)
        return Exchange(turn.id, text, "response", (*noted, *lines), to, (), values)
    doubted = talk.probes_by_turn.get(turn.id, ())
    doubt = next((one for one in _doubts(talk, whole, score) if one[1] not in doubted), None)
    free = [(n, one) for n, one in enumerate(turn.branches) if (turn.id, n) not in talk.taken_branches]
    informed = replace(talk, number_by_commitment=known)
    number, branch = next(
        (one for one in free if is_condition_met(one[1].condition, informed, whole, score)), (-1, None)
    )
    if branch is not None and _is_branch_taken(turn, branch, score, doubt):
        say = branch.interviewer_text
        spoken = (talk.line(case.fill_numbers(say, known), branch_rule_text(branch, case)),) if say else ()
        lines, to = ((), turn.id) if branch.stays_in_turn else talk.lines_and_next_turn("", branch.next_turn_id)
        values = {**values, **committed_numbers(say, case.commitments)}  # "Take TP = 8 from here on"
        return Exchange(turn.id, text, "response", (*noted, *spoken, *lines), to, (), values, taken_branch_index=number)
    if (probe := doubt or probe_line_and_criterion(talk, score)) is not None:
        return Exchange(turn.id, text, "response", (*noted, probe[0]), turn.id, (), values, probe[1])
    lines, to = talk.lines_and_next_turn("")
    return Exchange(turn.id, text, "response", (*noted, *lines), to, (), values)


def _unreadable_exchange(talk: Conversation, text: str, score: Score) -> Exchange:
    """The effect of a text that cannot be read as a number or an option: it is no answer, or one to be put anew."""
    if _may_be_no_answer(talk, text):
        return Exchange(talk.turn_id, text, "question", (unclear_line(talk, text),), talk.turn_id)
    remarks = " ".join(score.remarks)
    because = f"I can't read that as an answer: {remarks}." if len(text.split()) < 4 else UNREADABLE_REPLY
    how = because.format(form=answer_form_text(talk)).replace("..", ".")
    return Exchange(talk.turn_id, text, "unreadable", (talk.line(how, LineRule.UNREADABLE),), talk.turn_id)


MAX_PROBES_PER_TURN = 2  # probes in one turn
ARE_YOU_SURE_TEXT = "Are you sure?"
CHECK_AGAIN_TEXT = "Work it out once more."
DOUBT_PREFIX = "doubt "  # in front of what was doubted, in place of a criterion: a doubt is none of the two probes
# Questions about a wrong number, by the slip that explains it; each is asked once a turn.
FAR_OFF_FACTOR = Fraction(8)  # factor from which the magnitude itself is wrong
DOUBT_QUESTION_BY_SLIP = {
    "twice": "Are you sure? Look for a factor of two: what comes twice, and what is only half.",
    "rounded-too-far": "One more digit, please.",
    "bits-for-bytes": "Are you sure? Look at the units: bits or bytes?",
    "far": "Are you sure? Look at its size: the powers of ten, and the units.",
    "": "Are you sure? Check it again: what do you count, and what do you divide by?",
}
DOUBT_QUESTION_BY_SLIP["half"] = DOUBT_QUESTION_BY_SLIP["twice"]
MAX_PROBE_REPLY_WORDS = 12  # words that are read together with the probe


def score_of_responses(conversation: Conversation, turn: Turn, responses: Sequence[str]) -> Score:
    """The score of the responses to a turn, in order. A criterion that was probed counts as in the last response if
    that is better; "sorry, I was wrong" takes back only criteria that the last response denies."""
    given = [text for text in responses if text]
    variant, whole = conversation.variant_of_turn(turn.id), "\n\n".join(given)
    if turn.candidate_asks:
        return _score_with_given_facts(conversation, turn, _score_without_hypothetical_claims(variant, whole))
    if turn.kind != "text" or len(given) < 2:
        return _score_without_hypothetical_claims(variant, "".join(given[-1:]))
    score, last_score = (_score_without_hypothetical_claims(variant, one) for one in (whole, given[-1]))
    last = {m.criterion: m for m in last_score.marks}
    earlier = {m.criterion: m for m in score_of_responses(conversation, turn, given[:-1]).marks}
    start = len(whole) - len(given[-1])
    asked = [name.removeprefix(DOUBT_PREFIX) for name in conversation.probes_by_turn.get(turn.id, ())]
    answered = asked[len(responses) - 2 : len(responses) - 1]
    marks = []
    for mark in score.marks:
        newest, before = last.get(mark.criterion, mark), earlier.get(mark.criterion, mark)
        if mark.criterion in asked and newest.earned > mark.earned:
            mark = replace(newest, evidence_spans=tuple((start + a, start + b) for a, b in newest.evidence_spans))
        elif before.earned > mark.earned and mark.possible > 0 and newest.status not in DENIED_MARK_STATUSES:
            mark = before
        marks.append(_mark_of_reply_to_probe(variant, mark, given[-1], start) if mark.criterion in answered else mark)
    return replace(score, marks=tuple(marks))


def _score_with_given_facts(talk: Conversation, turn: Turn, score: Score) -> Score:
    """The score with all facts that the turn told on request, also in words that no phrase of theirs has."""
    rules = {line.rule for line in talk.lines if line.turn_id == turn.id}
    told = {m.criterion for m in score.marks if m.earned < m.possible and fact_request_rule(m.criterion) in rules}
    found = (replace(m, status="found", earned=m.possible) if m.criterion in told else m for m in score.marks)
    return replace(score, marks=tuple(found))


def _score_without_hypothetical_claims(variant: Variant, text: str) -> Score:
    """The score of a text without the claims that only name a case."""
    for mark in (score := variant.score(text)).marks:
        if mark.status == "contradicted" and mark.evidence_spans and _is_hypothetical_claim(text, mark):
            start, end = mark.evidence_spans[0]
            return _score_without_hypothetical_claims(variant, text[:start] + " " * (end - start) + text[end:])
    return score


def _is_hypothetical_claim(text: str, mark: Mark) -> bool:
    """Whether the evidence of a mark only names one of several cases: "if the counts are equal, it is hardware"."""
    start = mark.evidence_spans[0][0]
    before = max(text.rfind(stop, 0, start) for stop in ".?!\n")
    sentence = split_sentences(text[before + 1 :])[0] if before < start else ""
    return bool(pattern("case word").search(sentence) and pattern("pronoun at end").search(text[before + 1 : start]))


def _mark_of_reply_to_probe(variant: Variant, mark: Mark, text: str, reply_start: int) -> Mark:
    """The mark of a short reply to a probe, read together with the words of the probe where that is better: "Which
    number changes?" "The sequence length." The reply, which begins at `reply_start`, must have words of it."""
    if mark.earned >= mark.possible or mark.status in DENIED_MARK_STATUSES or len(text.split()) > MAX_PROBE_REPLY_WORDS:
        return mark
    asked = variant.follow_up_to(mark.criterion).rstrip("?. ")
    read = {m.criterion: m for m in variant.score(f"{asked} {text}").marks}[mark.criterion]
    is_reply_heard = any(end > len(asked) for _, end in read.evidence_spans)
    whole_reply = ((reply_start, reply_start + len(text)),)
    return replace(read, evidence_spans=whole_reply) if is_reply_heard and read.earned > mark.earned else mark


def _is_branch_taken(turn: Turn, branch: Branch, score: Score, doubt: tuple[Line, str] | None) -> bool:
    """Whether a branch that holds is taken now. A doubt comes first, except where the branch is the author's reply to
    the claim or stays in the turn; and an answer that earned nothing is asked about before a silent way on."""
    if turn.kind == "text" and branch.condition is None:
        return doubt is None and (bool(branch.interviewer_text) or score.earned > 0)
    if doubt is None or turn.kind != "text":
        return doubt is None
    return branch.stays_in_turn or doubt[0].rule not in (LineRule.WRONG_BELIEF, LineRule.AMOUNT_OFF)


def is_condition_met(condition: BranchCondition | None, talk: Conversation, text: str, score: Score) -> bool:
    """Whether every part of a branch's condition holds; a condition of None always does."""
    if condition is None:
        return True
    numbers, given_fact_ids = talk.number_by_commitment, set(talk.given_fact_ids)
    met = {mark.criterion for mark in score.marks if mark.status in MET_MARK_STATUSES}
    contradicted = {mark.criterion for mark in score.marks if mark.status in DENIED_MARK_STATUSES}
    parts_hold = (
        met.issuperset(condition.met_criteria),
        met.isdisjoint(condition.unmet_criteria),
        contradicted.issuperset(condition.contradicted_criteria),
        all(bound.is_met_by(numbers) for bound in condition.bounds),
        numbers.keys().isdisjoint(condition.missing_commitment_ids),
        given_fact_ids.issuperset(condition.requested_fact_ids),
        given_fact_ids.isdisjoint(condition.unrequested_fact_ids),
        not condition.outcomes or score.outcome in condition.outcomes,
    )
    below, above = condition.exclusive_max_number, condition.exclusive_min_number
    if not all(parts_hold) or (below is None and above is None):
        return all(parts_hold)
    number = talk.variant.number_in(text)
    return number is not None and (below is None or number < below) and (above is None or number > above)


def probe_count_left(talk: Conversation) -> int:
    """How many probes the turn may still have; doubts are none."""
    probes = talk.probes_by_turn.get(talk.turn_id, ())
    return MAX_PROBES_PER_TURN - sum(not name.startswith(DOUBT_PREFIX) for name in probes)


def probe_line_and_criterion(talk: Conversation, score: Score) -> tuple[Line, str] | None:
    """The question on the heaviest criterion that is open and not yet probed, contradicted ones first."""
    before = {name.removeprefix(DOUBT_PREFIX) for name in talk.probes_by_turn.get(talk.turn_id, ())}
    follow_ups = {
        mark: question
        for mark in score.marks
        if mark.possible > 0 and mark.status not in MET_MARK_STATUSES and mark.criterion not in before
        if (question := talk.variant.follow_up_to(mark.criterion))
    }
    if probe_count_left(talk) == 0 or not follow_ups:
        return None
    mark = max(follow_ups, key=lambda m: (m.status == "contradicted", m.possible - m.earned))
    question = talk.case.fill_numbers(follow_ups[mark], talk.number_by_commitment)
    return talk.line(question, _open_criterion_rule(mark)), mark.criterion


def _doubts(talk: Conversation, text: str, score: Score) -> Iterator[tuple[Line, str]]:
    """Yields the questions about wrong steps, each with DOUBT_PREFIX and the name of the step: a number explained by a
    known slip or far off (no name), a rejected claim, a named misconception, or an amount that is off by a factor."""
    turn, variant = talk.turn, talk.variant

    def doubt(question: str, name: str, rule: str) -> tuple[Line, str]:
        return talk.line(question.rstrip(), rule), DOUBT_PREFIX + name

    if turn.kind == "numeric" and score.outcome in (Outcome.INCORRECT, Outcome.PARTIAL):
        slip = score.mistake_id or ("far" if _is_far_from_key(variant, text) else None)
        if slip:
            question = DOUBT_QUESTION_BY_SLIP.get(slip, DOUBT_QUESTION_BY_SLIP[""])
            yield doubt(question, "", "the number is wrong in a known way")
    if turn.kind != "text":
        return
    for mark in score.marks:
        rejected = mark.evidence_spans and (mark.earned < 0 or mark.status == "contradicted")
        if rejected and not _is_hypothetical_claim(text, mark):
            words = text[mark.evidence_spans[0][0] : mark.evidence_spans[-1][1]]
            probe = variant.follow_up_to(mark.criterion)
            yield doubt(f"You say “{words}”. {ARE_YOU_SURE_TEXT} {probe}", mark.criterion, _open_criterion_rule(mark))
    for sentence in split_sentences(text) if score.mistake_id else ():
        if believed := variant.score(sentence).mistake_id:
            question = f"You say “{sentence.rstrip('.')}”. {ARE_YOU_SURE_TEXT} Why?"
            yield doubt(question, believed, LineRule.WRONG_BELIEF)
    for mark in score.marks:
        if mark.status not in MET_MARK_STATUSES and (wrong := wrong_amount_text(talk.case, turn, mark.criterion, text)):
            probe = re.sub(r"^And .*", CHECK_AGAIN_TEXT, variant.follow_up_to(mark.criterion))
            yield doubt(f"Are you sure about {wrong}? {probe}", mark.criterion, LineRule.AMOUNT_OFF)


def wrong_amount_text(case: Case, turn: Turn, criterion: str, text: str) -> str:
    """The first amount in a text that is off by a factor from the one that a criterion of the turn requires; empty if
    there is none. Amounts of other criteria, and those of the question and the facts, are not wrong."""
    others = [right for name, right in turn.amount_by_criterion.items() if name != criterion]
    statements = (*turn.text_by_changed_fact.values(), *(fact.statement for fact in case.facts))
    given = " ".join((case.opening, turn.question, *statements))
    return amount_text_off_by_factor(text, turn.amount_by_criterion.get(criterion), others, given)


def _is_far_from_key(variant: Variant, text: str) -> bool:
    """Whether a number is of another order of magnitude than the key."""
    given = variant.number_in(text)
    keys = (variant.number_in(sample.response) for sample in variant.samples() if sample.outcome is Outcome.CORRECT)
    key = next((k for k in keys if k), None)
    return bool(given and key and not 1 / FAR_OFF_FACTOR < abs(given / key) < FAR_OFF_FACTOR)


def _open_criterion_rule(mark: Mark) -> str:
    name = mark.criterion.replace("-", " ")
    return {
        "contradicted": f"what you said contradicts “{name}”",
        "negated": f"you denied “{name}”",
        "partial": f"“{name}” was only half there",
    }.get(mark.status, f"“{name}” was not heard")


def branch_rule_text(branch: Branch, case: Case) -> str:
    """The rule of a branch of a case in words, for the debrief."""
    c, labels = branch.condition, {one.id: one.label for one in case.commitments}
    if c is None:
        return "nothing else applied"
    parts = [
        *(f"you covered “{n.replace('-', ' ')}”" for n in c.met_criteria),
        *(f"you left out “{n.replace('-', ' ')}”" for n in c.unmet_criteria),
        *(f"what you said contradicts “{n.replace('-', ' ')}”" for n in c.contradicted_criteria),
        *(f"you said {labels[b.commitment_id]} {b.relation} {points_decimal(b.number)}" for b in c.bounds),
        *(f"you gave no number for {labels[n]}" for n in c.missing_commitment_ids),
        *(fact_request_rule(n) for n in c.requested_fact_ids),
        *(f"you never asked for “{n}”" for n in c.unrequested_fact_ids),
        f"your number is below {c.exclusive_max_number}" if c.exclusive_max_number is not None else "",
        f"your number is above {c.exclusive_min_number}" if c.exclusive_min_number is not None else "",
        f"the answer was {' or '.join(c.outcomes)}" if c.outcomes else "",
    ]
    return ", ".join(filter(None, parts))
