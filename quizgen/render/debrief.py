"""The debrief of a finished session as values: scores, pace, weak topics, calibration. No layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from quizgen import model
from quizgen.answer_areas import Options, option_letter
from quizgen.inline import CodeSpan, Inline, Text
from quizgen.markdown import markdown_inline_pieces
from quizgen.model import sum_points
from quizgen.page import Block, MarkingScheme, Table
from quizgen.session.interview import Interview, ItemState
from quizgen.source.problems import points_phrase, printable, up_to_2_decimals

# Share that each level of confidence claims: the middles of five equal intervals.
CLAIMED_SHARE_BY_CONFIDENCE = {level: Fraction(2 * level - 1, 10) for level in range(1, 6)}
SURE_LEVEL, UNSURE_LEVEL = 4, 2  # confidence from which and up to which a candidate is sure and unsure
MIN_RATED_ITEMS_FOR_TENDENCY = 5  # items with a confidence from which a tendency shows
TEXT_BY_END_REASON = {
    "finished": "All items met.",
    "time": "Time was over.",
    "quit": "Ended by you.",
    "end-of-input": "The input ended.",
    "": "Not ended yet.",
}


@dataclass(frozen=True, slots=True)
class CriterionRow:
    """One row of the table of criteria. `criterion_text` is the author's text for the criterion; empty for an
    adjustment such as the cost of a hint. The reason in `mark` quotes the candidate."""

    mark: model.Mark
    criterion_text: str
    claimed_share_words: str = ""  # share that the candidate claims, in words

    @property
    def reason_and_claim_text(self) -> str:
        """The reason, followed by the candidate's claim if there is one."""
        return self.mark.because + (f" (You claim: {self.claimed_share_words}.)" if self.claimed_share_words else "")

    @property
    def points_text(self) -> str:
        """The points such as `1/2`, or the points that an adjustment deducts."""
        earned, possible = self.mark.earned, self.mark.possible
        return points_ratio_text(earned, possible) if possible > 0 else up_to_2_decimals(earned)

    @property
    def outcome_symbol(self) -> str:
        """A character for the outcome, so that it does not depend on colour."""
        earned, possible = self.mark.earned, self.mark.possible
        if self.mark.criterion_id == "full-marks":
            return "="  # a cap, not a loss
        if self.mark.status == "contradicted" or earned < 0:
            return "x"
        return "+" if 0 < possible <= earned else "~" if earned > 0 else "-"


def criterion_text_by_id(variant: model.Variant, marks: Iterable[model.Mark]) -> dict[str, str]:
    """By criterion id, the author's text for each criterion that was marked; empty without a marking scheme."""
    rows = next((b.points_criterion_phrases_rows for b in variant.solution() if isinstance(b, MarkingScheme)), ())
    ids = [m.criterion_id for m in marks if m.status]
    return {name: row[1] for name, row in zip(ids, rows, strict=True)} if len(rows) == len(ids) else {}


@dataclass(frozen=True, slots=True)
class ItemResult:
    """One item of a session with its score. `item_number_text`: its number as on screen, such as `2a`. Its criteria,
    remarks and solution are for the candidate: an author's marking scheme lists every accepted phrase, but a candidate
    wants to know what each criterion asks for, and which of their words met it."""

    state: ItemState
    score: model.Score
    item_number_text: str = ""
    time_budget_seconds: float = 0.0

    @property
    def possible_points(self) -> Fraction:
        return self.state.form_entry.points

    @property
    def points_share(self) -> Fraction:
        return self.score.earned / self.possible_points if self.possible_points else model.ZERO

    @property
    def has_full_points(self) -> bool:
        return self.score.earned >= self.possible_points

    @property
    def has_response(self) -> bool:
        """Whether the item was reached and neither skipped nor left blank."""
        return self.state.was_shown and self.score.outcome is not model.Outcome.BLANK

    @property
    def was_lucky_guess(self) -> bool:
        """Whether the response earned full points although the candidate called it a guess."""
        return self.has_full_points and (self.state.confidence or SURE_LEVEL) <= UNSURE_LEVEL

    @property
    def was_sure_below_half_points(self) -> bool:
        return (self.state.confidence or 0) >= SURE_LEVEL and self.points_share < Fraction(1, 2)

    @property
    def outcome_word(self) -> str:
        """The outcome as a word for people, also `skipped` and `not reached`."""
        if not self.state.was_shown:
            return "not reached"
        if self.state.was_skipped and self.score.outcome is model.Outcome.BLANK:
            return "skipped"
        return self.score.outcome.value

    @property
    def claimed_points_text(self) -> str:
        """The points by the candidate's own claims, such as `you 4/5 (1 disputed)`; empty without claims. Shown beside
        the score and never part of it."""
        shares = {d.criterion_id: model.SHARE_BY_CLAIM_WORD[d.claimed_share_word] for d in self.state.disputes}
        marks = [m for m in self.score.marks if m.status and m.criterion_id in shares]
        if not marks:
            return ""
        difference = sum_points([m.possible * shares[m.criterion_id] - m.earned for m in marks])
        claimed_points = max(model.ZERO, min(self.score.earned + difference, self.possible_points))
        return f"you {points_ratio_text(claimed_points, self.possible_points)} ({len(marks)} disputed)"

    @property
    def response_text(self) -> str:
        return model.response_text(self.state.response)

    @property
    def is_answered_by_options(self) -> bool:
        return isinstance(self.state.variant.prompt()[-1], Options)

    @property
    def criterion_rows(self) -> tuple[CriterionRow, ...]:
        """The rows for the marks of the score. Empty if its only mark has no evidence and no text of a criterion,
        unless some options of a choice of several are right."""
        marks = [m for m in self.score.marks if m.status or m.earned]
        texts = criterion_text_by_id(self.state.variant, marks)
        area = self.state.variant.prompt()[-1]
        allows_several = isinstance(area, Options) and area.allows_several
        has_option_count = allows_several and self.score.outcome in (model.Outcome.PARTIAL, model.Outcome.INCORRECT)
        if len(marks) < 2 and not texts and not has_option_count and not any(m.evidence_spans for m in marks):
            return ()
        claims = {d.criterion_id: model.ADVERB_BY_CLAIM_WORD[d.claimed_share_word] for d in self.state.disputes}
        names = (m.criterion_id if m.status else "" for m in marks)
        return tuple(CriterionRow(m, texts.get(n, ""), claims.get(n, "")) for m, n in zip(marks, names, strict=True))

    @property
    def remark_pieces_besides_criteria(self) -> list[tuple[Inline, ...]]:
        """Remarks for the candidate besides the criteria, such as the reason of the chosen distractor or the slip
        behind a number. Leaves out what a row already says; empty for a blank response."""
        if self.score.outcome is model.Outcome.BLANK:
            return []
        rows = " ".join(row.mark.because for row in self.criterion_rows)
        texts = (printable(text) for text in self.score.remarks if text not in rows)
        return [remark_inline_pieces(text, self.is_answered_by_options) for text in texts]

    @property
    def solution_blocks(self) -> tuple[Block, ...]:
        """The solution without the rubric's phrases; the chosen options are marked in the table of options."""
        response = self.state.response or ()
        chosen_texts = (response,) if isinstance(response, str) else response
        areas = (block for block in self.state.variant.prompt() if isinstance(block, Options))
        options = next((area.options for area in areas), ())
        letters = [(Text(option_letter(i)),) for i, option in enumerate(options) if option.text in chosen_texts]

        def marked(row: tuple[tuple[Inline, ...], ...]) -> tuple[tuple[Inline, ...], ...]:
            return (*row[:2], (*row[2], Text(", yours")), *row[3:]) if len(row) > 2 and row[0] in letters else row

        blocks = (block for block in self.state.variant.solution() if not isinstance(block, MarkingScheme))
        return tuple(replace(b, rows=tuple(map(marked, b.rows))) if isinstance(b, Table) else b for b in blocks)


@dataclass(frozen=True, slots=True)
class ReachedItemsSum:
    """Points on the items of one topic or kind that were reached; `name` is that of the topic or kind."""

    name: str
    earned_points: Fraction
    possible_points: Fraction
    item_count: int

    @property
    def points_share(self) -> Fraction:
        return self.earned_points / self.possible_points if self.possible_points else model.ZERO

    @property
    def share_and_points_text(self) -> str:
        points = points_ratio_text(self.earned_points, self.possible_points)
        return f"{share_as_percent_text(self.points_share)} ({points})"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Confidence compared with scores: the mean share claimed and the mean share earned, over `item_count` items.

    Confidence 1 to 5 claims 10, 30, 50, 70 and 90 %."""

    item_count: int
    mean_claimed_share: Fraction
    mean_earned_share: Fraction
    tendency_phrase: str


@dataclass(frozen=True, slots=True)
class Debrief:
    """A session that has ended, with the results of its items. `form` is its form; without bands and pass mark if the
    candidate ended it early, as then only the items that were reached count."""

    session: Interview
    form: model.Form
    results: tuple[ItemResult, ...]

    @property
    def was_quit_early(self) -> bool:
        """Whether the candidate ended or left the session before reaching every item."""
        return self.session.end_reason in ("quit", "") and bool(self.unreached_results)

    @property
    def reached_results(self) -> tuple[ItemResult, ...]:
        return tuple(r for r in self.results if r.state.was_shown)

    @property
    def earned_points(self) -> Fraction:
        return sum_points([r.score.earned for r in self.results])  # an item that was not reached earned nothing

    @property
    def counted_possible_points(self) -> Fraction:
        """The points of all items; only of those that were reached if the candidate ended the session early."""
        return sum_points([r.possible_points for r in (self.reached_results if self.was_quit_early else self.results)])

    @property
    def points_share(self) -> Fraction:
        return self.earned_points / self.counted_possible_points if self.counted_possible_points else model.ZERO

    @property
    def percent_text(self) -> str:
        """The share of the points as a percentage, not rounded up to a pass mark or band that it does not reach."""
        rounded_share = Fraction(round(self.points_share * 100), 100)
        marks = (*(band.min_share for band in self.form.score_bands), self.form.pass_share or 0)
        if any(self.points_share < mark <= rounded_share for mark in marks):
            return f"{int(self.points_share * 1000) / 10:.1f} %"
        return share_as_percent_text(self.points_share)

    @property
    def ending_text(self) -> str:
        """How the session ended, and how many items it did not reach."""
        reason = self.session.end_reason
        text = TEXT_BY_END_REASON.get(reason, reason)
        unreached, blanks = self.unreached_results, len(self.blank_results)
        if not unreached:
            return f"{text[:-1]}; {blanks} left without a response." if blanks and reason == "finished" else text
        points = points_phrase(sum_points([r.possible_points for r in unreached]))
        fact = f"{len(unreached)} of {len(self.results)} items {'was' if len(unreached) == 1 else 'were'} not reached"
        return f"{'Finished early.' if reason == 'finished' else text} {fact} ({points})."

    @property
    def band(self) -> model.ScoreBand | None:
        return model.highest_reached_band(self.points_share, self.form.score_bands)

    @property
    def topic_results(self) -> list[ReachedItemsSum]:
        return _group_results(self.results, lambda r: r.state.item.topic or "other")

    @property
    def kind_results(self) -> list[ReachedItemsSum]:
        return _group_results(self.results, lambda r: r.state.item.kind)

    @property
    def calibration(self) -> Calibration | None:
        """None if no confidence was stated."""
        results = [r for r in self.results if r.state.confidence is not None and r.state.is_answered_or_closed]
        if not results:
            return None
        claimed = sum_points([CLAIMED_SHARE_BY_CONFIDENCE[r.state.confidence or 3] for r in results]) / len(results)
        earned = sum_points([r.points_share for r in results]) / len(results)
        tendency_phrase = "too sure" if claimed > earned else "too unsure"
        if abs(claimed - earned) <= Fraction(1, 10):  # certainty claims 90 %, a guess 10 %
            tendency_phrase = "about right"
        if len(results) < MIN_RATED_ITEMS_FOR_TENDENCY:
            tendency_phrase = "too few items to judge by"
        return Calibration(len(results), claimed, earned, tendency_phrase)

    @property
    def count_claim_earned_per_confidence(self) -> list[tuple[int, Fraction, Fraction]]:
        """(number of items, share claimed, mean share earned) of each confidence that was stated, the lowest first."""
        results = [r for r in self.reached_results if r.state.is_answered_or_closed]
        return [
            (len(shares), claimed_share, sum_points(shares) / len(shares))
            for level, claimed_share in CLAIMED_SHARE_BY_CONFIDENCE.items()
            if (shares := [r.points_share for r in results if r.state.confidence == level])
        ]

    @property
    def has_passed(self) -> bool | None:
        return None if self.form.pass_share is None else self.points_share >= self.form.pass_share

    @property
    def unreached_results(self) -> tuple[ItemResult, ...]:
        return tuple(r for r in self.results if not r.state.was_shown)

    @property
    def weakest_topics_below_70_percent(self) -> tuple[ReachedItemsSum, ...]:
        """At most three topics below 70 % of the points, the weakest first, from items with an answer only: a skipped
        item says nothing about a topic."""
        topics = replace(self, results=tuple(r for r in self.results if r.has_response)).topic_results
        weak_topics = [t for t in topics if t.points_share < Fraction(7, 10)]
        return tuple(sorted(weak_topics, key=lambda t: (t.points_share, t.name))[:3])

    @property
    def three_most_over_time_budget(self) -> tuple[ItemResult, ...]:
        """At most three items that exceeded their time budget, the item with the largest excess first."""
        slow_results = [r for r in self.reached_results if r.state.seconds_until_response > r.time_budget_seconds]
        return tuple(sorted(slow_results, key=lambda r: r.time_budget_seconds - r.state.seconds_until_response)[:3])

    @property
    def three_rushed_mistakes(self) -> tuple[ItemResult, ...]:
        """At most three wrong responses given in less than a quarter of their time, but in a second at least: a
        response from a pipe takes none."""
        bad = (r for r in self.results if r.state.is_answered_or_closed and r.score.outcome is model.Outcome.INCORRECT)
        return tuple(r for r in bad if 1 <= r.state.seconds_until_response < r.time_budget_seconds / 4)[:3]

    @property
    def results_to_redo(self) -> tuple[ItemResult, ...]:
        """Items that were reached but did not earn full points, the largest loss first."""
        results = (r for r in self.reached_results if not r.has_full_points)
        return tuple(sorted(results, key=lambda r: r.score.earned - r.possible_points))

    @property
    def blank_results(self) -> tuple[ItemResult, ...]:
        """Items that were shown and left without a response, in order."""
        return tuple(r for r in self.reached_results if not r.has_response)

    @property
    def nothing_to_redo_text(self) -> str:
        """A sentence on the next step if there is nothing to redo; empty if there is."""
        if self.results_to_redo:
            return ""
        if len(self.unreached_results) == len(self.results):
            return "Nothing to redo: no item was reached. Begin a new session."
        scope = "what was reached" if self.unreached_results else "every item"
        return f"Nothing to redo: {scope} earned full points. A new session draws items that you have not seen lately."


def debrief_of_session(session: Interview) -> Debrief:
    """The debrief of a session that has ended. Items that were never shown count and earn nothing, except follow-ups,
    which no form contains. If the candidate ended the session early, only the items reached count, and there is no pass
    mark."""
    results = tuple(
        ItemResult(place, place.score(), session.displayed_number_text(index), session.item_budget_seconds(index))
        for index, place in enumerate(session.item_states)
        if place.was_shown or not place.is_follow_up
    )
    debrief = Debrief(session, session.form, results)
    form_without_bands = replace(session.form, score_bands=(), pass_share=None)
    return replace(debrief, form=form_without_bands) if debrief.was_quit_early else debrief


def share_as_percent_text(share: Fraction) -> str:
    return f"{round(share * 100)} %"


def points_ratio_text(earned: Fraction, possible: Fraction, separator: str = "/") -> str:
    """Points as `2/3`, or with another separator, such as `2 of 3`."""
    return f"{up_to_2_decimals(earned)}{separator}{up_to_2_decimals(possible)}"


def _group_results(results: Iterable[ItemResult], group_name_of: Callable[[ItemResult], str]) -> list[ReachedItemsSum]:
    """The points on the items that were reached, by the name that `group_name_of` gives an item, sorted by name."""
    reached_results = sorted((r for r in results if r.state.was_shown), key=group_name_of)
    group_results = []
    for name, group in groupby(reached_results, group_name_of):
        rows = list(group)
        earned, possible = sum_points([r.score.earned for r in rows]), sum_points([r.possible_points for r in rows])
        group_results.append(ReachedItemsSum(name, earned, possible, len(rows)))
    return group_results


def remark_inline_pieces(text: str, is_option_reason: bool) -> tuple[Inline, ...]:
    """A remark as inline pieces. With `is_option_reason`, it is the reason of a chosen option, in Markdown. Any other
    remark may quote the candidate, so only backquotes are markup."""
    if is_option_reason:
        return markdown_inline_pieces(text)
    pieces = enumerate(re.split(r"`([^`\n]+)`", text))
    return tuple(CodeSpan(piece) if number % 2 else Text(piece) for number, piece in pieces if piece)


def split_by_evidence(text: str, marks: Iterable[model.Mark]) -> list[tuple[str, bool]]:
    """A response in printable pieces, each with whether it is evidence for a mark: `a b c` with evidence (2, 3) gives
    `[("a ", False), ("b", True), (" c", False)]`."""
    spans = [span for mark in marks for span in mark.evidence_spans]
    evidence = {index for start, end in spans for index in range(start, min(end, len(text)))}
    pieces = groupby(enumerate(text), lambda place: place[0] in evidence)
    return [(printable("".join(c for _, c in places)), is_evidence) for is_evidence, places in pieces]
