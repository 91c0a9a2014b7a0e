"""Make every picture of the documentation anew: `python docs/captures/make.py [PART …]`.

Parts: screens (docs/mock.md), today (docs/coach.md), case (docs/cases.md), cards (docs/practice.md), pages (preview,
exam, figures) and flows (docs/developing.md). Needs tmux, Chromium, pdftoppm, Pillow and an installed quizgen.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PARTS = ("screens", "today", "case", "cards", "pages", "flows")

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        if part not in PARTS:
            sys.exit(f"no part {part}; name some of {', '.join(PARTS)}")
        print(part, flush=True)
        subprocess.run([sys.executable, str(Path(__file__).with_name(f"{part}.py"))], check=True)
