"""The best step along one direction against trying them all, and against a case worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import _core
from reference.coefficient_step import all_steps
from reference.thresholds import MERITS


def step(margin, x, gamma, y, weight=None, merit="gini", min_leaf_rows=1):
    return _core.coefficient_step(
        margin=np.asarray(margin, float),
        x=np.asarray(x, float),
        gamma=gamma,
        y=np.asarray(y, np.int32),
        weight=weight,
        n_classes=int(np.max(y)) + 1,
        merit=merit,
        min_leaf_rows=min_leaf_rows,
    )


def test_by_hand():
    """Four rows, γ = 0: the u are −2/−1, −1/2, 1/−1 and 2/2, that is 2, −1/2, −1 and 1.

    Rows 0 and 2, where x < 0, are left at first and go right as δ passes 2 and −1; rows 1 and 3
    come as it passes −1/2 and 1. So the left is {0}, then {0, 1}, then {0, 1, 3}. One row apart
    from three is worth 1/2 − 3/4 · 4/9 = 1/6, two and two mixed nothing: δ is half-way from −1 to
    −1/2, or as good but longer half-way from 1 to 2.
    """
    margin, x, y = [-2.0, -1.0, 1.0, 2.0], [-1.0, 2.0, -1.0, 2.0], [0, 1, 0, 1]
    found = step(margin, x, 0.0, y)
    assert found == {"found": True, "delta": -0.75, "merit": pytest.approx(1 / 6)}


@st.composite
def directions(draw):
    """Margins and a column with many ties, zero slopes, and both signs."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.sampled_from([2, 5, 30, 127, 129, 400]))
    values = {
        "continuous": lambda: rng.normal(size=n),
        "few": lambda: rng.integers(-3, 4, n) / 4,
        "positive": lambda: rng.integers(1, 9, n) / 4,
        "heavy": lambda: rng.standard_cauchy(n),
        "same": lambda: np.full(n, 0.5),
    }
    margin, x = (values[draw(st.sampled_from(list(values)))]() for _ in range(2))
    weight = {
        "none": None,
        "shares": rng.random(n) + 0.01,
        "whole": rng.integers(1, 4, n).astype(float),
        "uneven": rng.lognormal(0, 5, n),
    }[draw(st.sampled_from(["none", "none", "shares", "whole", "uneven"]))]
    n_classes = draw(st.integers(2, 6))
    # Classes that a plane tells apart, but for noise: else no bucket would ever stay closed.
    y = np.where(rng.random(n) < 0.7, margin - 0.5 * x > 0, rng.integers(0, n_classes, n))
    return margin, x, draw(st.sampled_from([-0.25, 0.0, 0.25])), y.astype(np.int32), weight


@pytest.mark.parametrize("merit", MERITS)
@given(direction=directions(), min_leaf_rows=st.sampled_from([1, 1, 2, 10]))
def test_finds_the_best_of_all_steps(merit, direction, min_leaf_rows):
    margin, x, gamma, y, weight = direction
    found = step(*direction, merit, min_leaf_rows)
    n_classes = int(y.max()) + 1
    steps = list(all_steps(margin, x, gamma, y, weight, n_classes, merit, min_leaf_rows))
    assert found["found"] == bool(steps)
    if not steps:
        return
    room = 1e-9 * (1.0 if weight is None else weight.sum()) if "minority" in merit else 1e-11
    best = max(worth for worth, _ in steps)
    assert found["merit"] == pytest.approx(max(best, 0.0), abs=room)
    # The step it names has that merit, and none as good is shorter.
    as_good = [delta for worth, delta in steps if worth >= best - room]
    assert found["delta"] in as_good
    surely = [delta for worth, delta in steps if worth == best]
    if weight is None and merit == "gini":
        assert abs(found["delta"]) <= min(map(abs, surely))


@given(direction=directions())
def test_a_flipped_column_gives_the_opposite_step(direction):
    margin, x, gamma, y, weight = direction
    one, other = step(margin, x, gamma, y, weight), step(margin, -x, -gamma, y, weight)
    assert one["merit"] == other["merit"]
    assert abs(one["delta"]) == abs(other["delta"])


@given(direction=directions(), size=st.sampled_from([2.0**-300, 2.0**-40, 2.0**40, 2.0**300]))
def test_the_size_of_margins_and_weights_does_not_matter(direction, size):
    margin, x, gamma, y, weight = direction
    plain = step(*direction)
    scaled = step(margin * size, x, gamma, y, None if weight is None else weight * size)
    assert scaled["delta"] == pytest.approx(plain["delta"] * size, rel=1e-12)
    assert scaled["merit"] == pytest.approx(plain["merit"], rel=1e-12)


def test_extremes_give_a_step_or_none_and_never_more():
    margin = np.array([1e308, -1e308, 1e-308, 0.0, -0.0, 5e-324])
    x = np.array([1e-308, 1e308, 5e-324, 0.0, -0.0, -5e-324])
    for order in range(6):
        for y in ([0, 1, 0, 1, 0, 1], [0] * 6, [0, 0, 0, 1, 1, 1]):
            found = step(np.roll(margin, order), x, 0.0, y)
            assert np.isfinite(found["delta"])
            assert 0 <= found["merit"] <= 0.5


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"x": np.zeros(3)}, "margin and x differ in length"),
        ({"x": np.array([0.0, np.nan])}, "x and gamma must be finite"),
        ({"gamma": np.inf}, "x and gamma must be finite"),
        ({"margin": np.array([0.0, np.inf])}, "Z must be finite"),
        ({"merit": "purity"}, "the kernels know no 'purity'"),
    ],
)
def test_bad_arrays_are_refused(changed, message):
    good = {"margin": np.zeros(2), "x": np.ones(2), "gamma": 0.0, "y": np.array([0, 1], np.int32)}
    options = {"weight": None, "n_classes": 2, "merit": "gini", "min_leaf_rows": 1}
    with pytest.raises(ValueError, match=message):
        _core.coefficient_step(**{**good, **options, **changed})


def test_two_classes_of_whole_rows_go_the_short_way_to_the_same_step():
    """Weights of a half take the way that every number of classes takes."""
    rng = np.random.default_rng(0)
    for n in [70, 94, 162, 219] * 100:
        margin, x = rng.integers(-3, 4, n) / 4, rng.integers(-3, 4, n) / 4
        y = margin + rng.normal(size=n) * rng.choice([0.5, 3.0]) > 0
        options = {
            "gamma": float(rng.choice([0.0, 0.25])),
            "min_leaf_rows": int(rng.choice([1, 20])),
        }
        short = step(margin, x, y=y, **options)
        long = step(margin, x, y=y, weight=np.full(n, 0.5), **options)
        assert short == {**long, "merit": pytest.approx(long["merit"], abs=1e-15)}
