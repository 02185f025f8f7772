"""Prove that every export predicts what its tree predicts, and print how long each took.

For every kind of test, 100 000 rows: random values, values on a cut and beside it, missing values,
symbols never seen, rows moved onto a plane as nearly as doubles can. The class must be the same and
the probabilities must agree to 1e-12. For PostgreSQL a cluster is made in a temporary folder and
thrown away; what is not installed is said, and not checked.
"""

from __future__ import annotations

import argparse
import importlib
import platform
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import nullcontext, suppress
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import parity

PAGE = Path(__file__).parent.parent / "docs" / "exports.md"
END = "<!-- to here -->"


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


def single_precision(kind, n):
    """What single precision costs in ONNX: rows with another class, among hard and random ones."""
    tree = parity.random_tree(kind)
    hard = parity.rows_for(tree, n)
    plain = np.random.default_rng(2).normal(size=hard.shape) * 3
    for j, feature in enumerate(tree.schema.features):
        if feature.kind != "numeric":
            plain[:, j] = hard[:, j]
    wrong = []
    for X in (hard, plain):
        want = parity.expected(tree, X)[0]
        got = parity.run_onnx(tree, X, single=True)[0]
        wrong.append(sum(a != b for a, b in zip(got, want, strict=True)))
    return wrong


def versions(connection):
    """What the exports were run by."""
    named = {"CPython": platform.python_version(), "SQLite": sqlite3.sqlite_version}
    if shutil.which("cc"):
        done = subprocess.run(["cc", "-dumpfullversion"], capture_output=True, text=True)
        named["GCC"] = done.stdout.strip()
    for name, module in (("DuckDB", "duckdb"), ("ONNX Runtime", "onnxruntime")):
        with suppress(ImportError):
            named[name] = importlib.import_module(module).__version__
    if connection:
        named["PostgreSQL"] = connection.execute("SHOW server_version").fetchone()[0].split()[0]
    return ", ".join(f"{name} {version}" for name, version in named.items())


def table(head, rows):
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--write", action="store_true", help=f"put the figures into {PAGE.name}")
    options = parser.parse_args()
    try:
        import psycopg  # noqa: F401

        there = parity.postgresql_tools() is not None
    except ImportError:
        there = False
    failed, n_runs, largest = 0, 0, 0.0
    took, cost = [], []
    print("started a PostgreSQL cluster in a temporary folder" if there else "no PostgreSQL here")
    with parity.postgresql() if there else nullcontext() as connection:
        known = runs(connection)
        for name, run in known.items():
            if run is None:
                print(f"{name}: not installed, not checked")
        known = {name: run for name, run in known.items() if run is not None}
        by = versions(connection)
        for kind in parity.EVERY_KIND:
            tree = parity.any_tree(kind)
            took.append([kind])
            for name, run in known.items():
                X = parity.rows_for(tree, options.rows, subnormal=name != "PostgreSQL")
                with tempfile.TemporaryDirectory() as folder:
                    wrong, most, seconds = check(tree, X, run, folder)
                failed += wrong > 0 or most > 1e-12
                n_runs, largest = n_runs + 1, max(largest, most)
                took[-1].append(f"{seconds:.1f} s")
                print(
                    f"{kind:14} {name:13} {wrong} of {len(X)} classes differ, "
                    f"probabilities by {most:.1g}, {seconds:.1f} s",
                    flush=True,
                )
        if "ONNX Runtime" in known:
            print("\nONNX in single precision:")
            for kind in parity.KINDS:
                cost.append([kind, *single_precision(kind, options.rows)])
                print(f"{kind:14} {cost[-1][1]:6} hard and {cost[-1][2]:6} random rows differ")
    print(f"\n{n_runs} runs, {failed} of them with differences; {by}")
    if options.write:
        parts = {
            "parity": f"{n_runs} runs of {options.rows} rows, {failed} with differences; the "
            f"largest difference of a probability was {largest:.2g}.\n\n"
            + table(["tests of the tree", *known], took)
            + f"\n\n{by}.",
            "single": table(["tests of the tree", "hard", "random"], cost),
        }
        text = PAGE.read_text(encoding="utf-8")
        for name, part in parts.items():
            made = f"<!-- {name}: made by make check-exports ARGS=--write -->\n"
            before, _, rest = text.partition(made)
            text = f"{before}{made}\n{part}\n\n{END}{rest.partition(END)[2]}"
        PAGE.write_text(text, encoding="utf-8")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
