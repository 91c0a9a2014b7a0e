"""What the coach's choice gains beside other rules: `python tests/bench/bench_coach.py [LEARNERS]`.

Simulated learners (`tests/simulated.py` says what is assumed) practise to a date under each rule, the real
chooser among them, without rehearsal and last day; the same learners meet every rule. A figure is the mean
gain in knowing a new item of each skill on the day, in points of 100. Exit code 1 where the coach at 10 x 45
is more than 1.5 points behind the rule that knows the truth, or behind any of the others.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
from simulated import RULES, World, gains

WORLDS = {
    "10 x 45": World(),
    "3 x 45": World(days=3),
    "30 x 45": World(days=30),
    "forgets 3 x faster": World(strength=1 / 3),
    "forgets 3 x slower": World(strength=3.0),
    "little carried": World(carried=0.3),
    "much carried": World(carried=0.9),
    "novice": World(ability=-1.5),
    "30 % of days missed": World(missed=0.3),
    "30 % of tags wrong": World(wrong=0.3),
    "all tags wrong": World(wrong=1.0),
}
WITHIN = 1.5


def main(learners: int) -> int:
    names = [*RULES, "knows"]
    print(f"{learners} learners; points gained (standard error of the coach)")
    print(f"{'':22}" + "".join(f"{n:>9}" for n in names))
    bad = 0
    for label, world in WORLDS.items():
        found = {n: gains(n, world, learners) for n in names}
        error = found["coach"].std(ddof=1) / np.sqrt(learners)
        print(f"{label:22}" + "".join(f"{found[n].mean():9.1f}" for n in names) + f"   ({error:.1f})", flush=True)
        if label == "10 x 45":
            coach = found["coach"].mean()
            bad += coach < found["knows"].mean() - WITHIN or any(
                coach <= found[n].mean() for n in RULES if n != "coach"
            )
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 24))
