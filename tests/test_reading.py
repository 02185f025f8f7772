"""Rounding for good, what a change costs, and trees as data frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import MissingExtraError, PlaneTreeClassifier, TableError, datasets, frames
from planetree.learners import RLS
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.symbols import Multiway
from tables import multiway_tree

X, Y = datasets.load_glass(return_X_y=True)


def planes(**options):
    return PlaneTreeClassifier(learner=RLS(), univariate=False, **options).fit(X, Y)


@given(seed=st.integers(0, 2**31), digits=st.integers(1, 9))
def test_a_rounded_tree_is_the_one_that_is_shown(seed, digits):
    tree = multiway_tree(np.random.default_rng(seed))
    short = tree.rounded(digits)
    assert short.to_text(digits=digits) == tree.to_text(digits=digits)
    assert short.to_text(digits=17) == short.rounded(digits).to_text(digits=17)
    np.testing.assert_array_equal(short.counts, tree.counts)
    assert tree.rounded(17) == tree


def test_counts_stay_or_are_counted_again():
    tree = planes(max_depth=3)
    kept, counted = tree.rounded(1), tree.rounded(1, X, Y)
    assert kept.tree_.n_rows.tolist() == tree.tree_.n_rows.tolist()
    leaves = counted.apply(X)
    for leaf in np.flatnonzero(counted.tree_.is_leaf):
        assert counted.tree_.n_rows[leaf] == (leaves == leaf).sum()
    assert counted.tree_.n_nodes <= tree.n_nodes_
    assert counted.score(X, Y) >= kept.score(X, Y)  # leaves are labelled anew


def test_the_cost_of_a_change_is_what_predictions_say():
    tree = planes()
    for changed in (tree.rounded(1), tree.with_tree(tree.tree_.prune_at([1, 2]))):
        cost = tree.cost(changed, X, Y)
        assert cost.before.accuracy == pytest.approx(tree.score(X, Y))
        assert cost.after.accuracy == pytest.approx(changed.score(X, Y))
        assert cost.changed == (tree.predict(X) != changed.predict(X)).sum() > 0
        assert (cost.after.n_leaves, cost.after.n_tests) == (changed.n_leaves_, changed.n_tests_)
        assert cost.after.mean_features_per_test == changed.mean_features_per_test_
    weight = np.arange(len(Y), dtype=float)
    weighted = tree.cost(changed, X, Y, weight)
    assert weighted.after.accuracy == pytest.approx(changed.score(X, Y, weight))
    assert weighted.weight == weight.sum()
    # Without cases, those of training as the leaves have them.
    alone = tree.cost(changed)
    assert alone.changed is None
    assert alone.after.accuracy == pytest.approx(tree.cost(changed, X, Y).after.accuracy)


def test_classes_weigh_in_the_cost_as_in_the_fit():
    grown = CART(class_weight="balanced", max_depth=2, pruner=Unpruned()).fit(X, Y)
    cut = grown.with_tree(grown.tree_.prune_at([0]))
    with_cases, alone = grown.cost(cut, X, Y), grown.cost(cut)
    assert with_cases.weight == pytest.approx(alone.weight)
    assert with_cases.before.accuracy == pytest.approx(alone.before.accuracy)


def test_graft_and_its_cost():
    tree = CART(max_depth=2, pruner=Unpruned()).fit(X, Y).tree_
    deeper = CART(max_depth=3, pruner=Unpruned()).fit(X, Y).tree_
    assert tree.cost(tree.graft(0, deeper, X, Y), X, Y).after.errors < (
        tree.cost(tree, X, Y).after.errors
    )


def test_numbers_of_nodes_are_shown_for_cutting_by_hand():
    tree = CART(max_depth=2, pruner=Unpruned()).fit(X, Y).tree_
    lines = tree.to_text(numbers=True).splitlines()
    shown = [int(line.partition("[")[2].partition("]")[0]) for line in lines]
    assert sorted(shown) == list(range(1, tree.n_nodes))
    assert [line.replace(f"[{i}] ", "") for i, line in zip(shown, lines)] == (
        tree.to_text().splitlines()
    )


@pytest.mark.parametrize("digits", [0, 18, True, 2.5, "2"])
def test_digits_are_checked(digits):
    with pytest.raises(ValueError, match="digits must be a whole number from 1 to 17"):
        CART(pruner=Unpruned()).fit(X, Y).rounded(digits)


def test_trees_of_other_tables_are_refused():
    tree = CART(max_depth=1, pruner=Unpruned()).fit(X, Y)
    other = CART(max_depth=1, pruner=Unpruned()).fit(X[:, :3], Y)
    with pytest.raises(ValueError, match="other features"):
        tree.with_tree(other.tree_)
    with pytest.raises(ValueError, match="other features"):
        tree.cost(other, X, Y)
    with pytest.raises(TableError, match="X has 3 columns"):
        tree.cost(tree, X[:, :3], Y)


# --- frames ---------------------------------------------------------------------------------------


def test_a_frame_holds_every_weight_cut_and_fill():
    frame = planes(max_depth=3).to_frame()
    tree = planes(max_depth=3).tree_
    for node in tree.walk():
        rows = frame[frame["node"] == node.id]
        if node.test is None:
            assert rows.empty
            continue
        assert set(rows["kind"]) == {node.test.kind}
        weights = np.reshape(node.test.weights, (-1, len(node.test.terms)))
        np.testing.assert_array_equal(rows["weight"].to_numpy().reshape(weights.shape), weights)
        fills = [term.fill for term in node.test.terms] * len(weights)
        assert rows["fill"].tolist() == fills
        if node.test.kind == "machine":
            assert sorted(set(rows["branch"])) == list(range(node.test.n_branches))
            constants = rows.groupby("branch")["constant"].first()
            assert constants.tolist() == list(node.test.constants)
        else:
            assert set(rows["cut"]) == {node.test.cut}


def test_thresholds_and_symbols_are_in_the_frame():
    data = {"size": [1.0, 2, 3, 4, None, 6], "hue": ["r", "g", "b", "r", "g", "b"]}
    y = [0, 1, 0, 1, 1, 0]
    frame = PlaneTreeClassifier(symbols=Multiway()).fit(data, y).to_frame()
    category = frame[frame["kind"] == "category"]
    assert category["symbol"].tolist() == ["b", "g", "r"]
    assert category["branch"].tolist() == [0, 1, 2]
    threshold = frame[frame["kind"] == "threshold"]
    assert threshold["feature"].tolist() == ["size"]
    assert threshold["weight"].tolist() == [1.0]
    assert threshold["cut"].notna().all()
    rng = np.random.default_rng(5)
    for _ in range(20):
        tree = multiway_tree(rng)
        asked = tree.to_frame()["node"].unique()
        empty = [i for i, t in enumerate(tree.tests) if t and not getattr(t, "terms", True)]
        assert sorted([*asked, *empty]) == np.flatnonzero(~tree.is_leaf).tolist()


def test_polars_gives_the_same_frame():
    tree = planes(max_depth=2).tree_
    ours, theirs = tree.to_frame(), tree.to_frame(library="polars")
    assert isinstance(theirs, pl.DataFrame)
    assert theirs.columns == ours.columns.tolist()
    for name in ("node", "weight", "fill", "feature"):
        assert theirs[name].to_list() == ours[name].tolist()
    assert theirs["cut"].to_list() == [None if pd.isna(c) else c for c in ours["cut"]]
    assert len(CART(max_depth=0, pruner=Unpruned()).fit(X, Y).to_frame(library="polars")) == 0
    rules = tree.to_rules()
    assert rules.to_frame(library="polars")["class"].to_list() == rules.to_frame()["class"].tolist()


def test_without_a_library_there_is_one_clear_line(monkeypatch):
    def only(*there):
        def require(module, *, extra, purpose):
            if module not in there:
                raise MissingExtraError(purpose, module, extra=extra)
            return {"polars": pl, "pandas": pd}[module]

        monkeypatch.setattr(frames, "require", require)

    tree = CART(max_depth=1, pruner=Unpruned()).fit(X, Y).tree_
    only("polars")
    assert isinstance(tree.to_frame(), pl.DataFrame)
    only()
    with pytest.raises(MissingExtraError, match=r"Tree.to_frame needs pandas or polars: pip"):
        tree.to_frame()
    with pytest.raises(ValueError, match='library must be "pandas", "polars" or None'):
        tree.to_frame(library="arrow")
