"""Fitted trees for other programs: each export predicts what the tree itself predicts.

Every function takes a fitted `PlaneTreeClassifier` or a `Tree` and returns the export;
docs/exports.md says how the promise is checked.
"""

from planetree.export.c import to_c
from planetree.export.dot import to_dot
from planetree.export.onnx import register_converter, to_onnx
from planetree.export.python import to_python
from planetree.export.rules import to_rules, to_rules_json
from planetree.export.sql import DIALECTS, to_sql

__all__ = [
    "DIALECTS",
    "register_converter",
    "to_c",
    "to_dot",
    "to_onnx",
    "to_python",
    "to_rules",
    "to_rules_json",
    "to_sql",
]
