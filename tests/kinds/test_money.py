"""A bank may count in any currency: its code is a unit, and people write it as they do."""

from __future__ import annotations

import pytest
from shipped import BankOf

from quizgen.draw import Stream
from quizgen.formula.units import CURRENCIES, currency_of, parse_unit
from quizgen.model import Outcome

RIGHT, WRONG, ASKED = Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNREADABLE

PRICES = """
topic: prices
units: {EUR: [euros, €], month: [months, mo], share: [shares]}
items:
  - id: gross
    kind: numeric
    stem: A chair costs {net} net, and {tax} of VAT are added. What is its gross price?
    draw: {net: [80.50 EUR], tax: [20 %]}
    formula:
      inputs: {net: {is: net price, unit: EUR}, tax: {is: VAT, unit: "%"}}
      steps: {vat: net * tax, all: net + vat}
      unit: EUR
  - id: profit
    kind: numeric
    stem: A shop takes 1.3 million euros and keeps a tenth of it. What is its profit?
    formula: {inputs: {s: {is: sales, unit: EUR, default: 1300000 EUR}}, steps: {p: s / 10}, unit: EUR}
  - id: rent
    kind: numeric
    stem: A flat costs {y} a year. What is the rent of a month?
    draw: {y: [9600 EUR]}
    formula: {inputs: {y: {is: rent of a year, unit: EUR}}, steps: {m: y / (12 month)}, unit: EUR/month}
  - id: rate
    kind: numeric
    stem: You get 540 dollars for 500 euros. How many dollars is a euro?
    formula: {inputs: {d: {is: dollars, unit: USD, default: 540 USD}}, steps: {r: d / (500 EUR)}, unit: USD/EUR}
  - id: lots
    kind: numeric
    stem: How many shares at 40 euros do you get for 10,000 euros?
    formula: {inputs: {m: {is: money, unit: EUR, default: 10000 EUR}}, steps: {n: m / (40 EUR/share)}, unit: share}
  - id: price
    kind: numeric
    stem: You pay 10,000 euros for 250 shares. What does a share cost?
    formula: {inputs: {m: {is: money, unit: EUR, default: 10000 EUR}}, steps: {p: m / (250 share)}, unit: EUR/share}
"""


@pytest.mark.parametrize(
    ("item", "text", "outcome"),
    [
        # 80.50 EUR and a fifth of it: 96.60 EUR
        ("gross", "96.60", RIGHT),
        ("gross", "€96.60", RIGHT),
        ("gross", "96,60 EUR", RIGHT),
        ("gross", "96 euros 60", ASKED),
        ("gross", "96 euros and 60 cents", ASKED),
        ("gross", "9660 cents", RIGHT),
        ("gross", "96.60 incl. VAT", RIGHT),
        ("gross", "80.5 + 20%", ASKED),
        ("gross", "€80.50 + 20 % = €96.60", RIGHT),
        ("gross", "€80.50", WRONG),
        ("gross", "$96.60", WRONG),
        ("gross", "£96.60", ASKED),
        ("profit", "130 T€", ASKED),
        ("profit", "0,13 Mio. €", RIGHT),
        ("profit", "130k profit", RIGHT),
        ("profit", "130.000 €", RIGHT),
        ("profit", "130 EUR", WRONG),
        ("rent", "800 EUR/month", RIGHT),
        ("rent", "800/mo", ASKED),
        ("rent", "800 € p.m.", ASKED),
        ("rent", "800 a month (9,600 EUR a year)", RIGHT),
        ("rent", "9600 EUR a year", WRONG),
        ("rate", "$1.08 per euro", RIGHT),
        ("rate", "1 EUR = 1.08 USD", RIGHT),
        ("rate", "0.926", WRONG),
        ("price", "40 per sh", ASKED),
        ("lots", "250 bananas", ASKED),
    ],
)
def test_money_as_people_write_it(bank_of: BankOf, item: str, text: str, outcome: Outcome) -> None:
    assert bank_of(PRICES).readable.items[item].draw(Stream(item, "1")).score(text).outcome is outcome


def test_an_amount_in_a_currency_is_printed_with_its_code_and_has_parts(bank_of: BankOf) -> None:
    bank = bank_of(PRICES).readable
    variant = bank.items["gross"].draw(Stream("gross", "1"))
    assert "costs 80.5 EUR net" in str(variant.prompt()[0])
    assert variant.echo("96.6").text == "96.6 EUR"
    assert not [p for p in bank.items["gross"].prove() if p.severity == "failure"]


def test_a_currency_that_nobody_declared_is_told_how(bank_of: BankOf) -> None:
    told = [str(p) for p in bank_of(PRICES.replace("EUR: [euros, €], ", "")).problems]
    assert any("let the bank count it: `units: {EUR: [euros, €]}`" in line for line in told), told


@pytest.mark.parametrize(
    ("code", "text"), [("AUD", "$96.60"), ("INR", "₹96.60"), ("JPY", "96.6 yen"), ("CHF", "Fr. 96.60")]
)
def test_the_sign_is_that_of_the_banks_currency(bank_of: BankOf, code: str, text: str) -> None:
    spelt = {"AUD": "$", "INR": "₹", "JPY": "yen", "CHF": "Fr"}[code]
    loaded = bank_of(PRICES.replace("{EUR: [euros, €]", f"{{{code}: [{spelt}]").replace("EUR", code))
    assert loaded.readable.items["gross"].draw(Stream("gross", "1")).score(text).outcome is RIGHT


def test_every_code_is_a_label_and_money() -> None:
    for code in CURRENCIES:
        unit = parse_unit(code, ((code, code, ""),))
        assert currency_of(unit.dim) == code
        assert not unit.whole
    assert not currency_of(parse_unit("USD").dim)
