"""Thinning a test while its columns are not worth their price."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, datasets
from planetree.learners import RLS, Logistic, SmoothMerit
from planetree.linear import Linear
from planetree.merits import GainRatio, Gini, InformationGain, Misclassification, Twoing
from planetree.search import OpenNode
from planetree.selectors import Thin
from planetree.stopping import Stop
from planetree.table import Table
from views import view_of


class Slow(SmoothMerit):
    """Thinned by the selector's own loop: the definition."""

    thins = False


def found_by(learner, table, price=1.0, **limits):
    node = OpenNode(table, np.arange(table.n_rows, dtype=np.uint32), Gini(), Stop())
    return Linear(learner, Thin(price), **limits)(node)


def table_of(X, y):
    view = view_of(X, y)
    classes, codes = np.unique(y, return_inverse=True)
    return Table(view.schema, np.asarray(X, float), codes.astype(np.int32), tuple(classes.tolist()))


@pytest.mark.parametrize("name", ["bupa", "glass", "ionosphere", "pima", "vowel", "wine"])
@pytest.mark.parametrize("price", [0.0, 1.0, 5.0])
def test_in_one_go_or_step_by_step(name, price):
    data = datasets.load(name)
    table = table_of(data.data, data.target)
    fast, slow = (found_by(learner, table, price) for learner in (SmoothMerit(), Slow()))
    assert fast.test == slow.test
    assert fast.merit == slow.merit


@given(seed=st.integers(0, 2**32 - 1), n_classes=st.integers(2, 4), n_columns=st.integers(1, 9))
@settings(max_examples=30)
def test_in_one_go_or_step_by_step_on_any_table(seed, n_classes, n_columns):
    """Without ties, which the last bit may decide either way."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, n_columns))
    y = (X[:, :1] + rng.normal(size=(60, n_classes))).argmax(axis=1)
    fast, slow = (found_by(learner, table_of(X, y)) for learner in (SmoothMerit(), Slow()))
    assert fast.test.features == slow.test.features
    assert fast.merit == pytest.approx(slow.merit, abs=1e-9)


def test_keeps_the_columns_that_tell():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 12))
    y = (X[:, 2] - 2 * X[:, 7] + 0.1 * rng.normal(size=300) > 0).astype(int)
    for learner in (SmoothMerit(), Slow(), Logistic(), RLS()):
        assert found_by(learner, table_of(X, y), 4.0).test.features == (2, 7)


def test_the_dearer_the_fewer():
    data = datasets.load("ionosphere")
    table = table_of(data.data, data.target)
    sizes = [len(found_by(SmoothMerit(), table, price).test.features) for price in (0, 1, 4, 400)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 10
    assert sizes[-1] == 1


def test_keeps_the_limits_of_the_user():
    data = datasets.load("ionosphere")
    table = table_of(data.data, data.target)
    for learner in (SmoothMerit(), Logistic()):
        assert len(found_by(learner, table, 0.0, max_features=3).test.features) <= 3
        assert len(found_by(learner, table, 0.0, min_rows_per_feature=50).test.terms) <= 7
        assert found_by(learner, table, 0.0, min_rows_per_feature=1e9) is None


@pytest.mark.parametrize("merit", [Gini(), InformationGain(), GainRatio(), Misclassification()])
def test_no_test_explains_more_than_everything(merit):
    counts = np.array([10.0, 20.0, 5.0])
    assert merit.ceiling(counts) == pytest.approx(merit(np.diag(counts)[None])[0])
    assert merit(np.array([[[10.0, 0, 0], [0, 20.0, 5.0]]]))[0] <= merit.ceiling(counts) + 1e-12


def test_twoing_is_at_its_best_with_two_equal_branches():
    half = np.array([[[10.0, 0], [0, 10.0]]])
    assert Twoing().ceiling(np.array([10.0, 10.0])) == pytest.approx(Twoing()(half)[0])


@pytest.mark.parametrize(
    ("selector", "message"),
    [
        (Thin(price=-1), "price must be a number of at least 0"),
        (Thin(share=1), "share must be at least 0 and below 1"),
    ],
)
def test_parameters_that_make_no_sense(selector, message):
    with pytest.raises(ValueError, match=message):
        PlaneTreeClassifier(learner=SmoothMerit(), selector=selector).fit(
            [[1, 2], [2, 1], [3, 3], [4, 1]], [0, 1, 0, 1]
        )
