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

REPEAT: Final = "repeat"  # hear it again
WAIT: Final = "wait"
SMALL: Final = "small talk"  # and all that has a reply whatever the turn
HELP: Final = "help"  # somebody who does not know
SKIP: Final = "skip"
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
# Words about questions, answers and how they are judged: a text of these and everyday words is about the talk, too.
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
    only verbose rambling frame mate man guys folks parse parsing trouble verbally written free allowed decide
    sounds works perfect excellent awesome definitely certainly absolutely totally half minute thoughts silly
    nonsense
""")
_WORD: Final = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?")


@dataclass(frozen=True, slots=True)
class Aside:
    """A way to talk about the talk: one of `phrases` among everyday words and those of all phrases, or one of
    `anywhere` in a short text of any words; the first row that fits counts. Phrases are patterns between " | ". `reply`
    has {question}, {form} (of the answer) and {part} (of the case) filled in; the talk has the reply to `REPEAT`,
    `HELP` and `SKIP`."""

    kind: str
    reply: str
    phrases: str
    anywhere: str
    reads: tuple[str, ...]
    not_read: str


ASIDES: Final = (
    Aside(
        SMALL, "What decides the question, in a few sentences and with numbers; leave the rest.",
        r"how (deep|detailed|deeply|broad) | (into|in|much|more|enough|less|any) (detail|details|depth) |"
        r" big picture | high[- ]level | where (should|do|shall) i (start|begin) | (should|shall|can|do|"
        r"may) i (go on|elaborate|continue|expand|explain|keep going)( on)?",
        r"(^\W*|do you |would you |shall i |anything (else )?you )(want|like|need) me to (?!do\b)\w+ |"
        r" how long should | dig deeper | show (my|the) (work|working|steps) | level of detail |"
        r" high[- ]level (or|is|first|overview|answer) | how much detail | (would you like|do you want|"
        r"want) me to (go|talk|elaborate|continue|expand|explain|cover|keep|say)",
        ("How deep should I go here?", "Should I go into detail, or stay at a high level?",
         "Where should I start?", "Should I elaborate on that?",
         "Would you like me to talk about failure modes as well?"),
        "How deep is the queue",
    ),
    Aside(
        SMALL, "{form}",
        r"(what|which) units? | (what|which) (form|format) | (long|short|full) (answer|response) |"
        r" bullet points? | how (should|do) i answer | formula (enough|ok|fine)",
        r"(is|would) a formula | (what|which) (form|format|kind|sort|type) of (answer|response) |"
        r" in (bullet points|full sentences|keywords) | (do you want|are you after|do you need|should i give|"
        r"is it|want) (just |only )?(a number|one number|an explanation|words|numbers|a design|a figure),? or |"
        r" (a|one) (number|figure) or an? (design|explanation|list|plan|cause) | write (some |the )?code\b.*\bor\b",
        ("What units do you want?", "How should I answer?", "Do you want a number or an explanation?",
         "Can I answer in bullet points?"),
        "How many units are there",
    ),
    Aside(
        SMALL, "In short: {question} {form}",
        r"explain (the|your|this|that) (question|problem) | (more|less) (specific|concrete|vague) | vague|"
        r"ambiguous|unclear|confusing|confused | (an|one|any) example | (am i|i am|i'm|"
        r"are we) supposed to do | (not|\w+n't)( sure| certain)?( if| that)?( i)?( quite| really|"
        r" fully)? (follow|understand|get (what|it|you)) | what you (want|need|mean|expect)\b(?!.*\bby\b) |"
        r" (you|you're|you are) (after|looking for)",
        r"(simpler|simple|other|different|plain) (words|terms|english) | if i (understand|understood|got|"
        r"get) (you|it|this|right|correctly) | (put|phrase|say|ask|explain) (it|that|this) (differently|"
        r"another way|in another way|simpler|more simply) | (make|making) sure i (understand|understood|got|"
        r"get) | you (want|would like|'d like) me to | (want|need|expect) from me | (you're|"
        r"you are) (actually |really )?asking (me|about|for|how|what|whether|if|which)"
        r" | (so|basically|then)\b.*\byou want | i'm (a bit |totally |so )?lost | (actual|real|"
        r"exact) question | (having|have) (trouble|difficulty|a hard time) | (can|could|"
        r"would) you .*\b(another way|differently|more context)",
        ("Could you put it differently?", "can you explain the question in simpler words", "huh, I don't follow",
         "That is a bit vague", "not sure what you want from me",
         "If I understand right, you want me to design a chat?"),
        "I didn't catch that",
    ),
    Aside(
        SMALL, "It is yours to decide: I only ask.",
        r"your (opinion|view|preference|favourite|choice) | (my|your) (place|shoes)",
        r"(what|how) would you (?!say|describe|expect|estimate|call|guess|put)\w+ | what do you think |"
        r" what would be your",
        ("What would you do in my place?", "what do you think?", "how would you shard it"),
        "How would you describe the traffic",
    ),
    Aside(
        SMALL, "{part}",
        r"how (long|much (more )?time)\b.*\b(we|i)\b(?!.*\bwait\b) | (time|minutes|questions|parts) (is |"
        r"are )?(left|remaining|to go)",
        r"(have|got|is there|enough)\b.*\btime (for|to|left) | how many (more )?(questions|parts|minutes|"
        r"rounds)\b | (good|ok|okay|fine|doing) (on|for|with) time | running out of time",
        ("How long do we have for this part?", "How much time do I have left?", "how many questions are left",
         "Are we good on time?"),
        "How long does it take",
    ),
    Aside(
        REPEAT, "",
        r"rephrase|rephrasing|reword|rewording|restate|pardon | come again | (repeating|rephrasing) (it|that|"
        r"this) | ^(sorry,? )?what was that\W*$ | ^say what | missed what | say (that|it|this|again) |"
        r" once more | one more | again | (run|go over|read) (that|it|this|me|the (last|question)) |"
        r" back to the question | (not|\w+n't|missed|lost) (quite |really )?(hear|get|catch|that|it|you|the) |"
        r" the question (was|is)\W*$ | what (was|is|were|did you|are you|do you)\b.*\b(question|say|ask|"
        r"asking|saying|want) | ^(sorry|what|excuse me|huh)\W*$ | (you|line|audio|sound|connection|"
        r"voice)( were| was)? (broke|breaking|cut|cutting|froze|dropped|muted|lost|gone)",
        r"repeat (that|it|this|the question|your question) | what (did|do) you (just )?(ask|say)\b |"
        r" what was (the|your) question | say that again | (could|can|would) you (please )?(repeat|rephrase) |"
        r" (get|catch|hear|miss|missed|understand) the (first|second|last|other|rest) | (didn't|couldn't|"
        r"did not|could not) (quite )?(catch|hear) (that|you|it|the)",
        ("Could you repeat that?", "Sorry?", "I didn't catch that", "What was the question?", "Once more please",
         "you were cutting out, say that again?", "I lost the thread. What exactly are you asking me?"),
        "Sorry, I am a bit slow today",
    ),
    Aside(
        SMALL, "Two digits: no rougher, and no more are needed.",
        r"how (precise|exact|accurate|rough|precisely|roughly) | significant|decimals? | (exact|precise|"
        r"rounded) (number|figure|value|answer|numbers)",
        r"order of magnitude (fine|ok|okay|enough|good|answer|estimate) | (is|just|to|i) ballpark | (rough|"
        r"approximate) (number|figure|estimate|answer|idea) (ok|okay|enough|fine|do)",
        ("How precise does it need to be?", "Is an order of magnitude fine?", "Do you need the exact number?",
         "Is it OK to just ballpark this?"),
        "How precise is the clock",
    ),
    Aside(
        SMALL, "Sentences are enough: I follow no code and no drawing, but sketch for yourself as you like.",
        r"code|pseudocode|coding | draw|sketch|diagram|diagrams|whiteboard|picture|drawing | talk (it|this|"
        r"you|it all) through",
        r"(write|want|need|see|in|show) (you )?(some |actual |real |any )?(pseudo[- ]?)?code (for|to|here|"
        r"or) | (on|use) (a|the) whiteboard",
        ("Should I write code?", "can I draw a diagram?", "shall I just talk it through", "Do you want pseudocode?"),
        "Draw from a pool",
    ),
    Aside(
        SMALL, "While we are at a question, yes: say it anew, and the last word counts.",
        r"(change|correct|revise|fix|take back) (my|the|that|an|a) (previous |last |earlier )?(answer|number|"
        r"mind|one|choice)",
        r"(can|could|may) i (change|correct|revise|fix|take back|add to) (my|the) (previous|last|earlier)",
        ("Can I change my previous answer?", "I want to change my answer"),
        "I change the answer cache",
    ),
    Aside(
        SMALL, "I give no marks before the end: the debrief shows every point. Go on.",
        r"how (am i|was (that|i|it)|did i|are we)( doing| do)? | (right|wrong|good|correct) (direction|track|"
        r"path|lines|approach|answer) | (am i|did i|have i|was i|i've|i have)\b.*\b(missing|miss|missed|"
        r"forget|forgotten|right|wrong|correct|close|far off|off) | (is|was) (that|this|it) (right|correct|"
        r"wrong|good|enough|what) | (does|did) (that|this|it) (make sense|answer|help|cover|address) |"
        r" what you (wanted|expected)",
        r"on the (right|wrong) track | (right|wrong) direction | heading (in|into|towards|for) the direction you |"
        r" if i'm (waffling|rambling) | am i (waffling|rambling|spending|talking) | (any|some|give me) feedback |"
        r" (grade|grading|score|scoring|marking|judging|evaluating) (me|this|my|on) | how am i doing |"
        r" (would you (say|agree)|do you (agree|think)) .*\b(reasonable|right|ok|okay|enough|good|fine|correct)",
        ("How am I doing?", "Is this going in the right direction?", "am I missing something?",
         "Does that make sense?", "Is that right?", "Was that what you were looking for?", "Tell me if I'm rambling.",
         "Is there anything I've missed?"),
        "Makes sense",
    ),
    Aside(
        SKIP, "",
        r"skip|^next\W*$|pass(?! (it|that|this|the|them|on)) | move on | moving on | next (question|one|part|"
        r"topic) | give up | giving up",
        r"(skip|pass on) (this|that|it|the question)( one| question)?\W*$ | (go|move) on to the next | (move|"
        r"go|get) (on )?to (something|the next|another) | next (question|topic),? please | let's move on |"
        r" (what's|what is|tell me|show me|give me) the (right |correct )?(answer|solution)\W*$",
        ("Skip.", "can we move on", "no clue, next question please", "I give up on this one, what's the answer?"),
        "None of them",
    ),
    Aside(
        HELP, "",
        r"clueless | unsure|stuck | beats me | rather not (guess|say|answer) | (no|little|never had|not much|"
        r"any) (\w+ )?experience | (not going to|won't|can't|cannot) (get|solve|answer|figure) | not (sure|"
        r"certain) | help|hint|hints|clue|nudge | documentation|google | (can|could) you (just )?tell me\W*$ |"
        r" forgot|forgotten|rusty | my (area|field|strength) | never (done|seen|used|met|learned|studied|"
        r"worked|heard)",
        r"no (idea|clue)\b | (don't|do not|wouldn't) (really |actually |honestly |"
        r"even )?know\b(?! what \w+ (is|are|means)) | (a|another|any) (hint|clue) | (look|read|"
        r"google)( \w+)? up( on)? (it|that|this|them) | (look|google) (it|that|this|them|those) up | (draw|"
        r"drawing|gone) a? ?blank | (can't|cannot|don't) (remember|recall) | never (worked|dealt|done|"
        r"played) (with|on|it|that) | (not|isn't) (really )?my (area|field)",
        ("I don't know", "No idea.", "I'd have to look that up", "Could I get a hint?", "I'm stuck",
         "I can't remember", "Not my area, sorry"),
        "I never know my own mind",
    ),
    Aside(
        WAIT, "Take your time.",
        r"(give|need|want|take|have|just|for|wait|hang on|hold on)\b.*\b(seconds?|secs?|moments?|minutes?|"
        r"mins?|time|a while) | (one|a) (quick )?(second|sec|moment|minute|tick) | (hold|hang) on | wait |"
        r" ^\W*(hm+ )?(still |just )?(thinking|calculating)\W*$ | (let|lemme|letting) (me|us)\b.*\b(think|see|"
        r"write|jot|note|work|figure|check|grab|get|find|gather|sort|look|start|read|do|calculate) | (i'm|"
        r"i am|still|just) (just |still )?(thinking|writing|jotting|noting|working|reading|looking|gathering|"
        r"scribbling|calculating)",
        r"bear with me | half a (second|minute) | (gather|collect|sort|order) my thoughts |"
        r" ^\W*(hold on|hang on|wait)\b\W+(?!to\b|the\b|for\b|until\b|till\b|a\b)\D{0,30}$ |"
        r" give me a (bit|while) | (one|a) (moment|second|sec|minute)( please)?\W*$ | (thinking|think) (aloud|"
        r"out loud) | (give me|i need|i'll need|i want|i'd need)( about| another| maybe| like)? (a|one|two|"
        r"\d+) (more |quick )?(seconds?|secs?|moments?|minutes?|mins?)\b | let me (just )?think (about|for|a|"
        r"it|that)?\b(?!.*:)",
        ("Give me a second.", "let me think", "hold on", "One moment please", "I'm still thinking",
         "bear with me, I'm scribbling", "Give me 30 seconds", "thinking...",
         "Half a minute, please", "let me collect my thoughts before I say nonsense"),
        "It was a hard one",
    ),
    Aside(
        SMALL, "Of course: notes, paper, a calculator, whatever you like.",
        r"(take|taking|make|making|write|writing|my|some) (\w+ )?notes | (use )?(a |my )?(calculator|python|"
        r"spreadsheet|excel|pen|paper)",
        r"(can|may|could|do|allowed|get)\b.*\b(use|have) (a |my )?(calculator|python|spreadsheet|excel)",
        ("Mind if I take notes while we go?", "do I get to use a calculator"),
        "I note the number",
    ),
    Aside(
        SMALL, "We go on in order: say in a sentence what you have, and leave it.",
        r"(come|go|get|return) (back )?to (this|that|it)",
        r"(come|go|get) back to (this|that|it)( one)?( later| at the end)",
        ("Can I come back to this later?",), "Come in later",
    ),
    Aside(
        SMALL, "Then say on what, and commit to one case.",
        r"(it|that|this) (all |really )?depends | depends on .*",
        r"^\W*(well,? |i'd say |i think |hm+,? )*(it|that|this) (all |really )?depends( on (what|how|who|"
        r"which|the case)\b.*)?\W*$",
        ("Well, it depends", "I'd say it depends on what we optimise for"),
        "The rate depends on it",
    ),
    Aside(
        SMALL, "Of course: ask.",
        r"(can|may|could|shall|should) i (\w+ )?ask | (have|got) (a|another|one|some|a few) (quick )?questions?",
        r"ask (you )?(some |a few |more |any )?questions?\b(?!.*\b(users|people|customers)\b)",
        ("Can I ask you something?", "I have a question"),
        "I ask them",
    ),
    Aside(
        SMALL, "I hear you well. Go on.",
        r"(can|do|did|are) you (hear|see) (me|us|my) | (am i|is my)\b.*\b(loud|clear|muted|working)",
        "",
        ("Can you hear me?", "Am I loud and clear?"),
        "Did you hear it",
    ),
    Aside(
        SMALL, "Hello. Go on when you are ready.",
        r"hello|hi|hey | good (morning|afternoon|evening|day) | how are you",
        r"(nice|good|glad|pleasure) to meet you",
        ("Hello", "Hi there!", "Nice to meet you"),
        "It was nice",
    ),
    Aside(
        SMALL, "Good. Go on.",
        r"thanks|thank|cheers|appreciate|understood|clear|ready|ok|okay|cool|alright|great|nice|good|fine|"
        r"sure | got it | i see | (makes|sounds|works) \w+ | haha?|hah|lol|wow|fun|funny|interesting|tricky|"
        r"trick|tough|broad|complicated|nervous|excited|tired|happy|glad|sorry|well|weather|lovely|perfect|"
        r"hm+ | fair enough | no worries | clarification|explanation",
        r"^\W*(ok(ay)?,? )?(thanks|thank you)( for .*| a lot| very much)?\W*$ | (great|good|interesting|broad|hard|"
        r"tough|nice) question\W*$ | ^\W*sorry about (the|that|my)( \w+){1,3}\W*$",
        ("Thanks!", "ok, got it", "That's a fun one", "Sorry, I'm a bit nervous", "Fair enough",
         "Alright, sounds good", "Sorry about the noise outside"),
        "All of them",
    ),
)  # fmt: skip
# Of everyday words too, but a short answer, which no row about hearing, waiting or manners may take.
_ANSWERED: Final = re.compile(
    r"^\W*(?:yes|no|yeah|yep|nope|both|all|never|always)\b(?:\W*$|.*\b(?:it|they|all|is|are|does|do|would)\b)",
    re.IGNORECASE,
)
# A clause that ends a calculation in its result.
_RESULT: Final = re.compile(
    r"\W*(?:so|thus|hence|therefore|then|which (?:is|makes)|that (?:is|makes)|in all|altogether|i mean)\b",
    re.IGNORECASE,
)
_CLAUSES: Final = re.compile(r"[,;:.!?]+(?:\s+|$)|\n+|\s+(?=(?:so|thus|hence|therefore)\b)")
EITHER: Final = "Either will do: take one, and say which and why."
IN_SHORT: Final = "In short: {question} {form}"
READY: Final = "Go on when you are ready. I asked: {question}"
AT_EASE: Final = "As long as you need, within the time shown."
SHORT_TEXT: Final = 14  # words of what may be no answer, though some are not everyday
LONGEST: Final = 400  # characters of what is no answer
OWN_SENSE: Final = "Answer it as you understand it, and say how you understand it."
TERM_UNKNOWN: Final = "I have no definition of “{term}” at hand: use the usual one, and say what it is."
WHICH_TERM: Final = "Which word do you mean? Ask “what is …?” with it."
_THAT_TERM: Final = re.compile(
    r"(?:that|this|it|those|these|acronyms?|abbreviations?|terms?|words?|letters|[a-z]+ (?:term|word|acronym"
    r"|abbreviation))\b.*",
    re.IGNORECASE,
)
_LEAD: Final = (
    r"(?:(?:so|and|also|then|but|well|ok(?:ay)?|sorry|hm+|um+|oh|first|just"
    r"|(?:(?:can|could|would) you )?(?:please )?(?:remind|tell) me|before (?:that|i \w+(?: on)?))[,: ]+)*"
)
_CLARIFY: Final = tuple(
    re.compile(rf"{_LEAD}{shape}\W*$", re.IGNORECASE)
    for shape in (
        r"what(?: exactly)? (?:do|did) you mean (?:exactly )?(?:by|with) (?P<term>.+)",
        r"what(?:['’]s| is)(?: exactly)? meant by (?P<term>.+)",
        r"what(?: exactly)? does (?P<term>.+?) (?:mean|stand for|refer to)(?: here| exactly)?",
        r"(?P<term>.+?) stands? for what(?: exactly)?",
        r"how (?:do|would|did) (?:you|we) define (?P<term>.+)",
        r"(?:(?:can|could|would) you |please )?(?:define|explain|clarify)(?: to me)?(?: what)?(?: you mean by"
        r"| is meant by| counts as)? (?P<term>.+?)(?: (?:is|are|means?))?",
        r"(?:i(?:['’]m| am) )?not (?:sure|certain|familiar)(?: that)?(?: i know)?(?: (?:with|about))?(?: what"
        r")?(?: you mean by)? (?P<term>.+?)(?: (?:is|are|means?)(?: here| exactly)?)?",
        r"(?:i(?:['’]ve| have) )?never heard of (?P<term>.+)",
        r"i (?:do not|don['’]?t) know what (?P<term>.+?) (?:is|are|means?)",
        r"(?:by|when you say|if you say) (?P<term>[^,]+),? (?:do|did|does|is|are|what|how) .+",
        r"what(?: exactly| precisely)?(?:['’]s| is| are)(?: exactly| precisely)? (?P<term>an? .+)",
        r"(?:is|are) (?P<term>[^,]+?) (?:the same(?: thing)? as|different from|just|meant as) .+",
        r"does (?P<term>[^,]+?) mean .+",
        r"what (?P<term>.+?) (?:stands for|means|refers to)",
        r"how(?: exactly| precisely)? (?:is|are) (?P<term>.+?) (?:defined|meant|counted)",
        r"what(?: exactly)? do you (?:consider|call|count as) (?P<term>.+)",
        r"what(?: exactly| precisely)? counts as (?P<term>[^,]+)(?:,.*)?",
    )
)  # fmt: skip
_WHAT_IS: Final = re.compile(
    rf"{_LEAD}what(?: exactly| precisely)?(?:['’]s| is| are)(?: exactly| precisely)? (?P<term>.+)\W*$", re.IGNORECASE
)
_ARTICLE: Final = re.compile(
    r"^(?:an?|the|your|this|that)\s+(?=[\w\"“‘])|[\s\"'“”‘’?.!,]+$|^[\"'“”‘’]+"
    r"|,? (?:here|exactly|precisely|sorry|please|again|(?:for|to) (?:me|you|us)|in (?:this|that|your) (?:context"
    r"|case|terms|words|question))\W*$"
)
_FINE: Final = r"(?:ok|okay|fine|al(?:l |l)?right|fair|safe|allowed|acceptable|reasonable|possible|permitted)"
_LEAVE: Final = re.compile(
    rf"{_LEAD}(?:(?:can|could|may|might|should|shall|must) (?:i|we)|(?:am i|are we) (?:allowed|free)|(?:do|did"
    rf") (?:i|we) (?:have|need) to"
    rf"|(?:is|would|will) it (?:be )?{_FINE}|(?:do|would) you mind if|mind if|do you want me to"
    r"|i(?:['’]m going to|['’]ll| will|['’]d)? (?:assume|assuming|take)\b.*\b(?:shout|stop me|tell me|correct me"
    r"|let me know)"
    r"|(?:i(?:['’]d| would) like to|i want to|i(?:['’]ll| will)|i(?:['’]m| am) going to|let['’]s|let me|"
    r"can i just) (?:just )?(?:ignore"
    r"|neglect|leave out|disregard)\b"
    rf"|(?:(?:is|are|would) .*\b|let['’]s (?:say|assume|take) .*\W){_FINE}\W*$"
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
    rf"|which (?:\w+ ){{0,4}}{_BE} {_OF}"
    rf"|how (?:many|much|often|long|large|big|fast|far|wide|deep|high|about|{_BE}|\w+ {_BE})\b"
    rf"|who(?:['’]s|se)?\b|(?:when|where|why) {_BE} {_OF}|{_BE} {_OF}"
    r"|(?:is|are|was|were|does|did|should|shall|may|am) \w+"
    r"|tell me|(?:can|could|would) you (?:please )?(?:tell|give|share|say)|do you (?:know|have)"
    r"|i(?:['’]d| would) (?:like|want|need) to know|i (?:want|need) to know|i(?: am|['’]m| was) wondering|any idea)",
    re.IGNORECASE,
)
_WH: Final = re.compile(rf"{_LEAD}(?:what|which|how|when|who|whose|where|why)\b", re.IGNORECASE)
_PERSON: Final = re.compile(r"\b(?:i|me|my|you|your|let['’]s)\b", re.IGNORECASE)
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
# "I'd shard by user, what do you think?": the question behind a statement.
_TAIL: Final = re.compile(
    r"[,;]\s+(?=(?:but |and |so )?(?:(?:could|can|do|are|did) you|what (?:is|are|does|do|did|would)|how (?:many"
    r"|much|long))\b)",
    re.IGNORECASE,
)
_ENDS: Final = re.compile(r"[^.?!;\n]*(?:[.?!;](?!\s|$)[^.?!;\n]*)*(?:[.?!;]+|\n|$)")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and its kind. `about`: for talk about the talk the reply; for `CLARIFY` and "what is the X" the
    word."""

    kind: str
    text: str
    about: str = ""


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
    if len(text) > LONGEST:
        return None
    row, answered = _row(plain_words(text)), _ANSWERED.match(text)
    if row is not None and (row is not ASIDES[-1] or not text.rstrip().endswith("?")):
        return None if answered and row.kind in (REPEAT, WAIT) else Sentence(row.kind, text.strip(), row.reply)
    answers = answered or text.rstrip().endswith("?") or _ASK.match(text) or re.search(r"\d", text)
    talks = not answers and _PERSON.search(text) and is_about_talk(text)
    return Sentence(SMALL, text.strip(), READY) if talks else None


def _row(plain: str) -> Aside | None:
    """The first row of `ASIDES` that fits a text of `plain_words`; None if no row fits."""
    (rows, vocabulary), words = _rows(), _words(plain)
    everyday = vocabulary.issuperset(words)
    short = len(words) <= SHORT_TEXT and len(sentences_of(plain)) == 1
    return next(
        (r for r, some, any_ in rows if (everyday and some.search(plain)) or (short and _is_unmistakable(any_, plain))),
        None,
    )


def _is_unmistakable(phrase: re.Pattern[str], plain: str) -> bool:
    """Whether the phrase is in the text with no number beside it: "thanks, 8 replicas" is an answer."""
    found = phrase.search(plain)
    return found is not None and not re.search(r"\d", plain[: found.start()] + plain[found.end() :])


def _words(plain: str) -> list[str]:
    return [word for word in _WORD.findall(plain) if not word.isdigit()]


def plain_words(text: str) -> str:
    """A text in the form in which words are compared: small letters, straight apostrophes, at most two equal letters in
    a row."""
    return re.sub(r"([a-z])\1{2,}", r"\1\1", " ".join(text.casefold().replace("’", "'").split()))


def is_about_talk(text: str) -> bool:
    """Whether a text consists of everyday words and words about the conversation itself.

    >>> is_about_talk("Can you break that down?"), is_about_talk("Who is the customer?")
    (True, False)"""
    words = _words(plain_words(text))
    return bool(words) and (_rows()[1] | OF_TALK).issuperset(words)


@cache
def _rows() -> tuple[list[tuple[Aside, re.Pattern[str], re.Pattern[str]]], frozenset[str]]:
    """Each row of `ASIDES` with the patterns of its phrases, and the vocabulary of talk about the talk."""
    words = re.sub(r"\\.", " ", " ".join(row.phrases for row in ASIDES))
    vocabulary = EVERYDAY.union(_WORD.findall(words), _WORD.findall(re.sub(r"\w\?", "", words)))
    return [(row, _either(row.phrases), _either(row.anywhere)) for row in ASIDES], vocabulary


def _either(phrases: str) -> re.Pattern[str]:
    """The pattern that finds one of these phrases, which are separated by bars, as whole words."""
    shape = re.sub(r"\((?!\?)", "(?:", "|".join(" ".join(one.split()) for one in phrases.split(" | ")))
    return re.compile(rf"(?<!\w)(?:{shape})(?!\w)" if shape else r"(?!)")


def clause_of(text: str, readable: Callable[[str], bool]) -> str:
    """The clause of a text with its number: the only one that is `readable`, or the last one if it is introduced as the
    result; empty if there is none.

    >>> clause_of("142 of 1800 s, so 8 %", lambda clause: clause.endswith("%"))
    'so 8 %'"""
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
    unknown = TERM_UNKNOWN.format(term=part.about)
    return word_meant(terms, part.about) or terms.get(longest_term(terms, part.text), unknown)


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


def plain_term(text: str) -> str:
    """A term in the form in which terms are compared: small letters, blanks for hyphens.

    >>> plain_term("All-Reduce")
    'all reduce'"""
    return " ".join(text.casefold().replace("-", " ").split())


def _parts(sentence: str) -> list[Sentence]:
    """The sentence as one part, or as two if it states something and then asks."""
    whole, pieces = _part(sentence), _TAIL.split(sentence)
    return [_part(one) for one in pieces] if whole.kind in (SAID, GUESS) and len(pieces) > 1 else [whole]


def _part(sentence: str) -> Sentence:
    if len(sentence) > LONGEST:
        return Sentence(SAID, sentence)
    by_itself = aside(sentence)
    if by_itself is not None:
        return by_itself
    for shape in _CLARIFY:
        match = shape.match(sentence)
        if match:
            term = strip_articles(match["term"])
            about = re.search(r"\b(?:question|problem|task)$", term, re.IGNORECASE)
            return Sentence(SMALL, sentence, IN_SHORT) if about else Sentence(CLARIFY, sentence, term)
    if _LEAVE.match(sentence):
        return Sentence(LEAVE, sentence)
    if _GUESS.match(sentence):
        return Sentence(GUESS, sentence)
    match = _WHAT_IS.match(sentence)
    if match:
        return Sentence(ASK, sentence, strip_articles(match["term"]))
    if _ASK.match(sentence) or (sentence.endswith("?") and _WH.match(sentence)):
        return Sentence(ASK, sentence)
    return Sentence(GUESS if sentence.endswith("?") and not _UNSURE.match(sentence) else SAID, sentence)


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


# What is said to a request for leave that no fact of the case answers: the first row that is found.
LEAVES: Final = (
    (r"\b(?:round|approximat\w*|roughly|back of (?:the|an) envelope|significant)\b", "To two digits, yes; no further."),
    (r"\bor\b", EITHER),
    (r"\binto account\b|\b(?:care|worry|consider|handle|cover|think about)\b",
     "If it decides the answer, yes, in a sentence; else leave it out."),
    (r"\b(?:assum\w*|suppos\w*|treat|ignor\w*|neglect|leave out|disregard|take)\b",
     "Yes, assume that, and say what depends on it."),
    (r"\b(?:count|include|add)\b", "Your choice: say how you count, and why."),
    (r"", "You decide: say what you gain and what it costs."),
)  # fmt: skip


def leave_reply(question: str) -> str:
    """The reply to a request for permission.

    >>> leave_reply("Do you mind if I round it?")
    'To two digits, yes; no further.'"""
    return next(reply for shape, reply in LEAVES if re.search(shape, question, re.IGNORECASE))
