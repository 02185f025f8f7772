"""What all pictures share: the axes to draw on, one look for every class, texts that fit."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree.extras import require
from planetree.schema import Symbol
from planetree.text import one_line
from planetree.tree import Tree

__all__ = [
    "OKABE_ITO",
    "Colors",
    "Look",
    "add_key",
    "check_node",
    "class_name",
    "fitted",
    "key_columns",
    "looks",
    "new_axes",
    "read_rows",
    "shares_bar",
    "text_width",
    "the_tree",
    "wrapped",
]

Colors = Mapping[Any, Any] | Sequence[Any] | None

# Okabe and Ito's colours (2008), which people with any kind of colour blindness tell apart; black
# is left to lines and letters. Hatching multiplies them: 7 × 4 looks serve 28 classes.
OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
HATCHES = ("", "////", "....", "xxxx")


@dataclass(frozen=True)
class Look:
    """How a class looks.

    Parameters
    ----------
    color : object
        Anything matplotlib takes for a colour.
    hatch : str
        What tells it from another class of the same colour.
    """

    color: Any
    hatch: str = ""

    @property
    def patch(self) -> dict[str, Any]:
        """Arguments of a patch."""
        return {"facecolor": self.color, "hatch": self.hatch, "edgecolor": "white", "linewidth": 0}


def looks(classes: Sequence[Symbol], colors: Colors = None) -> list[Look]:
    """One look a class: the user's colours, or some that everybody can tell apart."""
    if colors is None:
        n = len(OKABE_ITO)
        return [Look(OKABE_ITO[k % n], HATCHES[k // n % len(HATCHES)]) for k in range(len(classes))]
    if isinstance(colors, Mapping):
        missing = [str(c) for c in classes if c not in colors]
        if missing:
            raise ValueError(f"colors has none for {', '.join(missing)}")
        return [Look(colors[c]) for c in classes]
    if isinstance(colors, str) or len(colors) < len(classes):
        n_given = 1 if isinstance(colors, str) else len(colors)
        raise ValueError(f"colors must be one a class, {len(classes)} here, not {n_given}")
    return [Look(color) for color in colors[: len(classes)]]


def new_axes(ax: Any, width: float, height: float) -> Any:
    """The user's axes, or new ones of that size in inches."""
    if ax is not None:
        return ax
    pyplot = require("matplotlib.pyplot", extra="plot", purpose="drawing")
    return pyplot.subplots(figsize=(width, height), layout="constrained")[1]


def fitted(ax: Any, width: float, height: float) -> float:
    """Lay a drawing of so many points out on axes; by how much its letters must grow."""
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_axis_off()
    box = ax.get_window_extent()
    points = 72 / ax.figure.dpi
    return float(min(box.width * points / width, box.height * points / height))


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Width of the longest line in points."""
    of_text = require("matplotlib.textpath", extra="plot", purpose="drawing").text_to_path
    fonts = require("matplotlib.font_manager", extra="plot", purpose="drawing")
    font = fonts.FontProperties(size=size, weight="bold" if bold else "normal")
    lines = text.split("\n")
    return float(
        max(of_text.get_text_width_height_descent(line, font, ismath=False)[0] for line in lines)
    )


def wrapped(text: str, width: int) -> str:
    """Text in lines of so many letters at most; a formula is broken between its terms."""
    # A term and its sign stay together, and so do a name and its symbol.
    glued = one_line(text).replace(" ≤ ", " ≤\0").replace(" > ", " >\0")
    for sign in "+−":
        glued = glued.replace(f" {sign} ", f" {sign}\0")
    lines = textwrap.wrap(glued, width, break_on_hyphens=False)
    return "\n".join(lines).replace("\0", " ")


def add_key(ax: Any, handles: Any = None, **place: Any) -> None:
    """Tell which class looks how, in letters that are no formulas."""
    given = {} if handles is None else {"handles": handles}
    legend = ax.legend(**given, frameon=False, **{"fontsize": 8, **place})
    for text in legend.get_texts():
        text.set_parse_math(False)


def key_columns(names: Sequence[str], width: float) -> int:
    """How many names of a key stand side by side in so many points."""
    widest = max(text_width(name, 8) for name in names) + 36
    return max(1, min(len(names), int(width / widest)))


def class_name(tree: Tree, k: int) -> str:
    """What a class is called in a legend, which leaves out what begins with an underscore."""
    text = one_line(str(tree.classes[k]))
    return f" {text}" if text.startswith("_") else text


def the_tree(model: Any) -> Tree:
    """The tree itself, or that of a fitted estimator."""
    if isinstance(model, Tree):
        return model
    tree = getattr(model, "tree_", None)
    if not isinstance(tree, Tree):
        raise ValueError(f"a tree or a fitted estimator is drawn, not {model!r}: fit it first")
    return tree


def check_node(tree: Tree, node: int) -> None:
    """Refuse a node that is none, or has no test."""
    if tree.node(node).test is None:
        raise ValueError(f"node {node} is a leaf: there is no test to draw")


def read_rows(tree: Tree, X: Any) -> NDArray[np.float64]:
    """Rows of the user's table, as the tree reads them."""
    from planetree import labels

    return labels.read_rows(tree.schema, X)


def shares_bar(
    ax: Any,
    shares: NDArray[np.float64],
    look: Sequence[Look],
    *,
    at: tuple[float, float],
    size: tuple[float, float],
) -> None:
    """Bar of class shares, from the first class to the last."""
    rectangle = require("matplotlib.patches", extra="plot", purpose="drawing").Rectangle
    (x, y), (width, height) = at, size
    for share, one in zip(shares, look, strict=True):
        if share > 0:
            ax.add_patch(rectangle((x, y), width * share, height, **one.patch))
            x += width * share
    ax.add_patch(rectangle(at, width, height, facecolor="none", edgecolor="0.4", linewidth=0.5))
