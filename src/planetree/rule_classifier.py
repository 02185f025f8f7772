"""The estimator that predicts by rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.utils.validation import check_is_fitted

from planetree.estimator import PlaneTreeClassifier

if TYPE_CHECKING:
    from planetree.rules import Fired, RuleSet

__all__ = ["RuleClassifier"]


class RuleClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Grows a tree, makes rules of it, and predicts by those alone.

    Each path becomes a rule; conditions are dropped while the accuracy expected does not fall; the
    rules are ordered by it, and the first that fires decides (`planetree.rules`).

    Parameters
    ----------
    tree : PlaneTreeClassifier, default=None
        How the tree grows; None is `planetree.PlaneTreeClassifier` as it is.
    confidence : float, default=0.25
        How cautious the accuracy expected of a rule is; smaller is more so.

    Attributes
    ----------
    rules_ : RuleSet
        The rules.
    tree_ : PlaneTreeClassifier
        The fitted tree they were made of.
    classes_ : ndarray
        The class labels, sorted.
    n_features_in_ : int
        How many features there are.

    Examples
    --------
    >>> from planetree import RuleClassifier
    >>> from planetree.presets import CART
    >>> from planetree.pruners import Unpruned
    >>> X, y = [[1], [2], [3], [4], [5]], ["a", "b", "b", "b", "b"]
    >>> rules = RuleClassifier(CART(pruner=Unpruned())).fit(X, y)
    >>> print(rules.rules_)
    1. x0 > 1.5 → b (4, 70.7 %)
    2. x0 ≤ 1.5 → a (1, 25 %)
    otherwise → b
    >>> rules.predict([[0], [9]]).tolist()
    ['a', 'b']
    """

    rules_: RuleSet
    tree_: PlaneTreeClassifier
    classes_: NDArray[Any]
    n_features_in_: int

    def __init__(
        self, tree: PlaneTreeClassifier | None = None, *, confidence: float = 0.25
    ) -> None:
        self.tree = tree
        self.confidence = confidence

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: ArrayLike | None = None) -> Self:
        """Grow the tree and make the rules.

        Parameters
        ----------
        X : array, data frame or mapping of shape (n_rows, n_features)
            The training data.
        y : array of shape (n_rows,)
            The class of each row.
        sample_weight : array of shape (n_rows,), default=None
            Weight of each row.

        Returns
        -------
        RuleClassifier
            The estimator itself.
        """
        self._check_options()
        grower = PlaneTreeClassifier() if self.tree is None else clone(self.tree)
        tree = grower.fit(X, y, sample_weight)
        self.rules_ = tree.to_rules(X, y, sample_weight, confidence=self.confidence)
        self.tree_ = tree
        self.classes_ = tree.classes_
        self.n_features_in_ = tree.n_features_in_
        if hasattr(tree, "feature_names_in_"):
            self.feature_names_in_ = tree.feature_names_in_
        return self

    def _check_options(self) -> None:
        """Raise ValueError for a parameter that makes no sense, of the tree or of its own."""
        estimator: Any = PlaneTreeClassifier() if self.tree is None else self.tree
        if not isinstance(estimator, PlaneTreeClassifier):
            raise ValueError(
                f"tree must be a PlaneTreeClassifier such as planetree.presets.C45(), "
                f"not {estimator!r}"
            )
        confidence: Any = self.confidence
        if not isinstance(confidence, int | float) or not 0 < confidence <= 0.5:
            raise ValueError(f"confidence must be above 0 and at most 0.5, not {confidence!r}")
        estimator._check_options()

    def predict(self, X: Any) -> NDArray[Any]:
        """Class of every row.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        ndarray
            The class of the first rule that fires, or the default.
        """
        check_is_fitted(self)
        place = {label: i for i, label in enumerate(self.rules_.classes)}
        labels = [*(rule.label for rule in self.rules_.rules), self.rules_.default]
        codes = np.array([place[label] for label in labels])
        fired = self.rules_.first(self.tree_._read(X))
        predicted: NDArray[Any] = self.classes_[codes[fired]]
        return predicted

    def explain(self, X: Any) -> list[Fired]:
        """The rule that decides each row, with the row's values and margins.

        Parameters
        ----------
        X : array, data frame or mapping
            Rows like those of the training data.

        Returns
        -------
        list of Fired
            One a row; ``str`` of it reads well.
        """
        check_is_fitted(self)
        return self.rules_.explain(X)
