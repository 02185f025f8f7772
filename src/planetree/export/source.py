"""What all exports share: the tree behind a model, names for a program, the text of its header."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from sklearn.utils.validation import check_is_fitted

from planetree.estimator import PlaneTreeClassifier
from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.text import counted
from planetree.tree import Tree

__all__ = [
    "Model",
    "category_ways",
    "identifiers",
    "summary",
    "tree_of",
    "used_features",
]

Model = PlaneTreeClassifier | Tree
KNOWN_TESTS = (Threshold, Known, Category, LinearThresholdUnit, LinearMachine)


def tree_of(model: Model, export: str) -> Tree:
    """The tree of a model, seen to hold no test that an export cannot say.

    Parameters
    ----------
    model : PlaneTreeClassifier or Tree
        A fitted one.
    export : str
        What is made of it, for the message.

    Returns
    -------
    Tree
        The tree.
    """
    if isinstance(model, Tree):
        tree = model
    elif isinstance(model, PlaneTreeClassifier):
        check_is_fitted(model)
        tree = model.tree_
    else:
        raise TypeError(
            f"a fitted PlaneTreeClassifier or its tree_ can be exported, not {model!r}; "
            "for a pipeline see planetree.export.register_converter"
        )
    for node, test in enumerate(tree.tests):
        if test is not None and type(test) not in KNOWN_TESTS:
            raise TypeError(
                f"{export} cannot hold the test of node {node}, a {type(test).__name__}; "
                "planetree's own model file keeps the tests it knows"
            )
    return tree


def used_features(tree: Tree) -> list[int]:
    """Features that some test looks at, in the table's order."""
    return sorted({f for test in tree.tests if test is not None for f in test.features})


def category_ways(
    test: Category, missing: str, is_one_of: Callable[[list[int]], str], or_: str
) -> list[tuple[str, int | None]]:
    """Conditions and branches; the last, for strangers, is all else and has no condition.

    Each branch stands once, or what lies below it would be written out again and again.

    Parameters
    ----------
    test : Category
        The test.
    missing : str
        Condition that the value is missing.
    is_one_of : callable
        Makes the condition that it is one of these symbols.
    or_ : str
        What stands between two conditions.

    Returns
    -------
    list of (condition, branch)
        In the order of the branches; None is every branch, in parts.
    """
    symbols: dict[int | None, list[int]] = {}
    for symbol, branch in enumerate(test.branches):
        symbols.setdefault(branch, []).append(symbol)
    conditions: dict[int | None, list[str]] = {test.missing: [missing]}
    for branch, known in symbols.items():
        conditions.setdefault(branch, []).append(is_one_of(known))
    known_ways = {b: parts for b, parts in conditions.items() if b != test.unseen}
    ordered = sorted(known_ways.items(), key=lambda way: -1 if way[0] is None else way[0])
    return [*((or_.join(parts), branch) for branch, parts in ordered), ("", test.unseen)]


def identifiers(names: Iterable[str], reserved: Iterable[str]) -> list[str]:
    """Names that a program may use, close to the given ones and all different.

    Parameters
    ----------
    names : iterable of str
        Any text.
    reserved : iterable of str
        What cannot be used.

    Returns
    -------
    list of str
        Letters, digits and underscores of ASCII, in the order of `names`.

    Examples
    --------
    >>> from planetree.export.source import identifiers
    >>> identifiers(["petal length", "petal-length", "if", "2nd", "größe"], ["if"])
    ['petal_length', 'petal_length_2', 'if_', 'x2nd', 'gr_e']
    """
    reserved = set(reserved)
    taken = set(reserved)
    result = []
    for name in names:
        word = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_")[:60] or "x"
        word = word if word[0].isalpha() else f"x{word}"
        plain, n = f"{word}_" if word in reserved else word, 2
        word = plain
        while word in taken:
            word = f"{plain.rstrip('_')}_{n}"
            n += 1
        taken.add(word)
        result.append(word)
    return result


def summary(tree: Tree) -> str:
    """Say in one line what was exported, in ASCII and without a name from the data."""
    from planetree import __version__

    return (
        f"planetree {__version__}: a decision tree of {counted(tree.n_tests, 'test')} and "
        f"{counted(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}"
    )
