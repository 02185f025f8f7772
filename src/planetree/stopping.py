"""When a node is not worth splitting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["ROUNDING", "Stop"]

ROUNDING = 1e-9  # parts of rows add up to whole ones but for this


@dataclass(frozen=True)
class Stop:
    """The limits of growth.

    Parameters
    ----------
    max_depth : int or None
        A node this deep is a leaf.
    min_rows : int
        A node with fewer rows is a leaf.
    min_leaf_rows : int
        No branch may get fewer rows.
    min_merit : float
        No test may be worth less.

    Examples
    --------
    >>> import numpy as np
    >>> from planetree.stopping import Stop
    >>> Stop(max_depth=3).before_search(np.array([5.0, 2.0]), n_rows=7, depth=3)
    True
    """

    max_depth: int | None = None
    min_rows: int = 2
    min_leaf_rows: int = 1
    min_merit: float = 0.0

    def before_search(self, counts: NDArray[np.float64], n_rows: float, depth: int) -> bool:
        """Whether a node with these class counts is a leaf, whatever a search would find.

        Rows in parts may add up to a fraction.
        """
        n_rows += ROUNDING
        return bool(
            np.count_nonzero(counts) < 2
            or (self.max_depth is not None and depth >= self.max_depth)
            or n_rows < self.min_rows
            or n_rows < 2 * self.min_leaf_rows
        )

    def after_search(self, merit: float) -> bool:
        """Whether the best test found is not worth having."""
        return merit < self.min_merit
