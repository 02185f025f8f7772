"""What users of today's tools suffer from, and planetree promises not to do."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import planetree
from planetree.choices import PRESETS
from planetree.presets import CART
from planetree.pruners import Unpruned

SOURCE = Path(planetree.__file__).parent


def test_nothing_touches_private_parts_of_scikit_learn():
    private = re.compile(
        r"sklearn(\.\w+)*\._(?!_)|\._(?:get_param_names|validate|more_tags|check_)\w*\("
    )
    ours = re.compile(r"self\._(?:check_options)\(|estimator\._check_options\(")
    for path in SOURCE.rglob("*.py"):
        for line in path.read_text(encoding="utf-8").splitlines():
            assert ours.search(line) or not private.search(line), f"{path.name}: {line.strip()}"


def test_three_classes_stay_three():
    X = np.arange(9.0)[:, None]
    tree = CART(pruner=Unpruned()).fit(X, np.repeat(["a", "b", "c"], 3))
    assert tree.predict_proba(X).shape == (9, 3)
    assert tree.predict(X).tolist() == ["a"] * 3 + ["b"] * 3 + ["c"] * 3


def test_no_single_precision_copies():
    """Two values 1e-12 apart are two values; in single precision they are one."""
    X, y = np.array([[1.0], [1.0 + 1e-12]]), [0, 1]
    assert CART(pruner=Unpruned()).fit(X, y).predict(X).tolist() == y
    assert DecisionTreeClassifier().fit(X, y).predict(X).tolist() != y
    big = np.array([[2.0**53], [2.0**53 + 2]])
    assert CART(pruner=Unpruned()).fit(big, y).predict(big).tolist() == y


def test_missing_values_go_where_the_text_says():
    X = {"dose": [1.0, 2.0, np.nan, 8.0, 9.0, np.nan]}
    tree = CART(pruner=Unpruned()).fit(X, ["low", "low", "high", "high", "high", "high"])
    assert str(tree.tree_) == ("├─ dose ≤ 5 → low (2)\n└─ dose > 5 or missing → high (4)")
    assert tree.predict({"dose": [None]}).tolist() == ["high"]


def test_symbols_need_no_encoding():
    X = pd.DataFrame({"paint": ["red", "blue", "green", "red"], "doors": [2, 4, 4, 2]})
    tree = CART(pruner=Unpruned()).fit(X[["paint"]], [1, 0, 0, 1])
    assert "paint = red" in tree.to_text()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("n_threads", [1, 2, 4])
def test_same_data_same_tree(preset, n_threads):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(6000, 6)).round(2)
    y = (X[:, 0] > X[:, 1]).astype(int) + (rng.random(6000) < 0.1)
    one, other = (PRESETS[preset](max_depth=6, n_threads=n).fit(X, y) for n in (1, n_threads))
    made = "rules_" if isinstance(one, planetree.RuleClassifier) else "tree_"
    assert getattr(other, made) == getattr(one, made)


def test_the_tree_does_not_depend_on_the_order_of_rows_beyond_ties():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(500, 4)), rng.integers(0, 3, 500)
    order = rng.permutation(500)
    assert (
        CART(pruner=Unpruned()).fit(X, y).tree_
        == CART(pruner=Unpruned()).fit(X[order], y[order]).tree_
    )


def test_names_of_any_length_and_kind_are_shown_whole():
    name = 'a very long name, with « quotes », "quotes" and 🌳 ' * 5
    tree = CART(pruner=Unpruned()).fit({name: [1.0, 2.0]}, ["no", "yes"])
    assert name in tree.to_text()


def test_a_deep_tree_is_read_and_shown_in_part():
    rng = np.random.default_rng(2)
    tree = CART(pruner=Unpruned()).fit(rng.normal(size=(3000, 2)), rng.integers(0, 11, 3000))
    assert tree.get_depth() > 10
    assert len(tree.to_text(max_depth=2).splitlines()) <= 6
    assert len(tree.to_text().splitlines()) == tree.n_nodes_ - 1
