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


def replaced(tree, path, new):
    if not path:
        return new
    parts = list(tree)
    parts[path[0]] = replaced(tree[path[0]], path[1:], new)
    return tuple(parts)


def candidates(tree, X, y, merge):
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
            open_nodes.append(((*path, 1 + side), child, rows[there], classes[there]))
            if child is None or not merge:
                continue
            k = plane if side else negative(plane)
            for inner in (0, 1):
                l = child[0] if inner else negative(child[0])  # noqa: E741
                new = merged(k, l, len(rows), int(there.sum()))
                replacement = settled((new, sides[1 - side], child[1 + inner]), rows)
                yield path, node, rows, classes, replacement


def prune(tree, X, y, merge=True, measure="sum"):
    """Take the change that lowers the estimate of its node most, while one does."""
    while True:
        best, pruned = 0.0, None
        for path, node, rows, classes, new in candidates(tree, X, y, merge):
            before = estimate(node, rows, classes, measure)
            gain = before - estimate(new, rows, classes, measure)
            if gain > max(best, 1e-12 * before):
                best, pruned = gain, (path, new)
        if pruned is None:
            return tree
        tree = replaced(tree, *pruned)
