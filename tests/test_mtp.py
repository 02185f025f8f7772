"""Multivariate tree pruning against its twin, by hand, and what must hold for any tree."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import planetree
from planetree import PlaneTreeClassifier, TableError, datasets
from planetree.grow import grow
from planetree.learners import RLS, LeastSquares, Thermal
from planetree.linear import Linear
from planetree.merits import Gini
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.pruners import MTP, Evidence, ReducedError, Unpruned, mtp
from planetree.pruners.base import hold_out
from planetree.schema import Feature, Schema
from planetree.search import OpenNode, Univariate
from planetree.selectors import DSBE, SBE, SFS, All
from planetree.stopping import Stop
from planetree.surgery import tally
from planetree.table import Table
from planetree.tree import Tree
from reference import mtp as twin
from tables import tables


def halves(table, seed):
    """A table to grow from and one to hold out."""
    held = np.random.default_rng(seed).random(table.n_rows) < 0.5
    held[: min(len(table.classes), table.n_rows - 1)] = True
    held[-1] = False
    return table.take(np.flatnonzero(~held)), table.take(np.flatnonzero(held))


def root_of(table):
    return OpenNode(table, np.arange(table.n_rows, dtype=np.uint32), Gini(), Stop())


def errors_of(tree, table):
    return tally(tree, table).errors(tree.labels)[tree.is_leaf].sum()


def parts(n, share, seed):
    """Which of n rows the estimator grows from and holds out."""
    numbers = np.arange(n, dtype=np.int32)
    table = Table(Schema((Feature("x"),)), np.zeros((n, 1)), numbers, ())
    return [part.y for part in hold_out(table, share, seed)]


def n_inputs(tree):
    return sum(len(test.terms) if hasattr(test, "terms") else 1 for test in tree.tests if test)


def test_a_feature_that_only_fits_the_noise_goes():
    """The class is x ≤ 3; z helps one training case and misleads the cases held out."""
    X = np.array([[1, 0], [2, 0], [2.9, 2], [3, 0], [4, 0], [5, 0], [3.1, -2], [6, 0]], float)
    y = np.array(["low"] * 4 + ["high"] * 4)
    held = np.array([[1, 0], [2, 0], [2.5, -9], [4, 0], [5, 0], [6, 0], [4, 0]], float)
    truth = np.where(held[:, 0] <= 3, "low", "high")
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False, pruner=Unpruned()).fit(X, y)
    assert tree.tree_.mean_features_per_test == 2
    assert (tree.predict(held) != truth).tolist() == [False, False, True, *[False] * 4]
    pruned = tree.prune(MTP(), held, truth, training=(X, y))
    assert pruned.tree_.mean_features_per_test == 1
    assert pruned.score(held, truth) == 1
    assert tree.prune(ReducedError(), held, truth).tree_ == tree.tree_
    # Where z misleads nobody it still goes: the errors do not rise.
    easy = held * [1, 0]
    assert tree.prune(MTP(), easy, truth, training=(X, y)).mean_features_per_test_ == 1


@settings(max_examples=40, deadline=None)
@given(
    table=tables(max_rows=40, symbols=True, weights=False),
    seed=st.integers(0, 99),
    univariate=st.booleans(),
)
def test_mtp_is_its_twin(table, seed, univariate):
    training, held = halves(table, seed)
    if held.n_rows < len(table.classes):
        return
    linear = Linear(RLS(), All(), None, 0.0)
    tree = grow(training, Gini(), Stop(), [*[Univariate()] * univariate, linear])
    root = root_of(training)

    def look(rows, path):
        return linear.look(OpenNode(training, rows.astype(np.uint32), Gini(), Stop(), path))

    def learn(rows, path, places):
        propose = look(rows, path)[1]
        found = propose(places)
        if found is None:
            return None, None, None
        settled = propose.settle(found.test)
        return settled or found.test, found.merit, found.allowed and settled is not None

    def nested(i, rows, path=()):
        test = tree.tests[i]
        if test is None:
            return None
        is_linear = isinstance(test, LinearThresholdUnit | LinearMachine)
        places = look(rows, path)[0].places(test) if is_linear else None
        taken = test.route(training.X[rows])
        children = tree.node(i).children
        below = [nested(c, rows[taken == b], (*path, b)) for b, c in enumerate(children)]
        return test, places, below

    cases = (training.X, training.y), (held.X, held.y)
    everyone = np.arange(training.n_rows), np.arange(held.n_rows)
    expected = twin.prune(nested(0, everyone[0]), *everyone, *cases, learn)
    evidence = Evidence(training, held, root=root, linear=linear)
    pruned = MTP().prune(tree, evidence)

    def plain(i):
        test = pruned.tests[i]
        return test and (test, *(plain(child) for child in pruned.node(i).children))

    def without_places(node):
        return node and (node[0], *map(without_places, node[2]))

    assert plain(0) == without_places(expected)
    assert errors_of(pruned, held) == twin.errors(expected, *everyone, *cases)


@settings(max_examples=80, deadline=None)
@given(
    table=tables(max_rows=60, symbols=True),
    seed=st.integers(0, 99),
    learner=st.sampled_from([RLS(), LeastSquares(), Thermal()]),
    selector=st.sampled_from([SBE(), DSBE()]),
    subtrees=st.booleans(),
)
def test_mtp_makes_no_more_errors_than_reduced_error_and_no_larger_tree(
    table, seed, learner, selector, subtrees
):
    training, held = halves(table, seed)
    if held.n_rows < len(table.classes):
        return
    linear = Linear(learner, All(), None, 0.0)
    tree = grow(training, Gini(), Stop(), [Univariate(), linear])
    evidence = Evidence(training, held, root=root_of(training), linear=linear)
    pruner = MTP(selector=selector, subtrees=subtrees)
    pruned, basic = pruner.prune(tree, evidence), ReducedError().prune(tree, evidence)
    assert errors_of(pruned, held) <= errors_of(basic, held) * (1 + 1e-9)
    assert pruned.n_nodes <= tree.n_nodes
    assert n_inputs(pruned) <= n_inputs(tree)
    counted = tally(pruned, training)
    np.testing.assert_allclose(counted.counts, pruned.counts, rtol=1e-9)
    np.testing.assert_array_equal(counted.n_rows, pruned.n_rows)
    assert (pruned.n_rows > 0).all()
    assert pruner.prune(tree, evidence) == pruned


def test_each_step_keeps_the_errors_from_rising(monkeypatch):
    simplify, steps = mtp._Pruning._simplify, []

    def watched(self, node, held_rows, errors):
        n_inputs = len(node.test.terms)
        left = simplify(self, node, held_rows, errors)
        assert left == self._reduce(node.copy(), held_rows)  # what is told is true
        steps.append((errors, left, n_inputs, 0 if node.test is None else len(node.test.terms)))
        return left

    monkeypatch.setattr(mtp._Pruning, "_simplify", watched)
    X, y = datasets.load_ionosphere(return_X_y=True)
    PlaneTreeClassifier(learner=RLS(), univariate=False, pruner=MTP()).fit(X, y)
    before, after, wide, narrow = np.array(steps).T
    assert (after <= before).all()
    assert (narrow <= wide).all()
    assert (narrow < wide).any()


def test_whole_subtrees_may_become_simpler():
    """A slab of two features among six; `subtrees` takes noise out of tests above others too."""
    X = np.random.default_rng(3).normal(size=(900, 6))
    y = np.abs(X[:, 0] + X[:, 1]) < 1
    plain, deep = (
        PlaneTreeClassifier(learner=RLS(), univariate=False, pruner=MTP(subtrees=subtrees)).fit(
            X, y
        )
        for subtrees in (False, True)
    )
    assert len(plain.tree_.tests[0].terms) == 6
    assert len(deep.tree_.tests[0].terms) < 6
    assert n_inputs(deep.tree_) < n_inputs(plain.tree_)
    assert deep.tree_.n_tests < plain.tree_.n_tests
    file = io.StringIO()
    deep.save(file)
    back = planetree.load(io.StringIO(file.getvalue()))
    assert back.tree_ == deep.tree_
    assert repr(back.pruner) == "MTP(subtrees=True)"


def test_a_machine_never_gets_a_branch_more():
    """Learned over fewer columns, a machine may tell a class that had no branch before."""
    X, y = datasets.load_glass(return_X_y=True)
    for seed in range(4):
        model = PlaneTreeClassifier(
            learner=RLS(), univariate=False, pruner=MTP(), random_state=seed, min_rows=20
        )
        pruned = model.fit(X, y).tree_
        grown = clone(model).set_params(pruner=Unpruned()).fit(X, y)
        part, _ = parts(len(y), 0.25, seed)
        grown = grown.fit(X[part], y[part]).tree_
        assert pruned.n_rows[0] == grown.n_rows[0]
        assert pruned.n_leaves <= grown.n_leaves


def test_pruning_after_the_fit_is_pruning_in_the_fit():
    X, y = datasets.load_bupa(return_X_y=True)
    model = PlaneTreeClassifier(learner=RLS(), selector=SFS(), univariate=False)
    inside = clone(model).set_params(pruner=MTP(0.3)).fit(X, y)
    training, held = parts(len(y), 0.3, 0)
    grown = model.set_params(pruner=Unpruned()).fit(X[training], y[training])
    after = grown.prune(MTP(), X[held], y[held], training=(X[training], y[training]))
    assert after.tree_ == inside.tree_
    # The tree alone does not know its learner.
    by_name = grown.tree_.prune(
        MTP(learner=RLS()), X[held], y[held], training=(X[training], y[training])
    )
    assert by_name == inside.tree_


def test_what_is_missing_is_told():
    X, y = datasets.load_iris(return_X_y=True)
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False, pruner=Unpruned())
    tree = tree.fit(X[::2], y[::2]).tree_
    held, grown = (X[1::2], y[1::2]), (X[::2], y[::2])
    with pytest.raises(TableError, match=r"give training=\(X, y\) too"):
        tree.prune(MTP(learner=RLS()), *held)
    with pytest.raises(TableError, match="does not hold the cases the tree was grown from"):
        tree.prune(MTP(learner=RLS()), *held, training=held)
    with pytest.raises(ValueError, match="prune the estimator, which knows its learner, or name"):
        tree.prune(MTP(), *held, training=grown)
    with pytest.raises(TableError, match="MTP has 2 holdout cases for 3 classes"):
        tree.prune(MTP(learner=RLS()), X[1:3], y[1:3], training=grown)
    with pytest.raises(ValueError, match="MTP works on linear tests: give a learner as well"):
        PlaneTreeClassifier(max_features_per_test=1, pruner=MTP()).fit(X, y)
    thresholds = PlaneTreeClassifier(max_features_per_test=1, pruner=Unpruned()).fit(*grown)
    with pytest.raises(ValueError, match="MTP works on linear tests, and this tree has none"):
        thresholds.prune(MTP(learner=RLS()), *held, training=grown)
    for pruner, message in (
        (MTP(selector=SFS()), r"selector of MTP must be SBE\(\) or DSBE\(\)"),
        (MTP(learner="rls"), "learner of MTP must be a learner"),
        (MTP(1.5), "holdout of MTP must be a share"),
    ):
        with pytest.raises(ValueError, match=message):
            pruner.check()


def test_a_unit_over_one_column_stays():
    schema_X = np.array([[1.0], [2.0], [3.0], [4.0]])
    y = ["a", "a", "b", "b"]
    model = PlaneTreeClassifier(learner=RLS(), univariate=False, pruner=Unpruned()).fit(schema_X, y)
    pruned = model.prune(MTP(), schema_X, y, training=(schema_X, y))
    assert isinstance(pruned.tree_.tests[0], LinearThresholdUnit)
    assert pruned.tree_ == model.tree_
    assert pruned.tree_.tests[0].terms == (Term(0, None, 2.5),)
    assert isinstance(pruned.tree_, Tree)
