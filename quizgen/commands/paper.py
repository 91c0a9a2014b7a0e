"""`quizgen scan` and `quizgen mark`: answers on paper. `scan` reads filled sheets into the table of responses that
`quizgen score --sheet` takes; `mark` writes an offline page on which people mark written answers, and numbers that
quizgen cannot read, for `quizgen score --marks`."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from quizgen.atomic_write import write_atomically
from quizgen.commands.options import notify, option, page_file_option, refuse_devices_and_pipes
from quizgen.commands.shared import count_with_noun, load_exam_bank_by_name, load_usable_bank, refuse_overwriting_inputs
from quizgen.model import Item, Outcome, response_text, scale_score
from quizgen.render.marking import AnswerToMark, marking_page_and_answer_count
from quizgen.scoring import exam_answers, log_files
from quizgen.scoring.exam_answers import Manifest, read_answers_or_marks_file, read_manifest, read_sittings
from quizgen.scoring.log_lines import BadInput
from quizgen.scoring.scorer import Scorer
from quizgen.session.session_log import parse_logged_response
from quizgen.source.problems import Unreadable, printable, read_decimal
from quizgen.spreadsheet import open_csv_or_xlsx_line_writer

if TYPE_CHECKING:  # numpy loads when pages are read
    from quizgen.scan.answers import PageReading
    from quizgen.scan.stack import ScanResult

MAX_LISTED_PLACES_PER_FAULT = 8  # places listed for one fault


@click.command("scan")
@click.argument("scans", nargs=-1, required=True, metavar="SCANS…")
@option("--manifest", "FILE", "The manifest.json that was written beside the forms.", required=True)
@option("-o --output", "FILE", "The table of responses, as in -o responses.csv or .xlsx.", required=True)
@option("--decisions", "FILE", "The decisions saved from the page of open rows", multiple=True)
def scan_command(scans: tuple[str, ...], manifest: str, output: str, decisions: tuple[str, ...]) -> int:
    """Read filled answer sheets: PDFs, pictures, photographs, or folders of them, pages in any order.

    Writes the table of responses (for `quizgen score --sheet`), a record (.json, for `quizgen mark`) and a page with
    what a person has to decide (-check.html). A mark that cannot be read is ? in the table, never a guess. The exit
    code is 1 if a sheet is undecided, missing, scanned twice or from another exam. You may also name the answers files
    of candidates who sat on screen; their sheets are then not missed. Needs the extra quizgen[scan].

    Example: quizgen scan scans/ --manifest out/manifest.json -o responses.csv
    """
    if missing_packages := [name for name in ("numpy", "PIL", "pypdfium2", "zxingcpp") if find_spec(name) is None]:
        raise click.UsageError(f"not installed: {', '.join(missing_packages)}; type: pip install 'quizgen[scan]'")
    target = Path(output)
    if target.suffix == ".json" or target.name in ("", "-"):
        raise click.UsageError("-o names the table, as in -o responses.csv; two more files are written beside it")
    from quizgen.scan import stack

    exam = read_manifest(manifest)
    record, check_page = target.with_suffix(".json"), target.with_name(f"{target.stem}-check.html")
    written_files = [target, record, check_page]
    for path in written_files:
        refuse_overwriting_inputs(path, (manifest, *decisions))
    if not stack.is_missing_or_unedited_table(target):
        name = target if target.exists() else record
        raise Unreadable(f"{printable(str(name))} was not written by a scan; move it, or name another table")
    decision_by_key = _read_scan_decision_by_key(decisions, exam.exam_code)
    pages, on_screen = _read_pages_and_on_screen_candidates(scans, exam)
    scan = stack.scan_result_of_pages(pages, exam, decision_by_key, on_screen)
    with open_csv_or_xlsx_line_writer(output) as write:
        write(stack.response_table_csv(scan))
    write_atomically(record, stack.scan_record_json(scan, pages, exam, target.read_bytes()))
    if scan.undecided_readings:
        command = shlex.join(["quizgen", "scan", *scans, "--manifest", manifest, "-o", output])
        write_atomically(check_page, stack.decision_page_html(scan, exam, command))
    else:
        written_files.pop().unlink(missing_ok=True)
    _print_scan_results(scan, pages, decision_by_key, written_files, manifest)
    if not any(page.row_readings or page.answer_pictures for page in pages):
        raise Unreadable("no page could be read")
    return 1 if scan.undecided_readings or scan.fault_lines else 0


def _read_pages_and_on_screen_candidates(scans: tuple[str, ...], exam: Manifest) -> tuple[list[PageReading], set[str]]:
    """The pages of all scans, and the candidates who sat on screen. At a terminal, a line shows the number of pages and
    the current file. Raises Unreadable if there is no scan."""
    from quizgen.scan.answers import read_page
    from quizgen.scan.pages import PixelBudget, find_scan_files, read_scanned_pages

    def show_progress(text: str) -> None:
        if sys.stderr.isatty():
            click.echo(f"\r{text}\x1b[K", err=True, nl=False)

    files = [name for name in find_scan_files(scans) if not log_files.is_exam_page_answers_file(name)]
    sittings = read_sittings(filter(log_files.is_exam_page_answers_file, find_scan_files(scans, (".json",))), (), exam)
    on_screen = {one.id_or_name for one in sittings if one.form_code and not one.is_practice}
    if not files:
        raise Unreadable(f"no PDF and no picture in {', '.join(map(printable, scans))}")
    budget = PixelBudget()
    pages: list[PageReading] = []
    for name in files:
        for page in read_scanned_pages(name, budget):
            pages.append(read_page(page, exam.find_form_record))
            show_progress(f"{count_with_noun(len(pages), 'page')} read, {printable(name)[-50:]}")
    show_progress("")
    return pages, on_screen


def _print_scan_results(
    scan: ScanResult, pages: list[PageReading], decisions: Mapping[str, str], written_files: list[Path], manifest: str
) -> None:
    """Prints what was read, what is open, and the next command. `written_files` are the files written."""
    rows = sum(len(page.row_readings) for one in scan.candidate_pages for page in one.reading_by_page_number.values())
    candidates = count_with_noun(len(scan.candidate_pages), "candidate")
    notify(f"{count_with_noun(len(pages), 'page')}: {candidates}, {count_with_noun(rows, 'row')}")
    if scan.undecided_readings:
        place, count = printable(str(written_files[2])), count_with_noun(len(scan.undecided_readings), "response")
        notify(f"{count} to decide: open {place}, save the decisions there, and give them with --decisions")
    texts = 0
    for one in scan.candidate_pages:
        numbers = {int(item["n"]) for item in one.manifest_form["items"] if item["kind"] == "text"}
        texts += len(numbers & one.answer_picture_by_item_number.keys())
    if texts:
        files = map(str, written_files[:2])
        command = shlex.join(["quizgen", "mark", *files, "--manifest", manifest, "-o", "marking.html"])
        notify(f"{count_with_noun(texts, 'written answer')} to mark: {printable(command)}")
    notify(*_line_per_fault_with_places(scan.fault_lines), *_line_per_fault_with_places(scan.note_lines))
    unused_keys = sorted(decisions.keys() - scan.used_decision_by_key.keys())
    notify(*(f"decision {key} is for no open reading; it was left out" for key in unused_keys))
    notify(f"wrote {', '.join(printable(str(name)) for name in written_files)}")


def _line_per_fault_with_places(fault_lines: list[str]) -> Iterator[str]:
    """Yields one line for each kind of fault, whatever its number of places, the most common first; the record lists
    every place."""
    places_by_fault: dict[str, list[str]] = {}
    for line in fault_lines:
        place, _, fault = line.partition(": ")
        places_by_fault.setdefault(fault, []).append(place)
    for fault, places in sorted(places_by_fault.items(), key=lambda one: -len(one[1])):
        if len(places) > 2:
            ellipsis = " …" if len(places) > MAX_LISTED_PLACES_PER_FAULT else ""
            yield f"{fault}: {len(places)} times, {', '.join(places[:MAX_LISTED_PLACES_PER_FAULT])}{ellipsis}"
        else:
            yield from (f"{place}: {fault}" if fault else place for place in places)


def _read_scan_decision_by_key(paths: tuple[str, ...], exam_code: str) -> dict[str, str]:
    """The decisions by key. Raises Unreadable if two files disagree."""
    decisions: dict[str, str] = {}
    for path in paths:
        doc: dict[str, Any] = {}
        with suppress(BadInput):
            doc = read_answers_or_marks_file(path)
        choices = doc.get("decisions")
        if doc.get("type") != "scan-decisions" or not isinstance(choices, dict):
            raise Unreadable(f"{printable(path)}: not decisions from the check page; save them there")
        if doc.get("exam") != exam_code:
            raise Unreadable(f"{printable(path)}: decisions of exam {printable(str(doc.get('exam')))}, not {exam_code}")
        for key, choice in choices.items():
            if decisions.setdefault(str(key), str(choice)) != str(choice):
                raise Unreadable(f"{printable(path)}: {key} has another decision in another file; keep one of them")
    return decisions


@click.command("mark")
@click.argument("answers", nargs=-1, required=True, metavar="ANSWERS…", callback=refuse_devices_and_pipes)
@option("--manifest", "FILE", "The manifest.json that was written beside the forms.", required=True)
@page_file_option("-o --output", "PAGE", "The page, as in -o marking.html.", required=True)
@option("--item item_ids", "ITEM", "Only this item", multiple=True)
@option(
    "--share",
    "",
    "The share of each item's answers for a second marker, such as 20%.",
    default="100%",
    show_default=True,
)
@option("--bank", "BANK", "The bank, if it has moved since the exam was written.")
def mark_command(
    answers: tuple[str, ...], manifest: str, output: str, item_ids: tuple[str, ...], share: str, bank: str | None
) -> None:
    """Write one page for marking written answers: item by item over all candidates, without names.

    ANSWERS are answers files of forms on screen, typed-in sheets (CSV), and the record of `quizgen
    scan` (.json), whose answers appear as pictures; folders of them. Criteria are ticked by keys. Of
    numbers, the page has those that quizgen cannot read; with --item, all of that item. The page saves
    as you go, and exports marks for `quizgen score --marks`. A second marker uses the same page, or one
    with a --share; the page compares their marks.

    Example: quizgen mark responses.csv responses.json --manifest out/manifest.json -o marking.html
    """
    part = read_decimal(share.strip().removesuffix("%"))
    if part is None or not 0 < part <= 100:
        raise click.BadParameter("write a share such as 20%", param_hint="--share")
    exam = read_manifest(manifest)
    exam_bank = (load_usable_bank(bank) if bank else load_exam_bank_by_name(exam.bank_name)).required_bank
    items = {name: item for name, item in exam_bank.items.items() if item.kind in ("text", "numeric")}
    for name in item_ids:
        if name not in items:
            raise click.BadParameter(f'no text or numeric item "{printable(name)}" in the bank', param_hint="--item")
    if exam_bank.digest != exam.bank_digest:
        notify(f"the bank {printable(exam_bank.name)} has changed since the exam: the page has today's criteria")
    targets, files = {name: items[name] for name in item_ids} if item_ids else items, log_files.find_log_paths(answers)
    refuse_overwriting_inputs(output, (manifest, *files))
    entries, blanks = _answers_to_mark_and_blank_count(files, exam, targets, Scorer(items), all_numbers=bool(item_ids))
    if not entries:
        raise Unreadable("these files have nothing to mark: no written answer, and no number that quizgen cannot read")
    page, answer_count = marking_page_and_answer_count(exam, entries.values(), Fraction(part) / 100, exam_bank.folder)
    write_atomically(output, page)
    candidates = count_with_noun(len({candidate for candidate, _ in entries}), "candidate")
    notify(f"{count_with_noun(answer_count, 'answer')} of {candidates} in {printable(output)}; {blanks} blank left out")


def _answers_to_mark_and_blank_count(
    answer_files: Iterable[str], exam: Manifest, items: dict[str, Item], scorer: Scorer, *, all_numbers: bool
) -> tuple[dict[tuple[str, str], AnswerToMark], int]:
    """The last answer of each candidate to each item in the files `answer_files`, by (candidate, item id), and the
    number of blank ones. Of numbers, those that cannot be read, or with `all_numbers` all."""
    entries: dict[tuple[str, str], AnswerToMark] = {}
    blanks = 0
    for name in answer_files:
        for entry in _read_answers_to_mark_in_file(name, exam, items, scorer):
            item = entry.variant.item
            key = (entry.candidate_name, item.id)
            if item.kind == "numeric" and not all_numbers and entry.score.outcome is not Outcome.UNREADABLE:
                if not entry.answer_jpeg_base64:  # a picture does not say that the number typed for it can be read
                    entries.pop(key, None)  # an earlier one that could not be read no longer counts
                continue
            prior = entries.get(key)
            if prior is not None and not entry.answer_jpeg_base64 and prior.answer_text not in ("", entry.answer_text):
                candidate = printable(entry.candidate_name)
                notify(f"{printable(name)}: another answer of {candidate} to {key[1]}; the last one counts")
            if entry.answer_jpeg_base64 or entry.answer_text.strip():
                entries[key] = entry
            else:
                blanks += 1
    return entries, blanks


def _read_answers_to_mark_in_file(
    answer_file: str, exam: Manifest, items: dict[str, Item], scorer: Scorer
) -> Iterator[AnswerToMark]:
    """Yields the written answers of one file: pictures from a scan's record, text from any other file."""
    content: dict[str, Any] = {}
    with suppress(BadInput):  # a sheet, or reported when its lines are read
        content = read_answers_or_marks_file(answer_file)
    if content.get("edition") == "practice":
        notify(f"{printable(answer_file)}: a practice edition, left out")
        return
    forms = exam.form_record_by_label_or_code.values()
    if content.get("type") == "scan" and isinstance(content.get("answers"), list):
        try:
            exam_answers.refuse_wrong_field_types("written answer", content["answers"])
        except BadInput as error:
            raise Unreadable(f"{printable(answer_file)}: {error}; scan the sheets again") from None
        if content.get("exam") != exam.exam_code:
            raise Unreadable(f"{printable(answer_file)}: a scan of another exam; give the manifest of that exam")
        form_and_item_by_ref = {str(item["ref"]): (form, item) for form in forms for item in form["items"]}
        for entry in content["answers"]:
            form, record = form_and_item_by_ref.get(str(entry.get("ref")), ({}, {}))
            if record.get("item") in items:
                variant = scorer.variant_facts(items[record["item"]], form["seed"], record.get("given") or None).variant
                blank = scale_score(variant.score(""), _item_points_in_record_or_none(record))
                yield AnswerToMark(str(entry["candidate"]), str(entry["ref"]), variant, blank, "", str(entry["image"]))
        return
    if log_files.file_has_candidate_rows(answer_file):
        block = exam_answers.log_block_of_spreadsheet(answer_file, exam)
    elif log_files.is_exam_page_answers_file(answer_file):
        block = exam_answers.log_block_of_answers_file(answer_file, exam)
    else:
        raise Unreadable(f"{printable(answer_file)}: not an answers file, a sheet or the record of a scan")
    notify(*(f"{printable(answer_file)}:{number}: {reason}" for number, reason in block.numbered_faults))
    refs = {(str(form["code"]), str(entry["item"])): str(entry["ref"]) for form in forms for entry in form["items"]}
    for line in map(json.loads, block.read_bytes().splitlines()):
        item = items.get(str(line.get("item")))
        if line.get("type") != "response" or item is None:
            continue
        response = response_text(parse_logged_response(line["response"]))
        response = re.sub("[\ud800-\udfff]", "\ufffd", response)  # half a character, which no page can contain
        if response.strip() == "?":  # a scanned response; the record contains its picture
            continue
        try:
            variant = scorer.variant_facts(item, line.get("seed"), line.get("given")).variant
        except ValueError as error:
            raise Unreadable(f"{printable(answer_file)}: {item.id}: {error}") from None
        points = _item_points_in_record_or_none(line)
        score = scorer.verdict_on_response(item, line.get("seed"), line.get("given"), response, points).score
        ref = refs[str(line["session"]).partition("/")[0], item.id]
        yield AnswerToMark(str(line["candidate"]), ref, variant, score, response)


def _item_points_in_record_or_none(line_or_item: Mapping[str, Any]) -> Fraction | None:
    """The points of an item by the manifest or the line of its response; None if the bank's points apply."""
    points = line_or_item.get("points")
    return None if points is None else Fraction(str(points))
