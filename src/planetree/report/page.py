"""The page itself: what it tells, and how that gets into the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from html import escape
from importlib.metadata import version
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.labels import read_cases
from planetree.modelformat.nodes import node_entries
from planetree.nodetests import NodeTest
from planetree.planes import LinearMachine
from planetree.pruners import cost_complexity_pruning_path
from planetree.report.judging import Judged, cross_validated
from planetree.show.canvas import HATCHES, Colors, looks
from planetree.surgery import tally
from planetree.table import Table
from planetree.text import counted, one_line
from planetree.textfile import FilePath, Writable, write_text
from planetree.tree import Tree

__all__ = ["report"]

MOST_RULES = 200  # a longer list is for programs: export the rules
STRIPES = dict(zip(HATCHES, (0, 45, 90, 135), strict=True))  # the page's answer to hatching


def report(
    model: PlaneTreeClassifier,
    file: FilePath | Writable,
    X: Any = None,
    y: Any = None,
    sample_weight: ArrayLike | None = None,
    *,
    title: str = "Decision tree",
    cv: int = 10,
    random_state: int = 0,
    colors: Colors = None,
    progress: Callable[[float], object] | None = None,
) -> None:
    """Write a page that shows a fitted tree: what it is, how good it is, and the tree to explore.

    Parameters
    ----------
    model : PlaneTreeClassifier
        A fitted tree.
    file : str, path or text file
        Where to write.
    X, y : table and labels, default=None
        Cases to judge the tree by. It is fitted anew to all folds but one of them, as are its
        baselines. Without them the page says nothing of how good it is.
    sample_weight : array of shape (n_rows,), default=None
        Weight of each case.
    title : str, default="Decision tree"
        The page's heading.
    cv : int, default=10
        How many folds.
    random_state : int, default=0
        Shuffles the cases into folds.
    colors : dict or sequence, default=None
        A colour for each class, in words that a browser knows.
    progress : callable, default=None
        Is told the share of the folds that are done.

    Examples
    --------
    >>> import io
    >>> from planetree import datasets
    >>> from planetree.presets import CART
    >>> from planetree.report import report
    >>> iris = datasets.load_iris(as_frame=True)
    >>> tree = CART(max_depth=2).fit(iris.data, iris.target)
    >>> page = io.StringIO()
    >>> report(tree, page, iris.data, iris.target, title="Three kinds of iris", cv=3)
    >>> "Three kinds of iris" in page.getvalue()
    True
    """
    if not isinstance(model, PlaneTreeClassifier) or not hasattr(model, "tree_"):
        raise ValueError(
            f"a fitted PlaneTreeClassifier is reported on, not {model!r}: fit it first"
        )
    if isinstance(cv, bool) or not isinstance(cv, int) or cv < 2:
        raise ValueError(f"cv must be a whole number of at least 2, not {cv!r}")
    if X is not None and y is None:
        raise TableError("the tree is judged by X and y: give y as well")
    tree = model.tree_
    cases, judged = None, None
    if X is not None:
        cases = read_cases(tree.schema, tree.classes, X, y, sample_weight)
        judged = cross_validated(model, cases, folds=cv, seed=random_state, progress=progress)
    parts = {
        "title": escape(title),
        "style": _part("page.css"),
        "script": _part("page.js"),
        "data": _embedded(_facts(tree, title, cases, judged, colors)),
    }
    page = _part("page.html")
    for name, text in parts.items():
        before, after = page.split("{{" + name + "}}")
        page = before + text + after
    write_text(file, page)


def _part(name: str) -> str:
    return files("planetree.report").joinpath(name).read_text(encoding="utf-8")


def _embedded(facts: dict[str, Any]) -> str:
    """JSON that no name in it can break out of."""
    text = json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _facts(
    tree: Tree, title: str, cases: Table | None, judged: Judged | None, colors: Colors
) -> dict[str, Any]:
    every = tree.to_rules()
    some = replace(every, rules=every.rules[:MOST_RULES])
    more = len(every) - len(some)
    return {
        "title": title,
        "what": _what(tree),
        "footer": f"Written by planetree {version('planetree')}. This page loads nothing.",
        "features": [
            {"name": f.name, "kind": f.kind, "symbols": [*map(str, f.symbols)]}
            for f in tree.schema.features
        ],
        "classes": [one_line(str(c)) for c in tree.classes],
        "looks": [
            {"color": look.color, "stripes": STRIPES[look.hatch]}
            for look in looks(tree.classes, colors)
        ],
        "nodes": node_entries(tree),
        "words": [_words(tree, test) for test in tree.tests],
        "pruning": _pruning(tree, cases),
        "judged": None if judged is None else _judged(judged),
        # The page numbers the rules itself; the last line is the default, which no case reaches.
        "rules": [line.split(". ", 1)[1] for line in some.to_text(digits=4).split("\n")[:-1]],
        "rulesNote": f"and {counted(more, 'more rule')}" if more > 0 else "",
    }


def _pruning(tree: Tree, cases: Table | None) -> dict[str, Any]:
    """The weakest links, the tree as it is before them: when each node becomes a leaf."""
    path = cost_complexity_pruning_path(tree)
    errors = None
    if cases is not None:
        held = tally(tree, cases)
        of_leaves = held.errors(tree.labels)[tree.is_leaf].sum()
        errors = (np.append(of_leaves, path.errors(held)) / held.counts[0].sum()).tolist()
    return {
        "first": np.where(tree.is_leaf, 0, path.first + 1).tolist(),
        "leaves": [tree.n_leaves, *path.n_leaves.tolist()],
        "errors": errors,
    }


def _what(tree: Tree) -> str:
    used = {f for test in tree.tests if test is not None for f in test.features}
    n_features = len(tree.schema.features)
    size = (
        f"A decision tree that tells {counted(len(tree.classes), 'class', 'classes')} apart by "
        f"{counted(tree.n_tests, 'test')} and {counted(tree.n_leaves, 'leaf', 'leaves')}, "
        f"grown from {counted(int(tree.n_rows[0]), 'case')}."
    )
    if not used:
        return f"{size} It asks nothing."
    asks = (
        f" It looks at {len(used)} of {counted(n_features, 'feature')}, "
        f"{tree.mean_features_per_test:.2g} in a test on average, and asks at most "
        f"{counted(tree.max_depth, 'question')} of a case."
    )
    return size + asks


def _words(tree: Tree, test: NodeTest | None) -> dict[str, Any] | None:
    """What a node asks, in few words and in full, and the answers likewise."""
    if test is None:
        return None
    answers = None
    branches = [one_line(text) for text in test.describe(tree.schema, 4)]
    names = [one_line(tree.schema.names[f]) for f in test.features]
    if isinstance(test, LinearMachine):
        asks = f"greatest of {test.n_branches} sums of {', '.join(names)}"
        branches = [f"sum {b + 1} is greatest" for b in range(test.n_branches)]
        full = "; ".join(
            f"sum {b + 1}: {text.removesuffix(' is greatest')}"
            for b, text in enumerate(test.describe(tree.schema, 6))
        )
    elif test.n_branches == 2:
        asks = branches[0].removesuffix(" or missing")
        answers = [
            answer + (" or missing" if text.endswith(" or missing") else "")
            for answer, text in zip(("yes", "no"), branches, strict=True)
        ]
        full = one_line(test.describe(tree.schema, 6)[0])
    else:
        asks = full = names[0]
    return {
        "asks": asks,
        "full": full,
        "answers": answers or branches,
        "branches": branches,
        "features": [*test.features],
    }


def _judged(judged: Judged) -> dict[str, Any]:
    return {
        "verdict": judged.verdict,
        "caption": f"Accuracy in a {judged.folds}-fold cross-validation, with its standard error",
        "scores": [
            [
                score.name,
                f"{100 * score.accuracy.mean():.1f} %",
                f"{100 * score.accuracy.std(ddof=1) / np.sqrt(judged.folds):.1f}",
                "" if score.leaves is None else f"{score.leaves:.1f}",
            ]
            for score in judged.scores
        ],
        "confusion": judged.confusion.tolist(),
    }
