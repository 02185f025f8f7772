"""BIT1 against its definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from planetree import _core
from planetree.learners import BIT1
from planetree.scaling import Raw
from reference.bit1 import bit1
from views import view_of

GAMMAS = np.array([-0.25, 0.0, 0.25])


def kernel(view, merit="gini", *, min_leaf_rows=1, n_threads=1, gammas=GAMMAS, **options):
    return _core.bit1(
        **view.kernel,
        merit=merit,
        min_leaf_rows=min_leaf_rows,
        n_threads=n_threads,
        gammas=gammas,
        **{"epsilon": 0.0, "max_cycles": 100, **options},
    )


@st.composite
def nodes(draw):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, p = draw(st.integers(4, 60)), draw(st.integers(2, 4))
    shape = (n, p)
    Z = rng.integers(0, 9, shape) / 8 if draw(st.booleans()) else rng.random(shape)
    y = (Z @ rng.normal(size=p) > rng.normal()) ^ (rng.random(n) < draw(st.sampled_from([0, 0.2])))
    y = y + (rng.random(n) < 0.3) * draw(st.sampled_from([0, 1]))
    return view_of(Z, y, scaling=Raw())


@settings(max_examples=40)
@given(
    view=nodes(),
    min_leaf_rows=st.sampled_from([1, 3]),
    epsilon=st.sampled_from([0.0, 0.01]),
    max_cycles=st.sampled_from([1, 100]),
)
def test_equals_its_definition(view, min_leaf_rows, epsilon, max_cycles):
    options = {"min_leaf_rows": min_leaf_rows, "epsilon": epsilon, "max_cycles": max_cycles}
    expected = bit1(view.Z, view.y, view.n_classes, gammas=GAMMAS, **options)
    found = kernel(view, **options) if view.n_columns > 1 else None
    if view.n_columns > 1:
        assert found == (None if expected is None else tuple(map(float, expected)))


@settings(max_examples=20)
@given(view=nodes(), merit=st.sampled_from(["gini", "information_gain", "twoing", "sum_minority"]))
def test_threads_change_nothing(view, merit):
    if view.n_columns > 1:
        one = kernel(view, merit)
        assert all(kernel(view, merit, n_threads=n) == one for n in (2, 3, 64))


def test_a_slope_that_no_scaling_gives():
    rng = np.random.default_rng(0)
    X = rng.random((400, 4))
    y = 3 * X[:, 1] - X[:, 3] > 0.7
    i, j, w, v = kernel(view_of(X, y, scaling=Raw()))
    assert {i, j} == {1, 3}
    assert (w / v if i == 1 else v / w) == pytest.approx(-3, rel=0.1)


def test_weights_count():
    """Two rows of one kind are one row of weight 2, in every step."""
    rng = np.random.default_rng(0)
    Z, y = rng.random((40, 3)), rng.integers(0, 2, 40)
    twice = rng.integers(1, 3, 40)
    doubled = view_of(np.repeat(Z, twice, axis=0), np.repeat(y, twice), scaling=Raw())
    weighted = view_of(Z, y, twice.astype(float), scaling=Raw())
    assert kernel(doubled) == kernel(weighted)


def test_no_pair_and_no_cut():
    z = np.arange(4.0)
    assert kernel(view_of(np.c_[z, z], [0, 1, 0, 1], scaling=Raw()), min_leaf_rows=3) is None
    assert (
        _core.bit1(
            **view_of(z[:, None], [0, 0, 1, 1], scaling=Raw()).kernel,
            merit="gini",
            min_leaf_rows=1,
            n_threads=1,
            gammas=GAMMAS,
            epsilon=0.0,
            max_cycles=1,
        )
        is None
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gammas": ()}, "BIT1: gammas must be a tuple of numbers"),
        ({"gammas": (np.nan,)}, "BIT1: gammas must be a tuple of numbers"),
        ({"epsilon": -1.0}, "BIT1: epsilon must be a number of at least 0"),
        ({"max_cycles": 0}, "BIT1: max_cycles must be a whole number of at least 1"),
    ],
)
def test_bad_options_are_named(options, message):
    with pytest.raises(ValueError, match=message):
        BIT1(**options).fit(view_of([[0.0, 1.0], [1.0, 0.0]], [0, 1]))
