"""The page reads and judges numbers as the terminal does, or asks again."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from formula import spellings
from rounded import ROWS, bank

from quizgen import bank as banks
from quizgen.bank import Loaded
from quizgen.formula.quantity import in_unit
from quizgen.kinds.numeric.page_numbers import number_reader_settings
from quizgen.model import Outcome, Variant
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import read
from quizgen.practice.cards import key_data, reader_settings_data

from .modules import run_modules, verdicts
from .test_page import data_of

pytestmark = pytest.mark.usefixtures("node")


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("14 GB", 1), ("14", 1), ("14GB", 1), ("14.0 gb", 1), ("~14 GB", 1), ("about 14 GB.", 1), ("0.014 TB", 1),
        ("14e9 B", 1), ("1.4 x 10^10 bytes", 1), ("1.4×10¹⁰ B", 1), ("14,000 MB", 1), ("14 000 MB", 1), ("14,0 GB", 1),
        ("13.1 GiB", 1), ("13.9 GB", 1), ("14 gigabytes", 1), ("7*2 GB", 1), ("7 * 2 = 14 GB", 1), ("fourteen", 1),
        ("memory = 14 GB", 1), ("(3 + 4) * 2 GB", 1), ("0.5 * 28e9 B", 1), ("2^4 - 2*1 GB", 1),
        ("7 * 2 = 28 GB", None), ("28 / 2 / 1 GB", None), ("14 * 1010 B", None), ("13 - 14 GB", None),
        ("28 GB", 0), ("14 GiB", 0), ("14 s", 0), ("112 GB", 0), ("-14 GB", 0), ("1.4 GB", 0),
        ("fourteen-ish", None), ("14 or 28 GB", None), ("14 GB 28", None), ("", None), ("14 zorkmids", None),
        ("10-14 GB", None), ("1,2,3", None), ("14..0 GB", None), ("GB", None), ("<b>14</b>", None),
    ],
)  # fmt: skip
def test_fourteen_gigabytes(practice_page: Path, tmp_path: Path, text: str, share: float | None) -> None:
    """7 billion parameters at two bytes each are 14 GB, within 1 %."""
    card = next(card for card in data_of(practice_page)["cards"] if card["item"] == "bytes")
    key = {
        "value": "112000000000", "margin": "1120000000", "digits": 2, "from": "112000000000", "half": False, "slips": [],
        "named": [["224000000000", "224000000000", "That is four bytes a parameter.", 0]], "words": {}, "numbers": [],
    }  # fmt: skip
    [verdict] = verdicts(tmp_path, [(text, card["reader"], key)])
    assert (verdict and verdict["share"]) == share
    if text == "28 GB":
        assert verdict["say"] == "That is four bytes a parameter."


def typed(variant: Variant, rng: random.Random) -> Iterator[str]:
    """The key of a variant and numbers near and far from it, as people type them."""
    wanted = variant.target()  # type: ignore[attr-defined]  # of a numeric item
    unit = wanted.unit
    exact = float(in_unit(Fraction(wanted.key), unit))
    name = "" if unit.symbol == "1" else unit.symbol
    for factor in (1, 1, 1.005, 1.03, 1.1, 0.5, 2, 8, 1000, 1024**3):
        value = exact * factor
        digits = rng.choice([2, 3, 4])
        short = f"{value:.{digits}g}"
        yield short
        yield f"{short}{rng.choice(['', ' '])}{rng.choice([name, name.lower(), str(unit.plural)])}"
        mantissa, power = f"{value:.{digits}e}".split("e")
        yield f"{rng.choice(['', '~', 'about '])}{mantissa} x 10^{int(power)} {name}".strip()
        yield f"{value:,.1f} {name}".strip()
        yield f"{value / 1e6:.{digits}g} million {name}".strip()
        yield f"{short.replace('.', ',')} {name}".strip()


def test_the_page_and_the_terminal_agree_on_the_keys_that_ship(tmp_path: Path) -> None:
    """On 500 spellings of keys and of numbers beside them at least 97 % get the same verdict, and nothing is right on
    the page that is not in the terminal."""
    rng = random.Random("practice")
    items = [i for i in banks.load("distributed-training").readable.items.values() if i.kind == "numeric"]
    rows: list[tuple[str, Any, Any]] = []
    scored = []
    for item in rng.sample(items, 70):
        variant = item.nth(rng.randrange(40))
        reader, key = variant.number_reader_settings(), variant.number_key()
        if reader is None or key is None or key.value is None:
            continue
        texts, table, held = list(typed(variant, rng)), reader_settings_data(reader), key_data(key)
        for text in rng.sample(texts, 8):
            rows.append((text, table, held))
            scored.append(variant.score(text))
    rows, scored = rows[:500], scored[:500]
    assert len(rows) == 500
    alike, wrong = 0, []
    for (text, _, _), made, verdict in zip(rows, scored, verdicts(tmp_path, rows), strict=True):
        again = made.outcome in (Outcome.UNREADABLE, Outcome.BLANK)
        share = None if again else float(made.earned / made.possible)
        alike += (verdict and verdict["share"]) == share
        if verdict and verdict["share"] == 1 and share != 1:
            wrong.append(text)
    assert wrong == []
    assert alike >= 0.97 * len(rows)


def test_the_page_rounds_as_the_terminal_does(tmp_path: Path, bank_of: Callable[..., Loaded]) -> None:
    """Twelve keys worked by hand; what the page cannot read, such as `3/19 = 16%`, it asks again."""
    made = bank_of(bank())
    assert made.bank is not None
    rows = []
    for row in ROWS:
        variant = made.bank.items[row.item].nth(0)
        reader, key = variant.number_reader_settings(), variant.number_key()
        assert reader is not None
        assert key is not None
        rows.append((row.response, reader_settings_data(reader), key_data(key)))
    judged = verdicts(tmp_path, rows)
    assert [one and one["share"] for one in judged] == [
        one and row.earned for row, one in zip(ROWS, judged, strict=True)
    ]
    assert sum(one is None for one in judged) <= 1


def test_what_ships_as_spellings_is_read_alike_or_asked_again(tmp_path: Path) -> None:
    """The page reads no row of the table of spellings as another amount than the terminal does, and none that the
    terminal refuses; more than half of them it reads."""
    formats: dict[str, AnswerFormat] = {}
    readers: dict[str, Any] = {}
    texts, readings = [], []
    for row in (row for row in spellings.rows() if not row.stem and row.asked not in ("truth", "word", "tuple")):
        if row.asked not in readers:
            expected = AnswerFormat(row.unit, whole=row.unit.whole)
            formats[row.asked] = expected
            readers[row.asked] = reader_settings_data(
                number_reader_settings(expected, partial(read, expected=expected))
            )
        reading = read(row.response, formats[row.asked])
        if isinstance(reading, Refusal):
            readings.append(set())
        elif any(isinstance(way.value, bool | str | tuple) for way in (reading, *reading.others)):
            continue
        else:
            readings.append({Fraction(way.base) for way in (reading, *reading.others)})
        texts.append([row.response, row.asked])
    code = "return given[1].map(([text, unit]) => (page.readNumber(text, given[0][unit]) || []).map((r) => r.base.map(String)));"
    alike = 0
    for text, terminal, page in zip(texts, readings, run_modules(tmp_path, code, [readers, texts]), strict=True):
        amounts = {Fraction(int(over), int(under)) for over, under in page}
        assert amounts <= terminal, text
        alike += amounts == terminal
    assert alike > len(texts) / 2
