"""A bank may count in any currency: its code is a unit, and people write it as they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from quizgen.bank import Loaded
from quizgen.draw import Stream
from quizgen.formula.units import CURRENCIES, is_money, own_money, parse_unit
from quizgen.model import Outcome

BankOf = Callable[..., Loaded]
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
  - id: fallen
    kind: numeric
    stem: A share falls from 50 euros to 44. By how many percent has it fallen?
    formula: {inputs: {s: {is: start, unit: EUR, default: 50 EUR}}, steps: {f: 1 - 44 EUR / s}, unit: "%"}
  - id: earned
    kind: numeric
    stem: A fund of 1.2 million euros earns 100,000. What is the return?
    formula: {inputs: {f: {is: fund, unit: EUR, default: 1200000 EUR}}, steps: {r: 100000 EUR / f}, unit: "%"}
  - id: wage
    kind: numeric
    stem: Somebody earns 52,000 dollars for 2,080 hours of a year. What is the hourly wage?
    formula: {inputs: {y: {is: year, unit: USD, default: 52000 USD}}, steps: {w: y / (2080 h)}, unit: USD/h}
  - id: doubling
    kind: numeric
    stem: At 5 % a year, how long does it take for money to double?
    formula: {inputs: {g: {is: growth, unit: 1, default: 1.05}}, steps: {t: ln(2) / ln(g) * 1 year}, unit: year}
  - id: outstanding
    kind: numeric
    stem: Yearly sales are 10 million dollars, receivables 1 million. How many days of sales are outstanding?
    formula: {inputs: {s: {is: sales, unit: USD, default: 10000000 USD}}, steps: {d: 1000000 USD / s * 365 day}, unit: day}
  - id: used
    kind: numeric
    stem: A disk of 80 GB is 60 % full. How much is used?
    formula: {inputs: {d: {is: disk, unit: GB, default: 80 GB}}, steps: {u: d * 0.6}, unit: GB}
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
        ("gross", "96€60", ASKED),
        ("gross", "96 euros and 60 cents", ASKED),
        ("gross", "9660 cents", RIGHT),
        ("gross", "96.60 incl. VAT", RIGHT),
        ("gross", "96.60 gross", RIGHT),
        ("gross", "80.50 net, 16.10 VAT, 96.60 gross", ASKED),
        ("gross", "80.5 + 20%", ASKED),
        ("gross", "€80.50 + 20 % = €96.60", RIGHT),
        ("gross", "80.5 - 20%", ASKED),
        ("gross", "€80.50", WRONG),
        ("gross", "$96.60", WRONG),
        ("gross", "£96.60", ASKED),
        ("profit", "130 TEUR", ASKED),
        ("profit", "130 T€", ASKED),
        ("profit", "0,13 Mio. €", RIGHT),
        ("profit", "130k profit", RIGHT),
        ("profit", "130 tsd", ASKED),
        ("profit", "130.000 €", RIGHT),
        ("profit", "130 EUR", WRONG),
        ("profit", "1.17 million costs", WRONG),
        ("rent", "800 EUR/month", RIGHT),
        ("rent", "800/mo", ASKED),
        ("rent", "800 € p.m.", RIGHT),
        ("rent", "800 p/m", ASKED),
        ("rent", "€800/Monat", ASKED),
        ("rent", "800 a month (9,600 EUR a year)", RIGHT),
        ("rent", "9600/12", RIGHT),
        ("rent", "9600 EUR a year", WRONG),
        ("rate", "$1.08 per euro", RIGHT),
        ("rate", "1 EUR = 1.08 USD", RIGHT),
        ("rate", "$540 / €500", ASKED),
        ("rate", "0.926", WRONG),
        ("fallen", "12 % down", RIGHT),
        ("fallen", "a 12% drop", RIGHT),
        ("fallen", "12% less", ASKED),
        ("fallen", "12 pp", ASKED),
        ("fallen", "12% more", ASKED),
        ("earned", "100k/1.2m", ASKED),
        ("earned", "100k of 1.2M is 8.33 %", RIGHT),
        ("earned", "8.33% ROI", ASKED),
        ("wage", "$25", RIGHT),
        ("wage", "25 ph", ASKED),
        ("wage", "52k / 2080 h", ASKED),
        ("wage", "$200", WRONG),
        ("doubling", "log(2) / log(1.05)", ASKED),
        ("doubling", "log(2)", ASKED),
        ("doubling", "log(0) / log(1.05)", ASKED),
        ("outstanding", "$1m/$10m*365", ASKED),
        ("outstanding", "36.5 days", RIGHT),
        ("used", "80*60%", RIGHT),
        ("used", "60% * 80", RIGHT),
        ("doubling", "14.2", RIGHT),
        ("lots", "250 pcs", ASKED),
        ("price", "€40/sh", ASKED),
        ("price", "40 per sh", ASKED),
        ("price", "40/x", ASKED),
        ("lots", "$10k / $40", ASKED),
        ("lots", "250 bananas", ASKED),
    ],
)
def test_money_as_people_write_it(bank_of: BankOf, item: str, text: str, outcome: Outcome) -> None:
    loaded = bank_of(PRICES)
    assert loaded.bank is not None, [str(p) for p in loaded.problems]
    assert loaded.bank.items[item].draw(Stream(item, "1")).score(text).outcome is outcome


def test_an_amount_in_a_currency_is_printed_with_its_code_and_has_parts(bank_of: BankOf) -> None:
    bank = bank_of(PRICES).bank
    assert bank is not None
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
    assert loaded.bank is not None, [str(p) for p in loaded.problems]
    assert loaded.bank.items["gross"].draw(Stream("gross", "1")).score(text).outcome is RIGHT


def test_every_code_is_a_label_and_money() -> None:
    for code in CURRENCIES:
        unit = parse_unit(code, ((code, code, ""),))
        assert is_money(unit.dim), code
        assert own_money(unit.dim) == code
        assert not unit.whole
    assert is_money(parse_unit("USD").dim)
    assert not own_money(parse_unit("USD").dim)
    assert not is_money(parse_unit("USD/h").dim)


FEE = """
topic: prices
items:
  - id: fee
    kind: numeric
    stem: You change 2,500 dollars; the fee is 1 %. How many dollars do you get?
    formula: {inputs: {m: {is: money, unit: USD, default: 2500 USD}}, steps: {f: 0.01 * m, g: m - f}, unit: USD}
"""


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("2500 less 25", ASKED),
        ("$2500 less 1%", ASKED),
        ("$2500 minus $25", ASKED),
        ("2500 less a fee of 25", ASKED),
        ("2500 plus 25", ASKED),
        ("2500 less than 5%", ASKED),
        ("25 fee, 2475 left", ASKED),
        ("2475, the fee is 25", ASKED),
        ("2475. Fee: 25", ASKED),
        ("2475 after the fee (2500 before)", ASKED),
        ("2475 left", ASKED),
        ("2475 net", RIGHT),
        ("$2,475.00 USD", RIGHT),
        ("USD$2475", ASKED),
        ("2475 U.S. dollars", ASKED),
        ("2475/-", ASKED),
        ("2475 shares", ASKED),
        ("2475e", ASKED),
        ("two hunred", ASKED),
        ("twenty-four hunderd seventy five", ASKED),
    ],
)
def test_what_is_left_after_a_fee(bank_of: BankOf, text: str, outcome: Outcome) -> None:
    bank = bank_of(FEE).bank
    assert bank is not None
    assert bank.items["fee"].draw(Stream("fee", "1")).score(text).outcome is outcome


RETURNS = """
topic: returns
items:
  - id: total
    kind: numeric
    stem: A share is bought for 48 dollars and sold for 54. It paid 0.96 dollars twice. What was the total return?
    formula: {inputs: {p: {is: price, unit: USD, default: 48 USD}}, steps: {r: (54 USD + 2 * 0.96 USD - p) / p}, unit: "%"}
  - id: interest
    kind: numeric
    stem: You borrow 18,000 dollars at 4.5 % a year. How much interest have you paid after 30 months?
    formula: {inputs: {d: {is: debt, unit: USD, default: 18000 USD}}, steps: {i: d * 0.045 * 2.5}, unit: USD}
"""


@pytest.mark.parametrize(
    ("item", "text", "outcome"),
    [
        # 7.92 of 48 dollars are 16.5 %, and 810 dollars a year for two and a half years are 2,025
        ("total", "16.5% over two years", ASKED),
        ("total", "7.92 of 48", RIGHT),
        ("total", "7.92 on 48", ASKED),
        ("total", "16.5% (8.25% a year)", RIGHT),
        ("total", "12.5% + 4%", RIGHT),
        ("total", "12.5% from price and 4% from dividends", ASKED),
        ("total", "7.92 over 48", ASKED),
        ("interest", "18000 * 4.5 % * 2.5 years", ASKED),
        ("interest", "20025 in total, of which 2025 interest", ASKED),
        ("interest", "total repayment 20025, interest 2025", ASKED),
        ("interest", "2025, total 20,025", ASKED),
        ("interest", "20025 - 18000", RIGHT),
        ("interest", "$67.50 a month x 30 months", ASKED),
        ("interest", "2025 over two and a half years", ASKED),
        ("interest", "2025 over 30 months", ASKED),
    ],
)
def test_a_share_of_several_years_and_one_part_of_a_total(
    bank_of: BankOf, item: str, text: str, outcome: Outcome
) -> None:
    bank = bank_of(RETURNS).bank
    assert bank is not None
    assert bank.items[item].draw(Stream(item, "1")).score(text).outcome is outcome
