"""Small, readable, accurate decision trees whose tests may look at one, two or many features."""

from importlib.metadata import version as _version

from planetree import datasets, merits, presets, testing
from planetree.errors import MissingExtraError, ModelFileError, TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.tree import Tree

__version__ = _version("planetree")

__all__ = [
    "MissingExtraError",
    "ModelFileError",
    "PlaneTreeClassifier",
    "TableError",
    "Tree",
    "datasets",
    "merits",
    "presets",
    "testing",
]
