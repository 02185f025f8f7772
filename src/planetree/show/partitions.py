"""The picture of a plane through the feature space, and how a tree parts it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree.show.canvas import (
    Colors,
    add_key,
    class_name,
    key_columns,
    looks,
    new_axes,
    read_rows,
    the_tree,
    wrapped,
)
from planetree.tree import Tree

__all__ = ["partition"]

Floats = NDArray[np.float64]


def partition(
    model: Any,
    features: tuple[str, str],
    X: Any,
    y: Any = None,
    *,
    at: Mapping[str, Any] | None = None,
    resolution: int = 400,
    colors: Colors = None,
    ax: Any = None,
) -> Any:
    """Draw how a tree parts the plane of two features, the others held fixed.

    Parameters
    ----------
    model : Tree or fitted PlaneTreeClassifier
        The tree.
    features : tuple of two str
        Names of two features that are numbers: across and up.
    X, y : table and labels
        Cases: they give the plane its limits and the other features their middle values; with `y`
        they are drawn too.
    at : dict, default=None
        Values of other features; those not named are held at their median, or at their commonest
        symbol.
    resolution : int, default=400
        Points looked at across and up.
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
    >>> ax = show.partition(tree, ("petal_length", "petal_width"), iris.data, iris.target)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('petal_length', 'petal_width')
    """
    tree = the_tree(model)
    names = tree.schema.names
    places = [_place(tree, name) for name in features]
    if len(places) != 2 or places[0] == places[1]:
        raise ValueError(f"features must name two different features, not {features!r}")
    rows = read_rows(tree, X)
    fixed = _middle(tree, rows)
    for name, value in (at or {}).items():
        fixed[_place(tree, name, number=False)] = _value(tree, name, value)
    limits = [_limits(rows[:, j], names[j]) for j in places]
    grid = np.tile(fixed, (resolution * resolution, 1))
    across, up = np.meshgrid(*(np.linspace(*limit, resolution) for limit in limits))
    grid[:, places[0]], grid[:, places[1]] = across.ravel(), up.ravel()
    leaves = tree.apply(grid).reshape(resolution, resolution)

    ax = new_axes(ax, 5.2, 4.4)
    look = looks(tree.classes, colors)
    label = tree.labels[leaves]
    for k in np.unique(label).tolist():
        ax.contourf(
            across,
            up,
            label == k,
            levels=[0.5, 1.5],
            colors=[look[k].color],
            alpha=0.25,
            hatches=[look[k].hatch or None],
        )
    _, codes = np.unique(leaves, return_inverse=True)
    codes = codes.reshape(leaves.shape)
    for k in range(1, int(codes.max()) + 1):  # every leaf's own edge, also between equal classes
        ax.contour(across, up, codes == k, levels=[0.5], colors="black", linewidths=0.6)
    shown = set(np.unique(label).tolist())
    if y is not None:
        shown.update(_points(ax, tree, X, y, places, look))
    ax.set_xlim(limits[0])
    ax.set_ylim(limits[1])
    ax.set_xlabel(wrapped(names[places[0]], 44), parse_math=False)
    ax.set_ylabel(wrapped(names[places[1]], 36), parse_math=False)
    _key(ax, tree, look, sorted(shown))
    return ax


def _place(tree: Tree, name: str, *, number: bool = True) -> int:
    names = tree.schema.names
    if name not in names:
        raise ValueError(f"no feature {name!r}; the tree has {', '.join(names)}")
    if number and tree.schema.features[names.index(name)].kind == "symbolic":
        raise ValueError(f"feature {name} is symbolic: an axis needs numbers")
    return names.index(name)


def _value(tree: Tree, name: str, value: Any) -> float:
    feature = tree.schema.features[tree.schema.names.index(name)]
    if value is None or value != value:
        return float("nan")
    if feature.kind != "symbolic":
        return float(value)
    if value not in feature.symbols:
        raise ValueError(f"{name} is one of {', '.join(map(str, feature.symbols))}, not {value!r}")
    return float(feature.symbols.index(value))


def _middle(tree: Tree, rows: Floats) -> Floats:
    middle = np.full(rows.shape[1], np.nan)
    for j, feature in enumerate(tree.schema.features):
        known = rows[~np.isnan(rows[:, j]), j]
        if not len(known):
            continue
        if feature.kind == "numeric":
            middle[j] = np.median(known)
        else:
            values, counts = np.unique(known, return_counts=True)
            middle[j] = values[counts.argmax()]
    return middle


def _limits(values: Floats, name: str) -> tuple[float, float]:
    known = values[~np.isnan(values)]
    if not len(known):
        raise ValueError(f"feature {name} is missing in all cases: its axis has no limits")
    low, high = float(known.min()), float(known.max())
    room = 0.05 * (high - low) or 0.5
    return low - room, high + room


def _points(ax: Any, tree: Tree, X: Any, y: Any, places: list[int], look: Any) -> list[int]:
    """Draw the cases; which classes they are of."""
    from planetree.labels import read_cases

    cases = read_cases(tree.schema, tree.classes, X, y)
    present: list[int] = np.unique(cases.y).tolist()
    for k in present:
        of_class = cases.y == k
        ax.scatter(
            *cases.X[of_class][:, places].T,
            s=12,
            color=look[k].color,
            marker="osD^"[k // 7 % 4],
            linewidths=0.3,
            edgecolors="black",
            zorder=3,
        )
    return present


def _key(ax: Any, tree: Tree, look: Any, shown: list[int]) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(label=class_name(tree, k), alpha=0.6, **look[k].patch) for k in shown]
    width = ax.get_window_extent().width * 72 / ax.figure.dpi
    n_columns = key_columns([class_name(tree, k) for k in shown], width)
    add_key(ax, handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=n_columns)
