"""The Pocket algorithm against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone

from planetree import _core
from planetree.learners import Pocket
from planetree.scaling import Raw
from reference.machine import winner, with_constant
from reference.pocket import pocket
from reference.rng import Random
from views import separable, view_of, views


def test_corrections_by_hand():
    """Two cases, 1 of class 1 and −1 of class 0, Y = (1, 1) and (−1, 1), with ε = 1/2.

    With zero weights both discriminants are 0 and class 0 wins: only the case 1 is wrong. Its
    correction is 0/4 + 1/2, which takes the weights of class 1 to (1/2, 1/2) and those of class 0
    to (−1/2, −1/2). For the case −1 both are then 0 again, which is right.
    """
    Z, y = np.array([[1.0], [-1.0]]), np.array([1, 0], np.int32)
    W = _core.pocket(Z=Z, y=y, weight=None, n_classes=2, seed=3, passes=20, epsilon=0.5)
    np.testing.assert_array_equal(W, [[-0.5, -0.5], [0.5, 0.5]])


def test_a_correction_makes_the_case_right():
    rng = np.random.default_rng(0)
    Z, y = rng.normal(size=(30, 3)), rng.integers(0, 4, 30).astype(np.int32)
    before = None

    def check(i, W, run):
        nonlocal before
        if run == 0 and before is not None:
            Y = with_constant(Z)[i]
            other = winner(before, Y)[0]
            assert other != y[i]
            own, its = winner(W, Y)[1][y[i]], winner(W, Y)[1][other]
            assert own - its == pytest.approx(2 * 0.1 * Y @ Y)  # ε beyond the tie
        before = W

    pocket(Z, y, None, 4, 7, 20, 0.1, trace=check)
    assert before is not None


@given(view=views(), passes=st.integers(1, 12), epsilon=st.sampled_from([0.0, 0.1, 1.0]))
def test_equals_its_definition(view, passes, epsilon):
    found = _core.pocket(**view.kernel, seed=view.seed, passes=passes, epsilon=epsilon)
    expected = pocket(view.Z, view.y, view.weight, view.n_classes, view.seed, passes, epsilon)
    np.testing.assert_array_equal(found, expected)


@given(view=views(), passes=st.integers(1, 12))
def test_keeps_the_longest_run(view, passes):
    """Told by the cases alone: what was drawn, and how long each machine then stayed right."""
    seen = []

    def note(i, W, run):
        seen.append((run, W.tobytes()))

    pocket(view.Z, view.y, view.weight, view.n_classes, view.seed, passes, 0.1, trace=note)
    kept = _core.pocket(**view.kernel, seed=view.seed, passes=passes, epsilon=0.1)
    longest = max((run for run, _ in seen), default=0)
    if longest == 0:
        assert not kept.any()
        return
    right = [winner(kept, Y)[0] for Y in with_constant(view.Z)] == view.y.tolist()
    # Of equal runs the first to become so long; the same weights may have come up before.
    first = next(W for run, W in seen if run == longest)
    assert right or kept.tobytes() == first


@pytest.mark.parametrize("n_classes", [2, 3])
@given(seed=st.integers(0, 2**32 - 1), n_columns=st.integers(1, 4))
def test_separates_what_can_be_separated(n_classes, seed, n_columns):
    rng = np.random.default_rng(seed)
    X, y = separable(rng, 60, n_columns, n_classes, margin=0.2)
    if len(np.unique(y)) < 2:
        return
    view = view_of(X, y, seed=seed)
    test = Pocket(passes=2000).fit(view)
    np.testing.assert_array_equal(test.route(X), view.y)


def test_more_passes_find_better_weights():
    """Gallant's theorem, on two clouds that overlap."""
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(0, 1, (200, 4)), rng.normal(1, 1, (200, 4))])
    y = np.repeat([0, 1], 200)
    share = {
        passes: np.mean(
            [(Pocket(passes).fit(view_of(X, y, seed=s)).route(X) == y).mean() for s in range(30)]
        )
        for passes in (1, 10, 1000)
    }
    assert share[1] < share[10] < share[1000]


def test_cases_are_drawn_in_proportion_to_their_weights():
    weight = np.array([1.0, 2.0, 5.0, 0.25])
    drawn = []
    pocket(
        np.array([[1.0], [-1.0], [1.0], [-1.0]]),
        np.array([1, 0, 0, 1]),
        weight,
        2,
        5,
        5000,
        0.1,
        trace=lambda i, W, run: drawn.append(i),
    )
    found = np.bincount(drawn) / len(drawn)
    np.testing.assert_allclose(found, weight / weight.sum(), atol=0.01)


@given(view=views())
def test_weights_of_one_are_no_weights_and_their_unit_does_not_matter(view):
    options = {"seed": view.seed, "passes": 5, "epsilon": 0.1}
    plain = _core.pocket(**{**view.kernel, "weight": None}, **options)
    for unit in (1.0, 0.25, 1e-300, 1e300):
        weight = np.full(view.n_rows, unit)
        np.testing.assert_array_equal(
            plain, _core.pocket(**{**view.kernel, "weight": weight}, **options)
        )


@given(view=views())
def test_leaves_the_view_alone_and_repeats_itself(view):
    before = view.Z.copy(), view.y.copy()
    learner = Pocket(passes=3)
    first = learner.fit(view)
    assert first == learner.fit(view) == clone(learner).fit(view)
    np.testing.assert_array_equal(view.Z, before[0])
    np.testing.assert_array_equal(view.y, before[1])


@pytest.mark.parametrize("size", [1e-150, 1.0, 1e150, 1e300])
def test_columns_of_any_size(size):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 3))
    y = (X.sum(axis=1) > 0).astype(int)
    X = X * [size, 1.0, 1 / size]
    assert (Pocket(passes=100).fit(view_of(X, y)).route(X) == y).mean() > 0.8
    Pocket().fit(view_of(X, rng.integers(0, 3, 40), scaling=Raw()))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"passes": 0}, "Pocket: passes must be a whole number of at least 1, not 0"),
        ({"passes": 1.5}, "passes must be a whole number of at least 1, not 1.5"),
        ({"epsilon": -0.1}, "epsilon must be a number of at least 0.0, not -0.1"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        Pocket(**options).fit(view_of([[0.0], [1.0]], [0, 1]))


def test_bounded_draws_and_shuffles():
    random = Random(5)
    drawn = [random.below(6) for _ in range(6000)]
    np.testing.assert_allclose(np.bincount(drawn) / 6000, 1 / 6, atol=0.02)
    items = list(range(10))
    random.shuffle(items)
    assert sorted(items) == list(range(10)) != items
