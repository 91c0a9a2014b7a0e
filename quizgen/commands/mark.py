"""`quizgen mark`: an offline page on which people mark written answers, and numbers that quizgen cannot read.

`score --marks` reads the marks that it exports."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from typing import Any

import click

from quizgen.atomic_write import write_atomically
from quizgen.commands.options import notify, option, repeatable_option, require_plain_files
from quizgen.commands.shared import count_with_noun, open_whole_bank, refuse_overwriting_inputs
from quizgen.model import Item, Outcome, scale_score
from quizgen.render.marking import AnswerToMark, marking_page
from quizgen.scoring import exam_answers, tables
from quizgen.scoring.exam_answers import Manifest, read_answers_file, read_manifest
from quizgen.scoring.log_files import find_log_paths, is_exam_page_answers_file
from quizgen.scoring.log_lines import BadInput
from quizgen.scoring.scorer import Scorer
from quizgen.source.problems import Unreadable, printable, read_number

_MARKABLE_ITEM_KINDS = ("text", "numeric")  # kinds whose responses a person can mark
_LONE_SURROGATE_PATTERN = re.compile("[\ud800-\udfff]")  # half a character, which no page can contain


@click.command("mark")
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS…", callback=require_plain_files)
@option("--manifest", "FILE", "The manifest.json that was written beside the forms.", required=True)
@option("-o --output", "PAGE", "The page, as in -o marking.html.", required=True)
@repeatable_option("--item only", "ITEM", "Only this item")
@option(
    "--share",
    "",
    "The share of each item's answers for a second marker, such as 20%.",
    default="100%",
    show_default=True,
)
@option("--bank", "BANK", "The bank, if it has moved since the exam was written.")
def command(
    answers: tuple[str, ...], manifest: str, output: str, only: tuple[str, ...], share: str, bank: str | None
) -> int:
    """Write one page for marking written answers: item by item over all candidates, without names.

    ANSWERS are answers files of forms on screen, typed-in sheets (CSV), and the record of `quizgen
    scan` (.json), whose answers appear as pictures; folders of them. Criteria are ticked by keys. Of
    numbers, the page has those that quizgen cannot read; with --item, all of that item. The page saves
    as you go, and exports marks for `quizgen score --marks`. A second marker uses the same page, or one
    with a --share; the page compares their marks.

    Example: quizgen mark responses.csv responses.json --manifest out/manifest.json -o marking.html
    """
    part = read_number(share.strip().removesuffix("%"))
    if part is None or not 0 < part <= 100:
        raise click.BadParameter("write a share such as 20%", param_hint="--share")
    exam = read_manifest(manifest)
    loaded = open_whole_bank(bank or exam.bank_name)
    items = {name: item for name, item in loaded.items.items() if item.kind in _MARKABLE_ITEM_KINDS}
    for name in only:
        if name not in items:
            raise click.BadParameter(f'no text or numeric item "{printable(name)}" in the bank', param_hint="--item")
    if loaded.digest != exam.bank_digest:
        notify(f"the bank {printable(loaded.name)} has changed since the exam: the page has today's criteria")
    wanted = {name: items[name] for name in only} if only else items
    refuse_overwriting_inputs(output, (manifest, *find_log_paths(answers)))
    written, blank = _last_written_answers(find_log_paths(answers), exam, wanted, Scorer(items), all_numbers=bool(only))
    if not written:
        raise Unreadable("these files have nothing to mark: no written answer, and no number that quizgen cannot read")
    page, shown = marking_page(exam, written.values(), Fraction(part) / 100, loaded.root)
    write_atomically(output, page)
    whose = count_with_noun(len({who for who, _ in written}), "candidate")
    notify(f"{count_with_noun(shown, 'answer')} of {whose} in {printable(output)}; {blank} blank left out")
    if len(page) > 40_000_000:
        notify(f"the page has {len(page) // 1_000_000} MB; --item makes one for each item")
    return 0


def _last_written_answers(
    answer_files: Iterable[str], exam: Manifest, items: dict[str, Item], scorer: Scorer, *, all_numbers: bool
) -> tuple[dict[tuple[str, str], AnswerToMark], int]:
    """The last answer of each candidate to each item in the files `answer_files`, by (candidate, item id), and the
    number of blank ones. Of numbers, those that cannot be read, or with `all_numbers` all."""
    written: dict[tuple[str, str], AnswerToMark] = {}
    blank = 0
    for name in answer_files:
        for one in _written_answers(name, exam, items, scorer):
            item = one.variant.item
            key = (one.candidate, item.id)
            if item.kind == "numeric" and not all_numbers and one.score.outcome is not Outcome.UNREADABLE:
                if not one.image_base64:  # a picture does not say that the number typed for it can be read
                    written.pop(key, None)  # an earlier one that could not be read no longer counts
                continue
            before = written.get(key)
            if before is not None and not one.image_base64 and before.text not in ("", one.text):
                who = printable(one.candidate)
                notify(f"{printable(name)}: another answer of {who} to {key[1]}; the last one counts")
            if one.image_base64 or one.text.strip():
                written[key] = one
            else:
                blank += 1
    return written, blank


def _written_answers(
    answer_file: str, exam: Manifest, items: dict[str, Item], scorer: Scorer
) -> Iterator[AnswerToMark]:
    """Yields the written answers of one file: pictures from a scan's record, text from any other file."""
    content: dict[str, Any] = {}
    if answer_file.endswith(".json"):
        with suppress(BadInput):  # reported when its lines are read
            content = read_answers_file(answer_file)
    if content.get("edition") == "practice":
        notify(f"{printable(answer_file)}: a practice edition, left out")
        return
    if content.get("type") == "scan" and isinstance(content.get("answers"), list):
        if content.get("exam") != exam.exam:
            raise Unreadable(f"{printable(answer_file)}: a scan of another exam; give the manifest of that exam")
        yield from _written_answers_in_scan(content["answers"], exam, items, scorer)
        return
    if tables.has_row_per_candidate(answer_file):
        block = exam_answers.log_block_of_sheet(answer_file, exam)
    elif is_exam_page_answers_file(answer_file):
        block = exam_answers.log_block_of_answers_file(answer_file, exam)
    else:
        raise Unreadable(f"{printable(answer_file)}: not an answers file, a sheet or the record of a scan")
    for line, why in block.faults:
        notify(f"{printable(answer_file)}:{line}: {why}")
    yield from _written_answers_in_lines(
        answer_file, map(json.loads, block.line_bytes().splitlines()), exam, items, scorer
    )


def _written_answers_in_scan(
    answers: Iterable[dict[str, Any]], exam: Manifest, items: dict[str, Item], scorer: Scorer
) -> Iterator[AnswerToMark]:
    """Yields the answers in a scan's record, as pictures."""
    refs = {str(item["ref"]): (form, item) for form in exam.forms_by_label_and_code.values() for item in form["items"]}
    for one in answers:
        form, item = refs.get(str(one.get("ref")), ({}, {}))
        if item.get("item") in items:
            variant = scorer.find_variant(items[item["item"]], form["seed"], item.get("given") or None)[0]
            blank = scale_score(variant.score(""), _points_on_form(item))
            yield AnswerToMark(str(one["candidate"]), str(one["ref"]), variant, blank, "", str(one["image"]))


def _written_answers_in_lines(
    answer_file: str, lines: Iterable[dict[str, Any]], exam: Manifest, items: dict[str, Item], scorer: Scorer
) -> Iterator[AnswerToMark]:
    """Yields the written answers among the lines of a file `answer_file`."""
    refs = {
        (str(form["code"]), str(i["item"])): str(i["ref"])
        for form in exam.forms_by_label_and_code.values()
        for i in form["items"]
    }
    for line_of in lines:
        item_id = str(line_of.get("item"))
        if line_of.get("type") != "response" or item_id not in items:
            continue
        given = line_of["response"] if isinstance(line_of["response"], str) else "\n".join(line_of["response"])
        given = _LONE_SURROGATE_PATTERN.sub("\ufffd", given)
        if given.strip() == "?":  # a scanned response; the record contains its picture
            continue
        code = str(line_of["session"]).partition("/")[0]
        item = items[item_id]
        try:
            variant = scorer.find_variant(item, line_of.get("seed"), line_of.get("given"))[0]
        except ValueError as error:
            raise Unreadable(f"{printable(answer_file)}: {item.id}: {error}") from None
        score = scorer.verdict(item, line_of.get("seed"), line_of.get("given"), given, _points_on_form(line_of)).score
        assert score is not None, "this scorer keeps its scores"
        yield AnswerToMark(str(line_of["candidate"]), refs[code, item_id], variant, score, given)


def _points_on_form(line_or_item: Mapping[str, Any]) -> Fraction | None:
    """The points of an item by the manifest or the line of its response; None if the bank's points apply."""
    points = line_or_item.get("points")
    return None if points is None else Fraction(str(points))
