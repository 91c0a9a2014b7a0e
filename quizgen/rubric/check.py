"""What `quizgen check` tries on a rubric: example answers of the item (right, wrong and partly right), and lints.

Every lint tries the rubric on a text: the model answer, the stem, or a text made from them. Each cause is reported
once: a criterion with a finding of its own gets no second one for a consequence of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, NamedTuple

from quizgen.rubric import rubric as rubrics
from quizgen.rubric.criteria import MIN_POINTS_NEEDING_TWO_WORDS
from quizgen.rubric.lexicon import WORD_TABLES
from quizgen.rubric.parse import known_names_in_list
from quizgen.rubric.phrases import PhraseSlots, parse_phrase, text_lists_by_slot
from quizgen.rubric.rubric import MISSING, PARTIAL, Criterion, PhraseWithSettings, Rubric
from quizgen.rubric.score import score_text
from quizgen.source.problems import Location, Node, Problem, did_you_mean, read_decimal, shorten, up_to_2_decimals

# -- Why a right answer was refused: the slot that a sentence lacks while it fills all others of a phrase.

_SENTENCE_BREAK_PATTERN: Final = re.compile(r"(?<=[.!?;])\s+|\n+")  # ends of sentences
MAX_SLOT_ALTERNATIVES_SHOWN: Final = 5  # alternatives of a slot


@dataclass(frozen=True, slots=True)
class PhraseMissingOneSlot:
    """A phrase that a sentence fills but for slot `missing_slot_index`; `filled_sentence_spans` are of the others."""

    phrase: str
    slot_texts: tuple[str, ...]
    missing_slot_index: int
    filled_sentence_spans: tuple[tuple[int, int], ...]
    sentence: str

    @property
    def slot_text(self) -> str:
        return self.slot_texts[self.missing_slot_index]


def find_phrases_missing_one_slot(rubric: Rubric, criterion: Criterion, answer: str) -> Iterator[PhraseMissingOneSlot]:
    """Yields each accepted phrase of the criterion that a sentence of the answer fills except for one slot, even if the
    sentence denies it."""
    for sentence in _SENTENCE_BREAK_PATTERN.split(answer):
        for phrase in criterion.accepted_phrases:
            slots = tuple("|".join(f"{{{p}}}" if " " in p else p for p in s) for s in text_lists_by_slot(phrase.text))
            tests = (PhraseWithSettings(slot, rubrics.WITHIN_ANSWER, False, rubrics.ANY_POLARITY) for slot in slots)
            parts = [Criterion(str(n), accepted_phrases=(t,), allows_one_word=True) for n, t in enumerate(tests)]
            marks = score_text(Rubric(tuple(parts), words_and_synonyms=rubric.words_and_synonyms), sentence).marks
            gaps = [n for n, mark in enumerate(marks) if mark.status != rubrics.FOUND]
            if len(slots) > 1 and len(gaps) == 1:
                spans = tuple(mark.evidence_spans[0] for mark in marks if mark.status == rubrics.FOUND)
                yield PhraseMissingOneSlot(phrase.text, slots, gaps[0], spans, sentence)


def explain_mark(rubric: Rubric, mark: rubrics.CriterionMark, answer: str) -> str:
    """Why an answer has this mark: the words that were found, and the slot that the closest sentence lacks."""
    reason = f"{mark.criterion_id} is {mark.status}, {mark.because}"
    if mark.status == rubrics.NEGATED:
        return f"{reason}; if the item asks what it prevents, polarity: any accepts both"
    criterion = next(c for c in rubric.criteria if c.id == mark.criterion_id)
    gaps = find_phrases_missing_one_slot(rubric, criterion, answer) if mark.status in (MISSING, PARTIAL) else ()
    gap = max(gaps, key=lambda one: len(one.slot_texts), default=None)
    if gap is None:
        return reason
    names = gap.slot_text.split("|")
    alternatives = "|".join(names[:MAX_SLOT_ALTERNATIVES_SHOWN]) + "|…" * (len(names) > MAX_SLOT_ALTERNATIVES_SHOWN)
    return f'{reason}; {alternatives} is not in "{gap.sentence.strip()}"'


# -- Answers beside an item, right, wrong and half right, that `quizgen check` tries on its rubric.
# Without a confident wrong answer an item is only known to reward right ones; without a right answer in other
# words it is only known to reward the author's own.

EXPECTED_SHARE_TOLERANCE: Final = Fraction(1, 10)  # allowed difference in the share of the points
# Right answers in other words. On rubrics cut down to half of their phrases, two such answers revealed seven in ten
# of the refusals of other right answers (one: four in ten; three: no more than two). The number of phrases, slots
# and alternatives predicted nothing.
MIN_RIGHT_EXAMPLE_ANSWERS: Final = 2
MAX_CRITERIA_EXPLAINED_PER_ANSWER: Final = 3  # criteria reported for one answer
MAX_SHARE_IF_WRONG: Final = Fraction(1, 4)  # largest share of the points that a wrong answer may earn


@dataclass(frozen=True, slots=True)
class ExampleAnswer:
    """An example answer with the score that it must earn: the share `expected_share` of the points, or all points of
    exactly the criteria `expected_criterion_ids` if `expected_share` is None."""

    text: str
    expected_share: Fraction | None
    expected_criterion_ids: tuple[str, ...]
    location: Location


def parse_example_answers(node: Node, rubric: Rubric) -> tuple[ExampleAnswer, ...]:
    """The example answers in `answers:` of a text item. Mistakes are reported on the nodes."""
    answers = []
    for entry in node.entries("answers"):
        fields = entry.fields(("earns", "text"), "an answer")
        if "earns" not in fields or "text" not in fields:
            if entry.shape == "mapping":
                entry.report("an answer needs earns and text", 'write {earns: none, text: "…"}')
            continue
        text = fields["text"].text("text").strip()
        share, ids = _expected_share_and_criterion_ids(fields["earns"], [c.id for c in rubric.criteria])
        if text and (share is not None or ids):
            answers.append(ExampleAnswer(text, share, ids, entry.location))
    return tuple(answers)


def rubric_comparing_with_examples(rubric: Rubric, answers: tuple[ExampleAnswer, ...]) -> Rubric:
    """The rubric with the right, partly right and wrong example answers, to which responses are compared."""
    right_texts = tuple(a.text for a in answers if a.expected_share == 1 or a.expected_criterion_ids)
    mistakes = tuple(a.text for a in answers if a.expected_share is not None and a.expected_share <= MAX_SHARE_IF_WRONG)
    return replace(rubric, right_example_answers=right_texts, wrong_example_answers=mistakes)


def _expected_share_and_criterion_ids(node: Node, known_ids: list[str]) -> tuple[Fraction | None, tuple[str, ...]]:
    if node.shape == "text":
        text = node.text("earns").strip()
        if text in ("all", "none"):
            return Fraction(text == "all"), ()
        value = read_decimal(text.removesuffix("%")) if text.endswith("%") else None
        if value is not None and 0 <= value <= 100:
            return value / 100, ()
        if text and text not in known_ids:
            hint = did_you_mean(text, ("all", "none", *known_ids)) or "write all, none, 50% or a list of criterion ids"
            node.report(f'earns "{shorten(text)}" is unknown', hint)
            return None, ()
    return None, tuple(dict.fromkeys(name for name, _ in known_names_in_list(node, "earns", "criterion", known_ids)))


def check_examples(rubric: Rubric, answers: tuple[ExampleAnswer, ...], place: Location, item: str) -> Iterator[Problem]:
    """Yields a failure for each example answer with another score than expected, and warnings if some are lacking."""
    right_count = sum(answer.expected_share == 1 for answer in answers)
    if right_count < MIN_RIGHT_EXAMPLE_ANSWERS:
        message = f"{right_count or 'no'} right answer{'' if right_count == 1 else 's'} besides the model answer"
        hint = 'add {earns: all, text: "…"} until there are two, in the words of two people; then widen accept'
        yield Problem(place, message, hint, item, "warning")
    shares = [
        sum(c.points for c in rubric.criteria if c.id in answer.expected_criterion_ids) / rubric.possible_points
        if answer.expected_share is None
        else answer.expected_share
        for answer in answers
    ]
    if all(share > MAX_SHARE_IF_WRONG for share in shares):
        message = "there is no confident wrong answer"
        hint = 'add answers: [{earns: none, text: "…"}] with a mistake that people make, in the right words'
        yield Problem(place, message, hint, item, "warning")
    for answer in answers:
        if difference := unexpected_score_text(rubric, answer):
            yield Problem(answer.location, difference, "fix the rubric, or the `earns` of the answer", item, "failure")


def expected_score_text(answer: ExampleAnswer) -> str:
    """The score that the author expects, in words: `all`, `none`, a percentage, or the ids of the criteria met."""
    if answer.expected_share is None:
        return ", ".join(answer.expected_criterion_ids)
    return {Fraction(1): "all", Fraction(0): "none"}.get(answer.expected_share, f"{float(answer.expected_share):.0%}")


def _is_score_close_to_expected_share(expected_share: Fraction, score: rubrics.TextScore) -> bool:
    """Whether a score differs from the expected share by no more than allowed. Where nothing is expected, near misses
    and a tenth of the points are let pass, but no criterion that is met by half."""
    difference = abs(score.earned / score.possible - expected_share)
    if difference <= (EXPECTED_SHARE_TOLERANCE if 0 < expected_share < 1 else 0):
        return True
    marks = [m for m in score.marks if not m.is_found_in_part]
    return (
        expected_share == 0
        and sum(m.earned for m in marks) <= EXPECTED_SHARE_TOLERANCE * score.possible
        and all(2 * m.earned < m.possible for m in marks)
    )


def unexpected_score_text(rubric: Rubric, answer: ExampleAnswer) -> str:
    """How the score of an example answer differs from the expected one, and why; empty if they agree."""
    score = score_text(rubric, answer.text, compares_examples=False)  # with examples the answer would match itself
    points = {m.criterion_id: m.earned for m in score.marks}
    full_ids = {m.criterion_id for m in score.marks if m.earned >= m.possible}
    is_higher = False
    if answer.expected_share is None:
        wrong_ids = full_ids.symmetric_difference(answer.expected_criterion_ids)
        is_expected = not wrong_ids
        actual_text = f"{', '.join(name for name in points if name in full_ids) or 'no criterion'} in full"
    else:
        is_expected = _is_score_close_to_expected_share(answer.expected_share, score)
        is_higher = score.earned > answer.expected_share * score.possible
        # One more criterion of a group that earns all its points already would change nothing.
        groups = [g.criterion_ids for g in rubric.groups if sum(points[i] for i in g.criterion_ids) >= g.max_points]
        wrong_ids = {name for name in points if points[name]} if is_higher else points.keys() - full_ids.union(*groups)
        actual_text = f"{up_to_2_decimals(score.earned)} of {up_to_2_decimals(score.possible)}"
    if is_expected:
        return ""
    # Report what a phrase lacks if it should be met, and what met it if it should not.
    marks = [
        f"{m.criterion_id} is {m.status}, {m.because}"
        if is_higher or m.criterion_id in full_ids
        else explain_mark(rubric, m, answer.text)
        for m in score.marks
        if m.criterion_id in wrong_ids
    ]
    reasons = "; ".join(marks[:MAX_CRITERIA_EXPLAINED_PER_ANSWER] or [a.because for a in score.adjustments])
    quote = shorten(" ".join(answer.text.split()), 80)
    return f'"{quote}" should earn {expected_score_text(answer)} and earns {actual_text}: {reasons}'


# -- Weaknesses of a rubric, each shown by a text that it scores wrongly.

COMMON_WORDS: Final = frozenset(WORD_TABLES["common"])  # they occur in text about anything
MAX_SHORT_PREFIX_LETTERS: Final = 3  # a prefix of so few letters begins words of any subject


class RubricLint(NamedTuple):
    """One weakness of a rubric. `part_path` is the path to the phrase or criterion, as ("criteria", 0, "accept", 1)."""

    part_path: tuple[str | int, ...]
    message: str
    hint: str


def lint_rubric(rubric: Rubric) -> tuple[RubricLint, ...]:
    """The weaknesses of a rubric, at most one for each criterion."""
    lints: dict[int | str, RubricLint] = {}
    for check in LINT_CHECKS:
        for finding in check(rubric):
            lints.setdefault(finding.part_path[1] if len(finding.part_path) > 1 else "", finding)
    return tuple(sorted(lints.values(), key=lambda finding: [(str(type(p)), p) for p in finding.part_path]))


def _one_line_excerpt(text: str) -> str:
    return shorten(" ".join(text.split()), 160)


# -- the model answer and the stem ----------------------------------------------------------


def _lint_model_answer_below_full_marks(rubric: Rubric) -> Iterator[RubricLint]:
    score = score_text(rubric, rubric.model_answer)
    if not rubric.model_answer or score.earned >= score.possible:
        return
    finding = f"the model answer earns {up_to_2_decimals(score.earned)} of {up_to_2_decimals(score.possible)}"
    number = next((i for i, m in enumerate(score.marks) if m.status != rubrics.FOUND), -1)
    if number < 0:
        reasons = "; ".join(a.because for a in score.adjustments if a.points < 0)
        yield RubricLint(("criteria",), f"{finding}: {reasons}", "correct the rubric")
        return
    message = f"{finding}: criterion {explain_mark(rubric, score.marks[number], rubric.model_answer)}"
    hint = "accept the model answer's words, or write them into the model answer"
    yield RubricLint(("criteria", number), message, hint)


def _lint_unmet_own_statements(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the criteria that their own `say` does not meet. Of right answers, such criteria refused 5 of 6 while
    others refused 31 of 94 (rubrics of two authors), and 56 % against 27 % on rubrics cut down to half of their
    phrases."""
    for number, criterion in enumerate(rubric.criteria):
        mark = score_text(rubric, criterion.statement).marks[number]
        if criterion.statement and (mark.status == MISSING or mark.is_found_in_part):
            message = f"its own `say` does not meet the criterion: {explain_mark(rubric, mark, criterion.statement)}"
            yield RubricLint(("criteria", number), message, "accept those words too, or say what the criterion accepts")


def _lint_criteria_met_by_stem(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the criteria that words of the stem meet: copied sentences earn nothing, but single words may."""
    rubric_without_stem = replace(rubric, stem="", model_answer="")
    stem_text = rubric.stem.replace("?", ".")  # a question counts only as a guess
    for place, mark in enumerate(score_text(rubric_without_stem, stem_text).marks):
        evidence = " ".join(stem_text[a:b] for a, b in mark.evidence_spans)
        text = next((s for s in (stem_text, evidence) if score_text(rubric, s).marks[place].earned > 0), "")
        if mark.status == rubrics.FOUND and text:
            finding = f'the stem itself meets criterion "{mark.criterion_id}": "{_one_line_excerpt(text)}" earns points'
            message = f'{finding}, and all of it is in "{_one_line_excerpt(rubric.stem)}"'
            yield RubricLint(("criteria", place), message, "ask for a word that is not in the stem")


# -- single phrases -------------------------------------------------------------------------


def _accepted_phrase_rows(rubric: Rubric) -> Iterator[tuple[int, int, Criterion, PhraseWithSettings, PhraseSlots]]:
    for number, criterion in enumerate(rubric.criteria):
        for place, phrasing in enumerate(criterion.accepted_phrases):
            yield number, place, criterion, phrasing, parse_phrase(phrasing.text)


def _lint_phrases_met_by_subject_name(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the phrases that the name of the criterion's own subject fills, whatever is said about it."""
    names = {s.id: {a.words for t in s.phrases for slot in parse_phrase(t) for a in slot} for s in rubric.subjects}
    for number, place, criterion, _, slots in _accepted_phrase_rows(rubric):
        name_words = {words for subject_id in criterion.subject_ids for words in names.get(subject_id, ())}
        if (alternative := next((a for a in slots[0] if len(slots) == 1 and a.words in name_words), None)) is not None:
            name = f'"{alternative.text}" is a name of the subject that criterion "{criterion.id}" is about'
            hint = "ask for what is said about it in a second slot, or take the name out of subjects"
            path = ("criteria", number, "accept", place)
            yield RubricLint(path, f"{name}: any mention of it meets the criterion", hint)


def _lint_phrases_of_one_common_word(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the phrases that a single common word fills."""
    for number, place, criterion, _, slots in _accepted_phrase_rows(rubric):
        for alternative in slots[0] if len(slots) == 1 else ():
            word = alternative.words[0]
            if alternative.prefix_flags[0]:
                words = (w for w in COMMON_WORDS if w.startswith(word) and len(word) <= MAX_SHORT_PREFIX_LETTERS)
                word = min(words, default="")
            sample = f"It has something to do with {word}."
            if alternative.is_one_word and word in COMMON_WORDS and score_text(rubric, sample).marks[number].earned > 0:
                message = f'"{word}" alone meets criterion "{criterion.id}": "{sample}" earns points'
                hint = "add a second slot, or put the word into braces with its neighbours"
                yield RubricLint(("criteria", number, "accept", place), message, hint)
                break


def _lint_accepted_phrases_also_rejected(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the accepted phrases that a rejected phrase of the same criterion cancels."""
    for number, place, criterion, phrasing, slots in _accepted_phrase_rows(rubric):
        sample = " ".join(slot[0].text.rstrip("*") for slot in slots)
        may_clash = criterion.rejected_phrases and phrasing.polarity != rubrics.NEGATED_POLARITY
        if may_clash and score_text(rubric, sample).marks[number].status == rubrics.CONTRADICTED:
            message = f'"{sample}" meets "{phrasing.text}" and is rejected by the same criterion'
            yield RubricLint(("criteria", number, "accept", place), message, "make the reject phrase narrower")


def _lint_criteria_met_by_same_words(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields each criterion that is met by exactly the words of the model answer that already meet an earlier one."""
    first_id_by_spans: dict[tuple[tuple[int, int], ...], str] = {}
    for number, mark in enumerate(score_text(rubric, rubric.model_answer).marks):
        first_id = first_id_by_spans.setdefault(mark.evidence_spans, mark.criterion_id)
        if mark.status == rubrics.FOUND and mark.evidence_spans and first_id != mark.criterion_id:
            evidence = " … ".join(rubric.model_answer[a:b] for a, b in mark.evidence_spans)
            message = f'"{_one_line_excerpt(evidence)}" earns the points of "{first_id}" and of "{mark.criterion_id}"'
            yield RubricLint(("criteria", number), message, "let each criterion ask for something of its own")


def _lint_criteria_met_by_single_words(rubric: Rubric) -> Iterator[RubricLint]:
    """Yields the criteria of two points or more that only single words meet: one word alone earns half."""
    for number, criterion in enumerate(rubric.criteria):
        phrases = [slots for owner, _, _, _, slots in _accepted_phrase_rows(rubric) if owner == number]
        is_bare = phrases and all(len(slots) == 1 and all(a.is_one_word for a in slots[0]) for slots in phrases)
        may_be_bare = criterion.allows_one_word or criterion.number_test is not None
        if is_bare and criterion.points >= MIN_POINTS_NEEDING_TWO_WORDS and not may_be_bare:
            cause = f'only single words meet criterion "{criterion.id}" of {up_to_2_decimals(criterion.points)} points'
            consequence = f'one alone ("{shorten(phrases[0][0][0].text, 40)}") earns half: no answer can earn it all'
            hint = "add a second slot for what is said about it, or write `bare: true` where the word is the answer"
            yield RubricLint(("criteria", number), f"{cause}, and {consequence}", hint)


LINT_CHECKS: Final = (
    _lint_accepted_phrases_also_rejected, _lint_criteria_met_by_single_words, _lint_model_answer_below_full_marks,
    _lint_unmet_own_statements, _lint_criteria_met_by_stem, _lint_phrases_met_by_subject_name,
    _lint_phrases_of_one_common_word, _lint_criteria_met_by_same_words,
)  # fmt: skip
