"""Tree alternating optimisation as its paper has it: change one test, look at the whole tree.

A tree is a nested list, ``[test, left, right]``, or a class. A test says which branch a row takes,
``test["route"](x)``, and how many features it looks at, ``test["n_features"]``.
"""

from __future__ import annotations


def answer(tree, x):
    while isinstance(tree, list):
        test, *branches = tree
        tree = branches[test["route"](x)]
    return tree


def errors(tree, X, y, weight):
    return sum(w for x, label, w in zip(X, y, weight) if answer(tree, x) != label)


def reaches(tree, node, x):
    """Whether x comes by a node of the tree."""
    while tree is not node and isinstance(tree, list):
        test, *branches = tree
        tree = branches[test["route"](x)]
    return tree is node


def ways(tree, node, X):
    """The branches that some rows take there."""
    return {node[0]["route"](x) for x in X if reaches(tree, node, x)}


def inner_nodes(tree):
    """Breadth first."""
    order = [tree]
    for node in order:
        order.extend(child for child in node[1:] if isinstance(child, list))
    return order


def sweep(tree, X, y, weight, propose, price, least):
    """One pass from the leaves up. `propose(care, toward)` gives the tests that may stand there."""
    unit = price * sum(weight) / len(weight)
    for node in reversed(inner_nodes(tree)):
        here = [i for i, x in enumerate(X) if reaches(tree, node, x)]
        right = {i: [answer(branch, X[i]) == y[i] for branch in node[1:]] for i in here}
        care = [i for i in here if right[i][0] != right[i][1]]
        toward = [int(right[i][1]) for i in care]
        if len(set(toward)) < 2:
            continue
        before = list(node)
        best = list(node)
        lowest = errors(tree, X, y, weight) + unit * before[0]["n_features"]
        for test in propose(care, toward):
            sides = [sum(test["route"](X[i]) == side for i in here) for side in (0, 1)]
            if min(sides) < least:
                continue
            for branches in (before[1:], before[:0:-1]):
                node[:] = [test, *branches]
                cost = errors(tree, X, y, weight) + unit * test["n_features"]
                if cost < lowest - 1e-9 * sum(weight):
                    best, lowest = list(node), cost
        node[:] = best
