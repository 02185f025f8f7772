"""The frozen tree: compiled and walked prediction agree, and it reads well."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given

from planetree import TableError
from planetree.grow import grow, grow_node_by_node
from planetree.merits import Gini
from planetree.nodetests import Threshold
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.schema import Feature, Schema
from planetree.search import Univariate
from planetree.stopping import Stop
from planetree.tree import Tree
from tables import multiway_tree, tables


def test_infinity_is_named_with_its_first_row():
    tree = CART(pruner=Unpruned()).fit([[0.0, 1.0], [1.0, 2.0]], [0, 1])
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
    tree = CART(pruner=Unpruned()).fit(X, rng.integers(0, 3, 60)).tree_
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
    assert tree.apply(np.array([[n - 1.5]]))[0] == tree.path(np.array([n - 1.5])).leaf
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
    tree = CART(pruner=Unpruned()).fit(X, ["<ill>", "well", "<ill>", "well"]).tree_
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
    tree = CART(pruner=Unpruned()).fit(X, rng.integers(0, 2, 200)).tree_
    short = tree.to_text(digits=2, max_depth=1)
    assert len(short.splitlines()) == 2
    assert "leaves, mostly" in short
    assert f"{tree.tests[0].cut:.2g}" in short
    assert tree.to_text(max_depth=0).startswith("… ")


def test_single_leaf_reads_too():
    tree = CART(max_depth=0, pruner=Unpruned()).fit([[1.0], [2.0], [3.0]], ["a", "b", "b"]).tree_
    assert str(tree) == "→ b (2 of 3)"
    assert "0 tests, 1 leaf, 3 cases" in tree._repr_html_()
    assert "b (2 of 3)" in tree._repr_html_()
    assert tree.n_tests == tree.max_depth == tree.mean_features_per_test == 0


def test_arrays_of_a_tree_cannot_be_changed():
    tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).tree_
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
