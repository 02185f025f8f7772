"""What a learner sees of one node: standardised columns, classes, weights.

A view restricted to some columns shares everything with the whole one. Learners answer in
standardised units; the view turns their answer into a test on the user's own columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.linalg import blas

from planetree import _core
from planetree.cases import Cases
from planetree.planes import LinearMachine, LinearThresholdUnit, Term
from planetree.scaling import Scale, Scaling
from planetree.table import Table

__all__ = ["NodeView", "Sums"]

Floats = NDArray[np.float64]
Rows = NDArray[np.uint32]
Places = tuple[int, ...]

# A column whose spread is smaller leaves the linear tests: its weight would be no finite number.
LEAST_SPREAD = 1e-250


class Sums:
    """Cross products of a node: all that least squares need to know of its rows.

    Parameters
    ----------
    A : ndarray of shape (n_columns + 1, n_columns + 1)
        Weighted products of the columns, the constant 1 last.
    B : ndarray of shape (n_columns + 1, n_classes)
        Weighted products with the targets: 1 for rows of the class, -1 for others.
    """

    def __init__(self, A: Floats, B: Floats) -> None:
        self.A = A
        self.B = B

    @classmethod
    def of(cls, Z: Floats, y: NDArray[np.int32], n_classes: int, weight: Floats | None) -> Self:
        """Sum over the rows, once."""
        columns = np.ones((len(Z), Z.shape[1] + 1), order="F")
        columns[:, :-1] = Z
        target = np.full((len(Z), n_classes), -1.0, order="F")
        target[np.arange(len(Z)), y] = 1.0
        if weight is not None:
            root = np.sqrt(weight)[:, None]
            columns *= root
            target *= root
        upper = blas.dsyrk(1.0, columns, trans=1)
        return cls(upper + np.triu(upper, 1).T, blas.dgemm(1.0, columns, target, trans_a=1))

    def take(self, places: Sequence[int]) -> Sums:
        """Sums of some of the columns."""
        kept = [*places, len(self.A) - 1]
        return Sums(self.A[np.ix_(kept, kept)], self.B[kept])

    def regrouped(self, group: NDArray[np.int32]) -> Sums:
        """Sums for classes taken together in groups, numbered from 0 on."""
        everything = self.A[:, -1:]
        own = (self.B + everything) / 2
        together = np.eye(group.max() + 1)[group]
        return Sums(self.A, 2 * (own @ together) - everything)


class NodeView:
    """One node, standardised.

    Parameters
    ----------
    table : Table
        The training table.
    rows : ndarray of uint32
        The node's rows, rising.
    scaling : Scaling
        How its columns are brought to one scale.
    seed : int
        Where the node's random numbers begin.
    merit : str or None
        The kernels' name of the merit to search by; None for one that they do not know.
    choice : str
        Their name of how tests compete by it.
    min_leaf_rows : int
        No branch may get fewer rows.
    n_threads : int
        Threads a kernel may use.
    part : ndarray of float64 or None
        How much of each row is here; None where all are whole.

    Attributes
    ----------
    Z : ndarray of shape (n_rows, n_columns)
        The columns, standardised, without gaps; a column with one value only is left out.
    y : ndarray of int32
        The class of each row, numbered among the classes that occur in the node.
    n_classes : int
        How many occur.
    weight : ndarray or None
        Weight of each row; None where every row counts 1.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.scaling import Deviations
    >>> from planetree.schema import Feature, Schema
    >>> from planetree.table import Table
    >>> from planetree.view import NodeView
    >>> X = np.array([[1.0, 5.0], [3.0, 5.0]])
    >>> schema = Schema((Feature("a"), Feature("b")))
    >>> table = Table(schema, X, np.array([0, 1], np.int32), ("n", "y"))
    >>> view = NodeView(table, np.arange(2, dtype=np.uint32), Deviations())
    >>> view.Z
    array([[-1.],
           [ 1.]])
    >>> view.unit([1.0], -0.5).describe(table.schema)
    ('a ≤ 2.5', 'a > 2.5')
    """

    def __init__(
        self,
        table: Table,
        rows: Rows,
        scaling: Scaling,
        *,
        seed: int = 0,
        merit: str | None = "gini",
        choice: str = "merit",
        min_leaf_rows: int = 1,
        n_threads: int = 1,
        part: Floats | None = None,
    ) -> None:
        self.seed = seed
        self.merit = merit
        self.choice = choice
        self.min_leaf_rows = min_leaf_rows
        self.n_threads = n_threads
        self.schema = table.schema
        classes, codes = np.unique(table.y[rows], return_inverse=True)
        self.y = codes.astype(np.int32)
        self.n_classes = len(classes)
        self.weight = Cases(rows, part).weight(table)
        columns = table.encoded[rows]
        varying = np.flatnonzero(_varies(columns))
        self._table = table
        self._columns = varying
        self._raw: Floats = columns[:, varying]
        self._bring_to_scale(scaling)
        for array in (self.y, self.weight):
            if array is not None:
                array.flags.writeable = False

    def _bring_to_scale(self, scaling: Scaling) -> None:
        """Standardise the columns that are there."""
        if scaling.once:
            scale = _scale_of_table(self._table, scaling).take(self._columns)
        else:
            of_table = self._table.encoded_range[:, self._columns]
            scale = scaling(self._raw, self.row_weight, of_table)
        usable = scale.spread > LEAST_SPREAD
        self._scale = scale.take(usable)
        self._columns = self._columns[usable]
        self._raw = self._raw[:, usable]
        self.Z: Floats = self._scale.apply(self._raw)
        self.Z.flags.writeable = False

    # --- what it holds ----------------------------------------------------------------------------

    @property
    def n_rows(self) -> int:
        """How many rows the node has."""
        return len(self.y)

    @property
    def n_columns(self) -> int:
        """How many columns vary in the node."""
        return len(self._columns)

    @property
    def row_weight(self) -> Floats:
        """Weight of each row."""
        return np.ones(self.n_rows) if self.weight is None else self.weight

    @property
    def class_weight(self) -> Floats:
        """Weight of each class that occurs."""
        return np.bincount(self.y, self.weight, self.n_classes).astype(np.float64)

    @property
    def features(self) -> list[int]:
        """The feature behind each column."""
        return [self.schema.columns[j].feature for j in self._columns]

    @property
    def cases(self) -> dict[str, Any]:
        """Class and weight of each row, as the kernels take them."""
        return {"y": self.y, "weight": self.weight, "n_classes": self.n_classes}

    @property
    def kernel(self) -> dict[str, Any]:
        """What every kernel of a learner takes."""
        return {"Z": self.Z, **self.cases}

    @property
    def search(self) -> dict[str, Any]:
        """What a kernel that searches by merit takes besides."""
        if self.merit is None:
            raise ValueError(
                "it searches by merit, and this merit is written in Python alone; any of "
                "planetree.merits will do, and planetree.learners.RLS goes with every merit"
            )
        return {
            "merit": self.merit,
            "min_leaf_rows": self.min_leaf_rows,
            "n_threads": self.n_threads,
        }

    @cached_property
    def sums(self) -> Sums:
        """Cross products of the columns and the classes."""
        return Sums.of(self.Z, self.y, self.n_classes, self.weight)

    # --- parts of it ------------------------------------------------------------------------------

    def restrict(self, places: Sequence[int]) -> NodeView:
        """Keep these columns only.

        Parameters
        ----------
        places : sequence of int
            Places among the columns.

        Returns
        -------
        NodeView
            The same rows; its sums come out of this view's.
        """
        if len(places) == self.n_columns and list(places) == list(range(self.n_columns)):
            return self
        part = self._copy()
        kept = list(places)
        part._columns = self._columns[kept]
        part._scale = self._scale.take(kept)
        part._raw = self._raw[:, kept]
        part.Z = self.Z[:, kept]
        if "sums" in self.__dict__:
            part.__dict__["sums"] = self.sums.take(kept)
        return part

    def regrouped(self, group: NDArray[np.int32]) -> NodeView:
        """Take classes together.

        Parameters
        ----------
        group : ndarray of int32, shape (n_classes,)
            The group of each class, numbered from 0 on, none of them empty.

        Returns
        -------
        NodeView
            The same rows and columns; its classes are the groups.
        """
        part = self._copy()
        part.y, part.n_classes = group[self.y], int(group.max()) + 1
        if "sums" in self.__dict__:
            part.__dict__["sums"] = self.sums.regrouped(group)
        return part

    def rescaled(self, scaling: Scaling) -> NodeView:
        """Bring the same columns to another scale.

        Parameters
        ----------
        scaling : Scaling
            How.

        Returns
        -------
        NodeView
            The same rows.
        """
        part = self._copy()
        part._bring_to_scale(scaling)
        return part

    def take_rows(self, rows: NDArray[np.intp]) -> NodeView:
        """Keep these rows only, and the columns as they are scaled, constant ones too.

        Parameters
        ----------
        rows : ndarray of int
            Places among the rows.

        Returns
        -------
        NodeView
            Its classes are those that occur among the rows.
        """
        part = self._copy()
        classes, codes = np.unique(self.y[rows], return_inverse=True)
        part.y, part.n_classes = codes.astype(np.int32), len(classes)
        part.weight = None if self.weight is None else self.weight[rows]
        part._raw = self._raw[rows]
        part.Z = np.asfortranarray(self.Z[rows])
        return part

    def complete(self) -> NodeView:
        """Keep the rows that miss no value of these columns; all rows if too few would be left.

        Returns
        -------
        NodeView
            A view with two classes and twice as many rows as columns at least.
        """
        keep = ~np.isnan(self._raw).any(axis=1)
        if keep.all() or keep.sum() < 2 * self.n_columns or len(np.unique(self.y[keep])) < 2:
            return self
        return self.take_rows(np.flatnonzero(keep))

    def _copy(self) -> NodeView:
        part = object.__new__(NodeView)
        part.__dict__.update({k: v for k, v in self.__dict__.items() if k != "sums"})
        return part

    # --- the way back to the user's units ---------------------------------------------------------

    def unit(self, weights: ArrayLike, constant: float = 0.0) -> LinearThresholdUnit | None:
        """Test on the user's columns that asks whether ``weights · z + constant <= 0``.

        The largest weight becomes 1 or -1, so that the sum is in the units of that feature.

        Parameters
        ----------
        weights : array of shape (n_columns,)
            One a standardised column; a column of weight 0 is left out.
        constant : float, default=0.0
            Minus the cut, in standardised units.

        Returns
        -------
        LinearThresholdUnit or None
            None where all weights are 0 or their size on the user's columns is out of bounds.
        """
        w = np.asarray(weights, np.float64)
        if w.shape != (self.n_columns,):
            raise ValueError(f"weights of shape {w.shape} for {self.n_columns} columns")
        if not np.isfinite(w).all() or not np.isfinite(constant):
            raise ValueError("a weight is not a finite number")
        kept = np.flatnonzero(w)
        if not len(kept):
            return None
        raw = w[kept] / self._scale.spread[kept]
        largest = np.abs(raw).max()
        if not 0 < largest < np.inf:
            return None
        raw = raw / largest
        with np.errstate(over="ignore"):
            cut = float((raw * self._scale.center[kept]).sum() - constant / largest)
        if not np.isfinite(cut):
            return None
        return LinearThresholdUnit(self._terms(kept), tuple(raw.tolist()), cut)

    def best_unit(self, weights: ArrayLike) -> tuple[float, LinearThresholdUnit] | None:
        """Find the best test along these weights, counting the rows as the tree will.

        In standardised units sums may differ in the last bits, and a cut between two of them put
        rows on the wrong side.

        Parameters
        ----------
        weights : array of shape (n_columns,)
            One a standardised column.

        Returns
        -------
        tuple of float and LinearThresholdUnit, or None
            What the test is worth, and the test; None where no cut along these weights leaves rows
            enough on both sides.
        """
        test = self.unit(weights)
        if test is None:
            return None
        kept = np.flatnonzero(weights)
        values = np.zeros((self.n_rows, 1))
        with np.errstate(over="ignore", invalid="ignore"):
            for j, weight in zip(kept, test.weights, strict=True):
                x = self._raw[:, j]
                values[:, 0] += weight * np.where(np.isnan(x), self._scale.fill[j], x)
        if not np.isfinite(values).all():
            return None
        merit, least = self.search["merit"], self.min_leaf_rows
        cuts = _core.value_cuts(values=values, merit=merit, min_leaf_rows=least, **self.cases)
        if not cuts["found"][0]:
            return None
        return float(cuts["merit"][0]), replace(test, cut=float(cuts["cut"][0]))

    def machine(self, W: ArrayLike) -> LinearMachine | LinearThresholdUnit | None:
        """Test on the user's columns with a discriminant a class.

        Parameters
        ----------
        W : array of shape (n_classes, n_columns + 1)
            Weights of the standardised columns, the constant last.

        Returns
        -------
        LinearMachine, LinearThresholdUnit or None
            With two classes the plane between them; None where the discriminants do not differ or
            their size on the user's columns is out of bounds.
        """
        W = np.asarray(W, np.float64)
        if W.shape != (self.n_classes, self.n_columns + 1):
            raise ValueError(
                f"weights of shape {W.shape} for {self.n_classes} classes and "
                f"{self.n_columns} columns; ({self.n_classes}, {self.n_columns + 1}) is needed"
            )
        if not np.isfinite(W).all():
            raise ValueError("a weight is not a finite number")
        if self.n_classes == 2:
            return self.unit(W[1, :-1] - W[0, :-1], float(W[1, -1] - W[0, -1]))
        kept = np.flatnonzero(np.ptp(W[:, :-1], axis=0))
        with np.errstate(over="ignore", invalid="ignore"):
            raw = W[:, kept] / self._scale.spread[kept]
            constants = W[:, -1] - (raw * self._scale.center[kept]).sum(axis=1)
        if not len(kept) or not np.isfinite(raw).all() or not np.isfinite(constants).all():
            return None
        return LinearMachine(
            self._terms(kept), tuple(map(tuple, raw.tolist())), tuple(constants.tolist())
        )

    def _terms(self, places: Iterable[int]) -> tuple[Term, ...]:
        columns = [(self.schema.columns[self._columns[j]], self._scale.fill[j]) for j in places]
        return tuple(Term(column.feature, column.symbol, float(fill)) for column, fill in columns)

    def places(self, test: LinearThresholdUnit | LinearMachine) -> Places:
        """Columns that a test looks at, in the order of its terms.

        Parameters
        ----------
        test : LinearThresholdUnit or LinearMachine
            Made by this view or a part of it.

        Returns
        -------
        tuple of int
            Their places; a column that does not vary here has none.
        """
        place = {
            (column.feature, column.symbol): j
            for j, column in enumerate(self.schema.columns[i] for i in self._columns)
        }
        keys = ((term.feature, term.symbol) for term in test.terms)
        return tuple(place[key] for key in keys if key in place)

    def route(self, test: LinearThresholdUnit | LinearMachine) -> NDArray[np.int32]:
        """Branch that each row takes of a test over columns of this view.

        Parameters
        ----------
        test : LinearThresholdUnit or LinearMachine
            Made by this view or a part of it.

        Returns
        -------
        ndarray of int32
            As the tree will part the rows.
        """
        # The test's own columns in a row, as features of their own: raw values know no symbols.
        terms = tuple(replace(term, feature=i, symbol=None) for i, term in enumerate(test.terms))
        return replace(test, terms=terms).route(self._raw[:, list(self.places(test))])

    def weights(self, test: LinearThresholdUnit | LinearMachine) -> Floats:
        """Weights of a test of this view in standardised units.

        Parameters
        ----------
        test : LinearThresholdUnit or LinearMachine
            Made by this view or a part of it.

        Returns
        -------
        ndarray of shape (n_columns,) or (n_branches, n_columns)
            0 for a column that the test does not look at.
        """
        at = list(self.places(test))
        raw = np.asarray(test.weights)
        W = np.zeros((*raw.shape[:-1], self.n_columns))
        W[..., at] = raw * self._scale.spread[at]
        return W

    def magnitudes(self, test: LinearThresholdUnit | LinearMachine) -> Floats:
        """How much each column moves a test of this view: its weight in standardised units.

        For a machine it is the root mean square distance between the weights of two classes, but
        for a factor that all columns share.

        Parameters
        ----------
        test : LinearThresholdUnit or LinearMachine
            Made by this view or a part of it.

        Returns
        -------
        ndarray of shape (n_columns,)
            0 for a column that the test does not look at.
        """
        W = self.weights(test)
        # The squared distances over all pairs add up to the spread around the mean.
        size: Floats = np.abs(W) if W.ndim == 1 else W.std(axis=0)
        return size


def _scale_of_table(table: Table, scaling: Scaling) -> Scale:
    """Scale of all columns of the table, kept with the table."""
    if scaling not in table.scales:
        varies = _varies(table.encoded)
        weight = np.ones(table.n_rows) if table.weight is None else table.weight
        found = scaling(table.encoded[:, varies], weight, table.encoded_range[:, varies])
        whole = np.ones((len(found), len(varies)))  # a constant column is in no view
        whole[:, varies] = found
        table.scales[scaling] = Scale(*whole)
    return table.scales[scaling]


def _varies(columns: Floats) -> NDArray[np.bool_]:
    """Which columns have two distinct known values."""
    known = ~np.isnan(columns)
    low = np.where(known, columns, np.inf).min(axis=0)
    high = np.where(known, columns, -np.inf).max(axis=0)
    varies: NDArray[np.bool_] = low < high
    return varies
