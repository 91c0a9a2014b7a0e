"""`quizgen check` beyond structure: every item's own proofs, every kind's samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from quizgen.draw import Stream
from quizgen.model import ZERO, Bank, Item, Sample, Variant
from quizgen.source import Problem

SEED = "proof"


@dataclass(frozen=True, slots=True)
class Proven:
    """What a bank's proofs came to: drawings `walked` of `total`, of which `require` passed `allowed`;
    `narrowed` tells the same for each item that has a `require`."""

    problems: tuple[Problem, ...]
    walked: int
    total: int
    allowed: int
    narrowed: Mapping[str, tuple[int, int]]


def prove(bank: Bank, done: Callable[[int], None]) -> Proven:
    """Proofs of all formulas and items. `done` is told the number of items proven so far."""
    problems: list[Problem] = []
    for name, formula in bank.formulas.items():
        problems += [replace(problem, item=problem.item or name) for problem in formula.prove()]
    walked = total = allowed = 0
    narrowed: dict[str, tuple[int, int]] = {}
    for number, item in enumerate(bank.items.values(), 1):
        found = list(item.prove())
        if not any(p.severity == "failure" for p in found):
            found += sampled(item, bool(found))
        problems += found
        coverage = item.coverage()
        walked, total, allowed = walked + coverage.walked, total + coverage.total, allowed + coverage.allowed
        if coverage.allowed != coverage.walked:
            narrowed[item.id] = coverage.allowed, coverage.walked
        done(number)
    return Proven(tuple(problems), walked, total, allowed, narrowed)


def sampled(item: Item, told: bool) -> Iterator[Problem]:
    """Every sample that a variant vouches for must score as it says. `told`: the author has been
    told of lints already, which may be about the same text."""
    variant = item.draw(Stream(item.id, SEED))
    for sample in variant.samples():
        wrong = "" if told and sample.authored else broken(variant, sample)
        if wrong:
            severity = "warning" if sample.authored else "failure"
            yield Problem(item.where, wrong, "the item scores its own sample wrongly", item.id, severity)
            return


def broken(variant: Variant, sample: Sample) -> str:
    """What is wrong with the score of a sample, or an empty text."""
    score = variant.score(sample.response)
    if not ZERO <= score.earned <= score.possible:
        return f"{sample.response!r} earns {score.earned} of {score.possible}"
    if score.outcome is not sample.outcome:
        return f"{sample.response!r} is {score.outcome}, not {sample.outcome}"
    if sample.earned is not None and score.earned != sample.earned:
        return f"{sample.response!r} earns {score.earned}, not {sample.earned}"
    return ""
