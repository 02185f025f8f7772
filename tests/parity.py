"""Trees of every kind, rows that try them hard, and what runs the exports on them.

`tests/test_export_parity.py` uses few rows, `tools/check_exports.py` a hundred thousand.
"""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import sqlite3
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from planetree import export
from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.schema import Feature, Schema
from planetree.tree import Tree

NASTY = (
    'petal "width" <b>',
    "size'; DROP TABLE data; --",
    "select",
    "two\nlines\\n */ // ??/ 🌳",
    "größe %s {0}",
)
SYMBOLS = ("a'b", 'c"d', "<i>&🌳", "x\ny\\", "NULL", "é ??/")


def schema():
    return Schema(
        (
            Feature(NASTY[0], missing=True),
            Feature(NASTY[1], "symbolic", SYMBOLS, missing=True),
            Feature(NASTY[2], missing=True),
            Feature(NASTY[3], "symbolic", ("no", "yes"), missing=True),
            Feature(NASTY[4], "boolean", missing=True),
            Feature("unused"),
        )
    )


def _cut(rng):
    return float(rng.choice([2.45, 0.1, -1 / 3, 0.0, 1.75, rng.normal(), rng.normal() * 1e-9]))


def threshold(rng):
    return Threshold(int(rng.choice([0, 2])), _cut(rng), int(rng.integers(2)))


def known(rng):
    return Known(int(rng.integers(5)))


def boolean(rng):
    return Threshold(4, 0.5, int(rng.integers(2)))


def two_branches(rng):
    if rng.random() < 0.5:
        return Category(3, (0, 1), int(rng.integers(2)), int(rng.integers(2)))
    branches = [int(b) for b in rng.permutation([0, 1, *rng.integers(0, 2, 4)])]
    return Category(1, tuple(branches), int(rng.integers(2)), int(rng.integers(2)))


def many_branches(rng):
    order = rng.permutation([0, 1, 2, 3, *rng.integers(0, 4, 2)])
    return Category(1, tuple(int(b) for b in order), int(rng.integers(4)), int(rng.integers(4)))


def _terms(rng):
    columns = [(0, None), (2, None), (4, None), (1, 2), (1, 4), (3, 1)]
    chosen = rng.permutation(len(columns))[: rng.integers(2, 6)]
    return tuple(Term(*columns[i], float(rng.normal())) for i in chosen)


def unit(rng):
    terms = _terms(rng)
    return LinearThresholdUnit(terms, tuple(rng.normal(size=len(terms)).tolist()), _cut(rng))


def machine(rng):
    terms, n = _terms(rng), int(rng.integers(2, 6))
    weights = rng.choice([0.0, 1.0, *rng.normal(size=5)], (n, len(terms)))
    weights[-1] = weights[0]  # a tie, which the first wins
    return LinearMachine(terms, tuple(map(tuple, weights.tolist())), (*rng.normal(size=n - 1), 0.0))


def shared(rng):
    """A test that sends some rows down every branch, in parts."""
    kind = rng.integers(4)
    if kind == 0:
        return Threshold(int(rng.choice([0, 2])), _cut(rng), None)
    if kind == 1:
        return Threshold(4, 0.5, None)
    places = [(None, 0), (0, None), (None, None)][rng.integers(3)]
    if kind == 2:
        return Category(3, (1, 0), *places)
    branches = [int(b) for b in rng.permutation([0, 1, 2, *rng.integers(0, 3, 2)])]
    return Category(1, (*branches[:2], None, *branches[2:]), *places)


KINDS = {
    "threshold": [threshold],
    "known": [known],
    "boolean": [boolean],
    "two-branches": [two_branches],
    "many-branches": [many_branches],
    "linear": [unit],
    "machine": [machine],
    "mixed": [threshold, known, boolean, two_branches, many_branches, unit, machine],
    "shared": [shared],
    "all": [threshold, known, boolean, two_branches, many_branches, unit, machine, shared],
}
CLASSES = {
    "text": ("it's <b>", 'ja\n"doch"', "🌳 \\n ??/"),
    "whole": (-1, 0, 7),
    "boolean": (False, True),
}


def random_tree(kind, seed=0, classes="text", n_nodes=41):
    rng = np.random.default_rng(seed)
    tests, waiting = [], 1
    while waiting:
        waiting -= 1
        if (len(tests) > 2 and rng.random() < 0.3) or len(tests) + waiting > n_nodes:
            tests.append(None)
            continue
        test = KINDS[kind][rng.integers(len(KINDS[kind]))](rng)
        tests.append(test)
        waiting += test.n_branches
    labels = CLASSES[classes]
    counts = rng.integers(0, 9, (len(tests), len(labels))) + rng.random((len(tests), len(labels)))
    return Tree(schema(), labels, tuple(tests), counts, np.ones(len(tests), np.int64))


def deep_tree(depth=120, shares=False):
    """A chain: every test has a leaf on one side."""
    tests = [Threshold(0, 0.0)]
    for i in range(1, depth):
        tests += [None, Threshold(0, i / 10, None if shares and i % 3 == 0 else i % 2)]
    tests += [None, None]
    rng = np.random.default_rng(0)
    counts = rng.random((len(tests), 2))
    return Tree(schema(), ("left", "right"), tuple(tests), counts, np.ones(len(tests), np.int64))


def any_tree(kind):
    """The tree that stands for a kind of tests, or for depth."""
    if kind in ("deep", "deep shared"):
        return deep_tree(shares=kind == "deep shared")
    return random_tree(kind)


EVERY_KIND = [*KINDS, "deep", "deep shared"]


def rows_for(tree, n, seed=1, subnormal=True):
    """Random values, cuts themselves, their neighbours, missing values, symbols never seen.

    PostgreSQL takes a product that is too small for a double for an error: `subnormal=False`.
    """
    rng = np.random.default_rng(seed)
    cuts = [t.cut for t in tree.tests if isinstance(t, Threshold)] or [0.0]
    cuts = np.array([c for cut in cuts for c in (cut, np.nextafter(cut, 9), np.nextafter(cut, -9))])
    columns = []
    for feature in tree.schema.features:
        if feature.kind == "symbolic":
            x = rng.integers(0, len(feature.symbols) + 1, n).astype(float)
        elif feature.kind == "boolean":
            x = rng.integers(0, 2, n).astype(float)
        else:
            x = np.where(rng.random(n) < 0.4, rng.choice(cuts, n), rng.normal(size=n) * 3)
        x[rng.random(n) < 0.15] = np.nan
        columns.append(x)
    X = np.column_stack(columns)
    _put_on_planes(tree, X, rng)
    if not subnormal:
        X[(np.abs(X) < 1e-200) & (X != 0)] = 1e-200
    return X


def _put_on_planes(tree, X, rng):
    """Move some rows onto a plane as nearly as doubles can, so that the last bit decides."""
    units = [t for t in tree.tests if isinstance(t, LinearThresholdUnit)]
    for test in units:
        numbers = [
            (t.feature, w)
            for t, w in zip(test.terms, test.weights)
            if t.symbol is None and t.feature != 4
        ]
        if not numbers:
            continue
        feature, weight = numbers[-1]
        rows = rng.choice(len(X), len(X) // (4 * len(units)) + 1, replace=False)
        rows = rows[~np.isnan(X[rows, feature])]
        with np.errstate(all="ignore"):
            X[rows, feature] += (test.cut - test.project(X[rows])) / weight


def values_of(tree, X):
    """The rows as a user has them: a list of values or None a column."""
    columns = []
    for feature, x in zip(tree.schema.features, X.T):
        if feature.kind == "numeric":
            columns.append([None if v != v else float(v) for v in x])
        else:
            stranger = "never seen"
            columns.append(
                [
                    None if v != v else stranger if feature.is_unseen(v) else feature.value(v)
                    for v in x
                ]
            )
    return columns


def expected(tree, X):
    return [tree.classes[c] for c in tree.predict(X)], tree.predict_proba(X)


# --- the exports, run: each returns labels and probabilities -----------------------------------


def run_python(tree, X, folder=None):
    module = {}
    exec(compile(export.to_python(tree), "exported", "exec"), module)
    names = tree.schema.names
    rows = [dict(zip(names, row)) for row in zip(*values_of(tree, X))]
    labels = [module["predict"](row) for row in rows]
    shares = [list(module["predict_proba"](row).values()) for row in rows]
    return labels, np.array(shares)


DRIVER = """
#include "model.h"
#include <stddef.h>
void run(size_t n, const double *numbers, const char *const *texts, int *labels, double *shares)
{
    size_t i;
    (void)numbers;
    (void)texts;
    for (i = 0; i < n; ++i) {
        struct model_row row;
        @READ@
        labels[i] = model_predict(&row);
        model_proba(&row, shares + i * MODEL_CLASSES);
    }
}
const char *label(int i) { return model_classes[i]; }
"""
C_FLAGS = ("-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-O2", "-ffp-contract=fast")
if platform.machine() == "x86_64":
    C_FLAGS += ("-march=x86-64-v3",)  # which has a fused multiply-add


def run_c(tree, X, folder, flags=()):
    from planetree.export.c import RESERVED
    from planetree.export.source import identifiers, used_features

    (Path(folder) / "model.h").write_text(export.to_c(tree), encoding="utf-8")
    fields = identifiers(tree.schema.names, RESERVED)
    reads = []
    width = len(tree.schema.features)
    for f in used_features(tree):
        at = f"[i * {width} + {f}]"
        if tree.schema.features[f].kind == "symbolic":
            reads.append(f"row.{fields[f]} = model_code_{fields[f]}(texts{at});")
        else:
            reads.append(f"row.{fields[f]} = numbers{at};")
    driver = Path(folder) / "driver.c"
    driver.write_text(DRIVER.replace("@READ@", "\n        ".join(reads)), encoding="utf-8")
    library = Path(folder) / "driver.so"
    command = ["cc", *C_FLAGS, *flags, "-shared", "-fPIC", str(driver), "-o", str(library)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = ctypes.CDLL(str(library))
    columns = values_of(tree, X)
    texts = (ctypes.c_char_p * X.size)()
    numbers = np.full(X.shape, np.nan)
    for f, feature in enumerate(tree.schema.features):
        if feature.kind == "symbolic":
            for i, value in enumerate(columns[f]):
                texts[i * width + f] = None if value is None else value.encode()
        else:
            numbers[:, f] = X[:, f]
    labels = np.zeros(len(X), np.int32)
    shares = np.zeros((len(X), len(tree.classes)))
    loaded.run(
        ctypes.c_size_t(len(X)),
        numbers.ctypes.data_as(ctypes.c_void_p),
        texts,
        labels.ctypes.data_as(ctypes.c_void_p),
        shares.ctypes.data_as(ctypes.c_void_p),
    )
    loaded.label.restype = ctypes.c_char_p
    names = [loaded.label(i).decode() for i in range(len(tree.classes))]
    assert names == [str(label) for label in tree.classes]
    return [tree.classes[i] for i in labels], shares


def onnx_inputs(tree, X, dtype=np.float64):
    if tree.schema.only_numbers:
        return {"X": X.astype(dtype)}
    inputs = {}
    for feature, x, values in zip(tree.schema.features, X.T, values_of(tree, X)):
        if feature.kind == "symbolic":
            text = np.array(["" if v is None else v for v in values], dtype=object)
            inputs[feature.name] = text[:, None]
        else:
            inputs[feature.name] = x.astype(dtype)[:, None]
    return inputs


def run_onnx(tree, X, folder=None, single=False):
    import onnxruntime

    model = export.to_onnx(tree, single=single).SerializeToString()
    session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
    inputs = onnx_inputs(tree, X, np.float32 if single else np.float64)
    labels, shares = session.run(None, inputs)
    return labels.tolist(), shares


def _create(tree, types):
    def quoted(name):
        return '"' + name.replace('"', '""') + '"'

    columns = [f"{quoted(f.name)} {types[f.kind]}" for f in tree.schema.features]
    return f"CREATE TABLE data (id INTEGER, {', '.join(columns)})"


def _answer(tree, rows):
    rows = sorted(rows)
    kind = type(tree.classes[0])
    labels = [kind(row[1]) for row in rows]
    return labels, np.array([row[2:] for row in rows])


def _table(tree, X):
    return list(zip(range(len(X)), *values_of(tree, X)))


def run_sqlite(tree, X, folder=None, dialect="sqlite"):
    with sqlite3.connect(":memory:") as db:
        types = {"numeric": "REAL", "symbolic": "TEXT", "boolean": "BOOLEAN"}
        db.execute(_create(tree, types))
        marks = ", ".join("?" * (1 + X.shape[1]))
        db.executemany(f"INSERT INTO data VALUES ({marks})", _table(tree, X))
        rows = db.execute(export.to_sql(tree, dialect=dialect, keep=["id"])).fetchall()
    db.close()
    return _answer(tree, rows)


def run_duckdb(tree, X, folder=None, dialect="duckdb"):
    import duckdb
    import pandas as pd

    db = duckdb.connect()
    types = {"numeric": "DOUBLE", "symbolic": "VARCHAR", "boolean": "BOOLEAN"}
    db.execute(_create(tree, types))
    columns = zip(tree.schema.features, X.T, values_of(tree, X))
    frame = pd.DataFrame(
        {
            f"c{j}": x if feature.kind == "numeric" else pd.array(v, dtype="object")
            for j, (feature, x, v) in enumerate(columns)
        }
    )
    frame.insert(0, "id", range(len(X)))
    db.register("given", frame)
    db.execute("INSERT INTO data SELECT * FROM given")
    rows = db.execute(export.to_sql(tree, dialect=dialect, keep=["id"])).fetchall()
    db.close()
    return _answer(tree, rows)


def run_postgresql(tree, X, connection, dialect="postgresql"):
    with connection.cursor() as cursor:
        cursor.execute("DROP TABLE IF EXISTS data")
        types = {"numeric": "DOUBLE PRECISION", "symbolic": "TEXT", "boolean": "BOOLEAN"}
        cursor.execute(_create(tree, types))
        with cursor.copy("COPY data FROM STDIN") as copy:
            for row in _table(tree, X):
                copy.write_row(row)
        cursor.execute(export.to_sql(tree, dialect=dialect, keep=["id"]))
        return _answer(tree, cursor.fetchall())


# --- a PostgreSQL of our own ------------------------------------------------------------------


def postgresql_tools():
    """Where initdb and pg_ctl are; None where PostgreSQL is not installed."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: float(p.parent.name))
    for folder in [None, *map(str, reversed(folders))]:
        found = [shutil.which(name, path=folder) for name in ("initdb", "pg_ctl")]
        if all(found):
            return found
    return None


@contextmanager
def postgresql():
    """A connection to a new cluster in a folder of its own, reached by a socket there alone."""
    import psycopg

    tools = postgresql_tools()
    assert tools is not None
    initdb, pg_ctl = tools
    with tempfile.TemporaryDirectory(prefix="pt-pg-") as folder:
        # PostgreSQL refuses to run as root, who can lend the folder to somebody else.
        user = None
        if os.geteuid() == 0:
            import pwd

            known = {entry.pw_name for entry in pwd.getpwall()}
            user = "postgres" if "postgres" in known else "nobody"
            shutil.chown(folder, user)
        data = f"{folder}/data"

        def run(*command):
            done = subprocess.run(
                ["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh", *command],
                user=user,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                text=True,
                cwd=folder,
                timeout=60,
            )
            assert done.returncode == 0, done.stderr

        run(initdb, "-D", data, "-U", "planetree", "-A", "trust", "-E", "UTF8", "--no-locale", "-N")
        options = f"-k {folder} -c listen_addresses= -c fsync=off -c statement_timeout=300s"
        run(pg_ctl, "-D", data, "-w", "-o", options, "-l", f"{folder}/log", "start")
        try:
            address = f"host={folder} user=planetree dbname=postgres"
            with psycopg.connect(address, autocommit=True) as connection:
                yield connection
        finally:
            run(pg_ctl, "-D", data, "-w", "-m", "immediate", "stop")
