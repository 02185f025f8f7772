"""Planes between two groups of classes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, PlugInError
from planetree.choices import plug_in
from planetree.learners import BIT2, OC1, RLS, LeastSquares, Pocket, Superclasses
from planetree.merits import Gini
from planetree.planes import LinearThresholdUnit
from reference import superclasses as twin
from views import view_of


def counts_of(test, X, y):
    branch = test.route(np.asarray(X, float))
    return np.array([[np.bincount(y[branch == b], minlength=y.max() + 1) for b in range(2)]], float)


def test_three_classes_in_a_row_by_hand():
    """Means at 0, 4 and 10 in x: the gap between the second and the third is cut, or the first."""
    X = np.array([[x + d, 1.0 - d] for x in (0, 4, 10) for d in (-1, 0, 1)])
    y = np.repeat([0, 1, 2], 3)
    test = Superclasses(LeastSquares()).fit(view_of(X, y))
    assert isinstance(test, LinearThresholdUnit)
    # Both cuts leave one class pure and two together; the first of equals stands.
    assert counts_of(test, X, y).tolist() in ([[[3, 0, 0], [0, 3, 3]]], [[[0, 3, 3], [3, 0, 0]]])


def test_the_order_is_that_of_the_means_and_not_of_the_labels():
    rng = np.random.default_rng(0)
    y = np.arange(80) % 4
    X = rng.normal(scale=0.1, size=(80, 2)) + np.array([[0, 0], [9, 9], [1, 1], [8, 8]])[y]
    test = Superclasses().fit(view_of(X, y))
    assert counts_of(test, X, y).tolist() == [[[20, 0, 20, 0], [0, 20, 0, 20]]]


def test_two_classes_are_left_to_the_learner():
    rng = np.random.default_rng(0)
    view = view_of(rng.normal(size=(40, 3)), np.arange(40) % 2)
    for learner in (RLS(), BIT2(), Pocket()):
        assert Superclasses(learner).fit(view) == learner.fit(view)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n_classes=st.integers(3, 6),
    n_columns=st.integers(1, 4),
    weighted=st.booleans(),
)
def test_equals_its_twin(seed, n_classes, n_columns, weighted):
    rng = np.random.default_rng(seed)
    y = np.arange(60) % n_classes
    X = rng.normal(size=(60, n_columns)) + rng.normal(size=(n_classes, n_columns))[y]
    weight = rng.uniform(0.5, 2, 60) if weighted else None
    view = view_of(X, y, weight)

    def learn(Z, second, weight):
        root = np.sqrt(weight)[:, None]
        columns = root * np.c_[Z, np.ones(len(Z))]
        target = root[:, 0] * np.where(second, 1.0, -1.0)
        return np.linalg.lstsq(columns, target, rcond=None)[0][:-1]

    expected = twin.best_merit(view.Z, view.y, weight, n_classes, learn, "gini")
    test = Superclasses(LeastSquares()).fit(view)
    branch, weight = test.route(X), np.ones(60) if weight is None else weight
    counts = [np.bincount(y[branch == b], weight[branch == b], n_classes) for b in (0, 1)]
    assert Gini()(np.array([counts]))[0] == pytest.approx(expected, abs=1e-9)


@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(2, 6))
def test_sums_of_groups_are_the_sums_of_their_rows(seed, n_classes):
    rng = np.random.default_rng(seed)
    view = view_of(rng.normal(size=(30, 3)), np.arange(30) % n_classes)
    group = rng.integers(0, 3, n_classes).astype(np.int32)
    assume(len(set(group.tolist())) == group.max() + 1)
    fresh = view.regrouped(group).sums
    _ = view.sums
    derived = view.regrouped(group).sums
    np.testing.assert_allclose(derived.B, fresh.B, atol=1e-12)
    np.testing.assert_array_equal(derived.A, fresh.A)


def test_it_makes_a_learner_of_two_classes_one_of_many():
    rng = np.random.default_rng(1)
    y = np.arange(90) % 3
    X = rng.normal(size=(90, 2)) + 3 * y[:, None]
    tree = PlaneTreeClassifier(learner=Superclasses(OC1(restarts=1, jumps=2)), univariate=False)
    tests = [test for test in tree.fit(X, y).tree_.tests if test is not None]
    assert {test.n_branches for test in tests} == {2}
    assert tree.score(X, y) > 0.9


def test_what_it_holds_is_checked_and_has_a_word():
    with pytest.raises(
        (ValueError, PlugInError), match="learner of Superclasses must be a learner"
    ):
        PlaneTreeClassifier(learner=Superclasses("rls")).fit([[0], [1], [2]], [0, 1, 2])
    assert repr(plug_in("learner", "superclasses:learner=bit2")) == "Superclasses(learner=BIT2())"
