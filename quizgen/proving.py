"""`quizgen check` beyond structure: every item's own proofs, every kind's samples, every blueprint filled."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from quizgen.assemble import CannotAssemble, filters_text, fits, select
from quizgen.cases.case import Case
from quizgen.cases.check import checked
from quizgen.draw import Stream
from quizgen.figures import drawn
from quizgen.figures.canvas import FigureError
from quizgen.formula.author import failed_tests
from quizgen.model import ZERO, Bank, Blueprint, Item, Sample, Section, Variant
from quizgen.source import Problem, Where, did_you_mean

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
    for name in bank.formulas:
        formula = bank.formulas.get(name)  # none where it has errors, which were told when the bank was read
        problems += [replace(p, item=p.item or name) for p in failed_tests(formula)] if formula else []
    for blueprint in bank.blueprints.values():
        problems += unfilled(bank, blueprint)
    for case in bank.cases.values():
        if isinstance(case, Case):
            problems += checked(case)
    walked = total = allowed = 0
    narrowed: dict[str, tuple[int, int]] = {}
    for number, item in enumerate(bank.items.values(), 1):
        found = list(item.prove())
        found += undrawable(item)
        if not any(p.severity == "failure" for p in found):
            found += sampled(item, bool(found))
        problems += found
        coverage = item.coverage()
        walked, total, allowed = walked + coverage.walked, total + coverage.total, allowed + coverage.allowed
        if getattr(item, "require", ()):
            narrowed[item.id] = coverage.allowed, coverage.walked
        done(number)
    return Proven(tuple(problems), walked, total, allowed, narrowed)


def undrawable(item: Item) -> Iterator[Problem]:
    """Figures of an item that cannot be drawn, by its first variant."""
    variant = item.nth(0)
    for spec in (item.draw_figure, item.solution_figure):
        if spec is not None:
            try:
                drawn(spec.kind, spec.resolved(variant.amounts(spec is item.solution_figure)), spec.alt)
            except FigureError as error:
                yield Problem(spec.where, error.message, error.hint, item.id, "failure")


def unfilled(bank: Bank, blueprint: Blueprint) -> Iterator[Problem]:
    """The first section of a blueprint that the bank cannot fill, which `mock` and `exam` would refuse.
    Names of items that are not there have been told when the bank was read."""
    if any(name not in bank.items for section in blueprint.sections for name in section.include):
        return
    for section in blueprint.sections:
        if not section.include and not any(fits(item, section) for item in bank.items.values()):
            yield _unfilled(bank, section, f"no item{filters_text(section)}", _nearest_topic(bank, section))
            return
    try:
        select(bank, blueprint, SEED)
    except CannotAssemble as error:
        message, _, hint = str(error).partition("; ")
        yield _unfilled(bank, blueprint.sections[error.section or 0], message, hint)


def _unfilled(bank: Bank, section: Section, message: str, hint: str) -> Problem:
    return Problem(section.where or Where(bank.root, 1, 1), message, hint, severity="failure")


def _nearest_topic(bank: Bank, section: Section) -> str:
    known = sorted({item.topic for item in bank.items.values()})
    near = (did_you_mean(topic, known) for topic in section.topics if topic not in known)
    return next(filter(None, near), "widen the section or write such an item")


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
