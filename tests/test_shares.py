"""Whose a line is where several processes map one log: every line is somebody's, and one's alone."""

from __future__ import annotations

import random
from collections import Counter
from itertools import islice

import pytest
from shipped import BankOf

from quizgen.scoring.processes import ProcessPool, worker_by_item
from quizgen.scoring.score_lines import WHOLE_LOG, WorkShare

ITEM = '  - {{id: {0}, kind: {1}, stem: 1?, key: "yes", distractors: ["no"]}}\n'


def line(item: str, text: str = "yes") -> str:
    return f'{{"item": "{item}", "response": "{text}"}}'


@pytest.mark.parametrize("shares", [2, 3, 4])
def test_every_line_is_of_one_share(shares: int) -> None:
    """Also a line without an item, one that is no JSON, and one whose response speaks of items."""
    strange = [
        "",
        "no json",
        '{"item": 3}',
        '{"type": "session"}',
        line("x", 'an \\"item\\": \\"y\\"'),
        '{"item": "\\ud800"}',
    ]
    texts = [
        *strange,
        *(line(f"i{n % 40}", str(n)) for n in range(400)),
        *(line("everybody", str(n)) for n in range(400)),
    ]
    known = {f"i{n}": n % shares for n in range(30)} | {"everybody": -1}
    for text in texts:
        assert sum(WorkShare(n, shares, known).is_own_line(text) for n in range(shares)) == 1
        assert WHOLE_LOG.is_own_line(text)
    mine = Counter(text for text in texts if "everybody" in text and WorkShare(0, shares, known).is_own_line(text))
    assert 400 / shares / 1.4 < mine.total() < 400 / shares * 1.4


def test_each_share_has_as_many_lines_of_every_kind(bank_of: BankOf) -> None:
    """A kind costs what it costs: sixty texts on one side and sixty choices on the other would be no halves. Items
    that are asked for unequally often are dealt by their lines; one that has a tenth of them is everybody's."""
    choices = "".join(ITEM.format(f"c{n}", "choice") for n in range(60))
    texts = "".join(
        f"  - {{id: t{n}, kind: text, stem: 1?, rubric: {{criteria: [{{id: a, accept: [word]}}]}}}}\n"
        for n in range(60)
    )
    bank = bank_of(f"items:\n{choices}{texts}").readable
    rng = random.Random(1)
    lines = [line(f"{kind}{rng.choice([rng.randrange(60), rng.randrange(20)])}") for kind in "ct" for _ in range(6_000)]
    lines += [line("c59")] * 700
    known = worker_by_item(["\n".join(lines[:5_000]), "\n".join(lines[5_000:]), line("unknown")], bank.items, 2)
    assert known.pop("c59") == -1
    assert set(known) == {f"{kind}{n}" for kind in "ct" for n in range(60)} - {"c59"}
    for kind in "ct":
        loads = Counter(known[name] for text in lines if (name := text.split('"')[3])[0] == kind and name in known)
        assert abs(loads[0] - loads[1]) < 60


def _refusing(number: int) -> int:
    if number == 3:
        raise PermissionError(f"no {number}")
    return number * number


@pytest.mark.skipif(not ProcessPool.possible(), reason="this platform cannot fork")
def test_what_a_worker_could_not_read_is_raised_where_it_is_waited_for() -> None:
    """What came before it is there, in the order of the arguments."""
    results = ProcessPool(2).call(_refusing, ((n,) for n in range(6)))
    assert list(islice(results, 3)) == [0, 1, 4]
    with pytest.raises(PermissionError, match="no 3"):
        next(results)
