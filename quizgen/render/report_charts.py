"""What the charts of a report show (templates/report_charts.html draws them): candidates by score, topic and time."""

from __future__ import annotations

from dataclasses import dataclass
from zlib import crc32

from quizgen.analysis.report import Person, Report

BINS = 20
ROWS = 300  # candidates that get a row of their own in the heat-map
DOTS = 1_500


@dataclass(slots=True)
class ChartSums:
    """What the charts need of all candidates, in bounded memory."""

    bins: list[int]
    rows: list[tuple[str, float, dict[str, float]]]
    levels: dict[int, dict[str, list[float]]]  # by bin: topic -> sum of shares, n
    dots: list[tuple[int, float, float]]  # hash, share, seconds


def gather(report: Report) -> ChartSums:
    """One pass over the candidates."""
    found = ChartSums([0] * BINS, [], {}, [])
    few = report.scores.candidates <= ROWS
    for label, number, share, topics, seconds in report.each(_summary):
        if share is None:
            continue
        bin_ = min(int(share * BINS), BINS - 1)
        found.bins[bin_] += 1
        if few:
            found.rows.append((label, share, topics))
        for topic, value in topics.items():
            sums = found.levels.setdefault(bin_, {}).setdefault(topic, [0.0, 0.0])
            sums[0] += value
            sums[1] += 1
        if seconds is not None:
            found.dots.append((number, share, seconds))
            if len(found.dots) >= 2 * DOTS:
                found.dots = sorted(found.dots)[:DOTS]
    found.dots = sorted(found.dots)[:DOTS]
    found.rows.sort(key=lambda row: (-row[1], row[0]))
    return found


def _summary(person: Person) -> tuple[str, int, float | None, dict[str, float], float | None]:
    """Name, hash, share, shares by topic and seconds of a candidate."""
    seconds = [a.seconds for a in person.answered if a.seconds is not None]
    number = crc32(person.who.encode("utf-8", "surrogatepass"))
    return person.label, number, person.share, _by_topic(person), sum(seconds) if seconds else None


def _by_topic(person: Person) -> dict[str, float]:
    sums: dict[str, list[float]] = {}
    for one in person.answered:
        if one.possible:
            pair = sums.setdefault(one.topic, [0.0, 0.0])
            pair[0] += float(one.earned)
            pair[1] += float(one.possible)
    return {topic: pair[0] / pair[1] for topic, pair in sums.items()}


def ticks(most: int) -> list[int]:
    """Round numbers up to the largest count, four or so."""
    step = 1
    while most / step > 5:
        step = step * 2 if str(step)[0] == "1" else step * 5 // 2 if str(step)[0] == "2" else step * 2
    return list(range(step, most + 1, step))


def heat_rows(found: ChartSums) -> dict[str, object]:
    """Rows of the heat-map, (name, shares by topic), and its title: a row a candidate, best first; many candidates
    by score level."""
    if found.rows:
        rows = [(label, shares) for label, _, shares in found.rows]
        return {"title": "Topics by candidate, the best first", "rows": rows}
    levels = [
        (f"{5 * n} to {5 * n + 5} %", {t: s[0] / s[1] for t, s in found.levels[n].items()})
        for n in sorted(found.levels, reverse=True)
    ]
    return {"title": "Topics by score level (too many candidates for a row each)", "rows": levels}
