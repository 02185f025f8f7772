"""Rules: they say what the tree says, or what C4.5 makes of it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from planetree import ModelFileError, TableError
from planetree.binomial import added_errors
from planetree.grow import grow
from planetree.merits import Gini
from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.presets import CART
from planetree.pruners import Unpruned
from planetree.rules import Condition, Rule, RuleSet, load_rules, rules_of
from planetree.rules.file import from_text
from planetree.rules.making import merged
from planetree.schema import Feature, Schema
from planetree.stopping import Stop
from planetree.surgery import recount
from planetree.table import Table
from planetree.tree import Tree
from reference import rules as twin
from tables import multiway_tree, tables


def upper(errors, n):
    return errors + float(added_errors(errors, n, 0.25))


@given(table=tables(symbols=True))
def test_the_paths_of_a_tree_predict_as_it_does(table):
    tree = grow(table, Gini(), Stop())
    rules = rules_of(tree)
    leaves = tree.apply(table.X)
    assert len(rules) == tree.n_leaves
    fired = rules.first(table.X)
    assert (fired >= 0).all()
    for place, rule in enumerate(rules.rules):
        reached = leaves[fired == place]
        assert len(set(reached.tolist())) == 1
        assert rule.coverage == pytest.approx(tree.counts[reached[0]].sum())
        assert rule.label == tree.classes[tree.labels[reached[0]]]
        assert len({(type(c.test), c.test.features, c.branch) for c in rule.conditions}) == len(
            rule.conditions
        )


def test_the_paths_of_a_multiway_tree_exclude_each_other():
    rng = np.random.default_rng(8)
    tree = multiway_tree(rng, n_nodes=40)
    X = np.column_stack([rng.normal(size=3000), rng.integers(0, 4, 3000)] * 2)
    X[rng.random(X.shape) < 0.15] = np.nan
    rules = rules_of(tree)
    fires = np.array([rule.fires(X) for rule in rules.rules])
    assert (fires.sum(axis=0) == 1).all()
    labels = np.array([rule.label for rule in rules.rules])[rules.first(X)]
    np.testing.assert_array_equal(labels, np.array(tree.classes)[tree.labels[tree.apply(X)]])


@given(table=tables(symbols=True, weights=False, max_rows=30))
def test_simplified_rules_are_their_twin(table):
    tree = grow(table, Gini(), Stop(max_depth=4))
    rules = rules_of(tree, table)
    expected = []
    for conditions, label in twin.paths(tree):
        path = merged(tree.schema, tuple(Condition(*c) for c in conditions))
        left = twin.simplified([(c.test, c.branch) for c in path], label, table.X, table.y, upper)
        expected.append((frozenset(left), label))
    got = [
        (frozenset((c.test, c.branch) for c in rule.conditions), tree.classes.index(rule.label))
        for rule in rules.rules
    ]
    assert set(got) <= set(expected)
    if all(conditions for conditions, _ in expected):
        assert set(got) == set(expected)
    accuracies = [rule.accuracy for rule in rules.rules]
    assert accuracies == sorted(accuracies, reverse=True)
    default = tree.classes.index(rules.default)
    for x, place in zip(table.X, rules.first(table.X)):
        label = default if place < 0 else tree.classes.index(rules[place].label)
        assert label == twin.predict([*map(tuple, got)], default, x)
    for rule in rules.rules:
        fires = rule.fires(table.X)
        assert rule.coverage == fires.sum()
        assert rule.correct == (table.y[fires] == tree.classes.index(rule.label)).sum()


def test_rules_by_hand():
    """The path x0 > 0.5, x1 ≤ 5 needs only its second condition: the first keeps no b out."""
    X = [[0.0, v] for v in (1, 9)] + [[1.0, v] for v in [1] * 20 + [9] * 20]
    y = ["a", "b"] + ["a"] * 20 + ["b"] * 20
    schema = Schema((Feature("x0"), Feature("x1")))
    tests = (Threshold(0, 0.5), None, Threshold(1, 5.0), None, None)
    tree = Tree(schema, ("a", "b"), tests, np.ones((5, 2)), np.ones(5, np.int64))
    tree = tree.graft(0, tree, X, y)
    assert str(tree.to_rules()) == (
        "1. x0 ≤ 0.5 → a (1 of 2, 10.2 %)\n"
        "2. x0 > 0.5 and x1 ≤ 5 → a (20, 93.3 %)\n"
        "3. x0 > 0.5 and x1 > 5 → b (20, 93.3 %)\n"
        "otherwise → a"
    )
    rules = tree.to_rules(X, y)
    # The first path, right in one of two, is best without any condition: the default.
    assert str(rules) == ("1. x1 ≤ 5 → a (21, 93.6 %)\n2. x1 > 5 → b (21, 93.6 %)\notherwise → a")
    assert rules.predict(X).tolist() == y
    assert rules.to_frame().columns.tolist() == [
        *("rule", "class", "n_conditions", "coverage", "correct", "accuracy")
    ]


SCHEMA = Schema(
    (Feature("x", missing=True), Feature("hue", "symbolic", ("b", "g", "r", "w")), Feature("z"))
)


@pytest.mark.parametrize(
    ("conditions", "words"),
    [
        ([(Threshold(0, 2.0), 1), (Threshold(0, 3.0), 1)], "x > 3"),
        ([(Threshold(0, 3.0), 0), (Threshold(0, 2.0, 1), 0)], "x ≤ 2"),
        ([(Threshold(0, 3.0, 1), 1), (Threshold(0, 2.0, 1), 1)], "x > 3 or missing"),
        ([(Threshold(0, 2.0), 1), (Threshold(0, 3.0), 0)], "x > 2 and x ≤ 3 or missing"),
        ([(Known(0), 0), (Threshold(0, 2.0, 1), 1)], "x > 2"),
        ([(Known(0), 1), (Threshold(0, 2.0, 1), 1)], "x is missing and x > 2 or missing"),
        ([(Threshold(0, 2.0), 1), (Threshold(2, 3.0), 1)], "x > 2 and z > 3"),
        (
            [(Category(1, (1, 0, 0, 0), 0, 0), 0), (Category(1, (0, 1, 0, 0), 0, 0), 0)],
            "hue in {r, w}",
        ),
        (
            [(Category(1, (1, 0, 0, 0), 0, 0), 0), (Category(1, (0, 1, 0, 0), 0, 0), 1)],
            "hue = g",
        ),
    ],
)
def test_conditions_on_one_feature_are_one(conditions, words):
    conditions = tuple(Condition(*c) for c in conditions)
    short = merged(SCHEMA, conditions)
    assert " and ".join(c.describe(SCHEMA) for c in short) == words
    X = np.array([*product((1, 2, 2.5, 3, 4, np.nan), (0, 1, 2, 3, 4, np.nan), (1.0, 4.0))])
    before = Rule(conditions, "a", 1, 1, 1).fires(X)
    np.testing.assert_array_equal(Rule(short, "a", 1, 1, 1).fires(X), before)


def linear_tree():
    a, b = Term(0, None, 0.0), Term(1, None, 0.0)
    unit = LinearThresholdUnit((a, b), (1.0, -1.0), 0.0)
    machine = LinearMachine((a,), ((0.0,), (1.0,), (2.0,)), (0.0, -1.0, -3.0))
    schema = Schema((Feature("u"), Feature("v")))
    tests = (unit, machine, None, None, None, None)
    return Tree(schema, ("n", "y"), tests, np.ones((6, 2)), np.ones(6, np.int64))


def test_linear_conditions_are_allowed():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2)) * 3
    tree = linear_tree()
    y = rng.integers(0, 2, 200).astype(np.int32)
    tree = recount(tree, Table(tree.schema, X, y, tree.classes)).tree
    labels = np.array(tree.classes)[tree.labels[tree.apply(X)]]
    assert tree.to_rules().predict(X).tolist() == labels.tolist()
    rules = tree.to_rules(X, np.array(tree.classes)[y])
    assert "u − v ≤ 0" in str(tree.to_rules())
    assert "margin" in str(tree.to_rules().explain(X[:1])[0])
    assert set(rules.predict(X)) <= {"n", "y"}


def test_explanations_name_rule_values_and_default():
    X = pd.DataFrame({"dose": [1.0, 2.0, 8.0, 9.0], "sex": ["f", "m", "f", "m"]})
    rules = CART(pruner=Unpruned()).fit(X, [0, 0, 1, 1]).tree_.to_rules()
    why = rules.explain({"dose": [2.5], "sex": ["f"]})[0]
    assert str(why) == "dose ≤ 5        dose = 2.5, margin -2.5\n→ 0 (rule 1, 50 % expected)"
    nothing = RuleSet(rules.schema, rules.classes, (), 1)
    assert str(nothing.explain(X)[0]) == "no rule fires\n→ 1 (the default)"
    assert nothing.predict(X).tolist() == [1, 1, 1, 1]
    assert str(nothing) == "otherwise → 1"
    assert len(nothing.to_frame()) == 0


def test_bad_input_is_named():
    tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).tree_
    with pytest.raises(ValueError, match="confidence must be above 0 and at most"):
        tree.to_rules(confidence=0.6)
    with pytest.raises(TableError, match="X has 2 columns, but the tree was grown on 1: x0"):
        tree.to_rules([[1.0, 2.0]], ["a"])
    with pytest.raises(TableError, match="the training data had 1"):
        tree.to_rules().predict(np.ones((1, 2), dtype=object))


@given(seed=st.integers(0, 99))
def test_a_leaf_alone_is_the_default(seed):
    y = np.random.default_rng(seed).integers(0, 2, 9)
    y[:2] = 0, 1
    tree = CART(max_depth=0, pruner=Unpruned()).fit(np.ones((9, 1)), y).tree_
    assert len(tree.to_rules(np.ones((9, 1)), y)) == 0
    assert tree.to_rules(np.ones((9, 1)), y).default == np.bincount(y).argmax()
    assert str(tree.to_rules()).startswith("1. always → ")


# --- kept -----------------------------------------------------------------------------------------


@given(table=tables(symbols=True))
def test_rules_come_back_as_they_were(table):
    tree = grow(table, Gini(), Stop(max_depth=4))
    for rules in (rules_of(tree), rules_of(tree, table), rules_of(linear_tree())):
        assert from_text(rules.to_json()) == rules


def test_rules_are_kept_in_a_file(tmp_path):
    X, y = {"dose": [1.0, 2.0, 8.0, 9.0], "sex": ["f", "m", "f", "m"]}, [0, 0, 1, 1]
    rules = CART(pruner=Unpruned()).fit(X, y).to_rules(X, y)
    rules.save(tmp_path / "rules.json")
    back = load_rules(tmp_path / "rules.json")
    assert back == rules
    assert back.predict(X).tolist() == y
    assert str(back.explain(X)[0]) == str(rules.explain(X)[0])
    assert '"rule": "dose ≤ 5"' in (tmp_path / "rules.json").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("planetree-rules", "planetree-model", '"format" must be "planetree-rules"'),
        ('"version": 1', '"version": 9', "version 9 .* upgrade planetree"),
        ('"label": 0', '"label": 5', r"rules\[0\].label: must lie between 0 and 1"),
        ('"branch": 0', '"branch": 2', r"rules\[0\].conditions\[0\].branch: must lie between"),
        ('"feature": 0', '"feature": 3', r"conditions\[0\].test.feature: there is no feature 3"),
        ('"correct": 1.0', '"correct": 4.0', "must be between 0 and the coverage"),
        ('"accuracy": 0.', '"accuracy": 7.', "must be between 0 and 1"),
        ('"default": 0', '"default": "a"', "default: must be a whole number"),
        ('"coverage"', '"covers"', "coverage"),
        ("{", "[", "not JSON"),
    ],
)
def test_a_file_of_rules_is_not_trusted(old, new, message):
    text = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).to_rules().to_json()
    assert old in text
    with pytest.raises(ModelFileError, match=message):
        from_text(text.replace(old, new, 1))
