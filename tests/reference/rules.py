"""C4.5's rules, one case and one condition at a time."""

from __future__ import annotations


def covers(conditions, x):
    return all(test.route(x[None, :])[0] == branch for test, branch in conditions)


def expected_error(conditions, label, X, y, upper):
    """Share of errors expected among cases covered; 1 where none is."""
    of_class = [y[i] == label for i in range(len(X)) if covers(conditions, X[i])]
    if not of_class:
        return 1.0
    return upper(of_class.count(False), len(of_class)) / len(of_class)


def simplified(conditions, label, X, y, upper):
    """Drop the condition without which least error is expected, while that is no more than now."""
    conditions = list(conditions)
    while conditions:
        now = expected_error(conditions, label, X, y, upper)
        without = [conditions[:i] + conditions[i + 1 :] for i in range(len(conditions))]
        errors = [expected_error(fewer, label, X, y, upper) for fewer in without]
        if min(errors) > now:
            break
        conditions = without[errors.index(min(errors))]
    return conditions


def paths(tree, node=0, conditions=()):
    """(conditions, label) of every leaf from left to right."""
    test = tree.tests[node]
    if test is None:
        return [(conditions, int(tree.labels[node]))]
    return [
        path
        for branch, child in enumerate(tree.node(node).children)
        for path in paths(tree, child, (*conditions, (test, branch)))
    ]


def predict(rules, default, x):
    """Class of the first rule whose conditions all hold."""
    for conditions, label in rules:
        if covers(conditions, x):
            return label
    return default
