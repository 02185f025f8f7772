"""Trees as nested ifs, for languages that have functions.

Each branch ends in a return. Python takes no more than 100 levels of indentation and C99 promises
127, so what lies deeper than `LEVELS` becomes a function of its own.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence

from planetree.export.source import branch_symbols, certain
from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.text import one_line
from planetree.tree import Node, Tree

__all__ = ["LEVELS", "Language"]

LEVELS = 40


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
    else_: str
    end: str  # closes a block; empty where nothing does
    return_: str
    not_: str
    and_: str
    pick: str  # one of two values by a condition
    local: str  # a new variable and its value
    product: str
    total: str  # a sum, or minus infinity where it is no number
    missing_symbol: str
    known_symbol: str

    def __init__(self, tree: Tree, names: Sequence[str]) -> None:
        self.tree = tree
        self.names = names

    @abstractmethod
    def number(self, value: float) -> str:
        """A constant, to the last bit."""

    @abstractmethod
    def is_one_of(self, feature: int, symbols: Sequence[int]) -> str:
        """Condition that a feature, perhaps missing, holds one of these symbols."""

    @abstractmethod
    def call(self, node: int) -> str:
        """Call the function of a node."""

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
            if node.is_leaf:
                label = one_line(str(self.tree.classes[self.tree.labels[i]]))
                yield f"{margin}{self.return_.format(self.leaf(i))}{self.comment(label)}"
            elif node.depth - start >= LEVELS:
                yield f"{margin}{self.return_.format(self.call(i))}"
                waiting.append(i)
            else:
                before, ways = self._ways(node)
                yield from (margin + line for line in before)
                for condition, child in reversed(ways):
                    opening = self.else_ if condition is None else self.if_.format(condition)
                    if self.end:
                        stack.append(margin + self.end)
                    stack.append((child, level + 1))
                    stack.append(margin + opening)

    def _ways(self, node: Node) -> tuple[list[str], list[tuple[str | None, int]]]:
        """Lines before the first condition; each branch's condition, None for all else."""
        test, child = node.test, node.children
        if isinstance(test, Threshold):
            x, cut = self.names[test.feature], self.number(test.cut)
            # A comparison with a missing value, which is NaN, is false.
            below = f"{x} <= {cut}" if test.missing else self.not_.format(f"{x} > {cut}")
            return [], [(below, child[0]), (None, child[1])]
        if isinstance(test, Known):
            return [], [(self._known(test.feature), child[0]), (None, child[1])]
        if isinstance(test, Category):
            return [], self._category_ways(test, child)
        if isinstance(test, LinearThresholdUnit):
            total = self._sum(test.terms, test.weights)
            return [], [(f"{total} <= {self.number(test.cut)}", child[0]), (None, child[1])]
        assert isinstance(test, LinearMachine)
        sums = [f"s{node.id}_{b}" for b in range(test.n_branches)]
        rows = zip(sums, test.weights, test.constants, strict=True)
        lines = [
            self.local.format(name, self.total.format(self._sum(test.terms, weights, constant)))
            for name, weights, constant in rows
        ]
        return lines, [*self._greatest(sums, child)]

    def _greatest(self, sums: list[str], child: range) -> Iterator[tuple[str | None, int]]:
        """The first of the greatest: each needs to be compared with later ones only."""
        for b, name in enumerate(sums[:-1]):
            yield self.and_.join(f"{name} >= {other}" for other in sums[b + 1 :]), child[b]
        yield None, child[-1]

    def _category_ways(self, test: Category, child: range) -> list[tuple[str | None, int]]:
        ways: list[tuple[str | None, int]] = []
        if test.missing != test.unseen:
            missing = self.missing_symbol.format(self.names[test.feature])
            ways.append((missing, child[certain(test.missing)]))
        for branch, symbols in branch_symbols(test):
            ways.append((self.is_one_of(test.feature, symbols), child[branch]))
        return [*ways, (None, child[certain(test.unseen)])]

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
