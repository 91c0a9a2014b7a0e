"""Text items: free text scored by a rubric of criteria."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from quizgen import markdown
from quizgen.answer_areas import TextAnswerLines
from quizgen.draw import SeededRng
from quizgen.inline import Text
from quizgen.kinds import common
from quizgen.model import ZERO, Item, Mark, Outcome, Response, ResponseEcho, SampleResponse, Score, Variant, sum_points
from quizgen.page import Block, Heading, MarkingScheme
from quizgen.portable_item import PortableItem
from quizgen.rubric import check
from quizgen.rubric.parse import parse_rubric, parse_synonyms_by_word
from quizgen.rubric.phrases import text_lists_by_slot
from quizgen.rubric.rubric import HEDGED, PhraseWithSettings, Rubric
from quizgen.rubric.score import score_text
from quizgen.source.problems import Location, Node, Problem, points_phrase, up_to_2_decimals

TEXT_ITEM_FIELDS = (*common.SHARED_FIELDS, "rubric", "synonyms", "model_answer", "answers")

MAX_LISTED_PHRASES = 3  # phrases of a reject or misconception in a key, and alternatives of a slot


@dataclass(frozen=True, slots=True, kw_only=True)
class TextItem(Item):
    """A text item. Marks of the rubric are scaled to `points` if the author sets them. `example_answers` are example
    answers with the score that each should earn; `rubric_node` is the rubric's place in the file (None: not kept)."""

    kind: ClassVar[str] = "text"

    rubric: Rubric
    model_answer: str = ""
    example_answers: tuple[check.ExampleAnswer, ...] = ()
    is_rubric_faulty: bool = False
    rubric_node: Node | None = None

    def without_file_locations(self) -> TextItem:
        return replace(self, rubric_node=None)

    @classmethod
    def parse(cls, node: Node, scope: common.KnownNames) -> TextItem | None:
        fields = node.fields(TEXT_ITEM_FIELDS, "a text item")
        shared_fields = common.read_shared_fields(node, fields, scope)
        if "rubric" not in fields:
            common.report_missing_field(node, fields, "rubric", "add `rubric:` with criteria")
            if not common.has_draft_status(fields):
                return None
        own_synonyms = parse_synonyms_by_word(fields["synonyms"]) if "synonyms" in fields else {}
        synonyms_by_word = {**scope.synonyms_by_word, **own_synonyms}
        model = fields.text("model_answer").strip()
        stem = str(fields["stem"].value) if "stem" in fields else ""
        known_problem_count = len(node.doc.problems)
        rubric = parse_rubric(fields["rubric"], synonyms_by_word, stem, model) if "rubric" in fields else Rubric(())
        is_rubric_faulty = any(p.severity == "error" for p in node.doc.problems[known_problem_count:])
        if shared_fields is None or rubric is None:
            return None
        shared_fields.setdefault("points", rubric.possible_points or Fraction(1))
        answers = check.parse_example_answers(fields["answers"], rubric) if "answers" in fields else ()
        return cls(
            **shared_fields,
            rubric=check.rubric_comparing_with_examples(rubric, answers),
            model_answer=model,
            example_answers=answers,
            is_rubric_faulty=is_rubric_faulty,
            rubric_node=None if scope.had_no_file_problems_when_indexed else fields.get("rubric"),
        )

    @property
    def has_scoring_fields(self) -> bool:
        return bool(self.rubric.criteria)

    def draw(self, rng: SeededRng) -> TextVariant:
        return TextVariant(self, rng.seed)

    def rebuild_variant(self, given: Mapping[str, str], rng: SeededRng | None) -> TextVariant:
        return TextVariant(self, rng.seed if rng is not None else "")

    def find_problems(self) -> Iterator[Problem]:
        yield from common.missing_field_and_todo_warnings(self)
        if not self.model_answer:
            hint = "add `model_answer:`; the rubric is then tried on it"
            yield Problem(self.location, "model_answer is missing", hint, self.id, "warning")
        for number, criterion in enumerate(self.rubric.criteria):
            place = self._location_of_rubric_part(("criteria", number))
            if not criterion.statement:
                hint = "say what it asks for: candidates and keys read it instead of the id"
                yield Problem(place, f'criterion "{criterion.id}" has no `say`', hint, self.id, "warning")
            elif self.follow_up_ids and not criterion.probe_question:
                hint = "write what an interviewer asks, without revealing the answer"
                yield Problem(place, f'criterion "{criterion.id}" has no `probe`', hint, self.id, "warning")
        if self.is_rubric_faulty:  # whatever it refuses would be reported once more
            return
        for lint in check.lint_rubric(self.rubric):
            yield Problem(self._location_of_rubric_part(lint.part_path), lint.message, lint.hint, self.id, "warning")
        if self.has_scoring_fields:  # otherwise there is nothing to score
            yield from check.check_examples(self.rubric, self.example_answers, self.location, self.id)

    def _location_of_rubric_part(self, part_path: tuple[str | int, ...]) -> Location:
        """The place in the file of a part of the rubric, or of the closest enclosing part that exists; of the item if
        the rubric's is not kept. `part_path` is the path to it, as ("criteria", 0)."""
        node = self.rubric_node
        if node is None:
            return self.location
        for step in part_path:
            parts: Any = dict(enumerate(node.value)) if isinstance(node.value, list) else node.value
            if not isinstance(parts, dict) or step not in parts:
                break
            node = parts[step]
        return node.location


@dataclass(frozen=True, slots=True)
class TextVariant(Variant):
    """A text item has one variant, since nothing in it is drawn."""

    item: TextItem

    def prompt(self) -> tuple[Block, ...]:
        stem = markdown.markdown_blocks(self.stem_text)
        return (*self.stimulus_blocks(), *stem, *self.figure_blocks(), TextAnswerLines(len(self.item.rubric.criteria)))

    def solution(self) -> tuple[Block, ...]:
        item = self.item
        rubric, rows = item.rubric, []
        for c in rubric.criteria:
            labels = [readable_texts_of_phrase_slots(phrase.text) for phrase in c.accepted_phrases]
            if c.number_test is not None:
                labels.append((f"the number {up_to_2_decimals(c.number_test.value)} {c.number_test.unit}".rstrip(),))
            rows.append((up_to_2_decimals(c.points), c.statement or c.id, tuple(labels)))
        notes = [
            f"At most {points_phrase(g.max_points)} together: {', '.join(g.criterion_ids)}." for g in rubric.groups
        ]
        if rubric.full_marks is not None:
            notes.append(f"{_points_for_full_marks_text(rubric.full_marks)}.")
        notes += [
            f"Contradicts “{c.statement or c.id}”, 0 points for it: {_first_phrases_text(c.rejected_phrases)}."
            for c in rubric.criteria
            if c.rejected_phrases
        ]
        for mistake in rubric.misconceptions:
            cost = f" (minus {up_to_2_decimals(mistake.penalty_points)})" if mistake.penalty_points else ""
            notes.append(f"Misconception{cost}: {_first_phrases_text(mistake.phrases)}. {mistake.correction}".rstrip())
        blocks: list[Block] = [MarkingScheme(tuple(rows), tuple(notes))]
        if item.model_answer:
            blocks += [Heading((Text("Model answer"),), 4), *markdown.markdown_blocks(item.model_answer)]
        rationale = (Heading((Text("Why"),), 4), *markdown.markdown_blocks(item.rationale)) if item.rationale else ()
        return (*blocks, *self.figure_blocks(in_solution=True), *rationale)

    def key_text(self) -> str:
        return "; ".join((c.statement or c.id).rstrip(".") for c in self.item.rubric.criteria)

    def probe_for_criterion(self, criterion: str) -> str:
        return next((c.probe_question for c in self.item.rubric.criteria if c.id == criterion), "")

    def echo_response(self, response: Response) -> ResponseEcho:
        text = _text_unless_blank(response)
        if not text:
            return ResponseEcho("", Outcome.BLANK)
        # A text without a word may be a phrase of the rubric, such as `&&`.
        if not any(c.isalnum() for c in text) and (score := self.score(response)).outcome is Outcome.UNREADABLE:
            return ResponseEcho(score.remarks[0], score.outcome)
        return ResponseEcho(text)

    def score(self, response: Response) -> Score:
        item, text = self.item, _text_unless_blank(response)
        if not text:
            return Score(Outcome.BLANK, self._zero_marks_of_all_criteria("nothing was given"))
        if not item.has_scoring_fields:
            note = "this draft has no rubric yet: an answer cannot be scored"
            return Score(Outcome.UNREADABLE, (Mark("rubric", ZERO, item.points, note, "missing"),), None, None, (note,))
        result = score_text(item.rubric, text)
        if not any(c.isalnum() for c in text) and not any(m.evidence_spans for m in result.marks):
            note = "this has no words; write your answer in words"
            return Score(Outcome.UNREADABLE, self._zero_marks_of_all_criteria(note), None, None, (note,))
        factor = self._item_points_per_rubric_point(result.possible)
        marks = []
        for m in result.marks:  # usually nothing needs multiplying
            earned, possible = (m.earned, m.possible) if factor == 1 else (m.earned * factor, m.possible * factor)
            mark = Mark(m.criterion_id, earned, possible, m.because, m.status, m.evidence_spans, m.certainty)
            marks.append(replace(mark, is_found_in_part=True) if m.is_found_in_part else mark)
        deductions = (a for a in result.adjustments if a.points)
        marks += [Mark(a.kind, a.points * factor, ZERO, a.because, "", a.evidence_spans) for a in deductions]
        marks += self._marks_deducting_points_above_maximum(result.possible)
        read_as = dict.fromkeys(f"{typo} as {word}" for m in result.marks for typo, word in m.spelling_corrections)
        # The reasons for a person to look at it.
        statuses = {m.status for m in result.marks}
        reasons = (*result.cap_flags, *(word for word in (HEDGED, "contradicted") if word in statuses))
        return Score(
            Outcome.of_points(result.earned, result.possible),
            tuple(marks),
            "; ".join(read_as) or None,
            result.misconception_ids[0] if result.misconception_ids else None,
            (*result.misconception_corrections, *result.candidate_notes),
            reasons or (("unsure",) if result.needs_review else ()),
        )

    def samples(self) -> tuple[SampleResponse, ...]:
        samples = [SampleResponse(blank, Outcome.BLANK, ZERO) for blank in ("", ".")]
        if self.item.has_scoring_fields:
            samples.append(SampleResponse("?! \u2026", Outcome.UNREADABLE, ZERO))
            samples.append(SampleResponse("zqxv wqzk vvqx", Outcome.INCORRECT, ZERO))
        if self.item.has_scoring_fields and (model := self.item.model_answer) and not self.item.is_rubric_faulty:
            samples.append(SampleResponse(model, Outcome.CORRECT, self.item.points, is_from_author=True))
        return tuple(samples)

    def portable_item(self) -> PortableItem | None:
        criteria = tuple((c.points, c.statement or c.id) for c in self.item.rubric.criteria)
        return common.portable_variant(self, kind="text", criteria=criteria, model_answer=self.item.model_answer)

    def _zero_marks_of_all_criteria(self, reason: str) -> tuple[Mark, ...]:
        rubric = self.item.rubric
        factor = self._item_points_per_rubric_point(rubric.possible_points)
        marks = [Mark(c.id, ZERO, c.points * factor, reason, "missing") for c in rubric.criteria]
        return (*marks, *self._marks_deducting_points_above_maximum(rubric.possible_points))

    def _item_points_per_rubric_point(self, rubric_points: Fraction) -> Fraction:
        """How many of the item's points one point of its rubric, out of `rubric_points`, is worth."""
        points = self.item.points
        return points / rubric_points if rubric_points and points != rubric_points else Fraction(1)

    def _marks_deducting_points_above_maximum(self, rubric_points: Fraction) -> list[Mark]:
        """Marks that subtract the points above `rubric_points`, the maximum of the groups and `full_marks`, so that all
        marks add up."""
        item = self.item
        if item.rubric.full_marks is None and not item.rubric.groups:
            return []
        total = sum_points([c.points for c in item.rubric.criteria])
        if total == rubric_points or not rubric_points:
            return []
        deduction = (rubric_points - total) * self._item_points_per_rubric_point(rubric_points)
        return [Mark("full marks", ZERO, deduction, _points_for_full_marks_text(item.points))]


def _text_unless_blank(response: Response) -> str:
    """A response as one text; empty for white space and a lone point."""
    text = response if isinstance(response, str) else "\n".join(response)
    return "" if text.strip() in ("", ".") else text


def _points_for_full_marks_text(points: Fraction) -> str:
    return f"{points_phrase(points)} earn{'s' * (points == 1)} full marks"


def readable_texts_of_phrase_slots(phrase: str) -> tuple[str, ...]:
    """The slots of a phrase for people: `a|communicat* {every layer}` gives `a or communicat…`, `every layer`."""
    return tuple(" or ".join(slot).replace("*", "…") for slot in text_lists_by_slot(phrase))


def _first_phrases_text(phrases: tuple[PhraseWithSettings, ...]) -> str:
    """The first phrases of a list, each cut to its first alternatives, as one line for people who mark."""
    parts = []
    for phrasing in phrases[:MAX_LISTED_PHRASES]:
        slots = [slot.split(" or ") for slot in readable_texts_of_phrase_slots(phrasing.text)]
        shortened_slots = (s[:MAX_LISTED_PHRASES] + ["…"] * (len(s) > MAX_LISTED_PHRASES) for s in slots)
        parts.append(" + ".join(map(" or ".join, shortened_slots)))
    omitted_count = len(phrases) - len(parts)
    return "; ".join([*parts, f"or {omitted_count} more"] if omitted_count else parts)
