"""Every pruner against its twin, a case worked by hand, and what must hold for any tree."""

from __future__ import annotations

import json
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom
from sklearn.datasets import load_breast_cancer, load_iris, load_wine
from sklearn.tree import DecisionTreeClassifier

from planetree import TableError, surgery
from planetree.binomial import added_errors
from planetree.grow import grow
from planetree.merits import Gini
from planetree.nodetests import Threshold
from planetree.presets import CART
from planetree.pruners import (
    CostComplexity,
    Evidence,
    Pessimistic,
    PessimisticBound,
    ReducedError,
    Unpruned,
    cost_complexity_pruning_path,
)
from planetree.schema import Feature, Schema
from planetree.stopping import Stop
from planetree.surgery import draft, finish, tally
from planetree.table import Table
from planetree.tree import Tree
from reference import pruning
from tables import multiway_tree, tables

FIXTURES = Path(__file__).parent / "fixtures"


def split_in_two(table, seed=0):
    """A table to grow from and one to hold out."""
    held = np.random.default_rng(seed).random(table.n_rows) < 0.5
    held[: len(table.classes)] = [True] * min(len(table.classes), table.n_rows)
    if held.all():
        held[-1] = False
    weight = table.weight
    return [
        Table(
            table.schema,
            table.X[part],
            table.y[part],
            table.classes,
            None if weight is None else weight[part],
        )
        for part in (~held, held)
    ]


def errors_of(tree, table):
    held = tally(tree, table)
    return held.errors(tree.labels)[tree.is_leaf].sum()


def table_of(X, y):
    classes, codes = np.unique(y, return_inverse=True)
    schema = Schema(tuple(Feature(f"x{j}") for j in range(np.shape(X)[1])))
    return Table(schema, np.array(X, float), codes.astype(np.int32), tuple(classes.tolist()))


# --- reduced error --------------------------------------------------------------------------------


@given(table=tables(symbols=True, weights=False, max_rows=90), seed=st.integers(0, 9))
def test_reduced_error_is_its_twin(table, seed):
    training, held = split_in_two(table, seed)
    if held.n_rows < len(held.classes):
        return
    tree = grow(training, Gini(), Stop())
    pruned = ReducedError().prune(tree, Evidence(holdout=held))
    errors, leaves = pruning.reduced_error(tree, held.X, held.y)
    assert pruned == tree.prune_at(leaves)
    assert errors_of(pruned, held) == errors <= errors_of(tree, held)


@given(table=tables(symbols=True, max_rows=90))
def test_reduced_error_never_makes_more_errors_nor_a_larger_tree(table):
    training, held = split_in_two(table)
    if held.n_rows < len(held.classes):
        return
    tree = grow(training, Gini(), Stop())
    pruned = ReducedError().prune(tree, Evidence(holdout=held))
    assert errors_of(pruned, held) <= errors_of(tree, held) * (1 + 1e-9)
    assert pruned.n_nodes <= tree.n_nodes


def test_reduced_error_ties_become_leaves_whatever_the_unit_of_weight():
    X, y = [[1.0], [2.0], [3.0]], ["a", "b", "b"]
    tree = CART(pruner=Unpruned()).fit(X, y).tree_
    # One error either way: 0.1 + 0.2 is a little more than 0.3 in floating point.
    X, y, w = [[1.0], [1.1], [1.2], [3.0]], ["a", "b", "b", "b"], [0.3, 0.1, 0.2, 5]
    assert tree.prune(ReducedError(), X, y, w).n_leaves == 1
    assert tree.prune(ReducedError(), X, y, [0.31, 0.1, 0.2, 5]).n_leaves == 2


# --- cost-complexity ------------------------------------------------------------------------------


@given(table=tables(symbols=True, weights=False, max_rows=50))
def test_weakest_links_are_their_twin(table):
    tree = grow(table, Gini(), Stop())
    path = cost_complexity_pruning_path(tree)
    risk = [
        Fraction(int(c.sum() - c[label]), table.n_rows)
        for c, label in zip(tree.counts, tree.labels)
    ]
    twin = pruning.weakest_links(tree, risk)
    assert len(path) == len(twin)
    for step, (alpha, leaves) in enumerate(twin):
        assert path.alphas[step] == pytest.approx(float(alpha), abs=1e-12)
        assert path.tree(step) == tree.prune_at(leaves)
        assert path.n_leaves[step] == len(leaves)
        assert path.risks[step] == pytest.approx(float(sum(risk[leaf] for leaf in leaves)))


@given(table=tables(symbols=True), risk=st.sampled_from(["errors", "gini"]))
def test_the_weakest_link_sequence_is_nested_and_its_alphas_rise(table, risk):
    tree = grow(table, Gini(), Stop())
    path = cost_complexity_pruning_path(tree, risk)
    assert (np.diff(path.alphas) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.risks) > -1e-12).all()
    assert path.alphas[0] == 0
    assert path.n_leaves[-1] == 1
    trees = [path.tree(step) for step in range(len(path))]
    for larger, smaller in pairwise(trees):
        rows = larger.apply(table.X), smaller.apply(table.X)
        # Nested: rows that part in the smaller tree part in the larger one.
        assert len({*zip(*rows)}) == len({*rows[0].tolist()})
    for step, pruned in enumerate(trees):
        held = tally(tree, table)
        assert path.errors(held)[step] == pytest.approx(errors_of(pruned, table))
        middle = np.append(path.alphas, path.alphas[-1] + 1)[step : step + 2].mean()
        assert path.step(middle) == step


def test_weakest_links_by_hand():
    """x ≤ 2.5 is pure; above it 1 of 3 is wrong, which two tests set right.

    They save 1/5 for two leaves: 1/10 each. The root then saves 2/5 − 1/5 for one leaf: 1/5.
    """
    X, y = [[1], [2], [3], [4], [5]], ["a", "a", "b", "a", "b"]
    path = cost_complexity_pruning_path(CART(pruner=Unpruned()).fit(X, y).tree_)
    assert path.alphas.tolist() == [0, 1 / 10, 1 / 5]
    assert path.n_leaves.tolist() == [4, 2, 1]
    assert path.risks.tolist() == [0, 1 / 5, 2 / 5]


def like_scikit_learn(model, table):
    """The very tree that scikit-learn has grown, in our words."""
    theirs = model.tree_
    order, tests = [0], []
    for node in order:
        leaf = theirs.children_left[node] < 0
        tests.append(
            None if leaf else Threshold(int(theirs.feature[node]), float(theirs.threshold[node]))
        )
        if not leaf:
            order += [theirs.children_left[node], theirs.children_right[node]]
    ones = np.ones((len(order), len(table.classes)))
    tree = Tree(table.schema, table.classes, tuple(tests), ones, np.ones(len(order), np.int64))
    return surgery.recount(tree, table).tree


@pytest.mark.parametrize("load", [load_iris, load_wine, load_breast_cancer])
@pytest.mark.parametrize("weighted", [False, True])
def test_cost_complexity_path_is_scikit_learns(load, weighted):
    X, y = load(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)  # scikit-learn keeps single precision
    weight = np.random.default_rng(0).integers(1, 4, len(y)).astype(float) if weighted else None
    model = DecisionTreeClassifier(random_state=0).fit(X, y, weight)
    plain = table_of(X, y)
    table = Table(plain.schema, plain.X, plain.y, plain.classes, weight)
    tree = like_scikit_learn(model, table)
    assert tree.n_leaves == model.get_n_leaves()
    ours = cost_complexity_pruning_path(tree, "gini")
    theirs = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y, weight)
    # They prune one node a step, we all that are equally weak: of equal alphas the last counts.
    last = np.append(np.diff(theirs.ccp_alphas) > 1e-12, True)
    np.testing.assert_allclose(ours.alphas, theirs.ccp_alphas[last], atol=1e-12)
    np.testing.assert_allclose(ours.risks, theirs.impurities[last], atol=1e-12)
    for step in range(len(ours) - 1):
        alpha = ours.alphas[step : step + 2].mean()
        pruned = DecisionTreeClassifier(random_state=0, ccp_alpha=alpha).fit(X, y, weight)
        assert ours.tree(step).n_leaves == pruned.get_n_leaves()
        np.testing.assert_array_equal(
            ours.tree(step).labels[ours.tree(step).apply(X)], pruned.predict(X)
        )


def test_the_smallest_tree_within_a_standard_error_is_taken():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(600, 3))
    y = (X[:, 0] > 0) ^ (rng.random(600) < 0.2)
    table = table_of(X, y.astype(int))
    training, held = split_in_two(table)
    tree = grow(training, Gini(), Stop())
    path = cost_complexity_pruning_path(tree)
    rates = [errors_of(path.tree(k), held) / held.n_rows for k in range(len(path))]
    for k in (0.0, 1.0, 3.0):
        best = min(rates)
        limit = best + k * np.sqrt(best * (1 - best) / held.n_rows)
        expected = max(i for i, rate in enumerate(rates) if rate <= limit + 1e-12)
        pruned = CostComplexity(standard_errors=k).prune(tree, Evidence(holdout=held))
        assert pruned == path.tree(expected)
    assert CostComplexity().prune(tree, Evidence(holdout=held)).n_leaves == 2


def test_cross_validation_judges_by_trees_grown_without_the_fold():
    rng = np.random.default_rng(5)
    X = rng.normal(size=(300, 3))
    y = (X[:, 0] > 0) ^ (rng.random(300) < 0.15)
    table = table_of(X, y.astype(int))
    grown = []

    def grow_part(part):
        grown.append(part.n_rows)
        return grow(part, Gini(), Stop())

    tree = grow(table, Gini(), Stop())
    pruned = CostComplexity(cv=5).prune(tree, Evidence(training=table, grow=grow_part, seed=1))
    assert grown == [240] * 5
    assert pruned.n_leaves == 2
    CostComplexity(cv=300).prune(tree, Evidence(training=table, grow=grow_part))
    assert grown[5:] == [299] * 300
    assert CostComplexity(cv=5).held_share == 0
    with pytest.raises(TableError, match="grows trees on parts of the training cases"):
        CostComplexity(cv=5).prune(tree, Evidence(training=table))
    with pytest.raises(TableError, match="300 cases for 301 folds; it needs one a fold"):
        CostComplexity(cv=301).prune(tree, Evidence(training=table, grow=grow_part))


def rpart_trees():
    for case in json.loads((FIXTURES / "rpart.json").read_text(encoding="utf-8"))["trees"]:
        nodes = {node["number"]: node for node in case["nodes"]}
        order = [1]
        for number in order:
            if nodes[number]["split"] is not None:
                order += [2 * number, 2 * number + 1]
        # Which side the smaller values take does not matter to the path.
        splits = [nodes[number]["split"] for number in order]
        tests = tuple(
            None if split is None else Threshold(case["features"].index(split[0]), split[1])
            for split in splits
        )
        counts = np.array([nodes[number]["counts"] for number in order], float)
        schema = Schema(tuple(map(Feature, case["features"])))
        n_rows = counts.sum(axis=1).astype(np.int64)
        tree = Tree(schema, tuple(case["classes"]), tests, counts, n_rows)
        yield pytest.param(tree, np.array(case["cptable"])[::-1], id=case["name"])


@pytest.mark.parametrize(("tree", "table"), [*rpart_trees()][:1] + [*rpart_trees()][2:])
def test_cost_complexity_agrees_with_rpart(tree, table):
    """With the table of CP, splits and relative error that R's rpart prints for its own tree."""
    path = cost_complexity_pruning_path(tree)
    root = path.risks[-1]
    np.testing.assert_allclose(path.alphas / root, table[:, 0], atol=1e-12)
    np.testing.assert_array_equal(path.n_leaves - 1, table[:, 1])
    np.testing.assert_allclose(path.risks / root, table[:, 2], atol=1e-12)


@pytest.mark.parametrize(("tree", "table"), [*rpart_trees()][1:2])
def test_where_rpart_differs_its_other_trees_are_best_at_no_price(tree, table):
    """rpart finds the weakest links while it grows, and then collapses a node's branch as a whole.

    Where a branch should go piece by piece it prints other prices, and trees between ours.
    """
    assert pruning.rpart_alphas(tree) == pytest.approx(table[1:, 0])
    path = cost_complexity_pruning_path(tree)
    root = path.risks[-1]
    prices = np.linspace(0, 0.02, 4000)[:, None]
    ours = path.risks / root + prices * path.n_leaves
    theirs = table[:, 2] + prices * (table[:, 1] + 1)
    extra = ~np.isin(table[:, 1] + 1, path.n_leaves)
    assert extra.sum() == len(table) - len(path) == 1
    assert (theirs[:, extra].min(axis=1) > ours.min(axis=1)).all()
    np.testing.assert_allclose(theirs.min(axis=1), ours.min(axis=1))


# --- pessimistic ----------------------------------------------------------------------------------


def test_half_an_error_a_leaf_by_hand():
    """Root: 4 + 1/2 errors; its two leaves 3 + 1, with a deviation of sqrt(4·16/20) = 1.79."""
    schema = Schema((Feature("x"),))
    counts = np.array([[16.0, 4.0], [15.0, 2.0], [1.0, 2.0]])
    tree = Tree(
        schema, ("a", "b"), (Threshold(0, 1.0), None, None), counts, counts.sum(1).astype(int)
    )
    assert tree.prune(Pessimistic(standard_errors=0.27)).n_leaves == 2
    assert tree.prune(Pessimistic(standard_errors=0.29)).n_leaves == 1


@given(table=tables(symbols=True))
def test_pessimistic_pruning_never_enlarges(table):
    tree = grow(table, Gini(), Stop())
    for pruner in (Pessimistic(), PessimisticBound(), PessimisticBound(0.1, raising=True)):
        pruned = pruner.prune(tree, Evidence(training=table))
        assert pruned.n_nodes <= tree.n_nodes
        held = tally(pruned, table)
        np.testing.assert_allclose(held.counts, pruned.counts, rtol=1e-9)
        np.testing.assert_array_equal(held.n_rows, pruned.n_rows)


def test_the_upper_bound_is_near_the_binomial_one():
    for confidence in (0.1, 0.25):
        for n in (10, 40, 200, 1000):
            for e in (0, 1, 3, 5):
                rate = (e + float(added_errors(e, n, confidence))) / n
                exact = binom.cdf(e, n, rate)
                assert abs(exact - confidence) < (1e-9 if e == 0 else 0.05)


def test_the_upper_bound_is_a_straight_line_up_to_one_error():
    none, half, one = added_errors([0, 0.5, 1], [9, 9, 9], 0.25)
    assert half == pytest.approx((none + one) / 2)
    assert added_errors(4, 4, 0.25) == 0


@given(table=tables(weights=False, symbols=True, max_rows=80), cf=st.sampled_from([0.1, 0.25, 0.5]))
def test_subtree_raising_is_its_twin(table, cf):
    tree = grow(table, Gini(), Stop())

    def charge(y):
        counts = np.bincount(y, minlength=1)
        errors = counts.sum() - counts.max()
        return float(errors + added_errors(errors, counts.sum(), cf))

    rows = np.arange(table.n_rows)
    twin = pruning.bound_with_raising(
        lambda i: tree.tests[i], lambda i: tree.node(i).children, rows, table.X, table.y, charge
    )
    pruned = PessimisticBound(cf, raising=True).prune(tree, Evidence(training=table))

    def nested(node):
        return None if node.test is None else (node.test, [nested(c) for c in node.children])

    assert nested(draft(pruned)[0]) == twin


def test_a_branch_is_raised_where_that_is_charged_less():
    """The root parts 2 rows off a branch that tells everything."""
    X = [[0.0, v] for v in (1, 9)] + [[1.0, v] for v in [1] * 20 + [9] * 20]
    y = ["a", "b"] + ["a"] * 20 + ["b"] * 20
    tests = (Threshold(0, 0.5), None, Threshold(1, 5.0), None, None)
    schema = Schema((Feature("x0"), Feature("x1")))
    tree = Tree(schema, ("a", "b"), tests, np.ones((5, 2)), np.ones(5, np.int64))
    tree = tree.graft(0, tree, X, y)
    assert tree.prune(PessimisticBound()).n_leaves == 3
    raised = tree.prune(PessimisticBound(raising=True), X, y)
    assert str(raised) == "├─ x1 ≤ 5 → a (21)\n└─ x1 > 5 → b (21)"


# --- any pruner -----------------------------------------------------------------------------------


def test_a_deep_tree_is_pruned_without_recursion():
    n = 3000
    schema = Schema((Feature("x"),))
    tests = []
    for depth in range(n):
        tests += [Threshold(0, float(depth))] if depth == 0 else [None, Threshold(0, float(depth))]
    tests += [None, None]
    X, y = np.arange(n + 1.0)[:, None], np.arange(n + 1) % 2
    tree = Tree(schema, (0, 1), tuple(tests), np.ones((len(tests), 2)), np.ones(len(tests), int))
    tree = tree.graft(0, tree, X, y)
    assert tree.max_depth == n
    assert tree.prune(ReducedError(), X, 1 - y).n_leaves == 1
    assert tree.prune(Pessimistic()).n_leaves < n
    assert tree.prune(PessimisticBound()).n_leaves < n
    assert len(cost_complexity_pruning_path(tree)) >= 2


def test_multiway_trees_are_pruned_too():
    tree = multiway_tree(np.random.default_rng(1))
    path = cost_complexity_pruning_path(tree)
    assert path.n_leaves[-1] == 1
    assert tree.prune(Pessimistic()).n_nodes <= tree.n_nodes


@pytest.mark.parametrize(
    ("pruner", "message"),
    [
        (ReducedError(1.0), "holdout of ReducedError must be a share of at least 0 and below 1"),
        (CostComplexity(holdout=-0.1), "holdout of CostComplexity"),
        (CostComplexity(standard_errors=-1), "standard_errors of CostComplexity"),
        (CostComplexity(cv=1), "cv of CostComplexity must be a whole number of at least 2"),
        (CostComplexity(risk="entropy"), 'risk of CostComplexity must be "errors" or "gini"'),
        (Pessimistic(standard_errors="one"), "standard_errors of Pessimistic"),
        (PessimisticBound(confidence=0.9), "confidence of PessimisticBound must be above 0"),
    ],
)
def test_parameters_that_make_no_sense_are_named(pruner, message):
    with pytest.raises(ValueError, match=message):
        pruner.check()


def test_too_few_cases_are_told():
    tree = CART(pruner=Unpruned()).fit([[1.0], [2.0], [3.0]], ["a", "b", "c"]).tree_
    with pytest.raises(TableError, match="ReducedError has 2 holdout cases for 3 classes"):
        tree.prune(ReducedError(), [[1.0], [2.0]], ["a", "b"])
    with pytest.raises(TableError, match="ReducedError counts cases that the tree was not grown"):
        tree.prune(ReducedError())
    with pytest.raises(TableError, match="PessimisticBound counts the cases that the tree was gr"):
        tree.prune(PessimisticBound(raising=True))
    with pytest.raises(ValueError, match='risk must be "errors" or "gini"'):
        cost_complexity_pruning_path(tree, "depth")
    with pytest.raises(IndexError, match="trees 0 to"):
        cost_complexity_pruning_path(tree).tree(99)
    assert finish(tree, draft(tree)[0]).tree == tree
