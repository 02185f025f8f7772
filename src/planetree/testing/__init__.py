"""Checks for plug-ins: what planetree promises of its own, yours should keep as well.

A check raises AssertionError with the name of the plug-in and the promise that it breaks.
"""

from planetree.testing.learners import check_learner
from planetree.testing.merits import check_merit
from planetree.testing.pruners import check_pruner
from planetree.testing.refiners import check_refiner
from planetree.testing.selectors import check_selector

__all__ = ["check_learner", "check_merit", "check_pruner", "check_refiner", "check_selector"]
