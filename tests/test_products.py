"""Products of two features: as columns, as tests, saved and in other programs."""

from __future__ import annotations

import io

import narwhals.stable.v1 as nw
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

from planetree import PlaneTreeClassifier, TableError, load
from planetree.encoding import Products
from planetree.learners import BIT2, RLS
from planetree.presets import CART
from tables import tables


def quadrants(n=300, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-1, 1, (n, 3))
    return X, np.where(X[:, 0] * X[:, 2] > 0, "same", "other")


def test_columns_by_hand():
    X = {
        "a": [1.0, None, 3.0],
        "town": ["Rom", "Ulm", "Ulm"],
        "b": [2, 5, 6],
        "on": [True, False, True],
    }
    made = Products().fit_transform(X)
    assert [*made] == ["a", "town", "b", "on", "a·b"]
    np.testing.assert_array_equal(made["a·b"], [2, np.nan, 18])
    assert made["town"] is X["town"]
    step = Products(center=True, squares=True).fit(X)
    assert [*step.products_] == [
        "(a − 2)·(b − 4.33333)",
        "(a − 2)·(a − 2)",
        "(b − 4.33333)·(b − 4.33333)",
    ]
    made = step.transform({"a": [4.0], "town": ["Bonn"], "b": [4.33333], "on": [None]})
    assert [made[name].tolist() for name in step.products_] == [[0.0], [4.0], [0.0]]


@given(
    table=tables(max_rows=12, symbols=True),
    center=st.booleans(),
    squares=st.booleans(),
)
def test_every_product_is_that_of_its_two_columns(table, center, squares):
    X = {
        feature.name: table.X[:, j] for j, feature in enumerate(table.schema.features)
        if feature.kind == "numeric" and not np.isnan(table.X[:, j]).all()
    }  # fmt: skip
    if not X:
        return
    step = Products(center=center, squares=squares).fit(X)
    n = len(X)
    assert len(step.products_) == n * (n - 1) // 2 + n * squares
    made = step.transform(X)
    for name, ((a, less_a), (b, less_b)) in step.products_.items():
        np.testing.assert_array_equal(made[name], (X[a] - less_a) * (X[b] - less_b))
        if not center:
            assert less_a == less_b == 0


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames_are_read_as_arrays_are(library):
    X, _ = quadrants(20)
    frame = nw.from_dict(
        dict(zip(("a", "b", "c"), X.T)), backend=pytest.importorskip(library)
    ).to_native()
    made = Products().fit(frame).transform(frame)
    for name, column in zip(
        ("a·b", "a·c", "b·c"), (X[:, 0] * X[:, 1], X[:, 0] * X[:, 2], X[:, 1] * X[:, 2])
    ):
        np.testing.assert_array_equal(made[name], column)
    assert [*Products().fit(X).transform(X)] == ["x0", "x1", "x2", "x0·x1", "x0·x2", "x1·x2"]


def test_one_test_says_what_no_plane_can():
    X, y = quadrants()
    tree = make_pipeline(Products(), CART()).fit(X, y)
    assert tree[-1].to_text(digits=1).splitlines()[0].startswith("├─ x0·x2 ≤ ")
    assert tree[-1].n_leaves_ == 2
    assert PlaneTreeClassifier(learner=BIT2()).fit(X, y).n_leaves_ > 4
    both = make_pipeline(Products(), PlaneTreeClassifier(learner=RLS(), max_depth=1)).fit(X, y)
    assert "·x0·x2" in both[-1].to_text() or "x0·x2" in both[-1].to_text()
    assert cross_val_score(clone(tree), X, y, cv=3).min() > 0.9


def test_a_circle_is_a_plane_over_squares():
    X, _ = quadrants()
    y = (X[:, :2] ** 2).sum(axis=1) > 0.5
    learner = PlaneTreeClassifier(learner=BIT2(), univariate=False, max_depth=1)
    tree = make_pipeline(Products(squares=True), learner).fit(X, y)
    assert tree[-1].to_text(digits=1).startswith("├─ x0·x0 + x1·x1 ≤ 0.5 → False (")
    assert tree[-1].n_leaves_ == 2


def test_a_test_of_a_product_is_saved():
    X, y = quadrants()
    made = Products(center=True).fit_transform(X)
    estimator = PlaneTreeClassifier(learner=BIT2(), max_depth=3).fit(made, y)
    estimator.save(file := io.StringIO())
    assert load(io.StringIO(file.getvalue())).tree_ == estimator.tree_


def test_refusals():
    with pytest.raises(TableError, match="there is a column a·b already"):
        Products().fit({"a": [1, 2], "b": [3, 4], "a·b": [3, 8]})
    with pytest.raises(ValueError, match="center of Products must be True or False"):
        Products(center="mean").fit({"a": [1, 2]})
    huge = {"a": [1e300, 1.0], "b": [1e300, 2.0]}
    with pytest.raises(TableError, match=r"a·b .*infinity"):
        make_pipeline(Products(), CART()).fit(huge, ["x", "y"])
