"""Weaknesses of a rubric, each shown by a text that it scores wrongly.

Every lint tries the rubric on a text: the model answer, the stem, or a text made from them. Each cause is reported
once: a criterion with a finding of its own gets no second one for a consequence of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final, NamedTuple

from quizgen.rubric.contrast import explain_mark
from quizgen.rubric.criteria import MIN_TWO_WORD_POINTS
from quizgen.rubric.lexicon import TABLES
from quizgen.rubric.phrases import PhraseError, Slots, parse_phrase
from quizgen.rubric.rubric import CONTRADICTED, FOUND, MISSING, NEGATED, Criterion, Phrasing, Rubric
from quizgen.rubric.score import score_text
from quizgen.source.problems import points_decimal, shorten

RubricPath = tuple[str | int, ...]

COMMON_WORDS: Final = frozenset(TABLES["common"])  # they occur in text about anything
MAX_SHORT_PREFIX_LETTERS: Final = 3  # a prefix of so few letters begins words of any subject


class RubricLint(NamedTuple):
    """One weakness of a rubric. `path` is the path to the phrase or criterion, as ("criteria", 0, "accept", 1)."""

    path: RubricPath
    message: str
    hint: str


def lint_rubric(rubric: Rubric) -> tuple[RubricLint, ...]:
    """The weaknesses of a rubric, at most one for each criterion."""
    lints: dict[int | str, RubricLint] = {}
    for check in LINT_CHECKS:
        for finding in check(rubric):
            lints.setdefault(finding.path[1] if len(finding.path) > 1 else "", finding)
    return tuple(sorted(lints.values(), key=lambda finding: [(str(type(p)), p) for p in finding.path]))


def _one_line_excerpt(text: str) -> str:
    return shorten(" ".join(text.split()), 160)


# -- the model answer and the stem ----------------------------------------------------------


def _lint_model_answer(rubric: Rubric) -> Iterator[RubricLint]:
    scored = score_text(rubric, rubric.model_answer)
    if not rubric.model_answer or scored.earned >= scored.possible:
        return
    earns = f"the model answer earns {points_decimal(scored.earned)} of {points_decimal(scored.possible)}"
    short = next((i for i, m in enumerate(scored.marks) if m.status != FOUND), -1)
    if short < 0:
        reasons = "; ".join(a.because for a in scored.adjustments if a.points < 0)
        yield RubricLint(("criteria",), f"{earns}: {reasons}", "correct the rubric")
        return
    message = f"{earns}: criterion {explain_mark(rubric, scored.marks[short], rubric.model_answer)}"
    hint = "accept the model answer's words, or write them into the model answer"
    yield RubricLint(("criteria", short), message, hint)


def _lint_own_statements(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the criteria that their own `say` does not meet. Of right answers, such criteria refused 5 of 6 while
    others refused 31 of 94 (rubrics of two authors), and 56 % against 27 % on rubrics cut down to half of their
    phrases."""
    for at, criterion in enumerate(rubric.criteria):
        mark = score_text(rubric, criterion.statement).marks[at]
        if criterion.statement and (mark.status == MISSING or mark.is_near_miss):
            message = f"its own `say` does not meet the criterion: {explain_mark(rubric, mark, criterion.statement)}"
            yield RubricLint(("criteria", at), message, "accept those words too, or say what the criterion accepts")


def _lint_stem(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the criteria that words of the stem meet: copied sentences earn nothing, but single words may."""
    blind = replace(rubric, stem="", model_answer="", index_cache=[])
    stem_text = rubric.stem.replace("?", ".")  # a question counts only as a guess
    for place, mark in enumerate(score_text(blind, stem_text).marks):
        alone = " ".join(stem_text[a:b] for a, b in mark.evidence)
        shown = next((s for s in (stem_text, alone) if score_text(rubric, s).marks[place].earned > 0), "")
        if mark.status == FOUND and shown:
            met = f'the stem itself meets criterion "{mark.criterion}": "{_one_line_excerpt(shown)}" earns points'
            message = f'{met}, and all of it is in "{_one_line_excerpt(rubric.stem)}"'
            yield RubricLint(("criteria", place), message, "ask for a word that is not in the stem")


# -- single phrases -------------------------------------------------------------------------


def _parsed_phrases(rubric: Rubric) -> Iterator[tuple[int, int, Criterion, Phrasing, Slots]]:
    for at, criterion in enumerate(rubric.criteria):
        for place, phrasing in enumerate(criterion.accepted_phrases):
            with suppress(PhraseError):  # reported when the bank was read
                yield at, place, criterion, phrasing, parse_phrase(phrasing.text)


def _lint_subject_names(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the phrases that the name of the criterion's own subject fills, whatever is said about it."""
    names = {
        s.id: {a.words for text in s.phrases for slot in parse_phrase(text) for a in slot} for s in rubric.subjects
    }
    for at, place, criterion, _, slots in _parsed_phrases(rubric):
        own = {words_ for of in criterion.subjects for words_ in names.get(of, ())}
        named = next((a for a in slots[0] if len(slots) == 1 and a.words in own), None)
        if named is not None:
            name = f'"{named.text}" is a name of the subject that criterion "{criterion.id}" is about'
            hint = "ask for what is said about it in a second slot, or take the name out of subjects"
            path = ("criteria", at, "accept", place)
            yield RubricLint(path, f"{name}: any mention of it meets the criterion", hint)


def _lint_common_words(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the phrases that a single common word fills."""
    for at, place, criterion, _, slots in _parsed_phrases(rubric):
        for alternative in slots[0] if len(slots) == 1 else ():
            word = alternative.words[0]
            if alternative.prefix_flags[0]:
                begun = (w for w in COMMON_WORDS if w.startswith(word) and len(word) <= MAX_SHORT_PREFIX_LETTERS)
                word = min(begun, default="")
            shown = f"It has something to do with {word}."
            if alternative.is_one_word and word in COMMON_WORDS and score_text(rubric, shown).marks[at].earned > 0:
                message = f'"{word}" alone meets criterion "{criterion.id}": "{shown}" earns points'
                hint = "add a second slot, or put the word into braces with its neighbours"
                yield RubricLint(("criteria", at, "accept", place), message, hint)
                break


def _lint_self_rejection(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the accepted phrases that a rejected phrase of the same criterion cancels."""
    for at, place, criterion, phrasing, slots in _parsed_phrases(rubric):
        shown = " ".join(slot[0].text.rstrip("*") for slot in slots)
        asks = criterion.rejected_phrases and phrasing.polarity != NEGATED
        if asks and score_text(rubric, shown).marks[at].status == CONTRADICTED:
            message = f'"{shown}" meets "{phrasing.text}" and is rejected by the same criterion'
            yield RubricLint(("criteria", at, "accept", place), message, "make the reject phrase narrower")


def _lint_shared_evidence(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields each criterion that is met by exactly the words of the model answer that already meet an earlier one."""
    seen: dict[tuple[tuple[int, int], ...], str] = {}
    for at, mark in enumerate(score_text(rubric, rubric.model_answer).marks):
        first = seen.setdefault(mark.evidence, mark.criterion)
        if mark.status == FOUND and mark.evidence and first != mark.criterion:
            words_ = " … ".join(rubric.model_answer[a:b] for a, b in mark.evidence)
            message = f'"{_one_line_excerpt(words_)}" earns the points of "{first}" and of "{mark.criterion}"'
            yield RubricLint(("criteria", at), message, "let each criterion ask for something of its own")


def _lint_single_words(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the criteria of two points or more that only single words meet: one word alone earns half."""
    for at, criterion in enumerate(rubric.criteria):
        phrases = [slots for where, _, _, _, slots in _parsed_phrases(rubric) if where == at]
        bare = phrases and all(len(slots) == 1 and all(a.is_one_word for a in slots[0]) for slots in phrases)
        may_be_bare = criterion.allows_one_word or criterion.number_test is not None
        if bare and criterion.points >= MIN_TWO_WORD_POINTS and not may_be_bare:
            met = f'only single words meet criterion "{criterion.id}" of {points_decimal(criterion.points)} points'
            half = f'one alone ("{shorten(phrases[0][0][0].text, 40)}") earns half: no answer can earn it all'
            hint = "add a second slot for what is said about it, or write `bare: true` where the word is the answer"
            yield RubricLint(("criteria", at), f"{met}, and {half}", hint)


LINT_CHECKS: Final = (
    _lint_self_rejection, _lint_single_words, _lint_model_answer, _lint_own_statements, _lint_stem,
    _lint_subject_names, _lint_common_words, _lint_shared_evidence,
)  # fmt: skip
