"""planetree's encoding of tables as a step for scikit-learn's pipelines."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from planetree.schema import Schema
from planetree.table import Table, is_mapping, read_like, read_training, split

__all__ = ["ColumnEncoder"]


class ColumnEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
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
        ColumnEncoder
            The encoder itself.
        """
        del y
        self.schema_, _ = read_training(split(X))
        if is_mapping(X):
            self.n_features_in_ = len(self.schema_.features)
            self.feature_names_in_ = np.array(self.schema_.names, dtype=object)
        else:
            validate_data(self, X, skip_check_array=True)
        return self

    def transform(self, X: Any) -> NDArray[np.float64]:
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
        check_is_fitted(self)
        columns = split(X, self.schema_.names)
        if not is_mapping(X):
            validate_data(self, X, reset=False, skip_check_array=True)
        rows = read_like(columns, self.schema_)
        return Table(self.schema_, rows, np.zeros(len(rows), np.int32), ("",)).encoded
