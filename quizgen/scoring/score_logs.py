"""Scores logs: blocks of lines are scored here or elsewhere, their rows go into one table, and the responses that count
are chosen.

The result of a block depends only on the block and the job, in any process. A `ScoredBlock` has rows for the table of
responses (`response_table`) and remarks on lines. Rows are read in the order of the lines, and sums are of whole
numbers, so a report does not depend on which worker scored which block."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from json.encoder import encode_basestring_ascii as quoted
from operator import attrgetter, itemgetter
from typing import Any
from zlib import crc32

from quizgen.answer_areas import selected_option_texts
from quizgen.bank.index import unload_items
from quizgen.model import Item, Response
from quizgen.scoring import log_lines as log
from quizgen.scoring import response as response_scoring
from quizgen.scoring import response_table
from quizgen.scoring.log_files import LogBlock
from quizgen.scoring.log_lines import BadInput, epoch_seconds
from quizgen.scoring.response import DroppedItemsAndAcceptedResponses, Override, points_in_units
from quizgen.scoring.response_table import LINE_NUMBER_BITS, LINE_NUMBER_MASK, ResponseTable, json_text, text_to_utf8
from quizgen.scoring.scorer import ItemOptionsAndKey, Scorer, VariantNotDetermined, Verdict, item_options_and_key
from quizgen.source.problems import did_you_mean, printable, shorten
from quizgen.spreadsheet import text_after_sheet_round_trip

MAX_LOGGED_POINTS = 1_000_000
MAX_LOGGED_HINTS = 100
MAX_LOGGED_SECONDS = 10_000_000
LINE_ITEM_ID_PATTERN = re.compile(r'"item"\s*:\s*"([^"\\]+)"')

# ((session, item, criterion), (time, claimed share)) of a dispute.
Dispute = tuple[tuple[str, str, str], tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ScoringJob:
    """How to score a line, which responses pass the filters, and which results are kept; the same for every block."""

    items: Mapping[str, Item]
    bank_digest: str = ""
    old_bank_items_for_letters: Mapping[str, Item] = field(default_factory=dict)  # if the log has their letters
    dropped_and_accepted: DroppedItemsAndAcceptedResponses = field(default_factory=DroppedItemsAndAcceptedResponses)
    overrides_by_candidate_and_item: Mapping[tuple[str, str], tuple[Override, ...]] = field(default_factory=dict)
    only_candidates: frozenset[str] = frozenset()
    only_topics: frozenset[str] = frozenset()
    since_timestamp: float | None = None  # seconds since 1970, UTC
    writes_json_lines: bool = False  # write a JSON line for each response
    keeps_response_rows: bool = True  # keep rows for candidates and item statistics
    keeps_texts: bool = False  # keep responses and remarks as well as points
    keeps_marks: bool = True  # with `keeps_texts`: keep marks and reasons
    keeps_statistics: bool = True  # keep the counts for item statistics
    source_names: tuple[str, ...] = ()  # names of the sources, if there are several
    one_form_per_candidate_sources: frozenset[int] = frozenset()  # numbers of answers files and sheets
    exam_seed: str = ""  # seed of the exam, for marks by the keys of a marking page

    def overrides_for(self, candidate: str, item: str) -> tuple[Override, ...]:
        """People's decisions on the responses of a candidate to an item."""
        keys = [text_after_sheet_round_trip(candidate)]
        if self.exam_seed:
            keys.append(f"\0{response_scoring.candidate_key_on_marking_page(self.exam_seed, candidate)}")
        return tuple(one for key in keys for one in self.overrides_by_candidate_and_item.get((key, item), ()))


@dataclass(frozen=True, slots=True)
class HandMarkedResponse:
    """A response with people's decisions: its id in the table (-1 before the filters), its points in units before
    and after them, the reasons why some cannot be applied, and notes on decisions that had another maximum."""

    candidate_or_session: str
    item_id: str
    table_row_id: int = -1
    earned_point_units_before: int = 0
    earned_point_units_after: int = 0
    override_faults: tuple[str, ...] = ()
    maximum_mismatch_notes: tuple[str, ...] = ()  # decisions on a response that was worth other points


@dataclass(slots=True)
class LineCounts:
    """How many lines of each kind were read, and the `bank_names` that sessions name. The last four are known once a
    run has read all lines."""

    scored_response_count: int = 0
    filtered_out_count: int = 0  # responses that a filter excludes
    filtered_out_untimed_count: int = 0  # of these, responses without a time
    session_count: int = 0
    other_digest_session_count: int = 0  # sessions of another state of the bank
    bank_names: set[str] = field(default_factory=set)
    damaged_line_count: int = 0
    noted_line_count: int = 0
    counted_response_count: int = 0  # responses that count
    candidate_count: int = 0


@dataclass(slots=True)
class ScoredBlock:
    """The results of one block: rows for the table, counts, remarks (`damaged_lines`, `numbered_line_notes`) as (line,
    reason), and `indexed_output_lines` as (place in the block, text) of each response."""

    source_number: int
    source_bytes_read: int = 0  # bytes of the source read so far
    line_counts: LineCounts = field(default_factory=LineCounts)
    damaged_lines: list[tuple[int, str]] = field(default_factory=list)
    numbered_line_notes: list[tuple[int, str]] = field(default_factory=list)
    hand_marked_responses: list[HandMarkedResponse] = field(default_factory=list)
    indexed_output_lines: list[tuple[int, str]] = field(default_factory=list)
    response_rows: list[response_table.TableRow] = field(default_factory=list)
    session_rows: list[response_table.TableRow] = field(default_factory=list)
    disputes: list[Dispute] = field(default_factory=list)
    options_and_key_by_item: dict[str, ItemOptionsAndKey | None] = field(default_factory=dict)  # None: not requested


@dataclass(frozen=True, slots=True)
class WorkerLines:
    """The lines that worker `worker_number` of `worker_count` scores. `worker_or_shared_by_item`: item id -> number of
    its worker, or -1 if all workers share the item."""

    worker_number: int = 0
    worker_count: int = 1
    worker_or_shared_by_item: Mapping[str, int] = field(default_factory=dict)

    def is_own_line(self, text: str) -> bool:
        """Whether this worker scores a line. The item decides, or the text if workers share the item, so that equal
        lines go to the same cache."""
        if self.worker_count == 1:
            return True
        match = LINE_ITEM_ID_PATTERN.search(text)
        name = match[1] if match else text
        owner = self.worker_or_shared_by_item.get(name)
        if owner is None or owner < 0:
            owner = crc32(text_to_utf8(name if owner is None else text))
        return owner % self.worker_count == self.worker_number


class BlockScorer:
    """Scores blocks, and remembers scores of responses from one block to the next."""

    def __init__(self, job: ScoringJob, own_lines: WorkerLines | None = None) -> None:
        self.job = job
        self.own_lines = own_lines or WorkerLines()
        self.scorer = Scorer(job.items, job.dropped_and_accepted, job.keeps_response_rows and job.keeps_statistics)
        self.old_bank_scorer = Scorer(job.old_bank_items_for_letters) if job.old_bank_items_for_letters else None
        # Calculated once, by the process that has read the item, and sent with each block: a worker of a cluster may
        # have scored other blocks for another run.
        self._options_and_key = cache(lambda name: item_options_and_key(job.items[name]))

    def score_block(self, block: LogBlock) -> ScoredBlock:
        """Scores every line of the block that belongs to this worker."""
        job, result = self.job, ScoredBlock(block.source_number, block.source_bytes_read)
        texts, faults = block.decoded_lines_and_faults()
        if self.own_lines.worker_number == 0:
            result.damaged_lines += (*block.numbered_faults, *faults)
        base, first = block.source_number << LINE_NUMBER_BITS, block.first_line_number
        ending = f', "file": {quoted(job.source_names[block.source_number])}}}\n' if job.source_names else "}\n"
        for index, text in enumerate(texts):
            if not text or text.isspace() or not self.own_lines.is_own_line(text):
                continue
            number, triple = block.source_line_number_at_index(index), None
            try:
                record = log.parse_log_line(text)
                if (kind := log.log_line_type(record)) != "response":
                    self._store_dispute_or_session_line(record, kind, base | number, base | first + index, result)
                else:
                    triple = self._candidate_verdict_and_row(record, text, base | number, base | first + index, result)
            except BadInput as error:
                result.damaged_lines.append((number, str(error)))
            if triple is None:
                continue
            candidate, verdict, row = triple
            result.line_counts.scored_response_count += 1
            if job.writes_json_lines:
                name = "null" if candidate is None else quoted(candidate)
                fields = response_table.braceless_score_json(verdict)
                line = f'{{"line": {number}, "candidate": {name}, {fields}{ending}'
                result.indexed_output_lines.append((index, line))
            if job.keeps_response_rows:
                if verdict.item_id not in result.options_and_key_by_item:
                    facts = self._options_and_key(verdict.item_id) if job.keeps_statistics else None
                    result.options_and_key_by_item[verdict.item_id] = facts
                result.response_rows.append(row)
        result.damaged_lines.sort()
        return result

    def _candidate_verdict_and_row(
        self, record: dict[str, Any], text: str, packed_source_line: int, table_row_id: int, result: ScoredBlock
    ) -> tuple[str | None, Verdict, response_table.TableRow] | None:
        """The candidate, verdict and table row of a response; None if a filter leaves it out. Raises BadInput."""
        job, number, topics = self.job, packed_source_line & LINE_NUMBER_MASK, self.job.only_topics
        name, response = log.item_id_field(record), log.response_field(record)
        candidate, session = log.text_field(record, "candidate"), log.text_field(record, "session")
        if (item := job.items.get(name)) is None:
            hint = did_you_mean(name, job.items) or "is this the right bank?"
            raise BadInput(f'no item "{shorten(printable(name))}" in the bank; {hint}')
        candidate_name = candidate or session or ""
        overrides = job.overrides_for(candidate_name, item.id) if job.overrides_by_candidate_and_item else ()
        if overrides:
            result.hand_marked_responses.append(HandMarkedResponse(candidate_name, item.id))
        if (job.only_candidates and candidate_name not in job.only_candidates) or (topics and item.topic not in topics):
            result.line_counts.filtered_out_count += 1
            return None
        seconds, at, moment = self._seconds_time_text_and_epoch(record, number, result)
        if job.since_timestamp is not None and (moment is None or moment < job.since_timestamp):
            result.line_counts.filtered_out_count += 1
            result.line_counts.filtered_out_untimed_count += moment is None
            return None
        verdict = self._verdict_on_line(record, item, response)
        if overrides and item.id not in job.dropped_and_accepted.dropped_item_ids:
            before, score = verdict.score, response_scoring.score_with_overrides(verdict.score, overrides, item)
            units = points_in_units(before.earned), points_in_units(score.earned)
            faults = tuple(response_scoring.faults_of_overrides(before, overrides, session))
            notes = tuple(response_scoring.maximum_mismatch_notes(before, overrides))
            decision = HandMarkedResponse(candidate_name, item.id, table_row_id, *units, faults, notes)
            result.hand_marked_responses.append(decision)
            verdict = replace(verdict, score=score, table_row_values=None, braceless_score_json=None)
        if not job.keeps_response_rows:
            return candidate, verdict, ()
        fingerprint = crc32(text_to_utf8(text))
        # In the spelling of the table (see `response_table.CREATE_TABLES_SQL`).
        key = f"l{fingerprint:08x}:{packed_source_line:020d}" if session is None else "s" + session
        elapsed = record.get("elapsed") if session is not None else None
        if isinstance(elapsed, bool) or not isinstance(elapsed, int | float) or not 0 <= elapsed <= MAX_LOGGED_SECONDS:
            elapsed = None
        names = (text_to_utf8(key if candidate is None else "c" + candidate), session and text_to_utf8(session))
        response_json = json_text(response) if job.keeps_texts else None
        columns = response_table.verdict_row_values(verdict, job.keeps_texts, job.keeps_marks, job.keeps_statistics)
        row = (table_row_id, packed_source_line, *names, at, seconds, elapsed, fingerprint, response_json, *columns)
        return candidate, verdict, row

    def _verdict_on_line(self, record: dict[str, Any], item: Item, response: Response) -> Verdict:
        """The verdict on the response of a line, for the variant that the line names. Raises BadInput."""
        seed, drawn_values = log.text_field(record, "seed"), log.drawn_value_texts_or_none(record)
        number = log.number_field(record, "points", MAX_LOGGED_POINTS)
        points = None if number is None else Fraction(str(number))
        hints = 0 if record.get("hints") is None else record["hints"]
        if type(hints) is not int or not 0 <= hints <= MAX_LOGGED_HINTS:
            raise BadInput(f"hints must be a whole number from 0 to {MAX_LOGGED_HINTS}, not {log.quoted_json(hints)}")
        if self.old_bank_scorer is not None:
            response = self._old_bank_letters_to_option_texts(item.id, seed, drawn_values, response)
        before = log.response_field({"response": record["earlier"]}) if record.get("earlier") is not None else None
        try:
            return self.scorer.verdict_on_response(item, seed, drawn_values, response, points, hints, before)
        except VariantNotDetermined as error:
            raise BadInput(f'{item.id}: {error}; add "seed" or "given" to the line') from None

    def _seconds_time_text_and_epoch(
        self, record: dict[str, Any], line_number: int, result: ScoredBlock
    ) -> tuple[float | None, str | None, float | None]:
        """The seconds spent, the time as written, and that time in seconds since 1970 (if a filter needs it). A value
        that is no time is noted and ignored."""
        seconds = at = None
        try:
            seconds = log.number_field(record, "seconds", MAX_LOGGED_SECONDS)
            at = log.time_text_field(record)
            return seconds, at, epoch_seconds(at) if at is not None and self.job.since_timestamp is not None else None
        except (BadInput, ValueError, OverflowError) as error:
            fault = str(error) if isinstance(error, BadInput) else "at is not a possible time"
            result.numbered_line_notes.append((line_number, f"{fault}; it was ignored and the response scored"))
            if seconds is None and record.pop("seconds", None) is not None:  # the time may be a good one
                return self._seconds_time_text_and_epoch(record, line_number, result)
            return seconds, at, None

    def _old_bank_letters_to_option_texts(
        self, name: str, seed: str | None, drawn_values: Mapping[str, str] | None, response: Response
    ) -> Response:
        """The response with its letters replaced by the option texts of the bank that was shown. If the two banks
        differ in a single option, that option counts as reworded."""
        assert self.old_bank_scorer is not None
        old, new = self.old_bank_scorer.items.get(name), self.job.items[name]
        try:
            old_variant = self.old_bank_scorer.variant_facts(old, seed, drawn_values) if old is not None else None
            order = old_variant.shown_option_texts if old_variant is not None else ()
            new_options = set(self.scorer.variant_facts(new, seed, drawn_values).shown_option_texts)
        except VariantNotDetermined:
            return response
        pieces = (response,) if isinstance(response, str) else response
        readings = [selected_option_texts(piece, order) for piece in pieces] if order else [None]
        old_texts, new_texts = set(order) - new_options, new_options - set(order)
        new_by_old = dict(zip(old_texts, new_texts, strict=True)) if len(old_texts) == len(new_texts) == 1 else {}
        texts = [new_by_old.get(text, text) for options in readings for text in options or ()]
        if None in readings or not texts:
            return response
        return texts[0] if len(texts) == 1 else tuple(texts)

    def _store_dispute_or_session_line(
        self, record: dict[str, Any], kind: str, packed_source_line: int, line_id: int, result: ScoredBlock
    ) -> None:
        """Reads a line that is no response: stores a dispute, or a session with the items that it was to show; of other
        lines, checks only the session."""
        if (session := log.text_field(record, "session")) is None:
            raise BadInput(f'a line of type "{kind}" without a session; add "session"')
        if kind == "dispute":
            item, criterion, claim, at = (log.text_field(record, f) or "" for f in ("item", "criterion", "claim", "at"))
            result.disputes.append(((session, item, criterion), (at, claim)))
        if kind != "session":
            return
        candidate = log.text_field(record, "candidate")
        bank, digest, item_ids = record.get("bank"), record.get("digest"), record.get("items")
        result.line_counts.session_count += 1
        result.line_counts.bank_names |= {bank} if type(bank) is str and bank else set()
        if self.job.bank_digest and type(digest) is str and digest and digest != self.job.bank_digest:
            result.line_counts.other_digest_session_count += 1
        if item_ids is not None and (type(item_ids) is not list or not all(type(i) is str for i in item_ids)):
            fault = "items must be a list of item ids; it was ignored"
            result.numbered_line_notes.append((packed_source_line & LINE_NUMBER_MASK, fault))
            item_ids = None
        if self.job.keeps_response_rows:
            items = self._planned_item_ids_and_point_units(item_ids or (), record.get("points"), candidate or session)
            key = text_to_utf8("s" + session if candidate is None else "c" + candidate)
            result.session_rows.append((line_id, packed_source_line, key, text_to_utf8(session), json_text(items)))

    def _planned_item_ids_and_point_units(
        self, item_ids: Collection[str], points_by_item: object, candidate: str
    ) -> tuple[tuple[str, int], ...]:
        """The items of a session that count, as (item id, points in units). None with --since, as a session that began
        earlier does not show which items were reached since."""
        job, only = self.job, self.job.only_topics
        if (job.only_candidates and candidate not in job.only_candidates) or job.since_timestamp is not None:
            return ()
        points_by_id = points_by_item if isinstance(points_by_item, dict) else {}
        items = []
        for name in item_ids:
            item = job.items.get(name)
            if item is None or name in job.dropped_and_accepted.dropped_item_ids or (only and item.topic not in only):
                continue
            points = points_by_id.get(name)
            is_valid = isinstance(points, int | float) and points is not True and 0 < points <= MAX_LOGGED_POINTS
            items.append((name, points_in_units(Fraction(str(points)) if is_valid else item.points)))
        return tuple(items)


LineRangeNote = tuple[int, int, int, str]  # (source, first line, last line, problem); line 0: the whole source

MAX_RESPONSES_WITHOUT_GARBAGE_COLLECTION = 2000  # a collection takes as long as scoring a few hundred responses
MAX_LISTED_SIMILAR_DAMAGED_LINES = 20  # adjacent lines with the same kind of damage that are reported one by one


class Executor:
    """Scores blocks in this process; the executors of `processes` do so in others."""

    # Yields, in order, the results of a function for each tuple of arguments, from processes that can read our files.
    ordered_call_results: Callable[..., Iterator[Any]] | None = None

    def score_blocks_in_parts(self, job: ScoringJob, blocks: Iterable[LogBlock]) -> Iterator[Sequence[ScoredBlock]]:
        """For each block, yields its results: one for each worker that scored a part of it."""
        return ([result] for result in map(BlockScorer(job).score_block, blocks))


@dataclass(slots=True)
class RunResult:
    """The result of a run."""

    job: ScoringJob
    database: ResponseTable
    line_counts: LineCounts = field(default_factory=LineCounts)
    options_and_key_by_item: dict[str, ItemOptionsAndKey | None] = field(default_factory=dict)  # None: not requested
    hand_marked_responses: list[HandMarkedResponse] = field(default_factory=list)
    last_dispute_by_session_item_criterion: dict[tuple[str, str, str], tuple[str, str]] = field(default_factory=dict)

    def add_block_results(self, block: ScoredBlock) -> None:
        counts = self.line_counts
        count_names = ("scored_response_count", "filtered_out_count", "filtered_out_untimed_count", "session_count")
        for name in (*count_names, "other_digest_session_count"):
            setattr(counts, name, getattr(counts, name) + getattr(block.line_counts, name))
        counts.bank_names |= block.line_counts.bank_names
        counts.damaged_line_count += len(block.damaged_lines)
        counts.noted_line_count += len(block.numbered_line_notes)
        self.database.executemany(response_table.INSERT_RESPONSE, block.response_rows)
        self.database.executemany("INSERT INTO session VALUES (?, ?, ?, ?, ?)", block.session_rows)
        self.hand_marked_responses.extend(block.hand_marked_responses)
        self.options_and_key_by_item |= block.options_and_key_by_item
        for criterion, claim in block.disputes:
            last_claim = self.last_dispute_by_session_item_criterion.get(criterion, claim)
            self.last_dispute_by_session_item_criterion[criterion] = max(claim, last_claim, key=itemgetter(0))


@dataclass(slots=True)
class RunCallbacks:
    """Functions that a run calls with damaged lines, with text to write, with (source, bytes read of it), and with
    (name of a stage, amount done, total)."""

    on_line_range_note: Callable[[LineRangeNote], None] = lambda note: None
    on_output_text: Callable[[str], object] = lambda text: None
    on_source_bytes_read_so_far: Callable[[int, int], None] = lambda source, read: None
    on_stage_progress: Callable[[str, int, int], None] = lambda stage, amount, total: None


@dataclass(slots=True)
class _DamageReporter:
    """Reports faulty lines. From the 21st in a row with the same kind of damage, the rest of the row is one message, so
    that a broken file gives a page and not a million lines."""

    on_line_range_note: Callable[[LineRangeNote], None]
    last_line_range_note: LineRangeNote = (-1, 0, 0, "")
    similar_line_count: int = 0  # adjacent lines with the same kind of damage
    unlisted_line_range_note: LineRangeNote | None = None

    def report_or_group_fault(self, source: int, line: int, reason: str) -> None:
        last_source, _, last_line, last_reason = self.last_line_range_note
        kind = reason.partition(":")[0]
        is_similar = (source, kind) == (last_source, last_reason.partition(":")[0]) and line - last_line in (0, 1)
        self.similar_line_count = self.similar_line_count + 1 if is_similar else 1
        self.last_line_range_note = note = (source, line, line, reason)
        if not is_similar:
            self.report_unlisted_lines()
        if self.similar_line_count <= MAX_LISTED_SIMILAR_DAMAGED_LINES:
            self.on_line_range_note(note)
        elif self.unlisted_line_range_note is None:
            self.unlisted_line_range_note = note
        else:
            _, first, _, common_reason = self.unlisted_line_range_note
            self.unlisted_line_range_note = (source, first, line, common_reason if common_reason == reason else kind)

    def report_unlisted_lines(self) -> None:
        if self.unlisted_line_range_note is not None:
            self.on_line_range_note(self.unlisted_line_range_note)
        self.unlisted_line_range_note = None


@contextmanager
def open_scoring_run(
    job: ScoringJob, blocks: Iterable[LogBlock], executor: Executor, attempt_rule: str, listener: RunCallbacks
) -> Iterator[RunResult]:
    """A context manager that scores every line of the blocks, chooses the responses that count, and yields the result.
    The table of responses is deleted at the end."""
    ranges = _DamageReporter(listener.on_line_range_note)
    with ResponseTable() as table:
        tally = RunResult(job, table)
        for parts in executor.score_blocks_in_parts(job, blocks):
            notes: list[tuple[int, str]] = []
            for part in parts:
                tally.add_block_results(part)
                notes += (*part.damaged_lines, *part.numbered_line_notes)
            for line, reason in sorted(notes):
                ranges.report_or_group_fault(parts[0].source_number, line, reason)
            if output_lines := sorted(one for part in parts for one in part.indexed_output_lines):
                listener.on_output_text("".join([text for _, text in output_lines]))
            listener.on_source_bytes_read_so_far(parts[0].source_number, parts[0].source_bytes_read)
        ranges.report_unlisted_lines()
        unload_items(job.items[name] for name in tally.options_and_key_by_item)  # index lines suffice for reports
        counts = tally.line_counts
        # Free the memory of rubrics that no item holds any more, if a report follows that needs memory, and enough
        # responses were scored to be worth the time.
        if job.keeps_statistics and counts.scored_response_count > MAX_RESPONSES_WITHOUT_GARBAGE_COLLECTION:
            gc.unfreeze()  # the items that were read with the bank were frozen with it
            gc.collect()  # a rubric and the data computed from it refer to each other
        table.executescript(response_table.ASSIGN_SESSION_CANDIDATES_SQL)
        listener.on_stage_progress("choosing what counts", 0, 1)
        line_notes = response_table.write_counted_responses(table, attempt_rule, job.one_form_per_candidate_sources)
        listener.on_stage_progress("choosing what counts", 1, 1)
        for place, reason, mentioned_place in sorted(line_notes):
            if mentioned_place >= 0:
                source = job.source_names[mentioned_place >> LINE_NUMBER_BITS] if job.source_names else "line"
                reason = reason.format(f"{source}:{line}" if (line := mentioned_place & LINE_NUMBER_MASK) else source)
            ranges.report_or_group_fault(place >> LINE_NUMBER_BITS, place & LINE_NUMBER_MASK, reason)
        ranges.report_unlisted_lines()
        tally.hand_marked_responses.sort(key=attrgetter("table_row_id"))
        counts.noted_line_count += len(line_notes)
        query = "SELECT count(*), coalesce(sum(responses), 0) FROM person"
        ((counts.candidate_count, counts.counted_response_count),) = table.execute(query)
        yield tally
