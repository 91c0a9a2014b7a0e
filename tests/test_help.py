"""What the commands say of themselves: usage lines and one-line summaries in one form everywhere."""

from __future__ import annotations

import pytest

from quizgen import cli
from quizgen.cli import SUMMARIES

ASKED = [(), *((name,) for name in SUMMARIES), *(("rubric", name) for name in ("eval", "suggest", "draft"))]


@pytest.fixture(params=ASKED, ids=lambda words: " ".join(words) or "quizgen")
def page(request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """The help of the command line and of each command, in a terminal of 80 columns."""
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.run([*request.param, "--help"]) == 0
    return capsys.readouterr().out


def test_the_usage_line_has_one_sign_for_several(page: str) -> None:
    assert "..." not in page.partition("\n\n")[0]


def test_repeatable_options_say_so_in_one_way(page: str) -> None:
    assert "(may be repeated)" not in " ".join(page.split())


def test_no_summary_is_cut_off(page: str) -> None:
    assert "..." not in page.partition("Commands:\n")[2]


@pytest.mark.parametrize(
    ("words", "usage"),
    [
        (("mock",), "mock [OPTIONS] [BANK, BLUEPRINT or CASE]"),
        (("exam",), "exam [OPTIONS] BANK or BLUEPRINT"),
        (("score",), "score [OPTIONS] LOG…"),
        (("check",), "check [OPTIONS] [BANK…]"),
        (("solve",), "solve [OPTIONS] [FORMULA] NAME=VALUE…"),
        (("rubric",), "rubric [OPTIONS] COMMAND [ARGS]…"),
        (("rubric", "eval"), "rubric eval [OPTIONS] BANK GRADED…"),
    ],
)
def test_usage_lines(words: tuple[str, ...], usage: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.run([*words, "--help"]) == 0
    assert capsys.readouterr().out.startswith(f"Usage: quizgen {usage}\n")
