"""A conversation as a value: everything said, its current turn, and the rules for the interviewer's next words.

`answer` decides the effect of a candidate's text, as an `Exchange`; `conversation_after` is what follows it. A log
contains the exchanges, so that a resumed conversation takes the same way even if a rubric has changed since."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache

from quizgen.answer_areas import Blank
from quizgen.cases.case import OPEN, Branch, BranchCondition, Case, Commitment, Turn
from quizgen.cases.commitments import amount_off_by_factor, committed_numbers, is_named
from quizgen.cases.intent import MAX_ANSWER_SHARE, CaseWords, intent_shares
from quizgen.cases.listening import (
    AS_SAID,
    GENERIC_WORDS,
    YOUR_CHOICE_REPLY,
    answer_clause,
    asks_surely,
    clarification_reply,
    content_stems,
    is_two_sided,
    permission_reply,
    phrase_pattern,
    plain_words,
    split_sentences,
    thing_asked_about,
    word_meant,
)
from quizgen.cases.recall import (
    answer_in_statements,
    best_statement,
    fact_fits,
    has_number,
    wants_all,
    wants_opening,
)
from quizgen.cases.remarks import (
    EITHER_REPLY,
    FORM_REPLY,
    IN_OTHER_WORDS_REPLY,
    LIKENESS_SLIGHT,
    nearest_remark,
    remarks,
    reply_beside_answer,
    without_question,
)
from quizgen.draw import SeededRng
from quizgen.model import Item, Mark, Outcome, Score, Variant
from quizgen.source.problems import points_decimal

MAX_SHORT_WORDS = 20  # words; a longer text is always an answer
MAX_BRIEF_REPLY_WORDS = 3  # words; such a statement may answer anything
MAX_OWN_WORDS = 2  # of a question in front of an answer that the candidate asks to answer it
# The share of an answer, by its words, up to which a sentence is a wish (`MAX_ANSWER_SHARE` for a statement) …
MAX_TELLING_SHARE = 0.06  # … if it earns points or can be read as the number
MAX_BRIEF_SHARE = 0.15  # … if it is a brief statement
MAX_ASKING_SHARE = 0.5  # … if it is a question
MAX_SILENT_SHARE = 0.8  # … if it stands beside a wish and tells nothing
MAX_DOUBTFUL_SHARE = 0.3  # … or up to which a text that tells nothing is asked about
# Shares of an intent from which a sentence …
MIN_WISH_SHARE = 0.4  # … is a wish where the candidate asks
SURE_WISH_SHARE = 0.6  # … is another wish than its neighbour
MIN_OWN_SHARE = 0.3  # … in front of an answer is for the interviewer
MIN_EITHER_SHARE = 0.05  # … may want the question or a fact once more, as its words decide
MIN_ASK_SHARE = 0.1  # … that meets the phrase of a fact asks for it
MIN_FACT_FIT = 0.25  # `fact_fits` of the fact that is wanted once more
MIN_NEW_FACT_FIT = 0.6  # `fact_fits` of a fact that no phrase of its own asks for
# "You lost me; could you put it in fewer words?" is one wish.
ALIKE_INTENTS = ({"repeat", "form"}, {"meaning", "ask"})
WHOLE_TURN_INTENTS = frozenset({"help", "skip", "done"})  # of wishes for the whole turn, and none beside an answer
NON_WISH_INTENTS = frozenset({"answer", "ask"})  # intents of what is no wish where the candidate asks
MAX_PROBES_PER_TURN = 2  # probes in one turn
ACCUMULATING_TURN_KINDS = (OPEN, "text")  # their responses add up; in others a response replaces the previous one
ARE_YOU_SURE = "Are you sure?"
CHECK_IT = "Work it out once more."
DOUBT_RULES_BESIDE_BRANCHES = (
    "a wrong belief",
    "an amount is off by two or by a power of ten",
)  # rules of doubts about what no branch is about
DOUBT_PREFIX = "doubt "  # in front of what was doubted, in place of a criterion: a doubt is none of the two probes
TIME_OVER_RULE = "the time is over"
NO_FIGURE_REPLY = "I have no figure for that: assume one, and say it."
UNKNOWN_REPLY = "I leave that open: assume something sensible, and say what you assume."
NOT_FIXED_REPLY = "Nothing is fixed about {thing}: assume something sensible, and say so."
OF_WHAT_REPLY = "Of which? Say the thing by its name, and I tell you what I have."
FINE_REPLY = "That is fine."
LATER_REPLY = "We will come to that. Go on without it for now."
UNCLEAR_REPLY = "I can't tell what you mean by that. Back to the question: {question} {form}"
UNREADABLE_REPLY = "I can't tell which part of that is your answer. {form}"
EITHER_OF_TASK_REPLY = "{in_other_words} What that leaves open, you choose."
TAKEN = "You have answered that."
IS_THAT_IT_REPLY = "Is that your answer? If so, say “yes”. The question was: {question}"
NO_HINT_REPLY = "Then begin with what is given, and commit to your best guess; or say “skip”."
ASK_ON_REPLY = "Ask me about sizes, loads, limits and goals, or say “skip” to begin."
ANSWER_FORM_BY_KIND = {  # kind of turn -> the form of an answer
    OPEN: "Ask me whatever you need to know.",
    "choice": "I want one of the options: its letter will do, with a reason if you like.",
    "text": "I want a few sentences: what you would do or say, and why.",
    "commitment": "I want both: in a few sentences what you would do, and the number that you commit to.",
    "amounts": "I want the numbers with their units, and in a few sentences how you come to them.",
}  # fmt: skip
SKIPPED_REPLY = "All right, we leave that one."
NOTED_REPLY = "Good. What else do you want to know?"
MEANING_RULE = "you asked what a word means"
REPEAT_RULE = "you asked to hear it again"
ASIDE_RULE = "no answer"  # the reason for a reply to talk about the talk, which a repetition of the question leaves out
UNREADABLE_RULE = "unreadable"  # the reason for a reply to a number that cannot be read
NO_ANSWER = "neither an answer nor a question"
GUESS_RULE = "a guess that earns nothing"
NO_FACT_RULE = "no fact of the case is asked for"  # the reason for UNKNOWN_REPLY, which a repetition leaves out too
EARLIER_RULE = "it was said before"
NOTED_RULE = "you committed to numbers"
NO_QUESTION_RULES = {NO_FACT_RULE, UNREADABLE_RULE, NO_ANSWER, GUESS_RULE, REPEAT_RULE, MEANING_RULE, EARLIER_RULE}
# A hedged statement meets a criterion too: a careful diagnosis is often hedged, and rightly.
MET_STATUSES = frozenset({"found", "hedged"})
DENIED_STATUSES = frozenset({"contradicted", "negated"})
# Questions about a wrong number, by the slip that explains it; each is asked once a turn.
FAR_FACTOR = Fraction(8)  # factor from which the magnitude itself is wrong
DOUBT_QUESTION_BY_SLIP = {
    "twice": "Are you sure? Look for a factor of two: what comes twice, and what is only half.",
    "rounded-too-far": "One more digit, please.",
    "bits-for-bytes": "Are you sure? Look at the units: bits or bytes?",
    "far": "Are you sure? Look at its size: the powers of ten, and the units.",
    "": "Are you sure? Check it again: what do you count, and what do you divide by?",
}
DOUBT_QUESTION_BY_SLIP["half"] = DOUBT_QUESTION_BY_SLIP["twice"]
_HOW_MANY = re.compile(
    r"\b(how (?:many|much)) ((?:(?!(?:do|does|did|is|are|was|were|can|will|has|have|per|an?|the|of|in)\b)\w+\W*){1,3})",
    re.IGNORECASE,
)
# Questions for a number or a measured fact of the system.
_AMOUNT = re.compile(
    r"\bhow (?:many|much|often|large|big|fast)\b|\b(?:figure|number|rate|size|budget|measured)\b", re.IGNORECASE
)
_THEM = re.compile(r"\b(?:it|they|them|those|these|that|this|one)\b", re.IGNORECASE)
_ASKS_TO_IGNORE = re.compile(r"\b(?:ignor|neglect|leav|skip|disregard)", re.IGNORECASE)  # starts what is left out
# "I think it's C", "I'd go for A, an atomic step", "Option B".
_LETTER = re.compile(
    r"\W*(?i:(?:i(?:['’]d| would)?|so|well|then|hm+|ok(?:ay)?|think|guess|say|go|for|with|take|pick|choose|the|answer"
    r"|option|is|must be|it(?:['’]s| is)|that(?:['’]s| is)|probably|maybe)\b\W*)+\b([A-D](?=\W|$)|[a-d](?=\W*$|,))"
)
# "You noted that wrong: I chose 4", "I never said TP = 8": about a number that was noted, and no answer.
_CORRECTS = phrase_pattern(
    """i never|didn't|not|haven't say|said|choose|chose|chosen|take|took|pick|picked|commit*|mean|meant, i
    said|chose|picked|took|meant|committed|settled to?|on?, you|you've note*|wrote|written|got|have|heard ...
    wrong|wrongly|mistaken|incorrect*, not what i said|chose|picked, misheard, i had? said|chosen"""
)
MAX_PROBE_REPLY_WORDS = 12  # words that are read together with the probe
MAX_CORRECTION_WORDS = 24  # words
CORRECTION_RULE = "you corrected a number"
_LAST_COUNT = re.compile(
    r".*(?<![\d.,])\b(\d+(?![.,]?\d)|one|two|four|eight|sixteen)\b(?!\s*(?:[a-z]*/|%))", re.IGNORECASE
)
_DENIES = re.compile(r"\b(?:never|not|\w+n['’]t)\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:i (?:would )?(?:suppose|guess|think|believe|mean)|i['’]d (?:say|guess)|not sure)\b|,? and so on\b",
    re.IGNORECASE,
)
# Asks what the interviewer wants: "are you after the cause or the cure", "how many actions did you want".
_WANTED = re.compile(
    r"\b(?:are|were) you (?:after|looking for|hoping for|expecting|asking|interested in)\b"
    r"|\b(?:do|did|would|should|you['’]d) you (?:want|expect|need|care|like|prefer)\b"
    r"|\bdo(?:es)? (?:that|it|this) (?:ask|cover|include)\b|\bis (?:that|it|this) (?:about|for)\b"
    r"|\byou(?:['’]d)? (?:want|expect|care about)\b",
    re.IGNORECASE,
)
_ASKS_TO_ASSUME = re.compile(
    r"\b(?:assum|suppos|presum|pretend|treat|tak(?:e|ing)|count on|rely|lean on|right that|lose)", re.IGNORECASE
)
_BACK_TO_IT = re.compile(r",? (?:but )?any(?:way|how)[,:] +(?=\w)", re.IGNORECASE)  # "…, anyway: how many are there?"
# "Is it okay if I sketch, and how many questions are still to come?"
_WISH_BORDER = re.compile(
    r"[,;] (?:and|but|also|plus)(?: also)? "
    r"(?=(?:what|which|how|is|are|can|could|may|shall|would|should|mind)\b[^.!]*\?)",
    re.IGNORECASE,
)
_NEXT_QUESTION = re.compile(
    r",\s+(?:and |or )?(?=(?:what|which|how|who|when|where|can|may|must|do|does|is|are)\b)", re.IGNORECASE
)
_OF_UNASKED = re.compile(r"\b(?:not ask|n['’]t ask|the rest|(?:what|anything|all) else|never asked)\b", re.IGNORECASE)
# ", so every 30 minutes." at the end of a calculation.
_RESULT_CLAUSE = re.compile(
    r"[,;.:]\s+((?:so|thus|hence|therefore|i['’]d say|let['’]s say|say|that is|right)\b[^,;:]*?)\.?$"
)
_YES_OR_DENIAL = re.compile(
    r"(?:^|[.!?;]\s)\W*(?:yes|no|yeah|nope|nothing|none|nobody|never(?! mind))\b", re.IGNORECASE
)
# Which of two goes first, and which of two forms an answer should have: "a figure, or the route to it?".
_ORDER = re.compile(r"\b(?:first|start|starting|begin|order|open|prefer|whichever|rather)\b", re.IGNORECASE)
_MANNER = re.compile(r"\b(?:want me to|rather i|prefer i)\b", re.IGNORECASE)  # "do you want me to name products?"
_FORMS = re.compile(
    r"\b(?:figure|number|sum|calculation|estimate|result|amount|idea|list|bullet|prose|sentence|word|plan|sketch|diagram|route|way|reason"
    r"|working|derivation|explanation|story|text|essay|outline|overview|architecture|choice|decision|recommendation|list)(?:s|es)?\b",
    re.IGNORECASE,
)
# "If the counts are equal, it is hardware": names a case, which is no belief.
_CASES = re.compile(r"\b(?:if|when|whether|unless|either)\b", re.IGNORECASE)
_NAMES_IT = re.compile(r"\b(?:it|that|this)\W+(?:(?:then|probably|more|most|likely|rather)\W+)*$", re.IGNORECASE)
_REASON = re.compile(
    r"^\W*(?:i(?:['’]d (?:say|go for|take)| (?:think|guess|take))|so|well)\b\W*"
    r"|\W+(?:i (?:think|guess|believe|suppose|would say)|i['’]d say|because|since|as|probably)\b.*$",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"\W*(?:yes|yeah|yep|sure|i(?:['’]m| am) sure|i think so|it stands|no change|pretty sure)\b", re.IGNORECASE
)
_INSISTS = re.compile(r"\W*(?:(?:yes|yeah|yep|it is|that['’]s it)\b|.*\b(?:is|was|['’]s) my answer\b)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the conversation. `rule` is the rule by which the interviewer said it; empty for the candidate."""

    speaker: str  # "interviewer" or "candidate"
    text: str
    turn_id: str
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Exchange:
    """A candidate's text and its effect.

    `effect` is question, response, unreadable or left. `next_turn` is the next turn (the same: it continues; empty:
    the case is over). `probe` is the criterion of the interviewer's follow-up."""

    turn_id: str
    text: str
    effect: str
    lines: tuple[Line, ...]
    next_turn: str
    given_facts: tuple[str, ...] = ()
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    probe: str = ""
    branch: int = -1  # which of the turn's branches was taken
    clause: str = ""  # the clause that is the response, if not the whole text


@dataclass(frozen=True, slots=True)
class Conversation:
    """`responses`: by turn met, the responses in order. `drawn_by_turn`: the numbers that a turn was asked with.
    `given_facts`: the ids of facts given. `changed_facts`: facts that a turn replaced. `seconds_left`: of the phase, if
    known."""

    case: Case
    seed: str
    turn_id: str
    lines: tuple[Line, ...]
    responses: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    probes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taken_branches: frozenset[tuple[str, int]] = frozenset()  # branches, each taken once
    given_facts: tuple[str, ...] = ()
    numbers: Mapping[str, Fraction] = field(default_factory=dict)
    drawn_by_turn: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    changed_facts: Mapping[str, str] = field(default_factory=dict)
    seconds_left: float | None = None
    is_answered: bool = False  # an answer came in the same breath, so that no reply asks the question again

    @property
    def is_over(self) -> bool:
        return not self.turn_id

    @property
    def turn(self) -> Turn:
        return self.case.turn(self.turn_id)

    @property
    def variant(self) -> Variant:
        return self.variant_of(self.turn_id)

    def variant_of(self, name: str) -> Variant:
        item = self.case.turn(name).item
        return item.redraw(self.drawn_by_turn.get(name, {}), SeededRng(item.id, self.seed))

    def response_to(self, name: str) -> str:
        """The responses to a turn as one text, which is scored and logged; for a number or a choice, the last one."""
        given = [text for text in self.responses.get(name, ()) if text]  # empty after requested help
        return "\n\n".join(given if self.case.turn(name).kind in ACCUMULATING_TURN_KINDS else given[-1:])


def begin(case: Case, seed: str) -> Conversation:
    """The conversation after its opening and first question."""
    first = next(t for t in case.turns if not t.is_branch_only)
    opened = Conversation(case, seed, first.id, (Line("interviewer", case.opening, first.id, "the opening"),))
    return _enter_turn(opened, first, "the first turn")


@dataclass(frozen=True, slots=True)
class Wish:
    """Sentences that want something of the interviewer, and their intent."""

    intent: str
    text: str


def answer(now: Conversation, text: str, in_time: bool = True) -> Exchange:
    """The interviewer's reaction to a text. `in_time` is False if the time is over, so that no probe follows."""
    turn = now.turn
    for read_as in (_read_as_insistence, _read_as_correction, _read_beside_wishes, _read_as_number):
        if (exchange := read_as(now, turn, text, in_time)) is not None:
            return exchange
    if not text.strip() and turn.kind == OPEN:
        return Exchange(turn.id, "", "left", *_move_on(now, turn, "nothing more was asked"))
    option = _find_option(now, text)
    if option != text:
        return replace(answer(now, option, in_time), text=text, clause=option)
    return (_answer_open_turn if turn.kind == OPEN else _answer_asking_turn)(now, turn, text, in_time)


def _read_beside_wishes(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text with a wish: that of the rest, with the reply to the wish; None for any other text."""
    wishes, rest = _split_off_wishes(now, text)
    stands = bool(now.probes.get(turn.id)) and not rest and _STANDS.match(text)
    if not wishes or stands or (not in_time and not rest):
        return None
    if not rest:
        return _read_wishes_alone(now, turn, text, wishes)
    made = answer(replace(now, is_answered=turn.kind != OPEN), rest, in_time)
    is_answered = made.effect == "response"
    heard = [wish for wish in wishes if wish.intent not in WHOLE_TURN_INTENTS]
    heard = [wish for wish in heard if not is_answered or not _is_own_question(now, wish, text)]
    asks_on = turn.kind == OPEN and bool(made.given_facts)  # nothing is asked again beside a question of the candidate
    lines, facts = _replies_to_wishes(replace(now, is_answered=is_answered or asks_on), heard)
    asked = f"{made.clause} {_wishes_for_facts(now, heard, facts)}".strip()
    return replace(
        made, text=text, clause=asked if turn.kind == OPEN else made.clause or rest,
        given_facts=(*facts, *made.given_facts),
        lines=_lines_beside(made, lines, is_answered or text.startswith(wishes[0].text)),
    )  # fmt: skip


def _lines_beside(made: Exchange, lines: Sequence[Line], wish_first: bool) -> tuple[Line, ...]:
    """The lines of an exchange together with the replies to the wishes beside it, which are first with `wish_first`."""
    if made.effect == "response":
        lines = [_beside(line) for line in lines]
    others = [line for line in made.lines if made.effect == "response" or line.rule != NO_ANSWER or not lines]
    return _each_once((*lines, *others) if wish_first else (*others, *lines))


def _is_own_question(now: Conversation, wish: Wish, text: str) -> bool:
    """Whether a wish beside an answer is a question in front that the candidate answers: "What breaks first? The
    disk." """
    brief = wish.intent != "repeat" and len(wish.text.split()) <= MAX_OWN_WORDS
    unsure = wish.intent == "ask" or intent_shares(wish.text, _case_words(now))[wish.intent] < MIN_OWN_SHARE
    to_nobody = not re.search(r"\byour?\b", wish.text, re.IGNORECASE)
    return text.startswith(wish.text) and wish.text.endswith("?") and (brief or (unsure and to_nobody))


def _read_wishes_alone(now: Conversation, turn: Turn, text: str, wishes: Sequence[Wish]) -> Exchange:
    """The effect of a text of wishes alone."""
    intents = {wish.intent for wish in wishes}
    if "skip" in intents:
        gone = leaving_exchange(now, "you wanted to go on")
        return replace(gone, text=text, lines=gone.lines or (Line("interviewer", SKIPPED_REPLY, turn.id, ASIDE_RULE),))
    if "help" in intents:
        return _help_exchange(now, turn, text)
    if "done" in intents and turn.kind == OPEN and now.responses.get(turn.id):
        return replace(leaving_exchange(now, "you had asked enough"), text=text)
    lines, facts = _replies_to_wishes(now, wishes)
    lines = lines or (_unclear_line(now, text),)
    return Exchange(turn.id, text, "question", lines, turn.id, facts, clause=_wishes_for_facts(now, wishes, facts))


def _wishes_for_facts(now: Conversation, wishes: Sequence[Wish], facts: Sequence[str]) -> str:
    """The words of the wishes, if they drew new facts."""
    return " ".join(wish.text for wish in wishes) if set(facts) - set(now.given_facts) else ""


def _split_off_wishes(now: Conversation, text: str) -> tuple[list[Wish], str]:
    """The wishes of a text, neighbouring sentences together, and the rest. A rest that tells nothing belongs to the
    wish."""
    wishes: list[Wish] = []
    rest: list[str] = []
    is_wish_before = False
    text = _BACK_TO_IT.sub(". ", text)
    for sentence in split_sentences(text if now.turn.kind == OPEN else _WISH_BORDER.sub("? ", text)):
        if not (is_wish := _wants_something(now, sentence)):
            rest.append(sentence)
        elif is_wish_before and not _are_two_wishes(now, wishes[-1].text, sentence):
            joined = f"{wishes[-1].text} {sentence}"
            wishes[-1] = Wish(_wish_intent(now, joined), joined)
        else:
            wishes.append(Wish(_wish_intent(now, sentence), sentence))
        is_wish_before = is_wish
    other = " ".join(rest)
    if wishes and rest and _belongs_to_wish(now, wishes[-1], rest):
        return [Wish(_wish_intent(now, text), text)], ""
    return wishes, other if wishes else text


def _belongs_to_wish(now: Conversation, wish: Wish, rest: Sequence[str]) -> bool:
    """Whether the sentences beside a wish belong to it: none asks, or they tell nothing of an answer; or a wish to hear
    something once more names nothing ("Which step was it? I had it and lost it.")."""
    if now.turn.kind == OPEN and wish.intent == "recall" and not content_stems(wish.text) - GENERIC_WORDS:
        return True
    if now.turn.kind == OPEN:
        return not any(_asks_for_fact(now, sentence) for sentence in rest)
    return _tells_nothing(now, " ".join(rest), MAX_SILENT_SHARE)


def _asks_for_fact(now: Conversation, sentence: str) -> bool:
    """Whether a sentence where the candidate asks is a question for a fact, also without its mark."""
    return asks_surely(sentence) or intent_shares(sentence, _case_words(now))["ask"] >= MIN_WISH_SHARE


def _are_two_wishes(now: Conversation, first: str, second: str) -> bool:
    """Whether two neighbouring wishes want different things, each surely."""
    shares = [intent_shares(text, _case_words(now)) for text in (first, second)]
    best = {max(one, key=one.__getitem__) for one in shares}
    sure = all(max(one.values()) >= SURE_WISH_SHARE for one in shares)
    return len(best) == 2 and sure and not any(best <= alike for alike in ALIKE_INTENTS)


def _wants_something(now: Conversation, sentence: str) -> bool:
    """Whether a sentence is a wish and no answer. One that tells something of the answer must be so more surely; where
    the candidate asks, a question for a new fact is no wish."""
    shares = intent_shares(sentence, _case_words(now))
    best = max(shares, key=shares.__getitem__)
    if now.turn.kind == OPEN:
        return best not in NON_WISH_INTENTS and shares[best] >= MIN_WISH_SHARE
    if best == "ask" and not asks_surely(sentence):
        return False
    return shares["answer"] <= _max_answer_share(now, sentence)


def _max_answer_share(now: Conversation, sentence: str) -> float:
    """The share of an answer up to which a sentence is none: little for one that tells something of the answer."""
    if _tells_something(now, sentence):
        return MAX_TELLING_SHARE
    if sentence.endswith("?"):
        return MAX_ASKING_SHARE
    return MAX_BRIEF_SHARE if len(sentence.split()) <= MAX_BRIEF_REPLY_WORDS else MAX_ANSWER_SHARE


def _wish_intent(now: Conversation, text: str) -> str:
    """The intent of a text that is a wish. An unsure one may be a question for a fact; whether the question or a fact
    is wanted once more, the fact's words decide."""
    shares = {name: share for name, share in intent_shares(text, _case_words(now)).items() if name != "answer"}
    best = max(shares, key=shares.__getitem__)
    if best in ("repeat", "recall") and min(shares["repeat"], shares["recall"]) >= MIN_EITHER_SHARE:
        question = [_question_text(now, whole=True)]
        if wanted := best_fact_or_sentence(now, text, MIN_NEW_FACT_FIT, question):
            return "recall" if wanted in {fact.id for fact in now.case.facts} else "repeat"
        names_unknown = content_stems(text) - GENERIC_WORDS and not best_fact_or_sentence(now, text, MIN_FACT_FIT)
        return "repeat" if names_unknown else best
    may_ask = shares["ask"] >= MIN_ASK_SHARE and shares[best] < SURE_WISH_SHARE and bool(_requested_fact_ids(now, text))
    unsure = shares[best] < MIN_WISH_SHARE and shares["ask"] >= shares[best] / 2
    return "ask" if may_ask or unsure else best


def _tells_nothing(now: Conversation, text: str, most: float) -> bool:
    """Whether a text tells nothing of an answer, and has at most this share of one by its words."""
    return not _tells_something(now, text) and intent_shares(text, _case_words(now))["answer"] <= most


def _tells_something(now: Conversation, text: str) -> bool:
    """Whether a text earns points, is contradicted or wrong in a known way, or can be read as the number or option."""
    if now.turn.kind != "text":
        return _can_read(now, text)
    score = now.variant.score(text)
    return score.earned > 0 or bool(score.mistake_id) or any(mark.status in DENIED_STATUSES for mark in score.marks)


def _case_words(now: Conversation) -> CaseWords:
    """The words of the case by which the intent of a sentence is known."""
    statements = (now.case.opening, *(now.changed_facts.get(fact.id, fact.say) for fact in now.case.facts))
    question = f"{now.turn.ask} {_question_text(now, whole=True)}"
    return _words_with_content(question, " ".join(statements), " ".join(now.case.terms))


@cache
def _words_with_content(question: str, facts: str, terms: str) -> CaseWords:
    return CaseWords(*(content_stems(text) - GENERIC_WORDS for text in (question, facts, terms)))


def _replies_to_wishes(now: Conversation, wishes: Sequence[Wish]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The replies to wishes in order, and the facts given with them."""
    lines: list[Line] = []
    facts: list[str] = []
    for wish in wishes:
        replies, names = _reply_to_wish(now, wish)
        lines += replies
        facts += names
    return _each_once(lines), tuple(dict.fromkeys(facts))


def _reply_to_wish(now: Conversation, wish: Wish) -> tuple[list[Line], list[str]]:
    """The reply to a wish, and the facts given with it."""
    if wish.intent == "recall":
        return _tell_once_more(now, wish.text)
    if wish.intent == "ask":
        return _replies_to_questions(replace(now, is_answered=False), wish.text)
    if wish.intent == "leave":
        lines, facts = _tell_facts(now, _permission_fact_ids(now, wish.text))
        reply = _permission_reply_without_fact(now, wish.text)
        return lines or [Line("interviewer", reply, now.turn_id, "you asked leave")], facts
    if wish.intent == "repeat":
        return [_repetition(now, wish.text)], []
    if wish.intent == "meaning":
        named = word_meant(now.case.terms, wish.text)
        if not content_stems(wish.text) - GENERIC_WORDS or (not named and _WANTED.search(wish.text)):
            reply = EITHER_OF_TASK_REPLY if is_two_sided(wish.text) else IN_OTHER_WORDS_REPLY
            return [Line("interviewer", _fill_reply(now, reply, wish.text), now.turn_id, REPEAT_RULE)], []
        if not named and (said := answer_in_statements(wish.text, _told_texts(now))):
            return [Line("interviewer", f"As I said: {said}", now.turn_id, EARLIER_RULE)], []
        meaning = clarification_reply(now.case.terms, wish.text, _question_text(now))
        return [Line("interviewer", meaning, now.turn_id, MEANING_RULE)], []
    reply = _fill_reply(now, nearest_remark(wish.text, wish.intent)[0].reply, wish.text)
    return [Line("interviewer", reply, now.turn_id, ASIDE_RULE)], []


def _permission_reply_without_fact(now: Conversation, request: str) -> str:
    """The reply to a request for permission that no fact answers."""
    granted, (remark, likeness) = permission_reply(request), nearest_remark(request, "leave")
    if granted not in (EITHER_REPLY, YOUR_CHOICE_REPLY):
        return _fill_reply(now, granted)
    if likeness >= LIKENESS_SLIGHT:
        return _fill_reply(now, remark.reply, request)
    return (
        _fill_reply(now, next(one.reply for one in remarks() if "leave" in one.intents))
        if _ASKS_TO_ASSUME.search(request)
        else YOUR_CHOICE_REPLY
        if " or " in request
        else FINE_REPLY
    )


def _tell_once_more(now: Conversation, wish: str) -> tuple[list[Line], list[str]]:
    """The fact or the sentence that a candidate wants to hear once more; if none fits, all that was told."""
    if wants_all(wish):
        return [Line("interviewer", _recap_of_everything(now, wish), now.turn_id, EARLIER_RULE)], []
    facts = {fact.id for fact in now.case.facts}
    statements = _told_texts(now)
    told = set(now.given_facts)
    best = (
        best_fact_or_sentence(now, wish, MIN_NEW_FACT_FIT, statements, told)
        or best_fact_or_sentence(now, wish, MIN_FACT_FIT, statements)
        or best_statement(wish, statements, ())
    )
    if best in facts:
        return _tell_facts(now, [best], again=True)
    whole = _question_text(now, whole=True)
    reply = (f"I asked: {whole}" if best in whole else f"As I said: {best}") if best else _recap_text(now)
    return [Line("interviewer", reply, now.turn_id, EARLIER_RULE)], []


def _recap_of_everything(now: Conversation, wish: str) -> str:
    """All that was told so far; of a question with numbers of its own only that, unless the opening is wanted."""
    whole = _question_text(now, whole=True)
    if now.turn.kind != OPEN and has_number(whole) and not wants_opening(wish):
        return f"I asked: {whole}"
    return f"{now.case.opening} {_recap_text(now)}"


def best_fact_or_sentence(
    now: Conversation, text: str, least: float, statements: Sequence[str] = (), among: Collection[str] | None = None
) -> str:
    """The id of the fact (one of `among`, if given), or the one of the `statements`, that a text is about: the one with
    most of its words, or with a phrase that the text meets; empty if none fits by at `least` so much."""
    facts = [fact for fact in now.case.facts if not fact.permits and (among is None or fact.id in among)]
    says = {fact.id: now.changed_facts.get(fact.id, fact.say) for fact in facts}
    names = {fact.id: fact.name_stems | content_stems(fact.id) for fact in facts}
    other = {text: text for text in statements if text not in says.values()}
    fits = fact_fits(
        text, {**says, **other}, {**names, **dict.fromkeys(other, frozenset())}, _spans_by_heard_fact(now, text)
    )
    best = max(fits, key=fits.__getitem__, default="")
    return best if best and fits[best] >= least else ""


def _repetition(now: Conversation, wish: str) -> Line:
    """The question once more; where the candidate asks, the interviewer's last reply, unless the question is wanted."""
    reply = nearest_remark(wish, "repeat")[0].reply
    if now.turn.kind != OPEN or now.is_answered or "question" in wish.casefold():
        return Line("interviewer", _fill_reply(now, reply, wish), now.turn_id, REPEAT_RULE)
    replies = [line for line in _interviewer_lines(now) if line.rule not in (NO_FACT_RULE, NO_ANSWER)]
    opening = f"{now.case.opening} " if len(replies) == 2 else ""  # nothing but the opening and the first question
    return Line("interviewer", f"{opening}{replies[-1].text}", now.turn_id, REPEAT_RULE)


def is_interjection(now: Conversation, text: str) -> bool:
    """Whether a text only wants something of the interviewer: no part of it can be an answer."""
    wishes, rest = _split_off_wishes(now, text)
    return bool(wishes) and not rest


def _answer_open_turn(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange:
    """The effect of questions in a turn in which the candidate asks."""
    asked = " ".join(one for one in split_sentences(text) if _asks_for_fact(now, one))
    lines, facts = _replies_to_questions(now, asked)
    noted = () if lines else (Line("interviewer", NOTED_REPLY, turn.id, ASIDE_RULE),)
    parting, to = ((), turn.id) if in_time else _move_on(now, turn, TIME_OVER_RULE, box_over=True)
    numbers = committed_numbers(text, now.case.commitments)
    return Exchange(turn.id, text, "question", (*lines, *noted, *parting), to, tuple(facts), numbers, clause=asked)


def _replies_to_questions(now: Conversation, text: str) -> tuple[list[Line], list[str]]:
    """The replies to the questions of a text for facts, each once, and the facts given with them."""
    questions = split_sentences(text)
    several = len(questions) > 1
    replies = [_reply_to_question(now, question, f"“{question}” " if several else "") for question in questions]
    lines = _each_once(line for reply, _ in replies for line in reply)
    return list(lines), list(dict.fromkeys(name for _, names in replies for name in names))


def _reply_to_question(now: Conversation, question: str, lead: str = "") -> tuple[list[Line], list[str]]:
    """The reply to a question for a fact, with `lead` in front if the case leaves it open, and the facts given with it.
    No line for a statement that no fact answers, or for a question beside an answer."""
    names = _fact_ids_asked_for(now, question)
    if not names and (near := best_fact_or_sentence(now, question, MIN_NEW_FACT_FIT)):
        names = [near]
    if names:
        return _tell_facts(now, names)
    if statement := answer_in_statements(question, _told_texts(now)):
        return [Line("interviewer", f"As I said: {statement}", now.turn_id, EARLIER_RULE)], []
    if now.is_answered or not asks_surely(question):
        return [], []
    return [Line("interviewer", _open_reply(question, lead), now.turn_id, NO_FACT_RULE)], []


def _open_reply(question: str, lead: str) -> str:
    """The reply to a question that the case leaves open; it names the thing asked about."""
    thing, amount = thing_asked_about(question), _AMOUNT.search(question)
    if thing and not lead:
        reply = "I have no figure for {thing}: assume one, and say it." if amount else NOT_FIXED_REPLY
        return reply.format(thing=thing)
    if amount and _THEM.search(question) and not content_stems(question):
        return OF_WHAT_REPLY
    return f"{lead}{NO_FIGURE_REPLY if amount else UNKNOWN_REPLY}"


def _fact_ids_asked_for(now: Conversation, question: str) -> list[str]:
    """The names of the facts that a question requests, also those that a part of it requests by itself."""
    pieces = [question, *_NEXT_QUESTION.split(question)]
    heard = [_requested_fact_ids(now, piece) for piece in pieces if content_stems(piece) - GENERIC_WORDS]
    permitted = {fact.id for fact in now.case.facts if fact.permits}
    return [name for name in dict.fromkeys(name for names in heard for name in names) if name not in permitted]


def _answer_asking_turn(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange:
    """The effect of a text in a turn that asks the candidate."""
    if turn.kind == "text" and ARE_YOU_SURE in now.lines[-1].text and _STANDS.match(text):
        return _response_exchange(now, turn, text, {}, (), (), in_time)
    if in_time and turn.kind == "text" and _may_be_no_answer(now, text):
        return Exchange(turn.id, text, "question", (_unclear_line(now, text),), turn.id)
    values = committed_numbers(text, now.case.commitments) or _unnamed_number(turn, text, now.case.commitments)
    return _response_exchange(now, turn, text, values, (), (), in_time)


def _may_be_no_answer(now: Conversation, text: str) -> bool:
    """Whether a short text tells nothing and may be no answer: it has no number, begins with no yes or no, and does not
    follow a text that was asked about."""
    begins = re.search(r"\d", text) or _YES_OR_DENIAL.search(text) or AS_SAID.search(text)
    if begins or now.lines[-1].rule == NO_ANSWER or len(text.split()) > MAX_SHORT_WORDS or now.probes.get(now.turn_id):
        return False
    return _tells_nothing(now, text, MAX_DOUBTFUL_SHARE)


def _unclear_line(now: Conversation, text: str) -> Line:
    """The reply to a text that seems no answer: the question again. A statement may be one nevertheless."""
    reply = IS_THAT_IT_REPLY if now.turn.kind == "text" and not text.endswith("?") else UNCLEAR_REPLY
    return Line("interviewer", _fill_reply(now, reply), now.turn_id, NO_ANSWER)


def _can_read(now: Conversation, text: str) -> bool:
    """Whether a text can be read as the number or the option. "Within a factor of two, good enough?" has none."""
    in_words = now.turn.kind == "numeric" and not re.search(r"\d", text) and len(text.split()) > 3
    return not (in_words and text.endswith("?")) and _is_readable(now.variant.score(_find_option(now, text)))


def _read_as_number(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text in a numeric turn that insists on a doubted number, or gives one in a clause; None for any
    other text."""
    variant = now.variant
    if turn.kind != "numeric":
        return None
    if now.probes.get(turn.id) and _STANDS.match(text) and variant.number_in(text) is None:
        return Exchange(turn.id, text, "left", *_move_on(now, turn, "you stand by it", box_over=not in_time))
    if _can_read(now, text):
        return None
    clause = answer_clause(text, lambda clause: _can_read(now, clause))
    if clause in ("", text.strip()):
        return None
    return replace(answer(now, clause, in_time), text=text, clause=clause)


def _each_once(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines that say something, each text once."""
    return tuple({line.text: line for line in lines if line.text}.values())


def _beside(line: Line) -> Line:
    """A reply beside an answer: a question that is said once more is answered already."""
    repeats = line.text.startswith("I asked: ") and not line.text.endswith(TAKEN)
    return replace(line, text=f"{line.text} {TAKEN}") if repeats else line


def _find_option(now: Conversation, text: str) -> str:
    """The letter or the option's words in a text ("I'd go for B", "The last one, I think"); the text if there is
    none, or if it can be read as it is."""
    if now.turn.kind == "choice" and not _is_readable(now.variant.score(text)):
        letter = _LETTER.match(text)
        for option in (letter[1] if letter else "", text.strip(" .!"), _REASON.sub("", text).strip(" .!")):
            if option and _is_readable(now.variant.score(option)):
                return option
    return text


def _read_as_correction(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of the correction of a noted number ("No, I said TP = 4"), which is no answer, but may precede one;
    None for any other text."""
    if not now.numbers or not in_time or turn.kind == OPEN or not _CORRECTS.search(AS_SAID.sub("", plain_words(text))):
        return None
    first, *others = split_sentences(text) or [text]
    made = _correct_numbers(now, turn, first) if others else None
    if made is not None and made.numbers:
        rest = " ".join(others)
        then = answer(replace(now, numbers={**now.numbers, **made.numbers}), rest)
        if then.effect == "response":
            lines, values = (_misheard_line(now, made.numbers), *then.lines), {**made.numbers, **then.numbers}
            return replace(then, text=text, clause=then.clause or rest, lines=lines, numbers=values)
    return _correct_numbers(now, turn, text)


def _correct_numbers(now: Conversation, turn: Turn, text: str) -> Exchange | None:
    """The effect of a text that corrects noted numbers and is no answer; None for any other text."""
    noted = [one for one in now.case.commitments if one.id in now.numbers]
    named = [one for one in noted if is_named(one, text)]
    values = committed_numbers(text, noted)
    if not values and not _DENIES.search(text) and len(noted) == 1 and (bare := _LAST_COUNT.search(text)):
        values = committed_numbers(f"{noted[0].names[0].rstrip('*')} = {bare[1]}", noted)
        named = noted
    long = len(text.split()) > MAX_CORRECTION_WORDS
    if long or not named or (turn.kind == "text" and now.variant.score(text).earned > 0):
        return None
    ask = f"Sorry, then I misheard. Which {named[0].label} do you take?"
    line = _misheard_line(now, values) if values else Line("interviewer", ask, turn.id, ASIDE_RULE)
    if values and not _asks_with_number(now, values):
        line = replace(line, text=f"{line.text} Back to the question: {_question_text(now)}")
    return Exchange(turn.id, text, "question", (line,), turn.id, (), values)


def _misheard_line(now: Conversation, values: Mapping[str, Fraction]) -> Line:
    heard = ", ".join(_number_texts(now.case, values))
    return Line("interviewer", f"Sorry, I misheard: {heard}.", now.turn_id, CORRECTION_RULE)


def _asks_with_number(now: Conversation, values: Mapping[str, Fraction]) -> bool:
    """Whether the current question contains a number named in `values`: its text has a place for the number, or the
    number was drawn for this turn."""
    placed = {name for name in values if f"{{{name}}}" in now.turn.ask}
    return bool(placed or set(now.drawn_by_turn.get(now.turn_id, {})) & set(values))


def _help_exchange(now: Conversation, turn: Turn, text: str) -> Exchange:
    """The effect of a text whose candidate does not know: a question on the heaviest open criterion, as a probe;
    without one, a request for a guess, once."""
    score = now.variant.score(now.response_to(turn.id))
    hint = ASK_ON_REPLY if turn.kind == OPEN else NO_HINT_REPLY
    if (probe := _probe_question(now, turn, now.variant, score)) is not None:
        helped = replace(probe[0], text=f"Then a hint: {probe[0].text}")
        return Exchange(turn.id, text, "question", (helped,), turn.id, probe=probe[1])
    asked = any(line.turn_id == turn.id and line.text == hint for line in now.lines)
    if asked or _probes_left(now, turn) == 0:
        return replace(leaving_exchange(now, "you did not know"), text=text)
    return Exchange(turn.id, text, "question", (Line("interviewer", hint, turn.id, ASIDE_RULE),), turn.id)


def _unnamed_number(turn: Turn, text: str, commitments: Sequence[Commitment]) -> dict[str, Fraction]:
    """The number of a short text without a name ("about 30 minutes"), or of a last clause that says the result ("…, so
    every 30 minutes"), if a branch waits for exactly one number."""
    awaited = {name for branch in turn.branches if branch.condition for name in branch.condition.uncommitted_ids}
    one = next((c for c in commitments if awaited == {c.id}), None)
    if one is None:
        return {}
    result = _RESULT_CLAUSE.search(text)
    readings = (
        committed_numbers(f"{one.names[0].rstrip('*')} = {' '.join(words[n:])}", (one,))
        for words in ((result[1] if result else "").split(), text.split())
        if len(words) <= 6
        for n in range(len(words))
    )
    return next((values for values in readings if values), {})


def _read_as_insistence(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of "that is my answer" on a text that was not taken for one; None for any other text."""
    if now.lines[-1].rule != NO_ANSWER or not _INSISTS.match(text):
        return None
    earlier = next(line.text for line in reversed(now.lines) if line.speaker == "candidate")
    return replace(_response_exchange(now, turn, earlier, {}, (), (), in_time), text=text, clause=earlier)


def _is_readable(score: Score) -> bool:
    return score.outcome not in (Outcome.UNREADABLE, Outcome.BLANK)


def leaving_exchange(now: Conversation, why: str, in_time: bool = True) -> Exchange:
    """The exchange that ends a turn without an answer: the candidate left it, or (`in_time` False) its time is over."""
    lines, to = _move_on(now, now.turn, why, box_over=not in_time)
    return Exchange(now.turn_id, "", "left", lines, to)


def conversation_after(now: Conversation, exchange: Exchange) -> Conversation:
    """The conversation after an exchange, whether new or read from a log."""
    turn = now.case.turn(exchange.turn_id)
    lines = now.lines
    if exchange.text:
        lines = (*lines, Line("candidate", exchange.text, turn.id))
    lines = (*lines, *exchange.lines)
    before = now.responses.get(turn.id, ())
    if exchange.text and (exchange.effect == "response" or (turn.kind == OPEN and exchange.clause)):
        before = (*before, exchange.clause or exchange.text)
    elif exchange.probe and not before:
        before = ("",)  # a response after help counts as aided
    responses = {**now.responses, turn.id: before}
    probes = dict(now.probes)
    if exchange.probe:
        probes[turn.id] = (*probes.get(turn.id, ()), exchange.probe)
    then = replace(
        now, turn_id=exchange.next_turn, lines=lines, responses=responses, probes=probes,
        given_facts=tuple(dict.fromkeys((*now.given_facts, *exchange.given_facts))),
        numbers={**now.numbers, **exchange.numbers},
        taken_branches=now.taken_branches | ({(turn.id, exchange.branch)} if exchange.branch >= 0 else frozenset()),
    )  # fmt: skip
    if exchange.next_turn and exchange.next_turn != exchange.turn_id:
        return _enter_turn(then, now.case.turn(exchange.next_turn), "")
    if exchange.lines and exchange.lines[-1].rule == CORRECTION_RULE and _asks_with_number(now, exchange.numbers):
        return _enter_turn(then, turn, CORRECTION_RULE)
    return then


def known_so_far(now: Conversation) -> list[str]:
    """The facts given and the numbers committed so far, for `:said`."""
    facts = {f.id: f.say for f in now.case.facts} | dict(now.changed_facts)
    lines = [facts[name] for name in dict.fromkeys((*now.given_facts, *now.changed_facts)) if name in facts]
    return [*lines, *_number_texts(now.case, now.numbers)]


def score_of(talked: Conversation, turn: Turn, responses: Sequence[str]) -> Score:
    """The score of the responses to a turn, in order. A criterion that was probed counts as in the last response if
    that is better; "sorry, I was wrong" takes back only criteria that the last response denies."""
    given = [text for text in responses if text]
    variant, whole = talked.variant_of(turn.id), "\n\n".join(given)
    if turn.kind == OPEN:
        return _with_facts_given(talked, turn, _score_of_words(variant, whole))
    if turn.kind != "text" or len(given) < 2:
        return _score_of_words(variant, whole if turn.kind in ACCUMULATING_TURN_KINDS else "".join(given[-1:]))
    score, newest = (_score_of_words(variant, one) for one in (whole, given[-1]))
    last = {m.criterion: m for m in newest.marks}
    earlier = {m.criterion: m for m in score_of(talked, turn, given[:-1]).marks}
    start = len(whole) - len(given[-1])
    asked = [name.removeprefix(DOUBT_PREFIX) for name in talked.probes.get(turn.id, ())]
    answered = asked[len(responses) - 2 : len(responses) - 1] if len(responses) > 1 else []
    marks = []
    for mark in score.marks:
        now, before = last.get(mark.criterion, mark), earlier.get(mark.criterion, mark)
        made = mark
        if mark.criterion in asked and now.earned > mark.earned:
            made = replace(now, evidence_spans=tuple((start + a, start + b) for a, b in now.evidence_spans))
        elif before.earned > mark.earned and mark.possible > 0 and now.status not in DENIED_STATUSES:
            made = before
        marks.append(_as_reply(variant, made, given[-1], start) if mark.criterion in answered else made)
    return replace(score, marks=tuple(marks))


def _with_facts_given(talked: Conversation, turn: Turn, score: Score) -> Score:
    """The score of a turn in which the candidate asks, with the facts that it drew, also in words that no phrase of
    theirs has."""
    rules = {line.rule for line in talked.lines if line.turn_id == turn.id}
    marks = [
        replace(mark, status="found", earned=mark.possible)
        if mark.earned < mark.possible and f"you asked for “{mark.criterion}”" in rules
        else mark
        for mark in score.marks
    ]
    return replace(score, marks=tuple(marks))


def _score_of_words(variant: Variant, text: str) -> Score:
    """The score of a text without the claims that only name a case."""
    for mark in (score := variant.score(text)).marks:
        if mark.status == "contradicted" and mark.evidence_spans and _names_case(text, mark):
            start, end = mark.evidence_spans[0]
            return _score_of_words(variant, text[:start] + " " * (end - start) + text[end:])
    return score


def _names_case(text: str, mark: Mark) -> bool:
    """Whether the evidence of a mark only names one of several cases: "if the counts are equal, it is hardware"."""
    start = mark.evidence_spans[0][0]
    before = max(text.rfind(stop, 0, start) for stop in ".?!\n")
    sentence = split_sentences(text[before + 1 :])[0] if before < start else ""
    return bool(_CASES.search(sentence) and _NAMES_IT.search(text[before + 1 : start]))


def _as_reply(variant: Variant, mark: Mark, text: str, start: int) -> Mark:
    """The mark of a short reply to a probe, read together with the words of the probe where that is better: "Which
    number changes?" "The sequence length." The reply, which starts at `start`, must have words of the criterion."""
    if mark.earned >= mark.possible or mark.status in DENIED_STATUSES or len(text.split()) > MAX_PROBE_REPLY_WORDS:
        return mark
    asked = variant.follow_up_to(mark.criterion).rstrip("?. ")
    read = {m.criterion: m for m in variant.score(f"{asked} {text}").marks}[mark.criterion]
    said = any(end > len(asked) for _, end in read.evidence_spans)
    if not said or read.earned <= mark.earned:
        return mark
    return replace(read, evidence_spans=((start, start + len(text)),))


# -- the effect of a text -------------------------------------------------------------------


def _response_exchange(
    now: Conversation, turn: Turn, text: str, values: Mapping[str, Fraction], given_facts: tuple[str, ...],
    reply: tuple[Line, ...], in_time: bool,
) -> Exchange:  # fmt: skip
    before = now.responses.get(turn.id, ()) if turn.kind in ACCUMULATING_TURN_KINDS else ()
    whole = "\n\n".join(filter(None, (*before, text)))
    variant = now.variant
    score = score_of(now, turn, (*before, text))
    if score.outcome is Outcome.UNREADABLE and in_time:
        return _unreadable_exchange(now, text, score, reply)
    known = {**now.numbers, **values}
    noted = _noted_number_lines(now.case, turn, {k: v for k, v in values.items() if now.numbers.get(k) != v})
    heard_so_far = (*now.given_facts, *given_facts)
    if not in_time:
        lines, to = _move_on(now, turn, TIME_OVER_RULE, box_over=True)
        return Exchange(turn.id, text, "response", (*reply, *noted, *lines), to, given_facts, values)
    doubt = _doubt_question(now, turn, whole, score)
    number = _branch_to_take(now, turn, whole, score, known, heard_so_far)
    if number >= 0 and _is_branch_taken(turn, turn.branches[number], score, doubt):
        branch = turn.branches[number]
        line = Line("interviewer", fill_numbers(branch.say, known, now.case), turn.id, rule_text(branch, now.case))
        spoken = (*reply, *noted, *((line,) if branch.say else ()))
        lines, to = ((), turn.id) if branch.stays_in_turn else _move_on(now, turn, "", branch.next_turn)
        values = {**values, **committed_numbers(branch.say, now.case.commitments)}  # "Take TP = 8 from here on"
        return Exchange(turn.id, text, "response", (*spoken, *lines), to, given_facts, values, branch=number)
    probe = doubt or _probe_question(now, turn, variant, score)
    if probe is not None:
        line, criterion = probe
        return Exchange(turn.id, text, "response", (*reply, *noted, line), turn.id, given_facts, values, criterion)
    lines, to = _move_on(now, turn, "")
    return Exchange(turn.id, text, "response", (*reply, *noted, *lines), to, given_facts, values)


def _is_branch_taken(turn: Turn, branch: Branch, score: Score, doubt: tuple[Line, str] | None) -> bool:
    """Whether a branch that holds is taken now. A doubt comes first, except where the branch is the author's reply to
    the claim or stays in the turn; and an answer that earned nothing is asked about before a silent way on."""
    if turn.kind != "text":
        return doubt is None
    if branch.condition is None:
        return doubt is None and (bool(branch.say) or score.earned > 0)
    return doubt is None or branch.stays_in_turn or doubt[0].rule not in DOUBT_RULES_BESIDE_BRANCHES


def _unreadable_exchange(now: Conversation, text: str, score: Score, reply: tuple[Line, ...]) -> Exchange:
    """The effect of a text that cannot be read as a number or an option: it is no answer, or one to be put anew."""
    if _may_be_no_answer(now, text):
        return Exchange(now.turn_id, text, "question", reply or (_unclear_line(now, text),), now.turn_id)
    because = f"I can't read that as an answer: {' '.join(score.say)}." if len(text.split()) < 4 else UNREADABLE_REPLY
    how = because.format(form=_answer_form_text(now)).replace("..", ".")
    line = Line("interviewer", how, now.turn_id, UNREADABLE_RULE)
    return Exchange(now.turn_id, text, "unreadable", (*reply, line), now.turn_id)


def _branch_to_take(
    now: Conversation, turn: Turn, text: str, score: Score, values: Mapping[str, Fraction], given_facts: tuple[str, ...]
) -> int:
    """The number of the first branch of a turn that holds and was not taken yet; -1 for none."""
    for number, branch in enumerate(turn.branches):
        free = (turn.id, number) not in now.taken_branches
        if free and condition_holds(branch.condition, now.variant, text, score, values, given_facts):
            return number
    return -1


def condition_holds(
    condition: BranchCondition | None, variant: Variant, text: str, score: Score, values: Mapping[str, Fraction],
    given_facts: tuple[str, ...],
) -> bool:  # fmt: skip
    """Whether every part of a branch's condition holds; a condition of None always does."""
    if condition is None:
        return True
    return (
        _marks_meet(condition, score)
        and all(bound.holds(values) for bound in condition.bounds)
        and values.keys().isdisjoint(condition.uncommitted_ids)
        and set(given_facts).issuperset(condition.requested_facts)
        and set(given_facts).isdisjoint(condition.unrequested_facts)
        and (not condition.outcomes or score.outcome in condition.outcomes)
        and _is_number_within(condition, variant, text)
    )


def _marks_meet(condition: BranchCondition, score: Score) -> bool:
    """Whether the marks meet the condition."""
    met = {mark.criterion for mark in score.marks if mark.status in MET_STATUSES}
    contradicted = {mark.criterion for mark in score.marks if mark.status in DENIED_STATUSES}
    return (
        met.issuperset(condition.met_criteria)
        and met.isdisjoint(condition.unmet_criteria)
        and contradicted.issuperset(condition.contradicted_criteria)
    )


def _is_number_within(condition: BranchCondition, variant: Variant, text: str) -> bool:
    """Whether the number in `text` is within the bounds of the condition; true without bounds."""
    if condition.below is None and condition.above is None:
        return True
    amount = variant.number_in(text)
    if amount is None:
        return False
    return (condition.below is None or amount < condition.below) and (
        condition.above is None or amount > condition.above
    )


def fill_numbers(text: str, values: Mapping[str, Fraction], case: Case) -> str:
    """`text` with placeholders such as {tp} replaced by the committed numbers, or else by the usual ones."""
    known = {c.id: Fraction(c.usual_number) for c in case.commitments} | dict(values)
    return re.sub(r"\{(\w+)\}", lambda m: points_decimal(known[m[1]]) if m[1] in known else m[0], text)


def _probes_left(now: Conversation, turn: Turn) -> int:
    """How many probes the turn may still have; doubts are none."""
    return MAX_PROBES_PER_TURN - sum(not name.startswith(DOUBT_PREFIX) for name in now.probes.get(turn.id, ()))


def _probe_question(now: Conversation, turn: Turn, variant: Variant, score: Score) -> tuple[Line, str] | None:
    """The question on the heaviest criterion that is open and not yet probed, contradicted ones first."""
    before = {name.removeprefix(DOUBT_PREFIX) for name in now.probes.get(turn.id, ())}
    if _probes_left(now, turn) == 0:
        return None
    free = [
        m for m in score.marks if m.possible > 0 and m.criterion not in before and variant.follow_up_to(m.criterion)
    ]
    open_ones = [m for m in free if m.status not in MET_STATUSES]
    if not open_ones:
        return None
    chosen = max(open_ones, key=lambda m: (m.status == "contradicted", m.possible - m.earned))
    text = fill_numbers(variant.follow_up_to(chosen.criterion), now.numbers, now.case)
    return Line("interviewer", text, turn.id, _open_criterion_rule(chosen)), chosen.criterion


def _doubt_question(now: Conversation, turn: Turn, text: str, score: Score) -> tuple[Line, str] | None:
    """A question about a wrong step that was not doubted before, and the name of the step: a number explained by a
    known slip or far off, a rejected claim, a named misconception, or an amount that is off by a factor."""
    makers = {"numeric": _number_doubts, "text": _claim_doubts}
    doubts = makers[turn.kind](now, turn, text, score) if turn.kind in makers else ()
    before = now.probes.get(turn.id, ())
    fresh = ((asked, name, why) for asked, name, why in doubts if DOUBT_PREFIX + name not in before)
    return next(((Line("interviewer", asked, turn.id, why), DOUBT_PREFIX + name) for asked, name, why in fresh), None)


def _number_doubts(now: Conversation, turn: Turn, text: str, score: Score) -> Iterator[tuple[str, str, str]]:
    """Yields the question about a wrong number, an empty name, and the rule."""
    if score.outcome in (Outcome.INCORRECT, Outcome.PARTIAL):
        slip = score.mistake_id or ("far" if _is_far_from_key(now.variant, text) else None)
        if slip:
            yield DOUBT_QUESTION_BY_SLIP.get(slip, DOUBT_QUESTION_BY_SLIP[""]), "", "the number is wrong in a known way"


def _claim_doubts(now: Conversation, turn: Turn, text: str, score: Score) -> Iterator[tuple[str, str, str]]:
    """Yields the questions about claims in a text, each with the name of its criterion or misconception, and its
    rule."""
    for mark in score.marks:
        if mark.evidence_spans and not _names_case(text, mark) and (mark.earned < 0 or mark.status == "contradicted"):
            words = text[mark.evidence_spans[0][0] : mark.evidence_spans[-1][1]]
            probe = now.variant.follow_up_to(mark.criterion)
            yield f"You say “{words}”. {ARE_YOU_SURE} {probe}".rstrip(), mark.criterion, _open_criterion_rule(mark)
    for sentence in split_sentences(text) if score.mistake_id else ():
        if believed := now.variant.score(sentence).mistake_id:
            yield f"You say “{sentence.rstrip('.')}”. {ARE_YOU_SURE} Why?", believed, DOUBT_RULES_BESIDE_BRANCHES[0]
    for mark in score.marks:
        if mark.status not in MET_STATUSES and (wrong := wrong_amount(now.case, turn, mark.criterion, text)):
            probe = re.sub(r"^And .*", CHECK_IT, now.variant.follow_up_to(mark.criterion))
            yield f"Are you sure about {wrong}? {probe}".rstrip(), mark.criterion, DOUBT_RULES_BESIDE_BRANCHES[1]


def wrong_amount(case: Case, turn: Turn, criterion: str, text: str) -> str:
    """The first amount in a text that is off by a factor from the one that a criterion of the turn requires; empty if
    there is none. Amounts of other criteria, and those of the question and the facts, are not wrong."""
    others = [right for name, right in turn.amounts.items() if name != criterion]
    given = " ".join((case.opening, turn.ask, *turn.changed_facts.values(), *(fact.say for fact in case.facts)))
    return amount_off_by_factor(text, turn.amounts.get(criterion), others, given)


def _is_far_from_key(variant: Variant, text: str) -> bool:
    """Whether a number is of another order of magnitude than the key."""
    given = variant.number_in(text)
    keys = (variant.number_in(sample.response) for sample in variant.samples() if sample.outcome is Outcome.CORRECT)
    key = next((k for k in keys if k), None)
    return bool(given and key and not 1 / FAR_FACTOR < abs(given / key) < FAR_FACTOR)


def _open_criterion_rule(mark: Mark) -> str:
    name = mark.criterion.replace("-", " ")
    return {
        "contradicted": f"what you said contradicts “{name}”",
        "negated": f"you denied “{name}”",
        "partial": f"“{name}” was only half there",
    }.get(mark.status, f"“{name}” was not heard")


def _requested_fact_ids(now: Conversation, text: str) -> tuple[str, ...]:
    """The ids of the facts that a text requests."""
    heard = _spans_by_heard_fact(now, text)
    return tuple(f.id for f in now.case.facts if f.id in heard and not _asks_other_number(text, f.id, heard))


def _spans_by_heard_fact(now: Conversation, text: str) -> dict[str, Sequence[tuple[int, int]]]:
    """Where a text meets a phrase of a fact, by the fact's id. A question sounds hedged or denied, and requests them
    nevertheless."""
    listener = now.case.facts_item
    if listener is None or not text.strip():
        return {}
    text = _HEDGE.sub("", text)  # "I guess" asks for nothing about guesses
    marks = listener.draw(SeededRng(listener.id, now.seed)).score(text).marks
    return {m.criterion: m.evidence_spans for m in marks if m.status in ("found", "hedged", "negated")}


def _asks_other_number(text: str, fact: str, heard: Mapping[str, Sequence[tuple[int, int]]]) -> bool:
    """Whether a fact is heard in "how many" alone, and another in what is counted: "how many followers has a user" asks
    for no number of users."""
    for many in _HOW_MANY.finditer(text):
        having = {name for name, spans in heard.items() if any(a < many.end(2) and many.start(2) < b for a, b in spans)}
        if having and fact not in having and any(many.start(1) <= a < many.end(1) for a, _ in heard[fact]):
            return True
    return False


def _told_texts(now: Conversation) -> list[str]:
    """All that the interviewer told so far, each text once, the latest last: facts whole, others by sentences."""
    replaced = {fact.say for fact in now.case.facts if fact.id in now.changed_facts}
    facts = {fact.say for fact in now.case.facts} | set(now.changed_facts.values())
    made: dict[str, None] = {}
    for line in _interviewer_lines(now):
        text = line.text.removeprefix("As I said: ").removeprefix("I asked: ")
        if line.rule in NO_QUESTION_RULES or line.rule == NOTED_RULE or text in replaced:
            continue
        for one in [text] if text in facts else split_sentences(text):
            made.pop(one, None)
            if has_number(one) or not one.endswith("?"):
                made[one] = None
    return list(made)


def _tell_facts(now: Conversation, names: Sequence[str], again: bool = False) -> tuple[list[Line], list[str]]:
    """The lines that tell the facts of these names, except those of a later turn, and the names told. A fact that this
    turn has told, or with `again` any turn, is told as said before."""
    facts = {f.id: f for f in now.case.facts}
    free = [name for name in names if now.case.may_tell_fact(facts[name], now.turn_id)]
    if names and not free:
        return [Line("interviewer", LATER_REPLY, now.turn_id, "a later turn says it")], []
    here = {line.text for line in now.lines if again or line.turn_id == now.turn_id}
    says = [(name, now.changed_facts.get(name, facts[name].say)) for name in free]
    new = [(name, say) for name, say in says if say not in here]
    return [
        Line("interviewer", say if new else f"As I said: {say}", now.turn_id, f"you asked for “{name}”")
        for name, say in new or says
    ], free


def _permission_fact_ids(now: Conversation, request: str) -> list[str]:
    """The ids of the facts that answer a request for permission: those on permission, else those with a word of it."""
    facts = {fact.id: fact for fact in now.case.facts}
    wanted = [facts[name] for name in _requested_fact_ids(now, request)]
    if _ASKS_TO_IGNORE.search(request):
        return [fact.id for fact in wanted if fact.permits and not fact.say.startswith(("Yes", "No"))]
    if granted := [fact.id for fact in wanted if fact.permits]:
        return granted
    if now.turn.kind != OPEN and not _ASKS_TO_ASSUME.search(request):
        return []
    says = {fact.id: now.changed_facts.get(fact.id, fact.say) for fact in wanted}
    return [
        name
        for name, say in says.items()
        if answer_in_statements(request, [say])
        or (now.turn.kind == OPEN and content_stems(request) & content_stems(say))
    ]


def _interviewer_lines(now: Conversation) -> list[Line]:
    """The interviewer's lines without replies to talk about the talk."""
    return [line for line in now.lines if line.speaker == "interviewer" and line.rule != ASIDE_RULE]


def _fill_reply(now: Conversation, reply: str, asked: str = "") -> str:
    """A reply to what was `asked`, with its placeholders filled in."""
    reply = _form_beside_answer(now, reply) if now.is_answered else _form_alone(now, reply, asked)
    makers: dict[str, Callable[[Conversation], str]] = {
        "question": _question_text, "form": _answer_form_text, "part": _phase_text, "known": _recap_text,
        "setup": _changed_facts_text, "in_other_words": lambda now: _question_in_other_words(now, asked),
        "whole": lambda now: _question_text(now, whole=True),
    }  # fmt: skip
    return re.sub(r"\{(\w+)\}", lambda m: makers[m[1]](now) if m[1] in makers else m[0], reply)


def _form_beside_answer(now: Conversation, reply: str) -> str:
    """The form of a reply beside an answer; in a turn in which the candidate asks, nothing is asked again."""
    beside = reply_beside_answer(reply)
    return without_question(beside) if now.turn.kind == OPEN else beside


def _form_alone(now: Conversation, reply: str, asked: str) -> str:
    """The form of a reply that fits the turn: who offers two forms of an answer, or two senses of the question, hears
    the question in other words; the order, and the manner of an answer, are the candidate's choice."""
    if reply not in (EITHER_REPLY, FORM_REPLY) or now.turn.kind == OPEN:
        return reply
    if reply == FORM_REPLY or _FORMS.search(asked) or now.turn.kind in ("choice", "numeric"):
        return reply if _ORDER.search(asked) else IN_OTHER_WORDS_REPLY
    return EITHER_OF_TASK_REPLY if _WANTED.search(asked) and not _MANNER.search(asked) else reply


def _question_in_other_words(now: Conversation, asked: str) -> str:
    """The question in the author's other words; without them, or after a follow-up question, the sentences that ask."""
    turn = now.turn
    follows_up = now.probes.get(turn.id) or any(turn_id == turn.id for turn_id, _ in now.taken_branches)
    if turn.in_other_words and not follows_up:
        return f"In other words: {fill_numbers(turn.in_other_words, now.numbers, now.case)}"
    short, whole = _question_text(now), _question_text(now, whole=True)
    if is_two_sided(asked):
        return _answer_form_text(now)
    return f"{'' if short == whole else 'In short: '}{short} {_answer_form_text(now)}"


def _recap_text(now: Conversation) -> str:
    """All that is known so far, and the question in full."""
    known = [*known_so_far(now)[: len(known_so_far(now)) - len(now.numbers)], *_taken_texts(now)]
    so_far = f"So far: {' '.join(known)}" if known else "You know only the question so far."
    if known and now.turn.kind == OPEN:
        return so_far
    return f"{so_far} I asked: {_question_text(now, whole=True)}"


def _taken_texts(now: Conversation) -> list[str]:
    return [f"You took {', '.join(_number_texts(now.case, now.numbers))}."] if now.numbers else []


def _changed_facts_text(now: Conversation) -> str:
    """The facts that have changed."""
    return f"It changed in this: {' '.join(now.changed_facts.values())} " if now.changed_facts else ""


def _question_text(now: Conversation, whole: bool = False) -> str:
    """The last question of this turn; of a longer text (unless `whole`) only the sentences that ask."""
    asked = [
        line.text
        for line in _interviewer_lines(now)
        if line.turn_id == now.turn_id and "you asked" not in line.rule and line.rule not in NO_QUESTION_RULES
    ][-1]
    asks = [sentence for sentence in split_sentences(asked) if sentence.endswith("?")]
    return asked if whole else " ".join(asks) or split_sentences(asked)[-1]


def _answer_form_text(now: Conversation) -> str:
    """The form of an answer to the turn, in words."""
    unit = next((block.unit for block in now.variant.prompt() if isinstance(block, Blank)), "")
    return (
        ANSWER_FORM_BY_KIND.get(_answer_kind(now))
        or f"I want one number{f' in {unit}' if unit else ''}, or a calculation; another unit is fine if you write it."
    )


def _answer_kind(now: Conversation) -> str:
    """The kind of the turn, and for words with numbers "commitment" or "amounts"."""
    kind = now.turn.kind
    if kind == "text" and re.search(r"\bcommit to\b", now.turn.ask, re.IGNORECASE):
        return "commitment"
    return "amounts" if kind == "text" and (now.turn.amounts or _AMOUNT.search(_question_text(now))) else kind


def _phase_text(now: Conversation) -> str:
    """The part of the case, its minutes that are left, and the minutes of the parts after it."""
    phases = now.case.phases
    phase = now.case.phase(now.turn.phase)
    number = phases.index(phase) + 1
    part = f"part {number} of {len(phases)}, “{phase.title}”"
    later = sum(one.minutes for one in phases[number:])
    after = f", and {float(later):g} for the parts after it" if later else ""
    last = " This is the last question." if now.case.turn_after(now.turn_id) is None else ""
    if now.seconds_left is None:
        return f"This is {part}: {float(phase.minutes):g} minutes{after}.{last}"
    left = max(1, round(now.seconds_left / 60))
    if left >= phase.minutes:
        return f"All {float(phase.minutes):g} minutes are left for {part}{after}.{last}"
    return f"About {left} minute{'s' * (left > 1)} of {float(phase.minutes):g} are left for {part}{after}.{last}"


def _noted_number_lines(case: Case, turn: Turn, values: Mapping[str, Fraction]) -> tuple[Line, ...]:
    if not values:
        return ()
    noted = ", ".join(_number_texts(case, values))
    return (Line("interviewer", f"I note {noted}.", turn.id, NOTED_RULE),)


def _number_texts(case: Case, values: Mapping[str, Fraction]) -> list[str]:
    return [one.number_text(values[one.id]) for one in case.commitments if one.id in values]


def _move_on(
    now: Conversation, turn: Turn, why: str, then: str = "", box_over: bool = False
) -> tuple[tuple[Line, ...], str]:
    """The lines on leaving a turn, and the next turn (empty: the case is over). With `box_over`, the rest of the phase
    is skipped."""
    parting = _parting_text(now, turn)
    lines = (Line("interviewer", parting, turn.id, why or "the turn is done"),) if parting else ()
    following = now.case.turn(then) if then else now.case.turn_after(turn.id)
    while box_over and following is not None and following.phase == turn.phase:
        following = now.case.turn_after(following.id)
    return lines, following.id if following is not None else ""


def _parting_text(now: Conversation, turn: Turn) -> str:
    """The interviewer's words on the way to the next turn; who has asked for all facts hears of no others."""
    wanted = {mark.criterion for mark in now.variant_of(turn.id).score("").marks} if turn.kind == OPEN else {""}
    if not wanted <= set(now.given_facts):
        return turn.parting_text
    kept = [one for one in split_sentences(turn.parting_text) if not _OF_UNASKED.search(one)]
    return " ".join(kept)


def _enter_turn(now: Conversation, turn: Turn, why: str) -> Conversation:
    """The conversation with a turn begun: its question asked with its numbers, and its facts replaced."""
    usual = {c.id: Fraction(c.usual_number) for c in now.case.commitments}
    own = [name for name in turn.item.draw(SeededRng(turn.item.id, now.seed)).drawn_value_texts() if name in usual]
    choices = ({**usual, **taken} for taken in (now.numbers, {}))  # the usual ones for "save every 0 minutes"
    drawn = [{name: points_decimal(known[name]) for name in own} for known in choices]
    taken = now.numbers if _can_take(turn.item, drawn[0]) else {}
    text = _ask_numbered(now, turn, taken, {name: usual[name] for name in own if name not in taken})
    line = Line("interviewer", text, turn.id, why or ("a branch led here" if turn.is_branch_only else "the next turn"))
    return replace(
        now, turn_id=turn.id, lines=(*now.lines, line),
        drawn_by_turn={**now.drawn_by_turn, turn.id: drawn[0] if taken is now.numbers else drawn[1]},
        changed_facts={**now.changed_facts, **turn.changed_facts},
    )  # fmt: skip


def _ask_numbered(now: Conversation, turn: Turn, taken: Mapping[str, Fraction], assumed: Mapping[str, Fraction]) -> str:
    """The question of a turn with the numbers `taken` by the candidate; it names those that are `assumed`, and those of
    the candidate that it does not take."""
    ask = fill_numbers(turn.ask, taken, now.case)
    text = f"Take {', '.join(_number_texts(now.case, assumed))}. {ask}" if assumed else ask
    written = committed_numbers(turn.ask, now.case.commitments)
    other = {name: now.numbers[name] for name, x in written.items() if now.numbers.get(name, x) != x}
    if not other:
        return text
    return f"You took {', '.join(_number_texts(now.case, other))}; this question takes another. {text}"


def _can_take(item: Item, drawn: Mapping[str, str]) -> bool:
    """Whether a numeric item can be asked with these numbers."""
    try:
        item.redraw(drawn, SeededRng(item.id, ""))
    except ValueError:
        return False
    return True


def rule_text(branch: Branch, case: Case) -> str:
    """The rule of a branch of a case in words, for the debrief."""
    c, labels = branch.condition, {one.id: one.label for one in case.commitments}
    if c is None:
        return "nothing else applied"
    parts = [f"you covered “{n.replace('-', ' ')}”" for n in c.met_criteria]
    parts += [f"you left out “{n.replace('-', ' ')}”" for n in c.unmet_criteria]
    parts += [f"what you said contradicts “{n.replace('-', ' ')}”" for n in c.contradicted_criteria]
    parts += [f"you said {labels[b.commitment_id]} {b.relation} {points_decimal(b.number)}" for b in c.bounds]
    parts += [f"you gave no number for {labels[n]}" for n in c.uncommitted_ids]
    parts += [f"you asked for “{n}”" for n in c.requested_facts]
    parts += [f"you never asked for “{n}”" for n in c.unrequested_facts]
    parts += [f"your number is below {c.below}"] if c.below is not None else []
    parts += [f"your number is above {c.above}"] if c.above is not None else []
    parts += [f"the answer was {' or '.join(c.outcomes)}"] if c.outcomes else []
    return ", ".join(parts)
