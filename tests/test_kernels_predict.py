"""Compiled prediction agrees with walking, and refuses arrays that would lead it astray."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, _core
from planetree.grow import grow
from planetree.merits import Gini
from planetree.nodetests import Threshold
from planetree.stopping import Stop
from tables import multiway_tree, tables


def walked(tree, X):
    """Leaf of every row, asking test by test."""
    leaves = []
    for x in X:
        node = tree.node(0)
        while not node.is_leaf:
            node = tree.node(node.children[node.test.route(x[None])[0]])
        leaves.append(node.id)
    return np.array(leaves)


def strange_rows(schema, tree, rng, n=200):
    """Rows near and on every cut, missing values, symbols of training and symbols never seen."""
    X = np.empty((n, len(schema.features)))
    for j, feature in enumerate(schema.features):
        cuts = [
            test.cut for test in tree.tests if isinstance(test, Threshold) and test.feature == j
        ]
        if feature.kind == "symbolic":
            X[:, j] = rng.integers(0, len(feature.symbols) + 1, n)
        else:
            values = [
                0.0,
                -0.0,
                1e308,
                -1e308,
                5e-324,
                *cuts,
                *np.nextafter(cuts, 9e99),
                *np.nextafter(cuts, -9e99),
            ]
            X[:, j] = rng.choice(values, n)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X


@given(
    table=tables(symbols=True),
    seed=st.integers(0, 9),
    layout=st.sampled_from("CF"),
    n_threads=st.sampled_from([1, 3]),
)
def test_compiled_and_walked_prediction_agree(table, seed, layout, n_threads):
    tree = grow(table, Gini(), Stop(), max_leaves=30)
    X = strange_rows(table.schema, tree, np.random.default_rng(seed))
    np.testing.assert_array_equal(tree.apply(X.copy(order=layout), n_threads), walked(tree, X))


@pytest.mark.parametrize("seed", range(20))
def test_compiled_and_walked_prediction_agree_on_multiway_trees(seed):
    rng = np.random.default_rng(seed)
    tree = multiway_tree(rng)
    X = strange_rows(tree.schema, tree, rng, 400)
    np.testing.assert_array_equal(tree.apply(X), walked(tree, X))
    assert [node.id for node in sorted(tree.walk(), key=lambda node: node.id)] == list(
        range(tree.n_nodes)
    )


def test_many_rows_on_many_threads():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 5))
    tree = PlaneTreeClassifier(max_depth=8).fit(X, (X[:, 0] * X[:, 1] > 0).astype(int)).tree_
    one = tree.apply(X, 1)
    np.testing.assert_array_equal(one, tree.apply(X, 4))
    np.testing.assert_array_equal(one, tree.apply(np.asfortranarray(X), 4))
    np.testing.assert_array_equal(one, tree.apply(np.repeat(X, 2, axis=0)[::2], 2))
    np.testing.assert_array_equal(one[:100], walked(tree, X[:100]))


GOOD = {
    "kind": [1, 0, 0],
    "feature": [0, 0, 0],
    "missing": [0, 0, 0],
    "first_child": [1, 0, 0],
    "n_branches": [2, 0, 0],
    "cut": [0.5, 0.0, 0.0],
    "table_start": [0, 0, 0],
    "n_symbols": [0, 0, 0],
    "unseen": [0, 0, 0],
    "branch_table": [],
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": [9, 0, 0]}, "node 0: unknown kind"),
        ({"kind": []}, "differ in length"),
        ({"feature": [3, 0, 0]}, "no feature 3"),
        ({"feature": [-1, 0, 0]}, "no feature -1"),
        ({"missing": [2, 0, 0]}, "no branch for missing"),
        ({"missing": [-1, 0, 0]}, "no branch for missing"),
        ({"first_child": [0, 0, 0]}, "not breadth first"),
        ({"first_child": [2, 0, 0]}, "not breadth first"),
        ({"n_branches": [2, 2, 0]}, "a leaf has no branches"),
        ({"n_branches": [3, 0, 0]}, "does not exist"),
        ({"n_branches": [1, 0, 0]}, "at least two"),
        ({"kind": [1, 1, 0], "n_branches": [2, 2, 0], "first_child": [1, 3, 0]}, "does not exist"),
        ({"kind": [0, 0, 0], "n_branches": [0, 0, 0]}, "no path from the root"),
        ({"cut": [np.nan, 0, 0]}, "not a number"),
        ({"kind": [2, 0, 0], "n_symbols": [1, 0, 0]}, "outside the branch table"),
        ({"kind": [2, 0, 0], "n_symbols": [-1, 0, 0]}, "outside the branch table"),
        (
            {"kind": [2, 0, 0], "n_symbols": [1, 0, 0], "branch_table": [7]},
            "a branch that does not exist",
        ),
        ({"kind": [2, 0, 0], "unseen": [5, 0, 0]}, "symbols never seen"),
        ({"n_features": 0}, "at least one feature"),
    ],
)
def test_flat_arrays_that_would_lead_astray_are_refused(change, message):
    arrays = {"n_features": 2, **GOOD, **change}
    types = {"kind": np.uint8, "cut": np.float64}
    typed = {
        k: v if k == "n_features" else np.array(v, types.get(k, np.int32))
        for k, v in arrays.items()
    }
    with pytest.raises(ValueError, match=message):
        _core.FlatTree(**typed)


def test_flat_tree_wants_its_own_number_of_columns():
    arrays = {"kind": np.uint8, "cut": np.float64}
    flat = _core.FlatTree(
        n_features=2, **{k: np.array(v, arrays.get(k, np.int32)) for k, v in GOOD.items()}
    )
    with pytest.raises(ValueError, match="as many columns"):
        flat.apply(np.zeros((3, 1)), 1)
    leaves, infinity = flat.apply(np.zeros((0, 2)), 1)
    assert len(leaves) == 0
    assert infinity is None
