"""Sorts a candidate's sentences before anything is scored: talk about the talk, a question, a request for permission,
or a statement.

Each class is a table of rows. A row has examples that it reads and one that it must leave to others; tests try them on
the whole table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from quizgen.cases.case import plain_term

REPEAT: Final = "repeat"  # wants to hear the question again
WAIT: Final = "wait"
SMALL: Final = "small talk"  # small talk, and remarks with the same reply in every turn
HELP: Final = "help"  # does not know the answer
SKIP: Final = "skip"
CLARIFY: Final = "clarify"  # asks for the meaning of a word
LEAVE: Final = "leave"  # asks for permission
ASK: Final = "ask"
GUESS: Final = "guess"  # "872 MB?": an answer or a question, depending on the case
SAID: Final = "said"
RECAP: Final = "{known}"  # the reply that lists what is known


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Words of conversation that no answer depends on: a text of these alone may be talk about the talk.
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
    after boss drawing form full lines making parts path points remaining rounded use
    beg appreciate enjoy enjoyed meet met meeting thanks pleasure help helpful problem worries worry makes make made
""")
# Words about questions, answers and how they are judged; a text of these and everyday words is talk about the talk too.
OF_TALK: Final = _set("""
    answer answers answered answering explain explains explaining explanation explained clarify clarification
    elaborate describe discuss mention cover covered address expand detail details detailed deep deeper depth dig
    dive broad broader level high overview summary summarize summarise recap example examples format formula
    formulas equation equations derivation steps unit units digits decimal exact exactly precise precision accurate
    accuracy rough roughly approximate approximation estimate ballpark value figure figures numeric qualitative
    quantitative grade graded grading score scored scoring mark marks marking judge judged judging evaluate
    evaluated evaluating rate rated pass fail criteria rubric expect expected expecting expectation looking hint
    hints clue help stuck lost confused confusing unclear vague ambiguous context background scope topic subject
    area field expertise experience experienced familiar google googling search book documentation docs internet
    memory honest honestly frankly guess guessing assume assumption assumptions problem problems challenge task
    exercise approach approaches direction track strategy solution solve solving correct wrong right better best
    worse important relevant matter matters care interested prefer preference opinion choose choice option options
    change switch revise revisit undo restart skip move moving next previous earlier later break step show work draw
    diagram code sketch whiteboard bullet list short long brief concise simple simpler simply basically generally
    usually typical specific specifically general particular tick blank mixed remember recall forgot forget learn
    learned learnt study studied heard seen used done worked similar before job company place shoes number final result
    continue only verbose rambling frame mate man guys folks parse parsing trouble verbally written free allowed decide
    sounds works perfect excellent awesome definitely certainly absolutely totally half minute thoughts silly
    nonsense
""")
# Ordinary English words that questions and model answers happen to contain.
GENERIC: Final = _set("""
    each per chang everi take mean state share get befor use save same drop valu between within happen hide sinc learn
    size number process commit after own day show want run insid other leav hold send move lose anoth compar go instead
    order follow twice alon next behind test stop strong live pass even fall differ full stand later half thing way must
    come keep make need find time much still first last whole long short part like work job home week year month summer
    half
""")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")


# Words that may precede a question.
_LEAD: Final = (
    r"(?:(?:so|and|also|then|but|well|ok(?:ay)?|sorry|hm+|um+|oh|first|just|actually|hey"
    r"|quick question|just to be clear"
    r"|(?:(?:can|could|would) you )?(?:please )?(?:remind|tell) me|before (?:that|i \w+(?: on)?))[,: ]+)*"
)
# Groups of words that a phrase names by one word in capitals.
GROUPS: Final = {
    "MAY": "can|could|may|might|shall|should|must", "IT": "it|this|that|them|these|those",
    "NOT": "not|cannot|*n't|hardly",
    "FINE": "ok|okay|fine|alright|right|good|enough|fair|safe|allowed|acceptable|reasonable|possible|permitted",
    "SECOND": "second*|sec|secs|moment*|minute*|min|mins|tick|bit|while",
    "GET": "get|catch|hear|follow|understand|parse",
    "LAST": "last|old|previous|former|earlier|current|first", 
    "BE": "is|are|was|were|do|does|did|can|could|will|would|"
    "should|shall|may|might|must|has|have|had|am",
    "US": "we|i|you|it|there|the|they|this|that|these|those|our|any|all|each|every|some|your|its|a|an|both|my|he|she",
}  # fmt: skip
# Words that may stand between two words of a phrase.
_FILLER: Final = _set("""
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
    text and `$` its end; a word in capitals is a row of `GROUPS`.

    >>> bool(phrase_pattern("give me SECOND").search("could you give me ten more seconds"))
    True"""
    shapes = [_shape(phrase.split()) for phrase in phrases.split(",") if phrase.strip()]
    return re.compile("|".join(shapes) or r"(?!)", re.IGNORECASE)


def _shape(words: Sequence[str]) -> str:
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
            shape = r"(?P<term>[^,]+?)" if word == "TERM" else f"(?:{_either(word)})"
            one = f"{joint}{shape}"
            if word.endswith("?"):
                one = f"(?:{one})?" if joint else f"(?:{shape}(?:{_BETWEEN}|(?=\\W*$)))?"
            made, after = made + one, r"(?!\w)"
            joint = _BETWEEN if joint or not word.endswith("?") else ""
    return made + after


def _either(word: str) -> str:
    """A pattern for the words that a word of a phrase stands for."""
    names = (GROUPS.get(one, one) for one in word.replace("?", "").split("|"))
    return "|".join(re.escape(one).replace(r"\*", r"[\w']*") for name in names for one in name.split("|"))


@dataclass(frozen=True, slots=True)
class Aside:
    """A way to talk about the talk: one of `phrases` among everyday words and those of all phrases, or one of
    `anywhere` in a short text of any words; the first row that fits counts. `reply` has {question}, {form} (of the
    answer) and {part} (of the case) filled in; the talk has the reply to `REPEAT`, `HELP` and `SKIP`."""

    kind: str
    reply: str
    phrases: str
    anywhere: str
    reads: tuple[str, ...]
    not_read: str


ASIDES: Final = (
    Aside(
        SMALL, "While we are at a question, yes: say it anew, and the last word counts.",
        "change|correct|revise|fix my|the|that answer|number|mind|choice, take back",
        "MAY i change|correct|revise|fix my|the previous|last|earlier, MAY i take IT back, MAY i add to my",
        ("Can I change my previous answer?", "I want to change my answer"), "I change the answer cache",
    ),
    Aside(
        SMALL, "It is yours to decide: I only ask.",
        "your opinion|view|preference|favourite|choice, my|your place|shoes",
        """what|how would you do|choose|pick|prefer|take|use|go|build|make|shard|store|handle|solve|design, what do
        you think, what would be your, for me to find|decide|figure|choose|work, up to me, would you say|call ...
        or, more of ... or""",
        ("how would you shard it", "or is that for me to find out"), "How would you describe the traffic",
    ),
    Aside(
        SMALL, "In short: {question} {form}",
        """explain question|problem, less|more specific|concrete|vague, vague|ambiguous|unclear|confusing|confused,
        an|one|any example, supposed to do, NOT sure|certain if|what|that ... you|mean, NOT sure? i?
        follow|understand, NOT follow|understand, what you want|need|mean|expect $""",
        """simpler|simple|other|different|plain words|terms|english, if i GET|understood|got you|IT|right|correctly,
        put|phrase|say|ask|explain IT differently|simpler, another way, make|making sure i GET|got|understood,
        what|if|whether|sure you want*|need* me to|a|from|the, you're|are asking
        me|about|for|how|what|whether|if|which, so|basically|then ... you want, question is about, asking about,
        i'm lost, i'm bit|totally lost, actual|real|exact question, trouble|difficulty|hard time, would|could|can
        you ... differently|context, you would|'d like me to, ^ so? you mean* ... or, ^ do you mean ... or, you
        wanted ... or, want|expect from me""",
        ("Could you put it differently?", "I wasn't sure if you wanted the cause or the fix"), "I didn't catch that",
    ),
    Aside(
        SMALL, "We go on in order: say in a sentence what you have, and leave it.",
        "come|go|get|return back? to IT, park IT",
        """come|go|get|return back to IT, come|go|get|return back later|at, pin in IT, MAY|let's|we park IT, leave IT
        for later|now|end""",
        ("Can I come back to this later?", "Can we park this and return to it at the end?"), "Come in later",
    ),
    Aside(
        SMALL, RECAP,
        "recap, remind me of|what? numbers|figures|facts",
        """forgot|forgotten|lost|misplaced|missed number|numbers|figure|figures|notes|facts, recap|summarise|sum up?
        what|everything we|i know|have, remind me""",
        ("I forgot the numbers you gave me.", "Can you recap what we know so far?"), "I forgot the answer",
    ),
    Aside(
        REPEAT, "",
        """rephras*|reword*|restat*|pardon, come again, repeating IT, ^ what was that $, ^ say what, missed what,
        once more, one more, say|read|ask that|it|this|again, run|go|read through|over|it|that|this|by|me, back to
        question, NOT|missed hear|GET|that|it|you|the, lost you|the, question was|is $, what
        did|are|do|was|is|were ... question|say|ask|asking|saying|want, ^ sorry $, ^ what $, ^ excuse me $, ^ huh
        $, lost thread|you|track, go over""",
        """repeat that|it|this|question|your, zoned|drifted out|off, what was it you, what did|do you say|ask, what
        was|is question $, what's question $, what was question, say|read that|it|question|one again|once,
        MAY|would you repeat|rephrase, GET|miss|missed first|second|last|other|rest|beginning|start|end|part,
        only|just caught|got|heard tail? end? half? part?, NOT|missed GET|caught that|you|it|the|last, by me
        time|again|once, you|you're|line|audio|sound|connection|voice|headset|microphone|mic|internet|wifi just?
        broke|breaking|cut|cutting|froze|dropped|muted|gone, you|line|audio|sound|connection|voice was|were
        broke|breaking|cut|cutting|dropped|muted|lost|gone|bad, lost you halfway? through?, lost thread, one more
        time, once more $, say|read IT|question once|again|more""",
        ("Could you repeat that?", "Pardon, I lost you halfway through"), "Sorry, I am a bit slow today",
    ),
    Aside(
        SKIP, "",
        "skip, ^ next $, pass $, pass on, move|moving on, next question|one|part|topic, give|giving up",
        """skip|pass IT|question|one|ahead $, skip|pass IT one|question, pass on IT $, pass on IT one|question,
        move|go|get on to next|something|another, let's|lets move|go on, let's|lets leave IT, MAY we move|go on,
        next question|topic please, what's|is answer|solution $, what is right|correct answer|solution $,
        tell|show|give me right|correct|answer|solution $, skip ahead""",
        ("Skip.", "Could we skip ahead"), "None of them",
    ),
    Aside(
        HELP, "",
        """clueless|unsure|stuck, beats me, rather not guess|say|answer, no|little|never|not|much|any experience|had,
        NOT|won't get|solve|answer|figure, NOT sure|certain, help|hint*|clue|nudge, documentation|google,
        MAY|would you tell me $, forgot|forgotten|rusty, my area|field|strength, never
        done|seen|used|met|learned|studied|worked|heard""",
        """no idea|clue, NOT know, a|another|any hint|clue|nudge, help me out, look|read|google up on, look IT up,
        google IT, draw*|gone|went blank, mind ... blank, NOT remember|recall, never worked|dealt|done|played
        with|on|it|that, NOT my area|field, NOT think i can, beyond me, have to guess, blanking, never had to,
        point|push|steer me in|to""",
        ("I don't know", "Not my area, sorry"), "I never know my own mind",
    ),
    Aside(
        SMALL, "I hear you well. Go on.",
        "can|do|did|are you hear|see me|us|my, are you still? there|here, am i|my ... loud|clear|muted|working",
        "",
        ("Can you hear me?", "Am I loud and clear?"), "Did you hear it",
    ),
    Aside(
        WAIT, "Take your time.",
        """give|need|take|have|just|wait|hang|hold ... SECOND|time, one|a second|sec|moment|minute|tick, hold|hang
        on, wait, ^ thinking|calculating $, let|lemme|letting me|us ...
        think|see|write|jot|note|work|figure|check|grab|get|find|gather|sort|look|start|read|do|calculate,
        i'm|am|still|just thinking|writing|jotting|noting|working|reading|looking|gathering|scribbling|calculating""",
        """bear with me, ^ hold|hang on|a SECOND, half SECOND, gather|collect|sort|order my thoughts, ^ hold|hang on
        $, ^ wait $, ^ hold|hang on while|i'm|let, back in SECOND, one|a second|sec|moment|minute|tick please, ^
        one|a second|sec|moment|minute|tick, thinking|think aloud|out, give|need|take|have me|i|a SECOND,
        need|take SECOND, let me think|do|work|jot|write|sort|see|start|note|calculate|chew|mull|ponder|process,
        let me think $, let me think about|for|it|that|this, ^ thinking""",
        ("Give me a second.", "Give me ten seconds to write this down"), "It was a hard one",
    ),
    Aside(
        SMALL, "Then say on what, and commit to one case.",
        "IT depends, depends on ...",
        """^ IT depends $, ^ IT depends on what|how|who|which|case ... $, ^ i'd say IT depends on
        what|how|who|which|case ...""",
        ("Well, it depends", "I'd say it depends on what we optimise for"), "The rate depends on it",
    ),
    Aside(
        SMALL, "Of course: ask.",
        "MAY i ask, have|got question*, have|got few questions",
        "^ MAY i ask $, ask you something|question* $, have|got question* $",
        ("Can I ask you something?", "I have a question"), "I ask them",
    ),
    Aside(
        SMALL, "Hello. Go on when you are ready.",
        "hello|hi|hey, good morning|afternoon|evening|day, how are|is you|things|life|day|your",
        "nice|good|glad|pleasure to meet|talk|be",
        ("Hello", "Hi there!"), "It was nice",
    ),
    Aside(
        SMALL, "Good. Go on.",
        """thanks|thank|cheers|appreciate|understood|clear|ready|ok|okay|cool|alright|great|nice|good|fine|sure, got
        it, i see, makes|sounds|works *,
        haha*|hah|lol|wow|fun|funny|interesting|tricky|trick|tough|broad|big|complicated|nervous|excited|tired|happy|glad|sorry|apologies|well|weather|lovely|perfect|hm*,
        fair enough, no worries, clarification|explanation""",
        """^ thanks|thank|cheers $, thank you $, ^ thanks|thank for|you ... $, thanks a lot $,
        great|good|interesting|broad|hard|tough|nice question $, ^ sorry about ... $""",
        ("Thanks!", "Alright, sounds good"), "All of them",
    ),
)  # fmt: skip
# Short answers made of everyday words, which rows about hearing, waiting or manners may not take.
_ANSWERED: Final = re.compile(
    r"^\W*(?:yes|no|yeah|yep|nope|both|all|never|always)\b(?:\W*$|.*\b(?:it|they|all|is|are|does|do|would)\b)",
    re.IGNORECASE,
)
# A clause that ends a calculation with its result.
_RESULT: Final = re.compile(
    r"\W*(?:so|thus|hence|therefore|then|which (?:is|makes)|that (?:is|makes)|in all|altogether|i mean)\b",
    re.IGNORECASE,
)
# A calculation in words, and the words before its result.
_OPERATION: Final = phrase_pattern("times, divided by, multiplied by, over *, plus, minus, half of, per, x")
_EQUALS: Final = re.compile(
    r"(?:\b(?:is|are|makes|gives|equals|to|get|so|at|roughly|about|around)\b|[=≈~])\s*(?=[~≈]?\d)", re.IGNORECASE
)
_CLAUSES: Final = re.compile(r"[,;:.!?]+(?:\s+|$)|\n+|\s+(?=(?:so|thus|hence|therefore)\b)")
EITHER: Final = "Either will do: take one, and say which and why."
IN_SHORT: Final = "In short: {question} {form}"
READY: Final = "Go on when you are ready. I asked: {question}"
AT_EASE: Final = "As long as you need, within the time shown."
SHORT_TEXT: Final = 20  # words; a longer text is always an answer
LONGEST_TALK: Final = 30  # words
LONGEST: Final = 400  # characters; a longer text is always an answer
OWN_SENSE: Final = "Answer it as you understand it, and say how you understand it."
TERM_UNKNOWN: Final = "I mean the usual thing by it: say in a word what you take it to be."
WORD: Final = "{term}"
YOURS: Final = "You decide: say what you gain and what it costs."
WHICH_TERM: Final = "Which word do you mean? Ask “what is …?” with it."
_THAT_TERM: Final = re.compile(
    r"(?:that|this|it|those|these|acronyms?|abbreviations?|terms?|words?|letters|[a-z]+ (?:term|word|acronym"
    r"|abbreviation))\b.*",
    re.IGNORECASE,
)
# Requests for the meaning of a word, which is the group "term".
_CLARIFY: Final = tuple(
    phrase_pattern(f"^ {phrase} $")
    for phrase in (
        "what do|did you mean by|with TERM", "what|what's is? meant by TERM",
        "what does TERM mean|stand|refer for?|to?",
        "TERM stand|stands for what", "how do|would|did you|we define TERM",
        "MAY?|would? you? define|explain|clarify to? me? what? you? mean? is? meant? by? counts? as? TERM",
        "i'm? i? am? not sure|certain|familiar that? i? know? with? about? what? you? mean? by? TERM",
        "i've? i? have? never heard of TERM", "i do? not|don't know what TERM is|are|means|mean",
        "i do? not|don't know TERM what does|do it|that|they stand|mean for?",
        "by TERM do|did|does|is|are|what|how ...", "when|if you say TERM do|did|does|is|are|what|how ...",
        "what|what's is?|are? a|an TERM", "is|are TERM same|different|just|meant thing? as? from? ...",
        "does TERM mean ...",
        "is there? a? precise? definition of TERM", "what|what's is? your definition|understanding of TERM",
        "i haven't|never come across TERM", "do we|you mean same thing? by TERM",
        "what TERM stands|means|refers for?|to?", "how is|are TERM defined|meant|counted",
        "what do you consider|call|count as? TERM", "what counts as TERM",
    )
)  # fmt: skip
# "What is a tenant, a company or a key?": the second half only repeats the question.
_APPOSITION: Final = re.compile(r", (?:an?|the|is|or|as|like|per|one)\b.*$", re.IGNORECASE)
_MEANS: Final = phrase_pattern("what does|do|is it|that|this|they stand|mean|meant")
_WHAT_IS: Final = phrase_pattern("^ what is|are TERM $")
_ARTICLE: Final = re.compile(
    r"^(?:an?|the|your|this|that)\s+(?=[\w\"“‘])|[\s\"'“”‘’?.!,]+$|^[\"'“”‘’]+"
    r"|,? (?:here|exactly|precisely|sorry|please|again|(?:for|to) (?:me|you|us)|in (?:this|that|your) (?:context"
    r"|case|terms|words|question)|(?<=\w) (?:is|are|means?))\W*$"
)
_LEAVE: Final = phrase_pattern(
    """^ MAY i|we, ^ am|are i|we allowed|free, ^ do|did i|we have|need to, ^ is|would|will it be? FINE, ^ do|would you
    mind if, ^ mind if, ^ any objection|objections, ^ would|is it be? cheating|wrong|bad|problem to|if, ^ do
    you want me to, ^ let|tell me know? if|whether ... FINE, ^ is|are|would ... FINE $, ^
    i'll|i'd|i'm|let's|let|i|can want? like? will? going? me? i? to? ignore|neglect|disregard|leave out?, ^ let's
    say|assume|take ... FINE $, ^ i|i'll|i'd will? assume|assuming|take ... shout|stop|tell|correct|let me|if|know"""
)
# An assumption, which asks for permission by a question mark or "if that is fine".
_ASSUMES: Final = phrase_pattern(
    """^ i'd?|i?|i'll?|let's?|let?|can?|i'm? i? would? want? going? like? me? to?
    assume|assuming|suppose|pretend|ignore|ignoring|neglect|round|treat"""
)
_IF_FINE: Final = phrase_pattern("is|would|if|that's|it's that|this|it|FINE is? be? FINE|with, if FINE, unless you")
_ASK: Final = phrase_pattern(
    """^ what's, ^ what BE|about|if|kind|type|sort|size|count*, ^ what * BE, ^ which ... BE US, ^ how
    many|much|often|long|large|big|fast|far|wide|deep|high|about|BE, ^ how * BE, ^ who|whose|who's, ^
    when|where|why BE US, ^ BE US, ^ is|are|was|were|does|did|should|shall|may|am *, ^ tell me, ^ can|could|would
    you please? tell|give|share|say, ^ do you happen? to? know|have, ^ i'd|i would? like|want|need to know, ^
    i'm|i am?|was? wondering, ^ any idea, or ... which is|one|do|of"""
)
# Questions that need no question mark.
_ASK_SURELY: Final = phrase_pattern(
    """^ is|are|was|were|does|did|do|can|could|would|should|shall|may we|i|you|there|they, ^ is|was|does|did it, ^
    tell me, ^ i'd|i would? like|want|need to know, ^ i'm|i am?|was? wondering, ^ which|what|who * BE US, ^ how
    many|much|often * BE US, ^ can|could|would|will you"""
)
_WH: Final = phrase_pattern("^ what|which|how|when|who|whose|where|why|do|have|has")
_PERSON: Final = re.compile(r"\b(?:i|me|my|you|your|let['’]s)\b", re.IGNORECASE)
# "Is it the optimizer?", "So 872 MB?", "What if we shard it?": a question, and perhaps the answer.
_GUESS: Final = phrase_pattern(
    """^ is|isn't|was|would|wouldn't|could|couldn't|might it|that|this|they, ^ is|was answer, ^ what if|about, ^ how
    about, ^ why not"""
)
# "Perhaps with a limit in each gateway?": a statement that sounds unsure.
_UNSURE: Final = phrase_pattern("^ perhaps|maybe|probably|presumably|i'd, ^ i think|guess|suppose|would")
# "Not sure, maybe one image per library": a hedged answer.
_HEDGED: Final = phrase_pattern(
    "^ NOT? sure|certain maybe|perhaps|probably|possibly, maybe|perhaps|probably a|an|one|the ... $"
)
_TO_YOU: Final = phrase_pattern("you, tell me")
# "I'd shard by user, what do you think?": the question after a statement.
_TAIL: Final = re.compile(
    r"[,;]\s+(?=(?:but |and |so )?(?:(?:could|can|do|are|did|would) you|(?:can|may|should|am) i|any objections?"
    r"|is (?:that|it|there)|what(?:['’]s| (?:is|are|does|do|did|would|counts))|how (?:many|much|long))\b)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"[^.?!;\n]*(?:[.?!;](?!\s|$)[^.?!;\n]*)*(?:[.?!;]+|\n|$)")


@dataclass(frozen=True, slots=True)
class Theme:
    """A subject of talk about the talk, for texts that no row of `ASIDES` reads and that are no answer. The theme with
    the most `words` (phrases) in a text replies; {placeholders} are those of `ASIDES`, {known}, {setup} and {term}.
    One of `surely` makes a statement talk even if it has words of the case."""

    reply: str
    words: str
    surely: str
    reads: tuple[str, ...]


THEMES: Final = (
    Theme(
        "Take the sense that you find natural, and say which.",
        "by|when|if ... you mean|say|said ... or, mean ... or, in sense, per ... or",
        "when you say ... or, by ... you mean ... or, do you mean ... or",
        ("When you say peak, is that per second or over an hour?", "By “handle” you mean serve, or not fall over?"),
    ),
    Theme(
        "{form} I ask where I want more. {part}",
        """how far|deep*|much|detailed|thorough*, how many sentences|words|points, detail*, depth, headlines,
        outline|overview|summary, whole nine yards, derivation|proof, justify|defend, short*|long*|quick|brief
        version, bottom line, happy path, failure modes|edge cases, gory, more|less than, go into, level,
        elaborate""",
        """when|where to? stop, talk|go|going on? ... for hours, all day|night about|on, high level|high-level,
        rambl*|waffl*, more|less than you""",
        ("I could talk about this all night, so say when to stop", "Just the headlines, or the gory details?"),
    ),
    Theme(
        "{form} Name the unit that you use.",
        """unit|units, bits or, bytes or, or bits|bytes, in what, in seconds|minutes|hours|days|GB or, or
        minutes|hours|seconds|days|TB, metric""",
        "which|what unit*",
        ("Do you want bits or bytes?", "Is that in seconds or minutes?"),
    ),
    Theme(
        "{part}",
        """time left|for|to|we|now|do, for|on|with time, the|on|of time, minutes|mins, clock, late, hurry|rush,
        longer, how long, how many more, left, remaining, part|section|round|interview finish*|end*|over,
        still about|on the|this, first|second|same part, moved on, what's next|after|left, schedule, too slow|long""",
        """how much|long time|longer|have, how long do i|we|you have|get|got, time have we|i|you, what's left|next
        after, running late|out, on schedule, moved on, which part""",
        ("When does this part finish?", "I'd like to know how much longer we've got."),
    ),
    Theme(
        "Two digits are enough: round as you go, and say the unit.",
        """round*, digit*|decimal*, how|too|so exact*, exact number|figure|value, precis*, rough*, approximat*,
        ballpark, percent off|error, off by, nearest, sloppy, arithmetic, calculate|work IT properly|exactly|out,
        powers of, order* of magnitude, close enough, estimate, accurate, error, head|mental maths|arithmetic,
        guess FINE|do, long division""",
        """rough one|number|guess|figure, in my head, back of envelope|napkin, to nearest, not great|good at|with
        arithmetic""",
        ("I'll be sloppy with the arithmetic if you can live with that.", "To the nearest what?"),
    ),
    Theme(
        "All that I told you holds, unless I say that it has changed. {setup}I asked: {question}",
        """setup|scenario, same|still system|scenario|numbers|case|load|figures|assumptions|one, as before, from
        before|earlier, something|anything|everything changed|change, still holds?|hold|apply|applies|stand, new
        topic|scenario|problem, follow-up, last|previous|earlier question, carry|keep|go on with what|my,
        separate|different scenario|problem""",
        "from before, same setup|question|scenario ... before|last, still holds?|hold|apply $",
        ("Is it still the setup from before?", "Do the numbers from the beginning still hold?"),
    ),
    Theme(
        RECAP,
        """remind, recap, know|have|got so far, did|do you say ... was|were|is|are|got, numbers|figures|facts|data
        again|were|are|was, what we|i know, what you told|said|gave, from the start|beginning,
        load|size|figure|number again, sum up, go over ... numbers|facts""",
        "remind me, recap, lost my notes, what we know",
        ("Can you recap what we know so far?", "I've lost my notes, could you give me the figures again?"),
    ),
    Theme(
        "Assume your own numbers, and say them; ask me for any figure that you need.",
        """numbers|figures|assumptions, my|own numbers|figures|assumptions, are|will|would you
        give|hand|tell|provide|supply, make|making IT|something|them|numbers up, come up with, invent""",
        "make up numbers|figures, hand me, are you going give",
        ("Should I come up with the numbers myself or are you going to give me some?", "Do I invent the figures?"),
    ),
    Theme(
        "One choice: say why, and what it costs; a word on the others will do.",
        """options, alternatives, recommendation|recommend, compar*,
        choose|pick|decide|commit|settle|choice|decision, one|single solution|design|answer, pros and, trade-offs,
        list*""",
        "",
        ("Would you rather I gave you options or a recommendation?", "Do I list the alternatives, or commit to one?"),
    ),
    Theme(
        "What you would really do, and why: the reasons count as much as the result.",
        """theory, practice, textbook, real life|world|thing, at|in work|practice|production, reason*|process,
        result|outcome, prototype, correctness, concept*|principle*, ideal*""",
        "what i'd|i would|you'd really|actually do",
        ("I can't tell if you want the theory or what I'd really do at work.", "The textbook answer, or real life?"),
    ),
    Theme(
        "That you learn from the debrief: I give no marks before the end. Go on: {question}",
        """warmer|colder, kind|sort of thing, heading, direction|track|tree, right|wrong lines,
        misread|misunderstood|interrupt, match* what, sheet|list, happy with, nonsense|rubbish|silly|stupid,
        convinced, nod if, wrong, sensible|sense|plausible|reasonable, tangent, bor*, frown*|smil*|nod*,
        badly|well ... doing|going, how am|is|was, obvious, hoped|hoping|expected, any good, my|last answer,
        impression, feedback, agree*|convinced|happy, right question|track|direction|idea, missed something, mess*""",
        """am|are|was i|we ... right|wrong|track, tell me if|when, barking, wrong|right tree|track|direction|lines,
        roughly what, kind|sort of thing you|i, missing|missed something|point""",
        ("You're frowning, did I say something wrong?", "Let me know if I've gone off on a tangent."),
    ),
    Theme(
        IN_SHORT,
        """rephras*|reword*|wording|phrasing, abstract|concrete|vague|ambiguous|mouthful|cryptic|convoluted,
        simpler|plain|easier words|terms|english|language, another|different|other way|words, driving|getting at,
        what am i|me supposed, actual|real question, native speaker, NOT see|follow|get|understand, lost me|you,
        in other words, an|one|any example, expect*|deliver*|produce|come out, at the? end, you
        want*|like|need|expect*|prefer, you're|are after, IT about, do i have right|correct, play|read ... back,
        same page, correct|right $, is one|two question, one|each or all|every|both, more about, emphasis|focus
        on, mean*, understood|understand you|right|correctly, question""",
        """you're|are after, if i understand|understood|got|get, driving at, are you after, you'd like me, wanted me,
        NOT sure i? follow|get|understand, native speaker""",
        ("I don't quite see what you're driving at.", "So it is a plan that you're after, not a number."),
    ),
    Theme(
        WORD,
        """term*, word*, vocabulary|terminology|jargon, acronym|abbreviation|initialism, defin*, stand|stands for,
        mean|meant by, call*""",
        "acronym|abbreviation, use|used that|the word|term, terminology",
        (
            "Never come across that abbreviation, I'm afraid.",
            "I've seen that word used in three ways, which is yours?",
        ),
    ),
    Theme(
        "I asked: {whole}",
        """trailed|faded|mumbled|breaking, every other|second word, hear*|heard, zoned|drifted|distracted|daydream*,
        loud*, headset|earphones|headphones|mic|audio, line|sound|call|you|picture|video
        dropped|cut|went|gone|lagged|froze|crackl*, miss|missed|caught|catch|got
        what|half|part|first|second|everything|most|bit|rest|end|beginning|words|it|that, past me, over my head,
        second pass|go, once|one more, again, repeat*, from top|start, last thing|bit|part|sentence, you just
        ask*|said|say, say|run|go IT again|over, was question|that $""",
        """missed|caught what|half|part|first|second|everything|most|rest|end|beginning, you cut|froze|dropped, went
        past""",
        ("From the top please.", "I got the first part but the second part went right past me."),
    ),
    Theme(
        "Use whatever you like, paper, a calculator or code; I follow your words, so say in sentences what matters.",
        """draw*, sketch*, whiteboard|board, diagram*, jot*|scribbl*, screen, pen|pencil|paper|marker,
        write|type|draw ... schema, code|pseudo*, python|sql|java, typ*, spreadsheet|excel, calculator,
        notebook|notes, doc|docs|document|documentation|google|search, look up, talk while, boxes, writing, write
        IT|down|code|some|out""",
        """shared board, a pen, my phone*, jot|scribble|note|write down? some? numbers|notes, talk it|you through,
        write lua|sql|code, share my|a screen, think better|best""",
        ("I think better with a pen, any chance of a shared board?", "I'd normally open a spreadsheet for this."),
    ),
    Theme(
        "Take your time.",
        """need|let|want|time ... think, thinking aloud|out|through|about, thought*, chew*|mull*|ponder*|digest*,
        a|one|two|few|half SECOND, moment, breath|wits|pause, hm|hmm|um|uh|er, wait|hold|hang|bear, tip of my
        tongue, adding up, writing|scribbl*|jot*, gather|collect|order, where|how do i start|begin, to myself,
        sleep*, slow*""",
        "tip of my tongue, gather|collect my, need moment, to myself, let me take a breath|moment|minute|second",
        ("That's a good one, I need a moment with it.", "Two seconds, I had it on the tip of my tongue."),
    ),
    Theme(
        "No problem. Begin with what you know; or say “give me a hint”, or “skip”.",
        """clue, stuck, blank*|empty|nerves|nervous, ideas, got me there, making it up, outside,
        forgotten|forgot|gone|rusty, never did|done|used|seen|heard|had|worked, experience, push|point|steer, good
        place, no good at|with, lost, give up, hard|tough|difficult""",
        "you've got me, to be frank|honest, out of ideas, outside what, rusty on",
        ("You've got me there.", "I've read about it once but it's gone."),
    ),
    Theme(
        "That is fine: say what you assume, and what depends on it.",
        """ignor*|neglect*|disregard|leave|left|skip|set out|over|aside, assum*|suppos*|pretend, take it,
        allowed|free|permitted, inclined, object*|mind, gloss over, fair game, count on, yell|shout if, hope
        that's|it's FINE, unless you, worst|best case, simplify, if you don't mind, whatever, may|can i""",
        "unless you, hope that's, if you don't mind, stop|shout|yell me|if, object if",
        (
            "I'm inclined to ignore cost unless you tell me otherwise.",
            "Would you object if I left security out of this?",
        ),
    ),
    Theme(
        "Either is fine: take one, say which, and begin.",
        """whichever, up to you, either way|one, prefer i|me, you tell me, or ... prefer|like|rather, start with,
        first|then""",
        "whichever you, up to you, as you like|prefer|wish, whatever you prefer|like, you'd prefer|rather",
        (
            "I could start from the data or from the traffic, up to you.",
            "I can take either side, whichever you'd prefer.",
        ),
    ),
    Theme(
        "All right. When you are ready: {question}",
        """coffee|tea|lunch|dinner|breakfast,
        cat|dog|kid*|baby|phone|doorbell|kitchen|door|neighbour*|neighbor*|builders|drill*,
        rain*|pour*|snow*|weather|sun|warm|cold|hot|dark, noise|noisy, view|plant*|poster,
        thesis|professor|university|uni|degree, my|old boss|colleague*|manager|friend*|job|team|company,
        weekend|holiday*|weather, how's your|the day|morning|evening|week, how is your|the day|morning|week, story,
        fun*|laugh*, sorry|apolog*|forgive, long|busy day, you too, let me
        switch|close|turn|shut|mute|grab, enjoy*, i love*|quite|really, thank*, nice|lovely|cool, by the way,
        remind* of, used to, once had, swore""",
        """used to say, of mine, let me switch|close|turn|shut|mute, my|old
        boss|colleague*|manager|friend*|flatmate*|wife|husband|kid*|cat|dog, by the way, reminds me of, sorry
        about, noise, long|busy day, warm|hot|cold|dark in, bless you, last place|job|team|gig, we|i once, we had,
        back when, takes me back, when i was, swore|joked""",
        ("An old boss of mine swore he could hear a disk failing.", "Lovely view you've got there."),
    ),
)


def theme_of(text: str, least: int = 1) -> str:
    """The reply of the theme with the most phrases in a text, at least so many, the first of equals; empty if there is
    none.

    >>> theme_of("To the nearest what?")
    'Two digits are enough: round as you go, and say the unit.'"""
    plain = plain_words(text)
    votes = [
        (sum(1 for _ in words.finditer(plain)) + 2 * bool(surely.search(plain)), -place)
        for place, (words, surely) in enumerate(_theme_patterns())
    ]
    most, place = max(votes)
    return THEMES[-place].reply if most >= least else ""


def is_offer(text: str) -> bool:
    """Whether a text leaves a choice to the interviewer, which answers nothing.

    >>> is_offer("I could go at it from the cost side or the latency side, whichever you'd prefer.")
    True"""
    return bool(_OFFER.search(plain_words(text)))


def is_surely_talk(text: str) -> bool:
    """Whether a short text without a number is talk, although it may have words of the case.

    >>> is_surely_talk("An old boss of mine could hear a disk failing."), is_surely_talk("A disk fails.")
    (True, False)"""
    plain = plain_words(text)
    return len(plain.split()) <= LONGEST_TALK and any(surely.search(plain) for _, surely in _theme_patterns())


_OFFER: Final = phrase_pattern(
    """i|we could|can|might|may ... or ... whichever|whatever|either you|you'd|suits|way, i|we could|can|might|may
    ... or ... up to you, either ... or ... tell me|which|whichever, i|we could|can|might|may ... or ... you
    prefer|like|rather|choose"""
)


@cache
def _theme_patterns() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((phrase_pattern(theme.words), phrase_pattern(theme.surely)) for theme in THEMES)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its kind. `about`: for talk about the talk the reply; for `CLARIFY` and "what is the X" the
    word. `rest`: of talk about the talk the words beside the phrase by which it is known."""

    kind: str
    text: str
    about: str = ""
    rest: str = ""


def parts_of(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order; one only if the whole text is about the talk.

    >>> [part.kind for part in parts_of("Thanks. What do you mean by goodput? I take TP = 8.")]
    ['small talk', 'clarify', 'said']"""
    whole = aside(text)
    if whole is not None:
        return (whole,)
    return tuple(part for sentence in sentences_of(text) for part in _parts(sentence))


def sentences_of(text: str) -> list[str]:
    """The sentences of a text. A point inside a number does not end a sentence."""
    endings = (one.group().strip() for one in _ENDS.finditer(text))
    return [sentence for sentence in endings if _WORD.search(sentence)]


def aside(text: str) -> Sentence | None:
    """The text as talk about the talk; None if it is anything else.

    >>> aside("Hold on to the gradients until the last step.")"""
    if len(text) > LONGEST or _MEANS.search(plain_words(text)) or _has_number_sentence(text):
        return None
    (row, rest), answered, marked = _row(plain_words(text)), _ANSWERED.match(text), text.rstrip().endswith("?")
    if row is not None and (row is not ASIDES[-1] or not marked):
        return None if answered and row.kind in (REPEAT, WAIT) else Sentence(row.kind, text.strip(), row.reply, rest)
    answers = answered or marked or _ASK.search(text) or re.search(r"\d", text)
    talks = not answers and _PERSON.search(text) and is_about_talk(text)
    return Sentence(SMALL, text.strip(), theme_of(text) or READY) if talks else None


def _has_number_sentence(text: str) -> bool:
    """Whether one of several sentences has a number and is no talk: "Thanks. It is 8." """
    sentences = sentences_of(text)
    return len(sentences) > 1 and any(re.search(r"\d", one) and aside(one) is None for one in sentences)


def _row(plain: str) -> tuple[Aside | None, str]:
    """The first row of `ASIDES` that fits a text of `plain_words`, and the text without its phrase; None if no row
    fits."""
    (rows, vocabulary), words = _rows(), _words(plain)
    everyday = vocabulary.issuperset(words)
    short = len(words) <= SHORT_TEXT and len(sentences_of(plain)) == 1
    for row, some, any_ in rows:
        if everyday and some.search(plain) and not re.search(r"\d", some.sub(" ", plain)):
            return row, ""
        rest = any_.sub(" ", plain) if short or everyday else plain
        if rest != plain and not re.search(r"\d", rest):  # "thanks, 8 replicas" is an answer
            return row, rest.strip()
    return None, ""


def _words(plain: str) -> list[str]:
    return [word for word in _WORD.findall(plain) if not word.isdigit()]


def plain_words(text: str) -> str:
    """A text in the form in which words are compared: small letters, straight apostrophes, at most two equal letters in
    a row."""
    return re.sub(
        r"([a-z])\1{2,}", r"\1\1", " ".join(text.casefold().replace("’", "'").replace("at the moment", "now").split())
    )


def is_about_talk(text: str) -> bool:
    """Whether a text consists of everyday words and words about the conversation itself.

    >>> is_about_talk("Can you break that down?"), is_about_talk("Who is the customer?")
    (True, False)"""
    words = _words(plain_words(text))
    return bool(words) and (_rows()[1] | OF_TALK).issuperset(words)


@cache
def _rows() -> tuple[list[tuple[Aside, re.Pattern[str], re.Pattern[str]]], frozenset[str]]:
    """Each row of `ASIDES` with the patterns of its phrases, and the vocabulary of talk about the talk."""
    words = _set(re.sub(r"[^\w'*]", " ", " ".join(row.phrases for row in ASIDES)))
    endings = {one.replace("*", ending) for one in words - {"*"} for ending in ("", "s", "ly")}
    vocabulary = EVERYDAY | {word for word in endings if word.islower()}
    return [(row, phrase_pattern(row.phrases), phrase_pattern(row.anywhere)) for row in ASIDES], vocabulary


def clause_of(text: str, readable: Callable[[str], bool]) -> str:
    """The clause of a text with its number: the only one that is `readable`, or the last one if it is the result of a
    calculation; empty if there is none.

    >>> clause_of("142 of 1800 s, so 8 %", lambda clause: clause.endswith("%"))
    'so 8 %'
    >>> clause_of("80 layers times 2 is about 160 GB", lambda clause: clause == "160 GB")
    '160 GB'"""
    clauses = [clause.strip() for clause in _CLAUSES.split(text[:LONGEST]) if clause.strip()]
    fit = [clause for clause in clauses if readable(clause)]
    calculates = _OPERATION.search(text)
    if fit and fit[-1] == clauses[-1] and (len(fit) == 1 or calculates or _RESULT.match(fit[-1])):
        return fit[-1]
    results = _EQUALS.split(clauses[-1])[1:] if clauses and calculates else ()
    return results[-1] if results and readable(results[-1]) else fit[0] if len(fit) == 1 else ""


def reply_to(text: str, question: str, terms: Callable[[], Mapping[str, str]] = dict) -> str:
    """What is said to a text that does not answer a follow-up; empty where it may. Where it is asked again, the
    `question`; `terms` are called for meanings by `plain_term` where one is asked for.

    >>> reply_to("Sorry, what was that?", "And the bytes?")
    'And the bytes?'
    >>> reply_to("What do you mean by a rail?", "Why rails?", lambda: {"rail": "One switch for each GPU of a node."})
    'One switch for each GPU of a node.'
    """
    parts = parts_of(text)
    if not parts or any(part.kind in (GUESS, SAID, HELP, SKIP) for part in parts):
        return ""
    requests = [part for part in parts if part.kind in (CLARIFY, LEAVE, ASK)]
    if not requests:
        return parts[0].about.format(question=question, form="A sentence or two will do.", part=AT_EASE) or question
    replies = (
        leave_reply(one.text) if one.kind == LEAVE
        else clarify_term(terms(), one, question) if one.kind == CLARIFY
        else word_meant(terms(), one.about) or OWN_SENSE
        for one in requests
    )  # fmt: skip
    return " ".join(dict.fromkeys(replies))


def clarify_term(terms: Mapping[str, str], part: Sentence, question: str = "") -> str:
    """The meaning of the word that a sentence asks about, or of the longest term in it, or a sentence that it has no
    meaning here. "That term" is the longest term of the `question`."""
    if _THAT_TERM.fullmatch(part.about):
        name = longest_term(terms, question)
        return f"By “{name}” I mean: {terms[name]}" if name else WHICH_TERM
    return word_meant(terms, part.about) or terms.get(longest_term(terms, part.about), TERM_UNKNOWN)


def word_meant(terms: Mapping[str, str], word: str) -> str:
    """The meaning of a word that is itself a term, also in the plural; empty if it is not.

    >>> word_meant({"read replica": "A copy that is only read."}, "Read-replicas")
    'A copy that is only read.'"""
    plain = plain_term(word)
    return terms.get(plain) or terms.get(plain.removesuffix("s"), "") if plain else ""


def longest_term(terms: Mapping[str, str], text: str) -> str:
    """The longest term that a text contains; empty if there is none."""
    plain = plain_term(text)
    named = (name for name in terms if re.search(rf"(?<!\w){re.escape(name)}s?(?!\w)", plain))
    return max(named, key=len, default="")


def is_subject(term: str, text: str) -> bool:
    """Whether a question is about a term itself, and for no amount or goal of it.

    >>> is_subject("latency", "Is latency the median for you?"), is_subject("latency", "What is the latency target?")
    (True, False)"""
    return bool(re.search(rf"\b(?:is|are|does|do|by|with|a|an) {re.escape(term)}s?\b", plain_term(text)))


def _parts(sentence: str) -> list[Sentence]:
    """The sentence as one part, or as two if it states something and then asks."""
    whole, pieces = _part(sentence), _TAIL.split(sentence)
    return [_part(one) for one in pieces] if whole.kind in (SAID, GUESS) and len(pieces) > 1 else [whole]


def _part(sentence: str) -> Sentence:
    if len(sentence) > LONGEST:
        return Sentence(SAID, sentence)
    plain = sentence.replace("’", "'")
    return aside(sentence) or _request_for_meaning(sentence, plain) or _request(sentence, plain)


def _request_for_meaning(sentence: str, plain: str) -> Sentence | None:
    for shape in () if _HEDGED.search(plain) else _CLARIFY:
        if match := shape.search(_APPOSITION.sub("", plain)):
            term = strip_articles(match["term"])
            about = re.search(r"\b(?:question|problem|task)$", term, re.IGNORECASE)
            return Sentence(SMALL, sentence, IN_SHORT) if about else Sentence(CLARIFY, sentence, term)
    return None


def _request(sentence: str, plain: str) -> Sentence:
    marked = sentence.endswith("?")
    if _LEAVE.search(plain) or (_ASSUMES.search(plain) and (marked or _IF_FINE.search(plain))):
        return Sentence(LEAVE, sentence)
    if _GUESS.search(plain):
        return Sentence(GUESS, sentence)
    if match := _WHAT_IS.search(re.sub(r"\bwhat's\b", "what is", plain, flags=re.IGNORECASE)):
        return Sentence(ASK, sentence, strip_articles(match["term"]))
    if _ASK.search(plain) or (marked and _WH.search(plain)):
        return Sentence(ASK, sentence)
    unsure = _UNSURE.search(plain) and not _TO_YOU.search(plain)
    return Sentence(GUESS if marked and not unsure else SAID, sentence)


def asks_surely(sentence: str) -> bool:
    """Whether a sentence is a question or a request, also without a question mark.

    >>> asks_surely("do we have any monitoring"), asks_surely("how much a rank holds depends on K")
    (True, False)"""
    return sentence.endswith("?") or bool(_ASK_SURELY.search(sentence.replace("’", "'")))


def strip_articles(term: str) -> str:
    """A term without articles, quotes and trailing words.

    >>> strip_articles("a “rail” here?")
    'rail'"""
    before = ""
    while term != before:
        before, term = term, _ARTICLE.sub("", term.strip())
    return term


def content_of(text: str) -> frozenset[str]:
    """The stems of those words in a text that are not everyday words."""
    from quizgen.rubric.spelling import word_stem

    words = (word.casefold() for word in _WORD.findall(text))
    return frozenset(word_stem(word) for word in words if word not in EVERYDAY)


def said_before(question: str, sentences: Sequence[str]) -> str:
    """The latest sentence that shares most of a question's content, at least two words; empty if there is none."""
    wanted = content_of(question)
    shared = [(len(wanted & content_of(one)), place) for place, one in enumerate(sentences)]
    most, place = max(shared, default=(0, 0))
    return sentences[place] if most >= 2 and most * 5 >= len(wanted) * 3 else ""


# Replies to a request for permission that no fact of the case answers; the first matching row is used.
LEAVES: Final = (
    (r"\b(?:round\w*|approximat\w*|roughly|back of (?:the|an) envelope|significant)\b",
     "To two digits, yes; no further."),
    (r"\bor\b", EITHER),
    (r"\binto account\b|\b(?:care|worry|consider|handle|cover|think about)\b",
     "If it decides the answer, yes, in a sentence; else leave it out."),
    (r"\b(?:ignor\w*|neglect|leave out|disregard|skip)\b", "Yes, leave it out, and say that you do."),
    (r"\b(?:assum\w*|suppos\w*|pretend|treat|take|say)\b",
     "Yes, assume that, and say what depends on it."),
    (r"\b(?:count|include|add)\b", "Your choice: say how you count, and why."),
    (r"", YOURS),
)  # fmt: skip


def leave_reply(question: str) -> str:
    """The reply to a request for permission.

    >>> leave_reply("Do you mind if I round it?")
    'To two digits, yes; no further.'"""
    return next(reply for shape, reply in LEAVES if re.search(shape, question, re.IGNORECASE))
