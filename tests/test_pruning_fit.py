"""Pruning as part of the fit, and after it."""

from __future__ import annotations

import io
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import planetree
from planetree import PlaneTreeClassifier, TableError
from planetree.learners import RLS
from planetree.presets import CART
from planetree.pruners import (
    CostComplexity,
    Pessimistic,
    PessimisticBound,
    Pruner,
    ReducedError,
    Unpruned,
)

PRUNERS = [
    ReducedError(),
    CostComplexity(),
    CostComplexity(cv=4),
    Pessimistic(),
    PessimisticBound(),
    PessimisticBound(raising=True),
]


def noisy(n=400, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    y = np.where((X[:, 0] + X[:, 1] > 0) ^ (rng.random(n) < 0.15), "in", "out")
    return X, y


@pytest.mark.parametrize("pruner", PRUNERS, ids=repr)
@pytest.mark.parametrize("learner", [None, RLS()], ids=repr)
def test_pruned_trees_are_smaller_and_as_good(pruner, learner):
    X, y = noisy()
    grown = PlaneTreeClassifier(learner=learner, pruner=Unpruned())
    pruned = PlaneTreeClassifier(learner=learner, pruner=pruner)
    assert pruned.fit(X, y).n_leaves_ < grown.fit(X, y).n_leaves_ / 1.5
    assert cross_val_score(pruned, X, y, cv=4).mean() >= cross_val_score(grown, X, y, cv=4).mean()
    assert clone(pruned).fit(X, y).tree_ == pruned.tree_
    assert str(pickle.loads(pickle.dumps(pruned)).tree_) == str(pruned.tree_)
    file = io.StringIO()
    pruned.save(file)
    back = planetree.load(io.StringIO(file.getvalue()))
    assert back.tree_ == pruned.tree_
    assert repr(back.pruner) == repr(pruner)


def test_the_holdout_is_a_share_of_the_cases_and_follows_the_seed():
    X, y = noisy()
    trees = [PlaneTreeClassifier(pruner=ReducedError(0.3), random_state=s) for s in (1, 1, 2)]
    one, again, other = (tree.fit(X, y).tree_ for tree in trees)
    assert one == again != other
    assert one.n_rows[0] == 280
    assert PlaneTreeClassifier(pruner=CostComplexity(cv=3)).fit(X, y).tree_.n_rows[0] == 400
    assert PlaneTreeClassifier(pruner=Pessimistic()).fit(X, y).tree_.n_rows[0] == 400


def test_pruning_after_the_fit_leaves_the_old_one_alone():
    X, y = noisy(800)
    grown = CART(pruner=Unpruned()).fit(X[:500], y[:500])
    before = grown.tree_
    pruned = grown.prune(ReducedError(), X[500:], y[500:])
    assert grown.tree_ is before
    assert pruned.n_leaves_ < grown.n_leaves_
    assert pruned.tree_ == grown.tree_.prune(ReducedError(), X[500:], y[500:])
    assert pruned.get_params() == grown.get_params()
    assert pruned.score(X[500:], y[500:]) >= grown.score(X[500:], y[500:])
    raised = grown.prune(PessimisticBound(raising=True), X[:500], y[:500])
    assert raised.tree_.n_rows[0] == 500


def test_pruning_after_the_fit_weighs_classes_as_the_fit_does():
    X, y = noisy()
    weight = {"in": 3.0, "out": 1.0}
    grown = CART(class_weight=weight, pruner=Unpruned()).fit(X, y)
    by_hand = np.where(y == "in", 3.0, 1.0)
    for pruner in (ReducedError(), PessimisticBound(raising=True)):
        pruned = grown.prune(pruner, X, y)
        assert pruned.tree_ == grown.tree_.prune(pruner, X, y, by_hand)
    raised = grown.prune(PessimisticBound(raising=True), X, y)
    np.testing.assert_allclose(raised.tree_.counts[0], grown.tree_.counts[0])


def test_a_grid_search_reaches_into_the_pruner():
    X, y = noisy()
    grid = {"pruner": [None, Pessimistic(), ReducedError()]}
    search = GridSearchCV(CART(pruner=Unpruned()), grid, cv=3).fit(X, y)
    assert search.best_params_["pruner"] is not None
    nested = PlaneTreeClassifier(pruner=ReducedError()).set_params(pruner__holdout=0.4)
    assert nested.pruner.holdout == 0.4


def test_bad_pruners_are_named():
    X, y = noisy(40)
    tree = CART(pruner=Unpruned()).fit(X, y)
    for pruner, message in (
        (ReducedError, r"must be an instance, ReducedError\(\)"),
        ("reduced error", r"pruner must be a pruner such as planetree.pruners.ReducedError\(\)"),
        (ReducedError(2), "holdout of ReducedError must be a share"),
    ):
        with pytest.raises(ValueError, match=message):
            PlaneTreeClassifier(pruner=pruner).fit(X, y)
        for grown in (tree, tree.tree_):
            with pytest.raises(ValueError, match=message):
                grown.prune(pruner, X, y)
    with pytest.raises(TableError, match="ReducedError has 1 holdout cases for 2 classes"):
        PlaneTreeClassifier(pruner=ReducedError()).fit(X[:4], ["a", "b", "a", "b"])
    with pytest.raises(TableError, match="4 cases for 10 folds"):
        PlaneTreeClassifier(pruner=CostComplexity(cv=10)).fit(X[:4], ["a", "b", "a", "b"])
    tree = CART(pruner=Unpruned()).fit({"u": [1.0, 2.0], "v": [1.0, 1.0]}, ["a", "b"])
    with pytest.raises(TableError, match="columns of the training data are missing: v"):
        tree.prune(ReducedError(), {"u": [1.0, 2.0]}, ["a", "b"])


def test_a_pruner_of_ones_own():
    class Stump(Pruner):
        def prune(self, tree, evidence):
            return tree.prune_at(tree.node(0).children)

    X, y = noisy()
    assert PlaneTreeClassifier(pruner=Stump()).fit(X, y).n_leaves_ == 2
