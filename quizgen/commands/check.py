"""`quizgen check`: the author's compiler."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import cache

import click

from quizgen import assemble, plugins
from quizgen import bank as banks
from quizgen.analysis.item_statistics import item_findings
from quizgen.analysis.report import make_report
from quizgen.assemble import may_draw_unnamed
from quizgen.bank.schema import GROUP_NAME_BY_FILE_KIND, file_kind_schema
from quizgen.cases.case import Case
from quizgen.cases.read import case_problems
from quizgen.commands.options import DEFAULT_BANK, choice_option, chosen_format, flag_option, notify, option
from quizgen.commands.score import LogSources, ScoreOptions, callbacks_of_run
from quizgen.commands.shared import ProgressLine, count_with_noun, folder_of_bank_or_part_if_found, kind_counts_text
from quizgen.draw import SeededRng
from quizgen.figures import FigureError, drawn_figure_of_kind
from quizgen.formula.author import failed_test_problems
from quizgen.model import ZERO, Bank, Blueprint, CheckedVariantCounts, Item, SampleResponse, Variant
from quizgen.render.images import UnusableImage, image_data_url, page_display_problems_of_items
from quizgen.scoring import log_files
from quizgen.scoring.score_logs import Executor, ScoringJob, open_scoring_run
from quizgen.source import yaml
from quizgen.source.problems import Location, Node, Problem, Unreadable, did_you_mean, printable


@click.command("check")
@click.argument("bank", nargs=-1, metavar="[BANK…]")
@choice_option("--format output_format", ["text", "json", "github"], "How to print.")
@flag_option("--json as_json", "The same as --format json.")
@flag_option("--quick", "Check the structure only: no proofs over variants, no tests of rubrics.")
@option(
    "--schema",
    "[FILE]",
    "Print the JSON Schema of a kind of file, for editors, and end: "
    f"{', '.join(GROUP_NAME_BY_FILE_KIND)} (default: items).",
    flag_value="items",
    type=click.Choice([*GROUP_NAME_BY_FILE_KIND]),
)
@option(
    "--with logs",
    "LOG…",
    "Also report what answer logs say about the items: difficulty and time that differ from the fields, distractors "
    "nobody takes, unexplained wrong values, criteria never or always met, disputes.",
    multiple=True,
)
@flag_option("--verbose -v", "Also report how many drawings each `require` passes.")
@flag_option("--quiet -q", "Problems only, no summary.")
def check_command(
    bank: tuple[str, ...], output_format: str, schema: str | None, logs: tuple[str, ...], as_json: bool, **flags: bool
) -> int:
    """Find everything wrong with banks, in one run.

    Every problem is one line, `path:line:column: ITEM: what is wrong; what to do`. Numeric keys
    are proven over every variant and rubrics are tried on their own model answers. Exit code 1
    where there is a problem (a warning is none), 3 where nothing could be read.

    Example: quizgen check banks/distributed-training
    """
    if schema:
        groups = (("item", plugins.KIND_GROUP), ("drawn-figure", plugins.FIGURE_GROUP))
        plugin_names = {node_type: plugins.plugin_names_in_group(group) for node_type, group in groups}
        click.echo(json.dumps(file_kind_schema(schema, plugin_names), indent=2))
        return 0
    output_format = chosen_format(output_format, as_json)
    problems: list[Problem] = []
    unreadable_count = 0
    summary: list[str] = []
    if logs:
        name, problems, notes = bank_log_findings_summary(bank, logs)
        bank, summary = (name,), [notes]
    bank = bank or (DEFAULT_BANK,)
    for argument in bank:
        try:
            bank_problems, lines, is_readable = problems_lines_readability(argument, flags["quick"], flags["verbose"])
        except banks.BankNotFound as error:
            bank_problems, lines, is_readable = [Problem(Location(argument, 1, 1), str(error))], [], False
        problems += bank_problems
        unreadable_count += not is_readable
        summary += lines
    print_problems(sorted(problems, key=lambda p: (p.location, p.message)), output_format)
    count = sum(p.severity != "warning" for p in problems)
    if not flags["quiet"] and output_format == "text":
        notify(*summary, f"{count_with_noun(count, 'problem')}, {count_with_noun(len(problems) - count, 'warning')}")
    return 3 if unreadable_count == len(bank) else 1 if count else 0


def problems_lines_readability(bank_argument: str, quick: bool, verbose: bool) -> tuple[list[Problem], list[str], bool]:
    """All problems of one bank, the lines of its summary, and whether it could be read at all."""
    loaded_bank = banks.load_bank(bank_argument, parses_everything=True)
    problems = list(loaded_bank.problems)
    if (bank := loaded_bank.bank) is None:
        return problems, [], not loaded_bank.has_unopenable_files
    parts = kind_counts_text(bank.items.values())
    formulas = count_with_noun(len(bank.formulas), "formula")
    lines = [f"{bank_argument}: {count_with_noun(len(bank.items), 'item')} ({parts}), {formulas}"]
    if not quick:
        items, bar = bank.items, ProgressLine(0, sys.stderr, True)
        faults, counts = prove_and_count_drawings(bank, lambda done: bar.show_stage_progress("items", done, len(items)))
        # A section may be short only of the items that are left out as faulty.
        hint = "mend the faulty items first" if loaded_bank.refused_item_ids else ""
        problems += [p if p.item_id else p._replace(hint=hint or p.hint) for p in faults]
        failed_ids = {p.item_id for p in faults if p.severity == "failure"}  # may have no solution to show
        sound_items = (items[name] for name in items.keys() - failed_ids)
        problems += page_display_problems_of_items(sound_items, bank.folder, locations_of_text_in_item)
        tried_count, possible_count, passing_count = map(sum, zip(*map(astuple, counts.values()), strict=True))
        lines.append(f"{bank_argument}: variants proven: {tried_count:,} of {possible_count:,}")
        if conditional_ids := [name for name in counts if getattr(items[name], "conditions", ())]:
            share = f"({100 * passing_count / tried_count:.0f} %)"
            lines.append(f"{bank_argument}: require passes {passing_count:,} of {tried_count:,} drawings {share}")
        for name in conditional_ids if verbose else ():
            passing_count, tried_count = counts[name].tried_and_allowed_count, counts[name].tried_count
            lines.append(f"  {name}: require passes {passing_count:,} of {tried_count:,}")
    return problems, list(map(printable, lines)), True


def print_problems(problems: list[Problem], output_format: str) -> None:
    """Print the problems in the requested format."""
    if output_format == "json":
        rows = [
            {**p.location._asdict(), "item": p.item_id or None, "severity": p.severity.replace("failure", "error")}
            | {"message": p.message, "hint": p.hint}
            for p in problems
        ]
        click.echo(json.dumps({"version": 1, "problems": rows}, indent=2, ensure_ascii=True))
        return
    for problem in problems:
        if output_format == "github":
            place = f"file={problem.location.path},line={problem.location.line},col={problem.location.column}"
            text = str(problem).partition(": ")[2].replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
            click.echo(printable(f"::{problem.severity.replace('failure', 'error')} {place}::{text}"))
        else:
            click.echo(printable(str(problem)))


def bank_log_findings_summary(banks_and_logs: tuple[str, ...], logs: tuple[str, ...]) -> tuple[str, list[Problem], str]:
    """The name of the bank (the logs' own if none is named), a warning for each finding of the logs about its items,
    and a summary in one line. In `--with a.jsonl b.jsonl`, click takes the second file for a bank: what is no YAML is a
    log. Raises Unreadable if nothing can be scored."""
    stray_logs = tuple(n for n in banks_and_logs if os.path.isfile(n) and not n.endswith((".yaml", ".yml")))
    bank_names, logs = [name for name in banks_and_logs if name not in stray_logs], (*logs, *stray_logs)
    if len(bank_names) > 1:
        raise click.UsageError("--with checks one bank; check further banks without it")
    bank_name = next(iter(bank_names), None)
    files = log_files.find_log_paths(logs)
    sources = LogSources(ScoreOptions(log_paths=logs, bank_name=bank_name), files)
    bank = sources.bank
    folders = {folder_of_bank_or_part_if_found(name) or name for name in sources.log_banks.folder_by_bank}
    if bank_name is None and len(folders) > 1:
        raise Unreadable(f"the logs are of {len(folders)} banks; name the bank to check")
    seed = sources.manifest.exam_seed if sources.manifest is not None else ""
    forms = sources.source_numbers_with_one_form_per_candidate()
    names, items = sources.source_names, bank.item_or_turn_by_id
    job = ScoringJob(items, bank.digest, exam_seed=seed, source_names=names, one_form_per_candidate_sources=forms)
    with open_scoring_run(job, sources.unread_blocks, Executor(), "last", callbacks_of_run(sources, str, [])) as run:
        if not run.line_counts.candidate_count:
            raise Unreadable(f"nothing in {printable(', '.join(logs))} could be scored with {printable(bank.name)}")
        report = make_report(run, bank, attempt_rule="last", source_names=sources.source_names)
        items, figures = bank.item_or_turn_by_id, report.statistics
    findings = [
        Problem(item_field_location(items[f.item_id], f.path_to_field), f.message, f.hint, f.item_id, "warning")
        for f in item_findings(items, figures, report.dispute_count_by_item_criterion)
        if f.item_id in items  # a dispute may be about another bank's
    ]
    count = count_with_noun(report.line_counts.counted_response_count, "response")
    text = f"{count} to {count_with_noun(len(figures.item_statistics), 'item')} in {count_with_noun(len(files), 'log')}"
    return bank.name, findings, f"{bank.name}: {text}; {count_with_noun(len(findings), 'finding')}"


def item_field_location(item: Item, path_to_field: tuple[str, ...]) -> Location:
    """The place in a file of an item's field. `path_to_field` holds names, which lead into mappings, and texts or ids,
    which lead to the list entry that has them. Ends at the last step that exists."""
    node = next((n for n in _nodes_of_items_and_turns_in_file(item.location.path) if n.location == item.location), None)
    if node is None:
        return item.location
    for step in path_to_field:
        if isinstance(node.value, dict):
            child = node.value.get(step)
        else:
            entries = node.value if isinstance(node.value, list) else []
            parts = ((e, e.value.values() if isinstance(e.value, dict) else (e,)) for e in entries)
            child = next((entry for entry, texts in parts if any(text.value == step for text in texts)), None)
        if child is None:
            break
        node = child
    return node.location if node.location == item.location else Location(node.doc.path, node.key_line, node.key_column)


def locations_of_text_in_item(item: Item, text_part: str) -> list[Location]:
    """The places of all texts in an item that contain `text_part`; that of the item if none does."""
    nodes = [node for node in _nodes_of_items_and_turns_in_file(item.location.path) if node.location == item.location]
    for node in nodes:  # the list grows by the parts of each node
        if not isinstance(node.value, str):
            nodes += node.value if isinstance(node.value, list) else node.value.values()
    texts = (node for node in nodes if isinstance(node.value, str))
    return [node.location for node in texts if text_part in node.value] or [item.location]


@cache
def _nodes_of_items_and_turns_in_file(path: str) -> tuple[Node, ...]:
    """The items of a file, including the turns of its cases."""
    top, _ = yaml.read_yaml_with_problems(path)
    fields = top.value if top is not None and isinstance(top.value, dict) else {}
    entries = [n for name in ("items", "cases") if name in fields for n in fields[name].entries(name)]
    cases = (entry.value for entry in entries if isinstance(entry.value, dict))
    return (*entries, *(turn for case in cases if "turns" in case for turn in case["turns"].entries()))


SEED_FOR_CHECK_DRAWINGS = "proof"
DRAWINGS_TRIED_PER_FIGURE = 40


def prove_and_count_drawings(
    bank: Bank, report_progress: Callable[[int], None]
) -> tuple[list[Problem], dict[str, CheckedVariantCounts]]:
    """The problems that proofs of all formulas and items of a bank find, and the numbers of drawings by item id.
    `report_progress` is called with the number of items proven so far."""
    problems: list[Problem] = []
    for name in bank.formulas:
        formula = bank.formulas.get(name)  # a faulty formula is absent; its errors were reported when the bank was read
        problems += [p._replace(item_id=p.item_id or name) for p in failed_test_problems(formula)] if formula else []
    for blueprint in bank.blueprint_by_name.values():
        problems += problems_of_first_unfillable_section(bank, blueprint)
        if blueprint.logo_path and blueprint.logo_field_location is not None:
            try:
                image_data_url(bank.folder, blueprint.logo_path)
            except UnusableImage as error:
                message, _, hint = str(error).partition("; ")
                problems.append(Problem(blueprint.logo_field_location, f"the logo {message}", hint, severity="failure"))
    for case in bank.case_by_id.values():
        if isinstance(case, Case):
            problems += case_problems(case)
    counts: dict[str, CheckedVariantCounts] = {}
    for number, item in enumerate(bank.items.values(), 1):
        of_item = [*item.find_problems(), *undrawable_figure_problems(item)]
        if not any(p.severity == "failure" for p in of_item):
            of_item += problems_of_first_misscored_sample(item, bool(of_item))
        problems += of_item
        counts[item.id] = item.checked_variant_counts()
        report_progress(number)
    return problems, counts


def undrawable_figure_problems(item: Item) -> Iterator[Problem]:
    """Yields a problem for each figure of an item that one of its variants cannot draw; some drawings are tried."""
    for spec in filter(None, (item.stem_figure, item.solution_figure)):
        for number in range(DRAWINGS_TRIED_PER_FIGURE):
            variant = assemble.draw_variant(item, str(number))
            try:
                settings = spec.settings_with_amounts(variant.figure_amounts(spec is item.solution_figure))
                drawn_figure_of_kind(spec.kind, settings, spec.alt)
            except FigureError as error:
                yield Problem(spec.location, str(error), error.hint, item.id, "failure")
                break


def problems_of_first_unfillable_section(bank: Bank, blueprint: Blueprint) -> Iterator[Problem]:
    """Yields the first section of a blueprint that the bank cannot fill, so that `mock` and `exam` would refuse it.
    Unknown items were reported when the bank was read."""
    items = bank.items.values()
    if any(name not in bank.items for section in blueprint.sections for name in section.required_ids):
        return
    gaps = (s for s in blueprint.sections if not s.required_ids and not any(may_draw_unnamed(i, s) for i in items))
    if (section := next(gaps, None)) is not None:
        topics = sorted({item.topic for item in items})
        hints = (did_you_mean(topic, topics) for topic in section.topics if topic not in topics)
        message = f"no item{assemble.section_filter_text(section)}"
        hint = next(filter(None, hints), "widen the section or write such an item")
    else:
        try:
            assemble.select_with_section_index(bank, blueprint, SEED_FOR_CHECK_DRAWINGS)
            return
        except assemble.CannotAssemble as error:
            section = blueprint.sections[error.section_index or 0]
            message, _, hint = str(error).partition("; ")
    yield Problem(section.location or Location(bank.folder, 1, 1), message, hint, severity="failure")


def problems_of_first_misscored_sample(item: Item, skip_lints: bool) -> Iterator[Problem]:
    """A problem for the first sample answer that scores otherwise than its author says. `skip_lints`: lints about
    the same text were already reported."""
    variant = item.draw(SeededRng(item.id, SEED_FOR_CHECK_DRAWINGS))
    for sample in variant.samples():
        fault = "" if skip_lints and sample.is_from_author else sample_score_fault_message(variant, sample)
        if fault:
            level = "warning" if sample.is_from_author else "failure"
            yield Problem(item.location, fault, "the item does not score its own sample as it should", item.id, level)
            return


def sample_score_fault_message(variant: Variant, sample: SampleResponse) -> str:
    """The mistake in the score of a sample answer; empty if there is none."""
    score = variant.score(sample.response)
    if not ZERO <= score.earned <= score.possible:
        return f"{sample.response!r} earns {score.earned} of {score.possible}"
    if score.outcome is not sample.outcome:
        return f"{sample.response!r} is {score.outcome}, not {sample.outcome}"
    if sample.expected_points is not None and score.earned != sample.expected_points:
        return f"{sample.response!r} earns {score.earned}, not {sample.expected_points}"
    return ""
