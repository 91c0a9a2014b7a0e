"""The charts of a report as shapes: distribution, heat-map, times, bars of options."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from zlib import crc32

from quizgen.analysis.figures import ItemFigures
from quizgen.analysis.intervals import Estimate
from quizgen.analysis.report import Person, Report
from quizgen.model import Band
from quizgen.render.charts import LETTER, Chart, Shape
from quizgen.source import printable

BINS = 20
ROWS = 300  # candidates that get a row of their own in the heat-map
NAMED = 60  # candidates whose row has its name
DOTS = 1_500
STEPS = 10  # shades of the heat-map


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
    for person in report.people():
        share = person.share
        if share is None:
            continue
        bin_ = min(int(share * BINS), BINS - 1)
        found.bins[bin_] += 1
        topics = _by_topic(person)
        if few:
            found.rows.append((person.label, share, topics))
        for topic, value in topics.items():
            sums = found.levels.setdefault(bin_, {}).setdefault(topic, [0.0, 0.0])
            sums[0] += value
            sums[1] += 1
        seconds = [a.seconds for a in person.answered if a.seconds is not None]
        if seconds:
            found.dots.append((crc32(person.who.encode("utf-8", "surrogatepass")), share, sum(seconds)))
            if len(found.dots) >= 2 * DOTS:
                found.dots = sorted(found.dots)[:DOTS]
    found.dots = sorted(found.dots)[:DOTS]
    found.rows.sort(key=lambda row: (-row[1], row[0]))
    return found


def _by_topic(person: Person) -> dict[str, float]:
    sums: dict[str, list[float]] = {}
    for one in person.answered:
        if one.possible:
            pair = sums.setdefault(one.topic, [0.0, 0.0])
            pair[0] += float(one.earned)
            pair[1] += float(one.possible)
    return {topic: pair[0] / pair[1] for topic, pair in sums.items()}


def distribution(bins: Sequence[int], bands: Sequence[Band], mean: float | None) -> Chart:
    """Candidates by score in steps of 5 %, with the bounds of the bands and the mean."""
    left, top, width, height = 46, 44, 640, 200
    most = max(bins, default=0) or 1
    step = width / BINS
    shapes = [Shape("line", left, top + height, left + width, top + height, "axis")]
    for tick in _ticks(most):
        y = round(top + height - height * tick / most, 1)
        shapes += [
            Shape("line", left, y, left + width, y, "grid"),
            Shape("text", left - 6, y + 4, text=f"{tick:,}", anchor="end"),
        ]
    for index, count in enumerate(bins):
        tall = round(height * count / most, 1)
        x = round(left + index * step + 1, 1)
        shapes.append(Shape("bar", x, round(top + height - tall, 1), round(step - 2, 1), tall, "bar"))
    for percent in range(0, 101, 10):
        x = round(left + width * percent / 100, 1)
        shapes.append(Shape("text", x, top + height + 18, text=f"{percent} %", anchor="middle"))
    for band in bands:
        x = round(left + width * float(band.start), 1)
        if band.start > 0:
            shapes.append(Shape("line", x, top - 4, x, top + height, "band"))
        end = min((left + width * float(b.start) for b in bands if b.start > band.start), default=left + width + 30)
        room = int((end - x - 4) / LETTER)
        if room >= 3:
            shapes.append(Shape("text", x + 4, top - 8, text=_short(band.name, room)))
    if mean is not None:
        x = round(left + width * mean, 1)
        shapes += [
            Shape("line", x, top, x, top + height, "mean"),
            Shape("text", x, top - 24, text=f"mean {mean:.0%}", anchor="middle strong"),
        ]
    shapes.append(Shape("text", left + width / 2, top + height + 36, text="share of the points", anchor="middle"))
    label = "Candidates by share of the points: " + ", ".join(
        f"{5 * n} to {5 * n + 5} %: {count}" for n, count in enumerate(bins) if count
    )
    return Chart("Score distribution", label, top + height + 46, tuple(shapes), left + width + 30)


def _ticks(most: int) -> list[int]:
    """Round numbers up to the largest count, four or so."""
    step = 1
    while most / step > 5:
        step = step * 2 if str(step)[0] == "1" else step * 5 // 2 if str(step)[0] == "2" else step * 2
    return list(range(step, most + 1, step))


def heat_map(report: Report, found: ChartSums) -> Chart:
    """Share of the points by topic: a row a candidate, best first; many candidates by score level."""
    topics = [topic for topic, _ in report.scores.topics]
    if found.rows:
        rows = [(label, shares) for label, _, shares in found.rows]
        title = "Topics by candidate, the best first"
    else:
        rows = [
            (f"{5 * n} to {5 * n + 5} %", {t: s[0] / s[1] for t, s in found.levels[n].items()})
            for n in sorted(found.levels, reverse=True)
        ]
        title = "Topics by score level (too many candidates for a row each)"
    named = len(rows) <= NAMED
    left, head = (170, 96) if named else (60, 96)
    tall = 18 if named else 5 if len(rows) <= 120 else 3
    wide = max(24, min(90, 640 // max(1, len(topics))))
    shapes = []
    for column, topic in enumerate(topics):
        x = left + column * wide
        shapes.append(Shape("slant", x + wide / 2, head - 10, text=_short(topic or "(none)", 18)))
    for index, (label, shares) in enumerate(rows):
        y = head + index * tall
        if named:
            shapes.append(Shape("text", left - 6, y + 13, text=_short(label, 24), anchor="end"))
        for column, topic in enumerate(topics):
            value = shares.get(topic)
            name = "none" if value is None else f"h{min(STEPS, round(value * STEPS))}"
            gap = 1 if named else 0
            shapes.append(Shape("bar", left + column * wide, y, wide - 1, tall - gap, f"heat {name}"))
            if named and value is not None:
                style = "middle light" if round(value * STEPS) >= 7 else "middle"
                shapes.append(
                    Shape("text", left + column * wide + wide / 2, y + 13, text=f"{value * 100:.0f}", anchor=style)
                )
    bottom = head + len(rows) * tall
    if not named:
        shapes += [
            Shape("text", left - 6, head + 10, text="best", anchor="end"),
            Shape("text", left - 6, bottom, text="weakest", anchor="end"),
        ]
    for shade in range(STEPS + 1):
        shapes.append(Shape("bar", left + shade * 24, bottom + 14, 24, 12, f"heat h{shade}"))
    shapes += [
        Shape("text", left, bottom + 42, text="0 %"),
        Shape("text", left + (STEPS + 1) * 24, bottom + 42, text="100 %", anchor="end"),
    ]
    label = "Share of the points by topic: " + ", ".join(
        f"{topic or '(none)'} {share.value or 0:.0%}" for topic, share in report.scores.topics
    )
    width = max(left + len(topics) * wide + 60, left + (STEPS + 1) * 24 + 10)
    return Chart(title, label, bottom + 50, tuple(shapes), width)


def times(dots: Sequence[tuple[int, float, float]], candidates: int) -> Chart:
    """A dot for each candidate: total time against score."""
    left, top, width, height = 60, 14, 640, 240
    longest = max((seconds for _, _, seconds in dots), default=1.0) or 1.0
    shortest = min((seconds for _, _, seconds in dots), default=0.0)
    spread = (longest - shortest) / 60
    step = next((s for s in (1, 2, 5, 10, 15, 30, 60, 120, 240, 600, 1200) if spread / s <= 8), 3600)
    start = int(shortest / 60 / step) * step
    scale = width / max(1.0, longest / 60 - start)
    shapes = []
    for percent in range(0, 101, 20):
        y = top + height - height * percent / 100
        shapes += [
            Shape("line", left, y, left + width, y, "grid"),
            Shape("text", left - 6, y + 4, text=f"{percent} %", anchor="end"),
        ]
    for minute in range(start, int(longest / 60) + 1, step):
        x = round(left + scale * (minute - start), 1)
        shapes.append(Shape("text", x, top + height + 18, text=f"{minute}", anchor="middle"))
    for _, share, seconds in dots:
        x, y = round(left + scale * (seconds / 60 - start), 1), round(top + height - height * share, 1)
        shapes.append(Shape("dot", x, y, 3))
    shapes.append(Shape("text", left + width / 2, top + height + 38, text="minutes in all", anchor="middle"))
    title = "Time against score" + (f" ({len(dots):,} of {candidates:,} candidates)" if len(dots) < candidates else "")
    return Chart(
        title,
        f"{len(dots)} candidates, time up to {longest / 60:.0f} minutes",
        top + height + 46,
        tuple(shapes),
        left + width + 30,
    )


def option_bars(item: ItemFigures) -> Chart | None:
    """How many took each option, all and of the best and weakest 27 %."""
    if not item.options or not item.n:
        return None
    name, area, row = 250, 260, 30
    shapes = []
    for index, option in enumerate(item.options):
        y = index * row
        upper = option.upper / item.upper.n if item.upper.n else 0
        lower = option.lower / item.lower.n if item.lower.n else 0
        kind = "key" if option.key else "bar"
        shapes += [
            Shape("text", 0, y + 15, text=("✓ " if option.key else "") + _short(option.text, 34)),
            Shape("bar", name, y + 3, round(area * option.taken / item.n, 1), 10, kind),
            Shape("bar", name, y + 14, round(area * upper, 1), 4, "upper"),
            Shape("bar", name, y + 19, round(area * lower, 1), 4, "lower"),
            Shape(
                "text",
                name + area + 8,
                y + 15,
                text=f"{option.taken:,}, {_bounds(option.share)}  {_r(option.correlation.value)}",
            ),
        ]
    label = "; ".join(f"{o.text}{' (key)' if o.key else ''}: {o.taken}" for o in item.options)
    return Chart(
        "Options taken: by all, below it by the best and the weakest 27 %",
        label,
        len(item.options) * row + 4,
        tuple(shapes),
        name + area + 220,
    )


def counted_bars(title: str, rows: Sequence[tuple[str, int, float]]) -> Chart | None:
    """Bars of counts: (name, count, share of the widest)."""
    if not rows:
        return None
    name, area, row = 250, 260, 22
    shapes = []
    for index, (text, count, share) in enumerate(rows):
        y = index * row
        shapes += [
            Shape("text", 0, y + 14, text=_short(text, 36)),
            Shape("bar", name, y + 3, round(area * share, 1), 13, "bar"),
            Shape("text", name + area + 8, y + 14, text=f"{count:,}"),
        ]
    label = "; ".join(f"{text}: {count}" for text, count, _ in rows)
    return Chart(title, label, len(rows) * row + 4, tuple(shapes), name + area + 150)


def accuracy_bars(item: ItemFigures) -> Chart | None:
    """Mean share of the points by drawn value."""
    if not item.values:
        return None
    name, area, row = 250, 260, 22
    shapes = []
    shown = item.values[:40]
    for index, (drawn, value, figure) in enumerate(shown):
        y = index * row
        mean = figure.value or 0.0
        shapes += [
            Shape("text", 0, y + 14, text=_short(f"{drawn} = {value}", 36)),
            Shape("bar", name, y + 3, area, 13, "track"),
            Shape("bar", name, y + 3, round(area * mean, 1), 13, "bar"),
            Shape("text", name + area + 8, y + 14, text=f"{_bounds(figure)}, n = {figure.n:,}"),
        ]
    label = "; ".join(f"{d} = {v}: {(f.value or 0):.0%} of {f.n}" for d, v, f in shown)
    return Chart("Accuracy by drawn value", label, len(shown) * row + 4, tuple(shapes), name + area + 220)


def _bounds(share: Estimate) -> str:
    value = share.value or 0.0
    return f"{value:.0%}" + ("" if share.low is None else f" ({share.low:.0%} to {share.high:.0%})")


def _r(value: float | None) -> str:
    return "" if value is None else f"r {value:+.2f}"


def _short(text: str, limit: int) -> str:
    text = printable(" ".join(text.split()))
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
