"""The same explanation, byte for byte, on every Python and for any hash seed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pythons import other_pythons

TESTS = Path(__file__).resolve().parents[1]
NEEDS = "import yaml, rapidfuzz, Stemmer, pytest"
# Every probe, every hostile text cut short, and every character there is: folded, and as a response.
CODE = """
import hashlib, sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
from quizgen.rubric.score import score_text
from quizgen.rubric.tokens import fold_text
from quizgen.rubric.tokens import TOKEN_PATTERN
from rubric.hostile import HOSTILE
from rubric.test_probes import RUBRICS, ROWS
said = [repr(score_text(RUBRICS[name], answer)) for name, _, answer, _ in ROWS]
said += [repr(score_text(rubric, HOSTILE[n % len(HOSTILE)][:400])) for n, rubric in enumerate(RUBRICS.values())]
for first in range(0, 0x20000, 64):
    text = "".join(" " + chr(c) + "x" for c in range(first, first + 64) if not 0xD800 <= c < 0xE000)
    folded = fold_text(text).text
    said.append(ascii((folded, TOKEN_PATTERN.findall(folded))))
print(hashlib.sha256("\\n".join(said).encode("utf-8", "surrogatepass")).hexdigest(), len(said))
"""


def explained(python: str, seed: str) -> str:
    environment = {name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ}
    environment |= {"PYTHONHASHSEED": seed, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [python, "-c", CODE, str(TESTS), str(TESTS.parent)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120).stdout


@pytest.fixture(scope="module")
def usual() -> str:
    return explained(sys.executable, "0")


def test_any_hash_seed(usual: str) -> None:
    assert explained(sys.executable, "4242") == usual


def test_other_pythons(usual: str) -> None:
    tried = []
    for python in other_pythons():
        if subprocess.run([python, "-c", NEEDS], capture_output=True, check=False).returncode == 0:
            assert explained(python, "5") == usual, python
            tried.append(python)
    if not tried:
        pytest.skip("no second Python with the dependencies; name some in QUIZGEN_PYTHONS")
