"""How a linear test is found: one learner a file, each held to the contract in `base`."""

from planetree.learners.base import CoefficientLearner, LinearTest, SumsLearner
from planetree.learners.best_of import BestOf
from planetree.learners.bit1 import BIT1
from planetree.learners.bit2 import BIT2
from planetree.learners.cart_lc import CARTLC
from planetree.learners.exact_pair import ExactPair
from planetree.learners.least_squares import LeastSquares
from planetree.learners.logistic import Logistic
from planetree.learners.oc1 import OC1
from planetree.learners.pocket import Pocket
from planetree.learners.rls import RLS
from planetree.learners.smooth_merit import SmoothMerit
from planetree.learners.superclasses import Superclasses
from planetree.learners.thermal import Thermal

__all__ = [
    "BIT1",
    "BIT2",
    "CARTLC",
    "OC1",
    "RLS",
    "BestOf",
    "CoefficientLearner",
    "ExactPair",
    "LeastSquares",
    "LinearTest",
    "Logistic",
    "Pocket",
    "SmoothMerit",
    "SumsLearner",
    "Superclasses",
    "Thermal",
]
