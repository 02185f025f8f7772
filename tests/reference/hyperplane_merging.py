"""Hyperplane merging as Kubat and Flotzinger have it: equations (7) to (10) and Table 2.

A plane is (normal, constant), positive inside; a tree is None, a leaf, or (plane, below, above):
what is not positive goes below.
"""

from __future__ import annotations

from math import fsum

import numpy as np


def unit(plane):
    normal, constant = plane
    length = np.linalg.norm(normal)
    return normal / length, constant / length


def merged(k, l, n_k, n_l):  # noqa: E741
    """The new plane for parent k and child l with so many examples, both positive inside."""
    (normal_k, c_k), (normal_l, c_l) = unit(k), unit(l)
    alpha = np.arccos(np.clip(normal_l @ normal_k, -1, 1))
    alpha_l, alpha_k = n_k * alpha / (n_l + n_k), n_l * alpha / (n_l + n_k)
    system = [
        [normal_l @ normal_l, normal_l @ normal_k],
        [normal_k @ normal_l, normal_k @ normal_k],
    ]
    a_l, a_k = np.linalg.solve(system, [np.cos(alpha_l), np.cos(alpha_k)])
    return a_l * normal_l + a_k * normal_k, a_l * c_l + a_k * c_k


def negative(plane):
    return -plane[0], -plane[1]


def above(plane, X):
    return X @ plane[0] + plane[1] > 0


def settled(tree, X):
    """Without tests that send all examples one way."""
    if tree is None:
        return None
    plane, *sides = tree
    up = above(plane, X)
    if up.all() or not up.any():
        return settled(sides[int(up.all())], X)
    return plane, settled(sides[0], X[~up]), settled(sides[1], X[up])


def charges(tree, X, y, measure):
    """Of every leaf its errors plus 1/2, or that as a share of its examples."""
    if tree is None:
        errors = len(y) - np.bincount(y).max() + 0.5
        return [errors if measure == "sum" else errors / len(y)]
    up = above(tree[0], X)
    return charges(tree[1], X[~up], y[~up], measure) + charges(tree[2], X[up], y[up], measure)


def estimate(tree, X, y, measure):
    """Sum or mean over the leaves."""
    of_leaves = charges(tree, X, y, measure)
    return fsum(of_leaves) / (1 if measure == "sum" else len(of_leaves))


def labelled(tree, X, y):
    """A function that says the label of rows, by the leaves as these examples label them."""
    if tree is None:
        label = np.bincount(y, minlength=2).argmax()
        return lambda rows: np.full(len(rows), label)
    plane, *sides = tree
    up = above(plane, X)
    low, high = labelled(sides[0], X[~up], y[~up]), labelled(sides[1], X[up], y[up])

    def labels(rows):
        up = above(plane, rows)
        found = np.empty(len(rows), int)
        found[up], found[~up] = high(rows[up]), low(rows[~up])
        return found

    return labels


def shifted(plane, outside, inside, X, y):
    """The plane where fewest go wrong; of equal places the nearest. The parts label rows."""
    normal, constant = plane
    value = np.unique(X @ normal + constant)
    middle = (value[:-1] + value[1:]) / 2
    middle = middle[np.argsort(np.abs(middle), kind="stable")]
    wrong = []
    for cut in middle:
        up = above((normal, constant - cut), X)
        wrong.append((outside(X[~up]) != y[~up]).sum() + (inside(X[up]) != y[up]).sum())
    return (normal, constant - middle[np.argmin(wrong)]) if len(middle) else plane


def replaced(tree, path, new):
    if not path:
        return new
    parts = list(tree)
    parts[path[0]] = replaced(tree[path[0]], path[1:], new)
    return tuple(parts)


def candidates(tree, X, y, merge, shift):
    """(path, node, its rows, replacement), breadth first; at each node the leaf, then merges."""
    open_nodes = [((), tree, X, y)]
    for path, node, rows, classes in open_nodes:
        if node is None:
            continue
        plane, *sides = node
        yield path, node, rows, classes, None
        up = above(plane, rows)
        for side in (0, 1):
            child, there = sides[side], up == bool(side)
            child_rows, child_classes = rows[there], classes[there]
            open_nodes.append(((*path, 1 + side), child, child_rows, child_classes))
            if child is None or not merge:
                continue
            k = plane if side else negative(plane)
            for inner in (0, 1):
                l = child[0] if inner else negative(child[0])  # noqa: E741
                new = merged(k, l, len(rows), len(child_rows))
                parts = sides[1 - side], child[1 + inner]
                yield path, node, rows, classes, settled((new, *parts), rows)
                if shift:
                    kept = above(child[0], child_rows) == bool(inner)
                    outside = labelled(parts[0], rows[~there], classes[~there])
                    inside = labelled(parts[1], child_rows[kept], child_classes[kept])
                    moved = shifted(new, outside, inside, rows, classes)
                    yield path, node, rows, classes, settled((moved, *parts), rows)


def prune(tree, X, y, merge=True, measure="sum", shift=False):
    """Take the change that lowers the estimate of its node most, while one does."""
    while True:
        best, pruned = 0.0, None
        for path, node, rows, classes, new in candidates(tree, X, y, merge, shift):
            before = estimate(node, rows, classes, measure)
            gain = before - estimate(new, rows, classes, measure)
            if gain > max(best, 1e-12 * before):
                best, pruned = gain, (path, new)
        if pruned is None:
            return tree
        tree = replaced(tree, *pruned)
