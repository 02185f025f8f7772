"""Exports: their forms, names from hell, and what cannot be exported."""

from __future__ import annotations

import importlib
import shutil
import sqlite3
import subprocess

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

import parity
from planetree import MissingExtraError, TableError, export
from planetree.nodetests import Category, Threshold
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.schema import Feature, Schema
from planetree.tree import Tree

TEXTS = [export.to_c, export.to_dot, export.to_python, export.to_rules, export.to_sql]
EVERY = [*TEXTS, export.to_rules_json, export.to_onnx]


def small():
    return CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"])


@pytest.mark.parametrize("to", EVERY)
def test_bad_models_are_refused(to):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        to(CART())
    with pytest.raises(
        TypeError, match="a fitted PlaneTreeClassifier or its tree_ can be exported"
    ):
        to("model.json")


@pytest.mark.parametrize("to", EVERY)
def test_a_test_nobody_knows_is_refused(to):
    if to is export.to_onnx:
        pytest.importorskip("onnx")

    class Mine(Threshold):
        pass

    tests = (Mine(0, 1.0), None, None)
    tree = Tree(Schema((Feature("x"),)), ("a", "b"), tests, np.ones((3, 2)), np.ones(3, np.int64))
    with pytest.raises(TypeError, match="cannot hold the test of node 0, a Mine"):
        to(tree)


def test_what_lies_below_a_branch_is_written_once():
    """Missing values and some symbols share a branch all the way down."""
    n = 60
    tests = [Category(0, (0, 1, 2), missing=0, unseen=2)]
    for _ in range(1, n):
        tests += [Category(0, (0, 1, 2), missing=0, unseen=2), None, None]
    tests += [None] * 3
    schema = Schema((Feature("x", "symbolic", ("a", "b", "c"), missing=True),))
    counts = np.ones((len(tests), 2))
    tree = Tree(schema, ("no", "yes"), tuple(tests), counts, np.ones(len(tests), np.int64))
    for to in (export.to_c, export.to_python, export.to_sql):
        assert len(to(tree)) < 100_000


def test_sql_says_where_a_level_is_too_wide_for_parts():
    n = 900
    tests = [Category(0, (*range(n),), None, None), *[None] * n]
    schema = Schema((Feature("x", "symbolic", tuple(f"s{i:04}" for i in range(n)), missing=True),))
    tree = Tree(schema, ("a", "b"), tuple(tests), np.ones((n + 1, 2)), np.ones(n + 1, np.int64))
    with pytest.raises(TableError, match="no room for the 900 nodes that lie 1 tests deep"):
        export.to_sql(tree)
    assert export.to_python(tree)


@pytest.mark.parametrize("to", TEXTS)
def test_an_estimator_is_its_tree(to):
    model = small()
    assert to(model) == to(model.tree_)
    assert to(model).endswith("\n")


@pytest.mark.parametrize("to", [export.to_c, export.to_sql])
@pytest.mark.parametrize("spoilt", ["symbol", "class"])
def test_null_characters_are_refused_where_they_cannot_be(to, spoilt):
    X = {"hue": ["re\0d" if spoilt == "symbol" else "red", "blue", "green"]}
    y = ["a", "b\0c" if spoilt == "class" else "b", "b"]
    with pytest.raises(ValueError, match="null character"):
        to(CART(pruner=Unpruned()).fit(X, y))
    assert export.to_python(CART(pruner=Unpruned()).fit(X, y))


def test_sql_options():
    with pytest.raises(ValueError, match="dialect must be one of ansi, duckdb, postgresql, sqlite"):
        export.to_sql(small(), dialect="oracle")
    with pytest.raises(TypeError, match="keep must be a sequence of names"):
        export.to_sql(small(), keep="id")
    assert 'FROM "public"."people"' in export.to_sql(small(), table=("public", "people"))
    query = export.to_sql(small(), table='a"b', prediction='p"q', dialect="sqlite")
    with sqlite3.connect(":memory:") as db:
        db.execute('CREATE TABLE "a""b" (age REAL)')
        db.execute('INSERT INTO "a""b" VALUES (70), (NULL)')
        cursor = db.execute(query)
        assert [c[0] for c in cursor.description] == ["age", 'p"q', "proba_old", "proba_young"]
        assert cursor.fetchall() == [(70.0, "old", 1.0, 0.0), (None, "young", 0.0, 1.0)]
    db.close()


def test_sql_columns_and_tables_may_have_the_names_it_uses():
    names = ["node", "kept0", "stage0", "Node"]
    X = np.random.default_rng(0).normal(size=(50, 4))
    frame = dict(zip(names[:3], X.T))
    tree = CART(pruner=Unpruned()).fit(frame, X[:, 0] + X[:, 1] > X[:, 2])
    with sqlite3.connect(":memory:") as db:
        db.execute("CREATE TABLE stage1 (node REAL, kept0 REAL, stage0 REAL)")
        db.executemany("INSERT INTO stage1 VALUES (?, ?, ?)", X[:, :3].tolist())
        rows = db.execute(export.to_sql(tree, table="stage1", dialect="sqlite")).fetchall()
    db.close()
    assert [row[3] for row in rows] == tree.predict(frame).tolist()


def test_python_defines_what_it_says_and_imports_nothing():
    source = export.to_python(parity.random_tree("mixed"))
    assert "import" not in source
    module = {"__builtins__": {"float": float, "str": str, "dict": dict, "zip": zip}}
    exec(source, module)
    assert module["predict"]({}) in parity.CLASSES["text"]
    none, nan = module["predict_proba"]({}), module["predict_proba"]({parity.NASTY[0]: np.nan})
    assert none == nan
    assert sum(none.values()) == pytest.approx(1)


def test_c_names():
    with pytest.raises(ValueError, match="name must be a word that C can use, such as model"):
        export.to_c(small(), name="my model")
    with pytest.raises(ValueError, match="not 'double'"):
        export.to_c(small(), name="double")
    header = export.to_c(parity.random_tree("mixed"), name="heart")
    assert header.isascii()
    assert "heart_predict" in header
    assert "model" not in header


@pytest.mark.skipif(not shutil.which("c++"), reason="no C++ compiler here")
def test_the_header_is_cpp_too(tmp_path):
    (tmp_path / "model.h").write_text(export.to_c(parity.random_tree("mixed")))
    main = "struct model_row row; return model_predict(&row) < 0;"
    (tmp_path / "main.cpp").write_text(f'#include "model.h"\nint main() {{ {main} }}\n')
    command = ["c++", "-std=c++17", "-Wall", "-fsyntax-only", str(tmp_path / "main.cpp")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert "error" not in done.stderr


def test_dot_quotes_what_it_shows(tmp_path):
    tree = parity.random_tree("mixed")
    dot = export.to_dot(tree)
    assert dot.count("->") == tree.n_nodes - 1
    assert dot.count("[label=") == 2 * tree.n_nodes - 1
    assert r"petal \"width\" <b>" in dot
    if shutil.which("dot"):
        command = ["dot", "-Tplain"]
        drawn = subprocess.run(
            command, input=dot, capture_output=True, text=True, check=True
        ).stdout
        assert sum(line.startswith("node ") for line in drawn.splitlines()) == tree.n_nodes


def test_onnx_without_the_extra_says_how_to_get_it(monkeypatch):
    load = importlib.import_module

    def module(name, *args):
        if name.partition(".")[0] in ("onnx", "skl2onnx"):
            raise ImportError(name)
        return load(name, *args)

    monkeypatch.setattr("planetree.extras.import_module", module)
    with pytest.raises(MissingExtraError, match=r'needs onnx: pip install "planetree\[onnx\]"'):
        export.to_onnx(small())
    with pytest.raises(MissingExtraError, match="needs skl2onnx: pip install"):
        export.register_converter()


def test_empty_text_as_a_symbol_is_refused_by_onnx():
    pytest.importorskip("onnx")
    model = CART(pruner=Unpruned()).fit({"hue": ["", "red", "blue"]}, ["a", "b", "b"])
    with pytest.raises(TableError, match="in column hue empty text is a symbol"):
        export.to_onnx(model)
