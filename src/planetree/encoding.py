"""What prepares a table for a tree, as steps for scikit-learn's pipelines."""

from __future__ import annotations

from itertools import combinations
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from planetree.errors import TableError
from planetree.schema import Schema
from planetree.table import Columns, Table, is_mapping, read_like, read_training, split

__all__ = ["ColumnEncoder", "Products"]

Floats = NDArray[np.float64]


class _Step(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Reads any table, and remembers what its columns are."""

    schema_: Schema
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find out what each column is.

        Parameters
        ----------
        X : array, data frame or mapping of shape (n_rows, n_features)
            The training data.
        y : ignored
            Nothing is asked of it.

        Returns
        -------
        object
            The step itself.
        """
        del y
        self.schema_, rows = read_training(split(X))
        self._learn(rows)
        if is_mapping(X):
            self.n_features_in_ = len(self.schema_.features)
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)
        else:
            validate_data(self, X, skip_check_array=True)
        return self

    def _learn(self, rows: Floats) -> None:
        """What else is to be known of the training data."""

    def _read(self, X: Any) -> tuple[Columns, Floats]:
        """The table's own columns, and what a model reads in them."""
        check_is_fitted(self)
        columns = split(X, self.schema_.names)
        if not is_mapping(X):
            validate_data(self, X, reset=False, skip_check_array=True)
        return columns, read_like(columns, self.schema_)


class ColumnEncoder(_Step):
    """Turns any table into the columns that linear tests weigh.

    A number or boolean stays one column; two symbols are one 0/1 column, more are one each. A
    missing value stays NaN.

    Examples
    --------
    >>> from planetree.encoding import ColumnEncoder
    >>> X = {"age": [20, None, 60], "town": ["Rom", "Ulm", "Bonn"]}
    >>> ColumnEncoder().fit_transform(X)
    array([[20.,  0.,  1.,  0.],
           [nan,  0.,  0.,  1.],
           [60.,  1.,  0.,  0.]])
    """

    def transform(self, X: Any) -> Floats:
        """Encode rows.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        ndarray of float64
            One column an entry of ``schema_.columns``.
        """
        _, rows = self._read(X)
        return Table(self.schema_, rows, np.zeros(len(rows), np.int32), ("",)).encoded


class Products(_Step):
    """Adds the product of every two numeric features as a column, ``a·b``.

    A tree behind it has tests such as ``a·b ≤ 3``: the interaction terms that Bioch et al. (1997,
    section 6) leave open. All other columns stay as they are; a product with a missing value is
    missing. Booleans and symbols have no part in it.

    Parameters
    ----------
    center : bool, default=False
        Multiply the differences from the features' means, ``(a − 3.5)·(b − 2)``; what a product
        says depends on where the numbers begin. The means have six significant digits, so that the
        name says all.
    squares : bool, default=False
        Add the product of each feature with itself, ``a·a``, as well.

    Attributes
    ----------
    products_ : dict
        By the name of each new column the two features, and the number taken off each of them.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from planetree.encoding import Products
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> X = {"width": [1, 4, 2, 5, 3, 6], "height": [6, 2, 2, 3, 3, 1]}
    >>> y = ["s", "l", "s", "l", "l", "s"]
    >>> tree = make_pipeline(Products(), CART(pruner=Unpruned())).fit(X, y)
    >>> print(tree[-1].tree_)
    ├─ width·height ≤ 7 → s (3)
    └─ width·height > 7 → l (3)
    """

    products_: dict[str, tuple[tuple[str, float], tuple[str, float]]]

    def __init__(self, center: bool = False, squares: bool = False) -> None:
        self.center = center
        self.squares = squares

    def _learn(self, rows: Floats) -> None:
        for name in ("center", "squares"):
            if not isinstance(getattr(self, name), bool | np.bool_):
                raise ValueError(f"{name} of Products must be True or False")
        factors = []
        for j, feature in enumerate(self.schema_.features):
            if feature.kind == "numeric":
                mean = float(f"{np.nanmean(rows[:, j]):.6g}") if self.center else 0.0
                factors.append((feature.name, mean))
        pairs = [*combinations(factors, 2), *((f, f) for f in factors if self.squares)]
        self.products_ = {
            f"{_factor(*one)}·{_factor(*other)}": (one, other) for one, other in pairs
        }
        for name in self.products_:
            if name in self.schema_.names:
                raise TableError(f"there is a column {name} already: Products would make another")

    def transform(self, X: Any) -> dict[str, Any]:
        """Add the products.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        dict
            By name the columns that were there, and the products behind them.
        """
        columns, rows = self._read(X)
        x = dict(zip(self.schema_.names, rows.T, strict=True))
        named = columns if isinstance(columns, dict) else x
        with np.errstate(over="ignore"):
            return dict(named) | {
                name: (x[a] - less_a) * (x[b] - less_b)
                for name, ((a, less_a), (b, less_b)) in self.products_.items()
            }


def _factor(name: str, less: float) -> str:
    if less == 0:
        return name
    return f"({name} {'−' if less > 0 else '+'} {abs(less):.6g})"
