"""The kernels of planetree: what touches every row."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Int32 = NDArray[np.int32]

def best_cuts(
    *,
    X: Floats,
    y: Int32,
    weight: Floats | None,
    rows: NDArray[np.uint32],
    columns: Int32,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
    n_threads: int,
) -> dict[str, NDArray[Any]]: ...
def bit1(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
    n_threads: int,
    gammas: Floats,
    epsilon: float,
    max_cycles: int,
) -> tuple[int, int, float, float] | None: ...
def bit2(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    choice: str,
    min_leaf_rows: int,
    n_threads: int,
    exhaustive: bool = False,
) -> tuple[int, int, float, float, float] | None: ...
def bit2_level(
    *,
    X: Floats,
    Z: Floats,
    center: Floats,
    spread: Floats,
    y: Int32,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
    min_rows_per_feature: float,
    univariate: bool,
    rows: NDArray[np.uint32],
    starts: NDArray[np.int64],
    n_threads: int,
) -> dict[str, NDArray[Any]]: ...
def branch_counts(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    W: Floats,
    n_discriminants: int,
    n_threads: int,
) -> tuple[Floats, NDArray[np.int64]]: ...
def exact_pair(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
    n_threads: int,
) -> tuple[int, int, float, float, float] | None: ...
def fits(n_rows: int, n_classes: int) -> bool: ...
def grow_thresholds(
    *,
    X: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    choice: str,
    max_depth: int,
    min_rows: int,
    min_leaf_rows: int,
    min_merit: float,
    max_leaves: int,
    n_threads: int,
    listener: Callable[[int], object] | None,
) -> dict[str, NDArray[Any]]: ...
def weighted_sums(
    *, X: Floats, feature: Int32, symbol: Int32, fill: Floats, weight: Floats, start: float
) -> Floats: ...
def value_cuts(
    *,
    values: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
) -> dict[str, NDArray[Any]]: ...
def cart_lc(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
    n_threads: int,
    starts: Floats,
    gammas: Floats,
    epsilon: float,
    max_cycles: int,
) -> Floats: ...
def oc1(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
    n_threads: int,
    starts: Floats,
    seed: int,
    restarts: int,
    jumps: int,
    order: str,
) -> Floats: ...
def coefficient_step(
    *,
    margin: Floats,
    x: Floats,
    gamma: float,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
) -> dict[str, Any]: ...
def smooth_merit(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    min_leaf_rows: int,
    starts: Floats,
    sharpness: Floats,
    l2: float,
    max_iterations: int,
    tolerance: float,
    n_threads: int,
    thinning: tuple[float, float, float, int] | None = None,
) -> dict[str, Any]: ...
def soft_merit(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    merit: str,
    weights: Floats,
    l2: float,
) -> tuple[float, Floats]: ...
def logistic(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    start: Floats,
    l2: float,
    max_iterations: int,
    tolerance: float,
) -> Floats: ...
def log_loss(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    W: Floats,
    l2: float,
) -> tuple[float, Floats]: ...
def pocket(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    seed: int,
    passes: int,
    epsilon: float,
) -> Floats: ...
def thermal(
    *,
    Z: Floats,
    y: Int32,
    weight: Floats | None,
    n_classes: int,
    seed: int,
    beta: float,
    a: float,
    b: float,
    epsilon: float,
    alpha: float,
    whole_pass: bool,
    max_passes: int,
) -> Floats: ...

class FlatTree:
    def __init__(
        self,
        *,
        kind: NDArray[np.uint8],
        feature: Int32,
        missing: Int32,
        first_child: Int32,
        n_branches: Int32,
        cut: Floats,
        table_start: Int32,
        n_symbols: Int32,
        unseen: Int32,
        branch_table: Int32,
        term_start: Int32,
        n_terms: Int32,
        weight_start: Int32,
        term_feature: Int32,
        term_symbol: Int32,
        term_fill: Floats,
        weights: Floats,
        share: Floats,
        n_features: int,
    ) -> None: ...
    def apply(self, X: Floats, n_threads: int) -> tuple[Int32, tuple[int, int] | None]: ...
    def parts(
        self, X: Floats, n_threads: int
    ) -> tuple[NDArray[np.int64], Int32, Floats, tuple[int, int] | None]: ...
