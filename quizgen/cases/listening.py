"""What a candidate's sentences are before anything is scored: talk about the talk, a question, leave that is asked
for, or something that is said.

Each class is a table of rows. A row has examples of what it reads and of what it must leave to others, which tests try
one by one. What a sentence asks for, and whether a guess is an answer, only the case can tell: `quizgen.cases.talk`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

REPEAT: Final = "repeat"  # hear it again
WAIT: Final = "wait"
SMALL: Final = "small talk"
CLARIFY: Final = "clarify"  # what a word means
LEAVE: Final = "leave"  # may I
ASK: Final = "ask"
GUESS: Final = "guess"  # "872 MB?": an answer or a question, as the case has it
SAID: Final = "said"


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words that talk has and an answer does not live by: a text of these alone can be about the talk.
EVERYDAY: Final = _set("""
    i you he she we they it me him her us them my your his our their its mine yours this that these those here there
    a an the and or but so if then than as of to in on at by for from with about into over up down out off around
    again once more most much many little few one ones two three couple some any all both no not none yes yeah yep nope
    am is are was were be been being do does did done doing have has had having can could will would should shall may
    might must cannot what which who whom whose how when where why because just only also too very really quite rather
    still yet now today tonight already actually maybe perhaps almost nearly always never sometimes away back
    please sorry pardon excuse apologies thanks thank cheers hello hi hey welcome great good nice fine ok okay cool sure
    alright right well oh ah um uh uhm hm hmm erm haha hah ha lol wow sir madam there's that's it's i'm i'd i've i'll
    you're you've you'd we're don't didn't doesn't can't couldn't won't wouldn't isn't wasn't haven't let's what's
    repeat repeated repeating rephrase restate say saying said tell telling told ask asked asking hear hearing heard
    catch caught catching get got getting miss missed missing follow followed following understand understood
    understanding see saw seeing look looking go went going gone run give gave giving take took taking let think
    thought thinking need needed want wanted wish like love mind minding know knew wait waiting hold hang bear stay
    write wrote writing jot jotting scribble note noting work working sort figure figuring try trying read reading
    start started starting begin ready finish finished end speak speaking talk talking come came put gather collect
    check grab fetch find sit close open keep kept break broke broken breaking cut lost dropped freeze froze muted mute
    repeatedly slowly slower louder quickly clearly clear quick slow loud question questions part bit piece last first
    second seconds sec secs moment moments minute minutes mins time times thing things word words point sentence
    sentences pen pencil paper notes screen line connection mic microphone audio voice sound head mind arithmetic math
    maths mathematics numbers calculation calculations sum sums way day morning afternoon evening night weekend name
    interview interviewer chat meeting call job role team people everyone everybody fun funny interesting tricky hard
    easy tough difficult nervous excited happy glad tired sick bad fair enough new old whole while breath thoughts water
    coffee tea sense kind else anything something nothing everything anyone someone long short far late early sorted
    thread track exactly precisely reword rewording rephrasing left
    beg appreciate enjoy enjoyed meet met meeting thanks pleasure help helpful problem worries worry makes make made
""")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Aside:
    """A way to talk about the talk, found anywhere in a text of everyday words. `reply` is empty where what was said
    is to be said again; the first row that is found counts."""

    kind: str
    reply: str
    shape: str
    reads: tuple[str, ...]
    not_read: str


ASIDES: Final = (
    Aside(
        REPEAT, "",
        r"\b(?:repeat|rephras(?:e|ing)|reword(?:ing)?|restate|pardon|come again|say (?:that|it|this|again))\b"
        r"|\bsay (?:the|your) (?:question|last)"
        r"|\b(?:once|one) more\b|\bagain\b|\b(?:run|go over|read) (?:that|it|this|the (?:last|question))"
        r"|\b(?:not|n't|didn['’]t|couldn['’]t|can['’]t|missed|lost) (?:quite |really )?(?:hear|get|catch"
        r"|follow|understand|that|it|you|the)"
        r"|\b(?:missed|lost) (?:that|it|you|the)|\bwhat (?:was|is|were|did you|are you|do you"
        r")\b.*\b(?:question|say|ask|asking|saying|want)"
        r"|\b(?:you|line|audio|sound|connection|voice) (?:broke|cut|froze|dropped|were muted|was lost)"
        r"|^(?:sorry|what|excuse me|huh)\W*$",
        ("Could you repeat that?", "Sorry?", "I didn't catch that", "What was the question?", "Once more please",
         "I lost the thread. What exactly are you asking me?"),
        "Sorry, I am a bit slow today",
    ),
    Aside(
        WAIT, "As long as you need, within the time shown.",
        r"\bhow (?:long|much time)\b.*\b(?:we|i)\b(?!.*\bwait\b)",
        ("How long do we have for this part?", "How much time do I have left?"), "How long does it take",
    ),
    Aside(
        WAIT, "Take your time.",
        r"\b(?:give|need|want|take|have|just|for|wait|hang on|hold on)\b.*\b(?:seconds?|secs?|moments?"
        r"|minutes?|mins?|time|while)\b"
        r"|\b(?:one|a) (?:quick )?(?:second|sec|moment|minute)\b|\b(?:hold|hang) on\b|\bbear with\b|\bwait\b"
        r"|\b(?:let|lemme|letting) (?:me|us)\b.*\b(?:think|see|write|jot|note|work|figure|check|grab|get"
        r"|find|gather|sort|look|start|read|do)"
        r"|\b(?:i['’]m|i am|still|just) (?:just |still )?(?:thinking|writing|jotting|noting|working"
        r"|reading|looking|gathering)",
        ("Give me a second.", "let me think", "hold on", "One moment please", "I'm still thinking", "bear with me"),
        "It was a hard one",
    ),
    Aside(
        SMALL, "I hear you well. Go on.",
        r"\b(?:can|do|did|are) you (?:hear|see) (?:me|us|my)|\b(?:am i|is my)\b.*\b(?:loud|clear|muted|working)",
        ("Can you hear me?", "Am I loud and clear?"), "Did you hear it",
    ),
    Aside(
        SMALL, "Hello. Go on when you are ready.",
        r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|nice to meet|good to meet|glad to meet|pleasure)",
        ("Hello", "Hi there!", "Nice to meet you"), "It was nice",
    ),
    Aside(
        SMALL, "Good. Go on.",
        r"\b(?:thanks?|thank|cheers|appreciate|got it|i see|understood|makes sense|clear|ready|ok|okay"
        r"|cool|alright|great|nice|good|fine|sure"
        r"|haha?|hah|lol|wow|fun|funny|interesting|tricky|tough|nervous|excited|tired|happy|glad|sorry"
        r"|fair enough|no worries|well)\b",
        ("Thanks!", "ok, got it", "That's a fun one", "Sorry, I'm a bit nervous", "Fair enough"), "All of them",
    ),
)  # fmt: skip
# Of everyday words too, but what somebody answers who has no answer, or a short one.
# A clause that ends a calculation in its result.
_RESULT: Final = re.compile(
    r"\W*(?:so|thus|hence|therefore|then|which (?:is|makes)|that (?:is|makes)|in all|altogether|i mean)\b",
    re.IGNORECASE,
)
_CLAUSES: Final = re.compile(r"[,;:.!?]+(?:\s+|$)|\n+|\s+(?=(?:so|thus|hence|therefore)\b)")
LONGEST: Final = 400  # characters of what is no answer
OWN_SENSE: Final = "Answer it as you understand it, and say how you understand it."
TERM_UNKNOWN: Final = "I have no definition of “{term}” at hand: use the usual one, and say what it is."
_GIVEN_UP: Final = re.compile(
    r"\b(?:no idea|(?:don['’]?t|do not) (?:really |actually )?know|not sure|pass|skip|nothing|no clue|neither|none)\b"
    r"|^\W*(?:yes|no|yeah|yep|nope|both|all|never|always)\b(?:\W*$|.*\b(?:it|they|all|is|are|does|do|would)\b)",
    re.IGNORECASE,
)
_LEAD: Final = (
    r"(?:(?:so|and|also|then|but|well|ok(?:ay)?|sorry|hm+|um+|oh|first|just"
    r"|before (?:that|i (?:start|begin|go on)))[,: ]+)*"
)
_CLARIFY: Final = tuple(
    re.compile(rf"{_LEAD}{shape}\W*$", re.IGNORECASE)
    for shape in (
        r"what(?: exactly)? (?:do|did) you mean (?:exactly )?(?:by|with) (?P<term>.+)",
        r"what(?:['’]s| is)(?: exactly)? meant by (?P<term>.+)",
        r"what(?: exactly)? does (?P<term>.+?) (?:mean|stand for|refer to)(?: here| exactly)?",
        r"(?P<term>.+?) stands? for what(?: exactly)?",
        r"how (?:do|would|did) (?:you|we) define (?P<term>.+)",
        r"(?:(?:can|could|would) you |please )?(?:define|explain|clarify)(?: to me)?(?: what"
        r")?(?: you mean by| is meant by)? (?P<term>.+?)(?: (?:is|are|means?))?",
        r"i(?:['’]m| am) not (?:sure|certain|familiar)(?: that)?(?: i know)?(?: (?:with|about))?(?: what"
        r")?(?: you mean by)? (?P<term>.+?)(?: (?:is|are|means?)(?: here| exactly)?)?",
        r"(?:i(?:['’]ve| have) )?never heard of (?P<term>.+)",
        r"i (?:do not|don['’]?t) know what (?P<term>.+?) (?:is|are|means?)",
        r"(?:by|when you say|if you say) (?P<term>[^,]+),? (?:do|did|does|is|are) .+",
        r"what(?: exactly| precisely)?(?:['’]s| is| are)(?: exactly| precisely)? (?P<term>an? .+)",
        r"what(?: exactly| precisely)? counts as (?P<term>[^,]+)(?:,.*)?",
    )
)  # fmt: skip
_WHAT_IS: Final = re.compile(
    rf"{_LEAD}what(?: exactly| precisely)?(?:['’]s| is| are)(?: exactly| precisely)? (?P<term>.+)\W*$", re.IGNORECASE
)
_ARTICLE: Final = re.compile(
    r"^(?:an?|the|your|this|that)\s+|[\s\"'“”‘’?.!,]+$|^[\"'“”‘’]+| (?:here|exactly|in this (?:context|case))\W*$"
)
_FINE: Final = r"(?:ok|okay|fine|al(?:l |l)?right|fair|safe|allowed|acceptable|reasonable|possible|permitted)"
_LEAVE: Final = re.compile(
    rf"{_LEAD}(?:(?:can|could|may|might|should|shall|must) (?:i|we)|(?:am i|are we) allowed|(?:do|did"
    rf") (?:i|we) (?:have|need) to"
    rf"|(?:is|would|will) it (?:be )?{_FINE}|(?:do|would) you mind if|mind if|do you want me to"
    rf"|(?:i(?:['’]d| would) like to|i want to|i(?:['’]ll| will)|let me|let['’]s|can i just)?\W*"
    rf"(?:assume|assuming|suppose|ignore|ignoring|neglect|round|treat|leave out)\b.*\b(?:(?:is|would"
    rf"|if) (?:that|this|it)(?:['’]s| is| be)? (?:be )?{_FINE}|{_FINE}\?|\?))",
    re.IGNORECASE,
)  # fmt: skip
_BE: Final = r"(?:is|are|was|were|do|does|did|can|could|will|would|should|may|might|must|has|have|had)"
_OF: Final = r"(?:we|i|you|it|there|the|they|this|that|these|those|our|any|all|each|every|some|your|its|an?|both)\b"
_ASK: Final = re.compile(
    rf"{_LEAD}(?:what(?:['’]?s\b| (?:exactly |precisely )?(?:{_BE}|about|if|kind|type|sort|size"
    rf"|counts?)\b| \w+ (?:{_BE})\b)"
    rf"|which (?:\w+ ){{0,2}}{_BE} {_OF}"
    rf"|how (?:many|much|often|long|large|big|fast|far|wide|deep|high|about|{_BE}|\w+ {_BE})\b"
    rf"|who(?:['’]s|se)?\b|(?:when|where|why) {_BE} {_OF}|{_BE} {_OF}"
    r"|tell me|(?:can|could|would) you (?:please )?(?:tell|give|share|say)|do you (?:know|have)"
    r"|i(?:['’]d| would) (?:like|want|need) to know|i (?:want|need) to know|i(?: am|['’]m| was) wondering|any idea)",
    re.IGNORECASE,
)
_WH: Final = re.compile(rf"{_LEAD}(?:what|which|how|when|who|whose|where|why)\b", re.IGNORECASE)
# "Is it the optimizer?", "So 872 MB?", "What if we shard it?": put as a question, and perhaps the answer.
_GUESS: Final = re.compile(
    rf"{_LEAD}(?:(?:is|isn['’]t|was|would|wouldn['’]t|could|couldn['’]t|might) (?:it|that|the answer"
    rf"|this|they)\b|what (?:if|about)\b|how about\b|why not\b)",
    re.IGNORECASE,
)  # fmt: skip
# "Perhaps with a limit in each gateway?": a statement that sounds unsure.
_UNSURE: Final = re.compile(
    rf"{_LEAD}(?:perhaps|maybe|probably|presumably|i think|i guess|i suppose|i['’]d|i would)\b"
    r"(?!.*\b(?:you|tell me)\b)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"[^.?!;\n]*(?:[.?!;](?!\s|$)[^.?!;\n]*)*(?:[.?!;]+|\n|$)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, and of which kind it is; of an aside `about` is the reply, of `CLARIFY` and "what is the X"
    the word."""

    kind: str
    text: str
    about: str = ""


def parts_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order; one aside where all of it is about the talk.

    >>> [part.kind for part in parts_of("Thanks. What do you mean by goodput? I take TP = 8.")]
    ['small talk', 'clarify', 'said']
    """
    whole = aside(text)
    if whole is not None:
        return (whole,)
    return tuple(_part(sentence) for sentence in sentences_of(text))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; a point inside a number ends none."""
    endings = (one.group().strip() for one in _ENDS.finditer(text))
    return [sentence for sentence in endings if _WORD.search(sentence)]


def aside(text: str) -> Sentence | None:
    """A text of everyday words that is about the talk; None for any other.

    >>> aside("Hold on to the gradients until the last step.")
    """
    if len(text) > LONGEST:
        return None
    words = [word.casefold().replace("’", "'") for word in _WORD.findall(text)]
    if not words or not EVERYDAY.issuperset(words) or _GIVEN_UP.search(text):
        return None
    asides = (row for row in ASIDES if re.search(row.shape, text.strip(), re.IGNORECASE))
    return next((Sentence(row.kind, text.strip(), row.reply) for row in asides), None)


def clause_of(text: str, readable: Callable[[str], bool]) -> str:
    """The clause of a text that gives its number: the only one that is `readable`, or the last where that says that it
    is the result; empty where neither is.

    >>> clause_of("142 of 1800 s, so 8 %", lambda clause: clause.endswith("%"))
    'so 8 %'
    """
    clauses = [clause.strip() for clause in _CLAUSES.split(text[:LONGEST]) if clause.strip()]
    fit = [clause for clause in clauses if readable(clause)]
    return fit[-1] if fit and (len(fit) == 1 or (fit[-1] == clauses[-1] and _RESULT.match(fit[-1]))) else ""


def reply_to(text: str, question: str, terms: Callable[[], Mapping[str, str]] = dict) -> str:
    """What is said to a text that does not answer a follow-up; empty where it may. Where it is asked again, the
    `question`; `terms` are called for meanings by `plain_term` where one is asked for.

    >>> reply_to("Sorry, what was that?", "And the bytes?")
    'And the bytes?'
    >>> reply_to("What do you mean by a rail?", "Why rails?", lambda: {"rail": "One switch for each GPU of a node."})
    'One switch for each GPU of a node.'
    """
    parts = parts_of(text)
    if not parts or any(part.kind in (GUESS, SAID) for part in parts):
        return ""
    requests = [part for part in parts if part.kind in (CLARIFY, LEAVE, ASK)]
    if not requests:
        return parts[0].about or question
    replies = (leave_reply(one.text) if one.kind == LEAVE else _meant(terms(), one) for one in requests)
    return " ".join(dict.fromkeys(replies))


def _meant(terms: Mapping[str, str], part: Sentence) -> str:
    """What is said to a question about a word, or about anything else."""
    if part.kind == CLARIFY:
        return clarified(terms, part)
    return (word_meant(terms, part.about) if part.about else "") or OWN_SENSE


def clarified(terms: Mapping[str, str], part: Sentence) -> str:
    """The meaning of the word that a sentence asks for, of the longest term in it, or that there is none."""
    unknown = TERM_UNKNOWN.format(term=part.about)
    return word_meant(terms, part.about) or term_in(terms, part.text) or unknown


def word_meant(terms: Mapping[str, str], word: str) -> str:
    """The meaning of a word that is a term by itself, also in the plural; empty where it is none.

    >>> word_meant({"read replica": "A copy that is only read."}, "Read-replicas")
    'A copy that is only read.'
    """
    plain = plain_term(word)
    return terms.get(plain) or terms.get(plain.removesuffix("s"), "")


def term_in(terms: Mapping[str, str], text: str) -> str:
    """The meaning of the longest term named in a text; empty where there is none."""
    plain = plain_term(text)
    named = (name for name in terms if re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", plain))
    return terms[longest] if (longest := max(named, key=len, default="")) else ""


def plain_term(text: str) -> str:
    """A term as it is compared: small letters, blanks for hyphens.

    >>> plain_term("All-Reduce")
    'all reduce'
    """
    return " ".join(text.casefold().replace("-", " ").split())


def _part(sentence: str) -> Sentence:
    if len(sentence) > LONGEST:
        return Sentence(SAID, sentence)
    by_itself = aside(sentence)
    if by_itself is not None:
        return by_itself
    for shape in _CLARIFY:
        match = shape.match(sentence)
        if match:
            return Sentence(CLARIFY, sentence, bare(match["term"]))
    if _LEAVE.match(sentence):
        return Sentence(LEAVE, sentence)
    if _GUESS.match(sentence):
        return Sentence(GUESS, sentence)
    match = _WHAT_IS.match(sentence)
    if match:
        return Sentence(ASK, sentence, bare(match["term"]))
    if _ASK.match(sentence) or (sentence.endswith("?") and _WH.match(sentence)):
        return Sentence(ASK, sentence)
    return Sentence(GUESS if sentence.endswith("?") and not _UNSURE.match(sentence) else SAID, sentence)


def bare(term: str) -> str:
    """A term without articles, quotes and what stands behind it.

    >>> bare("a “rail” here?")
    'rail'
    """
    before = ""
    while term != before:
        before, term = term, _ARTICLE.sub("", term.strip())
    return term


def content_of(text: str) -> frozenset[str]:
    """The stems of the words of a text that are not everyday."""
    from quizgen.rubric.spelling import stem

    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(stem(word) for word in words if word not in EVERYDAY)


def said_before(question: str, sentences: Sequence[str]) -> str:
    """The latest of some sentences that shares most of what a question is about, two words at least; empty for none."""
    wanted = content_of(question)
    shared = [(len(wanted & content_of(one)), place) for place, one in enumerate(sentences)]
    most, place = max(shared, default=(0, 0))
    return sentences[place] if most >= 2 and most * 5 >= len(wanted) * 3 else ""


# What is said to a request for leave that no fact of the case answers: the first row that is found.
OF_THE_TALK: Final = 3  # the first rows are about the talk, before any fact
LEAVES: Final = (
    (
        r"\b(?:come|go|get) back|\blater\b|\breturn to\b",
        "We go on in order: say in a sentence what you have, and leave it.",
    ),
    (
        r"\b(?:ask|question)\b",
        "Of course.",
    ),
    (
        r"\b(?:calculator|python|notes?|paper|spreadsheet|look (?:it |that )?up|google|pen)\b",
        "Yes, calculate with whatever you like.",
    ),
    (
        r"\b(?:round|approximat\w*|roughly|back of (?:the|an) envelope|order of magnitude|significant)\b",
        "To two digits, yes; no further.",
    ),
    (
        r"\b(?:assum\w*|suppos\w*|treat|ignor\w*|neglect|leave out|disregard|take)\b",
        "Yes, assume that, and say what depends on it.",
    ),
    (
        r"\b(?:count|include|consider|add)\b",
        "Your choice: say how you count, and why.",
    ),
    (
        r"",
        "You decide: say what you gain and what it costs.",
    ),
)


def leave_reply(question: str, rows: int | None = None) -> str:
    """What an interviewer says to somebody who asks leave, by the first `rows` (None: by all); empty where none fits.

    >>> leave_reply("Do you mind if I round it?")
    'To two digits, yes; no further.'
    """
    return next((reply for shape, reply in LEAVES[:rows] if re.search(shape, question, re.IGNORECASE)), "")
