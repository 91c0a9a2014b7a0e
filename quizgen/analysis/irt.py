"""Item response theory: abilities on one scale, whichever items each candidate got, by the two-parameter logistic model
of the library girth.

A response with at least half of its points counts as right. The scale is the class's: mean 0, standard deviation 1.
Omega is McDonald's (1999), from one factor (principal axes) of the items' shares, over the candidates who got all of
these items."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from math import exp, sqrt
from operator import itemgetter
from typing import Any

from quizgen.analysis.dif import MIN_POINTS_SHARE_OF_RIGHT_RESPONSE
from quizgen.analysis.report import AnalysisNotPossibleError

MIN_RESPONSES_PER_ITEM = 30  # responses needed to an item, and candidates for omega; with fewer the figures are noise


@dataclass(frozen=True, slots=True)
class IrtItem:
    """An item's curve from its responses: P(right) = 1 / (1 + exp(-discrimination (ability - difficulty)))."""

    item_id: str
    discrimination: float
    difficulty: float
    response_count: int


@dataclass(frozen=True, slots=True)
class CandidateAbility:
    """A candidate's expected ability and its standard error (posterior, with a normal prior), from the items."""

    candidate_label: str
    ability: float
    standard_error: float
    item_count: int


@dataclass(frozen=True, slots=True)
class IrtScale:
    """Items and candidates by name. `excluded_item_ids`: items with too few responses, or whose responses are all right
    or all wrong. `mcdonald_omega`: None if fewer than `MIN_RESPONSES_PER_ITEM` candidates had three items in common."""

    items: tuple[IrtItem, ...]
    abilities: tuple[CandidateAbility, ...]
    excluded_item_ids: tuple[str, ...]
    mcdonald_omega: float | None


def fit_irt_scale_or_raise(shares_by_candidate: Iterable[tuple[str, dict[str, float]]]) -> IrtScale:
    """The scale from each candidate's shares by item. Raises AnalysisNotPossibleError if the responses do not suffice
    or girth is not installed."""
    try:
        import numpy
        from girth import INVALID_RESPONSE, ability_eap, twopl_mml
    except ImportError:
        raise AnalysisNotPossibleError("--format irt needs girth; install quizgen[irt]") from None

    people = sorted(shares_by_candidate, key=itemgetter(0))  # several candidates may lack a name
    rows = [row for _, row in people]
    is_right: dict[str, list[bool]] = {}  # of each response to an item
    for item, share in chain.from_iterable(row.items() for row in rows):
        is_right.setdefault(item, []).append(share >= MIN_POINTS_SHARE_OF_RIGHT_RESPONSE)
    ids = sorted(item for item, hits in is_right.items() if len(hits) >= MIN_RESPONSES_PER_ITEM and len(set(hits)) == 2)
    if len(ids) < 3:
        reason = f"fewer than three items have {MIN_RESPONSES_PER_ITEM} responses, both right and wrong"
        raise AnalysisNotPossibleError(f"{reason}; score more logs together")
    invalid = int(INVALID_RESPONSE)
    data = [[int(row[i] >= MIN_POINTS_SHARE_OF_RIGHT_RESPONSE) if i in row else invalid for row in rows] for i in ids]
    model = twopl_mml(numpy.array(data))
    slopes, levels = (numpy.asarray(model[name], dtype=float) for name in ("Discrimination", "Difficulty"))
    items = tuple(
        IrtItem(item, float(a), float(b), len(is_right[item])) for item, a, b in zip(ids, slopes, levels, strict=True)
    )
    abilities = []
    for (label, row), ability in zip(people, map(float, ability_eap(numpy.array(data), levels, slopes)), strict=True):
        if not row:
            continue
        information = 1.0  # of the normal prior, to which the items add theirs
        for irt_item in (irt_item for irt_item in items if irt_item.item_id in row):
            chance = 1 / (1 + exp(-irt_item.discrimination * (ability - irt_item.difficulty)))
            information += irt_item.discrimination**2 * chance * (1 - chance)
        abilities.append(CandidateAbility(label, ability, 1 / sqrt(information), len(row)))
    left_out_ids = tuple(sorted(is_right.keys() - set(ids)))
    return IrtScale(items, tuple(abilities), left_out_ids, _mcdonald_omega_from_shares(rows, ids))


def _mcdonald_omega_from_shares(shares_of_candidates: list[dict[str, float]], item_ids: list[str]) -> float | None:
    """Omega over the candidates with a share for every item in `item_ids`; None if they are too few or an item's shares
    are all equal."""
    import numpy
    from girth.factoranalysis import principal_axis_factor

    rows = (shares for shares in shares_of_candidates if shares.keys() >= set(item_ids))
    matrix = numpy.array([[row[item] for item in item_ids] for row in rows])
    if len(matrix) < MIN_RESPONSES_PER_ITEM or not matrix.std(axis=0).all():
        return None
    loadings: Any = principal_axis_factor(numpy.corrcoef(matrix, rowvar=False), 1)[0]
    common_variance = float(abs(loadings.sum()) ** 2)
    return common_variance / (common_variance + float((1 - loadings**2).sum()))
