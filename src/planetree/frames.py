"""Trees as data frames, of pandas or polars, whichever there is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from planetree.errors import MissingExtraError
from planetree.extras import require
from planetree.nodetests import Category, Known, NodeTest, Threshold
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.schema import Schema

if TYPE_CHECKING:
    from planetree.tree import Tree

__all__ = ["Library", "frame", "test_columns"]

Library = Literal["pandas", "polars"]
WHOLE = ("node", "depth", "branch", "missing", "unseen")
COLUMNS = (
    *("node", "depth", "kind", "branch", "feature", "symbol"),
    *("weight", "fill", "cut", "constant", "missing", "unseen"),
)


def frame(columns: Mapping[str, Sequence[Any]], purpose: str, library: Library | None) -> Any:
    """Data frame of these columns; of pandas, or of polars where only that is installed."""
    if library not in (None, "pandas", "polars"):
        raise ValueError(f'library must be "pandas", "polars" or None, not {library!r}')
    if library is None:
        try:
            require("pandas", extra="pandas", purpose=purpose)
            library = "pandas"
        except MissingExtraError:
            library = "polars"
        try:
            require(library, extra=library, purpose=purpose)
        except MissingExtraError:
            raise MissingExtraError(purpose, "pandas or polars", extra="pandas") from None
    module = require(library, extra=library, purpose=purpose)
    if library == "polars":
        return module.DataFrame(dict(columns), strict=False)
    made = module.DataFrame(dict(columns))
    return made.astype({name: "Int64" for name in WHOLE if name in made})


def test_columns(tree: Tree) -> dict[str, list[Any]]:
    """Weights, cuts and fills of all tests, a row a term."""
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    for node in tree.walk():
        if node.test is None:
            continue
        for entry in _entries(node.test, tree.schema):
            entry |= {"node": node.id, "depth": node.depth, "kind": node.test.kind}
            for name, values in columns.items():
                values.append(entry.get(name))
    return columns


def _entries(test: NodeTest, schema: Schema) -> Iterator[dict[str, Any]]:
    """One row a term, of a machine a term and branch, of a category test a symbol."""
    if isinstance(test, Threshold):
        own = {"weight": 1.0, "cut": test.cut, "missing": test.missing}
        yield {"feature": schema.names[test.feature], **own}
    elif isinstance(test, Known):
        yield {"feature": schema.names[test.feature], "missing": 1}
    elif isinstance(test, Category):
        feature = schema.features[test.feature]
        for symbol, branch in zip(feature.symbols, test.branches, strict=True):
            own = {"missing": test.missing, "unseen": test.unseen}
            yield {"feature": feature.name, "symbol": str(symbol), "branch": branch, **own}
    elif isinstance(test, LinearThresholdUnit):
        for term, weight in zip(test.terms, test.weights, strict=True):
            yield {**_term(term, schema), "weight": weight, "cut": test.cut}
    elif isinstance(test, LinearMachine):
        for branch, weights in enumerate(test.weights):
            constant = test.constants[branch]
            for term, weight in zip(test.terms, weights, strict=True):
                own = {"branch": branch, "weight": weight, "constant": constant}
                yield {**_term(term, schema), **own}
    else:
        raise TypeError(f"no frame knows tests of the kind {test.kind}")


def _term(term: Term, schema: Schema) -> dict[str, Any]:
    feature = schema.features[term.feature]
    symbol = None if term.symbol is None else str(feature.symbols[term.symbol])
    return {"feature": feature.name, "symbol": symbol, "fill": term.fill}
