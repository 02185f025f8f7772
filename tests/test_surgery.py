"""Cutting and grafting: rows are counted right, numbers lead back to the old tree."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import TableError, surgery
from planetree.grow import grow, grow_node_by_node
from planetree.merits import Gini
from planetree.nodetests import Category, Threshold
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.schema import Feature, Schema
from planetree.search import Univariate
from planetree.stopping import Stop
from planetree.table import Table
from planetree.tree import Tree
from reference.pruning import reaching
from tables import multiway_tree, tables

X = [[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]]
Y = ["a", "b", "a", "a", "b", "b"]


def small():
    return CART(pruner=Unpruned()).fit(X, Y).tree_


def test_a_person_cuts_by_hand():
    tree = small()
    assert str(tree) == (
        "├─ x0 ≤ 4.5\n"
        "│  ├─ x0 ≤ 2.5\n"
        "│  │  ├─ x0 ≤ 1.5 → a (1)\n"
        "│  │  └─ x0 > 1.5 → b (1)\n"
        "│  └─ x0 > 2.5 → a (2)\n"
        "└─ x0 > 4.5 → b (2)"
    )
    cut = surgery.prune_at(tree, [3])
    assert str(cut.tree) == (
        "├─ x0 ≤ 4.5\n│  ├─ x0 ≤ 2.5 → a (1 of 2)\n│  └─ x0 > 2.5 → a (2)\n└─ x0 > 4.5 → b (2)"
    )
    assert cut.origin.tolist() == [0, 1, 2, 3, 4]
    assert str(tree.prune_at([1, 3])) == "├─ x0 ≤ 4.5 → a (3 of 4)\n└─ x0 > 4.5 → b (2)"
    assert str(tree.prune_at([0])) == "→ a (3 of 6)"
    assert tree.prune_at([]) == tree
    with pytest.raises(IndexError, match="nodes 0 to 6, not 9"):
        tree.prune_at([9])


@given(table=tables(symbols=True), data=st.data())
def test_cutting_keeps_counts_and_order(table, data):
    fused = grow(table, Gini(), Stop())
    listed = grow_node_by_node(table, Gini(), Stop(), [Univariate()])
    nodes = data.draw(st.lists(st.integers(0, fused.n_nodes - 1), max_size=4))
    cut, origin = surgery.prune_at(fused, nodes)
    assert cut == surgery.prune_at(listed, nodes).tree
    assert cut.n_nodes <= fused.n_nodes
    for new, old in enumerate(origin):
        if cut.parent[new] >= 0:
            assert origin[cut.parent[new]] == fused.parent[old]
        assert (cut.tests[new] is None) == (old in nodes or fused.tests[old] is None)
    # Every row ends in the first cut node on its way.
    leaves = origin[cut.apply(table.X)]
    for row, leaf in zip(fused.decision_path(fused.apply(table.X)).toarray(), leaves):
        way = np.flatnonzero(row)
        assert leaf == min([n for n in way if n in nodes], default=way[-1])
    node = data.draw(st.integers(0, fused.n_nodes - 1))
    assert surgery.graft(fused, node, fused.subtree(node)).tree == fused


def test_counting_again_is_what_asking_every_row_gives():
    rng = np.random.default_rng(3)
    tree = multiway_tree(rng)
    n = 4000
    values = np.column_stack([rng.normal(size=n), rng.integers(0, 4, n)] * 2)
    values[rng.random(values.shape) < 0.1] = np.nan
    table = Table(tree.schema, values, rng.integers(0, 3, n).astype(np.int32), tree.classes)
    held = surgery.tally(tree, table)
    for node, rows in reaching(tree, values).items():
        assert held.n_rows[node] == len(rows)
        counts = np.bincount(table.y[rows], minlength=3)
        np.testing.assert_array_equal(held.counts[node], counts)
        assert held.errors(tree.labels)[node] == len(rows) - counts[tree.labels[node]]


def test_a_branch_is_raised_with_all_rows():
    tree = small()
    raised = tree.graft(1, tree.subtree(3), X, Y)
    assert str(raised) == (
        "├─ x0 ≤ 4.5\n│  ├─ x0 ≤ 1.5 → a (1)\n│  └─ x0 > 1.5 → a (2 of 3)\n└─ x0 > 4.5 → b (2)"
    )
    with pytest.raises(ValueError, match="give X and y, the cases to count again"):
        tree.graft(1, tree.subtree(3))


def test_a_test_that_parts_no_row_goes():
    tree = small()
    # Below x0 > 4.5 no row has x0 <= 3.25, so of the graft only its second leaf is left.
    branch = CART(pruner=Unpruned()).fit([[1.0], [5.5]], ["a", "b"]).tree_
    codes = np.array([0, 1, 0, 0, 1, 1], np.int32)
    grafted = surgery.graft(tree, 2, branch, Table(tree.schema, np.array(X), codes, ("a", "b")))
    assert grafted.tree == tree
    assert grafted.origin.tolist() == [0, 1, -1, 3, 4, 5, 6]


def test_a_graft_must_fit():
    tree = small()
    other = CART(pruner=Unpruned()).fit({"z": [1.0, 2.0]}, ["a", "b"]).tree_
    with pytest.raises(ValueError, match="other features than the tree"):
        tree.graft(1, other)
    other = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "c"]).tree_
    with pytest.raises(ValueError, match="other classes than the tree"):
        tree.graft(1, other)


def test_a_test_of_several_branches_cannot_lose_some_of_them():
    schema = Schema((Feature("x", "symbolic", ("a", "b", "c")), Feature("z")))
    tests = (Threshold(1, 0.5), Category(0, (0, 1, 2), 0, 0), *[None] * 4)
    tree = Tree(schema, ("n", "y"), tests, np.ones((6, 2)), np.full(6, 2))
    values = np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]])
    table = Table(schema, values, np.array([0, 1, 1], np.int32), ("n", "y"))
    with pytest.raises(ValueError, match="branches empty"):
        surgery.recount(tree, table)


def test_columns_are_found_by_name_and_missed_by_name():
    tree = CART(pruner=Unpruned()).fit({"u": [1.0, 2.0], "v": [0.0, 0.0]}, ["a", "b"]).tree_
    whole = tree.graft(0, tree, {"v": [0.0, 0.0], "u": [1.0, 2.0], "w": ["?", "?"]}, ["a", "b"])
    assert whole == tree
    for X, message in (
        ({"u": [1.0]}, "missing: v"),
        ([[1.0]], "X has 1 columns, but the tree was grown on 2: u, v"),
        ({"u": ["red"], "v": [1.0]}, "column u was numeric in training; this one is symbolic"),
    ):
        with pytest.raises(TableError, match=message):
            tree.graft(0, tree, X, ["a"])
    with pytest.raises(TableError, match="y is 'c' in row 1; the tree knows 'a', 'b'"):
        tree.graft(0, tree, [[1.0, 0.0], [2.0, 0.0]], ["a", "c"])
    with pytest.raises(TableError, match="2 rows, 1 labels"):
        tree.graft(0, tree, [[1.0, 0.0], [2.0, 0.0]], ["a"])


def test_weights_of_zero_are_absent():
    tree = small()
    again = tree.graft(0, tree, [*X, [9.0]], [*Y, "a"], [1.0] * 6 + [0.0])
    assert again == tree
