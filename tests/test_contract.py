"""Every item of the shipped banks keeps the contract of its kind; `quizgen check` proves all drawings of each."""

from __future__ import annotations

from collections import Counter

import shipped
from every import every

from quizgen import data_folders
from quizgen.commands.check import sample_answer_fault
from quizgen.draw import Stream
from quizgen.kinds import KINDS
from quizgen.model import ZERO, Item, Outcome, Variant

SEEDS = [str(n) for n in range(4)]


def items() -> list[Item]:
    return [item for name in data_folders.shipped_bank_names() for item in shipped.bank(name).items.values()]


def variants(item: Item) -> list[Variant]:
    """Those of four seeds that differ in what is drawn."""
    made = [item.draw(Stream(item.id, seed)) for seed in SEEDS]
    return list({repr(variant.drawn()): variant for variant in made}.values())


def test_every_kind_has_items() -> None:
    """A kind that no shipped item shows is not tested by anything below."""
    counts = Counter(item.kind for item in items())
    assert set(counts) == set(KINDS)
    assert min(counts.values()) >= 15


@every(items)
def test_samples_score_as_promised(item: Item) -> None:
    """Right, wrong, blank and unreadable responses come to what the variant vouches for."""
    for variant in variants(item):
        for sample in variant.samples():
            assert not sample_answer_fault(variant, sample), (variant.seed, sample_answer_fault(variant, sample))


@every(items)
def test_same_seed_same_variant(item: Item) -> None:
    """A variant is a function of item id and seed; a log's `given` brings it back."""
    for first, again in zip(variants(item), variants(item), strict=True):
        assert first.prompt() == again.prompt()
        assert first.drawn() == again.drawn()
        redrawn = item.redraw(first.drawn(), Stream(item.id, first.seed))
        assert redrawn.prompt() == first.prompt()
        assert redrawn.key_text() == first.key_text()


@every(lambda: enumerate(items()))
def test_hostile_responses_never_raise(number: int, item: Item) -> None:
    """Whatever the text, there is a score between 0 and what is possible; each item meets a part of them."""
    variant = variants(item)[0]
    for text in shipped.part_of(HOSTILE, number, 4):
        score = variant.score(text)
        assert ZERO <= score.earned <= score.possible
        assert score.possible == item.points
        assert (score.outcome is Outcome.BLANK) <= (not text.strip(" \t\n.\u00a0\u3000"))


HOSTILE = [
    "",
    " \n\t ",
    "A",
    "Z, Z, Z",
    "\x00\x1b[2J\x9b31m",
    "\ud800\udfff",
    "9" * 5000,
    "1e400",
    "nan",
    "-inf",
    "not " * 5000,
    "a\u0301" * 5000,
    "(" * 3000,
    "\u202eGB 23",
    "{{7*7}} ${jndi:x} <script>alert(1)</script> ' OR 1=1 --",
    "=cmd|'/C calc'!A0",
    "\ufdfa" * 1000,
]
