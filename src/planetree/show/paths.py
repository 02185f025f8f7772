"""The picture of one case's way through a tree."""

from __future__ import annotations

from typing import Any

from planetree.show.canvas import (
    Colors,
    fitted,
    looks,
    new_axes,
    read_rows,
    shares_bar,
    the_tree,
    wrapped,
)
from planetree.text import one_line

__all__ = ["path"]

LETTER, LINE, SMALL_LINE = 5.4, 11.0, 9.0
BAR = 90.0  # the bar of class shares


def path(
    model: Any,
    x: Any,
    *,
    digits: int = 3,
    line_width: int = 44,
    colors: Colors = None,
    ax: Any = None,
) -> Any:
    """Draw the way of one case: each test it met, how close it was, and how the classes part.

    Parameters
    ----------
    model : Tree or fitted PlaneTreeClassifier
        The tree.
    x : table of one row
        The case.
    digits : int, default=3
        Significant digits of values and margins.
    line_width : int, default=44
        Letters in a line.
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
    >>> show.path(tree, iris.data[60:61]).texts[-1].get_text()
    'Iris-versicolor (90.7 %)'
    """
    tree = the_tree(model)
    rows = read_rows(tree, x)
    if len(rows) != 1:
        raise ValueError(f"the way of one case is drawn, not of {len(rows)}")
    why = tree.path(rows[0])
    look = looks(tree.classes, colors)
    lines: list[tuple[int, str, str]] = []
    for step in why.steps:
        held = ", ".join(
            f"{name} = {value:.{digits}g}"
            if isinstance(value, float)
            else f"{name} {'is missing' if value is None else f'= {value}'}"
            for name, value in list(step.values.items())[:6]
        ) + (", …" if len(step.values) > 6 else "")
        margin = "" if step.margin is None else f"   margin {step.margin:.{digits}g}"
        condition = step.test.describe(tree.schema, digits)[step.branch]
        lines.append(
            (step.node, wrapped(condition, line_width), wrapped(held, line_width) + margin)
        )
    share = 100 * why.probabilities[why.label]
    verdict = f"{one_line(str(why.label))} ({share:.3g} %)"

    heights = [
        (1 + a.count("\n")) * LINE + (1 + b.count("\n")) * SMALL_LINE + 14 for _, a, b in lines
    ]
    width = BAR + 24 + (line_width + 12) * LETTER
    height = sum(heights) + 2 * LINE + 8
    ax = new_axes(ax, width / 72, height / 72)
    scale = fitted(ax, width, height)
    y = 4.0
    for (number, condition, held), tall in zip(lines, heights, strict=True):
        shares_bar(ax, tree.probabilities[number], look, at=(8, y), size=(BAR, 9))
        ax.plot([8 + BAR / 2] * 2, [y + 10, y + tall - 2], color="0.6", linewidth=1.5 * scale)
        left = BAR + 20
        n = condition.count("\n") + 1
        ax.text(left, y, condition, fontsize=9 * scale, va="top", parse_math=False)
        ax.text(
            left,
            y + n * LINE + 1,
            held,
            fontsize=7.5 * scale,
            va="top",
            color="0.35",
            parse_math=False,
        )
        y += tall
    shares_bar(ax, tree.probabilities[why.leaf], look, at=(8, y), size=(BAR, 12))
    ax.text(
        BAR + 20, y, verdict, fontsize=10 * scale, va="top", fontweight="bold", parse_math=False
    )
    return ax
