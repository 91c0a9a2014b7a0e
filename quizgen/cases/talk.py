"""A conversation as a value: everything said, its current turn, and the rules for the interviewer's next words.

`answer` decides the effect of a candidate's text, as an `Exchange`; `conversation_after` is what follows it. A log
contains the exchanges, so that a resumed conversation takes the same way even if a rubric has changed since."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction

from quizgen.answer_areas import Blank
from quizgen.cases.case import OPEN, Branch, BranchCondition, Case, Commitment, Fact, Turn
from quizgen.cases.commitments import amount_off_by_factor, committed_numbers, is_named
from quizgen.cases.listening import (
    AS_SAID,
    ASK,
    GENERIC_WORDS,
    GUESS,
    IF_FINE,
    RECALL,
    STATEMENT,
    TALK_KINDS,
    YOUR_CHOICE_REPLY,
    Sentence,
    answer_clause,
    asks_of_duty,
    asks_surely,
    clarification_reply,
    content_stems,
    find_aside,
    is_about_talk,
    is_story,
    is_surely_talk,
    is_two_sided,
    long_word_stems,
    permission_reply,
    phrase_pattern,
    plain_words,
    related_fact,
    remark_reply,
    sort_sentences,
    split_sentences,
    talk_reply,
    term_meaning,
    thing_asked_about,
    word_meant,
)
from quizgen.cases.recall import (
    asks_for_what_was_told,
    asks_of_question,
    asks_surely_for_told,
    best_told,
    echoes,
    has_number,
    told_answer,
    wants_all,
    wants_opening,
)
from quizgen.cases.remarks import (
    CLARIFY,
    DONE,
    EITHER_REPLY,
    HELP,
    IN_SHORT_REPLY,
    LIKENESS_EXACT,
    LIKENESS_NEAR,
    LIKENESS_PERHAPS,
    LIKENESS_PROBABLE,
    LIKENESS_SLIGHT,
    LIKENESS_SURE,
    PERMISSION,
    RECAP_REPLY,
    REPEAT,
    SKIP,
    SMALL_TALK,
    WAIT,
    nearest_remark,
    reply_beside_answer,
    talk_odds,
    without_question,
)
from quizgen.draw import SeededRng
from quizgen.model import Item, Mark, Outcome, Score, Variant
from quizgen.source.problems import points_decimal

MAX_SHORT_WORDS = 20  # words; a longer text is always an answer
MIN_REMARK_WORDS = 3  # of a remark that is known by its words alone
MAX_BRIEF_REPLY_WORDS = 3  # words; such a text may answer any follow-up
MAX_PROBES_PER_TURN = 2  # probes in one turn
TALK_ODDS = 1.4  # odds from which a text is talk: one answer in a hundred has as much
SURE_TALK_ODDS = 2.5  # the same where the candidate asks
LIKE_A_REMARK = 0.25  # likeness of a question about one of the two who talk that is for the interviewer
TWO_SIDED_TALK_ODDS = 5.0  # the same for a question with two sides, either of which may do
NO_TALK_ODDS = -1.0  # odds below which a text is an answer
QUESTION_ODDS = 0.3  # the same for a question beside an answer, which is then for the interviewer
PERHAPS_TALK_ODDS = 0.2  # odds from which a statement alone may be talk
OWN_KINDS = frozenset({CLARIFY, ASK, GUESS, STATEMENT})  # of questions that a candidate may ask to answer them
WISH_KINDS = frozenset({CLARIFY, RECALL})  # sentences that want no new fact
REQUEST_KINDS = frozenset({CLARIFY, PERMISSION, ASK, GUESS, RECALL})  # sentences that ask the interviewer for something
JOINED_KINDS = (OPEN, "text")  # turns whose responses accumulate; in others a response replaces the previous one
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
BEYOND_FACTS_REPLY = "Beyond that, assume what you need, and say it."
LATER_REPLY = "We will come to that. Go on without it for now."
UNCLEAR_REPLY = "I can't tell what you mean by that. Back to the question: {question} {form}"
UNREADABLE_REPLY = "I can't tell which part of that is your answer. {form}"
ANSWERED_REPLY = "Take it as you did: I go by what you said."
DUTY_REPLY = "The question again: {whole} What it leaves open, you choose."
EITHER_OPEN_REPLY = "The question again: {question} What it leaves open, you choose."
FORM_BESIDE_REPLY = "{form} I take what you gave."
TAKEN = "You have answered that."
WHEN_READY_REPLY = "All right. When you are ready: {question}"
STORY_REPLY = "There is always a story. Back to ours: {question}"
IS_THAT_IT_REPLY = "Is that your answer? If so, say “yes”. The question was: {question}"
NO_HINT_REPLY = "Then begin with what is given, and commit to your best guess; or say “skip”."
ASK_FOR_IT_REPLY = "Ask me for it: what I have, I tell you."
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
# Asks for a fact, where "a cache?" is a guess.
_ASKS_FOR = re.compile(
    r"\W*(?:(?:and|or|so|since|until|in|by|how|which|who|whose|when|where|any\w*|what(?! if)|why(?! not))\b"
    r"|(?:is|are|was|were|do|does|did|can|could|may|must|should|will|has|have)\s+(?!(?:it|that|this)\b))",
    re.IGNORECASE,
)
_CHANGES = re.compile(r"\b(?:change|buy|replace|rewrite|swap|order)\b", re.IGNORECASE)  # asks for no fact
_IGNORES = re.compile(r"\b(?:ignor|neglect|leav|skip|disregard)", re.IGNORECASE)  # starts what is left out
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
_PERSON = re.compile(r"\b(?:please|i|i['’]\w+|me|my|you|you['’]\w+|your)\b", re.IGNORECASE)
_DENIES = re.compile(r"\b(?:never|not|\w+n['’]t)\b", re.IGNORECASE)
_HEDGE = re.compile(
    r"\b(?:i (?:would )?(?:suppose|guess|think|believe|mean)|i['’]d (?:say|guess)|not sure)\b|,? and so on\b",
    re.IGNORECASE,
)
# "One sec", which is no answer to a question for a time.
_WAITS = re.compile(
    r"\b(?:one|two|five|ten|a|half an?) (?:more )?(?:secs?|seconds?|moments?|min(?:ute)?s?)\b", re.IGNORECASE
)
_CLOCK = re.compile(
    r"\b(?:times?|minutes?|hours?|clock|long(?:er)?|parts?|sections?|questions?|left|more|done|finish\w*|over|end|next|last|ahead"
    r"|hurry|schedule|far|slot|late|while|there yet|speed\w*|pace|that it|everything|through|come|coming|remain\w*|go"
    r"|plan)\b",
    re.IGNORECASE,
)
# Asks what the interviewer wants: "are you after the cause or the cure", "how many actions did you want".
_WANTED = re.compile(
    r"\b(?:are|were) you (?:after|looking for|hoping for|expecting|asking|interested in)\b"
    r"|\b(?:do|did|would|should|you['’]d) you (?:want|expect|need|care|like|prefer)\b"
    r"|\byou(?:['’]d)? (?:want|expect|care about)\b",
    re.IGNORECASE,
)
_SUPPOSES = re.compile(
    r"\b(?:assum|suppos|presum|pretend|treat|tak(?:e|ing)|count on|rely|lean on|right that|lose)", re.IGNORECASE
)
_LOOKS = re.compile(r"\b(?:look at|see|read|check|inspect|access|show me)\b", re.IGNORECASE)  # wants data
_GUESSES = re.compile(r"\W*(?:so )?i (?:suppose|guess|take it)\b", re.IGNORECASE)
_OF_THE_TWO = re.compile(r"\b(?:me|my|you|your)\b(?! user| customer)", re.IGNORECASE)  # in a question that is no answer
_EXCLAIMS = re.compile(
    r"\W*(?:wow|whoa|ha(?:ha)*|oh|ooh|phew|whew|gosh|ouch|yikes|ugh|oof|blimey|dang|man|boy|jeez|huh)\b(?![^.]*\bi['’]?d\b)",
    re.IGNORECASE,
)
# A question that a candidate may ask in order to answer it: "What is slow here? The disk."
_OWN_QUESTION = re.compile(
    r"\W*(?:so |and )?(?:what|which|how|why|where|when|who)\b(?!.*\b(?:meant?|means|call|again|by the way)\b)",
    re.IGNORECASE,
)
_IS_THAT = re.compile(r"(?:is|was|are|were) (?:that|it|this|those|these|they)\b.*\?$", re.IGNORECASE)
_WAS = re.compile(r"(?:what|which|how \w+|when|where|who) (?:\w+ )?(?:was|were)\b.*\?$", re.IGNORECASE)
_NEXT_QUESTION = re.compile(
    r",\s+(?:and |or )?(?=(?:what|which|how|who|when|where|can|may|must|do|does|is|are)\b)", re.IGNORECASE
)
_OF_SAME = re.compile(
    r"(?:so |and )?(?:which|what|how)(?:['’]s| \w+['’]s| \w+ (?:is|do|did)| (?:is|do|did))(?: \w+){1,3}\?",
    re.IGNORECASE,
)
_OF_UNASKED = re.compile(r"\b(?:not ask|n['’]t ask|the rest|(?:what|anything|all) else|never asked)\b", re.IGNORECASE)
_AGAIN = re.compile(r"\b(?:again|once more|one more time)\W*$", re.IGNORECASE)
# ", so every 30 minutes." at the end of a calculation.
_RESULT_CLAUSE = re.compile(
    r"[,;.:]\s+((?:so|thus|hence|therefore|i['’]d say|let['’]s say|say|that is|right)\b[^,;:]*?)\.?$"
)
_YES_OR_DENIAL = re.compile(
    r"(?:^|[.!?;]\s)\W*(?:yes|no|yeah|nope|nothing|none|nobody|never(?! mind))\b", re.IGNORECASE
)
# Begins what somebody would do, and no remark.
_ACTS = re.compile(
    r"\W*(?:so |then |well |first )*(?:i['’]d|i would|i['’]ll|i will|we|you['’]d|i) "
    r"(?!like|rather|love|need|have|had|was|am|feel|think|guess|know|see|hope|mean|used|once)",
    re.IGNORECASE,
)
# The same without a doubt: no past, and nothing that is done in the talk.
_WOULD_DO = re.compile(
    r"\W*(?:so |then |well |first |if [^,.?!]*, )*(?:i|we|you)(?:['’]d|['’]ll| would| will)(?: then| just)? "
    r"(?!like|rather|sooner|love|need|want|have|had|be|do|try|know|see|think|guess|hope|mean|prefer|appreciate|enjoy|hate"
    r"|welcome|struggle|wager|suppose|assume|keep|come|go|get|begin|start|return|reach|draw|sketch|use|ask)",
    re.IGNORECASE,
)
# Asks the interviewer for a fact in any place.
_TO_YOU = phrase_pattern("""
    by the way, do we|you|they know|have, did|have you say|said|mention*, ^ is|are there any,
    what does|do ... mean|means|stand|stands, was|were that|it|this|those per|for|in|the|a ... or
""")
# Which of two goes first, and which of two forms an answer should have: "a figure, or the route to it?".
_ORDER = re.compile(r"\b(?:first|start|starting|begin|order|open|prefer|whichever|rather)\b", re.IGNORECASE)
_FORMS = re.compile(
    r"\b(?:figure|number|sum|calculation|estimate|result|amount|idea|list|bullet|prose|sentence|word|plan|sketch|diagram|route|way|reason"
    r"|working|derivation|explanation|story|text|essay|outline|overview|architecture|choice|decision|recommendation|list)(?:s|es)?\b",
    re.IGNORECASE,
)
# "If the counts are equal, it is hardware": names a case, which is no belief.
_CASES = re.compile(r"\b(?:if|when|whether|unless|either)\b", re.IGNORECASE)
_NAMES_IT = re.compile(r"\b(?:it|that|this)\W+(?:(?:then|probably|more|most|likely|rather)\W+)*$", re.IGNORECASE)
_FOR_YOU = re.compile(r"\b(?:you|your|we|us|our)\b", re.IGNORECASE)
_REASON = re.compile(
    r"^\W*(?:i(?:['’]d (?:say|go for|take)| (?:think|guess|take))|so|well)\b\W*"
    r"|\W+(?:i (?:think|guess|believe|suppose|would say)|i['’]d say|because|since|as|probably)\b.*$",
    re.IGNORECASE,
)
_STANDS = re.compile(
    r"\W*(?:yes|yeah|yep|sure|i(?:['’]m| am) sure|i think so|it stands|no change|pretty sure)\b", re.IGNORECASE
)
# "No more questions", "That's all", "Let's start": ends a turn in which the candidate asks.
_ENOUGH = phrase_pattern("""
    ^ no|nope|begin|start|done|ready thanks|thank? you? $, no|nothing|anything more|further|else thanks|thank? you? $,
    no|any questions $, no|any other|more|further questions, that's|thats all|everything|it thanks|thank? you? $,
    that is all|everything|it $, BE enough, have|got enough|what i need, that's|thats enough,
    that's|thats what|all i need|needed|wanted, ^ let's|lets
    begin|start|go|get|move, let us begin|start|go|move, i'm|am done|finished|ready, i am done|finished|ready,
    ^ i'll|will begin|start, ^ i will begin|start, ^ go ahead $, all|everything i need|needed|wanted, ^ enough,
    that's|is it|all|everything from me, should|will|would do|suffice $, let me start|begin|go, let me get
    going|started, shall we|i start|begin|go, on to the numbers|design|questions|next,
    no more|further|other questions, go|move on|to
""")
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
        return "\n\n".join(given if self.case.turn(name).kind in JOINED_KINDS else given[-1:])


def begin(case: Case, seed: str) -> Conversation:
    """The conversation after its opening and first question."""
    first = next(t for t in case.turns if not t.is_branch_only)
    opened = Conversation(case, seed, first.id, (Line("interviewer", case.opening, first.id, "the opening"),))
    return _enter_turn(opened, first, "the first turn")


def answer(now: Conversation, text: str, in_time: bool = True) -> Exchange:
    """The interviewer's reaction to a text. `in_time` is False if the time is over, so that no probe follows."""
    turn = now.turn
    for read_as in (
        _read_as_insistence,
        _read_as_correction,
        _read_beside_wishes,
        _read_as_answer_beside_question,
        _read_as_number,
    ):
        if (exchange := read_as(now, turn, text, in_time)) is not None:
            return exchange
    if not text.strip() and turn.kind == OPEN:
        return Exchange(turn.id, "", "left", *_move_on(now, turn, "nothing more was asked"))
    option = _find_option(now, text)
    if option != text:
        return replace(answer(now, option, in_time), text=text, clause=option)
    parts = _settle_sentences(now, text)
    kinds = {part.kind for part in parts}
    if in_time and turn.kind == OPEN and _says_enough(now, text, kinds):
        return replace(leaving_exchange(now, "you had asked enough"), text=text)
    if in_time and kinds <= {HELP, SKIP, SMALL_TALK, WAIT} and not kinds.isdisjoint((HELP, SKIP)):
        if SKIP not in kinds:
            return _help_exchange(now, turn, text)
        gone = leaving_exchange(now, "you wanted to go on")
        return replace(gone, text=text, lines=gone.lines or (Line("interviewer", SKIPPED_REPLY, turn.id, ASIDE_RULE),))
    return (_answer_open_turn if turn.kind == OPEN else _answer_asking_turn)(now, turn, text, parts, in_time)


def _read_beside_wishes(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text that asks for a meaning or for what was told: that of the rest, with the reply to the wish;
    None for any other text."""
    wishes, rest = _split_off_wishes(now, text)
    if not wishes or (not in_time and not rest):
        return None
    made = answer(replace(now, is_answered=True), rest, in_time) if rest else None
    lines, facts = _replies_to_sentences(
        replace(now, is_answered=made is not None and made.effect == "response"), wishes
    )
    if made is None:
        return Exchange(turn.id, text, "question", lines, turn.id, facts, clause=text if facts else "")
    if made.effect == "response":
        lines = tuple(_beside(line) for line in lines)
    later = [line for line in made.lines if made.effect != "question" or line.rule not in (NO_ANSWER, GUESS_RULE)]
    ordered = (
        (*later, *lines) if made.effect == "question" and not text.startswith(wishes[0].text) else (*lines, *later)
    )
    asked = " ".join(wish.text for wish in wishes if facts)
    clause = f"{made.clause} {asked}".strip() if turn.kind == OPEN else made.clause or rest
    return replace(made, text=text, clause=clause, lines=_each_once(ordered), given_facts=(*facts, *made.given_facts))


def _split_off_wishes(now: Conversation, text: str) -> tuple[list[Sentence], str]:
    """The sentences of a text that ask for the meaning of a term or for what was told, and the rest. In front of an
    answer, a question that names nobody may be the candidate's own."""
    wishes: list[Sentence] = []
    rest: list[str] = []
    sentences = split_sentences(text)
    for number, sentence in enumerate(sentences):
        wish = _wish_of(now, sentence)
        own = now.turn.kind != OPEN and wish is not None and number + 1 < len(sentences)
        if wish is None or (own and _OWN_QUESTION.match(sentence) and not _is_for_interviewer(wish)):
            rest.append(sentence)
        else:
            wishes.append(wish)
    if wishes:  # "I know two senses of “rollout”. Which one is yours?"
        rest = [one for one in rest if not _OF_SAME.fullmatch(one)]
    return wishes, " ".join(rest) if wishes else text


def _wish_of(now: Conversation, sentence: str) -> Sentence | None:
    """A sentence that asks for the meaning of a term of the case, or for something that was told; None for others."""
    if word := word_meant(now.case.terms, sentence):
        return Sentence(CLARIFY, sentence, word)
    tail = sentence.rpartition(", ")[2]  # "I jotted the rate down, what was the average?"
    if any(asks_for_what_was_told(one) and _recall(now, one)[0] for one in (sentence, tail)):
        return Sentence(RECALL, sentence)
    if (
        _WAS.match(tail)
        and content_stems(tail)
        and not asks_of_question(tail)
        and best_told(tail, _told_texts(now), ())
    ):
        return Sentence(RECALL, sentence)
    if echoes(sentence) and told_answer(sentence, _told_texts(now)):
        return Sentence(RECALL, sentence)
    word = word_meant(now.case.terms, sentence, perhaps=True)
    free = word and ("'" in sentence or '"' in sentence or "“" in sentence or not _facts_asked(now, sentence))
    return Sentence(CLARIFY, sentence, word) if free else None


def _says_enough(now: Conversation, text: str, kinds: Set[str]) -> bool:
    """Whether a text with sentences of these kinds says that the candidate has no more to ask. Before the first
    question, "let's begin" may mean to begin with the questions."""
    plain = plain_words(text)
    if not now.responses.get(now.turn_id) or len(plain.split()) > MAX_SHORT_WORDS or re.search(r"\d", plain):
        return False
    remark, likeness = nearest_remark(text)
    enough = bool(_ENOUGH.search(plain)) or (remark.kind == DONE and likeness >= LIKENESS_PROBABLE)
    return kinds.isdisjoint(REQUEST_KINDS) and enough and not _facts_asked(now, text)


def _answer_open_turn(now: Conversation, turn: Turn, text: str, parts: Sequence[Sentence], in_time: bool) -> Exchange:
    """The effect of a text in a turn in which the candidate asks."""
    reply, given_facts = _replies_to_sentences(now, parts)
    lines, to = ((), turn.id) if in_time else _move_on(now, turn, TIME_OVER_RULE, box_over=True)
    talks = talk_odds(text, _answer_stems(now.case, turn)) >= TALK_ODDS
    remark = remark_reply(text, 0.0 if talks else LIKENESS_PERHAPS if _PERSON.search(text) else LIKENESS_PROBABLE)
    heard = _fill_reply(now, remark) if remark else NOTED_REPLY
    noted = () if reply else (Line("interviewer", heard, turn.id, ASIDE_RULE),)
    asks = " ".join(part.text for part in parts if _may_earn_scope(now, part))
    numbers = committed_numbers(text, now.case.commitments)
    return Exchange(turn.id, text, "question", (*reply, *noted, *lines), to, given_facts, numbers, clause=asks)


def _may_earn_scope(now: Conversation, part: Sentence) -> bool:
    """Whether a sentence may earn a point where the candidate asks: a remark never, a wish for leave only if a fact of
    the case answers it."""
    if part.kind == PERMISSION:
        return bool(_reply_to_question(now, part)[1])
    return part.kind not in TALK_KINDS | WISH_KINDS


def _answer_asking_turn(now: Conversation, turn: Turn, text: str, parts: Sequence[Sentence], in_time: bool) -> Exchange:
    """The effect of a text in a turn that asks the candidate. A question before the candidate's own answer is not a
    question to the interviewer."""
    if turn.kind == "text" and ARE_YOU_SURE in now.lines[-1].text and _STANDS.match(text):
        return _response_exchange(now, turn, text, {}, (), (), in_time)
    if in_time and parts and not _is_answer(now, turn, text, parts):
        replies, facts = _replies_to_sentences(now, [part for part in parts if part.kind != STATEMENT])
        replies = replies or (_unclear_line(now, NO_ANSWER, text),)
        return Exchange(turn.id, text, "question", replies, turn.id, facts)
    statements = " ".join(part.text for part in parts if part.kind == STATEMENT)
    values = committed_numbers(text, now.case.commitments) or _unnamed_number(turn, statements, now.case.commitments)
    last = max((n for n, part in enumerate(parts) if part.kind == STATEMENT), default=-1)
    before, facts = _replies_beside_answer(now, parts[: last + 1], True)
    after, more = _replies_beside_answer(now, parts[last + 1 :], False)
    return _response_exchange(now, turn, text, values, (*facts, *more), _each_once((*before, *after)), in_time)


def _each_once(lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines that say something, each text once."""
    return tuple({line.text: line for line in lines if line.text}.values())


def _replies_beside_answer(
    now: Conversation, parts: Sequence[Sentence], is_before: bool
) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The replies to the questions and wishes before or after an answer, and the facts given with them. Before an
    answer a question may be the candidate's own: "What do I save? Weights." A guess that earns nothing is a part of the
    answer. A question that has the words of remarks never meets silence."""
    heard = replace(now, is_answered=True)
    wants = [part for part in parts if _is_for_interviewer(part) or (not is_before and part.kind in REQUEST_KINDS)]
    lines, facts = _replies_to_sentences(heard, wants)
    own = {GUESS_RULE, NO_FACT_RULE} if is_before else {GUESS_RULE}
    lines = tuple(line for line in lines if line.rule not in own)
    questions = (p.text for p in wants if p.kind != WAIT and p.text.endswith("?"))
    if not lines and any(_talk_odds_here(now, text) >= QUESTION_ODDS for text in questions):
        lines = (Line("interviewer", ANSWERED_REPLY, now.turn_id, ASIDE_RULE),)
    return tuple(_beside(line) for line in lines), facts


def _beside(line: Line) -> Line:
    """A reply beside an answer: a question that is said once more is answered already."""
    repeats = line.text.startswith("I asked: ") and not line.text.endswith(TAKEN)
    return replace(line, text=f"{line.text} {TAKEN}") if repeats else line


def _is_for_interviewer(part: Sentence) -> bool:
    """Whether a part beside an answer is for the interviewer; a question of the candidate's own must name one of the
    two who talk, or have two sides."""
    if part.kind not in OWN_KINDS or (part.kind == CLARIFY and not part.text.endswith("?")):
        return True
    wants = _FOR_YOU.search(part.text) or _TO_YOU.search(plain_words(part.text)) or _AGAIN.search(part.text)
    return (
        bool(wants)
        or is_two_sided(part.text)
        or (part.kind == CLARIFY and talk_odds(part.text, frozenset()) >= SURE_TALK_ODDS)
    )


def _read_as_answer_beside_question(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of a number or an option beside a question or a remark ("May I sketch? D, because it is read
    together"): that of the answer, with the reply in front; None for any other text."""
    if turn.kind not in ("choice", "numeric"):
        return None
    beside, rest = _split_off_remarks(now, text)
    if not beside:
        return None
    made = answer(now, rest, in_time)
    if made.effect != "response":
        return None
    reply, given_facts = _replies_beside_answer(now, beside, True)
    lines = _each_once((*reply, *made.lines))
    return replace(
        made, text=text, clause=made.clause or rest, lines=lines, given_facts=(*given_facts, *made.given_facts)
    )


def _split_off_remarks(now: Conversation, text: str) -> tuple[list[Sentence], str]:
    """The questions and remarks of a text, and the rest with the number or the option; no remarks if the rest cannot be
    read. Statements in front of a number that the text as a whole gives are a part of it."""
    parts, whole = [_settle_as_talk(now, part) for part in sort_sentences(text)], _can_read(now, text)
    first = next((n for n, part in enumerate(parts) if _can_read(now, part.text)), 0)
    beside = [p for n, p in enumerate(parts) if n != first and (p.kind != STATEMENT or (n < first and not whole))]
    rest = " ".join(part.text for part in parts if part not in beside)
    return ([], text) if whole and not _can_read(now, rest) else (beside, rest)


def _can_read(now: Conversation, text: str) -> bool:
    """Whether a text can be read as the number or the option. "Within a factor of two, good enough?" has none."""
    in_words = now.turn.kind == "numeric" and not re.search(r"\d", text) and len(text.split()) > 3
    if in_words and (_asks_time(text) or text.endswith("?")):
        return False
    return _is_readable(now.variant.score(_find_option(now, text)))


def _asks_time(text: str) -> bool:
    """Whether a text without digits asks for time: "My phone died, one sec, okay." """
    waits = _WAITS.search(text) and not re.search(r"\d", text)
    return bool(waits) and talk_odds(text, frozenset()) >= PERHAPS_TALK_ODDS


def _find_option(now: Conversation, text: str) -> str:
    """The letter or the option's words in a text ("I'd go for B", "The last one, I think"); the text if there is
    none, or if it can be read as it is."""
    if now.turn.kind == "choice" and not _is_readable(now.variant.score(text)):
        letter = _LETTER.match(text)
        for option in (letter[1] if letter else "", _REASON.sub("", text).strip()):
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


def _is_answer(now: Conversation, turn: Turn, text: str, parts: Sequence[Sentence]) -> bool:
    """Whether a text with these parts answers the turn. A number or an option beside a question or a remark must be
    readable."""
    said = " ".join(part.text for part in parts if part.kind == STATEMENT)
    if not said:
        return False
    if turn.kind == "text":
        # "Once more? I believe it was this.", "Whoa, a mouthful. Again, please?"
        strange = content_stems(_HEDGE.sub("", said)).isdisjoint(_answer_stems(now.case, turn))
        talks = any(part.kind == REPEAT for part in parts)
        return not _may_be_no_answer(now, said) and not (talks and strange and now.variant.score(said).earned == 0)
    if _is_spoken_talk(said):
        return False
    return all(part.kind == STATEMENT for part in parts) or _can_read(now, text)


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


def _may_be_no_answer(now: Conversation, text: str) -> bool:
    """Whether a statement alone may be no answer: it has the words of remarks, or is about one of the two who talk.
    Where it earns something it must be the latter. What somebody would do, a number, yes and no are answers."""
    if _EXCLAIMS.match(text) and len(text.split()) <= MAX_SHORT_WORDS and now.variant.score(text).earned == 0:
        return True
    if _begins_answer(now, text):
        return False
    if _tells_action(text):
        return is_surely_talk(text)
    text = _HEDGE.sub("", text)
    score = now.variant.score(text)
    marks = score.marks if now.turn.kind == "text" else ()
    if score.mistake_id:  # a wrong belief
        return False
    if any(mark.earned or mark.status in DENIED_STATUSES for mark in marks):
        return _is_of_person_alone(now, text)
    least = TALK_ODDS if now.probes.get(now.turn_id) else PERHAPS_TALK_ODDS
    return is_surely_talk(text) or _talk_odds_here(now, text) >= least or _is_of_person_alone(now, text)


def _is_of_person_alone(now: Conversation, text: str) -> bool:
    """Whether a text is about one of the two who talk, has no word of the case, and tells no action."""
    if not _PERSON.search(text) or _ACTS.match(text):
        return False
    return (
        content_stems(text).isdisjoint(_answer_stems(now.case, now.turn)) and _talk_odds_here(now, text) >= NO_TALK_ODDS
    )


def _talk_odds_here(now: Conversation, text: str) -> float:
    """The odds of a text as talk here: words of the case and of its last question speak for an answer."""
    return talk_odds(text, _answer_stems(now.case, now.turn) | long_word_stems(now.lines[-1].text))


def _tells_action(text: str) -> bool:
    """Whether a sentence of a text begins what somebody would do: "I'd call the team." """
    return any(_WOULD_DO.match(one) for one in split_sentences(text))


def _begins_answer(now: Conversation, text: str) -> bool:
    """Whether a text has a number, has a sentence that begins with yes or a denial, or follows a text that was asked
    about and is no remark."""
    if re.search(r"\d", text) or _YES_OR_DENIAL.search(text) or AS_SAID.search(text):
        return True
    return now.lines[-1].rule == NO_ANSWER and nearest_remark(text)[1] < LIKENESS_PROBABLE


def _unclear_line(now: Conversation, why: str, text: str) -> Line:
    """The reply to a text that seems no answer: that of its theme, else the question again. A statement on a text turn
    may be one nevertheless."""
    remark, likeness = nearest_remark(text)
    asks = text.endswith("?")
    least = LIKENESS_PROBABLE if asks else LIKENESS_PERHAPS
    if remark.kind in (CLARIFY, PERMISSION) or remark.reply.startswith("Good"):  # a wrong answer must not hear "good"
        least = LIKENESS_NEAR if asks or _PERSON.search(text) else LIKENESS_EXACT
    known = remark.reply if likeness >= least and remark.kind != ASK else STORY_REPLY if is_story(text) else ""
    known = known or (UNCLEAR_REPLY if asks else _doubtful_reply(now, text))
    return Line("interviewer", _fill_reply(now, known), now.turn_id, why)


def _doubtful_reply(now: Conversation, text: str) -> str:
    """The reply to a statement that is like no remark: one about a person alone is let pass."""
    if _is_of_person_alone(now, text) or _EXCLAIMS.match(text):
        return WHEN_READY_REPLY
    return IS_THAT_IT_REPLY if now.turn.kind == "text" else UNCLEAR_REPLY


def _answer_stems(case: Case, turn: Turn) -> frozenset[str]:
    """The stems of words that an answer to a turn may contain: those of questions, facts, model answers and terms."""
    asked = (turn.ask, turn.model_answer, *(branch.say for branch in turn.branches))
    known = (case.opening, *(fact.say for fact in case.facts), *case.terms)
    return content_stems(" ".join((*known, *asked))) - GENERIC_WORDS


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


def _read_as_number(now: Conversation, turn: Turn, text: str, in_time: bool) -> Exchange | None:
    """The effect of a text in a numeric turn that insists on a doubted number, or gives one in a clause; None for any
    other text."""
    variant = now.variant
    if turn.kind != "numeric":
        return None
    if now.probes.get(turn.id) and _STANDS.match(text) and variant.number_in(text) is None:
        return Exchange(turn.id, text, "left", *_move_on(now, turn, "you stand by it", box_over=not in_time))
    if _can_read(now, text) or find_aside(text) is not None or _is_spoken_talk(text):
        return None
    rest = " ".join(one for one in split_sentences(text) if find_aside(one) is None and not _asks_in_words(one))
    if _asks_time(rest):
        return None
    clause = answer_clause(rest, lambda clause: find_aside(clause) is None and _can_read(now, clause))
    if clause in ("", text.strip()):
        return None
    parts = [_settle_as_talk(now, part) for part in sort_sentences(text)]
    beside = [part for part in parts if part.kind != STATEMENT and clause not in part.text]
    lines, facts = _replies_beside_answer(now, beside, True)
    made = answer(now, clause, in_time)
    lines = _each_once((*lines, *made.lines))
    return replace(made, text=text, clause=clause, lines=lines, given_facts=(*facts, *made.given_facts))


def _asks_in_words(sentence: str) -> bool:
    """Whether a question has no digits: "Was it twenty billion a day?" gives no number."""
    return sentence.endswith("?") and not re.search(r"\d", sentence)


def _settle_sentences(now: Conversation, text: str) -> list[Sentence]:
    """The parts of a text. A guess becomes an answer if it earns points, can be read as one, or ends an answer ("about
    8e23. So ten days?"); else it becomes a question."""
    wishes, rest = _split_off_wishes(now, text)
    if wishes:
        return [*wishes, *(_settle_sentences(now, rest) if rest else ())]
    if now.turn.kind in ("choice", "numeric") and _can_read(now, text) and not _is_talk(text):
        return [Sentence(STATEMENT, text)]
    if now.turn.kind == OPEN:
        return [_settle_in_open_turn(now, part) for part in sort_sentences(text)]
    parts = [_settle_as_talk(now, _settle_in_asking_turn(now, part)) for part in sort_sentences(text)]
    if all(part.kind != STATEMENT for part in parts):
        return parts
    return [replace(part, kind=STATEMENT) if _is_of_answer(now, part) else part for part in parts]


def _is_of_answer(now: Conversation, part: Sentence) -> bool:
    """Whether a question beside a statement is a part of the answer: a guess for no fact ("So ten days?"), or one that
    only begins like a question ("What I would keep is the mix.")."""
    if part.kind == GUESS:
        talks = _PERSON.search(part.text) and _talk_odds_here(now, part.text) >= PERHAPS_TALK_ODDS
        return not talks and not _facts_asked(now, part.text)
    return part.kind == ASK and not asks_surely(part.text)


def _settle_in_open_turn(now: Conversation, part: Sentence) -> Sentence:
    """A part in a turn in which the candidate asks: a fact may be requested in any words."""
    of_person = bool(_PERSON.search(part.text))
    if _facts_asked(now, part.text):
        return _settle_fact_request(now, part, of_person)
    if of_person:
        part = _settle_as_talk(now, part, SURE_TALK_ODDS)
    amount = not of_person and part.kind == SMALL_TALK and _AMOUNT.search(part.text) and part.text.endswith("?")
    return replace(part, kind=ASK, about="") if part.kind == GUESS or amount else part


def _settle_fact_request(now: Conversation, part: Sentence, of_person: bool) -> Sentence:
    """A part with the words of a fact: it requests the fact, unless it is a remark, or a statement `of_person` that has
    the words of remarks ("I haven't interviewed in six years")."""
    remark, _ = nearest_remark(part.text)
    chats = part.kind == STATEMENT and of_person and remark.kind == SMALL_TALK and not asks_surely(part.text)
    if chats and _talk_odds_here(now, part.text) >= TALK_ODDS:
        return Sentence(SMALL_TALK, part.text, remark.reply)
    talks = talk_reply(part.text) or remark_reply(
        part.text, LIKENESS_EXACT if asks_surely(part.text) else LIKENESS_NEAR
    )
    states = part.kind in (STATEMENT, SMALL_TALK, HELP, WAIT, REPEAT)
    wanted = part.kind == GUESS or (states and not talks)
    return replace(part, kind=ASK, about="") if wanted else part


def _settle_in_asking_turn(now: Conversation, part: Sentence) -> Sentence:
    """A part in a turn that asks the candidate: a guess that earns points or can be read is an answer, also if it looks
    like a question without its mark ("how much a rank holds depends on K and V")."""
    acts = part.kind in (PERMISSION, *TALK_KINDS) and not _asks_back(part.text) and _is_of_case(now, part.text)
    answers = acts or (part.kind not in (CLARIFY, STATEMENT) and _is_answering(now, part))
    return replace(part, kind=STATEMENT) if answers else part


def _asks_back(text: str) -> bool:
    """Whether a text wants a word of the interviewer: it ends with a question mark or wants consent."""
    return text.endswith("?") or bool(IF_FINE.search(plain_words(text)))


def _is_of_case(now: Conversation, text: str) -> bool:
    """Whether a statement tells an action, or has the words of answers, not those of remarks."""
    return _tells_action(text) or _talk_odds_here(now, text) < NO_TALK_ODDS


def _settle_as_talk(now: Conversation, part: Sentence, odds: float = TALK_ODDS) -> Sentence:
    """A part of a text: a statement or a question that has the words of remarks (at least `odds`), earns nothing and
    requests no fact is the remark that it resembles. A question of the candidate's own must resemble it more."""
    remark, _ = nearest_remark(part.text)
    if part.kind not in (ASK, GUESS, STATEMENT) or remark.kind in (ASK, DONE, HELP, SKIP):
        return part
    if len(part.text.split()) < MIN_REMARK_WORDS:  # "Not sure."
        return part
    if part.kind != STATEMENT and is_two_sided(part.text):
        odds = TWO_SIDED_TALK_ODDS
    if part.kind != STATEMENT and not _resembles_remark(now, part.text):
        return part
    if part.kind == STATEMENT and remark.kind == PERMISSION:  # "I leave it running" wants no permission
        return part
    if not _sounds_like_talk(now, part.text, odds) or _facts_asked(now, part.text):
        return part
    if remark.kind == CLARIFY:
        return Sentence(CLARIFY, part.text, part.text, part.text)
    return Sentence(remark.kind, part.text, "" if remark.kind == PERMISSION else remark.reply)


def _resembles_remark(now: Conversation, question: str) -> bool:
    """Whether a question may be for the interviewer by its likeness to a remark. One that names none of the two who
    talk must be more like it, and about nothing of the case; one for an amount must name the interviewer."""
    likeness = nearest_remark(question)[1]
    if _AMOUNT.search(question) and not _FOR_YOU.search(question):
        return False
    if _PERSON.search(question):
        return likeness >= LIKE_A_REMARK
    strange = content_stems(question).isdisjoint(_answer_stems(now.case, now.turn))
    return likeness >= LIKENESS_PERHAPS and strange and not thing_asked_about(question)


def _sounds_like_talk(now: Conversation, text: str, least: float) -> bool:
    """Whether a text without a number has the words of remarks (odds of `least`), earns nothing, and is no action."""
    if (not text.endswith("?") and _begins_answer(now, text)) or _tells_action(text):
        return False
    score = now.variant.score(text)
    tells = now.turn.kind == "text" and (score.earned > 0 or bool(score.mistake_id))
    return _talk_odds_here(now, text) >= least and not tells


def _is_answering(now: Conversation, part: Sentence) -> bool:
    """Whether a part that looks like a request or a remark is an answer: it replies to a follow-up, earns points, or
    can be read as one."""
    follows_up = bool(now.probes.get(now.turn_id))
    if part.kind != GUESS and asks_surely(part.text):
        states = follows_up and re.match(r"\W*how\b[^?]*$", part.text, re.IGNORECASE)  # "How many tokens are left."
        return bool(states) and not content_stems(part.text).isdisjoint(_answer_stems(now.case, now.turn))
    chats = part.kind in TALK_KINDS and not _PERSON.search(part.text)
    if follows_up and chats and nearest_remark(part.text)[1] < LIKENESS_SURE:
        return True
    if part.kind == GUESS and _OF_THE_TWO.search(part.text) and not _WOULD_DO.match(part.text):
        return False
    text = part.rest if part.kind in TALK_KINDS else part.text
    score = now.variant.score(text)
    if part.kind != GUESS:
        return score.earned > 0
    readable = now.turn.kind in ("choice", "numeric") and _can_read(now, text)
    return (score.earned > 0 or readable) and not _facts_asked(now, part.text)


def _is_talk(text: str) -> bool:
    """Whether a text with a number in it ("one moment", "what counts as one?") is no answer nevertheless."""
    asks = (CLARIFY, PERMISSION) if re.search(r"\d", text) else (CLARIFY, PERMISSION, ASK)
    return len(text.split()) > 1 and (
        _is_spoken_talk(text) or find_aside(text) is not None or all(part.kind in asks for part in sort_sentences(text))
    )


def _is_spoken_talk(text: str) -> bool:
    """Whether a text without digits is talk about the talk: "Two seconds, I had it on the tip of my tongue." """
    return is_surely_talk(text) and not re.search(r"\d", text)


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
    asks = turn.kind == OPEN and bool(exchange.text and (exchange.clause or _asks_something(now, exchange.text)))
    if exchange.text and (exchange.effect == "response" or asks):
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


def _asks_something(now: Conversation, text: str) -> bool:
    """Whether a text in a turn in which the candidate asks may earn a point of the turn."""
    return any(_may_earn_scope(now, part) for part in _settle_sentences(now, text))


def is_interjection(now: Conversation, text: str) -> bool:
    """Whether a text only wants something of the interviewer, or is about the talk: no part of it can be an answer."""
    kinds = {part.kind for part in _settle_sentences(now, text)}
    return bool(kinds) and kinds <= REQUEST_KINDS | TALK_KINDS and (kinds <= TALK_KINDS or asks_surely(text.strip()))


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
    if turn.kind != "text" or len(given) < 2:
        return _score_of_words(variant, whole if turn.kind in JOINED_KINDS else "".join(given[-1:]))
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
    before = now.responses.get(turn.id, ()) if turn.kind in JOINED_KINDS else ()
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
        return Exchange(now.turn_id, text, "question", reply or (_unclear_line(now, NO_ANSWER, text),), now.turn_id)
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


def _facts_asked(now: Conversation, text: str) -> tuple[str, ...]:
    """The facts that a text requests."""
    heard = _facts_heard(now, text)
    return tuple(f.id for f in now.case.facts if f.id in heard and not _asks_other_number(text, f.id, heard))


def _facts_heard(now: Conversation, text: str) -> dict[str, Sequence[tuple[int, int]]]:
    """The facts with a phrase that a text meets, and where. A question sounds hedged or denied, and requests them
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


def _replies_to_sentences(now: Conversation, parts: Sequence[Sentence]) -> tuple[tuple[Line, ...], tuple[str, ...]]:
    """The replies to the parts of a text that are no statements, each once; and the facts given with them."""
    requests = _requests_of(parts)
    if not requests:
        return _aside_lines(now, parts), ()
    heard = replace(now, is_answered=now.is_answered or len(parts) > 1)
    asides = [p for p in parts if p.kind in (SMALL_TALK, REPEAT) and _is_long(p)]
    lines, names = [_aside_line(heard, p) for p in asides if _is_for_interviewer(p)], []
    several = len(requests) > 1
    for part in requests:
        told, facts = _reply_to_question(now, part)
        if not told and (not several or _is_long(part)):
            told = [_open_line(now, part, f"“{part.text}” " if several and part in parts else "")]
        lines += told
        names += facts
    clear = [line for line in lines if line.rule != GUESS_RULE] or lines
    return _each_once(clear), tuple(dict.fromkeys(names))


def _requests_of(parts: Sequence[Sentence]) -> list[Sentence]:
    """The parts that ask the interviewer for something; of two that ask for a meaning, the one that names the word:
    "Never heard of a bucket, what's that?" """
    requests = [part for part in parts if part.kind in REQUEST_KINDS]
    if any(part.kind == CLARIFY and part.about for part in requests):
        return [part for part in requests if part.kind != CLARIFY or part.about]
    return requests


def _is_long(part: Sentence) -> bool:
    return len(part.text.split()) > MAX_BRIEF_REPLY_WORDS


def _open_line(now: Conversation, part: Sentence, lead: str = "") -> Line:
    """The reply to a question that the case leaves open. It names the thing asked about; outside of the first turn, a
    question of everyday words alone is about the interviewer's question."""
    thing, amount = thing_asked_about(part.text), _AMOUNT.search(part.text)
    of_case = lead or thing or amount or now.turn.kind == OPEN or nearest_remark(part.text)[0].kind == ASK
    if not of_case and is_about_talk(part.text):
        reply = "" if now.is_answered else remark_reply(part.text, LIKENESS_SLIGHT)
        return _aside_line(now, replace(part, kind=SMALL_TALK, about=reply or IN_SHORT_REPLY))
    if thing and not lead:
        reply = "I have no figure for {thing}: assume one, and say it." if amount else NOT_FIXED_REPLY
        return Line("interviewer", reply.format(thing=thing), now.turn_id, NO_FACT_RULE)
    if amount and _THEM.search(part.text) and not content_stems(part.text):
        return Line("interviewer", OF_WHAT_REPLY, now.turn_id, NO_FACT_RULE)
    return Line("interviewer", f"{lead}{NO_FIGURE_REPLY if amount else UNKNOWN_REPLY}", now.turn_id, NO_FACT_RULE)


def _aside_lines(now: Conversation, parts: Sequence[Sentence]) -> tuple[Line, ...]:
    """The reply to talk about the talk: to the first part that wants something."""
    order = (REPEAT, WAIT, SMALL_TALK)
    asides = sorted((p for p in parts if p.kind in order), key=lambda p: order.index(p.kind))
    questions = [part for part in asides if part.text.endswith("?") and asides[0].kind != REPEAT]
    asked = questions or asides[:1]
    lines = [_aside_line(replace(now, is_answered=now.is_answered or part is not asked[-1]), part) for part in asked]
    return _each_once(lines)


def _reply_to_question(now: Conversation, part: Sentence) -> tuple[list[Line], list[str]]:
    """The reply to one question, and the facts given with it; no line if there is nothing to say on it."""
    if part.kind == RECALL:
        return _recall(now, part.text)
    if task := _task_reply(now, part):
        return [_aside_line(now, replace(part, kind=SMALL_TALK, about=task))], []
    if part.kind in (ASK, GUESS) and _is_surely_remark(now, part.text):
        remark, _ = nearest_remark(part.text)
        return [_aside_line(now, replace(part, kind=remark.kind, about=remark.reply))], []
    of_case = part.kind == CLARIFY or re.search(r"\b(?:the|your|our|my)\b", part.text, re.IGNORECASE)
    if not of_case and (meant := term_meaning(now.case.terms, part.about)):
        return [Line("interviewer", meant, now.turn_id, MEANING_RULE)], []
    lines, names = _tell_facts(now, part) if _asks_for_fact(now, part) else ([], [])
    if not lines:
        told, why = _reply_without_fact(now, part)
        return [Line("interviewer", told, now.turn_id, why)] if told else [], []
    if part.kind == PERMISSION and not any(fact.permits for fact in now.case.facts if fact.id in names):
        lines.append(Line("interviewer", BEYOND_FACTS_REPLY, now.turn_id, "you asked leave"))
    return lines, names


def _task_reply(now: Conversation, part: Sentence) -> str:
    """The reply to a question on what the turn wants, with placeholders; empty for any other."""
    if now.turn.kind == OPEN:
        return ""
    if _asks_of_duty(part.text):
        return ANSWERED_REPLY if now.is_answered else DUTY_REPLY
    if (part.kind in (ASK, GUESS) or _GUESSES.match(part.text)) and _WANTED.search(part.text):
        return EITHER_REPLY if is_two_sided(part.text) else IN_SHORT_REPLY
    return ""


def _asks_of_duty(question: str) -> bool:
    """Whether a question asks what an answer has to contain, and is no other remark or request."""
    other = talk_reply(question) or is_two_sided(question) or _SUPPOSES.search(question) or _IGNORES.search(question)
    return asks_of_duty(question) and not other and nearest_remark(question)[1] < LIKENESS_NEAR


def _is_surely_remark(now: Conversation, question: str) -> bool:
    """Whether a question is so like a remark that it is one, whatever facts it has words of. One for an amount must
    name one of the two who talk: "How much do people change?" """
    remark, likeness = nearest_remark(question)
    of_amount = _AMOUNT.search(question) and not _PERSON.search(question)
    least = LIKENESS_EXACT if _facts_asked(now, question) else LIKENESS_SURE
    return remark.kind in TALK_KINDS and likeness >= least and not of_amount


def _asks_for_fact(now: Conversation, part: Sentence) -> bool:
    """Whether the case's facts are searched for a reply: not for the meaning of several words or of a defined word,
    nor for permission to choose or to change something."""
    if part.kind == CLARIFY:
        return False
    return part.kind != PERMISSION or not _CHANGES.search(part.text)


def _reply_without_fact(now: Conversation, part: Sentence) -> tuple[str, str]:
    """The reply to a question that no fact answers, and its rule; empty if there is nothing to say on it."""
    if part.kind == CLARIFY:
        meaning = clarification_reply(now.case.terms, part, _question_text(now))
        vague = now.is_answered and meaning not in now.case.terms.values()
        return ANSWERED_REPLY if vague else meaning, MEANING_RULE
    if part.kind == PERMISSION:
        return _permission_reply(now, part), "you asked leave"
    said = told_answer(part.text, _told_texts(now))
    replies = [
        (term_meaning(now.case.terms, part.about), MEANING_RULE),
        (f"As I said: {said}" if said else "", EARLIER_RULE),
        (_remark_reply(now, part), ASIDE_RULE),
        (_fill_reply(now, EITHER_REPLY, part.text) if is_two_sided(part.text) else "", "you asked which"),
        (_unclear_line(now, ASIDE_RULE, part.text).text if _is_vague(part) else "", GUESS_RULE),
    ]
    return next(((reply, why) for reply, why in replies if reply), ("", ""))


def _is_vague(part: Sentence) -> bool:
    """Whether a guess asks for nothing and is not about the talk."""
    return part.kind == GUESS and not is_about_talk(part.text) and not _ASKS_FOR.match(part.text)


def _permission_reply(now: Conversation, part: Sentence) -> str:
    """The reply to a request for permission that no fact grants: what is usual, or the reply to it as a remark."""
    if now.turn.kind == OPEN and _LOOKS.search(part.text):
        return ASK_FOR_IT_REPLY
    granted, (remark, likeness) = permission_reply(part.text), nearest_remark(part.text)
    if _SUPPOSES.search(part.text) and (told := told_answer(part.text, _told_texts(now))):
        return f"As I said: {told}"
    talks = _talk_odds_here(now, part.text) >= SURE_TALK_ODDS and is_about_talk(part.text)
    if granted in (EITHER_REPLY, YOUR_CHOICE_REPLY) and likeness >= (LIKE_A_REMARK if talks else LIKENESS_SLIGHT):
        return _fill_reply(now, remark.reply, part.text)
    fits = granted in (EITHER_REPLY, YOUR_CHOICE_REPLY) or (remark.kind != PERMISSION and likeness >= LIKENESS_SURE)
    return (fits and _remark_reply(now, part)) or _fill_reply(now, granted)


def _recall(now: Conversation, question: str) -> tuple[list[Line], list[str]]:
    """The sentence that a candidate wants to hear once more, or a fact that was not told yet. For "the numbers" the
    question that has them, else all that was told; no line if nothing fits."""
    words = {*plain_words(question).replace("?", "").replace(",", "").split(), *content_stems(question)}
    heard = _facts_heard(now, question)
    named = [fact for fact in now.case.facts if fact.id in heard or words & {fact.id, *content_stems(fact.id)}]
    says = [now.changed_facts.get(fact.id, fact.say) for fact in named]
    told = _told_texts(now)
    untold = [say for say in says if say not in told]
    best = "" if wants_all(question) else best_told(question, [*untold, *told], says)
    if best in untold:
        return _tell_facts(now, Sentence(ASK, question))
    whole, known = _question_text(now, whole=True), " ".join(known_so_far(now))
    if best.endswith("?") and best in whole:
        reply = f"I asked: {whole}"
    elif best:
        reply = f"{'I asked' if best.endswith('?') else 'As I said'}: {best}"
    elif wants_all(question) and now.turn.kind != OPEN and has_number(whole) and not wants_opening(question):
        reply = f"I asked: {whole}"
    elif wants_all(question):
        reply = f"{now.case.opening} {_recap_text(now)}"
    else:
        reply = f"So far: {known}" if known and asks_surely_for_told(question) else ""
    return ([Line("interviewer", reply, now.turn_id, EARLIER_RULE)] if reply else []), []


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


def _remark_reply(now: Conversation, part: Sentence) -> str:
    """The reply to a question as a remark; empty if it is none. A question of a number, or without a word on the two
    who talk, is about the case unless it is much like a remark."""
    talks = part.kind == PERMISSION or is_about_talk(part.text)
    about_case = not talks and (_AMOUNT.search(part.text) or not _PERSON.search(part.text))
    least = LIKENESS_SURE if about_case else LIKENESS_SLIGHT if talks else LIKENESS_NEAR
    remark, likeness = nearest_remark(part.text)
    return _fill_reply(now, remark.reply, part.text) if likeness >= least and remark.kind != ASK else ""


def _tell_facts(now: Conversation, part: Sentence) -> tuple[list[Line], list[str]]:
    """The facts that a question requests, except those of a later turn."""
    facts = {f.id: f for f in now.case.facts}
    names = _fact_ids_asked_for(now, part, facts)
    open_ = [name for name in names if now.case.may_tell_fact(facts[name], now.turn_id)]
    if names and not open_:
        return [Line("interviewer", LATER_REPLY, now.turn_id, "a later turn says it")], []
    here = {line.text for line in now.lines if line.turn_id == now.turn_id}
    facts_now = [(name, now.changed_facts.get(name, facts[name].say)) for name in open_]
    new = [(name, say) for name, say in facts_now if say not in here]
    return [
        Line("interviewer", say if new else f"As I said: {say}", now.turn_id, f"you asked for “{name}”")
        for name, say in new or facts_now
    ], open_


def _fact_ids_asked_for(now: Conversation, part: Sentence, facts: Mapping[str, Fact]) -> list[str]:
    """The names of the facts that a question requests, also those that a part of it requests by itself."""
    pieces = _NEXT_QUESTION.split(part.text) if now.turn.kind == OPEN else []
    heard = [_facts_asked(now, piece) for piece in pieces if content_stems(piece) - GENERIC_WORDS]
    wanted = tuple(dict.fromkeys((*_facts_asked(now, part.text), *(name for names in heard for name in names))))
    if part.kind == PERMISSION:
        return _fact_ids_for_wish(now, part.text, [facts[name] for name in wanted])
    plain = {name: fact for name, fact in facts.items() if not fact.permits}
    names = [name for name in wanted if name in plain]
    if names or part.kind not in (ASK, GUESS) or now.turn.kind != OPEN:
        return names
    stems = content_stems(part.text)
    called = [name for name in plain if content_stems(name) & stems]
    near = related_fact(part.text, {name: fact.name_stems for name, fact in plain.items()})
    near = near or (called[0] if len(called) == 1 else "")
    return [near] if near else []


def _fact_ids_for_wish(now: Conversation, wish: str, wanted: Sequence[Fact]) -> list[str]:
    """The names of those `wanted` facts that answer a wish: those on permission, else those with a word of the wish."""
    if _IGNORES.search(wish):
        return [fact.id for fact in wanted if fact.permits and not fact.say.startswith(("Yes", "No"))]
    if granted := [fact.id for fact in wanted if fact.permits]:
        return granted
    if now.turn.kind != OPEN and not _SUPPOSES.search(wish):
        return []
    says = {fact.id: now.changed_facts.get(fact.id, fact.say) for fact in wanted}
    return [
        name
        for name, say in says.items()
        if told_answer(wish, [say]) or (now.turn.kind == OPEN and content_stems(wish) & content_stems(say))
    ]


def _interviewer_lines(now: Conversation) -> list[Line]:
    """The interviewer's lines without replies to talk about the talk."""
    return [line for line in now.lines if line.speaker == "interviewer" and line.rule != ASIDE_RULE]


def _aside_line(now: Conversation, part: Sentence) -> Line:
    """The reply to talk about the talk; to a candidate who did not hear, the last line or the question."""
    if part.about == RECAP_REPLY and (told := _tell_facts(now, part)[0]):
        return told[0]
    if part.kind != REPEAT or (now.is_answered and now.turn.kind != OPEN):
        return Line("interviewer", _fill_reply(now, part.about, part.text), now.turn_id, ASIDE_RULE)
    if "question" in part.text.casefold():
        return Line("interviewer", _question_text(now, whole=True), now.turn_id, REPEAT_RULE)
    if now.turn.kind != OPEN:
        return Line("interviewer", _question_text(now, whole=True), now.turn_id, REPEAT_RULE)
    replies = [line for line in _interviewer_lines(now) if line.rule not in (NO_FACT_RULE, NO_ANSWER, GUESS_RULE)]
    if len(replies) == 2:  # nothing but the opening and the first question
        return Line("interviewer", f"{now.case.opening} {replies[-1].text}", now.turn_id, REPEAT_RULE)
    return Line("interviewer", replies[-1].text, now.turn_id, REPEAT_RULE)


def _fill_reply(now: Conversation, reply: str, asked: str = "") -> str:
    """A reply to what was `asked`, with its placeholders filled in."""
    if "{part}" in reply and asked and not _CLOCK.search(asked):
        reply = IN_SHORT_REPLY if now.is_answered else "{whole} {form}"
    reply = _form_beside_answer(now, reply, asked) if now.is_answered else _form_alone(now, reply, asked)
    makers: dict[str, Callable[[Conversation], str]] = {
        "question": _question_text, "form": _answer_form_text, "part": _phase_text, "known": _recap_text,
        "setup": _changed_facts_text,
        "whole": lambda now: _question_text(now, whole=True),
    }  # fmt: skip
    return re.sub(r"\{(\w+)\}", lambda m: makers[m[1]](now) if m[1] in makers else m[0], reply)


def _form_beside_answer(now: Conversation, reply: str, asked: str) -> str:
    """The form of a reply beside an answer; in a turn in which the candidate asks, nothing is asked again."""
    beside = FORM_BESIDE_REPLY if reply == EITHER_REPLY and _FORMS.search(asked) else reply_beside_answer(reply)
    asks_again = "{whole}" in beside or beside == ANSWERED_REPLY
    return without_question(reply) if now.turn.kind == OPEN and asks_again else beside


def _form_alone(now: Conversation, reply: str, asked: str) -> str:
    """The form of a reply that fits the turn: who offers two forms of an answer hears which it wants, and a question
    with no shorter form is said in full."""
    if reply == IN_SHORT_REPLY and (is_two_sided(asked) or talk_reply(asked)):
        return "{form}"
    if reply == IN_SHORT_REPLY and _question_text(now) == _question_text(now, whole=True):
        return "{whole} {form}"
    if reply != EITHER_REPLY or not asked or now.turn.kind == OPEN or _ORDER.search(asked):
        return reply
    if _FORMS.search(asked) or now.turn.kind in ("choice", "numeric"):
        return "{form}"
    return "{whole} {form}" if _WANTED.search(asked) and not is_two_sided(asked) else EITHER_OPEN_REPLY


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
    phases = now.case.phases
    phase = now.case.phase(now.turn.phase)
    part = f"part {phases.index(phase) + 1} of {len(phases)}, “{phase.title}”"
    last = " This is the last question." if now.case.turn_after(now.turn_id) is None else ""
    if now.seconds_left is None:
        return f"This is {part}: {float(phase.minutes):g} minutes.{last}"
    left = max(1, round(now.seconds_left / 60))
    if left >= phase.minutes:
        return f"All {float(phase.minutes):g} minutes are left for {part}.{last}"
    return f"About {left} minute{'s' * (left > 1)} of {float(phase.minutes):g} are left for {part}.{last}"


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
