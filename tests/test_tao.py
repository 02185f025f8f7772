"""Tests learned anew for what the rest of the tree makes of the rows."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, datasets
from planetree.datasets import make_planes
from planetree.grow import grow_node_by_node
from planetree.learners import RLS, SmoothMerit
from planetree.merits import Gini
from planetree.nodetests import Threshold
from planetree.refiners import TAO
from planetree.schema import Feature, Schema
from planetree.search import OpenNode, Univariate
from planetree.stopping import Stop
from planetree.surgery import recount
from planetree.symbols import Multiway
from planetree.table import Table
from planetree.tree import Tree
from reference import tao as twin


def table_of(X, y, weight=None):
    schema = Schema(tuple(Feature(f"x{j}") for j in range(X.shape[1])))
    return Table(
        schema, X.astype(float), y.astype(np.int32), tuple(range(int(y.max()) + 1)), weight
    )


def tree_of(table, tests):
    """A tree with these tests, breadth first, and the table's counts."""
    n = len(tests)
    empty = np.ones((n, len(table.classes)))
    return recount(
        Tree(table.schema, table.classes, tests, empty, np.ones(n, np.int64)), table
    ).tree


def root_of(table, **limits):
    return OpenNode(table, np.arange(table.n_rows, dtype=np.uint32), Gini(), Stop(**limits))


def errors(tree, table):
    weight = np.ones(table.n_rows) if table.weight is None else table.weight
    return float(weight @ (tree.predict(table.X) != table.y))


@pytest.fixture
def crossed():
    """Class 1 where x is at least 2 or z is 1, but not both; x from 0 to 3, two rows of each."""
    x, z = (values.ravel() for values in np.meshgrid(np.arange(4), [0, 1, 0, 1]))
    return table_of(np.c_[x, z], (x >= 2) ^ (z == 1))


def test_a_root_cut_in_the_wrong_place_is_moved(crossed):
    """By hand: below the cut at 0.5 all rows with x = 1 are wrong, 4 of 16; at 1.5 none is."""
    wrong = tree_of(
        crossed,
        (Threshold(0, 0.5), Threshold(1, 0.5), Threshold(1, 0.5), None, None, None, None),
    )
    assert errors(wrong, crossed) == 4
    refined = TAO().refine(wrong, root_of(crossed), [Univariate()])
    assert errors(refined, crossed) == 0
    assert (refined.tests[0].feature, refined.tests[0].cut) == (0, 1.5)
    # No single cut at the root tells anything: growth alone cannot choose this one by its merit.
    assert Univariate()(root_of(crossed)).merit == 0.0


def test_branches_change_sides_where_that_is_the_better_way_round(crossed):
    """The best test for where rows should go may point the other way."""
    turned = tree_of(
        crossed,
        (Threshold(0, 2.5), Threshold(1, 0.5), Threshold(1, 0.5), None, None, None, None),
    )
    X = crossed.X.copy()
    X[:, 0] = 3 - X[:, 0]
    mirrored = table_of(X, crossed.y)
    # The labels in the leaves stay those of the other table until the first sweep counts anew.
    refined = TAO().refine(turned, root_of(crossed), [Univariate()])
    again = TAO().refine(
        tree_of(mirrored, (Threshold(0, 0.5), *turned.tests[1:])), root_of(mirrored), [Univariate()]
    )
    assert errors(refined, crossed) == errors(again, mirrored) == 0


def test_a_feature_must_save_its_price():
    """One case of 40 is not worth a feature at a price of 2."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    system = {"learner": SmoothMerit(), "univariate": True, "max_leaves": 2}
    dear = PlaneTreeClassifier(refiner=TAO(price=2.0), **system).fit(X, y)
    assert dear.tree_.n_features.tolist() == [1, 0, 0]


def nested(tree, i=0):
    """The tree as its twin has it."""
    test = tree.tests[i]
    if test is None:
        return int(tree.counts[i].argmax())
    children = tree.node(i).children
    return [wrapped(test), *(nested(tree, child) for child in children)]


def wrapped(test):
    def route(x):
        return int(test.route(x[None, :])[0])

    return {"route": route, "n_features": len(test.features), "test": test}


def shape(tree):
    if not isinstance(tree, list):
        return tree
    return (tree[0]["test"], shape(tree[1]), shape(tree[2]))


@given(
    st.integers(0, 2**32 - 1), st.integers(2, 3), st.booleans(), st.sampled_from([0.0, 1.0]),
    st.sampled_from([1, 3]),
)  # fmt: skip
def test_one_sweep_is_that_of_the_twin(seed, n_classes, weighted, price, least):
    """Looking at the cases that care is looking at the errors of the whole tree."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 6, size=(40, 3)).astype(float)
    y = rng.integers(0, n_classes, 40)
    y[:n_classes] = np.arange(n_classes)
    weight = rng.integers(1, 4, 40).astype(float) if weighted else None
    table = table_of(X, y, weight)
    root = root_of(table, min_leaf_rows=least)
    grown = grow_node_by_node(
        table, Gini(), Stop(min_leaf_rows=least), [Univariate()], max_leaves=7
    )

    def propose(care, toward):
        labels = np.zeros(len(X), np.int32)
        labels[care] = toward
        problem = Table(table.schema, X, labels, (0, 1), weight)
        found = Univariate()(OpenNode(problem, np.array(care, np.uint32), Gini(), Stop()))
        return [] if found is None else [wrapped(found.test)]

    expected = nested(grown)
    assume(grown.n_leaves > 1)
    rows_weight = np.ones(len(X)) if weight is None else weight
    twin.sweep(expected, X, y, rows_weight, propose, price, least)
    refined = TAO(sweeps=1, price=price).refine(grown, root, [Univariate()])
    # Afterwards the leaves are labelled anew, and a test goes that sends all cases one way.
    assert errors(refined, table) <= twin.errors(expected, X, y, rows_weight) + 1e-9
    apart = [
        node[0] for node in twin.inner_nodes(expected) if len(twin.ways(expected, node, X)) == 2
    ]
    assert Counter(t for t in refined.tests if t is not None) == Counter(t["test"] for t in apart)


@given(st.integers(0, 2**32 - 1), st.integers(2, 4), st.booleans(), st.booleans())
def test_never_costs_more(seed, n_classes, weighted, planes):
    """Errors plus features at their price never rise, and no leaf is added."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)).round(1)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, n_classes, 60)
    y[:n_classes] = np.arange(n_classes)
    weight = rng.uniform(0.5, 2.0, 60) if weighted else None
    system = {"learner": RLS() if planes else None, "max_leaves": 8, "merit": Gini()}
    grown = PlaneTreeClassifier(**system).fit(X, y, weight)
    refined = PlaneTreeClassifier(refiner=TAO(price=0.0), **system).fit(X, y, weight)
    rows_weight = np.ones(60) if weight is None else weight
    before, after = (float(rows_weight @ (tree.predict(X) != y)) for tree in (grown, refined))
    assert after <= before + 1e-9
    assert refined.n_leaves_ <= grown.n_leaves_


def test_captures_what_growth_alone_does_not():
    """A tree of five planes, whose root tells nothing of the class by itself."""
    X, y = make_planes(8000, noise=0.0, random_state=3)
    system = {"learner": SmoothMerit(), "max_leaves": 16, "n_threads": 1}
    train, test = slice(0, 6000), slice(6000, None)
    grown = PlaneTreeClassifier(**system).fit(X[train], y[train])
    refined = PlaneTreeClassifier(refiner=TAO(), **system).fit(X[train], y[train])
    assert refined.score(X[test], y[test]) > grown.score(X[test], y[test]) + 0.03
    assert refined.mean_features_per_test_ < grown.mean_features_per_test_


def test_learns_from_as_many_rows_as_it_is_allowed_and_counts_all():
    X, y = make_planes(3000, noise=0.0, random_state=3)
    system = {"learner": SmoothMerit(), "max_leaves": 6}
    tree = PlaneTreeClassifier(refiner=TAO(max_rows=500), **system).fit(X, y)
    assert tree.tree_.n_rows[0] == 3000
    grown = PlaneTreeClassifier(**system).fit(X, y)
    assert tree.score(X, y) >= grown.score(X, y) - 1 * 20 / 3000


def test_the_same_on_any_number_of_threads():
    X, y = make_planes(3000, random_state=4)
    trees = [
        PlaneTreeClassifier(learner=SmoothMerit(), max_leaves=8, refiner=TAO(), n_threads=n).fit(
            X, y
        )
        for n in (1, 2)
    ]
    assert trees[0].tree_ == trees[1].tree_


def test_symbols_and_many_branches_stay():
    """A test of many branches is not learned anew, those above and below it are."""
    data = datasets.load_car(as_frame=True)
    tree = PlaneTreeClassifier(symbols=Multiway(), max_leaves=30, refiner=TAO())
    grown = PlaneTreeClassifier(symbols=Multiway(), max_leaves=30).fit(data.data, data.target)
    assert tree.fit(data.data, data.target).score(data.data, data.target) >= grown.score(
        data.data, data.target
    )


def test_survives_saving(tmp_path):
    from planetree import load

    X, y = make_planes(500, random_state=0)
    tree = PlaneTreeClassifier(learner=RLS(), max_leaves=5, refiner=TAO(price=0.5)).fit(X, y)
    tree.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json")
    assert again.refiner.price == 0.5
    assert again.tree_ == tree.tree_


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"refiner": TAO(sweeps=0)}, "sweeps of TAO must be a whole number of at least 1, not 0"),
        ({"refiner": TAO(price=-1)}, "price of TAO must be a number of at least 0, not -1"),
        ({"refiner": TAO(max_rows=0)}, "max_rows of TAO must be a whole number of at least 1 or"),
        ({"refiner": TAO}, r"refiner must be an instance, TAO\(\), not the class"),
        ({"refiner": "tao"}, "refiner must be a refiner such as planetree.refiners.TAO"),
        ({"refiner": TAO(), "fractional": True}, "TAO counts whole cases: it needs fractional="),
    ],
)
def test_bad_options(options, said):
    with pytest.raises(ValueError, match=said):
        PlaneTreeClassifier(**options).fit([[1.0], [2.0]], ["a", "b"])
