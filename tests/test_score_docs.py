"""The page on scoring says what the program does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from quizgen.analysis.item_statistics import DEFINITIONS
from quizgen.cli import run
from quizgen.commands.score import FORMATS, command

BLOCK = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```", re.MULTILINE | re.DOTALL)

STATISTICS = """\
# Statistics of a report

Made from `DEFINITIONS` in `quizgen/analysis/item_statistics.py`; `pytest tests/test_score_docs.py --update-golden` writes
this page anew. Every figure comes with its n and a 95 % interval, and below n = 30 with a note to take it as a hint.

| figure | definition |
|---|---|
"""


@pytest.fixture
def page(root: Path) -> str:
    return (root / "docs" / "scoring.md").read_text(encoding="utf-8")


def test_the_examples_print_what_the_page_shows(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown = 0
    for block in BLOCK.finditer(page):
        found = re.search(r"file=(\S+)", block["info"])
        if found:
            Path(found[1]).write_text(block["body"], encoding="utf-8")
        if block["info"] != "console":
            continue
        for part in re.split(r"^\$ ", block["body"], flags=re.MULTILINE)[1:]:
            line, _, output = part.partition("\n")
            assert run(shlex.split(line)[1:]) == 0
            out, err = capsys.readouterr()
            assert out == output
            assert "class.jsonl:8: cut off after 71 characters" in err
            shown += 1
    assert shown == 4


def test_the_page_of_statistics_is_the_table(root: Path, request: pytest.FixtureRequest) -> None:
    path = root / "docs" / "statistics.md"
    made = STATISTICS + "".join(f"| `{name}` | {text} |\n" for name, text in DEFINITIONS.items())
    if request.config.getoption("--update-golden"):
        path.write_text(made, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == made, "run with --update-golden and read the difference"


def test_page_and_reference_name_every_option_and_format(page: str, root: Path) -> None:
    page += (root / "docs" / "scoring-reference.md").read_text(encoding="utf-8")
    for name in FORMATS:
        assert f"`{name}`" in page
    options = {o for p in command.params for o in p.opts if o.startswith("--")}
    assert {o for o in options if o not in page} <= {"--json", "--output", "--quiet", "--blueprint", "--help"}
