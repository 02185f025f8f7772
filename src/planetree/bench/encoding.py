"""Tables for systems that know only numbers, or only pandas frames."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from planetree.extras import require
from planetree.schema import Schema
from planetree.table import Table, read_like, read_training, split

__all__ = ["AsFrame", "Encode"]

Floats = NDArray[np.float64]


class Encode(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Numbers for scikit-learn's estimators: 0/1 columns for symbols, means for missing values.

    A number or boolean stays one column, two symbols are one column, more are one each. A missing
    value becomes the mean of its encoded column over the training rows, so a missing symbol
    becomes the shares of the symbols. A symbol that training has not seen is 0 everywhere.

    Parameters
    ----------
    keep_missing : bool, default=False
        Leave missing values as NaN.

    Examples
    --------
    >>> from planetree.bench import Encode
    >>> Encode().fit_transform({"age": [20, None, 40], "paint": ["red", "blue", "red"]})
    array([[20.,  1.],
           [30.,  0.],
           [40.,  1.]])
    """

    schema_: Schema
    means_: Floats

    def __init__(self, *, keep_missing: bool = False) -> None:
        self.keep_missing = keep_missing

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find out what the columns are, and their means.

        Parameters
        ----------
        X : array, data frame or mapping
            The training rows.
        y : object
            Not looked at.

        Returns
        -------
        Encode
            The transformer itself.
        """
        self.schema_, values = read_training(split(X))
        encoded = self._encoded(values)
        known = ~np.isnan(encoded)
        self.means_ = np.where(known, encoded, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
        return self

    def transform(self, X: Any) -> Floats:
        """Encode rows.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of training.

        Returns
        -------
        ndarray of float64
            One column an encoded one.
        """
        encoded = self._encoded(read_like(split(X), self.schema_))
        return encoded if self.keep_missing else np.where(np.isnan(encoded), self.means_, encoded)

    def _encoded(self, values: Floats) -> Floats:
        return Table(self.schema_, values, np.zeros(len(values), np.int32), ()).encoded


class AsFrame(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A pandas frame for systems that find columns by name; plain numbers stay as they are.

    Examples
    --------
    >>> from planetree.bench.encoding import AsFrame
    >>> AsFrame().fit_transform({"age": [20, 30]}).columns.tolist()
    ['age']
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learn nothing."""
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def transform(self, X: Any) -> Any:
        """Make the frame."""
        if not isinstance(X, dict):
            return X
        purpose = "a system that takes named columns"
        return require("pandas", extra="pandas", purpose=purpose).DataFrame(X)
