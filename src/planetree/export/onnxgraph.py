"""Where ONNX operations are written: a graph of ours, the one skl2onnx is writing, and loops."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from planetree.extras import require

__all__ = [
    "INT64",
    "ML_OPSET",
    "OPSET",
    "AnyArray",
    "Container",
    "Graph",
    "Loop",
    "Sink",
    "tensor_type",
]

OPSET, ML_OPSET = 13, 2  # the oldest that have every operation we use
INT64, BOOL = 7, 9  # what ONNX calls these types
AnyArray = NDArray[Any]


class Sink(Protocol):
    """Where operations are written."""

    def add(self, op: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:
        """Write an operation; the name of its result."""

    def constant(self, name: str, values: AnyArray) -> str:
        """Write a constant; its name."""

    def name(self, hint: str) -> str:
        """A name that no other value has."""


class Graph:
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


class Container:
    """The graph that skl2onnx is writing."""

    def __init__(self, scope: Any, container: Any) -> None:
        self._scope, self._container = scope, container

    def name(self, hint: str) -> str:  # noqa: D102
        return str(self._scope.get_unique_variable_name(f"planetree_{hint}"))

    def add(self, op: str, *inputs: str, output: str | None = None, **attributes: Any) -> str:  # noqa: D102
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

    def constant(self, name: str, values: AnyArray) -> str:  # noqa: D102
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


class Loop:
    """The body of an ONNX loop: it carries one value on, or gives one result a round.

    What it reads of the graph outside needs no saying.
    """

    def __init__(self, sink: Sink) -> None:
        self.sink, self.graph = sink, Graph(prefix=sink.name("step") + "_")
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
                helper.make_tensor_value_info(self.count, INT64, []),
                helper.make_tensor_value_info(self.going, BOOL, []),
                *(carried if start else []),
            ],
            [
                helper.make_tensor_value_info(self.still, BOOL, []),
                helper.make_tensor_value_info(last, kind, [None] * rank),
            ],
            graph.constants,
        )
        rounds = self.sink.constant("rounds", np.array(n_rounds))
        yes = self.sink.constant("yes", np.array(True))
        return self.sink.add("Loop", rounds, yes, *([start] if start else []), body=body)


def tensor_type(real: Any) -> int:
    """What ONNX calls a type of numpy's numbers."""
    onnx = require("onnx", extra="onnx", purpose="export to ONNX")
    return int(onnx.helper.np_dtype_to_tensor_dtype(np.dtype(real)))
