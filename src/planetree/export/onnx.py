"""Trees as ONNX graphs.

ONNX' own operators for trees know neither linear tests nor branches for unseen symbols, and their
older versions compare in single precision. Here every operation is one of double precision.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from planetree.errors import TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.export.onnxgraph import ML_OPSET, OPSET, Container, Graph, Sink, tensor_type
from planetree.export.onnxwalk import write_answer
from planetree.export.source import Model, summary, tree_of
from planetree.extras import require
from planetree.schema import Schema

__all__ = ["register_converter", "to_onnx"]

IR_VERSION = 7
MISSING_TEXT = ""


@dataclass(frozen=True)
class _Input:
    """A tensor with some of the columns, in their order."""

    name: str
    n_columns: int
    is_text: bool


def _matrix(sink: Sink, schema: Schema, inputs: Sequence[_Input], real: Any) -> str:
    """All features side by side as the tests read them."""
    real_type = tensor_type(real)
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
    >>> from planetree.pruners import Unpruned
    >>> tree = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"])
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
    graph = Graph(prefix)
    label, shares = "label", "probabilities"
    while label in schema.names:
        label += "_"
    while shares in schema.names:
        shares += "_"
    write_answer(graph, tree, _matrix(graph, schema, inputs, real), label, shares, real, real)
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
        sink = Container(scope, container)
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
        write_answer(sink, tree, X, label, shares, np.float64, given)

    skl2onnx.update_registered_converter(
        PlaneTreeClassifier,
        "PlaneTreeClassifier",
        shapes,
        convert,
        options={"zipmap": [True, False, "columns"], "nocl": [True, False]},
    )
