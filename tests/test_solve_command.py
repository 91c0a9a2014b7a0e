"""`quizgen solve` as a person types it, and the book of formulas that it reads only one entry of."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from shipped import Command

from quizgen.bank.formula_files import formula_book_of_files, shipped_formula_file_paths

BLOCKS = """\
# two formulas and a constant
constants:
  five: {is: five, value: 5, unit: 1, source: arithmetic, date: 2024}
  six: {is: six, value: 6, unit: 1, source: arithmetic, date: 2024}
formulas:
  first:
    title: Five times
    source: arithmetic
    inputs:
      x: {is: a number, unit: 1}
    steps:
      y: x * five

  second:
    title: Broken
    source: arithmetic
    inputs:
      x: {is: a number, unit: 1}
    steps:
      y: x * seven
"""
FLOW = "formulas: {first: {title: t, source: s, inputs: {x: {is: x, unit: 1}}, steps: {y: x * 2}, unit: 1}}\n"


@pytest.mark.parametrize(("stage", "told"), [("3", "K = 13 gives 86.15 GB: does not"), ("1", "impossible")])
def test_the_smallest_degree_and_its_neighbour(stage: str, told: str, command: Command) -> None:
    """16 * 70e9 / 80e9 = 14 exactly; 1120/13 = 86.15. In stage 1, 4 * 70e9 bytes alone are more than 80 GB."""
    asked = ("N=70e9", f"stage={stage}", "--find", "K", "--at-most", "80GB")
    assert told in command("solve", "zero_bytes", *asked).out
    assert "exactly one bound" in command("solve", "zero_bytes", "N=1", *asked[-2:], "--below", "9GB", code=2).err


@pytest.mark.parametrize(("text", "value"), [(BLOCKS, 15), (FLOW, 6), (BLOCKS.replace("  ", "    "), 15)])
def test_formulas_of_a_bank_however_written(text: str, value: int, tmp_path: Path, command: Command) -> None:
    path = tmp_path / "formulas.yaml"
    path.write_text(text, encoding="utf-8")
    assert json.loads(command("solve", "first", "x=3", "--bank", path, "--json").out)["value"] == value


def test_a_bank_that_ships_goes_by_its_name(command: Command) -> None:
    """2 * 3 bytes, whichever banks lend their formulas as well."""
    assert command("solve", "-e", "x * 2 B", "x=3", "--bank", "git").out == "6 B\n"
    command("solve", "zero_bytes", "N=13e9", "K=32", "stage=2", "--bank", "distributed-training")


@pytest.mark.parametrize(
    ("words", "out", "err"),
    [
        (("-e", "2T * 3 / 6T"), "1\n", ""),
        (("-e", "15T*2/3k"), "10000000000\n", ""),
        (("-e", "70B*2"), "140 B\n", "70B is 70 bytes here; 70 billion is 70e9\n"),
        (("-e", "t", "t=86400 s", "--unit", "d"), "1 day\n", ""),
        (("-e", "x * 2", "x=3 GB", "--unit", "MB"), "6000 MB\n", ""),
    ],
)
def test_a_calculator_reads_what_people_type(words: tuple[str, ...], out: str, err: str, command: Command) -> None:
    assert command("solve", *words) == (out, err)


def test_a_large_count_is_written_either_way_and_warns_where_letters_are_free_or_exchanged(command: Command) -> None:
    same = [command("solve", "zero_bytes", size, "K=64", "stage=3") for size in ("N=70e9", "N=70,000,000,000")]
    assert same[0].out == same[1].out
    assert same[0].err == ""
    exchanged = command("solve", "ring_allreduce_time", "N=70e9", "D=8", "B=50GB/s", "alpha=0").err
    assert "did you mean D, buffer on every rank?\nD = 8 is buffer on every rank here; did you mean N, num" in exchanged
    assert "did you mean" not in command("solve", "ring_allreduce_time", "N=70e9", "D=8GB", "B=50GB/s", "alpha=0").err


def test_a_formula_with_errors_is_told_with_its_place(tmp_path: Path, command: Command) -> None:
    path = tmp_path / "formulas.yaml"
    path.write_text(BLOCKS, encoding="utf-8")
    err = command("solve", "second", "x=3", "--bank", path, code=2).err
    assert 'formulas.yaml:20:14: second: unknown name "seven" in step y' in err


def test_each_shipped_formula_alone_is_the_one_in_the_whole_book() -> None:
    whole = formula_book_of_files(shipped_formula_file_paths())
    for name in list(whole)[::7]:
        alone, found = formula_book_of_files(shipped_formula_file_paths(), name).get(name), whole.get(name)
        assert alone.location == found.location
        assert [s.expression_text for s in alone.steps] == [s.expression_text for s in found.steps]
        assert list(alone.constant_by_name) == list(found.constant_by_name)


def test_every_letter_of_a_formula_is_listed(command: Command) -> None:
    out = command("list", "formulas", "zero_bytes").out
    for letter, meaning in (("N", "size of the model"), ("K", "data-parallel degree"), ("stage", "ZeRO stage")):
        assert any(line.split()[:1] == [letter] and line.endswith(meaning) for line in out.splitlines()), letter
    assert "quizgen solve zero_bytes N=13e9 K=32 stage=2" in out
    assert "did you mean kv_cache_bytes, " in command("list", "formulas", "kv", code=2).err
    assert 'did you mean "zero_bytes"?' in command("list", "formulas", "zero_byte", code=2).err
