"""Tables of English words that the engine knows: function words, comparatives, numbers, marks.

Every table is a plain constant, so that a reader can see which words have an effect."""

from __future__ import annotations

from typing import Final


def words(text: str) -> list[str]:
    """The words of a text, for tables that are written as running text."""
    return text.split()


# -- marks; the effects of words on a claim are in `scopes` -------------------------------------

SENTENCE_END: Final = 11  # . ; ! ? or the end of a sentence's line
QUESTION_MARK: Final = 12  # ?
COMMA: Final = 13
COLON: Final = 14
BULLET: Final = 15
DASH: Final = 17  # a dash ends a clause
LINE_END: Final = 21
BRACKET: Final = 23

AVERTING_WORDS: Final = frozenset(
    words(
        """avoid avoids avoided avoiding prevent prevents prevented preventing eliminate eliminates eliminated
        eliminating stop stops stopped stopping otherwise protect protects protected protecting"""
    )
)
KEEPING_WORDS: Final = frozenset(words("keep keeps kept keeping"))
# A denied reporting verb says what a text leaves out; it denies nothing.
REPORTING_WORDS: Final = frozenset(
    words(
        """say says said saying mention mentions mentioned mentioning state states stated stating specify
        specifies specified specifying tell tells told telling explain explains explained explaining
        describe describes described indicate indicates indicated report reports reported
        list lists listed note notes noted clarify clarifies clarified identify identifies identified"""
    )
)
# A denial directly after the claim that needs no further words: "... is not needed".
GENERIC_WORDS: Final = frozenset(
    words(
        """needed required necessary true possible used done there present allowed correct right so happen
        happens occur occurs exist exists apply applies hold holds hold case the_case involved performed
        made at matter matters available supported guaranteed enough valid work works happening occurring help helps
        suffice suffices"""
    )
)
# Verbs of having, being and doing that may stand between a negator and the claim.
LIGHT_WORDS: Final = frozenset(
    words(
        """a an the any its their his her this that these those really actually very much so be been being is
        are was were have has had having do does did to of for ever even always all each every in on at by
        it they there such can could will would should may might must need needs able as from with and or
        both also"""
    )
)

FUNCTION_WORDS: Final = frozenset(
    words(
        """a an the this that these those it its they them their he she his her we us our you your i me my one
        ones is are was were be been being am do does did done have has had having can could will would
        shall should may might must of in on at by to from for with without within into onto over under
        between among through during before after above below up down out off about against across along
        around as than so such and or but nor yet if then else when while where which who whom whose what
        why how because since although though unless until whereas however therefore thus hence also too
        very only just not no never each every all any some both either neither more most less least many
        much few other another same there here again once still already always often usually need needs get
        gets got make makes made let lets use uses used using via per vs etc e.g i.e mean means"""
    )
)

# Verbs that no statement has twice.
FINITE_VERBS: Final = frozenset(
    words("is are was were has have had does do did can will would there's it's that's isn't aren't")
)

ARTICLES: Final = frozenset(("a", "an", "the"))

PRONOUNS: Final = frozenset(words("""it its they them this that these those he she his her their which both"""))

# Openings of a statement about the same thing as the previous one.
CONTINUING: Final = frozenset(words("it they this its their these that so then also which both thus hence therefore"))

# Comparative -> its inverse, both ways. Only pairs that are true mirror images.
_INVERSE: Final = """
faster slower|quicker slower|higher lower|larger smaller|bigger smaller|greater less|greater lower
greater smaller|more less|more fewer|better worse|cheaper costlier|longer shorter|earlier later|newer older
stronger weaker|deeper shallower|wider narrower|heavier lighter|harder easier|safer riskier|hotter colder|hotter cooler
richer poorer|younger older|closer farther|nearer further|brighter dimmer|thicker thinner
taller shorter|warmer colder"""
OPPOSITES_BY_WORD: Final[dict[str, tuple[str, ...]]] = {}
for _pair in _INVERSE.strip().replace("\n", "|").split("|"):
    _left, _right = _pair.split()
    OPPOSITES_BY_WORD[_left] = (*OPPOSITES_BY_WORD.get(_left, ()), _right)
    OPPOSITES_BY_WORD[_right] = (*OPPOSITES_BY_WORD.get(_right, ()), _left)
COMPARATIVES: Final = frozenset(OPPOSITES_BY_WORD) | frozenset(
    words("""simpler tighter looser broader finer coarser denser sparser outperforms exceeds beats""")
)
# Adjectives and their one-word comparatives.
COMPARATIVE_BY_BASE: Final[dict[str, str]] = {
    base: base[:-1] + "ier" if base.endswith("y") and base not in ("dry",) else base.rstrip("e") + "er"
    for base in words(
        """dense fast slow large small cheap simple easy hard cold warm cool heavy light high low long short
        strong weak quick safe thick wide narrow deep rough smooth bright loud dark close rich poor tight loose
        soft clean dry late early old new young great rare steep stiff costly busy noisy sharp tall"""
    )
} | {"big": "bigger", "hot": "hotter", "thin": "thinner", "dim": "dimmer", "wet": "wetter"}
# Words of time that compare by themselves: "A before B" is "B after A".
ORDER: Final = frozenset(("before", "after"))
OPPOSITES_BY_WORD["before"], OPPOSITES_BY_WORD["after"] = ("after",), ("before",)

# Without "zero": "ZeRO" is a technique here.
NUMBER_WORDS: Final[dict[str, str]] = {
    word: str(value)
    for word, value in zip(
        words(
            """one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
            seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred"""
        ),
        (*range(1, 20), *range(20, 101, 10)),
        strict=True,
    )
}

# Abbreviations that everybody in the field writes; each also matches its long form.
LONG_FORMS: Final[dict[str, str]] = dict(
    pair.split(":")
    for pair in words(
        """param:parameter params:parameter grad:gradient grads:gradient optim:optimizer mem:memory
        comm:communication comms:communication config:configuration info:information impl:implementation
        perf:performance bw:bandwidth func:function fn:function funcs:function var:variable vars:variable
        dict:dictionary db:database msg:message msgs:message pkt:packet pkts:packet avg:average max:maximum
        min:minimum prob:probability ptr:pointer ptrs:pointer addr:address addrs:address ref:reference
        refs:reference obj:object objs:object arg:argument args:argument seq:sequence seqs:sequence
        alloc:allocate dealloc:deallocate auth:authentication calc:calculate diff:difference req:request
        reqs:request resp:response conn:connection conns:connection ckpt:checkpoint ckpts:checkpoint
        attn:attention sync:synchronize syncs:synchronize async:asynchronous temp:temporary num:number
        acc:accuracy recv:receive dest:destination src:source dst:destination elem:element elems:element
        idx:index proc:process procs:process lib:library libs:library env:environment sec:second secs:second
        hr:hour mins:minute approx:approximate indep:independent init:initialize qty:quantity gpus:gpu cpus:cpu acks:ack
        acked:ack col:column cols:column tx:transaction txn:transaction txns:transaction"""
    )
)
# Abbreviated phrases: their first word alone would be wrong, so they are matched as written.
WORDS_FOR_SIGNS: Final[dict[str, str]] = {"&": "and", "w/": "with", "w/o": "without", "b/c": "because"}
# Comparison signs, as the stems of their words.
WORDS_FOR_COMPARISONS: Final[dict[str, tuple[str, ...]]] = {
    "<": ("less", "smaller", "lower", "fewer"),
    ">": ("more", "greater", "larger", "bigger", "higher"),
}
# Arrows for a rising or falling amount, as words.
WORDS_FOR_ARROWS: Final[dict[str, tuple[str, ...]]] = {
    "↑": tuple(words("increases increase rises rise grows grow up higher more larger greater bigger")),
    "↓": tuple(words("decreases decrease falls fall drops drop reduces reduce down lower less fewer smaller")),
}

HTML_TAGS: Final = (
    "a|abbr|article|b|big|blockquote|body|br|button|center|cite|code|dd|del|details|div|dl|dt|em|font|form|h[1-6]|head|"
    "hr|html|i|iframe|img|input|ins|kbd|label|li|link|mark|meta|object|ol|p|pre|q|s|samp|script|section|small|span|strike|"
    "strong|style|sub|summary|sup|svg|table|tbody|td|textarea|tfoot|th|thead|title|tr|tt|u|ul|var|video"
)

# Classes of small words, to distinguish sentences from lists of words. `a` is apart: it may be a name.
CONTENT_CLASS: Final = "x"
ORDER_CLASSES: Final[dict[str, str]] = {
    word: letter
    for letter, words in {
        "W": """a this that these those as if then than so not no there which what when where who how why you him them
                us me his her because but while since each other one it's don't doesn't isn't aren't can't do does did
                been be being may might in on for never only also very more less""",
        "D": "the an its their our your my every",
        "I": "a",
        "P": "of from into onto between among during per at",
        "R": "by with through",
        "T": "to",
        "F": "is are was were",
        "A": "has had having",
        "M": "can will would should must could",
        "C": "and or but",
        "S": "he she we they i it",
    }.items()
    for word in words.split()
} | {"have": "W"}


def word_class(word: str) -> str:
    """The letter of a word's class, for the test of word order; CONTENT if it is no small word and no number."""
    return ORDER_CLASSES.get(word) or ("W" if word[0].isdigit() else CONTENT_CLASS)
