"""Trees as graphs for Graphviz."""

from __future__ import annotations

from planetree.export.source import Model, summary, tree_of
from planetree.text import one_line, verdict

__all__ = ["to_dot"]


def to_dot(model: Model, *, digits: int = 6) -> str:
    """Write a tree as a graph in the language DOT.

    Parameters
    ----------
    model : PlaneTreeClassifier or Tree
        A fitted one.
    digits : int, default=6
        Significant digits of the numbers shown.

    Returns
    -------
    str
        The graph; what it looks like is Graphviz' business.

    Examples
    --------
    >>> from planetree import export
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> print(export.to_dot(CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"])))
    // planetree ...
    digraph tree {
      node [shape=box, fontname="sans-serif"];
      edge [fontname="sans-serif"];
      0 [label="x0"];
      0 -> 1 [label="x0 ≤ 1.5"];
      0 -> 2 [label="x0 > 1.5"];
      1 [label="a (1)", style=rounded];
      2 [label="b (1)", style=rounded];
    }
    """
    tree = tree_of(model, "DOT")
    names = tree.schema.names
    lines = [f"// {summary(tree)}", "digraph tree {"]
    lines += ['  node [shape=box, fontname="sans-serif"];', '  edge [fontname="sans-serif"];']
    for i in range(tree.n_nodes):
        node = tree.node(i)
        if node.test is None:
            lines.append(f"  {i} [label={_quote(verdict(tree, node))}, style=rounded];")
            continue
        asked = ", ".join(names[f] for f in node.test.features)
        lines.append(f"  {i} [label={_quote(asked)}];")
        conditions = node.test.describe(tree.schema, digits)
        lines += [
            f"  {i} -> {child} [label={_quote(condition)}];"
            for child, condition in zip(node.children, conditions, strict=True)
        ]
    return "\n".join([*lines, "}", ""])


def _quote(text: str) -> str:
    """A string in which a backslash is one, and no line ends."""
    escaped = one_line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
