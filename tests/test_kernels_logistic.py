"""Logistic regression against its definition and scikit-learn's."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from planetree import PlaneTreeClassifier, _core, datasets
from planetree.learners import Logistic
from reference.logistic import log_loss, logistic
from reference.smooth_merit import gradient
from views import view_of, views

EXACT = {"max_iterations": 2000, "tolerance": 1e-14}


def test_loss_by_hand():
    """Cases −1 of class 0 and 1 of class 1, w = ln 3: each has p = 3/4 for its own class."""
    Z, y = np.array([[-1.0], [1.0]]), np.array([0, 1], np.int32)
    W = np.array([[math.log(3), 0.0]])
    found, _ = _core.log_loss(Z=Z, y=y, weight=None, n_classes=2, W=W, l2=1.0)
    assert found == pytest.approx(math.log(4 / 3) + math.log(3) ** 2 / 2)


@given(view=views(), seed=st.integers(0, 99), l2=st.sampled_from([0.0, 0.1]))
def test_value_and_gradient_equal_the_definition(view, seed, l2):
    if view.n_classes < 2:
        return
    shape = (1 if view.n_classes == 2 else view.n_classes, view.n_columns + 1)
    W = np.random.default_rng(seed).normal(size=shape)

    def value(w):
        return log_loss(view.Z, view.y, view.weight, view.n_classes, w.reshape(shape), l2)

    found, slope = _core.log_loss(**view.kernel, W=W, l2=l2)
    assert found == pytest.approx(value(W), rel=1e-12, abs=1e-12)
    np.testing.assert_allclose(slope.ravel(), gradient(value, W.ravel()), rtol=1e-5, atol=1e-7)


@given(view=views(), l2=st.sampled_from([0.01, 1.0]))
@settings(max_examples=30)
def test_ends_as_low_as_scipy(view, l2):
    if view.n_classes < 2:
        return
    expected = logistic(view.Z, view.y, view.weight, view.n_classes, l2)
    found = _core.logistic(**view.kernel, start=np.zeros_like(expected), l2=l2, **EXACT)
    cases = view.Z, view.y, view.weight, view.n_classes
    assert log_loss(*cases, found, l2) <= log_loss(*cases, expected, l2) + 1e-9


@pytest.mark.parametrize("name", ["iris", "wine", "pima", "glass"])
def test_equals_scikit_learn(name):
    data = datasets.load(name)
    X = StandardScaler().fit_transform(np.asarray(data.data, float))
    theirs = LogisticRegression(max_iter=10_000, tol=1e-8).fit(X, data.target)
    test = Logistic(**EXACT).fit(view_of(X, data.target))
    mine = theirs.classes_[test.route(X)]
    assert (mine == theirs.predict(X)).mean() > 0.995


def test_weights_are_repeated_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 3, 60)
    times = rng.integers(1, 4, 60)
    weighted = view_of(X, y, times.astype(float))
    repeated = view_of(np.repeat(X, times, axis=0), np.repeat(y, times))
    found = [_core.logistic(**v.kernel, start=np.zeros((3, 4)), l2=0.01, **EXACT) for v in
             (weighted, repeated)]  # fmt: skip
    np.testing.assert_allclose(*found, atol=1e-4)


def test_a_warm_start_ends_in_the_same_place():
    data = datasets.load("wine")
    view = view_of(data.data, data.target)
    cold = Logistic(**EXACT).fit(view)
    warm = Logistic(**EXACT).refit(view, view.weights(cold) + 0.1)
    np.testing.assert_allclose(warm.weights, cold.weights, atol=1e-4, rtol=1e-3)


def test_is_the_linear_model_at_the_root():
    data = datasets.load("wine")
    tree = PlaneTreeClassifier(learner=Logistic(), univariate=False, max_depth=1)
    tree.fit(data.data, data.target)
    assert tree.n_leaves_ == 3
    assert tree.score(data.data, data.target) > 0.98


def test_refuses_arrays_that_do_not_fit():
    view = view_of(np.eye(3), [0, 1, 1])
    with pytest.raises(ValueError, match="W needs a row a class"):
        _core.logistic(**view.kernel, start=np.zeros((2, 4)), l2=0.0, **EXACT)
    with pytest.raises(ValueError, match="W needs a row a class"):
        _core.log_loss(**view.kernel, W=np.zeros((1, 3)), l2=0.0)
