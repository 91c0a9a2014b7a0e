"""What an institution wants on its paper: name, logo, instructions, room to write, editions for those who need one."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from shipped import BankOf

from quizgen.cli import run
from quizgen.render.html import HtmlWriter

from .made import PNG

ITEMS = """
items:
  - {id: a, kind: text, stem: Why?, seconds: 60, lines: 11, rubric: {criteria: [{id: x, say: Because., accept: [so]}]}}
  - {id: b, kind: text, stem: How?, seconds: 160, rubric: {criteria: [{id: x, say: Thus., accept: [thus]}]}}
  - {id: c, kind: choice, stem: Which?, key: this, distractors: [that]}
"""
PLAN = """
title: Final
institution: University of Somewhere
logo: LOGO
instructions: [Switch off your phone., No books.]
sections:
  - {kind: text, title: Text, instructions: Answer both., count: 2}
  - {kind: choice, title: Options, count: 1}
"""


@pytest.fixture
def bank(bank_of: BankOf) -> Path:
    folder = Path(bank_of(ITEMS, **{"blueprints/final.yaml": PLAN.replace("LOGO", "logo.png")}).required_bank.folder)
    (folder / "logo.png").write_bytes(PNG)
    return folder


def made(bank: Path, tmp_path: Path, *options: str) -> Path:
    out = tmp_path / "out"
    assert run(["exam", f"{bank}/final", "-o", str(out), "--seed", "s", *options]) == 0
    return out


def test_a_form_says_whose_exam_it_is_and_has_the_room_that_is_asked_for(
    bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (made(bank, tmp_path) / "form-A.html").read_text(encoding="utf-8")
    assert f'<img src="data:image/png;base64,{base64.b64encode(PNG).decode()}" alt="">' in text
    for line in ("University of Somewhere", "Switch off your phone.", "No books.", "Answer both."):
        assert line in text
    # An item says how much room it wants: eleven lines as asked, 160 s are ten.
    for stem, lines in (("Why?", 11), ("How?", 10)):
        (part,) = (part for part in text.split("<article") if stem in part)
        assert part.count('<div class="line">') == lines
    (bank / "blueprints" / "final.yaml").write_text(PLAN.replace("LOGO", "../logo.png"))
    assert "data:image" not in (made(bank, tmp_path) / "form-A.html").read_text(encoding="utf-8")
    assert 'logo: "../logo.png" is not a path inside the bank' in capsys.readouterr().err


def test_large_print_and_paper_by_roster(bank: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("name,id,large_print,paper\nAda,1,yes,\nBo,2,no,letter\nCy,3,,\n")
    out = made(bank, tmp_path, "--roster", str(roster))
    classes = [
        (out / f"form-A-{n:03}.html").read_text(encoding="utf-8").partition('class="')[2].partition('"')[0]
        for n in (1, 2, 3)
    ]
    assert classes == ["paper-a4 large-print", "paper-letter", "paper-a4"]
    roster.write_text("name,large_print,paper\nAda,maybe,a5\n")
    assert run(["exam", f"{bank}/final", "-o", str(out), "--roster", str(roster)]) == 3
    err = capsys.readouterr().err
    assert 'large_print "maybe" cannot be read; write yes or no' in err
    assert 'paper "a5" cannot be read; write a4 or letter' in err


def test_practice_is_kept_apart(bank: Path, tmp_path: Path) -> None:
    out = made(bank, tmp_path, "--practice")
    assert not list(out.glob("practice-*"))
    assert '"keys":' in (out / "practice" / "practice-A.html").read_text(encoding="utf-8")
    form = (out / "form-A.html").read_text(encoding="utf-8")
    assert '"keys":' not in form
    assert "practice" not in form.lower()


@pytest.mark.parametrize(
    ("phrases", "shown"),
    [
        ([("a", "b"), ("b", "a")], (("a", "b"),)),
        ([("memory", "small"), ("memory", "less or fewer")], (("memory", "small, less or fewer"),)),
        ([("reduc… or reduces or saves",)], (("reduc… or saves",),)),
        ([(n, f"{n}y") for n in "abcdefg"], (*((n, f"{n}y") for n in "abcde"), ("2 more ways",))),
        ([(" or ".join("abcdefghijk"),)], (("a, b, c, d, e, f, g, h or 3 other words",),)),
    ],
)
def test_a_marking_scheme_in_short(phrases: list[tuple[str, ...]], shown: tuple[tuple[str, ...], ...]) -> None:
    """The same parts in another order once; what differs in one part as one way; words under their beginning."""
    assert HtmlWriter("").merge_accepted_phrases(phrases) == shown
