"""Learner and selector brought together: what may become a test, and what plug-ins may not do."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer

from planetree import PlaneTreeClassifier, PlugInError
from planetree.grow import grow_node_by_node
from planetree.learners import RLS, CoefficientLearner, LeastSquares
from planetree.linear import Linear
from planetree.merits import GainRatio, Gini, InformationGain, Merit, Twoing
from planetree.planes import LinearThresholdUnit, Term
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.search import Univariate
from planetree.selectors import DSBE, SBE, SFS, All, FeatureSelector
from planetree.stopping import Stop
from tables import tables

LEARNERS = st.sampled_from(
    [RLS(), LeastSquares(), LeastSquares(balanced=True), LeastSquares(mid=True)]
)
SELECTORS = st.sampled_from([All(), SBE(), SFS(), DSBE()])


@settings(max_examples=200)
@given(
    table=tables(symbols=True),
    learner=LEARNERS,
    selector=SELECTORS,
    merit=st.sampled_from([Gini(), InformationGain(), GainRatio()]),
    univariate=st.booleans(),
    factor=st.sampled_from([0.0, 1.0, 2.0, 4.0]),
    min_leaf_rows=st.sampled_from([1, 3]),
    max_leaves=st.sampled_from([None, 3]),
)
def test_what_every_tree_of_linear_tests_keeps(
    table, learner, selector, merit, univariate, factor, min_leaf_rows, max_leaves
):
    candidates = [Univariate()] * univariate + [Linear(learner, selector, None, factor)]
    stop = Stop(min_leaf_rows=min_leaf_rows, max_depth=4)
    tree = grow_node_by_node(table, merit, stop, candidates, max_leaves=max_leaves)
    assert max_leaves is None or tree.n_leaves <= max_leaves
    rows = {0: np.arange(table.n_rows)}
    for node in tree.walk():
        here = rows[node.id]
        assert node.n_rows == len(here)
        if node.test is None:
            continue
        branch = node.test.route(table.X[here])
        for b, child in enumerate(node.children):
            rows[child] = here[branch == b]
            assert len(rows[child]) >= min_leaf_rows  # discrimination
        if hasattr(node.test, "terms"):  # underfitting, over the columns that vary here
            columns = table.encoded[here]
            varying = [c for c in columns.T if len(np.unique(c[~np.isnan(c)])) > 1]
            n_distinct = len({tuple(map(repr, row)) for row in zip(*varying)})
            assert factor * len(node.test.terms) <= n_distinct


@given(table=tables(), learner=LEARNERS)
def test_rivals_never_lose_merit(table, learner):
    """With univariate rivals the root's test is worth at least the best of each family."""
    stop = Stop(max_depth=1)

    def root_merit(candidates):
        tree = grow_node_by_node(table, Gini(), stop, candidates)
        children = list(tree.node(0).children)
        return float(Gini()(tree.counts[None, children])[0]) if children else 0.0

    linear = Linear(learner, All())
    both = root_merit([Univariate(), linear])
    assert both >= max(root_merit([Univariate()]), root_merit([linear])) - 1e-12


def test_a_plane_is_found_where_thresholds_need_many():
    rng = np.random.default_rng(0)
    X = rng.random((400, 2)) * 8
    y = X.sum(axis=1) <= 8
    tree = PlaneTreeClassifier(learner=RLS()).fit(X, y)
    assert tree.n_features_in_ == 2
    assert tree.tree_.node(0).test.kind == "linear"


def root_of(learner, X, y):
    tree = PlaneTreeClassifier(learner=learner, univariate=False, max_depth=1).fit(X, y)
    return tree.tree_.node(0).test


def test_a_plane_with_all_cases_on_one_side_moves_to_the_middle():
    """By hand: the fit to 1 and -1 rises by 0.2 a unit from -1 at 1, so it is -0.2 at 5.

    The means of the classes are 2.75 and 4, that of all cases is 3.
    """
    X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "a", "b", "a"]
    assert root_of(LeastSquares(), X, y) is None
    assert root_of(LeastSquares(mid=True), X, y).cut == pytest.approx(3.375)
    assert root_of(LeastSquares(balanced=True), X, y).cut == pytest.approx(3)


@given(table=tables(missing=False))
def test_no_other_plane_moves(table):
    X, y = table.X, table.y % 2
    assume(len(np.unique(y)) == 2)
    fitted, moved = root_of(LeastSquares(), X, y), root_of(LeastSquares(mid=True), X, y)
    if fitted is not None:
        np.testing.assert_array_equal(moved.route(X), fitted.route(X))
    elif moved is not None:  # cases on both sides
        assert len(np.unique(moved.route(X))) == 2


def test_merits_written_in_python_go_with_every_learner_that_does_not_search():
    class PythonGini(Merit):
        def __call__(self, counts):
            return Gini()(counts)

    X, y = load_breast_cancer(return_X_y=True)
    ours, kernel = (
        PlaneTreeClassifier(merit, learner=RLS(), selector=DSBE(), max_depth=2).fit(X, y)
        for merit in (PythonGini(), Gini())
    )
    assert ours.tree_ == kernel.tree_


def test_twoing_does_not_compare_three_branches():
    X, y = np.eye(3).repeat(4, axis=0), np.repeat(["a", "b", "c"], 4)
    with pytest.raises(ValueError, match="two branches, not 3"):
        PlaneTreeClassifier(Twoing(), learner=RLS(), univariate=False).fit(X, y)


@pytest.mark.parametrize("X", [
    np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]]),
    np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 4.0], [3.0, 4.0]]),
    np.array([[1e300, -1e300], [1e299, 1e300], [-1e300, 0.0], [-1e299, 5.0]]),
    np.array([[1e-300, 1e-310], [2e-300, 0.0], [3e-300, 0.0], [4e-300, 1e-310]]),
])  # fmt: skip
@pytest.mark.parametrize("learner", [RLS(), LeastSquares()], ids=repr)
def test_singular_huge_and_tiny_columns_give_a_tree_without_warnings(X, learner):
    y = [0, 0, 1, 1]
    tree = PlaneTreeClassifier(learner=learner, min_rows_per_feature=0).fit(X, y)
    assert np.isfinite(tree.predict_proba(X)).all()


# --- plug-ins that return nonsense ----------------------------------------------------------------


class Returns(CoefficientLearner):
    def __init__(self, what=None):
        self.what = what

    def fit(self, view):
        return self.what(view)


def of_another_table(view):
    return LinearThresholdUnit((Term(9, None, 0.0),), (1.0,), 0.0)


def spoil(view):
    view.Z[:] = 0.0


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda view: view.unit([np.nan, 1.0]), "a weight is not a finite number"),
        (lambda view: view.machine(np.full((2, 3), np.inf)), "a weight is not a finite number"),
        (lambda view: view.unit([1.0]), r"weights of shape \(1,\) for 2 columns"),
        (lambda view: view.machine([[1.0, 2.0]]), r"shape \(1, 2\).*\(2, 3\) is needed"),
        (lambda view: [1.0, 2.0], r"must return what view.unit or view.machine made"),
        (of_another_table, "there is no column for"),
        (lambda v: LinearThresholdUnit((Term(0, None, np.nan),), (1.0,), 0.0), "the fill of x0"),
        (lambda v: LinearThresholdUnit((Term(0, None, 0.0),), (1.0, 2.0), 0.0), "not 1 weights"),
        (lambda v: LinearThresholdUnit((Term(0, None, 0.0),), (np.inf,), 0.0), "not a finite"),
        (lambda v: LinearThresholdUnit((), (), 0.0), "looks at nothing"),
        (spoil, "read-only"),
    ],
)
def test_nonsense_of_a_learner_is_caught_with_its_name(what, message):
    X, y = np.array([[0.0, 1], [1, 1], [2, 0], [3, 5]]), [0, 0, 1, 1]
    with pytest.raises(PlugInError, match=r"Returns\(.*" + message):
        PlaneTreeClassifier(learner=Returns(what), min_rows_per_feature=0).fit(X, y)


def test_a_test_that_sends_all_cases_one_way_is_no_candidate():
    X, y = np.array([[0.0, 1], [1, 1], [2, 0], [3, 5]]), [0, 0, 1, 1]
    one_way = Returns(lambda view: view.unit(np.ones(2), constant=99.0))
    tree = PlaneTreeClassifier(learner=one_way, univariate=False, min_rows_per_feature=0).fit(X, y)
    assert tree.n_leaves_ == 1


def test_nonsense_of_a_selector_is_caught_with_its_name():
    class Silly(FeatureSelector):
        def select(self, view, propose):
            return 7

    with pytest.raises(PlugInError, match=r"Silly\(\) must return a proposal.*7"):
        PlaneTreeClassifier(learner=RLS(), selector=Silly()).fit([[0.0], [1.0]], [0, 1])


def test_a_selector_must_not_end_with_a_test_that_sends_all_cases_one_way():
    class Careless(FeatureSelector):
        def select(self, view, propose):
            return propose(tuple(range(view.n_columns)))

    X, y = np.array([[0.0, 1], [1, 1], [2, 0], [3, 5]]), [0, 0, 1, 1]
    one_way = Returns(lambda view: view.unit(np.ones(2), constant=99.0))
    with pytest.raises(PlugInError, match=r"Careless\(\) ended with a test that is not allowed"):
        PlaneTreeClassifier(learner=one_way, selector=Careless()).fit(X, y)


def test_nonsense_of_a_merit_is_caught_with_its_name():
    class Silly(Merit):
        def __call__(self, counts):
            return np.full(len(counts), np.nan)

    with pytest.raises(ValueError, match=r"Silly\(\) must return"):
        PlaneTreeClassifier(Silly(), learner=RLS()).fit([[0.0], [1.0]], [0, 1])


def test_a_learner_says_what_it_does_not_take():
    class Plain(Returns):
        multiclass = weighted = False

    X, y = np.eye(3).repeat(2, axis=0), [0, 0, 1, 1, 2, 2]
    with pytest.raises(PlugInError, match=r"Plain\(.*two classes only, and y has 3.*RLS"):
        PlaneTreeClassifier(learner=Plain()).fit(X, y)
    with pytest.raises(PlugInError, match=r"Plain\(.*no weights.*RLS"):
        PlaneTreeClassifier(learner=Plain()).fit(X, [0, 0, 1, 1, 1, 1], sample_weight=range(6))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"univariate": False}, "leaves no tests: give a learner"),
        ({"selector": SBE()}, r"selector=SBE\(\).*give a learner"),
        ({"learner": "rls"}, r"learner must be a learner such as planetree.learners.RLS\(\)"),
        ({"learner": RLS}, r"learner must be an instance, RLS\(\)"),
        ({"learner": RLS(), "selector": "sbe"}, r"selector must be a selector such as"),
        ({"learner": RLS(), "max_features_per_test": 0}, "at least 1 or None, not 0"),
        ({"learner": RLS(), "min_rows_per_feature": -1}, "at least 0, not -1"),
        ({"random_state": "x"}, "x"),
    ],
)
def test_options_are_checked_before_any_work(options, message):
    with pytest.raises(ValueError, match=message):
        CART(**options, pruner=Unpruned()).fit([[0.0], [1.0]], [0, 1])


def test_the_same_seed_gives_the_same_tree_and_another_may_not():
    class Random(CoefficientLearner):
        def fit(self, view):
            return view.unit(np.random.default_rng(view.seed).normal(size=view.n_columns))

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)

    def fit(seed):
        tree = PlaneTreeClassifier(learner=Random(), univariate=False, random_state=seed)
        return tree.fit(X, y).tree_

    assert fit(None) == fit(None) == fit(0)
    assert fit(3) == fit(3) != fit(4)
    assert fit(np.random.RandomState(5)) == fit(np.random.RandomState(5))
    # The stream of a node follows from its path: a shallower tree is the top of a deeper one.
    shallow = PlaneTreeClassifier(learner=Random(), univariate=False, max_depth=2).fit(X, y).tree_
    n = shallow.n_tests
    assert [t for t in shallow.tests if t] == [t for t in fit(0).tests[: len(shallow.tests)] if t][
        :n
    ]
