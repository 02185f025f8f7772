"""Trees whose tests SmoothMerit and Logistic learn, by gradient."""

from __future__ import annotations

import numpy as np
import pytest

from planetree import PlaneTreeClassifier, datasets
from planetree.learners import Logistic, SmoothMerit
from planetree.merits import Gini, InformationGain, Merit

LEARNERS = [SmoothMerit(), Logistic()]


def tree(learner, merit=None, **options):
    options = {"univariate": False, "max_depth": 4, "min_leaf_rows": 3, **options}
    return PlaneTreeClassifier(merit, learner=learner, **options)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("name", ["bupa", "glass", "iris", "vowel", "wine"])
def test_shifting_and_scaling_a_column_changes_no_tree(learner, name):
    data = datasets.load(name)
    X = np.asarray(data.data, float)
    rng = np.random.default_rng(0)
    scale = rng.choice([-1.0, 1.0], X.shape[1]) * np.exp(rng.normal(0, 3, X.shape[1]))
    moved = X * scale + rng.normal(size=X.shape[1]) * X.std(axis=0) * np.abs(scale)
    first, second = tree(learner).fit(X, data.target), tree(learner).fit(moved, data.target)
    np.testing.assert_array_equal(first.predict(X), second.predict(moved))
    assert first.n_leaves_ > 2


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_neither_seed_nor_threads_change_the_tree(learner):
    data = datasets.load("glass")
    first, seeded, threads = (
        tree(learner, **options).fit(data.data, data.target).to_text()
        for options in ({}, {"random_state": 5}, {"n_threads": 3})
    )
    assert first == seeded == threads


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


def test_is_never_worth_less_than_the_best_single_column():
    """At the root, by either merit, on tables without gaps."""
    for name in ("bupa", "glass", "pima", "vowel"):
        data = datasets.load(name)
        for merit in (Gini(), InformationGain()):
            stumps = [
                PlaneTreeClassifier(merit, learner=learner, univariate=learner is None, max_depth=1)
                for learner in (None, SmoothMerit())
            ]
            single, plane = (s.fit(data.data, data.target).tree_ for s in stumps)
            judge = merit
            assert judge(plane.counts[None, 1:])[0] >= judge(single.counts[None, 1:])[0] - 1e-12


def test_a_merit_written_in_python_is_refused_by_name():
    class Own(Merit):
        def __call__(self, counts):
            return counts.max(axis=2).sum(axis=1)

    with pytest.raises(ValueError, match=r"SmoothMerit.*written in Python alone"):
        tree(SmoothMerit(), Own(), min_leaf_rows=1).fit(
            [[1, 2], [2, 1], [3, 3], [4, 1]], [0, 1, 0, 1]
        )


@pytest.mark.parametrize(
    ("learner", "message"),
    [
        (SmoothMerit(l2=-1), "l2 must be a number of at least 0"),
        (SmoothMerit(n_starts=0), "n_starts must be a whole number of at least 1"),
        (SmoothMerit(sharpness=()), "sharpness must be a tuple of numbers above 0"),
        (SmoothMerit(sharpness=(1.5, -1)), "sharpness must be a tuple of numbers above 0"),
        (Logistic(max_iterations=0), "max_iterations must be a whole number of at least 1"),
        (Logistic(tolerance="small"), "tolerance must be a number of at least 0"),
    ],
)
def test_parameters_that_make_no_sense(learner, message):
    with pytest.raises(ValueError, match=message):
        tree(learner, min_leaf_rows=1).fit([[1, 2], [2, 1], [3, 3], [4, 1]], [0, 1, 0, 1])
