"""A level at a time grows the tree of the definition, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, _core, datasets
from planetree.grow import grow, grow_node_by_node
from planetree.grow_pairs import grow_pairs, only_pairs
from planetree.learners import BIT1, BIT2
from planetree.linear import Linear
from planetree.merits import GainRatio, Gini, InformationGain, SumMinority, Twoing
from planetree.scaling import Deviations
from planetree.schema import Feature, Schema
from planetree.search import Judged, Univariate
from planetree.selectors import SFS, All
from planetree.stopping import Stop
from planetree.table import Table
from tables import tables

MERITS = [Gini(), Twoing(), InformationGain(), SumMinority()]

stops = st.builds(
    Stop,
    max_depth=st.sampled_from([None, 1, 4]),
    min_rows=st.sampled_from([2, 9]),
    min_leaf_rows=st.sampled_from([1, 2, 6]),
    min_merit=st.sampled_from([0.0, 0.02]),
)


def families(*, univariate=True, enough=2.0, n_threads=1):
    linear = Linear(BIT2(), All(), min_rows_per_feature=enough, n_threads=n_threads)
    return [*[Judged(Univariate())] * univariate, linear]


def table_of(X, y):
    features = tuple(Feature(f"x{j}") for j in range(X.shape[1]))
    classes, codes = np.unique(y, return_inverse=True)
    return Table(Schema(features), X, codes.astype(np.int32), tuple(classes.tolist()))


@st.composite
def larger_tables(draw):
    """Rows enough for the screen to leave tests out; ties, and columns far apart in scale."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p = draw(st.integers(60, 900)), draw(st.integers(2, 6))
    X = rng.normal(size=(n, p))
    X[:, 0] = {
        "as it is": X[:, 0],
        "few": rng.integers(0, 5, n),
        "huge": X[:, 0] * 1e307,
        "tiny": X[:, 0] * 1e-200,
        "heavy": np.exp(X[:, 0] * 9),
    }[draw(st.sampled_from(["as it is", "few", "huge", "tiny", "heavy"]))]
    y = (X[:, -1] > X[:, -2]) ^ (rng.random(n) < draw(st.sampled_from([0.0, 0.1, 0.5])))
    y = y * 1 + (rng.random(n) < draw(st.sampled_from([0.0, 0.0, 0.2])))
    return table_of(X, y)


def assert_both_ways(table, merit, stop, candidates):
    assert only_pairs(table, merit, candidates)
    levels = grow_pairs(table, merit, stop, candidates)
    definition = grow_node_by_node(table, merit, stop, candidates)
    assert list(levels.tests) == list(definition.tests)
    assert levels == definition
    return levels


@settings(max_examples=200)
@given(
    table=tables(weights=False, missing=False, symbols=True),
    merit=st.sampled_from(MERITS),
    stop=stops,
    univariate=st.booleans(),
    enough=st.sampled_from([0.0, 2.0, 3.5]),
)
def test_equals_the_definition(table, merit, stop, univariate, enough):
    assert_both_ways(table, merit, stop, families(univariate=univariate, enough=enough))


@settings(max_examples=60)
@given(
    table=larger_tables(), merit=st.sampled_from(MERITS), stop=stops, n_threads=st.integers(1, 3)
)
def test_equals_the_definition_where_tests_are_left_out(table, merit, stop, n_threads):
    assert_both_ways(table, merit, stop, families(n_threads=n_threads))


def test_all_threads_together_on_a_large_node():
    X, y = datasets.make_planes(5000, random_state=0)
    table, stop = table_of(X[:, :6], y), Stop(min_leaf_rows=20)
    trees = [assert_both_ways(table, Gini(), stop, families(n_threads=n)) for n in (1, 3)]
    assert trees[0] == trees[1]
    assert {len(test.features) for test in trees[0].tests if test} == {1, 2}


def test_growth_takes_it_where_it_can(monkeypatch):
    table = table_of(*datasets.make_planes(300, random_state=0))
    calls = []
    native = _core.bit2_level
    monkeypatch.setattr(
        _core, "bit2_level", lambda **options: (calls.append(1), native(**options))[1]
    )
    told = []
    tree = grow(table, Gini(), Stop(), families(), listener=told.append)
    assert len(calls) == tree.depth.max()
    assert told == sorted(told)
    assert told[-1] == 300
    grow(table, Gini(), Stop(), families(), max_leaves=5)
    assert len(calls) == tree.depth.max()


def test_leaves_the_rest_to_the_definition():
    table = table_of(*datasets.make_planes(60, random_state=0))
    univariate, linear = families()
    assert only_pairs(table, Gini(), [univariate, linear])
    for others in (
        [univariate, Linear(BIT1(), All())],
        [univariate, Linear(BIT2(), SFS())],
        [univariate, Linear(BIT2(Deviations()), All())],
        [univariate, Linear(BIT2(), All(), max_features=1)],
        [univariate, Linear(BIT2(), All(), min_rows_per_feature=1e6)],
        [univariate, univariate, linear],
        [linear, univariate],
    ):
        assert not only_pairs(table, Gini(), others)
    assert not only_pairs(table, GainRatio(), families())
    weighted = Table(table.schema, table.X, table.y, table.classes, np.full(60, 2.0))
    gap = Table(table.schema, np.where(table.X > 0.5, np.nan, table.X), table.y, table.classes)
    flat = Table(table.schema, table.X * 1e-300, table.y, table.classes)
    assert not any(only_pairs(other, Gini(), families()) for other in (weighted, gap, flat))


def test_a_constant_column_is_in_no_test():
    X, y = datasets.make_planes(200, random_state=0)
    X[:, 3] = 7.0
    model = PlaneTreeClassifier(learner=BIT2()).fit(X, y)
    assert all(3 not in test.features for test in model.tree_.tests if test)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"starts": [0, 3]}, "from 0 to the number of rows"),
        ({"starts": [0, 0, 4]}, "a node has no rows"),
        ({"rows": [0, 2, 1, 3]}, "must rise"),
        ({"rows": [0, 1, 2, 9]}, "no such row"),
        ({"center": [0.0]}, "differ in columns"),
        ({"Z": [[0.0, np.inf]] * 4}, "Z must be finite"),
    ],
)
def test_refuses_what_would_read_elsewhere(changed, message):
    kinds = {"rows": np.uint32, "starts": np.int64}
    given = {"rows": [0, 1, 2, 3], "starts": [0, 4], "center": [0.0, 0.0], **changed}
    arrays = {name: np.array(values, kinds.get(name, float)) for name, values in given.items()}
    X = np.arange(8.0).reshape(4, 2)
    options = {"X": X, "Z": X, "spread": np.ones(2), "y": np.array([0, 1, 0, 1], np.int32)}
    limits = {"min_leaf_rows": 1, "min_rows_per_feature": 2.0, "univariate": True, "n_threads": 1}
    with pytest.raises(ValueError, match=message):
        _core.bit2_level(**{**options, **arrays}, n_classes=2, merit="gini", **limits)
