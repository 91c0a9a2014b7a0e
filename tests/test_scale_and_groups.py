"""Abilities on one scale, omega, and items that differ by group, against planted values and other programs; and
equating, against what is worked by hand, against numpy, and against a form of known difficulty."""

from __future__ import annotations

import json
import math
import random
from importlib.util import find_spec
from pathlib import Path
from statistics import correlation

import numpy as np
import pytest
from shipped import Command

from quizgen.analysis.dif import common_odds_ratio_and_log_error_or_none, ets_class, reference_group_and_item_dif
from quizgen.analysis.equating import FormMoments, form_figures, form_moments, scale_to_target, tucker_scale_with_error
from quizgen.analysis.irt import fit_irt_scale_or_raise
from quizgen.analysis.report import AnalysisNotPossibleError

needs_girth = pytest.mark.skipif(find_spec("girth") is None, reason="the extra quizgen[irt] is not installed")

ITEMS = 20


@needs_girth
@pytest.mark.slow
def test_planted_parameters_come_back() -> None:
    """Where each candidate met three items in five; errors are as large as they say (mean square of 1)."""
    rng = random.Random(1)
    hard = [rng.uniform(-1.5, 1.5) for _ in range(ITEMS)]
    slopes = [rng.uniform(0.6, 1.8) for _ in range(ITEMS)]
    able = [rng.gauss(0, 1) for _ in range(500)]
    rng, rows = random.Random(2), []
    for c, ability in enumerate(able):
        chances = {n: 1 / (1 + math.exp(-slopes[n] * (ability - hard[n]))) for n in range(ITEMS)}
        met = {f"i{n:02}": float(rng.random() < p) for n, p in chances.items() if rng.random() >= 0.4}
        rows.append((f"c{c:03}", met))
    scale = fit_irt_scale_or_raise(rows)
    assert correlation([i.difficulty for i in scale.items], hard) > 0.97
    assert correlation([i.discrimination for i in scale.items], slopes) > 0.7
    away = [(one.ability - ability) / one.standard_error for one, ability in zip(scale.abilities, able, strict=True)]
    assert sum(x * x for x in away) / len(away) == pytest.approx(1, abs=0.15)


@needs_girth
def test_omega_of_parallel_items_is_that_of_their_common_variance() -> None:
    """Items of one loading l have omega k l² / (k l² + 1 - l²): for six of .7 that is 2.94 / 3.45."""
    rng = random.Random(3)
    people = []
    for c in range(4000):
        common = 0.7 * rng.gauss(0, 1)
        row = {f"i{n}": 0.5 + 0.1 * (common + math.sqrt(0.51) * rng.gauss(0, 1)) for n in range(6)}
        people.append((f"c{c}", row))
    assert fit_irt_scale_or_raise(people).mcdonald_omega == pytest.approx(2.94 / 3.45, abs=0.01)


@needs_girth
def test_omega_needs_candidates_who_met_all_items() -> None:
    """Each of these left one of the four out."""
    rng = random.Random(4)
    people = [(f"c{c}", {f"i{n}": float(rng.random() < 0.5) for n in range(4) if n != c % 4}) for c in range(200)]
    scale = fit_irt_scale_or_raise(people)
    assert (len(scale.items), scale.mcdonald_omega) == (4, None)


@needs_girth
def test_too_few_responses_are_no_scale() -> None:
    with pytest.raises(AnalysisNotPossibleError, match="fewer than three items"):
        fit_irt_scale_or_raise([(f"c{n}", {"a": float(n % 2), "b": 1.0}) for n in range(50)])


def test_the_odds_ratio_is_that_of_another_program() -> None:
    """statsmodels 0.14, StratifiedTable: pooled odds ratio and the standard error of its logarithm."""
    found = common_odds_ratio_and_log_error_or_none([(12, 8, 9, 11), (20, 10, 14, 15), (30, 5, 22, 9), (9, 2, 7, 4)])
    assert found == pytest.approx((2.1791554970417018, 0.3245210615003847), rel=1e-12)
    assert common_odds_ratio_and_log_error_or_none([(5, 0, 5, 0)]) is None


def test_letters_are_those_of_the_testing_service() -> None:
    figures = ((0.9, 0.1), (-1.2, 0.9), (1.2, 0.2), (-1.6, 0.5), (-2.0, 0.3))
    assert "".join(ets_class(delta, error) for delta, error in figures) == "AABBC"


def groups(seed: int) -> tuple[list[dict[str, tuple[float, float]]], list[str]]:
    """600 of two groups equally able; i3 is two logits harder for the smaller."""
    rng = random.Random(seed)
    people, names = [], []
    for c in range(600):
        ability, group = rng.gauss(0, 1), "day" if c % 3 else "night"
        row = {}
        for n in range(ITEMS):
            hard = (n - ITEMS / 2) / 8 + (2 if n == 3 and group == "night" else 0)
            row[f"i{n}"] = (float(rng.random() < 1 / (1 + math.exp(hard - ability))), 1.0)
        people.append(row)
        names.append(group)
    return people, names


def test_an_item_that_is_harder_for_one_group_is_told() -> None:
    """Two logits are 2 × 4 / 1.7 = 4.7 on the delta scale; no other item is more than a B."""
    reference, found = reference_group_and_item_dif(*groups(5))
    assert reference == "day"
    by_item = {one.item_id: one for one in found}
    assert by_item["i3"].ets_class == "C"
    assert by_item["i3"].ets_delta == pytest.approx(-4.7, abs=3 * by_item["i3"].ets_delta_standard_error)
    assert by_item["i3"].reference_and_focal_response_counts == (400, 200)
    assert all(one.ets_class != "C" for item, one in by_item.items() if item != "i3")


ITEM = "  - {{id: i{0}, kind: choice, stem: Which {0}?, key: Right {0}, distractors: [Wrong {0}, No {0}]}}\n"
BANK = "items:\n" + "".join(map(ITEM.format, range(ITEMS)))


@pytest.fixture(scope="module")
def scored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scored")
    people, names = groups(6)
    (folder / "b.yaml").write_text(BANK)
    lines = []
    for c, row in enumerate(people):
        for item, (got, _) in row.items():
            response = f"{'Right' if got else 'Wrong'} {item[1:]}"
            lines.append(json.dumps({"candidate": f"c{c}", "item": item, "response": response}) + "\n")
    (folder / "log.jsonl").write_text("".join(lines))
    (folder / "tracks.csv").write_text("candidate,track\n" + "".join(f"c{c},{g}\n" for c, g in enumerate(names)))
    return folder


@needs_girth
@pytest.mark.slow
def test_score_writes_both(scored: Path, command: Command) -> None:
    args = ("score", scored / "log.jsonl", "--bank", scored / "b.yaml", "--quiet")
    rows = command(*args, "--dif", scored / "tracks.csv").out.splitlines()
    assert rows[0].startswith("item,group,against,delta")
    assert rows[1].startswith("i3,night,day,-")
    assert ",C," in rows[1]
    scale = json.loads(command(*args, "--format", "irt").out)
    assert (len(scale["items"]), len(scale["candidates"])) == (ITEMS, 600)
    assert 0.6 < scale["omega"] < 0.95


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("who,track\nc1,day\n", "groups.csv:1: begin with a line of two columns"),
        ("candidate,track\nc1,day,x\n", "groups.csv:2: 3 columns"),
        ("candidate,track\nc1,day\nnobody,night\n", "at least two groups"),
    ],
)
def test_a_file_of_groups_may_fit_nobody(scored: Path, tmp_path: Path, text: str, told: str, command: Command) -> None:
    groups, log = tmp_path / "groups.csv", tmp_path / "log.jsonl"
    groups.write_text(text)
    log.write_text('{"candidate": "c1", "item": "i1", "response": "Right 1"}\n')
    assert told in command("score", log, "--bank", scored / "b.yaml", "--dif", groups, code=3).err


def test_tucker_by_hand() -> None:
    """X: 22.5 (SD 5.4), V 6.2 (1.8). Y: 24 (6), V 6.8 (2). r = 0.8 in both, weights a half.

    gamma = 0.8 * 5.4 / 1.8 = 0.8 * 6 / 2 = 2.4; the groups differ by -0.6 on V and by 3.24 - 4 = -0.76 in its variance.
    Means: 22.5 + 0.5 * 2.4 * 0.6 = 23.22 and 24 - 0.5 * 2.4 * 0.6 = 23.28.
    Variances: 29.16 + 0.5 * 5.76 * 0.76 + 0.25 * 5.76 * 0.36 = 31.8672 and 36 - 2.1888 + 0.5184 = 34.3296.
    Slope sqrt(34.3296 / 31.8672) = 1.037917; 30 points become 23.28 + 1.037917 * 6.78 = 30.317.
    """
    x, y = FormMoments(50, 22.5, 5.4, 6.2, 1.8, 0.8), FormMoments(50, 24, 6, 6.8, 2, 0.8)
    scale = scale_to_target(x, y)
    assert scale.slope == pytest.approx(1.037917, abs=1e-6)
    assert [scale.convert_points(points) for points in (23.22, 30)] == pytest.approx([23.28, 30.317], abs=0.001)
    same = scale_to_target(x, x)
    assert (same.slope, same.intercept_points) == pytest.approx((1, 0))


def sample(rng: random.Random, n: int, ability: float, easier: float) -> list[tuple[float, float]]:
    """Points of n candidates: ten common items among forty; `easier` points come with the form."""
    rows = []
    for _ in range(n):
        theta = rng.gauss(ability, 1)
        v = 5 + 1.5 * theta + rng.gauss(0, 1)
        rows.append((20 + 5 * theta + rng.gauss(0, 2) + v - 5 + easier, v))
    return rows


def test_moments_are_those_of_numpy() -> None:
    pairs = sample(random.Random(1), 200, 0, 0)
    x, v = np.array(pairs).T
    found = form_moments(pairs)
    _, *figures = (getattr(found, name) for name in found.__slots__)
    assert figures == pytest.approx((x.mean(), x.std(), v.mean(), v.std(), np.corrcoef(x, v)[0, 1]))


def test_an_easier_form_is_found_out_though_its_group_is_weaker() -> None:
    """Three points easier, taken by a group that is half a standard deviation (3.25 points) weaker, so that the raw
    means differ by 0.25 the other way. By hand: cov(X, V) = 1.5 * 6.5 + 1 and var(V) = 3.25, so V's 0.75 points
    stand for 2.48: Tucker finds 3 - (3.25 - 2.48) = 2.23, since the common items are not without error themselves.
    """
    rng = random.Random(7)
    ys, xs = sample(rng, 3000, 0, 0), sample(rng, 3000, -0.5, 3)
    scale = tucker_scale_with_error(xs, ys)
    at = form_moments(xs).mean_points
    assert at - scale.convert_points(at) == pytest.approx(2.23, abs=3 * scale.error_of_mean)
    assert scale.error_of_mean < 0.1


def test_the_standard_error_is_what_comes_of_drawing_again() -> None:
    """The jackknife against the spread of the same figure over 200 fresh samples of 120 candidates."""
    rng = random.Random(3)
    values, errors = [], []
    for number in range(200):
        xs, ys = sample(rng, 120, -0.3, 1), sample(rng, 120, 0, 0)
        scale = tucker_scale_with_error(xs, ys) if number < 10 else scale_to_target(form_moments(xs), form_moments(ys))
        values.append(scale.convert_points(form_moments(xs).mean_points) - form_moments(xs).mean_points)
        if number < 10:
            errors.append(scale.error_of_mean)
    # What X's mean of this sample becomes varies with Y and with how the common items tie the groups.
    assert sum(errors) / len(errors) == pytest.approx(math.sqrt(float(np.var(values))), rel=0.25)


def test_nothing_is_equated_that_cannot_be() -> None:
    assert scale_to_target(FormMoments(10, 5, 2, 3, 0, 0), FormMoments(10, 5, 2, 3, 1, 0.5)) is None
    assert tucker_scale_with_error([(5, 3)], [(5, 3), (6, 4), (7, 4)]) is None
    one, two = form_figures({"X-B": [(5, 3), (6, 3)], "X-A": [(5, 3), (7, 4)]}, True)
    assert (one.form_code, one.scale_to_first_form, two.scale_to_first_form) == ("X-A", None, None)
    assert form_figures({"X-A": [(1, 0)], "X-B": [(2, 0)]}, False)[1].scale_to_first_form is None


@pytest.mark.parametrize("xs", [[(5.0, 3.0), (7.0, 4.0)], [(5.0, 3.0), (6.0, 3.0), (7.0, 4.0)]])
def test_a_scale_that_hangs_on_one_candidate_has_no_error(xs: list[tuple[float, float]]) -> None:
    """Without the last of them the common items do not vary; the scale itself is Tucker's all the same."""
    ys = [(4.0, 2.0), (6.0, 3.0), (8.0, 4.0), (9.0, 5.0)]
    found, by_all = tucker_scale_with_error(xs, ys), scale_to_target(form_moments(xs), form_moments(ys))
    assert found == by_all
    assert found.error_of_mean is None
