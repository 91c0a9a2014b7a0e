"""One table of the words that deny, doubt or take back a claim, and where its rows stand in a response.

A `CueRow` has its `cue_words`, what they do to a claim (`effect`), where the claim may stand (`claim_side_bits`), how
many weighty words may stand between them and what they deny or replace (`reach_in_weighty_words`), and two sentences on
"the cache is fast": in `example` the row decides, and the claim is `example_status`; `counterexample` it leaves alone.

A row holds single words, or one turn of several words, in which `^` marks the word that is looked up, `a|b` are
alternatives, `<not>` and `<false>` stand for any word of that kind, `<more>` for a comparative, `<number>` and
`<mark>` for what follows (or, before the first word, stands before it). The longest row that matches wins, so that what
only looks like a denial ("not only") is settled before any reach is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Final, NamedTuple

from quizgen.rubric.lexicon import COMPARATIVES, DIGITS_BY_WORD

# Effects of a row.
DENIES_VERB_CUE: Final = 1  # denies the verb phrase after it
DENIES_NOUN_CUE: Final = 2  # denies the noun phrase after it
DENIES_LIKE_WITHOUT_CUE: Final = 3  # the same; with a second denial: "is required for"
DENIES_LIKE_LACK_CUE: Final = 4  # a verb or noun that denies the words after it: lacks, absence of, fails to
DENIES_CLAUSE_CUE: Final = 5  # "it is not true that": denies the whole clause after it
SAYS_FALSE_CUE: Final = 6  # declares a whole clause false: false, wrong, a myth
REPLACES_CUE: Final = 7  # replaces the thing after it: instead of, unlike
HEDGE_CUE: Final = 8  # the claim is a guess: maybe, I am not sure
OTHERS_VIEW_CUE: Final = 10  # attributes the claim to somebody: some think
TAKES_BACK_CUE: Final = 11  # takes back the previous words: no wait, scratch that
CORRECTS_IF_RESTATED_CUE: Final = 12  # the same, if words on the same criterion follow
DENIES_NOTHING_CUE: Final = 14  # its denying words deny nothing: not only, no doubt
# Words that divide or join clauses; they are cues without a scope of their own.
BUT_WORD_CUE: Final = 15
CLAUSE_JOINING_CUE: Final = 16
AND_WORD_CUE: Final = 17
OR_WORD_CUE: Final = 18
THAN_WORD_CUE: Final = 19
FIRST_WORD_OF_LONGER_CUE: Final = 20  # begins a cue of several words, and is nothing alone

DENYING_CUE_KINDS: Final = frozenset((DENIES_VERB_CUE, DENIES_NOUN_CUE, DENIES_LIKE_WITHOUT_CUE, DENIES_LIKE_LACK_CUE))
STANCE_CHANGING_CUE_KINDS: Final = DENYING_CUE_KINDS.union(
    range(DENIES_CLAUSE_CUE, DENIES_NOTHING_CUE), (FIRST_WORD_OF_LONGER_CUE,)
)

# The position of the claim relative to the row's words.
CLAIM_AFTER: Final = 1  # after its words
CLAIM_AROUND: Final = 2  # words of it on both sides
CLAIM_BEFORE: Final = 4  # directly before its words: "… is not needed"
REACHES_WHOLE_SENTENCE: Final = -1  # the reach of a row that decides its whole sentence

_MAX_CUES_TRIED_AS_MULTIWORD: Final = 100  # cues of one response at which turns are searched


class CueRow(NamedTuple):
    """One row of the table; the docstring of this module explains its fields."""

    effect: int
    cue_words: str
    claim_side_bits: int
    reach_in_weighty_words: int
    example: str
    example_status: str
    counterexample: str


_ALL_SIDES: Final = CLAIM_AFTER | CLAIM_AROUND | CLAIM_BEFORE

CUE_ROWS: Final = (
    # -- excuses: these deny nothing, and come before the words they contain
    CueRow(DENIES_NOTHING_CUE,
        "^<not> only|just|merely|simply|solely|exclusively|necessarily|too|surprisingly|unlike|unlikely", _ALL_SIDES, 0,
        "The cache is not only fast but cheap.", "found", "The cache is not fast, only cheap."),
    CueRow(DENIES_NOTHING_CUE, "^<not> forget|forgetting|forgotten|overlook|overlooked|neglect", _ALL_SIDES, 0,
        "Do not forget that the cache is fast.", "found", "The cache is not fast, do not forget."),
    CueRow(DENIES_NOTHING_CUE, "^<not> clear|known|obvious|stated|said whether|if|how|what|which|when|where|why",
        _ALL_SIDES, 0, "It is not known why the cache is fast.", "found", "It is not known that the cache is fast."),
    CueRow(DENIES_NOTHING_CUE, "^<not> <more> than <number>", _ALL_SIDES, 0,
        "The cache of not less than 8 MB is fast.", "found", "The cache of 8 MB is not fast."),
    CueRow(DENIES_NOTHING_CUE, "^no longer|more|less|later|fewer than", _ALL_SIDES, 0,
        "The cache is no less than fast.", "found", "No cache is fast."),
    CueRow(DENIES_NOTHING_CUE, "^no matter|wonder|problem|other|better", _ALL_SIDES, 0,
        "No wonder the cache is fast.", "found", "No cache is fast."),
    CueRow(DENIES_NOTHING_CUE, "is|are|was|were|be|has|have|with|needs|need ^no wait", _ALL_SIDES, 0,
        "The cache is fast. There is no wait.", "found", "It has no fast cache."),
    CueRow(DENIES_NOTHING_CUE, "^maybe|perhaps|possibly|probably <number>", _ALL_SIDES, 0,
        "The cache of maybe 8 MB is fast.", "found", "Maybe the cache is not fast."),
    # -- denies
    CueRow(DENIES_VERB_CUE, "not never hardly scarcely rarely seldom barely nor neither cannot nowhere", _ALL_SIDES, 3,
        "The cache is not fast.", "negated", "The disk is not slow; the cache is fast."),
    CueRow(DENIES_VERB_CUE, "dont doesnt didnt isnt arent wasnt werent cant couldnt wouldnt shouldnt wont hasnt havent"
        " hadnt neednt mustnt aint don't doesn't didn't isn't aren't wasn't weren't can't couldn't wouldn't shouldn't"
        " won't hasn't haven't hadn't needn't mustn't ain't", _ALL_SIDES, 3,
        "The cache isn't fast.", "negated", "The disk isn't slow; the cache is fast."),
    CueRow(DENIES_NOUN_CUE, "no", CLAIM_AFTER | CLAIM_AROUND, 2,
        "There is no fast cache.", "negated", "A cache is fast, no disk is."),
    CueRow(DENIES_NOUN_CUE, "none nothing nobody", _ALL_SIDES, 2,
        "Of the fast cache nothing is left.", "negated", "The cache is fast and needs nothing."),
    CueRow(DENIES_LIKE_WITHOUT_CUE, "without sans", CLAIM_AFTER | CLAIM_AROUND, 2,
        "It works without a fast cache.", "negated", "Without a disk, the cache is fast."),
    CueRow(DENIES_LIKE_LACK_CUE, "lack lacks lacking lacked deny denies denied refuse refuses disagree disagrees"
        " disagreed absence doubt doubts absent impossible unable incapable doubtful", _ALL_SIDES, 3,
        "They lack a fast cache.", "negated", "They lack a disk; the cache is fast."),
    CueRow(DENIES_LIKE_LACK_CUE, "^fail|fails|failed|failing|far to|from", CLAIM_AFTER | CLAIM_AROUND, 3,
        "The cache fails to be fast.", "negated", "The disk fails to help; the cache is fast."),
    CueRow(DENIES_CLAUSE_CUE, "^<false> that|to", CLAIM_AFTER, 0,
        "It is a myth that the cache is fast.", "negated", "It is a myth that disks are slow, but the cache is fast."),
    CueRow(SAYS_FALSE_CUE, "false wrong incorrect untrue myth fallacy mistaken misconception", CLAIM_BEFORE, 0,
        "A fast cache is wrong.", "negated", "The disk is wrong; the cache is fast."),
    CueRow(REPLACES_CUE, "^instead of", CLAIM_AFTER | CLAIM_AROUND, 1,
        "It has a disk instead of a fast cache.", "negated", "Instead of a disk, the cache is fast."),
    CueRow(REPLACES_CUE, "^rather than", CLAIM_AFTER | CLAIM_AROUND, 1,
        "It has a disk rather than a fast cache.", "negated", "The cache is rather fast."),
    CueRow(REPLACES_CUE, "in|as ^contrast|opposed to", CLAIM_AFTER | CLAIM_AROUND, 1,
        "It has a disk as opposed to a fast cache.", "negated", "In contrast to the disk, the cache is fast."),
    CueRow(REPLACES_CUE, "unlike except excluding", CLAIM_AFTER, 1,
        "It has a disk unlike a fast cache.", "negated", "Unlike the disk, the cache is fast."),
    # -- doubts
    CueRow(HEDGE_CUE, "maybe perhaps possibly probably presumably supposedly conceivably unsure idk dunno", _ALL_SIDES,
        0, "Perhaps the cache is fast.", "hedged", "The cache is fast, and perhaps the disk too."),
    CueRow(HEDGE_CUE, "i|just|am|my|i'm|im ^guess|guessing|suppose", _ALL_SIDES, 0,
        "I guess the cache is fast.", "hedged", "You can guess that the cache is fast."),
    CueRow(HEDGE_CUE, "^<not> sure|certain|confident|positive", _ALL_SIDES, REACHES_WHOLE_SENTENCE,
        "I am not sure whether the cache is fast.", "hedged", "I am not sure of the disk; the cache is fast."),
    CueRow(HEDGE_CUE, "^might be|have", CLAIM_AFTER | CLAIM_AROUND, 0,
        "It might be that the cache is fast.", "hedged", "The cache is fast. It might be big."),
    CueRow(HEDGE_CUE, "it|that|this|answer ^may|could be|have", CLAIM_AFTER | CLAIM_AROUND, 0,
        "It may be that the cache is fast.", "hedged", "The cache is fast. It could be big."),
    CueRow(OTHERS_VIEW_CUE, "think thinks thought believe believes believed assume assumes assumed claim claims claimed"
        " say says said expected suspected", CLAIM_AFTER, 0,
        "Some think the cache is fast, but it is slow.", "hedged", "Some think the cache is fast."),
    # -- takes back
    CueRow(TAKES_BACK_CUE, "^no wait|sorry|correction|oops|actually", CLAIM_BEFORE, 0,
        "The cache is fast. No wait, it is the disk.", "missing", "The disk is fast, no wait, the cache is fast."),
    CueRow(TAKES_BACK_CUE, "<mark> ^wait|sorry|correction|oops no|not|actually|sorry|wait|that's|it's|rather|scratch",
        CLAIM_BEFORE, 0,
        "The cache is fast. Sorry, that's the disk.", "missing", "The disk is. Sorry, no, the cache is fast."),
    CueRow(TAKES_BACK_CUE, "<mark> ^wait|sorry|correction|oops it|that|this|they|i is|was|are|were|mean|meant",
        CLAIM_BEFORE, 0, "The cache is fast. Wait, it is the disk.", "missing",
        "The disk is. Wait, it is the cache that is fast."),
    CueRow(TAKES_BACK_CUE, "^scratch|strike that|this", CLAIM_BEFORE, 0,
        "The cache is fast. Scratch that.", "missing", "The cache is fast on scratch."),
    CueRow(CORRECTS_IF_RESTATED_CUE, "<mark> ^wait|sorry|correction|oops", CLAIM_BEFORE, 0,
        "The cache is fast. Correction, the cache is not fast.", "negated", "The cache is fast. Wait, go on and see."),
    CueRow(CORRECTS_IF_RESTATED_CUE, "<mark> ^no <mark>", CLAIM_BEFORE, 0,
        "The cache is fast. No, there is hardly a fast cache.", "negated", "No, the cache is fast."),
    CueRow(CORRECTS_IF_RESTATED_CUE, "or ^rather", CLAIM_BEFORE, 0,
        "The cache is fast, or rather the cache is not fast.", "negated", "The cache is fast or rather quick."),
)  # fmt: skip

_BUT_WORDS = "but however whereas while although though yet nevertheless nonetheless conversely otherwise"
_CLAUSE_JOINING_WORDS = "because since so therefore thus hence when if unless until whenever which where who whose"

CUE_ROW_BY_WORD: Final = {word: row for row in CUE_ROWS if "^" not in row.cue_words for word in row.cue_words.split()}
_PLACEHOLDER_BY_EFFECT: Final = {DENIES_VERB_CUE: "<not>", SAYS_FALSE_CUE: "<false>"}  # in the rows, any word of a kind


class _MultiwordCue(NamedTuple):
    """A row of several words: `pattern` matches from its first word on, from `word_count_before` words before the one
    that is looked up to `word_count_after` words behind it."""

    row: CueRow
    pattern: str
    word_count_before: int
    word_count_after: int


def _multiword_cues_by_word() -> dict[str, list[_MultiwordCue]]:
    """The rows of several words by the word under which they are looked up, or under `<not>` and `<false>`. Their
    patterns fit the text of `response_text_cue_fields`: a blank after each word, a line break for marks before one."""
    turns: dict[str, list[_MultiwordCue]] = {}
    pattern_by_placeholder = {
        name: "|".join(word for word, row in CUE_ROW_BY_WORD.items() if row.effect == kind)
        for kind, name in _PLACEHOLDER_BY_EFFECT.items()
    }
    pattern_by_placeholder["<more>"] = "|".join((*COMPARATIVES, "more", "less", "fewer"))
    for row in CUE_ROWS:
        tokens = row.cue_words.split()
        if (token_number := next((i for i, token in enumerate(tokens) if token[0] == "^"), None)) is None:
            continue
        pieces: list[str] = []
        word_places: list[int] = []
        for i, token in enumerate(tokens):
            token = token.removeprefix("^")
            if token == "<mark>":
                pieces.append(r"(?=\n)" if pieces else r"(?:\A|(?<=\n))")
            elif token == "<number>":  # not part of the cue, and may be a claim
                pieces.append(rf"(?=\n?(?:\d|(?:{'|'.join(DIGITS_BY_WORD)}) ))")
            else:
                pieces.append((r"\n?" if word_places else "") + f"(?:{pattern_by_placeholder.get(token, token)}) ")
                word_places.append(i)
        word_count_before = word_places.index(token_number)
        turn = _MultiwordCue(row, "".join(pieces), word_count_before, len(word_places) - 1 - word_count_before)
        for word in tokens[token_number][1:].split("|"):
            turns.setdefault(word, []).append(turn)
    return turns


_cached_compile: Final = cache(re.compile)  # each when it is first needed
_MULTIWORD_CUES: Final = _multiword_cues_by_word()

CUE_KIND_BY_WORD: Final[dict[str, int]] = {
    **{word: FIRST_WORD_OF_LONGER_CUE for word in _MULTIWORD_CUES if word[0] != "<"},
    **{word: row.effect for word, row in CUE_ROW_BY_WORD.items()},
    **dict.fromkeys(_BUT_WORDS.split(), BUT_WORD_CUE),
    **dict.fromkeys(_CLAUSE_JOINING_WORDS.split(), CLAUSE_JOINING_CUE),
    **{"than": THAN_WORD_CUE, "or": OR_WORD_CUE, "and": AND_WORD_CUE, "plus": AND_WORD_CUE},
}
# A phrase that contains one of these is matched as written: the author has settled the polarity.
NEGATING_WORDS: Final = {w for w, k in CUE_KIND_BY_WORD.items() if k in DENYING_CUE_KINDS} | {"non", "un", "instead"}


class FoundCue(NamedTuple):
    """A row of the table found in a response, from word `place` to word `last`."""

    place: int
    last: int
    row: CueRow


def response_text_cue_fields(
    words: Sequence[str], single_cues: Sequence[tuple[int, int]], marks: Sequence[tuple[int, int, int]]
) -> tuple[tuple[tuple[int, int], ...], tuple[FoundCue, ...], frozenset[int]]:
    """The cues of a response: `cue_places_and_kinds`, `found_cues` and `word_places_of_cues_without_effect` in a
    `ResponseText`. `single_cues` holds (place, kind) of words that are cues by themselves, `marks` its marks."""
    pieces = [*words, " "]
    for place in {place for place, _, _ in marks}:
        pieces[place] = f"\n{pieces[place]}"
    text, ends = " ".join(pieces), list(accumulate(map(len, pieces)))
    kinds: list[tuple[int, int]] = []
    scopes: list[FoundCue] = []
    places_without_effect: set[int] = set()
    row_end = -1  # the last word consumed by a row
    for number, (place, kind) in enumerate(single_cues):
        if place <= row_end:
            continue
        if kind not in STANCE_CHANGING_CUE_KINDS:  # no row begins with it
            kinds.append((place, kind))
            continue
        cue: FoundCue | None = None
        turns = (*_MULTIWORD_CUES.get(words[place], ()), *_MULTIWORD_CUES.get(_PLACEHOLDER_BY_EFFECT.get(kind, ""), ()))
        for turn in turns if number < _MAX_CUES_TRIED_AS_MULTIWORD else ():
            first, last = place - turn.word_count_before, place + turn.word_count_after
            if first < 0 or (cue is not None and last <= cue.last):
                continue
            if _cached_compile(turn.pattern).match(text, ends[first] - len(words[first]) + first):
                cue = FoundCue(place, last, turn.row)
        lone_cues = [(place, kind)] if kind != FIRST_WORD_OF_LONGER_CUE else []
        if cue is not None:
            row_end = cue.last
            if cue.row.effect != DENIES_NOTHING_CUE:
                kinds.append((place, cue.row.effect))
                scopes.append(cue)
                continue
            lone_cues = [one for one in single_cues[number:] if one[0] <= row_end]
            places_without_effect.update([p for p, _ in lone_cues])
        kinds += lone_cues
        scopes += [FoundCue(p, p, CUE_ROW_BY_WORD[words[p]]) for p, _ in lone_cues if words[p] in CUE_ROW_BY_WORD]
    return tuple(kinds), tuple(scopes), frozenset(places_without_effect)
