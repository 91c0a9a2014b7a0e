"""Item response theory: abilities on one scale, whichever items each candidate got, by the two-parameter logistic model
of the library girth.

A response with at least half of its points counts as right. The scale is the class's: mean 0, standard deviation 1.
Omega is McDonald's (1999), from one factor (principal axes) of the items' shares, over the candidates who got all of
these items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp, sqrt
from operator import itemgetter
from typing import Any

from quizgen.analysis.report import AnalysisNotPossible

MIN_SAMPLE_SIZE = 30  # responses needed to an item, and candidates for omega; with fewer the figures are noise
MIN_POINTS_SHARE_OF_RIGHT_RESPONSE = 0.5


@dataclass(frozen=True, slots=True)
class IrtItem:
    """An item's curve, estimated from `n` responses: P(right) = 1 / (1 + exp(-discrimination (ability -
    difficulty)))."""

    item: str
    discrimination: float
    difficulty: float
    n: int


@dataclass(frozen=True, slots=True)
class CandidateAbility:
    """A candidate's expected ability and its standard error (of the posterior, with a normal prior), from `n`
    items."""

    candidate: str
    ability: float
    standard_error: float
    n: int


@dataclass(frozen=True, slots=True)
class IrtScale:
    """Items and candidates by name. `left_out_items`: items with too few responses, or whose responses are all right or
    all wrong. `mcdonald_omega`: None if fewer than `MIN_SAMPLE_SIZE` candidates had three items in common."""

    items: tuple[IrtItem, ...]
    abilities: tuple[CandidateAbility, ...]
    left_out_items: tuple[str, ...]
    mcdonald_omega: float | None


def fit_irt_scale(shares_by_candidate: Iterable[tuple[str, dict[str, float]]]) -> IrtScale:
    """The scale from each candidate's shares by item. Raises AnalysisNotPossible if the responses do not suffice
    or girth is not installed."""
    try:
        import numpy
        from girth import INVALID_RESPONSE, ability_eap, twopl_mml
    except ImportError:
        raise AnalysisNotPossible("--format irt needs girth; install quizgen[irt]") from None

    people = sorted(shares_by_candidate, key=itemgetter(0))  # several candidates may lack a name
    met = _is_right_by_item(people)
    kept = sorted(item for item, found in met.items() if len(found) >= MIN_SAMPLE_SIZE and len(set(found)) == 2)
    if len(kept) < 3:
        raise AnalysisNotPossible(
            f"fewer than three items have {MIN_SAMPLE_SIZE} responses, both right and wrong; score more logs together"
        )
    invalid = int(INVALID_RESPONSE)
    data = numpy.array(
        [
            [int(row[i] >= MIN_POINTS_SHARE_OF_RIGHT_RESPONSE) if i in row else invalid for _, row in people]
            for i in kept
        ]
    )
    found = twopl_mml(data)
    slopes, hard = (numpy.asarray(found[name], dtype=float) for name in ("Discrimination", "Difficulty"))
    abilities = ability_eap(data, hard, slopes)
    items = tuple(
        IrtItem(item, float(a), float(b), len(met[item])) for item, a, b in zip(kept, slopes, hard, strict=True)
    )
    placed = tuple(
        CandidateAbility(
            who, theta, _ability_standard_error(theta, [one for one in items if one.item in row]), len(row.keys() & met)
        )
        for (who, row), theta in zip(people, map(float, abilities), strict=True)
        if row
    )
    return IrtScale(items, placed, tuple(sorted(met.keys() - set(kept))), _mcdonald_omega(people, kept))


def _is_right_by_item(shares_by_candidate: list[tuple[str, dict[str, float]]]) -> dict[str, list[bool]]:
    """For each item, whether each response to it was right."""
    met: dict[str, list[bool]] = {}
    for _, row in shares_by_candidate:
        for item, share in row.items():
            met.setdefault(item, []).append(share >= MIN_POINTS_SHARE_OF_RIGHT_RESPONSE)
    return met


def _ability_standard_error(ability: float, items: Iterable[IrtItem]) -> float:
    """The standard error of ability `ability`, from the information of the items and of the normal prior."""
    information = 1.0
    for one in items:
        right = 1 / (1 + exp(-one.discrimination * (ability - one.difficulty)))
        information += one.discrimination**2 * right * (1 - right)
    return 1 / sqrt(information)


def _mcdonald_omega(shares_by_candidate: list[tuple[str, dict[str, float]]], item_ids: list[str]) -> float | None:
    """Omega over the candidates with a share for every item in `item_ids`; None if they are too few or an item's shares
    are all equal."""
    import numpy
    from girth.factoranalysis import principal_axis_factor

    whole = numpy.array(
        [[row[item] for item in item_ids] for _, row in shares_by_candidate if row.keys() >= set(item_ids)]
    )
    if len(whole) < MIN_SAMPLE_SIZE or not whole.std(axis=0).all():
        return None
    found: Any = principal_axis_factor(numpy.corrcoef(whole, rowvar=False), 1)
    common = float(abs(found[0].sum()) ** 2)
    return common / (common + float((1 - found[0] ** 2).sum()))
