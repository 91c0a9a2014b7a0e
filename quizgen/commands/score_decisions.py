"""People's decisions for `quizgen score` (marks, dropped items, accepted responses), and the scores that they
change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING

import click

from quizgen.analysis.report import candidate_results_of_run
from quizgen.commands.options import notify
from quizgen.commands.score_options import ScoreOptions
from quizgen.commands.shared import open_whole_bank
from quizgen.draw import SeededRng
from quizgen.model import Bank, Item, Outcome
from quizgen.scoring.exam_answers import Manifest
from quizgen.scoring.marks_file import UNUSABLE_ROW_KEY, Decisions, read_mark_decisions
from quizgen.scoring.overrides import Override, ScoringChanges, marking_page_candidate_key
from quizgen.scoring.response import UNITS_PER_POINT
from quizgen.scoring.response_table import blob_to_text
from quizgen.scoring.run import RunListener, RunResult
from quizgen.scoring.score_lines import OverriddenResponse, ScoringJob
from quizgen.source.problems import Unreadable, did_you_mean, points_decimal, points_phrase, printable, shorten
from quizgen.spreadsheet import text_after_sheet_round_trip

if TYPE_CHECKING:
    from quizgen.render.report_changes import CandidateScoreChange


def read_marks_files(
    paths: Sequence[str], items: Mapping[str, Item], manifest: Manifest | None, forms: Mapping[str, str]
) -> Decisions:
    """The decisions in the marks files `paths`, by (candidate, item id). `forms`: the code of each candidate's form.
    Raises Unreadable for a file that holds no marks."""
    decisions: Decisions = {}
    for path in dict.fromkeys(paths):
        for key, ones in read_mark_decisions(path, items, manifest, forms).items():
            decisions[key] = (*decisions.get(key, ()), *ones)
    return decisions


def require_marks_fit_responses(run_result: RunResult) -> None:
    """Raises Unreadable with a line for each row of a marks file that fits no response or cannot be applied."""
    if not run_result.job.overrides:
        return
    wrong = [why for one in run_result.overridden_responses for why in one.faults] + _unmatched_mark_messages(
        run_result
    )
    if wrong:
        raise Unreadable("\n".join([*dict.fromkeys(wrong), "nothing was scored; fix the marks first"]))
    other = Counter(f"{one.item} {why}" for one in run_result.overridden_responses for why in one.rescaling_notes)
    if other:
        listed = "; ".join(f"{what} ({many})" for what, many in sorted(other.items()))
        notify(f"marks with another maximum than the response has here were read as shares: {listed}")


def _unmatched_mark_messages(run_result: RunResult) -> list[str]:
    """One message for each decision that fits no response of the run, with its place and the reason."""
    job = run_result.job

    def marks_with_names(names: Iterable[str]) -> dict[str, str]:
        return {f"\0{marking_page_candidate_key(job.exam_seed, name)}": name for name in names} if job.exam_seed else {}

    met = {(text_after_sheet_round_trip(one.candidate), one.item) for one in run_result.overridden_responses}
    met |= {(key, one.item) for one in run_result.overridden_responses for key in marks_with_names([one.candidate])}
    lost = [key for key in job.overrides if key not in met]
    if not lost:
        return []
    labels = (blob_to_text(who) for (who,) in run_result.table.select_rows("SELECT who FROM person"))
    names = {label[1:] if label[0] in "cs" else "" for label in labels}
    known = names | marks_with_names(names).keys()
    messages = {key: _unmatched_message(*key, names, known) for key in lost}
    return [f"{one.place}: {message}" for key, message in messages.items() for one in job.overrides[key]]


def _unmatched_message(candidate: str, item_or_fault: str, known_names: set[str], known_ids: set[str]) -> str:
    if candidate == UNUSABLE_ROW_KEY:
        return item_or_fault
    if candidate in known_ids:
        return f"the candidate has no response to {item_or_fault}, not even a blank one; fix the row"
    if candidate.startswith("\0"):
        return "no candidate of this run has that key; give the answers from which the page was made"
    if not candidate:
        return "candidate is missing; write the one that the log has"
    hint = did_you_mean(candidate, known_names) or "fix the row"
    return f'no candidate "{shorten(printable(candidate))}" in what is scored; {hint}'


def counted_decision_lines(run_result: RunResult) -> tuple[str, ...]:
    """One line for each decision that counts, with the response's points before and after; lines with different points
    come first."""
    job = run_result.job
    moved = [one for one in run_result.overridden_responses if one.id >= 0]
    if not moved:
        return ()
    ids = {one.id for one in moved}
    rows = run_result.table.select_rows("SELECT c.response, p.who FROM counted c JOIN person p ON p.id = c.person")
    counted = {id_: blob_to_text(who)[1:] for id_, who in rows if id_ in ids}
    ordered = sorted(moved, key=lambda one: (one.units_before == one.units_after, one.candidate, one.item, one.id))
    standing = [one for one in ordered if one.id in counted and one.candidate in ("", counted[one.id])]
    overrides = (job.overrides_of(one.candidate, one.item) for one in standing)
    return tuple(chain.from_iterable(map(_decision_lines_of, standing, overrides)))


def _decision_lines_of(overridden_response: OverriddenResponse, overrides: Sequence[Override]) -> Iterator[str]:
    """Yields a line for each decision that gives points to a response, or only that of the decision on the whole
    response, if there is one."""
    units = (overridden_response.units_before, overridden_response.units_after)
    before, after = (points_decimal(Fraction(number, UNITS_PER_POINT)) for number in units)
    change = "no point changed" if before == after else f"the response's points {before} -> {after}"
    given = [override for override in overrides if override.earned is not None]
    for override in [override for override in given if not override.criterion] or given:
        what = f"{overridden_response.item}, {override.criterion}" if override.criterion else overridden_response.item
        earned = override.earned or Fraction(0)
        whole = override.points_out_of
        points = f"{points_decimal(earned)} of {points_decimal(whole)}" if whole else points_phrase(earned)
        candidate = overridden_response.candidate or "(no name)"
        yield f"{candidate}, {what}: {points}, {override.reason or 'no reason'}; {change}"


def requested_scoring_changes(options: ScoreOptions, bank: Bank) -> ScoringChanges:
    """The changes that --drop and --accept request. Raises BadParameter for an unknown item or option."""
    for option, names in (("--drop", sorted(set(options.drop))), ("--accept", sorted(options.accept))):
        for name in names:
            if name not in bank.items:
                hint = did_you_mean(name, bank.items) or f"`quizgen list items --bank {bank.name}` names them all"
                raise click.BadParameter(f'no item "{shorten(printable(name))}"; {hint}', param_hint=option)
    for name in sorted(options.accept):
        for text in options.accept[name]:
            _require_option_of_item(bank.items[name], text)
    return ScoringChanges(frozenset(options.drop), options.accept)


def _require_option_of_item(item: Item, option_text: str) -> None:
    """Raises BadParameter if `option_text` is not an option of the choice item, as no response could be that text."""
    drawn = item.draw(SeededRng(item.id, ""))
    options = drawn.options_in_order()
    if not options or drawn.drawn_value_texts():  # no options, or different options in each variant
        return
    if item.redraw({}, None).score(option_text).outcome is not Outcome.UNREADABLE:
        return
    hint = did_you_mean(option_text, options)
    if not hint:
        listed = "".join(f"\n  {shorten(printable(option), 100)}" for option in options)
        hint = f"write the text of one, since each form has its own order of them:{listed}"
    message = f'item "{item.id}" has no option "{shorten(printable(option_text))}"; {hint}'
    raise click.BadParameter(message, param_hint="--accept")


ScoreLogsFunction = Callable[[ScoringJob, RunListener], RunResult]  # scores the logs of a run by a job


def item_decision_sentences(options: ScoreOptions) -> tuple[str, ...]:
    """One sentence for each dropped item and each accepted response."""
    decisions = [f"{name} was dropped" for name in sorted(set(options.drop))]
    for name in sorted(options.accept):
        decisions.extend(f'{name}: "{text}" was accepted' for text in options.accept[name])
    return tuple(decisions)


def write_score_changes(
    options: ScoreOptions, job: ScoringJob, bank: Bank, names: Sequence[str], score_logs: ScoreLogsFunction,
    listener: RunListener, write: Callable[[str], None],
) -> int:  # fmt: skip
    """Scores the logs by the old and the new rules, and writes the scores that differ. Damaged lines are reported once.
    Returns exit code 0. Raises UsageError or Unreadable."""
    from quizgen.render.report_changes import CHANGE_WRITERS, compare_scores

    if options.output_format not in CHANGE_WRITERS:
        hint = "" if options.against else "; --apply gives the whole report by the new rules in any format"
        raise click.UsageError(
            f"a list of changes is written as {', '.join(CHANGE_WRITERS)}, not {options.output_format}{hint}"
        )
    if "-" in options.logs:
        raise Unreadable("this command reads the log twice: give a file, not standard input")
    before, old = job, bank
    if options.against is not None:
        old = open_whole_bank(options.against[0])
        before, job = replace(job, items=old.items, bank_digest=old.digest), replace(job, old_bank_items=old.items)
    before, after = (
        replace(one, keeps_texts=True, keeps_marks=True, keeps_statistics=False, writes_lines=False, keeps_rows=True)
        for one in (replace(before, changes=ScoringChanges()), job)
    )
    parts = [f"{old.name} ({old.digest[:19]}) to {bank.name} ({bank.digest[:19]})"] if options.against else []
    parts += [
        " ".join(text.rsplit(" was ", 1)) for text in item_decision_sentences(options)
    ]  # a heading, and no sentence
    quiet = RunListener(on_output=listener.on_output)
    with score_logs(before, quiet) as olds, score_logs(after, listener) as news:
        require_marks_fit_responses(news)
        if not olds.line_counts.responses and not news.line_counts.responses:
            raise Unreadable("nothing could be scored; name logs with responses to items of the bank")
        compared = compare_scores(candidate_results_of_run(olds, names), candidate_results_of_run(news, names))
        moved: set[str] = set()
        CHANGE_WRITERS[options.output_format](_collect_item_ids(compared, moved), "Changes: " + "; ".join(parts), write)
    for name in sorted(set(options.drop) - moved):
        notify(f"{name}: dropping it changes nothing: no response that counts is to this item")
    for name in sorted(options.accept.keys() - moved - set(options.drop)):
        notify(f"{name}: accepting that changes nothing: no counted response with this text earned less")
    return 0


def _collect_item_ids(
    changes: Iterable[CandidateScoreChange | None], item_ids: set[str]
) -> Iterator[CandidateScoreChange | None]:
    """Yields the same changes, and adds the ids of their items to `item_ids`."""
    for change in changes:
        item_ids.update(one.item_id for one in (change.item_changes if change else ()))
        yield change
