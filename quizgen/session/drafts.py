"""Text that is typed but not submitted, saved beside the log so that a crash costs at most a second.

A draft is a convenience, not a record: each save replaces all of it, and a damaged draft counts as none."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from quizgen.atomic_write import leftover_temporary_files, open_replacement_file
from quizgen.session.interview import Interview, ItemState
from quizgen.session.session_log import parse_confidence, parse_seconds

# The fields of an ItemState that a draft keeps.
DRAFT_FIELDS = ("draft", "scratch", "flagged", "clarified", "hints", "confidence", "probed", "closed")


@dataclass(frozen=True, slots=True)
class Draft:
    """The unsubmitted state of a session: the seconds used, the item ids in order, and the saved fields of each item
    (`DRAFT_FIELDS` and `seconds`) by item id."""

    used_seconds: float = 0.0
    item_order: tuple[str, ...] = ()
    fields_by_item: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


NO_DRAFT = Draft()


def draft_path(log_path: str) -> str:
    return f"{log_path}.draft"


def save_draft(log_path: str, session_id: str, session: Interview, now: float) -> None:
    """Replaces the draft file of `log_path`. Raises OSError if that fails; the log itself is not changed."""
    state = {
        "session": session_id,
        "used": session.seconds_spent(now),
        "order": [p.item.id for p in session.item_states],
        "places": {
            p.item.id: {name: getattr(p, name) for name in DRAFT_FIELDS} | {"seconds": round(p.seconds_spent, 3)}
            for p in session.item_states
            if p.was_shown
        },
    }
    with open_replacement_file(draft_path(log_path), is_private=True) as file:
        file.write(json.dumps(state).encode())


def load_draft(log_path: str, session_id: str) -> Draft:
    """The draft of session `session_id`; an empty `Draft` if there is none or it cannot be read."""
    try:
        value = json.loads(Path(draft_path(log_path)).read_bytes())
    except (OSError, ValueError, RecursionError):
        return NO_DRAFT
    if not isinstance(value, dict) or value.get("session") != session_id:
        return NO_DRAFT
    places = value.get("places")
    order = value.get("order")
    return Draft(
        parse_seconds(value.get("used")),
        tuple(o for o in order if isinstance(o, str)) if isinstance(order, list) else (),
        {k: v for k, v in places.items() if isinstance(v, dict)} if isinstance(places, dict) else {},
    )


def delete_draft(log_path: str) -> None:
    """Deletes the draft of a session that ended. Ignores an error."""
    for path in (Path(draft_path(log_path)), *leftover_temporary_files(draft_path(log_path))):
        with suppress(OSError):
            path.unlink(missing_ok=True)


def apply_draft(item_state: ItemState, fields: Mapping[str, object]) -> ItemState:
    """`item_state` with the fields of a draft, `fields`."""
    text, scratch, hints, probe = (fields.get(n) for n in ("draft", "scratch", "hints", "probed"))
    ladder = len(item_state.item.hints)
    return replace(
        item_state,
        was_shown=True,
        draft=text if isinstance(text, str) else item_state.draft,
        scratch=scratch if isinstance(scratch, str) else item_state.scratch,
        seconds_spent=max(item_state.seconds_spent, parse_seconds(fields.get("seconds"))),
        flagged=fields.get("flagged") is True,
        clarified=fields.get("clarified") is True,
        hints=max(item_state.hints, min(hints, ladder)) if isinstance(hints, int) else item_state.hints,
        confidence=parse_confidence(fields.get("confidence")) or item_state.confidence,
        probed=probe if isinstance(probe, str) and probe else item_state.probed,
        closed=item_state.closed or fields.get("closed") is True,
    )
