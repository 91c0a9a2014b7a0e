"""`quizgen scan`: reads filled answer sheets into the table of responses that `quizgen score --sheet` takes."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import click

from quizgen.atomic_write import write_atomically
from quizgen.commands.options import notify, option, repeatable_option
from quizgen.commands.shared import count_with_noun, refuse_overwriting_inputs
from quizgen.scoring.exam_answers import Manifest, read_answers_file, read_manifest, read_sittings
from quizgen.scoring.log_files import is_exam_page_answers_file
from quizgen.scoring.log_lines import BadInput
from quizgen.source.problems import Unreadable, printable
from quizgen.spreadsheet import open_sheet_output

if TYPE_CHECKING:  # numpy loads when pages are read
    from quizgen.scan.answers import PageReading
    from quizgen.scan.stack import ScanResult

MAX_LISTED_PLACES = 8  # places listed for one fault
SCAN_PACKAGES = ("numpy", "PIL", "pypdfium2", "zxingcpp")


@click.command("scan")
@click.argument("scans", nargs=-1, required=True, metavar="SCANS…")
@option("--manifest", "FILE", "The manifest.json that was written beside the forms.", required=True)
@option("-o --output", "FILE", "The table of responses, as in -o responses.csv or .xlsx.", required=True)
@repeatable_option("--decisions", "FILE", "The decisions saved from the page of open rows")
def command(scans: tuple[str, ...], manifest: str, output: str, decisions: tuple[str, ...]) -> int:
    """Read filled answer sheets: PDFs, pictures, photographs, or folders of them, pages in any order.

    Writes the table of responses (for `quizgen score --sheet`), a record (.json, for `quizgen mark`) and a page with
    what a person has to decide (-check.html). A mark that cannot be read is ? in the table, never a guess. The exit
    code is 1 if a sheet is undecided, missing, scanned twice or from another exam. You may also name the answers files
    of candidates who sat on screen; their sheets are then not missed. Needs the extra quizgen[scan].

    Example: quizgen scan scans/ --manifest out/manifest.json -o responses.csv
    """
    _require_scan_packages()
    target = Path(output)
    if output == "-" or target.is_dir() or not target.name:
        raise click.UsageError("-o names the table, as in -o responses.csv; two more files are written beside it")
    from quizgen.scan.stack import (
        is_unedited_table,
        render_decision_page,
        response_table_csv,
        scan_record_json,
        sort_pages,
    )

    exam = read_manifest(manifest)
    names = [target, target.with_suffix(".json"), target.with_name(f"{target.stem}-check.html")]
    for path in names:
        refuse_overwriting_inputs(path, (manifest, *decisions))
    if target.exists() and not is_unedited_table(target):
        raise Unreadable(f"{printable(output)} was not written by a scan; move it, or name another table")
    decided = _read_scan_decisions(decisions, exam.exam)
    read, on_screen = _read_scans(scans, exam)
    scan = sort_pages(read, exam, decided, on_screen)
    with open_sheet_output(output) as write:
        write(response_table_csv(scan))
    write_atomically(names[1], scan_record_json(scan, read, exam, target.read_bytes()))
    if scan.undecided_readings:
        again = shlex.join(["quizgen", "scan", *scans, "--manifest", manifest, "-o", output])
        write_atomically(names[2], render_decision_page(scan, exam, again))
    else:
        names.pop().unlink(missing_ok=True)
    _print_results(scan, read, decided, names, manifest)
    if not any(page.rows or page.written_answers for page in read):
        raise Unreadable("no page could be read")
    return 1 if scan.undecided_readings or scan.faults else 0


def _require_scan_packages() -> None:
    """Raises UsageError if a package that only scans need is missing."""
    missing = [name for name in SCAN_PACKAGES if find_spec(name) is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        raise click.UsageError(f"{', '.join(missing)} {verb} not installed; type: pip install 'quizgen[scan]'")


def _read_scans(scans: tuple[str, ...], exam: Manifest) -> tuple[list[PageReading], set[str]]:
    """The pages of all scans, and the candidates who sat on screen. At a terminal, a line shows the number of pages and
    the current file. Raises Unreadable if there is no scan."""
    from quizgen.scan.answers import read_page
    from quizgen.scan.pages import PixelBudget, find_scan_files, read_scanned_pages

    files = [name for name in find_scan_files(scans) if not is_exam_page_answers_file(name)]
    sat = read_sittings(filter(is_exam_page_answers_file, find_scan_files(scans, (".json",))), (), exam)
    on_screen = {one.candidate for one in sat if one.form_code and not one.is_practice}
    if not files:
        raise Unreadable(f"no PDF and no picture in {', '.join(map(printable, scans))}")
    budget = PixelBudget()
    read: list[PageReading] = []
    for name in files:
        for page in read_scanned_pages(name, budget):
            read.append(read_page(page, exam.find_form))
            if sys.stderr.isatty():
                click.echo(
                    f"\r{count_with_noun(len(read), 'page')} read, {printable(name)[-50:]}\x1b[K", err=True, nl=False
                )
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", err=True, nl=False)
    return read, on_screen


def _print_results(
    scan: ScanResult, pages: list[PageReading], decisions: Mapping[str, str], written_files: list[Path], manifest: str
) -> None:
    """Prints what was read, what is open, and the next command. `written_files` are the files written."""
    rows = sum(len(page.rows) for one in scan.candidate_pages for page in one.page_by_number.values())
    candidates = count_with_noun(len(scan.candidate_pages), "candidate")
    notify(f"{count_with_noun(len(pages), 'page')}: {candidates}, {count_with_noun(rows, 'row')}")
    if scan.undecided_readings:
        place, count = printable(str(written_files[2])), count_with_noun(len(scan.undecided_readings), "response")
        notify(f"{count} to decide: open {place}, save the decisions there, and give them with --decisions")
    texts = sum(
        i["kind"] == "text" and int(i["n"]) in one.picture_by_item_number
        for one in scan.candidate_pages
        for i in one.form["items"]
    )
    if texts:
        files = map(str, written_files[:2])
        again = shlex.join(["quizgen", "mark", *files, "--manifest", manifest, "-o", "marking.html"])
        notify(f"{count_with_noun(texts, 'written answer')} to mark: {printable(again)}")
    for line in (*_group_faults_by_message(scan.faults), *_group_faults_by_message(scan.notes)):
        notify(line)
    for key in sorted(decisions.keys() - scan.used_decisions.keys()):
        notify(f"decision {key} is for no open reading; it was left out")
    notify(f"wrote {', '.join(printable(str(name)) for name in written_files)}")


def _group_faults_by_message(fault_lines: list[str]) -> Iterator[str]:
    """Yields one line for each kind of fault, whatever its number of places, the most common first; the record lists
    every place."""
    places: dict[str, list[str]] = {}
    for line in fault_lines:
        place, _, what = line.partition(": ")
        places.setdefault(what, []).append(place)
    for what, at in sorted(places.items(), key=lambda one: -len(one[1])):
        if len(at) > 2:
            more = " …" if len(at) > MAX_LISTED_PLACES else ""
            yield f"{what}: {len(at)} times, {', '.join(at[:MAX_LISTED_PLACES])}{more}"
        else:
            yield from (f"{place}: {what}" if what else place for place in at)


def _read_scan_decisions(paths: tuple[str, ...], exam_code: str) -> dict[str, str]:
    """The decisions by key. Raises Unreadable if two files disagree."""
    decisions: dict[str, str] = {}
    for path in paths:
        try:
            one = read_answers_file(path)
        except BadInput:
            one = {}
        made = one.get("decisions")
        if one.get("type") != "scan-decisions" or not isinstance(made, dict):
            raise Unreadable(f"{printable(path)}: not decisions from the check page; save them there")
        if one.get("exam") != exam_code:
            raise Unreadable(f"{printable(path)}: decisions of exam {printable(str(one.get('exam')))}, not {exam_code}")
        for key, choice in made.items():
            if decisions.setdefault(str(key), str(choice)) != str(choice):
                raise Unreadable(f"{printable(path)}: {key} has another decision in another file; keep one of them")
    return decisions
