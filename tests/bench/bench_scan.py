"""Scans: rows read silently wrong, doubts and refusals over every condition of tests/scan/degraded.py.
`python -m tests.bench.bench_scan [SHEETS [CONDITION…]]`

The baseline, on the same ink of the same pages, is a bare threshold of 0.35 without any doubt.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np

from quizgen.scan.answers import read_page
from quizgen.scan.pages import ScannedPage
from tests.browser.chromium import Chromium
from tests.scan.degraded import ALL, HARD, NOISY, UNFORESEEN
from tests.scan.filled import filled
from tests.scan.printed import Exam, bank, made

BARE = 0.35


def conditions(exam: Exam, sheets: int, names: list[str]) -> None:
    forms = {form["code"]: form for form in exam.manifest["forms"]}
    base = {named: exam.page(f"form-A{'-001' if named else ''}") for named in (True, False)}
    layout = {named: exam.sheets("A", named)[0] for named in (True, False)}
    total: Counter[str] = Counter()
    heads = ["sheets", "bubbles", "refused", "silent", "bare", "doubt", "needless", "s"]
    print(f"{'condition':38} " + " ".join(f"{head:>8}" for head in heads))
    for name in names:
        style, spoil = ALL[name]
        count: Counter[str] = Counter()
        seconds = 0.0
        for number in range(sheets * (2 if name in ("photo 1500 px", "photo 900 px") else 1)):
            chance = np.random.default_rng([number, *name.encode()])
            named = bool(number % 2)
            page, truth = filled(base[named], exam.origin(), layout[named], style, chance)
            spoilt = np.ascontiguousarray(spoil(page, chance))
            start = time.perf_counter()
            read = read_page(ScannedPage("p", 1, spoilt), forms.get)
            seconds += time.perf_counter() - start
            count["sheets"] += 1
            if not read.row_readings:
                count["refused"] += 1
                print(f"    {read.failure_reason}")
                continue
            count["bubbles"] += sum(len(row.bubble_letter_x_y_mm) for row in layout[named].rows)
            for row in read.row_readings:
                want = truth[row.item_or_id]
                letters = layout[named].rows[0].bubble_letter_x_y_mm and "ABCDEFGHIJ"
                bare = "".join(letters[i] for i, ink in enumerate(row.bubble_inks) if ink >= BARE)
                count["rows"] += 1
                count["bare"] += bare != want.answer or want.look
                count["silent"] += not row.doubt_reason and (row.answer != want.answer or want.look)
                count["doubt"] += bool(row.doubt_reason)
                count["needless"] += bool(row.doubt_reason) and not want.look
        total.update(count)
        rows = max(1, count["rows"])
        shares = f"{count['doubt'] / rows:8.1%} {count['needless'] / rows:8.1%} {seconds / count['sheets']:8.2f}"
        print(f"{name:38} " + " ".join(f"{count[head]:8,}" for head in heads[:5]), shares, flush=True)
    silent = f"{total['silent']} silently wrong, bare threshold {total['bare']}"
    print(f"all: {total['bubbles']:,} bubbles, {total['rows']:,} rows, {silent}")


def main() -> None:
    sheets = int(sys.argv[1]) if len(sys.argv) > 1 else 14
    names = sys.argv[2:] or [n for n in ALL if n not in {**NOISY, **HARD, **UNFORESEEN}] + [*NOISY, *HARD, *UNFORESEEN]
    with tempfile.TemporaryDirectory() as name, Chromium() as browser:
        conditions(made(Path(name) / "paper", browser, bank(60), ["Ada,A1"]), sheets, names)


if __name__ == "__main__":
    main()
