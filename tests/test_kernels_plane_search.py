"""CART-LC and OC1 against their definitions, and what they promise."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import _core
from planetree.learners import CARTLC, OC1
from planetree.merits import Gini
from planetree.scaling import Deviations, Quartiles
from planetree.search import OpenNode, Univariate
from planetree.stopping import Stop
from planetree.view import NodeView
from reference.plane_search import Search, cart_lc, oc1
from reference.thresholds import MERITS
from tables import tables
from views import view_of

ORDERS = ["sequential", "best_first", "random"]
GAMMAS = np.array([-0.25, 0.0, 0.25])
LEARNERS = [CARTLC(), CARTLC(starts=("univariate", "least_squares")), OC1(restarts=3)]


def fit_cart(view, starts, max_cycles=100, merit="gini", **options):
    options = {"gammas": GAMMAS, "epsilon": 0.0, "min_leaf_rows": 1, "n_threads": 1, **options}
    return _core.cart_lc(
        **view.kernel, merit=merit, starts=starts, max_cycles=max_cycles, **options
    )


def fit_oc1(view, starts, merit="gini", **options):
    usual = {"seed": view.seed, "restarts": 4, "jumps": 3, "order": "sequential"}
    options = {**usual, "min_leaf_rows": 1, "n_threads": 1, **options}
    return _core.oc1(**view.kernel, merit=merit, starts=starts, **options)


@st.composite
def nodes(draw, *, weights=True, scaling=None, missing=True):
    """Nodes of a few columns, and directions to begin at."""
    table = draw(tables(max_rows=40, weights=weights, symbols=True, missing=missing))
    rows = np.arange(table.n_rows, dtype=np.uint32)
    view = NodeView(table, rows, scaling or Quartiles(), seed=draw(st.integers(0, 2**64 - 1)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    starts = np.concatenate([np.eye(view.n_columns)[:1], rng.normal(size=(2, view.n_columns))])
    return table, view, starts


def test_a_cycle_by_hand():
    """Class a at (0, 0) and (2, 2), class b at (1, −1) and (3, 1); the second column to begin with.

    Its values are 0, 2, −1, 1, and the shorter of the two best cuts is −1/2. So the margins are
    1/2, 5/2, −1/2, 3/2, and the u of the first column, γ = 0, are none, 5/4, −1/2, 1/2: past 1/2
    both b are left and no a. δ is half-way to 5/4, that is 7/8, and the weights (−7/8, 1), which
    are halved so that the largest is below 1.
    """
    Z = np.array([[0.0, 0.0], [2.0, 2.0], [1.0, -1.0], [3.0, 1.0]], order="F")
    view = view_of(Z, [0, 0, 1, 1])
    view.Z = Z
    found = fit_cart(view, np.array([[0.0, 1.0]]), gammas=np.zeros(1))
    np.testing.assert_array_equal(found, [[-0.4375, 0.5]])


@given(node=nodes(weights=False), epsilon=st.sampled_from([0.0, 0.05]), least=st.integers(1, 4))
def test_cart_lc_equals_its_definition(node, epsilon, least):
    _, view, starts = node
    if not view.n_columns:
        return
    found = fit_cart(view, starts, epsilon=epsilon, min_leaf_rows=least)
    search = Search(view.Z, view.y, view.n_classes, least)
    for start, weights in zip(starts, found, strict=True):
        np.testing.assert_array_equal(weights, cart_lc(search, start, GAMMAS, epsilon, 100))


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=40)
@given(node=nodes(weights=False), least=st.integers(1, 4))
def test_oc1_equals_its_definition(order, node, least):
    _, view, starts = node
    if not view.n_columns:
        return
    found = fit_oc1(view, starts, order=order, min_leaf_rows=least)
    search = Search(view.Z, view.y, view.n_classes, least)
    expected = oc1(search, starts, view.seed, 4, 3, order)
    np.testing.assert_array_equal(found, [] if expected is None else expected)


def test_equals_its_definition_where_buckets_stay_closed():
    """With some hundred rows most of them are never sorted."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 4))
    y = (X @ [1.0, 2.0, -1.0, 0.5] > 0) ^ (rng.random(700) < 0.2)
    view, starts = view_of(X, y, scaling=Quartiles(), seed=5), np.eye(4)[:2]
    search = Search(view.Z, view.y, 2)
    for start, weights in zip(starts, fit_cart(view, starts), strict=True):
        np.testing.assert_array_equal(weights, cart_lc(search, start, GAMMAS, 0.0, 100))
    np.testing.assert_array_equal(fit_oc1(view, starts), oc1(search, starts, 5, 4, 3, "sequential"))


def merit_along(view, weights, merit):
    values = np.zeros((view.n_rows, 1))
    for j, w in enumerate(weights):
        values[:, 0] += w * (np.round(view.Z[:, j] * 2**20) / 2**20)
    return _core.value_cuts(values=values, merit=merit, min_leaf_rows=1, **view.cases)["merit"][0]


@pytest.mark.parametrize("merit", MERITS)
@settings(max_examples=30)
@given(node=nodes())
def test_impurity_never_rises_over_a_cycle(merit, node):
    _, view, starts = node
    if not view.n_columns:
        return
    worth = [merit_along(view, starts[1], merit)]
    room = 1e-9 * (view.class_weight.sum() if "minority" in merit else 1.0)
    for cycles in range(1, 5):
        (found,) = fit_cart(view, starts[1:2], cycles, merit)
        worth.append(merit_along(view, found, merit))
    assert all(later >= earlier - room for earlier, later in pairwise(worth))


@pytest.mark.parametrize("merit", MERITS)
@settings(max_examples=30)
@given(node=nodes())
def test_more_searches_are_never_worse(merit, node):
    _, view, starts = node
    if not view.n_columns:
        return
    worth = [merit_along(view, starts[0], merit)]
    room = 1e-9 * (view.class_weight.sum() if "minority" in merit else 1.0)
    for restarts in (1, 2, 4):
        found = fit_oc1(view, starts[:1], merit, restarts=restarts)
        worth.append(merit_along(view, found, merit) if len(found) else 0.0)
    assert all(later >= earlier - room for earlier, later in pairwise(worth))


@given(node=nodes())
def test_threads_change_nothing(node):
    _, view, starts = node
    if not view.n_columns:
        return
    for fit in (fit_cart, fit_oc1):
        np.testing.assert_array_equal(fit(view, starts), fit(view, starts, n_threads=3))


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@given(node=nodes(missing=False), least=st.integers(1, 5))
def test_never_worse_than_the_best_univariate_split(learner, node, least):
    table, _, _ = node
    rows = np.arange(table.n_rows, dtype=np.uint32)
    view = NodeView(table, rows, learner.default_scaling, min_leaf_rows=least)
    rival = Univariate()(OpenNode(table, rows, Gini(), Stop(min_leaf_rows=least)))
    found = learner.fit(view) if view.n_columns else None
    if rival is None or view.n_classes < 2:
        return
    assert found is not None
    branch = found.route(table.X)
    assert np.bincount(branch, minlength=2).min() >= least
    counts = np.zeros((1, 2, len(table.classes)))
    np.add.at(counts, (0, branch, table.y), 1.0 if table.weight is None else table.weight)
    assert Gini()(counts)[0] >= rival.merit - 1e-12


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_test_counts_as_it_was_thought_to(learner):
    """Whole numbers tie along a plane: a cut must not lie between two sums that are equal."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        X = rng.integers(0, 4, (60, 3)) / 10
        y = X @ [1.0, 2.0, -1.0] > 0.3
        view = view_of(X, y, scaling=learner.default_scaling)
        found = learner.fit(view)
        merit, again = view.best_unit(view.weights(found))
        counts = np.zeros((1, 2, 2))
        np.add.at(counts, (0, found.route(X), view.y), 1.0)
        assert Gini()(counts)[0] == pytest.approx(merit, abs=1e-12)
        assert replace(again, weights=found.weights, cut=found.cut) == found


@given(view=nodes(scaling=Deviations()).map(lambda node: node[1]))
def test_leaves_the_view_alone(view):
    before = view.Z.copy(), view.y.copy()
    for learner in LEARNERS:
        if view.n_columns:
            learner.fit(view)
    np.testing.assert_array_equal(view.Z, before[0])
    np.testing.assert_array_equal(view.y, before[1])


@pytest.mark.parametrize(
    ("kernel", "changed", "message"),
    [
        (fit_cart, {"starts": np.zeros((1, 3))}, "starts and Z differ in columns"),
        (fit_cart, {"starts": np.full((1, 2), np.nan)}, "starts must be finite"),
        (fit_cart, {"gammas": np.array([np.inf])}, "gammas must be finite"),
        (fit_oc1, {"order": "backwards"}, "the kernels know no 'backwards'"),
        (fit_oc1, {"starts": np.zeros((0, 2)), "restarts": 0}, "there must be a start"),
    ],
)
def test_bad_arrays_are_refused(kernel, changed, message):
    view = view_of([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    options = {"starts": np.eye(2), **changed}
    with pytest.raises(ValueError, match=message):
        kernel(view, **options)
