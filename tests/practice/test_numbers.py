"""The page reads and judges numbers as the terminal does, or asks again."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from formula import spellings
from formula.torn import Torn
from rounded import ROWS, bank
from shipped import BankOf

from quizgen import bank as banks
from quizgen.formula.quantity import value_in_unit
from quizgen.formula.units import answer_dimension_fits
from quizgen.model import Outcome, Variant
from quizgen.numbers.answer import AnswerFormat, Refusal
from quizgen.numbers.read import answer_format_in_words_of_stem, questions_or_all_text, read_response
from quizgen.practice.page import item_data_same_in_all_drawings
from quizgen.render.number_reader import answer_format_fields, unit_lexicon_fields

from .modules import NODE, Typed, verdicts
from .test_page import data_of

pytestmark = pytest.mark.skipif(NODE is None, reason="no node: install nodejs to run the page's scripts alone")


def test_a_named_mistake_is_told(practice_page: Path, tmp_path: Path) -> None:
    """7 billion parameters at two bytes each are 14 GB, within 1 %."""
    data = data_of(practice_page)
    reader = next(card["reader"] for card in data["cards"] if card["item"] == "bytes")
    reader["lexicon"] = data["lexicons"][reader["lexicon"]]
    key = {
        "value": "112000000000", "margin": "1120000000", "digits": 2, "from": "112000000000", "half": False, "slips": [],
        "named": [["224000000000", "224000000000", "That is four bytes a parameter.", 0]], "words": {}, "numbers": [],
    }  # fmt: skip
    made = verdicts(tmp_path, [(text, reader, key, "") for text in ("14 GB", "14 GiB", "28 GB", "14 or 28 GB")])
    assert [one and one["share"] for one in made] == [1, 0, 0, None]
    assert made[2]["say"] == "That is four bytes a parameter."


def typed(variant: Variant, rng: random.Random) -> Iterator[str]:
    """The key of a variant, numbers near and far from it, and one before a word of the stem."""
    wanted = variant.answer_target
    unit = wanted.unit
    exact = float(value_in_unit(Fraction(wanted.base_key), unit))
    name = "" if unit.symbol == "1" else unit.symbol
    for factor in (1, 1.005, 1.03, 1.1, 0.5, 2, 8, 1000, 1024**3):
        yield f"{exact * factor:.{rng.choice([1, 2, 3, 4])}g} {name}".strip()
    yield from ("impossible", f"{exact + 1:.10g}", f"{exact:.3g} {rng.choice(variant.stem_text.split())}")


def rows_of(variant: Variant, texts: list[str]) -> Iterator[Typed]:
    key, data = variant.numeric_key_for_page(), item_data_same_in_all_drawings(variant)["reader"]
    asked = questions_or_all_text(variant.stem_text)
    return ((text, data, key, asked) for text in texts)


def shares(variant: Variant, texts: list[str]) -> Iterator[float | None]:
    for made in map(variant.score, texts):
        again = made.outcome in (Outcome.UNREADABLE, Outcome.BLANK)
        yield None if again else float(made.earned / made.possible)


def test_the_page_and_the_terminal_agree_on_the_keys_that_ship(tmp_path: Path) -> None:
    """On keys, and numbers beside them."""
    rng = random.Random("practice")
    items = [i for i in banks.load_bank("distributed-training").required_bank.items.values() if i.kind == "numeric"]
    rows: list[Typed] = []
    scored: list[float | None] = []
    for item in rng.sample(items, 40):
        variant = item.nth_seed_variant(rng.randrange(40))
        if (key := variant.numeric_key_for_page()) is not None and key["value"] is not None:
            texts = rng.sample(list(typed(variant, rng)), 8)
            rows += rows_of(variant, texts)
            scored += shares(variant, texts)
    assert len(rows) > 300
    made = [one and one["share"] for one in verdicts(tmp_path, rows)]
    assert [row[0] for row, one, share in zip(rows, made, scored, strict=True) if one != share] == []


def test_the_page_rounds_as_the_terminal_does(tmp_path: Path, bank_of: BankOf) -> None:
    """Twelve keys worked by hand."""
    items = bank_of(bank()).required_bank.items
    rows = [one for row in ROWS for one in rows_of(items[row.item].nth_seed_variant(0), [row.response])]
    assert [one and one["share"] for one in verdicts(tmp_path, rows)] == [row.earned for row in ROWS]


def plainly(text: str, expected: AnswerFormat) -> Any:
    """How the terminal reads a text, as `verdicts` says how the page does."""
    reading = read_response(text, expected)
    if isinstance(reading, Refusal):
        return None
    made: list[Any] = []
    for one in (reading, *reading.other_readings):
        if isinstance(one.value, bool | str):
            made.append([one.read_as, None, None])
        else:
            parts = one.value if isinstance(one.value, tuple) else (one.base_value,)
            shown = None if isinstance(one.value, tuple) else one.read_as
            fits = shown and answer_dimension_fits(one.unit.dim, expected.default_unit.dim)
            made.append([[Fraction(part) for part in parts], shown, fits])
    return made


def alike(page: Any, terminal: Any) -> bool:
    """Whether two lists of readings are the same, but for what floating point leaves open."""
    if page is None or terminal is None or len(page) != len(terminal):
        return page is terminal
    for (mine, *shown), (theirs, *said) in zip(page, terminal, strict=True):
        if isinstance(theirs, str) or isinstance(mine, str):
            if mine != theirs:
                return False
            continue
        exact = [Fraction(int(over), int(under)) for over, under in mine]
        near = (abs(one - other) <= abs(other) / 10**13 for one, other in zip(exact, theirs, strict=True))
        if not all(near) or (said[0] and shown != said):
            return False
    return True


def test_spellings_and_what_is_torn_from_them_read_alike(tmp_path: Path) -> None:
    """Every row of the table of spellings, with its stem where it has one, and as many torn ones: the page reads the
    same amounts, shown alike, and asks again what the terminal refuses."""
    shapes = {"truth": spellings.TRUTH, "word": spellings.WORDS, "tuple": spellings.TUPLE}
    formats: dict[tuple[str, str], AnswerFormat] = {}
    rows = []
    for row in spellings.rows():
        asked = shapes.get(row.asked) or AnswerFormat(row.unit, unit_lexicon=spellings.LEXICON)
        expected = formats.setdefault(
            (row.asked, row.stem), answer_format_in_words_of_stem(asked, row.stem) if row.stem else asked
        )
        rows.append((row.response, expected))
    torn = Torn("page")
    rows += [torn.next() for _ in range(len(rows))]
    readers: dict[int, dict[str, Any]] = {}
    for _, one in rows:
        readers.setdefault(id(one), {**answer_format_fields(one), "lexicon": unit_lexicon_fields(one.unit_lexicon)})
    given = [(text, readers[id(one)], None, questions_or_all_text(one.stem_words.unfilled_stem)) for text, one in rows]
    read = zip(rows, verdicts(tmp_path, given), strict=True)
    assert [(t, one.default_unit.symbol) for (t, one), page in read if not alike(page, plainly(t, one))] == []
