"""The size and the plan of a tree, chosen by cross-validation, and the default system."""

from __future__ import annotations

import numpy as np
import pytest

from planetree import PlaneTreeClassifier, datasets, presets
from planetree.learners import Logistic, SmoothMerit
from planetree.pruners import CrossValidated, cost_complexity_pruning_path
from planetree.pruners.cost_complexity import test_sizes as sizes_of
from planetree.selectors import Thin


@pytest.fixture(scope="module")
def glass():
    data = datasets.load("glass")
    return presets.Default().fit(data.data, data.target), data


def test_size_is_leaves_and_features_by_hand(glass):
    """Three leaves, of a plane over two features and a threshold: 2 + 0.1 · 3."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.where(X[:, 0] + X[:, 1] > 0, "a", np.where(X[:, 2] > 0, "b", "c"))
    tree = presets.Default(root=None).fit(X, y)
    step = tree.path_[tree.path_.chosen]
    assert (step.n_leaves, step.n_tests, step.n_features, step.plan) == (3, 2, 3, "planes")
    assert step.size == pytest.approx(2 + 0.1 * 3)
    assert sizes_of(tree.tree_, 0.1).sum() == pytest.approx(step.size)


def test_features_at_a_price_change_what_is_weakest():
    """Two tests save one case each: the plane goes first where features cost something."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = (X @ [1, 1, 1, 1] > 0).astype(int) + 2 * (X[:, 0] > 1)
    tree = PlaneTreeClassifier(learner=SmoothMerit(), max_leaves=8).fit(X, y).tree_
    free, priced = (cost_complexity_pruning_path(tree, feature_price=p) for p in (0.0, 1.0))
    for path, price in ((free, 0.0), (priced, 1.0)):
        sizes = sizes_of(tree, price)
        kept = [sizes[~tree.is_leaf & (path.first > step)].sum() for step in range(len(path))]
        # Each tree of the path is best at its price: no other of the path is cheaper there.
        cost = path.risks[:, None] + np.array(kept)[:, None] * path.alphas
        assert (cost.argmin(axis=0) <= np.arange(len(path)) + 1).all()
        np.testing.assert_allclose(cost.min(axis=0), np.diag(cost), atol=1e-9)


def test_labels_along_the_path_are_those_of_its_trees(glass):
    data = glass[1]
    whole = PlaneTreeClassifier(min_leaf_rows=2).fit(data.data, data.target).tree_
    path = cost_complexity_pruning_path(whole)
    labels = path.labels(whole.apply(data.data))
    for step in range(len(path)):
        pruned = path.tree(step)
        np.testing.assert_array_equal(labels[step], pruned.labels[pruned.apply(data.data)])


def test_the_path_rises_in_size_and_accuracy(glass):
    path = glass[0].path_
    assert path[0].n_leaves == 1
    assert np.all(np.diff([step.size for step in path]) > 0)
    assert np.all(np.diff([step.accuracy for step in path]) > 0)
    for step in path:
        tree = step.tree
        assert (tree.n_leaves, tree.n_tests) == (step.n_leaves, step.n_tests)
        assert tree.n_features.sum() == step.n_features
    assert str(path).count("→") == 1


def test_takes_the_smallest_within_a_standard_error(glass):
    path = glass[0].path_
    within = [s.behind <= s.standard_error + 1e-12 for s in path]
    assert path.chosen == within.index(True)
    assert path[-1].behind == 0
    best = presets.Default(pruner=CrossValidated(standard_errors=0.0))
    best.fit(glass[1].data, glass[1].target)
    assert best.path_.chosen == len(best.path_) - 1


def test_moving_along_the_path_grows_nothing(glass):
    path = glass[0].path_
    for n in (1, 2, 4, 100):
        step = path.within(n)
        assert step.n_leaves <= n
        assert step.accuracy == max(s.accuracy for s in path if s.n_leaves <= n)


def test_a_linear_model_where_it_is_enough():
    """Four classes by the greatest of four sums: one machine, or many planes."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 4))
    y = (X @ rng.normal(size=(4, 4))).argmax(axis=1)
    tree = presets.Default().fit(X, y)
    assert (tree.path_[tree.path_.chosen].plan, tree.n_leaves_, tree.n_tests_) == ("machine", 4, 1)
    assert tree.score(X, y) > 0.95


def test_the_same_on_every_run_and_number_of_threads(glass):
    tree, data = glass
    for options in ({}, {"random_state": None}, {"n_threads": 2}):
        again = presets.Default(**options).fit(data.data, data.target)
        assert again.tree_ == tree.tree_


@pytest.mark.parametrize("name", ["vote", "zoo", "hepatitis", "monks2", "iris"])
def test_takes_what_comes(name):
    """Symbols, gaps, many small classes, few cases."""
    data = datasets.load(name, as_frame=True)
    tree = presets.Default().fit(data.data, data.target)
    assert tree.score(data.data, data.target) > 0.8


def test_weights_and_balance():
    data = datasets.load("hepatitis", as_frame=True)
    balanced = presets.Default(class_weight="balanced").fit(data.data, data.target)
    few = data.target.value_counts().idxmin()
    assert (balanced.predict(data.data) == few).mean() > (
        presets.Default().fit(data.data, data.target).predict(data.data) == few
    ).mean()


@pytest.mark.parametrize(
    "X",
    [
        [[0.0], [1.0], [2.0], [3.0]],
        [[0.0, 5.0]] * 4,
        [[1e300, 0.0], [-1e300, 1e-300], [1e300, 1.0], [0.0, 0.0]],
    ],
)
def test_hardly_any_cases(X):
    assert presets.Default().fit(X, [0, 0, 1, 1]).n_leaves_ >= 1


def test_five_hundred_columns():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 500))
    assert presets.Default(root=None).fit(X, X[:, 3] > 0).n_leaves_ == 2


def test_twenty_six_classes():
    rng = np.random.default_rng(0)
    y = np.repeat(np.arange(26), 8)
    X = np.column_stack([y % 5, y // 5]) + 0.1 * rng.normal(size=(208, 2))
    assert presets.Default().fit(X, y).score(X, y) > 0.9


def test_large_nodes_are_learned_from_a_part(monkeypatch):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 3))
    y = (X @ [1.0, -2.0, 0.5] > 0).astype(int)
    part = PlaneTreeClassifier(learner=SmoothMerit(max_rows=500), univariate=False, max_depth=1)
    part.fit(X, y)
    assert part.score(X, y) > 0.98
    assert part.tree_.n_rows.tolist()[0] == 3000


def test_needs_the_estimator(glass):
    tree, data = glass
    with pytest.raises(ValueError, match="use it as pruner= of the estimator"):
        tree.prune(CrossValidated(), data.data, data.target)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"pruner": CrossValidated(standard_errors=-1)}, "standard_errors of CrossValidated"),
        ({"pruner": CrossValidated(feature_price="dear")}, "feature_price of CrossValidated"),
        ({"pruner": CrossValidated(folds=1)}, "folds of CrossValidated must be a whole number"),
        ({"root": Logistic}, r"root must be an instance, Logistic\(\)"),
        ({"root": Thin()}, "root must be a learner such as"),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(ValueError, match=message):
        presets.Default(**options).fit([[1.0], [2.0]], [0, 1])
