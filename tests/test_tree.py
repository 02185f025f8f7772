"""The frozen tree: compiled and walked prediction agree, and it reads well."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, TableError, _core
from planetree.grow import grow, grow_node_by_node
from planetree.merits import Gini
from planetree.nodetests import Category, Known, Threshold
from planetree.schema import Feature, Schema
from planetree.search import Univariate
from planetree.stopping import Stop
from planetree.tree import Tree
from tables import tables


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


def multiway_tree(rng, n_features=4, n_nodes=60):
    """A tree no grower makes yet: several branches, every kind of test."""
    features = tuple(
        Feature(f"x{j}", "symbolic", ("a", "b", "c")) if j % 2 else Feature(f"x{j}")
        for j in range(n_features)
    )
    tests, open_nodes = [], 1
    while open_nodes > 0:
        open_nodes -= 1
        j = int(rng.integers(n_features))
        if (len(tests) > 3 and rng.random() < 0.5) or len(tests) + open_nodes > n_nodes:
            tests.append(None)
            continue
        if j % 2:
            order = rng.permutation(4)  # so that every branch occurs
            test = Category(
                j,
                tuple(int(b) for b in order[:3]),
                missing=int(rng.integers(4)),
                unseen=int(order[3]),
            )
        elif rng.random() < 0.3:
            test = Known(j)
        else:
            test = Threshold(j, float(rng.normal()), int(rng.integers(2)))
        tests.append(test)
        open_nodes += test.n_branches
    counts = rng.random((len(tests), 3)) + 0.1
    return Tree(
        Schema(features), ("u", "v", "w"), tuple(tests), counts, np.ones(len(tests), np.int64)
    )


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


def test_infinity_is_named_with_its_first_row():
    tree = PlaneTreeClassifier().fit([[0.0, 1.0], [1.0, 2.0]], [0, 1])
    X = np.zeros((20_000, 2))
    X[[9_000, 15_000], 1] = np.inf
    X[9_500, 0] = -np.inf
    with pytest.raises(TableError, match=r"column x1 holds an infinity \(row 9000\)"):
        tree.predict(X)


def test_shape_of_a_tree_follows_from_its_tests():
    rng = np.random.default_rng(5)
    tree = multiway_tree(rng)
    for node in tree.walk():
        for child in node.children:
            assert tree.parent[child] == node.id
            assert tree.depth[child] == node.depth + 1
    assert tree.parent[0] == -1
    assert tree.n_leaves + tree.n_tests == tree.n_nodes
    assert tree.max_depth == max(node.depth for node in tree.walk())
    with pytest.raises(IndexError, match="not -1"):
        tree.node(-1)


def test_decision_path_is_every_node_on_the_way():
    rng = np.random.default_rng(2)
    X = rng.normal(size=(60, 3))
    tree = PlaneTreeClassifier().fit(X, rng.integers(0, 3, 60)).tree_
    leaves = tree.apply(X)
    path = tree.decision_path(leaves).toarray()
    for row, leaf in zip(path, leaves):
        way = [leaf]
        while way[-1] > 0:
            way.append(tree.parent[way[-1]])
        assert sorted(way) == np.flatnonzero(row).tolist()


def test_a_chain_deeper_than_the_recursion_limit():
    """Alternating classes along one feature: every cut peels off one row at an end."""
    n = 3000
    tests, features = [], (Feature("x"),)
    for depth in range(n):
        tests += [Threshold(0, float(depth))] if depth == 0 else [None, Threshold(0, float(depth))]
    tests += [None, None]
    counts = np.ones((len(tests), 2))
    tree = Tree(Schema(features), ("a", "b"), tuple(tests), counts, np.ones(len(tests), np.int64))
    assert tree.max_depth == n
    assert tree.apply(np.array([[n - 1.5]]))[0] == walked(tree, np.array([[n - 1.5]]))[0]
    assert tree.to_text().count("\n") == 2 * n - 1
    assert tree._repr_html_().count("<li>") == 2 * n
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert copy.deepcopy(tree) == tree


def test_text_and_html():
    X = {
        "age": [20.0, 30.0, 40.0, None],
        "hue": ["r", "g", "b", "b"],
        "smokes": [True, False, True, True],
    }
    tree = PlaneTreeClassifier().fit(X, ["<ill>", "well", "<ill>", "well"]).tree_
    assert str(tree) == tree.to_text()
    assert str(tree) == (
        "├─ age ≤ 25 → <ill> (1)\n"
        "└─ age > 25 or missing\n"
        "   ├─ age ≤ 35 or missing → well (2)\n"
        "   └─ age > 35 → <ill> (1)"
    )
    assert "<ill>" not in tree._repr_html_()
    assert "&lt;ill&gt;" in tree._repr_html_()
    assert repr(tree).startswith("<Tree: ")


def test_text_can_be_cut_short_and_rounded():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    tree = PlaneTreeClassifier().fit(X, rng.integers(0, 2, 200)).tree_
    short = tree.to_text(digits=2, max_depth=1)
    assert len(short.splitlines()) == 2
    assert "leaves, mostly" in short
    assert f"{tree.tests[0].cut:.2g}" in short
    assert tree.to_text(max_depth=0).startswith("… ")


def test_single_leaf_reads_too():
    tree = PlaneTreeClassifier(max_depth=0).fit([[1.0], [2.0], [3.0]], ["a", "b", "b"]).tree_
    assert str(tree) == "→ b (2 of 3)"
    assert "b (2 of 3)" in tree._repr_html_()
    assert tree.n_tests == tree.max_depth == tree.mean_features_per_test == 0


def test_arrays_of_a_tree_cannot_be_changed():
    tree = PlaneTreeClassifier().fit([[1.0], [2.0]], ["a", "b"]).tree_
    with pytest.raises(ValueError, match="read-only"):
        tree.counts[0, 0] = 5
    with pytest.raises(AttributeError, match="cannot assign"):
        tree.classes = ()


@given(table=tables(symbols=True))
def test_both_kinds_of_tests_compile_alike(table):
    fused = grow(table, Gini(), Stop(max_depth=3))
    listed = grow_node_by_node(table, Gini(), Stop(max_depth=3), [Univariate()])
    np.testing.assert_array_equal(fused.apply(table.X), listed.apply(table.X))
    assert fused.mean_features_per_test == listed.mean_features_per_test
    assert fused.tests[:2] == list(listed.tests[:2])


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
