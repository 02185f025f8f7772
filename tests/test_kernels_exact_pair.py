"""The exact best plane over two columns: against its definition, by hand, beside other searches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import _core
from planetree.learners import BIT1, BIT2, ExactPair
from planetree.scaling import Raw
from reference.exact_pair import exact_pair
from reference.thresholds import MERITS
from views import view_of


def kernel(view, merit="gini", *, min_leaf_rows=1, n_threads=1):
    return _core.exact_pair(
        **view.kernel, merit=merit, min_leaf_rows=min_leaf_rows, n_threads=n_threads
    )


@st.composite
def nodes(draw, *, max_rows=14):
    """Rows that tie, coincide and stand on common lines, and rows that do not."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_columns = draw(st.integers(2, max_rows)), draw(st.integers(2, 3))
    shape = (n, n_columns)
    Z = {
        "grid": lambda: rng.integers(0, 4, shape).astype(float),
        "flags": lambda: rng.integers(0, 2, shape).astype(float),
        "lines": lambda: np.add.outer(rng.integers(0, 4, n) / 7, np.arange(n_columns) / 3),
        "uniform": lambda: rng.random(shape),
    }[draw(st.sampled_from(["grid", "flags", "lines", "uniform"]))]()
    Z[0], Z[1] = Z[0] - 0.5, Z[1] + 2.5  # every column varies
    weight = rng.uniform(0.1, 3, n) if draw(st.booleans()) else None
    return view_of(Z, rng.integers(0, draw(st.integers(2, 3)), n), weight, scaling=Raw())


@settings(max_examples=150, deadline=None)
@given(node=nodes(), merit=st.sampled_from(list(MERITS)), min_leaf_rows=st.sampled_from([1, 2, 4]))
def test_equals_every_direction_and_every_cut(node, merit, min_leaf_rows):
    found = kernel(node, merit, min_leaf_rows=min_leaf_rows)
    expected = exact_pair(node.Z, node.y, node.weight, node.n_classes, merit, min_leaf_rows)
    if not expected:
        assert found is None
        return
    i, j, *weights, value = found
    most = max(expected.values())
    assert value == pytest.approx(most, abs=1e-9)
    assert expected[i, j] == pytest.approx(most, abs=1e-9)
    # Some cut along the weights is worth that.
    along = (node.Z[:, [i, j]] @ weights)[:, None]
    cuts = _core.value_cuts(values=along, **node.cases, merit=merit, min_leaf_rows=min_leaf_rows)
    assert cuts["merit"][0] == pytest.approx(most, abs=1e-9)


def test_three_against_one_by_hand():
    """The middle of a triangle's side is cut off by no line; a corner is."""
    corners = np.array([[0.0, 0.0], [4.0, 0.0], [0.0, 4.0], [2.0, 0.0]])
    i, j, *weights, merit = kernel(view_of(corners, [0, 0, 1, 0], scaling=Raw()))
    assert (i, j) == (0, 1)
    assert merit == pytest.approx(3 / 8)  # all of the Gini index of 3 : 1
    side = corners @ weights
    assert side[2] > side[[0, 1, 3]].max() or side[2] < side[[0, 1, 3]].min()
    # At best the middle goes with one end: (0, 1) against (0, 1), or one alone against the rest.
    merit = kernel(view_of(corners, [0, 0, 0, 1], scaling=Raw()))[-1]
    best = max(3 / 8 - (2 * 1 / 2) / 4, 3 / 8 - (3 * 4 / 9) / 4)
    assert merit == pytest.approx(best)


def test_two_clouds_are_parted_by_a_slope_that_no_sum_or_difference_has():
    rng = np.random.default_rng(0)
    X = rng.random((200, 3))
    y = X[:, 0] - 0.37 * X[:, 2] > 0.3
    view = view_of(X, y)
    i, j, *_, merit = kernel(view)
    share = y.mean()
    assert (i, j) == (0, 2)
    assert merit == pytest.approx(2 * share * (1 - share))
    test = ExactPair().fit(view)
    assert len(set(y[test.route(X) == 0])) == len(set(y[test.route(X) == 1])) == 1


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32 - 1), merit=st.sampled_from(list(MERITS)))
def test_no_pair_that_another_search_finds_is_worth_more(seed, merit):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=60) > 0) + rng.integers(0, 2, 60)
    view = view_of(X, y)
    view.merit = merit
    best = view.best_unit(view.weights(ExactPair().fit(view)))[0]
    for other in (BIT1(), BIT2()):
        assert view.best_unit(view.weights(other.fit(view)))[0] <= best + 1e-9


@settings(max_examples=30, deadline=None)
@given(node=nodes(max_rows=40), merit=st.sampled_from(list(MERITS)))
def test_threads_change_nothing(node, merit):
    assert all(kernel(node, merit, n_threads=n) == kernel(node, merit) for n in (2, 3, 8))


def test_of_equals_the_first_pair_wins():
    z = np.array([0.0, 0.25, 0.75, 1.0])
    three = view_of(np.stack([z, z, z], axis=1), [0, 0, 1, 1], scaling=Raw())
    for n_threads in (1, 4):
        assert kernel(three, n_threads=n_threads)[:2] == (0, 1)


def test_nothing_to_find_and_refusals():
    x = np.arange(4.0)
    assert kernel(view_of(x[:, None], [0, 1, 0, 1])) is None
    both = view_of(np.c_[x, x**2], [0, 1, 0, 1])
    assert kernel(both, min_leaf_rows=3) is None
    with pytest.raises(ValueError, match="the kernels know no 'entropy'"):
        kernel(both, "entropy")
    with pytest.raises(ValueError, match="max_rows must be a whole number of at least 2, not 1"):
        ExactPair(max_rows=1).fit(both)
