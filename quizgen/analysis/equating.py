"""Forms put on one scale: means by form, and linear equating on common items, with its standard error. Pure.

Tucker's method for groups that are not equivalent: Kolen & Brennan (1987), Applied Psychological
Measurement 11, 263-277, doi 10.1177/014662168701100304; the notation is theirs. The standard error is
the jackknife over candidates (Efron & Stein 1981), so it supposes no distribution."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from operator import sub

MIN_RELIABLE_CANDIDATES_PER_FORM = 100  # on each form; with fewer the scale is reported with a warning


@dataclass(frozen=True, slots=True)
class FormMoments:
    """Figures of one form: the number of candidates; the mean and population standard deviation of their points, and of
    their points on the common items; and the correlation of the two."""

    candidate_count: int
    mean_points: float
    points_sd: float
    mean_anchor_points: float = 0.0
    anchor_points_sd: float = 0.0
    anchor_total_correlation: float = 0.0


@dataclass(frozen=True, slots=True)
class TuckerScale:
    """`slope * x + intercept` converts x points of a form to the scale of form A. `error_of_mean` is the standard
    error of the form's converted mean; None if it cannot be computed."""

    slope: float
    intercept_points: float
    error_of_mean: float | None = None

    def convert_points(self, points: float) -> float:
        """The points on the scale of form A that correspond to `points` on this form."""
        return self.slope * points + self.intercept_points


@dataclass(frozen=True, slots=True)
class FormFigures:
    """Figures of one form. `scale_to_first_form` is None for the first, or if the forms have no items in common."""

    form_code: str
    moments: FormMoments
    scale_to_first_form: TuckerScale | None = None


def scale_to_target(form: FormMoments, target_form: FormMoments) -> TuckerScale | None:
    """The scale from `form` to `target_form`, in a synthetic population in which each group weighs as many as its
    candidates. None if the points on a form or on the common items do not vary."""
    if not (form.anchor_points_sd and target_form.anchor_points_sd and form.points_sd):
        return None
    w1 = form.candidate_count / (form.candidate_count + target_form.candidate_count)
    w2 = 1 - w1
    g1 = form.anchor_total_correlation * form.points_sd / form.anchor_points_sd
    g2 = target_form.anchor_total_correlation * target_form.points_sd / target_form.anchor_points_sd
    delta = form.mean_anchor_points - target_form.mean_anchor_points
    spread = form.anchor_points_sd**2 - target_form.anchor_points_sd**2
    mean_x, mean_y = form.mean_points - w2 * g1 * delta, target_form.mean_points + w1 * g2 * delta
    var_x = form.points_sd**2 - w2 * g1**2 * spread + w1 * w2 * g1**2 * delta**2
    var_y = target_form.points_sd**2 + w1 * g2**2 * spread + w1 * w2 * g2**2 * delta**2
    slope = sqrt(max(0.0, var_y) / var_x)  # rounding can make the variance negative
    return TuckerScale(slope, mean_y - slope * mean_x)


TotalAndAnchorPoints = tuple[float, float]  # one candidate's points in total and on the common items


def _count_sums_and_product_sums(candidate_points: Sequence[TotalAndAnchorPoints]) -> list[float]:
    """The number of candidates, and the sums of x, v, x², v² and x v, x being a candidate's total points and v those on
    the common items."""
    return [sum(column) for column in zip(*((1, x, v, x * x, v * v, x * v) for x, v in candidate_points), strict=True)]


def _form_moments_from_sums(point_sums: Iterable[float]) -> FormMoments:
    n, x_sum, v_sum, xx_sum, vv_sum, xv_sum = point_sums
    x, v = x_sum / n, v_sum / n
    sx, sv = sqrt(max(0.0, xx_sum / n - x * x)), sqrt(max(0.0, vv_sum / n - v * v))
    return FormMoments(int(n), x, sx, v, sv, (xv_sum / n - x * v) / (sx * sv) if sx > 1e-9 and sv > 1e-9 else 0.0)


def form_moments(candidate_points: Sequence[TotalAndAnchorPoints]) -> FormMoments:
    return _form_moments_from_sums(_count_sums_and_product_sums(candidate_points))


def tucker_scale_with_error(
    points_on_form: Sequence[TotalAndAnchorPoints], points_on_target_form: Sequence[TotalAndAnchorPoints]
) -> TuckerScale | None:
    """Tucker's scale from a form to the target form, with the jackknife error of its converted mean."""
    groups = points_on_form, points_on_target_form
    moments = [form_moments(group) for group in groups]
    if (full_scale := scale_to_target(*moments)) is None:
        return None
    variance = 0.0
    for place, group in enumerate(groups):
        sums, values = _count_sums_and_product_sums(group), []
        for pair in group:
            moments_without_pair = moments.copy()
            moments_without_pair[place] = _form_moments_from_sums(map(sub, sums, _count_sums_and_product_sums([pair])))
            if (scale := scale_to_target(*moments_without_pair)) is None:
                return full_scale
            values.append(scale.convert_points(moments[0].mean_points))
        mean = sum(values) / len(values)
        variance += (len(group) - 1) / len(group) * sum((value - mean) ** 2 for value in values)
    return replace(full_scale, error_of_mean=sqrt(variance))


def form_figures(
    points_by_form: Mapping[str, Sequence[TotalAndAnchorPoints]], has_common_items: bool
) -> tuple[FormFigures, ...]:
    """The figures of each form and, if the forms have items in common, its scale to the first form."""
    first, *others = sorted(points_by_form, key=lambda name: (len(name), name))
    scales = {n: tucker_scale_with_error(points_by_form[n], points_by_form[first]) for n in others if has_common_items}
    return tuple(FormFigures(n, form_moments(points_by_form[n]), scales.get(n)) for n in (first, *others))
