"""Random tables for the property tests: ties, missing values, constants, weights, classes."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from planetree.schema import Feature, Schema
from planetree.table import Table


@st.composite
def tables(draw, *, max_rows=60, weights=True, missing=True, symbols=False):
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(2, max_rows))
    n_classes = draw(st.integers(2, 5))
    columns, features = [], []
    for j in range(draw(st.integers(1, 5))):
        kind = draw(
            st.sampled_from(
                ["continuous", "few", "binary", "constant", "close", *["symbolic"] * symbols]
            )
        )
        x = {
            "continuous": lambda: rng.normal(size=n),
            "few": lambda: rng.integers(0, 6, n) / 4,
            "binary": lambda: rng.integers(0, 2, n).astype(float),
            "constant": lambda: np.full(n, -3.25),
            "close": lambda: 1 + rng.integers(0, 9, n) * 2.0**-52,
            "symbolic": lambda: rng.integers(0, 4, n).astype(float),
        }[kind]()
        if missing and draw(st.booleans()):
            x[rng.random(n) < draw(st.sampled_from([0.1, 0.5, 1.0]))] = np.nan
        symbolic = ("symbolic", ("a", "b", "c", "d")) if kind == "symbolic" else ()
        features.append(Feature(f"x{j}", *symbolic, missing=bool(np.isnan(x).any())))
        columns.append(x)
    weight = None
    if weights and draw(st.booleans()):
        weight = draw(
            st.sampled_from(
                [rng.random(n) + 0.01, rng.integers(1, 4, n).astype(float), rng.lognormal(0, 5, n)]
            )
        )
    y = rng.integers(0, n_classes, n).astype(np.int32)
    layout = draw(st.sampled_from("CF"))
    X = np.array(columns, order="C").T.copy(order=layout)
    return Table(Schema(tuple(features)), X, y, tuple(range(n_classes)), weight)
