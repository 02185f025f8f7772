"""The contract of a learner: from one node, standardised, to one linear test."""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import isfinite
from numbers import Integral, Real
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from planetree.errors import PlugInError
from planetree.planes import LinearMachine, LinearThresholdUnit
from planetree.scaling import Deviations, Scaling
from planetree.table import Table
from planetree.view import NodeView, Sums

__all__ = ["CoefficientLearner", "LinearTest", "SumsLearner"]

LinearTest = LinearThresholdUnit | LinearMachine


class CoefficientLearner(BaseEstimator, ABC):  # type: ignore[misc]
    """Finds the weights of a linear test for the columns it is shown.

    A learner answers in standardised units, through `NodeView.unit` or `NodeView.machine`, which
    bring its answer back to the user's. It must leave the view alone, and give the same answer for
    the same view; one that needs chance draws it from ``view.seed``. To what it says of itself
    `planetree.testing.check_learner` holds it.

    Attributes
    ----------
    multiclass : bool
        Whether it takes more than two classes.
    weighted : bool
        Whether it takes rows of unequal weight.
    incomplete : bool
        Whether it takes rows with missing values, which the view has filled.
    separates : bool
        Whether it finds a test without error wherever there is one.
    scale_free : bool
        Whether shifting or scaling a column leaves it to part the rows as before.
    most_columns : int or None
        The most columns its tests look at, for a learner that picks them itself.
    thins : bool
        Whether it can drop columns while it learns (`thinned`).
    parallel : bool
        Whether two nodes may be asked of it at once, from two threads, and it pays: its work is in
        a kernel.
    scaling : Scaling or None
        How columns are brought to one scale; None is `default_scaling`. A learner for which the
        scale is a choice has it as a parameter.
    default_scaling : Scaling
        Standardised columns for most.
    max_rows : int or None
        In a node with more rows it learns from as many of them, evenly spaced, and the plane is
        then cut by all.

    Examples
    --------
    >>> from planetree import PlaneTreeClassifier
    >>> from planetree.learners import CoefficientLearner
    >>> class Bisector(CoefficientLearner):
    ...     multiclass = weighted = False
    ...     def fit(self, view):
    ...         a, b = view.Z[view.y == 0].mean(axis=0), view.Z[view.y == 1].mean(axis=0)
    ...         return view.unit(b - a, constant=-(b - a) @ (a + b) / 2)
    >>> PlaneTreeClassifier(learner=Bisector()).fit([[0, 1], [1, 2]], ["low", "high"]).n_tests_
    1
    """

    multiclass: ClassVar[bool] = True
    weighted: ClassVar[bool] = True
    incomplete: ClassVar[bool] = True
    separates: ClassVar[bool] = False
    scale_free: ClassVar[bool] = False
    most_columns: ClassVar[int | None] = None
    thins: ClassVar[bool] = False
    parallel: ClassVar[bool] = False
    default_scaling: ClassVar[Scaling] = Deviations()
    scaling: Scaling | None = None
    max_rows: int | None = None

    @abstractmethod
    def fit(self, view: NodeView) -> LinearTest | None:
        """Test for the node, or None where there is nothing to find."""

    def refit(self, view: NodeView, weights: NDArray[np.float64]) -> LinearTest | None:
        """Test for the node, found from these weights of its columns, if that saves work.

        Parameters
        ----------
        view : NodeView
            The node.
        weights : ndarray of shape (n_columns,) or (n_branches, n_columns)
            In standardised units.

        Returns
        -------
        LinearThresholdUnit, LinearMachine or None
            By default what `fit` finds.
        """
        del weights
        return self.fit(view)

    def thinned(
        self, view: NodeView, *, price: float, ceiling: float, share: float, most_columns: int
    ) -> LinearTest | None:
        """What `planetree.selectors.Thin` would find with this learner, in one go, if `thins`.

        Parameters
        ----------
        view : NodeView
            The node.
        price : float
            What a column must explain, as a share of `ceiling`.
        ceiling : float
            The merit of a test that parts all classes.
        share : float
            The share of the columns that goes at each step.
        most_columns : int
            How many columns the test may look at.

        Returns
        -------
        LinearThresholdUnit, LinearMachine or None
            None where no test is allowed.
        """
        raise NotImplementedError

    def _require_at_least(self, **least: float) -> None:
        """Refuse a parameter below its least value; a least value of type int asks for an int."""
        for name, low in least.items():
            value = getattr(self, name)
            kind, what = (Integral, "whole number") if isinstance(low, int) else (Real, "number")
            if not isinstance(value, kind) or not isfinite(value) or value < low:
                raise ValueError(
                    f"{type(self).__name__}: {name} must be a {what} of at least {low}, "
                    f"not {value!r}"
                )


def check_able(learner: CoefficientLearner, table: Table) -> None:
    """Refuse a table that a learner does not take, naming learners that do.

    Parameters
    ----------
    learner : CoefficientLearner
        The learner.
    table : Table
        The training cases.
    """
    n_classes = len(table.classes)
    gaps = [feature.name for feature in table.schema.features if feature.missing]
    for able, asked, what in (
        (learner.multiclass, n_classes > 2, f"two classes only, and y has {n_classes}"),
        (
            learner.weighted,
            table.weight is not None,
            "no weights, and rows or classes are weighted",
        ),
        (learner.incomplete, gaps, f"no missing values, and {', '.join(gaps[:3])} misses some"),
    ):
        if asked and not able:
            raise PlugInError(
                f"{learner!r} takes {what}; planetree.learners.RLS and LeastSquares take them"
            )


class SumsLearner(CoefficientLearner):
    """A learner that needs the cross products of the columns and nothing else of the rows.

    They are summed once a node; a part of the columns then costs no pass over the rows to solve.

    Examples
    --------
    >>> from planetree.learners import RLS, SumsLearner
    >>> isinstance(RLS(), SumsLearner)
    True
    """

    @property
    def needs_rows(self) -> bool:
        """Whether the sums do not settle the plane, so that `fit` is to be asked for each."""
        return False

    @abstractmethod
    def solve(self, sums: Sums) -> NDArray[np.float64] | None:
        """Weights of shape (n_classes, n_columns + 1), the constant last; or None."""

    def fit(self, view: NodeView) -> LinearTest | None:  # noqa: D102
        W = self.solve(view.sums)
        return None if W is None else view.machine(W)
