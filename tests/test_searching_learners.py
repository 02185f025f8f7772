"""Trees whose tests CART-LC and OC1 find, by searching for merit."""

from __future__ import annotations

import numpy as np
import pytest

from planetree import PlaneTreeClassifier, PlugInError, datasets, load
from planetree.learners import CARTLC, OC1
from planetree.merits import Merit
from planetree.planes import LinearThresholdUnit
from planetree.selectors import FSCART, CARTDiscard

BOTH = ("univariate", "least_squares")
LEARNERS = [CARTLC(), CARTLC(starts=BOTH), OC1(restarts=4), OC1(restarts=4, starts=BOTH)]


def tree(learner, **options):
    return PlaneTreeClassifier(
        learner=learner, **{"univariate": False, "random_state": 0, "max_depth": 5, **options}
    )


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("name", ["bupa", "glass", "iris"])
def test_shifting_and_scaling_a_column_changes_no_tree(learner, name):
    data = datasets.load(name)
    X = np.asarray(data.data, float)
    rng = np.random.default_rng(0)
    scale = np.exp(rng.normal(0, 3, X.shape[1]))
    moved = X * scale + rng.normal(size=X.shape[1]) * X.std(axis=0) * scale
    first, second = tree(learner).fit(X, data.target), tree(learner).fit(moved, data.target)
    np.testing.assert_array_equal(first.apply(X), second.apply(moved))
    assert first.n_leaves_ > 2


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_one_plane_takes_one_test(learner):
    """Brodley and Utgoff's Figure 1: x + y > 8."""
    X, y = datasets.make_sum_plane(random_state=0)
    found = tree(learner).fit(X, y)
    assert (found.n_leaves_, found.score(X, y)) == (2, 1.0)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_takes_weights_symbols_and_missing_values(learner):
    data = datasets.load("cleveland", as_frame=True)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(data.target))
    options = {"min_leaf_rows": 5}
    found = tree(learner, **options).fit(data.data, data.target, sample_weight=weight)
    assert found.score(data.data, data.target) > 0.8
    plain = tree(learner, **options).fit(data.data, data.target)
    half = tree(learner, **options).fit(data.data, data.target, np.full(len(data.target), 0.5))
    assert plain.tree_.tests == half.tree_.tests != found.tree_.tests


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_every_test_discriminates_and_has_rows_enough(learner):
    data = datasets.load("vowel")
    found = tree(learner, min_leaf_rows=3, max_depth=8, max_leaves=40).fit(data.data, data.target)
    grown = found.tree_
    assert grown.n_rows[grown.is_leaf].min() >= 3
    for test, n_rows in zip(grown.tests, grown.n_rows, strict=True):
        if test is not None:
            assert n_rows >= 2 * len(test.terms)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_degenerate_columns_give_a_tree_and_no_warning(learner):
    rng = np.random.default_rng(0)
    x = rng.normal(size=60)
    x[:30] = 0.0  # more than half of it is its median
    X = np.column_stack([x, x, np.ones(60), 1e150 * x, 1e-150 * rng.normal(size=60), x**9 * 1e290])
    tree(learner).fit(X, rng.integers(0, 3, 60)).predict(X)


@pytest.mark.parametrize("learner", [OC1(restarts=4), OC1(order="random", restarts=3)], ids=repr)
def test_the_seed_decides_and_threads_do_not(learner):
    data = datasets.load("glass")
    first, again, threads, other = (
        tree(learner, **options).fit(data.data, data.target).to_text()
        for options in ({}, {}, {"n_threads": 2}, {"random_state": 1})
    )
    assert first == again == threads != other


def test_both_starts_are_as_good_as_the_better_one():
    X, y = datasets.make_planes(2000, n_features=6, random_state=3)

    def merit(starts):
        found = tree(CARTLC(starts=starts), max_depth=1).fit(X, y).tree_
        left, right = found.counts[1:]
        return (left @ left / left.sum() + right @ right / right.sum()) / len(y)

    alone = [merit((start,)) for start in BOTH]
    assert merit(BOTH) == max(alone)


@pytest.mark.parametrize("selector", [CARTDiscard(beta=0.2), FSCART(c=0.2)], ids=repr)
def test_columns_of_little_use_are_discarded(selector):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 6))
    y = X[:, 1] - 2 * X[:, 4] > 0.5
    found = tree(CARTLC(), selector=selector, max_depth=1).fit(X, y)
    test = found.tree_.tests[0]
    assert isinstance(test, LinearThresholdUnit)
    assert set(test.features) == {1, 4}
    assert test.weights[0] / test.weights[1] == pytest.approx(-0.5, abs=0.1)
    assert found.score(X, y) > 0.97


@pytest.mark.parametrize("learner", [CARTLC(starts=BOTH, gammas=(0.0,)), OC1(order="best_first")])
def test_the_model_file_keeps_the_learner(learner, tmp_path):
    found = tree(learner).fit([[1, 4], [2, 3], [4, 2], [3, 1]], ["a", "a", "b", "b"])
    found.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert repr(again.learner) == repr(learner)
    assert again.tree_ == found.tree_


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (CARTLC(starts=("middle",)), "no start 'middle'; known: 'univariate', 'least_squares'"),
        (CARTLC(starts="univariate"), "starts must be a tuple of names out of 'univariate', 'le"),
        (OC1(starts=()), r"starts must be a tuple .*, not \(\)"),
        (CARTLC(gammas=()), r"gammas must be a tuple of numbers such as \(-0.25, 0.0, 0.25\)"),
        (CARTLC(epsilon=-1.0), "epsilon must be a number of at least 0.0, not -1.0"),
        (CARTLC(max_cycles=0), "max_cycles must be a whole number of at least 1, not 0"),
        (OC1(restarts=0), "restarts must be a whole number of at least 1, not 0"),
        (OC1(jumps=0.5), "jumps must be a whole number of at least 0, not 0.5"),
        (OC1(order="first"), "no order 'first'; known: 'sequential', 'best_first', 'random'"),
    ],
)
def test_bad_options_are_named(learner, message):
    with pytest.raises(PlugInError, match=message):
        tree(learner).fit([[0.0], [1.0]], [0, 1])


class Purity(Merit):
    def __call__(self, counts):
        return counts.max(axis=2).sum(axis=1) / counts.sum(axis=(1, 2))


@pytest.mark.parametrize("learner", LEARNERS[::2], ids=repr)
def test_a_merit_in_python_is_refused(learner):
    with pytest.raises(PlugInError, match=r"searches by merit.*planetree\.learners\.RLS"):
        tree(learner, merit=Purity()).fit([[0.0], [1.0]], [0, 1])
