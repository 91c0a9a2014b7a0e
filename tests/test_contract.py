"""Every item of the shipped banks keeps the contract of its kind; `quizgen check` proves all drawings of each. The
neutral form of a variant: what exporters see of every kind, and what a draft may lack. And draws: the same everywhere,
fair, and untouched by what else is drawn.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
import shipped
from every import every
from shipped import BankOf
from terminal.process import quizgen

from quizgen import data_folders, draw
from quizgen.commands.check import sample_score_fault_message
from quizgen.draw import SeededRng
from quizgen.model import ZERO, Item, Outcome, Variant
from quizgen.portable_item import decimal

SEEDS = ["0", "1"]


def items(*names: str) -> list[Item]:
    """Of these banks, or of all that ship."""
    return [item for name in names or data_folders.shipped_bank_names() for item in shipped.bank(name).items.values()]


def variants(item: Item) -> list[Variant]:
    """Those of two seeds that differ in what is drawn."""
    made = [item.draw(SeededRng(item.id, seed)) for seed in SEEDS]
    return list({repr(variant.drawn_log_values()): variant for variant in made}.values())


@every(lambda: items("git", "systems-design"))
def test_samples_score_as_promised(item: Item) -> None:
    """Right, wrong, blank and unreadable responses come to what the variant vouches for. The README's commands check the
    third bank."""
    for variant in variants(item):
        for sample in variant.samples():
            assert not (fault := sample_score_fault_message(variant, sample)), (variant.seed, fault)


@every(items)
def test_same_seed_same_variant(item: Item) -> None:
    """A variant is a function of item id and seed; a log's `given` brings it back."""
    for first, again in zip(variants(item), variants(item), strict=True):
        assert first.prompt() == again.prompt()
        assert first.drawn_log_values() == again.drawn_log_values()
        redrawn = item.rebuild_variant(first.drawn_log_values(), SeededRng(item.id, first.seed))
        assert redrawn.prompt() == first.prompt()
        assert redrawn.key_text() == first.key_text()


@every(lambda: enumerate(shipped.part_of(items(), 0, 2)))
def test_hostile_responses_never_raise(number: int, item: Item) -> None:
    """Whatever the text, there is a score between 0 and what is possible; every second item meets a part of them."""
    variant = variants(item)[0]
    for text in shipped.part_of(HOSTILE, number, 8):
        score = variant.score(text)
        assert ZERO <= score.earned <= score.possible
        assert score.possible == item.points
        assert (score.outcome is Outcome.BLANK) <= (not text.strip(" \t\n.\u00a0\u3000"))


HOSTILE = [
    "", "A", "\x00\x1b[2J\x9b31m", "\ud800\udfff", "9" * 5000, "1e400", "not " * 1000, "a\u0301" * 5000, "\u202eGB 23",
    "{{7*7}} ${jndi:x} <script>alert(1)</script> ' OR 1=1 --",
]  # fmt: skip


DRAFTS = """\
topic: sums
items:
  - {id: half, kind: choice, stem: Half of six?, status: draft, todo: [find distractors], key: "3"}
  - {id: why, kind: text, stem: Why carry?, status: draft, todo: write a rubric}
  - {id: bare, kind: numeric, stem: How many?, status: draft}
  - {id: done, kind: choice, stem: Twice two?, status: draft, key: "4", distractors: ["5"]}
"""


def test_a_number_has_its_tolerance_its_mistakes_and_other_units() -> None:
    """300 MB at 12.5 MB/s take 24 s; every figure by hand."""
    number = shipped.bank("git").items["clone-time"].draw(SeededRng("clone-time", "1")).portable_item().number
    assert (number.value, number.unit, number.relative_tolerance) == (192, "s", Fraction(1, 100))
    assert number.margin == 5  # what rounds to 190 is at most 5 off, and 1 % is 1.92
    assert dict(number.other_units_with_size)["min"] == 60
    assert number.mistakes[0][0] * 8 == number.value, "the mistake takes bits for bytes"


def test_no_wrong_value_is_inside_the_tolerance() -> None:
    """A system that reads from the top would otherwise call a right number a mistake."""
    for item in shipped.part_of(shipped.bank().items.values(), 0):
        made = item.draw(SeededRng(item.id, "1")).portable_item()
        number = made.number if made else None
        for value, _ in number.mistakes if number else ():
            assert abs(value - number.value) > number.margin, item.id


def test_numbers_have_no_exponent() -> None:
    numbers = (Fraction(3, 10**9), Fraction(1, 3), Fraction(10**20 + 1))
    assert [decimal(number) for number in numbers] == ["0.000000003", "0.333333333333", "100000000000000000001"]


def test_gaps_of_a_draft_are_warnings_and_those_of_an_active_item_errors(bank_of: BankOf) -> None:
    """They keep nobody from reading the rest; a `todo` is told; a response to one is not marked wrong."""
    loaded = bank_of(DRAFTS)
    assert not loaded.errors
    items = loaded.required_bank.items
    assert set(items) == {"half", "why", "done"}
    assert items["half"].todo == ("find distractors",)
    assert [items[n].has_scoring_fields for n in items] == [False, False, True]
    told = [str(p) for p in items["why"].find_problems()]
    assert any("warning: todo: write a rubric" in line for line in told)
    assert items["why"].draw(SeededRng("why", "1")).score("because").outcome is Outcome.UNREADABLE
    assert items["half"].draw(SeededRng("half", "1")).samples()
    assert len(bank_of(DRAFTS.replace("status: draft", "status: active")).errors) == 3


def test_a_bank_of_drafts_can_be_rehearsed(bank_of: BankOf) -> None:
    """What was imported is asked as it stands, and said to be a draft; what cannot be scored is not asked."""
    bank = bank_of(DRAFTS).required_bank
    done = quizgen("mock", bank.folder, "--log", "log.jsonl", "--seed", "1", typed="4\n", cwd=Path(bank.folder))
    assert "Every item of this bank is a draft" in done.stdout + done.stderr
    assert "Twice two?" in done.stdout
    assert "Why carry?" not in done.stdout


def test_whole_is_the_published_hash() -> None:
    """A log from any year redraws: the number is SHA-256 of the named parts, below rejection."""
    digest = hashlib.sha256(b"item\x1fseed\x1fname\x1f0\x1f0").digest()
    assert SeededRng("item", "seed").draw_index("name", 1000) == int.from_bytes(digest, "big") % 1000


def test_every_order_is_equally_likely() -> None:
    """24 orders of four options over 12,000 seeds: 23 degrees of freedom, 0.1 % point 49.7."""
    orders = Counter(tuple(SeededRng("item", str(n)).shuffle("options", "abcd")) for n in range(12_000))
    assert len(orders) == 24
    assert sum((count - 500) ** 2 / 500 for count in orders.values()) < 49.7


def test_numbers_of_the_last_incomplete_run_are_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of eight numbers, 6 and 7 would make the first two of three likelier: they are passed over."""
    hashes = iter([7, 6, 5])
    monkeypatch.setattr(draw, "_POSSIBLE_HASH_COUNT", 8)
    monkeypatch.setattr(draw, "_hash_number", lambda text: next(hashes))
    assert SeededRng("i", "s").draw_index("n", 3) == 2
    assert next(hashes, None) is None
