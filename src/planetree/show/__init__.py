"""Pictures of trees, with matplotlib.

Every function draws on `ax`, or on axes of its own making, and returns them.
"""

from planetree.show.nodes import node, weights
from planetree.show.partitions import partition
from planetree.show.paths import path
from planetree.show.pruning import pruning_path
from planetree.show.sizes import accuracy_against_size
from planetree.show.telling import importances
from planetree.show.trees import tree

__all__ = [
    "accuracy_against_size",
    "importances",
    "node",
    "partition",
    "path",
    "pruning_path",
    "tree",
    "weights",
]
