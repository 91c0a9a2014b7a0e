"""The whole report as a value: counts, figures, flags, and candidates one at a time.

Candidates come from a function, because they may not all fit in memory."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, partial
from itertools import chain, islice
from math import sqrt
from typing import TYPE_CHECKING, Any

from quizgen.model import Bank, Item, ScoreBand, highest_reached_band
from quizgen.scoring.response import UNITS_PER_POINT, ScoredResponse
from quizgen.scoring.response_table import SELECT_COUNTED_RESPONSES, ResponseTable, scored_response_of_row, utf8_to_text
from quizgen.scoring.score_logs import LineCounts, RunResult
from quizgen.source.problems import Unreadable

if TYPE_CHECKING:  # reports that list responses need none of these
    from quizgen.analysis.attendance import Attendance, Grade, LateRule
    from quizgen.analysis.equating import FormFigures
    from quizgen.analysis.item_statistics import RunStatistics


class AnalysisNotPossibleError(Unreadable):
    """The responses do not suffice for an analysis that was requested; the message says why, and what to do."""


UNNAMED_CANDIDATE_LABEL = "(no name)"


@dataclass(frozen=True, slots=True)
class CandidateResult:
    """One candidate. `name` is None if the log lines have neither candidate nor session."""

    candidate_key: str
    name: str | None
    earned: Fraction
    possible: Fraction
    responses: tuple[ScoredResponse, ...]
    not_reached_item_ids: tuple[str, ...] = ()
    score_band: ScoreBand | None = None

    @property
    def points_share(self) -> float | None:
        return float(self.earned / self.possible) if self.possible else None

    @property
    def share_standard_error(self) -> float | None:
        """The standard error of the share if the items are taken as a sample of many similar ones: Lord's (1957)
        conditional error of measurement, for items of any worth. None for fewer than two items."""
        pairs = [(float(a.earned), float(a.possible)) for a in self.responses if a.possible]
        possible, k = sum(p for _, p in pairs), len(pairs)
        if k < 2:
            return None
        share = sum(e for e, _ in pairs) / possible
        return sqrt(k / (k - 1) * sum((e - share * p) ** 2 for e, p in pairs)) / possible

    @property
    def label(self) -> str:
        """The name to show: the candidate, or else the session."""
        return self.name or UNNAMED_CANDIDATE_LABEL


@dataclass(frozen=True, slots=True)
class ChartDataOfOneCandidate:
    """The data that charts show of a candidate whose grade is final: the share of all points, shares by topic, and the
    total seconds of the responses (None if no response has a time). `candidate_key_utf8` is their name in the table
    of responses."""

    candidate_key_utf8: bytes
    total_points_share: float
    share_by_topic: Mapping[str, float]
    total_seconds: float | None


@dataclass(frozen=True, slots=True)
class Report:
    """The content of a report. Each damaged line in `line_counts` was reported when it was read. `get_statistics`
    returns the statistics, the same at every call; a format without statistics never calls it.

    Except for `first_damaged_line_messages`, nothing depends on the order of the lines or the names of the files."""

    bank_name: str
    title: str
    bank_digest: str
    attempt_rule: str
    line_counts: LineCounts
    items_by_id: Mapping[str, Item]
    get_statistics: Callable[[], RunStatistics]
    score_bands: tuple[ScoreBand, ...] = ()
    grade_bands: tuple[ScoreBand, ...] = ()
    pass_share: Fraction | None = None
    omits_people: bool = False  # names are left out
    dispute_count_by_item_criterion: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by (item, criterion)
    scoring_change_notes: tuple[str, ...] = ()  # items dropped, responses accepted, marks set by hand
    first_damaged_line_messages: tuple[str, ...] = ()  # messages about the first damaged lines
    attendance_by_id_or_name: Mapping[str, Attendance] = field(default_factory=dict)  # for an exam
    late_rule: LateRule | None = None
    form_figures: tuple[FormFigures, ...] = ()  # for an exam with several forms
    read_candidates: Callable[[], Iterator[CandidateResult]] = lambda: iter(())
    # `map_candidates(function, limit=None, without_explanations=False)` yields the results of `function` for the first
    # `limit` candidates by name (None: for all). It runs in the process that reads the candidate.
    map_candidates: Callable[..., Iterator[Any]] = lambda function: iter(())
    read_candidate_chart_data: Callable[[], Iterator[ChartDataOfOneCandidate]] = lambda: iter(())

    @property
    def statistics(self) -> RunStatistics:
        return self.get_statistics()

    def id_or_name_with_roster_name(self, candidate: str) -> str:
        """The candidate `candidate`, with the name from the roster."""
        row = self.attendance_by_id_or_name.get(candidate)
        return row.label if row is not None else candidate

    def grade_after_lateness_or_none(self, person: CandidateResult) -> Grade | None:
        """A candidate's points after the deduction for lateness; None if nothing is known of the sitting."""
        if (row := self.attendance_by_id_or_name.get(person.label)) is None or self.late_rule is None:
            return None
        return row.grade_for_points(person.earned, person.possible, self.late_rule, self.score_bands, self.grade_bands)


SELECT_COUNTED_WITHOUT_TEXTS = SELECT_COUNTED_RESPONSES.replace("r.response, ", "NULL, ").replace("r.details", "NULL")
CANDIDATES_PER_PROCESS_CALL = 32  # candidates sent to a process at once
SELECT_COUNTED_POINTS_AND_TIMES = "SELECT person, item, earned, possible, milliseconds FROM counted ORDER BY id"


def make_report(
    run: RunResult,
    bank: Bank,
    *,
    attempt_rule: str,
    source_names: Sequence[str],
    ordered_call_results: Callable[..., Iterator[Any]] | None = None,
    bands: tuple[ScoreBand, ...] = (),
    pass_share: Fraction | None = None,
) -> Report:
    """The report of a run. It reads the table of `run`, so use it before `run` is closed. `ordered_call_results`, the
    `ordered_call_results` of an executor whose processes can read our files, distributes the work on candidates."""
    topics, disputes = _topic_by_item_id(run), run.last_dispute_by_session_item_criterion
    build = partial(_candidate_result_of_row, topic_by_item=topics, source_names=source_names, bands=bands)

    @cache
    def computed_statistics() -> RunStatistics:
        from quizgen.analysis.item_statistics import statistics_of_run

        return statistics_of_run(run, bank.item_or_turn_by_id, bands, pass_share)

    def map_candidates(
        function: Callable[[CandidateResult], Any], limit: int | None = None, without_explanations: bool = False
    ) -> Iterator[Any]:
        query = SELECT_COUNTED_WITHOUT_TEXTS if without_explanations else SELECT_COUNTED_RESPONSES
        rows = islice(run.database.candidates_with_rows(query), limit)
        if ordered_call_results is None:
            return (function(build(*one)) for one in rows)
        batches = iter(lambda: tuple(islice(rows, CANDIDATES_PER_PROCESS_CALL)), ())
        results = ordered_call_results(lambda *batch: [function(build(*one)) for one in batch], batches)
        return chain.from_iterable(results)

    return Report(
        bank_name=bank.name,
        title=bank.title,
        bank_digest=bank.digest,
        attempt_rule=attempt_rule,
        line_counts=run.line_counts,
        items_by_id=bank.item_or_turn_by_id,
        get_statistics=computed_statistics,
        score_bands=bands,
        pass_share=pass_share,
        dispute_count_by_item_criterion=Counter(
            (item, criterion) for (_, item, criterion), (_, claim) in disputes.items() if claim != "no"
        ),
        read_candidates=lambda: (build(*one) for one in run.database.candidates_with_rows()),
        map_candidates=map_candidates,
        read_candidate_chart_data=lambda: _chart_data_of_each(run.database, topics),
    )


def candidate_results_of_run(run: RunResult, source_names: Sequence[str]) -> Iterator[CandidateResult]:
    """Yields the candidates of a run by name, with the responses that count."""
    topics = _topic_by_item_id(run)
    return (_candidate_result_of_row(*one, topics, source_names, ()) for one in run.database.candidates_with_rows())


def _topic_by_item_id(run: RunResult) -> dict[str, str]:
    return {name: run.job.items[name].topic for name in sorted(run.options_and_key_by_item) if name in run.job.items}


def _candidate_result_of_row(
    row: Sequence[Any],
    response_rows: Sequence[Sequence[Any]],
    topic_by_item: Mapping[str, str],
    source_names: Sequence[str],
    bands: tuple[ScoreBand, ...],
) -> CandidateResult:
    """A candidate from a row of the table, with the responses that count."""
    _, key, earned, _, maximum, not_reached_json = row
    points, possible = Fraction(earned, UNITS_PER_POINT), Fraction(maximum, UNITS_PER_POINT)
    responses = [scored_response_of_row(one, source_names, topic_by_item.get(one[8], "")) for one in response_rows]
    ids = tuple(item for item, _ in json.loads(not_reached_json))
    # Items that the session held and never showed earned nothing, as in its debrief.
    band = highest_reached_band(Fraction(earned, maximum), bands) if maximum else None
    return CandidateResult(utf8_to_text(key), key_owner_or_none(key), points, possible, tuple(responses), ids, band)


def key_owner_or_none(key_blob: bytes) -> str | None:
    """The candidate or session stored as `key_blob` in the table of responses; None if its lines name neither."""
    return utf8_to_text(key_blob[1:]) if key_blob[:1] in (b"c", b"s") else None


def _chart_data_of_each(table: ResponseTable, topic_by_item: Mapping[str, str]) -> Iterator[ChartDataOfOneCandidate]:
    people = table.candidates_with_rows(SELECT_COUNTED_POINTS_AND_TIMES, include_withheld=False)
    for (_, key, earned, _, maximum, _), rows in people:
        sums_by_topic: dict[str, tuple[int, int]] = {}
        for _, item, points, possible, _ in rows:
            sums = sums_by_topic.get(topic := topic_by_item.get(item, ""), (0, 0))
            sums_by_topic[topic] = sums[0] + points, sums[1] + possible
        shares = {topic: points / possible for topic, (points, possible) in sums_by_topic.items() if possible}
        times = [milliseconds for *_, milliseconds in rows if milliseconds is not None]
        if maximum:
            yield ChartDataOfOneCandidate(key, earned / maximum, shares, sum(times) / 1000 if times else None)
