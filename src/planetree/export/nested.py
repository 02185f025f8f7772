"""Trees as nested ifs, for languages that have functions.

Each branch ends in a leaf, whose number is returned. Python takes no more than 100 levels of
indentation and C99 promises 127, so what lies deeper than `LEVELS` becomes a function of its own.

In a tree that sends some rows down every branch, a leaf puts the part of the row that reaches it
into a table, and nodes below such a test are functions too: they are called with a part or whole.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import partial

from planetree.export.source import category_ways
from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.text import one_line
from planetree.tree import Node, Tree

__all__ = ["LEVELS", "Language"]

LEVELS = 40
Way = tuple[str | None, int | None]  # a condition, None for all else; a branch, None for every one


class Language(ABC):
    """How one language says what a tree does.

    Parameters
    ----------
    tree : Tree
        The tree.
    names : sequence of str
        What each feature is called in the program.
    """

    indent = "    "
    if_: str
    elif_: str
    else_: str
    end: str  # closes a block; empty where nothing does
    return_: str
    put: str  # a part of the row into a leaf
    do: str  # a call as a statement
    missing_number: str
    not_: str
    and_: str
    or_: str
    pick: str  # one of two values by a condition
    local: str  # a new variable and its value
    product: str
    total: str  # a sum, or minus infinity where it is no number
    missing_symbol: str
    known_symbol: str

    def __init__(self, tree: Tree, names: Sequence[str]) -> None:
        self.tree = tree
        self.names = names
        self.in_parts = tree.shares

    @abstractmethod
    def number(self, value: float) -> str:
        """A constant, to the last bit."""

    @abstractmethod
    def is_one_of(self, feature: int, symbols: Sequence[int]) -> str:
        """Condition that a feature, perhaps missing, holds one of these symbols."""

    @abstractmethod
    def call(self, node: int, part: str = "part") -> str:
        """Call the function of a node, with the part of the row that gets there."""

    @abstractmethod
    def head(self, node: int) -> str:
        """First line of the function of a node."""

    def leaf(self, node: int) -> str:
        """What a leaf is called in the program's tables."""
        return str(node)

    @abstractmethod
    def comment(self, text: str) -> str:
        """A remark at the end of a line."""

    # --- the tree -------------------------------------------------------------------------------

    def functions(self) -> list[list[str]]:
        """Lines of every function, one that is called before the one that calls it."""
        result = []
        waiting = [0]
        while waiting:
            root = waiting.pop()
            lines = [self.head(root), *self._body(root, waiting)]
            result.append([*lines, *([self.end] if self.end else [])])
        return result[::-1]

    def _body(self, root: int, waiting: list[int]) -> Iterator[str]:
        start = self.tree.depth[root]
        own: set[int] = set()  # nodes that are functions since they are called in two ways
        # Lines that are ready, and nodes that wait for theirs; no recursion.
        stack: list[str | tuple[int, int]] = [(root, 1)]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                yield item
                continue
            i, level = item
            node = self.tree.node(i)
            margin = self.indent * level
            if node.is_leaf or i in own:
                yield margin + self._arrive(i)
            elif node.depth - start >= LEVELS:
                yield margin + self._arrive(i)
                waiting.append(i)
            else:
                before, ways = self._ways(node)
                yield from (margin + line for line in before)
                if any(branch is None for _, branch in ways):
                    below = [child for child in node.children if not self.tree.is_leaf[child]]
                    own.update(below)
                    waiting += below
                for place, (condition, branch) in reversed([*enumerate(ways)]):
                    if self.end:
                        stack.append(margin + self.end)
                    if branch is None:
                        stack += [margin + self.indent + line for line in self._share_out(node)]
                    else:
                        stack.append((node.children[branch], level + 1))
                    if condition is None:
                        stack.append(margin + self.else_)
                    else:
                        stack.append(margin + (self.elif_ if place else self.if_).format(condition))

    def _arrive(self, node: int, part: str = "part") -> str:
        """What is done when the row, or a part of it, gets to a leaf or to a function's node."""
        if not self.tree.is_leaf[node]:
            call = self.call(node, part)
            return self.do.format(call) if self.in_parts else self.return_.format(call)
        leaf = self.leaf(node)
        done = self.put.format(leaf, part) if self.in_parts else self.return_.format(leaf)
        return done + self.comment(one_line(str(self.tree.classes[self.tree.labels[node]])))

    def _share_out(self, node: Node) -> list[str]:
        """Every branch gets its share, the first branch last: the lines are put on a stack."""
        shares = [(child, float(self.tree.branch_share[child])) for child in node.children]
        return [
            self._arrive(child, f"part * {self.number(share)}")
            for child, share in reversed(shares)
            if share > 0
        ]

    def _ways(self, node: Node) -> tuple[list[str], list[Way]]:
        """Lines before the first condition; the conditions and their branches."""
        test = node.test
        if isinstance(test, Threshold):
            x, cut = self.names[test.feature], self.number(test.cut)
            if test.missing is None:
                missing = self.missing_number.format(x)
                return [], [(missing, None), (f"{x} <= {cut}", 0), (None, 1)]
            # A comparison with a missing value, which is NaN, is false.
            below = f"{x} <= {cut}" if test.missing else self.not_.format(f"{x} > {cut}")
            return [], [(below, 0), (None, 1)]
        if isinstance(test, Known):
            return [], [(self._known(test.feature), 0), (None, 1)]
        if isinstance(test, Category):
            return [], self._category_ways(test)
        if isinstance(test, LinearThresholdUnit):
            total = self._sum(test.terms, test.weights)
            return [], [(f"{total} <= {self.number(test.cut)}", 0), (None, 1)]
        assert isinstance(test, LinearMachine)
        sums = [f"s{node.id}_{b}" for b in range(test.n_branches)]
        rows = zip(sums, test.weights, test.constants, strict=True)
        lines = [
            self.local.format(name, self.total.format(self._sum(test.terms, weights, constant)))
            for name, weights, constant in rows
        ]
        return lines, [*self._greatest(sums)]

    def _greatest(self, sums: list[str]) -> Iterator[Way]:
        """The first of the greatest: each needs to be compared with later ones only."""
        for b, name in enumerate(sums[:-1]):
            yield self.and_.join(f"{name} >= {other}" for other in sums[b + 1 :]), b
        yield None, len(sums) - 1

    def _category_ways(self, test: Category) -> list[Way]:
        missing = self.missing_symbol.format(self.names[test.feature])
        is_one_of = partial(self.is_one_of, test.feature)
        *ways, (_, unseen) = category_ways(test, missing, is_one_of, self.or_)
        return [*ways, (None, unseen)]

    def _known(self, feature: int) -> str:
        x = self.names[feature]
        if self.tree.schema.features[feature].kind == "symbolic":
            return self.known_symbol.format(x)
        return f"{x} == {x}"

    def _sum(self, terms: Sequence[Term], weights: Sequence[float], start: float = 0.0) -> str:
        """Terms in order, from the first to the last, as prediction adds them up."""
        parts = [self.number(start)] if start or not terms else []
        for term, weight in zip(terms, weights, strict=True):
            x, fill = self.names[term.feature], self.number(term.fill)
            if term.symbol is None:
                value = self.pick.format(f"{x} == {x}", x, fill)
            else:
                one = self.is_one_of(term.feature, [term.symbol])
                known = self.pick.format(one, self.number(1.0), self.number(0.0))
                value = self.pick.format(self.missing_symbol.format(x), fill, known)
            parts.append(self.product.format(self.number(weight), value))
        return " + ".join(parts)
