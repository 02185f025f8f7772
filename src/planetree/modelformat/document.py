"""The model file as a whole; its nodes are in `nodes`, the estimator's parameters in `params`."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree.errors import ModelFileError
from planetree.modelformat.nodes import node_entries, read_nodes
from planetree.modelformat.params import param_entry, plain, read_param
from planetree.modelformat.strictjson import (
    Where,
    flag,
    listed,
    parse,
    record,
    scalar,
    shown,
    text,
    whole,
    wrong,
)
from planetree.schema import Feature, Schema, Symbol
from planetree.tree import Tree

__all__ = ["Model", "feature_entry", "from_text", "read_features", "rising", "to_text"]

FORMAT, VERSION = "planetree-model", 1
KEYS = (
    *("format", "version", "planetree", "estimator"),
    *("classes", "classes_dtype", "named", "features", "nodes"),
)

_DTYPE = re.compile(r"\|b1|\|O|\|[iu]1|[<>][iu][248]|[<>]f[248]|[<>]U[1-9][0-9]{0,8}")
# A dtype of text may be this wide though no label is: a short file must not ask for much memory.
_SPARE_WIDTH = 256


@dataclass(frozen=True, eq=False)
class Model:
    """What of a fitted estimator is kept.

    Parameters
    ----------
    tree : Tree
        The tree.
    classes : ndarray
        The class labels, sorted.
    named : bool
        Whether the columns of the training data had names.
    params : Mapping
        The estimator's parameters; read from a file, `params.Lost` for a value that was not kept.
    """

    tree: Tree
    classes: NDArray[Any]
    named: bool
    params: Mapping[str, Any]


# --- writing --------------------------------------------------------------------------------------


def to_text(model: Model) -> str:
    """Text of a model: a feature a line, a node a line."""
    document = _document(model)
    try:
        _read(document, model.params)
    except ModelFileError as error:
        raise ModelFileError(f"this model cannot be saved: {error}") from None
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    entries = []
    for key, value in document.items():
        if key in ("features", "nodes"):
            lines = ",\n    ".join(map(encode, value))
            entries.append(f'  "{key}": [\n    {lines}\n  ]')
        else:
            entries.append(f'  "{key}": {encode(value)}')
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _document(model: Model) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "version": VERSION,
        "planetree": version("planetree"),
        "estimator": {
            "class": "PlaneTreeClassifier",
            "params": {name: param_entry(value) for name, value in model.params.items()},
        },
        "classes": _plain(model.classes.tolist()),
        "classes_dtype": _dtype_entry(model.classes),
        "named": model.named,
        "features": [feature_entry(feature) for feature in model.tree.schema.features],
        "nodes": node_entries(model.tree),
    }


def _plain(values: Collection[Any]) -> list[Any]:
    """Python's own values in place of NumPy's."""
    return [plain(value) for value in values]


def _dtype_entry(classes: NDArray[Any]) -> str:
    if classes.dtype.kind != "U":
        return classes.dtype.str
    longest = max(map(len, classes.tolist()))
    width = min(classes.dtype.itemsize // 4, max(longest, _SPARE_WIDTH))
    return classes.dtype.str[:2] + str(width)


def feature_entry(feature: Feature) -> dict[str, Any]:
    """What stands in the file for a feature."""
    entry: dict[str, Any] = {"name": feature.name, "kind": feature.kind}
    if feature.kind == "symbolic":
        entry["symbols"] = _plain(feature.symbols)
    return {**entry, "missing": feature.missing}


# --- reading --------------------------------------------------------------------------------------


def from_text(source: str, params: Collection[str]) -> Model:
    """Model that the text describes, of an estimator with these parameters; or ModelFileError."""
    return _read(parse(source), params)


def _read(document: Any, known_params: Collection[str]) -> Model:
    here = version("planetree")
    if not isinstance(document, dict):
        raise ModelFileError(f"not a planetree model: an object is needed, not {shown(document)}")
    for key in ("format", "version", "planetree"):
        if key not in document:
            raise ModelFileError(f'not a planetree model: "{key}" is missing')
    if document["format"] == "planetree-rules":
        raise ModelFileError("these are rules, not a tree: planetree.rules.load_rules reads them")
    if document["format"] != FORMAT:
        raise ModelFileError(f'not a planetree model: "format" is {shown(document["format"])}')
    if whole(document["version"], ("version",), 1) > VERSION:
        raise ModelFileError(
            f"the file has version {document['version']} of the format, and planetree {here} "
            f"reads version {VERSION}: upgrade planetree"
        )
    writer = text(document["planetree"], ("planetree",))
    try:
        record(document, (), KEYS)
        params = _estimator(document["estimator"], known_params)
        classes = _classes(document["classes"], document["classes_dtype"])
        named = flag(document["named"], ("named",))
        schema = Schema(read_features(document["features"]))
        tests, counts, n_rows = read_nodes(document["nodes"], schema, len(classes))
    except ModelFileError as error:
        if writer == here:
            raise
        # A later release may know more tests and parameters without a new version of the format.
        raise ModelFileError(
            f"{error} (written by planetree {writer:.20}; this is {here})"
        ) from None
    return Model(
        Tree(schema, tuple(classes.tolist()), tests, counts, n_rows), classes, named, params
    )


def _estimator(value: Any, known_params: Collection[str]) -> dict[str, Any]:
    at: Where = ("estimator",)
    record(value, at, ["class", "params"])
    if value["class"] != "PlaneTreeClassifier":
        raise wrong((*at, "class"), f'must be "PlaneTreeClassifier", not {shown(value["class"])}')
    at = (*at, "params")
    return {
        name: read_param(v, (*at, name))
        for name, v in record(value["params"], at, (), known_params).items()
    }


def _classes(labels: Any, dtype: Any) -> NDArray[Any]:
    labels = rising(labels, ("classes",))
    if not _DTYPE.fullmatch(text(dtype, ("classes_dtype",))):
        raise wrong(
            ("classes_dtype",),
            f'must be NumPy\'s own name of a dtype of labels, such as "<i8", not {shown(dtype)}',
        )
    kind = dtype[1]
    holds = {"U": str, "O": str, "b": bool, "f": float}.get(kind, int)
    if type(labels[0]) is not holds:
        raise wrong(
            ("classes", 0), f"must be {holds.__name__} like {dtype}, not {shown(labels[0])}"
        )
    if kind in "iu":
        span = np.iinfo(dtype)
        for i, label in enumerate(labels):
            whole(label, ("classes", i), int(span.min), int(span.max))
    if kind == "U" and int(dtype[2:]) > max(*map(len, labels), _SPARE_WIDTH):
        raise wrong(("classes_dtype",), f"{dtype} is wider than its labels need")
    with np.errstate(over="ignore", under="ignore"):
        classes = np.array(labels, dtype)
    for i, (label, held) in enumerate(zip(labels, classes.tolist(), strict=True)):
        if held != label:
            raise wrong(("classes", i), f"{dtype} cannot hold {shown(label)}")
    return classes


def read_features(entries: Any) -> tuple[Feature, ...]:
    """Features of a file."""
    features: dict[str, Feature] = {}
    for i, entry in enumerate(listed(entries, ("features",))):
        at = ("features", i)
        symbolic = isinstance(entry, dict) and entry.get("kind") == "symbolic"
        record(entry, at, ["name", "kind", "missing"] + ["symbols"] * symbolic)
        name, kind = text(entry["name"], (*at, "name")), entry["kind"]
        if kind not in ("numeric", "boolean", "symbolic"):
            raise wrong((*at, "kind"), f"must be numeric, boolean or symbolic, not {shown(kind)}")
        if name in features:
            raise wrong((*at, "name"), f"two features are named {shown(name)}")
        symbols = tuple(rising(entry["symbols"], (*at, "symbols"))) if symbolic else ()
        features[name] = Feature(name, kind, symbols, flag(entry["missing"], (*at, "missing")))
    if not features:
        raise wrong(("features",), "must have an entry")
    return tuple(features.values())


def rising(values: Any, at: Where) -> list[Symbol]:
    """At least one symbol, all of one type, each greater than the one before."""
    symbols = [scalar(value, (*at, i)) for i, value in enumerate(listed(values, at))]
    if not symbols:
        raise wrong(at, "must have an entry")
    for i, (before, after) in enumerate(pairwise(symbols), 1):
        if type(before) is not type(after):
            raise wrong((*at, i), f"{shown(after)} is not of the same type as {shown(before)}")
        if not before < after:  # type: ignore[operator]
            raise wrong((*at, i), f"{shown(after)} does not come after {shown(before)}")
    return symbols
