"""Fractional cases: a row whose value is missing goes down every branch in parts, as in C4.5."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import planetree
from planetree import ModelFileError, PlaneTreeClassifier, datasets, learners, pruners
from planetree.cases import Cases
from planetree.features import ByFeature
from planetree.grow import grow
from planetree.merits import GainRatio, InformationGain
from planetree.nodetests import Category, Threshold
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.search import Univariate
from planetree.stopping import Stop
from planetree.surgery import draft, finish, tally
from planetree.symbols import Multiway
from reference import c45
from tables import tables

C45 = {
    "merit": GainRatio(penalty=True),
    "symbols": Multiway(),
    "fractional": True,
    "min_leaf_rows": 2,
}

# Quinlan's weather (1993, section 3.3): the outlook of the sixth day is missing.
WEATHER = {
    "outlook": f"{'sunny ' * 5} - {'overcast ' * 3} {'rain ' * 5}",
    "temperature": "75 80 85 72 69 72 83 64 81 71 65 75 68 70",
    "humidity": "70 90 85 95 70 90 78 65 75 80 70 80 80 96",
    "windy": "true true false false false true false true false true true false false false",
}
PLAY = ["yes", "no", "no", "no", *["yes"] * 5, "no", "no", *["yes"] * 3]


def weather():
    columns = {name: text.split() for name, text in WEATHER.items()}
    columns["outlook"] = [None if v == "-" else v for v in columns["outlook"]]
    for name in ("temperature", "humidity"):
        columns[name] = [float(v) for v in columns[name]]
    return columns


def test_quinlans_example():
    """Gain 0.199, split information 1.809 with the missing value a branch; 5/13, 3/13, 5/13."""
    tree = CART(**C45 | {"merit": GainRatio()}, pruner=Unpruned()).fit(weather(), PLAY).tree_
    assert isinstance(tree.tests[0], Category)
    np.testing.assert_allclose(tree.branch_share[1:4], [3 / 13, 5 / 13, 5 / 13])
    sunny = tree.node(3)
    np.testing.assert_allclose(sunny.counts, [3, 2 + 5 / 13])
    assert tree.n_rows[:4].tolist() == [14, 4, 6, 6]
    known = np.array([[[0, 3.0], [2, 3.0], [3, 2.0]]])
    assert 13 / 14 * InformationGain()(known)[0] == pytest.approx(0.199, abs=5e-4)
    x = np.array([town or "" for town in weather()["outlook"]])
    codes = np.unique(x, return_inverse=True)[1] - 1
    gain, split_info = c45.judge(np.array(PLAY) == "yes", np.ones(14), codes, 2)
    assert gain == pytest.approx(0.199, abs=5e-4)
    assert split_info == pytest.approx(1.809, abs=5e-4)


def test_quinlans_example_is_read_and_predicted_as_in_the_book():
    tree = CART(**C45 | {"merit": GainRatio()}, pruner=Unpruned()).fit(weather(), PLAY)
    assert str(tree.tree_) == (
        "├─ outlook = overcast or missing in part → yes (3.23077)\n"
        "├─ outlook = rain or missing in part\n"
        "│  ├─ windy = false → yes (3)\n"
        "│  └─ windy = true → no (2 of 2.38462)\n"
        "└─ outlook = sunny or missing in part\n"
        "   ├─ humidity ≤ 77.5 → yes (2)\n"
        "   └─ humidity > 77.5 → no (3 of 3.38462)"
    )
    # Section 3.4: sunny, windy false, humidity unknown: 2.0/5.4 * 100 % + 3.4/5.4 * 12 % play.
    asked = {"outlook": ["sunny"], "temperature": [70.0], "humidity": [None], "windy": ["false"]}
    low, high = 2 / (5 + 5 / 13), (3 + 5 / 13) / (5 + 5 / 13)
    expected = low + high * (5 / 13) / (3 + 5 / 13)
    assert tree.predict_proba(asked)[0, 1] == pytest.approx(expected)
    assert tree.predict(asked).tolist() == ["no"]
    assert str(tree.explain(asked)[0]) == (
        "outlook = sunny or missing in part        outlook = sunny\n"
        "humidity > 77.5                           "
        "humidity is missing: shared out, 62.9 % this way\n"
        "→ no (55.7 %, yes 44.3 %), summed over 2 leaves"
    )
    leaves = tree.apply(asked)
    assert tree.tree_.node(int(leaves[0])).is_leaf
    path = tree.decision_path(asked).toarray()[0]
    np.testing.assert_allclose(path[[0, 3]], [1.0, 1.0])
    np.testing.assert_allclose(sorted(path[4:][path[4:] > 0]), [low, high])


@settings(max_examples=60)
@given(tables(symbols=True), st.integers(1, 3), st.booleans(), st.booleans())
def test_trees_are_those_of_the_twin(table, min_leaf_rows, guard, penalty):
    merit = GainRatio(guard=guard, penalty=penalty)
    stop = Stop(min_leaf_rows=min_leaf_rows)
    tree = grow(table, merit, stop, [ByFeature(Multiway(), fractional=True)])
    symbolic = [feature.kind == "symbolic" for feature in table.schema.features]
    weights = np.ones(table.n_rows) if table.weight is None else table.weight
    n_classes = len(table.classes)
    stack = [(0, np.arange(table.n_rows), np.ones(table.n_rows))]
    while stack:
        i, rows, part = stack.pop()
        X, y, w, node = table.X[rows], table.y[rows], weights[rows] * part, tree.node(i)
        counts = np.bincount(y, w, n_classes)
        np.testing.assert_allclose(node.counts, counts, rtol=1e-9)
        assert node.n_rows == len(rows)
        options = {"min_leaf": min_leaf_rows, "penalty": penalty}
        best = c45.offers(X, y, w, part, symbolic, n_classes, **options)
        too_small = part.sum() < max(2, 2 * min_leaf_rows) - 1e-9
        if (counts > 0).sum() < 2 or too_small or not best:
            assert node.test is None
            continue
        least = np.mean([gain for gain, _ in best.values()]) if guard else -np.inf
        ratios = {j: gain / split_info for j, (gain, split_info) in best.items()}
        (feature,) = node.test.features
        way = node.test.route(X)
        gain, split_info = c45.judge(y, w, way, n_classes)
        if penalty and not symbolic[feature]:
            tried = len([*c45.ways(X[:, feature], part, symbolic=False, min_leaf=min_leaf_rows)])
            gain -= np.log2(tried) / part.sum()
        assert gain >= best[feature][0] - 1e-9
        assert gain >= least - 1e-9
        assert gain / split_info >= -1e-9 + max(
            (ratios[j] for j in best if best[j][0] > least + 1e-9), default=-np.inf
        )
        known = np.bincount(way[way >= 0], w[way >= 0], node.test.n_branches)
        for b, child in enumerate(node.children):
            here = (way == b) | (way < 0)
            parts = np.where(way < 0, part * known[b] / known.sum(), part)
            stack.append((child, rows[here], parts[here]))


@given(tables(symbols=True), st.integers(0, 9), st.sampled_from("CF"))
def test_compiled_and_walked_prediction_agree(table, seed, layout):
    tree = grow(table, GainRatio(), Stop(), [ByFeature(Multiway(), fractional=True)])
    rng = np.random.default_rng(seed)
    X = table.X[rng.integers(0, table.n_rows, 50)].copy(order=layout)
    X[rng.random(X.shape) < 0.3] = np.nan
    for j, feature in enumerate(table.schema.features):
        if feature.kind == "symbolic":
            X[rng.random(50) < 0.1, j] = len(feature.symbols)
    proba = tree.predict_proba(X, 2)
    np.testing.assert_allclose(proba, [c45.distribution(tree, x) for x in X], rtol=1e-9)
    np.testing.assert_allclose(tree.parts(X).sum(axis=1), 1.0)
    np.testing.assert_array_equal(tree.predict(X), proba.argmax(axis=1))
    for x, leaf, place in zip(X, tree.apply(X), tree.predict(X), strict=True):
        why = tree.path(x)
        assert why.leaf == leaf
        assert why.label == tree.classes[place]
    counted = tally(tree, table)
    np.testing.assert_allclose(counted.counts, tree.counts, rtol=1e-9)
    np.testing.assert_array_equal(counted.n_rows, tree.n_rows)


def test_many_rows_on_many_threads():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(9000, 4))
    X[rng.random(X.shape) < 0.2] = np.nan
    tree = PlaneTreeClassifier(fractional=True, max_depth=4)
    tree.fit(X[:500], (np.nan_to_num(X[:500]).sum(axis=1) > 0).astype(int))
    one, many = tree.tree_.parts(X, 1), tree.tree_.parts(X, 4)
    assert (one != many).nnz == 0
    np.testing.assert_array_equal(tree.tree_.apply(X, 1), tree.tree_.apply(X, 4))


@given(tables(symbols=True))
def test_drafts_count_as_growth_did(table):
    tree = grow(table, GainRatio(), Stop(), [ByFeature(Multiway(), fractional=True)])
    root = draft(tree)[0]
    assert root.count(table, Cases.all_of(table))
    again = finish(tree, root).tree
    np.testing.assert_allclose(again.counts, tree.counts, rtol=1e-9)
    np.testing.assert_array_equal(again.n_rows, tree.n_rows)


@given(tables(symbols=True, missing=False))
def test_without_missing_values_only_what_comes_later_differs(table):
    whole = grow(table, GainRatio(), Stop(), [ByFeature(Multiway())])
    parts = grow(table, GainRatio(), Stop(), [ByFeature(Multiway(), fractional=True)])
    np.testing.assert_array_equal(whole.counts, parts.counts)
    np.testing.assert_array_equal(whole.predict_proba(table.X), parts.predict_proba(table.X))


@given(tables())
def test_penalty_is_the_same_by_kernel_and_in_python(table):
    class InPython(GainRatio):
        native = None

    stop = Stop()
    native = grow(table, GainRatio(penalty=True), stop, [Univariate()])
    python = grow(table, InPython(penalty=True), stop, [Univariate()])
    root = native.node(0), python.node(0)
    assert root[0].is_leaf == root[1].is_leaf
    if not root[0].is_leaf:
        worth = [
            GainRatio()(tree.counts[None, 1 : 1 + tree.tests[0].n_branches])[0]
            for tree in (native, python)
        ]
        assert worth[0] == pytest.approx(worth[1], abs=1e-9) or table.weight is not None


def test_penalty_keeps_noise_out():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 1)), rng.integers(0, 2, 200)
    assert PlaneTreeClassifier(GainRatio(), max_depth=1).fit(X, y).n_leaves_ == 2
    assert PlaneTreeClassifier(GainRatio(penalty=True), max_depth=1).fit(X, y).n_leaves_ == 1


# --- with the rest of the house -------------------------------------------------------------------


def vote():
    X, y = datasets.load_vote(return_X_y=True, as_frame=True)
    return X, y


def test_vote_gives_the_tree_that_j48_prints():
    """Counts as Weka 3 prints them, to two digits; the tree is in every introduction to it."""
    X, y = vote()
    tree = PlaneTreeClassifier(**C45, pruner=pruners.PessimisticBound(raising=True)).fit(X, y)
    leaves = [node for node in tree.tree_.walk() if node.is_leaf]
    printed = [(253.41, 3.75), (145.71, 4.0), (22.61, 3.32), (5.04, 0.02), (2.21, 0), (6.03, 1.03)]
    ours = [(leaf.counts.sum(), leaf.counts.min()) for leaf in leaves]
    np.testing.assert_allclose(ours, printed, atol=0.0051)
    assert (tree.predict(X) == y).sum() == 423


def test_model_file_keeps_it():
    X, y = vote()
    tree = CART(**C45, pruner=Unpruned()).fit(X, y)
    file = io.StringIO()
    tree.save(file)
    other = planetree.load(io.StringIO(file.getvalue()))
    assert other.tree_ == tree.tree_
    np.testing.assert_array_equal(other.predict_proba(X), tree.predict_proba(X))
    document = json.loads(file.getvalue())
    assert document["nodes"][0]["test"]["missing"] is None
    document["nodes"][0]["n_rows"] = 1
    with pytest.raises(ModelFileError, match="n_rows"):
        planetree.load(io.StringIO(json.dumps(document)))


def test_rules_hold_for_known_values_alone():
    X, y = vote()
    tree = CART(**C45, max_depth=2, pruner=Unpruned()).fit(X, y)
    rules = tree.tree_.to_rules()
    assert "missing" not in str(rules)
    nothing = {name: [None] for name in X.columns}
    assert rules.first(np.full((1, 16), np.nan)).tolist() == [-1]
    assert rules.predict(nothing).tolist() == [rules.default]
    fitted = tree.tree_.to_rules(X, y)
    assert (fitted.predict(X) == y).mean() > 0.94


@pytest.mark.parametrize(
    "pruner",
    [
        pruners.ReducedError(),
        pruners.CostComplexity(),
        pruners.Pessimistic(),
        pruners.PessimisticBound(),
        pruners.PessimisticBound(raising=True),
    ],
    ids=lambda pruner: type(pruner).__name__,
)
def test_pruners_count_parts(pruner):
    X, y = vote()
    whole = CART(**C45, pruner=Unpruned()).fit(X, y)
    pruned = PlaneTreeClassifier(**C45, pruner=pruner).fit(X, y)
    assert pruned.n_leaves_ <= whole.n_leaves_
    assert (pruned.predict(X) == y).mean() > 0.94


def test_planes_beside_parts():
    X, y = datasets.load_hepatitis(return_X_y=True, as_frame=True)
    tree = PlaneTreeClassifier(fractional=True, learner=learners.RLS(), max_depth=3).fit(X, y)
    assert (tree.predict(X) == y).mean() > 0.8
    np.testing.assert_allclose(tree.predict_proba(X).sum(axis=1), 1.0)


def test_what_counts_whole_cases_says_so():
    X, y = vote()
    tree = PlaneTreeClassifier(**C45, learner=learners.RLS(), pruner=pruners.MTP())
    with pytest.raises(ValueError, match="MTP counts whole cases: it needs fractional=False"):
        tree.fit(X, y)
    with pytest.raises(ValueError, match="fractional must be True or False, not 'yes'"):
        PlaneTreeClassifier(fractional="yes").fit(X, y)
    with pytest.raises(ValueError, match="it needs univariate=True"):
        PlaneTreeClassifier(fractional=True, univariate=False, learner=learners.RLS()).fit(X, y)


def test_tests_route_and_describe():
    test = Threshold(0, 1.5, missing=None)
    assert test.shares
    assert test.route(np.array([[1.0], [2.0], [np.nan]])).tolist() == [0, 1, -1]
    symbols = Category(0, (0, None, 1), missing=None, unseen=0)
    assert symbols.n_branches == 2
    assert symbols.route(np.array([[0.0], [1.0], [2.0], [3.0], [np.nan]])).tolist() == [
        *(0, -1, 1, 0, -1)
    ]
