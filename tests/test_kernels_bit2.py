"""BIT2 against its definition: nothing that it skips could have won."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import _core
from planetree.merits import GainRatio
from planetree.scaling import Raw, TableRange
from planetree.view import NodeView
from reference.bit2 import bit2, pair_tests
from reference.thresholds import MERITS
from tables import tables
from views import view_of

KINDS = list(MERITS)


def kernel(view, merit="gini", *, choice="merit", min_leaf_rows=1, n_threads=1, **options):
    return _core.bit2(
        **view.kernel,
        merit=merit,
        choice=choice,
        min_leaf_rows=min_leaf_rows,
        n_threads=n_threads,
        **options,
    )


@st.composite
def nodes(draw, *, max_rows=120, weights=True):
    """Columns scaled to [0, 1]: ties within columns and between sums, gaps filled, symbols."""
    table = draw(tables(max_rows=max_rows, weights=weights, symbols=True))
    return NodeView(table, np.arange(table.n_rows, dtype=np.uint32), TableRange())


@st.composite
def large_nodes(draw):
    """Enough rows for bins within bins; values that crowd together, tie, or stand far apart."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, n_classes = draw(st.integers(50, 1500)), draw(st.sampled_from([2, 3, 26]))
    shape = (n, 3)
    Z = {
        "uniform": lambda: rng.random(shape),
        "few": lambda: rng.integers(0, 12, shape) / 8,
        "crowded": lambda: np.exp(rng.normal(0, 12, shape)),
        "two clouds": lambda: rng.normal(0, 1e-9, shape) + rng.integers(0, 2, shape),
        "almost one": lambda: 1 + rng.integers(0, 40, shape) * 2.0**-50,
    }[draw(st.sampled_from(["uniform", "few", "crowded", "two clouds", "almost one"]))]()
    by = Z[:, 0] - Z[:, 1] > np.median(Z[:, 0] - Z[:, 1])
    y = np.where(rng.random(n) < draw(st.sampled_from([0.0, 0.2, 1.0])), rng.random(n) < 0.5, by)
    y = y + (rng.integers(0, n_classes - 1, n) if n_classes > 2 else 0)
    weight = rng.lognormal(0, 2, n) if draw(st.booleans()) else None
    return view_of(Z, y, weight, scaling=Raw())


@given(node=nodes(), merit=st.sampled_from(KINDS), min_leaf_rows=st.sampled_from([1, 2, 7]))
def test_equals_brute_force_over_all_pairs(node, merit, min_leaf_rows):
    found = kernel(node, merit, min_leaf_rows=min_leaf_rows)
    expected = bit2(node.Z, node.y, node.weight, node.n_classes, merit, min_leaf_rows)
    if not expected:
        assert found is None
        return
    i, j, sign, cut, value = found
    most = max(value for value, _ in expected.values())
    size = 1.0 if node.weight is None else max(1.0, node.weight.sum())  # minorities are weights
    assert value == pytest.approx(most, abs=1e-9 * size)
    assert expected[i, j, sign][0] == pytest.approx(most, abs=1e-9 * size)
    left = node.Z[:, i] + sign * node.Z[:, j] <= cut
    assert min(left.sum(), (~left).sum()) >= min_leaf_rows
    # Where nothing comes near the winner, it is the same test to the last bit.
    close = [test for test, (value, _) in expected.items() if value > most - 1e-9 * size]
    if len(close) == 1:
        assert (i, j, sign) == close[0]


@settings(max_examples=60)
@given(
    node=st.one_of(large_nodes(), nodes()),
    merit=st.sampled_from(KINDS),
    min_leaf_rows=st.sampled_from([1, 2, 40]),
)
def test_what_is_skipped_never_changes_the_split(node, merit, min_leaf_rows):
    """Neither the bounds of the bins nor the boundary points of Fayyad and Irani do."""
    found = kernel(node, merit, min_leaf_rows=min_leaf_rows)
    everything = kernel(node, merit, min_leaf_rows=min_leaf_rows, exhaustive=True)
    if node.weight is None or found is None:
        assert found == everything
    else:  # weights are summed in another order: equals may change places
        assert found[4] == pytest.approx(everything[4], rel=1e-9, abs=1e-12)


@settings(max_examples=30)
@given(node=large_nodes(), choice=st.sampled_from(["gain_ratio", "guarded_gain_ratio"]))
def test_gain_ratio_compares_the_best_cut_of_every_test(node, choice):
    merit = GainRatio(guard=choice == "guarded_gain_ratio")
    options = {"choice": choice, "min_leaf_rows": 3}
    found = kernel(node, "information_gain", **options)
    tests = pair_tests(node.n_columns)
    values = np.stack([node.Z[:, i] + sign * node.Z[:, j] for i, j, sign in tests], axis=1)
    cuts = _core.value_cuts(values=values, **node.cases, merit="information_gain", min_leaf_rows=3)
    if not cuts["found"].any():
        assert found is None
        return
    places = np.flatnonzero(cuts["found"])
    worth = merit.compete(cuts["merit"][places], cuts["split_info"][places])
    at = tests.index(found[:3])
    assert worth[list(places).index(at)] == pytest.approx(worth.max(), rel=1e-9)
    if node.weight is None:
        assert found == kernel(node, "information_gain", **options, exhaustive=True)


@settings(max_examples=30)
@given(
    node=large_nodes(),
    merit=st.sampled_from(KINDS),
    choice=st.sampled_from(["merit", "gain_ratio", "guarded_gain_ratio"]),
)
def test_threads_change_nothing(node, merit, choice):
    merit = merit if choice == "merit" else "information_gain"
    one = kernel(node, merit, choice=choice)
    assert all(kernel(node, merit, choice=choice, n_threads=n) == one for n in (2, 3, 64))


def test_of_equal_tests_the_first_pair_wins_and_the_sum_before_the_difference():
    z = np.array([0.0, 0.25, 0.75, 1.0])
    y = [0, 0, 1, 1]
    for n_threads in (1, 4):
        three = view_of(np.stack([z, z, z], axis=1), y, scaling=Raw())
        assert kernel(three, n_threads=n_threads) == (0, 1, 1.0, 1.0, 0.5)
        turned = view_of(np.stack([z, 1 - z, z], axis=1), y, scaling=Raw())
        assert kernel(turned, n_threads=n_threads) == (0, 1, -1.0, 0.0, 0.5)


def test_by_hand():
    """Section 2.1's six cases as a sum: the cut at 0.55 is as good as that at −0.3."""
    x = np.array([-0.9, -0.5, -0.1, 0.4, 0.7, 0.9])
    view = view_of(np.stack([x / 2, x / 2], axis=1), [1, 1, 2, 1, 2, 2], scaling=Raw())
    i, j, sign, cut, merit = kernel(view)
    assert (i, j, sign) == (0, 1, 1.0)
    assert cut == pytest.approx(-0.3)
    assert merit == pytest.approx(0.5 - (4 * (1 - (3 / 4) ** 2 - (1 / 4) ** 2)) / 6)


def test_enormous_tiny_and_constant_sums():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=100), rng.integers(0, 2, 100)
    for scale in (1e307, 1e-308, 5e-324):
        view = view_of(np.stack([x * scale, -x * scale], axis=1), y, scaling=Raw())
        if view.n_columns == 2:
            kernel(view)
    same = view_of(np.stack([x, x], axis=1), y, scaling=Raw())
    assert kernel(same)[:3] == (0, 1, 1.0)  # the difference is constant
    assert kernel(view_of(x[:, None], y)) is None
    assert kernel(view_of(np.stack([x, x], axis=1), y), min_leaf_rows=51) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"merit": "entropy"}, "the kernels know no 'entropy'"),
        ({"choice": "chance"}, "the kernels know no 'chance'"),
    ],
)
def test_refuses_what_it_does_not_know(options, message):
    view = view_of([[0.0, 1.0], [1.0, 0.0]], [0, 1])
    with pytest.raises(ValueError, match=message):
        kernel(view, **options)
    with pytest.raises(ValueError, match="Z must be finite"):
        _core.bit2(
            **{**view.kernel, "Z": np.array([[0.0, np.nan], [1.0, 0.0]])},
            merit="gini",
            choice="merit",
            min_leaf_rows=1,
            n_threads=1,
        )
