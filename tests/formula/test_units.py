"""Units: spelling, worth, and which amounts go together."""

from __future__ import annotations

from fractions import Fraction

import pytest
from every import every

from formula.spellings import must_read
from quizgen.formula import BadTextError, FormulaError
from quizgen.formula.quantity import Quantity, exact_number_as_printed, parse_quantity
from quizgen.formula.show import format_drawn_quantity, prefixed_quantity_text
from quizgen.formula.units import KNOWN_UNITS, UNIT_ONE, Unit, dimension_fits_declared, parse_unit
from quizgen.numbers.answer import AnswerFormat

WORTH = {
    "B": 8,
    "kB": 8000,
    "GB": 8 * 10**9,
    "GiB": 8 * 2**30,
    "min": 60,
    "kWh": 3600000,
    "%": Fraction(1, 100),
    "GPU-h": 3600,
    "USD/GPU-h": Fraction(1, 3600),
    "B/param": 8,
    "FLOP/B": Fraction(1, 8),
    "s**2": 1,
    "Gbit/s": 10**9,
    "USD/gpu-hour": Fraction(1, 3600),
}


@every(WORTH.items())
def test_worth_in_base_units(text: str, factor: int | Fraction) -> None:
    assert parse_unit(text).factor == factor


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("FLOPS", "write FLOP/s for a rate"),
        ("KB", "write kB (1000 B) or KiB (1024 B)"),
        ("gb", 'did you mean "Gb" or "GB"?'),
        ("m", "write min for minutes or ms"),
        ("layerz", 'did you mean "layer"?'),
        ("B/", "a unit on both sides"),
        ("Hz", "write 1/s"),
        ("J/(GPU*s)", "write it without brackets, with a / before each unit of the denominator"),
    ],
)
def test_unknown_units_say_what_to_write(text: str, hint: str) -> None:
    with pytest.raises(BadTextError) as caught:
        parse_unit(text)
    assert hint in str(caught.value)


ASSIGNED = [
    ("1", "param", True),
    ("s", "GPU-h", True),
    ("B/param", "B", False),
    ("param", "token", False),
    ("param", "1", False),
    ("GPU", "1", True),
    ("GPU-h", "h", False),
    ("1", "B", False),
]


@pytest.mark.parametrize(("computed", "declared", "fine"), ASSIGNED)
def test_what_may_be_printed_as_what(computed: str, declared: str, fine: bool) -> None:
    assert dimension_fits_declared(parse_unit(computed).dim, parse_unit(declared).dim) is fine


@pytest.mark.parametrize(
    ("text", "unit"),
    [("80 GB", "s"), ("3 param", "token"), ("nan", "1"), ("inf", "1"), ("1e999", "1"), ("", "1"), ("1/0", "1"),
     ("3,5 GB", "B"), ("1 2", "1"), ("B", "B"), ("3 GB/s", "B"), ("0x10", "1"), ("１", "1")],
)  # fmt: skip
def test_no_quantities(text: str, unit: str) -> None:
    with pytest.raises(FormulaError):
        parse_quantity(text, parse_unit(unit))


def test_floats_are_read_as_the_decimals_they_print() -> None:
    assert exact_number_as_printed(0.1) == Fraction(1, 10)
    assert exact_number_as_printed(13e9) == 13 * 10**9
    with pytest.raises(FormulaError):
        exact_number_as_printed(float("nan"))
    with pytest.raises(FormulaError):
        exact_number_as_printed(True)


SHOWN = [
    ("1 day", "1 day"),
    ("13e9 param", "13B"),
    ("8030261248 param", "8,030,261,248"),
    ("4096", "4,096"),
    ("80e9 B", "80 GB"),
    ("1460 B", "1,460 B"),  # segments of 1.46 kB nobody has heard of
    ("4096 B/token", "4,096 B/token"),
    ("1.5e3 B", "1.5 kB"),
]


@every(SHOWN)
def test_drawn_values_as_people_write_them(text: str, shown: str) -> None:
    unit = parse_unit(text.split(" ", 1)[1]) if " " in text else parse_unit("1")
    assert format_drawn_quantity(parse_quantity(text, unit), text) == shown


@pytest.mark.parametrize(
    ("value", "unit", "shown"),
    [
        (31687500000, "B", "31.69 GB"),
        (Fraction(1, 3), "1", "0.3333"),
        (1, "GPU", "1 GPU"),
        (14, "GPU", "14 GPUs"),
        (Fraction(12, 10**6), "1", "1.2e-5"),
        (-200 * 10**9, "B", "-200 GB"),
        (0.1 + 0.2, "1", "0.3"),
        (Fraction(5, 1000), "s", "5 ms"),
        (1, "token/s", "1 token/s"),
    ],
)
def test_amounts_in_four_figures(value: int | Fraction | float, unit: str, shown: str) -> None:
    """A word takes its plural, a symbol and what is behind a slash do not."""
    assert prefixed_quantity_text(Quantity(value, parse_unit(unit))) == shown


def test_no_number_of_thirty_digits_is_carried_on_from_an_earlier_part() -> None:
    assert prefixed_quantity_text(Quantity(Fraction(100, 3), parse_unit("W")), None) == "33.33 W"


@every(sorted({*KNOWN_UNITS.values()} - {UNIT_ONE}, key=str))
def test_a_unit_is_read_in_the_singular_and_in_the_plural(unit: Unit) -> None:
    """As an author writes it, and as a person does."""
    for shown in ("1", "2.5"):
        for written in (unit.symbol_after_number_text(shown), f"{unit.symbol_after_number_text(shown)}/s"):
            assert parse_unit(written) == parse_unit(written.replace(unit.symbol_after_number_text(shown), unit.symbol))
        found = must_read(f"{shown} {unit.symbol_after_number_text(shown)}", AnswerFormat(unit))
        assert found.base_value == Quantity(parse_quantity(shown).value_in_own_unit, unit).base_value
