"""Progress over time as lines of text."""

from __future__ import annotations

from collections.abc import Sequence

from quizgen.readiness import ENOUGH, Progress, Readiness, Sat
from quizgen.render.text import clean, width_of, wrap

SCALE = 20


def progress_lines(found: Progress, latest: Sequence[Sat], width: int, advice: str) -> list[str]:
    """A line a topic that was met: its range on a scale, how many responses it rests on, and the
    trend. The others are named below."""
    sessions = f"{found.sessions} session{'s' * (found.sessions != 1)}"
    count = found.overall.count
    shown = wrap(f"Readiness from {sessions}, {count} timed response{'s' * (count != 1)}.", width)
    shown += wrap(
        f"A range holds what you earned lately with 80 % confidence; none is shown below {ENOUGH} responses.", width
    )
    shown.append("")
    rows = [found.overall, *(t for t in found.topics if t.topic not in found.untested)]
    room = min(max(width_of(clean(r.topic)) for r in rows), max(12, width - 50))
    shown += [_row(r, room, width) for r in rows]
    if found.untested:
        shown += ["", *wrap(f"Never met: {', '.join(found.untested)}.", width)]
    if latest:
        shown += ["", "Latest sessions:"]
    for sat in latest:
        text = f"{clean(sat.day)}  {sat.reached:>3} of {sat.items} items  {round(sat.share * 100):>3} %"
        text += f"  {round(sat.minutes):>3} min" + ("" if sat.timed else "  (practice or untimed: not counted)")
        shown.append(f"  {text}"[:width])
    return [*shown, "", *wrap(advice, width)]


def _row(r: Readiness, room: int, width: int) -> str:
    name = clean(r.topic)[:room]
    start = f"{name}{' ' * (room - width_of(name))}"
    met = f"{r.met} of {r.total} items met"
    if r.low is None or r.high is None:
        return f"{start}  too little to say ({r.count} of {ENOUGH} responses)"[:width]
    percent = f"{round(r.low * 100):>3} - {round(r.high * 100):>3} %"
    scale = "".join("=" if r.low <= (n + 0.5) / SCALE <= r.high else "." for n in range(SCALE))
    line = f"{start}  {percent}  n={r.count:<3} {r.trend:<6}"
    for part in (f"  [{scale}]", f"  {met}"):
        line += part if width_of(line) + len(part) <= width else ""
    return line.rstrip()
