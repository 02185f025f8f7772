"""How a tree reads: as plain text and as a page fragment for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from planetree.rules import Met
    from planetree.tree import Explanation, Node, Step, Tree

__all__ = ["conditions", "counted", "explanation", "html", "one_line", "tree", "verdict"]


def counted(n: int, one: str, many: str | None = None) -> str:
    """Say how many of something there are.

    Parameters
    ----------
    n : int
        The number.
    one : str
        What one is called.
    many : str or None
        What several are called; None adds an s.

    Returns
    -------
    str
        Both, as English has it.

    Examples
    --------
    >>> from planetree.text import counted
    >>> counted(1, "row"), counted(2, "leaf", "leaves")
    ('1 row', '2 leaves')
    """
    return f"{n} {one if n == 1 else many or one + 's'}"


def tree(tree: Tree, *, digits: int, max_depth: int | None, numbers: bool = False) -> str:
    """One line a branch; a leaf says its class and how many of its cases are of it."""
    if tree.n_tests == 0:
        return f"→ {verdict(tree, tree.node(0))}"
    lines = []
    # The bars to the left of each open level; kept in a stack, not in recursion: a tree may be
    # deeper than Python is.
    stack = [(0, "", True)]
    while stack:
        i, indent, last = stack.pop()
        node = tree.node(i)
        if i > 0:
            branch = i - tree.node(int(tree.parent[i])).children.start
            number = f"[{i}] " if numbers else ""
            condition = _condition(tree, i, branch, digits)
            lines.append(f"{indent}{'└─' if last else '├─'} {number}{condition}")
            indent += "   " if last else "│  "
        if node.is_leaf:
            lines[-1] += f" → {verdict(tree, node)}"
        elif max_depth is not None and node.depth >= max_depth:
            lines[-1:] = (
                [f"{lines[-1]} … {_below(tree, node)}"] if lines else [f"… {_below(tree, node)}"]
            )
        else:
            for child in reversed(node.children):
                stack.append((child, indent, child == node.children[-1]))
    return "\n".join(lines)


def explanation(why: Explanation, *, changes: bool = False) -> str:
    """The way of one row, a line a test, and where it ended."""
    lines = conditions(why.steps)
    if changes:
        turns = [_turns(step) for step in why.steps]
        lines = [line for pair in zip(lines, turns, strict=True) for line in pair if line]
    shares = sorted(why.probabilities.items(), key=lambda item: -item[1])
    others = "".join(
        f", {label} {share:.3g} %"
        for label, share in ((k, 100 * v) for k, v in shares[1:])
        if share > 0
    )
    summed = "" if why.n_leaves == 1 else f", summed over {why.n_leaves} leaves"
    lines.append(f"→ {why.label} ({100 * why.probabilities[why.label]:.3g} %{others}){summed}")
    if changes and why.shares:
        decided = ", ".join(f"{name} {100 * s:.3g} %" for name, s in why.shares.items() if s > 0)
        lines.append(f"decided by: {decided}")
    return "\n".join(lines)


def _turns(step: Step) -> str:
    """What alone would have sent the row the other way."""
    said = [
        f"{one_line(name)} {abs(change):.6g} {'more' if change >= 0 else 'less'}"
        for name, change in step.changes.items()
    ]
    said += [
        f"{one_line(name)} = {' or '.join(one_line(str(value)) for value in values)}"
        for name, values in step.switches.items()
    ]
    return f"    the other way: {', or '.join(said)}" if said else ""


def conditions(met: Sequence[Step | Met]) -> list[str]:
    """A line a condition: its words, what the row holds, how far it is from the other side."""
    width = max((len(step.condition) for step in met), default=0)
    lines = []
    for step in met:
        held = ", ".join(f"{name} {_held(step, name)}" for name in step.values)
        if (share := getattr(step, "share", 1.0)) < 1:
            held += f": shared out, {100 * share:.3g} % this way"
        margin = "" if step.margin is None else f", margin {step.margin:.6g}"
        lines.append(f"{step.condition:<{width}}        {held}{margin}")
    return lines


def _held(step: Step | Met, name: str) -> str:
    value = step.values[name]
    if value is not None:
        return f"= {_number(value)}"
    return "holds a symbol never seen in training" if name in step.unseen else "is missing"


def html(tree: Tree) -> str:
    """Nested lists that open and close without scripts; levels below the third start closed."""
    parts = [
        f"<div style='font-family:monospace'><p>{counted(tree.n_tests, 'test')}, "
        f"{counted(tree.n_leaves, 'leaf', 'leaves')}, "
        f"{_cases(tree.counts[0].sum())} cases</p><ul>"
    ]
    stack: list[int | str] = [0] if tree.n_tests == 0 else list(reversed(tree.node(0).children))
    while stack:
        i = stack.pop()
        if isinstance(i, str):
            parts.append(i)
            continue
        node = tree.node(i)
        condition = ""
        if i > 0:
            condition = escape(
                _condition(tree, i, i - tree.node(int(tree.parent[i])).children.start, 6)
            )
        if node.is_leaf:
            parts.append(f"<li>{condition} → <b>{escape(verdict(tree, node))}</b></li>")
        else:
            state = " open" if node.depth < 4 else ""
            parts.append(f"<li><details{state}><summary>{condition}</summary><ul>")
            stack.append("</ul></details></li>")
            stack.extend(reversed(node.children))
    parts.append("</ul></div>")
    return "".join(parts)


def _condition(tree: Tree, child: int, branch: int, digits: int) -> str:
    test = tree.tests[int(tree.parent[child])]
    assert test is not None
    return one_line(test.describe(tree.schema, digits)[branch])


def verdict(tree: Tree, node: Node) -> str:
    """Class of a node, and how many of its cases are of it."""
    label = tree.labels[node.id]
    right, all_cases = node.counts[label], node.counts.sum()
    share = _cases(all_cases) if right == all_cases else f"{_cases(right)} of {_cases(all_cases)}"
    return f"{one_line(str(tree.classes[label]))} ({share})"


def one_line(text: str) -> str:
    """Without line breaks and other control characters, which names and labels may hold."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _below(tree: Tree, node: Node) -> str:
    leaves = sum(1 for i in _subtree(tree, node) if tree.is_leaf[i])
    return f"{leaves} leaves, mostly {verdict(tree, node)}"


def _subtree(tree: Tree, node: Node) -> Iterator[int]:
    stack = [node.id]
    while stack:
        i = stack.pop()
        yield i
        stack.extend(tree.node(i).children)


def _cases(weight: np.float64) -> str:
    return f"{weight:.6g}"


def _number(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
