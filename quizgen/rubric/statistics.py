"""The few statistics that agreement needs, on plain lists of floats."""

from __future__ import annotations

import math
from bisect import bisect_right


def pearson(left: list[float], right: list[float]) -> float:
    """Product-moment correlation; 0 where either side does not vary."""
    n = len(left)
    if n < 2:
        return 0.0
    a, b = math.fsum(left) / n, math.fsum(right) / n
    xx = math.fsum((x - a) ** 2 for x in left)
    yy = math.fsum((y - b) ** 2 for y in right)
    if xx <= 1e-12 or yy <= 1e-12:
        return 0.0
    return math.fsum((x - a) * (y - b) for x, y in zip(left, right, strict=True)) / math.sqrt(xx * yy)


def within(left: list[float], right: list[float], names: list[str]) -> float:
    """Mean of the items' own correlations: what is left when easy items do not help."""
    groups: dict[str, tuple[list[float], list[float]]] = {}
    for x, y, name in zip(left, right, names, strict=True):
        a, b = groups.setdefault(name, ([], []))
        a.append(x)
        b.append(y)
    values = [pearson(a, b) for a, b in groups.values()]
    return math.fsum(values) / len(values) if values else 0.0


def rmse(left: list[float], right: list[float]) -> float:
    if not left:
        return 0.0
    return math.sqrt(math.fsum((x - y) ** 2 for x, y in zip(left, right, strict=True)) / len(left))


def kappa(left: list[float], right: list[float], bins: int) -> float:
    """Quadratic weighted kappa of two lists on 0..1, read in `bins` equal steps (Cohen 1968);
    for two bins it is Cohen's kappa."""
    n = len(left)
    if not n or bins < 2:
        return 0.0
    table = [[0] * bins for _ in range(bins)]
    for x, y in zip(left, right, strict=True):
        table[_bin(x, bins)][_bin(y, bins)] += 1
    rows = [sum(row) for row in table]
    columns = [sum(row[j] for row in table) for j in range(bins)]
    seen = math.fsum((i - j) ** 2 * table[i][j] for i in range(bins) for j in range(bins))
    chance = math.fsum((i - j) ** 2 * rows[i] * columns[j] / n for i in range(bins) for j in range(bins))
    return 1 - seen / chance if chance else 0.0


def _bin(value: float, bins: int) -> int:
    return min(bins - 1, max(0, math.floor(value * (bins - 1) + 0.5)))


def calibrated(signal: list[float], truth: list[float], names: list[str]) -> list[float]:
    """Each value through a monotone fit to the other items' rows (pool adjacent violators)."""
    out = [0.0] * len(signal)
    for name in dict.fromkeys(names):
        others = [i for i, n in enumerate(names) if n != name]
        if not others:
            others = list(range(len(names)))
        steps, values = _isotonic([(signal[i], truth[i]) for i in others])
        for i, n in enumerate(names):
            if n == name:
                out[i] = values[max(0, bisect_right(steps, signal[i]) - 1)]
    return out


def _isotonic(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float]]:
    """First signal value and mean of each block of the best non-decreasing step function."""
    blocks: list[tuple[float, float, int]] = []
    for x, y in sorted(pairs):
        if blocks and blocks[-1][0] == x:
            start, total, count = blocks[-1]
            blocks[-1] = (start, total + y, count + 1)
        else:
            blocks.append((x, y, 1))
    merged: list[tuple[float, float, int]] = []
    for block in blocks:
        merged.append(block)
        while len(merged) > 1 and merged[-2][1] * merged[-1][2] >= merged[-1][1] * merged[-2][2]:
            _, total, count = merged.pop()
            start, before, many = merged.pop()
            merged.append((start, before + total, many + count))
    return [m[0] for m in merged], [m[1] / m[2] for m in merged]
