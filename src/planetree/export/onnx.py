"""Trees as ONNX graphs.

The graph is the prediction on flat arrays (`planetree.nodetests.FlatTests`) said in ONNX: a loop
that takes all rows one test further, as often as the tree is deep. ONNX' own operators for trees
know neither linear tests nor branches for unseen symbols, and their older versions compare in
single precision. Here every operation is one of double precision, done in the order of
`planetree.planes.project`, so the answer is `predict`'s to the last bit.

Where rows go down several branches in parts, one loop asks every test of every row, one multiplies
the parts along the paths, and one adds up the leaves in the order in which prediction does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.export.source import Model, summary, tree_of
from planetree.extras import require
from planetree.nodetests import EVERY
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.schema import Schema
from planetree.tree import Tree

__all__ = ["register_converter", "to_onnx"]

OPSET, ML_OPSET, IR_VERSION = 13, 2, 7  # the oldest that has every operation we use
MISSING_TEXT = ""
AnyArray = NDArray[Any]


@dataclass(frozen=True)
class _Input:
    """A tensor with some of the columns, in their order."""

    name: str
    n_columns: int
    is_text: bool


class _Sink(Protocol):
    """Where operations are written."""

    def add(self, op: str, *inputs: str, output: str | None = None, **attributes: Any) -> str: ...

    def constant(self, name: str, values: AnyArray) -> str: ...

    def name(self, hint: str) -> str: ...


class _Graph:
    """Operations and constants of one graph."""

    def __init__(self, prefix: str = "") -> None:
        self.onnx = require("onnx", extra="onnx", purpose="export to ONNX")
        self.prefix = prefix
        self.nodes: list[Any] = []
        self.constants: list[Any] = []
        self._n = 0

    def name(self, hint: str) -> str:
        """A name that no other value has."""
        self._n += 1
        return f"{self.prefix}{hint}_{self._n}"

    def add(self, op: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Write an operation; the name of its result."""
        result = output or self.name(op.lower())
        domain = "ai.onnx.ml" if op == "LabelEncoder" else ""
        self.nodes.append(
            self.onnx.helper.make_node(op, inputs, [result], domain=domain, **attributes)
        )
        return result

    def constant(self, name: str, values: AnyArray) -> str:
        """Write a constant; its name."""
        result = self.name(name)
        values = np.asarray(values)
        if values.dtype.kind in "UO":
            data = [str(v).encode() for v in values.ravel()]
            tensor = self.onnx.helper.make_tensor(
                result, self.onnx.TensorProto.STRING, values.shape, data
            )
        else:
            tensor = self.onnx.numpy_helper.from_array(values, result)
        self.constants.append(tensor)
        return result


class _Container:
    """The graph that skl2onnx is writing."""

    def __init__(self, scope: Any, container: Any) -> None:
        self._scope, self._container = scope, container

    def name(self, hint: str) -> str:
        return str(self._scope.get_unique_variable_name(f"planetree_{hint}"))

    def add(self, op: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        result = output or self.name(op.lower())
        self._container.add_node(
            op,
            list(inputs),
            [result],
            op_domain="ai.onnx.ml" if op == "LabelEncoder" else "",
            op_version=ML_OPSET if op == "LabelEncoder" else OPSET,
            name=self._scope.get_unique_operator_name(op),
            **attributes,
        )
        return result

    def constant(self, name: str, values: AnyArray) -> str:
        onnx = require("onnx", extra="onnx", purpose="export to ONNX")
        result = self.name(name)
        values = np.asarray(values)
        kind = (
            onnx.TensorProto.STRING
            if values.dtype.kind in "UO"
            else onnx.helper.np_dtype_to_tensor_dtype(values.dtype)
        )
        self._container.add_initializer(result, kind, values.shape, values.ravel().tolist())
        return result


# --- the walk -------------------------------------------------------------------------------------


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

    def __init__(self, graph: _Graph, tree: Tree, X: str, real: Any) -> None:
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
        branch = g.add("Cast", g.add("Not", below), to=7)
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
        code = g.add("Cast", g.add("Where", missing, zero, value), to=7)
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
            is_it = g.add("Cast", g.add("Equal", x, symbol), to=_type(self.real))
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
        branch = g.add("Cast", above, to=7)
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


class _Loop:
    """The body of an ONNX loop: it carries one value on, or gives one result a round.

    What it reads of the graph outside needs no saying.
    """

    def __init__(self, sink: _Sink) -> None:
        self.sink, self.graph = sink, _Graph(prefix=sink.name("step") + "_")
        names = (self.graph.name(word) for word in ("count", "going", "carried", "still"))
        self.count, self.going, self.carried, self.still = names

    def write(self, n_rounds: int, result: str, kind: int, rank: int, start: str = "") -> str:
        """End the body and write the loop.

        Parameters
        ----------
        n_rounds : int
            How often the body is done.
        result : str
            What a round makes.
        kind, rank : int
            Its type, and how many axes it has.
        start : str, default=""
            What is carried on begins so; without it each round's result is kept.
        """
        helper = require("onnx", extra="onnx", purpose="export to ONNX").helper
        graph = self.graph
        graph.add("Identity", self.going, output=self.still)
        last = graph.add("Identity", result)
        carried = [helper.make_tensor_value_info(self.carried, kind, [None] * rank)]
        body = helper.make_graph(
            graph.nodes,
            "step",
            [
                helper.make_tensor_value_info(self.count, 7, []),
                helper.make_tensor_value_info(self.going, 9, []),
                *(carried if start else []),
            ],
            [
                helper.make_tensor_value_info(self.still, 9, []),
                helper.make_tensor_value_info(last, kind, [None] * rank),
            ],
            graph.constants,
        )
        rounds = self.sink.constant("rounds", np.array(n_rounds))
        yes = self.sink.constant("yes", np.array(True))
        return self.sink.add("Loop", rounds, yes, *([start] if start else []), body=body)


def _filled(sink: _Sink, X: str, values: AnyArray) -> str:
    """The same values for every row, which may be more than one a row."""
    rows = sink.add("Gather", sink.add("Shape", X), sink.constant("first", np.array([0])))
    shape = sink.add(
        "Concat", rows, sink.constant("width", np.array(values.shape, np.int64)), axis=0
    )
    return sink.add("Expand", sink.constant("value", values), shape)


def _answer(
    sink: _Sink, tree: Tree, X: str, label: str, shares: str, real: Any, given: Any
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
    sink.add("Cast", total, output=shares, to=_type(given))


def _type(real: Any) -> int:
    onnx = require("onnx", extra="onnx", purpose="export to ONNX")
    return int(onnx.helper.np_dtype_to_tensor_dtype(np.dtype(real)))


def _walk(sink: _Sink, tree: Tree, X: str, real: Any) -> str:
    """Leaf of every row."""
    start = _filled(sink, X, np.zeros((), np.int64))
    if tree.n_tests == 0:
        return start
    loop = _Loop(sink)
    following = _Step(loop.graph, tree, X, real).following(loop.carried)
    return loop.write(tree.max_depth, following, 7, 1, start)


def _parts(sink: _Sink, tree: Tree, X: str, real: Any) -> str:
    """How much of every row is at each node: a line a node."""
    inner = np.flatnonzero(~tree.is_leaf)
    # Which way every row would go from every node that has a test.
    loop = _Loop(sink)
    g = loop.graph
    node = g.add("Gather", g.constant("inner", inner), loop.count)
    nodes = g.add("Add", _filled(g, X, np.zeros((), np.int64)), node)
    branches = loop.write(len(inner), _Step(g, tree, X, real).branch(nodes), 7, 1)
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
    loop = _Loop(sink)
    g = loop.graph
    above = g.add("Gather", loop.carried, g.constant("parent", parent), axis=0)
    return loop.write(tree.max_depth, g.add("Mul", above, factor), _type(real), 2, factor)


def _summed(sink: _Sink, tree: Tree, parts: str, X: str, real: Any) -> str:
    """Probabilities over all leaves, added in the order of their numbers."""
    leaves = np.flatnonzero(tree.is_leaf)
    loop = _Loop(sink)
    g = loop.graph
    leaf = g.add("Gather", g.constant("leaves", leaves), loop.count)
    part = g.add("Unsqueeze", g.add("Gather", parts, leaf, axis=0), g.constant("1", np.array([1])))
    share = g.add("Gather", g.constant("shares", tree.probabilities.astype(real)), leaf, axis=0)
    added = g.add("Add", loop.carried, g.add("Mul", part, share))
    start = _filled(sink, X, np.zeros(len(tree.classes), real))
    return loop.write(len(leaves), added, _type(real), 2, start)


def _matrix(sink: _Sink, schema: Schema, inputs: Sequence[_Input], real: Any) -> str:
    """All features side by side as the tests read them."""
    real_type = _type(real)
    features = list(schema.features)
    parts = []
    for place in inputs:
        mine, features = features[: place.n_columns], features[place.n_columns :]
        symbolic = [feature.kind == "symbolic" for feature in mine]
        if place.is_text != all(symbolic) or place.is_text != any(symbolic):
            names = ", ".join(feature.name for feature in mine)
            raise TableError(
                f"the input {place.name} holds {'text' if place.is_text else 'numbers'}, but not "
                f"all of {names} are that; give text and numbers as separate inputs"
            )
        if not place.is_text:
            parts.append(sink.add("Cast", place.name, to=real_type))
            continue
        for j, feature in enumerate(mine):
            column = place.name
            if len(mine) > 1:
                column = sink.add("Gather", place.name, sink.constant("j", np.array([j])), axis=1)
            codes = {str(symbol): code for code, symbol in enumerate(feature.symbols)}
            if MISSING_TEXT in codes:
                raise TableError(
                    f"ONNX knows no missing text, so an empty one stands for it; but in column "
                    f"{feature.name} empty text is a symbol"
                )
            code = sink.add(
                "LabelEncoder",
                column,
                keys_strings=[*codes, MISSING_TEXT],
                values_int64s=[*codes.values(), -1],
                default_int64=len(codes),
            )
            none = sink.constant("none", np.zeros(1, np.int64))
            known = sink.add("Not", sink.add("Less", code, none))
            nan = sink.constant("nan", np.full(1, np.nan, real))
            parts.append(sink.add("Where", known, sink.add("Cast", code, to=real_type), nan))
    if features:
        raise TableError(f"the tree has a column {features[0].name}, but no input holds it")
    return parts[0] if len(parts) == 1 else sink.add("Concat", *parts, axis=1)


def to_onnx(model: Model, *, single: bool = False) -> Any:
    """Make an ONNX model of a tree; needs ``planetree[onnx]``.

    Where all features are numbers or booleans it takes one matrix ``X``, else an input of shape
    (n_rows, 1) for each feature, named like it: a number, or text. NaN is a missing number, empty
    text a missing symbol. It gives ``label`` and ``probabilities``.

    Parameters
    ----------
    model : PlaneTreeClassifier or Tree
        A fitted one.
    single : bool, default=False
        Take, compare and give numbers of single precision. A row whose value lies within half a
        unit of the seventh digit above a cut then goes the wrong way.

    Returns
    -------
    onnx.ModelProto
        Its ``SerializeToString()`` is what stands in a file.

    Examples
    --------
    >>> import pytest
    >>> onnx = pytest.importorskip("onnx")
    >>> from planetree import export
    >>> from planetree.presets import CART
    >>> tree = CART().fit([[1.0], [2.0]], ["a", "b"])
    >>> graph = export.to_onnx(tree).graph
    >>> [value.name for value in [*graph.input, *graph.output]]
    ['X', 'label', 'probabilities']
    """
    tree = tree_of(model, "ONNX")
    onnx = require("onnx", extra="onnx", purpose="export to ONNX")
    helper, kinds = onnx.helper, onnx.TensorProto
    real = np.float32 if single else np.float64
    real_type = kinds.FLOAT if single else kinds.DOUBLE
    schema = tree.schema
    if schema.only_numbers:
        inputs = [_Input("X", len(schema.features), is_text=False)]
    else:
        inputs = [_Input(f.name, 1, is_text=f.kind == "symbolic") for f in schema.features]
    # Names of the graph's own values must differ from those of the columns.
    prefix = "planetree_"
    while any(name.startswith(prefix) for name in schema.names):
        prefix += "_"
    graph = _Graph(prefix)
    label, shares = "label", "probabilities"
    while label in schema.names:
        label += "_"
    while shares in schema.names:
        shares += "_"
    _answer(graph, tree, _matrix(graph, schema, inputs, real), label, shares, real, real)
    kind = np.array(tree.classes).dtype
    label_type = kinds.STRING if kind.kind == "U" else int(helper.np_dtype_to_tensor_dtype(kind))
    made = helper.make_graph(
        graph.nodes,
        "planetree",
        [
            helper.make_tensor_value_info(
                place.name, kinds.STRING if place.is_text else real_type, [None, place.n_columns]
            )
            for place in inputs
        ],
        [
            helper.make_tensor_value_info(label, label_type, [None]),
            helper.make_tensor_value_info(shares, real_type, [None, len(tree.classes)]),
        ],
        graph.constants,
        doc_string=summary(tree),
    )
    domains = [("", OPSET), ("ai.onnx.ml", ML_OPSET)]
    opsets = [helper.make_opsetid(domain, version) for domain, version in domains]
    result = helper.make_model(
        made, opset_imports=opsets, ir_version=IR_VERSION, producer_name="planetree"
    )
    onnx.checker.check_model(result)
    return result


# --- skl2onnx -------------------------------------------------------------------------------------


def register_converter() -> None:
    """Teach skl2onnx our estimator, so that it converts pipelines that end in one.

    Probabilities are of double precision where the tree gets such numbers (``DoubleTensorType``),
    with ``options={"zipmap": False}``: ONNX' ZipMap knows single precision only.

    Examples
    --------
    >>> import pytest
    >>> skl2onnx = pytest.importorskip("skl2onnx")
    >>> from planetree import export
    >>> export.register_converter()
    """
    skl2onnx = require("skl2onnx", extra="onnx", purpose="planetree.export.register_converter")
    types = require(
        "skl2onnx.common.data_types", extra="onnx", purpose="planetree.export.register_converter"
    )

    def shapes(operator: Any) -> None:
        tree = operator.raw_operator.tree_
        rows = operator.inputs[0].type.shape[0]
        double = any(isinstance(i.type, types.DoubleTensorType) for i in operator.inputs)
        kind = np.array(tree.classes).dtype.kind
        label = types.StringTensorType if kind == "U" else types.Int64TensorType
        shares = types.DoubleTensorType if double else types.FloatTensorType
        operator.outputs[0].type = label([rows])
        operator.outputs[1].type = shares([rows, len(tree.classes)])

    def convert(scope: Any, operator: Any, container: Any) -> None:
        tree = tree_of(operator.raw_operator, "ONNX")
        sink = _Container(scope, container)
        inputs = [
            _Input(
                variable.full_name,
                int(variable.type.shape[1]),
                isinstance(variable.type, types.StringTensorType),
            )
            for variable in operator.inputs
        ]
        label, shares = (output.full_name for output in operator.outputs)
        double = isinstance(operator.outputs[1].type, types.DoubleTensorType)
        given = np.float64 if double else np.float32
        X = _matrix(sink, tree.schema, inputs, np.float64)
        _answer(sink, tree, X, label, shares, np.float64, given)

    skl2onnx.update_registered_converter(
        PlaneTreeClassifier,
        "PlaneTreeClassifier",
        shapes,
        convert,
        options={"zipmap": [True, False, "columns"], "nocl": [True, False]},
    )
