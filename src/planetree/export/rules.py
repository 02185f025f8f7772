"""Rules as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from planetree.export.source import Model, tree_of
from planetree.nodetests import Category, Known, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.rules import Condition, RuleSet
from planetree.schema import Schema

__all__ = ["to_rules", "to_rules_json"]


def to_rules(model: Model | RuleSet, *, digits: int = 6) -> str:
    """Write rules as text, a line each.

    Parameters
    ----------
    model : PlaneTreeClassifier, Tree or RuleSet
        A fitted tree, whose paths are the rules, or rules.
    digits : int, default=6
        Significant digits of the numbers shown; the JSON has all.

    Returns
    -------
    str
        The rules in order, then the default.

    Examples
    --------
    >>> from planetree import export
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> print(export.to_rules(CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"])))
    1. x0 ≤ 1.5 → a (1, 25 %)
    2. x0 > 1.5 → b (1, 25 %)
    otherwise → a
    """
    return _rules_of(model, "rules").to_text(digits=digits) + "\n"


def to_rules_json(model: Model | RuleSet) -> str:
    """Write rules as JSON, every number to the last bit; docs/exports.md has its form.

    Parameters
    ----------
    model : PlaneTreeClassifier, Tree or RuleSet
        A fitted tree, whose paths are the rules, or rules.

    Returns
    -------
    str
        One object.

    Examples
    --------
    >>> import json
    >>> from planetree import export
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> text = export.to_rules_json(CART(pruner=Unpruned()).fit([[1.0], [2.0]], ["a", "b"]))
    >>> rules = json.loads(text)["rules"]
    >>> rules[0]["if"]
    [{'feature': 'x0', 'is': '<=', 'value': 1.5, 'missing': True}]
    >>> rules[0]["then"]
    'a'
    """
    rules = _rules_of(model, "JSON")
    schema = rules.schema
    document = {
        "format": "planetree-rules",
        "version": 1,
        "features": [
            {"name": f.name, "kind": f.kind, **({"symbols": f.symbols} if f.symbols else {})}
            for f in schema.features
        ],
        "classes": list(rules.classes),
        "rules": [
            {
                "if": [_condition(schema, condition) for condition in rule.conditions],
                "then": rule.label,
                "text": rule.describe(schema),
                "coverage": rule.coverage,
                "correct": rule.correct,
                "accuracy": rule.accuracy,
            }
            for rule in rules.rules
        ],
        "otherwise": rules.default,
    }
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _rules_of(model: Model | RuleSet, export: str) -> RuleSet:
    return model if isinstance(model, RuleSet) else tree_of(model, export).to_rules()


def _condition(schema: Schema, condition: Condition) -> dict[str, Any]:
    test, branch = condition.test, condition.branch
    if isinstance(test, LinearThresholdUnit):
        total = _sum(schema, test.terms, test.weights)
        # A sum that is no number is not below the cut.
        return {"sum": total, "is": "<=" if branch == 0 else "not <=", "value": test.cut}
    if isinstance(test, LinearMachine):
        rows = zip(test.constants, test.weights, strict=True)
        sums = [{"constant": c, "sum": _sum(schema, test.terms, row)} for c, row in rows]
        return {"sums": sums, "is": "first greatest", "value": branch}
    feature = schema.features[test.features[0]]
    if isinstance(test, Threshold):
        sign = "<=" if branch == 0 else ">"
        missing = test.missing == branch
        return {"feature": feature.name, "is": sign, "value": test.cut, "missing": missing}
    if isinstance(test, Known):
        return {"feature": feature.name, "is": "known" if branch == 0 else "missing"}
    assert isinstance(test, Category)
    return {
        "feature": feature.name,
        "is": "in",
        "value": [s for s, b in zip(feature.symbols, test.branches, strict=True) if b == branch],
        "missing": test.missing == branch,
        "unseen": test.unseen == branch,
    }


def _sum(schema: Schema, terms: Sequence[Term], weights: Sequence[float]) -> list[dict[str, Any]]:
    entries = []
    for term, weight in zip(terms, weights, strict=True):
        feature = schema.features[term.feature]
        entry: dict[str, Any] = {"weight": weight, "feature": feature.name}
        if term.symbol is not None:
            entry["symbol"] = feature.symbols[term.symbol]
        entries.append({**entry, "missing_as": term.fill})
    return entries
