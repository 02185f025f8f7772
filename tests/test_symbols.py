"""Branches for the values of a symbol: ID3, groups, symbols beside numbers and planes."""

from __future__ import annotations

import io
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, datasets, learners, load, merits, presets
from planetree.errors import PlugInError
from planetree.features import ByFeature
from planetree.grow import grow, grow_node_by_node
from planetree.merits import GainRatio, Gini, InformationGain
from planetree.nodetests import Category
from planetree.search import OpenNode, Univariate
from planetree.stopping import Stop
from planetree.symbols import Grouped, Multiway, SymbolBranching
from planetree.table import Table
from reference import id3
from tables import tables

# Sverdlov's example: how to travel.
TRAVEL = {
    "Hurry": ["N", "N", "Y", "Y", "Y", "N", "N"],
    "Money": ["50", "50", "50", "10", "10", "10", "10"],
    "TrainLate": ["N", "Y", "N", "N", "Y", "N", "Y"],
}
METHOD = ["Train", "Taxi", "Taxi", "Train", "Train", "Train", "Train"]


def entropy_after(feature, rows):
    """In nats, as the paper prints it, from the merit of planetree."""
    y = np.array(METHOD)[rows] == "Taxi"
    x = np.array(TRAVEL[feature])[rows]
    counts = np.array([[np.sum(~y[x == v]), np.sum(y[x == v])] for v in np.unique(x)], float)
    whole = id3.entropy(counts.sum(axis=0))
    return (whole - InformationGain()(counts[None])[0]) * math.log(2)


def test_travel_has_the_figures_of_the_paper():
    everyone, rich = np.arange(7), np.arange(3)
    assert id3.entropy(np.array([2.0, 5.0])) * math.log(2) == pytest.approx(0.59827, abs=5e-6)
    assert entropy_after("Hurry", everyone) == pytest.approx(0.59413, abs=5e-6)
    assert entropy_after("Money", everyone) == pytest.approx(0.27279, abs=5e-6)
    assert entropy_after("TrainLate", everyone) == pytest.approx(0.59413, abs=5e-6)
    # Table 2 weighs the branch of two by 1/2, though two of three rows take it: 0.34657 is printed,
    # 0.46210 is right. Both columns have the same, so the tree is the same.
    assert entropy_after("Hurry", rich) == pytest.approx(0.46210, abs=5e-6)
    assert entropy_after("TrainLate", rich) == entropy_after("Hurry", rich)


def test_travel_gives_the_tree_of_the_paper():
    tree = presets.ID3().fit(TRAVEL, METHOD)
    assert str(tree.tree_) == (
        "├─ Money = 10 → Train (4)\n"
        "└─ Money = 50\n"
        "   ├─ Hurry = N\n"
        "   │  ├─ TrainLate = N → Train (1)\n"
        "   │  └─ TrainLate = Y → Taxi (1)\n"
        "   └─ Hurry = Y → Taxi (1)"
    )
    assert tree.predict(TRAVEL).tolist() == METHOD


def test_numbers_get_thresholds_beside_symbols():
    money = {**TRAVEL, "Money": [50, 50, 50, 10, 10, 10, 10]}
    tree = presets.ID3().fit(money, METHOD).tree_
    assert [type(test).__name__ for test in tree.tests if test] == ["Threshold", *["Category"] * 2]


@settings(max_examples=150)
@given(tables(symbols=True), st.integers(1, 3), st.sampled_from([0.0, 0.2]))
def test_trees_are_those_of_the_twin(table, min_leaf_rows, share):
    """At every node our test is one of the twin's, none of which is better; leaves have none."""
    stop = Stop(min_rows=max(2, math.ceil(share * table.n_rows)), min_leaf_rows=min_leaf_rows)
    tree = grow(table, InformationGain(), stop, [ByFeature(Multiway())])
    symbolic = [feature.kind == "symbolic" for feature in table.schema.features]
    weights = np.ones(table.n_rows) if table.weight is None else table.weight
    n_classes = len(table.classes)
    stack = [(0, np.arange(table.n_rows))]
    while stack:
        i, rows = stack.pop()
        y, weight, node = table.y[rows], weights[rows], tree.node(i)
        np.testing.assert_allclose(node.counts, np.bincount(y, weight, n_classes), rtol=1e-9)
        every = [
            way
            for j, x in enumerate(table.X[rows].T)
            for way in id3.ways(x, symbolic=symbolic[j], min_leaf_rows=min_leaf_rows)
        ]
        if len(set(y.tolist())) < 2 or len(rows) < max(stop.min_rows, 2 * min_leaf_rows):
            assert node.test is None
            continue
        if not every:
            assert node.test is None
            continue
        ours = node.test.route(table.X[rows])
        gains = [id3.gain(y, weight, way, n_classes) for way in every]
        assert id3.gain(y, weight, ours, n_classes) >= max(gains) - 1e-9
        assert any(id3.same_parts(ours, way) for way in every)
        stack.extend((child, rows[ours == b]) for b, child in enumerate(node.children))


@given(tables(symbols=True))
def test_without_symbols_it_is_the_univariate_search(table):
    """Every merit; and on numbers alone the estimator takes the fused grower."""
    if not table.schema.only_numbers:
        return
    for merit in (Gini(), GainRatio(), merits.Twoing()):
        one = grow_node_by_node(table, merit, Stop(), [ByFeature(Multiway())])
        assert one == grow_node_by_node(table, merit, Stop(), [Univariate()])


def test_missing_values_are_a_branch_of_their_own_where_the_node_has_some():
    X = {"town": ["Rom", "Rom", "Ulm", "Ulm", None, None]}
    y = ["a", "a", "b", "b", "c", "c"]
    tree = PlaneTreeClassifier(symbols=Multiway()).fit(X, y)
    assert str(tree.tree_) == (
        "├─ town = Rom → a (2)\n├─ town = Ulm → b (2)\n└─ town is missing → c (2)"
    )
    assert tree.predict({"town": ["Ulm", None, "Köln"]}).tolist() == ["b", "c", "c"]


def test_a_value_not_seen_at_the_node_goes_with_the_heaviest_branch():
    X = {"x": [1, 1, 1, 9, 9, 9], "town": ["Rom", "Rom", "Ulm", "Bonn", "Bonn", "Köln"]}
    y = ["a", "a", "b", "b", "b", "a"]
    tree = PlaneTreeClassifier(symbols=Multiway(), max_depth=1).fit(X, y).tree_
    assert tree.tests[0] == Category(1, (0, 1, 2, 3), missing=0, unseen=0)
    # As it is searched where only the first three rows are left.
    table = Table(
        tree.schema, np.array([[1, 2], [1, 2], [1, 3.0]]), np.array([0, 0, 1], np.int32), (0, 1)
    )
    node = OpenNode(table, np.arange(3, dtype=np.uint32), GainRatio(), Stop())
    found = ByFeature(Multiway())(node)
    assert found.test == Category(1, (0, 0, 0, 1), missing=0, unseen=0)
    assert found.test.describe(tree.schema) == ("town ≠ Ulm", "town = Ulm")


def test_two_branches_at_least_hold_enough_rows():
    X = {"town": ["Rom"] * 4 + ["Ulm"] * 3 + ["Bonn"]}
    y = ["a"] * 4 + ["b"] * 4
    multiway = PlaneTreeClassifier(symbols=Multiway(), min_leaf_rows=2)
    assert multiway.fit(X, y).n_leaves_ == 3
    assert multiway.set_params(min_leaf_rows=4).fit(X, y).n_leaves_ == 1


def test_groups_merge_while_the_ratio_rises():
    X, y = datasets.load_car(return_X_y=True, as_frame=True)
    many = PlaneTreeClassifier(GainRatio(), symbols=Multiway(), max_depth=1).fit(X, y)
    few = PlaneTreeClassifier(GainRatio(), symbols=Grouped(), max_depth=1).fit(X, y)
    assert many.tree_.to_text(max_depth=0).startswith("… 3 leaves")
    assert str(few.tree_) == ("├─ persons = 2 → unacc (576)\n└─ persons ≠ 2 → unacc (634 of 1152)")

    def ratio(tree):
        return GainRatio()(tree.counts[None, 1:])[0]

    assert ratio(few.tree_) > ratio(many.tree_)


@given(st.integers(0, 2**32 - 1))
def test_grouping_is_the_best_chain_of_merges(seed):
    """No merge of two branches of the result is better than it; it is no worse than no groups."""
    counts = np.random.default_rng(seed).integers(0, 6, (5, 3)) + np.eye(5, 3)
    group = Grouped().group(counts, GainRatio())
    merged = np.array([counts[group == b].sum(axis=0) for b in range(group.max() + 1)])
    worth = GainRatio()(merged[None])[0]
    assert worth >= GainRatio()(counts[None])[0] - 1e-9
    assert group[0] == 0
    if len(merged) > 2:
        for i in range(len(merged)):
            for j in range(i):
                other = np.delete(merged, i, axis=0)
                other[j] += merged[i]
                assert GainRatio()(other[None])[0] < worth


def test_a_category_branch_competes_with_planes_in_each_node():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(2, 200))
    town = rng.choice(["Bonn", "Rom", "Ulm"], 200)
    label = np.where(town == "Bonn", "b", np.where(x + y > 0, "p", "q"))
    tree = PlaneTreeClassifier(learner=learners.RLS(), symbols=Multiway(), max_depth=2)
    tests = tree.fit({"x": x, "y": y, "town": town}, label).tree_.tests
    kinds = {test.kind for test in tests if test is not None}
    assert "linear" in kinds or "machine" in kinds
    single = PlaneTreeClassifier(InformationGain(), learner=learners.RLS(), symbols=Multiway())
    assert single.fit({"town": town, "x": x}, town).tree_.tests[0].kind == "category"


def test_max_leaves_counts_every_branch():
    X, y = datasets.load_car(return_X_y=True, as_frame=True)
    for most in (2, 3, 5, 8):
        assert presets.ID3(max_leaves=most).fit(X, y).n_leaves_ <= most


def test_a_branching_of_ones_own_is_checked():
    class Gap(SymbolBranching):
        def group(self, counts, judge):
            return np.full(len(counts), 1)

    with pytest.raises(PlugInError, match="from 0 on without gaps"):
        PlaneTreeClassifier(symbols=Gap()).fit({"x": ["a", "b"]}, [0, 1])


def test_bad_options():
    with pytest.raises(ValueError, match=r"symbols must be an instance, Multiway\(\)"):
        PlaneTreeClassifier(symbols=Multiway).fit([[1], [2]], [0, 1])
    with pytest.raises(ValueError, match="symbols must be a way to branch symbols such as"):
        PlaneTreeClassifier(symbols="multiway").fit([[1], [2]], [0, 1])
    with pytest.raises(ValueError, match="it needs univariate=True"):
        PlaneTreeClassifier(learner=learners.RLS(), univariate=False, symbols=Multiway()).fit(
            [[1], [2]], [0, 1]
        )


@pytest.mark.parametrize(
    "learner", [learners.BIT2(), learners.SmoothMerit(), learners.RLS()], ids=repr
)
def test_each_node_chooses_between_a_branch_a_value_and_a_plane(learner):
    """The class is the sky's where that is black or blue, and a side of a line where it is grey."""
    rng = np.random.default_rng(0)
    x, y = rng.random((2, 400))
    sky = rng.choice(["black", "blue", "grey"], 400)
    stay = np.select([sky == "black", sky == "blue"], [True, False], x + y > 1)
    X = {"sky": sky, "x": x, "y": y}
    estimator = PlaneTreeClassifier(
        InformationGain(), symbols=Multiway(), learner=learner, max_features_per_test=2
    )
    tree = estimator.fit(X, stay).tree_
    assert isinstance(tree.tests[0], Category)
    assert tree.tests[0].n_branches == 3
    assert [test.kind for test in tree.tests if test is not None][1] == "linear"
    assert estimator.score(X, stay) == 1
    estimator.save(saved := io.StringIO())
    assert load(io.StringIO(saved.getvalue())).tree_ == tree
