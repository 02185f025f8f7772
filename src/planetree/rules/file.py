"""Rules in a file: written as text, and read back with all that can be wrong with them.

The file is a sibling of the model file and written in the same way; nothing in it is trusted.
"""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

from planetree.errors import ModelFileError
from planetree.modelformat.document import feature_entry, read_features, rising
from planetree.modelformat.nodes import read_test, test_entry
from planetree.modelformat.params import plain
from planetree.modelformat.strictjson import (
    Where,
    listed,
    number,
    parse,
    record,
    shown,
    whole,
    wrong,
)
from planetree.rules.values import Condition, Rule, RuleSet
from planetree.schema import Schema, Symbol
from planetree.textfile import FilePath, Readable, read_text

__all__ = ["from_text", "load_rules", "to_text"]

FORMAT, VERSION = "planetree-rules", 1
KEYS = ("format", "version", "planetree", "classes", "features", "rules", "default")


def load_rules(file: FilePath | Readable) -> RuleSet:
    """Read rules that `RuleSet.save` wrote.

    Nothing in the file is run, and everything is checked before a rule is made of it.

    Parameters
    ----------
    file : str, path or text file
        Where to read.

    Returns
    -------
    RuleSet
        Equal to those that were saved.

    Raises
    ------
    ModelFileError
        Saying what is wrong with the file, and where in it.

    Examples
    --------
    >>> import io
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> from planetree.rules import load_rules
    >>> rules = CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]).to_rules()
    >>> file = io.StringIO()
    >>> rules.save(file)
    >>> load_rules(io.StringIO(file.getvalue())) == rules
    True
    """
    try:
        return from_text(read_text(file))
    except UnicodeDecodeError as error:
        raise ModelFileError(f"not UTF-8: {error}") from None


def to_text(rules: RuleSet) -> str:
    """Text of a set of rules: a feature a line, a rule a line."""
    place = {label: i for i, label in enumerate(rules.classes)}
    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "planetree": version("planetree"),
        "classes": [plain(label) for label in rules.classes],
        "features": [feature_entry(feature) for feature in rules.schema.features],
        "rules": [_entry(rule, rules.schema, place[rule.label]) for rule in rules.rules],
        "default": place[rules.default],
    }
    _read(document)
    encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
    entries = []
    for key, value in document.items():
        if key in ("features", "rules") and value:
            lines = ",\n    ".join(map(encode, value))
            entries.append(f'  "{key}": [\n    {lines}\n  ]')
        else:
            entries.append(f'  "{key}": {encode(value)}')
    return "{\n" + ",\n".join(entries) + "\n}\n"


def _entry(rule: Rule, schema: Schema, label: int) -> dict[str, Any]:
    return {
        "rule": rule.describe(schema),
        "conditions": [{"test": test_entry(c.test), "branch": c.branch} for c in rule.conditions],
        "label": label,
        "coverage": rule.coverage,
        "correct": rule.correct,
        "accuracy": rule.accuracy,
    }


def from_text(source: str) -> RuleSet:
    """Rules that the text describes, or ModelFileError."""
    return _read(parse(source))


def _read(document: Any) -> RuleSet:
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        found = document.get("format") if isinstance(document, dict) else document
        raise ModelFileError(
            f'not a file of rules: "format" must be "{FORMAT}", not {shown(found)}'
        )
    if whole(document.get("version"), ("version",), 1) > VERSION:
        raise ModelFileError(
            f"the file has version {document['version']} of the format of rules, and planetree "
            f"{version('planetree')} reads version {VERSION}: upgrade planetree"
        )
    record(document, (), KEYS)
    classes = tuple(rising(document["classes"], ("classes",)))
    schema = Schema(read_features(document["features"]))
    rules = tuple(
        _rule(entry, ("rules", i), schema, classes)
        for i, entry in enumerate(listed(document["rules"], ("rules",)))
    )
    default = classes[whole(document["default"], ("default",), 0, len(classes) - 1)]
    return RuleSet(schema, classes, rules, default)


def _rule(entry: Any, at: Where, schema: Schema, classes: tuple[Symbol, ...]) -> Rule:
    record(entry, at, ("conditions", "label", "coverage", "correct", "accuracy"), ("rule",))
    conditions = []
    for j, condition in enumerate(listed(entry["conditions"], (*at, "conditions"))):
        here = (*at, "conditions", j)
        record(condition, here, ("test", "branch"))
        test = read_test(condition["test"], (*here, "test"), schema)
        branch = whole(condition["branch"], (*here, "branch"), 0, test.n_branches - 1)
        conditions.append(Condition(test, branch))
    figures = {k: number(entry[k], (*at, k)) for k in ("coverage", "correct", "accuracy")}
    if not 0 <= figures["correct"] <= figures["coverage"]:
        raise wrong((*at, "correct"), "must be between 0 and the coverage")
    if not 0 <= figures["accuracy"] <= 1:
        raise wrong((*at, "accuracy"), "must be between 0 and 1")
    label = whole(entry["label"], (*at, "label"), 0, len(classes) - 1)
    return Rule(tuple(conditions), classes[label], **figures)
