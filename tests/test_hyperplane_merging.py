"""Hyperplane merging: the geometry of two planes, and what becomes of trees."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, datasets
from planetree.cases import Cases
from planetree.grow import grow_node_by_node
from planetree.learners import BIT1, BIT2, CARTLC, OC1, RLS, LeastSquares, Superclasses
from planetree.linear import Linear
from planetree.merits import Gini
from planetree.planes import LinearThresholdUnit, Term
from planetree.presets import CART
from planetree.pruners import Evidence, HyperplaneMerging, Unpruned
from planetree.pruners.hyperplane_merging import merged_plane, shifted_plane
from planetree.schema import Feature, Schema
from planetree.selectors import SFS, All
from planetree.stopping import Stop
from planetree.surgery import draft, tally
from planetree.table import Table
from planetree.tree import Tree
from reference import hyperplane_merging as twin
from tables import tables


def unit(weights, cut, *, fill=0.0):
    """The test w·x ≤ cut over the first features, those of weight 0 left out."""
    used = [(j, w) for j, w in enumerate(weights) if w]
    terms = tuple(Term(j, None, fill) for j, _ in used)
    return LinearThresholdUnit(terms, tuple(float(w) for _, w in used), float(cut))


def plane_of(test, branch, n_features):
    normal = np.zeros(n_features)
    for term, weight in zip(test.terms, test.weights):
        normal[term.feature] = weight
    return (normal, -test.cut) if branch == 1 else (-normal, test.cut)


# --- geometry -------------------------------------------------------------------------------------


def test_two_planes_by_hand():
    """Inside of x > 1 and y > 2: the diagonal through (1, 2)."""
    parent, child = unit((1, 0), 1), unit((0, 1), 2)
    assert merged_plane(parent, 1, child, 1, 0.5) == unit((1, 1), 3)
    # x <= 1 and y > 2: the other diagonal through the same point.
    other = merged_plane(parent, 0, child, 1, 0.5)
    assert other.weights == (-1.0, 1.0)
    assert other.cut == pytest.approx(1)
    # With two thirds of the cases at the child the plane is 30° from it and 60° from the parent.
    tilted = merged_plane(parent, 1, child, 1, 2 / 3)
    assert tilted.weights == pytest.approx((np.tan(np.pi / 6), 1.0))
    assert tilted.cut == pytest.approx(np.tan(np.pi / 6) + 2)


def test_three_planes_in_space_by_hand():
    """x > 0 and z > 0 in three dimensions: y stays out of it."""
    merged = merged_plane(unit((1, 0, 0), 0), 1, unit((0, 0, 1), 0), 1, 0.5)
    assert [term.feature for term in merged.terms] == [0, 2]
    assert merged.weights == (1.0, 1.0)


def test_cutting_off_is_the_limit():
    """α_k = 0 is the parent alone, which is cut-off pruning; α_l = 0 is the child alone."""
    parent, child = unit((1, 0.5), 1), unit((-0.25, 1), 2)
    assert merged_plane(parent, 1, child, 1, 0.0) == parent
    assert merged_plane(parent, 1, child, 1, 1.0) == child


def test_parallel_and_opposed_planes():
    a, b = unit((1, 0.5), 1), unit((1, 0.5), 3)
    assert merged_plane(a, 1, b, 1, 0.25).weights == (1.0, 0.5)
    assert merged_plane(a, 1, b, 1, 0.25).cut == pytest.approx(1.5)  # the weighted mean
    assert merged_plane(a, 1, b, 0, 0.25) is None  # 1 < x + y/2 <= 3 is a slab
    nearly = merged_plane(a, 1, unit((1, 0.5 + 1e-6), 3), 1, 0.25)
    assert nearly.cut == pytest.approx(1.5, abs=1e-5)  # no jump where the mean takes over


def test_a_gap_is_filled_as_at_the_parent():
    parent = LinearThresholdUnit((Term(0, None, 5.0),), (1.0,), 0.0)
    child = LinearThresholdUnit((Term(0, None, 7.0), Term(1, 2, 0.5)), (1.0, 1.0), 0.0)
    merged = merged_plane(parent, 1, child, 1, 0.5)
    assert merged.terms == (Term(0, None, 5.0), Term(1, 2, 0.5))


@given(
    n=st.integers(2, 4),
    seed=st.integers(0, 2**32 - 1),
    sides=st.tuples(st.integers(0, 1), st.integers(0, 1)),
    rows=st.tuples(st.integers(1, 500), st.integers(1, 500)),
)
def test_the_merged_plane_is_its_twin(n, seed, sides, rows):
    rng = np.random.default_rng(seed)
    parent, child = (unit(rng.normal(size=n), rng.normal()) for _ in range(2))
    side, inner = sides
    n_child, n_parent = min(rows), max(rows)
    k, l = plane_of(parent, side, n), plane_of(child, inner, n)  # noqa: E741
    cosine = twin.unit(k)[0] @ twin.unit(l)[0]
    assume(abs(cosine) < 0.999)  # beyond, the system (10) loses digits that we keep
    normal, constant = twin.merged(k, l, n_parent, n_child)
    merged = merged_plane(parent, side, child, inner, n_child / (n_parent + n_child))
    ours = plane_of(merged, 1, n)
    np.testing.assert_allclose(ours[0], normal / np.abs(normal).max(), atol=1e-9)
    np.testing.assert_allclose(ours[1], constant / np.abs(normal).max(), atol=1e-9)
    # It passes through a point where both planes meet, and divides their angle as (9) says.
    point = np.linalg.lstsq(np.stack([k[0], l[0]]), -np.array([k[1], l[1]]), rcond=None)[0]
    assert abs(ours[0] @ point + ours[1]) < 1e-6 * (1 + np.abs(point).max())
    angle = np.arccos(np.clip(twin.unit(ours)[0] @ twin.unit(l)[0], -1, 1))
    assert angle == pytest.approx(np.arccos(cosine) * n_parent / (n_parent + n_child), abs=1e-6)


# --- trees ----------------------------------------------------------------------------------------


def linear_tree(table, selector=None):
    search = Linear(LeastSquares(balanced=True), selector or All(), None, 0.0)
    return grow_node_by_node(table, Gini(), Stop(), [search])


def estimate(tree):
    leaves = tree.counts[tree.is_leaf]
    return float((leaves.sum(axis=1) - leaves.max(axis=1) + 0.5).sum())


@settings(max_examples=60)
@given(
    table=tables(max_rows=40, symbols=True),
    selector=st.sampled_from([All(), SFS()]),
    measure=st.sampled_from(["sum", "mean"]),
)
def test_merging_never_enlarges_and_never_raises_the_estimate(table, selector, measure):
    tree = linear_tree(table, selector)  # several classes, sparse tests, machines among the units
    merged = HyperplaneMerging(estimate=measure).prune(tree, Evidence(training=table))
    assert merged.n_tests <= tree.n_tests
    if measure == "sum":
        assert estimate(merged) <= estimate(tree) * (1 + 1e-9)
    held = tally(merged, table)
    np.testing.assert_allclose(held.counts, merged.counts, rtol=1e-9)
    np.testing.assert_array_equal(held.n_rows, merged.n_rows)
    assert (merged.n_rows > 0).all()
    cut = HyperplaneMerging(merge=False, estimate=measure).prune(tree, Evidence(training=table))
    assert set(cut.tests) <= {None, *tree.tests}


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    how=st.sampled_from([{"merge": False}, {}, {"shift": True}]),
    n=st.integers(10, 60),
    measure=st.sampled_from(["sum", "mean"]),
)
def test_merging_is_its_twin(seed, how, n, measure):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    y = ((X[:, 0] > 0) & (X[:, 1] > X[:, 0] - 0.5)) ^ (rng.random(n) < 0.1)
    schema = Schema((Feature("u"), Feature("v")))
    table = Table(schema, X, y.astype(np.int32), (0, 1))
    tree = linear_tree(table)

    def nested(node):
        test = tree.tests[node]
        if test is None:
            return None
        return plane_of(test, 1, 2), *(nested(child) for child in tree.node(node).children)

    pruned = HyperplaneMerging(estimate=measure, **how).prune(tree, Evidence(training=table))
    expected = twin.prune(nested(0), X, table.y, measure=measure, **how)
    assert estimate(pruned) == twin.estimate(expected, X, table.y, "sum")
    np.testing.assert_array_equal(pruned.labels[pruned.apply(X)], predicted(expected, X, table.y))


def predicted(tree, X, y):
    if tree is None:
        return np.full(len(X), np.bincount(y, minlength=2).argmax())
    up = twin.above(tree[0], X)
    labels = np.empty(len(X), int)
    labels[up], labels[~up] = predicted(tree[2], X[up], y[up]), predicted(tree[1], X[~up], y[~up])
    return labels


def test_two_planes_become_one_where_that_loses_nothing():
    """Figure 1: inside of two lines lie the positive cases, and one line does as well."""
    rng = np.random.default_rng(1)
    X = rng.random((300, 2))
    y = (X.sum(axis=1) > 1).astype(np.int32)
    tests = (unit((1, 0.3), 0.65), None, unit((0.3, 1), 0.65), None, None)
    schema = Schema((Feature("u"), Feature("v")))
    tree = Tree(schema, (0, 1), tests, np.ones((5, 2)), np.ones(5, np.int64))
    tree = tree.graft(0, tree, X, y)
    merged = tree.prune(HyperplaneMerging(), X, y)
    assert merged.n_tests == 1
    u, v = merged.tests[0].weights
    assert 0.6 < u / v < 1.6  # not 1: the parent has more cases
    cut = tree.prune(HyperplaneMerging(merge=False), X, y)
    assert cut.n_tests == 1
    assert estimate(merged) < estimate(cut) / 2


def test_a_merged_plane_is_shifted_to_where_it_errs_least_by_hand():
    """x > 0 and y > 0 make x + y > 0, which two cases beside the axes would get wrong."""
    X = np.array([[1.0, 1], [0.5, 0.4], [0.9, 0.2], [-0.2, 0.5], [0.4, -0.3], [-1, -1]])
    y = np.array([1, 1, 1, 0, 0, 0], np.int32)
    schema = Schema((Feature("x"), Feature("y")))
    tests = (unit((1, 0), 0), None, unit((0, 1), 0), None, None)
    tree = Tree(schema, (0, 1), tests, np.zeros((5, 2)), np.zeros(5, np.int64))
    tree = tree.graft(0, tree, X, y)
    plane = tree.prune(HyperplaneMerging(shift=True), X, y).tests[0]
    # From 6 and 4 cases the plane lies nearer to the parent: two fifths of 90° from it.
    assert plane.weights == pytest.approx((1.0, np.tan(np.pi / 5)))
    between = X[[4, 1]] @ plane.weights
    assert plane.cut == pytest.approx(between.mean())
    assert tree.prune(HyperplaneMerging(shift=True), X, y).n_tests == 1
    assert tree.prune(HyperplaneMerging(), X, y).n_tests == 2


@settings(max_examples=40, deadline=None)
@given(table=tables(max_rows=40, symbols=True), selector=st.sampled_from([All(), SFS()]))
def test_no_other_place_of_the_plane_errs_less(table, selector):
    tree = linear_tree(table, selector)
    nodes = draft(tree)
    nodes[0].count(table, Cases.all_of(table))
    for node in nodes:
        if not isinstance(node.test, LinearThresholdUnit):
            continue
        plane = shifted_plane(node.test, tuple(node.children), node.cases, table)
        assert (plane.terms, plane.weights) == (node.test.terms, node.test.weights)
        value = plane.project(table.X[node.rows])
        errors = [errors_of(node, cut, table) for cut in (plane.cut, node.test.cut, *value)]
        assert errors[0] <= min(errors) + 1e-9


def errors_of(node, cut, table):
    """Errors of the node's cases if its plane stood there, its children labelled as they are."""
    wrong = 0.0
    below = node.test.project(table.X[node.rows]) <= cut
    if below.all() or not below.any():
        return np.inf
    for part, goes in zip(node.children, (below, ~below), strict=True):
        for row in node.rows[goes]:
            leaf = part
            while leaf.test is not None:
                leaf = leaf.children[leaf.test.route(table.X[[row]])[0]]
            weight = 1.0 if table.weight is None else table.weight[row]
            wrong += weight * (leaf.counts.argmax() != table.y[row])
    return wrong


def test_merging_in_the_fit_and_for_other_learners():
    X, y = datasets.load_bupa(return_X_y=True)
    whole = PlaneTreeClassifier(learner=LeastSquares(balanced=True), univariate=False).fit(X, y)
    pruned = PlaneTreeClassifier(
        learner=LeastSquares(balanced=True), univariate=False, pruner=HyperplaneMerging()
    ).fit(X, y)
    assert pruned.n_tests_ < whole.n_tests_
    assert pruned.tree_ == whole.prune(HyperplaneMerging(), X, y).tree_
    X, y = datasets.load_iris(return_X_y=True)
    mixed = PlaneTreeClassifier(learner=RLS()).fit(X, y)
    assert mixed.prune(HyperplaneMerging(), X, y).n_tests_ <= mixed.n_tests_


@pytest.mark.parametrize("selector", [None, SFS()], ids=repr)
@pytest.mark.parametrize(
    "learner",
    [BIT1(), BIT2(), CARTLC(), OC1(restarts=1, jumps=2), Superclasses(RLS())],
    ids=repr,
)
def test_trees_of_several_classes_by_any_learner_are_merged(learner, selector):
    """Six classes, planes over all features, two of them or those that a selector has picked."""
    X, y = datasets.load_glass(return_X_y=True)
    grown = PlaneTreeClassifier(
        learner=learner, selector=selector, univariate=False, min_rows_per_feature=0, max_depth=6
    ).fit(X, y)
    cut = grown.prune(HyperplaneMerging(merge=False), X, y).tree_
    for shift in (False, True):
        merged = grown.prune(HyperplaneMerging(shift=shift), X, y).tree_
        assert merged.n_tests <= grown.n_tests_
        assert estimate(merged) <= estimate(cut)
        made = set(merged.tests) - set(grown.tree_.tests)
        assert all(isinstance(test, LinearThresholdUnit) for test in made)
        np.testing.assert_array_equal(
            merged.counts[merged.is_leaf].sum(axis=0), np.unique(y, return_counts=True)[1]
        )


def test_planes_between_groups_of_classes_become_one():
    X, y = datasets.load_glass(return_X_y=True)
    learner = Superclasses(LeastSquares(balanced=True))
    grown = PlaneTreeClassifier(learner=learner, univariate=False, min_rows_per_feature=0).fit(X, y)
    merged = grown.prune(HyperplaneMerging(shift=True), X, y).tree_
    assert set(merged.tests) - set(grown.tree_.tests)
    assert merged.n_tests < grown.prune(HyperplaneMerging(merge=False), X, y).n_tests_


def test_merging_has_no_meaning_without_linear_tests():
    X, y = datasets.load_iris(return_X_y=True)
    tree = CART(pruner=Unpruned()).fit(X, y)
    with pytest.raises(ValueError, match="HyperplaneMerging works on linear tests, and this"):
        tree.prune(HyperplaneMerging(), X, y)
    with pytest.raises(ValueError, match="HyperplaneMerging works on linear tests: give a learner"):
        PlaneTreeClassifier(pruner=HyperplaneMerging()).fit(X, y)
    with pytest.raises(ValueError, match='must be "sum" or "mean"'):
        HyperplaneMerging(estimate="median").check()
    with pytest.raises(ValueError, match="shift=True of HyperplaneMerging moves merged planes"):
        HyperplaneMerging(merge=False, shift=True).check()
    assert tree.prune(HyperplaneMerging(merge=False), X, y).n_leaves_ <= tree.n_leaves_
    assert PlaneTreeClassifier(pruner=HyperplaneMerging(merge=False)).fit(X, y).n_leaves_ > 1
