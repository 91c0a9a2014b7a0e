"""`quizgen rubric`: measures and improves rubrics against human scores and candidates' disputes."""

from __future__ import annotations

import gzip
import json
import sys
import textwrap
import zlib
from collections.abc import Mapping
from dataclasses import asdict

import click

from quizgen.commands import shared
from quizgen.commands.options import flag_option, int_option, notify, option
from quizgen.commands.shared import count_with_noun, read_file_bytes, rubrics_by_item_id
from quizgen.render.text import plain_text_template
from quizgen.rubric import authoring
from quizgen.rubric.authoring import GradedRow
from quizgen.rubric.rubric import Rubric
from quizgen.rubric.score import score_text
from quizgen.session import session_log
from quizgen.source.problems import Unreadable, printable, shorten

MAX_LISTED_BAD_LINES = 20
_JSON_KEY_BY_FIELD = {
    "row_count": "rows", "unmatched_row_count": "unmatched", "kappa_step_count": "bins", "rubric_agreement": "rubric",
    "category_means": "types", "item_ids_counts_correlations": "items", "largest_disagreements": "worst",
    "line_number": "line", "error_rates_of_all_criteria": "hand", "mean_correlation_within_items": "within",
    "mean_rubric_share_of_all_rows": "mean", "item_id": "item", "human_share": "human", "rubric_share": "earned",
    "mean_human_share": "human", "mean_rubric_share": "rubric", "false_full_credit_rate": "false_credit",
    "no_credit_mark_count": "nothing", "false_denial_rate": "false_denial", "full_credit_mark_count": "everything",
    "category": "type", "pearson_correlation": "r", "root_mean_square_error": "rmse",
    "quadratic_weighted_kappa": "kappa", "rubric_marks_text": "because",
}  # fmt: skip


@click.group("rubric", subcommand_metavar="COMMAND [ARGS]…")
def rubric_command() -> None:
    """Measure and improve rubrics against human scores.

    GRADED is a JSON Lines file (or - for standard input): one answer a line with `item` (or
    `question_id`), `answer`, `score` and `max_score` (or `hand`), and optionally `question`, `type` and
    `criteria` ({id: true or false}).

    Example: quizgen rubric eval my-bank graded.jsonl
    """


@rubric_command.command("disputes", short_help="List the marks that candidates dispute.")
@click.argument("logs", nargs=-1, required=True, metavar="LOG…")
@option("--bank", "BANK", "The bank of the logs (default: as each log says).")
@flag_option("--json as_json", "Print JSON.")
def disputes_command(logs: tuple[str, ...], bank: str | None, as_json: bool) -> None:
    """List the marks that candidates dispute, the most disputed first.

    For each mark: how many answers dispute it, the words that were marked (the most frequent first), a phrase of
    those words that would meet the criterion, and which other answers it would change. This command changes nothing:
    put the phrase into `accept`, and see what moves with `quizgen score LOG… --against OLD-BANK BANK`.

    Example: quizgen rubric disputes sessions/*.jsonl
    """
    rows = authoring.group_disputes_by_criterion(*_disputes_answers_and_rubrics_of_logs(logs, bank))
    if as_json:
        criteria = [
            {
                "item": row.item_id, "criterion": row.criterion_id, "disputed": row.disputed_answer_count,
                "answered": row.distinct_answer_count, "upward": row.credit_claim_count,
                "quotes": [{"words": words, "times": times} for words, times in row.quotes_and_counts],
                "phrase": row.suggested_phrase or None, "changes": row.newly_met_other_answer_count,
            }
            for row in rows
        ]  # fmt: skip
        click.echo(json.dumps({"version": 1, "criteria": criteria}, indent=2, ensure_ascii=False))
        return
    if not rows:
        notify("no mark is disputed here; candidates dispute with d in the debrief, or quizgen debrief --dispute")
    click.echo(plain_text_template("disputes.txt", count=count_with_noun).render(rows=rows), nl=False)


def _disputes_answers_and_rubrics_of_logs(
    logs: tuple[str, ...], bank: str | None
) -> tuple[list[authoring.CandidateDispute], dict[str, list[str]], dict[str, Rubric]]:
    """The disputes in all sessions of the logs, the different answers to each item, and the rubric of each item. `bank`
    None: the bank that each session names."""
    rubrics: dict[str, Rubric] = {}
    answers: dict[str, list[str]] = {}
    claims: list[authoring.CandidateDispute] = []
    for logged_session in (s for name in logs for s in session_log.sessions_in_log_content(read_file_bytes(name))):
        bank_rubrics = rubrics_by_item_id(bank or str(logged_session.first_record.get("bank", "")))
        rubrics |= bank_rubrics
        disputes = session_log.last_dispute_by_criterion_id_by_item_id(logged_session)
        for item, line in logged_session.last_response_record_by_item_id.items():
            text = session_log.parse_logged_response(line.get("response"))
            if item not in bank_rubrics or not isinstance(text, str) or not text.strip():
                continue
            if text not in answers.setdefault(item, []):
                answers[item].append(text)
            criterion_ids = {criterion.id for criterion in bank_rubrics[item].criteria}
            for d in disputes.get(item, {}).values():
                if d.criterion_id in criterion_ids:
                    quote = text[d.quote_start : d.quote_end]
                    claims.append(authoring.CandidateDispute(item, d.criterion_id, text, quote, d.claimed_share_word))
    return claims, answers, rubrics


@rubric_command.command("eval", short_help="Compare rubrics with human scores.")
@click.argument("bank")
@click.argument("graded", nargs=-1, required=True, metavar="GRADED…")
@int_option("--worst", 0, None, "How many of the worst disagreements to show.", default=10, show_default=True)
@flag_option("--json as_json", "Print JSON.")
def eval_command(bank: str, graded: tuple[str, ...], worst: int, as_json: bool) -> None:
    """Compare the rubrics of BANK with the human scores of GRADED.

    A line may hold a `type` of answer: the mean of each type is reported; and in the place of a score `hand`
    ({criterion: 0 to 1}): false credit and false denial are reported too.

    Example: quizgen rubric eval my-bank graded.jsonl
    """
    rows, items = _read_graded_rows_and_rubrics(graded, bank)
    agreement = authoring.evaluate_rubrics(rows, items, limit=worst)
    if as_json:
        report = asdict(agreement, dict_factory=lambda pairs: {_JSON_KEY_BY_FIELD.get(k, k): v for k, v in pairs})
        click.echo(json.dumps({"version": 1, **report}, indent=2))
    else:
        template = plain_text_template("agreement.txt", count=count_with_noun, shorten=shorten)
        click.echo(template.render(found=agreement), nl=False)


@rubric_command.command("suggest", short_help="List wordings of right answers that rubrics miss.")
@click.argument("bank")
@click.argument("graded", nargs=-1, required=True, metavar="GRADED…")
@int_option("--most", 0, None, "Places to show for each item.", default=8, show_default=True)
def suggest_command(bank: str, graded: tuple[str, ...], most: int) -> None:
    """List wordings of right answers that a criterion misses, the likeliest first.

    Each is a word for the one slot that was not found, with what it would change among all answers. Marks by hand
    (`hand` or `criteria`) say which criterion an answer deserves; without them, its score stands for all criteria.

    Example: quizgen rubric suggest my-bank graded.jsonl
    """
    rows, items = _read_graded_rows_and_rubrics(graded, bank)
    suggestions = authoring.suggest_wordings_for_items(rows, items, max_per_item=most)
    if not suggestions:
        notify("nothing to suggest: the rubrics find everything in the right answers, or no word in them would help")
    click.echo(plain_text_template("suggest.txt", count=count_with_noun).render(found=suggestions), nl=False)


@rubric_command.command("draft", short_help="Make a first rubric from a model answer, to edit.")
@click.argument("bank", required=False)
@click.argument("item", required=False)
@option("--stem", "", "The stem, where no item is named.", default="")
@option("--model-answer", "", "The model answer, or - for standard input.")
def draft_command(bank: str | None, item: str | None, stem: str, model_answer: str | None) -> None:
    """Make a first rubric from a model answer, to edit: `draft BANK ITEM` or with --model-answer.

    Example: quizgen rubric draft --stem "What is a fork?" --model-answer "A copy of a repository."
    """
    if bank is not None:
        if item is None or stem or model_answer is not None:
            raise click.UsageError("give BANK and ITEM, or --model-answer TEXT and --stem TEXT without them")
        bank_item = shared.find_item_by_id(shared.load_usable_bank(bank), item)
        stem, model_answer = bank_item.stem, str(getattr(bank_item, "model_answer", ""))
        if not model_answer:
            kind = "" if bank_item.kind == "text" else f"is of kind {bank_item.kind} and "
            raise click.UsageError(f"{bank_item.id} {kind}has no model_answer; give one with --model-answer TEXT")
    if model_answer == "-":
        model_answer = sys.stdin.read()
    if not model_answer:
        raise click.UsageError("give BANK and ITEM with a model answer, or --model-answer TEXT")
    click.echo(printable(draft_rubric_yaml(stem, model_answer)))


def draft_rubric_yaml(stem_text: str, model_answer: str) -> str:
    """The suggested criteria as the `rubric:` of an item, ready to paste; empty without a usable word."""
    entries = [
        f"    - id: {criterion.id}\n      points: 1\n      say: {json.dumps(criterion.statement, ensure_ascii=False)}\n"
        f"      accept:\n        - {json.dumps(criterion.accepted_phrases[0].text, ensure_ascii=False)}\n"
        for criterion in authoring.criteria_from_model_answer(stem_text, model_answer)
    ]
    return "".join(["rubric:\n  criteria:\n", *entries]) if entries else ""


@rubric_command.command("answer", short_help="Turn a line of a log into an answer beside its item.")
@click.argument("bank")
@click.argument("place", metavar="LOG:LINE")
@option(
    "--earns",
    "SHARE",
    "What the answer deserves: all, none, a share such as 50%, or criteria (default: what it earns now).",
)
def print_log_line_as_example_answer_command(bank: str, place: str, earns: str | None) -> None:
    """Print a logged response as an entry of its item's `answers:`, ready to paste.

    LINE is the number that reports and `quizgen score --format jsonl` give. The entry says what the answer earns now
    unless --earns says what it deserves; `quizgen check` then holds the rubric to it.

    Example: quizgen rubric answer my-bank session.jsonl:12 --earns none
    """
    log, _, number = place.rpartition(":")
    if not log or not number.isdecimal():
        raise click.UsageError(f"{printable(place)} does not name a line; write LOG:LINE, such as session.jsonl:12")
    row = dict(session_log.numbered_log_records(read_file_bytes(log))).get(int(number)) or {}
    item, text, rubrics = str(row.get("item")), row.get("response"), rubrics_by_item_id(bank)
    if not isinstance(text, str) or not text.strip():
        raise Unreadable(f"{printable(place)} has no written response; name a line with `item` and `response`")
    if item not in rubrics:
        raise click.UsageError(f'"{printable(shorten(item))}" is not a text item of the bank')
    score = score_text(rubrics[item], text)
    share = score.earned / score.possible
    actual_earnings = "all" if share == 1 else "none" if not share else f"{float(100 * share):.0f}%"
    earnings = earns or actual_earnings
    lines, style = [" ".join(line.split()) for line in text.strip().splitlines()], "|-"  # line breaks are kept
    if len(lines) == 1:
        lines, style = textwrap.wrap(lines[0], 104, break_long_words=False, break_on_hyphens=False), ">-"
    entry = [f"- earns: [{earnings}]" if "," in earnings else f"- earns: {earnings}", f"  text: {style}"]
    click.echo(f"# {item}: it earns {actual_earnings} now")
    click.echo(printable("\n".join([*entry, *(f"    {line}".rstrip() for line in lines)])))


def _read_graded_rows_and_rubrics(paths: tuple[str, ...], bank: str) -> tuple[list[GradedRow], Mapping[str, Rubric]]:
    """The rows that can be read, and the bank's rubrics; bad lines are named. Raises Unreadable if no row belongs to a
    rubric."""
    rows: list[GradedRow] = []
    for path in paths:
        try:
            with click.open_file(path, "rb") as file:
                lines = gzip.GzipFile(fileobj=file) if path.endswith(".gz") else file
                read = list(authoring.rows_and_line_faults(line.decode("utf-8", "backslashreplace") for line in lines))
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or error
            raise Unreadable(f"{printable(path)} cannot be read: {reason}; check its name") from None
        rows += [row for row in read if isinstance(row, GradedRow)]
        faults = [row for row in read if not isinstance(row, GradedRow)]
        name = "standard input" if path == "-" else path
        notify(*(f"{name}:{number}: {reason}" for number, reason in faults[:MAX_LISTED_BAD_LINES]))
        if hidden_count := len(faults) - len(faults[:MAX_LISTED_BAD_LINES]):
            notify(f"{name}: {count_with_noun(hidden_count, 'more line')} could not be read")
    if not rows:
        hint = "write one JSON object per line: item, answer, score, max_score"
        raise Unreadable(f"no graded answer could be read; {hint}")
    items = rubrics_by_item_id(bank)
    if not authoring.item_rows_unmatched_count(rows, items)[0]:
        count = count_with_noun(len(rows), "graded answer")
        raise Unreadable(f"none of {count} belongs to a text item of the bank; give its id in `item`")
    return rows, items
