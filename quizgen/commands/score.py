"""`quizgen score`: turns answer logs into scores, feedback, item analysis and exports. What decides the scores besides
the bank: the options, who sat an exam, and people's decisions (marks, dropped items, accepted responses)."""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain, product
from operator import itemgetter
from pathlib import Path
from typing import Any, TypeVar

import click

from quizgen import bank as banks
from quizgen.analysis.attendance import Attendance, LateRule, attendances_and_unscored_file_reasons
from quizgen.analysis.equating import form_figures
from quizgen.analysis.report import Report, candidate_results_of_run, make_report
from quizgen.answer_areas import selected_option_texts
from quizgen.assemble import first_unknown_name_message
from quizgen.atomic_write import hold_text_until_success, open_write_function, refuse_write_errors, write_atomically
from quizgen.commands import shared
from quizgen.commands.options import choice_option, chosen_format, flag_option, int_option, notify, option, text_type
from quizgen.commands.shared import count_with_noun, folder_of_bank_or_part_if_found, load_usable_bank
from quizgen.draw import SeededRng
from quizgen.model import Bank, Blueprint, Outcome, Variant
from quizgen.render import WRITER_MODULE_AND_FUNCTION_BY_FORMAT, report_writer
from quizgen.render.report_csv import write_item_dif_rows, write_least_sure_review_rows, write_responses_as_parquet
from quizgen.scoring import exam_answers, foreign_logs, log_files
from quizgen.scoring import response as response_scoring
from quizgen.scoring.exam_answers import Manifest
from quizgen.scoring.log_files import LogBanks, LogBlock
from quizgen.scoring.log_lines import epoch_seconds
from quizgen.scoring.marks_file import CANDIDATE_KEY_OF_BAD_ROWS, Decisions, read_mark_decisions
from quizgen.scoring.response_table import UNITS_PER_SHARE, join_two_part_sum, two_part_sum_sql, utf8_to_text
from quizgen.scoring.score_logs import Executor, LineRangeNote, RunCallbacks, RunResult, ScoringJob, open_scoring_run
from quizgen.scoring.scorer import Scorer
from quizgen.source import problems
from quizgen.source.problems import Unreadable, did_you_mean, printable, read_decimal, shorten, up_to_2_decimals
from quizgen.spreadsheet import open_csv_or_xlsx_line_writer, text_after_sheet_round_trip

# --review has a file of its own.
REPORT_FORMAT_NAMES = (*(name for name in WRITER_MODULE_AND_FUNCTION_BY_FORMAT if name != "review"), "jsonl", "parquet")


def _require_known_encoding(name: str) -> str:
    "".encode(name)
    return name


def _parse_late_rule(text: str) -> LateRule:
    if text in ("ignore", "exclude"):
        return LateRule(text)
    word, _, rule = text.partition(":")
    share, _, minutes = rule.partition("/")
    percent, interval = read_decimal(share.removesuffix("%")), read_decimal(minutes)
    if word != "deduct" or percent is None or interval is None or not (0 <= percent <= 100 and interval > 0):
        raise ValueError("not a rule")
    return LateRule(word, percent / 100, interval)


def _parse_foreign_name_by_our_name(_: object, option: object, texts: tuple[str, ...]) -> dict[str, str]:
    pairs = [pair.partition("=") for text in texts for pair in re.split(r",(?=[^,=]+=)", text)]
    if not all(mark and our_name.strip() and foreign_name.strip() for our_name, mark, foreign_name in pairs):
        raise click.BadParameter("write OURS=THEIRS, as in item=question_id,response=answer")
    return {our_name.strip(): foreign_name.strip() for our_name, _, foreign_name in pairs}


def _parse_percentage_as_share(text: str) -> float:
    value = read_decimal(text.strip().removesuffix("%").strip())
    if value is None or not 0 <= value <= 100:
        raise ValueError("not a percentage")
    return float(value / 100)


SHARE_TYPE = text_type(_parse_percentage_as_share, "write a percentage such as 60 or 60%")
ENCODING_TYPE = text_type(_require_known_encoding, "write the name of an encoding such as windows-1252 or utf-16")
CSV_DELIMITER_BY_OPTION_TEXT = {"": "", ",": ",", ";": ";", "tab": "\t", "\t": "\t", "|": "|"}


def _parse_accepted_responses_by_item(_: object, option: object, texts: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    pairs = [tuple(map(str.strip, text.partition("="))) for text in texts]
    if not all(map(all, pairs)):
        raise click.BadParameter("write ITEM=RESPONSE")
    return {item: tuple(response for name, _, response in pairs if name == item) for item, _, _ in pairs}


@click.command("score")
@click.argument("logs", nargs=-1, metavar="LOG…")
@option("--bank", "BANK", "The bank: a folder, a file or a shipped name (default: what the log's session says).")
@option("--manifest manifest_path", "FILE", "The manifest.json of an exam, for answers files and sheets.")
@option("--lms", "", "The grades of an exam as that system imports them.", type=click.Choice(["moodle", "canvas"]))
@option("--feedback feedback_folder_path", "DIR", "Also a page for each candidate of an exam, in this folder.")
@option("--roster roster_path", "FILE", "With a manifest: who was expected (default: the roster in it).")
@option(
    "--late late_rule",
    "RULE",
    "What to do with late answers: ignore, exclude (the answers at the deadline count) or deduct:P%/MIN.",
    type=text_type(_parse_late_rule, "write ignore, exclude or deduct:P%/MIN, as in deduct:5%/10"),
)
@option(
    "--map foreign_name_by_our_name",
    "OURS=THEIRS",
    "In a log of another system: which of its fields or columns is one of ours, or an item",
    callback=_parse_foreign_name_by_our_name,
    multiple=True,
)
@option("--encoding log_encoding", "NAME", "The encoding of logs of other systems, if not UTF-8.", type=ENCODING_TYPE)
@option("--release released_candidates", "CANDIDATE", "Grade a held candidate anyway", multiple=True)
@option(
    "--sheet paper_response_paths",
    "FILE",
    "Responses on paper, as a CSV of candidate, form, 1, 2, 3 …; may be repeated. Points go to --marks.",
    multiple=True,
)
@choice_option(
    "--format output_format",
    REPORT_FORMAT_NAMES,
    "How to write the report; parquet needs the extra quizgen[duckdb], irt quizgen[irt].",
)
@flag_option("--json as_json", "The same as --format json.")
@flag_option("--class omits_people", "With --format html: a report on the class without any person.")
@option("-o --output", "FILE", "Where the report goes (default: standard output).", default="-")
@option(
    "--delimiter csv_delimiter",
    "MARK",
    "What separates the cells of a CSV: some spreadsheets expect a semicolon.",
    type=text_type(CSV_DELIMITER_BY_OPTION_TEXT.__getitem__, "write ; or , or tab or |"),
    default="",
)
@choice_option(
    "--attempt attempt_rule", ["last", "first", "best", "all"], "Which of several responses to an item counts."
)
@option(
    "--since since_timestamp",
    "TIME",
    "Only responses from this time onwards: 2026-11-21 or 2026-11-21T10:00:00Z.",
    type=text_type(epoch_seconds, "write a time like 2026-11-21 or 2026-11-21T10:00:00Z"),
)
@option("--candidate only_candidates", "NAME", "Only this candidate (or session)", multiple=True)
@option("--topic only_topics", "TOPIC", "Only items on this topic", multiple=True)
@option("--fail-under", "PERCENT", "Exit with code 1 if the mean score is below this, such as 60%.", type=SHARE_TYPE)
@option("--blueprint blueprint_name", "NAME", "The blueprint whose bands and pass mark apply.", default="")
@option(
    "--marks marks_paths",
    "FILE",
    "Points that people decided: a CSV of candidate, item, criterion, earned, reason, or the JSON of a marking page",
    multiple=True,
)
@flag_option("--review", "List doubtful responses as a CSV to fill in for --marks.")
@option(
    "--least-sure least_sure_share",
    "N%",
    "List the N% of text responses whose scores are least sure, as a CSV to fill in for --marks.",
    type=SHARE_TYPE,
)
@option(
    "--dif",
    "FILE",
    "Find items that are harder for one group than for another of equal ability; FILE is a CSV of candidate and group.",
)
@option("--against old_new_bank_names", "OLD NEW", "Show whose score changes between two states of a bank.", nargs=2)
@option("--drop dropped_items", "ITEM", "Leave an item out, and show whose score changes", multiple=True)
@option(
    "--accept accepted_responses_by_item",
    "ITEM=RESPONSE",
    "Full points for a response, and show whose score changes",
    callback=_parse_accepted_responses_by_item,
    multiple=True,
)
@flag_option("--apply applies_drop_and_accept", "With --drop and --accept, write the whole report by the new rules.")
@option("--forget", "CANDIDATE", "Remove a candidate's lines from the logs and do nothing else.")
@int_option("--workers worker_count", 1, 256, "Number of processes (default: one per core for large logs).")
@option(
    "--scheduler dask_url", "ADDRESS", "The address of a Dask scheduler to score on (needs the extra quizgen[dask])."
)
@flag_option("--quiet is_quiet", "No progress and no notes; damaged lines are still named.")
def score_command(
    logs: tuple[str, ...], bank: str | None, lms: str | None, output: str, review: bool, dif: str | None, **options: Any
) -> int:
    """Score answer logs: session logs of `quizgen mock`, bare JSON lines of any system, answers
    files of exams, typed-in sheets; plain or gzip, files, folders or standard input (-).

    A line needs only `item` and `response`. Lines that cannot be used are named on standard error
    and never stop the rest.

    Example: quizgen score logs/ --format html -o report.html
    """
    if not logs and not options["paper_response_paths"]:
        if sys.stdin.isatty():
            raise click.UsageError("name a log, or - for standard input")
        logs = ("-",)
    if options["applies_drop_and_accept"] and not (options["dropped_items"] or options["accepted_responses_by_item"]):
        raise click.UsageError("--apply goes with --drop or --accept")
    if not output.strip():
        raise click.UsageError("-o names no file; write -o report.html, or leave it out for standard output")
    if (candidate := options.pop("forget")) is not None:
        return _delete_candidate_from_logs(logs, candidate)
    own = {"review": review, "least-sure": options["least_sure_share"] is not None, "dif": dif is not None, "lms": lms}
    report_format = _output_format(chosen_format(options.pop("output_format"), options.pop("as_json")), own, output)
    if options["omits_people"] and report_format != "html":
        raise click.UsageError("--class needs --format html: it is a report without persons")
    if report_format not in CSV_FORMATS and (options["csv_delimiter"] or output.lower().endswith(".xlsx")):
        raise click.UsageError(f"--delimiter and .xlsx need --format csv, matrix or gradebook, not {report_format}")
    options |= {"log_paths": logs, "bank_name": bank, "output_path": output, "candidate_groups_path": dif or ""}
    return write_score_report_and_choose_exit_code(ScoreOptions(output_format=report_format, **options))


def _output_format(format_name: str, options_with_own_format: Mapping[str, object], output: str) -> str:
    """The format of the report: that of the one option with a true value, else `format_name`. Raises UsageError."""
    names = [name for name, value in options_with_own_format.items() if value]
    if len(names) > 1 or (names and format_name != "text" and (names, format_name) != (["lms"], "gradebook")):
        conflict = names[1] if len(names) > 1 else "json" if format_name == "json" else "format"
        raise click.UsageError(f"--{names[0]} writes a CSV of its own; leave --{conflict} out")
    if format_name == "parquet" and output == "-":
        raise click.UsageError("--format parquet needs -o FILE")
    suffix = output.lower().rpartition(".")[2]
    if format_name == "text" and not names and suffix in ("html", "csv", "json", "jsonl"):
        notify(f"{printable(output)} will be plain text; --format {suffix} makes it {suffix.upper()}")
    return str(options_with_own_format["lms"] or next(iter(names), format_name))


def _delete_candidate_from_logs(logs: tuple[str, ...], candidate: str) -> int:
    from quizgen.scoring.forget import forget_candidate_in_log

    if "-" in logs:
        raise click.UsageError("--forget needs files: standard input cannot be changed in place")
    if not logs:
        raise click.UsageError("--forget needs the files to change")
    total, is_any_unchanged = 0, False
    for name in log_files.find_log_paths(logs):
        try:
            line_count, removed_count, unreadable_line_numbers = forget_candidate_in_log(name, candidate)
        except Unreadable as error:
            notify(str(error))
            is_any_unchanged = True
            continue
        total += removed_count
        for line in unreadable_line_numbers:
            notify(f"{name}:{line}: cannot be read and contains the name; look at it and remove it by hand")
        click.echo(f"{name}: {removed_count} of {line_count} lines removed")
    return 3 if is_any_unchanged else 0 if total else 1


@dataclass(frozen=True, slots=True)
class ScoreOptions:
    """The values of the options of one call of `quizgen score`."""

    log_paths: tuple[str, ...]
    bank_name: str | None = None
    manifest_path: str | None = None
    roster_path: str | None = None
    feedback_folder_path: str | None = None
    late_rule: LateRule | None = None  # None: the option was not given
    foreign_name_by_our_name: Mapping[str, str] = field(default_factory=dict)  # of fields, or of items, in other logs
    log_encoding: str | None = None
    released_candidates: tuple[str, ...] = ()
    paper_response_paths: tuple[str, ...] = ()
    output_format: str = "text"
    output_path: str = "-"
    attempt_rule: str = "last"
    since_timestamp: float | None = None
    only_candidates: tuple[str, ...] = ()
    only_topics: tuple[str, ...] = ()
    fail_under: float | None = None
    least_sure_share: float | None = None  # share of the text responses to list
    candidate_groups_path: str = ""  # CSV file of candidates and their groups
    blueprint_name: str = ""
    marks_paths: tuple[str, ...] = ()
    old_new_bank_names: tuple[str, str] | None = None
    dropped_items: tuple[str, ...] = ()
    accepted_responses_by_item: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    applies_drop_and_accept: bool = False
    csv_delimiter: str = ""  # empty: a comma without a byte order mark
    omits_people: bool = False  # a report without names
    worker_count: int | None = None  # None: one process a core if the logs are large
    dask_url: str | None = None
    is_quiet: bool = False


def open_scoring_bank(options: ScoreOptions, manifest: Manifest | None, origin: LogBanks, files: list[str]) -> Bank:
    """The bank to score by: that of --bank, else of --against, of the manifest, or of the logs, whose banks are joined
    if there are several. Raises Unreadable if none is named or it cannot be read."""
    later_bank = options.old_new_bank_names[1] if options.old_new_bank_names is not None else None
    exam_bank = manifest.bank_name if manifest is not None else None
    names = [name for name in (options.bank_name, later_bank, exam_bank) if name is not None][:1]
    session_lines = ({"bank": name, "folder": folder} for name, folder in origin.folder_by_bank.items())
    names = names or list(map(banks.require_findable_bank_name_in_session_line, session_lines))
    if not names:
        reason = " names no bank; give --bank, as in --bank distributed-training"
        if all(os.path.isfile(f) and not os.path.getsize(f) for f in files):
            reason = " is empty; name a log with responses"
        elif all(map(log_files.is_exam_page_answers_file, files)):
            reason = ": an answers file needs its exam's manifest; give --manifest DIR/manifest.json"
        elif all(map(log_files.file_has_candidate_rows, files)):
            reason = f": {exam_answers.sheet_given_as_log_message(files[0])}"
        raise Unreadable(f"{'standard input' if files[0] == '-' else printable(files[0])}{reason}")
    # Blueprints and cases of one bank name it too: sessions of them are of the same bank.
    loaded_banks = map(shared.load_exam_bank_by_name if names == [exam_bank] else load_usable_bank, names)
    bank_list = list({bank.digest: bank for bank in (one.required_bank for one in loaded_banks)}.values())
    if len(bank_list) == 1:
        return bank_list[0]
    items = {name: item for bank in bank_list for name, item in bank.items.items()}
    for name, count in Counter(name for bank in bank_list for name in bank.items).items():
        if count > 1:
            conflict = f'the logs are of {len(bank_list)} banks, and item "{name}" is in two of them'
            raise Unreadable(f"{conflict}; score each with --bank")
    return replace(bank_list[0], name=", ".join(bank.name for bank in bank_list), items=items, digest="")


def blueprint_with_grading_scale_or_empty(
    options: ScoreOptions, manifest: Manifest | None, bank: Bank, origin: LogBanks
) -> Blueprint:
    """The blueprint whose bands, grades and pass mark apply: that in the options, else that of the exam (without its
    title) or of the session; without any of them an empty one. Raises BadParameter for an unknown blueprint."""
    if name := options.blueprint_name:
        plans = bank.blueprint_by_name
        if name not in plans:
            hint = did_you_mean(name, plans) or f"there are: {', '.join(plans) or 'none'}"
            raise click.BadParameter(f'no blueprint "{printable(name)}"; {hint}', param_hint="--blueprint")
        return plans[name]
    if manifest is not None:
        share, bands, grades = manifest.pass_share, manifest.score_bands, manifest.grade_bands
        return Blueprint("", "", (), pass_share=share, score_bands=bands, grade_bands=grades)
    name = next(iter(origin.blueprint_names)) if len(origin.blueprint_names) == 1 else ""
    return bank.blueprint_by_name.get(name) or Blueprint("", "", ())


def read_group_by_candidate(path: str) -> dict[str, str]:
    """The group of each candidate, from a CSV with two columns: `candidate`, and one with any heading. Raises
    Unreadable with every bad row."""
    rows = log_files.read_numbered_sheet_rows(path, "a list of groups")
    groups: dict[str, str] = {}
    faults: list[str] = []
    if len(head := log_files.take_column_names(rows)) != 2 or head[0] != "candidate":
        raise Unreadable(f"{path}:1: begin with a line of two columns, as in `candidate,track`")
    for line, row in rows:
        cells, place = [cell.strip() for cell in row], f"{path}:{line}"
        if any(cells) and len(cells) != 2:
            faults.append(f"{place}: {len(cells)} columns where there should be two; write candidate,group")
        elif any(cells) and groups.setdefault(cells[0], cells[1]) != cells[1]:
            faults.append(f'{place}: "{printable(cells[0])}" is in another group above; keep one line')
    if faults:
        raise Unreadable("\n".join(faults))
    return {candidate: group for candidate, group in groups.items() if group}


MAX_LISTED_LINES_PER_KIND = 40  # lines printed of one kind


@dataclass(frozen=True, slots=True)
class ExamAttendance:
    """An exam's manifest with its roster, and the attendance of each candidate. `reason_by_unscored_file`: why it is
    not scored; `items_begun_late_by_candidate`: (number, item id) of each item begun after the deadline;
    `unread_paper_items_by_candidate`: the same for cells that nobody has read."""

    manifest: Manifest
    late_rule: LateRule
    attendances: tuple[Attendance, ...] = ()
    reason_by_unscored_file: Mapping[str, str] = field(default_factory=dict)
    items_begun_late_by_candidate: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)
    unread_paper_items_by_candidate: Mapping[str, tuple[tuple[int, str], ...]] = field(default_factory=dict)


def read_attendance_of_manifest(options: ScoreOptions, manifest_path: str, files: list[str]) -> ExamAttendance:
    """Who sat the exam whose manifest is at `manifest_path`, from the answers files and sheets. Raises Unreadable, or
    BadParameter for an unknown candidate in --release."""
    manifest, late_rule = exam_answers.read_manifest(manifest_path), options.late_rule or LateRule()
    if options.roster_path:
        labels = tuple(dict.fromkeys(str(form["form"]) for form in manifest.form_record_by_label_or_code.values()))
        manifest = exam_answers.manifest_with_roster(manifest, shared.roster_candidates(options.roster_path, labels))
    sittings = list(exam_answers.read_sittings(files, options.paper_response_paths, manifest))
    if not sittings and not options.roster_path:
        return ExamAttendance(manifest, late_rule)
    roster_entries, released_names = tuple(manifest.roster_by_key.values()), frozenset(options.released_candidates)
    rows, unscored_files = attendances_and_unscored_file_reasons(roster_entries, sittings, late_rule, released_names)
    _refuse_unknown_released_candidates(released_names, [row.id_or_name for row in rows])
    if options.only_candidates:
        rows = tuple(row for row in rows if row.id_or_name in options.only_candidates)
    # A sitting without such items may not hide those of another sitting of the same candidate.
    scored = [one for one in sittings if one.source_path not in unscored_files]
    begun_late = dict(filter(itemgetter(1), ((one.id_or_name, one.begun_late_numbers_and_ids) for one in scored)))
    unread = {one.id_or_name: items for one in scored if (items := one.not_yet_read_numbers_and_ids)}
    return ExamAttendance(manifest, late_rule, rows, unscored_files, begun_late, unread)


def _refuse_unknown_released_candidates(released_names: Collection[str], names: Collection[str]) -> None:
    for name in sorted({*released_names} - {*names}):
        hint = did_you_mean(name, names) or "see --format gradebook"
        raise click.BadParameter(f'no candidate "{printable(name)}"; {hint}', param_hint="--release")


def require_bank_fits_printed_variants(manifest: Manifest, bank: Bank, dropped_items: Collection[str]) -> None:
    """Raises Unreadable if the forms show an option that the bank no longer has, or if other values are drawn now:
    responses would be marked by what nobody saw. Dropped items do not matter."""
    scorer = Scorer(bank.items)
    lines = set()
    for form in manifest.form_record_by_label_or_code.values():
        for form_item in form["items"]:
            line = {"seed": str(form["seed"]), "given": form_item.get("given")}
            variant = scorer.variant_of_line(bank.items.get(form_item["item"]), line)
            if variant is None or variant.item.id in dropped_items:
                continue
            options = variant.option_texts_as_shown() if variant.item.kind == "choice" else ()
            for text in form_item.get("options") or () if options else ():
                if not selected_option_texts(text, options, allows_letters=False):
                    lines.add(f'{variant.item.id}: the bank has no option "{shorten(printable(text))}", the forms have')
            for name in (form_item.get("given") or {}).keys() ^ dict(variant.drawn_log_values()).keys():
                lines.add(f"{variant.item.id}: {printable(name)} is drawn in the bank or on the forms, not in both")
    if lines:
        what_to_do = "restore the item, give the former bank with --bank, or --drop it"
        raise Unreadable("\n".join(f"{line}; {what_to_do}" for line in sorted(lines)[:MAX_LISTED_LINES_PER_KIND]))


class LogSources:
    """The files and sheets of a run with the given options, read as blocks of lines. `source_names`: the source by its
    number; `log_banks`: banks and blueprints that the logs name; `bank`: the bank to score by (from the options, else
    from the manifest or the logs); `attendance`: who sat the exam, None without a manifest (from the options, else
    beside the files). `unread_blocks` can be read once; `read_blocks` repeatedly, unless a source is standard input.
    Raises UsageError or Unreadable."""

    def __init__(self, options: ScoreOptions, files: list[str]) -> None:
        self.options = options
        self.source_paths, self.log_count = (*files, *options.paper_response_paths), len(files)
        self.log_encoding_name = options.log_encoding or ""
        self.source_names = tuple("standard input" if path == "-" else path for path in self.source_paths)
        self.attendance: ExamAttendance | None = None
        if manifest_path := options.manifest_path or log_files.find_manifest_path(self.source_paths):
            self.attendance = read_attendance_of_manifest(options, manifest_path, files)
        else:
            rule = options.late_rule is not None and options.late_rule.action_word
            grades = options.output_format in GRADE_LIST_FORMATS or options.feedback_folder_path is not None
            if options.paper_response_paths or options.roster_path or rule or options.released_candidates or grades:
                option_list = "each of --sheet, --roster, --late, --release, --feedback and a grade list"
                raise click.UsageError(f"{option_list} needs --manifest DIR/manifest.json, written beside the forms")
        self.manifest = self.attendance.manifest if self.attendance is not None else None
        self.excludes_late = self.attendance is not None and self.attendance.late_rule.action_word == "exclude"
        self.log_banks = LogBanks()
        self.foreign_log = foreign_logs.ForeignLog({})  # rules for logs of other systems, set once the bank is open
        # Banks, blueprints and marking rules that the sessions name are added to `log_banks`; unless the bank is
        # known, each log is first read up to the line that names one.
        is_bank_known = bool(options.bank_name or options.old_new_bank_names or self.manifest)
        parts: list[Iterator[LogBlock]] = []
        for number, path in enumerate(self.source_paths):
            part = self._blocks_of_source(number)
            if not log_files.is_exam_page_answers_file(path):
                part = log_files.pass_on_blocks_noting_older_rules(part, self.log_banks)
            parts.append(part if is_bank_known else log_files.blocks_after_noting_bank_name(part, self.log_banks))
        self.unread_blocks = chain.from_iterable(parts)
        self.bank = open_scoring_bank(options, self.manifest, self.log_banks, files)
        name, foreign_names = options.bank_name or self.bank.name, options.foreign_name_by_our_name
        self.foreign_log = foreign_logs.ForeignLog(self.bank.items, name, foreign_names, self.log_encoding_name)

    def source_numbers_with_one_form_per_candidate(self) -> frozenset[int]:
        """The numbers of the sources with exactly one form of each of their candidates: answers files and sheets."""
        tests, paths = (log_files.is_exam_page_answers_file, log_files.file_has_candidate_rows), self.source_paths
        return frozenset(n for n in range(len(paths)) if n >= self.log_count or any(test(paths[n]) for test in tests))

    def read_blocks(self) -> Iterator[LogBlock]:
        """Yields all blocks in order."""
        return chain.from_iterable(map(self._blocks_of_source, range(len(self.source_names))))

    def _blocks_of_source(self, source_number: int) -> Iterator[LogBlock]:
        """Yields the blocks of the source `source_number`; none if the attendance leaves the file out."""
        name, sheet = self.source_paths[source_number], source_number >= self.log_count
        if not sheet and name.lower().endswith(".parquet"):
            yield from log_files.log_blocks_of_parquet(source_number, name)
        elif not sheet and log_files.is_foreign_table(name, bool(self.foreign_log.foreign_name_by_our_name)):
            yield from foreign_logs.log_blocks_of_foreign_table(source_number, name, self.foreign_log)
        elif not sheet and log_files.file_has_row_per_response(name):
            yield from log_files.log_blocks_of_response_table(source_number, name, self.log_encoding_name)
        elif log_files.is_exam_page_answers_file(name):
            if self.attendance is None or name not in self.attendance.reason_by_unscored_file:
                block = exam_answers.log_block_of_answers_file(name, self.manifest, self.excludes_late)
                yield replace(block, source_number=source_number)
        elif sheet or log_files.file_has_candidate_rows(name):
            yield replace(exam_answers.log_block_of_spreadsheet(name, self.manifest), source_number=source_number)
        else:
            stream = sys.stdin.buffer if name == "-" else None
            lines = log_files.read_blocks(source_number, name, stream, self.log_encoding_name)
            if self.foreign_log.bank_item_by_id:
                shown_name = self.source_names[source_number]
                lines = foreign_logs.log_blocks_of_foreign_json(lines, shown_name, self.foreign_log)
            yield from lines


FORMATS_SHOWING_RESPONSES = ("json", "csv", "html", "integrity", "review", "least-sure", "xapi", "parquet")
FORMATS_SHOWING_CRITERION_MARKS = ("json", "html", "review", "least-sure", "text")
GRADE_LIST_FORMATS = ("gradebook", "moodle", "canvas")
CSV_FORMATS = (*GRADE_LIST_FORMATS, "csv", "matrix", "review", "least-sure", "dif")
CandidateValue = TypeVar("CandidateValue")
MAX_KEPT_PROBLEM_MESSAGES = 1_000
MIN_CANDIDATES_FOR_PARALLEL_REPORT = 50  # candidates from which several processes write the report
MIN_BYTES_FOR_PARALLEL_SCORING = 1 << 20  # bytes of logs from which several processes score without --workers


def write_score_report_and_choose_exit_code(options: ScoreOptions) -> int:
    """Scores the logs as the options say, writes the report, and returns the exit code."""
    files = _find_log_paths(options)
    sources = LogSources(options, files)
    shared.refuse_overwriting_inputs(options.output_path, {i.location.path for i in sources.bank.items.values()})
    if sources.manifest is not None and options.old_new_bank_names is None:
        require_bank_fits_printed_variants(sources.manifest, sources.bank, options.dropped_items)
    blueprint = blueprint_with_grading_scale_or_empty(options, sources.manifest, sources.bank, sources.log_banks)
    attendance, overrides = reconciled_attendance_and_marks(sources)
    job = _make_scoring_job(options, sources, files, overrides)
    with ExitStack() as stack:
        executor = _make_executor(options, sum(map(log_files.file_size_bytes, files)), stack)
        path = "-" if options.output_format == "parquet" else options.output_path
        is_csv = options.output_format in CSV_FORMATS
        output = open_csv_or_xlsx_line_writer(path, options.csv_delimiter) if is_csv else open_write_function(path)
        write = stack.enter_context(output)
        damage_messages: list[str] = []
        write_line: Callable[[str], object] = write
        if overrides and options.output_format == "jsonl":  # nothing is written before every decision is known to fit
            write_line = stack.enter_context(hold_text_until_success(write))
        listener = callbacks_of_run(sources, write_line, damage_messages)
        if options.old_new_bank_names or (job.dropped_and_accepted and not options.applies_drop_and_accept):
            _write_score_changes(job, sources, executor, listener, write)
            return 0
        scoring = open_scoring_run(job, sources.unread_blocks, executor, options.attempt_rule, listener)
        run_result = stack.enter_context(scoring)
        require_marks_fit_responses(run_result)
        decisions = (*dropped_and_accepted_sentences(options), *manual_mark_effect_lines(run_result))
        rows = attendance.attendances if attendance else ()
        run_result.database.exclude_candidates([f"c{r.id_or_name}" for r in rows if r.present_absent_or_held == "held"])
        _print_notes_or_refuse_empty_run(run_result, sources)
        if options.output_format != "jsonl":
            report = _make_report_of_run(run_result, sources, blueprint, executor, listener)
            report = replace(report, scoring_change_notes=decisions, first_damaged_line_messages=tuple(damage_messages))
            _write_report(report, options, sources.bank, attendance, write)
        is_low = _is_mean_below_limit(options, run_result)
        is_held = attendance is not None and print_held_and_absent_candidates(attendance, options.is_quiet)
        return int(is_low | is_held)


def _write_score_changes(
    job: ScoringJob, sources: LogSources, executor: Executor, listener: RunCallbacks, write: Callable[[str], None]
) -> None:
    """Scores the logs by the old and the new rules, and writes the scores that differ. Damaged lines are reported once.
    Raises UsageError or Unreadable."""
    from quizgen.render.report_changes import CHANGE_WRITER_BY_FORMAT, CandidateScoreChange, score_changes

    options = sources.options
    if options.output_format not in CHANGE_WRITER_BY_FORMAT:
        hint = "" if options.old_new_bank_names else "; --apply gives the whole report by the new rules in any format"
        formats = ", ".join(CHANGE_WRITER_BY_FORMAT)
        raise click.UsageError(f"a list of changes is written as {formats}, not {options.output_format}{hint}")
    if "-" in options.log_paths:
        raise Unreadable("this command reads the log twice: give a file, not standard input")
    new_job = replace(job, keeps_texts=True, keeps_marks=True, keeps_statistics=False)
    old_job = replace(new_job, dropped_and_accepted=response_scoring.DroppedItemsAndAcceptedResponses())
    parts = list(dropped_and_accepted_sentences(options))
    if options.old_new_bank_names is not None:
        old_bank, new_bank = load_usable_bank(options.old_new_bank_names[0]).required_bank, sources.bank
        old_job = replace(old_job, items=old_bank.items, bank_digest=old_bank.digest)
        new_job = replace(new_job, old_bank_items_for_letters=old_bank.items)
        parts.insert(0, f"{old_bank.name} ({old_bank.digest[:19]}) to {new_bank.name} ({new_bank.digest[:19]})")
    with (
        open_scoring_run(old_job, sources.read_blocks(), executor, options.attempt_rule, RunCallbacks()) as old_run,
        open_scoring_run(new_job, sources.read_blocks(), executor, options.attempt_rule, listener) as new_run,
    ):
        require_marks_fit_responses(new_run)
        if not old_run.line_counts.scored_response_count and not new_run.line_counts.scored_response_count:
            raise Unreadable("nothing could be scored; name logs with responses to items of the bank")
        changes = score_changes(*(candidate_results_of_run(one, sources.source_names) for one in (old_run, new_run)))
        changed_ids: set[str] = set()

        def changes_noting_ids() -> Iterator[CandidateScoreChange | None]:
            for change in changes:
                changed_ids.update(one.item_id for one in (change.item_changes if change else ()))
                yield change

        CHANGE_WRITER_BY_FORMAT[options.output_format](changes_noting_ids(), "Changes: " + "; ".join(parts), write)
    for name in sorted(set(options.dropped_items) - changed_ids):
        notify(f"{name}: dropping it changes nothing: no response that counts is to this item")
    for name in sorted(options.accepted_responses_by_item.keys() - changed_ids - set(options.dropped_items)):
        notify(f"{name}: accepting that changes nothing: no counted response with this text earned less")


def _find_log_paths(options: ScoreOptions) -> list[str]:
    """The paths of the logs to read, also in named folders. Raises WrongUse if the report would overwrite one."""
    strays: list[str] = []
    files = log_files.find_log_paths(options.log_paths, strays)
    if strays:
        names = ", ".join(map(printable, strays[:5])) + (f" and {len(strays) - 5} more" if len(strays) > 5 else "")
        notify(f"not read, because these files do not look like logs: {names}; name one to read it")
    for name in filter(log_files.file_has_marks_or_scan, files):
        hint = "each file of marks needs its own --marks, and of a scan only the table is scored, by --sheet"
        raise Unreadable(f"{printable(name)} has no responses: {hint}")
    other_paths = (options.manifest_path, options.roster_path, options.candidate_groups_path)
    sheets = (*options.paper_response_paths, *options.marks_paths)
    shared.refuse_overwriting_inputs(options.output_path, (*files, *sheets, *filter(None, other_paths)))
    if options.output_format in ("review", "least-sure") and log_files.has_filled_in_points(options.output_path):
        raise Unreadable(f"{printable(options.output_path)} has points that a person filled in; name another file")
    return files


def _make_report_of_run(
    run_result: RunResult, sources: LogSources, blueprint: Blueprint, executor: Executor, listener: RunCallbacks
) -> Report:
    """The report on a run, with the bands and grades of a blueprint. It reports its progress to the listener while its
    candidates are written."""
    total = run_result.line_counts.candidate_count

    def with_progress(candidates: Iterator[CandidateValue]) -> Iterator[CandidateValue]:
        for number, candidate in enumerate(candidates, 1):
            yield candidate
            if number % 64 == 0 or number == total:
                listener.on_stage_progress("writing candidates", number, total)

    report = make_report(
        run_result, sources.bank, attempt_rule=sources.options.attempt_rule, source_names=sources.source_names,
        ordered_call_results=executor.ordered_call_results if total >= MIN_CANDIDATES_FOR_PARALLEL_REPORT else None,
        bands=blueprint.score_bands, pass_share=blueprint.pass_share,
    )  # fmt: skip
    return replace(
        report,
        title=": ".join(dict.fromkeys(filter(None, (report.title, blueprint.title)))),
        grade_bands=blueprint.grade_bands,
        omits_people=sources.options.omits_people,
        read_candidates=lambda: with_progress(report.read_candidates()),
        map_candidates=lambda *arguments, **options: with_progress(report.map_candidates(*arguments, **options)),
    )


def _make_scoring_job(options: ScoreOptions, sources: LogSources, files: list[str], overrides: Decisions) -> ScoringJob:
    """The rules by which every line is scored, and the details to keep of each score."""
    bank, names, manifest = sources.bank, sources.source_names, sources.manifest
    known_topics = {item.topic for item in bank.items.values() if item.topic}
    if message := first_unknown_name_message("topic", sorted(set(options.only_topics)), known_topics):
        raise click.UsageError(message)
    # Under 1 MB, about the log of one candidate, the text report explains each response.
    details = options.output_format == "text" and ("-" in files or sum(map(log_files.file_size_bytes, files)) < 1 << 20)
    gives_feedback = options.feedback_folder_path is not None
    return ScoringJob(
        items=bank.item_or_turn_by_id,
        bank_digest=bank.digest,
        dropped_and_accepted=requested_scoring_changes(options, bank),
        overrides_by_candidate_and_item=overrides,
        only_candidates=frozenset(options.only_candidates),
        only_topics=frozenset(options.only_topics),
        since_timestamp=options.since_timestamp,
        writes_json_lines=options.output_format == "jsonl",
        keeps_response_rows=options.output_format != "jsonl" or options.fail_under is not None or bool(overrides),
        keeps_texts=options.output_format in FORMATS_SHOWING_RESPONSES or gives_feedback or details,
        keeps_marks=options.output_format in FORMATS_SHOWING_CRITERION_MARKS or gives_feedback,
        keeps_statistics=options.output_format in ("text", "json", "html"),
        source_names=names if len(names) > 1 else (),
        exam_seed=manifest.exam_seed if manifest is not None else "",
        one_form_per_candidate_sources=sources.source_numbers_with_one_form_per_candidate(),
    )


def _write_report(
    report: Report, options: ScoreOptions, bank: Bank, attendance: ExamAttendance | None, write: Callable[[str], None]
) -> None:
    """Writes the report in the requested format; for an exam, with attendance, forms and feedback pages."""
    if attendance is not None:
        report = add_attendance_and_form_comparison(report, attendance)
        if options.feedback_folder_path is not None:
            write_feedback_pages(report, bank, attendance.manifest, options.feedback_folder_path)
    if options.output_format == "parquet":
        write_responses_as_parquet(report, options.output_path)
    elif options.output_format in GRADE_LIST_FORMATS:
        write_grades(report, options, write)
    elif options.output_format == "dif":
        write_item_dif_rows(report, write, read_group_by_candidate(options.candidate_groups_path))
    elif options.output_format == "least-sure":
        write_least_sure_review_rows(report, write, options.least_sure_share or 0)
    else:
        report_writer(options.output_format)(report, write)


def _is_mean_below_limit(options: ScoreOptions, run_result: RunResult) -> bool:
    """Whether the mean score is below that of --fail-under, which is then reported."""
    if options.fail_under is None:
        return False
    ((*parts, count),) = run_result.database.execute(f"SELECT {two_part_sum_sql('share')}, count(share) FROM person")
    mean = Fraction(join_two_part_sum(*parts), count * UNITS_PER_SHARE) if count else Fraction(0)
    if is_low := mean < Fraction(options.fail_under).limit_denominator(10**9):
        notify(f"the mean score is {float(mean):.1%}, below {options.fail_under:.1%}")
    return is_low


def _make_executor(options: ScoreOptions, log_bytes: int, stack: ExitStack) -> Executor:
    if options.dask_url is not None:
        from quizgen.scoring.processes import DaskCluster

        return stack.enter_context(closing(DaskCluster(options.dask_url)))
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1  # that we may use
    workers = options.worker_count or (cores if log_bytes >= MIN_BYTES_FOR_PARALLEL_SCORING else 1)
    if workers > 1:
        from quizgen.scoring.processes import ProcessPool

        if ProcessPool.can_fork():
            return ProcessPool(workers)
    return Executor()


def callbacks_of_run(sources: LogSources, write: Callable[[str], object], problem_messages: list[str]) -> RunCallbacks:
    """Names each damaged line, adds it to `problem_messages`, shows progress, and hands lines of output to `write`."""
    options, names = sources.options, sources.source_names
    lines_to_screen = options.output_path == "-" and sys.stdout.isatty() and options.output_format == "jsonl"
    is_wanted = not options.is_quiet and not lines_to_screen
    line = shared.ProgressLine(sum(map(log_files.file_size_bytes, names)), sys.stderr, is_wanted)

    def warn(note: LineRangeNote) -> None:
        source, first, last, reason = note
        lines = f"{first}" if first == last else f"{first}-{last}"
        place = f"{names[source]}:{lines}" if last else names[source]
        line.clear()
        notify(f"{place}: {reason}")
        if len(problem_messages) < MAX_KEPT_PROBLEM_MESSAGES:
            problem_messages.append(printable(f"{place}: {reason}"))

    return RunCallbacks(warn, write, line.show_bytes_read_of_source, line.show_stage_progress)


def _note_on_other_or_changed_banks(run_result: RunResult, sources: LogSources) -> str:
    """The note on sessions of other banks, or of another state of the bank; empty if there are none. With --against,
    the bank of the sessions is compared with a later one."""
    counts, bank_name, options = run_result.line_counts, sources.bank.name, sources.options
    folders = {folder_of_bank_or_part_if_found(name) or name for name in counts.bank_names}
    others = not folders <= {folder_of_bank_or_part_if_found(name) or name for name in bank_name.split(", ")}
    if others and (len(folders) > 1 or (counts.other_digest_session_count and options.old_new_bank_names is None)):
        names = ", ".join(map(printable, sorted(counts.bank_names)))
        return f"there are sessions on {names}, all scored with {bank_name} here; score each with its own --bank"
    if not counts.other_digest_session_count:
        return ""
    share = f"{counts.other_digest_session_count:,} of {count_with_noun(counts.session_count, 'session')}"
    hint = "scores are by today's bank; --against OLD NEW shows what that changes"
    return f"the bank {bank_name} has changed since {share if counts.session_count > 1 else 'the session'}: {hint}"


def _print_notes_or_refuse_empty_run(run_result: RunResult, sources: LogSources) -> None:
    """Prints notes on the whole run, such as that the bank has changed since the sessions. Raises Unreadable, with the
    reason, if nothing was scored."""
    counts, bank, options = run_result.line_counts, sources.bank, sources.options
    if note := _note_on_other_or_changed_banks(run_result, sources):
        notify(note)
    if counts.filtered_out_untimed_count and not options.is_quiet:
        notify(f"{count_with_noun(counts.filtered_out_untimed_count, 'response')} without a time left out by --since")
    if counts.damaged_line_count and options.output_format == "jsonl" and not options.is_quiet:
        notify(f"{count_with_noun(counts.damaged_line_count, 'line')} could not be used")
    is_numeric = any(item.kind == "numeric" for item in bank.items.values())
    if sources.log_banks.has_older_marking_rules and is_numeric and not options.is_quiet:
        rules = "are marked by today's rules: rounded numbers count (docs/diagnosis.md)"
        notify(f"these sessions are from an older version and {rules}")
    if not counts.scored_response_count and not counts.candidate_count:
        reason = "" if counts.damaged_line_count else ": there are no responses"
        if counts.filtered_out_count:
            filters = "check --candidate, --topic and --since"
            reason = f": the filters leave all {count_with_noun(counts.filtered_out_count, 'response')} out; {filters}"
        raise Unreadable(f"nothing could be scored{reason}")


def reconciled_attendance_and_marks(sources: LogSources) -> tuple[ExamAttendance | None, Decisions]:
    """Who sat the exam (None without one), and the points that people decided; each is checked against the other. A
    candidate with unread cells is held until every criterion of each has a mark, a candidate with an empty row until
    there is any mark, and everybody on whose form is an item that the bank lacks, as one with an error; of a released
    candidate these are only notes. With `--late exclude`, marks on items begun after the deadline are removed, with a
    note."""
    attendance, decisions = sources.attendance, _read_decisions_of_all_marks_files(sources)
    if attendance is None:
        return None, decisions
    marked_candidates = {candidate for candidate, _ in decisions}
    rows = []
    for row in attendance.attendances:
        key_on_page = response_scoring.candidate_key_on_marking_page(attendance.manifest.exam_seed, row.id_or_name)
        keys = (row.id_or_name, f"\0{key_on_page}")
        questions, notes = list(row.unresolved_issues), list(row.notes)
        if not marked_candidates.isdisjoint(keys):
            questions = [question for question in questions if question != exam_answers.EMPTY_ROW_FAULT]
        late_items = attendance.items_begun_late_by_candidate.get(row.id_or_name, ()) if sources.excludes_late else ()
        if numbers := [str(number) for number, item in late_items if any((key, item) in decisions for key in keys)]:
            notes.append(f"written after the deadline, so the mark does not count: {', '.join(numbers)}")
        for key, (_, item) in product(keys, late_items):
            decisions.pop((key, item), None)
        is_released = row.id_or_name in sources.options.released_candidates
        (notes if is_released else questions).extend(_reasons_to_hold(sources.bank, attendance, row, decisions, keys))
        rows.append(replace(row, unresolved_issues=tuple(questions), notes=tuple(notes)))
    return replace(attendance, attendances=tuple(rows)), decisions


def _read_decisions_of_all_marks_files(sources: LogSources) -> Decisions:
    """The points that people decided, from every file of `--marks`."""
    rows = sources.attendance.attendances if sources.attendance is not None else ()
    forms = {row.id_or_name: row.form_code for row in rows if row.form_code}
    decisions: Decisions = {}
    for path in dict.fromkeys(sources.options.marks_paths):
        for response, marks in read_mark_decisions(path, sources.bank.items, sources.manifest, forms).items():
            decisions[response] = (*decisions.get(response, ()), *marks)
    return decisions


def _reasons_to_hold(
    bank: Bank, attendance: ExamAttendance, row: Attendance, decisions: Decisions, candidate_keys: tuple[str, str]
) -> Iterator[str]:
    """Yields why the candidate of `row` gets no grade yet: items on the form that the bank lacks, and answers on paper
    that nobody has read or marked in full. Decisions know the candidate by one of the two `candidate_keys`."""
    form = attendance.manifest.find_form_record(row.form_code) if row.form_code and not row.is_absent else None
    if missing_ids := [one["item"] for one in form["items"] if one["item"] not in bank.items] if form else []:
        yield f"not in the bank, or with an error there: {', '.join(missing_ids)}; see quizgen check"
    unread_items = []
    for number, item in attendance.unread_paper_items_by_candidate.get(row.id_or_name, ()):
        marks = [mark for key in candidate_keys for mark in decisions.get((key, item), ()) if mark.earned is not None]
        open_criteria = response_scoring.unmarked_criterion_ids(bank.items[item], marks) if item in bank.items else ()
        if open_criteria or not marks:
            unread_items.append(f"{number} ({', '.join(open_criteria)})" if marks else str(number))
    if unread_items:
        message = f"not read yet: item{'s' * (len(unread_items) > 1)} {', '.join(unread_items)}"
        yield f"{message}; decide or mark what is on paper"


def print_held_and_absent_candidates(attendance: ExamAttendance, is_quiet: bool) -> bool:
    """Prints who is held and, unless `is_quiet`, who is absent. Returns whether anybody is held."""
    notify(*(f"{name}: not scored: {reason}" for name, reason in attendance.reason_by_unscored_file.items()))
    for status in ("held",) if is_quiet else ("held", "absent"):
        rows = [row for row in attendance.attendances if row.present_absent_or_held == status]
        for row in rows[:MAX_LISTED_LINES_PER_KIND]:
            notify(": ".join(filter(None, (f"{status}: {row.label}", "; ".join(row.unresolved_issues or row.notes)))))
        if len(rows) > MAX_LISTED_LINES_PER_KIND:
            notify(f"… and {len(rows) - MAX_LISTED_LINES_PER_KIND} more {status}; --format gradebook lists all")
    if held_count := sum(row.present_absent_or_held == "held" for row in attendance.attendances):
        hint = "correct the roster or the files, or give --release CANDIDATE for each one that is in order"
        notify(f"{count_with_noun(held_count, 'candidate')} held, without a grade: {hint}")
    return held_count > 0


def add_attendance_and_form_comparison(report: Report, attendance: ExamAttendance) -> Report:
    """The report with the exam's title, attendance, and a comparison of its forms, if there are several, over
    candidates with a grade."""
    title = attendance.manifest.exam_title or report.title
    rows = {row.id_or_name: row for row in attendance.attendances}
    anchors = attendance.manifest.anchor_item_ids
    by_form: dict[str, list[tuple[float, float]]] = {}
    for person in report.read_candidates() if rows else ():
        row = rows.get(person.label)
        if row is not None and row.present_absent_or_held == "present":
            anchor_points = sum((a.earned for a in person.responses if a.item_id in anchors), Fraction(0))
            by_form.setdefault(row.form_code, []).append((float(person.earned), float(anchor_points)))
    report = replace(report, title=title, attendance_by_id_or_name=rows, late_rule=attendance.late_rule)
    return replace(report, form_figures=form_figures(by_form, bool(anchors)) if len(by_form) > 1 else ())


def write_grades(report: Report, options: ScoreOptions, write: Callable[[str], None]) -> None:
    """Writes the grade list. Candidates on no roster go to a second file beside it."""
    from quizgen.render import report_csv

    if options.output_format != "gradebook":
        lms = {"moodle": report_csv.write_moodle_grades, "canvas": report_csv.write_canvas_grades}
        for label in lms[options.output_format](report, write):
            hint = "has no id that the file accepts; enter the grade by hand"
            notify(f"not in the file for {options.output_format}: {label} {hint}")
        return
    report_csv.write_gradebook(report, write)
    roster_entries = [row.roster_entry for row in report.attendance_by_id_or_name.values()]
    if not any(roster_entries) or all(roster_entries):
        return
    if options.output_path == "-":
        notify("candidates who are not on the roster are left out; with -o FILE they are in a second file")
    else:
        place = Path(options.output_path)
        name = str(place.with_name(f"{place.stem}-not-on-roster{place.suffix}"))
        with open_csv_or_xlsx_line_writer(name, options.csv_delimiter) as write_line:
            report_csv.write_gradebook(report, write_line, only_off_roster=True)
        notify(f"candidates who are not on the roster: {name}")


def write_feedback_pages(report: Report, bank: Bank, manifest: Manifest, folder: str) -> None:
    """Writes one page per candidate into `folder`, with each item as the candidate saw it. Raises Unreadable."""
    from quizgen.render.report_html import feedback_file_names_and_pages

    def find_printed_item(session: str | None, name: str) -> tuple[int, Variant] | None:
        form = manifest.find_form_record((session or "").partition("/")[0]) or {"items": (), "seed": ""}
        for entry in form["items"]:
            if entry["item"] == name and name in bank.items:
                rng = SeededRng(name, str(form["seed"]))
                return int(entry["n"]), bank.items[name].rebuild_variant(entry.get("given") or {}, rng)
        return None

    with refuse_write_errors(folder, "choose another folder"):
        Path(folder).mkdir(parents=True, exist_ok=True)
    for file, text in feedback_file_names_and_pages(report, bank.folder, find_printed_item):
        write_atomically(Path(folder) / file, text)


def require_marks_fit_responses(run_result: RunResult) -> None:
    """Raises Unreadable with a line for each row of a marks file that fits no response or cannot be applied."""
    faults = [n for response in run_result.hand_marked_responses for n in response.override_faults]
    if faults := faults + _unmatched_mark_messages(run_result):
        raise Unreadable("\n".join([*dict.fromkeys(faults), "nothing was scored; fix the marks first"]))
    counts = Counter(f"{r.item_id} {n}" for r in run_result.hand_marked_responses for n in r.maximum_mismatch_notes)
    if counts:
        list_text = "; ".join(f"{text} ({count})" for text, count in sorted(counts.items()))
        notify(f"marks with another maximum than the response has here were read as shares: {list_text}")


def _unmatched_mark_messages(run_result: RunResult) -> list[str]:
    """One message for each decision that fits no response of the run, with its place and the reason."""
    overrides = run_result.job.overrides_by_candidate_and_item

    def key_on_marking_page(name: str) -> str:
        return f"\0{response_scoring.candidate_key_on_marking_page(run_result.job.exam_seed, name)}"

    responses = run_result.hand_marked_responses
    response_keys = {(text_after_sheet_round_trip(one.candidate_or_session), one.item_id) for one in responses}
    response_keys |= {(key_on_marking_page(one.candidate_or_session), one.item_id) for one in responses}
    if not (unmatched_keys := [key for key in overrides if key not in response_keys]):
        return []
    labels = (utf8_to_text(blob) for (blob,) in run_result.database.execute("SELECT who FROM person"))
    names = {label[1:] if label[0] in "cs" else "" for label in labels}
    candidate_keys = names | set(map(key_on_marking_page, names))
    messages = []
    for candidate, item_or_fault in unmatched_keys:
        if candidate == CANDIDATE_KEY_OF_BAD_ROWS:
            message = item_or_fault
        elif candidate in candidate_keys:
            message = f"the candidate has no response to {item_or_fault}, not even a blank one; fix the row"
        elif candidate.startswith("\0"):
            message = "no candidate of this run has that key; give the answers from which the page was made"
        else:
            hint = did_you_mean(candidate, names) or "fix the row"
            message = f'no candidate "{shorten(printable(candidate))}" in what is scored; {hint}'
        messages += [f"{one.place_in_marks_file}: {message}" for one in overrides[candidate, item_or_fault]]
    return messages


def manual_mark_effect_lines(run_result: RunResult) -> tuple[str, ...]:
    """One line for each decision that counts, with the response's points before and after; lines with different points
    come first. Beside a decision on a whole response, those on its criteria have no line."""
    if not (responses := [row for row in run_result.hand_marked_responses if row.table_row_id >= 0]):
        return ()
    ids = {row.table_row_id for row in responses}
    rows = run_result.database.execute("SELECT c.response, p.who FROM counted c JOIN person p ON p.id = c.person")
    name_by_response = {id_: utf8_to_text(blob)[1:] for id_, blob in rows if id_ in ids}
    lines = []
    responses.sort(key=lambda one: (one.candidate_or_session, one.item_id, one.table_row_id))
    responses.sort(key=lambda one: one.earned_point_units_before == one.earned_point_units_after)
    for row in responses:
        name, units = row.candidate_or_session, (row.earned_point_units_before, row.earned_point_units_after)
        if row.table_row_id not in name_by_response or name not in ("", name_by_response[row.table_row_id]):
            continue
        before, after = (up_to_2_decimals(Fraction(n, response_scoring.UNITS_PER_POINT)) for n in units)
        change = "no point changed" if before == after else f"the response's points {before} -> {after}"
        marks = [mark for mark in run_result.job.overrides_for(name, row.item_id) if mark.earned is not None]
        for mark in [mark for mark in marks if not mark.criterion_id_or_number] or marks:
            subject = f"{row.item_id}, {mark.criterion_id_or_number}" if mark.criterion_id_or_number else row.item_id
            got, total = mark.earned or Fraction(0), mark.points_out_of
            points = f"{up_to_2_decimals(got)} of {up_to_2_decimals(total)}" if total else problems.points_phrase(got)
            lines.append(f"{name or '(no name)'}, {subject}: {points}, {mark.reason or 'no reason'}; {change}")
    return tuple(lines)


def requested_scoring_changes(options: ScoreOptions, bank: Bank) -> response_scoring.DroppedItemsAndAcceptedResponses:
    """The changes that --drop and --accept request. Raises BadParameter for an unknown item or option."""
    texts_by_item = options.accepted_responses_by_item
    for option_name, names in (("--drop", sorted(set(options.dropped_items))), ("--accept", sorted(texts_by_item))):
        for name in names:
            if name not in bank.items:
                hint = did_you_mean(name, bank.items) or f"`quizgen list items --bank {bank.name}` names them all"
                raise click.BadParameter(f'no item "{shorten(printable(name))}"; {hint}', param_hint=option_name)
    for item, text in ((bank.items[name], text) for name in sorted(texts_by_item) for text in texts_by_item[name]):
        variant = item.draw(SeededRng(item.id, ""))
        option_texts = variant.option_texts_as_shown()
        if not option_texts or variant.drawn_log_values():  # no options, or different options in each variant
            continue
        if item.rebuild_variant({}, None).score(text).outcome is Outcome.UNREADABLE:  # no response could be that text
            list_text = "".join(f"\n  {shorten(printable(option), 100)}" for option in option_texts)
            instruction = f"write the text of one, since each form has its own order of them:{list_text}"
            hint = did_you_mean(text, option_texts) or instruction
            message = f'item "{item.id}" has no option "{shorten(printable(text))}"; {hint}'
            raise click.BadParameter(message, param_hint="--accept")
    return response_scoring.DroppedItemsAndAcceptedResponses(frozenset(options.dropped_items), texts_by_item)


def dropped_and_accepted_sentences(options: ScoreOptions) -> tuple[str, ...]:
    """One sentence for each dropped item and each accepted response."""
    pairs = ((name, text) for name, texts in sorted(options.accepted_responses_by_item.items()) for text in texts)
    drop_sentences = (f"{name} was dropped" for name in sorted(set(options.dropped_items)))
    return (*drop_sentences, *(f'{name}: "{text}" was accepted' for name, text in pairs))
