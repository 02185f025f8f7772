"""Prove that every export predicts what its tree predicts, and print how long each took.

For every kind of test, 100 000 rows: random values, values on a cut and beside it, missing values,
symbols never seen, rows moved onto a plane as nearly as doubles can. The class must be the same and
the probabilities must agree to 1e-12. For PostgreSQL a cluster is made in a temporary folder and
thrown away; what is not installed is said, and not checked.
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys
import tempfile
import time
from contextlib import nullcontext
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import parity


def runs(connection):
    """What runs the exports here; None where it is not installed."""

    def needs(run, *modules, there=True):
        for module in modules:
            try:
                importlib.import_module(module)
            except ImportError:
                there = False
        return run if there else None

    return {
        "CPython": parity.run_python,
        "cc": needs(parity.run_c, there=shutil.which("cc") is not None),
        "SQLite": parity.run_sqlite,
        "DuckDB": needs(parity.run_duckdb, "duckdb"),
        "PostgreSQL": connection
        and (lambda tree, X, _: parity.run_postgresql(tree, X, connection)),
        "ONNX Runtime": needs(parity.run_onnx, "onnx", "onnxruntime"),
    }


def check(tree, X, run, folder):
    """Rows with another class, the largest difference of a probability, seconds."""
    want, shares = parity.expected(tree, X)
    start = time.perf_counter()
    labels, got = run(tree, X, folder)
    seconds = time.perf_counter() - start
    wrong = sum(a != b for a, b in zip(labels, want, strict=True))
    return wrong, float(np.abs(got - shares).max()), seconds


def single_precision(n):
    """What single precision costs in ONNX: rows with another class."""
    for kind in parity.KINDS:
        tree = parity.random_tree(kind)
        for what, X in (
            ("hard", parity.rows_for(tree, n)),
            ("random", np.random.default_rng(2).normal(size=(n, 6)) * 3),
        ):
            for j, feature in enumerate(tree.schema.features):
                if what == "random" and feature.kind != "numeric":
                    X[:, j] = parity.rows_for(tree, n)[:, j]
            want = parity.expected(tree, X)[0]
            got = parity.run_onnx(tree, X, single=True)[0]
            wrong = sum(a != b for a, b in zip(got, want, strict=True))
            print(f"{kind:14} {what:7} {wrong:6} of {n} rows get another class", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    try:
        import psycopg  # noqa: F401

        there = parity.postgresql_tools() is not None
    except ImportError:
        there = False
    failed = 0
    print("started a PostgreSQL cluster in a temporary folder" if there else "no PostgreSQL here")
    with parity.postgresql() if there else nullcontext() as connection:
        known = runs(connection)
        for name, run in known.items():
            if run is None:
                print(f"{name}: not installed, not checked")
        known = {name: run for name, run in known.items() if run is not None}
        for kind in [*parity.KINDS, "deep"]:
            tree = parity.deep_tree() if kind == "deep" else parity.random_tree(kind)
            for name, run in known.items():
                X = parity.rows_for(tree, options.rows, subnormal=name != "PostgreSQL")
                with tempfile.TemporaryDirectory() as folder:
                    wrong, most, seconds = check(tree, X, run, folder)
                failed += wrong > 0 or most > 1e-12
                print(
                    f"{kind:14} {name:13} {wrong} of {len(X)} classes differ, "
                    f"probabilities by {most:.1g}, {seconds:.1f} s",
                    flush=True,
                )
        if "ONNX Runtime" in known:
            print("\nONNX in single precision:")
            single_precision(options.rows)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
