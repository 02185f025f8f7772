"""Compiled prediction agrees with walking, and refuses arrays that would lead it astray."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import _core
from planetree.errors import TableError
from planetree.grow import grow
from planetree.merits import Gini
from planetree.nodetests import Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term, project
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.schema import Feature, Schema
from planetree.stopping import Stop
from planetree.tree import Tree
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


@pytest.mark.parametrize("seed", range(40))
def test_compiled_and_walked_prediction_agree_on_multiway_trees(seed):
    rng = np.random.default_rng(seed)
    tree = multiway_tree(rng)
    X = strange_rows(tree.schema, tree, rng, 400)
    for layout in "CF":
        np.testing.assert_array_equal(tree.apply(X.copy(order=layout)), walked(tree, X))
    assert [node.id for node in sorted(tree.walk(), key=lambda node: node.id)] == list(
        range(tree.n_nodes)
    )


@pytest.mark.parametrize("is_machine", [False, True])
@pytest.mark.parametrize("seed", range(10))
def test_compiled_and_walked_linear_tests_agree_on_sums_at_the_edge(seed, is_machine):
    """Sums that only the order of adding settles, and rows exactly on the cut."""
    rng = np.random.default_rng(seed)
    n = 30
    terms = tuple(Term(j, None, fill=float(rng.normal())) for j in range(n))
    rows = tuple(tuple(row) for row in rng.normal(size=(3 if is_machine else 1, n)).tolist())
    X = rng.normal(size=(500, n))
    X[rng.random(X.shape) < 0.1] = np.nan
    if is_machine:
        # Constants that make the discriminants of one row nearly equal, and a tie of the last two.
        sums = [project(X, terms, row)[0] for row in rows]
        test = LinearMachine(terms, (*rows, rows[-1]), (*(-s for s in sums), -sums[-1]))
    else:
        test = LinearThresholdUnit(terms, rows[0], float(project(X, terms, rows[0])[0]))
    X[1:100] = X[0]
    X[1:100, 3] = np.nextafter(X[0, 3], rng.choice([-9.0, 9.0], 99))
    schema = Schema(tuple(Feature(f"x{j}") for j in range(n)))
    leaves = [None] * test.n_branches
    ones = np.ones((test.n_branches + 1, 1))
    tree = Tree(schema, ("a",), (test, *leaves), ones, ones[:, 0].astype(np.int64))
    np.testing.assert_array_equal(tree.apply(X), 1 + test.route(X))


def test_many_linear_rows_on_many_threads():
    rng = np.random.default_rng(3)
    tree = multiway_tree(rng, n_features=8, n_nodes=200)
    assert {type(test) for test in tree.tests} >= {LinearMachine, LinearThresholdUnit, Threshold}
    X = strange_rows(tree.schema, tree, rng, 20_000)
    one = tree.apply(X, 1)
    np.testing.assert_array_equal(one, tree.apply(X, 3))
    np.testing.assert_array_equal(one[:300], walked(tree, X[:300]))


def test_many_rows_on_many_threads():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50_000, 5))
    tree = CART(max_depth=8, pruner=Unpruned()).fit(X, (X[:, 0] * X[:, 1] > 0).astype(int)).tree_
    one = tree.apply(X, 1)
    np.testing.assert_array_equal(one, tree.apply(X, 4))
    np.testing.assert_array_equal(one, tree.apply(np.asfortranarray(X), 4))
    np.testing.assert_array_equal(one, tree.apply(np.repeat(X, 2, axis=0)[::2], 2))
    np.testing.assert_array_equal(one[:100], walked(tree, X[:100]))


def chain(depth):
    """A tree whose rows arrive at every depth: x <= 0, or x <= 1, or ...; missing goes on."""
    tests = [
        Threshold(0, float(i // 2), missing=1) if i % 2 == 0 else None for i in range(2 * depth)
    ]
    schema = Schema((Feature("x", missing=True), Feature("y")))
    ones = np.ones((2 * depth + 1, 1))
    return Tree(schema, ("a",), (*tests, None), ones, ones[:, 0].astype(np.int64))


@pytest.mark.parametrize("depth", [0, 1, 15, 16, 17, 24, 25, 100])
def test_rows_that_arrive_at_every_depth(depth):
    tree = chain(depth)
    rng = np.random.default_rng(depth)
    for n in [0, 1, 15, 16, 17, 1023, 1024, 1025, 12_345]:
        X = np.column_stack([rng.integers(-1, depth + 2, n) + 0.5, rng.normal(size=n)])
        X[n // 2 :, 0][rng.random(n - n // 2) < 0.1] = np.nan  # the first blocks miss nothing
        cuts_below = np.where(np.isnan(X[:, 0]), depth, np.clip(np.ceil(X[:, 0]), 0, depth))
        leaf = np.minimum(2 * cuts_below + 1, 2 * depth).astype(np.int32)
        spaced = np.repeat(np.repeat(X, 2, axis=0), 3, axis=1)
        for layout in (X, np.asfortranarray(X), X[::-1].copy()[::-1], spaced[::2, ::3]):
            for n_threads in (1, 2):
                np.testing.assert_array_equal(tree.apply(layout, n_threads), leaf)


def test_the_first_infinity_is_named_whatever_the_layout_and_the_threads():
    tree = chain(3)
    for row, column in [(0, 0), (7, 1), (20_000, 0), (49_999, 1)]:
        X = np.zeros((50_000, 2))
        X[::5, 0] = np.nan
        X[row, column] = -np.inf
        X[row + 1 :, :] = np.inf
        for layout in (X, np.asfortranarray(X), X[::-1].copy()[::-1]):
            for n_threads in (1, 2):
                with pytest.raises(TableError, match=rf"column {'xy'[column]} .*\(row {row}\)"):
                    tree.apply(layout, n_threads)


GOOD = {  # a threshold
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
    "term_start": [0, 0, 0],
    "n_terms": [0, 0, 0],
    "weight_start": [0, 0, 0],
    "term_feature": [],
    "term_symbol": [],
    "term_fill": [],
    "weights": [],
    "share": [],
}
PARTS = {"missing": [-1, 0, 0], "share": [1.0, 0.25, 0.75]}
UNIT = {
    "kind": [3, 0, 0],
    "n_terms": [1, 0, 0],
    "term_feature": [1],
    "term_symbol": [-1],
    "term_fill": [0.5],
    "weights": [0.0, 2.0],
}
MACHINE = UNIT | {"kind": [4, 0, 0], "weights": [0.0, 2.0, 1.0, -2.0]}
TYPES = {"kind": np.uint8} | dict.fromkeys(("cut", "term_fill", "weights", "share"), np.float64)


def flat_tree(**change):
    arrays = GOOD | change
    typed = {name: np.array(values, TYPES.get(name, np.int32)) for name, values in arrays.items()}
    return _core.FlatTree(**typed | {"n_features": change.get("n_features", 2)})


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
        ({"n_terms": [0]}, "differ in length"),
        ({"weights": [1.0]}, "belong to no test"),
        (UNIT | {"term_fill": []}, "arrays of the terms differ"),
        (UNIT | {"kind": [1, 0, 0]}, "belong to no test"),
        (UNIT | {"kind": [5, 0, 0]}, "unknown kind"),
        (UNIT | {"cut": [np.nan, 0, 0]}, "not a number"),
        (UNIT | {"n_terms": [-1, 0, 0]}, "less than no terms"),
        (UNIT | {"n_terms": [2, 0, 0]}, "too few terms"),
        (UNIT | {"n_terms": [2**31 - 1, 0, 0]}, "too few terms"),
        (UNIT | {"n_terms": [0, 0, 0]}, "belong to no test"),
        (UNIT | {"term_start": [1, 0, 0]}, "terms do not follow"),
        (UNIT | {"term_start": [-1, 0, 0]}, "terms do not follow"),
        (UNIT | {"weight_start": [1, 0, 0]}, "weights do not follow"),
        (UNIT | {"weight_start": [-1, 0, 0]}, "weights do not follow"),
        (UNIT | {"weights": [0.0]}, "too few weights"),
        (UNIT | {"weights": [0.0, 1.0, 2.0]}, "belong to no test"),
        (UNIT | {"weights": [np.inf, 1.0]}, "weight is not finite"),
        (UNIT | {"weights": [0.0, np.nan]}, "weight is not finite"),
        (UNIT | {"term_fill": [np.nan]}, "counts as is not finite"),
        (UNIT | {"term_fill": [-np.inf]}, "counts as is not finite"),
        (UNIT | {"term_feature": [2]}, "no feature 2"),
        (UNIT | {"term_feature": [-1]}, "no feature -1"),
        (UNIT | {"term_symbol": [-2]}, "no symbol -2"),
        (
            UNIT
            | {key: [*GOOD[key], 0] for key in GOOD if key not in UNIT and len(GOOD[key]) == 3}
            | {"kind": [3, 0, 0, 0], "n_branches": [3, 0, 0, 0], "n_terms": [1, 0, 0, 0]},
            "two branches",
        ),
        (MACHINE | {"weights": [0.0, 1.0, 2.0]}, "too few weights"),
        (PARTS | {"share": [1.0, 0.5]}, "differ in length"),
        (PARTS | {"share": [1.0, -0.5, 0.5]}, "share is not between"),
        (PARTS | {"share": [1.0, np.nan, 0.5]}, "share is not between"),
        (PARTS | {"missing": [-2, 0, 0]}, "no branch for missing"),
        (MACHINE | {"weights": [0.0, 1.0, 2.0, 3.0, 4.0]}, "belong to no test"),
    ],
)
def test_flat_arrays_that_would_lead_astray_are_refused(change, message):
    with pytest.raises(ValueError, match=message):
        flat_tree(**change)


@given(data=st.data())
def test_no_arrays_crash_the_kernel(data):
    """What is not refused predicts nodes of the tree."""
    number = st.integers(-2, 4) | st.sampled_from([-(2**31), 2**31 - 1])
    real = st.sampled_from([0.0, 1.0, -2.5, 1e308, np.inf, -np.inf, np.nan])
    arrays = data.draw(st.sampled_from([GOOD, GOOD | UNIT, GOOD | MACHINE, GOOD | PARTS]))
    change = {}
    for name in data.draw(st.lists(st.sampled_from(sorted(arrays)), min_size=1, max_size=4)):
        values = list(arrays[name]) or [0]
        entry = {"kind": st.integers(0, 6)}.get(name, real if name in TYPES else number)
        values[data.draw(st.integers(0, len(values) - 1))] = data.draw(entry)
        change[name] = values
    try:
        flat = flat_tree(**arrays | change)
    except ValueError:
        return
    X = np.array([[0.0, 1.0], [np.nan, np.nan], [1e308, -1e308], [-3.0, 1e9]])
    leaves, infinity = flat.apply(X, 1)
    assert infinity is None
    assert ((leaves >= 0) & (leaves < 3)).all()
    if not len(change.get("share", arrays["share"])):
        with pytest.raises(ValueError, match="down every branch"):
            flat.parts(X, 1)
        return
    start, leaf, part, _ = flat.parts(X, 1)
    assert start[-1] == len(leaf) == len(part)
    assert ((leaf >= 0) & (leaf < 3)).all()


def test_parts_are_the_products_of_the_shares():
    start, leaf, part, infinity = flat_tree(**PARTS).parts(np.array([[np.nan, 0], [0.0, 0]]), 1)
    assert infinity is None
    assert start.tolist() == [0, 2, 3]
    assert leaf.tolist() == [1, 2, 1]
    assert part.tolist() == [0.25, 0.75, 1.0]


def test_flat_tree_wants_its_own_number_of_columns():
    flat = flat_tree()
    with pytest.raises(ValueError, match="as many columns"):
        flat.apply(np.zeros((3, 1)), 1)
    leaves, infinity = flat.apply(np.zeros((0, 2)), 1)
    assert len(leaves) == 0
    assert infinity is None


@given(st.integers(0, 2**32 - 1), st.integers(0, 4), st.sampled_from("CF"))
def test_weighted_sums_add_up_term_by_term(seed, n_terms, order):
    """The definition: from the first term to the last, a gap as its fill, a symbol as 0 or 1."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 4, size=(700, 3)) * rng.choice([1.0, 1e-3, 1e300])
    X[rng.random(X.shape) < 0.2] = np.nan
    X = np.asarray(X, order=order)[rng.integers(0, 2) :: rng.integers(1, 3)]
    terms = [
        Term(
            int(rng.integers(3)), None if rng.random() < 0.5 else int(rng.integers(4)), rng.normal()
        )
        for _ in range(n_terms)
    ]
    weights = rng.normal(size=n_terms)
    expected = np.full(len(X), 0.25)
    with np.errstate(over="ignore", invalid="ignore"):
        for term, weight in zip(terms, weights):
            expected += weight * term.read(X)
    np.testing.assert_array_equal(project(X, terms, weights, start=0.25), expected)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"feature": np.array([3], np.int32)}, "a term's feature is not in X"),
        ({"feature": np.array([-1], np.int32)}, "a term's feature is not in X"),
        ({"weight": np.ones(2)}, "the terms differ in length"),
    ],
)
def test_weighted_sums_refuse_what_is_not_there(change, said):
    terms = {"feature": np.zeros(1, np.int32), "symbol": np.zeros(1, np.int32)}
    terms |= {"fill": np.zeros(1), "weight": np.ones(1)}
    with pytest.raises(ValueError, match=said):
        _core.weighted_sums(X=np.ones((2, 3)), start=0.0, **(terms | change))
