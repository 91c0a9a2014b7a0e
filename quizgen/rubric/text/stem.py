"""Words to stems: Snowball's English stemmer behind spelling variants, irregular forms and a cache.

Everything here is applied to rubric and response alike, so only what two words share matters.
Source of the algorithm: M. F. Porter, "Porter2", snowballstem.org.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from sys import intern
from typing import Final

from quizgen.rubric.text.lexicon import NUMBER_WORDS, words

# Words that Porter2 throws together and a computing rubric must keep apart, and the reverse.
_OWN: Final[dict[str, str]] = dict(
    pair.split(":")
    for pair in words(
        """positive:positive positively:positive activation:activation activations:activation import:import_
        imports:import_ imported:import_ importing:import_ terminal:terminal terminals:terminal
        optimal:optimal optimally:optimal optimality:optimal sequential:sequenc sequentially:sequenc
        processor:processor processors:processor generator:generator generators:generator indices:index
        indexes:index matrices:matrix matrix:matrix vertices:vertex criteria:criterion data:data datum:data
        news:news past:past paste:paste men:man children:child sent:send held:hold ran:run wrote:write
        written:write writes:write broke:break broken:break kept:keep built:build shown:show went:go gone:go
        goes:go going:go done:do made:make lost:lose loses:lose losing:lose losses:loss grew:grow grown:grow
        drew:draw drawn:draw chose:choos chosen:choos choose:choos began:begin begun:begin took:take
        taken:take gave:give given:give threw:throw thrown:throw knew:know known:know spent:spend fed:feed
        led:lead caught:catch brought:bring thought:think taught:teach understood:understand fell:fall
        fallen:fall rose:rise risen:rise shrank:shrink shrunk:shrink stuck:stick flew:fli forgot:forget
        forgotten:forget hid:hide hidden:hide wore:wear worn:wear woke:wake woken:wake spread:spread
        ought:ought overwrote:overwrit overwritten:overwrit overwrite:overwrit rewrote:rewrit
        rewritten:rewrit rewrite:rewrit reread:reread resent:resend bigger:bigger faster:faster
        slower:slower analyses:analysi analysis:analysi hypotheses:hypothesi axes:axi halves:half
        phenomena:phenomenon lit:light lights:light dependence:depend dependency:depend dependencies:depend
        dependent:depend independent:independ independence:independ independency:independ existence:exist
        nonexistent:nonexist failure:fail failures:fail analyze:analyz analyse:analyz grey:gray cheque:check
        defence:defens defense:defens license:licens licence:licens deletion:delet insertion:insert
        removal:remov arrival:arriv approval:approv retrieval:retriev growth:grow length:length width:width
        strength:strength receipt:receiv reception:receiv choice:choos choices:choos speed:speed sped:speed
        decision:decid decisions:decid collision:collid collisions:collid division:divid divisions:divid
        expansion:expand conversion:convert inversion:invert permission:permit permissions:permit
        submission:submit transmission:transmit transmissions:transmit retransmission:retransmit
        retransmissions:retransmit omission:omit admission:admit subscription:subscrib description:describ
        descriptions:describ assumption:assum assumptions:assum consumption:consum reduction:reduc
        reductions:reduc production:produc introduction:introduc deduction:deduc proof:prove proofs:prove
        proven:prove explanation:explain explanations:explain maintenance:maintain reversal:revers
        storage:store stored:store stores:store storing:store store:store usage:use uses:use used:use
        using:use use:use delays:delay delayed:delay dies:die died:die dying:die lying:lie ties:tie tied:tie
        tying:tie computationally:comput recursion:recurs recursive:recurs recursively:recurs recurse:recurs
        recurses:recurs freed:free embed:embed alias:alias lens:lens canvas:canvas menus:menu plateaus:plateau
        emphasis:emphas synthesis:synthes halve:half halved:half halving:half warehoused:warehous
        warehousing:warehous overheated:overheat overheating:overheat underlying:underli underlies:underli"""
    )
)
_BRITISH: Final = {
    "colour": "color", "behaviour": "behavior", "neighbour": "neighbor", "favour": "favor", "honour": "honor",
    "labour": "labor", "flavour": "flavor", "vapour": "vapor", "harbour": "harbor", "rumour": "rumor",
    "centre": "center", "metre": "meter", "litre": "liter", "fibre": "fiber", "catalogue": "catalog",
    "analogue": "analog", "dialogue": "dialog", "programme": "program", "artefact": "artifact", "disc": "disk",
}  # fmt: skip
_BRITISH_START: Final = re.compile("|".join(sorted(_BRITISH, key=lambda w: (-len(w), w))))
_ISE: Final = re.compile(r"(?<=[a-z]{3})(?:is(?=(?:e|es|ed|er|ers|ing|ation|ations|able)$)|ys(?=(?:e|ed|er|ers|ing)$))")

# Plurals of names and initials, which Porter2 leaves alone: H100s, SSDs, TPUs (but not https).
_COUNTED: Final = re.compile(r"[a-z]+\d+s")
_CED: Final = re.compile(r"[a-z]{2,}c(?:ed|ing)")  # of verbs in -ce: referenced, balancing
_INITIALS: Final = re.compile(r"(?!https)[^aeiou\W\d_]{2,}[aeiou]?s(?<!ss)")


# What Porter2 leaves of one form and cuts from another: labell(ed), staff(s), quizz(es), trekk(ed), queue(s).
_LEFT_LONG: Final = ("ll", "aff", "iff", "uff", "zz", "kk", "ue")


@lru_cache(maxsize=1)
def _english() -> Callable[[str], str]:
    """Loaded when the first word asks."""
    from quizgen.rubric.text.snowball import english

    return english()


def american(word: str) -> str:
    """`synchronise` as `synchronize`, `colour` as `color`: one spelling for matching."""
    if len(word) >= 4:
        if "is" in word or "ys" in word:
            word = _ISE.sub(lambda m: m.group()[0] + "z", word)
        found = _BRITISH_START.match(word)
        if found:
            ending = word[found.end() :]
            word = _BRITISH[found.group()] + ("ed" if ending == "d" else ending)  # centred, programmed
    return word


@lru_cache(maxsize=4096)  # bounded, so that hostile text cannot fill the memory
def stem(word: str) -> str:
    """The stem of one folded word; words with digits or signs are their own stem."""
    if not word.isalpha() or len(word) > 40:
        return word[:-1] if _COUNTED.fullmatch(word) else word
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if word in _OWN:
        return _OWN[word]
    if word[-1] == "s" and word[:-1] in _OWN:
        return _OWN[word[:-1]]
    if len(word) < 3 or not word.isascii():
        return word
    if _INITIALS.fullmatch(word):
        return stem(word[:-1])  # cycles as cycle
    if _CED.fullmatch(word):
        word = f"{word.removesuffix('d').removesuffix('ing').removesuffix('e')}e"
    result = _english()(american(word))
    # A short word such as "fill" keeps its ll.
    if len(result) >= 4 and result.endswith(_LEFT_LONG) and (len(result) > 4 or not result.endswith("ll")):
        result = result[:-1]
    return intern(result)  # the tables of all rubrics hold it
