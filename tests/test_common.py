"""What every plug-in of planetree promises: one that is new is tested with no new test."""

from __future__ import annotations

import inspect

import numpy as np
import pytest
from sklearn.base import clone

from planetree import (
    PlaneTreeClassifier,
    PlugInError,
    learners,
    merits,
    pruners,
    refiners,
    selectors,
)
from planetree.learners import RLS, CoefficientLearner, LeastSquares, Pocket, Thermal
from planetree.merits import Merit
from planetree.presets import CART
from planetree.pruners import (
    MTP,
    CostComplexity,
    HyperplaneMerging,
    PessimisticBound,
    Pruner,
    ReducedError,
    Unpruned,
)
from planetree.refiners import TAO, Refiner
from planetree.selectors import All, FeatureSelector
from planetree.testing import (
    check_learner,
    check_merit,
    check_pruner,
    check_refiner,
    check_selector,
)


def members(room, kind):
    """An instance of every class of a kind that a room offers."""
    for name in room.__all__:
        thing = getattr(room, name)
        if inspect.isclass(thing) and issubclass(thing, kind) and not inspect.isabstract(thing):
            yield thing()


LEARNERS = [*members(learners, CoefficientLearner)]
SELECTORS = [*members(selectors, FeatureSelector)]
MERITS = [*members(merits, Merit)]
PRUNERS = [*members(pruners, Pruner)]
REFINERS = [*members(refiners, Refiner), TAO(price=0.0, max_rows=100)]

# Other settings of the same classes that are as good as another plug-in.
MORE_LEARNERS = [LeastSquares(balanced=True), LeastSquares(mid=True), Thermal(whole_pass=False)]
MORE_PRUNERS = [
    CostComplexity(cv=3),
    CostComplexity(risk="gini"),
    HyperplaneMerging(merge=False),
    HyperplaneMerging(estimate="mean"),
    HyperplaneMerging(shift=True),
    MTP(subtrees=True),
    PessimisticBound(raising=True),
]


@pytest.mark.parametrize("learner", LEARNERS + MORE_LEARNERS[:1], ids=repr)
def test_learners(learner):
    check_learner(learner)


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_selectors(selector):
    check_selector(selector)


@pytest.mark.parametrize("merit", MERITS, ids=repr)
def test_merits(merit):
    check_merit(merit)


@pytest.mark.parametrize("pruner", PRUNERS + MORE_PRUNERS, ids=repr)
def test_pruners(pruner):
    check_pruner(pruner)


@pytest.mark.parametrize("refiner", REFINERS, ids=repr)
def test_refiners(refiner):
    check_refiner(refiner)


# --- on trees -------------------------------------------------------------------------------------


def tree(learner, **options):
    return PlaneTreeClassifier(
        learner=learner, **{"univariate": False, "max_depth": 3, "random_state": 0, **options}
    )


def takes(learner):
    """How many classes a table may have for the learner."""
    return 3 if learner.multiclass else 2


def noise(n=40, n_classes=2, n_columns=3, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, n_columns)), np.arange(n) % n_classes


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize(
    "make",
    [
        lambda x: np.c_[x, x, x],
        lambda x: np.c_[x[:, 0], np.ones(len(x)), np.where(x[:, 1] > 2, 7, np.nan)],
        lambda x: np.ones_like(x),
        lambda x: x * 1e300,
        lambda x: np.sign(x) * 1e308,
        lambda x: x * 1e-300,
        lambda x: x * 5e-324,
        lambda x: x * [1e300, 1.0, 1e-300],
        lambda x: 1e15 + x,
        lambda x: x.round(),
    ],
    ids=[
        *("duplicated", "constant but for gaps", "nothing", "enormous", "extremes"),
        *("tiny", "zero or nearly", "mixed", "far away", "tied"),
    ],
)
def test_awkward_columns_give_a_tree_and_no_warning(learner, make):
    X, y = noise(n_classes=takes(learner))
    X = make(X)
    if not learner.incomplete:
        X = X[:, ~np.isnan(X).any(axis=0)]
    found = tree(learner, univariate=True).fit(X, y)
    assert np.isfinite(found.predict_proba(X)).all()
    assert found.to_text()
    found = tree(learner, min_rows_per_feature=0).fit(X, y)
    assert found.score(X, y) >= 1 / takes(learner)


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_learner_takes_what_it_says_and_refuses_the_rest_by_name(learner):
    X, three = noise(60, 3)
    two = three > 0
    gaps = np.where(np.random.default_rng(1).random(X.shape) < 0.1, np.nan, X)
    weight = np.random.default_rng(2).uniform(0.5, 2, 60)
    for able, table, what in (
        (learner.multiclass, (X, three), "two classes only, and y has 3"),
        (learner.weighted, (X, two, weight), "no weights, and rows or classes are weighted"),
        (learner.incomplete, (gaps, two), "no missing values, and x0, x1, x2 misses some"),
    ):
        if able:
            assert tree(learner).fit(*table).n_tests_ > 0
        else:
            with pytest.raises(PlugInError, match=what) as refused:
                tree(learner).fit(*table)
            assert str(refused.value).startswith(repr(learner))
            assert "planetree.learners.RLS" in str(refused.value)


@pytest.mark.parametrize("selector", [None, *SELECTORS], ids=repr)
@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
def test_a_test_looks_at_no_more_features_than_allowed(learner, selector):
    X, y = noise(80, 2, 4)
    X[:, 0] += y
    X[:, 2] -= y
    for most in (1, 2, 3):
        grown = tree(learner, selector=clone(selector) if selector else None)
        grown.set_params(max_features_per_test=most)
        if isinstance(selector, All) and most < (learner.most_columns or 4):
            with pytest.raises(ValueError, match=r"All\(\) drops no feature.*SFS"):
                grown.fit(X, y)
            continue
        sizes = [len(test.features) for test in grown.fit(X, y).tree_.tests if test is not None]
        assert sizes
        assert max(sizes) <= most
    if isinstance(selector, All):
        assert grown.set_params(max_features_per_test=4).fit(X, y).n_tests_ > 0


@pytest.mark.parametrize("learner", LEARNERS, ids=repr)
@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_every_learner_goes_with_every_selector(learner, selector):
    """Or the selector says that it takes no machines, and names one that does."""
    X, y = noise(60, 3)
    X[:, 0] += y
    grown = tree(learner, selector=clone(selector), max_depth=2)
    assert grown.fit(X, y > 0).n_tests_ > 0
    if not learner.multiclass:
        return
    machine = tree(learner, max_depth=1).fit(X, y).tree_.tests[0].kind == "machine"
    if machine and not selector.machines:
        with pytest.raises(PlugInError, match="DSBE takes any"):
            grown.fit(X, y)
    else:
        assert grown.fit(X, y).n_tests_ > 0


# --- plug-ins that break a promise ----------------------------------------------------------------


class Means(CoefficientLearner):
    """The plane between the means of two classes; what is wrong with it is up to `change`."""

    multiclass = weighted = False

    def __init__(self, change=None):
        self.change = change

    def fit(self, view):
        w = view.Z[view.y == 1].mean(axis=0) - view.Z[view.y == 0].mean(axis=0)
        return self.change(self, view, w) if self.change else view.unit(w)


class Separating(Means):
    separates = True


class Weighted(Means):
    weighted = True


class Scaled(Means):
    scale_free = True

    def fit(self, view):
        w = view.Z[view.y == 1].mean(axis=0) - view.Z[view.y == 0].mean(axis=0)
        return view.unit(w * view._scale.spread)  # in the user's units: of no concern to a learner


class Altered(Means):
    def __init__(self, factor=1.0):
        self.factor = factor / 3


def spoil(self, view, w):
    view.Z.flags.writeable = True
    view.Z[0] += 1
    return view.unit(w)


def by_chance(self, view, w):
    return view.unit(w + np.random.default_rng().random(len(w)))


def warn(self, view, w):
    return view.unit(w / np.zeros(len(w)) if view.n_rows < 5 else w)


def remember(self, view, w):
    self.first = getattr(self, "first", view)
    return self.first.unit(self.first.Z.mean(axis=0) + 1)


@pytest.mark.parametrize(
    ("learner", "broken"),
    [
        (Means(spoil), "changes the view on 2 classes"),
        (Means(by_chance), "gives two answers for one view"),
        (Means(warn), "warns on .*: divide by zero"),
        (Means(lambda self, view, w: None), "finds nothing on 2 classes"),
        (Means(lambda self, view, w: view.unit(w, 99.0)), "no better than not at all"),
        (Means(lambda self, view, w: w), "view.unit or view.machine"),
        (Means(remember), "over columns that it was not shown"),
        (Separating(), "says that it separates, but leaves 2"),
        (Weighted(), "says that it takes weights, but"),
        (Scaled(), "says that it is scale-free, but"),
        (Altered(), "cannot be cloned"),
    ],
)
def test_a_learner_that_breaks_a_promise_is_told_which(learner, broken):
    with pytest.raises(AssertionError, match=rf"^{type(learner).__name__}\(.*{broken}"):
        check_learner(learner)


def test_a_learner_of_ones_own_passes():
    check_learner(Means())


class Picks(FeatureSelector):
    def __init__(self, how=None):
        self.how = how

    def select(self, view, propose):
        return self.how(view, propose)


def everything(view, propose):
    return propose(tuple(range(view.n_columns)))


def allowed(proposal):
    return proposal if proposal is not None and proposal.allowed else None


def forge(view, propose):
    found = allowed(everything(view, propose))
    return found and type(found)(found.places, found.test, 1.0, 1.0, allowed=True)


def by_dice(view, propose):
    return allowed(propose((int(np.random.default_rng().integers(view.n_columns)),)))


@pytest.mark.parametrize(
    ("how", "broken"),
    [
        (everything, "ends with a test that is not allowed"),
        (forge, "returns what it was not given"),
        (by_dice, "does not choose the same again"),
        (lambda view, propose: None, "finds nothing on two classes"),
        (lambda view, propose: 7, "returns what it was not given"),
    ],
)
def test_a_selector_that_breaks_a_promise_is_told_which(how, broken):
    with pytest.raises(AssertionError, match=rf"^Picks\(.*{broken}"):
        check_selector(Picks(how))


def test_a_selector_of_ones_own_passes():
    check_selector(Picks(lambda view, propose: allowed(everything(view, propose))))


class Prunes(Pruner):
    def __init__(self, how=None):
        self.how = how

    def prune(self, tree, evidence):
        return self.how(tree, evidence)


class Rewrites(Prunes):
    reads = "training"
    rewrites = True


class Linear(Prunes):
    linear = True

    def __call__(self, tree, *cases, **grown):
        return tree


def grow_again(tree, evidence):
    names = tree.schema.names
    columns = dict(zip(names, evidence.training.X.T))
    big = CART(pruner=Unpruned()).fit(columns, evidence.training.y).tree_
    return type(tree)(tree.schema, tree.classes, big.tests, big.counts, big.n_rows)


def twice_as_many(tree, evidence):
    return type(tree)(tree.schema, tree.classes, tree.tests, 2 * tree.counts, tree.n_rows)


def chance(tree, evidence):
    inner = np.flatnonzero(~tree.is_leaf)
    return tree.prune_at(np.random.default_rng().permutation(inner)[:2].tolist())


@pytest.mark.parametrize(
    ("pruner", "broken"),
    [
        (Rewrites(grow_again), r"made the tree larger: .* \(on a"),
        (Prunes(twice_as_many), "makes node 0 anew"),
        (Rewrites(twice_as_many), "counts that are not those of the training cases"),
        (Prunes(chance), "does not prune the same again"),
        (Linear(lambda tree, evidence: tree), "prunes a tree that has none"),
        (Prunes(lambda tree, evidence: 7), "must return a tree, not 7"),
    ],
)
def test_a_pruner_that_breaks_a_promise_is_told_which(pruner, broken):
    with pytest.raises(AssertionError, match=rf"^{type(pruner).__name__}\(.*{broken}"):
        check_pruner(pruner)


def test_learners_of_planetree_keep_what_they_claim():
    """That claims are made at all: a check of no claim checks nothing."""
    assert {type(x) for x in LEARNERS if x.separates} >= {Pocket, Thermal}
    assert {type(x) for x in LEARNERS if x.scale_free} >= {RLS, LeastSquares, Pocket, Thermal}
    assert not ReducedError().rewrites
