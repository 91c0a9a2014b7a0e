"""Sorts a candidate's sentences before anything is scored: talk about the talk, a question, a request for permission,
or a statement.

Each class is a table of rows. A row has examples that it reads and one that it must leave to others; tests try them on
the whole table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from quizgen.cases.case import plain_term
from quizgen.cases.remarks import (
    CLARIFY,
    EITHER_REPLY,
    HELP,
    IN_SHORT_REPLY,
    LIKENESS_NEAR,
    LIKENESS_PERHAPS,
    LIKENESS_PROBABLE,
    LIKENESS_SAME,
    LIKENESS_SLIGHT,
    LIKENESS_SURE,
    NO_REMARK,
    PERMISSION,
    REPEAT,
    SKIP,
    SMALL_TALK,
    WAIT,
    Remark,
    nearest_remark,
    remark_words,
    remarks,
    word_rows,
)

ASK: Final = "ask"
RECALL: Final = "recall"  # wants to hear something once more that was told
GUESS: Final = "guess"  # "872 MB?": an answer or a question, depending on the case
STATEMENT: Final = "said"


def _word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of conversation that no answer depends on: a text of these alone may be talk about the talk.
EVERYDAY_WORDS: Final = frozenset(word for row in word_rows("everyday") for word in row)
# Ordinary English words that questions and model answers happen to contain.
GENERIC_WORDS: Final = frozenset(word for row in word_rows("ordinary") for word in row)
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")


# Words that may precede a question.
_LEAD: Final = (
    r"(?:(?:so|and|also|then|but|well|ok(?:ay)?|sorry|hm+|um+|oh|first|just|actually|hey"
    r"|though|although|however|(?:quick|dumb|silly|stupid) question|just to be clear"
    r"|(?:(?:can|could|would) you )?(?:please )?(?:remind|tell) me|i wonder|i(?:['’]m| was| am) wondering|any idea"
    r"|i(?:['’]d| would) (?:want|like|love|need) to know|(?:do|does) (?:we|you|anyone|anybody) know"
    r"|i don['’]t think you (?:mentioned|told me|said)|you (?:never|didn['’]t|haven['’]t) (?:said?|told|tell"
    r"|mention(?:ed)?)(?: me)?|before (?:that|i \w+(?: on)?))[,: ]+)*"
)
# Groups of words that a phrase names by one word in capitals.
WORD_GROUPS: Final = {
    "MAY": "can|could|may|might|shall|should|must", "IT": "it|this|that|them|these|those",
    "NOT": "not|cannot|*n't|hardly",
    "FINE": "ok|okay|cool|fine|alright|right|good|enough|fair|safe|allowed|acceptable|reasonable|possible|permitted",
    "BE": "is|are|was|were|do|does|did|can|could|will|would|"
    "should|shall|may|might|must|has|have|had|am",
    "US": "we|i|you|it|there|the|they|this|that|these|those|our|any|all|each|every|some|your|its|a|an|both|my|he|she",
}  # fmt: skip
# Words that may stand between two words of a phrase.
_FILLER: Final = _word_set("""
    a an the that this these those my your our some any just really quite actually please perhaps maybe about another
    more quick quickly little so very still only exactly precisely honestly kind of one two three five ten twenty thirty
    all right well also even too again
""")
_BETWEEN: Final = rf"\W+(?:(?:{'|'.join(sorted(_FILLER))}|\d+)\W+)*?"


@cache
def phrase_pattern(phrases: str) -> re.Pattern[str]:
    """The pattern that finds one of these phrases, which are separated by commas, in a text of `plain_words`.

    A phrase is words in their order; fillers ("just", "a") may stand between two. `a|b` is either word, `word?` may be
    missing, `*` is any letters, `...` any words or none, `TERM` any words (the group "term"), `^` the beginning of the
    text and `$` its end; a word in capitals is a row of `WORD_GROUPS`.

    >>> bool(phrase_pattern("give me second*").search("could you give me ten more seconds"))
    True"""
    shapes = [_phrase_shape(phrase.split()) for phrase in phrases.split(",") if phrase.strip()]
    return re.compile("|".join(shapes) or r"(?!)", re.IGNORECASE)


def _phrase_shape(words: Sequence[str]) -> str:
    """The pattern of one phrase."""
    made, joint, after = "", r"(?<!\w)", r"(?!\w)"
    for word in words:
        if word == "^":
            made, joint = rf"^\W*{_LEAD}", ""
        elif word == "$":
            made, after = made + r"\W*$", ""
        elif word == "...":
            made, joint, after = made + r"\b.*", r"\b", ""
        else:
            shape = r"(?P<term>[^,]+?)" if word == "TERM" else f"(?:{_word_shape(word)})"
            one = f"{joint}{shape}"
            if word.endswith("?"):
                one = f"(?:{one})?" if joint else f"(?:{shape}(?:{_BETWEEN}|(?=\\W*$)))?"
            made, after = made + one, r"(?!\w)"
            joint = _BETWEEN if joint or not word.endswith("?") else ""
    return made + after


def _word_shape(word: str) -> str:
    """A pattern for the words that a word of a phrase stands for."""
    names = (WORD_GROUPS.get(one, one) for one in word.replace("?", "").split("|"))
    return "|".join(re.escape(one).replace(r"\*", r"[\w']*") for name in names for one in name.split("|"))


AS_SAID: Final = re.compile(r"\b(?:as|like) i (?:had |have )?(?:said|wrote|told you|mentioned)\b", re.IGNORECASE)
# Short answers made of everyday words, which rows about hearing, waiting or manners may not take.
_ANSWERED: Final = re.compile(
    rf"{AS_SAID.pattern}|^\W*if\b.+,\s*(?:i['’]d|i would|we['’]d|we would|it|they)\b"
    r"|^\W*(?:yes|no|yeah|yep|nope|both|all|never|always)\b(?:\W*$|.*\b(?:it|they|all|is|are|does|do|would)\b)",
    re.IGNORECASE,
)
# A clause that ends a calculation with its result.
_RESULT: Final = re.compile(
    r"\W*(?:so|thus|hence|therefore|then|(?:which|that|it) (?:is|makes|gives|comes|works|adds)|in all|altogether"
    r"|i mean)\b",
    re.IGNORECASE,
)
# A calculation in words, and the words before its result.
_OPERATION: Final = phrase_pattern(
    """
    times, divided by, multiplied by, over *, plus, minus, half of, per, x
    """
)
_EQUALS: Final = re.compile(
    r"(?:\b(?:is|are|makes|gives|equals|to|get|so|at|roughly|about|around)\b|[=≈~])\s*(?=[~≈]?\d)", re.IGNORECASE
)
_CLAUSES: Final = re.compile(r"[,;:.!?]+(?:\s+|$)|\n+|\s+(?=(?:so|thus|hence|therefore)\b)")
URGENT_KINDS: Final = (SKIP, REPEAT, HELP, WAIT, SMALL_TALK)  # kinds of talk; of several, the first gets the reply
TALK_KINDS: Final = frozenset(URGENT_KINDS)
MAX_REMARK_CLAUSES: Final = 4  # of a remark
_NUMBER: Final = re.compile(r"\d(?! (?:more )?(?:sec|min|sentence|line|word|digit))", re.IGNORECASE)
_FILLER_CLAUSE: Final = re.compile(
    r"(?:(?:sorry|m*hm+|mm+|u[hm]+|er+m?|a+h|phew|whew|whoa|well|ok(?:ay)?|ha|oh|wow|thanks|honestly|actually"
    r"|by the way|please|look|so|right|alright|then|fine|nice|interesting|good question|dear|hang on|hold on|wait"
    r"|my bad|i['’]?m sorry"
    r"|i['’]m afraid|i guess|you know|one (?:sec|second|moment))\b\W*)+",
    re.IGNORECASE,
)
NO_HURRY_REPLY: Final = "As long as you need, within the time shown."
MAX_TALK_WORDS: Final = 30  # words
MAX_QUESTION_CONTENT_WORDS: Final = 6  # words that are not everyday words
MAX_TALK_CHARACTERS: Final = 400  # characters; a longer text is always an answer
EITHER_SENSE_REPLY: Final = "Take the sense that is usual, and say which you took."
GIVEN_SENSE_REPLY: Final = "Take it so, and say that you do."
OWN_SENSE_REPLY: Final = "Answer it as you understand it, and say how you understand it."
TERM_UNKNOWN_REPLY: Final = "I mean the usual thing by it: say in a word what you take it to be."
YOUR_CHOICE_REPLY: Final = "You decide: say what you gain and what it costs."
WHICH_TERM_REPLY: Final = "Which word do you mean? Ask “what is …?” with it."
# "By CP you mean splitting the sequence, yes?": the candidate says a meaning, which is to be confirmed.
_GIVEN_SENSE: Final = re.compile(
    r"\bmean(?:s|t)? (?!what|by|here|exactly|by that|something|anything)\w+ \w+|, (?:yes|right|correct)\?$",
    re.IGNORECASE,
)
_THAT_TERM: Final = re.compile(
    r"(?:that|this|it|those|these|acronyms?|abbreviations?|terms?|words?|letters|[a-z]+ (?:term|word|acronym"
    r"|abbreviation))\b.*",
    re.IGNORECASE,
)
# Requests for the meaning of a word, which is the group "term".
_CLARIFY: Final = tuple(
    phrase_pattern(f"^ {phrase} $")
    for phrase in (
        "which|what|in sense|meaning of word? TERM do|did|are|is ...", "how do|are you use|using term|word? TERM",
        "what do you understand by TERM", "by TERM do|did|does|what|how ...", "by TERM is|are you|we|it|that|meant ...",
        "by TERM you mean ...", "TERM being|is|was|are|were what", "TERM here? meaning ...", "TERM as in ...",
        "term|word|acronym TERM",
        "i'm? i? am? not familiar|acquainted with term|word|acronym? TERM", "what TERM is|are",
        "what do|did you mean by|with TERM", "what|what's is? meant by TERM",
        "what does TERM mean|stand|refer for?|to?",
        "TERM stand|stands for what", "how do|would|did you|we define TERM",
        "MAY?|would? you? define|explain|clarify to? me? what? you? mean? is? meant? by? counts? as? TERM",
        "i'm? i? am? not sure|certain|familiar that? i? know? with? about? what? you? mean? by? TERM",
        "i do? not|don't know|understand|see|get what you mean by|with TERM",
        "i've? i? have? never heard of TERM", "i do? not|don't know what TERM is|are|means|mean",
        "i do? not|don't know TERM what does|do it|that|they stand|mean for?",
        "when|if you say TERM do|did|does|is|are|what|how ...",
        "when|if you say|said TERM $",
        "what|what's is?|are? a|an TERM", "is|are TERM same|different|just|meant thing? as? from? ...",
        "does TERM mean ...",
        "is there? a? precise? definition of TERM", "what|what's is? your definition|understanding of TERM",
        "i haven't|never come across TERM", "do we|you mean same thing? by TERM",
        "what TERM stands|means|refers for?|to?", "how is|are TERM defined|meant|counted",
        "what do|would|did you consider|call|count as? TERM", "what counts as TERM", "what would|does|do count as TERM",
    )
)  # fmt: skip
_CLAUSE: Final = re.compile(
    r"['’]?(?:d|ll|ve|m|follow|get|understand|see|know|want|need|expect|after|looking|i|we|you|he|they|there|think|if|whether|how|why|when|where|which|what)\b",
    re.IGNORECASE,
)  # no term
_QUOTED: Final = re.compile(r"(?<!\w)[\"“‘„']([^\"”’']{1,40})[\"”’'](?!\w)")
# "What exactly falls under “fault”?": asks for a meaning; perhaps if no fact is asked for: "Does a fault include …?"
_OF_MEANING: Final = phrase_pattern(
    """
    mean|means|meaning|meant, of what|which exactly|precisely? $, defin*, definition|sense of|for|is, which|what|that
    sense, in the|a|which ... sense, count|counts|counted as, what counts, understand by, understanding of,
    stand|stands for, refer|refers to, falls|fall|lump|lumped|file under, puzzle*, your use of, as in, what
    do|would|did exactly? you|we call, what's|what you|we call, when|if ... say|says|talk|talks|speak|write|writes ...
    what|do|does|is|are, how are|do you|we use|using, what does|do ... cover|include|comprise|entail, in
    your|our|this|his vocabulary|language|book|books|parlance|dictionary|world|shop|terms|lingo,
    fuzzy|hazy|foggy|shaky on|about, how narrow*|broad*|wide*|strict*|literal*, that|the|your|this
    word|term|expression, in|into plain|simple|everyday|lay words|english|terms|language
    """
)
_PERHAPS_OF_MEANING: Final = phrase_pattern(
    """
    cover|covers|include|includes|comprise|comprises, in one $, to|for you|us, BE ... same|different thing?
    as|from|than, what|who|which is|are|was exactly|precisely, counts|counted|use|using, you|we|i count, what
    exactly|precisely is|are, clear|sure|certain what|about|on
    """
)
# Asks what is to be done: "am I to include the activations?", "do I need the numbers, too?".
_OF_DUTY: Final = phrase_pattern("am i to|supposed, do i have to, do i need, should|shall|must i|we")
_UNSURE: Final = phrase_pattern(
    "fuzzy|hazy|foggy|shaky|unsure|puzzle*|unclear, NOT quite? sure|certain|clear, explain|define|definition"
)
# "Twice the mean", "does that mean that it fails?": no question for a meaning.
_NO_MEANING: Final = re.compile(
    r"(?:\b(?:i|the|a|its|their|or|and|of|at|from)) mean\b(?! by\b)|, mean (?=and|or)"
    r"|\b(?:that|it|this|which) (?:would )?means?\b(?! by\b)"
    r"|\b(?:mean|meant|meaning) (?:it|that|this)\b",
    re.IGNORECASE,
)
_QUOTES: Final = re.compile(r"[\"“”„]")
# "What's a rank, in your terms?", "MFU being what, sorry?"
_ASIDE_OF_MEANING: Final = re.compile(
    r"(?:,? (?:sorry|please|again|once more|exactly|precisely|right|here|then|in (?:this|that|your|our) \w+"
    r"|(?:to|for) (?:you|me|us)))+\W*$"
    r"|^(?:sorry|hm+|ok(?:ay)?|remind me|by the way|hang on|wait|well|so|and|but)[, ]+(?=what|which|how|when|by)",
    re.IGNORECASE,
)
# "Not sure. Only one part of it, maybe.", "Not sure, a gut feeling": a hedge, and no question for a meaning.
_NOT_SURE_OPENING: Final = re.compile(
    r"\W*(?:i['’]?m |i am )?not (?:really |quite |so )?(?:sure|certain)(?:[,.;:]|\W*$)", re.IGNORECASE
)
# ", in your book,", but not " for you,".
_INSERTION: Final = re.compile(r",? (?:in|for|to) (?:this|that|your|our|the)? ?(?!(?:you|me|us)\b)\w+,(?= )")
# "What is a tenant, a company or a key?": the second half only repeats the question.
_APPOSITION: Final = re.compile(r", (?:an?|the|is|or|as|like|per|one)\b.*$", re.IGNORECASE)
_MEANS: Final = phrase_pattern("what does|do|is it|that|this|they stand|mean|meant")
_WHAT_IS: Final = phrase_pattern("^ what is|are TERM $")
_ARTICLE: Final = re.compile(
    r"^(?:an?|the|your|this|that)\s+(?=[\w\"“‘])|[\s\"'“”‘’?.!,]+$|^[\"'“”‘’]+"
    r"|,? (?:here|exactly|precisely|sorry|please|again|(?:for|to) (?:me|you|us)|in (?:this|that|your) (?:context"
    r"|case|terms|words|question)|(?<=\w) (?:is|are|means?))\W*$"
)
_ASKS_LEAVE: Final = phrase_pattern(
    """
    any complaint*|objection*|worries|problem* $, ^ MAY i|we, any problem|trouble|issue|harm if|with|in, am i
    right|correct|safe that|in|to, ^ am|are i|we allowed|free|entitled, ^ do|did i|we have|need to, ^ is|would|will it
    be? FINE, ^ do|would you mind if, ^ mind if, ^ any objection|objections, ^ would|is it be?
    cheating|wrong|bad|problem to|if, ^ do you want me to, ^ let|tell me know? if|whether ... FINE, ^ is|are|would ...
    FINE $, ^ i'll|i'd|i'm|let's|let|i|can want? like? will? going? me? i? to? ignore|neglect|disregard|leave out?, ^
    let's say|assume|take ... FINE $, ^ i|i'll|i'd|i'm will? going? to?
    assume|assuming|suppose|pretend|presume|treat|take|taking ... shout|stop|tell|correct|let me|if|know, ... unless
    you stop|shout|tell|say|protest, ^ i'd|i'll|i rather? leave|drop|skip|set|put ... out|aside, i'd|i'll leave|drop
    out ... FINE, ... unless that's|it's|there's, ... unless that|it|you bothers|mind|minds|object|disagree|disagrees,
    if IT|it's|that's|you're is|are? FINE with? you? $, FINE with|by you $, or is|would|are IT be? cheating|wrong $,
    or is|would|are IT|we be? off|out ... table|bounds|question|scope $, shout|holler|complain|object if
    IT|it's|that's ... $, hope that|this|it|that's|it's is? FINE with? you? $, does|would|is that|this|it sound|seem?
    FINE $, ^ ok|okay|alright|fine|cool with? you? if i|we, i take it ... yes|right|correct|ok|okay $, ^ i take it i|we
    can|may|could, happy|ok|okay|fine|cool for me to, can|could i|we ... or do you want|need, would it|that be out of
    bounds
    """
)
# An assumption, which asks for permission by a question mark or "if that is fine".
_ASSUMES: Final = phrase_pattern(
    """^ i'd?|i?|i'll?|let's?|let?|can?|i'm? i? would? want? going? like? me? to?
    assume|assuming|suppose|presume|pretend|ignore|ignoring|neglect|round|treat, ^ let's say|take,
    ^ i|i'll|i'd will? would? take IT that|as|for"""
)
IF_FINE: Final = phrase_pattern(
    "is|would|if|that's|it's that|this|it|FINE is? be? FINE|with, if FINE, unless you, if you don't mind"
)
_ASK: Final = phrase_pattern(
    """^ what's, ^ what BE|about|if|kind|type|sort|size|count*, ^ what * BE, ^ which ... BE US, ^ how
    many|much|often|long|large|big|fast|far|wide|deep|high|about|BE, ^ how * BE, ^ who|whose|who's, ^ when|where|why
    BE US, ^ BE US, ^ is|are|was|were|does|did|should|shall|may|am *, ^ tell me, ^ can|could|would you please?
    tell|give|share|say, ^ do you happen? to? know|have, ^ i'd|i would? like|want|need to know, ^ i'm|i am?|was?
    wondering, ^ any idea, ^ i wonder, ^ i'd|i|i'm would? am? be? interested|curious in|about|to|how|what|who, ^ you
    never|haven't|didn't|don't say|said|tell|told|mention*, ^ i don't|can't think|believe|recall you
    said|told|mentioned|say|tell|mention, or ... which is|one|do|of"""
)
# Questions that need no question mark.
_QUESTION_WITHOUT_MARK: Final = phrase_pattern(
    """^ is|are|was|were|does|did|do|can|could|would|should|shall|may we|i|you|there|they, ^ is|was|does|did it, ^
    tell me, ^ i'd|i would? like|want|need to know, ^ i'm|i am?|was? wondering, ^ which|what|who * BE US, ^ how
    many|much|often * BE US, ^ can|could|would|will you"""
)
_QUESTION_WORD_OPENING: Final = phrase_pattern(
    """
    ^ what|which|how|when|who|whose|where|why|do|have|has
    """
)
_PERSON: Final = re.compile(r"\b(?:i|me|my|you|your|let['’]s)\b", re.IGNORECASE)
# "Is it the optimizer?", "So 872 MB?", "What if we shard it?": a question, and perhaps the answer.
_GUESS: Final = phrase_pattern(
    """^ is|isn't|was|would|wouldn't|could|couldn't|might it|that|this|they, ^ is|was answer, ^ what if|about, ^ how
    about, ^ why not"""
)
# "Perhaps with a limit in each gateway?": a statement that sounds unsure.
_TENTATIVE_OPENING: Final = phrase_pattern("""
    ^ perhaps|maybe|probably|presumably|i'd, ^ i think|guess|suppose|would, so i guess|suppose|think
""")
# "Not sure, maybe one image per library": a hedged answer.
_HEDGED_ANSWER: Final = phrase_pattern(
    "^ NOT? sure|certain maybe|perhaps|probably|possibly, maybe|perhaps|probably a|an|one|the ... $"
)
_TO_YOU: Final = phrase_pattern("you, tell me")
# "I'd shard by user, what do you think?": the question after a statement.
_QUESTION_AFTER_STATEMENT: Final = re.compile(
    r"[,;]\s+(?=(?:but |and |so )?(?:(?:could|can|do|are|did|would) you|(?:can|may|should|am) i|mind if|any objections?"
    r"|is (?:that|it|there)|what(?:['’]s| (?:is|are|does|do|did|would|counts))|how (?:many|much|long))\b)",
    re.IGNORECASE,
)
# "I haven't interviewed in years, anyway: how many users are there?", "A few things: what do we promise?"
_BACK_TO_IT: Final = re.compile(
    r",? (?:but )?any(?:way|how)(?:,|:) +(?=\w)"
    r"|(?<=\w): +(?=(?:what|which|how|who|when|where|is|are|do|does|can|may)\b[^.:]*\?)",
    re.IGNORECASE,
)
# "…, and how many questions are still to come?"
_WISH_BORDER: Final = re.compile(
    r"[,;] (?:and|but|also|plus)(?: also)? "
    r"(?=(?:what|which|how|who|when|where|is|are|do|does|did|can|could|may|shall|would|will|should|have|mind)\b)",
    re.IGNORECASE,
)
_SENTENCE: Final = re.compile(r"[^.?!;\n]*(?:[.?!;](?!\s|$)[^.?!;\n]*)*(?:[.?!;]+|\n|$)")


def remark_reply(text: str, min_likeness: float = LIKENESS_PERHAPS) -> str:
    """The reply to the kind of remark that a text resembles, with placeholders; empty if the likeness is below
    `min_likeness`.

    >>> remark_reply("How many digits would you like?")
    'A rough figure will do, to about two digits; say the unit.'"""
    remark, likeness = nearest_remark(text)
    return remark.reply if likeness >= min_likeness else ""


def is_surely_talk(text: str) -> bool:
    """Whether a short text without a number is talk, although it may have words of the case.

    >>> is_surely_talk("An old boss of mine could hear a disk failing."), is_surely_talk("A disk fails.")
    (True, False)"""
    plain = plain_words(text)
    if len(plain.split()) > MAX_TALK_WORDS:
        return False
    remark, likeness = nearest_remark(text)
    return (remark.kind in TALK_KINDS and likeness >= LIKENESS_SURE) or is_story(text)


def is_story(text: str) -> bool:
    """Whether a text tells of the candidate's own past or leaves a choice to the interviewer.

    >>> is_story("My cousin once tripped over such a cable."), is_story("The cable is cut once.")
    (True, False)"""
    return bool(_STORY_OR_OFFER.search(plain_words(text)))


# Phrases of stories and offers, which may have words of the case.
_STORY_OR_OFFER: Final = phrase_pattern(
    """used to say, my|old
    boss|colleague*|manager|friend*|flatmate*|wife|husband|professor|teacher|cousin|uncle|aunt|brother, my|old
    sister|father|mother|dad|mum|neighbour*|grandmother|grandfather|mentor|landlord, of mine, my
    former|previous|old|last|first boss|team|place|job|company|employer|year|week|manager, in my
    first|last|second|early year|years|job|days, reminds me of, last place|job|team|gig, we|i once, back when, takes
    me back, when i was, swore|joked, funny story, by the way, whichever|whatever|either you|you'd|suits, up to you,
    years ago|back, two|three jobs|years ago, this morning, last night, at school|university|uni|college"""
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its kind. `about`: for talk about the talk the reply; for `CLARIFY` and "what is the X" the
    word. `rest`: of talk about the talk the words beside the phrase by which it is known."""

    kind: str
    text: str
    about: str = ""
    rest: str = ""


def sort_sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order; one only if the whole text is about the talk.

    >>> [part.kind for part in sort_sentences("Thanks. What do you mean by goodput? I take TP = 8.")]
    ['small talk', 'clarify', 'said']"""
    sentences = [wish for sentence in split_sentences(_BACK_TO_IT.sub(". ", text)) for wish in _split_wishes(sentence)]
    whole = find_aside(text)
    if whole is not None and sum(sentence.endswith("?") for sentence in sentences) < 2:
        return (whole,)
    parts = tuple(part for sentence in sentences for part in _split_statement(sentence))
    return tuple(part for part in parts if part.kind != STATEMENT or not _FILLER_CLAUSE.fullmatch(part.text)) or parts


def _split_wishes(sentence: str) -> list[str]:
    """A sentence of two wishes as one question each, if one of them is about the talk or asks for permission.

    >>> _split_wishes("Is it okay if I think aloud, and how many questions are still to come?")
    ['Is it okay if I think aloud?', 'how many questions are still to come?']"""
    border = _WISH_BORDER.search(sentence) if sentence.endswith("?") else None
    if border is None:
        return [sentence]
    wishes = [f"{sentence[: border.start()]}?", sentence[border.end() :]]
    kinds = {_sort_sentence(wish).kind for wish in wishes}
    talks = not kinds.isdisjoint(TALK_KINDS | {PERMISSION}) and STATEMENT not in kinds
    return wishes if talks and all(len(wish.split()) > 2 for wish in wishes) else [sentence]


def split_sentences(text: str) -> list[str]:
    """The sentences of a text. A point inside a number does not end a sentence."""
    endings = (one.group().strip() for one in _SENTENCE.finditer(text))
    return [sentence for sentence in endings if _WORD.search(sentence)]


def find_aside(text: str) -> Sentence | None:
    """The text as talk about the talk; None if it is anything else.

    >>> find_aside("Hold on to the gradients until the last step.")"""
    every = split_sentences(text)
    sentences = [one for one in every if not _FILLER_CLAUSE.fullmatch(one)]
    if len(sentences) > 1 or (sentences and len(sentences) < len(every)):
        asides = [find_aside(one) for one in sentences]
        known = [aside for aside in asides if aside is not None]
        first = min(known, key=lambda aside: URGENT_KINDS.index(aside.kind)) if len(known) == len(asides) else None
        return replace(first, text=text.strip()) if first is not None else None
    return _aside_of_sentence(text)


def _aside_of_sentence(text: str) -> Sentence | None:
    """One sentence as talk about the talk; None if it is anything else."""
    plain = plain_words(text)
    if len(text) > MAX_TALK_CHARACTERS or _NUMBER.search(text) or _MEANS.search(plain) or _ANSWERED.match(text):
        return None
    if (talk := _remark_by_phrase(plain)) is not NO_REMARK:
        return Sentence(talk.kind, text.strip(), talk.reply)
    remark, likeness = _find_remark(text)
    if remark is NO_REMARK or (remark.kind == HELP and _request_for_meaning(text, text.replace("’", "'"))):
        return None  # "I don't know what you mean by a sidecar"
    return Sentence(remark.kind, text.strip(), remark.reply, "" if likeness >= LIKENESS_SURE else text)


def talk_reply(text: str) -> str:
    """The reply to a text that is talk by its words in order; empty for any other.

    >>> talk_reply("Is that per day or per hour?"), talk_reply("Could I draw the negatives from a batch?")
    ('Either is fine: say which you take.', '')"""
    return _remark_by_phrase(plain_words(text)).reply


def _remark_by_phrase(plain: str) -> Remark:
    """The remark that has a phrase which stands in a text of `plain_words`; `NO_REMARK` if there is none."""
    return next((one for one in remarks() if phrase_pattern(one.phrases).search(plain)), NO_REMARK)


def _find_remark(text: str) -> tuple[Remark, float]:
    """The remark that a text is, or the most urgent one of its clauses, and its likeness; `NO_REMARK` if a part of it
    may be an answer."""
    clauses = [one for one in re.split(r"[,;]\s+|\s[-–]\s", text) if not _FILLER_CLAUSE.fullmatch(one.strip())]
    whole = max(nearest_remark(text), nearest_remark(", ".join(clauses)), key=lambda one: one[1])
    if whole[0].kind in TALK_KINDS and whole[1] >= _min_likeness(text, whole[0]):
        return whole
    each = [] if clauses == [text] or len(clauses) > MAX_REMARK_CLAUSES else [nearest_remark(one) for one in clauses]
    if not each or any(one.kind not in TALK_KINDS or alike < LIKENESS_NEAR for one, alike in each):
        return NO_REMARK, 0.0
    return min(each, key=lambda one: (URGENT_KINDS.index(one[0].kind), -one[1]))


def _min_likeness(text: str, remark: Remark) -> float:
    """The likeness from which a text is a remark: less for words of conversation alone. "We don't know, ask it" is no
    request for help."""
    if remark.kind == HELP and not _PERSON.search(text):
        return LIKENESS_SAME
    if not (is_about_talk(text) and (text.endswith("?") or _PERSON.search(text))):
        return LIKENESS_SURE
    return LIKENESS_NEAR if remark.kind in (HELP, SKIP) or not _PERSON.search(text) else LIKENESS_SLIGHT


def _words(plain: str) -> list[str]:
    return [word for word in _WORD.findall(plain) if not word.isdigit()]


def plain_words(text: str) -> str:
    """A text in the form in which words are compared: small letters, straight apostrophes, at most two equal letters in
    a row."""
    return re.sub(
        r"([a-z])\1{2,}", r"\1\1", " ".join(text.casefold().replace("’", "'").replace("at the moment", "now").split())
    )


def is_about_talk(text: str) -> bool:
    """Whether a text consists of everyday words and words of remarks.

    >>> is_about_talk("Can you break that down?"), is_about_talk("Who is the customer?")
    (True, False)"""
    words = _words(plain_words(text))
    return bool(words) and (EVERYDAY_WORDS | remark_words()).issuperset(words)


def answer_clause(text: str, readable: Callable[[str], bool]) -> str:
    """The clause of a text with its number: the only one that is `readable`, or the last one if it is the result of a
    calculation; empty if there is none.

    >>> answer_clause("142 of 1800 s, so 8 %", lambda clause: clause.endswith("%"))
    'so 8 %'
    >>> answer_clause("80 layers times 2 is about 160 GB", lambda clause: clause == "160 GB")
    '160 GB'"""
    clauses = [clause.strip() for clause in _CLAUSES.split(text[:MAX_TALK_CHARACTERS]) if clause.strip()]
    fit = [clause for clause in clauses if readable(clause)]
    calculates = _OPERATION.search(text)
    if fit and fit[-1] == clauses[-1] and (len(fit) == 1 or calculates or _RESULT.match(fit[-1])):
        return fit[-1]
    results = _EQUALS.split(clauses[-1])[1:] if clauses and calculates else ()
    return results[-1] if results and readable(results[-1]) else fit[0] if len(fit) == 1 else ""


def reply_to_talk(text: str, question: str, terms: Callable[[], Mapping[str, str]] = dict) -> str:
    """What is said to a text that does not answer a follow-up; empty where it may. Where it is asked again, the
    `question`; `terms` are called for meanings by `plain_term` where one is asked for.

    >>> reply_to_talk("Sorry, what was that?", "And the bytes?")
    'And the bytes?'
    >>> reply_to_talk("What does a rail mean?", "Why rails?", lambda: {"rail": "One switch for each GPU of a node."})
    'One switch for each GPU of a node.'
    """
    parts = sort_sentences(text)
    if not parts or any(part.kind in (GUESS, STATEMENT, HELP, SKIP) for part in parts):
        return ""
    requests = [part for part in parts if part.kind in (CLARIFY, PERMISSION, ASK)]
    if not requests:
        known = {"question": question, "whole": question, "form": "A sentence or two will do.", "part": NO_HURRY_REPLY}
        return parts[0].about.format(**known, known=question, setup="") or question
    replies = (
        permission_reply(one.text) if one.kind == PERMISSION
        else clarification_reply(terms(), one, question) if one.kind == CLARIFY
        else term_meaning(terms(), one.about) or OWN_SENSE_REPLY
        for one in requests
    )  # fmt: skip
    return " ".join(dict.fromkeys(replies))


def clarification_reply(terms: Mapping[str, str], part: Sentence, question: str = "") -> str:
    """The meaning of the word that a sentence asks about, or of the first term in it; without one, a sentence that any
    sense will do. "That term" is the only term of the `question`. An unknown word that the sentence (its `rest`) only
    has among others is asked about."""
    if not part.about or _THAT_TERM.fullmatch(part.about):
        names = terms_in(terms, question)
        return f"By “{names[0]}” I mean: {terms[names[0]]}" if len(names) == 1 else WHICH_TERM_REPLY
    if meaning := term_meaning(terms, part.about) or terms.get(first_term(terms, part.about), ""):
        return meaning
    alike = {
        terms[name] for name in terms if content_stems(part.about) and content_stems(part.about) <= content_stems(name)
    }
    if len(alike) == 1:  # "states" of "optimizer states"
        return alike.pop()
    has_sides = " or " in part.text
    if _GIVEN_SENSE.search(part.text) and not has_sides:
        return GIVEN_SENSE_REPLY
    if has_sides:
        return EITHER_SENSE_REPLY
    return WHICH_TERM_REPLY if part.rest else TERM_UNKNOWN_REPLY


def term_meaning(terms: Mapping[str, str], word: str) -> str:
    """The meaning of a word that is itself a term, also in the plural; empty if it is not.

    >>> term_meaning({"read replica": "A copy that is only read."}, "Read-replicas")
    'A copy that is only read.'"""
    plain = plain_term(word)
    return terms.get(plain) or terms.get(plain.removesuffix("s"), "") if plain else ""


def first_term(terms: Mapping[str, str], text: str) -> str:
    """The term that a text names first, of two that begin there the longer one; empty if there is none."""
    words = plain_term(text).split()
    places = {stem: place for place, word in reversed(list(enumerate(words))) for stem in content_stems(word)}
    exact = {name: plain_term(text)[: plain_term(text).index(name)].count(" ") for name in terms_in(terms, text)}
    alike = {  # "skipping" is "skip"
        name: places[min(own)]
        for name in terms
        if " " not in name and (own := content_stems(name)) and own <= places.keys()
    }
    named = {**alike, **exact}
    return min(named, key=lambda name: (named[name], name not in exact, -len(name)), default="")


def word_meant(terms: Mapping[str, str], sentence: str, perhaps: bool = False) -> str:
    """The term, or the word in quotes, whose meaning a sentence asks for, whatever it says beside; empty if there is
    none. With `perhaps` it may do so in words that other questions have, too.

    >>> terms = {"lag": "How far a copy is behind.", "copy": "A replica."}
    >>> word_meant(terms, "What counts as lag for you, the time that a copy is behind?"), word_meant(terms, "Any lag?")
    ('lag', '')"""
    plain = _NO_MEANING.sub(" ", sentence.replace("’", "'"))
    request = _request_for_meaning(sentence, plain)
    if request is not None and not request.rest:
        if _QUOTED.search(plain) and request.kind == CLARIFY:
            return first_term(terms, request.about) or request.about
        term = first_term(terms, plain)
        begins = term.startswith(plain_term(request.about)) and request.kind == CLARIFY  # "all-to" of "all-to-all"
        return term if begins else first_term(terms, request.about) if request.kind == CLARIFY else ""
    may_be = perhaps and not _OF_DUTY.search(plain) and _PERHAPS_OF_MEANING.search(plain)
    asks = _OF_MEANING.search(plain) or may_be
    if not asks or not (sentence.endswith("?") or _UNSURE.search(plain)) or _NOT_SURE_OPENING.match(plain):
        return ""
    if _ASKS_LEAVE.search(plain) and not re.search(r"\bmean|\byou (?:call|count|use|say)\b", plain):
        return ""
    quoted = _QUOTED.search(plain)
    return first_term(terms, quoted[1]) or quoted[1] if quoted else first_term(terms, plain)


def terms_in(terms: Mapping[str, str], text: str) -> list[str]:
    """The terms that a text contains, except those that are a part of another one."""
    plain = plain_term(text)
    named = [name for name in terms if re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", plain)]
    return [name for name in named if not any(name != other and name in other for other in named)]


def _split_statement(sentence: str) -> list[Sentence]:
    """The sentence as one part, or as two if it states something and then asks."""
    whole, pieces = _sort_sentence(sentence), _QUESTION_AFTER_STATEMENT.split(sentence)
    if IF_FINE.search(pieces[-1]) and len(pieces) == 2 and _ASSUMES.search(pieces[0].replace("’", "'")):
        return [Sentence(PERMISSION, sentence)]
    return [_sort_sentence(one) for one in pieces] if whole.kind in (STATEMENT, GUESS) and len(pieces) > 1 else [whole]


def _sort_sentence(sentence: str) -> Sentence:
    if len(sentence) > MAX_TALK_CHARACTERS:
        return Sentence(STATEMENT, sentence)
    plain = sentence.replace("’", "'")
    return find_aside(sentence) or _request_for_meaning(sentence, plain) or _request(sentence, plain)


def _request_for_meaning(sentence: str, plain: str) -> Sentence | None:
    """The sentence as a request for the meaning of a word in it; None if it is none."""
    quoted = _QUOTED.search(plain)
    if _NOT_SURE_OPENING.match(plain):
        return None
    if quoted and (_OF_MEANING.search(plain) or _PERHAPS_OF_MEANING.search(plain)):
        return Sentence(CLARIFY, sentence, quoted[1])
    if term := "" if _HEDGED_ANSWER.search(plain) else _term_asked_about(plain):
        about_question = re.search(r"^(?:that|this|it)$|\b(?:question|problem|task)$", term, re.IGNORECASE)
        return Sentence(SMALL_TALK, sentence, IN_SHORT_REPLY) if about_question else Sentence(CLARIFY, sentence, term)
    remark, likeness = nearest_remark(sentence)
    if remark.kind != CLARIFY or likeness < LIKENESS_SURE:
        return None
    own = [word for word in _WORD.findall(sentence) if not is_about_talk(word)]
    return Sentence(CLARIFY, sentence, quoted[1] if quoted else "".join(own[:1]), "" if quoted else sentence)


def _term_asked_about(plain: str) -> str:
    """The term whose meaning a sentence in plain letters asks for; empty if there is none."""
    question = _ASIDE_OF_MEANING.sub("", _APPOSITION.sub("", _QUOTES.sub("", _INSERTION.sub("", plain))))
    # The term may stand in the first clause or the last: "Just so we speak the same language, a rank is what?"
    places = [question, question.partition(",")[0]]
    if re.search(r" is what|^by ", last := question.rpartition(", ")[2]):
        places.append(last)
    for shape in _CLARIFY:
        match = next((hit for place in places if (hit := shape.search(place))), None)
        if match is not None:
            term = re.sub(r" (?:is|are|means?|(?:supposed|meant) to (?:be|mean))$", "", strip_articles(match["term"]))
            if not _CLAUSE.match(term) and not _PERSON.search(term):
                return term
    return ""


def _request(sentence: str, plain: str) -> Sentence:
    marked, (remark, likeness) = sentence.endswith("?"), nearest_remark(sentence)
    if _asks_permission(plain, marked) or (remark.kind == PERMISSION and likeness >= _min_permission(plain, marked)):
        return Sentence(PERMISSION, sentence)
    if _GUESS.search(plain):
        return Sentence(GUESS, sentence)
    if match := _WHAT_IS.search(re.sub(r"\bwhat's\b", "what is", plain, flags=re.IGNORECASE)):
        return Sentence(ASK, sentence, strip_articles(match["term"]))
    if (
        _ASK.search(plain)
        or (marked and _QUESTION_WORD_OPENING.search(plain))
        or (remark.kind == ASK and likeness >= LIKENESS_PROBABLE)
    ):
        return Sentence(ASK, sentence)
    unsure = _TENTATIVE_OPENING.search(plain) and not _TO_YOU.search(plain)
    return Sentence(GUESS if marked and not unsure else STATEMENT, sentence)


def _asks_permission(plain: str, marked: bool) -> bool:
    """Whether the words of a sentence, with a question mark if `marked`, ask for permission."""
    return bool(_ASKS_LEAVE.search(plain) or (_ASSUMES.search(plain) and (marked or IF_FINE.search(plain))))


def _min_permission(plain: str, marked: bool) -> float:
    """The likeness to requests for permission from which a sentence is one."""
    return LIKENESS_PROBABLE if marked and not _QUESTION_WORD_OPENING.search(plain) else LIKENESS_SURE


def is_two_sided(text: str) -> bool:
    """Whether a question offers two alternatives to choose from.

    >>> is_two_sided("Do you want the mean or the peak?"), is_two_sided("In how many regions or zones are we?")
    (True, False)"""
    plain = plain_words(text)
    return " or " in plain and bool(_CHOICE.search(plain)) and not _EXISTS.search(plain)


_CHOICE: Final = phrase_pattern(
    """^ BE US ... or, ^ which ... or, ^ what ... more|most|better|first ... or,
    ... or ... you like|prefer|rather, ... or ... better, ... or ... which,
    ... or ... what do you"""
)
_EXISTS: Final = phrase_pattern("""
    how many|much|often|long, do|have we|you|they have|got, is|are there, or not $,
    or is|would|are IT be? cheating|wrong|against|forbidden|overkill|too,
    or is|would|are IT off|out ... table|bounds|question|scope
""")


def thing_asked_about(question: str) -> str:
    """The thing that a question is about, in the question's words; empty if it has none of its own.

    >>> thing_asked_about("In how many regions or data centres are we?"), thing_asked_about("How many of them?")
    ('regions or data centres', '')"""
    match = _THING.match(question.strip())
    words = re.sub(
        r"^(?:number|figure|value|estimate|idea)s? (?:for|of) (?:the )?", "", match["thing"] if match else ""
    ).split()
    while words and words[-1].casefold() in _NO_THING_END:
        words.pop()
    if match is None or len(words) > 5 or not content_stems(" ".join(words)) or words[-1].endswith("ed"):
        return ""
    article = (match["article"] or "").strip().casefold()
    return " ".join(["the" if article in ("the", "our", "your") else article, *words]).strip()


_NO_THING_END: Final = _FILLER | _word_set(
    "of or and like look important used involved needed available supposed expected after look looks happens last"
    " lasts come comes"
)
_THING: Final = re.compile(
    rf"{_LEAD}(?:in |on |for |to |at )?(?:how (?:many|much)|(?:what|how) about|and|or|which|what (?:kind|sort|type) of"
    r"|what(?:['’]s| is| are)?|how \w+(?= (?:the|our|your|an?) )|(?=the number of)"
    r"|(?:(?:is|are) there|do (?:we|you) (?:have|know|get)|have (?:we|you)(?: got)?)(?: any)?"
    r"|any|how \w+ (?:is|are|may|must|should|can|will|do|does)|how (?:is|are)|does|can|may|must|should|is|are)\s+"
    r"(?P<article>(?:the|our|your|an?)\s+)?"
    r"(?P<thing>(?:(?!(?:is|are|was|were|do|does|did|can|could|may|might|must|should|shall|will|would|have|has|had|be|been"
    r"|per|each|every|in|on|at|(?<!number )(?<!figure )(?<!value )for|to|by|from|with"
    r"|we|you|i|they|it|them|there|that|this|those|these|who|when|if|so|not|here"
    r"|and (?=what|how|which|who|when|where)|(?:the|our|your|an?)(?= \w))\b)"
    r"\b[\w’'-]+\b\s*)+)",
    re.IGNORECASE,
)


def asks_of_duty(sentence: str) -> bool:
    """Whether a question asks what the answer has to contain.

    >>> asks_of_duty("Do I have to count the restart, too?"), asks_of_duty("Do I have the floor?")
    (True, False)"""
    return sentence.endswith("?") and bool(_OF_DUTY.search(plain_words(sentence)))


def asks_surely(sentence: str) -> bool:
    """Whether a sentence is a question or a request, also without a question mark.

    >>> asks_surely("do we have any monitoring"), asks_surely("how much a rank holds depends on K")
    (True, False)"""
    return sentence.endswith("?") or bool(_QUESTION_WITHOUT_MARK.search(sentence.replace("’", "'")))


def strip_articles(term: str) -> str:
    """A term without articles, quotes and trailing words.

    >>> strip_articles("a “rail” here?")
    'rail'"""
    before = ""
    while term != before:
        before, term = term, _ARTICLE.sub("", term.strip())
    return term


def content_stems(text: str) -> frozenset[str]:
    """The stems of those words in a text that are not everyday words."""
    from quizgen.rubric.spelling import word_stem

    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word_stem(word) for word in words if word not in EVERYDAY_WORDS)


def long_word_stems(text: str) -> frozenset[str]:
    """The stems of the words of four and more letters in a text.

    >>> sorted(long_word_stems("What would change your mind?"))
    ['chang', 'mind', 'what', 'would', 'your']"""
    from quizgen.rubric.spelling import word_stem

    return frozenset(word_stem(word.casefold()) for word in _WORD.findall(text) if len(word) > 3)


@cache
def subject_stems() -> tuple[frozenset[str], ...]:
    """The stems of words for one subject of a question, a set each."""
    return tuple(content_stems(" ".join(row)) for row in word_rows("subjects"))


def related_fact(question: str, words: Mapping[str, frozenset[str]]) -> str:
    """The name whose `words` (stems) fit the words of a short question best, as the same word or one for the same
    subject; empty if none fits or two fit alike.

    >>> related_fact("Should it be fast?", {"delay": frozenset({"latenc"}), "users": frozenset({"user", "peopl"})})
    'delay'"""
    asked = content_stems(re.sub(r"\bdata[ -]cent", "datacent", question, flags=re.IGNORECASE)) - GENERIC_WORDS
    if not 1 <= len(asked) <= MAX_QUESTION_CONTENT_WORDS:
        return ""
    scores = dict.fromkeys(words, 0.0)
    for word in asked:
        alike = frozenset().union(*(subject for subject in subject_stems() if word in subject))
        same, near = ([name for name in words if words[name] & set_] for set_ in ({word}, alike))
        for name in same or near:
            scores[name] += (1.0 if same else 0.7) / len(same or near)
    best, second = (sorted(scores.items(), key=lambda one: -one[1]) + [("", 0.0)] * 2)[:2]
    return best[0] if best[1] >= max(0.5, 1.2 * second[1], 0.5 * len(asked)) else ""


# Replies to a request for permission that no fact of the case answers; the first matching row is used.
PERMISSION_REPLIES: Final = (
    (r"\b(?:round\w*|approximat\w*|back of (?:the|an) envelope|significant)\b",
     "To two digits, yes; no further."),
    (r"\binto account\b|\b(?:care|worry|consider|handle|cover|think about)\b",
     "If it decides the answer, yes, in a sentence; else leave it out."),
    (r"\b(?:ignor\w*|neglect\w*|(?:leav\w+|left)\b.*\b(?:out|aside)|put\b.*\baside|disregard\w*|skip\w*"
     r"|(?:i|we) (?:drop|omit))\b",
     "Fine: leave it out, and say that you do."),
    (r"\b(?:assum\w*|presum\w*|suppos\w*|pretend\w*|treat\w*|tak(?:e|ing)|say|count on|rely|lean on|am i right"
     r"|think of|write|regard|go with|stick (?:to|with)|i(?: am|['’]m going to|['’]ll)? call)\b",
     "That is fine: assume it, and say what depends on it."),
    (r"\b(?:count|include|add)\b", "Your choice: say how you count, and why."),
    (r"", YOUR_CHOICE_REPLY),
)  # fmt: skip


def permission_reply(question: str) -> str:
    """The reply to a request for permission.

    >>> permission_reply("Do you mind if I round it?")
    'To two digits, yes; no further.'"""
    if is_two_sided(question):
        return EITHER_REPLY
    return next(reply for shape, reply in PERMISSION_REPLIES if re.search(shape, question, re.IGNORECASE))
