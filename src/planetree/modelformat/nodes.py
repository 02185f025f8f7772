"""The nodes of a model file: written, and read back with all that can be wrong with them.

Nodes stand breadth first, so the order alone says where branches lead; `children` says it again for
readers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from planetree.modelformat.params import plain
from planetree.modelformat.strictjson import Where, listed, number, record, shown, whole, wrong
from planetree.nodetests import Category, Known, NodeTest, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.schema import Kind, Schema
from planetree.tree import Tree

__all__ = ["TESTS", "node_entries", "read_nodes", "read_test", "test_entry"]

MOST_BRANCHES = 2**31 - 1  # the kernels number nodes in 32 bits
MOST_WEIGHT = 1e308  # a sum of counts stays finite in whatever order it is made


# --- writing --------------------------------------------------------------------------------------


def node_entries(tree: Tree) -> list[dict[str, Any]]:
    """Entry of every node."""
    entries = []
    child = 1
    rows = zip(tree.tests, tree.n_rows.tolist(), tree.counts.tolist(), strict=True)
    for i, (test, n_rows, counts) in enumerate(rows):
        entry: dict[str, Any] = {"id": i}
        if test is not None:
            entry["test"] = test_entry(test)
            entry["children"] = list(range(child, child + test.n_branches))
            child += test.n_branches
        entry["n_rows"] = n_rows
        entry["counts"] = [int(c) if c.is_integer() and c < 2**53 else c for c in counts]
        entries.append(entry)
    return entries


def test_entry(test: NodeTest) -> dict[str, Any]:
    """What stands in the file for a test."""
    return {"kind": test.kind, **_fields_entry(test)}


def _fields_entry(thing: NodeTest | Term) -> dict[str, Any]:
    """The fields by name."""
    return {field.name: _field_entry(getattr(thing, field.name)) for field in fields(thing)}


def _field_entry(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_field_entry(item) for item in value]
    if isinstance(value, Term):  # what a term has none of is left out
        return {name: v for name, v in _fields_entry(value).items() if v is not None}
    return plain(value)


# --- reading --------------------------------------------------------------------------------------


def read_nodes(
    entries: Any, schema: Schema, n_classes: int
) -> tuple[tuple[NodeTest | None, ...], NDArray[np.float64], NDArray[np.int64]]:
    """Test, counts and rows of every node."""
    tests: list[NodeTest | None] = []
    counts: list[list[float]] = []
    n_rows: list[int] = []
    child = 1  # where the branches of the next test must begin
    for i, entry in enumerate(listed(entries, ("nodes",))):
        at = ("nodes", i)
        inner = isinstance(entry, dict) and ("test" in entry or "children" in entry)
        record(entry, at, ["id", "n_rows", "counts"] + ["test", "children"] * inner)
        if whole(entry["id"], (*at, "id")) != i:
            raise wrong((*at, "id"), f"must be {i}, the node's place")
        if i > 0 and i >= child:
            raise wrong(at, "no test leads here")
        n_rows.append(whole(entry["n_rows"], (*at, "n_rows")))
        counts.append(_counts(entry["counts"], (*at, "counts"), n_classes))
        test = read_test(entry["test"], (*at, "test"), schema) if inner else None
        tests.append(test)
        if test is not None:
            expected = range(child, child + test.n_branches)
            _children(entry["children"], (*at, "children"), expected, len(entries))
            child = expected.stop
    if not tests:
        raise wrong(("nodes",), "must have an entry")
    _check_sums(tests, counts, n_rows)
    return tuple(tests), np.array(counts, np.float64), np.array(n_rows, np.int64)


def _children(value: Any, at: Where, expected: range, n_nodes: int) -> None:
    for j, child in enumerate(listed(value, at, len(expected))):
        if whole(child, (*at, j)) >= n_nodes:
            raise wrong((*at, j), f"there is no node {child}; the model has {n_nodes}")
        if child != expected[j]:
            raise wrong((*at, j), f"must be {expected[j]}, not {child}: nodes stand breadth first")


def _counts(value: Any, at: Where, n_classes: int) -> list[float]:
    counts = [number(count, (*at, k)) for k, count in enumerate(listed(value, at, n_classes))]
    for k, count in enumerate(counts):
        if count < 0:
            raise wrong((*at, k), "must not be negative")
    if not 0 < sum(counts) <= MOST_WEIGHT:
        raise wrong(at, f"their sum must be greater than 0 and at most {MOST_WEIGHT:g}")
    return counts


def _check_sums(tests: list[NodeTest | None], counts: list[list[float]], n_rows: list[int]) -> None:
    """The branches of a node share its rows: sums of the same weights, equal but for rounding."""
    child = 1
    for i, test in enumerate(tests):
        if test is None:
            continue
        branches = slice(child, child + test.n_branches)
        child = branches.stop
        rows = sum(n_rows[branches])
        # A row in parts is on several branches.
        if n_rows[i] != rows and not (test.shares and max(n_rows[branches]) <= n_rows[i] < rows):
            raise wrong(("nodes", i, "n_rows"), f"is {n_rows[i]}, but its branches have {rows}")
        # Adding n numbers in any order is wrong by at most n roundings of their sum; a part has
        # two more, of its share and its product.
        rounding = (3 * rows + test.n_branches) * 2.0**-52 * sum(counts[i])
        for k, branch_counts in enumerate(zip(*counts[branches], strict=True)):
            if not abs(sum(branch_counts) - counts[i][k]) <= rounding:
                raise wrong(
                    ("nodes", i, "counts", k),
                    f"is {counts[i][k]!r}, but its branches have {sum(branch_counts)!r}",
                )


# --- tests ----------------------------------------------------------------------------------------


def read_test(entry: Any, at: Where, schema: Schema) -> NodeTest:
    """Test that an entry describes."""
    if not isinstance(entry, dict) or "kind" not in entry:
        raise wrong(at, "must be an object with a kind")
    read = TESTS.get(entry["kind"]) if isinstance(entry["kind"], str) else None
    if read is None:
        raise wrong((*at, "kind"), f"must be {' or '.join(TESTS)}, not {shown(entry['kind'])}")
    return read(entry, at, schema)


def _feature_place(value: Any, at: Where, schema: Schema) -> int:
    i = whole(value, at)
    if i >= len(schema.features):
        raise wrong(at, f"there is no feature {i}; the model has {len(schema.features)}")
    return i


def _feature(entry: dict[str, Any], at: Where, schema: Schema, *kinds: Kind) -> int:
    """The place of a feature of one of these kinds."""
    i = _feature_place(entry["feature"], (*at, "feature"), schema)
    if schema.features[i].kind not in kinds:
        raise wrong(
            (*at, "feature"),
            f"a {entry['kind']} test cannot ask feature {i}, which is {schema.features[i].kind}",
        )
    return i


def _threshold(entry: dict[str, Any], at: Where, schema: Schema) -> Threshold:
    record(entry, at, ["kind", "feature", "cut", "missing"])
    feature = _feature(entry, at, schema, "numeric", "boolean")
    cut = number(entry["cut"], (*at, "cut"))
    return Threshold(feature, cut, _branch(entry["missing"], (*at, "missing"), 1))


def _known(entry: dict[str, Any], at: Where, schema: Schema) -> Known:
    record(entry, at, ["kind", "feature"])
    return Known(_feature(entry, at, schema, "numeric", "boolean", "symbolic"))


def _category(entry: dict[str, Any], at: Where, schema: Schema) -> Category:
    record(entry, at, ["kind", "feature", "branches", "missing", "unseen"])
    feature = _feature(entry, at, schema, "symbolic")
    n_symbols = len(schema.features[feature].symbols)
    branches = listed(entry["branches"], (*at, "branches"), n_symbols)
    test = Category(
        feature,
        tuple(_branch(b, (*at, "branches", v)) for v, b in enumerate(branches)),
        _branch(entry["missing"], (*at, "missing")),
        _branch(entry["unseen"], (*at, "unseen")),
    )
    if test.n_branches < 2:
        raise wrong(at, "a test has two branches or more")
    return test


def _branch(value: Any, at: Where, most: int = MOST_BRANCHES - 1) -> int | None:
    """A branch; null is every branch, in parts."""
    return None if value is None else whole(value, at, 0, most)


def _terms(value: Any, at: Where, schema: Schema) -> tuple[Term, ...]:
    terms: dict[tuple[int, int | None], Term] = {}
    for j, entry in enumerate(listed(value, at)):
        term = _term(entry, (*at, j), schema)
        if (term.feature, term.symbol) in terms:
            raise wrong((*at, j), f"the input {term.name(schema)} is there twice")
        terms[term.feature, term.symbol] = term
    if not terms:
        raise wrong(at, "must have an entry")
    return tuple(terms.values())


def _term(entry: Any, at: Where, schema: Schema) -> Term:
    record(entry, at, ["feature", "fill"], ["symbol"])
    i = _feature_place(entry["feature"], (*at, "feature"), schema)
    feature = schema.features[i]
    symbol = None
    if feature.kind == "symbolic":
        record(entry, at, ["feature", "symbol", "fill"])
        most = len(feature.symbols) - 1
        symbol = whole(entry["symbol"], (*at, "symbol"), 0, most)
    elif "symbol" in entry:
        raise wrong((*at, "symbol"), f"feature {i} is {feature.kind} and has no symbols")
    return Term(i, symbol, number(entry["fill"], (*at, "fill")))


def _numbers(value: Any, at: Where, length: int | None = None) -> tuple[float, ...]:
    return tuple(number(v, (*at, j)) for j, v in enumerate(listed(value, at, length)))


def _linear(entry: dict[str, Any], at: Where, schema: Schema) -> LinearThresholdUnit:
    record(entry, at, ["kind", "terms", "weights", "cut"])
    terms = _terms(entry["terms"], (*at, "terms"), schema)
    weights = _numbers(entry["weights"], (*at, "weights"), len(terms))
    return LinearThresholdUnit(terms, weights, number(entry["cut"], (*at, "cut")))


def _machine(entry: dict[str, Any], at: Where, schema: Schema) -> LinearMachine:
    record(entry, at, ["kind", "terms", "weights", "constants"])
    terms = _terms(entry["terms"], (*at, "terms"), schema)
    constants = _numbers(entry["constants"], (*at, "constants"))
    if len(constants) < 2:
        raise wrong((*at, "constants"), "a test has two branches or more")
    rows = listed(entry["weights"], (*at, "weights"), len(constants))
    weights = [_numbers(row, (*at, "weights", b), len(terms)) for b, row in enumerate(rows)]
    return LinearMachine(terms, tuple(weights), constants)


# How a test of each kind is read; all are written as their fields. A new kind is one reader more.
TESTS: dict[str, Callable[[dict[str, Any], Where, Schema], NodeTest]] = {
    Threshold.kind: _threshold,
    Known.kind: _known,
    Category.kind: _category,
    LinearThresholdUnit.kind: _linear,
    LinearMachine.kind: _machine,
}
