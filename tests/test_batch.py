"""From lines to candidates: which response counts, for whom, out of how much; and what one line does to the next."""

from __future__ import annotations

import gc
import json
import time
import tracemalloc
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count, islice

import pytest
from shipped import BankOf

from quizgen.analysis.report import CandidateResult, candidate_results_of_run
from quizgen.model import Item
from quizgen.scoring.log_files import LogBlock
from quizgen.scoring.log_lines import epoch_seconds
from quizgen.scoring.response import UNITS_PER_POINT, DroppedItemsAndAcceptedResponses
from quizgen.scoring.response_table import UNITS_PER_SHARE, share_in_units
from quizgen.scoring.score_logs import BlockScorer, Executor, LineCounts, RunCallbacks, ScoringJob, open_scoring_run

BANK = """
items:
  - {id: one, kind: choice, stem: 1?, key: "yes", distractors: ["no"]}
  - {id: two, kind: choice, stem: 2?, key: "yes", distractors: ["no"], points: 3}
"""
HEAD = {"v": 1, "type": "session", "session": "s", "items": ["one", "two"]}
ONE = {"session": "s", "item": "one", "response": "yes"}
SOURCES = ("a.jsonl", "b.jsonl")


@pytest.fixture
def items(bank_of: BankOf) -> Mapping[str, Item]:
    return bank_of(BANK).required_bank.items


def gathered(
    job: ScoringJob, *lines: Mapping[str, object], other: Sequence[Mapping[str, object]] = ()
) -> tuple[list[CandidateResult], LineCounts, list[str]]:
    """The candidates of a log, and of another one beside it; what was counted, and what was told."""
    blocks = []
    for number, some in enumerate((lines, other) if other else (lines,)):
        data = "\n".join(map(json.dumps, some)).encode()
        blocks.append(LogBlock(number, 1, len(data), data, source_bytes_read=len(data)))
    told: list[str] = []
    listener = RunCallbacks(on_line_range_note=lambda note: told.append(f"{SOURCES[note[0]]}:{note[1]}: {note[3]}"))
    with open_scoring_run(replace(job, source_names=SOURCES), blocks, Executor(), "last", listener) as tally:
        return list(candidate_results_of_run(tally, SOURCES)), tally.line_counts, told


def test_what_is_left_out_was_not_to_be_reached(items: Mapping[str, Item]) -> None:
    """An item that does not count is neither earned nor missed."""
    dropped = DroppedItemsAndAcceptedResponses(dropped_item_ids=frozenset({"two"}))
    none, others = frozenset({"none"}), ({"only_candidates": frozenset({"someone else"})}, {"since_timestamp": 0.0})
    for job in ({"dropped_and_accepted": dropped}, {"only_topics": none}, *others):
        people, _, _ = gathered(ScoringJob(items, **job), HEAD, {**ONE, "at": "2026-11-21T10:00:00Z"})
        assert [person.not_reached_item_ids for person in people if person.not_reached_item_ids] == [], job


def test_the_points_of_a_session_are_those_of_its_form(items: Mapping[str, Item]) -> None:
    """Where its first line sets them; what is not a number of points is the item's own."""
    none = ([5], *({"two": points} for points in ("many", "3", -1, True, None, [2])))
    for points, worth in (({"two": 5}, 5), *((one, 3) for one in none)):
        (person,), _, _ = gathered(ScoringJob(items), {**HEAD, "points": points}, ONE)
        assert (person.not_reached_item_ids, person.possible) == (("two",), 1 + worth)


def test_candidates_come_by_name(items: Mapping[str, Item]) -> None:
    """However the lines stood; by the numbers of their letters, also of what is half a letter."""
    names = ("cy", "ada", "di", "bo", "\U0001f600", "\ud83d", "\ue000", "é")
    people, _, _ = gathered(ScoringJob(items), *({**ONE, "candidate": name} for name in names))
    assert [person.candidate_key for person in people] == [f"c{name}" for name in sorted(names)]


def test_a_session_that_two_candidates_claim_goes_to_the_first_by_name(items: Mapping[str, Item]) -> None:
    """Whichever line stands first, so that shuffled lines and many workers agree."""
    heads = [{**HEAD, "candidate": "bo"}, {**HEAD, "candidate": "ada"}]
    for lines in (heads, heads[::-1]):
        people, _, _ = gathered(ScoringJob(items), *lines, ONE)
        assert [person.candidate_key for person in people if person.responses] == ["cada"]


def test_points_that_are_no_number_are_refused_whatever_came_before(items: Mapping[str, Item]) -> None:
    """`true` is not 1, also right after a line with 1."""
    _, counts, told = gathered(ScoringJob(items), {**ONE, "points": 1}, {**ONE, "points": True})
    assert (counts.scored_response_count, counts.damaged_line_count) == (1, 1)
    assert told == ["a.jsonl:2: points must be a number from 0 to 1,000,000, not true"]


def test_a_time_without_a_zone_is_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the machine stands that scores the log."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert epoch_seconds("2026-11-21T10:00:00") == epoch_seconds("2026-11-21T10:00:00Z")
        assert epoch_seconds("2026-11-21T11:00:00+01:00") == epoch_seconds("2026-11-21T10:00:00Z")
        assert epoch_seconds("1970-01-02") == 86_400
    finally:
        monkeypatch.undo()
        time.tzset()


def test_with_the_clock_set_back_a_sessions_own_order_holds(items: Mapping[str, Item]) -> None:
    """What was given last in the session counts, as in its debrief; the clock is told."""
    lines = [
        {**HEAD, "candidate": "ada"},
        {**ONE, "candidate": "ada", "response": "no", "at": "2026-11-21T10:00:30Z", "elapsed": 30},
        {**ONE, "candidate": "ada", "response": "yes", "at": "2026-11-21T09:00:50Z", "elapsed": 50},
    ]
    for order in (lines, lines[::-1]):
        (person,), _, (told,) = gathered(ScoringJob(items), *order)
        assert [one.earned for one in person.responses] == [1]
        assert told.endswith(": the clock went back during the session; the order of the lines counts")


def test_the_points_of_a_session_win_over_those_of_a_line(items: Mapping[str, Item]) -> None:
    """A line cannot weigh its own response; earned and possible are those of the form, and the line is named."""
    lines = [{**HEAD, "points": {"one": 2}}, {**ONE, "points": 1_000_000}]
    (person,), _, told = gathered(ScoringJob(items, keeps_texts=True), *lines)
    (one,) = person.responses
    assert (one.earned, one.possible) == (2, 2)
    assert (one.score.earned, one.score.possible) == (2, 2)
    assert told == ["a.jsonl:2: the points differ from its session's, which count"]


def points_of(people: list[CandidateResult]) -> dict[str, list[int]]:
    return {person.candidate_key: [int(one.earned) for one in person.responses] for person in people}


HERS = [{**HEAD, "candidate": "ada"}, {**ONE, "candidate": "ada", "at": "2026-11-21T10:00:00Z"}]
LATER = {"item": "one", "response": "no", "at": "2099-01-01T00:00:00Z"}


@pytest.mark.parametrize(
    ("other", "earned", "said"),
    [
        ([{**LATER, "session": "s", "candidate": "ada"}], {"cada": [1]}, "the session belongs to another file: a.jsonl:1"),
        ([{**LATER, "session": "s"}], {"cada": [1], "ss": [0]}, ""),
        ([{**HEAD, "candidate": "ada"}, {**LATER, "session": "s"}], {"cada": [1]}, "the session belongs to another file"),
        ([{**LATER, "candidate": "ada"}], {"cada": [0]}, "no session says whose responses these are; they count together"),
    ],
    ids=["her session", "her session without her name", "her session begun again", "her name alone"],
)  # fmt: skip
def test_one_file_changes_no_score_of_another_in_silence(
    items: Mapping[str, Item], other: list[Mapping[str, object]], earned: dict[str, list[int]], said: str
) -> None:
    """What another file says in the name of a session does not count and is named; so is what only bears a name."""
    people, _, told = gathered(ScoringJob(items), *HERS, other=other)
    assert points_of(people) == earned
    assert said in " ".join(told)
    assert all(line.startswith("b.jsonl:") for line in told)


def test_a_candidate_hands_in_one_form(items: Mapping[str, Item]) -> None:
    """A second answers file in the same name does not count, whatever form and time it bears."""
    job = ScoringJob(items, one_form_per_candidate_sources=frozenset({0, 1}))
    second = [{**HEAD, "session": "B/ada", "candidate": "ada"}, {**LATER, "session": "B/ada", "candidate": "ada"}]
    people, _, told = gathered(job, *HERS, other=second)
    assert points_of(people) == {"cada": [1]}
    assert told == ["b.jsonl:1: this candidate has handed in already: a.jsonl:1; these lines do not count"]


def test_shares_are_rounded_half_up() -> None:
    """In units of 1e-12, from whole numbers, so that the order of sums cannot matter."""
    assert share_in_units(1, 3) == 333_333_333_333
    assert share_in_units(2, 3) == 666_666_666_667
    assert share_in_units(1, 2 * UNITS_PER_SHARE) == 1
    assert share_in_units(UNITS_PER_POINT, UNITS_PER_POINT) == UNITS_PER_SHARE


@pytest.mark.parametrize("elapsed", [{}, {"elapsed": 5}])
def test_a_line_without_a_time_stands_where_it_stands(items: Mapping[str, Item], elapsed: Mapping[str, int]) -> None:
    """One line of two has a time, later than any: the second is still the last, by a session's own time in any order."""
    first = {**ONE, **elapsed, "at": "2099-01-01T00:00:00Z"}
    second = {**ONE, "response": "no", **{name: seconds + 1 for name, seconds in elapsed.items()}}
    for order in ((first, second), (second, first))[: len(elapsed) + 1]:
        assert [one.earned for one in gathered(ScoringJob(items), HEAD, *order)[0][0].responses] == [0]


TEXT = """
items:
  - {id: ring, kind: text, stem: 1?, rubric: {criteria: [{id: a, accept: [bandwidth neighbour*]}, {id: b, accept: [grow*]}]}}
"""


@pytest.mark.slow
def test_a_thousand_new_answers_more_hold_no_more(bank_of: BankOf) -> None:
    """12,000 words that nobody used before fill what is remembered of words and of answers; as many again take their
    place. To keep 20 bytes of each of these would be too much."""
    scorer = BlockScorer(ScoringJob(bank_of(TEXT).required_bank.items, keeps_texts=True))
    words = (f"w{n}q" for n in count())

    def thousand(first: int) -> int:
        """Bytes that are held after so many lines more."""
        for block in range(first, first + 1000, 100):
            texts = (f"The bandwidth of a neighbour, {' '.join(islice(words, 12))}." for _ in range(100))
            lines = ({"session": f"s{block + n}", "item": "ring", "response": text} for n, text in enumerate(texts))
            data = "\n".join(map(json.dumps, lines)).encode()
            done = scorer.score_block(LogBlock(0, 1, len(data), data, source_bytes_read=len(data)))
            assert (done.line_counts.scored_response_count, done.damaged_lines) == (100, [])
        del done
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        first = thousand(0)
        assert thousand(1000) - first < 250_000
    finally:
        tracemalloc.stop()
