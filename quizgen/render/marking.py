"""The page on which people mark texts and numbers: one item after the other over all candidates, who have keys in place
of names.

The page shows what the rubric found in the answer but never ticks a criterion in advance: people do not question a mark
that is already there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any

from quizgen.answer_areas import Options, TextAnswerLines
from quizgen.draw import seeded_rank
from quizgen.markdown import pieces_as_plain_text
from quizgen.model import Score, Variant, points_as_json, scale_score
from quizgen.page import Heading, MarkingScheme, Paragraph
from quizgen.render.html import HtmlWriter, render_data_page_html
from quizgen.scoring.exam_answers import Manifest
from quizgen.scoring.response import candidate_key_on_marking_page

DOUBTFUL_MARK_STATUSES = ("contradicted", "hedged", "negated", "partial")


@dataclass(frozen=True, slots=True)
class AnswerToMark:
    """One answer to mark: the candidate, the item's code on the form, the variant, and the text with its score out of
    the points in this exam, or a picture of the answer (JPEG in base64)."""

    candidate_name: str
    item_code: str
    variant: Variant
    score: Score
    answer_text: str = ""
    answer_jpeg_base64: str = ""


def marking_page_and_answer_count(
    manifest: Manifest, answers: Iterable[AnswerToMark], share_to_mark: Fraction, bank_folder: str
) -> tuple[str, int]:
    """The page, and the number of answers on it: the `share_to_mark` of each item's answers, always the same ones. Keys
    and orders follow from the seed of the exam. `bank_folder` is the folder of the bank's images."""
    answers_by_item: dict[str, list[AnswerToMark]] = {}
    for answer in answers:
        answers_by_item.setdefault(answer.variant.item.id, []).append(answer)
    html = HtmlWriter(bank_folder)
    items, item_views, count = [], [], 0
    for name, ones in sorted(answers_by_item.items()):
        batch = sorted(ones, key=lambda answer: seeded_rank(manifest.exam_seed, "marking", name, answer.candidate_name))
        batch = batch[: ceil(len(batch) * share_to_mark)]
        batch.sort(key=lambda answer: not _reasons_to_mark_first(answer))  # stable: doubtful ones first, then at random
        count += len(batch)
        items.append(_marking_item_fields(name, batch, manifest.exam_seed))
        variants = {answer.item_code: answer.variant for answer in batch}
        stems = {ref: html.blocks_to_html(_stem_blocks(variant)) for ref, variant in variants.items()}
        # For a number, the key begins with the responses that are right or half right.
        schemes = {ref: html.blocks_to_html((*v.marker_only_blocks(), *v.solution())) for ref, v in variants.items()}
        item_views.append({"id": name, "stems": stems, "schemes": schemes})
    data = {"title": f"Marking, exam {manifest.exam_code}", "exam": manifest.exam_code, "digest": manifest.bank_digest}
    return render_data_page_html("marking.html", "js/marking.js", data | {"items": items}, items=item_views), count


def _stem_blocks(variant: Variant) -> Sequence[Any]:
    return [block for block in variant.prompt() if not isinstance(block, (TextAnswerLines, Options))]


def _marking_item_fields(item_id: str, answers: Sequence[AnswerToMark], exam_seed: str) -> dict[str, Any]:
    """One item for the page: `answers` in the order to mark them, and either the `criteria` of a text, in the rubric's
    order with their points on the form, or the `shares` of the points that the marker of a number chooses from."""
    first = answers[0].variant
    blank = scale_score(first.score(""), answers[0].score.possible)
    texts = (block.inline_pieces for block in _stem_blocks(first) if isinstance(block, Paragraph | Heading))
    stem = " ".join(map(pieces_as_plain_text, texts))
    row: dict[str, Any] = {"id": item_id, "title": stem[:90], "possible": points_as_json(blank.possible)}
    row["answers"] = [_marking_page_answer_data(one, exam_seed) for one in answers]
    if first.item.kind == "numeric":
        verdicts = (("Right", Fraction(1)), ("Half right", Fraction(1, 2)), ("Wrong", Fraction(0)))
        shares = [{"say": say, "points": points_as_json(blank.possible * share)} for say, share in verdicts]
        return row | {"criteria": [], "shares": shares}
    marks = [mark for mark in blank.marks if mark.possible > 0]
    schemes = (block for block in first.solution() if isinstance(block, MarkingScheme))
    labels = [text for scheme in schemes for _, text, *_ in scheme.points_criterion_phrases_rows]
    criteria = [{"say": say, "points": points_as_json(mark.possible)} for say, mark in zip(labels, marks, strict=True)]
    return row | {"criteria": criteria, "shares": []}


def _marking_page_answer_data(answer: AnswerToMark, exam_seed: str) -> dict[str, Any]:
    is_text = answer.variant.item.kind == "text" and not answer.answer_jpeg_base64
    marks = [mark for mark in answer.score.marks if mark.possible > 0] if is_text else []
    # Each criterion with evidence: its number from 1, its status, and the spans of the evidence.
    numbered_marks = ((number, mark) for number, mark in enumerate(marks, 1) if mark.evidence_spans)
    evidence = [{"n": number, "status": mark.status, "spans": mark.evidence_spans} for number, mark in numbered_marks]
    key = candidate_key_on_marking_page(exam_seed, answer.candidate_name)
    fields = {"key": key, "ref": answer.item_code, "text": answer.answer_text, "image": answer.answer_jpeg_base64}
    return fields | {"found": evidence, "doubts": _reasons_to_mark_first(answer)}


def _reasons_to_mark_first(answer: AnswerToMark) -> tuple[str, ...]:
    """The reasons why a person should look at this answer first; empty if there are none."""
    if answer.answer_jpeg_base64:
        return ()
    reasons = answer.score.review_reasons
    if answer.variant.item.kind == "numeric":
        return reasons
    marks = enumerate((mark for mark in answer.score.marks if mark.possible), 1)
    doubts = ((n, mark.status) for n, mark in marks if mark.status in DOUBTFUL_MARK_STATUSES)
    return (*reasons, *(f"{n} {status}" for n, status in doubts if status not in reasons))
