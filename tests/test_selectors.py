"""Each selector is the loop of its paper, whatever scores the columns."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris

from planetree import PlaneTreeClassifier
from planetree.learners import RLS
from planetree.selectors import DSBE, FSCART, HSS, SBE, SFS, All, CARTDiscard, Proposal
from reference import selectors as twins


class Made:
    """Scores drawn once for every set of columns: what a learner and a merit would say."""

    def __init__(self, seed, n_columns, *, levels, failing=0.0, forbidden=0.0):
        self.seed, self.n_columns = seed, n_columns
        self.levels, self.failing, self.forbidden = levels, failing, forbidden
        self.learned_from = {}

    def draw(self, *what):
        return np.random.default_rng([self.seed, *(abs(hash(w)) % 2**32 for w in what)])

    def score(self, places):
        rng = self.draw(places)
        if rng.random() < self.failing:
            return None
        merit, accuracy = rng.integers(self.levels, size=2) / self.levels
        return float(merit), float(accuracy), bool(rng.random() >= self.forbidden)

    def size(self, places):
        return self.draw(places, 1).permutation(self.n_columns).astype(float)

    def loss(self, places, learned):
        rng = self.draw(places, learned)
        return dict(zip(places, (rng.integers(-1, 9, len(places)) / 8).tolist()))

    # --- as a selector sees it -----------------------------------------------------------------

    def __call__(self, places):
        scored = self.score(places)
        if scored is None:
            return None
        merit, accuracy, allowed = scored
        return Proposal(places, SimpleNamespace(places=places), merit, accuracy, allowed)

    def each(self, sets):
        return [self(places) for places in sets]

    def magnitudes(self, test):
        return self.size(test.places)


SCORES = st.builds(
    Made,
    st.integers(0, 2**31),
    st.integers(1, 6),
    levels=st.sampled_from([3, 1000]),
    failing=st.sampled_from([0.0, 0.2]),
    forbidden=st.sampled_from([0.0, 0.4]),
)


@given(made=SCORES, tolerance=st.sampled_from([0.0, 0.1, 1.0]))
@pytest.mark.parametrize(
    ("selector", "twin"), [(SBE, twins.sbe), (SFS, twins.sfs), (HSS, twins.hss)]
)
def test_the_loops_of_the_paper(selector, twin, made, tolerance):
    chosen = selector(tolerance).select(made, made)
    assert (chosen and chosen.places) == twin(made.n_columns, made.score, tolerance)


@given(made=SCORES, tolerance=st.sampled_from([0.0, 0.1, 1.0]))
def test_dsbe_drops_what_moves_the_test_least(made, tolerance):
    made.failing = 0.0
    chosen = DSBE(tolerance).select(made, made)
    expected = twins.dsbe(made.n_columns, made.score, made.size, tolerance)
    assert (chosen and chosen.places) == expected


class Discarded(Made):
    """Weights are the places they were learned from; cutting along some of them costs `loss`."""

    def weights(self, test):
        weights = np.zeros(self.n_columns)
        weights[list(test.places)] = 1.0
        test.asked = test.places
        self.now = test
        return weights

    def along(self, weights, places):
        (gone,) = set(self.now.places) - set(places)
        learned = getattr(self.now, "learned", self.now.places)
        loss = self.loss(self.now.places, learned)[gone]
        base = self.merit_of(self.now)
        scored = self.score(places)
        test = SimpleNamespace(places=places, learned=learned, merit=base - loss)
        return Proposal(places, test, base - loss, 0.0, scored[2])

    def merit_of(self, test):
        return getattr(test, "merit", None) or self.score(test.places)[0]

    def __call__(self, places):
        merit, accuracy, allowed = self.score(places)
        return Proposal(places, SimpleNamespace(places=places), merit or 1e-9, accuracy, allowed)


@given(
    seed=st.integers(0, 2**31),
    n_columns=st.integers(1, 6),
    share=st.sampled_from([0.0, 0.2, 0.9]),
    forbidden=st.sampled_from([0.0, 0.4]),
)
@pytest.mark.parametrize("each", [False, True])
def test_discarding_follows_the_losses(seed, n_columns, share, forbidden, each):
    made = Discarded(seed, n_columns, levels=1000, forbidden=forbidden)
    selector = FSCART(share) if each else CARTDiscard(share)
    chosen = selector.select(made, made)
    expected = twins.discard(n_columns, made.score, made.loss, share, each)
    assert (chosen and chosen.places) == expected


SELECTORS = [All(), SBE(), SFS(), DSBE(), HSS(), CARTDiscard(), FSCART()]


@pytest.mark.parametrize("selector", SELECTORS, ids=repr)
def test_trees_of_planes_are_small_and_right(selector):
    X, y = load_breast_cancer(return_X_y=True)
    tree = PlaneTreeClassifier(learner=RLS(), selector=selector, univariate=False).fit(X, y)
    assert tree.n_leaves_ < 10
    # Seven tests at most, each over thirty columns at most, for 569 rows.
    assert tree.score(X, y) > 0.93


@pytest.mark.parametrize("selector", [All(), SBE(), SFS(), DSBE(), HSS()], ids=repr)
def test_three_classes_get_a_linear_machine(selector):
    X, y = load_iris(return_X_y=True)
    tree = PlaneTreeClassifier(learner=RLS(), selector=selector, univariate=False).fit(X, y)
    assert tree.tree_.node(0).test.kind == "machine"
    assert tree.score(X, y) > 0.95


def test_cart_discards_from_planes_only():
    X, y = load_iris(return_X_y=True)
    tree = PlaneTreeClassifier(learner=RLS(), selector=CARTDiscard(), univariate=False)
    with pytest.raises(ValueError, match=r"CARTDiscard\(\).*one plane.*DSBE takes any"):
        tree.fit(X, y)


@pytest.mark.parametrize("most", [1, 2, 3])
@pytest.mark.parametrize("selector", [None, SBE(), SFS(), DSBE(), HSS(), CARTDiscard()], ids=repr)
def test_a_test_looks_at_no_more_features_than_allowed(selector, most):
    X, y = load_breast_cancer(return_X_y=True)
    tree = PlaneTreeClassifier(
        learner=RLS(), selector=selector, univariate=False, max_features_per_test=most, max_depth=3
    ).fit(X, y)
    sizes = [len(test.features) for test in tree.tree_.tests if test is not None]
    assert sizes
    assert max(sizes) == most
