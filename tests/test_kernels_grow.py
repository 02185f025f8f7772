"""The fused grower builds the tree of the definition, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree.grow import grow, grow_fused, grow_node_by_node
from planetree.merits import (
    GainRatio,
    Gini,
    InformationGain,
    MaxMinority,
    Merit,
    Misclassification,
    SumMinority,
    Twoing,
)
from planetree.schema import Feature, Schema
from planetree.search import Univariate
from planetree.stopping import Stop
from planetree.table import Table
from reference.thresholds import gini
from tables import tables

MERITS = [
    Gini(),
    InformationGain(),
    GainRatio(),
    GainRatio(guard=False),
    Twoing(),
    MaxMinority(),
    SumMinority(),
    Misclassification(),
]


def numeric_table(X, y, weight=None):
    features = tuple(
        Feature(f"x{j}", missing=bool(np.isnan(X[:, j]).any())) for j in range(X.shape[1])
    )
    return Table(Schema(features), X, y.astype(np.int32), tuple(range(int(y.max()) + 1)), weight)


def assert_both_ways(table, merit, stop, *, max_leaves=None, n_threads=1):
    fused = grow_fused(table, merit, stop, max_leaves=max_leaves, n_threads=n_threads)
    definition = grow_node_by_node(table, merit, stop, [Univariate()], max_leaves=max_leaves)
    assert list(fused.tests) == list(definition.tests)
    assert fused == definition
    return fused


@settings(max_examples=300)
@given(
    table=tables(symbols=True),
    merit=st.sampled_from(MERITS),
    stop=st.builds(
        Stop,
        max_depth=st.sampled_from([None, None, 0, 1, 3]),
        min_rows=st.sampled_from([2, 2, 5, 12]),
        min_leaf_rows=st.sampled_from([1, 1, 2, 6]),
        min_merit=st.sampled_from([0.0, 0.0, 0.02]),
    ),
    max_leaves=st.sampled_from([None, None, 1, 2, 5, 9]),
    n_threads=st.sampled_from([1, 3]),
)
def test_both_growers_build_the_identical_tree(table, merit, stop, max_leaves, n_threads):
    assert_both_ways(table, merit, stop, max_leaves=max_leaves, n_threads=n_threads)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("missing", [0.0, 0.1])
@pytest.mark.parametrize("n_threads", [1, 2, 5])
def test_big_nodes_are_shared_out_without_a_trace(weighted, missing, n_threads):
    """More rows than a node must have for its columns to go to several threads."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(20_000, 4))
    X[:, 2] = X[:, 2].round(1)
    X[rng.random(X.shape) < missing] = np.nan
    y = (np.nan_to_num(X[:, 0] * X[:, 1]) > 0.1).astype(int) + (rng.random(20_000) < 0.02)
    weight = rng.random(20_000) + 0.5 if weighted else None
    assert_both_ways(numeric_table(X, y, weight), Gini(), Stop(max_depth=7), n_threads=n_threads)
    assert_both_ways(
        numeric_table(X, y, weight), Gini(), Stop(), max_leaves=12, n_threads=n_threads
    )


@given(table=tables(), max_leaves=st.sampled_from([None, 4]))
def test_a_merit_in_python_grows_as_its_kernel_does(table, max_leaves):
    class PythonGini(Merit):
        def __call__(self, counts):
            return Gini()(counts)

    ours = grow(table, PythonGini(), Stop(max_depth=2), max_leaves=max_leaves)
    kernel = grow(table, Gini(), Stop(max_depth=2), max_leaves=max_leaves)
    # The last bit may break a tie differently: compare what each first test is worth.
    worth = [Gini()(tree.counts[None, 1:3])[0] if tree.n_tests else 0.0 for tree in (ours, kernel)]
    assert worth[0] == pytest.approx(worth[1], abs=1e-12)


@given(table=tables())
def test_what_every_grown_tree_keeps(table):
    tree = grow(table, Gini(), Stop(min_leaf_rows=2))
    weight = np.ones(table.n_rows) if table.weight is None else table.weight
    leaves = tree.apply(table.X)
    for node in tree.walk():
        if node.is_leaf:
            at = leaves == node.id
            assert node.n_rows == at.sum() >= min(2, table.n_rows)
            expected = np.bincount(table.y[at], weight[at], minlength=len(table.classes))
            np.testing.assert_allclose(node.counts, expected, rtol=1e-12)
        else:  # every test sends some rows each way, and its branches add up
            assert all(tree.n_rows[child] >= 2 for child in node.children)
            assert tree.n_rows[list(node.children)].sum() == node.n_rows
            np.testing.assert_allclose(
                tree.counts[list(node.children)].sum(axis=0), node.counts, rtol=1e-9
            )


@given(table=tables(missing=False))
def test_unpruned_tree_is_pure_wherever_rows_can_be_told_apart(table):
    tree = grow(table, Gini(), Stop())
    leaves = tree.apply(table.X)
    for leaf in np.unique(leaves):
        rows = np.flatnonzero(leaves == leaf)
        same = (table.X[rows] == table.X[rows[0]]).all()
        assert same or gini(tree.counts[leaf]) == 0


def test_weight_two_is_the_row_twice():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(80, 3)).round(1), rng.integers(0, 3, 80)
    times = rng.integers(1, 4, 80)
    repeated = grow(numeric_table(X.repeat(times, axis=0), y.repeat(times)), Gini(), Stop())
    weighted = grow(numeric_table(X, y, times.astype(float)), Gini(), Stop())
    assert list(repeated.tests) == list(weighted.tests)
    np.testing.assert_array_equal(repeated.counts, weighted.counts)


def test_max_leaves_keeps_the_splits_worth_most():
    # After 7.5 the left side (3 + 5) has more to gain than the right one (7 + 1).
    X = np.arange(16.0)[:, None]
    y = np.array([0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 3])
    tree = grow(numeric_table(X, y), Gini(), Stop(), max_leaves=3)
    assert [test.cut for test in tree.tests if test] == [7.5, 2.5]


def test_missing_values_go_where_they_help():
    X = np.array([[1.0], [2.0], [3.0], [4.0], [np.nan], [np.nan]])
    tree = grow(numeric_table(X, np.array([0, 0, 1, 1, 0, 0])), Gini(), Stop())
    assert tree.tests[0].cut == 2.5
    assert tree.tests[0].missing == 0
    tree = grow(numeric_table(X, np.array([0, 0, 0, 0, 1, 1])), Gini(), Stop())
    assert tree.tests[0].describe(tree.schema) == ("x0 is known", "x0 is missing")


def test_a_value_missing_only_later_goes_with_the_heavier_branch():
    X = np.arange(5.0)[:, None]
    tree = grow(numeric_table(X, np.array([0, 0, 1, 1, 1])), Gini(), Stop())
    assert tree.tests[0].missing == 1
    tree = grow(numeric_table(X, np.array([0, 0, 0, 1, 1])), Gini(), Stop())
    assert tree.tests[0].missing == 0


def test_guard_keeps_the_gain_ratio_from_tiny_splits():
    """Column 0 tells nearly all; column 1 only splits off a single case, at a high ratio."""
    rng = np.random.default_rng(3)
    y = np.repeat([0, 1], 50)
    X = np.column_stack([y + 0.45 * rng.normal(size=100), np.zeros(100)])
    X[0, 1] = -1.0
    with_guard = grow(numeric_table(X, y), GainRatio(), Stop(max_depth=1))
    assert with_guard.tests[0].feature == 0


def test_stopped_by_its_listener_leaves_nothing_behind():
    class StopNowError(Exception):
        pass

    def listener(settled):
        raise StopNowError

    rng = np.random.default_rng(0)
    table = numeric_table(rng.normal(size=(150_000, 20)), rng.integers(0, 2, 150_000))
    with pytest.raises(StopNowError):
        grow(table, Gini(), Stop(), listener=listener)
    small = numeric_table(rng.normal(size=(50, 2)), rng.integers(0, 2, 50))
    assert grow(small, Gini(), Stop()).n_leaves > 1


def test_listener_hears_how_far_it_is():
    rng = np.random.default_rng(0)
    heard = []
    table = numeric_table(rng.normal(size=(100_000, 20)), rng.integers(0, 2, 100_000))
    grow(table, Gini(), Stop(), listener=heard.append, n_threads=2)
    assert heard
    assert heard == sorted(heard)
    assert heard[-1] <= 100_000


def test_a_merit_that_returns_nonsense_is_named():
    class Nonsense(Merit):
        def __call__(self, counts):
            return np.full(len(counts), np.nan)

    with pytest.raises(ValueError, match=r"Nonsense\(\) must return"):
        grow(numeric_table(np.arange(4.0)[:, None], np.array([0, 1, 0, 1])), Nonsense(), Stop())
