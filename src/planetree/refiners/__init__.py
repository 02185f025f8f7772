"""How the tests of a grown tree are learned anew, the rest of the tree being known."""

from planetree.refiners.base import Refiner
from planetree.refiners.tao import TAO

__all__ = ["TAO", "Refiner"]
