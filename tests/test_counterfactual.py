"""Counterfactuals: of the wanted class, and no row of it is nearer."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import parity
from planetree import PlaneTreeClassifier, TableError, datasets
from planetree.counterfactual import Price, nearest
from planetree.learners import RLS
from planetree.nodetests import Threshold
from planetree.planes import LinearThresholdUnit, Term
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.schema import Feature, Schema
from planetree.tree import Tree


def cost_of(tree, x, rows, switch=1.0):
    """The price of every row, from its definition."""
    total = np.zeros(len(rows))
    for j, feature in enumerate(tree.schema.features):
        a, b = x[j], rows[:, j]
        same = (a == b) | (np.isnan(a) & np.isnan(b))
        moved = np.abs(a - b) if feature.kind == "numeric" else switch
        total += np.where(same, 0.0, np.where(np.isnan(a) != np.isnan(b), switch, moved))
    return total


def classes_of(tree, rows):
    return tree.labels[tree.apply(rows)]


@pytest.mark.parametrize("kind", ["threshold", "known", "boolean", "two-branches", "many-branches"])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_the_nearest_of_all_rows_that_a_cut_could_matter_to(kind, seed):
    tree = parity.random_tree(kind, seed=seed, n_nodes=15)
    used = {f for test in tree.tests if test is not None for f in test.features}
    for x in parity.rows_for(tree, 12, seed=seed):
        columns = []
        for j, feature in enumerate(tree.schema.features):
            cuts = [t.cut for t in tree.tests if isinstance(t, Threshold) and t.feature == j]
            steps = {c for cut in cuts for c in (cut, np.nextafter(cut, np.inf))}
            if j not in used or np.isnan(x[j]):
                columns.append([x[j]])
            elif feature.kind == "numeric":
                columns.append([x[j], *steps])
            else:
                columns.append([x[j], *range(len(feature.symbols) or 2)])
        rows = np.array(list(product(*columns)), float)
        own = int(classes_of(tree, x[None, :])[0])
        for wanted in {0, 1, 2} - {own}:
            reached = classes_of(tree, rows) == wanted
            found = nearest(tree, x, frozenset({wanted}), Price.of(tree))
            assert (found is not None) == reached.any()
            if found is not None:
                assert found.after == tree.classes[wanted]
                assert found.cost == cost_of(tree, x, rows[reached]).min()
                assert found.bound == found.cost


@pytest.mark.parametrize("kind", ["linear", "machine", "mixed"])
def test_no_random_row_is_nearer_where_planes_cut(kind):
    rng = np.random.default_rng(0)
    tree = parity.random_tree(kind, n_nodes=9)
    for x in parity.rows_for(tree, 6, seed=3):
        own = int(classes_of(tree, x[None, :])[0])
        wanted = frozenset({0, 1, 2} - {own})
        found = nearest(tree, x, wanted, Price.of(tree))
        rows = np.repeat(x[None, :], 20_000, axis=0)
        for j, feature in enumerate(tree.schema.features):
            change = rng.random(len(rows)) < 0.5
            if np.isnan(x[j]):
                continue
            if feature.kind == "numeric":
                rows[change, j] += rng.normal(size=change.sum()) * rng.choice([0.1, 1, 9])
            else:
                rows[change, j] = rng.integers(0, len(feature.symbols) or 2, change.sum())
        reached = np.isin(classes_of(tree, rows), list(wanted))
        if found is None:
            assert not reached.any()
            continue
        row = np.array(
            [
                np.nan if v is None else f.symbols.index(v) if f.symbols else float(v)
                for f, v in zip(tree.schema.features, found.values.values())
            ]
        )
        row[[f.is_unseen(v) for f, v in zip(tree.schema.features, x)]] = 0
        if not any(f.is_unseen(v) for f, v in zip(tree.schema.features, x)):
            assert int(classes_of(tree, row[None, :])[0]) in wanted
        assert found.cost == pytest.approx(found.bound, rel=1e-6, abs=1e-6)
        assert cost_of(tree, x, rows[reached]).min(initial=np.inf) >= found.bound - 1e-9


def test_a_plane_by_hand():
    """From (0, 0) to x + 2 y > 4: along y, where a unit buys most."""
    terms = Term(0, None, 0.0), Term(1, None, 0.0)
    tests = (LinearThresholdUnit(terms, (1.0, 2.0), 4.0), None, None)
    schema = Schema((Feature("x"), Feature("y")))
    tree = Tree(schema, ("in", "out"), tests, np.array([[1.0, 1], [1, 0], [0, 1]]), np.ones(3, int))
    here, out = np.zeros(2), frozenset({1})

    def found(**options):
        return nearest(tree, here, out, Price.of(tree, **options))

    free = found()
    assert [c.feature for c in free.changes] == ["y"]
    assert free.cost == pytest.approx(2)
    assert free.binding == ("x + 2·y > 4",)
    assert found(frozen=["y"]).cost == pytest.approx(4)
    assert found(weights={"y": 3.0}).cost == pytest.approx(4)  # along x now
    half = found(bounds={"y": (None, 1.5)})
    assert half.cost == pytest.approx(1.5 + 1)
    assert half.binding == ("x + 2·y > 4", "bound of y")
    assert found(spread=np.array([1.0, 10.0])).cost == pytest.approx(0.2)
    assert found(frozen=["x", "y"]) is None
    assert found(bounds={"x": (-1, 1), "y": (-1, 1)}) is None


def test_the_returned_row_is_of_the_class_on_real_data():
    iris = datasets.load_iris(as_frame=True)
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False).fit(iris.data, iris.target)
    for i in range(0, 150, 30):
        own = tree.predict(iris.data[i : i + 1])[0]
        for target in set(tree.classes_) - {own}:
            found = tree.counterfactual(iris.data[i : i + 1], target, X=iris.data)
            assert (found.before, found.after) == (own, target)
            changed = {name: [value] for name, value in found.values.items()}
            assert tree.predict(changed)[0] == target
            assert found.cost == pytest.approx(sum(c.cost for c in found.changes))
            assert found.cost - found.bound < 1e-9


def test_missing_values_stay_or_are_filled():
    X = {"dose": [1.0, 2, 3, 4, None, None], "sex": ["f", "m"] * 3}
    tree = CART(pruner=Unpruned()).fit(X, ["low", "low", "high", "high", "none", "none"])
    case = {"dose": None, "sex": "f"}
    assert tree.predict({"dose": [None], "sex": ["f"]}).tolist() == ["none"]
    assert tree.counterfactual(case) is None
    found = tree.counterfactual(case, "high", fill=["dose"], switch_cost=2.0)
    assert found.cost == 2
    assert found.changes[0].before is None
    assert found.changes[0].after > 2.5
    assert tree.counterfactual(case, "high", fill=["dose"], frozen=["dose"]) is None


def test_symbols_switch_at_a_price():
    X = {"hue": ["red", "blue", "green"] * 4}
    tree = CART(pruner=Unpruned()).fit(X, ["stop", "go", "wait"] * 4)
    found = tree.counterfactual({"hue": "red"}, "go", weights={"hue": 3}, switch_cost=0.5)
    assert (found.cost, found.values) == (1.5, {"hue": "blue"})
    assert "hue = red → blue" in str(found)
    either = tree.counterfactual({"hue": "never seen"}, ["go", "wait", "stop"][:2])
    assert either is None or either.after in ("go", "wait")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"target": "adult"}, TableError, "target 'adult' is none of the classes 'old', 'young'"),
        ({"target": "young"}, TableError, "the case is 'young' already"),
        ({"frozen": ["aeg"]}, TableError, "frozen: the tree has no feature 'aeg'; it has age"),
        ({"frozen": "age"}, TypeError, r"frozen must be a sequence of names, \['age'\]"),
        ({"bounds": {"age": (9, 1)}}, ValueError, "bounds of age: 9 is not below 1"),
        ({"bounds": {"sex": (0, 1)}}, TableError, "bounds: the tree has no feature 'sex'"),
        ({"weights": {"age": 0}}, ValueError, "weights: the price of age must be above 0, not 0"),
        ({"switch_cost": -1}, ValueError, "switch_cost must be a number above 0, not -1"),
        ({"fill": ["sex"]}, TableError, "fill: the tree has no feature 'sex'"),
    ],
)
def test_bad_options(options, error, message):
    tree = CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"])
    with pytest.raises(error, match=message):
        tree.counterfactual({"age": 30}, **options)


def test_bad_cases():
    tree = CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"])
    with pytest.raises(TableError, match="one case can be changed at a time, not 2"):
        tree.counterfactual({"age": [30, 40]})
    with pytest.raises(TableError, match="columns of the training data are missing: age"):
        tree.counterfactual({"years": 30})
    with pytest.raises(ValueError, match="not fitted"):
        CART().counterfactual({"age": 30})


def test_a_tree_that_shares_rows_out_is_refused(monkeypatch):
    tree = CART(pruner=Unpruned()).fit({"age": [20, 60]}, ["young", "old"])
    monkeypatch.setattr(Threshold, "shares", True, raising=False)
    with pytest.raises(TableError, match="sends missing values down every branch in parts"):
        tree.counterfactual({"age": 30})
