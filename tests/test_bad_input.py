"""Bad input gets one error that names the column, value or option, before any work is done."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.sparse import csr_matrix, dok_matrix
from sklearn.exceptions import NotFittedError

from planetree import TableError, merits, presets
from planetree.presets import CART
from planetree.pruners import Unpruned

X = np.arange(8.0).reshape(4, 2)
Y = ["a", "b", "a", "b"]
FRAME = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0], "sex": ["f", "m", "f", "m"]})


def frame(**columns):
    return FRAME.assign(**columns)


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (np.empty((0, 3)), r"0 sample\(s\)"),
        (np.empty((4, 0)), r"0 feature\(s\)"),
        (FRAME[:0], r"0 sample\(s\)"),
        (FRAME[[]], r"0 feature\(s\)"),
        ({}, r"0 feature\(s\)"),
        ({"a": []}, r"0 sample\(s\)"),
        ({"a": [1, 2], "b": [1, 2, 3]}, r"differ in length: \{'a': 2, 'b': 3\}"),
        ([1.0, 2.0, 3.0, 4.0], "Expected 2D array"),
        (np.zeros((2, 2, 2)), "dim 3|3 dims|dimension"),
        ("data.csv", "2D array|array"),
        ([[1.0], [np.inf], [1.0], [1.0]], r"column x0 holds an infinity \(row 1\)"),
        ([[1.0], [1.0], [1.0], [-np.inf]], r"column x0 holds an infinity \(row 3\)"),
        (frame(age=[1, 2, np.inf, 3]), r"column age holds an infinity \(row 2\)"),
        (frame(age=[np.nan] * 4), "column age holds no value at all; drop it"),
        (frame(sex=[None] * 4), "column sex holds no value at all; drop it"),
        (np.array([[1, np.nan]] * 4), "column x1 holds no value at all; drop it"),
        (
            {"id": [f"n{i}" for i in range(300)]},
            "column id holds 300 different symbols, more than 255",
        ),
        (frame(sex=["f", 1, "m", 2]), "column sex mixes numbers and strings"),
        (frame(sex=["f", True, "m", False]), "column sex mixes booleans and strings"),
        (frame(age=pd.date_range("2020-01-01", periods=4)), "column age holds dates or times"),
        (frame(age=pd.to_timedelta([1, 2, 3, 4], "D")), "column age holds dates or times"),
        (pl.DataFrame({"a": [[1], [2], [3], [4]]}), "column a holds"),
        (frame(age=[1 + 2j, 1, 1, 1]), "column age"),
        (np.array(X, complex), "Complex data not supported"),
        ({"age": [10**400, 2, 3, 4]}, "column age holds a whole number that no float can hold"),
        (pl.from_pandas(FRAME).lazy(), r"X is a lazy frame; hand over what its collect\(\) gives"),
        (pd.DataFrame(X, columns=["a", "a"]), "unique column names.*'a'"),
        ([["a", 1.0], ["b", 2.0], [3.0, 4.0], ["c", 5.0]], "column x0 mixes numbers and strings"),
        (csr_matrix(X), "[Ss]parse"),
        (dok_matrix(X), "[Ss]parse"),
        (np.array(["2020-01-01"] * 4, "datetime64[D]")[:, None], "column x0 holds|datetime"),
    ],
)
def test_training_table(table, message):
    with pytest.raises((ValueError, TypeError), match=message):
        CART(pruner=Unpruned()).fit(table, Y)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "requires y to be passed"),
        (["a"] * 4, "one class only \\('a'\\)|one class only"),
        ([1, 1, 1, 1], "one class only"),
        (["a", None, "a", "b"], "y is missing in row 1"),
        ([0, 1, np.nan, 1], r"y is missing \(NaN\) in row 2"),
        (pd.Series(["a", "b", pd.NA, "b"], dtype="string"), "y is missing in row 2"),
        ([0.5, 1.25, 3.0, 2.5], "Unknown label type: continuous"),
        ([0, 1, np.inf, 1], "y is an infinity"),
        (["a", 1, "b", 2], "y mixes labels of different types"),
        (pd.to_datetime(["2020-01-01", "2020-01-02"] * 2), "y holds datetime64"),
        (np.array([{1}, {2}, {1}, {2}], dtype=object), "y holds set; y must hold classes"),
        (["a", "b", "a"], "differ in length: 4 rows, 3 labels"),
        ([["a", "b"]] * 4, "1d array|y should be"),
    ],
)
def test_target(labels, message):
    with pytest.raises((ValueError, TypeError), match=message):
        CART(pruner=Unpruned()).fit(X, labels)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1, 1, 1], r"row 1 has -1\.0"),
        ([1, np.nan, 1, 1], "row 1 has nan"),
        ([1, 1, 1, np.inf], "row 3 has inf"),
        ([0, 0, 0, 0], "zero in every row"),
        ([1, 0, 1, 0], "one class only"),
        ([1, 1, 1], r"shape \(4,\), not \(3,\)"),
        (["x", "y", "z", "u"], "could not convert"),
    ],
)
def test_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        CART(pruner=Unpruned()).fit(X, Y, weight)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_depth": -1}, "max_depth must be a whole number of at least 0 or None, not -1"),
        ({"max_depth": 2.5}, "max_depth must be a whole number"),
        ({"max_depth": "3"}, "not '3'"),
        ({"max_depth": True}, "not True"),
        ({"max_leaves": 0}, "max_leaves must be a whole number of at least 1 or None"),
        ({"min_rows": None}, "min_rows must be a whole number of at least 0, not None"),
        ({"min_leaf_rows": 0}, "min_leaf_rows must be"),
        ({"n_threads": 0}, "n_threads must be"),
        ({"min_share": 1.5}, "min_share must be a share between 0 and 1, not 1.5"),
        ({"min_share": np.nan}, "min_share must be a share"),
        ({"min_merit": -0.1}, "min_merit must be a number of at least 0"),
        ({"min_merit": np.nan}, "min_merit must be"),
        ({"merit": "gini"}, r"merit must be a merit such as planetree.merits.Gini\(\), not 'gini'"),
        ({"merit": merits.Gini}, r"merit must be an instance, Gini\(\), not the class"),
        ({"univariate": "no"}, "univariate must be True or False, not 'no'"),
        ({"random_state": -1}, "random_state must be a whole number of at least 0.*not -1"),
        ({"random_state": "today"}, "random_state must be .*not 'today'"),
        ({"random_state": True}, "random_state must be .*not True"),
        ({"class_weight": -1}, 'class_weight must be a dict, "balanced" or None, not -1'),
        ({"class_weight": ["a"]}, "class_weight must be .*not \\['a'\\]"),
        ({"progress": "yes"}, "progress must be True, False or callable, not 'yes'"),
        (
            {"class_weight": "equal"},
            "class_weight must be a dict, \"balanced\" or None, not 'equal'",
        ),
    ],
)
def test_options(options, message):
    with pytest.raises(ValueError, match=message):
        CART(**options, pruner=Unpruned()).fit(X, Y)


def test_misspelt_options_are_refused_at_once():
    with pytest.raises(TypeError, match="max_dept"):
        CART(max_dept=3)
    with pytest.raises(TypeError, match="max_dept"):
        presets.CART(max_dept=3)
    with pytest.raises(ValueError, match="Invalid parameter 'max_dept'"):
        CART().set_params(max_dept=3)


def test_a_failed_fit_leaves_the_fitted_tree():
    tree = CART(pruner=Unpruned()).fit(X, Y)
    before = tree.tree_
    with pytest.raises(TableError):
        tree.fit(X, ["a"] * 4)
    assert tree.tree_ is before
    assert tree.predict(X).tolist() == Y


@pytest.mark.parametrize(
    "method", ["predict", "predict_proba", "apply", "decision_path", "explain"]
)
@pytest.mark.parametrize(
    ("table", "message"),
    [
        (FRAME[["age"]], "Feature names seen at fit time, yet now missing|sex"),
        (FRAME[["sex", "age"]], "must be in the same order"),
        (FRAME.assign(more=1), "Feature names unseen at fit time"),
        (FRAME.rename(columns={"sex": "gender"}), "gender"),
        ({"age": [1.0]}, "columns of the training data are missing: sex"),
        (frame(sex=[1, 2, 3, 4]), "column sex was symbolic in training; this one is numeric"),
        (frame(age=["old"] * 4), "column age was numeric in training; this one is symbolic"),
        (frame(age=[np.inf] * 4), r"column age holds an infinity \(row 0\)"),
        (FRAME[:0], r"0 sample\(s\)"),
    ],
)
def test_prediction_table(method, table, message):
    tree = CART(pruner=Unpruned()).fit(FRAME, Y)
    with pytest.raises(ValueError, match=message):
        getattr(tree, method)(table)


def test_prediction_array():
    tree = CART(pruner=Unpruned()).fit(X, Y)
    with pytest.raises(
        ValueError, match="X has 1 features, but PlaneTreeClassifier is expecting 2 features"
    ):
        tree.predict(X[:, :1])
    with pytest.raises(ValueError, match="Reshape your data"):
        tree.predict(X[0])
    with pytest.raises(TableError, match=r"column x1 holds an infinity \(row 2\)"):
        tree.predict(np.where(X[2, 1] == X, np.inf, X))
    with pytest.raises(ValueError, match=r"0 sample\(s\)"):
        tree.predict(X[:0])


def test_names_that_come_or_go_are_warned_about():
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        CART(pruner=Unpruned()).fit(pd.DataFrame(X, columns=["a", "b"]), Y).predict(X)
    with pytest.warns(UserWarning, match="fitted without feature names"):
        CART(pruner=Unpruned()).fit(X, Y).predict(pd.DataFrame(X, columns=["a", "b"]))


def test_boolean_columns_accept_what_means_the_same():
    tree = CART(pruner=Unpruned()).fit({"b": [True, False]}, [1, 0])
    assert tree.predict({"b": [1, 0, None]}).tolist()[:2] == [1, 0]
    with pytest.raises(TableError, match="column b was boolean in training; this one is numeric"):
        tree.predict({"b": [2, 0]})
    with pytest.raises(TableError, match="column b was boolean in training; this one is symbolic"):
        tree.predict({"b": ["yes", "no"]})


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t.predict(X),
        lambda t: t.explain(X),
        lambda t: t.to_text(),
        lambda t: t.n_leaves_,
        lambda t: t.feature_importances_,
        lambda t: t.get_depth(),
    ],
)
def test_unfitted(call):
    with pytest.raises(NotFittedError, match="not fitted yet"):
        call(CART())
