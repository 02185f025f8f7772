"""Trees whose tests look at two features, and the worked examples of Bioch et al. (1997)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import PlaneTreeClassifier, datasets, presets
from planetree.grow import grow_node_by_node
from planetree.learners import BIT1, BIT2, RLS
from planetree.linear import Linear
from planetree.merits import GainRatio, Gini, InformationGain, Merit, Twoing
from planetree.presets import CART
from planetree.pruners import CostComplexity, Unpruned
from planetree.scaling import Deviations, Once, Quartiles, Range, Raw, TableRange
from planetree.search import Judged, Univariate
from planetree.selectors import All
from planetree.stopping import Stop
from tables import tables
from views import view_of

LEARNERS = [BIT1(), BIT2()]


def monk1_training():
    monks = datasets.load("monks1", as_frame=True)
    train = np.asarray(monks.split) == "train"
    X = monks.data.astype(float)
    return X[train], monks.target[train], X, monks.target


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_monk_1_is_captured_from_its_124_cases(learner):
    """Figure 3: yes where a5 = 1 or a1 = a2, in three tests."""
    X, y, everything, truth = monk1_training()
    assert len(X) == 124
    tree = PlaneTreeClassifier(learner=learner).fit(X, y)
    assert (tree.n_leaves_, tree.score(everything, truth)) == (4, 1.0)
    tests = [tree.tree_.node(i).test for i in (0, 2, 4)]
    assert [set(test.features) for test in tests] == [{4}, {0, 1}, {0, 1}]
    if isinstance(learner, BIT2):
        texts = [test.describe(tree.tree_.schema)[0] for test in tests]
        assert texts == ["a5 ≤ 1.5", "a1 − a2 ≤ −0.5", "a1 − a2 ≤ 0.5"]


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_the_second_example_takes_two_tests(learner):
    """Figure 4: yes where x1 <= x2 and x4 <= x6, from 500 cases, in two tests."""
    X, y = datasets.make_bivariate_example(500, random_state=0)
    tree = PlaneTreeClassifier(learner=learner).fit(X, y)
    assert tree.n_leaves_ == 3
    features = {tree.tree_.node(i).test.features for i in range(5) if tree.tree_.node(i).test}
    assert {frozenset(pair) for pair in features} == {frozenset({0, 1}), frozenset({3, 5})}
    fresh, truth = datasets.make_bivariate_example(5000, random_state=1)
    assert tree.score(fresh, truth) > 0.98
    assert CART(pruner=Unpruned()).fit(X, y).n_leaves_ > 25


@pytest.mark.parametrize("preset", [presets.BIT1, presets.BIT2])
def test_the_second_example_pruned_hardly_needs_a_third_test(preset):
    samples = [datasets.make_bivariate_example(500, random_state=seed) for seed in range(10)]
    leaves = [preset(random_state=0).fit(*sample).n_leaves_ for sample in samples]
    assert leaves.count(3) >= 9


@given(
    table=tables(symbols=True),
    learner=st.sampled_from(LEARNERS),
    merit=st.sampled_from([Gini(), InformationGain(), Twoing()]),
)
def test_never_worse_than_the_best_univariate_split(table, learner, merit):
    def root(candidates):
        tree = grow_node_by_node(table, merit, Stop(max_depth=1), candidates)
        children = list(tree.node(0).children)
        worth = float(merit(tree.counts[None, children])[0]) if children else 0.0
        return worth, tree.node(0).test

    alone, _ = root([Judged(Univariate())])
    rival = Linear(learner, All())
    worth, test = root([Judged(Univariate()), rival])
    assert worth >= alone - 1e-12
    if hasattr(test, "terms"):  # a pair has to be better, and is one
        assert worth > alone
        assert len(test.terms) <= 2


def test_symbols_gaps_weights_and_classes():
    data = datasets.load("cleveland", as_frame=True)
    weight = np.random.default_rng(0).uniform(0.5, 2, len(data.target))
    for merit in (Gini(), GainRatio()):
        tree = PlaneTreeClassifier(merit, learner=BIT2(), max_depth=4)
        tree.fit(data.data, data.target, sample_weight=weight)
        assert tree.score(data.data, data.target) > 0.8
    vowel = datasets.load("vowel")  # eleven classes
    tree = PlaneTreeClassifier(learner=BIT2(), n_threads=2).fit(vowel.data, vowel.target)
    assert tree.score(vowel.data, vowel.target) == 1.0
    assert tree.n_leaves_ < CART(pruner=Unpruned()).fit(vowel.data, vowel.target).n_leaves_


def test_a_limit_of_two_features_is_its_own():
    """No selector has to look for a pair where the learner does."""
    X, y = datasets.make_bivariate_example(500, random_state=0)
    free = PlaneTreeClassifier(learner=BIT2()).fit(X, y)
    assert (
        PlaneTreeClassifier(learner=BIT2(), max_features_per_test=2).fit(X, y).tree_ == free.tree_
    )
    one = PlaneTreeClassifier(learner=BIT2(), max_features_per_test=1).fit(X, y)
    assert one.tree_ == CART(pruner=Unpruned()).fit(X, y).tree_


def test_a_merit_written_in_python_is_refused_by_name():
    class Mine(Merit):
        def __call__(self, counts):
            return Gini()(counts)

    with pytest.raises(ValueError, match=r"BIT2\(\) cannot be used here: it searches by merit"):
        PlaneTreeClassifier(Mine(), learner=BIT2()).fit([[0, 1], [1, 0]], [0, 1])


# --- what 45 degrees are --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scaling",
    [
        TableRange(),
        Range(),
        Deviations(),
        Quartiles(),
        *map(Once, (Range(), Deviations(), Quartiles())),
    ],
    ids=repr,
)
def test_units_do_not_matter_under_any_scaling(scaling):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 64, (200, 3)) / 64
    y = X[:, 0] + X[:, 1] > 1
    moved = X * [0.5, 1024.0, 2.0] + [3.0, -512.0, 0.0]  # powers of two: rounding stays away
    first, second = (PlaneTreeClassifier(learner=BIT2(scaling)).fit(Z, y) for Z in (X, moved))
    np.testing.assert_array_equal(first.apply(X), second.apply(moved))


def test_without_scaling_the_larger_unit_decides():
    rng = np.random.default_rng(0)
    X = rng.random((300, 2))
    y = X[:, 0] > X[:, 1]
    X[:, 1] *= 1000
    assert PlaneTreeClassifier(learner=BIT2()).fit(X, y).n_leaves_ <= 3
    assert PlaneTreeClassifier(learner=BIT2(Raw())).fit(X, y).n_leaves_ > 10


def test_once_is_the_table_and_not_the_node():
    X = np.array([[0.0, 1.0], [10.0, 3.0], [20.0, np.nan], [40.0, 9.0]])
    y = [0, 1, 0, 1]
    whole = view_of(X, y, scaling=Range())
    np.testing.assert_allclose(whole.Z[:, 0], [0, 0.25, 0.5, 1])
    np.testing.assert_allclose(whole.Z[:, 1], [0, 0.25, (13 / 3 - 1) / 8, 1])
    for scaling, second in ((Range(), 1.0), (TableRange(), 0.25), (Once(Range()), 0.25)):
        part = view_of(X, y, scaling=scaling, rows=[0, 1])
        np.testing.assert_allclose(part.Z, [[0, 0], [second, second]])


# --- the presets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("preset", [presets.BIT1, presets.BIT2])
def test_presets_hold_a_tenth_out_and_never_cut_the_root(preset):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), rng.random(60) < 0.2  # nothing to learn
    keeping = [preset(random_state=seed).fit(X, y).n_leaves_ for seed in range(8)]
    cutting = [
        preset(random_state=seed, pruner=CostComplexity()).fit(X, y).n_leaves_ for seed in range(8)
    ]
    assert min(cutting) == 1 < min(keeping)
    assert all(a == b for a, b in zip(keeping, cutting, strict=True) if b > 1)
    X, y = datasets.make_bivariate_example(1000, random_state=0)
    tree = preset(random_state=0).fit(X, y)
    assert tree.tree_.counts[0].sum() == 900
    assert tree.n_leaves_ == 3
    assert tree.tree_ == preset(random_state=0).fit(X, y).tree_
    assert tree.tree_ != preset(random_state=1).fit(X, y).tree_


def test_keep_root_is_checked():
    with pytest.raises(ValueError, match="keep_root of CostComplexity must be True or False"):
        PlaneTreeClassifier(pruner=CostComplexity(keep_root=3)).fit([[0], [1]], [0, 1])


def test_figure_1_of_brodley_and_utgoff_takes_one_plane():
    """x + y ≤ 8 is one test of RLS, where univariate tests approximate it by many."""
    X, y = datasets.make_sum_plane(2000, random_state=0)
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False, max_depth=1).fit(X, y)
    (test,) = (test for test in tree.tree_.tests if test is not None)
    weights = np.array(test.weights) / test.weights[0]
    np.testing.assert_allclose(weights, 1, atol=0.05)
    assert test.cut / test.weights[0] == pytest.approx(8, abs=0.1)
    fresh, truth = datasets.make_sum_plane(5000, random_state=1)
    assert tree.score(fresh, truth) > 0.98
    exact = PlaneTreeClassifier(learner=BIT2()).fit(X, y)
    assert exact.score(X, y) == 1.0
    assert CART(pruner=Unpruned()).fit(X, y).n_leaves_ > 10 * exact.n_leaves_
