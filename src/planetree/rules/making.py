"""From a tree to rules: paths, fewer conditions, order, a default (C4.5's rules)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from planetree.binomial import added_errors
from planetree.nodetests import Category, Known, NodeTest, Threshold
from planetree.rules.values import Condition, Rule, RuleSet
from planetree.schema import Schema
from planetree.table import Table

if TYPE_CHECKING:
    from planetree.tree import Tree

__all__ = ["merged", "rules_of"]

Floats = NDArray[np.float64]


def rules_of(tree: Tree, table: Table | None = None, *, confidence: float = 0.25) -> RuleSet:
    """Rules that say what a tree says; with the training cases, simplified and ordered.

    Each path becomes a rule. With the training cases a condition is dropped from it while the
    accuracy expected does not fall, the one first without which most is expected; equal rules
    become one; they are ordered by the accuracy expected; and the default is the largest class of
    the cases for which no rule fires (Quinlan 1993; Sverdlov).

    Parameters
    ----------
    tree : Tree
        Any tree.
    table : Table, default=None
        The training cases. Without them the rules stand in the tree's order, exclude each other,
        and predict as the tree does, except for rows that the tree sends down every branch in
        parts: a condition on a value that is missing does not hold.
    confidence : float, default=0.25
        C4.5's CF: the accuracy expected is what would give so many errors, or fewer, with this
        probability.

    Returns
    -------
    RuleSet
        The rules.

    Examples
    --------
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> from planetree.rules import rules_of
    >>> X, y = [[1], [2], [3], [4]], ["a", "b", "b", "b"]
    >>> print(rules_of(CART(pruner=Unpruned()).fit(X, y).tree_))
    1. x0 ≤ 1.5 → a (1, 25 %)
    2. x0 > 1.5 → b (3, 63 %)
    otherwise → b
    """
    if not 0 < confidence <= 0.5:
        raise ValueError(f"confidence must be above 0 and at most 0.5, not {confidence!r}")
    paths = _paths(tree)
    if table is None:
        rules = [
            _rule(tree, conditions, int(tree.labels[leaf]), tree.counts[leaf], confidence)
            for leaf, conditions in paths
        ]
        return RuleSet(tree.schema, tree.classes, tuple(rules), tree.classes[tree.labels[0]])
    found: dict[tuple[frozenset[Condition], int], Rule] = {}
    for leaf, conditions in paths:
        label = int(tree.labels[leaf])
        kept, counts = _simplified(conditions, label, table, confidence)
        rule = _rule(tree, kept, label, counts, confidence)
        found.setdefault((frozenset(rule.conditions), label), rule)
    rules = sorted(found.values(), key=lambda rule: (-rule.accuracy, -rule.coverage))
    for place, rule in enumerate(rules):
        if not rule.conditions:  # nothing gets past it: it is the default
            return RuleSet(tree.schema, tree.classes, tuple(rules[:place]), rule.label)
    return RuleSet(tree.schema, tree.classes, tuple(rules), _default(tree, rules, table))


def _paths(tree: Tree) -> list[tuple[int, tuple[Condition, ...]]]:
    """Every leaf, from left to right, with the conditions on its way."""
    paths = []
    stack: list[tuple[int, tuple[Condition, ...]]] = [(0, ())]
    while stack:
        i, conditions = stack.pop()
        node = tree.node(i)
        if node.test is None:
            paths.append((i, merged(tree.schema, conditions)))
            continue
        ways = [
            (*conditions, Condition(_told(node.test, b), b)) for b in range(node.test.n_branches)
        ]
        stack.extend(reversed([*zip(node.children, ways)]))
    return paths


def _told(test: NodeTest, branch: int) -> NodeTest:
    """The test for a condition: it holds for no row that would go down every branch."""
    other = 0 if branch else 1
    if isinstance(test, Threshold) and test.shares:
        return replace(test, missing=other)
    if isinstance(test, Category) and test.shares:
        known = [other if b is None else b for b in (*test.branches, test.missing, test.unseen)]
        return Category(test.feature, tuple(known[:-2]), *known[-2:])
    return test


def _rule(
    tree: Tree, conditions: tuple[Condition, ...], label: int, counts: Floats, confidence: float
) -> Rule:
    accuracy = 1 - float(_error_rate(counts[None, :], label, confidence)[0])
    conditions = merged(tree.schema, conditions)
    return Rule(
        conditions, tree.classes[label], float(counts.sum()), float(counts[label]), accuracy
    )


def _error_rate(counts: Floats, label: int, confidence: float) -> Floats:
    """What C4.5 expects of rules of a class that cover so many cases of each; 1 for none."""
    n = counts.sum(axis=1)
    errors = np.delete(counts, label, axis=1).sum(axis=1)
    covers = n > 0
    rate = np.ones(len(n))
    rate[covers] = (errors + added_errors(errors, np.where(covers, n, 1.0), confidence))[covers]
    rate[covers] /= n[covers]
    return np.minimum(rate, 1.0)  # what is added may be more than the weight of light cases


def _simplified(
    conditions: tuple[Condition, ...], label: int, table: Table, confidence: float
) -> tuple[tuple[Condition, ...], Floats]:
    """Drop a condition while the accuracy expected does not fall; with what is covered then."""
    fails = np.array([~c.holds(table.X) for c in conditions]).reshape(-1, table.n_rows)
    n_classes = len(table.classes)
    kept = list(range(len(conditions)))
    while True:
        n_failed = fails[kept].sum(axis=0)
        covered = _counts(table, n_failed == 0, n_classes)
        if not kept:
            return (), covered
        # What a condition keeps out are the rows that fail it and no other.
        without = np.array(
            [covered + _counts(table, (n_failed == 1) & fails[i], n_classes) for i in kept]
        )
        rates = _error_rate(without, label, confidence)
        best = int(rates.argmin())
        if rates[best] > _error_rate(covered[None, :], label, confidence)[0]:
            return tuple(conditions[i] for i in kept), covered
        del kept[best]


def _counts(table: Table, rows: NDArray[np.bool_], n_classes: int) -> Floats:
    weight = None if table.weight is None else table.weight[rows]
    return np.bincount(table.y[rows], weight, n_classes).astype(np.float64)


def _default(tree: Tree, rules: list[Rule], table: Table) -> str | int | float | bool:
    """Largest class of the cases no rule fires for; of all where that leaves none or a tie."""
    everything = _counts(table, np.ones(table.n_rows, bool), len(table.classes))
    uncovered = np.ones(table.n_rows, bool)
    for rule in rules:
        uncovered &= ~rule.fires(table.X)
    left = _counts(table, uncovered, len(table.classes))
    return tree.classes[int(np.where(left == left.max(), everything, -1.0).argmax())]


# --- conditions on one feature --------------------------------------------------------------------


def merged(schema: Schema, conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    """The same in fewer conditions: one bound a side of a number, one set of symbols a feature.

    Each stands where its feature's first one stood.
    """
    result: list[Condition] = []
    for condition in conditions:
        for place, earlier in enumerate(result):
            both = _both(schema, earlier, condition)
            if both is not None:
                result[place] = both
                break
        else:
            result.append(condition)
    return tuple(result)


def _both(schema: Schema, one: Condition, other: Condition) -> Condition | None:
    """A single condition that holds where two do; None where there is none."""
    if one == other:
        return one
    if isinstance(one.test, Threshold) and isinstance(other.test, Threshold):
        return _both_thresholds(one, other)
    if isinstance(one.test, Category) and isinstance(other.test, Category):
        return _both_categories(schema, one, other)
    for known, test in ((one, other), (other, one)):
        if (
            isinstance(known.test, Known)
            and isinstance(test.test, Threshold)
            and known.branch == 0
            and known.test.feature == test.test.feature
        ):
            return replace(test, test=replace(test.test, missing=1 - test.branch))
    return None


def _both_thresholds(one: Condition, other: Condition) -> Condition | None:
    a, b = one.test, other.test
    assert isinstance(a, Threshold)
    assert isinstance(b, Threshold)
    if a.feature != b.feature or one.branch != other.branch:
        return None
    branch = one.branch
    cut = max(a.cut, b.cut) if branch else min(a.cut, b.cut)
    missing = branch if a.missing == b.missing == branch else 1 - branch
    return Condition(Threshold(a.feature, cut, missing), branch)


def _both_categories(schema: Schema, one: Condition, other: Condition) -> Condition | None:
    a, b = one.test, other.test
    assert isinstance(a, Category)
    assert isinstance(b, Category)
    if a.feature != b.feature:
        return None
    allowed = [
        x == one.branch and y == other.branch
        for x, y in zip((*a.branches, a.missing, a.unseen), (*b.branches, b.missing, b.unseen))
    ]
    for whole, test in ((one, a), (other, b)):
        if allowed == [x == whole.branch for x in (*test.branches, test.missing, test.unseen)]:
            return whole
    if not any(allowed[:-2]):
        return None  # no symbol: there is no such answer to describe
    *branches, missing, unseen = map(int, allowed)
    return Condition(Category(a.feature, tuple(branches), missing, unseen), 1)
