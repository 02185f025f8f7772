"""Every export predicts what the tree predicts: the same class, the probabilities to 1e-12.

Few rows here; `make check-exports` does it with a hundred thousand.
"""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import parity
from planetree import PlaneTreeClassifier, datasets, export
from planetree.encoding import Products
from planetree.export.sql import DIALECTS
from planetree.learners import BIT2
from planetree.presets import C45, CART
from planetree.pruners import Unpruned

N_ROWS = 300

needs_cc = pytest.mark.skipif(not shutil.which("cc"), reason="no C compiler here")
RUNS = [
    pytest.param(parity.run_python, id="python"),
    pytest.param(parity.run_c, id="c", marks=needs_cc),
    pytest.param(parity.run_sqlite, id="sqlite"),
    pytest.param(parity.run_duckdb, id="duckdb"),
    pytest.param(parity.run_onnx, id="onnx"),
]


@pytest.fixture(scope="module")
def postgresql():
    pytest.importorskip("psycopg")
    if parity.postgresql_tools() is None:
        pytest.skip("no PostgreSQL server here (initdb, pg_ctl)")
    with parity.postgresql() as connection:
        yield connection


def importing(run):
    for name in ("duckdb", "onnx"):
        if name in run.__name__:
            pytest.importorskip(name)
    if "onnx" in run.__name__:
        pytest.importorskip("onnxruntime")


def agree(tree, X, answer):
    labels, shares = answer
    want, probabilities = parity.expected(tree, X)
    assert labels == want
    assert {type(label) for label in labels} <= {type(label) for label in tree.classes}
    np.testing.assert_allclose(shares, probabilities, rtol=0, atol=1e-12)


@pytest.mark.parametrize("run", RUNS)
def test_products_of_two_features(run, tmp_path):
    """Their columns have names that no language has for its own."""
    importing(run)
    X = np.random.default_rng(0).uniform(-1, 1, (N_ROWS, 2))
    made = Products(center=True, squares=True).fit_transform({"a": X[:, 0], "b c": X[:, 1]})
    model = PlaneTreeClassifier(learner=BIT2(), max_depth=4).fit(made, X.prod(axis=1) > 0.1)
    rows = np.stack([*made.values()], axis=1)
    agree(model.tree_, rows, run(model.tree_, rows, tmp_path))


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("kind", parity.KINDS)
def test_every_kind_of_test(kind, run, tmp_path):
    importing(run)
    tree = parity.random_tree(kind)
    X = parity.rows_for(tree, N_ROWS)
    agree(tree, X, run(tree, X, tmp_path))


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("classes", ["whole", "boolean"])
def test_every_kind_of_class(classes, run, tmp_path):
    importing(run)
    tree = parity.random_tree("mixed", seed=5, classes=classes)
    X = parity.rows_for(tree, N_ROWS)
    agree(tree, X, run(tree, X, tmp_path))


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("shape", ["deep", "deep shared", "leaf"])
def test_deep_trees_and_leaves_alone(shape, run, tmp_path):
    importing(run)
    leaf = shape == "leaf"
    tree = parity.random_tree("mixed").prune_at([0]) if leaf else parity.any_tree(shape)
    X = parity.rows_for(tree, N_ROWS)
    agree(tree, X, run(tree, X, tmp_path))


@pytest.mark.parametrize("run", RUNS)
def test_equal_probabilities_of_a_row_in_parts_go_to_the_first_class(run, tmp_path):
    """Sums over leaves are equal to the last bit, or another class would win."""
    importing(run)
    X, y = datasets.load_vote(return_X_y=True)
    tree = C45(pruner=Unpruned()).fit(X, y).tree_
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 2, (N_ROWS, X.shape[1])).astype(float)
    rows[rng.random(rows.shape) < 0.5] = np.nan
    assert tree.shares
    assert (np.diff(tree.parts(rows).indptr) > 2).mean() > 0.5
    answer = run(tree, rows, tmp_path)
    agree(tree, rows, answer)
    np.testing.assert_array_equal(answer[1], tree.predict_proba(rows))


@pytest.mark.parametrize("kind", parity.EVERY_KIND)
def test_postgresql(kind, postgresql):
    tree = parity.any_tree(kind)
    X = parity.rows_for(tree, N_ROWS, subnormal=False)
    agree(tree, X, parity.run_postgresql(tree, X, postgresql))
    agree(tree, X, parity.run_postgresql(tree, X, postgresql, "ansi"))


@pytest.mark.parametrize("kind", parity.KINDS)
def test_ansi_sql_in_duckdb(kind):
    pytest.importorskip("duckdb")
    tree = parity.random_tree(kind, seed=2)
    X = parity.rows_for(tree, N_ROWS)
    agree(tree, X, parity.run_duckdb(tree, X, dialect="ansi"))


@given(value=st.floats(allow_nan=False, allow_infinity=False))
def test_sqlite_reads_every_number_to_the_last_bit(value):
    import sqlite3

    db = sqlite3.connect(":memory:")
    (read,) = db.execute(f"SELECT {DIALECTS['sqlite'].number(value)}").fetchone()
    db.close()
    assert read == value


def test_nan_is_missing_where_a_database_knows_it():
    duckdb = pytest.importorskip("duckdb")
    tree = parity.random_tree("threshold", seed=4)
    X = parity.rows_for(tree, 50)
    db = duckdb.connect()
    names = ['"' + n.replace('"', '""') + '"' for n in tree.schema.names]
    db.execute(f"CREATE TABLE data (id INTEGER, {', '.join(f'{n} VARCHAR' for n in names)})")
    rows = [(i, *map(str, row)) for i, row in enumerate(X)]  # missing values are the text nan
    db.executemany(f"INSERT INTO data VALUES ({', '.join('?' * 7)})", rows)
    found = db.execute(export.to_sql(tree, dialect="duckdb", keep=["id"])).fetchall()
    db.close()
    assert [row[1] for row in sorted(found)] == parity.expected(tree, X)[0]


# --- rules -----------------------------------------------------------------------------------


def holds(condition, row):
    """What a reader of the JSON has to do."""

    def total(terms, start=0.0):
        for term in terms:
            held = row[term["feature"]]
            if held is None:
                value = term["missing_as"]
            else:
                value = float(held == term["symbol"]) if "symbol" in term else float(held)
            start += term["weight"] * value
        return start

    kind, value = condition["is"], condition.get("value")
    if "sum" in condition:
        return (total(condition["sum"]) <= value) == (kind == "<=")
    if "sums" in condition:
        sums = [total(s["sum"], s["constant"]) for s in condition["sums"]]
        return sums.index(max(sums)) == value
    held = row[condition["feature"]]
    if kind in ("known", "missing"):
        return (held is None) == (kind == "missing")
    if held is None:
        return condition["missing"]
    if kind != "in":
        return (held <= value) == (kind == "<=")
    features = {f["name"]: f for f in json_of["features"]}
    if held not in features[condition["feature"]]["symbols"]:
        return condition["unseen"]
    return held in value


json_of: dict = {}


@pytest.mark.parametrize("kind", parity.KINDS)
def test_rules_as_json(kind):
    tree = parity.random_tree(kind)
    X = parity.rows_for(tree, 100)
    json_of.update(json.loads(export.to_rules_json(tree)))
    names = tree.schema.names
    whole = np.diff(tree.parts(X).indptr) == 1
    assert whole.any()
    for values, want, at_one_leaf in zip(
        zip(*parity.values_of(tree, X)), parity.expected(tree, X)[0], whole
    ):
        row = dict(zip(names, values))
        fired = [r["then"] for r in json_of["rules"] if all(holds(c, row) for c in r["if"])]
        # A condition on a value that is missing does not hold where it would send a row both ways.
        assert fired == ([want] if at_one_leaf else [])


# --- ONNX ------------------------------------------------------------------------------------


def linear_machine_tree(n_classes=3):
    from planetree.learners import RLS

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = np.array(["a", "b", "c"])[(X @ rng.normal(size=(4, n_classes))).argmax(axis=1)]
    X[rng.random(X.shape) < 0.05] = np.nan
    return PlaneTreeClassifier(learner=RLS(), univariate=False, max_depth=4).fit(X, y), X


def test_onnx_takes_one_matrix_of_numbers():
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    model, X = linear_machine_tree()
    labels, shares = parity.run_onnx(model.tree_, X)
    assert labels == model.predict(X).tolist()
    assert shares.dtype == np.float64
    np.testing.assert_array_equal(shares, model.predict_proba(X))


def test_onnx_of_single_precision_errs_just_above_a_cut_only():
    pytest.importorskip("onnx")
    pytest.importorskip("onnxruntime")
    tree = CART(pruner=Unpruned()).fit([[0.1], [0.3]], ["low", "high"]).tree_
    cut = tree.tests[0].cut
    X = np.array([[cut], [np.nextafter(cut, 1)], [cut + 1e-7], [0.0], [np.nan]])
    labels, shares = parity.run_onnx(tree, X, single=True)
    want = parity.expected(tree, X)[0]
    assert [a == b for a, b in zip(labels, want)] == [True, False, True, True, True]
    assert shares.dtype == np.float32
    assert parity.run_onnx(tree, X)[0] == want


@pytest.fixture
def skl2onnx():
    pytest.importorskip("onnxruntime")
    skl2onnx = pytest.importorskip("skl2onnx")
    export.register_converter()
    return skl2onnx


def run_pipeline(converted, inputs):
    import onnxruntime

    return onnxruntime.InferenceSession(converted.SerializeToString()).run(None, inputs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_pipeline_with_numbers(skl2onnx):
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    model, X = linear_machine_tree()
    X = np.nan_to_num(X)
    y = model.predict(X)
    pipeline = make_pipeline(StandardScaler(), CART(max_depth=4, pruner=Unpruned())).fit(X, y)
    types = skl2onnx.common.data_types
    converted = skl2onnx.to_onnx(
        pipeline,
        initial_types=[("X", types.DoubleTensorType([None, 4]))],
        options={"zipmap": False},
    )
    labels, shares = run_pipeline(converted, {"X": X})
    assert labels.tolist() == pipeline.predict(X).tolist()
    assert shares.dtype == np.float64
    np.testing.assert_array_equal(shares, pipeline.predict_proba(X))
    # Single precision, and a dictionary a row: what skl2onnx does when nothing is said.
    X = X.astype(np.float32)
    pipeline.fit(X, y)
    converted = skl2onnx.to_onnx(pipeline, X[:1])
    labels, shares = run_pipeline(converted, {"X": X})
    assert labels.tolist() == pipeline.predict(X).tolist()
    np.testing.assert_allclose(
        [list(s.values()) for s in shares], pipeline.predict_proba(X), atol=1e-6
    )


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_text_and_whole_classes_through_skl2onnx(skl2onnx):
    types = skl2onnx.common.data_types
    X = {"hue": ["red", "blue", None, "red", "green", "blue"], "size": [1.0, 2, 3, None, 5, 6]}
    model = CART(pruner=Unpruned()).fit(X, [0, 1, 1, 0, 2, 1])
    converted = skl2onnx.to_onnx(
        model,
        initial_types=[
            ("hue", types.StringTensorType([None, 1])),
            ("size", types.DoubleTensorType([None, 1])),
        ],
        options={"zipmap": False},
    )
    rows = {"hue": ["red", "blue", "never seen", None], "size": [1.5, np.nan, 4.0, 7.0]}
    text = np.array([h or "" for h in rows["hue"]], object)[:, None]
    labels, shares = run_pipeline(converted, {"hue": text, "size": np.array(rows["size"])[:, None]})
    assert labels.tolist() == model.predict(rows).tolist()
    np.testing.assert_array_equal(shares, model.predict_proba(rows))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
def test_a_tree_that_shares_rows_out_through_skl2onnx(skl2onnx):
    X, y = datasets.load_vote(return_X_y=True)
    model = C45().fit(X, y)
    assert model.tree_.shares
    text = [("text", skl2onnx.common.data_types.StringTensorType([None, X.shape[1]]))]
    converted = skl2onnx.to_onnx(model, initial_types=text, options={"zipmap": False})
    given = np.array([["" if v is None or v != v else str(v) for v in row] for row in X], object)
    _, shares = run_pipeline(converted, {"text": given})
    np.testing.assert_allclose(shares, model.predict_proba(X), atol=1e-6)
