"""Nodes to learn from, out of random tables or plain arrays."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from planetree.scaling import Deviations
from planetree.schema import Feature, Schema
from planetree.table import Table
from planetree.view import NodeView
from tables import tables


def view_of(X, y, weight=None, *, scaling=None, seed=0, rows=None):
    X, y = np.asarray(X, float), np.asarray(y)
    schema = Schema(tuple(Feature(f"x{j}") for j in range(X.shape[1])))
    classes, codes = np.unique(y, return_inverse=True)
    table = Table(schema, X, codes.astype(np.int32), tuple(classes.tolist()), weight)
    rows = np.arange(len(X), dtype=np.uint32) if rows is None else np.array(rows, np.uint32)
    return NodeView(table, rows, scaling or Deviations(), seed=seed)


@st.composite
def views(draw, *, weights=True):
    """Ties, missing values, symbols, constants, nodes of one class, nodes without a column."""
    table = draw(tables(max_rows=25, weights=weights, symbols=True))
    rows = np.arange(table.n_rows, dtype=np.uint32)
    return NodeView(table, rows, Deviations(), seed=draw(st.integers(0, 2**64 - 1)))


def separable(rng, n_rows, n_columns, n_classes, margin):
    """Classes by the greatest of random discriminants, and no row near a boundary."""
    X = rng.normal(size=(n_rows, n_columns))
    W = rng.normal(size=(n_classes, n_columns + 1))
    values = X @ W[:, :-1].T + W[:, -1]
    second, first = np.sort(values, axis=1)[:, -2:].T
    clear = first - second > margin * np.linalg.norm(W)
    return X[clear], values[clear].argmax(axis=1)
