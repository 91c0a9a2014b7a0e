"""The candidate's history with items, from the logs of a folder, with responses scored by the bank of today."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from quizgen.answer_areas import Options
from quizgen.coach.standing import ItemAttempt, PastSessionResult
from quizgen.model import SHARE_BY_CLAIM_WORD, ZERO, Bank, Variant
from quizgen.render.debrief import debrief_of_session
from quizgen.render.debrief_html import PastResponse
from quizgen.scoring.log_lines import epoch_seconds_or_none
from quizgen.scoring.response import score_response
from quizgen.scoring.scorer import Scorer
from quizgen.session import session_log
from quizgen.session.interview import Dispute, Interview
from quizgen.session.session_log import LoggedSession, LogRecord
from quizgen.terminal.open_session import CannotResume, restore_session, sessions_of_logs


def answered_sessions_of_logs(paths: Iterable[Path], report_fault: Callable[[str], None]) -> list[LoggedSession]:
    """The sessions of some logs, oldest first. A log that cannot be read is reported by `report_fault` and left out."""
    sessions = (s for s in sessions_of_logs(paths, report_fault) if s.response_records)
    return sorted(sessions, key=lambda s: (s.start_utc_text, s.log_path))


def bank_name_and_self_ratings_per_session(paths: Iterable[Path]) -> Iterator[tuple[str, dict[str, int]]]:
    """Yields the candidate's own ratings (1 to 5) of items without a response: (bank name, last rating by item)."""
    for session in sessions_of_logs(paths):
        own = {str(r["item"]): session_log.confidence_or_none(r.get("confidence")) for r in session.rating_only_records}
        if levels := {name: level for name, level in own.items() if level}:
            yield session.bank_name, levels


def last_attempts_per_session(sessions: Iterable[LoggedSession], bank: Bank, now: datetime) -> Iterator[ItemAttempt]:
    """Yields the attempts at the items of each session, scored by the bank of today. Days are in the zone of `now`."""
    scorer = Scorer(bank.items)
    for session in sessions:
        claims = session_log.last_dispute_by_criterion_id_by_item_id(session)
        rules = session_log.rules_of_first_record(session.first_record)
        for name, line in session.last_response_record_by_item_id.items():
            variant = scorer.variant_of_line(bank.items.get(name), line)
            if variant is None:
                continue
            records = (x for x in session.response_records if x.get("item") == name and not x.get("probe"))
            *_, last_unprobed_record = (line, *records)
            area = variant.prompt()[-1]
            option_count = len(area.options) if isinstance(area, Options) and not area.allows_several else 0
            hint_count, is_shown = session_log.hint_count_or_zero(line.get("hints")), line.get("shown_solution") is True
            yield ItemAttempt(
                variant.item.id,
                day_ordinal_of_logged_time(line.get("at"), now),
                _response_points_share_halfway_to_claims(variant, line, claims.get(name, {})),
                _response_points_share_halfway_to_claims(variant, last_unprobed_record, {}),
                session_log.confidence_or_none(line.get("confidence")),
                hint_count,
                1 / option_count if option_count else 0.0,
                session_log.parse_seconds(line.get("seconds")) / (variant.item.seconds * rules.time_multiplier),
                line.get("late") is True,
                line.get("response") not in ("", None, []) and not is_shown,
                rules.is_timed and not hint_count and not is_shown,
            )


def _restored_sessions(sessions: Iterable[LoggedSession], bank: Bank) -> Iterator[tuple[LoggedSession, Interview]]:
    """Yields each session with its restored state, unless the bank has none of its items any more."""
    for session in sessions:
        with suppress(CannotResume):
            yield session, restore_session(session, bank)


def last_responses_per_session(sessions: Iterable[LoggedSession], bank: Bank, now: datetime) -> Iterator[PastResponse]:
    """The last response to each item of each session, the oldest session first."""
    for entry, session in _restored_sessions(sessions, bank):
        for state in session.item_states:
            if (line := entry.last_response_record_by_item_id.get(state.item.id)) is not None:
                yield PastResponse(state, state.score(), ordinal_day=day_ordinal_of_logged_time(line.get("at"), now))


def _response_points_share_halfway_to_claims(variant: Variant, line: LogRecord, claims: Mapping[str, Dispute]) -> float:
    """The share of the points, from 0 to 1. A disputed mark counts halfway between the mark and the claim."""
    response, earlier = (session_log.parse_logged_response(line.get(name)) for name in ("response", "earlier"))
    score = score_response(variant, response, None, session_log.hint_count_or_zero(line.get("hints")), earlier)
    shares = {name: SHARE_BY_CLAIM_WORD[dispute.claimed_share_word] for name, dispute in claims.items()}
    disputed_marks = (m for m in score.marks if m.status and m.criterion_id in claims)
    gain = sum((m.possible * shares[m.criterion_id] - m.earned for m in disputed_marks), ZERO)
    return float(max(ZERO, min(score.earned + gain / 2, score.possible)) / score.possible) if score.possible else 0.0


def past_session_results(sessions: Iterable[LoggedSession], bank: Bank) -> Iterator[PastSessionResult]:
    """Yields each session, scored by the bank of today, unless the bank has none of its items any more."""
    for entry, session in _restored_sessions(sessions, bank):
        debrief = debrief_of_session(session)
        counts = (len(debrief.reached_results), len(debrief.results))
        share, minutes = round(float(debrief.points_share), 4), round(debrief.session.used_seconds / 60, 1)
        yield PastSessionResult(entry.start_utc_text[:10], *counts, share, minutes, session.rules.is_timed)


def day_ordinal_of_logged_time(logged_time: object, now: datetime) -> int:
    """The day of a `logged_time` as an ordinal number; today if it cannot be read or is in the future."""
    seconds = epoch_seconds_or_none(logged_time)
    moment = now if seconds is None else datetime.fromtimestamp(seconds, now.tzinfo)
    return min(now.date().toordinal(), moment.date().toordinal())
