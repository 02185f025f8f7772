"""Pictures of one node: which way its cases go, and what each feature weighs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree.nodetests import EVERY, Category, Known, NodeTest, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.show.canvas import (
    Colors,
    Look,
    add_key,
    check_node,
    class_name,
    looks,
    new_axes,
    read_rows,
    the_tree,
    wrapped,
)
from planetree.text import one_line
from planetree.tree import Tree

__all__ = ["node", "weights"]

Floats = NDArray[np.float64]
MOST_LINES = 40  # of formulas beside a picture


def node(
    model: Any,
    node: int,
    X: Any,
    y: Any,
    *,
    digits: int = 3,
    colors: Colors = None,
    ax: Any = None,
) -> Any:
    """Draw how the cases of one node fall on either side of its test.

    A threshold or a plane is shown by what it compares with its cut, as a histogram of each class;
    a plane over two features by the points and the line; a linear machine by its sums, and how far
    each case's winning sum is ahead; a test of symbols by bars.

    Parameters
    ----------
    model : Tree or fitted PlaneTreeClassifier
        The tree.
    node : int
        The number of a node that has a test.
    X, y : table and labels
        Cases; those that reach the node are drawn.
    digits : int, default=3
        Significant digits of weights and cuts.
    colors : dict or sequence, default=None
        A colour for each class.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> from planetree import datasets, show
    >>> from planetree.presets import CART
    >>> iris = datasets.load_iris(as_frame=True)
    >>> tree = CART(max_depth=2).fit(iris.data, iris.target)
    >>> show.node(tree, 2, iris.data, iris.target).get_xlabel()
    'petal_width'
    """
    drawn = the_tree(model)
    check_node(drawn, node)
    rows, labels = _cases_at(drawn, node, X, y)
    test = drawn.tests[node]
    assert test is not None
    look = looks(drawn.classes, colors)
    title = f"node {node}"
    formula = ""
    if isinstance(test, LinearThresholdUnit) and len(test.terms) != 2:
        formula = wrapped(test.describe(drawn.schema, digits)[0].rpartition(" ≤ ")[0], 72)
    elif isinstance(test, LinearMachine):
        title += f": greatest of {test.n_branches} sums"
    elif test.n_branches > 2:
        title += f": {drawn.schema.names[test.features[0]]}"
    else:
        title += f": {test.describe(drawn.schema, digits)[0]}"
    n_columns = 1 + len(drawn.classes) // 16
    sums = _sums(drawn, test, digits) if isinstance(test, LinearMachine) else []
    n_lines = formula.count("\n") + max(0, sum(text.count("\n") + 2 for text in sums) - 20)
    ax = new_axes(ax, 6.8 + 0.6 * n_columns, 3.6 + 0.15 * n_lines)
    if isinstance(test, LinearThresholdUnit) and len(test.terms) == 2:
        _scatter(ax, drawn, test, rows, labels, look)
    elif isinstance(test, LinearThresholdUnit):
        _histograms(ax, drawn, formula, test.project(rows), test.cut, labels, look, digits)
    elif isinstance(test, Threshold):
        name = wrapped(drawn.schema.names[test.feature], 72)
        _histograms(ax, drawn, name, rows[:, test.feature], test.cut, labels, look, digits)
    elif isinstance(test, LinearMachine):
        _ahead(ax, drawn, test, sums, rows, labels, look)
    else:
        _bars(ax, drawn, node, test, rows, labels, look)
    ax.set_title(wrapped(title, 72), fontsize=9, parse_math=False)
    # Beside the axes, where it hides no case.
    add_key(ax, loc="upper left", bbox_to_anchor=(1.0, 1.0), ncols=n_columns, handlelength=1.2)
    return ax


def _cases_at(tree: Tree, node: int, X: Any, y: Any) -> tuple[Floats, NDArray[np.intp]]:
    """Rows that reach a node, and their classes as places."""
    from planetree.labels import read_cases

    cases = read_cases(tree.schema, tree.classes, X, y)
    inside = {node}
    for i in range(node + 1, tree.n_nodes):
        if int(tree.parent[i]) in inside:
            inside.add(i)
    reached = np.isin(tree.apply(cases.X), list(inside))
    if not reached.any():
        raise ValueError(f"none of the {cases.n_rows} cases reaches node {node}")
    return cases.X[reached], cases.y[reached].astype(np.intp)


def _present(labels: NDArray[np.intp]) -> list[int]:
    return [int(k) for k in np.unique(labels)]


def _histograms(
    ax: Any,
    tree: Tree,
    name: str,
    values: Floats,
    cut: float,
    labels: NDArray[np.intp],
    look: Sequence[Look],
    digits: int,
) -> None:
    known = np.isfinite(values)
    classes = _present(labels)
    low, high = (values[known].min(), values[known].max()) if known.any() else (0.0, 1.0)
    low, high = min(low, cut), max(high, cut)
    edges = np.linspace(low, high if high > low else low + 1.0, 41)
    _, _, stacks = ax.hist(
        [values[known & (labels == k)] for k in classes],
        bins=edges,
        stacked=True,
        label=[class_name(tree, k) for k in classes],
    )
    for k, stack in zip(classes, stacks if len(classes) > 1 else [stacks], strict=True):
        for patch in stack:
            patch.set(**look[k].patch)
    ax.axvline(cut, color="black", linewidth=1.2)
    ax.annotate(
        f"{cut:.{digits}g}",
        (cut, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(3, -10),
        textcoords="offset points",
        fontsize=8,
    )
    n_missing = int((~known).sum())
    ax.set_xlabel(name, fontsize=9, parse_math=False)
    ax.set_ylabel(f"cases ({n_missing} missing)" if n_missing else "cases", fontsize=9)


def _scatter(
    ax: Any,
    tree: Tree,
    test: LinearThresholdUnit,
    rows: Floats,
    labels: NDArray[np.intp],
    look: Sequence[Look],
) -> None:
    across, up = (term.read(rows) for term in test.terms)
    for k in _present(labels):
        of_class = labels == k
        ax.scatter(
            across[of_class],
            up[of_class],
            s=14,
            color=look[k].color,
            marker="osD^"[k // 7 % 4],
            label=class_name(tree, k),
            linewidths=0.3,
            edgecolors="white",
            zorder=3,
        )
    limits = [_with_room(values) for values in (across, up)]
    grid = np.linspace(*limits[0], 200)
    first, second = test.weights
    if second != 0:
        line = (test.cut - first * grid) / second
        ax.plot(grid, line, color="black", linewidth=1.2)
        below = line if second > 0 else np.full_like(line, limits[1][0])
        inside = (
            (np.full_like(line, limits[1][0]), below)
            if second > 0
            else (line, np.full_like(line, limits[1][1]))
        )
        ax.fill_between(grid, *inside, color="0.92", zorder=0)
    ax.set_xlim(limits[0])
    ax.set_ylim(limits[1])
    ax.set_xlabel(one_line(test.terms[0].name(tree.schema)), fontsize=9, parse_math=False)
    ax.set_ylabel(one_line(test.terms[1].name(tree.schema)), fontsize=9, parse_math=False)


def _with_room(values: Floats) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    room = 0.05 * (high - low) or 0.5
    return low - room, high + room


def _sums(tree: Tree, test: LinearMachine, digits: int) -> list[str]:
    """The discriminants, in full where there is room for them."""
    full = [
        f"sum {b + 1} =\n{wrapped(text.removesuffix(' is greatest'), 30)}"
        for b, text in enumerate(test.describe(tree.schema, digits))
    ]
    if sum(text.count("\n") + 2 for text in full) > MOST_LINES:
        return [f"sum {b + 1}" for b in range(test.n_branches)]
    return full


def _ahead(
    ax: Any,
    tree: Tree,
    test: LinearMachine,
    names: Sequence[str],
    rows: Floats,
    labels: NDArray[np.intp],
    look: Sequence[Look],
) -> None:
    """For each branch, how far the sums of its cases are ahead of the next."""
    sums = test.discriminants(rows)
    branch = test.route(rows)
    ahead = np.diff(np.sort(sums, axis=1)[:, -2:], axis=1)[:, 0]
    rng = np.random.default_rng(0)  # spreads the points, so that they can be told apart
    for k in _present(labels):
        of_class = labels == k
        ax.scatter(
            ahead[of_class],
            branch[of_class] + rng.uniform(-0.35, 0.35, of_class.sum()),
            s=10,
            color=look[k].color,
            marker="osD^"[k // 7 % 4],
            label=class_name(tree, k),
            linewidths=0,
        )
    ax.set_yticks(range(test.n_branches), names, fontsize=8, parse_math=False)
    ax.set_ylim(test.n_branches - 0.5, -0.5)
    ax.set_xlabel("how far the greatest sum is ahead of the next", fontsize=9)


def _bars(
    ax: Any,
    tree: Tree,
    node: int,
    test: NodeTest,
    rows: Floats,
    labels: NDArray[np.intp],
    look: Sequence[Look],
) -> None:
    branch = test.route(rows)
    n_branches = test.n_branches
    shares = tree.branch_share[list(tree.node(node).children)]
    names = [wrapped(text, 24) for text in test.describe(tree.schema)]
    bottom = np.zeros(n_branches)
    for k in _present(labels):
        mine = branch[labels == k]
        count = np.bincount(mine[mine != EVERY], minlength=n_branches)
        count = count + shares * (mine == EVERY).sum()  # cases that go down every branch, in parts
        ax.barh(range(n_branches), count, left=bottom, label=class_name(tree, k), **look[k].patch)
        bottom += count
    ax.set_yticks(range(n_branches), names, fontsize=8, parse_math=False)
    ax.invert_yaxis()
    ax.set_xlabel("cases", fontsize=9)
    assert isinstance(test, Category | Known)


def weights(
    model: Any, node: int, X: Any = None, *, digits: int = 3, most: int = 30, ax: Any = None
) -> Any:
    """Draw what each feature weighs in a linear test.

    Parameters
    ----------
    model : Tree or fitted PlaneTreeClassifier
        The tree.
    node : int
        The number of a node with a linear test.
    X : table, default=None
        Cases; each weight is then multiplied by the deviation of its feature among them, so that
        the bars can be compared. Without them the weights stand as they are, in their own units.
    digits : int, default=3
        Significant digits of the weights, which are written in the features' own units.
    most : int, default=30
        The heaviest features are drawn, so many at most.
    ax : matplotlib.axes.Axes, default=None
        Where to draw.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier, datasets, show
    >>> from planetree.learners import RLS
    >>> iris = datasets.load_iris(as_frame=True)
    >>> tree = PlaneTreeClassifier(learner=RLS(), max_depth=1, univariate=False)
    >>> ax = show.weights(tree.fit(iris.data, iris.target), 0, iris.data)
    >>> ax.get_yticklabels()[0].get_text()
    'petal_width'
    """
    drawn = the_tree(model)
    check_node(drawn, node)
    test = drawn.tests[node]
    if not isinstance(test, LinearThresholdUnit | LinearMachine):
        raise ValueError(f"node {node} has no weights: its test looks at one feature")
    raw = np.atleast_2d(np.asarray(test.weights))
    spread = np.ones(len(test.terms))
    if X is not None:
        rows = read_rows(drawn, X)
        spread = np.array([term.read(rows).std() for term in test.terms])
    size = np.abs(raw * spread).max(axis=0)
    shown = np.sort(np.argsort(-size, kind="stable")[:most])
    shown = shown[np.argsort(size[shown], kind="stable")[::-1]]
    names = [wrapped(test.terms[j].name(drawn.schema), 28) for j in shown]
    n_lines = sum(max(2, name.count("\n") + 1) for name in names)
    is_unit = isinstance(test, LinearThresholdUnit)
    width = 6.0 if is_unit else max(6.0, 2.4 + 0.5 * test.n_branches)
    ax = new_axes(ax, width, 0.9 + 0.15 * n_lines)
    if is_unit:
        bars = ax.barh(range(len(shown)), (raw * spread)[0, shown], color="0.45")
        ax.bar_label(bars, [f"{w:.{digits}g}" for w in raw[0, shown]], padding=3, fontsize=8)
        ax.axvline(0, color="black", linewidth=0.8)
        ax.margins(x=0.15)
        ax.set_xlabel("weight × deviation" if X is not None else "weight", fontsize=9)
    else:
        values = (raw * spread)[:, shown].T
        most_extreme = float(np.abs(values).max()) or 1.0
        ax.imshow(values, cmap="PuOr", vmin=-most_extreme, vmax=most_extreme, aspect="auto")
        for (i, b), value in np.ndenumerate(raw[:, shown].T):
            dark = abs(values[i, b]) > 0.6 * most_extreme
            ax.text(
                b,
                i,
                f"{value:.{digits}g}",
                ha="center",
                va="center",
                fontsize=7,
                color="white" if dark else "black",
            )
        many = test.n_branches > 8
        numbers = [str(b + 1) if many else f"sum {b + 1}" for b in range(test.n_branches)]
        ax.set_xticks(range(test.n_branches), numbers, fontsize=8)
        if many:
            ax.set_xlabel("sum", fontsize=8)
    ax.set_yticks(range(len(shown)), names, fontsize=8, parse_math=False)
    if is_unit:
        ax.invert_yaxis()
    left_out = len(test.terms) - len(shown)
    ax.set_title(
        f"node {node}" + (f", the {len(shown)} heaviest of {len(test.terms)}" if left_out else ""),
        fontsize=9,
    )
    return ax
