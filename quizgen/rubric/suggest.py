"""Phrases proposed to an author: from a model answer, from answers that people marked, from disputes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from quizgen.rubric.agreement import GradedRow, match_rows
from quizgen.rubric.compile import compiled
from quizgen.rubric.contrast import SENTENCE, lacking
from quizgen.rubric.lexicon import FUNCTION, NUMBER_WORDS, words
from quizgen.rubric.lint import COMMON
from quizgen.rubric.phrases import PhraseError, read
from quizgen.rubric.response import read_response
from quizgen.rubric.rubric import FOUND, MISSING, PARTIAL, Criterion, Phrasing, Rubric
from quizgen.rubric.scopes import CUES, NAMED_NEGATORS
from quizgen.rubric.score import score_text
from quizgen.rubric.spelling import stem
from quizgen.rubric.tokens import TOKEN, content_words, fold, is_complexity

# -- A rubric with one phrase more, to try what it would change.


def widened(rubric: Rubric, criterion: str, phrase: str) -> Rubric | None:
    """The rubric that also accepts `phrase` for a criterion; None where the words make no phrase."""
    try:
        read(phrase)
    except PhraseError:
        return None
    criteria = tuple(
        replace(c, accept=(*c.accept, Phrasing(phrase))) if c.id == criterion else c for c in rubric.criteria
    )
    return replace(rubric, criteria=criteria, memo=[])


# -- A first rubric from a model answer: `quizgen rubric draft`. For the author to edit, not to use as it is.

MOST_CRITERIA: Final = 6  # criteria
MOST_SLOTS: Final = 3


@dataclass(frozen=True, slots=True)
class DraftCriterion:
    id: str
    say: str
    phrase: str


def draft(stem_text: str, model_answer: str) -> tuple[DraftCriterion, ...]:
    """One criterion for each sentence: its two or three weightiest words that the stem does not hold."""
    given = {stem(w) for w in _tokens_of(stem_text)}
    criteria: list[DraftCriterion] = []
    used: set[str] = set()
    for part in _sentences(model_answer):
        sentence = " ".join(part.split())
        chosen = _chosen(sentence, given)
        if not chosen:
            continue
        name = _name(chosen, used)
        used.add(name)
        criteria.append(DraftCriterion(name, sentence, " ".join(_slot(w) for w in chosen)))
        if len(criteria) == MOST_CRITERIA:
            break
    return tuple(criteria)


def _sentences(text: str) -> list[str]:
    """A text cut where the grader sees sentences."""
    reading = read_response(compiled(Rubric(())), fold(text))
    starts = [0, *reading.sentences]
    ends = [*reading.sentences, len(reading.entries)]
    return [reading.original(a, b - 1) for a, b in zip(starts, ends, strict=True) if b > a]


def draft_yaml(stem_text: str, model_answer: str) -> str:
    """The draft as the `rubric:` of an item, ready to paste. Empty if the answer has no word to go by."""
    criteria = draft(stem_text, model_answer)
    if not criteria:
        return ""
    lines = ["rubric:", "  criteria:"]
    for criterion in criteria:
        lines += [
            f"    - id: {criterion.id}",
            "      points: 1",
            f"      say: {_quoted(criterion.say)}",
            "      accept:",
            f"        - {_quoted(criterion.phrase)}",
        ]
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _tokens_of(text: str) -> list[str]:
    return [m[0].strip() for m in TOKEN.finditer(fold(text).text)]


def _chosen(sentence: str, given: set[str]) -> list[str]:
    """Words to ask for, in the sentence's order."""
    seen: dict[str, str] = {}
    for word in _tokens_of(sentence):
        bare = word.removesuffix("'s").removesuffix("'")
        if not any(c.isalnum() for c in bare) or bare in FUNCTION or bare in CUES or bare in NAMED_NEGATORS:
            continue
        if not is_complexity(bare) and (len(bare) < 2 or "'" in bare):
            continue
        seen.setdefault(stem(bare), bare)
    words = list(seen.values())
    ranked = sorted(range(len(words)), key=lambda i: (-_weight(words[i], given), i))
    best = [i for i in ranked if _weight(words[i], given) > 0][:MOST_SLOTS]
    return [words[i] for i in sorted(best)]


def _weight(word: str, given: set[str]) -> int:
    """Long, rare and new words say most about an answer; words of the stem say nothing."""
    if stem(word) in given:
        return 0
    weight = min(len(word), 10)
    if word in COMMON:
        weight -= 5
    if any(c.isdigit() for c in word):
        weight += 4
    return max(weight, 1)


def _slot(word: str) -> str:
    """A long word as a prefix, so that its other endings count too."""
    if is_complexity(word):
        return "{" + word + "}"
    root = stem(word)
    if word.isalpha() and len(word) >= 7 and len(root) >= 5 and word.startswith(root) and root != word:
        return root + "*"
    return word


def _name(words: list[str], used: set[str]) -> str:
    name = "-".join(re.sub(r"[^a-z0-9]+", "", w) for w in words[:2]).strip("-") or "point"
    number = 2
    full = name
    while full in used:
        full, number = f"{name}-{number}", number + 1
    return full


# -- What candidates say they did say, for the author of a rubric: spans, the phrase that would accept one, and
# what else that phrase would change.

MOST_WORDS = 5  # words of a phrase


@dataclass(frozen=True, slots=True)
class Claimed:
    """One dispute: the answer, the words that its candidate marked, and `full`, `part` or `no`."""

    item: str
    criterion: str
    answer: str
    quote: str
    claim: str


@dataclass(frozen=True, slots=True)
class Contested:
    """A criterion with its disputes: how many of how many answers, the quotes most frequent first, a phrase that
    would accept the first of them (empty where none would), and what it would change: how many other
    answers would meet the criterion that do not now, and one of them."""

    item: str
    criterion: str
    disputed: int
    answered: int
    upward: int
    quotes: tuple[tuple[str, int], ...]
    phrase: str
    changed: int
    example: str


def contested(
    claims: Sequence[Claimed], answers: dict[str, list[str]], rubrics: dict[str, Rubric]
) -> tuple[Contested, ...]:
    """Criteria by how often they are disputed. `answers`: every different answer by item."""
    by_mark: dict[tuple[str, str], list[Claimed]] = {}
    for one in claims:
        by_mark.setdefault((one.item, one.criterion), []).append(one)
    made = []
    for (item, criterion), own in by_mark.items():
        up = [c for c in own if c.claim != "no" and c.quote]
        quotes = Counter(" ".join(c.quote.split()) for c in up)
        phrase, changed = _accepting(rubrics[item], criterion, up, answers[item])
        made.append(
            Contested(
                item,
                criterion,
                len({c.answer for c in own}),
                len(answers[item]),
                len(up),
                tuple(sorted(quotes.items(), key=lambda q: (-q[1], q[0]))),
                phrase,
                len(changed),
                changed[0] if changed else "",
            )
        )
    return tuple(sorted(made, key=lambda c: (-c.disputed, c.item, c.criterion)))


def _accepting(
    rubric: Rubric, criterion: str, claims: Iterable[Claimed], answers: Iterable[str]
) -> tuple[str, list[str]]:
    """The first phrase of a candidate's own words that meets the criterion in their answer, and the other answers
    that it would newly meet it in."""
    for claim in claims:
        phrase = " ".join(dict.fromkeys([word for word, _ in content_words(claim.quote)[:MOST_WORDS]]))
        wider = widened(rubric, criterion, phrase)
        if wider is None or not _met(wider, criterion, claim.answer) or _met(rubric, criterion, claim.answer):
            continue
        others = [a for a in answers if a != claim.answer]
        return phrase, [a for a in others if _met(wider, criterion, a) and not _met(rubric, criterion, a)]
    return "", []


def _met(rubric: Rubric, criterion: str, answer: str) -> bool:
    return any(m.criterion == criterion and m.status == FOUND for m in score_text(rubric, answer).marks)


# -- What a rubric lacks, from answers that people have marked: `quizgen rubric suggest`.
#
# A criterion that a right answer misses is tried with one phrase more: one of its own with a further word of that
# answer in the only slot that was not found, else two words of the sentence that is nearest to it. What each would
# change is counted among all answers of the item. Which word is meant only a person can tell: the likely ones are
# listed.

# Words that mean nothing of the subject, whoever says them.
FILLERS: Final = frozenset(NUMBER_WORDS) | frozenset(
    words(
        """okay yeah yes whatever well basically actually really just like kind sort thing things stuff lot bit maybe
        perhaps probably think guess mean know say said etc something anything everything somehow simply quite pretty"""
    )
)
GOOD: Final = 0.75  # human share from which an answer, or a criterion of it, counts as right
POOR: Final = 0.25
TRIED: Final = 24  # phrases of one criterion that are tried
WORDS: Final = 4  # of one suggestion
HELD, COMMON_WORD = 200, 5  # letters that a word counts as farther off: if a phrase holds it, for each item that does
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
    suggestions: list[Suggestion] = []
    for name in sorted(by_item):
        rubric, own = items[name], by_item[name][:ANSWERS]
        made = [s for c in rubric.criteria for s in _of_criterion(name, own, rubric, c, common)]
        suggestions += sorted(made, key=lambda s: -s.wordings[0].good)[:most]
    return tuple(suggestions)


def _of_criterion(
    name: str, rows: Sequence[GradedRow], rubric: Rubric, criterion: Criterion, common: Mapping[str, int]
) -> Iterator[Suggestion]:
    now = [_status(rubric, criterion.id, row.answer) for row in rows]
    deserve = [_deserved(row, criterion.id) for row in rows]
    lost = {n for n, d in enumerate(deserve) if d is True and now[n] in (MISSING, PARTIAL)}
    missed, right = len(lost), sum(d is True for d in deserve)
    attempts = (one for n in sorted(lost) for one in _tries(rubric, criterion, rows[n].answer, common))
    tries, met = _newly_met(rubric, criterion.id, list(attempts), [(n, rows[n].answer) for n in _unmet(now)])

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
            wrong, other = ([n for n in sorted(met[phrase]) if deserve[n] is kind] for kind in (False, None))
            example = rows[[*wrong, *other][0]].answer if wrong or other else ""
            good = len(met[phrase] & lost)
            wordings.append(Wording(tries[phrase].words, phrase, good, len(wrong), len(other), example))
        yield Suggestion(name, criterion.id, missed, right, best.instead, best.slot, best.sentence, tuple(wordings))
        for phrase in alike:
            lost -= met.pop(phrase)


def _unmet(statuses: Sequence[str]) -> list[int]:
    return [n for n, status in enumerate(statuses) if status != FOUND]


def _newly_met(
    rubric: Rubric, criterion: str, attempts: Sequence[_Try], unmet: Sequence[tuple[int, str]]
) -> tuple[dict[str, _Try], dict[str, set[int]]]:
    """The phrases to try, each once, and which of the `unmet` answers the commonest and nearest of them would meet;
    none that the stem meets."""
    tries: dict[str, _Try] = {}
    for one in attempts:
        tries.setdefault(one.phrase, one)
    counts = Counter(one.phrase for one in attempts)
    met: dict[str, set[int]] = {}
    for phrase in sorted(tries, key=lambda p: (-counts[p], tries[p].far, p))[:TRIED]:
        wider = widened(rubric, criterion, phrase)
        if wider is not None and _status(wider, criterion, rubric.stem) != FOUND:
            met[phrase] = {n for n, answer in unmet if _status(wider, criterion, answer) == FOUND}
    return tries, met


def _deserved(row: GradedRow, criterion: str) -> bool | None:
    """Whether a person gave the criterion; None: half of it, or nobody said."""
    marks = dict(row.hand)
    share = marks.get(criterion) if marks else row.score
    if share is None or POOR < share < GOOD:
        return None
    return share >= GOOD


def _tries(rubric: Rubric, criterion: Criterion, answer: str, common: Mapping[str, int]) -> list[_Try]:
    """Words of an answer for the one slot that a phrase lacks; where no phrase comes near, two words for a new one."""
    known = {stem(w) for w in _words(rubric.stem)}
    # What phrases hold already means something of its own, so it is no likely synonym.
    held = {stem(w) for c in rubric.criteria for p in c.accept for w in _words(p.text)}
    tries = []
    for gap in lacking(rubric, criterion, answer):
        for key, (word, at) in _placed(gap.sentence).items():
            if key not in known and all(not start <= at < end for start, end in gap.there):
                before, after = gap.slots[: gap.place], gap.slots[gap.place + 1 :]
                phrase = " ".join([*before, f"{gap.slot}|{word}", *after])
                far = min(abs(at - spot) for start, end in gap.there for spot in (start, end))
                far += HELD * (key in held) + COMMON_WORD * common[key]
                tries.append(_Try(word, phrase, gap.phrase, gap.slot, gap.sentence, far))
    return tries or _pairs(rubric, criterion, answer, common, known)


def _pairs(rubric: Rubric, criterion: Criterion, answer: str, common: Mapping[str, int], known: set[str]) -> list[_Try]:
    """Two words of the sentence that speaks most of a criterion, none of them `known`."""
    meant = {stem(w) for text in (criterion.say, *(p.text for p in criterion.accept)) for w in _words(text)}
    others = [m.evidence for m in score_text(rubric, answer).marks if m.criterion != criterion.id and m.status == FOUND]
    taken = [answer[start:end] for evidence in others for start, end in evidence]

    def nearness(sentence: str) -> tuple[int, bool]:
        """Words that the criterion has too; then whether no other criterion was found in it."""
        return len(_keys(sentence) & meant), not any(words in sentence for words in taken)

    sentence = max(SENTENCE.split(answer), key=nearness, default="")
    fresh = {k: word for k, (word, _) in _placed(sentence).items() if k not in known}
    return [
        _Try(
            f"{fresh[one]} {fresh[two]}", f"{fresh[one]} {fresh[two]}", "", "", sentence,
            common[one] + common[two] - 1000 * ((one in meant) + (two in meant)),
        )
        for one, two in combinations(fresh, 2)
    ]  # fmt: skip


def _status(rubric: Rubric, criterion: str, answer: str) -> str:
    return next(m.status for m in score_text(rubric, answer).marks if m.criterion == criterion)


def _placed(text: str) -> dict[str, tuple[str, int]]:
    """Content words by stem: folded, and where the first of them stands."""
    places: dict[str, tuple[str, int]] = {}
    for word, at in content_words(text):
        if len(word) > 2 and word not in FILLERS:
            places.setdefault(stem(word), (word, at))
    return places


def _words(text: str) -> list[str]:
    return [word for word, _ in _placed(text).values()]


def _keys(text: str) -> set[str]:
    return set(_placed(text))
