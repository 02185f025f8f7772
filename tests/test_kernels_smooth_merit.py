"""The climbed merit of soft counts against its definition."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import _core
from planetree.learners import SmoothMerit
from reference.smooth_merit import best_cut_merit, climb, gradient, soft_merit
from views import separable, view_of, views


def climbed(view, starts, merit="gini", **options):
    starts = np.column_stack([starts, np.zeros(len(starts))])
    options = {"sharpness": np.array([1.5, 6.0]), "l2": 1 / view.n_rows, **options}
    return _core.smooth_merit(
        **view.kernel,
        merit=merit,
        min_leaf_rows=options.pop("min_leaf_rows", 1),
        n_threads=options.pop("n_threads", 1),
        starts=starts,
        max_iterations=options.pop("max_iterations", 40),
        tolerance=options.pop("tolerance", 1e-4),
        **options,
    )


def test_soft_counts_by_hand():
    """Cases −1 of class 0 and 1 of class 1, w = ln 3 and no constant.

    The case 1 goes right with σ(ln 3) = 3/4, the case −1 with 1/4. Each side then holds 3/8 and
    1/8 of the weight: Σ l²/L = 2 · (9/64 + 1/64) / (1/2) = 5/8. The price of w is (ln 3)²/2.
    """
    Z, y = np.array([[-1.0], [1.0]]), np.array([0, 1], np.int32)
    cases = {"Z": Z, "y": y, "weight": None, "n_classes": 2, "merit": "gini"}
    w = np.array([math.log(3), 0.0])
    assert _core.soft_merit(**cases, weights=w, l2=0.0)[0] == pytest.approx(-5 / 8)
    assert _core.soft_merit(**cases, weights=w, l2=1.0)[0] == pytest.approx(
        -5 / 8 + math.log(3) ** 2 / 2
    )


@given(
    view=views(),
    merit=st.sampled_from(["gini", "information_gain"]),
    seed=st.integers(0, 99),
    l2=st.sampled_from([0.0, 0.1]),
)
def test_value_and_gradient_equal_the_definition(view, merit, seed, l2):
    v = np.random.default_rng(seed).normal(size=view.n_columns + 1)
    entropy = merit == "information_gain"

    def value(v):
        return soft_merit(view.Z, view.y, view.weight, view.n_classes, entropy, v, l2)

    found, slope = _core.soft_merit(**view.kernel, merit=merit, weights=v, l2=l2)
    assert found == pytest.approx(value(v), rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(slope, gradient(value, v), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("merit", ["gini", "information_gain"])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_climbs_as_high_as_scipy(merit, n_classes):
    """From the same start, at the same levels, to the same top: no worse by one per cent."""
    rng = np.random.default_rng(1)
    X = rng.normal(size=(120, 4))
    y = (X @ rng.normal(size=(4, n_classes)) + rng.normal(size=(120, n_classes))).argmax(axis=1)
    view = view_of(X, y)
    entropy = merit == "information_gain"
    for start in rng.normal(size=(4, 4)):
        options = {"max_iterations": 500, "tolerance": 1e-12, "sharpness": np.array([1.5])}
        ours = climbed(view, start[None], merit, **options)
        twin = climb(
            view.Z, view.y, None, n_classes, entropy, [*start, 0.0], [1.5], 1 / view.n_rows
        )
        cut = _core.value_cuts(
            values=(view.Z @ twin[:-1])[:, None], merit=merit, min_leaf_rows=1, **view.cases
        )
        assert ours["merit"] >= 0.97 * cut["merit"][0]


@given(view=views(), seed=st.integers(0, 99))
@settings(max_examples=60)
def test_never_worse_than_its_starts(view, seed):
    if view.n_columns == 0:
        return
    starts = np.vstack(
        [np.eye(view.n_columns), np.random.default_rng(seed).normal(size=(2, view.n_columns))]
    )
    starts /= np.abs(starts).max(axis=1, keepdims=True)
    starts = np.rint(starts * 2.0**20) * 2.0**-20  # as the kernel does
    found = climbed(view, starts)
    # Summed as the kernel sums: a column after the other.
    merits = [
        best_cut_merit(sum(w * z for w, z in zip(start, view.Z.T)), *list(view.cases.values()))
        for start in starts
    ]
    merits = [merit for merit in merits if merit is not None]
    if not merits or view.n_classes < 2:
        assert not found["found"] or found["merit"] < 1e-12
        return
    assert found["merit"] >= max(merits) - 1e-12
    projected = sum(w * z for w, z in zip(found["weights"], view.Z.T))
    assert found["merit"] == pytest.approx(
        best_cut_merit(projected, *list(view.cases.values())), abs=1e-12
    )


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("merit", ["gini", "information_gain"])
def test_separates_what_can_be_separated(seed, merit):
    X, y = separable(np.random.default_rng(seed), 200, 5, 2, 0.05)
    view = view_of(X, y)
    view.merit = merit
    test = SmoothMerit(sharpness=(1.5, 6.0, 24.0), l2=0.01).fit(view)
    assert (test.route(X) == y).all() or (test.route(X) != y).all()


def test_superclasses_emerge():
    """Four classes at the corners of a square that stands on a tip, seen along both diagonals.

    No column alone parts them two and two; the plane x = y does. By the information gain, since to
    Gini's index two against two and one against three are worth the same.
    """
    rng = np.random.default_rng(0)
    corners = np.array([[0.0, 3.0], [3.0, 6.0], [3.0, 0.0], [6.0, 3.0]])
    y = np.repeat(np.arange(4), 50)
    X = corners[y] + rng.normal(scale=0.5, size=(200, 2))
    view = view_of(X, y)
    view.merit = "information_gain"
    test = SmoothMerit().fit(view)
    counts = np.zeros((2, 4))
    np.add.at(counts, (test.route(X), y), 1)
    assert sorted(map(tuple, counts)) == [(0, 0, 50, 50), (50, 50, 0, 0)] or sorted(
        map(tuple, counts)
    ) == [(0, 50, 0, 50), (50, 0, 50, 0)]


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    times = rng.integers(1, 4, 60)
    weighted = SmoothMerit().fit(view_of(X, y, times.astype(float)))
    repeated = SmoothMerit().fit(view_of(np.repeat(X, times, axis=0), np.repeat(y, times)))
    np.testing.assert_array_equal(weighted.route(X), repeated.route(X))


def test_threads_change_nothing():
    rng = np.random.default_rng(0)
    view = view_of(rng.normal(size=(300, 6)), rng.integers(0, 3, 300))
    starts = rng.normal(size=(7, 6))
    one, three = (climbed(view, starts, n_threads=n) for n in (1, 3))
    np.testing.assert_array_equal(one["weights"], three["weights"])
    assert one["cut"] == three["cut"]


def test_no_branch_falls_below_the_least_size():
    rng = np.random.default_rng(0)
    view = view_of(rng.normal(size=(50, 3)), rng.integers(0, 2, 50))
    found = climbed(view, np.eye(3), min_leaf_rows=20)
    right = (view.Z @ found["weights"] > found["cut"]).sum()
    assert 20 <= right <= 30


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_huge_and_tiny_numbers_do_no_harm(size):
    rng = np.random.default_rng(0)
    view = view_of(rng.normal(size=(40, 2)), rng.integers(0, 2, 40))
    starts = size * rng.normal(size=(2, 2))
    assert np.isfinite(climbed(view, starts)["weights"]).all()
    Z = np.asfortranarray(size * view.Z)
    found = _core.smooth_merit(
        **{**view.kernel, "Z": Z},
        merit="gini", min_leaf_rows=1, n_threads=1, starts=np.array([[1.0, 1.0, 0.0]]),
        sharpness=np.array([1.5, 6.0]), l2=0.01, max_iterations=40, tolerance=1e-4,
    )  # fmt: skip
    assert np.isfinite(found["weights"]).all()


def test_refuses_arrays_that_do_not_fit():
    view = view_of(np.eye(3), [0, 1, 1])
    with pytest.raises(ValueError, match="a start needs a weight a column"):
        climbed(view, np.eye(3)[:, :1])
    with pytest.raises(ValueError, match="there must be a start"):
        climbed(view, np.empty((0, 3)))
    with pytest.raises(ValueError, match="a weight a column and the constant"):
        _core.soft_merit(**view.kernel, merit="gini", weights=np.zeros(2), l2=0.0)
