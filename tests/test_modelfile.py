"""A model comes back from its file as it was, and nothing else comes back."""

from __future__ import annotations

import copy
import io
import json
import os
import pickle
import re
import warnings
from importlib.resources import files
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

import planetree
from planetree import (
    ModelFileError,
    PlaneTreeClassifier,
    learners,
    merits,
    pruners,
    scaling,
    selectors,
)
from planetree.modelformat import Lost, Model, from_text, nodes, to_text
from planetree.modelformat.params import PLUGINS
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.schema import Feature, Schema
from planetree.stopping import Stop
from tables import multiway_tree, tables

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"
SCHEMA = json.loads((files("planetree") / "model.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

COLUMNS = {
    "age": [20.0, 31.5, None, 45.0, 52.0, 64.0, 38.0, 27.0, 41.0, None],
    "sex": ["f", "m", "m", "f", None, "m", "f", "f", "m", "f"],
    "town": ["Köln", "Rom", "Ulm", "Rom", "Bonn", "Köln", "Ulm", "Rom", "Köln", "Ulm"],
    "smokes": [True, False, True, None, False, True, False, False, True, True],
}
CALM = ["no", "no", "yes", "yes", "no", "yes", "no", "perhaps", "yes", "no"]
STRANGERS = {
    "age": [None, 20.0, 30.0, 1e300, -1e300, 41.0],
    "sex": ["x", None, "m", "f", "f", "m"],
    "town": ["Paris", "Rom", None, "Ulm", "Bonn", ""],
    "smokes": [None, True, False, True, False, None],
}


def saved(tree):
    file = io.StringIO()
    tree.save(file)
    return file.getvalue()


def loaded(text):
    return planetree.load(io.StringIO(text))


def fitted(**params):
    return CART(**params, pruner=None).fit(COLUMNS, CALM)


def document(**params):
    return json.loads(saved(fitted(**params)))


def assert_same(tree, other, X):
    assert tree.tree_ == other.tree_
    assert other.tree_ == tree.tree_
    assert other.classes_.dtype == tree.classes_.dtype
    assert other.classes_.tolist() == tree.classes_.tolist()
    assert other.predict(X).dtype == tree.predict(X).dtype
    np.testing.assert_array_equal(other.predict(X), tree.predict(X))
    np.testing.assert_array_equal(other.apply(X), tree.apply(X))
    assert other.predict_proba(X).tobytes() == tree.predict_proba(X).tobytes()
    assert str(other.tree_) == str(tree.tree_)
    assert [str(why) for why in other.explain(X)] == [str(why) for why in tree.explain(X)]
    assert getattr(other, "feature_names_in_", None) is None or (
        other.feature_names_in_.tolist() == tree.feature_names_in_.tolist()
        and other.feature_names_in_.dtype == tree.feature_names_in_.dtype
    )
    assert hasattr(other, "feature_names_in_") == hasattr(tree, "feature_names_in_")
    assert other.n_features_in_ == tree.n_features_in_


# --- round trips ----------------------------------------------------------------------------------


def test_round_trip_of_every_test_and_kind():
    tree = fitted(merit=merits.GainRatio(guard=False))
    text = saved(tree)
    kinds = {node["test"]["kind"] for node in json.loads(text)["nodes"] if "test" in node}
    assert kinds == {"threshold", "known", "category"}
    VALIDATOR.validate(json.loads(text))
    other = loaded(text)
    assert_same(tree, other, COLUMNS)
    assert_same(tree, other, STRANGERS)
    assert saved(other) == text
    assert_same(tree, pickle.loads(pickle.dumps(other)), STRANGERS)
    assert_same(tree, copy.deepcopy(other), STRANGERS)
    assert_same(copy.deepcopy(tree), other, STRANGERS)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(["no", "yes"]),
        np.array(["no", "yes"], "U10"),
        np.array(["no", "yes"], ">U3"),
        np.array(["é", "日本語"]),
        np.array(["", '\N{PILE OF POO}\u2028\x00\x7f\\"x']),
        np.array(["no", "yes"], object),
        np.array([False, True]),
        np.array([-1.0, 2.0]),
        np.array([0.0, 1.0], np.float32),
        np.array([0.0, 1e3], np.float16),
        np.array([3, 7], ">i4"),
        np.array([-(2**63), 2**63 - 1]),
        np.array([0, 2**64 - 1], np.uint64),
        *(np.array([1, 2], dtype) for dtype in "bBhHiIlLqQ"),
    ],
    ids=lambda labels: labels.dtype.str,
)
def test_round_trip_of_every_label(labels):
    X = np.array([[1.0, 0.1], [2.0, 0.2], [3.0, 0.3]])
    tree = CART(pruner=Unpruned()).fit(X, labels[[0, 1, 1]])
    VALIDATOR.validate(json.loads(saved(tree)))
    assert_same(tree, loaded(saved(tree)), X)


def test_wide_dtype_of_text_is_kept_as_far_as_it_is_cheap():
    for width, kept in [(256, 256), (257, 256)]:
        tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], np.array(["a", "b"], f"U{width}"))
        assert loaded(saved(tree)).classes_.dtype == np.dtype(f"U{kept}")
    tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], np.array(["a", "b" * 1000], "U2000"))
    assert loaded(saved(tree)).classes_.dtype == np.dtype("U1000")


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"a": [1, 2, 3], "b": [0.5, None, 2.5]}),
        pd.DataFrame({0: [1, 2, 3], 1: [0.5, None, 2.5]}),
        np.array([["u", 1], ["v", 2], ["w", 3]], object),
        np.array([[1], [2], [3]], np.float32),
        {"": [1, 2, 3], "Größe in m²": ["x", "y", "z"]},
    ],
    ids=["names", "numbers as names", "objects", "numbers", "mapping"],
)
def test_round_trip_of_names(X):
    tree = CART(pruner=Unpruned()).fit(X, ["a", "b", "a"])
    assert_same(tree, loaded(saved(tree)), X)


@pytest.mark.parametrize("symbols", [(1, 2, 3), (-0.5, 0.0, 1e300), (False, True), ("a", "b")])
def test_round_trip_of_every_symbol(symbols):
    """No reader makes other symbols than text yet; the format has room for them."""
    branches = tuple(i % 2 for i in range(len(symbols)))
    tree = planetree.Tree(
        planetree.schema.Schema((planetree.schema.Feature("x", "symbolic", symbols),)),
        ("a", "b"),
        (planetree.nodetests.Category(0, branches, missing=1, unseen=0), None, None),
        np.array([[2.0, 1.5], [2.0, 0.5], [0.0, 1.0]]),
        np.array([4, 3, 1]),
    )
    text = to_text(Model(tree, np.array(["a", "b"]), True, {}))
    VALIDATOR.validate(json.loads(text))
    back = from_text(text, ()).tree
    assert back == tree
    assert [*map(type, back.schema.features[0].symbols)] == [*map(type, symbols)]


def test_round_trip_of_many_branches():
    rng = np.random.default_rng(5)
    for _ in range(20):
        tree = multiway_tree(rng, planes=False)
        counts, n_rows = tree.counts.copy(), tree.n_rows.copy()
        for i in reversed(range(tree.n_nodes)):
            if len(children := tree.node(i).children):
                counts[i] = counts[children.start : children.stop].sum(axis=0)
                n_rows[i] = n_rows[children.start : children.stop].sum()
        tree = planetree.Tree(tree.schema, tree.classes, tree.tests, counts, n_rows)
        text = to_text(Model(tree, np.array(tree.classes), True, {}))
        VALIDATOR.validate(json.loads(text))
        back = from_text(text, ()).tree
        assert back == tree
        X = rng.integers(0, 4, (100, 4)).astype(float)
        np.testing.assert_array_equal(back.apply(X), tree.apply(X))


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(tables(symbols=True), st.booleans(), st.sampled_from(["int", "str", "float", "bool"]))
def test_round_trip_of_random_trees(table, fused, label):
    tree = (
        planetree.grow.grow_fused(table, merits.Gini(), Stop())
        if fused
        else planetree.grow.grow_node_by_node(
            table, merits.Gini(), Stop(), [planetree.search.Univariate()]
        )
    )
    make = {"int": int, "str": lambda k: f"c{k}", "float": lambda k: k / 3, "bool": bool}[label]
    n_classes = 2 if label == "bool" and len(table.classes) == 2 else len(table.classes)
    classes = np.array([make(k) for k in range(n_classes)])
    if len(np.unique(classes)) < n_classes:
        classes = np.arange(n_classes)
    tree = planetree.Tree(
        tree.schema, tuple(classes.tolist()), tree.tests, tree.counts, tree.n_rows
    )
    text = to_text(Model(tree, classes, True, {}))
    VALIDATOR.validate(json.loads(text))
    back = from_text(text, ())
    assert back.tree == tree
    assert back.classes.dtype == classes.dtype
    np.testing.assert_array_equal(back.tree.apply(table.X), tree.apply(table.X))
    assert back.tree.probabilities.tobytes() == tree.probabilities.tobytes()
    assert to_text(back) == text


@given(
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=2, max_size=8, unique=True)
)
def test_cuts_come_back_to_the_last_bit(values):
    y = [f"c{i}" for i in range(len(values))]
    tree = CART(pruner=Unpruned()).fit(np.array(values)[:, None], y)
    assert_same(tree, loaded(saved(tree)), np.array(values)[:, None])


def test_weights_come_back_to_the_last_bit():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(3000, 3)), rng.integers(0, 4, 3000)
    for weight in (rng.lognormal(0, 8, 3000), rng.random(3000) * 1e-300, rng.random(3000) * 1e300):
        tree = CART(min_leaf_rows=2, pruner=Unpruned()).fit(X, y, weight)
        assert_same(tree, loaded(saved(tree)), X[:20])


def test_a_single_leaf_and_a_deep_tree():
    for X in (np.ones((4, 1)), np.arange(3000.0)[:, None]):
        y = np.arange(len(X)) % 2
        tree = CART(pruner=Unpruned()).fit(X, y)
        assert_same(tree, loaded(saved(tree)), X[:20])


# --- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "params",
    [
        {"merit": merits.GainRatio(guard=False), "max_depth": 3, "min_share": 0.01},
        {"class_weight": "balanced", "min_merit": np.float64(0.001), "max_depth": np.int64(4)},
        {"class_weight": {"no": 2, "yes": 0.1, "perhaps": np.float64(1.5)}, "progress": True},
        {"n_threads": 1, "max_leaves": 5, "min_rows": 3, "min_leaf_rows": 2},
        *({"merit": getattr(merits, name)()} for name in merits.__all__ if name != "Merit"),
    ],
)
def test_parameters_come_back(params):
    tree = fitted(**params)
    VALIDATOR.validate(json.loads(saved(tree)))
    other = loaded(saved(tree))
    ours, theirs = (estimator.get_params(deep=False) for estimator in (tree, other))
    assert repr(theirs.pop("merit")) == repr(ours.pop("merit"))
    assert theirs == ours
    assert not [value for value in theirs.values() if isinstance(value, np.generic)]
    assert_same(tree, other.fit(COLUMNS, CALM), STRANGERS)


class Purity(merits.Merit):
    def __init__(self, power=1):
        self.power = power

    def __call__(self, counts):
        return (counts.max(axis=2).sum(axis=1) / counts.sum(axis=(1, 2))) ** self.power


class Gini(merits.Gini):
    """Not the one of planetree.merits, whatever it is called."""


@pytest.mark.parametrize("merit", [Purity(power=2), Gini(), merits.GainRatio(guard=Purity())])
def test_a_merit_of_ones_own_is_lost_with_a_warning(merit):
    tree = fitted(merit=merit)
    text = saved(tree)
    VALIDATOR.validate(json.loads(text))
    with pytest.warns(UserWarning, match=re.escape(f"merit was {merit!r} and is None now")) as told:
        other = loaded(text)
    assert len(told) == 1
    assert told[0].filename == __file__
    assert other.merit is None
    assert_same(tree, other, STRANGERS)


class Doubled(scaling.Deviations):
    """A scaling of one's own."""


def params_round_trip(**params):
    """The parameters as they come back, whatever the estimator has a place for."""
    tree = fitted(max_depth=1)
    text = to_text(Model(tree.tree_, tree.classes_, True, params))
    VALIDATOR.validate(json.loads(text))
    return from_text(text, params).params


@pytest.mark.parametrize("name", PLUGINS)
def test_every_plugin_of_planetree_comes_back(name):
    plugin = PLUGINS[name]()
    back = params_round_trip(plugin=plugin)["plugin"]
    assert type(back) is type(plugin)
    assert back.get_params() == plugin.get_params()


@pytest.mark.parametrize(
    "plugin",
    [
        learners.RLS(passes=7, p0=1e-3),
        learners.LeastSquares(balanced=True, scaling=scaling.Quartiles()),
        learners.RLS(passes=("univariate", "least_squares", 3, True)),
    ],
)
def test_parameters_of_a_plugin_come_back(plugin):
    back = params_round_trip(learner=plugin)["learner"]
    assert repr(back) == repr(plugin)
    ours, theirs = plugin.get_params(), back.get_params()
    assert {k: v for k, v in theirs.items() if not isinstance(v, scaling.Scaling)} == {
        k: v for k, v in ours.items() if not isinstance(v, scaling.Scaling)
    }


@pytest.mark.parametrize(
    "plugin",
    [
        learners.LeastSquares(scaling=Doubled()),
        learners.LeastSquares(balanced=[1, 2]),
        learners.LeastSquares(balanced=(1, (2, 3))),
        learners.RLS(p0=float("nan")),
    ],
)
def test_a_plugin_that_holds_what_no_file_can_is_lost_as_a_whole(plugin):
    assert params_round_trip(learner=plugin) == {"learner": Lost(repr(plugin))}


def test_numbers_of_numpy_in_a_plugin_become_pythons():
    passes = params_round_trip(learner=learners.RLS(passes=np.int64(2)))["learner"].passes
    assert (passes, type(passes)) == (2, int)


def test_a_fitted_tree_of_planes_comes_back():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    X[rng.random((90, 3)) < 0.1] = np.nan
    y = np.where(np.nansum(X, axis=1) > 0.5, "high", np.where(X[:, 0] > 0, "mid", "low"))
    for learner in (learners.RLS(passes=2), learners.LeastSquares(scaling=scaling.Quartiles())):
        tree = PlaneTreeClassifier(
            learner=learner, selector=selectors.SBE(tolerance=0.2), max_depth=3
        )
        tree.fit(X, y)
        assert {"linear", "machine"} & {test.kind for test in tree.tree_.tests if test}
        VALIDATOR.validate(json.loads(saved(tree)))
        other = loaded(saved(tree))
        assert_same(tree, other, X)
        assert repr(other) == repr(tree)
        assert_same(tree, other.fit(X, y), X)


class Ours(learners.RLS):
    """A learner of one's own."""


def test_a_learner_of_ones_own_is_lost_with_a_warning():
    X, y = np.random.default_rng(0).normal(size=(40, 2)), np.arange(40) % 2
    tree = PlaneTreeClassifier(learner=Ours(), univariate=False, selector=selectors.SBE()).fit(X, y)
    with pytest.warns(UserWarning, match=r"learner was Ours\(\) and is None now") as told:
        other = loaded(saved(tree))
    assert len(told) == 1
    message = str(told[0].message)
    assert "selector was SBE() and is None now; univariate was False and is True now" in message
    assert other.get_params() == PlaneTreeClassifier().get_params()
    assert_same(tree, other, X)


def test_names_of_plugins_are_told_apart():
    for module in (learners, merits, pruners, scaling, selectors):
        for name in module.__all__:
            if name in PLUGINS:
                assert getattr(module, name) is PLUGINS[name]


def test_other_things_that_no_file_can_hold():
    tree = fitted()
    tree.set_params(min_merit=float("inf"), class_weight={("y", "es"): 2}, max_depth=10**30)
    text = saved(tree)
    with pytest.warns(UserWarning, match="class_weight was.*max_depth was.*min_merit was inf"):
        other = loaded(text)
    assert repr(other) == repr(fitted())
    assert_same(tree, other, STRANGERS)


def test_callable_progress_is_not_kept():
    tree = fitted(progress=lambda share: None)
    assert "progress" not in json.loads(saved(tree))["estimator"]["params"]
    assert loaded(saved(tree)).progress is False


def test_a_parameter_that_is_absent_has_its_default():
    content = document(max_depth=2, merit=merits.Twoing())
    content["estimator"]["params"] = {"max_leaves": 7}
    assert repr(loaded(json.dumps(content))) == "PlaneTreeClassifier(max_leaves=7)"


def test_an_estimator_of_ones_own_becomes_planetrees():
    class Mine(PlaneTreeClassifier):
        def __init__(self, extra=1):
            super().__init__(max_depth=2)
            self.extra = extra

    tree = Mine().fit(COLUMNS, CALM)
    other = loaded(saved(tree))
    assert type(other) is PlaneTreeClassifier
    assert other.max_depth == 2
    assert_same(tree, other, STRANGERS)


# --- saving ---------------------------------------------------------------------------------------


def test_a_path_is_as_good_as_a_file(tmp_path):
    tree = fitted()
    path = tmp_path / "Bäume.json"
    tree.save(path)
    tree.save(str(tmp_path / "again.json"))
    assert path.read_bytes() == (tmp_path / "again.json").read_bytes() == saved(tree).encode()
    assert_same(tree, planetree.load(path), STRANGERS)
    assert_same(tree, planetree.load(str(path)), STRANGERS)
    with open(path, encoding="utf-8") as file:
        assert_same(tree, planetree.load(file), STRANGERS)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["Bäume.json", "again.json"]


def test_an_unfitted_estimator_is_not_saved(tmp_path):
    (tmp_path / "model.json").write_text("old")
    with pytest.raises(NotFittedError):
        CART().save(tmp_path / "model.json")
    assert (tmp_path / "model.json").read_text() == "old"


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()])
def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch, step, error):
    def interrupt(*args):
        raise error

    path = tmp_path / "model.json"
    path.write_text("old")
    monkeypatch.setattr(os, step, interrupt)
    with pytest.raises(type(error)):
        fitted().save(path)
    assert path.read_text() == "old"
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.skipif(os.name == "nt", reason="permissions, links and pipes are those of POSIX")
def test_the_file_replaced_keeps_its_mode_and_its_links(tmp_path):
    path, link = tmp_path / "model.json", tmp_path / "link.json"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    fitted().save(link)
    assert link.is_symlink()
    assert path.stat().st_mode & 0o777 == 0o640
    assert planetree.load(path).tree_ == planetree.load(link).tree_ == fitted().tree_
    fitted().save(tmp_path / "new.json")
    (tmp_path / "plain").write_text("")
    assert (tmp_path / "new.json").stat().st_mode == (tmp_path / "plain").stat().st_mode
    fitted().save(os.devnull)
    assert not Path(os.devnull).is_file()


def test_a_path_that_cannot_be_opened_is_an_oserror(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere\.json"):
        planetree.load(tmp_path / "nowhere.json")
    with pytest.raises(OSError, match=re.escape(tmp_path.name)):
        planetree.load(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"model\.json"):
        fitted().save(tmp_path / "nowhere" / "model.json")
    with pytest.raises(OSError, match=re.escape(tmp_path.name)):
        fitted().save(tmp_path)
    for thing in (7, None, b"model.json", ["model.json"], io.BytesIO(b"{}")):
        with pytest.raises(TypeError, match="file opened for text"):
            planetree.load(thing)
    with pytest.raises(TypeError, match="file opened for text"):
        fitted().save(7)


def test_what_could_not_be_loaded_is_not_saved(tmp_path):
    with pytest.raises(ModelFileError, match=r"cannot be saved: classes.*surrogate"):
        CART(pruner=Unpruned()).fit([[1.0], [2.0]], np.array(["a", "\ud800"])).save(tmp_path / "a")
    tree = fitted()
    infinite = tree.tree_.counts.copy()
    infinite[0, 0] = np.inf
    tree.tree_ = planetree.Tree(
        tree.tree_.schema, tree.tree_.classes, tree.tree_.tests, infinite, tree.tree_.n_rows
    )
    with pytest.raises(ModelFileError, match=r"cannot be saved: nodes\[0\].counts\[0\]: .* finite"):
        tree.save(tmp_path / "a")
    with pytest.raises(ValueError, match="max_depth"):
        fitted().set_params(max_depth=-1).save(tmp_path / "a")
    assert [*tmp_path.iterdir()] == []


# --- what is refused ------------------------------------------------------------------------------


def base():
    """A small document with every kind of test: nodes 0, 1 and 2 ask, 3 to 8 are leaves."""
    return {
        "format": "planetree-model",
        "version": 1,
        "planetree": planetree.__version__,
        "estimator": {"class": "PlaneTreeClassifier", "params": {"max_depth": 2}},
        "classes": ["a", "b"],
        "classes_dtype": "<U1",
        "named": True,
        "features": [
            {"name": "x", "kind": "numeric", "missing": False},
            {"name": "c", "kind": "symbolic", "symbols": ["r", "s", "t"], "missing": True},
            {"name": "b", "kind": "boolean", "missing": True},
        ],
        "nodes": [
            {
                "id": 0,
                "test": {"kind": "threshold", "feature": 0, "cut": 2.5, "missing": 1},
                "children": [1, 2],
                "n_rows": 10,
                "counts": [4, 6.5],
            },
            {
                "id": 1,
                "test": {
                    "kind": "category",
                    "feature": 1,
                    "branches": [0, 1, 2],
                    "missing": 0,
                    "unseen": 2,
                },
                "children": [3, 4, 5],
                "n_rows": 6,
                "counts": [3, 3],
            },
            {
                "id": 2,
                "test": {"kind": "known", "feature": 2},
                "children": [6, 7],
                "n_rows": 4,
                "counts": [1, 3.5],
            },
            {"id": 3, "n_rows": 2, "counts": [2, 0]},
            {"id": 4, "n_rows": 2, "counts": [1, 1]},
            {"id": 5, "n_rows": 2, "counts": [0, 2]},
            {"id": 6, "n_rows": 3, "counts": [1, 2]},
            {"id": 7, "n_rows": 1, "counts": [0, 1.5]},
        ],
    }


def test_base_is_accepted():
    VALIDATOR.validate(base())
    tree = loaded(json.dumps(base()))
    X = {"x": [1, 1, 3], "c": ["s", None, "r"], "b": [True, False, None]}
    assert tree.apply(X).tolist() == [4, 3, 7]
    assert tree.predict(X).tolist() == ["a", "a", "b"]
    assert json.loads(saved(tree))["nodes"] == base()["nodes"]


def nested(depth):
    inner = {"class": "GainRatio", "params": {"guard": True}}
    for _ in range(depth - 1):
        inner = {"class": "GainRatio", "params": {"guard": inner}}
    return inner


ABSENT = type("Absent", (), {"__repr__": lambda self: "absent"})()
N1 = ("nodes", 1, "test")
REFUSED = [
    # the file as a whole
    (("format",), ABSENT, 'not a planetree model: "format" is missing'),
    (("format",), "other", "not a planetree model: \"format\" is 'other'"),
    (("version",), ABSENT, 'not a planetree model: "version" is missing'),
    (("version",), 2, "version 2 of the format, and planetree .* reads version 1: upgrade planetr"),
    (("version",), 0, "version: must lie between 1 and"),
    (("version",), True, "version: must be a whole number, not True"),
    (("version",), "1", "version: must be a whole number, not '1'"),
    (("version",), 1.0, "version: must be a whole number, not 1.0"),
    (("planetree",), ABSENT, '"planetree" is missing'),
    (("planetree",), 1, "planetree: must be text"),
    (("nodes",), ABSENT, '"nodes" is missing'),
    (("extra",), 1, "there is no key 'extra'"),
    (("named",), 1, "named: must be true or false, not 1"),
    # the estimator
    (("estimator",), [], "estimator: must be an object"),
    (("estimator", "class"), "RandomForest", "estimator.class: must be"),
    (("estimator", "params"), [], "estimator.params: must be an object"),
    (("estimator", "params", "depth"), 1, "estimator.params: there is no key 'depth'"),
    (("estimator", "params", "max_depth"), -1, "estimator.params: max_depth must be a whole"),
    (("estimator", "params", "max_depth"), "2", "estimator.params: max_depth must be a whole"),
    (("estimator", "params", "n_threads"), 0.5, "estimator.params: n_threads must be a whole"),
    (
        ("estimator", "params", "max_depth"),
        [1],
        r"max_depth must be a whole number of at least 0 or None, not \(1,\)",
    ),
    (("estimator", "params", "max_depth"), [[1]], r"max_depth\[0\]: must be text, a number, true"),
    (("estimator", "params", "merit"), "Gini", "estimator.params: merit must be a merit"),
    (
        ("estimator", "params", "merit"),
        {"class": "eval", "params": {}},
        "merit.class: planetree has no such part",
    ),
    (
        ("estimator", "params", "merit"),
        {"class": "Merit", "params": {}},
        "merit.class: planetree has no such part",
    ),
    (("estimator", "params", "merit"), {"class": [], "params": {}}, "merit.class: must be text"),
    (
        ("estimator", "params", "learner"),
        {"class": "BestOf", "params": {"learners": [{"class": "eval", "params": {}}]}},
        r"learner.params.learners\[0\].class: planetree has no such part",
    ),
    (
        ("estimator", "params", "learner"),
        {"class": "BestOf", "params": {"learners": [[]]}},
        r"learner.params.learners\[0\]: must be",
    ),
    (("estimator", "params", "merit"), {"class": "Gini"}, 'merit: "params" is missing'),
    (
        ("estimator", "params", "merit"),
        {"class": "Gini", "params": {"a": 1}},
        "merit.params: there is no key 'a'",
    ),
    (
        ("estimator", "params", "merit"),
        {"class": "GainRatio", "params": {"guard": {"class": "eval", "params": {}}}},
        "merit.params.guard.class: planetree has no such part",
    ),
    (
        ("estimator", "params", "merit"),
        {"class": "GainRatio", "params": {"guard": {"repr": "True"}}},
        'merit.params.guard: "class" is missing',
    ),
    (("estimator", "params", "merit"), nested(9), r"merit(\.params\.guard){8}: nested too deeply"),
    (("estimator", "params", "merit"), nested(8), None),
    (("estimator", "params", "merit"), {"repr": 1}, "merit.repr: must be text"),
    (
        ("estimator", "params", "class_weight"),
        {"pairs": [["a"]]},
        r"pairs\[0\]: must have length 2",
    ),
    (
        ("estimator", "params", "class_weight"),
        {"pairs": [["a", "1"]]},
        r"pairs\[0\]\[1\]: must be a n",
    ),
    (
        ("estimator", "params", "class_weight"),
        {"pairs": [["a", 1], ["a", 2]]},
        r"pairs\[1\]\[0\]: is there twice",
    ),
    # the classes
    (("classes",), [], "classes: must have an entry"),
    (("classes",), "ab", "classes: must be a list"),
    (("classes",), ["a", 1], r"classes\[1\]: 1 is not of the same type as 'a'"),
    (("classes",), ["b", "a"], r"classes\[1\]: 'a' does not come after 'b'"),
    (("classes",), ["a", "a"], r"classes\[1\]: 'a' does not come after 'a'"),
    (("classes",), ["a", None], r"classes\[1\]: must be text, a number, true or false"),
    (("classes",), ["a", "bb"], r"classes\[1\]: <U1 cannot hold 'bb'"),
    (("classes",), ["a\0", "b"], r"classes\[0\]: <U1 cannot hold"),
    (("classes",), [0, 1], r"classes\[0\]: must be str like <U1, not 0"),
    (("classes",), ["a"], r"nodes\[0\].counts: must have length 1, not 2"),
    (("classes_dtype",), "<i8", r"classes\[0\]: must be int like <i8, not 'a'"),
    (("classes_dtype",), "|b1", r"classes\[0\]: must be bool like"),
    (("classes_dtype",), "str", "classes_dtype: must be NumPy's own name"),
    (("classes_dtype",), "<U999999999", "classes_dtype: <U999999999 is wider than its labels need"),
    (("classes_dtype",), "<i8,<i8", "classes_dtype: must be NumPy's own name"),
    (("classes_dtype",), "<U1\n", "classes_dtype: must be NumPy's own name"),
    (("classes_dtype",), "<M8", "classes_dtype: must be NumPy's own name"),
    (("classes_dtype",), None, "classes_dtype: must be text"),
    # the features
    (("features",), [], "features: must have an entry"),
    (("features", 0), "x", r"features\[0\]: must be an object"),
    (("features", 0, "name"), ABSENT, r'features\[0\]: "name" is missing'),
    (("features", 0, "name"), 1, r"features\[0\].name: must be text"),
    (("features", 1, "name"), "x", r"features\[1\].name: two features are named 'x'"),
    (
        ("features", 0, "kind"),
        "ordinal",
        r"features\[0\].kind: must be numeric, boolean or symbolic",
    ),
    (("features", 0, "kind"), [], r"features\[0\].kind: must be numeric, boolean or symbolic"),
    (("features", 0, "missing"), 0, r"features\[0\].missing: must be true or false"),
    (("features", 0, "symbols"), [], r"features\[0\]: there is no key 'symbols'"),
    (("features", 1, "symbols"), ABSENT, r'features\[1\]: "symbols" is missing'),
    (("features", 1, "symbols"), [], r"features\[1\].symbols: must have an entry"),
    (("features", 1, "symbols"), ["r", "t", "s"], r"symbols\[2\]: 's' does not come after 't'"),
    (("features", 1, "symbols"), ["r", "r", "s"], r"symbols\[1\]: 'r' does not come after 'r'"),
    (("features", 1, "symbols"), ["r", "s", 3], r"symbols\[2\]: 3 is not of the same type"),
    (("features", 1, "symbols"), [0, 1, True], r"symbols\[2\]: True is not of the same type"),
    (("features", 1, "symbols"), [0, 1, 2.0], r"symbols\[2\]: 2.0 is not of the same type"),
    (
        ("features", 1, "symbols"),
        ["r", "s"],
        r"nodes\[1\].test.branches: must have length 2, not 3",
    ),
    (("features", 0, "kind"), "boolean", None),
    # the nodes
    (("nodes",), [], "nodes: must have an entry"),
    (("nodes",), {}, "nodes: must be a list"),
    (("nodes", 3), [], r"nodes\[3\]: must be an object"),
    (("nodes", 3, "id"), 4, r"nodes\[3\].id: must be 3, the node's place"),
    (("nodes", 3, "id"), ABSENT, r'nodes\[3\]: "id" is missing'),
    (("nodes", 1, "id"), True, r"nodes\[1\].id: must be a whole number, not True"),
    (("nodes", 3, "n_rows"), -1, r"nodes\[3\].n_rows: must lie between 0 and"),
    (("nodes", 3, "n_rows"), 2.0, r"nodes\[3\].n_rows: must be a whole number, not 2.0"),
    (("nodes", 3, "n_rows"), 3, r"nodes\[1\].n_rows: is 6, but its branches have 7"),
    (("nodes", 0, "n_rows"), 2**63, r"nodes\[0\].n_rows: must lie between"),
    (("nodes", 3, "counts"), [2], r"nodes\[3\].counts: must have length 2, not 1"),
    (("nodes", 3, "counts"), {"a": 2}, r"nodes\[3\].counts: must be a list"),
    (("nodes", 3, "counts", 1), -1, r"nodes\[3\].counts\[1\]: must not be negative"),
    (("nodes", 3, "counts", 1), "0", r"nodes\[3\].counts\[1\]: must be a number"),
    (("nodes", 3, "counts", 1), False, r"nodes\[3\].counts\[1\]: must be a number, not False"),
    (("nodes", 3, "counts"), [0, 0], r"nodes\[3\].counts: their sum must be greater than 0"),
    (
        ("nodes", 3, "counts"),
        [1e308, 1e308],
        r"nodes\[3\].counts: their sum must be greater than 0",
    ),
    (
        ("nodes", 3, "counts"),
        [2, 1e-9],
        r"nodes\[1\].counts\[1\]: is 3.0, but its branches have 3.0",
    ),
    (("nodes", 7, "test"), {"kind": "known", "feature": 0}, r'nodes\[7\]: "children" is missing'),
    (("nodes", 0, "test"), ABSENT, r'nodes\[0\]: "test" is missing'),
    (("nodes", 2, "children"), ABSENT, r'nodes\[2\]: "children" is missing'),
    (("nodes", 2, "children"), [6], r"nodes\[2\].children: must have length 2, not 1"),
    (("nodes", 2, "children"), [7, 6], r"nodes\[2\].children\[0\]: must be 6, not 7"),
    (("nodes", 2, "children"), [6, 6], r"nodes\[2\].children\[1\]: must be 7, not 6"),
    (("nodes", 2, "children"), [0, 7], r"nodes\[2\].children\[0\]: must be 6, not 0"),
    (
        ("nodes", 2, "children"),
        [6, 9],
        r"nodes\[2\].children\[1\]: there is no node 9; the model has 8",
    ),
    (("nodes", 2, "children"), [-1, 7], r"nodes\[2\].children\[0\]: must lie between 0"),
    (("nodes", 8), {"id": 8, "n_rows": 1, "counts": [1, 0]}, r"nodes\[8\]: no test leads here"),
    (("nodes", 3, "label"), "a", r"nodes\[3\]: there is no key 'label'"),
    # the tests
    (("nodes", 0, "test"), "x < 3", r"nodes\[0\].test: must be an object with a kind"),
    (("nodes", 0, "test", "kind"), ABSENT, r"nodes\[0\].test: must be an object with a kind"),
    (
        ("nodes", 0, "test", "kind"),
        "quantum",
        r"nodes\[0\].test.kind: must be threshold or known or",
    ),
    (
        ("nodes", 0, "test", "kind"),
        ["known"],
        r"nodes\[0\].test.kind: must be threshold or known or",
    ),
    (("nodes", 0, "test", "kind"), "known", r"nodes\[0\].test: there is no key 'cut', only feat"),
    (
        ("nodes", 0, "test", "feature"),
        9,
        r"nodes\[0\].test.feature: there is no feature 9; .* has 3",
    ),
    (("nodes", 0, "test", "feature"), False, r"nodes\[0\].test.feature: must be a whole number"),
    (("nodes", 0, "test", "feature"), -1, r"nodes\[0\].test.feature: must lie between"),
    (
        ("nodes", 0, "test", "feature"),
        1,
        r"a threshold test cannot ask feature 1, which is symbolic",
    ),
    (("nodes", 0, "test", "feature"), 2, None),
    ((*N1, "feature"), 0, r"a category test cannot ask feature 0, which is numeric"),
    ((*N1, "feature"), 2, r"a category test cannot ask feature 2, which is boolean"),
    (("nodes", 2, "test", "feature"), 1, None),
    (("nodes", 0, "test", "cut"), "2.5", r"nodes\[0\].test.cut: must be a number"),
    (("nodes", 0, "test", "cut"), None, r"nodes\[0\].test.cut: must be a number"),
    (("nodes", 0, "test", "cut"), 3, None),
    (("nodes", 0, "test", "missing"), 2, r"nodes\[0\].test.missing: must lie between 0 and 1"),
    (("nodes", 0, "test", "missing"), True, r"nodes\[0\].test.missing: must be a whole number"),
    ((*N1, "branches"), [0, 1], r"nodes\[1\].test.branches: must have length 3, not 2"),
    ((*N1, "branches"), [0, 1, 3], r"nodes\[1\].children: must have length 4, not 3"),
    ((*N1, "branches"), [0, 1, 2**31 - 2], r"nodes\[1\].children: must have length 2147483647"),
    ((*N1, "branches"), [0, 1, 2**31 - 1], r"nodes\[1\].test.branches\[2\]: must lie between"),
    ((*N1, "branches"), [0, 1, -1], r"nodes\[1\].test.branches\[2\]: must lie between"),
    ((*N1, "missing"), 3, r"nodes\[1\].children: must have length 4, not 3"),
    ((*N1, "unseen"), ABSENT, r'nodes\[1\].test: "unseen" is missing'),
    (
        N1,
        {"kind": "category", "feature": 1, "branches": [0, 0, 0], "missing": 0, "unseen": 0},
        r"nodes\[1\].test: a test has two branches or more",
    ),
]


@pytest.mark.parametrize(("where", "value", "message"), REFUSED, ids=lambda v: str(v)[:40])
def test_refused_by_name(where, value, message):
    content = base()
    *way, last = where
    place = content
    for step in way:
        place = place[step]
    if value is ABSENT:
        del place[last]
    elif isinstance(place, list) and last == len(place):
        place.append(value)
    else:
        place[last] = value
    if message is None:
        VALIDATOR.validate(content)
        loaded(json.dumps(content))
        return
    with pytest.raises(ModelFileError, match=message):
        loaded(json.dumps(content))


NUMBERS = {
    "NaN": "NaN is no number of JSON",
    "Infinity": "Infinity is no number of JSON",
    "-Infinity": "-Infinity is no number of JSON",
    "1e999": r"nodes\[0\].test.cut: must be finite, not inf",
    "9" * 30: "has more than 64 bits",
    "9" * 5000: "has more than 64 bits",
    "18446744073709551616": "has more than 64 bits",
    "-9223372036854775809": "has more than 64 bits",
    "02.5": "not JSON",
    "2.5,": "not JSON",
}


@pytest.mark.parametrize(("literal", "message"), NUMBERS.items(), ids=lambda v: v[:20])
def test_refused_numbers(literal, message):
    with pytest.raises(ModelFileError, match=message):
        loaded(json.dumps(base()).replace("2.5", literal, 1))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON: Expecting value"),
        ("{", "not JSON"),
        ("null", "not a planetree model: an object is needed, not None"),
        ("[" * 100_000 + "]" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "nested too deeply"),
        ("\ufeff{}", "not JSON"),
        (
            "[" + "1," * 10**6 + "1]",
            r"not a planetree model: an object is needed, not \[1, 1,.*\.\]$",
        ),
        (
            json.dumps(base()).replace('"missing": 1', '"missing": 1, "missing": 0'),
            "'missing' is th",
        ),
        (json.dumps(base()) + "{}", "not JSON: Extra data"),
        (json.dumps(base()).replace('"x"', r'"\ud800"'), r"name: .* half of a surrogate pair"),
    ],
    ids=["empty", "cut", "null", "lists", "objects", "mark", "long", "twice", "more", "surrogate"],
)
def test_refused_texts(text, message):
    with pytest.raises(ModelFileError, match=message) as told:
        loaded(text)
    assert len(str(told.value)) < 300


def test_the_message_names_the_file(tmp_path):
    path = tmp_path / "model.json"
    path.write_bytes(b'{"format": "\xff"}')
    with pytest.raises(ModelFileError, match=r"model.json: not UTF-8: .* position 12"):
        planetree.load(path)
    path.write_bytes(b"")
    with pytest.raises(ModelFileError, match=r"model.json: not JSON"):
        planetree.load(path)


def test_a_refusal_says_who_wrote_the_file():
    content = base() | {"planetree": "9.8.7"}
    assert loaded(json.dumps(content)).tree_.n_nodes == 8
    content["nodes"][0]["test"]["kind"] = "quantum"
    with pytest.raises(ModelFileError, match=r"written by planetree 9\.8\.7; this is"):
        loaded(json.dumps(content))


# --- what is written down -------------------------------------------------------------------------


def test_schema_is_one_and_knows_what_the_code_knows():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    kinds = [test["properties"]["kind"]["const"] for test in SCHEMA["$defs"]["test"]["oneOf"]]
    assert kinds == [*nodes.TESTS]
    pattern = SCHEMA["$defs"]["object"]["properties"]["class"]["pattern"]
    assert all(re.search(pattern, name) for name in PLUGINS)


def test_schema_refuses_what_it_can():
    """A schema that accepts everything would pass all other tests."""
    refused = 0
    for where, value, message in REFUSED:
        if message is None:
            continue
        content = base()
        place = content
        for step in where[:-1]:
            place = place[step]
        if value is ABSENT:
            del place[where[-1]]
        elif where != ("nodes", 8):
            place[where[-1]] = value
        refused += not VALIDATOR.is_valid(content)
    assert refused > 70


def test_golden_file_is_read_for_ever():
    tree = planetree.load(GOLDEN / "model-v1.json")
    VALIDATOR.validate(json.loads((GOLDEN / "model-v1.json").read_text(encoding="utf-8")))
    expected = json.loads((GOLDEN / "model-v1-expected.json").read_text(encoding="utf-8"))
    assert tree.apply(expected["X"]).tolist() == expected["apply"]
    assert tree.predict(expected["X"]).tolist() == expected["predict"]
    assert tree.predict_proba(expected["X"]).tolist() == expected["predict_proba"]
    assert tree.predict(expected["X"]).dtype.str == expected["dtype"]
    assert str(tree.tree_).splitlines() == expected["text"]
    assert repr(tree.merit) == "GainRatio(guard=False)"
    assert tree.class_weight == {"no": 1, "perhaps": 2.5, "yes": 0.1}
    assert [node["kind"] for node in expected["tests"]] == [
        test.kind for test in tree.tree_.tests if test is not None
    ]


def test_golden_file_of_linear_tests_is_read_for_ever():
    tree = planetree.load(GOLDEN / "model-v1-linear.json")
    VALIDATOR.validate(json.loads((GOLDEN / "model-v1-linear.json").read_text(encoding="utf-8")))
    expected = json.loads((GOLDEN / "model-v1-linear-expected.json").read_text(encoding="utf-8"))
    assert tree.apply(expected["X"]).tolist() == expected["leaves"]
    assert [test.kind for test in tree.tree_.tests if test is not None] == expected["kinds"]


def test_golden_file_of_fractional_cases_is_read_for_ever():
    """Quinlan's weather, with an outlook and a humidity that are not known."""
    tree = planetree.load(GOLDEN / "model-v1-fractional.json")
    text = (GOLDEN / "model-v1-fractional.json").read_text(encoding="utf-8")
    VALIDATOR.validate(json.loads(text))
    X = {"outlook": [None, "sunny", "snow"], "humidity": [70, None, 80], "windy": ["true"] * 3}
    proba = tree.predict_proba(X | {"temperature": [70.0] * 3})
    by_hand = 3 / 13 + 5 / 13 * (5 / 13) / (2 + 5 / 13) + 5 / 13
    np.testing.assert_allclose(proba[0, 1], by_hand)
    np.testing.assert_allclose(proba[1, 1], (2 + 5 / 13) / (5 + 5 / 13))
    assert tree.tree_.parts(np.array([[3, 70, 80, 0.0]])).nnz == 3


def test_example_in_the_docs_is_what_is_written(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "model-file.md").read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], {})
    written = Path("iris.json").read_text(encoding="utf-8")
    shown = re.search(r"```json\n(.*?)```", page, re.DOTALL)[1]
    release = re.compile(r'"planetree": "[^"]*"')
    assert release.sub("", shown) == release.sub("", written)


# --- linear tests ---------------------------------------------------------------------------------


def linear_base():
    """The small document with linear tests: a unit at the root, a machine below."""
    content = base()
    content["nodes"][0]["test"] = {
        "kind": "linear",
        "terms": [
            {"feature": 0, "fill": 1.5},
            {"feature": 1, "symbol": 2, "fill": 0.25},
            {"feature": 2, "fill": 0.5},
        ],
        "weights": [1.0, -0.5, 2.0],
        "cut": 2.5,
    }
    content["nodes"][1]["test"] = {
        "kind": "machine",
        "terms": [{"feature": 0, "fill": 1.5}, {"feature": 1, "symbol": 0, "fill": 0.25}],
        "weights": [[0.0, 0.0], [1.0, 2.0], [-1.0, 0.5]],
        "constants": [0.0, -1.0, -0.5],
    }
    return content


def test_linear_base_is_accepted():
    VALIDATOR.validate(linear_base())
    tree = loaded(json.dumps(linear_base()))
    # x, place of c, b: the sum is x - 0.5 [c = t] + 2 b
    X = [[2.5, 0, 0], [2.5, 0, 1], [3.0, 2, 0], [0.5, 1, 0], [-2.0, 1, 0], [np.nan, 1, 0]]
    assert tree.tree_.apply(np.array(X)).tolist() == [4, 6, 4, 3, 5, 4]
    assert json.loads(saved(tree))["nodes"] == linear_base()["nodes"]


TERMS = ("nodes", 0, "test", "terms")
UNIT, MACHINE = r"nodes\[0\].test", r"nodes\[1\].test"
LINEAR_REFUSED = [
    (TERMS, [], rf"{UNIT}.terms: must have an entry"),
    (TERMS, {}, rf"{UNIT}.terms: must be a list"),
    ((*TERMS, 0), 1, rf"{UNIT}.terms\[0\]: must be an object"),
    ((*TERMS, 0, "feature"), 3, rf"{UNIT}.terms\[0\].feature: there is no feature 3; .* has 3"),
    ((*TERMS, 0, "feature"), -1, rf"{UNIT}.terms\[0\].feature: must lie between"),
    ((*TERMS, 0, "feature"), True, rf"{UNIT}.terms\[0\].feature: must be a whole number"),
    ((*TERMS, 0, "feature"), 2, rf"{UNIT}.terms\[2\]: the input b is there twice"),
    ((*TERMS, 0, "feature"), 1, rf'{UNIT}.terms\[0\]: "symbol" is missing'),
    ((*TERMS, 1, "feature"), 0, rf"{UNIT}.terms\[1\].symbol: feature 0 is numeric and has no sym"),
    ((*TERMS, 2, "symbol"), 0, rf"{UNIT}.terms\[2\].symbol: feature 2 is boolean and has no sym"),
    ((*TERMS, 1, "symbol"), 3, rf"{UNIT}.terms\[1\].symbol: must lie between 0 and 2; it is 3"),
    ((*TERMS, 1, "symbol"), -1, rf"{UNIT}.terms\[1\].symbol: must lie between 0 and 2"),
    ((*TERMS, 1, "symbol"), None, rf"{UNIT}.terms\[1\].symbol: must be a whole number"),
    ((*TERMS, 1, "symbol"), "t", rf"{UNIT}.terms\[1\].symbol: must be a whole number"),
    (
        (*TERMS, 2),
        {"feature": 1, "symbol": 2, "fill": 0},
        rf"{UNIT}.terms\[2\]: the input \[c = t\] is there twice",
    ),
    ((*TERMS, 2), {"feature": 1, "symbol": 0, "fill": 0}, None),
    ((*TERMS, 0, "fill"), ABSENT, rf'{UNIT}.terms\[0\]: "fill" is missing'),
    ((*TERMS, 0, "fill"), None, rf"{UNIT}.terms\[0\].fill: must be a number"),
    ((*TERMS, 0, "weight"), 1, rf"{UNIT}.terms\[0\]: there is no key 'weight'"),
    (("nodes", 0, "test", "weights"), [1, 2], rf"{UNIT}.weights: must have length 3, not 2"),
    (("nodes", 0, "test", "weights", 1), "1", rf"{UNIT}.weights\[1\]: must be a number"),
    (("nodes", 0, "test", "weights", 1), False, rf"{UNIT}.weights\[1\]: must be a number"),
    (("nodes", 0, "test", "weights", 1), 0, None),
    (("nodes", 0, "test", "cut"), ABSENT, rf'{UNIT}: "cut" is missing'),
    (("nodes", 0, "test", "cut"), [2.5], rf"{UNIT}.cut: must be a number"),
    (("nodes", 0, "test", "constants"), [1], rf"{UNIT}: there is no key 'constants'"),
    (("nodes", 0, "test", "feature"), 0, rf"{UNIT}: there is no key 'feature'"),
    (("nodes", 0, "test", "kind"), "machine", rf"{UNIT}: \"constants\" is missing"),
    ((*N1, "kind"), "linear", rf"{MACHINE}: \"cut\" is missing"),
    ((*N1, "terms"), [], rf"{MACHINE}.terms: must have an entry"),
    ((*N1, "weights"), [[0, 0], [1, 2]], rf"{MACHINE}.weights: must have length 3, not 2"),
    ((*N1, "weights", 2), [1], rf"{MACHINE}.weights\[2\]: must have length 2, not 1"),
    ((*N1, "weights", 2), 1, rf"{MACHINE}.weights\[2\]: must be a list"),
    ((*N1, "weights", 2, 1), None, rf"{MACHINE}.weights\[2\]\[1\]: must be a number"),
    ((*N1, "constants"), [0, 1], rf"{MACHINE}.weights: must have length 2, not 3"),
    ((*N1, "constants"), [0], rf"{MACHINE}.constants: a test has two branches or more"),
    ((*N1, "constants"), [], rf"{MACHINE}.constants: a test has two branches or more"),
    ((*N1, "constants", 0), "0", rf"{MACHINE}.constants\[0\]: must be a number"),
    (("nodes", 1, "children"), [3, 4], r"nodes\[1\].children: must have length 3, not 2"),
]


def changed(content, where, value):
    place = content
    for step in where[:-1]:
        place = place[step]
    if value is ABSENT:
        del place[where[-1]]
    else:
        place[where[-1]] = value
    return content


@pytest.mark.parametrize(("where", "value", "message"), LINEAR_REFUSED, ids=lambda v: str(v)[:40])
def test_linear_refused_by_name(where, value, message):
    content = changed(linear_base(), where, value)
    if message is None:
        VALIDATOR.validate(content)
        loaded(json.dumps(content))
        return
    with pytest.raises(ModelFileError, match=message):
        loaded(json.dumps(content))


@pytest.mark.parametrize("literal", ["NaN", "1e999", "-1e999", "9" * 400])
@pytest.mark.parametrize("field", ['"cut": 2.5', '"fill": 1.5', "[1.0, -0.5"])
def test_linear_numbers_are_finite(field, literal):
    text = json.dumps(linear_base())
    assert field in text
    number = field.rpartition(" ")[2]
    with pytest.raises(ModelFileError, match=r"number of JSON|must be finite|64 bits"):
        loaded(text.replace(field, field[: -len(number)] + literal, 1))


def test_schema_refuses_linear_tests_where_it_can():
    refused = sum(
        not VALIDATOR.is_valid(changed(linear_base(), where, value))
        for where, value, message in LINEAR_REFUSED
        if message is not None
    )
    assert refused > 20


FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(st.lists(FINITE, min_size=9, max_size=9), st.booleans())
def test_numbers_of_linear_tests_come_back_to_the_last_bit(numbers, machine):
    schema = Schema((Feature("a"), Feature("c", "symbolic", ("u", "v"))))
    terms = Term(0, None, numbers[0]), Term(1, 1, numbers[1])
    weights = tuple(numbers[2:4]), tuple(numbers[4:6])
    test = (
        LinearMachine(terms, weights, tuple(numbers[6:8]))
        if machine
        else LinearThresholdUnit(terms, weights[0], numbers[8])
    )
    counts, n_rows = np.array([[2.0, 1], [2, 0], [0, 1]]), np.array([3, 2, 1])
    tree = planetree.Tree(schema, ("a", "b"), (test, None, None), counts, n_rows)
    text = to_text(Model(tree, np.array(["a", "b"]), True, {}))
    VALIDATOR.validate(json.loads(text))
    back = from_text(text, ()).tree
    assert back == tree
    assert repr(back.tests[0]) == repr(test)  # 0.0 and -0.0 are equal and print differently
    assert to_text(Model(back, np.array(["a", "b"]), True, {})) == text


def test_numbers_of_numpy_are_written_as_numbers():
    terms = Term(np.int64(0), None, np.float64(0.5)), Term(1, None, 0.0)
    test = LinearThresholdUnit(terms, (np.float64(1.0), np.float32(0.5)), np.float64(2.5))
    schema = Schema((Feature("a"), Feature("b")))
    counts, n_rows = np.array([[2.0, 1], [2, 0], [0, 1]]), np.array([3, 2, 1])
    tree = planetree.Tree(schema, ("a", "b"), (test, None, None), counts, n_rows)
    back = from_text(to_text(Model(tree, np.array(["a", "b"]), True, {})), ()).tree
    assert back == tree


def test_nothing_of_warnings_when_all_is_kept():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loaded(saved(fitted(merit=merits.GainRatio())))
