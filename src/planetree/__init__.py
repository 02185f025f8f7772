"""Small, readable, accurate decision trees whose tests may look at one, two or many features."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

import sklearn  # noqa: F401  first: loaded from within our modules it takes 50 ms longer

from planetree import merits
from planetree.errors import MissingExtraError, ModelFileError, PlugInError, TableError
from planetree.estimator import PlaneTreeClassifier
from planetree.tree import Tree

if TYPE_CHECKING:
    from planetree import (
        datasets,
        export,
        learners,
        presets,
        pruners,
        refiners,
        selectors,
        show,
        symbols,
        testing,
    )
    from planetree.modelfile import load
    from planetree.rule_classifier import RuleClassifier

    __version__: str

__all__ = [
    "MissingExtraError",
    "ModelFileError",
    "PlaneTreeClassifier",
    "PlugInError",
    "RuleClassifier",
    "TableError",
    "Tree",
    "datasets",
    "export",
    "learners",
    "load",
    "merits",
    "presets",
    "pruners",
    "refiners",
    "selectors",
    "show",
    "symbols",
    "testing",
]


def __getattr__(name: str) -> Any:
    """Import on first use what not every program needs: it halves the time to import planetree."""
    if name == "RuleClassifier":
        return import_module("planetree.rule_classifier").RuleClassifier
    if name == "load":
        return import_module("planetree.modelfile").load
    if name in __all__:  # a room
        return import_module(f"planetree.{name}")
    if name == "__version__":
        return import_module("importlib.metadata").version("planetree")
    raise AttributeError(f"module 'planetree' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
