"""The counts of many linear tests at once are those of each test routed by itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import _core


def counted(Z, y, weight, W, n_classes, n_threads=1):
    """By the definition: one test, one discriminant, one row after the other."""
    n_tests, n_discriminants, _ = W.shape
    values = np.zeros((n_tests, n_discriminants, len(Z)))
    for t in range(n_tests):
        for d in range(n_discriminants):
            values[t, d] = W[t, d, -1]
            for j in range(Z.shape[1]):
                values[t, d] += W[t, d, j] * Z[:, j]
    branch = ~(values[:, 0] <= 0) if n_discriminants == 1 else values.argmax(axis=1)
    n_branches = max(n_discriminants, 2)
    counts = np.zeros((n_tests, n_branches, n_classes))
    rows = np.zeros((n_tests, n_branches), np.int64)
    for t in range(n_tests):
        np.add.at(counts[t], (branch[t].astype(int), y), weight)
        np.add.at(rows[t], branch[t].astype(int), 1)
    return counts, rows


@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(1, 700),
    n_columns=st.integers(0, 4),
    n_tests=st.integers(1, 20),
    n_discriminants=st.integers(1, 4),
    weighted=st.booleans(),
    layout=st.sampled_from("CF"),
    n_threads=st.sampled_from([1, 3]),
)
def test_counts_are_those_of_the_definition(
    seed, n, n_columns, n_tests, n_discriminants, weighted, layout, n_threads
):
    rng = np.random.default_rng(seed)
    Z = rng.integers(-3, 4, (n, n_columns)).astype(float).copy(order=layout)
    y = rng.integers(0, 3, n).astype(np.int32)
    weight = rng.random(n) if weighted else None
    W = rng.integers(-2, 3, (n_tests, n_discriminants, n_columns + 1)).astype(float)
    counts, rows = _core.branch_counts(
        Z=Z,
        y=y,
        weight=weight,
        n_classes=3,
        W=W.reshape(-1, n_columns + 1),
        n_discriminants=n_discriminants,
        n_threads=n_threads,
    )
    expected = counted(Z, y, 1.0 if weight is None else weight, W, 3)
    np.testing.assert_array_equal(rows, expected[1])
    np.testing.assert_allclose(counts, expected[0], rtol=1e-12)


def test_what_the_kernel_refuses():
    Z, y = np.zeros((3, 2)), np.zeros(3, np.int32)
    for W, n_discriminants, message in [
        (np.zeros((2, 2)), 1, "a weight a column and the constant"),
        (np.zeros((3, 3)), 2, "not whole tests"),
        (np.zeros((3, 3)), 0, "not whole tests"),
    ]:
        with pytest.raises(ValueError, match=message):
            _core.branch_counts(
                Z=Z,
                y=y,
                weight=None,
                n_classes=1,
                W=W,
                n_discriminants=n_discriminants,
                n_threads=1,
            )
