"""From the features of every row to its class, in ONNX operations.

The graph is the prediction on flat arrays (`planetree.nodetests.FlatTests`): a loop that takes all
rows one test further, as often as the tree is deep. Every operation is done in the order of
`planetree.planes.project`, so the answer is `predict`'s to the last bit. Where rows go down several
branches in parts, one loop asks every test of every row, one multiplies the parts along the paths,
and one adds up the leaves in the order in which prediction does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from planetree.export.onnxgraph import INT64, AnyArray, Graph, Loop, Sink, tensor_type
from planetree.nodetests import EVERY
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.tree import Tree

__all__ = ["write_answer"]


@dataclass(frozen=True)
class _Linear:
    """The linear tests of a tree, made equally long: a row a test."""

    place: AnyArray  # of each node, among the tests; 0 where there is none
    is_linear: AnyArray  # of each node
    is_machine: AnyArray
    cut: AnyArray
    feature: AnyArray  # of each test and term
    symbol: AnyArray  # -1 for a number
    fill: AnyArray
    weight: AnyArray  # of each test, term and sum
    constant: AnyArray  # of each test and sum

    @classmethod
    def of(cls, tree: Tree) -> _Linear | None:
        nodes = [
            (i, test)
            for i, test in enumerate(tree.tests)
            if isinstance(test, LinearThresholdUnit | LinearMachine)
        ]
        if not nodes:
            return None
        n_terms = max(1, *(len(test.terms) for _, test in nodes))
        n_sums = max(test.n_branches if isinstance(test, LinearMachine) else 1 for _, test in nodes)
        shape = (len(nodes), n_terms)
        place, is_linear = np.zeros(tree.n_nodes, np.int64), np.zeros(tree.n_nodes, bool)
        is_machine, cut = np.zeros(len(nodes), bool), np.zeros(len(nodes))
        feature, symbol = np.zeros(shape, np.int64), np.full(shape, -1.0)
        fill, weight = np.zeros(shape), np.zeros((*shape, n_sums))
        constant = np.full((len(nodes), n_sums), -np.inf)  # a sum too many is never the greatest
        for t, (i, test) in enumerate(nodes):
            place[i], is_linear[i] = t, True
            for j, term in enumerate(test.terms):
                feature[t, j], fill[t, j] = term.feature, term.fill
                symbol[t, j] = -1.0 if term.symbol is None else term.symbol
            if isinstance(test, LinearMachine):
                is_machine[t] = True
                weight[t, : len(test.terms), : test.n_branches] = np.array(test.weights).T
                constant[t, : test.n_branches] = test.constants
            else:
                cut[t] = test.cut
                weight[t, : len(test.terms), 0] = test.weights
                constant[t, 0] = 0.0
        return cls(place, is_linear, is_machine, cut, feature, symbol, fill, weight, constant)


class _Step:
    """One test further, for all rows."""

    def __init__(self, graph: Graph, tree: Tree, X: str, real: Any) -> None:
        self.graph, self.tree, self.X, self.real = graph, tree, X, real

    def following(self, node: str) -> str:
        """The nodes next to those the rows are at."""
        g, of = self.graph, self._of_node(node)
        child = g.add("Add", of("first_child", self.tree.first_child), self.branch(node))
        return g.add("Where", of("is_leaf", self.tree.is_leaf), node, child)

    def branch(self, node: str) -> str:
        """The branches the rows take from the nodes they are at; `EVERY` for all of them."""
        g, tree, flat = self.graph, self.tree, self.tree._flat
        arrays = flat.arrays
        of = self._of_node(node)
        value = g.add(
            "GatherElements",
            self.X,
            g.add("Unsqueeze", of("feature", arrays["feature"]), self._axis(1)),
            axis=1,
        )
        value = g.add("Squeeze", value, self._axis(1))
        below = g.add("LessOrEqual", value, of("cut", arrays["cut"], real=True))
        branch = g.add("Cast", g.add("Not", below), to=INT64)
        missing = g.add("IsNaN", value)
        if flat.branch_table:
            branch = self._category(of, value, missing, branch)
        branch = g.add("Where", missing, of("missing", arrays["missing"]), branch)
        linear = _Linear.of(tree)
        if linear is not None:
            is_linear = of("is_linear", linear.is_linear)
            branch = g.add("Where", is_linear, self._linear(linear, node), branch)
        return branch

    def _category(self, of: Any, value: str, missing: str, otherwise: str) -> str:
        g, flat = self.graph, self.tree._flat
        arrays = flat.arrays
        # With the strangers' branch behind those of the symbols, each code has its place.
        table: list[int] = []
        start = np.zeros(self.tree.n_nodes, np.int64)
        is_category = arrays["kind"] == flat.CATEGORY
        for i in np.flatnonzero(is_category):
            start[i] = len(table)
            begin = arrays["table_start"][i]
            table += [
                *flat.branch_table[begin : begin + arrays["n_symbols"][i]],
                int(arrays["unseen"][i]),
            ]
        zero = g.constant("zero", np.zeros(1, self.real))
        code = g.add("Cast", g.add("Where", missing, zero, value), to=INT64)
        place = g.add(
            "Min",
            g.add("Max", code, g.constant("none", np.zeros(1, np.int64))),
            of("n_symbols", arrays["n_symbols"]),
        )
        place = g.add("Add", place, of("table_start", start))
        # Rows at other nodes look somewhere too, and what they find is not used.
        last = g.constant("last", np.array([len(table) - 1]))
        place = g.add("Min", place, last)
        found = g.add("Gather", g.constant("table", np.array(table, np.int64)), place)
        return g.add("Where", of("is_category", is_category), found, otherwise)

    def _linear(self, linear: _Linear, node: str) -> str:
        g = self.graph
        of = self._of_node(g.add("Gather", g.constant("test", linear.place), node))
        x = g.add("GatherElements", self.X, of("term_feature", linear.feature), axis=1)
        value = x
        if (linear.symbol >= 0).any():
            symbol = of("term_symbol", linear.symbol, real=True)
            is_it = g.add("Cast", g.add("Equal", x, symbol), to=tensor_type(self.real))
            number = g.constant("number", np.full(1, -1, self.real))
            value = g.add("Where", g.add("Equal", symbol, number), x, is_it)
        value = g.add("Where", g.add("IsNaN", x), of("fill", linear.fill, real=True), value)
        total = of("constant", linear.constant, real=True)
        for j in range(linear.feature.shape[1]):
            term = g.add("Gather", value, g.constant("j", np.array([j])), axis=1)
            weight = of("weight", linear.weight[:, j, :], real=True)
            total = g.add("Add", total, g.add("Mul", weight, term))
        first = g.add(
            "Squeeze",
            g.add("Gather", total, g.constant("first", np.array([0])), axis=1),
            self._axis(1),
        )
        above = g.add("Not", g.add("LessOrEqual", first, of("linear_cut", linear.cut, real=True)))
        branch = g.add("Cast", above, to=INT64)
        if linear.is_machine.any():
            least = g.constant("least", np.full(1, -np.inf, self.real))
            total = g.add("Where", g.add("IsNaN", total), least, total)
            winner = g.add("ArgMax", total, axis=1, keepdims=0)
            branch = g.add("Where", of("is_machine", linear.is_machine), winner, branch)
        return branch

    def _of_node(self, place: str) -> Any:
        """What reads an array at the rows' places."""

        def read(name: str, values: AnyArray, real: bool = False) -> str:
            dtype = self.real if real else np.bool_ if values.dtype == bool else np.int64
            return self.graph.add(
                "Gather", self.graph.constant(name, values.astype(dtype)), place, axis=0
            )

        return read

    def _axis(self, axis: int) -> str:
        return self.graph.constant("axis", np.array([axis]))


def _filled(sink: Sink, X: str, values: AnyArray) -> str:
    """The same values for every row, which may be more than one a row."""
    rows = sink.add("Gather", sink.add("Shape", X), sink.constant("first", np.array([0])))
    shape = sink.add(
        "Concat", rows, sink.constant("width", np.array(values.shape, np.int64)), axis=0
    )
    return sink.add("Expand", sink.constant("value", values), shape)


def write_answer(
    sink: Sink, tree: Tree, X: str, label: str, shares: str, real: Any, given: Any
) -> None:
    """Write what leads from the features to the classes and probabilities.

    `real` is what is reckoned with, `given` what the probabilities are given in.
    """
    if not tree.shares:
        leaf = _walk(sink, tree, X, real)
        classes = np.array(tree.classes)
        sink.add("Gather", sink.constant("labels", classes[tree.labels]), leaf, output=label)
        values = tree.probabilities.astype(given)
        sink.add("Gather", sink.constant("shares", values), leaf, output=shares, axis=0)
        return
    total = _summed(sink, tree, _parts(sink, tree, X, real), X, real)
    best = sink.add("ArgMax", total, axis=1, keepdims=0)
    sink.add("Gather", sink.constant("classes", np.array(tree.classes)), best, output=label)
    sink.add("Cast", total, output=shares, to=tensor_type(given))


def _walk(sink: Sink, tree: Tree, X: str, real: Any) -> str:
    """Leaf of every row."""
    start = _filled(sink, X, np.zeros((), np.int64))
    if tree.n_tests == 0:
        return start
    loop = Loop(sink)
    following = _Step(loop.graph, tree, X, real).following(loop.carried)
    return loop.write(tree.max_depth, following, INT64, 1, start)


def _parts(sink: Sink, tree: Tree, X: str, real: Any) -> str:
    """How much of every row is at each node: a line a node."""
    inner = np.flatnonzero(~tree.is_leaf)
    # Which way every row would go from every node that has a test.
    loop = Loop(sink)
    g = loop.graph
    node = g.add("Gather", g.constant("inner", inner), loop.count)
    nodes = g.add("Add", _filled(g, X, np.zeros((), np.int64)), node)
    branches = loop.write(len(inner), _Step(g, tree, X, real).branch(nodes), INT64, 1)
    # What share of the parent's part every node gets; the root is its own parent, and keeps it.
    parent = np.maximum(tree.parent, 0).astype(np.int64)
    place = np.arange(tree.n_nodes) - tree.first_child[parent]
    asked = sink.constant("asked", np.searchsorted(inner, parent))
    taken = sink.add("Gather", branches, asked, axis=0)
    mine = sink.add("Equal", taken, sink.constant("place", place[:, None].astype(np.int64)))
    every = sink.add("Equal", taken, sink.constant("every", np.full((1, 1), EVERY)))
    share, one, none = (
        sink.constant(name, np.asarray(values, real).reshape(-1, 1))
        for name, values in (("share", tree.branch_share), ("one", 1.0), ("none", 0.0))
    )
    factor = sink.add("Where", mine, one, sink.add("Where", every, share, none))
    is_root = sink.constant("is_root", (np.arange(tree.n_nodes) == 0)[:, None])
    factor = sink.add("Where", is_root, one, factor)
    # After as many rounds as the tree is deep every node has what its path leaves of a row.
    loop = Loop(sink)
    g = loop.graph
    above = g.add("Gather", loop.carried, g.constant("parent", parent), axis=0)
    return loop.write(tree.max_depth, g.add("Mul", above, factor), tensor_type(real), 2, factor)


def _summed(sink: Sink, tree: Tree, parts: str, X: str, real: Any) -> str:
    """Probabilities over all leaves, added in the order of their numbers."""
    leaves = np.flatnonzero(tree.is_leaf)
    loop = Loop(sink)
    g = loop.graph
    leaf = g.add("Gather", g.constant("leaves", leaves), loop.count)
    part = g.add("Unsqueeze", g.add("Gather", parts, leaf, axis=0), g.constant("1", np.array([1])))
    share = g.add("Gather", g.constant("shares", tree.probabilities.astype(real)), leaf, axis=0)
    added = g.add("Add", loop.carried, g.add("Mul", part, share))
    start = _filled(sink, X, np.zeros(len(tree.classes), real))
    return loop.write(len(leaves), added, tensor_type(real), 2, start)
