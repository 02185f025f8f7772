"""Thermal training against its definition and against a trace worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from planetree import _core
from planetree.learners import Thermal
from planetree.scaling import Raw
from reference.rng import Random
from reference.thermal import thermal
from views import separable, view_of, views

PAPER = {
    "beta": 2.0,
    "a": 0.999,
    "b": 0.0005,
    "epsilon": 0.1,
    "alpha": 0.01,
    "whole_pass": False,
    "max_passes": 1000,
}


def seed_of_order(order):
    for seed in range(10_000):
        drawn = list(range(len(order)))
        Random(seed).shuffle(drawn)
        if drawn == order:
            return seed
    raise AssertionError("no such seed")


def test_random_numbers_are_splitmix64():
    # The first numbers that the authors' program draws from this seed.
    random = Random(1234567)
    assert [random() for _ in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_table_1_by_hand():
    """Two cases, (1, 0) of class 1 and (1, 1) of class 0; ε = 0, β is annealed to 3β/4 − 1/2.

    With Y = (1, 0, 1) and (1, 1, 1), Y·Y = 2 and 3. The weights of class 0 are minus those of
    class 1, so the machine's magnitude is twice √(W₁·W₁).

    case  (W_j − W_i)·Y   k      c = β²/(β + k)  W₁ afterwards             W₁·W₁  β
    1     0               0      2               (2, 0, 2)                 8      2
    2     8               4/3    4/(10/3) = 6/5  (4/5, −6/5, 4/5)          2.72   3·2/4 − 1/2 = 1
    1     −16/5: right
    2     4/5             2/15   1/(17/15)       (−7/85, −177/85, −7/85)   4.35   1
    1     28/85           7/85   1/(92/85)       + 85/92 (1, 0, 1)         5.75   1
    2     right, and so is 1
    """
    Z, y = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([1, 0], np.int32)
    given = {**PAPER, "a": 0.75, "b": 0.5, "epsilon": 0.0}
    steps = []
    W = thermal(
        Z,
        y,
        None,
        2,
        seed=0,
        **given,
        order=[0, 1],
        trace=lambda i, k, c, W, beta: steps.append((i, k, c, *W[1], beta)),
    )
    end = 85 / 92 - 7 / 85
    expected = [
        (0, 0, 2, 2, 0, 2, 2),
        (1, 4 / 3, 6 / 5, 4 / 5, -6 / 5, 4 / 5, 1),
        (1, 2 / 15, 15 / 17, -7 / 85, -177 / 85, -7 / 85, 1),
        (0, 7 / 85, 85 / 92, end, -177 / 85, end, 1),
    ]
    np.testing.assert_allclose(steps, expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_array_equal(W[0], -W[1])
    by_kernel = _core.thermal(
        Z=Z, y=y, weight=None, n_classes=2, seed=seed_of_order([0, 1]), **given
    )
    np.testing.assert_array_equal(by_kernel, W)


def test_an_error_of_beta_or_more_is_left_alone():
    """Both cases are (1): after the first correction, by 2, the other has k = 8/4 = β."""
    found = _core.thermal(
        Z=np.ones((2, 1)),
        y=np.array([1, 0], np.int32),
        weight=None,
        n_classes=2,
        seed=seed_of_order([0, 1]),
        **{**PAPER, "epsilon": 0.0},
    )
    np.testing.assert_array_equal(found, [[-2.0, -2.0], [2.0, 2.0]])


@given(
    view=views(),
    beta=st.sampled_from([0.5, 2.0]),
    a=st.sampled_from([0.8, 0.999]),
    epsilon=st.sampled_from([0.0, 0.1]),
    alpha=st.sampled_from([0.0, 0.01, 0.2]),
    whole_pass=st.booleans(),
    max_passes=st.sampled_from([1, 15]),
)
def test_equals_its_definition(view, beta, a, epsilon, alpha, whole_pass, max_passes):
    options = {
        "beta": beta,
        "a": a,
        "b": 0.0005,
        "epsilon": epsilon,
        "alpha": alpha,
        "whole_pass": whole_pass,
        "max_passes": max_passes,
    }
    found = _core.thermal(**view.kernel, seed=view.seed, **options)
    expected = thermal(view.Z, view.y, view.weight, view.n_classes, view.seed, **options)
    np.testing.assert_array_equal(found, expected)


@given(seed=st.integers(0, 2**32 - 1), n_columns=st.integers(1, 5))
def test_separates_two_classes_that_can_be_separated(seed, n_columns):
    X, y = separable(np.random.default_rng(seed), 100, n_columns, 2, margin=0.3)
    if np.bincount(y, minlength=2).min() <= 0.2 * len(y):
        return  # a small class may lie too far out to be looked at
    test = Thermal().fit(view_of(X, y, seed=seed))
    np.testing.assert_array_equal(test.route(X), y)


@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(3, 6))
def test_separates_clouds_of_many_classes(seed, n_classes):
    y = np.repeat(np.arange(n_classes), 10)
    noise = np.random.default_rng(seed).uniform(-0.3, 0.3, (len(y), n_classes))
    X = np.eye(n_classes)[y] + noise / np.sqrt(n_classes)
    test = Thermal().fit(view_of(X, y, seed=seed))
    np.testing.assert_array_equal(test.route(X), y)


def test_the_paper_may_end_before_all_are_right():
    """Why `whole_pass` is True by default: one column needs no more than two right cases."""
    X = np.arange(20.0)[:, None]
    y = (X[:, 0] > 12).astype(int)
    right = {
        whole_pass: [
            np.array_equal(Thermal(whole_pass=whole_pass).fit(view).route(X), y)
            for view in (view_of(X, y, seed=seed) for seed in range(50))
        ]
        for whole_pass in (False, True)
    }
    assert all(right[True])
    assert sum(right[False]) < 40


@given(seed=st.integers(0, 2**32 - 1))
def test_ends_on_noise(seed):
    """Long before the last pass: β falls to ε, under which nothing is corrected."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(int(rng.integers(20, 200)), 3)).round(1)
    y = rng.integers(0, 3, len(X))
    view = view_of(X, y, seed=seed)
    early = _core.thermal(**view.kernel, seed=seed, **PAPER)
    late = _core.thermal(**view.kernel, seed=seed, **{**PAPER, "max_passes": 100_000})
    np.testing.assert_array_equal(early, late)


@pytest.mark.parametrize("size", [1e-150, 1.0, 1e150, 1e300])
def test_ends_on_cases_of_two_classes_and_columns_of_any_size(size):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(20, 3)), 2, axis=0) * [size, 1.0, 1 / size]
    y = np.tile([0, 1], 20)
    view = view_of(X, y)
    test = Thermal().fit(view)
    assert test is None or set(test.route(X)) <= {0, 1}
    Thermal().fit(view_of(X, rng.integers(0, 3, 40), scaling=Raw()))


@given(seed=st.integers(0, 2**32 - 1), power=st.integers(-60, 60))
def test_scaling_columns_by_powers_of_two_changes_no_bit(seed, power):
    """Not even where discriminants tie, which with few values they often do."""
    rng = np.random.default_rng(seed)
    X, y = rng.integers(0, 4, (30, 3)).astype(float), rng.integers(0, 3, 30)
    first, second = (
        _core.thermal(**view_of(Z, y).kernel, seed=seed, **PAPER)
        for Z in (X, X * [-1.0, 2.0**power, -(2.0**-power)])
    )
    if first.shape[1] == 4:  # no column is constant
        np.testing.assert_array_equal(first * [-1.0, 1.0, -1.0, 1.0], second)


@given(seed=st.integers(0, 2**32 - 1))
def test_shifting_and_scaling_columns_changes_no_branch(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    y = rng.integers(0, int(rng.integers(2, 4)), 60)
    moved = X * [2.0, -3.7, 1e9] + [5.0, 100.0, -1e9]
    first, second = (Thermal().fit(view_of(Z, y, seed=seed)) for Z in (X, moved))
    if first is None:
        assert second is None
        return
    np.testing.assert_array_equal(first.route(X), second.route(moved))


@given(view=views())
def test_weights_of_one_are_no_weights_and_their_unit_does_not_matter(view):
    plain = _core.thermal(**{**view.kernel, "weight": None}, seed=view.seed, **PAPER)
    for unit in (1.0, 0.25, 1e-300 * 2**3, 1e300):
        weight = np.full(view.n_rows, unit)
        weighted = _core.thermal(**{**view.kernel, "weight": weight}, seed=view.seed, **PAPER)
        np.testing.assert_array_equal(plain, weighted)


def test_heavier_cases_get_their_way():
    """Two clouds that overlap: weight decides which errors are made."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (300, 2)), rng.normal(1, 1, (300, 2))])
    y = np.repeat([0, 1], 300)
    share = []
    for weight in (None, np.where(y == 1, 1.0, 20.0), np.where(y == 1, 20.0, 1.0)):
        test = Thermal().fit(view_of(X, y, weight))
        share.append(test.route(X).mean())
    assert share[1] + 0.2 < share[0] < share[2] - 0.2


@given(view=views())
def test_leaves_the_view_alone_and_repeats_itself(view):
    before = view.Z.copy(), view.y.copy()
    learner = Thermal(beta=1.5)
    first = learner.fit(view)
    assert first == learner.fit(view) == clone(learner).fit(view)
    np.testing.assert_array_equal(view.Z, before[0])
    np.testing.assert_array_equal(view.y, before[1])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"beta": -1}, "Thermal: beta must be a number of at least 0.0, not -1"),
        ({"a": "much"}, "a must be a number of at least 0.0, not 'much'"),
        ({"b": np.nan}, "b must be a number of at least 0.0, not nan"),
        ({"alpha": np.inf}, "alpha must be a number of at least 0.0, not inf"),
        ({"max_passes": 2.5}, "max_passes must be a whole number of at least 1, not 2.5"),
        ({"whole_pass": "no"}, "whole_pass must be True or False, not 'no'"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Thermal(**options).fit(view_of([[0.0], [1.0]], [0, 1]))


def test_options_may_be_numpy_numbers():
    view = view_of([[0.0], [1.0]], [0, 1])
    learner = Thermal(beta=np.float32(2), whole_pass=np.True_, max_passes=np.int64(9))
    assert learner.fit(view) == Thermal().fit(view)
