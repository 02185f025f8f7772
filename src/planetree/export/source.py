"""What all exports share: the tree behind a model, names for a program, the text of its header."""

from __future__ import annotations

import re
from collections.abc import Iterable

from sklearn.utils.validation import check_is_fitted

from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.text import counted
from planetree.tree import Tree

__all__ = [
    "Model",
    "branch_symbols",
    "certain",
    "identifiers",
    "summary",
    "tree_of",
    "used_features",
]

Model = PlaneTreeClassifier | Tree
TO_READ = ("DOT", "rules")
KNOWN_TESTS = (Threshold, Known, Category, LinearThresholdUnit, LinearMachine)


def tree_of(model: Model, export: str) -> Tree:
    """The tree of a model, seen to hold nothing that an export cannot say.

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
        if export not in TO_READ and getattr(test, "shares", False):
            raise TableError(
                f"{export} cannot hold a tree that sends missing values down every branch; "
                f"{' and '.join(TO_READ)} can, to be read, and the model file, to predict"
            )
    return tree


def certain(branch: int | None) -> int:
    """A branch that `tree_of` has seen to be one, not all of them in parts."""
    assert branch is not None
    return branch


def used_features(tree: Tree) -> list[int]:
    """Features that some test looks at, in the table's order."""
    return sorted({f for test in tree.tests if test is not None for f in test.features})


def branch_symbols(test: Category) -> list[tuple[int, list[int]]]:
    """Branches with the symbols that take them; the branch of strangers, which is all else, goes.

    Parameters
    ----------
    test : Category
        The test.

    Returns
    -------
    list of (branch, symbols)
        In the order of the branches.
    """
    found: dict[int, list[int]] = {}
    for symbol, branch in enumerate(test.branches):
        if branch != test.unseen:
            found.setdefault(certain(branch), []).append(symbol)
    return sorted(found.items())


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
