"""`units:` of banks and item files, and `reads:` of numeric items."""

from __future__ import annotations

import pytest
from shipped import BankOf, drawn

from quizgen import stimuli
from quizgen.model import Outcome

ITEMS = """
topic: db
units: {query: [queries], query/s: [qps, rps, tps, q/sec], level: [levels, layers, tree levels, B-pages], row: [rows, index rows]}
items:
  - id: rate
    kind: numeric
    stem: A server answers 50 queries in 25 ms. How many queries per second is that?
    formula: {inputs: {t: {is: time, unit: s, default: 25 ms}}, steps: {rate: 50 / t}, unit: 1/s}
  - id: levels
    kind: numeric
    stem: A tree holds a million rows. How many levels has it at a fanout of 100?
    formula: {inputs: {n: {is: rows, unit: row, default: 1000000}}, steps: {levels: 'ceil(log10(n / (1 row)) / 2)'}, unit: level}
    READS
"""
RIGHT, WRONG, UNREAD = Outcome.CORRECT, Outcome.INCORRECT, Outcome.UNREADABLE


MONTHS = """
topic: db
units: {month: [months]}
items:
  - id: cost
    kind: numeric
    stem: Ten disks cost 95 dollars a month each. What do they cost a month?
    formula: {inputs: {n: {is: the cost, unit: USD/month, default: 950 USD/month}}, steps: {cost: n}, unit: USD/month}
  - id: bill
    kind: numeric
    stem: Ten disks cost 95 dollars a month each. What do they cost in a month?
    formula: {inputs: {n: {is: the cost, unit: USD, default: 950 USD}}, steps: {cost: n}, unit: USD}
  - id: term
    kind: numeric
    stem: A loan is paid back in 36 parts. After how many months is that?
    formula: {inputs: {n: {is: the months, unit: month, default: 36 month}}, steps: {term: n}, unit: month}
"""


def test_reads_that_do_not_hold_are_told(bank_of: BankOf) -> None:
    """What is not read at all with the reason."""
    reads = ("3 levels, is: right", "3 levels, is: wrong", "3 rows, is: unreadable", "3 bananas, is: right")
    loaded = bank_of(ITEMS.replace("READS", f"reads: [{', '.join(f'{{text: {one}}}' for one in reads)}]"))
    *told, unread = [p.message for p in loaded.required_bank.items["levels"].find_problems() if p.severity == "failure"]
    right, wrong = '"3 levels" is correct, not wrong', '"3 rows" is incorrect, not unreadable'
    assert told == [f"{right} (key: 3 levels)", f"{wrong} (key: 3 levels)"]
    assert unread.startswith('"3 bananas" is unreadable, not right (key: 3 levels), ')
    assert '"bananas" is not a unit known here' in unread


@pytest.mark.parametrize(
    ("units", "told"),
    [
        ("{GBB: [x]}", "GBB"),
        ("{row: [rows], page: [rows]}", "means two units"),
        ("{row: [8 rows]}", '"8 rows" is not a size in another unit; declare rows too, or correct the word'),
        ("{row: 'rows, records'}", '"rows, records" is not a way to write a unit; write a list of ways'),
        *((f"{{{name}: [{name}s]}}", "`units: {gram: [g]}`") for name in ("g", "pH", "Ω")),  # no words
    ],
)
def test_mistakes_in_units_are_told(bank_of: BankOf, units: str, told: str) -> None:
    loaded = bank_of(f"topic: db\nunits: {units}\nitems: []\n")
    assert any(told in str(p) for p in loaded.problems), [str(p) for p in loaded.problems]


def test_a_size_may_be_in_a_unit_that_is_declared_further_down(bank_of: BankOf) -> None:
    sizes = "kg: [1000 gram]\n  gram: [g, 1000 mg]\n  mg: [milligrams]\n"
    loaded = bank_of(f"topic: db\nunits:\n  {sizes}items: []\n")
    assert [p.message for p in loaded.problems] == ["items is an empty list"]


# -- what one bank counts, another does not know ----------------------------------------------

ROWS = {
    "bank.yaml": "units: {row: [rows, tuples], row/s: [rps], index: [indices]}\n",
    "items.yaml": """
        topic: db
        stimuli:
          - {id: table, text: "A table of {n}.", draw: {n: [4e6 row]}}
        items:
          - id: scan
            kind: numeric
            stem: A scan reads {n} in {t}. How many rows per second is that?
            draw: {n: [3000 row], t: [2 s]}
            formula:
              inputs: {n: {is: rows, unit: row}, t: {is: time, unit: s}}
              steps: {spare: n + 10 row, rate: (spare - 10 row) / t}
              unit: row/s
            require: ["n > 5 row"]
          - id: said
            kind: text
            stem: How many rows?
            stimulus: table
            rubric: {criteria: [{id: n, number: {value: 3, unit: row}, say: three}]}
    """,
}
RACKS = """
    topic: net
    items:
      - id: a
        kind: numeric
        stem: How many are there?
        formula: {{inputs: {{x: {{is: x, unit: {unit}, default: 8}}}}, steps: {{all: x * 1}}, unit: {unit}}}
"""


def test_two_banks_of_one_process_know_their_own_counts_only(bank_of: BankOf) -> None:
    rows = bank_of(**ROWS)
    scan, said = (drawn(rows, name) for name in ("scan", "said"))
    assert "A table of 4M." in str(said.prompt())
    assert scan.key_text() == "1,500 rows/s"
    assert scan.score("1.5k rows/s").outcome is Outcome.CORRECT
    assert scan.score("1500 tuples per second").read_as == "1,500 rows/s"
    assert said.score("It is 3 rows.").outcome is Outcome.CORRECT

    problems = bank_of(RACKS.format(unit="row"), **{"bank.yaml": "title: racks\n"}).problems
    assert any('unknown unit "row"' in problem.message for problem in problems)
    assert stimuli.respell_drawn_value("4e6 row") == "4M row"
    racks = bank_of(RACKS.format(unit="GPU"), **{"bank.yaml": "title: racks\n"})
    assert drawn(racks, "a").score("8 tuples").outcome is Outcome.UNREADABLE
    assert scan.score("3k rows in 2 s = 1500 rows/s").outcome is Outcome.CORRECT  # the first bank still knows its own


WORTH = """
topic: finance
units:
  bp: [bps, basis points]
  cent: [cents, ct]
items:
  - id: spread
    kind: numeric
    stem: A bond yields 5.35 %, another 4.10 %. What is the spread in basis points?
    formula: {inputs: {a: {is: yield, unit: 1, default: 5.35%}, b: {is: yield, unit: 1, default: 4.1%}}, steps: {s: a - b}, unit: bp}
  - id: fee
    kind: numeric
    stem: What does a transfer of \\$21.60 cost at 3 %, in cents?
    formula: {inputs: {a: {is: amount, unit: USD, default: 21.6 USD}}, steps: {f: a * 0.03}, unit: cent}
"""


LITRES = """
topic: chemistry
units:
  gram: [grams, g]
  milligram: [milligrams, mg, 0.001 gram]
  mol: [moles]
  bp: [bps, 0.01 %]
  kcal: [kcal, 4184 J]
items:
  - id: amount
    kind: numeric
    stem: How much salt are {n} of it at {M}?
    draw: {n: [0.5 mol], M: [58440 milligram/mol]}
    formula: {inputs: {n: {is: amount, unit: mol}, M: {is: molar mass, unit: gram/mol}}, steps: {m: n * M}, unit: gram}
    answer: {unit: gram}
  - id: mass
    kind: numeric
    stem: Of {m}, a share of {x} is lead. How much lead is that?
    draw: {m: ["500 milligram"], x: [120 bp]}
    formula: {inputs: {m: {is: mass, unit: gram, min: 1 milligram}, x: {is: share, unit: 1}}, steps: {l: m * x}, unit: milligram}
  - id: heat
    kind: numeric
    stem: A bar has {Q}. How long does it feed {P}?
    draw: {Q: [100 kcal], P: [100 W]}
    formula: {inputs: {Q: {is: energy, unit: J}, P: {is: power, unit: W}}, steps: {t: Q / P}, unit: s}
"""


@pytest.mark.parametrize(
    ("item", "key", "stem"),
    [
        ("amount", "29.22 grams", "How much salt are 0.5 of it"),
        ("mass", "6 milligrams", "Of 500 milligrams, a share of 120 bp"),
        ("heat", "4,184 s", "How long does it feed 100 W?"),
    ],
)
def test_a_value_stands_in_any_unit_of_its_bank(bank_of: BankOf, item: str, key: str, stem: str) -> None:
    """In a stem a count stands before the stem's own word (`{n} rows`); 500 milligrams printed as 500 would be read as grams."""
    loaded = bank_of(LITRES)
    assert [str(p) for p in loaded.problems if p.severity != "warning"] == []
    variant = drawn(loaded, item)
    assert variant.key_text() == key
    assert stem in str(variant.prompt())
    assert [p.message for p in variant.item.find_problems() if p.severity != "warning"] == []


def test_a_count_of_a_bank_that_comes_out_broken_is_told_how_to_say_that_it_has_parts(bank_of: BankOf) -> None:
    item = RACKS.format(unit="packet").replace("x * 1", "x / 16")
    items = bank_of(item, **{"bank.yaml": "units: {packet: [packets]}\n"}).required_bank.items
    (problem,) = [p for p in items["a"].find_problems() if p.severity == "failure"]
    assert "the key is 0.5 packets" in problem.message
    assert "`units: {part-of-packet: [0.001 packet]}`" in problem.hint


SHOWN = """
topic: costs
units: {call: [calls]}
items:
  - id: balance
    kind: numeric
    stem: "Balance (a) N2 + (b) H2 = (c) NH3 for {f} of N2. Give (a, b, c)."
    draw: {f: [1, 2]}
    formula: {inputs: {f: {is: factor, unit: 1}}, steps: {t: "tuple(f, 3 * f, 2 * f)"}, unit: 1}
  - id: bill
    kind: numeric
    stem: What do {n} calls of {t} at {m} cost at {p}?
    draw: {n: [5e6 call], t: [250 ms], m: [512 MB], p: [2e-5 USD/GB/s]}
    formula:
      inputs: {n: {is: calls, unit: call}, t: {is: time, unit: ms}, m: {is: memory, unit: GB}, p: {is: price, unit: USD/GB/s}}
      steps: {held: n * t * m / (1 call), bill: held * p, half: bill / 2}
      unit: USD
  - id: pages
    kind: numeric
    stem: How many pages of {p} are {m}, of which {o} is lost?
    draw: {p: [4 KiB], m: [512 MiB], o: [64 kB]}
    formula: {inputs: {p: {is: page, unit: B}, m: {is: memory, unit: GB}, o: {is: lost, unit: B}}, steps: {n: floor((m - o) / p)}}
  - id: fits
    kind: numeric
    stem: Do {m} fit into {f}?
    draw: {m: [15 GB], f: [10 GB]}
    formula: {inputs: {m: {is: m, unit: GB}, f: {is: f, unit: GB}}, steps: {x: "if(m <= f, m, impossible)"}, unit: GB}
"""


@pytest.mark.parametrize(
    ("item", "shown"),
    [
        ("bill", "640 TB*s"),  # 5e6 * 0.25 s * 512e6 B
        ("pages", "'4 KiB'"),  # givens as people say them
        ("pages", "'64 kB'"),
        ("fits", "impossible, because it is not true that 15 GB <= 10 GB"),
    ],
)
def test_a_solution_is_in_the_words_and_prefixes_of_its_item(bank_of: BankOf, item: str, shown: str) -> None:
    """And its key is read as right."""
    variant = drawn(bank_of(SHOWN), item)
    assert shown in str(variant.solution())
    assert variant.score(variant.key_text()).outcome is RIGHT


def test_an_answer_of_three_numbers_passes_its_own_samples(bank_of: BankOf) -> None:
    assert [p.message for p in drawn(bank_of(SHOWN), "balance").item.find_problems() if p.severity == "failure"] == []


RATE = """
topic: services
units: {query/s: [qps], USD/month: [dollars per month, $], euro/day: [euros a day]}
items:
  - id: peak
    kind: numeric
    stem: A resolver takes 4,167 queries a second on average, three times that at the peak. What rate must it handle at the peak?
    formula: {inputs: {a: {is: average, unit: query/s, default: 4167 query/s}}, steps: {p: 3 * a}, unit: query/s}
  - id: rent
    kind: numeric
    stem: Sixty machines cost 25 euros a day each. What do they cost?
    formula: {inputs: {n: {is: machines, unit: 1, default: 60}}, steps: {r: 25 euro/day * n}, unit: euro/day}
  - id: bill
    kind: numeric
    stem: A GB costs \\$0.02, and 400 TB leave each month. What is the monthly bill?
    formula: {inputs: {v: {is: what leaves, unit: 1, default: 400000}}, steps: {b: 0.02 USD * v / (1 month)}, unit: USD/month}
"""


RESPONSES = [
    # The months of a bank have years and may be left unsaid.
    (MONTHS, "cost", "$950", RIGHT),
    (MONTHS, "bill", "$936/month", WRONG),
    (MONTHS, "term", "2 years", WRONG),
    # whatever the bank says of their length
    (MONTHS.replace("months]", "months, 30 day]"), "bill", "$950 a month", RIGHT),
    (MONTHS.replace("months]", "months, 730 h]"), "term", "three yrs", RIGHT),
    # words of the bank's own
    (ITEMS, "rate", "2000 qps", RIGHT),
    (ITEMS, "rate", "2k tps", RIGHT),  # the bank's tps are queries, no tokens
    (ITEMS, "rate", "2000 rows/s", UNREAD),
    (ITEMS, "rate", "25 ms for 50 of them = 2000 qps", RIGHT),
    (ITEMS, "levels", "3 layer", RIGHT),  # one such thing
    (ITEMS, "levels", "log100(1000000) = 3 pages", UNREAD),
    (ITEMS, "levels", "3 index rows", WRONG),
    # units with a worth of their own
    (WORTH, "spread", "125 bp", RIGHT),
    (WORTH, "spread", "1.25%", RIGHT),
    (WORTH, "spread", "1.25", WRONG),
    (WORTH, "fee", "64.8¢", RIGHT),
    (WORTH, "fee", "$0.648", RIGHT),
    # a rate brings the words of the thing that it counts
    (RATE, "peak", "750k queries per minute", RIGHT),
    (RATE, "rent", "1.500 €/day", RIGHT),
    (RATE, "rent", "1.5 €/day", WRONG),
    (RATE, "bill", "8k/mo", RIGHT),
]  # fmt: skip


@pytest.mark.parametrize(("bank", "item", "text", "outcome"), RESPONSES)
def test_a_response_in_units_of_a_bank(bank_of: BankOf, bank: str, item: str, text: str, outcome: Outcome) -> None:
    loaded = bank_of(bank.replace("READS", ""))
    assert [p.message for p in loaded.problems if p.severity != "warning"] == []
    assert drawn(loaded, item).score(text).outcome is outcome


def test_a_spelling_that_hides_a_usual_unit_is_named(bank_of: BankOf) -> None:
    loaded = bank_of("units: {metre: [metres, m], spread: [spreads, bps], query: [queries, qs]}\nitems: []\n")
    assert [p.message for p in loaded.problems if p.severity == "warning"] == [
        '"m" usually means minutes, milliseconds or a million; in this bank it is read as metres; '
        "where minutes or hours are asked it stays minutes",
        '"bps" usually means b/s; in this bank it is read as spreads',
    ]
