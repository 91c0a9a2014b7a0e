"""Single words that decide how a claim is put, as rows of a table: kind, words, an example that each of them
decides and one that it leaves alone.

`{}` stands for the word. The claim is "the cache is fast" (in one row "the cache is up"); `means` is how the example
puts it with the word as a cue, and without it the example would mean something else. Where it only looks like a cue,
`unlike` still asserts the claim. A test tries every word of every row, with the row and without.
"""

from __future__ import annotations

from typing import Final, NamedTuple

NOT: Final = 1  # negates the verb phrase after it
NO: Final = 2  # negates the noun phrase after it
WITHOUT: Final = 3  # negates the noun phrase after it; with a second negator: "is required for"
LACK: Final = 4  # a verb or noun that denies what follows: lacks, absence of, fails to
FALSE: Final = 5  # says of a whole clause that it does not hold: false, wrong, a myth
HEDGE: Final = 6  # maybe, perhaps, probably
INSTEAD: Final = 7  # instead (of), rather (than), unlike: the side after it is denied
CONTRAST: Final = 8  # but, however, whereas: a new clause that turns
JOIN: Final = 9  # because, which, if, so: a new clause
CORRECT: Final = 10  # actually, wait, correction: takes back what was said before
THAN: Final = 16
AND: Final = 18
OR: Final = 19
EITHER: Final = 20
MIGHT: Final = 22
VIEW: Final = 24  # think, believe, say: whose view it is decides
DENIES: Final = 25  # "it is not true that": denies all of the clause that follows
TRIGGER: Final = 26  # may begin a turn of several words; nothing alone


class CueRow(NamedTuple):
    kind: int
    words: str
    example: str
    means: str
    unlike: str


CUE_ROWS: Final = (
    CueRow(NOT, "not never hardly scarcely rarely seldom barely nor neither cannot nowhere",
           "The cache is {} fast.", "negated", "The disk is {} slow; the cache is fast."),
    CueRow(NOT, "dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt wont hasnt havent hadnt neednt"
           " mustnt aint don't doesn't didn't isn't aren't wasn't weren't can't couldn't wouldn't shouldn't won't"
           " hasn't haven't hadn't needn't mustn't ain't",
           "The cache {} fast.", "negated", "The disk {} slow; the cache is fast."),
    CueRow(NO, "no none nothing nobody",
           "There is {} fast in the cache.", "negated", "A cache is fast, {} disk is."),
    CueRow(WITHOUT, "without sans",
           "It works {} a fast cache.", "negated", "{} a disk, the cache is fast."),
    CueRow(LACK, "lack lacks lacking lacked deny denies denied refuse refuses disagree disagrees disagreed absence"
           " doubt doubts",
           "They {} a fast cache.", "negated", "They {} a disk; the cache is fast."),
    CueRow(LACK, "absent impossible unable incapable doubtful",
           "A fast cache is {}.", "negated", "A disk is {}; the cache is fast."),
    CueRow(FALSE, "false wrong incorrect untrue myth fallacy mistaken misconception",
           "It is {} that the cache is fast.", "negated", "The disk is {}; the cache is fast."),
    CueRow(FALSE, "incorrectly wrongly",
           "They {} call the cache fast.", "negated", "The disk is {} set; the cache is fast."),
    CueRow(HEDGE, "maybe perhaps possibly probably presumably supposedly conceivably",
           "{} the cache is fast.", "hedged", "The cache is fast, and {} the disk too."),
    CueRow(HEDGE, "guess guessing suppose",
           "I {} the cache is fast.", "hedged", "The cache is fast, and I {} the disk too."),
    CueRow(HEDGE, "unsure idk dunno",
           "The cache is fast, {}.", "hedged", "The cache is fast, and {} of the disk."),
    CueRow(INSTEAD, "instead",
           "It has a disk {} of a fast cache.", "negated", "{} of a disk, the cache is fast."),
    CueRow(INSTEAD, "rather",
           "It has a disk {} than a fast cache.", "negated", "The cache is {} fast."),
    CueRow(INSTEAD, "unlike except excluding",
           "It has a disk {} a fast cache.", "negated", "{} the disk, the cache is fast."),
    CueRow(CONTRAST, "but however whereas while although though yet nevertheless nonetheless conversely otherwise",
           "It is not slow {} cache is fast.", "found", "The cache is fast {} it is small."),
    CueRow(JOIN, "because since so therefore thus hence when if unless whenever which where who whose",
           "It is not slow {} cache is fast.", "found", "The cache is fast {} it is small."),
    CueRow(CORRECT, "nevermind kidding joking jk",
           "The cache is fast. {}, the disk is.", "missing", "The disk is slow. {}, the cache is fast."),
    CueRow(CORRECT, "correction sorry oops wait",
           "The cache is fast. {}, the disk is fast.", "missing", "The cache is fast. {}, go on and see."),
    CueRow(CORRECT, "actually",
           "The cache is fast. No {}, it is the disk.", "missing", "The cache is {} fast."),
    CueRow(CORRECT, "scratch strike",
           "The cache is fast. {} that.", "missing", "The cache is fast on {}."),
    CueRow(CORRECT, "mistake",
           "The cache is fast. My {}.", "missing", "The cache is fast. It is no {}."),
    CueRow(CORRECT, "mind",
           "The cache is fast, never {}.", "missing", "The cache is fast, {} you."),
    CueRow(CORRECT, "mean meant",
           "The cache goes up, I {} down.", "missing", "I {} that the cache goes up."),
    CueRow(MIGHT, "might may could",
           "It {} be that the cache is fast.", "hedged", "The cache is fast. It {} be big."),
    CueRow(EITHER, "either",
           "{} the cache is fast or the disk.", "hedged", "{} way, the cache is fast."),
    CueRow(VIEW, "think thinks thought believe believes believed assume assumes assumed claim claims claimed say says"
           " said expected suspected",
           "Some {} the cache is fast, but it is slow.", "hedged", "Some {} the cache is fast."),
    CueRow(AND, "and plus",
           "It is not on a disk {} the cache is fast.", "found", "The cache is fast {} small."),
    CueRow(OR, "or",
           "Either the cache is fast {} the disk.", "hedged", "The cache is fast {} at least quick."),
)  # fmt: skip

# Words that divide or begin what rows of several words decide (see reading/triggers.py and its examples).
_OTHERS: Final = {
    "than": THAN,
    "until": JOIN,
    **dict.fromkeys(["fail", "fails", "failed", "failing", "far", "anything"], TRIGGER),
}

CUES: Final[dict[str, int]] = {word: row.kind for row in CUE_ROWS for word in row.words.split()} | _OTHERS
