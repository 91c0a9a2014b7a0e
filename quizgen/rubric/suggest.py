"""What a rubric lacks, from answers that people have marked: `quizgen rubric suggest`.

A criterion that a right answer misses is tried with one phrase more: one of its own with a further word of that answer
in the only slot that was not found, else two words of the sentence that is nearest to it. What each would change is
counted among all answers of the item. Which word is meant only a person can tell: the likely ones are listed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from quizgen.rubric.graded_rows import GradedRow, match_rows
from quizgen.rubric.lacking import SENTENCE, lacking
from quizgen.rubric.marks import FOUND, MISSING, PARTIAL
from quizgen.rubric.rubric import Criterion, Rubric
from quizgen.rubric.score import score_text
from quizgen.rubric.text.stem import stem
from quizgen.rubric.text.tokens import content_words
from quizgen.rubric.widened import widened

GOOD: Final = 0.75  # human share from which an answer, or a criterion of it, counts as right
POOR: Final = 0.25
TRIED: Final = 24  # phrases of one criterion that are tried
WORDS: Final = 4  # of one suggestion
HELD, COMMON = 200, 5  # letters that a word counts as farther off: if a phrase holds it, for each item that does
ANSWERS: Final = 300  # of one item, on which they are tried


@dataclass(frozen=True, slots=True)
class Wording:
    """A phrase for `accept`, and the words it adds. It newly meets `good` right answers, `wrong` ones that deserve
    nothing there, and `other` ones; `example` is one of those."""

    words: str
    phrase: str
    good: int
    wrong: int = 0
    other: int = 0
    example: str = ""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What a criterion misses in `missed` of its `right` answers: `slot` of the phrase `instead` (empty: no phrase of
    its own comes near), the sentence of an answer where it should have been, and wordings, the likeliest first."""

    item: str
    criterion: str
    missed: int
    right: int
    instead: str
    slot: str
    sentence: str
    wordings: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class _Try:
    """A phrase to try: for which slot of which phrase, in which sentence, and how far off the words are that it adds
    (in letters from the slots that were found, or the like)."""

    words: str
    phrase: str
    instead: str
    slot: str
    sentence: str
    far: int


def suggest(rows: Iterable[GradedRow], items: Mapping[str, Rubric], *, most: int = 8) -> tuple[Suggestion, ...]:
    """At most `most` suggestions for each item, those that meet most right answers first."""
    by_item: dict[str, list[GradedRow]] = {}
    for row, name in match_rows(rows, items)[0]:
        by_item.setdefault(name, []).append(row)
    # A word of many items says little about one criterion.
    common = Counter(key for rows in by_item.values() for key in {k for row in rows for k in _keys(row.answer)})
    found: list[Suggestion] = []
    for name in sorted(by_item):
        rubric, own = items[name], by_item[name][:ANSWERS]
        made = [s for c in rubric.criteria for s in _of_criterion(name, own, rubric, c, common)]
        found += sorted(made, key=lambda s: -s.wordings[0].good)[:most]
    return tuple(found)


def _of_criterion(
    name: str, rows: Sequence[GradedRow], rubric: Rubric, criterion: Criterion, common: Mapping[str, int]
) -> Iterator[Suggestion]:
    now = [_status(rubric, criterion.id, row.answer) for row in rows]
    deserve = [_deserved(row, criterion.id) for row in rows]
    lost = {n for n, (d, s) in enumerate(zip(deserve, now, strict=True)) if d is True and s in (MISSING, PARTIAL)}
    missed, right = len(lost), sum(d is True for d in deserve)
    tries: dict[str, _Try] = {}
    said: Counter[str] = Counter()
    for n in sorted(lost):
        for one in _tries(rubric, criterion, rows[n].answer, common):
            said[one.phrase] += 1
            tries.setdefault(one.phrase, one)
    met: dict[str, set[int]] = {}
    for phrase in sorted(tries, key=lambda p: (-said[p], tries[p].far, p))[:TRIED]:
        wider = widened(rubric, criterion.id, phrase)
        if wider is not None and _status(wider, criterion.id, rubric.stem) != FOUND:
            changed = (n for n, s in enumerate(now) if s != FOUND)
            met[phrase] = {n for n in changed if _status(wider, criterion.id, rows[n].answer) == FOUND}

    def worth(phrase: str) -> tuple[int, int, int]:
        """Right answers that it meets less the wrong ones; those right ones; then how near it is."""
        good = len(met[phrase] & lost)
        return good - sum(deserve[n] is False for n in met[phrase]), good, -tries[phrase].far

    while lost and met:
        best = tries[max(met, key=worth)]
        alike = [p for p in met if (tries[p].instead, tries[p].slot) == (best.instead, best.slot) and worth(p)[0] > 0]
        if not alike:
            return
        wordings = []
        for phrase in sorted(alike, key=worth, reverse=True)[:WORDS]:
            wrong = [n for n in sorted(met[phrase]) if deserve[n] is False]
            other = [n for n in sorted(met[phrase]) if deserve[n] is None]
            example = rows[(wrong or other)[0]].answer if wrong or other else ""
            good = len(met[phrase] & lost)
            wordings.append(Wording(tries[phrase].words, phrase, good, len(wrong), len(other), example))
        yield Suggestion(name, criterion.id, missed, right, best.instead, best.slot, best.sentence, tuple(wordings))
        for phrase in alike:
            lost -= met.pop(phrase)


def _deserved(row: GradedRow, criterion: str) -> bool | None:
    """Whether a person gave the criterion; None: half of it, or nobody said."""
    marks = dict(row.hand) or {name: float(met) for name, met in row.criteria}
    share = marks.get(criterion) if marks else row.score
    if share is None or POOR < share < GOOD:
        return None
    return share >= GOOD


def _tries(rubric: Rubric, criterion: Criterion, answer: str, common: Mapping[str, int]) -> Iterator[_Try]:
    known = {stem(w) for w in _words(rubric.stem)}
    # What phrases hold already means something of its own, so it is no likely synonym.
    held = {stem(w) for c in rubric.criteria for p in c.accept for w in _words(p.text)}
    wide = False
    for gap in lacking(rubric, criterion, answer):
        for key, (word, at) in _placed(gap.sentence).items():
            if key not in known and all(not start <= at < end for start, end in gap.there):
                wide = True
                before, after = gap.slots[: gap.place], gap.slots[gap.place + 1 :]
                phrase = " ".join([*before, f"{gap.slot}|{word}", *after])
                far = min(abs(at - spot) for start, end in gap.there for spot in (start, end))
                far += HELD * (key in held) + COMMON * common[key]
                yield _Try(word, phrase, gap.phrase, gap.slot, gap.sentence, far)
    if wide:
        return
    # No phrase comes near: two words of the sentence that speaks of it most.
    meant = {stem(w) for text in (criterion.say, *(p.text for p in criterion.accept)) for w in _words(text)}
    others = [m.evidence for m in score_text(rubric, answer).marks if m.criterion != criterion.id and m.status == FOUND]
    taken = [answer[start:end] for evidence in others for start, end in evidence]

    def nearness(sentence: str) -> tuple[int, bool]:
        """Words that the criterion has too; then whether no other criterion was found in it."""
        return len(_keys(sentence) & meant), not any(words in sentence for words in taken)

    sentence = max(SENTENCE.split(answer), key=nearness, default="")
    fresh = {k: found for k, found in _placed(sentence).items() if k not in known}
    for one, two in combinations(fresh, 2):
        phrase = f"{fresh[one][0]} {fresh[two][0]}"
        far = common[one] + common[two] - 1000 * ((one in meant) + (two in meant))
        yield _Try(phrase, phrase, "", "", sentence, far)


def _status(rubric: Rubric, criterion: str, answer: str) -> str:
    return next(m.status for m in score_text(rubric, answer).marks if m.criterion == criterion)


def _placed(text: str) -> dict[str, tuple[str, int]]:
    """Content words by stem: folded, and where the first of them stands."""
    found: dict[str, tuple[str, int]] = {}
    for word, at in content_words(text):
        if len(word) > 2:
            found.setdefault(stem(word), (word, at))
    return found


def _words(text: str) -> list[str]:
    return [word for word, _ in _placed(text).values()]


def _keys(text: str) -> set[str]:
    return set(_placed(text))
