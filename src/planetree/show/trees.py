"""The picture of a tree: the root on the left, a line a leaf, so that depth and long names fit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planetree.nodetests import Category, Threshold
from planetree.planes import LinearMachine
from planetree.show.canvas import (
    Colors,
    Look,
    add_key,
    class_name,
    fitted,
    key_columns,
    looks,
    new_axes,
    shares_bar,
    text_width,
    the_tree,
    wrapped,
)
from planetree.text import counted
from planetree.tree import Node, Tree

__all__ = ["tree"]

# In points, at letters of 9 points.
LINE = 12.0
BAR, BAR_WIDTH = 7.0, 60.0
GAP = 10.0  # between two neighbouring leaves
EDGE = 44.0  # room for the words on a branch, at least
MOST_LINES = 60  # leaves a picture shows of itself; deeper levels are then counted


@dataclass
class Box:
    """A node in the picture.

    Parameters
    ----------
    node : Node
        The node.
    text : str
        What is written, in lines.
    cut_off : bool
        Whether it has branches that are not shown.
    parent : Box or None
        Where it hangs.
    branch : str
        What is written on the way from there.
    """

    node: Node
    text: str
    cut_off: bool
    parent: Box | None
    branch: str
    x: float = 0.0
    y: float = 0.0

    @property
    def width(self) -> float:
        """Of the text and the bar."""
        leaf = self.node.is_leaf or self.cut_off
        beside = 0.0 if leaf else 6.0 + text_width(self.total, 6.5)
        return max(text_width(self.text, 9, bold=leaf), BAR_WIDTH + beside)

    @property
    def total(self) -> str:
        """Weight of the cases, which stands beside the bar of a node with a test."""
        return f"{self.node.counts.sum():.6g}"

    @property
    def height(self) -> float:
        """Of the text and the bar."""
        return (self.text.count("\n") + 1) * LINE + BAR


def tree(
    model: Any,
    *,
    max_depth: int | None = None,
    nodes: Iterable[int] | None = None,
    digits: int = 4,
    line_width: int = 28,
    colors: Colors = None,
    ax: Any = None,
) -> Any:
    """Draw a tree: what each node asks, how its cases part, and how the classes share each node.

    The root is on the left. A bar shows the shares of the classes among a node's training cases; a
    branch that missing values take says so.

    Parameters
    ----------
    model : Tree or fitted PlaneTreeClassifier
        The tree.
    max_depth : int, default=None
        Deeper nodes are counted, not drawn. None draws as many levels as give 60 leaves at most.
    nodes : iterable of int, default=None
        Draw these nodes only, and what leads to them from the last node they have in common.
    digits : int, default=4
        Significant digits of weights and cuts.
    line_width : int, default=28
        Letters in a line; longer formulas are broken between their terms.
    colors : dict or sequence, default=None
        A colour for each class; None takes colours that colour-blind people tell apart, with
        hatching from the eighth class on.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a figure large enough.

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
    >>> ax = show.tree(tree)
    >>> ax.texts[0].get_text()
    'petal_length ≤ 2.45'
    """
    drawn = the_tree(model)
    look = looks(drawn.classes, colors)
    boxes = _boxes(drawn, _wanted(drawn, nodes, max_depth), digits, line_width)
    width, height = _place(boxes)
    keys = [class_name(drawn, k) for k in range(len(drawn.classes))]
    ax = new_axes(ax, width / 72 + 0.3, (height + 2.5 * LINE) / 72 + 0.3)
    scale = fitted(ax, width, height)
    for box in boxes:
        _draw(ax, box, look, drawn, scale)
    _key(ax, keys, look, scale)
    return ax


# --- what is drawn --------------------------------------------------------------------------------


def _wanted(tree: Tree, nodes: Iterable[int] | None, max_depth: int | None) -> list[int]:
    """Nodes to draw, parents before children."""
    if nodes is not None:
        chosen = {int(i) for i in nodes}
        if not chosen:
            raise ValueError("nodes is empty: there is nothing to draw")
        ways = [_way_up(tree, i) for i in sorted(chosen)]
        top = max(set.intersection(*map(set, ways)))  # the last node that all their ways share
        return sorted({i for way in ways for i in way if i >= top})
    if max_depth is None:
        shown = [
            int((tree.depth == d).sum() + (tree.is_leaf & (tree.depth < d)).sum())
            for d in range(tree.max_depth + 1)
        ]
        max_depth = max(d for d, n in enumerate(shown) if n <= MOST_LINES or d == 0)
    return np.flatnonzero(tree.depth <= max_depth).tolist()


def _way_up(tree: Tree, i: int) -> list[int]:
    """A node and all above it."""
    way = [tree.node(i).id]
    while way[-1] > 0:
        way.append(int(tree.parent[way[-1]]))
    return way


def _boxes(tree: Tree, wanted: Sequence[int], digits: int, line_width: int) -> list[Box]:
    boxes: dict[int, Box] = {}
    drawn = set(wanted)
    for i in wanted:
        node = tree.node(i)
        parent = boxes.get(int(tree.parent[i]))
        cut_off = not node.is_leaf and not drawn.intersection(node.children)
        boxes[i] = Box(
            node,
            _words(tree, node, cut_off, digits, line_width),
            cut_off,
            parent,
            "" if parent is None else _way(tree, parent.node, i, digits, line_width),
        )
    return [*boxes.values()]


def _words(tree: Tree, node: Node, cut_off: bool, digits: int, line_width: int) -> str:
    if node.is_leaf or cut_off:
        label = int(tree.labels[node.id])
        right, total = node.counts[label], node.counts.sum()
        share = f"{total:.6g}" if right == total else f"{right:.6g} of {total:.6g}"
        below = ""
        if cut_off:
            inside = _n_leaves_below(tree, node)
            below = f"\n… {counted(inside, 'leaf', 'leaves')} from node {node.id} on"
        return f"{wrapped(str(tree.classes[label]), line_width)} ({share}){below}"
    assert node.test is not None
    if isinstance(node.test, LinearMachine):
        names = ", ".join(term.name(tree.schema) for term in node.test.terms)
        return wrapped(f"greatest of {node.test.n_branches} sums of {names}", line_width)
    conditions = node.test.describe(tree.schema, digits)
    if len(conditions) == 2:
        return wrapped(conditions[0].removesuffix(" or missing"), line_width)
    return wrapped(tree.schema.names[node.test.features[0]], line_width)


def _way(tree: Tree, node: Node, child: int, digits: int, line_width: int) -> str:
    """What is written on a branch: the answer, and whether missing values take it."""
    assert node.test is not None
    branch = child - node.children.start
    condition = node.test.describe(tree.schema, digits)[branch]
    missing = "\nor missing" if condition.endswith(" or missing") else ""
    if isinstance(node.test, LinearMachine):
        return f"sum {branch + 1}"
    if node.test.n_branches == 2:
        if isinstance(node.test, Threshold | Category) or not missing:
            return ("yes", "no")[branch] + missing
        return ("yes", "no")[branch]
    name = tree.schema.names[node.test.features[0]]
    return wrapped(condition.removesuffix(" or missing").removeprefix(name), line_width) + missing


def _n_leaves_below(tree: Tree, node: Node) -> int:
    n, stack = 0, [node.id]
    while stack:
        i = stack.pop()
        n += int(tree.is_leaf[i])
        stack.extend(tree.node(i).children)
    return n


# --- where it is drawn ----------------------------------------------------------------------------


def _place(boxes: Sequence[Box]) -> tuple[float, float]:
    """Give every box its place; how large the picture is, in points."""
    children: dict[int, list[Box]] = {}
    for box in boxes:
        if box.parent is not None:
            children.setdefault(box.parent.node.id, []).append(box)
    top = boxes[0]
    levels: dict[int, list[Box]] = {}
    for box in boxes:
        levels.setdefault(box.node.depth, []).append(box)
    x = 4.0
    for depth in sorted(levels):
        if depth > top.node.depth:
            words = max(text_width(box.branch, 7.5) for box in levels[depth])
            x += max(EDGE, words + 26)
        for box in levels[depth]:
            box.x = x
        x += max(box.width for box in levels[depth])
    bottom = 4.0
    stack: list[tuple[Box, bool]] = [(top, False)]
    while stack:  # leaves from above, then their parents half-way between
        box, placed = stack.pop()
        below = children.get(box.node.id, [])
        if not below:
            box.y = bottom + box.height / 2
            bottom += box.height + GAP
        elif placed:
            box.y = (below[0].y + below[-1].y) / 2
            # A tall box beside few leaves needs its own room.
            reach = box.y + box.height / 2 + GAP
            bottom = max(bottom, reach)
        else:
            stack.append((box, True))
            stack.extend((child, False) for child in reversed(below))
    highest = min(box.y - box.height / 2 for box in boxes)
    if highest < 4.0:
        for box in boxes:
            box.y += 4.0 - highest
        bottom += 4.0 - highest
    return x + 4.0, bottom


# --- drawing --------------------------------------------------------------------------------------


def _draw(ax: Any, box: Box, look: Sequence[Look], tree: Tree, scale: float) -> None:
    inner = not (box.node.is_leaf or box.cut_off)
    top = box.y + box.height / 2 - BAR + 1.0
    ax.text(
        box.x,
        top - 1.5,
        box.text,
        fontsize=9 * scale,
        va="bottom",
        ha="left",
        linespacing=1.15,
        parse_math=False,
        fontweight="normal" if inner else "bold",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5 * scale},
        zorder=3,
    )
    shares = tree.probabilities[box.node.id]
    shares_bar(ax, shares, look, at=(box.x, top), size=(BAR_WIDTH, BAR - 1.5))
    if inner:
        ax.text(
            box.x + BAR_WIDTH + 4,
            top + (BAR - 1.5) / 2,
            box.total,
            fontsize=6.5 * scale,
            va="center",
            color="0.35",
        )
    if box.parent is None:
        return
    start = box.parent.x + box.parent.width + 4
    bend = start + 8
    width = 0.6 + 2.4 * float(box.node.counts.sum() / tree.counts[0].sum())
    ax.plot(
        [start, bend, box.x - 3],
        [box.parent.y, box.y, box.y],
        color="0.55",
        linewidth=width * scale,
        solid_joinstyle="round",
        zorder=1,
    )
    ax.text(
        bend + 2,
        box.y - 1.5,
        box.branch,
        fontsize=7.5 * scale,
        va="center" if "\n" in box.branch else "bottom",
        color="0.25",
        linespacing=1.1,
        parse_math=False,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.3, "alpha": 0.85}
        if "\n" in box.branch
        else None,
        zorder=2,
    )


def _key(ax: Any, names: Sequence[str], look: Sequence[Look], scale: float) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(label=name, **one.patch) for name, one in zip(names, look, strict=True)]
    add_key(
        ax,
        handles,
        loc="upper center",
        bbox_to_anchor=(0.5, 0.0),
        ncols=min(key_columns(names, ax.get_window_extent().width * 72 / ax.figure.dpi), 7),
        fontsize=8 * min(scale, 1.2),
        handlelength=1.2,
    )
