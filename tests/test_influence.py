"""What turns a test, and what each feature had to do with a decision."""

from __future__ import annotations

import numpy as np
import pytest

import parity
from planetree import PlaneTreeClassifier, datasets, influence
from planetree.learners import RLS
from planetree.presets import CART
from planetree.pruners import Unpruned


@pytest.mark.parametrize("kind", parity.KINDS)
def test_a_change_turns_the_test_and_half_of_it_does_not(kind):
    tree = parity.random_tree(kind)
    place = {name: i for i, name in enumerate(tree.schema.names)}
    turned = 0
    for x in parity.rows_for(tree, 25):
        for step in tree.path(x).steps:
            way = int(step.test.route(x[None, :])[0])  # of a row in parts, every one
            for name, change in step.changes.items():
                for share, turns in ((1, True), (0.5, False)):
                    row = x.copy()
                    size = 1e-9 * (1 + abs(change)) * np.sign(change or 1)
                    row[place[name]] += change * share + (size if turns else 0)
                    if not turns and abs(change) < 1e-6:
                        continue
                    if turns and change <= 0:  # from above a threshold, or from either side
                        row[place[name]] += size
                    other = int(step.test.route(row[None, :])[0]) != way
                    if change == 0:
                        continue
                    assert other is turns
                    turned += turns
            for name, values in step.switches.items():
                i = place[name]
                feature = tree.schema.features[i]
                known = (False, True) if feature.kind == "boolean" else feature.symbols
                for code, value in enumerate(known):
                    row = x.copy()
                    row[i] = code
                    other = int(step.test.route(row[None, :])[0]) != way
                    assert other is (value in values)
                    turned += other
    assert turned or kind == "known"


@pytest.mark.parametrize("kind", parity.KINDS)
def test_contributions_sum_to_the_change_of_the_probability(kind):
    tree = parity.random_tree(kind)
    for x in parity.rows_for(tree, 20):
        why = tree.path(x)
        label = tree.classes.index(why.label)
        expected = tree.probabilities[why.leaf, label] - tree.probabilities[0, label]
        assert sum(why.contributions.values()) == pytest.approx(expected, abs=1e-12)
        if why.shares:
            assert sum(why.shares.values()) == pytest.approx(1)
        for step in why.steps:
            parts = influence.parts(step.test, tree.schema, x)
            assert sum(parts.values()) == pytest.approx(1)
            assert parts.keys() == step.values.keys()


def test_explanations_as_frame_and_text():
    iris = datasets.load_iris(as_frame=True)
    tree = PlaneTreeClassifier(learner=RLS(), univariate=False).fit(iris.data, iris.target)
    why = tree.explain(iris.data[60:61])[0]
    frame = why.to_frame()
    assert len(frame) == sum(len(step.values) for step in why.steps)
    assert frame["contribution"].sum() == pytest.approx(sum(why.contributions.values()))
    assert str(why) == why.to_text()
    said = why.to_text(changes=True)
    assert said.count("the other way:") == len(why.steps)
    assert "decided by: sepal_width 60.9 %" in said
    leaf = CART(max_depth=0, pruner=Unpruned()).fit(iris.data, iris.target)
    alone = leaf.explain(iris.data[:1])[0]
    assert len(alone.to_frame()) == 0
    assert alone.shares == {}


@pytest.mark.filterwarnings("ignore")
def test_shap_explains_our_estimator():
    shap = pytest.importorskip("shap")
    iris = datasets.load_iris(as_frame=True)
    tree = CART(max_depth=3, pruner=Unpruned()).fit(iris.data, iris.target)
    explainer = shap.Explainer(tree.predict_proba, iris.data[::10], seed=0)
    rows = iris.data[60:62]
    found = explainer(rows)
    assert found.values.shape == (2, 4, 3)
    whole = found.values.sum(axis=1) + found.base_values
    np.testing.assert_allclose(whole, tree.predict_proba(rows), atol=1e-9)


def test_scikit_learns_permutation_importance_works_on_it():
    from sklearn.inspection import permutation_importance

    iris = datasets.load_iris(as_frame=True)
    tree = CART(max_depth=2, pruner=Unpruned()).fit(iris.data, iris.target)
    found = permutation_importance(tree, iris.data, iris.target, n_repeats=3, random_state=0)
    assert (found.importances_mean > 0).tolist() == [False, False, True, True]
