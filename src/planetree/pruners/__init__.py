"""How a tree is made smaller: one pruner a file, each held to the contract in `base`."""

from planetree.pruners.base import Evidence, Pruner
from planetree.pruners.cost_complexity import (
    CostComplexity,
    PruningPath,
    cost_complexity_pruning_path,
)
from planetree.pruners.cross_validated import CrossValidated, SizePath, SizeStep
from planetree.pruners.hyperplane_merging import HyperplaneMerging
from planetree.pruners.mtp import MTP
from planetree.pruners.pessimistic import Pessimistic, PessimisticBound
from planetree.pruners.reduced_error import ReducedError
from planetree.pruners.unpruned import Unpruned

__all__ = [
    "MTP",
    "CostComplexity",
    "CrossValidated",
    "Evidence",
    "HyperplaneMerging",
    "Pessimistic",
    "PessimisticBound",
    "Pruner",
    "PruningPath",
    "ReducedError",
    "SizePath",
    "SizeStep",
    "Unpruned",
    "cost_complexity_pruning_path",
]
