"""What users of scikit-learn, pandas and polars expect."""

from __future__ import annotations

import _thread
import copy
import pickle
import signal
import threading

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
from sklearn.compose import ColumnTransformer
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from planetree import PlaneTreeClassifier, TableError, merits, presets
from planetree.presets import CART
from planetree.pruners import Unpruned

AGE = [20.0, 31.0, None, 45.0, 52.0, 64.0, 38.0, 27.0]
SEX = ["f", "m", "m", "f", None, "m", "f", "f"]
SMOKES = [True, False, True, True, False, True, False, False]
ILL = ["no", "no", "yes", "yes", "no", "yes", "no", "no"]


def frames():
    columns = {"age": AGE, "sex": SEX, "smokes": SMOKES}
    yield "pandas", pd.DataFrame(columns)
    yield "pandas categories", pd.DataFrame(columns).astype({"sex": "category"})
    yield "pandas nullable", pd.DataFrame(columns).convert_dtypes()
    yield "pandas on arrow", pd.DataFrame(columns).convert_dtypes(dtype_backend="pyarrow")
    yield "arrow", pa.table(columns)
    yield "polars", pl.DataFrame(columns)
    yield (
        "polars categories",
        pl.DataFrame(columns).with_columns(pl.col("sex").cast(pl.Categorical)),
    )
    yield (
        "polars enum",
        pl.DataFrame(columns).with_columns(pl.col("sex").cast(pl.Enum(["m", "f", "x"]))),
    )
    yield "mapping", {name: np.array(values, dtype=object) for name, values in columns.items()}
    yield "lists", columns


@pytest.mark.parametrize(("kind", "frame"), [pytest.param(k, f, id=k) for k, f in frames()])
def test_every_frame_gives_the_same_tree(kind, frame):
    tree = CART(pruner=Unpruned()).fit(frame, ILL)
    expected = CART(pruner=Unpruned()).fit(
        pd.DataFrame({"age": AGE, "sex": SEX, "smokes": SMOKES}), ILL
    )
    assert tree.tree_ == expected.tree_
    assert tree.feature_names_in_.tolist() == ["age", "sex", "smokes"]
    assert [feature.kind for feature in tree.tree_.schema.features] == [
        "numeric",
        "symbolic",
        "boolean",
    ]
    assert tree.predict(frame).tolist() == ILL


def test_object_and_string_arrays_have_symbols():
    rows = np.array([["red", 1.5], ["blue", 2.5], ["red", None], ["green", 0.5]], dtype=object)
    tree = CART(pruner=Unpruned()).fit(rows, [1, 0, 1, 0])
    assert [feature.kind for feature in tree.tree_.schema.features] == ["symbolic", "numeric"]
    assert str(tree.tree_) == "├─ x0 ≠ red → 0 (2)\n└─ x0 = red → 1 (2)"
    strings = CART(pruner=Unpruned()).fit(rows[:, :1].astype(str), [1, 0, 1, 0])
    assert strings.predict(np.array([["blue"], ["red"], ["never seen"]])).tolist() == [0, 1, 0]


def test_categories_are_symbols_whatever_they_look_like():
    X = pd.DataFrame({"road": pd.Categorical([1, 2, None, 3, 2]), "x": [1, 2, 3, 4, 5]})
    tree = CART(pruner=Unpruned()).fit(X[["road"]], [0, 1, 0, 0, 1])
    assert str(tree.tree_) == "├─ road ≠ 2 or missing → 0 (3)\n└─ road = 2 → 1 (2)"
    assert tree.predict(pd.DataFrame({"road": pd.Categorical([2, 7])})).tolist() == [1, 0]
    with pytest.raises(TableError, match="column road was symbolic in training; this one is num"):
        tree.predict(X[["road"]].astype(float))


def test_one_symbol_tells_by_being_known():
    X = {"answer": ["yes", None, "yes", None], "same": ["s"] * 4}
    tree = CART(pruner=Unpruned()).fit(X, [1, 0, 1, 0])
    assert str(tree.tree_) == "├─ answer is known → 1 (2)\n└─ answer is missing → 0 (2)"
    assert tree.predict({"answer": ["no", None], "same": ["t", None]}).tolist() == [1, 0]
    nothing = CART(pruner=Unpruned()).fit({"same": X["same"]}, [1, 0, 1, 1])
    assert str(nothing.tree_) == "→ 1 (3 of 4)"
    assert nothing.predict({"same": ["t"]}).tolist() == [1]


def test_masked_values_are_missing():
    X = np.ma.masked_array([[1.0], [9.0], [1.0], [9.0]], mask=[[False], [True], [False], [True]])
    tree = CART(pruner=Unpruned()).fit(X, [0, 1, 0, 1])
    assert str(tree.tree_) == "├─ x0 is known → 0 (2)\n└─ x0 is missing → 1 (2)"
    assert tree.predict(X).tolist() == [0, 1, 0, 1]
    assert CART(pruner=Unpruned()).fit({"x0": X[:, 0]}, [0, 1, 0, 1]).tree_ == tree.tree_


@pytest.mark.skipif(not hasattr(np.dtypes, "StringDType"), reason="NumPy 1 has no such dtype")
def test_numpys_own_strings():
    X = np.array([["a"], ["b"], ["a"]], np.dtypes.StringDType())
    assert CART(pruner=Unpruned()).fit(X, X[:, 0]).predict(X).tolist() == ["a", "b", "a"]


def test_numbers_beside_strings_stay_numbers():
    tree = CART(pruner=Unpruned()).fit(
        [["a", 9.0], ["a", 10.0], ["b", 11.0]], ["low", "high", "high"]
    )
    assert [feature.kind for feature in tree.tree_.schema.features] == ["symbolic", "numeric"]
    assert tree.tree_.tests[0].cut == 9.5


def test_names_that_are_numbers_become_text():
    tree = CART(pruner=Unpruned()).fit({1: [1.0, 2.0]}, ["a", "b"])
    assert tree.feature_names_in_.tolist() == ["1"]
    assert tree.predict({1: [1.0]}).tolist() == ["a"]


def test_symbol_never_seen_is_none_of_the_known_ones():
    three = CART(pruner=Unpruned()).fit({"c": ["r", "g", "b", "r"]}, [1, 0, 0, 1])
    assert three.predict({"c": ["?"]}).tolist() == [0]  # not "r"
    # Of two symbols neither side can claim a stranger: it goes with the missing,
    # here the heavier branch.
    two = CART(pruner=Unpruned()).fit({"c": ["f", "m", "m"]}, [0, 1, 1])
    assert two.predict({"c": ["?", None]}).tolist() == [1, 1]


@pytest.mark.parametrize(
    "labels",
    [
        ["b", "a", "b", "a"],
        [7, -3, 7, -3],
        [True, False, True, False],
        np.array([2.0, 1.0, 2.0, 1.0]),
        pd.Series(["b", "a", "b", "a"], dtype="category"),
        pd.Series(["b", "a", "b", "a"], dtype="string"),
        pl.Series(["b", "a", "b", "a"]),
        pd.Series([2, 1, 2, 1], dtype="Int64"),
        pd.Series([True, False, True, False], dtype="boolean"),
        np.array(["b", "a", "b", "a"], dtype=object),
        ["é", "ü", "é", "ü"],
    ],
    ids=lambda labels: f"{type(labels).__name__}-{getattr(labels, 'dtype', type(labels[0]))}",
)
def test_any_class_labels(labels):
    X = [[1.0], [2.0], [1.1], [2.1]]
    tree = CART(pruner=Unpruned()).fit(X, labels)
    assert tree.predict(X).tolist() == list(labels)
    assert sorted(labels)[0] == tree.classes_[0]
    assert [type(v) for v in tree.predict(X).tolist()] == [
        type(v) for v in np.asarray(labels).tolist()
    ]
    assert tree.score(X, labels) == 1


def test_classes_stay_as_many_as_there_are():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    y = rng.integers(0, 26, 300)
    tree = CART(pruner=Unpruned()).fit(X, y)
    assert tree.predict_proba(X).shape == (300, 26)
    assert (tree.predict(X) == y).all()


def test_probabilities_are_shares_of_the_leaf():
    tree = CART(max_depth=1, pruner=Unpruned()).fit([[0], [0], [0], [1], [1]], list("aabbb"))
    np.testing.assert_array_equal(tree.predict_proba([[0], [1]]), [[2 / 3, 1 / 3], [0, 1]])
    weighted = CART(max_depth=1, pruner=Unpruned()).fit(
        [[0], [0], [0], [1], [1]], list("aabbb"), [1, 1, 6, 1, 1]
    )
    np.testing.assert_array_equal(weighted.predict_proba([[0]]), [[2 / 8, 6 / 8]])


def test_class_weight_multiplies_the_rows_own():
    X, y = load_iris(return_X_y=True)
    by_class = CART(class_weight={0: 1, 1: 2, 2: 3}, pruner=Unpruned()).fit(X, y)
    by_row = CART(pruner=Unpruned()).fit(X, y, y + 1.0)
    assert by_class.tree_ == by_row.tree_
    balanced = CART(class_weight="balanced", max_depth=0, pruner=Unpruned()).fit(X[:120], y[:120])
    np.testing.assert_allclose(balanced.tree_.counts, [[40, 40, 40]])


def test_zero_weight_is_absence():
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(60, 2)), rng.integers(0, 2, 60), rng.integers(0, 3, 60)
    tree = CART(pruner=Unpruned()).fit(X, y, weight)
    assert (
        tree.tree_
        == CART(pruner=Unpruned()).fit(X[weight > 0], y[weight > 0], weight[weight > 0]).tree_
    )


def test_shares_and_limits():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    assert CART(max_depth=3, pruner=Unpruned()).fit(X, y).get_depth() == 3
    assert CART(max_leaves=7, pruner=Unpruned()).fit(X, y).get_n_leaves() == 7
    tree = CART(min_share=0.05, pruner=Unpruned()).fit(X, y).tree_
    assert tree.n_rows[~tree.is_leaf].min() >= 10
    tree = CART(min_leaf_rows=8, pruner=Unpruned()).fit(X, y).tree_
    assert tree.n_rows.min() >= 8
    tree = CART(min_rows=20, pruner=Unpruned()).fit(X, y).tree_
    assert tree.n_rows[~tree.is_leaf].min() >= 20
    assert PlaneTreeClassifier(min_merit=0.4).fit(X, y).n_nodes_ == 1


def test_sizes_are_plain_attributes():
    X, y = load_iris(return_X_y=True)
    tree = CART(pruner=Unpruned()).fit(X, y)
    assert (tree.n_tests_, tree.n_leaves_, tree.n_nodes_, tree.mean_features_per_test_) == (
        8,
        9,
        17,
        1.0,
    )
    assert tree.n_leaves_ == tree.get_n_leaves() == len(np.unique(tree.apply(X)))
    assert tree.decision_path(X).shape == (150, 17)
    assert tree.feature_importances_.sum() == pytest.approx(1)


def test_importances_agree_with_scikit_learn():
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))  # no ties, so both find the same cuts
    y = (X[:, 0] + X[:, 1] ** 2 + rng.normal(size=400) > 1).astype(int)
    ours = CART(max_depth=3, pruner=Unpruned()).fit(X, y)
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, y)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-6)


def test_grid_search_over_the_parts():
    X, y = load_iris(return_X_y=True)
    grid = {"merit": [merits.Gini(), merits.GainRatio()], "max_depth": [1, 3]}
    search = GridSearchCV(CART(pruner=Unpruned()), grid, cv=3).fit(X, y)
    assert search.best_params_["max_depth"] == 3
    nested = GridSearchCV(presets.C45(), {"merit__guard": [True, False]}, cv=3).fit(X, y)
    assert set(nested.best_params_) == {"merit__guard"}
    # The search clones, so the merit it was given is left alone.
    assert presets.C45().get_params()["merit__guard"] is True


def test_pipelines_and_set_output():
    X, y = load_iris(return_X_y=True, as_frame=True)
    scaled = ColumnTransformer(
        [("scale", StandardScaler(), X.columns[:2])], remainder="passthrough"
    )
    for output in ("default", "pandas", "polars"):
        pipeline = make_pipeline(scaled, CART(pruner=Unpruned())).set_output(transform=output)
        assert pipeline.fit(X, y).score(X, y) == 1
        names = getattr(pipeline[-1], "feature_names_in_", None)
        assert (names is None) == (output == "default")


def test_metadata_routing():
    X, y = load_iris(return_X_y=True)
    weight = np.where(y == 1, 1.0, 0.5)
    with sklearn.config_context(enable_metadata_routing=True):
        guard = {"tree__merit__guard": [True, False]}
        parts = [
            ("scale", StandardScaler().set_fit_request(sample_weight=False)),
            (
                "tree",
                presets.UniG(merit=merits.GainRatio(), pruner=None).set_fit_request(
                    sample_weight=True
                ),
            ),
        ]
        weighted = make_scorer(accuracy_score).set_score_request(sample_weight=True)
        search = GridSearchCV(Pipeline(parts), guard, scoring=weighted, cv=3)
        search.fit(X, y, sample_weight=weight)
        assert search.best_estimator_["tree"].tree_.counts[0].tolist() == [25, 50, 25]
        tree = (
            CART(pruner=Unpruned())
            .set_fit_request(sample_weight=True)
            .set_score_request(sample_weight=True)
        )
        result = cross_validate(
            tree, X, y, params={"sample_weight": weight}, return_estimator=True, cv=3
        )
        assert result["estimator"][0].tree_.counts[0].sum() < 100
        pipeline = make_pipeline(StandardScaler().set_fit_request(sample_weight=False), tree)
        assert pipeline.fit(X, y, sample_weight=weight)[-1].tree_.counts[0].sum() == weight.sum()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_cross_validation_on_frames(frame):
    rng = np.random.default_rng(0)
    X = frame({"a": rng.normal(size=90), "b": rng.choice(["u", "v", "w"], 90)})
    y = np.where(np.asarray(X["b"]) == "v", "yes", "no")
    assert cross_val_score(CART(max_leaves=3, pruner=Unpruned()), X, y).mean() == 1


def test_explain_follows_one_case():
    X = pd.DataFrame({"age": AGE, "sex": SEX, "smokes": SMOKES})
    tree = CART(pruner=Unpruned()).fit(X, ILL)
    why = tree.explain(X.iloc[[2]])[0]
    assert why.label == "yes"
    assert why.leaf == tree.apply(X)[2]
    assert why.probabilities == {"no": 0.0, "yes": 1.0}
    first = why.steps[0]
    assert first.condition == first.test.describe(tree.tree_.schema)[first.branch]
    assert list(first.values) == [tree.tree_.schema.names[f] for f in first.test.features]
    assert "is missing" in str(why) or all(
        step.margin is not None or step.values for step in why.steps
    )


def test_pickle_and_copies_predict_the_same():
    X, y = load_iris(return_X_y=True)
    tree = CART(pruner=Unpruned()).fit(X, y)
    tree.predict(X)  # compiled parts must not get in the way
    for other in (pickle.loads(pickle.dumps(tree)), copy.deepcopy(tree), copy.copy(tree)):
        np.testing.assert_array_equal(other.predict_proba(X), tree.predict_proba(X))
        assert other.tree_ == tree.tree_


def test_refit_replaces_everything():
    tree = CART(pruner=Unpruned()).fit(pd.DataFrame({"a": [1, 2]}), [0, 1])
    tree.fit([[1.0, 2.0], [3.0, 4.0]], ["x", "y"])
    assert not hasattr(tree, "feature_names_in_")
    assert tree.n_features_in_ == 2
    assert tree.predict([[1.0, 2.0]]).tolist() == ["x"]


def test_input_is_left_alone():
    rng = np.random.default_rng(0)
    X, y, weight = rng.normal(size=(50, 3)), rng.integers(0, 2, 50), rng.random(50)
    before = X.copy(), y.copy(), weight.copy()
    CART(pruner=Unpruned()).fit(X, y, weight).predict(X)
    for now, then in zip((X, y, weight), before):
        np.testing.assert_array_equal(now, then)
    for array in (X, y, weight):
        array.flags.writeable = False
    CART(pruner=Unpruned()).fit(X, y, weight).predict(X)


@pytest.fixture
def ctrl_c():
    """Ctrl-C as in a shell: a job in the background starts with it switched off."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("options", [{}, {"max_leaves": 10**6}])
@pytest.mark.usefixtures("ctrl_c")
def test_interruption_of_a_long_fit_leaves_the_fitted_tree(options):
    rng = np.random.default_rng(0)
    X, y = rng.random((300_000, 10)), rng.integers(0, 2, 300_000)
    tree = CART(**options, pruner=Unpruned()).fit(X[:100], y[:100])
    before = tree.tree_
    threading.Timer(0.1, _thread.interrupt_main).start()  # sorting alone takes longer
    with pytest.raises(KeyboardInterrupt):
        tree.fit(X, y)
    assert tree.tree_ is before
    assert tree.score(X[:100], y[:100]) == 1


def test_threads_beyond_reason_do_no_harm():
    X, y = np.arange(100_000.0)[:, None], np.arange(100_000) > 500
    assert CART(n_threads=2**70, pruner=Unpruned()).fit(X, y).predict(X).sum() == y.sum()


def test_progress_is_told_in_shares():
    rng = np.random.default_rng(0)
    heard = []
    CART(progress=heard.append, n_threads=1, pruner=Unpruned()).fit(
        rng.normal(size=(200_000, 20)), rng.integers(0, 2, 200_000)
    )
    assert heard
    assert all(0 <= share <= 1 for share in heard)
