"""Pruning as the papers tell it: recursive, one question a node, in exact numbers.

Cases are given as (x, label place) lists; a pruned tree is the set of its leaves' old numbers.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np


def reaching(tree, X):
    """The rows that reach each node, by asking test after test."""
    rows = {0: np.arange(len(X))}
    for node in range(tree.n_nodes):
        test = tree.tests[node]
        if test is not None:
            taken = test.route(X[rows[node]])
            for branch, child in enumerate(tree.node(node).children):
                rows[child] = rows[node][taken == branch]
    return rows


def wrong(tree, node, y):
    return int((y != tree.labels[node]).sum())


def reduced_error(tree, X, y, node=0, rows=None):
    """Errors on held out cases and the leaves of what is best from this node down."""
    rows = reaching(tree, X) if rows is None else rows
    as_leaf = wrong(tree, node, y[rows[node]])
    if tree.tests[node] is None:
        return as_leaf, {node}
    parts = [reduced_error(tree, X, y, child, rows) for child in tree.node(node).children]
    as_tree = sum(errors for errors, _ in parts)
    if as_leaf <= as_tree:
        return as_leaf, {node}
    return as_tree, set().union(*(leaves for _, leaves in parts))


def leaves_under(tree, node, pruned):
    if node in pruned or tree.tests[node] is None:
        return [node]
    return [
        leaf for child in tree.node(node).children for leaf in leaves_under(tree, child, pruned)
    ]


def weakest_links(tree, risk):
    """[(alpha, leaves)] with all the weakest nodes of a round pruned together."""
    pruned, path, alpha = set(), [], Fraction(0)
    while True:
        strength = {}
        stack = [0]
        while stack:
            node = stack.pop()
            leaves = leaves_under(tree, node, pruned)
            if len(leaves) > 1:
                gain = risk[node] - sum(risk[leaf] for leaf in leaves)
                strength[node] = gain / (len(leaves) - 1)
                stack.extend(tree.node(node).children)
        weakest = min(strength.values(), default=None)
        if weakest is None or weakest > alpha:
            path.append((alpha, set(leaves_under(tree, 0, pruned))))
            if weakest is None:
                return path
            alpha = weakest
        pruned |= {node for node, g in strength.items() if g <= alpha}


def rpart_alphas(tree):
    """What rpart does instead: one pass from the leaves up, a branch collapsing as a whole."""
    risk = [tree.counts[i].sum() - tree.counts[i].max() for i in range(tree.n_nodes)]
    price = [0.0] * tree.n_nodes

    def below(node):
        """Risk and splits of the branches that do not collapse before the node does."""
        if tree.tests[node] is None:
            return risk[node], 0
        parts = {child: below(child) for child in tree.node(node).children}
        for child in sorted(parts, key=lambda child: price[child]):
            if worth(node, parts) <= price[child]:
                break
            parts[child] = risk[child], 0
        price[node] = worth(node, parts)
        return sum(r for r, _ in parts.values()), sum(n for _, n in parts.values()) + 1

    def worth(node, parts):
        saved = risk[node] - sum(r for r, _ in parts.values())
        return saved / (sum(n for _, n in parts.values()) + 1)

    below(0)
    for node in range(1, tree.n_nodes):
        price[node] = min(price[node], price[tree.parent[node]])
    return sorted({price[i] / risk[0] for i in range(tree.n_nodes) if tree.tests[i] is not None})


def bound_with_raising(test_of, children_of, rows, X, y, charge):
    """C4.5: leaf, largest branch or as it is. A tree is (test, [trees]) or None for a leaf."""

    def charge_of(tree, rows):
        if tree is None:
            return charge(y[rows])
        taken = tree[0].route(X[rows])
        return sum(charge_of(child, rows[taken == b]) for b, child in enumerate(tree[1]))

    def prune(tree, rows):
        if tree is None:
            return None
        test, children = tree
        taken = test.route(X[rows])
        parts = [rows[taken == b] for b in range(len(children))]
        children = [prune(child, part) for child, part in zip(children, parts)]
        as_tree = sum(charge_of(child, part) for child, part in zip(children, parts))
        largest = children[int(np.argmax([len(part) for part in parts]))]
        raised, as_leaf = charge_of(largest, rows), charge(y[rows])
        if as_leaf <= min(as_tree, raised) + 0.1:
            return None
        if raised <= as_tree + 0.1:
            return prune(largest, rows)
        return test, children

    def nested(node):
        test = test_of(node)
        return None if test is None else (test, [nested(child) for child in children_of(node)])

    return prune(nested(0), rows)
