"""The schedule of a pipeline: which stage works on which micro-batch when."""

from __future__ import annotations

from quizgen.figures.canvas import FILLS, Canvas, Drawing, Settings, known, whole, word

CELL, ROW, LEFT = 26, 26, 64


def pipeline_schedule(settings: Settings) -> Drawing:
    """Settings: `p` stages, `m` micro-batches, `order` gpipe (default) or 1f1b. A backward takes twice a forward."""
    known(settings, ("p", "m", "order"))
    stages, batches = whole(settings, "p", 1, 16), whole(settings, "m", 1, 32)
    order = word(settings, "order", ("gpipe", "1f1b"))
    work = scheduled(stages, batches, order)
    end = max(start + length for stage in work for start, length, _, _ in stage)
    canvas = Canvas(LEFT + end * CELL + 10, stages * ROW + 34)
    lines = []
    for number, stage in enumerate(work):
        top = 6 + number * ROW
        canvas.text(4, top + 17, f"stage {number}")
        row = ["·"] * end
        for start, length, batch, backward in stage:
            fill = FILLS[1] if backward else FILLS[0]
            canvas.box(LEFT + start * CELL, top, length * CELL, ROW - 4, fill, str(batch + 1))
            shown = str((batch + 1) % 10)
            row[start : start + length] = [shown.translate(BACK) if backward else shown] * length
        lines.append(f"stage {number:<2} {''.join(row)}")
    canvas.text(LEFT, stages * ROW + 24, "time: a forward takes 1, a backward 2")
    alt = f"Schedule of {stages} pipeline stages with {batches} micro-batches ({order}): it takes {end} forward times."
    return Drawing(canvas.svg(), (*lines, "         digits: forward of a micro-batch; circled: its backward"), alt)


# Digits of backwards in a terminal.
BACK = {ord("0") + n: chr(0x2460 + n - 1) if n else "⓪" for n in range(10)}


def scheduled(stages: int, batches: int, order: str) -> list[list[tuple[int, int, int, bool]]]:
    """For each stage (start, length, micro-batch, backward) of its pieces of work, as early as they can be."""
    todo = [_order(stage, stages, batches, order) for stage in range(stages)]
    done: dict[tuple[int, int, bool], int] = {}
    free = [0] * stages
    work: list[list[tuple[int, int, int, bool]]] = [[] for _ in range(stages)]
    left = stages * batches * 2
    while left:
        for stage in range(stages):
            while todo[stage]:
                batch, backward = todo[stage][0]
                before = (stage + 1, batch, True) if backward else (stage - 1, batch, False)
                if backward and stage == stages - 1:
                    before = (stage, batch, False)
                if (0 <= before[0] < stages) and before not in done:
                    break
                start = max(free[stage], done.get(before, 0))
                length = 2 if backward else 1
                free[stage] = done[stage, batch, backward] = start + length
                work[stage].append((start, length, batch, backward))
                todo[stage].pop(0)
                left -= 1
    return work


def _order(stage: int, stages: int, batches: int, order: str) -> list[tuple[int, bool]]:
    forwards, backwards = [(b, False) for b in range(batches)], [(b, True) for b in range(batches)]
    if order == "gpipe":
        return forwards + backwards
    ahead = min(batches, stages - stage)
    mixed = forwards[:ahead]
    for n, backward in enumerate(backwards):
        mixed.append(backward)
        mixed += forwards[ahead + n : ahead + n + 1]
    return mixed
