"""What a table's columns are: names, kinds and symbols."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

__all__ = ["Column", "Feature", "Kind", "Schema", "Symbol"]

Symbol = str | int | float | bool
Kind = Literal["numeric", "boolean", "symbolic"]


@dataclass(frozen=True, slots=True)
class Feature:
    """A column of the user's table.

    Numbers are kept as they are, a boolean as 0 and 1, a symbol as its place in `symbols`. A
    missing value is NaN in all three; a symbol that is not in `symbols` is ``len(symbols)``.

    Parameters
    ----------
    name : str
        The column's name.
    kind : {"numeric", "boolean", "symbolic"}
        How its values are to be read.
    symbols : tuple
        The values of a symbolic column that training saw, sorted.
    missing : bool
        Whether training saw missing values here.

    Examples
    --------
    >>> from planetree.schema import Feature
    >>> Feature("colour", "symbolic", ("blue", "red"))
    Feature(name='colour', kind='symbolic', symbols=('blue', 'red'), missing=False)
    """

    name: str
    kind: Kind = "numeric"
    symbols: tuple[Symbol, ...] = ()
    missing: bool = False

    def is_unseen(self, x: float) -> bool:
        """Whether `x` stands for a symbol that training never saw."""
        return self.kind == "symbolic" and x >= len(self.symbols)

    def value(self, x: float) -> Symbol | None:
        """What `x` stands for in the user's table; None where that is not known."""
        if math.isnan(x):
            return None
        if self.kind == "boolean":
            return bool(x)
        if self.kind == "symbolic":
            return self.symbols[int(x)] if x < len(self.symbols) else None
        return float(x)


@dataclass(frozen=True, slots=True)
class Column:
    """A column that may be cut: a feature itself, or whether it is one of its symbols.

    Parameters
    ----------
    feature : int
        Which feature.
    symbol : int or None
        None for the feature itself; else the column is 1 where the feature is this symbol, 0 where
        it is another, and NaN where it is missing.

    Examples
    --------
    >>> from planetree.schema import Column
    >>> Column(feature=2, symbol=None)
    Column(feature=2, symbol=None)
    """

    feature: int
    symbol: int | None = None


@dataclass(frozen=True)
class Schema:
    """The features of a table, in order.

    Parameters
    ----------
    features : tuple of Feature
        One a column.

    Examples
    --------
    >>> from planetree.schema import Feature, Schema
    >>> schema = Schema((Feature("age"), Feature("sex", "symbolic", ("female", "male"))))
    >>> schema.columns
    (Column(feature=0, symbol=None), Column(feature=1, symbol=1))
    """

    features: tuple[Feature, ...]

    @property
    def names(self) -> list[str]:
        """The features' names."""
        return [feature.name for feature in self.features]

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The encoded columns: a number or boolean is one, two symbols are one, more are one each.

        A feature of a single symbol is a column only where some rows miss it: else it tells
        nothing.
        """
        columns: list[Column] = []
        for i, feature in enumerate(self.features):
            n_symbols = len(feature.symbols)
            if feature.kind != "symbolic":
                columns.append(Column(i))
            elif n_symbols == 2 or (n_symbols == 1 and feature.missing):
                columns.append(Column(i, n_symbols - 1))
            elif n_symbols > 2:
                columns.extend(Column(i, symbol) for symbol in range(n_symbols))
        return tuple(columns)

    @cached_property
    def only_numbers(self) -> bool:
        """Whether the encoded columns are the features themselves."""
        return all(feature.kind != "symbolic" for feature in self.features)
