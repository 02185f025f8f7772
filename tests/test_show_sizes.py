"""Accuracy against size, and importances: the pictures show what is so."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib import pyplot as plt
from sklearn.inspection import permutation_importance as sklearns
from sklearn.model_selection import StratifiedKFold, cross_validate

from planetree import MissingExtraError, PlaneTreeClassifier, TableError, datasets, show
from planetree.importance import permutation_importance
from planetree.learners import RLS
from planetree.presets import CART
from planetree.pruners import Unpruned

X, Y = datasets.load_wine(return_X_y=True)


@pytest.fixture(scope="module")
def iris():
    return datasets.load_iris(as_frame=True)


# --- accuracy against size ------------------------------------------------------------------------


def test_the_curve_begins_at_the_largest_class_and_the_ring_is_the_tree_as_fitted():
    folds = StratifiedKFold(4, shuffle=True, random_state=0)
    scores = cross_validate(CART(), X, Y, cv=folds, return_estimator=True)
    curve, ring = show.accuracy_against_size(CART(), X, Y, cv=4).get_lines()
    leaves = [tree.n_leaves_ for tree in scores["estimator"]]
    assert ring.get_xdata()[0] == np.mean(leaves)
    assert ring.get_ydata()[0] == pytest.approx(100 * scores["test_score"].mean())
    at_one = [np.mean(Y[test] == _commonest(Y[train])) for train, test in folds.split(X, Y)]
    assert curve.get_xdata()[0] == 1
    assert curve.get_ydata()[0] == pytest.approx(100 * np.mean(at_one))
    # Each fold's largest tree of the weakest-link path, which is what it grew but for idle tests.
    assert curve.get_xdata()[-1] <= max(leaves)


def _commonest(labels):
    values, counts = np.unique(labels, return_counts=True)
    return values[counts.argmax()]


def test_a_size_between_takes_the_largest_tree_within_it():
    folds = StratifiedKFold(3, shuffle=True, random_state=0)
    (curve, _) = show.accuracy_against_size(CART(), X, Y, cv=3).get_lines()
    from planetree.pruners import cost_complexity_pruning_path

    at = int(np.median(curve.get_xdata()))
    shares = []
    for train, test in folds.split(X, Y):
        path = cost_complexity_pruning_path(CART().fit(X[train], Y[train]).tree_)
        pruned = path.tree(int((path.n_leaves > at).sum()))
        labels = np.unique(Y)[pruned.labels[pruned.apply(X[test])]]
        shares.append(np.mean(labels == Y[test]))
    drawn = dict(zip(curve.get_xdata(), curve.get_ydata()))
    assert drawn[at] == pytest.approx(100 * np.mean(shares))


def test_several_models_on_axes_of_ones_own(iris):
    _, axes = plt.subplots(1, 2)
    models = {"thresholds": CART(), "planes": PlaneTreeClassifier(learner=RLS())}
    ax = show.accuracy_against_size(models, iris.data, iris.target, cv=3, ax=axes[1])
    assert ax is axes[1]
    assert not axes[0].lines
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [*models]


def test_the_default_goes_along_its_own_path(iris):
    model = PlaneTreeClassifier()
    curve, ring = show.accuracy_against_size(model, iris.data, iris.target, cv=2).get_lines()
    assert curve.get_xdata()[0] == 1
    assert ring.get_ydata()[0] > 85


@pytest.mark.parametrize("kind", ["array", "pandas", "polars", "mapping"])
def test_tables_of_any_kind(kind):
    car = datasets.load_glass(as_frame=True)
    frame, y = car.data, np.asarray(car.target)
    if kind == "array":
        frame = frame.to_numpy()
    elif kind == "polars":
        frame = pytest.importorskip("polars").from_pandas(frame)
    elif kind == "mapping":
        frame = {name: frame[name].tolist() for name in frame}
    weight = np.where(np.arange(len(y)) % 2, 1.0, 2.0)
    curve, _ = show.accuracy_against_size(CART(max_depth=3), frame, y, weight, cv=2).get_lines()
    plain = show.accuracy_against_size(CART(max_depth=3), car.data, y, weight, cv=2).get_lines()[0]
    np.testing.assert_allclose(curve.get_ydata(), plain.get_ydata())


def test_what_cannot_be_drawn_is_said_in_a_line():
    with pytest.raises(ValueError, match="cv must be a whole number of at least 2, not 1"):
        show.accuracy_against_size(CART(), X, Y, cv=1)
    with pytest.raises(TableError, match="a class has fewer cases than there are folds, 60"):
        show.accuracy_against_size(CART(), X, Y, cv=60)
    with pytest.raises(TableError, match="X and y differ in length: 178 rows, 9 labels"):
        show.accuracy_against_size(CART(), X, Y[:9])
    with pytest.raises(ValueError, match="models is empty"):
        show.accuracy_against_size({}, X, Y)
    with pytest.raises(ValueError, match="sizes of a PlaneTreeClassifier are drawn, not of 'cart'"):
        show.accuracy_against_size("cart", X, Y)


# --- importances ----------------------------------------------------------------------------------


def test_permutation_importance_of_a_table_worked_by_hand():
    """The tree asks the first feature only: shuffled, it errs where a value met another class."""
    A = np.column_stack([[0.0, 0, 1, 1], [5.0, 6, 7, 8]])
    tree = CART(pruner=Unpruned()).fit(A, ["no", "no", "yes", "yes"])
    falls = permutation_importance(tree, A, ["no", "no", "yes", "yes"], n_repeats=200)
    assert set(falls[0].round(6)) == {0.0, 0.5, 1.0}
    # Of the 24 orders 4 leave every label right, 16 half of them, 4 none.
    assert falls[0].mean() == pytest.approx(0.5, abs=0.08)
    assert not falls[1].any()
    weight = np.array([1.0, 1, 1, 0])
    y = ["no", "no", "yes", "yes"]
    assert permutation_importance(tree, A, y, weight, n_repeats=1).shape == (2, 1)


def test_permutation_importance_is_what_scikit_learn_finds(iris):
    tree = CART(max_depth=3).fit(iris.data[::2], iris.target[::2])
    new = iris.data[1::2], iris.target[1::2]
    ours = permutation_importance(tree, *new, n_repeats=50).mean(axis=1)
    theirs = sklearns(tree, *new, n_repeats=50, random_state=1).importances_mean
    np.testing.assert_allclose(ours, theirs, atol=0.03)


def test_bars_are_the_importances(iris):
    tree = CART(max_depth=3).fit(iris.data, iris.target)
    ax = show.importances(tree)
    widths = [bar.get_width() for bar in ax.patches]
    np.testing.assert_allclose(widths, 100 * np.sort(tree.feature_importances_)[::-1])
    _, axes = plt.subplots()
    ax = show.importances(tree.tree_, iris.data, iris.target, random_state=3, most=2, ax=axes)
    assert ax is axes
    falls = permutation_importance(tree, iris.data, iris.target, random_state=3).mean(axis=1)
    np.testing.assert_allclose([bar.get_width() for bar in ax.patches], 100 * np.sort(falls)[:1:-1])
    assert ax.get_title() == "the 2 that tell most of 4 features"


def test_bad_input_of_importances(iris, monkeypatch):
    tree = CART(max_depth=3).fit(iris.data, iris.target)
    with pytest.raises(ValueError, match="fit it first"):
        permutation_importance(CART(), iris.data, iris.target)
    with pytest.raises(ValueError, match="n_repeats must be a whole number of at least 1, not 0"):
        permutation_importance(tree, iris.data, iris.target, n_repeats=0)
    with pytest.raises(TableError, match="columns of the tree are missing: petal_width"):
        show.importances(tree, iris.data.drop(columns="petal_width"), iris.target)

    def refuse(name):
        raise ImportError(name)

    monkeypatch.setattr("planetree.extras.import_module", refuse)
    with pytest.raises(MissingExtraError, match=r'matplotlib: pip install "planetree\[plot\]"'):
        show.importances(tree)
