"""Trees and rules as the commands hold them: read from a file, written to one, told of."""

from __future__ import annotations

import io
import sys
from typing import Any

import planetree
from planetree.errors import ModelFileError
from planetree.estimator import PlaneTreeClassifier
from planetree.rules import RuleSet, load_rules
from planetree.schema import Schema
from planetree.text import counted
from planetree.tree import Tree

__all__ = [
    "Predictor",
    "facts",
    "model_text",
    "read_model",
    "read_predictor",
    "schema_of",
    "summary",
]

Predictor = PlaneTreeClassifier | RuleSet


def model_text(predictor: Predictor) -> str:
    """Write a model, or rules, down.

    Parameters
    ----------
    predictor : PlaneTreeClassifier or RuleSet
        A fitted tree, or rules.

    Returns
    -------
    str
        What `read_predictor` reads.
    """
    buffer = io.StringIO()
    predictor.save(buffer)
    return buffer.getvalue()


def _standard_input() -> io.StringIO:
    try:
        return io.StringIO(sys.stdin.buffer.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise ModelFileError("standard input: not a planetree model: not UTF-8 text") from None


def _model(source: str | io.StringIO) -> PlaneTreeClassifier:
    try:
        return planetree.load(source)
    except ModelFileError as error:
        if isinstance(source, str):
            raise  # it names the file
        raise ModelFileError(f"standard input: {error}") from None


def read_model(where: str) -> PlaneTreeClassifier:
    """Read a model.

    Parameters
    ----------
    where : str
        A path, or ``-`` for standard input.

    Returns
    -------
    PlaneTreeClassifier
        As it was saved.
    """
    return _model(_standard_input() if where == "-" else where)


def read_predictor(where: str) -> Predictor:
    """Read a model, or rules.

    Parameters
    ----------
    where : str
        A path, or ``-`` for standard input.

    Returns
    -------
    PlaneTreeClassifier or RuleSet
        As it was saved.
    """
    source: str | io.StringIO = where
    if where == "-":
        source = _standard_input()
        beginning = source.read(200)
        source.seek(0)
    else:
        with open(where, encoding="utf-8-sig", errors="replace") as file:
            beginning = file.read(200)
    if '"planetree-rules"' not in beginning:
        return _model(source)
    try:
        return load_rules(source)
    except ModelFileError as error:
        raise ModelFileError(f"{'standard input' if where == '-' else where}: {error}") from None


def schema_of(predictor: Predictor) -> Schema:
    """Tell what columns a model, or rules, read.

    Parameters
    ----------
    predictor : PlaneTreeClassifier or RuleSet
        What predicts.

    Returns
    -------
    Schema
        Its features.
    """
    return predictor.schema if isinstance(predictor, RuleSet) else predictor.tree_.schema


def facts(of: Tree | RuleSet) -> dict[str, Any]:
    """Tell the size and parts of a tree, or of rules.

    Parameters
    ----------
    of : Tree or RuleSet
        The tree, or the rules.

    Returns
    -------
    dict
        Ready for JSON.
    """
    if isinstance(of, RuleSet):
        conditions = [condition for rule in of.rules for condition in rule.conditions]
        return {
            "rules": len(of),
            "conditions": len(conditions),
            **_features(of.schema, {f for c in conditions for f in c.test.features}),
            "classes": [str(label) for label in of.classes],
            "default": str(of.default),
        }
    return {
        "tests": of.n_tests,
        "leaves": of.n_leaves,
        "depth": of.max_depth,
        **_features(of.schema, {f for test in of.tests if test is not None for f in test.features}),
        "training_rows": int(of.n_rows[0]),
        "training_weight": float(of.counts[0].sum()),
        "classes": {str(c): float(w) for c, w in zip(of.classes, of.counts[0], strict=True)},
    }


def _features(schema: Schema, used: set[int]) -> dict[str, Any]:
    return {
        "features": [
            {"name": feature.name, "kind": feature.kind, "used": i in used}
            for i, feature in enumerate(schema.features)
        ],
        "features_used": [schema.names[i] for i in sorted(used)],
    }


def summary(of: Tree | RuleSet) -> str:
    """Tell the size of a tree, or of rules, in a line.

    Parameters
    ----------
    of : Tree or RuleSet
        The tree, or the rules.

    Returns
    -------
    str
        The line.
    """
    told = facts(of)
    used = f"{len(told['features_used'])} of {counted(len(told['features']), 'feature')} used"
    classes = f"{len(told['classes'])} classes"
    if isinstance(of, RuleSet):
        size = f"{counted(len(of), 'rule')}, {counted(told['conditions'], 'condition')}"
        return f"{size}; {used}; {classes}"
    rows = counted(told["training_rows"], "training row")
    if told["training_weight"] != told["training_rows"]:
        rows += f" of weight {told['training_weight']:.6g}"
    return (
        f"{counted(told['tests'], 'test')}, {counted(told['leaves'], 'leaf', 'leaves')}, "
        f"depth {told['depth']}; {used}; {rows}, {classes}"
    )
