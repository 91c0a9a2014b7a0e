"""A roofline: what a kernel can reach at its intensity, by memory or by compute."""

from __future__ import annotations

from math import log10

from quizgen.figures.canvas import FILLS, Canvas, Drawing, DrawnAmount, FigureError, Settings, amount, known, rows

WIDE, HIGH, LEFT, TOP = 420, 220, 90, 16


def roofline(settings: Settings) -> Drawing:
    """Settings: `peak` in FLOP/s, `bandwidth` in B/s, `kernels`, a mapping of names to intensities in FLOP/B."""
    known(settings, ("peak", "bandwidth", "kernels"))
    peak, bandwidth = amount(settings, "peak"), amount(settings, "bandwidth")
    kernels = [(name, a) for name, a in rows(settings, "kernels", 12) if isinstance(a, DrawnAmount) and a.value > 0]
    if not kernels:
        raise FigureError("`kernels` must give intensities above 0", "write kernels: {matmul: 300, softmax: 1}")
    ridge = peak.value / bandwidth.value
    low = min(ridge, *(a.value for _, a in kernels)) / 4
    high = max(ridge, *(a.value for _, a in kernels)) * 4
    floor = peak.value * low / ridge / 2

    def across(intensity: float) -> float:
        return LEFT + WIDE * (log10(intensity) - log10(low)) / (log10(high) - log10(low))

    def up(flops: float) -> float:
        return TOP + HIGH * (1 - (log10(flops) - log10(floor)) / (log10(peak.value * 1.6) - log10(floor)))

    canvas = Canvas(LEFT + WIDE + 30, TOP + HIGH + 46)
    canvas.line(LEFT, TOP, LEFT, TOP + HIGH)
    canvas.line(LEFT, TOP + HIGH, LEFT + WIDE, TOP + HIGH)
    canvas.line(across(low), up(low * bandwidth.value), across(ridge), up(peak.value))
    canvas.line(across(ridge), up(peak.value), across(high), up(peak.value))
    canvas.line(across(ridge), up(peak.value), across(ridge), TOP + HIGH, soft=True)
    canvas.text(LEFT - 6, up(peak.value) + 4, peak.shown, "end")
    canvas.text(across(ridge), TOP + HIGH + 18, f"{ridge:.3g} FLOP/B", "middle")
    canvas.text(LEFT + WIDE / 2, TOP + HIGH + 38, "intensity (FLOP per byte)", "middle")
    lines = [f"peak {peak.shown}, bandwidth {bandwidth.shown}, ridge at {ridge:.3g} FLOP/B"]
    for number, (name, a) in enumerate(kernels):
        reach = min(peak.value, a.value * bandwidth.value)
        canvas.dot(across(a.value), up(reach), 5, FILLS[number % len(FILLS)])
        canvas.text(across(a.value) + 8, up(reach) + 14, name)
        lines.append(f"{name:<16.16} {a.shown:>12}")
    alt = f"Roofline: {lines[0]}; kernels at {', '.join(f'{name} {a.shown}' for name, a in kernels)}, in FLOP/B."
    return Drawing(canvas.svg(), tuple(lines), alt)
