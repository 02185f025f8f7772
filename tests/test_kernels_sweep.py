"""The sweep against trying every cut, and against cases worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import _core
from reference.thresholds import MERITS, all_cuts, best_merit
from tables import tables


def best_cuts(
    X, y, merit="gini", *, rows=None, weight=None, min_leaf_rows=1, n_threads=1, n_classes=None
):
    X = np.asarray(X, float)
    return _core.best_cuts(
        X=X,
        y=np.asarray(y, np.int32),
        weight=weight,
        rows=np.arange(len(X), dtype=np.uint32) if rows is None else rows,
        columns=np.arange(X.shape[1], dtype=np.int32),
        n_classes=n_classes or int(np.max(y)) + 1,
        merit=merit,
        min_leaf_rows=min_leaf_rows,
        n_threads=n_threads,
    )


# Six cases, cut between the fourth and the fifth: 3 + 1 of the classes left, 0 + 2 right.
BY_HAND = {
    "gini": 1 / 2 - 4 / 6 * (1 - 9 / 16 - 1 / 16),
    "information_gain": 1 - 4 / 6 * (-(3 / 4) * np.log2(3 / 4) - 1 / 4 * np.log2(1 / 4)),
    "twoing": 4 / 6 * 2 / 6 / 4 * (3 / 4 + 3 / 4) ** 2,
    "max_minority": 3 - 1,
    "sum_minority": 3 - 1,
    "misclassification": (3 - 1) / 6,
}


@pytest.mark.parametrize("merit", BY_HAND)
def test_by_hand(merit):
    # At 4.5 the sides are (3, 1) and (0, 2), at 2.5 (2, 0) and (1, 3); at 3.5 (2, 1) and (1, 2).
    cuts = best_cuts([[1.0], [2.0], [3.0], [4.0], [5.0], [6.0]], [0, 0, 1, 0, 1, 1], merit)
    assert cuts["cut"][0] in (2.5, 4.5)
    assert cuts["merit"][0] == pytest.approx(BY_HAND[merit], abs=1e-15)
    assert cuts["missing_right"][0] == (cuts["cut"][0] == 2.5)  # the heavier side


@pytest.mark.parametrize("merit", MERITS)
@given(table=tables(), min_leaf_rows=st.integers(1, 4), data=st.data())
def test_equals_trying_every_cut(merit, table, min_leaf_rows, data):
    keep = data.draw(st.sampled_from([1.0, 0.6]))
    rows = np.flatnonzero(np.random.default_rng(0).random(table.n_rows) <= keep).astype(np.uint32)
    if not len(rows):
        return
    weight = np.ones(table.n_rows) if table.weight is None else table.weight
    k = len(table.classes)
    found = best_cuts(
        table.X,
        table.y,
        merit,
        rows=rows,
        weight=table.weight,
        min_leaf_rows=min_leaf_rows,
        n_classes=k,
    )
    for j in range(table.X.shape[1]):
        arguments = table.X[rows, j], table.y[rows], weight[rows], k, merit, min_leaf_rows
        expected = best_merit(*arguments)
        assert found["found"][j] == (expected is not None)
        if expected is None:
            continue
        scale = weight[rows].sum() if "minority" in merit else 1.0
        assert found["merit"][j] == pytest.approx(max(expected, 0.0), abs=1e-11 * scale)
        # The cut it names has that merit.
        named = [
            m
            for m, cut, known_test, missing_right in all_cuts(*arguments)
            if known_test == found["known_test"][j]
            and (known_test or abs(cut - found["cut"][j]) <= 2**-52)
            and missing_right in (None, found["missing_right"][j])
        ]
        assert max(named) == pytest.approx(expected, abs=1e-11 * scale)


@given(table=tables(max_rows=200))
def test_threads_change_nothing(table):
    arguments = {"weight": table.weight, "n_classes": len(table.classes)}
    one = best_cuts(table.X, table.y, **arguments)
    three = best_cuts(table.X, table.y, n_threads=3, **arguments)
    for name, values in one.items():
        np.testing.assert_array_equal(values, three[name])


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("n", [63, 64, 65, 128, 200, 1000])
def test_blocks_and_filter_miss_nothing(n, n_classes):
    """Gini over whole counts skips blocks that cannot win; with weights of 1 all is scored."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 20))
    X[:, 10:] = X[:, 10:].round(1)
    X[rng.random(X.shape) < 0.05] = np.nan
    y = rng.integers(0, n_classes, n)
    fast = best_cuts(X, y)
    plain = best_cuts(X, y, weight=np.ones(n))
    for name, values in plain.items():
        np.testing.assert_array_equal(values, fast[name], err_msg=name)


def test_cut_lies_between_the_two_values():
    tiny = np.nextafter(1.0, 2.0)
    huge = np.finfo(float).max
    for low, high in [
        (1.0, tiny),
        (-huge, huge),
        (huge / 2, huge),
        (-0.0, 5e-324),
        (-5e-324, 0.0),
        (1.0, 1.0 + 1e-12),
    ]:
        cut = best_cuts([[low], [high]], [0, 1])["cut"][0]
        assert low <= cut < high


def test_both_zeros_are_one_value():
    assert not best_cuts([[0.0], [-0.0]], [0, 1])["found"][0]


def test_many_values_that_differ_in_the_last_bits_are_sorted():
    rng = np.random.default_rng(1)
    x = np.concatenate([1 + rng.permutation(3000) * 2.0**-52, [-1e300, 1e300]])
    y = np.concatenate([x[:3000] > 1 + 1234 * 2.0**-52, [0, 1]]).astype(np.int32)
    cuts = best_cuts(x[:, None], y)
    assert cuts["merit"][0] == pytest.approx(
        MERITS["gini"](np.bincount(y[y == 0], minlength=2), np.bincount(y[y == 1]))
    )


def test_best_merit_agrees_with_the_python_merit_classes():
    from planetree import merits
    from planetree.testing import check_merit

    rng = np.random.default_rng(0)
    for name in merits.__all__:
        if name == "Merit":
            continue
        merit = getattr(merits, name)()
        check_merit(merit)
        if name == "GainRatio":
            continue
        left, right = rng.integers(0, 9, (2, 40, 3)).astype(float)
        left[:, 0] += 1
        right[:, 1] += 1
        expected = [MERITS[merit.native](a, b) for a, b in zip(left, right)]
        np.testing.assert_allclose(merit(np.stack([left, right], axis=1)), expected, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"y": np.array([0, 7], np.int32)}, "a label is not a class"),
        ({"y": np.array([0, -1], np.int32)}, "a label is not a class"),
        ({"y": np.array([0], np.int32)}, "differ in length"),
        ({"rows": np.array([0, 9], np.uint32)}, "a row is not in X"),
        ({"rows": np.array([1, 0], np.uint32)}, "rows must rise"),
        ({"columns": np.array([3], np.int32)}, "a column is not in X"),
        ({"columns": np.array([-1], np.int32)}, "a column is not in X"),
        ({"merit": "ginny"}, "know no 'ginny'"),
        ({"weight": np.ones(3)}, "differ in length"),
        ({"n_classes": 0}, "there must be a class"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(change, message):
    arguments = {
        "X": np.array([[1.0], [2.0]]),
        "y": np.array([0, 1], np.int32),
        "weight": None,
        "rows": np.arange(2, dtype=np.uint32),
        "columns": np.arange(1, dtype=np.int32),
        "n_classes": 2,
        "merit": "gini",
        "min_leaf_rows": 1,
        "n_threads": 1,
    }
    with pytest.raises(ValueError, match=message):
        _core.best_cuts(**{**arguments, **change})
