"""Trees whose tests Pocket and Thermal learn, case by case."""

from __future__ import annotations

import numpy as np
import pytest

from planetree import PlaneTreeClassifier, datasets
from planetree.learners import Pocket, Thermal

LEARNERS = [Pocket(), Thermal(), Thermal(whole_pass=False)]


def tree(learner, **options):
    return PlaneTreeClassifier(
        learner=learner, univariate=False, **{"random_state": 0, "max_depth": 6, **options}
    )


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("name", ["bupa", "glass", "iris", "vowel", "wine"])
def test_shifting_and_scaling_a_column_changes_no_tree(learner, name):
    """Inches for centimetres, Fahrenheit for Celsius: the same tests, on real and tied values."""
    data = datasets.load(name)
    X = np.asarray(data.data, float)
    rng = np.random.default_rng(0)
    scale = rng.choice([-1.0, 1.0], X.shape[1]) * np.exp(rng.normal(0, 3, X.shape[1]))
    moved = X * scale + rng.normal(size=X.shape[1]) * X.std(axis=0) * np.abs(scale)
    first, second = tree(learner).fit(X, data.target), tree(learner).fit(moved, data.target)
    np.testing.assert_array_equal(first.apply(X), second.apply(moved))
    assert first.n_leaves_ > 2


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_the_seed_decides_and_threads_do_not(learner):
    data = datasets.load("glass")
    first, again, threads, other = (
        tree(learner, **options).fit(data.data, data.target).to_text()
        for options in ({}, {}, {"n_threads": 2}, {"random_state": 1})
    )
    assert first == again == threads != other


@pytest.mark.parametrize("learner", LEARNERS[:2], ids=repr)
def test_separable_classes_take_one_test(learner):
    X = np.random.default_rng(0).normal(size=(300, 2)) @ [[1.0, 0.9], [0.0, 0.1]]
    X = X[np.abs(X[:, 1] - X[:, 0]) > 0.05]
    y = X[:, 1] > X[:, 0]
    found = tree(learner).fit(X, y)
    assert (found.n_leaves_, found.score(X, y)) == (2, 1.0)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_takes_weights_symbols_and_missing_values(learner):
    data = datasets.load("cleveland", as_frame=True)
    weight = np.random.default_rng(0).uniform(0.5, 2.0, len(data.target))
    found = tree(learner).fit(data.data, data.target, sample_weight=weight)
    assert found.score(data.data, data.target) > 0.8
    plain = tree(learner).fit(data.data, data.target)
    ones = tree(learner).fit(data.data, data.target, sample_weight=np.ones(len(data.target)))
    assert plain.to_text() == ones.to_text() != found.to_text()


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_degenerate_columns_give_a_tree_and_no_warning(learner):
    rng = np.random.default_rng(0)
    x = rng.normal(size=40)
    X = np.column_stack([x, x, np.ones(40), 1e150 * x, 1e-150 * rng.normal(size=40)])
    tree(learner).fit(X, rng.integers(0, 3, 40)).predict(X)
